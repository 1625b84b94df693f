// Package descriptor holds what texts state about tensors, right or wrong.
//
// Nothing about a [Descriptor] is valid by construction, and its [Source] knows the places of its parts. Readers of
// files make descriptors, and package rules checks them.
package descriptor

import (
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/wording"
)

// A Descriptor is a tensor descriptor as a text states it.
type Descriptor struct {
	Name     string // the name in findings: the path of the tensor in the file
	Operator string // the DirectML operator of the tensor, without DML_OPERATOR_; may be empty
	Slot     string // the operator's name for the tensor, such as InputTensor; may be empty
	Role     Role

	TypeName   string       // the element type as written
	Type       layout.DType // its meaning
	TypeKnown  bool         // the type has a meaning
	TypeJudged bool         // the reader has checked it: right in its file, or reported

	Sizes    []int64
	Open     []string // the names of open sizes, which are -1, or ""; nil if no size is open
	Labelled bool     // each size had the letter of its axis
	Axes     []string // the letters
	Strides  []int64  // nil if none are stated
	Layout   string   // the stated layout name, in place of strides; may be empty
	Spacing  *Spacing // the gaps in the stated layout; nil for none
	Base     int64    // the storage offset, in elements

	Count     Number // DimensionCount
	Total     Number // TotalTensorSizeInBytes
	Alignment Number // GuaranteedBaseOffsetAlignment, in bytes
	Flags     []string
	Unread    []string // members that are no fields

	Map      *TensorMap // what is stated of a tensor map; nil for nothing
	Computed bool       // a total of 0, or none, is computed when the descriptor is used (DxDispatch)
	Source   Source
	Bytes    finding.Span // that describe it in a file that is not a text
	Data     finding.Span // its elements in the file, or in DataFile; empty if their place is not known
	Swap     int          // the bytes of a unit to reverse to make its elements little-endian, or 0
	DataFile string       // beside the file; empty if the file itself has the elements
}

// A Spacing makes gaps in a layout, as the flags --pitch, --align and --pad do.
type Spacing struct {
	Pitch []shape.AxisNumber // strides to keep
	Align []shape.AxisNumber // the multiples that strides are rounded up to
	Pad   []shape.AxisNumber // unused elements after every run of an axis
}

// Owned reports whether the tensor has the flag OWNED_BY_DML.
func (d *Descriptor) Owned() bool {
	return slices.ContainsFunc(d.Flags, func(flag string) bool {
		return strings.TrimPrefix(flag, FlagPrefix) == OwnedByDML
	})
}

// ListedType returns DirectML's name of the type; "" if it has none, or if it is a placeholder.
func (d *Descriptor) ListedType() string {
	if !d.TypeKnown || d.Type.Bits() == 0 {
		return ""
	}
	return d.Type.In(layout.DirectML)
}

// HasType reports whether the type can be compared: it is known, or known to the file alone.
func (d *Descriptor) HasType() bool { return d.TypeKnown || d.TypeJudged }

// ElementType returns the type by its name, or as the file writes it.
func (d *Descriptor) ElementType() string {
	if d.TypeKnown {
		return d.Type.String()
	}
	return wording.Clip(d.TypeName)
}

// A Number is a number that may be missing.
type Number struct {
	Value  int64
	Stated bool
}

// Stated returns a number that is not missing.
func Stated(n int64) Number { return Number{Value: n, Stated: true} }

// A Role is the role of a tensor in an operator.
type Role uint8

// The roles.
const (
	UnknownRole Role = iota
	Input
	Output
)

// A Source knows the places of the parts of a descriptor. It is asked only when there is something to report.
type Source interface {
	// Place returns the place of a part, or of item i of a list unless i is negative. If the text does not have the
	// part, it is the place of the descriptor. A Source of a text that can be changed has a method Edits, too.
	Place(p Part, i int) finding.Place
}

// A File is the content of a file about tensors.
type File struct {
	Kind        string // "model", "configuration", "npy", "npz", "safetensors", "gguf", "onnx" or "triton"
	Target      Target // the target for its descriptors, unless the user names another
	Descriptors []Descriptor
	Header      List              // in place of Descriptors in files that may have very many; else nil
	Values      []Descriptor      // the inputs and outputs of an ONNX model
	Model       *Model            // relates the descriptors of a DxDispatch model; else nil
	Config      Expectations      // what a configuration expects; nil for other files
	Findings    []finding.Finding // of the reader
	Comments    []doctree.Comment // they may silence rules
	Split       Split             // of a GGUF file
	Metadata    []Pair            // of a safetensors or GGUF file, if it is asked for
}

// A Split is what a file says of itself as one of several that have the tensors of a model: its number, from 0, how
// many files there are, and how many tensors they have together.
type Split struct{ No, Count, Tensors Number }

// Expectations are what a configuration expects of its tensors and files. Package expect implements them.
type Expectations interface {
	// Len returns the number of tensors and files of the configuration.
	Len() int

	// Check reports what differs from the expectations. It may use tensors, which remembers layouts.
	Check(t Target, r *finding.Reporter, tensors *Tensors)
}

// A List makes the descriptors of a header when they are asked for.
type List interface {
	Len() int
	At(i int) Descriptor
}

// Len returns the number of descriptors.
func (f *File) Len() int {
	if f.Header != nil {
		return f.Header.Len()
	}
	return len(f.Descriptors)
}

// At returns descriptor i.
func (f *File) At(i int) Descriptor {
	if f.Header != nil {
		return f.Header.At(i)
	}
	return f.Descriptors[i]
}

// The optional prefix of flags, and the flag of a tensor that is handed over when the operator is initialized.
const (
	FlagPrefix = "DML_TENSOR_FLAG_"
	OwnedByDML = "OWNED_BY_DML"
)

// At returns a part of the descriptor, or an item of the part unless item is negative, as the subject of a finding.
//
// It is not inlined, because it would make each of its many callers larger.
//
//go:noinline
func (d *Descriptor) At(p Part, item int) finding.Subject { return PartOf{d, p, item} }

// Locator returns a part of the descriptor as a place.
func (d *Descriptor) Locator(p Part) finding.Locator { return PartOf{d, p, -1} }

// Edits returns the changes to the text that give a part these values, one for each item of a list; nil where that is
// not certain.
func (d *Descriptor) Edits(p Part, values ...int64) []finding.Edit {
	text, ok := d.Source.(interface {
		Edits(p Part, values []int64) []finding.Edit
	})
	if !ok {
		return nil
	}
	return text.Edits(p, values)
}

// A PartOf is a part of a descriptor, or an item of it.
type PartOf struct {
	d    *Descriptor
	part Part
	item int
}

// Place returns the place of the part.
func (p PartOf) Place() finding.Place {
	if p.d.Source == nil {
		return finding.Place{}
	}
	return p.d.Source.Place(p.part, p.item)
}

// About implements [finding.Subject].
func (p PartOf) About(f *finding.Finding) {
	f.Tensor, f.Bytes, f.Place = p.d.Name, p.d.Bytes, p.Place()
}
