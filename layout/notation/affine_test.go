package notation

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/layouttest"
)

func TestAffineStrided(t *testing.T) {
	for _, tt := range []memrefVector{
		{text: "memref<2x3xf32, affine_map<(d0,d1)->(d0*4+d1+7)>>", sizes: []int64{2, 3}, strides: []int64{4, 1},
			offset: 7, at: []at{{[]int64{1, 2}, 13}}, reason: "by mlir-opt"},
		{text: "memref<2x3xf32, affine_map<(i, j) -> (7 + j - -4 * i)>>", sizes: []int64{2, 3}, strides: []int64{4, 1},
			offset: 7, at: []at{{[]int64{1, 2}, 13}}, reason: "5.1: the same, in other words"},
		{text: "memref<2x3xf32, affine_map<(d0, d1) -> (2 * (d0 * 2 + d1) - d1 + 0x7)>>", sizes: []int64{2, 3},
			strides: []int64{4, 1}, offset: 7, at: []at{{[]int64{1, 2}, 13}}, reason: "5.1: the same, with brackets"},
		{text: "memref<2x3xf32, affine_map<(d0, d1) -> (d1, d0)>>", sizes: []int64{2, 3}, strides: []int64{1, 2},
			at: []at{{[]int64{1, 2}, 5}}, reason: "5.3: memref<3x2xf32> by --normalize-memrefs"},
		{text: "memref<2x3xf32, affine_map<(d0, d1) -> (d0, d1)>>", sizes: []int64{2, 3}, strides: []int64{3, 1},
			at: []at{{[]int64{1, 2}, 5}}, reason: "5.2: the identity"},
		{text: "memref<f32, affine_map<() -> (7)>>", sizes: []int64{}, strides: []int64{}, offset: 7,
			at: []at{{[]int64{}, 7}}, reason: "5.1: no inputs"},
		{text: "memref<8x16xf32, affine_map<(d0, d1) -> (d0 * 32 + d1 * 2 + 3)>, 1>", sizes: []int64{8, 16},
			strides: []int64{32, 2}, offset: 3, at: []at{{[]int64{1, 2}, 39}}, reason: "5.4, as a map"},
		{text: "memref<2x3xf32, affine_map<(d0, d1) -> (d0 * -3 + d1 + 3)>>", sizes: []int64{2, 3},
			strides: []int64{-3, 1}, offset: 3, at: []at{{[]int64{1, 2}, 2}},
			reason: "5.4: a negative stride, as a map"},
		{text: "memref<5xf32, affine_map<(d0) -> (d0 mod 7)>>", sizes: []int64{5}, strides: []int64{1},
			at: []at{{[]int64{4}, 4}}, reason: "a mod that changes nothing"},
	} {
		tt.check(t, "affine-map")
	}
}

func TestAffineTiled(t *testing.T) {
	for _, tt := range []typeVector{
		{text: "memref<16x32xf32, affine_map<(d0, d1) -> (d0 floordiv 4, d1 floordiv 8, d0 mod 4, d1 mod 8)>>",
			sizes: []int64{16, 32}, elements: 512, bytes: 2048, at: []at{{[]int64{5, 18}, 202}}, reason: "5.4"},
		{text: "memref<15x30xf32, affine_map<(d0, d1) -> (d0 floordiv 4, d1 floordiv 8, d0 mod 4, d1 mod 8)>>",
			sizes: []int64{15, 30}, elements: 512, bytes: 2048, at: []at{{[]int64{5, 18}, 202}},
			reason: "5.3: memref<4x4x4x8xf32> too"},
		{text: "memref<2x3xf32, affine_map<(d0,d1)->(d0*4+d1+7)>>", sizes: []int64{2, 3}, elements: 14, bytes: 56,
			reason: "5.3: memref<14xf32>"},
		{text: "memref<64xf32, affine_map<(d0) -> (d0 floordiv 32, (d0 floordiv 4) mod 8, d0 mod 4)>>",
			sizes: []int64{64}, elements: 64, bytes: 256, at: []at{{[]int64{37}, 37}},
			reason: "three digits in their order"},
		{text: "memref<64xf32, affine_map<(d0) -> (d0 mod 4, d0 floordiv 4 mod 8, d0 floordiv 32)>>",
			sizes: []int64{64}, elements: 64, bytes: 256, at: []at{{[]int64{37}, 19}},
			reason: "and reversed: 37 = 1*32 + 1*4 + 1 lies at (1*8 + 1)*2 + 1"},
		{text: "memref<3x5xf32, affine_map<(d0, d1) -> (d0 floordiv 8, d1 floordiv 8, d0 mod 8, d1 mod 8)>>",
			sizes: []int64{3, 5}, elements: 64, bytes: 256, at: []at{{[]int64{2, 4}, 20}},
			reason: "5.3: partial tiles are padded"},
		{text: "memref<12xf32, affine_map<(d0) -> ((d0 floordiv 4) * 10 + (d0 mod 4) * 2 + 1)>>", sizes: []int64{12},
			elements: 28, bytes: -1, at: []at{{[]int64{11}, 27}}, reason: "2*10 + 3*2 + 1, with strides in the tiles"},
		{text: "memref<0x3xf32, affine_map<(d0, d1) -> (d0 floordiv 4, d1, d0 mod 4)>>", sizes: []int64{0, 3},
			reason: "no elements"},
		{text: "memref<16xf32, affine_map<(d0) -> ((d0 * 4) floordiv 16, (d0 * 4) mod 16)>>", sizes: []int64{16},
			elements: 52, bytes: -1, at: []at{{[]int64{7}, 25}},
			reason: "4*d0 floordiv 16 is d0 floordiv 4, 4*d0 mod 16 is 4 * (d0 mod 4), up to 12"},
	} {
		tt.check(t, "affine-map")
	}
}

func TestAffineRefuses(t *testing.T) {
	for _, tt := range []typeRefusal{
		{text: "memref<2xf32, affine_map<(d0)[s0] -> (d0 + s0)>>", offset: 43, words: "symbol s0",
			reason: "its value is not known"},
		{text: "memref<2x3xf32, affine_map<(d0, d1) -> (d0 * d1)>>", offset: 43, words: "not affine", reason: "5.3"},
		{text: "memref<2xf32, affine_map<(d0, d1) -> (d0)>>", offset: 25, words: "2 inputs",
			reason: "5.3: as many as the rank"},
		{text: "memref<12xf32, affine_map<(d0) -> (d0 floordiv 4, d0 mod 6)>>", offset: 26, words: "axis 0 at 1, 4, 6",
			reason: "neither divides the other"},
		{text: "memref<12xf32, affine_map<(d0) -> (d0 mod 0)>>", offset: 42, words: "positive",
			reason: "nothing is divided by 0"},
		{text: "memref<12xf32, affine_map<(d0) -> (d0 floordiv -2)>>", offset: 47, words: "positive",
			reason: "nor by less"},
		{text: "memref<12xf32, affine_map<(d0) -> (d0 ceildiv 4)>>", offset: 38, words: "ceildiv", reason: "no digit"},
		{text: "memref<12x3xf32, affine_map<(d0, d1) -> ((d0 + d1) floordiv 4)>>", offset: 51, words: "sum",
			reason: "no digit of one input"},
		{text: "memref<12xf32, affine_map<(d0) -> ((d0 mod 6) floordiv 4)>>", offset: 46, words: "not a digit",
			reason: "4 does not divide 6"},
		{text: "memref<12xf32, affine_map<(d0) -> (d1)>>", offset: 35, words: "d1", reason: "no input"},
		{text: "memref<12xf32, affine_map<(d0, d0) -> (d0)>>", offset: 31, words: "two inputs", reason: "names differ"},
		{text: "memref<12xf32, affine_map<(d0) -> (d0 - 1)>>", offset: 7, words: "-1", reason: "offsets below 0"},
		{text: "memref<12xf32, affine_map<(d0) -> (d0, 1 - d0)>>", offset: 7, words: "result 1",
			reason: "an index below 0"},
		{text: "memref<12xf32, affine_map<(d0) -> (d0 +)>>", offset: 39, words: "operand",
			reason: "nothing after the +"},
		{text: "affine_map<(d0, d1) -> (d0, d1)>", words: "no sizes", reason: "a map alone"},
	} {
		tt.check(t, "affine-map")
	}
}

func TestAffineWrites(t *testing.T) {
	rewrites(t, "affine-map", stridedTensor(t, 7, []int64{2, 3}, []int64{4, 1}),
		"memref<2x3xf32, affine_map<(d0, d1) -> (d0 * 4 + d1 + 7)>>")
	rewrites(t, "affine-map", stridedTensor(t, 3, []int64{2, 3}, []int64{-3, 1}),
		"memref<2x3xf32, affine_map<(d0, d1) -> (d0 * -3 + d1 + 3)>>")
	rewrites(t, "affine-map", stridedTensor(t, 0, []int64{2, 3}, []int64{0, 0}),
		"memref<2x3xf32, affine_map<(d0, d1) -> (0)>>")
	rewrites(t, "affine-map", stridedTensor(t, 7, nil, nil), "memref<f32, affine_map<() -> (7)>>")
	rewrites(t, "affine-map", givenTensor(t, "2x20x3x4", "NCHW16c", 0),
		"memref<2x20x3x4xf32, affine_map<(d0, d1, d2, d3) -> (d0, d1 floordiv 16, d2, d3, d1 mod 16)>>")
	rewrites(t, "affine-map", givenTensor(t, "32x32x3x3", "OIHW4i16o4i", 0),
		"memref<32x32x3x3xf32, affine_map<(d0, d1, d2, d3) -> (d0 floordiv 16, d1 floordiv 16, d2, d3, d1 floordiv 4 "+
			"mod 4, d0 mod 16, d1 mod 4)>>")
	l, err := layout.New(1, layout.NewAxis("", 12, layout.Digit{Extent: 3, Stride: 10},
		layout.Digit{Extent: 4, Stride: 2}))
	if err != nil {
		t.Fatal(err)
	}
	rewrites(t, "affine-map", tensorOf(t, l),
		"memref<12xf32, affine_map<(d0) -> ((d0 floordiv 4) * 10 + (d0 mod 4) * 2 + 1)>>")
	loses(t, "affine-map", stridedTensor(t, -1, []int64{2}, []int64{1}), "-1")
	loses(t, "affine-map", stridedTensor(t, 0, []int64{2}, []int64{-1}), "-1")
}

// TestAffineSymbols: symbols have the values of the options.
func TestAffineSymbols(t *testing.T) {
	n := notationOf(t, "affine-map")
	values := map[string]int64{"s0": 8, "s1": 5}
	for _, tt := range []struct{ text, want string }{
		{"memref<2x3xf32, affine_map<(d0, d1)[s0, s1] -> (d0 * s0 + d1 + s1)>>", "float32 2,3 @ 8,1 + 5"},
		{"memref<2x3xf32, affine_map<(d0, d1)[s0, s1] -> (s0 * d0 + s1 * d1)>>", "float32 2,3 @ 8,5"},
		{"memref<16x5xf32, affine_map<(d0, d1)[s0, s1] -> (d0 floordiv s0, d1 * s1, d0 mod s0)>>",
			"float32 16,5 @  2:168 8:1,40"},
		{"memref<2x3xf32, affine_map<(d0, d1)[s1, s0] -> (d0 * (s0 - s1) + d1)>>", "float32 2,3 @ 3,1"},
	} {
		found, err := n.Read(tt.text, Options{Names: values})
		if err != nil || len(found) != 1 || meaning(found[0]) != tt.want {
			t.Errorf("%s: %v, %v, want %s", tt.text, found, err, tt.want)
		}
	}
	const module = "%0 = memref.alloc() : memref<2x3xf32>\n%1 = memref.alloc() : memref<2x3xf32, " +
		"affine_map<(d0, d1)[s0] -> (d0 * s0 + d1)>>"
	if found, err := n.Read(module, Options{}); err != nil || len(found) != 1 ||
		!strings.Contains(strings.Join(found[0].Skipped, ""), "symbol s0") {
		t.Errorf("a module: %v, %v", found, err)
	}
	if found, err := n.Read(module, Options{Names: map[string]int64{"s0": 4}}); err != nil || len(found) != 2 ||
		meaning(found[1]) != "float32 2,3 @ 4,1" {
		t.Errorf("a module with a Value: %v, %v", found, err)
	}
}

// TestDigitsAtRandom writes layouts of random digits in all notations that can express them, and reads them back.
func TestDigitsAtRandom(t *testing.T) {
	rnd := rand.New(rand.NewSource(2))
	affine, _ := Find("affine-map")
	xla, _ := Find("xla")
	for range 2500 / layouttest.Step() {
		l, packed := randomDigits(rnd)
		tensor := tensorOf(t, l)
		if low, _ := l.Bounds(); low >= 0 && l.Base() >= 0 {
			readsBack(t, affine, tensor)
		}
		if packed {
			readsBack(t, xla, tensor)
		}
	}
}

func readsBack(t *testing.T, n *Notation, tensor layout.Tensor) {
	t.Helper()
	text, err := n.Write(tensor)
	if err != nil {
		t.Fatalf("%v: %v", tensor.Layout(), err)
	}
	found, err := n.Read(text, Options{})
	if err != nil || !analysis.Same(found[0].Tensor.Layout(), tensor.Layout()) {
		t.Fatalf("%v is written as %s, which reads as %v (%v)", tensor.Layout(), text, found, err)
	}
}

// randomDigits makes a layout of up to three axes of up to three digits, with any strides or, in
// any order, without gaps.
func randomDigits(rnd *rand.Rand) (l layout.Layout, packed bool) {
	packed = rnd.Intn(2) == 0
	axes := make([][]layout.Digit, 1+rnd.Intn(3))
	var all []*layout.Digit
	for i := range axes {
		axes[i] = make([]layout.Digit, 1+rnd.Intn(3))
		for k := range axes[i] {
			axes[i][k] = layout.Digit{Extent: 1 + rnd.Int63n(4), Stride: rnd.Int63n(40) - 10}
			all = append(all, &axes[i][k])
		}
	}
	base := rnd.Int63n(40)
	if packed {
		base = 0
		next := int64(1)
		for _, i := range rnd.Perm(len(all)) {
			all[i].Stride = next
			next *= all[i].Extent
		}
	}
	made := make([]layout.Axis, len(axes))
	for i, digits := range axes {
		block := int64(1)
		for _, d := range digits[1:] {
			block *= d.Extent
		}
		made[i] = layout.NewAxis("", digits[0].Extent*block-rnd.Int63n(block), digits...)
	}
	l, err := layout.New(base, made...)
	if err != nil {
		panic(err)
	}
	return l, packed
}

// A randomResult is a result of a map, as text and as a function.
type randomResult struct {
	text   string
	at     func(index []int64) int64
	extent int64
}

// TestAffineAtRandom reads maps of random terms and works them out number by number.
func TestAffineAtRandom(t *testing.T) {
	rnd := rand.New(rand.NewSource(3))
	n, _ := Find("affine-map")
	cases, read := 4000/layouttest.Step(), 0
	for range cases {
		sizes := []int64{1 + rnd.Int63n(12), 1 + rnd.Int63n(12)}
		results := make([]randomResult, 1+rnd.Intn(3))
		texts := make([]string, len(results))
		for i := range results {
			results[i] = randomSum(rnd, sizes)
			texts[i] = results[i].text
		}
		text := fmt.Sprintf("memref<%dx%dxf32, affine_map<(d0, d1) -> (%s)>>", sizes[0], sizes[1],
			strings.Join(texts, ", "))
		found, err := n.Read(text, Options{})
		if err != nil {
			if !strings.Contains(err.Error(), "digit") {
				t.Fatalf("%s: %v", text, err)
			}
			continue
		}
		read++
		for index, got := range found[0].Tensor.Layout().All() {
			want, elements := int64(0), int64(1)
			for _, r := range results {
				want, elements = want*r.extent+r.at(index), elements*r.extent
			}
			if got != want || found[0].Tensor.Storage() != elements {
				t.Fatalf("%s: %v at %d of %d, want %d of %d", text, index, got, found[0].Tensor.Storage(), want,
					elements)
			}
		}
	}
	if read < cases/5*2 {
		t.Errorf("only %d texts read", read)
	}
}

// randomSum makes a sum of one or two terms.
func randomSum(rnd *rand.Rand, sizes []int64) randomResult {
	base := rnd.Int63n(3)
	sum := randomResult{fmt.Sprint(base), func([]int64) int64 { return base }, 1 + base}
	for range 1 + rnd.Intn(2) {
		rest, term, coefficient := sum.at, randomTerm(rnd, sizes), 1+rnd.Int63n(5)
		sum.text += fmt.Sprintf(" + %d * (%s)", coefficient, term.text)
		sum.at = func(index []int64) int64 { return rest(index) + coefficient*term.at(index) }
		sum.extent += coefficient * (term.extent - 1)
	}
	return sum
}

// randomTerm makes a part of an input. Its extent is the number of its mod, or otherwise one more than the greatest
// value.
func randomTerm(rnd *rand.Rand, sizes []int64) randomResult {
	axis := rnd.Intn(2)
	term := randomResult{fmt.Sprint("d", axis), func(index []int64) int64 { return index[axis] }, sizes[axis]}
	if n := 1 + rnd.Int63n(4); rnd.Intn(2) == 0 {
		part := term.at
		term = randomResult{fmt.Sprintf("%s floordiv %d", term.text, n),
			func(index []int64) int64 { return part(index) / n }, (term.extent + n - 1) / n}
	}
	if n := 1 + rnd.Int63n(6); rnd.Intn(2) == 0 {
		part := term.at
		term = randomResult{fmt.Sprintf("%s mod %d", term.text, n),
			func(index []int64) int64 { return part(index) % n }, n}
	}
	return term
}
