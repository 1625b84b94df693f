package analysis_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/layouttest"
)

// picture draws the storage of a tensor as the documents do: the elements are A, B, C ... in row-major order, broadcast
// copies have the letter of their original, and x is padding.
func picture(x layout.Tensor) string {
	inverse := analysis.NewInverse(x.Layout())
	var b strings.Builder
	for offset := range x.Storage() {
		if found := inverse.At(offset, 1); found.Count > 0 {
			b.WriteByte(byte('A' + x.Layout().Ordinal(found.Indices[0])))
		} else {
			b.WriteByte('x')
		}
	}
	return b.String()
}

// TestPictures draws the tables of "Using strides to express padding and memory layout".
func TestPictures(t *testing.T) {
	tests := []struct{ line, strides, storage, reason string }{
		{line: "2x3", strides: "3,1", storage: "ABCDEF", reason: "row-major: A to D is the width of the tensor"},
		{line: "2x3 HW", strides: "3,1", storage: "ABCDEF", reason: "HW is row-major"},
		{line: "2x3 row-major", strides: "3,1", storage: "ABCDEF", reason: "by its name"},
		{line: "2x3 WH", strides: "1,2", storage: "ADBECF",
			reason: "column-major: the width-stride is the size of the height"},
		{line: "2x3 column-major", strides: "1,2", storage: "ADBECF", reason: "by its name"},
		{line: "2x2x3 DHW", strides: "6,3,1", storage: "ABCDEFGHIJKL",
			reason: "D-stride 2 x 3, H-stride 3, W-stride 1"},
		{line: "2x3 --broadcast H", strides: "0,1", storage: "ABC", reason: "both rows are the same three elements"},
		{line: "2x3 --strides 0,1", strides: "0,1", storage: "ABC", reason: "the same by its strides"},
		{line: "2x3 --pitch H=5", strides: "5,1", storage: "ABCxxDEF",
			reason: "three real elements and two of padding, none after the last row"},
		{line: "2x3 --pad W=2", strides: "5,1", storage: "ABCxxDEFxx",
			reason: "the buffer of ten slots: padding after every row"},
		{line: "2x3 --strides 5,1", strides: "5,1", storage: "ABCxxDEF", reason: "strides say nothing of the end"},
		{line: "2x3 --align H=5", strides: "5,1", storage: "ABCxxDEF", reason: "3 rounded up to 5"},
	}
	for _, tt := range tests {
		x := layouttest.Tensor(t, tt.line)
		if got := outerStrides(x.Layout()); got != tt.strides {
			t.Errorf("%s: strides %s, want %s; %s", tt.line, got, tt.strides, tt.reason)
		}
		if got := picture(x); got != tt.storage {
			t.Errorf("%s: stored as %s, want %s; %s", tt.line, got, tt.storage, tt.reason)
		}
	}
}

// TestDocumentOffset is {1, 0, 1} . {6, 3, 1} = 7, the offset of H.
func TestDocumentOffset(t *testing.T) {
	l := layouttest.Tensor(t, "2x2x3 DHW").Layout()
	checkOffset(t, "the article", l, []int64{1, 0, 1}, 7)
	for i, index := range rowMajor([]int64{2, 2, 3}) { // A to L are at 0 to 11
		checkOffset(t, "the article", l, index, int64(i))
	}
}

// TestDocumentDescriptors has the strides of sizes {1,1,3,5}, and the documented rules of DML_BUFFER_TENSOR_DESC for
// sizes.
func TestDocumentDescriptors(t *testing.T) {
	tests := []struct {
		line, strides string
		bytes         int64
		reason        string
	}{
		{line: "1,1,3,5", strides: "15,15,5,1", bytes: 60, reason: "implicit strides are packed NCHW"},
		{line: "1,1,3,5 NCHW", strides: "15,15,5,1", bytes: 60, reason: "N = 1*3*5, C = 3*5, H = 5, W = 1"},
		{line: "1,1,3,5 NHWC", strides: "15,1,5,1", bytes: 60, reason: "N = 3*5*1, H = 5*1, W = 1, C = 1"},
		{line: "3x5 HW --rank 4", strides: "15,15,5,1", bytes: 60, reason: "a tensor of smaller rank has leading 1s"},
		{line: "3x5 NHWC --rank 4", strides: "15,1,5,1", bytes: 60, reason: "the same in NHWC"},
		{line: "3x5 --rank 4", strides: "15,15,5,1", bytes: 60, reason: "the same without names"},
		{line: "2x3 --strides 5,1", strides: "5,1", bytes: 32, reason: "up to the last element: 8 floats, not 10"},
		{line: "2x3 --broadcast H", strides: "0,1", bytes: 12, reason: "a stride of 0: three floats"},
		{line: "1x3x4 --pad W=1", strides: "15,5,1", bytes: 56, reason: "rows of 5: 14 floats up to the last element"},
	}
	for _, tt := range tests {
		x := layouttest.Tensor(t, tt.line)
		if got := outerStrides(x.Layout()); got != tt.strides || x.DirectMLBytes() != tt.bytes {
			t.Errorf("%s: strides %s, %d bytes; want %s, %d; %s", tt.line, got, x.DirectMLBytes(), tt.strides, tt.bytes,
				tt.reason)
		}
	}
}

// TestDocumentNotions has the article's words: packed, broadcast, padded.
func TestDocumentNotions(t *testing.T) {
	tests := []struct{ line, want, reason string }{
		{"2x2x3", "packed", "12 elements at 12 offsets"},
		{"2x3 WH", "packed", "the order does not matter"},
		{"1,1,3,5 NHWC", "packed", "no extra space, no overlap"},
		{"2x3 --broadcast H", "broadcast [0]", "3 offsets for 6 elements: the first axis"},
		{"2x3x4x5 --broadcast C", "broadcast [1]", "each channel has the same values"},
		{"2x3 --pitch H=5", "padded", "two slots between the rows"},
		{"3x3 --strides 2,2", "padded overlapping", "offsets 0,2,4,6,8: span = elements proves nothing"},
		{"3x3 --strides 1,1", "overlapping", "offsets 0 to 4, all used"},
	}
	for _, tt := range tests {
		f := analysis.Of(layouttest.Tensor(t, tt.line).Layout())
		var words []string
		add := func(word string, yes bool) {
			if yes {
				words = append(words, word)
			}
		}
		add("packed", f.Packed() == analysis.Yes)
		add("padded", f.Padded() == analysis.Yes)
		add(fmt.Sprint("broadcast ", f.Broadcast), len(f.Broadcast) > 0)
		add("overlapping", f.Overlapping == analysis.Yes)
		if got := strings.Join(words, " "); got != tt.want {
			t.Errorf("%s is %q, want %q; %s", tt.line, got, tt.want, tt.reason)
		}
	}
}

// TestDocumentElementLimit: 2^32-1 4-byte elements are the documented 16 GB.
func TestDocumentElementLimit(t *testing.T) {
	if got := layouttest.Tensor(t, "65535x65537").DirectMLBytes(); got != (1<<32-1)*4 {
		t.Errorf("2^32-1 floats take %d bytes", got)
	}
}

// TestMemoryFormatTable has PyTorch's results for small tensors.
func TestMemoryFormatTable(t *testing.T) {
	tests := []struct {
		sizes, strides           string
		contiguous, channelsLast bool
		reason                   string
	}{
		{sizes: "2,3,4,5", strides: "60,20,5,1", contiguous: true, reason: "NCHW"},
		{sizes: "2,3,4,5", strides: "60,1,15,3", channelsLast: true, reason: "NHWC"},
		{sizes: "2,1,4,5", strides: "20,20,5,1", contiguous: true, channelsLast: true,
			reason: "one channel: its stride does not matter"},
		{sizes: "2,1,4,5", strides: "20,1,5,1", contiguous: true, channelsLast: true,
			reason: "the same in NHWC's strides"},
		{sizes: "2,3,1,1", strides: "3,1,1,1", contiguous: true, channelsLast: true, reason: "one pixel"},
		{sizes: "2,3,1,1", strides: "3,1,3,3", contiguous: true, channelsLast: true,
			reason: "one pixel, NHWC's strides"},
		{sizes: "4,1,1,1", strides: "1,1,1,1", contiguous: true, channelsLast: true, reason: "only N counts"},
		{sizes: "4,1,1,1", strides: "7,7,7,7", reason: "N is not packed"},
		{sizes: "8,1,8,1", strides: "8,1,1,1", contiguous: true, channelsLast: true, reason: "N and H only"},
		{sizes: "1,8,1,8", strides: "64,1,64,8", channelsLast: true, reason: "W strides over C"},
		{sizes: "1,3,4,5", strides: "0,1,15,3", channelsLast: true, reason: "the stride 0 is of a size-1 axis"},
		{sizes: "2,3,4,5", strides: "120,2,30,6", reason: "every stride is doubled"},
		{sizes: "2,3,4,5,6", strides: "360,1,90,18,3", channelsLast: true, reason: "NDHWC, channels_last_3d"},
		{sizes: "2,3,4", strides: "12,1,3", reason: "rank 3 has no channels_last"},
		{sizes: "2,3", strides: "1,2", reason: "column-major"},
		{sizes: "2,3", strides: "0,1", reason: "broadcast"},
		{sizes: "0,3", strides: "7,5", contiguous: true, reason: "no elements: contiguous whatever the strides"},
		{sizes: "1", strides: "7", contiguous: true, reason: "one element"},
		{sizes: "3", strides: "2", reason: "gaps"},
		{contiguous: true, reason: "a scalar"},
	}
	for _, tt := range tests {
		f := analysis.Of(strided(t, 0, numbers(t, tt.sizes), numbers(t, tt.strides)))
		if f.Contiguous != tt.contiguous || f.ChannelsLast != tt.channelsLast {
			t.Errorf("%s:%s: contiguous %v, channels_last %v, want %v, %v; %s", tt.sizes, tt.strides, f.Contiguous,
				f.ChannelsLast, tt.contiguous, tt.channelsLast, tt.reason)
		}
	}
	l := strided(t, 1, []int64{2, 3}, []int64{4, 2}) // as_strided of arange(20)
	var values []int64
	for _, offset := range l.All() {
		values = append(values, offset)
	}
	if !slices.Equal(values, []int64{1, 3, 5, 5, 7, 9}) {
		t.Errorf("as_strided at offset 1 reads %v", values)
	}
}

// TestNotationVectors has strides, storage and offsets of named layouts. They come from running oneDNN, TVM, ONNX
// Runtime, TensorRT, cuDNN and PyTorch, or from their documentation. Storage counts elements, with the padding of
// blocks.
func TestNotationVectors(t *testing.T) {
	tests := []struct {
		line    string
		strides string // of the outermost digits
		storage int64
		offsets string // index -> offset; ...
		reason  string
	}{
		{line: "2,3,4,5 nchw", strides: "60,20,5,1", storage: 120, offsets: "1,2,3,4->119 1,0,0,0->60",
			reason: "a run of oneDNN"},
		{line: "2,3,4,5 nhwc", strides: "60,1,15,3", storage: 120, offsets: "1,2,3,4->119 0,1,0,0->1",
			reason: "a run of oneDNN"},
		{line: "2,3,4,5 acdb", strides: "60,1,15,3", storage: 120, offsets: "1,2,3,4->119 0,1,0,0->1",
			reason: "acdb is nhwc"},
		{line: "2,3,4,5 chwn", strides: "1,40,10,2", storage: 120, offsets: "1,2,3,4->119", reason: "a run of oneDNN"},
		{line: "2,3,4,5,6 ndhwc", strides: "360,1,90,18,3", storage: 720, offsets: "1,2,3,4,5->719",
			reason: "a run of oneDNN"},
		{line: "8,4,3,2 hwio", strides: "1,8,64,32", storage: 192, offsets: "7,3,2,1->191 1,2,0,1->49",
			reason: "sizes in the order O,I,H,W"},
		{line: "7,2,5 ntc", strides: "5,35,1", storage: 70, offsets: "6,1,4->69 1,0,0->5",
			reason: "sizes in the order T,N,C"},
		{line: "1,1,1,1 nhwc", strides: "1,1,1,1", storage: 1, offsets: "0,0,0,0->0", reason: "a run of oneDNN"},
		{line: "5,8,0,2 acdb", strides: "16,1,16,8", reason: "a size of 0 is skipped in the product"},

		{line: "1,3,2,2 nChw16c", strides: "64,64,32,16", storage: 64, offsets: "0,2,1,1->50 0,0,0,1->16",
			reason: "oneDNN: 256 bytes"},
		{line: "1,3,2,2 aBcd16b", strides: "64,64,32,16", storage: 64, offsets: "0,2,1,1->50 0,0,0,1->16",
			reason: "the same in abcd"},
		{line: "2,17,4,5 nChw16c", strides: "640,320,80,16", storage: 1280, offsets: "1,16,3,4->1264 0,16,0,0->320",
			reason: "oneDNN: 5120 bytes"},
		{line: "2,17,3,3 nChw8c", strides: "216,72,24,8", storage: 432, offsets: "1,16,2,2->424",
			reason: "oneDNN: 1728 bytes"},
		{line: "32,16,3,3 OIhw4i16o4i", strides: "2304,2304,768,256", storage: 4608,
			offsets: "17,5,1,2->3653 1,0,0,0->4 0,4,0,0->64 0,1,0,0->1", reason: "oneDNN: 18432 bytes"},
		{line: "32,16,3,3 ABcd4b16a4b", strides: "2304,2304,768,256", storage: 4608,
			offsets: "17,5,1,2->3653 1,0,0,0->4 0,4,0,0->64 0,1,0,0->1", reason: "the same in abcd"},
		{line: "20,3,1,1 OIhw4i16o4i", strides: "256,256,256,256", storage: 512, offsets: "19,2,0,0->270",
			reason: "oneDNN: 2048 bytes"},
		{line: "17,33,2,2 ABcd16a16b", strides: "3072,1024,512,256", storage: 6144,
			offsets: "16,32,1,1->5888 0,1,0,0->1 1,0,0,0->16", reason: "oneDNN: 24576 bytes"},
		{line: "17,33,2,2 ABcd16b16a", strides: "3072,1024,512,256", storage: 6144, offsets: "0,1,0,0->16 1,0,0,0->1",
			reason: "the last block is innermost"},
		{line: "16,16,1,1 OIhw8i16o2i", strides: "256,256,256,256", storage: 256, offsets: "3,5,0,0->71",
			reason: "oneDNN: 1024 bytes"},
		{line: "40,20 BA16a16b4a", strides: "1024,1024", storage: 2048, offsets: "39,19->1615 4,0->64 1,0->1",
			reason: "oneDNN: 8192 bytes"},
		{line: "2,8,8,1,1 gOIhw8i8o", strides: "64,64,64,64,64", storage: 128, offsets: "1,2,3,0,0->90",
			reason: "oneDNN: 512 bytes"},
		{line: "64,16,3,3 OhwI32o", strides: "4608,32,1536,512", storage: 9216, offsets: "33,5,1,1->6817",
			reason: "the capital I has no block"},
		{line: "64,16,3,3 Acdb32a", strides: "4608,32,1536,512", storage: 9216, offsets: "33,5,1,1->6817",
			reason: "the same in abcd"},
		{line: "0,3,2,2 nChw16c", strides: "64,64,32,16", reason: "oneDNN: 0 bytes"},
		{line: "2,0,2,2 nChw16c", strides: "64,64,32,16", reason: "oneDNN: 0 bytes"},
		{line: "1,1,1,1 nChw16c", strides: "16,16,16,16", storage: 16, offsets: "0,0,0,0->0",
			reason: "one whole block"},
		{line: "7,5 Ab3a", strides: "15,3", storage: 45, offsets: "4,2->22", reason: "oneDNN: 180 bytes"},
		{line: "5,7 AB2a3b", strides: "18,6", storage: 54, offsets: "3,5->29", reason: "oneDNN: 216 bytes"},

		{line: "1,32,7,7 NCHW16c", storage: 1568, offsets: "0,18,6,6->1554", reason: "TVM"},
		{line: "1,3,2,2 NCHW4c", storage: 16, offsets: "0,2,1,1->14", reason: "TVM; TensorRT's kCHW4"},
		{line: "32,32,1,1 OIHW16i16o", storage: 1024, offsets: "17,5,0,0->593", reason: "TVM"},
		{line: "N=1,H=8,W=4,C=32 NHWC8h2w32c2w", storage: 1024, offsets: "0,7,5,3->719",
			reason: "Hexagon; the index in the order N,C,H,W"},
		{line: "N=1,H=16,W=8,C=64 NHWC8h2w32c2w", storage: 8192, offsets: "0,33,9,6->7362", reason: "Hexagon"},
		{line: "1,12,2,2 NCHW8c", storage: 64, offsets: "0,9,1,0->49", reason: "ONNX Runtime"},
		{line: "16,8,3,3 OIHW8i8o", storage: 1152, offsets: "9,5,1,2->937", reason: "ONNX Runtime's OIHWBiBo"},

		{line: "1,3,2,2 NCHW2c", storage: 16, offsets: "0,2,1,1->14", reason: "kCHW2"},
		{line: "2,3,4,5 NHWC8c", storage: 320, offsets: "1,2,3,4->314", reason: "kHWC8: C is rounded up to 8"},
		{line: "1,40,2,2 NCHW32c", storage: 256, offsets: "0,39,1,1->231", reason: "kCHW32"},
		{line: "2,5,33,2,2 MNCHW16c", storage: 1920, offsets: "1,4,32,1,1->1904",
			reason: "kCHW16 of rank 5: M is not a letter of the family"},
		{line: "1,40,2,2,2 NCDHW32c", storage: 512, offsets: "0,33,1,0,1->417", reason: "kCDHW32"},
		{line: "1,3,2,2,2 NDHWC8c", storage: 64, offsets: "0,2,1,0,1->42", reason: "kDHWC8"},
		{line: "1,3,4,5 NHWC", strides: "60,1,15,3", storage: 60, offsets: "0,2,3,4->59", reason: "kHWC"},
		{line: "1,2,3,5 NCHW32w", storage: 192, offsets: "0,1,2,4->164",
			reason: "kDLA_LINEAR in fp16: W is rounded up to 32"},
		{line: "1,3,2,5 NHWC16w4c", storage: 128, offsets: "0,2,1,4->82", reason: "kDLA_HWC4 in int8"},
		{line: "1,8,3,3 NCHW4c", storage: 72, offsets: "0,6,2,1->66", reason: "cuDNN's INT8x4"},
		{line: "1,64,2,2 NCHW32c", storage: 256, offsets: "0,33,1,0->193", reason: "cuDNN's INT8x32"},
		{line: "1,3,2,2 NCHW1c", storage: 12, offsets: "0,2,1,1->11", reason: "NC/1HW1 is NCHW"},
		{line: "1,16,1,1 NCHW16c", storage: 16, offsets: "0,5,0,0->5", reason: "NC/16HW16 of 16 channels"},
		{line: "1,17,2,2 NCHW16c", storage: 128, offsets: "0,16,1,1->112", reason: "NC1HWC0"},

		{line: "2,0,4 contiguous", strides: "4,4,1", reason: "PyTorch: the next stride is the last times max(size, 1)"},
		{line: "2,3,0,4 channels_last", strides: "0,1,12,3", reason: "PyTorch: no max here"},
		{line: "2,3,4,5,6 channels_last_3d", strides: "360,1,90,18,3", storage: 720, offsets: "1,2,3,4,5->719",
			reason: "PyTorch: C, W, H, D, N"},
	}
	for _, tt := range tests {
		x := layouttest.Tensor(t, tt.line)
		if got := outerStrides(x.Layout()); tt.strides != "" && got != tt.strides {
			t.Errorf("%s: strides %s, want %s; %s", tt.line, got, tt.strides, tt.reason)
		}
		if x.Storage() != tt.storage {
			t.Errorf("%s: storage of %d elements, want %d; %s", tt.line, x.Storage(), tt.storage, tt.reason)
		}
		for arrow := range strings.FieldsSeq(tt.offsets) {
			index, offset, _ := strings.Cut(arrow, "->")
			checkOffset(t, tt.line+"; "+tt.reason, x.Layout(), numbers(t, index), numbers(t, offset)[0])
		}
	}
}

func outerStrides(l layout.Layout) string {
	var strides []int64
	for i := range l.Rank() {
		strides = append(strides, l.Axis(i).Digit(0).Stride)
	}
	return layouttest.Commas(strides)
}

// checkOffset goes from an index to its offset and back.
func checkOffset(t *testing.T, what string, l layout.Layout, index []int64, want int64) {
	t.Helper()
	if got, err := l.Offset(index); err != nil || got != want {
		t.Errorf("%s: %v is at %d, %v; want %d", what, index, got, err, want)
	}
	found := analysis.NewInverse(l).At(want, 10).Indices
	if !slices.ContainsFunc(found, func(i []int64) bool { return slices.Equal(i, index) }) {
		t.Errorf("%s: at %d are %v, not %v", what, want, found, index)
	}
}
