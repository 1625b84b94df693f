package access_test

import (
	"maps"
	"testing"

	"layoutcalc/layout/access"
	"layoutcalc/layout/tvlayout"
)

// encodings are ownerships, each with a tensor and an element type.
var encodings = []struct{ text, tensor, dtype string }{
	{"BlockedLayout([1,4],[8,4],[4,1],[1,0])", "(64,64):(64,1)", "f16"},
	{"BlockedLayout([1,4],[8,4],[4,1],[1,0])", "Sw<3,3,3> o 0 o (64,64):(64,1)", "f16"},
	{"BlockedLayout([1,4],[8,4],[4,1],[1,0])", "Sw<3,0,3> o 0 o (64,64):(64,1)", "f16"},
	{"BlockedLayout([1,4],[8,4],[4,1],[1,0])", "(64,64):(1,64)", "f32"},
	{"BlockedLayout([4,4],[2,16],[4,1],[0,1])", "(32,64):(1,32)", "f16"},
	{"BlockedLayout([1,4],[8,4],[4,1],[1,0])", "(8,8):(8,1)", "f32"},
	{"BlockedLayout([2,2],[4,8],[2,2],[1,0])", "(16,32):(36,1)", "u8"},
	{"BlockedLayout([1,8],[2,16],[4,1],[1,0])", "(64,128):(129,1)", "u8"},
	{"#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>",
		"Sw<3,3,3> o 0 o (64,64):(64,1)", "f16"},
	{"#ttg.amd_mfma<{version = 3, warpsPerCTA = [1, 1], instrShape = [32, 32], isTransposed = true}>",
		"(64,64):(64,1)", "f32"},
}

// TestOwned walks over tensors with ownerships: each thread reads the offsets of the elements that it holds, each once,
// and each vector is adjacent and aligned.
func TestOwned(t *testing.T) {
	t.Parallel()
	for _, tt := range encodings {
		w := access.Walk{Tensor: read(t, tt.tensor, tt.dtype), Unit: &access.Units[0]}
		l := w.Tensor.Layout()
		var err error
		if w.Owner, err = tvlayout.Read(tt.text, tvlayout.Options{Tile: l.Sizes()}); err != nil {
			t.Fatal(err)
		}
		walk, err := w.Complete()
		if err != nil {
			t.Fatal(err)
		}
		want, at := map[[2]int64]bool{}, make([]int64, l.Rank())
		for holder, number := range w.Owner.Held([4]int64{-1, -1, -1, -1}) {
			w.Owner.Index(at, number)
			offset, err := l.Offset(at)
			if err != nil {
				t.Fatal(err)
			}
			want[[2]int64{w.Owner.Thread(holder), offset}] = true
		}
		got, n := map[[2]int64]bool{}, int64(0)
		warps := w.Owner.Layout().Axis(tvlayout.Warp).Size()
		reads := int64(len(want)) / walk.Vector / walk.Lanes() / warps // of each thread
		for index := range walk.Starts() {
			first, err := l.Offset(index)
			if err != nil || first%walk.Vector != 0 {
				t.Fatalf("%s of %s: a vector of %d starts at %d: %v", tt.text, tt.tensor, walk.Vector, first, err)
			}
			thread := n%walk.Lanes() + n/walk.Lanes()/reads*walk.Lanes()
			for k := range walk.Vector {
				got[[2]int64{thread, first + k}] = true
			}
			n++
		}
		if !maps.Equal(got, want) || n*walk.Vector != int64(len(want)) {
			t.Errorf("%s of %s: %d reads of %d elements, want %d", tt.text, tt.tensor, n, walk.Vector, len(want))
		}
	}
}

// TestOwnedVectors checks the widest loads of known ownerships.
func TestOwnedVectors(t *testing.T) {
	t.Parallel()
	for i, vector := range []int64{4, 4, 1, 1, 4, 4, 2, 1, 2, 4} {
		tt := encodings[i]
		w := access.Walk{Tensor: read(t, tt.tensor, tt.dtype), Unit: &access.Units[0]}
		w.Owner, _ = tvlayout.Read(tt.text, tvlayout.Options{Tile: w.Tensor.Layout().Sizes()})
		walk, err := w.Complete()
		if err != nil || walk.Vector != vector {
			t.Errorf("%s of %s: %d elements at once, want %d: %v", tt.text, tt.tensor, walk.Vector, vector, err)
		}
	}
}

// TestOwnedWidth has threads that hold more adjacent elements than the 16 bytes of the widest load.
func TestOwnedWidth(t *testing.T) {
	t.Parallel()
	for dtype, want := range map[string]int64{"f16": 8, "f32": 4, "i8": 16, "f64": 2} {
		w := access.Walk{Tensor: read(t, "(32,64):(64,1)", dtype), Unit: &access.Units[0]}
		var err error
		o := tvlayout.Options{Tile: []int64{32, 64}}
		if w.Owner, err = tvlayout.Read("BlockedLayout([1, 64], [32, 1], [1, 1], [1, 0])", o); err != nil {
			t.Fatal(err)
		}
		if walk, err := w.Complete(); err != nil || walk.Vector != want {
			t.Errorf("%s: %+v, %v; want vectors of %d", dtype, walk, err, want)
		}
	}
}
