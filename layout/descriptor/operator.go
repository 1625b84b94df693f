package descriptor

import "layoutcalc/layout/finding"

// Path returns the name of the slot's tensors in findings.
func (s *OperatorSlot) Path() string {
	if len(s.Tensors) == 0 {
		return s.Name
	}
	return s.Tensors[0].Name
}

// An Operator is a DirectML operator with its tensors in an input.
type Operator struct {
	Name   string // the name in findings: the path of the operator in the file
	Type   string // the operator's name as written, with or without DML_OPERATOR_
	Slots  []OperatorSlot
	Given  []GivenAttribute
	Counts []CountField
	At     finding.Locator
}

// A GivenAttribute is an attribute in an input: a whole number, a list of whole numbers, or a value of an enumeration.
type GivenAttribute struct {
	Name    string
	Numbers []int64
	Value   string // the name in the enumeration, without its prefix
	Broken  bool   // it is present, but cannot be read
	At      finding.Locator
}

// An OperatorSlot is one of an operator's tensors in an input, or a list of them.
type OperatorSlot struct {
	Name    string
	Tensors []*Descriptor
	Broken  bool // it is present, but cannot be read
}

// A CountField is a field that counts the tensors of a list.
type CountField struct {
	Name, Slot string
	Value      int64
	At         finding.Locator
}

// Slot returns the slot with a name, or nil if the input does not have it.
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

// Attribute returns the attribute with a name, or nil if the input does not have it.
func (op *Operator) Attribute(name string) *GivenAttribute {
	for i := range op.Given {
		if g := &op.Given[i]; g.Name == name {
			return g
		}
	}
	return nil
}
