package tvlayout_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/tvlayout"
)

// A fragmentOf returns the row and the column of a value of a lane, in (m,k), (k,n) or (m,n).
type fragmentOf func(lane, value int64) (row, column int64)

// TestFragments compares instructions with the formulas of PTX's documents and AMD's, for every lane and value.
func TestFragments(t *testing.T) {
	across := func(w int64) fragmentOf { // of mma with rows of registers, each of w elements
		return func(l, i int64) (int64, int64) { return l/4 + 8*(i/w%2), w*(l%4) + i%w + 4*w*(i/(2*w)) }
	}
	down := func(w int64) fragmentOf {
		return func(l, i int64) (int64, int64) { return w*(l%4) + i%w + 4*w*(i/w), l / 4 }
	}
	wide := func(w int64) fragmentOf {
		return func(l, i int64) (int64, int64) { return l / 4, w*(l%4) + i }
	}
	accumulators := func(l, i int64) (int64, int64) { return l/4 + 8*(i/2), 2*(l%4) + i%2 }
	for names, of := range map[string]fragmentOf{
		"m16n8k8.f16:A m16n8k16.f16:A m16n8k16.bf16:A":              across(2),
		"m16n8k4.tf32:A m16n8k8.tf32:A":                             across(1),
		"m16n8k4.f64:A m16n8k8.f64:A m16n8k16.f64:A":                across(1),
		"m16n8k16.s8:A m16n8k32.u8:A m16n8k32.e4m3:A":               across(4),
		"m16n8k32.s4:A m16n8k64.u4:A":                               across(8),
		"m16n8k8.f16:B m16n8k16.bf16:B":                             down(2),
		"m16n8k4.tf32:B m16n8k8.tf32:B m16n8k16.f64:B m8n8k4.f64:B": down(1),
		"m16n8k16.u8:B m16n8k32.s8:B m8n8k16.s8:B":                  down(4),
		"m16n8k32.u4:B m16n8k64.s4:B m8n8k32.s4:B":                  down(8),
		"m16n8k16.f16:C m16n8k4.f64:D m8n8k16.u8:C m8n8k4.f64:C":    accumulators,
		"m8n8k16.s8:A": wide(4), "m8n8k32.u4:A": wide(8), "m8n8k4.f64:A": wide(1),
	} {
		for name := range strings.FieldsSeq(names) {
			wantFragment(t, read(t, "mma."+name), of)
		}
	}
	for name, of := range map[string]fragmentOf{
		"v_mfma_f32_32x32x8_f16:D":  func(l, v int64) (int64, int64) { return 8*(v/4) + 4*(l/32) + v%4, l % 32 },
		"v_mfma_f32_16x16x16_f16:D": func(l, v int64) (int64, int64) { return 4*(l/16) + v, l % 16 },
		"v_mfma_f64_16x16x4_f64:D":  func(l, v int64) (int64, int64) { return l/16 + 4*v, l % 16 },
		"v_mfma_f32_16x16x8_xf32:A": func(l, v int64) (int64, int64) { return l % 16, 2*(l/16) + v },
		"v_mfma_i32_32x32x16_i8:B":  func(l, v int64) (int64, int64) { return 8*(l/32) + v, l % 32 },
		"v_wmma_f32_16x16x16_bf16:A@gfx11": func(l, v int64) (int64, int64) {
			return l % 16, v
		},
		"v_wmma_i32_16x16x16_iu8:D@gfx11": func(l, v int64) (int64, int64) { return 2*v + l/16, l % 16 },
		"v_wmma_f32_16x16x16_bf16:A@gfx12": func(l, v int64) (int64, int64) {
			return l % 16, v%4 + 4*(l/16) + 8*(v/4)
		},
		"v_wmma_i32_16x16x16_iu8:B@gfx12": func(l, v int64) (int64, int64) { return v + 8*(l/16), l % 16 },
		"v_wmma_f32_16x16x16_f16:D@gfx12": func(l, v int64) (int64, int64) { return v + 8*(l/16), l % 16 },
		"tcgen05.ld.32x32b.x16":           func(l, r int64) (int64, int64) { return l, r },
		"tcgen05.ld.16x64b.x8":            func(l, r int64) (int64, int64) { return 8*(l%2) + l/4, l/2%2 + 2*r },
		"tcgen05.ld.16x128b.x4":           func(l, r int64) (int64, int64) { return l/4 + 8*(r%2), l%4 + 4*(r/2) },
		"tcgen05.ld.16x256b.x2": func(l, r int64) (int64, int64) {
			return l/4 + 8*(r/2%2), 2*(l%4) + r%2 + 8*(r/4)
		},
		"tcgen05.ld.16x32bx2.x4": func(l, r int64) (int64, int64) { return l % 16, r + 4*(l/16) },
		"ldmatrix.x1":            func(l, i int64) (int64, int64) { return l / 4, 2*(l%4) + i },
		"ldmatrix.x1.trans":      func(l, i int64) (int64, int64) { return 2*(l%4) + i, l / 4 },
	} {
		wantFragment(t, read(t, name), of)
	}
	for _, n := range []int64{8, 24, 96, 256} { // the accumulators of wgmma
		o := read(t, fmt.Sprintf("wgmma.m64n%dk16.f16:C", n))
		wantFragment(t, o, func(thread, i int64) (int64, int64) {
			l := thread % 32
			return 16*(thread/32) + l/4 + 8*(i/2%2), 8*(i/4) + 2*(l%4) + i%2
		})
	}
}

// wantFragment compares all values of an ownership with a formula of threads and values.
func wantFragment(t *testing.T, o *tvlayout.Ownership, of fragmentOf) {
	t.Helper()
	index := make([]int64, o.Tile().Rank())
	for holder, number := range o.Layout().All() {
		o.Index(index, number)
		row, column := of(o.Thread(holder), holder[tvlayout.Value])
		if want := []int64{row, column}; !slices.Equal(index, want) {
			t.Fatalf("%s: %v has %v, want %v", o.Name(), holder, index, want)
		}
	}
}

// A mixed number is taken apart into digits, the last one taken is the rest.
type mixed int64

// take removes a digit from a number and returns it. The higher digits stay.
func (m *mixed) take(n int64) int64 {
	digit := int64(*m) % n
	*m /= mixed(n)
	return digit
}

// TestEncodings compares encodings of random parameters with formulas: coordinates in an endless tile, of which a
// tensor that is smaller has those modulo its sizes.
func TestEncodings(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	two := func(most int) int64 { return 1 << r.IntN(most+1) }
	for range 300 / layouttest.Step() {
		m, n := two(8), two(8)
		wM, wN := two(2), two(2)
		for _, build := range []func(*rand.Rand, int64, int64, int64, int64) (string, int64, encodingOf){
			blockedOf, mmaOf, mmaOperandOf, mfmaOf, mfmaOperandOf, wmmaOf, wmmaOperandOf,
		} {
			text, values, of := build(r, m, n, wM, wN)
			o, err := tvlayout.Read(text, tvlayout.Options{Tile: []int64{m, n}})
			if err != nil {
				t.Fatalf("%s %dx%d: %v", text, m, n, err)
			}
			if have := o.Layout().Axis(tvlayout.Value).Size(); have != values {
				t.Fatalf("%s %dx%d: %d values, want %d", text, m, n, have, values)
			}
			for holder, number := range o.Layout().All() {
				warp, value := mixed(holder[tvlayout.Warp]), mixed(holder[tvlayout.Value])
				row, column := of(holder[tvlayout.Lane], &warp, &value)
				if want := row%m*n + column%n; number != want {
					t.Fatalf("%s %dx%d: %v has %d, want (%d, %d)", text, m, n, holder, number, row%m, column%n)
				}
			}
		}
	}
}

// An encodingOf returns the coordinates of a value.
type encodingOf func(lane int64, warp, value *mixed) (row, column int64)

// over returns how many tiles of a size fill another.
func over(size, tile int64) int64 { return max(size/tile, 1) }

// blockedOf returns a blocked encoding with its number of values and its formula.
func blockedOf(r *rand.Rand, m, n, wM, wN int64) (string, int64, encodingOf) {
	sM, sN, lM := int64(1)<<r.IntN(3), int64(1)<<r.IntN(3), int64(1)<<r.IntN(6)
	lN := 32 / lM
	rM, rN := over(m, sM*lM*wM), over(n, sN*lN*wN)
	isRows, order := r.IntN(2) == 0, "[1, 0]"
	if !isRows {
		order = "[0, 1]"
	}
	text := fmt.Sprintf("BlockedLayout([%d, %d], [%d, %d], [%d, %d], %s)", sM, sN, lM, lN, wM, wN, order)
	pair := func(from *mixed, m, n int64) (int64, int64) {
		if isRows {
			column := from.take(n)
			return from.take(m), column
		}
		row := from.take(m)
		return row, from.take(n)
	}
	return text, sM * sN * rM * rN, func(lane int64, warp, value *mixed) (int64, int64) {
		l := mixed(lane)
		vM, vN := pair(value, sM, sN)
		tM, tN := pair(&l, lM, lN)
		pM, pN := pair(warp, wM, wN)
		aM, aN := pair(value, rM, rN)
		return vM + sM*(tM+lM*(pM+wM*aM)), vN + sN*(tN+lN*(pN+wN*aN))
	}
}

// warpsOf returns the coordinates of a warp: N is the fastest, but of version 3 M is.
func warpsOf(warp *mixed, wM, wN int64, isThree bool) (pM, pN int64) {
	if isThree {
		pM = warp.take(wM)
		return pM, warp.take(wN)
	}
	pN = warp.take(wN)
	return warp.take(wM), pN
}

// mmaOf returns nvidia_mma, of version 2 or 3.
func mmaOf(r *rand.Rand, m, n, wM, wN int64) (string, int64, encodingOf) {
	isThree, instr := r.IntN(2) == 0, int64(8)
	text := fmt.Sprintf("NVMMADistributedLayout([2, 0], [%d, %d], [16, 8])", wM, wN)
	if isThree {
		instr = 8 << r.IntN(4)
		text = fmt.Sprintf("NVMMADistributedLayout([3, 0], [%d, %d], [16, %d, 16])", wM, wN, instr)
	}
	rM, rN := over(m, 16*wM), over(n, instr*wN)
	return text, instr / 2 * rM * rN, func(l int64, warp, value *mixed) (int64, int64) {
		pM, pN := warpsOf(warp, wM, wN, isThree)
		i := value.take(instr / 2)
		row, column := l/4+8*(i/2%2), 2*(l%4)+i%2+8*(i/4)
		aN := value.take(rN)
		return row + 16*(pM+wM*value.take(rM)), column + instr*(pN+wN*aN)
	}
}

// mmaOperandOf returns dot_op of nvidia_mma: A of both versions, B of version 2.
func mmaOperandOf(r *rand.Rand, m, n, wM, wN int64) (string, int64, encodingOf) {
	isB, k, version := r.IntN(2) == 0, int64(1)<<r.IntN(4), 2
	parent, index := "[16, 8]", 0
	if isB {
		index = 1
	} else if r.IntN(2) == 0 {
		version, parent = 3, "[16, 16, 16]"
	}
	text := fmt.Sprintf("#ttg.dot_op<{opIdx = %d, parent = #ttg.nvidia_mma<{versionMajor = %d, versionMinor = 0, "+
		"warpsPerCTA = [%d, %d], instrShape = %s}>, kWidth = %d}>", index, version, wM, wN, parent, k)
	if isB {
		rK, rN := over(m, 8*k), over(n, 8*wN)
		return text, 2 * k * rK * rN, func(l int64, warp, value *mixed) (int64, int64) {
			inner := value.take(k)
			half := value.take(2)
			rest := value.take(rK)
			return inner + k*(l%4+4*(half+2*rest)), l/4 + 8*(warp.take(wN)+wN*value.take(rN))
		}
	}
	rM, rK := over(m, 16*wM), over(n, 8*k)
	return text, 4 * k * rK * rM, func(l int64, warp, value *mixed) (int64, int64) {
		pM, _ := warpsOf(warp, wM, wN, version == 3)
		inner := value.take(k)
		upper := value.take(2)
		half := value.take(2)
		rest := value.take(rK)
		return l/4 + 8*(upper+2*(pM+wM*value.take(rM))), inner + k*(l%4+4*(half+2*rest))
	}
}

// mfmaOf returns amd_mfma with tiles of warps, transposed or not.
func mfmaOf(r *rand.Rand, m, n, wM, wN int64) (string, int64, encodingOf) {
	size, tM, tN := int64(16)<<r.IntN(2), int64(1)<<r.IntN(2), int64(1)<<r.IntN(2)
	isTransposed := r.IntN(2) == 0
	text := fmt.Sprintf("#ttg.amd_mfma<{version = 3, warpsPerCTA = [%d, %d], instrShape = [%d, %d, 8], "+
		"isTransposed = %t, tilesPerWarp = [%d, %d]}>", wM, wN, size, size, isTransposed, tM, tN)
	height := size * size / 64
	rM, rN := over(m, size*tM*wM), over(n, size*tN*wN)
	return text, height * tM * tN * rM * rN, func(l int64, warp, value *mixed) (int64, int64) {
		v := value.take(height)
		row, column := 4*(l/size)+v%4+4*(64/size)*(v/4), l%size
		if isTransposed {
			row, column = column, row
		}
		pM, pN := warpsOf(warp, wM, wN, false)
		aN := value.take(tN)
		bN := value.take(rN)
		aM := value.take(tM)
		return row + size*(aM+tM*(pM+wM*value.take(rM))), column + size*(aN+tN*(pN+wN*bN))
	}
}

// mfmaOperandOf returns dot_op of amd_mfma.
func mfmaOperandOf(r *rand.Rand, m, n, wM, wN int64) (string, int64, encodingOf) {
	size, k, index := int64(16)<<r.IntN(2), int64(4)<<r.IntN(3), r.IntN(2)
	tiles := int64(1) << r.IntN(2)
	text := fmt.Sprintf("#ttg.dot_op<{opIdx = %d, parent = #ttg.amd_mfma<{version = 3, warpsPerCTA = [%d, %d], "+
		"instrShape = [%d, %d, 8], isTransposed = true, tilesPerWarp = [%d, %d]}>, kWidth = %d}>",
		index, wM, wN, size, size, tiles, tiles, k)
	summed, other, warps := n, m, wM
	if index == 1 {
		summed, other, warps = m, n, wN
	}
	rK, rX := over(summed, k*64/size), over(other, size*tiles*warps)
	return text, k * rK * tiles * rX, func(l int64, warp, value *mixed) (int64, int64) {
		pM, pN := warpsOf(warp, wM, wN, false)
		inner := value.take(k)
		along := inner + k*(l/size+64/size*value.take(rK))
		tile := value.take(tiles)
		if index == 1 {
			return along, l%size + size*(tile+tiles*(pN+wN*value.take(rX)))
		}
		return l%size + size*(tile+tiles*(pM+wM*value.take(rX))), along
	}
}

// wmmaOf returns amd_wmma of versions 1 to 3.
func wmmaOf(r *rand.Rand, m, n, wM, wN int64) (string, int64, encodingOf) {
	version, isTransposed := 1+r.IntN(3), r.IntN(2) == 0
	text := fmt.Sprintf("#ttg.amd_wmma<{version = %d, isTranspose = %t, warpsPerCTA = [%d, %d]}>", version,
		isTransposed, wM, wN)
	rM, rN := over(m, 16*wM), over(n, 16*wN)
	return text, 8 * rM * rN, func(l int64, warp, value *mixed) (int64, int64) {
		v := value.take(8)
		row, column := v+8*(l/16), l%16
		if version == 1 {
			row = 2*v + l/16
		}
		if isTransposed {
			row, column = column, row
		}
		pM, pN := warpsOf(warp, wM, wN, false)
		aN := value.take(rN)
		return row + 16*(pM+wM*value.take(rM)), column + 16*(pN+wN*aN)
	}
}

// wmmaOperandOf returns dot_op of amd_wmma. In version 1, lanes 16 and more repeat the lanes before them.
func wmmaOperandOf(r *rand.Rand, m, n, wM, wN int64) (string, int64, encodingOf) {
	version, k, index := 1+r.IntN(3), int64(4)<<r.IntN(3), r.IntN(2)
	text := fmt.Sprintf("#ttg.dot_op<{opIdx = %d, parent = #ttg.amd_wmma<{version = %d, isTranspose = false, "+
		"warpsPerCTA = [%d, %d]}>, kWidth = %d}>", index, version, wM, wN, k)
	summed, other, warps, lanes := n, m, wM, int64(2)
	if index == 1 {
		summed, other, warps = m, n, wN
	}
	if version == 1 {
		lanes = 1
	}
	parts := over(16, 2*k)
	rK, rX := over(summed, k*lanes*parts), over(other, 16*warps)
	return text, k * parts * rK * rX, func(l int64, warp, value *mixed) (int64, int64) {
		pM, pN := warpsOf(warp, wM, wN, false)
		inner := value.take(k)
		part := value.take(parts)
		along := inner + k*(l/16%lanes+lanes*(part+parts*value.take(rK)))
		if index == 1 {
			return along, l%16 + 16*(pN+wN*value.take(rX))
		}
		return l%16 + 16*(pM+wM*value.take(rX)), along
	}
}
