package relayout

import (
	"sync"
	"sync/atomic"
)

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
