package input

import (
	"context"
	"io"
	"iter"
	"math"
	"sync"
)

// InOrder calls a function for each of some items, as many at once as jobs says, and yields what it returns in the
// order of the items, until the context ends. Of those that are done, no more than eight times as many wait for one
// before them: to wake a goroutine takes longer than a short call. A panic of the function is one of the loop. The turn
// is that of the call which InOrder is in, or nil.
func InOrder[T, R any](ctx context.Context, jobs int, turn *Turn, items []T, do func(T, *Turn) R) iter.Seq[R] {
	return func(yield func(R) bool) {
		m, first := new(memory), new(int)
		if m.freed.L = m; turn != nil {
			m = turn.memory
		}
		nth := func(i int) *Turn { return &Turn{memory: m, first: first, number: i, of: turn} }
		if len(items) == 1 && ctx.Done() == nil { // which never ends
			only := nth(0)
			yield(do(items[0], only))
			only.done()
			return
		}
		ahead := 8 * jobs
		queue, work, stop := make(chan *job[T, R], ahead-1), make(chan *job[T, R], ahead), make(chan struct{})
		defer close(stop)
		defer nth(math.MaxInt - 1).done() // none waits any longer
		go func() {
			defer close(queue)
			defer close(work)
			for i, item := range items {
				j := &job[T, R]{item: item, turn: nth(i), done: make(chan struct{})}
				select {
				case queue <- j:
					work <- j
				case <-stop:
					return
				}
			}
		}()
		for range min(jobs, len(items)) { // each with a stack that has grown once
			go func() {
				for j := range work {
					j.run(do)
				}
			}()
		}
		for j := range queue {
			select {
			case <-j.done:
			case <-ctx.Done():
				return
			}
			if j.fault != nil {
				panic(j.fault)
			}
			if !yield(j.value) {
				return
			}
			j.turn.done()
		}
	}
}

// A job is a call of an InOrder.
type job[T, R any] struct {
	item  T
	turn  *Turn
	value R
	fault any // the panic
	done  chan struct{}
}

func (j *job[T, R]) run(do func(T, *Turn) R) {
	defer close(j.done)
	defer func() { j.fault = recover() }()
	j.value = do(j.item, j.turn)
}

// maxTaken is about how many bytes of memory the calls of an InOrder take together.
const maxTaken = 48 << 20

// A Turn is the place of a call of an InOrder in the order of the items, and the memory that the call has taken.
type Turn struct {
	*memory
	first  *int // the number of the first call of the InOrder whose result is still to be used
	number int
	taken  int64
	of     *Turn // the call that the InOrder is in, with which it shares the memory; may be nil
}

// A memory is how many bytes of memory calls have taken.
type memory struct {
	sync.Mutex
	freed sync.Cond
	used  int64
}

// isFirst reports whether the results of all calls before this one have been used.
func (t *Turn) isFirst() bool { return t == nil || t.number <= *t.first && t.of.isFirst() }

// Take takes so many more bytes, until the result of the call has been used. It waits until they are left, or until
// nothing else is taken: a large input is read alone. The first call never waits, so that calls that have taken memory
// and wait for more do not stop each other.
func (t *Turn) Take(bytes int64) {
	if t == nil {
		return
	}
	t.Lock()
	defer t.Unlock()
	for t.used > 0 && t.used+bytes > maxTaken && !t.isFirst() {
		t.freed.Wait()
	}
	t.used += bytes
	t.taken += bytes
}

// done gives back the memory, and makes the next call the first.
func (t *Turn) done() {
	t.Lock()
	defer t.Unlock()
	*t.first = t.number + 1
	t.used -= t.taken
	t.freed.Broadcast()
}

// A taking is a file whose reader takes memory.
type taking struct {
	io.ReaderAt
	*Turn
}
