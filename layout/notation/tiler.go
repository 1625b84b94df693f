package notation

import (
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/algebra"
	"layoutcalc/layout/lexer"
)

// ReadTiler returns the layout or tiler in CuTe notation: (2,3):(1,2), (3,4), [3:1;4:1], <3:3,(2,4):(1,8)>. The
// brackets of a list may be omitted.
func ReadTiler(text string, o Options) (algebra.Tiler, error) {
	if _, err := lexer.New(text); err != nil {
		return algebra.Tiler{}, err
	}
	r := cuteReader{newReader(text, lex(text), o)}
	r.Spaced = true
	if i, n := r.find(r.startsType); n == 1 && r.hasTiler(i) {
		r.Pos = int(r.Tokens()[i+5].At)
		leave := r.Enter()
		t := r.tiler()
		if rest := r.Token(); !leave() {
			r.Fail(int(rest.At), "", `expected %s`, `"`)
		}
		r.Expect(">")
		return t, r.Err
	}
	if t := r.Token(); t.Kind == lexer.Number || t.Kind != lexer.End && isOf(text[t.At:t.At+1], "([<_") {
		t := r.tiler()
		if r.Is(",") {
			for t = (algebra.Tiler{Each: []algebra.Tiler{t}}); r.Take(",") && len(t.Each) < layout.MaxDigits; {
				t.Each = append(t.Each, r.tiler())
			}
		}
		if !r.Done() {
			r.Unexpected("unexpected text %s", r.Rest())
		}
		return t, r.Err
	}
	l, d, err := ReadLayout(text, o)
	if of := l.Flat(); err == nil && (of.IsSwizzled() || of.Base() != 0) {
		err = &layout.SyntaxError{Input: text, Offset: d.At,
			Msg: "the second operand has a swizzle or a base: what it makes of the first is not a layout"}
	}
	return algebra.Tiler{Mode: l.Mode()}, err
}

// hasTiler reports whether the type at a token, from the Python DSL, has a tiler in quotes: !cute.tile<"[3:1;4:1]">.
func (r cuteReader) hasTiler(i int) bool {
	tokens := r.Tokens()
	return i+5 < len(tokens) && tokens[i+5].Kind == lexer.String &&
		slices.Contains([]string{"tile", "shape", "coord", "int_tuple"}, r.Text(tokens[i+3]))
}

// tiler reads a number, a layout, an underscore, or a list of these.
func (r cuteReader) tiler() (t algebra.Tiler) {
	r.Space()
	start, closing, separator := r.Pos, ")", ","
	switch r.Text(r.Token()) {
	case "_":
		r.Next()
		return algebra.Tiler{Keep: true}
	case "[":
		closing, separator = "]", ";"
	case "<":
		closing = ">"
	case "(":
	default:
		return r.tilerLayout()
	}
	r.Next()
	r.Deeper()
	for t.Each = []algebra.Tiler{}; r.Err == nil && !r.Take(closing); {
		if len(t.Each) > 0 && !r.Take(separator) && !r.Take(",") {
			r.Unexpected("expected %s or %s", separator, closing)
		}
		if t.Each = append(t.Each, r.tiler()); len(t.Each) > layout.MaxDigits {
			r.Fail(start, "", "more modes than the limit of %d", layout.MaxDigits)
		}
	}
	r.Higher()
	if r.Err == nil && closing == ")" && r.Is(":") {
		r.Pos = start
		return r.tilerLayout()
	}
	return t
}

// tilerLayout reads a layout, or a number n, which stands for n contiguous elements.
func (r cuteReader) tilerLayout() algebra.Tiler {
	shape, stride, ok := r.shapeStride()
	switch {
	case ok:
	case shape.nested:
		r.Unexpected("the strides are missing after the shape")
	default:
		stride.n = 1
	}
	if r.Err != nil {
		return algebra.Tiler{}
	}
	return algebra.Tiler{Mode: nested(shape, stride)}
}

// inner composes the last layout with the layouts after it: A o N o B is A(N + B(i)).
func (r cuteReader) inner(at int) {
	for r.Err == nil && r.Take("o") {
		c := algebra.Call{Operation: "compose"}
		if r.Space(); r.IsAt(1, "o") {
			c.Start = r.mode().n
			r.Expect("o")
		}
		t := r.tilerLayout()
		if c.B = &t; r.Err == nil {
			r.result(at, c, &r.found[len(r.found)-1])
		}
	}
}
