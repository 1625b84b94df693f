package rules

import (
	"fmt"
	"layoutcalc/layout/wording"

	"layoutcalc/layout/analysis"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
)

// The rules for targets other than DirectML.
var (
	OneDNNRank      = &finding.Rule{Name: "onednn-rank", Severity: finding.Error, Family: finding.OneDNN}
	OneDNNStrides   = &finding.Rule{Name: "onednn-strides", Severity: finding.Error, Family: finding.OneDNN}
	MdspanPositive  = &finding.Rule{Name: "mdspan-positive", Severity: finding.Error, Family: finding.Mdspan}
	MdspanUnique    = &finding.Rule{Name: "mdspan-unique", Severity: finding.Error, Family: finding.Mdspan}
	PyTorchNegative = &finding.Rule{Name: "pytorch-negative", Severity: finding.Error, Family: finding.PyTorch}
)

// oneDNNMaxRank is the maximum rank of oneDNN's memory descriptors.
const oneDNNMaxRank = 12

// checkFamily checks the rules of the target's family.
func (c *Checker) checkFamily() {
	switch c.target.Family {
	case finding.None:
		if c.d.Map != nil {
			c.checkTMA()
		}
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
		c.Report(OneDNNRank, c.d.At(descriptor.SizesPart, -1), mergeFix, "%s, oneDNN has at most 12", wording.Count(n,
			"dimension"))
	}
	if c.backwards {
		c.stridesFrom(0, OneDNNStrides, "oneDNN has no negative strides", "")
		return
	}
	if r, least := c.unsorted(); r != nil {
		c.Report(OneDNNStrides, c.d.At(descriptor.StridesPart, r.Axis),
			fmt.Sprintf("%s is the next stride that it takes",
				least), "stride %d of dimension %d is refused: in order of increasing strides each must be at least "+
				"the one before it times its size, here %s", r.Stride, r.Axis, least)
	}
}

// stridesFrom reports strides below the smallest stride of the family.
func (c *Checker) stridesFrom(least int64, id *finding.Rule, why, fix string) {
	for i, s := range c.strides {
		if s < least && c.d.Sizes[i] > 1 {
			c.Report(id, c.d.At(descriptor.StridesPart, i), fix, "stride %d of dimension %d: %s", s, i, why)
		}
	}
}

// checkMdspan checks the preconditions of the constructor of layout_stride's mapping. checkOverlap checks that no
// elements share an address.
func (c *Checker) checkMdspan() {
	if !c.regular() {
		return
	}
	c.stridesFrom(1, MdspanPositive, "layout_stride presupposes strides above 0", "")
	if r, least := c.unsorted(); r != nil && (c.nested || c.shared == analysis.No) {
		c.ReportAs(MdspanUnique, finding.Warning, c.d.At(descriptor.StridesPart, r.Axis),
			fmt.Sprintf("%s is the next stride that it allows", least),
			"no two elements share an address, but layout_stride presupposes more: in order of increasing strides "+
				"each must be at least the one before it times its size, here %s", least)
	}
}
