package finding

import (
	"slices"
	"sync/atomic"
)

// A Quota limits a large number of findings to about Most, and prefers the most severe: a finding does not pass if Most
// findings of its severity or above have passed. Errors pass even if they come late. A nil Quota has no limit.
//
// One goroutine at a time may call Pass and Leave; any may call Floor.
type Quota struct {
	Most   int // 0 means any number
	passed [len(Severities)]int
	left   int          // how many findings did not pass
	worst  Severity     // the highest severity among them
	floor  atomic.Int32 // the lowest severity that passes
}

// Pass reports whether a finding passes.
func (q *Quota) Pass(s Severity) bool {
	switch {
	case q == nil:
		return true
	case s < q.Floor():
		q.Leave(1, s)
		return false
	}
	q.passed[s]++
	n := 0
	for s, passed := range slices.Backward(q.passed[:]) {
		if n += passed; q.Most > 0 && n >= q.Most {
			q.floor.Store(int32(s + 1))
			break
		}
	}
	return true
}

// Leave counts n findings that do not pass, and that are not offered one by one.
func (q *Quota) Leave(n int, s Severity) {
	if n > 0 {
		q.left, q.worst = q.left+n, max(q.worst, s)
	}
}

// Floor returns the lowest severity that passes, or one above Error if no severity passes.
func (q *Quota) Floor() Severity {
	if q == nil {
		return Note
	}
	return Severity(q.floor.Load())
}

// total returns the number of findings, whether they passed or not.
func (q *Quota) total() int {
	n := q.left
	for _, passed := range q.passed {
		n += passed
	}
	return n
}
