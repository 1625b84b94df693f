// Package rules says what tensor descriptors must be like, and what is wrong with those that are not.
//
// A [Descriptor] is what a text states, right or wrong: nothing about it is valid by construction, and
// its [Source] knows the places of its parts. A [Checker] checks it by the rules of a [Target] and
// reports a [Finding] for each rule that it breaks. All rules are rows of one table ([All]): what is
// checked, why, where the limit is, who says so, how to mend it, and two examples that the tests execute.
//
// It imports layout, scan, shape and facts, and doctree for the places of findings.
package rules

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/bits"
	"slices"
	"sort"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/scan"
)

// A Place is where something is in an input.
type Place = doctree.Place

// A Finding is a rule that an input breaks.
type Finding struct {
	Rule     ID
	Severity Severity
	Place
	Bytes   Span   // of a file that is not a text
	Tensor  string // what the input calls the tensor
	Message string // the numbers that disagree, with their units
	Fix     string // the smallest change that mends it; may be empty
}

// A Span is the bytes of a file from an offset to another one; both are 0 where they are not known.
type Span struct{ From, To int64 }

// Fingerprint returns a text that is the same for the same fault in the file of that path, wherever it moves in the
// file and whatever its numbers are.
func (f *Finding) Fingerprint(path string) string { return string(f.AppendFingerprint(nil, path)) }

// AppendFingerprint appends the fingerprint, which is the FNV-1a hash of 128 bits, as hexadecimal digits.
func (f *Finding) AppendFingerprint(to []byte, path string) []byte {
	const primeHigh, primeLow = 1 << 24, 0x13b
	high, low := uint64(0x6c62272e07bb0142), uint64(0x62b821756295c58d)
	add := func(c byte) {
		carry, product := bits.Mul64(low^uint64(c), primeLow)
		high, low = high*primeLow+(low^uint64(c))*primeHigh+carry, product
	}
	for _, part := range [...]string{"v1", f.Rule.String(), path, f.Tensor, f.Pointer} {
		for i := range len(part) {
			add(part[i])
		}
		add(0)
	}
	sum := binary.BigEndian.AppendUint64(make([]byte, 0, 16), high)
	return hex.AppendEncode(to, binary.BigEndian.AppendUint64(sum, low))
}

// Options say which findings are wanted.
type Options struct {
	Shown  Severity // findings below it are counted, not reported
	Only   []ID     // nil is all rules
	Ignore []ID
	Silent func(*Finding) bool // tells findings that are not wanted; nil for none
}

// A Checker checks descriptors. It is not for use by several goroutines at once.
type Checker struct {
	Count    [len(Severities)]int // how many findings there were of each severity
	disabled [ruleCount]bool
	shown    Severity
	report   func(Finding)
	silent   func(*Finding) bool // may be nil
	silence  silence

	target   Target
	d        *Descriptor
	geometry geometry // of d
	speller  scan.Speller
}

// NewChecker returns a Checker that calls report with each finding that is wanted.
func NewChecker(o Options, report func(Finding)) *Checker {
	c := new(Checker)
	c.Reset(o, report)
	return c
}

// Reset makes the Checker one that NewChecker returns. What it has derived from the names of layouts stays.
func (c *Checker) Reset(o Options, report func(Finding)) {
	tensors := c.geometry.tensors
	*c = Checker{shown: o.Shown, report: report, silent: o.Silent}
	c.geometry.tensors = tensors
	if o.Only != nil {
		for id := range c.disabled {
			c.disabled[id] = !slices.Contains(o.Only, ID(id))
		}
	}
	for _, id := range o.Ignore {
		c.disabled[id] = true
	}
}

// Check checks a descriptor by those rules of a target that concern it alone: the rules of all targets
// and those of the target's family.
func (c *Checker) Check(t Target, d *Descriptor) {
	c.target = t
	c.look(d)
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

// look makes d the descriptor at hand.
func (c *Checker) look(d *Descriptor) {
	c.d = d
	c.geometry.measure(d, c.base())
}

// directML reports whether DirectML's own rules hold.
func (c *Checker) directML() bool { return c.target.Family == DirectML }

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

// find reports that a part of the descriptor breaks the rule. The message is only made if it is wanted.
func (c *Checker) find(id ID, part Part, item int, fix, format string, args ...any) {
	c.findAs(id, id.Rule().Severity, part, item, fix, format, args...)
}

// findAs is find with another severity than the rule's own.
func (c *Checker) findAs(id ID, s Severity, part Part, item int, fix, format string, args ...any) {
	if !c.wants(id, s) {
		return
	}
	f := Finding{
		Rule: id, Severity: s, Bytes: c.d.Bytes, Tensor: c.d.Name, Message: fmt.Sprintf(format, args...), Fix: fix,
	}
	if c.d.Source != nil {
		f.Place = c.d.Source.Place(part, item)
	}
	c.Add(f)
}

// findAt reports what no part of a descriptor is to blame for.
func (c *Checker) findAt(id ID, s Severity, at Locator, tensor, fix, format string, args ...any) {
	if !c.wants(id, s) {
		return
	}
	f := Finding{Rule: id, Severity: s, Tensor: tensor, Message: fmt.Sprintf(format, args...), Fix: fix}
	if at != nil {
		f.Place = at.Place()
	}
	c.Add(f)
}

// wants reports whether a finding would be reported, and counts one that is only to be counted, unless
// its place must be known to tell whether a comment silences it. A caller that gets true reports the
// finding: whoever asks saves the work of finding words.
func (c *Checker) wants(id ID, s Severity) bool {
	if c.disabled[id] {
		return false
	}
	if s < c.shown && c.silence.ignores == nil && c.silent == nil {
		c.Count[s]++
		return false
	}
	return true
}

// broken is wants with the rule's own severity.
func (c *Checker) broken(id ID) bool { return c.wants(id, id.Rule().Severity) }

// Add counts a finding, and reports it if it is wanted.
func (c *Checker) Add(f Finding) {
	if c.disabled[f.Rule] || c.silence.holds(f) || c.silent != nil && f.Rule != Syntax && c.silent(&f) {
		return
	}
	c.Count[f.Severity]++
	if f.Severity >= c.shown {
		c.report(f)
	}
}

// Quiet makes the Checker report no findings below a severity from now on. All are counted.
func (c *Checker) Quiet(floor Severity) { c.shown = max(c.shown, floor) }

// A Quota lets the gravest of many findings pass, and not many more than Most: a finding does not pass when that many
// have passed that are as grave. Errors that come late pass all the same.
type Quota struct {
	Most   int // 0 is any number
	passed [len(Severities)]int
}

// Pass reports whether a finding passes.
func (q *Quota) Pass(s Severity) bool {
	if s < q.Floor() {
		return false
	}
	q.passed[s]++
	return true
}

// Floor returns the least severity of which findings pass, one above Error if none do.
func (q *Quota) Floor() Severity {
	n := 0
	for s := Error; ; s-- {
		if n += q.passed[s]; q.Most > 0 && n >= q.Most {
			return s + 1
		}
		if s == Note {
			return Note
		}
	}
}

// An Ignore is a comment that silences a rule: layoutcalc:ignore RULE REASON. It applies to its own line
// or, if nothing else is on that line, to the next one that is not blank.
type Ignore struct {
	Rule   string
	Reason string
	Line   int // whose findings are silenced
	Place  Place
}

// Silence sets the comments of the file whose findings come next. Findings that one of them silences are
// neither counted nor reported.
func (c *Checker) Silence(ignores []Ignore) {
	c.silence = silence{ignores: slices.Clone(ignores), used: make([]bool, len(ignores))}
	for i := range c.silence.ignores {
		if id, ok := ruleOf(ignores[i].Rule); ok {
			c.silence.ignores[i].Rule = id.String()
		}
	}
	slices.SortStableFunc(c.silence.ignores, func(a, b Ignore) int { return a.compare(b.Line, b.Rule) })
}

// Unused reports the comments that have silenced nothing since Silence, except those of rules that are
// disabled or not of the last target's family, and ends their silence.
func (c *Checker) Unused() {
	s := c.silence
	c.silence = silence{}
	for i, ignore := range s.ignores {
		id, ok := ruleOf(ignore.Rule)
		if s.used[i] || !ok || c.disabled[id] {
			continue
		}
		own := id.Rule().Families
		if own != nil && !slices.Contains(own, c.target.Family) || !c.broken(UnusedIgnore) {
			continue
		}
		c.Add(Finding{
			Rule: UnusedIgnore, Severity: UnusedIgnore.Rule().Severity, Place: ignore.Place,
			Message: fmt.Sprintf("nothing on line %d breaks %s", ignore.Line, ignore.Rule),
			Fix:     "leave out the comment",
		})
	}
}

// A silence is the comments of a file by line and rule, and which of them silenced something: of several
// for one line and rule, the first.
type silence struct {
	ignores []Ignore
	used    []bool
}

// holds reports whether a comment silences the finding.
func (s *silence) holds(f Finding) bool {
	rule := f.Rule.String()
	at, ok := sort.Find(len(s.ignores), func(i int) int { return -s.ignores[i].compare(f.Line, rule) })
	if ok {
		s.used[at] = true
	}
	return ok
}

// compare orders comments by the line that they apply to, and by their rules.
func (i Ignore) compare(line int, rule string) int {
	return cmp.Or(cmp.Compare(i.Line, line), cmp.Compare(i.Rule, rule))
}
