package rules

import (
	"math"
	"slices"

	"layoutcalc/layout"
)

// checkStrides holds the stated strides against the limits, and looks for those that mean
// something else. Those of size 1 move nothing and may be anything.
func (c *Checker) checkStrides() {
	w := &c.room
	if !w.sized || !w.strided || w.empty || c.d.Strides == nil {
		return
	}
	if c.directML() {
		c.checkStrideRange()
	}
	if len(c.d.Sizes) > 0 && w.reached {
		c.checkMeaning()
	}
}

// checkStrideRange holds each stride against what a field of 32 bits holds.
func (c *Checker) checkStrideRange() {
	for i, s := range c.d.Strides {
		if 0 <= s && s <= math.MaxInt32 || c.d.Sizes[i] == 1 {
			continue
		}
		switch {
		case s < 0:
			if c.broken(StrideRange) {
				c.find(StrideRange, StridesPart, i, "give the rows in the order of memory, and reverse them with SLICE1", "stride %d of dimension %d: DirectML has no negative strides", s, i)
			}
		case s > math.MaxUint32:
			if c.broken(StrideRange) {
				c.find(StrideRange, StridesPart, i, "4294967295 is the largest stride", "stride %d of dimension %d does not fit 32 bits", s, i)
			}
		case c.broken(StrideMinus):
			c.find(StrideMinus, StridesPart, i, "write the stride that was meant, below 2147483648; SLICE1 reverses", "stride %d of dimension %d is %d as a signed number of 32 bits", s, i, int32(uint32(s)))
		}
	}
}

// checkMeaning looks for strides that are sizes, count bytes, or say nothing new.
func (c *Checker) checkMeaning() {
	w, size := &c.room, uint64(c.bits()/8)
	moves := w.n > w.copies
	if w.rowMajor {
		if c.directML() && c.broken(StridesUnneeded) {
			c.find(StridesUnneeded, StridesPart, -1, "leave them out", "strides %s are those of a packed layout, null means the same", list(c.d.Strides))
		}
	} else if slices.Equal(c.d.Sizes, c.d.Strides) {
		c.sizesAsStrides()
	}
	if size > 1 && moves && w.scaled(size) {
		c.bytesAsStrides(int64(size))
	}
	if c.directML() && moves {
		c.checkHalves()
		c.checkRows()
	}
}

func (c *Checker) sizesAsStrides() {
	if !c.broken(StrideEqualsSize) {
		return
	}
	fix := ""
	if strides := packed(c.d.Sizes); strides != nil {
		fix = "packed strides are " + list(strides)
	}
	c.find(StrideEqualsSize, StridesPart, -1, fix, "strides %s are the same numbers as the sizes", list(c.d.Strides))
}

func (c *Checker) bytesAsStrides(size int64) {
	if !c.broken(StrideBytes) {
		return
	}
	elements := slices.Clone(c.d.Strides)
	for i := range elements {
		elements[i] /= size
	}
	c.find(StrideBytes, StridesPart, -1, "in elements they are "+list(elements), "strides %s look like bytes: each is a multiple of %s's %d, and the smallest just that", list(c.d.Strides), c.typeName(), size)
}

// checkHalves notes the old way to read the low halves of integers of 64 bits.
func (c *Checker) checkHalves() {
	if c.bits() != 32 || c.typeName() != "UINT32" || !c.room.scaled(2) {
		return
	}
	need, ok := c.need()
	if !ok || !c.broken(Int64Emulated) {
		return
	}
	c.find(Int64Emulated, StridesPart, -1, fixf("%d bytes take in the last upper half too", need+4),
		"strides %s step over every other UINT32, as if these were the lower halves of INT64: %d bytes end before the last upper half", list(c.d.Strides), need)
}

// checkRows notes rows of small elements that do not start at multiples of 4 bytes.
func (c *Checker) checkRows() {
	rows := c.room.moving()
	size := c.bits()
	if len(rows) < 2 || size != 8 && size != 16 {
		return
	}
	if pitch := rows[1].stride; pitch*uint64(size)%32 != 0 && c.broken(UnalignedRows) {
		aligned := (pitch*uint64(size) + 31) &^ 31 / uint64(size)
		c.find(UnalignedRows, StridesPart, rows[1].axis, fixf("a row of %d elements would be aligned", aligned),
			"rows lie %d elements (%d bytes) apart, not a multiple of 4 bytes", pitch, pitch*uint64(size)/8)
	}
}

// packed returns the strides of a packed row-major layout, nil where 64 bits do not hold them.
func packed(sizes []int64) []int64 {
	if _, err := layout.ProductOf(sizes); err != nil {
		return nil
	}
	strides, next := make([]int64, len(sizes)), int64(1)
	for i := len(sizes) - 1; i >= 0; i-- {
		strides[i] = next
		next *= sizes[i]
	}
	return strides
}
