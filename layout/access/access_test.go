package access_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"layoutcalc/layout"
	"layoutcalc/layout/access"
	"layoutcalc/layout/notation"
)

// read returns the tensor that a CuTe layout describes.
func read(t testing.TB, text, dtype string) layout.Tensor {
	t.Helper()
	d, _, err := layout.Others.ReadDType(dtype)
	if err != nil {
		t.Fatal(err)
	}
	found, err := notation.Read(text, notation.Options{DType: d, Typed: true})
	if err != nil {
		t.Fatal(err)
	}
	return found[0].Tensor
}

// random returns a tensor of two or three axes, half of them swizzled.
func random(t *testing.T, r *rand.Rand) layout.Tensor {
	t.Helper()
	var axes []layout.Axis
	for range 2 + r.IntN(2) {
		d := layout.Digit{Extent: 1 + r.Int64N(9), Stride: []int64{0, 1, 2, 3, 8, 16, 33, 64}[r.IntN(8)]}
		if size := d.Extent * 4; r.IntN(2) == 0 {
			axes = append(axes, layout.NewAxis("", size, d, layout.Digit{Extent: 4, Stride: 1 << r.IntN(3)}))
			continue
		}
		axes = append(axes, layout.NewAxis("", d.Extent, d))
	}
	l, err := layout.New(8*r.Int64N(3), axes...)
	if err == nil && r.IntN(2) == 0 {
		bits := 1 + r.IntN(3)
		l, err = l.Swizzled(layout.Swizzle{Bits: bits, Base: r.IntN(4), Shift: bits + r.IntN(3)})
	}
	if err != nil {
		t.Fatal(err)
	}
	d, _, _ := layout.Others.ReadDType([]string{"u8", "f16", "f32", "f64", "i4"}[r.IntN(5)])
	tensor, err := layout.NewTensor(l, d)
	if err != nil {
		t.Fatal(err)
	}
	return tensor
}

// slow counts the cost of a walk from the bytes that each lane reads.
func slow(t *testing.T, w *access.Walk) (c access.Cost) {
	l, bits := w.Tensor.Layout(), w.Tensor.DType().Bits()
	lane, perPhase := 0, max(min(32, 128/int(w.Bytes())), 1)
	var used, sectors, lines map[int64]bool
	var words map[int64]map[int64]bool
	phaseEnds := func() {
		ways := 0
		for _, of := range words {
			ways = max(ways, len(of))
		}
		if words != nil {
			c.Phases++
			c.Wavefronts += int64(ways)
			c.Ways = max(c.Ways, int64(ways))
		}
		words = nil
	}
	requestEnds := func() {
		phaseEnds()
		if used != nil {
			c.Requests++
			c.Sectors += int64(len(sectors))
			c.Lines += int64(len(lines))
			c.Used += int64(len(used))
			c.Ideal += (int64(len(used)) + 31) / 32
		}
		used = nil
	}
	for index := range w.Starts() {
		switch inWarp := lane % int(w.Lanes()) % 32; {
		case inWarp == 0:
			requestEnds()
		case inWarp%perPhase == 0:
			phaseEnds()
		}
		lane++
		if index == nil {
			continue
		}
		if used == nil {
			used, sectors, lines = map[int64]bool{}, map[int64]bool{}, map[int64]bool{}
		}
		if words == nil {
			words = map[int64]map[int64]bool{}
		}
		at := slices.Clone(index)
		for k := range w.Vector {
			if k > 0 {
				at[w.Widest.Axis]++
			}
			offset, err := l.Offset(at)
			if err != nil {
				t.Fatal(err)
			}
			for bit := offset * bits; bit < (offset+1)*bits; bit++ {
				word := bit / 32
				if words[word%32] == nil {
					words[word%32] = map[int64]bool{}
				}
				words[word%32][word] = true
				used[bit/8], sectors[bit/256], lines[bit/1024] = true, true, true
			}
		}
	}
	requestEnds()
	return c
}

// TestCount compares random walks with a slow count of the words, sectors and lines of every bit.
func TestCount(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	for done := 0; done < 1000; {
		tensor := random(t, r)
		w := access.Walk{Tensor: tensor, Unit: &access.Units[0], All: r.IntN(2) == 0}
		for _, axis := range r.Perm(tensor.Layout().Rank())[:1+r.IntN(2)] {
			w.Parts = append(w.Parts, access.Part{Axis: axis, Lanes: r.Int64N(10)})
		}
		walk, err := w.Complete()
		if err != nil {
			continue
		}
		done++
		got, want := walk.Count(), slow(t, walk)
		if got.Cost != want || got.Wavefronts < got.Phases {
			t.Fatalf("%s %s %v: %+v, want %+v", tensor.Layout(), tensor.DType(), walk.Parts, got.Cost, want)
		}
		if _, words := got.Spot.Conflict(); int64(words) != got.Worst.Ways {
			t.Fatalf("%s: %d words in the bank, want %d", tensor.Layout(), words, got.Worst.Ways)
		}
	}
}

// TestUnits reads 128 rows of float16 with each instruction. NVIDIA's warps have 32 lanes and AMD's wavefronts 64.
// AMD's instruction names state the number of bits per lane, unless a vector is given.
func TestUnits(t *testing.T) {
	for i, want := range []struct{ requests, vector, phases int64 }{
		{4, 8, 16}, {2, 2, 4}, {2, 4, 8}, {2, 8, 16}, {2, 8, 8},
	} {
		w := access.Walk{Tensor: read(t, "(128,64):(64,1)", "f16"), Unit: &access.Units[i]}
		w.Parts = []access.Part{{Axis: 0, Lanes: 128}}
		walk, err := w.Complete()
		if err != nil {
			t.Fatal(err)
		}
		if c := walk.Count(); c.Requests != want.requests || walk.Vector != want.vector || c.Phases != want.phases {
			t.Errorf("%s: %d requests of vectors of %d in %d phases, want %v", w.Unit.Name, c.Requests, walk.Vector,
				c.Phases, want)
		}
	}
}

// TestWidestOfMany has a swizzle of single elements in a tensor that is too large to look at each vector.
func TestWidestOfMany(t *testing.T) {
	for text, want := range map[string]int64{
		"Sw<3,0,3> o 0 o (8388608,8):(8,1)": 1, "Sw<3,2,3> o 0 o (1048576,64):(64,1)": 4, "(8388608,8):(8,1)": 8,
	} {
		if w := access.Widest(read(t, text, "f16")); w.Elements != want {
			t.Errorf("%s: %d elements at once, %s; want %d", text, w.Elements, w.Limit, want)
		}
	}
}

// TestWidestIsAligned compares the widest vectors of random tensors with all vectors of each width.
func TestWidestIsAligned(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(9, 10))
	for range 1000 {
		tensor := random(t, r)
		got, l := access.Widest(tensor), tensor.Layout()
		fits := func(v int64, axis int) bool {
			if l.Axis(axis).Size()%v != 0 {
				return false
			}
			for index, offset := range l.All() {
				at := slices.Clone(index)
				at[axis] -= at[axis] % v
				if first, _ := l.Offset(at); first%v != 0 || offset != first+index[axis]%v {
					return false
				}
			}
			return true
		}
		most := 128 / tensor.DType().Bits()
		if got.Axis < 0 {
			for axis := range l.Rank() {
				if most > 1 && fits(2, axis) {
					t.Fatalf("%s: %+v, but 2 elements are adjacent along %d", l, got, axis)
				}
			}
			continue
		}
		if !fits(got.Elements, got.Axis) || got.Elements < most && fits(2*got.Elements, got.Axis) {
			t.Fatalf("%s of %s: %+v", l, tensor.DType(), got)
		}
	}
}

// TestAlternatives walks over the layouts that are proposed: they have the wavefronts that they are proposed for.
func TestAlternatives(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text, dtype   string
		lanes, vector int64
		swizzle       layout.Swizzle
		pad           int64
		reason        string
	}{
		{"(8,64):(64,1)", "f16", 8, 8, layout.Swizzle{Bits: 3, Base: 3, Shift: 3}, 8, "CUTLASS's SW128 atom"},
		{"(8,32):(32,1)", "f16", 8, 8, layout.Swizzle{Bits: 2, Base: 3, Shift: 3}, 8, "its SW64 atom"},
		{"(8,16):(16,1)", "f16", 8, 8, layout.Swizzle{Bits: 1, Base: 3, Shift: 3}, 8, "its SW32 atom"},
		{"(32,32):(32,1)", "f32", 32, 1, layout.Swizzle{Bits: 5, Shift: 5}, 1, "a transposition: 33 columns"},
		{"(32,32):(33,1)", "f32", 32, 1, layout.Swizzle{}, 0, "padded already"},
		{"(16,64):(64,1)", "f32", 16, 4, layout.Swizzle{Bits: 3, Base: 2, Shift: 4}, 4, "rows of 256 bytes"},
	} {
		w := access.Walk{Tensor: read(t, tt.text, tt.dtype), Unit: &access.Units[0], All: true, Vector: tt.vector}
		w.Parts = []access.Part{{Axis: 0, Lanes: tt.lanes}}
		walk, err := w.Complete()
		if err != nil {
			t.Fatal(err)
		}
		swizzles, ideal, err := access.Swizzles([]*access.Walk{walk})
		pads, _, err2 := access.Pads([]*access.Walk{walk})
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		if got := swizzles[0].Swizzle; got != tt.swizzle || pads[0].Pad != tt.pad {
			t.Errorf("%s: %s and %d, want %s and %d: %s", tt.text, got, pads[0].Pad, tt.swizzle, tt.pad, tt.reason)
		}
		for _, c := range append(swizzles, pads...) {
			if w.Tensor, err = layout.NewTensor(c.Layout, w.Tensor.DType()); err != nil {
				t.Fatal(err)
			}
			again, err := w.Complete()
			if err != nil {
				t.Fatal(err)
			}
			if n := again.Count().Wavefronts; n != c.Wavefronts || n != ideal {
				t.Errorf("%s with %s: %d wavefronts, found %d, ideal %d", tt.text, c.Layout, n, c.Wavefronts, ideal)
			}
		}
	}
}

// TestMostLanes tries swizzles for requests of as many lanes as the limit, 131,072, and of more. Of requests that cost
// the same the first is the worst.
func TestMostLanes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		ok   bool
	}{{"(4096,32):(32,1)", true}, {"(4096,33):(32,1)", false}} {
		w := access.Walk{Tensor: read(t, tt.text, "f32"), Unit: &access.Units[0], All: true, Vector: 1}
		w.Parts = []access.Part{{Axis: 0, Lanes: 32}}
		walk, err := w.Complete()
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := access.Swizzles([]*access.Walk{walk}); (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.text, err)
		}
		if spot := walk.Count().Spot; !slices.Equal(spot.Index, []int64{0, 0}) {
			t.Errorf("%s: the worst is at %v", tt.text, spot.Index)
		}
	}
}

// TestNoAlternative has requests that no swizzle makes ideal: 64 words of which 2 are in each bank are not conflicts of
// rows.
func TestNoAlternative(t *testing.T) {
	t.Parallel()
	w := access.Walk{Tensor: read(t, "(4,8):(3,96)", "f32"), Unit: &access.Units[0], Vector: 1}
	w.Parts = []access.Part{{Axis: 0, Lanes: 4}, {Axis: 1, Lanes: 8}}
	walk, err := w.Complete()
	if err != nil {
		t.Fatal(err)
	}
	before := walk.Count().Wavefronts
	alternatives, ideal, err := access.Swizzles([]*access.Walk{walk})
	if err != nil || len(alternatives) == 0 || alternatives[0].Wavefronts > before || ideal != 1 {
		t.Errorf("%+v of %d, %d, %v", alternatives, before, ideal, err)
	}
	// Ten words of each of three rows: one bit moves the second row from banks 0 to 9 to 16 to 25, and the first and
	// the third still meet.
	w = access.Walk{Tensor: read(t, "(3,32):(32,1)", "f32"), Unit: &access.Units[0], Vector: 1}
	w.Parts = []access.Part{{Axis: 0, Lanes: 3}, {Axis: 1, Lanes: 10}}
	if walk, err = w.Complete(); err != nil {
		t.Fatal(err)
	}
	want := layout.Swizzle{Bits: 1, Base: 4, Shift: 1}
	alternatives, _, err = access.Swizzles([]*access.Walk{walk})
	if err != nil || len(alternatives) != 1 || alternatives[0].Swizzle != want || alternatives[0].Wavefronts != 2 {
		t.Errorf("%+v, %v; want %s with 2 wavefronts", alternatives, err, want)
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text, dtype string
		walk        access.Walk
		says        string
	}{
		{"(8,64):(64,1)", "f16",
			access.Walk{Parts: []access.Part{{0, 9}}}, "9 lanes along 0 need more than the 8 there"},
		{"(8,64):(64,1)", "f16", access.Walk{Parts: []access.Part{{0, 8}}}, ""},
		{"(8,64):(64,1)", "f16", access.Walk{Parts: []access.Part{{0, 2}, {0, 2}}}, "axis 0 has lanes twice"},
		{"(8,64):(64,1)", "f16", access.Walk{Parts: []access.Part{{1, 16}}, Vector: 8},
			"16 lanes along 1, each with 8 elements need more than the 64 there"},
		{"(8,12):(12,1)", "f16",
			access.Walk{Parts: []access.Part{{0, 8}}, Vector: 8},
			"cannot read 8 elements at once 4 elements at most: stride 12 of axis 0"},
		{"(8,12):(12,1)", "f16", access.Walk{Parts: []access.Part{{0, 1}}, Vector: 8}, "stride 12"},
		{"(8,12):(12,1)", "f16", access.Walk{Parts: []access.Part{{0, 8}}, Vector: 4}, ""},
		{"(8,12):(12,2)", "f16", access.Walk{Parts: []access.Part{{0, 8}}, Vector: 2}, "no axis has stride 1"},
		{"Sw<3,0,3> o 0 o (8,8):(8,1)", "f16",
			access.Walk{Parts: []access.Part{{0, 8}}, Vector: 2}, "1 element at most: Sw<3,0,3>"},
		{"(8,(4,4)):(8,(1,64))", "f16", access.Walk{Parts: []access.Part{{0, 1}}, Vector: 8},
			"4 elements at most: block 4 of axis 1"},
		{"(8,12):(16,1)", "f16", access.Walk{Parts: []access.Part{{0, 1}}, Vector: 8},
			"4 elements at most: size 12 of axis 1"},
		{"(8,64):(64,1)", "f16",
			access.Walk{Parts: []access.Part{{0, 8}}, Vector: 8, Start: []int64{0, 4}},
			"start at multiples of 8, not at 4"},
		{"(8,64):(64,1)", "f16", access.Walk{Parts: []access.Part{{0, 8}}, Vector: 8, Start: []int64{0, 8}}, ""},
		{"(8,64):(64,1)", "f32",
			access.Walk{Parts: []access.Part{{0, 8}}, Vector: 8}, "8 elements have more than 16 bytes"},
		{"(1048576,2):(2,1)", "f32", access.Walk{Parts: []access.Part{{0, 0}, {1, 2}}, Vector: 1}, "1048576 lanes"},
		{"(1048576,4398046511104):(0,0)", "f32",
			access.Walk{Parts: []access.Part{{0, 0}, {1, 0}}, Vector: 1}, "limit of 1048576 lanes"},
		{"(8,2):(1,4503599627370496)", "f32", access.Walk{Parts: []access.Part{{0, 8}}},
			"offsets beyond 4503599627370496"},
		{"(8,2):(1,4503599627370489)", "f32", access.Walk{Parts: []access.Part{{0, 8}}, Vector: 1}, ""},
		{"(65536,1024):(1024,1)", "f32",
			access.Walk{Parts: []access.Part{{0, 8}}, Vector: 1, All: true}, "limit of 16777216"},
		{"(65536,1024):(1024,1)", "f32", access.Walk{Parts: []access.Part{{0, 8}}, Vector: 4, All: true}, ""},
		{"(64,64):(64,1)", "i8", access.Walk{Parts: []access.Part{{0, 64}}, Vector: 1, Unit: &access.Units[1]},
			"ds_read_b32 reads 4 bytes a lane, and a vector of 1 element has 1"},
		{"(64,64):(64,1)", "i8", access.Walk{Parts: []access.Part{{0, 64}}, Vector: 4, Unit: &access.Units[1]}, ""},
	} {
		if tt.walk.Tensor = read(t, tt.text, tt.dtype); tt.walk.Unit == nil {
			tt.walk.Unit = &access.Units[0]
		}
		_, err := tt.walk.Complete()
		if got := ""; err != nil {
			got = err.Error()
			if s, ok := err.(*layout.SyntaxError); ok {
				got += " " + s.Hint
			}
			if tt.says == "" || !strings.Contains(got, tt.says) {
				t.Errorf("%s %v: %q, want %q", tt.text, tt.walk.Parts, got, tt.says)
			}
		} else if tt.says != "" {
			t.Errorf("%s %v is not refused: %s", tt.text, tt.walk.Parts, tt.says)
		}
	}
}

// TestAlternativesAreCounted compares the wavefronts of proposed swizzles, for all requests of a tile, with a count of
// the requests with the swizzle, also with gaps, a base and vectors that start anywhere. No other swizzle has fewer.
func TestAlternativesAreCounted(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rows, row := rapid.Int64Range(1, 64).Draw(t, "rows"), rapid.Int64Range(1, 96).Draw(t, "row")
		dtype, err := layout.ParseDType(rapid.SampledFrom([]string{"int8", "float16", "float32"}).Draw(t, "type"))
		if err != nil {
			t.Fatal(err)
		}
		l, err := layout.Strided(rapid.Int64Range(0, 40).Draw(t, "base"), []int64{rows, 32}, []int64{row, 1})
		if err != nil {
			t.Fatal(err)
		}
		count := func(l layout.Layout) (*access.Walk, int64) {
			w := access.Walk{Unit: &access.Units[0], All: true, Vector: 1}
			w.Parts = []access.Part{{Axis: 0, Lanes: min(rows, 32)}}
			if w.Tensor, err = layout.NewTensor(l, dtype); err != nil {
				t.Fatal(err)
			}
			walk, err := w.Complete()
			if err != nil {
				t.Fatal(err)
			}
			return walk, walk.Count().Wavefronts
		}
		walk, plain := count(l)
		alternatives, ideal, err := access.Swizzles([]*access.Walk{walk})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range alternatives {
			if _, n := count(c.Layout); n != c.Wavefronts || n < ideal || n > plain {
				t.Fatalf("%s: %d wavefronts, found %d of %d, ideal %d", c.Layout, n, c.Wavefronts, plain, ideal)
			}
		}
		bits := rapid.IntRange(1, 5).Draw(t, "bits")
		low, up := rapid.IntRange(0, 8).Draw(t, "low"), rapid.IntRange(bits, 8).Draw(t, "up")
		other := layout.Swizzle{Bits: bits, Base: low, Shift: up}
		if swizzled, err := l.Swizzled(other); err == nil {
			if _, n := count(swizzled); n < alternatives[0].Wavefronts {
				t.Fatalf("%s takes %d wavefronts, and the best %d", other, n, alternatives[0].Wavefronts)
			}
		}
	})
}

// BenchmarkSwizzles tries the swizzles for all rows and columns of a tile of 128x64.
func BenchmarkSwizzles(b *testing.B) {
	for _, bb := range []struct {
		name   string
		text   string
		vector int64
	}{{"Vectors", "(128,64):(64,1)", 8}, {"Elements", "(128,64):(64,1)", 1}, {"None", "(128,64):(67,3)", 1}} {
		b.Run(bb.name, func(b *testing.B) {
			w := access.Walk{Tensor: read(b, bb.text, "f16"), Unit: &access.Units[0], All: true, Vector: bb.vector}
			w.Parts = []access.Part{{Axis: 0, Lanes: 32}}
			columns, err := w.Complete()
			if err != nil {
				b.Fatal(err)
			}
			w.Parts = []access.Part{{Axis: 1, Lanes: 8}}
			rows, err := w.Complete()
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, _, err := access.Swizzles([]*access.Walk{columns, rows}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
