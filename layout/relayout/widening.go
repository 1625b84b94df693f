package relayout

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"layoutcalc/layout"
)

const (
	wideBlock = 8 << 10 // 4-bit elements moved at once: as bytes, most of them stay in the first cache
	wideRun   = 128     // elements in a row that fill a line
)

// A widening is a kernel that moves 4-bit elements as bytes, a block at a time. The runs of a block are unpacked into a
// buffer, moved to another buffer like whole bytes, and packed into the target. On a side with elements that are far
// from each other, they are read or written one by one.
type widening struct {
	loops    []loop   // the loops of a block
	cuts     []blocks // loops with several steps in a block
	plans    []*wide  // plans for a block; bit i of the index is set if the block has only the remainder of cut i
	src, dst []byte   // the buffers
}

// Blocks are a loop with the number of its steps in a block.
type blocks struct {
	loop
	steps int64
}

// widening returns a kernel, and the loops that are left.
func (b *box) widening() (k *widening, rest []loop) {
	k = &widening{}
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
	k.add(0)
	return k, rest
}

// blocks returns how many steps of each loop a block has: enough to fill lines on both sides, and then as many as fit,
// along the target first.
func (b *box) blocks() []int64 {
	steps := make([]int64, len(b.loops))
	for i := range steps {
		steps[i] = 1
	}
	order := multiples(len(b.loops), 1) // the loops are in the order of the target
	along := slices.Clone(order)
	slices.SortStableFunc(along, func(i, k int) int {
		return cmp.Compare(magnitude(b.loops[i].src), magnitude(b.loops[k].src))
	})
	all := int64(1)
	take := func(order []int, enough int64) {
		for got := int64(1); len(order) > 0 && got < enough; order = order[1:] {
			l, s := b.loops[order[0]], &steps[order[0]]
			want := max(l.n, *s)
			if rows := max(layout.CeilDiv(enough, got), 1); want/2 > rows {
				want = max(rows, *s)
			}
			want = min(want, max(wideBlock/(all / *s), *s))
			if want < l.n && want > vector {
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

// move moves all blocks.
func (k *widening) move(p place) { k.walk(p, k.cuts, 0) }

// walk moves the blocks of some cuts.
func (k *widening) walk(p place, cuts []blocks, number int) {
	if len(cuts) == 0 {
		if k.plans[number] == nil {
			k.add(number)
		}
		k.plans[number].move(p, k.src, k.dst)
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

// add adds the plan of a block, and makes room for it in the buffers.
func (k *widening) add(number int) {
	w := newWide(k.block(number))
	k.plans[number] = w
	k.src, k.dst = grown(k.src, w.bytes[0]), grown(k.dst, w.bytes[1])
}

// grown returns b, or a longer buffer if b is shorter than n.
func grown(b []byte, n int) []byte {
	if len(b) >= n {
		return b
	}
	return make([]byte, n)
}

// block returns the loops of a block, in the order of the target.
func (k *widening) block(number int) []loop {
	loops := slices.Clone(k.loops)
	for i, c := range k.cuts {
		l := loop{c.steps, c.src, c.dst}
		if number>>i&1 > 0 {
			l.n = c.n % c.steps
		}
		if l.n > 1 {
			loops = append(loops, l)
		}
	}
	slices.SortStableFunc(loops, func(a, b loop) int { return cmp.Compare(a.dst, b.dst) })
	return loops
}

// A wide is the plan of a block: how its elements get into a buffer, from there to another, and into the target.
// There is one buffer if elements are far from each other on a side, unless the source repeats them.
type wide struct {
	src, dst wideSide
	between  *nest  // from buffer to buffer, nil if there is one
	bytes    [2]int // how long the buffers are
}

// A wideSide moves the elements of a block between storage and a buffer of bytes. The block starts at element first of
// the storage.
type wideSide interface {
	read(buf, b []byte, first int)
	write(b []byte, first int, buf []byte)
}

// move moves a block through the buffers.
func (w *wide) move(p place, src, dst []byte) {
	w.src.read(src, p.src, p.s)
	if w.between == nil {
		dst = src
	} else {
		w.between.run(place{dst: dst, src: src})
	}
	w.dst.write(p.dst, p.d, dst)
}

// newWide plans a block with these loops.
func newWide(loops []loop) *wide {
	buffered := slices.Clone(loops)
	src := runsOf(buffered, func(l *loop) *int64 { return &l.src })
	dst := runsOf(buffered, func(l *loop) *int64 { return &l.dst })
	if dst != nil {
		dst.mask()
	}
	singlesOf := func(storage, buffer func(loop) int64, base int) *singles {
		all := make([]loop, 0, len(loops))
		for i, l := range loops {
			if storage(l) != 0 {
				all = append(all, loop{l.n, storage(l), buffer(buffered[i])})
			}
		}
		return newSingles(all, base)
	}
	// Elements that are repeated are put into a buffer once, and repeated by a kernel for bytes.
	repeats := slices.ContainsFunc(loops, func(l loop) bool { return l.src == 0 })
	switch {
	case src != nil && dst != nil:
		n := between(part{int64(src.base), int64(dst.base), buffered})
		return &wide{src, dst, &n, [2]int{src.bytes(), dst.bytes()}}
	case src != nil:
		return &wide{src, singlesOf(loop.target, loop.source, src.base), nil, [2]int{src.bytes(), 0}}
	case dst != nil && !repeats:
		return &wide{singlesOf(loop.source, loop.target, dst.base), dst, nil, [2]int{dst.bytes(), 0}}
	}
	all := int64(1)
	for i := range buffered {
		if l := &buffered[i]; loops[i].src != 0 {
			l.src, all = all, all*l.n
		}
	}
	from := singlesOf(loop.source, loop.source, vector)
	bytes := [2]int{vector + int(all) + vector, 0} // a kernel may read a vector before and after the elements
	if dst == nil {
		return &wide{from, singlesOf(loop.target, loop.source, vector), nil, bytes}
	}
	n := between(part{vector, int64(dst.base), buffered})
	bytes[1] = dst.bytes()
	return &wide{from, dst, &n, bytes}
}

// String names the kernel in a plan.
func (k *widening) String() string {
	var b strings.Builder
	for _, c := range k.cuts {
		fmt.Fprintf(&b, "%d x (%d -> %d) by %d, ", c.n, c.src, c.dst, c.steps)
	}
	return b.String() + k.plans[0].String()
}

// String names the kernel that moves the elements of a block.
func (w *wide) String() string {
	if w.between == nil {
		return "move 4-bit elements one by one"
	}
	return "as bytes: " + w.between.String()
}
