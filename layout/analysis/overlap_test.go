package analysis_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
)

func typed(t rapid.TB, l layout.Layout, dtype string) layout.Tensor {
	t.Helper()
	d, err := layout.ParseDType(dtype)
	if err != nil {
		t.Fatal(err)
	}
	x, err := layout.NewTensor(l, d)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// checkOverlap checks the verdict, and that the two elements that come with Yes both occupy the byte.
func checkOverlap(t rapid.TB, a, b layout.Tensor, want bool) *analysis.Shared {
	t.Helper()
	shared, overlaps, err := analysis.Overlap(a, b)
	if err != nil || overlaps != verdict(want) || (shared != nil) != want {
		t.Fatalf("%v of %v and %v of %v: %v, %v, %v; want %v", a.DType(), a.Layout(), b.DType(), b.Layout(), shared,
			overlaps, err, want)
	}
	if !want {
		return nil
	}
	sides := map[*layout.Tensor][]int64{&a: shared.A, &b: shared.B}
	for x, index := range sides {
		offset, err := x.Layout().Offset(index)
		bits := x.DType().Bits()
		first, last := offset*bits>>3, (offset*bits+bits-1)>>3
		if err != nil || shared.Byte < first || shared.Byte > last {
			t.Fatalf("%v of %v: %v is at bytes %d to %d, not at byte %d: %v", x.DType(), x.Layout(), index, first, last,
				shared.Byte, err)
		}
	}
	return shared
}

// bitsOf returns the bits that each element of the tensor occupies.
func bitsOf(x layout.Tensor) map[int64]bool {
	bits := map[int64]bool{}
	for _, offset := range x.Layout().All() {
		for i := range x.DType().Bits() {
			bits[offset*x.DType().Bits()+i] = true
		}
	}
	return bits
}

// overlapsByBits reports whether two tensors have a bit in common, from all bits of both.
func overlapsByBits(a, b layout.Tensor) bool {
	bits := bitsOf(a)
	for bit := range bitsOf(b) {
		if bits[bit] {
			return true
		}
	}
	return false
}

// TestOverlapAgreesWithSharesMemory checks pairs of arrays that gen_shared.py gave to NumPy's exact solver.
func TestOverlapAgreesWithSharesMemory(t *testing.T) {
	type side struct {
		Type           string
		Base           int64
		Sizes, Strides []int64
	}
	var cases []struct {
		A, B   side
		Shares bool
	}
	readJSON(t, "shared.json", &cases)
	if len(cases) < 300 {
		t.Fatalf("only %d cases", len(cases))
	}
	tensor := func(s side) layout.Tensor { return typed(t, strided(t, s.Base, s.Sizes, s.Strides), s.Type) }
	for _, c := range cases {
		checkOverlap(t, tensor(c.A), tensor(c.B), c.Shares)
		checkOverlap(t, tensor(c.B), tensor(c.A), c.Shares)
	}
}

// TestOverlapAgreesWithEveryBit compares blocked, ragged and swizzled tensors of any types bit by bit.
func TestOverlapAgreesWithEveryBit(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	types := []string{"i4", "i8", "f16", "f32", "f64", "i2"}
	draw := func() layout.Tensor {
		var axes []layout.Axis
		for range rng.IntN(4) {
			size, digits := randomAxis(rng)
			axes = append(axes, layout.NewAxis("", size, digits...))
		}
		l, err := layout.New(rng.Int64N(200), axes...)
		if low, _ := l.Bounds(); err == nil && low >= 0 && rng.IntN(3) == 0 {
			l, err = l.Swizzled(layout.Swizzle{Bits: 1 + rng.IntN(2), Base: 0, Shift: 2 + rng.IntN(2)})
		}
		if err != nil {
			return layout.Tensor{}
		}
		return typed(t, l, types[rng.IntN(len(types))])
	}
	found := map[bool]int{}
	for range 3000 {
		a, b := draw(), draw()
		want := overlapsByBits(a, b)
		found[want]++
		checkOverlap(t, a, b, want)
	}
	if found[true] < 100 || found[false] < 100 {
		t.Errorf("only %d overlap and %d do not", found[true], found[false])
	}
}

// TestOverlapFindsTheFirst checks the elements that are found: x[4] is x[4:][0].
func TestOverlapFindsTheFirst(t *testing.T) {
	x := typed(t, strided(t, 0, []int64{6}, []int64{1}), "f32")
	y := typed(t, strided(t, 4, []int64{6}, []int64{1}), "f32")
	s := checkOverlap(t, x, y, true)
	if !slices.Equal(s.A, []int64{4}) || !slices.Equal(s.B, []int64{0}) || s.Byte != 16 {
		t.Errorf("found %v", s)
	}
}

// TestOverlapOfHugeTensors checks tensors of more elements than can be looked at, and offsets at the limits.
func TestOverlapOfHugeTensors(t *testing.T) {
	const n = 1 << 30
	for _, tt := range []struct {
		a, b     layout.Layout
		overlaps bool
	}{
		{strided(t, 0, []int64{n, n - 1}, []int64{n, 1}), strided(t, n-1, []int64{n}, []int64{n}), false},
		{strided(t, 0, []int64{n, n}, []int64{n, 1}), strided(t, n-1, []int64{n}, []int64{n}), true},
		{strided(t, 0, []int64{n, n}, []int64{n, 0}), strided(t, n-1, []int64{n}, []int64{n}), false},
		{strided(t, 0, []int64{n}, []int64{1}), strided(t, 1<<58, []int64{n}, []int64{1}), false},
		{strided(t, 1<<58, []int64{n}, []int64{-1}), strided(t, -1<<58, []int64{n}, []int64{1}), false},
	} {
		checkOverlap(t, typed(t, tt.a, "f32"), typed(t, tt.b, "f32"), tt.overlaps)
		checkOverlap(t, typed(t, tt.b, "f32"), typed(t, tt.a, "f32"), tt.overlaps)
	}
}
