package input

import (
	"bytes"
	"errors"
	"path"
	"slices"

	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/onnx"
	"layoutcalc/layout/tensorfile"
	"layoutcalc/layout/wording"
)

// tensorFile reads the header of a tensor file.
func tensorFile(kind string, s *Source) (*descriptor.File, error) {
	read := tensorfile.Read
	if s.metadata {
		read = tensorfile.ReadAll
	}
	return read(kind, taking{s.File, s.Turn}, s.Size)
}

// explain replaces the cause in the first error about a file by the cause that its first bytes show, if any.
func explain(f *descriptor.File, s *Source) {
	isError := func(f finding.Finding) bool { return f.Severity == finding.Error }
	at := slices.IndexFunc(f.Findings, isError)
	if at < 0 {
		return
	}
	if tensorfile.HasChangedLines(startOf(s.File, 64<<10)) {
		f.Findings[at].Fix = "line endings were changed: *" + path.Ext(s.Name) + " is binary in .gitattributes"
	}
}

// modelFile reads the tensors of an ONNX model, and the findings about them.
func modelFile(_ string, s *Source) (*descriptor.File, error) {
	m, err := s.Model()
	if err != nil {
		return nil, err
	}
	var list initializers
	for _, g := range append([]*onnx.Graph{m.Graph}, m.Inner...) {
		for i := range g.Initializers {
			if t := &g.Initializers[i]; len(t.Dims) == 0 || slices.Min(t.Dims) >= 0 { // others have findings
				list = append(list, t)
			}
		}
	}
	f := &descriptor.File{Kind: "onnx", Header: list}
	for role, list := range [...][]onnx.Value{descriptor.Input: m.Graph.Fed(), descriptor.Output: m.Graph.Outputs} {
		for _, v := range list {
			if v.Form == onnx.TensorForm && v.Shaped {
				d := value(&v)
				d.Role = descriptor.Role(role)
				f.Values = append(f.Values, d)
			}
		}
	}
	m.Check(s.Besides(), func(finding finding.Finding) { f.Findings = append(f.Findings, finding) })
	return f, nil
}

// initializers are the list of a model's initializers.
type initializers []*onnx.Tensor

func (l initializers) Len() int { return len(l) }

func (l initializers) At(i int) descriptor.Descriptor {
	t := l[i]
	d := typed(t.Name, t.Type)
	d.Bytes, d.Sizes = t.Span, t.Dims
	if n := t.Bytes(); n > 0 {
		d.Total = descriptor.Stated(n)
	}
	d.DataFile, d.Data = t.Stored()
	return d
}

// typed returns a descriptor with an ONNX type.
func typed(name string, t onnx.ElemType) descriptor.Descriptor {
	d := descriptor.Descriptor{Name: name, TypeName: t.String()}
	d.Type, d.TypeKnown = t.DType()
	d.TypeJudged = !d.TypeKnown
	return d
}

// value returns an input or an output, which may have open sizes.
func value(v *onnx.Value) descriptor.Descriptor {
	r, open := typed(v.Name, v.Type), make([]string, len(v.Dims))
	r.Sizes = make([]int64, len(v.Dims))
	for i, d := range v.Dims {
		if r.Sizes[i] = d.Size; !d.Known || d.Size < 0 {
			r.Sizes[i], open[i], r.Open = -1, d.Name, open
		}
	}
	return r
}

// Model reads a source that is an ONNX model.
func (s *Source) Model() (*onnx.Model, error) {
	_, isStream := s.File.(*bytes.Reader) // see header
	switch other := tensorfile.FindSubstitute(s.File, s.Size, true); {
	case other != nil:
		return nil, other
	case isStream && s.Size > maxHeader:
		return nil, lexer.Refuse("give the path of the model",
			"of a model in a stream at most %d bytes are read", maxHeader)
	}
	return onnx.Read(taking{s.File, s.Turn}, s.Size)
}

// Inflated returns the elements of an array in an archive that compresses it, and the number of bytes in each unit to
// reverse.
func (s *Source) Inflated(name string) (elements []byte, swap int, err error) {
	if elements, swap, err = tensorfile.Inflate(s.File, s.Size, name); err != nil {
		err = lexer.Refuse("", "%s: %s", s.Name, err)
	}
	return elements, swap, err
}

// Besides returns DataFile, or nil if files next to the model cannot be opened.
func (s *Source) Besides() func(location string) onnx.DataFile {
	if s.Beside == nil {
		return nil
	}
	return s.DataFile
}

// DataFile describes a file next to a model that has elements of its tensors.
func (s *Source) DataFile(location string) onnx.DataFile {
	data, end, err := s.beside(location)
	var pointer *tensorfile.Substitute
	switch {
	case errors.As(err, &pointer):
		return onnx.DataFile{Size: pointer.Bytes, Other: about(pointer)}
	case err != nil:
		return onnx.DataFile{Missing: err.Error(), Absent: err == errAbsent}
	}
	defer end()
	d := onnx.DataFile{Size: data.Size, Model: data.Name == path.Clean(s.Name)}
	if links, ok := s.Beside.(interface{ LinkOf(name string) string }); ok {
		d.Link = links.LinkOf(location)
	}
	if other := tensorfile.FindSubstitute(data.File, data.Size, false); other != nil {
		d.Size, d.Other = other.Bytes, about(other)
	}
	return d
}

// about returns the finding about a file that contains something other than data.
func about(other *tensorfile.Substitute) *finding.Finding {
	return &finding.Finding{Rule: other.Rule, Message: other.Msg, Fix: other.Hint}
}

// Data opens the file next to the model that has the elements of a tensor.
func (s *Source) Data(place onnx.Place) (data Source, end func(), err error) {
	return s.Part(place.Location)
}

// Part opens a file next to the source, by the path in the source.
func (s *Source) Part(name string) (part Source, end func(), err error) {
	if part, end, err = s.beside(name); err != nil {
		err = lexer.Refuse("", "%s %v", wording.Quote(name), err)
	}
	return part, end, err
}
