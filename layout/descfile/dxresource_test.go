package descfile

import (
	"testing"

	"layoutcalc/layout/rules"
)

// TestDxDispatchResources goes through the initialisers of C4.
func TestDxDispatchResources(t *testing.T) {
	tests := []struct {
		text   string
		bytes  int64 // of the initial values; -1 is unknown
		wrong  int   // how many findings
		reason string
	}{
		{`{"initialValuesDataType":"FLOAT32","initialValues":[1,2,3]}`, 12, 0, "a list of one type"},
		{`{"initialValuesDataType":"DML_TENSOR_DATA_TYPE_FLOAT16","initialValues":[1,"NaN","-Inf"]}`, 6, 0, "words that the parser takes for numbers"},
		{`{"initialValues":[{"type":"UINT32","value":7,"name":"k"},{"type":"FLOAT64","value":1},{"type":"UINT8","value":1}]}`, 13, 0, "values with types of their own"},
		{`{"initialValues":[{"type":"FLOAT16","value":7}]}`, 0, 1, "FLOAT16 is not available in this form"},
		{`{"initialValuesDataType":"INT64","initialValues":{"valueCount":3,"value":1}}`, 24, 0, "a constant"},
		{`{"initialValuesDataType":"INT8","initialValues":{"valueCount":3,"valueStart":1,"valueDelta":2}}`, 3, 0, "a sequence"},
		{`{"initialValuesDataType":"FLOAT64","initialValues":{"valueCount":1152921504606846975,"value":0}}`, 1<<63 - 8, 1, "the most that 63 bits hold, but the count has 32"},
		{`{"initialValuesDataType":"FLOAT64","initialValues":{"valueCount":1152921504606846976,"value":0}}`, -1, 1, "one more"},
		{`{"initialValuesDataType":"FLOAT64","initialValues":{"valueCount":9223372036854775808,"value":0}}`, -1, 1, "a count of 2^63"},
		{`{"initialValuesDataType":"FLOAT64","initialValues":{"valueCount":-1,"value":0}}`, -1, 1, "a negative count"},
		{`{"initialValuesDataType":"INT4","initialValues":[1,2]}`, -1, 1, "4-bit types cannot be initialised"},
		{`{"initialValues":{"sourcePath":"a.npy"}}`, -1, 0, "the file says"},
		{`{"initialValuesDataType":"UINT8","initialValues":{"sourcePath":"a.bin"}}`, -1, 0, "the file says"},
		{`{"initialValuesDataType":"FLOAT16","resampleSize":[1,3,4,5],"initialValues":{"sourcePath":"A.PNG"}}`, 120, 0, "an image is decoded to a stated size"},
		{`{"initialValuesDataType":"FLOAT16","resampleSize":[4294967295,4294967295,4294967295,5],"initialValues":{"sourcePath":"a.jpg"}}`, -1, 0, "a size beyond 64 bits"},
		{`{"initialValues":"deferred"}`, -1, 0, "allocated later"},
		{`{"initialValues":7}`, -1, 1, "none of the forms"},
		{`{"initialValuesDataType":"FLOAT"}`, -1, 2, "no type, and no values"},
		{`{"sizeInBytes":8}`, -1, 0, "a size alone"},
		{`{"initialValuesDataType":"UINT8","initialValues":{"valueCount":4294967295,"value":0}}`, 1<<32 - 1, 0, "the largest count"},
		{`{"initialValuesDataType":"UINT8","initialValues":{"valueCount":4294967296,"value":0}}`, 1 << 32, 1, "one more"},
		{`{"initialValuesDataType":"UINT8","initialValues":{"valueCount":0,"value":0}}`, -1, 1, "a count of 0"},
		{`{"initialValuesDataType":"UINT8","initialValues":[]}`, -1, 1, "no values"},
		{`{"initialValuesDataType":"UINT8","initialValues":{"valueCount":4}}`, 4, 1, "no generator"},
		{`{"initialValuesDataType":"UINT8","initialValues":{"valueCount":4,"value":1,"valueStart":1,"valueDelta":1}}`, 4, 1, "two generators"},
		{`{"initialValuesDataType":"UINT8","initialValues":{"valueCount":4,"valueStart":1}}`, 4, 1, "a sequence without a step"},
		{`{"initialValuesDataType":"UINT8","initialValues":{"valueCount":4,"valueDelta":1}}`, 4, 1, "a sequence without a start"},
		{`{"initialValuesDataType":"UINT4","initialValues":{"valueCount":4,"value":1}}`, -1, 1, "one finding for a type that is there, but cannot be"},
		{`{"initialValuesDataType":"UNKNOWN","initialValues":[1]}`, -1, 1, "a type that says nothing"},
		{`{"initialValues":[1]}`, -1, 1, "no type at all"},
		{`{"initialValuesDataType":"FLOAT32","initialValues":[1,2,3],"sizeInBytes":16,"initialValuesOffsetInBytes":8}`, 20, 0, "the rule compares 20 bytes with 16"},
		{`{"initialValuesDataType":"FLOAT32","initialValues":[1,2,3],"initialValuesOffsetInBytes":8}`, 12, 1, "a buffer of 12 bytes does not hold them at byte 8"},
		{`{"initialValuesDataType":"UINT8","initialValues":[1,2,3],"initialValuesOffsetInBytes":1}`, 3, 0, "the buffer of 4 does at byte 1"},
		{`{"initialValuesDataType":"UINT8","initialValues":[1,2,3],"sizeInBytes":4,"initialValuesOffsetInBytes":9223372036854775807}`, 1<<63 - 1, 0, "no sum beyond 63 bits"},
		{`3`, -1, 1, "no object"},
	}
	for _, tt := range tests {
		f := dxRead(t, `{"resources":{"r":`+tt.text+`},"dispatchables":{},"commands":[]}`)
		r := f.Model.Resources[0]
		have := r.Initial.Value
		if !r.Initial.Stated {
			have = -1
		}
		if have != tt.bytes || len(f.Findings) != tt.wrong {
			t.Errorf("%s: %d bytes, want %d (%s)%s", tt.text, have, tt.bytes, tt.reason, dxShown(f.Findings))
		}
	}
}

// TestDxDispatchBindings goes through the forms of C5.
func TestDxDispatchBindings(t *testing.T) {
	f := dxRead(t, `{"resources":{},"dispatchables":{},"commands":[{"type":"dispatch","dispatchable":"x","bindings":
		{"a":"r","b":{"name":"r","elementCount":4,"elementSizeInBytes":2,"elementOffset":8,"format":"R32_FLOAT","counter":"c"},"c":["r",{"name":"s"}]}},
		{"type":"print","resource":"r"},{"type":"writeFile","resource":"s","targetPath":"s.npy"}]}`)
	commands := f.Model.Commands
	if len(f.Findings) > 0 || len(commands) != 3 || commands[1].Resource != "r" || commands[2].Resource != "s" {
		t.Fatalf("%+v%s", commands, dxShown(f.Findings))
	}
	b := commands[0].Bindings
	if len(b) != 3 || len(b[2].Resources) != 2 || b[2].Resources[1].Name != "s" || b[0].Resources[0].Name != "r" {
		t.Fatalf("%+v", b)
	}
	if r := b[1].Resources[0]; r.Offset != (rules.Number{Value: 8, Stated: true}) || r.ElementSize.Value != 2 || r.Counter != "c" {
		t.Errorf("%+v", r)
	}
}
