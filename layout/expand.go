package layout

import (
	"fmt"
	"slices"
)

// expand broadcasts axes of size 1, and puts new ones before all others. -1 keeps a size.
func (v *viewing) expand(s Step) error {
	sizes, err := s.numbers()
	if err != nil {
		return err
	}
	more := len(sizes) - len(v.axes)
	if more < 0 {
		return s.fail(-1, "", "%s for %d axes", count(len(sizes), "size"), len(v.axes))
	}
	axes := make([]Axis, len(sizes))
	for i := len(sizes) - 1; i >= 0; i-- {
		old := single("", 1, 0)
		if i >= more {
			old = v.axes[i-more]
		} else if old.digits[0].Stride, err = outside(axes[i+1:]); err != nil {
			return s.wrap(err)
		}
		if axes[i], err = old.expand(sizes[i], i < more); err != nil {
			e := err.(*SyntaxError)
			return s.fail(i, e.Hint, "%s", e.Msg)
		}
	}
	if v.axes = axes; more > 0 {
		v.unname()
	}
	return nil
}

// expand broadcasts the axis to another size. A new axis has no size to keep.
func (a Axis) expand(size int64, isNew bool) (Axis, error) {
	switch {
	case size == -1 && !isNew || size == a.size:
		return a, nil
	case size < 0:
		return a, &SyntaxError{Msg: "a size cannot be negative", Hint: "-1 keeps the size of an axis that is there"}
	case a.size != 1:
		return a, &SyntaxError{Msg: fmt.Sprintf("an axis of size %d cannot get size %d", a.size, size), Hint: "only axes of size 1 can be broadcast"}
	}
	return single(a.name, size, 0), nil
}

// outside is the stride that PyTorch gives a new axis before others, their first one's size
// times its stride, and 0 before none.
func outside(axes []Axis) (int64, error) {
	if len(axes) == 0 {
		return 0, nil
	}
	stride, _ := axes[0].Linear()
	return Mul(axes[0].size, stride)
}

// squeeze drops the axis of size 1 that is given, or all of them.
func (v *viewing) squeeze(s Step) error {
	if len(s.args) == 0 {
		v.axes = slices.DeleteFunc(v.axes, func(a Axis) bool { return a.size == 1 })
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
		if v.axes[axis].size == 1 {
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
			return NameOverflow("the stride of the new axis", err)
		}
	}
	v.axes = slices.Insert(v.axes, axis, single("", 1, stride))
	v.unname()
	return nil
}
