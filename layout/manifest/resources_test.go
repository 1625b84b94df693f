package manifest

import (
	"testing"

	"layoutcalc/layout/descriptor"
)

// TestDxDispatchResources goes through the initialisers that DxDispatch reads.
func TestDxDispatchResources(t *testing.T) {
	tests := []struct {
		text   string
		bytes  int64 // of the initial values; -1 is unknown
		wrong  int   // how many findings
		reason string
	}{
		{text: `{"initialValuesDataType":"FLOAT32","initialValues":[1,2,3]}`, bytes: 12, reason: "a list of one type"},
		{
			text: `{"initialValuesDataType":"DML_TENSOR_DATA_TYPE_FLOAT16","initialValues":[1,"NaN","-Inf"]}`, bytes: 6,
			reason: "words that the parser takes for numbers",
		},
		{
			text: `{"initialValues":[{"type":"UINT32","value":7,"name":"k"},{"type":"FLOAT64","value":1},` +
				`{"type":"UINT8","value":1}]}`,
			bytes: 13, reason: "values with types of their own",
		},
		{
			text: `{"initialValues":[{"type":"FLOAT16","value":7}]}`, wrong: 1,
			reason: "FLOAT16 is not available in this form",
		},
		{
			text: `{"initialValuesDataType":"INT64","initialValues":{"valueCount":3,"value":1}}`, bytes: 24,
			reason: "a constant",
		},
		{
			text:  `{"initialValuesDataType":"INT8","initialValues":{"valueCount":3,"valueStart":1,"valueDelta":2}}`,
			bytes: 3, reason: "a sequence",
		},
		{
			text:  `{"initialValuesDataType":"FLOAT64","initialValues":{"valueCount":1152921504606846975,"value":0}}`,
			bytes: 1<<63 - 8, wrong: 1, reason: "the most that 63 bits hold, but the count has 32",
		},
		{
			text:  `{"initialValuesDataType":"FLOAT64","initialValues":{"valueCount":1152921504606846976,"value":0}}`,
			bytes: -1, wrong: 1, reason: "one more",
		},
		{
			text:  `{"initialValuesDataType":"FLOAT64","initialValues":{"valueCount":9223372036854775808,"value":0}}`,
			bytes: -1, wrong: 1, reason: "a count of 2^63",
		},
		{
			text: `{"initialValuesDataType":"FLOAT64","initialValues":{"valueCount":-1,"value":0}}`, bytes: -1,
			wrong: 1, reason: "a negative count",
		},
		{
			text: `{"initialValuesDataType":"INT4","initialValues":[1,2]}`, bytes: -1, wrong: 1,
			reason: "4-bit types cannot be initialised",
		},
		{text: `{"initialValues":{"sourcePath":"a.npy"}}`, bytes: -1, reason: "the file says"},
		{
			text: `{"initialValuesDataType":"UINT8","initialValues":{"sourcePath":"a.bin"}}`, bytes: -1,
			reason: "the file says",
		},
		{
			text: `{"initialValuesDataType":"FLOAT16","resampleSize":[1,3,4,5],` +
				`"initialValues":{"sourcePath":"A.PNG"}}`,
			bytes: 120, reason: "an image is decoded to a stated size",
		},
		{
			text: `{"initialValuesDataType":"FLOAT16","resampleSize":[4294967295,4294967295,4294967295,5],` +
				`"initialValues":{"sourcePath":"a.jpg"}}`,
			bytes: -1, reason: "a size beyond 64 bits",
		},
		{text: `{"initialValues":"deferred"}`, bytes: -1, reason: "allocated later"},
		{text: `{"initialValues":7}`, bytes: -1, wrong: 1, reason: "none of the forms"},
		{text: `{"initialValuesDataType":"FLOAT"}`, bytes: -1, wrong: 2, reason: "no type, and no values"},
		{text: `{"sizeInBytes":8}`, bytes: -1, reason: "a size alone"},
		{text: `{"sizeInBytes":0}`, bytes: -1, reason: "is stated too if it is 0"},
		{text: `{"sizeInBytes":-1}`, bytes: -1, wrong: 2, reason: "and not if it is negative"},
		{
			text:  `{"initialValuesDataType":"UINT8","initialValues":{"valueCount":4294967295,"value":0}}`,
			bytes: 1<<32 - 1, reason: "the largest count",
		},
		{
			text:  `{"initialValuesDataType":"UINT8","initialValues":{"valueCount":4294967296,"value":0}}`,
			bytes: 1 << 32, wrong: 1, reason: "one more",
		},
		{
			text: `{"initialValuesDataType":"UINT8","initialValues":{"valueCount":0,"value":0}}`, bytes: -1, wrong: 1,
			reason: "a count of 0",
		},
		{text: `{"initialValuesDataType":"UINT8","initialValues":[]}`, bytes: -1, wrong: 1, reason: "no values"},
		{
			text: `{"initialValuesDataType":"UINT8","initialValues":{"valueCount":4}}`, bytes: 4, wrong: 1,
			reason: "no generator",
		},
		{
			text: `{"initialValuesDataType":"UINT8","initialValues":{"valueCount":4,"value":1,"valueStart":1,` +
				`"valueDelta":1}}`,
			bytes: 4, wrong: 1, reason: "two generators",
		},
		{
			text: `{"initialValuesDataType":"UINT8","initialValues":{"valueCount":4,"valueStart":1}}`, bytes: 4,
			wrong: 1, reason: "a sequence without a step",
		},
		{
			text: `{"initialValuesDataType":"UINT8","initialValues":{"valueCount":4,"valueDelta":1}}`, bytes: 4,
			wrong: 1, reason: "a sequence without a start",
		},
		{
			text: `{"initialValuesDataType":"UINT4","initialValues":{"valueCount":4,"value":1}}`, bytes: -1, wrong: 1,
			reason: "one finding for a type that is there, but cannot be",
		},
		{
			text: `{"initialValuesDataType":"UNKNOWN","initialValues":[1]}`, bytes: -1, wrong: 1,
			reason: "a type that says nothing",
		},
		{text: `{"initialValues":[1]}`, bytes: -1, wrong: 1, reason: "no type at all"},
		{
			text: `{"initialValuesDataType":"FLOAT32","initialValues":[1,2,3],"sizeInBytes":16,` +
				`"initialValuesOffsetInBytes":8}`,
			bytes: 20, reason: "the rule compares 20 bytes with 16",
		},
		{
			text:  `{"initialValuesDataType":"FLOAT32","initialValues":[1,2,3],"initialValuesOffsetInBytes":8}`,
			bytes: 12, wrong: 1, reason: "a buffer of 12 bytes does not hold them at byte 8",
		},
		{
			text: `{"initialValuesDataType":"UINT8","initialValues":[1,2,3],"initialValuesOffsetInBytes":1}`, bytes: 3,
			reason: "the buffer of 4 does at byte 1",
		},
		{
			text: `{"initialValuesDataType":"UINT8","initialValues":[1,2,3],"initialValuesOffsetInBytes":2}`, bytes: 3,
			wrong: 1, reason: "and not at byte 2",
		},
		{
			text: `{"initialValuesDataType":"UINT8","initialValues":[1,2,3],"sizeInBytes":4,` +
				`"initialValuesOffsetInBytes":9223372036854775807}`,
			bytes: 3, wrong: 1, reason: "no sum beyond 63 bits",
		},
		{text: `3`, bytes: -1, wrong: 1, reason: "no object"},
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

// TestDxDispatchBindings goes through the forms of bindings that DxDispatch reads.
func TestDxDispatchBindings(t *testing.T) {
	f := dxRead(t, `{"resources":{},"dispatchables":{},"commands":[{"type":"dispatch","dispatchable":"x","bindings":
		{"a":"r","b":{"name":"r","elementCount":4,"elementSizeInBytes":2,"elementOffset":8,"format":"R32_FLOAT",
		"counter":"c"},"c":["r",{"name":"s"}]}},
		{"type":"print","resource":"r"},{"type":"writeFile","resource":"s","targetPath":"s.npy"}]}`)
	commands := f.Model.Commands
	if len(f.Findings) > 0 || len(commands) != 3 || commands[1].Resource != "r" || commands[2].Resource != "s" {
		t.Fatalf("%+v%s", commands, dxShown(f.Findings))
	}
	b := commands[0].Bindings
	if len(b) != 3 || len(b[2].Resources) != 2 || b[2].Resources[1].Name != "s" || b[0].Resources[0].Name != "r" {
		t.Fatalf("%+v", b)
	}
	if r := b[1].Resources[0]; r.Offset != (descriptor.Number{Value: 8, Stated: true}) || r.ElementSize.Value != 2 ||
		r.Counter != "c" {
		t.Errorf("%+v", r)
	}
}
