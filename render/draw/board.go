package draw

// Pictures of boards are made in holders.go (threads and their elements, tiles), lanes.go (banks and sectors) and
// swizzled.go.

import (
	"slices"
	"strconv"

	"layoutcalc/layout"
	"layoutcalc/render"
)

// A Board shows cells in rows and columns with separate labels, such as the lanes that read each bank. The boards of a
// picture are in rows and columns too, and their cells have one size.
type Board struct {
	Title       string
	Row, Column int      // the position among the boards
	Left, Top   []string // the labels of the rows and of the columns
	Cells       [][]Cell // by row; a [Gap] is empty
	Boxes       []Box
	Notes       []string // sentences below the cells
}

// Sizes of boards, in pixels.
const (
	leastRow   = 13  // the minimum height of a cell with text
	boardTitle = 240 // the width for titles of narrow boards
	labelRow   = 16  // the height of the labels of columns
)

// text returns the text of a cell at a level: Text at level 0, and shorter strings at higher levels.
func (c *Cell) text(level int) string {
	if level == 0 || len(c.Short) == 0 {
		return c.Text
	}
	return c.Short[min(level, len(c.Short))-1]
}

// A boardFrame has the measures of the boards of a picture.
type boardFrame struct {
	cell, height int // the size of a cell
	level        int // the level of the cells' text
	fits         bool
	left, widths []int // the sizes of the row labels and of the boards, by column
	columns      int   // the maximum number of cells side by side
	rows         int   // the maximum number of cells one below the other
}

// boardFrame chooses the longest cell texts that fit the width of a page, and the width of cells. The height includes
// all cells until [Picture.lowered] changes it.
func (p *Picture) boardFrame() boardFrame {
	var columns, rows, titles []int
	f := boardFrame{height: cellHeight}
	set := func(list *[]int, i, n int) {
		for len(*list) <= i {
			*list = append(*list, 0)
		}
		(*list)[i] = max((*list)[i], n)
	}
	levels := 0
	for i := range p.Boards {
		b := &p.Boards[i]
		set(&columns, b.Column, len(b.Top))
		set(&rows, b.Row, len(b.Left))
		set(&titles, b.Column, min(charWidth*render.Columns(b.Title), boardTitle))
		for _, label := range b.Left {
			set(&f.left, b.Column, charWidth*render.Columns(label)+8)
		}
		for _, cells := range b.Cells {
			for k := range cells {
				levels = max(levels, len(cells[k].Short))
			}
		}
	}
	room := pageWidth - gap*(len(columns)-1)
	for i := range columns {
		f.columns += columns[i]
		room -= f.left[i]
	}
	for _, n := range rows {
		f.rows += n
	}
	for ; ; f.level++ {
		characters := 1
		for i := range p.Boards {
			for _, cells := range p.Boards[i].Cells {
				for k := range cells {
					characters = max(characters, render.Columns(cells[k].text(f.level)))
				}
			}
		}
		f.cell = min(cellWidth(characters), max(room/max(f.columns, 1), leastCell))
		if f.fits = fitsText(f.cell, characters); f.fits || f.level == levels {
			break
		}
	}
	for i, n := range columns {
		f.widths = append(f.widths, max(f.left[i]+n*f.cell, titles[i]))
	}
	return f
}

// drawBoards draws the boards, and returns the y below them.
func (p *Picture) drawBoards(c *canvas, f *boardFrame, y int) int {
	last := 0
	for i := range p.Boards {
		last = max(last, p.Boards[i].Row)
	}
	for row := range last + 1 {
		top, bottom := y, y
		for i := range p.Boards {
			if b := &p.Boards[i]; b.Row == row {
				top = max(top, y+16*len(wrapped(b.Title, f.widths[b.Column]/charWidth)))
			}
		}
		for i := range p.Boards {
			if b := &p.Boards[i]; b.Row == row {
				x := margin
				for _, width := range f.widths[:b.Column] {
					x += width + gap
				}
				bottom = max(bottom, b.draw(c, f, x, y, top))
			}
		}
		if y = bottom; row < last {
			y += gap
		}
	}
	return y
}

// draw draws a board with its title at y and its labels at top, and returns the y below it.
func (b *Board) draw(c *canvas, f *boardFrame, x, y, top int) int {
	c.raw("<g class=\"board\">\n")
	c.lines(x, y, f.widths[b.Column], "y", b.Title)
	xs, y := x+f.left[b.Column], top+labelRow
	for i, label := range spread(b.Top, f.cell) {
		if label != "" {
			c.text(2*(xs+i*f.cell)+f.cell, y-4, middle, "m", label)
		}
	}
	c.rect("bx", xs, y, len(b.Top)*f.cell, len(b.Cells)*f.height, "")
	for r, cells := range b.Cells {
		at := y + r*f.height
		c.text(2*(xs-5), at+f.height/2+4, end, "m", b.Left[r])
		for k := range cells {
			if cell := &cells[k]; cell.Kind != Gap {
				c.boardCell(cell, f, xs+k*f.cell, at)
			}
		}
	}
	for _, box := range b.Boxes {
		c.box(box, xs+box.Left*f.cell, y+box.Top*f.height, xs+box.End*f.cell, y+box.Down*f.height)
	}
	for r, cells := range b.Cells {
		outlines(cells, func(from, to int) {
			c.rect("q", xs+from*f.cell, y+r*f.height, (to-from)*f.cell, f.height, "")
		})
	}
	y += len(b.Cells) * f.height
	for _, note := range b.Notes {
		y = c.lines(x, y+4, max(f.widths[b.Column], boardTitle), "m", note)
	}
	c.raw("</g>\n")
	return y
}

// boardCell adds a cell with the text of the frame's level.
func (c *canvas) boardCell(cell *Cell, f *boardFrame, x, y int) {
	class, faded := cell.class(), ""
	if cell.Faded {
		class, faded = class+" fd", "fd"
	}
	data := ` data-o="` + strconv.FormatInt(cell.Offset, 10) + `"`
	if cell.Index != nil {
		data = ` data-i="` + layout.JoinInts(cell.Index, ",") + `"` + data
	}
	if cell.Group != "" {
		data += ` data-g="` + escape(cell.Group) + `"`
	}
	if c.page && cell.Words != "" {
		data += ` data-w="` + escape(cell.Words) + `"`
	}
	c.rect(class, x, y, f.cell, f.height, data)
	if text := cell.text(f.level); text != "" && f.fits {
		c.text(2*x+f.cell, y+f.height/2+4, middle, faded, text)
	}
}

// spread clears labels so that the others have room: of columns of a width every second, fourth and so on is left.
func spread(labels []string, width int) []string {
	characters, step := 0, 1
	for _, label := range labels {
		characters = max(characters, render.Columns(label))
	}
	for step*width < charWidth*characters+4 {
		step *= 2
	}
	list := slices.Clone(labels)
	for i := range list {
		if i%step != 0 {
			list[i] = ""
		}
	}
	return list
}

// outlines calls draw for each run of cells of a row with one mark.
func outlines(cells []Cell, draw func(from, to int)) {
	for i := 0; i < len(cells); {
		k := i + 1
		for k < len(cells) && cells[k].Mark == cells[i].Mark {
			k++
		}
		if cells[i].Mark > 0 {
			draw(i, k)
		}
		i = k
	}
}

// lowered returns the frame with lower cells, so that the picture fits a screen if that is possible.
func (p *Picture) lowered(f boardFrame) boardFrame {
	var c canvas
	p.drawAll(&c, &f)
	if over := c.height + margin - screenHeight; over > 0 {
		f.height -= (over + f.rows - 1) / f.rows
	}
	if f.height < leastRow {
		f.height, f.fits = leastRow, false
	}
	return f
}

// regions returns boxes around neighbouring cells with the same number. It returns nil if one box would have all cells,
// or if the cells of a number are so spread that boxes would hide them. A cell with a number below 0 is in no box.
func regions(numbers [][]int64, level int) []Box {
	const least = 4 // cells of a box on average
	var boxes []Box
	total := 0
	for r, row := range numbers {
		for from := 0; from < len(row); {
			to := from + 1
			for to < len(row) && row[to] == row[from] {
				to++
			}
			above := slices.IndexFunc(boxes, func(b Box) bool {
				return b.Down == r && b.Left == from && b.End == to && numbers[r-1][from] == row[from]
			})
			switch {
			case row[from] < 0:
			case above >= 0:
				boxes[above].Down++
			default:
				boxes = append(boxes, Box{level, r, from, r + 1, to})
			}
			from = to
		}
		total += len(row)
	}
	if len(boxes) < 2 || least*len(boxes) > total {
		return nil
	}
	return boxes
}
