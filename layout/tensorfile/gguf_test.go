package tensorfile

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"layoutcalc/layout/rules"
)

// Two tensors and an alignment, as the reference wrote them and ggml 0.21 read them: 150 bytes of
// header, and data from byte 160 on.
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
		wantTensor(t, &f.Descriptors[0], "token_embd.w", "Q4_0", 18432, 8, 4096)
		wantTensor(t, &f.Descriptors[1], "attn_norm", "F32", 16384, 4096)
		if f.Descriptors[0].TypeKnown || !f.Descriptors[1].TypeKnown || f.Descriptors[1].Type.String() != "float32" {
			t.Errorf("%+v", f.Descriptors)
		}
	}
}

// TestGGUFSizes holds shapes against the bytes that ggml counted.
func TestGGUFSizes(t *testing.T) {
	for _, c := range []struct {
		typ   int64
		name  string
		ne    []uint64
		bytes int64
	}{
		{0, "F32", []uint64{5, 4, 3, 2}, 480},
		{2, "Q4_0", []uint64{4096, 11008}, 25362432},
		{14, "Q6_K", []uint64{256, 3}, 630},
		{8, "Q8_0", []uint64{64, 3, 2}, 408},
		{0, "F32", []uint64{0, 3}, 0},
		{0, "F32", nil, 4},
	} {
		header := ggufOf(3, nil, []ggufTensor{{"a", c.ne, c.typ, 0}}, 32, 0)
		size := int64(len(header)) + alignedUp(c.bytes, 32)
		f, err := Read("", sparse{header, new(int64)}, size)
		if err != nil {
			t.Fatal(err)
		}
		wantFindings(t, f)
		sizes := []int64{}
		for i := range c.ne {
			sizes = append(sizes, int64(c.ne[len(c.ne)-1-i]))
		}
		wantTensor(t, &f.Descriptors[0], "a", c.name, c.bytes, sizes...)
	}
}

// TestGGUFTypes holds the table against the reference's: id, name, elements and bytes of a block.
func TestGGUFTypes(t *testing.T) {
	const table = `0 F32 1 4, 1 F16 1 2, 2 Q4_0 32 18, 3 Q4_1 32 20, 6 Q5_0 32 22, 7 Q5_1 32 24, 8 Q8_0 32 34, 9 Q8_1 32 36,
		10 Q2_K 256 84, 11 Q3_K 256 110, 12 Q4_K 256 144, 13 Q5_K 256 176, 14 Q6_K 256 210, 15 Q8_K 256 292, 16 IQ2_XXS 256 66,
		17 IQ2_XS 256 74, 18 IQ3_XXS 256 98, 19 IQ1_S 256 50, 20 IQ4_NL 32 18, 21 IQ3_S 256 110, 22 IQ2_S 256 82, 23 IQ4_XS 256 136,
		24 I8 1 1, 25 I16 1 2, 26 I32 1 4, 27 I64 1 8, 28 F64 1 8, 29 IQ1_M 256 56, 30 BF16 1 2, 34 TQ1_0 256 54, 35 TQ2_0 256 66,
		39 MXFP4 32 17, 40 NVFP4 64 36, 41 Q1_0 128 18, 42 Q2_0 64 18`
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
		wantTensor(t, &f.Descriptors[0], "a", name, 7*bytes, 7, elements)
		if d := f.Descriptors[0]; d.TypeKnown != (elements == 1) || d.TypeKnown && d.Type.Bits() != 8*bytes {
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

func findingsOfRule(f *rules.File, want string) (message string, ok bool) {
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
		{"padded to 64", nil, b(64), 96, nil, ""},
		{"36 is no multiple of 32", nil, b(36), 96, []string{"file-align error b"}, "byte 36 of the data, which is no multiple of the alignment of 32 bytes"},
		{"96 is beyond 64", nil, b(96), 128, []string{"file-hole error b"}, "32 bytes before the tensor"},
		{"32 is within a", nil, b(32), 64, []string{"file-overlap error b"}, `byte 32 of the data, but "a" reaches to byte 36`},
		{"the other way round", nil, []ggufTensor{{"a", []uint64{8}, 0, 64}, {"b", []uint64{9}, 0, 0}}, 96, []string{"file-order error b"}, "byte 0 of the data, before"},
		{"empty tensors take no place", nil, []ggufTensor{nine, {"b", []uint64{0, 3}, 0, 64}, {"c", []uint64{8}, 0, 64}}, 96, nil, ""},
		{"a byte is missing", nil, b(64), 95, []string{"file-size error b"}, "bytes 64 to 96 of the data, which is 95 bytes long: 1 byte too few"},
		{"padding is missing", nil, []ggufTensor{nine}, 36, []string{"file-size warning"}, "28 bytes of padding"},
		{"a byte more", nil, b(64), 97, []string{"file-trailing warning"}, "1 byte more"},
		{"no tensors", nil, nil, 0, nil, ""},
		{"no tensors, but data behind the padding of 8 bytes", nil, nil, 33, []string{"file-trailing warning"}, "25 bytes more"},
		{"100 is no multiple of 32", nil, one("a", 2, 100), 64, []string{"file-type error a"}, "a row of 100 elements is no multiple of the 32 in a block of Q4_0"},
		{"the row is ne[0]", nil, one("a", 2, 31, 32), 64, []string{"file-type error a"}, "a row of 31"},
		{"one element", nil, one("a", 2), 64, []string{"file-type error a"}, "a single element"},
		{"removed", nil, one("a", 4, 32), 64, []string{"file-type error a"}, "type 4 was removed"},
		{"never was", nil, one("a", math.MaxUint32, 32), 64, []string{"file-type error a"}, "no type 4294967295"},
		{"5 dims", nil, one("a", 0, 1, 1, 1, 1, 8), 32, []string{"file-header error a"}, "5 sizes, and ggml has 4"},
		{"4 dims", nil, one("a", 0, 1, 1, 1, 8), 32, nil, ""},
		{"2^63", nil, one("a", 0, 1<<63), 32, []string{"file-size error a"}, "beyond 63 bits"},
		{"2^63-1 by 2", nil, one("a", 24, math.MaxInt64, 2), 32, []string{"file-size error a"}, "18446744073709551614 bytes"},
		{"2^31 by 2^31 by 2", nil, one("a", 0, 1<<31, 1<<31, 2), 32, []string{"file-size error a"}, "36893488147419103232 bytes"},
		{"the most bytes", nil, one("a", 24, math.MaxInt64), 32, []string{"file-size error a"}, "9223372036854775775 bytes too few"},
		{"a zero behind what overflows", nil, one("a", 0, 1<<62, 1<<62, 0), 0, nil, ""},
		{"offset 2^63", nil, []ggufTensor{{"a", []uint64{8}, 0, 1 << 63}}, 32, []string{"file-size error a"}, "offset is 9223372036854775808"},
		{"offset and size beyond 2^63", nil, []ggufTensor{{"a", []uint64{8}, 0, math.MaxInt64 - 31}}, 32, []string{"file-size error a", "file-hole error a"}, "too few"},
		{"63 bytes of name", nil, one(strings.Repeat("n", 63), 0, 8), 32, nil, ""},
		{"64 bytes of name", nil, one(strings.Repeat("n", 64), 0, 8), 32, []string{"file-name error " + strings.Repeat("n", 64)}, "64 bytes long, and ggml reads 63"},
		{"one name", nil, []ggufTensor{nine, {"a", []uint64{8}, 0, 64}}, 96, []string{"file-name error a"}, "two tensors"},
		{"NUL in a name", nil, one("a\x00b", 0, 8), 32, []string{"file-name warning a\x00b"}, "U+0000"},
		{"C1 in a name", nil, one("a\u009bb", 0, 8), 32, []string{"file-name warning a\u009bb"}, "U+009B"},
		{"no UTF-8 in a name", nil, one("a\x9bb", 0, 8), 32, []string{"file-name error a\x9bb"}, "UTF-8"},
		{"alignment 8", []string{ggufU32("general.alignment", 8)}, []ggufTensor{nine, {"b", []uint64{8}, 0, 40}}, 72, nil, ""},
		{"alignment 4", []string{ggufU32("general.alignment", 4)}, []ggufTensor{nine, {"b", []uint64{8}, 0, 36}}, 68, []string{"file-align warning"}, "multiple of 8"},
		{"alignment 24", []string{ggufU32("general.alignment", 24)}, nil, 0, []string{"file-align error"}, "24, which is no power of two"},
		{"alignment 0", []string{ggufU32("general.alignment", 0)}, nil, 0, []string{"file-align error"}, "is 0"},
		{"alignment 2^21", []string{ggufU32("general.alignment", 1<<21)}, nil, 0, []string{"file-align warning"}, "2097152"},
		{"alignment as a text", []string{ggufText("general.alignment") + le32(8) + ggufText("32")}, nil, 0, []string{"file-align error"}, "no unsigned number"},
		{"one key", []string{ggufU32("k", 1), ggufU32("k", 2)}, nil, 0, []string{"file-header error"}, `key "k" is there twice`},
		{"a key of 65535 bytes", []string{ggufU32(strings.Repeat("k", 65535), 1)}, nil, 0, nil, ""},
		{"a key of 65536 bytes", []string{ggufU32(strings.Repeat("k", 65536), 1)}, nil, 0, []string{"file-header error"}, "65536 bytes long"},
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
	wantTensor(t, &f.Descriptors[0], "a", "F32", 64, 16)

	pairs = append(pairs, key(9, array(9, 2, array(0, 1, "x")+array(9, 0, ""))), key(9, array(9, 0, "")))
	wantFindings(t, mustRead(t, "", ggufOf(3, pairs, tensor, 64, 64)), "file-header warning")
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
		{"nothing", "", 0, "4 bytes too early"},
		{"another file", "GGML" + zeros(100), 0, "does not start with GGUF"},
		{"version 1", "GGUF" + le32(1) + zeros(100), 4, "version 1"},
		{"version 0", "GGUF" + le32(0) + zeros(100), 4, "version 0"},
		{"version 4", "GGUF" + le32(4) + zeros(100), 4, "version 4"},
		{"version 3 the other way round", "GGUF\x00\x00\x00\x03" + zeros(100), 4, "big-endian"},
		{"cut off in the counts", start(0, 0)[:20], 20, "4 bytes too early"},
		{"2^63 tensors", start(1<<63, 0) + zeros(100), 8, "9223372036854775808 tensors are claimed, but the file ends in 100 bytes"},
		{"5 tensors in 119 bytes", start(5, 0) + zeros(119), 8, "5 tensors are claimed"},
		{"200,001 tensors", start(200_001, 0) + zeros(24*200_001), 8, "limit of 200000"},
		{"2^64-1 pairs", start(0, math.MaxUint64) + zeros(100), 16, "18446744073709551615 pairs"},
		{"65,537 pairs", start(0, 65_537) + zeros(13*65_537), 16, "limit of 65536"},
		{"a key of 2^63 bytes", start(0, 1) + le64(1<<63) + zeros(100), 24, "9223372036854775808 bytes of key"},
		{"a key of a byte more than there is", start(0, 1) + le64(14) + zeros(13), 24, "14 bytes of key are claimed, but the file ends in 13 bytes"},
		{"a text of 2^63 bytes", pair(8, le64(1<<63)+zeros(9)), 37, "bytes of text"},
		{"an array of 2^63 items", pair(9, le32(10)+le64(1<<63)+zeros(9)), 41, "items"},
		{"2^61+1 items of 8 bytes wrap to 8", pair(9, le32(10)+le64(1<<61+1)+zeros(9)), 41, "2305843009213693953 items"},
		{"texts of 8 bytes each", pair(9, le32(8)+le64(2)+zeros(15)), 41, "2 items"},
		{"a text in an array", pair(9, le32(8)+le64(2)+ggufText("a")+le64(1<<63)), 58, "bytes of text"},
		{"no such type", pair(13, zeros(8)), 33, "no type 13"},
		{"no such type in an array", pair(9, le32(13)+le64(1)+zeros(8)), 37, "no type 13"},
		{"65 levels", pair(9, strings.Repeat(le32(9)+le64(1), 1000)), 37 + 64*12, "deeper than 64"},
		{"a name of 2^64-1 bytes", start(1, 0) + le64(math.MaxUint64) + zeros(100), 24, "bytes of name"},
		{"2^32-1 sizes", tensor(le32(math.MaxUint32) + zeros(100)), 33, "4294967295 sizes are claimed"},
		{"65 sizes", tensor(le32(65) + zeros(65*8+12)), 33, "65 sizes are over the limit of 64"},
		{"more sizes than are kept", start(70_000, 0) + strings.Repeat(ggufText("")+le32(64)+zeros(64*8+12), 70_000), 24 + 62_500*(8+4+64*8+12) + 12, "limit of 4000000 sizes"},
		{"cut off in the offset", tensor(le32(0) + le32(0) + zeros(7)), 48, "1 byte too early"},
	} {
		f, err := tensorsOf(t, "a.gguf", c.file)
		t.Log(c.reason)
		wantFault(t, f, err, c.at, c.word)
	}
}

// TestGGUFCut cuts a file off wherever it can be: no part of it passes.
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

// A sparse file starts with some bytes, and has zeros behind them.
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

// TestGGUFSparse passes over an array of 2^50 bytes that only claims to be there.
func TestGGUFSparse(t *testing.T) {
	for _, typ := range []int64{0, 8} {
		read := int64(0)
		head := "GGUF" + le32(3) + le64(0) + le64(1) + ggufText("k") + le32(9) + le32(typ) + le64(1<<50)
		f, err := Read("", sparse{head, &read}, 1<<62)
		wantFault(t, f, err, 41, "the header reaches its limit of 100000000 bytes")
		if read > 1<<20 {
			t.Errorf("%d bytes are read", read)
		}
	}
}
