package shape

import (
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// An Amount is a number of elements, or of bytes if it is written with a B, as in 64B.
type Amount struct {
	text  string // the string that it is a part of
	at    int64  // byte offset in text
	n     int64
	bytes bool
	least bool // it is a minimum: a smaller number is no substitute
}

// NewAmount returns a number of elements.
func NewAmount(n int64) Amount { return Amount{n: n} }

// ParseAmount reads a nonnegative number.
func ParseAmount(text string) (Amount, error) { return parseAmount(text, false) }

// ParseOffset reads an offset, which may be negative.
func ParseOffset(text string) (Amount, error) { return parseAmount(text, true) }

func parseAmount(text string, signed bool) (Amount, error) {
	s := lexer.NewReader(text)
	s.Blanks()
	a := takeAmount(&s, lexer.IntKind{Noun: "number", Example: "16 or 64B", Signed: signed, Hex: true})
	if s.Blanks(); !s.Done() {
		s.Fail(s.Pos, "", "%q does not belong to the number", s.Rest())
	}
	return a, s.Err
}

// takeAmount reads a number, and a B after it if there is one.
func takeAmount(s *lexer.Reader, kind lexer.IntKind) Amount {
	start := s.Pos
	n := s.Integer(kind)
	digits := s.In[start:s.Pos]
	a := Amount{text: s.In, at: int64(start), n: n, bytes: s.Take("B")}
	if kind.Hex && !a.bytes && strings.HasPrefix(digits, "0") && strings.ToUpper(digits[len(digits)-1:]) == "B" {
		s.Fail(start, "such as "+kind.Example, "the B can be a digit of the number, or mean bytes")
	}
	return a
}

// Elements returns the number in elements of the type. It rejects bytes that end inside an element.
func (a Amount) Elements(d layout.DType) (int64, error) {
	if !a.bytes {
		return a.n, nil
	}
	if d.Bits() == 0 {
		return 0, a.fail("write a number of elements, or -t TYPE", "elements of type %s have no size in bytes", d)
	}
	common := layout.GCD(8, d.Bits())
	bytes, elements := d.Bits()/common, 8/common // the fewest bytes of whole elements, and the number of these
	runs, rest := a.n/bytes, a.n%bytes
	if rest < 0 {
		runs, rest = runs-1, rest+bytes
	}
	if rest == 0 {
		n, err := layout.Mul(runs, elements)
		return n, layout.NameOverflow("the number of elements", err)
	}
	near := runs
	if a.least || 2*rest > bytes {
		near++
	}
	text := func(runs int64) string { return strconv.FormatInt(runs*bytes, 10) + "B" }
	err := a.fail("such as "+text(near), "%dB is not a whole number of elements of %s: %s is %s, %s is %d",
		a.n, d, text(runs), wording.Count(runs*elements, "element"), text(runs+1), (runs+1)*elements)
	typed := lexer.Scanner{In: a.text, Pos: int(a.at)}
	err.Change.Typed = typed.Span(func(c byte) bool { return c == '-' || lexer.IsWord(c) })
	err.Change.Word = text(near)
	return 0, err
}

// multiple is like Elements, but for a multiple to round up to: bytes become the fewest elements that fill a multiple
// of them.
func (a Amount) multiple(d layout.DType) (int64, error) {
	if !a.bytes || d.Bits() == 0 {
		return a.Elements(d)
	}
	bits, err := layout.Mul(a.n, 8)
	if err != nil {
		return 0, a.fail("", "%d bytes are more than 64 bits of bits", a.n)
	}
	return bits / layout.GCD(bits, d.Bits()), nil
}

func (a Amount) fail(hint, format string, args ...any) *lexer.SyntaxError {
	s := lexer.Scanner{In: a.text}
	return s.Fail(int(a.at), hint, format, args...)
}
