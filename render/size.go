package render

import (
	"fmt"
	"math"
	"strconv"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/notation"
)

// Size writes the storage of a tensor.
func (p *Printer) Size(t layout.Tensor) error { return p.print(sizeAnswer{t}) }

type sizeAnswer struct{ t layout.Tensor }

func (a sizeAnswer) plain(p *Printer) { p.w.Line(text(a.t.BufferBytes())) }

func (a sizeAnswer) tree() Object {
	f := facts.Of(a.t.Layout())
	h, differs := facts.DirectMLHelper(a.t)
	return Document("size",
		Field{"tensor", treeOf(a.t, f)},
		Field{"padding", orNull(f.Span-f.Distinct, f.DistinctKnown)},
		Field{"rowAlignment", func() any { bytes, ok := facts.RowAlignment(a.t); return orNull(bytes, ok) }},
		Field{"allocate", a.allocateTree},
		Field{"wholeRows", func() any {
			n, ok := facts.WholeRows(a.t)
			return orNull(Object{{"elements", n}, {"bytes", a.t.Bytes(n)}}, ok)
		}},
		Field{"storage", storageTree(a.t)},
		Field{"helper", orNull(Object{{"2019", h.G2019}, {"2022", h.G2022}, {"2024", h.G2024}}, differs)},
	)
}

func (a sizeAnswer) records(_ *Printer) grid {
	g := a.grid(facts.Of(a.t.Layout()))
	g.header[0] = "what"
	return g
}

func (a sizeAnswer) page(p *Printer) {
	f := facts.Of(a.t.Layout())
	p.paragraph(p.heading(a.t), "")
	p.table(p.withUnits(a.allocations(p, a.grid(f))))
	p.paragraph("")
	p.paragraph(p.verdictLines(a.t, f)...)
	p.paragraph(a.notes(p)...)
}

func (a sizeAnswer) grid(f facts.Facts) grid {
	g := grid{header: []string{"", "elements", "bytes"}, left: []int{0}, spare: []int{1}}
	row := func(what string, elements int64, bytes string) {
		g.rows = append(g.rows, []string{what, text(elements), bytes})
	}
	bytes := ""
	if f.Elements <= f.Span {
		bytes = text(a.t.Bytes(f.Elements))
	}
	row("elements", f.Elements, bytes)
	if f.DistinctKnown && f.Distinct != f.Elements {
		row("distinct", f.Distinct, text(a.t.Bytes(f.Distinct)))
	}
	row("span", f.Span, text(a.t.Bytes(f.Span)))
	if f.DistinctKnown {
		row("padding", f.Span-f.Distinct, text(a.t.Bytes(f.Span-f.Distinct)))
	}
	switch {
	case reservesMore(a.t, f):
		row(allPadding, a.t.Reserved(), text(a.t.Bytes(a.t.Reserved())))
	case f.Elements > 0 && a.t.Storage() > f.High+1:
		row("storage viewed", a.t.Reserved(), text(a.t.Bytes(a.t.Reserved())))
	}
	g.rows = append(g.rows, []string{"minimum buffer", "", text(a.t.BufferBytes())})
	return g
}

// allPadding names the storage with whole blocks.
const allPadding = "with all padding"

// reservesMore reports whether a tensor reserves storage after its last element. A view does not.
func reservesMore(t layout.Tensor, f facts.Facts) bool {
	return !t.Viewed() && f.Elements > 0 && t.Storage() > f.High+1
}

func storageTree(t layout.Tensor) Object {
	return Object{{"elements", t.Reserved()}, {"bytes", t.Bytes(t.Reserved())}}
}

// An allocation is the storage that a system allocates for a tensor.
type allocation struct {
	system string
	notation.Size
}

// allocated returns the allocations of the systems that can express the tensor.
func (a sizeAnswer) allocated() (list []allocation) {
	for _, system := range [...]struct{ name, notation string }{
		{"DirectML", "dml"}, {"oneDNN", "onednn"}, {"PyTorch", "pytorch"},
	} {
		n, err := notation.Find(system.notation)
		if err == nil {
			_, err = n.Write(a.t)
		}
		var sizes []notation.Size
		if err == nil {
			sizes, err = n.Figures(a.t)
		}
		if err == nil {
			list = append(list, allocation{system.name, sizes[0]})
		}
	}
	return list
}

func (a sizeAnswer) allocateTree() any {
	list := []Object{}
	for _, b := range a.allocated() {
		list = append(list, Object{{"system", b.system}, {"elements", b.Elements}, {"bytes", b.Bytes}})
	}
	return list
}

// allocations adds to the table the storage of whole rows, for copies of whole rows, and the allocations of systems.
func (a sizeAnswer) allocations(p *Printer, g grid) grid {
	if n, ok := facts.WholeRows(a.t); ok {
		g.rows = append(g.rows, []string{"whole rows", text(n), text(a.t.Bytes(n))})
	}
	for _, b := range a.allocated() {
		g.rows = append(g.rows, []string{
			"allocate for " + b.system, text(b.Elements), p.palette.Title(text(b.Bytes)),
		})
	}
	return g
}

// withUnits adds a column with the bytes of a table in larger units, if any row has enough bytes.
func (p *Printer) withUnits(g grid) grid {
	last, any := len(g.header)-1, false
	wide := grid{header: append(g.header, "in units"), left: g.left, spare: append([]int{last + 1}, g.spare...)}
	for _, row := range g.rows {
		bytes, _ := strconv.ParseInt(colorless(row[last]), 10, 64)
		about := inUnits(bytes)
		any = any || about != ""
		wide.rows = append(wide.rows, append(row, about))
	}
	if !any {
		return g
	}
	return wide
}

// notes returns facts about blocks, rows and DirectML's helper.
func (a sizeAnswer) notes(p *Printer) (notes []string) {
	l := a.t.Layout()
	for _, i := range unfilled(l) {
		notes = append(notes, fmt.Sprintf("%s, in blocks of %d", fills(l, i, p.palette), l.Axis(i).Block()))
	}
	switch bytes, ok := facts.RowAlignment(a.t); {
	case ok && bytes == 0:
		notes = append(notes, "rows start inside a byte")
	case ok:
		note := "rows start at multiples of " + Counted(bytes, "byte")
		if _, whole := facts.WholeRows(a.t); whole && bytes%256 == 0 && bytes <= math.MaxUint32 {
			note += ", as D3D12 wants of texture data"
		}
		notes = append(notes, note)
	}
	if h, differs := facts.DirectMLHelper(a.t); differs {
		notes = append(notes, fmt.Sprintf("DirectML's DMLCalcBufferTensorSize answers %s (2019), %s (2022), %s (2024)",
			Group(h.G2019), Group(h.G2022), Group(h.G2024)))
	}
	return notes
}
