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
	leastText  = 14 // the least width of a cell with a text
	leastCell  = 6  // the least width of a cell
	margin     = 16
	gap        = 24 // between grids, and between panels
	gapCell    = 16 // in place of cells that are left out
	lineRoom   = 6  // between lines of a strip
	arrowRoom  = 16 // between lines of a strip with arrows
	gridWidth  = 960
	pairWidth  = 632 // of each of two panels side by side
	pageWidth  = 1280
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
		"role=\"img\" aria-labelledby=\"title desc\">\n<title id=\"title\">%s</title>\n<desc id=\"desc\">%s</desc>\n"+
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

// drawBody draws everything, from top to bottom.
func (p *Picture) drawBody(c *canvas) {
	y := c.lines(margin, margin, gridWidth, "t", p.Caption.Title)
	if p.Command != "" {
		y = c.lines(margin, y, gridWidth, "m", p.Command)
	}
	x, top, limit := margin, y+8, gridWidth
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
		bottom = max(bottom, p.Panels[i].draw(c, p.Show, &f, x, top, width))
		x += width + gap
	}
	y = bottom
	var frames []stripFrame
	for i := range p.Strips {
		if y += gap; i > 0 && p.Arrows {
			y += gap
		}
		var f stripFrame
		y, f = p.Strips[i].draw(c, y, p.Arrows)
		frames = append(frames, f)
	}
	if p.Arrows {
		p.drawArrows(c, &frames[0], &frames[1])
	}
	y += 8
	for _, line := range p.Caption.Lines {
		y = c.lines(margin, y, gridWidth, "", line)
	}
}

// A stripFrame has the places of the lines and the elements of a strip.
type stripFrame struct {
	width       int // of a cell
	lane        int // between arrows that pass a line between the same two cells
	first, last int // the upper edges of lines
	at          map[string]place
}

// A place is the left and the upper edge of a cell in a strip.
type place struct{ x, y int }

// beside returns the distance of an arrow from the edge between two cells, by the height of the lines that it passes.
// There is room for three arrows.
func (f *stripFrame) beside(height int) int { return f.lane * min(height/(cellHeight+arrowRoom)-1, 2) }

// drawArrows draws an arrow from every element of the first strip to the same element in the second. It passes other
// lines between two cells, so that all texts stay readable: on the right of the first element, on the left of the
// second.
func (p *Picture) drawArrows(c *canvas, first, second *stripFrame) {
	for _, line := range p.Strips[0].Lines {
		for i := range line.Cells {
			key := layout.JoinInts(line.Cells[i].Index, ",")
			from, drawn := first.at[key]
			to, same := second.at[key]
			if line.Cells[i].Kind != Element || !drawn || !same {
				continue
			}
			c.raw(`<path class="w" marker-end="url(#head)" d="`)
			c.point("M", 2*from.x+first.width, from.y+cellHeight+2)
			if from.y < first.last {
				right := 2 * (from.x + first.width + first.beside(first.last-from.y))
				c.point("L", right, from.y+cellHeight+arrowRoom/2)
				c.point("L", right, first.last+cellHeight+2)
			}
			if to.y > second.first {
				left := 2 * (to.x + second.beside(to.y-second.first))
				c.point("L", left, second.first-3)
				c.point("L", left, to.y-3-arrowRoom/2)
			}
			c.point("L", 2*to.x+second.width, to.y-3)
			c.raw("\"/>\n")
		}
	}
}

// cellWidth returns the width of cells for texts of so many characters.
func cellWidth(characters int) int { return max(cellHeight, charWidth*characters+10) }

// fitsText reports whether a cell of a width has room for so many characters.
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
	ownLine             bool // the names of the axes have a line of their own
}

// shortNames is the most characters by which the names of axes may exceed the indices of rows and share a line with the
// indices of columns.
const shortNames = 8

// frame measures the grids for a panel of a width.
func (p *Panel) frame(limit int) gridFrame {
	if len(p.Grids) == 0 {
		return gridFrame{}
	}
	l := p.Tensor.Layout()
	g := &p.Grids[0]
	f := gridFrame{top: 20}
	for _, g := range p.Grids {
		for _, cells := range g.Cells {
			for i := range cells {
				f.characters = max(f.characters, render.Columns(cells[i].Text))
			}
		}
	}
	if l.Rank() > 0 && len(p.caption(g)) > 0 {
		f.top += 16
	}
	if g.Column >= 0 {
		f.corner = l.AxisName(g.Column) + "→"
	}
	if g.Row >= 0 {
		f.corner = l.AxisName(g.Row) + "↓ " + f.corner
		f.row = strconv.FormatInt(g.Rows[len(g.Rows)-1], 10)
	}
	corner := render.Columns(f.corner)
	if f.ownLine = corner > len(f.row)+shortNames; f.ownLine {
		f.top += 16
		corner = 0
	}
	f.left = charWidth*max(corner, len(f.row)) + 8
	if g.Column < 0 {
		f.left, f.top = 0, f.top-20
	} else {
		f.column = strconv.FormatInt(g.Columns[len(g.Columns)-1], 10)
	}
	columns, gaps := len(g.Columns), 0
	if i := slices.Index(g.Columns, -1); i >= 0 {
		columns, gaps = columns-1, gapCell
	}
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
	f.height = f.top + cellHeight*len(g.Rows)
	if slices.Contains(g.Rows, -1) {
		f.height += gapCell - cellHeight
	}
	f.across = max((limit+gap)/(f.width+gap), 1)
	return f
}

// caption names the index of all axes outside of a grid: N=0, C=3, or [0, 3, :, :] where axes have no names.
func (p *Panel) caption(g *Grid) string {
	l := p.Tensor.Layout()
	var words []string
	outer := 0
	for i, v := range g.Outer {
		word := strconv.FormatInt(v, 10)
		switch isOuter := i != g.Row && i != g.Column; {
		case isOuter:
			outer++
		case l.Named():
			continue
		default:
			word = ":"
		}
		if l.Named() {
			word = l.AxisName(i) + "=" + word
		}
		words = append(words, word)
	}
	switch text := strings.Join(words, ", "); {
	case outer == 0:
		return ""
	case l.Named():
		return text
	default:
		return "[" + text + "]"
	}
}

// note gives the number of elements that are not drawn, empty for none.
func (p *Panel) note() string {
	switch {
	case p.Of == 0 && p.Title != "":
		return "empty: no elements"
	case p.Shown == p.Of:
		return ""
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
	return min(max(charWidth*render.Columns(p.note()), titleWidth*render.Columns(p.Title), grids), limit)
}

// draw draws the panel and returns the y below it.
func (p *Panel) draw(c *canvas, show Show, f *gridFrame, x, y, width int) int {
	c.raw(`<g class="panel" data-strip="`, strconv.Itoa(p.Strip), `"`)
	if c.page {
		p.data(c, show)
	}
	c.raw(">\n")
	if p.Title != "" {
		y = c.lines(x, y, max(width, 240), "y", p.Title) + 4
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
	var marked []int
	for r, cells := range g.Cells {
		for k := range cells {
			cell := &cells[k]
			switch {
			case cell.Kind != Gap:
				c.cell(cell, xs[k], ys[r], f.cell, p.Shared, texts)
			case g.Rows[r] < 0 && k == 0:
				c.text(2*xs[0]+f.cell, ys[r]+12, middle, "m", "⋮")
			case g.Columns[k] < 0 && r == 0:
				c.text(2*xs[k]+gapCell, ys[r]+18, middle, "m", "…")
			}
			if cell.Marked {
				marked = append(marked, xs[k], ys[r])
			}
		}
	}
	for _, b := range g.Boxes {
		c.box(b, xs[b.Left], ys[b.Top], xs[b.End-1]+f.cell, ys[b.Down-1]+cellHeight)
	}
	for at := range slices.Chunk(marked, 2) {
		c.rect("q", at[0], at[1], f.cell, cellHeight, "")
	}
}

// ends labels the first and the last index of a list.
func ends(list []int64, label func(i int, text string)) {
	label(0, strconv.FormatInt(list[0], 10))
	if n := len(list) - 1; n > 0 {
		label(n, strconv.FormatInt(list[n], 10))
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

// clipped cuts a text at so many columns.
func clipped(text string, width int) string {
	if render.Columns(text) <= width {
		return text
	}
	return wrapped(text, max(width-1, 1))[0] + "…"
}

// draw draws the strip, with room for arrows between its lines, and returns the y below it.
func (s *Strip) draw(c *canvas, y int, arrows bool) (int, stripFrame) {
	c.raw(`<g class="strip" data-bits="`, strconv.FormatInt(s.Tensor.DType().Bits(), 10), "\">\n")
	if s.Title != "" {
		y = c.lines(margin, y, gridWidth, "y", s.Title) + 4
	}
	offsetWidth, byteWidth, characters, count, columns := s.measures()
	x0 := margin + charWidth*(offsetWidth+byteWidth+2) + 12
	width := max(cellWidth(characters), count)
	if room := margin + pageWidth - x0; width*columns > room {
		width = max(room/columns, leastCell)
	}
	byteEnd := x0 - 12
	offsetEnd := byteEnd - charWidth*(byteWidth+2)
	if len(s.Lines) > 0 {
		c.text(2*offsetEnd, y+12, end, "m", "offset")
		c.text(2*byteEnd, y+12, end, "m", "byte")
		y += 20
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
			words := "⋮ " + render.Counted(line.Skipped, "line") + " not drawn"
			c.text(2*x0, y+12, start, "m", words)
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
	if n := s.cut(); n > 0 {
		words := "… " + render.Counted(n, "offset") + " of these lines not drawn"
		y = c.lines(margin, y, gridWidth, "m", words)
	}
	if bytes := s.readable(margin+pageWidth-x0, characters); !fitsText(width, characters) && bytes > 0 {
		y = c.lines(margin, y, gridWidth, "m", fmt.Sprintf("--line %d has room for the texts of cells", bytes))
	}
	c.raw("</g>\n")
	return y, f
}

// measures returns the most characters of offsets, of bytes and of texts in cells, the largest width of counts, and the
// most cells in a line.
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

// cut returns the number of offsets left out of drawn lines.
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

// readable returns the most bytes of a line whose cells have room for their texts, 0 if there are no lines, or if a
// line of whole bytes cannot be that short.
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

// drawLine draws the cells of a line, its frame and its outlines.
func (s *Strip) drawLine(c *canvas, line *Line, x, y int, texts bool, f *stripFrame) {
	width := f.width
	for k := range line.Cells {
		cell, at := &line.Cells[k], x+k*width
		if cell.Kind == Gap {
			c.text(2*at+width, y+18, middle, "m", "…")
			continue
		}
		c.cell(cell, at, y, width, cell.Count > 1, texts)
		if cell.Index != nil {
			f.at[layout.JoinInts(cell.Index, ",")] = place{at, y}
		}
	}
	c.rect("o", x, y, len(line.Cells)*width, cellHeight, "")
	for _, b := range line.Boxes {
		c.box(b, x+b.Left*width, y, x+b.End*width, y+cellHeight)
	}
	for k := range line.Cells {
		if line.Cells[k].Marked {
			c.rect("q", x+k*width, y, width, cellHeight, "")
		}
	}
}

// cell adds a cell, and its text if there is room.
func (c *canvas) cell(cell *Cell, x, y, width int, shared, texts bool) {
	class := [...]string{Element: "n", Padding: "p", Unsure: "u"}[cell.Kind]
	if cell.Tint >= 0 {
		class = "abcdefgh"[cell.Tint : cell.Tint+1]
	}
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
	if cell.Count > 0 {
		baseline = y + 21
		if text := cell.count(); smallWidth*len(text)+2 <= width {
			c.text(2*(x+width-2), y+9, end, "x", text)
		}
	}
	if texts && cell.Text != "" {
		c.text(2*x+width, baseline, middle, faded, cell.Text)
	}
}
