package rules

import (
	"math"
	"slices"

	"layoutcalc/layout"
)

// reportedChannels is the largest size with which nobody reported trouble.
const reportedChannels = 65535

// gemmLike are the operators for which sizes above that were reported to fail, or that compute
// the same way.
var gemmLike = [...]string{
	"GEMM", "CONVOLUTION", "CONVOLUTION_INTEGER", "QUANTIZED_LINEAR_CONVOLUTION", "MATRIX_MULTIPLY_INTEGER",
	"MATRIX_MULTIPLY_INTEGER_TO_FLOAT", "QUANTIZED_LINEAR_MATRIX_MULTIPLY", "MULTIHEAD_ATTENTION", "MULTIHEAD_ATTENTION1",
}

// checkSizes holds each size, and all of them together, against the limits. Sizes beyond what any
// layout can have are not looked at one by one.
func (c *Checker) checkSizes() {
	dml := c.directML()
	for i, n := range c.d.Sizes[:min(len(c.d.Sizes), layout.MaxRank)] {
		switch {
		case n < 0:
			c.negativeSize(i, n)
		case !dml:
		case n == 0:
			c.zeroSize(i)
		case n > math.MaxUint32:
			if c.broken(SizeRange) {
				c.find(SizeRange, SizesPart, i, "4294967295 is the largest size", "size %d of dimension %d does not fit 32 bits", n, i)
			}
		case n > reportedChannels:
			c.largeSize(i, n)
		}
	}
	if dml && c.room.sized && !c.room.empty {
		c.checkElements()
		c.checkShapeOrder()
	}
}

func (c *Checker) negativeSize(i int, n int64) {
	if !c.broken(SizeRange) {
		return
	}
	fix := ""
	if n == -1 {
		fix = "write the number that -1 stands for"
	}
	c.find(SizeRange, SizesPart, i, fix, "size %d of dimension %d is negative", n, i)
}

func (c *Checker) zeroSize(i int) {
	if !c.broken(SizeZero) {
		return
	}
	helper := ""
	if answer := c.helper(); answer != "" {
		helper = "; " + answer
	}
	c.find(SizeZero, SizesPart, i, "leave out operators whose tensors are empty", "size 0 of dimension %d: DirectML has no empty tensors%s", i, helper)
}

// largeSize reports a size at which operators like GEMM were seen to fail: a note while nobody
// says what the operator is.
func (c *Checker) largeSize(i int, n int64) {
	severity := all[ChannelLimit].Severity
	switch {
	case c.d.Operator == "":
		severity = Note
	case !slices.Contains(gemmLike[:], c.d.Operator):
		return
	}
	if c.wants(ChannelLimit, severity) {
		c.findAs(ChannelLimit, severity, SizesPart, i, "sizes up to 65535 are safe", "size %d of dimension %d: operators like GEMM were seen to fail above 65535", n, i)
	}
}

// checkElements holds the number of elements against DirectML's limit. Repeated ones count.
func (c *Checker) checkElements() {
	if w := &c.room; w.countable && w.elements <= math.MaxUint32 {
		return
	}
	if c.broken(ElementCount) {
		c.find(ElementCount, SizesPart, -1, "split the tensor", "%s elements, the limit is 4294967295", product(c.d.Sizes))
	}
}

// Sizes look like those of images with channels at the end if there are so few channels and so
// many rows and columns.
const (
	fewChannels = 4
	manyRows    = 16
)

// checkShapeOrder notes sizes in the order of NHWC where no strides say so.
func (c *Checker) checkShapeOrder() {
	sizes := c.d.Sizes
	last := len(sizes) - 1
	if c.d.Layout != "" || !c.room.rowMajor || last < 3 || last > 4 || sizes[last] > fewChannels {
		return
	}
	for _, n := range sizes[1:last] {
		if n < manyRows {
			return
		}
	}
	if c.broken(StrideShapeOrder) {
		turned := append([]int64{sizes[0], sizes[last]}, sizes[1:last]...)
		fix := fixf("sizes %s with strides %s, if the last size counts channels", list(turned), list(channelsLast(turned)))
		c.find(StrideShapeOrder, SizesPart, -1, fix, "sizes %s look like NHWC: in DirectML channels are dimension 1, and only strides put them last", list(sizes))
	}
}

// channelsLast returns the strides of a packed layout whose dimension 1 lies innermost.
func channelsLast(sizes []int64) []int64 {
	strides := make([]int64, len(sizes))
	strides[1] = 1
	next := sizes[1]
	for i := len(sizes) - 1; i >= 0; i-- {
		if i != 1 {
			strides[i] = next
			next *= sizes[i]
		}
	}
	return strides
}

// MAX_DIMENSION_COUNT of DirectML, and what it was before feature level 3.0.
const (
	dmlMaxRank    = 8
	dmlOldMaxRank = 5
	levelMaxRank8 = 30
)

// checkCounts compares the numbers of dimensions.
func (c *Checker) checkCounts() {
	d, rank := c.d, int64(len(c.d.Sizes))
	if d.Count.Stated && d.Count.Value != rank && c.broken(DimCountMismatch) {
		c.find(DimCountMismatch, CountPart, -1, fixf("write %d", rank), "DimensionCount %d for %s", d.Count.Value, count(rank, "size"))
	}
	if n := int64(len(d.Strides)); d.Strides != nil && n != rank && c.broken(DimCountMismatch) {
		fix := fixf("state %s, or none where they are packed", count(rank, "stride"))
		c.find(DimCountMismatch, StridesPart, -1, fix, "%s for %s", count(n, "stride"), count(rank, "size"))
	}
	if c.directML() {
		c.checkRank(rank)
	}
}

// checkRank holds the number of dimensions against DirectML's limits.
func (c *Checker) checkRank(rank int64) {
	part := SizesPart
	if c.d.Count.Stated {
		part, rank = CountPart, c.d.Count.Value
	}
	switch {
	case rank < 1:
		if c.broken(DimCountRange) {
			c.find(DimCountRange, part, -1, "a scalar has one dimension of size 1", "%s, DirectML wants 1 to 8", count(rank, "dimension"))
		}
	case rank > dmlMaxRank:
		if c.broken(DimCountRange) {
			c.find(DimCountRange, part, -1, "merge dimensions that lie behind each other", "%d dimensions, DirectML has at most 8", rank)
		}
	case rank > dmlOldMaxRank && (c.target.Level == 0 || c.target.before(levelMaxRank8)):
		c.oldRank(part, rank)
	}
}

// oldRank reports more dimensions than DirectML could have before feature level 3.0: an error if
// the target is so old, and a warning if nobody said how old it is.
func (c *Checker) oldRank(part Part, rank int64) {
	severity, fix := all[DimCountOld].Severity, "--target directml@3.0 or later says that it is there"
	if c.target.Level != 0 {
		severity, fix = Error, "at most 5 dimensions before 3.0"
	}
	if c.wants(DimCountOld, severity) {
		c.findAs(DimCountOld, severity, part, -1, fix, "%d dimensions need feature level 3.0 (DirectML 1.4.0)%s", rank, c.against())
	}
}
