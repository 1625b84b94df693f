package layout_test

import (
	"slices"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
)

// TestQuickFacts has hard layouts that DirectML would take: at most 2^32 elements, of which the
// last lies below 2^32. Their answers are known by brute force. A quick look has to do, for a run
// of CI checks many of them.
func TestQuickFacts(t *testing.T) {
	tests := []struct {
		size    int64
		strides []int64
		unique  facts.Verdict
		reason  string
	}{
		{2, []int64{25067, 49300, 49717, 62124, 87608, 88025, 113673, 119169}, facts.No, "a hard knapsack"},
		{3, []int64{25067, 49300, 49717, 62124, 87608, 88025, 113673, 119169}, facts.No, "of three values each"},
		{4, []int64{961168, 782554, 661913, 514002, 439563, 258176, 175954, 150631}, facts.Yes, "65,536 elements"},
		{4, []int64{9513358, 8275367, 7135241, 4602037, 2579240, 2441955, 1973060, 1629072}, facts.Yes, "larger strides"},
		{6, []int64{85893910, 83960310, 66978001, 66126116, 42301241, 22175294, 19375836, 17933677}, facts.Yes, "1,679,616 elements"},
		{16, []int64{8031986, 6175466, 5858837, 4032085, 3420198, 2976225}, facts.No, "a single primitive difference"},
		{1049, []int64{36674, 61119, 85569}, facts.No, "NumPy's hard instance"},
	}
	for _, tt := range tests {
		l, err := layout.Strided(0, slices.Repeat([]int64{tt.size}, len(tt.strides)), tt.strides)
		if err != nil {
			t.Fatal(err)
		}
		f := facts.Within(l, facts.Quick)
		if f.Unique != tt.unique {
			t.Errorf("%d^%d %v: unique %v, want %v: %s", tt.size, len(tt.strides), tt.strides, f.Unique, tt.unique, tt.reason)
		}
		if w := f.Witness; w != nil {
			a, errA := l.Offset(w.A)
			b, errB := l.Offset(w.B)
			if errA != nil || errB != nil || a != b || slices.Equal(w.A, w.B) {
				t.Errorf("%v: %v and %v are at %d and %d", tt.strides, w.A, w.B, a, b)
			}
		}
	}
}
