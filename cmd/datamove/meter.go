package datamove

import (
	"io"
	"sync"
	"sync/atomic"
	"time"

	"layoutcalc/render"
)

// patience is how long work may take before the user is told how far it is.
const patience = time.Second

// wipe goes back to the start of the line, and empties it.
const wipe = "\r\x1b[K"

// A meter shows on a terminal how far a move is, once it takes long.
type meter struct {
	done atomic.Int64
	stop chan struct{}
	all  sync.WaitGroup
}

// newMeter starts to show how many of the bytes are done, if standard error is a terminal.
func (s *Source) newMeter(bytes int64) *meter {
	m := &meter{stop: make(chan struct{})}
	if width, ok := s.streams.Terminal(s.streams.Err); ok && !s.options.Quiet {
		m.all.Go(func() { m.show(s.streams.Err, render.Bar{All: bytes}, width) })
	}
	return m
}

// add counts bytes that are done.
func (m *meter) add(n int64) { m.done.Add(n) }

// end removes what is shown.
func (m *meter) end() {
	close(m.stop)
	m.all.Wait()
}

// show draws the bar again and again.
func (m *meter) show(w io.Writer, b render.Bar, width int) {
	start, shown := time.Now(), false
	tick := time.NewTicker(patience / 10)
	defer tick.Stop()
	for {
		select {
		case <-m.stop:
			if shown {
				io.WriteString(w, wipe)
			}
			return
		case now := <-tick.C:
			if b.Done, b.Time = m.done.Load(), now.Sub(start); b.Time > patience {
				shown = true
				io.WriteString(w, wipe+b.Line(width-1))
			}
		}
	}
}
