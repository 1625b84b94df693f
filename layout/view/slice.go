package view

import (
	"fmt"

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
			return s.failItem(item, "", "an ellipsis stands once in a slice")
		}
		if taken > len(v.axes) {
			return s.failItem(item, "", "more indices than the %d axes there are", len(v.axes))
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

// sliceItem applies one item at an axis and returns the axis behind it.
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

func (s Step) failItem(item sliceItem, hint, format string, args ...any) error {
	return &scan.SyntaxError{Input: s.in, Offset: item.at, Msg: fmt.Sprintf(format, args...), Hint: hint}
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
