package input

import (
	"context"
	"io"
	"iter"
	"math"
	"sync"
)

// InOrder calls do for each item, with up to jobs calls in parallel, and yields the results in the order of the items,
// until the context ends. Up to 8*jobs results wait for earlier ones, because waking a goroutine takes longer than a
// short call. If do panics, so does the loop. The turn belongs to the call that runs InOrder, or is nil.
func InOrder[T, R any](ctx context.Context, jobs int, turn *Turn, items []T, do func(T, *Turn) R) iter.Seq[R] {
	return func(yield func(R) bool) {
		m, first := new(memory), new(int)
		if m.freed.L = m; turn != nil {
			m = turn.memory
		}
		nth := func(i int) *Turn { return &Turn{memory: m, first: first, number: i, of: turn} }
		if len(items) == 1 && ctx.Done() == nil { // a context that never ends
			only := nth(0)
			yield(do(items[0], only))
			only.done()
			return
		}
		ahead := 8 * jobs
		queue, work, stop := make(chan *job[T, R], ahead-1), make(chan *job[T, R], ahead), make(chan struct{})
		defer close(stop)
		defer nth(math.MaxInt - 1).done() // lets all calls proceed
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
		for range min(jobs, len(items)) { // each keeps its grown stack
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

// A job is a call of do by InOrder.
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

// maxTaken is the approximate number of bytes that the calls of an InOrder may use together.
const maxTaken = 48 << 20

// A Turn is the position of a call in the order of an InOrder's items, and the memory that the call uses.
type Turn struct {
	*memory
	first  *int // the number of the first call of the InOrder with a result that is still unused
	number int
	taken  int64
	of     *Turn // the turn of the call that runs the InOrder, which shares its memory; may be nil
}

// A memory counts the bytes that calls use.
type memory struct {
	sync.Mutex
	freed sync.Cond
	used  int64
}

// isFirst reports whether the results of all calls before this one have been used.
func (t *Turn) isFirst() bool { return t == nil || t.number <= *t.first && t.of.isFirst() }

// Take reserves bytes until the result of the call has been used. It waits until they are available, or until nothing
// else is reserved, so that a large input is read alone. The first call never waits, so that calls that have reserved
// memory and wait for more cannot block each other.
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

// done releases the memory, and makes the next call the first.
func (t *Turn) done() {
	t.Lock()
	defer t.Unlock()
	*t.first = t.number + 1
	t.used -= t.taken
	t.freed.Broadcast()
}

// A taking is a file that reserves memory while it is read.
type taking struct {
	io.ReaderAt
	*Turn
}
