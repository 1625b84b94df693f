//go:build !race

package manifest

import (
	"math"
	"strings"
	"testing"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/rules"
)

// The race detector allocates where nothing else does. What a test before this one has left behind
// may do so too, so the least of a few counts is taken.
func TestLinesTakeNoMemory(t *testing.T) {
	w := newLineWorker(Lines{Judge: rules.Judge, Options: finding.Options{Shown: finding.Warning}})
	w.check(&chunk{data: []byte(theLine)})
	text := []byte(strings.Repeat(theLine, 100))
	least := math.Inf(1)
	for range 5 {
		least = min(least, testing.AllocsPerRun(10, func() { w.check(&chunk{data: text}) }))
	}
	if least > 1 {
		t.Errorf("%v allocations for 100 lines", least)
	}
}
