package analysis_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/layouttest"
)

// firstDifference looks at every element and returns the first index whose offsets differ, and both offsets; the index
// is nil if none differ.
func firstDifference(a, b layout.Layout) (index []int64, x, y int64) {
	for _, index := range rowMajor(a.Sizes()) {
		if x, y := offsetOf(a, index), offsetOf(b, index); x != y {
			return index, x, y
		}
	}
	return nil, 0, 0
}

// offsetOf computes an offset by the definition: digits starting at the innermost.
func offsetOf(l layout.Layout, index []int64) int64 {
	offset := l.Base()
	for i, v := range index {
		a := l.Axis(i)
		for k := a.Digits() - 1; k >= 0; k-- {
			d := a.Digit(k)
			offset += v % d.Extent * d.Stride
			v /= d.Extent
		}
	}
	return offset
}

// checkCompare compares the result of Compare with every element.
func checkCompare(t rapid.TB, a, b layout.Layout) {
	t.Helper()
	d, err := analysis.Compare(a, b)
	if err != nil {
		t.Fatalf("%v, %v: %v", a, b, err)
	}
	index, x, y := firstDifference(a, b)
	switch {
	case (d == nil) != (index == nil):
		t.Fatalf("Compare(%v, %v) = %+v, but the first index that differs is %v: %d, %d", a, b, d, index, x, y)
	case d != nil && (!slices.Equal(d.Index, index) || d.A != x || d.B != y):
		t.Fatalf("Compare(%v, %v) = %+v, want index %v: %d, %d", a, b, d, index, x, y)
	}
}

// drawLayout draws digits and strides for the sizes. Small strides make it likely that digits merge, and that two
// layouts are partly the same.
func drawLayout(t *rapid.T, sizes []int64, label string) layout.Layout {
	axes := make([]layout.Axis, len(sizes))
	for i, n := range sizes {
		axes[i] = drawAxis(t, n, label)
	}
	l, err := layout.New(rapid.Int64Range(0, 2).Draw(t, label+" base"), axes...)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func drawAxis(t *rapid.T, n int64, label string) layout.Axis {
	inner := rapid.SliceOfN(rapid.Int64Range(1, 4), 0, 3).Draw(t, label+" digits")
	stride := rapid.SampledFrom([]int64{1, 1, 1, 2, -1, 0}).Draw(t, label+" unit")
	digits, weight := []layout.Digit{}, int64(1)
	for _, extent := range append(slices.Clone(inner), 0) {
		if rapid.IntRange(0, 5).Draw(t, label+" odd") == 0 {
			stride = rapid.SampledFrom([]int64{10, 10, 10, -3, 0, 1, 5}).Draw(t, label+" stride")
		}
		digits = slices.Insert(digits, 0, layout.Digit{Extent: extent, Stride: stride})
		weight *= max(extent, 1)
		stride *= max(extent, 1) // the next digit continues this one
	}
	digits[0].Extent = (n + weight - 1) / weight
	return layout.NewAxis("", n, digits...)
}

func drawSizes(t *rapid.T) []int64 {
	return rapid.SliceOfN(rapid.SampledFrom([]int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4}), 0, 3).Draw(t, "sizes")
}

func TestCompareAgreesWithEveryElement(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := drawSizes(t)
		a := drawLayout(t, sizes, "a")
		checkCompare(t, a, drawLayout(t, sizes, "b"))
		checkCompare(t, a, a)
	})
}

// TestCompareOfOneAxis is exhaustive: it compares every way to write an axis of up to 9 indices in up to three digits
// with every other. A digit continues the one before it, or does not. Where digits end must not matter.
func TestCompareOfOneAxis(t *testing.T) {
	for n := range int64(10) {
		var layouts []layout.Layout
		for x := int64(1); x <= 4; x++ {
			for y := int64(1); y <= 4; y++ {
				for _, s := range [][2]int64{{x, x * y}, {x, 10}, {10, 10 * y}, {10, 1}, {x, 0}} {
					outer := layout.Digit{Extent: (n + x*y - 1) / (x * y), Stride: s[1]}
					middle, inner := layout.Digit{Extent: y, Stride: s[0]}, layout.Digit{Extent: x, Stride: 1}
					l, err := layout.New(0, layout.NewAxis("", n, outer, middle, inner))
					if err != nil {
						t.Fatal(err)
					}
					layouts = append(layouts, l)
				}
			}
		}
		for _, a := range layouts {
			for _, b := range layouts {
				checkCompare(t, a, b)
			}
		}
	}
}

// TestCompareIsAnEquivalence draws three layouts, which are often the same.
func TestCompareIsAnEquivalence(t *testing.T) {
	same := func(t *rapid.T, a, b layout.Layout) bool {
		d, err := analysis.Compare(a, b)
		if err != nil {
			t.Fatal(err)
		}
		return d == nil
	}
	rapid.Check(t, func(t *rapid.T) {
		sizes := drawSizes(t)
		a, b, c := drawLayout(t, sizes, "a"), drawLayout(t, sizes, "b"), drawLayout(t, sizes, "c")
		switch {
		case !same(t, a, a):
			t.Fatalf("%v differs from itself", a)
		case same(t, a, b) != same(t, b, a):
			t.Fatalf("%v, %v: not symmetric", a, b)
		case same(t, a, b) && same(t, b, c) && !same(t, a, c):
			t.Fatalf("%v, %v, %v: not transitive", a, b, c)
		}
	})
}

// TestCompareIsSymmetric checks the kind of the difference when the layouts are swapped.
func TestCompareIsSymmetric(t *testing.T) {
	swapped := map[analysis.DifferenceKind]analysis.DifferenceKind{
		analysis.OtherOffsets: analysis.OtherOffsets, analysis.OtherBase: analysis.OtherBase,
		analysis.OtherOrder: analysis.OtherOrder,
		analysis.PaddedA:    analysis.PaddedB, analysis.PaddedB: analysis.PaddedA,
	}
	rapid.Check(t, func(t *rapid.T) {
		sizes := drawSizes(t)
		a, b := drawLayout(t, sizes, "a"), drawLayout(t, sizes, "b")
		ab, errA := analysis.Compare(a, b)
		ba, errB := analysis.Compare(b, a)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if ab == nil {
			return
		}
		want, known := swapped[ab.Kind]
		if !slices.Equal(ab.Index, ba.Index) || ab.A != ba.B || ab.B != ba.A || known && ba.Kind != want {
			t.Fatalf("Compare(%v, %v) = %+v, swapped %+v", a, b, ab, ba)
		}
	})
}

func TestCompareByHand(t *testing.T) {
	type list = []int64
	none := analysis.DifferenceKind(255)
	for _, c := range []struct {
		sizes  list
		a, b   string
		kind   analysis.DifferenceKind
		index  list
		x, y   int64
		axes   []int
		reason string
	}{
		// Questions of users of DirectML.
		{sizes: list{2, 3, 4}, a: "12,4,1", b: "row-major", kind: none,
			reason: "packed in the same order, so a reshape is free"},
		{sizes: list{1, 3, 2, 2}, a: "NCHW", b: "NHWC", kind: analysis.OtherOrder, index: list{0, 0, 0, 1}, x: 1, y: 3,
			reason: "the same set of offsets in another order"},
		{sizes: list{1, 2, 3, 4}, a: "2,1,8,2", b: "NHWC", kind: none,
			reason: "N has size 1, whose stride 2 is as good as 24"},
		{sizes: list{1, 3, 32, 32}, a: "3,1,96,3", b: "3072,1,96,3", kind: none, reason: "the same with 3072"},
		{sizes: list{8, 1, 1, 1}, a: "NCHW", b: "NHWC", kind: none, reason: "N111 is both"},
		{sizes: list{8, 5, 1, 1}, a: "NCHW", b: "NHWC", kind: none, reason: "NC11 is both"},
		{sizes: list{7, 1, 100}, a: "100,1,1", b: "100,100,1", kind: none,
			reason: "they differ at a size-1 axis only"},
		{sizes: list{4, 512, 1, 1}, a: "512,1,1,1", b: "512,1,512,512", kind: none,
			reason: "the same with two such axes"},
		{sizes: list{20, 4, 128}, a: "512,1,4", b: "512,128,1", kind: analysis.OtherOrder, index: list{0, 0, 1}, x: 4,
			y: 1, reason: "both packed, in other orders"},
		{sizes: list{1, 48, 160, 160}, a: "NHWC8c", b: "NHWC", kind: none,
			reason: "8 divides 48, the blocks count as one"},
		{sizes: list{1, 50, 160, 160}, a: "NHWC", b: "NHWC8c", kind: analysis.PaddedB, index: list{0, 0, 0, 1}, x: 50,
			y: 56, axes: []int{3}, reason: "50 channels take 56"},

		{sizes: list{2, 8, 3, 3}, a: "NCHW8c", b: "NHWC", kind: none, reason: "one block of 8 is all the channels"},
		{sizes: list{2, 7, 3, 3}, a: "NCHW8c", b: "NHWC", kind: analysis.PaddedA, index: list{0, 0, 0, 1}, x: 8, y: 7,
			axes: []int{3}, reason: "7 channels in a block of 8 leave one over at each pixel"},
		{sizes: list{2, 16, 3, 3}, a: "NCHW8c", b: "NHWC", kind: analysis.OtherOrder, index: list{0, 0, 0, 1}, x: 8,
			y:      16,
			reason: "two blocks of 8 are not 16 channels together"},
		{sizes: list{2, 0, 3}, a: "1,2,3", b: "7,8,9", kind: none, reason: "no element, no difference"},
		{sizes: list{}, a: "row-major", b: "column-major", kind: none, reason: "a scalar has one offset"},
		{sizes: list{2, 3}, a: "3,1", b: "4,1", kind: analysis.PaddedB, index: list{1, 0}, x: 3, y: 4, axes: []int{0},
			reason: "one element after each row"},
		{sizes: list{2, 3}, a: "4,1", b: "3,1", kind: analysis.PaddedA, index: list{1, 0}, x: 4, y: 3, axes: []int{0},
			reason: "the same, swapped"},
		{sizes: list{2, 3}, a: "3,1", b: "6,2", kind: analysis.PaddedB, index: list{0, 1}, x: 1, y: 2, axes: []int{1},
			reason: "gaps inside the rows make them longer, without gaps between them"},
		{sizes: list{2, 3, 4}, a: "12,4,1", b: "20,6,1", kind: analysis.PaddedB, index: list{0, 1, 0}, x: 4, y: 6,
			axes: []int{0, 1}, reason: "2 after each row of 4, and 2 after the third row's 18"},
		{sizes: list{2, 3}, a: "3,1", b: "0,1", kind: analysis.BroadcastB, index: list{1, 0}, x: 3, axes: []int{0},
			reason: "all rows are one"},
		{sizes: list{2, 3}, a: "0,1", b: "3,1", kind: analysis.BroadcastA, index: list{1, 0}, y: 3, axes: []int{0},
			reason: "the same, swapped"},
		{sizes: list{2, 3}, a: "3,1", b: "0,0", kind: analysis.BroadcastB, index: list{0, 1}, x: 1, axes: []int{0, 1},
			reason: "all elements are one"},
		{sizes: list{2, 2}, a: "2,1", b: "1,2", kind: analysis.OtherOrder, index: list{0, 1}, x: 1, y: 2,
			reason: "a transpose"},
		{sizes: list{2, 2}, a: "2,1", b: "1,1", kind: analysis.OtherOffsets, index: list{1, 0}, x: 2, y: 1,
			reason: "overlapping is neither order nor padding"},
		{sizes: list{2, 2}, a: "2,1", b: "1,3", kind: analysis.OtherOffsets, index: list{0, 1}, x: 1, y: 3,
			reason: "another order and padding at once"},
		{sizes: list{2, 3}, a: "6,2", b: "4,1", kind: analysis.OtherOffsets, index: list{0, 1}, x: 2, y: 1,
			reason: "wider gaps after the rows, narrower ones inside them"},
		{sizes: list{3}, a: "1", b: "-1", kind: analysis.OtherOffsets, index: list{1}, x: 1, y: -1,
			reason: "reversed around offset 0: other offsets altogether"},
	} {
		d, err := analysis.Compare(layouttest.Sized(t, c.sizes, c.a).Layout(), layouttest.Sized(t, c.sizes,
			c.b).Layout())
		switch {
		case err != nil:
			t.Errorf("%v %s %s: %v", c.sizes, c.a, c.b, err)
		case d == nil && c.kind != none:
			t.Errorf("%v: %s and %s are the same, want kind %d (%s)", c.sizes, c.a, c.b, c.kind, c.reason)
		case d != nil && (d.Kind != c.kind || d.A != c.x || d.B != c.y ||
			!slices.Equal(d.Index, c.index) || !slices.Equal(d.Axes, c.axes)):
			t.Errorf("%v: %s and %s: %+v, want kind %d at %v: %d and %d, axes %v (%s)", c.sizes, c.a, c.b, *d, c.kind,
				c.index, c.x, c.y, c.axes, c.reason)
		}
	}
}

// TestCompareOfOtherBases: when only the base differs, all elements differ, from index 0.
func TestCompareOfOtherBases(t *testing.T) {
	a := layouttest.Tensor(t, "2x2x3").Layout()
	for _, c := range []struct {
		b      string
		kind   analysis.DifferenceKind
		x, y   int64
		reason string
	}{
		{b: "2x2x3 --storage-offset 6", kind: analysis.OtherBase, y: 6, reason: "one row further"},
		{b: "2x2x3 --storage-offset 12", kind: analysis.OtherBase, y: 12, reason: "two rows further"},
		{b: "2x2x3 --strides -6,3,1 --storage-offset 6", kind: analysis.OtherOrder, y: 6,
			reason: "the same offsets reversed"},
	} {
		d, err := analysis.Compare(a, layouttest.Tensor(t, c.b).Layout())
		if err != nil || d == nil || d.Kind != c.kind || d.A != c.x || d.B != c.y ||
			!slices.Equal(d.Index, []int64{0, 0, 0}) {
			t.Errorf("%s: %+v, %v, want kind %d: %d and %d (%s)", c.b, d, err, c.kind, c.x, c.y, c.reason)
		}
	}
}

func TestCompareRefusesOtherAxes(t *testing.T) {
	_, err := analysis.Compare(layouttest.Tensor(t, "2x3").Layout(), layouttest.Tensor(t, "3x2").Layout())
	if err == nil || !strings.Contains(err.Error(), "2x3") || !strings.Contains(err.Error(), "3x2") {
		t.Errorf("error %v, want one that names 2x3 and 3x2", err)
	}
	sizes := []int64{2, 3}
	hw := layouttest.Sized(t, sizes, "HW").Layout()
	if _, err := analysis.Compare(hw, layouttest.Sized(t, sizes, "NC").Layout()); err == nil {
		t.Error("H and W are not N and C")
	}
	if d, err := analysis.Compare(hw, layouttest.Sized(t, sizes, "ab").Layout()); d != nil || err != nil {
		t.Errorf("%v, %v: a and b are any axes", d, err)
	}
}

// TestCompareLooksAtNoElements would not end if Compare looked at each element.
func TestCompareLooksAtNoElements(t *testing.T) {
	sizes := []int64{1 << 15, 1 << 15, 1 << 15, 1 << 14}
	a, b := layouttest.Sized(t, sizes, "NCHW"), layouttest.Sized(t, sizes, "NCHW16w")
	if d, err := analysis.Compare(a.Layout(), b.Layout()); d != nil || err != nil {
		t.Errorf("%+v, %v: 16 divides the width, so the blocks change nothing", d, err)
	}
	c := layouttest.Sized(t, sizes, "NCHW16h")
	want := []int64{0, 0, 0, 1} // W moves in steps of 16
	d, err := analysis.Compare(a.Layout(), c.Layout())
	if err != nil || d == nil || !slices.Equal(d.Index, want) || d.A != 1 || d.B != 16 {
		t.Errorf("%+v, %v, want %v: 1 and 16", d, err, want)
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
				if _, err := analysis.Compare(x, y); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
