package manifest

import (
	"fmt"
	"strings"
	"testing"

	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
)

// TestAttributes checks the findings about operator fields that are not tensors. DxDispatch's parser decides which
// fields are valid.
func TestAttributes(t *testing.T) {
	const gemm = `"type":"GEMM","ATensor":{"DataType":"FLOAT32","Sizes":[2,3]},"BTensor":{"DataType":"FLOAT32",` +
		`"Sizes":[3,2]},"OutputTensor":{"DataType":"FLOAT32","Sizes":[2,2]}`
	const relu = `"type":"ACTIVATION_RELU","InputTensor":{"DataType":"FLOAT32","Sizes":[2]},"OutputTensor":` +
		`{"DataType":"FLOAT32","Sizes":[2]}`
	const fill = `"type":"FILL_VALUE_CONSTANT","OutputTensor":{"DataType":"FLOAT32","Sizes":[2]},"Value":1,` +
		`"ValueDataType":`
	const pool = `"type":"ROI_POOLING","InputTensor":{"DataType":"FLOAT32","Sizes":[1,1,4,4]},"ROITensor":` +
		`{"DataType":"FLOAT32","Sizes":[1,1,1,5]},"OutputTensor":{"DataType":"FLOAT32","Sizes":[1,1,2,2]},` +
		`"SpatialScale":1,"PooledSize":`
	const resample = `"type":"RESAMPLE","InputTensor":{"DataType":"FLOAT32","Sizes":[1,1,2,2]},"OutputTensor":` +
		`{"DataType":"FLOAT32","Sizes":[1,1,4,4]},"InterpolationMode":"LINEAR","ScaleCount":2,"Scales":`
	const diagonal = `"type":"DIAGONAL_MATRIX1","OutputTensor":{"DataType":"FLOAT32","Sizes":[1,1,2,2]},` +
		`"ValueDataType":"FLOAT32","Value":1,"DiagonalFillEnd":2147483647,"DiagonalFillBegin":`
	const rnn = `"type":"RNN","InputTensor":{"DataType":"FLOAT32","Sizes":[1,1,1,1]},"WeightTensor":{"DataType":` +
		`"FLOAT32","Sizes":[1,1,1,1]},"RecurrenceTensor":{"DataType":"FLOAT32","Sizes":[1,1,1,1]},` +
		`"ActivationDescCount":1,"Direction":"FORWARD","ActivationDescs":`
	tests := []struct {
		text, want string // findings: rule, severity, message, fix
		reason     string
	}{
		{gemm + `,"TransA":"NONE","TransB":"DML_MATRIX_TRANSFORM_NONE","Alpha":1,"Beta":0.5`, "", "all of them"},
		{gemm, "", "none of them: tensors alone are checked"},
		{gemm + `,"TransA":"NONE","transB":"NONE","Alpha":1,"Beta":0`,
			`json-key-case error "transB" is not TransB: the program ignores it; write TransB`, "case matters"},
		{gemm + `,"TransA":"NONE","TransBB":"TRANSPOSE","Alpha":1,"Beta":0`,
			`json-key-case error "TransBB" is not TransB: the program ignores it; write TransB`,
			"one finding: what it transposes is not computed"},
		{gemm + `,"TransA":"NONE","B is transposed":true,"Alpha":1,"Beta":0`,
			`json-key-case warning "B is transposed" is not a field of GEMM, which lacks TransB; `, "a name like no " +
				"other"},
		{gemm + `,"TransA":"NONE","TransB":"NONE","Alpha":1,"Beta":0,"comment":"x"`, "", "nothing is missing"},
		{gemm + `,"TransA":"NONE","TransB":"NONE","Alpha":1,"Beta":0,"FusedActivtion":{"Type":"ACTIVATION_RELU"}`,
			`json-key-case error "FusedActivtion" is not FusedActivation: the program ignores it; write ` +
				`FusedActivation`,
			"one that may be left out"},
		{gemm + `,"TransA":"NONE","TransB":"TRANSPOSED","Alpha":1,"Beta":0`,
			`json-field error "TRANSPOSED" is not a value of TransB: the program stops at it; write TRANSPOSE`, "a " +
				"value"},
		{gemm + `,"TransA":"DML_MATRIX_TRANSFORM_","TransB":"NONE","Alpha":1,"Beta":0`,
			`json-field error "DML_MATRIX_TRANSFORM_" is not a value of TransA: the program stops at it; one of ` +
				`NONE, TRANSPOSE`,
			"no value"},
		{gemm + `,"TransA":0,"TransB":"NONE","Alpha":1,"Beta":0`, `json-field error "0" is not one of NONE, ` +
			`TRANSPOSE; `,
			"a number for it"},
		{gemm + `,"TransA":"NONE","TransB":"NONE","Alpha":"nan","Beta":"-Inf"`, "", "numbers that JSON has no " +
			"digits for"},
		{gemm + `,"TransA":"NONE","TransB":"NONE","Alpha":"1","Beta":true`,
			`json-field error "1" is not a number, "NaN", "Inf" or "-Inf"; |` +
				`json-field error a truth value is not a number, "NaN", "Inf" or "-Inf"; `, "and others"},
		{gemm + `,"TransA":"NONE","TransB":"NONE","Alpha":1,"Beta":0,` +
			`"FusedActivation":{"Type":"ACTIVATION_ELU","alpha":1}`,
			`json-key-case error "alpha" is not Alpha: the program ignores it; write Alpha`, "of an operator inside"},
		{gemm + `,"TransA":"NONE","TransB":"NONE","Alpha":1,"Beta":0,"FusedActivation":{"Alpha":1}`,
			`json-field error the member "Type" is required; `, "which has a type"},
		{gemm + `,"TransA":"NONE","TransB":"NONE","Alpha":1,"Beta":0,"FusedActivation":"RELU"`,
			`json-field error "RELU" is not an operator; `, "and is an object"},
		{gemm + `,"TransA":"NONE","TransB":"NONE","Alpha":1,"Beta":0,"FusedActivation":null`,
			`json-field error null is not an operator; remove the member`, "null is none"},
		{relu + `,"bindings":{},"dmlCompileType":"DmlCompileOp","executionFlags":"NONE"`, "", "members of its object"},
		{`"type":"CUMULATIVE_SUMMATION","InputTensor":{"DataType":"FLOAT32","Sizes":[2]},"OutputTensor":` +
			`{"DataType":"FLOAT32","Sizes":[2]},"Axis":1.0,"AxisDirection":"INCREASING","HasExclusiveSum":1`,
			`json-int error "1.0" is not what the program expects, an unsigned integer; |` +
				`json-field error "1" is not true or false; |op-axis error Axis 1, and InputTensor has the ` +
				`dimensions 0 to 0; ` +
				`0 is the last one`, "what the number means is computed with"},
		{`"type":"CUMULATIVE_SUMMATION","InputTensor":{"DataType":"FLOAT32","Sizes":[2]},"OutputTensor":` +
			`{"DataType":"FLOAT32","Sizes":[2]},"Axis":-1,"AxisDirection":"INCREASING","HasExclusiveSum":false`,
			`json-int error -1 is negative: the program expects an unsigned integer; `, "an axis from the end"},
		{`"type":"SLICE1","InputTensor":{"DataType":"FLOAT32","Sizes":[4]},"OutputTensor":{"DataType":"FLOAT32",` +
			`"Sizes":[4]},"DimensionCount":1,"InputWindowOffsets":[0],"InputWindowSizes":[4],"InputWindowStrides":[-1]`,
			"", "signed numbers"},
		{`"type":"SLICE1","InputTensor":{"DataType":"FLOAT32","Sizes":[4]},"OutputTensor":{"DataType":"FLOAT32",` +
			`"Sizes":[4]},"DimensionCount":1,"InputWindowOffsets":0,"InputWindowSizes":[4],` +
			`"InputWindowStrides":[2147483648]`,
			`json-field error "0" is not a list of whole numbers; |json-field error "2147483648" is not a whole ` +
				`number of 32 ` +
				`bits; `, "and those that are none"},
		{fill + `"DML_TENSOR_DATA_TYPE_FLOAT32"`, "", "a type"},
		{fill + `"FLOAT"`, `json-field error "FLOAT" is not a DirectML element type; `, "no type"},
		{fill + `1`, `json-field error "1" is not a DirectML element type; `, "a number for it"},
		{pool + `{"Width":2,"Height":2}`, "", "an object"},
		{pool + `[2,2]`, `json-field error a list is not an object; `, "a list for it"},
		{diagonal + `-2147483648`, "", "the least of 32 bits"},
		{diagonal + `-2147483649`, `json-field error "-2147483649" is not a whole number of 32 bits; `, "one less"},
		{diagonal + `0.5`, `json-field error "0.5" is not a whole number of 32 bits; `, "not whole"},
		{resample + `[2,"inf"]`, "", "numbers"},
		{resample + `[2,"two"]`, `json-field error "two" is not a number, "NaN", "Inf" or "-Inf"; `, "and another"},
		{resample + `2`, `json-field error "2" is not a list of numbers; `, "no list"},
		{rnn + `[{"Type":"ACTIVATION_RELU"}]`, "", "a list of operators"},
		{rnn + `[{"type":"ACTIVATION_RELU"},{"Type":"ACTIVATION_ELU","Desc":{"Alpha":1}}]`, "", "two"},
		{rnn + `[{"Type":"ACTIVATION_ELU","Desc":{"Alpha":"1"},"Alpha":1}]`,
			`json-field error "1" is not a number, "NaN", "Inf" or "-Inf"; `, "where alone they are read"},
		{rnn + `[3]`, `json-field error "3" is not an operator; `, "no operator"},
		{rnn + `{"Type":"ACTIVATION_RELU"}`, `json-field error an object is not a list of operators; `, "no list"},
		{rnn + `[{"Type":3}]`, `json-field error the member "Type" is required; `, "a number for its type"},
	}
	for _, tt := range tests {
		text := `{"resources":{},"dispatchables":{"op":{` + tt.text + `}},"commands":[]}`
		var found []string
		for _, f := range dxCheck(t, text, descriptor.Target{Family: finding.DirectML}) {
			if f.Severity > finding.Note {
				found = append(found, fmt.Sprintf("%s %s %s; %s", f.Rule, f.Severity, f.Message, f.Fix))
			}
		}
		if have := strings.Join(found, "|"); strings.TrimSpace(have) != strings.TrimSpace(tt.want) {
			t.Errorf("%s (%s):\n%s\nwant\n%s", tt.text, tt.reason, have, tt.want)
		}
	}
}

// TestSlotsOfConfigurations checks the findings about tensors that name their operators.
func TestSlotsOfConfigurations(t *testing.T) {
	const head = "version: 1\ntarget: directml@3.0\ntensors:\n  a: {sizes: 2x3, totalBytes: 24, "
	for _, tt := range []struct{ text, want string }{
		{"dtype: float32, operator: DML_OPERATOR_ELEMENT_WISE_ADD, slot: ATensor}", ""},
		{"dtype: float32, operator: CST, slot: InputTensor}",
			`op-known: DirectML has no operator "CST" | did you mean CAST?`},
		{"dtype: float32, operator: CAST, slot: InputTensr}",
			`op-slot: CAST has no tensor "InputTensr" | did you mean InputTensor?`},
		{"dtype: float32, operator: QUANTIZE, slot: InputTensor}",
			`op-level: QUANTIZE came with feature level 6.3, and the target is 3.0`},
		{"dtype: float32, slot: InputTensor}",
			`op-slot: slot "InputTensor" of an operator that is not stated | state the operator`},
		{"dtype: float32, operator: GATHER, slot: OutputTensor, role: input}",
			`op-slot: OutputTensor of GATHER is an output | remove the role`},
		{"dtype: float32, operator: GEMM, slot: ATensor}",
			`leading-ones: GEMM at feature level 3.0 takes ATensor with 4 dimensions, and this one has 2; later ` +
				`levels take ` +
				`it | sizes [1, 1, 2, 3]`},
		{"dtype: int32, operator: ACTIVATION_RELU, slot: InputTensor}",
			`op-dtype: ACTIVATION_RELU at feature level 3.0 takes InputTensor as FLOAT32, FLOAT16, and this one is ` +
				`INT32`},
		{"dtype: float16, strides: [0, 1], operator: ELEMENT_WISE_ADD, slot: OutputTensor}", `broadcast-output: `},
		{"dtype: float32, operator: CONVOLUTION_INTEGER, slot: X}", ""},
	} {
		found := strings.Join(configFindings(t, head+tt.text), "\n")
		if tt.want == "" && found != "" || !strings.Contains(found, tt.want) || strings.Count(found, "\n") > 0 {
			t.Errorf("%s: %s, want %s", tt.text, found, tt.want)
		}
	}
	found := strings.Join(configFindings(t, "version: 1\ntensors:\n  a: {dtype: f32, sizes: 2, operator: GEMM}\n"),
		"\n")
	if !strings.Contains(found, "op-slot: the operator is not looked at") {
		t.Errorf("without a target: %q", found)
	}
}
