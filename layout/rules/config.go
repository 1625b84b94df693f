package rules

import (
	"fmt"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
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

// An Expected knows where what a rule holds a tensor against stands.
type Expected interface {
	Place(rule ID) Place
}

// An Edge joins two tensors, of which one is handed on as the other.
type Edge struct {
	From, To int
	At       Locator
}

// Config holds tensors against what is expected of them. What cannot be told because something
// else is wrong with a tensor is not reported again.
func (c *Checker) Config(t Target, g *Config) {
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

// stated returns the tensor that a descriptor describes, without names of axes, so that it can be
// compared with any.
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
	axes := make([]layout.Axis, l.Rank())
	for i := range axes {
		digits := make([]layout.Digit, l.Axis(i).Digits())
		for k := range digits {
			digits[k] = l.Axis(i).Digit(k)
		}
		axes[i] = layout.NewAxis("", l.Axis(i).Size(), digits...)
	}
	return layout.New(base, axes...)
}

// edge reports that the tensors of an edge differ.
func (c *Checker) edge(g *Config, e *Edge) {
	from, to := &g.Tensors[e.From], &g.Tensors[e.To]
	text := ""
	switch {
	case from.Type != to.Type:
		text = fmt.Sprintf("%s is %s and %s is %s", clip(from.Name), from.Type, clip(to.Name), to.Type)
	case !slices.Equal(from.Sizes, to.Sizes):
		text = differentSizes(from, to)
	default:
		text = differentOffsets(from, to)
	}
	if text != "" && c.broken(EdgeMismatch) {
		c.Add(Finding{Rule: EdgeMismatch, Severity: Error, Place: e.At.Place(), Tensor: to.Name, Message: text})
	}
	c.Edge(c.target, from, to)
}

// differentSizes says how the sizes of two tensors differ.
func differentSizes(a, b *Descriptor) string {
	if len(a.Sizes) != len(b.Sizes) {
		return fmt.Sprintf("%s has %s, %s has %s", clip(a.Name), count(int64(len(a.Sizes)), "size"), clip(b.Name), count(int64(len(b.Sizes)), "size"))
	}
	for i, n := range a.Sizes {
		if n != b.Sizes[i] {
			return fmt.Sprintf("size %d is %d in %s and %d in %s", i, n, clip(a.Name), b.Sizes[i], clip(b.Name))
		}
	}
	return ""
}

// differentOffsets says which element comes first whose offsets in two tensors of the same sizes
// differ; nothing when none does, or no element has an offset.
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
	return fmt.Sprintf("element %s is at offset %d in %s and at %d in %s", tuple(d.Index), d.A, clip(a.Name), d.B, clip(b.Name))
}
