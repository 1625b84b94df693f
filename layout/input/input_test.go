package input_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/fstest"
	"testing/iotest"
	"unicode/utf16"
	"unicode/utf8"

	"layoutcalc/layout"
	"layoutcalc/layout/input"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/tensorfile"
)

const (
	model  = `{"DataType":"FLOAT32","Sizes":[1,1,2,3],"Strides":[8,8,4,1]}`
	config = "version: 1\ntensors:\n  a: {dtype: float16, sizes: 2x3, layout: HW}\n  b: {dtype: u8, sizes: [4]}\n"
	lines  = `{"name":"a","DataType":"FLOAT16","Sizes":[2,3]}` + "\n\n" +
		`{"name":"b","dtype":"u8","sizes":[4],"strides":[2]}` + "\n"
	log = "hello\nonednn_verbose,v1,info,oneDNN v3.8.0\n" +
		"onednn_verbose,v1,primitive,exec,cpu,reorder,jit:uni,undef," +
		"src:f32::blocked:ab::f0 dst:f32::blocked:ba::f0,,,2x3,0.1\n"
	answer = `{"schemaVersion":1,"command":"strides","tensor":{"layout":"WH","axes":["H","W"],"sizes":[2,3],` + "\n" +
		`"strides":[1,2],"base":0,"dtype":"float32",` +
		`"digits":[[{"extent":2,"stride":1}],[{"extent":3,"stride":2}]],"elements":6},"notes":[]}` + "\n"
	twice = `UINT sizes[2] = {2, 3}; DML_BUFFER_TENSOR_DESC desc = ` +
		"{DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 2, sizes, nullptr, 24, 0};\n" +
		`UINT sizes[2] = {2, 4}; DML_BUFFER_TENSOR_DESC desc = ` +
		"{DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 2, sizes, nullptr, 24, 0};\n"
	npyDict = "{'descr': '<f2', 'fortran_order': True, 'shape': (2, 3), }"
)

// utf16Text returns text in the encoding of Windows PowerShell.
func utf16Text(text string) string {
	data := []byte{0xFF, 0xFE}
	for _, unit := range utf16.Encode([]rune(text)) {
		data = binary.LittleEndian.AppendUint16(data, unit)
	}
	return string(data)
}

// npy is a file of the format with zeros as data.
func npy() string {
	header := npyDict + strings.Repeat(" ", 128-10-1-len(npyDict)) + "\n"
	return "\x93NUMPY\x01\x00" + string([]byte{byte(len(header)), 0}) + header + strings.Repeat("\x00", 12)
}

// TestRead checks the kind of strings and files with various contents and names.
func TestRead(t *testing.T) {
	tests := []struct {
		name, text string
		want       input.Kind
		strides    string // of the tensor that is chosen
		tensor     string
		reason     string
	}{
		{text: "2x3", want: input.Shape, strides: "3,1", reason: "a shape"},
		{text: "\xFF\xFE2\x00x\x003\x00\r\x00\n\x00", want: input.Shape, strides: "3,1", reason: "UTF-16 of Windows"},
		{text: "2\x00x\x003\x00", want: input.Shape, strides: "3,1", reason: "UTF-16 without its mark"},
		{text: "\xFE\xFF\x002\x00x\x003", want: input.Shape, strides: "3,1", reason: "UTF-16, big-endian"},
		{text: "\x002\x00x\x003", want: input.Shape, strides: "3,1", reason: "the same without its mark"},
		{text: "shape=(2, 3)", want: input.Shape, strides: "3,1", reason: "the name of an attribute before it"},
		{text: "size: torch.Size([2, 3])", want: input.Shape, strides: "3,1", reason: "and a colon"},
		{text: "  2x3\n", want: input.Shape, strides: "3,1", reason: "with blanks around it"},
		{text: "2x3 WH", want: input.Shape, strides: "1,2", reason: "a shape and a layout"},
		{text: "[2, 3] WH", want: input.Shape, strides: "1,2", reason: "blanks in the shape"},
		{text: "2x3\nWH\n", want: input.Shape, strides: "1,2", reason: "the layout on a line of its own"},
		{text: "f32[2,3]{0,1}", want: input.Notation, strides: "1,2", reason: "a notation"},
		{text: "\n\tf32[2,3]{0,1}\n\n", want: input.Notation, strides: "1,2", reason: "with blanks around it"},
		{text: log, want: input.Log, strides: "3,1", tensor: "src", reason: "a log"},
		{text: log, want: input.Log, strides: "1,2", tensor: "3:dst", reason: "a log; a name with its line"},
		{name: "a.txt", text: model, want: input.Document, strides: "8,8,4,1", reason: "a descriptor"},
		{
			text: "{\"a\": " + model + "}", want: input.Document, strides: "8,8,4,1", tensor: "a",
			reason: "in another object",
		},
		{text: config, want: input.Document, strides: "3,1", tensor: "a", reason: "a configuration"},
		{
			name: "a.cfg", text: config, want: input.Document, strides: "1", tensor: "b",
			reason: "a configuration under another name",
		},
		{
			name: "a.yaml", text: "{version: 1, tensors: {a: {dtype: u8, sizes: 2x3}}}", want: input.Document,
			strides: "3,1", reason: "YAML by its name",
		},
		{
			name: "a.json", text: `{"version":1,"tensors":{"a":{"dtype":"u8","sizes":"2x3"}}}`, want: input.Document,
			strides: "3,1", reason: "in JSON",
		},
		{text: lines, want: input.Lines, strides: "3,1", tensor: "a", reason: "JSON Lines"},
		{text: lines, want: input.Lines, strides: "2", tensor: "3", reason: "JSON Lines, by the number of the line"},
		{name: "a.ndjson", text: model, want: input.Lines, strides: "8,8,4,1", reason: "one line, by its name"},
		{text: `{"dtype":"u8","sizes":[2,3]}`, want: input.Lines, strides: "3,1", reason: "one line, by its keys"},
		{name: "a.npy", text: npy(), want: input.TensorFile, strides: "1,2", reason: "a tensor file"},
		{text: npy(), want: input.TensorFile, strides: "1,2", reason: "by its first bytes"},
		{name: "a.dat", text: npy(), want: input.TensorFile, strides: "1,2", reason: "under another name"},
		{text: "\xEF\xBB\xBF2x3", want: input.Shape, strides: "3,1", reason: "a byte order mark"},
		{name: "a.json", text: "2x3 WH\n", want: input.Shape, strides: "1,2", reason: "the form decides, not the name"},
		{name: "a.yaml", text: "2x3 WH\n", want: input.Shape, strides: "1,2", reason: "the form decides"},
		{name: "a.jsonl", text: "2x3 WH\n", want: input.Shape, strides: "1,2", reason: "the form decides"},
		{name: "a.npy", text: "2x3 WH\n", want: input.Shape, strides: "1,2", reason: "the form decides"},
		{name: "a.npy", text: utf16Text("2x3 WH\r\n"), want: input.Shape, strides: "1,2", reason: "UTF-16 is a text"},
		{name: "a.txt", text: utf16Text(lines), want: input.Lines, strides: "2", tensor: "b", reason: "in UTF-16"},
		{name: "a.jsonl", text: utf16Text(lines), want: input.Lines, strides: "2", tensor: "b", reason: "in UTF-16"},
		{
			name: "a.jsonl", text: `{"shape": [2, 3], "strides": [1, 2], "dtype": "float32"}`, want: input.Notation,
			strides: "1,2", reason: "one object that is not a descriptor but a tensor in a notation",
		},
		{
			name: "a.json", text: "{'shape': (2, 3), 'typestr': '<f4', 'strides': (4, 8)}", want: input.Notation,
			strides: "1,2", reason: "a dictionary of Python",
		},
		{
			name: "a.json", text: "UINT a[] = {2, 3};\nDML_BUFFER_TENSOR_DESC d = {DML_TENSOR_DATA_TYPE_INT8, " +
				"DML_TENSOR_FLAG_NONE, 2, a}; // DataType", want: input.Notation, strides: "3,1",
			reason: "C++ with the name of a field",
		},
		{name: "a.gguf", text: "f32[2,3]{0,1}", want: input.Notation, strides: "1,2", reason: "the form decides"},
		{name: "a.json", text: "f32[2,3]{0,1}", want: input.Notation, strides: "1,2", reason: "the form decides"},
		{name: "a.json", text: log, want: input.Log, strides: "3,1", tensor: "src", reason: "the form decides"},
		{name: "a.json", text: lines, want: input.Lines, strides: "2", tensor: "b", reason: "the form decides"},
		{name: "a.yaml", text: lines, want: input.Lines, strides: "2", tensor: "b", reason: "the form decides"},
		{name: "a.npy", text: lines, want: input.Lines, strides: "2", tensor: "b", reason: "the form decides"},
		{
			name: "a.jsonl", text: "{\"version\":1,\n\"tensors\":{\"a\":{\"dtype\":\"u8\",\"sizes\":\"2x3\"}}}",
			want: input.Document, strides: "3,1", reason: "a document under the name of lines",
		},
		{
			name: "a.json", text: "{\"a\": " + model + "}", want: input.Document, strides: "8,8,4,1", tensor: "a",
			reason: "a descriptor by name",
		},
		{
			text: "{\n" + model[1:] + "\n" + model, want: input.Document, strides: "8,8,4,1", tensor: "1",
			reason: "two descriptors, one after the other",
		},
		{text: answer, want: input.Notation, strides: "1,2", reason: "an answer of the program"},
		{name: "a.json", text: answer, want: input.Notation, strides: "1,2", tensor: "tensor", reason: "an answer"},
		{text: answer + answer, want: input.Notation, strides: "1,2", tensor: "tensor", reason: "two answers"},
		{text: npyDict, want: input.Notation, strides: "1,2", reason: "the header alone is a notation"},
	}
	for _, tt := range tests {
		sources := map[string]input.Source{
			"file":   {Name: tt.name, File: strings.NewReader(tt.text), Size: int64(len(tt.text))},
			"stream": {Name: tt.name, Stream: iotest.OneByteReader(strings.NewReader(tt.text))},
		}
		for kind, s := range sources {
			in, err := input.Read(s, input.Options{})
			if err != nil || in.Kind != tt.want {
				t.Errorf("the %s %q %q is of kind %d (%v): %s", kind, tt.name, tt.text, in.Kind, err, tt.reason)
				continue
			}
			x, err := in.Tensor(tt.tensor)
			if err != nil {
				t.Errorf("the %s %q %q has no tensor %q: %v: %s", kind, tt.name, tt.text, tt.tensor, err, tt.reason)
				continue
			}
			strides, _ := x.Layout().LinearStrides()
			if got := layout.JoinInts(strides, ","); got != tt.strides {
				t.Errorf("the %s %q %q: strides %s, want %s: %s", kind, tt.name, tt.text, got, tt.strides, tt.reason)
			}
		}
	}
}

// TestReadFails checks errors and their lines.
func TestReadFails(t *testing.T) {
	tests := []struct{ name, text, want, reason string }{
		{name: "a.txt", text: "", want: "a.txt: the text is empty", reason: "nothing"},
		{name: "-", text: "\xEF\xBB\xBF\r\n", want: "the text is empty", reason: "blanks and a mark"},
		{name: "a.json", text: "", want: "a.json: the text ends", reason: "an empty document"},
		{name: "a.bin", text: "\x7FELF\x02\x01\x00", want: "a.bin: a program or a library (ELF)", reason: "a program"},
		{name: "a.json", text: "\x01\x7FE\x02\x01\x00", want: "a.json: a byte of 0: this is data", reason: "data"},
		{name: "a.json", text: utf16Text("{}"), want: "a.json: it is neither a configuration", reason: "in UTF-16"},
		{name: "a.txt", text: "2x3\n4x5\n", want: "a.txt:2: a second shape", reason: "two shapes"},
		{name: "a.txt", text: "2x3\r\n\r\n4,5\r\n6", want: "a.txt:3: a second shape", reason: "three shapes"},
		{name: "a.txt", text: "hello", want: "a.txt: ", reason: "neither a shape nor a notation"},
		{name: "a.json", text: "{}", want: "a.json: it is neither a configuration", reason: "JSON of another program"},
		{name: "a.json", text: "{\n\"a\": [1,\n", want: "a.json:", reason: "JSON that ends too early"},
		{name: "a.txt", text: "\nf32[2,\n3]{0,9}", want: "a.txt:3: ", reason: "the third line"},
		{name: "-", text: "f32[2,3]{0,9}", reason: "standard input has no name"},
		{name: "a.npy", text: "\x93NUMPY\x01\x00", want: "a.npy: byte 8: ", reason: "a header that is not there"},
		{
			name: "a.txt", text: strings.Repeat("1", 70_000), want: "a.txt: input of more than 65536 bytes",
			reason: "the limit of a text",
		},
		{
			name: "a.json", text: strings.Repeat(" ", input.MaxText+1), want: "a.json: it is longer than the limit",
			reason: "the limit of a document",
		},
	}
	for _, tt := range tests {
		in, err := input.Read(input.Source{Name: tt.name, Stream: strings.NewReader(tt.text)}, input.Options{})
		if err = in.Locate(err); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s with %.40q: %v, want %q: %s", tt.name, tt.text, err, tt.want, tt.reason)
		}
	}
}

// zeros reads zeros without end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestLongStreams has files of more bytes than are kept of a stream: their sizes are counted, to the last byte.
func TestLongStreams(t *testing.T) {
	t.Parallel()
	layouttest.SkipUnlessAll(t, "the input is large")
	const dict, bytes = "{'descr': '<f4', 'fortran_order': False, 'shape': (9000000,), }", 36_000_000
	header := "\x93NUMPY\x01\x00\x76\x00" + dict + strings.Repeat(" ", 0x76-1-len(dict)) + "\n"
	for missing, want := range map[int64]string{0: "", 1: "1 byte too few", -1: "1 byte too many"} {
		stream := io.MultiReader(strings.NewReader(header), io.LimitReader(zeros{}, bytes-missing))
		in, err := input.Read(input.Source{Name: "-", Stream: stream}, input.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range in.Files[0].Findings {
			got += f.Message
		}
		if !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%d bytes missing: %q, want %q", missing, got, want)
		}
	}
	json := `{"__metadata__":{"x":"` + strings.Repeat("x", 34<<20) + `"},"w":{"dtype":"U8","shape":[2],` +
		`"data_offsets":[0,2]}}`
	long := string(binary.LittleEndian.AppendUint64(nil, uint64(len(json)))) + json + "ab"
	in, err := input.Read(input.Source{Name: "-", Stream: strings.NewReader(long)}, input.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if x, err := in.Tensor("w"); err != nil || x.Layout().String() != "[2:1]+0" {
		t.Errorf("a header of 34 MB: %v, %v", x.Layout(), err)
	}
}

// A countedFile counts how often it is read, and how many bytes.
type countedFile struct {
	io.ReaderAt
	reads, bytes int
}

func (f *countedFile) ReadAt(p []byte, at int64) (int, error) {
	f.reads++
	f.bytes += len(p)
	return f.ReaderAt.ReadAt(p, at)
}

// TestShortFiles reads files of at most 64 KB at once.
func TestShortFiles(t *testing.T) {
	for size, atOnce := range map[int]bool{3: true, 64 << 10: true, 64<<10 + 1: false} {
		file := &countedFile{ReaderAt: strings.NewReader("2x3" + strings.Repeat(" ", size-3))}
		_, err := input.Read(input.Source{Name: "a.txt", File: file, Size: int64(size)}, input.Options{})
		if err != nil || (file.reads == 1) != atOnce {
			t.Errorf("a file of %d bytes is read %d times, %v", size, file.reads, err)
		}
	}
}

// TestHeadersAlone reads the header of a file, and not its data.
func TestHeadersAlone(t *testing.T) {
	const dict, bytes = "{'descr': '<f4', 'fortran_order': False, 'shape': (1000, 1000), }", 4_000_000
	header := "\x93NUMPY\x01\x00\x76\x00" + dict + strings.Repeat(" ", 0x76-1-len(dict)) + "\n"
	file := &countedFile{ReaderAt: strings.NewReader(header + strings.Repeat("x", bytes))}
	in, err := input.Read(input.Source{Name: "a.npy", File: file, Size: int64(len(header)) + bytes}, input.Options{})
	if err != nil || len(in.Files[0].Findings) > 0 || file.bytes > bytes/10 {
		t.Errorf("%d bytes are read: %v", file.bytes, err)
	}
}

// TestReadBroken has a stream that breaks off. Its beginning must not be treated as the whole input.
func TestReadBroken(t *testing.T) {
	for _, text := range []string{"", "2x3", config, npy(), lines} {
		broken := io.MultiReader(strings.NewReader(text), iotest.ErrReader(errors.New("broken off")))
		in, err := input.Read(input.Source{Name: "-", Stream: broken}, input.Options{})
		if err == nil {
			_, err = in.Tensor("a")
		}
		if !errors.Is(err, input.ErrBroken) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestDecode compares the reading of UTF-16, in pieces, with package utf16.
func TestDecode(t *testing.T) {
	texts := []string{
		"", "2", "2x3\r\n", "é🙂x",
		strings.Repeat("1x2x3 ", 2000), strings.Repeat("a🙂", 3000), "\uFEFF2x3", "x\uFEFFy",
	}
	for _, text := range texts {
		want := strings.TrimPrefix(text, "\uFEFF")
		data := utf16Text(want)
		swapped := []byte(data)
		for i := 0; i < len(swapped); i += 2 {
			swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
		}
		for name, r := range map[string]io.Reader{
			"UTF-16": strings.NewReader(data), "in bytes": iotest.OneByteReader(strings.NewReader(data)),
			"big-endian": bytes.NewReader(swapped), "in halves": iotest.HalfReader(bytes.NewReader(swapped)),
			"UTF-8": strings.NewReader(want), "UTF-8 with a mark": strings.NewReader(text),
		} {
			if got, err := io.ReadAll(input.Words(r)); err != nil || string(got) != want {
				t.Errorf("%.20q as %s: %.40q, %v", text, name, got, err)
			}
		}
	}
	units := []uint16{'a', 0xD800, 'b', 0xDC00, 0xD83D, 0xD83D, 0xDE42, 0xD800} // halves of characters
	data := binary.LittleEndian.AppendUint16(nil, 0xFEFF)
	for _, unit := range units {
		data = binary.LittleEndian.AppendUint16(data, unit)
	}
	want := string(utf16.Decode(units))
	if got, err := io.ReadAll(input.Decode(bytes.NewReader(data))); string(got) != want || err != nil {
		t.Errorf("halves of characters: %q, want %q, %v", got, want, err)
	}
	odd := append(data[:4:4], 'x')
	got, err := io.ReadAll(input.Decode(bytes.NewReader(odd)))
	if string(got) != "a"+string(utf8.RuneError) || err != nil {
		t.Errorf("an odd number of bytes: %q, %v", got, err)
	}
}

// TestUnused checks that values for open sizes, and the name of a tensor, are rejected if the input does not use them.
func TestUnused(t *testing.T) {
	tests := []struct{ name, text string }{
		{"", "2x3"}, {"", "2x3 WH"}, {"a.txt", log}, {"a.json", model}, {"a.yaml", config}, {"a.jsonl", lines},
		{"a.npy", npy()}, {"", "f32[2,3]{0,1}"}, {"a.txt", "memref<2x3xf32>"},
	}
	for _, tt := range tests {
		for _, o := range []notation.Options{{Dims: []int64{4}}, {Names: map[string]int64{"N": 4}}} {
			s := input.Source{Name: tt.name, File: strings.NewReader(tt.text), Size: int64(len(tt.text))}
			_, err := input.Read(s, input.Options{Options: o})
			if err == nil || !strings.Contains(err.Error(), "--dim") {
				t.Errorf("%s with %q and %v: %v", tt.name, tt.text, o, err)
			}
		}
	}
	for _, text := range []string{"2x3", "2x3 WH", "f32[2,3]{0,1}"} {
		in, err := input.Text(text, input.Options{})
		if err == nil {
			err = in.Keep("a")
		}
		if err == nil || err.Error() != "the text describes one tensor, which has no name" {
			t.Errorf("%q kept: %v", text, err)
		}
	}
}

// TestTypedShapes reads a shape and an element type in one argument. The number of bytes must match the type.
func TestTypedShapes(t *testing.T) {
	for _, tt := range []struct {
		text, dtype string
		bytes       int64
	}{
		{"torch.Size([1, 3, 4, 5]) half", "float16", 120}, {"1x3x4x5 long", "int64", 480},
		{"1x2x3x4 byte", "uint8", 24}, {"1x3x4x5 short", "int16", 120}, {"1x3x4x5 float", "float32", 240},
		{"2x3x4 int", "int32", 96}, {"[1, 3, 224, 224] float32", "float32", 602112}, {"2x3 f16", "float16", 12},
		{"(2,3) int64", "int64", 48}, {"torch.Size([2, 3, 4]) torch.float16", "float16", 48},
		{"2x3\nu8\n", "uint8", 6},
	} {
		in, err := input.Text(tt.text, input.Options{})
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		x, err := in.Tensor("")
		if err != nil || x.DType().String() != tt.dtype || x.Bytes(x.Storage()) != tt.bytes || !x.Typed {
			t.Errorf("%s: %v of %d elements, %v; want %s, %d bytes", tt.text, x.DType(), x.Storage(), err, tt.dtype,
				tt.bytes)
		}
		o := input.Options{Options: notation.Options{DType: x.DType(), Typed: true}}
		o.DType, err = layout.ParseDType("complex128")
		if in, wrong := input.Text(tt.text, o); err != nil || wrong != nil {
			t.Errorf("%s: %v", tt.text, wrong)
		} else if _, err = in.Tensor(""); err == nil || !strings.Contains(err.Error(), "-t is complex128") {
			t.Errorf("%s with another type: %v", tt.text, err)
		}
	}
}

// TestTensorNames chooses among several tensors.
func TestTensorNames(t *testing.T) {
	const two = `{"dispatchables":{"x":{"type":"DML_OPERATOR_ELEMENT_WISE_IDENTITY","desc":{` +
		`"InputTensor":{"DataType":"UINT8","Sizes":[2,3]},` +
		`"OutputTensor":{"DataType":"UINT8","Sizes":[2,3],"Strides":[4,1]}}},` +
		`"y":{"type":"DML_OPERATOR_ELEMENT_WISE_IDENTITY","desc":{"InputTensor":{"DataType":"UINT8","Sizes":[5]}}}}}`
	tests := []struct{ text, name, want, reason string }{
		{
			text: two, want: "the text describes 3 tensors: x.InputTensor, x.OutputTensor, y.InputTensor",
			reason: "none is named",
		},
		{text: two, name: "x.OutputTensor", want: "4,1", reason: "the whole name"},
		{text: two, name: "OutputTensor", want: "4,1", reason: "its last part"},
		{text: two, name: "InputTensor", want: `the names of 2 tensors end in "InputTensor"`, reason: "two end so"},
		{
			text: two, name: "z", want: "the text does not describe a tensor of that name",
			reason: "no tensor has the name",
		},
		{text: lines, want: "the text describes 2 tensors: a, b", reason: "lines"},
		{text: answer + answer, want: "the text describes 2 tensors: tensor, tensor#2", reason: "of one name"},
		{text: twice, want: "the text describes 2 tensors: desc, desc#2", reason: "of one name"},
		{text: twice, name: "desc#2", want: "4,1", reason: "the second of a name, and its own array of two"},
		{text: twice, name: "desc", want: "3,1", reason: "the first of a name"},
		{text: log, want: "the text describes 2 tensors: 3:src, 3:dst", reason: "lines of a log are numbered"},
		{text: "(f32[2,3]{0,1}, f32[4])", name: "1", want: "1", reason: "by position where there are no names"},
		{
			text: "2x3", name: "a", want: "the text describes one tensor, which has no name",
			reason: "a shape has no name",
		},
	}
	for _, tt := range tests {
		in, err := input.Text(tt.text, input.Options{})
		if err != nil {
			t.Fatalf("%q: %v", tt.text, err)
		}
		x, err := in.Tensor(tt.name)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			strides, _ := x.Layout().LinearStrides()
			got = layout.JoinInts(strides, ",")
		}
		if got != tt.want {
			t.Errorf("%q of %.30q: %s, want %s: %s", tt.name, tt.text, got, tt.want, tt.reason)
		}
	}
}

// TestFieldNames reads a descriptor as a document and in a notation: either way the names of fields are DirectML's
// own, and one that is almost such a name is noted.
func TestFieldNames(t *testing.T) {
	const start = `{"DataType":"FLOAT32","Sizes":[2,3],`
	tests := []struct{ field, strides, note string }{
		{`"Strides":[1,2]}`, "1,2", ""},
		{`"strides":[1,2]}`, "3,1", `"strides" is not Strides: the program ignores it`},
		{`"STRIDES":[1,2]}`, "3,1", `"STRIDES" is not Strides: the program ignores it`},
		{`"Stride":[1,2]}`, "3,1", `"Stride" is not Strides: the program ignores it`},
		{`"Strides":[1,2],"strides":[8,8]}`, "1,2", `"strides" is not a field of DirectML: the program ignores it`},
		{`"comment":[1,2]}`, "3,1", `"comment" is not a field of DirectML: the program ignores it`},
		{`"Padding":4}`, "3,1", `"Padding" is not a field of DirectML: the program ignores it`},
		{`"name":"a"}`, "3,1", ""},
		{`"layout":"WH"}`, "3,1", `"layout" is not a field of DirectML: the program ignores it`},
		{`"storageOffset":4}`, "3,1", `"storageOffset" is not a field of DirectML: the program ignores it`},
	}
	for _, tt := range tests {
		dx, err := notation.Find("dxdispatch")
		if err != nil {
			t.Fatal(err)
		}
		for _, from := range []*notation.Notation{nil, dx} {
			in, err := input.Text(start+tt.field, input.Options{From: from})
			if err != nil {
				t.Fatalf("%s, with a notation %t: %v", tt.field, from != nil, err)
			}
			x, err := in.Tensor("")
			strides, _ := x.Layout().LinearStrides()
			notes := strings.Join(x.Notes, "; ")
			if err != nil || layout.JoinInts(strides, ",") != tt.strides || (notes == "") != (tt.note == "") ||
				!strings.Contains(notes, tt.note) {
				t.Errorf("%s, with a notation %t: strides %v, notes %q, %v; want %s and %q", tt.field, from != nil,
					strides, notes, err, tt.strides, tt.note)
			}
		}
	}
}

// TestLinesNotes checks notes on ignored members of a line and on lines that cannot be read.
func TestLinesNotes(t *testing.T) {
	tests := []struct{ text, strides, note string }{
		{`{"DataType":"FLOAT32","Sizes":[2,3],"Strides":[1,2]}`, "1,2", ""},
		{`{"DataType":"FLOAT32","Sizes":[2,3],"strides":[1,2]}`, "3,1", `line 1: "strides" is not Strides: it is not`},
		{`{"strides":[1,2],"Sizes":[2,3],"DataType":"FLOAT32"}`, "3,1", `line 1: "strides" is not Strides: it is not`},
		{`{"dtype":"f32","sizes":[2,3],"Strides":[1,2]}`, "3,1", `line 1: "Strides" is not strides: it is not used`},
		{`{"dtype":"f32","sizes":[2,3],"sizes":[3,3]}`, "3,1", `line 1: "sizes" is stated before, which counts`},
		{
			`{"name":"a","dtype":"f32","sizes":[2,3],"stride":[1,2]}` + "\n" + `{"dtype":"f32","sizes":[5]}`, "1",
			`lines that are not read: 1; line 1: "stride" is not a name of a field: it would be ignored`,
		},
		{
			`{"dtype":"f32","sizes":[5]}` + "\n" + `{"DataType":"FLOAT32","sizes":[2,3]}`, "1",
			`lines that are not read: 1; line 2: "sizes" is not Sizes: it is not used`,
		},
	}
	for _, tt := range tests {
		in, err := input.Read(input.Source{Name: "a.jsonl", Stream: strings.NewReader(tt.text)}, input.Options{})
		if err != nil {
			t.Fatalf("%s: %v", tt.text, err)
		}
		x, err := in.Tensor("")
		strides, _ := x.Layout().LinearStrides()
		notes := strings.Join(x.Notes, "; ")
		if err != nil || layout.JoinInts(strides, ",") != tt.strides || (notes == "") != (tt.note == "") ||
			!strings.Contains(notes, tt.note) {
			t.Errorf("%s: strides %v, notes %q, %v; want %s and %q", tt.text, strides, notes, err, tt.strides, tt.note)
		}
	}
}

// TestOthersJSON checks that JSON of other programs is named as such, in all kinds of inputs, and that a descriptor
// with an error is not.
func TestOthersJSON(t *testing.T) {
	const neither = "it is neither a configuration of layoutcalc nor a DxDispatch model"
	tests := []struct{ text, want, reason string }{
		{`{"model": {"vocab": {"DataType": 6, "x": 1}}}`, neither, "the words of a tokenizer"},
		{`{"model": {"vocab": {"Sizes": 6, "Strides": 1}}}`, neither, "the words of a tokenizer"},
		{`{"version": "1", "model": {"vocab": {"DataType": 5, "shape": 8, "strides": 9}}}`, neither, "and its version"},
		{`{"a": 1}`, neither, "anything"},
		{`[{"kind": "Pod"}, {"DataType": 1}]`, neither, "a list"},
		{`{"a": {"DataType": "FLOAT32"}}`, `the member "Sizes" is required`, "a descriptor"},
		{`{"a": {"Desc": {"Sizes": [2]}}}`, `the member "DataType" is required`, "a descriptor in its wrapper"},
		{`{"model": {"vocab": {"Sizes": [1]}, "DataType": 5}}`, `the member "DataType" is required`, "in doubt"},
		{`{"shape": [2, "x"], "strides": [1, 1]}`, "the size is not a number: x is not known", "an array"},
	}
	for _, tt := range tests {
		for _, name := range []string{"", "a.txt"} {
			in, err := input.Read(input.Source{Name: name, Stream: strings.NewReader(tt.text)}, input.Options{})
			if err == nil {
				_, err = in.Tensor("")
			}
			if err == nil || strings.TrimPrefix(err.Error(), name+": ") != tt.want {
				t.Errorf("%q with %s is of kind %d: %v, want %s: %s", name, tt.text, in.Kind, err, tt.want, tt.reason)
			}
		}
	}
}

// TestMisspelt reads named files that would be configurations except for one wrong letter. The error must name the key.
// Files in directories, and documents with keys of other programs, are not ours.
func TestMisspelt(t *testing.T) {
	for _, tt := range []struct{ text, want, reason string }{
		{"version: 1\nfiles: {m: {fil: a.npy}}\n", `"fil" is not a key of an entry of files`, "a key below"},
		{"version: 1\ntensor: {a: {dtype: f32}}\n", `"tensor" is not a key of a configuration`, "a letter less"},
		{"version: 1\ntensors: {a: {dtype: f32, size: 1}}\n", `"size" is not a key of a tensor`, "a key of a tensor"},
		{"version: 1\nx-mine: {}\nbudgetss: {}\n", `"budgetss" is not a key of a configuration`, "and a key of others"},
		{"version: 1\nservices: {a: {}}\n", "", "another program's"},
		{"version: 1\ntensor: {}\nservices: {}\n", "", "both"},
		{"version: 2\ntensor: {}\n", "", "another version"},
		{"version: '1'\ntensor: {}\n", "", "a version that is a text"},
		{"version: 1\n", "", "nothing else"},
		{"version: 1\ndescription: words\n", "", "no tensors"},
	} {
		for _, foreign := range []bool{false, true} {
			s := input.Source{Name: "a.yaml", Stream: strings.NewReader(tt.text), Foreign: foreign}
			in, err := input.Read(s, input.Options{})
			isOurs := strings.Contains(tt.text, "tensors:")
			if want := tt.want != "" && (!foreign || isOurs); want != (err == nil) {
				t.Errorf("%s: in a directory %t: %v", tt.reason, foreign, err)
			} else if want {
				found := ""
				for _, f := range in.Files[0].Findings {
					found += f.Message + "\n"
				}
				if !strings.Contains(found, tt.want+"\n") {
					t.Errorf("%s: found are %q", tt.reason, found)
				}
			}
		}
	}
}

// TestForeign checks that files of other programs in a directory are ignored.
func TestForeign(t *testing.T) {
	tests := []struct {
		name, text string
		foreign    bool
	}{
		{"package.json", `{"name": "x", "version": "1"}`, true},
		{"package.json", `{"name": "tensors"}`, true},
		{"a.yaml", "on: push\njobs: {}\n", true},
		{"a.jsonl", `{"event": "start"}`, true},
		{"a.json", model, false},
		{"a.yaml", config, false},
		{"a.jsonl", lines, false},
		{"a.npy", npy(), false},
	}
	for _, tt := range tests {
		s := input.Source{Name: tt.name, File: strings.NewReader(tt.text), Size: int64(len(tt.text)), Foreign: true}
		_, err := input.Read(s, input.Options{})
		if (err == input.ErrForeign) != tt.foreign || err != nil && !tt.foreign {
			t.Errorf("%s with %q: %v", tt.name, tt.text, err)
		}
	}
}

// TestForeignTexts reads strings that are not tensors as arguments. Each must be rejected, or a note must name the
// ignored part.
func TestForeignTexts(t *testing.T) {
	data, err := os.ReadFile("../notation/testdata/foreign.txt")
	if err != nil {
		t.Fatal(err)
	}
	for text := range strings.Lines(string(data)) {
		text = strings.TrimSuffix(text, "\n")
		if text == "(1)" || text == "2 * 3" {
			continue // these are shapes as well
		}
		in, err := input.Text(text, input.Options{})
		if err != nil {
			continue
		}
		if x, err := in.Tensor(""); err == nil && len(x.Notes) == 0 {
			t.Errorf("%s\nis read without a note: %v %v", text, x.Layout().Sizes(), x.Layout().AxisNames())
		}
	}
}

// TestAssignments distinguishes labelled sizes from numbers of a program.
func TestAssignments(t *testing.T) {
	for text, want := range map[string]string{
		"batch=8,seq=128": "", "num_heads=32,head_dim=64": "",
		"N=4": "", "N=1,H=224,W=224,C=3": "", "seq=128 f16": "", "seq=128 row-major": "",
		"width=640, height=480,": "",
		"batch_size=32,":         "one name with a number is an assignment",
		"step_size = 3":          "one name with a number is an assignment",
		"DIM_3D = 4,":            "one name with a number is an assignment",
		"TEXTURE3D = 4,":         "one name with a number is an assignment",
		"N = 4,":                 "one name with a number is an assignment",
		"size = 3":               "one name with a number is an assignment",
		"PATCH_STRIDE=4":         "PATCH_STRIDE is not the name of an axis",
		"k=7, stride=2":          "stride is not the name of an axis",
		"num_warps=4, stages=2":  "num_warps is not the name of an axis",
	} {
		_, err := input.Text(text, input.Options{})
		if got := fmt.Sprint(err); want == "" && err != nil || !strings.HasPrefix(got, want) && want != "" {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestNothing: an empty JSON value is not the shape of a scalar, where a program wrote it; as an argument [] is one.
func TestNothing(t *testing.T) {
	for _, text := range []string{"{}", "[]", " [ ]\n", "null", `""`, "[{}]", "\uFEFF{}\n"} {
		_, err := input.Read(input.Source{Stream: strings.NewReader(text)}, input.Options{})
		if err == nil || !strings.Contains(err.Error(), "has no tensor") {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"()", "torch.Size([])"} {
		if _, err := input.Read(input.Source{Stream: strings.NewReader(text)}, input.Options{}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := input.Text("[]", input.Options{}); err != nil {
		t.Error(err)
	}
}

// A blankFile is a file of spaces that counts how many of them are read.
type blankFile struct{ read int }

func (b *blankFile) ReadAt(p []byte, _ int64) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	b.read += len(p)
	return len(p), nil
}

// TestLongTexts has files larger than every limit, in any encoding. They must be rejected without being read.
func TestLongTexts(t *testing.T) {
	for _, name := range []string{"a.json", "a.layoutcalc.yaml", "model.safetensors.index.json", "a.txt"} {
		file := new(blankFile)
		_, err := input.Read(input.Source{Name: name, File: file, Size: 1 << 40}, input.Options{})
		if err == nil || !strings.Contains(err.Error(), "longer than the limit") || file.read > 3<<20 {
			t.Errorf("%s: %d bytes are read: %v", name, file.read, err)
		}
	}
}

// TestManyDocuments has one document more than are read, in YAML and in JSON.
func TestManyDocuments(t *testing.T) {
	for name, document := range map[string]string{
		"a.yaml": "---\n1\n", "a.json": "{\"version\": 1, \"tensors\": {}\n}\n",
	} {
		text := strings.Repeat(document, 25_001)
		s := input.Source{Name: name, File: strings.NewReader(text), Size: int64(len(text))}
		in, err := input.Read(s, input.Options{})
		if err == nil || !strings.Contains(err.Error(), "at most 25000 documents") {
			t.Errorf("%s: %v", name, err)
		}
		if f := input.Finding(in.Data, err); f.Line < 2*25_000+1 || f.Line > 2*25_001 {
			t.Errorf("%s: line %d", name, f.Line)
		}
	}
}

// TestBlank checks that strings without a word are rejected.
func TestBlank(t *testing.T) {
	for _, text := range []string{"", " ", "\t\n", "\u2028", "\u00a0\u3000", "(\u2028", "[ "} {
		if in, err := input.Text(text, input.Options{}); err == nil {
			t.Errorf("%q is read: %v", text, in)
		}
	}
}

// TestMergeConflict has inputs with the marks of a Git merge conflict. They are reported if the input cannot be read,
// but not if they break nothing.
func TestMergeConflict(t *testing.T) {
	const ours, theirs = "<<<<<<< HEAD\n", "=======\n>>>>>>> branch\n"
	for name, tt := range map[string]struct {
		text string
		line int
	}{
		"model.safetensors.index.json": {ours + "{}\n" + theirs, 1},
		"a.layoutcalc.yaml":            {"version: 1\ntensors:\n" + ours + "  a: {}\n" + theirs, 3},
		"m/config.pbtxt":               {"name: 'm'\n" + ours + "max_batch_size: 1\n" + theirs, 2},
		"n/config.pbtxt":               {"name: 'm'\n# <<<<<<< HEAD\nmax_batch_size 1\n", 0},
	} {
		in, err := input.Read(input.Source{Name: name, File: strings.NewReader(tt.text), Size: int64(len(tt.text))},
			input.Options{})
		if err == nil {
			t.Errorf("%s is read", name)
			continue
		}
		f := input.Finding(in.Data, err)
		if told := strings.Contains(f.Message, "merge conflict"); told != (tt.line > 0) || told && f.Line != tt.line {
			t.Errorf("%s:%d: %s", name, f.Line, f.Message)
		}
	}
}

// TestChangedLineEndings has data in which every line feed became two bytes. This is detected if there are at least
// eight of them.
func TestChangedLineEndings(t *testing.T) {
	const header = `{"a":{"dtype":"U8","shape":[9],"data_offsets":[0,9]}}`
	for data, want := range map[string]bool{
		strings.Repeat("\n", 8) + "a": true, strings.Repeat("\n", 7) + "aa": false,
	} {
		data = strings.ReplaceAll(data, "\n", "\r\n")
		for text, want := range map[string]bool{
			string(rune(len(header))) + "\x00\x00\x00\x00\x00\x00\x00" + header + data:        want,
			string(rune(len(header))) + "\x00\x00\x00\x00\x00\x00\x00" + header + data + "\n": false,
		} {
			s := input.Source{Name: "a.safetensors", File: strings.NewReader(text), Size: int64(len(text))}
			in, err := input.Read(s, input.Options{})
			if err != nil {
				t.Fatal(err)
			}
			const fix = "line endings were changed: *.safetensors is binary in .gitattributes"
			if found := in.Files[0].Findings; len(found) == 0 || (found[0].Fix == fix) != want {
				t.Errorf("%q: %+v, want told: %v", data, found, want)
			}
		}
	}
}

// A countedFS counts how often its files are opened.
type countedFS struct {
	fs.FS
	opened map[string]int
}

func (c countedFS) Open(name string) (fs.File, error) {
	c.opened[name]++
	return c.FS.Open(name)
}

// Stat returns the FileInfo of a file without opening it.
func (c countedFS) Stat(name string) (fs.FileInfo, error) { return fs.Stat(c.FS, name) }

// countedFiles returns the files of a directory. The keys of texts are names and the values are contents.
func countedFiles(texts map[string]string) countedFS {
	files := fstest.MapFS{}
	for name, text := range texts {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return countedFS{files, map[string]int{}}
}

// read reads one of the files.
func (c countedFS) read(name string) (*input.Input, error) {
	text, err := fs.ReadFile(c.FS, name)
	if err != nil {
		return nil, err
	}
	s := input.Source{Name: name, File: bytes.NewReader(text), Size: int64(len(text)), Beside: c}
	return input.Read(s, input.Options{})
}

// TestNamedFiles has tensors in files that are not tensor files. The error must state the kind of such a file, and the
// files that it names must not be read.
func TestNamedFiles(t *testing.T) {
	tensor := func(file string) string { return "version: 1\ntensors:\n  t: {file: " + file + ", tensor: x}\n" }
	texts := map[string]string{
		"self.yaml": tensor("self.yaml"), "a.yaml": tensor("b.yaml"), "b.yaml": tensor("a.yaml"),
		"json.safetensors": `{"version": 1, "tensors": {"t": {"file": "a.yaml", "tensor": "x"}}}`,
		"model.npy":        `{"dispatchables": {}, "resources": {}}`, "list.json": `[1, 2]`, "other.yaml": "a: 1\n",
		"d/config.pbtxt": `name: "x"`, "triton.txt": "max_batch_size: 4\nbackend: \"python\"\n",
		"config.pbtxt": `backend: "python"`, "text.gguf": "hello\n", "data": "\x01\x02\x03",
		"index.json": `{"weight_map": {"x": "inner.safetensors", "y": "json.safetensors"}}`,
		"short.gguf": "GGUF",
		"mark.npy":   "\xEF\xBB\xBF", "empty": "", "mark": "\xEF\xBB\xBF",
		"huge.gguf": "GGUF\x03\x00\x00\x00\x01" + strings.Repeat("\x00", 15) + "\x01\x00\x00\x00\x00\x00\x00\x00x" +
			"\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80" + strings.Repeat("\x00", 12),
		"w.safetensors": `{"weight_map": {"x": "a.safetensors"}}`, "inner.safetensors": `{"weight_map": {}}`,
	}
	for file, want := range map[string]string{
		"self.yaml":        "a configuration of layoutcalc, not a file of tensors",
		"b.yaml":           "a configuration of layoutcalc, not",
		"json.safetensors": "a configuration of layoutcalc, not", "model.npy": "a DxDispatch model, not",
		"list.json": "a JSON document, not", "other.yaml": "a YAML document, not",
		"config.pbtxt": "the file has no tensor", "d/config.pbtxt": "the file has no tensor",
		"triton.txt": "the file has no tensor",
		"text.gguf":  "a text, not", "data": "a file of another kind, not", "w.safetensors": "a JSON document, not",
		"index.json": `"inner.safetensors", which the index names: a JSON document, not`,
		"short.gguf": "the file ends 4 bytes too early", "mark.npy": "a blank file, not", "mark": "a blank file, not",
		"empty": "a blank file, not", "huge.gguf": "a size is 9223372036854775808, beyond 63 bits",
	} {
		files := countedFiles(texts)
		files.FS.(fstest.MapFS)["c.yaml"] = &fstest.MapFile{Data: []byte(tensor(file))}
		in, err := files.read("c.yaml")
		if err != nil || len(in.Files) != 1 || len(in.Files[0].Findings) != 1 {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if f := in.Files[0].Findings[0]; !strings.Contains(f.Message, want) {
			t.Errorf("%s: %s, want %s", file, f.Message, want)
		}
		for name, n := range files.opened {
			if name != file && name != "inner.safetensors" || n > 1 {
				t.Errorf("%s: %s is opened %d times", file, name, n)
			}
		}
	}
}

// TestManyIndexes checks all indexes of a directory: each is opened once for the others, however many there are.
func TestManyIndexes(t *testing.T) {
	const many = 20
	texts := map[string]string{"stray.safetensors": ""}
	for i := range many {
		shard := fmt.Sprintf("m%d.safetensors", i)
		texts[shard] = "\x02\x00\x00\x00\x00\x00\x00\x00{}"
		texts[shard+".index.json"] = `{"weight_map": {"t": "` + shard + `"}}`
	}
	files, known := countedFiles(texts), new(sync.Map)
	for i := range many {
		in, err := files.read(fmt.Sprintf("m%d.safetensors.index.json", i))
		if err != nil {
			t.Fatal(err)
		}
		for range in.Parts(1, known, nil) {
		}
		strays := 0
		for _, f := range in.Files[0].Findings {
			if f.Rule == tensorfile.IndexShardExtra {
				strays++
			}
		}
		if strays != 1 {
			t.Errorf("index %d: %d files that no index names, not 1", i, strays)
		}
	}
	for name, n := range files.opened {
		if n > 1 && strings.HasSuffix(name, ".json") || name == "." && n > 4 {
			t.Errorf("%s is opened %d times", name, n)
		}
	}
}

// TestAskedNotation reads inputs with a chosen notation. Its strings may have view steps.
func TestAskedNotation(t *testing.T) {
	from, err := notation.Find("numpy")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"2x3": "[2:3 3:1]+0", "np.zeros((2, 3), order='F')": "[2:1 3:2]+0", "(2, 3) (8, 16)": "!",
	} {
		in, err := input.Text(text, input.Options{From: from})
		got := "!"
		if err == nil {
			x, err := in.Tensor("")
			if got = x.Layout().String(); err != nil {
				got = err.Error()
			}
		}
		if got != want {
			t.Errorf("%s is %s, %v, want %s", text, got, err, want)
		}
	}
}

// TestStatedTotal checks the note on a total that is smaller than the need of the elements: 2 x 3 of 4 bytes.
func TestStatedTotal(t *testing.T) {
	for total, want := range map[string]int{"24": 0, "23": 1, "25": 0, "0": 0} {
		text := `{"DataType":"FLOAT32","Sizes":[1,1,2,3],"TotalTensorSizeInBytes":` + total + "}"
		in, err := input.Text(text, input.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if x, err := in.Tensor(""); err != nil || len(x.Notes) != want {
			t.Errorf("a total of %s: the notes are %q, %v, want %d", total, x.Notes, err, want)
		}
	}
}

// TestStatedStrides checks the note on sizes without labels in a layout. There is no note if strides determine the
// order.
func TestStatedStrides(t *testing.T) {
	const start = `{"dtype":"f32","sizes":[1,224,224,3],"layout":"NHWC"`
	for text, want := range map[string]int{start + "}": 1, start + `,"strides":[150528,1,672,224]}`: 0} {
		in, err := input.Text(text, input.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if x, err := in.Tensor(""); err != nil || len(x.Notes) != want {
			t.Errorf("%s: the notes are %q, %v, want %d", text, x.Notes, err, want)
		}
	}
}

// TestPathsLast tests that an input is tried as a path last. If the file does not exist, the error must be about the
// input as a tensor, unless it looks like a path. The errors are the ones that systems return for a missing file, a
// name that is too long, a byte of 0, a file instead of a directory, and on Windows an invalid name, path, drive or
// server.
func TestPathsLast(t *testing.T) {
	for _, system := range []error{
		fs.ErrNotExist, syscall.ENAMETOOLONG, syscall.EINVAL, syscall.ENOTDIR, fs.ErrPermission,
		syscall.Errno(123), syscall.Errno(161), syscall.Errno(21), syscall.Errno(53),
	} {
		for _, tt := range []struct {
			text            string
			isPath, isThere bool
		}{
			{text: "memref<2x3"}, {text: `{"DataType": "FLOAT32"`}, {text: "NHWC->NCHW"}, {text: "2x3 relu?"},
			{text: "2x3|4"}, {text: "2x*"}, {text: "2x\x00"}, {text: "model.npy", isPath: true},
			{text: "2x3|", isThere: true}, {text: "model.npy", isThere: true},
		} {
			fault := error(&input.AbsentError{Err: &fs.PathError{Op: "open", Path: tt.text, Err: system}})
			if tt.isThere {
				fault = errors.Unwrap(fault)
			}
			open := func(string) (s input.Source, end func(), err error) { return s, nil, fault }
			_, _, err := input.Find([]string{tt.text}, open, input.Options{})
			if err == nil || errors.Is(err, system) != (tt.isPath || tt.isThere) {
				t.Errorf("%q, %v, there %t: %v", tt.text, system, tt.isThere, err)
			}
		}
	}
}

// TestListOfStrings lists a model with a tensor of strings, which have no size, and one of 6 bytes.
func TestListOfStrings(t *testing.T) {
	field := func(key byte, content string) string { return string([]byte{key, byte(len(content))}) + content }
	const isStrings, isBytes = "\x10\x08", "\x10\x02" // data_type STRING and UINT8
	words := "\x08\x02" + isStrings + field(0x42, "words") + field(0x32, "a") + field(0x32, "b")
	six := "\x08\x06" + isBytes + field(0x42, "bytes") + field(0x4A, "123456")
	model := "\x08\x08" + field(0x3A, field(0x12, "g")+field(0x2A, words)+field(0x2A, six))
	in, err := input.Read(input.Source{
		Name: "a.onnx", File: strings.NewReader(model), Size: int64(len(model)),
	}, input.Options{})
	if err != nil {
		t.Fatal(err)
	}
	list, err := in.List(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	const note = "not in the bytes: tensors of types without a size (1)"
	if all := list.Sums.All; all.Bytes != 6 || all.Unknown != 1 || !slices.Contains(in.Notes, note) {
		t.Errorf("%+v, %q, want 6 bytes and the note %q", all, in.Notes, note)
	}
}
