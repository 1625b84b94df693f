package spec_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/spec"
)

// TestParseName checks spellings and the one spelling that String gives back. What a name means
// is in TestNotationVectors and TestBlockedNames.
func TestParseName(t *testing.T) {
	tests := []struct{ text, want, reason string }{
		{"NHWC", "NHWC", "letters"},
		{"nhwc", "NHWC", "in any case"},
		{"nHwC", "NHWC", "in any mixture"},
		{"W", "W", "one axis"},
		{"BSHD", "BSHD", "any letters"},
		{"abcd", "abcd", "oneDNN's tags stay lower case: their c is no channel"},
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
		{"ROW_MAJOR", "row-major", "with another dash, in another case"},
		{"column-major", "column-major", "a word"},
		{"contiguous", "row-major", "PyTorch's word for it"},
		{"torch.contiguous_format", "row-major", "as PyTorch prints it"},
		{"channels_last", "NHWC", "PyTorch's word for it"},
		{"channels-last", "NHWC", "with another dash"},
		{"torch.channels_last_3d", "NDHWC", "as PyTorch prints it"},
	}
	for _, tt := range tests {
		name, err := spec.ParseName(tt.text)
		if err != nil || name.String() != tt.want {
			t.Errorf("%q: %v, %v; want %s; %s", tt.text, name, err, tt.want, tt.reason)
		}
	}
	if got := (spec.Name{}).String(); got != "row-major" {
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
		{"", 0, "NCHW", "nothing: the hint shows a name"},
		{"NCHN", 3, "letter N twice", "a letter twice"},
		{"NcHC", 3, "letter C twice", "a letter twice in two cases"},
		{"NCHW16", 6, "NCHW16c", "the block does not say which axis"},
		{"HW16", 4, "HW16w", "the hint takes the innermost axis where there is no C"},
		{"NCHW16d", 6, "D", "the block of an axis that is not there"},
		{"NCHW0c", 4, "at least one", "a block of nothing"},
		{"NCHW16cH", 7, "number", "an outer letter behind a block"},
		{"NCHW16c4", 8, "name the axis", "a second block without an axis"},
		{"16c", 0, "not a layout name", "blocks alone"},
		{"NHWC ", 4, "NHWC", "a blank"},
		{"N-C", 1, "not a layout name", "dashes are for words"},
		{"channels_lst", 4, "channels_last", "a slip in a word: read as letters, N stands twice; the hint has the word"},
		{"rowmajor", 6, "row-major", "O twice, and near a word"},
		{"NCHW99999999999999999999c", 4, "99999999999999999999", "a block that does not fit"},
		{"NÇHW", 1, "not a layout name", "letters are those of ASCII"},
		{"N\x00", 1, "not a layout name", "a zero byte"},
		{"NCHW16\xb5", 6, "", "half a character"},
		{"NC" + strings.Repeat("1c", 500), 386, "192", "more digits than a layout may have: 256, of which 64 are the axes'"},
	}
	for _, tt := range tests {
		_, err := spec.ParseName(tt.text)
		if err == nil {
			t.Errorf("%.40q is accepted; %s", tt.text, tt.reason)
			continue
		}
		e := layouttest.SyntaxError(t, tt.text, err)
		if e.Input != tt.text || e.Offset != tt.offset || !strings.Contains(e.Msg+"; "+e.Hint, tt.says) {
			t.Errorf("%.40q: %q, %q at %d; want %q at %d; %s", tt.text, e.Msg, e.Hint, e.Offset, tt.says, tt.offset, tt.reason)
		}
	}
}

// TestOrderOfSizes proves the rules of design.md section 3 for unlabelled sizes: the sizes are
// 2, 3, 4 ... and each axis shows which it took.
func TestOrderOfSizes(t *testing.T) {
	tests := []struct{ name, order, want, reason string }{
		{"NHWC", "", "N=2 C=3 H=4 W=5", "out of G O I T N C D H W: as DirectML and PyTorch"},
		{"CHWN", "", "N=2 C=3 H=4 W=5", "whatever the order in memory"},
		{"NDHWC", "", "N=2 C=3 D=4 H=5 W=6", "volumes"},
		{"WHD", "", "D=2 H=3 W=4", "DHW"},
		{"WH", "", "H=2 W=3", "HW"},
		{"HWIO", "", "O=2 I=3 H=4 W=5", "weights: OIHW"},
		{"HWIGO", "", "G=2 O=3 I=4 H=5 W=6", "grouped weights: GOIHW"},
		{"NTC", "", "T=2 N=3 C=4", "sequences: TNC, as oneDNN"},
		{"dcba", "", "a=2 b=3 c=4 d=5", "the first letters of the alphabet: alphabetical"},
		{"ba", "", "a=2 b=3", "the first two"},
		{"DCBA", "", "a=2 b=3 c=4 d=5", "in any case, though C and D are canonical too"},
		{"BSHD", "", "B=2 S=3 H=4 D=5", "any other set: as written"},
		{"DHSB", "", "D=2 H=3 S=4 B=5", "as written in this name"},
		{"acd", "", "A=2 C=3 D=4", "b is missing: not the first of the alphabet, and A is not canonical"},
		{"LDNC", "", "L=2 D=3 N=4 C=5", "L is not canonical"},
		{"NCHW16c", "", "N=2 C=3 H=4 W=5", "blocks do not matter"},
		{"channels_last", "", "N=2 C=3 H=4 W=5", "NHWC"},
		{"channels_last_3d", "", "N=2 C=3 D=4 H=5 W=6", "NDHWC"},
		{"NCHW", "NHWC", "N=2 C=5 H=3 W=4", "--order: the sizes are N,H,W,C"},
		{"NHWC", "HWCN", "N=5 C=4 H=2 W=3", "--order: the sizes are H,W,C,N"},
		{"bacd", "dcba", "a=5 b=4 c=3 d=2", "--order of a tag"},
		{"", "NHWC", "N=2 C=5 H=3 W=4", "--order alone: TensorFlow's shape"},
		{"", "DHSB", "D=2 H=3 S=4 B=5", "--order alone, any letters"},
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

// TestLayoutNamesAreNames: completion offers nothing that the parser refuses, and says something
// of each.
func TestLayoutNamesAreNames(t *testing.T) {
	var seen []string
	for name, about := range spec.LayoutNames {
		if _, err := spec.ParseName(name); err != nil || about == "" || slices.Contains(seen, name) {
			t.Errorf("%s: %v, about %q, twice %v", name, err, about, slices.Contains(seen, name))
		}
		seen = append(seen, name)
	}
	for _, want := range []string{"NCHW", "NHWC", "channels_last", "row-major"} {
		if !slices.Contains(seen, want) {
			t.Errorf("%s is not offered", want)
		}
	}
	for range spec.LayoutNames {
		break // leaving early must not panic
	}
}

// TestNamesOfTensors: the names that strides agree with, size-1 axes ignored.
func TestNamesOfTensors(t *testing.T) {
	tests := []struct{ line, want, reason string }{
		{"2x3x4x5 NHWC", "NHWC", "no size is 1: one name"},
		{"2x3x4x5 --strides 60,1,15,3", "NHWC", "found from the strides; DirectML's letters by rank"},
		{"2x3 --strides 1,2", "WH", "a matrix"},
		{"2x1x4x5 NHWC", "NHWC NCHW NHCW CNHW", "C may stand anywhere; its own name first, then in the order of the axes"},
		{"2x3 --strides 4,1", "", "padded: no name gives these strides"},
		{"2x3 --strides -3,1", "", "flipped"},
		{"2x3 --strides 0,1", "", "broadcast"},
		{"0x3", "", "no elements: every name and none"},
		{"2x3 HW --storage-offset 5", "HW", "the base does not matter"},
		{"2x3x4x5x6x7", "abcdef", "beyond DirectML's names: the first of the alphabet"},
		{"batch=2,seq=3", "", "names of more than a letter"},
		{"[]", "", "a scalar has no axes"},
	}
	for _, tt := range tests {
		x := layouttest.Tensor(t, tt.line)
		got := spec.NamesOf(x)
		slices.Sort(got[min(1, len(got)):])
		want := strings.Fields(tt.want)
		slices.Sort(want[min(1, len(want)):])
		if !slices.Equal(got, want) {
			t.Errorf("%s: names %v, want %v; %s", tt.line, got, want, tt.reason)
		}
	}
	if got := len(spec.NamesOf(layouttest.Tensor(t, "1x16x1x1 NCHW16c"))); got != 24 {
		t.Errorf("1x16x1x1 NCHW16c has %d names, want 4! = 24: the block is all of C, and the other axes are 1", got)
	}
	if got := len(spec.Names(ones(t, 64))); got != 0 {
		t.Errorf("rank 64 has %d names", got)
	}
	if got := len(spec.Names(ones(t, 20))); got != spec.MaxNames {
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
		{"2x3", "row-major", "none given"},
		{"H=2,W=3", "HW", "the letters of the labels, row-major"},
		{"2x3 column-major", "column-major", "unnamed axes"},
		{"H=2,W=3 column-major", "WH", "named axes: the letters say more"},
		{"2x3x4x5 --order NHWC", "NHWC", "row-major over the shape as written"},
		{"2x3x4x5 NHWC --strides 60,20,5,1", "", "the strides are not NHWC's"},
		{"2x3x4x5 NHWC --strides 60,1,15,3", "NHWC", "the strides are NHWC's"},
	}
	for _, tt := range tests {
		if got := layouttest.Tensor(t, tt.line).Name(); got != tt.want {
			t.Errorf("%s: named %q, want %q; %s", tt.line, got, tt.want, tt.reason)
		}
	}
}

// TestLetters has names that are nothing but axes, and others.
func TestLetters(t *testing.T) {
	tests := []struct {
		name, letters string
		ok            bool
		reason        string
	}{
		{"NHWC", "NHWC", true, "letters"},
		{"nhwc", "NHWC", true, "in any case"},
		{"W", "W", true, "one letter"},
		{"acdb", "acdb", true, "oneDNN's"},
		{"row-major", "", false, "a word"},
		{"column-major", "", false, "a word"},
		{"contiguous", "", false, "a word"},
		{"channels_last", "", false, "a word for letters that depend on the rank"},
		{"NCHW16c", "", false, "blocks"},
		{"aBcd8b", "", false, "blocks"},
		{"NC/32HW32", "", false, "blocks of TensorRT"},
	}
	for _, tt := range tests {
		n, err := spec.ParseName(tt.name)
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
		{"1x3x2x2", "kCHW4", "0,2,1,1", 14, 16, "[1][1][2][2][4]"},
		{"2x5x33x2x2", "kCHW16", "1,4,32,1,1", 1904, 1920, "[2][5][3][2][2][16]: all axes outside stay there"},
		{"1x8x3x3", "NCHW_VECT_C", "0,6,2,1", 66, 72, "cuDNN, INT8x4: [1][2][3][3][4]"},
		{"2x8x3x3", "NCHW_VECT_C", "1,6,2,1", 138, 144, "TensorFlow: shape [2,2,3,3,4]"},
		{"1x3x2x8", "NHWC_VECT_W", "0,2,1,6", 46, 48, "TensorFlow: shape [1,2,2,3,4]"},
		{"1x12x2x2", "NCHW8c", "0,9,1,0", 49, 64, "ONNX Runtime's NCHWc with blocks of 8"},
		{"16x8x3x3", "OIHW8i8o", "9,5,1,2", 937, 1152, "ONNX Runtime's OIHWBiBo with blocks of 8"},
		{"1x32x7x7", "NCHW16c", "0,18,6,6", 1554, 1568, "TVM: (1,2,7,7,16)"},
		{"1x3x2x2", "NCHW4c", "0,2,1,1", 14, 16, "TVM: (1,1,2,2,4)"},
		{"32x32x1x1", "OIHW16i16o", "17,5,0,0", 593, 1024, "TVM: (2,2,1,1,16,16)"},
		{"1x32x8x4", "NHWC8h2w32c2w", "0,7,5,3", 719, 1024, "TVM for Hexagon, nhwc-8h2w32c2w: (1,1,1,1,8,2,32,2)"},
		{"1x64x16x8", "NHWC8h2w32c2w", "0,33,9,6", 7362, 8192, "TVM for Hexagon, nhwc-8h2w32c2w: (1,2,2,2,8,2,32,2)"},
		{"1x3x2x2", "chw2", "0,2,1,1", 14, 16, "[1][2][2][2][2]"},
		{"3x2x2", "CHW4", "2,1,1", 14, 16, "without a batch"},
		{"2x3x4x5", "kHWC8", "1,2,3,4", 314, 320, "[2][4][5][8]: C is rounded up"},
		{"1x40x2x2", "chw32", "0,39,1,1", 231, 256, "[1][2][2][2][32]"},
		{"1x40x2x2x2", "cdhw32", "0,33,1,0,1", 417, 512, "[1][2][2][2][2][32]"},
		{"1x3x2x2x2", "dhwc8", "0,2,1,0,1", 42, 64, "[1][2][2][2][8]"},
		{"1x3x4x5", "kHWC", "0,2,3,4", 59, 60, "[1][4][5][3], not padded"},
		{"2x3x4", "kLINEAR", "1,2,3", 23, 24, "row-major of any rank"},
		{"1x64x2x2", "NC/32HW32", "0,33,1,0", 193, 256, "[1][2][2][2][32]"},
		{"2x4x2x2", "NC/4HW4", "1,3,0,1", 23, 32, "[2][1][2][2][4]"},
		{"1x3x2x2", "NC/1HW1", "0,2,1,1", 11, 12, "blocks of 1: NCHW"},
		{"1x16x1x1", "NC/16HW16", "0,5,0,0", 5, 16, "one block: NHWC"},
		{"1x5x2x3", "nc4hw4", "0,4,1,2", 44, 48, "[1][2][2][3][4]"},
		{"1x17x2x2", "NC1HWC0", "0,16,1,1", 112, 128, "C0 = 16: [1][2][2][2][16]"},
		{"1x5x2x3", "NC1HWC0_C04", "0,4,1,2", 44, 48, "C0 = 4, as NC4HW4"},
		{"2x32x32x1x1", "gIOhw2i8o16i2o", "1,0,0,0,0", 1024, 2048, "oneDNN defines it with the order g,O,I: strides 1024,512,512,512,512"},
	}
	for _, tt := range tests {
		tensor, err := layouttest.Describe(tt.shape + " " + tt.name)
		if err != nil {
			t.Errorf("%s %s: %v", tt.shape, tt.name, err)
			continue
		}
		list, err := spec.ParseIndex(tt.index)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := tensor.Layout().Offset(list.Values()); got != tt.offset || err != nil || tensor.Storage() != tt.storage {
			t.Errorf("%s %s: %s at %d of %d (%v), want %d of %d: %s", tt.shape, tt.name, tt.index, got, tensor.Storage(), err, tt.offset, tt.storage, tt.reason)
		}
	}
}

func TestAliasErrors(t *testing.T) {
	for _, text := range []string{"NC4HW8", "NC/32HW", "NC/HW4", "NC4HW4x", "chw3", "kNCHW4", "NC/4"} {
		_, err := spec.ParseName(text)
		var syntax *layout.SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset > len(text) || syntax.Hint == "" {
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
		{"1x2x3x5", "kDLA_LINEAR", "f16", "0,1,2,4", 164, 192, "[1][2][3][32]"},
		{"1x3x2x5", "kDLA_HWC4", "s8", "0,2,1,4", 82, 128, "[1][2][16][4]: three channels take four"},
		{"1x1x2x5", "dla_hwc4", "s8", "0,0,1,4", 68, 128, "[1][2][64][1]: one channel takes one"},
	}
	for _, tt := range tests {
		tensor, err := layouttest.Describe(tt.shape + " " + tt.name + " -t " + tt.dtype)
		if err != nil {
			t.Errorf("%s %s: %v", tt.shape, tt.name, err)
			continue
		}
		list, err := spec.ParseIndex(tt.index)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := tensor.Layout().Offset(list.Values()); got != tt.offset || err != nil || tensor.Storage() != tt.storage {
			t.Errorf("%s %s: %s at %d of %d (%v), want %d of %d: %s", tt.shape, tt.name, tt.index, got, tensor.Storage(), err, tt.offset, tt.storage, tt.reason)
		}
	}
	for _, bad := range []struct{ shape, name, dtype, reason string }{
		{"1x2x3x5", "dla_hwc4", "s8", "two channels"},
		{"1x3x3x5", "dla_linear", "unknown", "no size"},
	} {
		if _, err := layouttest.Describe(bad.shape + " " + bad.name + " -t " + bad.dtype); err == nil {
			t.Errorf("%s %s -t %s is accepted: %s", bad.shape, bad.name, bad.dtype, bad.reason)
		}
	}
}

// TestOneDNNPutsElementsThere compares every offset, and the whole storage, with what oneDNN's
// own reorders did.
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
		if !facts.ChannelsLast(tensor.Layout()) {
			t.Errorf("%v %s is not judged channels_last", c.Sizes, text)
		}
	}
}

// FuzzName also lays a tensor out by the name.
func FuzzName(f *testing.F) {
	for name := range spec.LayoutNames {
		f.Add(name)
	}
	for _, seed := range []string{"", "nChw16c", "aBcd16b", "BA16a16b4a", "OhwI32o", "NCHN", "NCHW16", "NCHW0c", "16c", "NCHW9223372036854775807c", "A9999999999a9999999999a", "N\x00C", "Ñ", "torch.channels_last", "NCHW1c1c1c", "zyxwvutsrqponmlkjihgfedcba"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name, err := spec.ParseName(text)
		if rejected(t, text, err) {
			return
		}
		again, err := spec.ParseName(name.String())
		if err != nil || again.String() != name.String() {
			t.Fatalf("%q is %s, which is %v, %v", text, name, again, err)
		}
		layOut(t, text, name)
	})
}

// layOut lays 2 elements an axis out by a name. Names only place elements: none of them pads
// what is not blocked, and none overlaps.
func layOut(t *testing.T, text string, name spec.Name) {
	rank := strings.IndexFunc(name.String(), func(r rune) bool { return '0' <= r && r <= '9' || r == '-' })
	if rank < 0 {
		rank = len(name.String())
	}
	shape, err := spec.ParseShape("[" + layouttest.Commas(slices.Repeat([]int64{2}, rank)) + "]")
	if err != nil {
		t.Fatal(err)
	}
	x, err := spec.Spec{Shape: shape, Name: &name}.Tensor()
	var overflow *layout.OverflowError
	if errors.As(err, &overflow) || err != nil && rejected(t, text, err) {
		return
	}
	f := facts.Of(x.Layout())
	if f.Unique != facts.Yes || f.Distinct != f.Elements || x.Storage() < f.Span {
		t.Fatalf("%q: %v: %+v, storage %d", text, x.Layout(), f, x.Storage())
	}
	if rank < 8 && f.Elements != int64(1)<<rank {
		t.Fatalf("%q: %d elements of rank %d", text, f.Elements, rank)
	}
}
