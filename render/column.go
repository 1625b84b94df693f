package render

import (
	"encoding/binary"
	"math/bits"
	"strconv"
)

// A column writes numbers that grow by the same step, one a row, without dividing: it adds digit by digit, eight at
// once, and counts above them only when they are full.
type column struct {
	low, step uint64 // eight digits, a byte each, the last in the lowest byte; those of step are larger by filler
	above     uint64 // the number without its last eight digits
	text      [20]byte
	count     int // of the digits of above, in text; 0 where above is 0

	value, by int64 // the number and the step, where they are not written so
	slow      bool
}

// filler makes a digit that a sum carries out of the highest of its byte.
const filler = 0xf6f6f6f6f6f6f6f6

// packed is from which number on a step does not have eight digits.
const packed = 100_000_000

// start sets the next number, and by how much it grows.
func (c *column) start(n, step int64) {
	if c.slow = n < 0 || step < 0 || step >= packed; c.slow {
		c.value, c.by = n, step
		return
	}
	c.low, c.step = digits(uint64(n)%packed), digits(uint64(step))+filler
	c.setAbove(uint64(n) / packed)
}

func (c *column) setAbove(n uint64) {
	c.above, c.count = n, 0
	if n > 0 {
		c.count = len(strconv.AppendUint(c.text[:0], n, 10))
	}
}

// digits returns the last eight digits of a number, a byte each.
func digits(n uint64) (d uint64) {
	for shift := 0; n > 0; shift += 8 {
		d |= n % 10 << shift
		n /= 10
	}
	return d
}

// next writes the number into b, which has room for columnWidth bytes from there on, and returns where it ends. Then
// it adds the step.
func (c *column) next(b []byte, at int) (end int) {
	if c.slow {
		end = at + len(strconv.AppendInt(b[at:at:len(b)], c.value, 10))
		c.value += c.by
		return end
	}
	const zeros = 0x3030303030303030
	n := 8
	if c.count == 0 {
		n = (71 - bits.LeadingZeros64(c.low|1)) >> 3
	} else {
		at += copy(b[at:], c.text[:c.count])
	}
	binary.BigEndian.PutUint64(b[at:], (c.low|zeros)<<(uint(8-n)*8&63))
	sum, carry := bits.Add64(c.low, c.step, 0)
	c.low = sum&0x0f0f0f0f0f0f0f0f - sum>>7&0x0101010101010101*6 // bytes without a carry have the filler still
	if carry != 0 {
		c.setAbove(c.above + 1)
	}
	return at + n
}

// columnWidth is how many bytes a column writes to at most.
const columnWidth = 28
