package notation

import (
	"strings"

	"layoutcalc/layout"
)

// A Descriptor is one tensor that a text describes.
type Descriptor struct {
	Name    string // what the text calls it, such as src or sizes; may be empty
	Tensor  layout.Tensor
	Typed   bool     // the text says the element type
	Skipped []string // what the text says that a layout does not hold

	Notation  *Notation // in which it was read
	At        int       // where in the text its sizes stand
	Plain     bool      // the text states sizes without strides
	Bytes     int64     // the size of the storage that the text states
	Computed  bool      // the text leaves that size to a call
	Alignment int64     // that of the storage, in bytes; 0 is none
	Flags     []string
}

// Options is what a text may leave open.
type Options struct {
	DType layout.DType // the element type where the text says none
	Dims  []int64      // what each ? in the text stands for
}

// A Size is a system's own figure for the storage of a tensor.
type Size struct {
	Figure   string // what the system calls it
	Elements int64
	Bytes    int64
}

// A Notation is one way of writing tensors.
type Notation struct {
	Name    string // by which flags know it
	Title   string // whose it is
	Example string
	Grammar string
	Can     string // what it can express
	Cannot  string

	fits   func(text string) bool // whether the text has this form, right or wrong
	read   func(*reader)
	write  func(layout.Tensor) (string, error)
	figure func(layout.Tensor) ([]Size, error) // nil where the system counts as we do
}

// All lists the notations.
func All() []*Notation { return all[:] }

// Find returns the notation of that name, in any case.
func Find(name string) (*Notation, error) {
	known := make([]string, len(all))
	for i, n := range all {
		if strings.EqualFold(n.Name, name) {
			return n, nil
		}
		known[i] = n.Name
	}
	hint := "the notations are " + strings.Join(known, ", ")
	if near := layout.Nearest(name, known); near != "" {
		hint = "did you mean " + near + "?"
	}
	return nil, &layout.SyntaxError{Input: name, Msg: "there is no notation of that name", Hint: hint}
}

// Read returns the tensors that the text describes in this notation.
func (n *Notation) Read(text string, o Options) ([]Descriptor, error) {
	r := &reader{text: text, options: o}
	if len(text) > layout.MaxText {
		return nil, tooLong(text)
	}
	n.read(r)
	r.end()
	if r.err == nil && r.filled < len(o.Dims) {
		r.fail(len(text), "", "--dim has %d values, the text %d places for them", len(o.Dims), r.filled)
	}
	if r.err == nil && len(r.found) == 0 {
		r.fail(0, "such as "+n.Example, "there is no tensor here")
	}
	for i := range r.found {
		r.found[i].Notation = n
		r.found[i].Skipped = notes(r.found[i].Skipped, r.skipped)
	}
	return r.found, r.err
}

// notes returns what is to be said of a tensor and of the text that it is in.
func notes(tensor, text []string) []string {
	if len(tensor) == 0 {
		return text // that all tensors share
	}
	for i, note := range tensor {
		tensor[i] = clip(note, maxMessage)
	}
	return append(tensor, text...)
}

// Write returns the text of the tensor, or a *LossError.
func (n *Notation) Write(t layout.Tensor) (string, error) {
	text, err := n.write(t)
	if loss, ok := err.(*LossError); ok {
		loss.Notation = n
	}
	return text, err
}

// Sizes returns the system's own figures for the storage of the tensor: what it takes in our
// terms where the system has none of its own.
func (n *Notation) Sizes(t layout.Tensor) ([]Size, error) {
	if _, err := n.Write(t); err != nil {
		return nil, err
	}
	return n.Figures(t)
}

// Figures is Sizes of a tensor that has been written. A figure that 64 bits do not hold is an error.
func (n *Notation) Figures(t layout.Tensor) ([]Size, error) {
	if n.figure == nil {
		low, high := t.Layout().Bounds()
		span := high - low + 1
		return []Size{{"span", span, t.Bytes(span)}}, nil
	}
	return n.figure(t)
}

// elementSize is a figure that counts elements, whole bytes for each and whether they share storage
// or not: more than there is where an axis is broadcast, and perhaps more than 64 bits hold.
func elementSize(t layout.Tensor, figure string) ([]Size, error) {
	n := t.Layout().Elements()
	bytes, err := layout.ProductOf([]int64{n, (t.DType().Bits() + 7) / 8})
	return []Size{{figure, n, bytes}}, overflowOf(figure, err)
}
