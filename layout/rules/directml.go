package rules

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/wording"
)

// The rules for alignments, flags and offsets in DirectML.
var (
	AlignPow2        = &finding.Rule{Name: "align-pow2", Severity: finding.Error}
	AlignGeElement   = &finding.Rule{Name: "align-ge-element", Severity: finding.Error, Family: finding.DirectML}
	AlignBelow16     = &finding.Rule{Name: "align-below-16", Severity: finding.Note, Family: finding.DirectML}
	AlignRecommend32 = &finding.Rule{Name: "align-recommend-32", Severity: finding.Note, Family: finding.DirectML}
	AlignLarge       = &finding.Rule{Name: "align-large", Severity: finding.Warning, Family: finding.DirectML}
	FlagKnown        = &finding.Rule{Name: "flag-known", Severity: finding.Error, Family: finding.DirectML}
	OwnedOutput      = &finding.Rule{Name: "owned-output", Severity: finding.Error, Family: finding.DirectML}
	OffsetUnstated   = &finding.Rule{Name: "offset-unstated", Severity: finding.Note, Family: finding.DirectML}
)

// Alignments of DirectML and Direct3D 12, in bytes.
const (
	dmlAlignment       = 16       // of every buffer, regardless of the stated one
	dmlBetterAlignment = 32       // the alignment that DirectML prefers
	placementAlignment = 64 << 10 // the alignment of a buffer in a heap of Direct3D 12
	largestPowerOfTwo  = 1 << 62
)

// checkAlignment checks the stated alignment. An alignment of 0 guarantees nothing.
func (c *Checker) checkAlignment() {
	a := c.d.Alignment.Value
	if (a&(a-1) != 0 || uint64(a) > largestPowerOfTwo) && c.WantsRule(AlignPow2) {
		fix := "0 promises nothing"
		if above := int64(1) << bits.Len64(uint64(a)); uint64(a) <= largestPowerOfTwo {
			fix = fmt.Sprintf("%d or %d", above/2, above)
		}
		c.Report(AlignPow2, c.d.At(descriptor.AlignmentPart, -1), fix, "alignment %d is not a power of two", a)
	}
	if !c.directML() || a <= 0 {
		return
	}
	if size := c.bits() / 8; a < size && c.WantsRule(AlignGeElement) {
		c.Report(AlignGeElement, c.d.At(descriptor.AlignmentPart, -1), fmt.Sprintf("%d is enough, or 0 for no promise",
			size),
			"alignment %d is less than the %s of %s", a, wording.Count(size, "byte"), c.typeName())
	}
	if a < dmlAlignment && c.WantsRule(AlignBelow16) {
		c.Report(AlignBelow16, c.d.At(descriptor.AlignmentPart, -1), "remove it",
			"alignment %d promises nothing: buffers are bound at multiples of 16 bytes anyway", a)
	}
	if a < dmlBetterAlignment && c.WantsRule(AlignRecommend32) {
		c.Report(AlignRecommend32, c.d.At(descriptor.AlignmentPart, -1), "32, if the buffer is placed so",
			"alignment %d is less than the 32 bytes that DirectML recommends", a)
	}
	if a > placementAlignment {
		c.Report(AlignLarge, c.d.At(descriptor.AlignmentPart, -1), "65536 is the largest that placement gives",
			"alignment %d is more than the 65536 bytes at which Direct3D 12 places buffers", a)
	}
}

// dmlFlags are the flags of a DirectML descriptor, and their values.
var dmlFlags = [...]string{"NONE", "OWNED_BY_DML", "0", "1"}

// maxFlags limits the number of flags that are read. There are two valid ones.
const maxFlags = 16

// checkDirectML reports unknown flags, flags that an output cannot have, and a storage offset, because a DirectML
// descriptor cannot state one.
func (c *Checker) checkDirectML() {
	for i, flag := range c.d.Flags[:min(len(c.d.Flags), maxFlags)] {
		name := strings.TrimPrefix(flag, descriptor.FlagPrefix)
		switch {
		case !slices.Contains(dmlFlags[:], name):
			fix := wording.DidYouMean(strings.ToUpper(name), dmlFlags[:2], "NONE or OWNED_BY_DML")
			c.Report(FlagKnown, c.d.At(descriptor.FlagsPart, i), fix, "DirectML has no tensor flag %q",
				wording.Clip(name))
		case c.d.Role == descriptor.Output && (name == descriptor.OwnedByDML || name == "1"):
			c.Report(OwnedOutput, c.d.At(descriptor.FlagsPart, i), "remove the flag",
				"OWNED_BY_DML on an output: only inputs can be handed over")
		}
	}
	if n := c.d.Base; n != 0 && c.WantsRule(OffsetUnstated) {
		c.Report(OffsetUnstated, c.d.At(descriptor.BasePart, -1), "bind the buffer at the offset",
			"storage offset %d%s: no descriptor states it; the binding starts there, and it counts on top of the total",
			n, c.inBytes(max(n, 0)))
	}
}
