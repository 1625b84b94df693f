// Package descriptor holds the statements of inputs about tensors, right or wrong.
//
// Nothing in a [Descriptor] is valid by construction. Its [Source] locates its parts. Readers of files create
// descriptors, and package rules checks them.
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

// A Descriptor is a tensor descriptor as stated in an input.
type Descriptor struct {
	Name     string // the name in findings: the path of the tensor in the file
	Operator string // the DirectML operator of the tensor, without DML_OPERATOR_; may be empty
	Slot     string // the operator's name for the tensor, such as InputTensor; may be empty
	Role     Role

	TypeName   string       // the element type as written
	Type       layout.DType // its meaning
	TypeKnown  bool         // the type has a meaning
	TypeJudged bool         // the reader has checked it: it is valid in its file, or reported

	Sizes    []int64
	Open     []string // the names of open sizes, which are -1, or ""; nil if no size is open
	Labelled bool     // each size had the letter of its axis
	Axes     []string // the letters
	Strides  []int64  // nil if they are not stated
	Layout   string   // the stated layout name, instead of strides; may be empty
	Spacing  *Spacing // the gaps in the stated layout, or nil
	Base     int64    // the storage offset, in elements

	Count     Number // DimensionCount
	Total     Number // TotalTensorSizeInBytes
	Alignment Number // GuaranteedBaseOffsetAlignment, in bytes
	Flags     []string
	Unread    []string // members that are not fields

	Map      *TensorMap // the statements about a tensor map, or nil
	Computed bool       // a total of 0, or a missing one, is computed when the descriptor is used (DxDispatch)
	Source   Source
	Bytes    finding.Span // the description in a file that is not text
	Data     finding.Span // its elements in the file, or in DataFile; empty if their location is unknown
	Swap     int          // the bytes in each unit to reverse to make its elements little-endian, or 0
	DataFile string       // relative to the file; empty if the file itself has the elements
}

// A Spacing is gaps in a layout, like the flags --pitch, --align and --pad.
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

// ListedType returns DirectML's name of the type, or "" for a placeholder or a type that DirectML does not have.
func (d *Descriptor) ListedType() string {
	if !d.TypeKnown || d.Type.Bits() == 0 {
		return ""
	}
	return d.Type.In(layout.DirectML)
}

// HasType reports whether the type can be compared: it is known, or specific to the file.
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

// A Source locates the parts of a descriptor. It is only called if there is something to report.
type Source interface {
	// Place returns the position of a part, or of item i of a list unless i is negative. If the input does not have the
	// part, it returns the position of the descriptor. If the input can be changed, its Source also has a method Edits.
	Place(p Part, i int) finding.Place
}

// A File is the content of a file about tensors.
type File struct {
	Kind        string // "model", "configuration", "npy", "npz", "safetensors", "gguf", "onnx" or "triton"
	Target      Target // the target for its descriptors, unless the user names another
	Descriptors []Descriptor
	Header      List              // instead of Descriptors in files that may have very many; otherwise nil
	Values      []Descriptor      // the inputs and outputs of an ONNX model
	Model       *Model            // relates the descriptors of a DxDispatch model; else nil
	Config      Expectations      // the expectations of a configuration; nil for other files
	Findings    []finding.Finding // from the reader
	Comments    []doctree.Comment // they may silence rules
	Split       Split             // for a GGUF file
	Metadata    []Pair            // for a safetensors or GGUF file, if it is requested
}

// A Split is the statements of a file that is one of several with the tensors of a model: its number, starting at 0,
// the number of files, and the number of tensors in all of them.
type Split struct{ No, Count, Tensors Number }

// Expectations are the expectations of a configuration about its tensors and files. Package expect implements them.
type Expectations interface {
	// Len returns the number of tensors and files of the configuration.
	Len() int

	// Check reports differences from the expectations. It may use tensors, which caches layouts.
	Check(t Target, r *finding.Reporter, tensors *Tensors)
}

// A List creates the descriptors of a header on demand.
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

// The optional prefix of flags, and the flag of a tensor that is passed to DirectML when the operator is initialized.
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

// Locator returns a part of the descriptor as a Locator.
func (d *Descriptor) Locator(p Part) finding.Locator { return PartOf{d, p, -1} }

// Edits returns the edits of the input that set a part to the given values, one for each item of a list. It returns nil
// if they are not certain.
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

// Place returns the position of the part.
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
