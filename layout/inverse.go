package layout

import "slices"

// maxProbes limits the work of one look-up: how many digit values it may try.
const maxProbes = 1 << 20

// An Inverse finds the indices at an offset. It is made for a layout once and asked often.
type Inverse struct {
	layout  Layout
	ragged  bool
	low     int64   // the offset where all runs are 0
	runs    []Run   // by increasing stride, without those of stride 0
	copies  []Run   // those of stride 0; first those of axes that take storage by other digits
	partial int     // how many of these there are
	whole   int64   // how many indices the other copies count
	origin  []int64 // the index where all runs are 0
	reach   []int64 // of the runs before i
	divisor []int64 // of the strides before i
}

// Inverse returns the layout's inverse.
func (l Layout) Inverse() *Inverse {
	inv := &Inverse{layout: l, low: l.base, origin: make([]int64, len(l.axes))}
	if l.Empty() {
		return inv
	}
	var runs []Run
	runs, inv.ragged = l.Runs(nil)
	SortRuns(runs)
	inv.runs = WithoutBroadcast(runs)
	inv.sortCopies(runs[:len(runs)-len(inv.runs)])
	inv.reach, inv.divisor = make([]int64, len(inv.runs)+1), make([]int64, len(inv.runs)+1)
	for i, d := range inv.runs {
		inv.reach[i+1] = inv.reach[i] + d.Reach()
		inv.divisor[i+1] = GCD(inv.divisor[i], d.Stride)
		if d.Reversed {
			inv.low -= d.Reach()
			inv.origin[d.Axis] += (d.Extent - 1) * d.Weight
		}
	}
	return inv
}

// sortCopies tells the copies of which all indices exist from those of ragged axes.
func (inv *Inverse) sortCopies(copies []Run) {
	var whole []Run
	for _, d := range copies {
		if inv.ragged && !inv.layout.axes[d.Axis].Broadcast() {
			inv.copies = append(inv.copies, d)
		} else {
			whole = append(whole, d)
		}
	}
	slices.SortStableFunc(whole, ByAxis)
	inv.partial, inv.whole = len(inv.copies), CountIndices(whole)
	inv.copies = append(inv.copies, whole...)
}

// A Lookup is what lives at an offset.
type Lookup struct {
	Offset  int64
	Indices [][]int64 // in row-major order, the first of them when Count is larger
	Count   int64     // how many there are, broadcast copies included; 0 means padding
	Exact   bool      // false when the search stopped at its work limit: there may be more
}

// At returns the indices at the offset, and lists the first ones, no more than limit of them.
func (inv *Inverse) At(offset int64, limit int) Lookup {
	var buf [8]int64
	at := append(buf[:0], inv.origin...)
	p := probe{inv: inv, limit: limit}
	left := uint64(offset) - uint64(inv.low)
	if len(inv.reach) > 0 && offset >= inv.low && left <= uint64(inv.reach[len(inv.runs)]) {
		p.below(at, len(inv.runs), int64(left))
	}
	if p.hits > 1 && p.count > int64(len(p.found)) && limit > 0 {
		p.found, _ = inv.finder().list(offset, limit)
	} else if len(p.found) > 1 {
		slices.SortFunc(p.found, slices.Compare)
	}
	return Lookup{offset, p.found, p.count, p.probes <= maxProbes}
}

// A probe is one look-up under way.
type probe struct {
	inv    *Inverse
	limit  int
	found  [][]int64
	count  int64
	hits   int // how many there are without broadcast copies
	probes int
}

// below tries all values of the runs before i that can add to left. They cannot when left is
// beyond their reach or no multiple of the gcd of their strides. Where strides are nested, one
// value is left to try for each run.
func (p *probe) below(at []int64, i int, left int64) {
	if i == 0 {
		if left == 0 {
			p.copies(at, 0)
		}
		return
	}
	if left%p.inv.divisor[i] != 0 {
		return
	}
	d := &p.inv.runs[i-1]
	low, high := d.values(left, p.inv.reach[i-1])
	for v := low; v <= high && p.probes <= maxProbes; v++ {
		p.probes++
		d.move(at, v)
		p.below(at, i-1, left-v*d.Stride)
		d.move(at, -v)
	}
}

// move adds v steps of the run to the index.
func (d *Run) move(at []int64, v int64) {
	if d.Reversed {
		v = -v
	}
	at[d.Axis] += v * d.Weight
}

// copies counts the element at the index and its broadcast copies, those of copy run i and
// after. Only where digits of a ragged axis are copied they must be tried.
func (p *probe) copies(at []int64, i int) {
	if i == p.inv.partial {
		if p.inv.exists(at) {
			p.hits++
			p.count += p.inv.whole
			p.list(at, i)
		}
		return
	}
	d := &p.inv.copies[i]
	for v := int64(0); v < d.Extent && p.probes <= maxProbes; v++ {
		p.probes++
		d.move(at, v)
		p.copies(at, i+1)
		d.move(at, -v)
	}
}

// exists reports whether the index is not beyond a ragged axis.
func (inv *Inverse) exists(at []int64) bool {
	for i, v := range at {
		if inv.ragged && v >= inv.layout.axes[i].size {
			return false
		}
	}
	return true
}

// list notes the index and its copies, those of copy run i and after, up to the limit.
func (p *probe) list(at []int64, i int) {
	if len(p.found) >= p.limit {
		return
	}
	if i == len(p.inv.copies) {
		index := make([]int64, len(at))
		copy(index, at)
		p.found = append(p.found, index)
		return
	}
	d := &p.inv.copies[i]
	for v := int64(0); v < d.Extent && len(p.found) < p.limit; v++ {
		d.move(at, v)
		p.list(at, i+1)
		d.move(at, -v)
	}
}
