package view

import (
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

func (v *viewing) permute(s Step) error {
	order, err := s.axes(v)
	if err != nil {
		return err
	}
	if len(order) != len(v.axes) {
		return s.fail(-1, "", "%s for %d axes", scan.Count(len(order), "position"), len(v.axes))
	}
	v.rearrange(order)
	return nil
}

func (v *viewing) rearrange(order []int) {
	axes := make([]layout.Axis, len(order))
	for i, from := range order {
		axes[i] = v.axes[from]
	}
	v.axes = axes
}

func (v *viewing) transpose(s Step) error {
	if len(s.args) != 2 {
		return s.usage(-1)
	}
	if none, err := s.scalar(v); none {
		return err
	}
	a, err := s.axis(v, s.args[0], len(v.axes))
	if err != nil {
		return err
	}
	b, err := s.axis(v, s.args[1], len(v.axes))
	if err == nil {
		v.axes[a], v.axes[b] = v.axes[b], v.axes[a]
	}
	return err
}

func (v *viewing) reverse(s Step) error {
	slices.Reverse(v.axes)
	return v.noArguments(s)
}

func (v *viewing) matrixTranspose(s Step) error {
	n := len(v.axes)
	if n < 2 {
		return s.fail(-1, "", "a matrix has two axes at least, this tensor %d", n)
	}
	v.axes[n-2], v.axes[n-1] = v.axes[n-1], v.axes[n-2]
	return v.noArguments(s)
}

func (v *viewing) noArguments(s Step) error {
	if len(s.args) > 0 {
		return s.usage(0)
	}
	return nil
}

// movedim moves axes to other positions; the others keep their order.
func (v *viewing) movedim(s Step) error {
	if len(s.args) != 2 {
		return s.usage(-1)
	}
	if none, err := s.scalar(v); none {
		return err
	}
	from, err := s.part(0).axes(v)
	if err != nil {
		return err
	}
	to, err := s.part(1).axes(v)
	if err != nil {
		return err
	}
	if len(from) != len(to) {
		return s.fail(1, "", "%d axes to move to %s", len(from), scan.Count(len(to), "position"))
	}
	v.rearrange(moved(len(v.axes), from, to))
	return nil
}

// moved returns the order of n axes after those of from went to the positions of to.
func moved(n int, from, to []int) []int {
	order := slices.Repeat([]int{-1}, n)
	for i, at := range to {
		order[at] = from[i]
	}
	next := 0
	for i := range order {
		for slices.Contains(from, next) {
			next++
		}
		if order[i] < 0 {
			order[i] = next
			next++
		}
	}
	return order
}
