package render

import (
	"reflect"
	"strings"

	"layoutcalc/layout/shape"
)

// EachStrides is the strides of a tensor with an unknown size of its outermost axis. Its facts are the facts that are
// equal for the sizes 1, 2 and 3; in JSON the others are null.
type EachStrides struct{ shape.Each }

// of returns the answer for one of the sizes.
func (a EachStrides) of(i int) stridesAnswer { return stridesAnswer{a.Tensors[i]} }

func (a EachStrides) plain(p *Printer) { a.of(0).plain(p) }

func (a EachStrides) tree() Object {
	both := common(a.of(0).tree(), a.of(1).tree())
	return common(both, a.of(2).tree()).(Object)
}

// common returns the common parts of two values of trees, with null for the other parts.
func common(a, b any) any {
	a, b = force(a), force(b)
	if x, ok := a.(Object); ok {
		y, _ := b.(Object)
		if len(y) != len(x) {
			return nil
		}
		both := make(Object, len(x))
		for i := range x {
			both[i] = Field{x[i][0], common(x[i][1], y[i][1])}
		}
		return both
	}
	if reflect.DeepEqual(a, b) {
		return a
	}
	var left, right, both []any
	for item := range items(a) {
		left = append(left, item)
	}
	for item := range items(b) {
		right = append(right, item)
	}
	if left == nil || len(left) != len(right) {
		return nil
	}
	for i := range left {
		both = append(both, common(left[i], right[i]))
	}
	return both
}

func (a EachStrides) records(p *Printer) grid {
	g := a.of(1).records(p)
	row := g.rows[a.row()]
	row[1], row[3] = a.Symbol, a.Symbol
	return g
}

// row returns the index of the row of the axis among the rows of all digits.
func (a EachStrides) row() (row int) {
	for i := range a.Axis {
		row += a.Tensors[0].Layout().Axis(i).Digits()
	}
	return row
}

func (a EachStrides) page(p *Printer) {
	t := a.Tensors[1]
	l, first := t.Layout(), p.stridesLine(t)
	for _, other := range a.Tensors {
		if p.stridesLine(other) != first {
			first = "strides " + p.palette.Title(strideText(l))
		}
	}
	name := a.Symbol
	if l.Named() && l.AxisName(a.Axis) != a.Symbol {
		name = l.AxisName(a.Axis) + " " + a.Symbol
	}
	texts := p.palette.labelled(l, l.Sizes(), " ")
	texts[a.Axis] = p.palette.Axis(a.Axis, name)
	p.paragraph(first, p.headingOf(t, texts), "")
	g := a.of(1).grid(p)
	if g.rows[a.row()][1] = a.Symbol; len(g.header) > 5 {
		g.rows[a.row()][2] = a.Symbol
	}
	p.table(g)
	p.paragraph("")
	sizes := intTexts(l.Sizes())
	sizes[a.Axis] = a.Symbol
	p.pre(append([]string{"Sizes   = { " + strings.Join(sizes, ", ") + " }"}, a.of(1).descriptor(p.palette)[1:]...))
	one, step := a.Tensors[0], l.Axis(a.Axis).Digit(0).Stride
	p.paragraph("for each of " + a.Symbol + ": " + Counted(one.Layout().Elements(), "element") + ", " +
		Counted(one.Bytes(step), "byte") + " apart")
}
