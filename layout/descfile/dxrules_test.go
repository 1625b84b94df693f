package descfile

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/rules"
)

// dxTensorText writes a descriptor: TYPE SIZES, and what follows as members.
func dxTensorText(short string) string {
	f := strings.Fields(short)
	return fmt.Sprintf(`{"DataType":%q,"Sizes":%s%s}`, f[0], f[1], strings.Join(f[2:], ""))
}

// dxOperatorText writes a model of an operator without commands: TYPE, then members NAME=TENSOR
// or NAME:JSON.
func dxOperatorText(kind string, members ...string) string {
	var list []string
	for _, m := range members {
		if name, tensor, ok := strings.Cut(m, "="); ok {
			m = fmt.Sprintf("%q:%s", name, dxTensorText(tensor))
		}
		list = append(list, m)
	}
	return fmt.Sprintf(`{"resources":{},"dispatchables":{"op":{"type":%q,"desc":{%s}}},"commands":`+
		`[]}`, kind, strings.Join(list, ","))
}

// dxRules returns the rules of operators and models that a text breaks, and the first finding.
func dxRules(
	t *testing.T,
	text string,
	target rules.Target,
	without ...rules.ID,
) (ids []rules.ID, first rules.Finding) {
	t.Helper()
	for _, f := range dxCheck(t, text, target) {
		if (f.Rule >= rules.OpKnown && f.Rule <= rules.JSONField || f.Rule == rules.OwnedOp) &&
			!slices.Contains(without, f.Rule) {
			if len(ids) == 0 {
				first = f
			}
			ids = append(ids, f.Rule)
		}
	}
	return ids, first
}

// TestOperatorRules has a case on either side of each limit of A2.
func TestOperatorRules(t *testing.T) {
	const relu, add, gemm = "ACTIVATION_RELU", "ELEMENT_WISE_ADD", "DML_OPERATOR_GEMM"
	type ids = []rules.ID
	tests := []struct {
		kind    string
		members string // separated by semicolons
		target  rules.Target
		rules   ids
		fix     string // of the first
		reason  string
	}{
		{
			kind: "DML_OPERATOR_RELU", target: dxLatest, rules: ids{rules.OpKnown},
			reason: "there is only ACTIVATION_RELU",
		},
		{kind: "GEMN", target: dxLatest, rules: ids{rules.OpKnown}, fix: "did you mean GEMM?", reason: "a slip"},
		{kind: "gemm", target: dxLatest, rules: ids{rules.OpKnown}, fix: "did you mean GEMM?", reason: "case matters"},
		{
			kind: relu, members: "InputTensor=FLOAT32 [3];OutputTensor=FLOAT32 [3]", target: dxLatest,
			reason: "a known one",
		},
		{
			kind: "FOLD", members: "InputTensor=FLOAT32 [3,3,3];OutputTensor=FLOAT32 [3,3,3]", target: dxLatest,
			rules: ids{rules.OpKnown}, reason: "documented, but DxDispatch does not read it",
		},
		{
			kind: "ARGMAX", members: "InputTensor=FLOAT32 [3,3,3,3];OutputTensor=UINT32 [3,3,3,3]", target: dxOld,
			rules: ids{rules.OpLevel}, reason: "it came with 3.0, the target is 2.0",
		},
		{
			kind: "MAX_POOLING1", members: "InputTensor=FLOAT32 [3,3,3,3];OutputTensor=FLOAT32 [3,3,3,3]",
			target: dxOld, reason: "it came with 2.0",
		},

		{
			kind: gemm, members: "ATensor=FLOAT32 [2,2];BTensor=FLOAT32 [2,2];OutputTensor=FLOAT32 [2,2]",
			target: dxLatest, reason: "2 dimensions, the least",
		},
		{
			kind: gemm, members: "ATensor=FLOAT32 [1,2,2,2];BTensor=FLOAT32 [1,2,2,2];OutputTensor=FLOAT32 [1,2,2,2]",
			target: dxLatest, reason: "4 dimensions, the most",
		},
		{
			kind:    gemm,
			members: "ATensor=FLOAT32 [1,1,2,2,2];BTensor=FLOAT32 [1,1,2,2,2];OutputTensor=FLOAT32 [1,1,2,2,2]",
			target:  dxLatest, rules: ids{rules.OpDimCount, rules.OpDimCount, rules.OpDimCount},
			fix: "sizes [1, 2, 2, 2]", reason: "5 are too many; a leading 1 can go",
		},
		{
			kind: "MAX_POOLING", members: "InputTensor=FLOAT32 [2,2,2,2,2,2];OutputTensor=FLOAT32 [2,2,2,2,2,2]",
			target: dxLatest, rules: ids{rules.OpDimCount, rules.OpDimCount}, reason: "4 to 5, and no 1 to take away",
		},
		{
			kind: "MAX_POOLING", members: "InputTensor=FLOAT32 [2,2,2,2,2];OutputTensor=FLOAT32 [2,2,2,2,2]",
			target: dxLatest, reason: "4 to 5",
		},
		{
			kind: "MAX_POOLING", members: "InputTensor=FLOAT32 [7,5] ,\"Strides\":[5,1];OutputTensor=FLOAT32 [7,5]",
			target: dxLatest, rules: ids{rules.LeadingOnes, rules.LeadingOnes},
			fix: "sizes [1, 1, 7, 5] with strides [0, 0, 5, 1]", reason: "a rank below the least",
		},
		{
			kind:    "CONVOLUTION",
			members: "InputTensor=FLOAT32 [3,5,5];FilterTensor=FLOAT32 [3,3,3];OutputTensor=FLOAT32 [3,3,3]",
			target:  dxLatest, reason: "3 dimensions from 4.0 on",
		},
		{
			kind:    "CONVOLUTION",
			members: "InputTensor=FLOAT32 [3,5,5];FilterTensor=FLOAT32 [3,3,3];OutputTensor=FLOAT32 [3,3,3]",
			target:  dxOld, rules: ids{rules.LeadingOnes, rules.LeadingOnes, rules.LeadingOnes},
			fix: "sizes [1, 3, 5, 5]", reason: "only the older level refuses it: a warning",
		},
		{
			kind: relu, members: "InputTensor=FLOAT32 [1,1,2,3];OutputTensor=FLOAT32 [1,1,2,3]", target: dxLatest,
			rules: ids{rules.LeadingOnesNotNeeded}, fix: "sizes [2, 3]", reason: "padded, though 1 to 8 do",
		},
		{
			kind: relu, members: "InputTensor=FLOAT32 [1,1,2,3];OutputTensor=FLOAT32 [1,1,2,3]", target: dxOld,
			reason: "at 2.0 it has to be",
		},
		{
			kind: relu, members: "InputTensor=FLOAT32 [1,2,3];OutputTensor=FLOAT32 [1,2,3]", target: dxLatest,
			reason: "one size of 1 is a batch",
		},

		{
			kind: "ACTIVATION_SIGMOID", members: "InputTensor=INT32 [3];OutputTensor=INT32 [3]", target: dxLatest,
			rules: ids{rules.OpDType, rules.OpDType}, reason: "only floating point",
		},
		{
			kind: relu, members: "InputTensor=FLOAT16 [3];OutputTensor=FLOAT16 [3]", target: dxLatest,
			reason: "it is in the list",
		},
		{
			kind: relu, members: "InputTensor=INT64 [3];OutputTensor=INT64 [3]", target: dxLatest,
			rules: ids{rules.DType64BitOp, rules.DType64BitOp}, reason: "64 bits",
		},
		{
			kind: add, members: "ATensor=INT64 [3];BTensor=INT64 [3];OutputTensor=INT64 [3]", target: dxLatest,
			reason: "from 4.1 on",
		},
		{
			kind: add, members: "ATensor=INT64 [3,3,3,3];BTensor=INT64 [3,3,3,3];OutputTensor=INT64 [3,3,3,3]",
			target: dxOld, rules: ids{rules.DType64BitOp, rules.DType64BitOp, rules.DType64BitOp},
			reason: "but not at 2.0",
		},
		{
			kind: "CONVOLUTION_INTEGER", members: "InputTensor=INT64 [1,1,3,3]", target: dxLatest,
			rules: ids{rules.DType64BitOp}, reason: "of which no table tells: a note",
		},
		{
			kind: relu, members: "InputTensor=UINT4 [3];OutputTensor=UINT4 [3]", target: dxLatest,
			rules: ids{rules.DType4BitOp, rules.DType4BitOp}, reason: "only QUANTIZE and DEQUANTIZE take 4 bits",
		},
		{
			kind: "QUANTIZE",
			members: `InputTensor=FLOAT32 [3];"QuantizationTensors":[{"DataType":"FLOAT32","Sizes":[3]}` +
				`];"QuantizationTensorCount":1;OutputTensor=UINT4 [3]`,
			target: dxLatest, reason: "it does",
		},

		{
			kind: relu, members: "InputTensor=FLOAT32 [3];OutputTensor=FLOAT16 [3]", target: dxLatest,
			rules: ids{rules.OpSame}, fix: "write FLOAT32", reason: "one type",
		},
		{
			kind: "CAST", members: "InputTensor=FLOAT32 [3];OutputTensor=FLOAT16 [3]", target: dxLatest,
			reason: "types are what it changes",
		},
		{
			kind:    "ELEMENT_WISE_LOGICAL_EQUALS",
			members: "ATensor=FLOAT32 [3];BTensor=FLOAT32 [3];OutputTensor=UINT8 [3]", target: dxLatest,
			reason: "a comparison has truth values",
		},
		{
			kind: relu, members: "InputTensor=FLOAT32 [3,4];OutputTensor=FLOAT32 [4,3]", target: dxLatest,
			rules: ids{rules.OpSame}, fix: "sizes [4, 3]", reason: "one shape",
		},
		{
			kind: gemm, members: "ATensor=FLOAT32 [2,2];BTensor=FLOAT32 [1,2,2];OutputTensor=FLOAT32 [2,2]",
			target: dxLatest, rules: ids{rules.OpSame}, fix: "sizes [2, 2]", reason: "one number of dimensions",
		},
		{
			kind: "JOIN",
			members: `"InputTensors":[{"DataType":"FLOAT32","Sizes":[3]},{"DataType":"FLOAT16","Sizes":[3]}` +
				`];OutputTensor=FLOAT32 [6]`,
			target: dxLatest, rules: ids{rules.OpSame}, fix: "write FLOAT32", reason: "tensors of a list",
		},
		{
			kind: add, members: "ATensor=FLOAT32 [2,3,4];BTensor=FLOAT32 [2,1,4];OutputTensor=FLOAT32 [2,3,4]",
			target: dxLatest, rules: ids{rules.OpBroadcastSizes}, fix: "sizes [2, 3, 4] with strides [4, 0, 1]",
			reason: "the example of A2",
		},
		{
			kind: add, members: "ATensor=FLOAT32 [2,3,4];BTensor=FLOAT32 [4];OutputTensor=FLOAT32 [2,3,4]",
			target: dxLatest, rules: ids{rules.OpBroadcastSizes}, fix: "sizes [2, 3, 4] with strides [0, 0, 1]",
			reason: "a row, aligned at the right",
		},
		{
			kind:    add,
			members: `ATensor=FLOAT32 [2,3,4];BTensor=FLOAT32 [2,3,4] ,"Strides":[4,0,1];OutputTensor=FLOAT32 [2,3,4]`,
			target:  dxLatest, reason: "so it is said",
		},
		{
			kind: add, members: "ATensor=FLOAT32 [2,3];BTensor=FLOAT32 [2,3];OutputTensor=FLOAT32 [2,1]",
			target: dxLatest, rules: ids{rules.OpSame}, fix: "sizes [2, 3]",
			reason: "outputs are not repeated: the two inputs agree",
		},

		{
			kind: gemm, members: "ATensor=FLOAT32 [2,2];OutputTensor=FLOAT32 [2,2]", target: dxLatest,
			rules: ids{rules.RequiredMissing}, reason: "CTensor may be left out, BTensor may not",
		},
		{
			kind: gemm, members: `ATensor=FLOAT32 [2,2];"BTensor":null;OutputTensor=FLOAT32 [2,2]`, target: dxLatest,
			rules: ids{rules.JSONNullTensor}, fix: "leave the member out", reason: "null is said once",
		},
		{
			kind:    "ELEMENT_WISE_QUANTIZE_LINEAR",
			members: "InputTensor=FLOAT32 [3];ScaleTensor=FLOAT32 [3];OutputTensor=INT8 [3]", target: dxLatest,
			reason: "the zero point is optional from 6.2 on",
		},
		{
			kind:    "ELEMENT_WISE_QUANTIZE_LINEAR",
			members: "InputTensor=FLOAT32 [3];ScaleTensor=FLOAT32 [3];OutputTensor=INT8 [3]",
			target:  rules.Target{Family: rules.DirectML, Level: 60}, rules: ids{rules.RequiredMissing},
			reason: "and was not before",
		},
		{
			kind: "RNN",
			members: "InputTensor=FLOAT32 [1,1,3,4];WeightTensor=FLOAT32 [1,1,5,4] " +
				",\"Flags\":\"OWNED_BY_DML\";RecurrenceTensor=FLOAT32 [1,1,5,5]",
			target: dxLatest, rules: ids{rules.OwnedOp}, fix: "leave the flag out",
			reason: "RNN's page excludes the flag",
		},
		{
			kind: "CONVOLUTION_INTEGER", members: "InputTensor=INT8 [1,1,3,3]", target: dxLatest,
			reason: "nothing is known of its tensors",
		},

		{
			kind: "ACTIVATION_SWISH", members: `InputTensor=FLOAT32 [2,3] ,"Strides":[1,2];OutputTensor=FLOAT32 [2,3]`,
			target: rules.Target{Family: rules.DirectML, Level: 62}, rules: ids{rules.StridedRuntimeBug},
			fix: "leave Strides out and pack the tensor", reason: "wrong before 6.3",
		},
		{
			kind: "ACTIVATION_SWISH", members: `InputTensor=FLOAT32 [2,3] ,"Strides":[1,2];OutputTensor=FLOAT32 [2,3]`,
			target: rules.Target{Family: rules.DirectML, Level: 63}, reason: "mended in 6.3",
		},
		{
			kind: "ACTIVATION_SWISH", members: `InputTensor=FLOAT32 [2,3] ,"Strides":[3,1];OutputTensor=FLOAT32 [2,3]`,
			target: rules.Target{Family: rules.DirectML, Level: 62}, reason: "packed",
		},
		{
			kind:    "ACTIVATION_HARDMAX1",
			members: `InputTensor=FLOAT32 [2,3];OutputTensor=FLOAT32 [2,3] ,"Strides":[1,2]`,
			target:  rules.Target{Family: rules.DirectML, Level: 51}, rules: ids{rules.StridedRuntimeBug},
			fix: "leave Strides out and pack the tensor", reason: "wrong before 5.2",
		},
		{
			kind:    "ACTIVATION_HARDMAX1",
			members: `InputTensor=FLOAT32 [2,3] ,"Strides":[1,2];OutputTensor=FLOAT32 [2,3]`,
			target:  rules.Target{Family: rules.DirectML, Level: 51}, reason: "the input is read right",
		},

		{
			kind:    "JOIN",
			members: `"InputCount":2;"InputTensors":[{"DataType":"FLOAT32","Sizes":[3]}];OutputTensor=FLOAT32 [3]`,
			target:  dxLatest, rules: ids{rules.CountFields}, fix: "write 1", reason: "the program does not look",
		},
		{
			kind:    "SPLIT",
			members: `InputTensor=FLOAT32 [3];"OutputCount":1;"OutputTensors":[{"DataType":"FLOAT32","Sizes":[3]}]`,
			target:  dxLatest, reason: "they agree",
		},
	}
	for _, tt := range tests {
		var members []string
		if tt.members != "" {
			members = strings.Split(tt.members, ";")
		}
		text := dxOperatorText(tt.kind, members...)
		have, first := dxRules(t, text, tt.target, rules.BindMissing)
		if !slices.Equal(have, tt.rules) || first.Fix != tt.fix {
			t.Errorf(
				"%s\n%v, want %v, fix %q (%s)%s",
				text,
				have,
				tt.rules,
				tt.fix,
				tt.reason,
				dxShown([]rules.Finding{first}),
			)
		}
	}
}

func TestOlderLevelWarns(t *testing.T) {
	text := dxOperatorText("CONVOLUTION", "InputTensor=FLOAT32 [3,5,5]", "FilterTensor=FLOAT32 [3,3,"+
		"3]", "OutputTensor=FLOAT32 [3,3,3]")
	if _, f := dxRules(t, text, dxOld); f.Severity != rules.Warning ||
		f.Pointer != "/dispatchables/op/desc/InputTensor/Sizes" ||
		f.Tensor != "op.InputTensor" {
		t.Error(dxShown([]rules.Finding{f}))
	}
}
