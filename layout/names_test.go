package layout_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
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
		e := wantSyntaxError(t, tt.text, err)
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
		line := commas([]int64{2, 3, 4, 5, 6}[:rank]) + " " + tt.name
		if tt.order != "" {
			line += " --order " + tt.order
		}
		if got := namedSizes(tensor(t, line).Layout()); got != tt.want {
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
		x := tensor(t, tt.line)
		got := spec.NamesOf(x)
		slices.Sort(got[min(1, len(got)):])
		want := strings.Fields(tt.want)
		slices.Sort(want[min(1, len(want)):])
		if !slices.Equal(got, want) {
			t.Errorf("%s: names %v, want %v; %s", tt.line, got, want, tt.reason)
		}
	}
	if got := len(spec.NamesOf(tensor(t, "1x16x1x1 NCHW16c"))); got != 24 {
		t.Errorf("1x16x1x1 NCHW16c has %d names, want 4! = 24: the block is all of C, and the other axes are 1", got)
	}
	if got := len(spec.Names(strided(t, 0, repeated(1, 64), make([]int64, 64)))); got != 0 {
		t.Errorf("rank 64 has %d names", got)
	}
	if got := len(spec.Names(strided(t, 0, repeated(1, 20), make([]int64, 20)))); got != spec.MaxNames {
		t.Errorf("rank 20 of ones has %d names listed: all 20! agree", got)
	}
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
		if got := tensor(t, tt.line).Name(); got != tt.want {
			t.Errorf("%s: named %q, want %q; %s", tt.line, got, tt.want, tt.reason)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"NCHW", "NHWC", "channels_last", "row-major", "float32", "bfloat16"}
	tests := []struct{ word, want, reason string }{
		{"NHCW", "NCHW", "a swap of neighbours is one change; the first of the two nearest"},
		{"nhwc", "NHWC", "case does not count"},
		{"chanels_last", "channels_last", "a letter is missing"},
		{"channnels_last", "channels_last", "a letter too many"},
		{"raw-major", "row-major", "another letter"},
		{"float23", "float32", "a swap"},
		{"xyz", "", "nothing is like it"},
		{"", "", "nothing at all"},
		{strings.Repeat("a", 100_000), "", "no work on the absurd"},
	}
	for _, tt := range tests {
		if got := scan.Nearest(tt.word, known); got != tt.want {
			t.Errorf("%.20q: %q, want %q; %s", tt.word, got, tt.want, tt.reason)
		}
	}
}
