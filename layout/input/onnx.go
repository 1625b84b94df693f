package input

import (
	"bytes"
	"io"
	"math"
	"path"
	"slices"
	"strings"

	"layoutcalc/layout/onnx"
	"layoutcalc/layout/rules"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/tensorfile"
)

// IsModel reports whether a file is an ONNX model: its name says so, or its bytes do. Of a stream only the first bytes
// are there, and its size is not known.
func IsModel(name string, file io.ReaderAt, size int64) bool {
	if fits(name, modelNames) {
		return true
	}
	if size == math.MaxInt64 {
		var start [3]byte // the version of the format, and what may be after it
		n, _ := file.ReadAt(start[:], 0)
		return n == len(start) && start[0] == 0x08 && start[1] < 0x20 &&
			strings.IndexByte("\x12\x1A\x22\x28\x32\x3A\x42", start[2]) >= 0
	}
	return onnx.Is(file, size)
}

const modelNames = "*.onnx"

// model reads the tensors of an ONNX model, and what is wrong with them.
func (in *Input) model(s *Source) error {
	m, err := s.Model()
	if err != nil {
		return err
	}
	var list initializers
	for _, g := range append([]*onnx.Graph{m.Graph}, m.Inner...) {
		for i := range g.Initializers {
			if t := &g.Initializers[i]; len(t.Dims) == 0 || slices.Min(t.Dims) >= 0 { // others are findings
				list = append(list, t)
			}
		}
	}
	f := &rules.File{Kind: "onnx", Header: list}
	for _, list := range [...][]onnx.Value{m.Graph.Fed(), m.Graph.Outputs} {
		for i := range list {
			if v := &list[i]; v.Form == onnx.TensorForm && v.Shaped {
				f.Values = append(f.Values, value(v))
			}
		}
	}
	m.Check(s.Besides(), func(finding rules.Finding) { f.Findings = append(f.Findings, finding) })
	in.Files = []*rules.File{f}
	return nil
}

// Initializers are the list of a model.
type initializers []*onnx.Tensor

func (l initializers) Len() int { return len(l) }

func (l initializers) At(i int) rules.Descriptor {
	t := l[i]
	d := typed(t.Name, t.Type)
	d.Bytes, d.Sizes = t.Span(), t.Dims
	if n := t.Bytes(); n > 0 {
		d.Total = rules.Stated(n)
	}
	return d
}

// typed returns a descriptor of a type of ONNX.
func typed(name string, t onnx.ElemType) rules.Descriptor {
	d := rules.Descriptor{Name: name, TypeName: t.String()}
	d.Type, d.TypeKnown = t.DType()
	d.TypeJudged = !d.TypeKnown
	return d
}

// value returns an input or an output, in which sizes may be open.
func value(v *onnx.Value) rules.Value {
	r := rules.Value{Descriptor: typed(v.Name, v.Type), Open: make([]string, len(v.Dims))}
	r.Sizes = make([]int64, len(v.Dims))
	for i, d := range v.Dims {
		if r.Sizes[i] = d.Size; !d.Known || d.Size < 0 {
			r.Sizes[i], r.Open[i] = -1, d.Name
		}
	}
	return r
}

// Model reads a source that is an ONNX model.
func (s *Source) Model() (*onnx.Model, error) {
	start := make([]byte, 8)
	n, _ := s.File.ReadAt(start, 0)
	_, isStream := s.File.(*bytes.Reader) // see header
	switch other := tensorfile.FindSubstitute(s.File, s.Size, true); {
	case other != nil:
		return nil, other
	case bytes.HasSuffix(start[:n], []byte("ORTM")):
		return nil, scan.Refuse("check the .onnx file that it was made from",
			"a model in the format of ONNX Runtime (ORT), which is not read")
	case isStream && s.Size > maxHeader:
		return nil, scan.Refuse("give the path of the model",
			"of a model in a stream at most %d bytes are read", maxHeader)
	}
	return onnx.Read(taking{s.File, s.Turn}, s.Size)
}

// Besides returns what tells of the files beside a model; nil where none can be opened.
func (s *Source) Besides() func(location string) onnx.DataFile {
	if s.Beside == nil {
		return nil
	}
	return s.DataFile
}

// DataFile returns what is known of a file beside a model that has elements of its tensors.
func (s *Source) DataFile(location string) onnx.DataFile {
	data, end, err := s.beside(location)
	if err != nil {
		return onnx.DataFile{Missing: err.Error()}
	}
	defer end()
	d := onnx.DataFile{Size: data.Size, Model: data.Name == path.Clean(s.Name)}
	if links, ok := s.Beside.(interface{ IsLink(name string) bool }); ok {
		d.Link = links.IsLink(location)
	}
	if other := tensorfile.FindSubstitute(data.File, data.Size, false); other != nil {
		d.Size, d.Other = other.Bytes, &rules.Finding{Rule: other.Rule, Message: other.Msg, Fix: other.Hint}
	}
	return d
}

// Data opens the file beside a model that has elements of its tensors.
func (s *Source) Data(place onnx.Place) (data Source, end func(), err error) {
	if data, end, err = s.beside(place.Location); err != nil {
		err = scan.Refuse("", "%s %v", scan.Quote(place.Location), err)
	}
	return data, end, err
}

// filled returns the tensor of an input or an output, with values for its open sizes.
func (in *Input) filled(v *rules.Value) (Tensor, error) {
	d, o := v.Descriptor, in.options
	d.Sizes = slices.Clone(v.Sizes)
	next, used := 0, map[string]bool{}
	for i, size := range d.Sizes {
		if size >= 0 {
			continue
		}
		name := v.Open[i]
		if n, ok := o.Names[name]; ok && name != "" {
			d.Sizes[i], used[name] = n, true
			continue
		}
		if next < len(o.Dims) {
			d.Sizes[i] = o.Dims[next]
			next++
			continue
		}
		if name != "" {
			name = " (" + scan.Clip(name) + ")"
		}
		return Tensor{}, scan.Refuse(dimFlags(v)+" gives "+scan.Clip(d.Name)+" all of its sizes",
			"size %d%s of %s is open", i, name, scan.Clip(d.Name))
	}
	for name := range o.Names {
		if !used[name] {
			return Tensor{}, scan.Refuse("", "--dim gives %s a value, and %s has no open size of that name",
				scan.Clip(name), scan.Clip(d.Name))
		}
	}
	if next < len(o.Dims) {
		return Tensor{}, scan.Refuse("", "--dim has %s, and %s has %d for them", scan.Count(len(o.Dims), "value"),
			scan.Clip(d.Name), next)
	}
	return in.stated(&d)
}

// dimFlags returns flags that give every open size a value, those that have a name by their names.
func dimFlags(v *rules.Value) string {
	var named, others []string
	for i, size := range v.Sizes {
		switch name := scan.Clip(v.Open[i]); {
		case size >= 0:
		case name == "":
			others = append(others, "8")
		case !slices.Contains(named, name+"=1"):
			named = append(named, name+"=1")
		}
	}
	var flags []string
	for _, list := range [...][]string{named, others} {
		if len(list) > 0 {
			flags = append(flags, "--dim "+strings.Join(list, ","))
		}
	}
	return strings.Join(flags, " ")
}
