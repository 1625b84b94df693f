package layout_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
)

// TestFinder compares with a walk through all elements in row-major order, the first of which
// at an offset is the answer.
func TestFinder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rank := rapid.IntRange(0, 4).Draw(t, "rank")
		sizes, strides := make([]int64, rank), make([]int64, rank)
		for i := range sizes {
			sizes[i] = rapid.Int64Range(0, 4).Draw(t, "size")
			strides[i] = rapid.Int64Range(-6, 9).Draw(t, "stride")
		}
		l, err := layout.Strided(rapid.Int64Range(0, 20).Draw(t, "base"), sizes, strides)
		if err != nil {
			t.Fatal(err)
		}
		checkFinder(t, l)
	})
}

// TestFinderInBlocks has axes that end inside a block.
func TestFinderInBlocks(t *testing.T) {
	for _, c := range []int64{1, 3, 4, 5, 7} {
		axes := []layout.Axis{
			layout.NewAxis("C", c, layout.Digit{Extent: (c + 3) / 4, Stride: 10}, layout.Digit{Extent: 2, Stride: -2}, layout.Digit{Extent: 2, Stride: 1}),
			layout.NewAxis("W", 3, layout.Digit{Extent: 3, Stride: 4}),
		}
		l, err := layout.New(7, axes...)
		if err != nil {
			t.Fatal(err)
		}
		checkFinder(t, l)
	}
}

func checkFinder(t interface{ Fatalf(string, ...any) }, l layout.Layout) {
	first := map[int64][]int64{}
	for index, offset := range l.All() {
		if first[offset] == nil {
			first[offset] = append([]int64{}, index...)
		}
	}
	low, high := l.Bounds()
	finder := facts.NewFinder(l)
	for offset := low - 2; offset <= high+2; offset++ {
		got, none := finder.First(offset)
		if want := first[offset]; !slices.Equal(got, want) || (none == facts.Yes) != (want == nil) {
			t.Fatalf("%v: at %d %v (%v), want %v", l, offset, got, none, want)
		}
	}
}
