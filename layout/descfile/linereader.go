package descfile

import (
	"bytes"
	"io"

	"layoutcalc/layout/rules"
)

// Limits of JSON Lines: bytes of a line, bytes that are read at once, and lines of a chunk, which
// may have some findings each.
const (
	MaxLine    = 1 << 20
	chunkBytes = 256 << 10
	chunkLines = 8192
)

// A chunk is some whole lines and what is found in them.
type chunk struct {
	data     []byte
	number   int  // how many lines are before it
	lines    int  // how many it has
	long     bool // it is a line that is too long, and was not kept
	findings []rules.Finding
	done     chan struct{}
}

// A lineReader cuts an input into chunks.
type lineReader struct {
	in     io.Reader
	rest   []byte // what was read behind the last chunk
	number int
	skip   bool // the line that was too long has not ended
	err    error
}

// failed returns the error that ended the input, if it was one.
func (r *lineReader) failed() error {
	if r.err == io.EOF {
		return nil
	}
	return r.err
}

// next fills the chunk; it reports false at the end of the input.
func (r *lineReader) next(c *chunk) bool {
	c.data, c.number, c.lines, c.long, c.findings = append(c.data[:0], r.rest...), r.number, 0, false, c.findings[:0]
	r.rest = r.rest[:0]
	for from := 0; ; {
		if r.skip {
			c.data = r.skipped(c.data)
		}
		end := bytes.IndexByte(c.data[min(from, len(c.data)):], '\n') + 1
		switch {
		case end > 0 || r.err != nil && len(c.data) > 0:
			r.cut(c)
			return true
		case r.err != nil:
			return false
		case len(c.data) > MaxLine:
			c.data, c.long, c.lines, r.skip = c.data[:0], true, 1, true
			r.number++
			return true
		}
		from = len(c.data)
		c.data = r.more(c.data)
	}
}

// skipped drops what is left of a line that was too long.
func (r *lineReader) skipped(data []byte) []byte {
	end := bytes.IndexByte(data, '\n') + 1
	if r.skip = end == 0; r.skip {
		return data[:0]
	}
	return data[:copy(data, data[end:])]
}

// more reads on behind the data. Of a stream that comes slowly it takes what there is.
func (r *lineReader) more(data []byte) []byte {
	if cap(data)-len(data) < chunkBytes/2 {
		data = append(make([]byte, 0, cap(data)+chunkBytes), data...)
	}
	for range 100 {
		n, err := r.in.Read(data[len(data):cap(data)])
		data, r.err = data[:len(data)+n], err
		if n > 0 || err != nil {
			return data
		}
	}
	r.err = io.ErrNoProgress
	return data
}

// cut keeps what is behind the last whole line for later, and what is behind so many lines.
func (r *lineReader) cut(c *chunk) {
	end := len(c.data)
	if r.err == nil || bytes.Count(c.data, []byte{'\n'}) > chunkLines {
		end = bytes.LastIndexByte(c.data, '\n') + 1
	}
	if c.lines = bytes.Count(c.data[:end], []byte{'\n'}); c.lines > chunkLines {
		c.lines, end = chunkLines, 0
		for range chunkLines {
			end += bytes.IndexByte(c.data[end:], '\n') + 1
		}
	}
	if end > 0 && c.data[end-1] != '\n' {
		c.lines++
	}
	r.rest = append(r.rest[:0], c.data[end:]...)
	c.data = c.data[:end]
	r.number += c.lines
}
