package input

import (
	"context"
	"iter"
)

// InOrder calls a function for each of some items, as many at once as jobs says, and yields what it returns in the
// order of the items, until the context ends. Of those that are done, no more than that many wait for one before them.
// A panic of the function is one of the loop.
func InOrder[T, R any](ctx context.Context, jobs int, items []T, do func(T) R) iter.Seq[R] {
	type result struct {
		value R
		fault any // the panic
	}
	type job struct {
		item T
		done chan result
	}
	return func(yield func(R) bool) {
		if len(items) == 1 && ctx.Done() == nil { // which never ends
			yield(do(items[0]))
			return
		}
		queue, work, stop := make(chan job, jobs-1), make(chan job), make(chan struct{})
		defer close(stop)
		go func() {
			defer close(queue)
			defer close(work)
			for _, item := range items {
				j := job{item, make(chan result, 1)}
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
					r := result{}
					func() {
						defer func() { r.fault = recover() }()
						r.value = do(j.item)
					}()
					j.done <- r
				}
			}()
		}
		for j := range queue {
			var r result
			select {
			case r = <-j.done:
			case <-ctx.Done():
				return
			}
			if r.fault != nil {
				panic(r.fault)
			}
			if !yield(r.value) {
				return
			}
		}
	}
}
