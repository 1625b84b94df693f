// Package tensorfile reads the headers of .npy, .npz, .safetensors and .gguf files, never their data, and writes
// headers of .npy files.
//
// [Read] returns the statements of a file about its tensors, for package rules to check. Errors that no descriptor can
// represent, such as data that ends before its tensor does, are findings of the reader. [Find] returns the location of
// the elements of one tensor.
//
// An [Index] of shards may have a million entries, so it is read without a tree: the names stay in the text, and a
// table of hashes finds them. Compare takes one shard at a time, and Finish reports the missing ones. Files with
// numbers in their names (model-00001-of-00003.gguf) are a [Set].
package tensorfile

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// The formats, as used by a descriptor.File, an Array and the endings of file names.
const (
	npyKind         = "npy"
	safetensorsKind = "safetensors"
	ggufKind        = "gguf"
	npzKind         = "npz"
)

// Read reads the header of a file of the given size: npy, npz, safetensors or gguf, according to its first bytes or its
// name. If the header cannot be read, the error is a [*doctree.Fault] with a message that states the byte. Statements
// that can be read but are wrong are findings.
func Read(kind string, in io.ReaderAt, size int64) (*descriptor.File, error) {
	return newReader(in, size).file(kind)
}

// ReadAll is like Read, but also returns the metadata of the file.
func ReadAll(kind string, in io.ReaderAt, size int64) (*descriptor.File, error) {
	t := newReader(in, size)
	t.keeps = true
	return t.file(kind)
}

// file returns the statements of a file of the given kind.
func (t *fileReader) file(kind string) (*descriptor.File, error) {
	t.read(kind)
	if t.fault != nil {
		return nil, t.fault
	}
	t.locate(0, 0, t.data)
	t.LeftOut(finding.At{})
	for _, r := range t.ranges { // empty for an archive
		t.list[r.tensor].Data = finding.Span{From: t.data + r.begin, To: t.data + r.end}
	}
	t.Header = t.list
	file := t.File // without the reader, which the garbage collector can free
	return &file, nil
}

// KindOf returns the format that the first bytes of a file identify, or an empty string.
func KindOf(in io.ReaderAt, size int64) string {
	r := headerReader{in: in, size: size}
	return r.kind()
}

// kind returns the format that the first bytes identify, or an empty string. A .safetensors file starts with the length
// of its header, which must fit in the file, and a brace. Because other data may also start with a small number and a
// brace, JSON must follow. The magic of the other formats, read as such a length, exceeds the limit.
func (r *headerReader) kind() string {
	var first [10]byte
	n, err := r.in.ReadAt(first[:min(max(r.size, 0), int64(len(first)))], 0)
	if err != nil && err != io.EOF {
		r.fault = err
		return ""
	}
	length := binary.LittleEndian.Uint64(first[:8])
	switch {
	case strings.HasPrefix(string(first[:]), npyMagic):
		return npyKind
	case strings.HasPrefix(string(first[:]), ggufMagic):
		return ggufKind
	case n == len(first) && length <= min(maxHeader, uint64(r.size-8)) && first[8] == '{' &&
		strings.IndexByte("\"} \t\r\n/", first[9]) >= 0:
		return safetensorsKind
	}
	return ""
}

// read reads a file of the given kind.
func (t *fileReader) read(kind string) {
	t.Kind = kind
	if t.fault == nil && t.kind() == "" && !(kind == npzKind && t.isArchive()) {
		if s := FindSubstitute(t.in, t.size, true); s != nil {
			t.fault = s
		}
	}
	switch {
	case t.fault != nil:
	case kind == npyKind:
		t.readNpy()
	case kind == safetensorsKind:
		t.readSafetensors()
	case kind == ggufKind:
		t.readGGUF()
	case kind == npzKind && t.isArchive():
		t.readNpz()
	default:
		t.fail(0, "not a .npy, .npz, .safetensors or .gguf file")
	}
}

// An Array is one tensor in a file: the type and the location of its elements.
type Array struct {
	Kind      string       // "npy" or "safetensors", or "onnx" of a tensor in a model
	Name      string       // the name of the tensor; empty in a .npy file
	TypeName  string       // in the spelling of the file: "<f4", "BF16"; for d, as NumPy writes it: "<f8"
	Type      layout.DType // the element type, if TypeKnown
	TypeKnown bool
	Bits      int64 // the bits of one element: 4, 8, 16, 32, 64 or 128
	Swap      int   // the bytes in each unit to reverse to make it little-endian (half of a complex number), or 0
	Sizes     []int64
	Fortran   bool  // the first index varies fastest, not the last
	Start     int64 // the byte of the file that the data starts at
	Bytes     int64 // the size of the data, which is completely in the file
}

// Find reads the header of a .npy or .safetensors file of the given size and returns the location of one tensor's
// elements. The kind of the file follows from its first bytes or its name. In a .safetensors file, tensor is the name
// of the tensor, and may be empty if there is only one.
//
// Whatever [Read] reports as an error in the file or in this tensor is an error here, but errors in other tensors are
// not. If the header cannot be read, the error is a [*doctree.Fault], as for Read; all other errors are a
// [*layout.SyntaxError] with a hint.
func Find(kind string, in io.ReaderAt, size int64, tensor string) (Array, error) {
	t := newReader(in, size)
	if tensor != "" {
		t.report(func(f *finding.Finding) bool { return f.Tensor != "" && f.Tensor != tensor })
	}
	switch kind {
	case npzKind:
		return findMember(in, size, tensor)
	case npyKind, safetensorsKind:
		t.read(kind)
	default:
		return Array{}, unmovable(kind)
	}
	if t.fault != nil {
		return Array{}, t.fault
	}
	t.LeftOut(finding.At{})
	switch n := len(t.list); {
	case tensor != "" && t.Kind == npyKind:
		return Array{}, lexer.Refuse("remove --tensor", "a .npy file has one array, which has no name")
	case tensor == "" && n > 1:
		return Array{}, t.unchosen()
	}
	named := func(d row) bool { return tensor == "" || d.Name == tensor }
	i := int32(slices.IndexFunc(t.list, named))
	r := byteRange{tensor: i} // empty if it is unknown
	if k := slices.IndexFunc(t.ranges, func(r byteRange) bool { return r.tensor == i }); k >= 0 {
		r = t.ranges[k]
	}
	if err := t.doubt(r); err != nil {
		return Array{}, err
	}
	if i < 0 {
		return Array{}, t.unknownTensor(tensor)
	}
	return t.array(r)
}

// unmovable returns the error for a file in a format that Find does not read.
func unmovable(kind string) error {
	if kind == ggufKind {
		return lexer.Refuse("convert the file to .safetensors first",
			"the tensors of a .gguf file are not moved: most are quantized, and blocks of their elements share a scale")
	}
	return lexer.Refuse("", "not a .npy or .safetensors file: it does not start like one")
}

// doubt returns the reason why the tensor in a range must not be moved: the file or the tensor breaks a rule, or
// another tensor shares its bytes. Bytes after the data of a .npy file may be another array, or show that the shape is
// wrong.
func (t *fileReader) doubt(own byteRange) error {
	for _, f := range t.Findings {
		if f.Severity == finding.Error || f.Rule == FileTrailing {
			whose := ""
			if f.Tensor != "" {
				whose = "tensor " + wording.Quote(f.Tensor) + ": "
			}
			return lexer.Refuse(t.remedy(f, own), "%s%s", whose, f.Message)
		}
	}
	for _, r := range t.ranges {
		if r.tensor != own.tensor && max(r.begin, own.begin) < min(r.end, own.end) {
			return lexer.Refuse(checkHint, "tensor %s: its bytes %d to %d of the data overlap those of %s, %d to %d",
				t.quoted(own.tensor), own.begin, own.end, t.quoted(r.tensor), r.begin, r.end)
		}
	}
	return nil
}

const checkHint = "check the file to list everything that is wrong with it"

// remedy returns the hint for a finding about the tensor in a range.
func (t *fileReader) remedy(f finding.Finding, own byteRange) string {
	switch {
	case f.Rule == FileSize && own.end > t.size-t.data:
		return cutHint
	case t.Kind == safetensorsKind:
		return checkHint
	case f.Rule == FileTrailing:
		return "save arrays that follow one another in one file into files of their own"
	case f.Rule == FileType && f.Fix != "":
		return "NumPy writes it " + f.Fix
	case f.Rule == FileType:
		return "NumPy's types are such as '<f4', '<f2', '<i8' and '|u1'"
	}
	return ""
}

// array returns the tensor in a range, which breaks no rule.
func (t *fileReader) array(r byteRange) (Array, error) {
	if h := &t.npy; h.objects || h.fields {
		return Array{}, lexer.Refuse("save each field as an array of its own, with a type of numbers",
			"structured types and Python objects are not moved")
	}
	d := &t.list[r.tensor]
	a := Array{
		Kind: t.Kind, Name: d.Name, TypeName: d.TypeName, Type: d.Type, TypeKnown: d.TypeKnown,
		Sizes: d.Sizes, Start: t.data + r.begin, Bytes: r.end - r.begin,
	}
	hint := ""
	if t.Kind == npyKind {
		h := &t.npy
		if npyTypeOf(d.TypeName).kind != h.kind {
			a.TypeName = h.String()
		}
		a.Bits, a.Swap, a.Fortran, hint = h.bytes*8, h.swap(), h.fortran, h.narrower()
	} else {
		a.Bits, _, _ = safetensorsBits(d.TypeName)
	}
	switch a.Bits {
	case 4, 8, 16, 32, 64, 128:
		return a, nil
	}
	size := wording.Count(a.Bits, "bit")
	if a.Bits%8 == 0 {
		size = inBytes(a.Bits / 8)
	}
	return Array{}, lexer.Refuse(hint,
		"an element of type %s has %s: those of 4 bits and of 1, 2, 4, 8 and 16 bytes are moved",
		wording.Quote(d.TypeName), size)
}

// unchosen returns the error for a file with several tensors if the caller has not selected one.
func (t *fileReader) unchosen() error {
	return lexer.Refuse("choose one with --tensor NAME; "+t.tensorNames(), "the file has %s",
		wording.Count(len(t.list), "tensor"))
}

// unknownTensor returns the error if no tensor has the name, or the file has no tensors.
func (t *fileReader) unknownTensor(tensor string) error {
	const maxCompared = 20_000 // names: to compare them takes time
	count := len(t.list)
	if count == 0 {
		return lexer.Refuse("", "the file has no tensors")
	}
	known := make([]string, min(count, maxCompared))
	for i := range known {
		known[i] = t.list[i].Name
	}
	hint := t.tensorNames()
	if near := wording.Nearest(tensor, known); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	if count == 1 {
		return lexer.Refuse(hint, "the only tensor of the file is not called %s", wording.Quote(tensor))
	}
	return lexer.Refuse(hint, "of %s none is called %s", wording.Count(count, "tensor"), wording.Quote(tensor))
}

// tensorNames lists the names of the first tensors, at least one, and the number of the others.
func (t *fileReader) tensorNames() string {
	const maxListed = 5
	var names []string
	for i := range t.list[:min(len(t.list), maxListed)] {
		names = append(names, t.quoted(int32(i)))
	}
	if len(names) == 1 {
		return "there is " + names[0]
	}
	return "there are " + wording.Some(names, len(t.list))
}
