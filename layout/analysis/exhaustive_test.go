package analysis_test

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/shape"
)

func TestZeroLayoutIsAScalar(t *testing.T) {
	var l layout.Layout
	checkLayout(t, l, byStrides(0, nil, nil))
	if l.String() != "[]+0" || l.Rank() != 0 || l.Named() || l.Empty() {
		t.Errorf("the zero Layout is %v", l)
	}
}

// shapes yields all sizes from least to most of all ranks up to the given one.
func shapes(least, most int64, rank int) iter.Seq[[]int64] {
	return func(yield func([]int64) bool) {
		for rank := range rank + 1 {
			for _, index := range rowMajor(repeated(most+1-least, rank)) {
				for i := range index {
					index[i] += least
				}
				if !yield(index) {
					return
				}
			}
		}
	}
}

// TestEveryOrderOfEveryShape goes through all orders of the axes of all shapes of rank up to 4
// and extent up to 4, and compares the names besides.
func TestEveryOrderOfEveryShape(t *testing.T) {
	t.Parallel()
	for sizes := range shapes(0, 4, 4) {
		orders := permutations(len(sizes))
		for _, order := range orders {
			strides := packedStrides(sizes, order)
			l, o := strided(t, 0, sizes, strides), byStrides(0, sizes, strides)
			checkLayout(t, l, o)
			checkNames(t, l, o, orders)
		}
	}
}

// checkNames compares the names with those of all permutations that lead to the same offsets.
func checkNames(t *testing.T, l layout.Layout, o *truth, orders [][]int) {
	t.Helper()
	var want []string
	letters := []string{"", "W", "HW", "DHW", "NCHW"}[len(o.sizes)] // DirectML's, by rank
	for _, order := range orders {
		if len(o.indices) == 0 || letters == "" || !sameOffsets(o, packedStrides(o.sizes, order)) {
			continue
		}
		var name strings.Builder
		for _, axis := range order {
			name.WriteByte(letters[axis])
		}
		want = append(want, name.String())
	}
	got := shape.Names(l)
	slices.SortFunc(want, func(a, b string) int {
		return strings.Compare(positionsIn(letters, a), positionsIn(letters, b))
	})
	if !slices.Equal(got, want) {
		t.Fatalf("%v: names %v, want %v", l, got, want)
	}
}

// positionsIn spells a name in the positions of its axes, so that names sort in their order.
func positionsIn(letters, name string) string {
	return strings.Map(func(r rune) rune { return rune('0' + strings.IndexRune(letters, r)) }, name)
}

func sameOffsets(o *truth, strides []int64) bool {
	for i, index := range o.indices {
		offset := int64(0)
		for axis, v := range index {
			offset += v * strides[axis]
		}
		if offset != o.offsets[i] {
			return false
		}
	}
	return true
}

// TestStridesOfSmallMatrices goes through all pairs of small strides.
func TestStridesOfSmallMatrices(t *testing.T) {
	for _, sizes := range rowMajor([]int64{5, 5}) {
		for _, strides := range rowMajor([]int64{14, 14}) {
			strides[0], strides[1] = strides[0]-4, strides[1]-4
			checkLayout(t, strided(t, 3, sizes, strides), byStrides(3, sizes, strides))
		}
	}
}

// TestRandomStridesOfEveryShape draws strides from -4 to 9 for all shapes, and strides that
// grow from axis to axis, with padding or a little too small.
func TestRandomStridesOfEveryShape(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	var unique, shared int
	step := layouttest.Step()
	for sizes := range shapes(1, 4, 4) {
		for k := range 36 / step {
			strides, base := randomStrides(rng, sizes, k%3 == 0), rng.Int64N(21)-10
			o := byStrides(base, sizes, strides)
			checkLayout(t, strided(t, base, sizes, strides), o)
			if o.unique() {
				unique++
			} else {
				shared++
			}
		}
	}
	if unique < 5_000/step || shared < 5_000/step {
		t.Errorf("%d layouts are unique, %d are not: too few of one kind", unique, shared)
	}
}

func randomStrides(rng *rand.Rand, sizes []int64, growing bool) []int64 {
	strides, step := make([]int64, len(sizes)), int64(1)
	for _, axis := range rng.Perm(len(sizes)) {
		strides[axis] = rng.Int64N(14) - 4
		if growing {
			strides[axis] = step + rng.Int64N(4) - 1
			step = strides[axis] * sizes[axis]
		}
	}
	return strides
}

// TestRandomDigits draws axes of up to three digits, most of which end inside a block.
func TestRandomDigits(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 8))
	for range 8_000 / layouttest.Step() {
		rank := 1 + rng.IntN(3)
		sizes, digits, list := make([]int64, rank), make([][]layout.Digit, rank), make([]layout.Axis, rank)
		for i := range list {
			sizes[i], digits[i] = randomAxis(rng)
			list[i] = layout.NewAxis("", sizes[i], digits[i]...)
		}
		l, err := layout.New(7, list...)
		if err != nil {
			t.Fatalf("%v %v: %v", sizes, digits, err)
		}
		checkLayout(t, l, byDigits(7, sizes, digits))
	}
}

// randomAxis draws the inner digits, then a size and the outer extent that it needs.
func randomAxis(rng *rand.Rand) (size int64, digits []layout.Digit) {
	inner, n := int64(1), rng.IntN(3)
	zero := rng.IntN(8) == 0
	for range n {
		d := layout.Digit{Extent: 1 + rng.Int64N(3), Stride: rng.Int64N(14) - 4}
		digits = append(digits, d)
		inner *= d.Extent
	}
	size = rng.Int64N(10)
	outer := layout.Digit{Extent: (size + inner - 1) / inner, Stride: rng.Int64N(14) - 4}
	digits = slices.Insert(digits, 0, outer)
	for i := range digits {
		if zero {
			digits[i].Stride = 0
		}
	}
	return size, digits
}

// TestBlockedNames compares tensors of blocked names with oneDNN's definition of the tags.
func TestBlockedNames(t *testing.T) {
	tests := []struct {
		name   string
		order  []int
		blocks []block
	}{
		{"A2a", []int{0}, []block{{0, 2}}},
		{"A3a", []int{0}, []block{{0, 3}}},
		{"A2a3a", []int{0}, []block{{0, 2}, {0, 3}}},
		{"aB2b", []int{0, 1}, []block{{1, 2}}},
		{"Ba3b", []int{1, 0}, []block{{1, 3}}},
		{"AB2a3b", []int{0, 1}, []block{{0, 2}, {1, 3}}},
		{"BA3b2a", []int{1, 0}, []block{{1, 3}, {0, 2}}},
		{"AB2b3a2b", []int{0, 1}, []block{{1, 2}, {0, 3}, {1, 2}}},
		{"BA2a2b2a2b", []int{1, 0}, []block{{0, 2}, {1, 2}, {0, 2}, {1, 2}}},
		{"aBc2b", []int{0, 1, 2}, []block{{1, 2}}},
		{"CAb2a3c", []int{2, 0, 1}, []block{{0, 2}, {2, 3}}},
		{"ABC2a2b2c", []int{0, 1, 2}, []block{{0, 2}, {1, 2}, {2, 2}}},
		{"aCB3b2c2b", []int{0, 2, 1}, []block{{1, 3}, {2, 2}, {1, 2}}},
	}
	for _, tt := range tests {
		for _, sizes := range rowMajor(repeated(8-int64(len(tt.order)), len(tt.order))) {
			x := layouttest.Tensor(t, fmt.Sprintf("[%s] %s", layouttest.Commas(sizes), tt.name))
			if got := x.Layout().Sizes(); !slices.Equal(got, sizes) {
				t.Fatalf("%s of %v has the sizes %v", tt.name, sizes, got)
			}
			checkLayout(t, x.Layout(), byBlocks(sizes, tt.order, tt.blocks))
		}
	}
}
