package render

import "layoutcalc/layout"

// Inferred is the swizzles that turn the offsets of a tensor into the offsets of another layout.
type Inferred struct {
	Tensor layout.Tensor
	List   []layout.Swizzle
}

func (a Inferred) plain(p *Printer) {
	for _, s := range a.List {
		p.w.Line(SwizzleFlag(s))
	}
}

// SwizzleFlag returns the value of --swizzle.
func SwizzleFlag(s layout.Swizzle) string {
	return layout.JoinInts([]int64{int64(s.Bits), int64(s.Base), int64(s.Shift)}, ",")
}

func (a Inferred) tree() Object {
	return Document("compare", Field{"a", later(a.Tensor)}, Field{"swizzles", swizzleObjects(a.List)})
}

func (a Inferred) records(_ *Printer) grid {
	g := grid{header: []string{"swizzle", "over bytes", "cute"}, left: []int{0, 1, 2}, spare: []int{2}}
	for _, s := range a.List {
		bytes, l := "", a.Tensor.Layout()
		if over, err := s.Recast(a.Tensor.DType().Bits(), 8); err == nil {
			bytes = SwizzleFlag(over) + "B"
		}
		text := ""
		if l, err := l.Swizzled(s); err == nil && s.Bits > 0 {
			text = composedText(l)
		}
		g.rows = append(g.rows, []string{SwizzleFlag(s), bytes, text})
	}
	return g
}

func (a Inferred) page(p *Printer) {
	if a.List == nil {
		p.paragraph(p.palette.Title("none") + " of the swizzles turns A into B")
		return
	}
	line := p.palette.Title(a.List[0].String()) + " makes B of A"
	switch n := int64(len(a.List) - 1); {
	case a.List[0].Bits == 0:
		p.paragraph(p.palette.Title("same") + ": every element has the same offset, and no swizzle is between them")
		return
	case n == 1:
		line += ", and another: no offset here tells them apart"
	case n > 1:
		line += ", and " + Group(n) + " others: no offset here tells them apart"
	}
	p.paragraph(line, p.heading(a.Tensor), "")
	p.table(a.records(p))
}
