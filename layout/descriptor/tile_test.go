package descriptor_test

import (
	"fmt"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/notation"
)

// TestTile writes the tiles of descriptors. The layouts are the forms in the comments of make_gmma_desc and
// make_umma_desc (CUTLASS), with T elements in 16 bytes, and the offsets of the descriptor in elements.
func TestTile(t *testing.T) {
	for _, tt := range []struct {
		bits, target, dtype, k, mn string
	}{
		// B128, K: Swizzle<3,4,3> o smem_ptr o ((8,m),(T,2)):((8T,SBO),(1,T)), SBO = 1024 bytes.
		{"0x4000004000010040", "sm90", "float16", "Sw<3,3,3> o 0 o ((8,8),(8,2)):((64,512),(1,8))", ""},
		{"0x4000004000010042", "sm90", "float16", "Sw<3,3,3> o 16 o ((8,8),(8,2)):((64,512),(1,8))", ""},
		{"0x4000404000010040", "sm100", "int8", "Sw<3,4,3> o 0 o ((8,16),(16,2)):((128,1024),(1,16))", ""},
		// B32, K: ((8,m),(T,2)):((2T,SBO),(1,T)), and MN: ((T,2,m),(8,k)):((1,T,LBO),(2T,SBO)), LBO = 512, SBO = 2048.
		{"0xc000008000200000", "sm90", "float16", "Sw<1,3,3> o 0 o ((8,8),(8,2)):((16,1024),(1,8))",
			"Sw<1,3,3> o 0 o ((8,2,4),(8,2)):((1,8,256),(16,1024))"},
		// INTERLEAVE, K: ((8,m),(T,2)):((1T,SBO),(1,LBO)), and MN: ((T,1,m),(8,k)):((1,T,SBO),(1T,LBO)), LBO = 128,
		// SBO = 256.
		{"0x0000001000080080", "sm90", "float32", "((8,8),(4,2)):((4,64),(1,32))",
			"((4,1,16),(8,1)):((1,4,64),(4,32))"},
		{"0x0000001000080080", "sm90", "float8_e4m3fn", "((8,8),(16,2)):((16,256),(1,128))",
			"((16,1,4),(8,4)):((1,16,256),(16,128))"},
		// An offset of 0 has no step.
		{"0x4000004000000040", "sm90", "float16", "Sw<3,3,3> o 0 o ((8,8),(8,2)):((64,512),(1,8))",
			"Sw<3,3,3> o 0 o ((8,8,1),(8,2)):((1,8,0),(64,512))"},
		{"0x4000001000010040", "sm90", "float16",
			"elements overlap: 8 rows take 1024 bytes, and the stride offset is 256", ""},
		{"0x4000004000010040", "sm90", "float64", "tiles of descriptors have elements of 1, 2 or 4 bytes", ""},
		{"0x2000404000010040", "sm100", "float16", "the strides of SWIZZLE_128B_BASE32B are not documented", ""},
		{"0x400e004000010040", "sm90", "float16", "a tile with a base offset or a leading mode is not a CuTe layout",
			""},
	} {
		m, err := descriptor.ParseMatrix(tt.bits, tt.target)
		if err != nil {
			t.Fatal(err)
		}
		d, err := layout.ParseDType(tt.dtype)
		if err != nil {
			t.Fatal(err)
		}
		tile, err := m.Tile(d)
		if err != nil {
			tile = descriptor.MatrixTile{K: err.Error()}
		}
		if tile.K != tt.k || tile.MN != tt.mn {
			t.Errorf("%s of %s: %q and %q, want %q and %q", tt.bits, tt.dtype, tile.K, tile.MN, tt.k, tt.mn)
		}
	}
}

// TestTileAgain makes a descriptor of each tile of a descriptor: it is the same one.
func TestTileAgain(t *testing.T) {
	for _, target := range descriptor.MatrixTargets {
		for _, bits := range []int64{8, 16, 32} {
			for swizzle := range 4 {
				for _, major := range []string{"k", "mn"} {
					for _, start := range []int64{0x2400, 0x2420} {
						tileAgain(t, target, bits, swizzle, major, start)
					}
				}
			}
		}
	}
}

// tileAgain makes the descriptor of a tile of 256 rows, of the tile that the descriptor describes, and compares them.
func tileAgain(t *testing.T, target string, bits int64, swizzle int, major string, start int64) {
	t.Helper()
	width := 128 << swizzle / bits // elements of a row of the pattern
	text := fmt.Sprintf("((8,32),(%d,8)):((%d,%d),(1,%d))", width, width, 64*width, 8*width)
	if major == "mn" {
		text = fmt.Sprintf("((%d,%d),(8,4)):((1,%d),(%d,%d))", width, 256/width, 32*width, width, 8*width)
	}
	base := int64(0)
	if swizzle > 0 {
		base = start % 1024 * 8 / bits
		text = fmt.Sprintf("Sw<%d,%d,3> o %d o %s", swizzle, map[int64]int{8: 4, 16: 3, 32: 2}[bits], base, text)
	}
	d, _ := layout.DTypeOf(bits)
	made := func(text string, address int64) *descriptor.Matrix {
		_, read, err := notation.ReadLayout(text, notation.Options{DType: d})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		m, err := descriptor.MakeMatrix(read.Tensor, target, address)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return m
	}
	m := made(text, start-base*bits/8)
	tile, err := m.Tile(d)
	if err != nil || m.Major != major {
		t.Fatalf("%s: %s-major, %v", text, m.Major, err)
	}
	again := made(map[string]string{"k": tile.K, "mn": tile.MN}[major], tile.Address)
	if again.Bits != m.Bits {
		t.Errorf("%s: 0x%x, and of its tile %q 0x%x", text, m.Bits, tile, again.Bits)
	}
}
