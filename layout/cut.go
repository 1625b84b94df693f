package layout

import (
	"fmt"
	"slices"
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
	n := v.axes[axis].size
	index := i
	if index < 0 {
		index += n
	}
	if index < 0 || index >= n {
		return &SyntaxError{s.in, at, fmt.Sprintf("index %d is out of range: axis %s has size %d", i, v.called(axis), n), ""}
	}
	by, err := v.axes[axis].distance(index)
	if err == nil {
		err = v.move(by)
	}
	if err != nil {
		return s.wrap(err)
	}
	v.axes = slices.Delete(v.axes, axis, axis+1)
	return nil
}

// distance is offset, checked: in a tensor without elements the strides have no bounds.
func (a *Axis) distance(index int64) (int64, error) {
	digits, strides := make([]int64, len(a.digits)), make([]int64, len(a.digits))
	for k := len(a.digits) - 1; k >= 0; k-- {
		digits[k], strides[k] = index, a.digits[k].Stride
		if k > 0 {
			digits[k] %= a.digits[k].Extent
			index /= a.digits[k].Extent
		}
	}
	return Dot(digits, strides)
}

func (v *viewing) narrow(s Step) error {
	axis, numbers, err := s.axisThen(v, 2)
	if err != nil {
		return err
	}
	start, size, n := numbers[0], numbers[1], v.axes[axis].size
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
		by, err := Mul(start, stride)
		if err == nil {
			err = v.move(by)
		}
		if err == nil {
			stride, err = Mul(stride, step)
		}
		*a = single(a.name, size, stride)
		return NameOverflow("the stride of axis "+v.called(axis), err)
	}
	block := a.Block()
	if step != 1 || start%block != 0 {
		return &SyntaxError{Msg: fmt.Sprintf("axis %s is in blocks of %d", v.called(axis), block), Hint: "cut it between blocks, without steps"}
	}
	by, err := Mul(start/block, a.digits[0].Stride)
	if err == nil {
		err = v.move(by)
	}
	if err != nil {
		return NameOverflow("the storage offset", err)
	}
	a.size, a.digits[0].Extent = size, CeilDiv(size, block)
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
	if a.size == 0 {
		return nil
	}
	if stride, ok := a.Linear(); ok {
		back, err := Neg(stride)
		if err != nil {
			return NameOverflow("the stride of axis "+v.called(axis), err)
		}
		by, err := Mul(a.size-1, stride)
		if err != nil {
			return NameOverflow("the storage offset", err)
		}
		*a = single(a.name, a.size, back)
		return v.move(by)
	}
	if _, partial := a.Runs(nil, axis); partial {
		return &SyntaxError{Msg: fmt.Sprintf("axis %s ends inside a block and cannot be reversed", v.called(axis))}
	}
	by, err := a.distance(a.size - 1)
	for k, d := range a.digits {
		if err == nil {
			a.digits[k].Stride, err = Neg(d.Stride)
		}
	}
	if err != nil {
		return NameOverflow("the stride of axis "+v.called(axis), err)
	}
	return v.move(by)
}
