package draw

import (
	"slices"
	"strconv"

	"layoutcalc/layout"
	"layoutcalc/render"
)

// A Tile is a tile to be drawn as a board. Threads hold its elements.
type Tile struct {
	Title       string
	Row, Column int           // its position among the boards
	Of          layout.Tensor // the tile
	Cell        func(index []int64) render.HolderCell
	Fade        func(index []int64) bool // nil to fade no element
	Mark        [][]int64                // indices of elements to outline
}

// Tiles draws tiles, as much of each as a screen has room for. The last one has the requested slice.
func Tiles(tiles []Tile, caption render.Caption, legends []string, o Options) (*Picture, error) {
	boards := make([]*boardPart, len(tiles))
	for i := range tiles {
		s := &subject{tensor: tiles[i].Of}
		if err := s.request(&o, i == len(tiles)-1); err != nil {
			return nil, err
		}
		boards[i] = newBoardPart(s, tiles[i].Mark)
	}
	pic := newBoards(caption, &o)
	pic.Legends = legends
	for {
		pic.Boards = nil
		for i, part := range boards {
			pic.Boards = append(pic.Boards, tiles[i].board(part))
		}
		f := pic.boardFrame()
		columnsFit := f.fits
		if f = pic.lowered(f); f.fits || !smaller(boards, columnsFit) {
			return pic, nil
		}
	}
}

// newBoards returns a picture without boards yet.
func newBoards(caption render.Caption, o *Options) *Picture {
	for _, note := range o.Notes {
		caption.Lines = append(caption.Lines, "note: "+render.Clean(note))
	}
	return &Picture{Caption: caption, Command: o.Command, Theme: o.Theme}
}

// A boardPart is the part of a tensor that a board shows: of axes outside of it the first requested index. A vector
// that is too long for a row goes on in the next row.
type boardPart struct {
	*subject
	from   [2]int64 // the first row and column
	size   [2]int64 // the rows and columns
	of     [2]int64
	folded bool
}

const (
	foldedRow = 32 // the elements of a row of a vector
	mostRows  = 80 // more than a screen has room for
	mostCells = 96 // cells in a row: more than a screen has room for
)

// newBoardPart returns the part with all requested elements.
func newBoardPart(s *subject, marks [][]int64) *boardPart {
	p := &boardPart{subject: s, of: [2]int64{1, 1}}
	for i, axis := range [...]int{s.row, s.column} {
		if axis >= 0 {
			p.of[i] = s.to[axis] - s.from[axis]
		}
	}
	if s.row < 0 && p.of[1] > 2*foldedRow {
		p.folded, p.of = true, [2]int64{layout.CeilDiv(p.of[1], foldedRow), foldedRow}
	}
	s.marks = nil
	for _, index := range marks {
		s.marks = append(s.marks, mark{index: index})
	}
	p.resize([2]int64{mostRows, mostCells})
	return p
}

// index returns the index of a cell; it reports false behind the end of a vector.
func (p *boardPart) index(row, column int64) ([]int64, bool) {
	index := slices.Clone(p.subject.from)
	if p.folded {
		index[p.column] += row*foldedRow + column
		return index, index[p.column] < p.to[p.column]
	}
	if p.row >= 0 {
		index[p.row] += row
	}
	if p.column >= 0 {
		index[p.column] += column
	}
	return index, true
}

// place returns the row and the column of an element in the board.
func (p *boardPart) place(index []int64) (place [2]int64) {
	for i, axis := range [...]int{p.row, p.column} {
		if axis >= 0 {
			place[i] = index[axis] - p.subject.from[axis]
		}
	}
	if p.folded {
		return [2]int64{place[1] / foldedRow, place[1] % foldedRow}
	}
	return place
}

// resize limits the rows and columns, so that the part has the first mark.
func (p *boardPart) resize(limits [2]int64) {
	var at [2]int64
	if len(p.marks) > 0 {
		at = p.place(p.marks[0].index)
	}
	for i := range p.size {
		p.size[i] = min(p.of[i], limits[i])
		p.from[i] = max(min(at[i]/p.size[i]*p.size[i], p.of[i]-p.size[i]), 0)
	}
}

// smaller halves the columns of the largest parts, or their rows if the columns fit. It reports false if they are small
// already.
func smaller(parts []*boardPart, columnsFit bool) bool {
	const least = 4
	axis := 1
	if columnsFit {
		axis = 0
	}
	most := int64(0)
	for _, p := range parts {
		most = max(most, p.size[axis])
	}
	next := int64(1)
	for 2*next < most {
		next *= 2
	}
	for _, p := range parts {
		limits := p.size
		limits[axis] = next
		p.resize(limits)
	}
	return most > least
}

// board returns the board of the part of a tile.
func (t *Tile) board(p *boardPart) Board {
	b := Board{Title: t.Title, Row: t.Row, Column: t.Column}
	l := t.Of.Layout()
	var warps, halves [][]int64
	drawn := int64(0)
	for r := range p.size[0] {
		row := r + p.from[0]
		cells, warp, half := make([]Cell, p.size[1]), make([]int64, p.size[1]), make([]int64, p.size[1])
		for k := range cells {
			index, ok := p.index(row, int64(k)+p.from[1])
			if warp[k], half[k] = -1, -1; !ok {
				cells[k].Kind = Gap
				continue
			}
			of := t.Cell(index)
			offset, _ := l.Offset(index)
			cells[k] = Cell{
				Index: index, Offset: offset, Text: of.Texts[0], Short: of.Texts[1:],
				Tint: int8(max(of.Tint, -1) % tints), Group: of.Group, Words: of.Words,
				Faded: t.Fade != nil && t.Fade(index),
			}
			if i := slices.IndexFunc(t.Mark, func(m []int64) bool { return slices.Equal(m, index) }); i >= 0 {
				cells[k].Mark = 1
			}
			warp[k], half[k] = of.Warp, of.Half
			drawn++
		}
		label := ""
		if first, _ := p.index(row, 0); p.folded {
			label = strconv.FormatInt(first[p.column], 10)
		} else if p.row >= 0 {
			label = strconv.FormatInt(first[p.row], 10)
		}
		b.Cells, b.Left = append(b.Cells, cells), append(b.Left, label)
		warps, halves = append(warps, warp), append(halves, half)
	}
	for k := range p.size[1] {
		first := int64(0)
		if p.column >= 0 && !p.folded {
			first = p.subject.from[p.column]
		}
		b.Top = append(b.Top, strconv.FormatInt(first+k+p.from[1], 10))
	}
	b.Boxes = append(regions(halves, 2), regions(warps, 1)...)
	if n := l.Elements(); drawn < n {
		b.Notes = append(b.Notes, render.Group(drawn)+" of "+render.Group(n)+" elements drawn; --slice chooses others")
	}
	return b
}

// IsWhole reports whether all elements of all boards are drawn, with text.
func (p *Picture) IsWhole() bool {
	for i := range p.Boards {
		if len(p.Boards[i].Notes) > 0 {
			return false
		}
	}
	return p.lowered(p.boardFrame()).fits
}
