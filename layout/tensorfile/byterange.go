package tensorfile

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/rules"
)

// A byteRange is where the data of a tensor lies, counted from the start of all data.
type byteRange struct {
	begin, end int64
	tensor     int32
}

// within returns how many bytes of the range lie in so many bytes of data.
func (r byteRange) within(data int64) int64 { return max(min(r.end, data)-max(r.begin, 0), 0) }

// place notes where a tensor lies.
func (t *tensorFile) place(begin, end int64) {
	t.ranges = append(t.ranges, byteRange{begin, end, int32(len(t.file.Descriptors) - 1)})
}

// judgeRanges checks that each tensor starts where the one before it ends, rounded up to the
// alignment, and returns where the last one ends. Where a tensor has no known place, a hole may be
// its own.
func (t *tensorFile) judgeRanges(align int64, fix func(r byteRange, begin int64) string) int64 {
	slices.SortFunc(t.ranges, func(a, b byteRange) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end), cmp.Compare(a.tensor, b.tensor))
	})
	reach, holder := int64(0), int32(0)
	for _, r := range t.ranges {
		name, want := t.file.Descriptors[r.tensor].Name, alignedUp(reach, align)
		switch {
		case r.begin < reach:
			t.find(rules.FileOverlap, name, "", "the tensor starts at byte %d of the data, but %s reaches to byte %d", r.begin, quoted(t.file.Descriptors[holder].Name), reach)
		case r.begin%align != 0:
			t.find(rules.FileAlign, name, fix(r, want), "the tensor starts at byte %d of the data, which is no multiple of the alignment of %s", r.begin, byteCount(align))
		case r.begin > want && !t.lost:
			t.find(rules.FileHole, name, fix(r, want), "%s before the tensor, from byte %d of the data to byte %d, belong to none", byteCount(r.begin-want), want, r.begin)
		}
		if r.end > reach {
			reach, holder = r.end, r.tensor
		}
	}
	return reach
}

// alignedUp rounds n up to a multiple of align, or to the largest number that there is.
func alignedUp(n, align int64) int64 {
	if r := n % align; r != 0 {
		if n > math.MaxInt64-(align-r) {
			return math.MaxInt64
		}
		return n + align - r
	}
	return n
}

// A claim is what a shape and a type take together.
type claim struct {
	bytes int64    // the largest number that there is, where 64 bits do not hold it
	bits  int64    // those behind the last whole byte
	over  *big.Int // the bytes, where 64 bits do not hold them
}

// claimed multiplies sizes, which are not negative, and the bits of an element.
func claimed(sizes []int64, bits int64) claim {
	var room [layout.MaxRank + 1]int64
	n, err := layout.ProductOf(append(append(room[:0], sizes...), bits))
	overflow, ok := err.(*layout.OverflowError)
	if !ok {
		return claim{n / 8, n % 8, nil}
	}
	bytes, rest := new(big.Int).DivMod(overflow.Exact, big.NewInt(8), new(big.Int))
	if bytes.IsInt64() {
		return claim{bytes.Int64(), rest.Int64(), nil}
	}
	return claim{math.MaxInt64, 0, bytes}
}

// String writes the bytes with their unit, exactly unless they are absurdly many.
func (c claim) String() string {
	if c.over == nil {
		return byteCount(c.bytes).String()
	}
	digits := c.over.String()
	if len(digits) > 40 {
		return fmt.Sprintf("a number of bytes of %d digits", len(digits))
	}
	return digits + " bytes"
}
