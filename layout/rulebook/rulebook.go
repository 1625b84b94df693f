// Package rulebook has the list of all rules, finds them by their names, and reads what docs/rules says of them.
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

// order is the order of the pages.
var order = [...]string{
	"descriptor", "operator", "model", "target", "config", "tensorfile", "index", "artefact", "onnx", "triton",
	"repository", "input",
}

// Texts returns what the pages say of the rules, in their order.
func Texts() []finding.Text {
	var list []finding.Text
	for _, page := range order {
		text, _ := pages.Pages.ReadFile(page + ".md")
		list = append(list, finding.Texts(string(text))...)
	}
	return list
}

// Text returns what the pages say of a rule.
func Text(rule *finding.Rule) finding.Text {
	list := Texts()
	return list[slices.IndexFunc(list, func(t finding.Text) bool { return t.Name == rule.Name })]
}
