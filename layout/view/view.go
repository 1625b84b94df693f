// Package view applies view operations to tensors, each with the meaning of the step's system, PyTorch or NumPy.
// [ParseSteps] reads them and [Apply] applies them. If a step needs a copy, the result states the reason.
//
// A step changes a list of axes and a base, and layout.New checks the result. Axes of several digits are kept if
// possible: permuted, indexed, cut between blocks. A reshape combines old axes into chunks and fills them with the new
// ones by PyTorch's rule; if the chunks do not fit, it names the axes that cannot be merged.
package view

import (
	"cmp"
	"slices"
	"strconv"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/wording"
)

// A View is a tensor after a step.
type View struct {
	Tensor layout.Tensor
	Copied bool   // the step had to copy the elements
	Why    string // the reason for the copy
	Itself bool   // the step returned the tensor that it was applied to
}

// Apply applies the steps one after the other, as in a system: PyTorch, NumPy, or layout.Others if no system is named.
// It returns the tensor after each step, up to the first that fails.
func Apply(t layout.Tensor, steps []Step, of layout.System) ([]View, error) {
	views := make([]View, len(steps))
	for i, s := range steps {
		var err error
		if views[i], err = s.Apply(t, of); err != nil {
			return views[:i], err
		}
		t = views[i].Tensor
	}
	return views, nil
}

// Apply applies the step to a tensor, as in a system. If no system is named, it applies the step as in PyTorch, or as
// in NumPy if PyTorch rejects it. The strides equal PyTorch's strides, also for axes of size 1 and for tensors without
// elements.
func (s Step) Apply(t layout.Tensor, of layout.System) (View, error) {
	l := t.Layout()
	v := &viewing{
		reading: reading{Step: s, axes: l.Axes()}, of: s.system(of), before: l, base: l.Base(), storage: t.Storage(),
		dtype: t.DType(),
	}
	if of == layout.Others && s.module == nil && s.isBackward() {
		v.note = "a negative step as in NumPy; PyTorch rejects it (--from pytorch or numpy names the system)"
	}
	if s.op == nil {
		v.slice()
	} else {
		m := s.op.torch
		if v.of == layout.NumPy && s.op.numpy.apply != nil {
			m = s.op.numpy
		}
		if v.bind(m.params); v.err == nil {
			m.apply(v)
		}
	}
	if v.err != nil {
		return View{}, v.err
	}
	from := v.before
	if v.copied {
		from = from.Affine()
	}
	l, err := from.Remade(v.base, v.axes...)
	if err == nil {
		var made layout.Tensor
		made, err = layout.NewView(l, v.dtype, v.storage)
		t = made.OfSystem(t.System())
	}
	v.at = s.at
	v.fault(err)
	return View{t, v.copied && !l.Empty(), v.note, v.itsOwn || v.InPlace()}, v.err
}

// system returns the system that defines the step, if of is the system of its tensor. It is the system of the function
// that the steps start with, NumPy for a negative step if no system is named, NumPy for an operation that PyTorch does
// not have, and otherwise of.
func (s Step) system(of layout.System) layout.System {
	switch {
	case s.module != nil:
		of = s.module.of
	case of == layout.Others && s.isBackward():
		return layout.NumPy
	}
	if s.op != nil && s.op.torch.apply == nil {
		return layout.NumPy
	}
	return of
}

// isBackward reports whether the step is a slice with a negative step.
func (s Step) isBackward() bool {
	return s.op == nil && slices.ContainsFunc(s.items, func(item sliceItem) bool {
		return item.step != nil && *item.step < 0
	})
}

// A viewing is a layout that a step changes. Changes after the first error have no effect. New checks the result.
type viewing struct {
	reading
	of      layout.System
	options []argument // given by name
	before  layout.Layout
	base    int64
	storage int64
	dtype   layout.DType
	copied  bool
	itsOwn  bool // the step returns the tensor itself
	note    string
}

// A reading is a step with arguments that are read for the axes of a layout. It keeps its first error.
type reading struct {
	Step
	axes []layout.Axis
	err  error
}

// fault records an error unless an error is recorded already. An error without a position points at the step.
func (v *reading) fault(err error) {
	if v.err != nil {
		return
	}
	switch e := err.(type) {
	case *lexer.SyntaxError:
		if e.Input == "" {
			err = e.In(v.Step.in, v.at)
		}
	case *layout.OverflowError:
		err = &layout.OverflowError{What: "after " + wording.Clip(v.text) + ", " + e.What, Exact: e.Exact, Hint: e.Hint}
	}
	v.err = err
}

// fail records an error that points at an argument, or at the step if there are fewer arguments.
func (v *reading) fail(arg int, hint, format string, args ...any) {
	at := v.at
	if given := v.given(); arg < len(given) {
		at = given[arg].At
	}
	v.failAt(at, hint, format, args...)
}

// refuse records an error that points at the step.
func (v *reading) refuse(hint, format string, args ...any) { v.failAt(v.at, hint, format, args...) }

// failAt records an error that points at a byte of the step's text.
func (v *reading) failAt(at int, hint, format string, args ...any) {
	v.fault(v.Step.failAt(at, hint, format, args...))
}

// dot returns the sum of the products of a and b. Errors call the result what.
func (v *reading) dot(what string, a, b []int64) int64 {
	n, err := layout.Dot(a, b)
	v.fault(layout.NameOverflow(what, err))
	return n
}

// times returns a × b. Errors call the result what.
func (v *reading) times(what string, a, b int64) int64 { return v.dot(what, []int64{a}, []int64{b}) }

// move moves the base by n strides.
func (v *viewing) move(n, stride int64) {
	v.base = v.dot("the storage offset", []int64{v.base, n}, []int64{1, stride})
}

// strideOf returns the name of an axis's stride for errors.
func (v *reading) strideOf(axis int) string { return "the stride of axis " + v.called(axis) }

// called returns the name of axis i.
func (v *reading) called(i int) string {
	return cmp.Or(v.axes[i].Name(), strconv.Itoa(i))
}

// names returns the names of the axes.
func (v *reading) names() []string {
	names := make([]string, len(v.axes))
	for i := range names {
		names[i] = v.called(i)
	}
	return names
}

func (v *reading) sizes() []int64 {
	sizes := make([]int64, len(v.axes))
	for i, a := range v.axes {
		sizes[i] = a.Size()
	}
	return sizes
}

func (v *reading) empty() bool { return slices.Contains(v.sizes(), 0) }

// elements returns the product of the sizes, which no step makes larger than in a valid layout.
func (v *reading) elements() int64 {
	n, _ := layout.ProductOf(v.sizes())
	return n
}

// unname removes the names of all axes.
func (v *viewing) unname() {
	for i := range v.axes {
		v.axes[i] = layout.NewAxis("", v.axes[i].Size(), v.axes[i].DigitList()...)
	}
}

// single makes an axis of one digit.
func single(name string, size, stride int64) layout.Axis {
	return layout.NewAxis(name, size, layout.Digit{Extent: size, Stride: stride})
}

// stride returns the stride of an axis that counts as one digit.
func (v *reading) stride(i int) int64 {
	stride, ok := v.axes[i].Linear()
	if !ok {
		v.refuse("", "axis %s is in blocks, which this step cannot keep", v.called(i))
	}
	return stride
}

func permute(v *viewing) {
	order := v.axisList(v.args)
	if len(order) != len(v.axes) && v.err == nil {
		msg := wording.Count(len(order), "position") + " for " + wording.Count(len(v.axes), "axis")
		err := &lexer.SyntaxError{Input: v.in, Offset: v.at, Msg: msg}
		v.fault(err.DidYouMean(v.text, v.name+"("+layout.JoinInts(v.complete(order), ",")+")"))
	}
	v.rearrange(order)
}

// complete returns the axes of an incomplete order, followed by the other axes.
func (v *viewing) complete(order []int) []int64 {
	var all []int64
	for _, axis := range order {
		all = append(all, int64(axis))
	}
	for axis := range v.axes {
		if !slices.Contains(order, axis) {
			all = append(all, int64(axis))
		}
	}
	return all
}

func (v *viewing) rearrange(order []int) {
	axes := make([]layout.Axis, len(order))
	for i, from := range order {
		axes[i] = v.axes[from]
	}
	v.axes = axes
}

// transpose puts the axes into another order, or reverses them.
func transpose(v *viewing) {
	if len(v.args) == 0 || v.args[0].Word == "None" {
		slices.Reverse(v.axes)
		return
	}
	permute(v)
}

// swap swaps two axes.
func swap(v *viewing) {
	if !v.scalar() {
		a, b := v.axis(v.args[0]), v.axis(v.args[1])
		v.axes[a], v.axes[b] = v.axes[b], v.axes[a]
	}
}

func reverse(v *viewing) { slices.Reverse(v.axes) }

// matrix swaps the axes of a matrix. It does not change tensors with fewer axes.
func matrix(v *viewing) {
	if len(v.axes) > 2 {
		v.refuse("permute and transpose take any rank", "t() is for at most 2 axes, and this tensor has %d",
			len(v.axes))
		return
	}
	reverse(v)
}

func matrixTranspose(v *viewing) {
	n := len(v.axes)
	if n < 2 {
		v.refuse("", "a matrix has two axes at least, this tensor %d", n)
		return
	}
	v.axes[n-2], v.axes[n-1] = v.axes[n-1], v.axes[n-2]
}

// newTranspose is NumPy's mT.
func newTranspose(v *viewing) {
	v.note = "arrays have mT in NumPy 2.0 and later"
	matrixTranspose(v)
}

// movedim moves axes to other positions; the others keep their order.
func movedim(v *viewing) {
	if v.scalar() {
		return
	}
	from, to := v.axisList(v.args[:1]), v.axisList(v.args[1:])
	if len(from) != len(to) {
		v.fail(1, "", "%s to move to %s", wording.Count(len(from), "axis"), wording.Count(len(to), "position"))
		return
	}
	v.rearrange(moved(len(v.axes), from, to))
}

// moved returns the permutation of n axes that moves axis from[i] to position to[i].
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

// expand broadcasts axes of size 1, and adds new ones before all others. A size of -1 stays unchanged.
func expand(v *viewing) { v.expandTo(v.numbers(v.given())) }

// broadcast expands the tensor to its common shape with another one, and notes the strides of the other.
func broadcast(v *viewing) {
	other := v.numbers(v.given())
	strides, err := layout.PackedStrides(other, false)
	if err != nil {
		v.fault(err)
		return
	}
	common := make([]int64, max(len(other), len(v.axes)))
	theirs := make([]int64, len(common))
	for i := range common {
		at, own := i+len(other)-len(common), i+len(v.axes)-len(common)
		size := int64(1)
		if own >= 0 {
			size = v.axes[own].Size()
		}
		common[i] = size
		if at < 0 {
			continue
		}
		switch more := other[at]; {
		case more < 0:
			v.fail(at, "", "a size cannot be negative")
		case size == more:
			theirs[i] = strides[at]
		case size == 1:
			common[i], theirs[i] = more, strides[at]
		case more != 1:
			const hint = "each two sizes have to be equal, or one of them 1, starting at the last"
			v.fail(at, hint, "an axis of size %d and one of size %d have no common size", size, more)
		}
	}
	v.note = "the other tensor, (" + layout.JoinInts(other, ",") + "), has the strides " + layout.JoinInts(theirs, ",")
	v.expandTo(common)
}

// expandTo repeats axes of size 1 without memory, and adds others before the first, so that the tensor has the given
// sizes.
func (v *viewing) expandTo(sizes []int64) {
	more := len(sizes) - len(v.axes)
	if more < 0 {
		v.refuse("", "%s for %s", wording.Count(len(sizes), "size"), wording.Count(len(v.axes), "axis"))
		return
	}
	axes := make([]layout.Axis, len(sizes))
	for i, size := range slices.Backward(sizes) {
		if i >= more {
			axes[i] = v.axes[i-more]
		} else {
			axes[i] = single("", 1, v.outside(axes[i+1:]))
		}
		switch old := axes[i]; {
		case size == -1 && i >= more || size == old.Size():
		case size < 0:
			v.fail(i, "-1 keeps the size of an existing axis", "a size cannot be negative")
		case old.Size() != 1:
			v.fail(i, "only axes of size 1 can be broadcast", "an axis of size %d cannot get size %d", old.Size(), size)
		default:
			axes[i] = single(old.Name(), size, 0)
		}
	}
	if v.axes = axes; more > 0 {
		v.unname()
	}
}

// outside returns the stride that PyTorch gives a new axis before others: the size of the first axis times its stride,
// or 0 if there are no axes.
func (v *viewing) outside(axes []layout.Axis) int64 {
	if len(axes) == 0 {
		return 0
	}
	stride, _ := axes[0].Linear()
	return v.times("the stride of the new axis", axes[0].Size(), stride)
}

// squeeze drops the given axis of size 1, or all of them.
func squeeze(v *viewing) {
	if len(v.args) == 0 {
		v.axes = slices.DeleteFunc(v.axes, func(a layout.Axis) bool { return a.Size() == 1 })
		return
	}
	if v.scalar() {
		return
	}
	given := v.axisList(v.args)
	slices.Sort(given)
	for _, axis := range slices.Backward(given) {
		if v.axes[axis].Size() == 1 {
			v.axes = slices.Delete(v.axes, axis, axis+1)
		}
	}
}

// squeezeOnes is NumPy's squeeze, which rejects axes of other sizes.
func squeezeOnes(v *viewing) {
	for _, axis := range v.axisList(v.args) {
		if n := v.axes[axis].Size(); n != 1 {
			v.refuse("", "axis %s has size %d, and is not squeezed", v.called(axis), n)
			return
		}
	}
	squeeze(v)
	v.itsOwn = len(v.axes) == v.before.Rank()
}

// unsqueeze inserts axes of size 1, only one for PyTorch, at indices in the resulting list of axes.
func unsqueeze(v *viewing) {
	given := v.given()
	if len(given) == 0 || len(given) > 1 && v.of != layout.NumPy {
		v.usage()
		return
	}
	var at []int
	for _, a := range given {
		if a.Kind != literal.Number {
			v.usage()
			return
		}
		at = append(at, v.axisAmong(a, len(v.axes)+len(given)))
	}
	slices.Sort(at)
	for i, axis := range at {
		if axis > len(v.axes) || i > 0 && axis == at[i-1] {
			v.usage()
			return
		}
		v.insert(axis)
	}
}

// insert adds an axis of size 1 before the given one, with the stride that PyTorch gives it.
func (v *viewing) insert(axis int) {
	stride := int64(1)
	if axis < len(v.axes) {
		stride = v.outside(v.axes[axis:])
	} else if v.of == layout.NumPy && axis > 0 {
		stride, _ = v.axes[axis-1].Linear()
	}
	v.axes = slices.Insert(v.axes, axis, single("", 1, stride))
	v.unname()
}
