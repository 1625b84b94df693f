package draw

import (
	"math"
	"slices"
	"strconv"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
)

// A plan chooses the parts of tensors that a picture has room for.
type plan struct {
	options    *Options
	subjects   []*subject
	stores     []*store
	pair       bool                 // the subjects are two tensors of the same elements
	difference *analysis.Difference // the difference in a comparison; may be nil
	around     []int64              // an index that a corner has; nil for the first one
}

// A subject is a tensor to draw.
type subject struct {
	tensor      layout.Tensor
	name, title string    // without strides, and with them
	store       int       // the number of the storage of its offsets
	from, to    []int64   // the requested indices along each axis
	row, column int       // the axes of the grids; may be -1
	drawn       [][]int64 // the drawn indices along each axis; -1 is a gap
	facts       analysis.Facts
	labels      []int // the axes in the labels of indices
	marks       []mark
}

// A store is a storage to draw.
type store struct {
	owner    *subject // the first tensor in it
	last     *subject // the last tensor in it
	perLine  int64
	from, to int64   // offsets, to not included
	lines    []int64 // the starts of the drawn lines; nil for all
	finder   *analysis.Finder
	colors   coloring
}

// A detail is the part of each axis to draw.
type detail struct {
	ends  int  // the number of indices at either end; 0 for all
	first bool // axes outside of grids have the first index alone
}

// details are tried in order, from the most to the least.
var details = [...]detail{
	{}, {8, false}, {4, false}, {2, false}, {1, false}, {8, true}, {4, true}, {2, true}, {1, true},
}

// newPlan returns the plan for tensors with a storage each.
func newPlan(o *Options, tensors ...layout.Tensor) *plan {
	p := &plan{options: o}
	for i, t := range tensors {
		axes := labelAxes(t.Layout())
		p.subjects = append(p.subjects, &subject{tensor: t, store: i, facts: analysis.Of(t.Layout()), labels: axes})
	}
	return p
}

// picture draws as much as fits. If no number of cells is requested, it must fit on a screen.
func (p *plan) picture(caption render.Caption) (*Picture, error) {
	screen := p.options.Cells == 0
	if screen {
		p.options.Cells = screenCells
	}
	for i, s := range p.subjects {
		s.name, s.title = caption.Tensors[i], caption.Tensors[i]
		strides := render.StridesTitle(s.tensor.Layout())
		switch {
		case strides == "":
		case len(p.subjects) == 1:
			caption.Title += " · " + strides
		default:
			s.title += " · " + strides
		}
		if err := s.request(p.options, i == 0); err != nil {
			return nil, err
		}
	}
	if err := p.openStores(); err != nil {
		return nil, err
	}
	for _, s := range p.subjects {
		s.marks = p.marks(s)
	}
	if screen {
		return p.screen(caption)
	}
	for i, d := range details {
		if p.fits(d, i == len(details)-1) {
			break
		}
	}
	return p.draw(caption)
}

// request sets the axes of rows and columns, and the requested indices. A request must fit the first tensor, which is
// strict; other tensors follow as far as they have the axes.
func (s *subject) request(o *Options, strict bool) error {
	l := s.tensor.Layout()
	s.row, s.column = -1, -1
	s.from, s.to = make([]int64, l.Rank()), l.Sizes()
	for _, r := range o.Slice {
		axis, from, to, err := r.Of("--slice", l)
		switch {
		case err == nil:
			s.from[axis], s.to[axis] = from, to
		case strict:
			return err
		}
	}
	for i := l.Rank() - 1; i >= 0 && s.row < 0; i-- {
		switch {
		case l.Axis(i).Size() <= 1:
		case s.column < 0:
			s.column = i
		default:
			s.row = i
		}
	}
	return nil
}

// openStores finds the storages and their requested offsets. A part that starts inside a line is extended to the start
// of the line, unless that has offsets below 0.
func (p *plan) openStores() error {
	for _, s := range p.subjects {
		if s.store == len(p.stores) {
			perLine, err := p.perLine(s)
			if err != nil {
				return err
			}
			p.stores = append(p.stores, &store{owner: s, perLine: perLine, from: math.MaxInt64, to: math.MinInt64})
			p.stores[s.store].finder = p.newFinder(s.tensor.Layout())
		}
		st := p.stores[s.store]
		if st.last, st.to = s, max(st.to, s.tensor.End()); !s.tensor.Layout().Empty() {
			low, _ := s.tensor.Layout().Bounds()
			st.from = min(st.from, low)
		}
	}
	for _, st := range p.stores {
		switch {
		case st.from == math.MaxInt64: // no elements
			st.from = 0
		case st.from > 0:
			st.from -= mod(st.from, st.perLine)
		}
		if p.options.From != nil {
			st.from = *p.options.From
		}
		if p.options.To != nil {
			st.to = *p.options.To
		}
		st.to = max(st.from, st.to)
	}
	return nil
}

// perLine returns the number of elements in a line of memory: the number for --line, or otherwise the number that fits
// in DefaultLine bytes with room for the text of each cell.
func (p *plan) perLine(s *subject) (int64, error) {
	bits := s.tensor.DType().Bits()
	line := p.options.Line
	switch {
	case bits == 0 && line != 0:
		return 0, lexer.Refuse("such as -t float32", "--line counts bytes, and how many an element has is unknown")
	case bits == 0:
		bits = 32
	}
	if line == 0 {
		n := int64(1)
		for room := p.stripRoom(s); 2*n*bits <= DefaultLine*8 && (2*n <= room || n*bits%8 != 0); {
			n *= 2
		}
		return n, nil
	}
	if line > math.MaxInt64/8 || line*8%bits != 0 {
		return 0, lexer.Refuse("such as --line 64", "--line: %s do not hold whole elements of %s",
			wording.Count(line, "byte"), wording.Count(bits, "bit"))
	}
	return line * 8 / bits, nil
}

// stripRoom returns the number of cells with text that a line of a strip has room for.
func (p *plan) stripRoom(s *subject) int64 {
	l, offsets, bytes, characters := s.tensor.Layout(), len("offset"), len("byte"), 1
	low, high := l.Bounds()
	bounds := []int64{low, high, s.tensor.End()}
	for _, bound := range [...]*int64{p.options.From, p.options.To} {
		if bound != nil {
			bounds = append(bounds, *bound)
		}
	}
	for _, n := range bounds {
		offsets = max(offsets, len(strconv.FormatInt(n, 10)))
		bytes = max(bytes, len(render.ByteText(s.tensor, n)))
	}
	if last := l.Sizes(); !l.Empty() {
		for i := range last {
			last[i]--
		}
		characters = len(indexText(last, s.labels))
		if p.valued() {
			characters = render.Columns(render.Clean(p.options.Labels.Label(l, last)))
		}
	}
	if p.valued() {
		for _, value := range p.options.Labels.Values {
			characters = max(characters, render.Columns(value))
		}
	}
	return int64((pageWidth - stripHead(offsets, bytes)) / cellWidth(characters))
}

// mod returns the remainder of layout.FloorDiv.
func mod(n, m int64) int64 { return n - layout.FloorDiv(n, m)*m }

// work is the maximum number of digit values that all look-ups of a picture try together. In a small tensor they may
// try all.
const (
	work  = 1 << 21
	small = 1 << 16
)

// probes returns the maximum number of values that one look-up in a layout tries.
func (p *plan) probes(l layout.Layout) int64 {
	n := work / int64(p.options.Cells)
	if elements := l.Elements(); elements <= small {
		n = max(n, 2*elements)
	}
	return n
}

// newFinder returns a finder of first indices in a layout, with limited work.
func (p *plan) newFinder(l layout.Layout) *analysis.Finder {
	f := analysis.NewFinder(l)
	f.Limit(p.probes(l))
	return f
}

// maxColumns is the maximum number of columns in a grid.
const maxColumns = 150

// maxPerLine is the maximum number of drawn cells in a line of memory.
const maxPerLine = 64

// fits chooses the elements and lines to draw with a detail, and reports whether there is room for them. Storages are
// drawn whole if there is room, and otherwise only the lines with elements of the grids. With the least detail it
// chooses the lines that fit.
func (p *plan) fits(d detail, least bool) bool {
	room := int64(p.options.Cells)
	for _, s := range p.subjects {
		limit := room
		if least {
			limit = math.MaxInt64
		}
		if room -= s.choose(d, limit); (room < 0 || d.ends > 1 && !s.readable(p.options)) && !least {
			return false
		}
	}
	whole, left := room >= 0, uint64(max(room, 0))
	for _, st := range p.stores {
		st.lines = nil
		n := uint64(st.to) - uint64(st.from)
		whole = whole && n <= left
		left -= min(n, left)
	}
	if whole {
		return true
	}
	for _, st := range p.stores {
		st.lines = []int64{}
	}
	for _, s := range p.subjects {
		p.addLines(s)
	}
	for _, st := range p.stores {
		slices.Sort(st.lines)
		st.lines = slices.Compact(st.lines)
		for k, first := range st.lines {
			n := min(st.length(first), maxPerLine+1)
			if n > room && !least {
				return false
			}
			if n > room {
				st.lines = st.lines[:k]
				break
			}
			room -= n
		}
	}
	return true
}

// choose chooses the indices along each axis, and returns the number of elements. If that exceeds the limit, some axes
// may have no indices.
func (s *subject) choose(d detail, limit int64) (n int64) {
	s.drawn, n = make([][]int64, len(s.from)), 1
	for i, from := range s.from {
		size, ends, inGrid := s.to[i]-from, int64(d.ends), i == s.row || i == s.column
		switch {
		case d.first && !inGrid:
			size = min(size, 1)
		case i == s.column && size > maxColumns && ends == 0:
			ends = int64(details[1].ends)
		}
		count := size
		if ends > 0 {
			count = min(size, 2*ends)
		}
		if count > 0 && n > limit/count {
			return limit + 1
		}
		n *= count
		for k := range count {
			switch {
			case k < ends || count == size:
				s.drawn[i] = append(s.drawn[i], from+k)
			case k == ends && inGrid:
				s.drawn[i] = append(s.drawn[i], -1, from+size-count+k)
			default:
				s.drawn[i] = append(s.drawn[i], from+size-count+k)
			}
		}
	}
	return n
}

// readable reports whether the columns have room for their content, if it is numbers.
func (s *subject) readable(o *Options) bool {
	if s.column < 0 || o.Show == Values {
		return true
	}
	characters := 0
	if low, high := s.tensor.Layout().Bounds(); o.Show == Offsets {
		characters = max(len(strconv.FormatInt(low, 10)), len(strconv.FormatInt(high, 10)))
	}
	if o.Show == Indices {
		characters = len(indexText(s.to, s.labels))
	}
	return len(s.drawn[s.column])*cellWidth(characters) <= pageWidth
}

// elements yields the indices of the drawn elements in row-major order, in one slice.
func (s *subject) elements(yield func(index []int64) bool) {
	at, index := make([]int, len(s.drawn)), make([]int64, len(s.drawn))
	for {
		gap := false
		for i, list := range s.drawn {
			if len(list) == 0 {
				return
			}
			index[i] = list[at[i]]
			gap = gap || index[i] < 0
		}
		if !gap && !yield(index) {
			return
		}
		i := len(at) - 1
		for ; i >= 0 && at[i] == len(s.drawn[i])-1; i-- {
			at[i] = 0
		}
		if i < 0 {
			return
		}
		at[i]++
	}
}

// addLines adds the lines of the storage with drawn or marked elements.
func (p *plan) addLines(s *subject) {
	st := p.stores[s.store]
	add := func(offset int64) {
		if st.from <= offset && offset < st.to {
			first := st.from
			if lead := mod(offset, st.perLine); uint64(lead) < uint64(offset)-uint64(st.from) {
				first = offset - lead
			}
			st.lines = append(st.lines, first)
		}
	}
	for index := range s.elements {
		offset, _ := s.tensor.Layout().Offset(index)
		add(offset)
	}
	for _, m := range s.marks {
		add(m.offset)
	}
}

// length returns the number of elements in the line, starting at the offset first.
func (st *store) length(first int64) int64 {
	return int64(min(uint64(st.perLine-mod(first, st.perLine)), uint64(st.to)-uint64(first)))
}

// A mark is an element to outline, or an offset.
type mark struct {
	index  []int64 // nil for all elements at the offset
	offset int64
	number int // the number of the outline, starting at 1
}

// marks returns the outlines: the requested ones, the first difference, or two overlapping elements.
func (p *plan) marks(s *subject) (marks []mark) {
	for _, offset := range p.options.MarkAt {
		marks = append(marks, mark{nil, offset, len(marks) + 1})
	}
	for i, index := range p.options.Mark {
		offset, _ := s.tensor.Layout().Offset(index)
		marks = append(marks, mark{index, offset, len(p.options.MarkAt) + 1 + i/max(p.options.Vector, 1)})
	}
	switch d, w := p.difference, s.facts.Witness; {
	case marks != nil:
	case d != nil:
		return []mark{{d.Index, [...]int64{d.A, d.B}[s.store], 1}}
	case w != nil && s.facts.Overlapping == analysis.Yes:
		return []mark{{w.A, w.Offset, 1}, {w.B, w.Offset, 2}}
	}
	return marks
}

// outlines reports whether the mark is around an element.
func (m mark) outlines(index []int64, offset int64) bool {
	return m.offset == offset && (m.index == nil || slices.Equal(m.index, index))
}
