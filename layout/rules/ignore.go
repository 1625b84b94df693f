package rules

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
)

// An Ignore is a comment that silences a rule: layoutcalc:ignore RULE REASON. It holds for its own
// line, or where nothing else stands on that, for the next one that says something.
type Ignore struct {
	Rule   string
	Reason string
	Line   int // whose findings are silenced
	Place  Place
}

// Silence sets the comments of the file whose findings come next. Findings that one of them
// silences are neither counted nor reported.
func (c *Checker) Silence(ignores []Ignore) {
	c.silence = silence{ignores: slices.Clone(ignores), used: make([]bool, len(ignores))}
	if len(ignores) == 0 {
		c.silence = silence{}
	}
	for i := range c.silence.ignores {
		if id, ok := ruleOf(ignores[i].Rule); ok {
			c.silence.ignores[i].Rule = id.String()
		}
	}
	slices.SortStableFunc(c.silence.ignores, func(a, b Ignore) int { return a.compare(b.Line, b.Rule) })
}

// compare orders comments by the line that they hold for, and by their rules.
func (i Ignore) compare(line int, rule string) int {
	return cmp.Or(cmp.Compare(i.Line, line), cmp.Compare(i.Rule, rule))
}

// Unused reports the comments that have silenced nothing since Silence, bar those of rules that
// are disabled or not of the last target's family, and ends their silence.
func (c *Checker) Unused() {
	s := c.silence
	c.silence = silence{}
	for i, ignore := range s.ignores {
		id, ok := ruleOf(ignore.Rule)
		if s.used[i] || !ok || c.disabled[id] || !all[id].concerns(c.target.Family) || !c.wants(UnusedIgnore, all[UnusedIgnore].Severity) {
			continue
		}
		c.Add(Finding{
			Rule: UnusedIgnore, Severity: all[UnusedIgnore].Severity, Place: ignore.Place,
			Message: fmt.Sprintf("nothing on line %d breaks %s", ignore.Line, ignore.Rule),
			Fix:     "leave out the comment",
		})
	}
}

// A silence is the comments of a file, in order, and which of them were of use: of several that
// say the same, the first.
type silence struct {
	ignores []Ignore
	used    []bool
}

// holds reports whether a comment silences the finding.
func (s *silence) holds(f Finding) bool {
	if len(s.ignores) == 0 || f.Line == 0 {
		return false
	}
	at := sort.Search(len(s.ignores), func(i int) bool { return s.ignores[i].compare(f.Line, f.Rule.String()) >= 0 })
	if at == len(s.ignores) || s.ignores[at].compare(f.Line, f.Rule.String()) != 0 {
		return false
	}
	s.used[at] = true
	return true
}
