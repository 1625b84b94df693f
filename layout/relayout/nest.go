package relayout

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A loop moves n times, so many bytes further on each side every time.
type loop struct{ n, src, dst int }

// A box is a part of a move that loops alone describe: it starts at these bytes, and moves
// elements of so many bytes.
type box struct {
	src, dst int
	width    int
	loops    []loop
}

// A kernel moves what the innermost loops describe.
type kernel interface {
	move(p place)
	String() string
}

// A nest is the plan of a box: loops, outermost first, around a kernel.
type nest struct {
	src, dst int
	outer    []loop
	inner    kernel
}

// plan returns the nest of a box that is not empty.
func (b box) plan() nest {
	b.simplify()
	b.widen()
	n := nest{src: b.src, dst: b.dst}
	n.inner, n.outer = b.kernel()
	slices.SortStableFunc(n.outer, func(a, b loop) int { return cmp.Compare(b.near(), a.near()) })
	if t, ok := n.inner.(*tile); ok && len(n.outer) > 0 {
		t.next = n.outer[len(n.outer)-1].src
	}
	return n
}

// near is how far the loop moves at least on one side.
func (l loop) near() int { return min(magnitude(l.src), l.dst) }

// simplify turns loops that run downwards in the target, drops those of one step, and merges
// those that are one.
func (b *box) simplify() {
	loops := b.loops[:0:0]
	for _, l := range b.loops {
		if l.dst < 0 {
			b.src, b.dst = b.src+(l.n-1)*l.src, b.dst+(l.n-1)*l.dst
			l.src, l.dst = -l.src, -l.dst
		}
		if l.n > 1 {
			loops = append(loops, l)
		}
	}
	slices.SortFunc(loops, func(a, b loop) int { return cmp.Compare(a.dst, b.dst) })
	b.loops = merge(loops)
}

// merge makes one loop of two wherever the outer one goes on where the inner one ends.
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

// widen makes one element of neighbours that stay neighbours, where a kernel moves such elements.
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

// adjacent reports whether the loop runs along the elements on both sides.
func (b *box) adjacent(l loop) bool { return l.src == b.width && l.dst == b.width }

// kernel chooses the kernel, and returns the loops that are left.
func (b *box) kernel() (kernel, []loop) {
	if i := slices.IndexFunc(b.loops, b.adjacent); i >= 0 {
		bytes := b.loops[i].n * b.width
		return newRuns(bytes, slices.Delete(b.loops, i, i+1))
	}
	if len(b.loops) == 0 {
		return newRuns(b.width, nil)
	}
	along := nearest(b.loops, func(l loop) int { return l.dst }, -1)
	across := nearest(b.loops, func(l loop) int { return magnitude(l.src) }, along)
	if w := b.weave(along, across); w != nil {
		return w, b.without(along, across)
	}
	return b.tile(along, across)
}

// nearest returns the loop of the least distance but one, and -1 where there is none.
func nearest(loops []loop, distance func(loop) int, but int) int {
	best := -1
	for i, l := range loops {
		if i != but && (best < 0 || distance(l) < distance(loops[best])) {
			best = i
		}
	}
	return best
}

// without returns all loops but two.
func (b *box) without(i, k int) []loop {
	var rest []loop
	for at, l := range b.loops {
		if at != i && at != k {
			rest = append(rest, l)
		}
	}
	return rest
}

// weave returns a kernel for few planes, if the two loops are those of planes and pixels.
func (b *box) weave(along, across int) *weave {
	if across < 0 {
		return nil
	}
	in, out := b.loops[along], b.loops[across]
	switch {
	case in.dst != b.width || out.src != b.width:
		return nil
	case in.n <= maxPlanes && out.dst == in.n*b.width && fewPlanes(in.n, b.width):
		return newWeave(b.width, in.n, out.n, in.src, false)
	case out.n <= maxPlanes && in.src == out.n*b.width && fewPlanes(out.n, b.width):
		return newWeave(b.width, out.n, in.n, out.dst, true)
	}
	return nil
}

// fewPlanes reports whether planes are too few for strips.
func fewPlanes(k, width int) bool { return k < max(stripRows(width), 4) && width < vector }

// run does all that the nest plans, from the place on.
func (n *nest) run(p place) {
	walk(p.at(n.dst, n.src), n.outer, n.inner)
	if p.past {
		fence()
	}
}

// walk runs the kernel wherever the loops lead.
func walk(p place, loops []loop, k kernel) {
	if len(loops) == 0 {
		k.move(p)
		return
	}
	for range loops[0].n {
		walk(p, loops[1:], k)
		p = p.at(loops[0].dst, loops[0].src)
	}
}

// String writes the plan: the loops from outermost in, and the kernel.
func (n *nest) String() string {
	var b strings.Builder
	for _, l := range n.outer {
		fmt.Fprintf(&b, "%d x (%d -> %d), ", l.n, l.src, l.dst)
	}
	return b.String() + n.inner.String()
}

// A runs kernel copies n runs of neighbours, which lie so far apart.
type runs struct {
	bytes       int
	n, dst, src int
}

// newRuns returns a kernel that copies so many bytes, and again in the loop of the nearest targets, and
// the loops that are left.
func newRuns(bytes int, loops []loop) (kernel, []loop) {
	r := &runs{bytes: bytes, n: 1}
	if i := nearest(loops, func(l loop) int { return l.dst }, -1); i >= 0 {
		r.n, r.src, r.dst = loops[i].n, loops[i].src, loops[i].dst
		loops = slices.Delete(loops, i, i+1)
	}
	return r, loops
}

// move copies the runs.
func (r *runs) move(p place) {
	d, s := p.d, p.s
	for range r.n {
		copy(p.dst[d:d+r.bytes], p.src[s:s+r.bytes])
		d, s = d+r.dst, s+r.src
	}
}

// String names the runs in a plan.
func (r *runs) String() string { return fmt.Sprintf("copy %d runs of %d bytes", r.n, r.bytes) }

// pairs turns a part of elements of 4 bits into one of bytes, if they always move in pairs that
// share a byte on both sides.
func (p part) pairs() (part, bool) {
	q := part{p.src / 2, p.dst / 2, nil}
	paired := false
	for _, l := range p.loops {
		switch {
		case l.n == 1:
		case !paired && l.src == 1 && l.dst == 1 && l.n%2 == 0:
			paired = true
			q.loops = append(q.loops, stride{l.n / 2, 1, 1})
		case l.src%2 != 0 || l.dst%2 != 0:
			return part{}, false
		default:
			q.loops = append(q.loops, stride{l.n, l.src / 2, l.dst / 2})
		}
	}
	return q, paired && p.src%2 == 0 && p.dst%2 == 0
}

// Nibbles move elements of 4 bits one by one. Element 2k is the low half of byte k.
type nibbles struct{ part }

// move moves all of them.
func (n nibbles) move(p place) { n.walk(p, n.src, n.dst, n.loops) }

// walk moves what some loops lead to, from element s on to element d on.
func (n nibbles) walk(p place, s, d int64, loops []stride) {
	if len(loops) == 0 {
		put(p.dst[p.d:], d, p.src[p.s+int(s>>1)]>>(s&1*4)&15)
		return
	}
	for range loops[0].n {
		n.walk(p, s, d, loops[1:])
		s, d = s+loops[0].src, d+loops[0].dst
	}
}

// put sets element i.
func put(b []byte, i int64, v byte) {
	shift := i & 1 * 4
	b[i>>1] = b[i>>1]&^(15<<shift) | v<<shift
}

// String names the nibbles in a plan.
func (n nibbles) String() string {
	count := int64(1)
	for _, l := range n.loops {
		count *= l.n
	}
	return fmt.Sprintf("move %d elements of 4 bits", count)
}
