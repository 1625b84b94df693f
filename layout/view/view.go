package view

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// A View is a tensor after a step.
type View struct {
	Tensor layout.Tensor
	Copied bool   // the step had to copy the elements
	Why    string // why it had to, or what else there is to know
}

// Apply applies the steps one after the other, and returns the tensor after each.
func Apply(t layout.Tensor, steps []Step) ([]View, error) {
	views := make([]View, len(steps))
	for i, s := range steps {
		var err error
		if views[i], err = s.Apply(t); err != nil {
			return nil, err
		}
		t = views[i].Tensor
	}
	return views, nil
}

// Apply applies the step to a tensor. Strides are those that PyTorch gives, also to axes of
// size 1 and to tensors without elements. Steps that only NumPy has are as there.
func (s Step) Apply(t layout.Tensor) (View, error) {
	l := t.Layout()
	v := &viewing{before: l, axes: l.Axes(), base: l.Base(), storage: t.Storage()}
	apply := (*viewing).slice
	if s.op != nil {
		apply = s.op.apply
	}
	if err := apply(v, s); err != nil {
		return View{}, err
	}
	l, err := layout.New(v.base, v.axes...)
	if err != nil {
		return View{}, s.wrap(err)
	}
	after, err := layout.NewView(l, t.DType(), v.storage)
	if err != nil {
		return View{}, s.wrap(err)
	}
	return View{after, v.copied && !l.Empty(), v.note}, nil
}

// A viewing is a layout while a step changes it. New checks what comes out.
type viewing struct {
	before  layout.Layout
	axes    []layout.Axis
	base    int64
	storage int64
	copied  bool
	note    string
}

// called returns what axis i is called.
func (v *viewing) called(i int) string {
	return cmp.Or(v.axes[i].Name(), strconv.Itoa(i))
}

// names returns what the axes are called.
func (v *viewing) names() []string {
	names := make([]string, len(v.axes))
	for i := range names {
		names[i] = v.called(i)
	}
	return names
}

func (v *viewing) sizes() []int64 {
	sizes := make([]int64, len(v.axes))
	for i, a := range v.axes {
		sizes[i] = a.Size()
	}
	return sizes
}

func (v *viewing) empty() bool { return slices.Contains(v.sizes(), 0) }

// elements returns the product of the sizes, which no step makes larger than in a valid layout.
func (v *viewing) elements() int64 {
	n, _ := layout.ProductOf(v.sizes())
	return n
}

// unname takes away the names of the axes, which are of no use when some axis has none.
func (v *viewing) unname() {
	for i := range v.axes {
		v.axes[i] = layout.NewAxis("", v.axes[i].Size(), digitsOf(v.axes[i])...)
	}
}

// single makes an axis of one digit.
func single(name string, size, stride int64) layout.Axis {
	return layout.NewAxis(name, size, layout.Digit{Extent: size, Stride: stride})
}

// digitsOf returns the digits of the axis, outermost first.
func digitsOf(a layout.Axis) []layout.Digit {
	digits := make([]layout.Digit, a.Digits())
	for k := range digits {
		digits[k] = a.Digit(k)
	}
	return digits
}

// stride returns the stride of an axis that counts as one digit.
func (v *viewing) stride(i int) (int64, error) {
	stride, ok := v.axes[i].Linear()
	if !ok {
		return 0, &scan.SyntaxError{Msg: fmt.Sprintf("axis %s is in blocks, which this step cannot keep", v.called(i))}
	}
	return stride, nil
}

// move moves the base.
func (v *viewing) move(by int64) (err error) {
	v.base, err = layout.Add(v.base, by)
	return layout.NameOverflow("the storage offset", err)
}

// wrap makes an error without a place point at the step.
func (s Step) wrap(err error) error { return s.wrapAt(s.at, err) }

// wrapAt makes an error without a place point at a part of the step.
func (s Step) wrapAt(at int, err error) error {
	if e, ok := err.(*scan.SyntaxError); ok && e.Input == "" {
		return &scan.SyntaxError{Input: s.in, Offset: at, Msg: e.Msg, Hint: e.Hint}
	}
	if e, ok := err.(*layout.OverflowError); ok {
		return &layout.OverflowError{What: "after " + scan.Clip(s.text) + ", " + e.What, Exact: e.Exact, Hint: e.Hint}
	}
	return err
}
