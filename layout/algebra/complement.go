package algebra

import (
	"cmp"
	"slices"

	"layoutcalc/layout"
)

// filler is the operation complement.
func (w *work) filler(c Call) Mode {
	n := int64(0)
	if c.B != nil {
		sizes, err := c.B.Sizes()
		if err == nil {
			n, err = layout.ProductOf(sizes)
		}
		n = w.checked("the size", n, err)
	}
	w.base, w.swizzles = 0, nil
	m, gap := w.complement(c.A.mode, n)
	if gap > 0 {
		w.note("no layout fills the gaps of A: offset %d is none of the sums", gap)
	}
	return m
}

// complement returns the smallest mode with the property that its sums with the offsets of m are all different and fill
// the numbers up to n, or up to the end of m. If they cannot fill it, gap is the first number that is not a sum. Modes
// of stride 0 do not count.
func (w *work) complement(m Mode, n int64) (made Mode, gap int64) {
	next := int64(1) // the end of the modes so far
	var digits, all []layout.Digit
	for _, d := range sorted(m.digits()) {
		switch {
		case d.Stride == 0:
			continue
		case d.Stride < 0:
			w.fail("no complement: %s has the negative stride %d", m, d.Stride)
			return m, 0
		case d.Stride < next:
			w.fail("no complement: the stride %d of %s is below %d, the end of smaller modes", d.Stride, m, next)
			return m, 0
		case d.Stride%next != 0 && gap == 0:
			gap = d.Stride / next * next
		}
		digits = append(digits, layout.Digit{Extent: d.Stride / next, Stride: next})
		all = append(all, d)
		next = w.times("the end of a mode", d.Extent, d.Stride)
	}
	digits = append(digits, layout.Digit{Extent: max(layout.CeilDiv(n, next), 1), Stride: next})
	made = Coalesced(digits)
	w.fills(Digits(append(all, digits...)), n, gap)
	return made, gap
}

// fills checks the sums of offsets, if they are few: they are all different, and fill up to n without a gap or with
// the known one.
func (w *work) fills(sums Mode, n, gap int64) {
	size := w.size(sums)
	if size > maxChecked || w.err != nil {
		return
	}
	var list []int64
	for i := range size {
		list = append(list, at(sums.digits(), i))
	}
	slices.Sort(list)
	if different := len(slices.Compact(slices.Clone(list))); int64(different) != size {
		w.wrong("sums of %s are not all different", sums)
	}
	filled := size
	if gap > 0 {
		filled = gap
	} else if size < n {
		w.wrong("%s reaches %d, and not %d", sums, size, n)
	}
	w.verify(filled, func(i int64) int64 { return list[i] }, identity)
}

// sorted returns the digits with an extent other than 1, in the order of their strides.
func sorted(digits []layout.Digit) []layout.Digit {
	list := slices.DeleteFunc(slices.Clone(digits), func(d layout.Digit) bool { return d.Extent == 1 })
	slices.SortStableFunc(list, func(a, b layout.Digit) int {
		return cmp.Or(cmp.Compare(a.Stride, b.Stride), cmp.Compare(a.Extent, b.Extent))
	})
	return list
}

// inverted is the operation inverse.
func (w *work) inverted(c Call) Mode {
	a, from := c.A, c.A.mode
	switch {
	case w.swizzles != nil:
		w.fail("the inverse of a swizzled layout has its swizzle inside: it is the inverse of %s after %s", a.mode,
			a.flat.Swizzles()[0])
	case w.base != 0:
		w.fail("A starts at %d, and its inverse at no element", w.base)
	case !c.Left:
		m := w.inverse(from)
		first, second := from.function(), m.function()
		w.verify(w.size(m), func(j int64) int64 { return first(second(j)) }, identity)
		return m
	}
	for _, d := range from.digits() {
		if d.Stride == 0 && d.Extent > 1 {
			w.fail("no left inverse: the elements of A, %s, along %s share an offset", a, Mode{Digit: d})
		}
	}
	rest, gap := w.complement(from, 0)
	if gap > 0 {
		w.fail("no left inverse: %s, the end of smaller modes, does not divide a stride of %s",
			layout.JoinInts([]int64{gap}, ""), a)
	}
	m := w.inverse(List(from, rest))
	first, second := from.function(), m.function()
	w.verify(w.size(from), func(i int64) int64 { return second(first(i)) }, identity)
	return m
}

// inverse returns the digits of numbers in the order of the offsets that they lead to, as long as there is no gap.
func (w *work) inverse(m Mode) Mode {
	var list, made []layout.Digit
	steps, step := map[layout.Digit]int64{}, int64(1)
	for _, d := range merged(m.digits()) {
		if _, known := steps[d]; !known {
			list, steps[d] = append(list, d), step
		}
		step = w.times("the number of elements", step, d.Extent)
	}
	next := int64(1)
	for _, d := range sorted(list) {
		if d.Stride == next {
			made = append(made, layout.Digit{Extent: d.Extent, Stride: steps[d]})
			next = w.times("the end of a mode", d.Extent, d.Stride)
		}
	}
	return Coalesced(made)
}
