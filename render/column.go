package render

import (
	"encoding/binary"
	"strconv"

	"layoutcalc/layout"
)

// A column has one number in each row, and the numbers grow by a constant step. From row to row, usually only the last
// digits change, and the length stays the same. Then the column adds to eight digits at once, without a division, and
// writes them into a copy of the row.
type column struct {
	value, step int64  // the number, and its increase with each row
	steps       uint64 // the last eight digits of the step, without its sign

	at        int    // the offset of the last digits, at most eight, in the row
	last, add uint64 // these digits, the first in the highest byte, and their step
	rest      uint64 // converts them to characters, together with the bytes after them, eight in all
}

// The digits in a uint64 use a byte each.
const (
	zeros  = 0x3030303030303030 // converts digits to characters
	filler = 0xf6f6f6f6f6f6f6f6 // makes a sum above 9 carry out of its byte
	packed = 100_000_000        // the least number with more digits
)

// setStep sets the step of the numbers.
func (c *column) setStep(step int64) {
	c.step, c.steps = step, 0
	n := layout.Magnitude(step) % packed
	for shift := 0; n > 0; shift += 8 {
		c.steps |= n % 10 << shift
		n /= 10
	}
}

// place appends the number to row. It returns how many of the next n rows differ only in the last digits.
func (c *column) place(row []byte, n int64) (longer []byte, same int64) {
	start := len(row)
	row = strconv.AppendInt(row, c.value, 10)
	c.at = start
	least := uint64(0) // the least magnitude with the same other digits and the same length
	if c.value < 0 {
		c.at, least = start+1, 1
	}
	count, most := len(row)-c.at, uint64(packed-1)
	size, step := layout.Magnitude(c.value), layout.Magnitude(c.step)
	if count > 8 {
		c.at, count = len(row)-8, 8
		least = size / packed * packed
		most += least
	} else {
		most = powers[count] - 1
		if count > 1 {
			least = powers[count-1]
		}
	}
	unused := uint(8-count) * 8
	c.rest = 1<<unused - 1
	room := most - size
	c.add = (c.steps + filler) << unused
	if (c.value < 0) != (c.step < 0) { // digits that borrow also have a high bit
		room, c.add = size-least, -c.steps<<unused
	}
	if step == 0 {
		return row, n
	}
	return row, int64(min(room/step, uint64(n-1))) + 1
}

// powers has the powers of ten.
var powers = [...]uint64{1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, packed}

// begin takes the last digits from the complete row, which has eight more bytes.
func (c *column) begin(row []byte) {
	text, after := binary.BigEndian.Uint64(row[c.at:]), c.rest
	c.last, c.rest = text&^after&^zeros, text&after|zeros&^after
}

// next writes the last digits into a copy of the row, before the columns after it do, and adds the step.
func (c *column) next(row []byte) {
	binary.BigEndian.PutUint64(row[c.at:], c.last|c.rest)
	sum := c.last + c.add
	c.last = sum&0x0f0f0f0f0f0f0f0f - sum>>7&0x0101010101010101*6 // bytes without a carry still have the filler
}
