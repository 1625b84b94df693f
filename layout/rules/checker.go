// Package rules checks tensor descriptors, operators, models and configurations.
//
// A [Checker] checks a [desc.Descriptor] by the rules of a [desc.Target] and reports a [finding.Finding] for each rule
// that it breaks. The rules stand beside their checks; package rulebook has the list of all.
//
// It may import layout, scan, shape, facts, finding, desc and dml.
package rules

import (
	"layoutcalc/layout/finding"
	"layoutcalc/layout/scan"
)

// A Checker checks descriptors. It is not for use by several goroutines at once.
type Checker struct {
	*finding.Reporter

	geometry // of the current descriptor
	speller  scan.Speller
}

// NewChecker returns a Checker that calls report with each finding that is wanted.
func NewChecker(o finding.Options, report func(finding.Finding)) *Checker {
	return &Checker{Reporter: finding.NewReporter(o, report)}
}

// Reset makes the Checker one that NewChecker returns. What it has derived from the names of layouts stays.
func (c *Checker) Reset(o finding.Options, report func(finding.Finding)) {
	tensors, reporter := c.tensors, c.Reporter
	*reporter = *finding.NewReporter(o, report)
	*c = Checker{Reporter: reporter}
	c.tensors = tensors
}
