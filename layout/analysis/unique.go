package analysis

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"

	"layoutcalc/layout"
)

// A Witness is two indices that share an offset. The first comes before the second in row-major order.
type Witness struct {
	A, B   []int64
	Offset int64
}

// collide decides whether two indices of the sorted runs share an offset, and if so returns a difference of two such
// indices, a value for each run. Strides are positive.
//
// The runs form groups that can be decided separately. If every stride starting at some run is a multiple of a g beyond
// the range of the runs before it, a difference that adds up to 0 does so in both parts, because the lower part alone
// stays below g and the upper part is a multiple of it. If the runs are nested, all groups are single runs.
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

// spread returns the difference of a group that starts at run low as a difference of all n runs.
func spread(diff []int64, low, n int) []int64 {
	all := make([]int64, n)
	copy(all[low:], diff)
	return all
}

// collideGroup decides one group: immediately for one or two runs, by a pair of runs that collide if there is one, and
// otherwise by search.
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

// A chain is a sequence of adjacent runs, [low, high). Each run continues the previous one, so that they count like one
// run.
type chain struct {
	layout.Digit
	low, high int
}

// merge joins adjacent sorted runs into chains, which it appends to buf.
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

// expand converts a difference of chains to a difference of runs: the digits of its positive part minus the digits of
// its negative part.
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

// collidePair searches two chains that collide by themselves. If g is the gcd of the strides a and b, the shortest
// difference that adds up to 0 is b/g steps of one chain against a/g of the other.
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

// witness returns two indices and their offset for a difference of runs: the positive steps lead from 0 to one index,
// the negative steps to the other.
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

// Limits of the search for a collision. A set of 2^23 sums needs 128 MB. Each lookup in a set larger than the
// processor's caches waits for memory: with strides around 10^15, 14 axes of 6 (107 million sums, in 16 MB) took 9 s,
// and 13 axes of 8 (85 million, in 64 MB) 16 s. Most layouts take less than 2 s.
const (
	maxSums   = 1 << 23
	maxStream = 1 << 27
	maxNodes  = 1 << 25
)

// An Effort limits the work on questions about a layout that may take long.
type Effort uint8

// The efforts. A thorough one may need 128 MB and, at worst, about 20 seconds; a quick one 4 MB and a tenth of a
// second, but it leaves more questions unknown.
const (
	Thorough Effort = 0
	Quick    Effort = 5
)

// of returns the part of a limit that the effort allows.
func (e Effort) of(limit int64) int64 { return limit >> e }

// search decides whether a difference of two indices of the chains, other than 0, adds to 0.
//
// It meets in the middle: it splits the chains into two halves, and a difference adds up to 0 if the sums of its halves
// are opposite. It stores the sums of one half, and looks up the sums of the other. Because the negative of a
// difference is also a difference, half of each is enough, without signs. If the stored half is one chain, its sums are
// computed instead. If both halves are too large, the search is depth first.
func search(chains []chain, e Effort) (diff []int64, unique Verdict) {
	kept := split(chains, e)
	if kept == 0 {
		return searchPart(chains, e)
	}
	a, b := newHalf(chains, kept), newHalf(chains, ^kept)
	if diff, found := a.collect(); found {
		return diff, No
	}
	diff, target := b.lookUp(a)
	if diff == nil {
		return nil, Yes
	}
	if target != 0 {
		a.complete(diff, target)
	}
	return diff, No
}

// searchPart searches chains that are too many to be split. A collision among the first chains is a collision of all,
// and is likely to exist.
func searchPart(chains []chain, e Effort) (diff []int64, unique Verdict) {
	part := chains
	for len(part) > 2 && split(part, e) == 0 {
		part = part[:len(part)-1]
	}
	if len(part) > 2 {
		if diff, unique = search(part, e); unique == No {
			return spread(diff, 0, len(chains)), No
		}
	}
	return dive(chains, e)
}

// split returns the set of chains to store sums for, as bits, or 0 if no split is within the limits. For up to 16
// chains it tries all splits; for more, it assigns each to the lighter half, the largest first.
func split(chains []chain, e Effort) (kept uint64) {
	if len(chains) > 16 {
		return lighter(chains, e)
	}
	best := e.of(maxStream)
	for set := uint64(1); set < 1<<len(chains)-1; set++ {
		keep, stream := weights(chains, set)
		if keep <= e.of(maxSums) && stream <= best-keep {
			best, kept = keep+stream, set
		}
	}
	return kept
}

func lighter(chains []chain, e Effort) (kept uint64) {
	order := make([]int, len(chains))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(chains[j].Extent, chains[i].Extent) })
	for _, i := range order {
		keep, stream := weights(chains, kept)
		if kept == 0 || keep < stream {
			kept |= 1 << i
		}
	}
	if keep, stream := weights(chains, kept); keep > e.of(maxSums) || stream > e.of(maxStream) {
		return 0
	}
	return kept
}

// weights returns the number of sums to store, which is 0 for a single chain, and the number to look up.
func weights(chains []chain, kept uint64) (keep, stream int64) {
	keep, stream = 1, 1
	for i, r := range chains {
		side := &stream
		if kept>>i&1 == 1 {
			side = &keep
		}
		if r.Extent > maxStream || *side > 4*maxStream/(2*r.Extent-1) {
			*side = 4 * maxStream
		} else {
			*side *= 2*r.Extent - 1
		}
	}
	if bits.OnesCount64(kept) == 1 {
		keep = 0
	}
	return keep / 2, stream / 2
}

// A half is some of the chains, with the sums of their differences.
type half struct {
	chains []chain
	at     []int // the index of each among all chains
	all    int
	sums   sumSet
}

func newHalf(chains []chain, set uint64) *half {
	h := &half{all: len(chains)}
	for i, r := range chains {
		if set>>i&1 == 1 {
			h.chains, h.at = append(h.chains, r), append(h.at, i)
		}
	}
	return h
}

// differences calls visit for each difference with a positive first nonzero value, and its sum, until visit returns
// false.
func (h *half) differences(visit func(sum int64) bool) (at []int64, stopped bool) {
	diff, sum := make([]int64, len(h.chains)), int64(0)
	for {
		i := len(h.chains) - 1
		for ; i >= 0 && diff[i] == h.chains[i].Extent-1; i-- {
			sum -= 2 * diff[i] * h.chains[i].Stride
			diff[i] = -diff[i]
		}
		if i < 0 {
			return nil, false
		}
		diff[i]++
		sum += h.chains[i].Stride
		if !visit(sum) {
			return diff, true
		}
	}
}

// widen returns a difference of the half as a difference of all chains.
func (h *half) widen(diff []int64) []int64 {
	wide := make([]int64, h.all)
	for k, i := range h.at {
		wide[i] = diff[k]
	}
	return wide
}

// collect stores the sums of the half, unless a difference within it adds up to 0.
func (h *half) collect() (diff []int64, found bool) {
	if len(h.chains) == 1 {
		return nil, false
	}
	n := int64(1)
	for _, r := range h.chains {
		n *= 2*r.Extent - 1
	}
	h.sums = newSumSet(n / 2)
	diff, found = h.differences(func(sum int64) bool {
		if sum != 0 {
			h.sums.Add(layout.Magnitude(sum))
		}
		return sum != 0
	})
	if !found {
		return nil, false
	}
	return h.widen(diff), true
}

// has reports whether a difference of the half has the sum v or -v.
func (h *half) has(v uint64) bool {
	if len(h.chains) == 1 {
		r := h.chains[0]
		return v/uint64(r.Stride) < uint64(r.Extent) && v%uint64(r.Stride) == 0
	}
	return h.sums.has(v)
}

// lookUp finds a difference of the half with a sum that the other half also has, with either sign.
func (h *half) lookUp(other *half) (diff []int64, target int64) {
	diff, found := h.differences(func(sum int64) bool {
		target = sum
		return sum != 0 && !other.has(layout.Magnitude(sum))
	})
	if !found {
		return nil, 0
	}
	return h.widen(diff), target
}

// complete adds to diff the difference of the half that has the negative of the target sum.
func (h *half) complete(diff []int64, target int64) {
	if len(h.chains) == 1 {
		diff[h.at[0]] = -target / h.chains[0].Stride
		return
	}
	sign := int64(1)
	mine, _ := h.differences(func(sum int64) bool {
		if sum == target {
			sign = -1
		}
		return sum != target && sum != -target
	})
	for k, i := range h.at {
		diff[i] = sign * mine[k]
	}
}

// A sumSet is a set of positive numbers: an open hash table with 0 for a free slot.
type sumSet struct {
	places []uint64
	shift  int
}

// newSumSet returns an empty set for n numbers.
func newSumSet(n int64) sumSet {
	width := max(bits.Len64(uint64(n+n/4)), 1)
	return sumSet{make([]uint64, 1<<width), 64 - width}
}

// place returns the slot of v, or a free slot for it.
func (s *sumSet) place(v uint64) *uint64 {
	i := v * 0x9E3779B97F4A7C15 >> s.shift
	for s.places[i] != 0 && s.places[i] != v {
		i = (i + 1) & uint64(len(s.places)-1)
	}
	return &s.places[i]
}

func (s *sumSet) Add(v uint64)      { *s.place(v) = v }
func (s *sumSet) has(v uint64) bool { return *s.place(v) == v }

// dive searches depth first, from the largest stride down.
func dive(chains []chain, e Effort) (diff []int64, unique Verdict) {
	runs := make([]layout.Run, len(chains))
	for i, c := range chains {
		runs[len(chains)-1-i].Digit = c.Digit
	}
	s := newSums(runs, e.of(maxNodes), func(values []int64) bool {
		diff = slices.Clone(values)
		return false
	})
	s.differences = true
	complete := s.search(0)
	switch {
	case diff != nil:
		slices.Reverse(diff)
		return diff, No
	case !complete:
		return nil, Unknown
	}
	return nil, Yes
}

// judgeRagged decides whether the elements of a ragged layout are unique although its runs are not, because some of the
// indices that share offsets do not exist. It ignores broadcast axes.
func (f *Facts) judgeRagged(l layout.Layout, e Effort) Verdict {
	core := coreOf(l)
	offsets := offsetsOf(core, e)
	if offsets == nil {
		return Unknown
	}
	for i := range offsets[1:] {
		if offsets[i] == offsets[i+1] {
			pair := NewInverse(core).At(offsets[i], 2)
			f.Witness = &Witness{pair.Indices[0], pair.Indices[1], offsets[i]}
			return No
		}
	}
	return Yes
}
