package tensorfile

import (
	"bytes"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/wording"
)

// safetensorsAlign is the multiple that writers pad the header to.
const safetensorsAlign = 8

// safetensorsSix are the 6-bit element types, which package layout does not have.
var safetensorsSix = [...]string{"F6_E2M3", "F6_E3M2"}

// safetensorsBits returns the bits of an element of a type, or 0 if the format has no such type, and the type in
// package layout if it exists there.
func safetensorsBits(name string) (bits int64, d layout.DType, known bool) {
	if d, ok := layout.DTypeIn(layout.Safetensors, name); ok {
		return d.Bits(), d, true
	}
	if slices.Contains(safetensorsSix[:], name) {
		return 6, 0, false
	}
	return 0, 0, false
}

// A safetensorsReader reads the header in one pass, in pieces, as the JSON that the format allows: without comments and
// trailing commas.
type safetensorsReader struct {
	*fileReader
	doctree.Scanner
	there     int64 // the bytes after the header
	commented bool  // a comment has been reported
	described bool  // __metadata__ has been read
	typed     entry // only the type of the last entry
}

// readSafetensors reads a .safetensors file.
func (t *fileReader) readSafetensors() {
	length := t.uint(8)
	if length > maxHeader && bits.ReverseBytes64(length) <= uint64(t.left()) && t.more() && t.piece[t.at] == '{' {
		t.fail(0, "the length of the header is big-endian: .safetensors files are little-endian")
		return
	}
	if !t.claim(0, length, 1, "byte of header") {
		return
	}
	if length > maxHeader {
		t.fail(0, "the header is %d bytes long, over the limit of %d", length, maxHeader)
		return
	}
	t.endAt(t.pos() + int64(length))
	t.data = t.end
	t.expect(length/100, 600)
	s := safetensorsReader{fileReader: t, there: t.size - t.data}
	s.header()
	if t.fault != nil {
		return
	}
	reach := t.judgeRanges(1, func(r byteRange, begin int64) string {
		return offsetsText(begin, begin+r.end-r.begin)
	})
	if reach < s.there && !t.lost {
		t.Report(FileTrailing, t.on(""), "", "the last tensor ends at byte %d of the data, which has %s more",
			reach, inBytes(s.there-reach))
	}
	t.about = finding.Span{}
	if n := int64(length % safetensorsAlign); n != 0 {
		fix := "pad the header with " + wording.Count(safetensorsAlign-n, "space")
		t.ReportAs(FileAlign, finding.Note, t.on(""), fix,
			"the header is %s long, not a multiple of %d: no tensor is aligned in a mapped file",
			wording.Count(length, "byte"), safetensorsAlign)
	}
}

// header reads the header object, and the spaces after it.
func (s *safetensorsReader) header() {
	s.Strict, s.Refill, s.Comment = true, s.nextPiece, s.comment
	s.Reset(nil, int(s.pos()))
	if s.more() && s.piece[s.at] != '{' {
		severity := finding.Error
		if strings.IndexByte(jsonBlanks, s.piece[s.at]) >= 0 {
			severity = finding.Warning // the format forbids it, and readers skip it
		}
		s.ReportAs(FileHeader, severity, s.on(""), "", "the header does not start with {")
	}
	if s.Next() != doctree.Object {
		s.Fail(s.Offset(), "expected {")
	}
	for s.Enter(); s.More(); {
		s.member()
	}
	if fault := s.Fault(); fault != nil {
		s.fail(int64(fault.Offset), "%s", fault.Msg)
		return
	}
	s.at = s.Offset() - int(s.start)
	other := int64(-1) // the first whitespace other than a space
	for ; s.more() && strings.IndexByte(jsonBlanks, s.piece[s.at]) >= 0; s.at++ {
		if s.piece[s.at] != ' ' && other < 0 {
			other = s.pos()
		}
	}
	const msg = "unexpected text after the JSON of the header, at byte %d: only spaces pad it"
	if s.left() > 0 {
		s.Report(FileHeader, s.on(""), "", msg, s.pos())
	} else if other >= 0 {
		s.ReportAs(FileHeader, finding.Warning, s.on(""), "", msg, other)
	}
}

// jsonBlanks is the whitespace of JSON. Readers of a header skip it before and after the object.
const jsonBlanks = " \t\r\n"

// nextPiece reads the next piece of the header.
func (s *safetensorsReader) nextPiece() []byte {
	if !s.more() {
		return nil
	}
	piece := s.piece[s.at:]
	s.at = len(s.piece)
	return piece
}

// comment reports the first comment.
func (s *safetensorsReader) comment(start, _ int) {
	if !s.commented {
		s.Report(FileHeader, s.on(""), "", "there is a comment at byte %d: the JSON of a header has none", start)
	}
	s.commented = true
}

// str returns the last string with its escapes resolved, cut at the limit for names. It is valid until the next value
// is read.
func (s *safetensorsReader) str() []byte {
	raw := s.Text()[:min(len(s.Text()), maxNameKept)]
	if !s.Escaped && utf8.Valid(raw) {
		return raw
	}
	text := doctree.Unescape(raw)
	if len(raw) < maxNameKept && strings.Contains(text, "\uFFFD") && !bytes.Contains(raw, []byte("\uFFFD")) {
		s.Report(FileHeader, s.on(""), "", "the text at byte %d is not valid UTF-8", s.Start)
	}
	return []byte(text)
}

// value reads a value, and returns its kind and the text of a string.
func (s *safetensorsReader) value() (kind doctree.Kind, text []byte) {
	switch kind = s.Next(); kind {
	case doctree.Object:
		for s.Enter(); s.More(); {
			s.Key()
			s.str()
			s.value()
		}
	case doctree.Array:
		for s.Enter(); s.More(); {
			s.value()
		}
	default:
		if s.Scalar(); kind == doctree.String {
			text = s.str()
		}
	}
	return kind, text
}

// object reports whether an object comes next. If not, it reports a finding and skips the value.
func (s *safetensorsReader) object(tensor, what string) bool {
	if s.Next() == doctree.Object {
		return true
	}
	s.Report(FileHeader, s.on(tensor), "", "%s, at byte %d, is not an object", what, s.Offset())
	s.value()
	return false
}

// member reads a member of the header: a tensor, or the metadata of the file.
func (s *safetensorsReader) member() {
	s.Key()
	first, from := len(s.Findings), int64(s.Start)-1 // the opening quote
	defer func() { s.locate(first, from, int64(s.Offset())) }()
	name := s.str()
	if string(name) == "__metadata__" {
		s.metadata()
		return
	}
	e := entry{row: row{Name: string(name)}, length: int64(s.End - s.Start)}
	if !s.object(e.Name, "the entry") {
		s.lost = true
		return
	}
	for s.Enter(); s.More(); {
		s.entryMember(&e)
	}
	if s.Fault() == nil {
		s.checkEntry(&e)
	}
}

// metadata reads the map of strings that is not a tensor.
func (s *safetensorsReader) metadata() {
	if s.described {
		s.Report(FileHeader, s.on(""), "", "__metadata__ appears twice")
	}
	s.described = true
	if !s.object("", "__metadata__") {
		return
	}
	for s.Enter(); s.More(); {
		s.Key()
		key := string(s.str())
		s.Next()
		at := s.Offset()
		kind, _ := s.value()
		if kind != doctree.String {
			s.Report(FileHeader, s.on(""), "", "a value of __metadata__, at byte %d, is not a string", at)
		} else if s.keeps {
			text := doctree.Unescape(s.Text())
			s.Metadata = append(s.Metadata, descriptor.Pair{Key: key, Type: "string", Value: text})
		}
	}
}

// An entry is the description of a tensor in a header.
type entry struct {
	row
	length  int64 // the length of the name in the file
	bits    int64 // the bits of an element, 0 if the format does not have the type
	offsets [2]int64
	said    [len(entryKeys)]bool
	has     [len(entryKeys)]bool // the member is present and valid
}

// entryKeys are the members of an entry, and entryValues describe their values.
var (
	entryKeys   = [...]string{dtypeKey: "dtype", shapeKey: "shape", offsetsKey: "data_offsets"}
	entryValues = [...]string{
		dtypeKey:   "a text",
		shapeKey:   "a list of at most 64 whole numbers below 2^63",
		offsetsKey: "a list of two whole numbers below 2^63",
	}
)

const (
	dtypeKey = iota
	shapeKey
	offsetsKey
)

// entryMember reads a key of an entry, and its value.
func (s *safetensorsReader) entryMember(e *entry) {
	s.Key()
	name := s.str()
	key := slices.IndexFunc(entryKeys[:], func(k string) bool { return k == string(name) })
	if key < 0 {
		s.ReportAs(FileHeader, finding.Warning, s.on(e.Name), "",
			"the format does not know the key %s of an entry", wording.Quote(string(name)))
		s.value()
		return
	}
	if e.said[key] {
		s.Report(FileHeader, s.on(e.Name), "", "the entry says %s twice", entryKeys[key])
	}
	e.said[key] = true
	s.Next()
	var buf [layout.MaxRank]int64
	at, n, ok := s.Offset(), 0, false
	switch key {
	case dtypeKey:
		kind, text := s.value()
		if ok = kind == doctree.String; ok {
			s.setType(e, text)
		}
	case shapeKey:
		if n, ok = s.integers(buf[:]); ok {
			e.Sizes = s.sizes(n)
			copy(e.Sizes, buf[:n])
		}
	case offsetsKey:
		n, ok = s.integers(e.offsets[:])
		ok = ok && n == len(e.offsets)
	}
	if e.has[key] = ok; !ok {
		s.Report(FileHeader, s.on(e.Name), "", "%s, at byte %d, is not %s", entryKeys[key], at, entryValues[key])
	}
}

// setType looks up the type, unless it is the type of the last entry. It does not copy a name that is in the table.
func (s *safetensorsReader) setType(e *entry, name []byte) {
	if last := &s.typed; last.TypeName != string(name) {
		last.bits, last.Type, last.TypeKnown = safetensorsBits(string(name))
		if last.TypeName = last.Type.In(layout.Safetensors); !last.TypeKnown || last.TypeName != string(name) {
			last.TypeName = string(name)
		}
	}
	e.bits, e.Type, e.TypeKnown, e.TypeName = s.typed.bits, s.typed.Type, s.typed.TypeKnown, s.typed.TypeName
}

// integers reads a list of whole numbers into dst, and returns their number. If the value is anything else, or has a
// negative number or more numbers than dst, ok is false.
func (s *safetensorsReader) integers(dst []int64) (n int, ok bool) {
	if s.Next() != doctree.Array {
		s.value()
		return 0, false
	}
	ok = true
	for s.Enter(); s.More(); {
		kind, _ := s.value()
		minus := s.Int < 0 || s.Int == 0 && s.End-s.Start > 1 // -0 has two characters
		if ok = ok && kind == doctree.Number && s.Whole && !minus && n < len(dst); ok {
			dst[n] = s.Int
			n++
		}
	}
	return n, ok
}

// checkEntry checks an entry, and turns it into a descriptor.
func (s *safetensorsReader) checkEntry(e *entry) {
	s.judgeName(e.Name, e.length)
	if e.has[offsetsKey] {
		e.Total = descriptor.Stated(byteRange{begin: e.offsets[0], end: e.offsets[1]}.within(s.there))
	}
	if !s.add(e.row) {
		return
	}
	for key, said := range e.said {
		if !said {
			s.Report(FileHeader, s.on(e.Name), "", "the entry does not say %s", entryKeys[key])
		}
	}
	if e.bits == 0 && e.has[dtypeKey] && s.WantsRule(FileType) {
		s.Report(FileType, s.on(e.Name), s.nearestType(e.TypeName),
			"%s is not an element type of the format", wording.Quote(e.TypeName))
	}
	if e.bits > 0 && e.has[shapeKey] {
		s.judgeShape(e)
	}
	if e.has[offsetsKey] {
		s.judgeOffsets(e)
	} else {
		s.lost = true
	}
}

// nearestType returns the type most similar to an unknown one.
func (s *safetensorsReader) nearestType(name string) string {
	known := append(safetensorsSix[:], "F4")
	for d := range layout.DTypes {
		known = append(known, d.In(layout.Safetensors))
	}
	if near := wording.Nearest(name, known); near != "" {
		return strconv.Quote(near)
	}
	return ""
}

// judgeShape compares the bytes that shape and type need with the bytes between the offsets.
func (s *safetensorsReader) judgeShape(e *entry) {
	c := claimed(e.Sizes, e.bits)
	if c.bits != 0 {
		s.Report(FileType, s.on(e.Name), "",
			"elements of %s take %s and %s: a tensor takes whole bytes", wording.Count(e.bits, "bit"), c,
			wording.Count(c.bits, "bit"))
		return
	}
	begin, end := e.offsets[0], e.offsets[1]
	if !e.has[offsetsKey] || begin > end || c.bytes == end-begin && c.over == nil ||
		!s.WantsRule(FileSize) {
		return
	}
	fix := ""
	if c.over == nil && c.bytes <= math.MaxInt64-begin {
		fix = offsetsText(begin, begin+c.bytes)
	}
	s.Report(FileSize, s.on(e.Name), fix, "the shape takes %s of %s, and %s hold %s",
		c, e.TypeName, offsetsText(begin, end), inBytes(end-begin))
}

// judgeOffsets checks the offsets against the data, and their alignment against the elements.
func (s *safetensorsReader) judgeOffsets(e *entry) {
	begin, end := e.offsets[0], e.offsets[1]
	if begin > end {
		s.lost = true
		s.Report(FileSize, s.on(e.Name), offsetsText(end, begin), "%s end before they begin", offsetsText(begin, end))
		return
	}
	if end > s.there && s.WantsRule(FileSize) {
		s.Report(FileSize, s.on(e.Name), cutHint, "%s end after the data, which is %s long: %s too few",
			offsetsText(begin, end), inBytes(s.there), inBytes(end-max(begin, s.there)))
	}
	if size := e.bits / 8; size > 1 && begin%size != 0 && s.Wants(FileAlign, finding.Warning) {
		s.ReportAs(FileAlign, finding.Warning, s.on(e.Name), "",
			"the tensor starts at byte %d of the data, which is not a multiple of the %s of an element",
			begin, inBytes(size))
	}
	s.place(begin, end)
}

// offsetsText returns offsets as written in a header.
func offsetsText(begin, end int64) string { return fmt.Sprintf("data_offsets [%d, %d]", begin, end) }
