package relayout

import (
	"cmp"
	"context"
	"errors"
	"hash"
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
	if err == nil && got != want {
		err = ErrDiffers
	}
	return err
}

// sum returns the checksum of the elements in the order of another tensor.
func sum(ctx context.Context, t, order layout.Tensor, data io.ReaderAt, o Options) (uint32, error) {
	p, err := New(t, order)
	if err != nil {
		return 0, err
	}
	var h hash.Hash32 = crc32.New(crc32.MakeTable(crc32.Castagnoli))
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
	slices.SortStableFunc(digits, func(a, b *layout.Digit) int { return cmp.Compare(reach(*a), reach(*b)) })
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

// reach is how far a digit's stride leads: no stride is beyond all others.
func reach(d layout.Digit) uint64 { return uint64(distance(d.Stride)) - 1 }
