package relayout_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"layoutcalc/layout"
	"layoutcalc/layout/relayout"
	"layoutcalc/layout/shape"
)

// benchMoves are the moves of which docs/performance.md has figures.
var benchMoves = []struct{ name, shape, from, to, dtype string }{
	{name: "A_nchw-nhwc", shape: "1x3x224x224", from: "NCHW", to: "NHWC", dtype: "float32"},
	{name: "A_nhwc-nchw", shape: "1x3x224x224", from: "NHWC", to: "NCHW", dtype: "float32"},
	{name: "B_nchw-nhwc", shape: "32x64x56x56", from: "NCHW", to: "NHWC", dtype: "float32"},
	{name: "B_nhwc-nchw", shape: "32x64x56x56", from: "NHWC", to: "NCHW", dtype: "float32"},
	{name: "C_nchw-nhwc", shape: "8x256x128x128", from: "NCHW", to: "NHWC", dtype: "float32"},
	{name: "C_nhwc-nchw", shape: "8x256x128x128", from: "NHWC", to: "NCHW", dtype: "float32"},
	{name: "D_nchw-nhwc", shape: "64x3x224x224", from: "NCHW", to: "NHWC", dtype: "uint8"},
	{name: "D_nhwc-nchw", shape: "64x3x224x224", from: "NHWC", to: "NCHW", dtype: "uint8"},
	{name: "E_transpose", shape: "8192x8192", from: "row-major", to: "column-major", dtype: "float32"},
	{name: "F_reversed", shape: "24x18x16x20x12x10", from: "row-major", to: "column-major", dtype: "float32"},
	{name: "G_f16_nchw-nhwc", shape: "32x64x56x56", from: "NCHW", to: "NHWC", dtype: "float16"},
	{name: "H_f64_nchw-nhwc", shape: "32x64x56x56", from: "NCHW", to: "NHWC", dtype: "float64"},
	{name: "I_blocks", shape: "32x64x56x56", from: "NCHW", to: "NCHW16c", dtype: "float32"},
	{name: "J_channels100", shape: "8x100x128x128", from: "NCHW", to: "NHWC", dtype: "float32"},
	{name: "W_interleave", shape: "64x3x512x512", from: "NCHW", to: "NHWC", dtype: "float32"},
	{name: "W_deinterleave", shape: "64x3x512x512", from: "NHWC", to: "NCHW", dtype: "float32"},
	{name: "K_u4_nchw-nhwc", shape: "8x16x56x56", from: "NCHW", to: "NHWC", dtype: "uint4"},
}

// BenchmarkMove moves in memory, and alternates with copy() of as many bytes and with the same move as
// an older processor makes it: x-copy is the time of the move divided by that of copy() on one core,
// and x-AVX2 the time with the kernels for processors without AVX-512 divided by that of the move.
func BenchmarkMove(b *testing.B) {
	for _, m := range benchMoves {
		from, to := named(b, m.shape, m.from, m.dtype), named(b, m.shape, m.to, m.dtype)
		p, err := relayout.New(from, to)
		if err != nil {
			b.Fatal(err)
		}
		src, dst, ref := memory(p.SourceBytes()), memory(p.TargetBytes()), memory(p.SourceBytes())
		fill(src)
		clear(dst) // the first touch of memory costs more than any move
		clear(ref)
		for _, jobs := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/jobs=%d", m.name, jobs), func(b *testing.B) { alternate(b, p, dst, src, ref, jobs) })
		}
	}
}

// alternate measures a move and copy() alternately, small ones several times each, and reports medians.
func alternate(b *testing.B, p relayout.Plan, dst, src, ref []byte, jobs int) {
	often := max(16<<20/len(src), 1)
	var copying, moving, older []time.Duration
	measure := func(times *[]time.Duration, f func()) {
		start := time.Now()
		for range often {
			f()
		}
		*times = append(*times, time.Since(start))
	}
	move := func() {
		if err := p.Move(dst, src, jobs); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		measure(&copying, func() { copy(ref, src) })
		measure(&moving, move)
		relayout.EachProcessor(func(name string) {
			if name == "AVX2" {
				measure(&older, move)
			}
		})
	}
	median := func(times []time.Duration) float64 {
		slices.Sort(times)
		return float64(times[len(times)/2])
	}
	b.ReportMetric(median(moving)/float64(often), "ns/op")
	b.ReportMetric(median(moving)/median(copying), "x-copy")
	if len(older) > 0 {
		b.ReportMetric(median(older)/median(moving), "x-AVX2")
	}
	b.ReportMetric(2*float64(len(src)*often)/median(moving), "GB/s")
}

// smallMoves are the moves whose instructions .ci/arm64 counts.
var smallMoves = []struct{ name, shape, from, to, dtype string }{
	{name: "tile1", shape: "64x256", from: "row-major", to: "column-major", dtype: "uint8"},
	{name: "tile2", shape: "64x256", from: "row-major", to: "column-major", dtype: "float16"},
	{name: "tile4", shape: "64x256", from: "row-major", to: "column-major", dtype: "float32"},
	{name: "tile8", shape: "64x256", from: "row-major", to: "column-major", dtype: "float64"},
	{name: "interleave1", shape: "1x3x224x224", from: "NCHW", to: "NHWC", dtype: "uint8"},
	{name: "deinterleave1", shape: "1x3x224x224", from: "NHWC", to: "NCHW", dtype: "uint8"},
	{name: "interleave4", shape: "1x3x224x224", from: "NCHW", to: "NHWC", dtype: "float32"},
	{name: "deinterleave4", shape: "1x3x224x224", from: "NHWC", to: "NCHW", dtype: "float32"},
}

// BenchmarkSmall makes small moves, each as a whole.
func BenchmarkSmall(b *testing.B) {
	for _, m := range smallMoves {
		b.Run(m.name, func(b *testing.B) {
			p, err := relayout.New(named(b, m.shape, m.from, m.dtype), named(b, m.shape, m.to, m.dtype))
			if err != nil {
				b.Fatal(err)
			}
			src, dst := make([]byte, p.SourceBytes()), make([]byte, p.TargetBytes())
			for b.Loop() {
				if err := p.Move(dst, src, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkNew plans a move.
func BenchmarkNew(b *testing.B) {
	from, to := named(b, "32x64x56x56", "NCHW", "float32"), named(b, "32x64x56x56", "NCHW16c", "float32")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := relayout.New(from, to); err != nil {
			b.Fatal(err)
		}
	}
}

// named returns the tensor of a shape and a layout name.
func named(t testing.TB, sizes, name, dtype string) layout.Tensor {
	t.Helper()
	s, err := shape.ParseShape(sizes)
	if err != nil {
		t.Fatal(err)
	}
	n, err := shape.ParseName(name)
	if err != nil {
		t.Fatal(err)
	}
	d, err := layout.ParseDType(dtype)
	if err != nil {
		t.Fatal(err)
	}
	tensor, err := shape.Spec{Shape: s, Name: &n, DType: d}.Tensor()
	if err != nil {
		t.Fatal(err)
	}
	return tensor
}

// fill fills b with bytes that differ.
func fill(b []byte) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
}
