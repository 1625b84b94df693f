package rules

import (
	"slices"
	"strings"

	"layoutcalc/layout"
)

// A Descriptor is a tensor descriptor as a text states it.
type Descriptor struct {
	Name     string // what findings call the tensor: its path in the file
	Operator string // the DirectML operator that it belongs to, without DML_OPERATOR_; may be empty
	Slot     string // the operator's name for it, such as InputTensor; may be empty
	Role     Role

	TypeName   string       // the element type as it is written
	Type       layout.DType // what it means
	TypeKnown  bool         // whether it means anything
	TypeJudged bool         // the reader has judged it: it is right there, or has been reported

	Sizes    []int64
	Labelled bool     // each size had the letter of its axis
	Axes     []string // those letters
	Strides  []int64  // nil where none are stated
	Layout   string   // the layout name that is stated in place of strides; may be empty
	Base     int64    // the storage offset, in elements

	Count     Number // DimensionCount
	Total     Number // TotalTensorSizeInBytes
	Alignment Number // GuaranteedBaseOffsetAlignment, in bytes
	Flags     []string

	Computed bool // a total of 0, or none, is computed when the descriptor is used (DxDispatch)
	Source   Source
}

// owned reports whether the tensor has the flag OWNED_BY_DML.
func (d *Descriptor) owned() bool {
	return slices.ContainsFunc(d.Flags, func(flag string) bool {
		return strings.TrimPrefix(flag, flagPrefix) == ownedByDML
	})
}

// listedType returns DirectML's name of the type; "" if it has none, or is a placeholder.
func (d *Descriptor) listedType() string {
	if !d.TypeKnown || d.Type.Bits() == 0 {
		return ""
	}
	return d.Type.Info().DirectML
}

// A Number is one that may be missing.
type Number struct {
	Value  int64
	Stated bool
}

// Stated returns a number that is stated.
func Stated(n int64) Number { return Number{Value: n, Stated: true} }

// A Role says what an operator does with a tensor.
type Role uint8

// The roles.
const (
	UnknownRole Role = iota
	Input
	Output
)

// A Source knows the places of the parts of a descriptor. It is asked only when there is something to report.
type Source interface {
	// Place returns the place of a part, of its item i where it is a list and i is not negative.
	// Where the text does not have the part it is the place of the descriptor.
	Place(p Part, i int) Place
}

// A Locator knows its place. It is asked only when there is something to report.
type Locator interface{ Place() Place }

// A File is what a file states about tensors.
type File struct {
	Kind        string // "dxdispatch", "config", "npy", "safetensors", "gguf", "onnx" or "triton"
	Target      Target // whose rules its descriptors follow, unless the user names another
	Descriptors []Descriptor
	Values      []Value   // the inputs and outputs of an ONNX model
	Model       *Model    // what relates the descriptors of a DxDispatch model; else nil
	Config      *Config   // what a configuration expects of its descriptors; else nil
	Findings    []Finding // the reader's own
	Ignores     []Ignore  // the comments that silence rules
}

// A Value is an input or an output of a model. Sizes that are open are -1.
type Value struct {
	Descriptor
	Open []string // the names of open sizes; empty for those that have none, and for known ones
}
