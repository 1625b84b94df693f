// Package access counts what it costs that the lanes of a warp read a tensor: wavefronts of shared memory, sectors and
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
	maxLanes   = 1 << 20 // of the lanes at one place
	maxReads   = 1 << 24 // of the lanes at all places together
	maxOffset  = 1 << 52 // of an element, so that its bits can be counted
	idle       = math.MinInt64
	mostBytes  = 16 // that a lane reads at once
	sectorSize = 32
	lineSize   = 128
)

// A Part is an axis along which lanes are next to one another.
type Part struct {
	Axis  int
	Lanes int64 // 0 for as many as the axis has room for
}

// A Walk says which elements lanes read: each a vector of adjacent elements. Lanes are counted along the last part
// first. A warp of them makes a request.
type Walk struct {
	Tensor layout.Tensor
	Parts  []Part
	Vector int64   // elements that a lane reads; 0 for the most that it may
	Start  []int64 // the first element of lane 0; nil for index 0
	All    bool    // the lanes go on to all other places, until everything is read
	Unit   *Unit
	Owner  *tvlayout.Ownership // gives lanes their elements, in place of parts; nil for none
	Widest Width

	Instruction *Instruction // whose lanes read chunks of 16 bytes, in place of parts; nil for none
	addresses   [][]int64    // of its lanes

	step   []int64 // of each axis, from one place to the next
	values []int64 // of the threads of an ownership, in the order of memory
	index  []int64 // that is yielded
}

// Complete returns the walk with the numbers that it leaves open, and refuses one that leaves the tensor, or of which a
// lane cannot read its vector.
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

// readable refuses a tensor without elements, or whose elements are not read at once.
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

// fitting returns the most elements that a lane may read at the start, of which all lanes have room.
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

// fill sets the lanes that parts leave open, and refuses lanes for which an axis has no room.
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
		if lanes *= p.Lanes; lanes > maxLanes { // the elements, which are as many at least, can be counted
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

// Lanes returns how many lanes there are at a place.
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

// Bytes returns how many bytes a lane reads, at least one.
func (w *Walk) Bytes() int64 { return layout.CeilDiv(w.Vector*w.Tensor.DType().Bits(), 8) }

// Starts yields the index of the first element of each lane at each place, nil for a lane outside the tensor. The slice
// is the same each time.
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

// at sets the index to the first element of a lane at a place. It returns nil if that is outside the tensor.
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

// next goes on to the next place, in row-major order. It reports false after the last.
func (w *Walk) next(place []int64) bool {
	for i := len(place) - 1; i >= 0; i-- {
		if place[i] += w.step[i]; place[i] < w.Tensor.Layout().Axis(i).Size() {
			return true
		}
		place[i] = 0
	}
	return false
}

// A Request is what a warp reads at once: for each lane the offset, inside any swizzle, of its first element.
type Request struct {
	Index   []int64 // of the first element of the first lane
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
