package layout_test

import (
	"testing"

	"layoutcalc/layout/facts"
	"layoutcalc/layout/view"
)

// viewTen is a chain of ten steps.
const viewTen = "permute(0,2,3,1)[:, 1:7:2, ::2].unsqueeze(0).movedim(-1,1).flatten(3,4).transpose(1,2)" +
	".expand(4,-1,-1,-1).narrow(3,1,8).contiguous().reshape(4,-1)"

// BenchmarkChain: under 20 us for ten steps, in process.
func BenchmarkChain(b *testing.B) {
	tensor := viewFresh(b, 1, 3, 8, 8)
	b.Run("with parsing", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := viewApply(tensor, viewTen); err != nil {
				b.Fatal(err)
			}
		}
	})
	steps, err := view.ParseSteps(viewTen)
	if err != nil || len(steps) != 10 {
		b.Fatal(len(steps), err)
	}
	b.Run("parsed", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			t := tensor
			for _, step := range steps {
				v, err := step.Apply(t)
				if err != nil {
					b.Fatal(err)
				}
				t = v.Tensor
			}
		}
	})
}

func BenchmarkCompare(b *testing.B) {
	sizes := []int64{8, 64, 224, 224}
	for _, c := range []struct{ name, a, b string }{
		{"same", "NHWC", "3211264,1,14336,64"},
		{"same in blocks", "NHWC", "NCHW64c"},
		{"other order", "NCHW", "NHWC"},
		{"blocked", "NCHW", "NCHW16c"},
		{"padded", "NCHW", "6422528,100352,448,1"},
	} {
		x, y := viewNamed(b, sizes, c.a).Layout(), viewNamed(b, sizes, c.b).Layout()
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := facts.Compare(x, y); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkMoves is the time of 2^20 elements.
func BenchmarkMoves(b *testing.B) {
	sizes := []int64{4, 64, 64, 64}
	for _, c := range []struct{ name, from, to string }{
		{"to NHWC", "NCHW", "NHWC"}, {"to blocks", "NCHW", "NCHW16c"}, {"from blocks", "NCHW16c", "NCHW"},
	} {
		from, to := viewNamed(b, sizes, c.from).Layout(), viewNamed(b, sizes, c.to).Layout()
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			sum := int64(0)
			for b.Loop() {
				for x, y := range facts.Moves(from, to) {
					sum += x ^ y
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(1<<20), "ns/element")
		})
	}
}
