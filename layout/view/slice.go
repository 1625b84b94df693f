package view

import (
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// A sliceItem is one item of a slice: an index, start:stop:step, an ellipsis or None.
type sliceItem struct {
	at                int
	kind              sliceKind
	start, stop, step *int64 // the index is start
}

type sliceKind uint8

const (
	sliceIndex sliceKind = iota
	sliceRange
	sliceEllipsis
	sliceNone
)

// slice reads a slice in Python's syntax.
func (p stepParser) slice() ([]sliceItem, error) {
	var items []sliceItem
	p.Pos++
	for {
		p.Blanks()
		if p.Take("]") {
			return items, nil
		}
		if len(items) > 2*layout.MaxRank {
			return nil, p.Fail(p.Pos, "", "more items than axes can be")
		}
		item, err := p.sliceItem()
		if err != nil {
			return nil, err
		}
		items = append(items, item)
		if p.Blanks(); !p.Take(",") && p.Peek() != ']' {
			return nil, p.Fail(p.Pos, "", "a comma or ] expected")
		}
	}
}

func (p stepParser) sliceItem() (sliceItem, error) {
	item := sliceItem{at: p.Pos}
	switch {
	case p.Take("..."):
		item.kind = sliceEllipsis
		return item, nil
	case p.Take("None"):
		item.kind = sliceNone
		return item, nil
	}
	for i, bound := range []**int64{&item.start, &item.stop, &item.step} {
		if err := p.bound(bound); err != nil {
			return item, err
		}
		if p.Blanks(); i == 2 || !p.Take(":") {
			break
		}
		item.kind = sliceRange
	}
	switch {
	case item.kind == sliceIndex && item.start == nil:
		return item, p.Fail(p.Pos, "such as [0, 1:3, ::2, ..., None]", "an index or a range is missing here")
	case item.step != nil && *item.step == 0:
		return item, p.Fail(item.at, "", "a step of 0 leads nowhere")
	}
	return item, nil
}

// bound reads a number if there is one.
func (p stepParser) bound(to **int64) error {
	p.Blanks()
	if c := p.Peek(); !scan.IsDigit(c) && c != '-' {
		return nil
	}
	n, err := p.Integer(scan.Number{Noun: "index", Example: "1:3", Signed: true})
	*to = &n
	return err
}

// slice applies the items from the first axis on.
func (v *viewing) slice(s Step) error {
	taken, ellipses, numpy := 0, 0, false
	for _, item := range s.items {
		switch item.kind {
		case sliceEllipsis:
			ellipses++
		case sliceIndex, sliceRange:
			taken++
		}
		if ellipses > 1 {
			return s.failAt(item.at, "", "a slice has at most one ellipsis")
		}
		if taken > len(v.axes) {
			return s.failAt(item.at, "", "more indices than the %d axes there are", len(v.axes))
		}
		numpy = numpy || item.step != nil && *item.step < 0
	}
	if numpy {
		v.note = "a negative step is NumPy's; PyTorch has none"
	}
	axis, rest := 0, len(v.axes)-taken
	for _, item := range s.items {
		var err error
		if axis, err = v.sliceItem(s, item, axis, rest, numpy); err != nil {
			return err
		}
	}
	return nil
}

// sliceItem applies one item at an axis and returns the axis after it.
func (v *viewing) sliceItem(s Step, item sliceItem, axis, rest int, numpy bool) (int, error) {
	switch item.kind {
	case sliceEllipsis:
		return axis + rest, nil
	case sliceNone:
		return axis + 1, v.insert(axis)
	case sliceIndex:
		return axis, v.take(s, item.at, axis, *item.start)
	}
	start, size, step := pythonRange(item, v.axes[axis].Size())
	if numpy && size == 0 {
		start, step = 0, 1
	}
	return axis + 1, s.wrapAt(item.at, v.cut(axis, start, size, step))
}

// pythonRange returns where a range starts on an axis of n indices, how many it takes and in
// what steps. Bounds beyond the axis are clamped, as Python does.
func pythonRange(item sliceItem, n int64) (start, size, step int64) {
	step = 1
	if item.step != nil {
		step = *item.step
	}
	first, last := int64(0), n
	if step < 0 {
		first, last = n-1, -1
	}
	start, stop := first, last
	if item.start != nil {
		start = clampIndex(*item.start, n, step)
	}
	if item.stop != nil {
		stop = clampIndex(*item.stop, n, step)
	}
	switch {
	case step > 0 && stop > start:
		size = (stop-start-1)/step + 1
	case step < 0 && stop < start:
		size = int64((layout.Magnitude(stop-start)-1)/layout.Magnitude(step)) + 1
	}
	return start, size, step
}

// clampIndex counts a negative index from the end and keeps it on the axis, or just beyond the
// end that the step leads to or comes from.
func clampIndex(i, n, step int64) int64 {
	if i < 0 {
		i += n
	}
	if step < 0 {
		return min(max(i, -1), n-1)
	}
	return min(max(i, 0), n)
}

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
		return s.failAt(at, "", "index %d is out of range: axis %s has size %d", i, v.called(axis), n)
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
		return s.fail(1, "", "%d indices from %d on are more than the %d of axis %s",
			size, numbers[0], n, v.called(axis))
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
		return scan.Refuse("cut it between blocks, without steps", "axis %s is in blocks of %d", v.called(axis), block)
	}
	by, err := layout.Mul(start/block, a.Digit(0).Stride)
	if err == nil {
		err = v.move(by)
	}
	if err != nil {
		return layout.NameOverflow("the storage offset", err)
	}
	digits := a.AllDigits()
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
		return scan.Refuse("", "axis %s ends inside a block and cannot be reversed", v.called(axis))
	}
	by, err := distance(*a, a.Size()-1)
	digits := a.AllDigits()
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
