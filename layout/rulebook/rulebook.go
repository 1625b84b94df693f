// Package rulebook has the list of all rules, finds them by their names, and their texts in docs/rules.
//
// It may import finding, the packages that have rules, and docs/rules.
package rulebook

import (
	"slices"

	pages "layoutcalc/docs/rules"
	"layoutcalc/layout/desc"
	"layoutcalc/layout/descfile"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/onnx"
	"layoutcalc/layout/rules"
	"layoutcalc/layout/tensorfile"
	"layoutcalc/layout/triton"
)

// All lists the rules.
func All() []*finding.Rule {
	return slices.Concat(rules.Rules, desc.Rules, descfile.Rules, tensorfile.Rules, onnx.Rules, triton.Rules,
		finding.Rules)
}

// Find returns the rule of that name, in whatever case.
func Find(name string) (*finding.Rule, error) { return finding.Named(name, All()) }

// A Text is the text of a page about a rule.
type Text = pages.Text

// Texts returns the texts of the rules, in the order of the pages.
func Texts() []Text { return pages.All() }

// TextOf returns the text of a rule.
func TextOf(rule *finding.Rule) Text {
	list := Texts()
	return list[slices.IndexFunc(list, func(t Text) bool { return t.Name == rule.Name })]
}
