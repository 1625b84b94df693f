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
		w.text(CSVCell(cell))
	}
	w.line()
}

// CSVCell quotes a cell where its text needs it. A cell that a spreadsheet would take for a
// formula is marked as text, unless it is a negative number.
func CSVCell(cell string) string {
	cell = Clean(cell)
	if cell != "" && strings.IndexByte("=+-@", cell[0]) >= 0 && !isNegative(cell) {
		cell = "'" + cell
	}
	if strings.ContainsAny(cell, "\",") {
		return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
	}
	return cell
}

// isNegative reports whether the cell is a negative number as we write them.
func isNegative(cell string) bool {
	whole, fraction, dotted := strings.Cut(cell[1:], ".")
	return cell[0] == '-' && isDigits(whole) && (!dotted || isDigits(fraction))
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
