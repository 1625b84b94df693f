package facts

import (
	"cmp"
	"iter"
	"slices"

	"layoutcalc/layout"
)

// Moves yields, for every element in row-major order, where it lies in one layout and where in
// another of the same sizes.
func Moves(from, to layout.Layout) iter.Seq2[int64, int64] {
	return func(yield func(int64, int64) bool) {
		for index, offset := range from.All() {
			if !yield(offset, offsetAt(to, index)) {
				return
			}
		}
	}
}

// MemoryOrder returns the axes from outermost to innermost in memory. It reports false when
// they do not lie inside one another: when an axis is in blocks, reversed or broadcast, or
// strides overlap. An axis of size 1 is where its stride puts it.
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
	return order, !l.Empty()
}

// Permutation returns how the axes of the one storage, from outermost to innermost, are put
// into the order of the other: the arguments of a permute that makes the copy. It reports false
// unless both storages are packed and without blocks.
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

// offsetAt returns the offset of an index that is known to be one of the layout's.
func offsetAt(l layout.Layout, index []int64) int64 {
	offset, _ := l.Offset(index)
	return offset
}
