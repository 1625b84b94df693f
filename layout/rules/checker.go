package rules

import "fmt"

// Options say which findings are wanted.
type Options struct {
	Shown  Severity // findings below it are counted, not reported
	Only   []ID     // nil is all rules
	Ignore []ID
}

// A Checker holds descriptors against rules. It is not for use by several goroutines at once.
type Checker struct {
	Count    [len(Severities)]int // how many findings there were of each severity
	disabled [ruleCount]bool
	shown    Severity
	report   func(Finding)
	silence  silence

	target Target
	d      *Descriptor
	room   workspace
	hints  int // how many near names were looked for
}

// NewChecker returns a Checker that calls report with each finding that is wanted.
func NewChecker(o Options, report func(Finding)) *Checker {
	c := &Checker{shown: o.Shown, report: report}
	if o.Only != nil {
		for id := range c.disabled {
			c.disabled[id] = true
		}
		for _, id := range o.Only {
			c.disabled[id] = false
		}
	}
	for _, id := range o.Ignore {
		c.disabled[id] = true
	}
	return c
}

// Quiet makes the Checker count findings from now on, and report none.
func (c *Checker) Quiet() { c.shown = Error + 1 }

// Add counts a finding, and reports it if it is wanted.
func (c *Checker) Add(f Finding) {
	if c.disabled[f.Rule] || c.silence.holds(f) {
		return
	}
	c.Count[f.Severity]++
	if f.Severity >= c.shown {
		c.report(f)
	}
}

// wants reports whether a finding would be reported, and counts one that is only to be counted,
// unless its place has to be known to tell whether a comment silences it.
// Whoever asks goes on to report it: words cost more than the check.
func (c *Checker) wants(id ID, s Severity) bool {
	if c.disabled[id] {
		return false
	}
	if s < c.shown && c.silence.ignores == nil {
		c.Count[s]++
		return false
	}
	return true
}

// find reports that a part of the descriptor breaks the rule. The words are only made if they
// are wanted.
func (c *Checker) find(id ID, part Part, item int, fix, format string, args ...any) {
	c.findAs(id, all[id].Severity, part, item, fix, format, args...)
}

// findAs is find with another severity than the rule's own.
func (c *Checker) findAs(id ID, s Severity, part Part, item int, fix, format string, args ...any) {
	if !c.wants(id, s) {
		return
	}
	f := Finding{Rule: id, Severity: s, Tensor: c.d.Name, Message: fmt.Sprintf(format, args...), Fix: fix}
	if c.d.Source != nil {
		f.Place = c.d.Source.Place(part, item)
	}
	c.Add(f)
}
