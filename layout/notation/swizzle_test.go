package notation_test

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/notation"
)

// TestSwizzledVectors reads CuTe layouts and compares the offsets of their elements with the offsets that pycute gives.
func TestSwizzledVectors(t *testing.T) {
	t.Parallel()
	f, err := os.Open("testdata/swizzled.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	n := 0
	for lines.Scan() {
		var v struct {
			ID     string
			Input  struct{ Text string }
			Expect struct {
				Order         string
				Offsets       json.RawMessage
				Lowest        *int64
				Highest, Span int64
				Unique        *bool
				Packed        *bool
				Sizes         []int64
				Strides       []int64
				DType         string
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		n++
		found, err := notation.Read(v.Input.Text, notation.Options{})
		if err != nil || len(found) != 1 {
			t.Errorf("%s: %v", v.Input.Text, err)
			continue
		}
		l, want := found[0].Tensor.Layout(), v.Expect
		if facts := analysis.Of(l); want.Lowest != nil {
			if low, high := l.Bounds(); low != *want.Lowest || high != want.Highest || facts.Span != want.Span {
				t.Errorf("%s: %d to %d, want %d to %d", v.Input.Text, low, high, *want.Lowest, want.Highest)
			}
		}
		if got := analysis.Of(l).Unique == analysis.Yes; want.Unique != nil && got != *want.Unique {
			t.Errorf("%s: unique %v", v.Input.Text, got)
		}
		if got := analysis.Of(l).Packed() == analysis.Yes; want.Packed != nil && got != *want.Packed {
			t.Errorf("%s: packed %v", v.Input.Text, got)
		}
		if want.Sizes != nil && !slices.Equal(l.Sizes(), want.Sizes) {
			t.Errorf("%s: sizes %v, want %v", v.Input.Text, l.Sizes(), want.Sizes)
		}
		if strides, _ := l.Strides(); want.Strides != nil && !l.IsSwizzled() && !slices.Equal(strides, want.Strides) {
			t.Errorf("%s: strides %v, want %v", v.Input.Text, strides, want.Strides)
		}
		if d := found[0].Tensor.DType().String(); want.DType != "" && d != want.DType {
			t.Errorf("%s: elements are %s, want %s", v.Input.Text, d, want.DType)
		}
		var all []int64
		var some [][2]json.RawMessage
		switch {
		case want.Offsets == nil:
		case json.Unmarshal(want.Offsets, &all) == nil:
			if got := firstFastest(l); !slices.Equal(got, all) {
				t.Errorf("%s: offsets %v, want %v", v.Input.Text, got, all)
			}
		default:
			if err := json.Unmarshal(want.Offsets, &some); err != nil {
				t.Fatal(v.ID, err)
			}
			for _, pair := range some {
				var index []int64
				var offset int64
				if json.Unmarshal(pair[0], &index) != nil || json.Unmarshal(pair[1], &offset) != nil {
					t.Fatal(v.ID)
				}
				if got, err := l.Offset(index); err != nil || got != offset {
					t.Errorf("%s at %v: %d, %v, want %d", v.Input.Text, index, got, err, offset)
				}
			}
		}
	}
	if n < 20 {
		t.Errorf("only %d vectors", n)
	}
}

// firstFastest returns the offsets of all elements, the first index running fastest.
func firstFastest(l layout.Layout) []int64 {
	sizes := l.Sizes()
	all := make([]int64, l.Elements())
	for index, offset := range l.All() {
		at := int64(0)
		for i, v := range slices.Backward(index) {
			at = at*sizes[i] + v
		}
		all[at] = offset
	}
	return all
}

// TestSwizzledTexts reads swizzles as CuTe, its Python DSL and C++ write them, over bytes and over elements.
func TestSwizzledTexts(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, want, note string }{
		{"Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)", "Sw<3,3,3> o 0 o (8,64):(64,1)", "bytes"},
		{"Sw<3,4,3>_smem_ptr[16b](0x7f8a00000400) o (_8,_64):(_64,_1)", "Sw<3,3,3> o 0 o (8,64):(64,1)", "bytes"},
		{
			"tensor<ptr<f32, smem, align<1024>, S<3,4,3>> o ((32,2),(8,8)):((1,2048),(32,256))>",
			"Sw<3,2,3> o 0 o ((32,2),64):((1,2048),32)", "bytes, the Python DSL",
		},
		{
			`!cute.memref<f16, smem, align<128>, S<3,4,3>, "(8,64):(64,1)">`, "Sw<3,3,3> o 0 o (8,64):(64,1)",
			"bytes, a type",
		},
		{"Sw<3,3,3> o 0 o (8,64):(64,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)", "elements"},
		{"S<3,3,3> o _0 o (8,64):(64,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)", "elements, static"},
		{"Sw<2,4,-3> o 8 o (8,2,2):(2,16,1)", "Sw<2,4,-3> o 8 o (8,2,2):(2,16,1)", "a base and a negative shift"},
		{
			"smem_ptr[16b](0x7f8f00000c00) o Sw<3,3,3> o _0 o (_8,_64):(_64,_1)", "Sw<3,3,3> o 0 o (8,64):(64,1)",
			"elements, behind the pointer",
		},
		{`!cute.composed_layout<"S<3,4,3> o 0 o (8,256):(256,1)">`, "Sw<3,4,3> o 0 o (8,256):(256,1)", "a type"},
		{
			"composition(Swizzle<3,3,3>{}, Layout<Shape<_8,_64>, Stride<_64,_1>>{})", "Sw<3,3,3> o 0 o (8,64):(64,1)",
			"C++",
		},
		{
			"cute::composition(cute::Swizzle<3,3,3>{}, make_layout(make_shape(8, 64), make_stride(64, 1)))",
			"Sw<3,3,3> o 0 o (8,64):(64,1)", "C++ with namespaces",
		},
		{
			"ComposedLayout<Swizzle<3,4,3>, smem_ptr_flag_bits<16>, Layout<Shape<_8,_64>, Stride<_64,_1>>>",
			"Sw<3,3,3> o 0 o (8,64):(64,1)", "a flag in place of a pointer: bytes",
		},
		{
			"ComposedLayout<Swizzle<3,3,3>, _64, Layout<Shape<_8,_64>, Stride<_64,_1>>>",
			"Sw<3,3,3> o 64 o (8,64):(64,1)", "a base",
		},
		{"Sw<3,3,3> o 0 o (2,3)", "(2,3):(1,2)", "a swizzle that moves nothing"},
		{"Sw<0,0,0> o 0 o (8,64):(64,1)", "(8,64):(64,1)", "no bits"},
		{"GMMA::Layout_K_SW128_Atom<half_t>", "Sw<3,3,3> o 0 o (8,64):(64,1)", "K-major: rows of 128 bytes"},
		{"GMMA::Layout_MN_SW64_Atom<float>", "Sw<2,2,3> o 0 o (16,8):(1,16)", "MN-major: rows of 64 bytes"},
		{"UMMA::Layout_K_INTER_Atom<cutlass::bfloat16_t>{}", "(8,8):(8,1)", "no swizzle: rows of 16 bytes"},
		{"using A = cute::GMMA::Layout_K_SW32_Atom<float_e4m3_t>;", "Sw<1,4,3> o 0 o (8,32):(32,1)", "an alias"},
		{"Sw<1,0,3> o Sw<1,1,4> o 0 o (4,16):(16,1)", "Sw<1,0,3> o Sw<1,1,4> o 0 o (4,16):(16,1)", "two"},
	}
	for _, tt := range tests {
		found, err := notation.Read(tt.text, notation.Options{})
		if err != nil || len(found) != 1 {
			t.Errorf("%s: %s: %v", tt.note, tt.text, err)
			continue
		}
		cute, _ := notation.Find("cute")
		got, err := cute.Write(found[0].Tensor)
		if err != nil || got != tt.want {
			t.Errorf("%s: %s is %s, %v, want %s", tt.note, tt.text, got, err, tt.want)
		}
	}
}

// TestSwizzleAddress checks the note on an address that is not a multiple of 1,024 bytes, the period of Sw<3,4,3>.
func TestSwizzleAddress(t *testing.T) {
	t.Parallel()
	for address, noted := range map[string]bool{"0x7f8a00000400": false, "0x7f8a00000480": true, "unset": false} {
		found, err := notation.Read("Sw<3,4,3> o smem_ptr[16b]("+address+") o (_8,_64):(_64,_1)", notation.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := slices.ContainsFunc(found[0].Skipped, func(note string) bool {
			return note == "the address "+address+" is 128 bytes after a multiple of 1024: the swizzle acts on "+
				"addresses, and the offsets are those of a tile that starts at a multiple"
		})
		if got != noted {
			t.Errorf("%s: the notes are %q", address, found[0].Skipped)
		}
	}
}

// TestSwizzleIsNoStride writes a swizzled tensor in every notation: only CuTe has swizzles.
func TestSwizzleIsNoStride(t *testing.T) {
	t.Parallel()
	found, err := notation.Read("Sw<3,3,3> o 0 o (8,64):(64,1)", notation.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range notation.All() {
		if text, err := n.Write(found[0].Tensor); (err == nil) != (n.Name == "cute") {
			t.Errorf("%s: %q, %v", n.Name, text, err)
		}
	}
}
