package facts_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/layouttest"
)

// picture draws a tensor's storage as the documents do: the elements are A, B, C ... in
// row-major order, broadcast copies bear the letter of their original, x is padding.
func picture(x layout.Tensor) string {
	inverse := facts.NewInverse(x.Layout())
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
		{"2x3", "3,1", "ABCDEF", "row-major: A to D is the width of the tensor"},
		{"2x3 HW", "3,1", "ABCDEF", "HW is row-major"},
		{"2x3 row-major", "3,1", "ABCDEF", "by its name"},
		{"2x3 WH", "1,2", "ADBECF", "column-major: the width-stride is the size of the height"},
		{"2x3 column-major", "1,2", "ADBECF", "by its name"},
		{"2x2x3 DHW", "6,3,1", "ABCDEFGHIJKL", "D-stride 2 x 3, H-stride 3, W-stride 1"},
		{"2x3 --broadcast H", "0,1", "ABC", "both rows are the same three elements"},
		{"2x3 --strides 0,1", "0,1", "ABC", "the same by its strides"},
		{"2x3 --pitch H=5", "5,1", "ABCxxDEF", "three real elements and two of padding, none behind the last row"},
		{"2x3 --pad W=2", "5,1", "ABCxxDEFxx", "the buffer of ten slots: padding behind every row"},
		{"2x3 --strides 5,1", "5,1", "ABCxxDEF", "strides say nothing of the end"},
		{"2x3 --align H=5", "5,1", "ABCxxDEF", "3 rounded up to 5"},
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

// TestDocumentDescriptors are the strides of sizes {1,1,3,5}, and what DML_BUFFER_TENSOR_DESC
// says of sizes.
func TestDocumentDescriptors(t *testing.T) {
	tests := []struct {
		line, strides string
		bytes         int64
		reason        string
	}{
		{"1,1,3,5", "15,15,5,1", 60, "implicit strides are packed NCHW"},
		{"1,1,3,5 NCHW", "15,15,5,1", 60, "N = 1*3*5, C = 3*5, H = 5, W = 1"},
		{"1,1,3,5 NHWC", "15,1,5,1", 60, "N = 3*5*1, H = 5*1, W = 1, C = 1"},
		{"3x5 HW --rank 4", "15,15,5,1", 60, "a tensor of smaller rank has leading 1s"},
		{"3x5 NHWC --rank 4", "15,1,5,1", 60, "the same in NHWC"},
		{"3x5 --rank 4", "15,15,5,1", 60, "the same without names"},
		{"2x3 --strides 5,1", "5,1", 32, "up to the last element: 8 floats, not 10"},
		{"2x3 --broadcast H", "0,1", 12, "a stride of 0: three floats"},
		{"1x3x4 --pad W=1", "15,5,1", 56, "rows of 5: 14 floats up to the last element"},
	}
	for _, tt := range tests {
		x := layouttest.Tensor(t, tt.line)
		if got := outerStrides(x.Layout()); got != tt.strides || x.BufferBytes() != tt.bytes {
			t.Errorf("%s: strides %s, %d bytes; want %s, %d; %s", tt.line, got, x.BufferBytes(), tt.strides, tt.bytes, tt.reason)
		}
	}
}

// TestDocumentNotions are the article's words: packed, broadcast, padded.
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
		f := facts.Of(layouttest.Tensor(t, tt.line).Layout())
		var words []string
		add := func(word string, yes bool) {
			if yes {
				words = append(words, word)
			}
		}
		add("packed", f.Packed() == facts.Yes)
		add("padded", f.Padded() == facts.Yes)
		add(fmt.Sprint("broadcast ", f.Broadcast), len(f.Broadcast) > 0)
		add("overlapping", f.Overlapping == facts.Yes)
		if got := strings.Join(words, " "); got != tt.want {
			t.Errorf("%s is %q, want %q; %s", tt.line, got, tt.want, tt.reason)
		}
	}
}

// TestDocumentElementLimit: 2^32-1 elements of 4 bytes are the documented 16 GB.
func TestDocumentElementLimit(t *testing.T) {
	if got := layouttest.Tensor(t, "65535x65537").BufferBytes(); got != (1<<32-1)*4 {
		t.Errorf("2^32-1 floats take %d bytes", got)
	}
}

// TestMemoryFormatTable is the table of notations.md 7.4, and its strides of 7.2.
func TestMemoryFormatTable(t *testing.T) {
	tests := []struct {
		sizes, strides           string
		contiguous, channelsLast bool
		reason                   string
	}{
		{"2,3,4,5", "60,20,5,1", true, false, "NCHW"},
		{"2,3,4,5", "60,1,15,3", false, true, "NHWC"},
		{"2,1,4,5", "20,20,5,1", true, true, "one channel: its stride does not matter"},
		{"2,1,4,5", "20,1,5,1", true, true, "the same in NHWC's strides"},
		{"2,3,1,1", "3,1,1,1", true, true, "one pixel"},
		{"2,3,1,1", "3,1,3,3", true, true, "one pixel, NHWC's strides"},
		{"4,1,1,1", "1,1,1,1", true, true, "only N counts"},
		{"4,1,1,1", "7,7,7,7", false, false, "N is not packed"},
		{"8,1,8,1", "8,1,1,1", true, true, "N and H only"},
		{"1,8,1,8", "64,1,64,8", false, true, "W strides over C"},
		{"1,3,4,5", "0,1,15,3", false, true, "the stride 0 is of a size-1 axis"},
		{"2,3,4,5", "120,2,30,6", false, false, "every stride is doubled"},
		{"2,3,4,5,6", "360,1,90,18,3", false, true, "NDHWC, channels_last_3d"},
		{"2,3,4", "12,1,3", false, false, "rank 3 has no channels_last"},
		{"2,3", "1,2", false, false, "column-major"},
		{"2,3", "0,1", false, false, "broadcast"},
		{"0,3", "7,5", true, false, "no elements: contiguous whatever the strides"},
		{"1", "7", true, false, "one element"},
		{"3", "2", false, false, "gaps"},
		{"", "", true, false, "a scalar"},
	}
	for _, tt := range tests {
		f := facts.Of(strided(t, 0, numbers(t, tt.sizes), numbers(t, tt.strides)))
		if f.Contiguous != tt.contiguous || f.ChannelsLast != tt.channelsLast {
			t.Errorf("%s:%s: contiguous %v, channels_last %v, want %v, %v; %s", tt.sizes, tt.strides, f.Contiguous, f.ChannelsLast, tt.contiguous, tt.channelsLast, tt.reason)
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

// TestNotationVectors are the tables of notations.md 1.5, 2.8, 3 and 7.2. Storage counts
// elements, with the padding of blocks.
func TestNotationVectors(t *testing.T) {
	tests := []struct {
		line    string
		strides string // of the outermost digits
		storage int64
		offsets string // index -> offset; ...
		reason  string
	}{
		{"2,3,4,5 nchw", "60,20,5,1", 120, "1,2,3,4->119 1,0,0,0->60", "oneDNN run, 1.5"},
		{"2,3,4,5 nhwc", "60,1,15,3", 120, "1,2,3,4->119 0,1,0,0->1", "oneDNN run, 1.5"},
		{"2,3,4,5 acdb", "60,1,15,3", 120, "1,2,3,4->119 0,1,0,0->1", "acdb is nhwc"},
		{"2,3,4,5 chwn", "1,40,10,2", 120, "1,2,3,4->119", "oneDNN run, 1.5"},
		{"2,3,4,5,6 ndhwc", "360,1,90,18,3", 720, "1,2,3,4,5->719", "oneDNN run, 1.5"},
		{"8,4,3,2 hwio", "1,8,64,32", 192, "7,3,2,1->191 1,2,0,1->49", "sizes in the order O,I,H,W"},
		{"7,2,5 ntc", "5,35,1", 70, "6,1,4->69 1,0,0->5", "sizes in the order T,N,C"},
		{"1,1,1,1 nhwc", "1,1,1,1", 1, "0,0,0,0->0", "oneDNN run, 1.5"},
		{"5,8,0,2 acdb", "16,1,16,8", 0, "", "a size of 0 is skipped in the product"},

		{"1,3,2,2 nChw16c", "64,64,32,16", 64, "0,2,1,1->50 0,0,0,1->16", "2.8: 256 bytes"},
		{"1,3,2,2 aBcd16b", "64,64,32,16", 64, "0,2,1,1->50 0,0,0,1->16", "the same in abcd"},
		{"2,17,4,5 nChw16c", "640,320,80,16", 1280, "1,16,3,4->1264 0,16,0,0->320", "2.8: 5120 bytes"},
		{"2,17,3,3 nChw8c", "216,72,24,8", 432, "1,16,2,2->424", "2.8: 1728 bytes"},
		{"32,16,3,3 OIhw4i16o4i", "2304,2304,768,256", 4608, "17,5,1,2->3653 1,0,0,0->4 0,4,0,0->64 0,1,0,0->1", "2.8: 18432 bytes"},
		{"32,16,3,3 ABcd4b16a4b", "2304,2304,768,256", 4608, "17,5,1,2->3653 1,0,0,0->4 0,4,0,0->64 0,1,0,0->1", "the same in abcd"},
		{"20,3,1,1 OIhw4i16o4i", "256,256,256,256", 512, "19,2,0,0->270", "2.8: 2048 bytes"},
		{"17,33,2,2 ABcd16a16b", "3072,1024,512,256", 6144, "16,32,1,1->5888 0,1,0,0->1 1,0,0,0->16", "2.8: 24576 bytes"},
		{"17,33,2,2 ABcd16b16a", "3072,1024,512,256", 6144, "0,1,0,0->16 1,0,0,0->1", "the last block is innermost"},
		{"16,16,1,1 OIhw8i16o2i", "256,256,256,256", 256, "3,5,0,0->71", "2.8: 1024 bytes"},
		{"40,20 BA16a16b4a", "1024,1024", 2048, "39,19->1615 4,0->64 1,0->1", "2.8: 8192 bytes"},
		{"2,8,8,1,1 gOIhw8i8o", "64,64,64,64,64", 128, "1,2,3,0,0->90", "2.8: 512 bytes"},
		{"64,16,3,3 OhwI32o", "4608,32,1536,512", 9216, "33,5,1,1->6817", "the capital I has no block"},
		{"64,16,3,3 Acdb32a", "4608,32,1536,512", 9216, "33,5,1,1->6817", "the same in abcd"},
		{"0,3,2,2 nChw16c", "64,64,32,16", 0, "", "2.8: 0 bytes"},
		{"2,0,2,2 nChw16c", "64,64,32,16", 0, "", "2.8: 0 bytes"},
		{"1,1,1,1 nChw16c", "16,16,16,16", 16, "0,0,0,0->0", "2.4: one whole block"},
		{"7,5 Ab3a", "15,3", 45, "4,2->22", "2.8: 180 bytes"},
		{"5,7 AB2a3b", "18,6", 54, "3,5->29", "2.8: 216 bytes"},

		{"1,32,7,7 NCHW16c", "", 1568, "0,18,6,6->1554", "TVM, 3.1"},
		{"1,3,2,2 NCHW4c", "", 16, "0,2,1,1->14", "TVM, 3.1; TensorRT's kCHW4"},
		{"32,32,1,1 OIHW16i16o", "", 1024, "17,5,0,0->593", "TVM, 3.1"},
		{"N=1,H=8,W=4,C=32 NHWC8h2w32c2w", "", 1024, "0,7,5,3->719", "Hexagon, 3.1; the index in the order N,C,H,W"},
		{"N=1,H=16,W=8,C=64 NHWC8h2w32c2w", "", 8192, "0,33,9,6->7362", "Hexagon, 3.1"},
		{"1,12,2,2 NCHW8c", "", 64, "0,9,1,0->49", "ONNX Runtime, 3.2"},
		{"16,8,3,3 OIHW8i8o", "", 1152, "9,5,1,2->937", "ONNX Runtime's OIHWBiBo, 3.2"},

		{"1,3,2,2 NCHW2c", "", 16, "0,2,1,1->14", "kCHW2, 3.3"},
		{"2,3,4,5 NHWC8c", "", 320, "1,2,3,4->314", "kHWC8, 3.3: C is rounded up to 8"},
		{"1,40,2,2 NCHW32c", "", 256, "0,39,1,1->231", "kCHW32, 3.3"},
		{"2,5,33,2,2 MNCHW16c", "", 1920, "1,4,32,1,1->1904", "kCHW16 of rank 5, 3.3: M has no canonical place"},
		{"1,40,2,2,2 NCDHW32c", "", 512, "0,33,1,0,1->417", "kCDHW32, 3.3"},
		{"1,3,2,2,2 NDHWC8c", "", 64, "0,2,1,0,1->42", "kDHWC8, 3.3"},
		{"1,3,4,5 NHWC", "60,1,15,3", 60, "0,2,3,4->59", "kHWC, 3.3"},
		{"1,2,3,5 NCHW32w", "", 192, "0,1,2,4->164", "kDLA_LINEAR in fp16, 3.3: W is rounded up to 32"},
		{"1,3,2,5 NHWC16w4c", "", 128, "0,2,1,4->82", "kDLA_HWC4 in int8, 3.3"},
		{"1,8,3,3 NCHW4c", "", 72, "0,6,2,1->66", "cuDNN's INT8x4, 3.4"},
		{"1,64,2,2 NCHW32c", "", 256, "0,33,1,0->193", "cuDNN's INT8x32, 3.4"},
		{"1,3,2,2 NCHW1c", "", 12, "0,2,1,1->11", "NC/1HW1 is NCHW, 3.4"},
		{"1,16,1,1 NCHW16c", "", 16, "0,5,0,0->5", "NC/16HW16 of 16 channels, 3.4"},
		{"1,17,2,2 NCHW16c", "", 128, "0,16,1,1->112", "NC1HWC0, 3.4"},

		{"2,0,4 contiguous", "4,4,1", 0, "", "7.2: the next stride is the last times max(size, 1)"},
		{"2,3,0,4 channels_last", "0,1,12,3", 0, "", "7.2: no max here"},
		{"2,3,4,5,6 channels_last_3d", "360,1,90,18,3", 720, "1,2,3,4,5->719", "7.2: C, W, H, D, N"},
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
	found := facts.NewInverse(l).At(want, 10).Indices
	if !slices.ContainsFunc(found, func(i []int64) bool { return slices.Equal(i, index) }) {
		t.Errorf("%s: at %d are %v, not %v", what, want, found, index)
	}
}
