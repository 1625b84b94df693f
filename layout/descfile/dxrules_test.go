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
	return fmt.Sprintf(`{"resources":{},"dispatchables":{"op":{"type":%q,"desc":{%s}}},"commands":[]}`, kind, strings.Join(list, ","))
}

// dxRules returns the rules of operators and models that a text breaks, and the first finding.
func dxRules(t *testing.T, text string, target rules.Target, without ...rules.ID) (ids []rules.ID, first rules.Finding) {
	t.Helper()
	for _, f := range dxCheck(t, text, target) {
		if (f.Rule >= rules.OpKnown && f.Rule <= rules.JSONField || f.Rule == rules.OwnedOp) && !slices.Contains(without, f.Rule) {
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
		{"DML_OPERATOR_RELU", "", dxLatest, ids{rules.OpKnown}, "", "there is only ACTIVATION_RELU"},
		{"GEMN", "", dxLatest, ids{rules.OpKnown}, "did you mean GEMM?", "a slip"},
		{"gemm", "", dxLatest, ids{rules.OpKnown}, "did you mean GEMM?", "case matters"},
		{relu, "InputTensor=FLOAT32 [3];OutputTensor=FLOAT32 [3]", dxLatest, nil, "", "a known one"},
		{"FOLD", "InputTensor=FLOAT32 [3,3,3];OutputTensor=FLOAT32 [3,3,3]", dxLatest, ids{rules.OpKnown}, "", "documented, but DxDispatch does not read it"},
		{"ARGMAX", "InputTensor=FLOAT32 [3,3,3,3];OutputTensor=UINT32 [3,3,3,3]", dxOld, ids{rules.OpLevel}, "", "it came with 3.0, the target is 2.0"},
		{"MAX_POOLING1", "InputTensor=FLOAT32 [3,3,3,3];OutputTensor=FLOAT32 [3,3,3,3]", dxOld, nil, "", "it came with 2.0"},

		{gemm, "ATensor=FLOAT32 [2,2];BTensor=FLOAT32 [2,2];OutputTensor=FLOAT32 [2,2]", dxLatest, nil, "", "2 dimensions, the least"},
		{gemm, "ATensor=FLOAT32 [1,2,2,2];BTensor=FLOAT32 [1,2,2,2];OutputTensor=FLOAT32 [1,2,2,2]", dxLatest, nil, "", "4 dimensions, the most"},
		{gemm, "ATensor=FLOAT32 [1,1,2,2,2];BTensor=FLOAT32 [1,1,2,2,2];OutputTensor=FLOAT32 [1,1,2,2,2]", dxLatest, ids{rules.OpDimCount, rules.OpDimCount, rules.OpDimCount}, "sizes [1, 2, 2, 2]", "5 are too many; a leading 1 can go"},
		{"MAX_POOLING", "InputTensor=FLOAT32 [2,2,2,2,2,2];OutputTensor=FLOAT32 [2,2,2,2,2,2]", dxLatest, ids{rules.OpDimCount, rules.OpDimCount}, "", "4 to 5, and no 1 to take away"},
		{"MAX_POOLING", "InputTensor=FLOAT32 [2,2,2,2,2];OutputTensor=FLOAT32 [2,2,2,2,2]", dxLatest, nil, "", "4 to 5"},
		{"MAX_POOLING", "InputTensor=FLOAT32 [7,5] ,\"Strides\":[5,1];OutputTensor=FLOAT32 [7,5]", dxLatest, ids{rules.LeadingOnes, rules.LeadingOnes}, "sizes [1, 1, 7, 5] with strides [0, 0, 5, 1]", "a rank below the least"},
		{"CONVOLUTION", "InputTensor=FLOAT32 [3,5,5];FilterTensor=FLOAT32 [3,3,3];OutputTensor=FLOAT32 [3,3,3]", dxLatest, nil, "", "3 dimensions from 4.0 on"},
		{"CONVOLUTION", "InputTensor=FLOAT32 [3,5,5];FilterTensor=FLOAT32 [3,3,3];OutputTensor=FLOAT32 [3,3,3]", dxOld, ids{rules.LeadingOnes, rules.LeadingOnes, rules.LeadingOnes}, "sizes [1, 3, 5, 5]", "only the older level refuses it: a warning"},
		{relu, "InputTensor=FLOAT32 [1,1,2,3];OutputTensor=FLOAT32 [1,1,2,3]", dxLatest, ids{rules.LeadingOnesNotNeeded}, "sizes [2, 3]", "padded, though 1 to 8 do"},
		{relu, "InputTensor=FLOAT32 [1,1,2,3];OutputTensor=FLOAT32 [1,1,2,3]", dxOld, nil, "", "at 2.0 it has to be"},
		{relu, "InputTensor=FLOAT32 [1,2,3];OutputTensor=FLOAT32 [1,2,3]", dxLatest, nil, "", "one size of 1 is a batch"},

		{"ACTIVATION_SIGMOID", "InputTensor=INT32 [3];OutputTensor=INT32 [3]", dxLatest, ids{rules.OpDType, rules.OpDType}, "", "only floating point"},
		{relu, "InputTensor=FLOAT16 [3];OutputTensor=FLOAT16 [3]", dxLatest, nil, "", "it is in the list"},
		{relu, "InputTensor=INT64 [3];OutputTensor=INT64 [3]", dxLatest, ids{rules.DType64BitOp, rules.DType64BitOp}, "", "64 bits"},
		{add, "ATensor=INT64 [3];BTensor=INT64 [3];OutputTensor=INT64 [3]", dxLatest, nil, "", "from 4.1 on"},
		{add, "ATensor=INT64 [3,3,3,3];BTensor=INT64 [3,3,3,3];OutputTensor=INT64 [3,3,3,3]", dxOld, ids{rules.DType64BitOp, rules.DType64BitOp, rules.DType64BitOp}, "", "but not at 2.0"},
		{"CONVOLUTION_INTEGER", "InputTensor=INT64 [1,1,3,3]", dxLatest, ids{rules.DType64BitOp}, "", "of which no table tells: a note"},
		{relu, "InputTensor=UINT4 [3];OutputTensor=UINT4 [3]", dxLatest, ids{rules.DType4BitOp, rules.DType4BitOp}, "", "only QUANTIZE and DEQUANTIZE take 4 bits"},
		{"QUANTIZE", `InputTensor=FLOAT32 [3];"QuantizationTensors":[{"DataType":"FLOAT32","Sizes":[3]}];"QuantizationTensorCount":1;OutputTensor=UINT4 [3]`, dxLatest, nil, "", "it does"},

		{relu, "InputTensor=FLOAT32 [3];OutputTensor=FLOAT16 [3]", dxLatest, ids{rules.OpSame}, "write FLOAT32", "one type"},
		{"CAST", "InputTensor=FLOAT32 [3];OutputTensor=FLOAT16 [3]", dxLatest, nil, "", "types are what it changes"},
		{"ELEMENT_WISE_LOGICAL_EQUALS", "ATensor=FLOAT32 [3];BTensor=FLOAT32 [3];OutputTensor=UINT8 [3]", dxLatest, nil, "", "a comparison has truth values"},
		{relu, "InputTensor=FLOAT32 [3,4];OutputTensor=FLOAT32 [4,3]", dxLatest, ids{rules.OpSame}, "sizes [4, 3]", "one shape"},
		{gemm, "ATensor=FLOAT32 [2,2];BTensor=FLOAT32 [1,2,2];OutputTensor=FLOAT32 [2,2]", dxLatest, ids{rules.OpSame}, "sizes [2, 2]", "one number of dimensions"},
		{"JOIN", `"InputTensors":[{"DataType":"FLOAT32","Sizes":[3]},{"DataType":"FLOAT16","Sizes":[3]}];OutputTensor=FLOAT32 [6]`, dxLatest, ids{rules.OpSame}, "write FLOAT32", "tensors of a list"},
		{add, "ATensor=FLOAT32 [2,3,4];BTensor=FLOAT32 [2,1,4];OutputTensor=FLOAT32 [2,3,4]", dxLatest, ids{rules.OpBroadcastSizes}, "sizes [2, 3, 4] with strides [4, 0, 1]", "the example of A2"},
		{add, "ATensor=FLOAT32 [2,3,4];BTensor=FLOAT32 [4];OutputTensor=FLOAT32 [2,3,4]", dxLatest, ids{rules.OpBroadcastSizes}, "sizes [2, 3, 4] with strides [0, 0, 1]", "a row, aligned at the right"},
		{add, `ATensor=FLOAT32 [2,3,4];BTensor=FLOAT32 [2,3,4] ,"Strides":[4,0,1];OutputTensor=FLOAT32 [2,3,4]`, dxLatest, nil, "", "so it is said"},
		{add, "ATensor=FLOAT32 [2,3];BTensor=FLOAT32 [2,3];OutputTensor=FLOAT32 [2,1]", dxLatest, ids{rules.OpSame}, "sizes [2, 3]", "outputs are not repeated: the two inputs agree"},

		{gemm, "ATensor=FLOAT32 [2,2];OutputTensor=FLOAT32 [2,2]", dxLatest, ids{rules.RequiredMissing}, "", "CTensor may be left out, BTensor may not"},
		{gemm, `ATensor=FLOAT32 [2,2];"BTensor":null;OutputTensor=FLOAT32 [2,2]`, dxLatest, ids{rules.JSONNullTensor}, "leave the member out", "null is said once"},
		{"ELEMENT_WISE_QUANTIZE_LINEAR", "InputTensor=FLOAT32 [3];ScaleTensor=FLOAT32 [3];OutputTensor=INT8 [3]", dxLatest, nil, "", "the zero point is optional from 6.2 on"},
		{"ELEMENT_WISE_QUANTIZE_LINEAR", "InputTensor=FLOAT32 [3];ScaleTensor=FLOAT32 [3];OutputTensor=INT8 [3]", rules.Target{Family: rules.DirectML, Level: 60}, ids{rules.RequiredMissing}, "", "and was not before"},
		{"RNN", "InputTensor=FLOAT32 [1,1,3,4];WeightTensor=FLOAT32 [1,1,5,4] ,\"Flags\":\"OWNED_BY_DML\";RecurrenceTensor=FLOAT32 [1,1,5,5]", dxLatest, ids{rules.OwnedOp}, "leave the flag out", "RNN's page excludes the flag"},
		{"CONVOLUTION_INTEGER", "InputTensor=INT8 [1,1,3,3]", dxLatest, nil, "", "nothing is known of its tensors"},

		{"ACTIVATION_SWISH", `InputTensor=FLOAT32 [2,3] ,"Strides":[1,2];OutputTensor=FLOAT32 [2,3]`, rules.Target{Family: rules.DirectML, Level: 62}, ids{rules.StridedRuntimeBug}, "leave Strides out and pack the tensor", "wrong before 6.3"},
		{"ACTIVATION_SWISH", `InputTensor=FLOAT32 [2,3] ,"Strides":[1,2];OutputTensor=FLOAT32 [2,3]`, rules.Target{Family: rules.DirectML, Level: 63}, nil, "", "mended in 6.3"},
		{"ACTIVATION_SWISH", `InputTensor=FLOAT32 [2,3] ,"Strides":[3,1];OutputTensor=FLOAT32 [2,3]`, rules.Target{Family: rules.DirectML, Level: 62}, nil, "", "packed"},
		{"ACTIVATION_HARDMAX1", `InputTensor=FLOAT32 [2,3];OutputTensor=FLOAT32 [2,3] ,"Strides":[1,2]`, rules.Target{Family: rules.DirectML, Level: 51}, ids{rules.StridedRuntimeBug}, "leave Strides out and pack the tensor", "wrong before 5.2"},
		{"ACTIVATION_HARDMAX1", `InputTensor=FLOAT32 [2,3] ,"Strides":[1,2];OutputTensor=FLOAT32 [2,3]`, rules.Target{Family: rules.DirectML, Level: 51}, nil, "", "the input is read right"},

		{"JOIN", `"InputCount":2;"InputTensors":[{"DataType":"FLOAT32","Sizes":[3]}];OutputTensor=FLOAT32 [3]`, dxLatest, ids{rules.CountFields}, "write 1", "the program does not look"},
		{"SPLIT", `InputTensor=FLOAT32 [3];"OutputCount":1;"OutputTensors":[{"DataType":"FLOAT32","Sizes":[3]}]`, dxLatest, nil, "", "they agree"},
	}
	for _, tt := range tests {
		var members []string
		if tt.members != "" {
			members = strings.Split(tt.members, ";")
		}
		text := dxOperatorText(tt.kind, members...)
		have, first := dxRules(t, text, tt.target, rules.BindMissing)
		if !slices.Equal(have, tt.rules) || first.Fix != tt.fix {
			t.Errorf("%s\n%v, want %v, fix %q (%s)%s", text, have, tt.rules, tt.fix, tt.reason, dxShown([]rules.Finding{first}))
		}
	}
}

func TestOlderLevelWarns(t *testing.T) {
	text := dxOperatorText("CONVOLUTION", "InputTensor=FLOAT32 [3,5,5]", "FilterTensor=FLOAT32 [3,3,3]", "OutputTensor=FLOAT32 [3,3,3]")
	if _, f := dxRules(t, text, dxOld); f.Severity != rules.Warning || f.Pointer != "/dispatchables/op/desc/InputTensor/Sizes" || f.Tensor != "op.InputTensor" {
		t.Error(dxShown([]rules.Finding{f}))
	}
}
