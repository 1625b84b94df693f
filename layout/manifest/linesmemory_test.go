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

// TestCountedLinesTakeNoMemory counts unreported findings in lines that violate three rules each.
func TestCountedLinesTakeNoMemory(t *testing.T) {
	const wrong = `{"name":"x","DataType":"FLOAT32","Sizes":[1,3,4,5],"Strides":[60,20,5,1],` +
		`"TotalTensorSizeInBytes":6,"GuaranteedBaseOffsetAlignment":3}` + "\n"
	w := newLineWorker(Lines{Judge: rules.Judge})
	w.check(&chunk{data: []byte(wrong)})
	if n := w.found.Count[finding.Error]; n < 3 {
		t.Fatalf("%d errors in a line", n)
	}
	w.found.Quiet(finding.Error + 1)
	text := []byte(strings.Repeat(wrong, 100))
	least := math.Inf(1)
	for range 5 {
		least = min(least, testing.AllocsPerRun(10, func() { w.check(&chunk{data: text}) }))
	}
	if least > 1 {
		t.Errorf("%v allocations for 100 lines", least)
	}
}
