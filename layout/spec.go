package layout

import "fmt"

// A Spec describes a tensor the way its user does. Only Shape is needed.
type Spec struct {
	Shape     List
	Name      *Name        // row-major when nil
	Order     *Name        // the order of unlabelled sizes
	Strides   *List        // one for each axis
	Base      int64        // not negative
	Pad       []AxisNumber // unused elements behind every run of an axis
	Pitch     []AxisNumber // strides to keep
	Align     []AxisNumber // what strides are rounded up to a multiple of
	Broadcast []AxisRef    // axes that take no storage
	Rank      int          // how many axes there are to be at least
	DType     DType
	View      []Step // applied to the rest
}

// Tensor returns the tensor that the Spec describes.
func (s Spec) Tensor() (Tensor, error) {
	p, err := s.plan()
	if err != nil {
		return Tensor{}, err
	}
	var t Tensor
	if s.Strides != nil {
		t, err = p.stride(*s.Strides)
	} else {
		t, err = p.derive()
	}
	if err != nil {
		return Tensor{}, s.explain(err)
	}
	t.implicit = s.Name == nil && s.Order == nil && s.Strides == nil && !s.ruled()
	if t, err = newTensor(t); err != nil {
		return Tensor{}, err
	}
	return s.look(t)
}

// look applies the steps of the view.
func (s Spec) look(t Tensor) (Tensor, error) {
	for _, step := range s.View {
		v, err := step.Apply(t)
		if err != nil {
			return Tensor{}, err
		}
		t = v.Tensor
	}
	return t, nil
}

// Adjust returns a tensor whose layout is known already with what the Spec can still say of it:
// where index 0 lies, and how it is viewed.
func (s Spec) Adjust(t Tensor) (Tensor, error) {
	switch {
	case s.Strides != nil || s.ruled():
		return Tensor{}, &SyntaxError{Msg: "the text says every stride already: --strides, --pad, --pitch, --align and --broadcast cannot change them"}
	case s.Order != nil || s.Rank != 0:
		return Tensor{}, &SyntaxError{Msg: "the text lists every axis already: --order and --rank cannot change them", Hint: "--view 'unsqueeze(0)' adds an axis"}
	case s.Base != 0 && t.layout.base != 0:
		return Tensor{}, &SyntaxError{Msg: fmt.Sprintf("the text says the storage offset already: %d", t.layout.base), Hint: "leave out --storage-offset"}
	case s.Base < 0:
		return Tensor{}, &SyntaxError{Msg: fmt.Sprintf("the storage offset %d is negative", s.Base)}
	case s.Base > 0:
		var err error
		if t, err = t.moved(s.Base); err != nil {
			return Tensor{}, err
		}
	}
	return s.look(t)
}

// Shapes reports whether the Spec says of strides, offsets or views what a text that describes a
// whole tensor says itself.
func (s Spec) Shapes() bool {
	return s.ruled() || s.Strides != nil || s.Order != nil || s.Rank != 0 || s.Base != 0 || len(s.View) > 0
}

// ruled reports whether a flag changes the strides that the name gives.
func (s Spec) ruled() bool {
	return len(s.Pad)+len(s.Pitch)+len(s.Align)+len(s.Broadcast) > 0
}

// explain adds to a span that is too large what it comes to in bytes.
func (s Spec) explain(err error) error {
	e, ok := err.(*OverflowError)
	if !ok || e.What != "the span" {
		return err
	}
	bytes := Tensor{dtype: s.DType}.exactBuffer(e.Exact)
	return &OverflowError{e.What, e.Exact, fmt.Sprintf("as %s it would take a buffer of %v bytes", s.DType, bytes)}
}
