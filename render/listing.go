package render

import (
	"cmp"
	"iter"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/descriptor"
)

// A listing is the tensors of a file, with the bytes of each, and the totals by type.
type listing struct {
	*descriptor.Listing
	most int // the maximum number of rows in tables, the first and the last ones; 0 for all
}

// Listing writes the tensors of a file. Tables have at most the given number of rows, or all if most is 0.
func (p *Printer) Listing(l *descriptor.Listing, most int) error {
	if a := (listing{l, most}); p.options.Format != CSV || p.options.Get != "" {
		return p.Print(a)
	}
	p.w.CSVRow(columns[:]...)
	for row := range l.Rows {
		cells := cellsOf(row, text)
		p.w.CSVRow(cells[:]...)
	}
	return p.Flush()
}

func (a listing) plain(p *Printer) { p.w.Line(text(a.Sums.All.Bytes)) }

func (a listing) records(*Printer) grid { return a.shown() }

func (a listing) tree() Object {
	types := []Object{}
	for _, sum := range a.Sums.Types() {
		types = append(types, append(Object{{"type", sum.Type}}, sumTree(sum)...))
	}
	rows := iter.Seq[any](func(yield func(any) bool) {
		var buf Object // each row is written before the next
		for row := range a.Rows {
			if buf = appendRow(buf[:0], row); !yield(buf) {
				return
			}
		}
	})
	return append(append(Document("size"), sumTree(a.Sums.All)...), Field{"types", types}, Field{"list", rows})
}

// sumTree returns the fields of a sum. The bytes are null if they are unknown for some tensor.
func sumTree(s layout.Sum) Object {
	return Object{
		{"tensors", s.Tensors}, {"elements", s.Elements}, {"bytes", orNull(s.Bytes, s.Unknown == 0)},
	}
}

// appendRow appends the fields of a tensor. Open sizes and unknown values are null.
func appendRow(o Object, r *descriptor.Row) Object {
	isPlaced := r.Data.From < r.Data.To
	return append(o, Field{"name", r.Name}, Field{"type", r.Type}, Field{"sizes", openSizes(r)},
		Field{"layout", orNull(r.LayoutName, r.LayoutName != "")}, Field{"strides", rowStrides(r)},
		Field{"bytes", orNull(r.Bytes, r.Bytes >= 0)}, Field{"start", orNull(r.Data.From, isPlaced)},
		Field{"end", orNull(r.Data.To, isPlaced)}, Field{"file", orNull(r.File, r.File != "")},
		Field{"role", orNull(roles[r.Role], r.Role != descriptor.UnknownRole)})
}

// rowStrides returns the strides of a tensor, or null if it does not have one stride for each axis.
func rowStrides(r *descriptor.Row) any {
	if r.Layout.Rank() > 0 {
		strides, ok := r.Layout.Strides()
		return orNull(strides, ok && len(strides) == len(r.Sizes))
	}
	strides, _ := descriptor.RowMajor(nil, r.Sizes)
	return orNull(strides, strides != nil && r.Open == nil)
}

// roles are the words for roles.
var roles = [...]string{descriptor.UnknownRole: "", descriptor.Input: "input", descriptor.Output: "output"}

// openSizes returns the sizes. An open size is its name, or null if it is not named.
func openSizes(r *descriptor.Row) any {
	if r.Open == nil {
		return r.Sizes
	}
	return iter.Seq[any](func(yield func(any) bool) {
		for i, n := range r.Sizes {
			size := any(n)
			if n < 0 {
				size = orNull(r.Open[i], r.Open[i] != "")
			}
			if !yield(size) {
				return
			}
		}
	})
}

// columns are the titles of a listing.
var columns = [...]string{"name", "type", "sizes", "layout", "bytes", "start", "file", "role"}

// cellsOf returns the cells of a tensor. The function number formats numbers.
func cellsOf(r *descriptor.Row, number func(int64) string) (cells [len(columns)]string) {
	cells = [...]string{r.Name, r.Type, layout.JoinInts(r.Sizes, "x"), "", "", "", r.File, roles[r.Role]}
	if r.Open != nil {
		list := make([]string, len(r.Sizes))
		for i, n := range r.Sizes {
			if list[i] = text(n); n < 0 {
				list[i] = cmp.Or(r.Open[i], "?")
			}
		}
		cells[2] = strings.Join(list, ",") // a name may contain an x
	}
	if r.Bytes >= 0 {
		cells[4] = number(r.Bytes)
	}
	if r.Layout.Rank() > 0 && !analysis.Contiguous(r.Layout) {
		cells[3] = cmp.Or(r.LayoutName, strideText(r.Layout))
	}
	if r.Data.From < r.Data.To {
		cells[5] = number(r.Data.From)
	}
	return cells
}

// tabled is the maximum number of rows of a table. More rows are written as text with the same columns, which needs
// less time and memory.
const tabled = 500

func (a listing) page(p *Printer) {
	p.paragraph(a.answer(p))
	switch isCut := a.most > 0 && a.Len > a.most; {
	case a.Len == 0:
	case isCut || a.Len <= tabled || p.options.Format == Markdown:
		p.paragraph("")
		p.table(a.shown())
	default:
		p.paragraph("")
		a.lines(p)
	}
	if types := a.Sums.Types(); len(types) > 1 {
		p.paragraph("")
		p.table(p.withUnits(a.byType()))
	}
}

// answer states in one sentence how many bytes the tensors need.
func (a listing) answer(p *Printer) string {
	words := p.inBytes(a.Sums.All.Bytes, "") + " in " + Counted(a.Sums.All.Tensors, "tensor") + ", " +
		Counted(a.Sums.All.Elements, "element")
	if a.Sums.All.Tensors == int64(a.Len) {
		return words
	}
	var count [len(roles)]int64 // the tensors without elements, by role
	for row := range a.Rows {
		if row.Bytes < 0 {
			count[row.Role]++
		}
	}
	for _, role := range [...]descriptor.Role{descriptor.Input, descriptor.Output} {
		if count[role] > 0 {
			words += ", " + Counted(count[role], roles[role])
		}
	}
	return words
}

// shown returns the rows that people see: if there are many, the first and the last ones, and between them the number
// of the others.
func (a listing) shown() grid {
	g := grid{header: columns[:], left: []int{0, 1, 2, 3, 6, 7}, least: len("model.layers.0")}
	first, last := a.Len, 0
	if a.most > 0 && a.Len > a.most {
		first, last = a.most/2, a.most-1-a.most/2
	}
	i := 0
	for row := range a.Rows {
		if i == first {
			gap := make([]string, len(columns))
			gap[0] = "... " + Group(int64(a.Len-first-last)) + " more (--all)"
			g.rows = append(g.rows, gap)
		}
		if i < first || i >= a.Len-last {
			cells := cellsOf(row, text)
			for k := range cells {
				cells[k] = Clean(cells[k])
			}
			g.rows = append(g.rows, cells[:])
		}
		i++
	}
	for i := len(columns) - 1; i > 2; i-- {
		if isEmpty(g, i) {
			g = g.without(i)
		}
	}
	return g
}

// isEmpty reports whether a column is empty.
func isEmpty(g grid, column int) bool {
	for _, row := range g.rows {
		if row[column] != "" {
			return false
		}
	}
	return true
}

// lines writes all rows in columns, like a table.
func (a listing) lines(p *Printer) {
	width := a.widths(p)
	p.columns(columns, width)
	for r := range a.Rows {
		p.columns(p.cells(r, Group[int64]), width)
	}
}

// cells returns the cells of a tensor, safe to print.
func (p *Printer) cells(r *descriptor.Row, number func(int64) string) [len(columns)]string {
	cells := cellsOf(r, number)
	for i := range cells {
		cells[i] = p.clean(cells[i])
	}
	return cells
}

// widths returns the width of each column, or 0 for empty columns.
func (a listing) widths(p *Printer) (width [len(columns)]int) {
	bytes, start := int64(-1), int64(-1)
	noNumber := func(int64) string { return "" }
	for r := range a.Rows {
		for i, cell := range p.cells(r, noNumber) {
			width[i] = max(width[i], Columns(cell))
		}
		if bytes = max(bytes, r.Bytes); r.Data.From < r.Data.To {
			start = max(start, r.Data.From)
		}
	}
	if bytes >= 0 {
		width[4] = len(Group(bytes))
	}
	if start >= 0 {
		width[5] = len(Group(start))
	}
	for i, title := range columns {
		if width[i] > 0 {
			width[i] = max(width[i], len(title))
		}
	}
	return width
}

// columns writes a row of a listing in columns with the given widths. It skips columns of width 0.
func (p *Printer) columns(cells [len(columns)]string, width [len(columns)]int) {
	last := len(cells) - 1
	for last > 0 && cells[last] == "" {
		last--
	}
	for i, cell := range cells[:last+1] {
		if width[i] == 0 {
			continue
		}
		if i > 0 {
			p.w.WriteString(" ")
			p.w.WriteString(frame)
		}
		p.w.WriteString(" ")
		blanks := width[i] - Columns(cell)
		if isNumber(i) {
			p.w.blanks(blanks)
		}
		p.w.WriteString(cell)
		if !isNumber(i) && i < last {
			p.w.blanks(blanks)
		}
	}
	p.w.Line()
}

// isNumber reports whether a column has numbers.
func isNumber(column int) bool { return columns[column] == "bytes" || columns[column] == "start" }

// byType returns a grid with the totals of the tensors of each type, and of all.
func (a listing) byType() grid {
	g := grid{header: []string{"type", "tensors", "elements", "bytes"}, left: []int{0}}
	for _, sum := range append(a.Sums.Types(), a.Sums.All) {
		bytes := text(sum.Bytes)
		if sum.Unknown > 0 && sum.Bytes == 0 {
			bytes = ""
		}
		g.rows = append(g.rows, []string{sum.Type, text(sum.Tensors), text(sum.Elements), bytes})
	}
	g.rows[len(g.rows)-1][0] = "all"
	return g
}
