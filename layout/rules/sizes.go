package rules

import (
	"math"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// MAX_DIMENSION_COUNT of DirectML, and what it was before feature level 3.0.
const (
	dmlMaxRank    = 8
	dmlOldMaxRank = 5
	levelMaxRank8 = 30
)

// checkCounts compares the numbers of dimensions.
func (c *Checker) checkCounts() {
	d, rank := c.d, int64(len(c.d.Sizes))
	if d.Count.Stated && d.Count.Value != rank {
		c.find(DimCountMismatch, CountPart, -1, fixf("write %d", rank),
			"DimensionCount %d for %s", d.Count.Value, scan.Count(rank, "size"))
	}
	if n := int64(len(d.Strides)); d.Strides != nil && n != rank {
		c.find(DimCountMismatch, StridesPart, -1,
			fixf("state %s, or none if they are packed", scan.Count(rank, "stride")),
			"%s for %s", scan.Count(n, "stride"), scan.Count(rank, "size"))
	}
	if !c.directML() {
		return
	}
	part := SizesPart
	if d.Count.Stated {
		part, rank = CountPart, d.Count.Value
	}
	switch {
	case rank < 1:
		c.find(DimCountRange, part, -1, "a scalar has one dimension of size 1",
			"%s, DirectML takes 1 to 8", scan.Count(rank, "dimension"))
	case rank > dmlMaxRank:
		c.find(DimCountRange, part, -1, mergeFix, "%d dimensions, DirectML has at most 8", rank)
	case rank > dmlOldMaxRank && c.target.Level == 0:
		c.find(DimCountOld, part, -1, "--target directml@3.0 or later says that it is there",
			"%d dimensions need feature level 3.0 (DirectML 1.4.0)", rank)
	case rank > dmlOldMaxRank && c.target.before(levelMaxRank8):
		c.findAs(DimCountOld, Error, part, -1, "at most 5 dimensions before 3.0",
			"%d dimensions need feature level 3.0 (DirectML 1.4.0)%s", rank, c.against())
	}
}

// mergeFix is how to have fewer dimensions.
const mergeFix = "merge dimensions that follow each other in memory"

// reportedChannels is the largest size with which no trouble was reported.
const reportedChannels = 65535

// gemmLike are the operators that were reported to fail with larger sizes, or that compute the same way.
var gemmLike = [...]string{
	"GEMM", "CONVOLUTION", "CONVOLUTION_INTEGER", "QUANTIZED_LINEAR_CONVOLUTION", "MATRIX_MULTIPLY_INTEGER",
	"MATRIX_MULTIPLY_INTEGER_TO_FLOAT", "QUANTIZED_LINEAR_MATRIX_MULTIPLY", "MULTIHEAD_ATTENTION",
	"MULTIHEAD_ATTENTION1",
}

// checkSizes checks each size, and all of them together. Sizes after the largest number that a layout can
// have are not looked at one by one.
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
			c.find(SizeRange, SizesPart, i, fix, "size %d of dimension %d is negative", n, i)
		case !dml:
		case n == 0:
			c.find(SizeZero, SizesPart, i, "leave out operators whose tensors are empty",
				"size 0 of dimension %d: DirectML has no empty tensors%s", i, c.helper())
		case n > math.MaxUint32:
			c.find(SizeRange, SizesPart, i, "4294967295 is the largest size",
				"size %d of dimension %d does not fit 32 bits", n, i)
		case c.d.Operator == "" || slices.Contains(gemmLike[:], c.d.Operator):
			severity := Note
			if c.d.Operator != "" {
				severity = ChannelLimit.Rule().Severity
			}
			c.findAs(ChannelLimit, severity, SizesPart, i, "sizes up to 65535 are safe",
				"size %d of dimension %d: operators like GEMM were seen to fail above 65535", n, i)
		}
	}
	if c.d.Layout != "" {
		c.checkNamedOrder()
	}
	if g := &c.geometry; dml && g.sized && !g.empty {
		if !g.countable || g.elements > math.MaxUint32 {
			c.find(ElementCount, SizesPart, -1, "split the tensor",
				"%s elements, the limit is 4294967295", product(c.d.Sizes))
		}
		c.checkShapeOrder()
	}
}

// Sizes look like those of images with channels at the end if the channels are this few and the rows and
// columns this many.
const (
	fewChannels = 4
	manyRows    = 16
)

// checkShapeOrder notes sizes in the order of NHWC if no strides say so.
func (c *Checker) checkShapeOrder() {
	sizes := c.d.Sizes
	last := len(sizes) - 1
	if c.d.Layout != "" || !c.geometry.packedRowMajor || last < 3 || last > 4 || sizes[last] > fewChannels {
		return
	}
	if slices.Min(sizes[1:last]) < manyRows || !c.broken(StrideShapeOrder) {
		return
	}
	logical := func(n []int64) string { return list(slices.Concat(n[:1], n[last:], n[1:last])) }
	fix := fixf("sizes %s with strides %s, if the last size counts channels", logical(sizes), logical(packed(sizes)))
	c.find(StrideShapeOrder, SizesPart, -1, fix,
		"sizes %s look like NHWC: in DirectML channels are dimension 1, and only strides put them last", list(sizes))
}

// checkNamedOrder warns of sizes in the order of a layout name that has channels last. A name says only what is next to
// what in memory.
func (c *Checker) checkNamedOrder() {
	g, sizes := &c.geometry, c.d.Sizes
	last := len(sizes) - 1
	if c.d.Labelled || !g.regular() || last < 2 || last > 4 || sizes[last] > fewChannels ||
		slices.Min(sizes[min(last-2, 1):last]) < manyRows {
		return
	}
	name := [...]string{2: "HWC", 3: "NHWC", 4: "NDHWC"}[last]
	t, _ := g.tensors.named(&Descriptor{Sizes: sizes, Layout: name}) // of sizes whose elements have been counted
	strides, _ := t.Layout().Strides()
	if differing(sizes, g.strides, strides) >= 0 || !c.wants(StrideShapeOrder, Warning) {
		return
	}
	batch := min(last-2, 1)
	logical := slices.Concat(sizes[:batch], sizes[last:], sizes[batch:last])
	fix := fixf("sizes %s, if %d counts channels", list(logical), sizes[last])
	c.findAs(StrideShapeOrder, Warning, SizesPart, -1, fix,
		"sizes %s are %d channels and %d columns: they are listed as N, C, (D,) H, W also where the layout is %s",
		list(sizes), sizes[batch], sizes[last], scan.Clip(c.d.Layout))
}
