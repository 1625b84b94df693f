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

// TestOperatorAllocatesNothing holds for operators that are as they should be.
func TestOperatorAllocatesNothing(t *testing.T) {
	tensor := func(slot string, role Role) OperatorSlot {
		return OperatorSlot{Name: slot, Tensors: []*Descriptor{{Name: slot, Slot: slot, Role: role, TypeKnown: true, Sizes: []int64{2, 3}}}}
	}
	op := &Operator{Name: "add", Type: "DML_OPERATOR_ELEMENT_WISE_ADD", Slots: []OperatorSlot{tensor("ATensor", Input), tensor("BTensor", Input), tensor("OutputTensor", Output)}}
	c := NewChecker(Options{}, func(f Finding) { t.Errorf("%+v", f) })
	if n := testing.AllocsPerRun(100, func() { c.Operator(Target{Family: DirectML}, op) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkOperator(b *testing.B) {
	tensor := func(slot string, role Role) OperatorSlot {
		return OperatorSlot{Name: slot, Tensors: []*Descriptor{{Name: slot, Slot: slot, Role: role, TypeKnown: true, Sizes: []int64{2, 3}}}}
	}
	op := &Operator{Type: "GEMM", Slots: []OperatorSlot{tensor("ATensor", Input), tensor("BTensor", Input), tensor("OutputTensor", Output)}}
	c := NewChecker(Options{}, func(Finding) {})
	b.ReportAllocs()
	for b.Loop() {
		c.Operator(Target{Family: DirectML}, op)
	}
}
