package values

import (
	"context"
	"io"
	"slices"
	"sort"
	"sync"

	"layoutcalc/layout"
	"layoutcalc/layout/relayout"
)

const (
	tileBytes = 3 << 20 // the maximum size of a tile, in bytes
	longRun   = 4 << 10 // bytes of a piece of a file that is read as fast as longer ones
)

// A walk reads several tensors of the same sizes and width, one tile of their indices after the other.
type walk struct {
	list []Data
	step []int64
	buf  [][]byte
}

// newWalk returns a walk in tiles of at most the given bytes, unless a block is larger. As far as possible, the tiles
// are long contiguous pieces in the files of all tensors.
func newWalk(bytes int64, list ...Data) *walk {
	l := list[0].Tensor.Layout()
	w := &walk{list: list, buf: make([][]byte, len(list))}
	units := make([]int64, l.Rank())
	for i, size := range l.Sizes() {
		units[i] = 1
		for _, d := range list {
			block := d.Tensor.Layout().Axis(i).Block()
			units[i] = min(units[i]/layout.GCD(units[i], block)*block, size)
		}
	}
	w.step = slices.Clone(units)
	most := bytes * 8 / list[0].Tensor.DType().Bits()
	for _, d := range list {
		w.grow(d.Tensor.Layout(), units, most*longRun/tileBytes, most)
	}
	w.grow(l, units, most, most)
	return w
}

// grow makes the steps larger along the axes with the shortest strides, until they cover run elements of the storage,
// or until a tile has most elements.
func (w *walk) grow(l layout.Layout, units []int64, run, most int64) {
	axes := make([]int, 0, l.Rank())
	for i := range l.Rank() {
		axes = append(axes, i)
	}
	stride := func(i int) int64 {
		a := l.Axis(i)
		low := int64(1) << 62
		for k := range a.Digits() {
			if d := a.Digit(k); d.Extent > 1 {
				low = min(low, max(d.Stride, -d.Stride))
			}
		}
		return low
	}
	sort.SliceStable(axes, func(i, k int) bool { return stride(axes[i]) < stride(axes[k]) })
	for length := int64(1); len(axes) > 0 && length < run; axes = axes[1:] {
		i := axes[0]
		size, others := l.Axis(i).Size(), int64(1)
		for k, n := range w.step {
			if k != i {
				others *= n
			}
		}
		n := min(layout.CeilDiv(run, length), max(most/others, w.step[i]))
		n = min(max(n/units[i]*units[i], w.step[i]), size)
		w.step[i] = n
		if length *= n; n < size {
			return
		}
	}
}

// A tile is the indices from lo up to but not including hi on each axis.
type tile struct{ lo, hi []int64 }

// run calls visit for each tile, in the order of their first indices, with the elements of all tensors in row-major
// order, until visit returns false. It skips a tile if wanted returns false.
func (w *walk) run(ctx context.Context, wanted func(t tile) bool, visit func(t tile, elements [][]byte) bool) error {
	sizes := w.list[0].Tensor.Layout().Sizes()
	t := tile{make([]int64, len(sizes)), make([]int64, len(sizes))}
	for {
		for i, lo := range t.lo {
			t.hi[i] = min(lo+w.step[i], sizes[i])
		}
		if wanted(t) {
			if err := w.read(ctx, t); err != nil {
				return err
			}
			if !visit(t, w.buf) {
				return nil
			}
		}
		i := len(sizes) - 1
		for ; i >= 0 && t.hi[i] == sizes[i]; i-- {
			t.lo[i] = 0
		}
		if i < 0 {
			return nil
		}
		t.lo[i] = t.hi[i]
	}
}

// read reads a tile of all tensors at once.
func (w *walk) read(ctx context.Context, t tile) error {
	errs := make([]error, len(w.list))
	var all sync.WaitGroup
	for i := range w.list {
		all.Go(func() { errs[i] = w.fill(ctx, i, t) })
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// fill reads a tile of a tensor.
func (w *walk) fill(ctx context.Context, i int, t tile) error {
	d := w.list[i]
	from, err := t.of(d.Tensor)
	if err != nil {
		return err
	}
	to, err := rowMajor(from, 0)
	if err != nil {
		return err
	}
	plan, err := relayout.New(from, to)
	if err != nil {
		return err
	}
	n := int(plan.TargetBytes())
	w.buf[i] = slices.Grow(w.buf[i][:0], n)[:n]
	src := io.NewSectionReader(d.File, d.Start, plan.SourceBytes())
	o := relayout.Options{Jobs: 1, Memory: memory / int64(len(w.list)), Swap: d.Swap}
	return plan.Copy(ctx, buffer(w.buf[i]), src, o)
}

// of returns the tensor of the indices in a tile. The tile starts at a block of each axis.
func (t tile) of(of layout.Tensor) (layout.Tensor, error) {
	l := of.Layout()
	base, axes := l.Base(), l.Axes()
	for i, a := range axes {
		digits, size := a.DigitList(), t.hi[i]-t.lo[i]
		if size == a.Size() {
			continue
		}
		block := a.Block()
		base += t.lo[i] / block * digits[0].Stride
		digits[0].Extent = layout.CeilDiv(size, block)
		axes[i] = layout.NewAxis(a.Name(), size, digits...)
	}
	part, err := l.Remade(base, axes...)
	if err != nil {
		return layout.Tensor{}, err
	}
	return layout.NewTensor(part, of.DType())
}

// index returns the index of the element with a number in row-major order of the tile.
func (t tile) index(number int64) []int64 {
	sizes := make([]int64, len(t.lo))
	for i := range sizes {
		sizes[i] = t.hi[i] - t.lo[i]
	}
	index := indexOf(sizes, number)
	for i := range index {
		index[i] += t.lo[i]
	}
	return index
}

// A buffer is memory that can be written at any offset.
type buffer []byte

func (b buffer) WriteAt(p []byte, at int64) (int, error) { return copy(b[at:], p), nil }
