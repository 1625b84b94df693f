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
