package tvlayout_test

import (
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/notation"
	"layoutcalc/layout/tvlayout"
)

// tiled is a vector about threads and values that are repeated over a tile.
type tiled struct {
	ID, Text, TV string
	Tile         []int64
	Holds        []struct{ Row, Col, Thread, Value int64 }
}

func TestTiled(t *testing.T) {
	for _, v := range vectors[tiled](t, "tiled.jsonl") {
		var tile []int64
		if v.TV == "" {
			tile = v.Tile // of a TiledMMA it is larger than the atoms
		}
		o := read(t, v.Text, tile...)
		checkInverse(t, o)
		if !slices.Equal(o.Tile().Sizes(), v.Tile) || o.Fastest() != 0 {
			t.Errorf("%s: a tile of %v, fastest %d", v.ID, o.Tile().Sizes(), o.Fastest())
		}
		for _, h := range v.Holds {
			list := holders(t, o, []int64{h.Row, h.Col})
			if len(list) != 1 || o.Thread(list[0]) != h.Thread || list[0][tvlayout.Value] != h.Value {
				t.Errorf("%s (%d,%d): %v, want thread %d, value %d", v.ID, h.Row, h.Col, list, h.Thread, h.Value)
			}
		}
		if v.TV == "" {
			continue
		}
		tv, err := notation.Read(v.TV, notation.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for at, offset := range tv[0].Tensor.Layout().All() {
			number, err := o.Layout().Offset([]int64{0, at[0] / 32, at[0] % 32, at[1]})
			if err != nil || number != offset {
				t.Fatalf("%s: %v is %d in %s, and here %d, %v", v.ID, at, offset, v.TV, number, err)
			}
		}
	}
}

// TestThreadValue reads a copy as CuTe prints it, which is the same as its layout with the tile.
func TestThreadValue(t *testing.T) {
	printed := read(t, "TiledCopy\n  Tiler_MN:       (_128,_8)\n  TiledLayout_TV: (_256,_4):(_4,_1)\nCopy_Atom\n")
	for _, text := range []string{
		"(256,4):(4,1)", "make_tiled_copy_tv(atom, (32,8):(1,32), (4,1):(1,1))",
		"make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_32,_8>>{}, Layout<Shape<_4,_1>>{})",
	} {
		if o := read(t, text, 128, 8); !o.Layout().Equal(printed.Layout()) || !o.Tile().Equal(printed.Tile()) {
			t.Errorf("%s: %v of %v, want %v", text, o.Layout(), o.Tile(), printed.Layout())
		}
	}
	if o := read(t, "((4,8),(2,2)):((32,1),(16,8))"); !o.Assumed() || !slices.Equal(o.Tile().Sizes(), []int64{128}) {
		t.Errorf("without a tile: %v", o.Tile())
	}
	for text, says := range map[string]string{
		"(4,8,2):(1,4,32)":                                             "has these two modes",
		"(48,4):(1,48)":                                                "are not digits",
		"make_tiled_copy((32,8):(1,32))":                               "a layout of threads and one of values",
		"make_tiled_copy((32,8):(2,64), (4,1):(1,1))":                  "do not count from 0 without gaps",
		"TiledMMA\n  ThrLayoutVMNK:  (_32,_2,_2,_1):(_1,_32,_64,_0)\n": "the matrix is missing",
		"TiledMMA\n  ThrLayoutVMNK:  (_32,_2,_2,_1):(_1,_32,_64,_0):C": "the text ends before",
	} {
		o, err := tvlayout.Read(text, tvlayout.Options{Tile: []int64{16, 12}})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, %v; want %q", text, o, err, says)
		}
	}
}

// TestTiledMMA repeats an atom over threads and values, with permutations of the rows and columns, and compares each
// element with CuTe's definition (thrfrg_C of mma_atom.hpp): an index is permuted, cut into atoms, and these go to
// threads first, then to values.
func TestTiledMMA(t *testing.T) {
	const atom = "MMA_Atom\n  ThrID:      _32:_1\n  Shape_MNK:  (_16,_8,_16)\n" +
		"  LayoutA_TV: ((_4,_8),(_2,_2,_2)):((_32,_1),(_16,_8,_128))\n" +
		"  LayoutB_TV: ((_4,_8),(_2,_2)):((_16,_1),(_8,_64))\n  LayoutC_TV: ((_4,_8),(_2,_2)):((_32,_1),(_16,_8))\n"
	same := func(n int64) int64 { return n }
	for _, tt := range []struct {
		threads, permutation string
		atoms                [2]int64 // along M and N
		of                   [2]int64 // the numbers that an atom along M, and along N, adds to the number of the warp
		m, n                 func(int64) int64
		tile                 []int64
	}{
		{"(_32,_2,_2,_1):(_1,_32,_64,_0)", "(_,_,_)", [2]int64{2, 2}, [2]int64{1, 2}, same, same, []int64{32, 16}},
		{"(_32,_2,_2,_1):(_1,_64,_32,_0)", "(_,_,_)", [2]int64{2, 2}, [2]int64{2, 1}, same, same, []int64{32, 16}},
		{"(_32,_4,_1,_1):(_1,_32,_0,_0)", "(_64,_32,_16)", [2]int64{4, 1}, [2]int64{1, 0}, same, same, []int64{64, 32}},
		{"(_32,_2,_2,_1):(_1,_32,_64,_0)", "(_,(_8,_2,_2):(_1,_16,_8),_)", [2]int64{2, 2}, [2]int64{1, 2}, same,
			func(n int64) int64 { return n%8 + n/8%2*16 + n/16*8 }, []int64{32, 32}},
		{"(_32,_2,_1,_1):(_1,_32,_0,_0)", "((_2,_16):(_16,_1),_16,_)", [2]int64{2, 1}, [2]int64{1, 0},
			func(m int64) int64 { return m%2*16 + m/2 }, same, []int64{32, 16}},
	} {
		o := read(t, "TiledMMA\n  ThrLayoutVMNK:  "+tt.threads+"\n  PermutationMNK: "+tt.permutation+"\n"+atom+":C")
		if !slices.Equal(o.Tile().Sizes(), tt.tile) {
			t.Fatalf("%s: a tile of %v, want %v", tt.permutation, o.Tile().Sizes(), tt.tile)
		}
		checkInverse(t, o)
		for m := range tt.tile[0] {
			for n := range tt.tile[1] {
				row, column := m%16, n%8 // within an atom: PTX's fragment
				warp := m/16%tt.atoms[0]*tt.of[0] + n/8%tt.atoms[1]*tt.of[1]
				value := column%2 + row/8*2 +
					4*(m/16/tt.atoms[0]+n/8/tt.atoms[1]*(tt.tile[0]/16/tt.atoms[0]))
				want := [][]int64{{0, warp, row%8*4 + column/2, value}}
				if have := holders(t, o, []int64{tt.m(m), tt.n(n)}); !slices.EqualFunc(have, want, slices.Equal) {
					t.Fatalf("%s (%d,%d): %v, want %v", tt.permutation, m, n, have, want)
				}
			}
		}
	}
	for permutation, says := range map[string]string{
		"(_,_)": "three parts", "(_,(_8,_2):(_1,_16),_)": "without gaps", "(_,_,_,_)": "three parts",
		"(x,_,_)":               "not recognized",
		"(_,(_3,_8):(_8,_1),_)": "cuts",
		"(_0,_,_)":              "no indices",
		"(_24,_,_)":             "do not fill",
	} {
		text := "TiledMMA\n  ThrLayoutVMNK:  (_32,_2,_2,_1):(_1,_32,_64,_0)\n  PermutationMNK: " + permutation
		o, err := tvlayout.Read(text+"\n"+atom+":C", tvlayout.Options{})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, %v; want %q", permutation, o, err, says)
		}
	}
	gaps := "TiledMMA\n  ThrLayoutVMNK:  (_32,_2,_2,_1):(_1,_64,_128,_0)\n" + atom + ":C"
	if o, err := tvlayout.Read(gaps, tvlayout.Options{}); err == nil {
		t.Errorf("threads with gaps: %v", o)
	}
}
