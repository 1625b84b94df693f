package analysis

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
)

// A DifferenceKind classifies how layout B differs from layout A.
type DifferenceKind uint8

// The kinds of difference.
const (
	OtherOffsets DifferenceKind = iota // any other difference
	OtherBase                          // all offsets differ by the same number
	OtherOrder                         // the same set of offsets in another order
	PaddedB                            // B is A with gaps between indices along Axes
	PaddedA                            // A is B with gaps between indices along Axes
	BroadcastB                         // Axes have stride 0 in B
	BroadcastA                         // Axes have stride 0 in A
)

// A Difference is the first difference between two layouts, and its kind.
type Difference struct {
	Index []int64 // the first in row-major order with different offsets
	A, B  int64   // its offsets
	Kind  DifferenceKind
	Axes  []int
}

// Same reports whether every element has the same offset in two layouts with the same axes. It does not loop over
// elements: each axis adds to the offset independently, so two layouts differ if one axis does, and an axis differs if
// its digits do. It ignores axes of size 1, and digits that are split into several. Only if the layouts are swizzled in
// different ways, it compares elements one by one; if there are too many, it reports false.
func Same(a, b layout.Layout) bool {
	if a.Empty() {
		return true
	}
	if !swizzledAlike(a, b) {
		index, complete := differentOffset(a, b)
		return index == nil && complete
	}
	return a.Base() == b.Base() && firstDifference(a, b) == nil
}

// swizzledAlike reports whether two layouts have the same swizzles, ignoring swizzles that move no element.
func swizzledAlike(a, b layout.Layout) bool {
	return slices.Equal(a.Swizzles(), b.Swizzles()) || a.IsIdle() && b.IsIdle()
}

// maxCompared limits the elements that are compared one by one.
const maxCompared = 1 << 22

// differentOffset returns the first index in row-major order with different offsets, or nil if the layouts are equal.
// It reports false if it reached its limit.
func differentOffset(a, b layout.Layout) (index []int64, complete bool) {
	left := maxCompared
	for index, offset := range a.All() {
		if left--; left < 0 {
			return nil, false
		}
		if offset != offsetAt(b, index) {
			return slices.Clone(index), true
		}
	}
	return nil, true
}

// Compare returns the difference between two layouts, or nil if they are the Same.
func Compare(a, b layout.Layout) (*Difference, error) {
	if err := SameAxes(a, b); err != nil {
		return nil, err
	}
	if Same(a, b) {
		return nil, nil
	}
	if !swizzledAlike(a, b) {
		return compareSwizzled(a, b)
	}
	index := firstDifference(a, b)
	d := &Difference{Index: index, Kind: OtherBase}
	if a.Base() != b.Base() {
		d.Index = make([]int64, a.Rank())
	}
	if index != nil {
		d.Kind, d.Axes = differ(a, b)
	}
	d.A, d.B = offsetAt(a, d.Index), offsetAt(b, d.Index)
	return d, nil
}

// compareSwizzled is like Compare, but for layouts with the same axes that are swizzled in different ways.
func compareSwizzled(a, b layout.Layout) (*Difference, error) {
	index, complete := differentOffset(a, b)
	if !complete {
		return nil, lexer.Refuse("a part of them can: --view 'narrow(0,0,64)'",
			"the swizzles differ, and the first %d elements have the same offsets: more are not compared", maxCompared)
	}
	d := &Difference{Index: index, A: offsetAt(a, index), B: offsetAt(b, index)}
	d.Kind, d.Axes = differ(a, b)
	return d, nil
}

// SameAxes returns an error if axes of the layouts differ in size or in name. The first letters of the alphabet match
// any name.
func SameAxes(a, b layout.Layout) error {
	if !slices.Equal(a.Sizes(), b.Sizes()) {
		return lexer.Refuse("", "the sizes %s and %s differ",
			layout.SizesText(a.Sizes()), layout.SizesText(b.Sizes()))
	}
	namesA, namesB := strings.Join(a.AxisNames(), ","), strings.Join(b.AxisNames(), ",")
	for _, names := range []string{namesA, namesB} {
		if lexer.Alphabetical(strings.ReplaceAll(names, ",", "")) {
			return nil
		}
	}
	if a.Named() && b.Named() && namesA != namesB {
		return lexer.Refuse("", "the axes %s and %s differ", namesA, namesB)
	}
	return nil
}

// firstDifference returns the first index in row-major order with a different distance from index 0, or nil if all
// distances are equal. It is 0 along all axes except the last one that differs, because all earlier indices only differ
// along later axes, which are equal.
func firstDifference(a, b layout.Layout) []int64 {
	for i := a.Rank() - 1; i >= 0; i-- {
		if at := differs(a.Axis(i), b.Axis(i)); at > 0 {
			index := make([]int64, a.Rank())
			index[i] = at
			return index
		}
	}
	return nil
}

// differs returns the first index of axis a that adds a different number to the offset than the same index of b, which
// has the same size. It returns 0 if the axes are equal. Adjacent digits are merged if possible, so the first different
// digit decides: if the strides differ, it is the index where the digit starts; otherwise it is the index where the
// shorter digit ends, because the next digit cannot continue it.
func differs(a, b layout.Axis) int64 {
	var bufA, bufB [4]layout.Run
	runsA, _ := a.Runs(bufA[:0], 0)
	runsB, _ := b.Runs(bufB[:0], 0)
	for k := range min(len(runsA), len(runsB)) {
		x, y := runsA[k], runsB[k]
		switch {
		case x.Weight != y.Weight:
			return min(x.Weight, y.Weight)
		case x.Signed() != y.Signed():
			return x.Weight
		case x.Extent != y.Extent:
			return min(x.Extent, y.Extent) * x.Weight
		}
	}
	return 0
}

// differ classifies the difference between two layouts of the same sizes.
func differ(a, b layout.Layout) (DifferenceKind, []int) {
	fa, fb := Of(a), Of(b)
	if axes := without(fb.Broadcast, fa.Broadcast); len(axes) > 0 {
		return BroadcastB, axes
	}
	if axes := without(fa.Broadcast, fb.Broadcast); len(axes) > 0 {
		return BroadcastA, axes
	}
	if sameSet(a, b, fa, fb) {
		return OtherOrder, nil
	}
	if axes := padding(a, b); len(axes) > 0 {
		return PaddedB, axes
	}
	if axes := padding(b, a); len(axes) > 0 {
		return PaddedA, axes
	}
	return OtherOffsets, nil
}

// sameSet reports whether the layouts are known to occupy the same offsets: both occupy the whole span, or they have
// the same digits.
func sameSet(a, b layout.Layout, fa, fb Facts) bool {
	if fa.Low != fb.Low || fa.High != fb.High {
		return false
	}
	if fa.Exhaustive == Yes && fb.Exhaustive == Yes {
		return true
	}
	if !swizzledAlike(a, b) {
		return false
	}
	runsA, raggedA := a.Runs(nil)
	runsB, raggedB := b.Runs(nil)
	layout.SortRuns(runsA)
	layout.SortRuns(runsB)
	return !raggedA && !raggedB &&
		slices.EqualFunc(runsA, runsB, func(x, y layout.Run) bool { return x.Digit == y.Digit })
}

// without returns the axes that are not among the others.
func without(axes, others []int) []int {
	return slices.DeleteFunc(slices.Clone(axes), func(i int) bool { return slices.Contains(others, i) })
}

// padding returns the axes with larger gaps between indices in b than in a. It returns nil if the axes are in a
// different order in memory or any gap is smaller.
func padding(a, b layout.Layout) []int {
	orderA, okA := MemoryOrder(a)
	orderB, okB := MemoryOrder(b)
	if !okA || !okB {
		return nil
	}
	trivial := func(i int) bool { return a.Axis(i).Size() == 1 }
	orderA, orderB = slices.DeleteFunc(orderA, trivial), slices.DeleteFunc(orderB, trivial)
	if !slices.Equal(orderA, orderB) {
		return nil
	}
	var axes []int
	takenA, takenB := int64(1), int64(1)
	for _, i := range slices.Backward(orderA) {
		strideA, _ := a.Axis(i).Linear()
		strideB, _ := b.Axis(i).Linear()
		switch gapA, gapB := strideA-takenA, strideB-takenB; {
		case gapB < gapA:
			return nil
		case gapB > gapA:
			axes = append(axes, i)
		}
		takenA, takenB = strideA*a.Axis(i).Size(), strideB*b.Axis(i).Size()
	}
	slices.Sort(axes)
	return axes
}

// Moves yields, for every element in row-major order, its offset in one layout and its offset in another with the same
// sizes.
func Moves(from, to layout.Layout) iter.Seq2[int64, int64] {
	return func(yield func(int64, int64) bool) {
		for index, offset := range from.All() {
			if !yield(offset, offsetAt(to, index)) {
				return
			}
		}
	}
}

// MemoryOrder returns the axes from outermost to innermost in memory. It reports false if they are not nested: if an
// axis is in blocks, reversed or broadcast, if strides overlap, or if there is a swizzle. The stride of an axis of size
// 1 determines its position.
func MemoryOrder(l layout.Layout) (order []int, ok bool) {
	strides := make([]int64, l.Rank())
	for i := range l.Rank() {
		order = append(order, i)
		if strides[i], ok = l.Axis(i).Linear(); !ok {
			return nil, false
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(strides[j], strides[i]), cmp.Compare(l.Axis(j).Size(), l.Axis(i).Size()))
	})
	reach := int64(0)
	for _, i := range slices.Backward(order) {
		if n := l.Axis(i).Size(); n > 1 {
			if strides[i] <= reach {
				return nil, false
			}
			reach += (n - 1) * strides[i]
		}
	}
	return order, !l.Empty() && l.IsIdle()
}

// Permutation returns the permutation of one storage's axes, from outermost to innermost, into the order of the other:
// the arguments of a permute that makes the copy. It reports false unless both storages are packed, without blocks and
// without swizzles.
func Permutation(from, to layout.Layout) (order []int64, ok bool) {
	a, okA := MemoryOrder(from)
	b, okB := MemoryOrder(to)
	if !okA || !okB || Of(from).Packed() != Yes || Of(to).Packed() != Yes {
		return nil, false
	}
	order = make([]int64, len(b))
	for i, axis := range b {
		order[i] = int64(slices.Index(a, axis))
	}
	return order, true
}

// offsetAt returns the offset of an index, which must be valid.
func offsetAt(l layout.Layout, index []int64) int64 {
	offset, _ := l.Offset(index)
	return offset
}
