package spec_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/spec"
)

func TestParseShape(t *testing.T) {
	tests := []struct{ text, values, labels, reason string }{
		{"1x3x224x224", "1,3,224,224", "", "x, as people write sizes"},
		{"1X3", "1,3", "", "in any case"},
		{"1×3", "1,3", "", "the multiplication sign"},
		{"1,3,224,224", "1,3,224,224", "", "commas"},
		{"[1, 3, 224, 224]", "1,3,224,224", "", "a JSON list"},
		{"(1, 3)", "1,3", "", "a Python tuple"},
		{"{1,3}", "1,3", "", "C braces"},
		{"torch.Size([1, 3])", "1,3", "", "as PyTorch prints it"},
		{"torch.Size([])", "", "", "PyTorch's scalar"},
		{"[]", "", "", "a scalar"},
		{"()", "", "", "NumPy's scalar"},
		{"(2,)", "2", "", "Python's tuple of one"},
		{"2,", "2", "", "the same without brackets"},
		{"7", "7", "", "rank 1"},
		{"0,3", "0,3", "", "an empty tensor is legal"},
		{"007x08", "7,8", "", "decimal, never octal"},
		{" 1 x 3\t", "1,3", "", "blanks do not matter"},
		{"9223372036854775807", "9223372036854775807", "", "2^63-1 is the largest int64"},
		{"00000000000000000000000000001", "1", "", "20 digits and more may still be a small number"},
		{"N=1,C=3,H=224,W=224", "1,3,224,224", "N,C,H,W", "labelled"},
		{"H=2xW=3", "2,3", "H,W", "labelled, with x"},
		{"[N=1, C=3]", "1,3", "N,C", "labelled, in brackets"},
		{"x=3,y=4", "3,4", "x,y", "a label may be the letter x"},
		{"batch=8,seq_len=128", "8,128", "batch,seq_len", "labels may be words"},
		{"W = 3", "3", "W", "blanks around ="},
	}
	for _, tt := range tests {
		list, err := spec.ParseShape(tt.text)
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

// TestBadShapes checks where the caret stands, that there is a message, and what it says.
func TestBadShapes(t *testing.T) {
	tests := []struct {
		text   string
		offset int
		says   string // part of the message or the hint
		reason string
	}{
		{"", 0, "1x3x224x224", "nothing: the hint shows a shape"},
		{"  ", 2, "no size", "nothing but blanks"},
		{"1x3x", 4, "too early", "a size is missing at the end"},
		{"x3", 0, "not a size", "a size is missing at the start"},
		{"1,,3", 2, "not a size", "a size is missing in between"},
		{",1", 0, "not a size", "starts with a comma"},
		{"1x-3", 2, "cannot be negative", "sizes are not negative"},
		{"1,3.5", 3, "whole number", "no fractions"},
		{"1e3", 1, "whole number", "no exponents"},
		{"1,3x5", 3, "throughout", "mixed separators: a slip, not a shape"},
		{"1x3,5", 3, "throughout", "mixed separators"},
		{"1 3", 2, "commas", "blanks do not separate"},
		{"1;3", 1, "commas", "nor do semicolons"},
		{"[1,3", 4, "]", "the bracket is not closed"},
		{"[1,3)", 4, "", "closed by another bracket"},
		{"[1,3]]", 5, "does not belong", "closed twice"},
		{"[1,3] 4", 6, "does not belong", "text behind the list"},
		{"1,3]", 3, "", "closed but not opened"},
		{"[[[1]]]", 2, "", "three brackets are no spelling of a shape"},
		{"torch.Size", 10, "torch.Size([1, 3])", "PyTorch's word alone"},
		{"torch.Size 1,3", 11, "torch.Size([1, 3])", "PyTorch's word without brackets"},
		{"TORCH.SIZE1,3", 10, "torch.Size([1, 3])", "the same in capitals"},
		{"9223372036854775808", 0, "9223372036854775808", "2^63 does not fit; the message shows it exactly"},
		{"2x00018446744073709551616", 2, "18446744073709551616 is more", "2^64, behind zeros"},
		{"1x" + strings.Repeat("9", 5000), 2, "5000 digits", "an absurd number is not repeated"},
		{"N=1,3", 4, "label", "label all or none"},
		{"1,C=3", 2, "label", "label all or none"},
		{"N=1,N=2", 4, "twice", "a label twice"},
		{"n=1,N=2", 4, "twice", "labels are matched in any case, so n and N are one axis"},
		{"N=,C=3", 2, "size", "a label without a size"},
		{"N1,C3", 0, "not a size", "no ="},
		{"NCHW", 0, "not a size", "a layout name is no shape"},
		{"N=-1", 2, "cannot be negative", "a labelled size is a size"},
		{"1x３", 2, "not a size", "digits of other scripts are no digits"},
		{strings.Repeat("1x", 64) + "1", 128, "64", "rank 65"},
		{"1\x002", 1, "", "a zero byte"},
		{"\xff\xfe", 0, "not a size", "not UTF-8"},
	}
	for _, tt := range tests {
		_, err := spec.ParseShape(tt.text)
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
		list, err := spec.ParseStrides(tt.text)
		if err != nil || layouttest.Commas(list.Values()) != tt.want {
			t.Errorf("%q: %v, %v; want %s; %s", tt.text, list.Values(), err, tt.want, tt.reason)
		}
	}
	for text, offset := range map[string]int{"-": 0, "--1": 0, "1,-": 2, "N=1": 0, "-9223372036854775809": 0, "1,+2": 2, "0x10,": 4} {
		_, err := spec.ParseStrides(text)
		if err == nil {
			t.Errorf("strides %q are accepted", text)
			continue
		}
		if e := layouttest.SyntaxError(t, text, err); e.Offset != offset {
			t.Errorf("strides %q: the caret is at %d, want %d (%s)", text, e.Offset, offset, e.Msg)
		}
	}
}

// TestListsAreTheirOwn: what callers do with the values does not change the list.
func TestListsAreTheirOwn(t *testing.T) {
	list, err := spec.ParseShape("N=1,C=3")
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
		list, err := spec.ParseIndex(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := spec.Index(l, list); err != nil || layouttest.Commas(got) != want {
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
		{"2x3x4x5 NHWC", "1,2,3", 5, "rank 4", "too few: the caret is where more should follow"},
		{"2x3x4x5 NHWC", "1,2,3,4,0", 8, "rank 4", "too many: the caret is at the first that has no axis"},
		{"2x3x4x5 NHWC", "1,3,0,0", 2, "C counts from 0 to 2", "size 3 ends at 2"},
		{"2x3x4x5 NHWC", "N=0,H=0,C=3,W=0", 8, "C counts from 0 to 2", "in a labelled index the caret is at the label"},
		{"2x3x4x5 NHWC", "N=0,H=0,D=0,W=0", 8, "unknown axis D", "D is not an axis"},
		{"2x3x4x5 NHWC", "N=0,W=0", 7, "rank 4", "labels are no excuse to leave axes out"},
		{"2x3 NC", "n=0,N=1", 4, "", "N twice, and no C: n and N are one axis"},
		{"0x3", "0,0", 0, "size 0", "an empty tensor has no index"},
		{"[]", "0", 0, "rank 0", "a scalar's index is []"},
		{"2x3", "0,9223372036854775807", 2, "counts from 0 to 2", "far beyond"},
	}
	for _, tt := range tests {
		l := layouttest.Tensor(t, tt.shape).Layout()
		list, err := spec.ParseIndex(tt.text)
		if err == nil {
			_, err = spec.Index(l, list)
		}
		if err == nil {
			t.Errorf("%s: index %s is accepted; %s", tt.shape, tt.text, tt.reason)
			continue
		}
		e := layouttest.SyntaxError(t, tt.text, err)
		if e.Offset != tt.offset || !strings.Contains(e.Msg+"; "+e.Hint, tt.says) {
			t.Errorf("%s: index %s: %q at %d, want %q at %d; %s", tt.shape, tt.text, e.Msg, e.Offset, tt.says, tt.offset, tt.reason)
		}
	}
	negative, err := spec.ParseStrides("-1")
	if err != nil {
		t.Fatal(err)
	}
	if index, err := spec.Index(layouttest.Tensor(t, "3").Layout(), negative); err == nil {
		t.Errorf("Index lets %v pass, an index below 0", index)
	}
}

// TestHostileLengths: the limits name themselves, whatever is beyond them.
func TestHostileLengths(t *testing.T) {
	long := strings.Repeat("1x", 500_000) + "1"
	for name, parse := range map[string]func(string) error{
		"ParseShape":     parser(spec.ParseShape),
		"ParseStrides":   parser(spec.ParseStrides),
		"ParseIndex":     parser(spec.ParseIndex),
		"ParseName":      parser(spec.ParseName),
		"ParseAxes":      parser(spec.ParseAxes),
		"ParsePadding":   parser(spec.ParsePadding),
		"ParseAlignment": parser(spec.ParseAlignment),
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
		_, err := spec.ParseShape(strings.Repeat("1x", rank-1) + "1")
		if (err == nil) != (rank <= layout.MaxRank) {
			t.Errorf("rank %d: %v", rank, err)
		}
	}
}

// parser forgets what a parser returns besides its error.
func parser[T any](parse func(string) (T, error)) func(string) error {
	return func(text string) error {
		_, err := parse(text)
		return err
	}
}

var listSeeds = []string{
	"1x3x224x224", "1,3", "[1, 3]", "(2,)", "{1}", "torch.Size([1, 3])", "torch.Size([])", "[]", "()", "", "1×3", "-1", "1,-2", "-9223372036854775808",
	"9223372036854775808", "N=1,C=3", "[N=1, C=3]", "n=1,N=2", "x=1xy=2", "_=1", "1x", "1,,2", "1x2,3", "[1", "1]", "1e3", "1.5", "0x10", "\x00", "1\x002", "torch.Size1",
	strings.Repeat("1,", 70), strings.Repeat("9", 99),
}

func FuzzShape(f *testing.F) { fuzzList(f, spec.ParseShape, listSeeds...) }

func FuzzStrides(f *testing.F) { fuzzList(f, spec.ParseStrides, listSeeds...) }

// fuzzList checks that what is accepted has a canonical form that says the same.
func fuzzList(f *testing.F, parse func(string) (spec.List, error), seeds ...string) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
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

// canonical writes a list in the plainest spelling.
func canonical(l spec.List) string {
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
	return len(strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' }))
}

// FuzzIndex also looks the index up.
func FuzzIndex(f *testing.F) {
	for _, seed := range append(listSeeds, "1,2,3,4", "N=1,C=2,H=3,W=4", "w=4,h=3,c=2,n=1", "1,2,3,5", "N=1,N=1,H=1,W=1") {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list, err := spec.ParseIndex(text)
		if rejected(t, text, err) {
			return
		}
		again, err := spec.ParseIndex(canonical(list))
		if err != nil || !slices.Equal(again.Values(), list.Values()) {
			t.Fatalf("%q is %s, which is %v, %v", text, canonical(list), again.Values(), err)
		}
		l := layouttest.Tensor(t, "2x3x4x5 NHWC").Layout()
		index, err := spec.Index(l, list)
		if rejected(t, text, err) {
			return
		}
		offset, err := l.Offset(index)
		if err != nil {
			t.Fatalf("%q is %v, which has no offset: %v", text, index, err)
		}
		if found := facts.NewInverse(l).At(offset, 2).Indices; len(found) != 1 || !slices.Equal(found[0], index) {
			t.Fatalf("%q is %v at %d, where %v are", text, index, offset, found)
		}
	})
}

// rejected reports whether a parser refused the text, and checks its error.
func rejected(t *testing.T, text string, err error) bool {
	t.Helper()
	if err != nil {
		layouttest.SyntaxError(t, text, err)
	}
	return err != nil
}
