package analysis

import (
	"slices"

	"layoutcalc/layout"
)

// MemoryFormat returns the memory format of a layout according to PyTorch's suggest_memory_format, which operators such
// as convolutions use for their outputs. Unlike ChannelsLast, it allows gaps. If a layout has both formats because of
// axes of size 1, the strides of these axes decide. It reports false for layouts that PyTorch does not have: with
// blocks, or negative strides.
func MemoryFormat(l layout.Layout) (format string, ok bool) {
	strides, ok := l.Strides()
	if !ok || slices.ContainsFunc(strides, func(n int64) bool { return n < 0 }) {
		return "", false
	}
	order := ChannelsLastOrder(l.Rank())
	if order == nil || strides[1] == 0 {
		return "contiguous_format", true
	}
	least := int64(0)
	for _, i := range order {
		size := l.Axis(i).Size()
		if size == 0 || strides[i] < least || i == 0 && least == strides[1] {
			return "contiguous_format", true
		}
		least = strides[i]
		if size > 1 {
			least = saturated(least, size)
		}
	}
	return [...]string{4: "channels_last", 5: "channels_last_3d"}[l.Rank()], true
}

// saturated returns the product of a stride and a size, or the largest number if that does not fit in 64 bits.
func saturated(stride, size int64) int64 {
	product, err := layout.Mul(stride, size)
	if err != nil {
		return 1<<63 - 1
	}
	return product
}

// DimOrder returns the axes from outermost to innermost, like PyTorch's Tensor.dim_order. It reports false for layouts
// that PyTorch does not have.
func DimOrder(l layout.Layout) (order []int64, ok bool) {
	if _, ok = MemoryFormat(l); !ok {
		return nil, false
	}
	strides, _ := l.Strides()
	order = make([]int64, l.Rank())
	for i := range order {
		order[i] = int64(len(order) - 1 - i)
	}
	contiguous, channelsLast := Contiguous(l), l.Rank() == 4 && ChannelsLast(l)
	switch {
	case len(order) < 2 || contiguous && !channelsLast:
	case channelsLast && !contiguous:
		order = []int64{1, 3, 2, 0}
	default:
		sortInnermostFirst(order, l.Sizes(), strides)
	}
	slices.Reverse(order)
	return order, true
}

// sortInnermostFirst sorts axes by their strides with PyTorch's insertion sort. Axes of stride 0 compare equal to all
// others, so such an axis keeps its position unless others pass it.
func sortInnermostFirst(order, sizes, strides []int64) {
	for i := 1; i < len(order); i++ {
		at := i
		for before := i - 1; before >= 0; before-- {
			a, b := order[before], order[at]
			if strides[a] == 0 || strides[b] == 0 || strides[a] == strides[b] && sizes[a] <= sizes[b] {
				continue
			}
			if strides[a] < strides[b] {
				break
			}
			order[before], order[at] = b, a
			at = before
		}
	}
}
