package cmd

import (
	"fmt"
	"io"
	"time"
)

// patience is how long work may take before the user is told how far it is.
const patience = time.Second

// wipe goes back to the start of the line, and empties it.
const wipe = "\r\x1b[K"

// A progress tells on a terminal how far work is that takes long: how many inputs are done or,
// when there is only one, how many lines of it.
type progress struct {
	w           io.Writer // nil when it is no terminal
	start, last time.Time
	done, all   int
}

// newProgress starts to count so many inputs.
func (a *app) newProgress(all int) *progress {
	p := &progress{all: all, start: time.Now()}
	if _, ok := terminalWidth(a.streams.Err); ok {
		p.w = a.streams.Err
	}
	return p
}

// step counts an input.
func (p *progress) step() {
	p.done++
	p.tell("checked %d of %d", p.done, p.all)
}

// lines tells how many lines are done, if they are all that there is.
func (p *progress) lines(n int) {
	if p.all == 1 {
		p.tell("checked %d lines", n)
	}
}

// tell tells it not too often, and not of short work.
func (p *progress) tell(format string, args ...any) {
	if now := time.Now(); p.w != nil && now.Sub(p.start) > patience && now.Sub(p.last) > patience/10 {
		fmt.Fprintf(p.w, "\r"+format, args...)
		p.last = now
	}
}

// end wipes out what it has told.
func (p *progress) end() {
	if !p.last.IsZero() {
		io.WriteString(p.w, wipe)
	}
}
