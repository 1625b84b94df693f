package layout

import "slices"

// Coalesced returns the fewest axes, as sizes and strides, that address the same elements in
// the same order. There are none for a scalar. An axis that ends inside a block cannot be
// written so: then ok is false.
func (l Layout) Coalesced() (sizes, strides []int64, ok bool) {
	if l.Empty() {
		return []int64{0}, []int64{1}, true
	}
	runs := make([]Run, 0, len(l.axes))
	for i := range l.axes {
		first := len(runs)
		var partial bool
		runs, partial = l.axes[i].Runs(runs, i)
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
