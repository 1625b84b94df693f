package facts

import (
	"slices"

	"layoutcalc/layout"
)

// sums is the bounded search for values of digits with a given sum of value x stride. It goes through the digits in
// their order and stops when the remaining ones cannot make up the rest: it is beyond their reach, or not a multiple of
// the gcd of their strides. If strides are nested and decreasing, only one value is left to try for each digit.
//
// Values count from 0 to the extent less 1. Values of differences count from its opposite, and the first one other than
// 0 is positive, for the opposite of a difference is a difference too.
type sums struct {
	runs        []layout.Run // strides are not negative
	differences bool
	limit       int64 // how many values are tried at most
	found       func(values []int64) (more bool)

	reach   []int64 // of the runs from i on
	divisor []int64 // gcd of the strides from i on
	values  []int64
	tried   int64
}

// newSums returns the search for sums of the runs that tries at most limit values and calls found
// with each solution, which it may not keep, until found wants no more.
func newSums(runs []layout.Run, limit int64, found func(values []int64) (more bool)) *sums {
	n := len(runs)
	s := &sums{runs: runs, limit: limit, found: found, values: make([]int64, n)}
	s.reach, s.divisor = make([]int64, n+1), make([]int64, n+1)
	for i, r := range slices.Backward(runs) {
		s.reach[i] = s.reach[i+1] + r.Reach()
		s.divisor[i] = layout.GCD(s.divisor[i+1], r.Stride)
	}
	return s
}

// search looks for all solutions. It reports whether the search was complete: false when it stopped
// at the limit.
func (s *sums) search(sum int64) (complete bool) {
	s.tried = 0
	s.from(0, sum, false)
	return s.tried <= s.limit
}

// from tries all values of the runs from i on that can add to left. Until some value is not 0,
// differences are tried of one sign. It reports whether to go on.
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
	for step := int64(0); step <= high-low; step++ {
		if s.tried > s.limit {
			return false
		}
		s.tried++
		v := low + step
		if r.Reversed && !s.differences {
			v = high - step
		}
		s.values[i] = v
		if !s.from(i+1, left-v*r.Stride, moved || v != 0) {
			return false
		}
	}
	return true
}

// bounds returns the values of run i that leave a rest within reach of the later runs.
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
