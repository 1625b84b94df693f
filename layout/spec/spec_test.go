package spec_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/spec"
)

func TestMain(m *testing.M) { layouttest.Main(m) }

// TestDerivedStrides works out by hand what the flags do. Storage is what the tensor reserves.
func TestDerivedStrides(t *testing.T) {
	tests := []struct {
		line, want string
		storage    int64
		reason     string
	}{
		{"2x3x4 --pad 2=1", "2:15 3:5 4:1", 30, "rows of 4+1; planes of 3x5; 2 of them"},
		{"2x3x4 --pad 1=1", "2:13 3:4 4:1", 26, "planes of 3x4 + 1 = 13"},
		{"2x3x4 --pad 0=5", "2:12 3:4 4:1", 29, "24 elements and 5 behind them"},
		{"2x3x4 --pad 2=1 --pad 1=2", "2:17 3:5 4:1", 34, "rows of 5; planes of 3x5 + 2 = 17"},
		{"2x3x4 --pad 2=0", "2:12 3:4 4:1", 24, "no padding"},
		{"2x3x4 --pitch 1=8", "2:24 3:8 4:1", 44, "rows 8 apart, planes 3x8; the last row ends at 24+16+4"},
		{"2x3x4 --pitch 1=2", "2:8 3:2 4:1", 16, "rows overlap: a plane takes 2x2 + 4 = 8, which is more than 3x2"},
		{"2x3x4 --pitch 1=1", "2:6 3:1 4:1", 12, "a window: a plane takes 2 + 4 = 6"},
		{"2x3x4 --pitch 2=2", "2:24 3:8 4:2", 47, "every other element: rows of 4x2; the last element is at 24+... its slot: 1 + 3x2 + 2x8 + 24"},
		{"2x3x4 --align 1=8", "2:24 3:8 4:1", 44, "4 rounded up to 8"},
		{"2x3x4 --align 1=2", "2:12 3:4 4:1", 24, "4 is a multiple of 2 already"},
		{"2x3x4 --align 0=10", "2:20 3:4 4:1", 32, "12 rounded up to 20"},
		{"2x3x4 --align 1=6 --align 0=32", "2:32 3:6 4:1", 48, "rows of 6: planes of 18, rounded up to 32; 32 + 2x6 + 4"},
		{"2x3x4 --align 1=32B", "2:24 3:8 4:1", 44, "32 bytes are 8 floats"},
		{"2x3x4 --align 1=32B -t float16", "2:48 3:16 4:1", 84, "32 bytes are 16 halves: 48 + 2x16 + 4"},
		{"2x3x4 --align 1=2B", "2:12 3:4 4:1", 24, "every float is at a multiple of 2 bytes"},
		{"2x5 --align 0=1B -t uint4", "2:6 5:1", 11, "1 byte is 2 nibbles: 5 rounded up to 6"},
		{"2x5 --align 0=6B", "2:6 5:1", 11, "12 bytes, 3 floats, are the fewest that fill a multiple of 6 bytes"},
		{"2x3 --pad 1=1 --align 0=8", "2:8 3:1", 12, "rows of 3+1, rounded up to 8"},
		{"2x3 --pad 1=2 --pitch 0=4", "2:4 3:1", 9, "the pitch wins over what the padding asks for: 4 + 3 + 2"},
		{"2x3x4 --broadcast 0", "2:0 3:4 4:1", 12, "one plane"},
		{"2x3x4 --broadcast 1", "2:4 3:0 4:1", 8, "one row a plane"},
		{"2x3x4 --broadcast 0,1,2", "2:0 3:0 4:0", 1, "one element"},
		{"2x3x4 --broadcast 2,2", "2:3 3:1 4:0", 6, "twice the same axis says no more"},
		{"2x3x4 --broadcast 1 --pad 2=1", "2:5 3:0 4:1", 10, "a row of 5 a plane"},
		{"2x3x4 --storage-offset 7", "2:12 3:4 4:1", 31, "7 elements before the first"},
		{"2x3x4 --storage-offset 7 --pad 0=1", "2:12 3:4 4:1", 32, "and one behind the last"},
		{"2x3x4 column-major --pad 0=1", "2:1 3:3 4:9", 36, "columns of 2+1; 3x3; 4 of them"},
		{"2x3x4 column-major --pitch 1=5", "2:1 3:5 4:15", 57, "columns 5 apart, 3 of them 15; the last ends at 45+10+2"},
		{"2x3x4x5 NHWC --pad C=1", "N=2:80 C=3:1 H=4:20 W=5:4", 160, "pixels of 3+1; rows 5x4; images 4x20"},
		{"2x3x4x5 NHWC --pitch H=16", "N=2:64 C=3:1 H=4:16 W=5:3", 127, "rows of 15 at every 16; 64 + 48 + 15"},
		{"2x3x4x5 NHWC --align W=4", "N=2:80 C=3:1 H=4:20 W=5:4", 159, "pixels of 3 at every 4: 80 + 60 + 16 + 3"},
		{"2x17x1x1 NCHW16c --pad C=3", "N=2:35 C=17:(2:16 16:1) H=1:16 W=1:16", 70, "two blocks of 16 and 3 behind them"},
		{"2x17x1x2 NCHW16c --pitch C=40", "N=2:80 C=17:(2:40 16:1) H=1:32 W=2:16", 152, "the pitch is that of whole blocks: 80 + 40 + 32"},
		{"2x17x1x2 NCHW16c --broadcast C", "N=2:2 C=17:(2:0 16:0) H=1:2 W=2:1", 4, "no digit of C takes storage"},
		{"0x3 --pad 1=1", "0:4 3:1", 0, "nothing is stored, but the strides follow"},
		{"0x3 --storage-offset 7", "0:3 3:1", 7, "nothing is stored from 7 on"},
		{"2x3 --rank 4", "1:6 1:6 2:3 3:1", 6, "two axes before the others"},
		{"2x3 HW --rank 4", "N=1:6 C=1:6 H=2:3 W=3:1", 6, "DirectML's names for rank 4"},
		{"2x3 WH --rank 4", "N=1:6 C=1:6 H=2:1 W=3:2", 6, "WH stays innermost"},
		{"2x3 HW --rank 5", "N=1:6 C=1:6 D=1:6 H=2:3 W=3:1", 6, "DirectML's names for rank 5"},
		{"2x3x4 CHW --rank 4", "N=1:24 C=2:12 H=3:4 W=4:1", 24, "N before C, H, W"},
		{"2x3 NHWC --rank 4", "N=1:6 C=1:1 H=2:3 W=3:1", 6, "the name has the rank: the sizes are its last"},
		{"2x3 --rank 4 --pad W=2", "N=1:10 C=1:10 H=2:5 W=3:1", 10, "DirectML's names, as a flag names one"},
		{"2x3 --rank 2", "2:3 3:1", 6, "the rank it has"},
		{"2x3 --rank 3 --strides 1,2", "1:6 2:1 3:2", 6, "given strides: the new axis is beyond max(2x1, 3x2)"},
		{"2x3 --rank 3 --strides 9,3,1", "1:9 2:3 3:1", 6, "a stride for the new axis too"},
		{"2x3 --strides -3,1 --storage-offset 3", "2:-3 3:1", 6, "a flip: the first element is at 3"},
		{"2x3 --strides 0,0", "2:0 3:0", 1, "one element"},
		{"2x3 --strides 7,2", "2:7 3:2", 12, "7 + 4, and one"},
		{"2x3 --pad H=1", "H=2:3 W=3:1", 7, "rank 2: DirectML's HW, as a flag names an axis"},
		{"2x3x4x5 --broadcast c", "N=2:20 C=3:0 H=4:5 W=5:1", 40, "letters of flags in any case"},
		{"2x3x4x5 --broadcast 1", "2:20 3:0 4:5 5:1", 40, "a position asks for no names"},
		{"batch=2,seq=3 --pad seq=1", "batch=2:4 seq=3:1", 8, "labels are names"},
		{"W=3,H=2", "H=2:3 W=3:1", 6, "labels out of G O I T N C D H W are sorted, then row-major"},
		{"W=3,H=2 WH", "H=2:1 W=3:2", 6, "labelled sizes need no order"},
		{"h=2,w=3 HW", "H=2:3 W=3:1", 6, "labels in any case"},
		{"C=3,N=2,X=5", "C=3:10 N=2:5 X=5:1", 30, "X is not canonical: as written"},
		{"[]", "", 1, "a scalar is one element"},
		{"[] --storage-offset 4", "", 5, "at 4"},
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

// axes prints a layout as N=1:15 C=1:1 ..., without what Layout.String adds.
func axes(l layout.Layout) string {
	return strings.TrimPrefix(l.String()[:strings.LastIndex(l.String(), "]")], "[")
}

func TestContradictions(t *testing.T) {
	tests := []struct{ line, input, says, reason string }{
		{"2x3 --strides 3,1 --pad 1=1", "", "--strides", "every stride is given"},
		{"2x3 --strides 3,1 --pitch 0=4", "", "--strides", "every stride is given"},
		{"2x3 --strides 3,1 --align 0=4", "", "--strides", "every stride is given"},
		{"2x3 --strides 3,1 --broadcast 0", "", "--strides", "every stride is given"},
		{"2x3 --strides 3,1,1", "3,1,1", "3 strides for 2 sizes", "the wrong count"},
		{"2x3 --strides 3", "3", "1 stride for 2 sizes", "the wrong count"},
		{"1x3x2x2 NCHW16c --strides 1,1,1,1", "NCHW16c", "blocks", "strides have no blocks"},
		{"N=1,C=3 --order NC", "NC", "labelled", "labels say the order"},
		{"2x3 --order row-major", "row-major", "letter", "a word is no order"},
		{"2x3 --order HW2w", "HW2w", "letter", "blocks are no order"},
		{"2x3 --order NHW", "NHW", "3 letters", "the wrong count"},
		{"2x3 NHWC", "NHWC", "4 letters", "the wrong rank; the hint has names for rank 2"},
		{"2x3 NHWC", "NHWC", "HW", "the hint of the same"},
		{"2x3x4 channels_last", "channels_last", "", "rank 4 only"},
		{"2x3x4x5 channels_last_3d", "channels_last_3d", "", "rank 5 only"},
		{"2x3x4x5 NHWC --order NHWD", "", "D", "the order names an axis that the layout has not"},
		{"N=1,C=3,D=2 CHW", "N=1,C=3,D=2", "N", "labels that the name has not"},
		{"n=1,N=2 NC", "", "", "two sizes for N and none for C: n and N are one axis"},
		{"a=2,A=3", "", "", "one axis twice: a and A"},
		{"2x3 --pad 1=1 --pad 1=2", "1=2", "twice", "which of the two?"},
		{"2x3 HW --pad W=1 --pad 1=2", "1=2", "twice", "the same axis by letter and by position"},
		{"2x3 --pitch 0=4 --pitch 0=4", "0=4", "twice", "even if they agree"},
		{"2x3 --pitch 0=4 --align 0=4", "0=4", "--pitch", "a pitch is exact"},
		{"2x3 --broadcast 0 --pad 0=1", "0", "broadcast", "no storage, no padding"},
		{"2x3 --broadcast 0 --pitch 0=1", "0", "broadcast", "no storage, no pitch"},
		{"2x3 --broadcast 0 --align 0=1", "0", "broadcast", "no storage, no alignment"},
		{"2x3 --broadcast 0 --pad 0=9223372036854775807 --pitch 0=1", "0", "broadcast", "the same, though the two numbers add up to less than 0 in 64 bits"},
		{"2x3 --pad 2=1", "2=1", "the axes are", "no axis 2"},
		{"2x3 HW --pad C=1", "C=1", "the axes are H,W", "no axis C"},
		{"2x3 --pad C=1", "C=1", "the axes are H,W", "rank 2 is called HW"},
		{"2x3x4x5x6x7 --pad C=1", "C=1", "the axes are 0,1,2,3,4,5", "rank 6 has no names"},
		{"2x3 --broadcast 0,9", "0,9", "9", "no axis 9"},
		{"2x3 --broadcast 99999999999999999999", "99999999999999999999", "unknown", "a position beyond any number"},
		{"[] --pad 0=1", "0=1", "scalar", "a scalar has no axes"},
		{"2x3 --rank 1", "", "--rank", "ranks do not shrink"},
		{"2x3 --rank -1", "", "--rank", "nor below 0"},
		{"2x3 --rank 65", "", "64", "the limit names itself"},
		{"2x3 --storage-offset -1", "", "negative", "no offsets before the storage"},
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

// TestCaretsOfContradictions: where several things could be meant, the caret is at the one.
func TestCaretsOfContradictions(t *testing.T) {
	tests := []struct {
		line   string
		offset int
		reason string
	}{
		{"2x3 --broadcast 0,9", 2, "the second axis of the list"},
		{"2x3 --strides 3,1,1", 4, "the first stride that has no axis"},
		{"2x3 --strides 3", 1, "where a stride is missing"},
		{"N=1,C=3,D=2 NCH", 8, "the label that is no axis"},
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
		{parser(spec.ParseAxes), "H", -1, "a letter"},
		{parser(spec.ParseAxes), "H, W ,2", -1, "blanks do not matter"},
		{parser(spec.ParseAxes), "seq_len", -1, "a word"},
		{parser(spec.ParseAxes), "", 0, "nothing"},
		{parser(spec.ParseAxes), "H,", 2, "an axis is missing"},
		{parser(spec.ParseAxes), ",H", 0, "an axis is missing"},
		{parser(spec.ParseAxes), "H W", 2, "a comma is missing"},
		{parser(spec.ParseAxes), "H=1", 1, "no numbers here"},
		{parser(spec.ParseAxes), "-1", 0, "no negative positions"},
		{parser(spec.ParseAxes), "H\x00,W", 1, "a zero byte is not the end"},
		{parser(spec.ParsePadding), "H=5", -1, "an axis and a number"},
		{parser(spec.ParsePadding), "H=0", -1, "no padding is padding of 0"},
		{parser(spec.ParsePadding), "H", 1, "= is missing"},
		{parser(spec.ParsePadding), "=5", 0, "the axis is missing"},
		{parser(spec.ParsePadding), "H=", 2, "the number is missing"},
		{parser(spec.ParsePadding), "H=-1", 2, "padding is not negative"},
		{parser(spec.ParsePadding), "H=5B", 3, "padding is in elements"},
		{parser(spec.ParsePadding), "H=5,W=3", 3, "one flag, one axis"},
		{parser(spec.ParsePadding), "H=5\x00", 3, "a zero byte is not the end"},
		{parser(spec.ParsePadding), "H=9223372036854775808", 2, "2^63"},
		{parser(spec.ParsePitch), "H=1", -1, "every row at the next element: a window"},
		{parser(spec.ParsePitch), "H=0", 2, "that would be --broadcast"},
		{parser(spec.ParsePitch), "H=64B", 4, "a pitch is in elements"},
		{parser(spec.ParseAlignment), "H=64", -1, "elements"},
		{parser(spec.ParseAlignment), "H=256B", -1, "bytes"},
		{parser(spec.ParseAlignment), "H=256b", -1, "bytes in lower case"},
		{parser(spec.ParseAlignment), "H=0", 2, "no multiples of 0"},
		{parser(spec.ParseAlignment), "H=0B", 2, "nor of 0 bytes"},
		{parser(spec.ParseAlignment), "H=4KB", 3, "no other units"},
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

// TestSpecOverflows: what does not fit is named with its exact value.
func TestSpecOverflows(t *testing.T) {
	tests := []struct{ line, what, exact, reason string }{
		{"9223372036854775807x2", "", "18446744073709551614", "(2^63-1) x 2"},
		{"2x9223372036854775807", "", "18446744073709551614", "in the other order"},
		{"4294967296x4294967296", "", "18446744073709551616", "2^64, a product that wraps to 0"},
		{"2147483648x2147483648x2", "", "9223372036854775808", "2^63"},
		{"3037000500x3037000500", "", "9223372037000250000", "just above 2^63"},
		{"100x100x100x100x100x100x100x100x100x100 --strides 0,0,0,0,0,0,0,0,0,0", "the number of elements", "100000000000000000000", "storage for one, but 10^20 elements"},
		{"2 --strides 9223372036854775807 -t int8", "the span", "9223372036854775808", "the second element is at 2^63-1, so the span is 2^63"},
		{"2x2 --strides 9223372036854775807,1 -t int8", "the span", "9223372036854775809", "offset 2^63 and one more"},
		{"2x2 --strides -9223372036854775808,1", "the span", "9223372036854775810", "from -2^63 to 1"},
		{"1 --storage-offset 9223372036854775807", "the storage", "9223372036854775808", "one element behind 2^63-1"},
		{"1 --strides 1 --storage-offset 9223372036854775807 -t uint4", "", "9223372036854775808", "the same with strides, and in bytes that would fit"},
		{"4611686018427387904", "the number of bytes", "18446744073709551616", "2^62 floats"},
		{"1x3x2x2 NCHW4611686018427387904c", "", "9223372036854775808", "blocks of 2^62, two of them"},
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

// TestZeroSizesHideNoOverflow: the verdict is the same in every order, and a size of 0 does not
// make absurd sizes legal.
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
		if x := layouttest.Tensor(t, line+" -t int8"); x.Layout().Elements() != 0 || x.BufferBytes() != 0 {
			t.Errorf("%s: %d elements", line, x.Layout().Elements())
		}
	}
}

// TestOrigins: the account of each stride adds up to it. Every factor is a digit inside, and
// the products are those of the digits' extents.
func TestOrigins(t *testing.T) {
	tests := []struct{ line, want, reason string }{
		{"1x1x3x5 NHWC", "N: H3 W5 C1; C: innermost; H: W5 C1; W: C1", "cli.md's mock-up"},
		{"2x3x4", "0: 1x3 2x4; 1: 2x4; 2: innermost", "positions instead of letters"},
		{"2x3 --pitch H=5", "H: pitch; W: innermost", "--pitch is its own account"},
		{"2x3x4 --pitch 1=8", "0: 1x3*8; 1: pitch; 2: innermost", "what lies outside counts its strides"},
		{"2x3 --pad W=2", "H: W3+2; W: innermost", "3 and 2 of padding"},
		{"2x3x4 --pad 2=1", "0: 1x3*5; 1: 2x4+1; 2: innermost", "rows of 5"},
		{"2x3x4 --align 1=8", "0: 1x3*8; 1: 2x4 up to 8; 2: innermost", "4 rounded up"},
		{"2x3x4 --align 1=2", "0: 1x3 2x4; 1: 2x4; 2: innermost", "an alignment that changes nothing is not told"},
		{"2x3x4 --broadcast 1", "0: 2x4; 1: broadcast; 2: innermost", "a broadcast axis is no factor"},
		{"2x3 --strides 3,1", "0: given; 1: given", "--strides"},
	}
	for _, tt := range tests {
		if got := account(layouttest.Tensor(t, tt.line)); got != tt.want {
			t.Errorf("%s: %q, want %q; %s", tt.line, got, tt.want, tt.reason)
		}
	}
}

// account writes out how the strides of a tensor of plain axes come about.
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
		if got, _ := tensor.Layout().LinearStrides(); layouttest.Commas(got) != tt.want {
			t.Errorf("%s: %v, want %s: %s", tt.line, got, tt.want, tt.reason)
		}
	}
}

// TestDerivedStorageProperty: whatever the flags, each stride is as its account and its flag say,
// and no axis steps less than what those inside it take, unless a pitch says so.
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
			t.Fatalf("%s: the account of %c, %+v, adds up to %d, and its stride is %d", line, name[i], origin, value, stride)
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
	f := facts.Of(l)
	if !pitched && f.Overlapping != facts.No {
		t.Fatalf("%s: overlaps: %v", line, l)
	}
	if x.Storage() < f.High+1 {
		t.Fatalf("%s: storage of %d, and an element at %d", line, x.Storage(), f.High)
	}
}

// originValue is the stride that an account adds up to; ok is false when it says none.
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

// FuzzAxes reads flags and applies them.
func FuzzAxes(f *testing.F) {
	for _, seed := range []string{"H", "H,W", "0, 1", "h", "H=5", "1=256B", "C=0", "X=1", "9=1", "-1", "99999999999999999999=1", "=", "H=", "H=9223372036854775807", "H=9223372036854775807B", "", ",", "H,H", "\x00", "H\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		shape, err := spec.ParseShape("2x3x4x5")
		if err != nil {
			t.Fatal(err)
		}
		broadcast, err := spec.ParseAxes(text)
		if !rejected(t, text, err) {
			apply(t, text, spec.Spec{Shape: shape, Broadcast: broadcast})
		}
		pad, err := spec.ParsePadding(text)
		if !rejected(t, text, err) {
			apply(t, text, spec.Spec{Shape: shape, Pad: []spec.AxisNumber{pad}})
		}
		pitch, err := spec.ParsePitch(text)
		if !rejected(t, text, err) {
			apply(t, text, spec.Spec{Shape: shape, Pitch: []spec.AxisNumber{pitch}})
		}
		align, err := spec.ParseAlignment(text)
		if !rejected(t, text, err) {
			apply(t, text, spec.Spec{Shape: shape, Align: []spec.AxisNumber{align}})
		}
	})
}

func apply(t *testing.T, text string, s spec.Spec) {
	t.Helper()
	x, err := s.Tensor()
	var overflow *layout.OverflowError
	if errors.As(err, &overflow) || rejected(t, text, err) {
		return
	}
	f := facts.Of(x.Layout())
	if f.Elements != 120 || f.Low != 0 || x.Storage() <= f.High || x.BufferBytes() < 4 {
		t.Fatalf("%q: %v: %+v, storage %d", text, x.Layout(), f, x.Storage())
	}
	if len(s.Broadcast) == 0 && len(s.Pitch) == 0 && f.Unique != facts.Yes {
		t.Fatalf("%q: %v: %+v", text, x.Layout(), f)
	}
}

// BenchmarkParse reads a shape and a name and derives the tensor.
func BenchmarkParse(b *testing.B) {
	for _, line := range []string{"1x3x224x224 NHWC", "1x17x224x224 NCHW16c", "N=1,C=3,H=224,W=224 NHWC --align H=256B"} {
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
	shape, err := spec.ParseShape("1x3x224x224")
	if err != nil {
		fmt.Println(err)
		return
	}
	name, err := spec.ParseName("nhwc")
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := spec.Spec{Shape: shape, Name: &name}.Tensor()
	if err != nil {
		fmt.Println(err)
		return
	}
	strides, _ := t.Layout().Strides()
	fmt.Println(t.Name(), strides, t.BufferBytes(), "bytes")
	// Output: NHWC [150528 1 672 3] 602112 bytes
}

// Sizes that do not fit the name are a SyntaxError, which says what would.
func ExampleSpec_Tensor_refused() {
	shape, _ := spec.ParseShape("224x224")
	name, _ := spec.ParseName("NHWC")
	_, err := spec.Spec{Shape: shape, Name: &name}.Tensor()
	e := err.(*layout.SyntaxError)
	fmt.Println(e.Msg)
	fmt.Println(e.Hint)
	// Output:
	// NHWC has 4 letters, the shape 2 sizes
	// for rank 2: HW, WH
}
