package rules

import (
	"math"
	"math/bits"

	"layoutcalc/layout"
)

// A workspace is room that a Checker uses again for every descriptor, and what it knows of the
// one at hand.
type workspace struct {
	measures
	packed [layout.MaxRank]int64 // the strides of a descriptor that states none
	dims   [layout.MaxRank]dim   // those that move the offset or should, by their strides
}

// measures is what follows from sizes and strides. What stands further down is only known if all
// that stands before it is.
type measures struct {
	sized     bool  // sizes are not negative, nor more than a layout can have
	empty     bool  // one of them is 0
	elements  int64 // their product
	countable bool  // 64 bits hold it

	strided  bool    // there is a stride for each size
	strides  []int64 // stated ones, or those that follow
	rowMajor bool    // they are those of a packed row-major layout

	blocked bool  // a layout name is stated that no strides express
	storage int64 // how many elements that layout takes

	reached   bool  // 64 bits hold the offsets and their number
	low, high int64 // the lowest and the highest of them

	backwards bool // one of the strides is negative

	n      int            // how many dims there are
	copies int            // how many of them, the first ones, have a stride of 0
	nested bool           // each of the others steps over all that those before it reach
	shared layout.Verdict // whether elements share addresses in other ways, where they are not nested
}

// A dim is a dimension of a size above 1, and how far a step along it goes in either direction.
type dim struct {
	size, stride uint64
	axis         int
}

// reach is the distance from the first to the last index along the dim.
func (d *dim) reach() uint64 { return (d.size - 1) * d.stride }

// measure finds out what it can about a descriptor whose first element is at base.
func (w *workspace) measure(d *Descriptor, base int64) {
	w.measures = measures{}
	if !w.count(d.Sizes) {
		return
	}
	switch {
	case w.empty:
		w.high, w.reached, w.strided = -1, true, len(d.Strides) == len(d.Sizes)
	case w.stride(d, base):
		w.strided = true
		w.sort(d.Sizes, base)
	}
}

// count multiplies the sizes. The order of zeros and of numbers that are too large does not
// matter.
func (w *workspace) count(sizes []int64) bool {
	if len(sizes) > layout.MaxRank {
		return false
	}
	product, over := uint64(1), false
	for _, n := range sizes {
		switch {
		case n < 0:
			return false
		case n == 0:
			w.empty = true
		default:
			hi, lo := bits.Mul64(product, uint64(n))
			product, over = lo, over || hi != 0
		}
	}
	w.sized, w.countable = true, w.empty || !over && product <= math.MaxInt64
	if w.countable && !w.empty {
		w.elements = int64(product)
	}
	return true
}

// stride finds a stride for each size, and whether they are packed in row-major order.
func (w *workspace) stride(d *Descriptor, base int64) bool {
	switch {
	case d.Strides != nil:
		w.strides = d.Strides
		if len(d.Strides) != len(d.Sizes) {
			return false
		}
		w.rowMajor = w.countable && w.isRowMajor(d.Sizes)
		return true
	case d.Layout != "":
		return w.follow(d, base)
	case !w.countable:
		return false
	}
	w.strides, w.rowMajor = w.packed[:len(d.Sizes)], true
	next := int64(1)
	for i := len(d.Sizes) - 1; i >= 0; i-- {
		w.strides[i] = next
		next *= d.Sizes[i]
	}
	return true
}

// isRowMajor compares the strides with those of a packed row-major layout. Those of size 1 may be
// anything.
func (w *workspace) isRowMajor(sizes []int64) bool {
	next := int64(1)
	for i := len(sizes) - 1; i >= 0; i-- {
		if sizes[i] > 1 && w.strides[i] != next {
			return false
		}
		next *= sizes[i]
	}
	return true
}

// sort collects the dims by their strides, and finds the bounds of the offsets.
func (w *workspace) sort(sizes []int64, base int64) {
	var up, down, over uint64
	for i, n := range sizes {
		if n == 1 {
			continue
		}
		stride := w.strides[i]
		d := dim{uint64(n), magnitude(stride), i}
		hi, reach := bits.Mul64(d.size-1, d.stride)
		carry := uint64(0)
		if stride < 0 {
			w.backwards = true
			down, carry = bits.Add64(down, reach, 0)
		} else {
			up, carry = bits.Add64(up, reach, 0)
		}
		over |= hi | carry
		w.insert(d)
	}
	if w.reached = over == 0 && w.bound(base, up, down); w.reached {
		w.nested = w.isNested()
	}
}

// insert puts a dim behind those of smaller strides.
func (w *workspace) insert(d dim) {
	if d.stride == 0 {
		w.copies++
	}
	at := w.n
	for ; at > 0; at-- {
		before := &w.dims[at-1]
		if before.stride < d.stride || before.stride == d.stride && before.size <= d.size {
			break
		}
		w.dims[at] = *before
	}
	w.dims[at] = d
	w.n++
}

// bound finds the lowest and the highest offset. It reports false when 64 bits do not hold them or
// their number.
func (w *workspace) bound(base int64, up, down uint64) bool {
	const most = math.MaxInt64
	if up >= most || down >= most || up+down >= most {
		return false
	}
	if base > 0 && up > uint64(most-base) || base < 0 && down > uint64(base-math.MinInt64) {
		return false
	}
	w.low, w.high = base-int64(down), base+int64(up)
	return w.high < most
}

// moving are the dims whose strides are not 0.
func (w *workspace) moving() []dim { return w.dims[w.copies:w.n] }

func (w *workspace) isNested() bool {
	reach := uint64(0)
	for i := range w.moving() {
		d := &w.moving()[i]
		if d.stride <= reach {
			return false
		}
		reach += d.reach()
	}
	return true
}

// scaled reports whether the strides, but those of 0, are those of a packed layout in some order,
// times unit.
func (w *workspace) scaled(unit uint64) bool {
	for _, d := range w.moving() {
		if d.stride != unit {
			return false
		}
		var hi uint64
		if hi, unit = bits.Mul64(unit, d.size); hi != 0 {
			return false
		}
	}
	return true
}

// magnitude is |n|, which for the least int64 only an unsigned number holds.
func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// follow takes the strides from the layout name that the descriptor states. A blocked layout has
// none; of that only the storage is known.
func (w *workspace) follow(d *Descriptor, base int64) bool {
	t, err := named(d)
	if err != nil {
		return false
	}
	strides, ok := t.Layout().Strides()
	if ok {
		w.strides = w.packed[:copy(w.packed[:], strides)]
		w.rowMajor = w.isRowMajor(d.Sizes)
		return true
	}
	w.blocked, w.storage = true, t.Storage()
	if base >= 0 && w.storage < math.MaxInt64-base {
		w.reached, w.low, w.high = true, base, base+w.storage-1
	}
	return false
}

// named returns the tensor of the layout name that the descriptor states.
func named(d *Descriptor) (layout.Tensor, error) {
	name, err := layout.ParseName(d.Layout)
	if err != nil {
		return layout.Tensor{}, err
	}
	s := layout.Spec{Shape: layout.NewList(d.Sizes, nil), Name: &name}
	if d.TypeKnown {
		s.DType = d.Type
	}
	return s.Tensor()
}

// checkLayout reports a layout name that means nothing, or nothing for so many sizes.
func (c *Checker) checkLayout() {
	if c.d.Layout == "" || c.d.Strides != nil || !c.room.sized || !c.room.countable || c.room.empty || c.room.strided || c.room.blocked {
		return
	}
	_, err := named(c.d)
	if err == nil || !c.broken(ConfigValue) {
		return
	}
	fix := ""
	if e, ok := err.(*layout.SyntaxError); ok {
		fix = e.Hint
	}
	c.find(ConfigValue, LayoutPart, -1, fix, "%s", err)
}
