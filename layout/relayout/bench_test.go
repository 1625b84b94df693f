package relayout_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"layoutcalc/layout"
	"layoutcalc/layout/relayout"
	"layoutcalc/layout/spec"
)

// benchMoves are the moves that docs/performance.md gives figures of.
var benchMoves = []struct{ name, shape, from, to, dtype string }{
	{"A_nchw-nhwc", "1x3x224x224", "NCHW", "NHWC", "float32"},
	{"A_nhwc-nchw", "1x3x224x224", "NHWC", "NCHW", "float32"},
	{"B_nchw-nhwc", "32x64x56x56", "NCHW", "NHWC", "float32"},
	{"B_nhwc-nchw", "32x64x56x56", "NHWC", "NCHW", "float32"},
	{"C_nchw-nhwc", "8x256x128x128", "NCHW", "NHWC", "float32"},
	{"C_nhwc-nchw", "8x256x128x128", "NHWC", "NCHW", "float32"},
	{"D_nchw-nhwc", "64x3x224x224", "NCHW", "NHWC", "uint8"},
	{"D_nhwc-nchw", "64x3x224x224", "NHWC", "NCHW", "uint8"},
	{"E_transpose", "8192x8192", "row-major", "column-major", "float32"},
	{"F_reversed", "24x18x16x20x12x10", "row-major", "column-major", "float32"},
	{"G_f16_nchw-nhwc", "32x64x56x56", "NCHW", "NHWC", "float16"},
	{"H_f64_nchw-nhwc", "32x64x56x56", "NCHW", "NHWC", "float64"},
	{"I_blocks", "32x64x56x56", "NCHW", "NCHW16c", "float32"},
	{"J_channels100", "8x100x128x128", "NCHW", "NHWC", "float32"},
	{"W_weave", "64x3x512x512", "NCHW", "NHWC", "float32"},
	{"W_unweave", "64x3x512x512", "NHWC", "NCHW", "float32"},
	{"K_u4_nchw-nhwc", "8x16x56x56", "NCHW", "NHWC", "uint4"},
}

// BenchmarkMove moves in memory, by turns with copy() of as many bytes: x-copy is how many times
// as long as copy() on one core the move takes.
func BenchmarkMove(b *testing.B) {
	for _, m := range benchMoves {
		from, to := named(b, m.shape, m.from, m.dtype), named(b, m.shape, m.to, m.dtype)
		p, err := relayout.New(from, to)
		if err != nil {
			b.Fatal(err)
		}
		src, dst, ref := room(p.SourceBytes()), room(p.TargetBytes()), room(p.SourceBytes())
		fill(src)
		clear(dst) // the first touch of memory costs more than any move
		clear(ref)
		for _, jobs := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/jobs=%d", m.name, jobs), func(b *testing.B) { byTurns(b, p, dst, src, ref, jobs) })
		}
	}
}

// byTurns measures a move and copy() by turns, small ones often in each.
func byTurns(b *testing.B, p relayout.Plan, dst, src, ref []byte, jobs int) {
	often := max(16<<20/len(src), 1)
	var copying, moving time.Duration
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		start := time.Now()
		for range often {
			copy(ref, src)
		}
		between := time.Now()
		for range often {
			if err := p.Move(dst, src, jobs); err != nil {
				b.Fatal(err)
			}
		}
		copying, moving = copying+between.Sub(start), moving+time.Since(between)
	}
	b.ReportMetric(float64(moving.Nanoseconds())/float64(b.N*often), "ns/op")
	b.ReportMetric(float64(moving)/float64(copying), "x-copy")
	b.ReportMetric(2*float64(len(src)*b.N*often)/float64(moving.Nanoseconds()), "GB/s")
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
func named(t testing.TB, shape, name, dtype string) layout.Tensor {
	t.Helper()
	s, err := spec.ParseShape(shape)
	if err != nil {
		t.Fatal(err)
	}
	n, err := spec.ParseName(name)
	if err != nil {
		t.Fatal(err)
	}
	d, err := layout.ParseDType(dtype)
	if err != nil {
		t.Fatal(err)
	}
	tensor, err := spec.Spec{Shape: s, Name: &n, DType: d}.Tensor()
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
