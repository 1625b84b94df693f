package render

import "layoutcalc/layout"

// Inferred writes the swizzles that make the offsets of another layout of those of a tensor.
func (p *Printer) Inferred(t layout.Tensor, list []layout.Swizzle) error {
	return p.print(inferred{t, list})
}

type inferred struct {
	t    layout.Tensor
	list []layout.Swizzle
}

func (a inferred) plain(p *Printer) {
	for _, s := range a.list {
		p.w.Line(SwizzleFlag(s))
	}
}

// SwizzleFlag returns the value of --swizzle.
func SwizzleFlag(s layout.Swizzle) string {
	return layout.JoinInts([]int64{int64(s.Bits), int64(s.Base), int64(s.Shift)}, ",")
}

func (a inferred) tree() Object {
	return Document("compare", Field{"a", later(a.t)}, Field{"swizzles", swizzleObjects(a.list)})
}

func (a inferred) records(_ *Printer) grid {
	g := grid{header: []string{"swizzle", "over bytes", "cute"}, left: []int{0, 1, 2}, spare: []int{2}}
	for _, s := range a.list {
		bytes, l := "", a.t.Layout()
		if over, err := s.Recast(a.t.DType().Bits(), 8); err == nil {
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

func (a inferred) page(p *Printer) {
	if a.list == nil {
		p.paragraph(p.palette.Title("none") + " of the swizzles makes B of A")
		return
	}
	line := p.palette.Title(a.list[0].String()) + " makes B of A"
	switch n := int64(len(a.list) - 1); {
	case a.list[0].Bits == 0:
		p.paragraph(p.palette.Title("same") + ": every element has the same offset, and no swizzle is between them")
		return
	case n == 1:
		line += ", and another: no offset here tells them apart"
	case n > 1:
		line += ", and " + Group(n) + " others: no offset here tells them apart"
	}
	p.paragraph(line, p.heading(a.t), "")
	p.table(a.records(p))
}
