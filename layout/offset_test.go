package layout_test

import (
	"fmt"
	"math"
	"testing"

	"layoutcalc/layout"
)

// smallLayouts calls visit with layouts of an axis of two digits around one of one digit.
func smallLayouts(t *testing.T, visit func(layout.Layout)) {
	t.Helper()
	strides := []int64{-3, 0, 1, 2, 5}
	for size := range int64(6) {
		for block := int64(1); block <= 4; block++ {
			for rows := range int64(4) {
				for i := range len(strides) * len(strides) * len(strides) {
					n := len(strides)
					outer, inner, step := strides[i%n], strides[i/n%n], strides[i/n/n]
					l, err := layout.New(7, plain(rows, step), layout.NewAxis("", size,
						layout.Digit{Extent: layout.CeilDiv(size, block), Stride: outer},
						layout.Digit{Extent: block, Stride: inner}))
					if err != nil {
						t.Fatal(err)
					}
					visit(l)
				}
			}
		}
	}
}

// slowOffset is the formula of a Layout, with the digits of an index taken one by one.
func slowOffset(l layout.Layout, index []int64) int64 {
	offset := l.Base()
	for i, v := range index {
		a := l.Axis(i)
		for k := a.Digits() - 1; k > 0; k-- {
			d := a.Digit(k)
			offset += v % d.Extent * d.Stride
			v /= d.Extent
		}
		offset += v * a.Digit(0).Stride
	}
	return offset
}

// TestIndices compares the indices and offsets of small layouts with loops over all of them.
func TestIndices(t *testing.T) {
	smallLayouts(t, func(l layout.Layout) {
		sizes := l.Sizes()
		var want []string
		low, high := int64(math.MaxInt64), int64(math.MinInt64)
		for i := range sizes[0] {
			for k := range sizes[1] {
				at := slowOffset(l, []int64{i, k})
				low, high = min(low, at), max(high, at)
				want = append(want, fmt.Sprint(i, k, at))
				if got, err := l.Offset([]int64{i, k}); err != nil || got != at {
					t.Fatalf("%v: (%d,%d) is at %d, %v, want %d", l, i, k, got, err, at)
				}
			}
		}
		n := 0
		for index, offset := range l.All() {
			if n == len(want) || fmt.Sprint(index[0], index[1], offset) != want[n] {
				t.Fatalf("%v: element %d is %v at %d, of %v", l, n, index, offset, want)
			}
			n++
		}
		if n != len(want) || l.Elements() != int64(n) || l.Empty() != (n == 0) {
			t.Fatalf("%v: %d of %d indices, %d elements, empty %v", l, n, len(want), l.Elements(), l.Empty())
		}
		if n == 0 {
			low, high = 0, -1
		}
		if a, b := l.Bounds(); a != low || b != high {
			t.Fatalf("%v: bounds %d and %d, want %d and %d", l, a, b, low, high)
		}
		checkOrdinals(t, l)
	})
}

// checkOrdinals counts the indices in which axes that repeat their elements are at 0.
func checkOrdinals(t *testing.T, l layout.Layout) {
	t.Helper()
	sizes, shown := l.Sizes(), int64(1)
	for i, size := range sizes {
		steps := map[int64]bool{}
		for v := range size {
			index := make([]int64, len(sizes))
			index[i] = v
			steps[slowOffset(l, index)-l.Base()] = true
		}
		repeats := size > 1 && len(steps) == 1 && steps[0]
		if a := l.Axis(i); a.Broadcast() != repeats {
			t.Fatalf("%v: axis %d repeats: %v", l, i, !repeats)
		}
		if !repeats {
			shown *= size
		}
	}
	if l.Ordinals() != shown {
		t.Fatalf("%v: %d ordinals, want %d", l, l.Ordinals(), shown)
	}
	next := int64(0)
	for index := range l.All() {
		copied := false
		original := append([]int64(nil), index...)
		for i := range sizes {
			if l.Axis(i).Broadcast() && index[i] > 0 {
				copied, original[i] = true, 0
			}
		}
		have := l.Ordinal(index)
		switch {
		case copied && have != l.Ordinal(original):
			t.Fatalf("%v: %v has ordinal %d, %v has %d", l, index, have, original, l.Ordinal(original))
		case !copied && have != next:
			t.Fatalf("%v: %v has ordinal %d, want %d", l, index, have, next)
		case !copied:
			next++
		}
	}
}

// TestCheckIndex checks that the error names the wrong axis.
func TestCheckIndex(t *testing.T) {
	l, err := layout.Strided(0, []int64{2, 3, 1}, []int64{3, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		index  []int64
		axis   int
		right  bool
		reason string
	}{
		{index: []int64{1, 2, 0}, right: true, reason: "the last element"},
		{index: []int64{0, 0, 0}, right: true, reason: "the first"},
		{index: []int64{2, 3, 1}, axis: 0, reason: "the first axis at fault"},
		{index: []int64{1, 3, 1}, axis: 1, reason: "the second"},
		{index: []int64{1, 2, 1}, axis: 2, reason: "the last"},
		{index: []int64{1, -1, 0}, axis: 1, reason: "one below 0"},
		{index: []int64{1, 2}, axis: 3, reason: "the rank where a number is missing"},
	}
	for _, tt := range tests {
		axis, err := l.CheckIndex(tt.index)
		if (err == nil) != tt.right || axis != tt.axis {
			t.Errorf("%v: axis %d, %v; want axis %d (%s)", tt.index, axis, err, tt.axis, tt.reason)
		}
	}
}
