package rules_test

import (
	"fmt"
	"slices"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/rules"
)

// An anywhere is at the start of the text, whatever is asked for.
type anywhere struct{}

func (anywhere) Place(rules.ID) rules.Place { return rules.Place{Line: 1} }

// slot is one of an operator's tensors.
func slot(name, dtype string, sizes ...int64) rules.OperatorSlot {
	d := &rules.Descriptor{Name: name, Slot: name, TypeName: dtype, Sizes: sizes}
	var err error
	d.Type, err = layout.ParseDType(dtype)
	d.TypeKnown = err == nil
	return rules.OperatorSlot{Name: name, Tensors: []*rules.Descriptor{d}}
}

// TestOddOneOut checks which tensor of an operator is to blame, and what for.
func TestOddOneOut(t *testing.T) {
	tests := []struct {
		kind   string
		slots  []rules.OperatorSlot
		want   []string // rules, tensors and fixes
		reason string
	}{
		{"CONVOLUTION", []rules.OperatorSlot{slot("InputTensor", "FLOAT32", 6, 6), slot("FilterTensor", "FLOAT32", 1, 1, 3, 3), slot("OutputTensor", "FLOAT32", 1, 1, 4, 4)},
			[]string{"leading-ones InputTensor sizes [1, 1, 6, 6]"}, "3 dimensions would do, but not beside 4"},
		{"CONVOLUTION", []rules.OperatorSlot{slot("InputTensor", "FLOAT32", 6, 6), slot("FilterTensor", "FLOAT32", 3, 3), slot("OutputTensor", "FLOAT32", 4, 4)},
			[]string{"leading-ones InputTensor sizes [1, 6, 6]", "leading-ones FilterTensor sizes [1, 3, 3]", "leading-ones OutputTensor sizes [1, 4, 4]"}, "the least where nothing says more"},
		{"ELEMENT_WISE_ADD", []rules.OperatorSlot{slot("ATensor", "FLOAT32", 2, 3, 4), slot("BTensor", "FLOAT32", 2, 3, 4), slot("OutputTensor", "FLOAT32", 1, 3, 4)},
			[]string{"op-same OutputTensor sizes [2, 3, 4]"}, "two against the output"},
		{"ELEMENT_WISE_ADD", []rules.OperatorSlot{slot("ATensor", "FLOAT32", 1, 3, 4), slot("BTensor", "FLOAT32", 1, 3, 4), slot("OutputTensor", "FLOAT32", 2, 3, 4)},
			[]string{"op-broadcast-sizes ATensor sizes [2, 3, 4] with strides [0, 4, 1]", "op-broadcast-sizes BTensor sizes [2, 3, 4] with strides [0, 4, 1]"}, "two that are to be repeated"},
		{"ELEMENT_WISE_ADD", []rules.OperatorSlot{slot("ATensor", "FLOAT16", 2), slot("BTensor", "FLOAT32", 2), slot("OutputTensor", "FLOAT32", 2)},
			[]string{"op-same ATensor write FLOAT32"}, "two against the first"},
		{"ELEMENT_WISE_ADD", []rules.OperatorSlot{slot("ATensor", "UNKNOWN", 2), slot("BTensor", "FLOAT32", 2), slot("OutputTensor", "FLOAT32", 2)},
			nil, "UNKNOWN is dtype-unknown's"},
		{"ACTIVATION_RELU", []rules.OperatorSlot{slot("InputTensor", "UNKNOWN", 2), slot("OutputTensor", "FLOAT32", 2)}, nil, "nor is it ever proposed"},
	}
	for _, tt := range tests {
		var have []string
		c := rules.NewChecker(rules.Options{}, func(f rules.Finding) {
			if f.Rule == rules.OpSame || f.Rule == rules.OpBroadcastSizes || f.Rule == rules.LeadingOnes {
				have = append(have, fmt.Sprintf("%s %s %s", f.Rule, f.Tensor, f.Fix))
			}
		})
		c.Operator(rules.Target{Family: rules.DirectML}, &rules.Operator{Type: tt.kind, Slots: tt.slots})
		if !slices.Equal(have, tt.want) {
			t.Errorf("%s: %q, want %q (%s)", tt.kind, have, tt.want, tt.reason)
		}
	}
}

// TestExpectations checks what is said of tensors in blocks: 17 channels in blocks of 16 take 2 x 4
// x 16 floats.
func TestExpectations(t *testing.T) {
	float, _ := layout.ParseDType("float32")
	blocks := rules.Descriptor{Name: "t", Type: float, TypeKnown: true, Sizes: []int64{1, 17, 2, 2}, Layout: "NCHW16c"}
	tests := []struct {
		expected     rules.Expectation
		message, fix string
		reason       string
	}{
		{rules.Expectation{MaxBytes: rules.Number{Value: 512, Stated: true}}, "", "", "whole blocks"},
		{rules.Expectation{MaxBytes: rules.Number{Value: 511, Stated: true}}, "512 bytes are needed, 511 are expected at most", "", "not 452, which end with the last element"},
		{rules.Expectation{Packed: facts.Yes}, "45 of the 113 offsets from 0 to 112 belong to no element", "layout: row-major is packed", "there are no strides to leave out"},
	}
	for _, tt := range tests {
		var found []rules.Finding
		c := rules.NewChecker(rules.Options{}, func(f rules.Finding) { found = append(found, f) })
		tt.expected.SameAs, tt.expected.At = -1, anywhere{}
		c.Config(rules.Target{}, &rules.Config{Tensors: []rules.Descriptor{blocks}, Expectations: []rules.Expectation{tt.expected}})
		if len(found) != min(len(tt.message), 1) || len(found) > 0 && (found[0].Message != tt.message || found[0].Fix != tt.fix) {
			t.Errorf("want %q, %q (%s)%s", tt.message, tt.fix, tt.reason, shown(found))
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
		{"size-zero", "directml", true, "no size is 0"},
		{"size-zero", "none", false, "another target would have it"},
		{"total-too-small", "none", true, "everybody's"},
		{"Packed", "directml", false, "case does not matter"},
	}
	for _, tt := range tests {
		target, d := read(t, `{"DataType": "FLOAT32", "Sizes": [2, 3], "TotalTensorSizeInBytes": 24, "target": "`+tt.target+`"}`)
		var found []rules.Finding
		c := rules.NewChecker(rules.Options{}, func(f rules.Finding) { found = append(found, f) })
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
