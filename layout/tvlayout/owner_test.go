package tvlayout_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/tvlayout"
)

// checkInverse holds the holders of all elements and the elements of all holders against each other: they are the same
// pairs, found from either side, and every element has a holder.
func checkInverse(t *testing.T, o *tvlayout.Ownership) {
	t.Helper()
	held := map[int64][][]int64{}
	for holder, number := range o.Layout().All() {
		held[number] = append(held[number], slices.Clone(holder))
	}
	holders := o.Holders()
	for number := range o.Tile().Elements() {
		list, count := holders.Of(number)
		if !slices.EqualFunc(list, held[number], slices.Equal) || count != int64(len(list)) || count == 0 {
			t.Fatalf("%s %v: element %d: %v, counted %d, want %v", o.Name(), o.Tile().Sizes(), number, list, count,
				held[number])
		}
		index := make([]int64, o.Tile().Rank())
		o.Index(index, number)
		if back, err := o.Tile().Offset(index); err != nil || back != number {
			t.Fatalf("%s: index %v of element %d leads to %d, %v", o.Name(), index, number, back, err)
		}
	}
}

func TestInverse(t *testing.T) {
	type vector struct {
		Text  string
		Shape []int64
	}
	list, step := vectors[vector](t, "bases.jsonl"), layouttest.Step()
	for i := 0; i < len(list); i += step {
		v := list[i]
		if elements, _ := layout.ProductOf(v.Shape); elements > 1<<14 {
			continue
		}
		o, err := tvlayout.Read(v.Text, tvlayout.Options{Tile: v.Shape})
		if err != nil {
			t.Fatal(err)
		}
		checkInverse(t, o)
	}
}

// TestRegister has the bits of fragments as PTX shows them: of 16-bit elements two share a register, of 64 bits each
// takes two.
func TestRegister(t *testing.T) {
	for _, tt := range []struct {
		dtype                      string
		value, register, low, high int64
		ok                         bool
	}{
		{"f16", 3, 1, 16, 31, true},
		{"f16", 2, 1, 0, 15, true},
		{"f32", 3, 3, 0, 31, true},
		{"f64", 3, 6, 0, 31, true},
		{"i8", 3, 0, 24, 31, true},
	} {
		d, err := layout.ParseDType(tt.dtype)
		if err != nil {
			t.Fatal(err)
		}
		o, err := tvlayout.Read("#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], "+
			"instrShape = [16, 8]}>", tvlayout.Options{Tile: []int64{16, 8}, DType: &d})
		if err != nil {
			t.Fatal(err)
		}
		register, low, high, ok := o.Register(tt.value)
		if register != tt.register || low != tt.low || high != tt.high || ok != tt.ok {
			t.Errorf("%s value %d: %d %d-%d %t", tt.dtype, tt.value, register, low, high, ok)
		}
	}
}

// FuzzRead reads any input, with a tile and without. The holders of each element must hold it.
func FuzzRead(f *testing.F) {
	file, err := os.ReadFile("testdata/bases.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(file)) {
		var v struct {
			Text  string
			Shape []int64
		}
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			f.Fatal(err)
		}
		f.Add(v.Text, v.Shape[0], v.Shape[len(v.Shape)-1])
	}
	f.Add("BlockedLayout([1, 2], [4, 8], [2, 1], [1, 0])", int64(8), int64(16))
	f.Fuzz(func(t *testing.T, text string, m, n int64) {
		for _, tile := range [][]int64{nil, {m, n}} {
			o, err := tvlayout.Read(text, tvlayout.Options{Tile: tile})
			if err != nil {
				continue
			}
			number := o.Tile().Elements() - 1
			list, count := o.Holders().Of(number)
			if int64(len(list)) > count {
				t.Errorf("%q %v: %d holders of %d", text, tile, len(list), count)
			}
			for _, holder := range list {
				if back, err := o.Layout().Offset(holder); err != nil || back != number {
					t.Errorf("%q %v: %v holds %d, %v, and not %d", text, tile, holder, back, err, number)
				}
			}
		}
	})
}

// FuzzDump writes ownerships and tensors in shared memory as Triton dumps them. Bases are read back as the same
// ownership.
func FuzzDump(f *testing.F) {
	for _, v := range vectors[struct {
		Text  string
		Shape []int64
	}](f, "bases.jsonl") {
		f.Add(v.Text, v.Shape[0], v.Shape[len(v.Shape)-1])
	}
	f.Add("ldmatrix.x4.trans", int64(0), int64(0))
	f.Add("make_tiled_copy((32,8):(1,32), (4,1):(1,1))", int64(128), int64(8))
	f.Add("#ttg.swizzled_shared<{vec = 2, perPhase = 1, maxPhase = 32, order = [1, 0]}>", int64(8), int64(32))
	f.Fuzz(func(t *testing.T, text string, m, n int64) {
		tile := []int64{m, n}
		if m*n <= 1<<12 {
			_, _ = tvlayout.TritonShared(text, tile, m > n)
		}
		o, err := tvlayout.Read(text, tvlayout.Options{Tile: tile})
		if err != nil || max(o.Layout().Elements(), o.Tile().Elements()) > 1<<12 {
			return
		}
		for _, system := range []string{"triton", "triton-hw"} {
			if _, err := o.As(system); err != nil {
				t.Errorf("%q %v as %s: %v", text, tile, system, err)
			}
		}
		bases, err := o.Linear()
		if err != nil {
			return // a digit is not a power of two
		}
		back, err := tvlayout.Read(bases, tvlayout.Options{Tile: o.Tile().Sizes()})
		if _, unheld, _ := o.Copies(); err == nil && (o.Fastest() == 0 || back.Layout().Equal(o.Layout())) {
			return
		} else if unheld == 0 {
			t.Errorf("%q %v: %s: %v, %v", text, tile, bases, back, err)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	const text = "#ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, " +
		"warpsPerCTA = [4, 1], instrShape = [16, 8]}>, kWidth = 8}>"
	b.ReportAllocs()
	for b.Loop() {
		if _, err := tvlayout.Read(text, tvlayout.Options{Tile: []int64{128, 128}}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkHolders finds who holds an element of a tile of 128x256 over 8 warps, and makes the table of all.
func BenchmarkHolders(b *testing.B) {
	o, err := tvlayout.Read("BlockedLayout([1, 4], [8, 4], [4, 2], [1, 0])", tvlayout.Options{Tile: []int64{128, 256}})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("One", func(b *testing.B) {
		holders, number := o.Holders(), int64(0)
		for b.Loop() {
			holders.Of(number)
			number = (number + 1234) % o.Tile().Elements()
		}
	})
	b.Run("Tile", func(b *testing.B) {
		for b.Loop() {
			o.Table()
		}
	})
}

// TestExchange counts values that move. From an ownership to itself, no values move. From a fragment of mma.m16n8 to
// rows of four, a slow count has 4 values that stay and 124 that come from another lane.
func TestExchange(t *testing.T) {
	type vector struct {
		Text  string
		Shape []int64
	}
	for _, v := range vectors[vector](t, "bases.jsonl") {
		if elements, _ := layout.ProductOf(v.Shape); elements > 1<<13 {
			continue
		}
		o := read(t, v.Text, v.Shape...)
		e, err := o.To(o)
		want := tvlayout.Exchange{Register: o.Layout().Elements()}
		moved := e.Thread + e.Warp + e.Block + e.Cluster + e.Unheld
		if err != nil || e.Register != want.Register || moved > 0 || e.First != nil {
			t.Errorf("%s: %+v, %v", v.Text, e, err)
		}
	}
	rows := read(t, "BlockedLayout([1, 4], [16, 2], [1, 1], [1, 0])", 16, 8)
	e, err := read(t, "mma.m16n8k16.f16:C").To(rows)
	if err != nil || e.Register != 4 || e.Warp != 124 || !slices.Equal(e.First, []int64{0, 2}) {
		t.Errorf("%+v, %v", e, err)
	}
	warps := read(t, "BlockedLayout([1, 4], [16, 2], [1, 2], [1, 0])", 16, 8)
	if e, err := rows.To(warps); err != nil || e.Block != 128 || e.Register != 128 {
		t.Errorf("to another warp: %+v, %v", e, err)
	}
	if _, err := rows.To(read(t, "mma.m16n8k16.f16:A")); err == nil {
		t.Error("tiles of two sizes are compared")
	}
}
