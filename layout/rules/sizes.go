package rules

import (
	"fmt"
	"math"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/wording"
)

// The rules for sizes.
var (
	DimCountRange    = &finding.Rule{Name: "dim-count-range", Severity: finding.Error, Family: finding.DirectML}
	DimCountOld      = &finding.Rule{Name: "dim-count-old", Severity: finding.Warning, Family: finding.DirectML}
	DimCountMismatch = &finding.Rule{Name: "dim-count-mismatch", Severity: finding.Error}
	SizeZero         = &finding.Rule{Name: "size-zero", Severity: finding.Error, Family: finding.DirectML}
	SizeRange        = &finding.Rule{Name: "size-range", Severity: finding.Error}
	StrideShapeOrder = &finding.Rule{Name: "stride-shape-order", Severity: finding.Note}
	ElementCount     = &finding.Rule{Name: "element-count", Severity: finding.Error, Family: finding.DirectML}
	ChannelLimit     = &finding.Rule{Name: "channel-limit", Severity: finding.Warning, Family: finding.DirectML}
)

// MAX_DIMENSION_COUNT in DirectML, now and before feature level 3.0.
const (
	dmlMaxRank    = 8
	dmlOldMaxRank = 5
	levelMaxRank8 = 30
)

// checkCounts compares the numbers of axes.
func (c *Checker) checkCounts() {
	d, rank := c.d, int64(len(c.d.Sizes))
	if d.Count.Stated && d.Count.Value != rank && c.WantsRule(DimCountMismatch) {
		word := "DimensionCount"
		if d.Map != nil {
			word = "rank"
		}
		c.Report(DimCountMismatch, c.d.At(descriptor.CountPart, -1), fmt.Sprintf("write %d", rank),
			"%s %d for %s", word, d.Count.Value, wording.Count(rank, "size"))
	}
	if n := int64(len(d.Strides)); d.Strides != nil && n != rank && c.WantsRule(DimCountMismatch) {
		c.Report(DimCountMismatch, c.d.At(descriptor.StridesPart, -1),
			fmt.Sprintf("state %s, or none if they are packed",
				wording.Count(rank, "stride")), "%s for %s", wording.Count(n, "stride"), wording.Count(rank, "size"))
	}
	if !c.directML() {
		return
	}
	part := descriptor.SizesPart
	if d.Count.Stated {
		part, rank = descriptor.CountPart, d.Count.Value
	}
	switch {
	case rank < 1:
		c.Report(DimCountRange, c.d.At(part, -1), "a scalar has one dimension of size 1",
			"%s, DirectML takes 1 to 8", wording.Count(rank, "dimension"))
	case rank > dmlMaxRank:
		c.Report(DimCountRange, c.d.At(part, -1), mergeFix, "DirectML has a limit of 8 dimensions, these are %d", rank)
	case rank > dmlOldMaxRank && c.target.Level == 0:
		c.Report(DimCountOld, c.d.At(part, -1), "--target directml@3.0 or later says that it is there",
			"%d dimensions need feature level 3.0 (DirectML 1.4.0)", rank)
	case rank > dmlOldMaxRank && c.target.Before(levelMaxRank8):
		c.ReportAs(DimCountOld, finding.Error, c.d.At(part, -1), "at most 5 dimensions before 3.0",
			"%d dimensions need feature level 3.0 (DirectML 1.4.0)%s", rank, c.against())
	}
}

// mergeFix is the fix for too many axes.
const mergeFix = "merge dimensions that follow each other in memory"

// reportedChannels is the largest size without reports of failures.
const reportedChannels = 65535

// gemmLike are the operators with reports of failures for larger sizes, and operators that compute in the same way.
var gemmLike = [...]string{
	"GEMM", "CONVOLUTION", "CONVOLUTION_INTEGER", "QUANTIZED_LINEAR_CONVOLUTION", "MATRIX_MULTIPLY_INTEGER",
	"MATRIX_MULTIPLY_INTEGER_TO_FLOAT", "QUANTIZED_LINEAR_MATRIX_MULTIPLY", "MULTIHEAD_ATTENTION",
	"MULTIHEAD_ATTENTION1",
}

// checkSizes checks each size, and all of them together. It skips single sizes beyond the largest number that a layout
// can have.
func (c *Checker) checkSizes() {
	dml := c.directML()
	for i, n := range c.d.Sizes[:min(len(c.d.Sizes), layout.MaxRank)] {
		switch {
		case n > 0 && n <= reportedChannels:
		case n < 0:
			fix := ""
			if n == -1 {
				fix = "write the number that -1 stands for"
			}
			c.Report(SizeRange, c.d.At(descriptor.SizesPart, i), fix, "size %d of dimension %d is negative", n, i)
		case !dml:
		case n == 0:
			c.Report(SizeZero, c.d.At(descriptor.SizesPart, i), "remove operators whose tensors are empty",
				"size 0 of dimension %d: DirectML has no empty tensors%s", i, c.helper())
		case n > math.MaxUint32:
			c.Report(SizeRange, c.d.At(descriptor.SizesPart, i), "4294967295 is the largest size",
				"size %d of dimension %d does not fit 32 bits", n, i)
		case c.d.Operator == "" || slices.Contains(gemmLike[:], c.d.Operator):
			severity := finding.Note
			if c.d.Operator != "" {
				severity = ChannelLimit.Severity
			}
			c.ReportAs(ChannelLimit, severity, c.d.At(descriptor.SizesPart, i), "sizes up to 65535 are safe",
				"size %d of dimension %d: operators like GEMM were seen to fail above 65535", n, i)
		}
	}
	if c.d.Layout != "" {
		c.checkNamedOrder()
	}
	if dml && c.sized && !c.empty {
		if (!c.countable || c.elements > math.MaxUint32) && c.WantsRule(ElementCount) {
			c.Report(ElementCount, c.d.At(descriptor.SizesPart, -1), "split the tensor",
				"%s elements, the limit is 4294967295", product(c.d.Sizes))
		}
		c.checkShapeOrder()
	}
}

// Sizes look like an image with channels last if the last size is at most fewChannels, and rows and columns are at
// least manyRows.
const (
	fewChannels = 4
	manyRows    = 16
)

// checkShapeOrder notes sizes in NHWC order that have no strides in this order.
func (c *Checker) checkShapeOrder() {
	sizes := c.d.Sizes
	last := len(sizes) - 1
	if c.d.Layout != "" || !c.packedRowMajor || last < 3 || last > 4 || sizes[last] > fewChannels {
		return
	}
	if slices.Min(sizes[1:last]) < manyRows || !c.WantsRule(StrideShapeOrder) {
		return
	}
	logical := func(n []int64) string { return layout.ListText(slices.Concat(n[:1], n[last:], n[1:last])) }
	fix := fmt.Sprintf("sizes %s with strides %s, if the last size counts channels", logical(sizes),
		logical(packed(sizes)))
	c.Report(StrideShapeOrder, c.d.At(descriptor.SizesPart, -1), fix,
		"sizes %s look like NHWC: in DirectML channels are dimension 1, and only strides put them last",
		layout.ListText(sizes))
}

// checkNamedOrder warns about sizes in the order of a layout name with channels last, because a name only gives the
// order in memory.
func (c *Checker) checkNamedOrder() {
	sizes := c.d.Sizes
	last := len(sizes) - 1
	if c.d.Labelled || !c.regular() || last < 2 || last > 4 || sizes[last] > fewChannels ||
		slices.Min(sizes[min(last-2, 1):last]) < manyRows {
		return
	}
	name := [...]string{2: "HWC", 3: "NHWC", 4: "NDHWC"}[last]
	t, _ := c.tensors.Named(&descriptor.Descriptor{Sizes: sizes, Layout: name}) // the elements have been counted
	strides, _ := t.Layout().Strides()
	if descriptor.DifferingStride(sizes, c.strides, strides) >= 0 || !c.Wants(StrideShapeOrder, finding.Warning) {
		return
	}
	batch := min(last-2, 1)
	logical := slices.Concat(sizes[:batch], sizes[last:], sizes[batch:last])
	fix := fmt.Sprintf("sizes %s, if %d counts channels", layout.ListText(logical), sizes[last])
	c.ReportAs(StrideShapeOrder, finding.Warning, c.d.At(descriptor.SizesPart, -1), fix,
		"sizes %s are %s and %s: they are listed as N, C, (D,) H, W also where the layout is %s",
		layout.ListText(sizes), wording.Count(sizes[batch], "channel"), wording.Count(sizes[last], "column"),
		wording.Clip(c.d.Layout))
}
