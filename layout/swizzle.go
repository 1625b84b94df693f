package layout

import (
	"math"
	"slices"

	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// A Swizzle maps offsets to other offsets by xoring bits of an offset with other bits of it: CuTe's
// Sw<Bits,Base,Shift>. If Shift is positive, the Bits bits starting at bit Base+Shift are xored into the bits starting
// at bit Base. If it is negative, the bits starting at bit Base are xored into the bits starting at bit Base-Shift. A
// Swizzle is its own inverse and permutes every block of [Swizzle.Period] offsets; runs of 2^Base offsets stay
// together. A Swizzle without bits, such as the zero Swizzle, changes nothing.
type Swizzle struct {
	Bits, Base, Shift int
}

const (
	// MaxSwizzles is the largest number of swizzles that a layout may have.
	MaxSwizzles = 4
	// maxSwizzleBit is the largest number of bits of a swizzled offset.
	maxSwizzleBit = 61
	// maxSwizzleWork limits the digit values that are tried to find the lowest and the highest offset.
	maxSwizzleWork = 1 << 20
)

// Apply returns the offset that x is mapped to. x must not be negative.
func (s Swizzle) Apply(x int64) int64 {
	mask := int64(1)<<s.Bits - 1
	if s.Shift < 0 {
		return x ^ x<<-s.Shift&(mask<<(s.Base-s.Shift))
	}
	return x ^ x>>s.Shift&(mask<<s.Base)
}

// Period returns the period of the swizzle in offsets: Apply(x+Period) is Apply(x)+Period.
func (s Swizzle) Period() int64 { return 1 << (s.Base + s.Bits + max(s.Shift, -s.Shift)) }

// Read returns the lowest bit that is xored into another, and Written the lowest bit that another is xored into. There
// are Bits of each.
func (s Swizzle) Read() int { return s.Base + max(s.Shift, 0) }

// Written returns the lowest bit that another is xored into; see Read.
func (s Swizzle) Written() int { return s.Base + max(-s.Shift, 0) }

// String returns the swizzle as CuTe prints it.
func (s Swizzle) String() string {
	return "Sw<" + JoinInts([]int64{int64(s.Bits), int64(s.Base), int64(s.Shift)}, ",") + ">"
}

// Recast converts a swizzle of units of one size to units of another size, both in bits: Sw<3,4,3> over bytes is
// Sw<3,3,3> over 16-bit elements.
func (s Swizzle) Recast(from, to int64) (Swizzle, error) {
	base := s.Base
	for ; from < to && to%2 == 0; to /= 2 {
		base--
	}
	for ; to < from && from%2 == 0; from /= 2 {
		base++
	}
	switch {
	case from != to:
		return Swizzle{}, lexer.Refuse("", "%s cannot be counted in elements whose size is not a power of two", s)
	case base < 0 && s.Bits > 0:
		return Swizzle{}, lexer.Refuse("", "%s moves parts of an element", s)
	}
	s.Base = max(base, 0)
	return s, nil
}

// check returns an error if the swizzle is invalid.
func (s Swizzle) check() error {
	apart := max(s.Shift, -s.Shift)
	switch {
	case s.Bits < 0:
		return lexer.Refuse("", "%s has a negative number of bits", s)
	case s.Base < 0:
		return lexer.Refuse("", "%s starts at a negative bit", s)
	case s.Bits > 0 && apart < s.Bits:
		return lexer.Refuse("", "%s has %s, only %d apart: they overlap", s, wording.Count(s.Bits, "bit"), apart)
	case s.Bits > 0 && (s.Base > maxSwizzleBit || apart > maxSwizzleBit || s.Base+s.Bits+apart > maxSwizzleBit):
		return lexer.Refuse("", "%s has more than %d bits", s, maxSwizzleBit)
	}
	return nil
}

// A swizzling is the swizzles of a layout, the innermost first, with its bounds.
type swizzling struct {
	list      []Swizzle
	steps     []swizzleStep // one for each swizzle
	low, high int64
}

// A swizzleStep is a swizzle ready to be applied: one of the shifts is 0.
type swizzleStep struct {
	mask        int64 // the bits that are written
	right, left uint8
}

// Swizzled returns the layout with more swizzles, which act on the offsets of l one after the other:
//
//	offset(index) = s(base + sum over axes, over digits: digit value x digit stride)
//
// Axes, digits, runs and the base describe the affine part, which is inside the brackets. Its offsets must not be
// negative.
func (l Layout) Swizzled(list ...Swizzle) (Layout, error) {
	all := slices.Clone(l.Swizzles())
	for _, s := range list {
		if err := s.check(); err != nil {
			return Layout{}, err
		}
		if s.Bits > 0 {
			all = append(all, s)
		}
	}
	if len(all) == len(l.Swizzles()) {
		return l, nil
	}
	if len(all) > MaxSwizzles {
		return Layout{}, lexer.Refuse("", "%d swizzles, more than the limit of %d", len(all), MaxSwizzles)
	}
	return l.Affine().swizzled(all)
}

// swizzled is like Swizzled, for an affine layout and swizzles that have been checked.
func (l Layout) swizzled(list []Swizzle) (Layout, error) {
	low, high := l.Bounds()
	period := swizzling{list: list}.period()
	switch {
	case low < 0:
		return Layout{}, lexer.Refuse("", "the lowest offset before the swizzle is %d: systems disagree about that",
			low)
	case high >= 1<<maxSwizzleBit:
		return Layout{}, lexer.Refuse("", "the offset %d before the swizzle has more than %d bits", high, maxSwizzleBit)
	}
	steps := make([]swizzleStep, len(list))
	for i, s := range list {
		mask := int64(1)<<s.Bits - 1
		steps[i] = swizzleStep{mask << s.Written(), uint8(max(s.Shift, 0)), uint8(max(-s.Shift, 0))}
	}
	l.swizzle = &swizzling{list, steps, low, high}
	if l.Empty() {
		return l, nil
	}
	block := high &^ (period - 1)
	top, complete := l.extreme(block, high, block+period-1)
	bottom, completeLow := l.extreme(low, low|(period-1), low&^(period-1))
	if !complete || !completeLow {
		return Layout{}, lexer.Refuse("", "the swizzle repeats after %s: that is too many to find the highest one",
			wording.Count(period, "offset"))
	}
	l.swizzle = &swizzling{list, steps, bottom, top}
	return l, nil
}

// extreme returns the offset nearest to a bound, which no offset exceeds, of the elements with affine offsets from low
// to high. It reports false if it reached its limit of work.
func (l Layout) extreme(low, high, bound int64) (offset int64, complete bool) {
	offset, distance := bound, int64(math.MaxInt64)
	complete = l.Between(low, high, maxSwizzleWork, func(_ []int64, affine int64) bool {
		x := l.swizzle.apply(affine)
		if d := max(x-bound, bound-x); d < distance {
			offset, distance = x, d
		}
		return distance > 0
	})
	return offset, complete
}

// apply applies the swizzles in order.
func (s *swizzling) apply(x int64) int64 {
	for i := range s.steps {
		step := &s.steps[i]
		x ^= x >> (step.right & 63) << (step.left & 63) & step.mask
	}
	return x
}

// period returns the common period of all the swizzles in offsets.
func (s swizzling) period() int64 {
	period := int64(1)
	for _, one := range s.list {
		period = max(period, one.Period())
	}
	return period
}

// Swizzles returns the swizzles of the layout, the innermost first. It returns nil for nearly all layouts.
func (l Layout) Swizzles() []Swizzle {
	if l.swizzle == nil {
		return nil
	}
	return slices.Clone(l.swizzle.list)
}

// IsSwizzled reports whether the layout has swizzles, and therefore no strides.
func (l Layout) IsSwizzled() bool { return l.swizzle != nil }

// Period returns the period of the layout's swizzles in offsets, or 1 without swizzles.
func (l Layout) Period() int64 {
	if l.swizzle == nil {
		return 1
	}
	return l.swizzle.period()
}

// Affine returns the layout without its swizzles.
func (l Layout) Affine() Layout {
	l.swizzle = nil
	return l
}

// Remade returns the layout with another base and other axes, and the swizzles of l.
func (l Layout) Remade(base int64, axes ...Axis) (Layout, error) {
	made, err := New(base, axes...)
	if err != nil || l.swizzle == nil {
		return made, err
	}
	return made.swizzled(l.swizzle.list)
}

// Unswizzle returns the affine offset that the swizzles map to an offset, which must not be negative.
func (l Layout) Unswizzle(offset int64) int64 {
	if l.swizzle != nil {
		for _, s := range slices.Backward(l.swizzle.list) {
			offset = s.Apply(offset)
		}
	}
	return offset
}

// Swizzle returns the offset that the swizzles map an affine offset to, which must not be negative.
func (l Layout) Swizzle(affine int64) int64 {
	if l.swizzle == nil {
		return affine
	}
	return l.swizzle.apply(affine)
}

// IsIdle reports whether it is certain that the swizzles move no element, as in a layout without swizzles, because no
// affine offset has any of the bits that they read.
func (l Layout) IsIdle() bool {
	if l.swizzle == nil || l.Empty() {
		return true
	}
	runs, _ := l.Runs(nil)
	start, _ := l.Affine().Bounds()
	for _, s := range l.swizzle.list {
		above := int64(1) << (s.Read() + s.Bits)
		low := start % above
		for _, r := range runs {
			if r.Stride%above != 0 {
				low += r.Reach()
			}
		}
		if low < 0 || low >= int64(1)<<s.Read() {
			return false
		}
	}
	return true
}

// Between calls visit for the elements with affine offsets from low to high, in row-major order, with index and affine
// offset. For digits of stride 0, it only visits the value 0. It stops when visit returns false. After work digit
// values, it stops and reports false.
func (l Layout) Between(low, high, work int64, visit func(index []int64, affine int64) bool) (complete bool) {
	if l.Empty() {
		return true
	}
	w := walk{low: low, high: high, work: work, visit: visit, index: make([]int64, len(l.axes))}
	for i, a := range l.axes {
		left := a.size - 1
		for k, d := range a.digits {
			inner := int64(1)
			for _, e := range a.digits[k+1:] {
				inner *= e.Extent
			}
			w.digits = append(w.digits, walkDigit{Digit: d, axis: i, last: left / inner, outer: k == 0})
			left %= inner
		}
	}
	for k := len(w.digits) - 2; k >= 0; k-- {
		d, next := &w.digits[k], w.digits[k+1]
		reach := (next.Extent - 1) * next.Stride
		d.least, d.most = next.least+min(reach, 0), next.most+max(reach, 0)
	}
	w.from(0, l.base, true)
	return w.work >= 0
}

// A walk visits elements digit by digit, the outermost first.
type walk struct {
	low, high, work int64
	visit           func(index []int64, affine int64) bool
	digits          []walkDigit
	index           []int64
}

// A walkDigit is a digit of an axis with its value in the last index of the axis, and the minimum and maximum that the
// digits after it add.
type walkDigit struct {
	Digit
	axis        int
	last        int64
	outer       bool
	least, most int64
}

// from tries the values of the digits starting at k. If tight is set, all earlier digits of the axis have their values
// in the last index of the axis. It reports whether the walk goes on.
func (w *walk) from(k int, affine int64, tight bool) (more bool) {
	if k == len(w.digits) {
		return w.visit(w.index, affine)
	}
	d := &w.digits[k]
	tight = tight || d.outer
	first, last := int64(0), d.Extent-1
	if tight {
		last = d.last
	}
	switch {
	case d.Stride > 0:
		first = max(first, CeilDiv(w.low-d.most-affine, d.Stride))
		last = min(last, FloorDiv(w.high-d.least-affine, d.Stride))
	case d.Stride < 0:
		first = max(first, CeilDiv(affine+d.least-w.high, -d.Stride))
		last = min(last, FloorDiv(affine+d.most-w.low, -d.Stride))
	default:
		last = 0
	}
	outer := w.index[d.axis]
	if d.outer {
		outer = 0
	}
	for v := first; v <= last; v++ {
		if w.work--; w.work < 0 {
			return false
		}
		w.index[d.axis] = outer*d.Extent + v
		if !w.from(k+1, affine+v*d.Stride, tight && v == d.last) {
			return false
		}
	}
	return true
}
