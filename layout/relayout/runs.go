package relayout

import (
	"fmt"
	"slices"
)

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
