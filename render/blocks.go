package render

import (
	"fmt"
	"layoutcalc/layout/wording"
	"strconv"
	"strings"

	"layoutcalc/layout"
)

// inBytes formats a number of bytes, with the product that it is the result of and with larger units.
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

// Blocks is the storage of a tensor with elements in blocks.
type Blocks struct {
	Of           layout.Block
	Sizes        []int64 // innermost last
	Count, Bytes int64
}

func (a Blocks) plain(p *Printer) { p.w.Line(text(a.Bytes)) }

// A blockPart is the elements, the blocks and the bytes of a part of the tensor.
type blockPart struct {
	name                    string
	elements, blocks, bytes int64
}

// parts returns a block, a row and the tensor.
func (a Blocks) parts() []blockPart {
	n := int64(1)
	if len(a.Sizes) > 0 {
		n = a.Sizes[len(a.Sizes)-1] / a.Of.Elements
	}
	return []blockPart{
		{"block", a.Of.Elements, 1, a.Of.Bytes}, {"row", n * a.Of.Elements, n, n * a.Of.Bytes},
		{"tensor", a.Count * a.Of.Elements, a.Count, a.Bytes},
	}
}

func (a Blocks) tree() Object {
	tree := Document("size", Field{"type", a.Of.Name}, Field{"sizes", a.Sizes},
		Field{"elements", a.Count * a.Of.Elements}, Field{"bytes", a.Bytes})
	for _, part := range a.parts() {
		tree = append(tree, Field{part.name, Object{
			{"elements", part.elements}, {"blocks", part.blocks}, {"bytes", part.bytes},
		}})
	}
	return tree
}

func (a Blocks) records(_ *Printer) grid {
	g := grid{header: []string{"what", "elements", "blocks", "bytes"}, left: []int{0}}
	for _, part := range a.parts() {
		g.rows = append(g.rows, []string{part.name, text(part.elements), text(part.blocks), text(part.bytes)})
	}
	return g
}

func (a Blocks) page(p *Printer) {
	sizes := groupWords(layout.JoinInts(a.Sizes, " × "))
	p.paragraph(p.inBytes(a.Bytes, fmt.Sprintf("%s x %d", Group(a.Count), a.Of.Bytes)), "",
		sizes+" · "+p.palette.Title(a.Of.Name)+" · "+Rate(a.Of), "")
	g := p.withUnits(a.records(p))
	g.header[0] = ""
	p.table(g)
	p.paragraph("", "explain "+strings.ToLower(a.Of.Name)+" shows a block")
}

// Rate describes a block in a few words: its elements, its bytes, and the bits of an element.
func Rate(b layout.Block) string {
	bits := strconv.FormatFloat(float64(8*b.Bytes)/float64(b.Elements), 'f', -1, 64)
	return fmt.Sprintf("%s in %s, %s bits each", wording.Count(b.Elements, "element"), wording.Count(b.Bytes, "byte"),
		bits)
}
