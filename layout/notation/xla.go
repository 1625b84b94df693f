package notation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
)

// An xlaArray is what the text of one array says.
type xlaArray struct {
	at    int // where it starts
	dtype layout.DType
	sizes []int64
	minor []int64 // the axes from innermost to outermost
	tiles [][]int64
	tail  int64 // the storage is a multiple of it
	bits  int64 // what an element takes; 0 where nothing is said
	notes int   // how many there are of what is before it
}

// fitsXLA knows a type of XLA with brackets right behind it, in a tuple or an instruction too.
func fitsXLA(text string) bool {
	if i := strings.Index(text, "= "); i > 0 && (text[0] == '%' || strings.HasPrefix(text, "ROOT ")) {
		text = text[i+2:]
	}
	text = strings.TrimLeft(text, "( \t\r\nb") // the b of a buffer, and of bf16
	n := 0
	for n < len(text) && isWord(text[n]) {
		n++
	}
	return isXLAType(text[:n]) && strings.HasPrefix(strings.TrimLeft(text[n:], " "), "[") && !strings.Contains(text, "][")
}

// isXLAType reports whether the word, without the b of bf16, could name a type of XLA.
func isXLAType(word string) bool {
	switch word {
	case "pred", "token", "opaque":
		return true
	}
	return len(word) > 1 && strings.IndexByte("fsuc", word[0]) >= 0 && isDigit(word[1])
}

// readXLA reads a shape, with the instruction around it if there is one.
func readXLA(r *reader) {
	r.take("ROOT ")
	r.xlaShape(r.instructionName())
	r.space()
	if c := r.peek(); c == '%' || 'a' <= c && c <= 'z' && strings.Contains(r.text[r.pos:], "(") {
		r.skip("%s, the rest of the instruction", r.rest())
		r.pos = len(r.text)
	}
}

// instructionName steps over the name of an instruction and the = behind it, if they are there.
func (r *reader) instructionName() string {
	r.space()
	start := r.pos
	r.takeHere("%")
	name := r.span(func(c byte) bool { return isWord(c) || c == '.' || c == '-' })
	if name != "" && r.take("=") {
		return name
	}
	r.pos = start
	return ""
}

// xlaShape reads an array, a buffer, or a tuple. The parts of a tuple are named by their places
// in it: 0, 1, 1.0.
func (r *reader) xlaShape(name string) {
	r.space()
	switch {
	case r.peek() == '(':
		r.xlaTuple(name)
	case strings.HasPrefix(r.text[r.pos:], "b("):
		r.pos++
		r.open("(")
		r.xlaShape(name)
		r.close(")")
	default:
		r.xlaArray(name)
	}
}

func (r *reader) xlaTuple(name string) {
	if r.depth == 0 {
		name = "" // that of the instruction
	} else if name != "" {
		name += "."
	}
	r.open("(")
	for i := 0; !r.take(")") && r.err == nil; i++ {
		if i > 0 {
			r.expect(",")
		}
		r.xlaShape(name + strconv.Itoa(i))
	}
	r.depth--
}

// xlaArray reads an array: type, sizes and layout.
func (r *reader) xlaArray(name string) {
	r.space()
	a := xlaArray{at: r.pos, tail: 1, notes: len(r.skipped)}
	start := r.pos
	if word := r.word(); word == "token" || word == "opaque" {
		r.expect("[")
		r.expect("]")
		if note := word + ", which holds no elements"; !slices.Contains(r.skipped, note) {
			r.skip("%s", note)
		}
		return
	}
	r.pos = start
	a.dtype = r.dtype()
	a.sizes = r.xlaSizes()
	if r.take("{") {
		r.xlaLayout(&a)
	} else {
		a.minor = rowMajorOrder(len(a.sizes))
	}
	if r.err == nil && a.dtype.Bits() < 8 && a.bits == 0 {
		r.skip("no E(%d): XLA gives each %s a whole byte then, here it takes %d bits", a.dtype.Bits(), a.dtype.Info().XLA, a.dtype.Bits())
	}
	r.xlaTiled(name, &a)
}

// rowMajorOrder lists the axes from the last, which is innermost, to the first.
func rowMajorOrder(rank int) []int64 {
	minor := make([]int64, rank)
	for i := range minor {
		minor[i] = int64(rank - 1 - i)
	}
	return minor
}

// xlaSizes reads sizes. Memory is laid out for the bound of one that has a bound.
func (r *reader) xlaSizes() []int64 {
	r.open("[")
	sizes := []int64{}
	for !r.take("]") && r.err == nil {
		if len(sizes) > 0 {
			r.expect(",")
		}
		bounded := r.take("<=")
		at := r.pos
		size := r.known("this size")
		switch {
		case size < 0:
			r.fail(at, "", "size %d is negative", size)
		case len(sizes) == layout.MaxRank:
			r.fail(at, "", "more than %d sizes: the limit is rank %d", layout.MaxRank, layout.MaxRank)
		case bounded:
			r.skip("<=%d: the size of axis %d is dynamic, and the layout that of the bound", size, len(sizes))
		}
		sizes = append(sizes, size)
	}
	r.depth--
	return sizes
}

// xlaLayout reads the order of the axes, the innermost first, and the properties behind it.
func (r *reader) xlaLayout(a *xlaArray) {
	at := r.pos
	var seen [layout.MaxRank]bool
	for r.space(); r.err == nil && r.peek() != ':' && r.peek() != '}'; r.space() {
		if len(a.minor) > 0 {
			r.expect(",")
		}
		axis := r.digits()
		switch {
		case r.err != nil:
			return
		case axis >= int64(len(a.sizes)):
			r.fail(at, "", "the layout names axis %d of %d axes, which count from 0", axis, len(a.sizes))
			return
		case seen[axis]:
			r.fail(at, "", "the layout names axis %d twice", axis)
			return
		}
		seen[axis] = true
		a.minor = append(a.minor, axis)
	}
	if len(a.minor) != len(a.sizes) {
		r.fail(at, fmt.Sprintf("row-major is {%s}", layout.JoinInts(rowMajorOrder(len(a.sizes)), ",")), "the layout names %d of %d axes", len(a.minor), len(a.sizes))
	}
	if r.take(":") {
		r.xlaProperties(a)
	}
	r.expect("}")
}
