package notation

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
)

// An at is an index and the offset where a source says that it lies.
type at struct {
	index  []int64
	offset int64
}

// A typeVector is a text with what a source says of it.
type typeVector struct {
	text     string
	dims     []int64 // what each ? stands for
	sizes    []int64
	elements int64 // of the storage; -1 is not said
	bytes    int64 // of the storage; -1 is not said
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

// readType reads the only tensor of a text, which the notation has to know by its form.
func readType(t *testing.T, notation, text string, o Options) *Descriptor {
	t.Helper()
	n, err := Find(notation)
	if err != nil {
		t.Fatal(err)
	}
	if !n.fits(text) {
		t.Errorf("%s does not know %s", notation, text)
	}
	found, err := n.Read(text, o)
	if err != nil || len(found) != 1 {
		t.Errorf("%s: %d tensors, %v", text, len(found), err)
		return nil
	}
	return &found[0]
}

// A typeRefusal is a text that is refused: where, and with which words in the error or its hint.
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
		t.Errorf("%s: %d %q (%q), want %q at %d: %s", v.text, syntax.Offset, syntax.Msg, syntax.Hint, v.words, v.offset, v.reason)
	}
}

// rewrites checks that a tensor, written in a notation, reads back as what it was.
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
	if d != nil && (!layout.Same(d.Tensor.Layout(), tensor.Layout()) || d.Tensor.DType() != tensor.DType()) {
		t.Errorf("%s reads back as %v %v, not %v %v", text, d.Tensor.DType(), d.Tensor.Layout(), tensor.DType(), tensor.Layout())
	}
}

// loses checks that a notation refuses to write a tensor, and says why.
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
func givenTensor(t *testing.T, shape, name string, dtype layout.DType, strides ...int64) layout.Tensor {
	t.Helper()
	sizes, err := layout.ParseShape(shape)
	if err != nil {
		t.Fatal(err)
	}
	spec := layout.Spec{Shape: sizes, DType: dtype}
	if name != "" {
		n, err := layout.ParseName(name)
		if err != nil {
			t.Fatal(err)
		}
		spec.Name = &n
	}
	if strides != nil {
		list := layout.NewList(strides, nil)
		spec.Strides = &list
	}
	tensor, err := spec.Tensor()
	if err != nil {
		t.Fatal(err)
	}
	return tensor
}

// stridedTensor is the tensor of sizes and strides behind a base.
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
