package relayout

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

const (
	vector    = 16                // bytes that the kernels move at once
	line      = 64                // bytes of a cache line
	pitch     = 2 * line          // bytes from one column of a stage to the next: pairs of lines are written fastest
	stageCols = 64                // columns of a stage
	stageSize = stageCols * pitch // bytes of a stage: it stays in the first cache
)

// A place is the position of a kernel: it moves from src[s:] to dst[d:]. If past is set, it writes past the caches if
// it can.
type place struct {
	dst  []byte
	d    int
	src  []byte
	s    int
	past bool
}

// at returns p advanced by d bytes in the target and s bytes in the source.
func (p place) at(d, s int) place {
	p.d += d
	p.s += s
	return p
}

// startsLine reports whether the address of b is a multiple of a cache line.
func startsLine(b []byte) bool {
	return uintptr(unsafe.Pointer(unsafe.SliceData(b)))%line == 0
}

// An element is an element at any address, with a size of 1 to 16 bytes.
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
		to, from := p.dst[p.d+col:p.d+col+bytes], buf[i*pitch:i*pitch+bytes]
		for len(to) >= line && len(from) >= line {
			*(*[line]byte)(to) = *(*[line]byte)(from)
			to, from = to[line:], from[line:]
		}
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

// scatterOf takes some rows at a time, so that their bytes stay in the cache for all columns.
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

// reverse copies elements of up to 8 bytes from the last to the first.
func reverse(dst, src []byte, width int) {
	n, i := len(dst), 0
	to, from := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(src[:n]))
	for ; i+8 <= n; i += 8 {
		v := load(from, n-8-i)
		switch width {
		case 1:
			v = bits.ReverseBytes64(v)
		case 2:
			v = bits.RotateLeft64(v&low4, 48) | bits.RotateLeft64(v&^low4, 16)
		case 4:
			v = bits.RotateLeft64(v, 32)
		}
		store(to, i, v)
	}
	for ; i < n; i += width {
		copy(dst[i:i+width], src[n-i-width:])
	}
}

// stripPortable is strip in Go: it moves to columns of a small buffer, and from there.
func stripPortable(width int, p place, rows, cols []int) {
	if width == vector {
		scatter(width, p, rows, cols, width, width)
		return
	}
	var buf [stageCols * vector]byte
	for ; len(cols) > 0; p.s += stageCols * width {
		n, high := min(len(cols), stageCols), stripRows(width)
		for r := 0; r < len(rows); r += high {
			fillPortable(width, place{dst: buf[:], src: p.src, s: p.s}, rows[r:r+high], n, vector)
			unfill(width, p.at(r*width, 0), &buf, cols[:n])
		}
		cols = cols[n:]
	}
}

// unfill writes the columns of a small buffer, each as long as a strip has rows.
func unfill(width int, p place, buf *[stageCols * vector]byte, cols []int) {
	if width == 1 {
		for i, col := range cols {
			*elementAt[[8]byte](p.dst, p.d+col) = *elementAt[[8]byte](buf[:], i*vector)
		}
		return
	}
	for i, col := range cols {
		*elementAt[[16]byte](p.dst, p.d+col) = *elementAt[[16]byte](buf[:], i*vector)
	}
}

// fillPortable moves rows, a multiple of stripRows(width), of n columns, a multiple of 16 bytes, to
// columns that are pitch bytes apart: element c of row i to dst[c*pitch], i elements further.
func fillPortable(width int, p place, rows []int, n, pitch int) {
	for high := stripRows(width); len(rows) > 0; rows, p = rows[high:], p.at(high*width, 0) {
		fillStrip(width, p, rows[:high], n, pitch)
	}
}

// fillStrip moves stripRows(width) rows.
func fillStrip(width int, p place, rows []int, n, pitch int) {
	to := unsafe.Pointer(&p.dst[p.d : p.d+(n-1)*pitch+len(rows)*width][0])
	var from [8]unsafe.Pointer
	for i, row := range rows {
		from[i] = unsafe.Pointer(&p.src[p.s+row : p.s+row+n*width][0])
	}
	switch width {
	case 1:
		fillBytes(to, &from, n, pitch)
	case 2:
		fillWords(to, from[0], from[1], from[2], from[3], n, pitch)
		fillWords(unsafe.Add(to, 8), from[4], from[5], from[6], from[7], n, pitch)
	case 4:
		fillPairs(to, from[0], from[1], from[2], from[3], n, pitch)
	case 8:
		fillSingles(to, from[0], from[1], n, pitch)
	default:
		for i := range n {
			put[[16]byte](to, i*pitch, from[0], i*width)
		}
	}
}

// load returns the 8 bytes i bytes after b, the first of them the lowest.
func load(b unsafe.Pointer, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(b, i))[:])
}

// store writes the 8 bytes of v i bytes after b, the lowest first.
func store(b unsafe.Pointer, i int, v uint64) {
	binary.LittleEndian.PutUint64((*[8]byte)(unsafe.Add(b, i))[:], v)
}

// exchange exchanges the upper parts of a with the lower parts of b. The mask low has the lower ones,
// and shift is how far the two are apart.
func exchange(a, b uint64, shift int, low uint64) (uint64, uint64) {
	t := (a>>shift ^ b) & low
	return a ^ t<<shift, b ^ t
}

// Masks of the lower half of 8, 4 and 2 bytes, and of each one.
const (
	low8 = 0x00000000ffffffff
	low4 = 0x0000ffff0000ffff
	low2 = 0x00ff00ff00ff00ff
	low1 = 0x0f0f0f0f0f0f0f0f
)

// fillBytes moves 8 rows of bytes, 8 of each at a time.
func fillBytes(to unsafe.Pointer, from *[8]unsafe.Pointer, n, pitch int) {
	ra, rb, rc, rd, re, rf, rg, rh := from[0], from[1], from[2], from[3], from[4], from[5], from[6], from[7]
	for i, d := 0, 0; i < n; i, d = i+8, d+8*pitch {
		a, e := exchange(load(ra, i), load(re, i), 32, low8)
		b, f := exchange(load(rb, i), load(rf, i), 32, low8)
		c, g := exchange(load(rc, i), load(rg, i), 32, low8)
		h, k := exchange(load(rd, i), load(rh, i), 32, low8)
		a, c = exchange(a, c, 16, low4)
		b, h = exchange(b, h, 16, low4)
		e, g = exchange(e, g, 16, low4)
		f, k = exchange(f, k, 16, low4)
		a, b = exchange(a, b, 8, low2)
		store(to, d, a)
		store(to, d+pitch, b)
		c, h = exchange(c, h, 8, low2)
		store(to, d+2*pitch, c)
		store(to, d+3*pitch, h)
		e, f = exchange(e, f, 8, low2)
		store(to, d+4*pitch, e)
		store(to, d+5*pitch, f)
		g, k = exchange(g, k, 8, low2)
		store(to, d+6*pitch, g)
		store(to, d+7*pitch, k)
	}
}

// fillWords moves 4 rows of 2-byte elements, 4 elements of each at a time.
func fillWords(to, ra, rb, rc, rd unsafe.Pointer, n, pitch int) {
	for i, d := 0, 0; i < 2*n; i, d = i+8, d+4*pitch {
		a, c := exchange(load(ra, i), load(rc, i), 32, low8)
		b, e := exchange(load(rb, i), load(rd, i), 32, low8)
		a, b = exchange(a, b, 16, low4)
		store(to, d, a)
		store(to, d+pitch, b)
		c, e = exchange(c, e, 16, low4)
		store(to, d+2*pitch, c)
		store(to, d+3*pitch, e)
	}
}

// put moves an element from i bytes after from to d bytes after to.
func put[T element](to unsafe.Pointer, d int, from unsafe.Pointer, i int) {
	*(*T)(unsafe.Add(to, d)) = *(*T)(unsafe.Add(from, i))
}

// fillPairs moves 4 rows of 4-byte elements, 2 elements of each at a time.
func fillPairs(to, ra, rb, rc, rd unsafe.Pointer, n, pitch int) {
	for i, d := 0, 0; i < 4*n; i, d = i+8, d+2*pitch {
		put[[4]byte](to, d, ra, i)
		put[[4]byte](to, d+4, rb, i)
		put[[4]byte](to, d+8, rc, i)
		put[[4]byte](to, d+12, rd, i)
		put[[4]byte](to, d+pitch, ra, i+4)
		put[[4]byte](to, d+pitch+4, rb, i+4)
		put[[4]byte](to, d+pitch+8, rc, i+4)
		put[[4]byte](to, d+pitch+12, rd, i+4)
	}
}

// fillSingles moves 2 rows of 8-byte elements, 2 elements of each at a time.
func fillSingles(to, ra, rb unsafe.Pointer, n, pitch int) {
	for i, d := 0, 0; i < 8*n; i, d = i+16, d+2*pitch {
		put[[8]byte](to, d, ra, i)
		put[[8]byte](to, d+8, rb, i)
		put[[8]byte](to, d+pitch, ra, i+8)
		put[[8]byte](to, d+pitch+8, rb, i+8)
	}
}

// interleaveOf puts the elements of 3 planes side by side, 2 of each at a time.
func interleaveOf[T element](all, a, b, c unsafe.Pointer, bytes int) {
	width := int(unsafe.Sizeof(*new(T)))
	for i, d := 0, 0; i < bytes; i, d = i+2*width, d+6*width {
		put[T](all, d, a, i)
		put[T](all, d+width, b, i)
		put[T](all, d+2*width, c, i)
		put[T](all, d+3*width, a, i+width)
		put[T](all, d+4*width, b, i+width)
		put[T](all, d+5*width, c, i+width)
	}
}

// deinterleaveOf separates them again.
func deinterleaveOf[T element](a, b, c, all unsafe.Pointer, bytes int) {
	width := int(unsafe.Sizeof(*new(T)))
	for i, s := 0, 0; i < bytes; i, s = i+2*width, s+6*width {
		put[T](a, i, all, s)
		put[T](b, i, all, s+width)
		put[T](c, i, all, s+2*width)
		put[T](a, i+width, all, s+3*width)
		put[T](b, i+width, all, s+4*width)
		put[T](c, i+width, all, s+5*width)
	}
}

// interleavePairs puts the elements of 3 planes of 4 bytes side by side, 2 of each at a time.
func interleavePairs(all, a, b, c unsafe.Pointer, bytes int) {
	for i, d := 0, 0; i < bytes; i, d = i+8, d+24 {
		x, y, z := load(a, i), load(b, i), load(c, i)
		store(all, d, x&low8|y<<32)
		store(all, d+8, z&low8|x&^low8)
		store(all, d+16, y>>32|z&^low8)
	}
}

// deinterleavePairs separates them again.
func deinterleavePairs(a, b, c, all unsafe.Pointer, bytes int) {
	for i, s := 0, 0; i < bytes; i, s = i+8, s+24 {
		x, y, z := load(all, s), load(all, s+8), load(all, s+16)
		store(a, i, x&low8|y&^low8)
		store(b, i, x>>32|z<<32)
		store(c, i, y&low8|z&^low8)
	}
}

// Of 24 bytes of 3 planes, byte i of plane k is byte 3i+k. In its word of 8 bytes it is at 3i+k modulo 8:
// byte 3i, which is an order of all 8, and then k to the left. Byte 3(3i) is byte i again.
const (
	threes0 = 0x00ff0000ff0000ff // bytes 0, 3, 6
	threes1 = 0xff0000ff0000ff00 // bytes 1, 4, 7
	threes2 = 0x0000ff0000ff0000 // bytes 2, 5
)

// triple puts byte i of v at 3i modulo 8: it exchanges bytes 1 and 3, 5 and 7, and 2 and 6.
func triple(v uint64) uint64 {
	t := (v>>16 ^ v) & 0x0000ff000000ff00
	v ^= t ^ t<<16
	return v ^ (bits.RotateLeft64(v, 32)^v)&0x00ff000000ff0000
}

// interleaveBytes puts the bytes of 3 planes side by side, 8 of each at a time.
func interleaveBytes(all, a, b, c unsafe.Pointer, bytes int) {
	for i, d := 0, 0; i < bytes; i, d = i+8, d+24 {
		x := triple(load(a, i))
		y := bits.RotateLeft64(triple(load(b, i)), 8)
		z := bits.RotateLeft64(triple(load(c, i)), 16)
		store(all, d, x&threes0|y&threes1|z&threes2)
		store(all, d+8, x&threes1|y&threes2|z&threes0)
		store(all, d+16, x&threes2|y&threes0|z&threes1)
	}
}

// deinterleaveBytes separates them again.
func deinterleaveBytes(a, b, c, all unsafe.Pointer, bytes int) {
	for i, s := 0, 0; i < bytes; i, s = i+8, s+24 {
		x, y, z := load(all, s), load(all, s+8), load(all, s+16)
		store(a, i, triple(x&threes0|y&threes1|z&threes2))
		store(b, i, triple(bits.RotateLeft64(x&threes1|y&threes2|z&threes0, -8)))
		store(c, i, triple(bits.RotateLeft64(x&threes2|y&threes0|z&threes1, -16)))
	}
}
