package rules

import (
	"fmt"
	"strconv"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// product writes the product of numbers, however large it is.
func product(numbers []int64) string {
	n, err := layout.ProductOf(numbers)
	if e, ok := err.(*layout.OverflowError); ok {
		return e.Exact.String()
	}
	return strconv.FormatInt(n, 10)
}

// length returns how many bytes a number of elements takes, and how many bits more. It reports false if the
// size of an element is not known, and if 64 bits do not hold the bytes.
func (c *Checker) length(elements int64) (bytes, bits int64, ok bool) {
	size := c.bits()
	bytes, err := layout.Mul(elements/8, size)
	if err == nil {
		bytes, err = layout.Add(bytes, elements%8*size/8)
	}
	return bytes, elements % 8 * size % 8, err == nil && size != 0 && elements >= 0
}

// where says where an element is, in elements and in bytes.
func (c *Checker) where(offset int64) string {
	bytes, bits, ok := c.length(offset)
	switch {
	case !ok:
		return fmt.Sprintf("element %d", offset)
	case c.bits()%8 != 0:
		return fmt.Sprintf("element %d (byte %d, bit %d)", offset, bytes, bits)
	}
	return fmt.Sprintf("element %d (byte %d)", offset, bytes)
}

// inBytes says in brackets how much storage a number of elements takes; nothing if that is not known.
func (c *Checker) inBytes(elements int64) string {
	bytes, bits, ok := c.length(elements)
	switch {
	case !ok || elements == 0:
		return ""
	case bits != 0:
		return fmt.Sprintf(" (%s bits)", product([]int64{elements, c.bits()}))
	}
	return fmt.Sprintf(" (%s)", scan.Count(bytes, "byte"))
}

// inBits says in brackets how many bytes a number of bits is, or how many bits where these are no whole bytes.
func inBits(bits int64) string {
	if bits%8 != 0 {
		return fmt.Sprintf(" (%s)", scan.Count(bits, "bit"))
	}
	return fmt.Sprintf(" (%s)", scan.Count(bits/8, "byte"))
}
