package relayout

import (
	"strings"
	"sync"
	"sync/atomic"

	"layoutcalc/layout/scan"
)

const (
	smallMove = 1 << 20 // bytes that one core moves in the time that it takes to start others
	largeMove = 8 << 20 // bytes from which on the target is written past the caches
	shares    = 4       // regions for each job, so that all jobs end at the same time

	leastShare = 256 << 10 // bytes that a region has at least
)

// Move moves all elements in memory, with that many jobs at the same time. Offset 0 is the first byte
// of each slice; the slices must not share memory. Those of the first TargetBytes bytes of dst that
// belong to no element become 0.
func (p Plan) Move(dst, src []byte, jobs int) error {
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
	c := p.whole()
	if jobs > 1 && p.bits >= 8 && len(dst) > smallMove {
		c = p.shared(min(int64(jobs)*shares, p.targetBytes/leastShare))
	}
	at := place{dst: dst, src: src, past: writesPast && len(dst) >= largeMove && startsLine(dst)}
	parallel(int64(jobs), c.total(), func(_ int, k int64) bool {
		p.run(c.region(k), p.src, p.dst, at)
		return true
	})
	return nil
}

// checkLength refuses data that is too short.
func checkLength(what string, need int64, have int) error {
	if int64(have) >= need {
		return nil
	}
	return scan.Refuse("", "the %s must have %d bytes but has %d: %d too few", what, need, have, need-int64(have))
}

// run moves a region whose elements are where the two sides say.
func (p *Plan) run(r region, src, dst side, at place) {
	s := splitter{p, r, src, dst}
	s.parts(func(q part) {
		n := q.nest(p.bits)
		n.run(at)
	})
}

// String returns the plan as text, one line for each part.
func (p Plan) String() string {
	if p.empty {
		return ""
	}
	var b strings.Builder
	s := splitter{&p, p.whole().first(), p.src, p.dst}
	s.parts(func(q part) {
		n := q.nest(p.bits)
		b.WriteString(n.String() + "\n")
	})
	return b.String()
}

// parallel calls f for all numbers below n, with that many jobs at the same time, until f returns
// false. It tells f which job it is.
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

// start calls f in a goroutine of its own.
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
