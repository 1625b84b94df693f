package notation

import (
	"slices"
	"strings"
	"testing"
)

// A memrefVector is an input with the strides and the offset that a source gives for it.
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
		t.Errorf("%s: strides %v after %d, want %v after %d: %s", v.text, strides, base, v.strides, v.offset,
			v.reason)
	}
}

// TestOperations reads the types of all operations, under the names of their values.
func TestOperations(t *testing.T) {
	for _, tt := range []struct{ notation, text, want, reason string }{
		{"mlir", "func.func @f(%a: memref<2x3xf32, strided<[5, 1]>>, %b: memref<4xi8>) -> memref<3x2xf32> {\n" +
			"  %0 = memref.subview %a[0, 0] [2, 2] [1, 1] : memref<2x3xf32, strided<[5, 1]>> to " +
			"memref<2x2xf32, strided<[5, 1], offset: 1>>\n  memref.copy %b, %c : memref<4xi8> to memref<4xi8>\n}\n",
			"a: float32 2,3 @ 5,1; b: int8 4 @ 1; : float32 3,2 @ 2,1; 0: float32 2,2 @ 5,1 + 1; c: int8 4 @ 1",
			"a function"},
		{"affine-map", "#map = affine_map<(d0, d1) -> (d1 * 8 + d0)>\nfunc.func @f(%a: memref<8x4xf32, #map>) {}",
			"a: float32 8,4 @ 1,8", "an alias"},
		{"mlir", "#s = strided<[7, 1]>\n%0 = memref.alloc() : memref<2x3xf32, #s>", "0: float32 2,3 @ 7,1", "an alias"},
		{"stablehlo", "%1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>",
			"0: float32 2,3 @ 3,1; 1: float32 3,2 @ 2,1", "StableHLO"},
		{"stablehlo", "#blocked = #ttg.blocked<{order = [1, 0]}>\n%0 = tt.f %a : tensor<2x3xf32, #blocked>\n" +
			"%1 = tt.g %0 : tensor<4xf32>", "1: float32 4 @ 1", "types without strides are left out"},
		{"stablehlo", "%8 = linalg.matmul ins(%4, %5 : tensor<1x92xf32>, tensor<92x40xf32>) outs(%6 : " +
			"tensor<1x40xf32>) -> tensor<1x41xf32>",
			"4: float32 1,92 @ 92,1; 5: float32 92,40 @ 40,1; 6: float32 1,40 @ 40,1; 8: float32 1,41 @ 41,1",
			"iree/issues/9524: values and types in brackets of their own"},
		{"mlir", "Unranked Memref base@ = 0x55d4 rank = 2 offset = 5 sizes = [2, 3] strides = [4, 1] data = \n" +
			"[[1,   2,   3], \n [4.5,   -5e-05,   nan]]\n", ": 2,3 @ 4,1 + 5", "MLIR's CRunnerUtils"},
		{"mlir", "Memref base@ = 0x1 rank = 0 offset = 0 sizes = [] strides = [] data = \n[3]\n" +
			"Memref base@ = 0x2 rank = 1 offset = 1 sizes = [2] strides = [2] data = \n[3, 4]", ":  @ ; : 2 @ 2 + 1",
			"two of them"},
		{"mlir", "memref.store %v, %m[%i] : memref<4xf32>", "m: float32 4 @ 1",
			"the type is that of the value with indices"},
		{"mlir", "%v = memref.load %m[%i, %j] : memref<4x2xf32>", "m: float32 4,2 @ 2,1", "not that of the number"},
		{"mlir", "func.func @f(%a: f32, %m: memref<4xf32>) -> memref<5xf32>", "m: float32 4 @ 1; : float32 5 @ 1",
			"an argument that is no tensor"},
		{"mlir", `%0:2 = "op"(%a, %b) {x = dense<1> : tensor<9xi64>} : (f32, memref<2xf32>) -> (memref<3xf32>, i32)`,
			": int64 9 @ 1; b: float32 2 @ 1; 0: float32 3 @ 1", "a list of types; an attribute has no name"},
		{"stablehlo", "%t = stablehlo.add %a, %b : tensor<2xf32>", "t: float32 2 @ 1", "one type for all: the result"},
		{"stablehlo", "%r = tensor.cast %a : tensor<2x2xf32> to tensor<4xf32>",
			"a: float32 2,2 @ 2,1; r: float32 4 @ 1", "a type before and after"},
		{"stablehlo", "func.func @f(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[3],si64> {",
			"x: float32 2,3 @ 3,1; : int64 3 @ 1", "torch-mlir"},
	} {
		found, err := notationOf(t, tt.notation).Read(tt.text, Options{})
		var got []string
		for _, d := range found {
			got = append(got, d.Name+": "+meaning(d))
		}
		if text := strings.Join(got, "; "); text != tt.want || err != nil {
			t.Errorf("%s: %s, %v, want %s; %s", tt.text, text, err, tt.want, tt.reason)
		}
	}
	checkRefusals(t, "stablehlo", []wrong{
		{text: "tensor<128x64xf16, #blocked>", at: "#blocked", says: "in registers", reason: "Triton's alias"},
		{text: "tensor<128x64xf16, #ttg.nvidia_mma<{versionMajor = 3}>>", at: "#ttg", says: "#ttg.nvidia_mma",
			reason: "Triton"},
		{text: "#ttg.blocked<{sizePerThread = [1, 4], order = [1, 0]}>", at: "#ttg", says: "#ttg.blocked",
			reason: "alone"},
		{text: "#blocked = #triton_gpu.blocked<{order = [0]}>", at: "#blocked", says: "in registers",
			reason: "an old name"},
		{text: "tensor<2x3xf32, #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>>",
			at: "#sparse", says: "no fixed places", reason: "MLIR's CSR"},
		{text: "#C = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>\n%0 = a() : tensor<2xf32, #C>",
			at: "#C>", says: "no fixed places", reason: "an alias of it"},
		{text: "tensor<64x128xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, " +
			"memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>>",
			at: "#ttnn", says: "into tiles", reason: "tt-mlir: tiles of 32 by 32"},
		{text: "tensor<1x3x4x5xf16, {order = #NHWC}>", at: "{order", says: "where elements lie",
			reason: "another order"},
		{text: "!torch.vtensor<*,f32>", at: "*", says: "without a rank", reason: "torch-mlir"},
		{text: "!torch.vtensor<[2,3],unk>", at: "unk", says: "unknown element type", reason: "torch-mlir: no type"},
		{text: "!torch.vtensor<[?,3],f32>", at: "?", says: "not known", reason: "torch-mlir: an open size"},
		{text: "!ttg.memdesc<2x128xf16, #shared, #smem, mutable>", at: "#shared", says: "on the chip",
			reason: "shared memory"},
	})
	checkReadings(t, "mlir", []reading{
		{"#shared = #gpu.address_space<workgroup>\nmemref<2x3xf32, #shared>", "float32 2,3 @ 3,1", "a memory space"},
		{"#tile = affine_map<(d0, d1) -> (d1, d0)>\nmemref<2x3xf32, #tile>", "float32 2,3 @ 1,2", "a map"},
	})
	checkRefusals(t, "mlir", []wrong{
		{text: "#enc = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>\nmemref<2x3xf32, #enc>",
			at: "#enc>", says: "sparse", reason: "an alias of an encoding"},
		{text: "memref<2x3xf32, #sparse_tensor.encoding<{}>>", at: "#sparse", says: "sparse", reason: "an encoding"},
		{text: "#l = #foo.tiled<[32, 32]>\nmemref<2x3xf32, #l>", at: "#l>", says: "where elements lie",
			reason: "an alias of tiles"},
		{text: "#e = #iree_encoding.encoding<operand_index = 0>\nmemref<2x3xf32, #e>", at: "#e>", says: "to the target",
			reason: "an encoding of IREE"},
		{text: "Memref base@ = 0x2 rank = 2 offset = 1 sizes = [2] strides = [2] data =", at: "Memref",
			says:   "rank is 2",
			reason: "the rank of other sizes"},
		{text: "func.func @f(%a: memref<?x3xf32>, %b: memref<2xf32>)", at: "?", says: "--dim",
			reason: "an unknown size"},
		{text: "func.func @f(%a: memref<2xindex>, %b: memref<2xfoo>)", at: "index", says: "size of its own",
			reason: "no type is read"},
	})
}

func TestMLIR(t *testing.T) {
	for _, tt := range []memrefVector{
		{text: "memref<2x3xf32>", sizes: []int64{2, 3}, strides: []int64{3, 1}, at: []at{{[]int64{1, 2}, 5}},
			reason: "by mlir-opt"},
		{text: "memref<2x3xf32, strided<[3,1], offset: 5>>", sizes: []int64{2, 3}, strides: []int64{3, 1}, offset: 5,
			at: []at{{[]int64{1, 2}, 10}}, reason: "5.4"},
		{text: "memref<8x16xf32, strided<[32,2], offset: 3>>", sizes: []int64{8, 16}, strides: []int64{32, 2},
			offset: 3, at: []at{{[]int64{1, 2}, 39}}, reason: "5.4"},
		{text: "memref<3x4xf32, strided<[64,6], offset: 75>>", sizes: []int64{3, 4}, strides: []int64{64, 6},
			offset: 75, at: []at{{[]int64{1, 2}, 151}}, reason: "5.4: a subview"},
		{text: "memref<3x2xf32, strided<[1,3]>>", sizes: []int64{3, 2}, strides: []int64{1, 3},
			at: []at{{[]int64{2, 1}, 5}}, reason: "5.4: a transpose"},
		{text: "memref<2x3xf32, strided<[0,1]>>", sizes: []int64{2, 3}, strides: []int64{0, 1},
			at: []at{{[]int64{1, 2}, 2}}, reason: "5.4: accepted by LLVM 22"},
		{text: "memref<2x3xf32, strided<[-3,1], offset: 3>>", sizes: []int64{2, 3}, strides: []int64{-3, 1}, offset: 3,
			at: []at{{[]int64{1, 2}, 2}}, reason: "5.4"},
		{text: "memref<f32, strided<[], offset: 7>>", sizes: []int64{}, strides: []int64{}, offset: 7,
			at: []at{{[]int64{}, 7}}, reason: "5.4"},
		{text: "memref<?x4xf32, strided<[?,1], offset: ?>>", dims: []int64{3, 8, 2}, sizes: []int64{3, 4},
			strides: []int64{8, 1}, offset: 2, at: []at{{[]int64{2, 3}, 21}}, reason: "5.4: needs values"},
		{text: "memref<2x3xf32, strided<[1,1]>>", sizes: []int64{2, 3}, strides: []int64{1, 1},
			at: []at{{[]int64{1, 2}, 3}}, reason: "5.2: overlaps are not checked"},
		{text: "memref<2 x 3 x f32>", sizes: []int64{2, 3}, strides: []int64{3, 1}, reason: "5.2: blanks"},
		{text: "memref< 2x3xf32 >", sizes: []int64{2, 3}, strides: []int64{3, 1}, reason: "5.2: blanks"},
		{text: "memref<0x3xf32>", sizes: []int64{0, 3}, strides: []int64{3, 1},
			reason: "5.2: a size of 0, nothing hexadecimal"},
		{text: "memref<02x3xf32>", sizes: []int64{2, 3}, strides: []int64{3, 1}, reason: "5.2: 02 is 2"},
		{text: "memref<2x3xf32, strided<[0x10, -0x1], offset: 0x2>>", sizes: []int64{2, 3}, strides: []int64{16, -1},
			offset: 2, at: []at{{[]int64{1, 2}, 16}}, reason: "5.1: hexadecimal is read as an integer"},
		{text: "memref<f32>", sizes: []int64{}, strides: []int64{}, at: []at{{[]int64{}, 0}}, reason: "5.1: no sizes"},
		{text: "memref<2x3xf32, strided<[3, 1]>, 1>", sizes: []int64{2, 3}, strides: []int64{3, 1},
			reason: "5.1: a memory space"},
		{text: "%arg0: memref<2x3xf32, strided<[5, 1]>>", sizes: []int64{2, 3}, strides: []int64{5, 1},
			reason: "as an argument"},
	} {
		tt.check(t, "mlir")
	}
}

func TestMLIRRefuses(t *testing.T) {
	for _, tt := range []typeRefusal{
		{text: "memref<*xf32>", offset: 7, words: "without a rank", reason: "5.1: unranked ones have no layout"},
		{text: "memref<2x3xf32, #map>", offset: 16, words: "affine_map<", reason: "5.1: an alias is defined elsewhere"},
		{text: "memref<2x3xf32, strided<[3]>>", offset: 24, words: "2 sizes but 1 stride",
			reason: "5.2: as many strides as sizes"},
		{text: "memref<9223372036854775808xf32>", offset: 7, words: "64 bits", reason: "5.2: int64"},
		{text: "memref<2x3xf32, strided<[9223372036854775808,1]>>", offset: 25, words: "64 bits", reason: "5.2: int64"},
		{text: "memref<2x3xf32, strided<[0x8000000000000000,1]>>", offset: 25, words: "64 bits", reason: "5.2: int64"},
		{text: "memref<-2x3xf32>", offset: 7, words: "negative", reason: "5.2: sizes cannot be"},
		{text: "memref<2x?xf32>", offset: 9, words: "not known", reason: "there is no value for it"},
		{text: "memref<2x3>", offset: 10, words: "x", reason: "no type of elements"},
		{text: "memref<2x3xindex>", offset: 11, words: "i64", reason: "5.1: of no size of its own"},
		{text: "memref<2x3xvector<4xf32>>", offset: 11, words: "vector", reason: "5.1: elements that are vectors"},
		{text: "memref<2x3xf33>", offset: 11, words: "f33", reason: "no type"},
		{text: "memref<2x3xf32, strided<[3,1]>, strided<[3,1]>>", offset: 32, words: "already", reason: "two layouts"},
		{text: "memref<2x3xf32, >", offset: 16, words: "expected", reason: "nothing after the comma"},
		{text: "memref<2x3xf32, stride<[3,1]>>", offset: 16, words: "strided<", reason: "a misspelling"},
		{text: "memref<2x3xf32, strided<[3,1], offset 5>>", offset: 38, words: ":", reason: "5.1"},
		{text: "memref<2x3xf32", offset: 14, words: "expected >", reason: "not closed"},
		{text: "memref<2x3xf32> x", offset: 16, words: "unexpected text", reason: "more than a type"},
	} {
		tt.check(t, "mlir")
	}
}

func TestMLIRSkips(t *testing.T) {
	for _, tt := range []struct{ notation, text, skipped string }{
		{"mlir", "memref<2x3xf32, 1>", "not read: 1, the memory space"},
		{"mlir", "memref<2x3xf32, 1 : i32>", "not read: 1 : i32, the memory space"},
		{"mlir", `memref<2x3xf32, strided<[3, 1]>, "vmem>">`, `not read: "vmem>", the memory space`},
		{"mlir", "memref<2x3xf32, #gpu.address_space<workgroup>>",
			"not read: #gpu.address_space<workgroup>, the memory space"},
		{"stablehlo", "tensor<3xf32, #stablehlo.type_extensions<bounds = [?]>>",
			"not read: #stablehlo.type_extensions<bounds = [?]>, the encoding"},
		{"stablehlo", "tensor<6xf32, #a.b<{ map = (d0) -> (d0 : compressed) }>>",
			"not read: #a.b<{ map = (d0) -> (d0 : compressed) }>, the encoding"},
	} {
		if d := readType(t, tt.notation, tt.text, Options{}); d != nil &&
			!slices.Equal(d.Skipped, []string{tt.skipped}) {
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
		if d = readType(t, "stablehlo", "tensor<2x"+tt[0]+">", Options{}); d != nil &&
			d.Tensor.DType().String() != tt[1] {
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
		{sizes: []int64{2, 3}, strides: []int64{3, 1}, want: "memref<2x3xf32>"},
		{sizes: []int64{2, 3}, strides: []int64{5, 1}, want: "memref<2x3xf32, strided<[5, 1]>>"},
		{base: 5, sizes: []int64{2, 3}, strides: []int64{3, 1}, want: "memref<2x3xf32, strided<[3, 1], offset: 5>>"},
		{base: 3, sizes: []int64{2, 3}, strides: []int64{-3, 1}, want: "memref<2x3xf32, strided<[-3, 1], offset: 3>>"},
		{sizes: []int64{2, 3}, strides: []int64{0, 1}, want: "memref<2x3xf32, strided<[0, 1]>>"},
		{base: 7, want: "memref<f32, strided<[], offset: 7>>"},
		{want: "memref<f32>"},
		{sizes: []int64{1, 3}, strides: []int64{9, 1}, want: "memref<1x3xf32, strided<[9, 1]>>"},
		{sizes: []int64{0, 3}, strides: []int64{3, 1}, want: "memref<0x3xf32>"},
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
		{notation: "mlir", text: "memref<8x16xf32, strided<[32,2], offset: 3>>", elements: 258,
			reason: "5.3: memref<258xf32>"},
		{notation: "mlir", text: "memref<0x3xf32>", reason: "no elements"},
		{notation: "affine-map", text: "memref<8x16xf32, affine_map<(d0, d1) -> (d0 * 32 + d1 * 2 + 3)>>",
			elements: 258, reason: "5.3: the same as a map"},
		{notation: "affine-map", text: "memref<2x3xf32, affine_map<(d0,d1)->(d0*4+d1+7)>>", elements: 14,
			reason: "5.3: memref<14xf32>"},
		{notation: "affine-map",
			text:     "memref<15x30xf32, affine_map<(d0, d1) -> (d0 floordiv 4, d1 floordiv 8, d0 mod 4, d1 mod 8)>>",
			elements: 512, reason: "5.3: memref<4x4x4x8xf32>"},
	} {
		n, _ := Find(tt.notation)
		d := readType(t, tt.notation, tt.text, Options{})
		if d == nil {
			continue
		}
		if sizes, err := figures(n, d.Tensor); err != nil || len(sizes) != 1 || sizes[0].Elements != tt.elements ||
			sizes[0].Bytes != 4*tt.elements {
			t.Errorf("%s: %v (%v), want %d elements: %s", tt.text, sizes, err, tt.elements, tt.reason)
		}
	}
}

func TestStableHLO(t *testing.T) {
	for _, tt := range []memrefVector{
		{text: "tensor<2x3xf32>", sizes: []int64{2, 3}, strides: []int64{3, 1}, at: []at{{[]int64{1, 2}, 5}},
			reason: "MLIR's documentation"},
		{text: "tensor<?x3xf32>", dims: []int64{2}, sizes: []int64{2, 3}, strides: []int64{3, 1},
			at: []at{{[]int64{1, 2}, 5}}, reason: "4.4"},
		{text: "tensor<f32>", sizes: []int64{}, strides: []int64{}, at: []at{{[]int64{}, 0}}, reason: "4.4: a scalar"},
		{text: "tensor<0x3xf32>", sizes: []int64{0, 3}, strides: []int64{3, 1}, reason: "4.4: a size of 0"},
	} {
		tt.check(t, "stablehlo")
	}
	for _, tt := range []typeRefusal{
		{text: "tensor<*xf32>", offset: 7, words: "without a rank", reason: "4.4: unranked is not allowed"},
		{text: "tensor<?x3xf32>", offset: 7, words: "not known", reason: "there is no value for it"},
		{text: "tensor<2x3xf32, #a.b<[3,1]>", offset: 27, words: "expected >", reason: "not closed"},
		{text: "tensor<2x3xf32, strided<[1,2]>>", offset: 16, words: "where elements lie",
			reason: "a memref has strides"},
		{text: "tensor<2x3xf32,>", offset: 15, words: "encoding", reason: "nothing after the comma"},
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

// TestTypesApart checks that no form is read in two notations, and that inputs of others are rejected.
func TestTypesApart(t *testing.T) {
	types := []string{"xla", "stablehlo", "mlir", "affine-map"}
	for _, n := range all {
		for _, name := range types {
			o, _ := Find(name)
			if got := o.takes(n.Doc().Example); got != (n == o) && (got || n == o) && n.system() != o.system() {
				t.Errorf("%s fits %s: %v", name, n.Doc().Example, got)
			}
			if o, _ := Find(name); n.system() != o.system() && n.takes(o.Doc().Example) {
				t.Errorf("%s fits %s", n.Name, o.Doc().Example)
			}
		}
	}
}

// TestTypesNeverPanic reads parts of inputs, and inputs with a wrong byte.
func TestTypesNeverPanic(t *testing.T) {
	texts := []string{
		"%p = (f32[2,<=3]{1,0:T(*,2)(2,1)L(4)E(32)S(1)SC(0:1)M(3)}, b(s4[8]))",
		"memref<2x3xf32, strided<[-5, 0x1], offset: 5>, #gpu.address_space<workgroup>>",
		"memref<4x8xf32, affine_map<(d0, d1)[s0] -> (-(d0 floordiv 4) * 3 + 12, d1 mod 4 ceildiv 1)>, \"x\">",
		"tensor<2x?xcomplex<f32>, #a.b<(x) -> {y}>>",
	}
	for _, text := range texts {
		for i := range text {
			bad := []string{text[:i], text[i:], strings.Repeat(text[:i], 3)}
			for _, c := range []byte("0*?{(<-,x:\"9") {
				bad = append(bad, text[:i]+string(c)+text[i+1:])
			}
			for _, name := range []string{"xla", "stablehlo", "mlir", "affine-map"} {
				n, _ := Find(name)
				for _, s := range bad {
					for _, d := range unlessWrong(n.Read(s, Options{Dims: []int64{3}})) {
						_, _ = n.Write(d.Tensor)
						_, _ = figures(n, d.Tensor)
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
		"f32[1,3,224,224]{1,3,2,0}", "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}",
		"f32[32,32,3,3]{3,2,1,0:T(16,16,1,1)(16,4,1,1)}",
		"tensor<1x3x224x224xf32>", "memref<1x3x224x224xf32, strided<[150528, 1, 672, 3]>>",
		"memref<2x20x3x4xf32, affine_map<(d0, d1, d2, d3) -> (d0, d1 floordiv 16, d2, d3, d1 mod 16)>>",
	} {
		for _, n := range all {
			if !n.claims(text) {
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
