package layout_test

import (
	"fmt"
	"testing"

	"layoutcalc/layout/facts"
)

// benchLayouts are layouts of rank 4 without blocks, of every kind of answer, and one with
// blocks.
var benchLayouts = []struct{ name, line string }{
	{"NHWC", "8x3x224x224 NHWC"},
	{"padded", "8x3x224x224 NHWC --align H=1024"},
	{"broadcast", "8x3x224x224 --broadcast N,C"},
	{"flipped", "8x3x224x224 --strides 150528,1,-672,3 --storage-offset 149856"},
	{"blocked", "8x17x224x224 NCHW16c"},
}

// BenchmarkFacts: under 1 us and without allocation for the layouts without blocks.
func BenchmarkFacts(b *testing.B) {
	for _, c := range benchLayouts {
		l := tensor(b, c.line).Layout()
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				facts.Of(l)
			}
		})
	}
	for _, c := range []struct{ name, sizes, strides string }{
		{"interleaved", "4,4,8,8", "3,4,1000,9000"}, // unique, but not nested
		{"overlapping", "8,3,224,224", "150528,1,600,3"},
	} {
		l := strided(b, 0, numbers(b, c.sizes), numbers(b, c.strides))
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				facts.Of(l)
			}
		})
	}
}

// BenchmarkInverse: under 1 us, and no allocation but the index.
func BenchmarkInverse(b *testing.B) {
	for _, c := range benchLayouts {
		l := tensor(b, c.line).Layout()
		inverse := facts.NewInverse(l)
		low, high := l.Bounds()
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			offset := low
			for b.Loop() {
				inverse.At(offset, 1)
				if offset += 12345; offset > high {
					offset -= high - low
				}
			}
		})
	}
	l := tensor(b, "8x3x224x224 NHWC").Layout()
	b.Run("made anew", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			facts.NewInverse(l).At(12345, 1)
		}
	})
}

func BenchmarkOffset(b *testing.B) {
	for _, c := range benchLayouts {
		l, index := tensor(b, c.line).Layout(), []int64{7, 2, 100, 200}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := l.Offset(index); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkAll is the time of one element of many.
func BenchmarkAll(b *testing.B) {
	for _, c := range benchLayouts {
		l := tensor(b, c.line).Layout()
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			sum := int64(0)
			for b.Loop() {
				for _, offset := range l.All() {
					sum += offset
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(l.Elements()), "ns/element")
		})
	}
}

// BenchmarkOverlapHard: under 0.2 s for each row, but for the last.
func BenchmarkOverlapHard(b *testing.B) {
	for i, c := range hardCases {
		l := c.layout(b)
		b.Run(fmt.Sprint(i, "_", c), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if facts.Of(l).Unique == facts.Unknown {
					b.Fatal("not decided")
				}
			}
		})
	}
}

// BenchmarkHighRank: within seconds, decided or not.
func BenchmarkHighRank(b *testing.B) {
	subsetSums := make([]int64, 40)
	for i := range subsetSums {
		subsetSums[i] = 1<<40 + 1<<i
	}
	for _, c := range []struct {
		name    string
		strides []int64
	}{
		{"20 primes", primes(20, 1_000_003)},
		{"40 primes", primes(40, 100_000_007)},
		{"30 subset sums", subsetSums[:30]},
		{"36 subset sums", subsetSums[:36]},
		{"40 subset sums", subsetSums},
	} {
		l := strided(b, 0, repeated(2, len(c.strides)), c.strides)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				facts.Of(l)
			}
		})
	}
}

// BenchmarkParse reads a shape and a name and derives the tensor.
func BenchmarkParse(b *testing.B) {
	for _, line := range []string{"1x3x224x224 NHWC", "1x17x224x224 NCHW16c", "N=1,C=3,H=224,W=224 NHWC --align H=256B"} {
		b.Run(line, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := describe(line); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
