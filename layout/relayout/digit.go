package relayout

import (
	"cmp"
	"slices"

	"layoutcalc/layout"
)

// A digit is one that the indices of both layouts can be written in: it counts up to its extent,
// in steps of its weight along an axis. A loose one has no stride on at least one side: the blocks
// of the two layouts do not divide each other.
type digit struct {
	axis           int
	weight, extent int64
	loose          bool
}

// refine returns the digits of an axis, outermost first.
func refine(i int, from, to layout.Axis) []digit {
	weights := commonWeights(from, to)
	loose := !chained(weights)
	if loose {
		weights = []int64{1}
		if period := commonMultiple(from, to); period < from.Size() {
			weights = []int64{period, 1}
		}
	}
	digits := make([]digit, len(weights))
	above := from.Size()
	for k, weight := range weights {
		digits[k] = digit{i, weight, layout.CeilDiv(above, weight), loose && k == len(weights)-1}
		above = weight
	}
	return digits
}

// commonWeights returns the weights that the digits of either layout have, from the highest on,
// but those that no index of the axis reaches.
func commonWeights(from, to layout.Axis) []int64 {
	weights := []int64{1}
	for _, a := range [...]layout.Axis{from, to} {
		weight := int64(1)
		for k := a.Digits() - 1; k > 0; k-- {
			if weight *= a.Digit(k).Extent; weight < a.Size() {
				weights = append(weights, weight)
			}
		}
	}
	slices.Sort(weights)
	weights = slices.Compact(weights)
	slices.Reverse(weights)
	return weights
}

// chained reports whether each weight divides the one above.
func chained(weights []int64) bool {
	for k := 1; k < len(weights); k++ {
		if weights[k-1]%weights[k] != 0 {
			return false
		}
	}
	return true
}

// commonMultiple returns the least number that both blocks divide, or the size if that is less.
func commonMultiple(from, to layout.Axis) int64 {
	a, b := from.Block(), to.Block()
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	if a/x > from.Size()/b {
		return from.Size()
	}
	return a / x * b
}

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
		if distance(w.stride) <= reach {
			return false
		}
		reach += (w.extent - 1) * distance(w.stride)
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
	slices.SortStableFunc(sorted, func(a, b wheel) int { return cmp.Compare(distance(a.stride), distance(b.stride)) })
	return sorted
}

// distance is how far a stride leads.
func distance(stride int64) int64 { return max(stride, -stride) }
