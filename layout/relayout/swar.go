package relayout

import "encoding/binary"

// stripPortable does in Go what strip does: it reads 8 bytes of each row at a time, and exchanges
// their elements by masks and shifts.
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

// load returns 8 bytes, the first of which is the lowest.
func load(b []byte, i int) uint64 {
	return binary.LittleEndian.Uint64(elementAt[[8]byte](b, i)[:])
}

// store writes them.
func store(b []byte, i int, v uint64) {
	binary.LittleEndian.PutUint64(elementAt[[8]byte](b, i)[:], v)
}

// exchange exchanges the upper parts of a with the lower parts of b; the mask has the lower ones.
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
