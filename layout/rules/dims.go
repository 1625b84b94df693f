package rules

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
