package input

import (
	"bufio"
	"bytes"
	"io"

	"layoutcalc/layout/doctree"
)

// maxPeek limits the bytes that are read to recognize JSON Lines.
const maxPeek = 1 << 20

// startsLines reports whether a stream is JSON Lines, and returns a reader of the whole stream. It reads no more than
// it needs.
func startsLines(r *bufio.Reader, named bool) (*bufio.Reader, bool) {
	for {
		start, _ := r.Peek(r.Buffered())
		if is, known := isLines(start, false, named); known {
			return r, is
		}
		_, err := r.Peek(r.Buffered() + 1)
		switch {
		case err == bufio.ErrBufferFull && r.Size() < maxPeek:
			r = bufio.NewReaderSize(r, maxPeek)
		case err == bufio.ErrBufferFull:
			return r, named
		case err != nil:
			start, _ = r.Peek(r.Buffered())
			is, _ := isLines(start, true, named)
			return r, is
		}
	}
}

// isLines reports whether text is JSON Lines: its first line is an object but not a document, and there are other
// lines. A single descriptor with the names of a configuration is JSON Lines. If the name of the file promises JSON
// Lines, so is any descriptor, or an empty object. If all is false, start may be only the start of the text, and known
// reports whether that is enough to decide.
func isLines(start []byte, all, named bool) (is, known bool) {
	text := blankless(start)
	if len(text) == 0 || text[0] != '{' {
		return len(text) == 0 && all && named, all || len(text) > 0
	}
	first, rest, whole := bytes.Cut(text, []byte("\n"))
	if !whole && !all {
		return false, false
	}
	var t doctree.Tree
	if t.Line(first, 0) != nil {
		return false, true
	}
	line := t.Root()
	switch rest = skip(rest, " \t\r\n"); {
	case line.Has("tensors", "dispatchables", "resources", "commands", "schemaVersion", "digits", "globalDim"):
		return false, true
	case named && line.Has("sizes", "Sizes"):
		return true, true
	case len(rest) == 0:
		return line.Has("dtype") && line.Has("sizes") || named && line.Len() == 0, all
	case named:
		return true, true
	}
	return !isAny(rest[0], "/#-"), true // a comment, or the next YAML document
}

// lines tests whether a source or an argument is JSON Lines. It reads no more of a source than it needs.
func (c *candidate) lines() reader {
	is, named := false, c.says.Is(linesName)
	if c.left != nil {
		size := int64(MaxText) // for a stream
		if c.source.File != nil {
			size = min(size, c.source.Size)
		}
		c.source.Turn.Take(8 * size) // including the tree
		c.decode()
	}
	switch {
	case c.options.From != nil || c.says.Is(ConfigName) || c.isBare():
		return nil
	case c.left == nil:
		is, _ = isLines(c.Data, true, named)
	default:
		c.left, is = startsLines(c.left, named)
	}
	if is {
		return (*candidate).readLines
	}
	if named {
		c.own = (*candidate).readLines
	}
	return nil
}

// readLines prepares JSON Lines to be read.
func (c *candidate) readLines() error {
	c.Kind = Lines
	if c.Stream = c.left; c.left == nil {
		c.Stream = bytes.NewReader(c.Data)
	} else if len(c.Data) > 0 { // the text was first recognized as something else
		c.Stream = io.MultiReader(bytes.NewReader(c.Data), c.left)
	}
	if c.Data = nil; !c.source.Foreign {
		return nil
	}
	buffered := bufio.NewReaderSize(c.Stream, maxPeek)
	start, _ := buffered.Peek(maxPeek)
	c.Stream = buffered
	for line := range bytes.Lines(start) {
		var t doctree.Tree
		if !hasAny(line, "DataType", "dataType", "dtype") || t.JSON(line) != nil {
			continue
		}
		if line := t.Root(); line.Has("dtype") && line.Has("sizes") || isOurs(&t) {
			return nil
		}
	}
	return ErrForeign
}
