package relayout

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A nest is the plan of a part: loops, outermost first, around a kernel. It counts in bytes, or in halves of them.
type nest struct {
	part
	inner  kernel
	halves bool
}

// A kernel moves the elements of the innermost loops.
type kernel interface {
	move(p place)
	String() string
}

// nest plans a part that is not empty, and is counted in elements of the given number of bits.
func (p part) nest(bits int64) nest {
	width := bits / 8
	if width == 0 {
		pairs, ok := p.pairs()
		if !ok {
			return p.nibbles()
		}
		p, width = pairs, 1
	}
	b := box{part{p.src * width, p.dst * width, make([]loop, 0, len(p.loops))}, width}
	for _, l := range p.loops {
		b.loops = append(b.loops, loop{l.n, l.src * width, l.dst * width})
	}
	return b.nest()
}

// nest plans a box.
func (b *box) nest() nest {
	b.simplify()
	b.widen()
	inner, outer := b.kernel()
	slices.SortStableFunc(outer, func(a, b loop) int { return cmp.Compare(b.near(), a.near()) })
	if t, ok := inner.(*tile); ok && len(outer) > 0 {
		t.next = int(outer[len(outer)-1].src)
	}
	return nest{part{b.src, b.dst, outer}, inner, false}
}

// near returns the shorter distance of the loop's steps on the two sides. The loop must not run downwards in the
// target.
func (l loop) near() int64 { return min(magnitude(l.src), l.dst) }

// run moves all elements of the nest. The place p is where the loops start.
func (n *nest) run(p place) {
	walk(p.at(int(n.dst), int(n.src)), n.loops, n.inner)
	if p.past {
		fence()
	}
}

// walk runs the kernel for every combination of steps of the loops.
func walk(p place, loops []loop, k kernel) {
	if len(loops) == 0 {
		k.move(p)
		return
	}
	l := loops[0]
	for range l.n {
		walk(p, loops[1:], k)
		p = p.at(int(l.dst), int(l.src))
	}
}

// String returns the nest as text: the loops, outermost first, and the kernel.
func (n *nest) String() string {
	var b strings.Builder
	for _, l := range n.loops {
		fmt.Fprintf(&b, "%d x (%d -> %d), ", l.n, l.src, l.dst)
	}
	return b.String() + n.inner.String()
}

// A box is a part counted in bytes, and the width of its elements.
type box struct {
	part
	width int64
}

// flip makes a loop run from its last step to its first.
func (b *box) flip(i int) {
	l := &b.loops[i]
	b.src, b.dst = b.src+(l.n-1)*l.src, b.dst+(l.n-1)*l.dst
	l.src, l.dst = -l.src, -l.dst
}

// simplify makes all loops run upwards in the target, drops loops of one step, and merges loops that continue each
// other.
func (b *box) simplify() {
	b.loops = slices.Clone(b.loops)
	for i := range b.loops {
		if b.loops[i].dst < 0 {
			b.flip(i)
		}
	}
	loops := slices.DeleteFunc(b.loops, func(l loop) bool { return l.n == 1 })
	slices.SortStableFunc(loops, func(a, b loop) int { return cmp.Compare(a.dst, b.dst) })
	b.loops = merge(loops)
}

// merge joins two loops wherever the outer one continues at the end of the inner one.
func merge(loops []loop) []loop {
	for i := 0; i < len(loops); i++ {
		for k := i + 1; k < len(loops); k++ {
			if in, out := loops[i], loops[k]; out.src == in.n*in.src && out.dst == in.n*in.dst {
				loops[i].n *= out.n
				loops = slices.Delete(loops, k, k+1)
				k = i
			}
		}
	}
	return loops
}

// widen makes one element of elements that are adjacent on both sides, if there is a kernel for
// elements of that width.
func (b *box) widen() {
	i := slices.IndexFunc(b.loops, b.adjacent)
	if i < 0 {
		return
	}
	switch w := b.loops[i].n * b.width; w {
	case 2, 4, 8, 16:
		b.width = w
		b.loops = slices.Delete(b.loops, i, i+1)
	}
}

// adjacent reports whether the elements of the loop are adjacent on both sides.
func (b *box) adjacent(l loop) bool { return l.src == b.width && l.dst == b.width }

// kernel chooses the kernel, and returns the loops that it does not run.
func (b *box) kernel() (kernel, []loop) {
	if i := slices.IndexFunc(b.loops, b.adjacent); i >= 0 {
		bytes := b.loops[i].n * b.width
		return newRows(bytes, slices.Delete(b.loops, i, i+1))
	}
	if len(b.loops) == 0 {
		return newRows(b.width, nil)
	}
	along := shortest(b.loops, func(l loop) int64 { return l.dst }, -1)
	across := shortest(b.loops, func(l loop) int64 { return magnitude(l.src) }, along)
	switch in := b.loops[along]; {
	case in.dst == b.width && in.src == -b.width && b.width < vector:
		return newMirror(int(b.width), in, slices.Delete(b.loops, along, along+1))
	case across >= 0 && b.loops[across].src == -b.width:
		b.flip(across)
	}
	if k := b.interleaving(along, across); k != nil {
		return k, b.without(along, across)
	}
	return b.tile(along, across)
}

// tile returns a kernel for the loops along and across, and for others where these are short or do not
// fill lines, and the loops that are left.
func (b *box) tile(along, across int) (kernel, []loop) {
	rows := &fusion{near: func(l loop) int64 { return l.dst }, n: 1}
	cols := &fusion{near: func(l loop) int64 { return l.src }, n: 1}
	rest := b.without(along, across)
	width := int(b.width)
	rows.add(b.loops[along])
	t := &tile{width: width, dstStep: int(b.loops[along].dst), srcStep: width}
	if across >= 0 {
		cols.add(b.loops[across])
		t.srcStep = int(b.loops[across].src)
	}
	for grows := true; grows; {
		short, long := rows, cols
		if cols.n < rows.n {
			short, long = cols, rows
		}
		grows = short.n < ample && short.grow(&rest) || long.n < ample && long.grow(&rest)
	}
	for rows.n*b.width%pitch != 0 && rows.grow(&rest) {
	}
	dense := len(cols.loops) == 1 && cols.loops[0].dst == rows.n*b.width
	for !dense && cols.n*b.width%line != 0 && cols.grow(&rest) {
	}
	t.rows = rows.positions(func(l loop) int64 { return l.src })
	t.cols = cols.positions(func(l loop) int64 { return l.dst })
	t.aligned = b.dst%line == 0 && allAligned(cols.loops) && allAligned(rest) && t.adjacent()
	t.dense = dense && t.adjacent() && len(t.rows.far) == t.rows.n
	t.small = t.rows.n*t.cols.n*width <= ownCache && t.cols.n*width <= shortRow
	pitch := t.cols.n * width
	follow := len(rows.loops) == 1 && rows.loops[0].src == int64(pitch)
	if follow && pitch <= shortRow && squareRows(width) > 0 {
		t.lead, t.lines = nearRows*pitch, multiples(min(nearRows, t.rows.n), line)
	}
	return t, rest
}

// shortest returns the index of the loop with the smallest distance, not counting the loop except, or -1 if no other
// loop exists.
func shortest(loops []loop, distance func(loop) int64, except int) int {
	best := -1
	for i, l := range loops {
		if i != except && (best < 0 || distance(l) < distance(loops[best])) {
			best = i
		}
	}
	return best
}

// without returns the loops other than loops i and k.
func (b *box) without(i, k int) []loop {
	var rest []loop
	for at, l := range b.loops {
		if at != i && at != k {
			rest = append(rest, l)
		}
	}
	return rest
}

// Rows are a kernel that copies n rows of adjacent bytes, and how far apart they are on each side.
type rows struct {
	bytes       int
	n, dst, src int
}

// newRows returns a kernel that copies rows of the given number of bytes, in the loop that moves least in the target,
// and the remaining loops.
func newRows(bytes int64, loops []loop) (*rows, []loop) {
	r := &rows{bytes: int(bytes), n: 1}
	if i := shortest(loops, func(l loop) int64 { return l.dst }, -1); i >= 0 {
		r.n, r.src, r.dst = int(loops[i].n), int(loops[i].src), int(loops[i].dst)
		loops = slices.Delete(loops, i, i+1)
	}
	return r, loops
}

// move copies the rows.
func (r *rows) move(p place) {
	d, s := p.d, p.s
	for range r.n {
		copy(p.dst[d:d+r.bytes], p.src[s:s+r.bytes])
		d, s = d+r.dst, s+r.src
	}
}

// String names the rows in a plan.
func (r *rows) String() string { return fmt.Sprintf("copy %d rows of %d bytes", r.n, r.bytes) }

// A mirror is a kernel that copies rows of adjacent elements, each from its last element to its first.
type mirror struct {
	rows
	width int
}

// newMirror returns a kernel for the loop of adjacent elements and another, and the loops that are left.
func newMirror(width int, along loop, loops []loop) (kernel, []loop) {
	k, rest := newRows(along.n*int64(width), loops)
	return &mirror{*k, width}, rest
}

// move copies the rows.
func (m *mirror) move(p place) {
	d, s := p.d, p.s+m.width
	for range m.n {
		reverse(p.dst[d:d+m.bytes], p.src[s-m.bytes:s], m.width)
		d, s = d+m.dst, s+m.src
	}
}

// String names the mirror in a plan.
func (m *mirror) String() string {
	return fmt.Sprintf("reverse %d rows of %d x %d bytes", m.n, m.bytes/m.width, m.width)
}
