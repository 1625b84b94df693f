package facts

import (
	"iter"
	"slices"

	"layoutcalc/layout"
)

// A Witness is two indices that share an offset, the first in row-major order before the
// second.
type Witness struct {
	A, B   []int64
	Offset int64
}

// collide decides whether two indices of the sorted runs share an offset, and if so returns a
// difference of two such indices, a value for each run. Strides are positive.
//
// The runs fall into groups that decide for themselves. If every stride from some run on is a
// multiple of a g beyond the reach of the runs before it, a difference that adds to 0 does so
// in both parts, because the lower part alone stays below g and the upper part is a multiple
// of it. In the nested case all groups are single runs.
func collide(sorted []layout.Run, e Effort) (diff []int64, unique Verdict) {
	if layout.Nested(sorted) {
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

// groups yields the bounds of the groups of the sorted runs.
func groups(sorted []layout.Run) iter.Seq2[int, int] {
	return func(yield func(low, high int) bool) {
		var divisors [layout.MaxDigits + 1]int64
		for i := len(sorted) - 1; i >= 0; i-- {
			divisors[i] = layout.GCD(divisors[i+1], sorted[i].Stride)
		}
		low, reach := 0, int64(0)
		for i, d := range sorted {
			if i > low && divisors[i] > reach {
				if !yield(low, i) {
					return
				}
				low = i
			}
			reach += d.Reach()
		}
		if low < len(sorted) {
			yield(low, len(sorted))
		}
	}
}

// spread places the difference of a group that starts at run low among all n runs.
func spread(diff []int64, low, n int) []int64 {
	all := make([]int64, n)
	copy(all[low:], diff)
	return all
}

// collideGroup decides one group: at once for one run or two, by the two runs that collide if
// there are such, and otherwise by search.
func collideGroup(group []layout.Run, e Effort) (diff []int64, unique Verdict) {
	var buf [8]chain
	chains := merge(buf[:0], group)
	if len(chains) == 1 {
		return nil, Yes
	}
	found := collidePair(chains)
	if found == nil && len(chains) == 2 {
		return nil, Yes
	}
	unique = No
	if found == nil {
		found, unique = search(slices.Clone(chains), e)
	}
	if unique != No {
		return nil, unique
	}
	return expand(found, chains, group), No
}

// A chain is a row of neighbouring runs, from low to before high, each of which continues the one
// before it, so that they count like one run.
type chain struct {
	layout.Digit
	low, high int
}

// merge joins neighbours of the sorted runs into chains, which it appends to buf.
func merge(buf []chain, sorted []layout.Run) []chain {
	for i, d := range sorted {
		if last := len(buf) - 1; last >= 0 && d.Stride == buf[last].Extent*buf[last].Stride {
			buf[last].Extent *= d.Extent
			buf[last].high++
			continue
		}
		buf = append(buf, chain{d.Digit, i, i + 1})
	}
	return buf
}

// expand turns a difference of chains into one of their runs. The differences of the runs are
// those of the digits of the positive and of the negative part.
func expand(found []int64, chains []chain, runs []layout.Run) []int64 {
	diff := make([]int64, 0, len(runs))
	for i, r := range chains {
		left := found[i]
		for _, d := range runs[r.low:r.high] {
			diff = append(diff, left%d.Extent)
			left /= d.Extent
		}
	}
	return diff
}

// collidePair looks for two chains that collide by themselves: with g the gcd of the strides a
// and b, the shortest difference that adds to 0 is b/g steps of the one against a/g of the
// other.
func collidePair(chains []chain) (diff []int64) {
	for j := range chains {
		for i := range chains[:j] {
			a, b := chains[i], chains[j]
			g := layout.GCD(a.Stride, b.Stride)
			if b.Stride/g < a.Extent && a.Stride/g < b.Extent {
				diff = make([]int64, len(chains))
				diff[i], diff[j] = b.Stride/g, -a.Stride/g
				return diff
			}
		}
	}
	return nil
}

// witness turns a difference of runs into two indices and their offset: the steps forward
// lead from 0 to one index, the steps back to the other.
func witness(l layout.Layout, runs []layout.Run, diff []int64) *Witness {
	a, b := make([]int64, l.Rank()), make([]int64, l.Rank())
	for i, d := range runs {
		step := diff[i]
		if d.Reversed {
			step = -step
		}
		a[d.Axis] += max(step, 0) * d.Weight
		b[d.Axis] += max(-step, 0) * d.Weight
	}
	for i := range a {
		if a[i] != b[i] {
			if a[i] > b[i] {
				a, b = b, a
			}
			break
		}
	}
	return &Witness{a, b, offsetAt(l, a)}
}
