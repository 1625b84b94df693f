package rules

import (
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
)

// Check checks a descriptor by the rules of a target for single descriptors: the rules of all targets and the rules of
// the target's family. It reports nothing for a tensor with open sizes.
func (c *Checker) Check(t descriptor.Target, d *descriptor.Descriptor) {
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

// Judge returns a function that checks descriptors without a file, such as descriptors in JSON Lines.
func Judge(r *finding.Reporter) func(descriptor.Target, *descriptor.Descriptor) {
	c := NewCheckerOf(r, new(descriptor.Tensors))
	return func(t descriptor.Target, d *descriptor.Descriptor) {
		c.Check(t, d)
		c.Slot(t, d)
	}
}
