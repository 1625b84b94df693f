// Package access counts the cost of reading a tensor with the lanes of a warp: wavefronts of shared memory, sectors and
// lines of global memory, lines of a cache. It finds the widest vector that a lane may read, and the swizzles and pads
// without conflicts. It is arithmetic on addresses; time is not modelled.
package access

import (
	"iter"
	"math"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/tvlayout"
	"layoutcalc/layout/wording"
)

const (
	maxLanes   = 1 << 20 // the maximum number of lanes
	maxReads   = 1 << 24 // the maximum number of reads, by all lanes together
	maxOffset  = 1 << 52 // the maximum offset of an element, so that its bits can be counted
	idle       = math.MinInt64
	mostBytes  = 16 // the maximum number of bytes that a lane reads at once
	sectorSize = 32
	lineSize   = 128
)

// A Part is an axis along which lanes are next to one another.
type Part struct {
	Axis  int
	Lanes int64 // 0 for the maximum that the axis has room for
}

// A Walk describes which elements lanes read. Each lane reads a vector of adjacent elements. Lanes are counted along
// the last part first. A warp of lanes makes a request.
type Walk struct {
	Tensor layout.Tensor
	Parts  []Part
	Vector int64   // the elements that a lane reads; 0 for the maximum
	Start  []int64 // the first element of lane 0; nil for index 0
	All    bool    // the lanes step over the tensor until everything is read
	Unit   *Unit
	Owner  *tvlayout.Ownership // gives lanes their elements, instead of Parts; may be nil
	Widest Width

	Instruction *Instruction // its lanes read chunks of 16 bytes, instead of Parts; may be nil
	addresses   [][]int64    // the addresses of the lanes of Instruction

	step   []int64 // along each axis, the distance between steps
	values []int64 // the values of the ownership's threads, in the order of memory
	index  []int64 // the index to yield
}

// Complete returns the walk with default values for the fields that are 0. It rejects a walk that leaves the tensor,
// and lanes that cannot read their vector.
func (w Walk) Complete() (*Walk, error) {
	bits := w.Tensor.DType().Bits()
	if err := readable(w.Tensor); err != nil {
		return nil, err
	}
	if n, err := layout.Mul(w.Vector, bits); err != nil || n > 8*mostBytes {
		return nil, lexer.Refuse(wording.Count(8*mostBytes/bits, "element")+" at most", "%s have more than %d bytes",
			wording.Count(w.Vector, "element"), mostBytes)
	}
	w.Widest, w.Parts = Widest(w.Tensor), slices.Clone(w.Parts)
	if w.Start == nil {
		w.Start = make([]int64, w.Tensor.Layout().Rank())
	}
	given := w.Vector > 0
	if w.Instruction != nil {
		return &w, w.instruct()
	}
	if w.Owner != nil {
		return &w, w.own(given)
	}
	switch axis := w.Widest.Axis; {
	case !given:
		w.Vector = w.fitting()
	case w.Vector > w.Widest.Elements:
		return nil, lexer.Refuse(wording.Count(w.Widest.Elements, "element")+" at most: "+w.Widest.Limit,
			"a lane cannot read %s at once", wording.Count(w.Vector, "element"))
	case axis >= 0 && w.Start[axis]%w.Vector != 0:
		return nil, lexer.Refuse("", "vectors of %s start at multiples of %d, not at %d",
			wording.Count(w.Vector, "element"), w.Vector, w.Start[axis])
	}
	if err := w.fill(); err != nil {
		return nil, err
	}
	if wide := max(w.Vector*bits/8, 1); w.Unit.Bytes > 0 && wide != w.Unit.Bytes {
		return nil, lexer.Refuse("", "%s reads %s a lane, and a vector of %s has %d", w.Unit.Name,
			wording.Count(w.Unit.Bytes, "byte"),
			wording.Count(w.Vector, "element"), wide)
	}
	return &w, nil
}

// readable returns an error if the tensor has no elements, or if an element is too large to be read at once.
func readable(t layout.Tensor) error {
	low, high := t.Layout().Bounds()
	switch bits := t.DType().Bits(); {
	case t.Layout().Empty():
		return lexer.Refuse("", "the tensor has no elements to read")
	case low < -maxOffset || high > maxOffset:
		return lexer.Refuse("", "offsets beyond %d are not counted", int64(maxOffset))
	case bits == 0 || bits > 8*mostBytes:
		return lexer.Refuse("", "up to %d bytes are read at once, and an element of %s has %s", mostBytes, t.DType(),
			wording.Count(bits, "bit"))
	}
	return nil
}

// fitting returns the maximum number of elements that each lane may read at the start. All lanes must have room for
// them.
func (w *Walk) fitting() int64 {
	v, axis := w.Widest.Elements, w.Widest.Axis
	if bits := w.Tensor.DType().Bits(); w.Unit.Bytes > 0 {
		v = min(v, max(8*w.Unit.Bytes/bits, 1))
	}
	if axis < 0 {
		return 1
	}
	lanes := int64(1)
	for _, p := range w.Parts {
		if p.Axis == axis {
			lanes = max(p.Lanes, 1)
		}
	}
	room := w.Tensor.Layout().Axis(axis).Size() - w.Start[axis]
	for v > 1 && (room/v < lanes || w.Start[axis]%v != 0) {
		v /= 2
	}
	return v
}

// fill sets the lanes that parts leave open, and rejects lanes that do not fit on an axis.
func (w *Walk) fill() error {
	l := w.Tensor.Layout()
	w.step = make([]int64, l.Rank())
	for i := range w.step {
		w.step[i] = 1
	}
	if w.Widest.Axis >= 0 {
		w.step[w.Widest.Axis] = w.Vector
	}
	lanes, seen := int64(1), make([]bool, l.Rank())
	for i := range w.Parts {
		p := &w.Parts[i]
		unit, room := w.step[p.Axis], l.Axis(p.Axis).Size()-w.Start[p.Axis]
		if p.Lanes == 0 {
			p.Lanes = max(room/unit, 1)
		}
		name := l.AxisName(p.Axis)
		switch need, err := layout.Mul(p.Lanes, unit); {
		case seen[p.Axis]:
			return lexer.Refuse("", "axis %s has lanes twice", name)
		case err != nil || need > room:
			each := ""
			if unit > 1 {
				each = ", each with " + wording.Count(unit, "element")
			}
			hint := wording.Count(room/unit, "lane") + " there, or shorter vectors"
			return lexer.Refuse(hint, "%s along %s%s need more than the %d there",
				wording.Count(p.Lanes, "lane"), name, each, room)
		}
		seen[p.Axis], w.step[p.Axis] = true, p.Lanes*unit
		if lanes *= p.Lanes; lanes > maxLanes { // each lane reads at least one element, so the elements can be counted
			return lexer.Refuse("", "more than the limit of %d lanes", maxLanes)
		}
	}
	var err error
	for i := 0; i < len(w.step) && err == nil; i++ {
		lanes, err = layout.Mul(lanes, layout.CeilDiv(l.Axis(i).Size(), w.step[i]))
	}
	if w.All && (err != nil || lanes > maxReads) {
		return lexer.Refuse("a part of it can: --view 'narrow(0,0,64)'",
			"all places together have more than the limit of %d reads", maxReads)
	}
	return nil
}

// IsShared reports whether the lanes read shared memory alone.
func (w *Walk) IsShared() bool { return w.Instruction != nil || w.Owner != nil && w.Owner.Givers() > 0 }

// Lanes returns the number of lanes that read at the same time.
func (w *Walk) Lanes() int64 {
	switch {
	case w.Instruction != nil:
		return int64(len(w.addresses))
	case w.Owner != nil:
		return w.Owner.Lanes()
	}
	lanes := int64(1)
	for _, p := range w.Parts {
		lanes *= p.Lanes
	}
	return lanes
}

// Bytes returns the number of bytes per lane, at least one.
func (w *Walk) Bytes() int64 { return layout.CeilDiv(w.Vector*w.Tensor.DType().Bits(), 8) }

// Starts yields the index of the first element of each lane at each step, or nil for a lane outside the tensor. The
// slice is the same each time.
func (w *Walk) Starts() iter.Seq[[]int64] {
	switch {
	case w.Instruction != nil:
		return slices.Values(w.addresses)
	case w.Owner != nil:
		return w.ownStarts
	}
	return func(yield func([]int64) bool) {
		place, index := slices.Clone(w.Start), make([]int64, len(w.Start))
		for {
			for lane := range w.Lanes() {
				if !yield(w.at(index, place, lane)) {
					return
				}
			}
			if !w.All || !w.next(place) {
				return
			}
		}
	}
}

// at sets index to the first element of a lane when lane 0 is at place. It returns nil if the element is outside the
// tensor.
func (w *Walk) at(index, place []int64, lane int64) []int64 {
	copy(index, place)
	for _, p := range slices.Backward(w.Parts) {
		index[p.Axis] += lane % p.Lanes * (w.step[p.Axis] / p.Lanes)
		lane /= p.Lanes
		if index[p.Axis] >= w.Tensor.Layout().Axis(p.Axis).Size() {
			return nil
		}
	}
	return index
}

// next moves place to the next step, in row-major order. It reports false after the last.
func (w *Walk) next(place []int64) bool {
	for i := len(place) - 1; i >= 0; i-- {
		if place[i] += w.step[i]; place[i] < w.Tensor.Layout().Axis(i).Size() {
			return true
		}
		place[i] = 0
	}
	return false
}

// A Request is a read of a whole warp. For each lane, it has the offset of the first element before any swizzle.
type Request struct {
	Index   []int64 // the index of the first lane's first element
	offsets []int64 // idle for a lane that reads nothing
}

// Requests yields the requests one after the other. Their slices are the same each time.
func (w *Walk) Requests() iter.Seq[Request] {
	return func(yield func(Request) bool) {
		affine := w.Tensor.Layout().Affine()
		request, left, active := Request{}, w.Lanes(), false
		for index := range w.Starts() {
			offset := int64(idle)
			if index != nil {
				offset, _ = affine.Offset(index)
				if !active {
					request.Index, active = append(request.Index[:0], index...), true
				}
			}
			request.offsets = append(request.offsets, offset)
			if left--; left > 0 && len(request.offsets) < w.Unit.Lanes {
				continue
			}
			if active && !yield(request) {
				return
			}
			request.offsets, active = request.offsets[:0], false
			if left == 0 {
				left = w.Lanes()
			}
		}
	}
}
