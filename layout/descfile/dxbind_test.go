package descfile

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/rules"
)

// dxModelText writes a model of one operator on FLOAT32 tensors: resources, the operator's type,
// its members, what initializes it, and what a command binds.
func dxModelText(resources, kind, members, initial, bindings string) string {
	return fmt.Sprintf(`{"resources":{%s},"dispatchables":{"op":{"type":%q,"desc":{%s},"bindings":{%s}}},"commands":[{"type":"dispatch","dispatchable":"op","bindings":{%s}}]}`,
		resources, kind, members, initial, bindings)
}

// dxFloats writes a resource of n zeros.
func dxFloats(name string, n int) string {
	return fmt.Sprintf(`%q:{"initialValuesDataType":"FLOAT32","initialValues":{"valueCount":%d,"value":0}}`, name, n)
}

// TestModelRules has a case on either side of each limit of A3.
func TestModelRules(t *testing.T) {
	const relu, split = "ACTIVATION_RELU", "SPLIT"
	tensor := func(name string, n int) string { return fmt.Sprintf(`%q:{"DataType":"FLOAT32","Sizes":[%d]}`, name, n) }
	list := func(name string, n ...int) string {
		var all []string
		for _, n := range n {
			all = append(all, fmt.Sprintf(`{"DataType":"FLOAT32","Sizes":[%d]}`, n))
		}
		return fmt.Sprintf(`%q:[%s]`, name, strings.Join(all, ","))
	}
	part := func(name string, offset int) string {
		return fmt.Sprintf(`{"name":%q,"elementOffset":%d}`, name, offset)
	}
	io := tensor("InputTensor", 8) + "," + tensor("OutputTensor", 8)
	pair := dxFloats("a", 8) + "," + dxFloats("b", 8)
	owned := `"InputTensor":{"DataType":"FLOAT32","Sizes":[8],"Flags":"OWNED_BY_DML"},` + tensor("OutputTensor", 8)
	cut := tensor("InputTensor", 8) + "," + list("OutputTensors", 4, 4)
	type ids = []rules.ID
	tests := []struct {
		resources, kind, members, initial, bindings string

		rules  ids
		worst  rules.Severity
		reason string
	}{
		{pair, relu, io, "", `"InputTensor":"a","OutputTensor":"b"`, nil, 0, "all is well"},
		{pair, relu, io, "", `"InputTensor":"a","OutputTensor":"c"`, ids{rules.ResourceExists, rules.ResourceUnused}, rules.Error, "there is no c"},
		{pair, relu, io, "", `"InputTensor":"a","OutputTensor":"b","BTensor":"b"`, ids{rules.BindUnknown}, rules.Warning, "no such point"},
		{pair, "RNN", `"InputTensor":{"DataType":"FLOAT32","Sizes":[1,1,1,1]},"WeightTensor":{"DataType":"FLOAT32","Sizes":[1,1,1,1]},"RecurrenceTensor":{"DataType":"FLOAT32","Sizes":[1,1,1,1]}`, "",
			`"InputTensor":"a","WeightTensor":"a","RecurrenceTensor":"b","BiasTensor":"b"`, ids{rules.BindUnknown}, rules.Warning, "a point whose tensor is left out"},
		{pair, relu, io, "", `"InputTensor":"a"`, ids{rules.BindMissing, rules.ResourceUnused}, rules.Error, "the output has no resource"},
		{dxFloats("a", 8) + "," + dxFloats("b", 4) + "," + dxFloats("c", 4), split, cut, "", `"InputTensor":"a","OutputTensors":["b","c"]`, nil, 0, "2 resources for 2 tensors"},
		{dxFloats("a", 8) + "," + dxFloats("b", 4), split, cut, "", `"InputTensor":"a","OutputTensors":["b"]`, ids{rules.BindArrayCount}, rules.Error, "1 for 2"},
		{pair, relu, io, "", `"InputTensor":["a","a"],"OutputTensor":"b"`, ids{rules.BindArrayCount}, rules.Error, "2 for 1"},

		{dxFloats("a", 7) + "," + dxFloats("b", 8), relu, io, "", `"InputTensor":"a","OutputTensor":"b"`, ids{rules.BindRange}, rules.Error, "28 bytes for 32"},
		{dxFloats("a", 12) + "," + dxFloats("b", 8), relu, io, "", `"InputTensor":` + part("a", 4) + `,"OutputTensor":"b"`, nil, 0, "32 bytes from byte 16 on"},
		{dxFloats("a", 15) + "," + dxFloats("b", 8), relu, io, "", `"InputTensor":` + part("a", 8) + `,"OutputTensor":"b"`, ids{rules.BindRange}, rules.Error, "28 bytes from byte 32 on"},
		{dxFloats("a", 8) + "," + dxFloats("b", 8), relu, io, "", `"InputTensor":` + part("a", 12) + `,"OutputTensor":"b"`, ids{rules.BindRange}, rules.Error, "an offset behind the end"},
		{pair, relu, io, "", `"InputTensor":{"name":"a","elementOffset":4611686018427387904,"elementSizeInBytes":4},"OutputTensor":"b"`, ids{rules.BindOffset16}, rules.Error, "2^64 bytes: beyond all sizes"},
		{`"a":{"initialValues":{"sourcePath":"a.npy"}},` + dxFloats("b", 8), relu, io, "", `"InputTensor":"a","OutputTensor":"b"`, nil, 0, "of a file nothing is known"},
		{dxFloats("a", 11) + "," + dxFloats("b", 8), relu, io, "", `"InputTensor":` + part("a", 3) + `,"OutputTensor":"b"`, ids{rules.BindOffset16}, rules.Error, "byte 12"},
		{dxFloats("a", 16) + "," + dxFloats("b", 8), relu, strings.Replace(io, "[8]", `[8],"GuaranteedBaseOffsetAlignment":32`, 1), "", `"InputTensor":` + part("a", 8) + `,"OutputTensor":"b"`, nil, 0, "byte 32, where 32 is guaranteed"},
		{dxFloats("a", 12) + "," + dxFloats("b", 8), relu, strings.Replace(io, "[8]", `[8],"GuaranteedBaseOffsetAlignment":32`, 1), "", `"InputTensor":` + part("a", 4) + `,"OutputTensor":"b"`, ids{rules.BindOffset16}, rules.Error, "byte 16, where 32 is guaranteed"},

		{pair, relu, owned, `"InputTensor":"a"`, `"OutputTensor":"b"`, nil, 0, "an owned tensor is bound when the operator is initialized"},
		{pair, relu, owned, "", `"InputTensor":"a","OutputTensor":"b"`, ids{rules.BindMissing, rules.BindOwned}, rules.Error, "and not by a command"},
		{pair, relu, io, `"InputTensor":"a"`, `"OutputTensor":"b"`, ids{rules.BindOwned}, rules.Error, "one that is not owned is bound by a command"},

		{dxFloats("a", 8) + "," + dxFloats("b", 8), split, cut, "", `"InputTensor":"a","OutputTensors":["b","b"]`, ids{rules.BindOutputOverlap}, rules.Error, "the same bytes twice"},
		{dxFloats("a", 8) + "," + dxFloats("b", 8), split, cut, "", `"InputTensor":"a","OutputTensors":["b",` + part("b", 4) + `]`, ids{rules.BindOutputOverlap}, rules.Warning, "side by side: only the ranges meet"},
		{dxFloats("b", 8), "CAST", io, "", `"InputTensor":"b","OutputTensor":"b"`, ids{rules.BindAlias}, rules.Error, "CAST does not run in place"},
		{dxFloats("b", 16), "CAST", io, "", `"InputTensor":"b","OutputTensor":` + part("b", 8), ids{rules.BindAlias}, rules.Warning, "side by side: only the ranges meet"},
		{dxFloats("b", 8), relu, io, "", `"InputTensor":"b","OutputTensor":"b"`, nil, 0, "RELU does"},
		{dxFloats("b", 12), relu, io, "", `"InputTensor":"b","OutputTensor":` + part("b", 4), ids{rules.InPlace}, rules.Error, "but not on half the region"},
		{dxFloats("b", 8), relu, strings.Replace(io, "[8]", `[8],"TotalTensorSizeInBytes":28`, 1), "", `"InputTensor":"b","OutputTensor":"b"`, ids{rules.InPlace}, rules.Error, "nor with another total"},
		{dxFloats("b", 8), relu, `"InputTensor":{"DataType":"FLOAT32","Sizes":[2,4],"Strides":[1,2]},"OutputTensor":{"DataType":"FLOAT32","Sizes":[2,4]}`, "", `"InputTensor":"b","OutputTensor":"b"`, ids{rules.InPlace}, rules.Warning, "older pages forbid other strides"},

		{strings.Replace(pair, `}}`, `},"sizeInBytes":36}`, 1), relu, io, "", `"InputTensor":"a","OutputTensor":"b"`, nil, 0, "36 bytes, more than needed"},
		{strings.Replace(pair, `}}`, `},"sizeInBytes":34}`, 1), relu, io, "", `"InputTensor":"a","OutputTensor":"b"`, ids{rules.ResourceSize4}, rules.Warning, "34 bytes, not rounded"},
		{strings.Replace(pair, `}}`, `},"sizeInBytes":30}`, 1), relu, io, "", `"InputTensor":"a","OutputTensor":"b"`, ids{rules.BindRange, rules.ResourceSize4}, rules.Error, "30 bytes, less than the tensor"},
		{`"a":{"sizeInBytes":30},` + dxFloats("b", 8), relu, io, "", `"InputTensor":"a","OutputTensor":"b"`, ids{rules.BindRange, rules.ResourceSize4}, rules.Error, "the same without values"},
		{strings.Replace(pair, "FLOAT32", "UINT32", 1), relu, io, "", `"InputTensor":"a","OutputTensor":"b"`, ids{rules.ResourceDType}, rules.Note, "values of another type"},
		{dxFloats("a", 24) + "," + dxFloats("b", 24), relu, io, "", `"InputTensor":"a","OutputTensor":"b"`, nil, 0, "64 bytes spare"},
		{dxFloats("a", 25) + "," + dxFloats("b", 24), relu, io, "", `"InputTensor":"a","OutputTensor":"b"`, ids{rules.ResourceSlack}, rules.Note, "68 bytes spare, twice what is needed"},
		{`"a":{"initialValuesDataType":"FLOAT32","initialValues":[1,2,3,4,5,6,7,8],"sizeInBytes":40,"initialValuesOffsetInBytes":8},` + dxFloats("b", 8), relu, io, "", `"InputTensor":"a","OutputTensor":"b"`, nil, 0, "values at byte 8 that just fit"},
		{`"a":{"initialValuesDataType":"FLOAT32","initialValues":[1,2,3,4,5,6,7,8],"sizeInBytes":36,"initialValuesOffsetInBytes":8},` + dxFloats("b", 8), relu, io, "", `"InputTensor":"a","OutputTensor":"b"`, ids{rules.ResourceSize4}, rules.Error, "and do not"},
		{dxFloats("a", 12) + "," + dxFloats("b", 8), relu, io, "", `"InputTensor":{"name":"a","elementoffset":4},"OutputTensor":"b"`, ids{rules.JSONKeyCase}, rules.Error, "a slip in a binding"},
		{pair + "," + dxFloats("c", 8), relu, io, "", `"InputTensor":"a","OutputTensor":"b"`, ids{rules.ResourceUnused}, rules.Note, "nobody uses c"},
	}
	for _, tt := range tests {
		text := dxModelText(tt.resources, tt.kind, tt.members, tt.initial, tt.bindings)
		var have ids
		worst := rules.Note
		var found []rules.Finding
		for _, f := range dxCheck(t, text, dxLatest) {
			if f.Rule >= rules.OpKnown && f.Rule <= rules.JSONField {
				have, worst, found = append(have, f.Rule), max(worst, f.Severity), append(found, f)
			}
		}
		if !slices.Equal(have, tt.rules) || worst != tt.worst {
			t.Errorf("%s\n%v, want %v and %v (%s)%s", text, have, tt.rules, tt.worst, tt.reason, dxShown(found))
		}
	}
}

// TestModelTexts has what the parser refuses, and what it ignores.
func TestModelTexts(t *testing.T) {
	const empty = `"resources":{},"dispatchables":{},"commands":[]`
	tensor := func(members string) string {
		return `{"resources":{},"dispatchables":{"op":{"type":"ELEMENT_WISE_ABS","InputTensor":{` + members + `},"OutputTensor":{"DataType":"FLOAT32","Sizes":[2,3]}}},"commands":[]}`
	}
	type ids = []rules.ID
	tests := []struct {
		text    string
		rules   ids
		pointer string // of the first
		reason  string
	}{
		{`{` + empty + `}`, nil, "", "the least"},
		{`{"resources":{},"dispatchables":{}}`, ids{rules.JSONField}, "", "commands are required"},
		{`{"resources":[],"dispatchables":{},"commands":{}}`, ids{rules.JSONField, rules.JSONField}, "/resources", "of the wrong kinds"},
		{`{"resources":{},"dispatchables":{},"commands":[{"type":"dispatch","dispatchable":"x"}]}`, ids{rules.JSONField}, "/commands/0", "bindings are required"},
		{`{"resources":{},"dispatchables":{},"commands":[{"type":"dispatch","dispatchable":"x","bindings":{}}]}`, ids{rules.DispatchableExists}, "/commands/0/dispatchable", "there is no x"},
		{`{"resources":{},"dispatchables":{},"commands":[{"type":"DISPATCH","dispatchable":"x","bindings":{}}]}`, ids{rules.DispatchableExists}, "/commands/0/dispatchable", "the case of a command does not matter"},
		{`{"resources":{},"dispatchables":{},"commands":[{"type":"dispach","dispatchable":"x","bindings":{}}]}`, ids{rules.JSONField, rules.DispatchableExists}, "/commands/0/type", "its letters do"},
		{`{"resources":{},"dispatchables":{},"commands":[{"type":"x"},{"type":3}]}`, ids{rules.JSONField, rules.JSONField}, "/commands/0/type", "no commands"},
		{`{"resources":{"r":{"sizeInBytes":4}},"dispatchables":{},"commands":[{"type":"WriteFile","resource":"r"}]}`, ids{rules.JSONField}, "/commands/0", "a file has a name"},
		{`{"resources":{},"dispatchables":{"x":{"type":"hlsl"}},"commands":[{"type":"dispatch","dispatchable":"x","bindings":{"any":"r"}},{"type":"print","resource":"r"}]}`,
			ids{rules.ResourceExists, rules.ResourceExists}, "/commands/0/bindings/any", "a shader's bind points are its own, but resources must exist"},
		{`{"resources":{},"dispatchables":{"x":{"Type":"onnx"},"y":{}},"commands":[]}`, ids{rules.JSONField}, "/dispatchables/y", "a type is required"},
		{tensor(`"DataType":"FLOAT32","Sizes":[2,3]`), nil, "", "a tensor"},
		{tensor(`"DataType":"FLOAT32","sizes":[2,3]`), ids{rules.JSONKeyCase}, "/dispatchables/op/InputTensor/sizes", "a required field with a slip"},
		{tensor(`"DataType":"FLOAT32","Sizes":[2,3],"strides":[1,2]`), ids{rules.JSONKeyCase}, "/dispatchables/op/InputTensor/strides", "an optional one"},
		{tensor(`"Datatype":"FLOAT32","Sizes":[2,3],"Stride":[1,2]`), ids{rules.JSONKeyCase, rules.JSONKeyCase}, "/dispatchables/op/InputTensor/Datatype", "two"},
		{tensor(`"DataType":"FLOAT32","Sizes":[2,3],"Comment":"x"`), nil, "", "others are ignored"},
		{tensor(`"DataType":"FLOAT32"`), ids{rules.JSONField}, "/dispatchables/op/InputTensor", "Sizes are required"},
		{tensor(`"DataType":"FLOAT32","Sizes":[2,3],"Sizes":[4]`), ids{rules.JSONDupKey}, "/dispatchables/op/InputTensor/Sizes", "twice"},
		{tensor(`"DataType":"FLOAT32","Sizes":[2,3.0]`), ids{rules.JSONInt}, "/dispatchables/op/InputTensor/Sizes/1", "a fraction"},
		{tensor(`"DataType":"FLOAT32","Sizes":["2",3]`), ids{rules.JSONInt}, "/dispatchables/op/InputTensor/Sizes/0", "a text"},
		{tensor(`"DataType":"FLOAT32","Sizes":[2,3],"Strides":[-1,1]`), ids{rules.JSONInt}, "/dispatchables/op/InputTensor/Strides/0", "a negative number"},
		{tensor(`"DataType":"FLOAT32","Sizes":[2,3],"Strides":[4294967295,1]`), nil, "", "the largest"},
		{tensor(`"DataType":"FLOAT32","Sizes":[2,3],"Strides":[4294967296,1]`), ids{rules.JSONInt}, "/dispatchables/op/InputTensor/Strides/0", "one more"},
		{tensor(`"DataType":"FLOAT32","Sizes":[2,3],"TotalTensorSizeInBytes":18446744073709551616`), ids{rules.JSONInt}, "/dispatchables/op/InputTensor/TotalTensorSizeInBytes", "a total of 2^64"},
		{tensor(`"Type":"BUFFERS","DataType":"FLOAT32","Sizes":[2,3]`), ids{rules.JSONField}, "/dispatchables/op/InputTensor/Type", "no type of tensor"},
		{strings.Replace(tensor(`"DataType":"FLOAT32","Sizes":[2,3]`), `"InputTensor"`, `"inputTensor"`, 1), ids{rules.JSONKeyCase}, "/dispatchables/op/inputTensor", "a tensor with a slip"},
		{strings.Replace(tensor(`"DataType":"FLOAT32","Sizes":[2,3]`), `"InputTensor":{`, `"InputTensor":null,"x":{`, 1), ids{rules.JSONNullTensor}, "/dispatchables/op/InputTensor", "null"},
	}
	for _, tt := range tests {
		have, first := dxRules(t, tt.text, dxLatest)
		if !slices.Equal(have, tt.rules) || first.Pointer != tt.pointer {
			t.Errorf("%s\n%v at %q, want %v at %q (%s)%s", tt.text, have, first.Pointer, tt.rules, tt.pointer, tt.reason, dxShown([]rules.Finding{first}))
		}
	}
}
