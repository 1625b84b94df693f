package notation

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
)

// A reading is a text and what it means: its type, if it says one, then sizes @ strides, and
// + the storage offset where index 0 is not at 0.
type reading struct{ text, want, reason string }

// A wrong is a text that is wrong, the part of it that the error points at, empty for its
// end, and something that the error or its hint says.
type wrong struct{ text, at, says, reason string }

// notationOf returns the notation of that name.
func notationOf(t *testing.T, name string) *Notation {
	t.Helper()
	n, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// single returns the only tensor of a text.
func single(t *testing.T, name, text string, o Options) (Descriptor, error) {
	t.Helper()
	found, err := notationOf(t, name).Read(text, o)
	if err != nil {
		return Descriptor{}, err
	}
	if len(found) != 1 {
		return Descriptor{}, fmt.Errorf("%d tensors", len(found))
	}
	return found[0], nil
}

// meaning is what a reading wants.
func meaning(d Descriptor) string {
	l := d.Tensor.Layout()
	strides := make([]string, l.Rank())
	for i := range strides {
		for k := range l.Axis(i).Digits() {
			strides[i] += fmt.Sprintf(" %d:%d", l.Axis(i).Digit(k).Extent, l.Axis(i).Digit(k).Stride)
		}
		if stride, ok := l.Axis(i).Stride(); ok {
			strides[i] = fmt.Sprint(stride)
		}
	}
	text := layout.JoinInts(l.Sizes(), ",") + " @ " + strings.Join(strides, ",")
	if l.Base() != 0 {
		text += fmt.Sprintf(" + %d", l.Base())
	}
	if d.Typed {
		text = d.Tensor.DType().String() + " " + text
	}
	return text
}

// checkReadings reads the texts and compares what they mean. Whatever the notation then writes
// has to mean the same.
func checkReadings(t *testing.T, name string, tests []reading) {
	t.Helper()
	for _, tt := range tests {
		d, err := single(t, name, tt.text, Options{})
		if err != nil {
			t.Errorf("%s: %s: %v; %s", name, tt.text, err, tt.reason)
			continue
		}
		if got := meaning(d); got != tt.want {
			t.Errorf("%s: %s means %s, want %s; %s", name, tt.text, got, tt.want, tt.reason)
		}
		checkRoundTrip(t, notationOf(t, name), d.Tensor)
	}
}

// checkRoundTrip writes the tensor, if the notation can, and reads the text again.
func checkRoundTrip(t *testing.T, n *Notation, x layout.Tensor) {
	t.Helper()
	text, err := n.Write(x)
	var loss *LossError
	if errors.As(err, &loss) {
		return
	}
	if err != nil {
		t.Errorf("%s: %v", n.Name, err)
		return
	}
	found, err := n.Read(text, Options{DType: x.DType()})
	if err != nil || len(found) != 1 || !sameMap(found[0].Tensor.Like(x.Layout()), x) || found[0].Tensor.DType() != x.DType() {
		t.Errorf("%s: %v is written as %s, which is read as %v, %v", n.Name, x.Layout(), text, found, err)
	}
}

// sameMap reports whether two tensors put every element at the same offset.
func sameMap(a, b layout.Tensor) bool {
	return slices.Equal(a.Layout().Sizes(), b.Layout().Sizes()) && layout.Same(a.Layout(), b.Layout())
}

// checkRefusals reads texts that are wrong.
func checkRefusals(t *testing.T, name string, tests []wrong) {
	t.Helper()
	for _, tt := range tests {
		found, err := notationOf(t, name).Read(tt.text, Options{})
		var syntax *layout.SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%s: %s is read as %v, %v; %s", name, tt.text, found, err, tt.reason)
			continue
		}
		if !strings.Contains(syntax.Msg+"; "+syntax.Hint, tt.says) {
			t.Errorf("%s: %s: %q, hint %q, want %q; %s", name, tt.text, syntax.Msg, syntax.Hint, tt.says, tt.reason)
		}
		if rest := tt.text[syntax.Offset:]; !strings.HasPrefix(rest, tt.at) || tt.at == "" && rest != "" {
			t.Errorf("%s: %s: %q points at %q, want %q; %s", name, tt.text, syntax.Msg, rest, tt.at, tt.reason)
		}
	}
}

// plainTensor returns a tensor of plain strides.
func plainTensor(t *testing.T, dtype string, base int64, sizes, strides []int64) layout.Tensor {
	t.Helper()
	l, err := layout.Strided(base, sizes, strides)
	if err != nil {
		t.Fatal(err)
	}
	return ofType(t, dtype, l)
}

// ofType returns the tensor of a layout.
func ofType(t *testing.T, dtype string, l layout.Layout) layout.Tensor {
	t.Helper()
	d, err := layout.ParseDType(dtype)
	if err != nil {
		t.Fatal(err)
	}
	x, err := layout.NewTensor(l, d)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// laidOut returns the tensor of a shape in a layout of that name.
func laidOut(t *testing.T, shape, name string) layout.Tensor {
	t.Helper()
	sizes, err := layout.ParseShape(shape)
	if err != nil {
		t.Fatal(err)
	}
	n, err := layout.ParseName(name)
	if err != nil {
		t.Fatal(err)
	}
	x, err := layout.Spec{Shape: sizes, Name: &n}.Tensor()
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// numbersIn reads 2,3 or -1,4; the empty text is no numbers.
func numbersIn(t *testing.T, text string) []int64 {
	t.Helper()
	list, err := layout.ParseStrides("(" + text + ")")
	if err != nil {
		t.Fatal(err)
	}
	return list.Values()
}

// figureOf returns a notation's own figure of that name for the tensor.
func figureOf(t *testing.T, n *Notation, x layout.Tensor, name string) Size {
	t.Helper()
	sizes, err := n.Sizes(x)
	if err != nil {
		t.Error(err)
	}
	for _, s := range sizes {
		if s.Figure == name {
			return s
		}
	}
	t.Errorf("%s has no figure %s: %v", n.Name, name, sizes)
	return Size{}
}
