package onnx

import (
	"encoding/binary"
	"fmt"
	"io"

	"layoutcalc/layout/scan"
)

// Limits of what is read at once, and of how deep messages nest.
const (
	firstPiece = 4 << 10  // bytes that are read where something was skipped
	largePiece = 64 << 10 // bytes that are read at once where nothing is
	maxDepth   = 64
	maxVarint  = 10 // bytes
)

// A window reads a file by position, some bytes of it at a time. Its first fault is kept: nothing is read after it.
type window struct {
	in    io.ReaderAt
	size  int64
	base  int64 // where the piece starts
	piece []byte
	buf   []byte
	err   error // of the file

	bad   string // what is wrong with the bytes; empty if nothing is
	badAt int64

	unknown   int    // fields that the format does not have
	unknownIs string // the first of them
}

// fail notes that the bytes are wrong.
func (w *window) fail(at int64, format string, args ...any) {
	if w.bad == "" {
		w.bad, w.badAt = fmt.Sprintf(format, args...), at
	}
}

func (w *window) failed() bool { return w.bad != "" || w.err != nil }

// at returns the byte of the file at a position, which the file has.
func (w *window) at(pos int64) byte {
	if i := pos - w.base; i >= 0 && i < int64(len(w.piece)) {
		return w.piece[i]
	}
	n := int64(firstPiece)
	if end := w.base + int64(len(w.piece)); pos >= end && pos < end+firstPiece {
		n = min(int64(2*len(w.piece)), largePiece)
	}
	if !w.read(pos, max(n, firstPiece)) {
		return 0
	}
	return w.piece[0]
}

// read makes the piece the bytes at a position, at most n of them.
func (w *window) read(pos, n int64) bool {
	n = min(n, w.size-pos)
	if int64(len(w.buf)) < n {
		w.buf = make([]byte, n)
	}
	w.base, w.piece = pos, w.buf[:n]
	got, err := w.in.ReadAt(w.piece, pos)
	switch {
	case got == len(w.piece):
		return true
	case err == io.EOF || err == nil:
		w.fail(pos+int64(got), "the file ends here, but had %s before: it shrinks while it is read",
			scan.Count(w.size, "byte"))
	default:
		w.err = err
	}
	w.piece = nil
	return false
}

// A wireType says how the value of a field is written.
type wireType uint8

// The wire types of protobuf. Groups, which have two, are not part of ONNX.
const (
	varint    wireType = 0
	fixed64   wireType = 1
	delimited wireType = 2
	fixed32   wireType = 5
)

// A message is a part of the file that is a message of some kind, and the last of its fields that was read.
type message struct {
	*window
	kind  *kind
	pos   int64 // of the next field
	end   int64
	depth int
	again bool // the message is read once more: its unknown fields have been counted
	only  bool // an unknown field ends it

	tagAt  int64 // of the field
	number uint64
	typ    wireType
	value  uint64 // of a number
	from   int64  // of what comes after the tag, and after the length of bytes
	to     int64
}

// next reads the next field that messages of the kind have. Those that they do not have are counted.
func (m *message) next() bool {
	for m.pos < m.end && !m.failed() {
		m.tagAt = m.pos
		tag := m.uvarint("the number of a field")
		m.number, m.typ = tag>>3, wireType(tag&7)
		m.from = m.pos
		switch m.typ {
		case varint:
			m.value = m.uvarint("a number")
		case fixed64:
			m.value = m.fixed(8)
		case fixed32:
			m.value = m.fixed(4)
		case delimited:
			m.span()
		default:
			m.fail(m.tagAt, "wire type %d, which %s does not have", m.typ, m.kind.name)
		}
		if m.typ != delimited {
			m.to = m.pos
		}
		if m.number == 0 {
			m.fail(m.tagAt, "the number of a field is 0")
		}
		if m.failed() {
			return false
		}
		if m.kind.has(m.number, m.typ) {
			return true
		}
		if m.again {
			continue
		}
		if m.unknown == 0 {
			m.unknownIs = fmt.Sprintf("number %d of %s, at byte %d", m.number, m.kind.name, m.tagAt)
		}
		if m.unknown++; m.only {
			return false
		}
	}
	return false
}

// uvarint reads a number of up to 10 bytes.
func (m *message) uvarint(what string) (n uint64) {
	for i := range maxVarint {
		if m.pos >= m.end {
			m.fail(m.tagAt, "%s goes beyond the end of its %s, at byte %d", what, m.kind.name, m.end)
			return 0
		}
		b := m.at(m.pos)
		m.pos++
		n |= uint64(b&0x7F) << (7 * i)
		if b < 0x80 {
			return n
		}
	}
	m.fail(m.tagAt, "%s has more than %d bytes", what, maxVarint)
	return 0
}

// fixed reads a number of that many bytes.
func (m *message) fixed(n int64) uint64 {
	if m.end-m.pos < n {
		m.fail(m.tagAt, "a number of %d bytes goes beyond the end of its %s, at byte %d", n, m.kind.name, m.end)
		return 0
	}
	var b [8]byte
	for i := range n {
		b[i] = m.window.at(m.pos + i)
	}
	m.pos += n
	return binary.LittleEndian.Uint64(b[:])
}

// span finds where the bytes of a field are, and moves after them.
func (m *message) span() {
	n := m.uvarint("a length")
	left := m.end - m.pos
	m.from, m.to = m.pos, m.end
	if n > uint64(left) && !m.failed() {
		where := "its " + m.kind.name
		if m.end == m.size {
			where = "the file"
		}
		m.fail(m.tagAt, "field %d of %s claims %d bytes, but %d are left of %s",
			m.number, m.kind.name, n, left, where)
		return
	}
	m.to = m.pos + int64(n)
	m.pos = m.to
}

// inner returns the message of a kind that the field is.
func (m *message) inner(k *kind) message {
	if m.depth+1 > maxDepth {
		m.fail(m.tagAt, "messages nest deeper than %d levels", maxDepth)
	}
	return message{window: m.window, kind: k, pos: m.from, end: m.to, depth: m.depth + 1}
}

// maxText is how many bytes of a text are kept.
const maxText = 64 << 10

// text returns the field's bytes, as many as are kept.
func (m *message) text() string {
	end := min(m.to, m.from+maxText)
	var out []byte
	for pos := m.from; pos < end; pos = m.from + int64(len(out)) {
		if m.at(pos); m.failed() {
			return ""
		}
		part := m.piece[pos-m.base:]
		out = append(out, part[:min(int64(len(part)), end-pos)]...)
	}
	return string(out)
}

// varints counts the numbers that the field's bytes are, and fails where they end within one.
func (m *message) varints() (n int64) {
	last := byte(0)
	for pos := m.from; pos < m.to; {
		if m.at(pos); m.failed() {
			return 0
		}
		part := m.piece[pos-m.base:]
		part = part[:min(int64(len(part)), m.to-pos)]
		for _, last = range part {
			if last < 0x80 {
				n++
			}
		}
		pos += int64(len(part))
	}
	if last >= 0x80 {
		m.fail(m.tagAt, "the last number of field %d of %s goes beyond its end", m.number, m.kind.name)
	}
	return n
}

// ints appends the numbers of a field, which may be one or many, to a list of at most that many.
func (m *message) ints(list []int64, most int) []int64 {
	if m.typ == varint {
		return append(list, int64(m.value))[:min(len(list)+1, most)]
	}
	in := *m
	in.pos, in.end = m.from, m.to
	for in.pos < in.end && len(list) < most && !m.failed() {
		list = append(list, int64(in.uvarint("a number")))
	}
	return list
}
