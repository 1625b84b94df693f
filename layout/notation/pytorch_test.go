package notation

import (
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
)

// TestPyTorchPairs has sizes and strides with the properties that PyTorch 1.13 reports, in each spelling.
func TestPyTorchPairs(t *testing.T) {
	tests := []struct {
		sizes, strides           string
		contiguous, channelsLast bool
		reason                   string
	}{
		{sizes: "2, 3, 4, 5", strides: "60, 20, 5, 1", contiguous: true, reason: "row-major"},
		{sizes: "2, 3, 4, 5", strides: "60, 1, 15, 3", channelsLast: true, reason: "channels_last"},
		{sizes: "2, 1, 4, 5", strides: "20, 20, 5, 1", contiguous: true, channelsLast: true,
			reason: "one channel: both"},
		{sizes: "2, 1, 4, 5", strides: "20, 1, 5, 1", contiguous: true, channelsLast: true,
			reason: "one channel, re-strided"},
		{sizes: "2, 3, 1, 1", strides: "3, 1, 1, 1", contiguous: true, channelsLast: true, reason: "one pixel"},
		{sizes: "2, 3, 1, 1", strides: "3, 1, 3, 3", contiguous: true, channelsLast: true,
			reason: "one pixel, re-strided"},
		{sizes: "4, 1, 1, 1", strides: "1, 1, 1, 1", contiguous: true, channelsLast: true, reason: "N111"},
		{sizes: "4, 1, 1, 1", strides: "7, 7, 7, 7", reason: "gaps"},
		{sizes: "8, 1, 8, 1", strides: "8, 1, 1, 1", contiguous: true, channelsLast: true, reason: "both"},
		{sizes: "1, 8, 1, 8", strides: "64, 1, 64, 8", channelsLast: true, reason: "channels_last of one row"},
		{sizes: "1, 3, 4, 5", strides: "0, 1, 15, 3", channelsLast: true,
			reason: "the stride of a single image does not count"},
		{sizes: "2, 3, 4, 5", strides: "120, 2, 30, 6", reason: "every second element"},
		{sizes: "2, 3, 4, 5, 6", strides: "360, 1, 90, 18, 3", channelsLast: true, reason: "channels_last_3d"},
		{sizes: "2, 3, 4", strides: "12, 1, 3", reason: "rank 3 has no channels_last"},
		{sizes: "2, 3", strides: "1, 2", reason: "column-major"},
		{sizes: "2, 3", strides: "0, 1", reason: "broadcast"},
		{sizes: "0, 3", strides: "7, 5", contiguous: true, reason: "empty: whatever the strides"},
		{sizes: "1,", strides: "7,", contiguous: true, reason: "one element"},
		{sizes: "3,", strides: "2,", reason: "every second"},
		{contiguous: true, reason: "a scalar"},
	}
	for _, tt := range tests {
		sizes, strides := layout.JoinInts(numbersIn(t, tt.sizes), ","), layout.JoinInts(numbersIn(t, tt.strides), ",")
		list := strings.TrimRight(tt.sizes, ",")
		for _, text := range []string{
			"torch.Size([" + list + "]) (" + tt.strides + ")",
			"torch.Size([" + list + "]), (" + tt.strides + ")",
			"torch.empty_strided((" + tt.sizes + "), (" + tt.strides + "))",
			"size=(" + tt.sizes + "), stride=(" + tt.strides + ")",
			"sizes: [" + list + "], strides: [" + strings.TrimRight(tt.strides, ",") + "]",
			"(" + tt.sizes + "), (" + tt.strides + ")",
		} {
			checkReadings(t, "pytorch", []reading{{text, sizes + " @ " + strides, tt.reason}})
			d, err := single(t, "pytorch", text, Options{})
			if err != nil {
				continue
			}
			if l := d.Tensor.Layout(); analysis.Contiguous(l) != tt.contiguous ||
				analysis.ChannelsLast(l) != tt.channelsLast {
				t.Errorf("%s: contiguous %v, channels_last %v, want %v, %v; %s", text, analysis.Contiguous(l),
					analysis.ChannelsLast(l),
					tt.contiguous, tt.channelsLast, tt.reason)
			}
		}
	}
}

// TestPyTorchArticles has output in articles on PyTorch's strides.
func TestPyTorchArticles(t *testing.T) {
	checkReadings(t, "pytorch", []reading{
		{"torch.Size([1, 2, 3, 4]) (24, 12, 4, 1)", "1,2,3,4 @ 24,12,4,1", "arange(0, 24).reshape(1, 2, 3, 4)"},
		{"torch.empty(1, 2, 3, 4)", "1,2,3,4 @ 24,12,4,1", "the same by its sizes"},
		{"torch.Size([2, 3, 4, 1]) (12, 4, 1, 24)", "2,3,4,1 @ 12,4,1,24", "permute((1, 2, 3, 0))"},
		{"torch.Size([1, 3, 4, 2]) (24, 4, 1, 12)", "1,3,4,2 @ 24,4,1,12", "permute((0, 2, 3, 1))"},
		{"torch.Size([2, 2, 3, 4]) (0, 12, 4, 1)", "2,2,3,4 @ 0,12,4,1", "broadcast_to"},
		{"size=(1, 2, 3), stride=(24, 12, 4), storage_offset=2", "1,2,3 @ 24,12,4 + 2", "t[:, :, :, 2]"},
		{"torch.Size([1, 64, 5, 4]) (1280, 20, 4, 1)", "1,64,5,4 @ 1280,20,4,1", "torch.rand(N, C, H, W)"},
		{"torch.rand(1, 64, 5, 4)", "1,64,5,4 @ 1280,20,4,1", "the same by its call"},
		{"torch.empty((1, 64, 5, 4), memory_format=torch.channels_last)", "1,64,5,4 @ 1280,1,256,64",
			"contiguous(memory_format=torch.channels_last)"},
		{"torch.Size([2, 3, 1, 2]) (2, 4, 12, 1)", "2,3,1,2 @ 2,4,12,1", "transpose(x, 0, 2)"},
	})
}

func TestPyTorchCalls(t *testing.T) {
	checkReadings(t, "pytorch", []reading{
		{"torch.arange(20).as_strided((2, 3), (4, 2), 1)", "int64 2,3 @ 4,2 + 1", "elements 1, 3, 5, 5, 7, 9"},
		{"x.as_strided((2, 3), (4, 2), 1)", "2,3 @ 4,2 + 1", "a tensor of any name"},
		{"x.as_strided(size=(2, 3), stride=(4, 2), storage_offset=1)", "2,3 @ 4,2 + 1", "by name"},
		{"torch.as_strided(x, (2, 3), (4, 2), 1)", "2,3 @ 4,2 + 1", "the function"},
		{"torch.as_strided(torch.empty(20, dtype=torch.half), (2, 3), (4, 2))", "float16 2,3 @ 4,2",
			"the type of the input"},
		{"torch.as_strided(torch.empty(20, dtype=None), (2, 3), (4, 2))", "2,3 @ 4,2", "None is the default"},
		{"torch.as_strided(input=x, size=(2, 3), stride=(4, 2))", "2,3 @ 4,2", "the offset may be left out"},
		{"torch.empty(20, dtype=torch.float16).as_strided((2, 3), (4, 2), 1)", "float16 2,3 @ 4,2 + 1",
			"the type of the tensor it views"},
		{"torch.empty_strided((2, 3), (5, 1), dtype=torch.bfloat16, device='cuda:0')", "bfloat16 2,3 @ 5,1",
			"other arguments"},
		{"torch.empty_strided([2, 3], [5, 1], dtype=torch.half)", "float16 2,3 @ 5,1", "lists; half"},
		{"torch.empty_strided(torch.Size([2, 3]), (5, 1), dtype=torch.long)", "int64 2,3 @ 5,1", "torch.Size"},
		{"torch.empty_strided(size=(2, 3), stride=(1, 2))", "2,3 @ 1,2", "by name"},
		{"torch.zeros((2, 3))", "2,3 @ 3,1", "a tuple of sizes"},
		{"torch.zeros(2, 3, dtype=torch.int8)", "int8 2,3 @ 3,1", "sizes side by side"},
		{"torch.ones([7])", "7 @ 1", "rank 1"},
		{"torch.empty(7)", "7 @ 1", "one size"},
		{"torch.empty(())", " @ ", "a scalar"},
		{"empty_strided((2, 3), (5, 1))", "2,3 @ 5,1", "imported from torch"},
		{"size=(2, 3), stride=(5, 1), dtype=torch.float64", "float64 2,3 @ 5,1", "fields with a type"},
		{"torch.Size([2, 3])", "2,3 @ 3,1", "sizes alone"},
		{"torch.zeros(2, 3, dtype=float)", "float64 2,3 @ 3,1", "Python's float"},
		{"torch.zeros(2, 3, dtype=torch.float)", "float32 2,3 @ 3,1", "torch's float"},
		{"torch.zeros(2, 3, dtype=int)", "int64 2,3 @ 3,1", "Python's int"},
		{"torch.zeros(2, 3, dtype=torch.int)", "int32 2,3 @ 3,1", "torch's int"},
		{"x.as_strided((2, 3), (3, 1))[1]", "3 @ 1 + 3", "one row of it"},
		{"torch.empty((2, 3))[0]", "3 @ 1", "one row of it"},
		{"torch.empty(2, 3).t()", "3,2 @ 1,3", "transposed"},
		{"torch.zeros(2, 3).permute(1, 0)", "3,2 @ 1,3", "transposed"},
		{"torch.arange(6)", "int64 6 @ 1", "integers make int64"},
		{"torch.full((2, 3), 7)", "int64 2,3 @ 3,1", "from PyTorch 1.7 on: infer_full_options in TensorFactories.cpp"},
		{"torch.full((2, 3), 7, dtype=None)", "int64 2,3 @ 3,1", "None is the default"},
		{"torch.zeros((2, 3), dtype=None, device=None)", "2,3 @ 3,1", "None is the default"},
		{"torch.full((2, 3), False)", "bool 2,3 @ 3,1", "the same"},
		{"torch.full((2, 3), 7.5)", "2,3 @ 3,1", "the same: the default type"},
		{"torch.full((2, 3), 7, dtype=torch.half)", "float16 2,3 @ 3,1", "as it is stated"},
		{"x = torch.arange(0, 24, 2).reshape(3, 4)[:, 1]", "int64 3 @ 4 + 1", "12 numbers"},
		{"x = torch.empty(2,3,4,4).permute(0,2,3,1)[:, 1]", "2,4,3 @ 48,1,16 + 4", "a chain"},
		{"torch.zeros(4, 6).t().stride()", "6,4 @ 1,6", "a question at the end"},
		{"assert_size_stride(buf0, (8, 16, 1024), (16384, 1024, 1))", "8,16,1024 @ 16384,1024,1",
			"a check of Inductor"},
		{"assert_size_stride(arg0_1, (32, 512), (512, 1), 'input')", "32,512 @ 512,1",
			"with the name of the operator"},
		{"buf0 = empty_strided_cuda((128, 64, 15, 63, 63), (576000, 9000, 63,\n 1, 1), torch.float32)",
			"float32 128,64,15,63,63 @ 576000,9000,63,1,1", "with a line break"},
		{"reinterpret_tensor(primals_2, (16384, 8), (1, 16384), 0)", "16384,8 @ 1,16384", "a view of Inductor"},
		{"extern_kernels.mm(primals_1, reinterpret_tensor(primals_2, (16384, 8), (1, 16384), 3), out=buf0)",
			"16384,8 @ 1,16384 + 3", "inside another call"},
		{"arg0_1 = rand_strided((10, 3, 4), (12, 4, 1), device='cuda:0', dtype=torch.float16)",
			"float16 10,3,4 @ 12,4,1", "the benchmark of Inductor"},
		{"FixedLayout('cuda:0', torch.bfloat16, size=[8, 16], stride=[1, 8], offset=2)", "bfloat16 8,16 @ 1,8 + 2",
			"Inductor's own layouts"},
		{"check_tensor(L['x'], Tensor, DispatchKeySet(CPU, BackendSelect), torch.float32, device=None, " +
			"requires_grad=False, size=[2, 3], stride=[3, 1])", "float32 2,3 @ 3,1", "a guard of Dynamo"},
		{"TensorMetadata(shape=torch.Size([2, 3]), dtype=torch.float16, requires_grad=False, stride=(1, 2), " +
			"memory_format=None, is_quantized=False, qparams={})", "float16 2,3 @ 1,2", "of torch.fx"},
		{"shape=torch.Size([2, 9]), stride=(9, 1), dtype=torch.int64, device=cuda:0", "int64 2,9 @ 9,1",
			"a device without quotes"},
		{"torch.zeros(2, 3, layout=torch.strided)", "2,3 @ 3,1", "all but sparse tensors are strided"},
	})
}

// TestPyTorchFormats has the strides that a memory format produces, N C [D] H W always.
func TestPyTorchFormats(t *testing.T) {
	checkReadings(t, "pytorch", []reading{
		{"torch.empty(2, 0, 4)", "2,0,4 @ 4,4,1", "contiguous: sizes of 0 count as 1"},
		{"torch.empty((2, 0, 4), memory_format=torch.contiguous_format)", "2,0,4 @ 4,4,1", "the same by its name"},
		{"torch.empty((2, 3, 4, 5), memory_format=torch.contiguous_format)", "2,3,4,5 @ 60,20,5,1", "row-major"},
		{"torch.empty((2, 3, 4, 5), memory_format=torch.channels_last)", "2,3,4,5 @ 60,1,15,3",
			"C, W, H, N from the inside"},
		{"torch.empty((2, 3, 0, 4), memory_format=torch.channels_last)", "2,3,0,4 @ 0,1,12,3",
			"channels_last multiplies by 0"},
		{"torch.empty((2, 3, 4, 5, 6), memory_format=torch.channels_last_3d)", "2,3,4,5,6 @ 360,1,90,18,3",
			"C, W, H, D, N"},
		{"torch.empty(2, 3, 4, 5, memory_format=torch.channels_last)", "2,3,4,5 @ 60,1,15,3", "sizes side by side"},
	})
}

func TestPyTorchRefusals(t *testing.T) {
	checkRefusals(t, "pytorch", []wrong{
		{text: "torch.empty_stride((2, 3), (3, 1))", at: "torch.empty_stride(", says: "torch.empty_strided",
			reason: "no such function"},
		{text: "torch.empty_strided((2, 3), (3, x))", at: "x)", says: "not a number", reason: "a name for a stride"},
		{text: "torch.empty_strided((2, 3), (3, 1)", at: "((2", says: "not closed", reason: "not closed"},
		{text: "torch.empty_strided((2, 3), (1,))", at: "(2, 3)", says: "2 sizes but 1 stride",
			reason: "one stride for each size"},
		{text: "torch.empty_strided((2, 3), (3, 1), dtype=torch.floaty)", at: "torch.floaty", says: "float",
			reason: "no such type"},
		{text: "torch.empty((2, 3, 4), memory_format=torch.channels_last)", at: "torch.channels_last",
			says: "4 axes", reason: "channels_last has rank 4"},
		{text: "torch.empty((2, 3), memory_format=torch.channels_lost)", at: ".channels_lost", says: "channels_last",
			reason: "no such format"},
		{text: "torch.empty((2, 3), memory_format=torch.preserve_format)", at: ".preserve_format",
			says: "not a layout name", reason: "nothing to preserve"},
		{text: "torch.empty((-2, 3))", at: "(-2, 3)", says: "negative", reason: "no size is negative"},
		{text: "stride=(3, 1)", at: "stride", says: "sizes are missing", reason: "strides alone"},
		{text: "torch.empty((?, 3))", at: "?", says: "--dim", reason: "an unknown size"},
		{text: "torch.empty((99999999999999999999, 3))", at: "99999", says: "64 bits", reason: "too large a number"},
		{text: "torch.zeros(2, 3), torch.zeros(3)", at: "torch.zeros(3)", says: "unexpected text", reason: "two calls"},
		{text: "(2, 3), (3, 1), 0, (7,)", at: "(7,)", says: "no place", reason: "a fourth value"},
		{text: "torch.empty_strided((2, 3), (3, 1), (7,))", at: "(7,)", says: "no parameter for",
			reason: "a third argument"},
		{text: "torch.zeros((2, 3), layout=torch.sparse_coo)", at: "torch.sparse_coo", says: "no strides",
			reason: "a sparse tensor"},
		{text: "torch.Size([2, 3]) torch.Size([4, 5])", at: "torch.Size([4", says: "never strides",
			reason: "two shapes"},
		{text: "torch.Size([2, 3]), torch.Size([4, 5])", at: "torch.Size([4", says: "never strides",
			reason: "two shapes"},
		{text: "torch.Size([2, 3])[1, 2]", at: "[1, 2]", says: "2x3 --strides 1,2", reason: "a list right after"},
		{text: "(2, 3)(1, 2)", at: "(1, 2)", says: "2x3 --strides 1,2", reason: "two lists without a blank"},
		{text: "[2, 3]{0, 1}", at: "{0, 1}", says: "f32[2,3]{0,1}", reason: "as XLA prints them after a type"},
		{text: "[3][4]", at: "[4]", says: "3 --strides 4", reason: "an array of C has such extents"},
		{text: "[2, 3][4]", at: "[4]", says: "a second list", reason: "an index"},
		{text: "[3][4, 5]", at: "[4", says: "a second list", reason: "an index after an array of C"},
		{text: "[3,][4]", at: "[4]", says: "a second list", reason: "an index of a list of Python"},
		{text: "(2, 3)[3, 1]", at: "[3", says: "a second list", reason: "a graph dump has no parentheses"},
		{text: "[2, 3](3, 1)", at: "(3", says: "a second list", reason: "nor after the sizes"},
		{text: "[2, 3].numel()", at: ".numel", says: "remove it", reason: "a number of elements"},
	})
	checkReadings(t, "pytorch", []reading{
		{"[2, 3, 4][12, 1, 3]", "2,3,4 @ 12,1,3", "the sizes and strides of a graph dump, without the type"},
		{"[3,][2,]", "3 @ 2", "the same for one axis, with the commas of Python"},
		{"torch.Size([2, 3]) (1, 2)", "2,3 @ 1,2", "sizes and strides"},
		{"shape: (2, 3), dtype: torch.int4", "int8 2,3 @ 3,1", "torch.int4 has an itemsize of 1"},
		{"shape: (2, 3), dtype: int4", "int4 2,3 @ 3,1", "a type of another system, which packs two in a byte"},
	})
}

// TestPyTorchSkips checks the notes on arguments that do not affect the layout.
func TestPyTorchSkips(t *testing.T) {
	for _, tt := range []struct{ text, skipped string }{
		{"torch.empty_strided((2, 3), (5, 1), dtype=torch.half)", ""},
		{"torch.empty(2, 3, device='cuda:0', requires_grad=True)", "device is not read; requires_grad is not read"},
		{"FakeTensor(..., size=(2, 3), dtype=torch.float16)",
			"the tensor: the text has no strides, and is read as row-major"},
		{"FakeTensor(..., size=(2, 3), stride=(1, 2))", ""},
		{"x: torch.Size([2, 3])", "x: the text has no strides, and is read as row-major"},
	} {
		d, err := single(t, "pytorch", tt.text, Options{})
		if got := strings.Join(d.Skipped, "; "); got != tt.skipped || err != nil {
			t.Errorf("%s skips %q, %v, want %q", tt.text, got, err, tt.skipped)
		}
	}
}

// TestFX has tensors in PyTorch graph dumps.
func TestFX(t *testing.T) {
	checkReadings(t, "fx", []reading{
		{"f32[2, 3][3, 1]cuda:0", "float32 2,3 @ 3,1", "sizes, strides, device"},
		{`Tensor "f32[2, 3][3, 1]cpu"`, "float32 2,3 @ 3,1", "as the dump prints it"},
		{"f32[2, 3][4, 2]cpu", "float32 2,3 @ 4,2", "(1,2) at 8"},
		{"bf16[2, 3, 4, 5][60, 1, 15, 3]cuda:0", "bfloat16 2,3,4,5 @ 60,1,15,3", "channels_last"},
		{"b8[7][1]cpu", "bool 7 @ 1", "bool is b8"},
		{"f32[][]cpu", "float32  @ ", "a scalar"},
		{"i64[2, 0][1, 1]cpu", "int64 2,0 @ 1,1", "empty"},
		{"f16[4, 4][0, 1]cuda:1", "float16 4,4 @ 0,1", "broadcast"},
	})
	for _, tt := range []struct {
		text   string
		index  []int64
		offset int64
	}{
		{"f32[2, 3][4, 2]cpu", []int64{1, 2}, 8},
		{"bf16[2, 3, 4, 5][60, 1, 15, 3]cuda:0", []int64{1, 2, 3, 4}, 119},
		{"f16[4, 4][0, 1]cuda:1", []int64{3, 2}, 2},
	} {
		d, err := single(t, "fx", tt.text, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := d.Tensor.Layout().Offset(tt.index); got != tt.offset || err != nil {
			t.Errorf("%s at %v is %d, %v, want %d", tt.text, tt.index, got, err, tt.offset)
		}
	}
}

// TestGraphs has the values of graphs, as issues of PyTorch quote them.
func TestGraphs(t *testing.T) {
	checkReadings(t, "fx", []reading{
		{`%getitem : Tensor "bf16[1, 128, 640, 959][78561280, 1, 122752, 128]cuda:0" = PlaceHolder[target=getitem]`,
			"bfloat16 1,128,640,959 @ 78561280,1,122752,128", "pytorch/pytorch#174869"},
		{`arg0_1: "f32[8, 3][3, 1]cuda:0"`, "float32 8,3 @ 3,1", "an argument"},
		{`mm: "f32[8, 3][1, 8]cuda:0" = torch.ops.aten.mm.default(arg0_1, arg1_1);  arg0_1 = None`,
			"float32 8,3 @ 1,8", "a node of the readable print"},
		{`x: "f32[4, 8]"`, "float32 4,8 @ 8,1", "without strides"},
		{"%input : Float(1, 3, 24, 94, strides=[6768, 2256, 94, 1], requires_grad=0, device=cpu)",
			"float32 1,3,24,94 @ 6768,2256,94,1", "deeplearning4j#9885"},
		{"%3 : Half(2, 3, strides=[1, 2], requires_grad=0, device=cuda:0) = aten::t(%x)", "float16 2,3 @ 1,2",
			"a node"},
		{"%n : Long(requires_grad=0, device=cpu)", "int64  @ ", "a scalar"},
		{"%5 : Float(2:60, 3:20, 4:5, 5:1)", "float32 2,3,4,5 @ 60,20,5,1",
			"strides after colons, as of PyTorch 1.5"},
		{"%w : BFloat16(2, 3, strides=[3, 1])", "bfloat16 2,3 @ 3,1", "bfloat16"},
	})
	const graph = "def forward(self, arg0_1: \"f32[8, 3][3, 1]cuda:0\", arg1_1: \"Sym(s77)\", " +
		"arg2_1: \"bf16[s77, 3][3, 1]cuda:0\"):\n" +
		"    mm: \"f32[8, s77*2][s77*2, 1]cuda:0\" = torch.ops.aten.mm(arg0_1, arg2_1)\n"
	found, err := notationOf(t, "fx").Read(graph, Options{Names: map[string]int64{"s77": 8}})
	if err != nil || len(found) != 3 || found[1].Name != "arg2_1" || meaning(found[1]) != "bfloat16 8,3 @ 3,1" ||
		meaning(found[2]) != "float32 8,16 @ 16,1" {
		t.Errorf("%s: %v, %v", graph, found, err)
	}
	checkRefusals(t, "fx", []wrong{
		{text: graph, at: "s77, 3]", says: "--dim s77=8", reason: "a symbol without a value"},
		{text: "%x : Float(*, 3, strides=[3, 1])", at: "*", says: "--dim", reason: "an unknown size"},
		{text: "%x : Float(2, 3, strides=[3])", at: "Float", says: "2 sizes but 1 stride",
			reason: "a stride is missing"},
		{text: "%x : Float(2, 3, strides=3)", at: "3)", says: "expected [", reason: "no list"},
	})
}

// TestPrograms reads programs: every tensor once, under the name that the program gives it.
func TestPrograms(t *testing.T) {
	for _, tt := range []struct{ text, want, skipped, reason string }{
		{"def call(args):\n    arg0_1, = args\n    assert_size_stride(arg0_1, (16, 8), (16, 1))\n" +
			"    buf1 = empty_strided_cuda((16, 8), (8, 1), torch.float32)\n" +
			"    assert_size_stride(buf1, (16, 8), (8, 1))\n",
			"arg0_1: 16,8 @ 16,1; buf1: float32 16,8 @ 8,1", "not read: def, call, args", "Inductor's code"},
		{"x = torch.empty(2, 3, dtype=torch.half)\ny = x.t()\nz = x + y",
			"x: float16 2,3 @ 3,1; y: float16 3,2 @ 1,3; z: !", "not read: z, x, y", "a variable"},
		{">>> x = torch.empty(2, 3)\n>>> x[:, 1]  # a column\n", "x: 2,3 @ 3,1; : 2 @ 3 + 1", "", "prompts"},
		{"kernel = '''\nassert_size_stride(a, (1,), (1,))\n'''\nassert_size_stride(b, (2,), (3,))", "b: 2 @ 3",
			"not read: kernel", "a string is not code"},
		{"x = torch.empty(2, 3).foo()\ny = torch.empty(4)", "x: !; y: 4 @ 1", "", "an unknown step"},
	} {
		found, err := notationOf(t, "pytorch").Read(tt.text, Options{})
		var got []string
		skipped := ""
		for _, d := range found {
			says := meaning(d)
			if d.Fault != nil {
				says = "!"
			}
			got = append(got, d.Name+": "+says)
			skipped = strings.Join(d.Skipped, "; ")
		}
		if text := strings.Join(got, "; "); text != tt.want || err != nil || !strings.HasPrefix(skipped, tt.skipped) {
			t.Errorf("%q: %s, %q, %v, want %s, %q; %s", tt.text, text, skipped, err, tt.want, tt.skipped, tt.reason)
		}
	}
}

// TestFXTypes has the types that FX prints, except b16, b1x8 and f4e2m1fnx2, which are not supported.
func TestFXTypes(t *testing.T) {
	for _, tt := range [][2]string{
		{"bf16", "bfloat16"}, {"f64", "float64"}, {"f32", "float32"}, {"f16", "float16"},
		{"f8e4m3fn", "float8_e4m3fn"}, {"f8e5m2", "float8_e5m2"}, {"f8e4m3fnuz", "float8_e4m3fnuz"},
		{"f8e5m2fnuz", "float8_e5m2fnuz"}, {"f8e8m0fnu", "float8_e8m0fnu"},
		{"c32", "complex32"}, {"c64", "complex64"}, {"c128", "complex128"},
		{"i8", "int8"}, {"i16", "int16"}, {"i32", "int32"}, {"i64", "int64"}, {"b8", "bool"},
		{"u8", "uint8"}, {"u16", "uint16"}, {"u32", "uint32"}, {"u64", "uint64"},
	} {
		checkReadings(t, "fx", []reading{{tt[0] + "[2, 3][3, 1]cpu", tt[1] + " 2,3 @ 3,1", "FX's name of the type"}})
		x := plainTensor(t, tt[1], 0, []int64{2, 3}, []int64{3, 1})
		if got, err := notationOf(t, "fx").Write(x); got != tt[0]+"[2, 3][3, 1]cpu" || err != nil {
			t.Errorf("%s is written %s, %v", tt[1], got, err)
		}
	}
}

func TestFXRefusals(t *testing.T) {
	checkRefusals(t, "fx", []wrong{
		{text: "b1x8[7][1]cpu", at: "b1x8", says: "unknown element type", reason: "packed bits have no type here"},
		{text: "f4e2m1fnx2[7][1]cpu", at: "f4e2m1fnx2", says: "unknown element type", reason: "pairs of 4-bit floats"},
		{text: "f32[2, 3][3]cpu", at: "[2, 3]", says: "2 sizes but 1 stride", reason: "one stride for each size"},
		{text: "f32[2, 3", at: "[2", says: "not closed", reason: "not closed"},
		{text: "f32[s0, 3][3, 1]cpu", at: "s0", says: "number", reason: "a symbolic size"},
		{text: `Tensor "f32[2, 3][3, 1]cpu`, says: `expected "`, reason: "the quote is not closed"},
		{text: "f32[2, 3][3, 1]cpu + 1", at: "+", says: "unexpected text", reason: "something after it"},
	})
}

func TestPyTorchWrites(t *testing.T) {
	pytorch, fx := notationOf(t, "pytorch"), notationOf(t, "fx")
	tests := []struct {
		n            *Notation
		tensor       layout.Tensor
		want, reason string
	}{
		{n: pytorch, tensor: plainTensor(t, "float32", 0, []int64{2, 3}, []int64{5, 1}),
			want: "torch.empty_strided((2, 3), (5, 1), dtype=torch.float32)", reason: "sizes, strides, type"},
		{n: pytorch, tensor: plainTensor(t, "bfloat16", 0, []int64{3}, []int64{2}),
			want: "torch.empty_strided((3,), (2,), dtype=torch.bfloat16)", reason: "Python's tuple of one"},
		{n: pytorch, tensor: plainTensor(t, "bool", 0, nil, nil), want: "torch.empty_strided((), (), dtype=torch.bool)",
			reason: "a scalar"},
		{n: pytorch, tensor: plainTensor(t, "float32", 1, []int64{2, 3}, []int64{4, 2}),
			want:   "torch.empty(10, dtype=torch.float32).as_strided((2, 3), (4, 2), 1)",
			reason: "offset + last index + 1 elements: 1 + 8 + 1"},
		{n: pytorch, tensor: plainTensor(t, "float32", 5, []int64{0, 3}, []int64{3, 1}),
			want:   "torch.empty(5, dtype=torch.float32).as_strided((0, 3), (3, 1), 5)",
			reason: "nothing after the offset"},
		{n: fx, tensor: plainTensor(t, "float16", 0, []int64{4, 4}, []int64{0, 1}), want: "f16[4, 4][0, 1]cpu",
			reason: "ints joined by a comma and a blank"},
		{n: fx, tensor: plainTensor(t, "float32", 0, nil, nil), want: "f32[][]cpu", reason: "a scalar"},
	}
	for _, tt := range tests {
		if got, err := tt.n.Write(tt.tensor); got != tt.want || err != nil {
			t.Errorf("%v is %s, %v, want %s; %s", tt.tensor.Layout(), got, err, tt.want, tt.reason)
		}
	}
}
