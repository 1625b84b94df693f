package draw_test

import (
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/layouttest"
)

// offsetOf computes an offset from the digits of an index, and applies the swizzles bit by bit.
func offsetOf(l layout.Layout, index []int64) int64 {
	offset := l.Base()
	for i, v := range index {
		for k := l.Axis(i).Digits() - 1; k >= 0; k-- {
			d := l.Axis(i).Digit(k)
			offset += v % d.Extent * d.Stride
			v /= d.Extent
		}
	}
	for _, s := range l.Swizzles() {
		before := offset
		for i := range s.Bits {
			if read, written := s.Base+i+max(s.Shift, 0), s.Base+i+max(-s.Shift, 0); before>>read&1 == 1 {
				offset ^= 1 << written
			}
		}
	}
	return offset
}

// each calls visit with every index from the first one up to, not including, the last, in row-major order.
func each(from, to []int64, visit func(index []int64)) {
	index := slices.Clone(from)
	var walk func(axis int)
	walk = func(axis int) {
		if axis == len(index) {
			visit(slices.Clone(index))
			return
		}
		for v := from[axis]; v < to[axis]; v++ {
			index[axis] = v
			walk(axis + 1)
		}
	}
	walk(0)
}

// An occupant is the elements at an offset.
type occupant struct {
	first []int64 // in row-major order
	count int64
}

// occupants finds them by enumerating all indices below the sizes.
func occupants(l layout.Layout, sizes []int64) map[int64]*occupant {
	all := map[int64]*occupant{}
	each(make([]int64, len(sizes)), sizes, func(index []int64) {
		offset := offsetOf(l, index)
		if all[offset] == nil {
			all[offset] = &occupant{first: index}
		}
		all[offset].count++
	})
	return all
}

// extents returns how many indices each axis has with all its blocks full. A swizzled layout cannot have those of
// negative offsets.
func extents(l layout.Layout) []int64 {
	sizes, low := l.Sizes(), l.Base()
	for i := range sizes {
		for k := range l.Axis(i).Digits() {
			low += min((l.Axis(i).Digit(k).Extent-1)*l.Axis(i).Digit(k).Stride, 0)
		}
	}
	if l.IsSwizzled() && low < 0 {
		return sizes
	}
	for i := range sizes {
		if l.Axis(i).Digits() == 1 {
			continue
		}
		sizes[i] = 1
		for k := range l.Axis(i).Digits() {
			sizes[i] *= l.Axis(i).Digit(k).Extent
		}
	}
	return sizes
}

// blockSizes returns how many indices along each axis a block of a level has, and whether there are such blocks.
func blockSizes(l layout.Layout, level int) (sizes []int64, ok bool) {
	for i := range l.Rank() {
		size, digits := int64(1), l.Axis(i).Digits()
		for k := 1; k <= level && k < digits; k++ {
			size *= l.Axis(i).Digit(digits - k).Extent
			ok = ok || k == level && size > 1
		}
		sizes = append(sizes, size)
	}
	return sizes, ok
}

// blockOf returns the block that an index is in.
func blockOf(index, sizes []int64) string {
	block := make([]int64, len(index))
	for i, v := range index {
		block[i] = v / sizes[i]
	}
	return layouttest.Commas(block)
}

// broadcast reports whether all indices along an axis have the same offset.
func broadcast(l layout.Layout, axis int) bool {
	if l.Empty() {
		return false
	}
	index := make([]int64, l.Rank())
	start := offsetOf(l, index)
	for v := range l.Axis(axis).Size() {
		if index[axis] = v; offsetOf(l, index) != start {
			return false
		}
	}
	return true
}

// shared reports whether an axis of size above 1 takes no storage.
func shared(l layout.Layout) bool {
	for i := range l.Rank() {
		if l.Axis(i).Size() > 1 && broadcast(l, i) {
			return true
		}
	}
	return false
}

// overlaps reports whether two elements share an offset and differ along an axis that takes storage.
func overlaps(l layout.Layout) bool {
	sizes := l.Sizes()
	for i := range sizes {
		if sizes[i] > 1 && broadcast(l, i) {
			sizes[i] = 1
		}
	}
	for _, o := range occupants(l, sizes) {
		if o.count > 1 {
			return true
		}
	}
	return false
}

// firstDifference returns the first index in row-major order that has different offsets; nil for none.
func firstDifference(a, b layout.Layout) (first []int64) {
	each(make([]int64, a.Rank()), a.Sizes(), func(index []int64) {
		if first == nil && offsetOf(a, index) != offsetOf(b, index) {
			first = index
		}
	})
	return first
}

// floorMod is the remainder that is not negative.
func floorMod(n, m int64) int64 { return ((n % m) + m) % m }
