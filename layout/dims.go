package layout

import (
	"cmp"
	"math"
	"slices"
)

// A dim is a digit that matters: its extent n is above 1, and its stride s is made
// non-negative by counting it from the other end if need be. One step of it moves the index of
// its axis by weight.
type dim struct {
	n, s     int64
	axis     int
	weight   int64
	reversed bool
}

// reach is the highest offset that the dim adds.
func (d dim) reach() int64 { return (d.n - 1) * d.s }

// dims appends to buf the digits that matter, those of one axis merged where they count as one.
// A ragged layout has an axis whose digits count further than its size: then the dims describe
// more indices than there are.
func (l Layout) dims(buf []dim) (dims []dim, ragged bool) {
	for axis := range l.axes {
		a := &l.axes[axis]
		if len(a.digits) == 1 {
			if a.size > 1 {
				buf = append(buf, newDim(a.digits[0], axis, 1))
			}
			continue
		}
		var partial bool
		buf, partial = a.dims(buf, axis)
		ragged = ragged || partial
	}
	return buf, ragged
}

func newDim(d Digit, axis int, weight int64) dim {
	if d.Stride < 0 {
		return dim{d.Extent, -d.Stride, axis, weight, true}
	}
	return dim{d.Extent, d.Stride, axis, weight, false}
}

// dims appends the digits of an axis of several, from the innermost on. A digit whose weight is
// beyond the size is always 0, and the one before it may not get to its end.
func (a *Axis) dims(buf []dim, axis int) (dims []dim, partial bool) {
	first, weight := len(buf), int64(1)
	for k := len(a.digits) - 1; k >= 0 && weight < a.size; k-- {
		d := a.digits[k]
		d.Extent = min(d.Extent, CeilDiv(a.size, weight))
		last := len(buf) - 1
		switch {
		case d.Extent == 1:
		case last >= first && d.Stride == buf[last].n*buf[last].signed():
			buf[last].n *= d.Extent
		default:
			buf = append(buf, newDim(d, axis, weight))
		}
		weight *= d.Extent
	}
	if len(buf) == first {
		return buf, false
	}
	last := &buf[len(buf)-1]
	last.n = CeilDiv(a.size, last.weight)
	return buf, last.n*last.weight != a.size
}

// linear returns the stride that the axis has as a whole; ok is false when its digits do not
// count as one.
func (a *Axis) linear(buf []dim) (stride int64, ok bool) {
	if len(a.digits) == 1 {
		return a.digits[0].Stride, true
	}
	dims, _ := a.dims(buf, 0)
	if len(dims) != 1 {
		return 0, a.size == 1
	}
	return dims[0].signed(), true
}

// signed is the stride as the layout has it.
func (d dim) signed() int64 {
	if d.reversed {
		return -d.s
	}
	return d.s
}

// byStride sorts dims by increasing stride, and those of one stride by extent.
func byStride(dims []dim) {
	slices.SortFunc(dims, func(a, b dim) int { return cmp.Or(cmp.Compare(a.s, b.s), cmp.Compare(a.n, b.n)) })
}

// byAxis compares dims by the order of their axes, the outer digits first.
func byAxis(a, b dim) int {
	return cmp.Or(cmp.Compare(a.axis, b.axis), cmp.Compare(b.weight, a.weight))
}

// withoutBroadcast returns the part of the sorted dims whose strides are not 0.
func withoutBroadcast(sorted []dim) []dim {
	for len(sorted) > 0 && sorted[0].s == 0 {
		sorted = sorted[1:]
	}
	return sorted
}

// nested reports whether in the sorted dims every stride exceeds all that the dims before it
// reach. Then no two indices share an offset.
func nested(sorted []dim) bool {
	reach := int64(0)
	for _, d := range sorted {
		if d.s <= reach {
			return false
		}
		reach += d.reach()
	}
	return true
}

// gapless reports whether the sorted dims, whose strides are multiples of unit, reach every
// multiple of it up to the highest: no stride may exceed by more than a unit what the dims
// before it reach, for nothing else could fill the gap.
func gapless(sorted []dim, unit int64) bool {
	reach := int64(0)
	for _, d := range sorted {
		if d.s-unit > reach {
			return false
		}
		reach += d.reach()
	}
	return true
}

// indices is the number of indices that the dims count, or MaxInt64 when it is beyond that.
func indices(dims []dim) int64 {
	n := int64(1)
	for _, d := range dims {
		var err error
		if n, err = mul(n, d.n); err != nil {
			return math.MaxInt64
		}
	}
	return n
}
