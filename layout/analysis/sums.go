package analysis

import (
	"math/bits"
	"slices"

	"layoutcalc/layout"
)

// sums is the bounded search for values of digits with a given sum of value × stride. It goes through the digits in
// order and stops if the remaining ones cannot make up the rest, because it is beyond their range, or not a multiple of
// the gcd of their strides. It only tries the values of a digit that leave a multiple of that gcd. If strides are
// nested and decreasing, there is only one value to try for each digit.
//
// Values count from 0 to the extent less 1. Values of differences start at the negative of that, and the first nonzero
// value is positive, because the negative of a difference is also a difference.
type sums struct {
	runs        []layout.Run // strides are not negative
	differences bool
	limit       int64 // the maximum number of values to try
	found       func(values []int64) (more bool)

	reach   []int64 // the range of the runs starting at i
	divisor []int64 // gcd of the strides starting at i
	every   []int64 // the distance between values of run i that leave a multiple of the next divisor
	inverse []int64 // the inverse of the stride, modulo that distance, both divided by divisor i
	values  []int64
	tried   int64
}

// newSums returns a search for sums of the runs that tries at most limit values. It calls found with each solution,
// which found must not keep, until found returns false.
func newSums(runs []layout.Run, limit int64, found func(values []int64) (more bool)) *sums {
	n := len(runs)
	s := &sums{runs: runs, limit: limit, found: found, values: make([]int64, n)}
	s.reach, s.divisor = make([]int64, n+1), make([]int64, n+1)
	s.every, s.inverse = make([]int64, n), make([]int64, n)
	for i, r := range slices.Backward(runs) {
		s.reach[i] = s.reach[i+1] + r.Reach()
		s.divisor[i] = layout.GCD(s.divisor[i+1], r.Stride)
		if s.every[i] = 1; s.divisor[i+1] > s.divisor[i] {
			s.every[i] = s.divisor[i+1] / s.divisor[i]
			s.inverse[i] = inverseOf(r.Stride/s.divisor[i], s.every[i])
		}
	}
	return s
}

// search searches all solutions. It reports false if it reached the limit.
func (s *sums) search(sum int64) (complete bool) {
	s.tried = 0
	s.from(0, sum, false)
	return s.tried <= s.limit
}

// from tries all values of the runs starting at i that can add up to left. As long as all values are 0, it only tries
// differences of one sign. It reports whether to go on.
func (s *sums) from(i int, left int64, moved bool) bool {
	if i == len(s.runs) {
		return left != 0 || s.differences && !moved || s.found(s.values)
	}
	if d := s.divisor[i]; d == 0 && left != 0 || d > 0 && left%d != 0 {
		return true
	}
	r := &s.runs[i]
	low, high := s.bounds(i, left)
	if s.differences && !moved {
		low = 0
	}
	every := s.every[i]
	if every > 1 {
		low += s.skipped(i, left, low)
		high -= floorMod(high-low, every)
	}
	if low > high {
		return true
	}
	for count := range (high-low)/every + 1 {
		if s.tried > s.limit {
			return false
		}
		s.tried++
		v := low + count*every
		if r.Reversed && !s.differences {
			v = high - count*every
		}
		s.values[i] = v
		if !s.from(i+1, left-v*r.Stride, moved || v != 0) {
			return false
		}
	}
	return true
}

// bounds returns the values of run i that leave a rest within range of the later runs.
func (s *sums) bounds(i int, left int64) (low, high int64) {
	r, reach, back := &s.runs[i], s.reach[i+1], int64(0)
	high = r.Extent - 1
	if s.differences {
		low, back = 1-r.Extent, reach
	}
	if r.Stride == 0 {
		return low, high
	}
	low = max(low, layout.CeilDiv(left-reach, r.Stride))
	high = min(high, -layout.CeilDiv(-left-back, r.Stride))
	return low, high
}

// skipped returns the distance from low to the first value of run i that leaves a multiple of the gcd of the later
// strides.
func (s *sums) skipped(i int, left, low int64) int64 {
	every := s.every[i]
	hi, lo := bits.Mul64(uint64(floorMod(left/s.divisor[i], every)), uint64(s.inverse[i]))
	return floorMod(int64(bits.Rem64(hi, lo, uint64(every)))-floorMod(low, every), every)
}

// inverseOf returns the inverse of a modulo m. The numbers must be coprime, and m above 1.
func inverseOf(a, m int64) int64 {
	x, next := int64(0), int64(1)
	for r, s := m, floorMod(a, m); s > 0; {
		q := r / s
		r, s = s, r-q*s
		x, next = next, x-q*next
	}
	return floorMod(x, m)
}

// floorMod returns the nonnegative remainder of a divided by m.
func floorMod(a, m int64) int64 {
	if a %= m; a < 0 {
		return a + m
	}
	return a
}
