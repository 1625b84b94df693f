package layout_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"layoutcalc/layout"
)

// TestRuns reads every index of small layouts from their runs, by the definition of a run: its value is
// the index of its axis divided by the weight, modulo the extent unless it is the outermost.
func TestRuns(t *testing.T) {
	strides := []int64{-6, -1, 0, 1, 2, 4, 8}
	for size := int64(1); size <= 9; size++ {
		for block := int64(1); block <= 5; block++ {
			for _, outer := range strides {
				for _, inner := range strides {
					digits := []layout.Digit{
						{Extent: layout.CeilDiv(size, block), Stride: outer}, {Extent: block, Stride: inner},
					}
					rows := layout.NewAxis("", 3, layout.Digit{Extent: 3, Stride: outer})
					l, err := layout.New(40, layout.NewAxis("", size, digits...), rows)
					if err != nil {
						t.Fatal(err)
					}
					checkRuns(t, l)
				}
			}
		}
	}
}

func checkRuns(t *testing.T, l layout.Layout) {
	t.Helper()
	runs, ragged := l.Runs(nil)
	covered := map[int]int64{0: 1, 1: 1}
	for i, r := range runs {
		if r.Extent < 2 || r.Stride < 0 {
			t.Fatalf("%v: run %+v is not in normal form", l, r)
		}
		if i > 0 && runs[i-1].Axis == r.Axis && r.Signed() == runs[i-1].Extent*runs[i-1].Signed() {
			t.Fatalf("%v: run %+v continues the one before it", l, r)
		}
		covered[r.Axis] = r.Weight * r.Extent
	}
	if beyond := covered[0] > l.Axis(0).Size(); beyond != ragged {
		t.Fatalf("%v: ragged %v, the runs count to %d", l, ragged, covered[0])
	}
	for index, offset := range l.All() {
		sum := l.Base()
		for i, r := range runs {
			v := index[r.Axis] / r.Weight
			if i+1 < len(runs) && runs[i+1].Axis == r.Axis {
				v %= r.Extent
			}
			sum += v * r.Signed()
		}
		if sum != offset {
			t.Fatalf("%v: index %v is at %d by the runs, at %d by the digits", l, index, sum, offset)
		}
	}
}

// TestLinear compares the stride that an axis has as a whole with the steps from each index to the next.
func TestLinear(t *testing.T) {
	smallLayouts(t, func(l layout.Layout) {
		want, all := make([]int64, l.Rank()), true
		for i, size := range l.Sizes() {
			a := l.Axis(i)
			want[i] = a.Digit(a.Digits() - 1).Stride
			steps := map[int64]bool{}
			for v := range max(size-1, 0) {
				from, to := make([]int64, l.Rank()), make([]int64, l.Rank())
				from[i], to[i] = v, v+1
				step := slowOffset(l, to) - slowOffset(l, from)
				steps[step], want[i] = true, step
			}
			one := len(steps) < 2
			stride, ok := a.Linear()
			if size > 1 && (ok != one || ok && stride != want[i]) {
				t.Fatalf("%v: axis %d has the stride %d, %v; want %d, %v", l, i, stride, ok, want[i], one)
			}
			if size == 1 && !ok {
				t.Fatalf("%v: axis %d of one index has no stride", l, i)
			}
			all = all && one
		}
		strides, ok := l.LinearStrides()
		if ok != all || ok && !slices.Equal(strides, want) {
			t.Fatalf("%v: strides %v, %v; want %v, %v", l, strides, ok, want, all)
		}
	})
}

// TestSortedRuns compares the results for runs of small strides with all sums that they reach.
func TestSortedRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	seen := map[string]int{}
	for range 20_000 {
		n, unit := rng.IntN(5), 1+rng.Int64N(3)
		runs := make([]layout.Run, n)
		for i := range runs {
			runs[i] = layout.Run{Digit: layout.Digit{Extent: 2 + rng.Int64N(3), Stride: unit * rng.Int64N(9)}, Axis: i}
		}
		layout.SortRuns(runs)
		nested, indices := true, int64(1)
		sums, highest := map[int64]bool{0: true}, int64(0)
		for _, r := range runs {
			nested = nested && r.Stride > highest
			highest += (r.Extent - 1) * r.Stride
			next := map[int64]bool{}
			for sum := range sums {
				for v := range r.Extent {
					next[sum+v*r.Stride] = true
				}
			}
			sums, indices = next, indices*r.Extent
		}
		gapless := true
		for sum := int64(0); sum <= highest; sum += unit {
			gapless = gapless && sums[sum]
		}
		if layout.Nested(runs) != nested || layout.Gapless(runs, unit) != gapless ||
			layout.CountIndices(runs) != indices {
			t.Fatalf("%+v: nested %v, without gaps in steps of %d %v, %d indices; want %v, %v, %d", runs,
				layout.Nested(runs), unit, layout.Gapless(runs, unit), layout.CountIndices(runs), nested, gapless,
				indices)
		}
		moving := slices.DeleteFunc(slices.Clone(runs), func(r layout.Run) bool { return r.Stride == 0 })
		if got := layout.WithoutBroadcast(runs); !slices.Equal(got, moving) {
			t.Fatalf("%+v: without those of stride 0 %+v", runs, got)
		}
		seen[fmt.Sprint(nested, gapless)]++
	}
	if len(seen) != 4 {
		t.Errorf("not all cases: %v", seen)
	}
}

// TestSortRuns sorts few runs and many by strides and extents, and by axes and weights.
func TestSortRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		runs := make([]layout.Run, rng.IntN(20))
		for i := range runs {
			runs[i] = layout.Run{Digit: layout.Digit{Extent: rng.Int64N(3), Stride: rng.Int64N(4)}, Axis: rng.IntN(3),
				Weight: rng.Int64N(3)}
		}
		layout.SortRuns(runs)
		for i := 1; i < len(runs); i++ {
			if a, b := runs[i-1], runs[i]; a.Stride > b.Stride || a.Stride == b.Stride && a.Extent > b.Extent {
				t.Fatalf("run %d of %+v is out of order", i, runs)
			}
		}
		slices.SortFunc(runs, layout.ByAxis)
		for i := 1; i < len(runs); i++ {
			if a, b := runs[i-1], runs[i]; a.Axis > b.Axis || a.Axis == b.Axis && a.Weight < b.Weight {
				t.Fatalf("run %d of %+v is out of order by axes", i, runs)
			}
		}
	}
}

// TestCountIndices counts up to the limit of 64 bits.
func TestCountIndices(t *testing.T) {
	run := func(extent int64) layout.Run { return layout.Run{Digit: layout.Digit{Extent: extent, Stride: 1}} }
	tests := []struct {
		extents []int64
		want    int64
	}{
		{nil, 1}, {[]int64{7}, 7}, {[]int64{1 << 31, 1 << 31}, 1 << 62}, {[]int64{1 << 31, 1 << 32}, math.MaxInt64},
		{[]int64{1 << 32, 1 << 32, 1 << 32}, math.MaxInt64},
	}
	for _, tt := range tests {
		var runs []layout.Run
		for _, n := range tt.extents {
			runs = append(runs, run(n))
		}
		if got := layout.CountIndices(runs); got != tt.want {
			t.Errorf("%v: %d, want %d", tt.extents, got, tt.want)
		}
	}
}
