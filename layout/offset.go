package layout

import (
	"fmt"
	"iter"

	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// Offset returns the offset of the element at the index, one number for each axis.
func (l Layout) Offset(index []int64) (int64, error) {
	if _, err := l.CheckIndex(index); err != nil {
		return 0, err
	}
	return l.offset(index), nil
}

// CheckIndex returns an error if an index is invalid, with the axis that is wrong, which is the rank if the index does
// not have one number for each axis.
func (l Layout) CheckIndex(index []int64) (axis int, err error) {
	if len(index) != len(l.axes) {
		msg := fmt.Sprintf("%s for a tensor of rank %d", wording.Count(len(index), "number"), len(l.axes))
		return len(l.axes), lexer.Refuse("", "%s", msg)
	}
	for i, v := range index {
		if v < 0 || v >= l.axes[i].size {
			return i, lexer.Refuse("", "%s", l.outOfRange(i, v))
		}
	}
	return 0, nil
}

// offset is like Offset, for an index that is known to be valid.
func (l Layout) offset(index []int64) int64 {
	offset := l.base
	for i, v := range index {
		offset += l.axes[i].offset(v)
	}
	if l.swizzle != nil {
		return l.swizzle.apply(offset)
	}
	return offset
}

// AxisNames returns the names of the axes.
func (l Layout) AxisNames() []string {
	names := make([]string, len(l.axes))
	for i := range names {
		names[i] = l.AxisName(i)
	}
	return names
}

func (l Layout) outOfRange(axis int, v int64) string {
	size := l.axes[axis].size
	if size == 0 {
		return fmt.Sprintf("axis %s has size 0: there are no elements", l.AxisName(axis))
	}
	return fmt.Sprintf("index %d is out of range: axis %s counts from 0 to %d", v, l.AxisName(axis), size-1)
}

// All yields every index in row-major order, with its offset. It reuses the slice for every index.
func (l Layout) All() iter.Seq2[[]int64, int64] {
	return func(yield func([]int64, int64) bool) {
		if l.Empty() {
			return
		}
		index, offset := make([]int64, len(l.axes)), l.base
		for {
			at := offset
			if l.swizzle != nil {
				at = l.swizzle.apply(offset)
			}
			if !yield(index, at) {
				return
			}
			i := len(index) - 1
			for ; i >= 0 && index[i] == l.axes[i].size-1; i-- {
				offset -= l.axes[i].offset(index[i])
				index[i] = 0
			}
			if i < 0 {
				return
			}
			offset += l.axes[i].step(index[i])
			index[i]++
		}
	}
}

// step returns the change of the offset from index i of the axis to the next.
func (a Axis) step(i int64) int64 {
	if len(a.digits) == 1 {
		return a.digits[0].Stride
	}
	return a.offset(i+1) - a.offset(i)
}

// Ordinal returns the position of the element in row-major order, ignoring axes of stride 0, so that broadcast copies
// have the number of their original.
func (l Layout) Ordinal(index []int64) int64 {
	n := int64(0)
	for i, v := range index {
		if a := &l.axes[i]; !a.Broadcast() {
			n = n*a.size + v
		}
	}
	return n
}

// Ordinals returns the number of ordinals.
func (l Layout) Ordinals() int64 {
	n := int64(1)
	for i := range l.axes {
		if a := &l.axes[i]; !a.Broadcast() {
			n *= a.size
		}
	}
	return n
}

// Elements returns the number of elements, the product of the sizes.
//
// It is not inlined because it has many callers, and inlining would increase the size of each.
//
//go:noinline
func (l Layout) Elements() int64 {
	n := int64(1)
	for _, a := range l.axes {
		n *= max(a.size, 1)
	}
	if l.Empty() {
		return 0
	}
	return n
}

// Bounds returns the lowest and the highest offset of an element, or 0 and -1 if there are no elements.
func (l Layout) Bounds() (low, high int64) {
	switch {
	case l.Empty():
		return 0, -1
	case l.swizzle != nil:
		return l.swizzle.low, l.swizzle.high
	}
	low, high = l.base, l.base
	for i := range l.axes {
		lo, hi := l.axes[i].bounds()
		low += lo
		high += hi
	}
	return low, high
}

// bounds returns the least and the greatest contribution of the axis to an offset. They occur at the last index, or at
// indices that are below it starting at some digit, with any values after that digit.
func (a *Axis) bounds() (low, high int64) {
	if len(a.digits) == 1 {
		reach := (a.size - 1) * a.digits[0].Stride
		return min(reach, 0), max(reach, 0)
	}
	last := a.offset(a.size - 1)
	low, high = last, last
	left, freeLow, freeHigh := a.size-1, int64(0), int64(0)
	for k := len(a.digits) - 1; k >= 0; k-- {
		d := a.digits[k]
		value := left % d.Extent
		left /= d.Extent
		last -= value * d.Stride
		if value > 0 {
			below := (value - 1) * d.Stride
			low = min(low, last+min(below, 0)+freeLow)
			high = max(high, last+max(below, 0)+freeHigh)
		}
		freeLow += (d.Extent - 1) * min(d.Stride, 0)
		freeHigh += (d.Extent - 1) * max(d.Stride, 0)
	}
	return low, high
}
