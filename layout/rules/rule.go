package rules

import (
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// A Rule is a row of the table.
type Rule struct {
	Name     string // by which flags, comments and reports know it
	Severity Severity
	Families []Family // whose it is; nil is everybody's
	What     string   // what has to hold
	Why      string   // what happens otherwise
	Limit    string   // the last value that is right and the first that is wrong; may be empty
	Source   string   // who says so: documented, enforced in code, observed, or inferred
	Fix      string   // how to mend it
	Bad      string   // a file that breaks it, and none more severe
	Good     string   // the same, mended
}

// An ID is a rule's place in the table.
type ID uint8

// All lists the rules.
func All() []Rule { return all[:] }

// Rule returns the row of the table.
func (id ID) Rule() *Rule { return &all[id] }

// String returns the rule's name.
func (id ID) String() string { return all[id].Name }

// concerns reports whether the rule is one of the family's.
func (r *Rule) concerns(f Family) bool { return r.Families == nil || slices.Contains(r.Families, f) }

// ruleOf looks a name up, in whatever case.
func ruleOf(name string) (id ID, ok bool) {
	for i := range all {
		if strings.EqualFold(all[i].Name, name) {
			return ID(i), true
		}
	}
	return 0, false
}

// Find returns the rule of that name, in whatever case.
func Find(name string) (ID, error) {
	if id, ok := ruleOf(name); ok {
		return id, nil
	}
	known := make([]string, len(all))
	for i := range all {
		known[i] = all[i].Name
	}
	hint := "layoutcalc explain lists the rules"
	if near := scan.Nearest(strings.ToLower(name), known); near != "" {
		hint = "did you mean " + near + "?"
	}
	return 0, &layout.SyntaxError{Input: name, Msg: "there is no rule of that name", Hint: hint}
}
