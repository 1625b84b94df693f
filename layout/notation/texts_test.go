package notation

import (
	"strconv"
	"strings"
	"testing"

	"layoutcalc/layout"
)

// TestRareTexts has inputs with rare properties. It checks the tensor with a name, or the error. The numbers are in the
// inputs, or follow from the rules of the system.
func TestRareTexts(t *testing.T) {
	t.Parallel()
	many := func(n int, format, between string) string {
		items := make([]string, n)
		for i := range items {
			items[i] = strings.ReplaceAll(format, "#", strconv.Itoa(i))
		}
		return strings.Join(items, between)
	}
	for _, tt := range []struct{ notation, text, name, want, reason string }{
		{"mdspan", "strides = {5, 1}, x = {2}", "", "mdspan needs extents", "a field that is none"},
		{"mdspan", "strides = {5, 1}", "", "mdspan needs extents", "no extents"},
		{"mdspan", "std::layout_right::mapping<std::extents<int, 2, 3>>({}, {3, 1})", "", "has extents only",
			"strides of a layout that has none"},
		{"cute", "auto composition = make_layout(make_shape(2, 3), make_stride(3, 1));", "composition",
			"2,3 3,1 0 float32", "a variable with the name of an operation"},
		{"cute", "auto x = composition(make_layout(6), make_layout(3));", "x", "3 1 0 float32", "the operation"},
		{"cute", "ptr[24b](0x7f00) o (2,3):(3,1)", "", "no type has 24 bits", "a pointer"},
		{"cute", "ptr[16b](0x7f00) o (2,3):(3,1)", "", "2,3 3,1 0 uint16", "a pointer"},
		{"mlir", "memref<2x3xf32, affine_map<(" + many(130, "d#", ", ") + ") -> (d0)>>", "", "128", "129 inputs"},
		{"mlir", "memref<2xf32, affine_map<(d0) -> (" + many(300, "d0", ", ") + ")>>", "", "results", "300 results"},
		{"mlir", "memref<2xf32, affine_map<(d0) -> (" + many(300, "d0", " + ") + ")>>", "", "terms", "300 terms"},
		{"mlir", "memref<2x3xf32, strided<[3, 1]>, strided<[3, 1]>>", "", "there is a layout already", "two layouts"},
		{"onednn-verbose", "2x3 src:f32::blocked:ba::f0", "src", "2,3 1,2 0 float32", "the sizes first"},
		{"onednn-verbose", "onednn_verbose,v1,graph,exec,cpu,1,sdp,a,,in0_f32:0:strided:undef:-1x3:3s1 " +
			"in1_f32:1:strided:undef:2x3:3s1", "in1", "2,3 3,1 0 float32 | the sizes of in0 are not known yet",
			"sizes of run time"},
		{"onednn-verbose", "onednn_verbose,v1,graph,exec,cpu,1,sdp,a,data:NCX;; filter:OIX;," +
			"in0_f32:0:strided:undef:2x3:3s1", "in0", "2,3 3,1 0 float32", "formats"},
		{"onednn-verbose", "onednn_verbose,v1,graph,exec,cpu,1,sdp,a,NCX,in0_f32:0:strided:undef:2x3:3s1", "in0",
			"2,3 3,1 0 float32 | not read: NCX", "a word in place of the formats"},
		{"onednn-verbose", "onednn_verbose,v1,graph,exec,cpu,1,sdp,a,,in0_f32:0:strided:undef:2x3:3s1,fpm:strict,b",
			"in0", "2,3 3,1 0 float32", "a backend"},
		{"onednn-verbose", "src:f32::blocked:ab::f0 " + many(300, "2x3", ":"), "", "tensors in a problem", "300 lists"},
		{"xla", "f32[2,3]{1,0:T()}", "", "expected a number", "an empty tile"},
		{"xla", "f32[2,3]{1,0:T(2,*)}", "", "no dimension after the *", "nothing to merge with"},
		{"pytorch", "torch.Size([2, 3]) (3, 1) device(type='cuda', index=0)", "", "2,3 3,1 0 float32", "a device"},
		{"pytorch", "torch.Size([2, 3]) (3, 1) cuda:0", "", "2,3 3,1 0 float32", "a device"},
		{"pytorch", "q dtype=torch.half\nk.shape=torch.Size([2])", "k", "not read: q: dtype=torch.half without sizes",
			"the field of another tensor"},
		{"pytorch", "q.dtype=torch.half\nk.shape=torch.Size([2])", "k", "| not read: q.dtype=torch.half without sizes",
			"the field of another tensor"},
		{"pytorch", "dtype=torch.half\nk.shape=torch.Size([2])", "k", "| not read: dtype=torch.half without sizes",
			"the field of nothing"},
		{"numpy", "shape=(2, 3) dtype=<class 'numpy.float32'> strides=(4, 8)", "", "2,3 1,2 0 float32", "a class"},
		{"pytorch", "x = torch.zeros(2, 3)\nx.shape, x.stride()\n(torch.Size([2, 3]), (3, 1))", "x",
			"2,3 3,1 0 float32", "a tuple is printed"},
		{"pytorch", "x = torch.zeros(2, 3)\nx.shape, x.stride()\n(torch.Size([2, 3]), (1, 3))", "x",
			"the text prints (1, 3) here", "another order"},
		{"pytorch", "x = torch.zeros(2, 3)\nx.shape, x.stride()\n(torch.Size([2, 3]),)", "x", "2,3 3,1 0 float32",
			"one answer of two"},
		{"pytorch", "x.shape torch.Size([2, 3]) tensor([4, 5])", "x", "2,3 3,1 0 float32", "elements, no strides"},
		{"pytorch", "torch.Size([2, 3]) (1, 2) array([4, 5])", "", "2,3 1,2 0 float32", "elements after strides"},
		{"pytorch", "x = torch.tensor([[1, 2], [3]])", "x", "not of one length", "a ragged list"},
		{"pytorch", "x = torch.tensor([[1, 2], [3, 4], [5, 6]])", "x", "3,2 2,1 0 int64", "elements"},
		{"numpy", "x = np.zeros((2, 3), dtype=complex)", "x", "2,3 3,1 0 complex128", "Python's complex"},
		{"numpy", "x = np.zeros((2, 3), dtype=float)", "x", "2,3 3,1 0 float64", "Python's float"},
		{"numpy", "x = np.zeros((2, 3), dtype=int)", "x", "2,3 3,1 0 int64", "Python's int"},
	} {
		checkAnswer(t, tt.notation, tt.text, tt.name, tt.want, tt.reason)
	}
}

// TestOldNames has the names in oneDNN verbose lines before v1, which begin with f for a format, and the names in
// reorder lines.
func TestOldNames(t *testing.T) {
	for rest, want := range map[string]string{
		"eltwise,jit:avx2,forward_training,fdata:nchw fdiff:undef,alg:eltwise_relu,1x2x3x4,0.1": "data fdata",
		"reorder,jit:uni,undef,in:f32_nchw out:f32_nhwc,num:1,1x2x3x4,0.1":                      "in , out ",
	} {
		line := "mkldnn_verbose,exec," + rest
		found, err := Read(line, Options{})
		var names []string
		for _, d := range found {
			names = append(names, d.Name+" "+d.Also)
		}
		if got := strings.Join(names, ", "); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", line, got, err, want)
		}
	}
}

// TestBenchOptions distinguishes benchdnn command lines from other flags.
func TestBenchOptions(t *testing.T) {
	for arg, want := range map[string]bool{
		"--conv mb1ic3": true, "--matmul 2x3:3x4": true, "--reorder --stag=ab 2x3": true, "--dt=f32 2x3": true,
		"--conv": false, "conv mb1": false, "--foo bar": false, "-v 2x3": false, "--strides=1 2": false,
		"--dt 2x3":                false,
		"--stag=ab --dtag=ba 2x3": true, "": false, "-- conv": false,
	} {
		if IsBenchOptions(arg) != want {
			t.Errorf("%q is a command line of benchdnn: %v", arg, !want)
		}
	}
}

// TestUnrecognised has errors of inputs that no notation recognizes, and of others.
func TestUnrecognised(t *testing.T) {
	for text, want := range map[string]bool{
		"hello": true, "a b c": true, "memref<2x3xf3": false, "f32[2,3]{0": false, "torch.empty(": false,
	} {
		if _, err := Read(text, Options{}); err == nil || Unrecognised(err) != want {
			t.Errorf("%q: %v", text, err)
		}
	}
	if Unrecognised(nil) || Recognises("torch.empty(2, 3) #"+strings.Repeat("x", 70_000)) ||
		!Recognises("torch.empty(2, 3) #"+strings.Repeat("x", 60_000)) {
		t.Error("a text of 70 KB has no form, one of 60 KB has")
	}
	_, err := Read("memref<2x3xf32>", Options{Names: map[string]int64{"N": 4}})
	if err == nil || !strings.Contains(err.Error(), "has no size of that name") {
		t.Errorf("a name that the text has not: %v", err)
	}
	for name, want := range map[string]layout.System{
		"numpy": layout.NumPy, "pytorch": layout.PyTorch, "xla": layout.Others, "numpy-interface": layout.NumPy,
	} {
		n := notationOf(t, name)
		if n.StepSystem() != want || n.HasSteps() != (name != "xla") {
			t.Errorf("%s has steps of %v: %v", name, n.StepSystem(), n.HasSteps())
		}
	}
}

// TestTexts has strings as other programs print them and users paste them. The form determines the notation. The test
// checks the tensors, by name, and the notes. The numbers are in the inputs, or follow from them by the rule in source.
func TestTexts(t *testing.T) {
	tests := []struct{ text, notation, want, notes, source string }{
		{
			"onednn_verbose,v1,graph,exec,gpu,100002,sdp,matmul_qk;scale_div;mask_add;softmax;matmul_v,," +
				"in0_f16:1:strided:undef:1x16x384x64:393216s24576s64s1 " +
				"in1_f16:2:strided:undef:1x16x384x64:393216s24576s64s1 " +
				"in2_f16:4:strided:constant:1:1 in3_f16:5:strided:undef:1x1x384x384:147456s147456s384s1 " +
				"out0_f16:6:strided:undef:1x16x384x64:393216s24576s64s1,fpm:strict,sdp_primitive_kernel_t," +
				"dnnl_backend,0.2",
			"onednn-verbose",
			"in0 float16 1,16,384,64 @ 393216,24576,64,1; in1 float16 1,16,384,64 @ 393216,24576,64,1; in2 float16 " +
				"1 @ 1; " +
				"in3 float16 1,1,384,384 @ 147456,147456,384,1; out0 float16 1,16,384,64 @ 393216,24576,64,1", "",
			"oneDNN, the documentation of its graph driver",
		},
		{
			"onednn_graph_verbose,exec,cpu,100002,convolution_post_ops,conv0;relu0,data:NCX;NCX; filter:OIX;;;," +
				"in0_f32:0:strided:undef:8x3x227x227:154587s51529s227s1\nin1_f32:1:opaque:constant:96x3x11x11:7 " +
				"in2_f32:3:strided:undef:96:1 out0_f32:5:strided:undef:8x96x55x55:290400s1s5280s96,fpm:strict," +
				"dnnl_backend,3.7",
			"onednn-verbose",
			"in0 float32 8,3,227,227 @ 154587,51529,227,1; in2 float32 96 @ 1; out0 float32 8,96,55,55 @ 290400,1," +
				"5280,96",
			"in1 is opaque: the layout 7 is the library's own", "oneDNN v3.0's src/graph/utils/verbose.cpp; a line " +
				"is wrapped",
		},
		{
			"onednn_verbose,v1,graph,exec,gpu,_gen_index(_gen_index),18446744073709551615,attrs:{axis:2}," +
				"inputs:{f32:102:strided:undef:1x16x384x384:2359296x147456x384x1}," +
				"outputs:{s32:1021:strided:undef:1x16x384x384:2359296x147456x384x1},0.193115",
			"onednn-verbose",
			"in0 float32 1,16,384,384 @ 2359296,147456,384,1; out0 int32 1,16,384,384 @ 2359296,147456,384,1", "",
			"oneDNN/pull/4849",
		},
		{
			"onednn_verbose,v1,primitive,exec,gpu,sdpa,ocl:micro:any,undef,query:f16::blocked:abcd::f0 " +
				"key:f16::blocked:abdc::f0 val:f16::blocked:abcd::f0 msk:f16::blocked:abcd::f0 " +
				"dst:f16::blocked:abcd::f0,," +
				"alg:softmax_accurate_inf_as_zero msk:2d,1x32x384x128:1x32x128x77:1x32x77x128,0.2",
			"onednn-verbose",
			"query float16 1,32,384,128 @ 1572864,49152,128,1; key float16 1,32,128,77 @ 315392,9856,1,128; " +
				"val float16 1,32,77,128 @ 315392,9856,128,1; msk float16 1,1,384,77 @ 29568,29568,77,1; " +
				"dst float16 1,32,384,128 @ 1572864,49152,128,1",
			"msk: the line says only that it is 2d: its other sizes are read as 1",
			"oneDNN/pull/3924 with a mask; its sizes are those of benchdnn's driver_sdpa",
		},
		{
			"HloModule jit_f, is_scheduled=true, entry_computation_layout={(f32[8,16]{1,0}, bf16[16,32]{0," +
				"1})->f32[8,32]{1,0}}\n" +
				"\nENTRY %main.5 (Arg_0.1: f32[8,16], Arg_1.2: bf16[16,32]) -> f32[8,32] {\n" +
				"  %Arg_0.1 = f32[8,16]{1,0} parameter(0)\n  %Arg_1.2 = bf16[16,32]{0,1} parameter(1)\n" +
				"  ROOT %dot.3 = f32[8,32]{1,0} dot(f32[8,16]{1,0} %Arg_0.1, bf16[16,32]{0,1} %Arg_1.2), " +
				"metadata={op_name=\"jit(f)/dot_general[dims=(((1,), (0,)), ((), ()))][0]\" source_line=3}\n}\n",
			"xla",
			"Arg_0.1 float32 8,16 @ 16,1; Arg_1.2 bfloat16 16,32 @ 1,16; dot.3 float32 8,32 @ 32,1",
			"not read: HloModule, jit_f, is_scheduled, true and 51 other words",
			"XLA; not FX, which has a colon before its types too",
		},
		{
			"RuntimeError: setStorage: sizes [2, 3], strides [3, 1], storage offset 4, and itemsize 4 requiring a " +
				"storage " +
				"size of 40 are out of bounds for storage of size 24",
			"pytorch", " 2,3 @ 3,1 + 4", "the storage has 24 bytes, fewer than the tensor needs",
			"ATen/native/Resize.h: (4 + 5 + 1) x 4 = 40",
		},
		{
			"setStorage: sizes [64, 3, 7, 7], strides [147, 1, 21, 3], storage offset 0, and itemsize 2 requiring " +
				"a storage " +
				"size of 18816 are out of bounds for storage of size 0",
			"pytorch", " uint16 64,3,7,7 @ 147,1,21,3",
			"elements of 16 bits without a type: assuming uint16; the storage has 0 bytes, fewer than the " +
				"tensor needs",
			"64 x 147 x 2 = 18816",
		},
		{
			"INFO 11-05 10:22:33 [model.py:12] q: shape=torch.Size([4, 16, 128]) stride=(6144, 128, 1) " +
				"dtype=torch.bfloat16\n" +
				"INFO 11-05 10:22:33 [model.py:13] k: shape=torch.Size([4, 8, 128]) stride=(1, 128, 4) " +
				"dtype=torch.float16\n",
			"pytorch", "q bfloat16 4,16,128 @ 6144,128,1; k float16 4,8,128 @ 1,128,4", "", "a log of two tensors",
		},
		{"x.shape=torch.Size([2, 3, 4]), x.stride()=(1, 8, 2), x.dtype=torch.float16", "pytorch",
			"x float16 2,3,4 @ 1,8,2", "", "f'{x.shape=}, {x.stride()=}, {x.dtype=}'"},
		{"a.shape=(3, 4), a.strides=(32, 8), a.dtype=dtype('float64')", "numpy", "a float64 3,4 @ 4,1", "",
			"f'{a.shape=}, {a.strides=}, {a.dtype=}'"},
		{"UINT sizes[4] = { 1, 3, 4, 4 };\nUINT strides[4] = { 48, 1, 12, 3 };", "pytorch", " 1,3,4,4 @ 48,1,12,3", "",
			"the arrays of a DML_BUFFER_TENSOR_DESC without it: of Microsoft's NHWC strides C is innermost"},
		{"const uint32_t sizes[] = {2, 3}, strides[] = {1, 2};", "pytorch", " 2,3 @ 1,2", "", "arrays of C"},
		{"const uint64_t shape[2] {2, 3};\nsize_t strides[]{1, 2};", "pytorch", " 2,3 @ 1,2", "", "arrays of C++"},
		{"q: torch.Size([2, 3]) (1, 2), storage: float32", "pytorch", "q 2,3 @ 1,2", "storage is not read",
			"a type that is not of the tensor"},
		{">>> x.shape, x.stride(), x.dtype\n(torch.Size([2, 3]), (1, 2), torch.float16)", "pytorch",
			"x float16 2,3 @ 1,2", "", "a tuple after the word dtype"},
		{"memory::desc d{{2, 3}, dt::f32, tag::ab}; auto e = d.reshape({6});", "onednn", "d float32 2,3 @ 3,1",
			"not read: auto, e, d.reshape, 6", "dnnl.hpp"},
		{"{type = GGML_TYPE_F32, buffer = 0x0, ne = {3, 2, 1, 1}, nb = {4, 12, 24, 24}, op = GGML_OP_NONE, " +
			"flags = 0, view_src = 0x0, view_offs = 0, data = 0x7ff0, extra = 0x0}", "ggml",
			" float32 1,1,2,3 @ 6,6,3,1", "", "ggml.h: all are members"},
		{"torch.as_strided(x[4:], (2, 3), (3, 1))", "pytorch", " 2,3 @ 3,1",
			"the text does not state where the input starts: storage_offset is read as 0",
			"torch.as_strided: without storage_offset it is that of the input"},
		{"x = torch.randn(2, 3, 4)\ny = x.view(*x.shape[:-1], -1)", "pytorch", "x 2,3,4 @ 12,4,1; y 2,3,4 @ 12,4,1", "",
			"PyTorch 1.13: x.shape is of both systems, torch.randn of one"},
		{"torch.randn(8//2, 3)", "pytorch", " 4,3 @ 3,1", "", "Python divides"},
		{"x = torch.zeros(4, 6) # a\ny = x.reshape(x.shape[0] // 2, -1)", "pytorch",
			"x 4,6 @ 6,1; y 2,12 @ 12,1", "", "Python divides"},
		{"torch.as_strided(torch.arange(9), (2, 3), (3, 1))", "pytorch", " int64 2,3 @ 3,1", "", "PyTorch 1.13"},
		{"torch.full((2, 3), x)", "pytorch", " 2,3 @ 3,1",
			"the type of fill_value is not known: it is read as a float", "a variable"},
		{"%r = memref.reinterpret_cast %a to offset: [0], sizes: [3, 2], strides: [1, 3] : memref<6xf32> to " +
			"memref<3x2xf32, strided<[1, 3]>>", "mlir", "a float32 6 @ 1; r float32 3,2 @ 1,3",
			"not read: memref.reinterpret_cast, to, offset, 0 and 7 other words",
			"MLIR's memref dialect"},
		{"torch.Size([2, 3]) stride (3, 1) offset 5", "pytorch", " 2,3 @ 3,1 + 5", "", "a log in PyTorch's words"},
		{"a.shape=(2, 3)\na.strides=(12, 4)\na.dtype=float32\na.offset=4", "numpy", "a float32 2,3 @ 3,1 + 1", "",
			"numpy.ndarray: offset of array data in buffer, 4 bytes"},
		{"x.shape=torch.Size([2, 3]), x.stride()=(3, 1), x.offset=4", "pytorch", "x 2,3 @ 3,1 + 4", "",
			"elements, as PyTorch counts them"},
		{"read at offset 4: x.shape=torch.Size([2, 3]), x.stride()=(3, 1)", "pytorch", "x 2,3 @ 3,1",
			"not read: read, at, offset, 4", "an offset that is not a field"},
		{">>> x.shape\ntorch.Size([2, 3, 4])\n>>> x.stride()\n(12, 1, 3)\n", "pytorch", "x 2,3,4 @ 12,1,3", "",
			"Python's prompt"},
		{">>> x = torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last)\n>>> x.stride()\n(60, 1, 15, 3)\n",
			"pytorch", "x 2,3,4,5 @ 60,1,15,3", "",
			"a question about x is not another tensor"},
		{"[rank0]: param torch.Size([1024, 1024]) stride (1, 1024) torch.bfloat16", "pytorch",
			"param bfloat16 1024,1024 @ 1,1024", "", "values that say what they are"},
		{"Input 0: shape=torch.Size([1, 8]), dtype=torch.float32, stride=(8, 1), device=cpu", "pytorch",
			"Input 0 float32 1,8 @ 8,1", "device is not read", "words before the fields"},
		{"Warning: Grad strides do not match bucket view strides. This may impair performance.\n" +
			"grad.sizes() = [320, 4, 1, 1], strides() = [4, 1, 1, 1]\n" +
			"bucket_view.sizes() = [320, 4, 1, 1], strides() = [4, 1, 4, 4] (function operator())", "pytorch",
			"grad 320,4,1,1 @ 4,1,1,1; bucket_view 320,4,1,1 @ 4,1,4,4",
			"not read: Grad, strides, do, not and 10 other words", "torch/csrc/distributed/c10d/reducer.cpp"},
		{"buf5 = torch.ops.aten.as_strided.default(buf4, [8, 8], [1, 8], 3)", "pytorch", "buf5 8,8 @ 1,8 + 3", "",
			"an operator with its overload"},
		{
			"INFO:gguf-dump:* Loading: model.gguf\n* Dumping 2 key/value pair(s)\n" +
				"      1: UINT32     |        1 | GGUF.version = 3\n* Dumping 3 tensor(s)\n" +
				"      1:   58720256 |  4096, 14336,     1,     1 | F16     | blk.0.ffn_down.weight\n" +
				"      2:   58720256 |  4096, 14336,     1,     1 | Q6_K    | blk.0.ffn_up.weight\n" +
				"      3:       4096 |  4096,     1,     1,     1 | F32     | output_norm.weight\n",
			"ggml", "blk.0.ffn_down.weight float16 1,1,14336,4096 @ 58720256,58720256,4096,1; " +
				"output_norm.weight float32 1,1,1,4096 @ 4096,4096,4096,1",
			"blk.0.ffn_up.weight is Q6_K: blocks of elements have no strides of their own; " +
				"not read: Loading, model.gguf, Dumping, 2 and 13 other words", "llama.cpp's gguf_dump.py",
		},
		{
			"| T_ID | Tensor Layer Name  | Human Friendly Tensor Layer Name | Elements       | Shape               " +
				"| Type | BPW |\n" +
				"|-----:|:-------------------|:---------------------------------|:---------------|" +
				":--------------------|:-----|----:|\n" +
				"|    1 | output_norm.weight | Output Normalization (W)         | (~4K)     4096 | 4096 x    1 x 1 " +
				"x 1 | F32  | 32.0 |\n",
			"ggml", "output_norm.weight float32 1,1,1,4096 @ 4096,4096,4096,1",
			"not read: T_ID, Tensor, Layer, Name and 11 other words",
			"gguf_dump.py --markdown",
		},
		{"[   1/ 291]                    token_embd.weight - [ 4096, 32000,     1,     1], type =    f16, " +
			"converting to " +
			"q4_0 .. size =   250.00 MiB ->    70.31 MiB", "ggml",
			"token_embd.weight float16 1,1,32000,4096 @ 131072000,131072000,4096,1", "", "llama-quantize"},
		{"INFO:hf-to-gguf:blk.0.attn_k.weight,        torch.bfloat16 --> F16, shape = {4096, 1024}", "ggml",
			"blk.0.attn_k.weight float16 1024,4096 @ 4096,1", "", "convert_hf_to_gguf.py, which reverses the shape"},
		{
			"!memref_gmem_bf16_ = !cute.memref<bf16, gmem, align<16>, \"(?,4096):(4096,1)\">\n" +
				"!memref_gmem_bf16_2 = !cute.memref<bf16, gmem, align<16>, \"(2,4096):(4096,1)\">\n" +
				"%2 = cute.static : !cute.layout<\"((4096,1),7):((1,0),4096)\">\n" +
				"%3 = cute.static : !cute.composed_layout<\"S<3,4,3> o 0 o ((8,16),(64,1)):((64,512),(1,0))\">\n",
			"cute", "memref_gmem_bf16_2 bfloat16 2,4096 @ 4096,1; 2 4096,7 @  1:0 4096:1,4096; " +
				"3 128,64 @  16:512 8:64, 1:0 64:1 Sw<3,4,3>",
			"not read: gmem, align<16>, the memory space; types that have no strides or cannot be read: 1; " +
				"this number of the layout is not known; not read: cute.memref, bf16, gmem, align and 4 other words",
			"a module of the CuTe DSL",
		},
		{"std::mdspan<const float, std::extents<std::size_t, 3, 4>> m(p);", "mdspan", "m float32 3,4 @ 4,1", "",
			"elements that are const"},
		{"std::mdspan<double const, std::dextents<int, 2>, std::layout_left> m{p, 3, 4};", "mdspan",
			"m float64 3,4 @ 1,3", "", "const after the type"},
		{"std::mdspan<unsigned char, std::dextents<unsigned int, 2>>(p, 3, 4)", "mdspan", " uint8 3,4 @ 4,1", "",
			"a type of two words"},
		{"std::mdspan<const volatile std::int16_t, std::extents<int, 3, 4>>", "mdspan", " int16 3,4 @ 4,1", "",
			"a type of std"},
	}
	for _, tt := range tests {
		found, err := Read(tt.text, Options{})
		if err != nil {
			t.Errorf("%s: %v; %s", tt.text, err, tt.source)
			continue
		}
		var all []string
		for _, d := range found {
			all = append(all, d.Name+" "+meaning(d))
		}
		if got := strings.Join(all, "; "); got != tt.want || found[0].Notation.Name != tt.notation {
			t.Errorf("%s is read in %s as\n%s, want in %s\n%s; %s", tt.text, found[0].Notation.Name, got, tt.notation,
				tt.want, tt.source)
		}
		last := found[len(found)-1].Skipped
		if tt.notation == "cute" && len(found) > 1 {
			last = found[0].Skipped
		}
		if got := strings.Join(last, "; "); got != tt.notes {
			t.Errorf("%s: the notes are %q, want %q; %s", tt.text, got, tt.notes, tt.source)
		}
	}
}

// TestNearTexts has strings that nearly have a form. The error must be in the words of that form and point at the wrong
// part.
func TestNearTexts(t *testing.T) {
	checkFaults(t, []fault{
		{"in0_f32:0:strided:undef:8x3x227:154587s51529", "8x3x227", "3 sizes but 2 strides"},
		{"onednn_verbose,exec,cpu,rnn,ref,forward_inference,src_layer_f32::blocked:abc:f0,,alg:vanilla_lstm " +
			"direction:unidirectional_left2right,2x3,1", "2x3", "does not say dhc"},
		{"in0_f32:0:strided:undef:8x3:3q1", "q1", "in the strides"},
		{"in0_f33:0:strided:undef:8x3:3s1", "f33", "unknown element type"},
		{"shape=(2,3), sizes=abc", "sizes=", "cannot read the value of sizes"},
		{"sizes=[2,3], strid=[5,1]", "strid=", "unknown field strid"},
		{"torch.empty((2,3), dtyp=torch.int8)", "dtyp=", "unknown field dtyp"},
		{`{"shape":[2,3],"Strides":[1,2],"dtype":"float32"}`, "Strides", "unknown field Strides"},
		{`{"shape":[2,3],"dtype":"float32","order":"F"}`, "order", "unknown field order"},
		{`{"shape":[2,3],"dtype":"float32","storage_offset":5}`, "storage_offset", "unknown field storage_offset"},
		{"DLTensor{ndim=2, shape={2,3}, stride={1,2}, dtype={2,32,1}}", "stride", "unknown field stride"},
		{"{'shape':(2,3),'typestr':'<f4','stride':(4,8)}", "stride", "unknown field stride"},
		{"{'shape':(2,3),'typestr':'<f4','layout':'F'}", "layout", "unknown field layout"},
		{"shape=(2,3) strides=(8,4) strides=(4,8) dtype='<f4'", "(4,8)", "stride is given twice"},
		{"a.shape=(2,3), a.strides=(12,4), a.dtype=float32, a.offset=5", "5", "5 is not a multiple of the 4 bytes"},
		{"a.shape=(2,3), a.strides=(12,4)", "(12,4)", "strides in bytes need the type of the elements"},
		{"a.shape=(2,n), a.strides=(12,4)", "n)", "n is not known"},
		{"x.shape=[2,3] x.stride()=(1,2,3)", "[2,3]", "2 sizes but 3 strides"},
		{"torch.zeros(2,3,dtype=torch.int8,dtype=torch.float16)", "torch.float16", "dtype is given twice"},
		{"np.zeros((2,3), stride=(4,8))", "stride", "unknown field stride"},
		{"dnnl::memory::desc({2, 3}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::ab).permute_axes({1, 0})",
			"permute_axes", "another descriptor"},
		{"type = GGML_TYPE_F32, ne = {3, 2}, strides = {4, 20}", "strides", "unknown field strides"},
		{"type = GGML_TYPE_F32, ne = {3, 2}, nb = {4, 20}, offset = 64", "offset", "unknown field offset"},
		{"UINT sizes[4] = {1, 3};", "", ""}, // of which C makes 1, 3, 0, 0
		{"UINT sizes[2]; sizes[0] = 1; sizes[1] = 3;", "", ""},
		{"int64_t sizes[3] {2, 3};", "{2", "an array of 3 has 2"},
		{"int64_t sizes[2]{2, 3}; int64_t strides[3]{3, 1};", "{3, 1", "an array of 3 has 2"},
		{"torch.empty([2, 3], memory_format=torch.channels_last)", "torch.channels", "channels_last is NHWC and has 4"},
		{"Half(100352,50176:2,224,1)", "Half", "TensorRT"},
		{"[V] [TRT] Autotuning format combination: Half(100352,50176:2,224,1) -> Float(150528,50176,224,1)", "Half",
			"TensorRT"},
		{`!cute.layout<"(4,8)">`, `">`, "strides are missing"},
		{`!cute.layout<"(4,8):(8)">`, "(8)\"", "not nested"},
		{`!cute.shape<"(4,8)">`, "!cute.shape", "has no layout"},
		{`!cute.memref<f16`, "!cute", "layout in quotes"},
		{`!cute.memref<f99, gmem, "(4):(1)">`, "f99", "unknown element type"},
		{`!cute.coord_tensor<"(0,0)", "(4,4):(1@1,1@0)">`, "(0,0)", "coordinates"},
		{`!cute.composed_layout<"S<3,4,1> o 0 o (8,64):(64,1)">`, "S<", "only 1 apart"},
		{"make_ordered_layout(make_shape(4, 8))", "make_ordered", "needs order"},
		{"make_ordered_layout(make_shape(4, 8), make_step(1, 0, 2))", "make_step", "not nested"},
		{"make_ordered_layout(make_shape(4, 8), make_step(1, 1))", "make_step", "twice"},
		{"     1:   4096 |  4096, 1, 1, 1 | F17     | norm.weight", "F17", "unknown element type"},
		{"std::mdspan<foo bar, std::extents<int, 3, 4>>", "bar", "after the type foo"},
		{"std::mdspan<unsigned foo, std::extents<int, 3, 4>>", "foo", "unknown element type"},
	})
}
