//go:build unix

package cmd_test

import (
	"bytes"
	"encoding/json"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"layoutcalc/cmd"
	"layoutcalc/layout/layouttest"
)

// treeNames are names of files and directories that have a meaning, or that files of the seeds name.
var treeNames = strings.Fields(`
a.layoutcalc.yaml b.layoutcalc.yaml a.json a.jsonl a.npy a.safetensors b.safetensors a.gguf a.onnx w list baseline.json
a.safetensors.index.json b.safetensors.index.json m/config.pbtxt m/1/model.onnx m/1/w m/labels n/config.pbtxt n/labels
n/configs/a.pbtxt d d/a.layoutcalc.yaml d/a.npy d/a.safetensors d/.gitignore d/.layoutcalc.yaml d/e/a.jsonl
.gitignore .layoutcalc.yaml .git/index .git/HEAD .git m n`)

// treeTargets are the targets of links: the names, and paths outside.
var treeTargets = append(strings.Fields(". .. / ../secret ../../secret /dev/zero /proc/self/environ FIFO"),
	treeNames...)

// treeCalls are calls of the program in such a tree.
var treeCalls = []string{
	"check . -o json", "check .", "check . -o sarif --severity note -v", "check --files-from list -o json",
	"check . --baseline baseline.json -o json", "check d m n . --jobs 2 -o json", "check a.npy d/a.npy ./a.npy -o json",
	"check a.layoutcalc.yaml -o json", "check a.safetensors.index.json -o json", "check m/config.pbtxt -o json",
	"check a.onnx -o json", "check a.safetensors -o json", "strides @a.npy -o json", "size @a.layoutcalc.yaml -o json",
	"strides --batch list -o json", "check . --exclude a.* -o json",
}

// secret is the text of a file beside the tree, which nothing but an escape of the tree can show.
const secret = "TOPSECRET 2x3\n"

// A treeFile is a file of a tree, or a link.
type treeFile struct{ name, text, target string }

// parseTree reads a tree: the content of a file follows each line of "== NAME", and "== NAME -> TARGET" is a link.
// Unknown names stand for a known one, so that most changes of the input give a different tree.
func parseTree(text string) (tree []treeFile) {
	known := func(name string, names []string) string {
		for _, n := range names {
			if n == name {
				return n
			}
		}
		return names[int(crc32.ChecksumIEEE([]byte(name))%uint32(len(names)))]
	}
	for part := range strings.SplitSeq("\n"+text, "\n== ") {
		head, rest, _ := strings.Cut(part, "\n")
		name, target, link := strings.Cut(head, " -> ")
		if link {
			target = known(target, treeTargets)
		}
		if tree = append(tree, treeFile{known(name, treeNames), rest, target}); len(tree) == 20 {
			break
		}
	}
	return tree[1:]
}

// write makes the files of a tree, as far as their names are free.
func (f treeFile) write() {
	if os.MkdirAll(filepath.Dir(f.name), 0o777) != nil {
		return
	}
	switch f.target {
	case "":
		file, err := os.OpenFile(f.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			file.WriteString(f.text)
			file.Close()
		}
	case "FIFO":
		syscall.Mkfifo(f.name, 0o666)
	default:
		os.Symlink(f.target, f.name)
	}
}

// treeState returns the state of all files below a directory: names, modes, contents and targets of links.
func treeState(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		b.WriteString(path + " " + e.Type().String() + "\n")
		var text []byte
		var target string
		switch {
		case e.Type().IsRegular():
			text, err = os.ReadFile(path)
		case e.Type()&fs.ModeSymlink != 0:
			target, err = os.Readlink(path)
		}
		b.WriteString(string(text) + target + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// FuzzTree runs the program in a tree of files that name each other. It must end, report in JSON, show nothing from
// outside, change nothing, and need time and memory in proportion to the size of the tree.
func FuzzTree(f *testing.F) {
	for _, seed := range treeSeeds {
		for i := range treeCalls {
			f.Add(byte(i), seed)
		}
	}
	f.Fuzz(func(t *testing.T, call byte, text string) {
		if len(text) > 1<<14 || strings.Contains(text, strings.Fields(secret)[0]) {
			t.Skip("would take long, or shows by itself what must not be shown")
		}
		base := t.TempDir()
		dir := filepath.Join(base, "r", "r")
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		for _, outside := range []string{"secret", "r/secret"} {
			if err := os.WriteFile(filepath.Join(base, outside), []byte(secret), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		t.Chdir(dir)
		for _, f := range parseTree(text) {
			f.write()
		}
		args := strings.Fields(treeCalls[int(call)%len(treeCalls)])
		for _, arg := range args {
			name := strings.TrimPrefix(arg, "@")
			info, err := os.Stat(name)
			if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
				t.Skip("a device or a FIFO that the caller names is read to its end")
			}
			path, err := filepath.EvalSymlinks(name)
			if err == nil && (filepath.IsAbs(path) || !filepath.IsLocal(path)) {
				t.Skip("the caller puts a file outside forward by naming the link")
			}
		}
		before := treeState(t, base)
		var out, stderr bytes.Buffer
		hangs := time.AfterFunc(time.Minute, func() { panic("no end: " + strings.Join(args, " ")) })
		end := layouttest.Limit(t, len(text))
		code := cmd.Run(args, cmd.Streams{In: strings.NewReader(""), Out: &out, Err: &stderr, Env: noEnv})
		end()
		hangs.Stop()
		all := out.String() + stderr.String()
		switch {
		case code < 0 || code > 2:
			t.Errorf("exits %d: %.2000s", code, all)
		case strings.Contains(all, strings.Fields(secret)[0]):
			t.Errorf("shows a file outside: %.2000s", all)
		case strings.HasPrefix(out.String(), "{\n") && !json.Valid(out.Bytes()):
			t.Errorf("no JSON: %.2000s", &out)
		}
		if word := goWords.FindString(worded(colors.ReplaceAllString(stderr.String(), ""))); word != "" &&
			!strings.Contains(text, word) {
			t.Errorf("says %q: %.2000s", word, &stderr)
		}
		if after := treeState(t, base); after != before {
			t.Errorf("changes files: %q, which were %q", after, before)
		}
	})
}

// treeSeeds are trees whose files name each other, or themselves.
var treeSeeds = []string{
	"== a.layoutcalc.yaml\nversion: 1\ntensors:\n  t: {file: a.npy}\n== a.npy\n" + treeNPY,
	"== a.layoutcalc.yaml\nversion: 1\ntensors:\n  t: {file: a.layoutcalc.yaml, tensor: t}\n",
	"== a.layoutcalc.yaml\nversion: 1\ntensors:\n  t: {file: b.layoutcalc.yaml, tensor: t}\n" +
		"== b.layoutcalc.yaml\nversion: 1\ntensors:\n  t: {file: a.layoutcalc.yaml, tensor: t}\n",
	"== a.layoutcalc.yaml\nversion: 1\ntensors:\n  t: {file: a.safetensors, tensor: a}\n" +
		"== a.safetensors\n" + `{"version":1,"tensors":{"t":{"file":"a.layoutcalc.yaml","tensor":"t"}}}` + "\n",
	"== a.layoutcalc.yaml\nversion: 1\ntensors:\n  t: {file: ../secret, tensor: t}\n  u: {file: d/a.npy}\n" +
		"== d/a.npy -> ../../secret\n== a.npy -> ../secret\n",
	"== a.safetensors.index.json\n" +
		`{"metadata":{"total_size":4},"weight_map":{"a":"a.safetensors","b":"b.safetensors"}}` +
		"\n== a.safetensors\n" + treeSafetensors + "\n== b.safetensors -> a.safetensors\n",
	"== a.safetensors.index.json\n" + `{"metadata":{"total_size":4},"weight_map":{"a":"b.safetensors.index.json"}}` +
		"\n== b.safetensors.index.json\n" + `{"weight_map":{"a":"a.safetensors.index.json","b":"../secret"}}` + "\n",
	"== a.safetensors.index.json -> ../secret\n== a.json -> ../secret\n== a.jsonl -> ../secret\n" +
		"== a.onnx -> /dev/zero\n== a.npy -> FIFO\n== d -> .\n== d/e -> ..\n" +
		"== list\na.npy\na.json\nd/a.npy\n../secret\n",
	"== m/config.pbtxt\n" + treeEnsemble("n") + "== n/config.pbtxt\n" + treeEnsemble("m"),
	"== m/config.pbtxt\n" + treeEnsemble("m") + "== m/1/model.onnx -> /dev/zero\n",
	"== m/config.pbtxt\n" + `backend:"onnxruntime" ` + treeOutput + "\n== m/labels -> ../secret\n" +
		"== m/1/model.onnx -> FIFO\n== n/config.pbtxt\n" +
		`backend:"python" ` + treeOutput + "\n== n/labels\na\nb\n",
	"== .git/HEAD\nref: refs/heads/main\n== .layoutcalc.yaml\nversion: 1\nbaseline: ../secret\n== a.npy\n" + treeNPY,
	"== .git/HEAD\nx\n== .layoutcalc.yaml -> ../secret\n== d/a.npy\n" + treeNPY,
	"== .git/HEAD\nx\n== .layoutcalc.yaml\nversion: 1\nbaseline: baseline.json\nexclude: [d/, '**/e/**']\n" +
		"ignores:\n- {path: '*', rule: gaps, reason: x}\n== baseline.json\n" + `{"version":1,"findings":[]}` +
		"\n== .gitignore\n**/**/a.npy\n!d/\n*.gguf\n== d/.gitignore -> ../.gitignore\n== d/a.npy\n" + treeNPY +
		"\n== d/e/a.jsonl\n" + `{"DataType":"FLOAT32","Sizes":[2,3],"Strides":[5,1]}` + "\n",
	"== .git\ngitdir: ../../secret\n== a.jsonl\n" + `{"DataType":"FLOAT32","Sizes":[0]}` +
		"\n== list\n2x3\n@a.npy\n@../secret\n",
	"== a.onnx\n\x08\x08\x3a\x20\x2a\x1e\x08\x01\x10\x01\x42\x01t" +
		"\x6a\x15\x0a\x08location\x12\x09../secret\x70\x01\n== w\n0000",
	"== a.layoutcalc.yaml\n---\nversion: 1\nx-a: &a {dtype: float32}\ntensors: {t: {<<: *a, sizes: 2}}\n---\n" +
		"version: 1\ntensors: {t: {dtype: float32, sizes: [2], expect: {sameAs: t}}}\nedges: [{from: t, to: t}]\n",
	"== d/a.safetensors\nversion https://git-lfs.github.com/spec/v1\noid sha256:" + strings.Repeat("a", 64) +
		"\nsize 9\n",
}

const (
	treeOutput      = `output{name:"o" data_type:TYPE_FP32 dims:2 label_filename:"labels"}`
	treeNPY         = "\x93NUMPY\x01\x00\x3b\x00{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }  \n0000"
	treeSafetensors = "\x38\x00\x00\x00\x00\x00\x00\x00" +
		`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}  ` + "0000"
)

// treeEnsemble is an ensemble of a model.
func treeEnsemble(model string) string {
	return `platform:"ensemble" input{name:"x" data_type:TYPE_FP32 dims:1} ` +
		`output{name:"y" data_type:TYPE_FP32 dims:1} ensemble_scheduling{step{model_name:"` + model +
		`" input_map{key:"x"value:"x"}output_map{key:"y"value:"y"}}}` + "\n"
}
