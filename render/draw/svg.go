package draw

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/render"
)

// Sizes in pixels.
const (
	cellHeight = 28
	leastText  = 14 // the minimum width of a cell with text
	leastCell  = 6  // the least width of a cell
	margin     = 16
	gap        = 24 // between grids, and between panels
	gapCell    = 16 // the size of a mark for omitted cells
	headHeight = 20 // the height of the words above the lines of a strip
	lineRoom   = 6  // between lines of a strip
	arrowRoom  = 16 // between lines of a strip with arrows
	pageWidth  = screenWidth - 2*margin
	pairWidth  = (pageWidth - gap) / 2 // the width of each of two panels side by side
)

// SVG writes the picture as an SVG document: the same bytes on every platform, without scripts and external resources.
func (p *Picture) SVG(w io.Writer) error {
	_, err := w.Write(p.svg(false))
	return err
}

// SVGHead is the beginning of each SVG document.
const SVGHead = "<svg "

// svg returns the document, for a page with the attributes for its script.
func (p *Picture) svg(page bool) []byte {
	c := canvas{page: page}
	p.drawBody(&c)
	c.width, c.height = max(c.width, 160)+margin, c.height+margin
	head := fmt.Sprintf(SVGHead+`xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" `+
		"xml:space=\"preserve\" role=\"img\" aria-labelledby=\"title desc\">\n"+
		"<title id=\"title\">%s</title>\n<desc id=\"desc\">%s</desc>\n"+
		"<style>\n%s</style>\n%s<rect class=\"z\" width=\"%[1]d\" height=\"%[2]d\"/>\n",
		c.width, c.height, escape(p.Caption.Title), escape(strings.Join(p.Caption.Lines, "; ")), p.Theme.style(),
		definitions)
	return slices.Concat([]byte(head), c.buf, []byte("</svg>\n"))
}

// definitions are the hatching of padding and the head of arrows.
const definitions = `<defs>
<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse">
<path class="k" d="M-1 1l2-2M0 6l6-6M5 7l2-2"/>
</pattern>
<marker id="head" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="6" markerHeight="6" orient="auto">
<path class="v" d="M0 0l6 3-6 3z"/>
</marker>
</defs>
`

// drawBody draws everything.
func (p *Picture) drawBody(c *canvas) {
	if len(p.Boards) == 0 {
		p.drawAll(c, nil)
		return
	}
	f := p.lowered(p.boardFrame())
	p.drawAll(c, &f)
}

// drawAll draws everything, from top to bottom, with boards in a frame.
func (p *Picture) drawAll(c *canvas, f *boardFrame) {
	y := c.lines(margin, margin, pageWidth, "t", p.Caption.Title)
	if p.Command != "" {
		y = c.lines(margin, y, pageWidth, "m", p.Command)
	}
	x, top, limit := margin, y+8, pageWidth
	if p.Pair {
		limit = pairWidth
	}
	bottom := top
	for i := range p.Panels {
		f := p.Panels[i].frame(limit)
		width := p.Panels[i].width(&f, limit)
		if x > margin && x+width > margin+pageWidth {
			x, top = margin, bottom+gap
		}
		bottom = max(bottom, p.Panels[i].draw(c, p.Show, &f, x, top, width, limit))
		x += width + gap
	}
	y = bottom
	if len(p.Boards) > 0 {
		y = p.drawBoards(c, f, y)
	}
	var frames []stripFrame
	for i := range p.Strips {
		switch {
		case i > 0 && p.Arrows:
			y += 2 * gap
		case len(p.Strips[i].Lines) > 0 || p.Strips[i].Count == 0:
			y += gap
		}
		var f stripFrame
		y, f = p.Strips[i].draw(c, y, p.Arrows)
		frames = append(frames, f)
	}
	if p.Arrows {
		p.drawArrows(c, &frames[0], &frames[1])
		y = p.Strips[0].drawLegend(c, y, "before: ")
		y = p.Strips[1].drawPadding(c, y, "after: ")
		for i := range frames {
			y = p.Strips[i].drawLimits(c, y, &frames[i])
		}
	}
	if p.Animate && !c.page {
		p.drawMoves(c, &frames[0], &frames[1])
	}
	if slices.ContainsFunc(p.Panels, func(p Panel) bool { return p.Corner && p.Shown < p.Of }) {
		y = c.lines(margin, y, pageWidth, "m", "--cells 4096 draws more, --slice other elements")
	}
	y += 8
	if f != nil && f.level < len(p.Legends) && p.Legends[f.level] != "" {
		y = c.lines(margin, y, pageWidth, "", p.Legends[f.level])
	}
	for _, line := range p.Caption.Lines {
		y = c.lines(margin, y, pageWidth, "", line)
	}
}

// A stripFrame has the positions of the lines and the elements of a strip.
type stripFrame struct {
	width       int // the width of a cell
	room        int // for all cells of a line
	characters  int // the length of the longest text in a cell
	lane        int // between arrows that pass a line between the same two cells
	first, last int // the upper edges of lines
	at          map[string]place
}

// A place is the left and the upper edge of a cell in a strip, in pixels.
type place struct{ x, y int }

// beside returns the distance of an arrow from the edge between two cells, by the height of the lines that it passes.
// There is room for three arrows.
func (f *stripFrame) beside(height int) int { return f.lane * min(height/(cellHeight+arrowRoom)-1, 2) }

// drawArrows draws an arrow from every element of the first strip to the same element in the second. It passes other
// lines between two cells, so that all text stays readable: on the right of the first element, on the left of the
// second.
func (p *Picture) drawArrows(c *canvas, first, second *stripFrame) {
	for _, m := range p.moves(first, second) {
		from, to := m.from, m.to
		points := append(make([]point, 0, 6), point{2*from.x + first.width, from.y + cellHeight + 2})
		if from.y < first.last {
			right := 2 * (from.x + first.width + first.beside(first.last-from.y))
			points = append(points, point{right, from.y + cellHeight + arrowRoom/2},
				point{right, first.last + cellHeight + 2})
		}
		if to.y > second.first {
			left := 2 * (to.x + second.beside(to.y-second.first))
			points = append(points, point{left, second.first - 3}, point{left, to.y - 3 - arrowRoom/2})
		}
		c.arrow("w", append(points, point{2*to.x + second.width, to.y - 3})...)
	}
}

// A move is the way of an element from the first strip to the second.
type move struct {
	cell     *Cell
	from, to place
}

// moves returns the moves of the elements that are drawn in both strips.
func (p *Picture) moves(first, second *stripFrame) (list []move) {
	for _, line := range p.Strips[0].Lines {
		for i := range line.Cells {
			cell := &line.Cells[i]
			key := layout.JoinInts(cell.Index, ",")
			from, drawn := first.at[key]
			if to, same := second.at[key]; cell.Kind == Element && drawn && same {
				list = append(list, move{cell, from, to})
			}
		}
	}
	return list
}

// drawMoves lays a cell over each element of the first strip, above everything else. One after the other, the cells
// move to the same element in the second strip. A cell is visible only while it moves, in viewers that play animations.
func (p *Picture) drawMoves(c *canvas, first, second *stripFrame) {
	list := p.moves(first, second)
	c.raw("<g class=\"moving\">\n")
	for i, m := range list {
		x, y := strconv.Itoa(m.to.x-m.from.x), strconv.Itoa(m.to.y-m.from.y)
		begin := 50 + 600*i/len(list) // of 1000
		times := fmt.Sprintf(` dur="8s" repeatCount="indefinite" keyTimes="0;0.%03d;0.%03d`, begin, begin+250)
		c.raw("<g opacity=\"0\">\n")
		c.rect(m.cell.class(), m.from.x, m.from.y, first.width, cellHeight, "")
		if fitsText(first.width, render.Columns(m.cell.Text)) && m.cell.Text != "" {
			c.text(2*m.from.x+first.width, m.from.y+18, middle, "", m.cell.Text)
		}
		c.raw(`<animate attributeName="opacity" calcMode="discrete"`, times, "\" values=\"0;1;0\"/>\n",
			`<animateTransform attributeName="transform" type="translate"`, times, `;1" values="0 0;0 0;`,
			x, " ", y, ";", x, " ", y, "\"/>\n</g>\n")
	}
	c.raw("</g>\n")
}

// cellWidth returns the width of cells for text of the given number of characters.
func cellWidth(characters int) int { return max(cellHeight, charWidth*characters+10) }

// fitsText reports whether a cell has room for text of the given number of characters.
func fitsText(width, characters int) bool {
	return width >= leastText && width >= charWidth*characters+2
}

// A gridFrame has the measures of the grids of a panel, which all have the same size.
type gridFrame struct {
	cell, characters    int // the width of cells, and the characters of the longest text
	left, top           int // room for the indices of rows and columns, and for the caption
	width, height       int
	across              int // the number of grids side by side
	corner, row, column string
	outer               string // the steps between grids, if the corner has no room for them
	ownLine             bool   // the names of the axes are on a separate line
}

// cornerColumns is the maximum number of characters for the steps next to each grid.
const cornerColumns = 34

// shortNames is the maximum number of characters that the names of axes may exceed the indices of rows by, and still
// share a line with the indices of columns.
const shortNames = 8

// frame measures the grids for a panel of a width.
func (p *Panel) frame(limit int) gridFrame {
	if len(p.Grids) == 0 {
		return gridFrame{}
	}
	g := &p.Grids[0]
	f := gridFrame{top: 20}
	for _, g := range p.Grids {
		for _, cells := range g.Cells {
			for i := range cells {
				f.characters = max(f.characters, render.Columns(cells[i].Text))
			}
		}
	}
	if p.caption(g) != "" {
		f.top += 16
	}
	if g.Row >= 0 {
		f.row = strconv.FormatInt(slices.Max(g.Rows), 10)
	}
	inner, outer := p.stepLabels(g)
	corner := render.Columns(inner)
	if f.corner = inner; outer != "" && corner+render.Columns(outer)+2 <= cornerColumns {
		f.corner, outer = inner+"  "+outer, ""
		corner = render.Columns(f.corner)
	}
	if outer != "" {
		f.outer = "between grids: " + outer
	}
	if f.ownLine = corner > len(f.row)+shortNames; f.ownLine {
		f.top += 16
		corner = 0
	}
	f.left = charWidth*max(corner, len(f.row)) + 8
	if g.Column < 0 {
		f.left, f.top = 0, f.top-20
	} else {
		f.column = strconv.FormatInt(slices.Max(g.Columns), 10)
	}
	gaps := gapsIn(g.Columns)
	columns := len(g.Columns) - gaps
	gaps *= gapCell
	label := 0 // the least width that keeps the labels of the first and the last column apart
	if columns > 1 {
		label = (charWidth*(len(f.column)+1) + 2*(columns-1)) / (2 * (columns - 1))
	}
	f.cell = max(cellWidth(f.characters), label)
	if room := limit - f.left - gaps; f.cell*columns > room {
		f.cell = max(room/columns, leastCell)
	}
	f.width = max(f.left+f.cell*columns+gaps, charWidth*render.Columns(f.corner))
	for i := range p.Grids {
		f.width = max(f.width, min(charWidth*render.Columns(p.caption(&p.Grids[i])), limit))
	}
	f.height = f.top + cellHeight*len(g.Rows) - (cellHeight-gapCell)*gapsIn(g.Rows)
	f.across = max((limit+gap)/(f.width+gap), 1)
	return f
}

// gapsIn counts the gaps in a list of indices.
func gapsIn(list []int64) (n int) {
	for _, v := range list {
		if v < 0 {
			n++
		}
	}
	return n
}

// caption names the index of the axes outside of a grid, except for axes of size 1: N=0, C=3, or dim 0=3.
func (p *Panel) caption(g *Grid) string {
	l := p.Tensor.Layout()
	var words []string
	for i, v := range g.Outer {
		if i != g.Row && i != g.Column && l.Axis(i).Size() > 1 {
			words = append(words, axisLabel(l, i)+"="+strconv.FormatInt(v, 10))
		}
	}
	return strings.Join(words, ", ")
}

// note states how many elements are not drawn. It is empty if all are drawn.
func (p *Panel) note() string {
	switch {
	case p.Of == 0 && p.Title != "":
		return "empty: no elements"
	case p.Shown == p.Of:
		return ""
	case p.Corner:
		return render.Group(p.Shown) + " of " + render.Group(p.Of) + " elements drawn"
	}
	words := fmt.Sprintf("%s of %s elements drawn, %s not", render.Group(p.Shown), render.Group(p.Of),
		render.Group(p.Of-p.Shown))
	if len(p.First) > 0 {
		var first []string
		for _, axis := range p.First {
			first = append(first, p.Tensor.Layout().AxisName(axis))
		}
		words += ": the first index of " + strings.Join(first, ", ") + " only"
	}
	return words + "; --slice chooses others"
}

// width returns the width of the panel, at most limit.
func (p *Panel) width(f *gridFrame, limit int) int {
	grids := min(f.across, len(p.Grids))*(f.width+gap) - gap
	words := max(render.Columns(p.note()), render.Columns(f.outer))
	if len(p.Levels) > 0 {
		return limit
	}
	return min(max(charWidth*words, titleWidth*render.Columns(p.Title), grids), limit)
}

// draw draws the panel and returns the y below it.
func (p *Panel) draw(c *canvas, show Show, f *gridFrame, x, y, width, limit int) int {
	c.raw(`<g class="panel" data-strip="`, strconv.Itoa(p.Strip), `"`)
	if c.page {
		p.data(c, show)
	}
	c.raw(">\n")
	if p.Title != "" {
		y = c.lines(x, y, max(width, 240), "y", p.Title) + 4
	}
	y = p.drawStructure(c, x, y, limit)
	if f.outer != "" {
		y = c.lines(x, y, width, "m between", f.outer) + 4
	}
	if len(p.Grids) > 0 {
		for i := range p.Grids {
			g := &p.Grids[i]
			if i > 0 && i%f.across == 0 {
				y += f.height + gap
			}
			c.raw(`<g class="grid" data-outer="`, layout.JoinInts(g.Outer, ","), "\">\n")
			f.draw(c, p, g, x+i%f.across*(f.width+gap), y)
			c.raw("</g>\n")
			if i == 0 {
				f.drawNext(c, p, x, y+8)
			}
		}
		y += f.height
	}
	if note := p.note(); note != "" {
		y = c.lines(x, y+4, max(width, 240), "m", note)
	}
	c.raw("</g>\n")
	return y
}

// draw draws a grid.
func (f *gridFrame) draw(c *canvas, p *Panel, g *Grid, x, y int) {
	if caption := p.caption(g); caption != "" {
		c.text(2*x, y+12, start, "caption", clipped(caption, f.width/charWidth))
	}
	y += f.top
	xs, ys := offsets(g.Columns, x+f.left, f.cell), offsets(g.Rows, y, cellHeight)
	texts := fitsText(f.cell, f.characters)
	if g.Column >= 0 {
		names := y - 6
		if f.ownLine {
			names -= 16
		}
		c.text(2*x, names, start, "m", f.corner)
		ends(g.Columns, func(i int, label string) { c.text(2*xs[i]+f.cell, y-6, middle, "m", label) })
	}
	if g.Row >= 0 {
		ends(g.Rows, func(i int, label string) { c.text(2*(x+f.left-5), ys[i]+18, end, "m", label) })
	}
	f.drawSteps(c, g, xs, ys)
	for r, cells := range g.Cells {
		for k := range cells {
			cell := &cells[k]
			switch {
			case cell.Kind != Gap:
				c.cell(cell, xs[k], ys[r], f.cell, p.Shared, texts, false)
			case g.Rows[r] < 0 && k == firstOf(g.Columns):
				c.text(2*xs[k]+f.cell, ys[r]+12, middle, "m", "…")
			case g.Columns[k] < 0 && r == firstOf(g.Rows):
				c.text(2*xs[k]+gapCell, ys[r]+18, middle, "m", "…")
			}
		}
	}
	for _, b := range g.Boxes {
		c.box(b, xs[b.Left], ys[b.Top], xs[b.End-1]+f.cell, ys[b.Down-1]+cellHeight)
	}
	for r, cells := range g.Cells {
		outlines(cells, func(from, to int) {
			c.rect("q", xs[from], ys[r], xs[to-1]+f.cell-xs[from], cellHeight, "")
		})
	}
}

// firstOf returns the position in list of the first index that is not a gap.
func firstOf(list []int64) int { return slices.IndexFunc(list, func(v int64) bool { return v >= 0 }) }

// ends labels the first and the last index of a list.
func ends(list []int64, label func(i int, text string)) {
	first, last := firstOf(list), len(list)-1
	if list[last] < 0 {
		last--
	}
	label(first, strconv.FormatInt(list[first], 10))
	if last > first {
		label(last, strconv.FormatInt(list[last], 10))
	}
}

// offsets returns the start of each cell in a row; a gap is narrower than a cell.
func offsets(list []int64, at, width int) []int {
	starts := make([]int, len(list))
	for i, v := range list {
		starts[i] = at
		if at += width; v < 0 {
			at += gapCell - width
		}
	}
	return starts
}

// box outlines blocks.
func (c *canvas) box(b Box, left, top, right, bottom int) {
	c.rect([...]string{1: "j", 2: "i"}[b.Level], left, top, right-left, bottom-top, "")
}

// clipped cuts text to width columns.
func clipped(text string, width int) string {
	if render.Columns(text) <= width {
		return text
	}
	return wrapped(text, max(width-1, 1))[0] + "…"
}

// draw draws the strip, with room for arrows between its lines, and returns the y below it.
func (s *Strip) draw(c *canvas, y int, arrows bool) (int, stripFrame) {
	c.raw(`<g class="strip" data-bits="`, strconv.FormatInt(s.Tensor.DType().Bits(), 10), `" data-line="`,
		strconv.FormatInt(s.PerLine, 10), "\">\n")
	if s.Title != "" {
		y = c.lines(margin, y, pageWidth, "y", s.Title) + 4
	}
	offsetWidth, byteWidth, characters, count, columns := s.measures()
	var arcs []arc
	if !arrows {
		arcs = s.arcs()
		if y += arcHeight * len(arcs); len(arcs) > 0 {
			y += 4
		}
	}
	x0 := margin + stripHead(offsetWidth, byteWidth)
	width := max(cellWidth(characters), count)
	if room := margin + pageWidth - x0; width*columns > room {
		width = max(room/columns, leastCell)
	}
	byteEnd := x0 - 12
	offsetEnd := byteEnd - charWidth*(byteWidth+2)
	if len(s.Lines) > 0 {
		c.text(2*offsetEnd, y+12, end, "m", "offset")
		c.text(2*byteEnd, y+12, end, "m", "byte")
		y += headHeight
	}
	if len(arcs) > 0 {
		drawArcs(c, arcs, x0+s.lead(&s.Lines[0])*width, y, width)
	}
	f := stripFrame{width: width, first: y, at: map[string]place{}}
	if width >= cellWidth(characters) {
		f.lane = 2
	}
	for i := range s.Lines {
		line := &s.Lines[i]
		if arrows && i > 0 {
			y += arrowRoom - lineRoom
		}
		if line.Skipped > 0 {
			c.text(2*x0, y+12, start, "m", render.Counted(line.Skipped, "line")+" not drawn")
			y += 24
			continue
		}
		first := line.Cells[0].Offset
		c.text(2*offsetEnd, y+18, end, "", strconv.FormatInt(first, 10))
		c.text(2*byteEnd, y+18, end, "m", s.bytes(first))
		s.drawLine(c, line, x0+s.lead(line)*width, y, fitsText(width, characters), &f)
		f.last = y
		y += cellHeight + lineRoom
	}
	f.room, f.characters = margin+pageWidth-x0, characters
	if !arrows { // those would cross it
		y = s.drawLegend(c, y, "")
		y = s.drawLimits(c, y, &f)
	}
	c.raw("</g>\n")
	return y, f
}

// drawLimits states how many offsets lines omit, and a length of lines that leaves room for the text of cells.
func (s *Strip) drawLimits(c *canvas, y int, f *stripFrame) int {
	if n := s.cut(); n > 0 {
		words := "… " + render.Counted(n, "offset") + " of these lines not drawn"
		y = c.lines(margin, y, pageWidth, "m", words)
	}
	if bytes := s.readable(f.room, f.characters); !fitsText(f.width, f.characters) && bytes > 0 {
		y = c.lines(margin, y, pageWidth, "m", fmt.Sprintf("--line %d has room for the labels of cells", bytes))
	}
	return y
}

// stripHead returns the width of the offsets and the bytes before a line.
func stripHead(offset, bytes int) int { return charWidth*(offset+bytes+2) + 12 }

// drawLegend names the axes of the indices in the cells, and counts the padding, with words before that.
func (s *Strip) drawLegend(c *canvas, y int, when string) int {
	l := s.Tensor.Layout()
	if axes := labelAxes(l); s.Indices && len(s.Lines) > 0 && len(axes) > 1 && (l.Named() || len(axes) < l.Rank()) {
		var names []string
		for _, axis := range axes {
			names = append(names, axisLabel(l, axis))
		}
		y = c.lines(margin, y, pageWidth, "m", "cells have the index "+strings.Join(names, ","))
	}
	return s.drawPadding(c, y, when)
}

// drawPadding counts the padding.
func (s *Strip) drawPadding(c *canvas, y int, when string) int {
	if p := s.Holes; p.Unused > 0 {
		words := fmt.Sprintf("padding: %s of %s, %.1f %%", render.Group(p.Unused), render.Counted(p.Of, "offset"),
			100*float64(p.Unused)/float64(p.Of))
		switch {
		case p.Behind == p.Unused:
			words += ", all behind the last element"
		case p.Behind > 0:
			words += fmt.Sprintf(": %s between elements, %s behind the last one", render.Group(p.Unused-p.Behind),
				render.Group(p.Behind))
		}
		c.rect("p", margin, y+4, 10, 10, "")
		y = c.lines(margin+18, y+1, pageWidth-18, "", when+words) + 1
	}
	return y
}

// measures returns the maximum number of characters in offsets, in bytes and in the text of cells, the largest width of
// counts, and the maximum number of cells in a line.
func (s *Strip) measures() (offset, bytes, text, count, columns int) {
	offset, bytes, text, columns = len("offset"), len("byte"), 1, 1
	for i := range s.Lines {
		line := &s.Lines[i]
		if len(line.Cells) == 0 {
			continue
		}
		first := line.Cells[0].Offset
		offset = max(offset, len(strconv.FormatInt(first, 10)))
		bytes = max(bytes, len(s.bytes(first)))
		columns = max(columns, len(line.Cells)+s.lead(line))
		for k := range line.Cells {
			text = max(text, render.Columns(line.Cells[k].Text))
			if cell := &line.Cells[k]; cell.Count > 0 {
				count = max(count, smallWidth*len(cell.count())+4)
			}
		}
	}
	return offset, bytes, text, count, columns
}

// cut returns the number of offsets omitted from drawn lines.
func (s *Strip) cut() (n uint64) {
	for i := range s.Lines {
		cells := s.Lines[i].Cells
		for k := range cells {
			if cells[k].Kind == Gap {
				n += uint64(cells[k+1].Offset) - uint64(cells[k-1].Offset) - 1
			}
		}
	}
	return n
}

// readable returns the maximum number of bytes in a line that leaves room for the text of its cells. It returns 0 if
// there are no lines, or if a line of whole bytes cannot be that short.
func (s *Strip) readable(room, characters int) int64 {
	elements, bits := int64(1), s.Tensor.DType().Bits()
	for elements*2*int64(cellWidth(characters)) <= int64(room) {
		elements *= 2
	}
	if len(s.Lines) == 0 || elements*bits%8 != 0 {
		return 0
	}
	return elements * bits / 8
}

// bytes returns the first byte of an element, or a question mark if the size of elements is unknown.
func (s *Strip) bytes(offset int64) string {
	if s.Tensor.DType().Bits() == 0 {
		return "?"
	}
	return render.ByteText(s.Tensor, offset)
}

// perByte returns the number of elements in a byte, 1 if there are not several.
func (s *Strip) perByte() int64 {
	if bits := s.Tensor.DType().Bits(); bits > 0 && 8%bits == 0 {
		return 8 / bits
	}
	return 1
}

// drawLine draws the cells of a line, its frame and its outlines.
func (s *Strip) drawLine(c *canvas, line *Line, x, y int, texts bool, f *stripFrame) {
	width, perByte := f.width, s.perByte()
	for k := range line.Cells {
		cell, at := &line.Cells[k], x+k*width
		if cell.Kind == Gap {
			c.text(2*at+width, y+18, middle, "m", "…")
			continue
		}
		c.cell(cell, at, y, width, cell.Count > 1, texts, perByte > 1)
		// Arrows that pass the line run up to 4 pixels from the edge.
		if perByte > 1 && mod(cell.Offset, perByte) == 0 && width >= cellHeight && cell.Count == 0 {
			c.text(2*(at+5), y+9, start, "x m", "low")
		}
		if cell.Index != nil {
			f.at[layout.JoinInts(cell.Index, ",")] = place{at, y}
		}
	}
	for k := range line.Cells {
		if cell := &line.Cells[k]; perByte > 1 && cell.Kind != Gap && mod(cell.Offset, perByte) == 0 {
			n := 1
			for n < int(perByte) && k+n < len(line.Cells) && line.Cells[k+n].Kind != Gap {
				n++
			}
			c.rect("by", x+k*width, y, n*width, cellHeight, "")
		}
	}
	c.rect("o", x, y, len(line.Cells)*width, cellHeight, "")
	for _, b := range line.Boxes {
		c.box(b, x+b.Left*width, y, x+b.End*width, y+cellHeight)
	}
	outlines(line.Cells, func(from, to int) {
		c.rect("q", x+from*width, y, (to-from)*width, cellHeight, "")
	})
}

// class returns the class of a cell's fill.
func (c *Cell) class() string {
	if c.Tint >= 0 {
		return "abcdefgh"[c.Tint : c.Tint+1]
	}
	return [...]string{Element: "n", Padding: "p", Unsure: "u"}[c.Kind]
}

// cell adds a cell, and its text if texts is set. Low text leaves room for small text above it.
func (c *canvas) cell(cell *Cell, x, y, width int, shared, texts, low bool) {
	class := cell.class()
	if shared {
		class += " s"
	}
	faded := ""
	if cell.Faded {
		faded = "fd"
		class += " fd"
	}
	data := ` data-o="` + strconv.FormatInt(cell.Offset, 10) + `"`
	if cell.Index != nil {
		data = ` data-i="` + layout.JoinInts(cell.Index, ",") + `"` + data
	}
	if cell.Group != "" {
		data += ` data-g="` + cell.Group + `"`
	}
	c.rect(class, x, y, width, cellHeight, data)
	baseline := y + 18
	if low {
		baseline = y + 22
	}
	if cell.Count > 0 {
		baseline = y + 22
		if text := cell.count(); smallWidth*len(text)+2 <= width {
			c.text(2*(x+width-2), y+9, end, "x", text)
		}
	}
	if texts && cell.Text != "" {
		c.text(2*x+width, baseline, middle, faded, cell.Text)
	}
}
