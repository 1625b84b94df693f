package rules

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// A boundRange is the part of a resource that a tensor takes up.
type boundRange struct {
	d          *Descriptor
	resource   int
	start, end int64 // in bytes
	at         Locator
}

// tensor checks the range of a resource that a tensor is bound to. DxDispatch binds all that lies
// behind the offset, whatever elementCount says.
func (b *binder) tensor(bound *Bound, resource int, d *Descriptor) {
	c, r, u := b.c, &b.m.Resources[resource], &b.uses[resource]
	if r.Typed && d.TypeKnown && r.Type != d.Type {
		u.typed = d
	}
	offset, placed := bound.offset(r)
	total, sized := c.total(d)
	c.d = d
	if placed {
		b.aligned(bound, offset)
	}
	if !placed || !sized || offset > math.MaxInt64-total {
		return
	}
	u.need = max(u.need, offset+total)
	if size, ok := r.size(); ok {
		b.fits(bound, r, offset, size, total)
		if slack := size - offset - total; slack > u.slack {
			u.small, u.slack, u.total = d, slack, total
		}
	}
	if d.Role != UnknownRole {
		b.ranges = append(b.ranges, boundRange{d, resource, offset, offset + total, bound.At})
	}
}

// total returns how many bytes DirectML takes the tensor to have.
func (c *Checker) total(d *Descriptor) (bytes int64, ok bool) {
	if d.Total.Value != 0 {
		return d.Total.Value, d.Total.Value > 0
	}
	c.d = d
	c.room.measure(d, 0)
	return c.need()
}

// elementSize is what an offset counts in: elementSizeInBytes, or the resource's type.
func (b *Bound) elementSize(r *Resource) (bytes int64, known bool) {
	if b.ElementSize.Stated {
		return b.ElementSize.Value, true
	}
	size := r.Type.Bits() / 8
	return size, r.Typed && size > 0
}

// offset returns where the binding starts, in bytes.
func (b *Bound) offset(r *Resource) (bytes int64, known bool) {
	if b.Offset.Value == 0 {
		return 0, true
	}
	size, ok := b.elementSize(r)
	if !ok {
		return 0, false
	}
	hi, lo := bits.Mul64(uint64(b.Offset.Value), uint64(size))
	if hi != 0 || lo > math.MaxInt64 {
		return math.MaxInt64, true
	}
	return int64(lo), true
}

// aligned checks that a range starts at a multiple of 16 bytes, or of what the tensor guarantees.
func (b *binder) aligned(bound *Bound, offset int64) {
	c, to := b.c, int64(16)
	if a := c.d.Alignment.Value; a > to && a&(a-1) == 0 {
		to = a
	}
	if offset%to == 0 || !c.broken(BindOffset16) {
		return
	}
	below := offset / to * to
	fix := fmt.Sprintf("byte %d or %d", below, below+to)
	if size, _ := bound.elementSize(&b.m.Resources[b.resources[bound.Name]]); size > 0 && below%size == 0 && to%size == 0 {
		fix = fmt.Sprintf("elementOffset %d or %d", below/size, (below+to)/size)
	}
	c.findAt(BindOffset16, Error, bound.At, c.d.Name, fmt.Sprintf("byte offset %d is not a multiple of %d", offset, to), fix)
}

// fits checks that the rest of the resource holds the tensor.
func (b *binder) fits(bound *Bound, r *Resource, offset, size, total int64) {
	if size-offset >= total || !b.c.broken(BindRange) {
		return
	}
	message := fmt.Sprintf("%s has %d bytes from byte %d on, and the tensor needs %d", quoted(r.Name), size-offset, offset, total)
	if offset > size {
		message = fmt.Sprintf("the offset %d lies behind the %d bytes of %s, where DxDispatch computes a huge size", offset, size, quoted(r.Name))
	}
	b.c.findAt(BindRange, Error, bound.At, b.c.d.Name, message, fmt.Sprintf("%d bytes are enough", offset+total))
}

// overlaps looks for tensors that share bytes of a resource that one of them is written to.
func (b *binder) overlaps(row *operatorRow) {
	byPlace := func(x, y boundRange) int {
		return cmp.Or(cmp.Compare(x.resource, y.resource), cmp.Compare(x.start, y.start), cmp.Compare(x.end, y.end))
	}
	isInput := func(r boundRange) bool { return r.d.Role == Input }
	slices.SortStableFunc(b.ranges, byPlace)
	outputs := slices.DeleteFunc(slices.Clone(b.ranges), isInput)
	for i, furthest := 1, 0; i < len(outputs); i++ {
		same := outputs[i].resource == outputs[furthest].resource
		if same {
			b.written(outputs[furthest], outputs[i])
		}
		if !same || outputs[i].end > outputs[furthest].end {
			furthest = i // of those so far that end in the resource
		}
	}
	for _, in := range b.ranges {
		if isInput(in) {
			b.aliases(row, in)
		}
	}
}

// meets reports whether two ranges have a byte in common.
func (r boundRange) meets(o boundRange) bool {
	return r.resource == o.resource && r.start < o.end && o.start < r.end
}

// written reports two outputs that write the same bytes. If only their ranges meet, because
// DxDispatch has them reach to the end of the resource, that is a warning.
func (b *binder) written(first, second boundRange) {
	name := quoted(b.m.Resources[second.resource].Name)
	switch fix := fmt.Sprintf("an offset of %d bytes", alignedUp(first.end)); {
	case second.meets(first) && b.c.wants(BindOutputOverlap, Error):
		b.c.findAt(BindOutputOverlap, Error, second.at, second.d.Name, fmt.Sprintf("%s of %s are written as %s too, which takes %s",
			second.bytes(), name, first.d.Slot, first.bytes()), fix)
	case !second.meets(first) && b.c.wants(BindOutputOverlap, Warning):
		b.c.findAt(BindOutputOverlap, Warning, second.at, second.d.Name, fmt.Sprintf(
			"%s and %s share %s: no byte is written twice, but DxDispatch binds both to the end of it", first.d.Slot, second.d.Slot, name), "a resource of its own")
	}
}

// alignedUp rounds an offset up to one where a binding may start.
func alignedUp(n int64) int64 { return (min(n, math.MaxInt64-15) + 15) &^ 15 }

// bytes says which bytes a range has.
func (r boundRange) bytes() string { return fmt.Sprintf("bytes %d to %d", r.start, r.end-1) }

// aliases reports outputs that are written where an input is read. As with outputs, ranges that
// meet only because they reach to the end of the resource are a warning.
func (b *binder) aliases(row *operatorRow, in boundRange) {
	inPlace := row.bits&runsInPlace != 0
	for _, out := range b.ranges {
		if out.d.Role != Output || out.resource != in.resource {
			continue
		}
		name := quoted(b.m.Resources[in.resource].Name)
		switch met := out.meets(in); {
		case met && inPlace:
			b.c.inPlace(row, in, out)
		case met && b.c.broken(BindAlias):
			b.c.findAt(BindAlias, Error, out.at, out.d.Name, fmt.Sprintf("%s of %s are read as %s while they are written, and %s does not run in place",
				in.bytes(), name, in.d.Slot, row.name), "a resource of its own")
		case !met && b.c.wants(BindAlias, Warning):
			b.c.findAt(BindAlias, Warning, out.at, out.d.Name, fmt.Sprintf(
				"%s and %s share %s: no byte is read and written, but DxDispatch binds both to the end of it", in.d.Slot, out.d.Slot, name), "a resource of its own")
		}
	}
}

// inPlace checks that an operator that runs in place has one region for both tensors.
func (c *Checker) inPlace(row *operatorRow, in, out boundRange) {
	switch {
	case in.start != out.start || in.end != out.end:
		if c.broken(InPlace) {
			c.findAt(InPlace, Error, out.at, out.d.Name, fmt.Sprintf("%s runs in place on one region only: %s is read from %s, and written are %s",
				row.name, in.d.Slot, in.bytes(), out.bytes()), "the same offset and total, or a resource of its own")
		}
	case !slices.Equal(in.d.Sizes, out.d.Sizes) || !slices.Equal(in.d.effectiveStrides(), out.d.effectiveStrides()):
		if c.wants(InPlace, Warning) {
			c.findAt(InPlace, Warning, out.at, out.d.Name, fmt.Sprintf("%s runs in place, and %s and %s have other sizes or strides, which older pages forbid",
				row.name, in.d.Slot, out.d.Slot), "")
		}
	}
}

// effectiveStrides are the strides that the tensor has, stated or not.
func (d *Descriptor) effectiveStrides() []int64 {
	if len(d.Strides) > 0 {
		return d.Strides
	}
	return packed(d.Sizes)
}
