package rules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/rules"
)

// A parts is a Source whose places are the parts themselves: the line is the part, the column the
// item.
type parts struct{}

func (parts) Place(p rules.Part, i int) rules.Place { return rules.Place{Line: int(p), Column: i} }

// read makes a descriptor of an object like those in the table of rules.
func read(t testing.TB, text string) (rules.Target, *rules.Descriptor) {
	t.Helper()
	var tree doctree.Tree
	if err := tree.JSON([]byte(text)); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	d := &rules.Descriptor{Source: parts{}}
	target := rules.Target{Family: rules.DirectML}
	for v := range tree.Root().Items {
		switch v.Key() {
		case "DataType":
			d.TypeName = v.Text()
			var err error
			d.Type, err = layout.ParseDType(d.TypeName)
			d.TypeKnown = err == nil
		case "Sizes":
			d.Sizes = numbers(v)
		case "Strides":
			d.Strides = numbers(v)
		case "layout":
			d.Layout = v.Text()
		case "offset":
			d.Base, _ = v.Int()
		case "DimensionCount":
			d.Count = number(v)
		case "TotalTensorSizeInBytes":
			d.Total = number(v)
		case "GuaranteedBaseOffsetAlignment":
			d.Alignment = number(v)
		case "Flags":
			for flag := range v.Items {
				d.Flags = append(d.Flags, flag.Text())
			}
		case "operator":
			d.Operator = v.Text()
		case "computed":
			d.Computed = true
		case "role":
			d.Role = map[string]rules.Role{"input": rules.Input, "output": rules.Output}[v.Text()]
		case "target":
			var err error
			if target, err = rules.ParseTarget(v.Text()); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
		default:
			t.Fatalf("%s: what is %s?", text, v.Key())
		}
	}
	return target, d
}

func numbers(v doctree.Value) []int64 {
	list := []int64{}
	for item := range v.Items {
		n, _ := item.Int()
		list = append(list, n)
	}
	return list
}

func number(v doctree.Value) rules.Number {
	n, ok := v.Int()
	return rules.Number{Value: n, Stated: ok}
}

// check returns all findings of a descriptor.
func check(target rules.Target, d *rules.Descriptor) []rules.Finding {
	var found []rules.Finding
	c := rules.NewChecker(rules.Options{}, func(f rules.Finding) { found = append(found, f) })
	c.Check(target, d)
	return found
}

func checkText(t testing.TB, text string) []rules.Finding {
	t.Helper()
	return check(read(t, text))
}

// of returns the findings of a rule.
func of(found []rules.Finding, rule rules.ID) []rules.Finding {
	return slices.DeleteFunc(slices.Clone(found), func(f rules.Finding) bool { return f.Rule != rule })
}

// shown writes findings for a failing test.
func shown(found []rules.Finding) string {
	var b strings.Builder
	for _, f := range found {
		fmt.Fprintf(&b, "\n\t%s: %s [%s] at %d,%d; %s", f.Severity, f.Message, f.Rule, f.Line, f.Column, f.Fix)
	}
	return b.String()
}
