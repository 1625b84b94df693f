package notation

import (
	"cmp"
	"slices"

	"layoutcalc/layout"
)

// A cutDigit is a digit and the physical dimension that it lies in while tiles move it.
type cutDigit struct {
	tagDigit
	dim int
}

// A cutter finds the tiles that bring digits into any order. A tile takes the low digits of a
// dimension out of it and puts them behind all others; one for each digit, in the order that is
// wanted, brings all of them there. Digits that stand in the order of their dimensions take one
// tile together.
type cutter struct {
	digits []cutDigit // from the greatest stride on
	dims   int
	tile   []int64 // what is cut so far
	first  int     // the dimension of its first entry
	text   []byte
}

// cutForm returns the form of any layout of digits without gaps.
func cutForm(l layout.Layout) (xlaForm, bool) {
	outer, inner := digitsOf(l)
	if l.Empty() || l.Base() != 0 || !withoutGaps(outer, inner) {
		return xlaForm{}, false
	}
	slices.Reverse(outer)
	form := xlaForm{order: make([]int, len(outer)), padded: make([]int64, len(outer))}
	dims := make([]int, len(outer))
	for i, d := range outer {
		form.order[i], dims[d.axis] = d.axis, i
		form.padded[d.axis] = d.Extent * l.Axis(d.axis).Block()
	}
	c := cutter{dims: len(outer), text: []byte{'T'}}
	for _, d := range append(outer, inner...) {
		if d.Extent > 1 {
			c.digits = append(c.digits, cutDigit{d, dims[d.axis]})
		}
	}
	slices.SortStableFunc(c.digits, func(a, b cutDigit) int { return cmp.Compare(b.Stride, a.Stride) })
	form.tiles = c.cut()
	return form, c.dims <= layout.MaxDigits
}

// withoutGaps reports whether the digits that count have the strides of a packed array.
func withoutGaps(outer, inner []tagDigit) bool {
	digits := slices.Concat(outer, inner)
	slices.SortFunc(digits, func(a, b tagDigit) int { return cmp.Compare(a.Stride, b.Stride) })
	next := int64(1)
	for _, d := range digits {
		if d.Extent > 1 {
			if d.Stride != next {
				return false
			}
			next *= d.Extent
		}
	}
	return true
}

// cut writes the tiles. The digits up to the first inner one stay where they are.
func (c *cutter) cut() []byte {
	start := slices.IndexFunc(c.digits, func(d cutDigit) bool { return d.place > 0 })
	if start < 0 {
		return nil
	}
	for i := start; i < len(c.digits) && c.dims <= layout.MaxDigits; i++ {
		if dim := c.digits[i].dim; len(c.tile) > 0 && (dim < c.first+len(c.tile) || dim >= c.dims) {
			c.flush()
		}
		c.take(i)
	}
	c.flush()
	return c.text
}

// take cuts a digit, and the lower ones that are still with it, out of their dimension.
func (c *cutter) take(i int) {
	d := c.digits[i]
	if len(c.tile) == 0 {
		c.first = d.dim
	}
	for c.first+len(c.tile) < d.dim {
		c.tile = append(c.tile, 1)
	}
	size := int64(1)
	for j := range c.digits {
		if q := &c.digits[j]; q.dim == d.dim && q.axis == d.axis && q.place >= d.place {
			size *= q.Extent
			q.dim = c.dims + d.dim - c.first
		}
	}
	c.tile = append(c.tile, size)
}

// flush writes the tile, up to the last dimension.
func (c *cutter) flush() {
	for c.first+len(c.tile) < c.dims {
		c.tile = append(c.tile, 1)
	}
	c.text = appendTile(c.text, c.tile)
	c.dims += len(c.tile)
	c.tile = c.tile[:0]
}
