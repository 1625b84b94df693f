// Package relayout moves the elements of a tensor from one layout to another: in memory, from file
// to file, or to a stream, as fast as the memory allows.
//
// [New] plans a move from the two layouts alone. The indices of each axis are written in digits
// that both layouts can count with, so that loops with one stride on each side remain; neighbours
// that stay neighbours are merged, and what is adjacent on which side decides which kernel moves
// the innermost loops: copies of runs, transposes of tiles, planes that are woven into pixels. A
// [Plan] is a value, and its text says what was chosen.
//
// [Plan.Move] runs a plan in memory. [Plan.Copy] and [Plan.Stream] cut the tensor into slabs that
// fit a limit of memory: pieces of the source are read, moved from one buffer to another, and
// written. [Verify] reads both sides again and compares them.
//
// Kernels for amd64 are in assembly; other processors have twins of them in Go, and plain loops.
package relayout

import (
	"fmt"
	"slices"

	"layoutcalc/layout"
)

// A Plan is how all elements get from one layout to another. It is immutable.
type Plan struct {
	bits     int64
	axes     []axis
	digits   []digit
	src, dst frame

	sourceBytes, targetBytes int64
	empty                    bool // there are no elements
	gaps                     bool // the target is cleared first: some of it belongs to none, or elements share bytes
	ragged                   bool // a block of the target has more than its axis
	nested                   bool // no element of the target lies between two that a shorter stride parts
}

// An axis has a size, and the digits from first to below end.
type axis struct {
	size       int64
	first, end int
}

// New plans the move of all elements from the storage of one tensor to that of another. Both have
// the same axes, and elements of 4, 8, 16, 32, 64 or 128 bits. No two elements of the target share
// an offset, and no element of either lies before offset 0.
func New(from, to layout.Tensor) (Plan, error) {
	if err := fit(from, to); err != nil {
		return Plan{}, err
	}
	a, b := from.Layout(), to.Layout()
	reserved := max(to.Storage(), end(b))
	p := Plan{bits: from.DType().Bits(), empty: a.Empty(), sourceBytes: from.Bytes(end(a)), targetBytes: to.Bytes(reserved)}
	for i := range a.Rank() {
		first := len(p.digits)
		p.digits = append(p.digits, refine(i, a.Axis(i), b.Axis(i))...)
		p.ragged = p.ragged || b.Axis(i).Block()*b.Axis(i).Digit(0).Extent > b.Axis(i).Size()
		p.axes = append(p.axes, axis{a.Axis(i).Size(), first, len(p.digits)})
	}
	if err := p.fits(); err != nil {
		return Plan{}, err
	}
	p.src, p.dst = frame{wheelsOf(a), a.Base()}, frame{wheelsOf(b), b.Base()}
	p.gaps = p.bits < 8 || a.Elements() != reserved
	p.nested = p.dst.wheels.nested()
	return p, nil
}

// maxBytes is how many bytes there may be on either side, and values of all digits together. No file
// is as large, and what counts them cannot overflow.
const maxBytes = 1 << 56

// fits refuses what is larger than that.
func (p *Plan) fits() error {
	extents := make([]int64, len(p.digits))
	for i, d := range p.digits {
		extents[i] = max(d.extent, 1)
	}
	n, err := layout.ProductOf(extents)
	if err != nil || max(n, p.sourceBytes, p.targetBytes) > maxBytes {
		return &layout.SyntaxError{Msg: "so many bytes are more than any file holds"}
	}
	return nil
}

// end returns the offset behind the last element, 0 where there is none.
func end(l layout.Layout) int64 {
	_, high := l.Bounds()
	return high + 1
}

// SourceBytes returns how many bytes the source must hold at least: up to its last element.
func (p Plan) SourceBytes() int64 { return p.sourceBytes }

// TargetBytes returns how many bytes the target takes, with all padding that it reserves.
func (p Plan) TargetBytes() int64 { return p.targetBytes }

// loose reports whether some digit is.
func (p *Plan) loose() bool {
	return slices.ContainsFunc(p.digits, func(d digit) bool { return d.loose })
}

// fit refuses tensors that cannot be moved from one to the other.
func fit(from, to layout.Tensor) error {
	a, b := from.Layout(), to.Layout()
	if !slices.Equal(a.Sizes(), b.Sizes()) {
		return &layout.SyntaxError{Msg: fmt.Sprintf("the sizes differ: %v and %v", a.Sizes(), b.Sizes()), Hint: "both sides have the same axes"}
	}
	if err := fitTypes(from.DType(), to.DType()); err != nil {
		return err
	}
	if low, _ := a.Bounds(); low < 0 {
		return before("source", low, fmt.Sprintf("--storage-offset says where index 0 lies: %d more", -low))
	}
	if low, _ := b.Bounds(); low < 0 {
		return before("target", low, "--view 'flip(0)' turns an axis of the source round instead")
	}
	return fitUnique(b)
}

// before is the error of an element that lies before the data.
func before(side string, low int64, hint string) error {
	return &layout.SyntaxError{Msg: fmt.Sprintf("an element of the %s lies at offset %d, before the first of the data", side, low), Hint: hint}
}

// fitTypes refuses elements that cannot be moved.
func fitTypes(a, b layout.DType) error {
	switch a.Bits() {
	case 4, 8, 16, 32, 64, 128:
	default:
		return &layout.SyntaxError{Msg: fmt.Sprintf("elements of %d bits (%s) are not moved", a.Bits(), a), Hint: "those of 4, 8, 16, 32, 64 and 128 bits are"}
	}
	if a.Bits() != b.Bits() {
		return &layout.SyntaxError{Msg: fmt.Sprintf("elements of %d bits (%s) cannot become elements of %d bits (%s)", a.Bits(), a, b.Bits(), b), Hint: "a move changes no element"}
	}
	return nil
}

// fitUnique refuses a target where two elements share an offset.
func fitUnique(l layout.Layout) error {
	facts := l.Facts()
	switch {
	case facts.Unique == layout.Yes:
		return nil
	case facts.Unique == layout.Unknown:
		return &layout.SyntaxError{Msg: "the target's strides are so tangled that it is not known whether two elements share an offset", Hint: "give the target a layout that is packed or padded"}
	}
	return sharing(l, facts)
}

// sharing names two elements that share an offset.
func sharing(l layout.Layout, facts layout.Facts) error {
	hint := "every element needs a place of its own in the target"
	if w := facts.Witness; w != nil {
		return &layout.SyntaxError{Msg: fmt.Sprintf("in the target, (%s) and (%s) are both element %d", layout.JoinInts(w.A, ","), layout.JoinInts(w.B, ","), w.Offset), Hint: hint}
	}
	axis := "an axis"
	if len(facts.Broadcast) > 0 {
		axis = "axis " + l.AxisName(facts.Broadcast[0])
	}
	return &layout.SyntaxError{Msg: axis + " takes no storage in the target", Hint: hint}
}

// A digit is one that the indices of both layouts can be written in: it counts up to its extent,
// in steps of its weight along an axis. A loose one has no stride on at least one side: the blocks
// of the two layouts do not divide each other.
type digit struct {
	axis           int
	weight, extent int64
	loose          bool
}

// refine returns the digits of an axis, outermost first.
func refine(i int, from, to layout.Axis) []digit {
	weights := commonWeights(from, to)
	loose := !chained(weights)
	if loose {
		weights = []int64{1}
		if period := commonMultiple(from, to); period < from.Size() {
			weights = []int64{period, 1}
		}
	}
	digits := make([]digit, len(weights))
	above := from.Size()
	for k, weight := range weights {
		digits[k] = digit{i, weight, layout.CeilDiv(above, weight), loose && k == len(weights)-1}
		above = weight
	}
	return digits
}

// commonWeights returns the weights that the digits of either layout have, from the highest on,
// but those that no index of the axis reaches.
func commonWeights(from, to layout.Axis) []int64 {
	weights := []int64{1}
	for _, a := range [...]layout.Axis{from, to} {
		weight := int64(1)
		for k := a.Digits() - 1; k > 0; k-- {
			if weight *= a.Digit(k).Extent; weight < a.Size() {
				weights = append(weights, weight)
			}
		}
	}
	slices.Sort(weights)
	weights = slices.Compact(weights)
	slices.Reverse(weights)
	return weights
}

// chained reports whether each weight divides the one above.
func chained(weights []int64) bool {
	for k := 1; k < len(weights); k++ {
		if weights[k-1]%weights[k] != 0 {
			return false
		}
	}
	return true
}

// commonMultiple returns the least number that both blocks divide, or the size if that is less.
func commonMultiple(from, to layout.Axis) int64 {
	a, b := from.Block(), to.Block()
	common := layout.GCD(a, b)
	if a/common > from.Size()/b {
		return from.Size()
	}
	return a / common * b
}
