package algebra

import (
	"slices"

	"layoutcalc/layout"
)

// Recast returns the layout of the same bits as elements of another size, both in bits.
func (l Layout) Recast(from, to int64) (Layout, error) {
	if from < 1 || to < 1 {
		return Layout{}, refuse("elements have at least one bit")
	}
	if err := l.filled("A"); err != nil {
		return Layout{}, err
	}
	a, b := from, to
	for b > 0 {
		a, b = b, a%b
	}
	m, err := l.mode.upcast(to / a)
	if err == nil {
		m, err = m.downcast(from / a)
	}
	if err != nil {
		return Layout{}, err
	}
	base, err := layout.Mul(l.flat.Base(), from/a)
	if err != nil || base%(to/a) != 0 {
		return Layout{}, refuse("the base, %d elements of %d bits, ends inside one of %d", l.flat.Base(), from, to)
	}
	swizzles := l.flat.Swizzles()
	for i, s := range swizzles {
		if swizzles[i], err = s.Recast(from, to); err != nil {
			return Layout{}, err
		}
	}
	made, err := l.remade(m, base/(to/a), swizzles)
	if err != nil {
		return Layout{}, err
	}
	return made, sameBits(l, made, from, to)
}

// upcast returns the mode of elements that are n times as large: adjacent ones, which modes of small strides count,
// become one.
func (m Mode) upcast(n int64) (Mode, error) {
	if n == 1 {
		return m, nil
	}
	next := int64(1) // so many elements are one so far
	for _, d := range sorted(m.digits()) {
		switch apart := max(d.Stride, -d.Stride); {
		case d.Stride == 0, apart%n == 0:
		case d.Stride < 0 || apart > n:
			return Mode{}, refuse("%d elements that become one do not divide the stride %d of A, %s", n, d.Stride, m)
		case d.Stride != next || n%min(next*d.Extent, n) != 0 || d.Extent%min(d.Extent, n/next) != 0:
			return Mode{}, notWhole(n, m)
		default:
			next *= min(d.Extent, n/next)
		}
	}
	if next != n {
		return Mode{}, notWhole(n, m)
	}
	return m.mapped(func(d layout.Digit) (layout.Digit, error) {
		if d.Stride > 0 && d.Stride < n {
			return layout.Digit{Extent: layout.CeilDiv(d.Extent, n/d.Stride), Stride: 1}, nil
		}
		d.Stride /= n
		return d, nil
	})
}

// notWhole refuses elements whose parts are not in a layout, side by side.
func notWhole(n int64, m Mode) error {
	return refuse("%d elements become one, and those of A, %s, are not adjacent by so many", n, m)
}

// downcast returns the mode of n elements for each one: the first mode of adjacent elements counts them too.
func (m Mode) downcast(n int64) (Mode, error) {
	if n == 1 {
		return m, nil
	}
	digits := m.digits()
	adjacent := slices.IndexFunc(digits, func(d layout.Digit) bool { return d.Stride == 1 && d.Extent > 1 })
	if adjacent < 0 {
		adjacent = slices.IndexFunc(digits, func(d layout.Digit) bool { return d.Stride == 1 })
	}
	if adjacent < 0 {
		return Mode{}, refuse("an element becomes %d, and no mode of A, %s, has the stride 1 to count them", n, m)
	}
	i := -1
	return m.mapped(func(d layout.Digit) (layout.Digit, error) {
		var err error
		if i++; i == adjacent {
			d.Extent, err = layout.Mul(d.Extent, n)
			return d, layout.NameOverflow("an extent", err)
		}
		d.Stride, err = layout.Mul(d.Stride, n)
		return d, layout.NameOverflow("a stride", err)
	})
}

// mapped returns the mode with other digits.
func (m Mode) mapped(change func(layout.Digit) (layout.Digit, error)) (Mode, error) {
	if m.Modes == nil {
		d, err := change(m.Digit)
		return Mode{Digit: d}, err
	}
	made := List()
	for _, part := range m.Modes {
		p, err := part.mapped(change)
		if err != nil {
			return Mode{}, err
		}
		made.Modes = append(made.Modes, p)
	}
	return made, nil
}

// sameBits checks that two layouts of elements of different sizes have the same bits, if they are few.
func sameBits(a, b Layout, from, to int64) error {
	if max(a.flat.Elements(), b.flat.Elements()) > maxChecked {
		return nil
	}
	first, err := a.bits(from)
	if err != nil {
		return err
	}
	second, err := b.bits(to)
	if err == nil && !slices.Equal(first, second) {
		return wrong("%s has other bits than %s", b, a)
	}
	return err
}

// bits returns where runs of bits start and end that the elements have, in order.
func (l Layout) bits(each int64) (ends []int64, err error) {
	var starts []int64
	for i := range l.flat.Elements() {
		offset, err := l.At(i)
		if err != nil {
			return nil, err
		}
		if offset, err = layout.Mul(offset, each); err != nil {
			return nil, layout.NameOverflow("the offset in bits", err)
		}
		starts = append(starts, offset)
	}
	slices.Sort(starts)
	for _, at := range slices.Compact(starts) {
		if n := len(ends); n > 0 && ends[n-1] == at {
			ends[n-1] = at + each
			continue
		}
		ends = append(ends, at, at+each)
	}
	return ends, nil
}
