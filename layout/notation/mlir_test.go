package notation

import (
	"slices"
	"strings"
	"testing"
)

// A memrefVector is a text with the strides and the offset that a source gives it.
type memrefVector struct {
	text           string
	dims           []int64
	sizes, strides []int64
	offset         int64
	at             []at
	reason         string
}

func (v memrefVector) check(t *testing.T, notation string) {
	t.Helper()
	typeVector{v.text, v.dims, v.sizes, -1, -1, v.at, v.reason}.check(t, notation)
	d := readType(t, notation, v.text, Options{Dims: v.dims})
	if d == nil {
		return
	}
	strides, ok := d.Tensor.Layout().LinearStrides()
	if base := d.Tensor.Layout().Base(); !ok || !slices.Equal(strides, v.strides) || base != v.offset {
		t.Errorf("%s: strides %v behind %d, want %v behind %d: %s", v.text, strides, base, v.strides, v.offset, v.reason)
	}
}

func TestMLIR(t *testing.T) {
	for _, tt := range []memrefVector{
		{"memref<2x3xf32>", nil, []int64{2, 3}, []int64{3, 1}, 0, []at{{[]int64{1, 2}, 5}}, "notations.md 5.4, by mlir-opt"},
		{"memref<2x3xf32, strided<[3,1], offset: 5>>", nil, []int64{2, 3}, []int64{3, 1}, 5, []at{{[]int64{1, 2}, 10}}, "5.4"},
		{"memref<8x16xf32, strided<[32,2], offset: 3>>", nil, []int64{8, 16}, []int64{32, 2}, 3, []at{{[]int64{1, 2}, 39}}, "5.4"},
		{"memref<3x4xf32, strided<[64,6], offset: 75>>", nil, []int64{3, 4}, []int64{64, 6}, 75, []at{{[]int64{1, 2}, 151}}, "5.4: a subview"},
		{"memref<3x2xf32, strided<[1,3]>>", nil, []int64{3, 2}, []int64{1, 3}, 0, []at{{[]int64{2, 1}, 5}}, "5.4: a transpose"},
		{"memref<2x3xf32, strided<[0,1]>>", nil, []int64{2, 3}, []int64{0, 1}, 0, []at{{[]int64{1, 2}, 2}}, "5.4: accepted by LLVM 22"},
		{"memref<2x3xf32, strided<[-3,1], offset: 3>>", nil, []int64{2, 3}, []int64{-3, 1}, 3, []at{{[]int64{1, 2}, 2}}, "5.4"},
		{"memref<f32, strided<[], offset: 7>>", nil, []int64{}, []int64{}, 7, []at{{[]int64{}, 7}}, "5.4"},
		{"memref<?x4xf32, strided<[?,1], offset: ?>>", []int64{3, 8, 2}, []int64{3, 4}, []int64{8, 1}, 2, []at{{[]int64{2, 3}, 21}}, "5.4: needs values"},
		{"memref<2x3xf32, strided<[1,1]>>", nil, []int64{2, 3}, []int64{1, 1}, 0, []at{{[]int64{1, 2}, 3}}, "5.2: overlaps are not checked"},
		{"memref<2 x 3 x f32>", nil, []int64{2, 3}, []int64{3, 1}, 0, nil, "5.2: blanks"},
		{"memref< 2x3xf32 >", nil, []int64{2, 3}, []int64{3, 1}, 0, nil, "5.2: blanks"},
		{"memref<0x3xf32>", nil, []int64{0, 3}, []int64{3, 1}, 0, nil, "5.2: a size of 0, nothing hexadecimal"},
		{"memref<02x3xf32>", nil, []int64{2, 3}, []int64{3, 1}, 0, nil, "5.2: 02 is 2"},
		{"memref<2x3xf32, strided<[0x10, -0x1], offset: 0x2>>", nil, []int64{2, 3}, []int64{16, -1}, 2, []at{{[]int64{1, 2}, 16}}, "5.1: hexadecimal is read as an integer"},
		{"memref<f32>", nil, []int64{}, []int64{}, 0, []at{{[]int64{}, 0}}, "5.1: no sizes"},
		{"memref<2x3xf32, strided<[3, 1]>, 1>", nil, []int64{2, 3}, []int64{3, 1}, 0, nil, "5.1: a memory space"},
		{"%arg0: memref<2x3xf32, strided<[5, 1]>>", nil, []int64{2, 3}, []int64{5, 1}, 0, nil, "as an argument"},
	} {
		tt.check(t, "mlir")
	}
}

func TestMLIRRefuses(t *testing.T) {
	for _, tt := range []typeRefusal{
		{"memref<*xf32>", 7, "without a rank", "5.1: unranked ones have no layout"},
		{"memref<2x3xf32, #map>", 16, "affine_map<", "5.1: an alias is defined elsewhere"},
		{"memref<2x3xf32, strided<[3]>>", 24, "2 sizes and 1 strides", "5.2: as many strides as sizes"},
		{"memref<9223372036854775808xf32>", 7, "64 bits", "5.2: int64"},
		{"memref<2x3xf32, strided<[9223372036854775808,1]>>", 25, "64 bits", "5.2: int64"},
		{"memref<2x3xf32, strided<[0x8000000000000000,1]>>", 25, "64 bits", "5.2: int64"},
		{"memref<-2x3xf32>", 7, "negative", "5.2: sizes cannot be"},
		{"memref<2x?xf32>", 9, "not known", "there is no value for it"},
		{"memref<2x3>", 10, "x", "no type of elements"},
		{"memref<2x3xindex>", 11, "i64", "5.1: of no size of its own"},
		{"memref<2x3xvector<4xf32>>", 11, "vector", "5.1: elements that are vectors"},
		{"memref<2x3xf33>", 11, "f33", "no type"},
		{"memref<2x3xf32, strided<[3,1]>, strided<[3,1]>>", 32, "already", "two layouts"},
		{"memref<2x3xf32, >", 16, "expected", "nothing behind the comma"},
		{"memref<2x3xf32, stride<[3,1]>>", 16, "strided<", "a misspelling"},
		{"memref<2x3xf32, strided<[3,1], offset 5>>", 38, ":", "5.1"},
		{"memref<2x3xf32", 14, "> is expected", "not closed"},
		{"memref<2x3xf32> x", 16, "unexpected text", "more than a type"},
	} {
		tt.check(t, "mlir")
	}
}

func TestMLIRSkips(t *testing.T) {
	for _, tt := range []struct{ notation, text, skipped string }{
		{"mlir", "memref<2x3xf32, 1>", "1, the memory space"},
		{"mlir", "memref<2x3xf32, 1 : i32>", "1 : i32, the memory space"},
		{"mlir", `memref<2x3xf32, strided<[3, 1]>, "vmem>">`, `"vmem>", the memory space`},
		{"mlir", "memref<2x3xf32, #gpu.address_space<workgroup>>", "#gpu.address_space<workgroup>, the memory space"},
		{"stablehlo", "tensor<2x3xf32, #stablehlo.type_extensions<bounds = [?, 3]>>", "#stablehlo.type_extensions<bounds = [?, 3]>, the encoding"},
		{"stablehlo", "tensor<6xf32, #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>>", "#sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>, the encoding"},
	} {
		if d := readType(t, tt.notation, tt.text, Options{}); d != nil && !slices.Equal(d.Skipped, []string{tt.skipped}) {
			t.Errorf("%s: %q, want %q", tt.text, d.Skipped, tt.skipped)
		}
	}
}

func TestMLIRTypes(t *testing.T) {
	for _, tt := range [][2]string{
		{"i1", "bool"}, {"i8", "int8"}, {"si8", "int8"}, {"ui8", "uint8"}, {"i4", "int4"}, {"bf16", "bfloat16"},
		{"f8E4M3FN", "float8_e4m3fn"}, {"complex<f32>", "complex64"},
	} {
		d := readType(t, "mlir", "memref<2x"+tt[0]+">", Options{})
		if d != nil && d.Tensor.DType().String() != tt[1] {
			t.Errorf("%s: %v, want %s", tt[0], d.Tensor.DType(), tt[1])
		}
		if d = readType(t, "stablehlo", "tensor<2x"+tt[0]+">", Options{}); d != nil && d.Tensor.DType().String() != tt[1] {
			t.Errorf("%s: %v, want %s", tt[0], d.Tensor.DType(), tt[1])
		}
	}
}

func TestMLIRWrites(t *testing.T) {
	for _, tt := range []struct {
		base           int64
		sizes, strides []int64
		want           string
	}{
		{0, []int64{2, 3}, []int64{3, 1}, "memref<2x3xf32>"},
		{0, []int64{2, 3}, []int64{5, 1}, "memref<2x3xf32, strided<[5, 1]>>"},
		{5, []int64{2, 3}, []int64{3, 1}, "memref<2x3xf32, strided<[3, 1], offset: 5>>"},
		{3, []int64{2, 3}, []int64{-3, 1}, "memref<2x3xf32, strided<[-3, 1], offset: 3>>"},
		{0, []int64{2, 3}, []int64{0, 1}, "memref<2x3xf32, strided<[0, 1]>>"},
		{7, nil, nil, "memref<f32, strided<[], offset: 7>>"},
		{0, nil, nil, "memref<f32>"},
		{0, []int64{1, 3}, []int64{9, 1}, "memref<1x3xf32, strided<[9, 1]>>"},
		{0, []int64{0, 3}, []int64{3, 1}, "memref<0x3xf32>"},
	} {
		rewrites(t, "mlir", stridedTensor(t, tt.base, tt.sizes, tt.strides), tt.want)
	}
	loses(t, "mlir", givenTensor(t, "2x20x3x4", "NCHW16c", 0), "axis")
	loses(t, "mlir", stridedTensor(t, -1, []int64{2}, []int64{1}), "negative")
}

func TestMLIRSizes(t *testing.T) {
	for _, tt := range []struct {
		notation, text string
		elements       int64
		reason         string
	}{
		{"mlir", "memref<8x16xf32, strided<[32,2], offset: 3>>", 258, "5.3: memref<258xf32>"},
		{"mlir", "memref<0x3xf32>", 0, "no elements"},
		{"affine-map", "memref<8x16xf32, affine_map<(d0, d1) -> (d0 * 32 + d1 * 2 + 3)>>", 258, "5.3: the same as a map"},
		{"affine-map", "memref<2x3xf32, affine_map<(d0,d1)->(d0*4+d1+7)>>", 14, "5.3: memref<14xf32>"},
		{"affine-map", "memref<15x30xf32, affine_map<(d0, d1) -> (d0 floordiv 4, d1 floordiv 8, d0 mod 4, d1 mod 8)>>", 512, "5.3: memref<4x4x4x8xf32>"},
	} {
		n, _ := Find(tt.notation)
		d := readType(t, tt.notation, tt.text, Options{})
		if d == nil {
			continue
		}
		if sizes, err := n.Sizes(d.Tensor); err != nil || len(sizes) != 1 || sizes[0].Elements != tt.elements || sizes[0].Bytes != 4*tt.elements {
			t.Errorf("%s: %v (%v), want %d elements: %s", tt.text, sizes, err, tt.elements, tt.reason)
		}
	}
}

func TestStableHLO(t *testing.T) {
	for _, tt := range []memrefVector{
		{"tensor<2x3xf32>", nil, []int64{2, 3}, []int64{3, 1}, 0, []at{{[]int64{1, 2}, 5}}, "notations.md 4.4"},
		{"tensor<?x3xf32>", []int64{2}, []int64{2, 3}, []int64{3, 1}, 0, []at{{[]int64{1, 2}, 5}}, "4.4"},
		{"tensor<f32>", nil, []int64{}, []int64{}, 0, []at{{[]int64{}, 0}}, "4.4: a scalar"},
		{"tensor<0x3xf32>", nil, []int64{0, 3}, []int64{3, 1}, 0, nil, "4.4: a size of 0"},
	} {
		tt.check(t, "stablehlo")
	}
	for _, tt := range []typeRefusal{
		{"tensor<*xf32>", 7, "without a rank", "4.4: unranked is not allowed"},
		{"tensor<?x3xf32>", 7, "not known", "there is no value for it"},
		{"tensor<2x3xf32, strided<[3,1]>", 30, "> is expected", "not closed"},
		{"tensor<2x3xf32,>", 15, "encoding", "nothing behind the comma"},
	} {
		tt.check(t, "stablehlo")
	}
	rewrites(t, "stablehlo", stridedTensor(t, 0, []int64{2, 3}, []int64{3, 1}), "tensor<2x3xf32>")
	rewrites(t, "stablehlo", stridedTensor(t, 0, []int64{0, 3}, []int64{3, 1}), "tensor<0x3xf32>")
	rewrites(t, "stablehlo", stridedTensor(t, 0, nil, nil), "tensor<f32>")
	loses(t, "stablehlo", stridedTensor(t, 0, []int64{2, 3}, []int64{1, 2}), "row-major")
	loses(t, "stablehlo", stridedTensor(t, 1, []int64{2, 3}, []int64{3, 1}), "storage offset")
	loses(t, "stablehlo", givenTensor(t, "2x20x3x4", "NCHW16c", 0), "blocks")
}

// TestTypesApart checks that no form is taken for two, and that no text of others is taken.
func TestTypesApart(t *testing.T) {
	types := []string{"xla", "stablehlo", "mlir", "affine-map"}
	for _, n := range all {
		for _, name := range types {
			o, _ := Find(name)
			if got := o.fits(n.Example); got != (n == o) {
				t.Errorf("%s fits %s: %v", name, n.Example, got)
			}
			if o, _ := Find(name); n != o && n.fits(o.Example) {
				t.Errorf("%s fits %s", n.Name, o.Example)
			}
		}
	}
}

// TestTypesNeverPanic feeds parts of texts, and texts with a byte that is wrong.
func TestTypesNeverPanic(t *testing.T) {
	texts := []string{
		"%p = (f32[2,<=3]{1,0:T(*,2)(2,1)L(4)E(32)S(1)SC(0:1)M(3)}, b(s4[8]))",
		"memref<2x3xf32, strided<[-5, 0x1], offset: 5>, #gpu.address_space<workgroup>>",
		"memref<4x8xf32, affine_map<(d0, d1)[s0] -> (-(d0 floordiv 4) * 3 + 12, d1 mod 4 ceildiv 1)>, \"x\">",
		"tensor<2x?xcomplex<f32>, #a.b<(x) -> {y}>>",
	}
	for _, text := range texts {
		for i := range text {
			for _, c := range []byte("0*?{(<-,x:\"9") {
				bad := text[:i] + string(c) + text[i+1:]
				for _, name := range []string{"xla", "stablehlo", "mlir", "affine-map"} {
					n, _ := Find(name)
					for _, s := range []string{bad, text[:i], text[i:], strings.Repeat(text[:i], 3)} {
						for _, d := range unlessWrong(n.Read(s, Options{Dims: []int64{3}})) {
							_, _ = n.Write(d.Tensor)
							_, _ = n.Sizes(d.Tensor)
						}
					}
				}
			}
		}
	}
}

func unlessWrong(found []Descriptor, err error) []Descriptor {
	if err != nil {
		return nil
	}
	return found
}

func BenchmarkTypes(b *testing.B) {
	for _, text := range []string{
		"f32[1,3,224,224]{1,3,2,0}", "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}", "f32[32,32,3,3]{3,2,1,0:T(16,16,1,1)(16,4,1,1)}",
		"tensor<1x3x224x224xf32>", "memref<1x3x224x224xf32, strided<[150528, 1, 672, 3]>>",
		"memref<2x20x3x4xf32, affine_map<(d0, d1, d2, d3) -> (d0, d1 floordiv 16, d2, d3, d1 mod 16)>>",
	} {
		for _, n := range all {
			if !n.fits(text) {
				continue
			}
			found, err := n.Read(text, Options{})
			if err != nil {
				b.Fatal(err)
			}
			b.Run("read/"+n.Name, func(b *testing.B) {
				b.ReportAllocs()
				for range b.N {
					_, _ = n.Read(text, Options{})
				}
			})
			b.Run("write/"+n.Name, func(b *testing.B) {
				b.ReportAllocs()
				for range b.N {
					_, _ = n.Write(found[0].Tensor)
				}
			})
		}
	}
}
