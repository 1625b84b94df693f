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
	"layoutcalc/layout/rulebook"
)

// TestRuleExamples checks the examples of every rule as files: the failing one breaks the rule and
// nothing worse, the passing one does not break it.
func TestRuleExamples(t *testing.T) {
	for i, r := range rulebook.Texts() {
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

// exampleModel writes an example that is an ONNX model, and the file beside it, and returns its path; empty if it is
// another example. The model may be cut off, or end in a text so long that it is a hole in the file.
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

// brokenRules returns the rules that a text breaks when it is checked as a file.
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

// TestCheckBrokenInput has standard input break off: what came before is not taken for the whole.
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
		const formats = "table text plain json jsonl sarif junit github gitlab checkstyle rdjsonl markdown csv"
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

// files are the texts of a directory by their paths. A text that starts with -> is where a link leads.
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

// The texts that the directories of the tests have: ours, and two that break a rule.
const (
	goodConfig = "version: 1\ntensors:\n  a: {dtype: f32, sizes: 2x3}\n"
	badConfig  = "version: 1\ntensors:\n  a: {dtype: f32, sizes: 2x3, strides: [1, 1], role: output}\n"
	neither    = "it is neither a configuration of layoutcalc nor a model of DxDispatch [syntax]\n"
	hollow     = "\x02\x00\x00\x00\x00\x00\x00\x00{}" // a .safetensors file without tensors
)

// TestCheckDirectory has directories as people have them. Other programs' files are passed over whatever they mention,
// ours are read, each once.
func TestCheckDirectory(t *testing.T) {
	tests := []struct {
		reason string
		files  files
		code   int
		out    string // of -o plain
		errs   string
		count  string // of the files
	}{
		{
			reason: "a repository of other programs",
			files: files{
				"package.json":           `{"name":"x","dependencies":{"safetensors":"1","tensors":"2"},"version":"1"}`,
				"tokenizer.json":         `{"version":"1","vocab":{"tensors":5,"dispatchables":6,"DataType":7}}`,
				"k8s/kustomization.yaml": "kind: Kustomization\nresources:\n  - tensors.yaml\ncommands: []\n",
				"k8s/limits.yaml":        "# DataType, tensors, dispatchables\nresources: {limits: {cpu: 1}}\n",
				"helm/values.yaml":       "{{- if .Values.tensors }}\ntensors: {{ .Values.tensors }}\n",
				"index.json":             `{"metadata":{"total_size":1},"weight_map":{"a":"model.safetensors"}}`,
				"broken.json":            `{"tensors": [1, 2`,
				"schema.json":            `{"properties":{"tensors":{"type":"object"}},"version":"1"}`,
				"shop.json":              `{"DataType":"shirt","Sizes":"S, M"}`,
				"events.jsonl":           "{\"dtype\":\"float32\",\"loss\":1}\n{\"dtype\"\n",
				"ours.yaml":              goodConfig,
			},
			count: "1",
		},
		{
			reason: "nothing of ours",
			files:  files{"package.json": `{"tensors":{"a":1}}`}, code: 2, errs: "there is nothing to check here",
		},
		{
			reason: "a cache of Hugging Face: all files are links to blobs, which have no endings",
			files: files{
				"models--x--y/blobs/1f2e":                               hollow,
				"models--x--y/blobs/77aa":                               `{"model_type":"tensors"}`,
				"models--x--y/refs/main":                                "abc",
				"models--x--y/snapshots/abc/model.safetensors":          "-> ../../blobs/1f2e",
				"models--x--y/snapshots/abc/config.json":                "-> ../../blobs/77aa",
				"models--x--y/snapshots/def/model.safetensors":          "-> ../../blobs/1f2e",
				"models--x--y/snapshots/def/model-2-of-2.safetensors":   "-> ../../blobs/gone",
				"models--x--y/snapshots/def/tokenizer_config.json":      "-> ../../blobs/gone",
				"models--x--y/snapshots/def/unfinished.txt.incomplete":  "",
				"models--x--y/.no_exist/abc/adapter_model.safetensors":  "",
				".locks/models--x--y/1f2e.lock":                         "",
				"models--x--y/snapshots/def/nested/loop.safetensors":    "-> loop.safetensors",
				"models--x--y/snapshots/def/nested/device.safetensors":  "-> /dev/null",
				"models--x--y/snapshots/def/nested/up":                  "-> ../..",
				"models--x--y/snapshots/def/nested/also.safetensors":    "-> ../../../blobs/1f2e",
				"models--x--y/snapshots/def/nested/a.layoutcalc.yaml":   "-> ../../../blobs/gone",
				"models--x--y/snapshots/def/nested/other.yaml":          "-> ../../../blobs/gone",
				"models--x--y/snapshots/def/nested/.hidden.safetensors": "-> gone",
			},
			code: 2,
			out: "models--x--y/snapshots/def/model-2-of-2.safetensors: error: a link (to ../../blobs/gone): " +
				"there is no such file [syntax]\n" +
				"models--x--y/snapshots/def/nested/a.layoutcalc.yaml: error: a link (to ../../../blobs/gone): " +
				"there is no such file [syntax]\n" +
				"models--x--y/snapshots/def/nested/loop.safetensors: error: a link (to loop.safetensors): " +
				"it cannot be read: too many levels of symbolic links [syntax]\n",
			count: "4",
		},
		{
			reason: "a file and its link: the file is named",
			files:  files{"a.yaml": "-> z/b.yaml", "z/b.yaml": badConfig}, code: 1,
			out: "z/b.yaml:3:41: error: a: (0,1) and (1,0) are both at element 1 (byte 4); " +
				"6 elements on 4 addresses [overlap-output]\n",
			count: "1",
		},
		{
			reason: "a directory elsewhere is noted, once",
			files:  files{"a.yaml": goodConfig, "b": "-> ../", "c": "-> /usr"}, count: "1",
			errs: "note: b (to ../) and 1 more are links to directories elsewhere, which are not searched",
		},
		{
			reason: "a hidden directory is noted",
			files:  files{"a.yaml": goodConfig, ".b/c.yaml": badConfig, ".b/d/e.yaml": badConfig, "f": "-> .b/d"},
			count:  "1",
			errs:   "note: f (to .b/d) is a link to a hidden directory, which is not searched",
		},
		{
			reason: "what is named as a configuration is one",
			files: files{
				"a.layoutcalc.yaml": "version: 1\ntensor:\n  a: {dtype: f32, sizes: 2x3}\n",
				"b.layoutcalc.json": "\xFF\xFE{\x00}\x00",
				"h.layoutcalc.json": "\xFF\xFE" + wide(`{"version":1,"tensors":{"a":{"dtype":"f32","sizes":[2]}}}`),
				"i.layoutcalc.yaml": "\xFF\xFE" + wide(strings.ReplaceAll(badConfig, "\n", "\r\n")),
				"c.layoutcalc.yml":  "on: push\n",
				"d.layoutcalc.yaml": "",
				"e.LayoutCalc.JSON": "[]",
				"f.layoutcalc.yml":  "version: 1\n",
				"g.layoutcalc.yml":  goodConfig,
			},
			code: 2, count: "9",
			out: "a.layoutcalc.yaml:2:1: error: \"tensor\" is not a key of a configuration [config-key]\n" +
				"b.layoutcalc.json:1:1: error: the version is missing [config-key]\n" +
				"c.layoutcalc.yml:1:1: error: \"on\" is not a key of a configuration [config-key]\n" +
				"c.layoutcalc.yml:1:1: error: the version is missing [config-key]\n" +
				"d.layoutcalc.yaml:1:1: error: the text says nothing [syntax]\n" +
				"e.LayoutCalc.JSON:1:1: error: " + neither + "f.layoutcalc.yml:1:1: error: " + neither +
				"i.layoutcalc.yaml:3:41: error: a: (0,1) and (1,0) are both at element 1 (byte 4); 6 elements on " +
				"4 addresses [overlap-output]\n",
		},
		{
			reason: "ours by their keys, though they cannot be read",
			files: files{
				"a.json": `{"resources": {}, "dispatchables": {`,
				"b.yaml": "version: 1\ntensors:\n  a: {dtype\n",
				"d.json": `{"DataType": "FLOAT32", "Sizes": [1, `,
			},
			code: 2, count: "3",
		},
		{
			reason: "models without operators",
			files: files{"a.json": `{"resources":{},"dispatchables":{"o":{"type":"onnx","sourcePath":"a.onnx"}},` +
				`"commands":[{"type":"dispatch","dispatchable":"p","bindings":{"X":"A"}}]}`},
			code: 1, count: "1",
			out: `a.json:1:123: error: there is no dispatchable "p" [dispatchable-exists]` + "\n" +
				`a.json:1:143: error: there is no resource "A" [resource-exists]` + "\n",
		},
		{
			reason: "JSON Lines of ours that do not start so",
			files: files{"a.jsonl": "\n{\"event\":1}\n" +
				`{"dtype":"f32","sizes":"2x3","strides":[1,1],"role":"output"}`},
			code: 1, count: "1",
		},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			dir := t.TempDir()
			tt.files.write(t, dir)
			t.Chdir(dir)
			r := runWith(strings.NewReader(""), nil, "check", ".", "-o", "plain")
			if r.code != tt.code || tt.out != "" && r.out != tt.out || !strings.Contains(r.stderr, tt.errs) ||
				tt.errs == "" && r.stderr != "" || tt.code == 0 && r.out != "" {
				t.Errorf("exits %d with\n%s%s", r.code, r.out, r.stderr)
			}
			if r = runWith(strings.NewReader(""), nil, "check", ".", ".", "--get", "files"); r.out != tt.count+"\n" &&
				tt.count != "" {
				t.Errorf("files: %s, want %s", r.out, tt.count)
			}
		})
	}
}

// TestCheckIndex checks indexes whose shards are there in every way in which files are.
func TestCheckIndex(t *testing.T) {
	const header = `{"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}} + 24 bytes`
	shard, _ := exampleFile(t, header)
	index := func(shards ...string) string {
		text := ""
		for i, s := range shards {
			text += fmt.Sprintf(`,"%c":%q`, 'a'+i, s)
		}
		return `{"metadata":{"total_size":24},"weight_map":{` + text[1:] + "}}"
	}
	const toBe = "the index has 1 tensor for it [index-shard-missing]\n"
	const name, missing = "model.safetensors.index.json", "model.safetensors.index.json:1:49: error: "
	tests := []struct {
		reason string
		files  files
		args   []string
		code   int
		out    string
		count  string
	}{
		{reason: "alone", files: files{name: index("1.safetensors"), "1.safetensors": shard}, args: []string{name},
			count: "2"},
		{reason: "the shard is named too", files: files{name: index("1.safetensors"), "1.safetensors": shard},
			args: []string{"./1.safetensors", name, "1.safetensors"}, count: "2"},
		{reason: "the directory is named too", files: files{name: index("1.safetensors"), "1.safetensors": shard},
			args: []string{name, "1.safetensors", "."}, count: "2"},
		{reason: "two indexes of a shard", files: files{name: index("1.safetensors"), "1.safetensors": shard,
			"model.safetensors.index.fp16.json": index("1.safetensors")}, args: []string{"."}, count: "3"},
		{reason: "a cache of Hugging Face",
			files: files{"snapshots/x/" + name: "-> ../../blobs/1", "snapshots/x/1.safetensors": "-> ../../blobs/2",
				"blobs/1": index("1.safetensors"), "blobs/2": shard}, args: []string{"snapshots/x/" + name},
			count: "2"},
		{reason: "an index for each variant, and a file of none", files: files{name: index("1.safetensors"),
			"1.safetensors": shard, "2.safetensors": shard, "3.safetensors": shard,
			"model.fp16.safetensors.index.json": index("2.safetensors")}, args: []string{name}, count: "2",
			out: name + `:1:44: warning: "3.safetensors" is beside the index, which does not name it: ` +
				"some programs load it all the same [index-shard-extra]\n"},
		{reason: "a directory below", files: files{name: index("sub/1.safetensors"), "sub/1.safetensors": shard},
			args: []string{"."}, count: "2"},
		{reason: "a broken shard, once", files: files{name: index("1.safetensors", "1.safetensors"),
			"1.safetensors": "x"},
			args: []string{name}, code: 1, count: "2",
			out: "1.safetensors: error: byte 1: the file ends 7 bytes too early [syntax]\n"},
		{reason: "a broken shard that is named", files: files{name: index("1.safetensors", "1.safetensors"),
			"1.safetensors": "x"},
			args: []string{name, "1.safetensors"}, code: 2, count: "2",
			out: "1.safetensors: error: byte 1: the file ends 7 bytes too early [syntax]\n"},
		{reason: "cut off", files: files{name: index("1.safetensors"), "1.safetensors": shard[:len(shard)-1]},
			args: []string{name}, code: 1, count: "2",
			out: "1.safetensors: error: a: data_offsets [0, 24] end after the data, which is 23 bytes long: 1 byte " +
				"too few [file-size]\n"},
		{reason: "a directory in place of a shard", files: files{name: index("1.safetensors"), "1.safetensors/x": ""},
			args: []string{name}, code: 1, count: "1",
			out: missing + `"1.safetensors" is a directory: ` + toBe},
		{reason: "a link to itself", files: files{name: index("1.safetensors"), "1.safetensors": "-> 1.safetensors"},
			args: []string{name}, code: 1, count: "1",
			out: missing + `"1.safetensors" cannot be opened: too many levels of symbolic links: ` + toBe},
		{reason: "a device", files: files{name: index("1.safetensors"), "1.safetensors": "-> /dev/zero"},
			args: []string{name}, code: 1, count: "1",
			out: missing + `"1.safetensors" is not a regular file: ` + toBe},
		{reason: "not an index", files: files{name: "[]"}, args: []string{"."}, code: 2, count: "1",
			out: name + ":1:1: error: an index is an object with the key weight_map [syntax]\n"},
		{reason: "the whole index is ignored", files: files{name: index("gone.safetensors")},
			args: []string{name, "--ignore", "index-shard-missing"}, count: "1"},
		{reason: "only one rule", files: files{name: index("1.safetensors", "1.safetensors"), "1.safetensors": shard},
			args: []string{name, "--rule", "index-tensor-missing"}, code: 1, count: "2",
			out: name + `:1:65: error: b: the tensor is not in "1.safetensors", nor in any other shard ` +
				"[index-tensor-missing]\n"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			dir := t.TempDir()
			tt.files.write(t, dir)
			t.Chdir(dir)
			for _, jobs := range []string{"1", "16"} {
				r := runWith(strings.NewReader(""), nil, append([]string{"check", "-o", "plain", "--jobs", jobs},
					tt.args...)...)
				if r.code != tt.code || r.out != tt.out || r.stderr != "" {
					t.Errorf("exits %d with\n%s%s", r.code, r.out, r.stderr)
				}
			}
			if r := runWith(strings.NewReader(""), nil, append([]string{"check", "--get", "files"},
				tt.args...)...); r.out !=
				tt.count+"\n" {
				t.Errorf("files: %s, want %s", r.out, tt.count)
			}
		})
	}
}

// TestCheckPointers has files that are pointers of Git LFS: people get one line for more than three, programs all.
func TestCheckPointers(t *testing.T) {
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:" + strings.Repeat("4d", 32) + "\nsize 12345\n"
	const one = ".npy: error: a pointer of Git LFS, not the file itself: 12345 bytes of sha256 4d4d4d4d… are not " +
		"checked out [lfs-pointer]\n"
	for n, want := range map[int]string{
		1: "0" + one, 3: "0" + one + "1" + one + "2" + one,
		4:    "error: 4 files are pointers of Git LFS: 0.npy, 1.npy, 2.npy, and 1 more [lfs-pointer]\n",
		2000: "error: 2000 files are pointers of Git LFS: 0.npy, 1.npy, 10.npy, and 1997 more [lfs-pointer]\n",
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
		if r.code != 2 || got != want || !strings.Contains(r.out, "  fix: git lfs pull") ||
			!strings.Contains(r.out, fmt.Sprint(n, " error")) {
			t.Errorf("%d: exits %d with %s", n, r.code, r.out)
		}
		if got := strings.Count(run(t, "check . -o plain").out, one); got != n {
			t.Errorf("%d: %d lines for programs", n, got)
		}
	}
}

// TestCheckSets checks files that are numbered: the directory decides whether all are there, and one of those that are
// checked says so.
func TestCheckSets(t *testing.T) {
	shard, _ := exampleFile(t, `{"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}} + 24 bytes`)
	const index = `{"metadata":{"total_size":24},"weight_map":{"a":"m-00001-of-00002.safetensors"}}`
	const one, two, list = "m-00001-of-00002.safetensors", "m-00002-of-00002.safetensors", "m.safetensors.index.json"
	const lost = `"` + one + `" is missing beside it: the name counts 2 files; nor is there an index ` +
		"[file-split]\n"
	const alone = ": warning: the 2 files have no index beside them, " + list +
		": transformers does not load them [file-split]\n"
	tests := []struct {
		reason string
		files  files
		args   []string
		out    string
	}{
		{"one of two", files{two: shard}, []string{two}, two + ": error: " + lost},
		{"one of two, in a directory", files{"d/" + two: shard}, []string{"."}, "d/" + two + ": error: " + lost},
		{"both are there, one is named", files{one: shard, two: shard}, []string{two}, two + alone},
		{"both are named", files{one: shard, two: shard}, []string{two, one}, two + alone},
		{"the second is not asked for, but there, and the index", files{one: shard, two: shard, list: index},
			[]string{one}, ""},
		{"two directories", files{"d/" + two: shard, "e/" + two: shard}, []string{"d", "e"},
			"d/" + two + ": error: " + lost + "e/" + two + ": error: " + lost},
		{"a link that leads nowhere", files{one: "-> gone", two: shard}, []string{two}, two + ": error: " + lost},
		{"names of another set", files{"m-00001-of-00003.safetensors": shard, two: shard}, []string{two},
			two + ": error: " + lost},
		{"a file that is not there", files{}, []string{"t.safetensors"},
			"t.safetensors: error: there is no such file [syntax]\n"},
		{"of one", files{"m-00001-of-00001.safetensors": shard}, []string{"."}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			dir := t.TempDir()
			tt.files.write(t, dir)
			t.Chdir(dir)
			r := runWith(strings.NewReader(""), nil, append([]string{"check", "-o", "plain"}, tt.args...)...)
			if layouttest.Slashes(r.out) != tt.out || r.stderr != "" {
				t.Errorf("%s%s", r.out, r.stderr)
			}
		})
	}
}

// TestCheckArtefacts compares configurations with the files that they name. The files are as NumPy 2.2, safetensors 0.5
// and gguf 0.17 write arrays of these shapes.
func TestCheckArtefacts(t *testing.T) {
	const conv = `{"conv": {"dtype": "F16", "shape": [64, 3, 7, 7], "data_offsets": [0, 18816]}, ` +
		`"nhwc": {"dtype": "F16", "shape": [64, 7, 7, 3], "data_offsets": [18816, 37632]}, ` +
		`"bias": {"dtype": "BF16", "shape": [1, 64], "data_offsets": [37632, 37760]}, ` +
		`"blocks": {"dtype": "F32", "shape": [1, 2, 5, 5, 16], "data_offsets": [37760, 40960]}} + 40960 bytes`
	weights, _ := exampleFile(t, conv)
	cut, _ := exampleFile(t, strings.Replace(conv, "40960 b", "40959 b", 1))
	rows, _ := exampleFile(t, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } + 24 bytes")
	columns, _ := exampleFile(t, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), } + 24 bytes")
	le := func(n uint64, bytes int) string { return string(binary.LittleEndian.AppendUint64(nil, n)[:bytes]) }
	gguf := "GGUF" + le(3, 4) + le(1, 8) + le(0, 8) + le(1, 8) + "w" + le(2, 4) + le(32, 8) + le(3, 8) + le(2,
		4) + le(0, 8)
	gguf += strings.Repeat("\x00", 96-len(gguf)+54)
	all := files{
		"w.safetensors": weights, "sub/cut.safetensors": cut, "rows.npy": rows, "columns.npy": columns, "w.gguf": gguf,
		"m.onnx": onnxModel(t, `initializer { name: "w" dims: [2, 3] data_type: FLOAT raw_data: 24 bytes } `+
			`input { name: "x" type { tensor_type { elem_type: FLOAT shape { dim { dim_param: "N" } `+
			`dim { dim_value: 3 } } } } }`),
		"page.npy": "<html>", "text.txt": "2x3", "dir/x": "", "loop.npy": "-> loop.npy",
		"m.safetensors.index.json": `{"weight_map":{"conv":"w.safetensors","x":"gone.safetensors",` +
			`"y":"../w.safetensors","bais":"w.safetensors"}}`,
	}
	tests := []struct {
		reason, tensor, target string
		want                   string // column, rule and message; empty for none
		fix                    string
	}{
		{reason: "all is stated", tensor: "file: w.safetensors, tensor: conv, dtype: float16, sizes: [64, 3, 7, 7], " +
			"layout: OIHW, totalBytes: 18816, expect: {packed: true, layout: OIHW}"},
		{reason: "nothing is stated",
			tensor: "file: w.safetensors, tensor: conv, expect: {maxBytes: 18816, packed: true}"},
		{reason: "expectations of the file", tensor: "file: w.safetensors, tensor: conv, expect: {maxBytes: 18815}",
			want: "63 expect-max-bytes: 18816 bytes are needed, 18815 are expected at most"},
		{reason: "a scalar is stated", tensor: "file: rows.npy, sizes: []", fix: "sizes: [2, 3]",
			want: "32 artefact-sizes: the file has [2, 3], and [] are stated"},
		{reason: "any size", tensor: "file: w.safetensors, tensor: conv, sizes: [64, null, '?', 7]"},
		{reason: "any size but one", tensor: "file: w.safetensors, tensor: conv, sizes: [64, null, '?', 8]",
			want: "51 artefact-sizes: the file has [64, 3, 7, 7], and [64, ?, ?, 8] are stated",
			fix:  "sizes: [64, 3, 7, 7]"},
		{reason: "another type", tensor: "file: w.safetensors, tensor: bias, dtype: float16",
			want: "51 artefact-dtype: the file has bfloat16, and float16 is stated; elements of both have as many bits",
			fix:  "dtype: bfloat16"},
		{reason: "another system's name of the type",
			tensor: "file: w.safetensors, tensor: bias, dtype: torch.bfloat16"},
		{reason: "O,H,W,I", tensor: "file: w.safetensors, tensor: nhwc, sizes: [64, 3, 7, 7], layout: OIHW",
			want: "51 artefact-sizes: the file has [64, 7, 7, 3], and [64, 3, 7, 7] are stated: [64, 7, 7, 3] is " +
				"O,H,W,I",
			fix: "sizes: [64, 7, 7, 3]"},
		{reason: "without letters", tensor: "file: w.safetensors, tensor: nhwc, sizes: 64x3x7x7",
			want: "51 artefact-sizes: the file has [64, 7, 7, 3], and [64, 3, 7, 7] are stated: it has the axes in " +
				"the order 0,2,3,1",
			fix: "sizes: [64, 7, 7, 3]"},
		{reason: "in the order of the layout",
			tensor: "file: w.safetensors, tensor: nhwc, sizes: [64, 3, 7, 7], layout: OHWI, " +
				"expect: {strides: [147, 1, 21, 3]}"},
		{reason: "taken in the order of the layout", tensor: "file: w.safetensors, tensor: nhwc, layout: OHWI, " +
			"expect: {strides: [147, 1, 21, 3]}"},
		{reason: "open in the order of the layout", tensor: "file: w.safetensors, tensor: nhwc, layout: OHWI, " +
			"sizes: [64, 3, null, null]"},
		{reason: "strides in place of the layout",
			tensor: "file: w.safetensors, tensor: nhwc, sizes: [64, 3, 7, 7], strides: [147, 1, 21, 3]"},
		{reason: "the layout is another one",
			tensor: "file: w.safetensors, tensor: conv, sizes: [64, 3, 7, 7], layout: OHWI",
			want: "74 artefact-layout: the file is row-major: element (0,0,0,1) is at offset 1 in it, and stated " +
				"at 3"},
		{reason: "blocks", tensor: "file: w.safetensors, tensor: blocks, sizes: 1x32x5x5, layout: NCHW16c"},
		{reason: "leading ones", tensor: "file: w.safetensors, tensor: bias, sizes: [64]",
			want: "51 artefact-sizes: the file has [1, 64], and [64] are stated: they differ in leading sizes of 1 " +
				"only",
			fix: "sizes: [1, 64]"},
		{reason: "transposed", tensor: "file: rows.npy, sizes: 3x2",
			want: "32 artefact-sizes: the file has [2, 3], and [3, 2] are stated: it is transposed",
			fix:  "sizes: [2, 3]"},
		{reason: "a byte more", tensor: "file: rows.npy, totalBytes: 25",
			want: "37 artefact-bytes: the file has 24 bytes for the tensor, and 25 are stated", fix: "totalBytes: 24"},
		{reason: "Fortran order is taken", tensor: "file: columns.npy, expect: {strides: [1, 2]}"},
		{reason: "Fortran order is stated", tensor: "file: columns.npy, layout: column-major"},
		{reason: "Fortran order is not", tensor: "file: columns.npy, layout: row-major",
			want: "36 artefact-layout: the file is column-major (Fortran): element (0,1) is at offset 2 in it, and " +
				"stated at 1"},
		{reason: "row-major is not", tensor: "file: rows.npy, strides: [1, 2], sizes: 2x3",
			want: "34 artefact-layout: the file is row-major: element (0,1) is at offset 1 in it, and stated at 2"},
		{reason: "an offset", tensor: "file: rows.npy, storageOffset: 1",
			want: "40 artefact-layout: a tensor in a file has no storage offset", fix: "leave it out"},
		{reason: "GGUF", tensor: "file: w.gguf, tensor: w, sizes: 3x32"},
		{reason: "GGUF as it lists sizes", tensor: "file: w.gguf, sizes: 32x3",
			want: "30 artefact-sizes: the file has [3, 32], and [32, 3] are stated: it is transposed " +
				"(GGUF lists the innermost first: 32, 3)", fix: "sizes: [3, 32]"},
		{reason: "a quantised type", tensor: "file: w.gguf, dtype: float32",
			want: "30 artefact-dtype: the file has Q4_0, and float32 is stated", fix: "dtype: Q4_0"},
		{reason: "a model", tensor: "file: m.onnx, tensor: w, sizes: [2, 3], totalBytes: 24, dtype: FLOAT"},
		{reason: "a byte more than a model has", tensor: "file: m.onnx, tensor: w, totalBytes: 25",
			want: "46 artefact-bytes: the file has 24 bytes for the tensor, and 25 are stated", fix: "totalBytes: 24"},
		{reason: "an open size", tensor: "file: m.onnx, tensor: x, sizes: [8, 3], expect: {maxBytes: 96}"},
		{reason: "an open size and another one", tensor: "file: m.onnx, tensor: x, sizes: [8, 4]",
			want: "41 artefact-sizes: the file has [?, 3], and [8, 4] are stated", fix: "sizes: [null, 3]"},
		{reason: "an open size and the wrong order", tensor: "file: m.onnx, tensor: x, sizes: [8, 3], layout: WH",
			want: "57 artefact-layout: the file is row-major: element (0,1) is at offset 1 in it, and stated at 8"},
		{reason: "an open size of 0", tensor: "file: m.onnx, tensor: x, sizes: [0, 3]",
			want: "41 artefact-sizes: the file has [?, 3], and [0, 3] are stated", fix: "sizes: [null, 3]"},
		{reason: "an open size of any", tensor: "file: m.onnx, tensor: x, sizes: [null, 3]"},
		{reason: "an open size that is not stated", tensor: "file: m.onnx, tensor: x"},
		{reason: "an open size that decides bytes", tensor: "file: m.onnx, tensor: x, expect: {maxBytes: 96}",
			want: "53 expect-max-bytes: this cannot be told: size 0 is open: [N, 3]",
			fix:  "give it a value in sizes of the tensor"},
		{reason: "each tensor of a pattern", tensor: "file: w.safetensors, tensor: '[bc]*', expect: {rank: {min: 1}}"},
		{reason: "each file of a pattern", tensor: "file: '*.onnx', tensor: '?', expect: {rank: 2, dtype: f32}"},
		{reason: "a hidden directory is left out", tensor: "file: '*/*.gone', tensor: x",
			want: `15 artefact-missing: no file has a path like "*/*.gone"`},
		{reason: "not a pattern of files", tensor: "file: '!*.onnx'", fix: "such as models/*.onnx",
			want: "15 config-value: a pattern of files does not start with ! or end with /"},
		{reason: "not a pattern below the directory", tensor: "file: ../*.onnx",
			fix:  "such as *.onnx, build/ or models/**/old",
			want: "15 config-value: not a pattern of paths below a directory"},
		{reason: "a quantised type is stated", tensor: "file: w.gguf, dtype: q4_0"},
		{reason: "another one is", tensor: "file: w.gguf, dtype: Q4_1",
			want: "30 artefact-dtype: the file has Q4_0, and Q4_1 is stated", fix: "dtype: Q4_0"},
		{reason: "a type that does not exist", tensor: "file: rows.npy, dtype: flaot32",
			want: "32 artefact-dtype: the file has float32, and flaot32 is stated", fix: "dtype: float32"},
		{reason: "an index", tensor: "file: m.safetensors.index.json, tensor: conv, sizes: [64, 3, 7, 7]"},
		{reason: "a shard that is missing", tensor: "file: m.safetensors.index.json, tensor: x",
			want: `15 artefact-missing: "m.safetensors.index.json": "gone.safetensors", which the index names: ` +
				"the file is missing"},
		{reason: "a shard elsewhere", tensor: "file: m.safetensors.index.json, tensor: y",
			want: `15 artefact-missing: "m.safetensors.index.json": the index has the tensor in "../w.safetensors", ` +
				"which is not opened"},
		{reason: "an index that is wrong", tensor: "file: m.safetensors.index.json, tensor: bais",
			want: `49 artefact-tensor: "m.safetensors.index.json": "w.safetensors", which the index names: ` +
				`the file has no tensor "bais"`, fix: "did you mean bias?"},
		{reason: "not in the index", tensor: "file: m.safetensors.index.json, tensor: covn",
			want: `49 artefact-tensor: "m.safetensors.index.json": the index does not name the tensor "covn"`,
			fix:  "did you mean conv?"},
		{reason: "no name of an index", tensor: "file: m.safetensors.index.json",
			want: `15 artefact-tensor: "m.safetensors.index.json": the index names 4 tensors`, fix: "tensor: NAME"},
		{reason: "no file", tensor: "file: gone.npy", want: `15 artefact-missing: "gone.npy": the file is missing`},
		{reason: "a directory", tensor: "file: dir", want: `15 artefact-missing: "dir": the file is a directory`},
		{reason: "a link to itself", tensor: "file: loop.npy",
			want: `15 artefact-missing: "loop.npy": the file cannot be opened: too many levels of symbolic links`},
		{reason: "elsewhere", tensor: "file: ../a.npy",
			want: `15 artefact-missing: "../a.npy": the path leaves this directory by ..`,
			fix:  "a path below the directory of the configuration; root: .. moves it"},
		{reason: "from the root", tensor: "file: /dev/zero",
			want: `15 artefact-missing: "/dev/zero": the path starts at the root, and only files below this ` +
				"directory are opened",
			fix: "a path below the directory of the configuration; root: .. moves it"},
		{reason: "a page", tensor: "file: page.npy", want: `15 not-the-file: "page.npy": a page of HTML`,
			fix: "the download has failed, or needs a login: download or copy the file again"},
		{reason: "a text", tensor: "file: text.txt", want: `15 not-the-file: "text.txt": a text, not a file of tensors`,
			fix: ".npy, .safetensors, .gguf and .onnx files are read, and an index of shards"},
		{reason: "cut off", tensor: "file: sub/cut.safetensors, tensor: blocks",
			want: `15 file-size: "sub/cut.safetensors": data_offsets [37760, 40960] end after the data, which is ` +
				"40959 bytes long: 1 byte too few",
			fix: "download or copy the file again: it is cut off, or still being written"},
		{reason: "cut off elsewhere", tensor: "file: sub/cut.safetensors, tensor: conv"},
		{reason: "no such tensor", tensor: "file: w.safetensors, tensor: covn",
			want: `38 artefact-tensor: "w.safetensors": the file has no tensor "covn"`, fix: "did you mean conv?"},
		{reason: "no name", tensor: "file: w.safetensors", fix: "tensor: NAME",
			want: `15 artefact-tensor: "w.safetensors": the file has 4 tensors`},
		{reason: "a name of an array", tensor: "file: rows.npy, tensor: a", fix: "leave it out",
			want: `33 artefact-tensor: "rows.npy": the file has one array, which has no name`},
		{reason: "a name without a file", tensor: "tensor: a, dtype: f32, sizes: 2", fix: "file: PATH",
			want: "9 config-key: tensor names one of a file, and no file is named"},
		{reason: "rules of the target", tensor: "file: w.safetensors, tensor: bias", target: "target: directml\n",
			want: "8 dtype-known: DirectML has no type BF16", fix: "FLOAT32 holds all values of bfloat16"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			dir := t.TempDir()
			all.write(t, dir)
			text := "version: 1\n" + tt.target + "tensors:\n  abc: {" + tt.tensor + "}\n"
			files{"a.yaml": text}.write(t, dir)
			r := runWith(strings.NewReader(""), nil, "check", "-o", "json", filepath.Join(dir, "a.yaml"))
			var answer struct {
				Findings []struct {
					Column             int
					Rule, Message, Fix string
				}
			}
			if err := json.Unmarshal([]byte(r.out), &answer); err != nil || r.stderr != "" {
				t.Fatal(err, r.stderr)
			}
			var got, fix string
			for _, f := range answer.Findings {
				got += fmt.Sprintf("%d %s: %s", f.Column, f.Rule, f.Message)
				fix += f.Fix
			}
			if got != tt.want || fix != tt.fix || (got == "") != (r.code == 0) {
				t.Errorf("exits %d with\n%s (%s)\n%s (%s)", r.code, got, fix, tt.want, tt.fix)
			}
		})
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

// wide returns a text of ASCII in UTF-16.
func wide(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteString(text[i:i+1] + "\x00")
	}
	return b.String()
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

// TestCallLimit lists the gravest findings of a call that has more than it lists, in the same words whatever the number
// of jobs. All are counted, every report that has a place for it says how many are left out, and a baseline has all.
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
			"2010 left out, too many to list\n"
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

// TestCheckFailsAloud: what makes a run fail is listed, or a note says why it is not.
func TestCheckFailsAloud(t *testing.T) {
	const good = `{"DataType":"FLOAT32","Sizes":[2,3]}`
	tests := []struct{ args, stderr, reason string }{
		{"--fail-on note", "", "notes are listed"},
		{"--fail-on note --severity note", "", "as they are where the user wants them"},
		{
			args:   "--fail-on note --severity warning",
			stderr: "note: 2 findings at or above --fail-on note that --severity warning does not list\n",
			reason: "the user does not want them",
		},
	}
	for _, tt := range tests {
		args := append([]string{"check", "-", "-o", "plain"}, strings.Fields(tt.args)...)
		r := runWith(strings.NewReader(good), nil, args...)
		if r.code != 1 || r.stderr != tt.stderr || (r.out == "") != (tt.stderr != "") {
			t.Errorf("%s exits %d: %q %q: %s", tt.args, r.code, r.out, r.stderr, tt.reason)
		}
		if r := runWith(strings.NewReader(good), nil, append(args, "-q")...); r.stderr != "" {
			t.Errorf("%s -q says %q", tt.args, r.stderr)
		}
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

// TestCheckIndexJobs checks an index of many shards, of which each has other faults, alone and in its directory, with
// one and with several readers.
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
			if r.out != want || count("index-shard-missing") != 6 || count("index-tensor-missing") != 48 ||
				count("file-size") != 30 {
				t.Errorf("%s, --jobs %s: exits %d with\n%s%s", arg, jobs, r.code, r.out, r.stderr)
			}
		}
	}
}
