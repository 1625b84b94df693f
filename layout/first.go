package layout

import (
	"cmp"
	"slices"
)

// A Finder finds the first index in row-major order at an offset. Where many indices share an
// offset it is faster than an Inverse, which counts them all.
type Finder struct {
	inv     *Inverse
	dims    []dim   // in the order of the axes, the outer digits first
	reach   []int64 // of the dims from i on
	divisor []int64 // of the strides from i on
}

// Finder returns the layout's Finder.
func (l Layout) Finder() *Finder {
	f := &Finder{inv: l.Inverse()}
	f.dims = slices.Clone(f.inv.dims)
	slices.SortStableFunc(f.dims, func(a, b dim) int {
		return cmp.Or(cmp.Compare(a.axis, b.axis), cmp.Compare(b.weight, a.weight))
	})
	f.reach, f.divisor = make([]int64, len(f.dims)+1), make([]int64, len(f.dims)+1)
	for i, d := range slices.Backward(f.dims) {
		f.reach[i] = f.reach[i+1] + d.reach()
		f.divisor[i] = gcd(f.divisor[i+1], d.s)
	}
	return f
}

// First returns the first index at the offset, nil when there is none. Then none says whether
// that is certain: Unknown when the search stopped at its work limit.
func (f *Finder) First(offset int64) (index []int64, none Verdict) {
	left := uint64(offset) - uint64(f.inv.low)
	if len(f.inv.reach) == 0 || offset < f.inv.low || left > uint64(f.reach[0]) {
		return nil, Yes
	}
	at, probes := slices.Clone(f.inv.origin), 0
	switch {
	case f.from(0, int64(left), at, &probes):
		return at, No
	case probes > maxProbes:
		return nil, Unknown
	}
	return nil, Yes
}

// from tries the values of dim i and after that can add to left, those of lower indices first.
func (f *Finder) from(i int, left int64, at []int64, probes *int) bool {
	if i == len(f.dims) {
		return left == 0 && f.inv.exists(at)
	}
	if left%f.divisor[i] != 0 {
		return false
	}
	d := &f.dims[i]
	low, high := int64(0), min(d.n-1, left/d.s)
	if beyond := left - f.reach[i+1]; beyond > 0 {
		low = ceilDiv(beyond, d.s)
	}
	for step := int64(0); step <= high-low && *probes <= maxProbes; step++ {
		*probes++
		v := low + step
		if d.reversed {
			v = high - step
		}
		d.move(at, v)
		if f.from(i+1, left-v*d.s, at, probes) {
			return true
		}
		d.move(at, -v)
	}
	return false
}
