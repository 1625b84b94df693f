package relayout

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"layoutcalc/layout"
)

// Elements of 4 bits: element 2k is the low half of byte k. The kernels of this file, and the loops
// around them, count in elements.

// pairs changes a part of elements of 4 bits to one of bytes, if they always move in pairs that
// share a byte on both sides.
func (p part) pairs() (part, bool) {
	q := part{p.src / 2, p.dst / 2, nil}
	paired := false
	for _, l := range p.loops {
		switch {
		case l.n == 1:
		case !paired && l.src == 1 && l.dst == 1 && l.n%2 == 0:
			paired = true
			q.loops = append(q.loops, loop{l.n / 2, 1, 1})
		case l.src%2 != 0 || l.dst%2 != 0:
			return part{}, false
		default:
			q.loops = append(q.loops, loop{l.n, l.src / 2, l.dst / 2})
		}
	}
	return q, paired && p.src%2 == 0 && p.dst%2 == 0
}

// nibbles plans a part whose elements of 4 bits do not move in pairs.
func (p part) nibbles() nest {
	b := box{p, 1}
	b.simplify()
	var inner kernel
	inner, b.loops = b.nibbleKernel()
	slices.SortStableFunc(b.loops, func(a, b loop) int { return cmp.Compare(b.near(), a.near()) })
	return nest{b.part, inner}
}

// nibbleKernel chooses the kernel, and returns the loops that it does not run.
func (b *box) nibbleKernel() (kernel, []loop) {
	if k, rest := b.permutation(); k != nil {
		return k, rest
	}
	along := shortest(b.loops, func(l loop) int64 { return l.dst }, -1)
	across := shortest(b.loops, func(l loop) int64 { return magnitude(l.src) }, along)
	if along >= 0 && across >= 0 && b.loops[along].dst == 1 && b.loops[across].src == 1 {
		k, rest := b.tile(along, across)
		if t := newNibbleTile(k.(*tile)); t != nil && b.dst%2 == 0 && !slices.ContainsFunc(rest, loop.splits) {
			return t, rest
		}
	}
	if k, rest := b.widening(); k != nil {
		return k, rest
	}
	k := &nibbles{n: 1, wide: 1}
	if along >= 0 {
		k.n, k.src, k.dst = int(b.loops[along].n), int(b.loops[along].src), int(b.loops[along].dst)
	}
	if across >= 0 {
		k.wide, k.across = int(b.loops[across].n), b.loops[across]
	}
	return k, b.without(along, across)
}

// splits reports whether steps of the loop start inside of bytes of the target.
func (l loop) splits() bool { return l.dst%2 != 0 }

const (
	wideBlock = 8 << 10 // elements of 4 bits that are moved at once: as bytes, most of them stay in the first cache
	wideRun   = 128     // elements in a row that fill a line
	wideGap   = 4       // as many places as elements are moved with what is between them
)

// widening returns a kernel, and the loops that are left, if elements are close together on both sides, and if bytes
// would not be moved one by one too.
func (b *box) widening() (kernel, []loop) {
	k := &widening{}
	var rest []loop
	for i, steps := range b.blocks() {
		switch l := b.loops[i]; {
		case steps == l.n:
			k.loops = append(k.loops, l)
		case steps == 1:
			rest = append(rest, l)
		default:
			k.cuts = append(k.cuts, blocks{l, steps})
		}
	}
	k.plans = make([]*wide, 1<<len(k.cuts))
	w := k.plan(0)
	t, ok := w.nest.inner.(*tile)
	if w.src.length == 1 || w.dst.length == 1 || ok && !t.adjacent() && !w.dst.gaps {
		return nil, nil
	}
	return k, rest
}

// blocks returns how many steps of each loop make up what is moved at once: enough to fill lines on both
// sides, and then as many as there is room for, along the target first.
func (b *box) blocks() []int64 {
	steps := slices.Repeat([]int64{1}, len(b.loops))
	order := make([]int, len(b.loops)) // that of the target, in which the loops are
	for i := range order {
		order[i] = i
	}
	along := slices.SortedStableFunc(slices.Values(order), func(i, k int) int {
		return cmp.Compare(magnitude(b.loops[i].src), magnitude(b.loops[k].src))
	})
	all := int64(1)
	take := func(order []int, enough int64) {
		for got := int64(1); len(order) > 0 && got < enough; order = order[1:] {
			l, s := b.loops[order[0]], &steps[order[0]]
			want := max(l.n, *s)
			if most := max(layout.CeilDiv(enough, got), 1); want/2 > most {
				want = max(most, *s)
			}
			want = min(want, max(wideBlock/(all / *s), *s))
			if want < l.n {
				want = max(want&^(vector-1), *s)
			}
			all = all / *s * want
			if *s = want; want < l.n {
				return
			}
			got *= want
		}
	}
	take(order, wideRun)
	take(along, wideRun)
	take(order, wideBlock)
	take(along, wideBlock)
	return steps
}

// magnitude returns n without its sign.
func magnitude(n int64) int64 { return max(n, -n) }

// A widening is a kernel that moves elements of 4 bits as bytes, a block at a time: they are unpacked into a
// buffer, moved to another as whole bytes are, and packed into the target.
type widening struct {
	loops    []loop   // of a block
	cuts     []blocks // loops of which a block has some steps
	plans    []*wide  // of a block; bit i of the number is set if it has what remains at the end of cut i
	src, dst []byte   // the buffers
}

// Blocks are a loop of which a block has that many steps.
type blocks struct {
	loop
	steps int64
}

// move moves all blocks.
func (k *widening) move(p place) { k.walk(p, k.cuts, 0) }

// walk moves the blocks of some cuts.
func (k *widening) walk(p place, cuts []blocks, number int) {
	if len(cuts) == 0 {
		k.block(p, number)
		return
	}
	c := cuts[0]
	for range c.n / c.steps {
		k.walk(p, cuts[1:], number)
		p = p.at(int(c.steps*c.dst), int(c.steps*c.src))
	}
	if c.n%c.steps > 0 {
		k.walk(p, cuts[1:], number|1<<(len(k.cuts)-len(cuts)))
	}
}

// block moves a block.
func (k *widening) block(p place, number int) {
	w := k.plan(number)
	w.src.unpack(k.src, p.src, p.s)
	if w.dst.gaps {
		w.dst.unpack(k.dst, p.dst, p.d)
	}
	w.nest.run(place{dst: k.dst, src: k.src})
	w.dst.pack(p.dst, p.d, k.dst)
}

// A wide is the plan of a block: its two sides, and how its elements move from buffer to buffer.
type wide struct {
	src, dst wideSide
	nest     nest
}

// plan returns the plan of a block, which is made when it is first asked for.
func (k *widening) plan(number int) *wide {
	if w := k.plans[number]; w != nil {
		return w
	}
	b := box{part{loops: slices.Clone(k.loops)}, 1}
	for i, c := range k.cuts {
		l := loop{c.steps, c.src, c.dst}
		if number>>i&1 > 0 {
			l.n = c.n % c.steps
		}
		b.loops = append(b.loops, l)
	}
	w := &wide{
		src: wideSideOf(b.loops, func(l *loop) *int64 { return &l.src }),
		dst: wideSideOf(b.loops, func(l *loop) *int64 { return &l.dst }),
	}
	b.part.src, b.part.dst = int64(w.src.base), int64(w.dst.base)
	w.nest = b.nest()
	w.nest.stayNear()
	k.src = grown(k.src, w.src.bytes())
	k.dst = grown(k.dst, w.dst.bytes())
	k.plans[number] = w
	return w
}

// stayNear makes a tile of bytes move without a stage, because both sides are in the cache, and as many columns as
// fill a vector if there are fewer: some bytes before each row go where the first column is written afterwards.
func (n *nest) stayNear() {
	t, ok := n.inner.(*tile)
	if !ok || !t.adjacent() || t.width > 1 {
		return
	}
	t.near = true
	if missing := vector - t.cols.n; missing > 0 && missing <= vector*3/4 && t.rows.n >= stripRows(1) {
		t.cols = positions{n: vector, far: append(slices.Repeat(t.cols.far[:1], missing), t.cols.far...)}
		n.src -= int64(missing)
	}
}

// grown returns b, or a longer buffer if b is shorter than n.
func grown(b []byte, n int) []byte {
	if len(b) >= n {
		return b
	}
	return make([]byte, n)
}

// A wideSide says where the elements of a block are on one side: in runs of that length, which start so many
// elements after the first element of the block, and follow one another in the buffer.
type wideSide struct {
	at     []int
	length int
	gaps   bool // a run has other elements too
	pitch  int  // bytes from one run to the next in the buffer
	first  int  // where the first run starts in the buffer
	base   int  // where the first element is in the buffer
}

// wideSideOf returns a side of a block with these loops, and makes them move through the buffer instead.
func wideSideOf(loops []loop, far func(*loop) *int64) wideSide {
	sorted := make([]*loop, len(loops))
	for i := range loops {
		sorted[i] = &loops[i]
	}
	slices.SortStableFunc(sorted, func(a, b *loop) int { return cmp.Compare(magnitude(*far(a)), magnitude(*far(b))) })
	length, elements, low := int64(1), int64(1), int64(0)
	for len(sorted) > 0 {
		l := sorted[0]
		reach := (l.n - 1) * *far(l)
		if length+magnitude(reach) > wideGap*elements*l.n {
			break
		}
		length, elements, low = length+magnitude(reach), elements*l.n, low+min(reach, 0)
		sorted = sorted[1:]
	}
	s := wideSide{at: []int{int(low)}, length: int(length), gaps: length != elements, first: vector}
	if s.pitch = s.length + 2; s.pitch > 2*vector { // a run may have half a byte more at either end
		s.pitch = (s.pitch + vector - 1) &^ (vector - 1)
	}
	s.base = s.first - int(low)
	for _, l := range sorted {
		inner := s.at
		s.at = make([]int, 0, len(inner)*int(l.n))
		for i := range l.n {
			for _, at := range inner {
				s.at = append(s.at, at+int(i**far(l)))
			}
		}
		*far(l) = int64(len(inner) * s.pitch)
	}
	return s
}

// bytes returns how long the buffer is.
func (s *wideSide) bytes() int { return s.first + len(s.at)*s.pitch }

// unpack makes a byte of each element of the runs.
func (s *wideSide) unpack(buf, b []byte, first int) {
	to := s.first
	for _, at := range s.at {
		from := first + at
		odd := from & 1
		unpack(buf[to-odd:], b[from>>1:(from+s.length+1)>>1])
		to += s.pitch
	}
}

// pack makes elements of the bytes of the runs again, and leaves those around the runs.
func (s *wideSide) pack(b []byte, first int, buf []byte) {
	from := s.first
	for _, at := range s.at {
		to, bytes := first+at, buf[from:from+s.length]
		if to&1 != 0 {
			b[to>>1] = b[to>>1]&15 | bytes[0]<<4
			to, bytes = to+1, bytes[1:]
		}
		n := len(bytes)
		pack(b[to>>1:(to+n)>>1], bytes)
		if n&1 != 0 {
			last := &b[(to+n)>>1]
			*last = *last&^15 | bytes[n-1]
		}
		from += s.pitch
	}
}

// unpack makes two bytes of each byte, first its lower half.
func unpack(dst, src []byte) {
	little, n := binary.LittleEndian, len(src)
	dst = dst[:2*n]
	if unpackVectors(dst, src) {
		return
	}
	i := 0
	for ; i+4 <= n; i += 4 {
		little.PutUint64(dst[2*i:], spread4(little.Uint32(src[i:])))
	}
	if i < n && n >= 4 {
		little.PutUint64(dst[2*n-8:], spread4(little.Uint32(src[n-4:])))
		return
	}
	for ; i < n; i++ {
		dst[2*i], dst[2*i+1] = src[i]&15, src[i]>>4
	}
}

// spread4 returns a byte for each 4 bits of v.
func spread4(v uint32) uint64 {
	x := uint64(v)
	x = (x | x<<16) & low4
	x = (x | x<<8) & low2
	return (x | x<<4) & low1
}

// pack is the inverse of unpack.
func pack(dst, src []byte) {
	little, n := binary.LittleEndian, len(dst)
	src = src[:2*n]
	if packVectors(dst, src) {
		return
	}
	i := 0
	for ; i+4 <= n; i += 4 {
		little.PutUint32(dst[i:], gather4(little.Uint64(src[2*i:])))
	}
	if i < n && n >= 4 {
		little.PutUint32(dst[n-4:], gather4(little.Uint64(src[2*n-8:])))
		return
	}
	for ; i < n; i++ {
		dst[i] = src[2*i] | src[2*i+1]<<4
	}
}

// gather4 returns 4 bits for each byte of x.
func gather4(x uint64) uint32 {
	x = (x | x>>4) & low2
	x = (x | x>>8) & low4
	return uint32(x | x>>16)
}

// low1 is a mask of the lower half of each byte.
const low1 = 0x0f0f0f0f0f0f0f0f

// String names the kernel in a plan.
func (k *widening) String() string {
	var b strings.Builder
	for _, c := range k.cuts {
		fmt.Fprintf(&b, "%d x (%d -> %d) by %d, ", c.n, c.src, c.dst, c.steps)
	}
	w := k.plan(0)
	return fmt.Sprintf("%sas bytes: %s", b.String(), w.nest.String())
}

// Nibbles are a kernel that moves elements of 4 bits one by one, and two at a time where they share a
// byte of the target: n of them, and that for every step of another loop.
type nibbles struct {
	n, src, dst int
	wide        int
	across      loop
}

const (
	nibbleHigh = 128  // elements of a column that are moved before the next column, while lines stay in the cache
	nibbleLow  = 16   // of fewer elements, each is moved in many columns
	nibbleMany = 1024 // in how many
)

// move moves all of them.
func (k *nibbles) move(p place) {
	acrossSrc, acrossDst := int(k.across.src), int(k.across.dst)
	if k.n < nibbleLow && k.n < k.wide {
		for first := 0; first < k.wide; first += nibbleMany {
			d, s := p.d+first*acrossDst, p.s+first*acrossSrc
			for range k.n {
				single(p.dst, p.src, d, s, min(nibbleMany, k.wide-first), acrossDst, acrossSrc)
				d, s = d+k.dst, s+k.src
			}
		}
		return
	}
	for first := 0; first < k.n; first += nibbleHigh {
		d, s, n := p.d+first*k.dst, p.s+first*k.src, min(nibbleHigh, k.n-first)
		for range k.wide {
			if k.dst == 1 {
				adjacent(p.dst, p.src, d, s, n, k.src)
			} else {
				single(p.dst, p.src, d, s, n, k.dst, k.src)
			}
			d, s = d+acrossDst, s+acrossSrc
		}
	}
}

// single moves n elements of 4 bits that are dstStep and srcStep elements apart.
func single(dst, src []byte, d, s, n, dstStep, srcStep int) {
	for range n {
		shift := d & 1 * 4
		dst[d>>1] = dst[d>>1]&^(15<<shift) | nibble(src, s)<<shift
		d, s = d+dstStep, s+srcStep
	}
}

// adjacent moves n elements of 4 bits to places side by side.
func adjacent(dst, src []byte, d, s, n, step int) {
	if d&1 != 0 {
		single(dst, src, d, s, 1, 0, 0)
		d, s, n = d+1, s+step, n-1
	}
	bytes := dst[d>>1:][:n>>1]
	for i := range bytes {
		next := s + step
		bytes[i] = nibble(src, s) | src[next>>1]>>(next&1*4)<<4
		s = next + step
	}
	if n&1 != 0 {
		single(dst, src, d+n-1, s, 1, 0, 0)
	}
}

// nibble returns element i.
func nibble(b []byte, i int) byte { return b[i>>1] >> (i & 1 * 4) & 15 }

// String names the nibbles in a plan.
func (k *nibbles) String() string { return fmt.Sprintf("move %d x %d elements of 4 bits", k.wide, k.n) }

// A permutation is a kernel that changes the order of the elements of 4 bits in each of n blocks of up
// to 8 bytes.
type permutation struct {
	block, n, srcStep, dstStep int
	shifts                     []shift
}

// A shift moves the elements of a mask by that many bits.
type shift struct {
	mask uint64
	left int
}

// permutation returns a kernel if the innermost loops are the elements of a block on both sides, and
// the loops that are left.
func (b *box) permutation() (kernel, []loop) {
	inner, block := 0, int64(1)
	for _, l := range b.loops { // in the order of the target
		if l.dst != block || block*l.n > 2*8 {
			break
		}
		block *= l.n
		inner++
	}
	in, rest := slices.Clone(b.loops[:inner]), slices.Clone(b.loops[inner:])
	slices.SortFunc(in, func(a, b loop) int { return cmp.Compare(a.src, b.src) })
	next := int64(1)
	for _, l := range in {
		if l.src != next {
			return nil, nil
		}
		next *= l.n
	}
	odd := func(l loop) bool { return l.src%2 != 0 || l.dst%2 != 0 }
	if block < 2 || block&(block-1) != 0 || odd(loop{0, b.src, b.dst}) || slices.ContainsFunc(rest, odd) {
		return nil, nil
	}
	k := &permutation{block: int(block), n: 1}
	if i := shortest(rest, func(l loop) int64 { return l.dst }, -1); i >= 0 {
		k.n, k.srcStep, k.dstStep = int(rest[i].n), int(rest[i].src), int(rest[i].dst)
		rest = slices.Delete(rest, i, i+1)
	}
	for e := range 16 {
		at, base := e%k.block, e/k.block*k.block
		from, to := base, base
		for _, l := range b.loops[:inner] {
			step := at % int(l.n)
			from, to, at = from+step*int(l.src), to+step*int(l.dst), at/int(l.n)
		}
		k.shift(15<<(from*4), (to-from)*4)
	}
	return k, rest
}

// shift adds an element that moves by that many bits.
func (k *permutation) shift(mask uint64, left int) {
	for i := range k.shifts {
		if k.shifts[i].left == left {
			k.shifts[i].mask |= mask
			return
		}
	}
	k.shifts = append(k.shifts, shift{mask, left})
}

// move moves all blocks: 8 bytes at a time if they follow one another.
func (k *permutation) move(p place) {
	bytes, d, s := k.block/2, p.d/2, p.s/2
	if k.srcStep == k.block && k.dstStep == k.block {
		all := k.n * bytes
		for ; all >= 32; all, d, s = all-32, d+32, s+32 {
			k.four(p.dst[d:d+32], p.src[s:s+32])
		}
		for ; all > 0; all, d, s = all-8, d+8, s+8 {
			k.one(p.dst[d:], p.src[s:], min(all, 8))
		}
		return
	}
	for range k.n {
		k.one(p.dst[d:], p.src[s:], bytes)
		d, s = d+k.dstStep/2, s+k.srcStep/2
	}
}

// four changes the order in 32 bytes.
func (k *permutation) four(dst, src []byte) {
	var to [4]uint64
	little := binary.LittleEndian
	a, b, c, e := little.Uint64(src), little.Uint64(src[8:]), little.Uint64(src[16:]), little.Uint64(src[24:])
	for _, m := range k.shifts {
		to[0] |= bits.RotateLeft64(a&m.mask, m.left)
		to[1] |= bits.RotateLeft64(b&m.mask, m.left)
		to[2] |= bits.RotateLeft64(c&m.mask, m.left)
		to[3] |= bits.RotateLeft64(e&m.mask, m.left)
	}
	for i, v := range to {
		little.PutUint64(dst[i*8:], v)
	}
}

// one changes the order in up to 8 bytes.
func (k *permutation) one(dst, src []byte, n int) {
	var whole [8]byte
	copy(whole[:n], src)
	v, to := binary.LittleEndian.Uint64(whole[:]), uint64(0)
	for _, m := range k.shifts {
		to |= bits.RotateLeft64(v&m.mask, m.left)
	}
	binary.LittleEndian.PutUint64(whole[:], to)
	copy(dst, whole[:n])
}

// String names the permutation in a plan.
func (k *permutation) String() string {
	return fmt.Sprintf("permute %d blocks of %d elements of 4 bits", k.n, k.block)
}

const (
	nibbleLeast = 16  // rows that fill a strip when two make one
	nibbleRows  = 64  // rows that are split at once
	nibbleWide  = 512 // columns that are split at once
)

// A nibbleTile is a kernel that moves a matrix of elements of 4 bits, as a tile of bytes does. Of two rows,
// it makes one row of bytes for the even columns and one for the odd ones: each byte has what belongs
// side by side into a column of the target.
type nibbleTile struct {
	*tile
	bytes tile     // of the rows of bytes
	buf   []byte   // the rows of bytes: even columns, then odd ones
	rows  []int    // where they are
	cols  [2][]int // where the even and the odd columns are, in bytes
	made  int      // of how many columns that is, if they are evenly spaced
}

// newNibbleTile returns a kernel for a matrix that is counted in elements, or nil if it is too small for strips
// of pairs of rows, or if its rows or columns start inside of bytes.
func newNibbleTile(t *tile) *nibbleTile {
	odd := func(at int) bool { return at%2 != 0 }
	if t.rows.n < nibbleLeast || t.cols.n < 2*vector || odd(t.rows.n) ||
		odd(t.rows.chunk) || slices.ContainsFunc(t.rows.far, odd) ||
		odd(t.cols.chunk) || slices.ContainsFunc(t.cols.far, odd) {
		return nil
	}
	return &nibbleTile{
		tile:  t,
		bytes: tile{width: 1, dstStep: 1, srcStep: 1, near: true},
		buf:   make([]byte, nibbleRows/2*nibbleWide),
		rows:  multiples(nibbleRows/2, nibbleWide),
	}
}

// move moves the matrix, some columns at a time and some rows of these.
func (k *nibbleTile) move(p place) {
	k.tile.cols.pieces(func(firstCol, dstBase int, cols []int) {
		wide := (len(cols)/((len(cols)+nibbleWide-1)/nibbleWide) + 31) &^ 31 // nearly the same every time
		for c := 0; c < len(cols); c += wide {
			some := cols[c:min(c+wide, len(cols))]
			k.place(some)
			k.tile.rows.pieces(func(firstRow, srcBase int, rows []int) {
				at := p.at(dstBase+some[0]+firstRow, srcBase+firstCol+c)
				for ; len(rows) > 0; rows, at = rows[min(nibbleRows, len(rows)):], at.at(nibbleRows, 0) {
					k.part(at, rows[:min(nibbleRows, len(rows))], len(some))
				}
			})
		}
	})
}

// place makes the lists of columns, from the first one on.
func (k *nibbleTile) place(cols []int) {
	if len(cols) <= k.made {
		return
	}
	k.cols = [2][]int{k.cols[0][:0], k.cols[1][:0]}
	for c, at := range cols {
		k.cols[c&1] = append(k.cols[c&1], (at-cols[0])/2)
	}
	if k.tile.cols.chunk != 0 {
		k.made = len(cols)
	}
}

// part moves some rows.
func (k *nibbleTile) part(p place, rows []int, n int) {
	for i := 0; i < len(rows); i += 2 {
		row := k.buf[i/2*nibbleWide:][:nibbleWide]
		split(row, row[nibbleWide/2:], p.src, p.s+rows[i], p.s+rows[i+1], n)
	}
	to := place{dst: p.dst, d: p.d / 2, src: k.buf}
	k.bytes.part(to, k.rows[:len(rows)/2], k.cols[0][:(n+1)/2])
	k.bytes.part(to.at(0, nibbleWide/2), k.rows[:len(rows)/2], k.cols[1][:n/2])
}

// split makes two rows of bytes, of even and of odd columns, of two rows of n elements, which start at elements
// a and b of the source.
func split(even, odd, src []byte, a, b, n int) {
	c := 0
	if (a|b)&1 == 0 {
		c = 2 * splitBlocks(even, odd, src[a>>1:][:n>>1], src[b>>1:][:n>>1])
	}
	for ; c+16 <= n; c += 16 {
		x, y := load16(src, a+c), load16(src, b+c)
		binary.LittleEndian.PutUint64(even[c/2:], x&low1|y&low1<<4)
		binary.LittleEndian.PutUint64(odd[c/2:], x>>4&low1|y&^low1)
	}
	for ; c < n; c++ {
		to := even
		if c&1 != 0 {
			to = odd
		}
		to[c/2] = nibble(src, a+c) | nibble(src, b+c)<<4
	}
}

// load16 returns 16 elements of 4 bits from element i on.
func load16(b []byte, i int) uint64 {
	v := binary.LittleEndian.Uint64(b[i>>1:])
	if i&1 != 0 {
		v = v>>4 | uint64(b[i>>1+8])<<60
	}
	return v
}

// String names the tile in a plan.
func (k *nibbleTile) String() string {
	return fmt.Sprintf("transpose %d rows of %d elements of 4 bits", k.tile.rows.n, k.tile.cols.n)
}
