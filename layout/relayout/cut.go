package relayout

import (
	"cmp"
	"math"
	"slices"

	"layoutcalc/layout"
)

// A cut divides a tensor into regions. All of them have the same number of values of a digit, but
// the last, which may have fewer.
type cut struct {
	plan  *Plan
	order []int   // the digits in the order of their strides in the target, the smallest first
	chunk []int64 // how many values of each digit a region has
	pairs int     // the digit with an even number of values in each region; may be -1

	tangled bool // an inner digit of an axis has a longer stride than an outer one

	// tiles divides each region further, if not nil. A slab then has a region of one side and a tile of the other.
	tiles *cut
	reads bool // the whole side is the target, and the source is read in tiles
}

// newCut returns a cut without regions, which the caller chooses.
func (p *Plan) newCut() *cut {
	return &cut{plan: p, order: p.order(&p.dst), chunk: make([]int64, len(p.digits)), pairs: -1}
}

// order returns the digits in the order of their strides on one side.
func (p *Plan) order(s *side) []int {
	order := make([]int, len(p.digits))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(s.distance(p.digits[a]), s.distance(p.digits[b]))
	})
	return order
}

// total returns the number of regions.
func (c *cut) total() int64 {
	n := int64(1)
	for i, d := range c.plan.digits {
		n *= layout.CeilDiv(d.extent, c.chunk[i])
	}
	return n
}

// region returns region k, in the order that they have in the target.
func (c *cut) region(k int64) region {
	r, _ := c.within(c.plan.everything(), k)
	return r
}

// within returns part k of a region that the cut divides, in the order of the target. It reports false if there are
// fewer parts.
func (c *cut) within(whole region, k int64) (part region, ok bool) {
	part = make(region, len(c.chunk))
	for _, i := range c.order {
		lo, hi := whole[i].lo, whole[i].hi
		n := layout.CeilDiv(hi-lo, c.chunk[i])
		at := k % n
		if c.plan.dst.stride(c.plan.digits[i]) < 0 {
			at = n - 1 - at
		}
		part[i] = span{lo + at*c.chunk[i], min(lo+(at+1)*c.chunk[i], hi)}
		k /= n
	}
	return part, k == 0
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

// elements returns the maximum number of elements in a region. It cannot overflow, because the product of all extents
// is at most maxBytes.
func (c *cut) elements() int64 {
	n := int64(1)
	for _, values := range c.chunk {
		n *= values
	}
	return n
}

// sides returns how many bytes of each side a slab has at most.
func (c *cut) sides() (source, target int64) {
	source, target = c.largest()
	if c.tiles != nil {
		if s, t := c.tiles.largest(); c.reads {
			source = s
		} else {
			target = t
		}
	}
	return source, target
}

// largest returns the maximum size of each side of a region in bytes. This is the size of the first region, or of the
// last, which includes the parts of blocks beyond the size of their axis.
func (c *cut) largest() (source, target int64) {
	for _, r := range [...]region{c.first(), c.last()} {
		source = max(source, c.plan.source(r).bytes(c.plan.bits))
		target = max(target, c.plan.target(r).bytes(c.plan.bits))
	}
	return source, target
}

// memory returns how many bytes a side of a slab has at most: the larger one, or with tiles half of both.
func (c *cut) memory() int64 {
	source, target := c.sides()
	if c.tiles != nil {
		return layout.CeilDiv(source+target, 2)
	}
	return max(source, target)
}

// tile divides regions into tiles of at most the given number of elements, or as few as possible. The tiles follow one
// another on one side. It chooses this side so that the pieces on the other side are longer.
func (c *cut) tile(most int64) {
	p := c.plan
	bySource, byTarget := p.smallest(), p.smallest()
	bySource.fill(p.order(&p.src), c.chunk, most)
	byTarget.fill(c.order, c.chunk, most)
	if c.reads = p.target(bySource.first()).length > p.source(byTarget.first()).length; c.reads {
		c.tiles = bySource
	} else {
		c.tiles = byTarget
	}
	if c.tiles.elements() == c.elements() {
		c.tiles = nil
	}
}

// whole returns the cut into one region.
func (p *Plan) whole() *cut {
	c := p.newCut()
	for i, d := range p.digits {
		c.chunk[i] = d.extent
	}
	return c
}

// shared returns the cut into the given number of regions, or a few more. It cuts the digits with long strides on both
// sides, so that regions are as easy to move as the whole.
func (p *Plan) shared(regions int64) *cut {
	c := p.whole()
	near := func(i int) int64 { // the shorter stride, as far as it matters
		return min(p.src.distance(p.digits[i]), p.dst.distance(p.digits[i]), maxFused)
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

// even returns a chunk size of at most n that divides the extent into chunks of nearly equal size. Large results are a
// multiple of stageCols.
func even(n, extent int64) int64 {
	n = layout.CeilDiv(extent, layout.CeilDiv(extent, n))
	if n > stageCols {
		n = n / stageCols * stageCols
	}
	return n
}

// inOrder returns the cut into regions of about the given number of bytes, which follow one another in the target.
func (p *Plan) inOrder(bytes int64) *cut {
	c := p.smallest()
	c.fill(c.order, p.extents(), elementsOf(bytes, p.bits))
	return c
}

// extents returns the extents of the digits.
func (p *Plan) extents() []int64 {
	extents := make([]int64, len(p.digits))
	for i, d := range p.digits {
		extents[i] = d.extent
	}
	return extents
}

// balanced returns the cut into the smallest regions with the longest pieces, on both sides, that the memory for a
// region allows. It reports false when even the smallest regions do not fit.
func (p *Plan) balanced(limit int64) (*cut, bool) {
	room := limit - limit/4 // the program needs memory for more than slabs
	tile := elementsOf(min(limit/8, slabSize), p.bits)
	for run := elementsOf(longRun, p.bits); ; run /= 2 {
		c := p.smallest()
		c.stretch(&p.src, run)
		c.stretch(&p.dst, run)
		if c.tile(tile); c.memory() <= room {
			return c.filled(elementsOf(min(room, slabSize), p.bits), room), true
		}
		if run <= 1 {
			return c, c.memory() <= max(limit, leastMemory)
		}
	}
}

// smallest returns the cut into the smallest regions. It does not cut a digit if its values cannot be moved separately.
// It does not cut any digit if indices beyond the size of an axis may share storage with other elements.
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

// pair makes digits whole so that no two regions of 4-bit elements share a byte of the target. The outermost digit with
// an odd stride is not whole: regions have an even number of its values.
func (c *cut) pair() {
	p, last := c.plan, len(c.order)-1
	oddDown := func(r layout.Run) bool { return r.Reversed && r.Stride%2 != 0 }
	if p.nested && !p.loose() && p.dst.base%2 == 0 && !slices.ContainsFunc(p.dst.runs, oddDown) {
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

// odd reports whether a step of the digit moves from one half of a byte to another.
func (c *cut) odd(i int) bool {
	d := c.plan.digits[i]
	return d.extent > 1 && c.plan.dst.stride(d)%2 != 0
}

// fill makes the regions larger in the given order of the digits, up to a number of values of each digit and a number
// of elements.
func (c *cut) fill(order []int, bounds []int64, most int64) {
	for _, i := range order {
		n := max(c.chunk[i], min(bounds[i], most/(c.elements()/c.chunk[i])))
		if n > 1 && !c.complete(i, most) {
			return
		}
		if n < bounds[i] {
			c.chunk[i] = max(c.chunk[i], c.grain(i, even(n, bounds[i])))
			return
		}
		c.chunk[i] = n
	}
}

// filled returns the cut with larger regions, or c if larger ones exceed limit.
func (c *cut) filled(most, limit int64) *cut {
	larger := *c
	larger.chunk = slices.Clone(c.chunk)
	larger.fill(c.order, c.plan.extents(), most)
	if larger.memory() > limit {
		return c
	}
	return &larger
}

// stretch makes the regions larger until their pieces on that side have the given number of elements.
func (c *cut) stretch(s *side, run int64) {
	length := int64(1)
	for _, i := range c.plan.order(s) {
		d := c.plan.digits[i]
		if s.stride(d) == 0 {
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

// complete makes the digits of the axis inside digit i whole, so that the indices that a region has
// of the axis follow one another. It reports false when regions would have more elements than most.
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

// grain returns n. If the digit needs an even number, it rounds n down to one, but not below 2.
func (c *cut) grain(i int, n int64) int64 {
	if i == c.pairs && n < c.plan.digits[i].extent {
		n = max(n&^1, 2)
	}
	return n
}
