package rules

import (
	"fmt"
	"math"
	"math/bits"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
)

// checkOverlap decides whether elements share addresses where the strides alone do not tell.
func (c *Checker) checkOverlap() {
	if !c.asks(OverlapOutput, OverlapInput, OverlapUnknown, GapOverlapBalance, Gaps, Packed, MdspanUnique) {
		return
	}
	l, err := layout.Strided(c.base(), c.d.Sizes, c.room.strides)
	if err != nil {
		if c.broken(OverlapUnknown) {
			c.find(OverlapUnknown, StridesPart, -1, "", "whether elements overlap is not known: %s", err)
		}
		return
	}
	f := facts.Within(l, facts.Quick)
	c.room.shared = f.Overlapping
	switch f.Overlapping {
	case facts.Yes:
		c.overlap(&f)
	case facts.Unknown:
		c.overlapUnknown()
	}
	if f.Unique == facts.No && f.Span == f.Elements {
		c.balance(f.Distinct)
	}
	if f.DistinctKnown && f.Exhaustive == facts.No {
		c.gaps(f.Distinct)
	}
}

// asks reports whether findings of any of the rules are wanted.
func (c *Checker) asks(ids ...ID) bool {
	for _, id := range ids {
		if !c.disabled[id] {
			return true
		}
	}
	return false
}

func (c *Checker) overlapUnknown() {
	if c.broken(OverlapUnknown) {
		c.find(OverlapUnknown, StridesPart, -1, c.packedFix(), "whether elements overlap is not known: a search that is quick does not tell; layoutcalc size says more")
	}
}

// overlap reports elements at one address, with two of them. The mdspan of C++ asks that there be
// none whatever it is used for.
func (c *Checker) overlap(f *facts.Facts) {
	id := OverlapInput
	switch {
	case c.target.Family == Mdspan:
		id = MdspanUnique
	case c.d.Role == Output:
		id = OverlapOutput
	}
	if !c.broken(id) {
		return
	}
	addresses := "fewer"
	if f.DistinctKnown {
		addresses = fmt.Sprintf("%d", f.Distinct)
	}
	hint := c.apart()
	if hint == "" {
		hint = c.packedFix()
	}
	c.find(id, StridesPart, c.differing(f.Witness), hint, "%s and %s are both at %s; %d elements on %s addresses",
		tuple(f.Witness.A), tuple(f.Witness.B), c.where(f.Witness.Offset), f.Elements, addresses)
}

// differing is the first dimension along which the two elements differ.
func (c *Checker) differing(w *facts.Witness) int {
	for i := range w.A {
		if w.A[i] != w.B[i] {
			return i
		}
	}
	return -1
}

// apart finds one stride that, made larger, leaves no two elements at one address, and says so.
// There may be smaller ones that do.
func (c *Checker) apart() string {
	dims, reach := c.room.moving(), uint64(0)
	for k := range dims {
		if dims[k].stride <= reach {
			return c.widen(dims, k, reach)
		}
		reach += dims[k].reach()
	}
	return ""
}

// widen is apart for the dim at k, which steps no further than the reach of those below it. A step
// just beyond that is enough where it leaves those above apart, and otherwise one beyond these too.
func (c *Checker) widen(dims []dim, k int, reach uint64) string {
	d, above := &dims[k], dims[k+1:]
	if hi, own := bits.Mul64(d.size-1, reach+1); hi == 0 && own <= math.MaxInt64 {
		if _, ok := stacked(above, reach+own); ok {
			return c.wider(d, reach+1)
		}
	}
	if beyond, ok := stacked(above, reach); ok {
		return c.wider(d, beyond+1)
	}
	return ""
}

// stacked reports whether each of the dims steps over the reach of those before it, and how far
// all of them reach.
func stacked(dims []dim, reach uint64) (all uint64, ok bool) {
	for i := range dims {
		if dims[i].stride <= reach {
			return 0, false
		}
		reach += dims[i].reach()
	}
	return reach, true
}

// wider says that a stride is enough, and how many bytes it takes if these are more than there are.
func (c *Checker) wider(d *dim, stride uint64) string {
	w := &c.room
	limit := uint64(math.MaxInt64)
	if c.directML() {
		limit = math.MaxUint32
	}
	hi, reach := bits.Mul64(d.size-1, stride-d.stride)
	if stride > limit || hi != 0 || reach > uint64(math.MaxInt64-1-w.high) {
		return ""
	}
	if w.backwards {
		return fixf("a step of %d in dimension %d, forward or backward, is enough", stride, d.axis)
	}
	return fixf("stride %d in dimension %d is enough%s", stride, d.axis, c.enlarged(w.high+int64(reach)))
}

// enlarged says how many bytes other strides take, none of them negative, that put the last element
// elsewhere, if these are more than are stated.
func (c *Checker) enlarged(high int64) string {
	w := c.room.measures
	c.room.backwards, c.room.low, c.room.high = false, c.base(), high
	need, ok := c.need()
	c.room.measures = w
	if !ok || c.d.Total.Value == 0 || need <= c.d.Total.Value {
		return ""
	}
	return fixf(", in %d bytes", need)
}
