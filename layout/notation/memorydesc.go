package notation

import (
	"cmp"
	"math"
	"slices"

	"layoutcalc/layout"
)

// A memoryDesc is a layout as oneDNN holds it: strides of whole blocks, and the blocks, which lie
// in one piece.
type memoryDesc struct {
	counts, strides []int64 // how many blocks there are along each axis, and how far apart
	blocks          []tagBlock
	block           int64 // the size of a whole block
	padded          bool  // an axis does not fill its last block
}

// memoryDescOf returns the descriptor of a tensor, or says why oneDNN has none.
func memoryDescOf(t layout.Tensor) (memoryDesc, error) {
	l := t.Layout()
	switch {
	case l.Rank() == 0:
		return memoryDesc{}, lost(t, "a descriptor without axes is empty, not a scalar")
	case l.Rank() > dnnlMaxRank:
		return memoryDesc{}, lost(t, "it has at most %d axes, and the tensor has %d", dnnlMaxRank, l.Rank())
	case l.Base() != 0:
		return memoryDesc{}, lost(t, "it does not say where the tensor starts, and index 0 lies at %d", l.Base())
	}
	m, err := memoryDescIn(t, l)
	if same, ok := regrouped(l); err != nil && ok {
		if other, fault := memoryDescIn(t, same); fault == nil || blocked(l) == "" {
			return other, fault
		}
	}
	return m, err
}

// memoryDescIn returns the descriptor of a tensor whose blocks are the inner digits of the layout,
// which is the tensor's own.
func memoryDescIn(t layout.Tensor, l layout.Layout) (memoryDesc, error) {
	m, ok := blockedDesc(l)
	if !ok {
		return m, lost(t, "its blocks lie in one piece, and those of axis %s do not", blocked(l))
	}
	if axis, least := refusedStride(m.counts, m.strides, m.block); axis >= 0 {
		return m, lost(t, "it has strides of 0, or such that no axis reaches into another: that of axis %s is %d, and less than %d", l.AxisName(axis), m.strides[axis], least)
	}
	return m, nil
}

// blockedDesc takes the outermost digits of the axes for those of blocks; ok is false when the
// others do not lie in one piece.
func blockedDesc(l layout.Layout) (m memoryDesc, ok bool) {
	m = memoryDesc{counts: make([]int64, l.Rank()), strides: make([]int64, l.Rank()), block: 1}
	digits := 0
	for i := range m.counts {
		axis := l.Axis(i)
		m.counts[i], m.strides[i] = axis.Digit(0).Extent, axis.Digit(0).Stride
		padded, err := layout.ProductOf([]int64{m.counts[i], axis.Block()})
		if err != nil {
			return m, false
		}
		m.padded = m.padded || padded != axis.Size()
		digits += axis.Digits() - 1
	}
	if digits == 0 {
		return m, true
	}
	var places [dnnlMaxRank]int
	_, inner := digitsOf(l)
	m.blocks = make([]tagBlock, len(inner))
	for i, d := range inner {
		if d.Stride != m.block || places[d.axis] != 0 && d.place >= places[d.axis] {
			return m, false
		}
		m.block *= d.Extent
		places[d.axis] = d.place
		m.blocks[len(inner)-1-i] = tagBlock{d.axis, d.Extent}
	}
	return m, true
}

// refusedStride returns the first axis whose stride oneDNN refuses, -1 when there is none, and
// what the stride would have to be. From the least stride on, each has to be as large as all that
// the one before it takes. Strides of 0 and those of one element may be anything, and all may
// when there are no elements.
func refusedStride(counts, strides []int64, block int64) (axis int, least int64) {
	var buf [dnnlMaxRank]int
	order := buf[:0]
	for i, count := range counts {
		if count == 0 {
			return -1, 0
		}
		if count == 1 || strides[i] == 0 {
			continue
		}
		at := len(order)
		order = append(order, i)
		for ; at > 0 && strides[i] < strides[order[at-1]]; at-- {
			order[at] = order[at-1]
		}
		order[at] = i
	}
	least = block
	for _, axis := range order {
		if strides[axis] < least {
			return axis, least
		}
		var err error
		if least, err = layout.ProductOf([]int64{strides[axis], counts[axis]}); err != nil {
			least = math.MaxInt64
		}
	}
	return -1, 0
}

// order sorts the axes as oneDNN prints them: from the largest stride on, 0 before all, and where
// strides are alike the axis of more blocks first.
func (m memoryDesc) order() []int {
	order := make([]int, len(m.counts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(uint64(m.strides[b]-1), uint64(m.strides[a]-1)), cmp.Compare(m.counts[b], m.counts[a]))
	})
	return order
}

// dense reports whether the order and the blocks say all: where there are no gaps.
func (m memoryDesc) dense(order []int) bool {
	if slices.Contains(m.counts, 0) {
		return true
	}
	next := m.block
	for _, axis := range slices.Backward(order) {
		if m.counts[axis] > 1 && m.strides[axis] != next {
			return false
		}
		next *= m.counts[axis]
	}
	return true
}

// elements is what oneDNN's get_size counts: the longest axis from its first block to behind its
// last, gaps counted, and one block at least.
func (m memoryDesc) elements() (int64, error) {
	most := int64(0)
	for i, count := range m.counts {
		stride := m.strides[i]
		switch count {
		case 0:
			return 0, nil
		case 1:
			stride = 1
		}
		n, err := layout.ProductOf([]int64{count, stride})
		if err != nil {
			return 0, err
		}
		most = max(most, n)
	}
	if most == 1 {
		most = m.block
	}
	return most, nil
}

// memorySizes is what get_size returns. Of the types of 4 bits only the integers are packed.
func memorySizes(t layout.Tensor) ([]Size, error) {
	m, err := memoryDescOf(t)
	if err != nil {
		return nil, err
	}
	n, err := m.elements()
	if err != nil {
		return nil, err
	}
	bits := t.DType().Bits()
	if name := t.DType().Info().OneDNN; bits < 8 && name != "s4" && name != "u4" {
		return []Size{{"get_size", n, n}}, nil
	}
	if _, err := layout.ProductOf([]int64{n, (bits + 7) / 8}); err != nil {
		return nil, err
	}
	return []Size{{"get_size", n, t.Bytes(n)}}, nil
}
