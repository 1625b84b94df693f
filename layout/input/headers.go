package input

import (
	"bytes"
	"io"
	"math"

	"layoutcalc/layout/rules"
	"layoutcalc/layout/tensorfile"
)

// A header is one of the formats of files of which only the header is read.
type header struct {
	is   func(name string, file io.ReaderAt, size int64) bool // the name or the first bytes say so
	read func(s *Source) (*rules.File, error)
}

var headers = [...]header{
	{tensorfile.Is, tensorFile},
	{IsModel, modelFile},
}

// tensorFile reads the header of a tensor file.
func tensorFile(s *Source) (*rules.File, error) {
	return tensorfile.Read(s.Name, taking{s.File, s.Turn}, s.Size)
}

// headerOf returns the format of a file of which the header is read, nil for others.
func headerOf(name string, file io.ReaderAt, size int64) *header {
	for i := range headers {
		if h := &headers[i]; h.is(name, file, size) {
			return h
		}
	}
	return nil
}

// HasHeader reports whether the source is a regular file of which only the header is read.
func (s *Source) HasHeader() bool { return s.File != nil && headerOf(s.Name, s.File, s.Size) != nil }

// isHeader reports whether only the header of the source is read. A file that starts like a text, and has nothing of
// the format but the name, is a text.
func (c *candidate) isHeader() bool {
	s := &c.source
	if c.left == nil || c.options.From != nil {
		return false
	}
	if s.File != nil {
		c.header = headerOf(s.Name, s.File, s.Size)
	} else {
		start, _ := c.left.Peek(16)
		c.header = headerOf(s.Name, bytes.NewReader(start), math.MaxInt64) // how long the stream is, is not known
	}
	if c.header == nil {
		return false
	}
	if c.broken = s.spool(c.left); c.broken != nil || !s.startsText() || c.header.is("", s.File, s.Size) ||
		tensorfile.FindSubstitute(s.File, s.Size, true) != nil {
		return true
	}
	c.left, c.own = s.buffered(), (*candidate).readHeader
	return false
}

// readHeader reads the header of the source.
func (c *candidate) readHeader() (*Input, error) {
	in := c.input(TensorFile)
	if in.Data = nil; c.broken != nil {
		return in, c.broken
	}
	f, err := c.header.read(&c.source)
	if err == nil {
		in.Files = []*rules.File{f}
	}
	return in, err
}
