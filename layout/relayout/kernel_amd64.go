//go:build !purego

package relayout

import (
	"sync"
	"unsafe"
)

// The strip kernels move several rows of the source at the same time: 8 rows of 1-byte or 2-byte elements, 4 rows of
// 4-byte elements, or 2 rows of 8-byte elements. Each step moves 16 bytes of each row. Row i starts at src[rows[i]],
// and its element c is moved to dst[cols[c]], i elements further, or to dst[c*pitch] if cols is nil. The kernels
// prefetch the bytes at the distance ahead after the bytes that they read. strip1 writes the columns of a strip in
// their order, so if two columns have the same position, the last one stays.

//go:noescape
func strip1(dst, src *byte, rows, cols *int, blocks, ahead, strips int)

//go:noescape
func strip2(dst, src *byte, rows, cols *int, blocks, ahead, strips int)

//go:noescape
func strip4(dst, src *byte, rows, cols *int, blocks, ahead, strips int)

//go:noescape
func strip8(dst, src *byte, rows, cols *int, blocks, ahead, strips int)

// strip4wide is strip4 for two blocks at a time; there must be at least two.
//
//go:noescape
func strip4wide(dst, src *byte, rows, cols *int, blocks, ahead, strips int)

// The square kernels move all the rows of a line at the same time: 32 rows of 2-byte elements, 16 rows of 4-byte
// elements, or 8 rows of 8-byte elements. A block is a square: one line of each row, which becomes one line of each
// column. The kernels move several groups of rows and several blocks. Row i is moved to dst[cols[c]], i elements
// further, or to dst[c*pitch] if cols is nil. While they move the first block, they prefetch the bytes at the distance
// ahead after the starts of the rows of coming, and step bytes further for each block after it. They need AVX-512. To
// be written past the caches, lines must start at multiples of 64.

//go:noescape
func square2(dst, src *byte, rows, cols *int, groups, blocks int, coming *int, ahead, step int, past bool)

//go:noescape
func square4(dst, src *byte, rows, cols *int, groups, blocks int, coming *int, ahead, step int, past bool)

//go:noescape
func square8(dst, src *byte, rows, cols *int, groups, blocks int, coming *int, ahead, step int, past bool)

// splitRows reads blocks of 16 bytes of two rows of 4-bit elements, which start at whole bytes. It puts the elements of
// even columns into the bytes of even, and the elements of odd columns into the bytes of odd.
//
//go:noescape
func splitRows(even, odd, a, b *byte, blocks int)

// unpack16 and unpack16wide turn each of n bytes, at least 16, into two bytes, the lower half first. pack16 and
// pack16wide turn 2n bytes that are less than 16 into n bytes. The wide ones need AVX2.

//go:noescape
func unpack16(dst, src *byte, n int)

//go:noescape
func unpack16wide(dst, src *byte, n int)

//go:noescape
func pack16(dst, src *byte, n int)

//go:noescape
func pack16wide(dst, src *byte, n int)

// halves16 makes bytes of the lower or, with a shift of 4, the upper halves of n bytes, at least 16. blend16
// replaces the bits of a mask; if mask and source are shifted, their bytes must be less than 16.

//go:noescape
func halves16(dst, src *byte, n, shift int)

//go:noescape
func blend16(dst, src *byte, n int, mask *byte, shift int)

// lines64 copies the first bytes, a multiple of 64, of each of n columns of a stage to dst[cols[c]].
// To be written past the caches, they must start at multiples of 16 there.
//
//go:noescape
func lines64(dst, buf *byte, cols *int, n, bytes, pitch int, past bool)

// fence waits until bytes written past the caches are in memory.
func fence()

// shuffleAny writes 16 bytes to each of n outputs. The masks select these bytes from the output's inputs: 16 bytes
// starting at each src[inputs[i]]. Then src and dst advance by their steps.
//
//go:noescape
func shuffleAny(dst, src *byte, outputs *output, n int, inputs *int, masks *byte, blocks, dstStep, srcStep int)

// shuffleAnyWide is shuffleAny for two blocks at a time; there must be at least two, and the last of an
// odd number is left.
//
//go:noescape
func shuffleAnyWide(dst, src *byte, outputs *output, n int, inputs *int, masks *byte, blocks, dstStep, srcStep int)

// shuffle3 is shuffleAny for 3 outputs of the same 3 inputs. The masks stay in registers.
//
//go:noescape
func shuffle3(dst, src *byte, outputs *output, inputs *int, masks *byte, blocks, dstStep, srcStep int)

// shuffle3wide is shuffle3 for two blocks at a time, as shuffleAnyWide.
//
//go:noescape
func shuffle3wide(dst, src *byte, outputs *output, inputs *int, masks *byte, blocks, dstStep, srcStep int)

// cpuid returns a leaf of the processor's description of itself.
func cpuid(leaf uint32) (eax, ebx, ecx uint32)

// xgetbv returns the set of registers that the system saves for a program.
func xgetbv() (eax uint32)

// A processor lists the available instructions that not every amd64 has.
type processor struct{ ssse3, avx2, avx512 bool }

// thisProcessor queries the processor once, because a query of a virtual processor takes as long as moving some
// kilobytes.
var thisProcessor = sync.OnceValue(func() processor {
	const ssse3, saved, avx, avx2, avx512 = 1 << 9, 1 << 27, 1 << 28, 1 << 5, 1<<16 | 1<<30
	const wide, widest = 0x06, 0xe6 // the registers of AVX, and of AVX and AVX-512
	most, _, _ := cpuid(0)
	_, _, ecx := cpuid(1)
	p := processor{ssse3: ecx&ssse3 != 0}
	if most >= 7 && ecx&saved != 0 && ecx&avx != 0 && xgetbv()&wide == wide {
		_, ebx, _ := cpuid(7)
		p.avx2 = ebx&avx2 != 0
		p.avx512 = ebx&avx512 == avx512 && xgetbv()&widest == widest
	}
	return p
})

// canShuffle reports whether shuffle moves planes.
func canShuffle(int) bool { return canScatter() }

// canScatter reports whether the processor has byte shuffles.
func canScatter() bool { return thisProcessor().ssse3 }

// Strips prefetch source lines, and can write lines past the caches.
const (
	fetchesAhead = true
	writesPast   = true
)

// strip moves rows, a multiple of stripRows(width), of len(cols) columns, which must be a multiple of 16 bytes.
func strip(width int, p place, rows, cols []int, ahead int) {
	if width == vector {
		stripPortable(width, p, rows, cols)
		return
	}
	stripsTo(width, p, rows, &cols[0], len(cols), ahead)
}

// stageStrips moves n columns of rows to a stage. The number of rows must be a multiple of stripRows(width).
func stageStrips(width int, p place, rows []int, n, ahead int) {
	if width == vector {
		fillPortable(width, p, rows, n, pitch)
		return
	}
	stripsTo(width, p, rows, nil, n, ahead)
}

// stripsTo chooses the kernel.
func stripsTo(width int, p place, rows []int, col *int, n, ahead int) {
	dst, src, row, blocks, strips := &p.dst[p.d], &p.src[p.s], &rows[0], n*width/vector, len(rows)/stripRows(width)
	switch {
	case width == 1:
		strip1(dst, src, row, col, blocks, ahead, strips)
	case width == 2:
		strip2(dst, src, row, col, blocks, ahead, strips)
	case width == 4 && blocks > 1 && thisProcessor().avx2:
		strip4wide(dst, src, row, col, blocks, ahead, strips)
	case width == 4:
		strip4(dst, src, row, col, blocks, ahead, strips)
	case width == 8:
		strip8(dst, src, row, col, blocks, ahead, strips)
	}
}

// squareRows returns how many rows and columns a square of elements of that width has, 0 if the
// processor has no kernel for it.
func squareRows(width int) int {
	if width == 1 || width > 8 || !thisProcessor().avx512 {
		return 0
	}
	return line / width
}

// square moves rows of n columns, both a multiple of squareRows(width), to the rows of a stage if cols is nil. It
// fetches the bytes ahead of the rows of coming by that distance, a line of each for every square of columns, which are
// step bytes apart. If coming is nil, it fetches the bytes that it reads before it reads them.
func square(width int, p place, rows, cols []int, n int, coming []int, ahead, step int) {
	side := line / width
	if coming == nil {
		var first [pitch / 2]int
		coming, ahead, step = first[:], rows[0], 0
	}
	dst, src, row, col, next := &p.dst[p.d], &p.src[p.s], &rows[0], unsafe.SliceData(cols), &coming[:len(rows)][0]
	groups, blocks := len(rows)/side, n/side
	switch width {
	case 2:
		square2(dst, src, row, col, groups, blocks, next, ahead, step, p.past)
	case 4:
		square4(dst, src, row, col, groups, blocks, next, ahead, step, p.past)
	case 8:
		square8(dst, src, row, col, groups, blocks, next, ahead, step, p.past)
	}
}

// lines copies the first bytes of each column of a stage to dst[cols[c]].
func lines(p place, buf *[stageSize]byte, cols []int, bytes int) {
	lines64(&p.dst[p.d], &buf[0], &cols[0], len(cols), bytes, pitch, p.past)
}

// pastCopy copies whole lines past the caches.
func pastCopy(dst, src []byte) {
	cols := [1]int{}
	lines64(&dst[0], &src[0], &cols[0], 1, len(src), 0, true)
}

// shuffle moves the given number of blocks, each with 16 bytes of every plane.
func shuffle(w *interleaving, p place, blocks int) {
	if w.k != 3 {
		shuffleBlocks(&w.block, p, blocks)
		return
	}
	s, dst, src := &w.block, &p.dst[p.d], &p.src[p.s]
	if blocks > 1 && thisProcessor().avx2 {
		shuffle3wide(dst, src, &s.outputs[0], &s.inputs[0], &s.masks[0], blocks, s.dstStep, s.srcStep)
		if blocks%2 == 0 {
			return
		}
		p, blocks = p.at((blocks-1)*s.dstStep, (blocks-1)*s.srcStep), 1
		dst, src = &p.dst[p.d], &p.src[p.s]
	}
	shuffle3(dst, src, &s.outputs[0], &s.inputs[0], &s.masks[0], blocks, s.dstStep, s.srcStep)
}

// shuffleBlocks makes all outputs of the given number of blocks.
func shuffleBlocks(s *shuffles, p place, blocks int) {
	if blocks > 1 && !s.overlap && thisProcessor().avx2 {
		shuffleAnyWide(&p.dst[p.d], &p.src[p.s], &s.outputs[0], len(s.outputs), &s.inputs[0], &s.masks[0],
			blocks, s.dstStep, s.srcStep)
		if blocks%2 == 0 {
			return
		}
		p, blocks = p.at((blocks-1)*s.dstStep, (blocks-1)*s.srcStep), 1
	}
	shuffleAny(&p.dst[p.d], &p.src[p.s], &s.outputs[0], len(s.outputs), &s.inputs[0], &s.masks[0],
		blocks, s.dstStep, s.srcStep)
}

// unpackVectors is unpack for at least 16 bytes.
func unpackVectors(dst, src []byte) bool {
	if thisProcessor().avx2 {
		unpack16wide(&dst[0], &src[0], len(src))
	} else {
		unpack16(&dst[0], &src[0], len(src))
	}
	return true
}

// packVectors is pack to at least 16 bytes.
func packVectors(dst, src []byte) bool {
	if thisProcessor().avx2 {
		pack16wide(&dst[0], &src[0], len(dst))
	} else {
		pack16(&dst[0], &src[0], len(dst))
	}
	return true
}

// halvesVectors is halves for at least 16 bytes.
func halvesVectors(dst, src []byte, shift int) bool {
	halves16(&dst[0], &src[0], len(dst), shift)
	return true
}

// blendVectors is blend for at least 16 bytes.
func blendVectors(dst, src, mask []byte, shift int) bool {
	blend16(&dst[0], &src[0], len(src), &mask[0], shift)
	return true
}

// splitBlocks splits the bytes of two rows that fill whole vectors, and returns how many it has split.
func splitBlocks(even, odd, a, b []byte) int {
	n := len(a) / vector * vector
	if n > 0 {
		splitRows(&even[:n][0], &odd[:n][0], &a[0], &b[:n][0], n/vector)
	}
	return n
}
