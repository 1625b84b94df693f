package rules

import (
	"math"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/descriptor"
)

// A geometry is a descriptor with the facts that follow from its sizes and strides for a target. It reuses its memory
// for the next descriptor. Its runs are built from the descriptor itself, for two reasons: some checked descriptors
// have no layout, and a correct descriptor must not cost an allocation.
type geometry struct {
	target descriptor.Target
	d      *descriptor.Descriptor
	measures
	rowMajor [layout.MaxRank]int64
	buffer   [layout.MaxRank]layout.Run
	tensors  *descriptor.Tensors
}

// measures are the facts of a geometry. Each group is only known if the groups before it are.
type measures struct {
	sized     bool  // no size is negative, and there are no more sizes than a layout can have
	empty     bool  // a size is 0
	elements  int64 // the product of the sizes
	countable bool  // the number of elements fits in 64 bits

	strided        bool         // there is a stride for each size
	strides        []int64      // the stated strides, the strides of the layout name, or the packed ones
	packedRowMajor bool         // the strides are packed row-major strides
	backwards      bool         // a stride is negative
	runs, moving   []layout.Run // the axes of size above 1, sorted by stride; moving omits stride 0

	blocked bool  // the layout name cannot be expressed by strides
	storage int64 // the number of elements in the storage of that layout

	reached   bool  // the offsets and their number fit in 64 bits
	low, high int64 // the lowest and the highest offset

	nested bool             // each nonzero stride exceeds the range of the smaller ones
	shared analysis.Verdict // whether elements share addresses other than by strides of 0
}

// setDescriptor makes d the descriptor and measures it.
func (g *geometry) setDescriptor(d *descriptor.Descriptor) {
	g.d = d
	g.measure(d, g.base())
}

// Offsets returns the lowest and the highest offset of the elements of d, or of its blocks. It returns false if they
// are unknown or do not fit in 64 bits.
func (g *geometry) Offsets(d *descriptor.Descriptor) (low, high int64, ok bool) {
	g.measure(d, d.Base)
	return g.low, g.high, g.reached
}

// measure computes the facts of a descriptor with its first element at base.
func (g *geometry) measure(d *descriptor.Descriptor, base int64) {
	g.measures = measures{}
	if len(d.Sizes) > layout.MaxRank {
		return
	}
	empty := false
	for _, n := range d.Sizes {
		if n < 0 {
			return
		}
		empty = empty || n == 0
	}
	g.sized, g.empty = true, empty
	if empty {
		g.countable, g.reached, g.high = true, true, -1
		return
	}
	packed, elements := descriptor.RowMajor(g.rowMajor[:0], d.Sizes)
	g.elements, g.countable = elements, packed != nil
	if g.strided = g.findStrides(d, packed, base); g.strided {
		g.packedRowMajor = g.countable && descriptor.DifferingStride(d.Sizes, g.strides, packed) < 0
		g.findRuns(d.Sizes, base)
		g.nested = g.reached && layout.Nested(g.moving)
	}
}

// findStrides sets a stride for each size.
func (g *geometry) findStrides(d *descriptor.Descriptor, packed []int64, base int64) bool {
	g.strides = d.Strides
	switch {
	case d.Strides == nil && d.Layout != "":
		return g.follow(d, base)
	case d.Strides == nil && d.Map != nil && d.Map.Bytes != nil: // elements do not have whole bytes
		return false
	case d.Strides == nil:
		g.strides = packed
		return g.countable
	}
	return len(d.Strides) == len(d.Sizes)
}

// follow sets the strides from the stated layout name. A blocked layout has no strides; then it only sets the storage.
func (g *geometry) follow(d *descriptor.Descriptor, base int64) bool {
	t, err := g.tensors.Named(d)
	if err != nil {
		return false
	}
	if strides, ok := t.Layout().Strides(); ok {
		g.strides = strides
		return true
	}
	g.blocked, g.storage = true, t.Storage()
	if end, err := layout.Add(base, g.storage); err == nil {
		g.reached, g.low, g.high = true, base, end-1
	}
	return false
}

// findRuns collects and sorts the runs, and sets the lowest and the highest offset, unless they or their number do not
// fit in 64 bits.
func (g *geometry) findRuns(sizes []int64, base int64) {
	g.runs, g.reached, g.low, g.high = g.buffer[:0], true, base, base
	for i, n := range sizes {
		if n == 1 {
			continue
		}
		g.runs = g.buffer[:len(g.runs)+1]
		r := &g.runs[len(g.runs)-1]
		*r = layout.Run{Digit: layout.Digit{Extent: n, Stride: g.strides[i]}, Axis: i}
		reach, err := layout.Mul(n-1, r.Stride)
		switch {
		case err != nil:
		case reach < 0:
			g.low, err = layout.Add(g.low, reach)
		default:
			g.high, err = layout.Add(g.high, reach)
		}
		g.reached = g.reached && err == nil
		if r.Stride < 0 {
			g.backwards, r.Reversed, r.Stride = true, true, -r.Stride
		}
	}
	distance := g.high - g.low // negative if it overflows
	g.reached = g.reached && g.high < math.MaxInt64 && 0 <= distance && distance < math.MaxInt64
	layout.SortRuns(g.runs)
	g.moving = layout.WithoutBroadcast(g.runs)
}

// regular reports whether there are elements, and a stride for each size.
func (g *geometry) regular() bool { return g.sized && !g.empty && g.strided }

// copies returns the number of axes that repeat their elements.
func (g *geometry) copies() int { return len(g.runs) - len(g.moving) }

// scaled reports whether the strides other than 0 equal the strides of a packed layout in some order, times unit.
func (g *geometry) scaled(unit int64) bool {
	for i := range g.moving {
		r := &g.moving[i]
		if r.Stride != unit {
			return false
		}
		var err error
		if unit, err = layout.Mul(unit, r.Extent); err != nil {
			return false
		}
	}
	return true
}

// unsorted returns the first moving run with a stride smaller than the range of the run before it, and the smallest
// valid stride. It returns nil if all runs are sorted.
func (g *geometry) unsorted() (r *layout.Run, least string) {
	for i, before := range g.moving {
		factors := [...]int64{before.Stride, before.Extent}
		if i++; i == len(g.moving) {
			break
		}
		if n, err := layout.ProductOf(factors[:]); err != nil || g.moving[i].Stride < n {
			return &g.moving[i], product(factors[:])
		}
	}
	return nil, ""
}
