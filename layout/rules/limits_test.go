package rules_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/expect"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/manifest"
	"layoutcalc/layout/rules"
)

var update = flag.Bool("update", false, "rewrite the findings in testdata/limits.txt")

// TestLimits checks the inputs of testdata/limits.txt, which are at the limits of rules, just valid and just invalid.
// Each is a descriptor, a DxDispatch model or a configuration, followed by the errors and warnings in it. After the
// word "notes", all findings follow, and for models, the tensors as operators and bindings use them. Other tests, here
// and in package manifest, state why an input is valid or invalid. This test checks whole messages, with words,
// positions and fixes.
func TestLimits(t *testing.T) {
	layouttest.Limits(t, *update, func(block string) string {
		head, text, _ := strings.Cut(block, "\n")
		head, notes := strings.CutSuffix(head, " notes")
		kind, name, _ := strings.Cut(head, " ")
		target, err := descriptor.ParseTarget(name)
		if err != nil {
			t.Fatal(err)
		}
		least := finding.Warning
		if notes {
			least = finding.Note
		}
		have, counts := limitFindings(t, kind, target, text, finding.Options{Shown: least})
		if _, unseen := limitFindings(t, kind, target, text,
			finding.Options{Shown: finding.Error + 1}); unseen != counts {
			t.Errorf("%s\nhas %v findings, and %v where none is shown", block, counts, unseen)
		}
		return have
	})
}

// limitFindings returns the findings in text, one per line, and how many findings of each severity there are.
func limitFindings(t *testing.T, kind string, target descriptor.Target, text string, o finding.Options) (
	found string, counts [len(finding.Severities)]int) {
	var lines []string
	c := rules.NewChecker(o, func(f finding.Finding) {
		lines = append(lines, fmt.Sprintf("%d:%d %v [%v] %s: %s | %s", f.Line, f.Column, f.Severity, f.Rule, f.Tensor,
			f.Message, f.Fix))
	})
	var f *descriptor.File
	switch kind {
	case "descriptor":
		own, d := read(t, text)
		c.Check(own, d)
		c.Slot(own, d)
		return strings.Join(lines, "\n"), c.Count
	case "model", "json":
		var tree doctree.Tree
		if err := tree.JSON([]byte(text)); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if f = manifest.DxDispatch(&tree); kind == "json" {
			f = manifest.Config(&tree, nil)
			target = f.Target
		}
	default:
		trees, err := doctree.YAML([]byte(text), 9)
		if err != nil || len(trees) != 1 {
			t.Fatalf("%s: %v", text, err)
		}
		f = manifest.Config(trees[0], nil)
		target = f.Target
	}
	if f.Model != nil {
		c.Model(target, f.Model)
		return strings.Join(lines, "\n"), c.Count
	}
	ignores, _ := finding.Ignores(f.Comments, slices.Concat(rules.Rules, expect.Rules, descriptor.Rules,
		manifest.Rules))
	c.Silence(ignores)
	for i := range f.Descriptors {
		c.Check(target, &f.Descriptors[i])
	}
	if f.Config != nil {
		c.CheckExpectations(target, f.Config)
	}
	c.Unused(target.Family)
	return strings.Join(lines, "\n"), c.Count
}
