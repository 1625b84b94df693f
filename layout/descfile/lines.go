package descfile

import (
	"io"
	"math"
	"sync"
	"sync/atomic"

	"layoutcalc/layout/rules"
)

// Lines holds JSON Lines against rules: a descriptor a line, with DirectML's names or those of a
// configuration, and besides name and target.
type Lines struct {
	Workers  int // how many check at once; at least 1
	Options  rules.Options
	Target   *rules.Target   // nil is that of each line
	Progress func(lines int) // told now and then how many lines are done; may be nil
	Most     int             // how many findings are reported, the first ones; 0 is all. All are counted

	// Each is given every descriptor and its line in place of the rules, by one worker; may be nil.
	// The descriptor is the caller's only until Each returns.
	Each func(line int, d *rules.Descriptor)
}

// A LineCount is how many lines were read, how many of them are descriptors and how many cannot be
// read, and how many findings of each severity there are.
type LineCount struct {
	Lines, Descriptors, Unread int

	Count [len(rules.Severities)]int
}

// Check reports the findings in the order of the lines, whatever the number of workers. It reads
// on as it reports, and takes the same room for any number of lines. It stops at the first error,
// of in or of report.
func (l Lines) Check(in io.Reader, report func(rules.Finding) error) (LineCount, error) {
	s := newStream(in, max(l.Workers, 1))
	var workers sync.WaitGroup
	counts := make([]LineCount, max(l.Workers, 1))
	for i := range counts {
		workers.Go(func() { counts[i] = s.work(l) })
	}
	go s.read()
	err := s.emit(l, report)
	if err != nil {
		return LineCount{}, err
	}
	workers.Wait()
	var total LineCount
	for _, c := range counts {
		total.Lines += c.Lines
		total.Descriptors += c.Descriptors
		total.Unread += c.Unread
		for s, n := range c.Count {
			total.Count[s] += n
		}
	}
	return total, s.lines.failed()
}

// A stream hands chunks of lines from the reader to the workers, and in order to whoever reports
// what they found. There are so many chunks, which go round.
type stream struct {
	lines             lineReader
	free, todo, order chan *chunk
	stop              chan struct{}
	enough            atomic.Bool // no more findings are reported: their words would be for nobody
}

func newStream(in io.Reader, workers int) *stream {
	n := workers + 2
	s := &stream{lines: lineReader{in: in}, free: make(chan *chunk, n), todo: make(chan *chunk, n), order: make(chan *chunk, n), stop: make(chan struct{})}
	for range n {
		s.free <- &chunk{done: make(chan struct{}, 1)}
	}
	return s
}

// read cuts the input into chunks until it ends, or nobody wants more.
func (s *stream) read() {
	defer close(s.todo)
	defer close(s.order)
	for {
		select {
		case c := <-s.free:
			if !s.lines.next(c) {
				return
			}
			s.order <- c
			s.todo <- c
		case <-s.stop:
			return
		}
	}
}

// work checks chunks until there are no more.
func (s *stream) work(l Lines) LineCount {
	w := newLineWorker(l)
	for c := range s.todo {
		if s.enough.Load() {
			w.checker.Quiet()
		}
		w.check(c)
		c.done <- struct{}{}
	}
	w.count.Count = w.checker.Count
	return w.count
}

// emit reports what was found, chunk by chunk.
func (s *stream) emit(l Lines, report func(rules.Finding) error) error {
	done, left := 0, l.Most
	if left == 0 {
		left = math.MaxInt
	}
	for c := range s.order {
		<-c.done
		for _, f := range c.findings[:min(len(c.findings), left)] {
			if err := report(f); err != nil {
				close(s.stop)
				return err
			}
			left--
		}
		s.enough.Store(left == 0)
		done += c.lines
		if l.Progress != nil {
			l.Progress(done)
		}
		s.free <- c
	}
	return nil
}
