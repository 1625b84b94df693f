package tvlayout_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/tvlayout"
)

// A fragment is a vector about an instruction: of PTX's documents, CuTe's traits, AMD's calculator.
type fragment struct {
	ID, Kind, Name  string
	TV              string // from thread and value, the first index of the tile fastest, B as (n,k)
	Eight           bool   // the threads of TV are four lanes and the four that are 16 lanes farther
	Index           []int64
	Warp, Lane      int64
	Value, Register int64
	Bits            []int64
	Calculator      string
	Lanes, Slots    [][]int64 // the change of row, column, block for each bit
	Holds           []struct {
		Lane, Value int64
		Index       []int64
	}
}

// read reads an ownership that has to be one.
func read(t *testing.T, text string, tile ...int64) *tvlayout.Ownership {
	t.Helper()
	o, err := tvlayout.Read(text, tvlayout.Options{Tile: tile})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return o
}

// holders returns who holds the element at an index.
func holders(t *testing.T, o *tvlayout.Ownership, index []int64) [][]int64 {
	t.Helper()
	number, err := o.Tile().Offset(index)
	if err != nil {
		t.Fatalf("%s: %v: %v", o.Name(), index, err)
	}
	list, _ := o.Holders().Of(number)
	return list
}

func TestInstructions(t *testing.T) {
	for _, v := range vectors[fragment](t, "instructions.jsonl") {
		t.Run(v.ID, func(t *testing.T) {
			o := read(t, v.Name)
			checkInverse(t, o)
			switch v.Kind {
			case "atom_tv":
				v.checkTV(t, o)
			case "owner":
				v.checkOwner(t, o)
			case "owner_amd":
				if have := calculated(o, holders(t, o, v.Index)); have != v.Calculator {
					t.Errorf("%s %v: %s, want %s", v.Name, v.Index, have, v.Calculator)
				}
			case "atom_bases_amd":
				v.checkBases(t, o)
			default:
				for _, h := range v.Holds {
					want := [][]int64{{0, 0, h.Lane, h.Value}}
					if have := holders(t, o, h.Index); !slices.EqualFunc(have, want, slices.Equal) {
						t.Errorf("%s %v: %v, want %v", v.Name, h.Index, have, want)
					}
				}
			}
		})
	}
}

// checkTV compares an ownership with a CuTe layout.
func (v fragment) checkTV(t *testing.T, o *tvlayout.Ownership) {
	found, err := notation.Read(v.TV, notation.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tv := found[0].Tensor.Layout()
	if want := o.Layout().Elements(); tv.Elements() != want && !v.Eight {
		t.Fatalf("%s has %d values, %s %d", v.TV, tv.Elements(), v.Name, want)
	}
	index := make([]int64, o.Tile().Rank())
	rows := o.Tile().Axis(len(index) - 2).Size()
	if strings.HasSuffix(v.Name, ":B") {
		rows = o.Tile().Axis(len(index) - 1).Size()
	}
	for at, offset := range tv.All() {
		thread := at[0]
		if v.Eight {
			thread = thread%4 + thread/4*16
		}
		number, err := o.Layout().Offset([]int64{0, thread / 32, thread % 32, at[1]})
		if err != nil {
			t.Fatal(err)
		}
		o.Index(index, number)
		first, second := index[len(index)-2], index[len(index)-1]
		if strings.HasSuffix(v.Name, ":B") {
			first, second = second, first
		}
		if first+rows*second != offset {
			t.Fatalf("%s: thread %d, value %d: %v, and in %s %d", v.Name, thread, at[1], index, v.TV, offset)
		}
	}
}

func (v fragment) checkOwner(t *testing.T, o *tvlayout.Ownership) {
	want := [][]int64{{0, v.Warp, v.Lane, v.Value}}
	if have := holders(t, o, v.Index); !slices.EqualFunc(have, want, slices.Equal) {
		t.Fatalf("%s %v: %v, want %v", v.Name, v.Index, have, want)
	}
	register, low, high, ok := o.Register(v.Value)
	if !ok || register != v.Register || v.Bits != nil && !slices.Equal(v.Bits, []int64{low, high}) {
		t.Errorf("%s value %d: register %d, bits %d-%d; want %d, %v", v.Name, v.Value, register, low, high, v.Register,
			v.Bits)
	}
}

// calculated writes holders as AMD's calculator does: vREGISTER{LANE}.[BITS].
func calculated(o *tvlayout.Ownership, list [][]int64) string {
	var texts []string
	for _, h := range list {
		register, low, high, _ := o.Register(h[tvlayout.Value])
		text := fmt.Sprintf("v%d{%d}", register, h[tvlayout.Lane])
		if o.Bits() == 64 {
			text = fmt.Sprintf("v[%d:%d]{%d}", register+1, register, h[tvlayout.Lane])
		} else if o.Bits() < 32 {
			text += fmt.Sprintf(".[%d:%d]", high, low)
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, " ")
}

func (v fragment) checkBases(t *testing.T, o *tvlayout.Ownership) {
	for axis, want := range map[int][][]int64{tvlayout.Lane: v.Lanes, tvlayout.Value: v.Slots} {
		have := bases(o, axis)
		for i, index := range have {
			if len(index) == 3 {
				have[i] = []int64{index[1], index[2], index[0]}
			} else {
				have[i] = append(index, 0)
			}
		}
		if !slices.EqualFunc(have, want, slices.Equal) {
			t.Errorf("%s axis %d: %v, want %v", v.Name, axis, have, want)
		}
	}
}

// TestNames reads the spellings of an instruction, which are the same to the last element.
func TestNames(t *testing.T) {
	for _, same := range [][]string{
		{
			"mma.m16n8k16.f16:A", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32:A",
			"SM80_16x8x16_F32F16F16F32_TN:A", "mma.m16n8k16.bf16:a",
		},
		{"mma.m16n8k16.f16:C", "mma.m16n8k16.f16:D", "SM80_16x8x16_F32F16F16F32_TN:C"},
		{
			"wgmma.m64n128k16:C", "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16:D",
			"SM90_64x128x16_F32F16F16_SS:C",
		},
		{"ldmatrix.x4.trans", "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", "stmatrix.x4.trans"},
		{"v_mfma_f32_32x32x8f16:D", "v_mfma_f32_32x32x8_f16:D@cdna3", "v_mfma_f32_32x32x8_f16@gfx942:D"},
		{"v_wmma_f32_16x16x16_f16@gfx1100:A", "v_wmma_f32_16x16x16_f16:A@rdna3"},
		{"mma.m8n8k4.f16:A", "SM70_8x8x4_F32F16F16F32_TN:A"},
		{"mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32:B", "SM70_8x8x4_F32F16F16F32_NT:B"},
	} {
		first := read(t, same[0])
		for _, other := range same[1:] {
			if o := read(t, other); !o.Layout().Equal(first.Layout()) || !o.Tile().Equal(first.Tile()) {
				t.Errorf("%s: %v; %s: %v", other, o.Layout(), same[0], first.Layout())
			}
		}
	}
}

// TestUnknownNames has names that are rejected: unknown names, and names with two meanings.
func TestUnknownNames(t *testing.T) {
	for text, says := range map[string]string{
		"mma.m16n8k16:A":                            "unknown instruction",
		"mma.m16n8k15.f16:A":                        "unknown instruction",
		"mma.m16n8k16.f16":                          "the matrix is missing",
		"mma.m16n8k16.f16:E":                        "unknown matrix E",
		"wgmma.m64n128k16:B":                        "no thread holds it",
		"wgmma.m64n12k16:C":                         "unknown instruction",
		"v_wmma_f32_16x16x16_f16:A":                 "rdna3 and rdna4 hold this differently",
		"v_wmma_f32_16x16x16_f16:A@gfx942":          "has no such instruction",
		"v_mfma_f32_32x32x8_f16:A cbsz:1":           "lanes that are broadcast",
		"v_mfma_f32_32x32x8_f16:A blgp:1":           "lanes that are permuted",
		"v_wmma_f16_16x16x16_f16:D op_sel:1":        "takes the upper halves",
		"v_mfma_scale_f32_16x16x128_f8f6f4.fp8:A":   "of gfx950 those of fp4",
		"v_mfma_scale_f32_32x32x64_f8f6f4.fp6:A":    "of gfx950 those of fp4",
		"v_mfma_f32_16x16x128_f8f6f4:A":             "unknown instruction",
		"tcgen05.mma.cta_group::1.kind::f16":        "in shared and tensor memory",
		"v_mfma_f32_32x32x4_f16:A":                  "unknown instruction",
		"v_mfma_f32_32x32x16_f16:A@gfx942":          "has no such instruction",
		"v_wmma_f32_16x16x16_f16:A@gfx1250":         "gfx1250 is not documented",
		"mma.kind::mxf4.m16n8k64.scale_vec::4X:SFA": "has no scale_vec::4X",
		"mma.kind::mxf4.m16n8k64:SFA{1,0}":          "the selectors {1,0} are not those of SFA",
		"mma.kind::mxf4.m16n8k64:SFA{0,2}":          "the selectors {0,2} are not those of SFA",
		"mma.kind::mxf4.m16n8k64:SFA{0}":            "byte-id and thread-id",
		"tcgen05.mma.m32n64:D":                      "no such result of 32 rows",
		"tcgen05.mma.m128n12:D":                     "no result of 12 columns",
		"tcgen05.mma.m128n64.foo:D":                 "unknown instruction",
		"tcgen05.mma.m128n64:A":                     "in shared and tensor memory",
		"tcgen05.mma.sp.m128n64:D":                  "sparse instructions of tcgen05",
		"mma.sp.sync.aligned.m16n8k16.f16:A":        "sparse instructions",
		"ldmatrix.x3":                               "unknown instruction",
		"ldmatrix.x4:A":                             "none is A or B",
		"tcgen05.ld.16x64b.x256":                    "unknown instruction",
		"tcgen05.ld.16x99b":                         "unknown instruction",
		"nonsense":                                  "unknown instruction",
	} {
		o, err := tvlayout.Read(text, tvlayout.Options{})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, %v; want %q", text, o, err, says)
		}
	}
	for text, near := range map[string]string{
		"mma.m16n8k17.f16:A":       "mma.m16n8k16.f16:A",
		"mma.m16n8k16:A":           "mma.m16n8k16.bf16:A",
		"mma.m16n8k99":             "mma.m16n8k8.f16:A",
		"wgmma.m64n8k17.f16:B":     "wgmma.m64n8k16.f16:A",
		"v_mfma_f32_32x32x4_f16:A": "v_mfma_f32_32x32x4_2b_f16:A",
		"v_mfma_f32_9x9x9_f16:D":   "v_mfma_f32_32x32x4_2b_f16:D",
		"v_mfma_i32_16x16x32_i9:A": "v_mfma_i32_16x16x32_i8:A",
		"v_wmma_f32_8x8x8_f16:C":   "v_wmma_f32_16x16x16_f16@rdna3:C",
		"wgmma.m64n12k16.f16:C":    "wgmma.m64n8k16.f16:C",
		"tcgen05.ld.16x99b":        "tcgen05.ld.16x64b.x2",
	} {
		_, err := tvlayout.Read(text, tvlayout.Options{})
		var fault *lexer.SyntaxError
		if !errors.As(err, &fault) || !strings.Contains(fault.Hint, near) {
			t.Fatalf("%s: %+v; want %s", text, fault, near)
		}
		if list, ok := strings.CutPrefix(fault.Hint, "the nearest are "); ok { // each can be typed
			for name := range strings.SplitSeq(list, ", ") {
				read(t, name)
			}
		}
	}
	if _, err := tvlayout.Read("mma.m16n8k16.f16:A", tvlayout.Options{Tile: []int64{16, 8}}); err == nil {
		t.Error("a tile of another size is taken")
	}
}

// TestEveryInstruction compares the holders of each matrix of each instruction with the elements that they hold.
func TestEveryInstruction(t *testing.T) {
	var names []string
	for types, shapes := range map[string]string{
		"f16 bf16": "m16n8k8 m16n8k16", "tf32": "m16n8k4 m16n8k8", "s8 u8 e4m3 e5m2": "m16n8k16 m16n8k32",
		"s4 u4": "m16n8k32 m16n8k64 m8n8k32", "f64": "m16n8k4 m16n8k8 m16n8k16 m8n8k4", "s8": "m8n8k16",
		"f16": "m8n8k4",
	} {
		for shape := range strings.FieldsSeq(shapes) {
			for dtype := range strings.FieldsSeq(types) {
				names = append(names, "mma."+shape+"."+dtype+":")
			}
		}
	}
	for name := range strings.FieldsSeq("f32_32x32x1_2b_f32 f32_32x32x2_f32 f32_16x16x4_f32 f32_4x4x1_16b_f32 " +
		"f32_32x32x4_2b_f16 f32_32x32x8_f16 f32_16x16x16_f16 f32_4x4x4_16b_f16 f32_32x32x4_2b_bf16 " +
		"f32_32x32x8_bf16 f32_16x16x16_bf16 f32_4x4x4_16b_bf16 i32_32x32x4_2b_i8 i32_4x4x4_16b_i8 " +
		"i32_32x32x16_i8 i32_16x16x32_i8 f32_32x32x16_fp8_bf8 f32_16x16x32_bf8_fp8 f32_32x32x4_xf32 " +
		"f32_16x16x8_xf32 f64_16x16x4_f64 f32_32x32x2bf16 f32_32x32x4bf16 f32_16x16x8bf16 f32_4x4x2bf16 " +
		"f32_32x32x4bf16_1k f32_16x16x16bf16_1k i32_32x32x8i8 f64_16x16x4f64 f32_16x16x1_4b_f32 f32_16x16x4_4b_f16 " +
		"f32_16x16x2bf16 f32_16x16x4bf16_1k i32_16x16x4_4b_i8 f64_4x4x4_4b_f64") {
		names = append(names, "v_mfma_"+name+":")
	}
	for name := range strings.FieldsSeq("f32_16x16x16_f16@gfx11 bf16_16x16x16_bf16@gfx11 i32_16x16x16_iu4@gfx11 " +
		"f32_16x16x16_bf16@gfx12 f16_16x16x16_f16@gfx12 i32_16x16x16_iu8@gfx12 f32_16x16x16_fp8_bf8@gfx12 " +
		"i32_16x16x16_iu4@gfx12 i32_16x16x32_iu4@gfx12") {
		names = append(names, "v_wmma_"+name+":")
	}
	for _, name := range names {
		for _, matrix := range []string{"A", "B", "C"} {
			checkInverse(t, read(t, name+matrix))
		}
	}
	for _, name := range []string{
		"wgmma.m64n24k16:C", "wgmma.m64n256k8:A", "wgmma.m64n8k32:C", "ldmatrix.x1", "ldmatrix.x2.trans", "ldmatrix.x4",
		"tcgen05.ld.32x32b.x128", "tcgen05.ld.16x64b.x4", "tcgen05.st.16x128b.x2", "tcgen05.ld.16x256b.x1",
		"tcgen05.ld.16x32bx2.x2",
	} {
		checkInverse(t, read(t, name))
	}
}

// TestSharedOperand has the operands that PTX reads through matrix descriptors: B of wgmma and tcgen05.mma always, A
// unless it is in registers (wgmma) or in tensor memory (.ts).
func TestSharedOperand(t *testing.T) {
	for name, want := range map[string]string{
		"wgmma": "wgmma", "wgmma:A": "wgmma", "wgmma:B": "wgmma", "tcgen05": "tcgen05", "tcgen05.mma:A": "tcgen05",
		"tcgen05:B": "tcgen05", "wgmma.m64n128k16.f16:B": "wgmma", "SM90_64x128x16_F32F16F16_SS<>:A": "wgmma",
		"SM90_64x128x16_F32F16F16_RS:B": "wgmma", "tcgen05.mma.m128n256:A": "tcgen05",
		"SM100_MMA_F16BF16_SS<half_t, half_t, float, 128, 256>:B": "tcgen05",

		"wgmma:C": "", "wgmma.m64n128k16.f16:A": "", "SM90_64x128x16_F32F16F16_RS:A": "", "tcgen05.mma.m128n256:D": "",
		"SM100_MMA_F16BF16_TS<half_t, half_t, float, 128, 256>:A": "", "mma.m16n8k16.f16:B": "",
		"tcgen05.ld.16x64b": "", "wgmma=32": "", "SM90_TMA_LOAD": "", "SM90_U32x4_STSM_N": "", "": "", "0=32": "",
		"ldmatrix.x4:B": "",
	} {
		if of := tvlayout.SharedOperand(name); of != want {
			t.Errorf("%q: %q, want %q", name, of, want)
		}
	}
}

// TestTensorMemoryScales compares scales in tensor memory with CUTLASS (tmem_sf_frg, 4x1): row r is in data path r %
// 32, repeated at 32, 64 and 96, in column r / 32, and scale s is byte s of the column.
func TestTensorMemoryScales(t *testing.T) {
	for _, name := range []string{
		"tcgen05.mma.m128n256:SFA", "tcgen05.mma.kind::mxf4.block32.m128n64:SFB",
		"SM100_MMA_MXF4_SS<a, b, c, d, 128, 256, 16>:SFB",
	} {
		o := read(t, name)
		checkInverse(t, o)
		rows := o.Tile().Elements() / 4
		for row := range rows {
			for scale := range int64(4) {
				var want [][]int64
				for path := row % 32; path < 128; path += 32 {
					want = append(want, []int64{0, path / 32, path % 32, 4*(row/32) + scale})
				}
				index := []int64{row, scale}
				if strings.HasSuffix(name, "B") {
					index = []int64{scale, row}
				}
				if have := holders(t, o, index); !slices.EqualFunc(have, want, slices.Equal) {
					t.Fatalf("%s (%d,%d): %v, want %v", name, row, scale, have, want)
				}
			}
		}
	}
	for name, says := range map[string]string{
		"tcgen05.mma.m256n128.cta_group::2:SFA": "128 rows in one CTA",
		"tcgen05.mma.m64n128:SFB":               "128 rows in one CTA",
		"tcgen05.mma.sp.m128n128:SFA":           "128 rows in one CTA", "tcgen05.mma:SFB": "128 rows in one CTA",
		"tcgen05.mma.m128n72:SFB": "for 72 columns", "tcgen05.mma.m128n128:SFA{0,1}": "no selectors",
	} {
		if o, err := tvlayout.Read(name, tvlayout.Options{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, %v, want %q", name, o, err, says)
		}
	}
}
