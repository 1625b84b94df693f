package notation

import (
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/scan"
)

// A memref is what the text of one says.
type memref struct {
	at      int // where its sizes start
	sizes   []int64
	laid    bool // there is a layout
	base    int64
	strides []int64
	axes    []layout.Axis // of an affine map, in place of strides
	storage int64         // of an affine map
}

func fitsMemref(text string) bool {
	return isMLIRType(text, "memref") && !strings.Contains(text, "affine_map")
}

// readMemref reads a memref: sizes, type, and a layout of strides or of an affine map.
func readMemref(r *reader) {
	d := Descriptor{Name: r.valueName(), Typed: true}
	m := memref{at: r.startType("memref")}
	m.sizes = r.dimensions()
	dtype := r.elementType()
	for more := true; more && r.take(","); {
		more = r.memrefLayout(&m)
	}
	r.close(">")
	switch {
	case r.err != nil:
	case m.axes != nil:
		r.laidOut(m.at, d, dtype, m.base, m.axes)
		r.mapped(&m)
	case m.laid:
		r.strided(m.at, d, dtype, m.base, m.sizes, m.strides)
	default:
		r.strided(m.at, d, dtype, 0, m.sizes, r.rowMajor(m.sizes))
	}
}

// memrefLayout reads what follows a comma, and reports whether more may follow: a memory space is always the last.
func (r *reader) memrefLayout(m *memref) (more bool) {
	r.space()
	at := r.Pos
	name := ""
	if scan.IsLetter(r.Peek()) {
		name = r.word()
		r.Pos = at
	}
	text := r.attribute()
	r.Pos = min(at+len(text), len(r.In))
	switch {
	case r.err != nil:
	case m.laid && (name == "strided" || name == "affine_map"):
		r.fail(at, "", "there is a layout already")
	case name == "strided":
		r.Pos = at + len(name)
		r.stridedLayout(m)
		return true
	case name == "affine_map":
		r.Pos = at + len(name)
		r.mapLayout(m)
		return true
	case text == "":
		r.unexpected("a layout or a memory space is expected here")
	case text[0] == '#' && !m.laid && !strings.Contains(text, "."):
		r.fail(at, "write its meaning in its place: affine_map<(d0, d1) -> (...)>", "%s is defined elsewhere", text)
	case name != "":
		r.fail(at, "such as strided<[3, 1], offset: 5>", "unknown layout %s", name)
	default:
		r.skip("%s, the memory space", text)
	}
	return false
}

// stridedLayout reads <[5, 1], offset: 5>.
func (r *reader) stridedLayout(m *memref) {
	m.laid = true
	r.open("<")
	r.space()
	m.at = r.Pos
	m.strides = make([]int64, 0, len(m.sizes))
	r.each("[", "]", func(int) { m.strides = append(m.strides, r.mlirNumber("this stride")) })
	if r.take(",") {
		r.expect("offset")
		r.expect(":")
		m.base = r.mlirNumber("the offset")
	}
	r.close(">")
}

// mlirNumber reads a number as MLIR does outside of sizes: with a sign, and in hexadecimal too.
func (r *reader) mlirNumber(what string) int64 {
	r.space()
	start := r.Pos
	negative := r.takeHere("-")
	if !r.takeHere("0x") {
		r.Pos = start
		return r.known(what)
	}
	text := r.Span(func(c byte) bool { return scan.IsDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' })
	if negative {
		text = "-" + text
	}
	n, err := strconv.ParseInt(text, 16, 64)
	if err != nil {
		r.checkNumber(start, r.In[start:r.Pos], err)
		return 0
	}
	return n
}

// writeMemref writes a memref. Strides that are those of no layout at all are left out.
func writeMemref(t layout.Tensor) (string, error) {
	strides, dtype, err := terms{base: true, zero: true, negative: true}.typed(t, t.DType().Info().MLIR)
	if err != nil {
		return "", err
	}
	l := t.Layout()
	text := mlirType("memref", l.Sizes(), dtype)
	packed, _ := layout.PackedStrides(l.Sizes(), false)
	if l.Base() == 0 && slices.Equal(strides, packed) {
		return text + ">", nil
	}
	text += ", strided<[" + layout.JoinInts(strides, ", ") + "]"
	if l.Base() != 0 {
		text += ", offset: " + strconv.FormatInt(l.Base(), 10)
	}
	return text + ">>", nil
}

func fitsStableHLO(text string) bool { return isMLIRType(text, "tensor") }

// isMLIRType reports whether the text is a type of MLIR of that kind, alone or after a value.
func isMLIRType(text, kind string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	if i := strings.IndexByte(text, ':'); i > 0 && text[0] == '%' {
		text = strings.TrimLeft(text[i+1:], " \t\r\n")
	}
	return strings.HasPrefix(text, kind) && strings.HasPrefix(strings.TrimLeft(text[len(kind):], " "), "<")
}

// readStableHLO reads a tensor type, whose elements lie row-major. What encodes them otherwise is not MLIR's own.
func readStableHLO(r *reader) {
	name := r.valueName()
	at := r.startType("tensor")
	sizes := r.dimensions()
	dtype := r.elementType()
	if r.take(",") {
		if encoding := r.attribute(); encoding != "" {
			r.skip("%s, the encoding", encoding)
		} else {
			r.unexpected("an encoding is expected here")
		}
	}
	r.close(">")
	r.strided(at, Descriptor{Name: name, Typed: true}, dtype, 0, sizes, r.rowMajor(sizes))
}

// valueName steps over a value and the colon before its type, if they are there.
func (r *reader) valueName() string {
	if !r.take("%") {
		return ""
	}
	name := r.word()
	if r.Pos = r.after(":", r.Pos); r.Pos == len(r.In) {
		r.unexpected("a colon and a type are expected after the value")
	}
	return name
}

// startType reads a type up to its sizes and returns where these start. One without rank has no layout.
func (r *reader) startType(kind string) (at int) {
	r.expect(kind)
	r.open("<")
	r.space()
	if r.Peek() == '*' {
		r.fail(r.Pos, "such as "+kind+"<2x3xf32>", "a %s without a rank has no layout", kind)
	}
	return r.Pos
}

// dimensions reads sizes, an x after each, up to the type of the elements. The x ends a number: 0x3 is a 0 and a 3.
func (r *reader) dimensions() []int64 {
	sizes := make([]int64, 0, 8)
	for r.space(); scan.IsDigit(r.Peek()) || r.Peek() == '?' || r.Peek() == '-'; r.space() {
		if r.Peek() == '-' {
			r.unexpected("sizes are not negative")
			break
		}
		at := r.Pos
		sizes = append(sizes, r.known("this size"))
		switch n := len(sizes); {
		case sizes[n-1] < 0:
			r.fail(at, "", "size %d is negative", sizes[n-1])
		case n > layout.MaxRank:
			r.fail(at, "", "more than %d sizes: the limit is rank %d", layout.MaxRank, layout.MaxRank)
		}
		if !r.take("x") {
			r.fail(r.Pos, "such as 2x3xf32", "an x is expected after the size")
		}
	}
	return sizes
}

// elementType reads the type of the elements, which may be complex<f32>.
func (r *reader) elementType() layout.DType {
	r.space()
	at := r.Pos
	word := r.word()
	switch word {
	case "complex":
		r.expect("<")
		word = "complex<" + r.word() + ">"
		r.expect(">")
	case "index":
		r.fail(at, "i64 or i32, as the target has it", "an index has no size of its own")
	case "vector", "memref", "tensor", "tuple", "none":
		r.fail(at, "give the type of a single number, and the sizes of the inner type as sizes",
			"elements of type %s are not numbers", word)
	case "":
		r.fail(at, "such as f32", "the type of the elements is expected here")
	}
	if r.err != nil {
		return 0
	}
	d, err := layout.ParseDType(word)
	r.within(at, err)
	return d
}

// attribute skips an attribute, up to the comma or the bracket after it, and returns it as it is written.
func (r *reader) attribute() string {
	r.space()
	start := r.Pos
	for depth := 0; r.Pos < len(r.In); r.Pos++ {
		switch c := r.In[r.Pos]; c {
		case '"':
			r.quoted()
			r.Pos--
		case '-':
			if strings.HasPrefix(r.In[r.Pos:], "->") {
				r.Pos++
			}
		case '<', '(', '[', '{':
			depth++
		case '>', ')', ']', '}', ',':
			if depth == 0 {
				return strings.TrimSpace(r.In[start:r.Pos])
			}
			if c != ',' {
				depth--
			}
		}
	}
	return r.In[start:]
}

func writeStableHLO(t layout.Tensor) (string, error) {
	l := t.Layout()
	strides, ok := l.LinearStrides()
	switch {
	case !ok:
		return "", lost(t, "it is always row-major, and axis %s is in blocks", blocked(l))
	case l.Base() != 0:
		return "", lost(t, "it has no storage offset, and index 0 lies at %d", l.Base())
	case !facts.Contiguous(l):
		return "", lost(t, "it is always row-major without gaps, and the strides are %s", layout.JoinInts(strides, ","))
	}
	dtype, err := spelled(t, t.DType().Info().MLIR)
	if err != nil {
		return "", err
	}
	return mlirType("tensor", l.Sizes(), dtype) + ">", nil
}

// mlirType writes a type up to that of its elements.
func mlirType(kind string, sizes []int64, dtype string) string {
	text := kind + "<"
	for _, size := range sizes {
		text += strconv.FormatInt(size, 10) + "x"
	}
	return text + dtype
}
