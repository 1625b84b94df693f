package layout

import "slices"

// Coalesced returns the fewest axes, as sizes and strides, that address the same elements in
// the same order. There are none for a scalar. An axis that ends inside a block cannot be
// written so: then ok is false.
func (l Layout) Coalesced() (sizes, strides []int64, ok bool) {
	if l.Empty() {
		return []int64{0}, []int64{1}, true
	}
	dims := make([]dim, 0, len(l.axes))
	for i := range l.axes {
		first := len(dims)
		var partial bool
		dims, partial = l.axes[i].dims(dims, i)
		if partial {
			return nil, nil, false
		}
		slices.Reverse(dims[first:])
	}
	sizes, strides = make([]int64, 0, len(dims)), make([]int64, 0, len(dims))
	for _, d := range dims {
		last := len(sizes) - 1
		if last >= 0 && strides[last] == d.n*d.signed() {
			sizes[last] *= d.n
			strides[last] = d.signed()
			continue
		}
		sizes, strides = append(sizes, d.n), append(strides, d.signed())
	}
	return sizes, strides, true
}
