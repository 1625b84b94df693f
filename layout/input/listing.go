package input

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/manifest"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/wording"
)

// A lister makes rows from descriptors.
type lister struct {
	in      *Input
	matches func(name string) bool // nil for all
	as      *layout.DType          // the element type to use instead of each tensor's own; may be nil
	row     descriptor.Row
}

// List lists the tensors of the input. If matches is not nil, it lists only the tensors with names for which matches
// returns true. If as is not nil, it lists the bytes that the tensors would use with this element type. It returns nil
// for shapes, configurations, and inputs without tensors or with only one. Tensors that cannot be listed are in Notes.
func (in *Input) List(matches func(name string) bool, as *layout.DType) (*descriptor.Listing, error) {
	l := &lister{in: in, matches: matches, as: as}
	list := new(descriptor.Listing)
	var err error
	switch in.Kind {
	case TensorFile, Document:
		if in.Files[0].Config != nil || in.Triton != nil {
			return nil, nil
		}
		list.Rows = l.files
	case Index:
		list.Rows, err = l.shards()
	case Lines:
		list.Rows, err = l.lines()
	case Notation, Log:
		list.Rows = l.texts()
	case Shape:
		return nil, nil
	}
	for row := range list.Rows {
		if err == nil {
			err = list.Count(row)
		}
	}
	switch {
	case err != nil:
		return nil, in.Locate(err)
	case list.Len == 1 && matches == nil, list.Len == 0 && in.isText():
		return nil, nil
	}
	in.noteListing(list)
	return list, nil
}

// isText reports whether the input is text that may be about anything.
func (in *Input) isText() bool { return in.Kind == Notation || in.Kind == Log }

// Metadata returns the metadata of a tensor file, if the options request it.
func (in *Input) Metadata() ([]descriptor.Pair, error) {
	if in.Kind == TensorFile {
		switch f := in.Files[0]; f.Kind {
		case "safetensors", "gguf":
			return f.Metadata, nil
		}
	}
	return nil, in.Locate(lexer.Refuse("", "only .safetensors and .gguf files have metadata to list"))
}

// IsArray reports whether the input is a file with one unnamed tensor.
func (in *Input) IsArray() bool { return in.Kind == TensorFile && in.Files[0].Kind == "npy" }

// files yields the tensors in the files of an input, with the inputs and outputs of models first.
func (l *lister) files(yield func(*descriptor.Row) bool) {
	for _, f := range l.in.Files {
		for i := range f.Values {
			if row := l.listed(&f.Values[i], "", -1, layout.Layout{}); row != nil && !yield(row) {
				return
			}
		}
		for i := range f.Len() {
			d := f.At(i)
			bytes, order := int64(-1), layout.Layout{}
			if d.Open == nil {
				bytes, order = l.in.allocated(&d)
			}
			if row := l.listed(&d, "", bytes, order); row != nil && !yield(row) {
				return
			}
		}
	}
}

// shards returns the tensors of the shards of an index.
func (l *lister) shards() (func(func(*descriptor.Row) bool), error) {
	var rows []descriptor.Row
	err := l.in.eachShard(func(p Part) error {
		for i := range p.File.Len() {
			d := p.File.At(i)
			if row := l.listed(&d, p.Path, bytesOf(&d), layout.Layout{}); row != nil {
				rows = append(rows, *row)
			}
		}
		return nil
	})
	return descriptor.Rows(rows), err
}

// lines returns the tensors of a JSON Lines input. If there is only one, the lines can be read again.
func (l *lister) lines() (func(func(*descriptor.Row) bool), error) {
	in := l.in
	if in.close != nil {
		defer in.close()
	}
	var rows []descriptor.Row
	var first finding.Finding
	seen := again{left: maxPeek}
	reader := manifest.Lines{Workers: 1, Options: finding.Options{Quota: &finding.Quota{Most: 1}}}
	reader.Each = func(line int, d *descriptor.Descriptor, _ []finding.Finding) {
		own := *d
		if own.Sizes = slices.Clone(d.Sizes); own.Name == "" {
			own.Name = fmt.Sprint("line ", line)
		}
		bytes, order := in.allocated(&own)
		if row := l.listed(&own, "", bytes, order); row != nil {
			rows = append(rows, *row)
		}
	}
	n, err := reader.Check(io.TeeReader(in.Stream, &seen), func(f finding.Finding) error {
		if first.Line == 0 || f.Severity > first.Severity {
			first = f
		}
		return nil
	})
	switch unread := n.Unread + n.Wrong; {
	case err != nil:
		err = ErrBroken
	case unread > 0 && n.Descriptors == 0:
		err = lexer.Refuse(first.Fix, "line %d: %s", first.Line, first.Message)
	case unread > 0 && len(rows) > 1:
		in.Notes = append(in.Notes, fmt.Sprintf("lines that are not read: %d; check lists them", unread))
	}
	in.Stream, in.close = &seen.Buffer, nil
	return descriptor.Rows(rows), err
}

// texts returns the tensors of an input of kind Notation or Log. A note names the first tensor that cannot be read.
func (l *lister) texts() func(func(*descriptor.Row) bool) {
	var rows []descriptor.Row
	var unread []string
	in := l.in
	c := choice{in: in}
	c.each = func(name string, get func() (Tensor, error)) {
		t, err := get()
		if err != nil {
			unread = append(unread, name+" ("+err.Error()+")")
			return
		}
		d := descriptor.Descriptor{Name: name, Type: t.DType(), TypeKnown: true, Sizes: t.Layout().Sizes()}
		bytes := notation.Needed(t.OfSystem(in.System()))
		if row := l.listed(&d, "", bytes, t.Layout()); row != nil {
			row.LayoutName = t.Name()
			rows = append(rows, *row)
		}
	}
	in.offer(&c)
	in.Notes = append(in.Notes, c.notes...)
	if len(unread) > 0 {
		in.Notes = append(in.Notes, "not read: "+wording.Some(unread[:1], len(unread)))
	}
	return descriptor.Rows(rows)
}

// again records the start of a stream, so that it can be read again.
type again struct {
	bytes.Buffer
	left int
}

func (a *again) Write(b []byte) (int, error) {
	kept := min(len(b), a.left)
	a.left -= kept
	a.Buffer.Write(b[:kept])
	return len(b), nil
}

// listed returns the row for a tensor with the given bytes and layout, or nil if its name does not match.
func (l *lister) listed(d *descriptor.Descriptor, file string, bytes int64, order layout.Layout) *descriptor.Row {
	if l.matches != nil && !l.matches(d.Name) {
		return nil
	}
	l.row = descriptor.Row{
		Name: d.Name, Type: d.ElementType(), Role: d.Role, Sizes: d.Sizes, Open: d.Open, Bytes: bytes, Data: d.Data,
		Swap: d.Swap, File: cmp.Or(d.DataFile, file), Layout: order,
	}
	if l.as == nil {
		return &l.row
	}
	l.row.Type, l.row.Data, l.row.File = l.as.String(), finding.Span{}, ""
	if bits, err := layout.ProductOf(append(slices.Clip(d.Sizes), l.as.Bits())); err == nil && bytes >= 0 {
		l.row.Bytes = layout.CeilDiv(bits, 8)
	}
	return &l.row
}

// allocated returns the bytes of a tensor: its bytes in a file, or the bytes to allocate for a descriptor. The layout
// is the zero Layout for row-major, or if the tensor cannot be laid out.
func (in *Input) allocated(d *descriptor.Descriptor) (bytes int64, order layout.Layout) {
	if in.Kind == TensorFile && d.Strides == nil {
		return bytesOf(d), order
	}
	t, err := in.tensorOf(d)
	if err == nil {
		order = t.Layout()
	}
	switch {
	case in.Kind == TensorFile:
		return bytesOf(d), order
	case err != nil:
		return -1, order
	}
	return notation.Needed(t.OfSystem(in.System())), order
}

// noteListing adds notes about errors in the file, and about tensors that the bytes do not include.
func (in *Input) noteListing(l *descriptor.Listing) {
	errors := 0
	for _, f := range in.Files {
		for _, w := range f.Findings {
			if w.Severity == finding.Error {
				errors++
			}
		}
	}
	if errors > 0 {
		in.Notes = append(in.Notes, "the file has "+wording.Count(errors, "error")+
			", which check lists; the sums take its numbers as they are")
	}
	if n := l.Sums.All.Unknown; n > 0 {
		in.Notes = append(in.Notes, fmt.Sprintf("not in the bytes: tensors of types without a size (%d)", n))
	}
}
