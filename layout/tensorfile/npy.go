package tensorfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

const (
	npyMagic     = "\x93NUMPY"
	maxNpyHeader = 10_000 // characters: NumPy reads longer headers only if they are trusted
	npyAlign     = 64     // NumPy pads the bytes before the data to a multiple of this
	npyGrowth    = 21     // characters that NumPy keeps for the size that grows when an array is appended to
)

// An npyHeader is the content of the dictionary of a .npy file.
type npyHeader struct {
	descr   string
	descrAt int64 // the offset of descr in the file
	fortran bool
	shape   []int64
	has     [len(npyKeys)]bool

	npyType      // descr split into parts; the kind is V if it has fields, as for raw bytes
	fields  bool // descr is a list of fields, or an array in each element
	objects bool // elements are or contain Python objects, so the data is a pickle
}

// An npyType is an element type.
type npyType struct {
	order byte   // the byte order that it starts with, or 0
	kind  string // the rest
	bytes int64  // the bytes of an element, if known
	known bool   // kind is a NumPy type
}

// readNpy reads a NumPy array, and compares its header with the number of bytes after it.
func (t *fileReader) readNpy() {
	t.npyDict()
	if t.fault != nil {
		return
	}
	h := &t.npy
	t.data = t.pos()
	there := t.left()
	d := row{TypeName: h.descr, Sizes: h.shape, Total: descriptor.Stated(there)}
	if strides, err := layout.PackedStrides(h.shape, true); h.fortran && err == nil {
		d.Strides = strides
	}
	if h.known && strings.IndexByte("biufc", h.kind[0]) >= 0 {
		dtype, err := layout.ParseDType("<" + h.kind)
		d.Type, d.TypeKnown = dtype, err == nil
	}
	t.add(d)
	switch {
	case !h.known:
		t.Report(FileType, t.on(""), npySpelling(h.descr), "%s is not a known NumPy type", wording.Quote(h.descr))
	case slices.ContainsFunc(h.shape, func(n int64) bool { return n < 0 }):
		t.Report(FileHeader, t.on(""), "", "the shape %s has a negative size", npyShape(h.shape))
	case h.objects:
		t.ReportAs(FileType, finding.Warning, t.on(""), "",
			"the elements are Python objects: the data is a pickle, which numpy.load refuses without allow_pickle")
		if there == 0 {
			t.Report(FileSize, t.on(""), cutHint,
				"the elements are Python objects, and no pickle comes after the header")
		}
	default:
		if h.fields {
			t.ReportAs(FileType, finding.Note, t.on(""), "",
				"the elements have fields, %s together: only their size is checked", inBytes(h.bytes))
		} else if h.kind[0] == 'V' {
			t.ReportAs(FileType, finding.Note, t.on(""), "",
				"%s is raw bytes: NumPy writes types of others so, such as bfloat16", wording.Quote(h.descr))
		}
		t.npyData(there)
	}
	if h.fortran {
		t.Report(FileOrder, t.on(""), "save numpy.ascontiguousarray(a)",
			"the array is stored in Fortran order, first index fastest: DxDispatch refuses it")
	}
	if h.known && h.swap() > 0 {
		t.Report(FileOrder, t.on(""), "save a.astype('<"+h.kind+"')",
			"the elements are big-endian: they have to be swapped before use")
	}
	if t.data%npyAlign != 0 {
		t.ReportAs(FileAlign, finding.Note, t.on(""), "",
			"the data starts at byte %d, which is not a multiple of %d, to which NumPy pads the header",
			t.data, npyAlign)
	}
}

// npyData compares the bytes that the array needs with the bytes in the file.
func (t *fileReader) npyData(there int64) {
	c, descr := claimed(t.npy.shape, t.npy.bytes*8), wording.Clip(t.npy.descr)
	t.place(0, c.bytes)
	t.inData(0, c.bytes)
	if c.bytes < there {
		t.inData(c.bytes, there)
	}
	switch width := t.npy.bytes; {
	case c.over == nil && c.bytes > 0 && isOtherType(c.bytes, there, width):
		t.Report(FileSize, t.on(""), "",
			"the shape takes %s of %s, and the data after the header has %s: those of a type of %s",
			c, descr, inBytes(there), inBytes(width*there/c.bytes))
	case c.bytes > there:
		t.Report(FileSize, t.on(""), cutHint,
			"the shape takes %s of %s, and the data after the header has %s: %s too few",
			c, descr, inBytes(there), c.beyond(there))
	case c.bytes < there:
		t.ReportAs(FileTrailing, finding.Warning, t.on(""), "",
			"the shape takes %s of %s, and the data after the header has %s: %s too many",
			c, descr, inBytes(there), inBytes(there-c.bytes))
	}
	t.about = finding.Span{}
}

// isOtherType reports whether the data has the size of an array with elements of half or twice the width.
func isOtherType(bytes, there, width int64) bool {
	return there == 2*bytes && width <= 8 || bytes == 2*there && width%2 == 0
}

// npyDict reads the header: the magic, the version of the format, a length and the dictionary.
func (t *fileReader) npyDict() {
	var magic [8]byte
	t.copy(magic[:])
	major, minor := magic[6], magic[7]
	if string(magic[:6]) != npyMagic {
		t.fail(0, "the file does not start with \\x93NUMPY")
	}
	if minor != 0 || major < 1 || major > 3 {
		t.fail(6, "version %d.%d of the format is not read: 1.0, 2.0 and 3.0 are", major, minor)
	}
	wide, most := 4, uint64(maxNpyHeader)
	switch major {
	case 1:
		wide = 2
	case 3:
		most *= utf8.UTFMax
	}
	length := t.uint(wide)
	if t.claim(8, length, 1, "byte of header") && length > most {
		t.npyTooLong(int(length))
	}
	if t.fault != nil {
		return
	}
	p := npyParser{t: t, base: t.pos(), major: major}
	p.In = t.text(int64(length))
	if strings.HasSuffix(p.In, "\r") {
		t.fail(p.base+int64(len(p.In))-1, "the header ends in CR, as where line endings were changed: "+
			"*.npy is binary in .gitattributes")
	}
	if major == 3 && !utf8.ValidString(p.In) {
		t.fail(p.base, "the header is not valid UTF-8, which version 3.0 has")
	}
	if n := utf8.RuneCountInString(p.In); major == 3 && n > maxNpyHeader {
		t.npyTooLong(n)
	}
	if t.fault == nil {
		p.dict()
	}
}

func (t *fileReader) npyTooLong(n int) {
	t.fail(8, "the header has %d characters, over the limit of %d that NumPy reads", n, maxNpyHeader)
}

// npyKeys are the members of the dictionary, which must have exactly these.
var npyKeys = [...]string{"descr", "fortran_order", "shape"}

// An npyParser reads the dictionary of a .npy file: the subset of Python's literals that it needs.
type npyParser struct {
	lexer.Scanner
	t     *fileReader
	base  int64 // the offset of the dictionary in the file
	major byte  // the version
}

// fail records an error and moves to the end.
func (p *npyParser) fail(at int, format string, args ...any) {
	p.t.fail(p.base+int64(at), format, args...)
	p.Pos = len(p.In)
}

// space skips whitespace and comments.
func (p *npyParser) space() {
	for {
		p.Pos = len(p.In) - len(strings.TrimLeft(p.In[p.Pos:], " \t\n\r\f"))
		if p.Peek() != '#' {
			return
		}
		line, _, _ := strings.Cut(p.In[p.Pos:], "\n")
		p.Pos += len(line)
	}
}

// next skips whitespace, and the given character if it comes next. It reports whether it did.
func (p *npyParser) next(c byte) bool {
	p.space()
	if p.Peek() != c {
		return false
	}
	p.Pos++
	return true
}

// each calls read for each item up to a closing mark. Items are separated by commas; comma reports whether the last
// item is followed by one.
func (p *npyParser) each(closing byte, read func()) (comma bool) {
	for comma = true; !p.next(closing) && p.t.fault == nil; comma = p.next(',') {
		if !comma {
			p.fail(p.Pos, "expected a comma or %c", closing)
		}
		read()
	}
	return comma
}

// dict reads the dictionary, up to the end of the header, and splits its descr into parts.
func (p *npyParser) dict() {
	h := &p.t.npy
	if !p.next('{') {
		p.fail(p.Pos, "the header is not a dictionary: expected {")
	}
	if p.each('}', p.member); p.t.fault != nil {
		return
	}
	if p.space(); !p.Done() {
		p.fail(p.Pos, "unexpected text after the dictionary")
	}
	for i, has := range h.has {
		if !has {
			p.fail(0, "the header does not say %s", npyKeys[i])
		}
	}
	if h.fields {
		return
	}
	h.npyType = p.typ(h.descr)
	h.objects = h.isObject()
}

// typ splits a type into parts, and reports a type that NumPy reads but does not write. In this case, it returns the
// kind that NumPy writes.
func (p *npyParser) typ(descr string) npyType {
	typ := npyTypeOf(descr)
	if typ.known {
		return typ
	}
	word, unit := typ.kind, ""
	if i := strings.IndexByte(word, '['); i > 0 {
		word, unit = word[:i], word[i:]
	}
	for _, w := range npyWords {
		isTime := w.kind == "M8" || w.kind == "m8"
		if !slices.Contains(strings.Fields(w.words), word) || unit != "" && !(isTime && len(word) > 1) ||
			typ.order != 0 && len(word) > 1 && !isTime {
			continue
		}
		typ.setKind(w.kind + unit)
		written := "'" + typ.String() + "'"
		if w.native {
			p.t.ReportAs(FileType, finding.Note, p.t.on(""), written,
				"how many bytes %s has depends on the machine that reads the file: %d are taken, as on 64-bit Linux",
				wording.Quote(descr), typ.bytes)
		} else {
			p.t.ReportAs(FileType, finding.Note, p.t.on(""), written,
				"NumPy reads %s, but writes %s: other readers may not know it", wording.Quote(descr), written)
		}
		break
	}
	return typ
}

// npyWords are the spellings of types that NumPy reads but does not write, with the spelling that it writes. Names of
// several letters have no byte order, except names of times, which may also have a unit after them. The table has the
// spellings that both NumPy 1 and 2 read.
var npyWords = [...]struct {
	kind, words string
	native      bool // the size depends on the machine's C compiler
}{
	{kind: "b1", words: "? bool bool_"},
	{kind: "i1", words: "b int8 byte"},
	{kind: "i2", words: "h int16 short"},
	{kind: "i4", words: "i int32 intc"},
	{kind: "i8", words: "q int64 longlong"},
	{kind: "i8", words: "l p int int_ intp long", native: true},
	{kind: "u1", words: "B uint8 ubyte"},
	{kind: "u2", words: "H uint16 ushort"},
	{kind: "u4", words: "I uint32 uintc"},
	{kind: "u8", words: "Q uint64 ulonglong"},
	{kind: "u8", words: "L P uint uintp ulong", native: true},
	{kind: "f2", words: "e float16 half"},
	{kind: "f4", words: "f float32 single"},
	{kind: "f8", words: "d float64 double float"},
	{kind: "f16", words: "float128"},
	{kind: "f16", words: "g longdouble", native: true},
	{kind: "c8", words: "F complex64 csingle"},
	{kind: "c16", words: "D complex128 cdouble complex"},
	{kind: "c32", words: "complex256"},
	{kind: "c32", words: "G clongdouble", native: true},
	{kind: "S0", words: "S bytes bytes_"},
	{kind: "S1", words: "c"},
	{kind: "U0", words: "U str str_"},
	{kind: "V0", words: "V void"},
	{kind: "M8", words: "M datetime64"},
	{kind: "m8", words: "m timedelta64"},
	{kind: "O", words: "object object_"},
}

// npyKinds are the letters of types, and the possible sizes of an element in bytes; nil for any size.
var npyKinds = [...]struct {
	letters string
	bytes   []int64
}{
	{"b", []int64{1}}, {"iu", []int64{1, 2, 4, 8}}, {"f", []int64{2, 4, 8, 12, 16}}, {"c", []int64{8, 16, 24, 32}},
	{"mM", []int64{8}}, {"USV", nil},
}

// npyTypeOf splits a type that NumPy writes into parts.
func npyTypeOf(descr string) (t npyType) {
	if descr != "" && strings.IndexByte("<>=|", descr[0]) >= 0 {
		t.order, descr = descr[0], descr[1:]
	}
	t.setKind(descr)
	return t
}

// String returns the type as NumPy writes it.
func (t npyType) String() string {
	switch {
	case t.unit() < 2:
		return "|" + t.kind
	case t.order == '>':
		return ">" + t.kind
	}
	return "<" + t.kind
}

// isObject reports whether the type is Python objects, which are in a pickle instead of the array's bytes.
func (t npyType) isObject() bool { return t.kind == "O" || t.kind == "O8" || t.kind == "O4" }

// member reads a key and its value. As in Python, the last of several values counts.
func (p *npyParser) member() {
	p.space()
	h, at := &p.t.npy, p.Pos
	key := p.str("a key in quotes")
	if !p.next(':') {
		p.fail(p.Pos, "a colon is expected after the key")
		return
	}
	i := slices.Index(npyKeys[:], key)
	if i < 0 {
		p.fail(at, "a header has descr, fortran_order and shape, and not %s", wording.Quote(key))
		return
	}
	if h.has[i] {
		p.t.ReportAs(FileHeader, finding.Warning, p.t.on(""), "", "the header says %s twice: the last counts", key)
	}
	h.has[i] = true
	p.space()
	at = p.Pos
	switch key {
	case "descr":
		h.descrAt = p.base + int64(at)
		if c := p.Peek(); c != '[' && c != '(' {
			h.descr = p.str("a type such as '<f4'")
			return
		}
		h.fields = true
		h.npyType = npyType{kind: "V", bytes: p.item(0), known: true}
		h.descr = p.In[at:p.Pos]
	case "shape":
		h.shape = p.shape()
	default:
		word := p.Span(lexer.IsWord)
		if h.fortran = word == "True"; !h.fortran && word != "False" {
			p.fail(at, "expected True or False")
		}
	}
}

// str reads a string in quotes. It does not resolve escapes, which no type and no key needs.
func (p *npyParser) str(what string) string {
	quote := p.Peek()
	if quote != '\'' && quote != '"' {
		p.fail(p.Pos, "expected %s", what)
		return ""
	}
	start := p.Pos + 1
	text, _, ended := strings.Cut(p.In[start:], string(rune(quote)))
	if !ended || strings.Contains(text, "\n") {
		p.fail(p.Pos, "the text does not end")
		return ""
	}
	if i := strings.IndexByte(text, '\\'); i >= 0 {
		p.fail(start+i, "escapes are not read here")
		return ""
	}
	p.Pos = start + len(text) + 1
	return text
}

// maxNpyItem is the maximum size of an element in bytes, which NumPy stores in a C int.
const maxNpyItem = math.MaxInt32

// item reads the type of an element or of a field, at a depth: its spelling, a tuple of a type and a shape, or a list
// of fields. It returns the size in bytes.
func (p *npyParser) item(depth int) (bytes int64) {
	p.space()
	at := p.Pos
	switch {
	case p.t.fault != nil:
	case depth > layout.MaxRank:
		p.fail(at, "types nest deeper than the limit of %d levels", layout.MaxRank)
	case p.next('['):
		p.each(']', func() {
			if bytes += p.field(depth + 1); bytes > maxNpyItem {
				p.fail(at, "an element has more than %d bytes", maxNpyItem)
			}
		})
	case p.next('('):
		bytes = p.item(depth + 1)
		p.comma()
		bytes = p.times(bytes)
		p.closes()
	default:
		descr := p.str("a type such as '<f4'")
		if p.t.fault != nil {
			return 0
		}
		typ := p.typ(descr)
		if bytes = typ.bytes; !typ.known {
			p.fail(at, "%s is not a known NumPy type", wording.Quote(descr))
		}
		p.t.npy.objects = p.t.npy.objects || typ.isObject()
	}
	return bytes
}

// field reads a field: a tuple of its name, its type and, if it is an array, its shape. It returns the size in bytes.
func (p *npyParser) field(depth int) (bytes int64) {
	if !p.next('(') {
		p.fail(p.Pos, "a field is a tuple of a name and a type: expected (")
		return 0
	}
	if p.next('(') { // a title and the name
		p.name()
		p.comma()
		p.name()
		p.closes()
	} else {
		p.name()
	}
	p.comma()
	bytes = p.item(depth)
	if p.next(',') {
		if p.space(); p.Peek() != ')' {
			bytes = p.times(bytes)
		}
	}
	p.closes()
	return bytes
}

// times reads a shape or a single size, and returns the bytes of an array with elements of the given size.
func (p *npyParser) times(bytes int64) int64 {
	p.space()
	at := p.Pos
	factors := []int64{bytes}
	if p.Peek() == '(' {
		factors = append(factors, p.shape()...)
	} else {
		factors = append(factors, p.integer())
	}
	n, err := layout.ProductOf(factors)
	if p.t.fault != nil {
		return 0
	}
	if err != nil || n > maxNpyItem || slices.ContainsFunc(factors, func(n int64) bool { return n < 0 }) {
		p.fail(at, "not a shape of at most %d bytes", maxNpyItem)
	}
	return n
}

// name skips a name in quotes.
func (p *npyParser) name() {
	p.space()
	quote := p.Peek()
	if quote != '\'' && quote != '"' {
		p.fail(p.Pos, "expected a name in quotes")
		return
	}
	for i := p.Pos + 1; i < len(p.In); i++ {
		switch p.In[i] {
		case '\\':
			i++
		case quote:
			p.Pos = i + 1
			return
		}
	}
	p.fail(p.Pos, "the text does not end")
}

// comma skips a comma, and closes the end of a tuple, which may have a comma before it.
func (p *npyParser) comma() {
	if !p.next(',') {
		p.fail(p.Pos, "expected a comma")
	}
}

func (p *npyParser) closes() {
	p.next(',')
	if !p.next(')') {
		p.fail(p.Pos, "expected )")
	}
}

// shape reads a tuple of integers. A single size must be followed by a comma.
func (p *npyParser) shape() (sizes []int64) {
	at := p.Pos
	if !p.next('(') {
		p.fail(p.Pos, "the shape is not a tuple: expected (")
		return nil
	}
	comma := p.each(')', func() {
		if len(sizes) == layout.MaxRank {
			p.fail(p.Pos, "the shape has more than the limit of %d sizes", layout.MaxRank)
		}
		sizes = append(sizes, p.integer())
	})
	if p.t.fault != nil {
		return nil
	}
	if len(sizes) == 1 && !comma {
		p.fail(at, "a tuple of one size has a comma: (%d,)", sizes[0])
	}
	return sizes
}

// integer reads an integer in Python's notation: with underscores, in other bases, and with the L of Python 2, which
// wrote no headers of version 3.0.
func (p *npyParser) integer() int64 {
	p.space()
	at, sign := p.Pos, ""
	if p.next('-') {
		sign = "-"
	}
	word := p.Span(lexer.IsWord)
	if p.major < 3 {
		word = strings.TrimSuffix(word, "L")
	}
	n, err := strconv.ParseInt(sign+word, 0, 64)
	switch {
	case errors.Is(err, strconv.ErrRange) && len(word) > maxDigits:
		p.fail(at, "a number of %d digits is more than 64 bits hold", len(word))
	case errors.Is(err, strconv.ErrRange):
		p.fail(at, "%s is more than 64 bits hold", sign+word)
	case err != nil || len(word) > 1 && word[0] == '0' && (word[1] <= '9' || word[1] == '_') && n != 0:
		p.fail(at, "expected a size")
	}
	return n
}

// setKind sets the kind: a letter, followed by the number of bytes, or of 4-byte characters in a string, and the unit
// of a time.
func (t *npyType) setKind(kind string) {
	t.kind, t.bytes = kind, 0
	if t.known = t.isObject(); t.known || len(kind) < 2 {
		return
	}
	digits := kind[1:]
	if unit := strings.IndexByte(digits, '['); unit > 0 && kind[0]|0x20 == 'm' {
		digits = digits[:unit]
	}
	n, err := strconv.ParseUint(digits, 10, 31)
	if err != nil {
		return
	}
	t.bytes = int64(n)
	for _, k := range npyKinds {
		if strings.IndexByte(k.letters, kind[0]) >= 0 {
			t.known = k.bytes == nil || slices.Contains(k.bytes, t.bytes)
		}
	}
	if kind[0] == 'U' {
		t.bytes *= 4
	}
}

// npySpelling returns NumPy's spelling for a type that another system spells as descr, or an empty string if NumPy does
// not have the type.
func npySpelling(descr string) string {
	d, err := layout.ParseDType(descr)
	if err != nil || d.In(layout.NumPy) == "" {
		return ""
	}
	return "'" + d.In(layout.NumPy) + "'"
}

// narrower returns a hint for arrays with elements of an unsupported size, which suggests another array to save.
func (h *npyHeader) narrower() string {
	switch {
	case h.bytes == 0 || h.kind[0] == 'V':
		return ""
	case h.kind[0] == 'U':
		return fmt.Sprintf("save the characters one by one: a.view('%s1').reshape(a.shape + (%d,))",
			strings.TrimSuffix(h.descr, h.kind[1:]), h.bytes/4)
	case h.kind[0] == 'S':
		return fmt.Sprintf("save the bytes one by one: a.view('S1').reshape(a.shape + (%d,))", h.bytes)
	case h.kind[0] == 'c':
		return "save a.astype('<c16'), which has less precision"
	}
	return "save a.astype('<f8'), which has less precision"
}

// swap returns the number of bytes in each unit to reverse, or 0. NumPy reads types without a byte order, and with =
// and |, in the order of the machine, which is little-endian for all machines that write such files. NumPy itself
// always writes < or >.
func (t npyType) swap() int {
	if unit := t.unit(); t.order == '>' && unit > 1 {
		return int(unit)
	}
	return 0
}

// unit returns the number of bytes in each unit of an element that has a byte order.
func (t npyType) unit() int64 {
	switch t.kind[0] {
	case 'c':
		return t.bytes / 2
	case 'U':
		return 4
	case 'S', 'V':
		return 1
	}
	return t.bytes
}

// AppendNpyHeader appends the header of a .npy file as numpy.save writes it: version 1.0, or 2.0 if the header is too
// long for that, padded with spaces so that the data starts at a multiple of 64. The additional spaces after the
// dictionary allow the size that varies slowest to grow without moving the data.
func AppendNpyHeader(dst []byte, descr string, sizes []int64, fortran bool) []byte {
	order, slowest := "False", 0
	if fortran {
		order, slowest = "True", len(sizes)-1
	}
	dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", descr, order, npyShape(sizes))
	if len(sizes) > 0 {
		dict += strings.Repeat(" ", npyGrowth-len(strconv.FormatInt(sizes[slowest], 10)))
	}
	fixed := len(npyMagic) + 2 + 2 // the version, and 16 bits of length
	length := npyPadded(fixed, len(dict))
	wide := length > math.MaxUint16
	if wide {
		fixed += 2
		length = npyPadded(fixed, len(dict))
	}
	dst = append(dst, npyMagic...)
	if wide {
		dst = binary.LittleEndian.AppendUint32(append(dst, 2, 0), uint32(length))
	} else {
		dst = binary.LittleEndian.AppendUint16(append(dst, 1, 0), uint16(length))
	}
	dst = append(dst, dict...)
	dst = append(dst, strings.Repeat(" ", length-len(dict)-1)...)
	return append(dst, '\n')
}

// npyPadded returns the length of a dictionary with its padding, at least one byte, and a line feed.
func npyPadded(fixed, dict int) int {
	return dict + 1 + npyAlign - (fixed+dict+1)%npyAlign
}

// npyShape writes sizes as a Python tuple, with a comma after a single size.
func npyShape(sizes []int64) string {
	if len(sizes) == 1 {
		return fmt.Sprintf("(%d,)", sizes[0])
	}
	return "(" + layout.JoinInts(sizes, ", ") + ")"
}
