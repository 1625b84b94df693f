package notation

import (
	"strings"
	"testing"

	"layoutcalc/layout"
)

// TestPyTorchPairs has sizes and strides with what PyTorch 1.13 says of them, in each spelling.
func TestPyTorchPairs(t *testing.T) {
	tests := []struct {
		sizes, strides           string
		contiguous, channelsLast bool
		reason                   string
	}{
		{"2, 3, 4, 5", "60, 20, 5, 1", true, false, "row-major"},
		{"2, 3, 4, 5", "60, 1, 15, 3", false, true, "channels_last"},
		{"2, 1, 4, 5", "20, 20, 5, 1", true, true, "one channel: both"},
		{"2, 1, 4, 5", "20, 1, 5, 1", true, true, "one channel, re-strided"},
		{"2, 3, 1, 1", "3, 1, 1, 1", true, true, "one pixel"},
		{"2, 3, 1, 1", "3, 1, 3, 3", true, true, "one pixel, re-strided"},
		{"4, 1, 1, 1", "1, 1, 1, 1", true, true, "N111"},
		{"4, 1, 1, 1", "7, 7, 7, 7", false, false, "gaps"},
		{"8, 1, 8, 1", "8, 1, 1, 1", true, true, "both"},
		{"1, 8, 1, 8", "64, 1, 64, 8", false, true, "channels_last of one row"},
		{"1, 3, 4, 5", "0, 1, 15, 3", false, true, "the stride of a single image does not count"},
		{"2, 3, 4, 5", "120, 2, 30, 6", false, false, "every second element"},
		{"2, 3, 4, 5, 6", "360, 1, 90, 18, 3", false, true, "channels_last_3d"},
		{"2, 3, 4", "12, 1, 3", false, false, "rank 3 has no channels_last"},
		{"2, 3", "1, 2", false, false, "column-major"},
		{"2, 3", "0, 1", false, false, "broadcast"},
		{"0, 3", "7, 5", true, false, "empty: whatever the strides"},
		{"1,", "7,", true, false, "one element"},
		{"3,", "2,", false, false, "every second"},
		{"", "", true, false, "a scalar"},
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
			if l := d.Tensor.Layout(); l.Contiguous() != tt.contiguous || l.ChannelsLast() != tt.channelsLast {
				t.Errorf("%s: contiguous %v, channels_last %v, want %v, %v; %s", text, l.Contiguous(), l.ChannelsLast(), tt.contiguous, tt.channelsLast, tt.reason)
			}
		}
	}
}

// TestPyTorchArticles has what the articles on PyTorch's strides print.
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
		{"torch.empty((1, 64, 5, 4), memory_format=torch.channels_last)", "1,64,5,4 @ 1280,1,256,64", "contiguous(memory_format=torch.channels_last)"},
		{"torch.Size([2, 3, 1, 2]) (2, 4, 12, 1)", "2,3,1,2 @ 2,4,12,1", "transpose(x, 0, 2)"},
	})
}

func TestPyTorchCalls(t *testing.T) {
	checkReadings(t, "pytorch", []reading{
		{"torch.arange(20).as_strided((2, 3), (4, 2), 1)", "2,3 @ 4,2 + 1", "elements 1, 3, 5, 5, 7, 9"},
		{"x.as_strided((2, 3), (4, 2), 1)", "2,3 @ 4,2 + 1", "a tensor of any name"},
		{"x.as_strided(size=(2, 3), stride=(4, 2), storage_offset=1)", "2,3 @ 4,2 + 1", "by name"},
		{"torch.as_strided(x, (2, 3), (4, 2), 1)", "2,3 @ 4,2 + 1", "the function"},
		{"torch.as_strided(input=x, size=(2, 3), stride=(4, 2))", "2,3 @ 4,2", "the offset may be left out"},
		{"torch.empty(20, dtype=torch.float16).as_strided((2, 3), (4, 2), 1)", "float16 2,3 @ 4,2 + 1", "the type of the tensor it views"},
		{"torch.empty_strided((2, 3), (5, 1), dtype=torch.bfloat16, device='cuda:0')", "bfloat16 2,3 @ 5,1", "other arguments"},
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
		{"torch.zeros(2, 3, layout=torch.strided)", "2,3 @ 3,1", "all but sparse tensors are strided"},
	})
}

// TestPyTorchFormats has the strides that a memory format produces, N C [D] H W always.
func TestPyTorchFormats(t *testing.T) {
	checkReadings(t, "pytorch", []reading{
		{"torch.empty(2, 0, 4)", "2,0,4 @ 4,4,1", "contiguous: sizes of 0 count as 1"},
		{"torch.empty((2, 0, 4), memory_format=torch.contiguous_format)", "2,0,4 @ 4,4,1", "the same by its name"},
		{"torch.empty((2, 3, 4, 5), memory_format=torch.contiguous_format)", "2,3,4,5 @ 60,20,5,1", "row-major"},
		{"torch.empty((2, 3, 4, 5), memory_format=torch.channels_last)", "2,3,4,5 @ 60,1,15,3", "C, W, H, N from the inside"},
		{"torch.empty((2, 3, 0, 4), memory_format=torch.channels_last)", "2,3,0,4 @ 0,1,12,3", "channels_last multiplies by 0"},
		{"torch.empty((2, 3, 4, 5, 6), memory_format=torch.channels_last_3d)", "2,3,4,5,6 @ 360,1,90,18,3", "C, W, H, D, N"},
		{"torch.empty(2, 3, 4, 5, memory_format=torch.channels_last)", "2,3,4,5 @ 60,1,15,3", "sizes side by side"},
	})
}

func TestPyTorchRefusals(t *testing.T) {
	checkRefusals(t, "pytorch", []wrong{
		{"torch.empty_stride((2, 3), (3, 1))", "torch.empty_stride(", "torch.empty_strided", "no such function"},
		{"torch.empty_strided((2, 3), (3, x))", "x)", "not a number", "a name for a stride"},
		{"torch.empty_strided((2, 3), (3, 1)", "", "expected", "not closed"},
		{"torch.empty_strided((2, 3), (1,))", "(2, 3)", "2 sizes and 1 strides", "one stride for each size"},
		{"torch.empty_strided((2, 3), (3, 1), dtype=torch.floaty)", "torch.floaty", "float", "no such type"},
		{"torch.empty((2, 3, 4), memory_format=torch.channels_last)", "torch.channels_last", "4 letters", "channels_last has rank 4"},
		{"torch.empty((2, 3), memory_format=torch.channels_lost)", ".channels_lost", "channels_last", "no such format"},
		{"torch.empty((2, 3), memory_format=torch.preserve_format)", ".preserve_format", "not a layout name", "nothing to preserve"},
		{"torch.empty((-2, 3))", "(-2, 3)", "negative", "no size is negative"},
		{"stride=(3, 1)", "stride", "sizes are missing", "strides alone"},
		{"torch.empty((?, 3))", "?", "--dim", "an unknown size"},
		{"torch.empty((99999999999999999999, 3))", "99999", "64 bits", "too large a number"},
		{"x.as_strided((2, 3), (3, 1))[0]", "[0]", "does not say", "only one row of it"},
		{"torch.empty((2, 3))[0]", "[0]", "does not say", "only one row of it"},
		{"torch.empty(2, 3).t()", ".t()", "not a call", "transposed"},
		{"torch.zeros(2, 3).permute(1, 0)", ".permute", "not a call", "transposed"},
		{"torch.zeros(2, 3), torch.zeros(3)", "torch.zeros(3)", "unexpected text", "two calls"},
		{"torch.arange(6)", "torch.arange", "not a call", "numbers, not sizes"},
		{"(2, 3), (3, 1), 0, (7,)", "(7,)", "no place", "a fourth value"},
		{"torch.empty_strided((2, 3), (3, 1), (7,))", "(7,)", "no place", "a third argument"},
		{"torch.zeros((2, 3), layout=torch.sparse_coo)", "torch.sparse_coo", "no strides", "a sparse tensor"},
	})
}

// TestPyTorchSkips: arguments that say nothing of the layout are noted.
func TestPyTorchSkips(t *testing.T) {
	for _, tt := range []struct{ text, skipped string }{
		{"torch.empty_strided((2, 3), (5, 1), dtype=torch.half)", ""},
		{"torch.empty(2, 3, device='cuda:0', requires_grad=True)", "device; requires_grad"},
	} {
		d, err := single(t, "pytorch", tt.text, Options{})
		if got := strings.Join(d.Skipped, "; "); got != tt.skipped || err != nil {
			t.Errorf("%s skips %q, %v, want %q", tt.text, got, err, tt.skipped)
		}
	}
}

// TestFX has tensors of PyTorch's graph dumps.
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

// TestFXTypes has the types that FX prints, but b16, b1x8 and f4e2m1fnx2, which we do not know.
func TestFXTypes(t *testing.T) {
	for _, tt := range [][2]string{
		{"bf16", "bfloat16"}, {"f64", "float64"}, {"f32", "float32"}, {"f16", "float16"},
		{"f8e4m3fn", "float8_e4m3fn"}, {"f8e5m2", "float8_e5m2"}, {"f8e4m3fnuz", "float8_e4m3fnuz"}, {"f8e5m2fnuz", "float8_e5m2fnuz"}, {"f8e8m0fnu", "float8_e8m0fnu"},
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
		{"b1x8[7][1]cpu", "b1x8", "unknown data type", "packed bits have no type here"},
		{"f4e2m1fnx2[7][1]cpu", "f4e2m1fnx2", "unknown data type", "pairs of 4-bit floats"},
		{"f32[2, 3][3]cpu", "[2, 3]", "2 sizes and 1 strides", "one stride for each size"},
		{"f32[2, 3", "", "expected", "not closed"},
		{"f32[s0, 3][3, 1]cpu", "s0", "number", "a symbolic size"},
		{`Tensor "f32[2, 3][3, 1]cpu`, "", `" is expected`, "the quote is not closed"},
		{"f32[2, 3][3, 1]cpu + 1", "+", "unexpected text", "something behind it"},
	})
}

func TestPyTorchWrites(t *testing.T) {
	pytorch, fx := notationOf(t, "pytorch"), notationOf(t, "fx")
	tests := []struct {
		n            *Notation
		tensor       layout.Tensor
		want, reason string
	}{
		{pytorch, plainTensor(t, "float32", 0, []int64{2, 3}, []int64{5, 1}), "torch.empty_strided((2, 3), (5, 1), dtype=torch.float32)", "sizes, strides, type"},
		{pytorch, plainTensor(t, "bfloat16", 0, []int64{3}, []int64{2}), "torch.empty_strided((3,), (2,), dtype=torch.bfloat16)", "Python's tuple of one"},
		{pytorch, plainTensor(t, "bool", 0, nil, nil), "torch.empty_strided((), (), dtype=torch.bool)", "a scalar"},
		{pytorch, plainTensor(t, "float32", 1, []int64{2, 3}, []int64{4, 2}), "torch.empty(10, dtype=torch.float32).as_strided((2, 3), (4, 2), 1)", "offset + last index + 1 elements: 1 + 8 + 1"},
		{pytorch, plainTensor(t, "float32", 5, []int64{0, 3}, []int64{3, 1}), "torch.empty(5, dtype=torch.float32).as_strided((0, 3), (3, 1), 5)", "nothing behind the offset"},
		{fx, plainTensor(t, "float16", 0, []int64{4, 4}, []int64{0, 1}), "f16[4, 4][0, 1]cpu", "ints joined by a comma and a blank"},
		{fx, plainTensor(t, "float32", 0, nil, nil), "f32[][]cpu", "a scalar"},
	}
	for _, tt := range tests {
		if got, err := tt.n.Write(tt.tensor); got != tt.want || err != nil {
			t.Errorf("%v is %s, %v, want %s; %s", tt.tensor.Layout(), got, err, tt.want, tt.reason)
		}
	}
}
