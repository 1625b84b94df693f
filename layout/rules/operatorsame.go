package rules

import (
	"iter"
	"slices"

	"layoutcalc/layout"
)

// sameSlots checks the groups of slots that have to agree. Each tensor is compared with one of those
// that more than half of the group agree with. Where there is none, or these are to be repeated,
// types are compared with those of the group's first tensor, counts and sizes with those of its
// last, which is an output if one is.
func (c *Checker) sameSlots(row *operatorRow, op *Operator) {
	for g := row.same; len(g) > 2; g = g[2+g[1]:] {
		slots := g[2 : 2+g[1]]
		typed := row.majority(op, slots, sameType)
		if typed == nil {
			typed = row.groupTensor(op, slots, true)
		}
		sized, last := row.majority(op, slots, g[0]&^sameType), row.groupTensor(op, slots, false)
		if sized == nil || g[0]&sameSizes != 0 && broadcasts(sized.Sizes, last.Sizes) {
			sized = last
		}
		for i := range slots {
			s := row.slot(int(slots[i]))
			have := op.slot(s.Name)
			if have == nil {
				continue
			}
			for _, d := range have.Tensors {
				c.d = d
				if g[0]&sameType != 0 {
					c.sameType(row, s, typed)
				}
				c.sameSizes(row, s, sized, g[0])
			}
		}
	}
}

// majority returns a tensor with which more than half of the group agree in what the mask has; nil if
// there is none. Votes against each other cancel, so that whoever has more than half is left over.
func (r *operatorRow) majority(op *Operator, slots string, mask byte) *Descriptor {
	var found *Descriptor
	votes, all := 0, 0
	for d := range r.tensors(op, slots) {
		switch {
		case votes == 0:
			found, votes = d, 1
		case d.agrees(found, mask):
			votes++
		default:
			votes--
		}
	}
	votes = 0
	for d := range r.tensors(op, slots) {
		if all++; d.agrees(found, mask) {
			votes++
		}
	}
	if 2*votes <= all {
		return nil
	}
	return found
}

// tensors yields the tensors of a group of slots.
func (r *operatorRow) tensors(op *Operator, slots string) iter.Seq[*Descriptor] {
	return func(yield func(*Descriptor) bool) {
		for i := range slots {
			s := op.slot(slotNames[r.slots[2*slots[i]]])
			for k := 0; s != nil && k < len(s.Tensors); k++ {
				if !yield(s.Tensors[k]) {
					return
				}
			}
		}
	}
}

// agrees reports whether two tensors are the same in what the mask has.
func (d *Descriptor) agrees(o *Descriptor, mask byte) bool {
	switch {
	case mask&sameType != 0:
		return d.listedType() == o.listedType()
	case mask&sameSizes != 0:
		return slices.Equal(d.Sizes, o.Sizes)
	}
	return len(d.Sizes) == len(o.Sizes)
}

// groupTensor returns the first tensor of a group of slots, or the last one.
func (r *operatorRow) groupTensor(op *Operator, slots string, first bool) *Descriptor {
	var found *Descriptor
	for i := range slots {
		s := op.slot(slotNames[r.slots[2*slots[i]]])
		if s == nil || len(s.Tensors) == 0 {
			continue
		}
		if found = s.Tensors[0]; first {
			return found
		}
	}
	return found
}

// sameType compares the types of two tensors. One that the operator does not take at all has been
// reported.
func (c *Checker) sameType(row *operatorRow, s Slot, other *Descriptor) {
	have, name := c.d.listedType(), other.listedType()
	if have == "" || name == "" || have == name {
		return
	}
	types := s.at(c.target.Level).types
	if types != 0 && !types.has(have) || !c.broken(OpSame) {
		return
	}
	c.find(OpSame, TypePart, -1, "write "+name,
		"%s wants %s and %s of one type; here they are %s and %s", row.name, other.Slot, c.d.Slot, name, have)
}

// sameSizes compares sizes, or how many there are.
func (c *Checker) sameSizes(row *operatorRow, s Slot, other *Descriptor, mask byte) {
	a, b := c.d.Sizes, other.Sizes
	differ := mask&sameSizes != 0 && !slices.Equal(a, b) || mask&sameCount != 0 && len(a) != len(b)
	if !differ || len(a) == 0 || len(b) == 0 {
		return
	}
	switch now := s.at(c.target.Level); {
	case mask&sameSizes != 0 && s.Role == Input && broadcasts(a, b):
		if c.broken(OpBroadcastSizes) {
			c.find(OpBroadcastSizes, SizesPart, -1, c.broadcastFix(b),
				"%s does not repeat a tensor by itself: %s has the sizes %s, and those of %s are %s", row.name, c.d.Slot, list(a), other.Slot, list(b))
		}
	case now.lo > 0 && (len(a) < now.lo || len(a) > now.hi): // which has been reported
	case mask&sameSizes != 0:
		c.find(OpSame, SizesPart, -1, "sizes "+list(b),
			"%s wants %s and %s of the same sizes; here they are %s and %s", row.name, other.Slot, c.d.Slot, list(b), list(a))
	default:
		c.find(OpSame, SizesPart, -1, c.rankFix(support{lo: len(b), hi: len(b)}),
			"%s wants %s and %s with the same number of dimensions; here they have %d and %d", row.name, other.Slot, c.d.Slot, len(b), len(a))
	}
}

// broadcasts reports whether repeating a tensor of sizes a, counted from the last, gives sizes b.
func broadcasts(a, b []int64) bool {
	if len(a) > len(b) {
		return false
	}
	for i, n := range a {
		if n != 1 && n != b[len(b)-len(a)+i] {
			return false
		}
	}
	return true
}

// broadcastFix repeats the tensor as DirectML does it: full sizes, and strides of 0.
func (c *Checker) broadcastFix(sizes []int64) string {
	d := c.d
	strides, offset := make([]int64, len(sizes)), len(sizes)-len(d.Sizes)
	for i, n := range d.Sizes {
		packed, err := layout.ProductOf(d.Sizes[i+1:])
		switch {
		case n == 1:
		case len(d.Strides) == len(d.Sizes):
			strides[offset+i] = d.Strides[i]
		case err != nil:
			return ""
		default:
			strides[offset+i] = packed
		}
	}
	return sizesFix(sizes, strides, true)
}

// unneededOnes notes sizes of 1 that all tensors begin with although the operator does not want
// them. A single one is usually a batch.
func (c *Checker) unneededOnes(row *operatorRow, op *Operator) {
	ones, first := 0, (*Descriptor)(nil)
	for i := range op.Slots {
		s, ok := row.find(op.Slots[i].Name)
		if now := s.at(c.target.Level); !ok || now.lo != 1 || now.hi != 8 {
			return
		}
		for _, d := range op.Slots[i].Tensors {
			if first == nil {
				first, ones = d, leadingOnes(d.Sizes)
			}
			if ones = min(ones, leadingOnes(d.Sizes)); ones < 2 {
				return
			}
		}
	}
	if ones < 2 || !c.broken(LeadingOnesNotNeeded) {
		return
	}
	c.d = first
	n := len(c.d.Sizes) - ones
	c.find(LeadingOnesNotNeeded, SizesPart, 0, c.rankFix(support{lo: n, hi: n}),
		"all tensors begin with %d sizes of 1, and %s takes 1 to 8 dimensions", ones, row.name)
}
