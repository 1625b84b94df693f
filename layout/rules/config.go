package rules

import (
	"fmt"
	"math/big"

	"layoutcalc/layout"
	"layoutcalc/layout/desc"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/scan"
)

// The rules of edges and budgets.
var (
	GraphEdge      = &finding.Rule{Name: "graph-edge", Severity: finding.Error, Family: finding.DirectML}
	GraphOwned     = &finding.Rule{Name: "graph-owned", Severity: finding.Error, Family: finding.DirectML}
	BudgetMaxBytes = &finding.Rule{Name: "budget-max-bytes", Severity: finding.Error}
	EdgeMismatch   = &finding.Rule{Name: "edge-mismatch", Severity: finding.Error}
)

// A configuration is a configuration under check.
type configuration struct {
	*Checker
	*desc.Config
	named map[string]sizeOf // the sizes that names of open sizes stand for
}

// A sizeOf is the size that a name stands for, and the tensor that has it.
type sizeOf struct {
	size   string // a number, or open
	tensor string
}

// Config checks tensors against their operators and against their expectations. It does not report a consequence of a
// fault that has been reported.
func (c *Checker) Config(t desc.Target, config *desc.Config) {
	for i := range config.Tensors {
		if d := &config.Tensors[i]; d.Open == nil {
			c.Slot(t, d)
		}
	}
	c.target = t
	g := configuration{c, config, map[string]sizeOf{}}
	for i := range g.Expectations {
		x := &g.Expectations[i]
		e := expectation{Expectation: x, configuration: &g, d: &g.Tensors[x.Tensor]}
		e.statement()
		if e.d.Open != nil {
			e.undecided()
			continue
		}
		var err error
		if e.have, err = g.tensors.Stated(e.d); err == nil {
			e.check()
		}
	}
	for i := range g.Files {
		fileExpectation{&g.Files[i], &g}.check()
	}
	sums := map[*desc.Group]*groupSum{}
	for i := range g.Budgets {
		b := &g.Budgets[i]
		if sums[b.Group] == nil {
			sums[b.Group] = g.sum(b.Group)
		}
		g.budget(b, sums[b.Group])
	}
	for i := range g.Edges {
		g.edge(&g.Edges[i])
	}
}

// A groupSum is the bytes that the tensors of a group take together, and the largest of them.
type groupSum struct {
	bytes   big.Int
	largest string
	most    int64
	unknown *desc.Descriptor // a tensor without known bytes; nil for none
	broken  bool             // a tensor has a fault, which has been reported
}

// sum adds up the bytes of a group.
func (g *configuration) sum(group *desc.Group) *groupSum {
	s := new(groupSum)
	for _, i := range group.Tensors {
		d := &g.Tensors[i]
		have, err := g.tensors.Stated(d)
		if s.broken = err != nil; s.broken {
			return s
		}
		n, ok := g.bytes(d, have)
		if !ok {
			s.unknown = d
			return s
		}
		s.bytes.Add(&s.bytes, big.NewInt(n))
		if n > s.most {
			s.largest, s.most = d.Name, n
		}
	}
	return s
}

// bytes returns the size of the buffer that the tensor needs, including the whole of its last block, and for DirectML
// rounded up to a multiple of 4. Of types that only a file knows, only the stated bytes are known.
func (g *configuration) bytes(d *desc.Descriptor, have layout.Tensor) (n int64, ok bool) {
	if !d.TypeKnown {
		return d.Total.Value, d.Total.Stated
	}
	elements := have.Extent()
	if g.measure(d, d.Base); g.reached {
		elements = max(elements, g.high-min(g.low, 0)+1)
	}
	if n = have.Bytes(elements); g.target.Family == finding.DirectML {
		n = (n + 3) &^ 3
	}
	return n, true
}

// budget compares the bytes of several tensors with their limit.
func (g *configuration) budget(b *desc.Budget, s *groupSum) {
	more := new(big.Int).Sub(&s.bytes, big.NewInt(b.Most))
	switch {
	case s.broken:
	case s.unknown != nil:
		g.Report(BudgetMaxBytes, finding.On(s.unknown.Name, b.At), "", "%s: the bytes of %s are not known: %s",
			scan.Clip(b.Name), scan.Clip(s.unknown.Name), unknownType(s.unknown))
	case more.Sign() > 0:
		g.Report(BudgetMaxBytes, finding.On("", b.At), "", "%s: %s together, %d are expected at most: %v more; "+
			"the largest of %s is %s with %d", scan.Clip(b.Name), scan.Count(&s.bytes, "byte"), b.Most, more,
			scan.Count(len(b.Group.Tensors), "tensor"), scan.Clip(s.largest), s.most)
	}
}

// edge reports that the tensors of an edge differ.
func (g *configuration) edge(e *desc.Edge) {
	from, to := &g.Tensors[e.From], &g.Tensors[e.To]
	text := ""
	switch differ := from.HasType() && to.HasType() && !from.SameType(to); {
	case e.Allow&desc.SameBytes != 0:
		text = g.otherAmount(from, to, "byte")
	case differ && e.Allow&desc.Cast == 0:
		text = fmt.Sprintf("%s is %s and %s is %s", scan.Clip(from.Name), from.ElementType(), scan.Clip(to.Name),
			to.ElementType())
	case e.Allow&desc.Reshape != 0:
		if text = g.otherAmount(from, to, "element"); text == "" {
			text = g.reordered(from, to)
		}
	default:
		text = g.difference(from, to)
	}
	if text != "" {
		g.Report(EdgeMismatch, finding.On(to.Name, e.At), "", "%s", text)
	}
	if from.Open == nil && to.Open == nil {
		g.Edge(g.target, from, to)
	}
}

// otherAmount says that two tensors have another number of elements, or of bytes; nothing if they do not, or if it is
// not known. As many open sizes stand for the same numbers; of a tensor with more of them it is known what divides it.
func (g *configuration) otherAmount(a, b *desc.Descriptor, noun string) string {
	var n, open [2]int64
	var words [2]string
	for i, d := range [...]*desc.Descriptor{a, b} {
		product := int64(1)
		if noun == "byte" {
			if product = d.Type.Bits(); !d.TypeKnown {
				return ""
			}
		}
		for k, size := range d.Sizes {
			var err error
			if d.IsOpen(k) {
				open[i]++
			} else if product, err = layout.Mul(product, size); err != nil {
				return ""
			}
		}
		if n[i] = product; noun == "byte" {
			n[i] = layout.CeilDiv(product, 8)
		}
		if words[i] = scan.Count(n[i], noun); open[i] > 0 {
			words[i] += " for each of its open sizes"
		}
	}
	isMultiple := func(n, of int64) bool { return of != 0 && n%of == 0 }
	if open[0] == open[1] && n[0] == n[1] || open[0] > open[1] && isMultiple(n[1], n[0]) ||
		open[1] > open[0] && isMultiple(n[0], n[1]) {
		return ""
	}
	return fmt.Sprintf("%s has %s, %s has %s", scan.Clip(a.Name), words[0], scan.Clip(b.Name), words[1])
}

// reordered describes the first element, in row-major order, that has another offset in two tensors with as many
// elements; nothing if there is none.
func (g *configuration) reordered(a, b *desc.Descriptor) string {
	n, atA, atB := g.tensors.FirstReordered(a, b)
	if n < 0 {
		return ""
	}
	return fmt.Sprintf("element %d in row-major order is at offset %d in %s and at %d in %s", n, atA,
		scan.Clip(a.Name), atB, scan.Clip(b.Name))
}

// difference describes how the sizes of two tensors differ, or else the first element whose offsets differ; nothing if
// there is none, or if no element has an offset.
func (g *configuration) difference(a, b *desc.Descriptor) string {
	nameA, nameB := scan.Clip(a.Name), scan.Clip(b.Name)
	if len(a.Sizes) != len(b.Sizes) {
		return fmt.Sprintf("%s has %s, %s has %s", nameA, scan.Count(len(a.Sizes), "size"), nameB,
			scan.Count(len(b.Sizes), "size"))
	}
	for i, n := range a.Sizes {
		if other := b.Sizes[i]; !desc.Agree(n, other) && !desc.Agree(other, n) {
			return fmt.Sprintf("size %d is %d in %s and %d in %s", i, n, nameA, other, nameB)
		}
	}
	d := g.tensors.FirstMoved(a.Like(b), b.Like(a))
	if d == nil {
		return ""
	}
	return fmt.Sprintf("element %s is at offset %d in %s and at %d in %s", layout.IndexText(d.Index), d.A, nameA, d.B,
		nameB)
}

// Edge checks two tensors by the rules for an edge of a DirectML graph, from the output of an operator to the input of
// another. Types and sizes may differ: the bytes are the same.
func (c *Checker) Edge(t desc.Target, from, to *desc.Descriptor) {
	if t.Family != finding.DirectML {
		return
	}
	c.target = t
	have, ok := c.total(from)
	need, known := c.total(to)
	if ok && known && have != need {
		enough := roundedUp(max(have, need, c.least(from), c.least(to)), 4)
		c.d = to
		c.Report(GraphEdge, c.d.At(desc.TotalPart, -1), "give both "+scan.Count(enough, "byte"),
			"%s has %s and %s has %d: an edge has one total", from.Name, scan.Count(have, "byte"), to.Name, need)
	}
	c.d = to
	if to.Owned() {
		c.Report(GraphOwned, c.d.At(desc.FlagsPart, -1), "leave the flag out",
			"%s is OWNED_BY_DML, and %s feeds it: only inputs of the graph can", to.Name, from.Name)
	}
}
