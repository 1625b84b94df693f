package render

import (
	"fmt"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
)

// MatrixText is a tensor as the matrix descriptor of an instruction.
type MatrixText struct {
	Command, As string
	Tensor      layout.Tensor
	Matrix      *descriptor.Matrix
}

func (a MatrixText) text() string { return fmt.Sprintf("0x%016x", a.Matrix.Bits) }

func (a MatrixText) plain(p *Printer) { p.w.Line(a.text()) }

func (a MatrixText) tree() Object {
	m := a.Matrix
	return Document(a.Command, Field{"tensor", later(a.Tensor)}, Field{"notation", a.As}, Field{"text", a.text()},
		Field{"target", m.Target}, Field{"major", m.Major}, Field{"start", m.Start}, Field{"leadingBytes", m.Leading},
		Field{"strideBytes", m.Stride}, Field{"layout", m.Layout})
}

func (a MatrixText) records(*Printer) grid {
	return grid{header: []string{"notation", "text"}, rows: [][]string{{a.As, a.text()}}}
}

func (a MatrixText) page(p *Printer) { p.verbatim(a.text()) }
