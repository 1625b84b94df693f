package cmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/notation"
)

// A way is how a tensor comes into a command: the arguments that name it, and standard input.
type way struct {
	name  string
	args  []string
	stdin string
}

// waysOf returns all ways to pass text. The file at path contains it.
func waysOf(text, path string) []way {
	return []way{
		{"one argument", []string{text}, ""},
		{"split arguments", strings.Fields(text), ""},
		{"standard input", []string{"-"}, text},
		{"standard input with a line end", []string{"-"}, text + "\n"},
		{"@FILE", []string{"@" + path}, ""},
		{"a path", []string{path}, ""},
	}
}

// A tensorCommand is a command that takes a tensor, with the arguments after it.
type tensorCommand struct {
	name  string
	flags []string
	after []string
}

var tensorCommands = []tensorCommand{
	{name: "strides"},
	{name: "offset", flags: []string{"--at", "0"}},
	{name: "size"},
	{name: "view", after: []string{"unsqueeze(0)"}},
	{name: "compare", after: []string{"row-major"}},
	{name: "convert", after: []string{"row-major"}},
	{name: "check", flags: []string{"--severity", "note"}},
}

// place matches the parts of an output that depend on the way: the position of a finding.
var place = regexp.MustCompile(
	`"(path|pointer|fingerprint)": "[^"]*"|"(line|column|fixable)": [0-9]+|, "fixable": true`)

// notePlace matches the place before a note of check.
var notePlace = regexp.MustCompile(`("notes": \[")(<stdin>|[^" ]*\.txt): `)

// through runs a command with a tensor that comes in a way.
func through(d way, command tensorCommand, flags ...string) result {
	args := []string{command.name, "-o", "json"}
	args = slices.Concat(args, command.flags, flags, []string{"--"}, d.args, command.after)
	r := runWith(strings.NewReader(d.stdin), nil, args...)
	r.out = notePlace.ReplaceAllString(place.ReplaceAllString(r.out, ""), "$1")
	return r
}

// TestNotationsInAllWays checks that the example of every notation is the same tensor for every command and in every
// way to pass it.
func TestNotationsInAllWays(t *testing.T) {
	dir := t.TempDir()
	for i, n := range notation.All() {
		if i%layouttest.Step() != 0 {
			continue
		}
		path := filepath.Join(dir, n.Name+".txt")
		if err := os.WriteFile(path, []byte(n.Doc().Example+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		ways := waysOf(n.Doc().Example, path)
		for _, c := range tensorCommands {
			want := through(ways[0], c)
			if want.code > 1 || want.out == "" {
				t.Errorf("%s of %s exits %d: %s", c.name, n.Name, want.code, want.stderr)
			}
			for _, d := range ways[1:] {
				if c.name == "check" && d.name == "split arguments" && n.Name == "name" {
					continue // a shape and a layout name of the command line have no place
				}
				if got := through(d, c); got != want {
					t.Errorf(
						"%s of %s by %s differs: %s", c.name, n.Name, d.name,
						cmp.Diff(want, got, cmp.AllowUnexported(result{})),
					)
				}
			}
		}
	}
}

// TestFilesInAllWays checks that a tensor of each kind of file is the same for every command and in every way to pass
// the file.
func TestFilesInAllWays(t *testing.T) {
	tests := []struct{ path, tensor, strides, reason string }{
		{path: "check/desc.cpp", strides: "802816,1,7168,64", reason: "a notation on several lines, with comments"},
		{path: "check/descriptors.jsonl", tensor: "key", strides: "65536,8192,1,128", reason: "JSON Lines"},
		{path: "check/layouts.yaml", tensor: "image", strides: "150528,1,672,3", reason: "a configuration"},
		{
			path: "check/model.json", tensor: "BTensor", strides: "12,12,4,1",
			reason: "a model, and the last part of a name",
		},
		{
			path: "check/model.json", tensor: "gemm.OutputTensor", strides: "8,8,3,1",
			reason: "a model, and a whole name",
		},
		{path: "check/onednn.log", tensor: "3:wei", strides: "5,1", reason: "a log"},
		{path: "data/c.npy", strides: "12,4,2,1", reason: ".npy"},
		{path: "data/fortran.npy", strides: "1,2", reason: ".npy, column-major"},
		{path: "data/one.safetensors", reason: ".safetensors"},
		{path: "data/two.safetensors", tensor: "bias", strides: "1", reason: ".safetensors with several tensors"},
	}
	for _, tt := range tests {
		path := filepath.Join("..", "testdata", tt.path)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		ways := waysOf(string(data), path)
		ways = append(ways[:1:1], ways[2:]...)
		if tt.path[:4] == "data" {
			ways = append(ways[1:2:2], ways[3:]...) // no argument has bytes of 0, and no line end follows
		}
		for _, c := range tensorCommands {
			var flags []string
			if c.name != "check" && tt.tensor != "" {
				flags = []string{"--tensor", tt.tensor}
			}
			want := through(ways[0], c, flags...)
			if want.code > 1 && c.name != "check" || want.out == "" {
				t.Errorf("%s of %s exits %d: %s", c.name, tt.path, want.code, want.stderr)
			}
			if c.name == "strides" && tt.strides != "" {
				list := `"strides": [` + strings.ReplaceAll(tt.strides, ",", ", ") + `]`
				if !strings.Contains(want.out, list) {
					t.Errorf("%s has not %s: %s:\n%s", tt.path, list, tt.reason, want.out)
				}
			}
			for _, d := range ways[1:] {
				if got := through(d, c, flags...); got != want {
					t.Errorf("%s of %s by %s differs from %s: %s", c.name, tt.path, d.name, ways[0].name,
						cmp.Diff(want, got, cmp.AllowUnexported(result{})))
				}
			}
		}
	}
}

// TestWrongTextsInAllWays checks that an invalid input gives the same error in every way to pass it. The hint may
// differ, because only an argument can be corrected in the command line.
func TestWrongTextsInAllWays(t *testing.T) {
	texts := []string{
		"2x2x", "2xq", "[1, 2", "[-1, 3]", "hello", "2x3 HWC", "f32[2,3]{0,9}", "memref<2x3", `{"a": 1}`, "{1, x}",
		`{"DataType": "FLOAT32", "Sizes": [1, 2}`,
	}
	path := filepath.Join(t.TempDir(), "wrong")
	for _, text := range texts {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		want := runWith(nil, nil, "strides", text)
		refused(t, text, want)
		message, _, _ := strings.Cut(want.stderr, "hint: ")
		for _, args := range [][]string{{"strides", "-"}, {"strides", "@" + path}, {"strides", path}} {
			got := runWith(strings.NewReader(text), nil, args...)
			said, _, _ := strings.Cut(strings.Replace(got.stderr, path+": ", "", 1), "hint: ")
			if said != message || got.code != want.code {
				t.Errorf("%q by %s: %s", text, args[1], cmp.Diff(message, said))
			}
		}
	}
}

// TestLongPattern checks that a pattern with more axes than letters is rejected.
func TestLongPattern(t *testing.T) {
	for _, axes := range []int{26, 27, 40} {
		names := make([]string, axes)
		for i := range names {
			names[i] = fmt.Sprint("axis", i)
		}
		side := strings.Join(names, " ")
		r := runWith(nil, nil, "compare", strings.Repeat("1x", axes-1)+"1", side+" -> "+side)
		if want := 2 * min(axes-26, 1); r.code != want {
			t.Errorf("%d axes: exit %d, want %d: %s", axes, r.code, want, r.stderr)
		}
	}
}
