package onnx

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/rules"
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

// found returns the findings of a model, as severities, rules and messages. The files beside it have the sizes of a map.
func found(t testing.TB, data []byte, files map[string]int64) (list []string) {
	t.Helper()
	m, err := Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return []string{"error " + err.Error()}
	}
	m.Check(func(location string) DataFile {
		size, ok := files[location]
		if !ok {
			return DataFile{Missing: "there is no such file"}
		}
		return DataFile{Size: size}
	}, func(f rules.Finding) {
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
	return head + `node { input: ["x", "w", "b"] output: "y" name: "c" op_type: "` + op + `" ` + attributes +
		` } initializer { name: "w" data_type: INT8 dims: ` + shape + ` raw_data: 144 bytes } ` + more + ` }`
}

func TestBoundaries(t *testing.T) {
	files := map[string]int64{"w.bin": 24, "large.bin": 1 << 20, "a..b.bin": 24, "sub/w.bin": 24}
	const pair = `[2] data_type: FLOAT raw_data: 8 bytes`
	tests := []struct {
		rule  rules.ID
		right string
		wrong string
		word  string // of the message
		mild  string // the severity where it is not the rule's own
	}{
		{rules.ONNXIRVersion, `ir_version: 1 graph { }`, `ir_version: 0 graph { }`, "ir_version is 0", ""},
		{rules.ONNXIRVersion, `ir_version: 14 opset_import { } graph { }`, `ir_version: 15 opset_import { } graph { }`,
			"15, and 14 is the newest", "warning"},
		{rules.ONNXIRVersion, `ir_version: 1 graph { }`, `graph { }`, "ir_version is 0", ""},
		{rules.ONNXOpset, `ir_version: 3 opset_import { } graph { }`, `ir_version: 3 graph { }`, "no opset_import", ""},
		{rules.ONNXOpset, `ir_version: 2 graph { }`, `ir_version: 2 opset_import { } graph { }`, "does not have", ""},
		{rules.ONNXOpset, `ir_version: 3 opset_import { domain: "a" } opset_import { domain: "b" } graph { }`,
			`ir_version: 3 opset_import { domain: "ai.onnx" } opset_import { } graph { }`, "twice", "warning"},
		{rules.ONNXDataSize, initializer(`dims: [2, 3] data_type: FLOAT raw_data: 24 bytes`),
			initializer(`dims: [2, 3] data_type: FLOAT raw_data: 23 bytes`), "FLOAT of [2,3] takes 24 bytes, and raw_data has 23",
			""},
		{rules.ONNXDataSize, initializer(`dims: [2, 3] data_type: FLOAT raw_data: 24 bytes`),
			initializer(`dims: [2, 3] data_type: FLOAT raw_data: 25 bytes`), "has 25", ""},
		{rules.ONNXDataSize, initializer(`dims: [3] data_type: INT4 raw_data: 2 bytes`),
			initializer(`dims: [3] data_type: INT4 raw_data: 3 bytes`), "takes 2 bytes", ""},
		{rules.ONNXDataSize, initializer(`dims: [5] data_type: UINT2 raw_data: 2 bytes`),
			initializer(`dims: [5] data_type: UINT2 raw_data: 1 bytes`), "takes 2 bytes", ""},
		{rules.ONNXDataSize, initializer(`data_type: BFLOAT16 raw_data: 2 bytes`),
			initializer(`data_type: BFLOAT16 raw_data: 4 bytes`), "BFLOAT16 of [] takes 2 bytes", ""},
		{rules.ONNXDataSize, initializer(`dims: [2] data_type: COMPLEX128 raw_data: 32 bytes`),
			initializer(`dims: [2] data_type: COMPLEX128 raw_data: 16 bytes`), "takes 32 bytes", ""},
		{rules.ONNXDataCount, initializer(`dims: [2] data_type: FLOAT float_data: [1, 2]`),
			initializer(`dims: [2] data_type: FLOAT float_data: [1]`), "takes 2 entries of float_data, which has 1", ""},
		{rules.ONNXDataCount, initializer(`dims: [2] data_type: FLOAT float_data: [1] float_data: [2]`),
			initializer(`dims: [2] data_type: FLOAT float_data: [1, 2] float_data: 3`), "has 3", ""},
		{rules.ONNXDataCount, initializer(`dims: [1] data_type: COMPLEX64 float_data: [1, 2]`),
			initializer(`dims: [1] data_type: COMPLEX64 float_data: [1]`), "takes 2 entries", ""},
		{rules.ONNXDataCount, initializer(`dims: [2] data_type: INT64 int64_data: [300, -1]`),
			initializer(`dims: [2] data_type: INT64 int64_data: [300, -1, 7]`), "has 3", ""},
		{rules.ONNXDataCount, initializer(`dims: [2] data_type: DOUBLE double_data: [1, 2]`),
			initializer(`dims: [2] data_type: DOUBLE double_data: [1]`), "has 1", ""},
		{rules.ONNXDataCount, initializer(`dims: [2] data_type: STRING string_data: ["", "b"]`),
			initializer(`dims: [2] data_type: STRING string_data: ["ab"]`), "has 1", ""},
		{rules.ONNXDataCount, initializer(`dims: [9] data_type: INT4 int32_data: [1, 2]`),
			initializer(`dims: [9] data_type: INT4 int32_data: [1]`), "takes at least 2 entries", ""},
		{rules.ONNXDataCount, initializer(`dims: [17] data_type: UINT2 int32_data: [1, 2]`),
			initializer(`dims: [17] data_type: UINT2 int32_data: [1]`), "takes at least 2 entries", ""},
		{rules.ONNXDataFields, initializer(`dims: [0] data_type: FLOAT`),
			initializer(`dims: [0] data_type: FLOAT float_data: [1]`), "no elements, and float_data has some", ""},
		{rules.ONNXDataFields, initializer(`dims: [1] data_type: FLOAT float_data: [1]`),
			initializer(`dims: [1] data_type: FLOAT`), "no elements where 1 are stated", ""},
		{rules.ONNXDataFields, initializer(`dims: [1] data_type: FLOAT float_data: [1]`),
			initializer(`dims: [1] data_type: FLOAT float_data: [1] raw_data: 4 bytes`), "in 2 fields", ""},
		{rules.ONNXDataFields, initializer(`dims: [1] data_type: STRING string_data: "a"`),
			initializer(`dims: [1] data_type: STRING raw_data: "a"`), "texts are in raw_data", ""},
		{rules.ONNXDataFields, initializer(`dims: [1] data_type: UINT32 uint64_data: [1]`),
			initializer(`dims: [1] data_type: UINT32 int32_data: [1]`), "look in uint64_data", ""},
		{rules.ONNXDataFields, initializer(`dims: [1] data_type: FLOAT16 int32_data: [1]`),
			initializer(`dims: [1] data_type: FLOAT16 float_data: [1]`), "look in int32_data", ""},
		{rules.ONNXDataFields, initializer(`dims: [1] data_type: BOOL int32_data: [1]`),
			initializer(`dims: [1] data_type: UNDEFINED int32_data: [1]`), "UNDEFINED", ""},
		{rules.ONNXDataFields, initializer(`dims: [1] data_type: 26 raw_data: 1 bytes`),
			initializer(`dims: [1] data_type: 27 raw_data: 1 bytes`), "27 is newer", "warning"},
		{rules.ONNXDims, initializer(`dims: [0] data_type: FLOAT`), initializer(`dims: [-1] data_type: FLOAT`),
			"size 0 is -1", ""},
		{rules.ONNXDims, initializer(`dims: [1152921504606846975] data_type: INT8`),
			initializer(`dims: [1152921504606846976] data_type: INT8`), "beyond 63 bits", ""},
		{rules.ONNXDims, initializer(`dims: [4611686018427387904, 0] data_type: INT8`),
			initializer(`dims: [4611686018427387904, 4] data_type: INT8`), "beyond 63 bits", ""},
		{rules.ONNXName, head + w + `}`, head + w + w + `}`, "two initializers", ""},
		{rules.ONNXName, head + w + `}`, head + `initializer { dims: [0] data_type: FLOAT } }`, "has no name", ""},
		{rules.ONNXName, head + w + `}`, head + w + `sparse_initializer { values { name: "w" dims: [0] data_type: FLOAT } ` +
			`indices { dims: [0] data_type: INT64 } dims: [4] } }`, "two initializers", ""},
		{rules.ONNXName, `ir_version: 4 opset_import { } graph { ` + w + `}`,
			`ir_version: 3 opset_import { } graph { ` + w + `}`, "not an input", ""},
		{rules.ONNXSSA, head + w + `output { name: "w" ` + typed("FLOAT", "") + `} }`,
			head + w + `output { name: "v" ` + typed("FLOAT", "") + `} }`, "no node writes", ""},
		{rules.ONNXSSA, input(typed("FLOAT", "")), head + strings.Repeat(`input { name: "x" `+
			typed("FLOAT", "")+`} `, 2) + `}`, "two inputs", ""},
		{rules.ONNXIOType, input(typed("FLOAT", "")), input(""), "the input has no type", ""},
		{rules.ONNXIOType, input(`type { sequence_type { elem_type { } } }`), input(`type { }`), "the input has no type", ""},
		{rules.ONNXIOType, input(typed("FLOAT", "")), input(typed("UNDEFINED", "")), "no element type", ""},
		{rules.ONNXIOType, input(typed("FLOAT", "")), input(`type { tensor_type { elem_type: FLOAT } }`), "no shape", ""},
		{rules.ONNXInitShape, head + w + `value_info { name: "w" ` +
			typed("FLOAT", `dim { dim_param: "N" } dim { dim_value: 3 }`) + `} }`,
			head + w + `value_info { name: "w" ` + typed("FLOAT16", "") + `} }`, "is FLOAT, and the graph uses it as FLOAT16",
			""},
		{rules.ONNXInitShape, head + w + `input { name: "w" ` + typed("FLOAT", `dim { } dim { dim_value: -1 }`) + `} }`,
			head + w + `input { name: "w" ` + typed("FLOAT", `dim { } dim { dim_value: 4 }`) + `} }`,
			"shape [2,3], and the graph uses it as [?,4]", ""},
		{rules.ONNXInitShape, head + w + `value_info { name: "w" type { tensor_type { elem_type: FLOAT } } } }`,
			head + w + `value_info { name: "w" ` + typed("FLOAT", `dim { } dim { } dim { }`) + `} }`, "as [?,?,?]", ""},
		{rules.ONNXDimValue, input(typed("FLOAT", "dim { dim_value: 1 }")),
			input(typed("FLOAT", "dim { dim_value: -1 }")), "is -1", ""},
		{rules.ONNXDimValue, head + `output { name: "x" ` + typed("FLOAT", "dim { dim_value: 0 }") + `} }`,
			input(typed("FLOAT", "dim { dim_value: 0 }")), "is 0", ""},
		{rules.ONNXSparse, sparse(`dims: `+pair, `dims: [2] data_type: INT64 int64_data: [0, 3]`, "[4]"),
			sparse(`dims: `+pair, `dims: [2] data_type: INT64 int64_data: [0, 4]`, "[4]"), "index 1 is [4], outside of [4]", ""},
		{rules.ONNXSparse, sparse(`dims: `+pair, `dims: [2] data_type: INT64 int64_data: [0, 3]`, "[4]"),
			sparse(`dims: `+pair, `dims: [2] data_type: INT64 int64_data: [3, 0]`, "[4]"), "not after the one before", ""},
		{rules.ONNXSparse, sparse(`dims: `+pair, `dims: [2] data_type: INT64 int64_data: [0, 1]`, "[4]"),
			sparse(`dims: `+pair, `dims: [2] data_type: INT64 int64_data: [1, 1]`, "[4]"), "not after the one before", ""},
		{rules.ONNXSparse, sparse(`dims: `+pair, `dims: [2, 2] data_type: INT64 int64_data: [0, 1, 1, 0]`, "[2, 2]"),
			sparse(`dims: `+pair, `dims: [2, 2] data_type: INT64 int64_data: [0, 1, 1, 2]`, "[2, 2]"), "index 1 is [1,2]", ""},
		{rules.ONNXSparse, sparse(`dims: `+pair, `dims: [2] data_type: INT64 raw_data: `+
			`"\x00\x00\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00"`, "[4]"),
			sparse(`dims: `+pair, `dims: [2] data_type: INT64 raw_data: 16 bytes`, "[4]"), "not after the one before", ""},
		{rules.ONNXSparse, sparse(`dims: `+pair, `dims: [2] data_type: INT64 int64_data: [0, 1]`, "[2, 2]"),
			sparse(`dims: `+pair, `dims: [2, 1] data_type: INT64 int64_data: [0, 1]`, "[2, 2]"), "have the shape [2,1]", ""},
		{rules.ONNXSparse, sparse(`dims: [0] data_type: FLOAT`, `dims: [0] data_type: INT64`, "[1]"),
			sparse(`dims: [0] data_type: FLOAT`, `dims: [0] data_type: INT64`, "[0]"), "more than 0", ""},
		{rules.ONNXSparse, sparse(`dims: [0] data_type: FLOAT`, `dims: [0] data_type: INT64`, "[1]"),
			sparse(`dims: [0] data_type: FLOAT`, `dims: [0] data_type: INT64`, "[]"), "one size at least", ""},
		{rules.ONNXSparse, sparse(`dims: [0] data_type: FLOAT`, `dims: [0] data_type: INT64`, "[1]"),
			sparse(`dims: [0] data_type: FLOAT`, `dims: [0] data_type: INT32`, "[1]"), "INT32, and not INT64", ""},
		{rules.ONNXSparse, sparse(`dims: [0] data_type: FLOAT`, `dims: [0] data_type: INT64`, "[1]"),
			sparse(`dims: [1, 0] data_type: FLOAT`, `dims: [0] data_type: INT64`, "[1]"), "not [NNZ]", ""},
		{rules.ONNXQuantAnnotation, head + w + `quantization_annotation { tensor_name: "w" ` +
			`quant_parameter_tensor_names { key: "SCALE_TENSOR" value: "w" } } }`, head + w +
			`quantization_annotation { tensor_name: "w" quant_parameter_tensor_names { key: "SCALE_TENSOR" value: "s" } } }`,
			`names "s"`, ""},
		{rules.ONNXConv, conv("Conv", "[4, 4, 3, 3]", `attribute { name: "kernel_shape" ints: [3, 3] }`, ""),
			conv("Conv", "[3, 3, 4, 4]", `attribute { name: "kernel_shape" ints: [3, 3] }`, ""), "kernel_shape [3,3]", ""},
		{rules.ONNXConv, conv("Conv", "[4, 12, 3]", "", ""), conv("Conv", "[12, 12]", "", ""), "3 sizes at least", ""},
		{rules.ONNXConv, conv("Conv", "[4, 12, 3]", `attribute { name: "group" i: 4 }`, ""),
			conv("Conv", "[4, 12, 3]", `attribute { name: "group" i: 3 }`, ""), "3 groups", ""},
		{rules.ONNXConv, conv("Conv", "[4, 12, 3]", `attribute { name: "group" i: 2 }`, `input { name: "x" `+
			typed("INT8", "dim { } dim { dim_value: 24 }")+`}`),
			conv("Conv", "[4, 12, 3]", `attribute { name: "group" i: 2 }`, `input { name: "x" `+
				typed("INT8", "dim { } dim { dim_value: 12 }")+`}`), "12 channels", ""},
		{rules.ONNXConv, conv("Conv", "[4, 12, 3]", "", `initializer { name: "b" dims: [4] data_type: INT8 raw_data: 4 bytes }`),
			conv("Conv", "[4, 12, 3]", "", `initializer { name: "b" dims: [12] data_type: INT8 raw_data: 12 bytes }`),
			"bias of the shape [12], and 4 channels", ""},
		{rules.ONNXConv, conv("ConvTranspose", "[4, 12, 3]", `attribute { name: "group" i: 2 }`,
			`initializer { name: "b" dims: [24] data_type: INT8 raw_data: 24 bytes }`),
			conv("ConvTranspose", "[4, 12, 3]", `attribute { name: "group" i: 2 }`,
				`initializer { name: "b" dims: [12] data_type: INT8 raw_data: 12 bytes }`), "24 channels of output", ""},
		{rules.ONNXConv, conv("ConvTranspose", "[4, 12, 3]", "", `input { name: "x" `+
			typed("INT8", "dim { } dim { dim_value: 4 }")+`}`),
			conv("ConvTranspose", "[4, 12, 3]", "", `input { name: "x" `+
				typed("INT8", "dim { } dim { dim_value: 12 }")+`}`), "12 channels", ""},
		{rules.ONNXConv, conv("BatchNormalization", "[144]", "",
			`initializer { name: "b" dims: [144] data_type: INT8 raw_data: 144 bytes }`),
			conv("BatchNormalization", "[144]", "", `initializer { name: "b" dims: [1] data_type: INT8 raw_data: 1 bytes }`),
			"144 and 1 channels", ""},
		{rules.ONNXConv, conv("BatchNormalization", "[144]", "", ""), conv("BatchNormalization", "[12, 12]", "", ""),
			"one size", ""},
		{rules.ONNXExternalPath, external("location=w.bin"), external("location=../w.bin"), "leaves the directory", ""},
		{rules.ONNXExternalPath, external("location=a/../w.bin"), external("location=a/../../w.bin"), "leaves", ""},
		{rules.ONNXExternalPath, external("location=sub/w.bin"), external("location=/w.bin"), "absolute", ""},
		{rules.ONNXExternalPath, external("location=w.bin"), external(`location=C:\w.bin`), "absolute", ""},
		{rules.ONNXExternalPath, external("location=w.bin"), external(`location=\\s\w.bin`), "absolute", ""},
		{rules.ONNXExternalPath, external("location=w.bin"), external(`location=a\..\..\w.bin`), "leaves", ""},
		{rules.ONNXExternalPath, external("location=w.bin"), external("location="), "not stated", ""},
		{rules.ONNXExternalPath, external("location=w.bin"), external("offset=0"), "not stated", ""},
		{rules.ONNXExternalPath, external("location=w.bin"), external("location=w.bin; offset=0; ofset=0"), `key "ofset"`,
			"warning"},
		{rules.ONNXExternalPath, external("location=w.bin"), external("location=a..b.bin"), "two dots", "warning"},
		{rules.ONNXExternalPath, external("location=w.bin; checksum=00"), external("location=" + strings.Repeat("a", 4097)),
			"4097 bytes", ""},
		{rules.ONNXExternalMissing, external("location=w.bin"), external("location=v.bin"), "there is no such file", ""},
		{rules.ONNXExternalRange, external("location=w.bin; offset=0"), external("location=w.bin; offset=1"),
			`24 bytes from byte 1 on, and "w.bin" has 24: 1 too few`, ""},
		{rules.ONNXExternalRange, external("location=large.bin; offset=1048552"),
			external("location=large.bin; offset=1048553"), "1 too few", ""},
		{rules.ONNXExternalRange, external("location=w.bin; offset=0"),
			external("location=w.bin; offset=9223372036854775807"), "24 too few", ""},
		{rules.ONNXExternalLength, external("location=w.bin; length=24"), external("location=w.bin; length=23"),
			"takes 24 bytes, and the length is 23", ""},
		{rules.ONNXExternalLength, external("location=w.bin; length=0"), external("location=w.bin; length=25"), "is 25", ""},
		{rules.ONNXExternalAlign, external("location=large.bin; offset=4096"), external("location=large.bin; offset=4"),
			"1 of 1 tensor", ""},
		{rules.ONNXExternalGap, external("location=w.bin"), external("location=large.bin"), "1048552 of 1048576 bytes", ""},
	}
	for _, text := range strings.Split("-1,1e3,0x10,18446744073709551615, 8,8 ,+8,", ",") {
		tests = append(tests, struct {
			rule                     rules.ID
			right, wrong, word, mild string
		}{rules.ONNXExternalRange, external("location=w.bin"), external("location=w.bin; offset=" + text), "decimal", ""},
			struct {
				rule                     rules.ID
				right, wrong, word, mild string
			}{rules.ONNXExternalLength, external("location=w.bin"), external("location=w.bin; length=" + text), "decimal", ""})
	}
	for _, tt := range tests {
		severity := tt.mild
		if severity == "" {
			severity = tt.rule.Rule().Severity.String()
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
