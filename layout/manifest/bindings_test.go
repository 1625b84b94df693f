package manifest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/rules"
)

// dxModelText returns a model of one operator on FLOAT32 tensors: resources, the operator's type, its members, its
// initial bindings, and the bindings of a command.
func dxModelText(resources, kind, members, initial, bindings string) string {
	return fmt.Sprintf(`{"resources":{%s},"dispatchables":{"op":{"type":%q,"desc":{%s},"bindings":{%s}}},`+
		`"commands":[{"type":"dispatch","dispatchable":"op","bindings":{%s}}]}`,
		resources, kind, members, initial, bindings)
}

// dxFloats writes a resource of n zeros.
func dxFloats(name string, n int) string {
	return fmt.Sprintf(`%q:{"initialValuesDataType":"FLOAT32","initialValues":{"valueCount":%d,"value":0}}`, name, n)
}

// TestModelRules has a case on either side of each limit of the rules of models.
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
	type ids = []*finding.Rule
	tests := []struct {
		resources, kind, members, initial, bindings string

		rules  ids
		worst  finding.Severity
		reason string
	}{
		{
			resources: pair, kind: relu, members: io, bindings: `"InputTensor":"a","OutputTensor":"b"`,
			reason: "all is well",
		},
		{
			resources: pair, kind: relu, members: io, bindings: `"InputTensor":"a","OutputTensor":"c"`,
			rules: ids{rules.ResourceExists, rules.ResourceUnused}, worst: finding.Error, reason: "there is no c",
		},
		{
			resources: pair, kind: relu, members: io, bindings: `"InputTensor":"a","OutputTensor":"b","BTensor":"b"`,
			rules: ids{rules.BindUnknown}, worst: finding.Warning, reason: "no such point",
		},
		{
			resources: pair, kind: "RNN",
			members: `"InputTensor":{"DataType":"FLOAT32","Sizes":[1,1,1,1]},"WeightTensor":{"DataType":` +
				`"FLOAT32","Sizes":[1,1,1,1]},"RecurrenceTensor":{"DataType":"FLOAT32","Sizes":[1,1,1,1]}`,
			bindings: `"InputTensor":"a","WeightTensor":"a","RecurrenceTensor":"b","BiasTensor":"b"`,
			rules:    ids{rules.BindUnknown}, worst: finding.Warning, reason: "a point whose tensor is left out",
		},
		{
			resources: pair, kind: relu, members: io, bindings: `"InputTensor":"a"`,
			rules: ids{rules.BindMissing, rules.ResourceUnused}, worst: finding.Error,
			reason: "the output has no resource",
		},
		{
			resources: dxFloats("a", 8) + "," + dxFloats("b", 4) + "," + dxFloats("c", 4), kind: split, members: cut,
			bindings: `"InputTensor":"a","OutputTensors":["b","c"]`, reason: "2 resources for 2 tensors",
		},
		{
			resources: dxFloats("a", 8) + "," + dxFloats("b", 4), kind: split, members: cut,
			bindings: `"InputTensor":"a","OutputTensors":["b"]`, rules: ids{rules.BindArrayCount}, worst: finding.Error,
			reason: "1 for 2",
		},
		{
			resources: pair, kind: relu, members: io, bindings: `"InputTensor":["a","a"],"OutputTensor":"b"`,
			rules: ids{rules.BindArrayCount}, worst: finding.Error, reason: "2 for 1",
		},

		{
			resources: dxFloats("a", 7) + "," + dxFloats("b", 8), kind: relu, members: io,
			bindings: `"InputTensor":"a","OutputTensor":"b"`, rules: ids{rules.BindRange}, worst: finding.Error,
			reason: "28 bytes for 32",
		},
		{
			resources: dxFloats("a", 12) + "," + dxFloats("b", 8), kind: relu, members: io,
			bindings: `"InputTensor":` + part("a", 4) + `,"OutputTensor":"b"`, reason: "32 bytes from byte 16 on",
		},
		{
			resources: dxFloats("a", 15) + "," + dxFloats("b", 8), kind: relu, members: io,
			bindings: `"InputTensor":` + part("a", 8) + `,"OutputTensor":"b"`, rules: ids{rules.BindRange},
			worst: finding.Error, reason: "28 bytes from byte 32 on",
		},
		{
			resources: dxFloats("a", 8) + "," + dxFloats("b", 8), kind: relu, members: io,
			bindings: `"InputTensor":` + part("a", 12) + `,"OutputTensor":"b"`, rules: ids{rules.BindRange},
			worst: finding.Error, reason: "an offset behind the end",
		},
		{
			resources: pair, kind: relu, members: io,
			bindings: `"InputTensor":{"name":"a","elementOffset":4611686018427387904,"elementSizeInBytes":4},` +
				`"OutputTensor":"b"`,
			rules: ids{rules.BindRange}, worst: finding.Error, reason: "2^64 bytes: beyond all sizes",
		},
		{
			resources: `"a":{"initialValues":{"sourcePath":"a.npy"}},` + dxFloats("b", 8), kind: relu, members: io,
			bindings: `"InputTensor":"a","OutputTensor":"b"`, reason: "of a file nothing is known",
		},
		{
			resources: dxFloats("a", 11) + "," + dxFloats("b", 8), kind: relu, members: io,
			bindings: `"InputTensor":` + part("a", 3) + `,"OutputTensor":"b"`, rules: ids{rules.BindOffset16},
			worst: finding.Error, reason: "byte 12",
		},
		{
			resources: dxFloats("a", 16) + "," + dxFloats("b", 8), kind: relu,
			members:  strings.Replace(io, "[8]", `[8],"GuaranteedBaseOffsetAlignment":32`, 1),
			bindings: `"InputTensor":` + part("a", 8) + `,"OutputTensor":"b"`,
			reason:   "byte 32, where 32 is guaranteed",
		},
		{
			resources: dxFloats("a", 12) + "," + dxFloats("b", 8), kind: relu,
			members:  strings.Replace(io, "[8]", `[8],"GuaranteedBaseOffsetAlignment":32`, 1),
			bindings: `"InputTensor":` + part("a", 4) + `,"OutputTensor":"b"`, rules: ids{rules.BindOffset16},
			worst: finding.Error, reason: "byte 16, where 32 is guaranteed",
		},

		{
			resources: pair, kind: relu, members: owned, initial: `"InputTensor":"a"`, bindings: `"OutputTensor":"b"`,
			reason: "an owned tensor is bound when the operator is initialized",
		},
		{
			resources: pair, kind: relu, members: owned, bindings: `"InputTensor":"a","OutputTensor":"b"`,
			rules: ids{rules.BindMissing, rules.BindOwned}, worst: finding.Error, reason: "and not by a command",
		},
		{
			resources: pair, kind: relu, members: io, initial: `"InputTensor":"a"`, bindings: `"OutputTensor":"b"`,
			rules: ids{rules.BindOwned}, worst: finding.Error, reason: "one that is not owned is bound by a command",
		},

		{
			resources: dxFloats("a", 8) + "," + dxFloats("b", 8), kind: split, members: cut,
			bindings: `"InputTensor":"a","OutputTensors":["b","b"]`, rules: ids{rules.BindOutputOverlap},
			worst: finding.Error, reason: "the same bytes twice",
		},
		{
			resources: dxFloats("a", 8) + "," + dxFloats("b", 8), kind: split, members: cut,
			bindings: `"InputTensor":"a","OutputTensors":["b",` + part("b", 4) + `]`,
			rules:    ids{rules.BindOutputOverlap}, worst: finding.Warning,
			reason: "side by side: only the ranges meet",
		},
		{
			resources: dxFloats("b", 8), kind: "CAST", members: io, bindings: `"InputTensor":"b","OutputTensor":"b"`,
			rules: ids{rules.BindAlias}, worst: finding.Error, reason: "CAST does not run in place",
		},
		{
			resources: dxFloats("b", 16), kind: "CAST", members: io,
			bindings: `"InputTensor":"b","OutputTensor":` + part("b", 8), rules: ids{rules.BindAlias},
			worst: finding.Warning, reason: "side by side: only the ranges meet",
		},
		{
			resources: dxFloats("b", 8), kind: relu, members: io, bindings: `"InputTensor":"b","OutputTensor":"b"`,
			reason: "RELU does",
		},
		{
			resources: dxFloats("b", 12), kind: relu, members: io,
			bindings: `"InputTensor":"b","OutputTensor":` + part("b",
				4), rules: ids{rules.InPlace}, worst: finding.Error,
			reason: "but not on half the region",
		},
		{
			resources: dxFloats("b", 8), kind: relu,
			members:  strings.Replace(io, "[8]", `[8],"TotalTensorSizeInBytes":28`, 1),
			bindings: `"InputTensor":"b","OutputTensor":"b"`, rules: ids{rules.InPlace}, worst: finding.Error,
			reason: "nor with another total",
		},
		{
			resources: dxFloats("b", 8), kind: relu,
			members: `"InputTensor":{"DataType":"FLOAT32","Sizes":[2,4],"Strides":[1,2]},"OutputTensor":` +
				`{"DataType":"FLOAT32","Sizes":[2,4]}`,
			bindings: `"InputTensor":"b","OutputTensor":"b"`, rules: ids{rules.InPlace}, worst: finding.Warning,
			reason: "older pages forbid other strides",
		},

		{
			resources: strings.Replace(pair, `}}`, `},"sizeInBytes":36}`, 1), kind: relu, members: io,
			bindings: `"InputTensor":"a","OutputTensor":"b"`, reason: "36 bytes, more than needed",
		},
		{
			resources: strings.Replace(pair, `}}`, `},"sizeInBytes":34}`, 1), kind: relu, members: io,
			bindings: `"InputTensor":"a","OutputTensor":"b"`, rules: ids{rules.ResourceSize4}, worst: finding.Warning,
			reason: "34 bytes, not rounded",
		},
		{
			resources: strings.Replace(pair, `}}`, `},"sizeInBytes":30}`, 1), kind: relu, members: io,
			bindings: `"InputTensor":"a","OutputTensor":"b"`, rules: ids{rules.BindRange, rules.ResourceSize4},
			worst: finding.Error, reason: "30 bytes, less than the tensor",
		},
		{
			resources: `"a":{"sizeInBytes":30},` + dxFloats("b", 8), kind: relu, members: io,
			bindings: `"InputTensor":"a","OutputTensor":"b"`, rules: ids{rules.BindRange, rules.ResourceSize4},
			worst: finding.Error, reason: "the same without values",
		},
		{
			resources: strings.Replace(pair, "FLOAT32", "UINT32", 1), kind: relu, members: io,
			bindings: `"InputTensor":"a","OutputTensor":"b"`, rules: ids{rules.ResourceDType}, worst: finding.Note,
			reason: "values of another type",
		},
		{
			resources: dxFloats("a", 24) + "," + dxFloats("b", 24), kind: relu, members: io,
			bindings: `"InputTensor":"a","OutputTensor":"b"`, reason: "64 bytes spare",
		},
		{
			resources: dxFloats("a", 25) + "," + dxFloats("b", 24), kind: relu, members: io,
			bindings: `"InputTensor":"a","OutputTensor":"b"`, rules: ids{rules.ResourceSlack}, worst: finding.Note,
			reason: "68 bytes spare, twice what is needed",
		},
		{
			resources: `"a":{"initialValuesDataType":"FLOAT32","initialValues":[1,2,3,4,5,6,7,8],"sizeInBytes":` +
				`40,"initialValuesOffsetInBytes":8},` + dxFloats("b", 8),
			kind: relu, members: io, bindings: `"InputTensor":"a","OutputTensor":"b"`,
			reason: "values at byte 8 that just fit",
		},
		{
			resources: `"a":{"initialValuesDataType":"FLOAT32","initialValues":[1,2,3,4,5,6,7,8],"sizeInBytes":` +
				`36,"initialValuesOffsetInBytes":8},` + dxFloats("b", 8),
			kind: relu, members: io, bindings: `"InputTensor":"a","OutputTensor":"b"`, rules: ids{rules.ResourceSize4},
			worst: finding.Error, reason: "and do not",
		},
		{
			resources: dxFloats("a", 12) + "," + dxFloats("b", 8), kind: relu, members: io,
			bindings: `"InputTensor":{"name":"a","elementoffset":4},"OutputTensor":"b"`, rules: ids{jsonKeyCase},
			worst: finding.Error, reason: "a slip in a binding",
		},
		{
			resources: pair + "," + dxFloats("c", 8), kind: relu, members: io,
			bindings: `"InputTensor":"a","OutputTensor":"b"`, rules: ids{rules.ResourceUnused}, worst: finding.Note,
			reason: "nobody uses c",
		},
	}
	for _, tt := range tests {
		text := dxModelText(tt.resources, tt.kind, tt.members, tt.initial, tt.bindings)
		var have ids
		worst := finding.Note
		var found []finding.Finding
		for _, f := range dxCheck(t, text, dxLatest) {
			if ofModels(t, f.Rule) {
				have, worst, found = append(have, f.Rule), max(worst, f.Severity), append(found, f)
			}
		}
		if !slices.Equal(have, tt.rules) || worst != tt.worst {
			t.Errorf("%s\n%v, want %v and %v (%s)%s", text, have, tt.rules, tt.worst, tt.reason, dxShown(found))
		}
	}
}

// TestModelTexts has inputs that the parser rejects, and members that it ignores.
func TestModelTexts(t *testing.T) {
	const empty = `"resources":{},"dispatchables":{},"commands":[]`
	tensor := func(members string) string {
		return `{"resources":{},"dispatchables":{"op":{"type":"ELEMENT_WISE_ABS","InputTensor":{` + members +
			`},"OutputTensor":{"DataType":"FLOAT32","Sizes":[2,3]}}},"commands":[]}`
	}
	type ids = []*finding.Rule
	tests := []struct {
		text    string
		rules   ids
		pointer string // of the first
		reason  string
	}{
		{text: `{` + empty + `}`, reason: "the least"},
		{text: `{"resources":{},"dispatchables":{}}`, rules: ids{jsonField}, reason: "commands are required"},
		{
			text: `{"resources":[],"dispatchables":{},"commands":{}}`, rules: ids{jsonField, jsonField},
			pointer: "/resources", reason: "of the wrong kinds",
		},
		{
			text:  `{"resources":{},"dispatchables":{},"commands":[{"type":"dispatch","dispatchable":"x"}]}`,
			rules: ids{jsonField}, pointer: "/commands/0", reason: "bindings are required",
		},
		{
			text: `{"resources":{},"dispatchables":{},"commands":[{"type":"dispatch","dispatchable":"x",` +
				`"bindings":{}}]}`,
			rules: ids{rules.DispatchableExists}, pointer: "/commands/0/dispatchable", reason: "there is no x",
		},
		{
			text:  `{"resources":{},"dispatchables":{},"commands":[{"type":"dispatch","bindings":{}}]}`,
			rules: ids{jsonField}, pointer: "/commands/0", reason: "nothing to dispatch: one finding",
		},
		{
			text: `{"resources":{},"dispatchables":{},"commands":[{"type":"dispatch","dispatchable":3,` +
				`"bindings":{}}]}`,
			rules: ids{jsonField}, pointer: "/commands/0/dispatchable", reason: "a number for its name",
		},
		{
			text: `{"resources":{},"dispatchables":{},"commands":[{"type":"DISPATCH","dispatchable":"x",` +
				`"bindings":{}}]}`,
			rules: ids{rules.DispatchableExists}, pointer: "/commands/0/dispatchable",
			reason: "the case of a command does not matter",
		},
		{
			text: `{"resources":{},"dispatchables":{},"commands":[{"type":"dispach","dispatchable":"x",` +
				`"bindings":{}}]}`,
			rules: ids{jsonField, rules.DispatchableExists}, pointer: "/commands/0/type",
			reason: "its letters do",
		},
		{
			text:  `{"resources":{},"dispatchables":{},"commands":[{"type":"x"},{"type":3}]}`,
			rules: ids{jsonField, jsonField}, pointer: "/commands/0/type", reason: "no commands",
		},
		{
			text: `{"resources":{"r":{"sizeInBytes":4}},"dispatchables":{},"commands":[{"type":"WriteFile",` +
				`"resource":"r"}]}`,
			rules: ids{jsonField}, pointer: "/commands/0", reason: "a file has a name",
		},
		{
			text: `{"resources":{},"dispatchables":{"x":{"type":"hlsl"}},"commands":[{"type":"dispatch",` +
				`"dispatchable":"x","bindings":{"any":"r"}},{"type":"print","resource":"r"}]}`,
			rules: ids{rules.ResourceExists, rules.ResourceExists}, pointer: "/commands/0/bindings/any",
			reason: "a shader's bind points are its own, but resources must exist",
		},
		{
			text:  `{"resources":{},"dispatchables":{"x":{"Type":"onnx"},"y":{}},"commands":[]}`,
			rules: ids{jsonField}, pointer: "/dispatchables/y", reason: "a type is required",
		},
		{text: tensor(`"DataType":"FLOAT32","Sizes":[2,3]`), reason: "a tensor"},
		{
			text: tensor(`"DataType":"FLOAT32","sizes":[2,3]`), rules: ids{jsonKeyCase},
			pointer: "/dispatchables/op/InputTensor/sizes", reason: "a required field with a slip",
		},
		{
			text: tensor(`"DataType":"FLOAT32","Sizes":[2,3],"strides":[1,2]`), rules: ids{jsonKeyCase},
			pointer: "/dispatchables/op/InputTensor/strides", reason: "an optional one",
		},
		{
			text:  tensor(`"Datatype":"FLOAT32","Sizes":[2,3],"Stride":[1,2]`),
			rules: ids{jsonKeyCase, jsonKeyCase}, pointer: "/dispatchables/op/InputTensor/Datatype",
			reason: "two",
		},
		{text: tensor(`"DataType":"FLOAT32","Sizes":[2,3],"Comment":"x"`), reason: "others are ignored"},
		{
			text: tensor(`"DataType":"FLOAT32"`), rules: ids{jsonField}, pointer: "/dispatchables/op/InputTensor",
			reason: "Sizes are required",
		},
		{
			text: tensor(`"DataType":"FLOAT32","Sizes":[2,3],"Sizes":[4]`), rules: ids{jsonDupKey},
			pointer: "/dispatchables/op/InputTensor/Sizes", reason: "twice",
		},
		{
			text: tensor(`"DataType":"FLOAT32","Sizes":[2,3.0]`), rules: ids{jsonInt},
			pointer: "/dispatchables/op/InputTensor/Sizes/1", reason: "a fraction",
		},
		{
			text: tensor(`"DataType":"FLOAT32","Sizes":["2",3]`), rules: ids{jsonInt},
			pointer: "/dispatchables/op/InputTensor/Sizes/0", reason: "a text",
		},
		{
			text: tensor(`"DataType":"FLOAT32","Sizes":[2,3],"Strides":[-1,1]`), rules: ids{jsonInt},
			pointer: "/dispatchables/op/InputTensor/Strides/0", reason: "a negative number",
		},
		{text: tensor(`"DataType":"FLOAT32","Sizes":[2,3],"Strides":[4294967295,1]`), reason: "the largest"},
		{
			text: tensor(`"DataType":"FLOAT32","Sizes":[2,3],"Strides":[4294967296,1]`), rules: ids{jsonInt},
			pointer: "/dispatchables/op/InputTensor/Strides/0", reason: "one more",
		},
		{
			text:  tensor(`"DataType":"FLOAT32","Sizes":[2,3],"TotalTensorSizeInBytes":18446744073709551616`),
			rules: ids{jsonInt}, pointer: "/dispatchables/op/InputTensor/TotalTensorSizeInBytes",
			reason: "a total of 2^64",
		},
		{
			text: tensor(`"Type":"BUFFERS","DataType":"FLOAT32","Sizes":[2,3]`), rules: ids{jsonField},
			pointer: "/dispatchables/op/InputTensor/Type", reason: "no type of tensor",
		},
		{
			text:  strings.Replace(tensor(`"DataType":"FLOAT32","Sizes":[2,3]`), `"InputTensor"`, `"inputTensor"`, 1),
			rules: ids{jsonKeyCase}, pointer: "/dispatchables/op/inputTensor", reason: "a tensor with a slip",
		},
		{
			text: strings.Replace(
				tensor(`"DataType":"FLOAT32","Sizes":[2,3]`),
				`"InputTensor":{`,
				`"InputTensor":null,"x":{`,
				1,
			),
			rules: ids{jsonNullTensor}, pointer: "/dispatchables/op/InputTensor", reason: "null",
		},
	}
	for _, tt := range tests {
		have, first := dxRules(t, tt.text, dxLatest)
		if !slices.Equal(have, tt.rules) || first.Pointer != tt.pointer {
			t.Errorf(
				"%s\n%v at %q, want %v at %q (%s)%s",
				tt.text,
				have,
				first.Pointer,
				tt.rules,
				tt.pointer,
				tt.reason,
				dxShown([]finding.Finding{first}),
			)
		}
	}
}
