package relayout

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

const (
	smallMove = 1 << 20 // bytes that one core moves in the time that it takes to start others
	largeMove = 8 << 20 // the minimum size in bytes of a target that is written past the caches
	shares    = 4       // regions for each job, so that all jobs end at the same time

	leastShare = 256 << 10 // bytes that a region has at least
)

// Move moves all elements from src to dst, with the given number of parallel jobs; [Plan.Copy] and [Plan.Stream] are
// for files. Offset 0 is the first byte of each slice; the slices must not share memory. Bytes in the first TargetBytes
// bytes of dst that do not belong to an element become 0.
func (p Plan) Move(dst, src []byte, jobs int) error {
	if p.from != nil || p.to != nil {
		return lexer.Refuse("", "swizzled elements are moved from file to file")
	}
	if err := checkLength("source", p.sourceBytes, len(src)); err != nil {
		return err
	}
	if err := checkLength("target", p.targetBytes, len(dst)); err != nil {
		return err
	}
	dst = dst[:p.targetBytes]
	if p.gaps {
		clear(dst)
	}
	if p.empty {
		return nil
	}
	at := place{dst: dst, src: src, past: writesPast && len(dst) >= largeMove && startsLine(dst)}
	if jobs <= 1 || p.bits < 8 || len(dst) <= smallMove {
		p.run(p.everything(), p.src, p.dst, at)
		return nil
	}
	c := p.shared(min(int64(jobs)*shares, p.targetBytes/leastShare))
	parallel(int64(jobs), c.total(), func(_ int, k int64) bool {
		p.run(c.region(k), p.src, p.dst, at)
		return true
	})
	return nil
}

// checkLength returns an error if data is too short.
func checkLength(what string, need int64, have int) error {
	if int64(have) >= need {
		return nil
	}
	return lexer.Refuse("", "the %s must have %s but has %d: %d too few", what, wording.Count(need, "byte"), have,
		need-int64(have))
}

// run moves a region. The sides src and dst give the offsets of its elements, starting at place at.
func (p *Plan) run(r region, src, dst side, at place) {
	p.runPlanned(&planner{bits: p.bits}, r, src, dst, at)
}

// runPlanned is like run, but uses the nests of earlier regions.
func (p *Plan) runPlanned(planned *planner, r region, src, dst side, at place) {
	s := splitter{p, r, src, dst}
	s.parts(func(q part) {
		n := planned.nest(q)
		n.run(at)
	})
}

// A planner remembers the nests of some parts, because many parts often differ only in their offsets. The first one,
// which is often the only one, is not remembered.
type planner struct {
	bits  int64
	count int
	known []plannedPart
}

// A plannedPart is a part and its nest.
type plannedPart struct {
	part
	nest nest
}

// mostPlanned is how many parts are remembered.
const mostPlanned = 16

// nest returns the nest of a part.
func (p *planner) nest(q part) nest {
	for i := range p.known {
		if k := &p.known[i]; k.moveTo(q, p.bits) {
			return k.nest
		}
	}
	n := q.nest(p.bits)
	if p.count++; p.count > 1 && len(p.known) < mostPlanned {
		q.loops = slices.Clone(q.loops)
		p.known = append(p.known, plannedPart{q, n})
	}
	return n
}

// moveTo moves the nest to the part q, and reports whether that is possible: q must have the same loops and start at
// the same offset within a byte and a line.
func (k *plannedPart) moveTo(q part, bits int64) bool {
	src, dst, unit := (q.src-k.src)*bits, (q.dst-k.dst)*bits, int64(8)
	if k.nest.halves {
		unit = 4
	}
	if src%8 != 0 || dst%8 != 0 || unit == 8 && dst%(8*line) != 0 || !slices.Equal(q.loops, k.loops) {
		return false
	}
	k.src, k.dst = q.src, q.dst
	k.nest.src, k.nest.dst = k.nest.src+src/unit, k.nest.dst+dst/unit
	return true
}

// String returns the plan as text, one line for each part.
func (p Plan) String() string {
	if p.empty {
		return ""
	}
	var b strings.Builder
	s := splitter{&p, p.everything(), p.src, p.dst}
	s.parts(func(q part) {
		n := q.nest(p.bits)
		b.WriteString(n.String() + "\n")
	})
	return b.String()
}

// parallel calls f for all numbers below n, with the given number of parallel jobs, until f returns false. The argument
// job of f is the number of its job.
func parallel(jobs, n int64, f func(job int, k int64) bool) {
	var next atomic.Int64
	work := func(job int) {
		for k := next.Add(1) - 1; k < n; k = next.Add(1) - 1 {
			if !f(job, k) {
				next.Store(n)
			}
		}
	}
	if jobs = min(jobs, n); jobs <= 1 {
		work(0)
		return
	}
	w := workers{failed: func() { next.Store(n) }}
	for job := range int(jobs) {
		w.start(func() { work(job) })
	}
	w.wait()
}

// Workers are goroutines that work on one move. When one panics, wait does too, with the same value.
type workers struct {
	failed func() // called when one panics
	all    sync.WaitGroup
	once   sync.Once
	fault  any
}

// start calls f in a new goroutine.
func (w *workers) start(f func()) {
	w.all.Go(func() {
		defer func() {
			if fault := recover(); fault != nil {
				w.once.Do(func() { w.fault = fault })
				w.failed()
			}
		}()
		f()
	})
}

// wait waits until all have ended.
func (w *workers) wait() {
	w.all.Wait()
	if w.fault != nil {
		panic(w.fault)
	}
}
