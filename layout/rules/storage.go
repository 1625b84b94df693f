package rules

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/spec"
)

// checkStorage asks whether elements share storage, and whether all of it is used.
func (c *Checker) checkStorage() {
	w := &c.room
	if len(c.d.Sizes) > layout.MaxRank && !c.directML() {
		c.find(OverlapUnknown, SizesPart, -1, "", "%d dimensions, more than the 64 with which overlap is judged", len(c.d.Sizes))
	}
	if !w.sized || w.empty || !w.strided || !w.reached || len(c.d.Sizes) == 0 {
		return
	}
	if w.copies > 0 {
		c.repeated()
	}
	switch {
	case !w.nested:
		c.checkOverlap()
	case w.copies > 0 || !w.scaled(1):
		c.gaps(w.stored())
		if w.copies > 0 && w.countable && w.high-w.low+1 == w.elements {
			c.balance(w.stored())
		}
	case c.broken(Packed):
		c.packed()
	}
}

// stored is the number of elements but for repeated ones, where the strides are nested.
func (w *workspace) stored() int64 {
	n := uint64(1)
	for _, d := range w.moving() {
		n *= d.size // below what the dim reaches over, which 64 bits hold
	}
	return int64(n)
}

// repeated reports dimensions of stride 0. An output would be written several times.
func (c *Checker) repeated() {
	id := BroadcastPresent
	if c.d.Role == Output {
		id = BroadcastOutput
	}
	if !c.broken(id) {
		return
	}
	last, text := c.repetition()
	if id == BroadcastPresent {
		c.find(id, StridesPart, last, "", "%s", text)
		return
	}
	a, b := make([]int64, len(c.d.Sizes)), make([]int64, len(c.d.Sizes))
	b[last] = 1
	c.find(id, StridesPart, last, c.packedFix(), "%s and %s are both at %s; %s", tuple(a), tuple(b), c.where(c.base()), text)
}

// repetition says which dimensions repeat elements and how many there are without, and returns the
// last such dimension.
func (c *Checker) repetition() (last int, text string) {
	w := &c.room
	dims := make([]int64, w.copies)
	for i, d := range w.dims[:w.copies] {
		dims[i] = int64(d.axis)
	}
	slices.Sort(dims)
	text = "dimension " + layout.JoinInts(dims, ", ") + " repeats"
	if len(dims) > 1 {
		text = "dimensions " + layout.JoinInts(dims, ", ") + " repeat"
	}
	if w.nested {
		text += fmt.Sprintf(": %s%s for %s", count(w.stored(), "stored element"), c.inBytes(w.stored()), product(c.d.Sizes))
	}
	return int(dims[len(dims)-1]), text
}

// packedFix says with which strides every element has an address of its own.
func (c *Checker) packedFix() string {
	strides := packed(c.d.Sizes)
	if strides == nil {
		return ""
	}
	elements, _ := layout.ProductOf(c.d.Sizes)
	if c.base() > math.MaxInt64-elements {
		return ""
	}
	return fixf("strides %s give every element its own address%s", list(strides), c.enlarged(c.base()+elements-1))
}

// gaps notes offsets between the first and the last element that no element has.
func (c *Checker) gaps(distinct int64) {
	w := &c.room
	span := w.high - w.low + 1
	if distinct >= span || !c.broken(Gaps) {
		return
	}
	unused := span - distinct
	c.find(Gaps, StridesPart, -1, "", "%d of %s are not used%s, %s %%; the first is %s",
		unused, count(span, "element"), c.inBytes(unused), percent(unused, span), c.where(w.firstGap()))
}

// firstGap is the lowest offset in the span that no element has, if there is one: the first that
// the dims of small strides do not reach and the next one steps over.
func (w *workspace) firstGap() int64 {
	reach := uint64(0)
	for i := range w.moving() {
		d := &w.moving()[i]
		if d.stride > reach+1 {
			break
		}
		reach += d.reach()
	}
	return w.low + int64(reach) + 1
}

// percent is a part in percent, rounded to a tenth; only the whole is 100.
func percent(part, whole int64) string {
	hi, lo := bits.Mul64(uint64(part), 1000)
	lo, carry := bits.Add64(lo, uint64(whole)/2, 0)
	tenths, _ := bits.Div64(hi+carry, lo, uint64(whole))
	if part < whole {
		tenths = min(tenths, 999)
	}
	return fmt.Sprintf("%d.%d", tenths/10, tenths%10)
}

// balance warns that the elements are as many as the span has offsets though some share one.
func (c *Checker) balance(distinct int64) {
	if !c.broken(GapOverlapBalance) {
		return
	}
	used := "fewer"
	if distinct > 0 {
		used = fmt.Sprintf("%d", distinct)
	}
	n := c.room.elements
	c.find(GapOverlapBalance, StridesPart, -1, "", "%d elements in a span of %d, but on %s addresses: gaps and overlap hide each other", n, n, used)
}

// maxNames limits how many layout names are written, maxFree of how many sizes of 1 they are made:
// these may stand anywhere, and eight of them in 40,320 orders.
const (
	maxNames = 6
	maxFree  = 3
)

// packed notes in which order the elements are packed.
func (c *Checker) packed() {
	names := c.names()
	switch {
	case len(names) == 0 && c.room.rowMajor:
		c.find(Packed, StridesPart, -1, "", "packed in row-major order")
	case len(names) == 0:
		c.find(Packed, StridesPart, -1, "", "packed, not in row-major order")
	case len(names) == 1:
		c.find(Packed, StridesPart, -1, "", "packed: %s", names[0])
	default:
		rest := names[len(names)-1]
		if extra := len(names) - maxNames; extra > 0 {
			names, rest = names[:maxNames+1], fmt.Sprintf("%d more", extra)
		}
		c.find(Packed, StridesPart, -1, "", "packed: %s and %s are the same here", strings.Join(names[:len(names)-1], ", "), rest)
	}
}

// names returns the layout names that fit, none where they would be too many.
func (c *Checker) names() []string {
	free := 0
	for _, n := range c.d.Sizes {
		if n == 1 {
			free++
		}
	}
	l, err := layout.Strided(0, c.d.Sizes, c.room.strides)
	if err != nil || free > maxFree || len(c.d.Sizes) > dmlMaxRank {
		return nil
	}
	return spec.Names(l)
}
