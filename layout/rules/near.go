package rules

import (
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
)

// near returns the layout that strides were probably meant to be, and its strides. The layout must be the only one that
// completion offers and that differs in a single stride. At least three sizes must be above 1.
func (g *geometry) near() (name string, meant []int64, ok bool) {
	sizes, moving := g.d.Sizes, 0
	for _, n := range sizes {
		if n > 1 {
			moving++
		}
	}
	if moving < 3 {
		return "", nil, false
	}
	var buf [layout.MaxRank]int64
	for _, offered := range g.tensors.Offered(len(sizes)) {
		of, fits := offered.Strides(buf[:0], sizes)
		if !fits || differences(sizes, g.strides, of) != 1 || ok && differences(sizes, meant, of) == 0 {
			continue
		}
		if ok {
			return "", nil, false
		}
		name, meant, ok = offered.Text, slices.Clone(of), true
	}
	if rowMajor, _ := descriptor.RowMajor(nil, sizes); ok && slices.Equal(meant, rowMajor) {
		name = "row-major"
	}
	return name, meant, ok
}

// differences counts the sizes above 1 with different strides.
func differences(sizes, a, b []int64) (n int) {
	for i, size := range sizes {
		if size > 1 && a[i] != b[i] {
			n++
		}
	}
	return n
}
