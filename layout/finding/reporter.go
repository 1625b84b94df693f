package finding

import (
	"cmp"
	"fmt"
	"slices"

	"layoutcalc/layout/wording"
)

// MostOfRule limits the findings of one rule that readers of files keep. The others are counted.
const MostOfRule = 1000

// Options select the findings that are wanted.
type Options struct {
	Shown  Severity // findings below it are counted, not reported
	Only   []*Rule  // nil is all rules
	Ignore []*Rule
	Ranks  map[*Rule]Severity  // severities that differ from the rule's own
	Silent func(*Finding) bool // reports whether to drop a finding; may be nil
	Most   int                 // the limit of each rule, like a Quota; others are only tallied; 0 means no limit
	Quota  *Quota              // the limit of all rules: other findings are only counted
}

// A Reporter counts findings and reports the selected ones. It is not for use by several goroutines at once.
type Reporter struct {
	Count   [len(Severities)]int // how many findings there were of each severity
	Muted   bool                 // findings are neither counted nor reported
	options Options
	pass    func(Finding)
	ignores []Ignore
	used    []bool          // the ignores that silenced something
	silence map[ignored]int // the first of the ignores for a rule on a line
	tallies []*tally        // for the broken rules, if Most is set
}

// A tally counts the findings of a rule.
type tally struct {
	rule *Rule
	Quota
}

// NewReporter returns a Reporter that calls pass with each finding that is wanted.
func NewReporter(o Options, pass func(Finding)) *Reporter {
	return &Reporter{options: o, pass: pass}
}

// NewCollector returns a Reporter that appends findings to list, at most about MostOfRule of each rule.
func NewCollector(list *[]Finding) *Reporter {
	return NewReporter(Options{Most: MostOfRule}, func(f Finding) { *list = append(*list, f) })
}

// Report reports that a part of the input breaks the rule. The message is only made if it is wanted.
//
//go:noinline
func (r *Reporter) Report(rule *Rule, at Subject, fix, format string, args ...any) {
	r.ReportAs(rule, rule.Severity, at, fix, format, args...)
}

// ReportAs is like Report, with a severity that may differ from the rule's own.
func (r *Reporter) ReportAs(rule *Rule, s Severity, at Subject, fix, format string, args ...any) {
	if !r.Wants(rule, s) {
		return
	}
	f := Finding{Rule: rule, Severity: s, Message: fmt.Sprintf(format, args...), Fix: fix}
	at.About(&f)
	r.Add(f)
}

// Wants reports whether a finding would be reported. It counts a finding that is only counted, unless a comment on its
// line might silence it. A caller that gets true must report the finding. Calling Wants first saves the work of
// composing the message.
func (r *Reporter) Wants(rule *Rule, s Severity) bool {
	o := &r.options
	s = o.rank(rule, s)
	switch {
	case r.Muted || !r.Enabled(rule):
		return false
	case o.Most > 0 && s < r.tally(rule).Floor():
		r.tally(rule).Leave(1, s)
		return false
	case s < max(o.Shown, o.Quota.Floor()) && r.ignores == nil && o.Silent == nil:
		r.Count[s]++
		return false
	}
	return true
}

// rank returns the severity of a finding. A finding that is milder than its rule becomes at most as severe as the
// options state.
func (o *Options) rank(rule *Rule, s Severity) Severity {
	other, ok := o.Ranks[rule]
	switch {
	case !ok:
		return s
	case s == rule.Severity:
		return other
	}
	return min(s, other)
}

// WantsRule is like Wants, with the rule's own severity.
func (r *Reporter) WantsRule(rule *Rule) bool { return r.Wants(rule, rule.Severity) }

// Enabled reports whether the options include the rule.
func (r *Reporter) Enabled(rule *Rule) bool {
	o := &r.options
	return (o.Only == nil || slices.Contains(o.Only, rule)) && (o.Ignore == nil || !slices.Contains(o.Ignore, rule))
}

// tally returns the tally of the rule.
//
//go:noinline
func (r *Reporter) tally(rule *Rule) *tally {
	for _, t := range r.tallies {
		if t.rule == rule {
			return t
		}
	}
	t := &tally{rule: rule, Quota: Quota{Most: r.options.Most}}
	r.tallies = append(r.tallies, t)
	return t
}

// Add counts a finding, and reports it if it is wanted.
func (r *Reporter) Add(f Finding) {
	o := &r.options
	if !r.Enabled(f.Rule) || r.silenced(&f) || o.Silent != nil && o.Silent(&f) {
		return
	}
	f.Severity = o.rank(f.Rule, f.Severity)
	if o.Most > 0 && !r.tally(f.Rule).Pass(f.Severity) {
		return
	}
	r.Count[f.Severity]++
	if f.Severity >= o.Shown && o.Quota.Pass(f.Severity) {
		r.pass(f)
	}
}

// Quiet stops the Reporter from reporting findings below a severity. All are counted.
func (r *Reporter) Quiet(floor Severity) { r.options.Shown = max(r.options.Shown, floor) }

// Tally returns the number of findings of the rule, if Most is set.
func (r *Reporter) Tally(rule *Rule) int { return r.tally(rule).total() }

// Full reports whether a finding of the rule would be dropped.
func (r *Reporter) Full(rule *Rule) bool {
	return r.options.Most > 0 && rule.Severity < r.tally(rule).Floor()
}

// Skip tallies n dropped findings of the rule.
func (r *Reporter) Skip(rule *Rule, n int) { r.tally(rule).Leave(n, rule.Severity) }

// LeftOut reports the number of dropped findings for each rule.
func (r *Reporter) LeftOut(at Subject) {
	slices.SortStableFunc(r.tallies, func(a, b *tally) int { return cmp.Compare(a.rule.Name, b.rule.Name) })
	for _, t := range r.tallies {
		if t.left > 0 {
			f := Finding{Rule: t.rule, Severity: t.worst, Message: fmt.Sprintf("%s of this rule: the limit is %d",
				wording.Count(t.left, "more finding"), t.Most)}
			at.About(&f)
			r.pass(f)
		}
	}
}

// Forget resets the tallies.
func (r *Reporter) Forget() { r.tallies = r.tallies[:0] }

// An Ignore is a comment that silences the findings of a rule on a line.
type Ignore struct {
	Rule  *Rule
	Line  int
	Place Place // the position of the comment
	Text  Span  // the bytes to remove with it; empty if that is not certain
}

// An ignored is a rule on a line that is silenced.
type ignored struct {
	rule *Rule
	line int
}

// Silence sets the comments of the file of the next findings. Findings that a comment silences are neither counted nor
// reported.
func (r *Reporter) Silence(ignores []Ignore) {
	r.ignores, r.used, r.silence = ignores, make([]bool, len(ignores)), make(map[ignored]int, len(ignores))
	for i, ignore := range slices.Backward(ignores) {
		r.silence[ignored{ignore.Rule, ignore.Line}] = i
	}
}

// silenced reports whether a comment silences the finding.
func (r *Reporter) silenced(f *Finding) bool {
	i, ok := r.silence[ignored{f.Rule, f.Line}]
	if ok {
		r.used[i] = true
	}
	return ok
}

// Unused reports the comments that have silenced nothing since Silence, except for rules that are disabled or of
// another family, and ends their silence.
func (r *Reporter) Unused(family Family) {
	ignores, used := r.ignores, r.used
	r.ignores, r.used, r.silence = nil, nil, nil
	for i, ignore := range ignores {
		own := ignore.Rule.Family
		if !used[i] && r.Enabled(ignore.Rule) && (own == None || own == family) {
			at := Repaired{Subject: At{Locator: placed(ignore.Place)}}
			if ignore.Text.From < ignore.Text.To {
				at.Edits = []Edit{{Span: ignore.Text}}
			}
			r.Report(UnusedIgnore, at, "remove the comment", "nothing on line %d breaks %s", ignore.Line,
				ignore.Rule.Name)
		}
	}
}

// placed is a Place as a Locator.
type placed Place

// Place implements [Locator].
func (p placed) Place() Place { return Place(p) }
