package rules

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"layoutcalc/layout"
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
	f := l.FactsWithin(layout.Quick)
	c.room.shared = f.Overlapping
	switch f.Overlapping {
	case layout.Yes:
		c.overlap(&f)
	case layout.Unknown:
		c.overlapUnknown()
	}
	if f.Unique == layout.No && f.Span == f.Elements {
		c.balance(f.Distinct)
	}
	if f.DistinctKnown && f.Exhaustive == layout.No {
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
func (c *Checker) overlap(f *layout.Facts) {
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
func (c *Checker) differing(w *layout.Witness) int {
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
	return l.Names()
}
