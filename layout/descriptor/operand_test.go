package descriptor

import (
	"testing"

	"layoutcalc/layout"
)

// TestMakeMatrix makes descriptors of tiles, and computes the addresses of each instruction from their fields, as in
// the PTX and CUTLASS documentation: a start, the offsets, and the xor of address bits.
func TestMakeMatrix(t *testing.T) {
	for _, target := range MatrixTargets {
		for _, bits := range []int64{8, 16, 32} {
			for swizzle := range 4 {
				for _, isMN := range []bool{false, true} {
					for _, byRows := range []bool{false, true} {
						checkMatrix(t, target, bits, swizzle, isMN, byRows)
					}
				}
			}
		}
	}
}

// checkMatrix checks a tile of 2 or 3 patterns along each axis, repeated along rows first or along K.
func checkMatrix(t *testing.T, target string, bits int64, swizzle int, isMN, byRows bool) {
	t.Helper()
	dtype, _ := layout.DTypeOf(bits)
	bytes, row := bits/8, int64(16)<<swizzle
	width := row / bytes // elements of a row of the pattern
	atom := 8 * width
	fast, slow := layout.Digit{Extent: 3, Stride: atom}, layout.Digit{Extent: 8, Stride: 3 * atom}
	if !byRows {
		fast.Stride, slow.Stride = 8*atom, atom
	}
	across := layout.NewAxis("", 24, fast, layout.Digit{Extent: 8, Stride: width})
	along := layout.NewAxis("", 8*width, slow, layout.Digit{Extent: width, Stride: 1})
	axes := []layout.Axis{across, along}
	if isMN {
		axes[0], axes[1] = along, across
	}
	l, err := layout.New(0, axes...)
	if err == nil && swizzle > 0 {
		var s layout.Swizzle
		if s, err = (layout.Swizzle{Bits: swizzle, Base: 4, Shift: 3}).Recast(8, bits); err == nil {
			l, err = l.Swizzled(s)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	tensor, err := layout.NewTensor(l, dtype)
	if err != nil {
		t.Fatal(err)
	}
	const address = 0x2400
	depth := 32 / bytes
	m, err := MakeMatrix(tensor, target, address)
	if isMN && depth > 24 {
		if err == nil {
			t.Errorf("%d elements of K for an instruction of %d", 24, depth)
		}
		return
	}
	if err != nil {
		t.Errorf("%s, %d bits, swizzle %d, MN %v, by rows %v: %v", target, bits, swizzle, isMN, byRows, err)
		return
	}
	if want := map[bool]string{false: "k", true: "mn"}[isMN]; m.Major != want || m.Target != target {
		t.Errorf("%s %s, want %s %s", m.Target, m.Major, target, want)
	}
	for mn := range l.Axis(0).Size() {
		for k := range depth {
			u, v := k, mn // along rows of 16 bytes, and across
			if isMN {
				u, v = mn, k
			}
			chunk, in := u*bytes/16, u*bytes%16
			var at int64
			switch {
			case isMN && swizzle == 0:
				at = chunk*m.Stride + v/8*m.Leading + v%8*16
			case isMN:
				at = chunk*16%row + chunk*16/row*m.Leading + v/8*m.Stride + v%8*row
			case swizzle == 0:
				at = chunk*m.Leading + v/8*m.Stride + v%8*16
			default:
				at = chunk*16 + v/8*m.Stride + v%8*row
			}
			at += m.Start + in
			at ^= at >> 3 & ((1<<swizzle - 1) << 4)
			offset, err := l.Offset([]int64{mn, k})
			if want := address + offset*bytes; err != nil || at != want {
				t.Fatalf("%s, %d bits, swizzle %d, MN %v, by rows %v: (%d,%d) at %d, want %d", target, bits, swizzle,
					isMN, byRows, mn, k, at, want)
			}
		}
	}
}
