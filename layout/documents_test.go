package layout_test

import (
	"fmt"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
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
		x := tensor(t, tt.line)
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
	l := tensor(t, "2x2x3 DHW").Layout()
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
		x := tensor(t, tt.line)
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
		f := facts.Of(tensor(t, tt.line).Layout())
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
	if got := tensor(t, "65535x65537").BufferBytes(); got != (1<<32-1)*4 {
		t.Errorf("2^32-1 floats take %d bytes", got)
	}
}
