package render

import (
	"strings"

	"layoutcalc/layout/desc"
)

// Pairs says which tensors of two files were added, removed or changed, and how.
type Pairs struct {
	Names [2]string // of the files
	Lists [2]*desc.Listing
	All   []desc.RowPair
	Most  int // the rows that people see at most; 0 is all
}

// rowParts are the words for the parts of rows, by the numbers of their bits.
var rowParts = [...]string{"type", "sizes", "layout", "bytes", "role"}

// words returns the words for the parts in which the rows of a pair differ.
func (a Pairs) words(pair *desc.RowPair) []string {
	words := []string{}
	for i, word := range rowParts {
		if pair.Differs&(1<<i) != 0 {
			words = append(words, word)
		}
	}
	return words
}

// kind returns the word for what happened to a tensor: "added", "removed", "changed", or "same".
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

// counts returns how many tensors there are of each kind.
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
			rows = append(rows, Object{
				{"name", nameOf(pair)}, {"change", kind}, {"differs", a.words(pair)},
				{"a", pairTree(pair.A)}, {"b", pairTree(pair.B)},
			})
		}
	}
	return Document("compare", Field{"a", files[0]}, Field{"b", files[1]}, Field{"same", a.Same()},
		Field{"tensors", Object{
			{"added", counts["added"]}, {"removed", counts["removed"]}, {"changed", counts["changed"]},
			{"same", counts["same"]},
		}}, Field{"list", rows})
}

// nameOf returns the name of a tensor.
func nameOf(pair *desc.RowPair) string {
	if pair.A == nil {
		return pair.B.Name
	}
	return pair.A.Name
}

// pairTree returns the object of a row with its layout, or nil if there is none.
func pairTree(r *desc.Row) any {
	if r == nil {
		return nil
	}
	strides, ok := r.InMemory().Strides()
	return append(rowTree(r), Field{"strides", orNull(strides, ok && len(strides) == len(r.Sizes))})
}

// records returns the tensors that are not the same. The two cells of a part are empty unless it differs.
func (a Pairs) records(*Printer) grid {
	g := grid{header: []string{"name", "change"}, left: []int{0, 1}}
	for _, part := range rowParts {
		g.header = append(g.header, part+" a", part+" b")
	}
	for i := range a.All {
		kind := a.kind(i)
		if kind == "same" {
			continue
		}
		pair := &a.All[i]
		row := []string{nameOf(pair), kind}
		for k := range rowParts {
			row = append(row, a.part(pair, pair.A, k), a.part(pair, pair.B, k))
		}
		g.rows = append(g.rows, row)
	}
	return g
}

// part returns a part of a row, or "" if the other row has the same.
func (a Pairs) part(pair *desc.RowPair, r *desc.Row, k int) string {
	if r == nil || pair.A != nil && pair.B != nil && pair.Differs&(1<<k) == 0 {
		return ""
	}
	cells := cellsOf(r, text)
	return [...]string{cells[1], cells[2], layoutCell(r), cells[3], cells[6]}[k]
}

// layoutCell returns the strides of a row that has some.
func layoutCell(r *desc.Row) string {
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

// shown returns the rows that people see: the first and the last ones of many, and between them how many there are.
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
				p.clean(nameOf(pair)), kind, p.clean(a.side(pair, pair.A)), p.clean(a.side(pair, pair.B)),
			})
		}
		n++
	}
	return g
}

// side returns what one file has of a tensor: what differs, or the type, the sizes and the bytes of a tensor that the
// other file does not have.
func (a Pairs) side(pair *desc.RowPair, r *desc.Row) string {
	var words []string
	for k, part := range rowParts {
		word := a.part(pair, r, k)
		switch {
		case word == "", part == "layout" && (pair.A == nil || pair.B == nil):
			continue
		case part == "bytes":
			word = Counted(r.Bytes, "byte")
		}
		words = append(words, word)
	}
	return strings.Join(words, " · ")
}
