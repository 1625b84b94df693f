package relayout

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"layoutcalc/layout"
)

const (
	smallMove = 1 << 20 // bytes that one core moves while others would begin
	largeMove = 8 << 20 // bytes from which on the target goes past the caches
	shares    = 4       // regions for each job, so that all end together

	leastShare = 256 << 10 // bytes that a region has at least
)

// Move moves all elements in memory, in so many jobs at once. Offset 0 is the first byte of each
// side, which share no memory. Those of the first TargetBytes bytes of dst that belong to no element
// become 0.
func (p Plan) Move(dst, src []byte, jobs int) error {
	if err := enough("source", p.sourceBytes, len(src)); err != nil {
		return err
	}
	if err := enough("target", p.targetBytes, len(dst)); err != nil {
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
	at := place{dst: dst, src: src, past: writesPast && len(dst) >= largeMove && inLines(dst)}
	parallel(int64(jobs), c.total(), func(_ int, k int64) bool {
		p.run(c.region(k), p.src, p.dst, at)
		return true
	})
	return nil
}

// enough refuses data that is too short.
func enough(what string, need int64, have int) error {
	if int64(have) >= need {
		return nil
	}
	return &layout.SyntaxError{Msg: fmt.Sprintf("the %s must hold %d bytes, and holds %d: %d too few", what, need, have, need-int64(have))}
}

// run moves a region whose sides lie as the frames say.
func (p *Plan) run(r region, src, dst frame, at place) {
	s := splitter{p, r, src, dst}
	s.parts(func(q part) {
		n := q.nest(p.bits)
		n.run(at)
	})
}

// nest plans a part whose elements have so many bits.
func (p part) nest(bits int64) nest {
	width := bits / 8
	if width == 0 {
		q, ok := p.pairs()
		if !ok {
			return nest{inner: nibbles{p}}
		}
		p, width = q, 1
	}
	b := box{src: int(p.src * width), dst: int(p.dst * width), width: int(width)}
	for _, l := range p.loops {
		b.loops = append(b.loops, loop{int(l.n), int(l.src * width), int(l.dst * width)})
	}
	return b.plan()
}

// String writes the plan, one line for each of its parts.
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

// A team runs jobs at once. When one panics, so does whoever waits for them.
type team struct {
	failed func() // called then, if not nil
	all    sync.WaitGroup
	once   sync.Once
	fault  any
}

// start runs f in a job of its own.
func (t *team) start(f func()) {
	t.all.Go(func() {
		defer func() {
			if fault := recover(); fault != nil {
				t.fail(fault)
			}
		}()
		f()
	})
}

// fail keeps the first fault.
func (t *team) fail(fault any) {
	t.once.Do(func() { t.fault = fault })
	if t.failed != nil {
		t.failed()
	}
}

// wait waits for all jobs.
func (t *team) wait() {
	t.all.Wait()
	if t.fault != nil {
		panic(t.fault)
	}
}

// parallel calls f for all numbers below n, in so many jobs at once, and tells it which job it is,
// until f returns false.
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
	t := team{failed: func() { next.Store(n) }}
	for job := range int(jobs) {
		t.start(func() { work(job) })
	}
	t.wait()
}
