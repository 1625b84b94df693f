package draw

import (
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/render"
)

// The size of a screen. A picture fits in it unless more is requested.
const (
	screenWidth  = 1300
	screenHeight = 1000
	screenCells  = 1800 // more than a screen has room for
)

// A corner is the part of a tensor that is drawn next to its structure: rows and columns of a grid, grids, and lines of
// the storage.
type corner struct{ rows, columns, grids, lines int64 }

// corners are tried in order.
var corners = [...]corner{
	{6, 8, 3, 2}, {5, 6, 3, 2}, {4, 6, 2, 2}, {4, 4, 2, 2}, {3, 4, 1, 2}, {3, 6, 1, 1}, {2, 4, 1, 1}, {3, 6, 1, 0},
	{2, 4, 1, 0}, {1, 4, 1, 0}, {1, 2, 1, 0},
}

// screen draws everything if a screen has room for it with all text. Otherwise it draws the structure and a corner of
// each tensor with two lines of storage.
func (p *plan) screen(caption render.Caption) (*Picture, error) {
	if p.fits(details[0], false) && p.whole() {
		pic, err := p.draw(caption)
		if err != nil || pic.onScreen() {
			return pic, err
		}
	}
	for i, size := range corners {
		for _, s := range p.subjects {
			s.cut(size, p.around)
		}
		for _, st := range p.stores {
			st.cut(size, p.around)
		}
		pic, err := p.draw(caption)
		if err != nil {
			return nil, err
		}
		for k := range pic.Strips {
			if size.lines == 0 {
				s := &pic.Strips[k]
				*s = Strip{Tensor: s.Tensor, PerLine: s.PerLine, Count: s.Count} // there is no room for it
			}
		}
		for k := range pic.Panels {
			pic.Panels[k].Corner = true
			if len(pic.Panels) <= 2 {
				pic.Panels[k].Levels = levelsOf(pic.Panels[k].Tensor.Layout())
			}
		}
		if pic.onScreen() || i == len(corners)-1 {
			return pic, nil
		}
	}
	return nil, nil
}

// whole reports whether all grids and storages are drawn whole, with text.
func (p *plan) whole() bool {
	for _, s := range p.subjects {
		if s.column >= 0 && slices.Contains(s.drawn[s.column], -1) || !s.readable(p.options) {
			return false
		}
	}
	return !slices.ContainsFunc(p.stores, func(s *store) bool { return s.lines != nil })
}

// onScreen reports whether a screen has room for the picture.
func (p *Picture) onScreen() bool {
	var c canvas
	p.drawBody(&c)
	return c.width+margin <= screenWidth && c.height+margin <= screenHeight
}

// cut chooses a corner of the tensor that has the element at an index, or the first one for nil.
func (s *subject) cut(size corner, around []int64) {
	s.drawn = make([][]int64, len(s.from))
	grids := size.grids
	for i := len(s.from) - 1; i >= 0; i-- {
		n := int64(1)
		switch {
		case i == s.row:
			n = size.rows
		case i == s.column:
			n = size.columns
		case s.to[i]-s.from[i] > 1:
			n, grids = grids, 1
		}
		n = min(n, s.to[i]-s.from[i])
		first := s.from[i]
		if len(around) == len(s.from) && around[i] >= first+n {
			first = min(around[i]-n/2, s.to[i]-n)
		}
		inGrid := i == s.row || i == s.column
		if inGrid && first > s.from[i] {
			s.drawn[i] = append(s.drawn[i], -1)
		}
		for k := range n {
			s.drawn[i] = append(s.drawn[i], first+k)
		}
		if inGrid && first+n < s.to[i] {
			s.drawn[i] = append(s.drawn[i], -1)
		}
	}
}

// cut chooses the line with the element at an index, or the first one for nil, and the lines behind it.
func (st *store) cut(size corner, around []int64) {
	l := st.owner.tensor.Layout()
	st.lines = []int64{}
	if l.Empty() {
		return
	}
	if len(around) != l.Rank() {
		around = make([]int64, l.Rank())
	}
	offset, _ := l.Offset(around)
	if offset < st.from || offset >= st.to {
		offset = st.from
	}
	first := max(offset-mod(offset, st.perLine), st.from)
	for range size.lines {
		if first >= st.to {
			return
		}
		st.lines = append(st.lines, first)
		first += st.length(first) // at most st.to
	}
	if hole, ok := st.hole(); ok && len(st.lines) > 1 && hole >= first {
		st.lines[len(st.lines)-1] = max(hole-mod(hole, st.perLine), st.from)
	}
}

// hole returns an offset without an element, behind the last element of an axis if the last block is not full, or
// behind a step of a level. It reports false if it does not find such an offset.
func (st *store) hole() (offset int64, ok bool) {
	l := st.owner.tensor.Layout()
	full, index := filled(l), make([]int64, l.Rank())
	base, _ := l.Offset(index)
	var candidates []int64
	for i := range index {
		if index[i] = l.Axis(i).Size(); index[i] < full.Axis(i).Size() {
			behind, _ := full.Offset(index)
			candidates = append(candidates, behind)
		}
		index[i] = 0
	}
	for _, level := range slices.Backward(levelsOf(l)) {
		if level.Stride > 0 && level.Unused > 0 {
			candidates = append(candidates, base+level.Stride-level.Unused)
		}
	}
	for _, at := range candidates {
		if found, none := st.finder.First(at); found == nil && none != analysis.Unknown && st.from <= at && at < st.to {
			return at, true
		}
	}
	return 0, false
}

// A Level is a run of indices that are one distance apart in the storage.
type Level struct {
	Axis           int
	Name           string // such as H, and 16c for the indices of a block
	Extent, Stride int64
	Unused         int64 // elements of each step that no inner level reaches
	Weight         int64 // the steps of the axis for one of the level
}

// levelsOf returns the levels of a layout from the outermost to the innermost. Levels that take no storage are first.
func levelsOf(l layout.Layout) (list []Level) {
	if l.Empty() || l.IsSwizzled() {
		return nil
	}
	runs, _ := l.Runs(nil)
	layout.SortRuns(runs)
	slices.SortStableFunc(runs, func(a, b layout.Run) int { return min(int(b.Stride), 1) - min(int(a.Stride), 1) })
	reach := int64(1)
	for _, r := range runs {
		level := Level{Axis: r.Axis, Name: axisLabel(l, r.Axis), Extent: r.Extent, Stride: r.Signed(), Weight: r.Weight}
		blocked := slices.ContainsFunc(runs, func(other layout.Run) bool {
			return other.Axis == r.Axis && other.Weight != r.Weight
		})
		switch {
		case !blocked:
		case r.Weight > 1:
			level.Name += "/" + strconv.FormatInt(r.Weight, 10)
		case l.Named():
			level.Name = strconv.FormatInt(r.Extent, 10) + strings.ToLower(level.Name)
		default:
			level.Name += "%" + strconv.FormatInt(r.Extent, 10)
		}
		if r.Stride > 0 {
			level.Unused = max(r.Stride-reach, 0)
			reach += r.Reach()
		}
		list = append(list, level)
	}
	slices.Reverse(list)
	return list
}

// words are the size, the stride and the bytes of a level.
func (v *Level) words(t layout.Tensor) string {
	words := v.Name + ": " + render.Group(v.Extent) + "  " + signed(v.Stride)
	if v.Stride == 0 {
		return words + "  shared"
	}
	if t.DType().Bits() > 0 {
		words += "  " + render.ByteWords(t, max(v.Stride, -v.Stride)) + " B"
	}
	if v.Unused > 0 {
		words += "  " + render.Group(v.Unused) + " unused"
	}
	return words
}

// signed writes a number with its sign.
func signed(n int64) string {
	if n < 0 {
		return render.Group(n)
	}
	return "+" + render.Group(n)
}

// Sizes of structures, in pixels.
const (
	levelHead  = 20 // the height of a level's words
	levelEdge  = 6  // around the content of a level
	unusedCell = 14 // the size of a mark for unused elements
)

// stubs are the indices of a level behind the first one that have boxes, with a gap if they are not all.
func (v *Level) stubs() []int64 {
	if v.Extent <= 3 {
		return []int64{1, 2}[:v.Extent-1]
	}
	return []int64{1, -1, v.Extent - 1}
}

// stubWidth is the width of the boxes behind the first one.
func (v *Level) stubWidth() (width int) {
	for _, n := range v.stubs() {
		if n < 0 {
			width += gapCell
		} else {
			width += cellWidth(len(strconv.FormatInt(n, 10))) + levelEdge
		}
	}
	return width
}

// A nest is the part of the levels of a panel that is drawn.
type nest struct {
	levels []Level
	cell   int     // the width of innermost cells
	cells  []int64 // their indices; -1 is a gap
	full   int     // the outer levels with boxes for other indices; the levels before them do not have such boxes
}

// nest chooses how much of the structure there is room for.
func (p *Panel) nest(limit int) (n nest) {
	n.levels = p.Levels
	last := &n.levels[len(n.levels)-1]
	n.cell = cellWidth(len(strconv.FormatInt(last.Extent-1, 10)))
	room := limit - 2*levelEdge*len(n.levels) - unusedCell*len(n.levels)
	least := gapCell + 4*n.cell
	for i := range n.levels {
		least = max(least, charWidth*render.Columns(n.levels[i].words(p.Tensor)))
	}
	n.full = len(n.levels) - 1
	for n.full > 0 && room-n.levels[n.full-1].stubWidth() >= least {
		n.full--
		room -= n.levels[n.full].stubWidth()
	}
	most := max(int64((room-gapCell)/n.cell), 2)
	for i := range min(last.Extent, most) {
		n.cells = append(n.cells, i)
	}
	if last.Extent > most {
		n.cells[most-1] = last.Extent - 1
		n.cells = slices.Insert(n.cells, int(most-1), -1)
	}
	return n
}

// drawStructure draws the levels of a panel as nested boxes, and returns the y below them.
func (p *Panel) drawStructure(c *canvas, x, y, limit int) int {
	if len(p.Levels) == 0 {
		return y
	}
	n := p.nest(limit)
	c.raw("<g class=\"structure\">\n")
	_, height := n.draw(c, p, 0, x, y)
	c.raw("</g>\n")
	y = c.lines(x, y+height+4, limit, "", p.sentence())
	return y + 8
}

// draw draws a level and all within it, and returns its size.
func (n *nest) draw(c *canvas, p *Panel, i, x, y int) (width, height int) {
	v := &n.levels[i]
	words := v.words(p.Tensor)
	c.text(2*(x+levelEdge), y+14, start, "m", words)
	at, top := x+levelEdge, y+levelHead
	if i == len(n.levels)-1 {
		at, height = n.drawRun(c, p, at, top), cellHeight
	} else {
		width, height = n.draw(c, p, i+1, at, top)
		at += width
		if v.Unused > 0 {
			c.rect("p", at, top, unusedCell, height, "")
			at += unusedCell
		}
		if i >= n.full {
			at = v.drawStubs(c, at, top, height)
		}
	}
	width = max(at-x, charWidth*render.Columns(words)+levelEdge) + levelEdge
	height += levelHead + levelEdge
	c.rect("bx", x, y, width, height, "")
	return width, height
}

// drawStubs draws the boxes of other indices, and returns the x behind them.
func (v *Level) drawStubs(c *canvas, x, y, height int) int {
	for _, n := range v.stubs() {
		if n < 0 {
			c.text(2*x+gapCell+levelEdge, y+height/2+4, middle, "m", "…")
			x += gapCell
			continue
		}
		text := strconv.FormatInt(n, 10)
		x += levelEdge
		width := cellWidth(len(text))
		c.rect("n", x, y, width, height, "")
		c.text(2*x+width, y+height/2+4, middle, "", text)
		x += width
	}
	return x
}

// drawRun draws the cells of the innermost level, and returns the x behind them.
func (n *nest) drawRun(c *canvas, p *Panel, x, y int) int {
	v, l := &n.levels[len(n.levels)-1], p.Tensor.Layout()
	for _, digit := range n.cells {
		if digit < 0 {
			c.text(2*x+gapCell, y+18, middle, "m", "…")
			x += gapCell
			continue
		}
		index := make([]int64, l.Rank())
		index[v.Axis] = digit * v.Weight
		offset, err := l.Offset(index)
		tint := p.color.tint(index, offset)
		cell := Cell{Index: index, Offset: offset, Tint: tint, Text: strconv.FormatInt(digit, 10)}
		if err != nil { // the last block is not full
			cell = Cell{Kind: Padding, Tint: -1}
		}
		c.cell(&cell, x, y, n.cell, p.Shared, true, false)
		x += n.cell
	}
	return x
}

// sentence describes the distance of a step along each axis.
func (p *Panel) sentence() string {
	l := p.Tensor.Layout()
	noun := "element"
	switch name := p.Tensor.DType().String(); {
	case name == "float32":
		noun = "float"
	case name == "float64":
		noun = "double"
	case strings.HasPrefix(name, "int") || strings.HasPrefix(name, "uint"):
		noun = "integer"
	}
	text, separator := "", ", "
	for i, s := range steps(l) {
		switch {
		case i == 0:
			text = "a step in " + axisLabel(l, s.axis) + " is " + counted(s.offset, noun)
		case s.count > 1:
			text += ", " + render.Group(s.count) + " steps " + render.Group(s.offset)
			separator = "; "
		default:
			text += separator + "in " + axisLabel(l, s.axis) + " " + render.Group(s.offset)
			separator = ", "
		}
	}
	return text
}

// counted writes a number of things, which may be negative.
func counted(n int64, noun string) string {
	if n == 1 || n == -1 {
		return render.Group(n) + " " + noun
	}
	return render.Group(n) + " " + noun + "s"
}
