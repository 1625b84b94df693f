package shape_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/shape"
)

func TestParseShape(t *testing.T) {
	tests := []struct{ text, values, labels, reason string }{
		{text: "1x3x224x224", values: "1,3,224,224", reason: "x, as people write sizes"},
		{text: "1X3", values: "1,3", reason: "in any case"},
		{text: "1×3", values: "1,3", reason: "the multiplication sign"},
		{text: "1,3,224,224", values: "1,3,224,224", reason: "commas"},
		{text: "[1, 3, 224, 224]", values: "1,3,224,224", reason: "a JSON list"},
		{text: "(1, 3)", values: "1,3", reason: "a Python tuple"},
		{text: "{1,3}", values: "1,3", reason: "C braces"},
		{text: "torch.Size([1, 3])", values: "1,3", reason: "as PyTorch prints it"},
		{text: "torch.Size([])", reason: "PyTorch's scalar"},
		{text: "[]", reason: "a scalar"},
		{text: "()", reason: "NumPy's scalar"},
		{text: "(2,)", values: "2", reason: "Python's tuple of one"},
		{text: "2,", values: "2", reason: "the same without brackets"},
		{text: "7", values: "7", reason: "rank 1"},
		{text: "0,3", values: "0,3", reason: "an empty tensor is legal"},
		{text: "2,0,3", values: "2,0,3", reason: "an axis without indices"},
		{text: "2,0x10", values: "2,16", reason: "hexadecimal"},
		{text: "007x08", values: "7,8", reason: "decimal, never octal"},
		{text: " 1 x 3\t", values: "1,3", reason: "blanks do not matter"},
		{text: "9223372036854775807", values: "9223372036854775807", reason: "2^63-1 is the largest int64"},
		{text: "00000000000000000000000000001", values: "1", reason: "20 digits and more may still be a small number"},
		{text: "N=1,C=3,H=224,W=224", values: "1,3,224,224", labels: "N,C,H,W", reason: "labelled"},
		{text: "H=2xW=3", values: "2,3", labels: "H,W", reason: "labelled, with x"},
		{text: "[N=1, C=3]", values: "1,3", labels: "N,C", reason: "labelled, in brackets"},
		{text: "x=3,y=4", values: "3,4", labels: "x,y", reason: "a label may be the letter x"},
		{text: "batch=8,seq_len=128", values: "8,128", labels: "batch,seq_len", reason: "labels may be words"},
		{text: "W = 3", values: "3", labels: "W", reason: "blanks around ="},
		{text: "N: 1, C: 3, H: 4, W: 5", values: "1,3,4,5", labels: "N,C,H,W", reason: "colons"},
		{text: "{H:4,W:5}", values: "4,5", labels: "H,W", reason: "colons in braces"},
	}
	spaced := []struct{ text, values, labels, reason string }{
		{text: "1 3 224", values: "1,3,224", reason: "blanks"},
		{text: "N=1 C=3 H=4", values: "1,3,4", labels: "N,C,H", reason: "labels with blanks between them"},
		{text: "w = 3 h = 4", values: "3,4", labels: "w,h", reason: "blanks around =, too"},
		{text: "N:1 H:4 W:5", values: "1,4,5", labels: "N,H,W", reason: "colons with blanks between them"},
		{text: "N=1 x C=3", values: "1,3", labels: "N,C", reason: "x between blanks"},
		{text: "N=1 xC=3", values: "1,3", labels: "N,C", reason: "x before a label"},
		{text: "y=1 z=3", values: "1,3", labels: "y,z", reason: "letters beside x"},
	}
	count := len(tests)
	for i, tt := range append(tests, spaced...) {
		parse := shape.ParseShape
		if i >= count {
			parse = shape.ParseSpacedShape
		}
		list, err := parse(tt.text)
		if err != nil {
			t.Errorf("%q: %v; %s", tt.text, err, tt.reason)
			continue
		}
		if got := layouttest.Commas(list.Values()); got != tt.values || list.Len() != len(list.Values()) {
			t.Errorf("%q: %s (length %d), want %s; %s", tt.text, got, list.Len(), tt.values, tt.reason)
		}
		if got := strings.Join(list.Labels(), ","); got != tt.labels {
			t.Errorf("%q: labels %s, want %s; %s", tt.text, got, tt.labels, tt.reason)
		}
	}
}

// TestBadShapes checks the position of the caret, and words of the message or the hint.
func TestBadShapes(t *testing.T) {
	tests := []struct {
		text   string
		offset int
		says   string // part of the message or the hint
		reason string
	}{
		{says: "1x3x224x224", reason: "nothing: the hint shows a shape"},
		{text: "  ", offset: 2, says: "no size", reason: "nothing but blanks"},
		{text: "1x3x", offset: 4, says: "missing after", reason: "a size is missing at the end"},
		{text: "x3", says: "not a size", reason: "a size is missing at the start"},
		{text: "1,,3", offset: 2, says: "not a size", reason: "a size is missing in between"},
		{text: ",1", says: "not a size", reason: "starts with a comma"},
		{text: "1x-3", offset: 2, says: "cannot be negative", reason: "sizes are not negative"},
		{text: "1,3.5", offset: 3, says: "whole number", reason: "no fractions"},
		{text: "1e3", offset: 1, says: "whole number", reason: "no exponents"},
		{text: "1,3x5", offset: 3, says: "throughout", reason: "mixed separators: a slip, not a shape"},
		{text: "1x3,5", offset: 3, says: "throughout", reason: "mixed separators"},
		{text: "1 3", offset: 2, says: "commas", reason: "blanks do not separate"},
		{text: "1;3", offset: 1, says: "commas", reason: "nor do semicolons"},
		{text: "[1,3", offset: 0, says: "[", reason: "the bracket is not closed"},
		{text: "[1,3)", offset: 4, reason: "closed by another bracket"},
		{text: "[1,3]]", offset: 5, says: "does not belong", reason: "closed twice"},
		{text: "[1,3] 4", offset: 6, says: "does not belong", reason: "text after the list"},
		{text: "1,3]", offset: 3, reason: "closed but not opened"},
		{text: "[[[1]]]", offset: 2, reason: "three brackets are not a spelling of a shape"},
		{text: "torch.Size", offset: 10, says: "torch.Size([1, 3])", reason: "PyTorch's word alone"},
		{text: "torch.Size 1,3", offset: 11, says: "torch.Size([1, 3])", reason: "PyTorch's word without brackets"},
		{text: "TORCH.SIZE1,3", offset: 10, says: "torch.Size([1, 3])", reason: "the same in capitals"},
		{text: "9223372036854775808", says: "9223372036854775808",
			reason: "2^63 does not fit; the message shows it exactly"},
		{text: "2x00018446744073709551616", offset: 2, says: "18446744073709551616 is more",
			reason: "2^64, after zeros"},
		{text: "1x" + strings.Repeat("9", 5000), offset: 2, says: "5000 digits",
			reason: "an absurd number is not repeated"},
		{text: "1,000", offset: 2, says: "write 1000", reason: "a thousand"},
		{text: "12,000,000", offset: 3, says: "write 12000000", reason: "millions"},
		{text: "[999,000, 3]", offset: 5, says: "write 999000", reason: "thousands before another size"},
		{text: "1,024,000", offset: 2, says: "write 1024000", reason: "all of one"},
		{text: "1,000,3", offset: 2, says: "write 1000", reason: "3 is another size"},
		{text: "1,000x3", offset: 2, says: "write 1000", reason: "x after a thousand"},
		{text: "1000,000", offset: 5, says: "write 0", reason: "a thousand has three digits before it at most"},
		{text: "0,000", offset: 2, says: "write 0", reason: "no thousand"},
		{text: "2,03,4", offset: 2, says: "write 3", reason: "two digits are no thousand"},
		{text: "2,0000", offset: 2, says: "write 0", reason: "nor are four"},
		{text: "2, 003", offset: 3, says: "write 3", reason: "nor what is after a blank"},
		{text: "N=1,C=03", offset: 6, says: "write 3", reason: "behind a label"},
		{text: "N=1,3", offset: 4, says: "label", reason: "label all or none"},
		{text: "1,C=3", offset: 2, says: "label", reason: "label all or none"},
		{text: "N=1,N=2", offset: 4, says: "twice", reason: "a label twice"},
		{text: "n=1,N=2", offset: 4, says: "twice", reason: "labels are matched in any case, so n and N are one axis"},
		{text: "N=,C=3", offset: 2, says: "size", reason: "a label without a size"},
		{text: "N1,C3", says: "not a size", reason: "no ="},
		{text: "N:1,C=3", offset: 4, says: "not a size", reason: "two marks"},
		{text: "epoch: 3, step: 4", says: "not a size", reason: "the words of a log"},
		{text: "x: 1, y: 2, w: 30, h: 40", says: "not a size", reason: "a box in an image"},
		{text: "M: 64, N: 64, K: 32", says: "write M=64,N=64,K=32", reason: "the sizes of a product"},
		{text: "C:3", says: "write C=3", reason: "a path"},
		{text: "NCHW", says: "not a size", reason: "a layout name is not a shape"},
		{text: "N=-1", offset: 2, says: "cannot be negative", reason: "a labelled size is a size"},
		{text: "1x３", offset: 2, says: "not a size", reason: "only ASCII digits are digits"},
		{text: strings.Repeat("1x", 64) + "1", offset: 128, says: "64", reason: "rank 65"},
		{text: "1\x002", offset: 1, reason: "a zero byte"},
		{text: "\xff\xfe", says: "not a size", reason: "not UTF-8"},
	}
	for _, tt := range tests {
		_, err := shape.ParseShape(tt.text)
		if err == nil {
			t.Errorf("%.40q is accepted; %s", tt.text, tt.reason)
			continue
		}
		e := layouttest.SyntaxError(t, tt.text, err)
		if e.Input != tt.text || e.Offset != tt.offset {
			t.Errorf("%.40q: the caret is at %d, want %d (%s); %s", tt.text, e.Offset, tt.offset, e.Msg, tt.reason)
		}
		if !strings.Contains(e.Msg+"; "+e.Hint, tt.says) {
			t.Errorf("%.40q: %q, %q do not say %q; %s", tt.text, e.Msg, e.Hint, tt.says, tt.reason)
		}
		if len(e.Msg)+len(e.Hint) > 300 {
			t.Errorf("%.40q: a message of %d bytes", tt.text, len(e.Msg)+len(e.Hint))
		}
	}
}

func TestParseStrides(t *testing.T) {
	tests := []struct{ text, want, reason string }{
		{"15,1,5,1", "15,1,5,1", "commas"},
		{"15x1", "15,1", "x"},
		{"(15, 1)", "15,1", "a Python tuple"},
		{"-3,1", "-3,1", "a flip"},
		{"3,-1,0", "3,-1,0", "signs anywhere, and 0"},
		{"-0", "0", "there is one 0"},
		{"-9223372036854775808", "-9223372036854775808", "-2^63 is the smallest int64"},
		{"()", "", "a scalar's"},
	}
	for _, tt := range tests {
		list, err := shape.ParseStrides(tt.text)
		if err != nil || layouttest.Commas(list.Values()) != tt.want {
			t.Errorf("%q: %v, %v; want %s; %s", tt.text, list.Values(), err, tt.want, tt.reason)
		}
	}
	for text, offset := range map[string]int{
		"-": 0, "--1": 0, "1,-": 2, "N=1": 0, "-9223372036854775809": 0, "1,+2": 2, "0x10,x": 5,
	} {
		_, err := shape.ParseStrides(text)
		if err == nil {
			t.Errorf("strides %q are accepted", text)
			continue
		}
		if e := layouttest.SyntaxError(t, text, err); e.Offset != offset {
			t.Errorf("strides %q: the caret is at %d, want %d (%s)", text, e.Offset, offset, e.Msg)
		}
	}
}

// TestHexadecimal distinguishes hexadecimal numbers from sizes of 0, and indices, which have no x between numbers, from
// shapes.
func TestHexadecimal(t *testing.T) {
	sizes, strides, index, offsets := shape.ParseShape, shape.ParseStrides, shape.ParseIndex, shape.ParseOffsets
	tests := []struct {
		parse              func(string) (shape.List, error)
		text, want, reason string
	}{
		{sizes, "0x3", "0,3", "a size of 0"},
		{sizes, "2x0x3", "2,0,3", "a size of 0"},
		{sizes, "0x0x3", "0,0,3", "sizes of 0"},
		{sizes, "0x1234", "0,1234", "digits say nothing"},
		{sizes, "N=0xC=3", "0,3", "a label is not a digit"},
		{sizes, "0x1F", "31", "a digit that no size has"},
		{sizes, "0x1,0x3", "1,3", "commas separate"},
		{sizes, "[0x1, 0x3, 0xe0]", "1,3,224", "as debuggers print arrays"},
		{sizes, "{3, 0x10}", "3,16", "the separator is known"},
		{strides, "0x10,1", "16,1", "commas separate"},
		{strides, "1,-0x10", "1,-16", "a sign"},
		{strides, "0x1", "0,1", "a broadcast axis"},
		{offsets, "0x1234", "4660", "an offset"},
		{offsets, "-0x10", "-16", "a sign"},
		{offsets, "3 4", "3,4", "blanks"},
		{offsets, " 3  -4 ", "3,-4", "blanks"},
		{offsets, "[3 4]", "3,4", "as NumPy prints an array"},
		{offsets, "3 , 4", "3,4", "a comma with blanks around it"},
		{index, "0 1 0x2", "0,1,2", "blanks"},
		{index, "H=1 W=0x2", "1,2", "labelled"},
		{index, "0x1,2", "1,2", "commas"},
	}
	for _, tt := range tests {
		list, err := tt.parse(tt.text)
		if got := layouttest.Commas(list.Values()); err != nil || got != tt.want {
			t.Errorf("%q: %s, %v; want %s: %s", tt.text, got, err, tt.want, tt.reason)
		}
	}
	for _, text := range []string{"3x4", "0x1x2", "1, 2 3", "1 2,3", "3 x 4", "0x", "3×4"} {
		if list, err := index(text); err == nil {
			t.Errorf("the index %q is %v", text, list.Values())
		} else {
			layouttest.SyntaxError(t, text, err)
		}
	}
}

// TestListsAreTheirOwn: changes to the values that a list returns do not change the list.
func TestListsAreTheirOwn(t *testing.T) {
	list, err := shape.ParseShape("N=1,C=3")
	if err != nil {
		t.Fatal(err)
	}
	list.Values()[0], list.Labels()[0] = 9, "X"
	if !slices.Equal(list.Values(), []int64{1, 3}) || !slices.Equal(list.Labels(), []string{"N", "C"}) {
		t.Errorf("the list is %v, %v now", list.Values(), list.Labels())
	}
}

func TestIndex(t *testing.T) {
	l := layouttest.Tensor(t, "2x3x4x5 NHWC").Layout()
	for text, want := range map[string]string{
		"1,2,3,4":         "1,2,3,4",
		"[0, 0, 0, 0]":    "0,0,0,0",
		"W=4,N=1,H=3,C=2": "1,2,3,4",
		"w=4,n=1,h=3,c=2": "1,2,3,4",
	} {
		list, err := shape.ParseIndex(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := shape.Index(l, list); err != nil || layouttest.Commas(got) != want {
			t.Errorf("%q: %v, %v; want %s", text, got, err, want)
		}
	}
}

func TestBadIndices(t *testing.T) {
	tests := []struct {
		shape, text string
		offset      int
		says        string
		reason      string
	}{
		{shape: "2x3x4x5 NHWC", text: "1,2,3", offset: 5, says: "rank 4",
			reason: "too few: the caret is where more should follow"},
		{shape: "2x3x4x5 NHWC", text: "1,2,3,4,0", offset: 8, says: "rank 4",
			reason: "too many: the caret is at the first that has no axis"},
		{shape: "2x3x4x5 NHWC", text: "1,3,0,0", offset: 2, says: "C counts from 0 to 2", reason: "size 3 ends at 2"},
		{shape: "2x3x4x5 NHWC", text: "N=0,H=0,C=3,W=0", offset: 8, says: "C counts from 0 to 2",
			reason: "in a labelled index the caret is at the label"},
		{shape: "2x3x4x5 NHWC", text: "N=0,H=0,D=0,W=0", offset: 8, says: "unknown axis D", reason: "D is not an axis"},
		{shape: "2x3x4x5 NHWC", text: "N=0,W=0", offset: 7, says: "rank 4",
			reason: "labels do not allow axes to be left out"},
		{shape: "2x3 NC", text: "n=0,N=1", offset: 4, reason: "N twice, and no C: n and N are one axis"},
		{shape: "0x3", text: "0,0", says: "size 0", reason: "an empty tensor has no index"},
		{shape: "[]", text: "0", says: "rank 0", reason: "a scalar's index is []"},
		{shape: "2x3", text: "0,9223372036854775807", offset: 2, says: "counts from 0 to 2", reason: "far beyond"},
	}
	for _, tt := range tests {
		l := layouttest.Tensor(t, tt.shape).Layout()
		list, err := shape.ParseIndex(tt.text)
		if err == nil {
			_, err = shape.Index(l, list)
		}
		if err == nil {
			t.Errorf("%s: index %s is accepted; %s", tt.shape, tt.text, tt.reason)
			continue
		}
		e := layouttest.SyntaxError(t, tt.text, err)
		if e.Offset != tt.offset || !strings.Contains(e.Msg+"; "+e.Hint, tt.says) {
			t.Errorf("%s: index %s: %q at %d, want %q at %d; %s", tt.shape, tt.text, e.Msg, e.Offset, tt.says,
				tt.offset, tt.reason)
		}
	}
	negative, err := shape.ParseStrides("-1")
	if err != nil {
		t.Fatal(err)
	}
	if index, err := shape.Index(layouttest.Tensor(t, "3").Layout(), negative); err == nil {
		t.Errorf("Index accepts %v, an index below 0", index)
	}
}

// TestHostileLengths checks that every parser rejects a megabyte with a short message.
func TestHostileLengths(t *testing.T) {
	long := strings.Repeat("1x", 500_000) + "1"
	for name, parse := range map[string]func(string) error{
		"ParseShape":     parser(shape.ParseShape),
		"ParseStrides":   parser(shape.ParseStrides),
		"ParseIndex":     parser(shape.ParseIndex),
		"ParseName":      parser(shape.ParseName),
		"ParseAxes":      parser(shape.ParseAxes),
		"ParsePadding":   parser(shape.ParsePadding),
		"ParseAlignment": parser(shape.ParseAlignment),
		"ParseDType":     parser(layout.ParseDType),
	} {
		err := parse(long)
		if err == nil {
			t.Errorf("%s accepts a megabyte", name)
			continue
		}
		e := layouttest.SyntaxError(t, long, err)
		if len(e.Msg)+len(e.Hint) > 300 {
			t.Errorf("%s: a message of %d bytes", name, len(e.Msg)+len(e.Hint))
		}
	}
	for _, rank := range []int{64, 65, 10_000} {
		_, err := shape.ParseShape(strings.Repeat("1x", rank-1) + "1")
		if (err == nil) != (rank <= layout.MaxRank) {
			t.Errorf("rank %d: %v", rank, err)
		}
	}
}

// parser returns a function that returns only the error of parse.
func parser[T any](parse func(string) (T, error)) func(string) error {
	return func(text string) error {
		_, err := parse(text)
		return err
	}
}

var listSeeds = []string{
	"1x3x224x224", "1,3", "[1, 3]", "(2,)", "{1}", "torch.Size([1, 3])", "torch.Size([])", "[]", "()", "", "1×3", "-1",
	"1,-2", "-9223372036854775808",
	"9223372036854775808", "N=1,C=3", "[N=1, C=3]", "n=1,N=2", "x=1xy=2", "_=1", "1x", "1,,2", "1x2,3", "[1", "1]",
	"1e3", "1.5", "0x10", "\x00", "1\x002", "torch.Size1",
	strings.Repeat("1,", 70), strings.Repeat("9", 99),
}

func FuzzShape(f *testing.F) { fuzzList(f, shape.ParseShape, listSeeds...) }

func FuzzStrides(f *testing.F) { fuzzList(f, shape.ParseStrides, listSeeds...) }

// fuzzList checks that every accepted text has a canonical spelling that means the same.
func fuzzList(f *testing.F, parse func(string) (shape.List, error), seeds ...string) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		defer layouttest.Limit(t, len(text))()
		list, err := parse(text)
		if rejected(t, text, err) {
			return
		}
		again, err := parse(canonical(list))
		if err != nil || !slices.Equal(again.Values(), list.Values()) || !slices.Equal(again.Labels(), list.Labels()) {
			t.Fatalf("%q is %s, which is %v %v, %v", text, canonical(list), again.Values(), again.Labels(), err)
		}
		if n := digitRuns(text); list.Labels() == nil && n != list.Len() {
			t.Fatalf("%q has %d numbers, and %d are read", text, n, list.Len())
		}
		if list.Len() > layout.MaxRank {
			t.Fatalf("%d numbers", list.Len())
		}
	})
}

// canonical writes a list in its simplest spelling.
func canonical(l shape.List) string {
	labels, items := l.Labels(), []string{}
	for i, v := range l.Values() {
		if labels != nil {
			items = append(items, fmt.Sprintf("%s=%d", labels[i], v))
		} else {
			items = append(items, fmt.Sprint(v))
		}
	}
	return "[" + strings.Join(items, ",") + "]"
}

func digitRuns(text string) int {
	hexadecimal := `(?i)0x[0-9]*[a-f][0-9a-f]*` // alone 0x10 is 0 by 10
	if strings.Contains(text, ",") {
		hexadecimal = `(?i)0x[0-9a-f]+`
	}
	text = regexp.MustCompile(hexadecimal).ReplaceAllString(text, "0")
	return len(strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' }))
}

// FuzzIndex also looks up the offset of the index, and the index at that offset.
func FuzzIndex(f *testing.F) {
	for _, seed := range append(listSeeds, "1,2,3,4", "N=1,C=2,H=3,W=4", "w=4,h=3,c=2,n=1", "1,2,3,5",
		"N=1,N=1,H=1,W=1") {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		defer layouttest.Limit(t, len(text))()
		list, err := shape.ParseIndex(text)
		if rejected(t, text, err) {
			return
		}
		again, err := shape.ParseIndex(canonical(list))
		if err != nil || !slices.Equal(again.Values(), list.Values()) {
			t.Fatalf("%q is %s, which is %v, %v", text, canonical(list), again.Values(), err)
		}
		l := layouttest.Tensor(t, "2x3x4x5 NHWC").Layout()
		index, err := shape.Index(l, list)
		if rejected(t, text, err) {
			return
		}
		offset, err := l.Offset(index)
		if err != nil {
			t.Fatalf("%q is %v, which has no offset: %v", text, index, err)
		}
		if found := analysis.NewInverse(l).At(offset, 2).Indices; len(found) != 1 || !slices.Equal(found[0], index) {
			t.Fatalf("%q is %v at %d, where %v are", text, index, offset, found)
		}
	})
}

// rejected reports whether err is an error, and checks that it is one that users can read.
func rejected(t *testing.T, text string, err error) bool {
	t.Helper()
	if err != nil {
		layouttest.SyntaxError(t, text, err)
	}
	return err != nil
}
