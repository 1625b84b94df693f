package relayout_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/relayout"
	"layoutcalc/layout/spec"
)

// shapes returns all lists of so many sizes from least to most.
func shapes(rank int, least, most int64) [][]int64 {
	list := [][]int64{{}}
	for range rank {
		var longer [][]int64
		for _, sizes := range list {
			for n := least; n <= most; n++ {
				longer = append(longer, append(slices.Clone(sizes), n))
			}
		}
		list = longer
	}
	return list
}

// orders returns all orders of n axes.
func orders(n int) [][]int {
	list := [][]int{{}}
	for axis := range n {
		var longer [][]int
		for _, order := range list {
			for at := range len(order) + 1 {
				longer = append(longer, slices.Insert(slices.Clone(order), at, axis))
			}
		}
		list = longer
	}
	return list
}

// TestEveryOrder moves between all orders of the axes of all small shapes, sizes of 0 and rank
// 0 among them, and back. Of rank 4, five orders of the target stand for all.
func TestEveryOrder(t *testing.T) {
	t.Parallel()
	most := []int64{0, 9, 5, 4, 3}
	rng := rand.New(rand.NewPCG(1, 2))
	for rank := range 5 {
		all := orders(rank)
		for _, sizes := range append(shapes(rank, 1, most[rank]), shapes(rank, 0, 1)...) {
			for _, source := range all {
				for k, target := range all {
					if rank < 4 || k%5 == rng.IntN(5) {
						bits := widths[rng.IntN(len(widths))]
						thereAndBack(t, packed(t, sizes, source), packed(t, sizes, target), bits, rng)
					}
				}
			}
		}
	}
}

// TestEveryWidth moves elements of all widths between all orders of the axes of some shapes.
func TestEveryWidth(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	for _, sizes := range [][]int64{{}, {1}, {3}, {2, 3}, {3, 3}, {5, 4}, {2, 3, 4}, {3, 1, 3}, {3, 0, 2}, {4, 3, 2, 5}} {
		for _, source := range orders(len(sizes)) {
			for _, target := range orders(len(sizes)) {
				for _, bits := range widths {
					thereAndBack(t, packed(t, sizes, source), packed(t, sizes, target), bits, rng)
				}
			}
		}
	}
}

// thereAndBack moves between packed layouts, and back to the bytes that it started from.
func thereAndBack(t *testing.T, one, other layout.Layout, bits int64, rng *rand.Rand) {
	t.Helper()
	m := newMoving(t, tensor(t, one, bits), tensor(t, other, bits), rng)
	m.move(t, 1, 0)
	back, err := relayout.New(m.to, m.from)
	if err != nil {
		t.Fatalf("%v: and back: %v", m, err)
	}
	n := one.Elements()
	got := make([]byte, bytesOf(m.from, n))
	if err := back.Move(got, m.want, 2); err != nil {
		t.Fatalf("%v: and back: %v", m, err)
	}
	original := bytes.Clone(m.src[:len(got)])
	if n*bits%8 == 4 {
		original[len(got)-1] &= 15 // the other half belongs to no element
	}
	m.compare(t, "Move there and back", got, original)
}

// TestEveryStride writes through all small strides that keep 3x2 and 2x2x2 elements apart, most
// of which do not nest, and reads through as many, most of which overlap.
func TestEveryStride(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	var kept int
	for _, sizes := range [][]int64{{3, 2}, {4, 3}, {2, 2, 2}} {
		for _, strides := range shapes(len(sizes), -6, 6) {
			to := tensor(t, strided(t, 36, sizes, strides), widths[rng.IntN(len(widths))])
			if !unique(to.Layout()) {
				continue
			}
			kept++
			source := make([]int64, len(sizes))
			for i := range source {
				source[i] = rng.Int64N(13) - 6
			}
			from := tensor(t, strided(t, 36, sizes, source), to.DType().Bits())
			newMoving(t, from, to, rng).move(t, 1, 0)
		}
	}
	if kept < 500 {
		t.Errorf("%d targets keep their elements apart: too few", kept)
	}
}

// unique reports whether no two elements share an offset, by looking at all.
func unique(l layout.Layout) bool {
	seen, n := map[int64]bool{}, int64(0)
	offsets(l, l, func(a, _ int64) { seen[a], n = true, n+1 })
	return int64(len(seen)) == n
}

// TestSides transposes matrices whose sides lie around the powers of two that kernels work in,
// with rows that are and are not aligned.
func TestSides(t *testing.T) {
	t.Parallel()
	d := newDraw(15)
	sides := []int64{15, 16, 17, 31, 33, 47, 64, 65, 127, 128, 129, 255, 257}
	for _, rows := range sides {
		for _, columns := range sides {
			bits := widths[d.IntN(len(widths))]
			pitch := [2]int64{columns, rows}
			for i := range pitch {
				if d.one(2) {
					pitch[i] += d.Int64N(130)
				}
			}
			from := strided(t, 0, []int64{rows, columns}, []int64{pitch[0], 1})
			to := strided(t, 0, []int64{rows, columns}, []int64{1, pitch[1]})
			newMoving(t, tensor(t, from, bits), tensor(t, to, bits), d.Rand).everyWay(t, d)
		}
	}
}

// TestChannels moves images of all small numbers of channels to pixels of them, and back.
func TestChannels(t *testing.T) {
	t.Parallel()
	d := newDraw(17)
	for channels := int64(1); channels <= 20; channels++ {
		for _, plane := range []int64{100, 1023, 5000} {
			bits := widths[d.IntN(len(widths))]
			shape := fmt.Sprintf("%dx%dx%dx%d", 1+d.IntN(2), channels, plane/10, 10)
			nchw, nhwc := described(t, shape, "NCHW", "", "", bits), described(t, shape, "NHWC", "", "", bits)
			newMoving(t, nchw, nhwc, d.Rand).everyWay(t, d)
			newMoving(t, nhwc, nchw, d.Rand).everyWay(t, d)
		}
	}
}

// TestStorage counts by hand what targets reserve, which is more than up to their last element.
func TestStorage(t *testing.T) {
	tests := []struct {
		shape, name, pad, pitch string
		bits, bytes             int64
		reason                  string
	}{
		{"2x3x4", "NCW", "", "", 32, 96, "24 elements"},
		{"1x3x2x2", "NCHW16c", "", "", 32, 256, "one block of 16 channels for 4 pixels"},
		{"2x17x1x2", "NCHW16c", "", "", 16, 256, "2 images of 2 blocks of 2x16"},
		{"1x5x1x3", "NCHW4c", "", "", 4, 12, "2 blocks of 3x4 halves of bytes"},
		{"2x3x4", "NCW", "W=1", "", 8, 30, "rows of 4+1"},
		{"2x3x4", "NCW", "N=5", "", 64, 29 * 8, "24 elements and 5 behind them"},
		{"3x3", "NC", "C=2", "", 4, 8, "15 halves of bytes"},
		{"2x3x4", "NCW", "", "C=8", 32, 176, "rows 8 apart: the last ends at 24 + 16 + 4"},
		{"0x3", "NC", "", "", 32, 0, "no elements"},
	}
	rng := rand.New(rand.NewPCG(7, 8))
	for _, tt := range tests {
		to := described(t, tt.shape, tt.name, tt.pad, tt.pitch, tt.bits)
		from := described(t, tt.shape, tt.name[:len(to.Layout().Sizes())], "", "", tt.bits)
		m := newMoving(t, from, to, rng)
		if got := m.plan.TargetBytes(); got != tt.bytes {
			t.Errorf("%v: the target has %d bytes, want %d; %s", m, got, tt.bytes, tt.reason)
		}
		m.move(t, 1, 0)
		newMoving(t, to, from, rng).move(t, 2, 1)
	}
}

// described returns the tensor that texts describe; the last two may be empty.
func described(t *testing.T, shape, name, pad, pitch string, bits int64) layout.Tensor {
	t.Helper()
	s := spec.Spec{DType: tensor(t, layout.Layout{}, bits).DType()}
	list, err := spec.ParseShape(shape)
	names, nameErr := spec.ParseName(name)
	s.Shape, s.Name = list, &names
	errs := []error{err, nameErr}
	if pad != "" {
		n, err := spec.ParsePadding(pad)
		s.Pad, errs = []spec.AxisNumber{n}, append(errs, err)
	}
	if pitch != "" {
		n, err := spec.ParsePitch(pitch)
		s.Pitch, errs = []spec.AxisNumber{n}, append(errs, err)
	}
	x, err := s.Tensor()
	if err := errors.Join(append(errs, err)...); err != nil {
		t.Fatal(err)
	}
	return x
}

// TestPastCaches moves more than caches hold to slices at even and at odd addresses.
func TestPastCaches(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 26))
	for _, tt := range []struct {
		shape, from, to string
		bits            int64
	}{
		{"640x14401", "NC", "CN", 8},
		{"640x7201", "NC", "CN", 16},
		{"640x3601", "NC", "CN", 32},
		{"641x3600", "NC", "CN", 32},
		{"640x1801", "NC", "CN", 64},
		{"640x901", "NC", "CN", 128},
		{"1x3x1025x767", "NCHW", "NHWC", 32},
		{"1x128x151x119", "NCHW", "NHWC", 32},
		{"1x100x151x145", "NCHW", "NCHW16c", 32},
		{"1x100x151x145", "NCHW16c", "NHWC", 32},
	} {
		m := newMoving(t, described(t, tt.shape, tt.from, "", "", tt.bits), described(t, tt.shape, tt.to, "", "", tt.bits), rng)
		m.move(t, 1, 0)
		m.move(t, 3, 1+rng.IntN(3))
		m.move(t, 2, 16)
	}
}
