package relayout

import "fmt"

// A runs kernel copies n runs of neighbours, which lie so far apart.
type runs struct {
	bytes       int
	n, dst, src int
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
