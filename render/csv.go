package render

import "strings"

// csv writes the grid as RFC 4180 has it, but with bare line feeds.
func (w *writer) csv(g grid) {
	w.csvRow(g.header)
	for _, row := range g.rows {
		w.csvRow(row)
	}
}

func (w *writer) csvRow(row []string) {
	for i, cell := range row {
		if i > 0 {
			w.text(",")
		}
		w.text(csvCell(cell))
	}
	w.line()
}

// csvCell quotes a cell where its text needs it. A cell that a spreadsheet would take for a
// formula is marked as text, unless it is a number.
func csvCell(cell string) string {
	cell = Clean(cell)
	if cell != "" && strings.IndexByte("=+-@", cell[0]) >= 0 && strings.Trim(cell[1:], "0123456789") != "" {
		cell = "'" + cell
	}
	if strings.ContainsAny(cell, "\",") {
		return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
	}
	return cell
}
