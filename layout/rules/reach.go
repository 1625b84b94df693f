package rules

import (
	"fmt"
	"math"
	"math/big"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
)

// checkReach looks for offsets beyond what is counted with: 32 bits by DirectML's helper, 64 by
// everybody.
func (c *Checker) checkReach() {
	w := &c.room
	switch {
	case !w.sized || w.empty:
	case !c.directML():
		c.checkOverflow()
	case c.d.Strides != nil && w.strided && !w.backwards && (!w.reached || w.high > math.MaxUint32):
		c.indexOverflow()
	}
	c.checkLayout()
}

// indexOverflow reports a last element that DirectML's helper counts wrong.
func (c *Checker) indexOverflow() {
	if !c.broken(IndexOverflow) {
		return
	}
	_, last := c.bounds()
	answer := c.helper()
	if answer == "" {
		answer = "DMLCalcBufferTensorSize counts it wrong"
	}
	size := ""
	if c.bits() > 0 {
		size = fmt.Sprintf(", the true size is %v bytes", c.exactNeed())
	}
	c.find(IndexOverflow, StridesPart, -1, "keep the sum of (size - 1) x stride at or below 4294967295", "last element %v does not fit 32 bits; %s%s", last, answer, size)
}

// checkOverflow reports numbers of elements, offsets and bytes that 64 bits do not hold.
func (c *Checker) checkOverflow() {
	const limit = "which 64 bits do not hold (limit 9223372036854775807)"
	w := &c.room
	switch {
	case !w.countable:
		if c.broken(Overflow) {
			c.find(Overflow, SizesPart, -1, "", "the number of elements is %s, %s", product(c.d.Sizes), limit)
		}
	case w.strided && !w.reached:
		if c.broken(Overflow) {
			low, high := c.bounds()
			c.find(Overflow, StridesPart, -1, "", "the offsets run from %v to %v, %s", low, high, limit)
		}
	case w.blocked && !w.reached:
		c.find(Overflow, BasePart, -1, "", "64 bits do not hold the offset of the last element")
	case w.reached && c.bits() > 0:
		if _, ok := c.need(); !ok && c.broken(Overflow) {
			c.find(Overflow, SizesPart, -1, "", "the number of bytes is %v, %s", c.exactNeed(), limit)
		}
	}
}

// bounds returns the lowest and the highest offset, however large.
func (c *Checker) bounds() (low, high *big.Int) {
	w := &c.room
	low, high = big.NewInt(c.base()), big.NewInt(c.base())
	if !w.strided {
		elements, _ := new(big.Int).SetString(product(c.d.Sizes), 10)
		return low, high.Add(high, elements.Sub(elements, big.NewInt(1)))
	}
	for i, n := range c.d.Sizes {
		reach := big.NewInt(w.strides[i])
		reach.Mul(reach, big.NewInt(n-1))
		if reach.Sign() < 0 {
			low.Add(low, reach)
		} else {
			high.Add(high, reach)
		}
	}
	return low, high
}

// checkOffset notes a storage offset, which no descriptor of DirectML's can state.
func (c *Checker) checkOffset() {
	if n := c.d.Base; n != 0 && c.broken(OffsetUnstated) {
		c.find(OffsetUnstated, BasePart, -1, "bind the buffer at the offset", "storage offset %d%s: no descriptor states it; the binding starts there, and it counts on top of the total",
			n, c.inBytes(max(n, 0)))
	}
}

// helper says what DirectML's DMLCalcBufferTensorSize answers, nothing where it is right or where
// it cannot be asked.
func (c *Checker) helper() string {
	if c.bits() == 0 || c.d.Strides == nil {
		return ""
	}
	l, err := layout.Strided(0, c.d.Sizes, c.d.Strides)
	if err != nil {
		return ""
	}
	t, err := layout.NewTensor(l, c.d.Type)
	if err != nil {
		return ""
	}
	answer, differs := facts.DirectMLHelper(t)
	switch {
	case !differs:
		return ""
	case answer.G2019 == answer.G2024 && answer.G2022 == answer.G2024:
		return fmt.Sprintf("DMLCalcBufferTensorSize answers %d", answer.G2024)
	}
	return fmt.Sprintf("DMLCalcBufferTensorSize of 2019, 2022 and 2024 answers %d, %d and %d", answer.G2019, answer.G2022, answer.G2024)
}
