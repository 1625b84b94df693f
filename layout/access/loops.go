package access

import (
	"container/list"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
)

// A Loop is a nest of loops over all indices of axes, the outermost first, and a cache that gives up the line that was
// not used for the longest time.
type Loop struct {
	Axes  []int
	Start []int64 // the index on the other axes
	Line  int64   // bytes of a line
	Lines int     // the number of lines in the cache
}

// Reuse counts the reads of a loop, and the cache lines that they touch.
type Reuse struct {
	Reads   int64
	Lines   int64 // the number of different lines
	Changes int64 // reads from a different line than the previous read
	Misses  int64
}

// Count counts the reads of a loop over a tensor, element by element.
func (o Loop) Count(t layout.Tensor) (r Reuse, err error) {
	l, bits, start := t.Layout(), t.DType().Bits(), slices.Clone(o.Start)
	if err := readable(t); err != nil {
		return r, err
	}
	var axes []layout.Axis
	for i, axis := range o.Axes {
		if slices.Contains(o.Axes[:i], axis) {
			return r, lexer.Refuse("", "axis %s has two loops", l.AxisName(axis))
		}
		start[axis], axes = 0, append(axes, l.Axis(axis))
	}
	base, _ := l.Affine().Offset(start)
	nest, err := l.Remade(base, axes...)
	if err != nil {
		return r, err
	}
	if nest.Elements() > maxReads {
		return r, lexer.Refuse("a part of it can: --view 'narrow(0,0,64)'",
			"the loops read more than the limit of %d elements", maxReads)
	}
	c := cache{at: map[int64]*list.Element{}, lines: o.Lines}
	for _, offset := range nest.All() {
		r.Reads++
		for at := layout.FloorDiv(offset*bits, 8*o.Line); at <= layout.FloorDiv(offset*bits+bits-1, 8*o.Line); at++ {
			c.read(at, &r)
		}
	}
	return r, nil
}

// A cache has its lines in the order of their last use, and of the others that nothing is there.
type cache struct {
	at    map[int64]*list.Element
	order list.List // elements are *int64, so that replacing a line needs no memory
	lines int
}

// read reads a line.
func (c *cache) read(line int64, r *Reuse) {
	front, back := c.order.Front(), c.order.Back()
	if front != nil && *front.Value.(*int64) == line {
		return
	}
	e, known := c.at[line]
	if front != nil {
		r.Changes++
	}
	if !known {
		r.Lines++
	}
	if e == nil {
		r.Misses++
		if e = back; c.order.Len() < c.lines {
			kept := line
			e = c.order.PushFront(&kept)
		} else {
			of := e.Value.(*int64)
			c.at[*of], *of = nil, line
		}
		c.at[line] = e
	}
	c.order.MoveToFront(e)
}
