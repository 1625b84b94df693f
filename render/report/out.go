package report

import (
	"bufio"
	"bytes"
	"io"
	"strconv"

	"layoutcalc/render"
)

// An out is a buffer that remembers the first failure.
type out struct{ *bufio.Writer }

func newOut(w io.Writer, size int) out { return out{bufio.NewWriterSize(w, size)} }

// failure returns the first failure of all.
func (o out) failure() error {
	if _, err := o.Write(nil); err != nil {
		return &render.WriteError{Err: err}
	}
	return nil
}

func (o out) text(texts ...string) {
	for _, t := range texts {
		o.WriteString(t)
	}
}

func (o out) number(n int) { o.Write(strconv.AppendInt(o.AvailableBuffer(), int64(n), 10)) }

// json writes a string of JSON.
func (o out) json(text string) { o.Write(render.AppendJSON(o.AvailableBuffer(), text)) }

// escaped writes a text in which some bytes are to be others.
func (o out) escaped(text string, escape func(byte) string) {
	from := 0
	for i := range len(text) {
		if e := escape(text[i]); e != "" {
			o.text(text[from:i], e)
			from = i + 1
		}
	}
	o.text(text[from:])
}

// maxHeld limits what is kept of a report.
const maxHeld = 64 << 20

// A hold keeps text until it is wanted, in pieces: none is copied to make room.
type hold struct {
	pieces [][]byte
	size   int
}

// Write keeps a copy of b.
func (h *hold) Write(b []byte) (int, error) {
	h.pieces = append(h.pieces, bytes.Clone(b))
	h.size += len(b)
	return len(b), nil
}

func (h *hold) full() bool { return h.size >= maxHeld }

// release writes what was kept, and forgets it.
func (h *hold) release(o out) {
	for _, piece := range h.pieces {
		o.Write(piece)
	}
	*h = hold{}
}
