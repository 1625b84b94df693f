package rules

import (
	"cmp"
	"fmt"
	"math"
	"math/big"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/wording"
)

// The rules for totals, and for numbers that are too large.
var (
	IndexOverflow   = &finding.Rule{Name: "index-overflow", Severity: finding.Error, Family: finding.DirectML}
	TotalMissing    = &finding.Rule{Name: "total-missing", Severity: finding.Error, Family: finding.DirectML}
	TotalTooSmall   = &finding.Rule{Name: "total-too-small", Severity: finding.Error}
	TotalMultiple4  = &finding.Rule{Name: "total-multiple-4", Severity: finding.Error, Family: finding.DirectML}
	TotalSlack      = &finding.Rule{Name: "total-slack", Severity: finding.Note}
	TotalSlackLarge = &finding.Rule{Name: "total-slack-large", Severity: finding.Warning}
	Overflow        = &finding.Rule{Name: "overflow", Severity: finding.Error}
)

// checkReach finds offsets that do not fit in 32 bits, which is the range of DirectML's helper, or in 64 bits.
func (c *Checker) checkReach() {
	switch {
	case !c.sized || c.empty:
		return
	case !c.directML():
		c.checkOverflow()
	case c.d.Strides != nil && c.strided && !c.backwards && (!c.reached || c.high > math.MaxUint32):
		c.indexOverflow()
	}
	if c.d.Strides != nil || !c.countable || c.strided || c.blocked {
		return
	}
	if _, err := c.tensors.Named(c.d); err != nil {
		c.Report(descriptor.ConfigValue, c.d.At(descriptor.LayoutPart, -1), layout.HintOf(err), "%s", err)
	}
}

// indexOverflow reports that the index of the last element does not fit in 32 bits.
func (c *Checker) indexOverflow() {
	if !c.WantsRule(IndexOverflow) {
		return
	}
	_, last := c.bounds()
	size := ""
	if c.bits() != 0 {
		size = ", the true size is " + wording.Count(c.exactNeed(), "byte")
	}
	c.Report(IndexOverflow, c.d.At(descriptor.StridesPart, -1),
		"keep the sum of (size - 1) x stride at or below 4294967295", "last element %v does not fit 32 bits%s%s",
		last, cmp.Or(c.helper(), "; DMLCalcBufferTensorSize counts it wrong"), size)
}

// checkOverflow reports numbers of elements, offsets and bytes that do not fit in 64 bits.
func (c *Checker) checkOverflow() {
	const limit = "which 64 bits do not hold (limit 9223372036854775807)"
	switch {
	case !c.countable:
		c.Report(Overflow, c.d.At(descriptor.SizesPart, -1), "", "the number of elements is %s, %s", product(c.d.Sizes),
			limit)
	case c.strided && !c.reached:
		low, high := c.bounds()
		c.Report(Overflow, c.d.At(descriptor.StridesPart, -1), "", "the offsets run from %v to %v, %s", low, high,
			limit)
	case c.blocked && !c.reached:
		c.Report(Overflow, c.d.At(descriptor.BasePart, -1), "", "64 bits do not hold the offset of the last element")
	case c.reached && c.bits() != 0:
		if _, ok := c.need(); !ok {
			c.Report(Overflow, c.d.At(descriptor.SizesPart, -1), "", "the number of bytes is %v, %s", c.exactNeed(),
				limit)
		}
	}
}

// largeSlack is the minimum number of unused bytes for a total of twice the need to be suspicious.
const largeSlack = 64

// checkTotal compares the stated number of bytes with the bytes that the elements need.
func (c *Checker) checkTotal() {
	total, dml := c.d.Total, c.directML()
	if total.Value == 0 && (dml || c.d.Computed || !total.Stated) {
		if dml {
			c.totalMissing()
		}
		return
	}
	need, ok := c.need()
	if dml && total.Value%4 != 0 && c.WantsRule(TotalMultiple4) {
		fix, at := "", c.d.At(descriptor.TotalPart, -1)
		if rounded, err := layout.AlignUp(total.Value, 4); err == nil && total.Value > 0 {
			if fix = fmt.Sprintf("%d is one", rounded); ok && rounded <= need {
				fix, rounded = fmt.Sprintf("%d is enough", need), need
			}
			at = c.corrected(ok, rounded)
		}
		c.Report(TotalMultiple4, at, fix, "TotalTensorSizeInBytes %d is not a multiple of 4",
			total.Value)
	}
	switch {
	case ok && total.Value >= need:
		c.checkSlack(total.Value, need)
	case ok || total.Value < 0 || c.measured() && c.exactNeed().Cmp(big.NewInt(total.Value)) > 0:
		c.totalTooSmall()
	}
}

// corrected returns the total as the subject of a finding. If the new total is known to be enough, an edit sets it.
func (c *Checker) corrected(known bool, total int64) finding.Subject {
	r := finding.Repaired{Subject: c.d.At(descriptor.TotalPart, -1), Derived: true}
	if known {
		r.Edits = c.d.Edits(descriptor.TotalPart, total)
	}
	return r
}

// totalMissing reports a missing total. DxDispatch computes it.
func (c *Checker) totalMissing() {
	severity, fix, outcome := TotalMissing.Severity, "", ""
	if c.d.Computed {
		severity, outcome = finding.Note, ": it is computed"
	}
	if !c.Wants(TotalMissing, severity) {
		return
	}
	need, ok := c.need()
	if ok {
		fix = fmt.Sprintf("%d is enough", need)
	}
	what := "TotalTensorSizeInBytes is not stated"
	if c.d.Total.Stated {
		what = "TotalTensorSizeInBytes is 0"
	}
	c.ReportAs(TotalMissing, severity, c.corrected(ok && !c.d.Computed, need), fix, "%s%s", what, outcome)
}

// checkSlack reports bytes that no element needs.
func (c *Checker) checkSlack(total, need int64) {
	spare := total - need
	id, why := TotalSlack, ""
	switch {
	case spare > largeSlack && spare >= need:
		id, why = TotalSlackLarge, ": perhaps the shape changed, or it counts something else"
	case c.d.Role == descriptor.Output && c.directML():
		why = ", which DirectML may write over"
	}
	if spare > 0 && c.WantsRule(id) {
		c.Report(id, c.d.At(descriptor.TotalPart, -1), fmt.Sprintf("%d is enough", need),
			"%s %d, needs %d: %s to spare%s",
			c.totalName(), total, need, wording.Count(spare, "byte"), why)
	}
}

func (c *Checker) totalTooSmall() {
	total := c.d.Total.Value
	if !c.measured() {
		c.Report(TotalTooSmall, c.d.At(descriptor.TotalPart, -1), "", "%s %d is negative", c.totalName(), total)
		return
	}
	bytes, proven := c.asBytes()
	if proven || !c.WantsRule(TotalTooSmall) { // if proven, the strides are wrong, and have been reported
		return
	}
	need, answer := c.exactNeed(), ""
	fix := fmt.Sprintf("%v is enough, %v more", need, new(big.Int).Sub(need, big.NewInt(total)))
	at := c.corrected(need.IsInt64(), need.Int64())
	if bytes != 0 {
		fix, at = fmt.Sprintf("%d is enough if the strides count bytes", bytes), c.d.At(descriptor.TotalPart, -1)
	}
	if c.directML() && c.reached && c.high <= math.MaxUint32 {
		answer = c.helper()
	}
	c.Report(TotalTooSmall, at, fix, "%s %d, needs %v (%s)%s", c.totalName(), total, need,
		c.reckoning(), answer)
}
