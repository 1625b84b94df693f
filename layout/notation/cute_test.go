package notation

import (
	"fmt"
	"strings"
	"testing"

	"layoutcalc/layout"
)

// TestCuTeVectors has layouts that CuTe's C++ was run on: offsets by a coordinate that counts
// through all modes, the leftmost fastest.
func TestCuTeVectors(t *testing.T) {
	tests := []struct {
		text         string
		size, cosize int64
		offsets      string
		reason       string
	}{
		{text: "(4,(2,2)):(2,(1,8))", size: 16, cosize: 16, offsets: "0 2 4 6 1 3 5 7 8 10 12 14 9 11 13 15",
			reason: "a mode of two modes; l(13) = 11"},
		{text: "(3,(2,3)):(3,(12,1))", size: 18, cosize: 21, offsets: "0 3 6 12 15 18 1 4 7 13 16 19 2 5 8 14 17 20",
			reason: "offset 16 of the count is coordinate (1,(1,2))"},
		{text: "((2,2),2):((4,1),2)", size: 8, cosize: 8, offsets: "0 4 1 5 2 6 3 7", reason: "nested first mode"},
		{text: "((4,2)):((2,1))", size: 8, cosize: 8, offsets: "0 2 4 6 1 3 5 7", reason: "rank 1"},
		{text: "(4,3):(_1,4)", size: 12, cosize: 12, offsets: "0 1 2 3 4 5 6 7 8 9 10 11", reason: "column-major"},
		{text: "(4,3):(3,_1)", size: 12, cosize: 12, offsets: "0 3 6 9 1 4 7 10 2 5 8 11", reason: "row-major"},
		{text: "(4,3):(8,1)", size: 12, cosize: 27, offsets: "0 8 16 24 1 9 17 25 2 10 18 26", reason: "padded"},
		{text: "(_4,_3):(_0,_1)", size: 12, cosize: 3, offsets: "0 0 0 0 1 1 1 1 2 2 2 2",
			reason: "a stride of 0 counts once"},
		{text: "8:2", size: 8, cosize: 15, offsets: "0 2 4 6 8 10 12 14", reason: "depth 0"},
		{text: "(8):(2)", size: 8, cosize: 15, offsets: "0 2 4 6 8 10 12 14",
			reason: "depth 1: the same function of one coordinate"},
		{text: "(0,3):(3,1)", reason: "C++: size 0, cosize 0"},
		{text: "():()", size: 1, cosize: 1, offsets: "0", reason: "no modes: size 1 in concept"},
	}
	cute := notationOf(t, "cute")
	for _, tt := range tests {
		d, err := single(t, "cute", tt.text, Options{})
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		l := d.Tensor.Layout()
		if got := colexicographic(t, l); l.Elements() != tt.size || got != tt.offsets {
			t.Errorf("%s: size %d, offsets %s, want %d, %s; %s", tt.text, l.Elements(), got, tt.size, tt.offsets,
				tt.reason)
		}
		if got := figureOf(t, cute, d.Tensor, "cosize"); got.Elements != tt.cosize {
			t.Errorf("%s: cosize %d, want %d; %s", tt.text, got.Elements, tt.cosize, tt.reason)
		}
		checkRoundTrip(t, cute, d.Tensor)
	}
}

// colexicographic lists the offsets with the first axis counting fastest.
func colexicographic(t *testing.T, l layout.Layout) string {
	t.Helper()
	offsets := make([]string, l.Elements())
	for c := range offsets {
		index, rest := make([]int64, l.Rank()), int64(c)
		for i := range index {
			index[i] = rest % l.Axis(i).Size()
			rest /= l.Axis(i).Size()
		}
		offset, err := l.Offset(index)
		if err != nil {
			t.Fatal(err)
		}
		offsets[c] = fmt.Sprint(offset)
	}
	return strings.Join(offsets, " ")
}

// TestCuTeCoordinates has offsets of coordinates with one number for each mode.
func TestCuTeCoordinates(t *testing.T) {
	tests := []struct {
		text   string
		index  []int64
		offset int64
		reason string
	}{
		{text: "(4,(2,2)):(2,(1,8))", index: []int64{3, 1}, offset: 7, reason: "l(3,1)"},
		{text: "(4,(2,2)):(2,(1,8))", index: []int64{3, 3}, offset: 15,
			reason: "l(3,(1,1)): 1 + 2 x 1 in the second mode"},
		{text: "(4,(2,2)):(2,(1,8))", index: []int64{1, 3}, offset: 11, reason: "l(1,3)"},
	}
	for _, tt := range tests {
		d, err := single(t, "cute", tt.text, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := d.Tensor.Layout().Offset(tt.index); got != tt.offset || err != nil {
			t.Errorf("%s at %v is %d, %v, want %d; %s", tt.text, tt.index, got, err, tt.offset, tt.reason)
		}
	}
}

// TestCuTeCosizes checks that C++ adds up magnitudes, and that pycute uses the last offset.
func TestCuTeCosizes(t *testing.T) {
	cute := notationOf(t, "cute")
	x := plainTensor(t, "float32", 0, []int64{4, 3}, []int64{-3, 1})
	if cpp, python := figureOf(t, cute, x, "cosize"),
		figureOf(t, cute, x, "cosize in pycute"); cpp.Elements != 12 || python.Elements != -6 {
		t.Errorf("(4,3):(-3,1) has cosize %d in C++ and %d in pycute, want 12 and -6", cpp.Elements, python.Elements)
	}
	sizes, err := figures(cute, plainTensor(t, "float32", 0, []int64{4, 3}, []int64{8, 1}))
	if err != nil || len(sizes) != 1 {
		t.Errorf("(4,3):(8,1) has the figures %v, %v, want one: both agree", sizes, err)
	}
}

func TestCuTeReadings(t *testing.T) {
	checkReadings(t, "cute", []reading{
		{"(4,3)", "4,3 @ 1,4", "omitted strides: LayoutLeft"},
		{"(2,(2,2))", "2,4 @ 1, 2:4 2:2", "the prefix product ignores nesting"},
		{"(_1,_8)", "1,8 @ 0,1", "a static 1 gets stride 0"},
		{"(_1,_4,1,_2)", "1,4,1,2 @ 0,1,4,4", "a dynamic 1 keeps the product"},
		{"(1,8)", "1,8 @ 1,1", "dynamic"},
		{"(2,3):(5,1)", "2,3 @ 5,1", "plain strides: the same order of modes"},
		{"(4, (2, 2)):(2, (1, 8))", "4,4 @ 2, 2:8 2:1", "as pycute prints it"},
		{"(8,):(1,)", "8 @ 1", "pycute, rank 1"},
		{"(8):(_1)", "8 @ 1", "C++, rank 1"},
		{"8:1", "8 @ 1", "depth 0"},
		{"(_4,_2):(_-2,_1)", "4,2 @ -2,1", "static and negative"},
		{"(1,(16,2),2,2):(128,(1,64),32,16)", "1,32,2,2 @ 128, 2:64 16:1,32,16", "nChw16c: inner digits first"},
	})
}

func TestCuTeWrites(t *testing.T) {
	tests := []struct {
		tensor       layout.Tensor
		want, reason string
	}{
		{laidOut(t, "1x32x2x2", "nChw16c"), "(1,(16,2),2,2):(128,(1,64),32,16)", "oneDNN's block, inner digits first"},
		{plainTensor(t, "float32", 0, []int64{2, 3}, []int64{3, 1}), "(2,3):(3,1)", "the same order of modes"},
		{plainTensor(t, "float32", 0, []int64{8}, []int64{1}), "(8):(1)", "depth 1"},
		{plainTensor(t, "float32", 0, nil, nil), "():()", "rank 0"},
	}
	for _, tt := range tests {
		if got, err := notationOf(t, "cute").Write(tt.tensor); got != tt.want || err != nil {
			t.Errorf("%v is %s, %v, want %s; %s", tt.tensor.Layout(), got, err, tt.want, tt.reason)
		}
	}
}

func TestCuTeRefusals(t *testing.T) {
	checkRefusals(t, "cute", []wrong{
		{text: "SW_2_1_3", at: "SW_", says: "a swizzle needs a layout", reason: "pycute"},
		{text: "Swizzle<2,1,3>", at: "", says: "a swizzle needs a layout", reason: "a swizzle alone"},
		{text: "Sw<3,3,1> o 0 o (8,8):(8,1)", at: "Sw<", says: "only 1 apart", reason: "bits that overlap"},
		{text: "Sw<3,3,3> o 0 o (8,8):(8,-1)", at: "Sw<", says: "the lowest offset", reason: "an offset below 0"},
		{text: "Sw<1,0,3>_smem_ptr[16b](0x7f0) o (_8,_64):(_64,_1)", at: "Sw<", says: "parts of an element",
			reason: "bytes inside elements"},
		{text: "6 o 2:3", at: "6", says: "neither a swizzle nor a layout", reason: "a base alone"},
		{text: "Sw<99999999999,0,3> o 0 o (8,8):(8,1)", at: "Sw<", says: "no such bits", reason: "a huge number"},
		{text: "Sw<3,3> o 0 o (8,8):(8,1)", at: "> o", says: "expected ,", reason: "two numbers"},
		{text: "(4,5):(_1@0,_1@1)", at: "@0", says: "coordinates", reason: "a basis stride"},
		{text: "(4,5):(4,_1@0@1)", at: "@0@1", says: "coordinates", reason: "a basis stride of a nested mode"},
		{text: "(4,3):(1)", at: "(1)", says: "nested", reason: "not congruent: 2 modes, 1 stride"},
		{text: "(4,(2,2)):(1,4)", at: "4)", says: "nested", reason: "not congruent: a number for a tuple"},
		{text: "8:(1)", at: "(1)", says: "nested", reason: "8 and (8) differ"},
		{text: "(4,3):(1,4", at: "(1,4", says: "not closed", reason: "not closed"},
		{text: "(4,3):", says: "number", reason: "no strides"},
		{text: "(4,3):(1,4) x", at: "x", says: "unexpected text", reason: "something after it"},
		{text: "(4,?):(?,1)", at: "?):", says: "first ?", reason: "an unknown size"},
		{text: "(-4,3):(1,4)", at: "(-4", says: "negative", reason: "a size is not negative"},
	})
}

// TestCuTeCalls has the calls and types that make layouts, and the output of print_tensor, as in CUTLASS documents and
// in comments of kernels.
func TestCuTeCalls(t *testing.T) {
	checkReadings(t, "cute", []reading{
		{"Layout<Shape<_4,_8>,Stride<_8,_1>>", "4,8 @ 8,1", "a type"},
		{"Layout<Shape<_4, _8>>", "4,8 @ 1,4", "a type without strides: LayoutLeft"},
		{"cute::Layout<cute::tuple<cute::C<4>, cute::C<8>>, cute::tuple<cute::C<8>, cute::C<1>>>", "4,8 @ 8,1",
			"as compilers write the type"},
		{"make_layout(make_shape(4, 8), make_stride(8, 1))", "4,8 @ 8,1", "a call"},
		{"auto l = make_layout(make_shape(Int<4>{}, make_shape(2, Int<4>{})), " +
			"make_stride(Int<2>{}, make_stride(1, 8)));",
			"4,8 @ 2, 4:8 2:1", "nested"},
		{"Layout smem = cute::make_layout(make_shape(Int<4>{}, 8), LayoutRight{});", "4,8 @ 8,1", "LayoutRight"},
		{"make_layout(make_shape(4, 8), GenColMajor{})", "4,8 @ 1,4", "GenColMajor"},
		{"make_layout(Shape<_4,_8>{}, Stride<_8,_1>{})", "4,8 @ 8,1", "values of types"},
		{"cute.make_layout((4, (2, 4)), stride=(2, (1, 8)))", "4,8 @ 2, 4:8 2:1", "the Python DSL"},
		{"Layout((4, 8), (8, 1))", "4,8 @ 8,1", "pycute"},
		{"ptr[32b](0x7ffcc3db3f30) o (_2,_4):(_4,_1):", "2,4 @ 4,1", "print_tensor's head"},
		{"ptr[32b](0x7ffc7aa1f180) o (_2,_4):(_1,_2):\n    0    0    0    0\n    0    0    0    0\n", "2,4 @ 1,2",
			"print_tensor"},
		{"// ptr[32b](0x56391a931eb0) o ((_2,_2),(_3,_3)):((_1,_2),(_4,_12)):\n//     0    4    8\n" +
			"//     1    5    9\n",
			"4,9 @  2:2 2:1, 3:12 3:4", "in a comment"},
		{"(_2,_2):(_2,_1)\n      0   1 \n    +---+---+\n 0  | 0 | 1 |\n    +---+---+\n 1  | 2 | 3 |\n    +---+---+\n",
			"2,2 @ 2,1", "print_layout"},
		{"tensor_8     : ptr[32b](0x7f42efc00000) o _8:_1", "8 @ 1", "with a name"},
		{"smem_ptr[16b](0x7f2a) o (4,3):(3,_1)", "uint16 4,3 @ 3,1", "16 bits"},
		{"tensor(raw_ptr(0x0400: f16, smem, align<1024>) o (2,2):(2,1), data=\n  [[ 0.5, -1.0e-3 ],\n   [ nan, 3.0 ]])",
			"float16 2,2 @ 2,1", "print_tensor of the Python DSL"},
		{"raw_ptr(0x00007f42efc00000: f16, gmem, align<16>) o (128,64):(64,1)", "float16 128,64 @ 64,1",
			"the Python DSL"},
		{"Layout<Shape < _8,_64>,\n       Stride<_64, _1>>{}", "8,64 @ 64,1",
			"CUTLASS aligns its code: cutlass/issues/1051"},
		{"make_layout(make_shape (2, make_shape (2,2)),\n            make_stride(4, make_stride(2,1)))",
			"2,4 @ 4, 2:1 2:2", "cutlass/pull/912"},
		{"make_layout (make_shape (4, Int < 8 > {}), LayoutRight { })", "4,8 @ 8,1", "blanks everywhere"},
		{"( _4 , ( 2 , 2 ) ) : ( _2 , ( 1 , 8 ) )", "4,4 @ 2, 2:8 2:1", "blanks everywhere"},
		{"tCrA:\n  ptr[32b](0x7f) o (4,8):(8,1)", "4,8 @ 8,1", "a label on a line of its own"},
		{"smem layout: (4,8):(8,1)", "4,8 @ 8,1", "two words"},
		{"tCrA\n(4,8):(8,1)", "4,8 @ 8,1", "without a colon"},
	})
	const two = "tAgA: gmem_ptr[32b](0x7daf51e00000) o ((_4,_1),_1,_1,1):((_1,_0),_0,_0,1024)\n" +
		"tArA: ptr[32b](0x7daf5ffffcd0) o ((_4,_1),_1,_1):((_1,_0),_0,_0)\n"
	found, err := notationOf(t, "cute").Read(two, Options{})
	if err != nil || len(found) != 2 || found[0].Name != "tAgA" || found[1].Name != "tArA" ||
		meaning(found[0]) != "4,1,1,1 @  1:0 4:1,0,0,1024" {
		t.Errorf("%s: %v, %v", two, found, err)
	}
	if _, err := notationOf(t, "cute").Read("ptr[16b](0x7f) o 4:1", Options{Typed: true}); err == nil ||
		!strings.Contains(err.Error(), "16 bits, but -t is float32") {
		t.Errorf("elements of 16 bits, and -t float32: %v", err)
	}
	checkReadings(t, "cute", []reading{
		{"(4,8):(16,1)\nsize: 32\ncosize: 56\nrank: 2", "4,8 @ 16,1", "3 x 16 + 7 + 1 = 56"},
		{"layout: (4,8):(8,1), size = 32, cosize = 32", "4,8 @ 8,1", "on its line"},
	})
	checkRefusals(t, "cute", []wrong{
		{text: "(4,8):(16,1)\ncosize: 32", at: "cosize", says: "cosize is 32, and that of the layout is 56"},
		{text: "(4,8):(8,1) size: 8", at: "size", says: "size is 8, and that of the layout is 32"},
		{text: "(4,8):(8,1)\nrank: 3", at: "rank", says: "rank is 3, and that of the layout is 2"},
		{text: "make_layout(make_shape(4, N))", at: "N", says: "--dim N=8", reason: "a size of run time"},
		{text: "auto x = composition(foo, (2,2):(1,2));", at: "foo", says: "no layout of the name foo"},
		{text: "composition((6,4):(4,1), (3,4):(4,1))", at: "composition", says: "do not divide each other"},
		{text: "filter_zeros(composition((6,4):(4,1), 2:1))", at: "filter_zeros", says: "filter_zeros makes another"},
		{text: "upcast<2>(make_layout(make_shape(4, 8)))", at: "upcast", says: "upcast makes another"},
		{text: "coalesce((4,8):(1,4), 1, 2)", at: "coalesce", says: "the operands of coalesce are"},
		{text: "composition (4,8):(1,4)", at: ":", says: "this use of the layout", reason: "a word"},
		{text: "composition((4,8):(1,4), 2:1) o 3", at: "o 3", says: "this use of the layout"},
		{text: "composition(_, (2,2):(1,2))", at: "composition", says: "first operand of composition is not a layout"},
		{text: "composition(make_shape(2, 3), Layout<_2>{})", at: "composition", says: "is not a layout"},
		{text: "complement((2,2):(4,1), 24)(3)", at: "(3)", says: "this use of the layout"},
		{text: "make_layout(make_shape(4, 8)).stride()", at: ".stride", says: "not evaluated", reason: "a member"},
		{text: "make_layout(make_shape(4, 8))(_, 0)", at: "(_, 0", says: "not evaluated", reason: "a slice"},
		{text: "make_fragment_like(make_layout(make_shape(4, 8)))", at: "make_fragment", says: "makes another",
			reason: "any function of a layout"},
		{text: "make_composed_layout(a, 0, make_layout(make_shape(4, 8)))", at: "make_composed", says: "makes another",
			reason: "any function of a layout"},
		{text: "cute.make_layout((4, 8), order=(1, 0))", at: "order", says: "unknown field order",
			reason: "which make_ordered_layout has"},
		{text: "make_layout(product(4, 8))", at: "product", says: "not a number", reason: "another function"},
		{text: "make_layout(make_shape(Int<4>{3}, 8))", at: "{3", says: "not evaluated",
			reason: "no constructor of Int"},
		{text: "make_layout(make_shape(4, 8), LayoutRight{2})", at: "{2", says: "not evaluated", reason: "nor of it"},
		{text: "make_layout()", at: "make_layout", says: "make_layout needs shape", reason: "nothing given"},
		{text: "make_layout(make_shape(4, 8), make_stride(8, (1, 2)))", at: "(1, 2)", says: "not nested",
			reason: "congruence"},
		{text: "tCrA: GMMA::DescriptorIterator o (_1,_2):(_0,_2)", at: "GMMA", says: "Iterator is not a pointer",
			reason: "an iterator over descriptors"},
		{text: "ArithTuple(0,0) o (4,8):(8,1)", at: "Arith", says: "is not a pointer", reason: "coordinates"},
		{text: "GMMA::Layout_K_SW128_Atom<foo>", at: "foo", says: "unknown element type", reason: "a type"},
		{text: "GMMA::Layout_K_SW128_Atom<half_t, 3>", at: "Layout_K", says: "one element type", reason: "two"},
		{text: "composition(Swizzle<3,3,3>{})", at: "composition", says: "a swizzle and a layout", reason: "no layout"},
		{text: "composition(Swizzle<3,3>{}, make_layout(make_shape(8, 64)))", at: "Swizzle", says: "three numbers",
			reason: "two numbers"},
	})
}

// TestCuTeOperations has the examples in CuTe's documentation of its algebra of layouts, and in its comments.
func TestCuTeOperations(t *testing.T) {
	for text, want := range map[string]string{
		"composition((6,2):(8,2), (4,3):(3,1))":            "((2,2),3):((24,2),8)",
		"composition(make_layout(20, 2), (5,4):(4,1))":     "(5,4):(8,2)",
		"composition(10:16, Layout<Shape<_5,_2>>{})":       "(5,2):(16,80)",
		"cute::coalesce((2,(1,6)):(1,(6,2)))":              "12:1",
		"coalesce((2,(1,6)):(1,(6,2)), Step<_1,_1>{})":     "(2,6):(1,2)",
		"complement(4:1, Int<24>{})":                       "6:4",
		"complement((2,2):(1,6), 24)":                      "(3,2):(2,12)",
		"logical_divide((4,2,3):(2,1,8), Layout<_4,_2>{})": "((2,2),(2,3)):((4,1),(2,8))",
		"logical_divide((9,(4,8)):(59,(13,1)), make_tile(Layout<_3,_3>{}, Layout<Shape<_2,_4>,Stride<_1,_8>>{}))": "" +
			"((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))",
		"cute.zipped_divide((9,(4,8)):(59,(13,1)), (3:3,(2,4):(1,8)))": "" +
			"((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))",
		"logical_product((2,2):(4,1), 6:1)":                                            "((2,2),(2,3)):((4,1),(2,8))",
		"blocked_product((2,5):(5,1), (3,4):(1,3))":                                    "((2,3),(5,4)):((5,10),(1,30))",
		"raked_product((2,5):(5,1), (3,4):(1,3))":                                      "((3,2),(4,5)):((10,5),(30,1))",
		"coalesce(composition(6:8, make_layout(make_shape(3, 2), make_stride(2, 1))))": "(3,2):(16,8)",
		"tile_to_shape(composition(Swizzle<3,3,3>{}, Layout<Shape<_8,_64>,Stride<_64,_1>>{}), make_shape(128, 128), " +
			"Step<_2,_1>{})": "((8,16),(64,2)):((64,1024),(1,512))",
	} {
		d, err := single(t, "cute", text, Options{})
		if err != nil || d.Modes.String() != want {
			t.Errorf("%s is %s, want %s; %v", text, d.Modes, want, err)
		}
	}
	const text = "auto a = make_layout(make_shape(6, 2), make_stride(8, 2));\n" +
		"auto b = Layout<Shape<_4,_3>,Stride<_3,_1>>{}; // of threads\nauto c = cute::composition(a, b);\n"
	found, err := notationOf(t, "cute").Read(text, Options{})
	if err != nil || len(found) != 3 || found[2].Name != "c" || found[2].Modes.String() != "((2,2),3):((24,2),8)" {
		t.Errorf("%s: %+v, %v", text, found, err)
	}
}

func TestCuTePointers(t *testing.T) {
	tests := []struct {
		text          string
		dims          []int64
		want, skipped string
	}{
		{text: "gmem_ptr[32b](0x7f2a) o (4,3):(3,_1)", want: "4,3 @ 3,1",
			skipped: "not read: gmem_ptr[32b](0x7f2a), the pointer"},
		{text: "ptr[32b](0x7f2a) o (4,(2,2)):(2,(1,8))", want: "4,4 @ 2, 2:8 2:1",
			skipped: "not read: ptr[32b](0x7f2a), the pointer"},
		{text: "ptr<f32, generic> o (?,?,?):(?,?,1)", dims: []int64{2, 3, 4, 12, 4}, want: "float32 2,3,4 @ 12,4,1",
			skipped: "not read: ptr<f32, generic>, the pointer"},
		{text: "(?{div=4},?{i64}):(?{i64 div=4},1)", dims: []int64{8, 3, 4}, want: "8,3 @ 4,1"},
	}
	for _, tt := range tests {
		d, err := single(t, "cute", tt.text, Options{Dims: tt.dims})
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		if got := strings.Join(d.Skipped, "; "); meaning(d) != tt.want || got != tt.skipped {
			t.Errorf("%s: %s, skipped %q, want %s, %q", tt.text, meaning(d), got, tt.want, tt.skipped)
		}
	}
}

// TestOrderedLayouts has layouts packed in a given order, as compact_order of CuTe defines it: the stride of a
// mode is the
// product of the modes with smaller numbers.
func TestOrderedLayouts(t *testing.T) {
	checkReadings(t, "cute", []reading{
		{"make_ordered_layout(make_shape(4, 8, 2), make_step(2, 1, 0))", "4,8,2 @ 16,2,1", "8 x 2, 2, 1"},
		{"make_ordered_layout(Shape<_4,_8>{}, Step<_0,_1>{})", "4,8 @ 1,4", "the first mode fastest"},
		{"auto l = make_ordered_layout(Shape<_4,Shape<_2,_3>>{}, Step<_1,Step<_2,_0>>{});", "4,6 @ 3, 3:1 2:12",
			"3 first, then 4, then 2"},
		{"make_ordered_layout(make_shape(make_shape(2, 3), 8), make_step(1, 0))", "6,8 @  3:16 2:8,1",
			"one number for two modes"},
		{"sB = cute.make_ordered_layout((4, 8), order=(1, 0))", "4,8 @ 8,1", "the Python DSL"},
		{"cute.make_ordered_layout(shape=(64, 32, 3), order=(1, 0, 2))", "64,32,3 @ 32,1,2048", "stages outermost"},
		{"make_ordered_layout(make_shape(4, 8), make_step(5, 10))", "4,8 @ 1,4", "any numbers"},
	})
}
