//go:build !purego

package relayout

// The fill kernels move a strip of several rows of the source at the same time, and then the next strip: 8 rows of
// 1-byte or 2-byte elements, 4 rows of 4-byte elements, or 2 rows of 8-byte elements. Row i starts at src[s+rows[i]],
// and its element c is moved to dst[c*pitch], i elements further. The kernels prefetch the bytes at the distance ahead
// after the bytes that they read.

//go:noescape
func fill1(dst, src *byte, s int, rows *int, strips, blocks, pitch, ahead int)

//go:noescape
func fill2(dst, src *byte, s int, rows *int, strips, blocks, pitch, ahead int)

//go:noescape
func fill4(dst, src *byte, s int, rows *int, strips, blocks, pitch, ahead int)

//go:noescape
func fill8(dst, src *byte, s int, rows *int, strips, blocks, pitch, ahead int)

// linesOf copies the first bytes, 64 or 128, of each of n columns of a stage to dst[cols[c]].
//
//go:noescape
func linesOf(dst, buf *byte, cols *int, n, bytes int)

// The interleave kernels put 16 bytes of each plane at a time side by side, in elements of the width; plane k starts at
// src[k*plane].

//go:noescape
func interleave2(dst, src *byte, plane, blocks, width int)

//go:noescape
func interleave3(dst, src *byte, plane, blocks, width int)

//go:noescape
func interleave4(dst, src *byte, plane, blocks, width int)

// The deinterleave kernels separate them again; plane k starts at dst[k*plane].

//go:noescape
func deinterleave2(dst, src *byte, plane, blocks, width int)

//go:noescape
func deinterleave3(dst, src *byte, plane, blocks, width int)

//go:noescape
func deinterleave4(dst, src *byte, plane, blocks, width int)

// shuffleAny writes 16 bytes to each of n outputs. The masks select these bytes from the output's inputs: 16 bytes
// starting at each src[inputs[i]]. Then src and dst advance by their steps.
//
//go:noescape
func shuffleAny(dst, src *byte, outputs *output, n int, inputs *int, masks *byte, blocks, dstStep, srcStep int)

// unpack16 turns each of n bytes, at least 16, into two bytes, the lower half first. pack16 turns 2n bytes that are
// less than 16 into n bytes.

//go:noescape
func unpack16(dst, src *byte, n int)

//go:noescape
func pack16(dst, src *byte, n int)

// fetchesAhead reports whether strips prefetch. Nothing is written past the caches: these processors stop reading lines
// that are written as a whole.
const fetchesAhead = true

// fill moves rows, a multiple of stripRows(width), of n columns, a multiple of 16 bytes, to columns
// that are pitch bytes apart.
func fill(width int, p place, rows []int, n, pitch, ahead int) {
	dst, src, row := &p.dst[p.d], &p.src[0], &rows[0]
	strips, blocks := len(rows)/stripRows(width), n*width/vector
	switch width {
	case 1:
		fill1(dst, src, p.s, row, strips, blocks, pitch, ahead)
	case 2:
		fill2(dst, src, p.s, row, strips, blocks, pitch, ahead)
	case 4:
		fill4(dst, src, p.s, row, strips, blocks, pitch, ahead)
	case 8:
		fill8(dst, src, p.s, row, strips, blocks, pitch, ahead)
	default:
		fillPortable(width, p, rows, n, pitch)
	}
}

// strip moves rows, a multiple of stripRows(width), of len(cols) columns, which must be a multiple of 16
// bytes, to a small buffer, and from there.
func strip(width int, p place, rows, cols []int, ahead int) {
	if width == vector {
		stripPortable(width, p, rows, cols)
		return
	}
	var buf [stageCols * vector]byte
	for ; len(cols) > 0; p.s += stageCols * width {
		n, high := min(len(cols), stageCols), stripRows(width)
		for r := 0; r < len(rows); r += high {
			fill(width, place{dst: buf[:], src: p.src, s: p.s}, rows[r:r+high], n, vector, ahead)
			unfill(width, p.at(r*width, 0), &buf, cols[:n])
		}
		cols = cols[n:]
	}
}

// stageStrips is fill, to n columns of a stage.
func stageStrips(width int, p place, rows []int, n, ahead int) { fill(width, p, rows, n, pitch, ahead) }

// lines copies the first bytes of each column of a stage to dst[cols[c]].
func lines(p place, buf *[stageSize]byte, cols []int, bytes int) {
	linesOf(&p.dst[p.d], &buf[0], &cols[0], len(cols), bytes)
}

// canShuffle reports true: every processor of 64 bits has byte shuffles.
func canShuffle(int) bool { return true }

// canScatter reports true too.
func canScatter() bool { return true }

// shuffle moves the given number of blocks, each with 16 bytes of every plane.
func shuffle(w *interleaving, p place, blocks int) {
	dst, src := &p.dst[p.d], &p.src[p.s]
	switch {
	case w.k == 2 && w.apart:
		deinterleave2(dst, src, w.plane, blocks, w.width)
	case w.k == 2:
		interleave2(dst, src, w.plane, blocks, w.width)
	case w.k == 3 && w.apart:
		deinterleave3(dst, src, w.plane, blocks, w.width)
	case w.k == 3:
		interleave3(dst, src, w.plane, blocks, w.width)
	case w.k == 4 && w.apart:
		deinterleave4(dst, src, w.plane, blocks, w.width)
	case w.k == 4:
		interleave4(dst, src, w.plane, blocks, w.width)
	default:
		shuffleBlocks(&w.block, p, blocks)
	}
}

// shuffleBlocks makes all outputs of the given number of blocks.
func shuffleBlocks(s *shuffles, p place, blocks int) {
	shuffleAny(&p.dst[p.d], &p.src[p.s], &s.outputs[0], len(s.outputs), &s.inputs[0], &s.masks[0],
		blocks, s.dstStep, s.srcStep)
}

// unpackVectors is unpack for at least 16 bytes.
func unpackVectors(dst, src []byte) bool {
	unpack16(&dst[0], &src[0], len(src))
	return true
}

// packVectors is pack to at least 16 bytes.
func packVectors(dst, src []byte) bool {
	pack16(&dst[0], &src[0], len(dst))
	return true
}
