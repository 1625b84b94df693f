package expect

import (
	"fmt"
	"math/big"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/wording"
)

// The rules of edges and budgets.
var (
	BudgetMaxBytes = &finding.Rule{Name: "budget-max-bytes", Severity: finding.Error}
	EdgeMismatch   = &finding.Rule{Name: "edge-mismatch", Severity: finding.Error}
)

// A Budget limits the total bytes of several tensors.
type Budget struct {
	Name  string
	Group *Group
	Most  int64 // in bytes
	At    finding.Locator
}

// A Group is a list of tensors. Budgets limit the sum of their bytes, and may share a Group.
type Group struct{ Tensors []int }

// An Edge connects two tensors: the first is passed on as the second.
type Edge struct {
	From, To int
	Allow    Allowance
	At       finding.Locator
}

// An Allowance is a set of differences between the tensors of an edge.
type Allowance uint8

// The allowances.
const (
	Cast      Allowance = 1 << iota // the types may differ
	Reshape                         // the sizes may differ; the elements must have the same order and offsets
	SameBytes                       // everything may differ except the number of bytes
)

// Allowances are the names of the allowances, in their order.
var Allowances = [...]string{"cast", "reshape", "bytes"}

// A groupSum is the total bytes of the tensors of a group, and the largest of them.
type groupSum struct {
	bytes   big.Int
	largest string
	most    int64
	unknown *descriptor.Descriptor // a tensor without known bytes, or nil
	broken  bool                   // a tensor has an error, which has been reported
}

// sum adds up the bytes of a group.
func (g *configCheck) sum(group *Group) *groupSum {
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

// bytes returns the size of the buffer that the tensor needs, including the whole of its last block. For DirectML it is
// rounded up to a multiple of 4. For types that only a file has, only the stated bytes are known.
func (g *configCheck) bytes(d *descriptor.Descriptor, have layout.Tensor) (n int64, ok bool) {
	if !d.TypeKnown {
		return d.Total.Value, d.Total.Stated
	}
	elements := have.Extent()
	if low, high, ok := g.Offsets(d); ok {
		elements = max(elements, high-min(low, 0)+1)
	}
	if n = have.Bytes(elements); g.target.Family == finding.DirectML {
		n = (n + 3) &^ 3
	}
	return n, true
}

// budget compares the bytes of several tensors with their limit.
func (g *configCheck) budget(b *Budget, s *groupSum) {
	more := new(big.Int).Sub(&s.bytes, big.NewInt(b.Most))
	switch {
	case s.broken:
	case s.unknown != nil:
		g.Report(BudgetMaxBytes, finding.On(s.unknown.Name, b.At), "", "%s: the bytes of %s are not known: %s",
			wording.Clip(b.Name), wording.Clip(s.unknown.Name), unknownType(s.unknown))
	case more.Sign() > 0:
		g.Report(BudgetMaxBytes, finding.On("", b.At), "", "%s: %s together, %d are expected at most: %v more; "+
			"the largest of %s is %s with %d", wording.Clip(b.Name), wording.Count(&s.bytes, "byte"), b.Most, more,
			wording.Count(len(b.Group.Tensors), "tensor"), wording.Clip(s.largest), s.most)
	}
}

// edge reports differences between the tensors of an edge.
func (g *configCheck) edge(e *Edge) {
	from, to := &g.Tensors[e.From], &g.Tensors[e.To]
	text := ""
	switch differ := from.HasType() && to.HasType() && !from.SameType(to); {
	case e.Allow&SameBytes != 0:
		text = g.otherAmount(from, to, "byte")
	case differ && e.Allow&Cast == 0:
		text = fmt.Sprintf("%s is %s and %s is %s", wording.Clip(from.Name), from.ElementType(), wording.Clip(to.Name),
			to.ElementType())
	case e.Allow&Reshape != 0:
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

// otherAmount returns a message if two tensors differ in the number of elements, or of bytes, and an empty string if
// they do not or if it is unknown. If both have the same number of open sizes, these are assumed to be equal. If one
// has more, its other sizes must divide the number of the other tensor.
func (g *configCheck) otherAmount(a, b *descriptor.Descriptor, noun string) string {
	var n, open [2]int64
	var words [2]string
	for i, d := range [...]*descriptor.Descriptor{a, b} {
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
		if words[i] = wording.Count(n[i], noun); open[i] > 0 {
			words[i] += " for each of its open sizes"
		}
	}
	isMultiple := func(n, of int64) bool { return of != 0 && n%of == 0 }
	if open[0] == open[1] && n[0] == n[1] || open[0] > open[1] && isMultiple(n[1], n[0]) ||
		open[1] > open[0] && isMultiple(n[0], n[1]) {
		return ""
	}
	return fmt.Sprintf("%s has %s, %s has %s", wording.Clip(a.Name), words[0], wording.Clip(b.Name), words[1])
}

// reordered describes the first element, in row-major order, that has different offsets in two tensors with the same
// number of elements. It returns an empty string if all offsets are equal.
func (g *configCheck) reordered(a, b *descriptor.Descriptor) string {
	n, atA, atB := g.tensors.FirstReordered(a, b)
	if n < 0 {
		return ""
	}
	return fmt.Sprintf("element %d in row-major order is at offset %d in %s and at %d in %s", n, atA,
		wording.Clip(a.Name), atB, wording.Clip(b.Name))
}

// difference describes the difference between the sizes of two tensors, or otherwise the first element with different
// offsets. It returns an empty string if all offsets are equal, or if no element has an offset.
func (g *configCheck) difference(a, b *descriptor.Descriptor) string {
	nameA, nameB := wording.Clip(a.Name), wording.Clip(b.Name)
	if len(a.Sizes) != len(b.Sizes) {
		return fmt.Sprintf("%s has %s, %s has %s", nameA, wording.Count(len(a.Sizes), "size"), nameB,
			wording.Count(len(b.Sizes), "size"))
	}
	for i, n := range a.Sizes {
		if other := b.Sizes[i]; !descriptor.Agree(n, other) && !descriptor.Agree(other, n) {
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
