package input

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"layoutcalc/layout/expect"
	"layoutcalc/layout/layouttest"
)

// besides returns the artefacts next to a document. The keys of texts are file names and the values are the contents. A
// value that begins with ir_version becomes an ONNX model, and a value that begins with {" and ends with "+ N bytes" a
// .safetensors file with N bytes of data.
func besides(t *testing.T, texts map[string]string) *artefacts {
	t.Helper()
	files := fstest.MapFS{}
	for name, text := range texts {
		data := []byte(text)
		header, size, isTensors := strings.Cut(text, "} + ")
		switch {
		case strings.HasPrefix(text, "ir_version"):
			var err error
			if data, err = layouttest.ONNX(text); err != nil {
				t.Fatal(err)
			}
			data = data[:len(data)-strings.Count(name, "cut")*9]
		case isTensors:
			n := 0
			if _, err := fmt.Sscanf(size, "%d bytes", &n); err != nil {
				t.Fatal(err)
			}
			header += "}"
			data = append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...)
			data = append(data, make([]byte, n)...)
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	return &artefacts{source: &Source{Name: "c.yaml", Beside: files}}
}

// A model with an operator in a branch and in a function, an input with a default, an output, weights of 6 elements in
// another file and of 2 in the model.
const factsModel = `ir_version: 8 opset_import { version: 17 } opset_import { domain: "ai.onnx.ml" version: 3 }
opset_import { domain: "own" version: 1 }
graph {
  node { input: "x" output: "a" op_type: "Relu" domain: "ai.onnx" }
  node { input: "a" output: "b" op_type: "Relu" }
  node { input: "b" output: "c" op_type: "Twice" domain: "own" }
  node { input: "c" output: "d" op_type: "Scaler" domain: "ai.onnx.ml" }
  node { input: "d" output: "y" op_type: "If" attribute { name: "then_branch"
    g { node { output: "z" op_type: "Constant" } output { name: "z" } } } }
  initializer { name: "w" dims: [2, 3] data_type: FLOAT data_location: EXTERNAL
    external_data { key: "location" value: "w.bin" } }
  initializer { name: "s" dims: [2] data_type: FLOAT16 raw_data: 4 bytes }
  input { name: "x" type { tensor_type { elem_type: FLOAT
    shape { dim { dim_param: "batch" } dim { dim_value: 3 } } } } }
  input { name: "s" type { tensor_type { elem_type: FLOAT16 shape { dim { dim_value: 2 } } } } }
  output { name: "y" type { tensor_type { elem_type: FLOAT
    shape { dim { dim_param: "batch" } dim { dim_value: 3 } } } } }
}
functions { name: "Twice" domain: "own" input: "i" output: "o" attribute: "alpha"
  node { input: ["i", "i"] output: "o" op_type: "Add" } }`

// TestFacts checks the facts about whole files. Each number follows from the input.
func TestFacts(t *testing.T) {
	const (
		half    = `{"a": {"dtype": "F16", "shape": [2, 3], "data_offsets": [0, 12]}} + 12 bytes`
		single  = `{"b": {"dtype": "F32", "shape": [5], "data_offsets": [0, 20]}} + 20 bytes`
		pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:" +
			"4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
	)
	a := besides(t, map[string]string{
		"a.safetensors": half, "b.safetensors": single, "p.safetensors": pointer, "m.onnx": factsModel, "w.bin": "",
		"cut.onnx":                    factsModel,
		"both.safetensors.index.json": `{"weight_map": {"a": "a.safetensors", "b": "b.safetensors"}}`,
		"with.safetensors.index.json": `{"weight_map": {"a": "a.safetensors", "c": "p.safetensors"}}`,
		"gone.safetensors.index.json": `{"weight_map": {"a": "a.safetensors", "c": "gone.safetensors"}}`,
		"pickles.bin.index.json":      `{"weight_map": {"a": "pytorch_model.bin"}}`,
		"notes.txt":                   "words\n",
		"deep/er.safetensors":         single,
	})
	model := "irVersion 8, externalData 1, parameters 8, tensorBytes 28, opset ai.onnx 17, opset ai.onnx.ml 3, " +
		"opset own 1"
	for _, tt := range []struct{ file, numbers, unread string }{
		{"a.safetensors", "parameters 6, tensorBytes 12", ""},
		{"deep/er.safetensors", "parameters 5, tensorBytes 20", ""},
		{"both.safetensors.index.json", "parameters 11, tensorBytes 32", ""},
		{"both.safetensors.index.json", "parameters 11, tensorBytes 32", ""}, // once more
		{"m.onnx", model, ""},
		{"notes.txt", "bytes 6", "not-the-file: a text, not a file of tensors"},
		{"p.safetensors", "bytes 12345", "lfs-pointer: a Git LFS pointer"},
		{"with.safetensors.index.json", "", "syntax: p.safetensors: a Git LFS pointer"},
		{"gone.safetensors.index.json", "", `syntax: 1 of the 2 shards in the index is missing: "gone.safetensors"`},
		{"pickles.bin.index.json", "", "syntax: the shards are pickles"},
		{"cut.onnx", "", "syntax: the model cannot be read to its end"},
	} {
		x, missing := a.Facts(tt.file)
		if x == nil || missing.Message != "" {
			t.Errorf("%s: %v", tt.file, missing.Message)
			continue
		}
		want := map[string]int64{}
		for pair := range strings.SplitSeq(tt.numbers, ", ") {
			if i := strings.LastIndexByte(pair, ' '); i > 0 {
				var n int64
				fmt.Sscan(pair[i:], &n)
				want[pair[:i]] = n
			}
		}
		if want["bytes"] == 0 {
			info, _ := fs.Stat(a.source.Beside, tt.file)
			want["bytes"] = info.Size()
		}
		if diff := cmp.Diff(want, x.Numbers); diff != "" {
			t.Errorf("%s: %s", tt.file, diff)
		}
		unread := ""
		if x.Unread.Message != "" {
			unread = x.Unread.Rule.Name + ": " + x.Unread.Message
		}
		if !strings.HasPrefix(unread, tt.unread) || (tt.unread == "") != (unread == "") {
			t.Errorf("%s: %s, want %s", tt.file, unread, tt.unread)
		}
	}
	x, _ := a.Facts("m.onnx")
	want := map[string][]string{
		"operators": {"ai.onnx:Relu", "ai.onnx.ml:Scaler", "ai.onnx:Constant", "ai.onnx:If", "ai.onnx:Add"},
		"domains":   {"ai.onnx", "ai.onnx.ml"}, "inputs": {"x"}, "outputs": {"y"},
	}
	if diff := cmp.Diff(want, x.Names); diff != "" {
		t.Error(diff)
	}
	for file, want := range map[string]string{
		"c.onnx": "the file is missing", "../m.onnx": "the path leaves", "deep": "the file is a directory",
	} {
		if x, missing := a.Facts(file); x != nil || !strings.HasPrefix(missing.Message, want) ||
			missing.Rule != expect.ArtefactMissing {
			t.Errorf("%s: %v, want %s", file, missing, want)
		}
	}
	none := artefacts{source: &Source{}}
	if x, missing := none.Facts("m.onnx"); x != nil || missing.Message == "" {
		t.Error("a stream has files beside it")
	}
}

// TestFoundInFiles has the findings of a tensor: those about its file come first, once each.
func TestFoundInFiles(t *testing.T) {
	const dict = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
	a := besides(t, map[string]string{
		"short.npy": "\x93NUMPY\x01\x00\x76\x00" + dict + strings.Repeat(" ", 0x76-1-len(dict)) + "\n" +
			strings.Repeat("x", 20),
		"good.safetensors": `{"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}} + 24 bytes`,
		"long.safetensors": `{"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 20]}, ` +
			`"b": {"dtype": "U8", "shape": [4], "data_offsets": [20, 24]}} + 26 bytes`,
	})
	for _, tt := range []struct {
		file, tensor string
		want         []string
	}{
		{"short.npy", "", []string{"4 bytes too few"}},
		{"good.safetensors", "a", nil},
		{"long.safetensors", "a", []string{"2 bytes", "24 bytes of F32"}},
		{"long.safetensors", "b", []string{"2 bytes"}},
	} {
		found := a.Tensor(tt.file, tt.tensor).Found
		isWanted := len(found) == len(tt.want)
		for i, want := range tt.want {
			isWanted = isWanted && strings.Contains(found[i].Message, want)
		}
		if !isWanted {
			t.Errorf("%s of %s: %v, want %q", tt.tensor, tt.file, found, tt.want)
		}
	}
}

// TestFiles has patterns of files, with the meaning of lines of .gitignore.
func TestFiles(t *testing.T) {
	a := besides(t, map[string]string{
		"a.npy": "", "b.onnx": "", "e/a.npy": "", "e/c.npy": "", "e/f/a.npy": "", "e/f/g/d.npy": "", ".h/a.npy": "",
		"e/.a.npy": "", "x.npy/a.npy": "", "x.npy/[a].npy": "",
	})
	for pattern, want := range map[string]string{
		"*.npy": "a.npy e/a.npy e/c.npy e/f/a.npy e/f/g/d.npy x.npy/[a].npy x.npy/a.npy", "/*.npy": "a.npy",
		"e/*.npy": "e/a.npy e/c.npy", "e/*/*.npy": "e/f/a.npy", "e/**/a.npy": "e/a.npy e/f/a.npy",
		"**/f/*": "e/f/a.npy", "e/**": "e/a.npy e/c.npy e/f/a.npy e/f/g/d.npy", "?.onnx": "b.onnx",
		"[ac].npy": "a.npy e/a.npy e/c.npy e/f/a.npy x.npy/a.npy", "*/": "!", "!*.npy": "!", "f/*": "",
		"*/a.npy":  "e/a.npy x.npy/a.npy",
		"e//*.npy": "!", "./*.npy": "!", `x.npy/\[a\].npy`: "x.npy/[a].npy", ".h/*": "",
	} {
		paths, err := a.Files(pattern)
		slices.Sort(paths)
		if got := strings.Join(paths, " "); got != want && (err == nil || want != "!") {
			t.Errorf("%s: %s, %v, want %s", pattern, got, err, want)
		}
	}
}

// TestManyFiles has more files than are looked at, in a directory that the pattern may enter and in another one.
func TestManyFiles(t *testing.T) {
	a := besides(t, map[string]string{"a/x.npy": "", "b/x.npy": ""})
	a.visited = maxVisited - 3 // the two directories, and the file in a
	if paths, err := a.Files("a/*.npy"); err != nil || len(paths) != 1 {
		t.Errorf("%v, %v", paths, err)
	}
	a.visited = maxVisited - 3
	if paths, err := a.Files("*.npy"); err == nil {
		t.Errorf("too many are found: %v", paths)
	}
}

// TestTritonArtefact checks the inputs and outputs of a Triton configuration as tensors. The batch comes before their
// dims, and string tensors have the names that ONNX uses.
func TestTritonArtefact(t *testing.T) {
	const words = ` [ { name: "words" data_type: TYPE_STRING dims: [ -1, 2 ] } ]` + "\n"
	a := besides(t, map[string]string{
		"config.pbtxt": "max_batch_size: 8\ninput" + words + `output [ { name: "y" data_type: ` +
			"TYPE_FP16 dims: [ 3 ] } ]",
		"one.pbtxt": "platform: \"onnxruntime_onnx\"\ninput" + words, "bad/config.pbtxt": "input [",
	})
	for _, tt := range []struct {
		file, tensor, want string
	}{
		{"config.pbtxt", "words", "STRING true [-1 -1 2] [batch  ]"},
		{"config.pbtxt", "y", "TYPE_FP16 false [-1 3] [batch ]"},
		{"one.pbtxt", "words", "STRING true [-1 2] [ ]"},
		{"config.pbtxt", "word", `the file has no tensor "word" did you mean words?`},
		{"bad/config.pbtxt", "y", `"[" is not closed`},
	} {
		found := a.Tensor(tt.file, tt.tensor)
		d := found.Have
		got := fmt.Sprintln(d.TypeName, d.TypeJudged, d.Sizes, d.Open)
		if found.Missing.Message != "" {
			got = found.Missing.Message + " " + found.Missing.Fix
		}
		if !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s of %s: %s, want %s", tt.tensor, tt.file, got, tt.want)
		}
	}
}
