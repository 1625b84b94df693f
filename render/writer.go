package render

import (
	"bufio"
	"io"
	"strconv"
)

// A WriteError says that the output could not be written.
type WriteError struct {
	Name string // of the file, as [Quote] has it; empty for standard output
	Err  error
}

// Error returns the message of the failure beneath.
func (e *WriteError) Error() string { return e.What() + ": " + e.Err.Error() }

// What says what could not be written.
func (e *WriteError) What() string {
	if e.Name == "" {
		return "cannot write the output"
	}
	return "cannot write " + e.Name
}

// Unwrap returns the failure beneath.
func (e *WriteError) Unwrap() error { return e.Err }

// A writer buffers text and remembers the first failure, so that nobody has to ask after every
// write.
type writer struct {
	buf *bufio.Writer
	err error // a failure before anything was written
}

func newWriter(w io.Writer) *writer { return &writer{buf: bufio.NewWriterSize(w, 4<<10)} }

// Write makes the writer one for others. The failure is kept by the buffer.
func (w *writer) Write(b []byte) (int, error) { return w.buf.Write(b) }

func (w *writer) text(texts ...string) {
	for _, t := range texts {
		w.buf.WriteString(t)
	}
}

func (w *writer) line(texts ...string) {
	w.text(texts...)
	w.buf.WriteByte('\n')
}

func (w *writer) number(n int64) {
	w.buf.Write(strconv.AppendInt(w.buf.AvailableBuffer(), n, 10))
}

// failed reports whether a write failed, so that long loops can end.
func (w *writer) failed() bool {
	_, err := w.buf.Write(nil)
	return err != nil
}

// flush writes what is buffered and returns the first failure of all.
func (w *writer) flush() error {
	if w.err != nil {
		return &WriteError{Err: w.err}
	}
	if err := w.buf.Flush(); err != nil {
		return &WriteError{Err: err}
	}
	return nil
}
