package protobuf

import (
	"fmt"
	"io"

	"layoutcalc/layout/wording"
)

// Limits of reading.
const (
	firstPiece = 4 << 10  // bytes that are read after a skip
	largePiece = 64 << 10 // bytes that are read at once without skips
	maxNesting = 100      // messages in messages, as in other protobuf readers
	maxText    = 64 << 10 // bytes of a string that are kept
	MaxVarint  = 10       // bytes of a number
	MaxCounted = 16 << 20 // bytes of variable-length numbers that are counted
)

// A Reader reads a file by offset, in pieces. It keeps its first error, and reads nothing after it.
type Reader struct {
	In   io.ReaderAt
	Size int64
	Err  error // an error from In

	Fault   string // the error in the bytes, or empty
	FaultAt int64
	Deep    bool // the error is that messages are nested too deeply

	Unknown      int    // the number of fields that the schema does not have
	FirstUnknown string // the number and the offset of one of them

	base  int64  // the position of the piece
	piece []byte // the bytes that were read last
	buf   []byte // the memory for pieces
}

// Fail records an error in the bytes at an offset.
func (r *Reader) Fail(at int64, format string, args ...any) {
	if r.Fault == "" {
		r.Fault, r.FaultAt = fmt.Sprintf(format, args...), at
	}
}

// Failed reports whether there is an error.
func (r *Reader) Failed() bool { return r.Fault != "" || r.Err != nil }

// at returns the byte at an offset before the end of the file.
func (r *Reader) at(pos int64) byte {
	if i := pos - r.base; i >= 0 && i < int64(len(r.piece)) {
		return r.piece[i]
	}
	n := int64(firstPiece)
	if end := r.base + int64(len(r.piece)); pos >= end && pos < end+firstPiece {
		n = min(int64(2*len(r.piece)), largePiece)
	}
	if !r.read(pos, max(n, firstPiece)) {
		return 0
	}
	return r.piece[0]
}

// read reads a piece of at most n bytes at an offset.
func (r *Reader) read(pos, n int64) bool {
	n = min(n, r.Size-pos)
	if int64(len(r.buf)) < n {
		r.buf = make([]byte, n)
	}
	r.base, r.piece = pos, r.buf[:n]
	got, err := r.In.ReadAt(r.piece, pos)
	switch {
	case got == len(r.piece):
		return true
	case err == io.EOF || err == nil:
		r.Fail(pos+int64(got), "the file ends here, but had %s before: it shrinks while it is read",
			wording.Count(r.Size, "byte"))
	default:
		r.Err = err
	}
	r.piece = nil
	return false
}

// A wireType is the encoding of the value of a field.
type wireType uint8

// The wire types, except the two for groups, which are not supported.
const (
	varint    wireType = 0
	fixed64   wireType = 1
	delimited wireType = 2
	fixed32   wireType = 5
)

// Is reports whether the first byte of a file can be the tag of a variable-length number or of bytes. Few text files
// start with such a byte.
func Is(in io.ReaderAt) bool {
	var tag [1]byte
	n, _ := in.ReadAt(tag[:], 0)
	wire := wireType(tag[0] & 7)
	return n == 1 && (wire == varint || wire == delimited)
}

// A Cursor goes through the fields of a message in a file.
type Cursor struct {
	*Reader
	Message *Message
	Strict  bool // an unknown field ends the message
	Again   bool // the message is read again: its unknown fields have been counted

	// The field that was read last.
	Field *Field
	At    int64  // the position of its tag
	Value uint64 // the value of a number of variable length
	From  int64  // the position of its value, without the length of bytes
	To    int64  // the end of its value

	Start  int64 // the position of the tag before the message
	End    int64 // the end of the message
	pos    int64 // the position of the next field
	depth  int
	number uint64
	wire   wireType
}

// Message returns a cursor on the whole file as a message.
func (r *Reader) Message(m *Message) Cursor { return Cursor{Reader: r, Message: m, End: r.Size} }

// Part returns a cursor on the fields of a message between two offsets.
func (r *Reader) Part(m *Message, from, to int64) Cursor {
	return Cursor{Reader: r, Message: m, pos: from, End: to}
}

// Next reads the next field that the schema has, and counts the unknown fields before it.
func (c *Cursor) Next() bool {
	for c.pos < c.End && !c.Failed() {
		c.At, c.Field = c.pos, nil
		tag := c.uvarint("the number of a field")
		c.number, c.wire = tag>>3, wireType(tag&7)
		if fields := c.Message.Fields(); c.number <= maxNumber && c.Message.numbered[c.number] > 0 {
			c.Field = fields[c.Message.numbered[c.number]-1]
		}
		c.From = c.pos
		switch c.wire {
		case varint:
			c.Value = c.uvarint("a number")
		case fixed64:
			c.fixed(8)
		case fixed32:
			c.fixed(4)
		case delimited:
			c.span()
		default:
			c.Fail(c.At, "wire type %d, which %s does not have", c.wire, c.Message.Name)
		}
		if c.wire != delimited {
			c.To = c.pos
		}
		if c.number == 0 {
			c.Fail(c.At, "the number of a field is 0")
		}
		switch {
		case c.Failed():
			return false
		case c.Field != nil && c.Field.wires>>c.wire&1 != 0:
			return true
		case c.Again:
			continue
		case c.Unknown == 0:
			c.FirstUnknown = fmt.Sprintf("number %d of %s, at byte %d", c.number, c.Message.Name, c.At)
		}
		if c.Unknown++; c.Strict {
			return false
		}
	}
	return false
}

// uvarint reads a number of up to 10 bytes.
func (c *Cursor) uvarint(what string) (n uint64) {
	i := uint64(c.pos - c.base)
	if piece := c.piece; i < uint64(len(piece)) && piece[i] < 0x80 && c.pos < c.End {
		c.pos++ // most numbers are one byte in the piece
		return uint64(piece[i])
	}
	for i := range MaxVarint {
		if c.pos >= c.End {
			c.Fail(c.At, "%s goes beyond the end of its %s, at byte %d", what, c.Message.Name, c.End)
			return 0
		}
		b := c.at(c.pos)
		c.pos++
		n |= uint64(b&0x7F) << (7 * i)
		if b < 0x80 {
			return n
		}
	}
	c.Fail(c.At, "%s has more than %d bytes", what, MaxVarint)
	return 0
}

// fixed skips a number of n bytes.
func (c *Cursor) fixed(n int64) {
	if c.End-c.pos < n {
		c.Fail(c.At, "a number of %s goes beyond the end of its %s, at byte %d", wording.Count(n, "byte"),
			c.Message.Name,
			c.End)
	}
	c.pos += n
}

// span reads the length of a field of bytes, and skips them.
func (c *Cursor) span() {
	n := c.uvarint("a length")
	left := c.End - c.pos
	c.From, c.To = c.pos, c.End
	if n > uint64(left) && !c.Failed() {
		where := "its " + c.Message.Name
		if c.End == c.Size {
			where = "the file"
		}
		c.Fail(c.At, "field %d of %s claims %s, but %d are left of %s", c.number, c.Message.Name,
			wording.Count(n, "byte"),
			left, where)
		return
	}
	c.To = c.pos + int64(n)
	c.pos = c.To
}

// Inner returns a cursor on the message in the field.
func (c *Cursor) Inner() Cursor {
	if c.depth+1 > maxNesting && !c.Failed() {
		c.Deep = true
		c.Fail(c.At, "messages nest deeper than %d levels", maxNesting)
	}
	return Cursor{
		Reader: c.Reader, Message: c.Field.Message, Start: c.At, End: c.To, pos: c.From, depth: c.depth + 1,
	}
}

// ReadText returns up to maxText bytes of the field.
func (c *Cursor) ReadText() string {
	end := min(c.To, c.From+maxText)
	var out []byte
	for pos := c.From; pos < end; pos = c.From + int64(len(out)) {
		bytes := c.window(pos, end)
		if c.Failed() {
			return ""
		}
		out = append(out, bytes...)
	}
	return string(out)
}

// window returns contiguous bytes starting at an offset, up to an end.
func (c *Cursor) window(pos, end int64) []byte {
	if c.at(pos); c.Failed() {
		return nil
	}
	bytes := c.piece[pos-c.base:]
	return bytes[:min(int64(len(bytes)), end-pos)]
}

// CountValues returns the number of values in this piece of the field, or -1 for more than MaxCounted bytes of
// variable-length numbers. It fails if the last number goes beyond the end.
func (c *Cursor) CountValues() (n int64) {
	switch size := c.To - c.From; {
	case c.wire != delimited || c.Field.wires == 1<<delimited:
		return 1
	case c.Field.wires>>fixed32&1 != 0:
		return c.countFixed(size, 4)
	case c.Field.wires>>fixed64&1 != 0:
		return c.countFixed(size, 8)
	case size > MaxCounted:
		return -1
	}
	last := byte(0)
	for pos := c.From; pos < c.To; {
		bytes := c.window(pos, c.To)
		if c.Failed() {
			return 0
		}
		for _, last = range bytes {
			if last < 0x80 {
				n++
			}
		}
		pos += int64(len(bytes))
	}
	if last >= 0x80 {
		c.Fail(c.At, "the last number of field %d of %s goes beyond its end", c.number, c.Message.Name)
	}
	return n
}

// countFixed returns the number of values of a width in the bytes of the field.
func (c *Cursor) countFixed(size, width int64) int64 {
	if size%width != 0 {
		c.Fail(c.At, "field %d of %s has %s, which are not a multiple of %d", c.number, c.Message.Name,
			wording.Count(size,
				"byte"),
			width)
	}
	return size / width
}

// Ints appends the numbers of the field to a list until it has most of them.
func (c *Cursor) Ints(list []int64, most int) []int64 {
	if c.wire == varint {
		return append(list, int64(c.Value))[:min(len(list)+1, most)]
	}
	in := *c
	in.pos, in.End = c.From, c.To
	for in.pos < in.End && len(list) < most && !c.Failed() {
		list = append(list, int64(in.uvarint("a number")))
	}
	return list
}
