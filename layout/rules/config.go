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
}

// An Expectation says what a tensor has to be like.
type Expectation struct {
	Tensor   int    // which of the tensors
	Layout   string // the name of the layout that its strides follow; empty for any
	Packed   facts.Verdict
	MaxBytes Number
	Strides  []int64 // nil for any
	SameAs   int     // the tensor whose layout it has; negative for none
	At       Expected
}

// An Expected knows the places of what a tensor is compared with.
type Expected interface {
	// Place returns the place of what the rule compares the tensor with.
	Place(rule ID) Place
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
	for i := range g.Expectations {
		e := expectation{&g.Expectations[i], c, g, &g.Tensors[g.Expectations[i].Tensor], layout.Tensor{}}
		var err error
		if e.have, err = stated(e.d); err == nil {
			e.check()
		}
	}
	for i := range g.Edges {
		c.edge(g, &g.Edges[i])
	}
}

// stated returns the tensor that a descriptor describes, without names of axes, so that it can be compared with any.
func stated(d *Descriptor) (layout.Tensor, error) {
	l, err := layout.Strided(d.Base, d.Sizes, d.Strides)
	if d.Strides == nil {
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

// An expectation is one with the tensor that it is about.
type expectation struct {
	*Expectation
	c    *Checker
	g    *Config
	d    *Descriptor
	have layout.Tensor
}

// check compares the tensor with all that is expected of it.
func (e *expectation) check() {
	if e.Layout != "" {
		e.layout()
	}
	if e.Packed != facts.Unknown {
		e.packed()
	}
	if e.MaxBytes.Stated && e.d.TypeKnown {
		if n := e.bytes(); n > e.MaxBytes.Value {
			e.find(ExpectMaxBytes, Error, "",
				"%s are needed, %d are expected at most", scan.Count(n, "byte"), e.MaxBytes.Value)
		}
	}
	if e.Strides != nil {
		e.strides()
	}
	if e.SameAs >= 0 {
		other := &e.g.Tensors[e.SameAs]
		if text := differentSizes(e.d, other); text != "" {
			e.find(ExpectSameAs, Error, "", "%s", text)
		} else if text := differentOffsets(e.d, other); text != "" {
			e.find(ExpectSameAs, Error, "", "%s", text)
		}
	}
}

// find reports that an expectation is not met.
func (e *expectation) find(id ID, s Severity, fix, format string, args ...any) {
	e.findAt(id, id, s, fix, format, args...)
}

// findAt reports something at the place of what another rule compares the tensor with.
func (e *expectation) findAt(at, id ID, s Severity, fix, format string, args ...any) {
	if e.c.wants(id, s) {
		message := fmt.Sprintf(format, args...)
		e.c.Add(Finding{Rule: id, Severity: s, Place: e.At.Place(at), Tensor: e.d.Name, Message: message, Fix: fix})
	}
}

// layout compares the tensor with one of the same sizes that has the expected layout, wherever it starts.
func (e *expectation) layout() {
	want, err := unstrided(&Descriptor{Sizes: e.d.Sizes, Layout: e.Layout})
	if err != nil {
		e.findAt(ExpectLayout, ConfigValue, Error, hintOf(err), "%s", err)
		return
	}
	have, err := unnamed(e.have.Layout(), 0)
	if err != nil {
		return
	}
	d, err := facts.Compare(have, want)
	if err != nil || d == nil {
		return
	}
	fix := "layout: " + e.Layout
	if strides, ok := want.Strides(); ok && e.d.Strides != nil {
		fix = "strides: " + list(strides)
	}
	e.find(ExpectLayout, Error, fix, "element %s is %d after the first, in %s it is %d: %s, %s has %s",
		tuple(d.Index), d.A, scan.Clip(e.Layout), d.B, stridesOf(have), scan.Clip(e.Layout), stridesOf(want))
}

// stridesOf writes the strides of a layout, or that it has none.
func stridesOf(l layout.Layout) string {
	if strides, ok := l.Strides(); ok {
		return "strides " + list(strides)
	}
	return "blocks"
}

// packed compares whether the tensor is packed.
func (e *expectation) packed() {
	f, fix := facts.Within(e.have.Layout(), facts.Quick), "leave out the strides"
	if e.d.Strides == nil {
		fix = "layout: row-major is packed"
	}
	switch got := f.Packed(); {
	case got == e.Packed:
	case got == facts.Unknown:
		e.find(ExpectPacked, Warning, "",
			"whether the tensor is packed is not known: its strides are too hard to decide")
	case got == facts.Yes:
		e.find(ExpectPacked, Error, "", "the tensor is packed: %s on as many offsets",
			scan.Count(f.Elements, "element"))
	case f.Exhaustive == facts.No:
		unused := "some"
		if f.DistinctKnown {
			unused = fmt.Sprint(f.Span - f.Distinct)
		}
		e.find(ExpectPacked, Error, fix, "%s of the %s from %d to %d belong to no element",
			unused, scan.Count(f.Span, "offset"), f.Low, f.High)
	default:
		e.find(ExpectPacked, Error, fix, "elements %s and %s are both at offset %d",
			tuple(f.Witness.A), tuple(f.Witness.B), f.Witness.Offset)
	}
}

// bytes returns how large a buffer the tensor needs, with the whole of its last block if it has blocks.
func (e *expectation) bytes() int64 {
	n := e.have.BufferBytes()
	g := &e.c.geometry
	if g.measure(e.d, e.d.Base); !g.blocked || !g.reached || g.empty {
		return n
	}
	return max(n, (e.have.Bytes(g.high-min(g.low, 0)+1)+3)&^3)
}

// strides compares the strides, except those of size 1, which move nothing.
func (e *expectation) strides() {
	have, ok := e.have.Layout().Strides()
	switch i := differing(e.d.Sizes, have, e.Strides); {
	case len(e.Strides) != len(e.d.Sizes):
		e.findAt(ExpectStrides, ConfigValue, Error, "", "%s for %s",
			scan.Count(len(e.Strides), "stride"), scan.Count(len(e.d.Sizes), "size"))
	case !ok:
		e.find(ExpectStrides, Error, "", "%s is made of blocks: no strides describe it", scan.Clip(e.d.Layout))
	case i >= 0:
		e.find(ExpectStrides, Error, "strides: "+list(e.Strides),
			"stride %d is %d, %d is expected: strides %s", i, have[i], e.Strides[i], list(have))
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
