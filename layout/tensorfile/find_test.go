package tensorfile

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/layouttest"
)

// arrayOf finds an array in a file of those bytes.
func arrayOf(t *testing.T, name, data, tensor string) (Array, error) {
	t.Helper()
	return Find(kindOf(name, data), &piece{t: t, data: []byte(data)}, int64(len(data)), tensor)
}

// wantRefusal checks words of an error and of its hint.
func wantRefusal(t *testing.T, reason string, a Array, err error, word, hint string) {
	t.Helper()
	var syntax *layout.SyntaxError
	if !errors.As(err, &syntax) || !reflect.DeepEqual(a, Array{}) {
		t.Errorf("%s: %+v, %v", reason, a, err)
		return
	}
	if !strings.Contains(syntax.Msg, word) || !strings.Contains(syntax.Hint, hint) || hint == "" && syntax.Hint != "" {
		t.Errorf("%s: %s (%s)", reason, syntax.Msg, syntax.Hint)
	}
}

// plain returns the elements of an array in row-major order and little-endian, one byte after the
// other.
func plain(a Array, file []byte) []byte {
	data, item := file[a.Start:a.Start+a.Bytes], int(a.Bits/8)
	var out []byte
	index := make([]int64, len(a.Sizes))
	for range len(data) / item {
		at, stride := int64(0), int64(1)
		for k := range index {
			axis := k
			if !a.Fortran {
				axis = len(index) - 1 - k
			}
			at += index[axis] * stride
			stride *= a.Sizes[axis]
		}
		element := slices.Clone(data[int(at)*item : int(at+1)*item])
		for u := 0; a.Swap > 0 && u < item; u += a.Swap {
			slices.Reverse(element[u : u+a.Swap])
		}
		out = append(out, element...)
		for axis := len(index) - 1; axis >= 0; axis-- {
			if index[axis]++; index[axis] < a.Sizes[axis] {
				break
			}
			index[axis] = 0
		}
	}
	return out
}

// TestArraysOfFiles finds the elements of files that NumPy wrote.
func TestArraysOfFiles(t *testing.T) {
	type array struct {
		File, Descr, Name, Little string
		Moved, Fortran            bool
		Item, Start, Bytes        int64
		Swap                      int
		Shape                     []int64
	}
	for _, w := range numpySays[array](t, "arrays/arrays.json") {
		data, err := os.ReadFile(filepath.Join("testdata", "arrays", w.File))
		if err != nil {
			t.Fatal(err)
		}
		a, err := arrayOf(t, w.File, string(data), "")
		if !w.Moved {
			if err == nil {
				t.Errorf("%s is %+v", w.File, a)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", w.File, err)
			continue
		}
		known := strings.Contains("biufc", w.Descr[1:2]) && w.Name != "float128"
		want := Array{"npy", "", w.Descr, a.Type, known, w.Item * 8, w.Swap, a.Sizes, w.Fortran, w.Start, w.Bytes}
		if !reflect.DeepEqual(a, want) || !slices.Equal(a.Sizes, w.Shape) || known && a.Type.String() != w.Name {
			t.Errorf("%s: %+v, want %+v, %v", w.File, a, want, w.Shape)
		}
		if got := hex.EncodeToString(plain(a, data)); got != w.Little {
			t.Errorf("%s: %s, want %s", w.File, got, w.Little)
		}
	}
}

// TestArrayTypes compares the sizes and byte orders of types with NumPy's.
func TestArrayTypes(t *testing.T) {
	type typ struct {
		Descr string
		Item  int64
		Swap  int
	}
	for _, w := range numpySays[typ](t, "arrays/types.json") {
		dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (3,), }", w.Descr)
		a, err := arrayOf(t, "", npyOf(1, dict, int(3*w.Item)), "")
		if !slices.Contains([]int64{1, 2, 4, 8, 16}, w.Item) {
			wantRefusal(t, w.Descr, a, err, fmt.Sprintf("has %d bytes: those of 4 bits and of 1", w.Item), "save")
			continue
		}
		if err != nil || a.TypeName != w.Descr || a.Bits != 8*w.Item || a.Swap != w.Swap || a.Bytes != 3*w.Item {
			t.Errorf("%+v: %+v, %v", w, a, err)
		}
	}
}

func TestArraysRefused(t *testing.T) {
	const f4 = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
	shaped := func(descr, shape string) string {
		return fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape)
	}
	for _, c := range []struct{ reason, name, file, tensor, word, hint string }{
		{
			reason: "a name for what has none", file: npyOf(1, f4, 24), tensor: "a",
			word: "one array, which has no name", hint: "remove --tensor",
		},
		{
			reason: "one byte is missing", file: npyOf(1, f4, 23),
			word: "the shape takes 24 bytes of <f4, and the data after the header has 23 bytes: 1 byte too few",
			hint: "cut off",
		},
		{
			reason: "no data", file: npyOf(2, f4, 0),
			word: "the shape takes 24 bytes of <f4, and the data after the header has 0 bytes: 24 bytes too few",
			hint: "cut off",
		},
		{
			reason: "one byte too many", file: npyOf(1, f4, 25),
			word: "the shape takes 24 bytes of <f4, and the data after the header has 25 bytes: 1 byte too many",
			hint: "files of their own",
		},
		{
			reason: "one byte, one element", file: npyOf(1, shaped("|u1", "()"), 0), word: "takes 1 byte of |u1",
			hint: "cut off",
		},
		{
			reason: "2^63-1 by 2 elements of 4 bytes", file: npyOf(1, shaped("<f4", "(9223372036854775807, 2)"), 100),
			word: "73786976294838206456 bytes of <f4, and the data after the header has 100 bytes: " +
				"73786976294838206356 bytes too few",
			hint: "cut off",
		},
		{
			reason: "57 digits",
			file:   npyOf(1, shaped("<f4", "(9223372036854775807, 9223372036854775807, 9223372036854775807)"), 0),
			word:   "a number of bytes of 58 digits of <f4", hint: "cut off",
		},
		{
			reason: "a negative size", file: npyOf(1, shaped("<f4", "(-1, 3)"), 0),
			word: "the shape (-1, 3) has a negative size",
		},
		{
			reason: "a type that does not exist", file: npyOf(1, shaped("<f5", "(2,)"), 10),
			word: `"<f5" is not a known NumPy type`, hint: "such as '<f4'",
		},
		{
			reason: "a type of elsewhere", file: npyOf(1, shaped("f32", "(2,)"), 8),
			word: `"f32" is not a known NumPy type`, hint: "NumPy writes it '<f4'",
		},
		{
			reason: "texts", file: npyOf(1, shaped(">U10", "(2,)"), 80), word: `type ">U10" has 40 bytes`,
			hint: "a.view('>U1').reshape(a.shape + (10,))",
		},
		{reason: "empty texts", file: npyOf(1, shaped("<U0", "(2,)"), 0), word: `type "<U0" has 0 bytes`},
		{
			reason: "bytes", file: npyOf(1, shaped("|S3", "(2,)"), 6), word: `type "|S3" has 3 bytes`,
			hint: "a.view('S1').reshape(a.shape + (3,))",
		},
		{
			reason: "long doubles of 32-bit x86", file: npyOf(1, shaped("<f12", "(2,)"), 24),
			word: `type "<f12" has 12 bytes`, hint: "a.astype('<f8')",
		},
		{
			reason: "pairs of them", file: npyOf(1, shaped("<c24", "(2,)"), 48), word: `type "<c24" has 24 bytes`,
			hint: "a.astype('<c16')",
		},
		{
			reason: "quantised", file: ggufOf(3, nil, []ggufTensor{{"a", []uint64{32}, 2, 0}}, 32, 32), tensor: "a",
			word: "most are quantized", hint: "convert",
		},
		{
			reason: "a cut archive", name: "a.npz", file: "PK\x03\x04" + zeros(100), word: "ends without its directory",
			hint: "download",
		},
		{
			reason: "objects", file: npyOf(1, "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", 8),
			word: "Python objects", hint: "save each field",
		},
		{
			reason: "records", file: npyOf(1, "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", 4),
			word: "structured types", hint: "save each field",
		},
		{reason: "any file", name: "a.bin", file: "PK\x03\x04" + zeros(100), word: "not a .npy or .safetensors file"},
		{reason: "no bytes", word: "not a .npy or .safetensors file"},
	} {
		a, err := arrayOf(t, c.name, c.file, c.tensor)
		wantRefusal(t, c.reason, a, err, c.word, c.hint)
	}
}

// TestArrayFaults checks that headers that cannot be read are rejected at the right byte.
func TestArrayFaults(t *testing.T) {
	for _, c := range []struct {
		reason, name, file string
		at                 int
		word               string
	}{
		{reason: "named .npy only", name: "a.npy", file: zeros(200), word: "does not start with"},
		{reason: "named .safetensors only", name: "a.safetensors", file: "no header at all", word: "bytes of header"},
		{reason: "version 4", file: "\x93NUMPY\x04\x00" + zeros(100), at: 6, word: "version 4.0"},
		{
			reason: "half a header", file: npyOf(1, "{'descr': '<f4'", 0)[:30], at: 8,
			word: "bytes of header, but",
		},
		{reason: "no JSON", file: safetensorsRaw(`{"a":{]}`, 0), at: 14, word: "a name in quotes"},
	} {
		t.Log(c.reason)
		a, err := arrayOf(t, c.name, c.file, "")
		if !reflect.DeepEqual(a, Array{}) {
			t.Errorf("%+v", a)
		}
		wantFault(t, nil, err, c.at, c.word)
	}
	if _, err := Find("npy", broken{strings.NewReader(""), 0}, 100, ""); !errors.Is(err, errBroken) {
		t.Error(err)
	}
}

// TestKindOf has the first bytes of files.
func TestKindOf(t *testing.T) {
	npy := npyOf(1, "{'descr': '|u1', 'fortran_order': False, 'shape': ()}", 1)
	for _, c := range []struct{ reason, data, want string }{
		{"by magic", npy, "npy"},
		{"by magic", ggufOf(3, nil, nil, 1, 0), "gguf"},
		{"by length and brace", safetensorsOf("{}", 0), "safetensors"},
		{
			"by length, brace and quote",
			safetensorsOf("{"+entryText("a", "U8", "[1]", 0, 1)+"}", 1), "safetensors",
		},
		{"by length, brace and blank", safetensorsOf("{ }", 0), "safetensors"},
		{"the numbers 8 and 123 in 64 bits", le64(8) + le64('{') + zeros(100), ""},
		{"a length that the file has not", le64(9) + `{"a":{} `, ""},
		{"9 bytes", le64(1) + "{", ""},
		{"any bytes", zeros(100), ""},
		{"the magic comes first", " " + npy, ""},
		{"no bytes", "", ""},
	} {
		if got := KindOf(strings.NewReader(c.data), int64(len(c.data))); got != c.want {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
	}
	if KindOf(broken{strings.NewReader(npy), 0}, int64(len(npy))) != "" {
		t.Error("what cannot be read is an array")
	}
}

// TestArrayOfTensors finds tensors of a file, whose header is 8 bytes of length and the text.
func TestArrayOfTensors(t *testing.T) {
	header := `{"__metadata__":{"format":"pt"},` + strings.Join([]string{
		entryText("w", "F32", "[2,3]", 8, 32),
		entryText("c", "C64", "[1]", 0, 8),
		entryText("half byte", "F4", "[2,4]", 32, 36),
		entryText("none", "BF16", "[0,7]", 36, 36),
		entryText("é", "BOOL", "[]", 36, 37),
	}, ",") + "}"
	file := safetensorsRaw(header, 37)
	for _, c := range []struct {
		name, typ, dtype   string
		bits, begin, bytes int64
		sizes              []int64
	}{
		{name: "w", typ: "F32", dtype: "float32", bits: 32, begin: 8, bytes: 24, sizes: []int64{2, 3}},
		{name: "c", typ: "C64", dtype: "complex64", bits: 64, bytes: 8, sizes: []int64{1}},
		{name: "half byte", typ: "F4", dtype: "float4_e2m1fn", bits: 4, begin: 32, bytes: 4, sizes: []int64{2, 4}},
		{name: "none", typ: "BF16", dtype: "bfloat16", bits: 16, begin: 36, sizes: []int64{0, 7}},
		{name: "é", typ: "BOOL", dtype: "bool", bits: 8, begin: 36, bytes: 1},
	} {
		a, err := arrayOf(t, "a.safetensors", file, c.name)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		want := Array{Kind: "safetensors", Name: c.name, TypeName: c.typ, Type: a.Type, TypeKnown: true, Bits: c.bits,
			Sizes: a.Sizes, Start: int64(8+len(header)) + c.begin, Bytes: c.bytes}
		if !reflect.DeepEqual(a, want) || !slices.Equal(a.Sizes, c.sizes) || a.Type.String() != c.dtype {
			t.Errorf("%+v, want %+v", a, c)
		}
	}
}

// TestOnlyTensor needs no name where there is one tensor.
func TestOnlyTensor(t *testing.T) {
	for _, name := range []string{"", "a"} {
		file := safetensorsOf(`{"__metadata__":{},`+entryText(name, "U16", "[2]", 0, 4)+"}", 4)
		a, err := arrayOf(t, "", file, "")
		if err != nil || a.Name != name || a.Start != int64(len(file)-4) || a.Bytes != 4 {
			t.Errorf("%+v, %v", a, err)
		}
	}
}

func TestTensorsRefused(t *testing.T) {
	w := entryText("encoder.weight", "F32", "[2,3]", 0, 24)
	b := entryText("b", "U8", "[8]", 24, 32)
	var seven []string
	for _, name := range strings.Fields("a b c d e f g") {
		seven = append(seven, entryText(name, "U8", "[0]", 0, 0))
	}
	for _, c := range []struct {
		reason, header string
		data           int
		tensor         string
		word, hint     string
	}{
		{
			reason: "two, and no name", header: w + "," + b, data: 32, word: "the file has 2 tensors",
			hint: `choose one with --tensor NAME; there are "encoder.weight", "b"`,
		},
		{
			reason: "seven, and no name", header: strings.Join(seven, ","), word: "the file has 7 tensors",
			hint: `there are "a", "b", "c", "d", "e" and 2 more`,
		},
		{reason: "none", header: `"__metadata__":{}`, word: "the file has no tensors"},
		{reason: "none of that name", tensor: "a", word: "the file has no tensors"},
		{
			reason: "a slip", header: w + "," + b, data: 32, tensor: "encoder.wieght",
			word: `of 2 tensors none is called "encoder.wieght"`, hint: `did you mean "encoder.weight"?`,
		},
		{
			reason: "nothing is like it", header: w + "," + b, data: 32, tensor: "decoder",
			word: "of 2 tensors none", hint: `there are "encoder.weight", "b"`,
		},
		{
			reason: "of one", header: w, data: 24, tensor: "b", word: `the only tensor of the file is not called "b"`,
			hint: `there is "encoder.weight"`,
		},
		{
			reason: "metadata is not a tensor", header: w + `,"__metadata__":{}`, data: 24, tensor: "__metadata__",
			word: "the only tensor", hint: "there is",
		},
		{
			reason: "a byte is missing", header: w + "," + b, data: 31, tensor: "b",
			word: `tensor "b": data_offsets [24, 32] end after the data, which is 31 bytes long: 1 byte too few`,
			hint: "cut off",
		},
		{
			reason: "all of it is", header: w + "," + b, data: 10, tensor: "b",
			word: `tensor "b": data_offsets [24, 32] end after the data, which is 10 bytes long: 8 bytes too few`,
			hint: "cut off",
		},
		{
			reason: "2^63-1", header: entryText("a", "U8", "[9223372036854775807]", 0, 1<<63-1),
			word: "data_offsets [0, 9223372036854775807] end after the data, which is 0 bytes long: " +
				"9223372036854775807 bytes too few",
			hint: "cut off",
		},
		{reason: "a byte too many", header: w, data: 25, word: "1 byte more", hint: "check the file"},
		{
			reason: "a byte before it", header: entryText("b", "U8", "[8]", 25, 33) + "," + w, data: 33, tensor: "b",
			word: `tensor "b": 1 byte before the tensor`, hint: "check the file",
		},
		{
			reason: "offsets that do not suit the shape", header: entryText("b", "U8", "[7]", 24, 32) + "," + w,
			data: 32, tensor: "b", word: `tensor "b": the shape takes 7 bytes`, hint: "check the file",
		},
		{
			reason: "end before begin", header: entryText("b", "U8", "[8]", 32, 24) + "," + w, data: 32, tensor: "b",
			word: "end before they begin", hint: "check the file",
		},
		{
			reason: "starts in another", header: entryText("b", "U8", "[8]", 23, 31) + "," + w, data: 31, tensor: "b",
			word: `tensor "b": the tensor starts at byte 23`, hint: "check the file",
		},
		{
			reason: "another starts in it", header: entryText("b", "U8", "[8]", 23, 31) + "," + w, data: 31,
			tensor: "encoder.weight",
			word:   `tensor "encoder.weight": its bytes 0 to 24 of the data overlap those of "b", 23 to 31`,
			hint:   "check the file",
		},
		{
			reason: "all of it is another's", header: entryText("b", "U8", "[24]", 0, 24) + "," + w, data: 24,
			tensor: "b", word: `overlap those of "encoder.weight"`, hint: "check the file",
		},
		{
			reason: "a name twice",
			header: w + "," + entryText("b", "U8", "[1]", 24, 25) + "," + entryText("b", "U8", "[1]", 25, 26), data: 26,
			tensor: "b", word: "two tensors have this name", hint: "check the file",
		},
		{
			reason: "a name twice and no other",
			header: entryText("b", "U8", "[1]", 0, 1) + "," + entryText("b", "U8", "[1]", 1, 2), data: 2,
			word: "2 tensors", hint: `"b", "b"`,
		},
		{
			reason: "6 bits", header: entryText("a", "F6_E2M3", "[4]", 0, 3), data: 3,
			word: `an element of type "F6_E2M3" has 6 bits`,
		},
		{
			reason: "half a byte", header: entryText("a", "F4", "[3]", 0, 2), data: 2,
			word: "a tensor takes whole bytes", hint: "check the file",
		},
		{
			reason: "no type of the format", header: entryText("a", "F23", "[1]", 0, 4), data: 4, word: `"F23"`,
			hint: "check the file",
		},
		{
			reason: "a negative size", header: entryText("a", "U8", "[-1]", 0, 1), data: 1,
			word: "is not a list of at most 64 whole numbers", hint: "check the file",
		},
		{
			reason: "a shape said twice", header: `"a":{"dtype":"U8","shape":[1],"shape":[1],"data_offsets":[0,1]}`,
			data: 1, word: "says shape twice", hint: "check the file",
		},
		{
			reason: "no shape", header: `"a":{"dtype":"U8","data_offsets":[0,1]}`, data: 1, word: "does not say shape",
			hint: "check the file",
		},
		{
			reason: "no offsets", header: `"a":{"dtype":"U8","shape":[1]}`, tensor: "a",
			word: "does not say data_offsets", hint: "check the file",
		},
		{
			reason: "no entry", header: `"a":[1,2]`, tensor: "a",
			word: `tensor "a": the entry, at byte 13, is not an object`, hint: "check the file",
		},
		{
			reason: "a comment", header: "/**/" + w, data: 24, word: "a comment at byte 9",
			hint: "check the file",
		},
	} {
		a, err := arrayOf(t, "a.safetensors", safetensorsOf("{"+c.header+"}", c.data), c.tensor)
		wantRefusal(t, c.reason, a, err, c.word, c.hint)
	}
}

// TestOtherTensorsAreWrong finds a tensor although other tensors of the file are wrong, unless there are too many
// findings about the file itself to keep them all.
func TestOtherTensorsAreWrong(t *testing.T) {
	bad := strings.Join([]string{
		entryText("x", "F23", "[1]", 24, 28),
		entryText("y", "U8", "[9]", 28, 36),
		entryText("y", "U8", "[8]", 36, 44),
		entryText("cut", "U8", "[900]", 44, 944),
	}, ",")
	good := entryText("good", "F32", "[2,3]", 0, 24)
	a, err := arrayOf(t, "", safetensorsOf("{"+bad+","+good+"}", 44), "good")
	if err != nil || a.Bytes != 24 {
		t.Errorf("%+v, %v", a, err)
	}
	many := strings.Repeat(entryText("z", "U8", "[1]", 24, 24)+",", 2*finding.MostOfRule)
	file := safetensorsOf("{"+many+good+"}", 24)
	if a, err = arrayOf(t, "", file, "good"); err != nil || a.Start != int64(len(file)-24) {
		t.Errorf("%+v, %v", a, err)
	}
	wrong := strings.Replace(many+good, "[2,3]", "[2,4]", 1)
	a, err = arrayOf(t, "", safetensorsOf("{"+wrong+"}", 24), "good")
	wantRefusal(t, "the last of many", a, err, "the shape takes 32 bytes", "check the file")
	unknown := strings.Repeat(`"x":0,`, finding.MostOfRule) + `"dtype":"F32",`
	a, err = arrayOf(t, "", safetensorsOf("{"+strings.Replace(good, `"dtype"`, unknown+`"dtype"`, 1)+"}", 24), "")
	wantRefusal(t, "after a thousand warnings", a, err, "the entry says dtype twice", "check the file")
}

// FuzzFind checks that an array that is found lies in the file, and takes just the bytes of its
// elements.
func FuzzFind(f *testing.F) {
	two := entryText("a", "F32", "[2,3]", 0, 24) + "," + entryText("b", "F4", "[4]", 24, 26)
	f.Add(npyOf(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", 24), "")
	f.Add(npyOf(2, "{'descr': '>c8', 'fortran_order': False, 'shape': (), }", 8), "")
	f.Add(npyOf(3, "{'descr': '>U1', 'fortran_order': False, 'shape': (0, 9223372036854775807, 3), }", 0), "")
	f.Add(npyOf(1, "{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (2,), }", 17), "a")
	f.Add(npyOf(1, "{'descr': '|S3', 'fortran_order': False, 'shape': (-2,), }", 6), "")
	f.Add(safetensorsOf("{"+two+"}", 26), "b")
	f.Add(safetensorsOf("{"+two+"}", 26), "")
	f.Add(safetensorsOf("{"+two+","+entryText("a", "F6_E2M3", "[4]", 20, 23)+"}", 25), "a")
	f.Add(safetensorsOf("{"+entryText("", "BOOL", "[]", 0, 1)+`,"__metadata__":{"a":"b"}}`, 1), "")
	f.Add(ggufOf(3, nil, []ggufTensor{{"a", []uint64{32, 2}, 2, 0}}, 32, 64), "a")
	f.Fuzz(func(t *testing.T, data, tensor string) {
		defer layouttest.Limit(t, len(data)+len(tensor))()
		a, err := arrayOf(t, "", data, tensor)
		if err != nil {
			return
		}
		if a.Start < 8 || a.Bytes < 0 || a.Start > int64(len(data))-a.Bytes {
			t.Fatalf("%d bytes from %d on, of %d", a.Bytes, a.Start, len(data))
		}
		if !slices.Contains([]int64{4, 8, 16, 32, 64, 128}, a.Bits) || a.TypeKnown && a.Type.Bits() != a.Bits {
			t.Fatalf("%+v", a)
		}
		if a.Swap != 0 && (a.Swap < 2 || a.Bits/8%int64(a.Swap) != 0) || tensor != "" && a.Name != tensor {
			t.Fatalf("%+v", a)
		}
		bits := big.NewInt(a.Bits)
		for _, n := range a.Sizes {
			bits.Mul(bits, big.NewInt(n))
		}
		bytes := bits.Rsh(bits.Add(bits, big.NewInt(7)), 3)
		if !bytes.IsInt64() || bytes.Int64() != a.Bytes {
			t.Fatalf("%v of %d bits take %v bytes, not %d", a.Sizes, a.Bits, bytes, a.Bytes)
		}
		if KindOf(&piece{t: t, data: []byte(data)}, int64(len(data))) == "" {
			t.Fatalf("%q is not an array file", data)
		}
	})
}
