package notation

import (
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"layoutcalc/layout"
)

func TestXLA(t *testing.T) {
	for _, tt := range []typeVector{
		{"f32[2,3]{1,0}", nil, []int64{2, 3}, 6, 24, []at{{[]int64{1, 2}, 5}, {[]int64{1, 0}, 3}}, "notations.md 4.3: row-major"},
		{"f32[2,3]{0,1}", nil, []int64{2, 3}, 6, 24, []at{{[]int64{1, 0}, 1}, {[]int64{0, 1}, 2}, {[]int64{1, 2}, 5}}, "4.3: column-major"},
		{"f32[4,3,5]{2,0,1}", nil, []int64{4, 3, 5}, 60, 240, []at{{[]int64{1, 0, 0}, 5}, {[]int64{0, 1, 0}, 20}, {[]int64{3, 2, 4}, 59}}, "4.3"},
		{"f32[3,5]{1,0:T(2,2)}", nil, []int64{3, 5}, 24, 96, []at{{[]int64{2, 3}, 17}, {[]int64{0, 2}, 4}, {[]int64{2, 4}, 20}}, "docs/tiled_layout.md"},
		{"f32[8,8]{1,0:T(2,4)(2,1,1,1)}", nil, []int64{8, 8}, 64, 256, []at{{[]int64{6, 5}, 51}}, "docs/tiled_layout.md: the second tile reaches the grid"},
		{"s8[4,8]{1,0:T(2,4)(2,1)}", nil, []int64{4, 8}, 32, 32, []at{{[]int64{1, 0}, 1}, {[]int64{0, 1}, 2}, {[]int64{2, 0}, 16}, {[]int64{3, 7}, 31}}, "4.3"},
		{"bf16[32,256]{1,0:T(8,128)(2,1)}", nil, []int64{32, 256}, 8192, 16384, []at{{[]int64{1, 0}, 1}, {[]int64{0, 1}, 2}, {[]int64{8, 0}, 2048}, {[]int64{0, 128}, 1024}}, "4.3: TPU's tiles of bf16"},
		{"f32[5,7]{1,0:T(8,128)}", nil, []int64{5, 7}, 1024, 4096, []at{{[]int64{4, 6}, 518}}, "4.3: one tile holds all"},
		{"f32[5,7]{0,1:T(8,128)}", nil, []int64{5, 7}, 1024, 4096, []at{{[]int64{4, 6}, 772}, {[]int64{1, 0}, 1}}, "4.3: tiles lie over the order in memory"},
		{"f32[5,7]{1,0:T(8,128)L(2048)}", nil, []int64{5, 7}, 2048, 8192, []at{{[]int64{4, 6}, 518}}, "4.3: the tail"},
		{"f32[112,110]{1,0:T(2,3)}", nil, []int64{112, 110}, 12432, -1, nil, "4.3: the merged shape of the tile with *"},
		{"bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}", nil, []int64{8, 1, 1280, 16384}, 167772160, -1, []at{{[]int64{1, 0, 0, 0}, 20971520}, {[]int64{0, 0, 1, 0}, 1}, {[]int64{0, 0, 0, 1}, 2}}, "4.3"},
		{"s4[3,5]{1,0:E(4)}", nil, []int64{3, 5}, 15, 8, []at{{[]int64{2, 4}, 14}}, "4.3: packed"},
		{"f32[]", nil, []int64{}, 1, 4, []at{{[]int64{}, 0}}, "4.3: a scalar"},
		{"f32[0,3]{1,0}", nil, []int64{0, 3}, 0, 0, nil, "4.3: no elements"},
		{"f32[2,3]", nil, []int64{2, 3}, 6, 24, []at{{[]int64{1, 0}, 3}}, "4.1: the layout that is filled in is row-major"},
		{" f32 [ 2 , 3 ] { 0 , 1 }", nil, []int64{2, 3}, 6, 24, []at{{[]int64{1, 0}, 1}}, "4.1: blanks do not matter"},
		{"f32[<=2,3]{1,0}", nil, []int64{2, 3}, 6, 24, []at{{[]int64{1, 0}, 3}}, "4.1: laid out for the bound"},
		{"f32[?,3]{1,0}", []int64{2}, []int64{2, 3}, 6, 24, []at{{[]int64{1, 0}, 3}}, "4.1: a size that is not known"},
		{"b(f32[2,3]{0,1})", nil, []int64{2, 3}, 6, 24, []at{{[]int64{1, 0}, 1}}, "4.1: a buffer"},
		{"f32[2,3]{0,1:S(1)}", nil, []int64{2, 3}, 6, 24, []at{{[]int64{1, 0}, 1}}, "4.2: memory spaces say nothing of the order"},
		{"f32[5]{0:T(8,128)}", nil, []int64{5}, 1024, 4096, []at{{[]int64{4}, 4}}, "4.2: dimensions that the array lacks count as 1"},
		{"f32[]{:T(128)}", nil, []int64{}, 128, 512, []at{{[]int64{}, 0}}, "4.2: the same of a scalar"},
		{"f32[2,7,8,12]{3,2,1,0:T(*,*,2,3)}", nil, []int64{2, 7, 8, 12}, 1344, -1, []at{{[]int64{1, 6, 7, 11}, 1343}, {[]int64{0, 0, 1, 0}, 3}, {[]int64{0, 1, 0, 0}, 96}}, "4.2: the tile divides 8, so the * changes nothing; the grid is 56x4"},
	} {
		tt.check(t, "xla")
	}
}

func TestXLARefuses(t *testing.T) {
	for _, tt := range []typeRefusal{
		{"f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", 0, "f32[112,110]{1,0:T(2,3)}", "4.3: 3 does not divide 10"},
		{"f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", 0, "axis 4, of size 10", "the axis whose end tiles run across"},
		{"f32[2,7,8]{2,1,0:T(*,*,16)}", 0, "axis 1, of size 7", "16 takes two of the 7"},
		{"f32[12,12]{1,0:T(6,2)(4,1)}", 0, "axis 0", "4 does not divide 6, and a tile of 6 is not the last"},
		{"f32[2,3]{1}", 9, "1 of 2 axes", "4.2: the length is checked"},
		{"f32[2,3]{1,1}", 9, "axis 1 twice", "4.2: duplicates"},
		{"f32[2,3]{1,2}", 9, "axis 2", "4.2: bounds"},
		{"f32[2,3]{1,0:T(0,1)}", 15, "at least one", "4.2: an entry of 0"},
		{"f32[2,3]{1,0:T()}", 15, "a number", "4.2: an empty tile"},
		{"f32[2,3]{1,0:T(2,*)}", 17, "*", "4.2: there is no dimension behind it"},
		{"f32[2,3]{1,0:L(0)}", 15, "at least 1", "4.2: the tail is positive"},
		{"f32[2,3]{1,0:D(D,C)}", 13, "D(", "4.2: sparse"},
		{"f32[2,3]{1,0:#(u32)}", 13, "#(", "4.2: sparse"},
		{"f32[2,3]{1,0:*(u32)}", 13, "*(", "4.2: sparse"},
		{"f32[2,3]{1,0:P(f32[6])}", 13, "P(", "4.2: sparse"},
		{"f32[2,3]{1,0:S(1)T(2,2)}", 17, "}", "4.1: in this order only"},
		{"f32[?]", 4, "not known", "there is no value for it"},
		{"f32[-1]", 4, "negative", "sizes are not"},
		{"f3[2]", 0, "f3", "no type"},
		{"f32[2,3]{1,0}T(8,128)", 13, "does not belong", "tiles stand inside the braces"},
		{"f32[9223372036854775808]", 4, "64 bits", "too large"},
	} {
		tt.check(t, "xla")
	}
}

func TestXLAOverflow(t *testing.T) {
	for _, x := range [][2]string{
		{"xla", "f32[4611686018427387904,4]"}, {"xla", "f32[2]{0:L(9223372036854775807)}"}, {"xla", "f32[9223372036854775807]{0:T(2)}"},
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
		{"f32[2,3]{1,0:S(5)}", "S(5), the memory space"},
		{"f32[2,3]{1,0:SC(0:1)(1:2)}", "SC(0:1)(1:2), the split"},
		{"f32[2,3]{1,0:M(128)}", "M(128), the bytes of metadata"},
		{"s4[2,3]{1,0}", "E(4)"},
		{"u4[2,3]{1,0:E(8)}", "E(8)"},
		{"f32[<=2]", "<=2: the size of axis 0 is dynamic"},
		{"%p.1 = f32[2,3]{1,0} parameter(0), metadata={}", "parameter(0)"},
		{"ROOT %copy = f32[2,3]{1,0:T(8,128)} copy(%p.1)", "copy(%p.1)"},
	} {
		if d := readType(t, "xla", tt.text, Options{}); d != nil && (len(d.Skipped) != 1 || !strings.Contains(d.Skipped[0], tt.words)) {
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
		{"1x3x224x224", "NHWC", 0, "f32[1,3,224,224]{1,3,2,0}"},
		{"2x3", "", 0, "f32[2,3]{1,0}"},
		{"3x5", "", int4, "s4[3,5]{1,0:E(4)}"},
		{"1x1x1", "", bf16, "bf16[1,1,1]{2,1,0}"},
		{"2x20x3x4", "NCHW16c", 0, "f32[2,20,3,4]{3,2,1,0:T(16,1,1)}"},
		{"32x32x3x3", "OIHW4i16o4i", 0, "f32[32,32,3,3]{3,2,1,0:T(16,16,1,1)(16,4,1,1)}"},
		{"0x3", "", 0, "f32[0,3]{1,0}"},
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
		if err != nil || again == nil || !layout.Same(again.Tensor.Layout(), d.Tensor.Layout()) || again.Tensor.Storage() != d.Tensor.Storage() {
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
		{"f32[3,5]{1,0:T(2,2)}", 24, 96, "4.3"},
		{"bf16[32,256]{1,0:T(8,128)(2,1)}", 8192, 16384, "4.3"},
		{"f32[5,7]{1,0:T(8,128)L(2048)}", 2048, 8192, "4.3"},
		{"s4[3,5]{1,0:E(4)}", 15, 8, "4.3"},
	} {
		n, _ := Find("xla")
		d := readType(t, "xla", tt.text, Options{})
		sizes, err := n.Sizes(d.Tensor)
		if err != nil || len(sizes) != 1 || sizes[0].Elements != tt.elements || sizes[0].Bytes != tt.bytes {
			t.Errorf("%s: %v (%v), want %d elements, %d bytes: %s", tt.text, sizes, err, tt.elements, tt.bytes, tt.reason)
		}
	}
}

// tiledOffset follows the text of docs/tiled_layout.md number by number: it divides an index by
// every tile and knows nothing of digits.
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
	for range 20000 {
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
		if err != nil || !layout.Same(back[0].Tensor.Layout(), tensor.Layout()) || back[0].Tensor.Storage() != tensor.Storage() {
			t.Fatalf("%s is written as %s (%v)", text, again, err)
		}
	}
	if read < 10000 || written < 5000 {
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
