package view

import (
	"fmt"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/wording"
)

// reshape changes the sizes of the tensor, as a view if PyTorch returns a view.
func reshape(v *viewing) {
	sizes := v.newSizes(v.at, v.given(), v.elements())
	if !v.blocked() || !slices.Equal(v.sizes(), sizes) {
		v.resize(sizes, "")
	}
}

// blocked reports whether an axis does not count as one digit.
func (v *reading) blocked() bool {
	for i := range v.axes {
		if _, ok := v.axes[i].Linear(); !ok {
			return true
		}
	}
	return false
}

// viewOnly is like reshape, but rejects a copy. Without arguments, NumPy keeps the shape, and PyTorch returns a scalar.
func viewOnly(v *viewing) {
	switch {
	case len(v.args) == 0 && v.of == layout.NumPy:
		return
	case len(v.args) == 0 && v.elements() != 1:
		v.refuse("such as view(3,-1), or --from numpy, which keeps the shape", "view() has no sizes")
		return
	}
	sizes := v.newSizes(v.at, v.given(), v.elements())
	v.resize(sizes, "contiguous() first, or reshape instead of view: both copy")
}

// resize changes the sizes to others with the same product. If that requires a copy, it copies, or fails with the hint
// if hint is not empty.
func (v *viewing) resize(sizes []int64, hint string) {
	if v.err != nil {
		return
	}
	strides, why := v.reshaped(sizes)
	switch {
	case strides != nil:
		v.restride(sizes, strides)
	case hint == "":
		v.copyTo(sizes, why)
	default:
		v.refuse(hint, "this cannot be a view: %s", why)
	}
}

// newSizes returns the sizes in the arguments of a step, with a size of -1 inferred from the number of elements, have;
// at is the offset of the arguments.
func (v *viewing) newSizes(at int, args []argument, have int64) []int64 {
	sizes := v.numbers(args)
	infer := -1
	for i, n := range sizes {
		switch {
		case n == -1 && infer >= 0:
			v.failAt(args[i].At, "", "only one size can be inferred")
		case n == -1:
			infer, sizes[i] = i, 1
		case n < 0:
			v.failAt(args[i].At, "-1 infers a size", "a size cannot be negative")
		}
	}
	want, err := layout.ProductOf(sizes)
	v.fault(layout.NameOverflow("the number of elements", err))
	if infer >= 0 && want > 0 && have%want == 0 {
		sizes[infer] = have / want
		return sizes
	}
	switch {
	case infer >= 0 && want > 0:
		v.failAt(at, "", "cannot infer a size: %d does not divide the %s", want, wording.Count(have, "element"))
	case infer >= 0 || have != want:
		if infer >= 0 {
			sizes[infer] = -1
		}
		v.failAt(at, "", "%s do not make a tensor of %s", wording.Count(have, "element"), layout.SizesText(sizes))
	}
	return sizes
}

// restride sets sizes and strides. Names stay if the sizes do.
func (v *viewing) restride(sizes, strides []int64) {
	names := make([]string, len(sizes))
	if slices.Equal(v.sizes(), sizes) {
		for i, a := range v.axes {
			names[i] = a.Name()
		}
	}
	v.axes = make([]layout.Axis, len(sizes))
	for i := range sizes {
		v.axes[i] = single(names[i], sizes[i], strides[i])
	}
}

// reshaped returns the strides of a view with the given sizes, or why there is no such view. Old and new sizes have the
// same product.
//
// Starting at the last axis, old axes are combined into a chunk as long as each continues the one after it; axes of
// size 1 always do. The new axes must fill each chunk exactly: an axis across two chunks would need two strides.
func (v *viewing) reshaped(sizes []int64) (strides []int64, why string) {
	old := make([]int64, len(v.axes))
	for i := range v.axes {
		var ok bool
		if old[i], ok = v.axes[i].Linear(); !ok {
			return nil, fmt.Sprintf("axis %s is in blocks", v.called(i))
		}
	}
	switch {
	case v.empty() && slices.Equal(v.sizes(), sizes):
		return old, ""
	case v.empty():
		return v.packed(sizes), ""
	case len(v.axes) == 0:
		return slices.Repeat([]int64{1}, len(sizes)), ""
	}
	return v.fill(old, sizes)
}

// packed returns the strides of a row-major tensor.
func (v *viewing) packed(sizes []int64) []int64 {
	strides, err := layout.PackedStrides(sizes, false)
	v.fault(err)
	return strides
}

// fill fills chunks of the old axes with the new ones.
func (v *viewing) fill(old, sizes []int64) (strides []int64, why string) {
	strides = make([]int64, len(sizes))
	next, base, chunk := len(sizes)-1, old[len(old)-1], int64(1)
	for i := len(old) - 1; i >= 0; i-- {
		chunk *= v.axes[i].Size()
		if i > 0 && (v.axes[i-1].Size() == 1 || continued(old[i-1], chunk, base)) {
			continue
		}
		filled := int64(1)
		for ; next >= 0 && (filled < chunk || sizes[next] == 1); next-- {
			strides[next] = v.times("the stride of an axis", filled, base)
			filled *= sizes[next]
		}
		if filled != chunk {
			return nil, fmt.Sprintf("axes %s and %s cannot merge: stride %d is not %d x %d",
				v.called(i-1), v.called(i), old[i-1], chunk, base)
		}
		if i > 0 {
			base, chunk = old[i-1], 1
		}
	}
	return strides, ""
}

// continued reports whether the stride goes on where chunk steps of base end.
func continued(stride, chunk, base int64) bool {
	end, err := layout.Mul(chunk, base)
	return err == nil && stride == end
}

// flatten merges the axes from the first given to the last into one.
func flatten(v *viewing) {
	if len(v.axes) == 0 {
		v.resize([]int64{1}, "")
		v.bounds()
		return
	}
	first, last := v.bounds()
	if v.err != nil || first == last {
		v.itsOwn = true
		return
	}
	sizes := v.sizes()
	merged, err := layout.ProductOf(sizes[first : last+1])
	v.fault(err)
	v.resize(slices.Replace(sizes, first, last+1, merged), "")
}

// bounds returns the first and the last axis that the arguments name.
func (v *viewing) bounds() (first, last int) {
	first, last = v.axis(v.args[0]), v.axis(v.args[1])
	if first > last {
		v.fail(0, "", "axis %s comes after axis %s", v.called(first), v.called(last))
	}
	return first, last
}

// unflatten splits an axis.
func unflatten(v *viewing) {
	if len(v.args[1].List) == 0 {
		v.usage()
		return
	}
	axis := v.axis(v.args[0])
	if v.err != nil {
		return
	}
	sizes := v.newSizes(v.args[1].At, v.args[1].List, v.axes[axis].Size())
	v.resize(slices.Replace(v.sizes(), axis, axis+1, sizes...), "contiguous() first")
}

// asStrided sets the sizes, the strides and, if there is a third argument, the base.
func asStrided(v *viewing) {
	if v.args[0].Kind != literal.List || v.args[1].Kind != literal.List {
		v.usage()
		return
	}
	sizes, strides := v.numbers(v.args[0].List), v.numbers(v.args[1].List)
	if v.args[2].Kind != literal.Nothing {
		v.base = v.number(v.args[2])
	}
	if v.base < 0 {
		v.fail(2, "", "a storage offset cannot be negative")
	}
	v.lay(sizes, strides)
}

// asStridedBytes is NumPy's as_strided, with strides in bytes.
func asStridedBytes(v *viewing) {
	sizes, strides, item := v.sizes(), []int64(nil), v.dtype.Bits()/8
	if v.args[0].Kind != literal.Nothing {
		sizes = v.numbers(items(v.args[:1]))
	}
	if a := v.args[1]; a.Kind == literal.Nothing {
		strides = v.strides()
	} else if strides = v.numbers(items(v.args[1:2])); v.err == nil {
		for i, n := range strides {
			if strides[i] = n / max(item, 1); strides[i]*item != n {
				v.failAt(a.At, "", "%d is not a multiple of the %d bytes of a %s", n, item, v.dtype)
			}
		}
	}
	v.lay(sizes, strides)
}

// lay sets sizes and strides. In PyTorch the tensor must stay inside its storage.
func (v *viewing) lay(sizes, strides []int64) {
	l, err := layout.Strided(v.base, sizes, strides)
	if v.fault(err); v.err != nil {
		return
	}
	low, high := l.Bounds()
	if v.of != layout.NumPy && (low < 0 || high >= v.storage) {
		v.refuse("", "the elements lie at %d to %d: that needs %s, the storage has %d",
			low, high, wording.Count(high+1, "element"), v.storage)
	}
	v.axes, v.storage = l.Axes(), max(v.storage, high+1)
}

// ravel merges all axes into one, with a copy unless the tensor is contiguous.
func ravel(v *viewing) {
	v.asOrdered("C", notContiguous)
	v.resize([]int64{v.elements()}, "")
	v.itsOwn = false
}

// reshapeIn is NumPy's reshape, which can count the elements starting at the first axis.
func reshapeIn(v *viewing) {
	order, _ := v.isOrdered(v.order("C"))
	if order == "K" {
		v.failAt(v.option("order").At, "'C', 'F' or 'A'", "reshape has no such order")
	}
	sizes := v.newSizes(v.at, v.given(), v.elements())
	if order != "F" {
		v.resize(sizes, "")
		return
	}
	slices.Reverse(sizes)
	slices.Reverse(v.axes)
	v.resize(sizes, "")
	slices.Reverse(v.axes)
}

// flattenCopy is NumPy's flatten.
func flattenCopy(v *viewing) {
	if v.order("C"); v.err == nil {
		v.copyTo([]int64{v.elements()}, "NumPy's flatten copies; ravel does not if it need not")
	}
}

// ravelIn is NumPy's ravel: one axis, without a copy if the elements are packed in the requested order.
func ravelIn(v *viewing) {
	order, ok := v.isOrdered(v.order("C"))
	if order == "K" {
		ok = v.isDense(v.strides())
	}
	switch size := []int64{v.elements()}; {
	case v.err != nil:
	case ok:
		v.restride(size, []int64{1})
	default:
		v.copyTo(size, "the elements are not packed in the order "+order)
	}
}
