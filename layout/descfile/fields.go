package descfile

import (
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/rules"
)

// A field is a part of a descriptor that a text states under a name.
type field uint8

// The fields.
const (
	noField field = iota
	typeField
	sizesField
	stridesField
	layoutField
	baseField
	totalField
	alignmentField
	flagsField
	roleField
	operatorField
	slotField
	expectField
	countField
	nameField
	targetField
	fieldCount
)

// A vocabulary is a set of names for fields.
type vocabulary uint8

const (
	ours     vocabulary = 1 << iota // of a tensor in a configuration
	lineOnly                        // of one alone on a line besides
	directML                        // DirectML's, of one alone on a line
)

// fieldNames are what fields are called.
var fieldNames = [...]struct {
	name  string
	field field
	in    vocabulary
}{
	{"dtype", typeField, ours},
	{"sizes", sizesField, ours},
	{"layout", layoutField, ours},
	{"strides", stridesField, ours},
	{"storageOffset", baseField, ours},
	{"base", baseField, ours},
	{"totalBytes", totalField, ours},
	{"alignment", alignmentField, ours},
	{"flags", flagsField, ours},
	{"role", roleField, ours},
	{"operator", operatorField, ours},
	{"slot", slotField, ours},
	{"expect", expectField, ours},
	{"name", nameField, lineOnly},
	{"target", targetField, lineOnly},
	{"DataType", typeField, directML},
	{"Sizes", sizesField, directML},
	{"Strides", stridesField, directML},
	{"TotalTensorSizeInBytes", totalField, directML},
	{"GuaranteedBaseOffsetAlignment", alignmentField, directML},
	{"Flags", flagsField, directML},
	{"DimensionCount", countField, directML},
}

// fieldOf returns the field that a member states in one of the vocabularies, and in which.
func fieldOf(m doctree.Value, in vocabulary) (field, vocabulary) {
	for i := range fieldNames {
		if f := &fieldNames[i]; f.in&in != 0 && m.IsKey(f.name) {
			return f.field, f.in
		}
	}
	return noField, 0
}

// partFields are the fields that parts of descriptors are.
var partFields = [...]field{
	rules.Whole: noField, rules.TypePart: typeField, rules.SizesPart: sizesField, rules.StridesPart: stridesField,
	rules.LayoutPart: layoutField, rules.BasePart: baseField, rules.CountPart: countField,
	rules.TotalPart: totalField, rules.AlignmentPart: alignmentField, rules.FlagsPart: flagsField,
}

// A fieldSource knows where the fields of an object stand.
type fieldSource struct {
	object doctree.Value
	in     vocabulary
}

// Place returns the place of a part, or of the object when it does not have that.
func (s *fieldSource) Place(p rules.Part, item int) rules.Place {
	if want := partFields[p]; want != noField {
		for m := range s.object.Items {
			if f, _ := fieldOf(m, s.in); f == want {
				return itemOf(m, item).Place()
			}
		}
	}
	return s.object.Place()
}

// itemOf returns an item of a list; the value itself when it is none, or has no such item.
func itemOf(v doctree.Value, item int) doctree.Value {
	if v.Kind() == doctree.Array && item >= 0 {
		for m := range v.Items {
			if item--; item < 0 {
				return m
			}
		}
	}
	return v
}
