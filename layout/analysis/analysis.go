// Package analysis computes the properties of a layout ([Of]), the element at an offset ([Inverse], [Finder]), and how
// two layouts differ ([Compare]), share bytes ([Overlap]) or can be converted into each other ([Moves], [Permutation]).
// It loops over elements only to count distinct offsets if there is no formula, up to a limit.
//
// All facts follow from the runs of a layout:
//
//   - A layout is exhaustive if, in order of increasing stride, no stride exceeds the range of the runs before it by
//     more than one.
//   - Nested strides are unique. Other runs are split into groups that can be decided separately: by merging runs that
//     continue each other, by a formula for two runs, or by meeting in the middle over differences of indices, up to a
//     limit. A collision is the positive and the negative part of such a difference.
//   - The number of distinct offsets is a product over the same groups.
//   - One search finds digit values with a given sum of value × stride. It stops if the rest is out of range or not
//     divisible. The inverse starts at the largest stride. The [Finder] uses the order of the axes, so that it finds
//     the first index in row-major order.
//   - Two tensors overlap if the digits of one and the digits of the other, counted from their other ends, have a
//     certain sum.
//   - Offsets are sums over axes, so two layouts differ if one axis does, and an axis differs if its runs do.
package analysis

import (
	"slices"

	"layoutcalc/layout"
)

// Facts are the properties of a layout that do not depend on its element type. Offsets are in elements.
type Facts struct {
	Elements  int64
	Low, High int64 // the lowest and highest offset; 0 and -1 if there are no elements
	Span      int64 // High - Low + 1

	Distinct      int64 // the number of distinct offsets
	DistinctKnown bool

	Unique      Verdict  // no two elements share an offset
	Witness     *Witness // two elements that do, if Unique is No; not only because of broadcast axes, if possible
	Broadcast   []int    // axes of size above 1 with stride 0
	Overlapping Verdict  // elements share offsets not only because of broadcast axes
	Exhaustive  Verdict  // every offset of the span is occupied

	Contiguous   bool // as PyTorch judges it
	ChannelsLast bool // as PyTorch judges channels_last (rank 4) or channels_last_3d (rank 5)
}

// Packed reports whether the layout is unique and exhaustive.
func (f Facts) Packed() Verdict { return f.Unique.and(f.Exhaustive) }

// Padded reports whether an offset inside the span belongs to no element.
func (f Facts) Padded() Verdict { return f.Exhaustive.not() }

// Padding returns the number of unused elements of the tensor's storage, inside the span and after it; f are the facts
// of its layout. It reports false if the number is unknown.
func (f Facts) Padding(t layout.Tensor) (elements int64, ok bool) {
	if f.Elements == 0 {
		return 0, true
	}
	return t.End() - f.Low - f.Distinct, f.DistinctKnown
}

// Of returns the facts of the layout.
func Of(l layout.Layout) Facts { return Within(l, Thorough) }

// Within is like Of, but with limited effort.
func Within(l layout.Layout, e Effort) Facts {
	f := Facts{Elements: l.Elements(), Contiguous: Contiguous(l), ChannelsLast: ChannelsLast(l)}
	f.Low, f.High = l.Bounds()
	f.Span = f.High - f.Low + 1
	var buf [16]layout.Run
	runs, ragged := l.Runs(buf[:0])
	if f.Elements == 0 {
		runs = nil
	}
	layout.SortRuns(runs)
	f.classify(l.Affine(), runs, ragged, e)
	if l.IsSwizzled() {
		f.judgeSwizzled(l)
	}
	return f
}

// judgeSwizzled completes the facts of a swizzled layout, given the facts of its affine part. A swizzle moves whole
// elements, so that only the gaps between them can change.
func (f *Facts) judgeSwizzled(l layout.Layout) {
	if f.Witness != nil {
		f.Witness.Offset = l.Swizzle(f.Witness.Offset)
	}
	if f.Exhaustive = Unknown; f.DistinctKnown {
		f.Exhaustive = verdict(f.Distinct == f.Span)
	}
}

// classify sets the facts that follow from the interaction of the sorted runs.
func (f *Facts) classify(l layout.Layout, runs []layout.Run, ragged bool, e Effort) {
	core := layout.WithoutBroadcast(runs)
	copies := runs[:len(runs)-len(core)]
	diff, unique := collide(core, e)
	if unique == No && !ragged {
		f.Witness = witness(l, core, diff)
	}
	if unique == No && ragged {
		unique = f.judgeRagged(l, e)
	}
	f.Unique, f.Overlapping = unique, unique.not()
	if len(copies) > 0 {
		f.judgeBroadcast(l, copies)
	}
	switch {
	case ragged:
		f.countRagged(l, f.Overlapping.not(), e)
		f.Exhaustive = verdict(f.Distinct == f.Span)
		if !f.DistinctKnown {
			f.Exhaustive = Unknown
		}
	default:
		f.countDistinct(core, unique, layout.CountIndices(copies), e)
		f.Exhaustive = verdict(layout.Gapless(core, 1))
	}
}

// judgeBroadcast records the axes of the runs of stride 0. One step along such a run is a witness that the layout is
// not unique, unless there is a witness without broadcasting.
func (f *Facts) judgeBroadcast(l layout.Layout, copies []layout.Run) {
	f.Unique = No
	last, partly := copies[0], layout.Run{}
	for _, d := range copies {
		switch {
		case !l.Axis(d.Axis).Broadcast():
			f.Overlapping, partly = Yes, d
		case !slices.Contains(f.Broadcast, d.Axis):
			f.Broadcast = append(f.Broadcast, d.Axis)
		}
		if d.Axis > last.Axis {
			last = d
		}
	}
	slices.Sort(f.Broadcast)
	if partly.Weight > 0 {
		last = partly
	}
	if f.Witness == nil {
		a, b := make([]int64, l.Rank()), make([]int64, l.Rank())
		b[last.Axis] = last.Weight
		f.Witness = &Witness{a, b, l.Base()}
	}
}

// A Verdict answers a question that may be too hard to decide.
type Verdict uint8

// The zero Verdict is Unknown.
const (
	Unknown Verdict = iota
	No
	Yes
)

// String returns yes, no or unknown.
func (v Verdict) String() string { return [...]string{"unknown", "no", "yes"}[v] }

// verdict returns the Verdict for a known answer.
func verdict(yes bool) Verdict {
	if yes {
		return Yes
	}
	return No
}

// and returns Yes if both are Yes, and No if either is No.
func (v Verdict) and(w Verdict) Verdict {
	switch {
	case v == No || w == No:
		return No
	case v == Yes && w == Yes:
		return Yes
	}
	return Unknown
}

// not returns Yes for No, No for Yes, and Unknown for Unknown.
func (v Verdict) not() Verdict { return [...]Verdict{Unknown, Yes, No}[v] }

// maxCount limits the offsets that are counted one by one if no formula gives the number of distinct ones.
const maxCount = 1 << 21

// countDistinct counts the offsets that the sorted runs reach. It multiplies the counts of the groups, because the
// offsets of a group are below the common divisor of the strides of later groups.
func (f *Facts) countDistinct(core []layout.Run, unique Verdict, copies int64, e Effort) {
	switch unique {
	case Unknown:
		return
	case Yes:
		f.Distinct, f.DistinctKnown = f.Elements/copies, true
		return
	}
	f.Distinct, f.DistinctKnown = 1, true
	for low, high := range groups(core) {
		n, known := distinct(core[low:high], e)
		f.Distinct *= n
		f.DistinctKnown = f.DistinctKnown && known
	}
	if !f.DistinctKnown {
		f.Distinct = 0
	}
}

// distinct counts the offsets of one group.
func distinct(group []layout.Run, e Effort) (n int64, known bool) {
	var buf [8]chain
	chains := merge(buf[:0], group)
	divisor, reach := int64(0), int64(0)
	for _, r := range chains {
		divisor = layout.GCD(divisor, r.Stride)
		reach += (r.Extent - 1) * r.Stride
	}
	switch {
	case len(chains) == 1:
		return chains[0].Extent, true
	case layout.Gapless(group, divisor):
		return reach/divisor + 1, true
	case len(chains) == 2:
		return distinctPair(chains[0], chains[1]), true
	case layout.CountIndices(group) <= e.of(maxCount):
		return countOffsets(group), true
	}
	_, unique := collideGroup(group, e)
	return layout.CountIndices(group), unique == Yes
}

// distinctPair counts the offsets of two chains: all pairs of values, except a pair that differs from another one by
// the shortest difference with sum 0.
func distinctPair(a, b chain) int64 {
	g := layout.GCD(a.Stride, b.Stride)
	return a.Extent*b.Extent - max(a.Extent-b.Stride/g, 0)*max(b.Extent-a.Stride/g, 0)
}

// countOffsets counts the distinct offsets of the group one by one.
func countOffsets(group []layout.Run) int64 {
	offsets := append(make([]int64, 0, layout.CountIndices(group)), 0)
	for _, d := range group {
		n := len(offsets)
		for v := int64(1); v < d.Extent; v++ {
			for _, o := range offsets[:n] {
				offsets = append(offsets, o+v*d.Stride)
			}
		}
	}
	slices.Sort(offsets)
	return int64(len(slices.Compact(offsets)))
}

// coreOf returns the layout with size 1 for the axes of stride 0.
func coreOf(l layout.Layout) layout.Layout {
	var axes []layout.Axis
	for i := range l.Rank() {
		if a := l.Axis(i); a.Broadcast() {
			if axes == nil {
				axes = l.Axes()
			}
			axes[i] = layout.NewAxis(a.Name(), 1, layout.Digit{Extent: 1})
		}
	}
	if axes == nil {
		return l
	}
	core, _ := layout.New(l.Base(), axes...) // valid because it has fewer elements at the same offsets
	return core
}

// offsetsOf returns the sorted offsets of all elements, or nil if there are too many.
func offsetsOf(l layout.Layout, e Effort) []int64 {
	if l.Elements() > e.of(maxCount) {
		return nil
	}
	offsets := make([]int64, 0, l.Elements())
	for _, offset := range l.All() {
		offsets = append(offsets, offset)
	}
	slices.Sort(offsets)
	return offsets
}

// countRagged counts the offsets of a ragged layout. If the axes with nonzero strides are unique, it is the number of
// their elements, and otherwise it counts one by one.
func (f *Facts) countRagged(l layout.Layout, unique Verdict, e Effort) {
	core := coreOf(l)
	if unique == Yes {
		f.Distinct, f.DistinctKnown = core.Elements(), true
	} else if offsets := offsetsOf(core, e); offsets != nil {
		f.Distinct, f.DistinctKnown = int64(len(slices.Compact(offsets))), true
	}
}
