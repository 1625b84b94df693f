package tvlayout_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/tvlayout"
)

func TestHardware(t *testing.T) {
	type vector struct {
		ID, Name string
		Index    []int64
		Holders  [][]int64
		Lane     int64
		Bits     []int64 // the bits of the index with the position of an element
	}
	for _, v := range vectors[vector](t, "hardware.jsonl") {
		o := read(t, v.Name)
		list := holders(t, o, v.Index)
		if v.Bits == nil {
			if !slices.EqualFunc(list, v.Holders, slices.Equal) {
				t.Errorf("%s: %s %v: %v, want %v", v.ID, v.Name, v.Index, list, v.Holders)
			}
			continue
		}
		if len(list) != 1 {
			t.Errorf("%s: %s %v: %v, want one", v.ID, v.Name, v.Index, list)
			continue
		}
		_, low, high, ok := o.Register(list[0][tvlayout.Value])
		if lane := list[0][tvlayout.Lane]; !ok || lane != v.Lane || low != v.Bits[0] || high != v.Bits[1] {
			t.Errorf("%s: %s %v: lane %d, bits %d-%d, want %d, %v", v.ID, v.Name, v.Index, lane, low, high, v.Lane,
				v.Bits)
		}
	}
}

// TestPlacesOfParts compares the holders of an element with the elements of a holder. It has matrices of each
// instruction with values that are not one element each, and results in tensor memory.
func TestPlacesOfParts(t *testing.T) {
	var names []string
	for kind, shape := range map[string]string{"mxf8f6f4": "m16n8k32", "mxf4": "m16n8k64", "mxf4nvf4": "m16n8k64"} {
		for _, matrix := range strings.Fields("A B C SFA SFB SFA{0,1} SFB{0,3}") {
			names = append(names, "mma.kind::"+kind+"."+shape+":"+matrix)
		}
	}
	names = append(names, "mma.kind::mxf8f6f4.m16n8k32:SFA{3,1}", "mma.kind::mxf4nvf4.m16n8k64.scale_vec::4X:SFB{0,2}")
	for _, matrix := range strings.Fields("A B C E") {
		names = append(names, "mma.sp.m16n8k64.s8:"+matrix, "mma.sp.kind::mxf4.m16n8k128:"+matrix)
	}
	for _, matrix := range strings.Fields("A B D I") {
		names = append(names, "v_smfmac_f32_16x16x32_f16:"+matrix, "v_smfmac_i32_32x32x32_i8:"+matrix,
			"v_swmmac_f32_16x16x32_bf16:"+matrix, "v_swmmac_i32_16x16x32_iu8:"+matrix)
	}
	for _, matrix := range strings.Fields("A B D SA SB") {
		names = append(names, "v_mfma_scale_f32_16x16x128_f8f6f4.fp4:"+matrix,
			"v_mfma_scale_f32_32x32x64_f8f6f4.fp4:"+matrix)
	}
	names = append(names, "v_mfma_scale_f32_32x32x64_f8f6f4.fp8:A", "v_mfma_f32_16x16x32_f16:B",
		"v_mfma_i32_32x32x32_i8:A")
	for _, shape := range []string{
		"m128n64", "m64n256", "m256n16.cta_group::2", "m128n32.cta_group::2", "m64n32.ws", "m32n64.ws",
	} {
		names = append(names, "tcgen05.mma."+shape+":D")
	}
	for _, name := range names {
		o := read(t, name)
		held, found := map[string]int64{}, map[string]int64{}
		for holder, number := range o.Held([4]int64{-1, -1, -1, -1}) {
			held[fmt.Sprint(holder)] = number
		}
		index := make([]int64, 2)
		for at := range o.Indices() {
			number, err := o.Tile().Offset(at)
			if err != nil {
				t.Fatal(err)
			}
			list, count := o.Holders().Of(number)
			if o.Index(index, number); count == 0 || index[0] != at[0] || index[1] > at[1] {
				t.Fatalf("%s: %v has number %d of %v, and %d holders", name, at, number, index, count)
			}
			for _, holder := range list {
				found[fmt.Sprint(holder)] = number
				n := 0
				for _, number := range o.Held([4]int64(holder)) {
					if n++; number != found[fmt.Sprint(holder)] {
						t.Fatalf("%s: %v holds %d, want %d", name, holder, number, found[fmt.Sprint(holder)])
					}
				}
				if n != 1 {
					t.Fatalf("%s: %v holds %d elements", name, holder, n)
				}
			}
		}
		if fmt.Sprint(held) != fmt.Sprint(found) {
			t.Errorf("%s: %d places hold elements, and elements have %d", name, len(held), len(found))
		}
	}
}

func TestSpellings(t *testing.T) {
	for _, same := range [][]string{
		{
			"mma.kind::mxf4nvf4.m16n8k64.scale_vec::4X:SFB", "mma.m16n8k64.kind::mxf4nvf4.scale_vec::4X:SFB",
			"mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32." +
				"ue4m3:SFB{0,0}",
			"SM120_16x8x64_TN_VS<float_e2m1_t,float_e2m1_t,float,float_ue4m3_t,16>:SFB",
		},
		{
			"mma.kind::mxf8f6f4.m16n8k32:A", "mma.m16n8k32.e4m3:A",
			"SM120_16x8x32_TN_VS<float_e4m3_t, float_e4m3_t, float, float_ue8m0_t, 32>:A",
		},
		{
			"tcgen05.mma.m128n256.cta_group::2:D",
			"SM100_MMA_F16BF16_2x1SM_SS<half_t,half_t,float,128,256,UMMA::Major::K,UMMA::Major::K>:D",
		},
		{
			"v_mfma_f32_16x16x32_f16:D", "__builtin_amdgcn_mfma_f32_16x16x32_f16:D", "MFMA_F32_16x16x32_F16:D@cdna4",
			"v_mfma_f32_16x16x32_f16:D@gfx950",
		},
	} {
		first := read(t, same[0])
		for _, other := range same[1:] {
			if o := read(t, other); !o.Layout().Equal(first.Layout()) || !o.Tile().Equal(first.Tile()) {
				t.Errorf("%s: %v; %s: %v", other, o.Layout(), same[0], first.Layout())
			}
		}
	}
}
