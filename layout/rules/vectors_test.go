package rules_test

import (
	"encoding/json"
	"math/big"
	"os"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/rules"
)

// given reads a file that the project was given; layout/testdata/README.md says who made it.
func given(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../testdata/given/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// big returns a number of a file.
func bigOf(t *testing.T, text string) *big.Int {
	t.Helper()
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		t.Fatalf("%q is no number", text)
	}
	return n
}

// TestCalcVectors checks the rules about the need, the last element and the number of elements
// with the 48 sizes of the DirectML study.
func TestCalcVectors(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(given(t, "calc_vectors.tsv")), "\n")
	if len(lines) != 49 {
		t.Fatalf("%d lines, want 49", len(lines))
	}
	limit := big.NewInt(1<<32 - 1)
	for _, line := range lines[1:] {
		f := strings.Split(line, "\t")
		span, need, elements, reason := bigOf(t, f[3]), bigOf(t, f[4]), bigOf(t, f[8]), f[9]
		d := &rules.Descriptor{TypeName: f[0], TypeKnown: true}
		d.Type, _ = layout.ParseDType(f[0])
		if json.Unmarshal([]byte(f[1]), &d.Sizes) != nil || json.Unmarshal([]byte(f[2]), &d.Strides) != nil {
			t.Fatal(line)
		}
		d.Role = rules.Input
		expect := func(rule rules.ID, want bool, found []rules.Finding) {
			t.Helper()
			if (len(of(found, rule)) > 0) != want {
				t.Errorf("%s %s %s, total %d: %s is %v, want %v; %s%s", f[0], f[1], f[2], d.Total.Value, rule, !want, want, reason, shown(found))
			}
		}
		nothing := need.Sign() == 0 // UNKNOWN, and sizes of 0, are reported themselves
		total := rules.Number{Value: 1 << 62, Stated: true}
		if need.IsInt64() && !nothing {
			total.Value = need.Int64()
		}
		d.Total = total
		found := check(rules.Target{Family: rules.DirectML}, d)
		expect(rules.TotalTooSmall, !need.IsInt64(), found)
		expect(rules.TotalMultiple4, false, found)
		expect(rules.ElementCount, elements.Cmp(limit) > 0, found)
		expect(rules.IndexOverflow, d.Strides != nil && new(big.Int).Sub(span, big.NewInt(1)).Cmp(limit) > 0, found)
		expect(rules.SizeZero, strings.Contains(reason, "zero size"), found)
		expect(rules.DTypeUnknown, f[0] == "UNKNOWN", found)
		d.Total.Value -= 4
		found = check(rules.Target{Family: rules.DirectML}, d)
		expect(rules.TotalTooSmall, !nothing && d.Total.Value > 0, found)
		helpers(t, line, f[4:8], d, found)
	}
}

// helpers checks that what DMLCalcBufferTensorSize answers is told where the last element is beyond
// it.
func helpers(t *testing.T, line string, answers []string, d *rules.Descriptor, found []rules.Finding) {
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

// TestOverlapVectors checks the 80 layouts of the DirectML study as outputs: overlap is an error
// with a witness that stands the test, and nothing else is.
func TestOverlapVectors(t *testing.T) {
	var cases []struct {
		Name, Why                string
		Shape, Strides           []int64
		Elements, Distinct, Span int64
		Overlap                  bool
	}
	if err := json.Unmarshal([]byte(given(t, "overlap_vectors.json")), &cases); err != nil || len(cases) != 80 {
		t.Fatal(len(cases), err)
	}
	for _, c := range cases {
		d := &rules.Descriptor{Sizes: c.Shape, Strides: c.Strides, Role: rules.Output, TypeKnown: true}
		found := check(rules.Target{}, d)
		overlap := append(of(found, rules.OverlapOutput), of(found, rules.BroadcastOutput)...)
		if (len(overlap) > 0) != c.Overlap {
			t.Errorf("%s: overlap is %v; %s%s", c.Name, len(overlap) > 0, c.Why, shown(found))
		}
		for _, f := range overlap {
			if !standsUp(f.Message, c.Shape, c.Strides) {
				t.Errorf("%s: no witness: %s", c.Name, f.Message)
			}
		}
		if balance := len(of(found, rules.GapOverlapBalance)) > 0; balance != (c.Overlap && c.Span == c.Elements) {
			t.Errorf("%s: gap-overlap-balance is %v%s", c.Name, balance, shown(found))
		}
		if gaps := len(of(found, rules.Gaps)) > 0; gaps != (c.Distinct < c.Span) {
			t.Errorf("%s: gaps is %v%s", c.Name, gaps, shown(found))
		}
		packed := c.Distinct == c.Span && !c.Overlap && c.Elements > 0 && len(c.Shape) > 0
		if (len(of(found, rules.Packed)) > 0) != packed {
			t.Errorf("%s: packed is %v%s", c.Name, !packed, shown(found))
		}
		if len(of(found, rules.OverlapUnknown)) > 0 {
			t.Errorf("%s: unknown%s", c.Name, shown(found))
		}
	}
}

// standsUp reports whether a message starts with two different indices that are both at the
// element it says.
func standsUp(message string, sizes, strides []int64) bool {
	a, rest, _ := strings.Cut(message, " and ")
	b, rest, _ := strings.Cut(rest, " are both at element ")
	at, _, _ := strings.Cut(rest, " ")
	return a != b && offsetOf(a, sizes, strides) == strings.Trim(at, ";") && offsetOf(b, sizes, strides) == strings.Trim(at, ";")
}

// offsetOf returns the offset of an index that is written like (1,2), empty for what is none of
// the sizes.
func offsetOf(index string, sizes, strides []int64) string {
	var list []int64
	err := json.Unmarshal([]byte("["+strings.Trim(index, "()")+"]"), &list)
	offset, dotErr := layout.Dot(list, strides)
	for i, n := range list {
		if n < 0 || n >= sizes[i] {
			return ""
		}
	}
	if err != nil || dotErr != nil || len(list) != len(sizes) {
		return ""
	}
	return big.NewInt(offset).String()
}
