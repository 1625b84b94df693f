package relayout

import (
	"cmp"
	"slices"

	"layoutcalc/layout"
)

// A wheel is what one side counts an axis with: index i of the axis adds i / weight % extent times
// the stride to the offset.
type wheel struct {
	axis                   int
	weight, extent, stride int64
}

// Wheels are those of one side, axis by axis, innermost first.
type wheels []wheel

// wheelsOf returns the wheels of a layout.
func wheelsOf(l layout.Layout) wheels {
	var w wheels
	for i := range l.Rank() {
		a, weight := l.Axis(i), int64(1)
		for k := a.Digits() - 1; k >= 0; k-- {
			d := a.Digit(k)
			w = append(w, wheel{i, weight, d.Extent, d.Stride})
			weight *= d.Extent
		}
	}
	return w
}

// of returns the wheels of an axis.
func (w wheels) of(axis int) wheels {
	first := slices.IndexFunc(w, func(w wheel) bool { return w.axis == axis })
	end := first
	for end < len(w) && w[end].axis == axis {
		end++
	}
	return w[first:end]
}

// offset returns what index i of the wheels' axis adds to the offset.
func (w wheels) offset(i int64) int64 {
	sum := int64(0)
	for k := range w {
		sum += i / w[k].weight % w[k].extent * w[k].stride
	}
	return sum
}

// stride returns how far a step of the digit leads. That of a loose one is what its first steps do.
func (w wheels) stride(d digit) int64 {
	axis := w.of(d.axis)
	for k := len(axis) - 1; k > 0; k-- {
		if axis[k].weight <= d.weight && axis[k].extent > 1 {
			return axis[k].stride * (d.weight / axis[k].weight)
		}
	}
	return axis[0].stride * d.weight
}

// carry returns the next index behind i at which the innermost wheel starts anew.
func (w wheels) carry(i int64) int64 {
	return i - i%w[0].extent + w[0].extent
}

// nested reports whether each wheel steps over all that those of lesser strides reach.
func (w wheels) nested() bool {
	reach := int64(0)
	for _, w := range w.byStride() {
		if magnitude(w.stride) <= reach {
			return false
		}
		reach += (w.extent - 1) * magnitude(w.stride)
	}
	return true
}

// byStride returns the wheels that turn, those of the least strides first.
func (w wheels) byStride() wheels {
	sorted := make(wheels, 0, len(w))
	for _, w := range w {
		if w.extent > 1 {
			sorted = append(sorted, w)
		}
	}
	slices.SortStableFunc(sorted, func(a, b wheel) int { return cmp.Compare(magnitude(a.stride), magnitude(b.stride)) })
	return sorted
}

// magnitude is how far a stride leads.
func magnitude[T int | int64](stride T) T { return max(stride, -stride) }

// oddDown reports whether the wheel turns down from one half of a byte to another.
func (w wheel) oddDown() bool { return w.extent > 1 && w.stride < 0 && w.stride%2 != 0 }
