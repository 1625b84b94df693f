package input

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"io/fs"
	"math"
	"unicode/utf16"
	"unicode/utf8"

	"layoutcalc/layout/doctree"
)

// A Source is a file, or a stream such as standard input, before it is read.
type Source struct {
	Name    string      // its path, or what to call it; its ending may say what it is
	Stream  io.Reader   // nil for a regular file
	File    io.ReaderAt // a regular file
	Size    int64       // of File
	Beside  fs.FS       // its directory, for files that it names; nil where that is not known
	Turn    *Turn       // of the call that reads it; may be nil
	Foreign bool        // it may be of another program: a directory has it
}

// HasHeader reports whether the source is a regular file of which only the header is read.
func (s *Source) HasHeader() bool {
	return s.File != nil && headerFormat(s.Name, s.File, s.Size) != nil
}

// Reader returns what reads the source from its start.
func (s *Source) Reader() io.Reader {
	if s.File != nil {
		return io.NewSectionReader(s.File, 0, s.Size)
	}
	return s.Stream
}

// load reads a short file at once, of which not only the header is read.
func (s *Source) load() {
	const short = 64 << 10
	if s.File == nil || s.Size > short || IsHeaderName(s.Name) {
		return
	}
	data := make([]byte, s.Size)
	if n, _ := s.File.ReadAt(data, 0); n == len(data) {
		s.File = bytes.NewReader(data)
	}
}

// buffered is Reader with a buffer that need not hold more than a file has.
func (s *Source) buffered() *bufio.Reader {
	size := int64(4096)
	if s.File != nil {
		size = min(size, s.Size+1)
	}
	return bufio.NewReaderSize(s.Reader(), int(size))
}

// format returns the format of a file or of a stream, which r reads too, if its header is what is read.
func (s *Source) format(r *bufio.Reader) *format {
	if s.File != nil {
		return headerFormat(s.Name, s.File, s.Size)
	}
	start, _ := r.Peek(16)
	return headerFormat(s.Name, bytes.NewReader(start), math.MaxInt64) // how long the stream is, is not known
}

// maxHeader is how many bytes of a tensor file in a stream are kept: more than any header has.
const maxHeader = 101_000_000

// header returns the first bytes of a tensor file. One in a stream is read to its end, and becomes a File of what can
// be its header.
func (s *Source) header(r io.Reader) (start []byte, err error) {
	if s.File == nil {
		data, err := io.ReadAll(io.LimitReader(r, MaxText+1))
		if err == nil && len(data) > MaxText {
			head := make([]byte, maxHeader)
			var n int
			n, err = io.ReadFull(r, head[copy(head, data):])
			data = head[:len(data)+n]
			if err == io.EOF || err == io.ErrUnexpectedEOF {
				err = nil
			}
		}
		n, rest := int64(0), err
		if rest == nil {
			n, rest = io.Copy(io.Discard, r)
		}
		if rest != nil {
			return nil, ErrBroken
		}
		s.File, s.Size = bytes.NewReader(data), int64(len(data))+n
	}
	start = make([]byte, 64)
	n, _ := s.File.ReadAt(start, 0)
	return start[:n], nil
}

// isText reports whether a file starts like a text, and not like numbers.
func isText(start []byte) bool {
	if order(start) == nil {
		start = bytes.TrimLeft(start, " \t\r\n")
		isNumber := func(c rune) bool { return c < '\t' || c == utf8.RuneError }
		return len(start) > 0 && !bytes.ContainsFunc(start, isNumber)
	}
	text, _ := io.ReadAll(Decode(bufio.NewReader(bytes.NewReader(start[:len(start)&^1]))))
	return isText(text)
}

// order returns the order of the bytes of a text that starts like one of UTF-16: it is told by its mark, or else by its
// first character, which is one of ASCII. It is nil for other texts.
func order(start []byte) binary.ByteOrder {
	switch {
	case len(start) < 2:
	case start[0] == 0xFE && start[1] == 0xFF || start[0] == 0 && start[1] != 0:
		return binary.BigEndian
	case start[0] == 0xFF && start[1] == 0xFE || start[0] != 0 && start[1] == 0:
		return binary.LittleEndian
	}
	return nil
}

// Decode returns what reads a text in UTF-8. One in UTF-16, as PowerShell and Windows' editors write it, is decoded,
// without its mark; others are read as they are.
func Decode(r io.Reader) *bufio.Reader {
	in, ok := r.(*bufio.Reader)
	if !ok {
		in = bufio.NewReader(r)
	}
	start, _ := in.Peek(1)
	if string(start) != "\n" || in.Buffered() > 1 { // after a blank line a terminal has no more yet
		start, _ = in.Peek(2)
	}
	if order := order(start); order != nil {
		return bufio.NewReaderSize(&utf16Reader{in: in, order: order, first: true}, in.Size())
	}
	return in
}

// Words is Decode of a list of words: the mark of UTF-8 is left out too.
func Words(r io.Reader) *bufio.Reader {
	in := Decode(r)
	if start, _ := in.Peek(1); len(start) > 0 && start[0] == doctree.ByteOrderMark[0] {
		if start, _ = in.Peek(len(doctree.ByteOrderMark)); string(start) == doctree.ByteOrderMark {
			_, _ = in.Discard(len(doctree.ByteOrderMark))
		}
	}
	return in
}

// A utf16Reader reads a text of UTF-16 in UTF-8.
type utf16Reader struct {
	in    *bufio.Reader
	order binary.ByteOrder
	first bool   // nothing has been read
	high  rune   // the first half of a character of which the second is still to be read; 0 for none
	out   []byte // what is decoded and has not been returned
	err   error  // what ends the text
}

// Read returns what can be decoded without waiting for more.
func (u *utf16Reader) Read(p []byte) (n int, err error) {
	if len(u.out) == 0 {
		u.out = u.out[:0]
		for u.err == nil && (len(u.out) == 0 || u.in.Buffered() > 1 && len(u.out) < 4096) {
			u.decode()
		}
	}
	n = copy(p, u.out)
	if u.out = u.out[n:]; len(u.out) == 0 {
		err = u.err
	}
	return n, err
}

// decode decodes two bytes. What is not half of a character is replaced, as package utf16 does.
func (u *utf16Reader) decode() {
	var unit [2]byte
	n, err := io.ReadFull(u.in, unit[:])
	c := rune(u.order.Uint16(unit[:]))
	high := u.high
	u.high = 0
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	switch u.err = err; {
	case err == nil && high != 0 && 0xDC00 <= c && c < 0xE000:
		u.out = utf8.AppendRune(u.out, utf16.DecodeRune(high, c))
		return
	case high != 0 || n == 1:
		u.out = utf8.AppendRune(u.out, utf8.RuneError)
	}
	switch {
	case err != nil || u.first && c == 0xFEFF:
	case 0xD800 <= c && c < 0xDC00:
		u.high = c
	default:
		u.out = utf8.AppendRune(u.out, c)
	}
	u.first = false
}
