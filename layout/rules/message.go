package rules

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"layoutcalc/layout"
)

// maxWord is how much of a text of the user's a message repeats, in bytes.
const maxWord = 40

// clip shortens a text for a message.
func clip(text string) string {
	if len(text) <= maxWord {
		return text
	}
	return strings.ToValidUTF8(text[:maxWord], "") + "..."
}

// fixf is a fix with numbers.
func fixf(format string, args ...any) string { return fmt.Sprintf(format, args...) }

// count returns a number and a noun, in the plural where the number wants it.
func count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.FormatInt(n, 10) + " " + noun + "s"
}

// list writes numbers as JSON does.
func list(numbers []int64) string { return "[" + layout.JoinInts(numbers, ", ") + "]" }

// tuple writes the index of an element.
func tuple(index []int64) string { return "(" + layout.JoinInts(index, ",") + ")" }

// product writes the product of the sizes, however large it is.
func product(sizes []int64) string {
	n, err := layout.ProductOf(sizes)
	if e, ok := err.(*layout.OverflowError); ok {
		return e.Exact.String()
	}
	return strconv.FormatInt(n, 10)
}

// where says where an element lies, in elements and in bytes.
func (c *Checker) where(offset int64) string {
	size := uint64(c.bits())
	hi, lo := bits.Mul64(magnitude(offset), size)
	if size == 0 || offset < 0 || hi != 0 {
		return fmt.Sprintf("element %d", offset)
	}
	if rest := lo % 8; rest != 0 || size%8 != 0 {
		return fmt.Sprintf("element %d (byte %d, bit %d)", offset, lo/8, rest)
	}
	return fmt.Sprintf("element %d (byte %d)", offset, lo/8)
}

// inBytes says how much storage a number of elements takes, in brackets; nothing where that is
// not known.
func (c *Checker) inBytes(elements int64) string {
	hi, lo := bits.Mul64(uint64(elements), uint64(c.bits()))
	switch {
	case lo == 0 || hi != 0:
		return ""
	case lo%8 != 0:
		return fmt.Sprintf(" (%d bits)", lo)
	}
	return fmt.Sprintf(" (%s)", count(int64(lo/8), "byte"))
}
