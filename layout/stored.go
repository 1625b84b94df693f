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
	l := t.layout
	if order := positions(strings.Split(t.name, ""), l.axisNames()); l.Named() && len(order) == len(l.axes) && !slices.Contains(order, -1) {
		sizes, ok = t.storedAxes(order)
		return sizes, false, ok
	}
	if l.Empty() {
		return l.Sizes(), false, l.base == 0
	}
	if l.base == 0 && t.storage == l.Elements() {
		if l.Contiguous() {
			return l.Sizes(), false, true
		}
		if l.columnMajor() {
			return l.Sizes(), true, true
		}
	}
	sizes, ok = t.storedDigits()
	return sizes, false, ok
}

// storedAxes returns the sizes of the axes in that order, if they leave no gap.
func (t Tensor) storedAxes(order []int) (sizes []int64, ok bool) {
	next := int64(1)
	ok = t.layout.Empty() || t.storage == t.layout.Elements()
	for _, i := range slices.Backward(order) {
		ok = t.layout.continues(i, &next) && ok || t.layout.Empty()
		sizes = append(sizes, t.layout.axes[i].size)
	}
	slices.Reverse(sizes)
	return sizes, ok && t.layout.base == 0
}

// columnMajor reports whether the first axis is innermost, and every other next to the one before.
func (l Layout) columnMajor() bool {
	next := int64(1)
	for i := range l.axes {
		if !l.continues(i, &next) {
			return false
		}
	}
	return true
}

// A placed digit is one that knows how far out the letter of its axis stands in the layout's name.
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
