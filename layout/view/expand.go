package view

import (
	"fmt"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// expand broadcasts axes of size 1, and puts new ones before all others. -1 keeps a size.
func (v *viewing) expand(s Step) error {
	sizes, err := s.numbers()
	if err != nil {
		return err
	}
	more := len(sizes) - len(v.axes)
	if more < 0 {
		return s.fail(-1, "", "%s for %d axes", scan.Count(len(sizes), "size"), len(v.axes))
	}
	axes := make([]layout.Axis, len(sizes))
	for i := len(sizes) - 1; i >= 0; i-- {
		var old layout.Axis
		if i >= more {
			old = v.axes[i-more]
		} else {
			stride, err := outside(axes[i+1:])
			if err != nil {
				return s.wrap(err)
			}
			old = single("", 1, stride)
		}
		if axes[i], err = expanded(old, sizes[i], i < more); err != nil {
			e := err.(*scan.SyntaxError)
			return s.fail(i, e.Hint, "%s", e.Msg)
		}
	}
	if v.axes = axes; more > 0 {
		v.unname()
	}
	return nil
}

// expanded broadcasts the axis to another size. A new axis has no size to keep.
func expanded(a layout.Axis, size int64, isNew bool) (layout.Axis, error) {
	switch {
	case size == -1 && !isNew || size == a.Size():
		return a, nil
	case size < 0:
		return a, &scan.SyntaxError{Msg: "a size cannot be negative", Hint: "-1 keeps the size of an axis that is there"}
	case a.Size() != 1:
		return a, &scan.SyntaxError{Msg: fmt.Sprintf("an axis of size %d cannot get size %d", a.Size(), size), Hint: "only axes of size 1 can be broadcast"}
	}
	return single(a.Name(), size, 0), nil
}

// outside is the stride that PyTorch gives a new axis before others, their first one's size
// times its stride, and 0 before none.
func outside(axes []layout.Axis) (int64, error) {
	if len(axes) == 0 {
		return 0, nil
	}
	stride, _ := axes[0].Linear()
	return layout.Mul(axes[0].Size(), stride)
}

// squeeze drops the axis of size 1 that is given, or all of them.
func (v *viewing) squeeze(s Step) error {
	if len(s.args) == 0 {
		v.axes = slices.DeleteFunc(v.axes, func(a layout.Axis) bool { return a.Size() == 1 })
		return nil
	}
	if none, err := s.scalar(v); none {
		return err
	}
	given, err := s.axes(v)
	if err != nil {
		return err
	}
	slices.Sort(given)
	for _, axis := range slices.Backward(given) {
		if v.axes[axis].Size() == 1 {
			v.axes = slices.Delete(v.axes, axis, axis+1)
		}
	}
	return nil
}

func (v *viewing) unsqueeze(s Step) error {
	if len(s.args) != 1 || s.args[0].word != "" {
		return s.usage(-1)
	}
	axis, err := s.axis(v, s.args[0], len(v.axes)+1)
	if err != nil {
		return err
	}
	return s.wrap(v.insert(axis))
}

// insert puts an axis of size 1 before the given one, with the stride that PyTorch gives it.
func (v *viewing) insert(axis int) error {
	stride := int64(1)
	if axis < len(v.axes) {
		var err error
		if stride, err = outside(v.axes[axis:]); err != nil {
			return layout.NameOverflow("the stride of the new axis", err)
		}
	}
	v.axes = slices.Insert(v.axes, axis, single("", 1, stride))
	v.unname()
	return nil
}
