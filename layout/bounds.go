package layout

// Empty reports whether the layout has no elements.
func (l Layout) Empty() bool {
	for _, a := range l.axes {
		if a.size == 0 {
			return true
		}
	}
	return false
}

// Elements returns the number of elements, the product of the sizes.
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

// Bounds returns the lowest and the highest offset of an element, and 0 and -1 when there are
// no elements.
func (l Layout) Bounds() (low, high int64) {
	if l.Empty() {
		return 0, -1
	}
	low, high = l.base, l.base
	for _, a := range l.axes {
		lo, hi := a.bounds()
		low += lo
		high += hi
	}
	return low, high
}

// bounds returns the least and the greatest contribution of the axis to an offset. They are
// those of the last index, or of indices that are below it from some digit on and free after.
func (a Axis) bounds() (low, high int64) {
	last := a.offset(a.size - 1)
	if len(a.digits) == 1 {
		return min(last, 0), max(last, 0)
	}
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
