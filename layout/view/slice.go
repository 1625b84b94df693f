package view

import (
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/wording"
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
func (p Parser) slice() []sliceItem {
	items := []sliceItem{}
	p.Open("[")
	for p.Err == nil && p.PeekToken() != ']' {
		if len(items) > 2*layout.MaxRank {
			p.Fail(p.Pos, "", "more items than axes can be")
		}
		items = append(items, p.sliceItem())
		if !p.Take(",") && p.PeekToken() != ']' {
			p.Fail(p.Pos, "", "a comma or ] expected")
		}
	}
	p.Close("]")
	return items
}

func (p Parser) sliceItem() sliceItem {
	item := sliceItem{at: p.Pos}
	switch {
	case p.Take("..."):
		item.kind = sliceEllipsis
		return item
	case p.Take("None"), p.Take("np.newaxis"), p.Take("numpy.newaxis"), p.Take("newaxis"):
		item.kind = sliceNone
		return item
	}
	for i, bound := range []**int64{&item.start, &item.stop, &item.step} {
		if c := p.PeekToken(); lexer.IsDigit(c) || c == '-' || lexer.IsLetter(c) || c == '(' {
			var n literal.Value
			if p.Value(&n); n.Kind != literal.Number {
				p.Fail(n.At, "such as [0, 1:3, ::2, ..., None]", "an index is a number")
			}
			*bound = &n.N
		}
		if i == 2 || !p.Take(":") {
			break
		}
		item.kind = sliceRange
	}
	switch {
	case item.kind == sliceIndex && item.start == nil:
		p.Fail(p.Pos, "such as [0, 1:3, ::2, ..., None]", "an index or a range is missing here")
	case item.step != nil && *item.step == 0:
		p.Fail(item.at, "", "a step of 0 leads nowhere")
	}
	return item
}

// slice applies the items, starting at the first axis.
func (v *viewing) slice() {
	taken, ellipses, backward := 0, 0, v.isBackward()
	for _, item := range v.items {
		switch item.kind {
		case sliceEllipsis:
			ellipses++
		case sliceIndex, sliceRange:
			taken++
		}
		if ellipses > 1 {
			v.failAt(item.at, "", "a slice has at most one ellipsis")
		}
		if taken > len(v.axes) {
			v.failAt(item.at, "", "more indices than the %s there are", wording.Count(len(v.axes), "axis"))
		}
	}
	if backward && v.of != layout.NumPy {
		v.refuse("--from numpy applies it as NumPy does", "PyTorch has no negative steps")
	}
	axis, rest := 0, len(v.axes)-taken
	for _, item := range v.items {
		if v.err != nil {
			return
		}
		v.at = item.at
		axis = v.sliceItem(item, axis, rest, backward)
	}
	if v.of == layout.NumPy && len(v.axes) == 0 && taken > 0 && ellipses == 0 && v.err == nil {
		v.own("an index of every axis gives a scalar, a copy")
	}
}

// sliceItem applies one item at an axis and returns the axis after it; backward reports whether an item of the slice
// has a negative step.
func (v *viewing) sliceItem(item sliceItem, axis, rest int, backward bool) int {
	switch item.kind {
	case sliceEllipsis:
		return axis + rest
	case sliceNone:
		if v.insert(axis); v.of == layout.NumPy {
			v.axes[axis] = single("", 1, 0)
		}
		return axis + 1
	case sliceIndex:
		v.take(item.at, axis, *item.start)
		return axis
	}
	start, size, step := literal.Range(item.start, item.stop, item.step, v.axes[axis].Size())
	if backward && size == 0 {
		start, step = 0, 1
	}
	v.cut(axis, start, size, step)
	return axis + 1
}

func selectIndex(v *viewing) {
	if axis, index := v.axis(v.args[0]), v.number(v.args[1]); v.err == nil {
		v.take(v.args[1].At, axis, index)
	}
}

// take keeps one index of an axis and removes the axis.
func (v *viewing) take(at, axis int, i int64) {
	n := v.axes[axis].Size()
	index := i
	if index < 0 {
		index += n
	}
	if index < 0 || index >= n {
		v.failAt(at, "", "index %d is out of range: axis %s has size %d", i, v.called(axis), n)
		return
	}
	v.moveAlong(v.axes[axis], index)
	v.axes = slices.Delete(v.axes, axis, axis+1)
}

// moveAlong moves the base to an index of the axis, checked: in a tensor without elements the
// strides have no bounds.
func (v *viewing) moveAlong(a layout.Axis, index int64) {
	values, strides := []int64{v.base}, []int64{1}
	for k := a.Digits() - 1; k >= 0; k-- {
		d := a.Digit(k)
		value := index
		if k > 0 {
			value %= d.Extent
			index /= d.Extent
		}
		values, strides = append(values, value), append(strides, d.Stride)
	}
	v.base = v.dot("the storage offset", values, strides)
}

func narrow(v *viewing) {
	axis, numbers := v.axis(v.args[0]), v.numbers(v.args[1:])
	if v.err != nil {
		return
	}
	start, size, n := numbers[0], numbers[1], v.axes[axis].Size()
	if start < 0 {
		start += n
	}
	if start < 0 || size < 0 || start > n || size > n-start {
		v.fail(1, "", "cannot take %s from %d on: axis %s has %d", wording.Count(size, "index"), numbers[0],
			v.called(axis), n)
		return
	}
	v.cut(axis, start, size, 1)
}

// chunk keeps one of the parts that an axis is cut into.
func chunk(v *viewing) {
	axis, n := v.parts()
	if v.err != nil {
		return
	}
	chunks := v.number(v.args[0])
	if chunks < 1 {
		v.fail(0, "", "%d parts are not at least one", chunks)
		return
	}
	size := layout.CeilDiv(n, chunks)
	count := chunks
	if size > 0 {
		count = layout.CeilDiv(n, size)
	}
	v.part(axis, count, even(size, n))
}

// even returns the bounds of parts with equal sizes. The last part may be shorter.
func even(size, n int64) func(i int64) (start, length int64) {
	return func(i int64) (start, length int64) { return i * size, min(size, n-i*size) }
}

// split keeps one of the parts of an axis, which have a size, or sizes in a list.
func split(v *viewing) {
	axis, n := v.parts()
	if v.err != nil {
		return
	}
	if v.args[0].Kind == literal.List {
		sizes := v.numbers(v.args[0].List)
		ends := make([]int64, len(sizes)+1)
		for i, size := range sizes {
			if ends[i+1] = ends[i] + size; size < 0 || size > n-ends[i] {
				v.fail(0, "", "the parts are more than the %s of axis %s", wording.Count(n, "index"), v.called(axis))
				return
			}
		}
		if ends[len(sizes)] != n {
			v.fail(0, "", "the parts are %s, and axis %s has %d", wording.Count(ends[len(sizes)], "index"),
				v.called(axis),
				n)
			return
		}
		v.part(axis, int64(len(sizes)), func(i int64) (start, length int64) { return ends[i], sizes[i] })
		return
	}
	size := v.number(v.args[0])
	if size < 1 && (size < 0 || n > 0) {
		v.fail(0, "", "a part has at least one index")
		return
	}
	v.part(axis, max(1, layout.CeilDiv(n, max(size, 1))), even(size, n))
}

// sections is NumPy's split: into a number of equal parts, or before the indices in a list.
func sections(v *viewing) {
	axis, n := v.parts()
	if v.err != nil {
		return
	}
	if a := v.args[0]; a.Kind == literal.List {
		ends := append([]int64{0}, v.numbers(a.List)...)
		for i, end := range ends {
			if ends[i] = literal.ClampIndex(end, n, 1); i > 0 {
				ends[i] = max(ends[i], ends[i-1])
			}
		}
		ends = append(ends, n)
		v.part(axis, int64(len(ends)-1), func(i int64) (start, length int64) { return ends[i], ends[i+1] - ends[i] })
		return
	}
	count := v.number(v.args[0])
	if count < 1 || n%count != 0 {
		v.fail(0, "", "cannot make %s of %s", wording.Count(count, "equal part"), wording.Count(n, "index"))
		return
	}
	v.part(axis, count, func(i int64) (start, length int64) { return i * (n / count), n / count })
}

// unbind keeps one index of an axis, 0 by default.
func unbind(v *viewing) {
	axis := v.axis(v.args[0])
	if item, ok := v.partIndex(); ok {
		v.take(item.at, axis, *item.start)
	}
}

// parts returns the axis to cut, the second argument, and its size.
func (v *viewing) parts() (axis int, n int64) {
	if axis = v.axis(v.args[1]); v.err != nil {
		return 0, 0
	}
	return axis, v.axes[axis].Size()
}

// partIndex returns the index of the part that is taken.
func (v *viewing) partIndex() (item sliceItem, ok bool) {
	if len(v.items) != 1 || v.items[0].kind != sliceIndex {
		v.refuse("such as "+v.op.usage, "%s makes several tensors: an index takes one of them", v.name)
	}
	if v.err != nil {
		return item, false
	}
	return v.items[0], true
}

// part keeps one of the parts of an axis; bounds returns the start and the length of each.
func (v *viewing) part(axis int, count int64, bounds func(i int64) (start, length int64)) {
	item, ok := v.partIndex()
	if !ok {
		return
	}
	i := *item.start
	if i < 0 {
		i += count
	}
	if i < 0 || i >= count {
		v.failAt(item.at, "", "part %d is out of range: there are %d", *item.start, count)
		return
	}
	start, length := bounds(i)
	v.cut(axis, start, length, 1)
}

// linear returns an axis, of one digit if its digits count as one.
func (v *viewing) linear(axis int) layout.Axis {
	a := v.axes[axis]
	if stride, ok := a.Linear(); ok {
		return single(a.Name(), a.Size(), stride)
	}
	return a
}

// cut keeps size indices of an axis starting at start, in steps. An axis in blocks can be cut between blocks.
func (v *viewing) cut(axis int, start, size, step int64) {
	a := v.linear(axis)
	block := a.Block()
	if a.Digits() > 1 && step != 1 || start%block != 0 {
		v.refuse("cut it between blocks, without steps", "axis %s is in blocks of %d", v.called(axis), block)
		return
	}
	digits := a.DigitList()
	v.move(start/block, digits[0].Stride)
	digits[0].Extent = layout.CeilDiv(size, block)
	digits[0].Stride = v.times(v.strideOf(axis), digits[0].Stride, step)
	v.axes[axis] = layout.NewAxis(a.Name(), size, digits...)
}

// flip reverses axes by negative strides. It reverses all axes if no axis is named.
func flip(v *viewing) {
	axes := v.axisList(v.args)
	if len(v.args) == 0 {
		axes = v.backwards()
	}
	for _, axis := range axes {
		v.flipAxis(axis)
	}
}

// flipAxis reverses an axis. An axis without indices stays unchanged.
func (v *viewing) flipAxis(axis int) {
	a := v.linear(axis)
	if a.Size() == 0 {
		return
	}
	if _, partial := a.Runs(nil, axis); partial {
		v.refuse("", "axis %s ends inside a block and cannot be reversed", v.called(axis))
		return
	}
	v.moveAlong(a, a.Size()-1)
	digits := a.DigitList()
	for k := range digits {
		digits[k].Stride = v.times(v.strideOf(axis), digits[k].Stride, -1)
	}
	v.axes[axis] = layout.NewAxis(a.Name(), a.Size(), digits...)
}

// diagonal makes a new last axis from the elements with the same index along two axes, or with indices that differ by
// offset.
func diagonal(v *viewing) {
	offset, a, b := v.number(v.args[0]), v.axis(v.args[1]), v.axis(v.args[2])
	if a == b {
		v.refuse("", "a diagonal needs two axes")
	}
	if v.err == nil {
		v.takeDiagonal(offset, a, b)
	}
}

func (v *viewing) takeDiagonal(offset int64, a, b int) {
	strideA, strideB := v.stride(a), v.stride(b)
	along, by := strideB, max(offset, 0)
	size := min(v.axes[a].Size(), v.axes[b].Size()-by)
	if offset < 0 {
		by = -max(offset, -v.axes[a].Size())
		along, size = strideA, min(v.axes[a].Size()-by, v.axes[b].Size())
	}
	if size = max(size, 0); size > 0 {
		v.move(by, along)
	}
	stride := v.dot("the stride of the diagonal", []int64{strideA, strideB}, []int64{1, 1})
	v.axes = slices.Delete(v.axes, max(a, b), max(a, b)+1)
	v.axes = append(slices.Delete(v.axes, min(a, b), min(a, b)+1), single("", size, stride))
	v.unname()
}

// unfold makes windows along an axis. The index inside them becomes a new last axis.
func unfold(v *viewing) {
	axis, numbers := v.axis(v.args[0]), v.numbers(v.args[1:])
	if v.err != nil {
		return
	}
	size, step := numbers[0], numbers[1]
	if step < 1 && size >= 0 && size <= v.axes[axis].Size() {
		v.fail(2, "", "a step is at least 1")
		return
	}
	v.window(1, axis, size, step)
	v.unname()
}

// window makes windows of an axis, an argument's size, that start a step apart: the axis counts them, and a new last
// one their elements.
func (v *viewing) window(arg, axis int, size, step int64) {
	n, stride := v.axes[axis].Size(), v.stride(axis)
	if size < 0 || size > n {
		v.fail(arg, "", "a window of %d does not fit axis %s of size %d", size, v.called(axis), n)
		return
	}
	v.axes[axis] = single("", (n-size)/step+1, v.times("the stride of the windows", stride, step))
	v.axes = append(v.axes, single("", size, stride))
}

// slidingWindows is NumPy's function for windows along several axes, or all if no axis is named. An axis may be named
// twice.
func slidingWindows(v *viewing) {
	sizes, axes := v.numbers(items(v.args[:1])), []int{}
	if v.args[1].Kind == literal.Nothing {
		for i := range v.axes {
			axes = append(axes, i)
		}
	}
	for _, a := range items(v.args[1:]) {
		if a.Kind != literal.Nothing {
			axes = append(axes, v.axis(a))
		}
	}
	if len(sizes) != len(axes) {
		v.fail(0, "such as sliding_window_view(x,3,axis=0)", "%s of windows, and %d of the axes",
			wording.Count(len(sizes), "size"), len(axes))
	}
	for i, axis := range axes {
		if v.err == nil {
			v.window(0, axis, sizes[i], 1)
		}
	}
	v.unname()
}
