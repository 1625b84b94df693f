package render

import "slices"

// room is how many columns are left for one more column of the grid.
func (p *Printer) room(g grid) int {
	room := p.options.Width - len(" ")
	for i := range g.header {
		width := visible(g.header[i])
		for _, row := range g.rows {
			width = max(width, visible(row[i]))
		}
		room -= width + len(" | ")
	}
	return room
}

// fit cuts the texts of a column, which have no colours, to the room that the others leave in a
// terminal, though not to fewer columns than the least.
func (p *Printer) fit(g grid, column, least int) {
	if p.options.Format != Table {
		return
	}
	others := grid{header: without(g.header, column)}
	for _, row := range g.rows {
		others.rows = append(others.rows, without(row, column))
	}
	room := max(p.room(others), least)
	for _, row := range g.rows {
		row[column] = cut(row[column], room, false)
	}
}

// without is a row without one of its cells.
func without(row []string, column int) []string {
	return slices.Delete(slices.Clone(row), column, column+1)
}
