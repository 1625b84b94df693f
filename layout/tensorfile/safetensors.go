package tensorfile

import (
	"fmt"
	"math"
	"strconv"

	"layoutcalc/layout"
	"layoutcalc/layout/rules"
)

// safetensorsTypes are the element types of the format: their bits, and how package layout calls
// them, empty where it does not know them.
var safetensorsTypes = [...]struct {
	name  string
	bits  int64
	dtype string
}{
	{"F32", 32, "float32"},
	{"F16", 16, "float16"},
	{"BF16", 16, "bfloat16"},
	{"F64", 64, "float64"},
	{"I64", 64, "int64"},
	{"I32", 32, "int32"},
	{"I16", 16, "int16"},
	{"I8", 8, "int8"},
	{"U8", 8, "uint8"},
	{"U16", 16, "uint16"},
	{"U32", 32, "uint32"},
	{"U64", 64, "uint64"},
	{"BOOL", 8, "bool"},
	{"F8_E4M3", 8, "float8_e4m3fn"},
	{"F8_E5M2", 8, "float8_e5m2"},
	{"F8_E8M0", 8, "float8_e8m0fnu"},
	{"F8_E4M3FNUZ", 8, "float8_e4m3fnuz"},
	{"F8_E5M2FNUZ", 8, "float8_e5m2fnuz"},
	{"F4", 4, "float4_e2m1fn"},
	{"F6_E2M3", 6, ""},
	{"F6_E3M2", 6, ""},
	{"C64", 64, "complex64"},
}

// safetensorsAlign is what writers pad the header to a multiple of.
const safetensorsAlign = 8

// An entry is what a header says of a tensor.
type entry struct {
	name    string
	length  int64 // of the name in the file
	dtype   string
	row     int // of the dtype in the table, -1 where it has none
	sizes   []int64
	offsets [2]int64
	said    [len(entryKeys)]bool
	has     [len(entryKeys)]bool // it is said, and can be read
}

// entryKeys are the members of an entry, and entryValues what they are to be.
var (
	entryKeys   = [...]string{dtypeKey: "dtype", shapeKey: "shape", offsetsKey: "data_offsets"}
	entryValues = [...]string{
		dtypeKey:   "a text",
		shapeKey:   "a list of whole numbers below 2^63, 64 at most",
		offsetsKey: "a list of two whole numbers below 2^63",
	}
)

const (
	dtypeKey = iota
	shapeKey
	offsetsKey
)

// safetensors reads a file of that format.
func (t *tensorFile) safetensors() {
	length := t.uint(8)
	if !t.claim(0, length, 1, "bytes of header") {
		return
	}
	if length > maxHeader {
		t.fail(0, "the header is %d bytes long, over the limit of %d", length, maxHeader)
		return
	}
	t.endAt(t.pos() + int64(length))
	t.expect(length / 100)
	s := safetensorsReader{tensorFile: t, data: t.size - t.end}
	s.header()
	if t.fault != nil {
		return
	}
	reach := t.judgeRanges(1, func(r byteRange, begin int64) string {
		return offsetsText(begin, begin+r.end-r.begin)
	})
	if reach < s.data && !t.lost {
		t.find(rules.FileTrailing, "", "", "the last tensor ends at byte %d of the data, and %s more stand behind it", reach, byteCount(s.data-reach))
	}
	if length%safetensorsAlign != 0 {
		t.findAs(rules.FileAlign, rules.Note, "", padding(safetensorsAlign-length%safetensorsAlign), "the header is %d bytes long, no multiple of %d: no tensor is aligned in a mapped file", length, safetensorsAlign)
	}
}

// padding is the fix for a header that is so many bytes short.
func padding(n uint64) string {
	if n == 1 {
		return "pad the header with 1 space"
	}
	return fmt.Sprintf("pad the header with %d spaces", n)
}

// judge checks an entry, and makes it a descriptor.
func (s *safetensorsReader) judge(e *entry) {
	s.judgeName(e.name, e.length)
	d := rules.Descriptor{Name: e.name, TypeName: e.dtype, Sizes: e.sizes}
	if e.has[offsetsKey] {
		d.Total = rules.Stated(byteRange{begin: e.offsets[0], end: e.offsets[1]}.within(s.data))
	}
	if e.row >= 0 {
		d.Type, d.TypeKnown = s.known(e.row, safetensorsTypes[e.row].dtype)
	}
	d.TypeJudged = !d.TypeKnown // one that only the format has, or reported
	if !s.add(d) {
		return
	}
	for i, said := range e.said {
		if !said {
			s.find(rules.FileHeader, e.name, "", "the entry does not say %s", entryKeys[i])
		}
	}
	if e.row < 0 && e.has[dtypeKey] {
		s.find(rules.FileType, e.name, s.nearestType(e.dtype), "%s is no element type of the format", quoted(e.dtype))
	}
	if e.row >= 0 && e.has[shapeKey] {
		s.judgeShape(e, safetensorsTypes[e.row].bits)
	}
	if !e.has[offsetsKey] {
		s.lost = true
		return
	}
	s.judgeOffsets(e)
}

// safetensorsRow returns the type's row in the table, -1 where it has none.
func safetensorsRow(name []byte) int {
	for i := range safetensorsTypes {
		if safetensorsTypes[i].name == string(name) {
			return i
		}
	}
	return -1
}

// nearestType returns the type that an unknown one is most like.
func (s *safetensorsReader) nearestType(name string) string {
	if !s.keeps(rules.FileType) {
		return ""
	}
	var known [len(safetensorsTypes)]string
	for i := range known {
		known[i] = safetensorsTypes[i].name
	}
	if near := layout.Nearest(name, known[:]); near != "" {
		return strconv.Quote(near)
	}
	return ""
}

// judgeShape compares what shape and type take with what the offsets hold.
func (s *safetensorsReader) judgeShape(e *entry, bits int64) {
	c := claimed(e.sizes, bits)
	if c.bits != 0 {
		s.find(rules.FileType, e.name, "", "elements of %d bits take %s and %d bits: a tensor takes whole bytes", bits, c, c.bits)
		return
	}
	begin, end := e.offsets[0], e.offsets[1]
	if !e.has[offsetsKey] || begin > end || c.bytes == end-begin && c.over == nil {
		return
	}
	fix := ""
	if c.over == nil && c.bytes <= math.MaxInt64-begin {
		fix = offsetsText(begin, begin+c.bytes)
	}
	s.find(rules.FileSize, e.name, fix, "the shape takes %s of %s, and %s hold %s", c, e.dtype, offsetsText(begin, end), byteCount(end-begin))
}

// judgeOffsets checks the offsets against the data, and whether they suit the elements.
func (s *safetensorsReader) judgeOffsets(e *entry) {
	begin, end := e.offsets[0], e.offsets[1]
	if begin > end {
		s.lost = true
		s.find(rules.FileSize, e.name, offsetsText(end, begin), "%s end before they begin", offsetsText(begin, end))
		return
	}
	if end > s.data {
		s.find(rules.FileSize, e.name, "", "%s end behind the data, which is %s long: %s too few", offsetsText(begin, end), byteCount(s.data), byteCount(end-max(begin, s.data)))
	}
	if e.row >= 0 {
		if size := safetensorsTypes[e.row].bits / 8; size > 1 && begin%size != 0 {
			s.findAs(rules.FileAlign, rules.Warning, e.name, "", "the tensor starts at byte %d of the data, which is no multiple of the %s of an element", begin, byteCount(size))
		}
	}
	s.place(begin, end)
}

// offsetsText writes offsets as a header does.
func offsetsText(begin, end int64) string {
	return fmt.Sprintf("data_offsets [%d, %d]", begin, end)
}
