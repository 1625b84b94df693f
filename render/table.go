package render

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
	"github.com/olekukonko/tablewriter"
)

// table writes the grid as a table for people: with commas between thousands, and on a terminal with faint titles and
// only the columns that fit. If the width is not even enough for the required columns, each row becomes a list.
func (p *Printer) table(g grid) {
	g = p.readable(g)
	if p.options.Format == Markdown {
		p.w.markdown(g)
		return
	}
	fitted, fits := p.fit(g)
	if !fits {
		p.lists(g)
		return
	}
	g = fitted
	header := make([]string, len(g.header))
	for i, title := range g.header {
		header[i] = p.palette.Faint(title)
	}
	g.header = header
	p.draw(g)
}

// draw writes the grid unchanged.
func (p *Printer) draw(g grid) {
	var b bytes.Buffer
	drawTable(&b, g)
	for line := range bytes.Lines(b.Bytes()) {
		p.w.trimmed(line[1:], p.palette.Faint(frame)) // a space stands for the border
	}
}

// frame is between the columns of tables.
const frame = "│"

// trimmed writes a table without the spaces and column lines of empty cells at the ends of its lines. Line replaces the
// column lines.
func (w *Writer) trimmed(table []byte, line string) {
	for l := range bytes.Lines(table) {
		w.Write(bytes.ReplaceAll(bytes.TrimRight(l, " "+frame+"\n"), []byte(frame), []byte(line)))
		w.Line()
	}
}

// drawTable draws the grid with lines only between its columns. It is the only use of tablewriter, which is slow for
// long tables.
func drawTable(w io.Writer, g grid) {
	alignment := make([]int, len(g.header))
	for i := range alignment {
		alignment[i] = tablewriter.ALIGN_RIGHT
		if g.isLeft(i) {
			alignment[i] = tablewriter.ALIGN_LEFT
		}
	}
	narrow()
	table := tablewriter.NewWriter(w)
	table.SetBorder(false)
	table.SetHeaderLine(false)
	table.SetColumnSeparator(frame)
	table.SetAutoWrapText(false)
	table.SetColumnAlignment(alignment)
	table.Append(g.header)
	table.AppendBulk(g.rows)
	table.Render()
}

// narrow makes the frame and the marks of tables one column wide in every locale, as terminals show them.
var narrow = sync.OnceFunc(func() { runewidth.DefaultCondition.EastAsianWidth = false })

// A grid is a table in any format: a header, and rows with the same number of cells.
type grid struct {
	header []string
	rows   [][]string
	left   []int // the left-aligned columns

	// For narrow terminals:
	texts int   // the column with words that can be cut, or wrapped if it is the last one,
	least int   // the minimum width of that column; 0 if it must not change
	spare []int // the columns to omit first, in order, because they only repeat others
}

// isLeft reports whether column i is aligned left.
func (g grid) isLeft(i int) bool { return slices.Contains(g.left, i) }

// readable returns the grid with commas between thousands, in ASCII if the options request it.
func (p *Printer) readable(g grid) grid {
	rows := make([][]string, len(g.rows))
	for i, row := range g.rows {
		rows[i] = slices.Clone(row)
		for k, cell := range row {
			if !g.isLeft(k) {
				cell = groupWords(cell)
			}
			if p.options.ASCII {
				cell = toASCII(cell)
			}
			rows[i][k] = cell
		}
	}
	g.rows = rows
	return g
}

// width returns the width of column i.
func (g grid) width(i int) int {
	width := visible(g.header[i])
	for _, row := range g.rows {
		width = max(width, visible(row[i]))
	}
	return width
}

// without returns the grid without column i.
func (g grid) without(i int) grid {
	remove := func(list []string) []string { return slices.Delete(slices.Clone(list), i, i+1) }
	move := func(columns []int) (moved []int) {
		for _, k := range columns {
			if k > i {
				moved = append(moved, k-1)
			} else if k < i {
				moved = append(moved, k)
			}
		}
		return moved
	}
	shorter := grid{header: remove(g.header), left: move(g.left), spare: move(g.spare)}
	for _, row := range g.rows {
		shorter.rows = append(shorter.rows, remove(row))
	}
	if texts := move([]int{g.texts}); len(texts) > 0 {
		shorter.texts, shorter.least = texts[0], g.least
	}
	return shorter
}

// fit returns the part of the grid that fits in the width, and false if the required columns do not. In a pipe,
// everything fits.
func (p *Printer) fit(g grid) (fitted grid, fits bool) {
	for p.options.Width > 0 && !p.options.Piped {
		room := p.options.Width - len(" ") + len(" | ")
		for i := range g.header {
			room -= g.width(i) + len(" | ")
		}
		texts := 0
		if g.least > 0 {
			texts = g.width(g.texts)
		}
		switch {
		case room >= 0:
			return g, true
		case texts+room >= max(g.least, visible(g.header[g.texts])) && g.least > 0:
			return p.narrowed(g, texts+room), true
		case len(g.spare) == 0:
			return g, false
		}
		g = g.without(g.spare[0])
	}
	return g, true
}

// narrowed returns the grid with its column of words at the width. It cuts the words, but in the last column it wraps
// them, because the lines below it are easy to read there.
func (p *Printer) narrowed(g grid, width int) grid {
	isLast := g.texts == len(g.header)-1
	var rows [][]string
	for _, row := range g.rows {
		cell := []string{row[g.texts]}
		if isLast {
			cell = wrapColored(row[g.texts], width)
		}
		for i, line := range cell {
			if i > 0 {
				row = make([]string, len(row))
			}
			row[g.texts] = cutColored(line, width, p.ellipsis())
			rows = append(rows, row)
		}
	}
	g.rows = rows
	return g
}

// lists writes each row of a grid as a list of its cells.
func (p *Printer) lists(g grid) {
	width := 0
	for _, title := range g.header[1:] {
		width = max(width, visible(title))
	}
	for i, row := range g.rows {
		if strings.Join(row, "") == "" {
			continue
		}
		if i > 0 {
			p.w.Line()
		}
		p.paragraph(strings.TrimSpace(p.palette.Faint(g.header[0]) + " " + row[0]))
		for k, cell := range row[1:] {
			title := "  " + p.palette.Faint(g.header[k+1])
			switch {
			case cell == "":
			case width+visible(cell)+len("    ") > p.options.Width:
				p.paragraph(title, "    "+cell)
			default:
				p.w.Line(title, strings.Repeat(" ", width-visible(g.header[k+1])), "  ", cell)
			}
		}
	}
}

// csv writes the grid as in RFC 4180, but with line feeds only.
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

// csvCell quotes a cell if necessary, and marks a formula as text.
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

// IsFormula reports whether a spreadsheet would evaluate a CSV cell: it starts with =, +, -, @, including the
// full-width forms, a tab or a carriage return, as listed by OWASP, and is not a negative number.
func IsFormula(cell string) bool {
	first, n := utf8.DecodeRuneInString(cell)
	if !strings.ContainsRune("=+-@\uff1d\uff0b\uff0d\uff20\t\r", first) {
		return false
	}
	whole, fraction, dotted := strings.Cut(cell[n:], ".")
	return first != '-' || !isDigits(whole) || dotted && !isDigits(fraction)
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// markdown writes the grid as a table in GitHub's Markdown.
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

// MarkdownCell escapes characters that would end the cell or start HTML, a link or emphasis. Words that GitHub links or
// notifies somebody about become code, because GitHub searches them after it has removed escapes.
func MarkdownCell(cell string) string {
	cell = Clean(cell)
	var b strings.Builder
	linked := refers(cell)
	for cell != "" {
		word := cell
		if linked {
			word = cell[:max(strings.IndexAny(cell+" ", " |"), 1)]
		}
		cell = cell[len(word):]
		if linked && refers(word) {
			fence := ticks(word, 1)
			blank := strings.Repeat(" ", min(len(fence)-1, 1))
			b.WriteString(fence + blank + word + blank + fence)
			continue
		}
		for _, r := range word {
			if strings.ContainsRune("\\|`*_<>[]&", r) {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}

// refers reports whether GitHub would make a link in text: from a web or mail address, @NAME, or an issue number.
func refers(text string) bool {
	if strings.Contains(text, "://") || strings.Contains(text, "www.") {
		return true
	}
	for i := range len(text) - 1 {
		next := text[i+1 : i+2]
		switch text[i] {
		case '@':
			if next != " " {
				return true
			}
		case '#', '-':
			isNumbered := text[i] == '#' || i > 1 && strings.EqualFold(text[i-2:i], "GH")
			if isNumbered && isDigits(next) {
				return true
			}
		}
	}
	return false
}

// ticks returns a fence for code: at least least ticks, and more than the code has in a row.
func ticks(code string, least int) string {
	row := 0
	for _, c := range []byte(code) {
		if row++; c != '`' {
			row = 0
		}
		least = max(least, row+1)
	}
	return strings.Repeat("`", least)
}
