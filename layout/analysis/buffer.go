package analysis

import (
	"math/bits"
	"slices"

	"layoutcalc/layout"
)

// A Buffer states whether a buffer that starts at offset 0 holds a tensor.
type Buffer struct {
	Bytes int64   // its size
	Low   int64   // the offset of the lowest element if it is before the buffer, otherwise 0
	Need  int64   // the bytes from Low up to the end of the highest element
	First []int64 // the first index in row-major order of an element not completely inside; may be nil
	At    int64   // the offset of that element
}

// InBuffer returns whether a buffer of the given size holds the tensor.
func InBuffer(t layout.Tensor, bytes int64) Buffer {
	l := t.Layout()
	b := Buffer{Bytes: bytes}
	if l.Empty() {
		return b
	}
	low, high := l.Bounds()
	b.Low = min(low, 0)
	b.Need = t.Bytes(high - b.Low + 1)
	if low < 0 {
		b.First = firstFrom(l, 1, -1)
	}
	if high >= 0 && t.Bytes(high+1) > bytes {
		hi, lo := bits.Mul64(uint64(bytes), 8)
		inside, _ := bits.Div64(hi, lo, uint64(t.DType().Bits())) // fewer than there are
		if above := firstFrom(l, int64(inside), 1); b.First == nil || slices.Compare(above, b.First) < 0 {
			b.First = above
		}
	}
	if b.First != nil {
		b.At, _ = l.Offset(b.First)
	}
	return b
}

// firstFrom returns the first index in row-major order with an offset, times the sign, of at least the given one, which
// must not be above the highest offset.
func firstFrom(l layout.Layout, offset, sign int64) []int64 {
	if l.IsSwizzled() {
		return firstSwizzled(l, offset)
	}
	most, index := sign*l.Base(), make([]int64, l.Rank())
	for i := range index {
		most += farthest(l.Axis(i).DigitList(), lastDigits(l.Axis(i)), sign)
	}
	for i := range index {
		a := l.Axis(i)
		digits := a.DigitList()
		last := lastDigits(a)
		most -= farthest(digits, last, sign)
		for k, d := range digits {
			v, stride := int64(0), sign*d.Stride
			if need := offset - most - farthest(digits[k+1:], nil, sign); stride > 0 && need > 0 {
				v = layout.CeilDiv(need, stride)
			}
			if last != nil && v == last[0] {
				last = last[1:]
			} else {
				last = nil
			}
			index[i] = index[i]*d.Extent + v
			most += v * stride
		}
	}
	return index
}

// firstSwizzled is like firstFrom, but for a swizzled layout, which has no negative offsets. An element is beyond the
// given offset if its affine offset is in a later period. Only elements in the same period need to be examined.
func firstSwizzled(l layout.Layout, offset int64) (first []int64) {
	_, high := l.Affine().Bounds()
	l.Between(offset&^(l.Period()-1), high, maxCount, func(index []int64, affine int64) bool {
		if l.Swizzle(affine) >= offset {
			first = slices.Clone(index)
		}
		return first == nil
	})
	if first == nil { // the period is too long to examine
		_, highest := l.Bounds()
		first, _ = NewFinder(l).First(highest)
	}
	return first
}

// farthest returns the largest sum of the digits' offsets times the sign. If last is not nil, the values of the digits
// must not come after last in lexicographic order.
func farthest(digits []layout.Digit, last []int64, sign int64) int64 {
	if last == nil {
		sum := int64(0)
		for _, d := range digits {
			sum += max(0, (d.Extent-1)*sign*d.Stride)
		}
		return sum
	}
	if len(digits) == 0 {
		return 0
	}
	stride := sign * digits[0].Stride
	most := last[0]*stride + farthest(digits[1:], last[1:], sign)
	if last[0] > 0 {
		most = max(most, max(0, (last[0]-1)*stride)+farthest(digits[1:], nil, sign))
	}
	return most
}

// lastDigits returns the digits of the last index of an axis.
func lastDigits(a layout.Axis) []int64 {
	digits, index := make([]int64, a.Digits()), a.Size()-1
	for k := len(digits) - 1; k > 0; k-- {
		digits[k] = index % a.Digit(k).Extent
		index /= a.Digit(k).Extent
	}
	digits[0] = index
	return digits
}
