package tensorfile

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"layoutcalc/layout"
	"layoutcalc/layout/rules"
)

// maxNpyHeader is how many characters NumPy reads of a header unless it is told to trust it.
const maxNpyHeader = 10_000

// npyAlign is what NumPy's writers pad the bytes before the data to a multiple of.
const npyAlign = 64

// An npyHeader is what the dictionary of a .npy file says.
type npyHeader struct {
	descr   string
	descrAt int64 // the byte of the file that it starts at
	fortran bool
	shape   []int64
	has     [len(npyKeys)]bool

	order byte   // what descr starts with, 0 where it says no byte order
	kind  string // the descr behind the byte order
	known bool   // that is a type of NumPy
	bits  int64  // of an element, if so
}

// npy reads an array of NumPy.
func (t *tensorFile) npy() {
	if h := t.npyRead(); t.fault == nil {
		t.npyJudge(h)
	}
}

// npyRead reads the header, behind which the data starts.
func (t *tensorFile) npyRead() *npyHeader {
	text, base, major := t.npyText()
	p := npyParser{t: t, text: text, base: base, major: major}
	if t.fault == nil {
		p.dict()
	}
	if t.fault == nil {
		t.npyType(&p.h)
	}
	return &p.h
}

// npyVersion reads the magic and the version of the format.
func (t *tensorFile) npyVersion() (major byte) {
	var magic [8]byte
	t.copy(magic[:])
	major, minor := magic[6], magic[7]
	if string(magic[:6]) != npyMagic {
		t.fail(0, "the file does not start with \\x93NUMPY")
	}
	if minor != 0 || major < 1 || major > 3 {
		t.fail(6, "version %d.%d of the format is not read: 1.0, 2.0 and 3.0 are", major, minor)
	}
	return major
}

// npyText returns the dictionary, at which byte it starts, and the version of the format.
func (t *tensorFile) npyText() (text []byte, base int64, major byte) {
	wide, most := 4, uint64(maxNpyHeader)
	switch major = t.npyVersion(); major {
	case 1:
		wide = 2
	case 3:
		most *= utf8.UTFMax
	}
	length := t.uint(wide)
	if t.claim(8, length, 1, "bytes of header") && length > most {
		t.npyTooLong(int64(length))
	}
	if t.fault != nil {
		return nil, 0, 0
	}
	base, text = t.pos(), make([]byte, length)
	t.copy(text)
	t.npyEncoding(text, base, major)
	return text, base, major
}

// npyEncoding checks the UTF-8 of version 3, where the limit counts characters.
func (t *tensorFile) npyEncoding(text []byte, base int64, major byte) {
	if major < 3 {
		return
	}
	if !utf8.Valid(text) {
		t.fail(base, "the header is no valid UTF-8, which version 3.0 has")
	}
	if n := utf8.RuneCount(text); n > maxNpyHeader {
		t.npyTooLong(int64(n))
	}
}

func (t *tensorFile) npyTooLong(n int64) {
	t.fail(8, "the header has %d characters, over the limit of %d that NumPy reads", n, maxNpyHeader)
}

// npyType takes the descr apart.
func (t *tensorFile) npyType(h *npyHeader) {
	h.kind = h.descr
	if h.kind != "" && strings.IndexByte("<>=|", h.kind[0]) >= 0 {
		h.order, h.kind = h.kind[0], h.kind[1:]
	}
	if strings.HasPrefix(h.kind, "O") || strings.HasPrefix(h.kind, "V") {
		t.fail(h.descrAt, "arrays of Python objects (O) and of raw records (V) are not read: their elements are no numbers")
		return
	}
	bytes, ok := npyItem(h.kind)
	h.bits, h.known = bytes*8, ok
}

// npyDType returns what the layout package has for the type.
func (t *tensorFile) npyDType(h *npyHeader) (d layout.DType, ok bool) {
	if !h.known || strings.IndexByte("biufc", h.kind[0]) < 0 {
		return d, false
	}
	return t.known(0, "<"+h.kind)
}

// npyItem returns the size of an element whose type is a letter and a number of bytes; of texts
// that of characters of 4, and of times the unit may follow.
func npyItem(kind string) (bytes int64, ok bool) {
	if len(kind) < 2 {
		return 0, false
	}
	digits := kind[1:]
	if unit := strings.IndexByte(digits, '['); unit > 0 && kind[0]|0x20 == 'm' {
		digits = digits[:unit]
	}
	n, err := strconv.ParseUint(digits, 10, 31)
	if err != nil {
		return 0, false
	}
	bytes = int64(n)
	switch kind[0] {
	case 'b':
		return bytes, bytes == 1
	case 'i', 'u':
		return bytes, bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8
	case 'f':
		return bytes, bytes == 2 || bytes == 4 || bytes == 8 || bytes == 12 || bytes == 16
	case 'c':
		return bytes, bytes == 8 || bytes == 16 || bytes == 24 || bytes == 32
	case 'm', 'M':
		return bytes, bytes == 8
	case 'U':
		return bytes * 4, true
	}
	return bytes, kind[0] == 'S'
}

// npyJudge compares what the header says with the bytes behind it.
func (t *tensorFile) npyJudge(h *npyHeader) {
	start, there := t.pos(), t.left()
	d := rules.Descriptor{TypeName: h.descr, Sizes: h.shape, Total: rules.Stated(there)}
	if h.fortran {
		d.Strides = columnMajor(h.shape)
	}
	d.Type, d.TypeKnown = t.npyDType(h)
	d.TypeJudged = !d.TypeKnown // a text or a time, or reported
	t.add(d)
	switch {
	case !h.known:
		t.find(rules.FileType, "", npySpelling(h.descr), "%s is no type of NumPy that is known here", quoted(h.descr))
	case hasMinus(h.shape):
		t.find(rules.FileHeader, "", "", "the shape has a negative size")
	default:
		t.npySize(h, claimed(h.shape, h.bits), there)
	}
	t.npyOrder(h)
	if start%npyAlign != 0 {
		t.findAs(rules.FileAlign, rules.Note, "", "", "the data starts at byte %d, which is no multiple of %d, to which NumPy pads the header", start, npyAlign)
	}
}

// npySize compares the bytes that the shape takes with those that are there.
func (t *tensorFile) npySize(h *npyHeader, c claim, there int64) {
	switch {
	case c.over != nil:
		t.find(rules.FileSize, "", "", "the shape takes %s of %s, and the file has %s", c, h.descr, byteCount(there))
	case c.bytes > there:
		t.find(rules.FileSize, "", "", "the shape takes %s of %s, and the file has %s: %s too few", c, h.descr, byteCount(there), byteCount(c.bytes-there))
	case c.bytes < there:
		t.findAs(rules.FileTrailing, rules.Warning, "", "", "the shape takes %s of %s, and %s more stand behind them", c, h.descr, byteCount(there-c.bytes))
	}
}

// npyOrder notes what readers of plain row-major little-endian data stumble over.
func (t *tensorFile) npyOrder(h *npyHeader) {
	if h.fortran {
		t.find(rules.FileOrder, "", "save numpy.ascontiguousarray(a)", "the array is stored in Fortran order, first index fastest: DxDispatch refuses it")
	}
	if h.order == '>' && h.bits > 8 {
		t.find(rules.FileOrder, "", "save a.astype('<"+h.descr[1:]+"')", "the elements are big-endian: they have to be swapped before use")
	}
}

// npySpelling is how NumPy writes a type that is spelled as elsewhere.
func npySpelling(descr string) string {
	d, err := layout.ParseDType(descr)
	if err != nil || d.Info().NumPy == "" {
		return ""
	}
	return "'" + d.Info().NumPy + "'"
}

// columnMajor returns the strides of Fortran order, nil where 64 bits do not hold them.
func columnMajor(sizes []int64) []int64 {
	strides, next := make([]int64, len(sizes)), int64(1)
	for i, n := range sizes {
		strides[i] = next
		product, err := layout.ProductOf([]int64{next, max(n, 1)})
		if err != nil && i < len(sizes)-1 {
			return nil
		}
		next = product
	}
	return strides
}

// hasMinus reports whether a size is negative.
func hasMinus(sizes []int64) bool {
	for _, n := range sizes {
		if n < 0 {
			return true
		}
	}
	return false
}
