package tensorfile

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"layoutcalc/layout/descriptor"
)

// TestGGUFVectors has two tensors and an alignment, as the reference wrote them and ggml 0.21 read them: 150 bytes of
// header, and data starting at byte 160.
func TestGGUFVectors(t *testing.T) {
	tensors := []ggufTensor{
		{"token_embd.w", []uint64{4096, 8}, 2, 0},
		{"attn_norm", []uint64{4096}, 0, 18432},
	}
	pairs := []string{ggufU32("general.alignment", 32)}
	header := ggufOf(3, pairs, tensors, 1, 0)
	file := ggufOf(3, pairs, tensors, 32, 18432+16384)
	if len(header) != 150 || len(file) != 160+18432+16384 {
		t.Fatal(len(header), len(file))
	}
	for _, version := range []string{"\x02", "\x03"} {
		f := mustRead(t, "a.gguf", file[:4]+version+file[5:])
		wantFindings(t, f)
		wantTensor(t, f.At(0), "token_embd.w", "Q4_0", 18432, 8, 4096)
		wantTensor(t, f.At(1), "attn_norm", "F32", 16384, 4096)
		if f.At(0).TypeKnown || !f.At(1).TypeKnown || f.At(1).Type.String() != "float32" {
			t.Errorf("%+v", f.Header)
		}
	}
}

// TestGGUFSizes compares the bytes of shapes with ggml's count.
func TestGGUFSizes(t *testing.T) {
	for _, c := range []struct {
		typ   int64
		name  string
		ne    []uint64
		bytes int64
	}{
		{name: "F32", ne: []uint64{5, 4, 3, 2}, bytes: 480},
		{typ: 2, name: "Q4_0", ne: []uint64{4096, 11008}, bytes: 25362432},
		{typ: 14, name: "Q6_K", ne: []uint64{256, 3}, bytes: 630},
		{typ: 8, name: "Q8_0", ne: []uint64{64, 3, 2}, bytes: 408},
		{name: "F32", ne: []uint64{0, 3}},
		{name: "F32", bytes: 4},
	} {
		header := ggufOf(3, nil, []ggufTensor{{"a", c.ne, c.typ, 0}}, 32, 0)
		size := int64(len(header)) + alignedUp(c.bytes, 32)
		f, err := Read("gguf", sparse{header, new(int64)}, size)
		if err != nil {
			t.Fatal(err)
		}
		wantFindings(t, f)
		sizes := []int64{}
		for i := range c.ne {
			sizes = append(sizes, int64(c.ne[len(c.ne)-1-i]))
		}
		wantTensor(t, f.At(0), "a", c.name, c.bytes, sizes...)
	}
}

// TestGGUFTypes compares the table with the reference: id, name, elements and bytes of a block.
func TestGGUFTypes(t *testing.T) {
	const table = `0 F32 1 4, 1 F16 1 2, 2 Q4_0 32 18, 3 Q4_1 32 20, 6 Q5_0 32 22, 7 Q5_1 32 24, 8 Q8_0 32 34,
		9 Q8_1 32 36, 10 Q2_K 256 84, 11 Q3_K 256 110, 12 Q4_K 256 144, 13 Q5_K 256 176, 14 Q6_K 256 210,
		15 Q8_K 256 292, 16 IQ2_XXS 256 66, 17 IQ2_XS 256 74, 18 IQ3_XXS 256 98, 19 IQ1_S 256 50, 20 IQ4_NL 32 18,
		21 IQ3_S 256 110, 22 IQ2_S 256 82, 23 IQ4_XS 256 136, 24 I8 1 1, 25 I16 1 2, 26 I32 1 4, 27 I64 1 8,
		28 F64 1 8, 29 IQ1_M 256 56, 30 BF16 1 2, 34 TQ1_0 256 54, 35 TQ2_0 256 66, 39 MXFP4 32 17,
		40 NVFP4 64 36, 41 Q1_0 128 18, 42 Q2_0 64 18`
	known := map[int64]bool{}
	for row := range strings.SplitSeq(table, ",") {
		var id, elements, bytes int64
		var name string
		if _, err := fmt.Sscan(row, &id, &name, &elements, &bytes); err != nil {
			t.Fatal(row, err)
		}
		known[id] = true
		header := ggufOf(3, nil, []ggufTensor{{"a", []uint64{uint64(elements), 7}, id, 0}}, 32, int(7*bytes+31)/32*32)
		f := mustRead(t, "", header)
		wantFindings(t, f)
		wantTensor(t, f.At(0), "a", name, 7*bytes, 7, elements)
		if d := f.At(0); d.TypeKnown != (elements == 1) || d.TypeKnown && d.Type.Bits() != 8*bytes {
			t.Errorf("%+v", d)
		}
	}
	for id := range int64(60) {
		f := mustRead(t, "", ggufOf(3, nil, []ggufTensor{{"a", []uint64{256}, id, 0}}, 32, 2048))
		if _, refused := findingsOfRule(f, "file-type error a"); refused == known[id] {
			t.Errorf("type %d: %q", id, findingsOf(f))
		}
	}
}

func findingsOfRule(f *descriptor.File, want string) (message string, ok bool) {
	for i, g := range findingsOf(f) {
		if g == want {
			return f.Findings[i].Message, true
		}
	}
	return "", false
}

func TestGGUFFindings(t *testing.T) {
	nine := ggufTensor{"a", []uint64{9}, 0, 0} // 36 bytes, padded to 64
	b := func(offset uint64) []ggufTensor { return []ggufTensor{nine, {"b", []uint64{8}, 0, offset}} }
	one := func(name string, typ int64, ne ...uint64) []ggufTensor { return []ggufTensor{{name, ne, typ, 0}} }
	for _, c := range []struct {
		reason  string
		pairs   []string
		tensors []ggufTensor
		data    int
		want    []string
		word    string
	}{
		{reason: "padded to 64", tensors: b(64), data: 96},
		{
			reason: "36 is not a multiple of 32", tensors: b(36), data: 96, want: []string{"file-align error b"},
			word: "byte 36 of the data, which is not a multiple of the alignment of 32 bytes",
		},
		{
			reason: "96 is beyond 64", tensors: b(96), data: 128, want: []string{"file-hole error b"},
			word: "32 bytes before the tensor",
		},
		{
			reason: "32 is within a", tensors: b(32), data: 64, want: []string{"file-overlap error b"},
			word: `byte 32 of the data, but "a" reaches to byte 36`,
		},
		{
			reason: "the other way round", tensors: []ggufTensor{{"a", []uint64{8}, 0, 64}, {"b", []uint64{9}, 0, 0}},
			data: 96, want: []string{"file-order error b"}, word: "byte 0 of the data, before",
		},
		{
			reason:  "empty tensors take no place",
			tensors: []ggufTensor{nine, {"b", []uint64{0, 3}, 0, 64}, {"c", []uint64{8}, 0, 64}}, data: 96,
		},
		{
			reason: "a byte is missing", tensors: b(64), data: 95, want: []string{"file-size error b"},
			word: "bytes 64 to 96 of the data, which is 95 bytes long: 1 byte too few",
		},
		{
			reason: "padding is missing", tensors: []ggufTensor{nine}, data: 36, want: []string{"file-size warning"},
			word: "28 bytes of padding",
		},
		{reason: "a byte more", tensors: b(64), data: 97, want: []string{"file-trailing warning"}, word: "1 byte more"},
		{reason: "no tensors"},
		{
			reason: "no tensors, but data after the padding of 8 bytes", data: 33,
			want: []string{"file-trailing warning"}, word: "25 bytes more",
		},
		{
			reason: "100 is not a multiple of 32", tensors: one("a", 2, 100), data: 64,
			want: []string{"file-type error a"},
			word: "a row of 100 elements is not a multiple of the 32 in a block of Q4_0",
		},
		{
			reason: "the row is ne[0]", tensors: one("a", 2, 31, 32), data: 64, want: []string{"file-type error a"},
			word: "a row of 31",
		},
		{
			reason: "one element", tensors: one("a", 2), data: 64, want: []string{"file-type error a"},
			word: "a single element",
		},
		{
			reason: "removed", tensors: one("a", 4, 32), data: 64, want: []string{"file-type error a"},
			word: "type 4 was removed",
		},
		{
			reason: "never existed", tensors: one("a", math.MaxUint32, 32), data: 64,
			want: []string{"file-type error a"},
			word: "unknown type 4294967295",
		},
		{
			reason: "5 dims", tensors: one("a", 0, 1, 1, 1, 1, 8), data: 32, want: []string{"file-header error a"},
			word: "5 sizes, and ggml takes at most 4",
		},
		{reason: "4 dims", tensors: one("a", 0, 1, 1, 1, 8), data: 32},
		{
			reason: "2^63", tensors: one("a", 0, 1<<63), data: 32, want: []string{"file-size error a"},
			word: "a size is 9223372036854775808, beyond 63 bits",
		},
		{
			reason: "2^63-1 by 2", tensors: one("a", 24, math.MaxInt64, 2), data: 32,
			want: []string{"file-size error a"}, word: "18446744073709551614 bytes",
		},
		{
			reason: "2^31 by 2^31 by 2", tensors: one("a", 0, 1<<31, 1<<31, 2), data: 32,
			want: []string{"file-size error a"}, word: "36893488147419103232 bytes",
		},
		{
			reason: "the most bytes", tensors: one("a", 24, math.MaxInt64), data: 32,
			want: []string{"file-size error a"}, word: "9223372036854775775 bytes too few",
		},
		{reason: "a zero after a product that overflows", tensors: one("a", 0, 1<<62, 1<<62, 0)},
		{
			reason: "offset 2^63", tensors: []ggufTensor{{"a", []uint64{8}, 0, 1 << 63}}, data: 32,
			want: []string{"file-size error a"}, word: "offset is 9223372036854775808",
		},
		{
			reason: "offset and size beyond 2^63", tensors: []ggufTensor{{"a", []uint64{8}, 0, math.MaxInt64 - 31}},
			data: 32, want: []string{"file-size error a"}, word: "ends at byte 9223372036854775808",
		},
		{reason: "63 bytes of name", tensors: one(strings.Repeat("n", 63), 0, 8), data: 32},
		{
			reason: "64 bytes of name", tensors: one(strings.Repeat("n", 64), 0, 8), data: 32,
			want: []string{"file-name error " + strings.Repeat("n", 64)},
			word: "64 bytes long, and ggml reads at most 63",
		},
		{
			reason: "one name", tensors: []ggufTensor{nine, {"a", []uint64{8}, 0, 64}}, data: 96,
			want: []string{"file-name error a"}, word: "two tensors",
		},
		{
			reason: "NUL in a name", tensors: one("a\x00b", 0, 8), data: 32, want: []string{"file-name warning a\x00b"},
			word: "U+0000",
		},
		{
			reason: "C1 in a name", tensors: one("a\u009bb", 0, 8), data: 32,
			want: []string{"file-name warning a\u009bb"}, word: "U+009B",
		},
		{
			reason: "no UTF-8 in a name", tensors: one("a\x9bb", 0, 8), data: 32,
			want: []string{"file-name error a\x9bb"}, word: "UTF-8",
		},
		{
			reason: "alignment 8", pairs: []string{ggufU32("general.alignment", 8)},
			tensors: []ggufTensor{nine, {"b", []uint64{8}, 0, 40}}, data: 72,
		},
		{
			reason: "alignment 4", pairs: []string{ggufU32("general.alignment", 4)},
			tensors: []ggufTensor{nine, {"b", []uint64{8}, 0, 36}}, data: 68, want: []string{"file-align warning"},
			word: "multiple of 8",
		},
		{
			reason: "alignment 24", pairs: []string{ggufU32("general.alignment", 24)},
			want: []string{"file-align error"}, word: "24, which is not a power of two",
		},
		{
			reason: "alignment 0", pairs: []string{ggufU32("general.alignment", 0)}, want: []string{"file-align error"},
			word: "is 0",
		},
		{
			reason: "alignment 2^21", pairs: []string{ggufU32("general.alignment", 1<<21)},
			want: []string{"file-align warning"}, word: "2097152",
		},
		{
			reason: "alignment as a text", pairs: []string{ggufText("general.alignment") + le32(8) + ggufText("32")},
			want: []string{"file-align error"}, word: "not an unsigned 32-bit number",
		},
		{
			reason: "one key", pairs: []string{ggufU32("k", 1), ggufU32("k", 2)}, want: []string{"file-header error"},
			word: `key "k" appears twice`,
		},
		{reason: "a key of 65535 bytes", pairs: []string{ggufU32(strings.Repeat("k", 65535), 1)}},
		{
			reason: "a key of 65536 bytes", pairs: []string{ggufU32(strings.Repeat("k", 65536), 1)},
			want: []string{"file-header error"}, word: "65536 bytes long",
		},
	} {
		align := 32
		if len(c.pairs) == 1 && strings.Contains(c.reason, "alignment 4") {
			align = 4
		} else if strings.Contains(c.reason, "alignment 8") {
			align = 8
		} else if len(c.tensors) == 0 {
			align = 1
		}
		f := mustRead(t, "a.gguf", ggufOf(3, c.pairs, c.tensors, align, c.data))
		t.Log(c.reason)
		wantFindings(t, f, c.want...)
		if c.reason == "2^63" && len(f.Descriptors) > 0 {
			t.Errorf("a descriptor has the sizes %d in place of 2^63", f.Descriptors[0].Sizes)
		}
		if len(f.Findings) > 0 && !strings.Contains(f.Findings[0].Message, c.word) {
			t.Errorf("%s: %s", c.reason, f.Findings[0].Message)
		}
	}
}

// TestGGUFMetadata steps over every type of metadata.
func TestGGUFMetadata(t *testing.T) {
	keys := 0
	key := func(typ int64, value string) string {
		keys++
		return ggufText(fmt.Sprint(keys)) + le32(typ) + value
	}
	array := func(typ int64, n uint64, items string) string { return le32(typ) + le64(n) + items }
	pairs := []string{ggufU32("general.alignment", 64)}
	for typ, width := range []int{1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8} {
		if width > 0 {
			pairs = append(pairs, key(int64(typ), zeros(width)), key(9, array(int64(typ), 3, zeros(3*width))))
		}
	}
	pairs = append(pairs, key(8, ggufText("text")), key(8, ggufText(strings.Repeat("x", 200_000))),
		key(9, array(8, 3, ggufText("")+ggufText("a")+ggufText(strings.Repeat("b", 70_000)))), key(9, array(0, 0, "")))
	tensor := []ggufTensor{{"a", []uint64{16}, 0, 0}}
	f := mustRead(t, "", ggufOf(3, pairs, tensor, 64, 64))
	wantFindings(t, f)
	wantTensor(t, f.At(0), "a", "F32", 64, 16)

	pairs = append(pairs, key(9, array(9, 2, array(0, 1, "x")+array(9, 0, ""))), key(9, array(9, 0, "")))
	wantFindings(t, mustRead(t, "", ggufOf(3, pairs, tensor, 64, 64)), "file-header warning")
}

// TestGGUFValues has the bytes of each type as IEEE 754 and two's complement define them.
func TestGGUFValues(t *testing.T) {
	items := func(typ int64, n uint64, bytes string) string { return le32(typ) + le64(n) + bytes }
	numbers := func(n int) (bytes string, first []any) {
		for i := range n {
			if bytes += string(rune(i)); i < 8 {
				first = append(first, uint64(i))
			}
		}
		return bytes, first
	}
	nine, ofNine := numbers(9)
	tests := []struct {
		typ    int64
		bytes  string
		name   string
		value  any
		length int64
	}{
		{0, "\xff", "uint8", uint64(255), 0},
		{1, "\xfb", "int8", int64(-5), 0},
		{2, "\xfe\xff", "uint16", uint64(65534), 0},
		{3, "\xfe\xff", "int16", int64(-2), 0},
		{4, "\x00\x00\x00\x80", "uint32", uint64(2147483648), 0},
		{5, "\x00\x00\x00\x80", "int32", int64(-2147483648), 0},
		{6, "\x00\x00\xc0\x3f", "float32", float32(1.5), 0},
		{7, "\x01", "bool", true, 0},
		{8, ggufText("a\nb"), "string", "a\nb", 0},
		{8, ggufText(strings.Repeat("x", 200_000)), "string", strings.Repeat("x", 200_000), 0},
		{10, "\x05\x00\x00\x00\x00\x00\x00\x80", "uint64", uint64(9223372036854775813), 0},
		{11, "\xfe\xff\xff\xff\xff\xff\xff\xff", "int64", int64(-2), 0},
		{12, "\x9a\x99\x99\x99\x99\x99\xb9\xbf", "float64", -0.1, 0},
		{9, items(8, 2, ggufText("a")+ggufText("")), "string[]", []any{"a", ""}, 2},
		{9, items(0, 9, nine), "uint8[]", ofNine, 9},
		{9, items(4, 0, ""), "uint32[]", []any{}, 0},
		{9, items(9, 1, items(7, 1, "\x00")), "array[]", []any{[]any{false}}, 1},
	}
	var pairs []string
	for i, tt := range tests {
		pairs = append(pairs, ggufText(fmt.Sprint(i))+le32(tt.typ)+tt.bytes)
	}
	data := ggufOf(3, pairs, nil, 32, 0)
	f, err := ReadAll(ggufKind, strings.NewReader(data), int64(len(data)))
	if err != nil || len(f.Metadata) != len(tests) {
		t.Fatalf("%d pairs, want %d; error %v", len(f.Metadata), len(tests), err)
	}
	for i, tt := range tests {
		want := descriptor.Pair{Key: fmt.Sprint(i), Type: tt.name, Value: tt.value, Len: tt.length}
		if got := f.Metadata[i]; !reflect.DeepEqual(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	if f, err := Read(ggufKind, strings.NewReader(data), int64(len(data))); err != nil || f.Metadata != nil {
		t.Errorf("Read keeps %v, error %v", f.Metadata, err)
	}
}

func TestGGUFFaults(t *testing.T) {
	start := func(tensors, pairs uint64) string { return "GGUF" + le32(3) + le64(tensors) + le64(pairs) }
	pair := func(typ int64, rest string) string { return start(0, 1) + ggufText("k") + le32(typ) + rest }
	tensor := func(rest string) string { return start(1, 0) + ggufText("t") + rest }
	for _, c := range []struct {
		reason, file string
		at           int
		word         string
	}{
		{reason: "another file", file: "GGML" + zeros(100), word: "does not start with GGUF"},
		{reason: "version 1", file: "GGUF" + le32(1) + zeros(100), at: 4, word: "version 1"},
		{reason: "version 0", file: "GGUF" + le32(0) + zeros(100), at: 4, word: "version 0"},
		{reason: "version 4", file: "GGUF" + le32(4) + zeros(100), at: 4, word: "version 4"},
		{reason: "version 3 the other way round", file: "GGUF\x00\x00\x00\x03" + zeros(100), at: 4, word: "big-endian"},
		{reason: "cut off in the counts", file: start(0, 0)[:20], at: 20, word: "4 bytes too early"},
		{
			reason: "2^63 tensors", file: start(1<<63, 0) + zeros(100), at: 8,
			word: "the file claims 9223372036854775808 tensors, but the file ends in 100 bytes",
		},
		{reason: "5 tensors in 119 bytes", file: start(5, 0) + zeros(119), at: 8, word: "the file claims 5 tensors"},
		{reason: "200,001 tensors", file: start(200_001, 0) + zeros(24*200_001), at: 8, word: "limit of 200000"},
		{
			reason: "2^64-1 pairs", file: start(0, math.MaxUint64) + zeros(100), at: 16,
			word: "18446744073709551615 pairs",
		},
		{reason: "65,537 pairs", file: start(0, 65_537) + zeros(13*65_537), at: 16, word: "limit of 65536"},
		{
			reason: "a key of 2^63 bytes", file: start(0, 1) + le64(1<<63) + zeros(100), at: 24,
			word: "9223372036854775808 bytes of key",
		},
		{
			reason: "a key of a byte more than there is", file: start(0, 1) + le64(14) + zeros(13), at: 24,
			word: "the file claims 14 bytes of key, but the file ends in 13 bytes",
		},
		{reason: "a text of 2^63 bytes", file: pair(8, le64(1<<63)+zeros(9)), at: 37, word: "bytes of text"},
		{reason: "an array of 2^63 items", file: pair(9, le32(10)+le64(1<<63)+zeros(9)), at: 41, word: "items"},
		{
			reason: "2^61+1 items of 8 bytes wrap to 8", file: pair(9, le32(10)+le64(1<<61+1)+zeros(9)), at: 41,
			word: "2305843009213693953 items",
		},
		{reason: "texts of 8 bytes each", file: pair(9, le32(8)+le64(2)+zeros(15)), at: 41, word: "2 items"},
		{
			reason: "a text in an array", file: pair(9, le32(8)+le64(2)+ggufText("a")+le64(1<<63)), at: 58,
			word: "bytes of text",
		},
		{reason: "unknown type", file: pair(13, zeros(8)), at: 33, word: "unknown type 13"},
		{reason: "unknown type in an array", file: pair(9, le32(13)+le64(1)+zeros(8)), at: 37, word: "unknown type 13"},
		{
			reason: "65 levels", file: pair(9, strings.Repeat(le32(9)+le64(1), 1000)), at: 37 + 64*12,
			word: "deeper than 64",
		},
		{
			reason: "a name of 2^64-1 bytes", file: start(1, 0) + le64(math.MaxUint64) + zeros(100), at: 24,
			word: "bytes of name",
		},
		{
			reason: "2^32-1 sizes", file: tensor(le32(math.MaxUint32) + zeros(100)), at: 33,
			word: "the file claims 4294967295 sizes",
		},
		{
			reason: "65 sizes", file: tensor(le32(65) + zeros(65*8+12)), at: 33,
			word: "65 sizes are over the limit of 64",
		},
		{
			reason: "more sizes than are kept",
			file:   start(70_000, 0) + strings.Repeat(ggufText("")+le32(64)+zeros(64*8+12), 70_000),
			at:     24 + 62_500*(8+4+64*8+12) + 12, word: "limit of 4000000 sizes",
		},
		{reason: "cut off in the offset", file: tensor(le32(0) + le32(0) + zeros(7)), at: 48, word: "1 byte too early"},
	} {
		f, err := tensorsOf(t, "a.gguf", c.file)
		t.Log(c.reason)
		wantFault(t, f, err, c.at, c.word)
	}
}

// TestGGUFCut cuts a file off at every byte: no part of it passes.
func TestGGUFCut(t *testing.T) {
	pairs := []string{ggufU32("a", 1), ggufText("b") + le32(9) + le32(8) + le64(2) + ggufText("c") + ggufText("")}
	file := ggufOf(3, pairs, []ggufTensor{{"t", []uint64{4, 2}, 1, 0}, {"u", []uint64{16}, 0, 32}}, 32, 96)
	wantFindings(t, mustRead(t, "", file))
	for i := range len(file) {
		if f, err := tensorsOf(t, "a.gguf", file[:i]); err == nil && len(f.Findings) == 0 {
			t.Errorf("%d bytes of %d pass", i, len(file))
		}
	}
}

// A sparse file starts with some bytes, and has zeros after them.
type sparse struct {
	head string
	read *int64
}

func (s sparse) ReadAt(b []byte, at int64) (int, error) {
	*s.read += int64(len(b))
	clear(b)
	if at < int64(len(s.head)) {
		copy(b, s.head[at:])
	}
	return len(b), nil
}

// TestGGUFSparse skips a claimed array of 2^50 bytes.
func TestGGUFSparse(t *testing.T) {
	for _, typ := range []int64{0, 8} {
		read := int64(0)
		head := "GGUF" + le32(3) + le64(0) + le64(1) + ggufText("k") + le32(9) + le32(typ) + le64(1<<50)
		f, err := Read("gguf", sparse{head, &read}, 1<<62)
		wantFault(t, f, err, 41, "the header reaches its limit of 100000000 bytes")
		if read > 1<<20 {
			t.Errorf("%d bytes are read", read)
		}
	}
}
