package relayout

import (
	"math"
	"slices"
	"sort"

	"layoutcalc/layout"
)

// Limits of one step of a move.
const (
	defaultMemory = 64 << 20         // bytes of all slabs together
	slabSize      = 1 << 20          // bytes of a tile, or of the smallest sufficient slab: it stays in a cache
	longRun       = 256 << 10        // bytes of a piece that is read or written as fast as longer ones
	fairRun       = 8 << 10          // bytes of a piece that takes much longer to move than the call
	leastMemory   = 256 << 10        // bytes of one side of a slab that every limit of memory allows
	largeBlock    = 4096             // indices that a block may have beyond the size of its axis, and be written whole
	mostMemory    = math.MaxInt / 16 // bytes of all slabs together that can be counted
	smallGap      = 512              // bytes that are faster to read than to skip
)

// A span is the values from lo up to but not including hi.
type span struct{ lo, hi int64 }

// A region is a part of a tensor: one span for each digit of the plan, so that the indices that it
// has of an axis are one span too. Indices beyond the size of their axis have no elements.
type region []span

// everything returns the region of all indices.
func (p *Plan) everything() region {
	r := make(region, len(p.digits))
	for i, d := range p.digits {
		r[i] = span{0, d.extent}
	}
	return r
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

// elements returns how many elements a region has.
func (p *Plan) elements(r region) int64 {
	n := int64(1)
	for i := range p.axes {
		first, last := p.reach(r, i)
		n *= max(min(last+1, p.axes[i].size)-first, 0)
	}
	return n
}

// A side gives the offsets of elements on one side of a move, in the storage of a tensor or in a buffer: the runs of
// all axes, as [layout.Layout.Runs] orders them, and the offset of index 0.
type side struct {
	runs []layout.Run
	base int64
}

// of returns the runs of an axis, innermost first.
func (s *side) of(axis int) []layout.Run {
	first := 0
	for first < len(s.runs) && s.runs[first].Axis < axis {
		first++
	}
	end := first
	for end < len(s.runs) && s.runs[end].Axis == axis {
		end++
	}
	return s.runs[first:end]
}

// stride returns how far a step of the digit moves. The result for a loose digit is true of its
// first steps only.
func (s *side) stride(d digit) int64 {
	for _, r := range slices.Backward(s.of(d.axis)) {
		if r.Weight <= d.weight {
			return r.Signed() * (d.weight / r.Weight)
		}
	}
	return 0 // the axis has one index
}

// distance returns the magnitude of that.
func (s *side) distance(d digit) int64 {
	return magnitude(s.stride(d))
}

// A part is a piece of a region that loops describe: the offset of its first element on each side, and the loops in any
// order. It counts in elements, or in bytes.
type part struct {
	src, dst int64
	loops    []loop
}

// A loop runs n times, and moves by src and by dst further on the two sides from one time to the
// next. It is not a [layout.Digit], which has one stride: where loops are planned, both matter.
type loop struct{ n, src, dst int64 }

// source and target return how far a step moves on a side.
func (l loop) source() int64 { return l.src }

func (l loop) target() int64 { return l.dst }

// A splitter finds the parts of a region. The two sides give the offsets of elements.
type splitter struct {
	plan     *Plan
	region   region
	src, dst side
}

// parts calls f for each part of the region; together they are all its elements. The loops that f
// is given change after it returns.
func (s *splitter) parts(f func(part)) {
	s.visit(0, part{s.src.base, s.dst.base, make([]loop, 0, len(s.plan.digits))}, f)
}

// visit calls f for every combination of p, which is a part of the axes before axis i, and a part of axis i and of each
// axis after it. An axis has one part, unless the region goes beyond its size. Then an index is less than the size if,
// at the first digit where they differ, it is less.
func (s *splitter) visit(i int, p part, f func(part)) {
	if i == len(s.plan.axes) {
		f(p)
		return
	}
	a, next := &s.plan.axes[i], func(p part) { s.visit(i+1, p, f) }
	if _, last := s.plan.reach(s.region, i); last < a.size {
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

// part extends p by the indices of an axis that have the digits of the size before digit at, a digit below high at it,
// and any digits of the region after it; at may be the end of the digits. It calls next with the result, or with
// several if the axis has a loose digit.
func (s *splitter) part(a *axis, at int, high int64, p part, next func(part)) {
	rest := a.size
	for k := a.first; k < a.end; k++ {
		d, r := s.plan.digits[k], s.region[k]
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
			s.loose(d.axis, r, p, next)
			return
		}
		src, dst := s.src.stride(d), s.dst.stride(d)
		p.src, p.dst = p.src+r.lo*src, p.dst+r.lo*dst
		p.loops = append(p.loops, loop{r.hi - r.lo, src, dst})
	}
	next(p)
}

// loose extends p by the indices that a loose digit has in a span. It calls next for each stretch between the starts of
// an innermost run on either side.
func (s *splitter) loose(axis int, r span, p part, next func(part)) {
	src, dst := s.src.of(axis), s.dst.of(axis)
	for v := r.lo; v < r.hi; {
		end := min(r.hi, v-v%src[0].Extent+src[0].Extent, v-v%dst[0].Extent+dst[0].Extent)
		l := loop{end - v, src[0].Signed(), dst[0].Signed()}
		next(part{p.src + offset(src, v), p.dst + offset(dst, v), append(p.loops, l)})
		v = end
	}
}

// offset returns the contribution of index i of an axis with these runs to the offset.
func offset(runs []layout.Run, i int64) int64 {
	sum := int64(0)
	for _, r := range runs {
		sum += i / r.Weight % r.Extent * r.Signed()
	}
	return sum
}

// Pieces are the elements of a region on one side: stretches of storage of one length, one for each
// step of the outer loops. In a buffer they follow one another.
type pieces struct {
	first  int64  // the offset of the first piece
	length int64  // the elements of a piece, and the distance between pieces
	outer  []loop // from piece to piece: src in the storage, dst in the buffer
	count  int64
	pitch  int64 // elements of the buffer from one piece to the next
	side   side  // the offsets of the elements in the buffer
}

// A runSpan is the values that a run of a side has in a region.
type runSpan struct {
	layout.Run
	span
	at     int  // the position of the run in the side
	beyond bool // every index of the axis has the value 0: the run only adds indices beyond the size
}

// steps returns how many steps lead from the first value to the last.
func (r runSpan) steps() int64 { return r.hi - r.lo - 1 }

// whole reports whether no other region has other values of the run.
func (r runSpan) whole() bool { return r.beyond || r.steps() == r.Extent-1 }

// runSpans returns the part of each run of a side that is in a region, in the order of the strides. With padding, the
// region with the last index of an axis also has the rest of the last block.
func (p *Plan) runSpans(s *side, r region, padding bool) []runSpan {
	spans := make([]runSpan, 0, len(s.runs))
	for i := range p.axes {
		runs, size := s.of(i), p.axes[i].size
		lo, last := p.reach(r, i)
		if last = min(last, size-1); padding && last == size-1 {
			last = p.blockEnd(runs, lo, last)
		}
		for _, run := range runs {
			t := runSpan{run, span{0, run.Extent}, len(spans), run.Weight >= size}
			if first, end := lo/run.Weight, last/run.Weight; first/run.Extent == end/run.Extent {
				t.span = span{first % run.Extent, end%run.Extent + 1}
			}
			spans = append(spans, t)
		}
	}
	sort.SliceStable(spans, func(i, k int) bool { return spans[i].Stride < spans[k].Stride })
	return spans
}

// blockEnd returns last, the last index of an axis with these runs, rounded up to the end of its innermost block, then
// of the block around that, and so on, as long as lo is the start of a block of the level inside. It ignores blocks far
// beyond the size, except for 4-bit elements.
func (p *Plan) blockEnd(runs []layout.Run, lo, last int64) int64 {
	size := last + 1
	for _, r := range runs {
		block := r.Weight * r.Extent
		if lo%r.Weight != 0 || r.Weight >= size || p.bits >= 8 && block > max(2*size, largeBlock) {
			break
		}
		last += block - 1 - last%block
	}
	return last
}

// source returns the pieces of the source. What is between elements is read too, unless it is
// more than the elements themselves.
func (p *Plan) source(r region) pieces {
	spans := p.runSpans(&p.src, r, false)
	inner, reach := 0, int64(1)
	for i, t := range spans {
		gap := (t.Stride - reach) * p.bits
		if t.steps() > 0 && t.Stride > 2*reach && gap > 8*smallGap && !p.splitsBytes(spans[i:]) {
			break
		}
		reach += t.steps() * t.Stride
		inner = i + 1
	}
	return p.pieces(&p.src, spans, inner)
}

// splitsBytes reports whether pieces that are as far apart as these strides would start inside of
// bytes.
func (p *Plan) splitsBytes(spans []runSpan) bool {
	return p.bits < 8 && slices.ContainsFunc(spans, func(t runSpan) bool { return t.steps() > 0 && t.Stride%2 != 0 })
}

// target returns the pieces of the target. Bytes between the elements of a piece do not belong to an element, because a
// piece ends where elements of other regions may be.
func (p *Plan) target(r region) pieces {
	spans := p.runSpans(&p.dst, r, true)
	if !slices.ContainsFunc(spans, func(t runSpan) bool { return !t.whole() }) {
		return p.pieces(&p.dst, spans, len(spans))
	}
	inner, reach := 0, int64(1)
	for i, t := range spans {
		if !p.nested && t.Stride != reach {
			break
		}
		reach += t.steps() * t.Stride
		inner = i + 1
		if !t.whole() {
			break
		}
	}
	copy(spans[inner:], p.runSpans(&p.dst, r, false)[inner:])
	return p.pieces(&p.dst, spans, inner)
}

// pieces returns the pieces of a side. Each piece has all values of the first inner spans.
func (p *Plan) pieces(s *side, spans []runSpan, inner int) pieces {
	q := pieces{first: s.base, length: 1, count: 1, side: side{runs: slices.Clone(s.runs)}}
	for i, t := range spans {
		q.first += t.lo * t.Signed()
		if i < inner {
			q.first += min(t.steps()*t.Signed(), 0)
			q.length += t.steps() * t.Stride
		}
	}
	if p.bits < 8 {
		odd := q.first & 1
		q.first, q.length = q.first-odd, (q.length+odd+1)&^1
	}
	q.pitch = q.length
	if inner < len(spans) {
		perLine := line * 8 / p.bits
		q.pitch = layout.CeilDiv(q.length, perLine) * perLine
	}
	q.side.base = s.base - q.first
	for _, t := range spans[inner:] {
		q.step(t)
	}
	return q
}

// step adds an outer loop with increasing offsets.
func (q *pieces) step(t runSpan) {
	run, origin := t.Run, t.lo
	run.Stride = q.pitch * q.count
	if t.Reversed {
		q.first -= t.steps() * t.Stride
		origin = t.hi - 1
	}
	q.outer = append(q.outer, loop{t.steps() + 1, t.Stride, run.Stride})
	q.count *= t.steps() + 1
	q.side.base += t.lo*t.Signed() - origin*run.Signed()
	q.side.runs[t.at] = run
}

// bytes returns how large the buffer is.
func (q pieces) bytes(bits int64) int64 {
	return bytesOf(q.pitch*(q.count-1)+q.length, bits)
}

// bytesOf returns how many bytes n elements have, or the byte that offset n is in. Elements of 4
// bits are always counted in pairs.
func bytesOf(n, bits int64) int64 {
	if bits < 8 {
		return n >> 1
	}
	return n * (bits / 8)
}

// elementsOf returns how many elements fit in the given number of bytes.
func elementsOf(bytes, bits int64) int64 {
	if bits < 8 {
		return bytes << 1
	}
	return bytes / (bits / 8)
}

// each calls f for each piece, with its offset and its position in the buffer, until f fails.
func (q pieces) each(f func(offset, position int64) error) error {
	return eachStep(q.outer, q.first, 0, f)
}

// eachStep calls f for every combination of steps of loops, until f fails. The last loop is the outermost.
func eachStep(outer []loop, offset, position int64, f func(offset, position int64) error) error {
	if len(outer) == 0 {
		return f(offset, position)
	}
	last := outer[len(outer)-1]
	for range last.n {
		if err := eachStep(outer[:len(outer)-1], offset, position, f); err != nil {
			return err
		}
		offset, position = offset+last.src, position+last.dst
	}
	return nil
}

// magnitude returns n without its sign.
func magnitude(n int64) int64 { return max(n, -n) }
