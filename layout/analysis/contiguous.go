package analysis

import (
	"math"
	"slices"

	"layoutcalc/layout"
)

// Contiguous is like PyTorch's is_contiguous: starting at the last axis, every stride is the product of the sizes after
// it, ignoring axes of size 1. A tensor without elements is always contiguous.
func Contiguous(l layout.Layout) bool {
	if !l.IsIdle() {
		return false
	}
	next := int64(1)
	for i := l.Rank() - 1; i >= 0; i-- {
		if !continues(l, i, &next) {
			return l.Empty()
		}
	}
	return true
}

// ColumnMajor reports whether every stride is the product of the sizes before it, as in Fortran, ignoring axes of size
// 1.
func ColumnMajor(l layout.Layout) bool {
	if !l.IsIdle() {
		return false
	}
	next := int64(1)
	for i := range l.Rank() {
		if !continues(l, i, &next) {
			return l.Empty()
		}
	}
	return true
}

// ChannelsLast is like PyTorch's is_contiguous for channels_last, or for channels_last_3d, depending on the rank. It
// makes no exception for a tensor without elements.
func ChannelsLast(l layout.Layout) bool {
	order := ChannelsLastOrder(l.Rank())
	next := int64(1)
	for _, i := range order {
		if !continues(l, i, &next) {
			return false
		}
	}
	return order != nil && l.IsIdle()
}

// continues reports whether the stride of axis i is next, and if so multiplies next by the size of the axis.
func continues(l layout.Layout, i int, next *int64) bool {
	a := l.Axis(i)
	if a.Size() == 1 {
		return true
	}
	stride, ok := a.Linear()
	if !ok || stride != *next {
		return false
	}
	*next *= a.Size()
	return true
}

// ChannelsLastOrder returns the axes from innermost to outermost in PyTorch's channels_last (rank 4) or
// channels_last_3d (rank 5), or nil for other ranks.
func ChannelsLastOrder(rank int) []int {
	switch rank {
	case 4:
		return []int{1, 3, 2, 0}
	case 5:
		return []int{1, 4, 3, 2, 0}
	}
	return nil
}

// Coalesced returns the fewest axes, as sizes and strides, that address the same elements in the same order. It returns
// no axes for a scalar. If an axis ends inside a block, or if there is a swizzle, this is impossible, and ok is false.
func Coalesced(l layout.Layout) (sizes, strides []int64, ok bool) {
	switch {
	case l.Empty():
		return []int64{0}, []int64{1}, true
	case !l.IsIdle():
		return nil, nil, false
	}
	runs := make([]layout.Run, 0, l.Rank())
	for i := range l.Rank() {
		first := len(runs)
		var partial bool
		runs, partial = l.Axis(i).Runs(runs, i)
		if partial {
			return nil, nil, false
		}
		slices.Reverse(runs[first:])
	}
	sizes, strides = make([]int64, 0, len(runs)), make([]int64, 0, len(runs))
	for _, d := range runs {
		last := len(sizes) - 1
		if last >= 0 && strides[last] == d.Extent*d.Signed() {
			sizes[last] *= d.Extent
			strides[last] = d.Signed()
			continue
		}
		sizes, strides = append(sizes, d.Extent), append(strides, d.Signed())
	}
	return sizes, strides, true
}

// WholeRows returns the number of elements of the storage if the last row is as long as the others, as counted by
// programs that copy rows with a pitch. It reports false if that is not more than the span: for tensors without a
// pitch, with elements that share storage, or with negative strides or a swizzle.
func WholeRows(t layout.Tensor) (elements int64, ok bool) {
	l := t.Layout()
	if l.Empty() || l.Base() != 0 || t.Viewed() || !l.IsIdle() {
		return 0, false
	}
	runs, ragged := l.Runs(nil)
	layout.SortRuns(runs)
	if len(runs) < 2 || ragged {
		return 0, false
	}
	reach := int64(0)
	for _, r := range runs {
		if r.Stride <= reach || r.Reversed {
			return 0, false
		}
		reach += r.Reach()
	}
	outer := runs[len(runs)-1]
	elements, err := layout.Add(outer.Reach(), outer.Stride)
	if err == nil {
		_, err = t.Reserve(elements) // checks the bytes too
	}
	return elements, err == nil && runs[0].Stride == 1 && elements > t.Storage()
}

// RowAlignment returns the largest power of two, in bytes, that divides the byte offset of every row, or 0 if rows
// start inside a byte. A row is a run along the axis of the smallest stride or, in an image, along W, even if channels
// are inside it. It reports false if there are fewer than two rows, or the tensor is swizzled.
func RowAlignment(t layout.Tensor) (bytes int64, ok bool) {
	runs := betweenRows(t)
	if len(runs) == 0 {
		return 0, false
	}
	low, _ := t.Layout().Bounds()
	divisor := int64(layout.Magnitude(low) & math.MaxInt64)
	for _, d := range runs {
		divisor = layout.GCD(divisor, d.Stride)
	}
	apart, rest := t.BitOffset(divisor)
	if rest != 0 {
		return 0, true
	}
	return apart & -apart, true
}

// RowDistance returns the bytes from the start of a row to the start of the next one. It reports false if RowAlignment
// does, or if a row starts inside a byte.
func RowDistance(t layout.Tensor) (bytes int64, ok bool) {
	runs := betweenRows(t)
	if len(runs) == 0 {
		return 0, false
	}
	bytes, rest := t.BitOffset(runs[0].Stride)
	return bytes, rest == 0
}

// betweenRows returns the runs that lead from row to row, by stride. It returns none if the tensor has no rows.
func betweenRows(t layout.Tensor) []layout.Run {
	if t.Layout().Empty() || t.DType().Bits() == 0 || !t.Layout().IsIdle() {
		return nil
	}
	runs, _ := t.Layout().Runs(nil)
	layout.SortRuns(runs)
	rows := layout.WithoutBroadcast(runs)
	return rows[min(inRow(t.Layout(), rows), len(rows)):]
}

// inRow returns the number of runs, starting at the innermost, that are inside a row: one or, in an image, the runs up
// to W if W is inside H.
func inRow(l layout.Layout, runs []layout.Run) int {
	names := l.AxisNames()
	h, w := slices.Index(names, "H"), slices.Index(names, "W")
	if h >= 0 && w >= 0 {
		for i, r := range slices.Backward(runs) {
			if r.Axis == w && !slices.ContainsFunc(runs[:i], func(r layout.Run) bool { return r.Axis == h }) {
				return i + 1
			}
		}
	}
	return 1
}
