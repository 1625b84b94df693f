package analysis

import (
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
)

// A Shared is an element of each of two tensors in one storage, and the first byte that both elements occupy.
type Shared struct {
	A, B []int64 // indices
	Byte int64
}

// Overlap reports whether an element of a occupies bits of an element of b, if both tensors use the same storage. If
// so, it also returns two such elements: the first of a in row-major order with the first of b, unless the search for
// them takes too long or the swizzles differ. The verdict is Unknown if every search stops at its work limit.
//
// Offsets count units: the gcd of the widths of both types, so that an element is a run of units.
func Overlap(a, b layout.Tensor) (shared *Shared, overlaps Verdict, err error) {
	l, m := a.Layout(), b.Layout()
	if l.Empty() || m.Empty() {
		return nil, No, nil
	}
	for _, d := range []layout.DType{a.DType(), b.DType()} {
		if d.Bits() == 0 {
			return nil, Unknown, lexer.Refuse("add -t TYPE", "elements of type %s have no size", d)
		}
	}
	unit := layout.GCD(a.DType().Bits(), b.DType().Bits())
	widths := [2]int64{a.DType().Bits() / unit, b.DType().Bits() / unit}
	find := lookUpEach
	if swizzledAlike(l, m) && (widths[0] == widths[1] || !l.IsSwizzled()) {
		find = overlapOf // a swizzle maps equal offsets to equal offsets
	} else if l.Elements() > m.Elements() {
		if shared, overlaps, err = Overlap(b, a); shared != nil {
			shared.A, shared.B = shared.B, shared.A
		}
		return shared, overlaps, err
	}
	at, overlaps, err := find(l, m, widths)
	if overlaps != Yes {
		return nil, overlaps, err
	}
	shared = &Shared{A: at[:l.Rank():l.Rank()], B: at[len(at)-m.Rank():]}
	first, _ := a.BitOffset(offsetAt(l, shared.A))
	second, _ := b.BitOffset(offsetAt(m, shared.B))
	shared.Byte = max(first, second)
	return shared, overlaps, nil
}

// lookUpEach looks up each element of l in m, up to a limit, if elements have the given widths in units. It returns the
// index of an element of l, followed by the index of an element of m that overlaps it.
func lookUpEach(l, m layout.Layout, widths [2]int64) (at []int64, overlaps Verdict, err error) {
	overlaps = No
	inverse := NewInverse(m)
	looked := 0
	for index, offset := range l.All() {
		if looked++; looked > maxCount {
			return nil, Unknown, nil
		}
		first, err := layout.Mul(offset, widths[0])
		if err != nil {
			return nil, Unknown, layout.NameOverflow("an offset in bits", err)
		}
		last := first + widths[0] - 1
		for other := layout.FloorDiv(first, widths[1]); other <= layout.FloorDiv(last, widths[1]); other++ {
			found := inverse.At(other, 1)
			if found.Count > 0 {
				return slices.Concat(index, found.Indices[0]), Yes, nil
			}
			if !found.Exact {
				overlaps = Unknown
			}
		}
	}
	return nil, overlaps, nil
}

// overlapOf is like lookUpEach, but for layouts without swizzles, and searches digits. It counts the digits of m from
// their other ends, so that their offsets are added to the offsets of l: two units are at the same offset if the digits
// of both layouts have a certain sum.
func overlapOf(l, m layout.Layout, widths [2]int64) (at []int64, overlaps Verdict, err error) {
	x, err := inUnits(l, widths[0])
	if err != nil {
		return nil, Unknown, err
	}
	y, err := inUnits(m, widths[1])
	if err != nil {
		return nil, Unknown, err
	}
	p := pair{sizes: slices.Concat(x.Sizes(), y.Sizes())}
	low, _ := p.add(x, 0)
	first := len(p.runs)
	_, high := p.add(y, x.Rank())
	for i := range p.runs[first:] {
		p.runs[first+i].Reversed = !p.runs[first+i].Reversed
	}
	if err := p.aim(low, high); err != nil {
		return nil, Unknown, err
	}
	if at, overlaps = p.search(); overlaps == Yes {
		at = slices.Concat(at[:l.Rank()], at[x.Rank():x.Rank()+m.Rank()])
	}
	return at, overlaps, nil
}

// inUnits returns the layout of the units of elements of the given width, without swizzles. If elements have several
// units, the last axis counts them.
func inUnits(l layout.Layout, width int64) (layout.Layout, error) {
	if width == 1 {
		return l.Affine(), nil
	}
	base, err := layout.Mul(l.Base(), width)
	if err != nil {
		return l, layout.NameOverflow("an offset in bits", err)
	}
	var axes []layout.Axis
	for _, a := range l.Axes() {
		digits := a.DigitList()
		for i := range digits {
			if digits[i].Stride, err = layout.Mul(digits[i].Stride, width); err != nil {
				return l, layout.NameOverflow("a stride in bits", err)
			}
		}
		axes = append(axes, layout.NewAxis("", a.Size(), digits...))
	}
	return layout.New(base, append(axes, layout.NewAxis("", width, layout.Digit{Extent: width, Stride: 1}))...)
}

// A pair is the digits of two layouts, which must have a given sum.
type pair struct {
	runs   []layout.Run // by axis; the axes of the first layout come before the axes of the second
	sizes  []int64      // the sizes of all axes
	ragged bool
	sum    int64
}

// add adds the runs of a layout with axes that start at the given one, and returns the bounds of their offsets. It
// skips runs of stride 0, because their digits may stay 0.
func (p *pair) add(l layout.Layout, axis int) (low, high int64) {
	runs, ragged := l.Runs(nil)
	p.ragged = p.ragged || ragged
	low, high = l.Base(), l.Base()
	for _, r := range runs {
		r.Axis += axis
		switch {
		case r.Stride == 0:
			continue
		case r.Reversed:
			low -= r.Reach()
		default:
			high += r.Reach()
		}
		p.runs = append(p.runs, r)
	}
	return low, high
}

// aim sets the sum to the distance from low to high, unless the sum or the range of all digits overflows.
func (p *pair) aim(low, high int64) error {
	back, err := layout.Neg(low)
	if err == nil {
		p.sum, err = layout.Add(high, back)
	}
	reach := int64(0)
	for _, r := range p.runs {
		if err == nil {
			reach, err = layout.Add(reach, r.Reach())
		}
	}
	return layout.NameOverflow("the storage of both tensors", err)
}

// search searches digits with the sum: first in the order of the axes, which finds the first ones, and if that takes
// too long, by decreasing strides. It returns the index along all axes.
func (p *pair) search() (at []int64, overlaps Verdict) {
	slices.SortStableFunc(p.runs, layout.ByAxis)
	if at, overlaps = p.find(p.chains(false), maxProbes); overlaps != Unknown {
		return at, overlaps
	}
	layout.SortRuns(p.runs)
	chains := p.chains(!p.ragged)
	slices.Reverse(chains)
	return p.find(chains, maxNodes)
}

// chains returns the runs as chains of one run each. If joined is set, the runs must be sorted by their strides; then a
// run joins the previous chain if the offsets of both together have no gaps.
func (p *pair) chains(joined bool) []chain {
	var chains []chain
	for i, r := range p.runs {
		if last := len(chains) - 1; joined && last >= 0 && r.Stride%chains[last].Stride == 0 {
			if c := &chains[last]; r.Stride/c.Stride <= c.Extent {
				c.Extent += r.Reach() / c.Stride
				c.high++
				continue
			}
		}
		chains = append(chains, chain{r.Digit, i, i + 1})
	}
	return chains
}

// find searches values of the chains in their order.
func (p *pair) find(chains []chain, limit int64) (at []int64, overlaps Verdict) {
	runs := make([]layout.Run, len(chains))
	for i, c := range chains {
		runs[i] = layout.Run{Digit: c.Digit, Reversed: p.runs[c.low].Reversed}
	}
	s := newSums(runs, limit, func(values []int64) (more bool) {
		if index := p.index(chains, values); p.exists(index) {
			at = index
		}
		return at == nil
	})
	switch complete := s.search(p.sum); {
	case at != nil:
		return at, Yes
	case !complete:
		return nil, Unknown
	}
	return nil, No
}

// index returns the index that gives the chains these values. The outer runs of a chain take as much of the value as
// they can, and the inner ones the rest.
func (p *pair) index(chains []chain, values []int64) []int64 {
	at := make([]int64, len(p.sizes))
	for i, c := range chains {
		left := values[i]
		for _, r := range slices.Backward(p.runs[c.low:c.high]) {
			steps := r.Stride / c.Stride
			value := min(left/steps, r.Extent-1)
			left -= value * steps
			if r.Reversed {
				value = r.Extent - 1 - value
			}
			at[r.Axis] += value * r.Weight
		}
	}
	return at
}

// exists reports whether the index is inside all axes.
func (p *pair) exists(at []int64) bool {
	for i, v := range at {
		if v >= p.sizes[i] {
			return false
		}
	}
	return true
}
