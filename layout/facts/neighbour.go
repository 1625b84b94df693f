package facts

// maxSteps is how far a neighbour is looked for offset by offset in a ragged layout.
const maxSteps = 4096

// Before returns the highest offset of an element below the given one. It reports false when
// there is none, or none is found within the work limit.
func (inv *Inverse) Before(offset int64) (int64, bool) {
	low, high := inv.layout.Bounds()
	if offset <= low || inv.layout.Empty() {
		return 0, false
	}
	offset = min(offset-1, high)
	if inv.ragged {
		return inv.step(offset, -1)
	}
	f := floor{inv: inv, best: -1}
	f.from(0, 0, offset-low)
	return low + f.best, f.probes <= maxProbes
}

// After returns the lowest offset of an element above the given one, as Before does below it.
// The offsets of full digits are the same seen from the other end.
func (inv *Inverse) After(offset int64) (int64, bool) {
	low, high := inv.layout.Bounds()
	if offset >= high || inv.layout.Empty() {
		return 0, false
	}
	offset = max(offset+1, low)
	if inv.ragged {
		return inv.step(offset, 1)
	}
	f := floor{inv: inv, best: -1}
	f.from(0, 0, high-offset)
	return high - f.best, f.probes <= maxProbes
}

// step goes from offset to offset until an element is there.
func (inv *Inverse) step(offset, by int64) (int64, bool) {
	for range maxSteps {
		if inv.At(offset, 0).Count > 0 {
			return offset, true
		}
		offset += by
	}
	return 0, false
}

// A floor looks for the highest sum of run values that is at most a limit.
type floor struct {
	inv    *Inverse
	best   int64
	probes int
}

// from tries the values of the runs from i on on top of sum, the highest first, as long as a better
// sum is possible.
func (f *floor) from(i int, sum, limit int64) {
	sums := f.inv.sums
	if i == len(sums.runs) {
		f.best = max(f.best, sum)
		return
	}
	r := sums.runs[i]
	for v := min(r.Extent-1, (limit-sum)/r.Stride); v >= 0; v-- {
		most := sum + v*r.Stride + sums.reach[i+1]
		if min(most, limit) <= f.best || f.probes > maxProbes {
			return
		}
		f.probes++
		f.from(i+1, sum+v*r.Stride, limit)
	}
}
