package facts

import (
	"slices"

	"layoutcalc/layout"
)

// maxCount is how many offsets are counted one by one where no formula tells how many differ.
const maxCount = 1 << 21

// countDistinct counts the offsets that the sorted runs reach. The groups multiply: below a
// group nothing reaches its strides' common divisor.
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

// distinctPair counts the offsets of two chains: all pairs of values but those that the shortest
// difference of sum 0 leads to from another pair.
func distinctPair(a, b chain) int64 {
	g := layout.GCD(a.Stride, b.Stride)
	return a.Extent*b.Extent - max(a.Extent-b.Stride/g, 0)*max(b.Extent-a.Stride/g, 0)
}

// countOffsets counts the different offsets of the group one by one.
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

// judgeRagged decides whether the elements of a ragged layout are unique though its runs are
// not: some of the indices that share offsets do not exist. Broadcast axes are left out.
func (f *Facts) judgeRagged(l layout.Layout, e Effort) Verdict {
	core := coreOf(l)
	offsets := offsetsOf(core, e)
	if offsets == nil {
		return Unknown
	}
	for i := range offsets[1:] {
		if offsets[i] == offsets[i+1] {
			pair := NewInverse(core).At(offsets[i], 2)
			f.Witness = &Witness{pair.Indices[0], pair.Indices[1], offsets[i]}
			return No
		}
	}
	return Yes
}

// coreOf returns the layout with size 1 for the axes that take no storage.
func coreOf(l layout.Layout) layout.Layout {
	axes := l.Axes()
	for i, a := range axes {
		if a.Broadcast() {
			axes[i] = layout.NewAxis(a.Name(), 1, layout.Digit{Extent: 1})
		}
	}
	core, _ := layout.New(l.Base(), axes...) // valid, as it has fewer elements at the same offsets
	return core
}

// offsetsOf returns the sorted offsets of all elements, nil when there are too many.
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

// countRagged counts the offsets of a ragged layout: by the elements of the axes that take
// storage when these are unique, else one by one.
func (f *Facts) countRagged(l layout.Layout, unique Verdict, e Effort) {
	core := coreOf(l)
	if unique == Yes {
		f.Distinct, f.DistinctKnown = core.Elements(), true
	} else if offsets := offsetsOf(core, e); offsets != nil {
		f.Distinct, f.DistinctKnown = int64(len(slices.Compact(offsets))), true
	}
}
