package rules

import (
	"slices"
	"testing"

	"layoutcalc/layout"
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
		{float(4), float(4), DirectML, nil, "", "one total"},
		{float(4), float(5), DirectML, []ID{GraphEdge}, "give both 20 bytes", "16 and 20 bytes"},
		{float(5), total, DirectML, nil, "", "20 bytes, computed and stated"},
		{float(4), owned, DirectML, []ID{GraphOwned}, "leave the flag out", "an operator feeds it"},
		{float(4), float(5), PyTorch, nil, "", "which has no graphs of this kind"},
		{float(4), short, DirectML, []ID{GraphEdge}, "give both 32 bytes", "16 and 20 are stated, and 8 floats take 32"},
		{odd, float(4), DirectML, []ID{GraphEdge}, "give both 24 bytes", "22 is no multiple of 4"},
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

func (anywhere) Place(ID) Place { return Place{Line: 1} }

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
		{Expectation{MaxBytes: Number{Value: 512, Stated: true}}, "", "", "whole blocks"},
		{Expectation{MaxBytes: Number{Value: 511, Stated: true}}, "512 bytes are needed, 511 are expected at most", "", "not 452, which end with the last element"},
		{Expectation{Packed: layout.Yes}, "45 of the 113 offsets from 0 to 112 belong to no element", "layout: row-major is packed", "there are no strides to leave out"},
	}
	for _, tt := range tests {
		var found []Finding
		c := NewChecker(Options{}, func(f Finding) { found = append(found, f) })
		tt.expected.SameAs, tt.expected.At = -1, anywhere{}
		c.Config(Target{}, &Config{Tensors: []Descriptor{blocks}, Expectations: []Expectation{tt.expected}})
		if len(found) != min(len(tt.message), 1) || len(found) > 0 && (found[0].Message != tt.message || found[0].Fix != tt.fix) {
			t.Errorf("%+v, want %q, %q (%s)", found, tt.message, tt.fix, tt.reason)
		}
	}
}
