package layout

import "slices"

// A Finder finds the first indices in row-major order at an offset. Where many indices share an
// offset it is faster than an Inverse, which counts them all.
type Finder struct {
	inv     *Inverse
	runs    []Run   // in the order of the axes, the outer digits first; those of stride 0 too
	reach   []int64 // of the runs from i on
	divisor []int64 // of the strides from i on
}

// Finder returns the layout's Finder.
func (l Layout) Finder() *Finder {
	return l.Inverse().finder()
}

func (inv *Inverse) finder() *Finder {
	f := &Finder{inv: inv, runs: slices.Concat(inv.runs, inv.copies)}
	slices.SortFunc(f.runs, ByAxis)
	f.reach, f.divisor = make([]int64, len(f.runs)+1), make([]int64, len(f.runs)+1)
	for i, d := range slices.Backward(f.runs) {
		f.reach[i] = f.reach[i+1] + d.Reach()
		f.divisor[i] = GCD(f.divisor[i+1], d.Stride)
	}
	return f
}

// First returns the first index at the offset, nil when there is none. Then none says whether
// that is certain: Unknown when the search stopped at its work limit.
func (f *Finder) First(offset int64) (index []int64, none Verdict) {
	found, none := f.list(offset, 1)
	if len(found) == 0 {
		return nil, none
	}
	return found[0], No
}

// list returns the first indices at the offset, no more than limit, and whether it is certain
// that there are none.
func (f *Finder) list(offset int64, limit int) (found [][]int64, none Verdict) {
	left := uint64(offset) - uint64(f.inv.low)
	if len(f.inv.reach) == 0 || offset < f.inv.low || left > uint64(f.reach[0]) {
		return nil, Yes
	}
	s := finding{f, slices.Clone(f.inv.origin), limit, nil, 0}
	s.from(0, int64(left))
	switch {
	case len(s.found) > 0:
		return s.found, No
	case s.probes > maxProbes:
		return nil, Unknown
	}
	return nil, Yes
}

// A finding is one search under way.
type finding struct {
	finder *Finder
	at     []int64
	limit  int
	found  [][]int64
	probes int
}

// from tries the values of run i and after that can add to left, those of lower indices first.
func (s *finding) from(i int, left int64) {
	f := s.finder
	switch {
	case i == len(f.runs):
		if left == 0 && f.inv.exists(s.at) {
			s.found = append(s.found, slices.Clone(s.at))
		}
		return
	case f.divisor[i] == 0 && left != 0, f.divisor[i] > 0 && left%f.divisor[i] != 0:
		return
	}
	d := &f.runs[i]
	low, high := d.values(left, f.reach[i+1])
	for step := int64(0); step <= high-low && s.probes <= maxProbes && len(s.found) < s.limit; step++ {
		s.probes++
		v := low + step
		if d.Reversed {
			v = high - step
		}
		d.move(s.at, v)
		s.from(i+1, left-v*d.Stride)
		d.move(s.at, -v)
	}
}

// values returns the values of the run that leave something between 0 and reach.
func (d *Run) values(left, reach int64) (low, high int64) {
	if d.Stride == 0 {
		return 0, d.Extent - 1
	}
	if left > reach {
		low = CeilDiv(left-reach, d.Stride)
	}
	return low, min(d.Extent-1, left/d.Stride)
}
