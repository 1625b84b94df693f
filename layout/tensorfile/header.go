package tensorfile

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/wording"
)

const (
	maxHeader = 100_000_000 // bytes of a header: the limit of safetensors, used for all formats
	pieceSize = 64 << 10    // bytes that are read at once
)

// A headerReader reads a binary header from the start, in pieces, and never backwards. After its first error it moves
// to the end.
type headerReader struct {
	in    io.ReaderAt
	size  int64  // the size of the file
	end   int64  // the end of the readable bytes, at most size
	start int64  // the offset of the piece in the file
	piece []byte // the last piece read
	at    int    // the next byte in the piece
	buf   []byte // the memory for pieces
	fault error
}

func (r *headerReader) pos() int64  { return r.start + int64(r.at) }
func (r *headerReader) left() int64 { return r.end - r.pos() }

// endAt moves the end of the readable bytes back. Some bytes after it may have been read already.
func (r *headerReader) endAt(end int64) {
	r.end = end
	r.piece = r.piece[:min(int64(len(r.piece)), end-r.start)]
}

// fail records an error. A binary file has no lines, so the message states the byte.
func (r *headerReader) fail(at int64, format string, args ...any) {
	if r.fault == nil {
		r.fault = &doctree.Fault{Offset: int(at), Msg: fmt.Sprintf("byte %d: ", at) + fmt.Sprintf(format, args...)}
	}
	r.stop()
}

func (r *headerReader) stop() { r.start, r.piece, r.at = r.end, nil, 0 }

// more reports whether there is another byte, and reads the next piece if necessary.
func (r *headerReader) more() bool {
	if r.at < len(r.piece) {
		return true
	}
	if r.left() <= 0 {
		return false
	}
	r.start, r.at = r.pos(), 0
	if r.buf == nil {
		r.buf = make([]byte, min(pieceSize, r.left()))
	}
	r.piece = r.buf[:min(int64(len(r.buf)), r.left())]
	n, err := r.in.ReadAt(r.piece, r.start)
	switch {
	case n == len(r.piece):
		return true
	case err == io.EOF || err == nil:
		r.fail(r.start+int64(n), "the file ends here, but had %s before: it shrinks while it is read", inBytes(r.size))
	default:
		r.fault = err
		r.stop()
	}
	return false
}

// copy fills dst with the next bytes.
func (r *headerReader) copy(dst []byte) {
	missing := int64(len(dst)) - r.left()
	if missing > 0 && r.fault == nil {
		r.fail(r.end, "%s %s too early", r.ends(), inBytes(missing))
		r.cutOff()
	}
	for len(dst) > 0 && r.more() {
		n := copy(dst, r.piece[r.at:])
		dst, r.at = dst[n:], r.at+n
	}
}

// text returns the next n bytes, which the file must have.
func (r *headerReader) text(n int64) string {
	text := make([]byte, n)
	r.copy(text)
	return string(text)
}

// skip skips bytes that need not be read.
func (r *headerReader) skip(n int64) {
	if !r.claim(r.pos(), uint64(n), 1, "byte") {
		return
	}
	if n <= int64(len(r.piece)-r.at) {
		r.at += int(n)
		return
	}
	r.start, r.piece, r.at = r.pos()+n, nil, 0
}

// uint reads a little-endian number of at most 8 bytes.
func (r *headerReader) uint(bytes int) uint64 {
	var b [8]byte
	r.copy(b[:bytes])
	return binary.LittleEndian.Uint64(b[:])
}

// claim reports whether n items of at least the given number of bytes each fit in the rest of the file. The field that
// claims them is at byte at of the file. Messages call an item what.
func (r *headerReader) claim(at int64, n, bytes uint64, what string) bool {
	if r.fault == nil && n > uint64(r.left())/bytes {
		noun, of, _ := strings.Cut(what+" ", " ")
		claimed := strings.TrimSpace(wording.Count(n, noun) + " " + of)
		r.fail(at, "the file claims %s, but %s in %s", claimed, r.ends(), inBytes(r.left()))
		r.cutOff()
	}
	return r.fault == nil
}

// cutHint is the hint for a file that is shorter than its header states.
const cutHint = "download or copy the file again: it is cut off, or still being written"

// A cutOff is the error for a file that ends before its header does.
type cutOff struct{ *doctree.Fault }

// Unwrap returns the error, and an error with a hint.
func (c cutOff) Unwrap() []error {
	return []error{c.Fault, &layout.SyntaxError{Msg: c.Msg, Hint: cutHint}}
}

// cutOff adds a hint to the error if the whole file ends, and not only its header.
func (r *headerReader) cutOff() {
	if f, ok := r.fault.(*doctree.Fault); ok && r.end == r.size {
		r.fault = cutOff{f}
	}
}

// ends names the part that ends at r.end.
func (r *headerReader) ends() string {
	if r.end < r.size {
		return fmt.Sprintf("the header reaches its limit of %d bytes", maxHeader)
	}
	return "the file ends"
}

func inBytes(n int64) string { return wording.Count(n, "byte") }
