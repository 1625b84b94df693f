package rules

import (
	"fmt"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/scan"
)

// A Config is what a configuration expects of its tensors.
type Config struct {
	Tensors      []Descriptor
	Expectations []Expectation
	Edges        []Edge
	Budgets      []Budget
}

// A Budget limits the bytes that several tensors take together.
type Budget struct {
	Name    string
	Tensors []int
	Most    int64
	At      Locator
}

// An Edge joins two tensors, of which one is handed on as the other.
type Edge struct {
	From, To int
	At       Locator
}

// Config compares tensors with what their operators take and with what is expected of them. What cannot be told because
// something else is wrong with a tensor is not reported again.
func (c *Checker) Config(t Target, g *Config) {
	for i := range g.Tensors {
		c.Slot(t, &g.Tensors[i])
	}
	c.target = t
	open := map[string]sizeOf{}
	for i := range g.Expectations {
		e := expectation{&g.Expectations[i], c, g, &g.Tensors[g.Expectations[i].Tensor], layout.Tensor{}}
		e.statement(open)
		var err error
		if e.have, err = stated(e.d); err == nil {
			e.check()
		}
	}
	for i := range g.Budgets {
		c.budget(g, &g.Budgets[i])
	}
	for i := range g.Edges {
		c.edge(g, &g.Edges[i])
	}
}

// stated returns the tensor that a descriptor describes, without names of axes, so that it can be compared with any.
func stated(d *Descriptor) (layout.Tensor, error) {
	strides := d.Strides
	if strides == nil && d.Layout == "" && !slices.ContainsFunc(d.Sizes, func(n int64) bool { return n <= 0 }) {
		strides, _ = rowMajor(nil, d.Sizes)
	}
	l, err := layout.Strided(d.Base, d.Sizes, strides)
	if strides == nil {
		l, err = unstrided(d)
	}
	if err != nil {
		return layout.Tensor{}, err
	}
	return layout.NewTensor(l, d.Type)
}

// unstrided returns the layout of a descriptor that states no strides.
func unstrided(d *Descriptor) (layout.Layout, error) {
	row := *d
	if row.Layout == "" {
		row.Layout = "row-major"
	}
	t, err := named(&row)
	if err != nil {
		return layout.Layout{}, err
	}
	return unnamed(t.Layout(), d.Base)
}

// unnamed returns a layout at another base and without names of axes.
func unnamed(l layout.Layout, base int64) (layout.Layout, error) {
	axes := l.Axes()
	for i, a := range axes {
		axes[i] = layout.NewAxis("", a.Size(), a.DigitList()...)
	}
	return layout.New(base, axes...)
}

// budget compares the bytes that tensors take together with how many they may take.
func (c *Checker) budget(g *Config, b *Budget) {
	var sum int64
	largest, most := "", int64(-1)
	for _, i := range b.Tensors {
		d := &g.Tensors[i]
		have, err := stated(d)
		if err != nil {
			return // which is reported of the tensor
		}
		e := expectation{c: c, d: d, have: have}
		n, ok := e.bytes()
		if !ok {
			c.findAt(BudgetMaxBytes, Error, b.At, d.Name, "", "%s: the bytes of %s are not known: %s",
				scan.Clip(b.Name), scan.Clip(d.Name), unknownType(d))
			return
		}
		if sum, err = layout.Add(sum, n); err != nil {
			c.findAt(BudgetMaxBytes, Error, b.At, "", "", "%s: %s", scan.Clip(b.Name), err)
			return
		}
		if n > most {
			largest, most = d.Name, n
		}
	}
	if sum > b.Most {
		c.findAt(BudgetMaxBytes, Error, b.At, "", "", "%s: %s together, %d are expected at most: %d more; "+
			"the largest of %s is %s with %d", scan.Clip(b.Name), scan.Count(sum, "byte"), b.Most, sum-b.Most,
			scan.Count(len(b.Tensors), "tensor"), scan.Clip(largest), most)
	}
}

// edge reports that the tensors of an edge differ.
func (c *Checker) edge(g *Config, e *Edge) {
	from, to := &g.Tensors[e.From], &g.Tensors[e.To]
	text := ""
	switch {
	case from.Type != to.Type:
		text = fmt.Sprintf("%s is %s and %s is %s", scan.Clip(from.Name), from.Type, scan.Clip(to.Name), to.Type)
	case !slices.Equal(from.Sizes, to.Sizes):
		text = differentSizes(from, to)
	default:
		text = differentOffsets(from, to)
	}
	if text != "" {
		c.findAt(EdgeMismatch, Error, e.At, to.Name, "", "%s", text)
	}
	c.Edge(c.target, from, to)
}

// differentSizes says how the sizes of two tensors differ.
func differentSizes(a, b *Descriptor) string {
	if len(a.Sizes) != len(b.Sizes) {
		return fmt.Sprintf("%s has %s, %s has %s", scan.Clip(a.Name), scan.Count(len(a.Sizes), "size"),
			scan.Clip(b.Name), scan.Count(len(b.Sizes), "size"))
	}
	for i, n := range a.Sizes {
		if n != b.Sizes[i] {
			return fmt.Sprintf("size %d is %d in %s and %d in %s", i, n, scan.Clip(a.Name), b.Sizes[i],
				scan.Clip(b.Name))
		}
	}
	return ""
}

// differentOffsets says which is the first element whose offsets in two tensors of the same sizes differ;
// nothing if there is none, or if no element has an offset.
func differentOffsets(a, b *Descriptor) string {
	x, err := stated(a)
	if err != nil {
		return ""
	}
	y, err := stated(b)
	if err != nil {
		return ""
	}
	d, err := facts.Compare(x.Layout(), y.Layout())
	if err != nil || d == nil {
		return ""
	}
	return fmt.Sprintf("element %s is at offset %d in %s and at %d in %s",
		tuple(d.Index), d.A, scan.Clip(a.Name), d.B, scan.Clip(b.Name))
}

// Edge checks two tensors by the rules of an edge of a DirectML graph, which leads from an operator's output
// to another one's input. Types and sizes may differ: the bytes are the same.
func (c *Checker) Edge(t Target, from, to *Descriptor) {
	if t.Family != DirectML {
		return
	}
	c.target = t
	have, ok := c.total(from)
	need, known := c.total(to)
	if ok && known && have != need {
		enough := roundedUp(max(have, need, c.least(from), c.least(to)), 4)
		c.d = to
		c.find(GraphEdge, TotalPart, -1, fixf("give both %d bytes", enough),
			"%s has %d bytes and %s has %d: an edge has one total", from.Name, have, to.Name, need)
	}
	c.d = to
	if to.owned() {
		c.find(GraphOwned, FlagsPart, -1, "leave the flag out",
			"%s is OWNED_BY_DML, and %s feeds it: only inputs of the graph can", to.Name, from.Name)
	}
}

// total returns how many bytes DirectML takes the tensor to have.
func (c *Checker) total(d *Descriptor) (bytes int64, ok bool) {
	if d.Total.Value != 0 {
		return d.Total.Value, d.Total.Value > 0
	}
	c.look(d)
	return c.need()
}

// least returns how many bytes a tensor needs, whatever it states; 0 if that is not known.
func (c *Checker) least(d *Descriptor) int64 {
	c.look(d)
	bytes, _ := c.need()
	return bytes
}
