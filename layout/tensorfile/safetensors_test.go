package tensorfile

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/layouttest"
)

// The examples of the reference, with the lengths that it gives.
func TestSafetensorsVectors(t *testing.T) {
	const two = `{"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},` +
		`"b":{"dtype":"BF16","shape":[4],"data_offsets":[24,32]}}`
	file := safetensorsOf(two, 32)
	if len(two) != 113 || len(file) != 160 || file[:8] != le64(120) {
		t.Fatalf("%d, %d", len(two), len(file))
	}
	f := mustRead(t, "a.safetensors", file)
	wantFindings(t, f)
	wantTensor(t, f.At(0), "a", "F32", 24, 2, 3)
	wantTensor(t, f.At(1), "b", "BF16", 8, 4)
	if b := f.At(1); !b.TypeKnown || b.Type.String() != "bfloat16" || b.Strides != nil {
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
	wantTensor(t, f.At(0), "", "I64", 8)

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

// TestSafetensorsTypes checks the bytes of 8 elements of every type of the format.
func TestSafetensorsTypes(t *testing.T) {
	for dtype, bytes := range map[string]int{
		"BOOL": 8, "F4": 4, "F6_E2M3": 6, "F6_E3M2": 6, "U8": 8, "I8": 8, "F8_E5M2": 8, "F8_E4M3": 8, "F8_E8M0": 8,
		"F8_E4M3FNUZ": 8, "F8_E5M2FNUZ": 8, "I16": 16, "U16": 16, "F16": 16, "BF16": 16, "I32": 32,
		"U32": 32, "F32": 32,
		"C64": 64, "F64": 64, "I64": 64, "U64": 64,
	} {
		f := mustRead(t, "", safetensorsOf("{"+entryText("a", dtype, "[8]", 0, uint64(bytes))+"}", bytes))
		wantFindings(t, f)
		d := f.At(0)
		if d.TypeKnown == strings.HasPrefix(dtype, "F6_") || d.TypeKnown && d.Type.Bits() != int64(bytes) {
			t.Errorf("%s: %+v", dtype, d)
		}
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
		{
			reason: "12 bits", header: entryText("a", "F4", "[3]", 0, 2), data: 2, finding: "file-type error a",
			word: "1 byte and 4 bits",
		},
		{reason: "16 bits", header: entryText("a", "F4", "[4]", 0, 2), data: 2},
		{reason: "24 bits", header: entryText("a", "F6_E2M3", "[4]", 0, 3), data: 3},
		{
			reason: "a hole of a byte", header: a + "," + entryText("b", "U8", "[8]", 25, 33), data: 33,
			finding: "file-hole error b", word: "1 byte before the tensor", fix: "data_offsets [24, 32]",
		},
		{
			reason: "a hole at the start", header: entryText("a", "U8", "[8]", 1, 9), data: 9,
			finding: "file-hole error a", word: "byte 0 of the data to byte 1", fix: "data_offsets [0, 8]",
		},
		{reason: "a byte too many", header: a, data: 25, finding: "file-trailing error", word: "1 byte more"},
		{
			reason: "a byte too few", header: a, data: 23, finding: "file-size error a",
			word: "23 bytes long: 1 byte too few",
			fix:  "download or copy the file again: it is cut off, or still being written",
		},
		{reason: "bytes of no tensor", data: 4, finding: "file-trailing error", word: "4 bytes more"},
		{reason: "order does not matter", header: entryText("b", "U8", "[8]", 24, 32) + "," + a, data: 32},
		{
			reason: "an overlap of a byte", header: entryText("b", "U8", "[8]", 23, 31) + "," + a, data: 31,
			finding: "file-overlap error b", word: `byte 23 of the data, but "a" reaches to byte 24`,
		},
		{
			reason: "all of it", header: entryText("b", "F32", "[6]", 0, 24) + "," + a, data: 24,
			finding: "file-overlap error a", word: `"b" reaches to byte 24`,
		},
		{
			reason: "empty tensors share a place",
			header: entryText("b", "F32", "[0]", 24, 24) + "," + a + "," + entryText("c", "U8", "[0,9]", 24, 24),
			data:   24,
		},
		{
			reason: "but not inside another", header: entryText("b", "F32", "[0]", 4, 4) + "," + a, data: 24,
			finding: "file-overlap error b", word: "byte 4",
		},
		{
			reason: "offsets that do not suit the shape", header: entryText("a", "F32", "[2,3]", 0, 25), data: 25,
			finding: "file-size error a", word: "24 bytes of F32, and data_offsets [0, 25] hold 25 bytes",
			fix: "data_offsets [0, 24]",
		},
		{
			reason: "end before begin", header: entryText("a", "U8", "[8]", 8, 0), data: 8,
			finding: "file-size error a", word: "end before they begin", fix: "data_offsets [0, 8]",
		},
		{
			reason: "2^32 by 2^32", header: entryText("a", "F32", "[4294967296,4294967296]", 0, 0),
			finding: "file-size error a", word: "73786976294838206464 bytes",
		},
		{
			reason: "a zero after a product that overflows",
			header: entryText("a", "F32", "[4611686018427387904,4611686018427387904,0]", 0, 0),
		},
		{
			reason: "the largest offset",
			header: entryText("a", "U8", "[9223372036854775807]", 0, math.MaxInt64), finding: "file-size error a",
			word: "9223372036854775807 bytes too few",
			fix:  "download or copy the file again: it is cut off, or still being written",
		},
		{
			reason: "4-byte elements at byte 2",
			header: entryText("a", "F32", "[1]", 2, 6) + "," + entryText("b", "I16", "[1]", 0, 2), data: 6,
			finding: "file-align warning a", word: "not a multiple of the 4 bytes",
		},
		{
			reason: "an unknown type", header: entryText("a", "F23", "[1]", 0, 4), data: 4,
			finding: "file-type error a", word: `"F23"`, fix: `"F32"`,
		},
		{
			reason: "types are upper case", header: entryText("a", "f32", "[1]", 0, 4), data: 4,
			finding: "file-type error a", word: `"f32"`, fix: `"F32"`,
		},
		{
			reason: "one name", header: a + `,"a":{"dtype":"U8","shape":[],"data_offsets":[24,25]}`, data: 25,
			finding: "file-name error a", word: "two tensors",
		},
		{
			reason: "one name in two spellings",
			header: a + `,"\u0061":{"dtype":"U8","shape":[],"data_offsets":[24,25]}`, data: 25,
			finding: "file-name error a", word: "two tensors",
		},
		{
			reason: "an escape sequence in a name",
			header: `"\u001b[31ma":{"dtype":"U8","shape":[],"data_offsets":[0,1]}`, data: 1,
			finding: "file-name warning \x1b[31ma", word: "U+001B",
		},
		{
			reason: "right to left", header: `"a\u202eb":{"dtype":"U8","shape":[],"data_offsets":[0,1]}`, data: 1,
			finding: "file-name warning a\u202eb", word: "U+202E",
		},
		{
			reason: "half a character", header: `"a\ud800":{"dtype":"U8","shape":[],"data_offsets":[0,1]}`, data: 1,
			finding: "file-header error", word: "UTF-8",
		},
		{
			reason: "Latin-1", header: "\"a\xE9\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[0,1]}", data: 1,
			finding: "file-header error", word: "UTF-8",
		},
		{
			reason: "a key that is not known", header: strings.Replace(a, "{", `{"x":[{"y":null}],`, 1), data: 24,
			finding: "file-header warning a", word: `the key "x"`,
		},
		{
			reason: "a key said twice", header: strings.Replace(a, "{", `{"dtype":"F32",`, 1), data: 24,
			finding: "file-header error a", word: "dtype twice",
		},
		{
			reason: "no type", header: `"a":{"shape":[1],"data_offsets":[0,4]}`, data: 4,
			finding: "file-header error a", word: "does not say dtype",
		},
		{
			reason: "no shape", header: `"a":{"dtype":"U8","data_offsets":[0,4]}`, data: 4,
			finding: "file-header error a", word: "does not say shape",
		},
		{
			reason: "no offsets, so there may be holes",
			header: `"a":{"dtype":"U8","shape":[4]},` + entryText("b", "U8", "[1]", 4, 5), data: 5,
			finding: "file-header error a", word: "does not say data_offsets",
		},
		{
			reason: "three offsets", header: `"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4,8]}`, data: 4,
			finding: "file-header error a", word: "data_offsets, at byte 54, is not a list of two",
		},
		{
			reason: "a size with a fraction", header: entryText("a", "U8", "[1.0]", 0, 1), data: 1,
			finding: "file-header error a", word: "shape, at byte 35, is not a list of at most 64 whole",
		},
		{
			reason: "a number for a type", header: `"a":{"dtype":1,"shape":[4],"data_offsets":[0,4]}`, data: 4,
			finding: "file-header error a", word: "dtype, at byte 22, is not a text",
		},
		{
			reason: "an object for a shape", header: `"a":{"dtype":"U8","shape":{"x":1},"data_offsets":[0,4]}`, data: 4,
			finding: "file-header error a", word: "shape, at byte 35, is not a list",
		},
		{
			reason: "nothing is like it", header: entryText("a", strings.Repeat("x", 70), "[1]", 0, 4), data: 4,
			finding: "file-type error a", word: "xxx…",
		},
		{
			reason:  "more bytes than fit in a line",
			header:  entryText("a", "U8", "[9223372036854775807,9223372036854775807,9223372036854775807]", 0, 0),
			finding: "file-size error a", word: "a number of bytes of 57 digits",
		},
		{
			reason: "a negative size", header: entryText("a", "U8", "[-1]", 0, 1), data: 1,
			finding: "file-header error a", word: "shape",
		},
		{
			reason: "2^63", header: entryText("a", "U8", "[9223372036854775808]", 0, 1), data: 1,
			finding: "file-header error a", word: "below 2^63",
		},
		{
			reason: "a size with an exponent", header: entryText("a", "U8", "[1e0]", 0, 1), data: 1,
			finding: "file-header error a", word: "shape",
		},
		{
			reason: "a text for a size", header: entryText("a", "U8", `["1"]`, 0, 1), data: 1,
			finding: "file-header error a", word: "shape",
		},
		{reason: "64 sizes", header: entryText("a", "U8", "[1"+strings.Repeat(",1", 63)+"]", 0, 1), data: 1},
		{
			reason: "65 sizes", header: entryText("a", "U8", "[1"+strings.Repeat(",1", 64)+"]", 0, 1), data: 1,
			finding: "file-header error a", word: "at most 64",
		},
		{reason: "an entry that is a list", header: `"a":[1,2]`, finding: "file-header error a", word: "not an object"},
		{reason: "metadata", header: `"__metadata__":{"format":"pt","":"\u0000"},` + a, data: 24},
		{
			reason: "metadata that is not a string", header: `"__metadata__":{"n":1},` + a, data: 24,
			finding: "file-header error", word: "not a string",
		},
		{
			reason: "metadata that is not a map", header: `"__metadata__":[],` + a, data: 24,
			finding: "file-header error",
			word:    "not an object",
		},
		{
			reason: "metadata twice", header: `"__metadata__":{},"__metadata__":{},` + a, data: 24,
			finding: "file-header error", word: "twice",
		},
		{
			reason: "a comment", header: "/* x **/" + a + "// y\n", data: 24, finding: "file-header error",
			word: "a comment at byte 9",
		},
		{
			reason: "a name as long as it may be", header: entryText(strings.Repeat("n", 4096), "U8", "[]", 0, 1),
			data: 1,
		},
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
		{"blanks that are not spaces, which readers of JSON skip", "{}   \t\r\n", "file-header warning"},
		{"another value", "{}    {}", "file-header error"},
		{"a NUL", "{}     \x00", "file-header error"},
		{"spaces before it", "   {}   ", "file-header warning"},
		{"a line end before it", "\n{}     ", "file-header warning"},
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
		{reason: "nearly a pointer", file: "version https://git-lfs.github.com/", word: "claims"},
		{
			reason: "2^64-1 bytes", file: le64(math.MaxUint64) + "{",
			word: "the file claims 18446744073709551615 bytes of header",
		},
		{reason: "2^63 bytes", file: le64(1<<63) + "{}", word: "claims"},
		{
			reason: "a byte more than there is", file: le64(3) + "{}",
			word: "the file claims 3 bytes of header, but the file ends in 2 bytes",
		},
		{
			reason: "a length the other way round", file: zeros(7) + "\x3a{" + a[1:] + zeros(24),
			word: "the length of the header is big-endian",
		},
		{reason: "of more than there is", file: zeros(6) + "\x0f\x3a{" + a[1:] + zeros(24), word: "claims"},
		{reason: "no header", file: le64(0), at: 8, word: "the text ends"},
		{reason: "a list", file: safetensorsRaw("[]      ", 0), at: 8, word: "expected {"},
		{reason: "cut off", file: safetensorsRaw(a[:40], 24), at: 42, word: "the string does not end"},
		{
			reason: "no comma", file: safetensorsRaw(strings.Replace(a, `,"shape"`, ` "shape"`, 1), 24), at: 28,
			word: `expected a comma or }`,
		},
		{
			reason: "a comma too many", file: safetensorsRaw(strings.Replace(a, `]}`, `],}`, 1), 24), at: 64,
			word: "expected a name in quotes",
		},
		{reason: "no colon", file: safetensorsRaw(`{"a" {}}`, 0), at: 13, word: `expected a colon`},
		{reason: "half a comment", file: safetensorsRaw(`{ /* }`, 0), at: 10, word: "the comment does not end"},
		{reason: "no comment", file: safetensorsRaw(`{ /x }`, 0), at: 10, word: "expected a value"},
		{reason: "not an escape", file: safetensorsRaw(`{"\x41":1}`, 0), at: 10, word: "not an escape"},
		{reason: "half an escape", file: safetensorsRaw(`{"\u00":1}`, 0), at: 10, word: "not an escape"},
		{reason: "a line end in a name", file: safetensorsRaw("{\"a\n\":1}", 0), at: 11, word: "control characters"},
		{reason: "a zero too many", file: safetensorsRaw(`{"a":{"shape":[01]}}`, 0), at: 23, word: "not a number"},
		{reason: "no digits", file: safetensorsRaw(`{"a":{"shape":[1.]}}`, 0), at: 23, word: "not a number"},
		{reason: "a word", file: safetensorsRaw(`{"a":nul}`, 0), at: 13, word: "expected a value"},
		{
			reason: "65 levels", file: safetensorsRaw(`{"a":`+strings.Repeat("[", 1e6), 0), at: 8 + 5 + 63,
			word: "deeper than 64",
		},
	} {
		f, err := tensorsOf(t, "a.safetensors", c.file)
		t.Log(c.reason)
		wantFault(t, f, err, c.at, c.word)
	}
}

// TestSafetensorsLimit claims one byte more than the format allows, of a file that has them.
func TestSafetensorsLimit(t *testing.T) {
	in := strings.NewReader(le64(maxHeader+1) + "{}" + zeros(pieceSize))
	f, err := Read("safetensors", in, 1<<40)
	wantFault(t, f, err, 0, "100000001 bytes long, over the limit of 100000000")
}

// TestSafetensorsLongName skips names beyond the limit, also in pieces.
func TestSafetensorsLongName(t *testing.T) {
	long := strings.Repeat("n", 1<<20)
	header := "{" + entryText(long, "U8", "[]", 0, 1) + "," + entryText(long, "U8", "[]", 1, 2) + "}"
	f := mustRead(t, "", safetensorsOf(header, 2))
	cut := long[:4096]
	wantFindings(t, f, "file-name error "+cut, "file-name error "+cut)
	wantTensor(t, f.At(1), cut, "U8", 1)
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
		wantTensor(t, f.At(0), `né\u00e9`, "F32", 24, 2, 3)
	}
}

// TestSafetensorsCut cuts a file off at every byte: no part of it passes.
func TestSafetensorsCut(t *testing.T) {
	file := safetensorsOf(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"__metadata__":{"a":"b"}}`, 8)
	for i := range len(file) {
		if f, err := tensorsOf(t, "a.safetensors", file[:i]); err == nil && len(f.Findings) == 0 {
			t.Errorf("%d bytes of %d pass", i, len(file))
		}
	}
}

// TestManyTensors reads as many tensors as the limit allows, and one more.
func TestManyTensors(t *testing.T) {
	layouttest.SkipUnlessAll(t, "the input is large")
	f := mustRead(t, "", manyTensors(maxTensors))
	wantFindings(t, f)
	if last := f.At(maxTensors - 1); f.Len() != maxTensors || last.Total.Value != 48 {
		t.Errorf("%d, %v", f.Len(), last)
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
		name := fmt.Sprintf("model.layers.%d.mlp.experts.%d.up_proj.weight", k/256, k%256)
		b.WriteString(entryText(name, "BF16", "[4,6]", uint64(48*k), uint64(48*k+48)) + ",")
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
				if f, err := Read("safetensors", in, int64(len(file))); err != nil || len(f.Findings) > 0 {
					b.Fatal(f, err)
				}
			}
		})
	}
}

// TestSafetensorsTwoOfAName finds names that appear again, in whatever order the names are, beside all pairs.
func TestSafetensorsTwoOfAName(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	long := strings.Repeat("m", maxNameKept+1)
	for range 2000 {
		var names, members, want []string
		list := make([]string, 1+r.IntN(6))
		for i := range list {
			list[i] = []string{"", "a", "b", "c", "d", "m", "z", long, long[1:]}[r.IntN(9)]
		}
		if r.IntN(2) == 0 {
			slices.Sort(list)
		}
		for _, name := range list {
			switch {
			case name == long:
				want = append(want, "is 4097 bytes long")
			case slices.Contains(names, name):
				want = append(want, "two tensors have this name")
			}
			names = append(names, name)
			members = append(members, entryText(name, "U8", "[]", uint64(len(members)), uint64(len(members)+1)))
		}
		f := mustRead(t, "x.safetensors", safetensorsOf("{"+strings.Join(members, ",")+"}", len(members)))
		var got []string
		for _, g := range f.Findings {
			if g.Rule == FileName {
				got = append(got, g.Message)
			}
		}
		if !slices.EqualFunc(got, want, strings.Contains) {
			t.Fatalf("%.20q: %.60q, want %q", names, got, want)
		}
	}
}

// TestHeaderMemory reads headers in which all tensors are wrong: the memory grows as the tensors do, and is a fraction
// of that of descriptors. Findings that are not kept cost a count.
func TestHeaderMemory(t *testing.T) {
	allocated := func(n int) (bytes, count uint64) {
		var b strings.Builder
		for i := range n {
			b.WriteString(entryText(fmt.Sprintf("t%d", i), "F33", "[1]", 0, 3) + ",")
		}
		text := safetensorsOf("{"+strings.TrimSuffix(b.String(), ",")+"}", 3)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f := mustRead(t, "", text)
		runtime.ReadMemStats(&after)
		if f.Len() != n || len(f.Findings) > 4*finding.MostOfRule {
			t.Fatalf("%d tensors, %d findings", f.Len(), len(f.Findings))
		}
		return after.TotalAlloc - before.TotalAlloc, after.Mallocs - before.Mallocs
	}
	allocated(4000)
	bytes, count := allocated(20_000)
	twice, counts := allocated(40_000)
	if per := (twice - bytes) / 20_000; per > 800 || twice > 3*bytes {
		t.Errorf("%d bytes, and %d for twice as many tensors: %d for each", bytes, twice, per)
	}
	if per := float64(counts-count) / 20_000; per > 4 {
		t.Errorf("%v allocations for each tensor", per)
	}
}
