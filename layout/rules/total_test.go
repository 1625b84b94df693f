package rules_test

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/rules"
)

// TestCalcVectors checks the rules about the need, the last element and the number of elements with 48 sizes and the
// results of DirectML's helper.
func TestCalcVectors(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(given(t, "calc_vectors.tsv")), "\n")
	if len(lines) != 49 {
		t.Fatalf("%d lines, want 49", len(lines))
	}
	limit := big.NewInt(1<<32 - 1)
	for _, line := range lines[1:] {
		f := strings.Split(line, "\t")
		span, need, elements, reason := bigOf(t, f[3]), bigOf(t, f[4]), bigOf(t, f[8]), f[9]
		d := &descriptor.Descriptor{TypeName: f[0], TypeKnown: true}
		d.Type, _ = layout.ParseDType(f[0])
		if json.Unmarshal([]byte(f[1]), &d.Sizes) != nil || json.Unmarshal([]byte(f[2]), &d.Strides) != nil {
			t.Fatal(line)
		}
		d.Role = descriptor.Input
		expect := func(rule *finding.Rule, want bool, found []finding.Finding) {
			t.Helper()
			if (len(of(found, rule)) > 0) != want {
				t.Errorf("%s %s %s, total %d: %s is %v, want %v; %s%s", f[0], f[1], f[2], d.Total.Value, rule,
					!want, want, reason, shown(found))
			}
		}
		nothing := need.Sign() == 0 // UNKNOWN, and sizes of 0, are reported themselves
		total := descriptor.Number{Value: 1 << 62, Stated: true}
		if need.IsInt64() && !nothing {
			total.Value = need.Int64()
		}
		d.Total = total
		found := check(descriptor.Target{Family: finding.DirectML}, d)
		expect(rules.TotalTooSmall, !need.IsInt64(), found)
		expect(rules.TotalMultiple4, false, found)
		expect(rules.ElementCount, elements.Cmp(limit) > 0, found)
		expect(rules.IndexOverflow, d.Strides != nil && new(big.Int).Sub(span, big.NewInt(1)).Cmp(limit) > 0, found)
		expect(rules.SizeZero, strings.Contains(reason, "zero size"), found)
		expect(rules.DTypeUnknown, f[0] == "UNKNOWN", found)
		d.Total.Value -= 4
		found = check(descriptor.Target{Family: finding.DirectML}, d)
		expect(rules.TotalTooSmall, !nothing && d.Total.Value > 0, found)
		helpers(t, line, f[4:8], d, found)
	}
}

// helpers checks that the result of DMLCalcBufferTensorSize is reported if the last element is beyond it.
func helpers(t *testing.T, line string, answers []string, d *descriptor.Descriptor, found []finding.Finding) {
	t.Helper()
	for _, f := range of(found, rules.IndexOverflow) {
		if !strings.Contains(f.Message, "true size is "+answers[0]) {
			t.Errorf("%s\n%s: want the true size %s", line, f.Message, answers[0])
		}
		for _, answer := range answers[1:] {
			if !strings.Contains(f.Message, answer) {
				t.Errorf("%s\n%s: want the helper's %s", line, f.Message, answer)
			}
		}
	}
}

// big returns a number of a file.
func bigOf(t *testing.T, text string) *big.Int {
	t.Helper()
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		t.Fatalf("%q is not a number", text)
	}
	return n
}
