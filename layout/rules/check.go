package rules

import (
	"layoutcalc/layout/desc"
	"layoutcalc/layout/finding"
)

// Check checks a descriptor by the rules of a target for single descriptors: the rules of all targets and the rules of
// the target's family. A tensor with open sizes breaks none.
func (c *Checker) Check(t desc.Target, d *desc.Descriptor) {
	if d.Open != nil {
		return
	}
	c.target = t
	c.setDescriptor(d)
	c.checkType()
	c.checkCounts()
	c.checkSizes()
	c.checkStrides()
	c.checkReach()
	c.checkTotal()
	c.checkAlignment()
	c.checkStorage()
	c.checkFamily()
}

// Judge returns a function that checks descriptors without a file, such as those of JSON Lines.
func Judge(r *finding.Reporter) func(desc.Target, *desc.Descriptor) {
	c := NewCheckerOf(r, new(desc.Tensors))
	return func(t desc.Target, d *desc.Descriptor) {
		c.Check(t, d)
		c.Slot(t, d)
	}
}
