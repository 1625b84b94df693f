package relayout

import (
	"cmp"
	"context"
	"errors"
	"hash/crc32"
	"io"
	"slices"

	"layoutcalc/layout"
)

// ErrDiffers says that the target's elements are not those of the source.
var ErrDiffers = errors.New("the result, read back, differs from the source")

// Verify reads source and target, and compares checksums of their elements. Those of the target
// are moved back for that, into the order that the source has them in.
func Verify(ctx context.Context, from, to layout.Tensor, src, dst io.ReaderAt, o Options) error {
	order, err := inOrderOf(from)
	if err != nil {
		return err
	}
	want, err := sum(ctx, from, order, src, o)
	if err != nil {
		return err
	}
	o.Swap = 0
	got, err := sum(ctx, to, order, dst, o)
	switch {
	case err != nil:
		return &ReadBackError{err}
	case got != want:
		return ErrDiffers
	}
	return nil
}

// A ReadBackError says that the target could not be read again.
type ReadBackError struct{ Err error }

// Error says so.
func (e *ReadBackError) Error() string { return "it cannot be read back: " + e.Err.Error() }

// Unwrap returns why.
func (e *ReadBackError) Unwrap() error { return e.Err }

// sum returns the checksum of the elements in the order of another tensor.
func sum(ctx context.Context, t, order layout.Tensor, data io.ReaderAt, o Options) (uint32, error) {
	p, err := New(t, order)
	if err != nil {
		return 0, err
	}
	h := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	err = p.Stream(ctx, h, data, o)
	return h.Sum32(), err
}

// inOrderOf returns the packed tensor whose elements follow one another as those of t do. Those of
// axes without storage are repeated as a whole.
func inOrderOf(t layout.Tensor) (layout.Tensor, error) {
	l := t.Layout()
	axes := make([][]layout.Digit, l.Rank())
	var digits []*layout.Digit
	for i := range axes {
		a := l.Axis(i)
		axes[i] = make([]layout.Digit, a.Digits())
		for k := range axes[i] {
			axes[i][k] = a.Digit(k)
			digits = append(digits, &axes[i][k])
		}
	}
	slices.SortStableFunc(digits, func(a, b *layout.Digit) int { return cmp.Compare(rank(*a), rank(*b)) })
	next := int64(1)
	for _, d := range digits {
		d.Stride = next
		next *= d.Extent
	}
	sorted := make([]layout.Axis, l.Rank())
	for i := range sorted {
		sorted[i] = layout.NewAxis(l.Axis(i).Name(), l.Axis(i).Size(), axes[i]...)
	}
	packed, err := layout.New(0, sorted...)
	if err != nil {
		return layout.Tensor{}, err
	}
	return layout.NewTensor(packed, t.DType())
}

// rank orders digits by their strides; one without a stride comes last.
func rank(d layout.Digit) uint64 { return uint64(magnitude(d.Stride)) - 1 }
