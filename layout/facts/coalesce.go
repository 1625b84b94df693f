package facts

import (
	"math"
	"slices"

	"layoutcalc/layout"
)

// Coalesced returns the fewest axes, as sizes and strides, that address the same elements in
// the same order. There are none for a scalar. An axis that ends inside a block cannot be
// written so: then ok is false.
func Coalesced(l layout.Layout) (sizes, strides []int64, ok bool) {
	if l.Empty() {
		return []int64{0}, []int64{1}, true
	}
	runs := make([]layout.Run, 0, l.Rank())
	for i := range l.Rank() {
		first := len(runs)
		var partial bool
		runs, partial = l.Axis(i).Runs(runs, i)
		if partial {
			return nil, nil, false
		}
		slices.Reverse(runs[first:])
	}
	sizes, strides = make([]int64, 0, len(runs)), make([]int64, 0, len(runs))
	for _, d := range runs {
		last := len(sizes) - 1
		if last >= 0 && strides[last] == d.Extent*d.Signed() {
			sizes[last] *= d.Extent
			strides[last] = d.Signed()
			continue
		}
		sizes, strides = append(sizes, d.Extent), append(strides, d.Signed())
	}
	return sizes, strides, true
}

// RowAlignment returns the largest power of two, in bytes, that divides the byte offset of
// every row, and 0 when rows start inside a byte. A row is a run along the axis of the least
// stride. It reports false when there are not two rows.
func RowAlignment(t layout.Tensor) (bytes int64, ok bool) {
	if t.Layout().Empty() || t.DType().Bits() == 0 {
		return 0, false
	}
	runs, _ := t.Layout().Runs(nil)
	layout.SortRuns(runs)
	rows := layout.WithoutBroadcast(runs)
	if len(rows) < 2 {
		return 0, false
	}
	low, _ := t.Layout().Bounds()
	divisor := int64(layout.Magnitude(low) & math.MaxInt64)
	for _, d := range rows[1:] {
		divisor = layout.GCD(divisor, d.Stride)
	}
	apart, rest := t.BitOffset(divisor)
	if rest != 0 {
		return 0, true
	}
	return apart & -apart, true
}
