package render

import (
	"fmt"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
)

// MaxCells is the maximum number of offsets and of elements in a picture, unless more are requested.
const MaxCells = 1024

// A Window is the part of a tensor's storage to show, with a string for each element.
type Window struct {
	From, To int64    // offsets; To is excluded
	Whole    bool     // it is the whole storage: also show the logical view
	Values   []string // the strings of the elements, by ordinal; letters if nil
	Stored   bool     // Values are indexed by offset
	Indices  bool     // show indices instead
	All      bool     // show all offsets, regardless of their number

	Text func(index []int64) string // the string for an element; if nil, Values
	Tint func(index []int64) int    // the number of an element's colour; nil for the colour of its outermost index
}

// count returns the number of offsets in the window.
func (w Window) count() uint64 { return uint64(w.To) - uint64(w.From) }

// Picture writes the element at each offset, like DirectML's documents: the logical view, followed by pairs of rows,
// offsets and elements. Up to 26 elements are letters. If there are more, the view has the offsets, and the rows the
// indices. If the whole storage has more than maxBands pairs of rows, only the view is written, with the offsets. It
// counts the offsets after the first MaxCells, or writes one line per offset if the window has all.
func (p *Printer) Picture(t layout.Tensor, v Window) error {
	pic := newPicture(p, t, t.Layout(), v)
	large := v.count() > MaxCells
	p.paragraph(p.bufferLine()...)
	switch elements := t.Layout().Elements(); {
	case v.All && large:
		pic.list()
		return p.Flush()
	case large && v.Whole && elements > 0 && t.Layout().Rank() > 0:
		p.paragraph(pic.more(0), "")
		p.pre(pic.corners())
	case large:
		pic.find()
		p.paragraph(pic.more(len(pic.shown)), "")
		pic.bands()
	default:
		pic.find()
		hasView := v.Whole && 0 < elements && elements <= MaxCells && t.Layout().Rank() > 0
		pic.brief = hasView && !v.All && pic.isLong()
		if hasView {
			p.paragraph(captions().heading(t)+" · "+pic.subject(), "") // here, colours mark indices, not axes
			p.pre(pic.logical())
			p.paragraph("")
		}
		if pic.brief {
			p.paragraph(Group(v.count()) + " offsets: --all shows the storage")
		} else {
			pic.bands()
		}
	}
	p.paragraph(pic.notes()...)
	p.paragraph(pic.legend()...)
	return p.Flush()
}

// A picture is a drawing of a tensor's storage.
type picture struct {
	p      *Printer
	t      layout.Tensor
	source layout.Layout // its ordinals count letters and values
	window Window
	finder *analysis.Finder
	shown  []slot
	outer  int  // the outermost axis of size above 1, for colours; may be -1
	brief  bool // the storage is not drawn, so the logical view has the offsets
}

// A slot is an offset and the text of its element.
type slot struct {
	offset  int64
	label   string
	tint    int // the index along the outermost axis, as in pictures of draw; may be -1
	padding bool
}

func newPicture(p *Printer, t layout.Tensor, source layout.Layout, v Window) *picture {
	outer := slices.IndexFunc(t.Layout().Axes(), func(a layout.Axis) bool { return a.Size() > 1 })
	return &picture{p: p, t: t, source: source, window: v, finder: analysis.NewFinder(t.Layout()), outer: outer}
}

// find finds the elements at the offsets to show.
func (pic *picture) find() {
	from := pic.window.From
	for offset := from; offset < from+int64(min(pic.window.count(), MaxCells)); offset++ {
		pic.shown = append(pic.shown, pic.slot(offset))
	}
}

// slot finds the first element at an offset.
func (pic *picture) slot(offset int64) slot {
	index, none := pic.finder.First(offset)
	if index == nil {
		return slot{offset, unoccupied(none), -1, true}
	}
	return slot{offset, pic.label(index), pic.tint(index), false}
}

// tint returns the index of an element's colour.
func (pic *picture) tint(index []int64) int {
	switch {
	case pic.window.Tint != nil:
		return pic.window.Tint(index)
	case pic.outer < 0:
		return -1
	}
	return int(index[pic.outer])
}

// maxLetters is the maximum number of elements that are letters. Elements that are repeated by broadcasting count once.
const maxLetters = 26

// maxBands is the maximum number of pairs of rows of a storage without values that is drawn unasked.
const maxBands = 3

// isLong reports whether a storage without values has more than maxBands pairs of rows.
func (pic *picture) isLong() bool {
	perBand, _ := pic.perBand()
	return !pic.window.hasTexts() && len(pic.shown) > maxBands*perBand
}

// numbered reports whether offsets and indices represent the elements, because there are no values, and too many
// elements for letters.
func (pic *picture) numbered() bool {
	return !pic.window.hasTexts() && (pic.brief || pic.source.Ordinals() > maxLetters)
}

// hasTexts reports whether elements are shown as something other than letters and offsets.
func (v *Window) hasTexts() bool { return v.Values != nil || v.Indices || v.Text != nil }

// subject describes how the logical view represents the elements.
func (pic *picture) subject() string {
	switch {
	case pic.window.Indices:
		return "indices of the elements"
	case pic.window.Values != nil:
		return "values of the elements"
	case pic.numbered():
		return "offsets of the elements"
	}
	return "elements as letters"
}

// label returns the text of an element in the storage.
func (pic *picture) label(index []int64) string {
	if pic.numbered() {
		return layout.JoinInts(index, ",")
	}
	return pic.p.clean(pic.window.Label(pic.source, index))
}

// Label returns the text of the element at an index of the layout of the values.
func (v *Window) Label(l layout.Layout, index []int64) string {
	switch {
	case v.Text != nil:
		return v.Text(index)
	case v.Indices:
		return layout.JoinInts(index, ",")
	case v.Stored:
		offset, _ := l.Offset(index)
		return v.Values[offset]
	case v.Values != nil:
		return v.Values[l.Ordinal(index)]
	}
	return letters(l.Ordinal(index))
}

// letters returns A to Z, then AA, AB and so on.
func letters(n int64) string {
	text := ""
	for n++; n > 0; n = (n - 1) / 26 {
		text = string(rune('A'+(n-1)%26)) + text
	}
	return text
}

// logical returns the tensor in the order of its indices: the last axis is along a line, the one before it across the
// lines, and the titles of such blocks have the other indices. If the lines are cut, the last one tells how to see all.
func (pic *picture) logical() []string {
	l, width := pic.t.Layout(), 1
	var slots []slot
	for index, offset := range l.All() {
		s := slot{label: text(offset), tint: pic.tint(index)}
		if !pic.numbered() {
			s.label = pic.first(offset, pic.label)
		}
		slots, width = append(slots, s), max(width, Columns(s.label))
	}
	perLine := max(1, (pic.p.options.Width-1)/(width+1))
	if pic.p.options.Piped {
		perLine = len(slots)
	}
	inner := l.Rank() - 1
	var lines []string
	for index := range l.All() {
		if index[inner] > 0 {
			continue
		}
		if inner >= 2 && index[inner-1] == 0 {
			lines = append(lines, pic.title(index[:inner-1]))
		}
		row, more := slots[:l.Axis(inner).Size()], ""
		slots = slots[len(row):]
		if len(row) > perLine {
			row, more = row[:perLine], " …"
		}
		cells := make([]string, len(row))
		for i, s := range row {
			cells[i] = strings.Repeat(" ", width-Columns(s.label)) + pic.p.palette.Axis(s.tint, s.label)
		}
		lines = append(lines, strings.Join(cells, " ")+more)
	}
	if all := l.Axis(inner).Size(); all > int64(perLine) && len(lines) > 0 {
		note := fmt.Sprintf("%d of %s shown: --width %d or -o csv has all", perLine, Counted(all, "column"),
			all*int64(width+1)+1)
		lines = append(lines, strings.Split(pic.p.wrap(note), "\n")...)
	}
	return lines
}

// title returns the title of a block: the indices along its outer axes.
func (pic *picture) title(outer []int64) string {
	var plain *Palette
	return pic.p.palette.Faint(strings.Join(plain.labelled(pic.t.Layout(), outer, "="), ", ") + ":")
}

// first returns the label of the first element at an offset.
func (pic *picture) first(offset int64, label func(index []int64) string) string {
	index, none := pic.finder.First(offset)
	if index == nil {
		return unoccupied(none)
	}
	return label(index)
}

// perBand returns the number of slots in a pair of rows, and the width of a slot.
func (pic *picture) perBand() (slots, width int) {
	width = 1
	for _, c := range pic.shown {
		width = max(width, len(text(c.offset)), Columns(c.label))
	}
	return max(1, (pic.p.options.Width-len(" Offset:"))/(width+3)), width
}

// bands draws the slots in pairs of rows that fit in the width. On a terminal they are one table, so that columns are
// aligned; Markdown needs a table for each.
func (pic *picture) bands() {
	perBand, width := pic.perBand()
	var all grid
	for band := range slices.Chunk(pic.shown, perBand) {
		g := pic.band(band, width)
		switch {
		case pic.p.options.Format == Markdown:
			if band[0].offset > pic.window.From {
				pic.p.paragraph("")
			}
			pic.p.w.markdown(g)
		case all.header == nil:
			all = g
		default:
			all.rows = append(all.rows, make([]string, len(all.header)), pad(g.header, len(all.header)),
				pad(g.rows[0], len(all.header)))
		}
	}
	if len(pic.shown) == 0 && pic.t.Layout().Empty() {
		pic.p.paragraph("empty: no elements")
	} else if all.header != nil {
		pic.p.draw(all)
	}
}

// pad adds empty cells to a row.
func pad(row []string, n int) []string { return append(row, make([]string, n-len(row))...) }

// band returns a pair of rows: offsets, and the strings of their elements.
func (pic *picture) band(slots []slot, width int) grid {
	g := grid{left: []int{0}}
	g.header = []string{pic.p.palette.Faint("Offset:")}
	title := "Value:"
	if pic.numbered() {
		title = "Index:"
	}
	g.rows = [][]string{{pic.p.palette.Faint(title)}}
	for _, s := range slots {
		label := pic.p.palette.Axis(s.tint, s.label)
		if s.padding {
			label = pic.p.palette.Faint(s.label)
		}
		g.header = append(g.header, fmt.Sprintf("%*d", width, s.offset))
		g.rows[0] = append(g.rows[0], label)
	}
	return g
}

// notes returns facts that the picture does not show.
func (pic *picture) notes() []string {
	var notes []string
	f := analysis.Of(pic.t.Layout())
	if len(f.Broadcast) > 0 && f.Elements > 0 {
		notes = append(notes, pic.p.broadcastLine(pic.t.Layout(), f))
	}
	if f.Overlapping == analysis.Yes {
		note := "elements overlap"
		if !pic.brief {
			note += ": each offset shows the first of those that share it"
		}
		notes = append(notes, note)
	}
	if pic.window.count() == 0 && f.Elements > 0 {
		notes = append(notes, fmt.Sprintf("no offsets in the range; the storage is %d:%d", f.Low, pic.t.End()))
	}
	if len(notes) > 0 {
		notes = append([]string{""}, notes...)
	}
	return notes
}

// more states the number of offsets, and the flags that show the rest.
func (pic *picture) more(shown int) string {
	words := Group(pic.window.count()) + " offsets"
	narrow := !pic.p.options.Piped && pic.p.options.Width < 60
	switch {
	case shown > 0:
		words = Group(int64(shown)) + " of " + words + " shown"
	case narrow:
		words += ", the corners"
	default:
		words += ", those of the corners shown"
	}
	if narrow {
		return words + ": --range A:B, --all or -o csv has others"
	}
	return words + ": --range A:B shows others, --all streams them all, -o csv or -o json the elements"
}

// legend describes the meaning of the colours, if there are any.
func (pic *picture) legend() []string {
	colored := func(s slot) bool { return s.tint >= 0 }
	if pic.p.options.Colors == NoColors || !slices.ContainsFunc(pic.shown, colored) {
		return nil
	}
	return []string{"", pic.p.palette.Faint("colors: the index along " + pic.t.Layout().AxisName(pic.outer))}
}

// corners returns the elements at both ends of each axis, as NumPy prints large arrays: the last axis is along a line,
// the one before it across the lines, and of the other axes only the first and the last blocks are shown. Elements are
// shown as offsets, unless the window has values.
func (pic *picture) corners() (lines []string) {
	l, p := pic.t.Layout(), pic.p
	inner, edge := l.Rank()-1, 3
	outer := max(inner-1, 0)
	blocks := [][]int64{make([]int64, outer)}
	last := make([]int64, outer)
	for i := range last {
		last[i] = l.Axis(i).Size() - 1
	}
	if !slices.Equal(blocks[0], last) {
		blocks, edge = append(blocks, last), 1
	}
	rows := []int64{0}
	if inner > 0 {
		rows = ends(l.Axis(outer).Size(), edge)
	}
	grids, width := pic.cornerCells(blocks, rows, 3)
	for n := 2; n > 0 && !p.options.Piped && len(grids[0][0])*(width+1) > p.options.Width+1; n-- {
		grids, width = pic.cornerCells(blocks, rows, n)
	}
	for i, block := range blocks {
		if i > 0 {
			lines = append(lines, p.ellipsis())
		}
		if outer > 0 {
			lines = append(lines, pic.title(block))
		}
		for _, cells := range grids[i] {
			for k := range cells {
				cells[k] = strings.Repeat(" ", max(width-visible(cells[k]), 0)) + cells[k]
			}
			lines = append(lines, strings.Join(cells, " "))
		}
	}
	return lines
}

// cornerCells returns the cells in the rows of each block, n at each end, and the largest width. A negative row only
// has a mark.
func (pic *picture) cornerCells(blocks [][]int64, rows []int64, n int) (grids [][][]string, width int) {
	l := pic.t.Layout()
	inner := l.Rank() - 1
	for _, block := range blocks {
		var grid [][]string
		for _, row := range rows {
			var cells []string
			for _, column := range ends(l.Axis(inner).Size(), n) {
				cell := pic.p.ellipsis()
				if row >= 0 && column >= 0 {
					cell = pic.corner(slices.Concat(block, []int64{row}[:min(inner, 1)], []int64{column}))
				}
				if row >= 0 || len(cells) == 0 {
					cells = append(cells, cell)
				}
				width = max(width, Columns(cell))
			}
			grid = append(grid, cells)
		}
		grids = append(grids, grid)
	}
	return grids, width
}

// corner returns the text of an element in a corner.
func (pic *picture) corner(index []int64) string {
	if pic.window.hasTexts() {
		return pic.label(index)
	}
	offset, _ := pic.t.Layout().Offset(index)
	return text(offset)
}

// ends returns the first n and the last n numbers below size, with -1 for the numbers between them.
func ends(size int64, n int) (list []int64) {
	for i := range min(size, int64(2*n)) {
		switch {
		case size <= int64(2*n) || i < int64(n):
			list = append(list, i)
		case i == int64(n):
			list = append(list, -1, size-int64(n))
		default:
			list = append(list, size-int64(2*n)+i)
		}
	}
	return list
}

// list writes one line per offset.
func (pic *picture) list() {
	w := pic.p.w
	width := max(len(text(pic.window.To-1)), len(text(pic.window.From)), len("offset"))
	line := func(offset, label string) {
		w.Text(" ", strings.Repeat(" ", width-len(offset)), offset, " ", pic.p.palette.Faint(frame), " ", label)
		w.Line()
	}
	if pic.p.options.Format == Markdown {
		w.markdown(grid{header: []string{"offset", "value"}, left: []int{1}})
		line = func(offset, label string) { w.markdownRow(offset, label) }
	} else {
		line("offset", "value")
	}
	for offset := pic.window.From; offset < pic.window.To && w.Failure() == nil; offset++ {
		line(text(offset), pic.first(offset, pic.elementText))
	}
}

// elementText returns the text of an element in a line: its value, if the window has values, and its index.
func (pic *picture) elementText(index []int64) string {
	position := pic.p.position(pic.t.Layout(), index)
	if pic.window.Values != nil {
		return pic.label(index) + " " + position
	}
	return position
}
