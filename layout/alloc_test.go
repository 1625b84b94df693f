package layout_test

import (
	"testing"

	"layoutcalc/layout/facts"
)

// TestAllocations: facts and look-ups of plain layouts allocate nothing but what they return.
func TestAllocations(t *testing.T) {
	tests := []struct {
		line             string
		facts            float64
		offset           int64
		inverse, offsets float64
		reason           string
	}{
		{"8x3x224x224 NHWC", 0, 1234567, 2, 0, "an index and the list of it"},
		{"8x3x224x224 --align H=256", 0, 250, 0, 0, "padding: nothing to return"},
		{"8x3x224x224 --strides 150528,1,-672,3", 0, 3, 2, 0, "flipped"},
		{"8x3x224x224 --broadcast N", 4, 3, 2, 0, "the list of broadcast axes, the witness and its two indices"},
	}
	for _, tt := range tests {
		l := tensor(t, tt.line).Layout()
		inverse, index := facts.NewInverse(l), []int64{7, 2, 100, 200}
		for what, c := range map[string]struct {
			want float64
			run  func()
		}{
			"Facts":  {tt.facts, func() { facts.Of(l) }},
			"At":     {tt.inverse, func() { inverse.At(tt.offset, 1) }},
			"Offset": {tt.offsets, func() { _, _ = l.Offset(index) }},
		} {
			if got := testing.AllocsPerRun(100, c.run); got > c.want {
				t.Errorf("%s: %s allocates %v times, want %v; %s", tt.line, what, got, c.want, tt.reason)
			}
		}
	}
}
