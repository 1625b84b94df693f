package cmd_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"layoutcalc/layout/notation"
)

// A door is a way for a tensor into a command: the arguments that name it, and standard input.
type door struct {
	name  string
	args  []string
	stdin string
}

// doorsOf returns all doors for a text, which the file has that is given.
func doorsOf(text, path string) []door {
	return []door{
		{"one argument", []string{text}, ""},
		{"split arguments", strings.Fields(text), ""},
		{"standard input", []string{"-"}, text},
		{"standard input with a line end", []string{"-"}, text + "\n"},
		{"@FILE", []string{"@" + path}, ""},
		{"a path", []string{path}, ""},
	}
}

// A tensorCommand is a command that takes a tensor, and what comes after it.
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

// place is what depends on the door: where a finding is.
var place = regexp.MustCompile(`"(path|pointer)": "[^"]*"|"(line|column)": [0-9]+`)

// through runs a command with a tensor that comes through a door.
func through(d door, command tensorCommand, flags ...string) result {
	args := []string{command.name, "-o", "json"}
	args = slices.Concat(args, command.flags, flags, []string{"--"}, d.args, command.after)
	r := runWith(strings.NewReader(d.stdin), nil, args...)
	r.out = place.ReplaceAllString(r.out, "")
	return r
}

// TestNotationsThroughAllDoors wants the example of every notation to be the same tensor for every command,
// whichever way it comes.
func TestNotationsThroughAllDoors(t *testing.T) {
	dir := t.TempDir()
	for _, n := range notation.All() {
		path := filepath.Join(dir, n.Name+".txt")
		if err := os.WriteFile(path, []byte(n.Example+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		doors := doorsOf(n.Example, path)
		for _, c := range tensorCommands {
			want := through(doors[0], c)
			if want.code > 1 || want.out == "" {
				t.Errorf("%s of %s exits %d: %s", c.name, n.Name, want.code, want.stderr)
			}
			for _, d := range doors[1:] {
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

// TestFilesThroughAllDoors wants a tensor of each kind of file to be the same for every command, whichever way the
// file comes.
func TestFilesThroughAllDoors(t *testing.T) {
	tests := []struct{ path, tensor, strides, reason string }{
		{"check/desc.cpp", "", "802816,1,7168,64", "a notation on several lines, with comments"},
		{"check/descriptors.jsonl", "key", "65536,8192,1,128", "JSON Lines"},
		{"check/layouts.yaml", "image", "150528,1,672,3", "a configuration"},
		{"check/model.json", "BTensor", "12,12,4,1", "a model, and the last part of a name"},
		{"check/model.json", "gemm.OutputTensor", "8,8,3,1", "a model, and a whole name"},
		{"check/onednn.log", "3:wei", "5,1", "a log"},
		{"data/c.npy", "", "12,4,2,1", ".npy"},
		{"data/fortran.npy", "", "1,2", ".npy, column-major"},
		{"data/one.safetensors", "", "", ".safetensors"},
		{"data/two.safetensors", "bias", "1", ".safetensors with several tensors"},
	}
	for _, tt := range tests {
		path := filepath.Join("..", "testdata", tt.path)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		doors := doorsOf(string(data), path)
		doors = append(doors[:1:1], doors[2:]...)
		if tt.path[:4] == "data" {
			doors = append(doors[1:2:2], doors[3:]...) // no argument has bytes of 0, and no line end follows
		}
		for _, c := range tensorCommands {
			var flags []string
			if c.name != "check" && tt.tensor != "" {
				flags = []string{"--tensor", tt.tensor}
			}
			want := through(doors[0], c, flags...)
			if want.code > 1 && c.name != "check" || want.out == "" {
				t.Errorf("%s of %s exits %d: %s", c.name, tt.path, want.code, want.stderr)
			}
			if c.name == "strides" && tt.strides != "" {
				list := `"strides": [` + strings.ReplaceAll(tt.strides, ",", ", ") + `]`
				if !strings.Contains(want.out, list) {
					t.Errorf("%s has not %s: %s:\n%s", tt.path, list, tt.reason, want.out)
				}
			}
			for _, d := range doors[1:] {
				if got := through(d, c, flags...); got != want {
					t.Errorf("%s of %s by %s differs from %s: %s", c.name, tt.path, d.name, doors[0].name,
						cmp.Diff(want, got, cmp.AllowUnexported(result{})))
				}
			}
		}
	}
}
