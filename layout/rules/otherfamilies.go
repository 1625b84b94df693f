package rules

import (
	"fmt"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/desc"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/scan"
)

// The rules of targets other than DirectML.
var (
	OneDNNRank      = &finding.Rule{Name: "onednn-rank", Severity: finding.Error, Family: finding.OneDNN}
	OneDNNStrides   = &finding.Rule{Name: "onednn-strides", Severity: finding.Error, Family: finding.OneDNN}
	TMARank         = &finding.Rule{Name: "tma-rank", Severity: finding.Error, Family: finding.TMA}
	TMAStride16     = &finding.Rule{Name: "tma-stride-16", Severity: finding.Error, Family: finding.TMA}
	TMAInner        = &finding.Rule{Name: "tma-inner", Severity: finding.Error, Family: finding.TMA}
	TMANested       = &finding.Rule{Name: "tma-nested", Severity: finding.Warning, Family: finding.TMA}
	MdspanPositive  = &finding.Rule{Name: "mdspan-positive", Severity: finding.Error, Family: finding.Mdspan}
	MdspanUnique    = &finding.Rule{Name: "mdspan-unique", Severity: finding.Error, Family: finding.Mdspan}
	PyTorchNegative = &finding.Rule{Name: "pytorch-negative", Severity: finding.Error, Family: finding.PyTorch}
)

// The most dimensions of oneDNN's memory descriptors and of CUDA's tensor maps.
const (
	oneDNNMaxRank = 12
	tmaMaxRank    = 5
)

// checkFamily checks the rules of the target's family.
func (c *Checker) checkFamily() {
	switch c.target.Family {
	case finding.DirectML:
		c.checkDirectML()
	case finding.OneDNN:
		c.checkOneDNN()
	case finding.TMA:
		c.checkTMA()
	case finding.Mdspan:
		c.checkMdspan()
	case finding.PyTorch:
		if c.regular() {
			c.stridesFrom(0, PyTorchNegative, "PyTorch has no negative strides", "flip(), which copies")
		}
	}
}

// checkOneDNN repeats the checks of the constructor of dnnl_memory_desc.
func (c *Checker) checkOneDNN() {
	if n := len(c.d.Sizes); n > oneDNNMaxRank {
		c.Report(OneDNNRank, c.d.At(desc.SizesPart, -1), mergeFix, "%d dimensions, oneDNN has at most 12", n)
	}
	g := &c.geometry
	if g.backwards {
		c.stridesFrom(0, OneDNNStrides, "oneDNN has no negative strides", "")
		return
	}
	if r, least := g.unsorted(); r != nil {
		c.Report(OneDNNStrides, c.d.At(desc.StridesPart, r.Axis), fmt.Sprintf("%s is the next stride that it takes",
			least), "stride %d of dimension %d is refused: in order of increasing strides each must be at least "+
			"the one before it times its size, here %s", r.Stride, r.Axis, least)
	}
}

// stridesFrom reports strides below the least stride of the family.
func (c *Checker) stridesFrom(least int64, id *finding.Rule, why, fix string) {
	for i, s := range c.strides {
		if s < least && c.d.Sizes[i] > 1 {
			c.Report(id, c.d.At(desc.StridesPart, i), fix, "stride %d of dimension %d: %s", s, i, why)
		}
	}
}

// checkTMA checks the conditions for a tensor map of CUDA's tensor memory accelerator. It includes the strides of sizes
// of 1.
func (c *Checker) checkTMA() {
	n := len(c.d.Sizes)
	if n < 1 || n > tmaMaxRank {
		c.Report(TMARank, c.d.At(desc.SizesPart, -1), "", "%s, a tensor map has 1 to 5", scan.Count(n, "dimension"))
	}
	g := &c.geometry
	if n == 0 || !g.regular() {
		return
	}
	if s := g.strides[n-1]; s != 1 && c.d.Sizes[n-1] > 1 {
		c.Report(TMAInner, c.d.At(desc.StridesPart, n-1), "the last dimension must be the one of stride 1",
			"stride %d of the last dimension, a tensor map has 1", s)
	}
	unit := int64(1)
	if c.bits() != 0 {
		unit = 128 / c.bits() // elements in 16 bytes
	}
	for i, s := range g.strides[:n-1] {
		switch {
		case s < 0:
			c.Report(TMAStride16, c.d.At(desc.StridesPart, i), "list the rows in the order of memory",
				"stride %d of dimension %d: the strides of a tensor map are unsigned", s, i)
		case s%unit != 0:
			c.Report(TMAStride16, c.d.At(desc.StridesPart, i), fmt.Sprintf("a multiple of %d", unit),
				"stride %d of dimension %d is not a multiple of 16 bytes", s, i)
		}
	}
	if c.d.Base%unit != 0 {
		c.Report(TMAStride16, c.d.At(desc.BasePart, -1), fmt.Sprintf("a multiple of %d", unit),
			"the first element, at offset %d, is not at a multiple of 16 bytes", c.d.Base)
	}
	c.checkTMANesting()
}

// checkTMANesting finds a dimension that does not step over all of the next one, as Triton requires.
func (c *Checker) checkTMANesting() {
	var next [2]int64 // the stride and the size of the next dimension
	for i, n := range slices.Backward(c.d.Sizes) {
		if n == 1 {
			continue
		}
		s := c.strides[i]
		if s < 0 {
			return // which has been reported
		}
		if least, err := layout.ProductOf(next[:]); err != nil || s < least {
			c.Report(TMANested, c.d.At(desc.StridesPart, i), fmt.Sprintf("%s is enough", product(next[:])),
				"stride %d of dimension %d is less than the next dimension's stride times its size, %s",
				s, i, product(next[:]))
			return
		}
		next = [...]int64{max(s, 1), n}
		if s == 0 {
			next[1] = 1
		}
	}
}

// checkMdspan checks the preconditions of the constructor of layout_stride's mapping. checkOverlap checks that no
// elements share an address.
func (c *Checker) checkMdspan() {
	g := &c.geometry
	if !g.regular() {
		return
	}
	c.stridesFrom(1, MdspanPositive, "layout_stride presupposes strides above 0", "")
	if r, least := g.unsorted(); r != nil && (g.nested || g.shared == facts.No) {
		c.ReportAs(MdspanUnique, finding.Warning, c.d.At(desc.StridesPart, r.Axis),
			fmt.Sprintf("%s is the next stride that it allows", least),
			"no two elements share an address, but layout_stride presupposes more: in order of increasing strides "+
				"each must be at least the one before it times its size, here %s", least)
	}
}
