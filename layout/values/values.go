// Package values compares the elements of tensors in files, bit by bit: NaN equals the same NaN, and -0 differs from 0.
//
// [Compare] finds the first difference between two tensors. It reads both in blocks, and moves elements to row-major
// order as package relayout does, so its memory does not depend on the sizes. [Find] searches for a [Map] that gives
// one storage all elements of a tensor.
package values

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/lexer"
)

// A Data is a tensor with its elements in a file.
type Data struct {
	Tensor layout.Tensor
	File   io.ReaderAt
	Start  int64 // the byte of File at offset 0 of the tensor
	Before int64 // the bytes before File, which are added to the offsets in a Difference
	Bytes  int64 // the bytes of the storage; 0 if they are unknown
	Swap   int   // the number of bytes to reverse together, or 0
}

// NoPlace is the Before of elements that are not stored as bytes of their file.
const NoPlace = -1

// A Difference is an index of elements with different bits in two tensors.
type Difference struct {
	Index        []int64 // nil if the type does not determine where elements start
	ByteA, ByteB int64   // in the two files, or NoPlace for elements that are not bytes of their file
	A, B         []byte  // the elements, the lowest byte first
}

// memory limits the bytes of the slabs that all tensors are moved in.
const memory = 24 << 20

// block is the number of bytes that are compared at once.
const block = 256 << 10

// Incomparable returns why the elements of two tensors cannot be compared, or "" if they can.
func Incomparable(a, b layout.Tensor) string {
	switch {
	case !slices.Equal(a.Layout().Sizes(), b.Layout().Sizes()):
		return "the sizes differ"
	case a.DType().Bits() != b.DType().Bits():
		return fmt.Sprintf("elements of %s and %s have different widths", a.DType(), b.DType())
	}
	return ""
}

// Compare returns the first difference in row-major order of the indices, or nil if the tensors are equal. They must
// have the same sizes and elements of the same width.
func Compare(ctx context.Context, a, b Data) (*Difference, error) {
	return compare(ctx, a, b, tileBytes)
}

// compare is like Compare, but takes the size of tiles in bytes.
func compare(ctx context.Context, a, b Data, tileBytes int64) (*Difference, error) {
	l := a.Tensor.Layout()
	if l.Empty() {
		return nil, nil
	}
	if a.Swap == b.Swap && analysis.Same(l, b.Tensor.Layout()) && isDense(a.Tensor) {
		low, _ := l.Bounds()
		x, y := a, b
		x.Start, y.Start = a.Start+a.Tensor.Bytes(low), b.Start+b.Tensor.Bytes(low)
		n := l.Elements() * a.Tensor.DType().Bits()
		at, err := firstByte(x.stored(n), y.stored(n), n)
		if at < 0 || err != nil {
			return nil, err
		}
		if order, err := rowMajor(a.Tensor, low); err == nil && analysis.Same(l, order.Layout()) {
			return differenceAt(a, b, at)
		}
	}
	w := newWalk(tileBytes, a, b)
	var first []int64
	isBefore := func(t tile) bool { return first == nil || slices.Compare(t.lo, first) < 0 }
	err := w.run(ctx, isBefore, func(t tile, elements [][]byte) bool {
		if at := firstElement(elements[0], elements[1], a.Tensor.DType().Bits()); at >= 0 {
			index := t.index(at)
			if first == nil || slices.Compare(index, first) < 0 {
				first = index
			}
		}
		return true
	})
	if first == nil || err != nil {
		return nil, err
	}
	return difference(a, b, first)
}

// firstElement returns the number of the first element that differs, or -1 if all elements are equal.
func firstElement(x, y []byte, bits int64) int64 {
	if bytes.Equal(x, y) {
		return -1
	}
	i := 0
	for x[i] == y[i] {
		i++
	}
	number := int64(i) * 8 / bits
	if differing := x[i] ^ y[i]; bits < 8 && differing&(1<<bits-1) == 0 {
		number++
	}
	return number
}

// CompareBytes returns the first difference between n bytes of two files, or nil if the bytes are equal. It is for
// elements of unknown types, and for elements that share blocks.
func CompareBytes(a io.ReaderAt, startA int64, b io.ReaderAt, startB, n int64) (*Difference, error) {
	at, err := firstByte(io.NewSectionReader(a, startA, n), io.NewSectionReader(b, startB, n), n*8)
	if at < 0 || err != nil {
		return nil, err
	}
	d := &Difference{ByteA: startA + at, ByteB: startB + at, A: make([]byte, 1), B: make([]byte, 1)}
	if err := readAt(a, d.A, d.ByteA); err != nil {
		return nil, err
	}
	return d, readAt(b, d.B, d.ByteB)
}

// isDense reports whether each offset from the lowest to the highest has one element.
func isDense(t layout.Tensor) bool {
	l := t.Layout()
	low, high := l.Bounds()
	isWhole := !l.IsSwizzled() && high-low+1 == l.Elements() && t.DType().Bits()*low%8 == 0
	return isWhole && analysis.Of(l).Unique == analysis.Yes
}

// rowMajor returns a tensor of the same sizes and type in row-major order, which starts at an offset.
func rowMajor(t layout.Tensor, base int64) (layout.Tensor, error) {
	sizes := t.Layout().Sizes()
	strides, err := layout.PackedStrides(sizes, false)
	if err != nil {
		return layout.Tensor{}, err
	}
	l, err := layout.Strided(base, sizes, strides)
	if err != nil {
		return layout.Tensor{}, err
	}
	return layout.NewTensor(l, t.DType())
}

// stored returns a reader of the first bits of the storage.
func (d Data) stored(bits int64) io.Reader {
	return io.NewSectionReader(d.File, d.Start, layout.CeilDiv(bits, 8))
}

// firstByte returns the offset of the first byte that differs between two readers of the given number of bits, or -1 if
// all bytes are equal. It ignores bits after the last element.
func firstByte(x, y io.Reader, bits int64) (int64, error) {
	size := layout.CeilDiv(bits, 8)
	p, q := make([]byte, min(block, size)), make([]byte, min(block, size))
	for at := int64(0); at < size; at += int64(len(p)) {
		p, q = p[:min(int64(len(p)), size-at)], q[:min(int64(len(p)), size-at)]
		if _, err := io.ReadFull(x, p); err != nil {
			return -1, short(err)
		}
		if _, err := io.ReadFull(y, q); err != nil {
			return -1, short(err)
		}
		if rest := bits % 8; rest > 0 && at+int64(len(p)) == size {
			p[len(p)-1] &= 1<<rest - 1
			q[len(q)-1] &= 1<<rest - 1
		}
		if !bytes.Equal(p, q) {
			i := 0
			for p[i] == q[i] {
				i++
			}
			return at + int64(i), nil
		}
	}
	return -1, nil
}

// short returns the error for a file that ends before its elements.
func short(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return lexer.Refuse("", "the data ends before its last element")
	}
	return err
}

// difference returns the difference at an index.
func difference(a, b Data, index []int64) (*Difference, error) {
	d := &Difference{Index: index}
	var err error
	if d.A, d.ByteA, err = a.element(d.Index); err == nil {
		d.B, d.ByteB, err = b.element(d.Index)
	}
	return d, err
}

// differenceAt returns the difference in a byte of elements that are in row-major order starting at byte 0.
func differenceAt(a, b Data, at int64) (*Difference, error) {
	bits, sizes := a.Tensor.DType().Bits(), a.Tensor.Layout().Sizes()
	number := at * 8 / bits
	d, err := difference(a, b, indexOf(sizes, number))
	for err == nil && bytes.Equal(d.A, d.B) { // another element in the byte differs
		number++
		d, err = difference(a, b, indexOf(sizes, number))
	}
	return d, err
}

// indexOf returns the index of the element with a number in row-major order.
func indexOf(sizes []int64, number int64) []int64 {
	index := make([]int64, len(sizes))
	for i, size := range slices.Backward(sizes) {
		index[i], number = number%size, number/size
	}
	return index
}

// element returns the bytes of an element, the lowest first, and the offset of its first byte in the file.
func (d Data) element(index []int64) (value []byte, at int64, err error) {
	offset, err := d.Tensor.Layout().Offset(index)
	if err != nil {
		return nil, 0, err
	}
	value = make([]byte, layout.CeilDiv(d.Tensor.DType().Bits(), 8))
	if at = NoPlace; d.Before != NoPlace {
		at = d.Before + d.Start + offset*d.Tensor.DType().Bits()/8
	}
	return value, at, d.read(value, offset)
}

// read reads the element at an offset.
func (d Data) read(value []byte, offset int64) error {
	bits := d.Tensor.DType().Bits()
	err := readAt(d.File, value, d.Start+offset*bits/8)
	if bits < 8 {
		value[0] = value[0] >> (offset * bits % 8) & (1<<bits - 1)
	}
	for unit := value; d.Swap > 1 && len(unit) >= d.Swap; unit = unit[d.Swap:] {
		slices.Reverse(unit[:d.Swap])
	}
	return err
}

// readAt fills b with the bytes at an offset of a file.
func readAt(file io.ReaderAt, b []byte, at int64) error {
	if n, err := file.ReadAt(b, at); n < len(b) {
		return short(err)
	}
	return nil
}
