package analysis_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
)

// A truth is a layout as a list of all elements. Its methods look at every element and share no formula with the
// package.
type truth struct {
	sizes   []int64
	indices [][]int64 // in row-major order
	offsets []int64   // of each
	at      map[int64][]int
}

// enumerate lists the elements of the layout that offset describes.
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

// byBlocks is oneDNN's definition of a tag. Order lists the axes from outermost to innermost.
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

func (o *truth) unique() bool { return o.distinct() == o.elements() }

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

// overlapping reports whether elements that share an offset differ in more than broadcast axes.
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

// counts reports whether the elements, taken axis by axis in the given order, outermost first, are at consecutive
// offsets, which PyTorch calls contiguous.
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

// checkLayout compares all results of the package for a layout with the truth.
func checkLayout(t *testing.T, l layout.Layout, o *truth) {
	t.Helper()
	for _, check := range []func(layout.Layout, *truth) string{
		diffOffsets, diffFacts, diffWitness, diffCoalesced, diffMemoryFormats, diffInverse, diffNeighbours,
		diffOrdinals,
	} {
		if diff := check(l, o); diff != "" {
			t.Errorf("%v: %s", l, diff)
		}
	}
	if t.Failed() {
		t.FailNow()
	}
}

func diffOffsets(l layout.Layout, o *truth) string {
	i := 0
	for index, offset := range l.All() {
		if i == len(o.indices) || !slices.Equal(index, o.indices[i]) || offset != o.offsets[i] {
			return fmt.Sprintf("All yields %v, %d as number %d", index, offset, i)
		}
		i++
	}
	if i != len(o.indices) {
		return fmt.Sprintf("All yields %d elements, want %d", i, len(o.indices))
	}
	for i, index := range o.indices {
		if got, err := l.Offset(index); err != nil || got != o.offsets[i] {
			return fmt.Sprintf("Offset(%v) = %d, %v; want %d", index, got, err, o.offsets[i])
		}
	}
	return ""
}

// judged is the part of Facts that does not depend on the choice of a witness.
type judged struct {
	Elements, Low, High, Span, Distinct     int64
	Known                                   bool
	Unique, Overlapping, Exhaustive, Packed analysis.Verdict
	Padded                                  analysis.Verdict
	Broadcast                               []int
}

func diffFacts(l layout.Layout, o *truth) string {
	f := analysis.Of(l)
	got := judged{
		f.Elements, f.Low, f.High, f.Span, f.Distinct, f.DistinctKnown,
		f.Unique, f.Overlapping, f.Exhaustive, f.Packed(),
		f.Padded(), f.Broadcast,
	}
	low, high := o.bounds()
	want := judged{
		o.elements(), low, high, high - low + 1, o.distinct(), true,
		verdict(o.unique()), verdict(o.overlapping()), verdict(o.exhaustive()), verdict(o.unique() && o.exhaustive()),
		verdict(!o.exhaustive()), o.broadcast(),
	}
	return cmp.Diff(want, got)
}

func verdict(yes bool) analysis.Verdict {
	if yes {
		return analysis.Yes
	}
	return analysis.No
}

// diffWitness checks that a layout that is not unique comes with two elements that show it, and
// with two that are not only broadcast copies where there are such.
func diffWitness(l layout.Layout, o *truth) string {
	c := analysis.Of(l).Witness
	if o.unique() || c == nil {
		if o.unique() != (c == nil) {
			return fmt.Sprintf("unique %v, witness %v", o.unique(), c)
		}
		return ""
	}
	if fault := faultOf(c, l); fault != "" {
		return fault
	}
	if !o.overlapping() {
		return ""
	}
	a, b := slices.Clone(c.A), slices.Clone(c.B)
	for _, axis := range o.broadcast() {
		a[axis], b[axis] = 0, 0
	}
	if slices.Equal(a, b) {
		return fmt.Sprintf("the witness %v, %v is only a broadcast copy, and the layout overlaps", c.A, c.B)
	}
	return ""
}

// faultOf returns the error in a witness; the offsets are computed by the definition.
func faultOf(c *analysis.Witness, l layout.Layout) string {
	a, errA := l.Offset(c.A)
	b, errB := l.Offset(c.B)
	if errA != nil || errB != nil || a != b || a != c.Offset || slices.Compare(c.A, c.B) >= 0 {
		return fmt.Sprintf("witness %v at %d (%v), %v at %d (%v), said to be at %d", c.A, a, errA, c.B, b, errB,
			c.Offset)
	}
	return ""
}

func diffCoalesced(l layout.Layout, o *truth) string {
	sizes, strides, ok := analysis.Coalesced(l)
	wantSizes, wantStrides := o.coalesced()
	switch {
	case l.Empty():
		wantSizes, wantStrides = []int64{0}, []int64{1}
	case wantSizes == nil && o.elements() > 1:
		if ok {
			return fmt.Sprintf("coalesced to %v:%v, which cannot be", sizes, strides)
		}
		return ""
	}
	if !ok || !slices.Equal(sizes, wantSizes) || !slices.Equal(strides, wantStrides) {
		return fmt.Sprintf("coalesced to %v:%v, %v; want %v:%v", sizes, strides, ok, wantSizes, wantStrides)
	}
	return ""
}

// diffMemoryFormats skips empty tensors, for which contiguity.json has the answers of PyTorch.
func diffMemoryFormats(l layout.Layout, o *truth) string {
	if l.Empty() {
		return ""
	}
	f := analysis.Of(l)
	rowMajor := packedOrder(len(o.sizes))
	contiguous, channelsLast := o.counts(rowMajor), false
	if n := len(o.sizes); n == 4 || n == 5 {
		channelsLast = o.counts(append(append([]int{0}, rowMajor[2:]...), 1))
	}
	low, _ := o.bounds()
	if low != l.Base() { // Flips are neither, wherever their first element lies.
		contiguous, channelsLast = false, false
	}
	if f.Contiguous != contiguous || f.ChannelsLast != channelsLast {
		return fmt.Sprintf("contiguous %v, channels_last %v; want %v, %v", f.Contiguous, f.ChannelsLast, contiguous,
			channelsLast)
	}
	return ""
}

func packedOrder(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// diffInverse looks up every offset of the span and one beyond each end.
func diffInverse(l layout.Layout, o *truth) string {
	inverse := analysis.NewInverse(l)
	low, high := o.bounds()
	for offset := low - 1; offset <= high+1; offset++ {
		var want [][]int64
		for _, i := range o.at[offset] {
			want = append(want, o.indices[i])
		}
		got := inverse.At(offset, len(want)+1)
		if got.Offset != offset || !got.Exact || got.Count != int64(len(want)) ||
			!slices.EqualFunc(got.Indices, want, slices.Equal) {
			return fmt.Sprintf("At(%d) = %+v, want %v", offset, got, want)
		}
	}
	return ""
}

func diffNeighbours(l layout.Layout, o *truth) string {
	inverse := analysis.NewInverse(l)
	low, high := o.bounds()
	for offset := low - 2; offset <= high+2; offset++ {
		before, hasBefore := nearest(o, offset, low, -1)
		after, hasAfter := nearest(o, offset, high, 1)
		if got, ok := inverse.Before(offset); ok != hasBefore || ok && got != before {
			return fmt.Sprintf("Before(%d) = %d, %v; want %d, %v", offset, got, ok, before, hasBefore)
		}
		if got, ok := inverse.After(offset); ok != hasAfter || ok && got != after {
			return fmt.Sprintf("After(%d) = %d, %v; want %d, %v", offset, got, ok, after, hasAfter)
		}
	}
	return ""
}

// nearest steps from the offset towards the end until an element is there.
func nearest(o *truth, offset, end, by int64) (int64, bool) {
	for offset*by < end*by && len(o.at) > 0 {
		offset += by
		if len(o.at[offset]) > 0 {
			return offset, true
		}
	}
	return 0, false
}

// diffOrdinals checks that elements are numbered in row-major order, broadcast copies like
// their original.
func diffOrdinals(l layout.Layout, o *truth) string {
	copies, originals := o.broadcast(), map[string]int64{}
	for _, index := range o.indices {
		original := slices.Clone(index)
		for _, axis := range copies {
			original[axis] = 0
		}
		key := fmt.Sprint(original)
		if _, ok := originals[key]; !ok {
			originals[key] = int64(len(originals))
		}
		if got := l.Ordinal(index); got != originals[key] {
			return fmt.Sprintf("Ordinal(%v) = %d, want %d", index, got, originals[key])
		}
	}
	if got, want := l.Ordinals(), int64(len(originals)); got != want {
		return fmt.Sprintf("%d ordinals, want %d", got, want)
	}
	return ""
}
