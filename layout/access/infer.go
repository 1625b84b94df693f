package access

import (
	"iter"
	"slices"

	"layoutcalc/layout"
)

// Infer returns all swizzles that make the second of each pair of offsets of the first, of up to 5 bits from bit 12 at
// most, shifted by up to 8; the one with the fewest bits first. Where no pair differs it is the one without bits.
func Infer(pairs iter.Seq2[int64, int64]) []layout.Swizzle {
	list := []layout.Swizzle{{}}
	for bits := 1; bits <= maxBits; bits++ {
		for base := 0; base <= 12; base++ {
			for shift := bits; shift <= maxShift; shift++ {
				list = append(list, layout.Swizzle{Bits: bits, Base: base, Shift: shift},
					layout.Swizzle{Bits: bits, Base: base, Shift: -shift})
			}
		}
	}
	for a, b := range pairs {
		list = slices.DeleteFunc(list, func(s layout.Swizzle) bool { return s.Apply(a) != b })
		if len(list) == 0 {
			return nil
		}
	}
	if list[0].Bits == 0 {
		return list[:1]
	}
	return list
}
