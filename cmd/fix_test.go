package cmd_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/rulebook"
)

// checkIn runs check in a directory of these files.
func checkIn(t *testing.T, f files, stdin string, args ...string) result {
	t.Helper()
	dir := t.TempDir()
	f.write(t, dir)
	t.Chdir(dir)
	return runWith(strings.NewReader(stdin), nil, append([]string{"check"}, args...)...)
}

// TestFix mends texts, and leaves others as they are.
func TestFix(t *testing.T) {
	yaml := func(tensor string) string { return "version: 1\ntarget: directml\ntensors:\n  " + tensor + "\n" }
	desc := func(total string) string { return `{"DataType":"FLOAT32","Sizes":[1,1,2,3],` + total + `}` }
	const index = `{"metadata":{"total_size": %s},"weight_map":{"a":"1.safetensors"}}`
	shard, _ := exampleFile(t, `{"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}} + 24 bytes`)
	tests := []struct{ reason, name, before, after string }{
		{"2 x 3 elements of 4 bytes", "", yaml("a: {dtype: f32, sizes: [2, 3], totalBytes: 20} # 20"),
			yaml("a: {dtype: f32, sizes: [2, 3], totalBytes: 24} # 20")},
		{"enough", "", yaml("a: {dtype: f32, sizes: [2, 3], totalBytes: 24}"), ""},
		{"more than enough is legal", "", yaml("a: {dtype: f32, sizes: [2, 3], totalBytes: 4096}"), ""},
		{"no multiple of 4, and too small", "", yaml("a: {dtype: f16, sizes: [1, 5], totalBytes:   10}"),
			yaml("a: {dtype: f16, sizes: [1, 5], totalBytes:   12}")},
		{"no multiple of 4, and larger", "", yaml("a: {dtype: f16, sizes: [1, 5], totalBytes: 13}"),
			yaml("a: {dtype: f16, sizes: [1, 5], totalBytes: 16}")},
		{"0 where DirectML needs it", "a.json", desc(`"target":"directml","TotalTensorSizeInBytes":0`),
			desc(`"target":"directml","TotalTensorSizeInBytes":24`)},
		{"0 that DxDispatch computes", "a.json", desc(`"TotalTensorSizeInBytes":0`), ""},
		{"not stated: nothing is added", "a.json", desc(`"Strides":[6,6,3,1]`), ""},
		{"strides that are sizes are in doubt", "",
			yaml("a: {dtype: f32, sizes: [2, 3], strides: [2, 3], totalBytes: 4}"), ""},
		{"strides that may count bytes are in doubt", "",
			yaml("a: {dtype: f32, sizes: [2, 4], strides: [16, 4], totalBytes: 36}"), ""},
		{"an alias has the value twice", "",
			yaml("a: &a {dtype: f32, sizes: [2, 3], totalBytes: 4}\n  b: *a"), ""},
		{"a default is that of others too", "",
			"version: 1\ndefaults: {totalBytes: 4}\ntensors:\n  a: {dtype: f32, sizes: [2, 3]}\n", ""},
		{"the strides of the expected layout", "",
			yaml("a: {dtype: f32, sizes: [2, 3, 4, 5], strides: [ 60,20 , 5,1 ], expect: {layout: NHWC}}"),
			yaml("a: {dtype: f32, sizes: [2, 3, 4, 5], strides: [ 60,1 , 15,3 ], expect: {layout: NHWC}}")},
		{"strides of size 1 may be anything", "",
			yaml("a: {dtype: f32, sizes: [1, 3, 4, 5], strides: [7, 20, 5, 1], expect: {layout: NHWC}}"),
			yaml("a: {dtype: f32, sizes: [1, 3, 4, 5], strides: [7, 1, 15, 3], expect: {layout: NHWC}}")},
		{"strides first, then the total", "", yaml("a: {dtype: f32, sizes: [2, 3, 4, 5], strides: [60, 20, 5, 0], " +
			"totalBytes: 464, expect: {layout: NHWC}}"),
			yaml("a: {dtype: f32, sizes: [2, 3, 4, 5], strides: [60, 1, 15, 3], totalBytes: 480, " +
				"expect: {layout: NHWC}}")},
		{"strides that are one text", "",
			yaml("a: {dtype: f32, sizes: [2, 3, 4, 5], strides: '60,20,5,1', expect: {layout: NHWC}}"), ""},
		{"expectations stay", "", yaml("a: {dtype: f32, sizes: [2, 3], expect: {bytes: 20, strides: [1, 2]}}"), ""},
		{"a comment on a line of its own", "", yaml("# layoutcalc:ignore gaps x\n  a: {dtype: f32, sizes: [2, 3]}"),
			yaml("a: {dtype: f32, sizes: [2, 3]}")},
		{"a comment after a value", "", yaml("a: {dtype: f32, sizes: [2, 3]}\t # layoutcalc:ignore gaps x"),
			yaml("a: {dtype: f32, sizes: [2, 3]}")},
		{"a comment that silences", "",
			yaml("a: {dtype: f32, sizes: [2, 3], strides: [9, 2]} # layoutcalc:ignore gaps x"), ""},
		{"a comment for what could not be read", "",
			yaml("a: {file: gone.npy, sizes: [2, 3]} # layoutcalc:ignore artefact-sizes x"), ""},
		{"ends of lines are kept", "",
			"version: 1\r\ntensors: # layoutcalc:ignore gaps x\r\n  # layoutcalc:ignore gaps y\r\n" +
				"  a: {dtype: f32, sizes: [2, 3]} # layoutcalc:ignore gaps z",
			"version: 1\r\ntensors:\r\n  a: {dtype: f32, sizes: [2, 3]}"},
		{"comments of JavaScript", "a.json", desc(`/* layoutcalc:ignore gaps x */ "Strides":[6,6,3,1] ` +
			"// layoutcalc:ignore gaps y\n"), desc("\"Strides\":[6,6,3,1]\n")},
		{"two in a row", "a.json", desc(`"Strides":[6,6,3,1]/* layoutcalc:ignore gaps x */ ` +
			`/* layoutcalc:ignore gaps y */`), desc(`"Strides":[6,6,3,1]`)},
		{"a comment that says more", "a.json", desc("/* layoutcalc:ignore gaps x\n and more */ " +
			"\"Strides\":[6,6,3,1]"), ""},
		{"a comment of Triton", "config.pbtxt", "name: \"m\" # layoutcalc:ignore triton-dims x\n", "name: \"m\"\n"},
		{"the total of an index", "m.safetensors.index.json", fmt.Sprintf(index, "23"), fmt.Sprintf(index, "24")},
		{"a total that is none", "m.safetensors.index.json", fmt.Sprintf(index, "-0"), ""},
		{"a mark of the order of bytes", "", "\ufeff" + yaml("a: {dtype: f32, sizes: [2, 3], totalBytes: 20}"),
			"\ufeff" + yaml("a: {dtype: f32, sizes: [2, 3], totalBytes: 24}")},
		{"several documents", "", yaml("a: {dtype: f32, sizes: [2, 3], totalBytes: 20}") + "---\n" +
			yaml("é: {dtype: f32, sizes: [2, 3], totalBytes: 4}"),
			yaml("a: {dtype: f32, sizes: [2, 3], totalBytes: 24}") + "---\n" +
				yaml("é: {dtype: f32, sizes: [2, 3], totalBytes: 24}")},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			name, after := tt.name, tt.after
			if name == "" {
				name = "a.layoutcalc.yaml"
			}
			if after == "" {
				after = tt.before
			}
			all := files{name: tt.before, "1.safetensors": shard}
			r := checkIn(t, all, "", "--diff", name, "--target", "directml")
			if (r.code == 1) != (after != tt.before) || (r.out != "") != (after != tt.before) {
				t.Errorf("--diff exits %d: %s%s", r.code, r.out, r.stderr)
			}
			if got := patched(t, tt.before, strings.ReplaceAll(r.out, `\ufeff`, "\ufeff")); got != after {
				t.Errorf("--diff makes %q, want %q", got, after)
			}
			if got, _ := os.ReadFile(name); string(got) != tt.before {
				t.Errorf("--diff has written %q", got)
			}
			r = runWith(strings.NewReader(""), nil, "check", "--fix", name, "--target", "directml")
			if got, _ := os.ReadFile(name); string(got) != after {
				t.Errorf("%q, want %q: %s", got, after, r.stderr)
			}
			if strings.Contains(r.stderr, "1.safetensors") {
				t.Errorf("a shard that the call does not name is noted: %s", r.stderr)
			}
			if strings.Contains(r.out, " fixed") != (after != tt.before) || strings.Contains(r.out, "fixable") {
				t.Errorf("the report says %s", r.out)
			}
		})
	}
}

// patched carries out a unified diff without any mercy for places that do not fit.
func patched(t *testing.T, text, diff string) string {
	t.Helper()
	old := strings.SplitAfter(text, "\n")
	var out []string
	at := 0
	lines := strings.SplitAfter(diff, "\n")
	for i, line := range lines {
		if i < 2 || line == "" {
			continue
		}
		content := line[1:]
		if i+1 < len(lines) && strings.HasPrefix(lines[i+1], "\\ No newline") {
			content = strings.TrimSuffix(content, "\n")
		}
		switch line[0] {
		case '@':
			var start, n int
			if _, err := fmt.Sscanf(line, "@@ -%d,%d", &start, &n); err != nil {
				start, n = 1, 1
			}
			for ; at < start-1; at++ {
				out = append(out, old[at])
			}
		case '-', ' ':
			if at >= len(old) || old[at] != content {
				t.Fatalf("line %d of the text is not %q", at+1, content)
			}
			if at++; line[0] == ' ' {
				out = append(out, content)
			}
		case '+':
			out = append(out, content)
		}
	}
	return strings.Join(append(out, old[at:]...), "")
}

// TestFixQuiet has warnings that are not listed, and not mended: they put a total in doubt all the same.
func TestFixQuiet(t *testing.T) {
	const text = "version: 1\ntensors:\n  a: {dtype: f32, sizes: [2, 3], strides: [2, 3], totalBytes: 4}\n" +
		"  b: {dtype: f32, sizes: [2, 3], totalBytes: 4} # layoutcalc:ignore gaps x\n"
	r := checkIn(t, files{"a.yaml": text}, "", "--fix", "--severity", "error", "a.yaml", "./a.yaml", "-o", "plain")
	got, _ := os.ReadFile("a.yaml")
	if want := strings.Replace(text, "4} #", "24} #", 1); string(got) != want || strings.Contains(r.out, "warning") ||
		strings.Count(r.out, "error") != 1 {
		t.Errorf("%s%s%q", r.out, r.stderr, got)
	}
}

// TestFixRandom mends texts made of parts that stay and values that have one right number. Everything but these values
// stays, byte for byte.
func TestFixRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	for i := range 200 {
		if i%layouttest.Step() != 0 {
			continue
		}
		var before, after strings.Builder
		both := func(text string) { before.WriteString(text); after.WriteString(text) }
		value := func(wrong, right int) { fmt.Fprint(&before, wrong); fmt.Fprint(&after, right) }
		both("version: 1\ntarget: none\ntensors:" + pick("\n", "  # 20\n", "\r\n"))
		for i := range 1 + rng.IntN(4) {
			h, w, c := 2+rng.IntN(4), 2+rng.IntN(4), 2+rng.IntN(4)
			need := 4 * h * w * c
			if rng.IntN(3) == 0 {
				before.WriteString("  # layoutcalc:ignore gaps old" + pick("\n", "\r\n"))
			}
			both(fmt.Sprintf("  t%d: {dtype: float32, sizes:%s[1, %d, %d, %d],", i, pick(" ", "  "), c, h, w))
			if rng.IntN(2) == 0 {
				both(pick(" ", "\n    ") + "strides: [" + pick("", " "))
				value(h*w*c, h*w*c) // of size 1
				for k, right := range []int{1, w * c, c} {
					both(pick(",", " , ", ",\n      "))
					value([]int{h * w, w, 1}[k], right)
				}
				both("], expect: {layout: NHWC}, ")
			}
			both(pick(" ", "\n    ") + "totalBytes: ")
			value(pickInt(rng, 4, need-4, need), need)
			both(pick("}", " }  # 4", "}\t") + pick("\n", "\r\n"))
		}
		r := checkIn(t, files{"a.layoutcalc.yaml": before.String()}, "", "--fix", "a.layoutcalc.yaml")
		if got, _ := os.ReadFile("a.layoutcalc.yaml"); string(got) != after.String() {
			t.Fatalf("%s\nbecomes\n%s\nwant\n%s\n%s", before.String(), got, after.String(), r.out+r.stderr)
		}
	}
}

func pickInt(rng *rand.Rand, list ...int) int { return list[rng.IntN(len(list))] }

// TestFixTwice mends all files of testdata: a second call finds nothing, and the first one has made nothing worse.
func TestFixTwice(t *testing.T) {
	layouttest.SkipUnlessAll(t, "the input is large")
	dir := t.TempDir()
	if err := os.CopyFS(dir, notLinks{os.DirFS("../testdata")}); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	run := func(args ...string) (result, map[string]int) {
		r := runWith(strings.NewReader(""), nil, append([]string{"check", "."}, args...)...)
		var answer struct{ Summary map[string]int }
		if slices.Contains(args, "json") && json.Unmarshal([]byte(r.out), &answer) != nil {
			t.Fatal(r.out, r.stderr)
		}
		return r, answer.Summary
	}
	_, before := run("-o", "json")
	r, after := run("--fix", "-o", "json")
	if strings.Contains(r.out, `"fixed": 0,`) || after["error"] >= before["error"] ||
		after["warning"] > before["warning"] {
		t.Errorf("%v becomes %v", before, after)
	}
	if r, _ := run("--diff"); r.out != "" || strings.Contains(r.stderr, "would mend") {
		t.Errorf("--diff exits %d: %s%s", r.code, r.out, r.stderr)
	}
}

// notLinks is a directory without its links.
type notLinks struct{ fs.FS }

func (n notLinks) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(n.FS, name)
	return slices.DeleteFunc(list, func(e fs.DirEntry) bool { return e.Type()&fs.ModeSymlink != 0 }), err
}

// TestFixDocumented compares the rules whose pages say that they are fixable with the findings in their examples.
func TestFixDocumented(t *testing.T) {
	for _, rule := range rulebook.Texts() {
		if strings.HasPrefix(rule.Bad, "# ") || strings.HasPrefix(rule.Bad, "ir_version") {
			if strings.Contains(rule.Fix, "--fix") {
				t.Errorf("%s: an example of other kind of file", rule.Name)
			}
			continue
		}
		parts := strings.Split(rule.Bad, " beside ")
		content, ending := exampleFile(t, parts[0])
		all := files{"a" + ending: content}
		for _, part := range parts[1:] {
			name, of, _ := strings.Cut(part, ": ")
			all[name], _ = exampleFile(t, of)
		}
		r := checkIn(t, all, "", "a"+ending, "-o", "jsonl", "--severity", "note")
		isFixable := false
		for line := range strings.Lines(r.out) {
			isFixable = isFixable || strings.Contains(line, `"rule": "`+rule.Name+`"`) &&
				strings.Contains(line, `"fixable": true`)
		}
		if says := strings.Contains(rule.Fix, "check --fix"); says != isFixable {
			t.Errorf("%s: the page says %t, the example %t", rule.Name, says, isFixable)
		}
	}
}

// TestFixRefused has inputs that are not changed.
func TestFixRefused(t *testing.T) {
	const text = "version: 1\ntensors:\n  a: {dtype: f32, sizes: [2, 3], totalBytes: 20}\n"
	const name, linked = "a.layoutcalc.yaml", "it is not fixed: it is a link"
	const other = ", or has other names"
	wide := ""
	for _, c := range text {
		wide += string(c) + "\x00"
	}
	lines := `{"dtype":"f32","sizes":[2,3],"totalBytes":20}` + "\n"
	array, _ := exampleFile(t, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } + 24 bytes")
	all := files{
		name: text, "d/" + name: text, "u.layoutcalc.yaml": "\xff\xfe" + wide, "l.layoutcalc.yaml": "-> " + name,
		"e": "-> d", "a.jsonl": lines, "a.npy": array, "broken.json": `{"version": 1, "tensors": ` +
			`{"a": {"dtype": "f32", "sizes": [2, 3], "totalBytes": 20}}} {`,
	}
	tests := []struct {
		reason, args, stdin string
		code                int
		says                string
	}{
		{"a link", "--fix l.layoutcalc.yaml", "", 1, "l.layoutcalc.yaml: " + linked + " (to " + name + ")" + other},
		{"a link, shown", "--diff l.layoutcalc.yaml", "", 0, "l.layoutcalc.yaml: " + linked + " (to " + name + ")"},
		{"JSON Lines", "--fix a.jsonl", "", 1, "a.jsonl: it is not fixed: --fix changes JSON, YAML and config.pbtxt"},
		{"an array", "--fix a.npy", "", 0, "a.npy: it is not fixed: --fix changes JSON, YAML and config.pbtxt"},
		{"standard input", "--fix -", text, 2, "--fix changes files, and standard input is none"},
		{"a tensor", "--fix 2x3", "", 2, "--fix and --diff are about files"},
		{"a tensor, shown", "--diff 2x3", "", 2, "--fix and --diff are about files"},
		{"a report", "--diff --report json=r.json " + name, "", 2, "--diff writes no files"},
		{"a baseline", "--diff --write-baseline b.json " + name, "", 2, "--diff writes no files"},
		{"a format", "--diff -o json " + name, "", 2, "--diff shows changes in place of findings"},
		{"a number", "--diff --get error " + name, "", 2, "--diff shows changes in place of findings"},
		{"a text that cannot be read, shown", "--diff broken.json", "", 2,
			"broken.json: it cannot be read: check without --diff says why"},
		{"UTF-16", "--fix u.layoutcalc.yaml", "", 1, "u.layoutcalc.yaml: it is not fixed: its text is not UTF-8"},
		{"a text that cannot be read to its end", "--fix broken.json", "", 2, ""},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			r := checkIn(t, all, tt.stdin, strings.Fields(tt.args)...)
			if r.code != tt.code || !strings.Contains(r.stderr, tt.says) || strings.Contains(r.out, "fixable") {
				t.Errorf("exits %d: %s%s", r.code, r.out, r.stderr)
			}
			for path, want := range all {
				if got, _ := os.ReadFile(path); !strings.HasPrefix(want, "-> ") && string(got) != want {
					t.Errorf("%s is %q", path, got)
				}
			}
			if left, _ := filepath.Glob("[rb].json"); left != nil {
				t.Errorf("%q are written", left)
			}
		})
	}
	if r := checkIn(t, all, text, "--diff", "-", "--stdin-filename", "x.layoutcalc.yaml"); r.code != 1 ||
		!strings.Contains(r.out, "+++ x.layoutcalc.yaml\n") ||
		!strings.Contains(r.out, "\n+  a: {dtype: f32, sizes: [2, 3], totalBytes: 24}\n") {
		t.Errorf("standard input: %d %s%s", r.code, r.out, r.stderr)
	}
}
