package desc

import (
	"strings"

	"layoutcalc/layout/facts"
)

// SameType reports whether the element types of two tensors are the same: by what they mean, or as they are written.
func (d *Descriptor) SameType(o *Descriptor) bool {
	return d.TypeKnown && o.TypeKnown && d.Type == o.Type || strings.EqualFold(d.TypeName, o.TypeName)
}

// FirstMoved returns the first element whose offsets in two tensors of the same sizes differ; nil if there is none, or
// if no element has an offset.
func (ts *Tensors) FirstMoved(a, b *Descriptor) *facts.Difference {
	x, err := ts.Stated(a)
	y, other := ts.Stated(b)
	if err != nil || other != nil {
		return nil
	}
	d, _ := facts.Compare(x.Layout(), y.Layout())
	return d
}

// Reordered returns which of some sizes each of others is, where they are the same in another order; nil elsewhere.
func Reordered(sizes, others []int64) (order []int64) {
	taken := make([]bool, len(sizes))
	for _, n := range others {
		at := 0
		for at < len(sizes) && (taken[at] || sizes[at] != n) {
			at++
		}
		if at == len(sizes) {
			return nil
		}
		taken[at] = true
		order = append(order, int64(at))
	}
	if len(order) != len(sizes) {
		return nil
	}
	return order
}
