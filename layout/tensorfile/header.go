package tensorfile

import (
	"layoutcalc/layout/doctree"

	"encoding/binary"
	"fmt"
	"io"
	"strconv"
)

// Limits of what is read of a tensor file.
const (
	maxHeader   = 100_000_000 // bytes of a header: safetensors' own limit, held to by the other formats too
	maxTensors  = 200_000
	maxSizes    = 4_000_000 // of all tensors together
	maxNameKept = 4096      // bytes of a name; the rest is passed over
	pieceSize   = 64 << 10  // bytes that are read at once
)

// A headerReader reads a binary header from its start on, in pieces, and never backwards. Its
// first fault sticks, and moves it to the end.
type headerReader struct {
	in    io.ReaderAt
	size  int64  // of the file
	end   int64  // what may be read, at most size
	start int64  // where the piece lies in the file
	piece []byte // what is read last
	at    int    // the next byte in it
	room  []byte // what pieces are read into
	fault error
}

func (r *headerReader) pos() int64  { return r.start + int64(r.at) }
func (r *headerReader) left() int64 { return r.end - r.pos() }

// endAt moves the end of what may be read, which some of is read already, to the front.
func (r *headerReader) endAt(end int64) {
	r.end = end
	r.piece = r.piece[:min(int64(len(r.piece)), end-r.start)]
}

// fail notes a fault. A binary file has no lines: the message says at which byte it is.
func (r *headerReader) fail(at int64, format string, args ...any) {
	if r.fault == nil {
		r.fault = &doctree.Fault{Offset: int(at), Msg: fmt.Sprintf("byte %d: ", at) + fmt.Sprintf(format, args...)}
	}
	r.stop()
}

func (r *headerReader) stop() { r.start, r.piece, r.at = r.end, nil, 0 }

// more reports whether there is another byte, and reads the next piece if need be.
func (r *headerReader) more() bool {
	if r.at < len(r.piece) {
		return true
	}
	if r.left() <= 0 {
		return false
	}
	r.start, r.at = r.pos(), 0
	if r.room == nil {
		r.room = make([]byte, min(pieceSize, r.left()))
	}
	r.piece = r.room[:min(int64(len(r.room)), r.left())]
	n, err := r.in.ReadAt(r.piece, r.start)
	switch {
	case n == len(r.piece):
		return true
	case err == io.EOF || err == nil:
		r.fail(r.start+int64(n), "the file ends here, but had %s before: it shrinks while it is read", byteCount(r.size))
	default:
		r.fault = err
		r.stop()
	}
	return false
}

// peek returns the next byte, 0 at the end.
func (r *headerReader) peek() byte {
	if r.more() {
		return r.piece[r.at]
	}
	return 0
}

// copy fills dst with the next bytes.
func (r *headerReader) copy(dst []byte) {
	missing := int64(len(dst)) - r.left()
	if missing > 0 {
		r.fail(r.end, "%s %s too early", r.ends(), byteCount(missing))
	}
	for len(dst) > 0 && r.more() {
		n := copy(dst, r.piece[r.at:])
		dst, r.at = dst[n:], r.at+n
	}
}

// skip steps over bytes that need not be read.
func (r *headerReader) skip(n int64) {
	if !r.claim(r.pos(), uint64(n), 1, "bytes") {
		return
	}
	if n <= int64(len(r.piece)-r.at) {
		r.at += int(n)
		return
	}
	r.start, r.piece, r.at = r.pos()+n, nil, 0
}

// uint reads a little-endian number of 8 bytes at most.
func (r *headerReader) uint(bytes int) uint64 {
	var b [8]byte
	r.copy(b[:bytes])
	return binary.LittleEndian.Uint64(b[:])
}

// claim reports whether n things of at least so many bytes can lie in what is left. The field
// that claims them is at the given byte.
func (r *headerReader) claim(at int64, n, bytes uint64, what string) bool {
	if r.fault == nil && n > uint64(r.left())/bytes {
		r.fail(at, "%d %s are claimed, but %s in %s", n, what, r.ends(), byteCount(r.left()))
	}
	return r.fault == nil
}

// ends says what comes to its end.
func (r *headerReader) ends() string {
	if r.end < r.size {
		return fmt.Sprintf("the header reaches its limit of %d bytes", maxHeader)
	}
	return "the file ends"
}

// A byteCount is written with its unit, if it is written at all.
type byteCount int64

func (n byteCount) String() string {
	if n == 1 {
		return "1 byte"
	}
	return strconv.FormatInt(int64(n), 10) + " bytes"
}
