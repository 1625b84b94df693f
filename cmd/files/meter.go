package files

import (
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// patience is the time that work may take before its progress is shown.
const patience = time.Second

// wipe goes back to the start of the line, and empties it.
const wipe = "\r\x1b[K"

// Meter shows the progress of long work on a terminal. Again and again it writes the line for the amount done after a
// time, unless that line is empty. If shown is false, it writes nothing. The call of end removes the line.
func Meter(w io.Writer, shown bool, line func(int64, time.Duration) string) (done *atomic.Int64, end func()) {
	done = new(atomic.Int64)
	if !shown {
		return done, func() {}
	}
	var all sync.WaitGroup
	stop := make(chan struct{})
	all.Go(func() {
		start, said := time.Now(), false
		tick := time.NewTicker(patience / 10)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				if said {
					io.WriteString(w, wipe)
				}
				return
			case now := <-tick.C:
				after := now.Sub(start)
				if after <= patience {
					continue
				}
				if text := line(done.Load(), after); text != "" {
					said = true
					io.WriteString(w, wipe+text)
				}
			}
		}
	})
	return done, func() {
		close(stop)
		all.Wait()
	}
}
