// Package rules checks tensor descriptors, operators and models.
//
// A [Checker] checks a [descriptor.Descriptor] by the rules of a [descriptor.Target] and reports a [finding.Finding]
// for each rule that it breaks. The rules stand beside their checks; package ruledocs has the list of all.
package rules

import (
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/wording"
)

// A Checker checks descriptors. It is not for use by several goroutines at once.
type Checker struct {
	*finding.Reporter

	geometry // of the current descriptor
	speller  wording.Speller
}

// NewChecker returns a Checker that calls report with each finding that is wanted.
func NewChecker(o finding.Options, report func(finding.Finding)) *Checker {
	return NewCheckerOf(finding.NewReporter(o, report), new(descriptor.Tensors))
}

// NewCheckerOf returns a Checker with a reporter and the tensors that it remembers, which another Checker may have too.
func NewCheckerOf(r *finding.Reporter, tensors *descriptor.Tensors) *Checker {
	c := &Checker{Reporter: r}
	c.tensors = tensors
	return c
}

// CheckExpectations checks what a configuration expects.
func (c *Checker) CheckExpectations(t descriptor.Target, x descriptor.Expectations) {
	x.Check(t, c.Reporter, c.tensors)
}

// Reset makes the Checker one that NewChecker returns. What it has derived from the names of layouts stays.
func (c *Checker) Reset(o finding.Options, report func(finding.Finding)) {
	*c.Reporter = *finding.NewReporter(o, report)
	*c = *NewCheckerOf(c.Reporter, c.tensors)
}
