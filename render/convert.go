package render

import (
	"fmt"
	"strings"

	"layoutcalc/layout"
)

// Conversion writes how a tensor's strides change and where its elements move.
func (p *Printer) Conversion(from, to layout.Tensor, v View) error {
	return p.print(conversion{from, to, v})
}

// Moves writes, for every element, the offset it has and the one it gets.
func (p *Printer) Moves(from, to layout.Tensor) error {
	c := conversion{from: from, to: to}
	switch {
	case p.options.Get != "":
		return p.get(c.document(true))
	case p.options.Format == JSON:
		return p.movesJSON(c)
	case p.options.Format == CSV:
		p.w.csvRow([]string{"from", "to"})
	case p.options.Format == Markdown:
		p.w.markdown(grid{header: []string{"from", "to"}})
	}
	before, between, after := "", " ", "\n"
	switch p.options.Format {
	case CSV:
		between = ","
	case Markdown:
		before, between, after = "| ", " | ", " |\n"
	}
	p.moves(c, before, between, after)
	return p.Flush()
}

// moves writes the pairs with texts around them.
func (p *Printer) moves(c conversion, before, between, after string) {
	for from, to := range layout.Moves(c.from.Layout(), c.to.Layout()) {
		p.w.text(before)
		p.w.number(from)
		p.w.text(between)
		p.w.number(to)
		p.w.text(after)
		if p.w.failed() {
			return
		}
	}
}

// movesJSON writes the document with all moves as they come.
func (p *Printer) movesJSON(c conversion) error {
	p.w.text("{\n  \"schemaVersion\": 1,\n  \"command\": \"convert\",\n  \"from\": ")
	p.w.jsonValue(tensorTree(c.from), "\n  ")
	p.w.text(",\n  \"to\": ")
	p.w.jsonValue(tensorTree(c.to), "\n  ")
	p.w.text(",\n  \"moves\": [")
	separator := ""
	for from, to := range layout.Moves(c.from.Layout(), c.to.Layout()) {
		p.w.text(separator, "[")
		p.w.number(from)
		p.w.text(", ")
		p.w.number(to)
		p.w.text("]")
		if separator = ", "; p.w.failed() {
			break
		}
	}
	p.w.line("]\n}")
	return p.Flush()
}

type conversion struct {
	from, to layout.Tensor
	view     View
}

func (c conversion) plain(p *Printer) { p.w.line(strideText(c.to.Layout())) }

func (c conversion) tree() object { return c.document(c.from.Layout().Elements() <= MaxCells) }

// document is the answer in JSON. The moves are in it when they are few or were asked for.
func (c conversion) document(moves bool) object {
	o := document("convert",
		field{"from", func() any { return tensorTree(c.from) }},
		field{"to", func() any { return tensorTree(c.to) }},
	)
	if !moves {
		return o
	}
	return append(o, field{"moves", func() any {
		pairs := [][]int64{}
		for from, to := range layout.Moves(c.from.Layout(), c.to.Layout()) {
			pairs = append(pairs, []int64{from, to})
		}
		return pairs
	}})
}

func (c conversion) records() grid {
	g := pairGrid(&Printer{palette: NewPalette(false)}, c.from, c.to, "from", "to")
	g.header = []string{"axis", "size", "from", "to"}
	return g
}

func (c conversion) page(p *Printer, s sheet) {
	from, to := "from "+name(c.from), "to "+name(c.to)
	s.paragraph(p.heading(c.from), "")
	if c.from.Layout().Rank() > 0 {
		s.table(pairGrid(p, c.from, c.to, from, to))
	}
	if summary := c.summary(); len(summary) > 0 {
		s.paragraph("")
		s.paragraph(summary...)
	}
	elements := c.from.Layout().Elements()
	if storage := max(c.from.Storage(), c.to.Storage()); elements == 0 || max(elements, storage) > MaxCells {
		if elements > 0 {
			s.paragraph("", "--moves lists where every element moves")
		}
		return
	}
	c.picture(p, s, from, c.from)
	c.picture(p, s, to, c.to)
}

// picture draws the storage of one of the tensors.
func (c conversion) picture(p *Printer, s sheet, title string, t layout.Tensor) {
	low, high := t.Layout().Bounds()
	v := c.view
	v.From, v.To = low, max(high+1, t.Storage())
	pic := &picture{p: p, t: t, view: v, finder: t.Layout().Finder()}
	pic.slots(v.To)
	s.paragraph("", p.palette.Title(title)+":")
	if p.options.Format == Markdown {
		s.paragraph("")
	}
	pic.bands(s)
}

// summary says in words what the conversion does.
func (c conversion) summary() []string {
	var lines []string
	l, m := c.from.Layout(), c.to.Layout()
	order, permuted := layout.Permutation(l, m)
	switch d, err := layout.Compare(l, m); {
	case err == nil && d == nil:
		lines = append(lines, "nothing moves: every element keeps its offset")
	case permuted:
		positions := make([]string, len(order))
		for i, at := range order {
			positions[i] = fmt.Sprint(at)
		}
		lines = append(lines, "a permutation of the storage: permute("+strings.Join(positions, ",")+"), then a copy")
	}
	if more := c.to.Reserved() - l.Elements(); more > 0 {
		lines = append(lines, fmt.Sprintf("%s adds %s of padding, %s%s", name(c.to), counted(more, "element"), counted(c.to.Bytes(more), "byte"), blamed(m)))
	}
	if f := m.Facts(); f.Unique == layout.No {
		lines = append(lines, fmt.Sprintf("elements share offsets in %s: %s are stored", name(c.to), group(f.Distinct)))
	}
	return lines
}

// blamed names the axes that do not fill their blocks.
func blamed(l layout.Layout) string {
	var axes []string
	for i := range l.Rank() {
		if _, whole := blocks(l.Axis(i)); whole > l.Axis(i).Size() {
			axes = append(axes, fmt.Sprintf("%s fills %d of %d", l.AxisName(i), l.Axis(i).Size(), whole))
		}
	}
	if len(axes) == 0 {
		return ""
	}
	return ": " + strings.Join(axes, ", ")
}
