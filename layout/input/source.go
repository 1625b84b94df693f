package input

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/tensorfile"
)

// MaxText limits the bytes of a text file, because its tree uses several times as much memory. JSON Lines may have any
// length.
const MaxText = 32 << 20

// maxIndex limits the bytes of an index, which is read without a tree.
const maxIndex = 256 << 20

// ErrReadTwice is the error if two arguments read standard input.
var ErrReadTwice error = &lexer.SyntaxError{Msg: "standard input can be read once", Hint: "remove the second -"}

// refuseEndless returns the error for a source that may have no end and is longer than any header.
func refuseEndless() error {
	return lexer.Refuse("copy it to a file", "it is not a regular file, and has more than %d bytes", maxHeader)
}

// ErrBroken is the error for a source that cannot be read to its end.
var ErrBroken = errors.New("it cannot be read to its end")

// A Source is a file, or a stream such as standard input, that has not been read.
type Source struct {
	Name    string      // its path or a label; the ending may show its format
	Stream  io.Reader   // nil for a regular file
	File    io.ReaderAt // a regular file
	Size    int64       // of File
	Beside  fs.FS       // its directory, for files that it names; nil if it is unknown
	Around  Around      // opens other directories of the repository; nil if it is unknown
	Turn    *Turn       // the turn of the call that reads it; may be nil
	Foreign bool        // it was found in a directory, so it may belong to another program
	Endless bool        // it may be endless: it has a name, and is not a regular file

	metadata bool // the metadata of a tensor file is read too
}

// Around opens a directory by its path relative to the file's directory, if it is in the same repository. The error is
// a [*lexer.SyntaxError].
type Around func(dir string) (fs.FS, error)

// Reader returns a reader of the source from its start.
func (s *Source) Reader() io.Reader {
	if s.File != nil {
		return io.NewSectionReader(s.File, 0, s.Size)
	}
	return s.Stream
}

// buffered is like Reader, but with a buffer no larger than the file.
func (s *Source) buffered() *bufio.Reader {
	size := int64(4096)
	if s.File != nil {
		size = min(size, s.Size+1)
	}
	return bufio.NewReaderSize(s.Reader(), int(size))
}

// maxHeader limits the bytes that are kept of a tensor file in a stream. It exceeds the length of any header.
const maxHeader = 101_000_000

// spool turns a stream with a header into a file that has the start of the stream, and the size of the whole stream. If
// the source may be endless, it reads no further than the limit for headers.
func (s *Source) spool(r io.Reader) error {
	if s.File != nil {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(r, MaxText+1))
	if err == nil && len(data) > MaxText {
		rest := io.LimitReader(r, maxHeader-int64(len(data)))
		data, err = readAll(io.MultiReader(bytes.NewReader(data), rest), maxHeader)
	}
	var n int64
	switch {
	case err != nil:
	case s.Endless:
		n, err = io.CopyN(io.Discard, r, 1)
	default:
		n, err = io.Copy(io.Discard, r)
	}
	switch {
	case s.Endless && err == nil:
		return refuseEndless()
	case err != nil && err != io.EOF:
		return ErrBroken
	}
	s.File, s.Size = bytes.NewReader(data), int64(len(data))+n
	return nil
}

// readAll is like io.ReadAll, but allocates memory for the expected size first.
func readAll(r io.Reader, size int64) ([]byte, error) {
	var all bytes.Buffer
	all.Grow(int(max(size, 0)) + bytes.MinRead)
	_, err := all.ReadFrom(r)
	return all.Bytes(), err
}

// startOf returns up to n first bytes of a file.
func startOf(file io.ReaderAt, n int64) []byte {
	start := make([]byte, n)
	read, _ := file.ReadAt(start, 0)
	return start[:read]
}

// errAbsent is the error for a file that does not exist, as a phrase after its name.
var errAbsent = errors.New("is missing")

// annexed returns the substitute for a git-annex file that is a link to contents that are not checked out. It returns
// nil for other files.
func (s *Source) annexed(name string) *tensorfile.Substitute {
	if links, ok := s.Beside.(interface{ LinkOf(name string) string }); ok {
		return tensorfile.AnnexPointer(links.LinkOf(name))
	}
	return nil
}

// beside opens a file that s names by a path below its directory. The error is a phrase after the name.
func (s *Source) beside(name string) (part Source, end func(), err error) {
	info, err := fs.Stat(s.Beside, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if other := s.annexed(name); other != nil {
			return part, nil, other
		}
		return part, nil, errAbsent
	case err != nil:
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return part, nil, fmt.Errorf("cannot be opened: %w", err)
	case info.IsDir():
		return part, nil, errors.New("is a directory")
	case !info.Mode().IsRegular():
		return part, nil, errors.New("is not a regular file")
	}
	file, err := s.Beside.Open(name)
	if err != nil {
		return part, nil, errors.New("cannot be opened")
	}
	at, ok := file.(io.ReaderAt)
	if !ok {
		file.Close()
		return part, nil, errors.New("cannot be read at any place")
	}
	sub, _ := fs.Sub(s.Beside, path.Dir(name)) // the directory exists
	part = Source{Name: path.Join(s.directory(), name), File: at, Size: info.Size(), Beside: sub, Turn: s.Turn}
	return part, func() { file.Close() }, nil
}

// directory returns the directory of the source, as messages name it.
func (s *Source) directory() string {
	if i := strings.LastIndexAny(s.Name, `/\`); i >= 0 {
		return s.Name[:i+1]
	}
	return ""
}

// isText reports whether data starts like text, and not like binary numbers.
func isText(start []byte) bool {
	if order(start) != nil {
		start, _ = io.ReadAll(Decode(bytes.NewReader(start[:len(start)&^1])))
	}
	start = skip(start, " \t\r\n")
	isNumber := func(c rune) bool { return c < '\t' || c == utf8.RuneError }
	return len(start) > 0 && !bytes.ContainsFunc(start, isNumber)
}

// order returns the byte order of an input that starts like UTF-16, according to its byte order mark or to its first
// character, which must be ASCII. It returns nil for other encodings.
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

// Decode returns a reader of text in UTF-8. It decodes UTF-16, as written by PowerShell and Windows editors, without
// the byte order mark, and does not change other text.
func Decode(r io.Reader) *bufio.Reader {
	in, ok := r.(*bufio.Reader)
	if !ok {
		in = bufio.NewReader(r)
	}
	start, _ := in.Peek(1)
	if string(start) != "\n" || in.Buffered() > 1 { // after an empty line a terminal has no more yet
		start, _ = in.Peek(2)
	}
	order := order(start)
	if order == nil {
		return in
	}
	if order.Uint16(start) == 0xFEFF {
		_, _ = in.Discard(2)
	}
	return bufio.NewReaderSize(&utf16Reader{in: in, order: order}, in.Size())
}

// Words is like Decode, but reads a list of words, and also skips the byte order mark of UTF-8.
func Words(r io.Reader) *bufio.Reader {
	in := Decode(r)
	if start, _ := in.Peek(1); len(start) > 0 && start[0] == doctree.ByteOrderMark[0] {
		if start, _ = in.Peek(len(doctree.ByteOrderMark)); string(start) == doctree.ByteOrderMark {
			_, _ = in.Discard(len(doctree.ByteOrderMark))
		}
	}
	return in
}

// A utf16Reader converts UTF-16 text to UTF-8.
type utf16Reader struct {
	in    *bufio.Reader
	order binary.ByteOrder
	out   []byte // decoded bytes that have not been returned
	err   error  // the error after them
}

// Read returns the characters that it can decode without waiting for more, but waits for the second half of a surrogate
// pair. It replaces unpaired halves like package utf16.
func (u *utf16Reader) Read(p []byte) (n int, err error) {
	if len(u.out) == 0 && u.err == nil {
		var units []uint16
		isHigh := false // the last unit is the first half of a character
		for u.err == nil && (len(units) == 0 || isHigh || u.in.Buffered() > 1) {
			var unit [2]byte
			switch _, u.err = io.ReadFull(u.in, unit[:]); {
			case u.err == nil:
				units = append(units, u.order.Uint16(unit[:]))
				isHigh = units[len(units)-1]>>10 == 0xD800>>10
			case u.err == io.ErrUnexpectedEOF:
				if u.err = io.EOF; !isHigh {
					units = append(units, utf8.RuneError)
				}
			}
		}
		u.out = []byte(string(utf16.Decode(units)))
	}
	n = copy(p, u.out)
	if u.out = u.out[n:]; len(u.out) == 0 {
		err = u.err
	}
	return n, err
}
