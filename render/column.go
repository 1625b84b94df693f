package render

import (
	"encoding/binary"
	"strconv"

	"layoutcalc/layout"
)

// A column is numbers that grow by the same step, one a row. From one row to the next mostly the last digits of a
// number change, and it keeps its length: then eight digits are counted at once, without a division, and written into
// a copy of the first of these rows.
type column struct {
	value, step int64  // the number, and how much it grows with each row
	steps       uint64 // the last eight digits of the step, without its sign

	at        int    // where the last digits of the number are in the row, at most eight
	last, add uint64 // these digits, the first in the highest byte, and what each row adds to them
	rest      uint64 // what makes characters of them, and the bytes of the row after them, eight in all
}

// The digits of a uint64 are a byte each.
const (
	zeros  = 0x3030303030303030 // makes characters of digits
	filler = 0xf6f6f6f6f6f6f6f6 // makes a digit that a sum carries out of the highest of its byte
	packed = 100_000_000        // is the least number of more digits
)

// setStep sets by how much the numbers grow.
func (c *column) setStep(step int64) {
	c.step, c.steps = step, 0
	n := layout.Magnitude(step) % packed
	for shift := 0; n > 0; shift += 8 {
		c.steps |= n % 10 << shift
		n /= 10
	}
}

// place appends the number to a row. It returns in how many rows from there on, of the next n, no other digits change.
func (c *column) place(row []byte, n int64) (longer []byte, same int64) {
	start := len(row)
	row = strconv.AppendInt(row, c.value, 10)
	c.at = start
	least := uint64(0) // of the numbers, without signs, that have the other digits, and as many
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
	if (c.value < 0) != (c.step < 0) { // digits that borrow have a high bit too
		room, c.add = size-least, -c.steps<<unused
	}
	if step == 0 {
		return row, n
	}
	return row, int64(min(room/step, uint64(n-1))) + 1
}

// powers are those of ten.
var powers = [...]uint64{1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, packed}

// begin takes the last digits from the row, once it is complete and has eight more bytes.
func (c *column) begin(row []byte) {
	text, after := binary.BigEndian.Uint64(row[c.at:]), c.rest
	c.last, c.rest = text&^after&^zeros, text&after|zeros&^after
}

// next writes the last digits into a copy of the row, in which those of columns after it come later, and counts on.
func (c *column) next(row []byte) {
	binary.BigEndian.PutUint64(row[c.at:], c.last|c.rest)
	sum := c.last + c.add
	c.last = sum&0x0f0f0f0f0f0f0f0f - sum>>7&0x0101010101010101*6 // bytes without a carry have the filler still
}
