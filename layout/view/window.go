package view

import (
	"slices"

	"layoutcalc/layout"
)

// diagonal takes the elements where two axes have the same index, or indices that are offset
// apart, as a new last axis.
func (v *viewing) diagonal(s Step) error {
	if len(s.args) > 3 {
		return s.usage(3)
	}
	args := []argument{{at: s.at, number: 0}, {at: s.at, number: 0}, {at: s.at, number: 1}}
	copy(args, s.args)
	offset, err := s.asNumbers(args[:1])
	if err != nil {
		return err
	}
	a, err := s.axis(v, args[1], len(v.axes))
	if err != nil {
		return err
	}
	b, err := s.axis(v, args[2], len(v.axes))
	if err == nil && a == b {
		err = s.fail(-1, "", "a diagonal needs two axes")
	}
	if err != nil {
		return err
	}
	return s.wrap(v.takeDiagonal(offset[0], a, b))
}

func (v *viewing) takeDiagonal(offset int64, a, b int) error {
	strideA, err := v.stride(a)
	if err != nil {
		return err
	}
	strideB, err := v.stride(b)
	if err != nil {
		return err
	}
	along, by := strideB, max(offset, 0)
	size := min(v.axes[a].Size(), v.axes[b].Size()-by)
	if offset < 0 {
		by = -max(offset, -v.axes[a].Size())
		along, size = strideA, min(v.axes[a].Size()-by, v.axes[b].Size())
	}
	if size = max(size, 0); size > 0 {
		distance, err := layout.Mul(by, along)
		if err == nil {
			err = v.move(distance)
		}
		if err != nil {
			return layout.NameOverflow("the storage offset", err)
		}
	}
	stride, err := layout.Add(strideA, strideB)
	if err != nil {
		return layout.NameOverflow("the stride of the diagonal", err)
	}
	v.axes = slices.Delete(v.axes, max(a, b), max(a, b)+1)
	v.axes = append(slices.Delete(v.axes, min(a, b), min(a, b)+1), single("", size, stride))
	v.unname()
	return nil
}

// unfold makes windows along an axis; the position inside them is a new last axis.
func (v *viewing) unfold(s Step) error {
	axis, numbers, err := s.axisThen(v, 2)
	if err != nil {
		return err
	}
	size, step, n := numbers[0], numbers[1], v.axes[axis].Size()
	stride, err := v.stride(axis)
	switch {
	case err != nil:
		return s.wrap(err)
	case size < 0 || size > n:
		return s.fail(1, "", "a window of %d does not fit axis %s of size %d", size, v.called(axis), n)
	case step < 1:
		return s.fail(2, "", "a step is at least 1")
	}
	outer, err := layout.Mul(stride, step)
	if err != nil {
		return s.wrap(layout.NameOverflow("the stride of the windows", err))
	}
	v.axes[axis] = single("", (n-size)/step+1, outer)
	v.axes = append(v.axes, single("", size, stride))
	v.unname()
	return nil
}
