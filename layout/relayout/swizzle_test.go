package relayout_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/relayout"
)

// swizzledTensor returns rows of a matrix, which may be apart, swizzled or not.
func swizzledTensor(t *testing.T, rng *rand.Rand, rows, columns, bits int64, swizzled bool) layout.Tensor {
	t.Helper()
	strides := []int64{columns + rng.Int64N(2)*rng.Int64N(9), 1}
	if rng.IntN(3) == 0 {
		strides = []int64{1, rows}
	}
	l := strided(t, rng.Int64N(2)*rng.Int64N(100), []int64{rows, columns}, strides)
	x := tensor(t, l, bits)
	if !swizzled {
		return x
	}
	s := layout.Swizzle{Bits: 1 + rng.IntN(3), Base: rng.IntN(5)}
	if bits == 4 {
		s.Base++
	}
	if s.Shift = s.Bits + rng.IntN(3); rng.IntN(3) == 0 {
		s.Shift = -s.Shift
	}
	x, err := x.Swizzled(s)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// movedOne is the definition of a move: one element after the other.
func movedOne(from, to layout.Tensor, src []byte, bytes int64) []byte {
	dst, bits := make([]byte, bytes), from.DType().Bits()
	for index, a := range from.Layout().All() {
		b, _ := to.Layout().Offset(index)
		if bits == 4 {
			dst[b/2] |= src[a/2] >> (a % 2 * 4) & 15 << (b % 2 * 4)
			continue
		}
		copy(dst[b*bits/8:(b+1)*bits/8], src[a*bits/8:])
	}
	return dst
}

// TestSwizzledFiles moves data into swizzled files, out of them and back, in many small slabs and in one.
func TestSwizzledFiles(t *testing.T) {
	t.Parallel()
	for i := range 400 / layouttest.Step() {
		rng := rand.New(rand.NewPCG(21, uint64(i)))
		bits := []int64{4, 8, 16, 32, 64}[rng.IntN(5)]
		rows, columns := 1+rng.Int64N(40), 1+rng.Int64N(200)
		which := 1 + rng.IntN(3)
		from := swizzledTensor(t, rng, rows, columns, bits, which&1 > 0)
		to := swizzledTensor(t, rng, rows, columns, bits, which&2 > 0)
		plan, err := relayout.New(from, to)
		if err != nil {
			t.Fatal(from.Layout(), to.Layout(), err)
		}
		src := junk(rng, plan.SourceBytes())
		want := movedOne(from, to, src, plan.TargetBytes())
		if n := plan.TargetBytes(); n != to.Bytes(to.Storage()) {
			t.Fatalf("%s: %d bytes, want %d", to.Layout(), n, to.Bytes(to.Storage()))
		}
		o := relayout.Options{Jobs: 1 + rng.IntN(3), Memory: memories[rng.IntN(len(memories))]}
		how := fmt.Sprintf("%d-bit %s to %s with %d jobs, %d bytes", bits, from.Layout(), to.Layout(), o.Jobs, o.Memory)
		dst := newTarget(len(want))
		if err := plan.Copy(t.Context(), dst, source(src), o); err != nil || dst.wrong != "" {
			t.Fatalf("%s: %v, %s", how, err, dst.wrong)
		}
		if !slices.Equal(dst.data, want) {
			t.Fatalf("%s: Copy differs", how)
		}
		var stream bytes.Buffer
		if err := plan.Stream(t.Context(), &stream, source(src), relayout.Options{Jobs: o.Jobs}); err != nil {
			t.Fatalf("%s: %v", how, err)
		}
		if !slices.Equal(stream.Bytes(), want) {
			t.Fatalf("%s: Stream differs", how)
		}
		if err := relayout.Verify(t.Context(), from, to, source(src), source(want), o); err != nil {
			t.Fatalf("%s: %v", how, err)
		}
		want[len(want)/2] ^= 255
		isPadding := movedBack(to, from, want, src, plan)
		if err := relayout.Verify(t.Context(), from, to, source(src), source(want), o); err == nil && !isPadding {
			t.Fatalf("%s: a byte is wrong, and Verify does not say so", how)
		}
	}
}

// movedBack reports whether the elements are the same in both files.
func movedBack(to, from layout.Tensor, target, src []byte, plan relayout.Plan) bool {
	return slices.Equal(movedOne(to, from, target, plan.SourceBytes()), movedOne(from, from, src, plan.SourceBytes()))
}

// TestSwizzledShort checks the errors for a source that ends before its last element, and for swizzles of parts of a
// byte.
func TestSwizzledShort(t *testing.T) {
	t.Parallel()
	rows := tensor(t, strided(t, 0, []int64{8, 64}, []int64{64, 1}), 16)
	swizzled, err := rows.Swizzled(layout.Swizzle{Bits: 3, Base: 3, Shift: 3})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := relayout.New(swizzled, rows)
	if err != nil {
		t.Fatal(err)
	}
	short := source(make([]byte, 1000))
	if err := plan.Copy(t.Context(), newTarget(1024), short, relayout.Options{Jobs: 1}); err == nil {
		t.Error("1000 bytes of 1024 are enough")
	}
	nibbles := tensor(t, strided(t, 0, []int64{8, 64}, []int64{64, 1}), 4)
	swizzled, err = nibbles.Swizzled(layout.Swizzle{Bits: 1, Base: 0, Shift: 3})
	if err != nil {
		t.Fatal(err)
	}
	const want = "Sw<1,0,3> moves parts of an element"
	if _, err := relayout.New(swizzled, nibbles); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
