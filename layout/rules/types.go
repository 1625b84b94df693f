package rules

import (
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// dmlTypes are the element types that a DirectML descriptor can have.
var dmlTypes = [...]string{
	"FLOAT32", "FLOAT16", "UINT32", "UINT16", "UINT8", "INT32", "INT16", "INT8",
	"FLOAT64", "UINT64", "INT64", "UINT4", "INT4",
}

// A typeSet is a set of dmlTypes, with a bit for each in their order and one that says that there may be no tensor.
// There are no types where a page does not say.
type typeSet uint16

// The sets that operators.txt has names for.
const (
	floats   typeSet = 1<<2 - 1
	to32     typeSet = 1<<8 - 1
	to64     typeSet = 1<<11 - 1
	optional typeSet = 1 << len(dmlTypes) // the tensor may be left out
)

// typesOf returns the set of a name in operators.txt.
func typesOf(name string) typeSet {
	switch name {
	case "":
		return 0
	case "floats":
		return floats
	case "to32":
		return to32
	case "to64":
		return to64
	}
	return 1 << slices.Index(dmlTypes[:], name)
}

// has reports whether the set has a type of DirectML.
func (s typeSet) has(name string) bool {
	i := slices.Index(dmlTypes[:], name)
	return i >= 0 && s>>i&1 != 0
}

// String lists the types.
func (s typeSet) String() string {
	var names []string
	for i, t := range dmlTypes {
		if s>>i&1 != 0 {
			names = append(names, t)
		}
	}
	return strings.Join(names, ", ")
}

// level4Bit is the first feature level that has types of 4 bits.
const level4Bit = 63

// checkType compares the element type with those of the target.
func (c *Checker) checkType() {
	d, dml := c.d, c.directML()
	switch {
	case d.TypeJudged:
	case !d.TypeKnown && (dml || d.TypeName != "") || d.TypeKnown && dml && d.Type.In(layout.DirectML) == "":
		c.unknownType()
	case !d.TypeKnown || !dml:
	case d.Type.Bits() == 0:
		c.find(DTypeUnknown, TypePart, -1, "",
			"UNKNOWN is not a type: nothing can be sized, and DMLCalcBufferTensorSize answers 0")
	case d.Type.Bits() < 8:
		severity := DType4BitLevel.Rule().Severity
		if c.target.before(level4Bit) {
			severity = Error
		}
		c.findAs(DType4BitLevel, severity, TypePart, -1, "",
			"%s needs feature level 6.3 (DirectML 1.15.0)%s", c.typeName(), c.against())
	}
}

// unknownType reports a type that the target does not have.
func (c *Checker) unknownType() {
	switch name := scan.Clip(c.d.TypeName); {
	case name == "" && !c.d.TypeKnown:
		c.find(DTypeKnown, Whole, -1, oneOfTypes(), "no DataType is stated")
	case c.directML():
		c.find(DTypeKnown, TypePart, -1, c.typeFix(), "DirectML has no type %s", name)
	default:
		c.find(DTypeKnown, TypePart, -1, c.typeFix(), "%q is not a data type", name)
	}
}

// typeFix says what to write in place of a type that the target does not have.
func (c *Checker) typeFix() string {
	t, err := c.d.Type, error(nil)
	if !c.d.TypeKnown {
		t, err = layout.ParseDType(c.d.TypeName)
	}
	switch name := t.In(layout.DirectML); {
	case err != nil && !c.directML():
		return hintOf(err)
	case err != nil:
		return scan.DidYouMean(strings.ToUpper(c.d.TypeName), dmlTypes[:], oneOfTypes())
	case name != "":
		return "write " + name
	case t.String() == "bool":
		return "UINT8 holds truth values"
	case strings.Contains(t.String(), "float"):
		return "FLOAT32 holds all values of " + t.String()
	}
	return oneOfTypes()
}

func oneOfTypes() string { return "one of " + strings.Join(dmlTypes[:], ", ") }

// against says which feature level the target is at, if it is at one.
func (c *Checker) against() string {
	if c.target.Level == 0 {
		return ""
	}
	return ", the target is " + c.target.Level.String()
}

// typeName is what messages call the element type.
func (c *Checker) typeName() string {
	if !c.d.TypeKnown {
		return scan.Clip(c.d.TypeName)
	}
	if name := c.d.Type.In(layout.DirectML); c.directML() && name != "" {
		return name
	}
	return c.d.Type.String()
}
