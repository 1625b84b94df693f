package layout

import (
	"iter"
	"slices"
)

// A Witness is two indices that share an offset, the first in row-major order before the
// second.
type Witness struct {
	A, B   []int64
	Offset int64
}

// collide decides whether two indices of the sorted dims share an offset, and if so returns a
// difference of two such indices, a value for each dim. Strides are positive.
//
// The dims fall into groups that decide for themselves. If every stride from some dim on is a
// multiple of a g beyond the reach of the dims before it, a difference that adds to 0 does so
// in both parts, because the lower part alone stays below g and the upper part is a multiple
// of it. In the nested case all groups are single dims.
func collide(sorted []dim, e Effort) (diff []int64, unique Verdict) {
	if nested(sorted) {
		return nil, Yes
	}
	unique = Yes
	for low, high := range groups(sorted) {
		diff, v := collideGroup(sorted[low:high], e)
		if v == No {
			return spread(diff, low, len(sorted)), No
		}
		unique = unique.and(v)
	}
	return nil, unique
}

// groups yields the bounds of the groups of the sorted dims.
func groups(sorted []dim) iter.Seq2[int, int] {
	return func(yield func(low, high int) bool) {
		var divisors [MaxDigits + 1]int64
		for i := len(sorted) - 1; i >= 0; i-- {
			divisors[i] = GCD(divisors[i+1], sorted[i].s)
		}
		low, reach := 0, int64(0)
		for i, d := range sorted {
			if i > low && divisors[i] > reach {
				if !yield(low, i) {
					return
				}
				low = i
			}
			reach += d.reach()
		}
		if low < len(sorted) {
			yield(low, len(sorted))
		}
	}
}

// spread places the difference of a group that starts at dim low among all n dims.
func spread(diff []int64, low, n int) []int64 {
	all := make([]int64, n)
	copy(all[low:], diff)
	return all
}

// collideGroup decides one group: at once for one dim or two, by the two dims that collide if
// there are such, and otherwise by search.
func collideGroup(group []dim, e Effort) (diff []int64, unique Verdict) {
	var buf [8]run
	runs := merge(buf[:0], group)
	if len(runs) == 1 {
		return nil, Yes
	}
	found := collidePair(runs)
	if found == nil && len(runs) == 2 {
		return nil, Yes
	}
	unique = No
	if found == nil {
		found, unique = search(slices.Clone(runs), e)
	}
	if unique != No {
		return nil, unique
	}
	return expand(found, runs, group), No
}

// A run is a row of neighbouring dims, from low to before high, each of which continues the one
// before it, so that they count like one dim.
type run struct {
	n, s      int64
	low, high int
}

// merge joins neighbours of the sorted dims into runs, which it appends to buf.
func merge(buf []run, sorted []dim) []run {
	for i, d := range sorted {
		if last := len(buf) - 1; last >= 0 && d.s == buf[last].n*buf[last].s {
			buf[last].n *= d.n
			buf[last].high++
			continue
		}
		buf = append(buf, run{d.n, d.s, i, i + 1})
	}
	return buf
}

// expand turns a difference of runs into one of their dims. The differences of the dims are
// those of the digits of the positive and of the negative part.
func expand(found []int64, runs []run, dims []dim) []int64 {
	diff := make([]int64, 0, len(dims))
	for i, r := range runs {
		left := found[i]
		for _, d := range dims[r.low:r.high] {
			diff = append(diff, left%d.n)
			left /= d.n
		}
	}
	return diff
}

// collidePair looks for two runs that collide by themselves: with g the gcd of the strides a
// and b, the shortest difference that adds to 0 is b/g steps of the one against a/g of the
// other.
func collidePair(runs []run) (diff []int64) {
	for j := range runs {
		for i := range runs[:j] {
			a, b := runs[i], runs[j]
			g := GCD(a.s, b.s)
			if b.s/g < a.n && a.s/g < b.n {
				diff = make([]int64, len(runs))
				diff[i], diff[j] = b.s/g, -a.s/g
				return diff
			}
		}
	}
	return nil
}

// witness turns a difference of dims into two indices and their offset: the steps forward
// lead from 0 to one index, the steps back to the other.
func (l Layout) witness(dims []dim, diff []int64) *Witness {
	a, b := make([]int64, len(l.axes)), make([]int64, len(l.axes))
	for i, d := range dims {
		step := diff[i]
		if d.reversed {
			step = -step
		}
		a[d.axis] += max(step, 0) * d.weight
		b[d.axis] += max(-step, 0) * d.weight
	}
	for i := range a {
		if a[i] != b[i] {
			if a[i] > b[i] {
				a, b = b, a
			}
			break
		}
	}
	return &Witness{a, b, l.offset(a)}
}
