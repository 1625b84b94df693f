package desc

import (
	"math"
	"slices"

	"layoutcalc/layout/finding"
)

// Path is what findings call the tensors of a slot.
func (s *OperatorSlot) Path() string {
	if len(s.Tensors) == 0 {
		return s.Name
	}
	return s.Tensors[0].Name
}

// An Operator is an operator of DirectML with the tensors that a text gives it.
type Operator struct {
	Name   string // what findings call it: its path in the file
	Type   string // its name as written, with DML_OPERATOR_ or without
	Slots  []OperatorSlot
	Given  []GivenAttribute
	Counts []CountField
	At     finding.Locator
}

// A GivenAttribute is what a text has for an attribute that is a whole number, a list of such, or of an enumeration.
type GivenAttribute struct {
	Name    string
	Numbers []int64
	Value   string // of the enumeration, without its prefix
	Broken  bool   // there is something, but it cannot be read
	At      finding.Locator
}

// An OperatorSlot is what a text has for one of an operator's tensors, or for a list of them.
type OperatorSlot struct {
	Name    string
	Tensors []*Descriptor
	Broken  bool // there is something, but it cannot be read
}

// A CountField is a field that counts the tensors of a list.
type CountField struct {
	Name, Slot string
	Value      int64
	At         finding.Locator
}

// Slot returns what the text has for the slot; nil where it has nothing.
func (op *Operator) Slot(name string) *OperatorSlot {
	for i := range op.Slots {
		if op.Slots[i].Name == name {
			return &op.Slots[i]
		}
	}
	return nil
}

// Owned reports whether the slot's tensors have the flag OWNED_BY_DML.
func (s *OperatorSlot) Owned() bool { return len(s.Tensors) > 0 && s.Tensors[0].Owned() }

// Attribute returns what the text has for an attribute; nil where it has nothing that can be read.
func (op *Operator) Attribute(name string) *GivenAttribute {
	for i := range op.Given {
		if g := &op.Given[i]; g.Name == name && !g.Broken {
			return g
		}
	}
	return nil
}

// Number returns an attribute that is one number.
func (op *Operator) Number(name string) (n int64, ok bool) {
	if g := op.Attribute(name); g != nil && len(g.Numbers) == 1 {
		return g.Numbers[0], true
	}
	return n, false
}

// Tensor returns the first tensor of a slot if it has dimensions, none of which is empty; nil where there is none.
func (op *Operator) Tensor(name string) *Descriptor {
	s := op.Slot(name)
	if s == nil || len(s.Tensors) == 0 || len(s.Tensors[0].Sizes) == 0 || !Counted(s.Tensors[0]) {
		return nil
	}
	return s.Tensors[0]
}

// Counted reports whether all sizes are such as DirectML can have.
func Counted(d *Descriptor) bool {
	return !slices.ContainsFunc(d.Sizes, func(n int64) bool { return n < 1 || n > math.MaxUint32 })
}

// Dimensions returns how many dimensions an operator's DimensionCount counts, and what they are; 0 where that is not
// known.
func (op *Operator) Dimensions() (n int64, what string) {
	d := op.Tensor("InputTensor")
	if d == nil {
		return 0, ""
	}
	n = int64(len(d.Sizes))
	if op.Attribute("StartPadding") != nil && op.Attribute("Strides") != nil {
		return n - 2, "the window of " + d.Slot
	}
	return n, d.Slot
}

// Matrix returns the rows and columns of a matrix, transposed where an attribute says so, and a word for that.
func (op *Operator) Matrix(d *Descriptor, attribute string) (rows, columns int64, how string, ok bool) {
	last := len(d.Sizes) - 1
	rows, columns = d.Sizes[last-1], d.Sizes[last]
	for i := range op.Given {
		if g := &op.Given[i]; g.Name == attribute && g.Broken {
			return rows, columns, "", false
		} else if g.Name == attribute && g.Value == "TRANSPOSE" {
			return columns, rows, " transposed", true
		}
	}
	return rows, columns, "", true
}
