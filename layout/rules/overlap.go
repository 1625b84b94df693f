package rules

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/wording"
)

// The rules for elements that share storage, and for unused storage.
var (
	BroadcastPresent  = &finding.Rule{Name: "broadcast-present", Severity: finding.Note}
	BroadcastOutput   = &finding.Rule{Name: "broadcast-output", Severity: finding.Error}
	OverlapOutput     = &finding.Rule{Name: "overlap-output", Severity: finding.Error}
	OverlapInput      = &finding.Rule{Name: "overlap-input", Severity: finding.Warning}
	OverlapUnknown    = &finding.Rule{Name: "overlap-unknown", Severity: finding.Warning}
	GapOverlapBalance = &finding.Rule{Name: "gap-overlap-balance", Severity: finding.Warning}
	Gaps              = &finding.Rule{Name: "gaps", Severity: finding.Note}
)

// checkStorage checks whether elements share storage, and whether all of it is used.
func (c *Checker) checkStorage() {
	if len(c.d.Sizes) > layout.MaxRank && !c.directML() {
		c.Report(OverlapUnknown, c.d.At(descriptor.SizesPart, -1), "",
			"%d dimensions, more than the 64 with which overlap is judged", len(c.d.Sizes))
	}
	if !c.regular() || !c.reached || len(c.d.Sizes) == 0 {
		return
	}
	if c.copies() > 0 {
		c.repeated()
	}
	switch {
	case !c.nested:
		c.checkOverlap()
	case c.copies() > 0 || !c.scaled(1):
		stored := layout.CountIndices(c.moving)
		c.gaps(stored)
		if c.countable && c.high-c.low+1 == c.elements {
			c.balance(stored)
		}
	}
}

// repeated reports axes of stride 0. An output would be written several times.
func (c *Checker) repeated() {
	id := BroadcastPresent
	if c.d.Role == descriptor.Output {
		id = BroadcastOutput
	}
	if !c.WantsRule(id) {
		return
	}
	dims := make([]int64, c.copies())
	for i := range dims {
		dims[i] = int64(c.runs[i].Axis)
	}
	slices.Sort(dims)
	last, text := int(dims[len(dims)-1]), "dimension "+layout.JoinInts(dims, ", ")+" repeats"
	if len(dims) > 1 {
		text = "dimensions " + layout.JoinInts(dims, ", ") + " repeat"
	}
	if c.nested {
		stored := layout.CountIndices(c.moving)
		text += fmt.Sprintf(": %s%s for %s", wording.Count(stored, "stored element"), c.inBytes(stored),
			product(c.d.Sizes))
	}
	if id == BroadcastPresent {
		c.Report(id, c.d.At(descriptor.StridesPart, last), "", "%s", text)
		return
	}
	a, b := make([]int64, len(c.d.Sizes)), make([]int64, len(c.d.Sizes))
	b[last] = 1
	c.Report(id, c.d.At(descriptor.StridesPart, last), c.packedFix(), "%s and %s are both at %s; %s",
		layout.IndexText(a),
		layout.IndexText(b), c.where(c.base()), text)
}

// checkOverlap checks whether elements share addresses if the strides are not nested.
func (c *Checker) checkOverlap() {
	rules := [...]*finding.Rule{OverlapOutput, OverlapInput, OverlapUnknown, GapOverlapBalance, Gaps, MdspanUnique}
	if !slices.ContainsFunc(rules[:], c.Enabled) {
		return
	}
	l, err := layout.Strided(c.base(), c.d.Sizes, c.strides)
	if err != nil {
		c.Report(OverlapUnknown, c.d.At(descriptor.StridesPart, -1), "", "whether elements overlap is not known: %s",
			err)
		return
	}
	f := analysis.Within(l, analysis.Quick)
	c.shared = f.Overlapping
	switch f.Overlapping {
	case analysis.Yes:
		c.overlap(&f)
	case analysis.Unknown:
		c.Report(OverlapUnknown, c.d.At(descriptor.StridesPart, -1), c.packedFix(),
			"whether elements overlap is not known: a quick search does not tell; layoutcalc size says more")
	}
	if f.Unique == analysis.No && f.Span == f.Elements {
		c.balance(f.Distinct)
	}
	if f.DistinctKnown && f.Exhaustive == analysis.No {
		c.gaps(f.Distinct)
	}
}

// overlap reports elements at the same address, with two of them as an example. C++'s mdspan forbids them for every
// use.
func (c *Checker) overlap(f *analysis.Facts) {
	id := OverlapInput
	switch {
	case c.target.Family == finding.Mdspan:
		id = MdspanUnique
	case c.d.Role == descriptor.Output:
		id = OverlapOutput
	}
	if !c.WantsRule(id) {
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
	if name, strides, ok := c.near(); ok {
		hint = "strides " + layout.JoinInts(strides, ",") + " would be " + name + "; " + hint
	}
	w := f.Witness
	c.Report(id, c.d.At(descriptor.StridesPart, descriptor.DifferingStride(c.d.Sizes, w.A, w.B)), hint,
		"%s and %s are both at %s; %s on %s addresses",
		layout.IndexText(w.A), layout.IndexText(w.B), c.where(w.Offset), wording.Count(f.Elements, "element"),
		addresses)
}

// packedFix returns a fix with strides that give every element its own address.
func (g *geometry) packedFix() string {
	strides, elements := descriptor.RowMajor(nil, g.d.Sizes)
	if strides == nil || g.base() > math.MaxInt64-elements {
		return ""
	}
	return fmt.Sprintf("strides %s give every element its own address%s", layout.ListText(strides),
		g.enlarged(g.base()+elements-1))
}

// apart returns a fix that increases a single stride so that no two elements share an address. Smaller strides may also
// do.
func (g *geometry) apart() string {
	runs, reach := g.moving, int64(0)
	for k, r := range runs {
		if r.Stride <= reach {
			return g.widen(r, runs[k+1:], reach)
		}
		reach += r.Reach()
	}
	return ""
}

// widen is like apart, but for a run with a stride not greater than the range of the runs with smaller strides. A
// stride just beyond that range is enough if the runs above remain apart; otherwise it must be beyond these too.
func (g *geometry) widen(r layout.Run, above []layout.Run, reach int64) string {
	if own, err := layout.Mul(r.Extent-1, reach+1); err == nil {
		if _, ok := stacked(above, reach, own); ok {
			return g.wider(r, reach+1)
		}
	}
	if beyond, ok := stacked(above, reach, 0); ok {
		return g.wider(r, beyond+1)
	}
	return ""
}

// stacked reports whether the stride of each run exceeds below + own and the range of the runs before it, and returns
// the range of all of them.
func stacked(runs []layout.Run, below, own int64) (reach int64, ok bool) {
	reach, err := layout.Add(below, own)
	for _, r := range runs {
		if err != nil || r.Stride <= reach {
			return reach, false
		}
		reach, err = layout.Add(reach, r.Reach())
	}
	return reach, err == nil
}

// wider returns a fix with a sufficient stride, and the number of bytes it needs if the stated ones are too few.
func (g *geometry) wider(r layout.Run, stride int64) string {
	limit := int64(math.MaxInt64)
	if g.directML() {
		limit = math.MaxUint32
	}
	reach, err := layout.Mul(r.Extent-1, stride-r.Stride)
	if stride > limit || err != nil || reach > math.MaxInt64-1-g.high {
		return ""
	}
	if g.backwards {
		return fmt.Sprintf("a step of %d in dimension %d, forward or backward, is enough", stride, r.Axis)
	}
	return fmt.Sprintf("stride %d in dimension %d is enough%s", stride, r.Axis, g.enlarged(g.high+reach))
}

// enlarged describes the bytes that other strides need, given the offset of the last element, high. The strides must
// not be negative. It returns an empty string if the stated bytes are enough.
func (g *geometry) enlarged(high int64) string {
	m := g.measures
	g.backwards, g.low, g.high = false, g.base(), high
	need, ok := g.need()
	g.measures = m
	if !ok || g.d.Total.Value == 0 || need <= g.d.Total.Value {
		return ""
	}
	return ", in " + wording.Count(need, "byte")
}

// gaps notes offsets without an element between the first and the last one. The lowest such offset is the first that
// the runs of small strides do not reach and the next run skips.
func (c *Checker) gaps(distinct int64) {
	span := c.high - c.low + 1
	if distinct >= span || !c.WantsRule(Gaps) {
		return
	}
	first := c.low + 1
	for _, r := range c.moving {
		if r.Stride > first-c.low {
			break
		}
		first += r.Reach()
	}
	unused := span - distinct
	c.Report(Gaps, c.d.At(descriptor.StridesPart, -1), "", "%d of %s are not used%s, %s %%; the first is %s",
		unused, wording.Count(span, "element"), c.inBytes(unused), percent(unused, span), c.where(first))
}

// percent returns a part that is less than the whole in percent, rounded to a tenth. The result is less than 100.
func percent(part, whole int64) string {
	hi, lo := bits.Mul64(uint64(part), 1000)
	lo, carry := bits.Add64(lo, uint64(whole)/2, 0)
	tenths, _ := bits.Div64(hi+carry, lo, uint64(whole))
	tenths = min(tenths, 999)
	return fmt.Sprintf("%d.%d", tenths/10, tenths%10)
}

// balance warns that the number of elements equals the number of offsets in the span although some elements share an
// offset.
func (c *Checker) balance(distinct int64) {
	if !c.WantsRule(GapOverlapBalance) {
		return
	}
	used := "fewer"
	if distinct > 0 {
		used = fmt.Sprintf("%d", distinct)
	}
	n := c.elements
	c.Report(GapOverlapBalance, c.d.At(descriptor.StridesPart, -1), "",
		"%s in a span of %d, but on %s addresses: gaps and overlap hide each other", wording.Count(n, "element"), n,
		used)
}
