package analysis

import (
	"math"

	"layoutcalc/layout"
)

// Wide returns a note on offsets that do not fit in 32 bits, in elements or in bytes, or an empty string if all fit.
func Wide(t layout.Tensor) string {
	low, high := t.Layout().Bounds()
	if t.Layout().Empty() {
		return ""
	}
	last := max(high, -low-1)
	elements, bytes := beyond(last), beyond(t.Bytes(last+1)-1)
	where := elements + " in elements and " + bytes + " in bytes"
	switch {
	case bytes == "" && elements == "":
		return ""
	case bytes == elements:
		where = bytes + " in elements and in bytes"
	case elements == "":
		where = bytes + " in bytes"
	case bytes == "":
		where = elements + " in elements"
	}
	kind := "indices"
	if max(elements, bytes) == signed {
		kind = "signed indices"
	}
	return "offsets reach " + where + ": " + kind + " of 32 bits overflow"
}

// The limits of 32-bit indices.
const (
	signed   = "2^31"
	unsigned = "2^32"
)

// beyond returns the limit that n exceeds, or an empty string.
func beyond(n int64) string {
	switch {
	case n > math.MaxUint32:
		return unsigned
	case n > math.MaxInt32:
		return signed
	}
	return ""
}
