package desc

import "layoutcalc/layout/finding"

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

// Attribute returns what the text has for an attribute; nil where it has nothing.
func (op *Operator) Attribute(name string) *GivenAttribute {
	for i := range op.Given {
		if g := &op.Given[i]; g.Name == name {
			return g
		}
	}
	return nil
}
