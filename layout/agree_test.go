package layout_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
)

// checkLayout compares everything the package says of a layout with the truth.
func checkLayout(t *testing.T, l layout.Layout, o *truth) {
	t.Helper()
	for _, check := range []func(layout.Layout, *truth) string{
		diffOffsets, diffFacts, diffWitness, diffCoalesced, diffMemoryFormats, diffInverse, diffNeighbours, diffOrdinals,
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

// judged is what Facts says that does not depend on the choice of a witness.
type judged struct {
	Elements, Low, High, Span, Distinct     int64
	Known                                   bool
	Unique, Overlapping, Exhaustive, Packed facts.Verdict
	Padded                                  facts.Verdict
	Broadcast                               []int
}

func diffFacts(l layout.Layout, o *truth) string {
	f := facts.Of(l)
	got := judged{f.Elements, f.Low, f.High, f.Span, f.Distinct, f.DistinctKnown, f.Unique, f.Overlapping, f.Exhaustive, f.Packed(), f.Padded(), f.Broadcast}
	low, high := o.bounds()
	want := judged{
		o.elements(), low, high, high - low + 1, o.distinct(), true,
		verdict(o.unique()), verdict(o.overlapping()), verdict(o.exhaustive()), verdict(o.unique() && o.exhaustive()),
		verdict(!o.exhaustive()), o.broadcast(),
	}
	return cmp.Diff(want, got)
}

func verdict(yes bool) facts.Verdict {
	if yes {
		return facts.Yes
	}
	return facts.No
}

// diffWitness checks that a layout that is not unique comes with two elements that show it, and
// with two that are no mere broadcast copies where there are such.
func diffWitness(l layout.Layout, o *truth) string {
	c := facts.Of(l).Witness
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

// faultOf says what is wrong with a witness; the offsets are those of the definition.
func faultOf(c *facts.Witness, l layout.Layout) string {
	a, errA := l.Offset(c.A)
	b, errB := l.Offset(c.B)
	if errA != nil || errB != nil || a != b || a != c.Offset || slices.Compare(c.A, c.B) >= 0 {
		return fmt.Sprintf("witness %v at %d (%v), %v at %d (%v), said to be at %d", c.A, a, errA, c.B, b, errB, c.Offset)
	}
	return ""
}

func diffCoalesced(l layout.Layout, o *truth) string {
	sizes, strides, ok := facts.Coalesced(l)
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

// diffMemoryFormats leaves empty tensors to PyTorch's own answers (contiguity.json).
func diffMemoryFormats(l layout.Layout, o *truth) string {
	if l.Empty() {
		return ""
	}
	f := facts.Of(l)
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
		return fmt.Sprintf("contiguous %v, channels_last %v; want %v, %v", f.Contiguous, f.ChannelsLast, contiguous, channelsLast)
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

// diffInverse asks for every offset of the span and for one beyond each end.
func diffInverse(l layout.Layout, o *truth) string {
	inverse := facts.NewInverse(l)
	low, high := o.bounds()
	for offset := low - 1; offset <= high+1; offset++ {
		var want [][]int64
		for _, i := range o.at[offset] {
			want = append(want, o.indices[i])
		}
		got := inverse.At(offset, len(want)+1)
		if got.Offset != offset || !got.Exact || got.Count != int64(len(want)) || !slices.EqualFunc(got.Indices, want, slices.Equal) {
			return fmt.Sprintf("At(%d) = %+v, want %v", offset, got, want)
		}
	}
	return ""
}

func diffNeighbours(l layout.Layout, o *truth) string {
	inverse := facts.NewInverse(l)
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
