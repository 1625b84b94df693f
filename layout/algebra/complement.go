package algebra

import (
	"cmp"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// Complement returns the least layout whose sums with the offsets of A are all different and fill up to n; if n is 0,
// to the cosize of A. Broadcast modes and swizzles of A do not count.
func (l Layout) Complement(n int64) (Layout, error) {
	if err := l.filled("A"); err != nil {
		return Layout{}, err
	}
	m, err := l.mode.complement(n)
	if err != nil {
		return Layout{}, err
	}
	made, err := New(m, 0)
	if err != nil {
		return Layout{}, err
	}
	return made, fills(l.mode, m, n)
}

func (m Mode) complement(n int64) (Mode, error) {
	next := int64(1) // what is filled up to here
	var made []layout.Digit
	for _, d := range sorted(m.digits()) {
		switch {
		case d.Stride == 0:
			continue
		case d.Stride < 0:
			return Mode{}, refuse("no complement: %s has the negative stride %d", m, d.Stride)
		case d.Stride%next != 0:
			return Mode{}, refuse("no complement: the stride %d of %s is no multiple of %d, the end of smaller modes",
				d.Stride, m, next)
		}
		made = append(made, layout.Digit{Extent: d.Stride / next, Stride: next})
		var err error
		if next, err = layout.Mul(d.Extent, d.Stride); err != nil {
			return Mode{}, layout.NameOverflow("the end of a mode", err)
		}
	}
	made = append(made, layout.Digit{Extent: max(layout.CeilDiv(n, next), 1), Stride: next})
	return of(made).coalesce(Tiler{})
}

// fills checks that the sums of offsets of two modes, as far as there are few, are all different, have no gaps, and
// reach n.
func fills(a, b Mode, n int64) error {
	var distinct []layout.Digit
	for _, d := range a.digits() {
		if d.Stride != 0 {
			distinct = append(distinct, d)
		}
	}
	digits := slices.Concat(distinct, b.digits())
	size, err := of(digits).size()
	if err != nil || size > maxChecked {
		return err
	}
	var sums []int64
	for i := range size {
		offset, err := at(digits, i)
		if err != nil {
			return err
		}
		sums = append(sums, offset)
	}
	slices.Sort(sums)
	if size < n {
		return wrong("%s with %s reaches %d, and not %d", a, b, size, n)
	}
	return verify(size, func(i int64) (int64, error) { return sums[i], nil }, identity)
}

// sorted returns digits in the order of their strides, without those of extent 1.
func sorted(digits []layout.Digit) []layout.Digit {
	list := slices.DeleteFunc(slices.Clone(digits), func(d layout.Digit) bool { return d.Extent == 1 })
	slices.SortStableFunc(list, func(a, b layout.Digit) int {
		return cmp.Or(cmp.Compare(a.Stride, b.Stride), cmp.Compare(a.Extent, b.Extent))
	})
	return list
}

// Inverse returns the right inverse: A(R(j)) = j for all j of R, which go on as long as the offsets of A have no gap
// from 0 on.
func (l Layout) Inverse() (Layout, error) {
	if err := l.invertible(); err != nil {
		return Layout{}, err
	}
	m, err := l.mode.inverse()
	if err != nil {
		return Layout{}, err
	}
	made, err := New(m, 0)
	if err != nil {
		return Layout{}, err
	}
	return made, verify(made.flat.Elements(), func(j int64) (int64, error) {
		i, err := made.At(j)
		if err != nil {
			return 0, err
		}
		return l.At(i)
	}, identity)
}

// LeftInverse returns the left inverse: L(A(i)) = i for all i of A.
func (l Layout) LeftInverse() (Layout, error) {
	if err := l.invertible(); err != nil {
		return Layout{}, err
	}
	for _, d := range l.mode.digits() {
		if d.Stride == 0 && d.Extent > 1 {
			return Layout{}, refuse("no left inverse: A, %s, has elements that share an offset, along the mode %s",
				l, Mode{Digit: d})
		}
	}
	rest, err := l.mode.complement(0)
	if err != nil {
		return Layout{}, err
	}
	m, err := List(l.mode, rest).inverse()
	if err != nil {
		return Layout{}, err
	}
	made, err := New(m, 0)
	if err != nil {
		return Layout{}, err
	}
	return made, verify(l.flat.Elements(), func(i int64) (int64, error) {
		offset, err := l.At(i)
		if err != nil {
			return 0, err
		}
		return made.At(offset)
	}, identity)
}

// invertible refuses layouts whose inverse is no layout.
func (l Layout) invertible() error {
	switch base := l.flat.Base(); {
	case l.flat.IsSwizzled():
		return scan.Refuse("it is the swizzle, and then the inverse of "+l.mode.String(),
			"the inverse of a swizzled layout is no layout with a swizzle outside")
	case base != 0:
		return refuse("A starts at %d, and its inverse at no element", base)
	}
	return l.filled("A")
}

// inverse returns the digits of numbers in the order of the offsets that they lead to, as long as there is no gap.
func (m Mode) inverse() (Mode, error) {
	var list, made []layout.Digit
	steps, step := map[layout.Digit]int64{}, int64(1)
	for _, d := range coalesced(m.digits(), false) {
		if _, known := steps[d]; !known {
			list, steps[d] = append(list, d), step
		}
		var err error
		if step, err = layout.Mul(step, d.Extent); err != nil {
			return Mode{}, layout.NameOverflow("the number of elements", err)
		}
	}
	next := int64(1)
	for _, d := range sorted(list) {
		if d.Stride != next {
			continue
		}
		made = append(made, layout.Digit{Extent: d.Extent, Stride: steps[d]})
		var err error
		if next, err = layout.Mul(d.Extent, d.Stride); err != nil {
			return Mode{}, layout.NameOverflow("the end of a mode", err)
		}
	}
	return of(made).coalesce(Tiler{})
}
