package analysis_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/layouttest"
)

// randomSwizzled returns a small layout and the same with a swizzle or two; its offsets are not negative.
func randomSwizzled(t *testing.T, r *rand.Rand) (affine, swizzled layout.Layout) {
	t.Helper()
	strides := []int64{0, 1, 2, 3, 4, 8, 12, 16, 32, 64}
	var axes []layout.Axis
	for range 1 + r.IntN(3) {
		digits := make([]layout.Digit, 1+r.IntN(2))
		size, inner := int64(1), int64(1)
		for i := range digits {
			digits[i] = layout.Digit{Extent: 1 + r.Int64N(6), Stride: strides[r.IntN(len(strides))]}
			size *= digits[i].Extent
		}
		if inner = size / digits[0].Extent; r.IntN(3) == 0 {
			size = 1 + r.Int64N(size)
			digits[0].Extent = layout.CeilDiv(size, inner)
		}
		axes = append(axes, layout.NewAxis("", size, digits...))
	}
	affine, err := layout.New(r.Int64N(2)*r.Int64N(100), axes...)
	if err != nil {
		t.Fatal(err)
	}
	var list []layout.Swizzle
	for range 1 + r.IntN(2) {
		s := layout.Swizzle{Bits: 1 + r.IntN(3), Base: r.IntN(4)}
		if s.Shift = s.Bits + r.IntN(3); r.IntN(3) == 0 {
			s.Shift = -s.Shift
		}
		list = append(list, s)
	}
	if swizzled, err = affine.Swizzled(list...); err != nil {
		t.Fatal(err)
	}
	return affine, swizzled
}

// TestSwizzledFacts compares the facts of random swizzled layouts, and the elements at their offsets, with a list of
// all elements.
func TestSwizzledFacts(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	for range 10000 / layouttest.Step() {
		_, l := randomSwizzled(t, r)
		o := enumerate(l.Sizes(), func(index []int64) int64 {
			offset, err := l.Offset(index)
			if err != nil {
				t.Fatal(err)
			}
			return offset
		})
		f, distinct := analysis.Of(l), int64(len(o.at))
		low, high := slices.Min(o.offsets), slices.Max(o.offsets)
		if f.Low != low || f.High != high || f.Distinct != distinct || !f.DistinctKnown {
			t.Fatalf("%s: %+v, want %d to %d, %d offsets", l, f, low, high, distinct)
		}
		if got, want := f.Unique == analysis.Yes, int(distinct) == len(o.offsets); got != want {
			t.Fatalf("%s: unique %s, want %v", l, f.Unique, want)
		}
		if got, want := f.Exhaustive == analysis.Yes, distinct == high-low+1; got != want {
			t.Fatalf("%s: exhaustive %s, want %v", l, f.Exhaustive, want)
		}
		if w := f.Witness; w != nil {
			a, _ := l.Offset(w.A)
			b, _ := l.Offset(w.B)
			if a != b || a != w.Offset {
				t.Fatalf("%s: %v at %d and %v at %d share offset %d?", l, w.A, a, w.B, b, w.Offset)
			}
		}
		isRowMajor := true
		for i, offset := range o.offsets {
			isRowMajor = isRowMajor && offset == o.offsets[0]+int64(i)
		}
		if analysis.Contiguous(l) && !isRowMajor {
			t.Fatalf("%s is not contiguous", l)
		}
		inv := analysis.NewInverse(l)
		for offset := int64(0); offset <= high+1; offset++ {
			found := inv.At(offset, len(o.offsets))
			if len(found.Indices) != len(o.at[offset]) || !found.Exact {
				t.Fatalf("%s at %d: %v, want %d", l, offset, found, len(o.at[offset]))
			}
			for k, i := range o.at[offset] {
				if !slices.Equal(found.Indices[k], o.indices[i]) {
					t.Fatalf("%s at %d: %v, want %v", l, offset, found.Indices[k], o.indices[i])
				}
			}
			next, ok := inv.After(offset)
			want := slices.IndexFunc(o.offsets, func(x int64) bool { return x == next })
			if ok && (next <= offset || want < 0) || ok != (offset < high) {
				t.Fatalf("%s: after %d comes %d, %v", l, offset, next, ok)
			}
		}
	}
}

// TestSwizzledBuffer finds the first element beyond a buffer by a loop over all.
func TestSwizzledBuffer(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	float32, err := layout.ParseDType("float32")
	if err != nil {
		t.Fatal(err)
	}
	for range 10000 / layouttest.Step() {
		_, l := randomSwizzled(t, r)
		tensor, err := layout.NewTensor(l, float32)
		if err != nil {
			t.Fatal(err)
		}
		bytes := r.Int64N(4*tensor.Storage() + 8)
		b := analysis.InBuffer(tensor, bytes)
		var want []int64
		for index, offset := range l.All() {
			if 4*offset+4 > bytes {
				want = slices.Clone(index)
				break
			}
		}
		if !slices.Equal(b.First, want) {
			t.Fatalf("%s in %d bytes: %v, want %v", l, bytes, b.First, want)
		}
	}
}

// TestSwizzledCompare finds the first difference of two layouts by a loop over all elements.
func TestSwizzledCompare(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(9, 10))
	same := 0
	for range 1500 {
		a, b := randomSwizzled(t, r)
		if r.IntN(2) == 0 {
			a, _ = a.Swizzled(b.Swizzles()[:1]...)
		}
		var want []int64
		for index, offset := range a.All() {
			if other, _ := b.Offset(index); other != offset {
				want = slices.Clone(index)
				break
			}
		}
		d, err := analysis.Compare(a, b)
		if err != nil || analysis.Same(a, b) != (want == nil) || (d == nil) != (want == nil) {
			t.Fatalf("%s and %s: %v, %v, want %v", a, b, d, err, want)
		}
		if want == nil {
			same++
			continue
		}
		x, _ := a.Offset(want)
		y, _ := b.Offset(want)
		if !slices.Equal(d.Index, want) || d.A != x || d.B != y {
			t.Fatalf("%s and %s: %+v, want %v at %d and %d", a, b, d, want, x, y)
		}
	}
	if same == 0 {
		t.Error("no two layouts were the same")
	}
}
