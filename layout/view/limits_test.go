package view

import (
	"strings"
	"testing"

	"layoutcalc/layout"
)

// TestSliceItems has the most items of a slice, as many as there can be axes and new ones beside each, and one more.
func TestSliceItems(t *testing.T) {
	for _, n := range []int{2*layout.MaxRank + 1, 2*layout.MaxRank + 2} {
		_, err := ParseSteps("[" + strings.TrimSuffix(strings.Repeat("None,", n), ",") + "]")
		if many := err != nil && strings.Contains(err.Error(), "more items"); many != (n > 2*layout.MaxRank+1) {
			t.Errorf("%d items: %v", n, err)
		}
	}
}
