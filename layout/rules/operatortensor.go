package rules

import (
	"fmt"
	"strings"
)

// operatorRank compares the number of dimensions with what the operator's page lists. What only
// an older level refuses is a warning.
func (c *Checker) operatorRank(row *operatorRow, op *Operator, now, latest support) {
	n := len(c.d.Sizes)
	if n == 0 || now.lo == 0 || now.lo <= n && n <= now.hi {
		return
	}
	severity, later := Error, ""
	if latest.lo <= n && n <= latest.hi {
		severity, later = Warning, "; later levels take it"
	}
	id := OpDimCount
	if n < now.lo {
		id = LeadingOnes
	}
	if !c.wants(id, severity) {
		return
	}
	fix := now
	fix.lo = c.rankBeside(row, op, now)
	c.findAs(id, severity, SizesPart, -1, c.rankFix(fix), "%s%s takes %s with %s, and this one has %d%s",
		row.name, c.atLevel(), c.d.Slot, now.dimensions(), n, later)
}

// rankBeside is the least number of dimensions, or the number that the operator's other tensors have
// which may have as many.
func (c *Checker) rankBeside(row *operatorRow, op *Operator, now support) int {
	rank := now.lo
	for i := range op.Slots {
		s, _ := row.find(op.Slots[i].Name)
		if other := s.at(c.target.Level); other.lo != now.lo || other.hi != now.hi {
			continue
		}
		for _, d := range op.Slots[i].Tensors {
			if n := len(d.Sizes); n <= now.hi {
				rank = max(rank, n)
			}
		}
	}
	return rank
}

// atLevel names the target's level, where it has one.
func (c *Checker) atLevel() string {
	if c.target.Level == 0 {
		return ""
	}
	return " at feature level " + c.target.Level.String()
}

// dimensions says how many dimensions there may be.
func (s support) dimensions() string {
	if s.lo == s.hi {
		return count(int64(s.lo), "dimension")
	}
	return fmt.Sprintf("%d to %d dimensions", s.lo, s.hi)
}

// rankFix puts sizes of 1 in front, or takes them away.
func (c *Checker) rankFix(s support) string {
	d := c.d
	if n := s.lo - len(d.Sizes); n > 0 {
		return sizesFix(append(repeat(n, 1), d.Sizes...), append(repeat(n, 0), d.Strides...), len(d.Strides) > 0)
	}
	n := len(d.Sizes) - s.hi
	if leadingOnes(d.Sizes) < n || len(d.Strides) > 0 && len(d.Strides) != len(d.Sizes) {
		return ""
	}
	return sizesFix(d.Sizes[n:], d.Strides[min(n, len(d.Strides)):], len(d.Strides) > 0)
}

func repeat(n int, v int64) []int64 {
	numbers := make([]int64, n)
	for i := range numbers {
		numbers[i] = v
	}
	return numbers
}

// sizesFix says what sizes to write, and what strides where there are such.
func sizesFix(sizes, strides []int64, strided bool) string {
	if !strided {
		return "sizes " + list(sizes)
	}
	return "sizes " + list(sizes) + " with strides " + list(strides)
}

// leadingOnes counts the sizes of 1 that sizes begin with, the last one aside.
func leadingOnes(sizes []int64) int {
	n := 0
	for n < len(sizes)-1 && sizes[n] == 1 {
		n++
	}
	return n
}

// operatorType compares the element type with those that the operator's page lists.
func (c *Checker) operatorType(row *operatorRow, now, latest support) {
	name := c.d.listedType()
	if name == "" || now.types == 0 || now.types.has(name) {
		return
	}
	id := OpDType
	switch c.d.Type.Bits() {
	case 4:
		id = DType4BitOp
	case 64:
		id = DType64BitOp
	}
	if !c.broken(id) {
		return
	}
	later, fix := "", ""
	if latest.types.has(name) {
		later = "; later levels take it"
	}
	if only := now.types.String(); !strings.Contains(only, ",") {
		fix = "write " + only
	}
	c.find(id, TypePart, -1, fix, "%s%s takes %s as %v, and this one is %s%s", row.name, c.atLevel(), c.d.Slot, now.types, name, later)
}

// listedType is DirectML's name of the type; empty where there is none, or a placeholder.
func (d *Descriptor) listedType() string {
	if !d.TypeKnown || d.Type.Bits() == 0 {
		return ""
	}
	return d.Type.Info().DirectML
}

// unlistedWide notes a type of 64 bits on an operator of which nothing is known.
func (c *Checker) unlistedWide() {
	if name := c.d.listedType(); name != "" && c.d.Type.Bits() == 64 && c.wants(DType64BitOp, Note) {
		c.findAs(DType64BitOp, Note, TypePart, -1, "", "most operators do not take %s, and what this one takes is not known", name)
	}
}

// stridedBug warns of operators that read or write strided tensors wrongly at the target's level.
func (c *Checker) stridedBug(row *operatorRow, role Role) {
	fixed, fault := Level(0), "is known to compute strided tensors wrongly"
	switch {
	case row.name == "ACTIVATION_SWISH" && role == Input:
		fixed = 63
	case (row.name == "ACTIVATION_HARDMAX" || row.name == "ACTIVATION_HARDMAX1") && role == Output:
		fixed = 52
	case strings.HasPrefix(row.name, "ACTIVATION_") && len(c.d.Sizes) == 5:
		fixed, fault = 20, "takes no strides with 5 dimensions"
	}
	if !c.target.before(fixed) || !c.d.strided() || !c.broken(StridedRuntimeBug) {
		return
	}
	c.find(StridedRuntimeBug, StridesPart, -1, "leave Strides out and pack the tensor",
		"%s %s before feature level %v, and the target is %v", row.name, fault, fixed, c.target.Level)
}

// strided reports whether strides are stated that are not those of a packed tensor.
func (d *Descriptor) strided() bool {
	if len(d.Strides) != len(d.Sizes) {
		return len(d.Strides) > 0
	}
	next := int64(1)
	for i := len(d.Sizes) - 1; i >= 0; i-- {
		if d.Sizes[i] != 1 && d.Strides[i] != next {
			return true
		}
		next *= d.Sizes[i] // it may wrap: then no stride that is valid is it
	}
	return false
}
