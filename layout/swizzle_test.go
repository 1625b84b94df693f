package layout_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"layoutcalc/layout"
)

// xored is the definition of CuTe's Swizzle, bit by bit: bit i of the upper or lower field is xored into the bit at the
// distance Shift.
func xored(x int64, s layout.Swizzle) int64 {
	for i := range s.Bits {
		read, written := s.Base+i, s.Base+i-s.Shift
		if s.Shift > 0 {
			read, written = s.Base+i+s.Shift, s.Base+i
		}
		if x>>read&1 == 1 {
			x ^= 1 << written
		}
	}
	return x
}

// randomSwizzle returns a swizzle that is valid.
func randomSwizzle(r *rand.Rand) layout.Swizzle {
	s := layout.Swizzle{Bits: r.IntN(4), Base: r.IntN(5)}
	s.Shift = s.Bits + r.IntN(4)
	if r.IntN(2) == 0 {
		s.Shift = -s.Shift
	}
	return s
}

func TestSwizzleIsItsOwnInverse(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		s := randomSwizzle(r)
		block := make([]bool, s.Period())
		for x := range s.Period() {
			y := s.Apply(x)
			if want := xored(x, s); y != want {
				t.Fatalf("%s of %d is %d, want %d", s, x, y, want)
			}
			if s.Apply(y) != x {
				t.Fatalf("%s twice of %d is %d", s, x, s.Apply(y))
			}
			if far := 7 * s.Period(); s.Apply(x+far) != y+far {
				t.Fatalf("%s does not repeat after %d", s, s.Period())
			}
			block[y] = true
		}
		if slices.Contains(block, false) {
			t.Fatalf("%s is no permutation of %d offsets", s, s.Period())
		}
	}
}

// TestSwizzledLayouts compares random swizzled layouts with a loop over all indices.
func TestSwizzledLayouts(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for range 10000 {
		var axes []layout.Axis
		for range r.IntN(4) {
			axes = append(axes, randomAxis(r))
		}
		base := r.Int64N(3) * r.Int64N(200)
		l, err := layout.New(base, axes...)
		if err != nil {
			t.Fatal(err)
		}
		if low, _ := l.Bounds(); low < 0 {
			if l, err = l.Remade(base-low, axes...); err != nil {
				t.Fatal(err)
			}
		}
		list := []layout.Swizzle{randomSwizzle(r), randomSwizzle(r)}[:1+r.IntN(2)]
		swizzled, err := l.Swizzled(list...)
		if err != nil {
			t.Fatal(l, list, err)
		}
		low, high, moved, n := int64(1<<62), int64(-1), false, 0
		for index, affine := range l.All() {
			want := affine
			for _, s := range list {
				want = xored(want, s)
			}
			if got, err := swizzled.Offset(index); err != nil || got != want {
				t.Fatalf("%s at %v: %d, %v, want %d", swizzled, index, got, err, want)
			}
			if got := swizzled.Unswizzle(want); got != affine {
				t.Fatalf("%s: %d comes from %d, want %d", swizzled, want, got, affine)
			}
			low, high, moved, n = min(low, want), max(high, want), moved || want != affine, n+1
		}
		if n == 0 {
			low = 0
		}
		if gotLow, gotHigh := swizzled.Bounds(); gotLow != low || gotHigh != high {
			t.Fatalf("%s lies at %d to %d, want %d to %d", swizzled, gotLow, gotHigh, low, high)
		}
		if moved && swizzled.IsIdle() {
			t.Fatalf("%s is said to be idle, and is not", swizzled)
		}
	}
}

// randomAxis returns an axis of one to three digits, which may end inside a block.
func randomAxis(r *rand.Rand) layout.Axis {
	strides := []int64{0, 1, 2, 3, 4, 8, 12, 16, 32, 64, 128, -1, -8}
	digits := make([]layout.Digit, 1+r.IntN(3))
	size := int64(1)
	for i := range digits {
		digits[i] = layout.Digit{Extent: 1 + r.Int64N(5), Stride: strides[r.IntN(len(strides))]}
		size *= digits[i].Extent
	}
	if r.IntN(3) == 0 {
		size = 1 + r.Int64N(size)
		inner := int64(1)
		for _, d := range digits[1:] {
			inner *= d.Extent
		}
		digits[0].Extent = (size + inner - 1) / inner
	}
	return layout.NewAxis("", size, digits...)
}

func TestSwizzleRefused(t *testing.T) {
	t.Parallel()
	row, err := layout.Strided(0, []int64{8, 64}, []int64{64, 1})
	if err != nil {
		t.Fatal(err)
	}
	below, err := layout.Strided(0, []int64{8}, []int64{-1})
	if err != nil {
		t.Fatal(err)
	}
	two := layout.Swizzle{Bits: 1, Base: 0, Shift: 1}
	tests := []struct {
		l    layout.Layout
		list []layout.Swizzle
		want string
	}{
		{row, []layout.Swizzle{{Bits: 3, Base: 3, Shift: 2}}, "Sw<3,3,2> has 3 bits, only 2 apart: they overlap"},
		{row, []layout.Swizzle{{Bits: -1, Base: 3, Shift: 2}}, "Sw<-1,3,2> has a negative number of bits"},
		{row, []layout.Swizzle{{Bits: 1, Base: -3, Shift: 2}}, "Sw<1,-3,2> starts at a negative bit"},
		{row, []layout.Swizzle{{Bits: 3, Base: 56, Shift: 3}}, "Sw<3,56,3> has more than 61 bits"},
		{row, []layout.Swizzle{{Bits: 1, Base: 1 << 30, Shift: 1}}, "Sw<1,1073741824,1> has more than 61 bits"},
		{row, []layout.Swizzle{two, two, two, two, two}, "5 swizzles, more than the limit of 4"},
		{below, []layout.Swizzle{two}, "the lowest offset before the swizzle is -7: systems disagree about that"},
	}
	for _, tt := range tests {
		if l, err := tt.l.Swizzled(tt.list...); err == nil || err.Error() != tt.want {
			t.Errorf("%v: %s, %v, want %s", tt.list, l, err, tt.want)
		}
	}
	if l, err := row.Swizzled(layout.Swizzle{}); err != nil || l.IsSwizzled() {
		t.Errorf("Sw<0,0,0>: %s, %v", l, err)
	}
}
