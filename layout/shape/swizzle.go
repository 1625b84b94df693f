package shape

import (
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
)

// A Swizzle is a swizzle as a user writes it, counted in elements or in bytes.
type Swizzle struct {
	of    layout.Swizzle
	bytes bool
}

// A SwizzleMode is a named hardware swizzle over bytes.
type SwizzleMode struct {
	Name string
	Of   layout.Swizzle
}

// SwizzleModes are the shared memory modes of NVIDIA's tensor maps and matrix descriptors.
var SwizzleModes = [...]SwizzleMode{
	{"32B", layout.Swizzle{Bits: 1, Base: 4, Shift: 3}},
	{"64B", layout.Swizzle{Bits: 2, Base: 4, Shift: 3}},
	{"128B", layout.Swizzle{Bits: 3, Base: 4, Shift: 3}},
	{"128B_ATOM_32B", layout.Swizzle{Bits: 2, Base: 5, Shift: 2}},
}

// ParseSwizzle reads the name of a mode, or BITS,BASE,SHIFT in elements, or in bytes if followed by B.
func ParseSwizzle(text string) (Swizzle, error) {
	names := make([]string, len(SwizzleModes))
	for i, mode := range SwizzleModes {
		if names[i] = mode.Name; strings.EqualFold(strings.TrimSpace(text), mode.Name) {
			return Swizzle{mode.Of, true}, nil
		}
	}
	const hint = "such as 128B, or 3,3,3: bits, base and shift, in elements, with a B behind in bytes"
	s := lexer.NewReader(text)
	var numbers [3]int64
	for i := range numbers {
		s.Blanks()
		if i > 0 && !s.Take(",") {
			s.Fail(s.Pos, hint, "a swizzle has three numbers, or is one of %s", strings.Join(names, ", "))
		}
		s.Blanks()
		numbers[i] = s.Integer(lexer.IntKind{Noun: "number of a swizzle", Example: "3,3,3", Signed: i == 2})
	}
	made := Swizzle{bytes: s.Take("B")}
	if s.Blanks(); !s.Done() {
		s.Fail(s.Pos, hint, "%q does not belong to the swizzle", s.Rest())
	}
	if s.Err != nil {
		return Swizzle{}, s.Err
	}
	for _, n := range numbers {
		if most := int64(1 << 16); n > most || n < -most {
			return Swizzle{}, &lexer.SyntaxError{Input: text, Msg: "offsets have no such bits", Hint: hint}
		}
	}
	made.of = layout.Swizzle{Bits: int(numbers[0]), Base: int(numbers[1]), Shift: int(numbers[2])}
	return made, nil
}

// Elements returns the swizzle over elements of the type.
func (s Swizzle) Elements(d layout.DType) (layout.Swizzle, error) {
	switch {
	case !s.bytes:
		return s.of, nil
	case d.Bits() == 0:
		return s.of, lexer.Refuse("write the swizzle in elements, or -t TYPE",
			"--swizzle: elements of type %s have no size in bytes", d)
	}
	return s.of.Recast(8, d.Bits())
}

// Panel returns how many bytes of a row a mode of the hardware swizzles, or 0 for other swizzles. TMA and
// ThunderKittens lay out wider rows in panels of this size, one after the other.
func (s Swizzle) Panel() int64 {
	if !s.bytes || s.of.Base != 4 || s.of.Shift != 3 || s.of.Bits < 1 {
		return 0
	}
	return 16 << s.of.Bits
}

// swizzled returns a tensor with the swizzle of the Spec.
func (s *Spec) swizzled(t layout.Tensor, err error) (layout.Tensor, error) {
	if err != nil || s.Swizzle == nil {
		return t, err
	}
	if t.Layout().IsSwizzled() {
		return layout.Tensor{}, lexer.Refuse("", "the text gives a swizzle already").LeaveOut("--swizzle")
	}
	swizzle, err := s.Swizzle.Elements(t.DType())
	if err != nil {
		return layout.Tensor{}, err
	}
	return t.Swizzled(swizzle)
}
