package shape_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/shape"
)

func TestMain(m *testing.M) { layouttest.Main(m) }

// TestDerivedStrides has strides and storage that were computed by hand.
func TestDerivedStrides(t *testing.T) {
	tests := []struct {
		line, want string
		storage    int64
		reason     string
	}{
		{line: "2x3x4 --pad 2=1", want: "2:15 3:5 4:1", storage: 30, reason: "rows of 4+1; planes of 3x5; 2 of them"},
		{line: "2x3x4 --pad 1=1", want: "2:13 3:4 4:1", storage: 26, reason: "planes of 3x4 + 1 = 13"},
		{line: "2x3x4 --pad 0=5", want: "2:12 3:4 4:1", storage: 29, reason: "24 elements and 5 after them"},
		{line: "2x3x4 --pad 2=1 --pad 1=2", want: "2:17 3:5 4:1", storage: 34,
			reason: "rows of 5; planes of 3x5 + 2 = 17"},
		{line: "2x3x4 --pad 2=0", want: "2:12 3:4 4:1", storage: 24, reason: "no padding"},
		{line: "2x3x4 --pitch 1=8", want: "2:24 3:8 4:1", storage: 44,
			reason: "rows 8 apart, planes 3x8; the last row ends at 24+16+4"},
		{line: "2x3x4 --pitch 1=2", want: "2:8 3:2 4:1", storage: 16,
			reason: "rows overlap: a plane takes 2x2 + 4 = 8, which is more than 3x2"},
		{line: "2x3x4 --pitch 1=1", want: "2:6 3:1 4:1", storage: 12, reason: "a window: a plane takes 2 + 4 = 6"},
		{line: "2x3x4 --pitch 2=2", want: "2:24 3:8 4:2", storage: 47,
			reason: "every other element: rows of 4x2; the last element is at 24+... its slot: 1 + 3x2 + 2x8 + 24"},
		{line: "2x3x4 --align 1=8", want: "2:24 3:8 4:1", storage: 44, reason: "4 rounded up to 8"},
		{line: "2x3x4 --align 1=2", want: "2:12 3:4 4:1", storage: 24, reason: "4 is a multiple of 2 already"},
		{line: "2x3x4 --align 0=10", want: "2:20 3:4 4:1", storage: 32, reason: "12 rounded up to 20"},
		{line: "2x3x4 --align 1=6 --align 0=32", want: "2:32 3:6 4:1", storage: 48,
			reason: "rows of 6: planes of 18, rounded up to 32; 32 + 2x6 + 4"},
		{line: "2x3x4 --align 1=32B", want: "2:24 3:8 4:1", storage: 44, reason: "32 bytes are 8 floats"},
		{line: "2x3x4 --align 1=32B -t float16", want: "2:48 3:16 4:1", storage: 84,
			reason: "32 bytes are 16 halves: 48 + 2x16 + 4"},
		{line: "2x3x4 --align 1=2B", want: "2:12 3:4 4:1", storage: 24,
			reason: "every float is at a multiple of 2 bytes"},
		{line: "2x5 --align 0=1B -t uint4", want: "2:6 5:1", storage: 11,
			reason: "1 byte is 2 nibbles: 5 rounded up to 6"},
		{line: "2x5 --align 0=6B", want: "2:6 5:1", storage: 11,
			reason: "12 bytes, 3 floats, are the fewest that fill a multiple of 6 bytes"},
		{line: "2x3 --pad 1=1 --align 0=8", want: "2:8 3:1", storage: 12, reason: "rows of 3+1, rounded up to 8"},
		{line: "2x3 --pad 1=2 --pitch 0=4", want: "2:4 3:1", storage: 9,
			reason: "the pitch wins over what the padding asks for: 4 + 3 + 2"},
		{line: "2x3x4 --broadcast 0", want: "2:0 3:4 4:1", storage: 12, reason: "one plane"},
		{line: "2x3x4 --broadcast 1", want: "2:4 3:0 4:1", storage: 8, reason: "one row a plane"},
		{line: "2x3x4 --broadcast 0,1,2", want: "2:0 3:0 4:0", storage: 1, reason: "one element"},
		{line: "2x3x4 --broadcast 2,2", want: "2:3 3:1 4:0", storage: 6, reason: "the same axis twice is the same"},
		{line: "2x3x4 --broadcast 1 --pad 2=1", want: "2:5 3:0 4:1", storage: 10, reason: "a row of 5 a plane"},
		{line: "2x3x4 --storage-offset 7", want: "2:12 3:4 4:1", storage: 31, reason: "7 elements before the first"},
		{line: "2x3x4 --storage-offset 7 --pad 0=1", want: "2:12 3:4 4:1", storage: 32,
			reason: "and one after the last"},
		{line: "2x3x4 column-major --pad 0=1", want: "2:1 3:3 4:9", storage: 36,
			reason: "columns of 2+1; 3x3; 4 of them"},
		{line: "2x3x4 column-major --pitch 1=5", want: "2:1 3:5 4:15", storage: 57,
			reason: "columns 5 apart, 3 of them 15; the last ends at 45+10+2"},
		{line: "2x3x4x5 NHWC --pad C=1", want: "N=2:80 C=3:1 H=4:20 W=5:4", storage: 160,
			reason: "pixels of 3+1; rows 5x4; images 4x20"},
		{line: "2x3x4x5 NHWC --pitch H=16", want: "N=2:64 C=3:1 H=4:16 W=5:3", storage: 127,
			reason: "rows of 15 at every 16; 64 + 48 + 15"},
		{line: "2x3x4x5 NHWC --align W=4", want: "N=2:80 C=3:1 H=4:20 W=5:4", storage: 159,
			reason: "pixels of 3 at every 4: 80 + 60 + 16 + 3"},
		{line: "2x17x1x1 NCHW16c --pad C=3", want: "N=2:35 C=17:(2:16 16:1) H=1:16 W=1:16", storage: 70,
			reason: "two blocks of 16 and 3 after them"},
		{line: "2x17x1x2 NCHW16c --pitch C=40", want: "N=2:80 C=17:(2:40 16:1) H=1:32 W=2:16", storage: 152,
			reason: "the pitch is that of whole blocks: 80 + 40 + 32"},
		{line: "2x17x1x2 NCHW16c --broadcast C", want: "N=2:2 C=17:(2:0 16:0) H=1:2 W=2:1", storage: 4,
			reason: "no digit of C takes storage"},
		{line: "0x3 --pad 1=1", want: "0:4 3:1", reason: "nothing is stored, but the strides follow"},
		{line: "0x3 --storage-offset 7", want: "0:3 3:1", storage: 7, reason: "nothing is stored from 7 on"},
		{line: "2x3 --rank 4", want: "1:6 1:6 2:3 3:1", storage: 6, reason: "two axes before the others"},
		{line: "2x3 HW --rank 4", want: "N=1:6 C=1:6 H=2:3 W=3:1", storage: 6, reason: "DirectML's names for rank 4"},
		{line: "2x3 WH --rank 4", want: "N=1:6 C=1:6 H=2:1 W=3:2", storage: 6, reason: "WH stays innermost"},
		{line: "2x3 HW --rank 5", want: "N=1:6 C=1:6 D=1:6 H=2:3 W=3:1", storage: 6,
			reason: "DirectML's names for rank 5"},
		{line: "2x3x4 CHW --rank 4", want: "N=1:24 C=2:12 H=3:4 W=4:1", storage: 24, reason: "N before C, H, W"},
		{line: "2x3 NHWC --rank 4", want: "N=1:6 C=1:1 H=2:3 W=3:1", storage: 6,
			reason: "the name has the rank: the sizes are its last"},
		{line: "2x3 --rank 4 --pad W=2", want: "N=1:10 C=1:10 H=2:5 W=3:1", storage: 10,
			reason: "DirectML's names, because a flag names an axis"},
		{line: "2x3 --rank 2", want: "2:3 3:1", storage: 6, reason: "the rank it has"},
		{line: "2x3 --rank 3 --strides 1,2", want: "1:6 2:1 3:2", storage: 6,
			reason: "given strides: the new axis is beyond max(2x1, 3x2)"},
		{line: "2x3 --rank 3 --strides 9,3,1", want: "1:9 2:3 3:1", storage: 6,
			reason: "a stride for the new axis too"},
		{line: "2x3 --strides -3,1 --storage-offset 3", want: "2:-3 3:1", storage: 6,
			reason: "a flip: the first element is at 3"},
		{line: "2x3 --strides 0,0", want: "2:0 3:0", storage: 1, reason: "one element"},
		{line: "2x3 --strides 7,2", want: "2:7 3:2", storage: 12, reason: "7 + 4, and one"},
		{line: "2x3 --pad H=1", want: "H=2:3 W=3:1", storage: 7,
			reason: "rank 2: DirectML's HW, because a flag names an axis"},
		{line: "2x3x4x5 --broadcast c", want: "N=2:20 C=3:0 H=4:5 W=5:1", storage: 40,
			reason: "letters of flags in any case"},
		{line: "2x3x4x5 --broadcast 1", want: "2:20 3:0 4:5 5:1", storage: 40,
			reason: "a position does not need names"},
		{line: "batch=2,seq=3 --pad seq=1", want: "batch=2:4 seq=3:1", storage: 8, reason: "labels are names"},
		{line: "W=3,H=2", want: "H=2:3 W=3:1", storage: 6,
			reason: "labels of one family are sorted, then row-major"},
		{line: "W=3,H=2 WH", want: "H=2:1 W=3:2", storage: 6, reason: "labelled sizes need no order"},
		{line: "h=2,w=3 HW", want: "H=2:3 W=3:1", storage: 6, reason: "labels in any case"},
		{line: "C=3,N=2,X=5", want: "C=3:10 N=2:5 X=5:1", storage: 30, reason: "X is not canonical: as written"},
		{line: "[]", storage: 1, reason: "a scalar is one element"},
		{line: "[] --storage-offset 4", storage: 5, reason: "at 4"},
	}
	for _, tt := range tests {
		x := layouttest.Tensor(t, tt.line)
		if got := axes(x.Layout()); got != tt.want {
			t.Errorf("%s: [%s], want [%s]; %s", tt.line, got, tt.want, tt.reason)
		}
		if x.Storage() != tt.storage {
			t.Errorf("%s: storage of %d elements, want %d; %s", tt.line, x.Storage(), tt.storage, tt.reason)
		}
	}
}

// axes formats a layout as N=1:15 C=1:1 ..., without the rest of Layout.String.
func axes(l layout.Layout) string {
	return strings.TrimPrefix(l.String()[:strings.LastIndex(l.String(), "]")], "[")
}

func TestContradictions(t *testing.T) {
	tests := []struct{ line, input, says, reason string }{
		{line: "2x3 --strides 3,1 --pad 1=1", says: "--strides", reason: "every stride is given"},
		{line: "2x3 --strides 3,1 --pitch 0=4", says: "--strides", reason: "every stride is given"},
		{line: "2x3 --strides 3,1 --align 0=4", says: "--strides", reason: "every stride is given"},
		{line: "2x3 --strides 3,1 --broadcast 0", says: "--strides", reason: "every stride is given"},
		{line: "2x3 --strides 3,1,1", input: "3,1,1", says: "3 strides for 2 sizes", reason: "the wrong count"},
		{line: "2x3 --strides 3", input: "3", says: "1 stride for 2 sizes", reason: "the wrong count"},
		{line: "1x3x2x2 NCHW16c --strides 1,1,1,1", input: "NCHW16c", says: "blocks", reason: "strides have no blocks"},
		{line: "N=1,C=3 --order NC", input: "NC", says: "labeled", reason: "labels say the order"},
		{line: "2x3 --order row-major", input: "row-major", says: "letter", reason: "a word is not an order"},
		{line: "2x3 --order HW2w", input: "HW2w", says: "letter", reason: "blocks are not an order"},
		{line: "2x3 --order NHW", input: "NHW", says: "3 axes", reason: "the wrong count"},
		{line: "2x3 NHWC", input: "NHWC", says: "4 axes", reason: "the wrong rank; the hint has names for rank 2"},
		{line: "2x3 NHWC", input: "NHWC", says: "HW", reason: "the hint of the same"},
		{line: "2x3x4 channels_last", input: "channels_last", reason: "rank 4 only"},
		{line: "2x3x4x5 channels_last_3d", input: "channels_last_3d", reason: "rank 5 only"},
		{line: "2x3x4x5 NHWC --order NHWD", says: "D", reason: "the order names an axis that is not in the layout"},
		{line: "N=1,C=3,D=2 CHW", input: "N=1,C=3,D=2", says: "N", reason: "labels that are not in the name"},
		{line: "n=1,N=2 NC", reason: "two sizes for N and none for C: n and N are one axis"},
		{line: "a=2,A=3", reason: "one axis twice: a and A"},
		{line: "2x3 --pad 1=1 --pad 1=2", input: "1=2", says: "twice", reason: "which of the two is meant is not said"},
		{line: "2x3 HW --pad W=1 --pad 1=2", input: "1=2", says: "twice",
			reason: "the same axis by letter and by position"},
		{line: "2x3 --pitch 0=4 --pitch 0=4", input: "0=4", says: "twice", reason: "even if they agree"},
		{line: "2x3 --pitch 0=4 --align 0=4", input: "0=4", says: "--pitch", reason: "a pitch is exact"},
		{line: "2x3 --broadcast 0 --pad 0=1", input: "0", says: "broadcast", reason: "no storage, no padding"},
		{line: "2x3 --broadcast 0 --pitch 0=1", input: "0", says: "broadcast", reason: "no storage, no pitch"},
		{line: "2x3 --broadcast 0 --align 0=1", input: "0", says: "broadcast", reason: "no storage, no alignment"},
		{line: "2x3 --broadcast 0 --pad 0=9223372036854775807 --pitch 0=1", input: "0", says: "broadcast",
			reason: "the same, though the two numbers add up to less than 0 in 64 bits"},
		{line: "2x3 --pad 2=1", input: "2=1", says: "the axes are", reason: "no axis 2"},
		{line: "batch=2,C=3 NC", input: "batch=2,C=3", says: "unknown axis batch", reason: "several letters"},
		{line: "2x3 HW --pad C=1", input: "C=1", says: "the axes are H,W", reason: "no axis C"},
		{line: "2x3 --pad C=1", input: "C=1", says: "the axes are H,W", reason: "rank 2 is called HW"},
		{line: "2x3x4x5x6x7 --pad C=1", input: "C=1", says: "the axes are 0,1,2,3,4,5", reason: "rank 6 has no names"},
		{line: "2x3 --broadcast 0,9", input: "0,9", says: "9", reason: "no axis 9"},
		{line: "2x3 --broadcast 99999999999999999999", input: "99999999999999999999", says: "unknown",
			reason: "a position beyond any number"},
		{line: "[] --pad 0=1", input: "0=1", says: "scalar", reason: "a scalar has no axes"},
		{line: "2x3 --rank 1", says: "--rank", reason: "ranks do not shrink"},
		{line: "2x3 --rank -1", says: "--rank", reason: "ranks are not negative"},
		{line: "2x3 --rank 65", says: "64", reason: "the limit names itself"},
		{line: "2x3 --storage-offset -1", says: "negative", reason: "no offsets before the storage"},
	}
	for _, tt := range tests {
		x, err := layouttest.Describe(tt.line)
		if err == nil {
			t.Errorf("%s: accepted as %v; %s", tt.line, x.Layout(), tt.reason)
			continue
		}
		e := layouttest.SyntaxError(t, tt.line, err)
		if tt.input != "" && e.Input != tt.input {
			t.Errorf("%s: points at %q, want %q; %s", tt.line, e.Input, tt.input, tt.reason)
		}
		if !strings.Contains(e.Msg+"; "+e.Hint, tt.says) {
			t.Errorf("%s: %q, %q do not say %q; %s", tt.line, e.Msg, e.Hint, tt.says, tt.reason)
		}
	}
}

// TestCaretsOfContradictions checks that the caret is at the one item of a list that is wrong.
func TestCaretsOfContradictions(t *testing.T) {
	tests := []struct {
		line   string
		offset int
		reason string
	}{
		{"2x3 --broadcast 0,9", 2, "the second axis of the list"},
		{"2x3 --strides 3,1,1", 4, "the first stride that has no axis"},
		{"2x3 --strides 3", 1, "where a stride is missing"},
		{"N=1,C=3,D=2 NCH", 8, "the label that is not an axis"},
	}
	for _, tt := range tests {
		_, err := layouttest.Describe(tt.line)
		if e := layouttest.SyntaxError(t, tt.line, err); e.Offset != tt.offset {
			t.Errorf("%s: the caret is at %d of %q, want %d; %s", tt.line, e.Offset, e.Input, tt.offset, tt.reason)
		}
	}
}

func TestAxisFlags(t *testing.T) {
	tests := []struct {
		parse  func(string) error
		text   string
		offset int // -1: accepted
		reason string
	}{
		{parse: parser(shape.ParseAxes), text: "H", offset: -1, reason: "a letter"},
		{parse: parser(shape.ParseAxes), text: "H, W ,2", offset: -1, reason: "blanks do not matter"},
		{parse: parser(shape.ParseAxes), text: "seq_len", offset: -1, reason: "a word"},
		{parse: parser(shape.ParseAxes), reason: "nothing"},
		{parse: parser(shape.ParseAxes), text: "H,", offset: 2, reason: "an axis is missing"},
		{parse: parser(shape.ParseAxes), text: ",H", reason: "an axis is missing"},
		{parse: parser(shape.ParseAxes), text: "H W", offset: 2, reason: "a comma is missing"},
		{parse: parser(shape.ParseAxes), text: "H=1", offset: 1, reason: "no numbers here"},
		{parse: parser(shape.ParseAxes), text: "-1", reason: "no negative positions"},
		{parse: parser(shape.ParseAxes), text: "H\x00,W", offset: 1, reason: "a zero byte is not the end"},
		{parse: parser(shape.ParsePadding), text: "H=5", offset: -1, reason: "an axis and a number"},
		{parse: parser(shape.ParsePadding), text: "H=0", offset: -1, reason: "no padding is padding of 0"},
		{parse: parser(shape.ParsePadding), text: "H", offset: 1, reason: "= is missing"},
		{parse: parser(shape.ParsePadding), text: "=5", reason: "the axis is missing"},
		{parse: parser(shape.ParsePadding), text: "H=", offset: 2, reason: "the number is missing"},
		{parse: parser(shape.ParsePadding), text: "H=-1", offset: 2, reason: "padding is not negative"},
		{parse: parser(shape.ParsePadding), text: "H=5B", offset: -1, reason: "padding in bytes"},
		{parse: parser(shape.ParsePadding), text: "H=5,W=3", offset: 3, reason: "one flag, one axis"},
		{parse: parser(shape.ParsePadding), text: "H=5\x00", offset: 3, reason: "a zero byte is not the end"},
		{parse: parser(shape.ParsePadding), text: "H=9223372036854775808", offset: 2, reason: "2^63"},
		{parse: parser(shape.ParsePitch), text: "H=1", offset: -1, reason: "rows overlap: a window"},
		{parse: parser(shape.ParsePitch), text: "H=0", offset: 2, reason: "that would be --broadcast"},
		{parse: parser(shape.ParsePitch), text: "64B", offset: -1, reason: "rows"},
		{parse: parser(shape.ParsePitch), text: "H=64", offset: -1, reason: "elements"},
		{parse: parser(shape.ParsePitch), text: "H=256B", offset: -1, reason: "bytes"},
		{parse: parser(shape.ParsePitch), text: "H=256b", offset: -1, reason: "bytes in lower case"},
		{parse: parser(shape.ParseAlignment), text: "H=0", offset: 2, reason: "no multiples of 0"},
		{parse: parser(shape.ParseAlignment), text: "H=0B", offset: 2, reason: "nor of 0 bytes"},
		{parse: parser(shape.ParsePitch), text: "H=4KB", offset: 3, reason: "no other units"},
	}
	for _, tt := range tests {
		err := tt.parse(tt.text)
		if (err == nil) != (tt.offset < 0) {
			t.Errorf("%q: %v; %s", tt.text, err, tt.reason)
			continue
		}
		if err != nil {
			if e := layouttest.SyntaxError(t, tt.text, err); e.Offset != tt.offset {
				t.Errorf("%q: the caret is at %d, want %d (%s); %s", tt.text, e.Offset, tt.offset, e.Msg, tt.reason)
			}
		}
	}
}

// TestAxesOfFlags checks that an axis of a layout without letters gets a letter if a flag uses one.
func TestAxesOfFlags(t *testing.T) {
	padding := func(text string) shape.AxisNumber {
		n, err := shape.ParsePadding(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, flags := range [][]string{{"3=2", "H=1"}, {"H=1", "3=2"}, {"2=1", "W=2"}, {"2=1", "3=2"}} {
		sizes, err := shape.ParseShape("1x2x3x4")
		if err != nil {
			t.Fatal(err)
		}
		s := shape.Spec{Shape: sizes}
		for _, text := range flags {
			s.Pad = append(s.Pad, padding(text))
		}
		x, err := s.Tensor()
		if err != nil {
			t.Errorf("%q: %v", flags, err)
			continue
		}
		if strides, _ := x.Layout().Strides(); !slices.Equal(strides, []int64{38, 19, 6, 1}) { // 3 x 6 + 1, 2 x 19
			t.Errorf("%q: strides %v", flags, strides)
		}
	}
}

// TestSpecOverflows checks the quantity that does not fit, with its exact value.
func TestSpecOverflows(t *testing.T) {
	tests := []struct{ line, what, exact, reason string }{
		{line: "9223372036854775807x2", exact: "18446744073709551614", reason: "(2^63-1) x 2"},
		{line: "2x9223372036854775807", exact: "18446744073709551614", reason: "in the other order"},
		{line: "4294967296x4294967296", exact: "18446744073709551616", reason: "2^64, a product that wraps to 0"},
		{line: "2147483648x2147483648x2", exact: "9223372036854775808", reason: "2^63"},
		{line: "3037000500x3037000500", exact: "9223372037000250000", reason: "just above 2^63"},
		{line: "100x100x100x100x100x100x100x100x100x100 --strides 0,0,0,0,0,0,0,0,0,0", what: "the number of elements",
			exact: "100000000000000000000", reason: "storage for one, but 10^20 elements"},
		{line: "2 --strides 9223372036854775807 -t int8", what: "the span", exact: "9223372036854775808",
			reason: "the second element is at 2^63-1, so the span is 2^63"},
		{line: "2x2 --strides 9223372036854775807,1 -t int8", what: "the span", exact: "9223372036854775809",
			reason: "offset 2^63 and one more"},
		{line: "2x2 --strides -9223372036854775808,1", what: "the span", exact: "9223372036854775810",
			reason: "from -2^63 to 1"},
		{line: "1 --storage-offset 9223372036854775807", what: "the storage", exact: "9223372036854775808",
			reason: "one element after 2^63-1"},
		{line: "1 --strides 1 --storage-offset 9223372036854775807 -t uint4", exact: "9223372036854775808",
			reason: "the same with strides, and in bytes that would fit"},
		{line: "4611686018427387904", what: "the number of bytes, rounded up to a multiple of 4,",
			exact: "18446744073709551616", reason: "2^62 floats"},
		{line: "9223372036854775807 -t u8", what: "the number of bytes, rounded up to a multiple of 4,",
			exact: "9223372036854775808", reason: "2^63-1 bytes alone would fit"},
		{line: "1x3x2x2 NCHW4611686018427387904c", exact: "9223372036854775808", reason: "blocks of 2^62, two of them"},
	}
	for _, tt := range tests {
		x, err := layouttest.Describe(tt.line)
		if err == nil {
			t.Errorf("%s: accepted as %v; %s", tt.line, x.Layout(), tt.reason)
			continue
		}
		if e := layouttest.Overflow(t, tt.line+"; "+tt.reason, err, tt.exact); tt.what != "" && e.What != tt.what {
			t.Errorf("%s: %s overflows, want %s; %s", tt.line, e.What, tt.what, tt.reason)
		}
	}
}

// TestZeroSizesHideNoOverflow: a size of 0 does not make an overflow legal, wherever it is.
func TestZeroSizesHideNoOverflow(t *testing.T) {
	const big = "4611686018427387904" // 2^62
	for _, line := range []string{
		"0x" + big + "x" + big, big + "x0x" + big, big + "x" + big + "x0",
	} {
		_, err := layouttest.Describe(line + " -t int8")
		var overflow *layout.OverflowError
		if !errors.As(err, &overflow) {
			t.Errorf("%s: %v, want an overflow", line, err)
		}
	}
	for _, line := range []string{"0x" + big, big + "x0", "0x0x" + big, "0x1x" + big} {
		if x := layouttest.Tensor(t, line+" -t int8"); x.Layout().Elements() != 0 || x.DirectMLBytes() != 0 {
			t.Errorf("%s: %d elements", line, x.Layout().Elements())
		}
	}
}

// TestOrigins checks how the origin of each stride is derived: from the sizes of the axes inside it.
func TestOrigins(t *testing.T) {
	tests := []struct{ line, want, reason string }{
		{"1x1x3x5 NHWC", "N: H3 W5 C1; C: innermost; H: W5 C1; W: C1",
			"each stride is the product of the sizes inside"},
		{"2x3x4", "0: 1x3 2x4; 1: 2x4; 2: innermost", "positions instead of letters"},
		{"2x3 --pitch H=5", "H: pitch; W: innermost", "--pitch gives the stride"},
		{"2x3x4 --pitch 1=8", "0: 1x3*8; 1: pitch; 2: innermost", "the axis outside counts pitches"},
		{"2x3 --pad W=2", "H: W3+2; W: innermost", "3 and 2 of padding"},
		{"2x3x4 --pad 2=1", "0: 1x3*5; 1: 2x4+1; 2: innermost", "rows of 5"},
		{"2x3x4 --align 1=8", "0: 1x3*8; 1: 2x4 up to 8; 2: innermost", "4 rounded up"},
		{"2x3x4 --align 1=2", "0: 1x3 2x4; 1: 2x4; 2: innermost", "an alignment that changes nothing is not shown"},
		{"2x3x4 --broadcast 1", "0: 2x4; 1: broadcast; 2: innermost", "a broadcast axis is not a factor"},
		{"2x3 --strides 3,1", "0: given; 1: given", "--strides"},
	}
	for _, tt := range tests {
		if got := account(layouttest.Tensor(t, tt.line)); got != tt.want {
			t.Errorf("%s: %q, want %q; %s", tt.line, got, tt.want, tt.reason)
		}
	}
}

// account writes the origins of the strides of a tensor whose axes have one digit.
func account(x layout.Tensor) string {
	l := x.Layout()
	var parts []string
	for i := range l.Rank() {
		parts = append(parts, l.AxisName(i)+": "+originText(l, x.Origin(i, 0)))
	}
	return strings.Join(parts, "; ")
}

func originText(l layout.Layout, o layout.Origin) string {
	switch o.Kind {
	case layout.Given:
		return "given"
	case layout.Innermost:
		return "innermost"
	case layout.Pitched:
		return "pitch"
	case layout.Repeated:
		return "broadcast"
	}
	var factors []string
	for _, f := range o.Inner {
		name := l.AxisName(f.Axis)
		if !l.Named() {
			name += "x"
		}
		factors = append(factors, fmt.Sprint(name, f.Extent))
	}
	text := strings.Join(factors, " ")
	if o.Times != 1 {
		text += fmt.Sprint("*", o.Times)
	}
	if o.Plus != 0 {
		text += fmt.Sprint("+", o.Plus)
	}
	if o.Kind == layout.Aligned {
		text += fmt.Sprint(" up to ", o.Align)
	}
	return text
}

func TestStridesOfEmptyNameAreNotTouched(t *testing.T) {
	x := layouttest.Tensor(t, "2x3")
	if x.Layout().Named() {
		t.Errorf("%v has names, though no flag asks for one", x.Layout())
	}
	strides, ok := x.Layout().Strides()
	if !ok || !slices.Equal(strides, []int64{3, 1}) {
		t.Errorf("strides %v, %v", strides, ok)
	}
	if _, ok := layouttest.Tensor(t, "2x17 NC16c").Layout().Strides(); ok {
		t.Error("a blocked axis has one stride")
	}
	if strides, ok := layouttest.Tensor(t, "[]").Layout().Strides(); !ok || len(strides) != 0 {
		t.Errorf("a scalar's strides are %v, %v", strides, ok)
	}
}

// TestStridesAreListedLikeSizes: a list of strides has the order in which the sizes are written,
// which the layout turns into the logical order of the axes.
func TestStridesAreListedLikeSizes(t *testing.T) {
	tests := []struct{ line, want, reason string }{
		{"2x4x5x3 --order NHWC --strides 60,15,3,1", "60,1,15,3", "written N,H,W,C, logical N,C,H,W"},
		{"W=3,H=2 --strides 1,3", "3,1", "W has stride 1, H stride 3"},
		{"3x5 HW --strides 8,1 --rank 4", "24,24,8,1", "H takes 3x8, N and C of size 1 lie beyond it"},
		{
			"3x5 HW --strides 24,24,8,1 --rank 4", "24,24,8,1",
			"the strides of the axes that --rank adds may be listed",
		},
		{"H=2,W=3 NCHW --strides 3,1 --rank 4", "6,6,3,1", "the missing labels have size 1"},
	}
	for _, tt := range tests {
		tensor, err := layouttest.Describe(tt.line)
		if err != nil {
			t.Errorf("%s: %v", tt.line, err)
			continue
		}
		if got, _ := tensor.Layout().Strides(); layouttest.Commas(got) != tt.want {
			t.Errorf("%s: %v, want %s: %s", tt.line, got, tt.want, tt.reason)
		}
	}
}

// TestStridesAgreeWithName checks that strides must agree with the order of the axes in the name.
func TestStridesAgreeWithName(t *testing.T) {
	tests := []struct {
		line, reason string
		agree        bool
	}{
		{line: "2x3 HW --strides 3,1", agree: true, reason: "its own strides"},
		{line: "2x3 HW --strides 8,1", agree: true, reason: "rows with a gap"},
		{line: "2x3 HW --strides 1,1", agree: true, reason: "elements that overlap are not in another order"},
		{line: "2x3 HW --strides 1,2", reason: "the strides of WH"},
		{line: "2x3 HW --strides 1,-2", reason: "a flip of them"},
		{line: "2x3 WH --strides 1,2", agree: true, reason: "its own strides"},
		{line: "2x3 HW --strides 0,1", agree: true, reason: "a broadcast axis has no place"},
		{line: "2x1 HW --strides 1,2", agree: true, reason: "nor has an axis of size 1"},
		{line: "0x3 HW --strides 1,2", agree: true, reason: "nor those of an empty tensor"},
		{line: "1x3x4x5 NCHW --strides 60,1,15,3", reason: "the strides of NHWC"},
		{line: "1x3x4x5 NHWC --strides 60,1,15,3", agree: true, reason: "its own"},
		{line: "1x3x4x5 NHWC --strides 60,20,5,1", reason: "the strides of NCHW"},
		{line: "1x3x4x5 channels_last --strides 60,20,5,1", reason: "the same layout as a word"},
		{line: "2x3 row-major --strides 1,2", reason: "of column-major"},
		{line: "2x3 column-major --strides 1,2", agree: true, reason: "its own"},
		{line: "H=2,W=3 HW --strides 1,2", reason: "labelled sizes"},
		{line: "H=2,W=3 --strides 1,2", agree: true, reason: "labels alone say no order"},
	}
	for _, tt := range tests {
		if _, err := layouttest.Describe(tt.line); (err == nil) != tt.agree {
			t.Errorf("%s: %v; agree: %t: %s", tt.line, err, tt.agree, tt.reason)
		}
	}
}

// TestDerivedStorageProperty draws flags. Each stride must agree with its origin and its flag, and must be at least the
// range of the axes inside it, unless it is a pitch.
func TestDerivedStorageProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.Int64Range(1, 6), 1, 5).Draw(t, "sizes")
		letters := "abcde"[:len(sizes)]
		name := ""
		for _, axis := range rapid.Permutation([]int{0, 1, 2, 3, 4}[:len(sizes)]).Draw(t, "order") {
			name += letters[axis : axis+1]
		}
		line, rules := fmt.Sprintf("[%s] %s", layouttest.Commas(sizes), name), map[byte]string{}
		for i := range letters {
			flag := rapid.SampledFrom([]string{"", "", "--pad", "--pitch", "--align", "--broadcast"}).Draw(t, "flag")
			rules[letters[i]] = flag
			switch flag {
			case "":
			case "--broadcast":
			default:
				line += fmt.Sprintf(" %s %c=%d", flag, letters[i], rapid.Int64Range(1, 30).Draw(t, "n"))
			}
		}
		line += broadcastFlag(rules)
		checkDerived(t, line, name, rules)
	})
}

func broadcastFlag(rules map[byte]string) string {
	list := ""
	for _, letter := range []byte("abcde") {
		if rules[letter] == "--broadcast" {
			list += "," + string(letter)
		}
	}
	if list == "" {
		return ""
	}
	return " --broadcast " + list[1:]
}

func checkDerived(t *rapid.T, line, name string, rules map[byte]string) {
	x, err := layouttest.Describe(line)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	l, taken, pitched := x.Layout(), int64(1), false
	for i := len(name) - 1; i >= 0; i-- {
		axis := int(name[i] - 'a')
		a, rule, origin := l.Axis(axis), rules[name[i]], x.Origin(axis, 0)
		stride, _ := a.Stride()
		if value, ok := originValue(origin); ok && value != stride {
			t.Fatalf("%s: the origin of %c, %+v, derives %d, and its stride is %d", line, name[i], origin, value,
				stride)
		}
		if rule == "--broadcast" {
			if stride != 0 {
				t.Fatalf("%s: %c is broadcast with the stride %d", line, name[i], stride)
			}
			continue
		}
		if rule != "--pitch" && stride < taken {
			t.Fatalf("%s: stride %d of %c, and the axes inside it take %d: %v", line, stride, name[i], taken, l)
		}
		pitched = pitched || rule == "--pitch"
		taken += (a.Size() - 1) * stride
	}
	f := analysis.Of(l)
	if !pitched && f.Overlapping != analysis.No {
		t.Fatalf("%s: overlaps: %v", line, l)
	}
	if x.Storage() < f.High+1 {
		t.Fatalf("%s: storage of %d, and an element at %d", line, x.Storage(), f.High)
	}
}

// originValue is the stride that an origin derives; ok is false when it derives none.
func originValue(o layout.Origin) (stride int64, ok bool) {
	if o.Kind == layout.Innermost {
		return 1, true
	}
	if o.Kind != layout.Product && o.Kind != layout.Aligned {
		return 0, false
	}
	stride = o.Times
	for _, f := range o.Inner {
		stride *= f.Extent
	}
	stride += o.Plus
	if o.Kind == layout.Aligned {
		stride = (stride + o.Align - 1) / o.Align * o.Align
	}
	return stride, true
}

// FuzzAxes parses the input as the value of each flag that takes an axis, and applies the accepted values.
func FuzzAxes(f *testing.F) {
	for _, seed := range []string{
		"H", "H,W", "0, 1", "h", "H=5", "1=256B", "C=0", "X=1", "9=1", "-1", "99999999999999999999=1", "=", "H=",
		"H=9223372036854775807", "H=9223372036854775807B", "", ",", "H,H", "\x00", "H\x00",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		defer layouttest.Limit(t, len(text))()
		sizes, err := shape.ParseShape("2x3x4x5")
		if err != nil {
			t.Fatal(err)
		}
		broadcast, err := shape.ParseAxes(text)
		if !rejected(t, text, err) {
			apply(t, text, shape.Spec{Shape: sizes, Broadcast: broadcast})
		}
		pad, err := shape.ParsePadding(text)
		if !rejected(t, text, err) {
			apply(t, text, shape.Spec{Shape: sizes, Pad: []shape.AxisNumber{pad}})
		}
		pitch, err := shape.ParsePitch(text)
		if !rejected(t, text, err) {
			apply(t, text, shape.Spec{Shape: sizes, Pitch: []shape.AxisNumber{pitch}})
		}
		align, err := shape.ParseAlignment(text)
		if !rejected(t, text, err) {
			apply(t, text, shape.Spec{Shape: sizes, Align: []shape.AxisNumber{align}})
		}
	})
}

func apply(t *testing.T, text string, s shape.Spec) {
	t.Helper()
	x, err := s.Tensor()
	var overflow *layout.OverflowError
	if errors.As(err, &overflow) || rejected(t, text, err) {
		return
	}
	f := analysis.Of(x.Layout())
	if f.Elements != 120 || f.Low != 0 || x.Storage() <= f.High || x.DirectMLBytes() < 4 {
		t.Fatalf("%q: %v: %+v, storage %d", text, x.Layout(), f, x.Storage())
	}
	if len(s.Broadcast) == 0 && len(s.Pitch) == 0 && f.Unique != analysis.Yes {
		t.Fatalf("%q: %v: %+v", text, x.Layout(), f)
	}
}

// BenchmarkParse reads a shape and a name and derives the tensor.
func BenchmarkParse(b *testing.B) {
	for _, line := range []string{
		"1x3x224x224 NHWC", "1x17x224x224 NCHW16c", "N=1,C=3,H=224,W=224 NHWC --align H=256B",
	} {
		b.Run(line, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := layouttest.Describe(line); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func ExampleSpec_Tensor() {
	sizes, err := shape.ParseShape("1x3x224x224")
	if err != nil {
		fmt.Println(err)
		return
	}
	name, err := shape.ParseName("nhwc")
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := shape.Spec{Shape: sizes, Name: &name}.Tensor()
	if err != nil {
		fmt.Println(err)
		return
	}
	strides, _ := t.Layout().Strides()
	fmt.Println(t.Name(), strides, t.DirectMLBytes(), "bytes")
	// Output: NHWC [150528 1 672 3] 602112 bytes
}

// Sizes that do not fit the name are a SyntaxError. Its hint suggests sizes that fit.
func ExampleSpec_Tensor_refused() {
	sizes, _ := shape.ParseShape("224x224")
	name, _ := shape.ParseName("NHWC")
	_, err := shape.Spec{Shape: sizes, Name: &name}.Tensor()
	e := err.(*layout.SyntaxError)
	fmt.Println(e.Msg)
	fmt.Println(e.Hint)
	// Output:
	// NHWC has 4 axes, but the shape has 2 sizes
	// for rank 2: HW, WH
}
