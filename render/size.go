package render

import (
	"fmt"
	"math"
	"strconv"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/shape"
)

// Size writes the storage of a tensor.
func (p *Printer) Size(t layout.Tensor) error { return p.Print(sizeAnswer{t}) }

type sizeAnswer struct{ t layout.Tensor }

func (a sizeAnswer) plain(p *Printer) { p.w.Line(text(notation.Needed(a.t))) }

func (a sizeAnswer) tree() Object {
	f := analysis.Of(a.t.Layout())
	h, differs := analysis.DirectMLHelper(a.t)
	return Document("size",
		Field{"tensor", treeOf(a.t, f)},
		Field{"padding", orNull(f.Span-f.Distinct, f.DistinctKnown)},
		Field{"rowAlignment", func() any { bytes, ok := analysis.RowAlignment(a.t); return orNull(bytes, ok) }},
		Field{"allocate", a.allocateTree},
		Field{"wholeRows", func() any {
			n, ok := analysis.WholeRows(a.t)
			return orNull(Object{{"elements", n}, {"bytes", a.t.Bytes(n)}}, ok)
		}},
		Field{"storage", storageTree(a.t)},
		Field{"copy", copyTree(a.t)},
		Field{"helper", orNull(Object{{"2019", h.G2019}, {"2022", h.G2022}, {"2024", h.G2024}}, differs)},
	)
}

func (a sizeAnswer) records(_ *Printer) grid {
	f := analysis.Of(a.t.Layout())
	g := a.grid(needsOf(a.t, f), f)
	g.header[0] = "what"
	return g
}

func (a sizeAnswer) page(p *Printer) {
	f := analysis.Of(a.t.Layout())
	needs := needsOf(a.t, f)
	p.paragraph(a.answer(needs, f, p.palette), "", p.heading(a.t))
	switch {
	case p.options.Verbose:
		p.paragraph("")
		g := a.grid(needs, f)
		if n, ok := analysis.WholeRows(a.t); ok {
			g.rows = append(g.rows, a.row("whole rows", n))
		}
		p.table(p.withUnits(g))
		p.paragraph("")
	case len(needs) > 1 || needs[0].elements != f.Elements:
		p.paragraph("")
		p.table(a.needGrid(needs, f, p.palette))
		p.paragraph("")
	}
	p.paragraph(p.knownLines(a.t, f, "")...)
	p.paragraph(a.notes(p, f)...)
}

// answer states in one sentence how many bytes to allocate, and names the systems.
func (a sizeAnswer) answer(needs []need, f analysis.Facts, palette *Palette) string {
	first := needs[0]
	switch {
	case f.Elements > 0 && a.t.DType().Bits() == 0:
		return palette.Title(Counted(f.Elements, "element")) + ", of a type without a size"
	case first.bytes == 1:
		return first.sentence(palette, " byte")
	}
	words := first.sentence(palette, " bytes")
	if first.elements > 0 {
		words += palette.Faint(" (" + first.product(a.t, f) + ")")
	}
	if a.t.System() != layout.Others {
		return words
	}
	for _, n := range needs[1:] {
		if n.extent == "" {
			words += ", " + n.sentence(palette, "")
		}
	}
	return words
}

// needGrid returns a row with the elements, one with the stored elements if there are fewer, and one for each need.
func (a sizeAnswer) needGrid(needs []need, f analysis.Facts, palette *Palette) grid {
	const most = 5
	g := grid{header: []string{"", "elements", "bytes", unusedWord(a.t, f)}, left: []int{0}}
	counts := a.counts(f).rows
	g.rows = counts[:len(counts)-1]
	for _, n := range needs[:min(len(needs), most-len(g.rows))] {
		g.rows = append(g.rows, []string{n.who(), text(n.elements), palette.Title(text(n.bytes)), n.padding(f)})
	}
	padded := false
	for i, row := range g.rows {
		g.rows[i] = append(row, "")[:len(g.header)]
		padded = padded || g.rows[i][3] != ""
	}
	if !padded {
		g = g.without(3)
	}
	return g
}

// grid returns a row for each way to count the elements, and for each need.
func (a sizeAnswer) grid(needs []need, f analysis.Facts) grid {
	g := a.counts(f)
	if f.DistinctKnown {
		g.rows = append(g.rows, a.row("padding", f.Span-f.Distinct))
	}
	if !reservesMore(a.t, f) && f.Elements > 0 && a.t.Storage() > f.High+1 {
		g.rows = append(g.rows, a.row("storage viewed", a.t.Reserved()))
	}
	for _, n := range needs {
		what := n.extent
		if len(n.systems) > 0 {
			what = "allocate for " + n.who()
		}
		g.rows = append(g.rows, []string{what, text(n.elements), text(n.bytes)})
	}
	return g
}

// counts returns a row for the elements, one for the stored elements if there are fewer, and one for the span.
func (a sizeAnswer) counts(f analysis.Facts) grid {
	g := grid{header: []string{"", "elements", "bytes"}, left: []int{0}}
	bytes := ""
	if n, ok := dataBytes(a.t); ok {
		bytes = text(n)
	}
	g.rows = append(g.rows, []string{"elements", text(f.Elements), bytes})
	if f.DistinctKnown && f.Distinct != f.Elements {
		g.rows = append(g.rows, a.row("distinct", f.Distinct))
	}
	g.rows = append(g.rows, a.row("span", f.Span))
	return g
}

func (a sizeAnswer) row(what string, elements int64) []string {
	return []string{what, text(elements), text(a.t.Bytes(elements))}
}

// allPadding names the storage with whole blocks.
const allPadding = "with all padding"

// reservesMore reports whether a tensor reserves storage after its last element. A view does not.
func reservesMore(t layout.Tensor, f analysis.Facts) bool {
	return !t.Viewed() && f.Elements > 0 && t.Storage() > f.High+1
}

func storageTree(t layout.Tensor) Object {
	return Object{{"elements", t.Reserved()}, {"bytes", t.Bytes(t.Reserved())}}
}

// copyTree returns the JSON object of an image in a buffer.
func copyTree(t layout.Tensor) any {
	g := shape.TargetOf(t.System())
	if g == nil {
		return nil
	}
	c, err := g.Copy(t)
	return orNull(Object{
		{"for", g.Name()}, {"rowPitch", c.Pitch}, {"placement", c.Placement}, {"bytes", c.Bytes},
	}, err == nil)
}

func (a sizeAnswer) allocateTree() any {
	list := []Object{}
	for _, b := range notation.Allocations(a.t) {
		system := orNull(b.System.Title(), b.System != layout.Others)
		list = append(list, Object{{"system", system}, {"elements", b.Elements}, {"bytes", b.Bytes}})
	}
	return list
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

// notes returns facts about blocks, rows and DirectML's helper. It omits the alignment of rows in a packed tensor that
// starts at offset 0, because it follows from the length of a row.
func (a sizeAnswer) notes(p *Printer, f analysis.Facts) (notes []string) {
	l := a.t.Layout()
	for _, i := range unfilled(l) {
		notes = append(notes, fmt.Sprintf("%s, in blocks of %d", fills(l, i, p.palette), l.Axis(i).Block()))
	}
	switch bytes, ok := analysis.RowAlignment(a.t); {
	case ok && bytes == 0:
		notes = append(notes, "rows start inside a byte")
	case ok && (f.Packed() != analysis.Yes || f.Low != 0):
		note := "rows start at multiples of " + Counted(bytes, "byte")
		if apart, ok := analysis.RowDistance(a.t); ok && apart != bytes {
			note = "rows are " + Counted(apart, "byte") + " apart, and start at multiples of " + Counted(bytes, "byte")
		}
		if _, whole := analysis.WholeRows(a.t); whole && bytes%256 == 0 && bytes <= math.MaxUint32 {
			note += ", as D3D12 wants of texture data"
		}
		notes = append(notes, note)
	}
	if h, differs := analysis.DirectMLHelper(a.t); differs {
		notes = append(notes, fmt.Sprintf("DirectML's DMLCalcBufferTensorSize answers %s (2019), %s (2022), %s (2024)",
			Group(h.G2019), Group(h.G2022), Group(h.G2024)))
	}
	return notes
}
