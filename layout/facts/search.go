package facts

import (
	"math/bits"
	"slices"

	"layoutcalc/layout"
)

// Work limits of the search for a collision. A set of 2^23 sums takes 128 MB; a second or so
// passes over 2^27 sums.
const (
	maxSums   = 1 << 23
	maxStream = 1 << 27
	maxNodes  = 1 << 25
)

// An Effort is how much work may go into what is hard to tell of a layout.
type Effort uint8

// The efforts. A thorough one may take a second and 128 MB, a quick one tens of milliseconds and
// 4 MB: that leaves more unknown.
const (
	Thorough Effort = 0
	Quick    Effort = 5
)

// of returns how much of a limit is left.
func (e Effort) of(limit int64) int64 { return limit >> e }

// search decides whether a difference of two indices of the chains, other than 0, adds to 0.
//
// Meet in the middle: the chains are split in two, and a difference adds to 0 when the sums of
// its halves are opposite. The sums of one half are kept, those of the other looked up. As the
// opposite of a difference is one too, half of each suffices, without signs. The kept half
// may be one chain, whose sums need no keeping. Where both halves are too large, the search goes
// depth first.
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

// searchPart searches chains that are too many to be split. A collision among the first of them
// is one of all, and with so many it is likely to exist.
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

// split returns the set of chains to keep the sums of, a bit each, or 0 when there is no split
// within the limits. Up to 16 chains all splits are weighed; of more, each goes to the lighter
// half, the largest first.
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
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case chains[i].Extent > chains[j].Extent:
			return -1
		case chains[i].Extent < chains[j].Extent:
			return 1
		}
		return 0
	})
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

// weights counts the sums to keep, none for a single chain, and those to look up.
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
	at     []int // position of each among all chains
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

// differences calls visit with each difference that is positive in its first value other than
// 0, and its sum, until visit returns false.
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

// widen places a difference of the half among all chains.
func (h *half) widen(diff []int64) []int64 {
	wide := make([]int64, h.all)
	for k, i := range h.at {
		wide[i] = diff[k]
	}
	return wide
}

// collect keeps the sums of the half, unless a difference within it adds to 0.
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

// lookUp finds a difference of the half whose sum, or its opposite, the other half has too.
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

// complete adds to diff the difference of the half that has the opposite of the target sum.
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

// A sumSet is a set of positive numbers: an open hash table where 0 marks a free place.
type sumSet struct {
	places []uint64
	shift  int
}

// newSumSet makes room for n numbers.
func newSumSet(n int64) sumSet {
	width := max(bits.Len64(uint64(n+n/4)), 1)
	return sumSet{make([]uint64, 1<<width), 64 - width}
}

// place returns where v is, or the free place where it belongs.
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
