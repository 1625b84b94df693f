package notation

import (
	"layoutcalc/layout"
)

// tagged notes a tensor that fills its storage in the order of the tag.
func (r *reader) tagged(d Descriptor, dtype layout.DType, tag formatTag, sizes []int64) {
	if r.err != nil {
		return
	}
	name, err := layout.ParseName(tag.name)
	if err == nil {
		d.Tensor, err = layout.Spec{Shape: layout.NewList(sizes, nil), Name: &name, DType: dtype}.Tensor()
	}
	r.faultAt(tag.at, err)
	r.add(d)
}

// tagStrided notes a tensor with the blocks of the tag and strides for whole blocks.
func (r *reader) tagStrided(d Descriptor, dtype layout.DType, tag formatTag, sizes, strides []int64) {
	if len(strides) != len(sizes) || r.err != nil {
		r.fail(tag.at, "one stride for each size", "%d sizes and %d strides", len(sizes), len(strides))
		return
	}
	digits := make([][]layout.Digit, len(sizes))
	next := int64(1)
	for i := len(tag.blocks) - 1; i >= 0; i-- {
		b := tag.blocks[i]
		digits[b.axis] = append([]layout.Digit{{Extent: b.size, Stride: next}}, digits[b.axis]...)
		next = r.times(next, b.size)
	}
	axes := make([]layout.Axis, len(sizes))
	for i, size := range sizes {
		block := int64(1)
		for _, digit := range digits[i] {
			block = r.times(block, digit.Extent)
		}
		outer := layout.Digit{Extent: layout.CeilDiv(size, max(block, 1)), Stride: strides[i]}
		axes[i] = layout.NewAxis("", size, append([]layout.Digit{outer}, digits[i]...)...)
	}
	r.laidOut(tag.at, d, dtype, 0, axes)
}
