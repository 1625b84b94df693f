package layout

import (
	"cmp"
	"math"
	"slices"
)

// A Run is a digit in normal form: its extent is above 1, its stride is nonnegative, by counting it from the other end
// if necessary, and digits of one axis that continue each other are merged. One step of a run moves the index of its
// axis by Weight.
type Run struct {
	Digit
	Axis     int
	Weight   int64
	Reversed bool // the stride of the layout is -Stride
}

// Reach returns the highest offset that the run adds.
func (r Run) Reach() int64 { return (r.Extent - 1) * r.Stride }

// Signed returns the stride as in the layout.
func (r Run) Signed() int64 {
	if r.Reversed {
		return -r.Stride
	}
	return r.Stride
}

// Runs appends to buf the runs of the layout, axis by axis, the innermost of each axis first. They are the normal form
// of a layout, and all functions that examine a layout use them. A ragged layout has an axis with digits that count
// further than its size; then the runs describe more indices than exist.
func (l Layout) Runs(buf []Run) (runs []Run, ragged bool) {
	for axis := range l.axes {
		a := &l.axes[axis]
		if len(a.digits) == 1 {
			if a.size > 1 {
				buf = append(buf, newRun(a.digits[0], axis, 1))
			}
			continue
		}
		var partial bool
		buf, partial = a.Runs(buf, axis)
		ragged = ragged || partial
	}
	return buf, ragged
}

func newRun(d Digit, axis int, weight int64) Run {
	if d.Stride < 0 {
		return Run{Digit{d.Extent, -d.Stride}, axis, weight, true}
	}
	return Run{d, axis, weight, false}
}

// Runs appends the runs of the axis, the innermost first. If the weight of a digit is beyond the size, the digit is
// always 0, and the previous digit may not reach its end; then the axis is partial.
func (a Axis) Runs(buf []Run, axis int) (runs []Run, partial bool) {
	first, weight := len(buf), int64(1)
	for k := len(a.digits) - 1; k >= 0 && weight < a.size; k-- {
		d := a.digits[k]
		d.Extent = min(d.Extent, CeilDiv(a.size, weight))
		last := len(buf) - 1
		switch {
		case d.Extent == 1:
		case last >= first && d.Stride == buf[last].Extent*buf[last].Signed():
			buf[last].Extent *= d.Extent
		default:
			buf = append(buf, newRun(d, axis, weight))
		}
		weight *= d.Extent
	}
	if len(buf) == first {
		return buf, false
	}
	last := &buf[len(buf)-1]
	last.Extent = CeilDiv(a.size, last.Weight)
	return buf, last.Extent*last.Weight != a.size
}

// Linear returns the stride of the axis as a whole; ok is false if its digits do not count as one.
func (a Axis) Linear() (stride int64, ok bool) {
	if len(a.digits) == 1 {
		return a.digits[0].Stride, true
	}
	var buf [4]Run
	runs, _ := a.Runs(buf[:0], 0)
	if len(runs) != 1 {
		return 0, a.size == 1
	}
	return runs[0].Signed(), true
}

// Broadcast reports whether an axis of size above 1 has stride 0.
func (a Axis) Broadcast() bool {
	stride, ok := a.Linear()
	return ok && stride == 0 && a.size > 1
}

// LinearStrides returns one stride for each axis; ok is false if an axis needs several, and for a swizzled layout. An
// axis with at most one index, which may have any stride, gets the stride of its innermost digit.
func (l Layout) LinearStrides() (strides []int64, ok bool) {
	if l.swizzle != nil {
		return nil, false
	}
	strides = make([]int64, len(l.axes))
	for i := range l.axes {
		a := &l.axes[i]
		if a.size <= 1 {
			strides[i] = a.digits[len(a.digits)-1].Stride
			continue
		}
		if strides[i], ok = a.Linear(); !ok {
			return nil, false
		}
	}
	return strides, true
}

// SortRuns sorts runs by increasing stride, then by extent.
func SortRuns(runs []Run) {
	if len(runs) > 12 {
		slices.SortStableFunc(runs, func(a, b Run) int { return a.compare(b.Digit) })
		return
	}
	for i := 1; i < len(runs); i++ { // slices.SortStableFunc is slower for a few runs
		r, k := runs[i], i
		for ; k > 0 && r.compare(runs[k-1].Digit) < 0; k-- {
			runs[k] = runs[k-1]
		}
		runs[k] = r
	}
}

func (d Digit) compare(o Digit) int {
	if d.Stride != o.Stride {
		return cmp.Compare(d.Stride, o.Stride)
	}
	return cmp.Compare(d.Extent, o.Extent)
}

// WithoutBroadcast returns the sorted runs except the runs of stride 0.
func WithoutBroadcast(sorted []Run) []Run {
	for len(sorted) > 0 && sorted[0].Stride == 0 {
		sorted = sorted[1:]
	}
	return sorted
}

// Nested reports whether every stride of the sorted runs exceeds the range of the runs before it. Then no two indices
// share an offset.
func Nested(sorted []Run) bool {
	reach := int64(0)
	for i := range sorted {
		r := &sorted[i] // not a copy, because a run is large and descriptors are checked by the million
		if r.Stride <= reach {
			return false
		}
		reach += r.Reach()
	}
	return true
}

// Gapless reports whether the sorted runs, with strides that are multiples of unit, reach every multiple of it up to
// the highest. No stride may exceed the range of the runs before it by more than a unit, because nothing else could
// fill the gap.
func Gapless(sorted []Run, unit int64) bool {
	reach := int64(0)
	for _, r := range sorted {
		if r.Stride-unit > reach {
			return false
		}
		reach += r.Reach()
	}
	return true
}

// CountIndices returns the number of indices that the runs count, or MaxInt64 if it does not fit.
func CountIndices(runs []Run) int64 {
	n := int64(1)
	for _, r := range runs {
		var err error
		if n, err = Mul(n, r.Extent); err != nil {
			return math.MaxInt64
		}
	}
	return n
}

// ByAxis compares runs by the order of their axes, the outer digits first.
func ByAxis(a, b Run) int {
	return cmp.Or(cmp.Compare(a.Axis, b.Axis), cmp.Compare(b.Weight, a.Weight))
}
