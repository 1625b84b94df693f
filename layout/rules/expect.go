package rules

import (
	"fmt"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
)

// An expectation is one with the tensor that it is about.
type expectation struct {
	*Expectation
	c    *Checker
	g    *Config
	d    *Descriptor
	have layout.Tensor
}

// check holds the tensor against all that is expected of it.
func (e *expectation) check() {
	if e.Layout != "" {
		e.layout()
	}
	if e.Packed != facts.Unknown {
		e.packed()
	}
	if e.MaxBytes.Stated && e.d.TypeKnown {
		if n := e.bytes(); n > e.MaxBytes.Value {
			e.find(ExpectMaxBytes, Error, "", "%s are needed, %d are expected at most", count(n, "byte"), e.MaxBytes.Value)
		}
	}
	if e.Strides != nil {
		e.strides()
	}
	if e.SameAs >= 0 {
		e.sameAs()
	}
}

// bytes is how large a buffer the tensor needs, with the whole of its last block if it has blocks.
func (e *expectation) bytes() int64 {
	n := e.have.BufferBytes()
	w := &e.c.room
	if w.measure(e.d, e.d.Base); !w.blocked || !w.reached || w.empty {
		return n
	}
	return max(n, (e.have.Bytes(w.high-min(w.low, 0)+1)+3)&^3)
}

// find reports that an expectation is not met.
func (e *expectation) find(id ID, s Severity, fix, format string, args ...any) {
	e.findAt(id, id, s, fix, format, args...)
}

// findAt reports something at the place of what another rule holds the tensor against. The words are
// only made if they are wanted.
func (e *expectation) findAt(at, id ID, s Severity, fix, format string, args ...any) {
	if e.c.wants(id, s) {
		e.c.Add(Finding{Rule: id, Severity: s, Place: e.At.Place(at), Tensor: e.d.Name, Message: fmt.Sprintf(format, args...), Fix: fix})
	}
}

// layout compares the tensor with one of the same sizes that has the expected layout, wherever
// it starts.
func (e *expectation) layout() {
	row := Descriptor{Sizes: e.d.Sizes, Layout: e.Layout}
	want, err := unstrided(&row)
	if err != nil {
		hint := ""
		if s, ok := err.(*layout.SyntaxError); ok {
			hint = s.Hint
		}
		e.findAt(ExpectLayout, ConfigValue, Error, hint, "%s", err)
		return
	}
	have, err := unnamed(e.have.Layout(), 0)
	if err != nil {
		return
	}
	d, err := facts.Compare(have, want)
	if err != nil || d == nil || !e.c.broken(ExpectLayout) {
		return
	}
	fix := "layout: " + e.Layout
	if strides, ok := want.Strides(); ok && e.d.Strides != nil {
		fix = "strides: " + list(strides)
	}
	e.find(ExpectLayout, Error, fix, "element %s is %d behind the first, in %s it is %d: %s, %s has %s",
		tuple(d.Index), d.A, clip(e.Layout), d.B, stridesOf(have), clip(e.Layout), stridesOf(want))
}

// stridesOf writes the strides of a layout, or that it has none.
func stridesOf(l layout.Layout) string {
	if strides, ok := l.Strides(); ok {
		return "strides " + list(strides)
	}
	return "blocks"
}

// packed compares whether the elements lie side by side.
func (e *expectation) packed() {
	f, fix := facts.Within(e.have.Layout(), facts.Quick), "leave out the strides"
	if e.d.Strides == nil {
		fix = "layout: row-major is packed"
	}
	switch got := f.Packed(); {
	case got == e.Packed:
	case got == facts.Unknown:
		e.find(ExpectPacked, Warning, "", "whether the tensor is packed is not known: its strides are too hard to decide")
	case got == facts.Yes:
		e.find(ExpectPacked, Error, "", "the tensor is packed: %s on as many offsets", count(f.Elements, "element"))
	case f.Exhaustive == facts.No && f.DistinctKnown:
		e.find(ExpectPacked, Error, fix, "%d of the %s from %d to %d belong to no element", f.Span-f.Distinct, count(f.Span, "offset"), f.Low, f.High)
	case f.Exhaustive == facts.No:
		e.find(ExpectPacked, Error, fix, "some of the %s from %d to %d belong to no element", count(f.Span, "offset"), f.Low, f.High)
	case f.Witness != nil:
		e.find(ExpectPacked, Error, fix, "elements %s and %s are both at offset %d", tuple(f.Witness.A), tuple(f.Witness.B), f.Witness.Offset)
	default:
		e.find(ExpectPacked, Error, fix, "elements share offsets")
	}
}

// strides compares the strides, bar those of size 1, which move nothing.
func (e *expectation) strides() {
	have, ok := e.have.Layout().Strides()
	if len(e.Strides) != len(e.d.Sizes) {
		e.findAt(ExpectStrides, ConfigValue, Error, "", "%s for %s", count(int64(len(e.Strides)), "stride"), count(int64(len(e.d.Sizes)), "size"))
		return
	}
	if !ok {
		e.find(ExpectStrides, Error, "", "%s is made of blocks: no strides describe it", clip(e.d.Layout))
		return
	}
	for i := range have {
		if have[i] != e.Strides[i] && e.d.Sizes[i] != 1 {
			e.find(ExpectStrides, Error, "strides: "+list(e.Strides), "stride %d is %d, %d is expected: strides %s", i, have[i], e.Strides[i], list(have))
			return
		}
	}
}

// sameAs compares the sizes and the offsets with those of another tensor.
func (e *expectation) sameAs() {
	other := &e.g.Tensors[e.SameAs]
	text := differentSizes(e.d, other)
	if text == "" {
		text = differentOffsets(e.d, other)
	}
	if text != "" {
		e.find(ExpectSameAs, Error, "", "%s", text)
	}
}
