package rules

import (
	"slices"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
)

func TestEdge(t *testing.T) {
	float := func(n int64) *descriptor.Descriptor {
		return &descriptor.Descriptor{Name: "t", Type: layout.DType(0), TypeKnown: true, Sizes: []int64{n}}
	}
	total, owned := float(4), float(4)
	total.Total = descriptor.Stated(20)
	short, odd := float(8), float(4)
	short.Total, odd.Total = descriptor.Stated(20), descriptor.Stated(22)
	owned.Flags = []string{"OWNED_BY_DML"}
	one, less, none := float(4), float(4), float(4)
	one.Total, less.Total, none.TypeKnown = descriptor.Stated(1), descriptor.Stated(-1), false
	tests := []struct {
		from, to *descriptor.Descriptor
		target   finding.Family
		rules    []*finding.Rule
		fix      string
		reason   string
	}{
		{from: float(4), to: float(4), target: finding.DirectML, reason: "one total"},
		{
			from: float(4), to: float(5), target: finding.DirectML,
			rules: []*finding.Rule{GraphEdge}, fix: "give both 20 bytes", reason: "16 and 20 bytes",
		},
		{from: float(5), to: total, target: finding.DirectML, reason: "20 bytes, computed and stated"},
		{
			from: float(4), to: owned, target: finding.DirectML,
			rules: []*finding.Rule{GraphOwned}, fix: "remove the flag", reason: "an operator feeds it",
		},
		{from: float(4), to: float(5), target: finding.PyTorch, reason: "which has no graphs of this kind"},
		{
			from: float(4), to: short, target: finding.DirectML,
			rules: []*finding.Rule{GraphEdge}, fix: "give both 32 bytes",
			reason: "16 and 20 are stated, and 8 floats take 32",
		},
		{
			from: odd, to: float(4), target: finding.DirectML,
			rules: []*finding.Rule{GraphEdge}, fix: "give both 24 bytes",
			reason: "22 is not a multiple of 4",
		},
		{
			from: one, to: float(4), target: finding.DirectML,
			rules: []*finding.Rule{GraphEdge}, fix: "give both 16 bytes", reason: "1 byte and 16",
		},
		{from: less, to: float(4), target: finding.DirectML, reason: "a negative total is reported of the tensor"},
		{from: none, to: float(5), target: finding.DirectML, reason: "so is a type that is not known"},
	}
	for _, tt := range tests {
		var have []*finding.Rule
		fix := ""
		c := NewChecker(finding.Options{}, func(f finding.Finding) {
			if have, fix = append(have, f.Rule), f.Fix; f.Column%10 != 9 {
				t.Errorf("%s is at item %d, want the whole part", f.Rule, f.Column)
			}
		})
		tt.to.Source = partPlaces{}
		c.Edge(descriptor.Target{Family: tt.target}, tt.from, tt.to)
		if !slices.Equal(have, tt.rules) || fix != tt.fix {
			t.Errorf("%v %s, want %v %s (%s)", have, fix, tt.rules, tt.fix, tt.reason)
		}
	}
}
