package notation

import (
	"fmt"
	"strings"
	"testing"
)

// TestDxDispatchDescriptors writes the documents' descriptors as DxDispatch's JSON.
func TestDxDispatchDescriptors(t *testing.T) {
	json := notationOf(t, "dxdispatch")
	for _, tt := range append(articleDescriptors(), sizeDescriptors()...) {
		strides := ""
		if tt.strides != "" {
			strides = fmt.Sprintf(`, "Strides": [%s]`, tt.strides)
		}
		text := fmt.Sprintf(`{ "DataType": "%s", "Sizes": [%s]%s }`, tt.dtype, tt.sizes, strides)
		checkReadings(t, "dxdispatch", []reading{{text, tt.want, tt.reason}})
		d, err := single(t, "dxdispatch", text, Options{})
		if err != nil {
			continue
		}
		if got := figureOf(t, json, d.Tensor, "TotalTensorSizeInBytes"); got.Bytes != tt.bytes {
			t.Errorf("%s: %d bytes, want %d; %s", text, got.Bytes, tt.bytes, tt.reason)
		}
		total := fmt.Sprintf(`"TotalTensorSizeInBytes": %d }`, tt.bytes)
		if got, err := json.Write(d.Tensor); err != nil || !strings.HasSuffix(got, total) {
			t.Errorf("%s is written %s, %v, want the total %d; %s", text, got, err, tt.bytes, tt.reason)
		}
	}
}

// TestDxDispatchSpellings has the forms that the Guide and the parser's tests show.
func TestDxDispatchSpellings(t *testing.T) {
	const want = "float32 1,1,2,3 @ 6,6,3,1"
	checkReadings(t, "dxdispatch", []reading{
		{`{ "DataType": "FLOAT32", "Sizes": [1,1,2,3], "Strides": [6,6,3,1], "Flags": "OWNED_BY_DML", "TotalTensorSizeInBytes": 24, "GuaranteedBaseOffsetAlignment": 0, "DimensionCount": 4 }`, want, "every member"},
		{`{ "DataType": "DML_TENSOR_DATA_TYPE_FLOAT32", "Sizes": [1,1,2,3] }`, want, "the prefix of the enumeration"},
		{`{"Type": "DML_TENSOR_TYPE_BUFFER", "Desc": {"DataType": "FLOAT32", "Sizes": [1,1,2,3]}}`, want, "wrapped"},
		{`"InputTensor": {"Type": "BUFFER", "Desc": {"DataType": "FLOAT32", "Sizes": [1,1,2,3]}}`, want, "with a name"},
		{`{ "DataType": "FLOAT32", "Sizes": [1,1,2,3,], /* rows */ "Strides": [], // packed
}`, want, "comments, trailing commas; an empty list is no strides"},
		{`{ "Sizes": [1,1,2,3], "Anything": {"x": [1, {"y": 2}]}, "DataType": "FLOAT32" }`, want, "another order, unknown members"},
		{`{ "type": "DML_OPERATOR_GEMM", "desc": { "ATensor": { "DataType": "FLOAT32", "Sizes": [1,1,2,3] }, "TransA": "NONE", "Alpha": 1.0, "Beta": -2.5e-3 } }`, want, "the operator around it, with numbers that are no integers"},
		{`{ "DataType": "FLOAT32", "Sizes": [1,1,2,3,7], "DimensionCount": 4 }`, want, "DimensionCount cuts the list"},
		{`{ "DataType": "FLOAT32", "Sizes": [1,1,2,3], "Strides": [6,6,3,1,9], "DimensionCount": 4 }`, want, "and that of the strides"},
		{`{ "DataType": "FLOAT32", "Sizes": [1,1,2,3], "TotalTensorSizeInBytes": 0 }`, want, "0: computed"},
		{`{ "DataType": "FLOAT32", "Sizes": [1,1,2,3], "Sizes": [9] }`, want, "of members that are given twice, the first"},
		{`{ "DataType": "FLOAT16", "Sizes": [5, 55], "Strides": [9, 3], "TotalTensorSizeInBytes": 123, "GuaranteedBaseOffsetAlignment": 5 }`, "float16 5,55 @ 9,3", "a total that is too small is no fault of the layout"},
	})
}

func TestDxDispatchRefusals(t *testing.T) {
	checkRefusals(t, "dxdispatch", []wrong{
		{`{ "DataType": "FLOAT32", "sizes": [1,1,2,3] }`, "{", "no Sizes", "keys have capital letters"},
		{`{ "Sizes": [1,1,2,3] }`, "[1,1", "no DataType", "DataType is required"},
		{`{ "DataType": "FLOAT32", "Sizes": [1,1,2,3], "Strides": [1] }`, "[1,1,2,3]", "4 sizes and 1 strides", "one stride for each size"},
		{`{ "DataType": "FLOAT32", "Sizes": [1,1,2,3], "DimensionCount": 5 }`, "5", "DimensionCount is 5", "more than there are"},
		{`{ "DataType": "FLOAT33", "Sizes": [2] }`, "FLOAT33", "float32", "no such type"},
		{`{ "DataType": "FLOAT32", "Sizes": "2,3" }`, `"2,3"`, "no list", "a string"},
		{`{ "DataType": "FLOAT32", "Sizes": [2.5] }`, "2.5", "no number", "half a row"},
		{`{ "DataType": "FLOAT32", "Sizes": [2, 3]`, "", "expected", "not closed"},
		{`"Sizes": 4`, "4", "object", "no object"},
	})
}

func TestDxDispatchSkips(t *testing.T) {
	const head = `{ "DataType": "FLOAT32", "Sizes": [2, 3]`
	for _, tt := range []struct{ text, skipped, reason string }{
		{head + " }", "", "nothing else"},
		{head + `, "Flags": "NONE" }`, "", "no flag"},
		{head + `, "Flags": "OWNED_BY_DML" }`, "Flags = OWNED_BY_DML", "a flag"},
		{head + `, "Flags": ["DML_TENSOR_FLAG_NONE", "OWNED_BY_DML"] }`, "Flags = OWNED_BY_DML", "a list of flags"},
		{head + `, "GuaranteedBaseOffsetAlignment": 32 }`, "GuaranteedBaseOffsetAlignment = 32", "an alignment"},
		{head + `, "TotalTensorSizeInBytes": 20 }`, "TotalTensorSizeInBytes = 20, though the elements need 24", "too small"},
		{head + `, "TotalTensorSizeInBytes": 32 }`, "", "larger is allowed"},
	} {
		d, err := single(t, "dxdispatch", tt.text, Options{})
		if got := strings.Join(d.Skipped, "; "); err != nil || got != tt.skipped {
			t.Errorf("%s skips %q, %v, want %q; %s", tt.text, got, err, tt.skipped, tt.reason)
		}
	}
}

// TestDxDispatchSeveral reads the tensors of an operator by their names, and lists by position.
func TestDxDispatchSeveral(t *testing.T) {
	json := notationOf(t, "dxdispatch")
	const operator = `{ "ATensor": { "DataType": "FLOAT32", "Sizes": [1,1,2,3] }, "BTensor": { "DataType": "FLOAT16", "Sizes": [1,1,3,2], "Strides": [6,6,1,3] } }`
	const list = `[ { "DataType": "FLOAT32", "Sizes": [2] }, { "DataType": "INT8", "Sizes": [3] } ]`
	for _, tt := range []struct{ text, name, want string }{
		{operator, "ATensor", "float32 1,1,2,3 @ 6,6,3,1"},
		{operator, "BTensor", "float16 1,1,3,2 @ 6,6,1,3"},
		{list, "0", "float32 2 @ 1"},
		{list, "1", "int8 3 @ 1"},
	} {
		found, err := json.Read(tt.text, Options{})
		if err != nil || len(found) != 2 {
			t.Fatal(found, err)
		}
		if d, err := Choose(found, tt.name); err != nil || meaning(d) != tt.want {
			t.Errorf("%s of %s is %s, %v, want %s", tt.name, tt.text, meaning(d), err, tt.want)
		}
	}
}

func TestDxDispatchWrites(t *testing.T) {
	const want = `{ "DataType": "FLOAT32", "Sizes": [2,3], "Strides": [5,1], "DimensionCount": 2, "TotalTensorSizeInBytes": 32 }`
	if got, err := notationOf(t, "dxdispatch").Write(plainTensor(t, "float32", 0, []int64{2, 3}, []int64{5, 1})); got != want || err != nil {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
	const packed = `{ "DataType": "UINT8", "Sizes": [3], "DimensionCount": 1, "TotalTensorSizeInBytes": 4 }`
	if got, err := notationOf(t, "dxdispatch").Write(plainTensor(t, "uint8", 0, []int64{3}, []int64{1})); got != packed || err != nil {
		t.Errorf("%s, %v, want %s", got, err, packed)
	}
}
