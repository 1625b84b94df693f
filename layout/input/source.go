package input

import (
	"bufio"
	"bytes"
	"io"
	"math"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/tensorfile"
)

// A Source is a file, or a stream such as standard input, before it is read.
type Source struct {
	Name    string      // its path, or what to call it; its ending may say what it is
	Stream  io.Reader   // nil for a regular file
	File    io.ReaderAt // a regular file
	Size    int64       // of File
	Foreign bool        // it may be of another program: a directory has it
}

// IsTensorFile reports whether the source is a regular file of which only the header is read.
func (s *Source) IsTensorFile() bool {
	return s.File != nil && tensorfile.Is(s.Name, s.File, s.Size)
}

func (s *Source) reader() io.Reader {
	if s.File != nil {
		return io.NewSectionReader(s.File, 0, s.Size)
	}
	return s.Stream
}

// startsTensorFile reports whether a stream that starts with the data is a tensor file.
func startsTensorFile(name string, data []byte) bool {
	size := int64(len(data))
	if size > MaxText {
		size = math.MaxInt64 // how long the stream is, is not known
	}
	return tensorfile.Is(name, bytes.NewReader(data), size)
}

// maxHeader is how many bytes of a tensor file in a stream are kept: more than any header has.
const maxHeader = 101_000_000

// spool reads a tensor file in a stream to its end, of which the data is the beginning, and keeps
// what can be its header.
func spool(data []byte, rest io.Reader) (file io.ReaderAt, size int64, err error) {
	if len(data) > MaxText {
		head := make([]byte, maxHeader)
		n, err := io.ReadFull(rest, head[copy(head, data):])
		data = head[:len(data)+n]
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return nil, 0, ErrBroken
		}
	}
	n, err := io.Copy(io.Discard, rest)
	if err != nil {
		return nil, 0, ErrBroken
	}
	return bytes.NewReader(data), int64(len(data)) + n, nil
}

// isLines reports whether a text is JSON Lines: its first two lines are an object each.
func isLines(text []byte) bool {
	first, rest, ok := bytes.Cut(bytes.TrimLeft(text, byteOrderMark+" \t\r\n"), []byte("\n"))
	rest = bytes.TrimLeft(rest, " \t\r\n")
	if !ok || len(first) == 0 || first[0] != '{' || len(rest) == 0 || rest[0] != '{' {
		return false
	}
	var t doctree.Tree
	return t.JSON(first) == nil
}

// lines prepares JSON Lines to be read.
func (in *Input) lines(r io.Reader, foreign bool) error {
	in.Kind, in.Stream = Lines, r
	if !foreign {
		return nil
	}
	buffered := bufio.NewReaderSize(r, 1<<20)
	start, _ := buffered.Peek(1 << 20)
	in.Stream = buffered
	if line, _, _ := bytes.Cut(start, []byte("\n")); !bytes.Contains(line, []byte("DataType")) && !bytes.Contains(line, []byte("dtype")) {
		return ErrForeign
	}
	return nil
}
