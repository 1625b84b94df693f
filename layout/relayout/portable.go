package relayout

import (
	"encoding/binary"
	"unsafe"
)

const (
	vector    = 16                // bytes that the kernels move at once
	line      = 64                // bytes of a cache line
	pitch     = 2 * line          // bytes from one column of a stage to the next: pairs of lines are written fastest
	stageCols = 64                // columns of a stage
	stageSize = stageCols * pitch // bytes of a stage: it stays in the first cache
)

// A place is where a kernel works: it moves from src[s:] to dst[d:], and past the caches, where it
// can, if past is set.
type place struct {
	dst  []byte
	d    int
	src  []byte
	s    int
	past bool
}

// at returns the place d bytes further in the target and s bytes further in the source.
func (p place) at(d, s int) place {
	p.d += d
	p.s += s
	return p
}

// startsLine reports whether the address of b is a multiple of a cache line.
func startsLine(b []byte) bool {
	return uintptr(unsafe.Pointer(unsafe.SliceData(b)))%line == 0
}

// An element is an element of 1 to 16 bytes, at any address.
type element interface {
	[1]byte | [2]byte | [4]byte | [8]byte | [16]byte
}

// elementAt returns the element that starts at b[i]. Only that byte is checked against the length.
func elementAt[T element](b []byte, i int) *T {
	return (*T)(unsafe.Pointer(&b[i]))
}

// stripRows returns how many rows a strip of elements of that width has.
func stripRows(width int) int { return min(vector/width, 8) }

// touch reads a byte of each line that the first bytes of the rows are in. The processor does many
// reads at the same time if they wait for memory only.
func touch(p place, rows []int, bytes int) (any byte) {
	for _, row := range rows {
		for i := 0; i < bytes; i += line {
			any |= p.src[p.s+row+i]
		}
	}
	return any
}

// linesPortable is lines in Go.
func linesPortable(p place, buf *[stageSize]byte, cols []int, bytes int) {
	for i, col := range cols {
		copy(p.dst[p.d+col:p.d+col+bytes], buf[i*pitch:])
	}
}

// scatter moves element c of row i from src[s+rows[i]+c*srcStep] to dst[d+cols[c]+i*dstStep], for
// all rows and columns.
func scatter(width int, p place, rows, cols []int, dstStep, srcStep int) {
	switch width {
	case 1:
		scatterOf[[1]byte](p, rows, cols, dstStep, srcStep)
	case 2:
		scatterOf[[2]byte](p, rows, cols, dstStep, srcStep)
	case 4:
		scatterOf[[4]byte](p, rows, cols, dstStep, srcStep)
	case 8:
		scatterOf[[8]byte](p, rows, cols, dstStep, srcStep)
	default:
		scatterOf[[16]byte](p, rows, cols, dstStep, srcStep)
	}
}

// scatterOf takes some rows at a time, so that what the columns need of them stays in the cache.
func scatterOf[T element](p place, rows, cols []int, dstStep, srcStep int) {
	for len(rows) > 0 {
		some := rows[:min(len(rows), 16)]
		from := p.s
		for _, col := range cols {
			to := p.d + col
			for _, row := range some {
				*elementAt[T](p.dst, to) = *elementAt[T](p.src, from+row)
				to += dstStep
			}
			from += srcStep
		}
		rows, p.d = rows[len(some):], p.d+len(some)*dstStep
	}
}

// step moves n elements of up to 8 bytes, which are dstStep and srcStep bytes apart.
func step(width int, p place, n, dstStep, srcStep int) {
	switch width {
	case 1:
		stepOf[[1]byte](p, n, dstStep, srcStep)
	case 2:
		stepOf[[2]byte](p, n, dstStep, srcStep)
	case 4:
		stepOf[[4]byte](p, n, dstStep, srcStep)
	default:
		stepOf[[8]byte](p, n, dstStep, srcStep)
	}
}

func stepOf[T element](p place, n, dstStep, srcStep int) {
	d, s := p.d, p.s
	for range n {
		*elementAt[T](p.dst, d) = *elementAt[T](p.src, s)
		d, s = d+dstStep, s+srcStep
	}
}

// stripPortable is strip in Go: it reads 8 bytes of each row at a time, and exchanges their elements
// with masks and shifts.
func stripPortable(width int, p place, rows, cols []int) {
	switch width {
	case 1:
		stripBytes(p, rows, cols)
	case 2:
		stripWords(p, rows, cols)
		stripWords(p.at(8, 0), rows[4:], cols)
	case 4:
		stripPairs(p, rows, cols)
		stripPairs(p.at(8, 0), rows[2:], cols)
	default:
		scatter(width, p, rows[:stripRows(width)], cols, width, width)
	}
}

// load returns the 8 bytes from b[i] on, the first of them the lowest.
func load(b []byte, i int) uint64 {
	return binary.LittleEndian.Uint64(elementAt[[8]byte](b, i)[:])
}

// store writes the 8 bytes of v from b[i] on, the lowest first.
func store(b []byte, i int, v uint64) {
	binary.LittleEndian.PutUint64(elementAt[[8]byte](b, i)[:], v)
}

// exchange exchanges the upper parts of a with the lower parts of b. The mask low has the lower ones,
// and shift is how far the two are apart.
func exchange(a, b uint64, shift int, low uint64) (uint64, uint64) {
	t := (a>>shift ^ b) & low
	return a ^ t<<shift, b ^ t
}

// Masks of the lower half of 8, 4 and 2 bytes.
const (
	low8 = 0x00000000ffffffff
	low4 = 0x0000ffff0000ffff
	low2 = 0x00ff00ff00ff00ff
)

// stripPairs moves 2 rows of elements of 4 bytes.
func stripPairs(p place, rows, cols []int) {
	src, dst, d := p.src, p.dst, p.d
	r0, r1 := p.s+rows[0], p.s+rows[1]
	for ; len(cols) >= 2; cols = cols[2:] {
		a, b := exchange(load(src, r0), load(src, r1), 32, low8)
		store(dst, d+cols[0], a)
		store(dst, d+cols[1], b)
		r0, r1 = r0+8, r1+8
	}
}

// stripWords moves 4 rows of elements of 2 bytes.
func stripWords(p place, rows, cols []int) {
	src, dst, d := p.src, p.dst, p.d
	r0, r1, r2, r3 := p.s+rows[0], p.s+rows[1], p.s+rows[2], p.s+rows[3]
	for ; len(cols) >= 4; cols = cols[4:] {
		a, c := exchange(load(src, r0), load(src, r2), 32, low8)
		b, e := exchange(load(src, r1), load(src, r3), 32, low8)
		a, b = exchange(a, b, 16, low4)
		c, e = exchange(c, e, 16, low4)
		store(dst, d+cols[0], a)
		store(dst, d+cols[1], b)
		store(dst, d+cols[2], c)
		store(dst, d+cols[3], e)
		r0, r1, r2, r3 = r0+8, r1+8, r2+8, r3+8
	}
}

// stripBytes moves 8 rows of bytes.
func stripBytes(p place, rows, cols []int) {
	var r [8]uint64
	for s := p.s; len(cols) >= 8; cols, s = cols[8:], s+8 {
		for i := range r {
			r[i] = load(p.src, s+rows[i])
		}
		for i := range 4 {
			r[i], r[i+4] = exchange(r[i], r[i+4], 32, low8)
		}
		for i := range 2 {
			r[i], r[i+2] = exchange(r[i], r[i+2], 16, low4)
			r[i+4], r[i+6] = exchange(r[i+4], r[i+6], 16, low4)
		}
		for i := 0; i < 8; i += 2 {
			r[i], r[i+1] = exchange(r[i], r[i+1], 8, low2)
		}
		for i := range r {
			store(p.dst, p.d+cols[i], r[i])
		}
	}
}
