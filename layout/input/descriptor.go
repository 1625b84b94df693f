package input

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/rules"
)

// Descriptors yields the tensors of a Shape, a Notation or a Log as descriptors, to be held against
// rules. What cannot be read in a line of a log is an error at the place of the finding.
func (in *Input) Descriptors() iter.Seq2[rules.Descriptor, *rules.Finding] {
	return func(yield func(rules.Descriptor, *rules.Finding) bool) {
		if in.Kind == Shape {
			if t, err := in.named(); err == nil {
				yield(Describe(t.Tensor), nil)
			}
			return
		}
		in.each(func(d notation.Descriptor, at textSource, err error) bool {
			var syntax *layout.SyntaxError
			if err == nil {
				return yield(described(d, at), nil)
			}
			if !errors.As(err, &syntax) || syntax.Offset == 0 { // a line without tensors
				return true
			}
			at.at = syntax.Offset
			return yield(rules.Descriptor{}, &rules.Finding{
				Rule: rules.Syntax, Severity: rules.Warning, Place: at.Place(rules.Whole, -1),
				Message: syntax.Msg, Fix: syntax.Hint,
			})
		})
	}
}

// verboseMark is in the lines of oneDNN's log that tell of primitives.
const verboseMark = "_verbose,"

// each calls do with every tensor of a Notation or a Log, and with the error of every line of a log that does not
// describe tensors, until do returns false.
func (in *Input) each(do func(d notation.Descriptor, at textSource, err error) bool) {
	for _, d := range in.found {
		if !do(d, textSource{data: in.Data, lead: in.lead, at: d.At, fields: d.Fields}, nil) {
			return
		}
	}
	if in.Kind != Log {
		return
	}
	verbose, _ := notation.Find("onednn-verbose")
	number := 0
	for line := range bytes.Lines(in.Data) {
		number++
		line = bytes.TrimRight(line, "\r\n")
		var found []notation.Descriptor
		err := ErrForeign
		if bytes.Contains(line, []byte(verboseMark)) {
			found, err = verbose.Read(string(line), in.options.Options)
		}
		if err != nil && !do(notation.Descriptor{}, textSource{data: line, line: number}, err) {
			return
		}
		for _, d := range found {
			if !do(d, textSource{data: line, at: d.At, line: number, fields: d.Fields}, nil) {
				return
			}
		}
	}
}

// Target returns whose rules the tensors of a text follow by themselves.
func (in *Input) Target() rules.Target {
	switch {
	case len(in.Files) > 0:
		return in.Files[0].Target
	case in.Kind == Log:
		return rules.Target{Family: rules.OneDNN}
	case len(in.found) > 0:
		return rules.Target{Family: family(in.found[0].Notation.Name)}
	}
	return rules.Target{}
}

// family returns whose rules tensors follow that are written in a notation.
func family(notation string) rules.Family {
	switch notation {
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

// Describe returns the descriptor of a tensor that no text describes.
func Describe(t layout.Tensor) rules.Descriptor {
	return described(notation.Descriptor{Tensor: t, Plain: t.Name() == "row-major", Computed: true}, textSource{})
}

// described returns the descriptor of a tensor in a notation. Only DirectML's struct itself has a size
// that nothing computes.
func described(n notation.Descriptor, at textSource) rules.Descriptor {
	l := n.Tensor.Layout()
	isStruct := n.Notation != nil && n.Notation.Name == "dml"
	d := rules.Descriptor{
		Name: n.Name, TypeName: n.Tensor.DType().String(), Type: n.Tensor.DType(), TypeKnown: true,
		Sizes: l.Sizes(), Base: l.Base(), Flags: n.Flags, Computed: n.Computed || !isStruct, Source: at,
		Total:     rules.Number{Value: n.Bytes, Stated: n.Bytes != 0},
		Alignment: rules.Number{Value: n.Alignment, Stated: n.Alignment != 0},
	}
	if d.Name == "" {
		d.Name = strings.Trim(strings.ReplaceAll(fmt.Sprint(l.Sizes()), " ", "x"), "[]")
	}
	if n.Plain {
		return d
	}
	strides, ok := l.LinearStrides()
	if d.Strides = strides; ok {
		return d
	}
	d.Layout = blockName(n.Tensor)
	if d.Layout == "" {
		d.Sizes = nil
		for i := range l.Rank() {
			for digit := range l.Axis(i).Digits() {
				d.Sizes = append(d.Sizes, l.Axis(i).Digit(digit).Extent)
				d.Strides = append(d.Strides, l.Axis(i).Digit(digit).Stride)
			}
		}
	}
	return d
}

// blockName returns the name of the layout of a tensor in blocks, empty where it has none that goes
// with sizes without labels.
func blockName(t layout.Tensor) string {
	named, _ := notation.Find("name")
	text, err := named.Write(t)
	if err != nil || strings.Contains(text, "=") {
		return ""
	}
	return text[strings.LastIndexByte(text, ' ')+1:]
}

// A textSource knows where a text describes a tensor.
type textSource struct {
	data   []byte // nil where there is no place
	lead   int    // where in the data the text starts
	at     int    // where in the text the tensor is
	line   int    // the number of the line that the data is, from 1; 0 where it is the whole text
	fields []notation.Field
}

// Place returns the place of a part or of its item; that of the descriptor where no more is known.
func (s textSource) Place(part rules.Part, item int) rules.Place {
	if s.data == nil {
		return rules.Place{}
	}
	at := s.at
	for _, f := range s.fields {
		if f.Part == part {
			if at = f.At; 0 <= item && item < len(f.Items) {
				at = f.Items[item]
			}
		}
	}
	p := doctree.PlaceIn(s.data, s.lead+at)
	p.Line += max(s.line-1, 0)
	return p
}
