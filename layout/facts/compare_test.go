package facts_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/layouttest"
)

// firstDifference looks at every element and returns the first index whose offset differs, nil
// if there is none, and both offsets.
func firstDifference(a, b layout.Layout) (index []int64, x, y int64) {
	for _, index := range rowMajor(a.Sizes()) {
		if x, y := offsetOf(a, index), offsetOf(b, index); x != y {
			return index, x, y
		}
	}
	return nil, 0, 0
}

// offsetOf is the definition: digits from the innermost on.
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

// checkCompare compares what Compare says with a look at every element.
func checkCompare(t rapid.TB, a, b layout.Layout) {
	t.Helper()
	d, err := facts.Compare(a, b)
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

// drawLayout draws digits and strides for the sizes. Small strides make it likely that
// digits count as one, and that two layouts are the same in part.
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

// TestCompareOfOneAxis is exhaustive: every way to write an axis of up to 9 indices in up to
// three digits against every other. Digits continue the one before them, or start anew. Where
// they end does not matter, only what they add.
func TestCompareOfOneAxis(t *testing.T) {
	for n := range int64(10) {
		var layouts []layout.Layout
		for x := int64(1); x <= 4; x++ {
			for y := int64(1); y <= 4; y++ {
				for _, s := range [][2]int64{{x, x * y}, {x, 10}, {10, 10 * y}, {10, 1}, {x, 0}} {
					outer := layout.Digit{Extent: (n + x*y - 1) / (x * y), Stride: s[1]}
					l, err := layout.New(0, layout.NewAxis("", n, outer, layout.Digit{Extent: y, Stride: s[0]}, layout.Digit{Extent: x, Stride: 1}))
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

// TestCompareIsAnEquivalence draws layouts that are often the same, and looks at three of them.
func TestCompareIsAnEquivalence(t *testing.T) {
	same := func(t *rapid.T, a, b layout.Layout) bool {
		d, err := facts.Compare(a, b)
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

// TestCompareIsSymmetric looks at the kind of difference, which turns round with the layouts.
func TestCompareIsSymmetric(t *testing.T) {
	turned := map[facts.DifferenceKind]facts.DifferenceKind{
		facts.OtherOffsets: facts.OtherOffsets, facts.OtherBase: facts.OtherBase, facts.OtherOrder: facts.OtherOrder,
		facts.PaddedA: facts.PaddedB, facts.PaddedB: facts.PaddedA,
	}
	rapid.Check(t, func(t *rapid.T) {
		sizes := drawSizes(t)
		a, b := drawLayout(t, sizes, "a"), drawLayout(t, sizes, "b")
		ab, errA := facts.Compare(a, b)
		ba, errB := facts.Compare(b, a)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if ab == nil {
			return
		}
		want, known := turned[ab.Kind]
		if !slices.Equal(ab.Index, ba.Index) || ab.A != ba.B || ab.B != ba.A || known && ba.Kind != want {
			t.Fatalf("Compare(%v, %v) = %+v, turned round %+v", a, b, ab, ba)
		}
	})
}

func TestCompareByHand(t *testing.T) {
	type list = []int64
	none := facts.DifferenceKind(255)
	for _, c := range []struct {
		sizes  list
		a, b   string
		kind   facts.DifferenceKind
		index  list
		x, y   int64
		axes   []int
		reason string
	}{
		// Real users' questions: the numbers of rows in reference/directml.md, section D.
		{list{2, 3, 4}, "12,4,1", "row-major", none, nil, 0, 0, nil, "D3: packed in the same order, so a reshape is free"},
		{list{1, 3, 2, 2}, "NCHW", "NHWC", facts.OtherOrder, list{0, 0, 0, 1}, 1, 3, nil, "D14: the same set of offsets in another order"},
		{list{1, 2, 3, 4}, "2,1,8,2", "NHWC", none, nil, 0, 0, nil, "D24: N has size 1, whose stride 2 is as good as 24"},
		{list{1, 3, 32, 32}, "3,1,96,3", "3072,1,96,3", none, nil, 0, 0, nil, "D24: the same with 3072"},
		{list{8, 1, 1, 1}, "NCHW", "NHWC", none, nil, 0, 0, nil, "D25: N111 is both"},
		{list{8, 5, 1, 1}, "NCHW", "NHWC", none, nil, 0, 0, nil, "D25: NC11 is both"},
		{list{7, 1, 100}, "100,1,1", "100,100,1", none, nil, 0, 0, nil, "D26: they differ at a size-1 axis only"},
		{list{4, 512, 1, 1}, "512,1,1,1", "512,1,512,512", none, nil, 0, 0, nil, "D26: the same with two such axes"},
		{list{20, 4, 128}, "512,1,4", "512,128,1", facts.OtherOrder, list{0, 0, 1}, 4, 1, nil, "D27: packed both, in other orders"},
		{list{1, 48, 160, 160}, "NHWC8c", "NHWC", none, nil, 0, 0, nil, "D35: 8 divides 48, the blocks count as one"},
		{list{1, 50, 160, 160}, "NHWC", "NHWC8c", facts.PaddedB, list{0, 0, 0, 1}, 50, 56, []int{3}, "D35: 50 channels take 56"},

		{list{2, 8, 3, 3}, "NCHW8c", "NHWC", none, nil, 0, 0, nil, "one block of 8 is all the channels"},
		{list{2, 7, 3, 3}, "NCHW8c", "NHWC", facts.PaddedA, list{0, 0, 0, 1}, 8, 7, []int{3}, "7 channels in a block of 8 leave one over at each pixel"},
		{list{2, 16, 3, 3}, "NCHW8c", "NHWC", facts.OtherOrder, list{0, 0, 0, 1}, 8, 16, nil, "two blocks of 8 are not 16 channels together"},
		{list{2, 0, 3}, "1,2,3", "7,8,9", none, nil, 0, 0, nil, "no element, no difference"},
		{list{}, "row-major", "column-major", none, nil, 0, 0, nil, "a scalar has one offset"},
		{list{2, 3}, "3,1", "4,1", facts.PaddedB, list{1, 0}, 3, 4, []int{0}, "one element behind each row"},
		{list{2, 3}, "4,1", "3,1", facts.PaddedA, list{1, 0}, 4, 3, []int{0}, "the same turned round"},
		{list{2, 3}, "3,1", "6,2", facts.PaddedB, list{0, 1}, 1, 2, []int{1}, "room along the rows makes longer rows, but no room between them"},
		{list{2, 3, 4}, "12,4,1", "20,6,1", facts.PaddedB, list{0, 1, 0}, 4, 6, []int{0, 1}, "2 behind each row of 4, and 2 behind the third row's 18"},
		{list{2, 3}, "3,1", "0,1", facts.BroadcastB, list{1, 0}, 3, 0, []int{0}, "all rows are one"},
		{list{2, 3}, "0,1", "3,1", facts.BroadcastA, list{1, 0}, 0, 3, []int{0}, "the same turned round"},
		{list{2, 3}, "3,1", "0,0", facts.BroadcastB, list{0, 1}, 1, 0, []int{0, 1}, "all elements are one"},
		{list{2, 2}, "2,1", "1,2", facts.OtherOrder, list{0, 1}, 1, 2, nil, "a transpose"},
		{list{2, 2}, "2,1", "1,1", facts.OtherOffsets, list{1, 0}, 2, 1, nil, "overlapping is neither order nor padding"},
		{list{2, 2}, "2,1", "1,3", facts.OtherOffsets, list{0, 1}, 1, 3, nil, "another order and padding at once"},
		{list{2, 3}, "6,2", "4,1", facts.OtherOffsets, list{0, 1}, 2, 1, nil, "more room behind the rows, less inside them"},
		{list{3}, "1", "-1", facts.OtherOffsets, list{1}, 1, -1, nil, "reversed around offset 0: other offsets altogether"},
	} {
		d, err := facts.Compare(layouttest.Sized(t, c.sizes, c.a).Layout(), layouttest.Sized(t, c.sizes, c.b).Layout())
		switch {
		case err != nil:
			t.Errorf("%v %s %s: %v", c.sizes, c.a, c.b, err)
		case d == nil && c.kind != none:
			t.Errorf("%v: %s and %s are the same, want kind %d (%s)", c.sizes, c.a, c.b, c.kind, c.reason)
		case d != nil && (d.Kind != c.kind || !slices.Equal(d.Index, c.index) || d.A != c.x || d.B != c.y || !slices.Equal(d.Axes, c.axes)):
			t.Errorf("%v: %s and %s: %+v, want kind %d at %v: %d and %d, axes %v (%s)", c.sizes, c.a, c.b, *d, c.kind, c.index, c.x, c.y, c.axes, c.reason)
		}
	}
}

// TestCompareOfOtherBases: when nothing but the base differs, all elements differ, from index 0.
func TestCompareOfOtherBases(t *testing.T) {
	a := layouttest.Tensor(t, "2x2x3").Layout()
	for _, c := range []struct {
		b      string
		kind   facts.DifferenceKind
		x, y   int64
		reason string
	}{
		{"2x2x3 --storage-offset 6", facts.OtherBase, 0, 6, "one row further"},
		{"2x2x3 --storage-offset 12", facts.OtherBase, 0, 12, "two rows further"},
		{"2x2x3 --strides -6,3,1 --storage-offset 6", facts.OtherOrder, 0, 6, "the same offsets reversed"},
	} {
		d, err := facts.Compare(a, layouttest.Tensor(t, c.b).Layout())
		if err != nil || d == nil || d.Kind != c.kind || d.A != c.x || d.B != c.y || !slices.Equal(d.Index, []int64{0, 0, 0}) {
			t.Errorf("%s: %+v, %v, want kind %d: %d and %d (%s)", c.b, d, err, c.kind, c.x, c.y, c.reason)
		}
	}
}

func TestCompareRefusesOtherAxes(t *testing.T) {
	_, err := facts.Compare(layouttest.Tensor(t, "2x3").Layout(), layouttest.Tensor(t, "3x2").Layout())
	if err == nil || !strings.Contains(err.Error(), "2x3") || !strings.Contains(err.Error(), "3x2") {
		t.Errorf("error %v, want one that names 2x3 and 3x2", err)
	}
	sizes := []int64{2, 3}
	if _, err := facts.Compare(layouttest.Sized(t, sizes, "HW").Layout(), layouttest.Sized(t, sizes, "NC").Layout()); err == nil {
		t.Error("H and W are not N and C")
	}
	if d, err := facts.Compare(layouttest.Sized(t, sizes, "HW").Layout(), layouttest.Sized(t, sizes, "ab").Layout()); d != nil || err != nil {
		t.Errorf("%v, %v: a and b are any axes", d, err)
	}
}

// TestCompareLooksAtNoElements would not end if it did.
func TestCompareLooksAtNoElements(t *testing.T) {
	sizes := []int64{1 << 15, 1 << 15, 1 << 15, 1 << 14}
	a, b := layouttest.Sized(t, sizes, "NCHW"), layouttest.Sized(t, sizes, "NCHW16w")
	if d, err := facts.Compare(a.Layout(), b.Layout()); d != nil || err != nil {
		t.Errorf("%+v, %v: 16 divides the width, so the blocks change nothing", d, err)
	}
	c := layouttest.Sized(t, sizes, "NCHW16h")
	want := []int64{0, 0, 0, 1} // W moves in steps of 16
	if d, err := facts.Compare(a.Layout(), c.Layout()); err != nil || d == nil || !slices.Equal(d.Index, want) || d.A != 1 || d.B != 16 {
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
				if _, err := facts.Compare(x, y); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
