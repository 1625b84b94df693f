package files

import (
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// patience is how long work may take before the user is told how far it is.
const patience = time.Second

// wipe goes back to the start of the line, and empties it.
const wipe = "\r\x1b[K"

// A Meter shows on a terminal how far work is, once it takes long.
type Meter struct {
	Done atomic.Int64 // how much of the work is done
	stop chan struct{}
	all  sync.WaitGroup
}

// NewMeter starts to write the line that says how much is done after some time; none where that is empty, or
// nothing is to be shown.
func NewMeter(w io.Writer, shown bool, line func(done int64, after time.Duration) string) *Meter {
	m := &Meter{stop: make(chan struct{})}
	if shown {
		m.all.Go(func() { m.show(w, line) })
	}
	return m
}

// End removes what is shown.
func (m *Meter) End() {
	close(m.stop)
	m.all.Wait()
}

// show writes the line again and again.
func (m *Meter) show(w io.Writer, line func(int64, time.Duration) string) {
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
			if after := now.Sub(start); after > patience {
				if text := line(m.Done.Load(), after); text != "" {
					shown = true
					io.WriteString(w, wipe+text)
				}
			}
		}
	}
}
