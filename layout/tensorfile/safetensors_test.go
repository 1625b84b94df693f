package tensorfile

import (
	"layoutcalc/layout/doctree"

	"fmt"
	"math"
	"strings"
	"testing"
)

// The examples of the reference, with the lengths that it gives.
func TestSafetensorsVectors(t *testing.T) {
	const two = `{"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},"b":{"dtype":"BF16","shape":[4],"data_offsets":[24,32]}}`
	file := safetensorsOf(two, 32)
	if len(two) != 113 || len(file) != 160 || file[:8] != le64(120) {
		t.Fatalf("%d, %d", len(two), len(file))
	}
	f := mustRead(t, "a.safetensors", file)
	wantFindings(t, f)
	wantTensor(t, &f.Descriptors[0], "a", "F32", 24, 2, 3)
	wantTensor(t, &f.Descriptors[1], "b", "BF16", 8, 4)
	if b := f.Descriptors[1]; !b.TypeKnown || b.Type.String() != "bfloat16" || b.Strides != nil {
		t.Errorf("%+v", b)
	}
	for spaces, fix := range map[int]string{0: "pad the header with 7 spaces", 6: "pad the header with 1 space"} {
		f := mustRead(t, "", safetensorsRaw(two+strings.Repeat(" ", spaces), 32))
		if wantFindings(t, f, "file-align note"); f.Findings[0].Fix != fix {
			t.Errorf("%d spaces: %s", spaces, f.Findings[0].Fix)
		}
	}

	scalar := safetensorsOf(`{"":{"dtype":"I64","shape":[],"data_offsets":[0,8]}}`, 8)
	if len(scalar) != 72 || scalar[:8] != le64(56) {
		t.Fatal(len(scalar))
	}
	f = mustRead(t, "", scalar)
	wantFindings(t, f)
	wantTensor(t, &f.Descriptors[0], "", "I64", 8)

	empty := safetensorsOf("{}", 0)
	if len(empty) != 16 || empty[:8] != le64(8) {
		t.Fatal(len(empty))
	}
	wantFindings(t, mustRead(t, "", empty))
}

// entryText writes an entry of a header.
func entryText(name, dtype, shape string, begin, end uint64) string {
	return fmt.Sprintf(`%q:{"dtype":%q,"shape":%s,"data_offsets":[%d,%d]}`, name, dtype, shape, begin, end)
}

// TestSafetensorsTypes holds every type of the format against the bytes of 8 elements.
func TestSafetensorsTypes(t *testing.T) {
	for dtype, bytes := range map[string]int{
		"BOOL": 8, "F4": 4, "F6_E2M3": 6, "F6_E3M2": 6, "U8": 8, "I8": 8, "F8_E5M2": 8, "F8_E4M3": 8, "F8_E8M0": 8,
		"F8_E4M3FNUZ": 8, "F8_E5M2FNUZ": 8, "I16": 16, "U16": 16, "F16": 16, "BF16": 16, "I32": 32, "U32": 32, "F32": 32,
		"C64": 64, "F64": 64, "I64": 64, "U64": 64,
	} {
		f := mustRead(t, "", safetensorsOf("{"+entryText("a", dtype, "[8]", 0, uint64(bytes))+"}", bytes))
		wantFindings(t, f)
		d := f.Descriptors[0]
		if bits := d.Type.Bits() * 8; d.TypeKnown == strings.HasPrefix(dtype, "F6_") || d.TypeKnown && bits != int64(bytes)*8 {
			t.Errorf("%s: %+v", dtype, d)
		}
	}
	if len(safetensorsTypes) != 22 {
		t.Errorf("%d types", len(safetensorsTypes))
	}
}

func TestSafetensorsFindings(t *testing.T) {
	const a = `"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}`
	for _, c := range []struct {
		reason, header string
		data           int
		finding, word  string
		fix            string
	}{
		{"12 bits", entryText("a", "F4", "[3]", 0, 2), 2, "file-type error a", "1 byte and 4 bits", ""},
		{"16 bits", entryText("a", "F4", "[4]", 0, 2), 2, "", "", ""},
		{"24 bits", entryText("a", "F6_E2M3", "[4]", 0, 3), 3, "", "", ""},
		{"a hole of a byte", a + "," + entryText("b", "U8", "[8]", 25, 33), 33, "file-hole error b", "1 byte before the tensor", "data_offsets [24, 32]"},
		{"a hole at the start", entryText("a", "U8", "[8]", 1, 9), 9, "file-hole error a", "byte 0 of the data to byte 1", "data_offsets [0, 8]"},
		{"a byte too many", a, 25, "file-trailing error", "1 byte more", ""},
		{"a byte too few", a, 23, "file-size error a", "23 bytes long: 1 byte too few", ""},
		{"bytes of no tensor", ``, 4, "file-trailing error", "4 bytes more", ""},
		{"order does not matter", entryText("b", "U8", "[8]", 24, 32) + "," + a, 32, "", "", ""},
		{"an overlap of a byte", entryText("b", "U8", "[8]", 23, 31) + "," + a, 31, "file-overlap error b", `byte 23 of the data, but "a" reaches to byte 24`, ""},
		{"all of it", entryText("b", "F32", "[6]", 0, 24) + "," + a, 24, "file-overlap error a", `"b" reaches to byte 24`, ""},
		{"empty tensors share a place", entryText("b", "F32", "[0]", 24, 24) + "," + a + "," + entryText("c", "U8", "[0,9]", 24, 24), 24, "", "", ""},
		{"but not inside another", entryText("b", "F32", "[0]", 4, 4) + "," + a, 24, "file-overlap error b", "byte 4", ""},
		{"offsets that do not suit the shape", entryText("a", "F32", "[2,3]", 0, 25), 25, "file-size error a", "24 bytes of F32, and data_offsets [0, 25] hold 25 bytes", "data_offsets [0, 24]"},
		{"end before begin", entryText("a", "U8", "[8]", 8, 0), 8, "file-size error a", "end before they begin", "data_offsets [0, 8]"},
		{"2^32 by 2^32", entryText("a", "F32", "[4294967296,4294967296]", 0, 0), 0, "file-size error a", "73786976294838206464 bytes", ""},
		{"a zero behind what overflows", entryText("a", "F32", "[4611686018427387904,4611686018427387904,0]", 0, 0), 0, "", "", ""},
		{"the last byte that there can be", entryText("a", "U8", "[9223372036854775807]", 0, math.MaxInt64), 0, "file-size error a", "9223372036854775807 bytes too few", ""},
		{"4-byte elements at byte 2", entryText("a", "F32", "[1]", 2, 6) + "," + entryText("b", "I16", "[1]", 0, 2), 6, "file-align warning a", "no multiple of the 4 bytes", ""},
		{"there is no such type", entryText("a", "F23", "[1]", 0, 4), 4, "file-type error a", `"F23"`, `"F32"`},
		{"types are upper case", entryText("a", "f32", "[1]", 0, 4), 4, "file-type error a", `"f32"`, `"F32"`},
		{"one name", a + `,"a":{"dtype":"U8","shape":[],"data_offsets":[24,25]}`, 25, "file-name error a", "two tensors", ""},
		{"one name in two spellings", a + `,"\u0061":{"dtype":"U8","shape":[],"data_offsets":[24,25]}`, 25, "file-name error a", "two tensors", ""},
		{"an escape sequence in a name", `"\u001b[31ma":{"dtype":"U8","shape":[],"data_offsets":[0,1]}`, 1, "file-name warning \x1b[31ma", "U+001B", ""},
		{"right to left", `"a\u202eb":{"dtype":"U8","shape":[],"data_offsets":[0,1]}`, 1, "file-name warning a\u202eb", "U+202E", ""},
		{"half a character", `"a\ud800":{"dtype":"U8","shape":[],"data_offsets":[0,1]}`, 1, "file-header error", "UTF-8", ""},
		{"Latin-1", "\"a\xE9\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[0,1]}", 1, "file-header error", "UTF-8", ""},
		{"a key that is not known", strings.Replace(a, "{", `{"x":[{"y":null}],`, 1), 24, "file-header warning a", `the key "x"`, ""},
		{"a key said twice", strings.Replace(a, "{", `{"dtype":"F32",`, 1), 24, "file-header error a", "dtype twice", ""},
		{"no type", `"a":{"shape":[1],"data_offsets":[0,4]}`, 4, "file-header error a", "does not say dtype", ""},
		{"no shape", `"a":{"dtype":"U8","data_offsets":[0,4]}`, 4, "file-header error a", "does not say shape", ""},
		{"no offsets, so there may be holes", `"a":{"dtype":"U8","shape":[4]},` + entryText("b", "U8", "[1]", 4, 5), 5, "file-header error a", "does not say data_offsets", ""},
		{"three offsets", `"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4,8]}`, 4, "file-header error a", "data_offsets, at byte 54, is not a list of two", ""},
		{"a size with a fraction", entryText("a", "U8", "[1.0]", 0, 1), 1, "file-header error a", "shape, at byte 35, is not a list of whole", ""},
		{"a number for a type", `"a":{"dtype":1,"shape":[4],"data_offsets":[0,4]}`, 4, "file-header error a", "dtype, at byte 22, is not a text", ""},
		{"an object for a shape", `"a":{"dtype":"U8","shape":{"x":1},"data_offsets":[0,4]}`, 4, "file-header error a", "shape, at byte 35, is not a list", ""},
		{"nothing is like it", entryText("a", strings.Repeat("x", 70), "[1]", 0, 4), 4, "file-type error a", "xxx...", ""},
		{"more bytes than fit in a line", entryText("a", "U8", "[9223372036854775807,9223372036854775807,9223372036854775807]", 0, 0), 0, "file-size error a", "a number of bytes of 57 digits", ""},
		{"a negative size", entryText("a", "U8", "[-1]", 0, 1), 1, "file-header error a", "shape", ""},
		{"2^63", entryText("a", "U8", "[9223372036854775808]", 0, 1), 1, "file-header error a", "below 2^63", ""},
		{"a size with an exponent", entryText("a", "U8", "[1e0]", 0, 1), 1, "file-header error a", "shape", ""},
		{"a text for a size", entryText("a", "U8", `["1"]`, 0, 1), 1, "file-header error a", "shape", ""},
		{"64 sizes", entryText("a", "U8", "[1"+strings.Repeat(",1", 63)+"]", 0, 1), 1, "", "", ""},
		{"65 sizes", entryText("a", "U8", "[1"+strings.Repeat(",1", 64)+"]", 0, 1), 1, "file-header error a", "64 at most", ""},
		{"an entry that is none", `"a":[1,2]`, 0, "file-header error a", "no object", ""},
		{"metadata", `"__metadata__":{"format":"pt","":"\u0000"},` + a, 24, "", "", ""},
		{"metadata that is no text", `"__metadata__":{"n":1},` + a, 24, "file-header error", "no text", ""},
		{"metadata that is no map", `"__metadata__":[],` + a, 24, "file-header error", "no object", ""},
		{"metadata twice", `"__metadata__":{},"__metadata__":{},` + a, 24, "file-header error", "twice", ""},
		{"a comment", "/* x **/" + a + "// y\n", 24, "file-header error", "a comment stands at byte 9", ""},
		{"a name as long as it may be", entryText(strings.Repeat("n", 4096), "U8", "[]", 0, 1), 1, "", "", ""},
	} {
		f := mustRead(t, "", safetensorsOf("{"+c.header+"}", c.data))
		if c.finding == "" {
			wantFindings(t, f)
			continue
		}
		wantFindings(t, f, c.finding)
		if len(f.Findings) > 0 && (!strings.Contains(f.Findings[0].Message, c.word) || f.Findings[0].Fix != c.fix) {
			t.Errorf("%s: %s (%s)", c.reason, f.Findings[0].Message, f.Findings[0].Fix)
		}
	}
}

func TestSafetensorsPadding(t *testing.T) {
	for _, c := range []struct{ reason, header, finding string }{
		{"spaces", "{}      ", ""},
		{"line ends", "{}     \n", "file-header error"},
		{"another value", "{}    {}", "file-header error"},
		{"a NUL", "{}     \x00", "file-header error"},
		{"spaces before it", "   {}   ", "file-header error"},
	} {
		f := mustRead(t, "a.safetensors", safetensorsRaw(c.header, 0))
		if t.Log(c.reason); c.finding == "" {
			wantFindings(t, f)
			continue
		}
		wantFindings(t, f, c.finding)
	}
}

func TestSafetensorsFaults(t *testing.T) {
	const a = `{"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}}`
	for _, c := range []struct {
		reason, file string
		at           int
		word         string
	}{
		{"nothing", "", 0, "8 bytes too early"},
		{"2^64-1 bytes", le64(math.MaxUint64) + "{", 0, "18446744073709551615 bytes of header are claimed"},
		{"2^63 bytes", le64(1<<63) + "{}", 0, "claimed"},
		{"a byte more than there is", le64(3) + "{}", 0, "3 bytes of header are claimed, but the file ends in 2 bytes"},
		{"no header", le64(0), 8, `'{' is expected`},
		{"a list", safetensorsRaw("[]      ", 0), 8, `'{' is expected`},
		{"cut off", safetensorsRaw(a[:40], 24), 42, "the string does not end"},
		{"no comma", safetensorsRaw(strings.Replace(a, `,"shape"`, ` "shape"`, 1), 24), 28, `',' is expected`},
		{"a comma too many", safetensorsRaw(strings.Replace(a, `]}`, `],}`, 1), 24), 64, "a name in quotes"},
		{"no colon", safetensorsRaw(`{"a" {}}`, 0), 13, `':' is expected`},
		{"half a comment", safetensorsRaw(`{ /* }`, 0), 10, "the comment does not end"},
		{"no comment", safetensorsRaw(`{ /x }`, 0), 10, "a value is expected"},
		{"no escape", safetensorsRaw(`{"\x41":1}`, 0), 10, "no escape"},
		{"half an escape", safetensorsRaw(`{"\u00":1}`, 0), 10, "no escape"},
		{"a line end in a name", safetensorsRaw("{\"a\n\":1}", 0), 11, "control characters"},
		{"a zero too many", safetensorsRaw(`{"a":{"shape":[01]}}`, 0), 23, "no number"},
		{"no digits", safetensorsRaw(`{"a":{"shape":[1.]}}`, 0), 23, "no number"},
		{"a word", safetensorsRaw(`{"a":nul}`, 0), 13, "a value is expected"},
		{"65 levels", safetensorsRaw(`{"a":`+strings.Repeat("[", 1e6), 0), 8 + 5 + 63, "deeper than 64"},
	} {
		f, err := tensorsOf(t, "a.safetensors", c.file)
		t.Log(c.reason)
		wantFault(t, f, err, c.at, c.word)
	}
}

// TestSafetensorsLimit claims one byte more than the format allows, of a file that has them.
func TestSafetensorsLimit(t *testing.T) {
	in := strings.NewReader(le64(maxHeader+1) + "{}" + zeros(pieceSize))
	f, err := Read("a.safetensors", in, 1<<40)
	wantFault(t, f, err, 0, "100000001 bytes long, over the limit of 100000000")
}

// TestSafetensorsLongName passes over names beyond the limit, and over pieces.
func TestSafetensorsLongName(t *testing.T) {
	long := strings.Repeat("n", 1<<20)
	f := mustRead(t, "", safetensorsOf("{"+entryText(long, "U8", "[]", 0, 1)+","+entryText(long, "U8", "[]", 1, 2)+"}", 2))
	cut := long[:4096]
	wantFindings(t, f, "file-name error "+cut, "file-name error "+cut)
	wantTensor(t, &f.Descriptors[1], cut, "U8", 1)
	if len(f.Findings[0].Message) > 200 {
		t.Error(f.Findings[0].Message)
	}
}

// TestSafetensorsPieces moves a header over the edges of the pieces that it is read in.
func TestSafetensorsPieces(t *testing.T) {
	header := `{` + entryText("n\u00e9\\u00e9", "F32", "[2, 3]", 0, 24) + `,"__metadata__" : {"a":"\n"}}`
	for i := range len(header) + 2 {
		padded := "{" + strings.Repeat(" ", pieceSize-i) + header[1:]
		f := mustRead(t, "", safetensorsOf(padded, 24))
		wantFindings(t, f)
		wantTensor(t, &f.Descriptors[0], `né\u00e9`, "F32", 24, 2, 3)
	}
}

// TestSafetensorsCut cuts a file off wherever it can be: no part of it passes.
func TestSafetensorsCut(t *testing.T) {
	file := safetensorsOf(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"__metadata__":{"a":"b"}}`, 8)
	for i := range len(file) {
		if f, err := tensorsOf(t, "a.safetensors", file[:i]); err == nil && len(f.Findings) == 0 {
			t.Errorf("%d bytes of %d pass", i, len(file))
		}
	}
}

// TestManyTensors checks what is found among as many tensors as may be, and one more.
func TestManyTensors(t *testing.T) {
	f := mustRead(t, "", manyTensors(maxTensors))
	wantFindings(t, f)
	if last := f.Descriptors[maxTensors-1]; len(f.Descriptors) != maxTensors || last.Total.Value != 48 {
		t.Errorf("%d, %v", len(f.Descriptors), last)
	}
	g, err := tensorsOf(t, "", manyTensors(maxTensors+1))
	if fault, ok := err.(*doctree.Fault); !ok || !strings.Contains(fault.Msg, "more than the limit of 200000 tensors") {
		t.Error(g, err)
	}
}

// manyTensors is a file of n tensors of 48 bytes, listed from both ends to the middle.
func manyTensors(n int) string {
	var b strings.Builder
	b.WriteByte('{')
	for i := range n {
		k := i / 2
		if i%2 > 0 {
			k = n - 1 - i/2
		}
		fmt.Fprintf(&b, `"model.layers.%d.mlp.experts.%d.up_proj.weight":{"dtype":"BF16","shape":[4,6],"data_offsets":[%d,%d]},`, k/256, k%256, 48*k, 48*k+48)
	}
	return safetensorsOf(strings.TrimSuffix(b.String(), ",")+"}", 48*n)
}

func BenchmarkSafetensors(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		file := manyTensors(n)
		in := strings.NewReader(file)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(file) - 48*n))
			for b.Loop() {
				if f, err := Read("", in, int64(len(file))); err != nil || len(f.Findings) > 0 {
					b.Fatal(f, err)
				}
			}
		})
	}
}
