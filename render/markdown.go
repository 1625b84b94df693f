package render

import "strings"

// markdown writes the grid as a table of GitHub's Markdown.
func (w *writer) markdown(g grid) {
	w.markdownRow(g.header)
	for i := range g.header {
		if g.isLeft(i) {
			w.text("| :-- ")
		} else {
			w.text("| --: ")
		}
	}
	w.line("|")
	for _, row := range g.rows {
		w.markdownRow(row)
	}
}

func (w *writer) markdownRow(row []string) {
	for _, cell := range row {
		w.text("| ", MarkdownCell(cell), " ")
	}
	w.line("|")
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
