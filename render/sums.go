package render

import (
	"fmt"
	"strconv"
	"strings"

	"layoutcalc/layout"
)

// Sums writes what the tensors of a file take together, by their types.
func (p *Printer) Sums(sums *layout.Sums) error { return p.print(sumsAnswer{sums}) }

type sumsAnswer struct{ *layout.Sums }

func (a sumsAnswer) plain(p *Printer) { p.w.Line(text(a.All.Bytes)) }

func (a sumsAnswer) tree() Object {
	list := []Object{}
	for _, sum := range a.Types() {
		list = append(list, append(Object{{"type", sum.Type}}, sumTree(sum)...))
	}
	return append(append(Document("size"), sumTree(a.All)...), Field{"types", list})
}

// sumTree returns the fields of a sum. Bytes that are not known of all tensors are null.
func sumTree(s layout.Sum) Object {
	return Object{
		{"tensors", s.Tensors}, {"elements", s.Elements}, {"bytes", orNull(s.Bytes, s.Unknown == 0)},
	}
}

func (a sumsAnswer) records(_ *Printer) grid {
	g := grid{header: []string{"type", "tensors", "elements", "bytes"}, left: []int{0}}
	for _, sum := range append(a.Types(), a.All) {
		bytes := text(sum.Bytes)
		if sum.Unknown > 0 && sum.Bytes == 0 {
			bytes = ""
		}
		g.rows = append(g.rows, []string{sum.Type, text(sum.Tensors), text(sum.Elements), bytes})
	}
	g.rows[len(g.rows)-1][0] = "all"
	return g
}

func (a sumsAnswer) page(p *Printer) {
	p.paragraph(p.inBytes(a.All.Bytes, "")+" in "+Counted(a.All.Tensors, "tensor")+", "+
		Counted(a.All.Elements, "element"), "")
	p.table(p.withUnits(a.records(p)))
	if a.All.Tensors > 0 {
		p.paragraph("", "--tensor NAME chooses one of "+a.Names)
	}
}

// inBytes returns a number of bytes, with how it comes about and with larger units.
func (p *Printer) inBytes(n int64, product string) string {
	bytes, about := p.palette.Title(Counted(n, "byte")), inUnits(n)
	if product != "" && about != "" {
		product += ", "
	}
	if about = product + about; about != "" {
		bytes += p.palette.Faint(" (" + about + ")")
	}
	return bytes
}

// Blocks writes the storage of a tensor whose elements are in blocks, with its sizes, the innermost last.
func (p *Printer) Blocks(b layout.Block, sizes []int64, blocks, bytes int64) error {
	return p.print(blocksAnswer{b, sizes, blocks, bytes})
}

type blocksAnswer struct {
	layout.Block
	sizes         []int64
	blocks, bytes int64
}

func (a blocksAnswer) plain(p *Printer) { p.w.Line(text(a.bytes)) }

// part is the elements, the blocks and the bytes of a part of the tensor.
type blockPart struct {
	name                    string
	elements, blocks, bytes int64
}

// parts returns a block, a row and the tensor.
func (a blocksAnswer) parts() []blockPart {
	n := int64(1)
	if len(a.sizes) > 0 {
		n = a.sizes[len(a.sizes)-1] / a.Elements
	}
	return []blockPart{
		{"block", a.Elements, 1, a.Bytes}, {"row", n * a.Elements, n, n * a.Bytes},
		{"tensor", a.blocks * a.Elements, a.blocks, a.bytes},
	}
}

func (a blocksAnswer) tree() Object {
	tree := Document("size", Field{"type", a.Name}, Field{"sizes", a.sizes}, Field{"elements", a.blocks * a.Elements},
		Field{"bytes", a.bytes})
	for _, part := range a.parts() {
		tree = append(tree, Field{part.name, Object{
			{"elements", part.elements}, {"blocks", part.blocks}, {"bytes", part.bytes},
		}})
	}
	return tree
}

func (a blocksAnswer) records(_ *Printer) grid {
	g := grid{header: []string{"what", "elements", "blocks", "bytes"}, left: []int{0}}
	for _, part := range a.parts() {
		g.rows = append(g.rows, []string{part.name, text(part.elements), text(part.blocks), text(part.bytes)})
	}
	return g
}

func (a blocksAnswer) page(p *Printer) {
	sizes := groupWords(layout.JoinInts(a.sizes, " × "))
	p.paragraph(p.inBytes(a.bytes, fmt.Sprintf("%s x %d", Group(a.blocks), a.Bytes)), "",
		sizes+" · "+p.palette.Title(a.Name)+" · "+Rate(a.Block), "")
	g := p.withUnits(a.records(p))
	g.header[0] = ""
	p.table(g)
	p.paragraph("", "explain "+strings.ToLower(a.Name)+" shows a block")
}

// Rate describes a block in a few words: its elements, its bytes, and the bits of an element.
func Rate(b layout.Block) string {
	bits := strconv.FormatFloat(float64(8*b.Bytes)/float64(b.Elements), 'f', -1, 64)
	return fmt.Sprintf("%d elements in %d bytes, %s bits each", b.Elements, b.Bytes, bits)
}
