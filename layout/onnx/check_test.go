package onnx

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/tensorfile"
)

// encoded returns a model that is written in protobuf's text format.
func encoded(t testing.TB, text string) []byte {
	t.Helper()
	data, err := layouttest.ONNX(text)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// found returns the findings of a model, as severities, rules and messages. The files beside it have the sizes of a
// map.
func found(t testing.TB, data []byte, files map[string]int64) (list []string) {
	t.Helper()
	m, err := Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return []string{"error " + err.Error()}
	}
	m.Check(func(location string) DataFile {
		size, ok := files[location]
		if !ok {
			return DataFile{Missing: "is missing"}
		}
		return DataFile{Size: size}
	}, func(f finding.Finding) {
		list = append(list, fmt.Sprintf("%v %v %s: %s", f.Severity, f.Rule, f.Tensor, f.Message))
	})
	return list
}

const (
	head = `ir_version: 8 opset_import { version: 17 } graph { `
	wOf  = `initializer { name: "w" dims: [2, 3] data_type: FLOAT `
	w    = wOf + `raw_data: 24 bytes } `
)

func initializer(fields string) string { return head + `initializer { name: "w" ` + fields + ` } }` }

func input(fields string) string { return head + `input { name: "x" ` + fields + ` } }` }

func typed(elem, dims string) string {
	return `type { tensor_type { elem_type: ` + elem + ` shape { ` + dims + ` } } }`
}

func external(entries string) string {
	text := wOf + `data_location: EXTERNAL `
	for entry := range strings.SplitSeq(entries, "; ") {
		key, value, _ := strings.Cut(entry, "=")
		text += fmt.Sprintf(`external_data { key: %q value: %q } `, key, value)
	}
	return head + text + `} }`
}

func sparse(values, indices, dims string) string {
	return head + `sparse_initializer { values { name: "w" ` + values + ` } indices { ` + indices + ` } dims: ` + dims +
		` } }`
}

func conv(op, shape, attributes, more string) string {
	rank := strings.Count(shape, ",") + 1
	if !strings.Contains(more, `"x"`) {
		more += ` input { name: "x" ` + typed("INT8", strings.Repeat("dim { } ", rank)) + ` }`
	}
	bias := ""
	if strings.Contains(more, `"b"`) {
		bias = "b"
	}
	return head + `node { input: ["x", "w", "` + bias + `"] output: "y" name: "c" op_type: "` + op + `" ` + attributes +
		` } initializer { name: "w" data_type: INT8 dims: ` + shape + ` raw_data: 144 bytes } ` + more + ` }`
}

// fed is a model with an operator of two inputs, which have sizes and no weights.
func fed(op, a, b string) string {
	input := func(name, sizes string) string {
		dims := ""
		for size := range strings.SplitSeq(strings.Trim(sizes, "[]"), ", ") {
			dims += "dim { dim_value: " + size + " } "
		}
		return `input { name: "` + name + `" ` + typed("FLOAT", dims) + ` } `
	}
	return head + `node { input: ["a", "b"] output: "y" name: "n" op_type: "` + op + `" } ` + input("a", a) +
		input("b", b) + `}`
}

// transpose is a model with a Transpose of three open sizes.
func transpose(perm string) string {
	return head + `node { input: "x" output: "y" name: "t" op_type: "Transpose" attribute { name: "perm" ints: ` +
		perm + ` } } input { name: "x" ` + typed("FLOAT", "dim { } dim { } dim { }") + ` } }`
}

// convOfConstant is conv with weights that a node writes.
func convOfConstant(shape string) string {
	return head + `node { output: "w" name: "k" op_type: "Constant" attribute { name: "value" t { dims: ` + shape +
		` data_type: INT8 raw_data: 144 bytes } } } ` +
		`node { input: ["x", "w"] output: "y" name: "c" op_type: "Conv" ` +
		`attribute { name: "kernel_shape" ints: [3, 3] } } }`
}

// ofType is a model of conv with weights of another type.
func ofType(name, model string) string {
	bytes := map[string]string{"FLOAT": "576 bytes", "INT64": "1152 bytes"}[name] // 144 elements
	return strings.ReplaceAll(strings.ReplaceAll(model, "INT8", name), "144 bytes", bytes)
}

// biasOfConstant is the bias of conv as numbers that a node writes.
func biasOfConstant(name, numbers string) string {
	return `node { output: "b" op_type: "Constant" attribute { name: "` + name + `" ` + numbers + ` } }`
}

func TestBoundaries(t *testing.T) {
	files := map[string]int64{"w.bin": 24, "large.bin": 1 << 20, "a..b.bin": 24, "sub/w.bin": 24}
	const pair = `[2] data_type: FLOAT raw_data: 8 bytes`
	type test struct {
		rule  *finding.Rule
		right string
		wrong string
		word  string // of the message
		mild  string // the severity where it is not the rule's own
	}
	tests := []test{
		{
			rule: onnxIRVersion, word: "ir_version is 0",
			right: `ir_version: 1 graph { }`,
			wrong: `ir_version: 0 graph { }`,
		},
		{
			rule: onnxIRVersion, word: "15, and 14 is the newest", mild: "warning",
			right: `ir_version: 14 opset_import { } graph { }`,
			wrong: `ir_version: 15 opset_import { } graph { }`,
		},
		{
			rule: onnxIRVersion, word: "ir_version is 0",
			right: `ir_version: 1 graph { }`,
			wrong: `graph { }`,
		},
		{
			rule: onnxOpset, word: "no opset_import",
			right: `ir_version: 3 opset_import { } graph { }`,
			wrong: `ir_version: 3 graph { }`,
		},
		{
			rule: onnxOpset, word: "does not have",
			right: `ir_version: 2 graph { }`,
			wrong: `ir_version: 2 opset_import { } graph { }`,
		},
		{
			rule: onnxOpset, word: "twice", mild: "warning",
			right: `ir_version: 3 opset_import { domain: "a" } opset_import { domain: "b" } graph { }`,
			wrong: `ir_version: 3 opset_import { domain: "ai.onnx" } opset_import { } graph { }`,
		},
		{
			rule: onnxOperator, word: "ONNX has no operator \"Reluu\"",
			right: `ir_version: 8 opset_import { version: 17 } graph { node { op_type: "Relu" } }`,
			wrong: `ir_version: 8 opset_import { version: 17 } graph { node { op_type: "Reluu" } }`,
		},
		{
			rule: onnxOperator, word: "an operator since the set 20",
			right: `ir_version: 8 opset_import { version: 20 } graph { node { op_type: "Gelu" } }`,
			wrong: `ir_version: 8 opset_import { version: 19 } graph { node { op_type: "Gelu" } }`,
		},
		{
			rule: onnxOperator, word: "not an operator any more since set 10",
			right: `ir_version: 8 opset_import { version: 9 } graph { node { op_type: "Upsample" } }`,
			wrong: `ir_version: 8 opset_import { version: 10 } graph { node { op_type: "Upsample" } }`,
		},
		{
			rule: onnxOperator, word: "since the set 21",
			right: `ir_version: 8 opset_import { version: 21 } graph { node { op_type: "GroupNormalization" } }`,
			wrong: `ir_version: 8 opset_import { version: 18 } graph { node { op_type: "GroupNormalization" } }`,
		},
		{
			rule: onnxOperator, word: "LayerNormalization", mild: "warning",
			right: `ir_version: 8 opset_import { version: 17 } graph { node { op_type: "LayerNormalization" } }`,
			wrong: `ir_version: 8 opset_import { version: 16 } graph { node { op_type: "LayerNormalization" } }`,
		},
		{
			rule: onnxOperator, word: "TreeEnsemble",
			right: `ir_version: 8 opset_import { domain: "ai.onnx.ml" version: 5 } graph { ` +
				`node { op_type: "TreeEnsemble" domain: "ai.onnx.ml" } }`,
			wrong: `ir_version: 8 opset_import { domain: "ai.onnx.ml" version: 4 } graph { ` +
				`node { op_type: "TreeEnsemble" domain: "ai.onnx.ml" } }`,
		},
		{
			rule: onnxOperator, word: "Reluu",
			right: `ir_version: 8 opset_import { version: 17 } functions { name: "Reluu" } ` +
				`graph { node { op_type: "Reluu" } }`,
			wrong: `ir_version: 8 opset_import { version: 17 } functions { name: "Reluu" domain: "own" } ` +
				`graph { node { op_type: "Reluu" } }`,
		},
		{
			rule: onnxOpset, word: "the set 29 is newer than 28", mild: "note",
			right: `ir_version: 8 opset_import { version: 28 } graph { }`,
			wrong: `ir_version: 8 opset_import { version: 29 } graph { node { op_type: "Reluu" } }`,
		},
		{
			rule: onnxOpset, word: "does not have",
			right: `opset_import { } graph { }`,
			wrong: `ir_version: 1 opset_import { } graph { }`,
		},
		{
			rule: onnxDataSize, word: "FLOAT of [2,3] takes 24 bytes, and raw_data has 23",
			right: initializer(`dims: [2, 3] data_type: FLOAT raw_data: 24 bytes`),
			wrong: initializer(`dims: [2, 3] data_type: FLOAT raw_data: 23 bytes`),
		},
		{
			rule: onnxDataSize, word: "has 25",
			right: initializer(`dims: [2, 3] data_type: FLOAT raw_data: 24 bytes`),
			wrong: initializer(`dims: [2, 3] data_type: FLOAT raw_data: 25 bytes`),
		},
		{
			rule: onnxDataSize, word: "takes 2 bytes",
			right: initializer(`dims: [3] data_type: INT4 raw_data: 2 bytes`),
			wrong: initializer(`dims: [3] data_type: INT4 raw_data: 3 bytes`),
		},
		{
			rule: onnxDataSize, word: "takes 2 bytes",
			right: initializer(`dims: [5] data_type: UINT2 raw_data: 2 bytes`),
			wrong: initializer(`dims: [5] data_type: UINT2 raw_data: 1 bytes`),
		},
		{
			rule: onnxDataSize, word: "BFLOAT16 of [] takes 2 bytes",
			right: initializer(`data_type: BFLOAT16 raw_data: 2 bytes`),
			wrong: initializer(`data_type: BFLOAT16 raw_data: 4 bytes`),
		},
		{
			rule: onnxDataSize, word: "takes 32 bytes",
			right: initializer(`dims: [2] data_type: COMPLEX128 raw_data: 32 bytes`),
			wrong: initializer(`dims: [2] data_type: COMPLEX128 raw_data: 16 bytes`),
		},
		{
			rule: onnxDataCount, word: "takes 2 entries of float_data, which has 1",
			right: initializer(`dims: [2] data_type: FLOAT float_data: [1, 2]`),
			wrong: initializer(`dims: [2] data_type: FLOAT float_data: [1]`),
		},
		{
			rule: onnxDataCount, word: "has 3",
			right: initializer(`dims: [2] data_type: FLOAT float_data: [1] float_data: [2]`),
			wrong: initializer(`dims: [2] data_type: FLOAT float_data: [1, 2] float_data: 3`),
		},
		{
			rule: onnxDataCount, word: "takes 2 entries",
			right: initializer(`dims: [1] data_type: COMPLEX64 float_data: [1, 2]`),
			wrong: initializer(`dims: [1] data_type: COMPLEX64 float_data: [1]`),
		},
		{
			rule: onnxDataCount, word: "has 3",
			right: initializer(`dims: [2] data_type: INT64 int64_data: [300, -1]`),
			wrong: initializer(`dims: [2] data_type: INT64 int64_data: [300, -1, 7]`),
		},
		{
			rule: onnxDataCount, word: "has 1",
			right: initializer(`dims: [2] data_type: DOUBLE double_data: [1, 2]`),
			wrong: initializer(`dims: [2] data_type: DOUBLE double_data: [1]`),
		},
		{
			rule: onnxDataCount, word: "has 1",
			right: initializer(`dims: [2] data_type: STRING string_data: ["", "b"]`),
			wrong: initializer(`dims: [2] data_type: STRING string_data: ["ab"]`),
		},
		{
			rule: onnxDataCount, word: "takes at least 2 entries",
			right: initializer(`dims: [9] data_type: INT4 int32_data: [1, 2]`),
			wrong: initializer(`dims: [9] data_type: INT4 int32_data: [1]`),
		},
		{
			rule: onnxDataCount, word: "takes at least 2 entries",
			right: initializer(`dims: [17] data_type: UINT2 int32_data: [1, 2]`),
			wrong: initializer(`dims: [17] data_type: UINT2 int32_data: [1]`),
		},
		{
			rule: onnxDataFields, word: "no elements, and float_data has some",
			right: initializer(`dims: [0] data_type: FLOAT`),
			wrong: initializer(`dims: [0] data_type: FLOAT float_data: [1]`),
		},
		{
			rule: onnxDataFields, word: "no elements where 1 are stated",
			right: initializer(`dims: [1] data_type: FLOAT float_data: [1]`),
			wrong: initializer(`dims: [1] data_type: FLOAT`),
		},
		{
			rule: onnxDataFields, word: "in 2 fields",
			right: initializer(`dims: [1] data_type: FLOAT float_data: [1]`),
			wrong: initializer(`dims: [1] data_type: FLOAT float_data: [1] raw_data: 4 bytes`),
		},
		{
			rule: onnxDataFields, word: "in 2 fields",
			right: initializer(`dims: [1] data_type: FLOAT float_data: [] raw_data: 4 bytes`),
			wrong: initializer(`dims: [1] data_type: FLOAT int32_data: [1] raw_data: 4 bytes`),
		},
		{
			rule: onnxDataFields, word: "strings are in raw_data",
			right: initializer(`dims: [1] data_type: STRING string_data: "a"`),
			wrong: initializer(`dims: [1] data_type: STRING raw_data: "a"`),
		},
		{
			rule: onnxDataFields, word: "look in uint64_data",
			right: initializer(`dims: [1] data_type: UINT32 uint64_data: [1]`),
			wrong: initializer(`dims: [1] data_type: UINT32 int32_data: [1]`),
		},
		{
			rule: onnxDataFields, word: "look in int32_data",
			right: initializer(`dims: [1] data_type: FLOAT16 int32_data: [1]`),
			wrong: initializer(`dims: [1] data_type: FLOAT16 float_data: [1]`),
		},
		{
			rule: onnxDataFields, word: "UNDEFINED",
			right: initializer(`dims: [1] data_type: BOOL int32_data: [1]`),
			wrong: initializer(`dims: [1] data_type: UNDEFINED int32_data: [1]`),
		},
		{
			rule: onnxDataFields, word: "27 is newer", mild: "warning",
			right: initializer(`dims: [1] data_type: 26 raw_data: 1 bytes`),
			wrong: initializer(`dims: [1] data_type: 27 raw_data: 1 bytes`),
		},
		{
			rule: onnxDims, word: "size 0 is -1",
			right: initializer(`dims: [0] data_type: FLOAT`),
			wrong: initializer(`dims: [-1] data_type: FLOAT`),
		},
		{
			rule: onnxDims, word: "beyond 63 bits",
			right: initializer(`dims: [1152921504606846975] data_type: INT8`),
			wrong: initializer(`dims: [1152921504606846976] data_type: INT8`),
		},
		{
			rule: onnxDims, word: "beyond 63 bits",
			right: initializer(`dims: [4611686018427387904, 0] data_type: INT8`),
			wrong: initializer(`dims: [4611686018427387904, 4] data_type: INT8`),
		},
		{
			rule: onnxName, word: "two initializers",
			right: head + w + `}`,
			wrong: head + w + w + `}`,
		},
		{
			rule: onnxName, word: "has no name",
			right: head + w + `}`,
			wrong: head + `initializer { dims: [0] data_type: FLOAT } }`,
		},
		{
			rule: onnxName, word: "two initializers",
			right: head + w + `}`,
			wrong: head + w + `sparse_initializer { values { name: "w" dims: [0] data_type: FLOAT } ` +
				`indices { dims: [0] data_type: INT64 } dims: [4] } }`,
		},
		{
			rule: onnxName, word: "not valid UTF-8", mild: "warning",
			right: head + `initializer { name: "wé" dims: [0] data_type: FLOAT } }`,
			wrong: head + `initializer { name: "w\xe9" dims: [0] data_type: FLOAT } }`,
		},
		{
			rule: onnxName, word: "not an input", mild: "warning",
			right: `ir_version: 4 opset_import { } graph { ` + w + `}`,
			wrong: `ir_version: 3 opset_import { } graph { ` + w + `}`,
		},
		{
			rule: onnxSSA, word: "no node writes",
			right: head + w + `output { name: "w" ` + typed("FLOAT", "") + `} }`,
			wrong: head + w + `output { name: "v" ` + typed("FLOAT", "") + `} }`,
		},
		{
			rule: onnxSSA, word: "two inputs",
			right: input(typed("FLOAT", "")),
			wrong: head + strings.Repeat(`input { name: "x" `+typed("FLOAT", "")+`} `, 2) + `}`,
		},
		{
			rule: onnxIOType, word: "the input has no type",
			right: input(typed("FLOAT", "")),
			wrong: input(""),
		},
		{
			rule: onnxIOType, word: "the input has no type",
			right: input(`type { sequence_type { elem_type { } } }`),
			wrong: input(`type { }`),
		},
		{
			rule: onnxIOType, word: "no element type",
			right: input(typed("FLOAT", "")),
			wrong: input(typed("UNDEFINED", "")),
		},
		{
			rule: onnxIOType, word: "no shape",
			right: input(typed("FLOAT", "")),
			wrong: input(`type { tensor_type { elem_type: FLOAT } }`),
		},
		{
			rule: onnxIOType, word: "the output has no shape (and 1 other)", mild: "warning",
			right: head + `output { name: "x" ` + typed("FLOAT", "") +
				`} input { name: "x" ` + typed("FLOAT", "") + `} }`,
			wrong: head + strings.Repeat(`output { name: "x" type { tensor_type { elem_type: FLOAT } } } `, 2) + `}`,
		},
		{
			rule: onnxDimValue, word: "is 0", // the empty roi of a Resize has an initializer
			right: head + `initializer { name: "x" dims: [0] data_type: FLOAT } input { name: "x" ` +
				typed("FLOAT", "dim { dim_value: 0 }") + `} }`,
			wrong: input(typed("FLOAT", "dim { dim_value: 0 }")),
		},
		{
			rule: onnxInitShape, word: "is FLOAT, and the graph uses it as FLOAT16",
			right: head + w + `value_info { name: "w" ` +
				typed("FLOAT", `dim { dim_param: "N" } dim { dim_value: 3 }`) + `} }`,
			wrong: head + w + `value_info { name: "w" ` + typed("FLOAT16", "") + `} }`,
		},
		{
			rule: onnxInitShape, word: "shape [2,3], and the graph uses it as [?,4]",
			right: head + w + `input { name: "w" ` + typed("FLOAT", `dim { } dim { dim_value: -1 }`) + `} }`,
			wrong: head + w + `input { name: "w" ` + typed("FLOAT", `dim { } dim { dim_value: 4 }`) + `} }`,
		},
		{
			rule: onnxInitShape, word: "as [?,?,?]",
			right: head + w + `value_info { name: "w" type { tensor_type { elem_type: FLOAT } } } }`,
			wrong: head + w + `value_info { name: "w" ` + typed("FLOAT", `dim { } dim { } dim { }`) + `} }`,
		},
		{
			rule: onnxDimValue, word: "is -1",
			right: input(typed("FLOAT", "dim { dim_value: 1 }")),
			wrong: input(typed("FLOAT", "dim { dim_value: -1 }")),
		},
		{
			rule: onnxDimValue, word: "is 0",
			right: head + `output { name: "x" ` + typed("FLOAT", "dim { dim_value: 0 }") + `} }`,
			wrong: input(typed("FLOAT", "dim { dim_value: 0 }")),
		},
		{
			rule: onnxDimValue, word: "size 0 of the input is 0",
			right: input(typed("INT64", "dim { dim_value: 0 }")), // an empty list of axes
			wrong: input(typed("INT64", "dim { dim_value: 0 } dim { dim_value: 1 }")),
		},
		{
			rule: onnxSparse, word: "index 1 is [4], outside of [4]",
			right: sparse(`dims: `+pair, `dims: [2] data_type: INT64 int64_data: [0, 3]`, "[4]"),
			wrong: sparse(`dims: `+pair, `dims: [2] data_type: INT64 int64_data: [0, 4]`, "[4]"),
		},
		{
			rule: onnxSparse, word: "not after the one before",
			right: sparse(`dims: `+pair, `dims: [2] data_type: INT64 int64_data: [0, 3]`, "[4]"),
			wrong: sparse(`dims: `+pair, `dims: [2] data_type: INT64 int64_data: [3, 0]`, "[4]"),
		},
		{
			rule: onnxSparse, word: "not after the one before",
			right: sparse(`dims: `+pair, `dims: [2] data_type: INT64 int64_data: [0, 1]`, "[4]"),
			wrong: sparse(`dims: `+pair, `dims: [2] data_type: INT64 int64_data: [1, 1]`, "[4]"),
		},
		{
			rule: onnxSparse, word: "index 1, [0,1], is not after the one before it, [1,0]",
			right: sparse(`dims: `+pair, `dims: [2, 2] data_type: INT64 int64_data: [0, 1, 1, 0]`, "[2, 2]"),
			wrong: sparse(`dims: `+pair, `dims: [2, 2] data_type: INT64 int64_data: [1, 0, 0, 1]`, "[2, 2]"),
		},
		{
			rule: onnxSparse, word: "index 1 is [1,2]",
			right: sparse(`dims: `+pair, `dims: [2, 2] data_type: INT64 int64_data: [0, 1, 1, 0]`, "[2, 2]"),
			wrong: sparse(`dims: `+pair, `dims: [2, 2] data_type: INT64 int64_data: [0, 1, 1, 2]`, "[2, 2]"),
		},
		{
			rule: onnxSparse, word: "not after the one before",
			right: sparse(`dims: `+pair,
				`dims: [2] data_type: INT64 raw_data: "\x00\x00\x00\x00\x00\x00\x00\x00`+
					`\x03\x00\x00\x00\x00\x00\x00\x00"`,
				"[4]"),
			wrong: sparse(`dims: `+pair, `dims: [2] data_type: INT64 raw_data: 16 bytes`, "[4]"),
		},
		{
			rule: onnxSparse, word: "have the shape [2,1]",
			right: sparse(`dims: `+pair, `dims: [2] data_type: INT64 int64_data: [0, 1]`, "[2, 2]"),
			wrong: sparse(`dims: `+pair, `dims: [2, 1] data_type: INT64 int64_data: [0, 1]`, "[2, 2]"),
		},
		{
			rule: onnxSparse, word: "have to be 1 or more",
			right: sparse(`dims: [0] data_type: FLOAT`, `dims: [0] data_type: INT64`, "[1]"),
			wrong: sparse(`dims: [0] data_type: FLOAT`, `dims: [0] data_type: INT64`, "[0]"),
		},
		{
			rule: onnxSparse, word: "one size at least",
			right: sparse(`dims: [0] data_type: FLOAT`, `dims: [0] data_type: INT64`, "[1]"),
			wrong: sparse(`dims: [0] data_type: FLOAT`, `dims: [0] data_type: INT64`, "[]"),
		},
		{
			rule: onnxSparse, word: "INT32, and not INT64",
			right: sparse(`dims: [0] data_type: FLOAT`, `dims: [0] data_type: INT64`, "[1]"),
			wrong: sparse(`dims: [0] data_type: FLOAT`, `dims: [0] data_type: INT32`, "[1]"),
		},
		{
			rule: onnxSparse, word: "not [NNZ]",
			right: sparse(`dims: [0] data_type: FLOAT`, `dims: [0] data_type: INT64`, "[1]"),
			wrong: sparse(`dims: [1, 0] data_type: FLOAT`, `dims: [0] data_type: INT64`, "[1]"),
		},
		{
			rule: onnxSparse, word: "product of 63 bits",
			right: sparse(`dims: [0] data_type: FLOAT`, `dims: [0] data_type: INT64`, "[4611686018427387904, 1]"),
			wrong: sparse(`dims: [0] data_type: FLOAT`, `dims: [0] data_type: INT64`, "[4611686018427387904, 4]"),
		},
		{
			rule: onnxQuantAnnotation, word: `names "s"`,
			right: head + w + `quantization_annotation { tensor_name: "w" ` +
				`quant_parameter_tensor_names { key: "SCALE_TENSOR" value: "w" } } }`,
			wrong: head + w +
				`quantization_annotation { tensor_name: "w" ` +
				`quant_parameter_tensor_names { key: "SCALE_TENSOR" value: "s" } } }`,
		},
		{
			rule: onnxQuantAnnotation, word: `names "s"`,
			right: head + w + `quantization_annotation { tensor_name: "w" ` +
				`quant_parameter_tensor_names { key: "QUANT_AXIS" value: "1" } } }`,
			wrong: head + w + `quantization_annotation { tensor_name: "w" ` +
				`quant_parameter_tensor_names { key: "ZERO_POINT_TENSOR" value: "s" } } }`,
		},
		{
			rule: onnxConv, word: "kernel_shape [3,3]",
			right: conv("Conv", "[4, 4, 3, 3]", `attribute { name: "kernel_shape" ints: [3, 3] }`, ""),
			wrong: conv("Conv", "[3, 3, 4, 4]", `attribute { name: "kernel_shape" ints: [3, 3] }`, ""),
		},
		{
			rule: onnxConv, word: "the strides [1,0]: each is 1 or more",
			right: conv("Conv", "[4, 4, 3, 3]", `attribute { name: "strides" ints: [1, 1] }`, ""),
			wrong: conv("Conv", "[4, 4, 3, 3]", `attribute { name: "strides" ints: [1, 0] }`, ""),
		},
		{
			rule: onnxConv, word: "the dilations [1,1,1], and weights of the shape [4,4,3,3] take 2",
			right: conv("Conv", "[4, 4, 3, 3]", `attribute { name: "dilations" ints: [1, 1] }`, ""),
			wrong: conv("Conv", "[4, 4, 3, 3]", `attribute { name: "dilations" ints: [1, 1, 1] }`, ""),
		},
		{
			rule: onnxConv, word: "the pads [0,-1], and weights of the shape [4,4,3,3] take 4",
			right: conv("ConvTranspose", "[4, 4, 3, 3]", `attribute { name: "pads" ints: [0, 1, 0, -1] }`, ""),
			wrong: conv("ConvTranspose", "[4, 4, 3, 3]", `attribute { name: "pads" ints: [0, -1] }`, ""),
		},
		{
			rule: onnxOperands, word: "same number of inner rows and columns: b of [4,5] has 4, and a of [2,3] 3",
			mild: "warning", right: fed("MatMul", "[2, 3]", "[3, 5]"), wrong: fed("MatMul", "[2, 3]", "[4, 5]"),
		},
		{
			rule: onnxOperands, word: "takes matrices, and a has the shape [1,2,3]",
			mild: "warning", right: fed("Gemm", "[2, 3]", "[3, 5]"), wrong: fed("Gemm", "[1, 2, 3]", "[3, 5]"),
		},
		{
			rule: onnxOperands, word: "the perm [0,2,2], which is not an order of the axes of x of [?,?,?]",
			right: transpose("[0, 2, 1]"), wrong: transpose("[0, 2, 2]"),
		},
		{
			rule: onnxOperands, word: "the perm [1,0], which is not an order",
			right: transpose("[2, 1, 0]"), wrong: transpose("[1, 0]"),
		},
		{
			rule: onnxConv, word: "3 sizes at least",
			right: conv("Conv", "[4, 12, 3]", "", ""),
			wrong: conv("Conv", "[12, 12]", "", ""),
		},
		{
			rule: onnxConv, word: "3 groups",
			right: conv("Conv", "[4, 12, 3]", `attribute { name: "group" i: 4 }`, ""),
			wrong: conv("Conv", "[4, 12, 3]", `attribute { name: "group" i: 3 }`, ""),
		},
		{
			rule: onnxConv, word: "reads 12 channels, but its weights [4,12,3] are for 24, in 2 groups",
			right: conv("Conv", "[4, 12, 3]", `attribute { name: "group" i: 2 }`,
				`input { name: "x" `+typed("INT8", "dim { } dim { dim_value: 24 } dim { }")+`}`),
			wrong: conv("Conv", "[4, 12, 3]", `attribute { name: "group" i: 2 }`,
				`input { name: "x" `+typed("INT8", "dim { } dim { dim_value: 12 } dim { }")+`}`),
		},
		{
			rule: onnxConv, word: "an input of 2 sizes, and weights of 3 sizes",
			right: conv("Conv", "[4, 12, 3]", "", `input { name: "x" `+typed("INT8", "dim { } dim { } dim { }")+`}`),
			wrong: conv("Conv", "[4, 12, 3]", "", `input { name: "x" `+typed("INT8", "dim { } dim { }")+`}`),
		},
		{
			rule: onnxConv, word: "bias of the shape [12], and 4 channels",
			right: conv("Conv", "[4, 12, 3]", "",
				`initializer { name: "b" dims: [4] data_type: INT8 raw_data: 4 bytes }`),
			wrong: conv("Conv", "[4, 12, 3]", "",
				`initializer { name: "b" dims: [12] data_type: INT8 raw_data: 12 bytes }`),
		},
		{
			rule: onnxConv, word: "weights of the shape [3,3,4,4]", // of a node Constant
			right: convOfConstant("[4, 4, 3, 3]"),
			wrong: convOfConstant("[3, 3, 4, 4]"),
		},
		{
			rule: onnxConv, word: "bias of the shape [3], and 4 channels", // each number by itself
			right: ofType("FLOAT", conv("Conv", "[4, 12, 3]", "",
				biasOfConstant("value_floats", "floats: [0, 0, 0, 0]"))),
			wrong: ofType("FLOAT", conv("Conv", "[4, 12, 3]", "", biasOfConstant("value_floats", "floats: [0, 0, 0]"))),
		},
		{
			rule: onnxConv, word: "bias of the shape [5], and 4 channels",
			right: ofType("INT64", conv("Conv", "[4, 12, 3]", "", biasOfConstant("value_ints", "ints: [1, 2, 3, 4]"))),
			wrong: ofType("INT64", conv("Conv", "[4, 12, 3]", "",
				biasOfConstant("value_ints", "ints: [1, 2, 3, 4, 5]"))),
		},
		{
			rule: onnxConv, word: "bias of the shape [], and 1 channel of",
			right: ofType("FLOAT", conv("Conv", "[1, 12, 12]", "", biasOfConstant("value_floats", "floats: 0"))),
			wrong: ofType("FLOAT", conv("Conv", "[1, 12, 12]", "", biasOfConstant("value_float", "f: 0"))),
		},
		{
			rule: onnxConv, word: "bias of the shape [], and 1 channel of",
			right: ofType("INT64", conv("Conv", "[1, 12, 12]", "", biasOfConstant("value_ints", "ints: 300"))),
			wrong: ofType("INT64", conv("Conv", "[1, 12, 12]", "", biasOfConstant("value_int", "i: 300"))),
		},
		{
			rule: onnxConv, word: "bias of the shape [0], and 4 channels",
			right: conv("Conv", "[4, 12, 3]", "", biasOfConstant("none", "")), // ONNX does not have it
			wrong: conv("Conv", "[4, 12, 3]", "", biasOfConstant("value_floats", "")),
		},
		{
			rule: onnxConv, word: "24 channels of output",
			right: conv("ConvTranspose", "[4, 12, 3]", `attribute { name: "group" i: 2 }`,
				`initializer { name: "b" dims: [24] data_type: INT8 raw_data: 24 bytes }`),
			wrong: conv("ConvTranspose", "[4, 12, 3]", `attribute { name: "group" i: 2 }`,
				`initializer { name: "b" dims: [12] data_type: INT8 raw_data: 12 bytes }`),
		},
		{
			rule: onnxConv, word: "and 1208925819614629174706176 channels of output", // 2^80
			right: strings.Replace(conv("ConvTranspose", "[1099511627776, 1099511627776, 0]",
				`attribute { name: "group" i: 1099511627776 }`, ""), " raw_data: 144 bytes", "", 1),
			wrong: strings.Replace(conv("ConvTranspose", "[1099511627776, 1099511627776, 0]",
				`attribute { name: "group" i: 1099511627776 }`,
				`initializer { name: "b" dims: [1] data_type: INT8 raw_data: 1 bytes }`),
				" raw_data: 144 bytes", "", 1),
		},
		{
			rule: onnxConv, word: "reads 12 channels, but its weights [4,12,3] are for 4",
			right: conv("ConvTranspose", "[4, 12, 3]", "",
				`input { name: "x" `+typed("INT8", "dim { } dim { dim_value: 4 } dim { }")+`}`),
			wrong: conv("ConvTranspose", "[4, 12, 3]", "",
				`input { name: "x" `+typed("INT8", "dim { } dim { dim_value: 12 } dim { }")+`}`),
		},
		{
			rule: onnxConv, word: "the same number of channels: b of [1] has 1, and w of [144] 144",
			right: conv("BatchNormalization", "[144]", "",
				`initializer { name: "b" dims: [144] data_type: INT8 raw_data: 144 bytes }`),
			wrong: conv("BatchNormalization", "[144]", "",
				`initializer { name: "b" dims: [1] data_type: INT8 raw_data: 1 bytes }`),
		},
		{
			rule: onnxConv, word: "one size",
			right: conv("BatchNormalization", "[144]", "", ""),
			wrong: conv("BatchNormalization", "[12, 12]", "", ""),
		},
		{
			rule: onnxConv, word: "one size",
			right: conv("BatchNormalization", "[12, 12]", `attribute { name: "spatial" i: 0 }`, ""),
			wrong: conv("BatchNormalization", "[12, 12]", `attribute { name: "spatial" i: 1 }`, ""),
		},
		{
			rule: onnxExternalPath, word: "leaves the directory",
			right: external("location=w.bin"),
			wrong: external("location=../w.bin"),
		},
		{
			rule: onnxExternalPath, word: "leaves",
			right: external("location=a/../w.bin"),
			wrong: external("location=a/../../w.bin"),
		},
		{
			rule: onnxExternalPath, word: "absolute",
			right: external("location=sub/w.bin"),
			wrong: external("location=/w.bin"),
		},
		{
			rule: onnxExternalPath, word: "absolute",
			right: external("location=w.bin"),
			wrong: external(`location=C:\w.bin`),
		},
		{
			rule: onnxExternalPath, word: "absolute",
			right: external("location=w.bin"),
			wrong: external(`location=\\s\w.bin`),
		},
		{
			rule: onnxExternalPath, word: "leaves",
			right: external("location=w.bin"),
			wrong: external(`location=a\..\..\w.bin`),
		},
		{
			rule: onnxExternalPath, word: "not stated",
			right: external("location=w.bin"),
			wrong: external("location="),
		},
		{
			rule: onnxExternalPath, word: "not stated",
			right: external("location=w.bin"),
			wrong: external("offset=0"),
		},
		{
			rule: onnxExternalPath, word: `key "ofset"`, mild: "warning",
			right: external("location=w.bin"),
			wrong: external("location=w.bin; offset=0; ofset=0"),
		},
		{
			rule: onnxExternalPath, word: "two dots", mild: "warning",
			right: external("location=w.bin"),
			wrong: external("location=a..b.bin"),
		},
		{
			rule: onnxExternalPath, word: "4097 bytes",
			right: external("location=w.bin; checksum=00"),
			wrong: external("location=" + strings.Repeat("a", 4097)),
		},
		{
			rule: onnxExternalMissing, word: "is missing",
			right: external("location=w.bin"),
			wrong: external("location=v.bin"),
		},
		{
			rule: onnxExternalRange, word: `24 bytes from byte 1 on, and "w.bin" has 24: 1 too few`,
			right: external("location=w.bin; offset=0"),
			wrong: external("location=w.bin; offset=1"),
		},
		{
			rule: onnxExternalRange, word: "1 too few",
			right: external("location=large.bin; offset=1048552"),
			wrong: external("location=large.bin; offset=1048553"),
		},
		{
			rule: onnxExternalRange, word: "24 too few",
			right: external("location=w.bin; offset=0"),
			wrong: external("location=w.bin; offset=9223372036854775807"),
		},
		{
			rule: onnxExternalLength, word: "takes 24 bytes, and the length is 23",
			right: external("location=w.bin; length=24"),
			wrong: external("location=w.bin; length=23"),
		},
		{
			rule: onnxExternalLength, word: "is 25",
			right: external("location=w.bin; length=0"),
			wrong: external("location=w.bin; length=25"),
		},
		{
			rule: onnxExternalLength, word: "takes 0 bytes, and the length is 4",
			right: strings.ReplaceAll(external("location=w.bin; length=0"), "[2, 3]", "[0]"),
			wrong: strings.ReplaceAll(external("location=w.bin; length=4"), "[2, 3]", "[0]"),
		},
		{
			rule: onnxExternalAlign, word: "1 of 1 tensor",
			right: external("location=large.bin; offset=4096"),
			wrong: external("location=large.bin; offset=4"),
		},
		{
			rule: onnxExternalGap, word: "1048552 of 1048576 bytes",
			right: external("location=w.bin"),
			wrong: external("location=large.bin"),
		},
	}
	for _, text := range strings.Split("-1,1e3,0x10,18446744073709551615, 8,8 ,+8,", ",") {
		right := external("location=w.bin")
		wrong := external("location=w.bin; offset=" + text)
		tests = append(tests, test{rule: onnxExternalRange, right: right, wrong: wrong, word: "decimal"})
		wrong = external("location=w.bin; length=" + text)
		tests = append(tests, test{rule: onnxExternalLength, right: right, wrong: wrong, word: "decimal"})
	}
	for _, tt := range tests {
		severity := tt.mild
		if severity == "" {
			severity = tt.rule.Severity.String()
		}
		prefix := severity + " " + tt.rule.String() + " "
		is := func(f string) bool { return strings.HasPrefix(f, prefix) && strings.Contains(f, tt.word) }
		if list := found(t, encoded(t, tt.wrong), files); !slices.ContainsFunc(list, is) {
			t.Errorf("%v: %s\nis found to be %q, not %q", tt.rule, tt.wrong, list, prefix+tt.word)
		}
		list := found(t, encoded(t, tt.right), files)
		if slices.ContainsFunc(list, func(f string) bool { return strings.Contains(f, " "+tt.rule.String()+" ") }) {
			t.Errorf("%v: %s\nis found to be %q", tt.rule, tt.right, list)
		}
	}
}

// TestLargeFiles checks models by their size alone.
func TestLargeFiles(t *testing.T) {
	tests := []struct {
		size int64
		want string
	}{
		{3<<29 - 1, ""}, {3 << 29, "note"}, {1<<31 - 1, "note"}, {1 << 31, "error"},
	}
	for _, tt := range tests {
		m := Model{IRVersion: 8, Opsets: []Opset{{}}, Graph: &Graph{}, Size: tt.size}
		got := ""
		m.Check(nil, func(f finding.Finding) { got += f.Severity.String() })
		if got != tt.want {
			t.Errorf("%d bytes: %q, want %q", tt.size, got, tt.want)
		}
	}
}

// TestFixes checks the changes that are proposed.
func TestFixes(t *testing.T) {
	tests := []struct{ text, fix string }{
		{external("location=w.bin; length=23"), "24"},
		{conv("Conv", "[3, 3, 4, 4]", `attribute { name: "kernel_shape" ints: [3, 3] }`, ""),
			"transpose them to [4,4,3,3] if they are in TensorFlow's order"},
		{conv("Conv", "[4, 4, 3, 3]", `attribute { name: "kernel_shape" ints: [3, 5] }`, ""), ""},
	}
	for _, tt := range tests {
		data := encoded(t, tt.text)
		m, err := Read(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		var fixes []string
		m.Check(func(string) DataFile { return DataFile{Size: 24} }, func(f finding.Finding) {
			fixes = append(fixes, f.Fix)
		})
		if len(fixes) != 1 || fixes[0] != tt.fix {
			t.Errorf("%s: %q, want %q", tt.text, fixes, tt.fix)
		}
	}
}

// TestPointer checks ranges in a file that has a pointer in its place, by the size that the pointer states.
func TestPointer(t *testing.T) {
	data := encoded(t, external("location=w.bin; offset=8"))
	m, err := Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for size, want := range map[int64]int{32: 1, 31: 2, 0: 1} { // 0 is not known
		var found []finding.Finding
		m.Check(func(string) DataFile {
			return DataFile{Size: size, Other: &finding.Finding{Rule: tensorfile.LFSPointer, Message: "a pointer"}}
		}, func(f finding.Finding) { found = append(found, f) })
		if len(found) != want || found[0].Rule != tensorfile.LFSPointer || found[want-1].Severity != finding.Error {
			t.Errorf("%d bytes: %+v", size, found)
		}
	}
}

// TestPointerOfGaps has tensors with gaps, not at pages, in a file and in a pointer file. Findings about the alignment
// are reported for the file only.
func TestPointerOfGaps(t *testing.T) {
	for _, offset := range []string{"8", "65536"} {
		data := encoded(t, external("location=w.bin; offset="+offset))
		m, err := Read(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		pointer := &finding.Finding{Rule: tensorfile.LFSPointer, Message: "a pointer"}
		of := func(other *finding.Finding) (list []*finding.Rule) {
			m.Check(func(string) DataFile { return DataFile{Size: 1 << 20, Other: other} }, func(f finding.Finding) {
				list = append(list, f.Rule)
			})
			return list
		}
		want := []*finding.Rule{onnxExternalGap, onnxExternalAlign}
		if offset == "65536" {
			want = want[:1]
		}
		if got := of(nil); !slices.Equal(got, want) {
			t.Errorf("offset %s of the file: %v", offset, got)
		}
		if got := of(pointer); !slices.Equal(got, []*finding.Rule{tensorfile.LFSPointer}) {
			t.Errorf("offset %s of a pointer: %v", offset, got)
		}
	}
}

// TestBytes checks the bytes that findings refer to.
func TestBytes(t *testing.T) {
	for _, c := range []struct {
		text, want string // the start of the bytes, and a name in them
		tag        byte   // by the number in onnx.proto
	}{
		{initializer(`dims: [2] data_type: FLOAT raw_data: 4 bytes`), "w", 5<<3 | 2},
		{external("location=w.bin; length=23"), "w.bin", 5<<3 | 2},
		{head + w + `output { name: "gone" type { tensor_type { elem_type: FLOAT shape { } } } } }`, "gone",
			12<<3 | 2},
		{conv("Conv", "[3, 3, 4, 4]", `attribute { name: "kernel_shape" ints: [3, 3] }`, ""), "kernel_shape",
			1<<3 | 2},
	} {
		data := encoded(t, c.text)
		m, err := Read(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		m.Check(func(string) DataFile { return DataFile{Size: 24} }, func(f finding.Finding) {
			if count++; f.Bytes.To > int64(len(data)) || f.Bytes.To <= f.Bytes.From {
				t.Fatalf("%s: %+v of %d bytes", c.text, f, len(data))
			}
			about := data[f.Bytes.From:f.Bytes.To]
			isWhole := about[1] >= 0x80 || len(about) == int(about[1])+2
			if about[0] != c.tag || !isWhole || !bytes.Contains(about, []byte(c.want)) {
				t.Errorf("%s: %s is about %q", c.text, f.Message, about)
			}
		})
		if count != 1 {
			t.Errorf("%s: %d findings", c.text, count)
		}
	}
}

// TestCut checks the findings about a model that is cut anywhere in its graph, which comes last.
func TestCut(t *testing.T) {
	data := encoded(t, external("location=w.bin"))
	start := bytes.IndexByte(data, 7<<3|2) // the field graph
	for n := start + 4; n < len(data); n++ {
		m, err := Read(bytes.NewReader(data[:n]), int64(n))
		if err != nil {
			t.Fatalf("%d of %d bytes: %v", n, len(data), err)
		}
		var found []finding.Finding
		m.Check(nil, func(f finding.Finding) {
			if f.Rule == Truncated {
				found = append(found, f)
			}
		})
		if len(found) != 1 || found[0].Fix == "" || found[0].Bytes.To < int64(start) ||
			!strings.HasPrefix(found[0].Message, fmt.Sprintf("byte %d: ", found[0].Bytes.From)) {
			t.Errorf("%d of %d bytes: %+v", n, len(data), found)
		}
	}
}

// TestBackendModels checks the models of onnx's backend tests where Debian's package libonnx-testdata has them. They
// are right, and their only warnings are true: some have inputs without elements.
func TestBackendModels(t *testing.T) {
	paths, err := filepath.Glob("/usr/share/libonnx-testdata/data/*/*/model.onnx")
	if err != nil || len(paths) == 0 {
		t.Skip("the models are not installed")
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found(t, data, nil) {
			if !strings.HasPrefix(f, "note ") && !strings.HasPrefix(f, "warning onnx-dim-value ") {
				t.Errorf("%s: %s", path, f)
			}
		}
	}
}
