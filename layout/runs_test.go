package layout_test

import (
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
