package rules

import (
	"slices"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
)

func TestEdge(t *testing.T) {
	float := func(n int64) *Descriptor {
		return &Descriptor{Name: "t", Type: layout.DType(0), TypeKnown: true, Sizes: []int64{n}}
	}
	total, owned := float(4), float(4)
	total.Total = Number{20, true}
	short, odd := float(8), float(4)
	short.Total, odd.Total = Number{20, true}, Number{22, true}
	owned.Flags = []string{"OWNED_BY_DML"}
	tests := []struct {
		from, to *Descriptor
		target   Family
		rules    []ID
		fix      string
		reason   string
	}{
		{from: float(4), to: float(4), target: DirectML, reason: "one total"},
		{
			from: float(4), to: float(5), target: DirectML, rules: []ID{GraphEdge}, fix: "give both 20 bytes",
			reason: "16 and 20 bytes",
		},
		{from: float(5), to: total, target: DirectML, reason: "20 bytes, computed and stated"},
		{
			from: float(4), to: owned, target: DirectML, rules: []ID{GraphOwned}, fix: "leave the flag out",
			reason: "an operator feeds it",
		},
		{from: float(4), to: float(5), target: PyTorch, reason: "which has no graphs of this kind"},
		{
			from: float(4), to: short, target: DirectML, rules: []ID{GraphEdge}, fix: "give both 32 bytes",
			reason: "16 and 20 are stated, and 8 floats take 32",
		},
		{
			from: odd, to: float(4), target: DirectML, rules: []ID{GraphEdge}, fix: "give both 24 bytes",
			reason: "22 is not a multiple of 4",
		},
	}
	for _, tt := range tests {
		var have []ID
		fix := ""
		c := NewChecker(Options{}, func(f Finding) { have, fix = append(have, f.Rule), f.Fix })
		c.Edge(Target{Family: tt.target}, tt.from, tt.to)
		if !slices.Equal(have, tt.rules) || fix != tt.fix {
			t.Errorf("%v %s, want %v %s (%s)", have, fix, tt.rules, tt.fix, tt.reason)
		}
	}
}

// An anywhere is at the start of the text, whatever is asked for.
type anywhere struct{}

func (anywhere) Place(ID, int) Place { return Place{Line: 1} }

// TestExpectations checks what is said of tensors in blocks: 17 channels in blocks of 16 take 2 x 4
// x 16 floats.
func TestExpectations(t *testing.T) {
	float, _ := layout.ParseDType("float32")
	blocks := Descriptor{Name: "t", Type: float, TypeKnown: true, Sizes: []int64{1, 17, 2, 2}, Layout: "NCHW16c"}
	tests := []struct {
		expected     Expectation
		message, fix string
		reason       string
	}{
		{expected: Expectation{MaxBytes: Number{Value: 512, Stated: true}}, reason: "whole blocks"},
		{
			expected: Expectation{MaxBytes: Number{Value: 511, Stated: true}},
			message:  "512 bytes are needed, 511 are expected at most",
			reason:   "not 452, which end with the last element",
		},
		{
			expected: Expectation{Packed: facts.Yes},
			message:  "45 of the 113 offsets from 0 to 112 belong to no element", fix: "layout: row-major is packed",
			reason: "there are no strides to leave out",
		},
	}
	for _, tt := range tests {
		var found []Finding
		c := NewChecker(Options{}, func(f Finding) { found = append(found, f) })
		tt.expected.SameAs, tt.expected.At = -1, anywhere{}
		c.Config(Target{}, &Config{Tensors: []Descriptor{blocks}, Expectations: []Expectation{tt.expected}})
		if len(found) != min(len(tt.message), 1) || len(found) > 0 &&
			(found[0].Message != tt.message || found[0].Fix != tt.fix) {
			t.Errorf("%+v, want %q, %q (%s)", found, tt.message, tt.fix, tt.reason)
		}
	}
}
