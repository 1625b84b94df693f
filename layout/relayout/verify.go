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

// ErrDiffers means that the elements of the target differ from the elements of the source.
var ErrDiffers = errors.New("the result, read back, differs from the source")

// A ReadBackError is the error if the target cannot be read again.
type ReadBackError struct{ Err error }

// Error returns the message with the reason.
func (e *ReadBackError) Error() string { return "it cannot be read back: " + e.Err.Error() }

// Unwrap returns the reason.
func (e *ReadBackError) Unwrap() error { return e.Err }

// Verify reads source and target, and compares checksums of their elements. For that, the elements
// of the target are moved back, to the order that they have in the source.
func Verify(ctx context.Context, from, to layout.Tensor, src, dst io.ReaderAt, o Options) error {
	order, err := packed(from)
	if err != nil {
		return err
	}
	want, err := checksum(ctx, from, order, src, o)
	if err != nil {
		return err
	}
	o.Swap = 0
	got, err := checksum(ctx, to, order, dst, o)
	switch {
	case err != nil:
		return &ReadBackError{err}
	case got != want:
		return ErrDiffers
	}
	return nil
}

// packed returns a tensor with the elements of t packed in the order of t's storage. Axes without storage repeat the
// whole.
func packed(t layout.Tensor) (layout.Tensor, error) {
	l := t.Layout()
	runs, _ := l.Runs(nil)
	last := func(r layout.Run) uint64 { return uint64(r.Stride) - 1 } // stride 0 comes last
	slices.SortStableFunc(runs, func(a, b layout.Run) int { return cmp.Compare(last(a), last(b)) })
	next := int64(1)
	for i := range runs {
		runs[i].Stride = next
		var err error
		if next, err = layout.Mul(next, runs[i].Extent); err != nil {
			return layout.Tensor{}, err
		}
	}
	slices.SortStableFunc(runs, layout.ByAxis)
	axes := make([]layout.Axis, l.Rank())
	for i := range axes {
		digits := make([]layout.Digit, 0, len(runs))
		for len(runs) > 0 && runs[0].Axis == i {
			digits, runs = append(digits, runs[0].Digit), runs[1:]
		}
		if len(digits) == 0 {
			digits = append(digits, layout.Digit{Extent: l.Axis(i).Size()})
		}
		axes[i] = layout.NewAxis(l.Axis(i).Name(), l.Axis(i).Size(), digits...)
	}
	order, err := layout.New(0, axes...)
	if err != nil {
		return layout.Tensor{}, err
	}
	return layout.NewTensor(order, t.DType())
}

// checksum returns the checksum of the elements in the order of another tensor.
func checksum(ctx context.Context, t, order layout.Tensor, data io.ReaderAt, o Options) (uint32, error) {
	p, err := New(t, order)
	if err != nil {
		return 0, err
	}
	h := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	err = p.Stream(ctx, h, data, o)
	return h.Sum32(), err
}
