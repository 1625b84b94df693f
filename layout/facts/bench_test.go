package facts_test

import (
	"fmt"
	"testing"

	"layoutcalc/layout/facts"
	"layoutcalc/layout/layouttest"
)

// TestAllocations: facts and look-ups of plain layouts allocate nothing but what they return.
func TestAllocations(t *testing.T) {
	tests := []struct {
		line             string
		facts            float64
		offset           int64
		inverse, offsets float64
		reason           string
	}{
		{"8x3x224x224 NHWC", 0, 1234567, 2, 0, "an index and the list of it"},
		{"8x3x224x224 --align H=256", 0, 250, 0, 0, "padding: nothing to return"},
		{"8x3x224x224 --strides 150528,1,-672,3", 0, 3, 2, 0, "flipped"},
		{"8x3x224x224 --broadcast N", 4, 3, 2, 0, "the list of broadcast axes, the witness and its two indices"},
	}
	for _, tt := range tests {
		l := layouttest.Tensor(t, tt.line).Layout()
		inverse, index := facts.NewInverse(l), []int64{7, 2, 100, 200}
		for what, c := range map[string]struct {
			want float64
			run  func()
		}{
			"Facts":  {tt.facts, func() { facts.Of(l) }},
			"At":     {tt.inverse, func() { inverse.At(tt.offset, 1) }},
			"Offset": {tt.offsets, func() { _, _ = l.Offset(index) }},
		} {
			if got := testing.AllocsPerRun(100, c.run); got > c.want {
				t.Errorf("%s: %s allocates %v times, want %v; %s", tt.line, what, got, c.want, tt.reason)
			}
		}
	}
}

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
		l := layouttest.Tensor(b, c.line).Layout()
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
		l := layouttest.Tensor(b, c.line).Layout()
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
	l := layouttest.Tensor(b, "8x3x224x224 NHWC").Layout()
	b.Run("made anew", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			facts.NewInverse(l).At(12345, 1)
		}
	})
}

func BenchmarkOffset(b *testing.B) {
	for _, c := range benchLayouts {
		l, index := layouttest.Tensor(b, c.line).Layout(), []int64{7, 2, 100, 200}
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
		l := layouttest.Tensor(b, c.line).Layout()
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

func BenchmarkCompare(b *testing.B) {
	sizes := []int64{8, 64, 224, 224}
	for _, c := range []struct{ name, a, b string }{
		{"same", "NHWC", "3211264,1,14336,64"},
		{"same in blocks", "NHWC", "NCHW64c"},
		{"other order", "NCHW", "NHWC"},
		{"blocked", "NCHW", "NCHW16c"},
		{"padded", "NCHW", "6422528,100352,448,1"},
	} {
		x, y := layouttest.Sized(b, sizes, c.a).Layout(), layouttest.Sized(b, sizes, c.b).Layout()
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
		from, to := layouttest.Sized(b, sizes, c.from).Layout(), layouttest.Sized(b, sizes, c.to).Layout()
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
