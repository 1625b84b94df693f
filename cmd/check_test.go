package cmd_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"layoutcalc/cmd"
	"layoutcalc/cmd/cmdtest"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/ruledocs"
)

// TestRuleExamples checks the examples of every rule as files: the failing one breaks the rule and
// nothing worse, the passing one does not break it.
func TestRuleExamples(t *testing.T) {
	for i, r := range ruledocs.Texts() {
		t.Run(r.Name, func(t *testing.T) {
			if i%layouttest.Step() != 0 {
				t.Skip("one of several")
			}
			if r.What == "" || r.Why == "" || r.Source == "" || r.Fix == "" || r.Bad == "" || r.Good == "" {
				t.Fatalf("the table says not all of it: %+v", r)
			}
			if found := brokenRules(t, r.Bad); !slices.Contains(found, r.Name) {
				t.Errorf("the failing example breaks %v", found)
			}
			if found := brokenRules(t, r.Good); slices.Contains(found, r.Name) {
				t.Errorf("the passing example breaks %v", found)
			}
		})
	}
}

// exampleFile returns an example as a file, and how its name ends. That of a tensor file is its
// header and how many bytes of data follow.
func exampleFile(t *testing.T, text string) (content, ending string) {
	header, data, ok := strings.Cut(text, "} + ")
	if !ok {
		if strings.Contains(text, `"weight_map"`) {
			return text, ".safetensors.index.json"
		}
		if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "/") {
			return text, ".json"
		}
		if strings.HasPrefix(text, "version https:") || strings.HasPrefix(text, "<") {
			return text, ".safetensors"
		}
		return text, ".yaml"
	}
	n, err := strconv.Atoi(strings.TrimSuffix(data, " bytes"))
	if err != nil {
		t.Fatal(err)
	}
	header += "}"
	if strings.HasPrefix(header, "{'") {
		return string(cmdtest.NPY(header, n)), ".npy"
	}
	return string(cmdtest.Safetensors(header, n)), ".safetensors"
}

// exampleModel writes the ONNX model in an example, and the file next to it, and returns its path. It returns an empty
// string if the example is not a model. The model may be cut off, or end in a string so long that it is a hole in the
// file.
func exampleModel(t *testing.T, text string) (path string) {
	if !strings.HasPrefix(text, "ir_version") {
		return ""
	}
	text, more, _ := strings.Cut(text, "} + ")
	model, err := layouttest.ONNX(text + strings.Repeat("}", strings.Count(text, "{")-strings.Count(text, "}")))
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "example.onnx")
	size := int64(len(model))
	var n int64
	var name string
	switch {
	case strings.HasSuffix(more, " bytes less"):
		_, err = fmt.Sscanf(more, "%d", &n)
		size -= n
	case strings.HasSuffix(more, " bytes of doc_string"):
		_, err = fmt.Sscanf(more, "%d", &n)
		model = binary.AppendUvarint(append(model, 6<<3|2), uint64(n))
		size = int64(len(model)) + n
	case more != "":
		if _, err = fmt.Sscanf(more, "%s of %d bytes", &name, &n); err == nil {
			dir := filepath.Dir(path)
			err = os.WriteFile(filepath.Join(dir, name), make([]byte, n), 0o666)
			layouttest.Link(t, name, filepath.Join(dir, "link.bin"))
		}
	}
	if err := errors.Join(err, os.WriteFile(path, model, 0o666), os.Truncate(path, size)); err != nil {
		t.Fatal(err)
	}
	return path
}

// brokenRules returns the rules that text violates when it is checked as a file.
func brokenRules(t *testing.T, text string) []string {
	t.Helper()
	if strings.HasPrefix(text, "# ") {
		return brokenBy(t, exampleDirectory(t, text))
	}
	path := exampleModel(t, text)
	if path == "" {
		parts := strings.Split(text, " beside ") // an example may need other files
		content, ending := exampleFile(t, parts[0])
		dir := t.TempDir()
		path = filepath.Join(dir, "example"+ending)
		beside := files{"example" + ending: content}
		for _, part := range parts[1:] {
			name, of, _ := strings.Cut(part, ": ")
			beside[name], _ = exampleFile(t, of)
		}
		beside.write(t, dir)
	}
	return brokenBy(t, path)
}

// exampleDirectory writes an example that is several files, each after a line with # and its path, and returns their
// directory.
func exampleDirectory(t *testing.T, text string) string {
	all := files{}
	for file := range strings.SplitSeq(strings.TrimPrefix(text, "# "), "\n# ") {
		name, content, _ := strings.Cut(file, "\n")
		if strings.HasSuffix(name, ".onnx") {
			model, err := layouttest.ONNX(content)
			if err != nil {
				t.Fatal(err)
			}
			content = string(model)
		} else if strings.Contains(content, "} + ") {
			content, _ = exampleFile(t, content)
		}
		all[name] = content
	}
	dir := t.TempDir()
	all.write(t, dir)
	return dir
}

// brokenBy returns the rules that a file breaks, or the files of a directory.
func brokenBy(t *testing.T, path string) []string {
	t.Helper()
	got := runWith(strings.NewReader(""), nil, "check", path, "-o", "json", "--severity", "note")
	var answer struct {
		Findings []struct{ Rule string }
	}
	if err := json.Unmarshal([]byte(got.out), &answer); err != nil {
		t.Fatalf("%v: %s %s", err, got.out, got.stderr)
	}
	var found []string
	for _, f := range answer.Findings {
		found = append(found, f.Rule)
	}
	return found
}

// TestCheckBrokenInput has a standard input that breaks off. Its beginning must not be treated as the whole input.
func TestCheckBrokenInput(t *testing.T) {
	tests := []struct {
		name, before, reason string
	}{
		{"a.json", `{"DataType":"FLOAT32","Sizes":[1,1,1,4]}`, "a whole value"},
		{"a.yaml", "version: 1\ntensors:\n  a: {dtype: float32, sizes: 3}\n", "a whole configuration"},
		{"a.jsonl", `{"DataType":"FLOAT32","Sizes":[1,1,1,4]}` + "\n", "a whole line"},
		{"a.txt", "2x3", "a whole notation"},
		{"a.jsonl", "", "nothing"},
	}
	for _, tt := range tests {
		in := io.MultiReader(strings.NewReader(tt.before), iotest.ErrReader(errors.New("broken off")))
		r := runWith(in, nil, "check", "-", "--stdin-filename", tt.name, "-o", "plain")
		want := tt.name + ": error: it cannot be read to its end [syntax]\n"
		if r.code != 2 || !strings.Contains(r.out, want) || r.stderr != "" {
			t.Errorf("%s exits %d and says %q %q: %s", tt.name, r.code, r.out, r.stderr, tt.reason)
		}
	}
}

// TestCheckFullDisk has standard output take a few bytes only, in every format.
func TestCheckFullDisk(t *testing.T) {
	rows := strings.Repeat(`{"DataType":"FLOAT32","Sizes":[0]}`+"\n", 200)
	tests := []struct {
		err    error
		code   int
		says   string
		reason string
	}{
		{
			err: syscall.ENOSPC, code: 3, says: "layoutcalc: cannot write the output: " + syscall.ENOSPC.Error() + "\n",
			reason: "a full disk",
		},
		{err: syscall.EPIPE, reason: "the reader has what it wanted"},
	}
	for _, tt := range tests {
		const formats = "table text plain json jsonl sarif junit github gitlab markdown csv"
		for _, format := range strings.Fields(formats) {
			for _, room := range []int{0, 1, 5000} {
				var stderr strings.Builder
				code := cmd.Run(
					[]string{"check", "-", "--stdin-filename", "a.jsonl", "-o", format},
					cmd.Streams{In: strings.NewReader(rows), Out: &refusing{room, tt.err}, Err: &stderr, Env: noEnv},
				)
				if code != tt.code || worded(stderr.String()) != tt.says {
					t.Errorf(
						"-o %s with room for %d bytes exits %d and says %q: %s", format, room, code, stderr.String(),
						tt.reason,
					)
				}
			}
		}
	}
}

// TestReportOnFullDisk names the report that cannot be written.
func TestReportOnFullDisk(t *testing.T) {
	layouttest.FullDisk(t)
	for _, format := range []string{"plain", "sarif", "json"} {
		r := run(t, "check 2x3 --strides 1,1 --role output -o plain --report "+format+"=/dev/full")
		const says = "layoutcalc: cannot write /dev/full: no space left on device\n"
		if r.code != 3 || r.stderr != says {
			t.Errorf("%s exits %d and says %q", format, r.code, r.stderr)
		}
	}
}

// files maps the paths of files in a directory to their contents. A value that starts with -> is a link with this
// target.
type files map[string]string

func (f files) write(t *testing.T, dir string) {
	t.Helper()
	for name, text := range f {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		err := error(nil)
		if to, link := strings.CutPrefix(text, "-> "); link {
			layouttest.Link(t, to, path)
		} else {
			err = os.WriteFile(path, []byte(text), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestCheckPointers has Git LFS pointers. Output for people has one line for more than three pointers, and output for
// programs lists all.
func TestCheckPointers(t *testing.T) {
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:" + strings.Repeat("4d", 32) + "\nsize 12345\n"
	const one = ": error: a Git LFS pointer, not the file itself [lfs-pointer]\n"
	for n, want := range map[int]string{
		1: "0.npy" + one, 3: "0.npy" + one + "1.npy" + one + "2.npy" + one,
		4: "0.npy, 1.npy, 2.npy and 1 more" + one, 2000: "0.npy, 1.npy, 10.npy and 1997 more" + one,
	} {
		if !layouttest.All() && n > 100 {
			continue
		}
		t.Chdir(t.TempDir())
		all := files{}
		for i := range n {
			all[fmt.Sprint(i, ".npy")] = pointer
		}
		all.write(t, ".")
		r := run(t, "check .")
		var got string
		for line := range strings.Lines(r.out) {
			if strings.Contains(line, "lfs-pointer") {
				got += line
			}
		}
		if r.code != 2 || got != want || !strings.Contains(r.out, "  fix: run git lfs pull") ||
			!strings.Contains(r.out, fmt.Sprint(n, " error")) {
			t.Errorf("%d: exits %d with %s", n, r.code, r.out)
		}
		if got := strings.Count(run(t, "check . -o plain").out, "[lfs-pointer]\n"); got != n {
			t.Errorf("%d: %d lines for programs", n, got)
		}
	}
}

// TestConvertIndex moves a tensor of an index, as from its shard.
func TestConvertIndex(t *testing.T) {
	const good = "../testdata/models/good/"
	from, out := good+"model-00001-of-00002.safetensors", [2]string{t.TempDir() + "/1.npy", t.TempDir() + "/2.npy"}
	for i, in := range [...]string{from, good + "model.safetensors.index.json"} {
		r := runWith(strings.NewReader(""), nil, "convert", "--in", in, "--tensor", "conv.weight", "-q", "--out",
			out[i], "OIHW", "OHWI")
		if r.code != 0 || r.stderr != "" {
			t.Fatalf("%s: %d, %s", in, r.code, r.stderr)
		}
	}
	a, err := os.ReadFile(out[0])
	b, otherErr := os.ReadFile(out[1])
	if err != nil || otherErr != nil || !bytes.Equal(a, b) || len(a) != 128+216 {
		t.Errorf("%v, %v: %d bytes and %d bytes", err, otherErr, len(a), len(b))
	}
}

// TestCheckGravest has more findings than are listed: errors that come late take the place of warnings, in whatever
// form the descriptors are, and with any number of workers.
func TestCheckGravest(t *testing.T) {
	const warning = `{"DataType":"FLOAT32","Sizes":[2,3],"Strides":[1,1]}`
	const wrong = `{"DataType":"FLOAT32","Sizes":[0]}`
	warnings := strings.Repeat(warning+",\n", 10_050)
	tests := []struct{ name, text, reason string }{
		{"a.json", "[" + warnings + strings.Repeat(wrong+",\n", 70) + warnings + wrong + "]", "a document"},
		{"a.jsonl", strings.ReplaceAll(warnings+strings.Repeat(wrong+",\n", 70)+warnings+wrong, "},", "}"), "lines"},
	}
	for _, tt := range tests {
		for _, jobs := range []string{"1", "4"} {
			r := runWith(strings.NewReader(tt.text), nil, "check", "-", "--stdin-filename", tt.name, "-o", "plain",
				"--jobs", jobs)
			lines := strings.Split(strings.TrimSpace(r.out), "\n")
			if n := strings.Count(r.out, ": error: "); n != 71 || len(lines) != 10_000 || r.code != 1 {
				t.Errorf("%s, --jobs %s: %d errors in %d lines, exit %d", tt.reason, jobs, n, len(lines), r.code)
			}
			const left = "note: 10171 more findings counted, not listed: at most 10000 are, the most severe\n"
			if !strings.HasSuffix(r.stderr, left) {
				t.Errorf("%s: %s", tt.reason, r.stderr)
			}
			if last := lines[len(lines)-1]; !strings.HasPrefix(last, tt.name+":20171:") {
				t.Errorf("%s: the last is %s", tt.reason, last)
			}
		}
	}
}

// TestCallLimit checks that a call with more findings than its limit lists the most severe ones, in the same words for
// any number of jobs. All are counted, every report that can express it states how many are missing, and a baseline has
// all.
func TestCallLimit(t *testing.T) {
	t.Chdir(t.TempDir())
	const warning = `{"name":"a","DataType":"FLOAT32","Sizes":[2,3],"Strides":[1,1]}` + "\n"
	const wrong = `{"name":"b","DataType":"FLOAT32","Sizes":[0]}` + "\n"
	files{
		"1.jsonl": strings.Repeat(warning, 6000), "2.jsonl": strings.Repeat(warning, 6000),
		"3.jsonl": strings.Repeat(warning, 10) + strings.Repeat(wrong, 7), "4.jsonl": strings.Repeat(wrong, 2),
	}.write(t, ".")
	first := ""
	for _, jobs := range []string{"1", "4"} {
		r := run(t, "check 1.jsonl 2.jsonl 3.jsonl 4.jsonl --jobs "+jobs+" -o plain "+
			"--report json=all.json --report text=all")
		if first == "" {
			first = r.out
		}
		if n := strings.Count(r.out, ": error: "); n != 9 || strings.Count(r.out, "\n") != 10_009 || r.out != first {
			t.Errorf("--jobs %s: %d errors in %d lines", jobs, n, strings.Count(r.out, "\n"))
		}
		const note = "note: 2010 more findings counted, not listed: at most 10000 are, the most severe\n"
		if r.code != 1 || !strings.HasSuffix(r.stderr, note) {
			t.Errorf("exits %d and says %s", r.code, r.stderr)
		}
		text, _ := os.ReadFile("all.json")
		var doc struct {
			Findings []any
			Omitted  int
			Summary  struct{ Error, Warning int }
			Notes    []string
		}
		if err := json.Unmarshal(text, &doc); err != nil || len(doc.Findings) != 10_009 || doc.Omitted != 2010 ||
			doc.Summary.Error != 9 || doc.Summary.Warning != 12_010 || len(doc.Notes) != 1 {
			t.Errorf("%d findings, %d omitted, %+v, %q, %v", len(doc.Findings), doc.Omitted, doc.Summary, doc.Notes,
				err)
		}
		text, _ = os.ReadFile("all")
		const last = ": 9 errors, 12010 warnings, 12019 notes (--severity note lists all); " +
			"2010 omitted, too many to list\n"
		if !strings.HasSuffix(string(text), last) {
			t.Errorf("the text ends with %s", text[max(len(text)-200, 0):])
		}
	}
	if r := run(t, "check . --fail-on warning --write-baseline known -q"); r.code != 0 {
		t.Error(r.code, r.stderr)
	}
	files{"5.jsonl": wrong}.write(t, ".")
	r := run(t, "check . --fail-on warning --baseline known -o plain -q")
	if r.code != 1 || r.out != "5.jsonl:1:43: error: "+strings.SplitN(r.out, ": error: ", 2)[1] {
		t.Errorf("a new finding: exits %d with %s", r.code, r.out)
	}
	files{"1.jsonl": strings.Repeat(warning, 10_001)}.write(t, ".")
	r = run(t, "check . --fail-on warning --write-baseline new -q")
	const says = "1.jsonl has more than the 10000 findings that a baseline takes of a file"
	if _, err := os.Stat("new"); r.code != 2 || !strings.Contains(r.stderr, says) || err == nil {
		t.Errorf("exits %d and says %s", r.code, r.stderr)
	}
}

// TestLargeBaseline writes no baseline that is longer than one that is read.
func TestLargeBaseline(t *testing.T) {
	t.Chdir(t.TempDir())
	var lines strings.Builder
	for i := range 9000 {
		fmt.Fprintf(&lines, `{"name":"%s%d","DataType":"FLOAT32","Sizes":[0]}`+"\n", strings.Repeat("n", 4000), i)
	}
	files{"1.jsonl": lines.String()}.write(t, ".")
	r := run(t, "check . --write-baseline new -q")
	const says = "the baseline would have more than 32 MB"
	if _, err := os.Stat("new"); r.code != 2 || !strings.Contains(r.stderr, says) || err == nil {
		t.Errorf("exits %d and says %s", r.code, r.stderr)
	}
}

// TestWalk checks a repository that is right, and one in which ten things are wrong: testdata/walk/make.py counts them.
func TestWalk(t *testing.T) {
	t.Chdir("../testdata/walk")
	if r := runWith(strings.NewReader(""), nil, "check", "good", "--fail-on", "warning"); r.code != 0 {
		t.Errorf("good: exit %d:\n%s%s", r.code, r.out, r.stderr)
	}
	want := map[string]bool{
		"layouts.layoutcalc.yaml artefact-dtype":                    true,
		"layouts.layoutcalc.yaml artefact-sizes":                    true,
		"weights/model.safetensors.index.json index-tensor-missing": true,
		"weights/model-00001-of-00002.safetensors file-size":        true,
		"tokens/tokens.safetensors lfs-pointer":                     true,
		"layouts.layoutcalc.yaml total-too-small":                   true,
		"triton/classify/config.pbtxt triton-onnx-dims":             true,
		"triton/classify/config.pbtxt triton-dir-name":              true,
		"triton/classify/config.pbtxt triton-value":                 true,
		"triton/classify/1/model.onnx onnx-external-range":          true,
	}
	for _, jobs := range []string{"1", "16"} {
		found := map[string]bool{}
		r := runWith(strings.NewReader(""), nil, "check", "broken", "-o", "jsonl", "--jobs", jobs)
		for line := range strings.Lines(r.out) {
			var f struct{ Path, Rule string }
			if err := json.Unmarshal([]byte(line), &f); err != nil {
				t.Fatal(err)
			}
			if path, ok := strings.CutPrefix(filepath.ToSlash(f.Path), "broken/"); ok {
				found[path+" "+f.Rule] = true
			}
		}
		if !maps.Equal(found, want) {
			t.Errorf("found %v", slices.Sorted(maps.Keys(found)))
		}
	}
}

// TestCheckIndexJobs checks an index of many shards with different errors, alone and in its directory, with one and
// with several readers.
func TestCheckIndexJobs(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	text := []string{}
	for i := range 60 {
		name := fmt.Sprintf("%02d.safetensors", i)
		text = append(text, fmt.Sprintf(`"t%d":%q,"only%d":%[2]q`, i, name, i))
		header := fmt.Sprintf(`{"t%d": {"dtype": "F32", "shape": [%d], "data_offsets": [0, 24]}} + 24 bytes`, i, 5+i%2)
		shard, _ := exampleFile(t, header)
		switch i % 10 {
		case 3:
			continue // it is missing
		case 7:
			shard = shard[:20]
		}
		files{name: shard}.write(t, dir)
	}
	const index = "model.safetensors.index.json"
	files{index: `{"metadata":{"total_size":1440},"weight_map":{` + strings.Join(text, ",") + "}}"}.write(t, dir)
	for _, arg := range []string{index, "."} {
		want := ""
		for _, jobs := range []string{"1", "2", "16"} {
			r := runWith(strings.NewReader(""), nil, "check", arg, "-o", "plain", "--jobs", jobs)
			lines := strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
			count := func(rule string) (n int) {
				for _, line := range lines {
					if strings.HasSuffix(line, "["+rule+"]") {
						n++
					}
				}
				return n
			}
			if want == "" {
				want = r.out
			}
			if r.out != want || count("index-shard-missing") != 1 || count("index-tensor-missing") != 48 ||
				count("file-size") != 30 {
				t.Errorf("%s, --jobs %s: exits %d with\n%s%s", arg, jobs, r.code, r.out, r.stderr)
			}
		}
	}
}
