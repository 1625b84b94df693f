package notation

import (
	"strings"

	"layoutcalc/layout"
)

// xlaProperties reads what stands behind the order, always in this sequence.
func (r *reader) xlaProperties(a *xlaArray) {
	r.noSparse()
	if r.call("T") {
		r.xlaTiles(a)
	}
	if r.call("L") {
		a.tail = r.argument()
	}
	r.noSparse()
	if r.call("E") {
		if a.bits = r.argument(); a.bits != a.dtype.Bits() {
			r.skip("E(%d), the bits of an element: here each %s takes %d", a.bits, a.dtype.Info().XLA, a.dtype.Bits())
		}
	}
	if r.call("S") {
		r.skip("S%s, the memory space", r.arguments())
	}
	if r.call("SC") {
		r.skip("SC%s, the split over memories", r.arguments())
	}
	r.noSparse()
	if r.call("M") {
		r.skip("M%s, the bytes of metadata before the elements", r.arguments())
	}
}

// noSparse refuses the properties of sparse arrays, whose elements have no fixed places.
func (r *reader) noSparse() {
	r.space()
	for _, mark := range [...]string{"D(", "#(", "*(", "P("} {
		if strings.HasPrefix(r.text[r.pos:], mark) {
			r.unexpected("%s...) is of a sparse array, whose elements have no fixed places", mark)
		}
	}
}

// call steps over the name if a bracket stands behind it.
func (r *reader) call(name string) bool {
	r.space()
	rest := r.text[r.pos:]
	if len(rest) <= len(name) || rest[len(name)] != '(' {
		return false
	}
	return r.takeHere(name)
}

// argument reads a positive number in brackets.
func (r *reader) argument() int64 {
	r.expect("(")
	r.space()
	at := r.pos
	n := r.digits()
	if n == 0 {
		r.fail(at, "", "the number here is at least 1")
	}
	r.expect(")")
	return n
}

// arguments steps over lists in brackets and returns them as they are written.
func (r *reader) arguments() string {
	start := r.pos
	for r.peek() == '(' && r.err == nil {
		r.span(func(c byte) bool { return c != ')' })
		r.expect(")")
	}
	return r.text[start:max(start, r.pos)]
}

// xlaTiles reads one tile or more.
func (r *reader) xlaTiles(a *xlaArray) {
	for r.space(); r.peek() == '(' && r.err == nil; r.space() {
		at := r.pos
		tile := r.xlaTile()
		if a.tiles = append(a.tiles, tile); len(a.tiles) > layout.MaxRank {
			r.fail(at, "", "more than %d tiles", layout.MaxRank)
		}
	}
}

func (r *reader) xlaTile() []int64 {
	var tile []int64
	at := r.pos
	r.open("(")
	for r.err == nil {
		r.space()
		at = r.pos
		size := int64(combine)
		if !r.take("*") {
			size = r.digits()
		}
		if tile = append(tile, size); size == 0 {
			r.fail(at, "", "a tile has at least one element")
		}
		if !r.take(",") {
			break
		}
	}
	r.close(")")
	switch n := len(tile); {
	case n > 0 && tile[n-1] == combine:
		r.fail(at, "", "there is no dimension behind the * to merge with")
	case n > layout.MaxDigits:
		r.fail(at, "", "a tile of more than %d dimensions", layout.MaxDigits)
	}
	return tile
}
