package cmd

import (
	"fmt"
	"io"
	"time"
)

// patience is how long work may take before the user is told how far it is.
const patience = time.Second

// A progress tells on a terminal how far work is that takes long.
type progress struct {
	w           io.Writer // nil when it is no terminal
	start, last time.Time
	done, all   int
}

// newProgress starts to count so many steps.
func (a *app) newProgress(all int) *progress {
	p := &progress{all: all, start: time.Now()}
	if _, ok := terminalWidth(a.streams.Err); ok {
		p.w = a.streams.Err
	}
	return p
}

// step counts a step.
func (p *progress) step() {
	p.done++
	if now := time.Now(); p.w != nil && now.Sub(p.start) > patience && now.Sub(p.last) > patience/10 {
		fmt.Fprintf(p.w, "\rchecked %d of %d", p.done, p.all)
		p.last = now
	}
}

// end wipes out what it has told.
func (p *progress) end() {
	if !p.last.IsZero() {
		io.WriteString(p.w, "\r\x1b[K")
	}
}
