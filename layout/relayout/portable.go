package relayout

import "unsafe"

const (
	vector    = 16                // bytes that the kernels move at once
	line      = 64                // bytes of a cache line
	pitch     = 2 * line          // bytes from one column of a stage to the next: pairs of lines are written fastest
	stageCols = 64                // columns of a stage
	stageSize = stageCols * pitch // bytes of a stage: it stays in the first cache
)

// A place is where a kernel works: it moves from src[s] on to dst[d] on, and past the caches if
// that is worth its while.
type place struct {
	dst  []byte
	d    int
	src  []byte
	s    int
	past bool
}

// at is the place so many bytes further on each side.
func (p place) at(d, s int) place {
	p.d += d
	p.s += s
	return p
}

// inLines reports whether b starts at a multiple of a cache line.
func inLines(b []byte) bool {
	return uintptr(unsafe.Pointer(unsafe.SliceData(b)))%line == 0
}

// An element is so many bytes of memory, aligned to nothing.
type element interface {
	[1]byte | [2]byte | [4]byte | [8]byte | [16]byte
}

// elementAt is the element that starts at b[i]. Only that byte is checked against the slice.
func elementAt[T element](b []byte, i int) *T {
	return (*T)(unsafe.Pointer(&b[i]))
}

// stripRows is how many rows of elements of that width a strip has.
func stripRows(width int) int { return min(vector/width, 8) }

// touch reads a byte of each line that so many bytes of the rows lie in. Reads that wait for nothing
// but memory are done many at once.
func touch(p place, rows []int, bytes int) (any byte) {
	for _, row := range rows {
		for i := 0; i < bytes; i += line {
			any |= p.src[p.s+row+i]
		}
	}
	return any
}

// linesPortable does in Go what lines does.
func linesPortable(p place, buf *[stageSize]byte, cols []int, bytes int) {
	for i, col := range cols {
		copy(p.dst[p.d+col:p.d+col+bytes], buf[i*pitch:])
	}
}

// scatter moves element c of row i, which lies at src[s+rows[i]+c*srcStep], to
// dst[d+cols[c]+i*dstStep], for all rows and columns.
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

// step moves n elements that lie so far apart on each side.
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
