package analysis_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/layouttest"
)

// allMoves collects the results of Moves.
func allMoves(from, to layout.Layout) (moves [][2]int64) {
	for x, y := range analysis.Moves(from, to) {
		moves = append(moves, [2]int64{x, y})
	}
	return moves
}

// TestConvertOfTheDataLayoutArticle has the storage before and after, as the article prints it.
func TestConvertOfTheDataLayoutArticle(t *testing.T) {
	sizes := []int64{1, 3, 2, 2}
	before := []int64{14, 16, 20, 11, 8, 26, 15, 18, 29, 21, 10, 3}
	after := make([]int64, 12)
	nchw, nhwc := layouttest.Sized(t, sizes, "NCHW").Layout(), layouttest.Sized(t, sizes, "channels_last").Layout()
	for from, to := range analysis.Moves(nchw, nhwc) {
		after[to] = before[from]
	}
	if want := []int64{14, 8, 29, 16, 26, 21, 20, 15, 10, 11, 18, 3}; !slices.Equal(after, want) {
		t.Errorf("%v, want %v", after, want)
	}
}

func TestMovesOfAnyLayouts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := drawSizes(t)
		a, b := drawLayout(t, sizes, "a"), drawLayout(t, sizes, "b")
		var want [][2]int64
		for _, index := range rowMajor(sizes) {
			want = append(want, [2]int64{offsetOf(a, index), offsetOf(b, index)})
		}
		if got := allMoves(a, b); !slices.Equal(got, want) {
			t.Fatalf("%v to %v: %v, want %v", a, b, got, want)
		}
	})
}

// TestMovesThereAndBack moves data to another layout and back. What comes back is the same, because neither layout has
// two elements at one offset.
func TestMovesThereAndBack(t *testing.T) {
	names := []string{"NCHW", "NHWC", "NCHW2c", "NCHW4c2h", "CHWN", "NHWC3w", "column-major"}
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.Int64Range(0, 4), 4, 4).Draw(t, "sizes")
		a := layouttest.Sized(t, sizes, rapid.SampledFrom(names).Draw(t, "a"))
		b := layouttest.Sized(t, sizes, rapid.SampledFrom(names).Draw(t, "b"))
		there, back := make([]int64, b.Storage()), make([]int64, a.Storage())
		for x, y := range analysis.Moves(a.Layout(), b.Layout()) {
			if there[y] != 0 {
				t.Fatalf("two elements at %d", y)
			}
			there[y] = 100 + x
		}
		moved := 0
		for y, x := range analysis.Moves(b.Layout(), a.Layout()) {
			if back[x] = there[y]; back[x] != 100+x {
				t.Fatalf("%d came back at %d", back[x]-100, x)
			}
			moved++
		}
		if want := sizes[0] * sizes[1] * sizes[2] * sizes[3]; int64(moved) != want {
			t.Fatalf("%d elements, want %d", moved, want)
		}
	})
}

func TestMovesCanStop(t *testing.T) {
	l, n := layouttest.Tensor(t, "1073741824x1073741824").Layout(), 0
	for range analysis.Moves(l, l) {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("%d moves", n)
	}
}

// TestMemoryOrderOfEveryStrides tries all orders for all small layouts of up to three axes. An order is right if the
// offsets increase when the axes are walked through in it.
func TestMemoryOrderOfEveryStrides(t *testing.T) {
	found := 0
	for sizes := range shapes(0, 3, 3) {
		for _, strides := range rowMajor(repeated(8, len(sizes))) {
			for i := range strides {
				strides[i]--
			}
			l, err := layout.Strided(20, sizes, strides)
			if err != nil {
				t.Fatal(err)
			}
			want := false
			for _, order := range permutations(len(sizes)) {
				want = want || ascends(sizes, strides, order)
			}
			order, ok := analysis.MemoryOrder(l)
			if ok != want || ok && !ascends(sizes, strides, order) {
				t.Fatalf("%v: order %v, %t, want one: %t", l, order, ok, want)
			}
			if ok {
				found++
			}
		}
	}
	if found < 1000 {
		t.Errorf("only %d layouts have an order", found)
	}
}

// ascends reports whether offsets increase when the axes are walked through in the order, the last one fastest.
func ascends(sizes, strides []int64, order []int) bool {
	walk := make([]int64, len(order))
	for i, axis := range order {
		walk[i] = sizes[axis]
	}
	last, some := int64(-1<<62), false
	for _, index := range rowMajor(walk) {
		offset := int64(0)
		for i, axis := range order {
			offset += index[i] * strides[axis]
		}
		if offset <= last {
			return false
		}
		last, some = offset, true
	}
	return some
}

func TestMemoryOrderByHand(t *testing.T) {
	for _, c := range []struct {
		sizes  []int64
		layout string
		order  []int // nil when there is none
		reason string
	}{
		{sizes: []int64{2, 3, 4, 5}, layout: "NHWC", order: []int{0, 2, 3, 1}, reason: "N, H, W, C"},
		{sizes: []int64{2, 3, 4, 5}, layout: "60,1,15,3", order: []int{0, 2, 3, 1}, reason: "the same as strides"},
		{sizes: []int64{2, 16, 4, 5}, layout: "NCHW8c", reason: "C is in two blocks around H and W"},
		{sizes: []int64{2, 8, 4, 5}, layout: "NCHW8c", order: []int{0, 2, 3, 1},
			reason: "one block of 8 is the whole axis"},
		{sizes: []int64{2, 1, 3}, layout: "3,100,1", order: []int{1, 0, 2},
			reason: "an axis of size 1 is where its stride puts it"},
		{sizes: []int64{1, 1}, layout: "1,1", order: []int{0, 1}, reason: "the same strides keep their order"},
		{sizes: []int64{2, 3}, layout: "3,-1", reason: "reversed"},
		{sizes: []int64{2, 3}, layout: "0,1", reason: "broadcast"},
		{sizes: []int64{2, 3}, layout: "2,1", reason: "row 1 begins inside row 0"},
		{sizes: []int64{2, 0}, layout: "1,1", reason: "no elements, no order"},
		{sizes: []int64{}, layout: "row-major", order: []int{}, reason: "a scalar has no axes to order"},
	} {
		order, ok := analysis.MemoryOrder(layouttest.Sized(t, c.sizes, c.layout).Layout())
		if ok != (c.order != nil) || ok && !slices.Equal(order, c.order) {
			t.Errorf("%v %s: %v, %t, want %v (%s)", c.sizes, c.layout, order, ok, c.order, c.reason)
		}
	}
}

// TestPermutationMakesTheCopy permutes the storage of one layout as an array, and compares it with the other storage.
func TestPermutationMakesTheCopy(t *testing.T) {
	names := []string{"NCHW", "NHWC", "CHWN", "HWCN", "WHCN", "CNWH", "NCHW4c"}
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.Int64Range(1, 4), 4, 4).Draw(t, "sizes")
		a := layouttest.Sized(t, sizes, rapid.SampledFrom(names).Draw(t, "a")).Layout()
		b := layouttest.Sized(t, sizes, rapid.SampledFrom(names).Draw(t, "b")).Layout()
		order, ok := analysis.Permutation(a, b)
		memory, plain := analysis.MemoryOrder(a)
		if !ok {
			if _, too := analysis.MemoryOrder(b); plain && too && analysis.Of(a).Span == a.Elements() &&
				analysis.Of(b).Span == b.Elements() {
				t.Fatalf("%v to %v: both are packed, in some order of their axes", a, b)
			}
			return
		}
		found++
		shape := make([]int64, 4) // of the storage of a as an array
		for i, axis := range memory {
			shape[i] = sizes[axis]
		}
		permuted := make([]int64, 4)
		for i, from := range order {
			permuted[i] = shape[from]
		}
		var storage []int64 // of the copy: the offset in a of each element
		for _, index := range rowMajor(permuted) {
			old := make([]int64, 4)
			for i, from := range order {
				old[from] = index[i]
			}
			storage = append(storage, ((old[0]*shape[1]+old[1])*shape[2]+old[2])*shape[3]+old[3])
		}
		for x, y := range analysis.Moves(a, b) {
			if storage[y] != x {
				t.Fatalf("%v to %v by permute(%v): %d lies at %d", a, b, order, storage[y], y)
			}
		}
	})
	if found == 0 {
		t.Error("no permutation found")
	}
}

func TestPermutationByHand(t *testing.T) {
	for _, c := range []struct {
		sizes    []int64
		from, to string
		order    []int64 // nil when there is none
		reason   string
	}{
		{sizes: []int64{1, 3, 2, 2}, from: "NCHW", to: "NHWC", order: []int64{0, 2, 3, 1}, reason: "permute(0,2,3,1)"},
		{sizes: []int64{1, 3, 2, 2}, from: "NHWC", to: "NCHW", order: []int64{0, 3, 1, 2}, reason: "and its inverse"},
		{sizes: []int64{2, 3}, from: "HW", to: "WH", order: []int64{1, 0}, reason: "a transpose"},
		{sizes: []int64{20, 4, 128}, from: "512,1,4", to: "512,128,1", order: []int64{0, 2, 1},
			reason: "the last two axes change places"},
		{sizes: []int64{2, 3, 4}, from: "CHW", to: "CHW", order: []int64{0, 1, 2}, reason: "nothing moves"},
		{sizes: []int64{2, 3}, from: "4,1", to: "3,1", reason: "padding is not a permutation"},
		{sizes: []int64{1, 16, 2, 2}, from: "NCHW", to: "NCHW8c", reason: "a block is not an axis"},
		{sizes: []int64{2, 3}, from: "0,1", to: "3,1", reason: "broadcast"},
		{sizes: []int64{2, 0}, from: "1,1", to: "1,2", reason: "no elements"},
	} {
		from, to := layouttest.Sized(t, c.sizes, c.from).Layout(), layouttest.Sized(t, c.sizes, c.to).Layout()
		order, ok := analysis.Permutation(from, to)
		if ok != (c.order != nil) || ok && !slices.Equal(order, c.order) {
			t.Errorf("%v %s to %s: %v, %t, want %v (%s)", c.sizes, c.from, c.to, order, ok, c.order, c.reason)
		}
	}
}

// TestConvertCountsPadding has the bytes of a blocked target.
func TestConvertCountsPadding(t *testing.T) {
	for _, c := range []struct {
		layout string
		bytes  int64
		reason string
	}{
		{"NHWC", 2_560_000, "50 channels"},
		{"NHWC8c", 2_867_200, "56 channels"},
	} {
		tensor := layouttest.Tensor(t, "1x50x160x160 "+c.layout+" -t float16")
		if got := tensor.Bytes(tensor.Reserved()); got != c.bytes {
			t.Errorf("%s: %d bytes, want %d (%s)", c.layout, got, c.bytes, c.reason)
		}
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
				for x, y := range analysis.Moves(from, to) {
					sum += x ^ y
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(1<<20), "ns/element")
		})
	}
}
