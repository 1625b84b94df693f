package facts

import (
	"math/bits"

	"layoutcalc/layout"
)

// A Buffer says whether a buffer holds a tensor. It starts at offset 0, or at the first element if that is before it.
type Buffer struct {
	Bytes int64   // its size
	Need  int64   // the bytes up to the end of the last element
	First []int64 // the first index in row-major order whose element is not wholly inside; nil if all are
	At    int64   // the offset of that element
}

// InBuffer returns whether a buffer of this size holds the tensor.
func InBuffer(t layout.Tensor, bytes int64) Buffer {
	l := t.Layout()
	b := Buffer{Bytes: bytes}
	if l.Empty() {
		return b
	}
	low, high := l.Bounds()
	start := min(low, 0)
	if b.Need = t.Bytes(high - start + 1); b.Need <= bytes {
		return b
	}
	hi, lo := bits.Mul64(uint64(bytes), 8)
	inside, _ := bits.Div64(hi, lo, uint64(t.DType().Bits())) // fewer than there are
	b.First = firstFrom(l, start+int64(inside))
	b.At, _ = l.Offset(b.First)
	return b
}

// firstFrom returns the first index in row-major order whose offset is at least the given one, which is not above the
// highest.
func firstFrom(l layout.Layout, offset int64) []int64 {
	most, index := l.Base(), make([]int64, l.Rank())
	for i := range index {
		most += farthest(l.Axis(i).DigitList(), lastDigits(l.Axis(i)))
	}
	for i := range index {
		a := l.Axis(i)
		digits := a.DigitList()
		last := lastDigits(a)
		most -= farthest(digits, last)
		for k, d := range digits {
			v := int64(0)
			if need := offset - most - farthest(digits[k+1:], nil); d.Stride > 0 && need > 0 {
				v = layout.CeilDiv(need, d.Stride)
			}
			if last != nil && v == last[0] {
				last = last[1:]
			} else {
				last = nil
			}
			index[i] = index[i]*d.Extent + v
			most += v * d.Stride
		}
	}
	return index
}

// farthest returns the most that digits add to an offset: values up to those of last, in their order, or any if it is
// nil.
func farthest(digits []layout.Digit, last []int64) int64 {
	if last == nil {
		sum := int64(0)
		for _, d := range digits {
			sum += max(0, (d.Extent-1)*d.Stride)
		}
		return sum
	}
	if len(digits) == 0 {
		return 0
	}
	most := last[0]*digits[0].Stride + farthest(digits[1:], last[1:])
	if last[0] > 0 {
		most = max(most, max(0, (last[0]-1)*digits[0].Stride)+farthest(digits[1:], nil))
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
