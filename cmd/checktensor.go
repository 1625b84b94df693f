package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/rules"
)

// tensor checks the tensor of the command line.
func (k *checking) tensor(t layout.Tensor) {
	k.described(notation.Descriptor{Tensor: t, Plain: t.Name() == "row-major", Computed: true}, textSource{})
}

// notation checks what a text describes in some notation.
func (k *checking) notation() {
	if bytes.Contains(k.out.data, []byte(verboseMark)) {
		k.log()
		return
	}
	if len(k.out.data) > layout.MaxText {
		k.unreadable(fmt.Sprintf("a text of more than %d bytes that is neither JSON nor YAML", layout.MaxText))
		return
	}
	found, err := k.flags.tensor.readAll(string(k.out.data))
	if name := k.flags.tensor.notation.tensor; err == nil && name != "" {
		var one notation.Descriptor
		one, err = notation.Choose(found, name)
		found = []notation.Descriptor{one}
	}
	if err != nil {
		k.syntax(err)
		return
	}
	for _, d := range found {
		k.described(d, textSource{k.out.data, d.At, 0})
	}
}

// verboseMark is in the lines of oneDNN's log that tell of primitives.
const verboseMark = "_verbose,"

// log checks the lines of a log that are oneDNN's. What of a line is no tensor is not our business.
func (k *checking) log() {
	verbose, err := notation.Find("onednn-verbose")
	if err != nil {
		return
	}
	number := 0
	for line := range bytes.Lines(k.out.data) {
		if bytes.Contains(line, []byte(verboseMark)) {
			k.logLine(verbose, bytes.TrimRight(line, "\r\n"), number)
		}
		number++
	}
}

// logLine checks the tensors of a line.
func (k *checking) logLine(verbose *notation.Notation, line []byte, number int) {
	found, err := verbose.Read(string(line), notation.Options{Dims: k.flags.tensor.notation.dims})
	var syntax *layout.SyntaxError
	if errors.As(err, &syntax) && syntax.Offset > 0 {
		place := textSource{line, syntax.Offset, number}.Place(rules.Whole, -1)
		k.checker.Add(rules.Finding{Rule: rules.Syntax, Severity: rules.Warning, Place: place, Message: syntax.Msg, Fix: syntax.Hint})
	}
	for _, d := range found {
		k.described(d, textSource{line, d.At, number})
	}
}

// notationFamily returns whose rules tensors follow that are written so.
func notationFamily(name string) rules.Family {
	switch name {
	case "dml", "dxdispatch":
		return rules.DirectML
	case "onednn", "onednn-tag", "onednn-verbose":
		return rules.OneDNN
	case "pytorch", "fx":
		return rules.PyTorch
	case "mdspan":
		return rules.Mdspan
	}
	return rules.None
}

// described checks a tensor that is known already.
func (k *checking) described(n notation.Descriptor, at textSource) {
	l := n.Tensor.Layout()
	own := rules.Target{}
	if n.Notation != nil {
		own.Family = notationFamily(n.Notation.Name)
	}
	d := rules.Descriptor{
		Name: n.Name, TypeName: n.Tensor.DType().String(), Type: n.Tensor.DType(), TypeKnown: true,
		Sizes: l.Sizes(), Base: l.Base(), Flags: n.Flags, Computed: n.Computed || !raw(n), Source: at,
		Total:     rules.Number{Value: n.Bytes, Stated: n.Bytes != 0},
		Alignment: rules.Number{Value: n.Alignment, Stated: n.Alignment != 0},
	}
	if d.Name == "" {
		d.Name = strings.Trim(strings.ReplaceAll(fmt.Sprint(l.Sizes()), " ", "x"), "[]")
	}
	switch k.flags.role {
	case "input":
		d.Role = rules.Input
	case "output":
		d.Role = rules.Output
	}
	if !n.Plain {
		place(&d, n.Tensor)
	}
	k.out.examined = true
	k.out.descriptors++
	k.checker.Check(k.target(own), &d)
}

// raw reports whether a descriptor is the struct itself, whose size nobody computes.
func raw(n notation.Descriptor) bool { return n.Notation != nil && n.Notation.Name == "dml" }

// place gives the descriptor the strides of a tensor, the name of its layout where that is in
// blocks, or a dimension for each digit where it has no name.
func place(d *rules.Descriptor, t layout.Tensor) {
	l := t.Layout()
	strides, ok := l.LinearStrides()
	if d.Strides = strides; ok {
		return
	}
	if named, err := notation.Find("name"); err == nil {
		if text, err := named.Write(t); err == nil && !strings.Contains(text, "=") {
			d.Layout = text[strings.LastIndexByte(text, ' ')+1:]
			return
		}
	}
	d.Sizes = nil
	for i := range l.Rank() {
		for digit := range l.Axis(i).Digits() {
			d.Sizes = append(d.Sizes, l.Axis(i).Digit(digit).Extent)
			d.Strides = append(d.Strides, l.Axis(i).Digit(digit).Stride)
		}
	}
}

// A textSource knows where a descriptor of a notation stands: all its parts at one place.
type textSource struct {
	data   []byte // nil is no place
	at     int
	before int // the lines before the data
}

// Place returns the place of the descriptor.
func (s textSource) Place(rules.Part, int) rules.Place {
	if s.data == nil {
		return rules.Place{}
	}
	p := doctree.PlaceIn(s.data, s.at)
	p.Line += s.before
	return p
}
