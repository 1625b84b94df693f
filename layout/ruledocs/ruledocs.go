// Package ruledocs has the list of all rules, finds them by name, and finds their documentation in docs/rules.
package ruledocs

import (
	"slices"
	"strings"

	pages "layoutcalc/docs/rules"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/expect"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/manifest"
	"layoutcalc/layout/onnx"
	"layoutcalc/layout/rules"
	"layoutcalc/layout/tensorfile"
	"layoutcalc/layout/triton"
	"layoutcalc/layout/wording"
)

// All lists the rules.
func All() []*finding.Rule {
	return slices.Concat(rules.Rules, expect.Rules, descriptor.Rules, manifest.Rules, tensorfile.Rules, onnx.Rules,
		triton.Rules, finding.Rules)
}

// Find returns the rule of that name, in whatever case.
func Find(name string) (*finding.Rule, error) { return finding.Named(name, All()) }

// Match returns the rules of a family, by a name with a *, such as triton-*, or the one rule of a name.
func Match(name string) ([]*finding.Rule, error) {
	var list []*finding.Rule
	var families []string
	for _, rule := range All() {
		if rule != finding.Syntax && strings.Contains(name, "*") && lexer.Glob(strings.ToLower(name), rule.Name) {
			list = append(list, rule)
		}
		first, _, _ := strings.Cut(rule.Name, "-")
		families = append(families, first+"-*")
	}
	switch {
	case list != nil:
		return list, nil
	case strings.Contains(name, "*"):
		const hint = "layoutcalc explain rules"
		err := &lexer.SyntaxError{Input: name, Msg: "no rule has such a name", Hint: hint}
		return nil, err.DidYouMean(name, wording.Likely(strings.ToLower(name), families))
	}
	rule, err := Find(name)
	if family := strings.ToLower(name) + "-*"; err != nil && slices.Contains(families, family) {
		err = (&lexer.SyntaxError{Input: name, Msg: "unknown rule"}).DidYouMean(name, family)
	}
	return []*finding.Rule{rule}, err
}

// A Text is the text of a page about a rule.
type Text = pages.Text

// Texts returns the documentation of the rules, in the order of the pages.
func Texts() []Text { return pages.All() }

// Pages returns the names of the pages of rules, in their order.
func Pages() []string { return pages.Names[:] }

// Heading returns the heading of a page of rules.
func Heading(page string) string { return pages.Heading(page) }

// TextOf returns the text of a rule.
func TextOf(rule *finding.Rule) Text {
	list := Texts()
	return list[slices.IndexFunc(list, func(t Text) bool { return t.Name == rule.Name })]
}
