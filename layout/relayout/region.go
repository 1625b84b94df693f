package relayout

import (
	"cmp"
	"slices"

	"layoutcalc/layout"
)

// A span is the values from lo to below hi.
type span struct{ lo, hi int64 }

// A region is a part of a tensor: one span for each digit, so that what it has of an axis is one
// span too. Indices that it has beyond the size of their axis stand for nothing.
type region []span

// A frame says where the elements of a region lie: its wheels with the strides that they have
// there, and the offset of index 0.
type frame struct {
	wheels wheels
	base   int64
}

// A part is a piece of an axis, or of several, that loops describe. Everything is in elements.
type part struct {
	src, dst int64
	loops    []stride
}

// A stride is a loop in elements.
type stride struct{ n, src, dst int64 }

// A splitter finds the parts of a region.
type splitter struct {
	plan     *Plan
	region   region
	src, dst frame
}

// parts calls f for each part of the region; together they are all its elements. What f is given
// changes behind it.
func (s *splitter) parts(f func(part)) {
	s.visit(0, part{s.src.base, s.dst.base, make([]stride, 0, len(s.plan.digits))}, f)
}

// visit calls f for what a part of the axes before axis i and each part of those from it on make. An
// axis has one part, unless the region goes beyond its size. Then an index is inside if, at the first
// digit where it differs from the size, it is less.
func (s *splitter) visit(i int, p part, f func(part)) {
	if i == len(s.plan.axes) {
		f(p)
		return
	}
	a, next := &s.plan.axes[i], func(p part) { s.visit(i+1, p, f) }
	if !s.beyond(i) {
		s.part(a, a.end, 0, p, next)
		return
	}
	rest := a.size
	for k := a.first; k < a.end; k++ {
		d, r := &s.plan.digits[k], s.region[k]
		v := rest / d.weight
		rest %= d.weight
		if high := min(r.hi, v); high > r.lo {
			s.part(a, k, high, p, next)
		}
		if v < r.lo || v >= r.hi {
			break
		}
	}
}

// beyond reports whether the last index of the region is beyond the axis.
func (s *splitter) beyond(i int) bool {
	_, last := s.plan.reach(s.region, i)
	return last >= s.plan.axes[i].size
}

// part adds what lies where digits before one have the values that the size has there, that one is
// below high, and those behind it have any. The digits of a loose axis make several parts.
func (s *splitter) part(a *axis, at int, high int64, p part, next func(part)) {
	rest := a.size
	for k := a.first; k < a.end; k++ {
		d, r := &s.plan.digits[k], s.region[k]
		switch {
		case at == a.end || k > at:
		case k == at:
			r.hi = high
		default:
			r.lo = rest / d.weight
			r.hi = r.lo + 1
		}
		rest %= d.weight
		if d.loose {
			s.loose(k, r, p, next)
			return
		}
		src, dst := s.src.wheels.stride(*d), s.dst.wheels.stride(*d)
		p.src, p.dst = p.src+r.lo*src, p.dst+r.lo*dst
		p.loops = append(p.loops, stride{r.hi - r.lo, src, dst})
	}
	next(p)
}

// loose adds one part for each stretch of a loose digit in which neither side carries.
func (s *splitter) loose(k int, r span, p part, next func(part)) {
	axis := s.plan.digits[k].axis
	src, dst := s.src.wheels.of(axis), s.dst.wheels.of(axis)
	for v := r.lo; v < r.hi; {
		end := min(r.hi, src.carry(v), dst.carry(v))
		next(part{p.src + src.offset(v), p.dst + dst.offset(v), append(p.loops, stride{end - v, src[0].stride, dst[0].stride})})
		v = end
	}
}

// A wheel is what one side counts an axis with: index i of the axis adds i / weight % extent times
// the stride to the offset.
type wheel struct {
	axis                   int
	weight, extent, stride int64
}

// Wheels are those of one side, axis by axis, innermost first.
type wheels []wheel

// wheelsOf returns the wheels of a layout.
func wheelsOf(l layout.Layout) wheels {
	var w wheels
	for i := range l.Rank() {
		a, weight := l.Axis(i), int64(1)
		for k := a.Digits() - 1; k >= 0; k-- {
			d := a.Digit(k)
			w = append(w, wheel{i, weight, d.Extent, d.Stride})
			weight *= d.Extent
		}
	}
	return w
}

// of returns the wheels of an axis.
func (w wheels) of(axis int) wheels {
	first := slices.IndexFunc(w, func(w wheel) bool { return w.axis == axis })
	end := first
	for end < len(w) && w[end].axis == axis {
		end++
	}
	return w[first:end]
}

// offset returns what index i of the wheels' axis adds to the offset.
func (w wheels) offset(i int64) int64 {
	sum := int64(0)
	for k := range w {
		sum += i / w[k].weight % w[k].extent * w[k].stride
	}
	return sum
}

// stride returns how far a step of the digit leads. That of a loose one is what its first steps do.
func (w wheels) stride(d digit) int64 {
	axis := w.of(d.axis)
	for k := len(axis) - 1; k > 0; k-- {
		if axis[k].weight <= d.weight && axis[k].extent > 1 {
			return axis[k].stride * (d.weight / axis[k].weight)
		}
	}
	return axis[0].stride * d.weight
}

// carry returns the next index behind i at which the innermost wheel starts anew.
func (w wheels) carry(i int64) int64 {
	return i - i%w[0].extent + w[0].extent
}

// nested reports whether each wheel steps over all that those of lesser strides reach.
func (w wheels) nested() bool {
	reach := int64(0)
	for _, w := range w.byStride() {
		if magnitude(w.stride) <= reach {
			return false
		}
		reach += (w.extent - 1) * magnitude(w.stride)
	}
	return true
}

// byStride returns the wheels that turn, those of the least strides first.
func (w wheels) byStride() wheels {
	sorted := make(wheels, 0, len(w))
	for _, w := range w {
		if w.extent > 1 {
			sorted = append(sorted, w)
		}
	}
	slices.SortStableFunc(sorted, func(a, b wheel) int { return cmp.Compare(magnitude(a.stride), magnitude(b.stride)) })
	return sorted
}

// magnitude is how far a stride leads.
func magnitude[T int | int64](stride T) T { return max(stride, -stride) }

// oddDown reports whether the wheel turns down from one half of a byte to another.
func (w wheel) oddDown() bool { return w.extent > 1 && w.stride < 0 && w.stride%2 != 0 }

// Pieces are where a region lies on one side: runs of elements, one for each step of the outer
// loops. In a buffer they lie one behind the other.
type pieces struct {
	first  int64    // the offset of the first piece
	length int64    // elements of a piece, and of what lies between them
	outer  []stride // from piece to piece: src is how far they lie apart on the side, dst in the buffer
	count  int64
	pitch  int64 // elements of the buffer from one piece to the next
	frame  frame // where the elements lie in the buffer
}

// A turn is the values that a wheel has in a region.
type turn struct {
	wheel
	at   int  // which of the side's wheels it is
	idle bool // no index of the axis turns it
	span
}

// steps returns how often the wheel turns on.
func (t turn) steps() int64 { return t.hi - t.lo - 1 }

// whole reports whether no other region has other values of the wheel.
func (t turn) whole() bool { return t.idle || t.steps() == t.extent-1 }

// turns returns how a side's wheels turn in a region, in the order of their strides. If they are to
// turn on, what a block has beyond the size of its axis belongs to the region that has the last
// index.
func (p *Plan) turns(w wheels, r region, on bool) []turn {
	turns := make([]turn, 0, len(w))
	for i := range p.axes {
		axis, size := w.of(i), p.axes[i].size
		lo, last := p.reach(r, i)
		if last = min(last, size-1); on && last == size-1 {
			last = axis.blockEnd(lo, last, p.bits)
		}
		for _, w := range axis {
			t := turn{w, len(turns), w.weight >= size, span{0, w.extent}}
			if first, end := lo/w.weight, last/w.weight; first/w.extent == end/w.extent {
				t.span = span{first % w.extent, end%w.extent + 1}
			}
			turns = append(turns, t)
		}
	}
	slices.SortStableFunc(turns, func(a, b turn) int { return cmp.Compare(magnitude(a.stride), magnitude(b.stride)) })
	return turns
}

// blockEnd returns last, the last index of the axis, rounded up to the end of its innermost block, then
// of the block around that, and so on, as long as lo begins a block of the level inside. Blocks far
// beyond the size are left alone, but for elements of 4 bits.
func (w wheels) blockEnd(lo, last, bits int64) int64 {
	size := last + 1
	for _, w := range w {
		block := w.weight * w.extent
		if lo%w.weight != 0 || w.weight >= size || bits >= 8 && block > max(2*size, largeBlock) {
			break
		}
		last += block - 1 - last%block
	}
	return last
}

// reach returns the first and the last index that the region has of an axis.
func (p *Plan) reach(r region, axis int) (first, last int64) {
	a := p.axes[axis]
	for k := a.first; k < a.end; k++ {
		first += r[k].lo * p.digits[k].weight
		last += (r[k].hi - 1) * p.digits[k].weight
	}
	return first, last
}

// source returns the pieces of the source: what lies between elements is read too, unless that is
// more than what is needed.
func (p *Plan) source(r region) pieces {
	turns := p.turns(p.src.wheels, r, false)
	inner, reach := 0, int64(1)
	for i, t := range turns {
		stride := magnitude(t.stride)
		if t.steps() > 0 && stride > 2*reach && (stride-reach)*p.bits > 8*smallGap && !p.splits(turns[i:]) {
			break
		}
		reach += t.steps() * stride
		inner = i + 1
	}
	return p.lay(p.src, turns, inner)
}

// splits reports whether pieces that these turns lead to would start inside of bytes.
func (p *Plan) splits(turns []turn) bool {
	return p.bits < 8 && slices.ContainsFunc(turns, func(t turn) bool { return t.steps() > 0 && t.stride%2 != 0 })
}

// target returns the pieces of the target. What lies between the elements of a piece belongs to
// none: a piece ends where elements of other regions may lie.
func (p *Plan) target(r region) pieces {
	turns := p.turns(p.dst.wheels, r, true)
	if !slices.ContainsFunc(turns, func(t turn) bool { return !t.whole() }) {
		return p.lay(p.dst, turns, len(turns))
	}
	inner, reach := 0, int64(1)
	for i, t := range turns {
		if t.extent > 1 && !p.nested && magnitude(t.stride) != reach {
			break
		}
		reach += t.steps() * magnitude(t.stride)
		inner = i + 1
		if !t.whole() {
			break
		}
	}
	copy(turns[inner:], p.turns(p.dst.wheels, r, false)[inner:])
	return p.lay(p.dst, turns, inner)
}

// lay lays out the pieces of a side, inside of which the first turns are.
func (p *Plan) lay(f frame, turns []turn, inner int) pieces {
	q := pieces{first: f.base, length: 1, count: 1, frame: frame{slices.Clone(f.wheels), 0}}
	for i, t := range turns {
		q.first += t.lo * t.stride
		if i < inner {
			q.first += min(t.steps()*t.stride, 0)
			q.length += t.steps() * magnitude(t.stride)
		}
	}
	if p.bits < 8 {
		odd := q.first & 1
		q.first, q.length = q.first-odd, (q.length+odd+1)&^1
	}
	q.pitch = q.length
	if inner < len(turns) {
		perLine := line * 8 / p.bits
		q.pitch = layout.CeilDiv(q.length, perLine) * perLine
	}
	q.frame.base = f.base - q.first
	for _, t := range turns[inner:] {
		q.step(t)
	}
	return q
}

// step adds an outer loop, which runs upwards on the side.
func (q *pieces) step(t turn) {
	local, origin := q.pitch*q.count, t.lo
	if t.stride < 0 {
		q.first += t.steps() * t.stride
		local, origin = -local, t.hi-1
	}
	q.outer = append(q.outer, stride{t.steps() + 1, magnitude(t.stride), magnitude(local)})
	q.count *= t.steps() + 1
	q.frame.base += t.lo*t.stride - origin*local
	q.frame.wheels[t.at].stride = local
}

// bytes returns how large the buffer is.
func (q pieces) bytes(bits int64) int64 {
	return bytesOf(q.pitch*(q.count-1)+q.length, bits)
}

// bytesOf returns how many bytes so many elements take, or the byte that such an offset lies in.
// Elements of 4 bits are always counted in pairs.
func bytesOf(n, bits int64) int64 {
	if bits < 8 {
		return n >> 1
	}
	return n * (bits / 8)
}

// elementsOf returns how many elements so many bytes hold.
func elementsOf(bytes, bits int64) int64 {
	if bits < 8 {
		return bytes << 1
	}
	return bytes / (bits / 8)
}

// each calls f for each piece, with its offset and its place in the buffer, until f fails.
func (q pieces) each(f func(offset, place int64) error) error {
	return eachStep(q.outer, q.first, 0, f)
}

func eachStep(outer []stride, offset, place int64, f func(offset, place int64) error) error {
	if len(outer) == 0 {
		return f(offset, place)
	}
	last := outer[len(outer)-1]
	for range last.n {
		if err := eachStep(outer[:len(outer)-1], offset, place, f); err != nil {
			return err
		}
		offset, place = offset+last.src, place+last.dst
	}
	return nil
}
