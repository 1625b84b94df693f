package algebra

import (
	"layoutcalc/layout"
	"layoutcalc/layout/wording"
)

// coalesced is the operation coalesce.
func (w *work) coalesced(c Call) Mode {
	m := w.byMode(c.A.mode, c.second(), func(m, _ Mode) Mode { return Coalesced(m.digits()) })
	w.verify(w.size(m), m.function(), c.A.mode.function())
	return m
}

// filtered is the operation filter.
func (w *work) filtered(c Call) Mode {
	c.A.mode = c.A.mode.mapped(func(d layout.Digit) layout.Digit {
		if d.Stride == 0 {
			d.Extent = 1
		}
		return d
	})
	return w.coalesced(c)
}

// Coalesced returns the mode of the fewest digits that are the same function.
func Coalesced(digits []layout.Digit) Mode {
	if digits = merged(digits); len(digits) == 0 {
		return Digit(1, 0)
	}
	return Digits(digits)
}

// merged returns the fewest digits that are the same function, without extents of 1.
func merged(digits []layout.Digit) (list []layout.Digit) {
	for _, d := range digits {
		if d.Extent == 1 {
			continue
		}
		if n := len(list); n > 0 {
			if end, err := layout.Mul(list[n-1].Extent, list[n-1].Stride); err == nil && end == d.Stride {
				list[n-1].Extent *= d.Extent
				continue
			}
		}
		list = append(list, d)
	}
	return list
}

// composed is the operation compose.
func (w *work) composed(c Call) Mode {
	if c.Start == 0 {
		return w.byMode(c.A.mode, c.second(), w.compose)
	}
	from := w.composition(c.A.mode)
	from.start(c.Start)
	return from.whole(c.A.mode, c.second().Mode, c.Start)
}

// compose composes a mode with a layout.
func (w *work) compose(a, b Mode) Mode { return w.composition(a).whole(a, b, 0) }

// A composition cuts digits of B at the extents of A. It counts how far all of them together reach in each digit of A.
type composition struct {
	*work
	of      []layout.Digit // the digits of A, merged; the last has no end
	reaches []int64
}

func (w *work) composition(a Mode) *composition {
	c := &composition{work: w, of: merged(a.digits())}
	if len(c.of) == 0 {
		c.of = a.endless()
	}
	c.reaches = make([]int64, len(c.of))
	return c
}

// start adds the offset of a number to the base. B counts from that number.
func (c *composition) start(number int64) {
	for i, d := range c.of {
		if c.reaches[i] = number; i < len(c.of)-1 {
			c.reaches[i], number = number%d.Extent, number/d.Extent
		}
		n, err := layout.Add(c.base, c.times("the base", c.reaches[i], d.Stride))
		c.base = c.checked("the base", n, err)
	}
}

// whole returns A composed with B. It is an error if digits of B together carry into another digit of A, because then
// the sum of their offsets is not the offset of their sum.
func (c *composition) whole(a, b Mode, start int64) Mode {
	if c.takes(b); c.err != nil {
		return b
	}
	base := at(c.of, start)
	m := c.mode(b)
	for i, reach := range c.reaches[:len(c.of)-1] {
		if d := c.of[i]; reach >= d.Extent {
			c.fail("no composition: modes of B, %s, together reach %d of the mode %s of A, beyond its extent", b, reach,
				Mode{Digit: d})
		}
	}
	if size, last := c.size(a), start+c.cosize(b)-1; last >= size {
		c.note("the result reaches number %d of A, and %s has %s: its last mode goes on", last, a,
			wording.Count(size, "element"))
	}
	if c.err == nil {
		have, first, second := m.function(), a.function(), b.function()
		c.verify(c.size(b), have, func(i int64) int64 { return first(start+second(i)) - base })
	}
	return m
}

// mode returns A composed with a mode of B.
func (c *composition) mode(b Mode) Mode {
	if b.Modes == nil {
		return c.digit(b.Digit)
	}
	made := List(b.Modes...)
	for i, part := range b.Modes {
		made.Modes[i] = c.mode(part)
	}
	return made
}

// digit returns A composed with one digit of B: a digit for each digit of A that it counts through.
func (c *composition) digit(b layout.Digit) Mode {
	if b.Stride == 0 {
		return Digit(b.Extent, 0)
	}
	var made []layout.Digit
	left, step := b.Extent, b.Stride
	put := func(i int, extent int64) {
		made = append(made, layout.Digit{Extent: extent, Stride: c.times("a stride", step, c.of[i].Stride)})
		n, err := layout.Add(c.reaches[i], (extent-1)*step)
		c.reaches[i] = c.checked("a number", n, err)
	}
	for i, d := range c.of[:len(c.of)-1] {
		if left == 1 || step%d.Extent == 0 {
			step = layout.CeilDiv(step, d.Extent)
			continue
		}
		extent := min(max(d.Extent/step, 1), left)
		switch {
		case d.Extent%step != 0:
			c.fail("no composition: the stride %d of B, %s, and the extent %d of A, %s, do not divide each other",
				b.Stride, Mode{Digit: b}, d.Extent, Digits(c.of))
		case left%extent != 0:
			c.fail("no composition: %d of the extent %d of B, %s, fill the mode %s of A, and do not divide it", extent,
				b.Extent, Mode{Digit: b}, Mode{Digit: d})
		}
		put(i, extent)
		left, step = left/extent, 1
	}
	if left > 1 || made == nil {
		put(len(c.of)-1, left)
	}
	return Digits(made)
}

// Values returns the number of elements of a result and their offsets: of a composition A(B(i)), which no layout may
// have.
func (c Call) Values() (n int64, value func(int64) int64, err error) {
	if c.Operation != "compose" {
		made, err := c.Result()
		return made.flat.Elements(), made.At, err
	}
	if err := c.A.filled("A"); err != nil {
		return 0, nil, err
	}
	w := new(work)
	size, offsets, reach := w.values(c.A.mode, c.second(), c.Start)
	if w.err == nil {
		_, w.err = New(reach, c.A.flat.Base(), c.A.flat.Swizzles()...)
	}
	return size, func(i int64) int64 { return c.A.flat.Swizzle(c.A.flat.Base() + offsets(i)) }, w.err
}

// values returns how many numbers a tiler has, their offsets, and the mode of A, as long as the numbers reach.
func (w *work) values(m Mode, t Tiler, start int64) (n int64, value func(int64) int64, reach Mode) {
	switch {
	case t.Keep:
		return w.size(m), m.function(), m
	case t.Each == nil:
		if w.takes(t.Mode); w.err != nil {
			return 0, nil, m
		}
		first, second, digits := m.function(), t.Mode.function(), m.endless()
		left := start + w.cosize(t.Mode)
		for i := range digits {
			if i == len(digits)-1 {
				digits[i].Extent = max(digits[i].Extent, left)
			}
			left = layout.CeilDiv(left, digits[i].Extent)
		}
		return w.size(t.Mode), func(i int64) int64 { return first(start + second(i)) }, Digits(digits)
	}
	w.fits(m, t)
	var sizes []int64
	var values []func(int64) int64
	n, reach = 1, List(m.list()...)
	for i, mode := range reach.Modes {
		part := Tiler{Keep: true}
		if i < len(t.Each) {
			part = t.Each[i]
		}
		size, value, far := w.values(mode, part, 0)
		n = w.times("the number of elements", n, size)
		sizes, values, reach.Modes[i] = append(sizes, size), append(values, value), far
	}
	return n, func(i int64) (offset int64) {
		for k, size := range sizes {
			offset, i = offset+values[k](i%size), i/size
		}
		return offset
	}, reach
}
