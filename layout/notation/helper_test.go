package notation

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/shape"
)

// A reading is an input and its meaning: the type, if the input states one, then sizes @ strides, and + the storage
// offset if index 0 is not at 0.
type reading struct{ text, want, reason string }

// A wrong is an invalid input, the part of it that the error points at, empty for its end, and a part of the error or
// its hint.
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

// single returns the only tensor of text.
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

// figures returns the figures of a tensor that the notation can write.
func figures(n *Notation, t layout.Tensor) ([]Size, error) {
	if _, err := n.Write(t); err != nil {
		return nil, err
	}
	return n.Figures(t)
}

// meaning returns the meaning of d in the form of a reading.
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
	for _, s := range l.Swizzles() {
		text += " " + s.String()
	}
	if d.Typed {
		text = d.Tensor.DType().String() + " " + text
	}
	return text
}

// readers returns the notations that can be read. Package manifest reads the JSON notations.
func readers() []*Notation { return slices.DeleteFunc(slices.Clone(All()), (*Notation).IsJSON) }

// checkReadings reads the inputs and compares their meanings. If the notation writes such a tensor, the result must
// have the same meaning.
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
	if n.IsJSON() {
		return
	}
	found, err := n.Read(text, Options{DType: x.DType()})
	if err != nil || len(found) != 1 || !sameMap(found[0].Tensor.Like(x.Layout()), x) ||
		found[0].Tensor.DType() != x.DType() {
		t.Errorf("%s: %v is written as %s, which is read as %v, %v", n.Name, x.Layout(), text, found, err)
	}
}

// sameMap reports whether two tensors put every element at the same offset.
func sameMap(a, b layout.Tensor) bool {
	return slices.Equal(a.Layout().Sizes(), b.Layout().Sizes()) && analysis.Same(a.Layout(), b.Layout())
}

// checkRefusals reads invalid inputs.
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

// A fault is an input that no notation reads, with the position and the message of its error.
type fault struct{ text, at, says string }

// checkFaults reads inputs that no notation reads.
func checkFaults(t *testing.T, tests []fault) {
	t.Helper()
	for _, tt := range tests {
		found, err := Read(tt.text, Options{})
		var syntax *layout.SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(syntax.Msg, tt.says) ||
			!strings.HasPrefix(tt.text[syntax.Offset:], tt.at) {
			t.Errorf("%s: %v, %#v, want %q at %q", tt.text, found, err, tt.says, tt.at)
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
func laidOut(t *testing.T, dims, name string) layout.Tensor {
	t.Helper()
	sizes, err := shape.ParseShape(dims)
	if err != nil {
		t.Fatal(err)
	}
	n, err := shape.ParseName(name)
	if err != nil {
		t.Fatal(err)
	}
	x, err := shape.Spec{Shape: sizes, Name: &n}.Tensor()
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// numbersIn reads 2,3 or -1,4; the empty text has no numbers.
func numbersIn(t *testing.T, text string) []int64 {
	t.Helper()
	list, err := shape.ParseStrides("(" + text + ")")
	if err != nil {
		t.Fatal(err)
	}
	return list.Values()
}

// figureOf returns a notation's own figure of that name for the tensor.
func figureOf(t *testing.T, n *Notation, x layout.Tensor, name string) Size {
	t.Helper()
	sizes, err := figures(n, x)
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

// An at is an index and its offset according to a source.
type at struct {
	index  []int64
	offset int64
}

// A typeVector is an input with the properties that a source states for it.
type typeVector struct {
	text     string
	dims     []int64 // the value of each ?
	sizes    []int64
	elements int64 // the elements of the storage; -1 if unknown
	bytes    int64 // the bytes of the storage; -1 if unknown
	at       []at
	reason   string
}

func (v typeVector) check(t *testing.T, notation string) {
	t.Helper()
	d := readType(t, notation, v.text, Options{Dims: v.dims})
	if d == nil {
		return
	}
	l := d.Tensor.Layout()
	if !slices.Equal(l.Sizes(), v.sizes) || !d.Typed {
		t.Errorf("%s: sizes %v, typed %v, want %v: %s", v.text, l.Sizes(), d.Typed, v.sizes, v.reason)
	}
	if n := d.Tensor.Storage(); v.elements >= 0 && n != v.elements {
		t.Errorf("%s: a storage of %d, want %d: %s", v.text, n, v.elements, v.reason)
	}
	if n := d.Tensor.Bytes(d.Tensor.Storage()); v.bytes >= 0 && n != v.bytes {
		t.Errorf("%s: %d bytes, want %d: %s", v.text, n, v.bytes, v.reason)
	}
	for _, a := range v.at {
		if got, err := l.Offset(a.index); got != a.offset || err != nil {
			t.Errorf("%s: %v at %d (%v), want %d: %s", v.text, a.index, got, err, a.offset, v.reason)
		}
	}
}

// readType reads the only tensor of text. The notation must recognize it.
func readType(t *testing.T, notation, text string, o Options) *Descriptor {
	t.Helper()
	n, err := Find(notation)
	if err != nil {
		t.Fatal(err)
	}
	if !n.claims(text) {
		t.Errorf("%s does not know %s", notation, text)
	}
	found, err := n.Read(text, o)
	if err != nil || len(found) != 1 {
		t.Errorf("%s: %d tensors, %v", text, len(found), err)
		return nil
	}
	return &found[0]
}

// A typeRefusal is an input that is rejected, with the offset of the error and words in the error or its hint.
type typeRefusal struct {
	text   string
	offset int
	words  string
	reason string
}

func (v typeRefusal) check(t *testing.T, notation string) {
	t.Helper()
	n, err := Find(notation)
	if err != nil {
		t.Fatal(err)
	}
	_, err = n.Read(v.text, Options{})
	var syntax *layout.SyntaxError
	switch {
	case !errors.As(err, &syntax):
		t.Errorf("%s: %v, want a typeRefusal: %s", v.text, err, v.reason)
	case syntax.Offset != v.offset || !strings.Contains(syntax.Msg+" "+syntax.Hint, v.words):
		t.Errorf("%s: %d %q (%q), want %q at %d: %s", v.text, syntax.Offset, syntax.Msg, syntax.Hint, v.words, v.offset,
			v.reason)
	}
}

// rewrites checks that a tensor, written in a notation, reads back as the same tensor.
func rewrites(t *testing.T, notation string, tensor layout.Tensor, want string) {
	t.Helper()
	n, err := Find(notation)
	if err != nil {
		t.Fatal(err)
	}
	text, err := n.Write(tensor)
	if err != nil || text != want {
		t.Errorf("%s %v (%v), want %s", text, tensor.Layout(), err, want)
		return
	}
	d := readType(t, notation, text, Options{})
	if d != nil && (!analysis.Same(d.Tensor.Layout(), tensor.Layout()) || d.Tensor.DType() != tensor.DType()) {
		t.Errorf("%s reads back as %v %v, not %v %v", text, d.Tensor.DType(), d.Tensor.Layout(), tensor.DType(),
			tensor.Layout())
	}
}

// loses checks that a notation cannot write a tensor, and that the error has the reason.
func loses(t *testing.T, notation string, tensor layout.Tensor, words string) {
	t.Helper()
	n, err := Find(notation)
	if err != nil {
		t.Fatal(err)
	}
	text, err := n.Write(tensor)
	var loss *LossError
	if text != "" || !errors.As(err, &loss) || !strings.Contains(loss.Lost, words) {
		t.Errorf("%s writes %v as %q (%v), want a loss of %q", notation, tensor.Layout(), text, err, words)
	}
}

// givenTensor is the tensor of a layout name, or of strides.
func givenTensor(t *testing.T, dims, name string, dtype layout.DType, strides ...int64) layout.Tensor {
	t.Helper()
	sizes, err := shape.ParseShape(dims)
	if err != nil {
		t.Fatal(err)
	}
	description := shape.Spec{Shape: sizes, DType: dtype}
	if name != "" {
		n, err := shape.ParseName(name)
		if err != nil {
			t.Fatal(err)
		}
		description.Name = &n
	}
	if strides != nil {
		list := shape.NewList(strides, nil)
		description.Strides = &list
	}
	tensor, err := description.Tensor()
	if err != nil {
		t.Fatal(err)
	}
	return tensor
}

// stridedTensor is the tensor of sizes and strides after a base.
func stridedTensor(t *testing.T, base int64, sizes, strides []int64) layout.Tensor {
	t.Helper()
	l, err := layout.Strided(base, sizes, strides)
	if err != nil {
		t.Fatal(err)
	}
	return tensorOf(t, l)
}

func tensorOf(t *testing.T, l layout.Layout) layout.Tensor {
	t.Helper()
	tensor, err := layout.NewTensor(l, 0)
	if err != nil {
		t.Fatal(err)
	}
	return tensor
}

// TestMain lets garbage grow, because the tests read many short inputs.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	layouttest.Main(m)
}

// claims reports whether in has a mark of the notation.
func (n *Notation) claims(in string) bool {
	rows := marks().Rows(in, lexer.Lex(in), isClass)
	for i := range all {
		if all[i] == n {
			return rows>>i&1 != 0
		}
	}
	return false
}

// takes reports whether the notation reads in and has a mark in it.
func (n *Notation) takes(in string) bool {
	_, err := n.Read(in, Options{})
	return err == nil && n.claims(in)
}
