package tvlayout_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/tvlayout"
)

// TestProgram reads encodings in a program by name. They must equal the encodings read alone with the shapes of
// tensors.
func TestProgram(t *testing.T) {
	data, err := os.ReadFile("../../testdata/gpu/kernel.ttgir")
	if err != nil {
		t.Fatal(err)
	}
	const blocked = "#ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], " +
		"order = [1, 0]}>"
	for _, tt := range []struct {
		name, text string
		tile       []int64
		bits       int64
	}{
		{"blocked", "tensor<64x64xf16, " + blocked + ">", nil, 16},
		{"#blocked", "tensor<32x64xf16, " + blocked + ">", []int64{32, 64}, 0},
		{"slice", "tensor<64xf16, #ttg.slice<{dim = 1, parent = " + blocked + "}>>", nil, 16},
	} {
		o, err := tvlayout.Read(string(data), tvlayout.Options{Name: tt.name, Tile: tt.tile})
		want := read(t, tt.text)
		if err != nil || !o.Layout().Equal(want.Layout()) || !o.Tile().Equal(want.Tile()) || o.Bits() != tt.bits {
			t.Errorf("%s: %v, %v; want %v", tt.name, o, err, want)
		}
	}
	for name, says := range map[string]string{
		"": "3 encodings of registers", "mma": "of several shapes", "shared": "unknown encoding",
		"smem": "unknown encoding",
	} {
		o, err := tvlayout.Read(string(data), tvlayout.Options{Name: name})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, %v; want %q", name, o, err, says)
		}
	}
	only := "#a = " + blocked + "\n%0 = f : tensor<64x64xf16, #a>"
	o, err := tvlayout.Read(only, tvlayout.Options{})
	if err != nil || !slices.Equal(o.Tile().Sizes(), []int64{64, 64}) {
		t.Errorf("the only encoding: %v, %v", o, err)
	}
	loop := "#a = #ttg.slice<{dim = 0, parent = #b}>\n#b = #ttg.slice<{dim = 0, parent = #a}>\n"
	if o, err := tvlayout.Read(loop, tvlayout.Options{Name: "a", Tile: []int64{4}}); err == nil {
		t.Errorf("parents in a circle: %v", o)
	}
	if o, err := tvlayout.Read("#a=", tvlayout.Options{}); err == nil {
		t.Errorf("a definition of nothing: %v", o)
	}
	d, err := layout.ParseDType("f32")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tvlayout.Read("mma.m16n8k16.f16:A", tvlayout.Options{Name: "a", DType: &d}); err == nil {
		t.Error("an instruction has no names")
	}
}

// TestWrapped reads a definition over several lines. It skips comments and lines that only look like a definition.
func TestWrapped(t *testing.T) {
	const text = "// #no = #ttg.blocked<{}>\n" +
		"  #a = #ttg.blocked<{sizePerThread = [1, 8],\n" +
		"  threadsPerWarp = [4, 8],\n" +
		"  warpsPerCTA = [4, 1], order = [1, 0]}>\n" +
		"module {\n" +
		"  %0 = \"#x = #y\" : tensor<32x64xf16, #a> loc(#loc1)\n" +
		"  %1 = f : tensor<32x64xf16, #a>, tensor<64xf16>\n" +
		"}\n" +
		"#loc1 = loc(\"a\")\n"
	o, err := tvlayout.Read(text, tvlayout.Options{})
	if err != nil || !slices.Equal(o.Tile().Sizes(), []int64{32, 64}) || o.Bits() != 16 {
		t.Fatalf("%v, %v", o, err)
	}
	list := holders(t, o, []int64{5, 9})
	if want := [][]int64{{0, 1, 9, 1}}; !slices.EqualFunc(list, want, slices.Equal) {
		t.Errorf("%v, want %v", list, want)
	}
}

// BenchmarkProgram reads a program of 10 MB.
func BenchmarkProgram(b *testing.B) {
	const line = "    %1 = arith.addf %a, %b : tensor<64x64xf16, #blocked> loc(#loc1)\n"
	text := "#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], " +
		"order = [1, 0]}>\nmodule {\n" + strings.Repeat(line, 10_000_000/len(line)) + "}\n"
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := tvlayout.Read(text, tvlayout.Options{Name: "blocked"}); err != nil {
			b.Fatal(err)
		}
	}
}
