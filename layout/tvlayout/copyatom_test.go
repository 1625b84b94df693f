package tvlayout_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/tvlayout"
)

// A traits is the layouts of a copy atom: from thread and value to a number of 16 bits, as copy_traits_sm75.hpp and
// copy_traits_sm90.hpp of CuTe have them in bits.
type traits struct {
	name              string
	registers, memory func(thread, value int64) int64
	values            int64 // in registers
	stores            bool
}

// atoms returns the atoms of x matrices.
func atoms(x int64) []traits {
	memory := func(thread, value int64) int64 { return thread%(8*x)*8 + value }
	plain := func(thread, value int64) int64 { return thread*2 + value%2 + value/2*64 }
	transposed := func(thread, value int64) int64 { return thread%4*16 + thread/4 + value%2*8 + value/2*64 }
	return []traits{
		{fmt.Sprintf("SM75_U32x%d_LDSM_N", x), plain, memory, 2 * x, false},
		{fmt.Sprintf("SM75_U16x%d_LDSM_T", 2*x), transposed, memory, 2 * x, false},
		{fmt.Sprintf("SM90_U32x%d_STSM_N", x), plain, memory, 2 * x, true},
		{fmt.Sprintf("SM90_U16x%d_STSM_T", 2*x), transposed, memory, 2 * x, true},
	}
}

// operandAt returns the index of a value of a thread in an operand of SM80_16x8x16_F32F16F16F32_TN, two atoms along M
// and two along N, in a tile of 32x32x32: PTX's fragments, repeated along M or N first, then along K.
func operandAt(matrix string, thread, value int64) (row, column int64) {
	lane, warp := thread%32, thread/32
	pair, odd := value/2, value%2
	switch matrix {
	case "A": // 8 values of an atom; two atoms along K
		return lane/4 + 8*(pair%2) + 16*(warp%2), lane%4*2 + odd + 8*(pair/2%2) + 16*(value/8)
	case "B": // 4 values of an atom; two along N, two along K
		return lane/4 + 8*(warp/2) + 16*(value/4%2), lane%4*2 + odd + 8*(pair%2) + 16*(value/8)
	}
	return lane/4 + 8*(pair%2) + 16*(warp%2), lane%4*2 + odd + 8*(warp/2) + 16*(value/4)
}

// TestOperandCopy compares copies of operands with CuTe's definition (tile2thrfrg of copy_atom.hpp): the values of a
// thread in registers are those of the MMA; the value of a thread on the side of memory is the one at the place in
// registers that the atom's layouts have at the same number.
func TestOperandCopy(t *testing.T) {
	const mma = "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1):(1,2,0), (32,32,32))"
	for matrix, values := range map[string]int64{"A": 16, "B": 16, "C": 8} {
		for _, x := range []int64{1, 2, 4} {
			for _, atom := range atoms(x) {
				text := fmt.Sprintf("make_tiled_copy_%s(Copy_Atom<%s, 16>, %s)", matrix, atom.name, mma)
				registers, memory := ":D", ":S"
				if atom.stores {
					registers, memory = memory, registers
				}
				place := map[int64][2]int64{} // of each number, in registers
				for thread := range int64(32) {
					for value := range atom.values {
						place[atom.registers(thread, value)] = [2]int64{thread, value}
					}
				}
				for _, side := range []string{"", registers, memory} {
					o := read(t, text+side)
					if !slices.Equal(o.Tile().Sizes(), []int64{32, 32}) {
						t.Fatalf("%s: a tile of %v", text, o.Tile().Sizes())
					}
					rest := values / atom.values // atoms along the values
					each := o.Layout().Axis(tvlayout.Value).Size() / rest
					for thread := range int64(128) {
						for value := range each * rest {
							from, at := thread, value
							if side == memory {
								p := place[atom.memory(thread%32, value%each)]
								from, at = thread/32*32+p[0], p[1]+value/each*atom.values
							}
							row, column := operandAt(matrix, from, at)
							number, err := o.Layout().Offset([]int64{0, thread / 32, thread % 32, value})
							if err != nil || number != row+32*column {
								t.Fatalf("%s%s: thread %d value %d is %d, want (%d,%d), %v", text, side, thread, value,
									number, row, column, err)
							}
						}
					}
				}
			}
		}
	}
}

func TestOperandCopyRefused(t *testing.T) {
	const mma = "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1):(1,2,0))"
	const tv = "(32,1):(1,1), (1,8):(1,1))"
	const x4 = "Copy_Atom<SM75_U32x4_LDSM_N, 16>"
	for text, says := range map[string]string{
		"make_tiled_copy_B(" + x4 + ", " + mma + ")":                       "copies 8 values of each of 32 lanes",
		"make_tiled_copy_A(atom, " + mma + "):S":                           `the copy atom "atom" are not known`,
		"make_tiled_copy_A(" + x4 + ", " + mma + "):A":                     "a copy has no matrix A",
		"make_tiled_copy_A(Copy_Atom<SM75_U16x8_LDSM_T, 32>, " + mma + ")": "has no elements of 32 bits",
		"make_tiled_copy(Copy_Atom<SM75_U32x4_LDSM_N>, " + tv + ":S":       "the element type of the copy atom",
		"make_tiled_copy(" + x4 + ", (16,1):(1,1), (1,8):(1,1))":           "and the layout has 8 of 16",
		mma + ":S": "unknown matrix S",
		"make_tiled_copy_A(atom, " + mma + ")\nmake_tiled_copy_B(atom, atom)": "describes 2 layouts",
	} {
		o, err := tvlayout.Read(text, tvlayout.Options{})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, %v; want %q", text, o, err, says)
		}
	}
}
