package rules

import (
	"fmt"
	"layoutcalc/layout/wording"
	"math"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
)

// The rules for strides.
var (
	StrideRange      = &finding.Rule{Name: "stride-range", Severity: finding.Error, Family: finding.DirectML}
	StrideMinus      = &finding.Rule{Name: "stride-minus", Severity: finding.Warning, Family: finding.DirectML}
	StridesUnneeded  = &finding.Rule{Name: "strides-unneeded", Severity: finding.Note, Family: finding.DirectML}
	StrideEqualsSize = &finding.Rule{Name: "stride-equals-size", Severity: finding.Warning}
	StrideBytes      = &finding.Rule{Name: "stride-bytes", Severity: finding.Warning}
	UnalignedRows    = &finding.Rule{Name: "unaligned-rows", Severity: finding.Note, Family: finding.DirectML}
	Int64Emulated    = &finding.Rule{Name: "int64-emulated", Severity: finding.Note, Family: finding.DirectML}
)

// checkStrides checks the stated strides, and looks for strides with another meaning. The strides of axes of size 1
// have no effect and may have any value.
func (c *Checker) checkStrides() {
	if !c.regular() || c.d.Strides == nil {
		return
	}
	if c.directML() {
		c.checkStrideRange()
	}
	if len(c.d.Sizes) > 0 && c.reached {
		c.checkMeaning()
	}
}

// checkStrideRange compares each stride with the range of a 32-bit field.
func (c *Checker) checkStrideRange() {
	for i, s := range c.d.Strides {
		switch {
		case c.d.Sizes[i] == 1:
		case s < 0:
			c.Report(StrideRange, c.d.At(descriptor.StridesPart, i),
				"give the rows in the order of memory, and reverse them with SLICE1",
				"stride %d of dimension %d: DirectML has no negative strides", s, i)
		case s > math.MaxUint32:
			c.Report(StrideRange, c.d.At(descriptor.StridesPart, i), "4294967295 is the largest stride",
				"stride %d of dimension %d does not fit 32 bits", s, i)
		case s > math.MaxInt32:
			c.Report(StrideMinus, c.d.At(descriptor.StridesPart, i),
				"write the stride that was meant, below 2147483648; SLICE1 reverses",
				"stride %d of dimension %d is %d as a signed 32-bit number", s, i, int32(uint32(s)))
		}
	}
}

// checkMeaning finds strides that are sizes, that count bytes, or that are redundant.
func (c *Checker) checkMeaning() {
	size := c.bits() / 8
	switch {
	case c.packedRowMajor:
		if c.directML() && c.WantsRule(StridesUnneeded) {
			c.Report(StridesUnneeded, c.d.At(descriptor.StridesPart, -1), "remove them",
				"strides %s are those of a packed layout, null means the same", layout.ListText(c.d.Strides))
		}
	case slices.Equal(c.d.Sizes, c.d.Strides) && c.WantsRule(StrideEqualsSize):
		fix := ""
		if strides := packed(c.d.Sizes); strides != nil {
			fix = "packed strides are " + layout.ListText(strides)
		}
		c.Report(StrideEqualsSize, c.d.At(descriptor.StridesPart, -1), fix,
			"strides %s are the same numbers as the sizes", layout.ListText(c.d.Strides))
	}
	if len(c.moving) == 0 {
		return
	}
	if need, proven := c.asBytes(); need != 0 {
		c.strideBytes(size, proven)
	}
	if c.directML() {
		c.checkHalves()
		c.checkRows()
	}
}

// strideBytes reports strides that look like bytes, and not like elements of that size. A total may prove it.
func (c *Checker) strideBytes(size int64, proven bool) {
	severity, text := StrideBytes.Severity, ""
	if proven {
		severity = finding.Error
	}
	if !c.Wants(StrideBytes, severity) {
		return
	}
	if proven {
		text = fmt.Sprintf("; the total %d has room for that, and not for elements", c.d.Total.Value)
	}
	elements := slices.Clone(c.d.Strides)
	for i := range elements {
		elements[i] /= size
	}
	c.ReportAs(StrideBytes, severity, c.d.At(descriptor.StridesPart, -1),
		"in elements they are "+layout.ListText(elements),
		"strides %s look like bytes: each is a multiple of %s's %d, and the smallest just that%s",
		layout.ListText(c.d.Strides), c.typeName(), size, text)
}

// checkHalves notes the old way to read the lower halves of 64-bit integers.
func (c *Checker) checkHalves() {
	if c.bits() != 32 || c.typeName() != "UINT32" || !c.scaled(2) {
		return
	}
	need, ok := c.need()
	if !ok || !c.WantsRule(Int64Emulated) {
		return
	}
	c.Report(Int64Emulated, c.d.At(descriptor.StridesPart, -1), fmt.Sprintf("%d bytes take in the last upper half too",
		need+4), "strides %s step over every other UINT32, as if these were the lower halves of INT64: "+
		"%d bytes end before the last upper half", layout.ListText(c.d.Strides), need)
}

// checkRows notes rows of small elements that do not start at multiples of 4 bytes.
func (c *Checker) checkRows() {
	rows, size := c.moving, c.bits()
	if len(rows) < 2 || size != 8 && size != 16 {
		return
	}
	pitch, unit := rows[1].Stride, 32/size
	if pitch%unit == 0 || !c.WantsRule(UnalignedRows) {
		return
	}
	aligned, _ := layout.AlignUp(pitch, unit)
	c.Report(UnalignedRows, c.d.At(descriptor.StridesPart, rows[1].Axis), fmt.Sprintf("a row of %s would be aligned",
		wording.Count(aligned, "element")), "rows are %s%s apart, not a multiple of 4 bytes",
		wording.Count(pitch, "element"),
		c.inBytes(pitch))
}

// packed returns the strides of a packed row-major layout, or nil if its elements do not fit in 64 bits.
func packed(sizes []int64) []int64 {
	strides, _ := descriptor.RowMajor(nil, sizes)
	return strides
}
