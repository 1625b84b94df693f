package relayout

import (
	"slices"

	"layoutcalc/layout"
)

// A digit is one that the indices of both layouts can be written in: it counts up to its extent,
// in steps of its weight along an axis. A loose one has no stride on at least one side: the blocks
// of the two layouts do not divide each other.
type digit struct {
	axis           int
	weight, extent int64
	loose          bool
}

// refine returns the digits of an axis, outermost first.
func refine(i int, from, to layout.Axis) []digit {
	weights := commonWeights(from, to)
	loose := !chained(weights)
	if loose {
		weights = []int64{1}
		if period := commonMultiple(from, to); period < from.Size() {
			weights = []int64{period, 1}
		}
	}
	digits := make([]digit, len(weights))
	above := from.Size()
	for k, weight := range weights {
		digits[k] = digit{i, weight, layout.CeilDiv(above, weight), loose && k == len(weights)-1}
		above = weight
	}
	return digits
}

// commonWeights returns the weights that the digits of either layout have, from the highest on,
// but those that no index of the axis reaches.
func commonWeights(from, to layout.Axis) []int64 {
	weights := []int64{1}
	for _, a := range [...]layout.Axis{from, to} {
		weight := int64(1)
		for k := a.Digits() - 1; k > 0; k-- {
			if weight *= a.Digit(k).Extent; weight < a.Size() {
				weights = append(weights, weight)
			}
		}
	}
	slices.Sort(weights)
	weights = slices.Compact(weights)
	slices.Reverse(weights)
	return weights
}

// chained reports whether each weight divides the one above.
func chained(weights []int64) bool {
	for k := 1; k < len(weights); k++ {
		if weights[k-1]%weights[k] != 0 {
			return false
		}
	}
	return true
}

// commonMultiple returns the least number that both blocks divide, or the size if that is less.
func commonMultiple(from, to layout.Axis) int64 {
	a, b := from.Block(), to.Block()
	common := layout.GCD(a, b)
	if a/common > from.Size()/b {
		return from.Size()
	}
	return a / common * b
}
