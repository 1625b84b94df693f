package draw

import (
	"fmt"
	"slices"
	"strconv"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/render"
)

// The sizes of a picture of a swizzle.
const (
	leastSwizzled = 8  // the minimum number of lines of memory, if memory has so many
	mostSwizzled  = 32 // lines, and chunks of a line
)

// A swizzling is a part of memory as a swizzle sees it: lines of chunks that stay together.
type swizzling struct {
	chunk, line, lines int64 // elements of a chunk, elements of a line, and the number of lines
	first              int64 // offset
}

// swizzlingOf returns the lines that show the pattern of all swizzles of some layouts.
func swizzlingOf(layouts ...layout.Layout) swizzling {
	chunk, line, period := int64(1)<<62, int64(1)<<62, int64(1)
	first, end := int64(1)<<62, int64(0)
	for _, l := range layouts {
		for _, s := range l.Swizzles() {
			chunk = min(chunk, 1<<s.Base)
			line, period = min(line, 1<<(s.Base+max(s.Shift, -s.Shift))), max(period, s.Period())
		}
		low, high := l.Bounds()
		first, end = min(first, low), max(end, high+1)
	}
	s := swizzling{chunk: chunk, line: min(line, mostSwizzled*chunk)}
	s.first = layout.FloorDiv(first, s.line) * s.line
	s.lines = min(max(period/s.line, leastSwizzled), mostSwizzled, layout.CeilDiv(end-s.first, s.line))
	return s
}

// isSwizzle reports whether a picture of tensors shows their swizzles: some tensors are swizzled, all are of moderate
// size and not empty, and no option selects other parts or colours.
func isSwizzle(o *Options, tensors ...layout.Tensor) bool {
	const most = 1 << 52
	swizzled := false
	for _, t := range tensors {
		low, high := t.Layout().Bounds()
		if t.Layout().Empty() || max(high, -low) > most {
			return false
		}
		swizzled = swizzled || t.Layout().IsSwizzled()
	}
	isPlain := o.Cells == 0 && o.ColorBy == ByAxis && o.Axis == nil && o.Show == Offsets
	return swizzled && isPlain && o.Labels.Values == nil
}

// swizzledPicture draws a swizzled tensor: its memory without the swizzle, and with it.
func swizzledPicture(t layout.Tensor, o Options) (*Picture, error) {
	caption := render.TensorCaption(t, analysis.Of(t.Layout()))
	caption.Title += " · " + render.StridesTitle(t.Layout())
	affine := t.Layout().Affine()
	s := swizzlingOf(t.Layout())
	titles := []string{"memory before the swizzle", "memory after it"}
	return s.picture(t, titles, []layout.Layout{affine, t.Layout()}, caption, o)
}

// swizzledPair draws the memory of two tensors if at least one of them is swizzled. The first difference is outlined.
func swizzledPair(a, b layout.Tensor, d *analysis.Difference, o Options) (*Picture, error) {
	caption := render.ComparisonCaption(a, b, d)
	if d != nil {
		o.Mark = append(o.Mark, d.Index)
	}
	s := swizzlingOf(a.Layout(), b.Layout())
	titles := []string{caption.Tensors[0], caption.Tensors[1]}
	return s.picture(a, titles, []layout.Layout{a.Layout(), b.Layout()}, caption, o)
}

// picture draws the memory of layouts of the same elements side by side. A colour is the column of a chunk in the first
// one.
func (s swizzling) picture(
	t layout.Tensor, titles []string, layouts []layout.Layout, caption render.Caption, o Options,
) (*Picture, error) {
	marks, err := s.marks(t, &o)
	if err != nil {
		return nil, err
	}
	if len(marks) > 0 { // the lines have the first of them
		if offset, _ := layouts[0].Offset(marks[0]); offset >= s.first+s.lines*s.line {
			s.first += layout.FloorDiv(offset-s.first, s.lines*s.line) * s.lines * s.line
		}
	}
	pic := newBoards(caption, &o)
	for i, l := range layouts {
		b := s.board(t, l, layouts[0], marks)
		b.Title, b.Column = titles[i], i
		pic.Boards = append(pic.Boards, b)
	}
	unit := render.Counted(s.chunk, "element")
	if n := t.DType().Bits(); n > 0 {
		unit = render.Counted(s.chunk, "element") + ", " + render.ByteWords(t, s.chunk) + " bytes"
	}
	legend := "a chunk of " + unit + " stays together: its text is the index of its first element; a color is its " +
		"column before the swizzle"
	pic.Legends = []string{legend, fmt.Sprintf(
		"a chunk of %s stays together: its text and its color are its column before the swizzle", unit)}
	low, high := layouts[0].Bounds()
	if n := layout.FloorDiv(high, s.line) - layout.FloorDiv(low, s.line) + 1; n > s.lines {
		pic.Boards[0].Notes = []string{render.Group(s.lines) + " of " + render.Counted(n, "line") + " drawn"}
	}
	return pic, nil
}

// marks returns the indices of the requested elements.
func (s swizzling) marks(t layout.Tensor, o *Options) (marks [][]int64, err error) {
	finder := s.finder(t.Layout())
	for _, offset := range o.MarkAt {
		if index, _ := finder.First(offset); index != nil {
			marks = append(marks, slices.Clone(index))
		}
	}
	return append(marks, o.Mark...), nil
}

// finder returns a finder of elements with the limits of a screen.
func (s swizzling) finder(l layout.Layout) *analysis.Finder {
	t, _ := layout.NewTensor(l, layout.DType(0))
	return newPlan(&Options{Cells: screenCells}, t).newFinder(l)
}

// board returns the lines of a layout. Marked elements outline their chunks.
func (s swizzling) board(t layout.Tensor, l, before layout.Layout, marks [][]int64) (b Board) {
	finder := s.finder(l)
	marked := map[int64]int{}
	for i, index := range marks {
		offset, _ := l.Offset(index)
		marked[layout.FloorDiv(offset, s.chunk)] = i + 1
	}
	axes := labelAxes(l)
	for slot := range s.line / s.chunk {
		b.Top = append(b.Top, strconv.FormatInt(slot, 10))
	}
	for line := range s.lines {
		start := s.first + line*s.line
		cells := make([]Cell, s.line/s.chunk)
		for slot := range cells {
			offset := start + int64(slot)*s.chunk
			c := Cell{Kind: Padding, Offset: offset, Tint: -1, Mark: marked[layout.FloorDiv(offset, s.chunk)]}
			if index, _ := finder.First(offset); index != nil {
				from, _ := before.Offset(index)
				column := mod(from, s.line) / s.chunk
				c.Kind, c.Index, c.Tint = Element, index, int8(column%tints)
				c.Text, c.Short = indexText(index, axes), []string{strconv.FormatInt(column, 10)}
				c.Group = "chunk " + indexText(index, axes)
				c.Words = fmt.Sprintf("offset %d, %d before the swizzle (byte %s)", offset, from,
					render.ByteText(t, offset))
			}
			cells[slot] = c
		}
		b.Cells, b.Left = append(b.Cells, cells), append(b.Left, strconv.FormatInt(start, 10))
	}
	return b
}
