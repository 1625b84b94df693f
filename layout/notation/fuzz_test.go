package notation

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/layouttest"
)

// fuzzGroups share out the notations among fuzz targets, by how their names start. What none
// names is a literal.
var fuzzGroups = [...]struct {
	target string
	starts []string
}{
	{"XLA", []string{"xla", "stablehlo"}},
	{"MLIR", []string{"mlir", "affine"}},
	{"CuTe", []string{"cute", "name"}},
	{"OneDNN", []string{"onednn"}},
}

// group returns the notations of a fuzz target.
func group(target string) (group []*Notation) {
	for _, n := range readers() {
		of := "Literals"
		for _, g := range fuzzGroups {
			for _, start := range g.starts {
				if strings.HasPrefix(n.Name, start) {
					of = g.target
				}
			}
		}
		if of == target {
			group = append(group, n)
		}
	}
	return group
}

func FuzzLiterals(f *testing.F) { fuzzGroup(f, "Literals") }
func FuzzXLA(f *testing.F)      { fuzzGroup(f, "XLA") }
func FuzzMLIR(f *testing.F)     { fuzzGroup(f, "MLIR") }
func FuzzCuTe(f *testing.F)     { fuzzGroup(f, "CuTe") }
func FuzzMemory(f *testing.F)   { fuzzGroup(f, "OneDNN") }

// fuzzGroup reads inputs in one of the notations of a group, selected by a byte. The lowest bit of another byte gives
// values to the open sizes of the input.
func fuzzGroup(f *testing.F, target string) {
	notations := group(target)
	for i, n := range notations {
		for _, seed := range append(seeds(target), n.Doc().Example) {
			f.Add(byte(i), byte(len(seed)), seed)
		}
	}
	f.Fuzz(func(t *testing.T, which, open byte, text string) {
		defer layouttest.Limit(t, len(text))()
		n := notations[int(which)%len(notations)]
		found, err := n.Read(text, fuzzOptions(open))
		checkReading(t, text, found, err)
	})
}

// FuzzRead reads inputs without naming their notation.
func FuzzRead(f *testing.F) {
	f.Add(byte(0), "\n") // lines, and none with a tensor
	for _, n := range readers() {
		f.Add(byte(0), n.Doc().Example)
	}
	for _, g := range append(fuzzGroups[:], struct {
		target string
		starts []string
	}{target: "Literals"}) {
		for _, seed := range seeds(g.target) {
			f.Add(byte(1), seed)
		}
	}
	f.Fuzz(func(t *testing.T, open byte, text string) {
		defer layouttest.Limit(t, len(text))()
		found, err := Read(text, fuzzOptions(open))
		checkReading(t, text, found, err)
		if err == nil && !Recognises(text) {
			t.Fatalf("%q is read, and not recognised", text)
		}
	})
}

func fuzzOptions(open byte) Options {
	if open%2 == 0 {
		return Options{}
	}
	return Options{DType: 1, Dims: []int64{2, 3}}
}

// checkReading checks that an input is either rejected with a good error, or read as tensors that stay in their bounds.
// Every notation that can express such a tensor must write it so that it is read again.
func checkReading(t *testing.T, text string, found []Descriptor, err error) {
	t.Helper()
	if err != nil {
		checkRefusal(t, text, err)
		return
	}
	if len(found) == 0 {
		t.Fatalf("%q: neither a tensor nor an error", text)
	}
	for _, d := range found[:min(len(found), 3)] {
		checkNotes(t, text, d.Skipped)
		offsets(t, d.Tensor.Layout())
		for _, n := range readers() {
			checkRewritten(t, n, text, d)
		}
	}
}

// checkRewritten writes the reading of text, and reads it again.
func checkRewritten(t *testing.T, n *Notation, text string, d Descriptor) {
	t.Helper()
	x := d.Tensor.Layout()
	again, err := n.Write(d.Tensor)
	var loss *LossError
	var overflow *layout.OverflowError
	if errors.As(err, &loss) || errors.As(err, &overflow) {
		return
	}
	if err != nil {
		t.Fatalf("%q is %v, which %s does not write: %#v", text, x, n.Name, err)
	}
	found, err := n.Read(again, Options{DType: d.Tensor.DType()})
	if err != nil || len(found) != 1 {
		t.Fatalf("%q is %v, which %s writes %q, which is %d tensors, %v", text, x, n.Name, again, len(found), err)
	}
	y := found[0].Tensor.Like(x)
	if analysis.SameAxes(x, y.Layout()) != nil || !analysis.Same(x, y.Layout()) ||
		found[0].Typed && y.DType() != d.Tensor.DType() {
		t.Fatalf("%q is %v of %v, which %s writes %q, which is %v of %v", text, x, d.Tensor.DType(), n.Name, again,
			y.Layout(), y.DType())
	}
	if _, err := figures(n, d.Tensor); err != nil && !errors.As(err, &overflow) {
		t.Fatalf("%q is %v, which %s writes %q: %v", text, x, n.Name, again, err)
	}
}

// checkRefusal checks that an error is one for a user: short, in plain words, and about a byte of
// the text.
func checkRefusal(t *testing.T, text string, err error) {
	t.Helper()
	hint := ""
	var syntax *layout.SyntaxError
	var overflow *layout.OverflowError
	switch {
	case errors.As(err, &syntax):
		hint = syntax.Hint
		if syntax.Offset < 0 || syntax.Offset > len(syntax.Input) || syntax.Input != "" && syntax.Input != text {
			t.Fatalf("%q: %v at %d of %q", text, err, syntax.Offset, syntax.Input)
		}
	case !errors.As(err, &overflow):
		t.Fatalf("%q: %v is a %T", text, err, err)
	}
	checkWords(t, text, err.Error())
	checkWords(t, text, hint)
	if err.Error() == "" {
		t.Fatalf("%q: an error without words", text)
	}
}

// checkNotes checks the notes on skipped parts.
func checkNotes(t *testing.T, text string, notes []string) {
	t.Helper()
	for _, note := range notes {
		checkWords(t, text, note)
	}
}

// checkWords checks that a message is short, printable, and not one of Go's messages.
func checkWords(t *testing.T, text, words string) {
	t.Helper()
	fault := ""
	for _, leak := range []string{"strconv", "%!", "runtime error", "interface {", "interface conversion", "parsing \"",
		"invalid syntax", "<nil>", "0xc0"} {
		if strings.Contains(words, leak) && !strings.Contains(text, leak) {
			fault = "has " + leak
		}
	}
	for _, c := range words {
		if c < ' ' || c == 0x7f || c == utf8.RuneError {
			fault = "has a byte that is not text"
		}
	}
	if len(words) >= 300 {
		fault = "is too long"
	}
	if fault != "" {
		t.Fatalf("%q %s; it is about %.400q", words, fault, text)
	}
}

// seeds are inputs in the notations of a fuzz target, as the systems write them. Some are valid, and others nearly
// valid.
func seeds(target string) []string {
	switch target {
	case "XLA":
		return xlaSeeds
	case "MLIR":
		return mlirSeeds
	case "CuTe":
		return cuteSeeds
	case "OneDNN":
		return oneDNNSeeds
	}
	return literalSeeds
}

var literalSeeds = []string{
	"torch.empty_strided((2, 3), (5, 1), dtype=torch.float32)",
	"torch.empty(2, 3, 4, 5, memory_format=torch.channels_last)",
	"torch.empty(13, dtype=torch.float16).as_strided((2, 3), (4, 1), 5)",
	"torch.Size([2, 3]) (4, 1)",
	"size=(2,3), stride=(4,1), storage_offset=3",
	"f32[2, 3][4, 2]cpu",
	`Tensor "bf16[2, 3, 4, 5][60, 1, 15, 3]cuda:0"`,
	"i64[2, 0][1, 1]cpu",
	"np.lib.stride_tricks.as_strided(np.empty(8, '<f4')[5:], (2, 3), (20, 4))",
	"np.ndarray((2,3), np.int16, None, 4, (6, 2))",
	"np.zeros((2,3), order='F')",
	"shape=(5,), strides=(-2,), dtype='<i2'",
	"{'shape': (2, 3), 'typestr': '<f4', 'strides': (12, 4), 'data': (94025, False), 'offset': 4, 'version': 3}",
	"{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }",
	"const UINT sizes[4] = {1, 64, 112, 112}, st[] = {802816u, 1, 0x1C00, 64ULL}; // NHWC\nDML_BUFFER_TENSOR_DESC d " +
		"= {}; d.DataType = DML_TENSOR_DATA_TYPE_FLOAT16; d.DimensionCount = ARRAYSIZE(sizes); d.Sizes = sizes; " +
		"d.Strides = &st[0];",
	"dml::TensorDesc{DML_TENSOR_DATA_TYPE_FLOAT32, {1, 3, 4, 5}}",
	"$1 = {DataType = DML_TENSOR_DATA_TYPE_FLOAT32, Flags = DML_TENSOR_FLAG_NONE, DimensionCount = 2, Sizes = " +
		"0x7ffe5581c010 <sizes>, Strides = 0x0} sizes = {2, 3}",
	`{ "Type": "DML_TENSOR_TYPE_BUFFER", "Desc": { "DataType": "FLOAT16", "Sizes": [5, 55], "Strides": [9, 3], ` +
		`"Flags": "OWNED_BY_DML" } }`,
	`"A": { "DataType": "INT4", "Sizes": [3] }, "B": { "DataType": "UINT8", "Sizes": [1, 3, 5, 7], "DimensionCount": ` +
		`3 }`,
	"std::layout_left_padded<4>::mapping<std::extents<int, 5, 3, 2>>{}",
	"std::layout_stride::mapping<std::dextents<int, 2>>(std::dextents<int, 2>(2, 3), std::array{4, 1})",
	"std::extents<int, 2, 3>, {5, 1}",
	"{2, 3}, {5, 1}",
	"int64_t shape[2] = {2, 3}; DLTensor t = {NULL, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, NULL, 8};",
	`{"shape": [2, 3], "strides": null, "dtype": [2, 32, 1], "byte_offset": 8}`,
	`{"dl_tensor": {"shape": [3], "dtype": {"code": 17, "bits": 4, "lanes": 1}, "byte_offset": 1}}`,
	"type = GGML_TYPE_F32, ne = {5, 4, 3, 2}, nb = {4, 20, 80, 240}",
	"ne = [4096, 11008], type = GGML_TYPE_Q4_0, nb = [18, 2304, 25362432, 25362432]",
	"setStorage: sizes [2, 3], strides [3, 1], storage offset 4, and itemsize 2 requiring a storage size of 20",
	"q: shape=torch.Size([4, 8]) stride=(1, 4) dtype=torch.half\nk.shape=torch.Size([2]), k.stride()=(3,)",
	"a.shape=(3, 4), a.strides=(32, 8), a.dtype=dtype('float64')", "x.shape\ntorch.Size([2, 3])\nx.stride()\n(1, 2)",
	"grad.sizes() = [32, 4], strides() = [4, 1]", "torch.ops.aten.as_strided.default(x, [8, 8], [1, 8], 3)",
	"      1:   8 |  2,     4,     1,     1 | F16     | blk.0.weight", "| 1 | norm | N | 4 | 4 x 1 | F32 | 32.0 |",
	"[   1/ 291] a.weight - [ 4096, 32], type =    f16, size = 1 MB", "INFO:a.weight, torch.half --> F16, shape = " +
		"{4, 2}",
	"std::mdspan<const float, std::extents<unsigned int, 3, 4>> m(p);", "std::mdspan<unsigned char volatile>(p, 2)",
	"size=(?, 3), stride=(?, 1)", "(", "{[(<", "a = b = c", "\"", "/*", "-", "0x", "9223372036854775808",
}

var xlaSeeds = []string{
	"f32[4,3,5]{2,0,1}", "f32[3,5]{1,0:T(2,2)}", "s8[4,8]{1,0:T(2,4)(2,1)}", "bf16[32,256]{1,0:T(8,128)(2,1)}",
	"f32[5,7]{0,1:T(8,128)L(2048)S(1)}",
	"f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}", "s4[3,5]{1,0:E(4)}",
	"f32[]", "f32[0,3]{1,0}", "f32[<=8,?]{1,0:M(16)}",
	"(f32[2]{0}, (s32[], pred[3]), /*index=5*/token[])", "%p.1 = f32[2,3]{1,0} parameter(0)", "b(f32[2,3])",
	"f32[3]{0:T(2)(2)(2)}",
	"tensor<2x3xf32>", "tensor<f32>", "tensor<0x3xi1>", "tensor<?x3xcomplex<f32>, #sparse<x = [1, 2]>>",
	"%0 : tensor<2xbf16>", "tensor<*xf32>",
}

var mlirSeeds = []string{
	"memref<8x16xf32, strided<[32, 2], offset: 3>>", "memref<2x3xf32, strided<[-3,1], offset: 3>>",
	"memref<f32, strided<[], offset: 7>>", "memref< 2x3xf32 , 3 : i32>",
	"memref<?x4xf32, strided<[?, 1], offset: ?>>",
	"memref<2x3xf32, affine_map<(d0,d1)->(d0*4+d1+7)>>",
	"memref<15x30xf32, affine_map<(d0, d1) -> (d0 floordiv 4, d1 floordiv 8, d0 mod 4, d1 mod 8)>>",
	"memref<2x3xf32, affine_map<(d0, d1)[s0] -> (d1, d0 - 0)>>",
	"memref<6xi8, affine_map<(i) -> (-(i * -2) + (i mod 3 ceildiv 1))>, \"space\">", "memref<2x3xf32, #map>",
	"memref<8xf32, affine_map<(a) -> ((a * 6) floordiv 3 mod 4)>>",
}

var cuteSeeds = []string{
	"(4,(2,2)):(2,(1,8))", "(4, (2, 2)):(2, (1, 8))", "((2,2),2):((4,1),2)", "8:2", "(8,):(1,)", "(_1,_4,1,_2)",
	"(4,3):(-3,1)", "():()", "(0,3):(3,1)", "(4,?):(?{div=4},1)",
	"ptr<f32, generic> o (?,?):(?,1)", "gmem_ptr[32b](0x7f) o (_4,_3):(_0,_1)", "Sw<2,1,3> o _0 o (_8,_8):(_8,_1)",
	"(4,5):(_1@0,_1@1)",
	`!cute.layout<"((4096,1),7):((1,0),4096)">`, `!m = !cute.memref<f16, gmem, align<16>, "(?,4):(?{i64 div=8},1)">`,
	"!cute.composed_layout<\"S<3,4,3> o 0 o (8,8):(8,1)\">\n%2 = cute.static : !cute.layout<\"(2,2):(2,1)\">",
	"make_ordered_layout(Shape<_4,Shape<_2,_3>>{}, Step<_1,Step<_2,_0>>{})", "cute.make_ordered_layout((4, 8), " +
		"order=(1, 0))",
	"Half(100352,50176:2,224,1) -> Float(150528,50176,224,1)",
	"1x3x224x224 NHWC", "N=1,H=2,C=3,W=4 NHWC", "1x17x4x5 aBcd16b", "32x16x3x3 OIhw4i16o4i", "[] row-major",
	"2x3x4 column-major", "1x3x5x5 kDLA_HWC4", "1x4x2x2 NC/4HW4",
}

var oneDNNSeeds = []string{
	"dnnl::memory::desc({2, 17, 4, 5}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::nChw16c)",
	"memory::desc src({4, 3}, memory::data_type::s8, memory::dims{8, 1})",
	"auto d = memory::desc({DNNL_RUNTIME_DIM_VAL, 3}, memory::data_type::f32, {3, 1});",
	"--dt=f32 --tag=acdb 1x3x224x224", "--sdt=u8 --ddt=s8 --stag=axb --dtag=aBx16b 2x3x4x5",
	"--conv --dt=u8:s8:f32 --stag=acdb g2mb1_ic16oc32_ih7oh7kh3sh1dh0ph1",
	"--matmul --strides=8x4x1:24x6x1:21x7x1 3x2x4:3x4x6", "--wtag=BA16a16b4a 40x20:20x30n\"name\"",
	"src:f32::blocked:acdb::f0 1x3x224x224", "dst_f32:p:blocked:aBcd16b:f0 2x17x4x5",
	"src:f32:0:blocked:aBcd16b:512x256x64x16:f0,,,2x16x4x4",
	"onednn_verbose,v1,primitive,exec,cpu,reorder,jit:uni,undef,src:f32::blocked:abcd::f0 " +
		"dst:f32:p:blocked:aBcd16b::f0,,,2x17x4x5,0.1",
	"dnnl_verbose,exec,cpu,convolution,jit,forward,src_f32::blocked:acdb:f0 wei_f32::blocked:ABcd4b16a4b:f0 " +
		"bia_undef::undef::f0 " +
		"dst_f8_e4m3::blocked:acdb:f0,,alg:direct,mb1_ic16oc32_ih7oh7kh3sh1dh0ph1_iw7ow7kw3sw1dw0pw1,1",
	"onednn_verbose,v1,graph,exec,cpu,1,sdp,a;b,,in0_f16:0:strided:undef:2x3:3s1 in1_f32:1:opaque:constant:3:7 " +
		"out0_f32:5:any:undef:3:any,fpm:strict,dnnl_backend,0.2",
	"inputs:{f32:102:strided:undef:2x3:3x1},outputs:{s32:1:strided:undef:2x3:1x2}",
	"onednn_verbose,v1,primitive,exec,gpu,sdpa,ocl:micro:any,undef,query:f16::blocked:abc::f0 " +
		"key:f16::blocked:acb::f0 " +
		"val:f16::blocked:abc::f0 msk:f16::blocked:abc::f0 dst:f16::blocked:abc::f0,,alg:x msk:2d,2x3x4:2x4x5:2x5x4,1",
	"onednn_verbose,exec,cpu,concat,simple,undef,src:f32::blocked:ab::f0 src:f32:a:any:::f0 " +
		"dst:f32::blocked:ab::f0,attr-scratchpad:user,axis:1,2x3:2x4,0.2",
}
