package analysis_test

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/layouttest"
)

// TestInverseOfLargeTensors finds elements of tensors that are too large to walk through.
func TestInverseOfLargeTensors(t *testing.T) {
	tests := []struct {
		line   string
		offset int64
		want   string
		count  int64
		reason string
	}{
		{line: "1000000000x1000000000 -t int8", offset: 999_999_999_999_999_999, want: "999999999,999999999", count: 1,
			reason: "the last of 10^18 elements"},
		{line: "1000000000x1000000000 -t int8 --strides 1,1000000000", offset: 5_000_000_007, want: "7,5", count: 1,
			reason: "column-major"},
		{line: "1000000000x1000000000 -t int8 --strides -1000000000,1", offset: -1, want: "1,999999999", count: 1,
			reason: "flipped rows"},
		{line: "4611686018427387904 -t int8", offset: 4611686018427387903, want: "4611686018427387903", count: 1,
			reason: "2^62 elements in a row"},
		{line: "1000000x1000000 --strides 2000000,2", offset: 7, reason: "odd offsets are padding"},
		{line: "1000000x1000000 --strides 1000003,1", offset: 1_000_001,
			reason: "three elements of padding after a row"},
		{line: "3x1000000000000000000 --strides 0,1 -t int8", offset: 9, want: "0,9", count: 3,
			reason: "the first of three copies"},
		{line: "4611686018427387904 --strides 0", want: "0", count: 1 << 62,
			reason: "2^62 copies of one element, counted and not visited"},
		{line: "3x1000000000000 --strides 5,3", offset: 3_000_000_000_001, want: "2,999999999997", count: 1,
			reason: "2 x 5 + 999999999997 x 3, and no other multiple of 5"},
		{line: "2000000x17x2x2 NCHW16c --broadcast N", offset: 3, want: "0,3,0,0", count: 2_000_000,
			reason: "copies are counted and not visited, blocks or not"},
		{line: "1000000007x2 --strides 2,1000000007", offset: 1_000_000_009, want: "1,1", count: 1,
			reason: "unique, though the strides interleave"},
		{line: "2x1048577x3x5 NCHW16c -t int8", offset: 16_777_230, want: "1,69902,0,1", count: 1,
			reason: "65537 x 240 of the first image, 4368 x 240 of whole blocks, 16 for W, and 14 in the block"},
	}
	for _, tt := range tests {
		l := layouttest.Tensor(t, tt.line).Layout()
		got := analysis.NewInverse(l).At(tt.offset, 1)
		if !got.Exact || got.Count != tt.count {
			t.Errorf("%s: %d elements at %d (exact %v), want %d; %s", tt.line, got.Count, tt.offset, got.Exact,
				tt.count, tt.reason)
		}
		if tt.count > 0 && (len(got.Indices) != 1 || layouttest.Commas(got.Indices[0]) != tt.want) {
			t.Errorf("%s: %v at %d, want %s; %s", tt.line, got.Indices, tt.offset, tt.want, tt.reason)
		}
	}
}

// TestInverseLimits: the count is complete, and the list is at most as long as the limit.
func TestInverseLimits(t *testing.T) {
	l := layouttest.Tensor(t, "3x4 --strides 1,1").Layout() // offset 2 has three elements
	want := [][]int64{{0, 2}, {1, 1}, {2, 0}}
	for limit := range 5 {
		got := analysis.NewInverse(l).At(2, limit)
		if got.Count != 3 || len(got.Indices) != min(limit, 3) || !got.Exact {
			t.Errorf("limit %d: %+v", limit, got)
		}
		for _, index := range got.Indices {
			if !slices.ContainsFunc(want, func(w []int64) bool { return slices.Equal(w, index) }) {
				t.Errorf("limit %d: %v is not at 2", limit, index)
			}
		}
	}
	copies := analysis.NewInverse(layouttest.Tensor(t, "4x3 --broadcast 0").Layout()).At(1, 2)
	if copies.Count != 4 || !slices.EqualFunc(copies.Indices, [][]int64{{0, 1}, {1, 1}}, slices.Equal) {
		t.Errorf("of four copies: %+v, want the first two", copies)
	}
}

// TestInverseStopsAtItsLimit checks that a look-up that would take too long reports that there may be more elements.
func TestInverseStopsAtItsLimit(t *testing.T) {
	l := strided(t, 0, []int64{1 << 31, 1 << 31}, []int64{1, 1})
	got := analysis.NewInverse(l).At(1<<30, 3)
	if got.Exact || got.Count > 1<<30+1 || len(got.Indices) != 3 {
		t.Errorf("%d elements of 2^30 + 1, exact %v, %d listed", got.Count, got.Exact, len(got.Indices))
	}
	for _, index := range got.Indices {
		checkOffset(t, "a window", strided(t, 0, []int64{1 << 31, 1 << 31}, []int64{1, 1}), index, 1<<30)
	}
}

// TestInverseIsReusable: a look-up does not change the results of others.
func TestInverseIsReusable(t *testing.T) {
	inverse := analysis.NewInverse(layouttest.Tensor(t, "5x7 --strides -7,1").Layout())
	first := inverse.At(-3, 1).Indices[0]
	inverse.At(2, 9)
	inverse.At(99, 9)
	if again := inverse.At(-3, 1).Indices[0]; !slices.Equal(first, again) || !slices.Equal(again, []int64{1, 4}) {
		t.Errorf("offset -3: %v, then %v; want 1,4: -7 + 4", first, again)
	}
}

// TestNeighboursOfLargeTensors finds the elements around padding.
func TestNeighboursOfLargeTensors(t *testing.T) {
	tests := []struct {
		line                  string
		offset, before, after int64
		reason                string
	}{
		{line: "1000000x1000000 --strides 2000000,2", offset: 7, before: 6, after: 8, reason: "every other offset"},
		{line: "1000000x1000000 --strides 1000003,1", offset: 1_000_001, before: 999_999, after: 1_000_003,
			reason: "the end of a row and the start of the next"},
		{line: "1000000x1000000 --strides 1000003,1", offset: 1_000_003, before: 999_999, after: 1_000_004,
			reason: "from an element on"},
		{line: "2x2 --pitch 0=1000000000000", offset: 500_000_000_000, before: 1, after: 1_000_000_000_000,
			reason: "far apart"},
		{line: "1000000000x3 --strides 7,3", offset: 15, before: 14, after: 17,
			reason: "interleaved: 7 x 2 before; 15 is 7 + 8, 16 is 7 + 9 or 14 + 2, and 17 is 14 + 3"},
		{line: "2x2 --strides -1000000000000,1", offset: -7, before: -999_999_999_999, reason: "far apart, flipped"},
	}
	for _, tt := range tests {
		inverse := analysis.NewInverse(layouttest.Tensor(t, tt.line).Layout())
		if got, ok := inverse.Before(tt.offset); !ok || got != tt.before {
			t.Errorf("%s: before %d is %d, %v, want %d; %s", tt.line, tt.offset, got, ok, tt.before, tt.reason)
		}
		if got, ok := inverse.After(tt.offset); !ok || got != tt.after {
			t.Errorf("%s: after %d is %d, %v, want %d; %s", tt.line, tt.offset, got, ok, tt.after, tt.reason)
		}
	}
}

func TestOffsetAndBackProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLayout(t, 5, 40)
		if l.Empty() {
			return
		}
		index := anyIndex(t, l)
		offset, err := l.Offset(index)
		if want := bigOffset(l, index); err != nil || want.Cmp(big.NewInt(offset)) != 0 {
			t.Fatalf("%v: %v is at %d, %v; want %v", l, index, offset, err, want)
		}
		if low, high := l.Bounds(); offset < low || offset > high {
			t.Fatalf("%v: %v is at %d, outside %d to %d", l, index, offset, low, high)
		}
		found := analysis.NewInverse(l).At(offset, math.MaxInt)
		if !found.Exact {
			return
		}
		if int64(len(found.Indices)) != found.Count || !slices.IsSortedFunc(found.Indices, slices.Compare) {
			t.Fatalf("%v: %d of %d indices, sorted %v", l, len(found.Indices), found.Count,
				slices.IsSortedFunc(found.Indices, slices.Compare))
		}
		same := false
		for _, other := range found.Indices {
			if got, err := l.Offset(other); err != nil || got != offset {
				t.Fatalf("%v: %v is at %d, %v, not at %d", l, other, got, err, offset)
			}
			same = same || slices.Equal(other, index)
		}
		if !same {
			t.Fatalf("%v: %v is not among those at %d", l, index, offset)
		}
	})
}

// anyIndex draws an index; the layout has elements.
func anyIndex(t *rapid.T, l layout.Layout) []int64 {
	index := make([]int64, l.Rank())
	for i := range index {
		index[i] = rapid.Int64Range(0, l.Axis(i).Size()-1).Draw(t, "index")
	}
	return index
}

// bigOffset is the definition of an offset, in digits and with math/big.
func bigOffset(l layout.Layout, index []int64) *big.Int {
	offset := big.NewInt(l.Base())
	for i, v := range index {
		a := l.Axis(i)
		for k := a.Digits() - 1; k >= 0; k-- {
			d := a.Digit(k)
			offset.Add(offset, new(big.Int).Mul(big.NewInt(v%d.Extent), big.NewInt(d.Stride)))
			v /= d.Extent
		}
	}
	return offset
}

// TestFinder compares with a walk through all elements in row-major order, the first of which
// at an offset is the answer.
func TestFinder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rank := rapid.IntRange(0, 4).Draw(t, "rank")
		sizes, strides := make([]int64, rank), make([]int64, rank)
		for i := range sizes {
			sizes[i] = rapid.Int64Range(0, 4).Draw(t, "size")
			strides[i] = rapid.Int64Range(-6, 9).Draw(t, "stride")
		}
		l, err := layout.Strided(rapid.Int64Range(0, 20).Draw(t, "base"), sizes, strides)
		if err != nil {
			t.Fatal(err)
		}
		checkFinder(t, l)
	})
}

// TestFinderInBlocks has axes that end inside a block.
func TestFinderInBlocks(t *testing.T) {
	for _, c := range []int64{1, 3, 4, 5, 7} {
		axes := []layout.Axis{
			layout.NewAxis("C", c, layout.Digit{Extent: (c + 3) / 4, Stride: 10},
				layout.Digit{Extent: 2, Stride: -2}, layout.Digit{Extent: 2, Stride: 1}),
			layout.NewAxis("W", 3, layout.Digit{Extent: 3, Stride: 4}),
		}
		l, err := layout.New(7, axes...)
		if err != nil {
			t.Fatal(err)
		}
		checkFinder(t, l)
	}
}

func checkFinder(t interface{ Fatalf(string, ...any) }, l layout.Layout) {
	first := map[int64][]int64{}
	for index, offset := range l.All() {
		if first[offset] == nil {
			first[offset] = append([]int64{}, index...)
		}
	}
	low, high := l.Bounds()
	finder := analysis.NewFinder(l)
	for offset := low - 2; offset <= high+2; offset++ {
		got, none := finder.First(offset)
		if want := first[offset]; !slices.Equal(got, want) || (none == analysis.Yes) != (want == nil) {
			t.Fatalf("%v: at %d %v (%v), want %v", l, offset, got, none, want)
		}
	}
}

func ExampleInverse_At() {
	rows, _ := layout.Strided(0, []int64{2, 3}, []int64{5, 1}) // two elements of padding
	inverse := analysis.NewInverse(rows)
	fmt.Println(inverse.At(5, 1).Indices, inverse.At(4, 1).Count)

	window, _ := layout.Strided(0, []int64{4, 3}, []int64{1, 1})
	fmt.Println(analysis.NewInverse(window).At(2, 9).Indices)
	// Output:
	// [[1 0]] 0
	// [[0 2] [1 1] [2 0]]
}

// BenchmarkInverse: under 1 us, and no allocation but the index.
func BenchmarkInverse(b *testing.B) {
	for _, c := range benchLayouts {
		l := layouttest.Tensor(b, c.line).Layout()
		inverse := analysis.NewInverse(l)
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
			analysis.NewInverse(l).At(12345, 1)
		}
	})
}

// BenchmarkSwizzled holds the offset of an index, and the element at an offset, of a swizzled layout against those of
// the layout inside: a swizzle adds at most 2 ns to an offset.
func BenchmarkSwizzled(b *testing.B) {
	affine := layouttest.Tensor(b, "512x512").Layout()
	swizzled, err := affine.Swizzled(layout.Swizzle{Bits: 3, Base: 3, Shift: 3})
	if err != nil {
		b.Fatal(err)
	}
	for _, bb := range []struct {
		name string
		of   layout.Layout
	}{{"Affine", affine}, {"Swizzled", swizzled}} {
		b.Run("Offset/"+bb.name, func(b *testing.B) {
			index := []int64{100, 200}
			for b.Loop() {
				if _, err := bb.of.Offset(index); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("At/"+bb.name, func(b *testing.B) {
			inverse, offset := analysis.NewInverse(bb.of), int64(0)
			for b.Loop() {
				inverse.At(offset, 1)
				offset = (offset + 12345) % (512 * 512)
			}
		})
	}
}

// TestLimit checks that look-ups with a limit report when they did not finish, and never report something wrong.
func TestLimit(t *testing.T) {
	l := layouttest.Tensor(t, "1000x1000 --strides 1,1").Layout()
	for _, limit := range []int64{1, 10, 100, 5000} {
		inverse, finder := analysis.NewInverse(l), analysis.NewFinder(l)
		inverse.Limit(limit)
		finder.Limit(limit)
		for _, offset := range []int64{0, 9, 998, 1998} {
			want := min(offset+1, 1999-offset)
			at := inverse.At(offset, 0)
			if at.Exact && at.Count != want || at.Count > want || limit > 2*want && !at.Exact {
				t.Errorf("limit %d: %d elements at %d, exact %v, want %d", limit, at.Count, offset, at.Exact, want)
			}
			first := []int64{max(0, offset-999), min(offset, 999)}
			index, none := finder.First(offset)
			if index != nil && !slices.Equal(index, first) || index == nil && none != analysis.Unknown {
				t.Errorf("limit %d: %v at %d, none %v, want %v", limit, index, offset, none, first)
			}
		}
	}
}
