package rules

import (
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/dml"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/wording"
)

// The rules for element types.
var (
	DTypeKnown     = &finding.Rule{Name: "dtype-known", Severity: finding.Error}
	DTypeUnknown   = &finding.Rule{Name: "dtype-unknown", Severity: finding.Error, Family: finding.DirectML}
	DType4BitLevel = &finding.Rule{Name: "dtype-4bit-level", Severity: finding.Note, Family: finding.DirectML}
)

// level4Bit is the first feature level with 4-bit types.
const level4Bit = 63

// checkType checks that the target has the element type.
func (c *Checker) checkType() {
	d, dml := c.d, c.directML()
	switch {
	case d.TypeJudged:
	case !d.TypeKnown && (dml || d.TypeName != "") || d.TypeKnown && dml && d.Type.In(layout.DirectML) == "":
		c.unknownType()
	case !d.TypeKnown || !dml:
	case d.Type.Bits() == 0:
		c.Report(DTypeUnknown, c.d.At(descriptor.TypePart, -1), "",
			"UNKNOWN is not a type: nothing can be sized, and DMLCalcBufferTensorSize answers 0")
	case d.Type.Bits() < 8:
		severity := DType4BitLevel.Severity
		if c.target.Before(level4Bit) {
			severity = finding.Error
		}
		c.ReportAs(DType4BitLevel, severity, c.d.At(descriptor.TypePart, -1), "",
			"%s needs feature level 6.3 (DirectML 1.15.0)%s", c.typeName(), c.against())
	}
}

// unknownType reports a type that the target does not have.
func (c *Checker) unknownType() {
	if !c.WantsRule(DTypeKnown) {
		return
	}
	switch name := wording.Clip(c.d.TypeName); {
	case name == "" && !c.d.TypeKnown:
		c.Report(DTypeKnown, c.d.At(descriptor.Whole, -1), oneOfTypes(), "no DataType is stated")
	case c.directML():
		c.Report(DTypeKnown, c.d.At(descriptor.TypePart, -1), c.typeFix(), "DirectML has no type %s", name)
	default:
		c.Report(DTypeKnown, c.d.At(descriptor.TypePart, -1), c.typeFix(), "%q is not an element type", name)
	}
}

// typeFix returns the type to write instead of one that the target does not have.
func (c *Checker) typeFix() string {
	t, err := c.d.Type, error(nil)
	if !c.d.TypeKnown {
		t, err = layout.ParseDType(c.d.TypeName)
	}
	switch name := t.In(layout.DirectML); {
	case err != nil && !c.directML():
		return layout.HintOf(err)
	case err != nil:
		return wording.DidYouMean(strings.ToUpper(c.d.TypeName), dml.Types[:], oneOfTypes())
	case name != "":
		return "write " + name
	case t.String() == "bool":
		return "UINT8 holds truth values"
	case strings.Contains(t.String(), "float"):
		return "FLOAT32 holds all values of " + t.String()
	}
	return oneOfTypes()
}

func oneOfTypes() string { return "one of " + strings.Join(dml.Types[:], ", ") }

// against returns the target's feature level for messages, if it has one.
func (c *Checker) against() string {
	if c.target.Level == 0 {
		return ""
	}
	return ", the target is " + c.target.Level.String()
}
