package view

import (
	"fmt"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

func (v *viewing) selectIndex(s Step) error {
	axis, numbers, err := s.axisThen(v, 1)
	if err != nil {
		return err
	}
	return v.take(s, s.args[1].at, axis, numbers[0])
}

// take keeps one index of an axis, which goes away.
func (v *viewing) take(s Step, at, axis int, i int64) error {
	n := v.axes[axis].Size()
	index := i
	if index < 0 {
		index += n
	}
	if index < 0 || index >= n {
		return &scan.SyntaxError{Input: s.in, Offset: at, Msg: fmt.Sprintf("index %d is out of range: axis %s has size %d", i, v.called(axis), n)}
	}
	by, err := distance(v.axes[axis], index)
	if err == nil {
		err = v.move(by)
	}
	if err != nil {
		return s.wrap(err)
	}
	v.axes = slices.Delete(v.axes, axis, axis+1)
	return nil
}

// distance returns what the index adds to the offset, checked: in a tensor without elements the
// strides have no bounds.
func distance(a layout.Axis, index int64) (int64, error) {
	values, strides := make([]int64, a.Digits()), make([]int64, a.Digits())
	for k := a.Digits() - 1; k >= 0; k-- {
		d := a.Digit(k)
		values[k], strides[k] = index, d.Stride
		if k > 0 {
			values[k] %= d.Extent
			index /= d.Extent
		}
	}
	return layout.Dot(values, strides)
}

func (v *viewing) narrow(s Step) error {
	axis, numbers, err := s.axisThen(v, 2)
	if err != nil {
		return err
	}
	start, size, n := numbers[0], numbers[1], v.axes[axis].Size()
	if start < 0 {
		start += n
	}
	if start < 0 || size < 0 || start > n || size > n-start {
		return s.fail(1, "", "%d indices from %d on are more than the %d of axis %s", size, numbers[0], n, v.called(axis))
	}
	return s.wrap(v.cut(axis, start, size, 1))
}

// cut keeps size indices of an axis from start on, in steps. An axis in blocks can be cut
// between them.
func (v *viewing) cut(axis int, start, size, step int64) error {
	a := &v.axes[axis]
	if stride, ok := a.Linear(); ok {
		by, err := layout.Mul(start, stride)
		if err == nil {
			err = v.move(by)
		}
		if err == nil {
			stride, err = layout.Mul(stride, step)
		}
		*a = single(a.Name(), size, stride)
		return layout.NameOverflow("the stride of axis "+v.called(axis), err)
	}
	block := a.Block()
	if step != 1 || start%block != 0 {
		return &scan.SyntaxError{Msg: fmt.Sprintf("axis %s is in blocks of %d", v.called(axis), block), Hint: "cut it between blocks, without steps"}
	}
	by, err := layout.Mul(start/block, a.Digit(0).Stride)
	if err == nil {
		err = v.move(by)
	}
	if err != nil {
		return layout.NameOverflow("the storage offset", err)
	}
	digits := digitsOf(*a)
	digits[0].Extent = layout.CeilDiv(size, block)
	*a = layout.NewAxis(a.Name(), size, digits...)
	return nil
}

// flip reverses axes by negative strides.
func (v *viewing) flip(s Step) error {
	axes, err := s.axes(v)
	if err != nil {
		return err
	}
	if len(axes) == 0 {
		return s.usage(-1)
	}
	v.note = "NumPy's flip is a view; PyTorch's copies"
	for _, axis := range axes {
		if err := v.flipAxis(axis); err != nil {
			return s.wrap(err)
		}
	}
	return nil
}

// flipAxis reverses an axis. One without indices stays as it is.
func (v *viewing) flipAxis(axis int) error {
	a := &v.axes[axis]
	if a.Size() == 0 {
		return nil
	}
	if stride, ok := a.Linear(); ok {
		back, err := layout.Neg(stride)
		if err != nil {
			return layout.NameOverflow("the stride of axis "+v.called(axis), err)
		}
		by, err := layout.Mul(a.Size()-1, stride)
		if err != nil {
			return layout.NameOverflow("the storage offset", err)
		}
		*a = single(a.Name(), a.Size(), back)
		return v.move(by)
	}
	if _, partial := a.Runs(nil, axis); partial {
		return &scan.SyntaxError{Msg: fmt.Sprintf("axis %s ends inside a block and cannot be reversed", v.called(axis))}
	}
	by, err := distance(*a, a.Size()-1)
	digits := digitsOf(*a)
	for k, d := range digits {
		if err == nil {
			digits[k].Stride, err = layout.Neg(d.Stride)
		}
	}
	if err != nil {
		return layout.NameOverflow("the stride of axis "+v.called(axis), err)
	}
	*a = layout.NewAxis(a.Name(), a.Size(), digits...)
	return v.move(by)
}
