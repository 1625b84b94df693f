package relayout

import (
	"cmp"
	"slices"

	"layoutcalc/layout"
)

// A cut parts a tensor into regions, each of which has so many values of each digit.
type cut struct {
	plan  *Plan
	order []int   // the digits, that of the least stride of the target first
	chunk []int64 // how many values a region has
	pairs int     // the digit of which a region has an even number of values, -1 if none

	tangled bool // an axis's inner digit has a longer stride than an outer one
}

// total returns the number of regions.
func (c *cut) total() int64 {
	n := int64(1)
	for i, d := range c.plan.digits {
		n *= layout.CeilDiv(d.extent, c.chunk[i])
	}
	return n
}

// region returns region k. They follow one another as they lie in the target.
func (c *cut) region(k int64) region {
	r := make(region, len(c.chunk))
	for _, i := range c.order {
		extent := c.plan.digits[i].extent
		n := layout.CeilDiv(extent, c.chunk[i])
		at := k % n
		if c.plan.dst.wheels.stride(c.plan.digits[i]) < 0 {
			at = n - 1 - at
		}
		r[i] = span{at * c.chunk[i], min((at+1)*c.chunk[i], extent)}
		k /= n
	}
	return r
}

// elements returns how many elements a region has at most.
func (c *cut) elements() int64 {
	n := int64(1)
	for _, values := range c.chunk {
		n *= values
	}
	return n
}

// along returns the digits in the order of their strides on one side.
func (p *Plan) along(w wheels) []int {
	order := make([]int, len(p.digits))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(magnitude(w.stride(p.digits[a])), magnitude(w.stride(p.digits[b])))
	})
	return order
}

// whole is the cut into one region.
func (p *Plan) whole() *cut {
	c := p.newCut()
	for i, d := range p.digits {
		c.chunk[i] = d.extent
	}
	return c
}

// newCut returns a cut whose regions are still to be chosen.
func (p *Plan) newCut() *cut {
	return &cut{plan: p, order: p.along(p.dst.wheels), chunk: make([]int64, len(p.digits)), pairs: -1}
}

// shared returns the cut into so many regions or a few more. Digits are cut that lead far on both
// sides, so that regions are as easy to move as the whole.
func (p *Plan) shared(regions int64) *cut {
	c := p.whole()
	near := func(i int) int64 { // how far it leads on both sides, as far as that matters
		return min(magnitude(p.src.wheels.stride(p.digits[i])), magnitude(p.dst.wheels.stride(p.digits[i])), ample)
	}
	order := slices.Clone(c.order)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(near(a), near(b)) })
	for _, i := range slices.Backward(order) {
		if d := p.digits[i]; regions > 1 && !d.loose {
			c.chunk[i] = even(layout.CeilDiv(d.extent, regions), d.extent)
			regions = layout.CeilDiv(regions, layout.CeilDiv(d.extent, c.chunk[i]))
		}
	}
	return c
}

// inOrder returns the cut into regions of so many bytes, one after the other in the target.
func (p *Plan) inOrder(bytes int64) *cut {
	c := p.smallest()
	c.fill(elementsOf(bytes, p.bits))
	return c
}

// balanced returns the cut into regions whose pieces are as long as the room for a region allows,
// on both sides, and that are no larger than they need be for that. It reports false when even
// the smallest regions do not fit.
func (p *Plan) balanced(room int64) (*cut, bool) {
	for run := elementsOf(longRun, p.bits); ; run /= 2 {
		c := p.smallest()
		c.stretch(p.src.wheels, run)
		c.stretch(p.dst.wheels, run)
		if c.room() <= room {
			return c.filled(elementsOf(min(room, slabSize), p.bits), room), true
		}
		if run <= 1 {
			return c, c.room() <= leastRoom
		}
	}
}

// room returns how many bytes the larger side of a region takes at most: of the first, or of the
// last, which has what blocks have beyond the size of their axis.
func (c *cut) room() int64 {
	most := int64(0)
	for _, r := range [...]region{c.first(), c.last()} {
		most = max(most, c.plan.source(r).bytes(c.plan.bits), c.plan.target(r).bytes(c.plan.bits))
	}
	return most
}

// first returns the region of the first indices.
func (c *cut) first() region {
	r := make(region, len(c.chunk))
	for i, n := range c.chunk {
		r[i] = span{0, n}
	}
	return r
}

// last returns the region of the last indices that an axis has, as large as the first.
func (c *cut) last() region {
	r := make(region, len(c.chunk))
	for _, a := range c.plan.axes {
		rest := a.size - 1
		for k := a.first; k < a.end; k++ {
			hi := rest/c.plan.digits[k].weight + 1
			r[k] = span{max(hi-c.chunk[k], 0), hi}
			rest %= c.plan.digits[k].weight
		}
	}
	return r
}
