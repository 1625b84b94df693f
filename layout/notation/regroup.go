package notation

import (
	"math"
	"slices"

	"layoutcalc/layout"
)

// regrouped returns the same layout in the digits that a tag would have: as few as can be, and an
// outermost digit of a single step for an axis that lies inside the blocks of others. It reports
// false where such digits do not fit.
func regrouped(l layout.Layout) (same layout.Layout, ok bool) {
	digits, top := make([][]layout.Digit, l.Rank()), int64(math.MinInt64)
	for i := range digits {
		digits[i] = mergedDigits(l.Axis(i))
		for _, d := range digits[i][1:] {
			top = max(top, d.Stride)
		}
	}
	axes := make([]layout.Axis, l.Rank())
	for i, d := range digits {
		if d[0].Extent > 1 && d[0].Stride < top {
			digits[i] = slices.Insert(d, 0, layout.Digit{Extent: 1, Stride: strideBefore(digits, i)})
		}
		axes[i] = layout.NewAxis(l.Axis(i).Name(), l.Axis(i).Size(), digits[i]...)
	}
	same, err := layout.New(l.Base(), axes...)
	return same, err == nil
}

// strideBefore returns the outermost stride of the axis before axis i. Before the first one it is
// what all axes take, for an order to start with.
func strideBefore(digits [][]layout.Digit, i int) int64 {
	if i > 0 {
		return digits[i-1][0].Stride
	}
	whole := int64(0)
	for _, d := range digits {
		if n, err := layout.ProductOf([]int64{d[0].Extent, d[0].Stride}); err == nil {
			whole = max(whole, n)
		}
	}
	return whole
}

// mergedDigits returns the digits of an axis that count, those that count as one as one.
func mergedDigits(axis layout.Axis) []layout.Digit {
	size, weight := axis.Size(), int64(1)
	merged := make([]layout.Digit, 0, 4) // each with its weight in the place of its extent
	for k := axis.Digits() - 1; k >= 0 && weight < size; k-- {
		d := axis.Digit(k)
		if d.Extent > 1 && !continues(merged, weight, d.Stride) {
			merged = append(merged, layout.Digit{Extent: weight, Stride: d.Stride})
		}
		if weight > size/d.Extent {
			break
		}
		weight *= d.Extent
	}
	if len(merged) == 0 {
		return append(merged, layout.Digit{Extent: size, Stride: axis.Digit(axis.Digits() - 1).Stride})
	}
	next := size
	for k := len(merged) - 1; k >= 0; k-- {
		next, merged[k].Extent = merged[k].Extent, layout.CeilDiv(next, merged[k].Extent)
	}
	slices.Reverse(merged)
	return merged
}

// continues reports whether steps of a weight go on where the last of the digits ends.
func continues(digits []layout.Digit, weight, stride int64) bool {
	if len(digits) == 0 {
		return false
	}
	last := digits[len(digits)-1]
	next, err := layout.ProductOf([]int64{last.Stride, weight / last.Extent})
	return err == nil && next == stride
}
