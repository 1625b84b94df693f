// Package finding holds the results of checks: rules, findings, and the reporter that counts them and passes them on.
//
// A [Rule] is a value next to its check. Readers of files and package rules create findings with a [Reporter]. The
// documentation of the rules is in docs/rules.
package finding

import (
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/wording"
)

// A Rule is a property that inputs must have. Rules are compared by their addresses.
type Rule struct {
	Name     string // in flags, comments and reports
	Severity Severity
	Family   Family // the system of the rule; None for all
}

// String returns the name of the rule.
func (r *Rule) String() string { return r.Name }

// The rules for all inputs, for comments that silence rules, and for files that a search skips.
var (
	Syntax       = &Rule{Name: "syntax", Severity: Error}
	UnusedIgnore = &Rule{Name: "unused-ignore", Severity: Warning}
	BadIgnore    = &Rule{Name: "bad-ignore", Severity: Error}
	HiddenFile   = &Rule{Name: "hidden-file", Severity: Warning}
)

// Rules are the rules of this package.
var Rules = []*Rule{Syntax, UnusedIgnore, BadIgnore, HiddenFile}

// Named returns the rule of that name, in whatever case.
func Named(name string, rules []*Rule) (*Rule, error) {
	var known []string
	for _, rule := range rules {
		if strings.EqualFold(rule.Name, name) {
			return rule, nil
		}
		known = append(known, rule.Name)
	}
	err := &layout.SyntaxError{Input: name, Msg: "unknown rule", Hint: "layoutcalc explain rules"}
	return nil, err.DidYouMean(name, wording.Likely(strings.ToLower(name), known))
}

// A Severity ranks findings.
type Severity uint8

// The severities, in increasing order.
const (
	Note    Severity = iota // a fact worth knowing
	Warning                 // legal, but almost always a mistake
	Error                   // creation fails, or a documented contract is broken
)

// Severities are their names.
var Severities = [...]string{Note: "note", Warning: "warning", Error: "error"}

// String returns the severity's name.
func (s Severity) String() string { return Severities[s] }

// A Family is a system with separate rules.
type Family uint8

// The families. The rules of None hold for all targets.
const (
	None Family = iota
	DirectML
	PyTorch
	OneDNN
	TMA
	Mdspan
)

// Families are their names.
var Families = [...]string{None: "none", DirectML: "directml", PyTorch: "pytorch", OneDNN: "onednn", TMA: "tma",
	Mdspan: "mdspan"}

// String returns the family's name.
func (f Family) String() string { return Families[f] }

// A Place is a position in an input.
type Place = doctree.Place

// A Locator returns its position. It is called only if there is something to report.
type Locator interface{ Place() Place }
