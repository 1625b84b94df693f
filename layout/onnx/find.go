package onnx

import (
	"encoding/binary"
	"slices"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// A Place is the location of the elements of a tensor, little-endian and in row-major order.
type Place struct {
	Tensor   *Tensor
	Location string // the path of the file, relative to the model; empty for the model itself
	Start    int64  // the offset in that file
	Bytes    int64
	Elements []byte // the elements, if they are stored as numbers of variable length in the model; otherwise nil
}

// Find returns the location of the elements of a tensor. The name may be empty if there is only one. Whatever Check
// reports as an error in the tensor is an error here, and so are elements that are not contiguous.
func (m *Model) Find(name string, beside func(location string) DataFile) (Place, error) {
	if m.bad != "" {
		return Place{}, lexer.Refuse("copy the file again", "the model cannot be read to its end: byte %d: %s",
			m.badAt, m.bad)
	}
	t, err := m.tensor(name)
	if err != nil {
		return Place{}, err
	}
	c := newChecker(m, beside, func(f finding.Finding) {
		if f.Severity == finding.Error && err == nil {
			err = lexer.Refuse(f.Fix, "tensor %s: %s", wording.Quote(t.Name), f.Message)
		}
	})
	c.tensor(t)
	c.external()
	switch d := t.data; {
	case err != nil:
		return Place{}, err
	case t.Type == String:
		return Place{}, lexer.Refuse("", "tensor %s has strings, which are not moved", wording.Quote(t.Name))
	case !t.Type.Known() || t.Type.Bits() < 4:
		return Place{}, lexer.Refuse("", "tensor %s has elements of type %v: those of 4 bits and of 1, 2, 4, 8 and 16 "+
			"bytes are moved", wording.Quote(t.Name), t.Type)
	case t.External != nil:
		location, offset, _, _, _ := t.External.place()
		return Place{Tensor: t, Location: location, Start: offset, Bytes: t.Bytes()}, nil
	case t.present == 0, d.pieces == 1 && slices.Contains(inOnePiece[:], d.field.Name):
		return Place{Tensor: t, Start: d.from, Bytes: d.to - d.from}, nil
	}
	if elements := m.elements(t); elements != nil {
		return Place{Tensor: t, Bytes: int64(len(elements)), Elements: elements}, nil
	}
	const hint = "store it as raw_data, with onnx.numpy_helper.from_array(onnx.numpy_helper.to_array(t), t.name)"
	return Place{}, lexer.Refuse(hint, "the elements of tensor %s are in %s in pieces, or too many, or several "+
		"to a number: they are moved from raw_data and from other files", wording.Quote(t.Name), t.data.field.Name)
}

// Stored returns the location of the elements of a tensor: the path of the file, which is empty for the model itself,
// and the range of bytes. The range is empty if they are not contiguous, or if their location is unknown.
func (t *Tensor) Stored() (file string, data finding.Span) {
	switch d := t.data; {
	case t.External != nil:
		location, offset, _, _, err := t.External.place()
		if err != nil || t.Bytes() <= 0 {
			return location, data
		}
		return location, finding.Span{From: offset, To: offset + t.Bytes()}
	case d.pieces == 1 && slices.Contains(inOnePiece[:], d.field.Name):
		return "", finding.Span{From: d.from, To: d.to}
	}
	return "", data
}

// inOnePiece are the fields of a tensor that store the bytes of elements.
var inOnePiece = [...]string{"raw_data", "float_data", "double_data"}

// elements returns the little-endian elements of a tensor that are stored as numbers of variable length. It returns nil
// if they are in several pieces, too many, or numbers with several elements each.
func (m *Model) elements(t *Tensor) []byte {
	bytes := int(t.Type.Bits() / 8)
	if _, _, share := t.Type.numbers(); share > 1 {
		return nil
	}
	numbers := m.int64s(t)
	var out []byte
	for _, n := range numbers {
		var number [8]byte
		binary.LittleEndian.PutUint64(number[:], uint64(n))
		out = append(out, number[:bytes]...)
	}
	return out
}

// tensor returns the tensor with a name.
func (m *Model) tensor(name string) (*Tensor, error) {
	var found *Tensor
	var names []string
	count := 0
	for _, g := range append([]*Graph{m.Graph}, m.Inner...) {
		for i := range g.Initializers {
			t := &g.Initializers[i]
			if count++; name == "" || t.Name == name {
				found = t
			}
			if t.Name == name && name != "" {
				return t, nil
			}
			if len(names) < maxCompared {
				names = append(names, t.Name)
			}
		}
		for i := range g.Constants {
			if t := &g.Constants[i]; t.Name == name && name != "" {
				return t, nil
			}
		}
		if slices.ContainsFunc(g.Sparse, func(s Sparse) bool { return s.Values.Name == name && name != "" }) {
			return nil, lexer.Refuse("", "tensor %s is sparse, and not moved", wording.Quote(name))
		}
	}
	listed := wording.Some(quoted(names[:min(len(names), maxListed)]), count)
	isEnd := func(v Value) bool { return v.Name == name }
	switch {
	case count == 0:
		return nil, lexer.Refuse("", "the model has no initializers")
	case name == "" && count == 1:
		return found, nil
	case name == "":
		return nil, lexer.Refuse("choose one with --tensor NAME; there are "+listed,
			"the model has %s", wording.Count(count, "initializer"))
	case slices.ContainsFunc(m.Graph.Inputs, isEnd) || slices.ContainsFunc(m.Graph.Outputs, isEnd):
		return nil, lexer.Refuse("there are "+listed, "%s is an input or an output of the model, which has no elements",
			wording.Quote(name))
	}
	return nil, lexer.Refuse(wording.DidYouMean(name, names, "there are "+listed),
		"of %s none is called %s", wording.Count(count, "initializer"), wording.Quote(name))
}

const (
	maxCompared = 20_000 // comparing names takes time
	maxListed   = 5
)

// quoted quotes names.
func quoted(names []string) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = wording.Quote(name)
	}
	return list
}
