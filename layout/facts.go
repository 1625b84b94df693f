package layout

import "slices"

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

// Facts returns the facts of the layout.
func (l Layout) Facts() Facts { return l.FactsWithin(Thorough) }

// FactsWithin is Facts with so much effort.
func (l Layout) FactsWithin(e Effort) Facts {
	f := Facts{Elements: l.Elements(), Contiguous: l.Contiguous(), ChannelsLast: l.ChannelsLast()}
	f.Low, f.High = l.Bounds()
	f.Span = f.High - f.Low + 1
	var buf [16]Run
	runs, ragged := l.Runs(buf[:0])
	if f.Elements == 0 {
		runs = nil
	}
	SortRuns(runs)
	f.judge(l, runs, ragged, e)
	return f
}

// judge fills in what depends on how the sorted runs interact.
func (f *Facts) judge(l Layout, runs []Run, ragged bool, e Effort) {
	core := WithoutBroadcast(runs)
	copies := runs[:len(runs)-len(core)]
	diff, unique := collide(core, e)
	if unique == No && !ragged {
		f.Witness = l.witness(core, diff)
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
		f.countDistinct(core, unique, CountIndices(copies), e)
		f.Exhaustive = verdict(Gapless(core, 1))
	}
}

// judgeBroadcast notes the axes of the runs of stride 0. One step along such a run is a witness
// that the layout is not unique, if there is none that says more.
func (f *Facts) judgeBroadcast(l Layout, copies []Run) {
	f.Unique = No
	last, partly := copies[0], Run{}
	for _, d := range copies {
		switch {
		case !l.axes[d.Axis].Broadcast():
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
		a, b := make([]int64, len(l.axes)), make([]int64, len(l.axes))
		b[last.Axis] = last.Weight
		f.Witness = &Witness{a, b, l.base}
	}
}
