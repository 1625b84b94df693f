package rules_test

import (
	"testing"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/rules"
)

// TestMessages checks words and fixes: the numbers that disagree, with their units, and a change that fixes the input.
// The numbers come from Microsoft's DirectML documentation and from DirectML's helper.
func TestMessages(t *testing.T) {
	const unit = `{"DataType": "FLOAT16", "Sizes": [5, 55], "Strides": [9, 3], "TotalTensorSizeInBytes": 123, ` +
		`"GuaranteedBaseOffsetAlignment": 5, "role": "output"}`
	tests := []struct {
		text               string
		rule               *finding.Rule
		message, fix, name string
	}{
		{
			text: unit, rule: rules.TotalTooSmall,
			message: "TotalTensorSizeInBytes 123, needs 400 (last element 198, FLOAT16, 199 x 2 = 398, rounded " +
				"up to 4)",
			fix: "400 is enough, 277 more", name: "DxDispatch's unit test",
		},
		{
			text: unit, rule: rules.OverlapOutput,
			message: "(0,3) and (1,0) are both at element 9 (byte 18); 275 elements on 67 addresses",
			fix:     "stride 163 in dimension 0 is enough, in 1632 bytes",
			name:    "163, not 165, and never at least: 55 interleaves",
		},
		{
			text: unit, rule: rules.TotalMultiple4, message: "TotalTensorSizeInBytes 123 is not a multiple of 4",
			fix: "400 is enough", name: "124 would not fix it",
		},
		{
			text: unit, rule: rules.AlignPow2, message: "alignment 5 is not a power of two", fix: "4 or 8",
			name: "both neighbours",
		},
		{
			text: `{"DataType": "FLOAT32", "Sizes": [2, 3], "Strides": [12, 4], "TotalTensorSizeInBytes": 24}`,
			rule: rules.StrideBytes,
			message: "strides [12, 4] look like bytes: each is a multiple of FLOAT32's 4, and the smallest just " +
				"that; the total 24 has room for that, and not for elements",
			fix: "in elements they are [3, 1]", name: "no larger buffer",
		},
		{
			text:    `{"DataType": "FLOAT32", "Sizes": [2, 3], "Strides": [12, 4], "TotalTensorSizeInBytes": 20}`,
			rule:    rules.TotalTooSmall,
			message: "TotalTensorSizeInBytes 20, needs 84 (last element 20, FLOAT32, 21 x 4 = 84)",
			fix:     "24 is enough if the strides count bytes", name: "nor here",
		},
		{
			text: `{"DataType": "FLOAT32", "Sizes": [2, 224, 224, 3], "layout": "NHWC"}`,
			rule: rules.StrideShapeOrder,
			message: "sizes [2, 224, 224, 3] are 224 channels and 3 columns: they are listed as N, C, (D,) H, W also " +
				"where the layout is NHWC",
			fix: "sizes [2, 3, 224, 224], if 3 counts channels", name: "the likeliest mistake",
		},
		{
			text: `{"DataType": "FLOAT32", "Sizes": [3, 3], "Strides": [2147483648, 1], ` +
				`"TotalTensorSizeInBytes": 12}`,
			rule: rules.IndexOverflow,
			message: "last element 4294967298 does not fit 32 bits; DMLCalcBufferTensorSize answers 12, the true " +
				"size is 17179869196 bytes",
			fix: "keep the sum of (size - 1) x stride at or below 4294967295", name: "the helper's wrap",
		},
		{
			text: `{"DataType": "FLOAT32", "Sizes": [3, 3], "Strides": [2147483648, 1], ` +
				`"TotalTensorSizeInBytes": 12}`,
			rule: rules.TotalTooSmall,
			message: "TotalTensorSizeInBytes 12, needs 17179869196 (last element 4294967298, FLOAT32, 4294967299 " +
				"x 4 = 17179869196)",
			fix: "17179869196 is enough, 17179869184 more", name: "which passes its own check",
		},
		{
			text: `{"DataType": "FLOAT32", "Sizes": [3], "Strides": [4294967295], "TotalTensorSizeInBytes": 12}`,
			rule: rules.IndexOverflow,
			message: "last element 8589934590 does not fit 32 bits; DMLCalcBufferTensorSize of 2019, 2022 and " +
				"2024 answers 4294967292, 17179869180 and 17179869180, the true size is 34359738364 bytes",
			fix: "keep the sum of (size - 1) x stride at or below 4294967295", name: "generations differ",
		},
		{
			text:    `{"DataType": "FLOAT32", "Sizes": [3], "Strides": [4294967295], "TotalTensorSizeInBytes": 12}`,
			rule:    rules.StrideMinus,
			message: "stride 4294967295 of dimension 0 is -1 as a signed 32-bit number",
			fix:     "write the stride that was meant, below 2147483648; SLICE1 reverses", name: "the classic",
		},
		{
			text: `{"DataType": "FLOAT32", "Sizes": [32768, 32768], "Strides": [32768, 1], ` +
				`"TotalTensorSizeInBytes": 4}`,
			rule: rules.TotalTooSmall,
			message: "TotalTensorSizeInBytes 4, needs 4294967296 (last element 1073741823, FLOAT32, 1073741824 x " +
				"4 = 4294967296); DMLCalcBufferTensorSize of 2019, 2022 and 2024 answers 0, 4294967296 and " +
				"4294967296",
			fix: "4294967296 is enough, 4294967292 more", name: "4 GiB",
		},
		{
			text: `{"DataType": "FLOAT32", "Sizes": [0, 3], "Strides": [3, 1], "TotalTensorSizeInBytes": 4}`,
			rule: rules.SizeZero,
			message: "size 0 of dimension 0: DirectML has no empty tensors; DMLCalcBufferTensorSize of 2019, " +
				"2022 and 2024 answers 0, 17179869184 and 17179869184",
			fix: "remove operators whose tensors are empty", name: "its flaw F2",
		},
		{
			text: `{"DataType": "FLOAT32", "Sizes": [3, 4, 1, 5], "Strides": [0, 0, 0, 1], ` +
				`"TotalTensorSizeInBytes": 20, "role": "input"}`,
			rule: rules.BroadcastPresent, message: "dimensions 0, 1 repeat: 5 stored elements (20 bytes) for 60",
			name: "DirectML issue 76",
		},
		{
			text: `{"DataType": "FLOAT32", "Sizes": [3, 3], "Strides": [0, 0], "target": "none", "role": "output"}`,
			rule: rules.BroadcastOutput,
			message: "(0,0) and (0,1) are both at element 0 (byte 0); dimensions 0, 1 repeat: 1 stored element " +
				"(4 bytes) for 9",
			fix: "strides [3, 1] give every element its own address", name: "onnxruntime 11262",
		},
		{
			text: `{"DataType": "FLOAT16", "Sizes": [122753], "TotalTensorSizeInBytes": 245506}`,
			rule: rules.TotalMultiple4, message: "TotalTensorSizeInBytes 245506 is not a multiple of 4",
			fix: "245508 is enough", name: "onnxruntime-genai 725",
		},
		{
			text: `{"DataType": "FLOAT32", "Sizes": [1, 3, 224, 224], "Strides": [153228, 51076, 226, 1], ` +
				`"offset": 50177, "TotalTensorSizeInBytes": 612912, "target": "pytorch"}`,
			rule:    rules.TotalTooSmall,
			message: "total bytes 612912, needs 811804 (last element 202950, float32, 202951 x 4 = 811804)",
			fix:     "811804 is enough, 198892 more", name: "DirectML issue 448",
		},
		{
			text: `{"DataType": "INT16", "Sizes": [5, 2], "Strides": [-2, 1], "TotalTensorSizeInBytes": 18, ` +
				`"target": "none"}`,
			rule: rules.TotalTooSmall, message: "total bytes 18, needs 20 (elements -8 to 1, int16, 10 x 2 = 20)",
			fix: "20 is enough, 2 more", name: "backwards",
		},
		{
			text: `{"DataType": "INT4", "Sizes": [3, 3], "TotalTensorSizeInBytes": 4}`, rule: rules.TotalTooSmall,
			message: "TotalTensorSizeInBytes 4, needs 8 (last element 8, INT4, 9 x 4 bits = 5 bytes, rounded up " +
				"to 4)",
			fix: "8 is enough, 4 more", name: "nibbles",
		},
		{
			text: `{"DataType": "UINT4", "Sizes": [3, 3], "Strides": [3, 2], "role": "output"}`,
			rule: rules.OverlapOutput, name: "unique",
		},
		{
			text:    `{"DataType": "UINT4", "Sizes": [3, 4], "Strides": [3, 1], "role": "output"}`,
			rule:    rules.OverlapOutput,
			message: "(0,3) and (1,0) are both at element 3 (byte 1, bit 4); 12 elements on 10 addresses",
			fix:     "stride 4 in dimension 0 is enough", name: "half a byte",
		},
		{
			text:    `{"Sizes": [2, 2, 2], "Strides": [3, 2, 1], "target": "pytorch", "role": "output"}`,
			rule:    rules.OverlapOutput,
			message: "(0,1,1) and (1,0,0) are both at element 3; 8 elements on 7 addresses",
			fix:     "strides 4,2,1 would be row-major; stride 4 in dimension 0 is enough",
			name:    "pytorch 6165: no type, no bytes",
		},
		{
			text: `{"Sizes": [7, 2], "Strides": [1, 2], "target": "pytorch", "role": "output"}`,
			rule: rules.OverlapOutput, message: "(0,1) and (2,0) are both at element 2; 14 elements on 9 addresses",
			fix: "stride 7 in dimension 1 is enough", name: "pytorch 107110",
		},
		{
			text:    `{"DataType": "FLOAT32", "Sizes": [1, 3, 4, 5], "Strides": [60, 1, 12, 3], "role": "output"}`,
			rule:    rules.OverlapOutput,
			message: "(0,0,0,4) and (0,0,1,0) are both at element 12 (byte 48); 60 elements on 51 addresses",
			fix:     "strides 60,1,15,3 would be NHWC; stride 15 in dimension 2 is enough", name: "W x C is 15",
		},
		{
			text:    `{"DataType": "FLOAT32", "Sizes": [2, 3, 4, 5], "Strides": [48, 1, 15, 3], "role": "output"}`,
			rule:    rules.OverlapOutput,
			message: "(0,0,3,1) and (1,0,0,0) are both at element 48 (byte 192); 120 elements on 108 addresses",
			fix:     "strides 60,1,15,3 would be NHWC; stride 60 in dimension 0 is enough", name: "the batch stride",
		},
		{
			text: `{"DataType": "FLOAT32", "Sizes": [4, 3], "Strides": [2, -3], "target": "none", ` +
				`"role": "output"}`,
			rule:    rules.OverlapOutput,
			message: "(0,0) and (3,2) are both at element 0 (byte 0); 12 elements on 11 addresses",
			fix:     "a step of 7 in dimension 1, forward or backward, is enough", name: "backwards",
		},
		{
			text:    `{"DataType": "FLOAT32", "Sizes": [4, 5, 24], "Strides": [288, 24, 1], "target": "none"}`,
			rule:    rules.Gaps,
			message: "504 of 984 elements are not used (2016 bytes), 51.2 %; the first is element 120 (byte 480)",
			name:    "rocMLIR 2225: padding, not overlap",
		},
		{
			text: `{"DataType": "FLOAT32", "Sizes": [2, 3], "Strides": [2, 3]}`, rule: rules.StrideEqualsSize,
			message: "strides [2, 3] are the same numbers as the sizes", fix: "packed strides are [3, 1]",
			name: "DirectML pull request 118",
		},
		{
			text: `{"DataType": "UINT32", "Sizes": [2, 3], "Strides": [6, 2]}`, rule: rules.Int64Emulated,
			message: "strides [6, 2] step over every other UINT32, as if these were the lower halves of INT64: " +
				"44 bytes end before the last upper half",
			fix: "48 bytes take in the last upper half too", name: "ONNX Runtime",
		},
		{
			text: `{"DataType": "float32", "Sizes": [3, 2], "Strides": [2, 5], "target": "onednn"}`,
			rule: rules.OneDNNStrides,
			message: "stride 5 of dimension 1 is refused: in order of increasing strides each must be at least " +
				"the one before it times its size, here 6",
			fix: "6 is the next stride that it takes", name: "unique all the same",
		},
		{
			text: `{"DataType": "FLOAT32", "Sizes": [4, 3], "Strides": [2, -2], "TotalTensorSizeInBytes": 44, ` +
				`"target": "none", "role": "output"}`,
			rule:    rules.OverlapOutput,
			message: "(0,0) and (1,1) are both at element 0 (byte 0); 12 elements on 6 addresses",
			fix:     "a step of 5 in dimension 0, forward or backward, is enough", name: "5 i = 2 j has no j below 3",
		},
		{
			text: `{"DataType": "FLOAT32", "Sizes": [2, 3, 3], "Strides": [-1, 0, 1], ` +
				`"TotalTensorSizeInBytes": 16, "target": "none", "role": "output"}`,
			rule:    rules.BroadcastOutput,
			message: "(0,0,0) and (0,1,0) are both at element 0 (byte 0); dimension 1 repeats",
			fix:     "strides [9, 3, 1] give every element its own address, in 72 bytes",
			name:    "18 floats forwards are more than 4 backwards",
		},
		{
			text: `{"DataType": "FLOAT32", "Sizes": [3, 3], "Strides": [0, 1], "offset": 2, ` +
				`"TotalTensorSizeInBytes": 20, "target": "none", "role": "output"}`,
			rule: rules.BroadcastOutput,
			message: "(0,0) and (1,0) are both at element 2 (byte 8); dimension 0 repeats: 3 stored elements (12 " +
				"bytes) for 9",
			fix: "strides [3, 1] give every element its own address, in 44 bytes", name: "2 floats before 9",
		},
		{
			text: `{"DataType": "FLOAT32", "Sizes": [2, 3], "offset": 4, "TotalTensorSizeInBytes": 24}`,
			rule: rules.OffsetUnstated,
			message: "storage offset 4 (16 bytes): no descriptor states it; the binding starts there, and it " +
				"counts on top of the total",
			fix: "bind the buffer at the offset", name: "DML_BUFFER_BINDING has the offset",
		},
		{
			text: `{"DataType": "FLOAT32", "Sizes": [2, 4], "Strides": [-8, 1], "target": "tma"}`,
			rule: rules.TMAStride16, message: "stride -8 of dimension 0: the strides of a tensor map are unsigned",
			fix: "list the rows in the order of memory", name: "cuuint64_t globalStrides[]",
		},
		{
			text: `{"DataType": "FLOAT32", "Sizes": [2, 4], "Strides": [-8, 1], "target": "tma"}`,
			rule: rules.TMANested, name: "which is not said twice",
		},
		{
			text: `{"DataType": "BOOL", "Sizes": [4]}`, rule: rules.DTypeKnown,
			message: "DirectML has no type BOOL", fix: "UINT8 holds truth values", name: "what to use",
		},
		{
			text: `{"DataType": "FLOTA32", "Sizes": [4]}`, rule: rules.DTypeKnown,
			message: "DirectML has no type FLOTA32", fix: "did you mean FLOAT32?", name: "a slip",
		},
	}
	for _, tt := range tests {
		found := of(checkText(t, tt.text), tt.rule)
		switch {
		case tt.message == "" && len(found) > 0:
			t.Errorf("%s: %s%s", tt.name, tt.text, shown(found))
		case tt.message == "":
		case len(found) != 1 || found[0].Message != tt.message || found[0].Fix != tt.fix:
			t.Errorf("%s: %s: want %s; %s, got%s", tt.name, tt.text, tt.message, tt.fix, shown(found))
		}
	}
}

// TestFine has correct descriptors that people asked about.
func TestFine(t *testing.T) {
	tests := []struct{ text, reason string }{
		{`{"DataType": "FLOAT32", "Sizes": [1, 1, 3, 2], "Strides": [6, 6, 1, 3], "TotalTensorSizeInBytes": 24, ` +
			`"role": "input"}`, "DirectML issue 75: a transpose by strides"},
		{`{"DataType": "FLOAT32", "Sizes": [1, 3, 4, 5], "Strides": [0, 0, 0, 1], "TotalTensorSizeInBytes": 20, ` +
			`"role": "input"}`, "DirectML issue 76: a bias"},
		{`{"DataType": "FLOAT32", "Sizes": [1], "Strides": [0], "TotalTensorSizeInBytes": 4, "role": "output"}`,
			"onnxruntime pull request 7391"},
		{`{"DataType": "FLOAT32", "Sizes": [1, 3, 128, 128], "Strides": [0, 1, 384, 3], ` +
			`"TotalTensorSizeInBytes": 196608, "role": "output"}`, "pytorch 33812: stride 0 of size 1"},
		{`{"DataType": "FLOAT32", "Sizes": [1, 2, 4, 1], "Strides": [2, 1, 2, 99], "TotalTensorSizeInBytes": 32, ` +
			`"role": "output"}`, "pytorch 78611: any strides of size 1"},
		{`{"DataType": "FLOAT32", "Sizes": [1, 5], "Strides": [-7, 1], "TotalTensorSizeInBytes": 20, ` +
			`"role": "output"}`, "negative ones too"},
		{`{"DataType": "FLOAT32", "Sizes": [1, 5], "Strides": [6553600000, 1], "TotalTensorSizeInBytes": 20, ` +
			`"role": "output"}`, "MIOpen 847: and large ones"},
		{`{"DataType": "FLOAT32", "Sizes": [1, 5], "Strides": [9, 1], "target": "onednn", "role": "output"}`,
			"for oneDNN"},
		{`{"DataType": "FLOAT32", "Sizes": [1, 5], "Strides": [0, 1], "target": "mdspan", "role": "output"}`,
			"for mdspan"},
		{`{"DataType": "FLOAT32", "Sizes": [1, 5], "Strides": [-1, 1], "target": "pytorch", "role": "output"}`,
			"for PyTorch"},
		{`{"DataType": "FLOAT32", "Sizes": [13, 4, 1, 15, 15], "Strides": [900, 225, 900, 15, 1], "target": "none", ` +
			`"role": "output"}`, "MIOpen 3763"},
		{`{"DataType": "FLOAT32", "Sizes": [1, 8, 0, 128], "Strides": [0, 0, 0, 0], "TotalTensorSizeInBytes": 0, ` +
			`"target": "pytorch", "role": "output"}`, "onnxruntime 27450: empty"},
		{`{"DataType": "FLOAT32", "Sizes": [], "Strides": [], "TotalTensorSizeInBytes": 4, "target": "none", ` +
			`"role": "output"}`, "a scalar"},
		{`{"DataType": "FLOAT32", "Sizes": [8, 8], "layout": "column-major", "TotalTensorSizeInBytes": 256, ` +
			`"role": "output"}`, "a layout name"},
		{`{"DataType": "FLOAT32", "Sizes": [1, 17, 2, 2], "layout": "nChw16c", "TotalTensorSizeInBytes": 512, ` +
			`"target": "onednn"}`, "a blocked one"},
		{`{"DataType": "FLOAT16", "Sizes": [1, 3, 224, 224], "layout": "NHWC", "TotalTensorSizeInBytes": 301056}`,
			"sizes stay in their order"},
	}
	for _, tt := range tests {
		for _, f := range checkText(t, tt.text) {
			if f.Severity > finding.Note {
				t.Errorf("%s: %s%s", tt.reason, tt.text, shown([]finding.Finding{f}))
			}
		}
	}
}
