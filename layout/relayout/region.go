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
