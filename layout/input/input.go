// Package input is the one place where arguments, texts and files are recognised: it tells what each is, and reads it.
//
// Whatever describes tensors is an [Input] of some [Kind]: a shape with or without the name of its
// layout, a text in a notation, a log, a document of JSON, YAML or Triton, a tensor file or a model
// of which what describes tensors is read, an index, or JSON Lines. Every command reads every kind,
// by the same functions: [Read] for what is in files and streams, [Text] for the text of an
// argument, and [Find] for arguments that may also be paths. Commands differ only in what they do
// with the tensors.
//
// A text is recognised once: [Read] and [Text] try an ordered table of tests (recognise.go), each of which returns a
// reader for texts of its form. What a test has read of the text is kept for the reader. If a row cannot read the text,
// the error is about the form that the name of the file suggests. The table of formats (format.go) decides what a file
// is, by its name and its first bytes. An impostor in place of tensors, such as a pointer of Git LFS, is named before
// any reader of headers sees it. In a directory, a file is read if its keys or its name identify it without doubt.
//
// A source knows its directory, an fs.FS from which it opens the files that it names; the text of the path is judged
// before. The headers of several shards of an index are read at once and compared in their order. Readers take their
// memory from one budget of the call, in turns ([Turn]), and the first in order never waits.
//
// It does not open files itself: its caller says how.
package input

import (
	"errors"
	"io"
	"strconv"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/tensorfile"
	"layoutcalc/layout/triton"
)

// A Kind says what an input is.
type Kind uint8

// The kinds.
const (
	Shape      Kind = iota // sizes, and perhaps the name of a layout
	Notation               // tensors as another system writes them
	Log                    // a log, some lines of which are of oneDNN's verbose mode
	Document               // a DxDispatch model or a configuration of layoutcalc, in JSON or YAML, or one of Triton
	TensorFile             // the header of a .npy, .npz, .safetensors or .gguf file, or an ONNX model
	Lines                  // JSON Lines: one descriptor on each line
	Index                  // of .safetensors files, which says in which of them a tensor is
)

// An Input is a text or a file that has been recognised.
type Input struct {
	Kind Kind
	Origin
	Shaped                       // of a Shape
	Files  []*descriptor.File    // the header of a TensorFile, or each document of a Document
	Triton *triton.Config        // of a Document that is one
	Stream io.Reader             // of JSON Lines, which are not read yet
	Wide   bool                  // whether the file is UTF-16
	Chosen string                // the tensor that the argument names, or a pattern of names; empty for none
	found  []notation.Descriptor // of a Notation
	shards *tensorfile.Index     // of an Index

	options Options
	source  Source
	close   func()   // closes the file of the Stream; may be nil
	Notes   []string // on the descriptors that were yielded, and on unread parts of their text
}

// A Shaped is the content of a shape: sizes, with the name of a layout or an element type after them.
type Shaped struct {
	Sizes  shape.List
	Layout *shape.Name   // nil if the text does not name one
	Format *shape.Format // of an image, whose size Sizes is; nil for a tensor
	Type   layout.DType
	Typed  bool // whether the text states the element type
}

// numbered tells tensors of one name apart: the second desc is desc#2.
func numbered(found []notation.Descriptor) []notation.Descriptor {
	if len(found) < 2 {
		return found
	}
	count := map[string]int{}
	for i := range found {
		name := found[i].Name
		if count[name]++; name != "" && count[name] > 1 {
			found[i].Name += "#" + strconv.Itoa(count[name])
		}
	}
	return found
}

// values yields the tensors of files and documents whose sizes may be open.
func (in *Input) values(yield func(*descriptor.Descriptor) bool) {
	if in.Triton != nil {
		in.Triton.Values(yield)
	}
	for _, f := range in.Files {
		for i := range f.Values {
			if !yield(&f.Values[i]) {
				return
			}
		}
		for i := range f.Descriptors {
			if d := &f.Descriptors[i]; d.Open != nil && !yield(d) {
				return
			}
		}
	}
}

// Options are the values of what a text leaves open, and its notation.
type Options struct {
	notation.Options
	From     *notation.Notation // nil for any
	Metadata bool               // the metadata of a tensor file is read too

	Tensor     string            // the name of the tensor that is asked for, which sources of kernels read alone
	Given      map[string]string // expressions for names of such sources
	GivenFault error             // why one of these is no number, which other inputs need
}

// ErrForeign is the error of a source that describes no tensors, and need not.
var ErrForeign = errors.New("it does not describe tensors")

// isOpen reports whether there are values for open sizes.
func (o *Options) isOpen() bool { return len(o.Dims)+len(o.Names) > 0 }
