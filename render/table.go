package render

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// table writes the grid as a table for people.
func (p *Printer) table(g grid) {
	if p.options.Format == Markdown {
		p.w.markdown(g)
		return
	}
	var b bytes.Buffer
	if err := drawTable(&b, g); err != nil {
		p.w.err = err
	}
	p.w.trimmed(b.Bytes())
}

// trimmed writes a table without the blanks and column lines at the ends of its lines, where it has empty cells.
func (w *Writer) trimmed(table []byte) {
	for line := range bytes.Lines(table) {
		w.Write(bytes.TrimRight(line, " │\n"))
		w.Line()
	}
}

// drawTable draws the grid with lines between its columns and no others. This is all that tablewriter is used for. It
// is slow for long tables.
func drawTable(w io.Writer, g grid) error {
	left := make([]tw.Align, len(g.header))
	for i := range left {
		left[i] = tw.AlignRight
		if g.isLeft(i) {
			left[i] = tw.AlignLeft
		}
	}
	cells := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone},
		Alignment:  tw.CellAlignment{Global: tw.AlignRight, PerColumn: left},
	}
	table := tablewriter.NewTable(w,
		tablewriter.WithConfig(tablewriter.Config{
			Header:   cells,
			Row:      cells,
			Behavior: tw.Behavior{TrimSpace: tw.Off, Header: tw.Control{Hide: tw.Off}},
		}),
		tablewriter.WithEastAsian(false),
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders: tw.BorderNone,
			Symbols: tw.NewSymbols(tw.StyleLight),
			Settings: tw.Settings{
				Separators: tw.Separators{ShowHeader: tw.Off, BetweenRows: tw.Off, BetweenColumns: tw.On},
				Lines:      tw.Lines{ShowHeaderLine: tw.Off, ShowTop: tw.Off, ShowBottom: tw.Off},
			},
		})),
	)
	table.Header(g.header)
	if err := table.Bulk(g.rows); err != nil {
		return err
	}
	return table.Render()
}

// A grid is a table of any format: a header and rows of as many cells. The columns in left are aligned left, the others
// right.
type grid struct {
	header []string
	rows   [][]string
	left   []int
}

// isLeft reports whether column i is aligned left.
func (g grid) isLeft(i int) bool { return slices.Contains(g.left, i) }

// fit cuts the texts of a column to the room that the others leave in a terminal, but to no fewer columns than least. A
// text that is cut loses its colours.
func (p *Printer) fit(g grid, column, least int) {
	if p.options.Format != Table {
		return
	}
	room := p.options.Width - len(" ")
	for i := range g.header {
		if i == column {
			continue
		}
		width := visible(g.header[i])
		for _, row := range g.rows {
			width = max(width, visible(row[i]))
		}
		room -= width + len(" | ")
	}
	for _, row := range g.rows {
		if room = max(room, least); visible(row[column]) > room {
			row[column] = cut(colorless(row[column]), room, false)
		}
	}
}

// csv writes the grid as in RFC 4180, but with bare line feeds.
func (w *Writer) csv(g grid) {
	w.CSVRow(g.header...)
	for _, row := range g.rows {
		w.CSVRow(row...)
	}
}

// CSVRow writes a row.
func (w *Writer) CSVRow(row ...string) {
	for i, cell := range row {
		if i > 0 {
			w.Text(",")
		}
		w.Text(csvCell(cell))
	}
	w.Line()
}

// csvCell quotes a cell if its text needs it, and marks one as text that would be a formula.
func csvCell(cell string) string {
	cell = Clean(cell)
	if IsFormula(cell) {
		cell = "'" + cell
	}
	if strings.ContainsAny(cell, "\",") {
		return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
	}
	return cell
}

// IsFormula reports whether a spreadsheet would work out a cell of CSV: it starts with =, +, -, @, a tab or a carriage
// return, as OWASP lists them, and is not a negative number, which is its own value.
func IsFormula(cell string) bool {
	if cell == "" || strings.IndexByte("=+-@\t\r", cell[0]) < 0 {
		return false
	}
	whole, fraction, dotted := strings.Cut(cell[1:], ".")
	return cell[0] != '-' || !isDigits(whole) || dotted && !isDigits(fraction)
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// markdown writes the grid as a table of GitHub's Markdown.
func (w *Writer) markdown(g grid) {
	w.markdownRow(g.header...)
	for i := range g.header {
		if g.isLeft(i) {
			w.Text("| :-- ")
		} else {
			w.Text("| --: ")
		}
	}
	w.Line("|")
	for _, row := range g.rows {
		w.markdownRow(row...)
	}
}

func (w *Writer) markdownRow(row ...string) {
	for _, cell := range row {
		w.Text("| ", MarkdownCell(cell), " ")
	}
	w.Line("|")
}

// MarkdownCell keeps a text from ending its cell or being taken for HTML, a link or emphasis.
func MarkdownCell(cell string) string {
	var b strings.Builder
	for _, r := range Clean(cell) {
		if strings.ContainsRune("\\|`*_<>[]&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
