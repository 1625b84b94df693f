package layout

import (
	"cmp"
	"slices"
	"strings"
)

// Stored returns the sizes of an array that has the elements in the order of the tensor's storage:
// its last index runs fastest or, if it is column-major, its first one. The layout's name gives the
// order of the axes. One without letters leaves them as they are if the first or the last is innermost;
// else, and where there are blocks, every digit becomes an axis, from the outermost in. It reports
// false when padding or an offset makes the storage no array.
func (t Tensor) Stored() (sizes []int64, columnMajor, ok bool) {
	order, named := t.axisOrder()
	if sizes, ok = t.storedAxes(order); ok || named {
		return sizes, false, ok
	}
	slices.Reverse(order)
	if _, ok = t.storedAxes(order); ok {
		return t.layout.Sizes(), true, true
	}
	sizes, ok = t.storedDigits()
	return sizes, false, ok
}

// axisOrder returns the axes in the order of the letters of the layout's name. Where it has none, or
// says more, they are in their own order.
func (t Tensor) axisOrder() (order []int, named bool) {
	l := t.layout
	order = positions(strings.Split(t.name, ""), l.axisNames())
	if l.Named() && len(order) == len(l.axes) && !slices.Contains(order, -1) {
		return order, true
	}
	order = make([]int, len(l.axes))
	for i := range order {
		order[i] = i
	}
	return order, false
}

// storedAxes returns the sizes of the axes in that order, if they leave no gap.
func (t Tensor) storedAxes(order []int) (sizes []int64, ok bool) {
	l, next := t.layout, int64(1)
	ok = l.base == 0 && (l.Empty() || t.storage == l.Elements())
	for _, i := range slices.Backward(order) {
		ok = ok && (l.Empty() || l.continues(i, &next))
		sizes = append(sizes, l.axes[i].size)
	}
	slices.Reverse(sizes)
	return sizes, ok
}

// A placedDigit knows where the letter of its axis stands in the layout's name.
type placedDigit struct {
	Digit
	letter int
}

// storedDigits returns the extents of all digits, from the longest stride to the shortest, if they
// leave no gap. Where strides are equal, only one digit turns, and the name tells their order.
func (t Tensor) storedDigits() (sizes []int64, ok bool) {
	var digits []placedDigit
	for i, a := range t.layout.axes {
		for _, d := range a.digits {
			digits = append(digits, placedDigit{d, strings.Index(t.name, t.layout.AxisName(i))})
		}
	}
	slices.SortStableFunc(digits, func(a, b placedDigit) int {
		return cmp.Or(cmp.Compare(b.Stride, a.Stride), cmp.Compare(a.letter, b.letter))
	})
	next := int64(1)
	for _, d := range slices.Backward(digits) {
		if d.Extent > 1 && d.Stride != next {
			return nil, false
		}
		next *= d.Extent
		sizes = append(sizes, d.Extent)
	}
	slices.Reverse(sizes)
	return sizes, t.layout.base == 0 && next == t.storage
}
