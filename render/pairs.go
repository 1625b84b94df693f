package render

import (
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
)

// Pairs states which tensors of two files were added, removed or changed, and how.
type Pairs struct {
	Names [2]string // the names of the files
	Lists [2]*descriptor.Listing
	All   []descriptor.RowPair
	Most  int // the maximum number of rows in tables; 0 for all

	Values []*ValuePair // one for each of All, nil if it has no elements to compare; nil if they are not requested
}

// rowParts are the words for the parts of rows, by the index of their bits.
var rowParts = [...]string{"type", "sizes", "layout", "bytes", "role", "values"}

// words returns the words for the parts that differ between the rows of a pair.
func (a Pairs) words(pair *descriptor.RowPair) []string {
	words := []string{}
	for i, word := range rowParts {
		if pair.Differs&(1<<i) != 0 {
			words = append(words, word)
		}
	}
	return words
}

// kind returns the word for the change of a tensor: "added", "removed", "changed", or "same".
func (a Pairs) kind(i int) string {
	switch pair := &a.All[i]; {
	case pair.A == nil:
		return "added"
	case pair.B == nil:
		return "removed"
	case pair.IsSame():
		return "same"
	}
	return "changed"
}

// counts returns the number of tensors of each kind.
func (a Pairs) counts() map[string]int64 {
	counts := map[string]int64{}
	for i := range a.All {
		counts[a.kind(i)]++
	}
	return counts
}

// Same reports whether nothing differs.
func (a Pairs) Same() bool { return a.counts()["same"] == int64(len(a.All)) }

func (a Pairs) plain(p *Printer) { p.w.Line(sameWord(a.Same())) }

func (a Pairs) tree() Object {
	var files [2]Object
	for i, list := range a.Lists {
		files[i] = append(Object{{"file", a.Names[i]}}, sumTree(list.Sums.All)...)
	}
	counts := a.counts()
	rows := []Object{}
	for i := range a.All {
		if kind := a.kind(i); kind != "same" {
			pair := &a.All[i]
			row := Object{
				{"name", nameOf(pair)}, {"change", kind}, {"differs", a.words(pair)},
				{"a", pairTree(pair.A)}, {"b", pairTree(pair.B)},
			}
			if a.Values != nil {
				row = append(row, Field{"values", a.Values[i].tree()})
			}
			rows = append(rows, row)
		}
	}
	return Document("compare", Field{"a", files[0]}, Field{"b", files[1]}, Field{"same", a.Same()},
		Field{"tensors", Object{
			{"added", counts["added"]}, {"removed", counts["removed"]}, {"changed", counts["changed"]},
			{"same", counts["same"]},
		}}, Field{"list", rows})
}

// nameOf returns the name of a tensor.
func nameOf(pair *descriptor.RowPair) string {
	if pair.A == nil {
		return pair.B.Name
	}
	return pair.A.Name
}

// pairTree returns the object of a row, or nil for a nil row.
func pairTree(r *descriptor.Row) any {
	if r == nil {
		return nil
	}
	return appendRow(nil, r)
}

// records returns the tensors that differ. The two cells of a part are empty unless it differs.
func (a Pairs) records(*Printer) grid {
	g := grid{header: []string{"name", "change"}, left: []int{0, 1}}
	parts := rowParts[:]
	if a.Values == nil {
		parts = parts[:len(parts)-1]
	}
	for _, part := range parts {
		g.header = append(g.header, part+" a", part+" b")
	}
	for i := range a.All {
		kind := a.kind(i)
		if kind == "same" {
			continue
		}
		row := []string{nameOf(&a.All[i]), kind}
		for k := range parts {
			row = append(row, a.part(i, 0, k), a.part(i, 1, k))
		}
		g.rows = append(g.rows, row)
	}
	return g
}

// part returns part k of a row of a pair, or "" if the other row has the same part.
func (a Pairs) part(i, side, k int) string {
	pair := &a.All[i]
	r := [...]*descriptor.Row{pair.A, pair.B}[side]
	switch {
	case r == nil || pair.A != nil && pair.B != nil && pair.Differs&(1<<k) == 0:
		return ""
	case rowParts[k] != "values":
		cells := cellsOf(r, text)
		return [...]string{cells[1], cells[2], layoutCell(r), cells[4], cells[7]}[k]
	case a.Values == nil || a.Values[i].Same():
		return ""
	case a.Values[i].Why != "" && side == 0:
		return "not compared: " + a.Values[i].Why
	case a.Values[i].Why != "":
		return ""
	case a.Values[i].First.Index == nil:
		return a.Values[i].side(side)
	}
	return layout.IndexText(a.Values[i].First.Index) + " is " + a.Values[i].side(side)
}

// layoutCell returns the strides of a row, if it has any.
func layoutCell(r *descriptor.Row) string {
	if r.Layout.Rank() == 0 {
		return "row-major"
	}
	return strideText(r.Layout)
}

func (a Pairs) page(p *Printer) {
	p.paragraph(a.answer(p))
	if g := a.shown(p); len(g.rows) > 0 {
		p.paragraph("")
		p.table(g)
	}
	a.relayouts(p)
}

// relayouts names the tensors that are equal in another layout.
func (a Pairs) relayouts(p *Printer) {
	const most = 20
	n := 0
	for i, v := range a.Values {
		if v == nil || v.Relayout == nil || len(v.Relayout.Fits) == 0 {
			continue
		}
		if n++; n > most && a.Most > 0 {
			continue
		}
		if n == 1 {
			p.paragraph("")
		}
		for _, line := range v.relayout() {
			p.paragraph(p.clean(nameOf(&a.All[i])) + ": " + line)
		}
	}
	if n > most && a.Most > 0 {
		p.paragraph("... " + Group(int64(n-most)) + " more (--all)")
	}
}

// answer counts the tensors of each kind in one sentence.
func (a Pairs) answer(p *Printer) string {
	counts := a.counts()
	if a.Same() {
		return p.palette.Title("same") + ": " + Counted(counts["same"], "tensor")
	}
	var words []string
	for _, kind := range [...]string{"added", "removed", "changed", "same"} {
		if n := counts[kind]; n > 0 {
			words = append(words, Group(n)+" "+kind)
		}
	}
	return p.palette.Title("different") + ": " + strings.Join(words, ", ")
}

// shown returns the rows that people see: if there are many, the first and the last ones, and between them the number
// of the others.
func (a Pairs) shown(p *Printer) grid {
	g := grid{header: []string{"tensor", "change", "A", "B"}, left: []int{0, 1, 2, 3}, least: len("model.layers.0")}
	counts := a.counts()
	all := len(a.All) - int(counts["same"])
	first, last := all, 0
	if a.Most > 0 && all > a.Most {
		first, last = a.Most/2, a.Most-1-a.Most/2
	}
	n := 0
	for i := range a.All {
		kind := a.kind(i)
		if kind == "same" {
			continue
		}
		if n == first {
			g.rows = append(g.rows, []string{"... " + Group(int64(all-first-last)) + " more (--all)", "", "", ""})
		}
		if n < first || n >= all-last {
			pair := &a.All[i]
			if kind == "changed" {
				kind = strings.Join(a.words(pair), ", ")
			}
			g.rows = append(g.rows, []string{
				p.clean(nameOf(pair)), kind, p.clean(a.side(i, 0)), p.clean(a.side(i, 1)),
			})
		}
		n++
	}
	return g
}

// side returns the cells for a tensor in one file: the parts that differ, or the type, the sizes and the bytes if the
// other file does not have the tensor.
func (a Pairs) side(i, side int) string {
	pair := &a.All[i]
	var words []string
	for k, part := range rowParts {
		word := a.part(i, side, k)
		switch {
		case word == "", part == "layout" && (pair.A == nil || pair.B == nil):
			continue
		case part == "bytes":
			word = Counted([...]*descriptor.Row{pair.A, pair.B}[side].Bytes, "byte")
		}
		words = append(words, word)
	}
	return strings.Join(words, " · ")
}
