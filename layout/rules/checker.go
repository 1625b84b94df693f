// Package rules checks tensor descriptors, operators and models.
//
// A [Checker] checks a [descriptor.Descriptor] by the rules of a [descriptor.Target] and reports a [finding.Finding]
// for each rule that it breaks. The rules are next to their checks; package ruledocs lists all of them.
package rules

import (
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/wording"
)

// A Checker checks descriptors. It must not be used by several goroutines at once.
type Checker struct {
	*finding.Reporter

	geometry // for the current descriptor
	speller  wording.Speller
}

// NewChecker returns a Checker that calls report with each finding that the options select.
func NewChecker(o finding.Options, report func(finding.Finding)) *Checker {
	return NewCheckerOf(finding.NewReporter(o, report), new(descriptor.Tensors))
}

// NewCheckerOf returns a Checker with a reporter and a cache of tensors, which several Checkers may share.
func NewCheckerOf(r *finding.Reporter, tensors *descriptor.Tensors) *Checker {
	c := &Checker{Reporter: r}
	c.tensors = tensors
	return c
}

// CheckExpectations checks the expectations of a configuration.
func (c *Checker) CheckExpectations(t descriptor.Target, x descriptor.Expectations) {
	x.Check(t, c.Reporter, c.tensors)
}

// Reset makes the Checker equivalent to a new one from NewChecker, but keeps the tensors that it has derived from
// layout names.
func (c *Checker) Reset(o finding.Options, report func(finding.Finding)) {
	*c.Reporter = *finding.NewReporter(o, report)
	*c = *NewCheckerOf(c.Reporter, c.tensors)
}
