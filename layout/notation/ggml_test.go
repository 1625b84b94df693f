package notation

import (
	"strings"
	"testing"

	"layoutcalc/layout"
)

// TestGGML has ggml 0.21's descriptions of tensors of plain types. ne and nb begin with the innermost axis, sizes and
// strides end with it.
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

// TestGGMLLines has lines of llama.cpp's logs, as users have shown them.
func TestGGMLLines(t *testing.T) {
	tests := []struct{ text, want, notes, source string }{
		{"llama_model_loader: - tensor    0:                token_embd.weight q4_0     [   768, 32000,     1,     1 ]" +
			"\nllama_model_loader: - tensor    1:               output_norm.weight f32  [   768,     1,     1,     1 ]",
			"output_norm.weight float32 1,1,1,768 @ 768,768,768,1",
			"token_embd.weight is q4_0: blocks of elements have no strides of their own", "llama.cpp/pull/2685"},
		{"0.00.003.607 I llama_model_loader: - tensor split  0:        blk.30.attn_v.weight f16      " +
			"[  4096,  1024,     1,     1 ]", "blk.30.attn_v.weight float16 1,1,1024,4096 @ 4194304,4194304,4096,1", "",
			"llama.cpp/pull/10714"},
		{"ggml_debug:                   Kcur-0 = (f32)    MUL_MAT(blk.0.attn_k.weight{4096, 1024, 1, 1}, " +
			"attn_norm-0{4096, 6, 1, 1}}) = {1024, 6, 1, 1}\n      [\n       [ 0.0260, ...],\n      sum = -4.452065",
			"Kcur-0 float32 1,1,6,1024 @ 6144,6144,1024,1", "not read: 0.0260, sum, 4.452065",
			"llama.cpp/pull/15852"},
		{"ggml_debug:       Vcur-0 (permuted) = (f16)    PERMUTE(Vcur-0{128, 8, 6, 1}, }) = {128, 6, 8, 1}",
			"Vcur-0 (permuted) float16 1,8,6,128 @ 6144,768,128,1",
			"Vcur-0 (permuted) is a view (PERMUTE), and the line has no strides: read without gaps",
			"the form of eval-callback"},
		{"[ 11/723] Writing tensor blk.1.attn_q.weight                    | size   8192 x   1024  | " +
			"type UnquantizedDataType(name='F32')", "blk.1.attn_q.weight float32 8192,1024 @ 1024,1", "",
			"convert.py prints tensor.shape of PyTorch"},
		{"[  1/291] Writing tensor tok_embeddings.weight                  | size  32000 x   4096  | type F16  | T+   5",
			"tok_embeddings.weight float16 32000,4096 @ 4096,1", "", "convert.py"},
		{"struct ggml_tensor * a = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 64, 32);", "a float16 32,64 @ 64,1", "",
			"ne0 is the innermost"},
		{"ggml_new_tensor_4d(ctx, GGML_TYPE_F32, 4, 3, 1, 1)", " float32 1,1,3,4 @ 12,12,4,1", "", "ggml.h"},
	}
	for _, tt := range tests {
		d, err := single(t, "ggml", tt.text, Options{})
		if err != nil {
			t.Errorf("%s: %v; %s", tt.text, err, tt.source)
			continue
		}
		if got := d.Name + " " + meaning(d); got != tt.want || strings.Join(d.Skipped, "; ") != tt.notes {
			t.Errorf("%s is read as %s, notes %q, want %s, %q; %s", tt.text, got, d.Skipped,
				tt.want, tt.notes, tt.source)
		}
	}
	checkRefusals(t, "ggml", []wrong{
		{text: "llama_model_loader: - tensor    0: output.weight q4_0 [ 768, 32000 ]", at: "llama", says: "blocks",
			reason: "nothing but quantised tensors"},
		{text: "llama_model_loader: - tensor    0: output.weight f32", at: "    0: output", says: "sizes in brackets",
			reason: "no sizes"},
		{text: "ggml_debug:  Kcur-0 = (f32) MUL_MAT(a, b)", at: "  Kcur-0", says: "its sizes", reason: "no sizes"},
		{text: "ggml_debug:  Kcur-0 = (f33) MUL_MAT(a, b) = {4}", at: "f33", says: "unknown element type",
			reason: "no such type"},
	})
}

func TestGGMLSpellings(t *testing.T) {
	checkReadings(t, "ggml", []reading{
		{"ne = [5,4,3,2], nb = [4,20,80,240]", "2,3,4,5 @ 60,20,5,1", "no type: bytes of float32"},
		{"ne: [3, 2], nb: [4, 12]", "2,3 @ 3,1", "colons"},
		{`{"type": "F32", "ne": [3, 2], "nb": [4, 12]}`, "float32 2,3 @ 3,1", "JSON"},
		{"{type = GGML_TYPE_BF16, ne = {3, 2, 1, 1}, nb = {2, 6, 12, 12}}", "bfloat16 1,1,2,3 @ 6,6,3,1",
			"as a debugger prints it"},
		{"type = GGML_TYPE_F32, ne = {3, 2, 1, 1}, nb = {4, 12, 24, 7}", "float32 1,1,2,3 @ 6,6,3,1",
			"nb of an axis of one index may be anything"},
		{"$46 = {type = GGML_TYPE_F32, backend = GGML_BACKEND_TYPE_CPU,\n  buffer = 0x0, ne = {4096, 512, 1, 1}, " +
			"nb = {4, 16384, 8388608,\n  8388608}, op = GGML_OP_MUL_MAT, op_params = {\n  0 <repeats 16 times>}, " +
			"flags = 0, src = {0xb496b0, 0x0}, view_src = 0x0, view_offs = 0, data = 0x0,\n  name = \"Vcur-0\", " +
			"'\\000' <repeats 57 times>, extra = 0x0,\n  padding = \"\\000\\000\\000\"}",
			"float32 1,1,512,4096 @ 2097152,2097152,4096,1",
			"gdb, llama.cpp/pull/6369"},
		{"ggml_tensor { type = GGML_TYPE_F16, ne = {4,3,1,1}, nb = {2, 8, 24, 24} }", "float16 1,1,3,4 @ 12,12,4,1",
			"the name of the type before its members"},
		{"struct ggml_tensor t = { .type = GGML_TYPE_F32, .ne = {4,3}, .nb = {4, 16} };", "float32 3,4 @ 4,1", "C"},
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
		{text: "type = GGML_TYPE_F33, ne = {3, 2}", at: "GGML_TYPE_F33", says: "unknown element type",
			reason: "no such type"},
		{text: "type = GGML_TYPE_F32, ne = {3, 2}, nb = {4, 18}", at: "{4, 18}", says: "not a multiple",
			reason: "half an element"},
		{text: "type = GGML_TYPE_F32, ne = {3, 2}, nb = {4}", at: "{3, 2}", says: "2 sizes but 1 stride",
			reason: "one stride for each size"},
		{text: "type = GGML_TYPE_F32, nb = {4, 12}", at: "type", says: "ne is missing", reason: "no sizes"},
		{text: "type = GGML_TYPE_F32, ne = {3, 2", at: "{3", says: "not closed", reason: "not closed"},
		{text: "ne = [32000, 4096, 1, 1], type q4_0", at: "type q4_0", says: "type = q4_0",
			reason: "a quantised type, which has no strides"},
		{text: "ne = [32, 4, 1, 1], type f16", at: "type f16", says: "type = f16", reason: "no sign of equality"},
		{text: "ne = {32, 4}, nb = {4, 128}, f16", at: "f16", says: "type = f16", reason: "a type alone"},
		{text: "ne = [32, 4], GGML_TYPE_F16", at: "GGML", says: "type = GGML_TYPE_F16", reason: "a type alone"},
		{text: "ne = [10,20], offset 5", at: "offset", says: "remove it", reason: "an offset, which is not read"},
		{text: "ne = [10,20], hello world", at: "hello", says: "remove it", reason: "other words"},
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
