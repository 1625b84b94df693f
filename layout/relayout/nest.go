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
