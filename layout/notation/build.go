package notation

import (
	"layoutcalc/layout"
)

// add notes a tensor that the text describes.
func (r *reader) add(d Descriptor) {
	if r.err == nil {
		r.found = append(r.found, d)
	}
}

// strided notes a tensor of plain strides. Faults of the sizes and strides are at the given
// offset of the text.
func (r *reader) strided(at int, d Descriptor, dtype layout.DType, base int64, sizes, strides []int64) {
	if len(strides) != len(sizes) {
		r.fail(at, "one stride for each size", "%d sizes and %d strides", len(sizes), len(strides))
		return
	}
	axes := make([]layout.Axis, len(sizes))
	digits := make([]layout.Digit, len(sizes))
	for i := range sizes {
		digits[i] = layout.Digit{Extent: sizes[i], Stride: strides[i]}
		axes[i] = layout.NewAxis("", sizes[i], digits[i:i+1]...)
	}
	r.laidOut(at, d, dtype, base, axes)
}

// rowMajor returns the strides of a packed tensor whose last axis is innermost. Sizes of 0
// count as 1.
func (r *reader) rowMajor(sizes []int64) []int64 {
	strides := make([]int64, len(sizes))
	next := int64(1)
	for i := len(sizes) - 1; i >= 0; i-- {
		strides[i] = next
		next = r.times(next, max(sizes[i], 1))
	}
	return strides
}

// columnMajor is rowMajor with the first axis innermost.
func (r *reader) columnMajor(sizes []int64) []int64 {
	strides := make([]int64, len(sizes))
	next := int64(1)
	for i := range sizes {
		strides[i] = next
		next = r.times(next, max(sizes[i], 1))
	}
	return strides
}

// times multiplies, and notes a product that does not fit.
func (r *reader) times(a, b int64) int64 {
	n, err := layout.ProductOf([]int64{a, b})
	r.fault(err)
	return n
}

// laidOut is strided for axes of any digits.
func (r *reader) laidOut(at int, d Descriptor, dtype layout.DType, base int64, axes []layout.Axis) {
	if r.err != nil {
		return
	}
	l, err := layout.New(base, axes...)
	if err == nil {
		d.Tensor, err = layout.NewTensor(l, dtype)
	}
	r.faultAt(at, err)
	d.At = at
	r.add(d)
}
