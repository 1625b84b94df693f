package notation

import (
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/layouttest"
)

func TestXLA(t *testing.T) {
	for _, tt := range []typeVector{
		{text: "f32[2,3]{1,0}", sizes: []int64{2, 3}, elements: 6, bytes: 24,
			at: []at{{[]int64{1, 2}, 5}, {[]int64{1, 0}, 3}}, reason: "row-major, as XLA's documentation has it"},
		{text: "f32[2,3]{0,1}", sizes: []int64{2, 3}, elements: 6, bytes: 24,
			at: []at{{[]int64{1, 0}, 1}, {[]int64{0, 1}, 2}, {[]int64{1, 2}, 5}}, reason: "4.3: column-major"},
		{text: "f32[4,3,5]{2,0,1}", sizes: []int64{4, 3, 5}, elements: 60, bytes: 240,
			at: []at{{[]int64{1, 0, 0}, 5}, {[]int64{0, 1, 0}, 20}, {[]int64{3, 2, 4}, 59}}, reason: "4.3"},
		{text: "f32[3,5]{1,0:T(2,2)}", sizes: []int64{3, 5}, elements: 24, bytes: 96,
			at: []at{{[]int64{2, 3}, 17}, {[]int64{0, 2}, 4}, {[]int64{2, 4}, 20}}, reason: "docs/tiled_layout.md"},
		{text: "f32[8,8]{1,0:T(2,4)(2,1,1,1)}", sizes: []int64{8, 8}, elements: 64, bytes: 256,
			at: []at{{[]int64{6, 5}, 51}}, reason: "docs/tiled_layout.md: the second tile reaches the grid"},
		{text: "s8[4,8]{1,0:T(2,4)(2,1)}", sizes: []int64{4, 8}, elements: 32, bytes: 32,
			at: []at{{[]int64{1, 0}, 1}, {[]int64{0, 1}, 2}, {[]int64{2, 0}, 16}, {[]int64{3, 7}, 31}}, reason: "4.3"},
		{text: "bf16[32,256]{1,0:T(8,128)(2,1)}", sizes: []int64{32, 256}, elements: 8192, bytes: 16384,
			at:     []at{{[]int64{1, 0}, 1}, {[]int64{0, 1}, 2}, {[]int64{8, 0}, 2048}, {[]int64{0, 128}, 1024}},
			reason: "4.3: TPU's tiles of bf16"},
		{text: "f32[5,7]{1,0:T(8,128)}", sizes: []int64{5, 7}, elements: 1024, bytes: 4096,
			at: []at{{[]int64{4, 6}, 518}}, reason: "4.3: one tile holds all"},
		{text: "f32[5,7]{0,1:T(8,128)}", sizes: []int64{5, 7}, elements: 1024, bytes: 4096,
			at: []at{{[]int64{4, 6}, 772}, {[]int64{1, 0}, 1}}, reason: "4.3: tiles lie over the order in memory"},
		{text: "f32[5,7]{1,0:T(8,128)L(2048)}", sizes: []int64{5, 7}, elements: 2048, bytes: 8192,
			at: []at{{[]int64{4, 6}, 518}}, reason: "4.3: the tail"},
		{text: "f32[112,110]{1,0:T(2,3)}", sizes: []int64{112, 110}, elements: 12432, bytes: -1,
			reason: "4.3: the merged shape of the tile with *"},
		{text: "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}", sizes: []int64{8, 1, 1280, 16384}, elements: 167772160,
			bytes: -1, at: []at{{[]int64{1, 0, 0, 0}, 20971520}, {[]int64{0, 0, 1, 0}, 1}, {[]int64{0, 0, 0, 1}, 2}},
			reason: "4.3"},
		{text: "s4[3,5]{1,0:E(4)}", sizes: []int64{3, 5}, elements: 15, bytes: 8, at: []at{{[]int64{2, 4}, 14}},
			reason: "4.3: packed"},
		{text: "f32[]", sizes: []int64{}, elements: 1, bytes: 4, at: []at{{[]int64{}, 0}}, reason: "4.3: a scalar"},
		{text: "f32[0,3]{1,0}", sizes: []int64{0, 3}, reason: "4.3: no elements"},
		{text: "f32[2,3]", sizes: []int64{2, 3}, elements: 6, bytes: 24, at: []at{{[]int64{1, 0}, 3}},
			reason: "4.1: the layout that is filled in is row-major"},
		{text: " f32 [ 2 , 3 ] { 0 , 1 }", sizes: []int64{2, 3}, elements: 6, bytes: 24, at: []at{{[]int64{1, 0}, 1}},
			reason: "4.1: blanks do not matter"},
		{text: "f32[<=2,3]{1,0}", sizes: []int64{2, 3}, elements: 6, bytes: 24, at: []at{{[]int64{1, 0}, 3}},
			reason: "4.1: laid out for the bound"},
		{text: "f32[?,3]{1,0}", dims: []int64{2}, sizes: []int64{2, 3}, elements: 6, bytes: 24,
			at: []at{{[]int64{1, 0}, 3}}, reason: "4.1: a size that is not known"},
		{text: "b(f32[2,3]{0,1})", sizes: []int64{2, 3}, elements: 6, bytes: 24, at: []at{{[]int64{1, 0}, 1}},
			reason: "4.1: a buffer"},
		{text: "f32[2,3]{0,1:S(1)}", sizes: []int64{2, 3}, elements: 6, bytes: 24, at: []at{{[]int64{1, 0}, 1}},
			reason: "4.2: memory spaces say nothing of the order"},
		{text: "f32[5]{0:T(8,128)}", sizes: []int64{5}, elements: 1024, bytes: 4096, at: []at{{[]int64{4}, 4}},
			reason: "4.2: dimensions that the array lacks count as 1"},
		{text: "f32[]{:T(128)}", sizes: []int64{}, elements: 128, bytes: 512, at: []at{{[]int64{}, 0}},
			reason: "4.2: the same of a scalar"},
		{text: "f32[2,7,8,12]{3,2,1,0:T(*,*,2,3)}", sizes: []int64{2, 7, 8, 12}, elements: 1344, bytes: -1,
			at:     []at{{[]int64{1, 6, 7, 11}, 1343}, {[]int64{0, 0, 1, 0}, 3}, {[]int64{0, 1, 0, 0}, 96}},
			reason: "4.2: the tile divides 8, so the * changes nothing; the grid is 56x4"},
	} {
		tt.check(t, "xla")
	}
}

func TestXLARefuses(t *testing.T) {
	for _, tt := range []typeRefusal{
		{text: "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", words: "f32[112,110]{1,0:T(2,3)}",
			reason: "4.3: 3 does not divide 10"},
		{text: "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", words: "axis 4, of size 10",
			reason: "the axis whose end tiles run across"},
		{text: "f32[2,7,8]{2,1,0:T(*,*,16)}", words: "axis 1, of size 7", reason: "16 takes two of the 7"},
		{text: "f32[12,12]{1,0:T(6,2)(4,1)}", words: "axis 0",
			reason: "4 does not divide 6, and a tile of 6 is not the last"},
		{text: "f32[2,3]{1}", offset: 9, words: "1 of 2 axes", reason: "4.2: the length is checked"},
		{text: "f32[2,3]{1,1}", offset: 9, words: "axis 1 twice", reason: "4.2: duplicates"},
		{text: "f32[2,3]{1,2}", offset: 9, words: "axis 2", reason: "4.2: bounds"},
		{text: "f32[2,3]{1,0:T(0,1)}", offset: 15, words: "at least one", reason: "4.2: an entry of 0"},
		{text: "f32[2,3]{1,0:T()}", offset: 15, words: "a number", reason: "4.2: an empty tile"},
		{text: "f32[2,3]{1,0:T(2,*)}", offset: 17, words: "*", reason: "4.2: there is no dimension after it"},
		{text: "f32[2,3]{1,0:L(0)}", offset: 15, words: "at least 1", reason: "4.2: the tail is positive"},
		{text: "f32[2,3]{1,0:D(D,C)}", offset: 13, words: "D(", reason: "4.2: sparse"},
		{text: "f32[2,3]{1,0:#(u32)}", offset: 13, words: "#(", reason: "4.2: sparse"},
		{text: "f32[2,3]{1,0:*(u32)}", offset: 13, words: "*(", reason: "4.2: sparse"},
		{text: "f32[2,3]{1,0:P(f32[6])}", offset: 13, words: "P(", reason: "4.2: sparse"},
		{text: "f32[2,3]{1,0:S(1)T(2,2)}", offset: 17, words: "}", reason: "4.1: in this order only"},
		{text: "f32[?]", offset: 4, words: "not known", reason: "there is no value for it"},
		{text: "f32[-1]", offset: 4, words: "negative", reason: "sizes are not"},
		{text: "f3[2]", words: "f3", reason: "no type"},
		{text: "f32[2,3]{1,0}T(8,128)", offset: 13, words: "unexpected text", reason: "tiles are inside the braces"},
		{text: "f32[9223372036854775808]", offset: 4, words: "64 bits", reason: "too large"},
	} {
		tt.check(t, "xla")
	}
}

func TestXLAOverflow(t *testing.T) {
	for _, x := range [][2]string{
		{"xla", "f32[4611686018427387904,4]"}, {"xla", "f32[2]{0:L(9223372036854775807)}"},
		{"xla", "f32[9223372036854775807]{0:T(2)}"},
		{"stablehlo", "tensor<4611686018427387904x4xf32>"}, {"mlir", "memref<4611686018427387904x4xf32>"},
		{"affine-map", "memref<4xf32, affine_map<(d0) -> (d0 * 4611686018427387904)>>"},
	} {
		n, _ := Find(x[0])
		_, err := n.Read(x[1], Options{})
		var overflow *layout.OverflowError
		if !errors.As(err, &overflow) || overflow.What == "" {
			t.Errorf("%s: %v, want an overflow with a name", x[1], err)
		}
	}
}

func TestXLATuple(t *testing.T) {
	n, _ := Find("xla")
	found, err := n.Read("(f32[2,3]{0,1}, /*index=1*/b(s32[4]{0}), token[], (pred[], opaque[]))", Options{})
	if err != nil || len(found) != 3 {
		t.Fatalf("%d tensors, %v", len(found), err)
	}
	for i, want := range []struct{ name, dtype string }{{"0", "float32"}, {"1", "int32"}, {"3.0", "bool"}} {
		if d := found[i]; d.Name != want.name || d.Tensor.DType().String() != want.dtype || len(d.Skipped) != 2 {
			t.Errorf("tensor %d: %s %v %q, want %v", i, d.Name, d.Tensor.DType(), d.Skipped, want)
		}
	}
}

func TestXLASkips(t *testing.T) {
	for _, tt := range []struct{ text, words string }{
		{"f32[2,3]{1,0:S(5)}", "not read: S(5), the memory space"},
		{"f32[2,3]{1,0:SC(0:1)(1:2)}", "SC(0:1)(1:2), the split"},
		{"f32[2,3]{1,0:M(128)}", "M(128), the bytes of metadata"},
		{"s4[2,3]{1,0}", "E(4)"},
		{"u4[2,3]{1,0:E(8)}", "E(8)"},
		{"f32[<=2]", "<=2: the size of axis 0 is dynamic"},
		{"%p.1 = f32[2,3]{1,0} parameter(0), metadata={}", "not read: parameter, 0, metadata"},
		{"ROOT %copy = f32[2,3]{1,0:T(8,128)} copy(%p.1)", "not read: copy, p.1"},
	} {
		if d := readType(t, "xla", tt.text, Options{}); d != nil &&
			(len(d.Skipped) != 1 || !strings.Contains(d.Skipped[0], tt.words)) {
			t.Errorf("%s: %q, want %q", tt.text, d.Skipped, tt.words)
		}
	}
	n, _ := Find("xla")
	found, err := n.Read("(f32[2], f32[2]{0:S(1)})", Options{})
	if err != nil || len(found[0].Skipped) > 0 || len(found[1].Skipped) != 1 {
		t.Errorf("%v, %v: a note belongs to its array", found, err)
	}
	if d := readType(t, "xla", "s4[3,5]{1,0:E(4)}", Options{}); d != nil && len(d.Skipped) > 0 {
		t.Errorf("E(4) is what int4 takes here: %q", d.Skipped)
	}
}

func TestXLAWrites(t *testing.T) {
	int4, _ := layout.ParseDType("int4")
	bf16, _ := layout.ParseDType("bf16")
	for _, tt := range []struct {
		shape, name string
		dtype       layout.DType
		want        string
	}{
		{shape: "1x3x224x224", name: "NHWC", want: "f32[1,3,224,224]{1,3,2,0}"},
		{shape: "2x3", want: "f32[2,3]{1,0}"},
		{shape: "3x5", dtype: int4, want: "s4[3,5]{1,0:E(4)}"},
		{shape: "1x1x1", dtype: bf16, want: "bf16[1,1,1]{2,1,0}"},
		{shape: "2x20x3x4", name: "NCHW16c", want: "f32[2,20,3,4]{3,2,1,0:T(16,1,1)}"},
		{shape: "32x32x3x3", name: "OIHW4i16o4i", want: "f32[32,32,3,3]{3,2,1,0:T(16,16,1,1)(16,4,1,1)}"},
		{shape: "0x3", want: "f32[0,3]{1,0}"},
	} {
		rewrites(t, "xla", givenTensor(t, tt.shape, tt.name, tt.dtype), tt.want)
	}
	for _, text := range []string{
		"f32[]", "f32[3,5]{1,0:T(2,2)}", "f32[8,8]{1,0:T(2,4)(2,1,1,1)}", "s8[4,8]{1,0:T(2,4)(2,1)}",
		"bf16[32,256]{1,0:T(8,128)(2,1)}", "f32[5,7]{0,1:T(8,128)}", "f32[5,7]{1,0:T(8,128)L(2048)}",
		"bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}", "f32[112,110]{1,0:T(2,3)}", "bf16[1000]{0:T(1024)(128)(2,1)}",
	} {
		d := readType(t, "xla", text, Options{})
		if d == nil {
			continue
		}
		n, _ := Find("xla")
		written, err := n.Write(d.Tensor)
		again := readType(t, "xla", written, Options{})
		if err != nil || again == nil || !analysis.Same(again.Tensor.Layout(), d.Tensor.Layout()) ||
			again.Tensor.Storage() != d.Tensor.Storage() {
			t.Errorf("%s is written as %s (%v)", text, written, err)
		} else if written != text {
			t.Errorf("%s is written as %s", text, written)
		}
	}
}

func TestXLALoses(t *testing.T) {
	loses(t, "xla", stridedTensor(t, 0, []int64{2, 3}, []int64{5, 1}), "axis 0")
	loses(t, "xla", stridedTensor(t, 0, []int64{2, 3}, []int64{0, 1}), "axis 0")
	loses(t, "xla", stridedTensor(t, 5, []int64{2, 3}, []int64{3, 1}), "storage offset")
	complex32, _ := layout.ParseDType("complex32")
	loses(t, "xla", givenTensor(t, "2x3", "", complex32), "complex32")
}

func TestXLASizes(t *testing.T) {
	for _, tt := range []struct {
		text            string
		elements, bytes int64
		reason          string
	}{
		{text: "f32[3,5]{1,0:T(2,2)}", elements: 24, bytes: 96, reason: "4.3"},
		{text: "bf16[32,256]{1,0:T(8,128)(2,1)}", elements: 8192, bytes: 16384, reason: "4.3"},
		{text: "f32[5,7]{1,0:T(8,128)L(2048)}", elements: 2048, bytes: 8192, reason: "4.3"},
		{text: "s4[3,5]{1,0:E(4)}", elements: 15, bytes: 8, reason: "4.3"},
	} {
		n, _ := Find("xla")
		d := readType(t, "xla", tt.text, Options{})
		sizes, err := figures(n, d.Tensor)
		if err != nil || len(sizes) != 1 || sizes[0].Elements != tt.elements || sizes[0].Bytes != tt.bytes {
			t.Errorf("%s: %v (%v), want %d elements, %d bytes: %s", tt.text, sizes, err, tt.elements, tt.bytes,
				tt.reason)
		}
	}
}

// TestModules reads all instructions of a module, in the forms that XLA dumps and its tests have.
func TestModules(t *testing.T) {
	const module = `HloModule jit_f, entry_computation_layout={(f32[4,2]{1,0})->f32[2,4]{0,1}}

%fused (param_0.1: f32[4,2]) -> f32[4,2] {
  %param_0.1 = f32[4,2]{1,0} parameter(0)
  ROOT %neg.1 = f32[4,2]{1,0} negate(f32[4,2]{1,0} %param_0.1), metadata={op_name="a = f32[9]{0} b"}
}

ENTRY %main.3 (Arg_0.1: f32[4,2]) -> f32[2,4] {
  Arg_0.1 = f32[4,2]{1,0} parameter(0), sharding={devices=[8,1]<=[8]}
  %fusion = f32[4,2]{0,1:T(8,128)} fusion(Arg_0.1), kind=kLoop, calls=%fused
  %pair = (bf16[3]{0}, (s8[2,2]{0,1})) custom-call(%fusion), custom_call_target="__cublas$gemm"
  ROOT %Transpose.2 = f32[2,4]{0,1} transpose(%fusion), dimensions={1,0}
}
`
	found, err := notationOf(t, "xla").Read(module, Options{})
	var names []string
	for _, d := range found {
		names = append(names, d.Name)
	}
	const want = "param_0.1 neg.1 Arg_0.1 fusion pair.0 pair.1.0 Transpose.2"
	if got := strings.Join(names, " "); got != want || err != nil {
		t.Fatalf("%s, %v, want %s", got, err, want)
	}
	if got := meaning(found[6]); got != "float32 2,4 @ 1,2" {
		t.Errorf("Transpose.2 is %s, want the strides 1,2", got)
	}
	const left = "not read: HloModule, jit_f, entry_computation_layout, f32 and 61 other words"
	if got := strings.Join(found[6].Skipped, "; "); got != left {
		t.Errorf("the notes are %q", got)
	}
	checkReadings(t, "xla", []reading{
		{"broadcast.2 = f32[32,999,40,512]{3,2,1,0} broadcast(constant.1), dimensions={}",
			"float32 32,999,40,512 @ 20459520,20480,512,1", "hlo_constant_folding_test.cc"},
		{"ROOT Dot.5 = F32[2,3]{0,1} dot(a, b)", "float32 2,3 @ 1,2", "capitals"},
		{"p0 = PRED[7]{0} parameter(0)", "bool 7 @ 1", "capitals"},
		{"  x-y.1 = bf16[2,3] copy(z)", "bfloat16 2,3 @ 3,1", "no layout"},
		{"f32[2,3]{0,1} zeta(a, b)", "float32 2,3 @ 1,2", "a name with the last letter"},
		{"f32[2,3]{0,1} abs(a)", "float32 2,3 @ 1,2", "and with the first"},
	})
	checkRefusals(t, "xla", []wrong{
		{text: "a = f32[2,3]{1,0} parameter(0)\nb = f32[2,3]{1,1} copy(a)", at: "1,1}", says: "axis 1 twice",
			reason: "the second instruction is wrong"},
	})
}

// tiledOffset follows the text of docs/tiled_layout.md number by number: it divides an index by
// every tile without digits.
func tiledOffset(sizes, order []int64, tiles [][]int64, index []int64) (offset, elements int64) {
	var dims, at []int64
	for _, axis := range order {
		dims, at = append(dims, sizes[axis]), append(at, index[axis])
	}
	for _, tile := range tiles {
		for len(dims) < len(tile) {
			dims, at = append([]int64{1}, dims...), append([]int64{0}, at...)
		}
		first := len(dims) - len(tile)
		grid, gridAt := append([]int64{}, dims[:first]...), append([]int64{}, at[:first]...)
		var inside, insideAt []int64
		n, i := int64(1), int64(0)
		for k, size := range tile {
			n, i = n*dims[first+k], i*dims[first+k]+at[first+k]
			if size == combine {
				continue
			}
			grid, gridAt = append(grid, (n+size-1)/size), append(gridAt, i/size)
			inside, insideAt = append(inside, size), append(insideAt, i%size)
			n, i = 1, 0
		}
		dims, at = append(grid, inside...), append(gridAt, insideAt...)
	}
	elements = 1
	for k := range dims {
		offset, elements = offset*dims[k]+at[k], elements*dims[k]
	}
	return offset, elements
}

func TestXLATilesAtRandom(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	n, _ := Find("xla")
	read, written := 0, 0
	cases := 2000 / layouttest.Step()
	for range cases {
		text, sizes, order, tiles := randomTiles(rnd)
		found, err := n.Read(text, Options{})
		if err != nil {
			if !strings.Contains(err.Error(), "no digits") {
				t.Fatalf("%s: %v", text, err)
			}
			continue
		}
		read++
		tensor := found[0].Tensor
		for index, got := range tensor.Layout().All() {
			want, elements := tiledOffset(sizes, order, tiles, index)
			if got != want || tensor.Storage() != elements {
				t.Fatalf("%s: %v at %d of %d, want %d of %d", text, index, got, tensor.Storage(), want, elements)
			}
		}
		again, err := n.Write(tensor)
		var loss *LossError
		if errors.As(err, &loss) {
			continue // a second tile that pads leaves gaps inside
		}
		written++
		back, err := n.Read(again, Options{})
		if err != nil || !analysis.Same(back[0].Tensor.Layout(), tensor.Layout()) ||
			back[0].Tensor.Storage() != tensor.Storage() {
			t.Fatalf("%s is written as %s (%v)", text, again, err)
		}
	}
	if read < cases/2 || written < cases/4 {
		t.Errorf("only %d texts read, %d written", read, written)
	}
}

// randomTiles makes a shape with an order and up to three tiles.
func randomTiles(rnd *rand.Rand) (text string, sizes, order []int64, tiles [][]int64) {
	rank := 1 + rnd.Intn(4)
	minor := make([]int64, rank)
	for i, axis := range rnd.Perm(rank) {
		sizes = append(sizes, 1+rnd.Int63n(9))
		order = append(order, int64(axis))
		minor[rank-1-i] = int64(axis)
	}
	text = fmt.Sprintf("f32[%s]{%s", layout.JoinInts(sizes, ","), layout.JoinInts(minor, ","))
	dims := rank
	for i := range rnd.Intn(4) {
		tile := make([]int64, 1+rnd.Intn(min(dims+1, 5)))
		for k := range tile {
			tile[k] = [...]int64{1, 2, 3, 4, 4, 8, 2, combine}[rnd.Intn(8)]
		}
		if k := len(tile) - 1; tile[k] == combine {
			tile[k] = 2
		}
		if i == 0 {
			text += ":T"
		}
		text += strings.ReplaceAll(fmt.Sprintf("(%s)", layout.JoinInts(tile, ",")), "-1", "*")
		tiles, dims = append(tiles, tile), dims+len(tile)
	}
	return text + "}", sizes, order, tiles
}
