package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/dml"
	"layoutcalc/layout/finding"
)

// TestOperatorCounts compares the table with counts that were made on Microsoft's pages of the operators by hand.
func TestOperatorCounts(t *testing.T) {
	types := map[string]int{}
	tabled, uniform := 0, 0
	for i := range dml.All() {
		row := dml.Find(dml.All()[i].Name)
		if row.Traits&dml.NoTable != 0 {
			continue
		}
		tabled++
		all18, listed := true, dml.TypeSet(0)
		for k := range row.Slots {
			s := row.At(k, 0)
			all18 = all18 && s.Lo == 1 && s.Hi == 8
			listed |= s.Types
		}
		if all18 {
			uniform++
		}
		for _, name := range dml.Types {
			if listed.Has(name) {
				types[name]++
			}
		}
	}
	if tabled != 175 || uniform != 127 {
		t.Errorf("%d operators have tables, %d of them with 1 to 8 dimensions throughout; want 175 and 127", tabled,
			uniform)
	}
	for name, want := range map[string]int{"FLOAT64": 29, "INT64": 62, "UINT64": 64, "FLOAT32": 164, "FLOAT16": 160,
		"UINT4": 2, "INT4": 2} {
		if types[name] != want {
			t.Errorf("%d operators list %s, want %d", types[name], name, want)
		}
	}
}

func TestOperatorsInPlaceAndInOrder(t *testing.T) {
	inPlace := 0
	rows := dml.All()
	for i := range rows {
		if i > 0 && rows[i-1].Name >= rows[i].Name {
			t.Errorf("%s is out of order", rows[i].Name)
		}
		if rows[i].Traits&dml.RunsInPlace != 0 {
			inPlace++
		}
	}
	if inPlace != 75 {
		t.Errorf("%d operators run in place, want 75", inPlace)
	}
}

// TestOperatorDimensions compares ranks with the operators' pages in Microsoft's DirectML documentation: operators with
// one range, and operators with a range for each tensor.
func TestOperatorDimensions(t *testing.T) {
	tests := []struct {
		operator, slots string // NAME LO HI; * is every tensor
		level           descriptor.Level
		reason          string
	}{
		{operator: "GEMM", slots: "* 2 4", reason: "its page"},
		{operator: "CONVOLUTION", slots: "* 3 5", reason: "its page"},
		{operator: "CONVOLUTION", slots: "* 4 5", level: 31, reason: "three dimensions came with 4.0"},
		{operator: "LSTM", slots: "* 4 4", reason: "its page"},
		{operator: "MAX_POOLING2", slots: "* 4 5", reason: "its page"},
		{operator: "RESAMPLE3", slots: "* 1 4", reason: "its page"},
		{operator: "FOLD", slots: "* 3 8", reason: "its page"},
		{operator: "DIAGONAL_MATRIX1", slots: "* 2 4", reason: "its page"},
		{operator: "ACTIVATION_CELU", slots: "* 0 0", reason: "its page has no table"},
		{operator: "ACTIVATION_RELU", slots: "* 1 8", reason: "its page"},
		{operator: "ACTIVATION_RELU", slots: "* 4 5", level: 20, reason: "an older level"},
		{operator: "ACTIVATION_RELU", slots: "* 4 4", level: 10, reason: "the oldest level"},
		{operator: "ACTIVATION_RELU", slots: "* 4 5", level: 21, reason: "the level before 3.0"},
		{operator: "ACTIVATION_RELU", slots: "* 1 8", level: 30, reason: "the level of the change"},
		{
			operator: "MATRIX_MULTIPLY_INTEGER",
			slots:    "ATensor 2 4 AZeroPointTensor 1 4 BTensor 2 4 BZeroPointTensor 1 4 OutputTensor 2 4",
			reason:   "its page, by tensor",
		},
		{
			operator: "MULTIHEAD_ATTENTION1",
			slots: "QueryTensor 3 5 StackedQueryKeyTensor 5 5 BiasTensor 1 5 RelativePositionBiasTensor 4 5 " +
				"PastSequenceLengthsTensor 1 5 OutputTensor 3 5 OutputPresentKeyTensor 4 5",
			reason: "its page, by tensor",
		},
		{
			operator: "NONZERO_COORDINATES",
			slots:    "InputTensor 1 8 OutputCountTensor 1 8 OutputCoordinatesTensor 2 8",
			reason:   "its page, by tensor",
		},
		{
			operator: "QUANTIZED_LINEAR_AVERAGE_POOLING",
			slots:    "InputTensor 4 5 InputScaleTensor 1 5 OutputZeroPointTensor 1 5 OutputTensor 4 5",
			reason:   "its page, by tensor",
		},
		{
			operator: "QUANTIZED_LINEAR_CONVOLUTION",
			slots:    "InputTensor 3 4 InputScaleTensor 1 4 FilterTensor 3 4 BiasTensor 3 4 OutputScaleTensor 1 4",
			reason:   "its page, by tensor",
		},
		{
			operator: "ROI_ALIGN_GRAD",
			slots:    "InputTensor 4 4 ROITensor 2 4 BatchIndicesTensor 1 4 OutputROIGradientTensor 2 4",
			reason:   "its page, by tensor",
		},
	}
	for _, tt := range tests {
		row := dml.Find("DML_OPERATOR_" + tt.operator)
		if row == nil {
			t.Errorf("%s is not in the table", tt.operator)
			continue
		}
		want := map[string]string{}
		for f := strings.Fields(tt.slots); len(f) > 0; f = f[3:] {
			want[f[0]] = f[1] + " " + f[2]
		}
		for i, slot := range row.Slots {
			s := row.At(i, tt.level)
			have := string([]byte{'0' + byte(s.Lo), ' ', '0' + byte(s.Hi)})
			if w := want["*"] + want[slot.Name]; w != "" && w != have {
				t.Errorf("%s.%s at level %d: %s, want %s (%s)", tt.operator, slot.Name, tt.level, have, w, tt.reason)
			}
			delete(want, slot.Name)
		}
		if delete(want, "*"); len(want) > 0 {
			t.Errorf("%s has no %v", tt.operator, want)
		}
	}
}

func TestOperatorRolesLevelsAndTypes(t *testing.T) {
	roles := []struct {
		operator, slot string
		role           descriptor.Role
		optional       bool
		reason         string
	}{
		{
			operator: "QUANTIZED_LINEAR_MATRIX_MULTIPLY", slot: "OutputScaleTensor", role: descriptor.Input,
			reason: "named an output, and read",
		},
		{
			operator: "QUANTIZED_LINEAR_CONVOLUTION", slot: "OutputZeroPointTensor", role: descriptor.Input,
			optional: true,
			reason:   "the same, and it may be left out",
		},
		{
			operator: "DYNAMIC_QUANTIZE_LINEAR", slot: "OutputScaleTensor", role: descriptor.Output,
			reason: "here it is written",
		},
		{
			operator: "MAX_POOLING_GRAD", slot: "InputGradientTensor", role: descriptor.Input,
			reason: "a gradient that comes in",
		},
		{operator: "MAX_POOLING_GRAD", slot: "OutputGradientTensor", role: descriptor.Output,
			reason: "one that goes out"},
		{operator: "RNN", slot: "OutputSequenceTensor", role: descriptor.Output, optional: true,
			reason: "an optional output"},
	}
	for _, tt := range roles {
		row := dml.Find(tt.operator)
		i := row.Index(tt.slot)
		if i < 0 || row.Slots[i].Role != tt.role || (row.At(i, 0).Types&dml.Optional != 0) != tt.optional {
			t.Errorf("%s.%s: slot %d of %v (%s)", tt.operator, tt.slot, i, row.Slots, tt.reason)
		}
	}
	for name, level := range map[string]descriptor.Level{"GEMM": 10, "ACTIVATION_SHRINK": 20, "GATHER_ND": 21,
		"ARGMAX":           30,
		"DIAGONAL_MATRIX1": 51, "MULTIHEAD_ATTENTION": 61, "QUANTIZE": 63, "FOLD": 64, "CONVOLUTION_INTEGER": 21} {
		if row := dml.Find(name); row == nil || row.Level != level {
			t.Errorf("%s did not come with level %v", name, level)
		}
	}
	for name, want := range map[string]descriptor.Role{"GEMM ATensor": descriptor.Input,
		"DML_OPERATOR_GEMM OutputTensor": descriptor.Output,
		"GEMM InputTensor":               descriptor.UnknownRole, "GEM ATensor": descriptor.UnknownRole} {
		operator, slot, _ := strings.Cut(name, " ")
		if role := dml.Of(operator).Role(slot); role != want {
			t.Errorf("%s is %v, want %v", name, role, want)
		}
	}
	join := dml.Find("JOIN").Slots[0]
	if !join.Array || join.Name != "InputTensors" {
		t.Errorf("JOIN begins with %v", join)
	}
	if have := dml.Find("MATRIX_MULTIPLY_INTEGER").At(0, 0).Types.String(); have != "UINT8, INT8" {
		t.Errorf("MATRIX_MULTIPLY_INTEGER multiplies %s", have)
	}
	if row := dml.Find("ELEMENT_WISE_QUANTIZE_LINEAR"); row.At(2, 62).Types&dml.Optional == 0 ||
		row.At(2, 60).Types&dml.Optional != 0 {
		t.Error("the zero point can be left out from 6.2 on only")
	}
}

// slot is one of an operator's tensors.
func slot(name, dtype string, sizes ...int64) descriptor.OperatorSlot {
	d := &descriptor.Descriptor{Name: name, Slot: name, TypeName: dtype, Sizes: sizes}
	var err error
	d.Type, err = layout.ParseDType(dtype)
	d.TypeKnown = err == nil
	return descriptor.OperatorSlot{Name: name, Tensors: []*descriptor.Descriptor{d}}
}

// TestOddOneOut checks which tensor of an operator is reported, and for which property.
func TestOddOneOut(t *testing.T) {
	tests := []struct {
		kind   string
		slots  []descriptor.OperatorSlot
		want   []string // rules, tensors and fixes
		reason string
	}{
		{
			kind: "CONVOLUTION",
			slots: []descriptor.OperatorSlot{slot("InputTensor", "FLOAT32", 6, 6),
				slot("FilterTensor", "FLOAT32", 1, 1, 3, 3),
				slot("OutputTensor", "FLOAT32", 1, 1, 4, 4)},
			want:   []string{"leading-ones InputTensor sizes [1, 1, 6, 6]"},
			reason: "3 dimensions would do, but not beside 4",
		},
		{
			kind: "CONVOLUTION",
			slots: []descriptor.OperatorSlot{slot("InputTensor", "FLOAT32", 6, 6),
				slot("FilterTensor", "FLOAT32", 3, 3),
				slot("OutputTensor", "FLOAT32", 4, 4)},
			want: []string{"leading-ones InputTensor sizes [1, 6, 6]", "leading-ones FilterTensor sizes [1, 3, 3]",
				"leading-ones OutputTensor sizes [1, 4, 4]"},
			reason: "the least where nothing says more",
		},
		{
			kind: "ELEMENT_WISE_ADD",
			slots: []descriptor.OperatorSlot{slot("ATensor", "FLOAT32", 2, 3, 4), slot("BTensor", "FLOAT32", 2, 3, 4),
				slot("OutputTensor", "FLOAT32", 1, 3, 4)},
			want: []string{"op-same OutputTensor sizes [2, 3, 4]"}, reason: "two against the output",
		},
		{
			kind: "ELEMENT_WISE_ADD",
			slots: []descriptor.OperatorSlot{slot("ATensor", "FLOAT32", 1, 3, 4), slot("BTensor", "FLOAT32", 1, 3, 4),
				slot("OutputTensor", "FLOAT32", 2, 3, 4)},
			want: []string{"op-broadcast-sizes ATensor sizes [2, 3, 4] with strides [0, 4, 1]",
				"op-broadcast-sizes BTensor sizes [2, 3, 4] with strides [0, 4, 1]"},
			reason: "two that are to be repeated",
		},
		{
			kind: "ELEMENT_WISE_ADD",
			slots: []descriptor.OperatorSlot{slot("ATensor", "FLOAT16", 2), slot("BTensor", "FLOAT32", 2),
				slot("OutputTensor", "FLOAT32", 2)},
			want: []string{"op-same ATensor write FLOAT32"}, reason: "two against the first",
		},
		{
			kind: "ELEMENT_WISE_ADD",
			slots: []descriptor.OperatorSlot{slot("ATensor", "UNKNOWN", 2), slot("BTensor", "FLOAT32", 2),
				slot("OutputTensor", "FLOAT32", 2)},
			reason: "UNKNOWN is dtype-unknown's",
		},
		{
			kind:   "ACTIVATION_RELU",
			slots:  []descriptor.OperatorSlot{slot("InputTensor", "UINT8", 2), slot("OutputTensor", "FLOAT32", 2)},
			reason: "one that RELU does not take is op-dtype's",
		},
		{
			kind:   "ACTIVATION_RELU",
			slots:  []descriptor.OperatorSlot{slot("InputTensor", "FLOAT32"), slot("OutputTensor", "FLOAT32", 2)},
			reason: "no sizes are dim-count-range's",
		},
		{
			kind:   "ACTIVATION_RELU",
			slots:  []descriptor.OperatorSlot{slot("InputTensor", "FLOAT32", 2), slot("OutputTensor", "FLOAT32")},
			reason: "on either side",
		},
		{
			kind:   "ACTIVATION_RELU",
			slots:  []descriptor.OperatorSlot{slot("InputTensor", "UNKNOWN", 2), slot("OutputTensor", "FLOAT32", 2)},
			reason: "nor is it ever proposed",
		},
	}
	for _, tt := range tests {
		var have []string
		c := NewChecker(finding.Options{}, func(f finding.Finding) {
			if f.Rule == OpSame || f.Rule == OpBroadcastSizes || f.Rule == LeadingOnes {
				have = append(have, fmt.Sprintf("%s %s %s", f.Rule, f.Tensor, f.Fix))
			}
		})
		c.Operator(descriptor.Target{Family: finding.DirectML}, &descriptor.Operator{Type: tt.kind, Slots: tt.slots})
		if !slices.Equal(have, tt.want) {
			t.Errorf("%s: %q, want %q (%s)", tt.kind, have, tt.want, tt.reason)
		}
	}
}

// TestOperatorPlaces checks which part of a tensor is wrong beside the others of an operator: 9 is its type, 19 are its
// sizes, and 20 is the first of them.
func TestOperatorPlaces(t *testing.T) {
	strided := slot("InputTensor", "FLOAT32", 1, 1, 3)
	strided.Tensors[0].Strides = []int64{3, 3, 1}
	const identity = "ELEMENT_WISE_IDENTITY"
	tests := []struct {
		kind  string
		slots []descriptor.OperatorSlot
		want  string
	}{
		{identity, []descriptor.OperatorSlot{slot("InputTensor", "FLOAT32", 2), slot("OutputTensor", "INT32", 2)},
			"op-same 9 write FLOAT32"},
		{identity, []descriptor.OperatorSlot{slot("InputTensor", "Q4_K", 2), slot("OutputTensor", "INT32", 2)}, ""},
		{identity, []descriptor.OperatorSlot{slot("InputTensor", "INT32", 3), slot("OutputTensor", "INT32", 2)},
			"op-same 19 sizes [2]"},
		{identity, []descriptor.OperatorSlot{slot("InputTensor", "INT32", 1), slot("OutputTensor", "INT32", 2)},
			"op-broadcast-sizes 19 sizes [2] with strides [0]"},
		{identity, []descriptor.OperatorSlot{slot("InputTensor", "INT32", 1, 1, 1), slot("OutputTensor", "INT32", 1, 1,
			1)},
			"leading-ones-not-needed 20 sizes [1]"},
		{identity, []descriptor.OperatorSlot{strided, slot("OutputTensor", "FLOAT32", 1, 1, 3)},
			"leading-ones-not-needed 20 sizes [3] with strides [1]"},
		{identity, []descriptor.OperatorSlot{slot("InputTensor", "INT32", 1, 3), slot("OutputTensor", "INT32", 1, 3)},
			""},
		{identity, []descriptor.OperatorSlot{slot("InputTensor", "INT32", 1, 1, 3), slot("OutputTensor", "INT32", 1,
			3)},
			"op-same 19 sizes [1, 3]"},
		{identity, nil, ""},
		{identity, []descriptor.OperatorSlot{slot("InputTensor", "INT32", 1, 1, 2, 2, 2, 2, 2, 2),
			slot("OutputTensor", "INT32", 1, 2, 2, 2, 2, 2, 2)}, "op-same 19 sizes [1, 2, 2, 2, 2, 2, 2]"},
		{identity, []descriptor.OperatorSlot{slot("InputTensor", "INT32", 3, 1, 1, 1, 1, 1, 1, 1, 1),
			slot("OutputTensor", "INT32", 2)}, "op-dim-count 19 "},
		{identity, []descriptor.OperatorSlot{slot("InputTensor", "INT32", 3),
			slot("OutputTensor", "INT32", 1, 1, 1, 1, 1, 1, 1, 1, 2)},
			"op-dim-count 19 sizes [1, 1, 1, 1, 1, 1, 1, 2]"},
		{"GEMM", []descriptor.OperatorSlot{slot("ATensor", "FLOAT32", 1, 2, 3), slot("BTensor", "FLOAT32", 3, 4),
			slot("OutputTensor", "FLOAT32", 2, 4)}, "op-same 19 sizes [2, 3]"},
		{"MATRIX_MULTIPLY_INTEGER", []descriptor.OperatorSlot{slot("ATensor", "INT8", 6),
			slot("AZeroPointTensor", "INT8", 1, 1, 1), slot("BTensor", "INT8", 6, 2),
			slot("OutputTensor", "INT32", 1, 2)}, "leading-ones 19 sizes [1, 6]"},
		{"NO_SUCH", []descriptor.OperatorSlot{slot("InputTensor", "INT64", 2)}, "dtype-64bit-op 9 "},
		{"NO_SUCH", []descriptor.OperatorSlot{slot("InputTensor", "INT32", 2)}, ""},
		{"CONVOLUTION", []descriptor.OperatorSlot{slot("InputTensor", "FLOAT32", 6, 6),
			slot("FilterTensor", "FLOAT32", 1, 1, 1, 3, 3), slot("OutputTensor", "FLOAT32", 1, 1, 1, 4, 4)},
			"leading-ones 19 sizes [1, 1, 1, 6, 6]"},
		{"CONVOLUTION", []descriptor.OperatorSlot{slot("InputTensor", "FLOAT32", 6, 6),
			slot("MyTensor", "FLOAT32", 1, 1, 1, 1),
			slot("OutputTensor", "FLOAT32", 1, 4, 4)}, "leading-ones 19 sizes [1, 6, 6]"},
	}
	for _, tt := range tests {
		var have []string
		c := NewChecker(finding.Options{}, func(f finding.Finding) {
			if f.Rule != OpKnown && f.Rule != RequiredMissing {
				have = append(have, fmt.Sprintf("%s %d %s", f.Rule, f.Column, f.Fix))
			}
		})
		for _, s := range tt.slots {
			s.Tensors[0].Source = partPlaces{}
		}
		c.Operator(descriptor.Target{Family: finding.DirectML}, &descriptor.Operator{Type: tt.kind, Slots: tt.slots})
		if strings.Join(have, "; ") != tt.want {
			t.Errorf("%s: %q, want %q", tt.kind, have, tt.want)
		}
	}
	var have finding.Finding
	c := NewChecker(finding.Options{}, func(f finding.Finding) { have = f })
	c.Slot(descriptor.Target{}, &descriptor.Descriptor{Operator: "GEMM", Slot: "ATensor"})
	if c.Slot(descriptor.Target{Family: finding.DirectML}, &descriptor.Descriptor{Operator: "GEM",
		Slot: "ATensor"}); have.Rule != OpKnown {
		t.Errorf("GEM: %+v", have)
	}
}

// TestOperatorAllocatesNothing holds for operators that are as they should be.
func TestOperatorAllocatesNothing(t *testing.T) {
	tensor := func(slot string, role descriptor.Role) descriptor.OperatorSlot {
		return descriptor.OperatorSlot{Name: slot,
			Tensors: []*descriptor.Descriptor{{Name: slot, Slot: slot, Role: role,
				TypeKnown: true,
				Sizes:     []int64{2, 3}}}}
	}
	op := &descriptor.Operator{Name: "add", Type: "DML_OPERATOR_ELEMENT_WISE_ADD",
		Slots: []descriptor.OperatorSlot{tensor("ATensor", descriptor.Input), tensor("BTensor", descriptor.Input),
			tensor("OutputTensor", descriptor.Output)}}
	c := NewChecker(finding.Options{}, func(f finding.Finding) { t.Errorf("%+v", f) })
	if n := testing.AllocsPerRun(100, func() { c.Operator(descriptor.Target{Family: finding.DirectML}, op) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkOperator(b *testing.B) {
	tensor := func(slot string, role descriptor.Role) descriptor.OperatorSlot {
		return descriptor.OperatorSlot{Name: slot,
			Tensors: []*descriptor.Descriptor{{Name: slot, Slot: slot, Role: role,
				TypeKnown: true,
				Sizes:     []int64{2, 3}}}}
	}
	op := &descriptor.Operator{Type: "GEMM", Slots: []descriptor.OperatorSlot{tensor("ATensor", descriptor.Input),
		tensor("BTensor", descriptor.Input),
		tensor("OutputTensor", descriptor.Output)}}
	c := NewChecker(finding.Options{}, func(finding.Finding) {})
	b.ReportAllocs()
	for b.Loop() {
		c.Operator(descriptor.Target{Family: finding.DirectML}, op)
	}
}
