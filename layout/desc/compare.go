package desc

import (
	"strings"

	"layoutcalc/layout/facts"
)

// SameType reports whether the element types of two tensors are the same, by meaning or by spelling.
func (d *Descriptor) SameType(o *Descriptor) bool {
	return d.TypeKnown && o.TypeKnown && d.Type == o.Type || strings.EqualFold(d.TypeName, o.TypeName)
}

// FirstMoved returns the first element with different offsets in two tensors of the same sizes; nil if there is none,
// or if no element has an offset.
func (ts *Tensors) FirstMoved(a, b *Descriptor) *facts.Difference {
	x, err := ts.Stated(a)
	y, other := ts.Stated(b)
	if err != nil || other != nil {
		return nil
	}
	d, _ := facts.Compare(x.Layout(), y.Layout())
	return d
}

// Reordered returns the index in sizes of each of others, if they are the same sizes in another order; else nil.
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
