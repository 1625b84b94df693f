package rules

import (
	"math"

	"layoutcalc/layout"
	"layoutcalc/layout/spec"
)

// follow takes the strides from the layout name that the descriptor states. A blocked layout has
// none; of that only the storage is known.
func (w *workspace) follow(d *Descriptor, base int64) bool {
	t, err := named(d)
	if err != nil {
		return false
	}
	strides, ok := t.Layout().Strides()
	if ok {
		w.strides = w.packed[:copy(w.packed[:], strides)]
		w.rowMajor = w.isRowMajor(d.Sizes)
		return true
	}
	w.blocked, w.storage = true, t.Storage()
	if base >= 0 && w.storage < math.MaxInt64-base {
		w.reached, w.low, w.high = true, base, base+w.storage-1
	}
	return false
}

// named returns the tensor of the layout name that the descriptor states.
func named(d *Descriptor) (layout.Tensor, error) {
	name, err := spec.ParseName(d.Layout)
	if err != nil {
		return layout.Tensor{}, err
	}
	s := spec.Spec{Shape: spec.NewList(d.Sizes, nil), Name: &name}
	if d.TypeKnown {
		s.DType = d.Type
	}
	return s.Tensor()
}

// checkLayout reports a layout name that means nothing, or nothing for so many sizes.
func (c *Checker) checkLayout() {
	if c.d.Layout == "" || c.d.Strides != nil || !c.room.sized || !c.room.countable || c.room.empty || c.room.strided || c.room.blocked {
		return
	}
	_, err := named(c.d)
	if err == nil || !c.broken(ConfigValue) {
		return
	}
	fix := ""
	if e, ok := err.(*layout.SyntaxError); ok {
		fix = e.Hint
	}
	c.find(ConfigValue, LayoutPart, -1, fix, "%s", err)
}
