package algebra

import (
	"layoutcalc/layout/wording"
	"slices"

	"layoutcalc/layout"
)

// recast is the operation recast.
func (w *work) recast(c Call) Mode {
	if c.From < 1 || c.To < 1 {
		w.fail("elements have at least one bit")
		return c.A.mode
	}
	a, b := c.From, c.To // their greatest common divisor
	for b > 0 {
		a, b = b, a%b
	}
	m := w.downcast(w.upcast(c.A.mode, c.To/a), c.From/a)
	if w.base = w.times("the base", w.base, c.From/a); w.base%(c.To/a) != 0 {
		w.fail("the base, %s of %s, ends inside one of %d", wording.Count(c.A.flat.Base(), "element"),
			wording.Count(c.From,
				"bit"), c.To)
	}
	w.base /= c.To / a
	for i, s := range w.swizzles {
		over, err := s.Recast(c.From, c.To)
		if w.swizzles[i] = over; w.err == nil {
			w.err = err
		}
	}
	w.sameBits(c.A.mode, m, c.From, c.To)
	return m
}

// upcast returns the mode of elements that are n times as large: adjacent ones, counted by modes of small strides,
// become one.
func (w *work) upcast(m Mode, n int64) Mode {
	next := int64(1) // the number of elements that are one so far
	for _, d := range sorted(m.digits()) {
		switch apart := max(d.Stride, -d.Stride); {
		case d.Stride == 0, apart%n == 0:
		case d.Stride < 0 || apart > n:
			w.fail("%d elements become one, and do not divide the stride %d of A, %s", n, d.Stride, m)
		case d.Stride != next || n%min(next*d.Extent, n) != 0 || d.Extent%min(d.Extent, n/next) != 0:
			w.fail("%d elements become one, and those of A, %s, are not adjacent by so many", n, m)
		default:
			next *= min(d.Extent, n/next)
		}
	}
	if next != n {
		w.fail("%d elements become one, and those of A, %s, are not adjacent by so many", n, m)
	}
	if w.err != nil {
		return m
	}
	return m.mapped(func(d layout.Digit) layout.Digit {
		if d.Stride > 0 && d.Stride < n {
			return layout.Digit{Extent: layout.CeilDiv(d.Extent, n/d.Stride), Stride: 1}
		}
		d.Stride /= n
		return d
	})
}

// downcast returns the mode of n elements for each one, which the first mode of stride 1 counts.
func (w *work) downcast(m Mode, n int64) Mode {
	digits := m.digits()
	adjacent := slices.IndexFunc(digits, func(d layout.Digit) bool { return d.Stride == 1 && d.Extent > 1 })
	if adjacent < 0 {
		adjacent = slices.IndexFunc(digits, func(d layout.Digit) bool { return d.Stride == 1 })
	}
	if adjacent < 0 && n > 1 {
		w.fail("an element becomes %d, and no mode of A, %s, has the stride 1 to count them", n, m)
	}
	i := -1
	return m.mapped(func(d layout.Digit) layout.Digit {
		if i++; i == adjacent {
			return layout.Digit{Extent: w.times("an extent", d.Extent, n), Stride: 1}
		}
		return layout.Digit{Extent: d.Extent, Stride: w.times("a stride", d.Stride, n)}
	})
}

// sameBits checks that two modes of elements of different sizes have the same bits, if they are few.
func (w *work) sameBits(a, b Mode, from, to int64) {
	if max(w.size(a), w.size(b)) > maxChecked || w.err != nil {
		return
	}
	if !slices.Equal(w.bits(a, from), w.bits(b, to)) {
		w.wrong("the bits of %s differ from %s", b, a)
	}
}

// bits returns the bounds of the runs of bits that the elements have, in order.
func (w *work) bits(m Mode, each int64) (bounds []int64) {
	var starts []int64
	for i := range w.size(m) {
		starts = append(starts, w.times("the offset in bits", at(m.digits(), i), each))
	}
	slices.Sort(starts)
	for _, at := range slices.Compact(starts) {
		if n := len(bounds); n > 0 && bounds[n-1] == at {
			bounds[n-1] = at + each
			continue
		}
		bounds = append(bounds, at, at+each)
	}
	return bounds
}
