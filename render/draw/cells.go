package draw

import (
	"math"
	"slices"
	"strconv"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/lexer"
	"layoutcalc/render"
)

// tints is the number of colours of cells.
const tints = 8

// bankBits is the bits of the four banks of one colour.
const bankBits = 4 * 32

// A coloring gives the elements of a storage their colours. Tensors that share the storage share the colours; a vector
// has one, and so have all indices along an axis that takes no storage.
type coloring struct {
	by      ColorBy
	axis    int
	one     bool // all elements have one colour
	perLine int64
	blocks  []int64 // the indices of a block along each axis
}

// tint returns the colour of the element at an index.
func (c *coloring) tint(index []int64, offset int64) int8 {
	switch {
	case c.one:
		return 0
	case c.by == ByLine:
		return int8(mod(layout.FloorDiv(offset, c.perLine), tints))
	case index == nil || c.by == ByNone || c.by == ByAxis && c.axis < 0:
		return -1
	case c.by == ByAxis:
		return int8(index[c.axis] % tints)
	}
	n := int64(0) // neighbours along any axis have different colours
	for i, v := range index {
		n += v / c.blocks[i] % tints * int64(2*i+1)
	}
	return int8(n % tints)
}

// coloring returns the colours of a storage.
func (p *plan) coloring(st *store) (coloring, error) {
	l, o := st.owner.tensor.Layout(), p.options
	c := coloring{by: o.ColorBy, axis: -1, perLine: st.perLine}
	switch {
	case o.ColorBy == ByBlock:
		blocked := slices.IndexFunc(p.subjects, func(s *subject) bool {
			_, ok := blocks(s.tensor.Layout(), 1)
			return ok && s.tensor.Layout().Rank() == l.Rank()
		})
		if blocked < 0 && st != p.stores[0] {
			return coloring{by: ByNone}, nil
		}
		if blocked < 0 {
			return c, lexer.Refuse("such as --color-by line", "--color-by block: the layout has no blocks")
		}
		c.blocks, _ = blocks(p.subjects[blocked].tensor.Layout(), 1)
		for i := range min(len(c.blocks), l.Rank()) {
			if l.Axis(i).Broadcast() {
				c.blocks[i] = math.MaxInt64
			}
		}
	case o.ColorBy == ByBank:
		return coloring{by: ByLine, axis: -1, perLine: max(bankBits/max(st.owner.tensor.DType().Bits(), 1), 1)}, nil
	case o.ColorBy == ByAxis && o.Axis != nil:
		axis, err := o.Axis.Find("--color-by", l.AxisNames())
		switch {
		case err == nil:
			c.axis, c.one = axis, l.Axis(axis).Broadcast()
		case st == p.stores[0]:
			return c, err
		}
	case o.ColorBy == ByAxis:
		for i := l.Rank() - 1; i >= 0 && st.owner.row >= 0; i-- {
			if len(st.owner.drawn[i]) > 1 && !l.Axis(i).Broadcast() {
				c.axis = i
			}
		}
		c.one = c.axis < 0
	}
	return c, nil
}

// blocks returns the number of indices of a block along each axis, 1 for axes without blocks; ok is false if no axis is
// in blocks. Blocks of level 1 have the innermost digit of each axis, and blocks of level 2 the next digit too.
func blocks(l layout.Layout, level int) (sizes []int64, ok bool) {
	sizes = make([]int64, l.Rank())
	for i := range sizes {
		a := l.Axis(i)
		sizes[i] = 1
		for k := a.Digits() - 1; k > 0 && k >= a.Digits()-level; k-- {
			sizes[i] *= a.Digit(k).Extent
			ok = ok || k == a.Digits()-level && sizes[i] > 1
		}
	}
	return sizes, ok
}

// draw makes the picture of the chosen elements and lines.
func (p *plan) draw(caption render.Caption) (*Picture, error) {
	o := p.options
	for _, note := range o.Notes {
		caption.Lines = append(caption.Lines, "note: "+render.Clean(note))
	}
	pic := &Picture{Caption: caption, Command: o.Command, Pair: p.pair, Show: o.Show, Theme: o.Theme}
	for _, st := range p.stores {
		var err error
		if st.colors, err = p.coloring(st); err != nil {
			return nil, err
		}
	}
	for _, s := range p.subjects {
		pic.Panels = append(pic.Panels, p.panel(s))
	}
	for i, st := range p.stores {
		pic.Strips = append(pic.Strips, p.strip(st))
		if len(p.stores) > 1 {
			pic.Strips[i].Title = st.owner.name
		}
	}
	return pic, nil
}

// panel makes the grids of a tensor.
func (p *plan) panel(s *subject) Panel {
	l, st := s.tensor.Layout(), p.stores[s.store]
	panel := Panel{
		Title: s.title, Tensor: s.tensor, Strip: s.store, Of: 1, Shared: len(s.facts.Broadcast) > 0,
		Own: st.owner == s, color: st.colors,
	}
	rows, columns := []int64{0}, []int64{0}
	outer := *s
	outer.drawn = slices.Clone(s.drawn)
	for i := range s.drawn {
		n := s.to[i] - s.from[i]
		panel.Of *= n
		switch {
		case i == s.row:
			rows, outer.drawn[i] = s.drawn[i], []int64{0}
		case i == s.column:
			columns, outer.drawn[i] = s.drawn[i], []int64{0}
		case n > 1 && len(s.drawn[i]) == 1:
			panel.First = append(panel.First, i)
		}
	}
	for index := range outer.elements {
		g := Grid{Outer: slices.Clone(index), Row: s.row, Column: s.column, Rows: rows, Columns: columns}
		for _, row := range rows {
			cells := make([]Cell, len(columns))
			for k, column := range columns {
				if row < 0 || column < 0 {
					cells[k].Kind = Gap
					continue
				}
				at := slices.Clone(index)
				if s.row >= 0 {
					at[s.row] = row
				}
				if s.column >= 0 {
					at[s.column] = column
				}
				cells[k] = p.element(s, at)
				panel.Shown++
			}
			g.Cells = append(g.Cells, cells)
		}
		g.box(l)
		panel.Grids = append(panel.Grids, g)
	}
	return panel
}

// element makes the cell of an element in a grid.
func (p *plan) element(s *subject, index []int64) Cell {
	offset, _ := s.tensor.Layout().Offset(index)
	c := Cell{Index: index, Offset: offset}
	st := p.stores[s.store]
	own := index // the index of the element in the tensor of the storage
	if s != st.owner {
		own, _ = st.finder.First(offset)
	}
	c.Tint = st.colors.tint(own, offset)
	switch {
	case p.options.Show == Indices:
		c.Text = indexText(index, s.labels)
	case p.options.Show == Values && own != nil:
		c.Text = p.label(st, own)
	case p.options.Show == Offsets:
		c.Text = strconv.FormatInt(offset, 10)
	}
	for _, m := range s.marks {
		if m.outlines(index, offset) {
			c.Mark = m.number
		}
	}
	c.Faded = p.equal(index)
	return c
}

// label returns the value of an element of the storage's own tensor. The two tensors of a comparison or a conversion
// both have the values of the first.
func (p *plan) label(st *store, index []int64) string {
	of := st.owner.tensor.Layout()
	if first := p.subjects[0].tensor.Layout(); first.Rank() == of.Rank() && slices.Equal(first.Sizes(), of.Sizes()) {
		of = first
	}
	return render.Clean(p.options.Labels.Label(of, index))
}

// valued reports whether the cells of storages have values.
func (p *plan) valued() bool { return p.options.Labels.Values != nil || p.options.Show == Values }

// equal reports whether an element has the same offset in both tensors of a comparison with a difference.
func (p *plan) equal(index []int64) bool {
	if p.difference == nil {
		return false
	}
	a, errA := p.subjects[0].tensor.Layout().Offset(index)
	b, errB := p.subjects[1].tensor.Layout().Offset(index)
	return errA == nil && errB == nil && a == b
}

// box outlines the blocks with more than one cell of the grid.
func (g *Grid) box(l layout.Layout) {
	for level := 1; level <= 2; level++ {
		sizes, ok := blocks(l, level)
		height, width := int64(1), int64(1)
		if g.Row >= 0 {
			height = sizes[g.Row]
		}
		if g.Column >= 0 {
			width = sizes[g.Column]
		}
		if !ok || height*width == 1 {
			continue
		}
		for _, r := range groups(g.Rows, height) {
			for _, c := range groups(g.Columns, width) {
				g.Boxes = append(g.Boxes, Box{level, r[0], c[0], r[1], c[1]})
			}
		}
	}
}

// groups returns the starts and ends of blocks in a list of indices.
func groups(list []int64, size int64) (bounds [][2]int) {
	for i, v := range list {
		switch last := len(bounds) - 1; {
		case v < 0:
		case last >= 0 && bounds[last][1] == i && list[i-1]/size == v/size:
			bounds[last][1]++
		default:
			bounds = append(bounds, [2]int{i, i + 1})
		}
	}
	return bounds
}

// strip makes the lines of a storage.
func (p *plan) strip(st *store) Strip {
	s := Strip{Tensor: st.owner.tensor, PerLine: st.perLine, Indices: !p.valued()}
	if f := st.owner.facts; f.Elements > 0 {
		if unused, ok := f.Padding(s.Tensor); ok {
			s.Holes = Holes{unused, s.Tensor.End() - f.Low, s.Tensor.End() - 1 - f.High}
		}
	}
	if st.from < st.to {
		s.Count = uint64(layout.FloorDiv(st.to-1, st.perLine)) - uint64(layout.FloorDiv(st.from, st.perLine)) + 1
	}
	d := newStripDrawer(p, st)
	if st.lines == nil {
		for first := st.from; first < st.to; first += st.length(first) {
			s.Lines = append(s.Lines, d.line(first))
		}
		return s
	}
	next := uint64(0)
	for _, first := range st.lines {
		number := uint64(layout.FloorDiv(first, st.perLine)) - uint64(layout.FloorDiv(st.from, st.perLine))
		if number > next {
			s.Lines = append(s.Lines, Line{Skipped: number - next})
		}
		s.Lines = append(s.Lines, d.line(first))
		next = number + 1
	}
	if next < s.Count {
		s.Lines = append(s.Lines, Line{Skipped: s.Count - next})
	}
	return s
}

// A stripDrawer makes the cells of a storage.
type stripDrawer struct {
	*plan
	*store
	inside  *analysis.Finder  // finds elements in the last view of the storage; nil if that is the owner
	inverse *analysis.Inverse // nil if no two elements share an offset
	filled  *analysis.Finder  // finds elements in the tensor with all its blocks full; nil without blocks
	levels  [2][]int64        // the sizes of blocks
	marked  map[int64]int     // the numbers of the outlines around offsets
}

func newStripDrawer(p *plan, st *store) *stripDrawer {
	d := &stripDrawer{plan: p, store: st, marked: map[int64]int{}}
	l := st.owner.tensor.Layout()
	if st.last != st.owner {
		d.inside = p.newFinder(st.last.tensor.Layout())
	}
	if st.owner.facts.Unique != analysis.Yes {
		d.inverse = analysis.NewInverse(l)
		d.inverse.Limit(p.probes(l))
	}
	for i := range d.levels {
		if sizes, ok := blocks(l, i+1); ok {
			d.levels[i] = sizes
		}
	}
	if d.levels[0] != nil || d.levels[1] != nil {
		d.filled = p.newFinder(filled(l))
	}
	for _, s := range p.subjects {
		if p.stores[s.store] == st {
			for _, m := range s.marks {
				d.marked[m.offset] = m.number
			}
		}
	}
	return d
}

// filled returns the layout with all its blocks full, or the layout itself if that would have too many elements.
func filled(l layout.Layout) layout.Layout {
	axes := make([]layout.Axis, l.Rank())
	for i := range axes {
		a := l.Axis(i)
		axes[i] = layout.NewAxis(a.Name(), a.Filled(), a.DigitList()...)
	}
	if full, err := l.Remade(l.Base(), axes...); err == nil {
		return full
	}
	return l
}

// line makes the line that starts at an offset.
func (d *stripDrawer) line(first int64) (line Line) {
	n := d.length(first)
	for k := int64(0); k < n; k++ {
		if n > maxPerLine*maxPerLine && k == maxPerLine/2 { // these are not computed at all
			line.Cells = append(line.Cells, Cell{Kind: Gap})
			k = n - maxPerLine/2
		}
		line.Cells = append(line.Cells, d.cell(first+k))
	}
	if len(line.Cells) > maxPerLine {
		line.Cells = shortened(line.Cells)
	}
	for i, sizes := range d.levels {
		if sizes != nil {
			line.Boxes = append(line.Boxes, d.boxes(line.Cells, i+1, sizes)...)
		}
	}
	return line
}

// shortened omits the middle of runs of cells of one colour, and if necessary of the whole line.
func shortened(cells []Cell) (short []Cell) {
	const ends = 2
	for len(cells) > 0 {
		n := 1
		for n < len(cells) && cells[n].Kind == cells[0].Kind && cells[n].Tint == cells[0].Tint && cells[n].Mark == 0 {
			n++
		}
		if n > 2*ends+1 {
			short = append(append(append(short, cells[:ends]...), Cell{Kind: Gap}), cells[n-ends:n]...)
		} else {
			short = append(short, cells[:n]...)
		}
		cells = cells[n:]
	}
	if n := len(short); n > maxPerLine+1 {
		head, tail := short[:maxPerLine/2], short[n-maxPerLine/2:]
		if i := len(head) - 1; head[i].Kind == Gap {
			head = head[:i]
		}
		if tail[0].Kind == Gap {
			tail = tail[1:]
		}
		short = slices.Concat(head, []Cell{{Kind: Gap}}, tail)
	}
	return short
}

// cell makes the cell of an offset.
func (d *stripDrawer) cell(offset int64) Cell {
	index, none := d.finder.First(offset)
	c := Cell{Index: index, Offset: offset, Tint: -1}
	c.Mark = d.marked[offset]
	switch {
	case index == nil && none == analysis.Unknown:
		c.Kind, c.Text = Unsure, "?"
		return c
	case index == nil:
		c.Kind = Padding
		return c
	}
	c.Tint = d.colors.tint(index, offset)
	if c.Text = indexText(index, d.owner.labels); d.valued() {
		c.Text = d.label(d.store, index)
	}
	if d.inverse != nil {
		if at := d.inverse.At(offset, 0); at.Count > 1 {
			c.Count, c.More = at.Count, !at.Exact
		}
	}
	c.Faded = d.equal(index)
	if d.inside != nil {
		in, none := d.inside.First(offset)
		c.Faded = in == nil && none != analysis.Unknown
	}
	return c
}

// boxes outlines runs of more than one cell of the same block.
func (d *stripDrawer) boxes(cells []Cell, level int, sizes []int64) (boxes []Box) {
	var block []int64
	for i, c := range cells {
		var next []int64
		index := c.Index
		if index == nil && c.Kind != Gap {
			index, _ = d.filled.First(c.Offset)
		}
		for k, v := range index {
			next = append(next, v/sizes[k])
		}
		last := len(boxes) - 1
		switch {
		case next == nil:
		case block != nil && slices.Equal(block, next):
			boxes[last].End++
		default:
			boxes = append(boxes, Box{level, 0, i, 1, i + 1})
		}
		block = next
	}
	return slices.DeleteFunc(boxes, func(b Box) bool { return b.End-b.Left < 2 })
}
