package relayout

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"layoutcalc/layout/layouttest"
)

// margin is how many bytes must not change on either side of the bytes that a kernel moves.
const margin = 70

// inLine returns n bytes that start at a multiple of a line.
func inLine(n int) []byte {
	b := make([]byte, n+line)
	for !startsLine(b) {
		b = b[1:]
	}
	return b[:n:n]
}

// random returns n random bytes that start at a multiple of a line.
func random(rng *rand.Rand, n int) []byte {
	b := inLine(n + 7)
	for i := 0; i < n; i += 8 {
		binary.LittleEndian.PutUint64(b[i:], rng.Uint64())
	}
	return b[:n:n]
}

// newPlace returns a place with dst bytes of target and src bytes of source, and margins around them. The
// target starts shift bytes after the start of a line, and the source at any address.
func newPlace(rng *rand.Rand, dst, src, shift int) place {
	const first = 2 * line
	s := margin + rng.IntN(line)
	return place{random(rng, first+shift+dst+margin), first + shift, random(rng, s+src+margin), s, false}
}

// same checks that kernels leave all bytes of the target, margins included, as a slow loop does, and
// do not change those of the source.
func same(t *testing.T, what string, p place, slow func(place), kernels ...func(place)) {
	t.Helper()
	src := bytes.Clone(p.src)
	run := func(kernel func(place)) []byte {
		at := p
		at.dst = inLine(len(p.dst))
		copy(at.dst, p.dst)
		kernel(at)
		return at.dst
	}
	want := run(slow)
	for k, kernel := range kernels {
		if got := run(kernel); !bytes.Equal(got, want) {
			i := 0
			for got[i] == want[i] {
				i++
			}
			t.Fatalf("%s: kernel %d puts %#x at byte %d of the target, want %#x", what, k, got[i], i-p.d, want[i])
		}
		if !bytes.Equal(p.src, src) {
			t.Fatalf("%s: kernel %d changes the source", what, k)
		}
	}
}

// slowly moves element c of row i from src[rows[i]+c*srcStep] to dst[cols[c]+i*dstStep].
func slowly(width int, p place, rows, cols []int, dstStep, srcStep int) {
	for i, row := range rows {
		for c, col := range cols {
			for b := range width {
				p.dst[p.d+col+i*dstStep+b] = p.src[p.s+row+c*srcStep+b]
			}
		}
	}
}

// spread returns n positions that are at least step apart, in any order, and the end of the last.
func spread(rng *rand.Rand, n, step int) (at []int, end int) {
	at = make([]int, n)
	for _, i := range rng.Perm(n) {
		end += rng.IntN(20)
		at[i] = end
		end += step
	}
	return at, end
}

// TestStrip moves one to three strips of all widths and of 1 to 40 blocks, with rows in any order, also before
// the place, and fetches from any address ahead. Of columns of bytes at the same place the last one stays.
func TestStrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	for _, width := range []int{1, 2, 4, 8, 16} {
		high := stripRows(width)
		for blocks := 1; blocks <= 40; blocks++ {
			columns := blocks * vector / width
			rows, read := spread(rng, high*(1+rng.IntN(3)), blocks*vector)
			cols, written := spread(rng, columns, len(rows)*width)
			if width == 1 && rng.IntN(2) > 0 { // bytes between columns are overwritten by the next one
				for c := range columns - 1 {
					if rng.IntN(3) == 0 {
						cols[c] = cols[c+1+rng.IntN(columns-c-1)]
					}
				}
			}
			p := newPlace(rng, written, read, rng.IntN(line))
			back := rng.IntN(read)
			for i := range rows {
				rows[i] -= back
			}
			p.s += back
			ahead := []int{0, stageCols * width, -back, rng.Int(), math.MaxInt, math.MinInt}[rng.IntN(6)]
			name := fmt.Sprintf("%d rows of %d blocks of %d bytes, %d ahead", len(rows), blocks, width, ahead)
			same(t, name, p,
				func(p place) { slowly(width, p, rows, cols, width, width) },
				func(p place) { strip(width, p, rows, cols, ahead) },
				func(p place) { stripPortable(width, p, rows, cols) })
		}
	}
}

// TestStage moves one to all strips of a stage, to all numbers of columns, and leaves the bytes around them.
func TestStage(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	for _, width := range []int{1, 2, 4, 8, 16} {
		per := vector / width
		for n := per; n <= stageCols; n += per {
			high := stripRows(width)
			all := pitch / (high * width)
			strips := 1 + rng.IntN(all)
			rows, read := spread(rng, strips*high, n*width)
			from := rng.IntN(stageCols - n + 1)
			cols := multiples(stageCols, pitch)[from : from+n]
			p := newPlace(rng, 0, read, 0)
			p.dst, p.d = random(rng, stageSize), rng.IntN(all-strips+1)*high*width
			same(t, fmt.Sprintf("%d strips of %d columns of %d bytes", strips, n, width), p,
				func(p place) { slowly(width, p, rows, cols, width, width) },
				func(p place) { stageStrips(width, p.at(cols[0], 0), rows, n, n*width) },
				func(p place) { fillPortable(width, p.at(cols[0], 0), rows, n, pitch) })
		}
	}
}

// TestLines writes one or two lines of 1 to 64 columns, at any address, and past the caches at multiples
// of 16.
func TestLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	for _, bytes := range []int{line, pitch} {
		for n := 1; n <= stageCols; n++ {
			testLines(t, rng, n, bytes, 1)
			testLines(t, rng, n, bytes, vector)
		}
	}
}

// testLines writes n columns to multiples of the given number, past the caches if that is a vector.
func testLines(t *testing.T, rng *rand.Rand, n, bytes, multiple int) {
	t.Helper()
	buf := [stageSize]byte(random(rng, stageSize))
	cols, written := spread(rng, n, bytes+multiple)
	for i := range cols {
		cols[i] -= cols[i] % multiple
	}
	p := newPlace(rng, written, 0, rng.IntN(line)/multiple*multiple)
	p.past = multiple == vector
	same(t, fmt.Sprintf("%d columns of %d bytes, past %v", n, bytes, p.past), p, func(p place) {
		for i, col := range cols {
			for b := range bytes {
				p.dst[p.d+col+b] = buf[i*pitch+b]
			}
		}
	}, func(p place) { lines(p, &buf, cols, bytes) }, func(p place) { linesPortable(p, &buf, cols, bytes) })
}

// TestShuffle interleaves 2 to 7 planes with element sizes of 1 to 8 bytes, and separates them again, in whole blocks
// and with elements that do not fill a block.
func TestShuffle(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 36))
	for k := 2; k <= maxPlanes; k++ {
		for _, width := range []int{1, 2, 4, 8} {
			for _, apart := range []bool{false, true} {
				for blocks := range 6 {
					per := vector / width
					testInterleaving(t, rng, width, k, blocks*per, apart)
					testInterleaving(t, rng, width, k, blocks*per+1+rng.IntN(100), apart)
				}
			}
		}
	}
}

// testInterleaving interleaves k planes of n elements, or separates them.
func testInterleaving(t *testing.T, rng *rand.Rand, width, k, n int, apart bool) {
	t.Helper()
	w := newInterleaving(width, k, n, n*width+rng.IntN(30), apart)
	planes, pixels := (k-1)*w.plane+n*width, k*n*width
	p := newPlace(rng, pixels, planes, rng.IntN(line))
	if apart {
		p = newPlace(rng, planes, pixels, rng.IntN(line))
	}
	plain := *w
	plain.shuffled = false
	kernels := []func(place){w.move, plain.move}
	if blocks := n * width / vector; blocks > 0 && n*width%vector == 0 {
		kernels = append(kernels, func(p place) { shufflePortable(w, p, blocks) })
		if k == 3 {
			kernels = append(kernels, func(p place) { interleavePortable(w, p, blocks) })
		}
	}
	same(t, fmt.Sprintf("%d planes of %d x %d bytes, apart %v", k, n, width, apart), p, func(p place) {
		for i := range k * n * width {
			b, plane, x := i%width, i/width%k, i/width/k
			from, to := plane*w.plane+x*width+b, i
			if apart {
				from, to = to, from
			}
			p.dst[p.d+to] = p.src[p.s+from]
		}
	}, kernels...)
}

// TestFlush copies 0 to 300 bytes to every position in a line, and whole lines past the caches to
// every multiple of 16.
func TestFlush(t *testing.T) {
	rng := rand.New(rand.NewPCG(37, 38))
	for d := range line {
		for n := range 301 {
			p := newPlace(rng, n, n, d)
			p.past = true
			batch := p.src[p.s : p.s+n]
			kernels := []func(place){func(p place) { flush(p, batch) }}
			if d%vector == 0 && n > 0 && n%line == 0 {
				kernels = append(kernels, func(p place) { pastCopy(p.dst[p.d:], batch) })
			}
			same(t, fmt.Sprintf("%d bytes to %d", n, d), p, func(p place) {
				for i, b := range batch {
					p.dst[p.d+i] = b
				}
			}, kernels...)
		}
	}
}

// TestScatter moves up to 40 rows and columns, with steps of any length in either direction.
func TestScatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(39, 40))
	for _, width := range []int{1, 2, 4, 8, 16} {
		for range 200 {
			high, wide := rng.IntN(41), rng.IntN(41)
			dstStep, srcStep := width+rng.IntN(9), rng.IntN(40)-20
			rows, read := spread(rng, high, width)
			cols, written := spread(rng, wide, high*dstStep+width)
			p := newPlace(rng, written, read+2*20*wide, rng.IntN(line))
			p.s += 20 * wide
			same(t, fmt.Sprintf("%d rows of %d x %d bytes, steps %d and %d", high, wide, width, dstStep, srcStep), p,
				func(p place) { slowly(width, p, rows, cols, dstStep, srcStep) },
				func(p place) { scatter(width, p, rows, cols, dstStep, srcStep) })
		}
	}
}

// TestTile moves matrices of all sizes around the capacity of a strip, a line and a batch, into and past the caches, to
// columns that follow one another and to columns that do not.
func TestTile(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	for _, width := range []int{1, 2, 4, 8, 16} {
		for _, high := range []int{1, 2, 3, 7, 8, 9, 15, 17, 63, 64, 65, 129, 200} {
			per := batchSize / (high * width)
			for _, wide := range []int{1, 2, 3, 4, 5, 15, 16, 17, 63, 65, 129, per &^ 15, per&^15 + 1, per + 2} {
				if wide > 0 && high*wide < 50_000 {
					testTile(t, rng, width, high, wide, high*width)
					testTile(t, rng, width, high, wide, (high*width+line)&^(line-1))
				}
			}
		}
	}
}

// testTile moves rows to columns that are apart bytes apart.
func testTile(t *testing.T, rng *rand.Rand, width, high, wide, apart int) {
	t.Helper()
	step := wide*width + rng.IntN(50)
	rows, cols := make([]int, high), make([]int, wide)
	for i := range rows {
		rows[i] = i * step
	}
	for c := range cols {
		cols[c] = c * apart
	}
	m := &tile{
		width: width, dstStep: width, srcStep: width,
		rows:  positions{n: high, far: rows},
		cols:  positions{n: wide, far: cols[:min(wide, 100)], chunk: min(wide, 100) * apart},
		dense: apart == high*width, aligned: apart%line == 0,
	}
	if rng.IntN(2) > 0 {
		m.lead, m.lines = rng.IntN(1<<20), multiples(nearRows, line)
	}
	shift := rng.IntN(line)
	if m.aligned {
		shift = 0
	}
	p := newPlace(rng, wide*apart, high*step, shift)
	kernels := []func(place){m.move, func(p place) { p.past = true; m.move(p) }}
	if m.dense {
		kernels = append(kernels, m.batches)
	}
	same(t, fmt.Sprintf("%d rows of %d x %d bytes, %d apart", high, wide, width, apart), p,
		func(p place) { slowly(width, p, rows, cols, width, width) }, kernels...)
}

// TestSplit splits two rows of up to 200 4-bit elements. The rows start at whole bytes and at upper halves.
func TestSplit(t *testing.T) {
	rng := rand.New(rand.NewPCG(45, 46))
	for n := range 201 {
		for start := range 4 {
			p := newPlace(rng, n, 2*n+4, rng.IntN(line))
			a, b := 2*p.s+start&1, 2*(p.s+n+1)+start>>1
			at := func(i int) byte { return p.src[i/2] >> (i % 2 * 4) & 15 }
			same(t, fmt.Sprintf("two rows of %d elements, from %d and %d on", n, a, b), p, func(p place) {
				for c := range n {
					p.dst[p.d+c%2*((n+1)/2)+c/2] = at(a+c) | at(b+c)<<4
				}
			}, func(p place) { split(p.dst[p.d:], p.dst[p.d+(n+1)/2:], p.src, a, b, n) })
		}
	}
}

// TestPack unpacks up to 100 bytes, and packs them again, with the kernels of each processor.
func TestPack(t *testing.T) {
	rng := rand.New(rand.NewPCG(47, 48))
	EachProcessor(func(name string) {
		for n := range 101 {
			p := newPlace(rng, 2*n, 2*n, rng.IntN(line))
			same(t, fmt.Sprintf("%s: %d bytes to twice as many", name, n), p, func(p place) {
				for i, b := range p.src[p.s : p.s+n] {
					p.dst[p.d+2*i], p.dst[p.d+2*i+1] = b%16, b/16
				}
			}, func(p place) { unpack(p.dst[p.d:], p.src[p.s:p.s+n]) })
			for i := range p.src {
				p.src[i] %= 16
			}
			same(t, fmt.Sprintf("%s: %d bytes from twice as many", name, n), p, func(p place) {
				for i := range n {
					p.dst[p.d+i] = p.src[p.s+2*i] + 16*p.src[p.s+2*i+1]
				}
			}, func(p place) { pack(p.dst[p.d:p.d+n], p.src[p.s:]) })
		}
	})
}

// TestReverse reverses up to 100 elements of all widths.
func TestReverse(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	for _, width := range []int{1, 2, 4, 8} {
		for n := range 101 {
			p := newPlace(rng, n*width, n*width, rng.IntN(line))
			same(t, fmt.Sprintf("%d elements of %d bytes", n, width), p, func(p place) {
				for i := range n {
					copy(p.dst[p.d+i*width:][:width], p.src[p.s+(n-1-i)*width:])
				}
			}, func(p place) { reverse(p.dst[p.d:p.d+n*width], p.src[p.s:p.s+n*width], width) })
		}
	}
}

// CanShuffle reports whether there are kernels that shuffle bytes.
func CanShuffle() bool { return canScatter() }

// TestScattering moves up to 100 bytes in any order, several times, with the kernels of each processor: nothing
// before the first of them changes, and nothing more than a vector after the last.
func TestScattering(t *testing.T) {
	EachProcessor(func(name string) {
		if !CanShuffle() {
			return
		}
		rng := rand.New(rand.NewPCG(57, 58))
		for n := 1; n <= 100; n++ {
			k, from, to := newTestScattering(rng, n)
			p := newPlace(rng, k.n*k.dstStep+vector, k.n*k.srcStep+slices.Max(from)+vector, rng.IntN(line))
			old := bytes.Clone(p.dst)
			k.move(p)
			moved := make(map[int]bool)
			for time := range k.n {
				for i, at := range to {
					at, want := p.d+time*k.dstStep+at, p.src[p.s+time*k.srcStep+from[i]]
					if moved[at] = true; p.dst[at] != want {
						t.Fatalf("%s: %d bytes, byte %d of time %d is %#x, want %#x", name, n, i, time, p.dst[at], want)
					}
				}
			}
			end := p.d + (k.n-1)*k.dstStep + slices.Max(to) + vector
			for at, v := range p.dst {
				if (at < p.d || at >= end) && v != old[at] {
					t.Fatalf("%s: %d bytes, byte %d changed, which is outside of %d to %d", name, n, at, p.d, end)
				}
			}
		}
	})
}

// newTestScattering returns a kernel that moves n bytes one to four times, and where they are from and to.
func newTestScattering(rng *rand.Rand, n int) (k *scattering, from, to []int) {
	to, length := spread(rng, n, 1)
	slices.Sort(to)
	from = make([]int, n)
	for i := range from {
		from[i] = rng.IntN(1 + rng.IntN(4*n))
	}
	k = newScattering(from, to)
	k.repeat(1+rng.IntN(4), length+rng.IntN(20), rng.IntN(4*n))
	return k, from, to
}

// TestHalves makes bytes of the lower or upper halves of up to 50 bytes, and replaces some of these halves.
func TestHalves(t *testing.T) {
	rng := rand.New(rand.NewPCG(53, 54))
	for n := range 51 {
		mask := make([]byte, n)
		for i := range mask {
			mask[i] = byte(rng.IntN(2) * 15)
		}
		for half := range 2 {
			p := newPlace(rng, n, n, rng.IntN(line))
			what, factor := fmt.Sprintf("half %d of %d bytes", half, n), byte(1+15*half)
			same(t, what, p, func(p place) {
				for i, b := range p.src[p.s : p.s+n] {
					p.dst[p.d+i] = b / factor % 16
				}
			}, func(p place) { halves(p.dst[p.d:p.d+n], p.src[p.s:], half*4) })
			for i := range p.src {
				p.src[i] %= 16
			}
			same(t, what, p, func(p place) {
				for i, b := range p.src[p.s : p.s+n] {
					if old := &p.dst[p.d+i]; mask[i] != 0 {
						*old += (b - *old/factor%16) * factor
					}
				}
			}, func(p place) { blend(p.dst[p.d:], p.src[p.s:p.s+n], mask, half*4) })
		}
	}
}

// TestGaps moves 4-bit elements by loops with and without gaps on both sides. The bits between the elements of the
// target must not change.
func TestGaps(t *testing.T) {
	EachProcessor(func(name string) {
		rng := rand.New(rand.NewPCG(55, 56))
		for range 3000 / layouttest.Step() {
			testGaps(t, rng, name)
		}
	})
}

// testGaps moves elements by random loops.
func testGaps(t *testing.T, rng *rand.Rand, processor string) {
	t.Helper()
	loops, dst := make([]loop, 1+rng.IntN(4)), int64(1+rng.IntN(3)*rng.IntN(9))
	src, elements, reach := 1+rng.Int64N(3)*rng.Int64N(9), int64(1), int64(0)
	for i := range loops {
		l := loop{1 + rng.Int64N([...]int64{4, 20, 300}[rng.IntN(3)]), src, dst}
		if l.n = max(min(l.n, 20_000/elements), 1); elements*l.n*max(src, dst) > 1<<20 {
			l.n = 1
		}
		if l.dst > 1 && rng.IntN(4) == 0 {
			l.dst = 1 + rng.Int64N(l.dst) // in the range of the loops inside it
		}
		if loops[i] = l; shareOffsets(loops[:i+1]) {
			l.n = 1
		}
		elements, reach = elements*l.n, reach+l.dst*(l.n-1)
		if dst *= l.n; rng.IntN(2) == 0 {
			dst = reach + 1
		}
		dst += max(rng.Int64N(40)-20, 0)
		if src = l.n*src + max(rng.Int64N(40)-20, 0); rng.IntN(10) == 0 {
			src = rng.Int64N(30)
		}
		loops[i] = l
	}
	low, high := int64(0), int64(0)
	for i, k := range rng.Perm(len(loops)) {
		if rng.IntN(2) == 0 {
			loops[i].src, loops[k].src = loops[k].src, loops[i].src
		}
	}
	for i := range loops {
		l := &loops[i]
		if rng.IntN(5) == 0 {
			l.src = -l.src
		}
		low, high = low+min(l.src, 0)*(l.n-1), high+max(l.src, 0)*(l.n-1)
	}
	p := newPlace(rng, int(reach)/2+1, int(high-low)/2+1, rng.IntN(line))
	q := part{int64(2*p.s) + rng.Int64N(2) - low, int64(2*p.d) + rng.Int64N(2), loops}
	p.d, p.s = 0, 0
	n := q.nest(4)
	same(t, fmt.Sprintf("%s: %d -> %d, loops %v, %s", processor, q.src, q.dst, loops, n.String()), p, func(p place) {
		slowNibbles(p, loops, int(q.dst), int(q.src))
	}, func(p place) { n.run(p) })
}

// shareOffsets reports whether two elements of the target are at the same offset.
func shareOffsets(loops []loop) bool {
	at := offsets(loops, loop.target)
	slices.Sort(at)
	return len(slices.Compact(at)) < len(at)
}

// slowNibbles moves elements one after the other.
func slowNibbles(p place, loops []loop, d, s int) {
	if len(loops) == 0 {
		v := p.src[s/2] >> (s % 2 * 4) % 16
		old := &p.dst[d/2]
		if d%2 == 0 {
			*old = *old/16*16 + v
		} else {
			*old = *old%16 + v*16
		}
		return
	}
	for i := range loops[0].n {
		slowNibbles(p, loops[1:], d+int(i*loops[0].dst), s+int(i*loops[0].src))
	}
}

// shufflePortable is shuffle, byte by byte.
func shufflePortable(w *interleaving, p place, blocks int) {
	for range blocks {
		for j, o := range w.block.outputs {
			for b := range vector {
				p.dst[p.d+o.to+b] = w.pick(p, j, b)
			}
		}
		p = p.at(w.block.dstStep, w.block.srcStep)
	}
}

// pick returns byte b of output j.
func (w *interleaving) pick(p place, j, b int) (v byte) {
	for i, from := range w.block.inputs[j*w.k : (j+1)*w.k] {
		if m := w.block.masks[(j*w.k+i)*vector+b]; m < vector {
			v |= p.src[p.s+from+int(m)]
		}
	}
	return v
}
