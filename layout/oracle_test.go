package layout_test

import (
	"slices"

	"layoutcalc/layout"
)

// A truth is a layout written out element by element. All that it knows it finds by looking at
// every element, without any formula of the package.
type truth struct {
	sizes   []int64
	indices [][]int64 // in row-major order
	offsets []int64   // of each
	at      map[int64][]int
}

// enumerate writes out the layout that the function describes.
func enumerate(sizes []int64, offset func(index []int64) int64) *truth {
	o := &truth{sizes: sizes, indices: rowMajor(sizes), at: map[int64][]int{}}
	for i, index := range o.indices {
		o.offsets = append(o.offsets, offset(index))
		o.at[o.offsets[i]] = append(o.at[o.offsets[i]], i)
	}
	return o
}

func rowMajor(sizes []int64) [][]int64 {
	indices := [][]int64{{}}
	for _, size := range sizes {
		var longer [][]int64
		for _, index := range indices {
			for v := range size {
				longer = append(longer, append(index[:len(index):len(index)], v))
			}
		}
		indices = longer
	}
	return indices
}

// byStrides is the definition of a strided layout.
func byStrides(base int64, sizes, strides []int64) *truth {
	return enumerate(sizes, func(index []int64) int64 {
		offset := base
		for i, v := range index {
			offset += v * strides[i]
		}
		return offset
	})
}

// byDigits is the definition of a layout whose indices are written in digits: each axis counts
// through its digits, the last one fastest.
func byDigits(base int64, sizes []int64, digits [][]layout.Digit) *truth {
	steps := make([][]int64, len(sizes))
	for i := range sizes {
		steps[i] = count(digits[i])[:sizes[i]]
	}
	return enumerate(sizes, func(index []int64) int64 {
		offset := base
		for i, v := range index {
			offset += steps[i][v]
		}
		return offset
	})
}

func count(digits []layout.Digit) []int64 {
	sums := []int64{0}
	for _, d := range digits {
		var longer []int64
		for _, sum := range sums {
			for v := range d.Extent {
				longer = append(longer, sum+v*d.Stride)
			}
		}
		sums = longer
	}
	return sums
}

// A block is a numbered letter of a oneDNN tag, such as 16b: an axis and a size.
type block struct {
	axis int
	size int64
}

// byBlocks is oneDNN's definition of a tag (notations.md 2.2). Order lists the axes from
// outermost to innermost.
func byBlocks(sizes []int64, order []int, blocks []block) *truth {
	whole, inner := slices.Clone(sizes), int64(1) // sizes in blocks, elements in a block
	for _, b := range blocks {
		inner *= b.size
	}
	for axis := range whole {
		for _, b := range blocks {
			if b.axis == axis {
				whole[axis] = (whole[axis] + b.size - 1) / b.size
			}
		}
	}
	strides, step := make([]int64, len(sizes)), inner
	for _, axis := range slices.Backward(order) {
		strides[axis] = step
		step *= max(whole[axis], 1)
	}
	return enumerate(sizes, func(index []int64) int64 {
		left, offset, s := slices.Clone(index), int64(0), int64(1)
		for _, b := range slices.Backward(blocks) {
			offset += left[b.axis] % b.size * s
			left[b.axis] /= b.size
			s *= b.size
		}
		for i, v := range left {
			offset += v * strides[i]
		}
		return offset
	})
}

// packedStrides are those of axes that lie in the given order, outermost first.
func packedStrides(sizes []int64, order []int) []int64 {
	strides, step := make([]int64, len(sizes)), int64(1)
	for _, axis := range slices.Backward(order) {
		strides[axis] = step
		step *= max(sizes[axis], 1)
	}
	return strides
}

func permutations(n int) [][]int {
	orders := [][]int{{}}
	for k := range n {
		var longer [][]int
		for _, order := range orders {
			for at := range len(order) + 1 {
				longer = append(longer, slices.Insert(slices.Clone(order), at, k))
			}
		}
		orders = longer
	}
	return orders
}

func (o *truth) elements() int64 { return int64(len(o.indices)) }
func (o *truth) distinct() int64 { return int64(len(o.at)) }
func (o *truth) unique() bool    { return o.distinct() == o.elements() }

func (o *truth) bounds() (low, high int64) {
	if len(o.offsets) == 0 {
		return 0, -1
	}
	return slices.Min(o.offsets), slices.Max(o.offsets)
}

func (o *truth) exhaustive() bool {
	low, high := o.bounds()
	return o.distinct() == high-low+1
}

// broadcast lists the axes of size above 1 along which nothing moves.
func (o *truth) broadcast() []int {
	var axes []int
	for axis, size := range o.sizes {
		if size > 1 && len(o.offsets) > 0 && o.still(axis) {
			axes = append(axes, axis)
		}
	}
	return axes
}

func (o *truth) still(axis int) bool {
	step := int64(1)
	for _, size := range o.sizes[axis+1:] {
		step *= size
	}
	for i, index := range o.indices {
		if o.offsets[i] != o.offsets[int64(i)-index[axis]*step] {
			return false
		}
	}
	return true
}

// overlapping says whether elements share an offset that differ in more than broadcast axes.
func (o *truth) overlapping() bool {
	originals, copies := map[int64]bool{}, o.broadcast()
	for i, index := range o.indices {
		if !isOriginal(index, copies) {
			continue
		}
		if originals[o.offsets[i]] {
			return true
		}
		originals[o.offsets[i]] = true
	}
	return false
}

func isOriginal(index []int64, broadcast []int) bool {
	for _, axis := range broadcast {
		if index[axis] != 0 {
			return false
		}
	}
	return true
}

// counts says whether the elements, taken axis by axis in the order given, outermost first, lie
// at consecutive offsets: what PyTorch calls contiguous.
func (o *truth) counts(order []int) bool {
	strides := packedStrides(o.sizes, order)
	low, _ := o.bounds()
	for i, index := range o.indices {
		want := low
		for axis, v := range index {
			want += v * strides[axis]
		}
		if o.offsets[i] != want {
			return false
		}
	}
	return true
}

// coalesced reads the fewest axes off the offsets: the innermost axis is as long as they go up
// in even steps, and the offsets at its starts are those of the axes outside it.
func (o *truth) coalesced() (sizes, strides []int64) {
	left := o.offsets
	for len(left) > 1 {
		step, n := left[1]-left[0], 1
		for n < len(left) && left[n]-left[n-1] == step {
			n++
		}
		if len(left)%n != 0 {
			return nil, nil
		}
		sizes, strides = append(sizes, int64(n)), append(strides, step)
		var starts []int64
		for run := range slices.Chunk(left, n) {
			starts = append(starts, run[0])
			for i, offset := range run {
				if offset != run[0]+int64(i)*step {
					return nil, nil
				}
			}
		}
		left = starts
	}
	slices.Reverse(sizes)
	slices.Reverse(strides)
	return sizes, strides
}
