package rules_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/rules"
)

// everyTarget calls visit with each family, and with the ends of DirectML's feature levels.
func everyTarget(visit func(rules.Target)) {
	for _, name := range append(rules.Targets(), "directml@1.0", "directml@6.4") {
		target, _ := rules.ParseTarget(name)
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
				d := &rules.Descriptor{
					TypeName: "FLOAT32", TypeKnown: i%2 == 0, Sizes: sizes, Strides: strides, Base: number,
					Role: rules.Role(i % 3), Count: rules.Number{Value: number,
						Stated: true}, Total: rules.Number{Value: number, Stated: true},
					Alignment: rules.Number{Value: number, Stated: true}, Flags: []string{"", "x"},
				}
				everyTarget(func(target rules.Target) {
					for _, f := range check(target, d) {
						if own := f.Rule.Rule().Families; own != nil && !slices.Contains(own, target.Family) {
							t.Errorf("%v: %s", target, shown([]rules.Finding{f}))
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
		d := &rules.Descriptor{TypeName: dtype.String(), Type: dtype, TypeKnown: true, Sizes: []int64{2, 3},
			Strides: []int64{4, 1}}
		everyTarget(func(target rules.Target) {
			found := check(target, d)
			known := len(of(found, rules.DTypeKnown))+len(of(found, rules.DTypeUnknown)) == 0
			if target.Family != rules.DirectML && !known {
				t.Errorf("%s for %v%s", dtype, target, shown(found))
			}
			if target == (rules.Target{Family: rules.DirectML}) && known {
				usable++
			}
		})
	}
	if usable != 13 {
		t.Errorf("DirectML has %d types, want 13", usable)
	}
}

// TestCounts checks that what is not shown is counted all the same.
func TestCounts(t *testing.T) {
	_, d := read(t,
		`{"DataType": "FLOAT16", "Sizes": [5, 55], "Strides": [9, 3], "TotalTensorSizeInBytes": 123, `+
			`"GuaranteedBaseOffsetAlignment": 5, "role": "input"}`)
	var counts [4][len(rules.Severities)]int
	for shown := range counts {
		c := rules.NewChecker(rules.Options{Shown: rules.Severity(shown)}, func(f rules.Finding) {
			if f.Severity < rules.Severity(shown) {
				t.Errorf("%s is not to be shown", f.Severity)
			}
		})
		c.Check(rules.Target{Family: rules.DirectML}, d)
		counts[shown] = c.Count
	}
	if counts[0][rules.Error] != 3 || counts[0] != counts[1] || counts[1] != counts[2] || counts[2] != counts[3] {
		t.Errorf("counts %v", counts)
	}
}

// TestOptions checks which findings are left out: those of other rules than the wanted ones, and those that a function
// takes away, except that a text cannot be read.
func TestOptions(t *testing.T) {
	target, d := read(t,
		`{"DataType": "FLOAT16", "Sizes": [5, 55], "Strides": [9, 3], "TotalTensorSizeInBytes": 123, "role": "input"}`)
	small, four, overlap := rules.TotalTooSmall, rules.TotalMultiple4, rules.OverlapInput
	never := func(*rules.Finding) bool { return false }
	tests := []struct {
		options rules.Options
		errors  int
		reason  string
	}{
		{options: rules.Options{}, errors: 2, reason: "123 is too small, and not a multiple of 4"},
		{options: rules.Options{Only: []rules.ID{small, overlap}}, errors: 1, reason: "overlap is a warning"},
		{options: rules.Options{Ignore: []rules.ID{small, four}}, reason: "none is left"},
		{options: rules.Options{Only: []rules.ID{small}, Ignore: []rules.ID{small}}, reason: "nor here"},
		{options: rules.Options{Silent: never}, errors: 2, reason: "nothing is taken away"},
		{options: rules.Options{Silent: func(f *rules.Finding) bool { return f.Rule == four }}, errors: 1,
			reason: "one is"},
	}
	for _, tt := range tests {
		for _, shown := range []rules.Severity{rules.Note, rules.Error, rules.Error + 1} {
			tt.options.Shown = shown
			reported := 0
			c := rules.NewChecker(tt.options, func(f rules.Finding) {
				if f.Severity == rules.Error {
					reported++
				}
			})
			c.Check(target, d)
			want := tt.errors
			if shown > rules.Error {
				want = 0
			}
			if c.Count[rules.Error] != tt.errors || reported != want {
				t.Errorf("%d errors, %d reported from %d on, want %d, %d (%s)", c.Count[rules.Error], reported, shown,
					tt.errors, want, tt.reason)
			}
			c.Silence([]rules.Ignore{{Rule: "gaps", Line: 7}, {Rule: "no-such-rule", Line: 7}})
			counted := c.Count
			if c.Unused(); c.Count[rules.Warning]-counted[rules.Warning] > 1 {
				t.Errorf("%d comments are of no use, want 1 at most", c.Count[rules.Warning]-counted[rules.Warning])
			}
		}
	}
	all := func(*rules.Finding) bool { return true }
	c := rules.NewChecker(rules.Options{Silent: all}, func(rules.Finding) {})
	c.Add(rules.Finding{Rule: rules.Syntax, Severity: rules.Error})
	c.Add(rules.Finding{Rule: small, Severity: rules.Error})
	if c.Count[rules.Error] != 1 {
		t.Errorf("%d errors, want that of the syntax", c.Count[rules.Error])
	}
}

func TestTargets(t *testing.T) {
	for _, name := range rules.Targets() {
		if target, err := rules.ParseTarget(name); err != nil || target.String() != name {
			t.Errorf("%s is read as %s, %v", name, target, err)
		}
	}
}

// clean are descriptors that break no rule, and one that cannot be told so from its strides alone.
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
		c := rules.NewChecker(rules.Options{Shown: rules.Warning}, func(f rules.Finding) {
			t.Errorf("%s:%s", tt.name, shown([]rules.Finding{f}))
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
			c := rules.NewChecker(rules.Options{Shown: rules.Warning}, func(rules.Finding) {})
			b.ReportAllocs()
			for b.Loop() {
				c.Check(target, d)
			}
		})
	}
}

// TestRules checks that the tables have the rules in the order of their IDs, each once.
func TestRules(t *testing.T) {
	all := rules.All()
	if len(all) != int(rules.Syntax)+1 {
		t.Fatalf("%d rows, want %d", len(all), rules.Syntax+1)
	}
	for i, r := range all {
		if id := rules.ID(i); r.ID != id || id.Rule().Name != r.Name || id.String() != r.Name || r.Name == "" {
			t.Errorf("row %d is that of %d, %q; the rule of that ID is %q", i, r.ID, r.Name, id)
		}
		if id, err := rules.Find(r.Name); err != nil || id != r.ID {
			t.Errorf("Find(%q) = %d, %v, want %d", r.Name, id, err, r.ID)
		}
	}
}

// TestUnusedIgnore checks which comments are said to be of no use.
func TestUnusedIgnore(t *testing.T) {
	tests := []struct {
		rule, target string
		unused       bool
		reason       string
	}{
		{rule: "size-zero", target: "directml", unused: true, reason: "no size is 0"},
		{rule: "size-zero", target: "none", reason: "another target would have it"},
		{rule: "total-too-small", target: "none", unused: true, reason: "everybody's"},
		{rule: "Packed", target: "directml", reason: "case does not matter"},
		{rule: "gaps", target: "directml", reason: "who leaves a rule out does not look at its comments"},
		{rule: "no-such-rule", target: "directml", reason: "which is said where it is read"},
	}
	for _, tt := range tests {
		target, d := read(t,
			`{"DataType": "FLOAT32", "Sizes": [2, 3], "TotalTensorSizeInBytes": 24, "target": "`+tt.target+`"}`)
		var found []rules.Finding
		c := rules.NewChecker(rules.Options{Ignore: []rules.ID{rules.Gaps}},
			func(f rules.Finding) { found = append(found, f) })
		c.Silence([]rules.Ignore{{Rule: tt.rule, Line: int(rules.StridesPart)}})
		c.Check(target, d)
		c.Unused()
		if unused := len(of(found, rules.UnusedIgnore)) > 0; unused != tt.unused {
			t.Errorf("%s for %s: unused is %v (%s)", tt.rule, tt.target, unused, tt.reason)
		}
	}
}

// TestJudgedType checks that what a reader has said of a type is not said again.
func TestJudgedType(t *testing.T) {
	for _, judged := range []bool{false, true} {
		d := &rules.Descriptor{TypeName: "Q4_K", Sizes: []int64{256}, TypeJudged: judged}
		everyTarget(func(target rules.Target) {
			if said := len(of(check(target, d), rules.DTypeKnown)) > 0; said == judged {
				t.Errorf("%v: judged is %v, dtype-known is %v", target, judged, said)
			}
		})
	}
}

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
		case "slot":
			d.Slot = v.Text()
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

// TestQuota lets findings pass by their severities: n notes, w warnings, e errors.
func TestQuota(t *testing.T) {
	tests := []struct {
		most            int
		offered, passed string
		floor           rules.Severity
		reason          string
	}{
		{0, "nnwwee", "nnwwee", rules.Note, "no limit"},
		{3, "nn", "nn", rules.Note, "there is room for one more"},
		{3, "nnnn", "nnn", rules.Warning, "the first ones"},
		{3, "nwe", "nwe", rules.Warning, "as many as the limit, of all severities"},
		{3, "nnnwn", "nnnw", rules.Warning, "a graver one passes all the same"},
		{3, "nnnwwwwn", "nnnwww", rules.Error, "three are as grave as a warning"},
		{3, "weewe", "weee", rules.Error + 1, "two errors and a warning leave no room for warnings"},
		{3, "nwwweeeewn", "nwwweee", rules.Error + 1, "three errors"},
		{1, "ne", "ne", rules.Error + 1, "one"},
	}
	for _, tt := range tests {
		q := rules.Quota{Most: tt.most}
		passed := ""
		for _, c := range tt.offered {
			if q.Pass(rules.Severity(strings.IndexRune("nwe", c))) {
				passed += string(c)
			}
		}
		if passed != tt.passed || q.Floor() != tt.floor {
			t.Errorf("%d of %s: %s, floor %d, want %s, %d: %s", tt.most, tt.offered, passed, q.Floor(), tt.passed,
				tt.floor, tt.reason)
		}
	}
}

// TestReset checks descriptors with names of layouts, more than a Checker remembers and in another order each time,
// by one Checker that is reset and by a new one for each.
func TestReset(t *testing.T) {
	var all []*rules.Descriptor
	for _, name := range []string{"NHWC", "NCHW", "NCHW16c", "channels_last", "CHW", "nonsense", "row-major"} {
		for _, sizes := range [][]int64{{1, 3, 4, 4}, {1, 17, 4, 4}, {8, 64, 64, 3}, {2, 3}, {math.MaxInt64, 2, 2, 2}} {
			for _, typeName := range []string{"float32", "int4"} {
				dtype, _ := layout.ParseDType(typeName)
				all = append(all, &rules.Descriptor{TypeName: typeName, Type: dtype, TypeKnown: true, Sizes: sizes,
					Layout: name, Total: rules.Stated(100)})
			}
		}
	}
	var got []rules.Finding
	report := func(f rules.Finding) { got = append(got, f) }
	reset := rules.NewChecker(rules.Options{Shown: rules.Error}, func(rules.Finding) { t.Error("an old report") })
	found := 0
	for _, step := range []int{1, 3, 11} {
		for i := range all {
			d := all[i*step%len(all)]
			everyTarget(func(target rules.Target) {
				got = nil
				reset.Reset(rules.Options{Shown: rules.Note}, report)
				reset.Check(target, d)
				have := got
				got = nil
				rules.NewChecker(rules.Options{Shown: rules.Note}, report).Check(target, d)
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
