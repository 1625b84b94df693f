package relayout

import (
	"math"
	"slices"

	"layoutcalc/layout"
)

// smallest is the cut into the smallest regions. A digit is left whole where its values cannot be
// moved apart. All are where what lies beyond the size of an axis may lie on other elements.
func (p *Plan) smallest() *cut {
	c := p.newCut()
	whole := !p.nested && p.ragged
	for i, d := range p.digits {
		c.chunk[i] = 1
		if d.loose || whole {
			c.chunk[i] = d.extent
		}
	}
	if p.bits < 8 && !whole {
		c.pair()
	}
	return c
}

// pair makes digits whole so that no region shares a byte of the target with another, as elements
// of 4 bits do in pairs: up to the last one of an odd stride, of which regions have an even number
// of values.
func (c *cut) pair() {
	p, last := c.plan, len(c.order)-1
	if p.nested && !p.loose() && p.dst.base%2 == 0 && !slices.ContainsFunc(p.dst.wheels, wheel.oddDown) {
		for last >= 0 && !c.odd(c.order[last]) {
			last--
		}
		if last >= 0 {
			c.pairs = c.order[last]
			c.chunk[c.pairs] = min(2, p.digits[c.pairs].extent)
			c.complete(c.pairs, math.MaxInt64)
			last--
		}
	}
	for _, i := range c.order[:last+1] {
		c.chunk[i] = p.digits[i].extent
		c.complete(i, math.MaxInt64)
	}
}

// odd reports whether a step of the digit leads from one half of a byte to another.
func (c *cut) odd(i int) bool {
	d := c.plan.digits[i]
	return d.extent > 1 && c.plan.dst.wheels.stride(d)%2 != 0
}

// grain returns n or, where the digit needs an even number, n rounded down to one, but at least 2.
func (c *cut) grain(i int, n int64) int64 {
	if i == c.pairs && n < c.plan.digits[i].extent {
		n = max(n&^1, 2)
	}
	return n
}

// fill makes the regions larger in the order of the target, while they have so many elements at
// most.
func (c *cut) fill(most int64) {
	for _, i := range c.order {
		extent := c.plan.digits[i].extent
		n := max(c.chunk[i], min(extent, most/(c.elements()/c.chunk[i])))
		if n > 1 && !c.complete(i, most) {
			return
		}
		if n < extent {
			c.chunk[i] = max(c.chunk[i], c.grain(i, even(n, extent)))
			return
		}
		c.chunk[i] = n
	}
}

// filled is the cut with larger regions, or as it is if those take too much room.
func (c *cut) filled(most, room int64) *cut {
	larger := *c
	larger.chunk = slices.Clone(c.chunk)
	larger.fill(most)
	if larger.room() > room {
		return c
	}
	return &larger
}

// complete makes the digits of the axis inside of digit i whole, so that a region has indices of
// the axis that follow one another. It reports false when that would be too many elements.
func (c *cut) complete(i int, most int64) bool {
	digits := c.plan.digits
	for k := i + 1; k < len(digits) && digits[k].axis == digits[i].axis; k++ {
		if c.chunk[k] < digits[k].extent {
			c.tangled = true
			if c.elements()/c.chunk[k]*digits[k].extent > most {
				return false
			}
			c.chunk[k] = digits[k].extent
		}
	}
	return true
}

// even returns a number of values near n, but not above, in whose steps the extent is parted
// into regions of nearly one size. Large ones are a multiple of what a stage holds.
func even(n, extent int64) int64 {
	n = layout.CeilDiv(extent, layout.CeilDiv(extent, n))
	if n > stageCols {
		n = n / stageCols * stageCols
	}
	return n
}

// stretch makes the regions larger until their pieces on that side have so many elements.
func (c *cut) stretch(w wheels, run int64) {
	length := int64(1)
	for _, i := range c.plan.along(w) {
		d := c.plan.digits[i]
		if w.stride(d) == 0 {
			continue
		}
		n := max(c.chunk[i], c.grain(i, min(d.extent, layout.CeilDiv(run, length))))
		if length >= run || n > 1 && !c.complete(i, math.MaxInt64) {
			return
		}
		c.chunk[i] = n
		length *= n
	}
}
