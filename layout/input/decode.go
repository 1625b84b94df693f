package input

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"layoutcalc/layout/doctree"
)

// isText reports whether data starts like a text, and not like numbers.
func isText(start []byte) bool {
	if order(start) != nil {
		start, _ = io.ReadAll(Decode(bufio.NewReader(bytes.NewReader(start[:len(start)&^1]))))
	}
	start = skip(start, " \t\r\n")
	isNumber := func(c rune) bool { return c < '\t' || c == utf8.RuneError }
	return len(start) > 0 && !bytes.ContainsFunc(start, isNumber)
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
