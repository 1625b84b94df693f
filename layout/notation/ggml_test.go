package notation

import (
	"testing"

	"layoutcalc/layout"
)

// TestGGML has what ggml 0.21 says of tensors of plain types. ne and nb begin with the innermost
// axis, sizes and strides end with it.
func TestGGML(t *testing.T) {
	tests := []struct {
		text, want string
		bytes      int64
		reason     string
	}{
		{text: "type = GGML_TYPE_F32, ne = {5, 4, 3, 2}, nb = {4, 20, 80, 240}", want: "float32 2,3,4,5 @ 60,20,5,1",
			bytes: 480, reason: "packed"},
		{text: "type = GGML_TYPE_F32, ne = {5, 4, 3, 2}", want: "float32 2,3,4,5 @ 60,20,5,1", bytes: 480,
			reason: "the same without strides"},
		{text: "type = GGML_TYPE_F32, ne = {4, 5, 3, 2}, nb = {20, 4, 80, 240}", want: "float32 2,3,5,4 @ 60,20,1,5",
			bytes: 480, reason: "permute(1,0,2,3)"},
		{text: "type = GGML_TYPE_F32, ne = {0, 3, 1, 1}, nb = {4, 0, 0, 0}", want: "float32 1,1,3,0 @ 0,0,0,1",
			reason: "empty"},
		{text: "type = GGML_TYPE_F32, ne = {1, 1, 1, 1}", want: "float32 1,1,1,1 @ 1,1,1,1", bytes: 4,
			reason: "n_dims 0"},
		{text: "type = GGML_TYPE_F32, ne = {4096}", want: "float32 4096 @ 1", bytes: 16384, reason: "one axis"},
		{text: "type = GGML_TYPE_F16, ne = {3, 2}, nb = {2, 8}", want: "float16 2,3 @ 4,1", bytes: 14,
			reason: "rows of 4"},
	}
	for _, tt := range tests {
		checkReadings(t, "ggml", []reading{{tt.text, tt.want, tt.reason}})
		d, err := single(t, "ggml", tt.text, Options{})
		if err != nil {
			continue
		}
		if got := figureOf(t, notationOf(t, "ggml"), d.Tensor, "ggml_nbytes"); got.Bytes != tt.bytes {
			t.Errorf("%s: ggml_nbytes %d, want %d; %s", tt.text, got.Bytes, tt.bytes, tt.reason)
		}
	}
}

func TestGGMLSpellings(t *testing.T) {
	checkReadings(t, "ggml", []reading{
		{"ne = [5,4,3,2], nb = [4,20,80,240]", "2,3,4,5 @ 60,20,5,1", "no type: bytes of float32"},
		{"ne: [3, 2], nb: [4, 12]", "2,3 @ 3,1", "colons"},
		{`{"type": "F32", "ne": [3, 2], "nb": [4, 12]}`, "float32 2,3 @ 3,1", "JSON"},
		{"{type = GGML_TYPE_BF16, ne = {3, 2, 1, 1}, nb = {2, 6, 12, 12}}", "bfloat16 1,1,2,3 @ 6,6,3,1",
			"as a debugger prints it"},
		{"type=f16 ne={3,2} nb={2,6}", "float16 2,3 @ 3,1", "blanks for commas"},
	})
	for _, tt := range [][2]string{
		{"F32", "float32"}, {"F16", "float16"}, {"BF16", "bfloat16"}, {"F64", "float64"}, {"I8", "int8"},
		{"I16", "int16"}, {"I32", "int32"}, {"I64", "int64"},
	} {
		checkReadings(t, "ggml", []reading{{"type = GGML_TYPE_" + tt[0] + ", ne = {3, 2}", tt[1] + " 2,3 @ 3,1",
			"a plain type"}})
	}
}

// TestGGMLQuantised: types of blocks have no stride for an element.
func TestGGMLQuantised(t *testing.T) {
	for _, name := range []string{
		"Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q8_1", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K", "Q8_K", "IQ2_XXS",
		"IQ2_XS", "IQ3_XXS", "IQ1_S", "IQ4_NL",
		"IQ3_S", "IQ2_S", "IQ4_XS", "IQ1_M", "TQ1_0", "TQ2_0", "MXFP4", "NVFP4", "Q1_0", "Q2_0", "q4_0", "q6_K",
		"mxfp4",
	} {
		checkRefusals(t, "ggml", []wrong{
			{text: "type = GGML_TYPE_" + name + ", ne = {256, 3}", at: "GGML_TYPE_" + name, says: "blocks",
				reason: "a quantised type"},
			{text: "type = " + name + ", ne = {256, 3}", at: name, says: "blocks", reason: "a quantised type"},
		})
	}
}

func TestGGMLRefusals(t *testing.T) {
	checkRefusals(t, "ggml", []wrong{
		{text: "type = GGML_TYPE_F33, ne = {3, 2}", at: "GGML_TYPE_F33", says: "unknown data type",
			reason: "no such type"},
		{text: "type = GGML_TYPE_F32, ne = {3, 2}, nb = {4, 18}", at: "{4, 18}", says: "not a multiple",
			reason: "half an element"},
		{text: "type = GGML_TYPE_F32, ne = {3, 2}, nb = {4}", at: "{3, 2}", says: "2 sizes and 1 strides",
			reason: "one stride for each size"},
		{text: "type = GGML_TYPE_F32, nb = {4, 12}", at: "type", says: "ne is missing", reason: "no sizes"},
		{text: "type = GGML_TYPE_F32, ne = {3, 2", says: "expected", reason: "not closed"},
		{text: "ne = {3, ?}", at: "?", says: "--dim", reason: "an unknown size"},
	})
}

func TestGGMLWrites(t *testing.T) {
	tests := []struct {
		tensor       layout.Tensor
		want, reason string
	}{
		{laidOut(t, "2x3x4x5", "NCHW"), "type = GGML_TYPE_F32, ne = {5, 4, 3, 2}, nb = {4, 20, 80, 240}",
			"as ggml lays it out"},
		{plainTensor(t, "float32", 0, []int64{2, 3, 5, 4}, []int64{60, 20, 1, 5}),
			"type = GGML_TYPE_F32, ne = {4, 5, 3, 2}, nb = {20, 4, 80, 240}", "permute(1,0,2,3)"},
		{plainTensor(t, "int8", 0, []int64{2, 3}, []int64{0, 1}), "type = GGML_TYPE_I8, ne = {3, 2}, nb = {1, 0}",
			"broadcast"},
	}
	for _, tt := range tests {
		if got, err := notationOf(t, "ggml").Write(tt.tensor); got != tt.want || err != nil {
			t.Errorf("%v is %s, %v, want %s; %s", tt.tensor.Layout(), got, err, tt.want, tt.reason)
		}
		checkRoundTrip(t, notationOf(t, "ggml"), tt.tensor)
	}
}
