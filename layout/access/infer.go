package access

import (
	"iter"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
)

// Infer returns all swizzles that make the second offset of each pair of the first: of up to 5 bits from bit 12 at
// most, shifted by up to 8, the one of the fewest bits first. Where no pair differs it is the one without bits alone.
func Infer(pairs iter.Seq2[int64, int64]) ([]layout.Swizzle, error) {
	list, n := []layout.Swizzle{{}}, 0
	for bits := 1; bits <= maxBits; bits++ {
		list = slices.AppendSeq(list, swizzles(bits))
	}
	for a, b := range pairs {
		if n++; a < 0 || n > maxTried {
			return nil, lexer.Refuse("a part of it can: --view 'narrow(0,0,64)'",
				"swizzles are found for up to %d offsets, none below 0", maxTried)
		}
		if list = slices.DeleteFunc(list, func(s layout.Swizzle) bool { return s.Apply(a) != b }); len(list) == 0 {
			return nil, nil
		}
	}
	if list[0].Bits == 0 {
		list = list[:1]
	}
	return list, nil
}
