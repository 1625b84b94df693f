package rules_test

import (
	"encoding/json"
	"math/big"
	"os"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/rules"
)

// given reads a file from elsewhere; layout/analysis/testdata/README.md states its source.
func given(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../analysis/testdata/given/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestOverlapVectors checks 80 layouts, which were counted one by one, as outputs: overlap is an error with a
// witness that is right, and nothing else is.
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
		d := &descriptor.Descriptor{Sizes: c.Shape, Strides: c.Strides, Role: descriptor.Output, TypeKnown: true}
		found := check(descriptor.Target{}, d)
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
		if len(of(found, rules.OverlapUnknown)) > 0 {
			t.Errorf("%s: unknown%s", c.Name, shown(found))
		}
	}
}

// standsUp reports whether a message starts with two different indices that are both at the stated element.
func standsUp(message string, sizes, strides []int64) bool {
	a, rest, _ := strings.Cut(message, " and ")
	b, rest, _ := strings.Cut(rest, " are both at element ")
	at, _, _ := strings.Cut(rest, " ")
	return a != b && offsetOf(a, sizes, strides) == strings.Trim(at, ";") &&
		offsetOf(b, sizes, strides) == strings.Trim(at, ";")
}

// offsetOf returns the offset of an index that is written like (1,2), empty for an index that is not one of
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
