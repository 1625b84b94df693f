package layout

import "fmt"

// A View is a tensor after a step.
type View struct {
	Tensor Tensor
	Copied bool   // the step had to copy the elements
	Why    string // why it had to, or what else there is to know
}

// Apply applies the step to a tensor. Strides are those that PyTorch gives, also to axes of
// size 1 and to tensors without elements. Steps that only NumPy has are as there.
func (s Step) Apply(t Tensor) (View, error) {
	v := &viewing{axes: cloneAxes(t.layout.axes), base: t.layout.base, storage: t.storage}
	apply := (*viewing).slice
	if s.op != nil {
		apply = s.op.apply
	}
	if err := apply(v, s); err != nil {
		return View{}, err
	}
	l, err := newLayout(v.base, v.axes)
	if err != nil {
		return View{}, s.wrap(err)
	}
	after, err := NewTensor(l, t.dtype)
	if err != nil {
		return View{}, s.wrap(err)
	}
	after.storage, after.viewed = v.storage, true
	return View{after, v.copied && !l.Empty(), v.note}, nil
}

// A viewing is a layout while a step changes it. New checks what comes out.
type viewing struct {
	axes    []Axis
	base    int64
	storage int64
	copied  bool
	note    string
}

// called returns what axis i is called.
func (v *viewing) called(i int) string { return Layout{axes: v.axes}.AxisName(i) }

// unname takes away the names of the axes, which are of no use when some axis has none.
func (v *viewing) unname() {
	for i := range v.axes {
		v.axes[i].name = ""
	}
}

// single makes an axis of one digit.
func single(name string, size, stride int64) Axis {
	return Axis{name, size, []Digit{{size, stride}}}
}

// stride returns the stride of an axis that counts as one digit.
func (v *viewing) stride(i int) (int64, error) {
	stride, ok := v.axes[i].Linear()
	if !ok {
		return 0, &SyntaxError{Msg: fmt.Sprintf("axis %s is in blocks, which this step cannot keep", v.called(i))}
	}
	return stride, nil
}

// move moves the base.
func (v *viewing) move(by int64) (err error) {
	v.base, err = Add(v.base, by)
	return NameOverflow("the storage offset", err)
}

// wrap makes an error without a place point at the step.
func (s Step) wrap(err error) error { return s.wrapAt(s.at, err) }

// wrapAt makes an error without a place point at a part of the step.
func (s Step) wrapAt(at int, err error) error {
	if e, ok := err.(*SyntaxError); ok && e.Input == "" {
		return &SyntaxError{s.in, at, e.Msg, e.Hint}
	}
	if e, ok := err.(*OverflowError); ok {
		return &OverflowError{"after " + clip(s.text) + ", " + e.What, e.Exact, e.Hint}
	}
	return err
}
