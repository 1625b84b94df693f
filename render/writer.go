package render

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"strconv"
	"syscall"
)

// A WriteError says that the output could not be written.
type WriteError struct {
	Name string // of the file, as [Quote] has it; empty for standard output
	Err  error
}

// WriteFailed returns a WriteError of the file with that name, or nil if err is nil.
func WriteFailed(name string, err error) error {
	if err == nil {
		return nil
	}
	return &WriteError{Name: name, Err: err}
}

// Error returns what could not be written and the error beneath.
func (e *WriteError) Error() string { return e.what() + ": " + e.Err.Error() }

// Message is Error for the user: why it could not be written is said in the system's words, if it is an error of the
// system, and left out otherwise.
func (e *WriteError) Message() string { return e.what() + Errno(e.Err) }

func (e *WriteError) what() string {
	if e.Name == "" {
		return "cannot write the output"
	}
	return "cannot write " + e.Name
}

// Unwrap returns the error beneath.
func (e *WriteError) Unwrap() error { return e.Err }

// Errno returns a colon and the system's words for an error, or nothing if the error is not one of the system.
func Errno(err error) string {
	var number syscall.Errno
	if !errors.As(err, &number) {
		return ""
	}
	return ": " + number.Error()
}

// Unreadable says why a file cannot be read.
func Unreadable(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "there is no such file"
	case errors.Is(err, fs.ErrPermission):
		return "there is no permission to read it"
	}
	return "it cannot be read"
}

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
