package analysis

import (
	"slices"

	"layoutcalc/layout"
)

// maxProbes limits the number of digit values that one lookup may try.
const maxProbes = 1 << 20

// An Inverse finds the indices at an offset. It is created once for a layout and used for many lookups, by one
// goroutine at a time.
type Inverse struct {
	layout  layout.Layout
	ragged  bool
	low     int64        // the offset with all runs at 0
	sums    *sums        // sums over the runs of nonzero stride, by decreasing stride; nil if there are no elements
	copies  []layout.Run // runs of stride 0; runs of axes that have other digits come first
	partial int          // the number of such runs
	whole   int64        // the number of indices that the other copies count
	origin  []int64      // the index with all runs at 0
	finder  *Finder      // made when it is first needed
	probe   probe
}

// NewInverse returns the layout's inverse.
func NewInverse(l layout.Layout) *Inverse {
	inv := &Inverse{layout: l, low: l.Base(), origin: make([]int64, l.Rank())}
	inv.probe.at = make([]int64, l.Rank())
	if l.Empty() {
		return inv
	}
	var runs []layout.Run
	runs, inv.ragged = l.Runs(nil)
	layout.SortRuns(runs)
	moving := layout.WithoutBroadcast(runs)
	inv.sortCopies(runs[:len(runs)-len(moving)])
	for _, r := range moving {
		if r.Reversed {
			inv.low -= r.Reach()
			inv.origin[r.Axis] += (r.Extent - 1) * r.Weight
		}
	}
	slices.Reverse(moving)
	inv.sums = newSums(moving, maxProbes, inv.visit)
	return inv
}

// Limit sets the number of digit values that each lookup may try.
func (inv *Inverse) Limit(probes int64) {
	if inv.sums != nil {
		inv.sums.limit = probes
	}
}

// sortCopies separates copies with all their indices from copies along ragged axes.
func (inv *Inverse) sortCopies(copies []layout.Run) {
	var whole []layout.Run
	for _, r := range copies {
		if inv.ragged && !inv.layout.Axis(r.Axis).Broadcast() {
			inv.copies = append(inv.copies, r)
		} else {
			whole = append(whole, r)
		}
	}
	slices.SortStableFunc(whole, layout.ByAxis)
	inv.partial, inv.whole = len(inv.copies), layout.CountIndices(whole)
	inv.copies = append(inv.copies, whole...)
}

// A Lookup is the result of looking up an offset.
type Lookup struct {
	Offset  int64
	Indices [][]int64 // in row-major order; only the first ones if Count is larger
	Count   int64     // the number of indices, including broadcast copies; 0 means padding
	Exact   bool      // false if the search reached its limit, so that there may be more
}

// At returns the indices at the offset. It lists at most limit of them.
func (inv *Inverse) At(offset int64, limit int) Lookup {
	left, ok := inv.above(offset)
	if !ok {
		return Lookup{Offset: offset, Exact: true}
	}
	p := &inv.probe
	p.limit, p.found, p.count, p.hits = limit, nil, 0, 0
	exact := inv.sums.search(left)
	if p.hits > 1 && p.count > int64(len(p.found)) && limit > 0 {
		if inv.finder == nil {
			inv.finder = newFinder(inv)
		}
		p.found, _ = inv.finder.list(offset, limit)
	} else if len(p.found) > 1 {
		slices.SortStableFunc(p.found, slices.Compare)
	}
	return Lookup{offset, p.found, p.count, exact}
}

// above returns the distance of the offset from the lowest one; ok is false if no element can be there.
func (inv *Inverse) above(offset int64) (left int64, ok bool) {
	if offset >= 0 {
		offset = inv.layout.Unswizzle(offset)
	}
	if inv.sums == nil || offset < inv.low {
		return 0, false
	}
	distance := uint64(offset) - uint64(inv.low)
	return int64(distance), distance <= uint64(inv.sums.reach[0])
}

// index sets at to the index that gives the runs these values.
func (inv *Inverse) index(at []int64, runs []layout.Run, values []int64) {
	copy(at, inv.origin)
	for i := range runs {
		move(at, &runs[i], values[i])
	}
}

// move adds v steps of the run to the index.
func move(at []int64, r *layout.Run, v int64) {
	if r.Reversed {
		v = -v
	}
	at[r.Axis] += v * r.Weight
}

// A probe collects the indices of one look-up.
type probe struct {
	limit int
	at    []int64
	found [][]int64
	count int64
	hits  int // the number of indices without broadcast copies
}

// visit counts the index that gives the runs these values, and its copies.
func (inv *Inverse) visit(values []int64) (more bool) {
	inv.index(inv.probe.at, inv.sums.runs, values)
	inv.count(0)
	return true
}

// count counts the element at the index of the probe and its broadcast copies along copy i and later ones. It only
// tries the copied digits of ragged axes.
func (inv *Inverse) count(i int) {
	p, sums := &inv.probe, inv.sums
	if i == inv.partial {
		if inv.exists(p.at) {
			p.hits++
			p.count += inv.whole
			inv.list(i)
		}
		return
	}
	r := &inv.copies[i]
	for v := int64(0); v < r.Extent && sums.tried <= sums.limit; v++ {
		sums.tried++
		move(p.at, r, v)
		inv.count(i + 1)
		move(p.at, r, -v)
	}
}

// list adds the index of the probe and its copies along copy i and later ones, up to the limit.
func (inv *Inverse) list(i int) {
	p := &inv.probe
	if len(p.found) >= p.limit {
		return
	}
	if i == len(inv.copies) {
		p.found = append(p.found, slices.Clone(p.at))
		return
	}
	r := &inv.copies[i]
	for v := int64(0); v < r.Extent && len(p.found) < p.limit; v++ {
		move(p.at, r, v)
		inv.list(i + 1)
		move(p.at, r, -v)
	}
}

// exists reports whether the index is not beyond a ragged axis.
func (inv *Inverse) exists(at []int64) bool {
	for i, v := range at {
		if inv.ragged && v >= inv.layout.Axis(i).Size() {
			return false
		}
	}
	return true
}

// A Finder finds the first indices in row-major order at an offset. If many indices share an offset, it is faster than
// an Inverse, which counts all of them.
type Finder struct {
	inv  *Inverse
	sums *sums // sums over all runs in the order of the axes, the outer digits first

	at    []int64
	found [][]int64
	limit int
}

// NewFinder returns the layout's Finder.
func NewFinder(l layout.Layout) *Finder { return newFinder(NewInverse(l)) }

func newFinder(inv *Inverse) *Finder {
	f := &Finder{inv: inv}
	if inv.sums != nil {
		runs := slices.Concat(inv.sums.runs, inv.copies)
		slices.SortStableFunc(runs, layout.ByAxis)
		f.sums = newSums(runs, maxProbes, f.visit)
		f.at = make([]int64, len(inv.origin))
	}
	return f
}

// Limit sets the number of digit values that each lookup may try.
func (f *Finder) Limit(probes int64) {
	if f.sums != nil {
		f.sums.limit = probes
	}
}

// visit adds the index that gives the runs these values, if it exists.
func (f *Finder) visit(values []int64) (more bool) {
	if f.inv.index(f.at, f.sums.runs, values); f.inv.exists(f.at) {
		f.found = append(f.found, slices.Clone(f.at))
	}
	return len(f.found) < f.limit
}

// First returns the first index at the offset, or nil if it finds no index. In that case, none is Yes if no index
// exists, and Unknown if the search reached its limit.
func (f *Finder) First(offset int64) (index []int64, none Verdict) {
	found, none := f.list(offset, 1)
	if len(found) == 0 {
		return nil, none
	}
	return found[0], No
}

// list returns up to limit first indices at the offset, and whether it is certain that no index exists.
func (f *Finder) list(offset int64, limit int) (found [][]int64, none Verdict) {
	left, ok := f.inv.above(offset)
	if !ok {
		return nil, Yes
	}
	f.found, f.limit = nil, limit
	complete := f.sums.search(left)
	switch {
	case len(f.found) > 0:
		return f.found, No
	case !complete:
		return nil, Unknown
	}
	return nil, Yes
}

// maxSteps is the number of offsets that are searched for a neighbour in a ragged or swizzled layout.
const maxSteps = 4096

// Before returns the highest offset of an element below the given one. It reports false if no element is below, or if
// it does not find one within its limit.
func (inv *Inverse) Before(offset int64) (int64, bool) { return inv.neighbour(offset, -1) }

// After returns the lowest offset of an element above the given one. It is otherwise like Before.
func (inv *Inverse) After(offset int64) (int64, bool) { return inv.neighbour(offset, 1) }

// neighbour is Before if by is -1, and After if by is 1. It can use the same search for both because the offsets of
// complete digits are symmetric.
func (inv *Inverse) neighbour(offset, by int64) (int64, bool) {
	low, high := inv.layout.Bounds()
	if inv.layout.Empty() || by < 0 && offset <= low || by > 0 && offset >= high {
		return 0, false
	}
	offset = min(max(offset+by, low), high)
	if inv.ragged || inv.layout.IsSwizzled() {
		return inv.step(offset, by)
	}
	f := floor{inv: inv, best: -1}
	if by < 0 {
		f.from(0, 0, offset-low)
		return low + f.best, f.probes <= maxProbes
	}
	f.from(0, 0, high-offset)
	return high - f.best, f.probes <= maxProbes
}

// step increases the offset by by until an element is there.
func (inv *Inverse) step(offset, by int64) (int64, bool) {
	for range maxSteps {
		if inv.At(offset, 0).Count > 0 {
			return offset, true
		}
		offset += by
	}
	return 0, false
}

// A floor searches the highest sum of run values that is at most a limit.
type floor struct {
	inv    *Inverse
	best   int64
	probes int
}

// from tries the values of the runs starting at i on top of sum, the highest first, as long as a higher sum is
// possible.
func (f *floor) from(i int, sum, limit int64) {
	sums := f.inv.sums
	if i == len(sums.runs) {
		f.best = max(f.best, sum)
		return
	}
	r := sums.runs[i]
	for v := min(r.Extent-1, (limit-sum)/r.Stride); v >= 0; v-- {
		most := sum + v*r.Stride + sums.reach[i+1]
		if min(most, limit) <= f.best || f.probes > maxProbes {
			return
		}
		f.probes++
		f.from(i+1, sum+v*r.Stride, limit)
	}
}
