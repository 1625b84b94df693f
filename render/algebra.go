package render

import (
	"iter"

	"layoutcalc/layout"
	"layoutcalc/layout/algebra"
)

// Algebra is an operation on layouts with the resulting layout.
type Algebra struct {
	algebra.Call
	Made        algebra.Layout
	First, Last *layout.DType // the element types of A and of the result; nil if no type has their bits
}

// operands returns the operands as text.
func (a Algebra) operands() []string {
	list := []string{a.A.String()}
	if a.B != nil {
		list = append(list, a.B.String())
	}
	return list
}

// second returns the second operand if it is a layout.
func (a Algebra) second() (l algebra.Layout, ok bool) {
	if a.B == nil || a.Operation != "compose" && a.Operation != "divide" && a.Operation != "product" {
		return algebra.Layout{}, false
	}
	return a.B.Layout()
}

// Caption returns the caption of a picture of the first operand.
func (a Algebra) Caption() Caption {
	return Caption{"A = " + a.A.String(), []string{""}, []string{
		"A divided by " + a.operands()[1] + " is " + a.Made.String(),
	}}
}

func (a Algebra) plain(p *Printer) { p.w.Line(a.Made.String()) }

// head returns the fields about the operation.
func (a Algebra) head() Object {
	var second any
	if l, ok := a.second(); ok {
		second = ofType(l.Flat(), a.First)
	}
	hasForm := a.Operation == "divide" || a.Operation == "product"
	return Document("algebra",
		Field{"operation", a.Operation}, Field{"form", orNull(algebra.Forms[a.Form], hasForm)},
		Field{"operands", a.operands()}, Field{"a", ofType(a.A.Flat(), a.First)}, Field{"b", second},
	)
}

// ofType returns the object of a layout with elements of a type, which may be nil.
func ofType(l layout.Layout, of *layout.DType) any {
	if of == nil {
		return nil
	}
	t, err := layout.NewTensor(l, *of)
	if err != nil {
		return nil
	}
	return later(t.OfSystem(layout.CuTe))
}

func (a Algebra) tree() Object {
	return append(a.head(), Field{"text", a.Made.String()}, Field{"tensor", ofType(a.Made.Flat(), a.Last)})
}

func (a Algebra) records(_ *Printer) grid {
	header := []string{"operand", "layout", "elements", "lowest", "highest"}
	g := grid{header: header, left: []int{0, 1}, texts: 1, least: 20}
	row := func(name string, l algebra.Layout) {
		low, high := l.Flat().Bounds()
		g.rows = append(g.rows, []string{name, l.String(), text(l.Flat().Elements()), text(low), text(high)})
	}
	row("A", a.A)
	if l, ok := a.second(); ok {
		row("B", l)
	} else if a.B != nil {
		g.rows = append(g.rows, []string{"B", a.B.String(), "", "", ""})
	}
	row("result", a.Made)
	return g
}

func (a Algebra) page(p *Printer) {
	p.verbatim(a.Made.String())
	p.paragraph("")
	p.table(a.records(p))
}

// Values is the offsets of a result, in the order of the elements, with the first mode fastest.
type Values struct {
	Algebra
	Count int64
	At    func(int64) int64
}

func (a Values) plain(p *Printer) {
	for i := range a.Count {
		p.w.Number(a.At(i))
		p.w.Line()
	}
}

func (a Values) tree() Object {
	return append(a.head(), Field{"values", iter.Seq[any](func(yield func(any) bool) {
		for i := int64(0); i < a.Count && yield(a.At(i)); i++ {
		}
	})})
}

func (a Values) records(_ *Printer) grid {
	g := grid{header: []string{"element", "offset"}}
	for i := range a.Count {
		g.rows = append(g.rows, []string{text(i), text(a.At(i))})
	}
	return g
}

func (a Values) page(p *Printer) {
	p.table(a.records(p))
}
