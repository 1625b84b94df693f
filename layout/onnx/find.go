package onnx

import (
	"encoding/binary"
	"slices"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// A Place is the place of the elements of a tensor, little-endian and in row-major order.
type Place struct {
	Tensor   *Tensor
	Location string // the path of the file beside the model; empty for the model itself
	Start    int64  // the byte of that file
	Bytes    int64
	Elements []byte // made of numbers of different lengths in the model; nil for others
}

// Find returns the place of the elements of a tensor. The name may be empty if there is only one. What Check calls an
// error of the tensor is an error here, and so are elements that are not in one piece, one after the other.
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

// Stored returns the place of the elements of a tensor: the file beside the model that it states, empty for the model
// itself, and their bytes in it. The span is empty if they are not in one piece, or if their place is not known.
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

// inOnePiece are the fields of a tensor that hold the bytes of elements.
var inOnePiece = [...]string{"raw_data", "float_data", "double_data"}

// elements returns the elements, little-endian, of a tensor that has them as numbers of different lengths; nil if these
// are in pieces, too many, or numbers of several elements.
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

// tensor returns the tensor of a name.
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
	maxCompared = 20_000 // names: to compare them takes time
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
