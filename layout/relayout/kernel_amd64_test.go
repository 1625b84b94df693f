//go:build !purego

package relayout

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// EachProcessor calls f for this processor, and for processors with fewer instructions, which it simulates. It must not
// run in parallel to other tests.
func EachProcessor(f func(name string)) {
	this := thisProcessor
	defer func() { thisProcessor = this }()
	p := this()
	run := func(name string, has bool) {
		if has {
			thisProcessor = func() processor { return p }
			f(name)
		}
	}
	run("AVX-512", p.avx512)
	p.avx512 = false
	run("AVX2", p.avx2)
	p.avx2 = false
	run("SSSE3", p.ssse3)
	p.ssse3 = false
	run("SSE2", true)
}

// TestSquare moves up to 5 groups of rows and 4 blocks of columns with the kernels for squares, into and past
// the caches, with rows and columns in any order, and fetches from any address ahead.
func TestSquare(t *testing.T) {
	if !thisProcessor().avx512 {
		t.Skip("this processor has no AVX-512")
	}
	rng := rand.New(rand.NewPCG(43, 44))
	for _, width := range []int{2, 4, 8} {
		side := squareRows(width)
		for i := range 60 {
			high, blocks := side*(1+i%5), 1+rng.IntN(4)
			rows, read := spread(rng, high, blocks*line)
			cols, written := spread(rng, blocks*side, high*width+line)
			past := i%2 > 0
			shift := rng.IntN(line)
			if past {
				shift = 0
				for c := range cols {
					cols[c] &^= line - 1
				}
			}
			p := newPlace(rng, written, read, shift)
			p.past = past
			coming, _ := spread(rng, high+rng.IntN(3), 1+rng.IntN(1000))
			ahead := []int{0, line, -rng.IntN(read), rng.Int(), math.MaxInt, math.MinInt}[rng.IntN(6)]
			if i%5 == 0 {
				coming = nil
			}
			next := []int{0, line, -rng.IntN(read), rng.Int()}[rng.IntN(4)]
			name := fmt.Sprintf("%d rows of %d blocks of %d bytes, past %v, %d and %d ahead",
				high, blocks, width, past, ahead, next)
			same(t, name, p, func(p place) { slowly(width, p, rows, cols, width, width) },
				func(p place) { square(width, p, rows, cols, len(cols), coming, ahead, next) })
		}
	}
}

// TestShuffleOfOlderProcessors interleaves 3 planes with the kernels of all processors.
func TestShuffleOfOlderProcessors(t *testing.T) {
	if !canShuffle(3) {
		t.Skip("this processor has no SSSE3")
	}
	rng := rand.New(rand.NewPCG(39, 40))
	for _, width := range []int{1, 2, 4, 8} {
		for _, apart := range []bool{false, true} {
			for blocks := 1; blocks < 7; blocks++ {
				n := blocks * vector / width
				w := newInterleaving(width, 3, n, n*width+rng.IntN(30), apart)
				planes, pixels := 2*w.plane+n*width, 3*n*width
				p := newPlace(rng, pixels, planes, rng.IntN(line))
				if apart {
					p = newPlace(rng, planes, pixels, rng.IntN(line))
				}
				name := fmt.Sprintf("%d blocks of 3 planes, %d bytes, apart %v", blocks, width, apart)
				s := &w.block
				same(t, name, p, func(p place) { shufflePortable(w, p, blocks) },
					func(p place) {
						shuffle3(&p.dst[p.d], &p.src[p.s], &s.outputs[0], &s.inputs[0], &s.masks[0],
							blocks, s.dstStep, s.srcStep)
					},
					func(p place) { shuffleBlocks(s, p, blocks) })
			}
		}
	}
}

// TestStripOfOlderProcessors moves rows of 4-byte elements with the kernel for processors without AVX2.
func TestStripOfOlderProcessors(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	for blocks := 1; blocks < 20; blocks++ {
		n := blocks * vector / 4
		rows, cols := make([]int, 4), make([]int, n)
		for i := range rows {
			rows[i] = rng.IntN(4)*4*n + rng.IntN(9)
		}
		for i, at := range rng.Perm(n) {
			cols[i] = at * 17
		}
		p := newPlace(rng, 17*n, 16*n+9, rng.IntN(line))
		same(t, fmt.Sprintf("%d blocks", blocks), p, func(p place) { stripPortable(4, p, rows, cols) },
			func(p place) { strip4(&p.dst[p.d], &p.src[p.s], &rows[0], &cols[0], blocks, 64, 1) })
	}
}
