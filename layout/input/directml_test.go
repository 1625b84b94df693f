package input_test

import (
	"errors"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/input"
	"layoutcalc/layout/notation"
)

// directML reads text without a notation and with each DirectML notation, which must not change its tensors.
func directML(t *testing.T, text, name string) (x input.Tensor, err error) {
	t.Helper()
	in, err := input.Text(text, input.Options{})
	if err == nil {
		x, err = in.Tensor(name)
	}
	for _, from := range []string{"dml", "dxdispatch"} {
		n, findErr := notation.Find(from)
		if findErr != nil {
			t.Fatal(findErr)
		}
		y := input.Tensor{}
		in, fromErr := input.Text(text, input.Options{From: n})
		if fromErr == nil {
			y, fromErr = in.Tensor(name)
		}
		if (err == nil) != (fromErr == nil) || err == nil && (y.Layout().String() != x.Layout().String() ||
			y.DType() != x.DType()) {
			t.Errorf("%s: %v, %v; with --from %s %v, %v", text, x.Layout(), err, from, y.Layout(), fromErr)
		}
	}
	return x, err
}

// TestDirectMLSpellings has the forms that the Guide of DxDispatch and the tests of its parser show, and parts of
// models as people copy them.
func TestDirectMLSpellings(t *testing.T) {
	const descriptor = `{"DataType": "FLOAT32", "Sizes": [1,1,2,3]}`
	for _, tt := range []struct{ text, name, reason string }{
		{
			`{ "DataType": "FLOAT32", "Sizes": [1,1,2,3], "Strides": [6,6,3,1], "Flags": "OWNED_BY_DML", ` +
				`"TotalTensorSizeInBytes": 24, "GuaranteedBaseOffsetAlignment": 0, "DimensionCount": 4 }`, "",
			"every member",
		},
		{`{ "DataType": "DML_TENSOR_DATA_TYPE_FLOAT32", "Sizes": [1,1,2,3] }`, "", "the prefix of the enumeration"},
		{`{"Type": "DML_TENSOR_TYPE_BUFFER", "Desc": ` + descriptor + `}`, "", "wrapped"},
		{`"InputTensor": {"Type": "BUFFER", "Desc": ` + descriptor + `}`, "InputTensor", "a member"},
		{`"InputTensor": ` + descriptor + `,`, "InputTensor", "with its comma"},
		{`"A": {"DataType": "INT8", "Sizes": [1]}, "B": ` + descriptor, "B", "several members"},
		{`"InputTensors": [` + descriptor + `]`, "InputTensors[0]", "a list"},
		{descriptor + `,`, "[0]", "an item of a list with its comma"},
		{`"DataType": "FLOAT32", "Sizes": [1,1,2,3]`, "", "without its braces"},
		{`{'DataType': 'FLOAT32', 'Sizes': [1, 1, 2, 3]}`, "", "as Python prints it"},
		{`'` + descriptor + `'`, "", "in quotes that a shell of Windows leaves"},
		{`"[` + descriptor + `]"`, "[0]", "and in other quotes"},
		{`InputTensor: ` + descriptor, "InputTensor", "in YAML"},
		{"{ \"DataType\": \"FLOAT32\", \"Sizes\": [1,1,2,3,], /* rows */ \"Strides\": [], // packed\n}", "",
			"comments, trailing commas; an empty list of strides is as none"},
		{`{ "DataType": "FLOAT32", "Sizes": [1,1,2,3,7], "DimensionCount": 4 }`, "", "DimensionCount cuts the list"},
		{`{ "DataType": "FLOAT32", "Sizes": [1,1,2,3], "Strides": [6,6,3,1,9], "DimensionCount": 4 }`, "",
			"and the list of strides"},
		{`{ "Sizes": [1,1,2,3], "Anything": {"x": [1, {"y": 2}]}, "DataType": "FLOAT32" }`, "",
			"another order, unknown members"},
		{`{ "type": "DML_OPERATOR_GEMM", "desc": { "ATensor": ` + descriptor +
			`, "TransA": "NONE", "Alpha": 1.0, "Beta": -2.5e-3 } }`, "ATensor",
			"the operator around it, with numbers that are not integers"},
		{`{ "DataType": "FLOAT32", "Sizes": [1,1,2,3], "Sizes": [9] }`, "", "the first of two members"},
	} {
		x, err := directML(t, tt.text, tt.name)
		strides, _ := x.Layout().LinearStrides()
		if err != nil || layout.JoinInts(x.Layout().Sizes(), ",") != "1,1,2,3" ||
			layout.JoinInts(strides, ",") != "6,6,3,1" || x.DType().String() != "float32" {
			t.Errorf("%s: %v, %v; %s", tt.text, x.Layout(), err, tt.reason)
		}
	}
}

// TestDirectMLErrors has descriptors that DxDispatch does not read either.
func TestDirectMLErrors(t *testing.T) {
	for _, tt := range []struct{ text, want, reason string }{
		{`{ "Sizes": [1,1,2,3] }`, `the member "DataType" is required`, "DataType is required"},
		{`{ "DataType": "FLOAT32", "Strides": [1] }`, `the member "Sizes" is required`, "Sizes is required"},
		{`{ "DataType": "FLOAT32", "Sizes": [1,1,2,3], "Strides": [1] }`, "4 sizes", "one stride for each size"},
		{`{ "DataType": "FLOAT32", "Sizes": [1,1,2,3], "Strides": null }`, "null", "null is not a list"},
		{`{ "DataType": "FLOAT32", "Sizes": [1,1,2,3], "DimensionCount": 5 }`, "DimensionCount is 5", "too many"},
		{`{ "DataType": "FLOAT33", "Sizes": [2] }`, "FLOAT33", "no such type"},
		{`{ "DataType": "float32", "Sizes": [2] }`, "float32", "types are in capitals"},
		{`{ "DataType": "FLOAT32", "Sizes": "2,3" }`, "list", "a string"},
		{`{ "DataType": "FLOAT32", "Sizes": [2.5] }`, "2.5", "half a row"},
		{`{ "DataType": "FLOAT32", "Sizes": [2, 3]`, `"{" is not closed`, "not closed"},
		{`"InputTensor": { "DataType": "FLOAT32", "Sizes": [2, 3]`, `"{" is not closed`, "a part that is not closed"},
	} {
		if _, err := directML(t, tt.text, ""); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s; %s", tt.text, err, tt.want, tt.reason)
		}
	}
	_, err := directML(t, `{ "DataType": "UINT8", "Sizes": [4294967295, 4294967295] }`, "")
	if overflow := new(layout.OverflowError); !errors.As(err, &overflow) {
		t.Errorf("2^64 - 2^33 + 1 bytes: %v, want an overflow", err)
	}
}

// TestDirectMLUnread checks the note on a descriptor that cannot be read next to a valid one.
func TestDirectMLUnread(t *testing.T) {
	x, err := directML(t, `{"A": {"DataType": "INT8", "Sizes": [2]}, "B": {"DataType": "INT8"}}`, "")
	if want := `B is not read: the member "Sizes" is required`; err != nil || strings.Join(x.Notes, "; ") != want {
		t.Errorf("notes %q, %v, want %q", x.Notes, err, want)
	}
}

// TestDirectMLWritten reads tensors that were written as DirectML JSON.
func TestDirectMLWritten(t *testing.T) {
	json, err := notation.Find("dxdispatch")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"{DataType:FLOAT32,Sizes:[2,3],Strides:[5,1]}", "{DataType:UINT8,Sizes:[3]}", "{DataType:INT4,Sizes:[3,3]}",
		"{DataType:FLOAT16,Sizes:[3,2,5],Strides:[0,0,1]}", "{DataType:UNKNOWN,Sizes:[1,2],Strides:[7,2]}",
	} {
		found, err := notation.Read(text, notation.Options{})
		if err != nil {
			t.Fatal(err)
		}
		written, err := json.Write(found[0].Tensor)
		if err != nil {
			t.Fatal(err)
		}
		x, err := directML(t, written, "")
		want := found[0].Tensor
		if err != nil || x.Layout().String() != want.Layout().String() || x.DType() != want.DType() {
			t.Errorf("%s is written as %s, which is read as %v, %v", text, written, x.Layout(), err)
		}
	}
}
