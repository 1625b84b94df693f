package facts

import (
	"layoutcalc/layout"
)

// Contiguous is PyTorch's is_contiguous: from the last axis on, every stride is the product of
// the sizes after it; size 1 does not count. A tensor without elements is always contiguous.
func Contiguous(l layout.Layout) bool {
	next := int64(1)
	for i := l.Rank() - 1; i >= 0; i-- {
		if !continues(l, i, &next) {
			return l.Empty()
		}
	}
	return true
}

// ChannelsLast is PyTorch's is_contiguous for channels_last, or for channels_last_3d by the
// rank. Here a tensor without elements is no exception.
func ChannelsLast(l layout.Layout) bool {
	order := ChannelsLastOrder(l.Rank())
	next := int64(1)
	for _, i := range order {
		if !continues(l, i, &next) {
			return false
		}
	}
	return order != nil
}

// continues reports whether the stride of axis i is next, and if so moves next past the axis.
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

// ChannelsLastOrder returns the axes from innermost to outermost in PyTorch's channels_last (rank 4)
// or channels_last_3d (rank 5), nil for other ranks.
func ChannelsLastOrder(rank int) []int {
	switch rank {
	case 4:
		return []int{1, 3, 2, 0}
	case 5:
		return []int{1, 4, 3, 2, 0}
	}
	return nil
}
