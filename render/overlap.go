package render

import (
	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
)

// An Overlap states whether two tensors over one storage have bytes in common.
type Overlap struct {
	A, B     layout.Tensor
	Overlaps analysis.Verdict
	Shared   *analysis.Shared // nil unless they do
}

// overlapWords are the plain answers.
var overlapWords = [...]string{analysis.Unknown: "unknown", analysis.No: "disjoint", analysis.Yes: "overlap"}

func (o Overlap) plain(p *Printer) { p.w.Line(overlapWords[o.Overlaps]) }

func (o Overlap) tree() Object {
	var shared any
	if s := o.Shared; s != nil {
		shared = Object{{"a", s.A}, {"b", s.B}, {"byte", s.Byte}}
	}
	return Document("compare", Field{"a", later(o.A)}, Field{"b", later(o.B)},
		Field{"sharesMemory", orUnknown(o.Overlaps)}, Field{"overlap", shared})
}

func (o Overlap) records(_ *Printer) grid {
	row := []string{[...]string{analysis.No: "false", analysis.Yes: "true"}[o.Overlaps], "", "", ""}
	if s := o.Shared; s != nil {
		row = []string{row[0], layout.JoinInts(s.A, ","), layout.JoinInts(s.B, ","), text(s.Byte)}
	}
	return grid{header: []string{"sharesMemory", "a", "b", "byte"}, rows: [][]string{row}}
}

func (o Overlap) page(p *Printer) {
	line := ": no element of A shares a byte with an element of B"
	switch o.Overlaps {
	case analysis.Yes:
		line = ": A at " + p.position(o.A.Layout(), o.Shared.A) + " and B at " + p.position(o.B.Layout(), o.Shared.B) +
			" share byte " + Group(o.Shared.Byte)
	case analysis.Unknown:
		line = ": the search for a shared byte stopped at its limit"
	}
	p.paragraph(p.palette.Title(overlapWords[o.Overlaps])+line, "")
	g := grid{header: []string{"", "type", "sizes", "strides", "first byte", "last byte"}, left: []int{0, 1, 2, 3}}
	for i, t := range [...]layout.Tensor{o.A, o.B} {
		l := t.Layout()
		first, last := byteBounds(t)
		g.rows = append(g.rows, []string{"AB"[i : i+1], t.DType().String(), layout.SizesText(l.Sizes()), strideText(l),
			first, last})
	}
	p.table(g)
}

// byteBounds returns the first and the last byte that elements of the tensor occupy, or empty strings if it has no
// elements.
func byteBounds(t layout.Tensor) (first, last string) {
	if t.Layout().Empty() {
		return "", ""
	}
	low, high := t.Layout().Bounds()
	from, _ := t.BitOffset(low)
	to, rest := t.BitOffset(high + 1)
	if rest == 0 {
		to--
	}
	return text(from), text(to)
}
