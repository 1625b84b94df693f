package layout

import (
	"fmt"
	"iter"
	"strings"
)

// Offset returns the offset of the element at the index, one number for each axis.
func (l Layout) Offset(index []int64) (int64, error) {
	if len(index) != len(l.axes) {
		return 0, &SyntaxError{Msg: l.indexCount(len(index))}
	}
	for i, v := range index {
		if v < 0 || v >= l.axes[i].size {
			return 0, &SyntaxError{Msg: l.outOfRange(i, v)}
		}
	}
	return l.offset(index), nil
}

// offset is Offset for an index that is known to be one of the layout's.
func (l Layout) offset(index []int64) int64 {
	offset := l.base
	for i, v := range index {
		offset += l.axes[i].offset(v)
	}
	return offset
}

// Index returns the index that the list names, in the order of the axes. The list may be
// labelled with their names, and is checked against their sizes.
func (l Layout) Index(list List) ([]int64, error) {
	if list.labels != nil {
		var err error
		if list, err = l.unlabel(list); err != nil {
			return nil, err
		}
	}
	if len(list.values) != len(l.axes) {
		return nil, list.fail(len(l.axes), l.indexHint(), "%s", l.indexCount(len(list.values)))
	}
	for i, v := range list.values {
		if v < 0 || v >= l.axes[i].size {
			return nil, list.fail(i, "", "%s", l.outOfRange(i, v))
		}
	}
	return list.values, nil
}

// unlabel sorts a labelled list into the order of the axes.
func (l Layout) unlabel(list List) (List, error) {
	names := l.axisNames()
	sorted := List{text: list.text, values: make([]int64, len(list.values)), at: make([]int, len(list.values))}
	if len(list.labels) != len(names) {
		return List{}, list.fail(len(list.labels), l.indexHint(), "%s", l.indexCount(len(list.labels)))
	}
	for i, at := range positions(list.labels, names) {
		if at < 0 {
			return List{}, list.fail(i, l.indexHint(), "unknown axis %s", clip(list.labels[i]))
		}
		sorted.values[at], sorted.at[at] = list.values[i], list.at[i]
	}
	return sorted, nil
}

// axisNames returns what the axes are called.
func (l Layout) axisNames() []string {
	names := make([]string, len(l.axes))
	for i := range names {
		names[i] = l.AxisName(i)
	}
	return names
}

func (l Layout) indexCount(n int) string {
	return fmt.Sprintf("%s for a tensor of rank %d", count(n, "number"), len(l.axes))
}

func (l Layout) indexHint() string {
	if len(l.axes) == 0 {
		return "a scalar's only index is []"
	}
	return "an index is one number for each of " + strings.Join(l.axisNames(), ",")
}

func (l Layout) outOfRange(axis int, v int64) string {
	size := l.axes[axis].size
	if size == 0 {
		return fmt.Sprintf("axis %s has size 0: there are no elements", l.AxisName(axis))
	}
	return fmt.Sprintf("index %d is out of range: axis %s counts from 0 to %d", v, l.AxisName(axis), size-1)
}

// All yields every index in row-major order, with its offset. The slice is the same each time
// and changes with the next step.
func (l Layout) All() iter.Seq2[[]int64, int64] {
	return func(yield func([]int64, int64) bool) {
		if l.Empty() {
			return
		}
		index, offset := make([]int64, len(l.axes)), l.base
		for {
			if !yield(index, offset) {
				return
			}
			i := len(index) - 1
			for ; i >= 0 && index[i] == l.axes[i].size-1; i-- {
				offset -= l.axes[i].offset(index[i])
				index[i] = 0
			}
			if i < 0 {
				return
			}
			offset += l.axes[i].step(index[i])
			index[i]++
		}
	}
}

// step is how far the offset moves from index i of the axis to the next.
func (a *Axis) step(i int64) int64 {
	if len(a.digits) == 1 {
		return a.digits[0].Stride
	}
	return a.offset(i+1) - a.offset(i)
}

// Ordinal returns the position of the element in row-major order when axes that take no
// storage do not count, so that broadcast copies have the number of their original.
func (l Layout) Ordinal(index []int64) int64 {
	n := int64(0)
	for i, v := range index {
		if a := &l.axes[i]; !a.Broadcast() {
			n = n*a.size + v
		}
	}
	return n
}

// Ordinals returns how many ordinals there are.
func (l Layout) Ordinals() int64 {
	n := int64(1)
	for i := range l.axes {
		if a := &l.axes[i]; !a.Broadcast() {
			n *= a.size
		}
	}
	return n
}
