package render

import (
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/notation"
)

// A Row is one of several tensors in an answer, or the reason why it cannot be computed.
type Row struct {
	Args   []string // the shape, and the arguments after it
	Tensor layout.Tensor
	Err    error
	Notes  []string // about the tensor
}

// Rows writes a row for each tensor: its strides or, for the command size, its storage. The smallest one follows.
func (p *Printer) Rows(command string, rows []Row) error {
	g, cells := grid{left: []int{0, 1, 2, 4}}, stridesCells
	g.header = []string{"sizes", "layout", "strides", "bytes", "error"}
	if command == "size" {
		g, cells = grid{left: []int{0, 1, 5, 6}, spare: []int{2}}, sizeCells(need.padding)
		g.header = []string{"sizes", "layout", "elements", "bytes", "padding", "for", "error"}
	}
	isCSV := p.options.Format == CSV
	if isCSV && command == "size" {
		cells = sizeCells(need.percentNumber)
	}
	last := len(g.header) - 1
	for _, r := range rows {
		var row []string
		if r.Err == nil {
			row = append(cells(r), "")
		} else {
			row = append([]string{r.Args[0], strings.Join(r.Args[1:], " ")}, make([]string, last-1)...)
			row[last] = Clean(r.Err.Error())
		}
		g.rows = append(g.rows, row)
	}
	if isCSV {
		p.w.csv(g)
		return p.Flush()
	}
	p.table(g.without(last))
	if text := Smallest(rows); command == "size" && text != "" {
		p.paragraph("", text)
	}
	return p.Flush()
}

func stridesCells(r Row) []string {
	t, l := r.Tensor, r.Tensor.Layout()
	return []string{
		layout.JoinInts(l.Sizes(), "x"), t.Name(), string(appendStrides(nil, l)), text(notation.Needed(t)),
	}
}

// sizeCells returns a function that makes the cells of a row of sizes, with the padding as given.
func sizeCells(padding func(need, analysis.Facts) string) func(Row) []string {
	return func(r Row) []string {
		t, f := r.Tensor, analysis.Of(r.Tensor.Layout())
		n := needsOf(t, f)[0]
		sizes := layout.JoinInts(t.Layout().Sizes(), "x")
		return []string{sizes, t.Name(), text(f.Elements), text(n.bytes), padding(n, f), n.who()}
	}
}

// Smallest names the row with the fewest bytes, and counts others with the same number. It returns an empty string for
// fewer than two rows.
func Smallest(rows []Row) string {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Err != nil })
	if len(rows) < 2 {
		return ""
	}
	least, best, others := int64(-1), layout.Tensor{}, int64(0)
	for _, r := range rows {
		switch n := notation.Needed(r.Tensor); {
		case n < least || least < 0:
			least, best, others = n, r.Tensor, 0
		case n == least:
			others++
		}
	}
	name := strings.TrimSpace(layout.JoinInts(best.Layout().Sizes(), "x") + " " + best.Name())
	line := "smallest: " + name + ", " + Counted(least, "byte")
	if others > 0 {
		line += "; " + Counted(others, "other") + " with as many"
	}
	return line
}
