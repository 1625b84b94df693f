package owner_test

import (
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/notation"
	"layoutcalc/layout/owner"
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
			if len(list) != 1 || o.Thread(list[0]) != h.Thread || list[0][owner.Value] != h.Value {
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

// TestThreadValue reads what CuTe prints of a copy, which is the same as its layout with the tile.
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
		"(48,4):(1,48)":                                                "are no digits",
		"make_tiled_copy((32,8):(1,32))":                               "a layout of threads and one of values",
		"make_tiled_copy((32,8):(2,64), (4,1):(1,1))":                  "do not count from 0 without gaps",
		"TiledMMA\n  ThrLayoutVMNK:  (_32,_2,_2,_1):(_1,_32,_64,_0)\n": "the matrix is missing",
		"TiledMMA\n  ThrLayoutVMNK:  (_32,_2,_2,_1):(_1,_32,_64,_0):C": "the text ends before",
	} {
		o, err := owner.Read(text, owner.Options{Tile: []int64{16, 12}})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, %v; want %q", text, o, err, says)
		}
	}
}
