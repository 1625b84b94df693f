// Package view applies view operations, as PyTorch and NumPy have them, to tensors: [ParseSteps] reads
// them, [Apply] does them, and where one needs a copy it says why. It imports layout, facts and scan.
package view

import (
	"cmp"
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
		v.axes[i] = layout.NewAxis("", v.axes[i].Size(), v.axes[i].AllDigits()...)
	}
}

// single makes an axis of one digit.
func single(name string, size, stride int64) layout.Axis {
	return layout.NewAxis(name, size, layout.Digit{Extent: size, Stride: stride})
}

// stride returns the stride of an axis that counts as one digit.
func (v *viewing) stride(i int) (int64, error) {
	stride, ok := v.axes[i].Linear()
	if !ok {
		return 0, scan.Refuse("", "axis %s is in blocks, which this step cannot keep", v.called(i))
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
		return s.failAt(at, e.Hint, "%s", e.Msg)
	}
	if e, ok := err.(*layout.OverflowError); ok {
		return &layout.OverflowError{What: "after " + scan.Clip(s.text) + ", " + e.What, Exact: e.Exact, Hint: e.Hint}
	}
	return err
}

func (v *viewing) permute(s Step) error {
	order, err := s.axes(v)
	if err != nil {
		return err
	}
	if len(order) != len(v.axes) {
		return s.fail(-1, "", "%s for %d axes", scan.Count(len(order), "position"), len(v.axes))
	}
	v.rearrange(order)
	return nil
}

func (v *viewing) rearrange(order []int) {
	axes := make([]layout.Axis, len(order))
	for i, from := range order {
		axes[i] = v.axes[from]
	}
	v.axes = axes
}

func (v *viewing) transpose(s Step) error {
	if len(s.args) != 2 {
		return s.usage(-1)
	}
	if none, err := s.scalar(v); none {
		return err
	}
	a, err := s.axis(v, s.args[0], len(v.axes))
	if err != nil {
		return err
	}
	b, err := s.axis(v, s.args[1], len(v.axes))
	if err == nil {
		v.axes[a], v.axes[b] = v.axes[b], v.axes[a]
	}
	return err
}

func (v *viewing) reverse(s Step) error {
	slices.Reverse(v.axes)
	return v.noArguments(s)
}

func (v *viewing) matrixTranspose(s Step) error {
	n := len(v.axes)
	if n < 2 {
		return s.fail(-1, "", "a matrix has two axes at least, this tensor %d", n)
	}
	v.axes[n-2], v.axes[n-1] = v.axes[n-1], v.axes[n-2]
	return v.noArguments(s)
}

func (v *viewing) noArguments(s Step) error {
	if len(s.args) > 0 {
		return s.usage(0)
	}
	return nil
}

// movedim moves axes to other positions; the others keep their order.
func (v *viewing) movedim(s Step) error {
	if len(s.args) != 2 {
		return s.usage(-1)
	}
	if none, err := s.scalar(v); none {
		return err
	}
	from, err := s.part(0).axes(v)
	if err != nil {
		return err
	}
	to, err := s.part(1).axes(v)
	if err != nil {
		return err
	}
	if len(from) != len(to) {
		return s.fail(1, "", "%d axes to move to %s", len(from), scan.Count(len(to), "position"))
	}
	v.rearrange(moved(len(v.axes), from, to))
	return nil
}

// moved returns the order of n axes after those of from went to the positions of to.
func moved(n int, from, to []int) []int {
	order := slices.Repeat([]int{-1}, n)
	for i, at := range to {
		order[at] = from[i]
	}
	next := 0
	for i := range order {
		for slices.Contains(from, next) {
			next++
		}
		if order[i] < 0 {
			order[i] = next
			next++
		}
	}
	return order
}

// expand broadcasts axes of size 1, and puts new ones before all others. -1 keeps a size.
func (v *viewing) expand(s Step) error {
	sizes, err := s.numbers()
	if err != nil {
		return err
	}
	more := len(sizes) - len(v.axes)
	if more < 0 {
		return s.fail(-1, "", "%s for %d axes", scan.Count(len(sizes), "size"), len(v.axes))
	}
	axes := make([]layout.Axis, len(sizes))
	for i := len(sizes) - 1; i >= 0; i-- {
		var old layout.Axis
		if i >= more {
			old = v.axes[i-more]
		} else {
			stride, err := outside(axes[i+1:])
			if err != nil {
				return s.wrap(err)
			}
			old = single("", 1, stride)
		}
		if axes[i], err = expanded(old, sizes[i], i < more); err != nil {
			e := err.(*scan.SyntaxError)
			return s.fail(i, e.Hint, "%s", e.Msg)
		}
	}
	if v.axes = axes; more > 0 {
		v.unname()
	}
	return nil
}

// expanded broadcasts the axis to another size. A new axis has no size to keep.
func expanded(a layout.Axis, size int64, isNew bool) (layout.Axis, error) {
	switch {
	case size == -1 && !isNew || size == a.Size():
		return a, nil
	case size < 0:
		return a, scan.Refuse("-1 keeps the size of an axis that is there", "a size cannot be negative")
	case a.Size() != 1:
		return a, scan.Refuse("only axes of size 1 can be broadcast",
			"an axis of size %d cannot get size %d", a.Size(), size)
	}
	return single(a.Name(), size, 0), nil
}

// outside is the stride that PyTorch gives a new axis before others, their first one's size
// times its stride, and 0 before none.
func outside(axes []layout.Axis) (int64, error) {
	if len(axes) == 0 {
		return 0, nil
	}
	stride, _ := axes[0].Linear()
	return layout.Mul(axes[0].Size(), stride)
}

// squeeze drops the axis of size 1 that is given, or all of them.
func (v *viewing) squeeze(s Step) error {
	if len(s.args) == 0 {
		v.axes = slices.DeleteFunc(v.axes, func(a layout.Axis) bool { return a.Size() == 1 })
		return nil
	}
	if none, err := s.scalar(v); none {
		return err
	}
	given, err := s.axes(v)
	if err != nil {
		return err
	}
	slices.Sort(given)
	for _, axis := range slices.Backward(given) {
		if v.axes[axis].Size() == 1 {
			v.axes = slices.Delete(v.axes, axis, axis+1)
		}
	}
	return nil
}

func (v *viewing) unsqueeze(s Step) error {
	if len(s.args) != 1 || s.args[0].word != "" {
		return s.usage(-1)
	}
	axis, err := s.axis(v, s.args[0], len(v.axes)+1)
	if err != nil {
		return err
	}
	return s.wrap(v.insert(axis))
}

// insert puts an axis of size 1 before the given one, with the stride that PyTorch gives it.
func (v *viewing) insert(axis int) error {
	stride := int64(1)
	if axis < len(v.axes) {
		var err error
		if stride, err = outside(v.axes[axis:]); err != nil {
			return layout.NameOverflow("the stride of the new axis", err)
		}
	}
	v.axes = slices.Insert(v.axes, axis, single("", 1, stride))
	v.unname()
	return nil
}
