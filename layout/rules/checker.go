// Package rules checks tensor descriptors, operators, models and configurations.
//
// A [Checker] checks a [desc.Descriptor] by the rules of a [desc.Target] and reports a [finding.Finding] for each rule
// that it breaks. The rules stand beside their checks; package rulebook has the list of all.
//
// It may import layout, scan, shape, facts, finding, desc and dml.
package rules

import (
	"layoutcalc/layout/desc"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/scan"
)

// A Checker checks descriptors. It is not for use by several goroutines at once.
type Checker struct {
	*finding.Reporter

	target   desc.Target
	d        *desc.Descriptor
	geometry geometry // of d
	speller  scan.Speller
}

// NewChecker returns a Checker that calls report with each finding that is wanted.
func NewChecker(o finding.Options, report func(finding.Finding)) *Checker {
	return &Checker{Reporter: finding.NewReporter(o, report)}
}

// Reset makes the Checker one that NewChecker returns. What it has derived from the names of layouts stays.
func (c *Checker) Reset(o finding.Options, report func(finding.Finding)) {
	tensors := c.geometry.tensors
	*c = Checker{Reporter: finding.NewReporter(o, report)}
	c.geometry.tensors = tensors
}

// Judge returns a function that checks descriptors which have no file, as those of JSON Lines.
func Judge(r *finding.Reporter) func(desc.Target, *desc.Descriptor) {
	c := Checker{Reporter: r}
	return func(t desc.Target, d *desc.Descriptor) {
		c.Check(t, d)
		c.Slot(t, d)
	}
}

// Check checks a descriptor by those rules of a target that concern it alone: the rules of all targets
// and those of the target's family.
func (c *Checker) Check(t desc.Target, d *desc.Descriptor) {
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

// setDescriptor makes d the current descriptor and measures it.
func (c *Checker) setDescriptor(d *desc.Descriptor) {
	c.d = d
	c.geometry.measure(d, c.base())
}

// directML reports whether DirectML's own rules hold.
func (c *Checker) directML() bool { return c.target.Family == finding.DirectML }

// base returns the storage offset. DirectML's descriptors have none: all that they state counts from
// where the buffer is bound.
func (c *Checker) base() int64 {
	if c.directML() {
		return 0
	}
	return c.d.Base
}

// bits returns the size of an element, 0 if it is not known.
func (c *Checker) bits() int64 {
	if !c.d.TypeKnown {
		return 0
	}
	return c.d.Type.Bits()
}
