package facts

import (
	"slices"

	"layoutcalc/layout"
)

// Facts is what can be said of a layout without its element type. Offsets are in elements.
type Facts struct {
	Elements  int64
	Low, High int64 // the lowest and highest offset; 0 and -1 when there are no elements
	Span      int64 // High - Low + 1

	Distinct      int64 // how many offsets the elements occupy
	DistinctKnown bool

	Unique      Verdict  // no two elements share an offset
	Witness     *Witness // two that do; beyond broadcasting, if there are such
	Broadcast   []int    // axes of size above 1 that take no storage
	Overlapping Verdict  // elements share offsets not only because of broadcast axes
	Exhaustive  Verdict  // every offset of the span is occupied

	Contiguous   bool // as PyTorch judges it
	ChannelsLast bool // as PyTorch judges channels_last (rank 4) or channels_last_3d (rank 5)
}

// Packed reports whether the layout is unique and exhaustive.
func (f Facts) Packed() Verdict { return f.Unique.and(f.Exhaustive) }

// Padded reports whether an offset inside the span belongs to no element.
func (f Facts) Padded() Verdict { return f.Exhaustive.not() }

// Padding returns how many elements of the tensor's storage are not used, inside the span and after
// it; f are the facts of its layout. It reports false when that is not known.
func (f Facts) Padding(t layout.Tensor) (elements int64, ok bool) {
	if f.Elements == 0 {
		return 0, true
	}
	return t.End() - f.Low - f.Distinct, f.DistinctKnown
}

// Of returns the facts of the layout.
func Of(l layout.Layout) Facts { return Within(l, Thorough) }

// Within is Of with a limited effort.
func Within(l layout.Layout, e Effort) Facts {
	f := Facts{Elements: l.Elements(), Contiguous: Contiguous(l), ChannelsLast: ChannelsLast(l)}
	f.Low, f.High = l.Bounds()
	f.Span = f.High - f.Low + 1
	var buf [16]layout.Run
	runs, ragged := l.Runs(buf[:0])
	if f.Elements == 0 {
		runs = nil
	}
	layout.SortRuns(runs)
	f.judge(l, runs, ragged, e)
	return f
}

// judge fills in what depends on how the sorted runs interact.
func (f *Facts) judge(l layout.Layout, runs []layout.Run, ragged bool, e Effort) {
	core := layout.WithoutBroadcast(runs)
	copies := runs[:len(runs)-len(core)]
	diff, unique := collide(core, e)
	if unique == No && !ragged {
		f.Witness = witness(l, core, diff)
	}
	if unique == No && ragged {
		unique = f.judgeRagged(l, e)
	}
	f.Unique, f.Overlapping = unique, unique.not()
	if len(copies) > 0 {
		f.judgeBroadcast(l, copies)
	}
	switch {
	case ragged:
		f.countRagged(l, f.Overlapping.not(), e)
		f.Exhaustive = verdict(f.Distinct == f.Span)
		if !f.DistinctKnown {
			f.Exhaustive = Unknown
		}
	default:
		f.countDistinct(core, unique, layout.CountIndices(copies), e)
		f.Exhaustive = verdict(layout.Gapless(core, 1))
	}
}

// judgeBroadcast notes the axes of the runs of stride 0. One step along such a run is a witness
// that the layout is not unique, if there is none that says more.
func (f *Facts) judgeBroadcast(l layout.Layout, copies []layout.Run) {
	f.Unique = No
	last, partly := copies[0], layout.Run{}
	for _, d := range copies {
		switch {
		case !l.Axis(d.Axis).Broadcast():
			f.Overlapping, partly = Yes, d
		case !slices.Contains(f.Broadcast, d.Axis):
			f.Broadcast = append(f.Broadcast, d.Axis)
		}
		if d.Axis > last.Axis {
			last = d
		}
	}
	slices.Sort(f.Broadcast)
	if partly.Weight > 0 {
		last = partly
	}
	if f.Witness == nil {
		a, b := make([]int64, l.Rank()), make([]int64, l.Rank())
		b[last.Axis] = last.Weight
		f.Witness = &Witness{a, b, l.Base()}
	}
}

// A Verdict answers a question that may be too hard to decide.
type Verdict uint8

// The zero Verdict is Unknown.
const (
	Unknown Verdict = iota
	No
	Yes
)

// String returns yes, no or unknown.
func (v Verdict) String() string { return [...]string{"unknown", "no", "yes"}[v] }

// verdict is the Verdict of a decided question.
func verdict(yes bool) Verdict {
	if yes {
		return Yes
	}
	return No
}

// and is Yes when both are, and No when one is.
func (v Verdict) and(w Verdict) Verdict {
	switch {
	case v == No || w == No:
		return No
	case v == Yes && w == Yes:
		return Yes
	}
	return Unknown
}

// not turns Yes and No round.
func (v Verdict) not() Verdict { return [...]Verdict{Unknown, Yes, No}[v] }
