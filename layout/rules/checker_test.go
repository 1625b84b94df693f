package rules_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/rules"
)

// everyTarget calls visit with each family, and with the ends of DirectML's feature levels.
func everyTarget(visit func(descriptor.Target)) {
	for _, name := range append(descriptor.Targets(), "directml@1.0", "directml@6.4") {
		target, _ := descriptor.ParseTarget(name)
		visit(target)
	}
}

// TestAnything checks descriptors that no reader should make: nothing panics, and a finding is of
// a rule that the target has.
func TestAnything(t *testing.T) {
	const most, least = math.MaxInt64, math.MinInt64
	many := make([]int64, 1000)
	lists := [][]int64{nil, {}, {0}, {1}, {-1}, {most}, {least}, {most, most}, {least, most, 0}, {2, least},
		{3, most, 2}, {most, 2}, many, many[:64], many[:65]}
	for _, sizes := range lists {
		for _, strides := range lists {
			for i, number := range []int64{0, 1, -1, most, least} {
				d := &descriptor.Descriptor{
					TypeName: "FLOAT32", TypeKnown: i%2 == 0, Sizes: sizes, Strides: strides, Base: number,
					Role: descriptor.Role(i % 3), Count: descriptor.Number{Value: number,
						Stated: true}, Total: descriptor.Number{Value: number, Stated: true},
					Alignment: descriptor.Number{Value: number, Stated: true}, Flags: []string{"", "x"},
				}
				everyTarget(func(target descriptor.Target) {
					for _, f := range check(target, d) {
						if own := f.Rule.Family; own != finding.None && own != target.Family {
							t.Errorf("%v: %s", target, shown([]finding.Finding{f}))
						}
					}
				})
			}
		}
	}
}

// TestTypes checks each element type with and without strides: whatever DirectML has is fine.
func TestTypes(t *testing.T) {
	usable := 0
	for dtype := range layout.DTypes {
		d := &descriptor.Descriptor{TypeName: dtype.String(), Type: dtype, TypeKnown: true, Sizes: []int64{2, 3},
			Strides: []int64{4, 1}}
		everyTarget(func(target descriptor.Target) {
			found := check(target, d)
			known := len(of(found, rules.DTypeKnown))+len(of(found, rules.DTypeUnknown)) == 0
			if target.Family != finding.DirectML && !known {
				t.Errorf("%s for %v%s", dtype, target, shown(found))
			}
			if target == (descriptor.Target{Family: finding.DirectML}) && known {
				usable++
			}
		})
	}
	if usable != 13 {
		t.Errorf("DirectML has %d types, want 13", usable)
	}
}

// TestCounts checks that findings that are not shown are still counted.
func TestCounts(t *testing.T) {
	_, d := read(t,
		`{"DataType": "FLOAT16", "Sizes": [5, 55], "Strides": [9, 3], "TotalTensorSizeInBytes": 123, `+
			`"GuaranteedBaseOffsetAlignment": 5, "role": "input"}`)
	var counts [4][len(finding.Severities)]int
	for shown := range counts {
		c := rules.NewChecker(finding.Options{Shown: finding.Severity(shown)}, func(f finding.Finding) {
			if f.Severity < finding.Severity(shown) {
				t.Errorf("%s is not to be shown", f.Severity)
			}
		})
		c.Check(descriptor.Target{Family: finding.DirectML}, d)
		counts[shown] = c.Count
	}
	if counts[0][finding.Error] != 3 || counts[0] != counts[1] || counts[1] != counts[2] || counts[2] != counts[3] {
		t.Errorf("counts %v", counts)
	}
}

// TestOptions checks which findings are dropped: findings of rules that are not selected, and findings that a function
// removes, except for syntax errors.
func TestOptions(t *testing.T) {
	target, d := read(t,
		`{"DataType": "FLOAT16", "Sizes": [5, 55], "Strides": [9, 3], "TotalTensorSizeInBytes": 123, "role": "input"}`)
	small, four, overlap := rules.TotalTooSmall, rules.TotalMultiple4, rules.OverlapInput
	never := func(*finding.Finding) bool { return false }
	tests := []struct {
		options finding.Options
		errors  int
		reason  string
	}{
		{options: finding.Options{}, errors: 2, reason: "123 is too small, and not a multiple of 4"},
		{options: finding.Options{Only: []*finding.Rule{small, overlap}}, errors: 1, reason: "overlap is a warning"},
		{options: finding.Options{Ignore: []*finding.Rule{small, four}}, reason: "none is left"},
		{options: finding.Options{Only: []*finding.Rule{small}, Ignore: []*finding.Rule{small}}, reason: "nor here"},
		{options: finding.Options{Silent: never}, errors: 2, reason: "nothing is taken away"},
		{options: finding.Options{Silent: func(f *finding.Finding) bool { return f.Rule == four }}, errors: 1,
			reason: "one is"},
	}
	for _, tt := range tests {
		for _, shown := range []finding.Severity{finding.Note, finding.Error, finding.Error + 1} {
			tt.options.Shown = shown
			reported := 0
			c := rules.NewChecker(tt.options, func(f finding.Finding) {
				if f.Severity == finding.Error {
					reported++
				}
			})
			c.Check(target, d)
			want := tt.errors
			if shown > finding.Error {
				want = 0
			}
			if c.Count[finding.Error] != tt.errors || reported != want {
				t.Errorf("%d errors, %d reported from %d on, want %d, %d (%s)", c.Count[finding.Error], reported, shown,
					tt.errors, want, tt.reason)
			}
			c.Silence([]finding.Ignore{{Rule: rules.Gaps, Line: 7}})
			counted := c.Count
			if c.Unused(target.Family); c.Count[finding.Warning]-counted[finding.Warning] > 1 {
				t.Errorf("%d comments are of no use, want 1 at most", c.Count[finding.Warning]-counted[finding.Warning])
			}
		}
	}
	all := func(*finding.Finding) bool { return true }
	c := rules.NewChecker(finding.Options{Silent: all}, func(finding.Finding) {})
	c.Add(finding.Finding{Rule: finding.Syntax, Severity: finding.Error})
	c.Add(finding.Finding{Rule: small, Severity: finding.Error})
	if c.Count[finding.Error] != 0 {
		t.Errorf("%d errors are counted, though all are silent", c.Count[finding.Error])
	}
}

func TestTargets(t *testing.T) {
	for _, name := range descriptor.Targets() {
		if target, err := descriptor.ParseTarget(name); err != nil || target.String() != name {
			t.Errorf("%s is read as %s, %v", name, target, err)
		}
	}
}

// clean are descriptors that violate no rule. For one of them, the strides alone do not prove it.
var clean = [...]struct{ name, text string }{
	{"packed",
		`{"DataType": "FLOAT32", "Sizes": [1, 64, 112, 112], "TotalTensorSizeInBytes": 3211264, "role": "output"}`},
	{"NHWC", `{"DataType": "FLOAT16", "Sizes": [1, 64, 112, 112], "Strides": [802816, 1, 7168, 64], ` +
		`"TotalTensorSizeInBytes": 1605632, "role": "output"}`},
	{"padded",
		`{"DataType": "FLOAT32", "Sizes": [1, 3, 224, 224], "Strides": [172032, 57344, 256, 1], ` +
			`"TotalTensorSizeInBytes": 688000, "role": "input"}`},
	{"rank8",
		`{"DataType": "FLOAT32", "Sizes": [2, 2, 2, 2, 2, 2, 2, 2], "Strides": [1, 2, 4, 8, 16, 32, 64, 128], ` +
			`"TotalTensorSizeInBytes": 1024, "target": "directml@6.4"}`},
	{"broadcast",
		`{"DataType": "FLOAT32", "Sizes": [8, 64, 112, 112], "Strides": [0, 1, 0, 0], ` +
			`"TotalTensorSizeInBytes": 256, "role": "input"}`},
	{"overlapping",
		`{"DataType": "FLOAT16", "Sizes": [5, 55], "Strides": [9, 3], "TotalTensorSizeInBytes": 400, ` +
			`"role": "output"}`},
}

// TestNoAllocation checks that a clean descriptor costs no allocation.
func TestNoAllocation(t *testing.T) {
	for _, tt := range clean[:5] {
		target, d := read(t, tt.text)
		c := rules.NewChecker(finding.Options{Shown: finding.Warning}, func(f finding.Finding) {
			t.Errorf("%s:%s", tt.name, shown([]finding.Finding{f}))
		})
		if n := testing.AllocsPerRun(10, func() { c.Check(target, d) }); n != 0 {
			t.Errorf("%s: %v allocations", tt.name, n)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	for _, tt := range clean {
		b.Run(tt.name, func(b *testing.B) {
			target, d := read(b, tt.text)
			c := rules.NewChecker(finding.Options{Shown: finding.Warning}, func(finding.Finding) {})
			b.ReportAllocs()
			for b.Loop() {
				c.Check(target, d)
			}
		})
	}
}

// TestUnusedIgnore checks which comments are reported as unused.
func TestUnusedIgnore(t *testing.T) {
	tests := []struct {
		rule, target string
		unused       bool
		reason       string
	}{
		{rule: "size-zero", target: "directml", unused: true, reason: "no size is 0"},
		{rule: "size-zero", target: "none", reason: "another target would have it"},
		{rule: "total-too-small", target: "none", unused: true, reason: "everybody's"},
		{rule: "Size-Zero", target: "none", reason: "case does not matter"},
		{rule: "gaps", target: "directml", reason: "who leaves a rule out does not look at its comments"},
	}
	for _, tt := range tests {
		target, d := read(t,
			`{"DataType": "FLOAT32", "Sizes": [2, 3], "TotalTensorSizeInBytes": 24, "target": "`+tt.target+`"}`)
		var found []finding.Finding
		c := rules.NewChecker(finding.Options{Ignore: []*finding.Rule{rules.Gaps}},
			func(f finding.Finding) { found = append(found, f) })
		rule, err := finding.Named(tt.rule, rules.Rules)
		if err != nil {
			t.Fatal(err)
		}
		c.Silence([]finding.Ignore{{Rule: rule, Line: int(descriptor.StridesPart)}})
		c.Check(target, d)
		c.Unused(target.Family)
		if unused := len(of(found, finding.UnusedIgnore)) > 0; unused != tt.unused {
			t.Errorf("%s for %s: unused is %v (%s)", tt.rule, tt.target, unused, tt.reason)
		}
	}
}

// TestJudgedType checks that a type that the reader has reported is not reported again.
func TestJudgedType(t *testing.T) {
	for _, judged := range []bool{false, true} {
		d := &descriptor.Descriptor{TypeName: "Q4_K", Sizes: []int64{256}, TypeJudged: judged}
		everyTarget(func(target descriptor.Target) {
			if said := len(of(check(target, d), rules.DTypeKnown)) > 0; said == judged {
				t.Errorf("%v: judged is %v, dtype-known is %v", target, judged, said)
			}
		})
	}
}

// A parts is a Source whose places are the parts themselves: the line is the part, the column the
// item.
type parts struct{}

func (parts) Place(p descriptor.Part, i int) finding.Place {
	return finding.Place{Line: int(p), Column: i}
}

// read makes a descriptor from an object in the format of the table of rules.
func read(t testing.TB, text string) (descriptor.Target, *descriptor.Descriptor) {
	t.Helper()
	var tree doctree.Tree
	if err := tree.JSON([]byte(text)); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	d := &descriptor.Descriptor{Source: parts{}}
	target := descriptor.Target{Family: finding.DirectML}
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
		case "slot":
			d.Slot = v.Text()
		case "computed":
			d.Computed = true
		case "role":
			d.Role = map[string]descriptor.Role{"input": descriptor.Input, "output": descriptor.Output}[v.Text()]
		case "target":
			var err error
			if target, err = descriptor.ParseTarget(v.Text()); err != nil {
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

func number(v doctree.Value) descriptor.Number {
	n, ok := v.Int()
	return descriptor.Number{Value: n, Stated: ok}
}

// check returns all findings of a descriptor.
func check(target descriptor.Target, d *descriptor.Descriptor) []finding.Finding {
	var found []finding.Finding
	c := rules.NewChecker(finding.Options{}, func(f finding.Finding) { found = append(found, f) })
	c.Check(target, d)
	return found
}

func checkText(t testing.TB, text string) []finding.Finding {
	t.Helper()
	return check(read(t, text))
}

// of returns the findings of a rule.
func of(found []finding.Finding, rule *finding.Rule) []finding.Finding {
	return slices.DeleteFunc(slices.Clone(found), func(f finding.Finding) bool { return f.Rule != rule })
}

// shown writes findings for a failing test.
func shown(found []finding.Finding) string {
	var b strings.Builder
	for _, f := range found {
		fmt.Fprintf(&b, "\n\t%s: %s [%s] at %d,%d; %s", f.Severity, f.Message, f.Rule, f.Line, f.Column, f.Fix)
	}
	return b.String()
}

// TestReset checks descriptors with names of layouts, more than a Checker remembers and in another order each time,
// by one Checker that is reset and by a new one for each.
func TestReset(t *testing.T) {
	var all []*descriptor.Descriptor
	for _, name := range []string{"NHWC", "NCHW", "NCHW16c", "channels_last", "CHW", "nonsense", "row-major"} {
		for _, sizes := range [][]int64{{1, 3, 4, 4}, {1, 17, 4, 4}, {8, 64, 64, 3}, {2, 3}, {math.MaxInt64, 2, 2, 2}} {
			for _, typeName := range []string{"float32", "int4"} {
				dtype, _ := layout.ParseDType(typeName)
				all = append(all, &descriptor.Descriptor{TypeName: typeName, Type: dtype, TypeKnown: true, Sizes: sizes,
					Layout: name, Total: descriptor.Stated(100)})
			}
		}
	}
	var got []finding.Finding
	report := func(f finding.Finding) { got = append(got, f) }
	reset := rules.NewChecker(finding.Options{Shown: finding.Error}, func(finding.Finding) { t.Error("an old report") })
	found := 0
	for _, step := range []int{1, 3, 11} {
		for i := range all {
			d := all[i*step%len(all)]
			everyTarget(func(target descriptor.Target) {
				got = nil
				reset.Reset(finding.Options{Shown: finding.Note}, report)
				reset.Check(target, d)
				have := got
				got = nil
				rules.NewChecker(finding.Options{Shown: finding.Note}, report).Check(target, d)
				if shown(have) != shown(got) {
					t.Errorf("%s %v: %s, not %s", d.Layout, d.Sizes, shown(have), shown(got))
				}
				found += len(got)
			})
		}
	}
	if found < 1000 {
		t.Errorf("%d findings", found)
	}
}
