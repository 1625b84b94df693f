package analysis

import (
	"slices"
	"sort"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
)

// Stored returns the sizes of an array that has the elements in the order of the tensor's storage. Its last index is
// innermost or, if it is column-major, its first index. The letters of the layout's name determine the order of the
// axes. A layout without letters keeps its axes if the first or the last is innermost; otherwise, and if there are
// blocks, every digit becomes an axis, starting at the outermost. Stored reports false if padding, an offset or a
// swizzle prevents the storage from being an array.
func Stored(t layout.Tensor) (sizes []int64, columnMajor, ok bool) {
	if !t.Layout().IsIdle() {
		return nil, false, false
	}
	order, named := axisOrder(t)
	if sizes, ok = storedAxes(t, order); ok || named {
		return sizes, false, ok
	}
	slices.Reverse(order)
	if _, ok = storedAxes(t, order); ok {
		return t.Layout().Sizes(), true, true
	}
	sizes, ok = storedDigits(t)
	return sizes, false, ok
}

// axisOrder returns the axes in the order of the letters of the layout's name. If the name has no letters, or has more
// than letters, the axes keep their order.
func axisOrder(t layout.Tensor) (order []int, named bool) {
	l := t.Layout()
	order = lexer.Positions(strings.Split(t.Name(), ""), l.AxisNames())
	if l.Named() && len(order) == l.Rank() && !slices.Contains(order, -1) {
		return order, true
	}
	order = make([]int, l.Rank())
	for i := range order {
		order[i] = i
	}
	return order, false
}

// storedAxes returns the sizes of the axes in an order, if they leave no gap.
func storedAxes(t layout.Tensor, order []int) (sizes []int64, ok bool) {
	l, next := t.Layout(), int64(1)
	ok = l.Base() == 0 && (l.Empty() || t.Storage() == l.Elements())
	for _, i := range slices.Backward(order) {
		ok = ok && (l.Empty() || continues(l, i, &next))
		sizes = append(sizes, l.Axis(i).Size())
	}
	slices.Reverse(sizes)
	return sizes, ok
}

// A placedDigit is a digit with the position of its axis in the layout's name.
type placedDigit struct {
	layout.Digit
	letter int
}

// storedDigits returns the extents of all digits, from the largest stride to the smallest, if they leave no gap. If
// strides are equal, only one of the digits has an extent above 1, and the name determines their order.
func storedDigits(t layout.Tensor) (sizes []int64, ok bool) {
	var digits []placedDigit
	for i, a := range t.Layout().Axes() {
		for k := range a.Digits() {
			digits = append(digits, placedDigit{a.Digit(k), strings.Index(t.Name(), t.Layout().AxisName(i))})
		}
	}
	sort.SliceStable(digits, func(i, k int) bool {
		a, b := &digits[i], &digits[k]
		return a.Stride > b.Stride || a.Stride == b.Stride && a.letter < b.letter
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
	return sizes, t.Layout().Base() == 0 && next == t.Storage()
}
