package input

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/onnx"
)

// TestRecognise checks which row of the table recognizes an input, and how often the input is split into tokens until
// it is read or rejected.
func TestRecognise(t *testing.T) {
	tests := []struct {
		name, text, want string
		readings         int
		foreign          bool
	}{
		{text: "2x3", want: "shape", readings: 1},
		{text: "\xEF\xBB\xBF 2x3\n", want: "shape", readings: 1},
		{text: "[2, 3] WH", want: "shape", readings: 1},
		{text: "2 x3", want: "shape", readings: 1},
		{text: "N=1,C=3 i8", want: "shape", readings: 1},
		{text: "shape=(2, 3)", want: "shape", readings: 1},
		{text: "1x3x4x5xf16", want: "shape", readings: 1},
		{text: "NCHW: 1x3x4x5", want: "shape", readings: 1},
		{text: "shape: [1,3,4,5] (NCHW)", want: "shape", readings: 1},
		{text: "N: 1, C: 3, H: 4, W: 5", want: "shape", readings: 1},
		{text: "N:1 C:3 H:4 W:5", want: "shape", readings: 1},
		{text: "1x8x4x4 Channel major FP16 format where channel % 8 == 0", want: "shape", readings: 1},
		{text: "1x8x4x4 zqxw Channel major FP16 format", want: "notation", readings: 2},
		{text: "epoch: 3, step: 4", want: "notation"},
		{text: "size=3,c=4", want: "shape", readings: 1},
		{text: "torch.Size([2, 3])", want: "shape", readings: 1},
		{text: "()", want: "shape", readings: 1},
		{name: "a.npy", text: "2x3 WH", want: "shape", readings: 1},
		{name: "a.yaml", text: "2x3 WH", want: "shape", readings: 2}, // as YAML too
		{text: "f32[2,3]{0,1}", want: "notation", readings: 1},
		{text: "torch.empty(2, 3)", want: "notation", readings: 1},
		{text: "f32[2,3]{0,1", want: "notation", readings: 1},
		{text: "NHWC 1x3x4x4", want: "notation", readings: 1},
		{text: "float32 tensor of 2 by 3", want: "notation", readings: 1},
		{text: "12:30", want: "notation"},
		{text: strings.Repeat("(", 9_000), want: "notation"},
		{text: "\xFF\xFF\xFF", want: "notation"},
		{text: "onednn_verbose,v1,info", want: "log"},
		{text: "TMA Desc Addr:   0x7ffe\nformat         6\nglobalDim      (1024,512,4,1,1)", want: "tensor map"},
		{text: "[TMA Desc Addr:   0x7ffe\nformat         6\nglobalDim      (1024,512,4,1,1)", want: "tensor map"},
		{text: `{"version":1,"tensors":{}}`, want: "document", readings: 1},
		{text: "version: 1\ntensors: {}\n", want: "document", readings: 1},
		{text: "tensors: [", want: "notation"},
		{text: `{"tensors": `, want: "notation"},
		{text: `{"shape": [2, 3], "strides": [3, 1]}`, want: "notation"},
		{name: "a.json", text: `{"a": 1}`, want: "notation"},
		{name: "a.json", text: `{"tensors": `, want: "document by its name", readings: 1},
		{name: "a.yml", text: "a: 1\n", want: "notation"},
		{name: "b.layoutcalc.yaml", text: "2x3", want: "document by its name", readings: 1},
		{name: "a.json", text: "[]", want: "document by its name", readings: 1},
		{name: "a.json", text: "", want: "document by its name", readings: 1},
		{name: "a.txt", text: "", want: "no text"},
		{text: "\r\n ", name: "-", want: "no text"},
		{name: "-", text: "null", want: "no text"},
		{name: "-", text: "\x00\x00\x00\x00", want: "no text"},
		{name: "-", text: "\x7FELF\x02\x01\x00", want: "no text"},
		{name: "a.json", text: `{"a": 1}`, want: "no text", foreign: true},
		{
			name: "a.json", text: `{"DataType":"INT8","Sizes":[2]}`, want: "document by its name", readings: 1,
			foreign: true,
		},
		{name: "a.json", text: `{"weight_map": {"a": "b.safetensors"}}`, want: "index"},
		{name: "a.safetensors.index.json", text: "no index", want: "index"},
		{name: "config.pbtxt", text: "", want: "Triton by its name"},
		{name: "a.txt", text: "max_batch_size: 4", want: "Triton"},
		{name: "a.jsonl", text: "", want: "lines"},
		{text: `{"dtype":"u8","sizes":[2]}`, want: "lines"},
		{name: "a.npy", text: "\x93NUMPY", want: "header"},
		{name: "a.dat", text: "GGUF\x03\x00\x00\x00", want: "header"},
		{name: "a.onnx", text: "", want: "header"},
		{name: "a.onnx", text: "max_batch_size: 4", want: "header", foreign: true}, // read, and found to be cut off
		{name: "a.safetensors", text: "\x50\x00\x00\x00\x00\x00\x00\x00{\"a", want: "header", foreign: true},
		{name: "a.safetensors", text: "\xC4\x00\x00\x00\x00\x00\x00\x00", want: "header", foreign: true},
		{name: "a.safetensors", text: "<!DOCTYPE html><html>", want: "header"},
	}
	for _, tt := range tests {
		s := Source{Name: tt.name, File: strings.NewReader(tt.text), Size: int64(len(tt.text)), Foreign: tt.foreign}
		c := newCandidate(s, Options{})
		if tt.name == "" {
			c = argument(tt.text, Options{})
		}
		err := c.read()
		if form := forms[c.form].name; form != tt.want {
			t.Errorf("%q %.40q is recognised as %s, want %s", tt.name, tt.text, form, tt.want)
		}
		if c.readings > 2 || tt.readings != 0 && c.readings != tt.readings {
			t.Errorf("%q %.40q is read %d times, want %d (%v)", tt.name, tt.text, c.readings, tt.readings, err)
		}
	}
}

// TestOwnForm reads a file in a format that differs from the format its name promises. If that fails, the Input must
// have no tensors.
func TestOwnForm(t *testing.T) {
	text := "version: 1\ntensors: {a: {dtype: f32, sizes: [2]}}\n---\na: 1\n"
	s := Source{Name: "a.npy", File: strings.NewReader(text), Size: int64(len(text))}
	if in, err := Read(s, Options{}); err == nil || in.Kind != TensorFile || len(in.Files) > 0 {
		t.Errorf("kind %d, %d files, %v", in.Kind, len(in.Files), err)
	}
}

// TestNamedDocuments has files with names that promise JSON or YAML. Invalid ones are documents if they mention tensors
// or have the keys of a configuration, and empty ones are documents too.
func TestNamedDocuments(t *testing.T) {
	const byName = "document by its name"
	for text, want := range map[string]string{
		`a.json {"x": `: "notation", `a.json {"x": 1, "tensors": [`: byName, `a.json [1, "DataType", `: byName,
		`a.json x "tensors" [`: "notation", `a.json {}`: byName, `a.json null`: byName, `a.json [{}]`: byName,
		`a.json {"DataType": "INT8", "Sizes": [2]}`: byName, `a.yaml a: [`: "notation",
		"a.yaml version: 1\ntensors: [": byName, `a.yaml # nothing`: "notation", `a.yaml x: {"tensors": [`: "notation",
		`b.layoutcalc.yaml a: [`: byName, `a.json # nothing`: "notation", "a.yaml ": byName,
	} {
		name, text, _ := strings.Cut(text, " ")
		c := newCandidate(Source{Name: name, File: strings.NewReader(text), Size: int64(len(text))}, Options{})
		_ = c.read()
		if form := forms[c.form].name; form != want {
			t.Errorf("%s %q is recognised as %s, want %s", name, text, form, want)
		}
	}
}

// TestKeys has keys of JSON and YAML, and words that are none.
func TestKeys(t *testing.T) {
	tests := []struct {
		text        string
		has, nested bool
	}{
		{`{"tensors": {}}`, true, true}, {`{'tensors':[]}`, true, true}, {"tensors:\n  a: 1", true, true},
		{"tensors: 5", true, false}, {"tensors:", true, false}, {"tensors", false, false}, {"tensors 5", false, false},
		{"mytensors: {", false, false}, {"a,tensors: {", true, true}, {"mytensors tensors: &x", true, true},
		{"tensors: !!map", true, true}, {"tensors: *x", true, true}, {"tensors: # of", true, true},
		{"tensors: /* of */ {", true, true}, {"tensors = 5, tensors:\r\n", true, true}, {"", false, false},
	}
	for _, tt := range tests {
		text := []byte(tt.text)
		if has, nested := hasKey(text, "tensors", false), hasKey(text, "tensors", true); has != tt.has ||
			nested != tt.nested {
			t.Errorf("%q: %v, nested %v, want %v, %v", tt.text, has, nested, tt.has, tt.nested)
		}
	}
	for text, want := range map[string]bool{
		`{"version": 1, "tensors": {}}`: true, `{"tensors": {}}`: false, `{"version": 1}`: false,
		`{"dispatchables": {}, "resources": {}}`: true, `{"dispatchables": {}, "commands": []}`: true,
		`{"dispatchables": {}}`: false, `{"resources": {}, "commands": []}`: false,
		`{"version": 1, "tensors": 2}`: false,
	} {
		if has := hasConfigKeys([]byte(text)); has != want {
			t.Errorf("%s has the keys of a configuration: %v", text, has)
		}
	}
	for text, want := range map[string]bool{
		`{"weight_map": {}}`: true, `{"weight_map": {}, "tensors": {}}`: false,
		`{"weight_map": {}, "dispatchables": {}}`: false, `{"weight_map": 1}`: false,
	} {
		if is := isIndex([]byte(text)); is != want {
			t.Errorf("%s is an index: %v", text, is)
		}
	}
}

// TestOurs has documents that are ours without doubt, and others with a word of ours.
func TestOurs(t *testing.T) {
	tests := []struct {
		text       string
		ours, says bool
	}{
		{`{"version": 1, "tensors": {}}`, true, false}, {`{"tensors": {}}`, false, false},
		{`{"version": 1, "tensors": []}`, false, false}, {`[{"version": 1, "tensors": {}}]`, true, false},
		{`{"dispatchables": {}, "resources": {}}`, true, false}, {`{"dispatchables": {}, "commands": []}`, true, false},
		{`{"dispatchables": {}, "commands": {}}`, false, false}, {`{"dispatchables": {}}`, false, false},
		{`{"DataType": "INT8", "Sizes": [2]}`, true, true}, {`{"DataType": "INT8"}`, false, true},
		{`{"Desc": {"DataType": "INT8", "Sizes": [2]}}`, true, true}, {`{"DataType": 1, "Sizes": [2]}`, false, true},
		{`{"a": {"shape": [2]}}`, false, true}, {`{"a": {"shape": 2}}`, false, false}, {`{"ne": [2]}`, false, true},
		{`{"DataType": 1}`, false, false}, {`{"sizes": [2]}`, false, false}, {`[]`, false, false}, {`5`, false, false},
	}
	for _, tt := range tests {
		var tree doctree.Tree
		if err := tree.JSON([]byte(tt.text)); err != nil {
			t.Fatal(err)
		}
		if ours, says := isOurs(&tree), hasFields(&tree); ours != tt.ours || says != tt.says {
			t.Errorf("%s: ours %v, with fields %v, want %v, %v", tt.text, ours, says, tt.ours, tt.says)
		}
	}
}

// TestIsModel has the first bytes of models in a stream, by the fields of ModelProto in onnx.proto: the version of the
// format, number 1, is a varint, and then a field of bytes, a message or, of number 5, a varint.
func TestIsModel(t *testing.T) {
	for start, want := range map[string]bool{
		"\x08\x07\x12": true, "\x08\x0A\x1A": true, "\x08\x03\x22": true, "\x08\x08\x28": true, "\x08\x08\x32": true,
		"\x08\x1F\x3A": true, "\x08\x09\x42": true, "\x08\x20\x12": false, "\x08\x07\x10": false, "\x08\x07": false,
		"\x0A\x07\x12": false, "": false, "\x08\x07\x12\x07pytorch": true,
	} {
		if is := HeaderFormat("-", strings.NewReader(start), math.MaxInt64) == "onnx"; is != want {
			t.Errorf("%q is a model: %v, want %v", start, is, want)
		}
	}
	if HeaderFormat("a.onnx", strings.NewReader(""), math.MaxInt64) != "onnx" ||
		HeaderFormat("-", strings.NewReader("\x08\x07\x12"), 3) != "" {
		t.Error("a name alone is a model, and a file of three bytes is none")
	}
}

// TestIsLines has the first bytes of inputs that may be JSON Lines.
func TestIsLines(t *testing.T) {
	const line, object = `{"dtype":"u8","sizes":[2]}`, `{"a":1}`
	tests := []struct {
		start                  string
		all, named, is, isSure bool
	}{
		{"", true, true, true, true}, {"", true, false, false, true}, {"", false, true, false, false},
		{" \n", true, true, true, true}, {" \n", false, true, false, false},
		{"x", false, true, false, true}, {"x", true, true, false, true}, {"{", false, true, false, false},
		{"{", true, true, false, true}, {line, true, false, true, true}, {line, false, false, false, false},
		{line + "\n", true, false, true, true}, {line + "\n" + line, false, false, true, true},
		{object + "\n" + object + "\n", true, false, true, true}, {object + "\n", true, false, false, true},
		{"{}\n", true, true, true, true}, {"{}\n", true, false, false, true},
		{`{"sizes":[2]}` + "\n", true, true, true, true}, {`{"sizes":[2]}` + "\n", true, false, false, true},
		{`{"tensors":{}}` + "\n" + object, true, true, false, true},
	}
	for _, tt := range tests {
		if is, sure := isLines([]byte(tt.start), tt.all, tt.named); is != tt.is || sure != tt.isSure {
			t.Errorf("%q, all %v, named %v: %v, %v, want %v, %v", tt.start, tt.all, tt.named, is, sure, tt.is,
				tt.isSure)
		}
	}
}

// TestIsText has the first bytes of text files in several encodings, and of other files.
func TestIsText(t *testing.T) {
	for start, want := range map[string]bool{
		"2x3": true, " \t\r\n2": true, "": false, " \n": false, "\x93NUMPY": false, "23\x00": false, "2\x08": false,
		"2\t3": true, "é": true, "2\xFF": false, "\xFF\xFE2\x00": true, "\xFF\xFE2\x00x": true,
		"\xFF\xFE2\x00x\x003\x00": true, "\xFF\xFE2\x00x\x003\x00x": true, "2\x00x\x00\x01\x00": false,
		"\xFE\xFF\x002": true, "\x002\x00x": true, "\xFF\xFE": false, "\xFF\xFE2\x00x\x00\x05\x00": false,
	} {
		if is := isText([]byte(start)); is != want {
			t.Errorf("%q is a text: %v, want %v", start, is, want)
		}
	}
}

// TestOrder has the first two bytes of UTF-16 strings and of other strings.
func TestOrder(t *testing.T) {
	for start, want := range map[string]binary.ByteOrder{
		"": nil, "2": nil, "2x": nil, "\x00\x00": nil, "\xFE\xFF": binary.BigEndian, "\xFF\xFE": binary.LittleEndian,
		"\x002": binary.BigEndian, "2\x00": binary.LittleEndian, "\xFF\xFF": nil, "\xFE\xFE": nil, "\xEF\xBB\xBF": nil,
	} {
		if got := order([]byte(start)); got != want {
			t.Errorf("%q: %v, want %v", start, got, want)
		}
	}
}

// A stalling reader returns text once. It fails the test if it is read again, because a terminal would wait then.
type stalling struct {
	*testing.T
	text string
}

func (s *stalling) Read(p []byte) (n int, err error) {
	if s.text == "" {
		s.Error("it reads more than it needs")
		return 0, io.EOF
	}
	n = copy(p, s.text)
	s.text = s.text[n:]
	return n, nil
}

// TestDecodeAtOnce decodes the first line of a terminal without waiting for another.
func TestDecodeAtOnce(t *testing.T) {
	for text, want := range map[string]string{
		"\n": "\n", "2\n": "2\n", "2x3\n": "2x3\n", "\n2\n": "\n2\n", "\xFF\xFE2\x00": "2",
		"\xFF\xFE2\x003\x00": "23", "2\x00\n\x00": "2\n",
	} {
		p := make([]byte, 8)
		n, err := Decode(&stalling{t, text}).Read(p)
		if string(p[:n]) != want || err != nil {
			t.Errorf("%q: %q, %v, want %q", text, p[:n], err, want)
		}
	}
	for text, want := range map[string]string{"ab\n": "ab\n", "\n": "\n", "\xEF\xBB\xBFa": "a"} {
		p := make([]byte, 8)
		n, err := Words(&stalling{t, text}).Read(p)
		if string(p[:n]) != want || err != nil {
			t.Errorf("words %q: %q, %v, want %q", text, p[:n], err, want)
		}
	}
}

// TestEmptyTexts has a byte of 0 in an input. The input is data if it is one of the first 512 bytes.
func TestEmptyTexts(t *testing.T) {
	for zero, isData := range map[int]bool{4: true, 511: true, 512: false, 600: false} {
		c := argument("2x3"+strings.Repeat(" ", 700), Options{})
		c.Data[zero] = 0
		if err := c.empty(); (err != nil) != isData {
			t.Errorf("a zero at %d: %v", zero, err)
		}
	}
}

// TestKeysOfUTF16 finds the keys of a configuration in UTF-16 too.
func TestKeysOfUTF16(t *testing.T) {
	for text, want := range map[string]bool{
		`{"version": 1, "tensors": {}}`: true, `{"DataType": 1, "Sizes": [2]}`: true, `{"DataType": 1}`: false,
		`{"Sizes": [2]}`: false, `{"DataType": 1, "Sizes": 2}`: false,
	} {
		wide := "\xFF\xFE"
		for _, c := range text {
			wide += string(c) + "\x00"
		}
		if hasOurKeys([]byte(text)) != want || hasOurKeys([]byte(wide)) != want {
			t.Errorf("%s has our keys: %v", text, !want)
		}
	}
}

// TestDescriptors checks that reading stops at the first tensor of an input with several, and of a log.
func TestDescriptors(t *testing.T) {
	const line = "onednn_verbose,v1,primitive,exec,cpu,reorder,jit:uni,undef," +
		"src:f32::blocked:ab::f0 dst:f32::blocked:ba::f0,,,2x"
	for _, text := range []string{
		"x = torch.zeros(2, 3); y = torch.zeros(4)", line + "3,0.1\n" + line + "3,0.1\n",
		line + ",0.1\n" + line + "3,0.1",
	} {
		in, err := Text(text, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for range in.Descriptors() {
			break
		}
	}
}

// TestHasHeader has files and a stream with and without a header.
func TestHasHeader(t *testing.T) {
	for text, want := range map[string]bool{
		"a.npy \x93NUMPY\x01\x00": true, "a.txt 2x3": false, "a.npy 2x3": true, "a GGUF\x03\x00\x00\x00": true,
	} {
		name, text, _ := strings.Cut(text, " ")
		file := Source{Name: name, File: strings.NewReader(text), Size: int64(len(text))}
		stream := Source{Name: name, Stream: strings.NewReader(text)}
		if file.HasHeader() != want || stream.HasHeader() {
			t.Errorf("%s with %q has a header: %v, want %v; a stream: %v", name, text, file.HasHeader(), want,
				stream.HasHeader())
		}
	}
}

// TestHeaderName has names that promise a file with a header.
func TestHeaderName(t *testing.T) {
	for name, want := range map[string]string{
		"a.npy": "npy", "d/A.NPY": "npy", "a.onnx": "onnx", "a.gguf": "gguf", "a.b.safetensors": "safetensors",
		"a.txt": "", "a": "", "npy": "", "a.npy.txt": "", "": "", "a.json": "", "a.npz": "",
	} {
		if got := headerName(name); got != want {
			t.Errorf("%s promises %q, want %q", name, got, want)
		}
	}
}

// TestModelByBytes reads an ONNX model with names that promise other formats.
func TestModelByBytes(t *testing.T) {
	model, err := layouttest.ONNX(`ir_version: 8 opset_import { version: 17 } graph { }`)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.onnx", "a.safetensors", "a.npy", "a.gguf", "a"} {
		in, err := Read(Source{Name: name, File: strings.NewReader(string(model)), Size: int64(len(model))}, Options{})
		if err != nil || len(in.Files) != 1 || in.Files[0].Kind != "onnx" {
			t.Errorf("%s: %+v, %v", name, in, err)
		}
	}
}

// TestAt checks the offset of the line and column of an error, and that there is no offset without a line or an input.
func TestAt(t *testing.T) {
	for _, tt := range []struct {
		text         string
		line, column int
		want         int // -1 for none
	}{
		{"ab\ncd\n", 1, 1, 0}, {"ab\ncd\n", 1, 2, 1}, {"ab\ncd\n", 2, 1, 3}, {"ab\ncd\n", 2, 2, 4}, {"ab", 0, 1, -1},
		{"", 1, 1, -1}, {"a\n\nb", 3, 1, 3},
	} {
		o := Origin{Data: []byte(tt.text)}
		if tt.text == "" {
			o.Data = nil
		}
		err := o.at(finding.Place{Line: tt.line, Column: tt.column}, "wrong", "right")
		var e *layout.SyntaxError
		if !errors.As(err, &e) || e.Msg != "wrong" || e.Hint != "right" || e.Input != tt.text && tt.want >= 0 ||
			e.Offset != max(tt.want, 0) || tt.want < 0 && e.Input != "" {
			t.Errorf("%q %d:%d: %+v", tt.text, tt.line, tt.column, err)
		}
	}
}

// deadEnd is a directory in which a path cannot be followed.
type deadEnd struct{ fs.FS }

func (deadEnd) Stat(name string) (fs.FileInfo, error) {
	return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrPermission}
}

// A linkFS has a link.
type linkFS struct{ fstest.MapFS }

func (linkFS) LinkOf(name string) string {
	if name == "l.bin" {
		return "a link to w.bin"
	}
	return ""
}

// TestIsPath distinguishes paths of files that may not exist from tensors.
func TestIsPath(t *testing.T) {
	for text, want := range map[string]bool{
		"model.pt": true, "a/b": true, `a\b`: true, "a.npy": true, "a.json": true, "config.pbtxt": true, "x.cpp": true,
		"2.5": false, "x.t": false, "x.T": false, "2x3": false, "a b.txt": false, "a": false, "": false, "NHWC": false,
		"memref<2x3xf32>": false, "f(a.pt)": false, "a=b.pt": false, "x.2d": false, "2x3/4": true, "a.": false,
	} {
		if isPath(text) != want {
			t.Errorf("%q is a path: %v", text, !want)
		}
	}
}

// An oddFS has files that cannot be opened, or not read at any place.
type oddFS struct {
	fstest.MapFS
	isShut bool
}

func (f oddFS) Open(name string) (fs.File, error) {
	file, err := f.MapFS.Open(name)
	if f.isShut {
		return nil, fs.ErrPermission
	}
	return struct{ fs.File }{file}, err
}

// TestShards has an index, and files of other kinds under its name.
func TestShards(t *testing.T) {
	const index = `{"weight_map": {"w": "a.safetensors", "v": "../b.safetensors", "u": "a.safetensors"}}`
	files := fstest.MapFS{"a.safetensors": {Data: []byte("x")}}
	for _, tt := range []struct {
		text, tensor string
		shards, path string // of the tensor; ! and words for an error
	}{
		{index, "w", "a.safetensors", "a.safetensors"}, {index, "v", "a.safetensors", "! which is not opened"},
		{index, "ww", "a.safetensors", "! does not name a tensor"},
		{index, "", "a.safetensors", "! an index of 3 tensors"},
		{"GGUF\x03\x00\x00\x00" + strings.Repeat("\x00", 16), "w", "", "m.safetensors.index.json"},
		{"{", "w", "", "! "},
	} {
		s := Source{Name: "m.safetensors.index.json", File: strings.NewReader(tt.text), Size: int64(len(tt.text)),
			Beside: files}
		if in, err := Read(s, Options{}); err == nil && strings.Join(in.Shards(), " ") != tt.shards {
			t.Errorf("%.40q has the shards %q, want %q", tt.text, in.Shards(), tt.shards)
		}
		shard, end, err := s.Shard(tt.tensor)
		if err == nil {
			end()
		}
		words, fails := strings.CutPrefix(tt.path, "! ")
		if fails != (err != nil) || fails && !strings.Contains(err.Error(), words) || !fails && shard.Name != tt.path {
			t.Errorf("%.40q: the shard of %q is %q, %v, want %s", tt.text, tt.tensor, shard.Name, err, tt.path)
		}
	}
	s := Source{Name: "m.safetensors.index.json", File: strings.NewReader(index), Size: int64(len(index))}
	if _, _, err := s.Shard("w"); err == nil || !strings.Contains(err.Error(), "no directory of shards") {
		t.Errorf("without a directory: %v", err)
	}
	if shard, _, err := (Source{Name: "a.npy"}).Shard("w"); err != nil || shard.Name != "a.npy" {
		t.Errorf("a file that is no index: %q, %v", shard.Name, err)
	}
}

// TestBesides has files next to a model, and the messages for files that cannot be opened.
func TestBesides(t *testing.T) {
	s := Source{Name: "m.onnx"}
	if s.Besides() != nil {
		t.Error("no files are beside a source without a directory")
	}
	s.Beside = fstest.MapFS{"w.bin": {Data: make([]byte, 12)}, "d": {Mode: fs.ModeDir}, "p": {Mode: fs.ModeNamedPipe}}
	if s.Besides() == nil {
		t.Fatal("files are beside a source with a directory")
	}
	for name, want := range map[string]string{
		"w.bin": "", "x.bin": "is missing", "d": "is a directory", "p": "is not a regular file",
	} {
		if d := s.DataFile(name); d.Missing != want || d.Size != 12 && want == "" {
			t.Errorf("%s: %q of %d bytes, want %q", name, d.Missing, d.Size, want)
		}
	}
	if d := s.DataFile("w.bin"); d.Model || d.Link != "" {
		t.Errorf("%+v is not the model, and no link", d)
	}
	data, end, err := s.Data(onnx.Place{Location: "w.bin"})
	if err != nil || data.Size != 12 || data.Name != "w.bin" {
		t.Errorf("the data of w.bin: %+v, %v", data, err)
	} else {
		end()
	}
	if _, _, err := s.Data(onnx.Place{Location: "x.bin"}); fmt.Sprint(err) != `"x.bin" is missing` {
		t.Errorf("the data of x.bin: %v", err)
	}
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:"
	links := linkFS{s.Beside.(fstest.MapFS)}
	links.MapFS["m.onnx"] = &fstest.MapFile{Data: []byte("x")}
	links.MapFS["l.bin"] = &fstest.MapFile{Data: []byte("x")}
	links.MapFS["lfs.bin"] = &fstest.MapFile{Data: []byte(pointer + strings.Repeat("a", 64) + "\nsize 12345\n")}
	s.Beside = links
	if d := s.DataFile("m.onnx"); !d.Model || d.Link != "" || d.Other != nil || d.Size != 1 {
		t.Errorf("the model itself: %+v", d)
	}
	if d := s.DataFile("l.bin"); d.Model || d.Link != "a link to w.bin" {
		t.Errorf("a link: %+v", d)
	}
	if d := s.DataFile("lfs.bin"); d.Size != 12345 || d.Other == nil || d.Other.Rule.Name != "lfs-pointer" {
		t.Errorf("a pointer of LFS: %+v", d)
	}
	for isShut, want := range map[bool]string{true: "cannot be opened", false: "cannot be read at any place"} {
		s.Beside = oddFS{links.MapFS, isShut}
		if d := s.DataFile("w.bin"); d.Missing != want {
			t.Errorf("%q, want %q", d.Missing, want)
		}
	}
	s.Beside = deadEnd{}
	if d := s.DataFile("w.bin"); d.Missing != "cannot be opened: permission denied" {
		t.Errorf("without permission: %q", d.Missing)
	}
}

// TestKeep has files in which the first or a later tensor differs in type from -t.
func TestKeep(t *testing.T) {
	const first = `{"DataType":"FLOAT16","Sizes":[2]}`
	for text, want := range map[string]string{
		first: "the text has float16 elements, but -t is uint8",
		`{"tensors":{"a":{"dtype":"u8","sizes":[2]},"b":{"dtype":"i32","sizes":[2]}},"version":1}`: "the text " +
			"has int32 elements, but -t is uint8",
		`{"DataType":"UINT8","Sizes":[2]}`: "",
		"(u8[2]{0}, s32[3]{0})":            "the text has int32 elements, but -t is uint8",
		"(u8[2]{0}, u8[3]{0})":             "",
	} {
		dtype, err := layout.ParseDType("uint8")
		if err != nil {
			t.Fatal(err)
		}
		name := "a.json"
		if text[0] == '(' {
			name = "a.txt"
		}
		in, err := Read(Source{Name: name, File: strings.NewReader(text), Size: int64(len(text))},
			Options{Options: notation.Options{DType: dtype, Typed: true}})
		if err == nil {
			err = in.Keep("")
		}
		if got := fmt.Sprint(err); got != want && (want != "" || err != nil) {
			t.Errorf("%s with -t uint8: %v, want %q", text, err, want)
		}
	}
}

// TestWords leaves the mark of UTF-8 out, which has three bytes, and nothing else.
func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"\xEF\xBB\xBFab c": "ab c", "ab c": "ab c", "\xEF\xBB": "\xEF\xBB", "": "", "\xEF": "\xEF",
		"\xFF\xFEa\x00b\x00": "ab", "\xEF\xBB\xBF\xEF\xBB\xBFa": "\xEF\xBB\xBFa",
	} {
		if got, err := io.ReadAll(Words(strings.NewReader(text))); err != nil || string(got) != want {
			t.Errorf("%q is read as %q, %v, want %q", text, got, err, want)
		}
	}
}

// TestUnheld has the findings of a tensor as notes: a line where it has one, and those of other tensors left out.
func TestUnheld(t *testing.T) {
	found := func(line int, severity finding.Severity, tensor, message string) finding.Finding {
		return finding.Finding{
			Severity: severity, Tensor: tensor, Message: message, Place: finding.Place{Line: line},
		}
	}
	in := &Input{Files: []*descriptor.File{{Findings: []finding.Finding{
		found(1, finding.Warning, "a", "first"), found(0, finding.Error, "a", "of all"),
		found(7, finding.Note, "a", "little"), found(3, finding.Error, "b", "other"), found(2, finding.Error, "a", "x"),
	}}}}
	got := in.unheld(&descriptor.Descriptor{Name: "a"}, layout.Tensor{})
	if want := "line 1: first; of all; line 2: x"; strings.Join(got, "; ") != want {
		t.Errorf("notes %q, want %q", got, want)
	}
}

// TestFilled gives open sizes their values, by name and then in order; sizes of 0 are not open.
func TestFilled(t *testing.T) {
	dims, names := []int64{5, 7}, map[string]int64{"N": 4}
	tests := []struct {
		sizes   []int64
		open    []string
		dims    []int64
		names   map[string]int64
		want    []int64
		refuses string
	}{
		{[]int64{0, -1, 3, -1}, []string{"", "", "", ""}, dims, nil, []int64{0, 5, 3, 7}, ""},
		{[]int64{-1, -1, -1}, []string{"", "N", ""}, dims, names, []int64{5, 4, 7}, ""},
		{[]int64{2, 3}, []string{"", ""}, nil, nil, []int64{2, 3}, ""},
		{[]int64{-1, 3}, []string{"N", ""}, nil, nil, nil, "size 0 (N) of x is open"},
		{[]int64{2, -1}, []string{"", ""}, nil, nil, nil, "size 1 of x is open"},
		{[]int64{2, -1}, []string{"", ""}, dims, nil, nil, "--dim has 2 values, and x has 1"},
		{[]int64{2, -1}, []string{"", ""}, dims[:1], names, nil, "--dim gives N a value, and x has no open size"},
	}
	for _, tt := range tests {
		in := &Input{options: Options{Options: notation.Options{Dims: tt.dims, Names: tt.names}}}
		x, err := in.filled(&descriptor.Descriptor{
			Name: "x", TypeKnown: true, Sizes: tt.sizes, Open: tt.open,
		})
		switch {
		case tt.refuses != "" && (err == nil || !strings.Contains(err.Error(), tt.refuses)):
			t.Errorf("%v: %v, want %q", tt.sizes, err, tt.refuses)
		case tt.refuses == "" && (err != nil || !slices.Equal(x.Tensor.Layout().Sizes(), tt.want)):
			t.Errorf("%v: %v, %v, want %v", tt.sizes, x.Tensor.Layout(), err, tt.want)
		}
	}
}

// TestDescribed checks the size of the storage. DirectML structs state it, and for other notations it is computed.
func TestDescribed(t *testing.T) {
	for name, want := range map[string]bool{"dml": false, "pytorch": true, "": true} {
		d := notation.Descriptor{}
		if name != "" {
			n, err := notation.Find(name)
			if err != nil {
				t.Fatal(err)
			}
			d.Notation = n
		}
		if got := d.State(textSource{}); got.Computed != want {
			t.Errorf("%q: computed %v, want %v", name, got.Computed, want)
		}
	}
}
