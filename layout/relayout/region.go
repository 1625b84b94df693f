package relayout

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
	axes := make([][]part, len(s.plan.axes))
	for i := range s.plan.axes {
		if axes[i] = s.axis(i); len(axes[i]) == 0 {
			return
		}
	}
	s.join(part{src: s.src.base, dst: s.dst.base}, axes, f)
}

// join calls f for every choice of one part of each axis.
func (s *splitter) join(p part, axes [][]part, f func(part)) {
	if len(axes) == 0 {
		f(p)
		return
	}
	for _, q := range axes[0] {
		s.join(part{p.src + q.src, p.dst + q.dst, append(p.loops[:len(p.loops):len(p.loops)], q.loops...)}, axes[1:], f)
	}
}

// axis returns the parts of an axis: one, unless the region goes beyond the axis's size. Then an
// index is inside if, at the first digit where it differs from the size, it is less.
func (s *splitter) axis(i int) []part {
	a := &s.plan.axes[i]
	if !s.beyond(a) {
		return s.part(a, a.end, 0)
	}
	var parts []part
	rest := a.size
	for k := a.first; k < a.end; k++ {
		d, r := &s.plan.digits[k], s.region[k]
		v := rest / d.weight
		rest %= d.weight
		if high := min(r.hi, v); high > r.lo {
			parts = append(parts, s.part(a, k, high)...)
		}
		if v < r.lo || v >= r.hi {
			break
		}
	}
	return parts
}

// beyond reports whether the last index of the region is beyond the axis.
func (s *splitter) beyond(a *axis) bool {
	last := int64(0)
	for k := a.first; k < a.end; k++ {
		last += (s.region[k].hi - 1) * s.plan.digits[k].weight
	}
	return last >= a.size
}

// part returns what lies where digits before one have the values that the size has there, that
// one is below high, and those behind it have any. The digits of a loose axis make several parts.
func (s *splitter) part(a *axis, at int, high int64) []part {
	p, rest := part{}, a.size
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
			return s.loose(p, k, r)
		}
		src, dst := s.src.wheels.stride(*d), s.dst.wheels.stride(*d)
		p.src, p.dst = p.src+r.lo*src, p.dst+r.lo*dst
		p.loops = append(p.loops, stride{r.hi - r.lo, src, dst})
	}
	return []part{p}
}

// loose returns one part for each stretch of a loose digit in which neither side carries.
func (s *splitter) loose(p part, k int, r span) []part {
	axis := s.plan.digits[k].axis
	src, dst := s.src.wheels.of(axis), s.dst.wheels.of(axis)
	var parts []part
	for v := r.lo; v < r.hi; {
		end := min(r.hi, src.carry(v), dst.carry(v))
		q := part{p.src + src.offset(v), p.dst + dst.offset(v), append(p.loops[:len(p.loops):len(p.loops)], stride{end - v, src[0].stride, dst[0].stride})}
		parts, v = append(parts, q), end
	}
	return parts
}
