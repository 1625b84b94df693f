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

// Meter shows on a terminal how far work is, once it takes long: again and again it writes the line for how much is
// done after some time, unless that is empty. Nothing is written if shown is false. The call of end removes the line.
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
