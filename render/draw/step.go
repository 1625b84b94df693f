package draw

import (
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/render"
)

// A step is the way from the first element of a tensor to a later one along an axis.
type step struct {
	axis   int
	count  int64 // the number of indices: 1, or the indices of a block
	offset int64 // the distance in the storage
}

// steps returns the steps of one index along each axis of size above 1, with the steps of whole blocks behind them.
func steps(l layout.Layout) (list []step) {
	if l.Empty() || l.IsSwizzled() { // a swizzled tensor has no constant step
		return nil
	}
	index := make([]int64, l.Rank())
	first, _ := l.Offset(index)
	for i := range index {
		axis, count := l.Axis(i), int64(1)
		for k := axis.Digits() - 1; k >= 0 && count < axis.Size(); k-- {
			if extent := axis.Digit(k).Extent; extent > 1 {
				index[i] = count
				offset, _ := l.Offset(index)
				list = append(list, step{i, count, offset - first})
				count *= extent
			}
		}
		index[i] = 0
	}
	return list
}

// label writes the step with an arrow behind the name of the axis: H↓ +12, or 16C +256 for a block.
func (s step) label(l layout.Layout, arrow string) string {
	name, sign := axisLabel(l, s.axis), "+"
	switch {
	case s.count > 1:
		space := " "
		if len(name) == 1 {
			space = ""
		}
		name = strconv.FormatInt(s.count, 10) + space + name
	case arrow != "" && !l.Named():
		name += " " + arrow
	default:
		name += arrow
	}
	if s.offset < 0 {
		sign = ""
	}
	return name + " " + sign + strconv.FormatInt(s.offset, 10)
}

// axisLabel returns the name of an axis: dim 0 for the first axis without one.
func axisLabel(l layout.Layout, axis int) string {
	if l.Named() {
		return l.AxisName(axis)
	}
	return "dim " + l.AxisName(axis)
}

// stepLabels writes the steps along the axes of a grid, and those along all other axes.
func (p *Panel) stepLabels(g *Grid) (inner, outer string) {
	l := p.Tensor.Layout()
	var across, down, other []string
	for _, s := range steps(l) {
		switch {
		case s.axis == g.Row:
			down = append(down, s.label(l, "↓"))
		case s.axis == g.Column:
			across = append(across, s.label(l, "→"))
		default:
			other = append(other, s.label(l, ""))
		}
	}
	space := ""
	if !l.Named() {
		space = " "
	}
	if len(across) == 0 && g.Column >= 0 {
		across = []string{axisLabel(l, g.Column) + space + "→"}
	}
	if len(down) == 0 && g.Row >= 0 {
		down = []string{axisLabel(l, g.Row) + space + "↓"}
	}
	return strings.Join(append(down, across...), "  "), strings.Join(other, "  ")
}

// labelAxes returns the axes in labels: axes of size above 1, or otherwise all axes.
func labelAxes(l layout.Layout) (axes []int) {
	all := l.Elements() == 1
	for i, n := range l.Sizes() {
		if all || n != 1 {
			axes = append(axes, i)
		}
	}
	return axes
}

// indexText writes the parts of an index along some axes.
func indexText(index []int64, axes []int) string {
	text := make([]byte, 0, 32)
	for i, axis := range axes {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, index[axis], 10)
	}
	return string(text)
}

// drawSteps draws an arrow from the label of the first column to the second one, and another from row to row.
func (f *gridFrame) drawSteps(c *canvas, g *Grid, xs, ys []int) {
	beside := func(list []int64) bool { return len(list) > 1 && list[1] == list[0]+1 }
	if g.Column >= 0 && beside(g.Columns) {
		half := charWidth * len(strconv.FormatInt(g.Columns[0], 10))
		to := 2*xs[1] + f.cell - 4
		if slices.Max(g.Columns) == g.Columns[1] {
			to -= charWidth * len(strconv.FormatInt(g.Columns[1], 10))
		}
		if from := 2*xs[0] + f.cell + half + 4; to-from >= 16 {
			c.arrow("st", point{from, ys[0] - 10}, point{to, ys[0] - 10})
		}
	}
	if g.Row >= 0 && beside(g.Rows) {
		x, to := 2*xs[0]-10-charWidth, ys[1]+17
		if slices.Max(g.Rows) == g.Rows[1] {
			to = ys[1] + 6
		}
		c.arrow("st", point{x, ys[0] + 21}, point{x, to})
	}
}

// drawNext draws an arrow from the caption of the first grid at x to the second grid, if that is next to it and one
// step further along an axis.
func (f *gridFrame) drawNext(c *canvas, p *Panel, x, y int) {
	if len(p.Grids) < 2 || f.across < 2 {
		return
	}
	ones := 0
	for i, v := range p.Grids[1].Outer {
		switch v - p.Grids[0].Outer[i] {
		case 0:
		case 1:
			ones++
		default:
			return
		}
	}
	from, to := x+charWidth*render.Columns(p.caption(&p.Grids[0]))+6, x+f.width+gap-4
	if ones == 1 && to-from >= gap {
		c.arrow("st", point{2 * from, y}, point{2 * to, y})
	}
}

// An arc is a step within the first line of a strip.
type arc struct {
	label    string
	from, to int // the two cells in the line
}

// arcs returns the steps of one index that stay in the first drawn line of the strip, the nearest first. They start at
// the first element, which must be in the line.
func (s *Strip) arcs() (list []arc) {
	l := s.Tensor.Layout()
	if len(s.Lines) == 0 || l.Empty() {
		return nil
	}
	base, _ := l.Offset(make([]int64, l.Rank()))
	cells := s.Lines[0].Cells
	at := func(offset int64) int {
		return slices.IndexFunc(cells, func(c Cell) bool { return c.Kind == Element && c.Offset == offset })
	}
	from := at(base)
	for _, step := range steps(l) {
		if to := at(base + step.offset); step.count == 1 && step.offset != 0 && from >= 0 && to >= 0 {
			list = append(list, arc{step.label(l, ""), from, to})
		}
	}
	width := func(a arc) int { return max(a.to-a.from, a.from-a.to) }
	sort.SliceStable(list, func(i, k int) bool { return width(list[i]) < width(list[k]) })
	return list
}

// arcHeight is the height of an arc above the one below it.
const arcHeight = 14

// drawArcs draws arcs above a line of cells at y, the longest at the top. The first cell is at x. The arcs pass the
// head of the strip. Labels are to the left of all arcs, so that no arc crosses a label; a name is cut where it would
// be outside of the picture.
func drawArcs(c *canvas, list []arc, x, y, width int) {
	left := math.MaxInt
	for _, a := range list {
		left = min(left, 2*(x+min(a.from, a.to)*width)+width)
	}
	for i, a := range list {
		top := y - headHeight - 8 - arcHeight*i
		from, to := 2*(x+a.from*width)+width, 2*(x+a.to*width)+width
		c.arrow("st", point{from, y - 2}, point{from, top}, point{to, top}, point{to, y - 2})
		room, space := ((left-8)/2-margin)/charWidth, strings.LastIndexByte(a.label, ' ')
		c.text(left-8, top+4, end, "m", clipped(a.label[:space], room-len(a.label[space:]))+a.label[space:])
	}
}
