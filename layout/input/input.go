// Package input recognizes and reads all arguments, text and files.
//
// An [Input] of some [Kind] is anything that describes tensors: a shape, optionally with the name of its layout; text
// in a notation; a log; a JSON, YAML or Triton document; a tensor file or a model; an index; or JSON Lines. It reads
// only the descriptions of tensors in files, not their data. Every command reads every kind, with the same functions:
// [Read] for files and streams, [Text] for an argument, and [Find] for arguments that may also be paths. Commands
// differ only in how they use the tensors.
//
// Text is recognized once: [Read] and [Text] try an ordered table of tests (recognize.go), and each test returns a
// reader for text in its format. The reader reuses the result of the test. If a reader fails, the error is about the
// format that the name of the file suggests. The table of formats (format.go) determines the format of a file from its
// name and its first bytes. A file that stands for another one, such as a Git LFS pointer, is reported before any
// reader of headers sees it. In a directory, a file is read only if its keys or its name identify it without doubt.
//
// A source has a directory, an fs.FS that opens the files named in the source after checking their paths. The headers
// of several shards of an index are read in parallel and compared in order. Readers reserve memory from one budget for
// each call, in turns ([Turn]), and the first in order never waits.
//
// Package input does not open files itself: its caller passes an [Opener] or a [Source].
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

// A Kind is the kind of an input.
type Kind uint8

// The kinds.
const (
	Shape      Kind = iota // sizes, and perhaps the name of a layout
	Notation               // tensors as another system writes them
	Log                    // a log with lines from oneDNN's verbose mode
	Document               // a DxDispatch model or a configuration of layoutcalc, in JSON or YAML, or one of Triton
	TensorFile             // the header of a .npy, .npz, .safetensors or .gguf file, or an ONNX model
	Lines                  // JSON Lines: one descriptor on each line
	Index                  // of .safetensors files, with the file of each tensor
)

// An Input is a recognized argument, text or file.
type Input struct {
	Kind Kind
	Origin
	Shaped                       // set for a Shape
	Files  []*descriptor.File    // the header of a TensorFile, or each document of a Document
	Triton *triton.Config        // set for a Document that is a Triton configuration
	Stream io.Reader             // JSON Lines that have not been read
	Wide   bool                  // the file is in UTF-16
	Chosen string                // the tensor that the argument names, or a pattern of names; may be empty
	found  []notation.Descriptor // set for a Notation
	shards *tensorfile.Index     // set for an Index

	options Options
	source  Source
	close   func()   // closes the file of the Stream; may be nil
	Notes   []string // about the descriptors that were yielded, and about unread parts of the text
}

// A Shaped is the content of a shape: sizes, optionally followed by the name of a layout or an element type.
type Shaped struct {
	Sizes  shape.List
	Layout *shape.Name   // nil if the text does not name one
	Format *shape.Format // the format of an image with the size Sizes; nil for a tensor
	Type   layout.DType
	Typed  bool // whether the text states the element type
}

// numbered gives tensors of the same name distinct names: the second desc becomes desc#2.
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

// values yields the tensors of files and documents, which may have open sizes.
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

// Options are the values that an input may leave open, and its notation.
type Options struct {
	notation.Options
	From     *notation.Notation // nil for any notation
	Metadata bool               // the metadata of a tensor file is read too

	Tensor     string            // the name of the requested tensor; a kernel source evaluates no other
	Given      map[string]string // expressions for names of such sources
	GivenFault error             // why one of these is not a number, as other inputs require
}

// ErrForeign is the error for a source that describes no tensors, and need not do so.
var ErrForeign = errors.New("it does not describe tensors")

// isOpen reports whether there are values for open sizes.
func (o *Options) isOpen() bool { return len(o.Dims)+len(o.Names) > 0 }
