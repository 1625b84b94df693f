package shape_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/shape"
)

// TestParseName checks spellings, and the one spelling that String returns.
func TestParseName(t *testing.T) {
	tests := []struct{ text, want, reason string }{
		{"NHWC", "NHWC", "letters"},
		{"nhwc", "NHWC", "in any case"},
		{"nHwC", "NHWC", "in any mixture"},
		{"W", "W", "one axis"},
		{"BSHD", "BSHD", "any letters"},
		{"abcd", "abcd", "oneDNN's tags stay lower case: their c is not a channel"},
		{"ACDB", "acdb", "in any case"},
		{"NCHW16c", "NCHW16c", "TVM's spelling"},
		{"nChw16c", "NCHW16c", "oneDNN's spelling"},
		{"NCHW16C", "NCHW16c", "blocks are lower case"},
		{"nchw16c", "NCHW16c", "the case says nothing"},
		{"aBcd16b", "aBcd16b", "blocked axes of a tag are capitals"},
		{"abcd16b", "aBcd16b", "whatever case they were in"},
		{"OIhw4i16o4i", "OIHW4i16o4i", "several blocks, one axis twice"},
		{"BA16a16b4a", "BA16a16b4a", "both axes blocked"},
		{"OhwI32o", "OHWI32o", "oneDNN's capital I without a block"},
		{"NCHW016c", "NCHW16c", "zeros before a number"},
		{"NCHW1c", "NCHW1c", "blocks of 1"},
		{"abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxyz", "every letter once"},
		{"row-major", "row-major", "a word"},
		{"ntc", "ntc", "a tag of oneDNN that lists its sizes in another order than NTC"},
		{"ldOi32o", "ldOi32o", "with blocks, whose axes have capitals"},
		{"ldoi32o", "ldOi32o", "whatever case they were in"},
		{"tnc", "TNC", "a tag of oneDNN that lists its sizes as TNC does"},
		{"NTC", "NTC", "capitals"},
		{"nc1hwc0", "NC1HWC0", "a format whose blocks depend on the type"},
		{"kDLA_HWC4", "DLA_HWC4", "a format whose blocks depend on the type"},
		{"ROW_MAJOR", "row-major", "with another dash, in another case"},
		{"column-major", "column-major", "a word"},
		{"contiguous", "row-major", "PyTorch's word for it"},
		{"torch.contiguous_format", "row-major", "as PyTorch prints it"},
		{"channels_last", "NHWC", "PyTorch's word for it"},
		{"channels-last", "NHWC", "with another dash"},
		{"torch.channels_last_3d", "NDHWC", "as PyTorch prints it"},
	}
	for _, tt := range tests {
		name, err := shape.ParseName(tt.text)
		if err != nil || name.String() != tt.want {
			t.Errorf("%q: %v, %v; want %s; %s", tt.text, name, err, tt.want, tt.reason)
		}
	}
	if got := (shape.Name{}).String(); got != "row-major" {
		t.Errorf("the zero Name is %s", got)
	}
}

func TestBadNames(t *testing.T) {
	tests := []struct {
		text   string
		offset int
		says   string
		reason string
	}{
		{says: "NCHW", reason: "nothing: the hint shows a name"},
		{text: "NCHN", offset: 3, says: "letter N twice", reason: "a letter twice"},
		{text: "NcHC", offset: 3, says: "letter C twice", reason: "a letter twice in two cases"},
		{text: "NCHW16", offset: 6, says: "NCHW16c", reason: "the block does not say which axis"},
		{text: "HW16", offset: 4, says: "such as NCHW16c", reason: "no axis is meant for certain where there is no C"},
		{text: "NCHW16d", offset: 6, says: "D", reason: "the block of an axis that is not there"},
		{text: "flaot32", says: "did you mean float32", reason: "nearly an element type"},
		{text: "NV13", offset: 2, says: "did you mean NV12", reason: "nearly a format of images"},
		{text: "yuy3", offset: 2, says: "did you mean YUY2", reason: "nearly a format, with a letter twice"},
		{text: "P8", offset: 1, says: "such as NCHW", reason: "no format is as short"},
		{text: "f23", says: "did you mean f32", reason: "nearly an element type"},
		{text: "int8x4", says: "a vector of 4 int8", reason: "a vector of an element type"},
		{text: "NHWC61", offset: 6, says: "NHWC61c", reason: "a layout before all"},
		{text: "tf32", offset: 2, says: "not a layout name", reason: "letters of no kind of tensor"},
		{text: "fp6", offset: 2, says: "not a layout name", reason: "fp64 is another number"},
		{text: "i9", offset: 2, says: "such as NCHW16c", reason: "no type is near"},
		{text: "NCHW0c", offset: 4, says: "at least one", reason: "a block of nothing"},
		{text: "NCHW16cH", offset: 7, says: "number", reason: "an outer letter after a block"},
		{text: "NCHW16c4", offset: 8, says: "name the axis", reason: "a second block without an axis"},
		{text: "16c", says: "not a layout name", reason: "blocks alone"},
		{text: "NHWC ", offset: 4, says: "NHWC", reason: "a blank"},
		{text: "N-C", offset: 1, says: "not a layout name", reason: "dashes are for words"},
		{text: "channels_lst", offset: 4, says: "channels_last",
			reason: "a slip in a word: read as letters, N is there twice; the hint has the word"},
		{text: "rowmajor", offset: 6, says: "row-major", reason: "O twice, and near a word"},
		{text: "NCHW99999999999999999999c", offset: 4, says: "99999999999999999999",
			reason: "a block that does not fit"},
		{text: "NÇHW", offset: 1, says: "not a layout name", reason: "letters are those of ASCII"},
		{text: "NHVC", offset: 2, says: "did you mean NHWC?", reason: "an axis of nothing in place of W"},
		{text: "nhuc8c", offset: 2, says: "did you mean nhwc8c?", reason: "in small letters, with a block"},
		{text: "OJHW", offset: 1, says: "did you mean OIHW?", reason: "the letter after I"},
		{text: "BCHV", offset: 3, says: "did you mean BCHW?", reason: "by roles"},
		{text: "half", says: "-t half", reason: "an element type"},
		{text: "single", says: "-t single", reason: "an element type"},
		{text: "cdouble", says: "-t cdouble", reason: "an element type"},
		{text: "Long", says: "-t Long", reason: "an element type in other case"},
		{text: "INT", says: "element type", reason: "an element type of three letters"},
		{text: "char", says: "-t int8", reason: "an element type of C, signed or not"},
		{text: "float32", says: "-t float32", reason: "an element type with digits, which are no block"},
		{text: "torch.float16", says: "-t torch.float16", reason: "an element type of a library"},
		{text: "cpu", says: "device", reason: "a device"},
		{text: "CUDA", says: "device", reason: "a device"},
		{text: "N\x00", offset: 1, says: "not a layout name", reason: "a zero byte"},
		{text: "NCHW16\xb5", offset: 6, reason: "half a character"},
		{text: "NC" + strings.Repeat("1c", 500), offset: 386, says: "192",
			reason: "more digits than a layout may have: 256, of which 64 are the axes'"},
	}
	for _, tt := range tests {
		_, err := shape.ParseName(tt.text)
		if err == nil {
			t.Errorf("%.40q is accepted; %s", tt.text, tt.reason)
			continue
		}
		e := layouttest.SyntaxError(t, tt.text, err)
		if e.Input != tt.text || e.Offset != tt.offset || !strings.Contains(e.Msg+"; "+e.Hint, tt.says) {
			t.Errorf("%.40q: %q, %q at %d; want %q at %d; %s", tt.text, e.Msg, e.Hint, e.Offset, tt.says, tt.offset,
				tt.reason)
		}
	}
}

// TestOrderOfSizes gives the sizes 2, 3, 4 ... without labels, and looks at which axis each of them is of.
func TestOrderOfSizes(t *testing.T) {
	tests := []struct{ name, order, want, reason string }{
		{name: "NHWC", want: "N=2 C=3 H=4 W=5", reason: "as DirectML and PyTorch"},
		{name: "CHWN", want: "N=2 C=3 H=4 W=5", reason: "whatever the order in memory"},
		{name: "NDHWC", want: "N=2 C=3 D=4 H=5 W=6", reason: "volumes"},
		{name: "WHD", want: "D=2 H=3 W=4", reason: "DHW"},
		{name: "WH", want: "H=2 W=3", reason: "HW"},
		{name: "HWIO", want: "O=2 I=3 H=4 W=5", reason: "weights: OIHW"},
		{name: "HWIGO", want: "G=2 O=3 I=4 H=5 W=6", reason: "grouped weights: GOIHW"},
		{name: "CNHW", want: "N=2 C=3 H=4 W=5", reason: "images"},
		{name: "BHWC", want: "B=2 C=3 H=4 W=5", reason: "with B for the batch: TensorFlow Lite for GPUs"},
		{name: "bdhwc", want: "B=2 C=3 D=4 H=5 W=6", reason: "in any case"},
		{name: "BWH", want: "B=2 H=3 W=4", reason: "without channels"},
		{name: "NBHW", want: "N=2 B=3 H=4 W=5", reason: "N and B are one axis of images: as written"},
		{name: "BNHW", want: "B=2 N=3 H=4 W=5", reason: "as written in this name"},
		{name: "NLC", want: "N=2 C=3 L=4", reason: "sequences: NWC with L for the length, as PyTorch's Conv1d has it"},
		{name: "BLC", want: "B=2 C=3 L=4", reason: "with B for the batch"},
		{name: "NLWC", want: "N=2 L=3 W=4 C=5", reason: "L and W are one axis of sequences: as written"},
		{name: "IWO", want: "O=2 I=3 W=4", reason: "weights of sequences"},
		{name: "DHWIO", want: "O=2 I=3 D=4 H=5 W=6", reason: "weights of volumes"},
		{name: "WHG", want: "W=2 H=3 G=4", reason: "neither O nor I: no weights"},
		{name: "KRSC", want: "K=2 C=3 R=4 S=5", reason: "cuDNN's filters: OHWI"},
		{name: "RSCK", want: "K=2 C=3 R=4 S=5", reason: "HWIO"},
		{name: "KCRS", want: "K=2 C=3 R=4 S=5", reason: "OIHW"},
		{name: "KTRSC", want: "K=2 C=3 T=4 R=5 S=6", reason: "filters of volumes"},
		{name: "KYXC", want: "K=2 C=3 Y=4 X=5", reason: "MIOpen's filters: OHWI"},
		{name: "KZYXC", want: "K=2 C=3 Z=4 Y=5 X=6", reason: "of volumes"},
		{name: "KXC", want: "K=2 X=3 C=4", reason: "no Y: as written"},
		{name: "RC", want: "R=2 C=3", reason: "no S: not a filter"},
		{name: "xb", want: "B=2 X=3", reason: "OpenVINO's, without features"},
		{name: "SC", want: "S=2 C=3", reason: "no R: not a filter"},
		{name: "KTC", want: "K=2 T=3 C=4", reason: "T is depth beside R and S alone"},
		{name: "byxf", want: "B=2 F=3 Y=4 X=5", reason: "OpenVINO's NHWC"},
		{name: "fyxb", want: "B=2 F=3 Y=4 X=5", reason: "OpenVINO's CHWN"},
		{name: "bzyxf", want: "B=2 F=3 Z=4 Y=5 X=6", reason: "OpenVINO's NDHWC"},
		{name: "iyxo", want: "O=2 I=3 Y=4 X=5", reason: "OpenVINO's IHWO"},
		{name: "yxiog", want: "G=2 O=3 I=4 Y=5 X=6", reason: "OpenVINO's grouped weights"},
		{name: "XYZ", want: "X=2 Y=3 Z=4", reason: "neither images nor weights: as written"},
		{name: "NTHWC", want: "N=2 C=3 T=4 H=5 W=6", reason: "video: the channels-last twin of NCTHW"},
		{name: "BTHWC", want: "B=2 C=3 T=4 H=5 W=6", reason: "with B for the batch"},
		{name: "NCTHW", want: "N=2 C=3 T=4 H=5 W=6", reason: "PyTorch's Conv3d"},
		{name: "NTCHW", want: "N=2 T=3 C=4 H=5 W=6", reason: "batches of frames: as written"},
		{name: "BTCHW", want: "B=2 T=3 C=4 H=5 W=6", reason: "with B for the batch"},
		{name: "TNCHW", want: "T=2 N=3 C=4 H=5 W=6", reason: "time first: as written"},
		{name: "TCHW", want: "T=2 C=3 H=4 W=5", reason: "frames: as written"},
		{name: "THWC", want: "T=2 H=3 W=4 C=5", reason: "frames as files have them: as written"},
		{name: "NTC", want: "N=2 T=3 C=4", reason: "in capitals as written: Keras and MXNet"},
		{name: "NCT", want: "N=2 C=3 T=4", reason: "as written"},
		{name: "TNC", want: "T=2 N=3 C=4", reason: "as written"},
		{name: "TN", want: "T=2 N=3", reason: "as written"},
		{name: "NT", want: "N=2 T=3", reason: "in capitals as written"},
		{name: "TC", want: "T=2 C=3", reason: "as written"},
		{name: "ntc", want: "t=2 n=3 c=4", reason: "oneDNN's tag in small letters: its sizes are t, n, c"},
		{name: "tnc", want: "T=2 N=3 C=4", reason: "oneDNN's tag: as written anyway"},
		{name: "nt", want: "t=2 n=3", reason: "oneDNN's tag"},
		{name: "nTc", want: "N=2 T=3 C=4", reason: "no tag has a capital that is not of a block"},
		{name: "nct", want: "N=2 C=3 T=4", reason: "not a tag of oneDNN"},
		{name: "ldoi", want: "l=2 d=3 i=4 o=5", reason: "oneDNN's recurrent weights: l, d, i, g, o"},
		{name: "ldgoi", want: "l=2 d=3 i=4 g=5 o=6", reason: "with gates"},
		{name: "ldOi32o", want: "l=2 d=3 i=4 o=5", reason: "in blocks"},
		{name: "ldgIO32i2o", want: "l=2 d=3 i=4 g=5 o=6", reason: "in nested blocks"},
		{name: "LDOI", want: "L=2 D=3 O=4 I=5", reason: "in capitals as written"},
		{name: "ldgo", want: "L=2 D=3 G=4 O=5", reason: "a tag whose sizes are as written"},
		{name: "BHD", want: "B=2 H=3 D=4", reason: "attention: no D of a volume without W"},
		{name: "BHSD", want: "B=2 H=3 S=4 D=5", reason: "attention"},
		{name: "SBH", want: "S=2 B=3 H=4", reason: "attention, sequence first"},
		{name: "WD", want: "W=2 D=3", reason: "no D of a volume without H"},
		{name: "MK", want: "M=2 K=3", reason: "matrices"},
		{name: "KN", want: "K=2 N=3", reason: "matrices"},
		{name: "NK", want: "N=2 K=3", reason: "matrices"},
		{name: "BMK", want: "B=2 M=3 K=4", reason: "batches of matrices"},
		{name: "kHWC8", want: "N=2 C=3 H=4 W=5", reason: "TensorRT's, with the axis that it leaves out"},
		{name: "kHWC16", want: "T=2 N=3 C=4 H=5 W=6", reason: "with two axes that it leaves out"},
		{name: "dcba", want: "a=2 b=3 c=4 d=5", reason: "the first letters of the alphabet: alphabetical"},
		{name: "ba", want: "a=2 b=3", reason: "the first two"},
		{name: "DCBA", want: "a=2 b=3 c=4 d=5", reason: "in any case, though C and D are canonical too"},
		{name: "BSHD", want: "B=2 S=3 H=4 D=5", reason: "any other set: as written"},
		{name: "DHSB", want: "D=2 H=3 S=4 B=5", reason: "as written in this name"},
		{name: "acd", want: "A=2 C=3 D=4",
			reason: "b is missing: not the first of the alphabet"},
		{name: "LDNC", want: "L=2 D=3 N=4 C=5", reason: "oneDNN's states of a recurrent network"},
		{name: "NCHW16c", want: "N=2 C=3 H=4 W=5", reason: "blocks do not matter"},
		{name: "channels_last", want: "N=2 C=3 H=4 W=5", reason: "NHWC"},
		{name: "channels_last_3d", want: "N=2 C=3 D=4 H=5 W=6", reason: "NDHWC"},
		{name: "NCHW", order: "NHWC", want: "N=2 C=5 H=3 W=4", reason: "--order: the sizes are N,H,W,C"},
		{name: "NHWC", order: "HWCN", want: "N=5 C=4 H=2 W=3", reason: "--order: the sizes are H,W,C,N"},
		{name: "bacd", order: "dcba", want: "a=5 b=4 c=3 d=2", reason: "--order of a tag"},
		{order: "NHWC", want: "N=2 C=5 H=3 W=4", reason: "--order alone: TensorFlow's shape"},
		{order: "DHSB", want: "D=2 H=3 S=4 B=5", reason: "--order alone, any letters"},
	}
	for _, tt := range tests {
		rank := strings.Count(tt.want, "=")
		line := layouttest.Commas([]int64{2, 3, 4, 5, 6}[:rank]) + " " + tt.name
		if tt.order != "" {
			line += " --order " + tt.order
		}
		if got := namedSizes(layouttest.Tensor(t, line).Layout()); got != tt.want {
			t.Errorf("%s: %s, want %s; %s", line, got, tt.want, tt.reason)
		}
	}
}

func namedSizes(l layout.Layout) string {
	var parts []string
	for i := range l.Rank() {
		parts = append(parts, fmt.Sprintf("%s=%d", l.AxisName(i), l.Axis(i).Size()))
	}
	return strings.Join(parts, " ")
}

// TestReading checks the description of a name. oneDNN's nested blocks have the outermost first.
func TestReading(t *testing.T) {
	tests := []struct{ name, memory, sizes, shape string }{
		{"NHWC", "N, H, W, C from the outermost to the innermost", "N, C, H, W", "2x3x4x5"},
		{"W", "W from the outermost to the innermost", "W", "2"},
		{
			"OIhw4i16o4i", "O, I, H, W from the outermost to the innermost; then blocks of 4 I, of 16 O, of 4 I",
			"O, I, H, W", "2x3x4x5",
		},
		{"row-major", "", "", "2x3x4"},
	}
	for _, tt := range tests {
		name, err := shape.ParseName(tt.name)
		if err != nil {
			t.Fatal(err)
		}
		if memory, sizes, dims := name.Reading(); memory != tt.memory || sizes != tt.sizes || dims != tt.shape {
			t.Errorf("%s: %q, %q, %q, want %q, %q, %q", tt.name, memory, sizes, dims, tt.memory, tt.sizes, tt.shape)
		}
	}
}

// TestLayoutNamesAreNames checks that the parser accepts every name that completion offers, and that each has a
// description.
func TestLayoutNamesAreNames(t *testing.T) {
	var seen []string
	for name, about := range shape.LayoutNames {
		if _, err := shape.ParseName(name); err != nil || about == "" || slices.Contains(seen, name) {
			t.Errorf("%s: %v, about %q, twice %v", name, err, about, slices.Contains(seen, name))
		}
		seen = append(seen, name)
	}
	for _, want := range []string{"NCHW", "NHWC", "channels_last", "row-major"} {
		if !slices.Contains(seen, want) {
			t.Errorf("%s is not offered", want)
		}
	}
	for range shape.LayoutNames {
		break // leaving early must not panic
	}
}

// TestNamesOfTensors has the names whose strides are those of a tensor, axes of size 1 aside.
func TestNamesOfTensors(t *testing.T) {
	tests := []struct{ line, want, reason string }{
		{"2x3x4x5 NHWC", "NHWC", "no size is 1: one name"},
		{"2x3x4x5 --strides 60,1,15,3", "NHWC", "found from the strides; DirectML's letters by rank"},
		{"2x3 --strides 1,2", "WH", "a matrix"},
		{"2x1x4x5 NHWC", "NHWC NCHW NHCW CNHW",
			"C may be anywhere; the given name comes first, then in the order of the axes"},
		{"2x3 --strides 4,1", "", "padded: no name gives these strides"},
		{"2x3 --strides -3,1", "", "flipped"},
		{"2x3 --strides 0,1", "", "broadcast"},
		{"0x3", "", "no elements: no name is better than another"},
		{"2x3 HW --storage-offset 5", "HW", "the base does not matter"},
		{"2x3x4x5x6x7", "abcdef", "beyond DirectML's names: the first of the alphabet"},
		{"batch=2,seq=3", "", "names of more than a letter"},
		{"[]", "", "a scalar has no axes"},
	}
	for _, tt := range tests {
		x := layouttest.Tensor(t, tt.line)
		got := shape.NamesOf(x)
		slices.Sort(got[min(1, len(got)):])
		want := strings.Fields(tt.want)
		slices.Sort(want[min(1, len(want)):])
		if !slices.Equal(got, want) {
			t.Errorf("%s: names %v, want %v; %s", tt.line, got, want, tt.reason)
		}
	}
	if got := len(shape.NamesOf(layouttest.Tensor(t, "1x16x1x1 NCHW16c"))); got != 24 {
		t.Errorf("1x16x1x1 NCHW16c has %d names, want 4! = 24: the block is all of C, and the other axes are 1", got)
	}
	if got := len(shape.Names(ones(t, 64))); got != 0 {
		t.Errorf("rank 64 has %d names", got)
	}
	if got := len(shape.Names(ones(t, 20))); got != shape.MaxNames {
		t.Errorf("rank 20 of ones has %d names listed: all 20! agree", got)
	}
}

// ones is a layout of the rank whose sizes are all 1.
func ones(t *testing.T, rank int) layout.Layout {
	l, err := layout.Strided(0, slices.Repeat([]int64{1}, rank), make([]int64, rank))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestTensorKeepsItsName(t *testing.T) {
	tests := []struct{ line, want, reason string }{
		{"2x3x4x5 nhwc", "NHWC", "the name that was given, in one spelling"},
		{"2x3x4x5 nChw16c", "NCHW16c", "with blocks"},
		{"1x32x2x2 NC1HWC0", "NCHW16c", "with the blocks that depend on the type"},
		{"2x3", "row-major", "none given"},
		{"H=2,W=3", "HW", "the letters of the labels, row-major"},
		{"2x3 column-major", "column-major", "unnamed axes"},
		{"H=2,W=3 column-major", "WH", "named axes: the letters say more"},
		{"2x3x4x5 --order NHWC", "NHWC", "row-major over the shape as written"},
		{"2x3x4x5 NHWC --strides 99,1,24,4", "", "the strides are not NHWC's"},
		{"2x3x4x5 NHWC --strides 60,1,15,3", "NHWC", "the strides are NHWC's"},
	}
	for _, tt := range tests {
		if got := layouttest.Tensor(t, tt.line).Name(); got != tt.want {
			t.Errorf("%s: named %q, want %q; %s", tt.line, got, tt.want, tt.reason)
		}
	}
}

// TestTags has the names of tags, whose axes are those of layout names where the order of the sizes is the same.
func TestTags(t *testing.T) {
	for tag, want := range map[string]string{
		"nhwc": "NHWC", "acdb": "acdb", "tnc": "TNC", "ntc": "ntc", "NTC": "ntc", "tn": "TN", "nt": "nt", "x": "a",
		"ldgoi": "abdec", "ldOi32o": "abDc32d", "NCHW1n16c": "NCHW16c",
	} {
		if name, err := shape.ParseTag(tag); err != nil || name.String() != want {
			t.Errorf("%s: %v, %v; want %s", tag, name, err, want)
		}
	}
}

// TestLetters has names that are only letters of axes, and others.
func TestLetters(t *testing.T) {
	tests := []struct {
		name, letters string
		ok            bool
		reason        string
	}{
		{name: "NHWC", letters: "NHWC", ok: true, reason: "letters"},
		{name: "nhwc", letters: "NHWC", ok: true, reason: "in any case"},
		{name: "W", letters: "W", ok: true, reason: "one letter"},
		{name: "acdb", letters: "acdb", ok: true, reason: "oneDNN's"},
		{name: "row-major", reason: "a word"},
		{name: "column-major", reason: "a word"},
		{name: "contiguous", reason: "a word"},
		{name: "channels_last", reason: "a word for letters that depend on the rank"},
		{name: "NCHW16c", reason: "blocks"},
		{name: "aBcd8b", reason: "blocks"},
		{name: "NC/32HW32", reason: "blocks of TensorRT"},
	}
	for _, tt := range tests {
		n, err := shape.ParseName(tt.name)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if letters, ok := n.Letters(); ok != tt.ok || ok && letters != tt.letters {
			t.Errorf("%s has letters %q, %v; want %q, %v: %s", tt.name, letters, ok, tt.letters, tt.ok, tt.reason)
		}
	}
}

// TestAliases has the formulas of TensorRT's header, cuDNN's and MindSpore's documentation and
// oneDNN's alias table, worked out for one index each.
func TestAliases(t *testing.T) {
	tests := []struct {
		shape, name, index string
		offset, storage    int64
		reason             string
	}{
		{shape: "1x3x2x2", name: "kCHW4", index: "0,2,1,1", offset: 14, storage: 16, reason: "[1][1][2][2][4]"},
		{shape: "2x5x33x2x2", name: "kCHW16", index: "1,4,32,1,1", offset: 1904, storage: 1920,
			reason: "[2][5][3][2][2][16]: all axes outside stay there"},
		{shape: "1x8x3x3", name: "NCHW_VECT_C", index: "0,6,2,1", offset: 66, storage: 72,
			reason: "cuDNN, INT8x4: [1][2][3][3][4]"},
		{shape: "2x8x3x3", name: "NCHW_VECT_C", index: "1,6,2,1", offset: 138, storage: 144,
			reason: "TensorFlow: shape [2,2,3,3,4]"},
		{shape: "1x3x2x8", name: "NHWC_VECT_W", index: "0,2,1,6", offset: 46, storage: 48,
			reason: "TensorFlow: shape [1,2,2,3,4]"},
		{shape: "1x12x2x2", name: "NCHW8c", index: "0,9,1,0", offset: 49, storage: 64,
			reason: "ONNX Runtime's NCHWc with blocks of 8"},
		{shape: "16x8x3x3", name: "OIHW8i8o", index: "9,5,1,2", offset: 937, storage: 1152,
			reason: "ONNX Runtime's OIHWBiBo with blocks of 8"},
		{shape: "1x32x7x7", name: "NCHW16c", index: "0,18,6,6", offset: 1554, storage: 1568,
			reason: "TVM: (1,2,7,7,16)"},
		{shape: "1x3x2x2", name: "NCHW4c", index: "0,2,1,1", offset: 14, storage: 16, reason: "TVM: (1,1,2,2,4)"},
		{shape: "32x32x1x1", name: "OIHW16i16o", index: "17,5,0,0", offset: 593, storage: 1024,
			reason: "TVM: (2,2,1,1,16,16)"},
		{shape: "1x32x8x4", name: "NHWC8h2w32c2w", index: "0,7,5,3", offset: 719, storage: 1024,
			reason: "TVM for Hexagon, nhwc-8h2w32c2w: (1,1,1,1,8,2,32,2)"},
		{shape: "1x64x16x8", name: "NHWC8h2w32c2w", index: "0,33,9,6", offset: 7362, storage: 8192,
			reason: "TVM for Hexagon, nhwc-8h2w32c2w: (1,2,2,2,8,2,32,2)"},
		{shape: "1x3x2x2", name: "chw2", index: "0,2,1,1", offset: 14, storage: 16, reason: "[1][2][2][2][2]"},
		{shape: "3x2x2", name: "CHW4", index: "2,1,1", offset: 14, storage: 16, reason: "without a batch"},
		{shape: "2x3x4x5", name: "kHWC8", index: "1,2,3,4", offset: 314, storage: 320,
			reason: "[2][4][5][8]: C is rounded up"},
		{shape: "1x40x2x2", name: "chw32", index: "0,39,1,1", offset: 231, storage: 256, reason: "[1][2][2][2][32]"},
		{shape: "1x32x2x3", name: "b_fs_yx_fsv16", index: "0,17,1,2", offset: 177, storage: 192,
			reason: "OpenVINO: [1][2][2][3][16], 96 + 3 x 16 + 2 x 16 + 1"},
		{shape: "32x32x2x1", name: "bs_fs_yx_bsv16_fsv16", index: "17,18,1,0", offset: 1810, storage: 2048,
			reason: "[2][2][2][1][16][16]: 1024 + 512 + 256 + 16 + 2"},
		{shape: "32x16x1x2", name: "os_is_yx_isv16_osv16", index: "17,3,0,1", offset: 817, storage: 1024,
			reason: "[2][1][1][2][16][16], o innermost: 512 + 256 + 48 + 1"},
		{shape: "16x3x1x2", name: "os_iyx_osv16", index: "5,2,0,1", offset: 85, storage: 96,
			reason: "[1][3][1][2][16]: 64 + 16 + 5"},
		{shape: "2x32x1x2", name: "fs_b_yx_fsv32", index: "1,7,0,1", offset: 103, storage: 128,
			reason: "[1][2][1][2][32]: 64 + 32 + 7"},
		{shape: "1x40x2x2x2", name: "cdhw32", index: "0,33,1,0,1", offset: 417, storage: 512,
			reason: "[1][2][2][2][2][32]"},
		{shape: "1x3x2x2x2", name: "dhwc8", index: "0,2,1,0,1", offset: 42, storage: 64, reason: "[1][2][2][2][8]"},
		{shape: "1x3x4x5", name: "kHWC", index: "0,2,3,4", offset: 59, storage: 60, reason: "[1][4][5][3], not padded"},
		{shape: "2x3x4", name: "kLINEAR", index: "1,2,3", offset: 23, storage: 24, reason: "row-major of any rank"},
		{shape: "1x64x2x2", name: "NC/32HW32", index: "0,33,1,0", offset: 193, storage: 256,
			reason: "[1][2][2][2][32]"},
		{shape: "2x4x2x2", name: "NC/4HW4", index: "1,3,0,1", offset: 23, storage: 32, reason: "[2][1][2][2][4]"},
		{shape: "1x3x2x2", name: "NC/1HW1", index: "0,2,1,1", offset: 11, storage: 12, reason: "blocks of 1: NCHW"},
		{shape: "1x16x1x1", name: "NC/16HW16", index: "0,5,0,0", offset: 5, storage: 16, reason: "one block: NHWC"},
		{shape: "1x5x2x3", name: "nc4hw4", index: "0,4,1,2", offset: 44, storage: 48, reason: "[1][2][2][3][4]"},
		{shape: "1x17x2x2", name: "NC1HWC0", index: "0,16,1,1", offset: 112, storage: 128,
			reason: "C0 = 16: [1][2][2][2][16]"},
		{shape: "1x5x2x3", name: "NC1HWC0_C04", index: "0,4,1,2", offset: 44, storage: 48, reason: "C0 = 4, as NC4HW4"},
		{shape: "2x32x32x1x1", name: "gIOhw2i8o16i2o", index: "1,0,0,0,0", offset: 1024, storage: 2048,
			reason: "oneDNN defines it with the order g,O,I: strides 1024,512,512,512,512"},
	}
	for _, tt := range tests {
		tensor, err := layouttest.Describe(tt.shape + " " + tt.name)
		if err != nil {
			t.Errorf("%s %s: %v", tt.shape, tt.name, err)
			continue
		}
		list, err := shape.ParseIndex(tt.index)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := tensor.Layout().Offset(list.Values()); got != tt.offset || err != nil ||
			tensor.Storage() != tt.storage {
			t.Errorf("%s %s: %s at %d of %d (%v), want %d of %d: %s", tt.shape, tt.name, tt.index, got,
				tensor.Storage(), err, tt.offset, tt.storage, tt.reason)
		}
	}
}

func TestAliasErrors(t *testing.T) {
	for _, text := range []string{"NC4HW8", "NC/32HW", "NC/HW4", "NC4HW4x", "chw3", "kNCHW4", "NC/4"} {
		_, err := shape.ParseName(text)
		var syntax *layout.SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset > len(text) || syntax.Hint == "" {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestNC1HWC0 has the size of a block by the type: 32 channels in int8 and uint8, 16
// otherwise, as the description of formats in Ascend's CANN has it.
func TestNC1HWC0(t *testing.T) {
	tests := []struct {
		shape, name, dtype, index string
		offset, storage           int64
	}{
		{shape: "1x64x4x4", name: "NC1HWC0", dtype: "int8", index: "0,17,0,0", offset: 17, storage: 1024},
		{shape: "1x64x4x4", name: "NC1HWC0", dtype: "uint8", index: "0,33,1,2", offset: 512 + 6*32 + 1, storage: 1024},
		{shape: "1x64x4x4", name: "NC1HWC0", dtype: "float16", index: "0,17,0,0", offset: 257, storage: 1024},
		{shape: "1x17x2x2", name: "nc1hwc0", dtype: "float32", index: "0,16,1,1", offset: 112, storage: 128},
		{shape: "1x17x2x2", name: "NC1HWC0", dtype: "bool", index: "0,16,1,1", offset: 112, storage: 128},
		{shape: "1x17x2x2", name: "NC1HWC0_C04", dtype: "int8", index: "0,16,1,1", offset: 76, storage: 80},
		{shape: "1x33x2x2x2", name: "NDC1HWC0", dtype: "int8", index: "0,32,1,1,1", offset: 480, storage: 512},
	}
	for _, tt := range tests {
		tensor := layouttest.Tensor(t, tt.shape+" "+tt.name+" -t "+tt.dtype)
		list, err := shape.ParseIndex(tt.index)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := tensor.Layout().Offset(list.Values()); got != tt.offset || err != nil ||
			tensor.Storage() != tt.storage {
			t.Errorf("%s %s %s: %s at %d of %d (%v), want %d of %d", tt.shape, tt.name, tt.dtype, tt.index, got,
				tensor.Storage(), err, tt.offset, tt.storage)
		}
	}
	for _, line := range []string{"1x16x1x1 NC1HWC0 --strides 16,1,1,1", "1x3x3x32 dla_linear --strides 1,1,1,1"} {
		if _, err := layouttest.Describe(line); err == nil || !strings.Contains(err.Error(), "contradict") {
			t.Errorf("%s: %v; the blocks contradict the strides", line, err)
		}
	}
	for _, text := range []string{"NZ", "nz", "FRACTAL_NZ", "FRACTAL_Z", "fractal_z_3d"} {
		_, err := shape.ParseName(text)
		if e := layouttest.SyntaxError(t, text, err); !strings.Contains(e.Msg, text+" is a tiled format") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestDLA has the formulas of TensorRT's header for the formats whose padding depends on the
// size of an element.
func TestDLA(t *testing.T) {
	tests := []struct {
		shape, name, dtype, index string
		offset, storage           int64
		reason                    string
	}{
		{shape: "1x2x3x5", name: "kDLA_LINEAR", dtype: "f16", index: "0,1,2,4", offset: 164, storage: 192,
			reason: "[1][2][3][32]"},
		{shape: "1x3x2x5", name: "kDLA_HWC4", dtype: "s8", index: "0,2,1,4", offset: 82, storage: 128,
			reason: "[1][2][16][4]: three channels take four"},
		{shape: "1x1x2x5", name: "dla_hwc4", dtype: "s8", index: "0,0,1,4", offset: 68, storage: 128,
			reason: "[1][2][64][1]: one channel takes one"},
	}
	for _, tt := range tests {
		tensor, err := layouttest.Describe(tt.shape + " " + tt.name + " -t " + tt.dtype)
		if err != nil {
			t.Errorf("%s %s: %v", tt.shape, tt.name, err)
			continue
		}
		list, err := shape.ParseIndex(tt.index)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := tensor.Layout().Offset(list.Values()); got != tt.offset || err != nil ||
			tensor.Storage() != tt.storage {
			t.Errorf("%s %s: %s at %d of %d (%v), want %d of %d: %s", tt.shape, tt.name, tt.index, got,
				tensor.Storage(), err, tt.offset, tt.storage, tt.reason)
		}
	}
	for _, bad := range []struct{ shape, name, dtype, reason string }{
		{shape: "1x2x3x5", name: "dla_hwc4", dtype: "s8", reason: "two channels"},
		{shape: "1x3x3x5", name: "dla_linear", dtype: "unknown", reason: "no size"},
	} {
		if _, err := layouttest.Describe(bad.shape + " " + bad.name + " -t " + bad.dtype); err == nil {
			t.Errorf("%s %s -t %s is accepted: %s", bad.shape, bad.name, bad.dtype, bad.reason)
		}
	}
}

// TestOneDNNPutsElementsThere compares every offset, and the whole storage, with the results of oneDNN's own reorders.
func TestOneDNNPutsElementsThere(t *testing.T) {
	var vectors struct {
		Cases []struct {
			Tag     string
			Sizes   []int64
			Bytes   int64
			Offsets []int64
		}
	}
	data, err := os.ReadFile("testdata/onednn.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &vectors); err != nil || len(vectors.Cases) == 0 {
		t.Fatalf("%d cases, %v", len(vectors.Cases), err)
	}
	for _, c := range vectors.Cases {
		tensor := layouttest.Sized(t, c.Sizes, c.Tag)
		var got []int64
		for _, offset := range tensor.Layout().All() {
			got = append(got, offset)
		}
		if !slices.Equal(got, c.Offsets) {
			t.Errorf("%v %s: offsets %v, want %v", c.Sizes, c.Tag, got, c.Offsets)
		}
		if bytes := tensor.Bytes(tensor.Storage()); bytes != c.Bytes {
			t.Errorf("%v %s: %d bytes with whole blocks, want %d", c.Sizes, c.Tag, bytes, c.Bytes)
		}
	}
}

// TestChannelsLastAgreesWithPyTorch lays out fresh tensors, among them those without elements,
// whose zeros PyTorch multiplies into the strides.
func TestChannelsLastAgreesWithPyTorch(t *testing.T) {
	var vectors struct {
		Cases []struct{ Sizes, Strides []int64 }
	}
	data, err := os.ReadFile("testdata/channelslast.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &vectors); err != nil || len(vectors.Cases) == 0 {
		t.Fatalf("%d cases, %v", len(vectors.Cases), err)
	}
	for _, c := range vectors.Cases {
		text := map[int]string{4: "channels_last", 5: "channels_last_3d"}[len(c.Sizes)]
		tensor := layouttest.Sized(t, c.Sizes, text)
		if got, _ := tensor.Layout().Strides(); !slices.Equal(got, c.Strides) {
			t.Errorf("%v %s: strides %v, want %v", c.Sizes, text, got, c.Strides)
		}
		if !analysis.ChannelsLast(tensor.Layout()) {
			t.Errorf("%v %s is not judged channels_last", c.Sizes, text)
		}
	}
}

// FuzzName also lays out a tensor by the name.
func FuzzName(f *testing.F) {
	for name := range shape.LayoutNames {
		f.Add(name)
	}
	for _, seed := range []string{
		"", "nChw16c", "aBcd16b", "BA16a16b4a", "OhwI32o", "NCHN", "NCHW16", "NCHW0c", "16c",
		"NCHW9223372036854775807c", "A9999999999a9999999999a", "N\x00C", "Ñ", "torch.channels_last", "NCHW1c1c1c",
		"zyxwvutsrqponmlkjihgfedcba", "ntc", "NTC", "ldOi32o", "byxf", "KRSC", "NTHWC", "NC1HWC0", "FRACTAL_NZ",
		"TensorFormat::kCHW32", "fp16:chw32", "CUDNN_TENSOR_NHWC", "[N,H,W,C]", "Half(8,4:2,2,1)", "dnnl_acdb",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		defer layouttest.Limit(t, len(text))()
		_, wrong := shape.ParseLabels(text)
		rejected(t, text, wrong)
		name, err := shape.ParseName(text)
		if rejected(t, text, err) || strings.HasPrefix(text, "[") || strings.HasSuffix(text, ")") {
			return // of OpenVINO, which labels sizes, or TensorRT, which lists strides: they have no name of their own
		}
		again, err := shape.ParseName(name.String())
		if err != nil || again.String() != name.String() {
			t.Fatalf("%q is %s, which is %v, %v", text, name, again, err)
		}
		if a, b := layOut(t, text, name), layOut(t, name.String(), again); a != "" && b != "" && a != b {
			t.Fatalf("%q is %s, that is %s", text, a, b)
		}
	})
}

// layOut lays out axes of size 2 by a name. No name makes elements overlap. It returns the layout, empty if there is
// none.
func layOut(t *testing.T, text string, name shape.Name) string {
	rank := strings.IndexFunc(name.String(), func(r rune) bool { return '0' <= r && r <= '9' || r == '-' })
	if rank < 0 {
		rank = len(name.String())
	}
	sizes, err := shape.ParseShape("[" + layouttest.Commas(slices.Repeat([]int64{2}, rank)) + "]")
	if err != nil {
		t.Fatal(err)
	}
	x, err := shape.Spec{Shape: sizes, Name: &name}.Tensor()
	var overflow *layout.OverflowError
	if errors.As(err, &overflow) || err != nil && rejected(t, text, err) {
		return ""
	}
	f := analysis.Of(x.Layout())
	if f.Unique != analysis.Yes || f.Distinct != f.Elements || x.Storage() < f.Span {
		t.Fatalf("%q: %v: %+v, storage %d", text, x.Layout(), f, x.Storage())
	}
	if rank < 8 && f.Elements != int64(1)<<rank {
		t.Fatalf("%q: %d elements of rank %d", text, f.Elements, rank)
	}
	return x.Layout().String()
}

// TestTypesAreNoNames reads the spellings of all element types as names of layouts.
func TestTypesAreNoNames(t *testing.T) {
	for d := range layout.DTypes {
		for system := range layout.Others + 1 {
			for _, word := range strings.Fields(d.In(system) + " " + d.String()) {
				for _, word := range []string{word, strings.ToUpper(word), "torch." + word} {
					if n, err := shape.ParseName(word); err == nil {
						t.Errorf("%s is a type, and is read as %v", word, n)
					}
				}
			}
		}
	}
}
