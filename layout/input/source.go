package input

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
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

// maxHeader is how many bytes of a tensor file in a stream are kept: more than any header has.
const maxHeader = 101_000_000

// spool makes a file of a stream of which only the header is read: of its start, with the size of all of it.
func (s *Source) spool(r io.Reader) error {
	if s.File != nil {
		return nil
	}
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
	n := int64(0)
	if err == nil {
		n, err = io.Copy(io.Discard, r)
	}
	if err != nil {
		return ErrBroken
	}
	s.File, s.Size = bytes.NewReader(data), int64(len(data))+n
	return nil
}

// startsText reports whether a file starts like a text, and not like numbers.
func (s *Source) startsText() bool {
	start := make([]byte, 64)
	n, _ := s.File.ReadAt(start, 0)
	return isText(start[:n])
}

// beside opens a file that another one names by a path below its directory. The error says what is wrong with the
// path, in words that follow the name.
func (s *Source) beside(name string) (part Source, end func(), err error) {
	info, err := s.regular(name)
	if err != nil {
		return part, nil, err
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
	sub, err := fs.Sub(s.Beside, path.Dir(name))
	if err != nil {
		sub = nil
	}
	part = Source{Name: path.Join(s.directory(), name), File: at, Size: info.Size(), Beside: sub, Turn: s.Turn}
	return part, func() { file.Close() }, nil
}

// regular tells of a file that beside opens, or why it does not.
func (s *Source) regular(name string) (fs.FileInfo, error) {
	info, err := fs.Stat(s.Beside, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New("is missing")
	case err != nil:
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return nil, fmt.Errorf("cannot be opened: %w", err)
	case info.IsDir():
		return nil, errors.New("is a directory")
	case !info.Mode().IsRegular():
		return nil, errors.New("is not a regular file")
	}
	return info, nil
}

// directory returns the directory of the source, as messages name it.
func (s *Source) directory() string {
	if i := strings.LastIndexAny(s.Name, `/\`); i >= 0 {
		return s.Name[:i+1]
	}
	return ""
}
