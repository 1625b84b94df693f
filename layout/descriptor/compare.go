package descriptor

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout/analysis"
	"layoutcalc/layout/wording"
)

// OpenSize is a size that a model leaves open.
const OpenSize = -1

// AnySize is a size that a configuration leaves to the file.
const AnySize = math.MinInt64

// Agree reports whether the size in a file agrees with the stated size.
func Agree(have, want int64) bool {
	return have == want || want == AnySize || have == OpenSize && want > 0
}

// IsOpen reports whether the model leaves size i open.
func (d *Descriptor) IsOpen(i int) bool { return d.Open != nil && d.Sizes[i] == OpenSize }

// SizesText formats the sizes. Open sizes are their names, or question marks.
func (d *Descriptor) SizesText() string {
	words := make([]string, len(d.Sizes))
	for i, n := range d.Sizes {
		if words[i] = strconv.FormatInt(n, 10); d.IsOpen(i) {
			words[i] = cmp.Or(wording.Clip(d.Open[i]), "?")
		}
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// SameType reports whether the element types of two tensors are equal, by meaning or by spelling.
func (d *Descriptor) SameType(o *Descriptor) bool {
	return d.TypeKnown && o.TypeKnown && d.Type == o.Type || strings.EqualFold(d.TypeName, o.TypeName)
}

// DifferingStride returns the first axis with different strides in a and b, or -1 if the strides are equal. It ignores
// axes of size 1, because their strides have no effect. It returns 0 if the lists have different lengths.
func DifferingStride(sizes, a, b []int64) int {
	if len(a) != len(sizes) || len(b) != len(sizes) {
		return 0
	}
	for i, n := range sizes {
		if n != 1 && a[i] != b[i] {
			return i
		}
	}
	return -1
}

// FirstMoved returns the first element with different offsets in two tensors of the same sizes. It returns nil if all
// offsets are equal, or if no element has an offset.
func (ts *Tensors) FirstMoved(a, b *Descriptor) *analysis.Difference {
	x, err := ts.Stated(a)
	y, other := ts.Stated(b)
	if err != nil || other != nil {
		return nil
	}
	d, _ := analysis.Compare(x.Layout(), y.Layout())
	return d
}

// Like returns the tensor with its open sizes replaced by the sizes of another one.
func (d *Descriptor) Like(o *Descriptor) *Descriptor {
	if d.Open == nil {
		return d
	}
	filled := *d
	filled.Sizes = slices.Clone(d.Sizes)
	for i := range filled.Sizes {
		if d.IsOpen(i) {
			filled.Sizes[i] = o.Sizes[i]
		}
	}
	return &filled
}

// FirstReordered returns the number of the first element in row-major order with different offsets in two tensors with
// the same number of elements. It returns a negative number if all offsets are equal, or if no element has an offset.
func (ts *Tensors) FirstReordered(a, b *Descriptor) (n, atA, atB int64) {
	x, err := ts.Stated(a)
	y, other := ts.Stated(b)
	if err != nil || other != nil {
		return -1, 0, 0
	}
	sizes, strides, known := analysis.Coalesced(x.Layout())
	others, steps, ok := analysis.Coalesced(y.Layout())
	from, to := x.Layout().Base(), y.Layout().Base()
	if !known || !ok {
		return -1, 0, 0
	}
	n = 1
	for i, k := len(sizes)-1, len(others)-1; from == to; i, k = i-1, k-1 {
		switch {
		case i < 0 || k < 0:
			return -1, 0, 0
		case strides[i] == steps[k] && sizes[i] == others[k]:
			n *= sizes[i]
			continue
		case strides[i] == steps[k]:
			n *= min(sizes[i], others[k])
		}
		at := func(offset int64, sizes, strides []int64) int64 {
			left := n
			for i, size := range slices.Backward(sizes) {
				offset += left % size * strides[i]
				left /= size
			}
			return offset
		}
		return n, at(from, sizes, strides), at(to, others, steps)
	}
	return 0, from, to
}

// Reordered returns the index in sizes of each of others, if they are the same sizes in another order, and otherwise
// nil.
func Reordered(sizes, others []int64) (order []int64) {
	taken := make([]bool, len(sizes))
	for _, n := range others {
		at := 0
		for at < len(sizes) && (taken[at] || sizes[at] != n) {
			at++
		}
		if at == len(sizes) {
			return nil
		}
		taken[at] = true
		order = append(order, int64(at))
	}
	if len(order) != len(sizes) {
		return nil
	}
	return order
}
