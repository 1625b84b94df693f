package relayout

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
)

// Elements of 4 bits: element 2k is the low half of byte k. The kernels of this file, and the loops
// around them, count in elements.

// pairs changes a part with 4-bit elements to a part with bytes, if elements always move in pairs that share a byte on
// both sides.
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

// nibbles plans a part with 4-bit elements that do not move in pairs.
func (p part) nibbles() nest {
	b := box{p, 1}
	b.simplify()
	var inner kernel
	inner, b.loops = b.nibbleKernel()
	slices.SortStableFunc(b.loops, func(a, b loop) int { return cmp.Compare(b.near(), a.near()) })
	return nest{b.part, inner, true}
}

// nibbleKernel chooses the kernel, and returns the loops that it does not run.
func (b *box) nibbleKernel() (kernel, []loop) {
	if k, rest := b.permutation(); k != nil {
		return k, rest
	}
	along := shortest(b.loops, func(l loop) int64 { return l.dst }, -1)
	across := shortest(b.loops, func(l loop) int64 { return magnitude(l.src) }, along)
	if along >= 0 && across >= 0 && b.tiles(b.loops[along], b.loops[across]) {
		k, rest := b.tile(along, across)
		splits := func(l loop) bool { return l.dst%2 != 0 }
		if t := newNibbleTile(k.(*tile)); t != nil && !slices.ContainsFunc(rest, splits) {
			return t, rest
		}
	}
	return b.widening()
}

// tiles reports whether two loops may be rows and columns of a nibble tile. It looks only at these loops.
func (b *box) tiles(along, across loop) bool {
	return along.dst == 1 && across.src == 1 && along.src%2 == 0 && across.dst%2 == 0 && b.dst%2 == 0
}

// A permutation is a kernel that changes the order of the 4-bit elements in each of n blocks of up to 8 bytes.
type permutation struct {
	block, n, srcStep, dstStep int
	shifts                     []shift
}

// A shift moves the elements of a mask to the left by the given number of bits.
type shift struct {
	mask uint64
	left int
}

// permutation returns a kernel if the innermost loops are the elements of a block on both sides, and
// the loops that are left.
func (b *box) permutation() (kernel, []loop) {
	odd := func(l loop) bool { return l.src%2 != 0 || l.dst%2 != 0 }
	if odd(loop{0, b.src, b.dst}) {
		return nil, nil
	}
	inner, block := 0, int64(1)
	for _, l := range b.loops { // in the order of the target
		if l.dst != block || block*l.n > 2*8 {
			break
		}
		block *= l.n
		inner++
	}
	if block < 2 || block&(block-1) != 0 || slices.ContainsFunc(b.loops[inner:], odd) {
		return nil, nil
	}
	in, rest := slices.Clone(b.loops[:inner]), slices.Clone(b.loops[inner:])
	slices.SortStableFunc(in, func(a, b loop) int { return cmp.Compare(a.src, b.src) })
	next := int64(1)
	for _, l := range in {
		if l.src != next {
			return nil, nil
		}
		next *= l.n
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

// shift adds an element that moves to the left by the given number of bits.
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
	return fmt.Sprintf("permute %d blocks of %d 4-bit elements", k.n, k.block)
}

const (
	nibbleLeast = 16  // rows that fill a strip when two make one
	nibbleRows  = 64  // rows that are split at once
	nibbleWide  = 512 // columns that are split at once
)

// A nibbleTile is a kernel that moves a matrix of 4-bit elements, as a tile moves bytes. It turns two rows into one row
// of bytes for the even columns and one for the odd columns. Each byte has two elements that are adjacent in a column
// of the target.
type nibbleTile struct {
	*tile
	bytes tile     // moves the rows of bytes
	buf   []byte   // the rows of bytes: even columns, then odd ones
	rows  []int    // their offsets
	cols  [2][]int // the offsets of the even and of the odd columns, in bytes
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

// place extends the lists to all of cols.
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

// nibble returns element i.
func nibble(b []byte, i int) byte { return b[i>>1] >> (i & 1 * 4) & 15 }

// load16 returns 16 4-bit elements starting at element i.
func load16(b []byte, i int) uint64 {
	v := binary.LittleEndian.Uint64(b[i>>1:])
	if i&1 != 0 {
		v = v>>4 | uint64(b[i>>1+8])<<60
	}
	return v
}

// String names the tile in a plan.
func (k *nibbleTile) String() string {
	return fmt.Sprintf("transpose %d rows of %d 4-bit elements", k.tile.rows.n, k.tile.cols.n)
}
