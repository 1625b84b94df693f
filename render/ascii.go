package render

import (
	"fmt"
	"io"
	"unicode/utf8"
)

// ASCII returns a writer that replaces characters outside of ASCII: the marks of this package by similar ones, and
// others by escapes such as \u00e9.
func ASCII(w io.Writer) io.Writer { return &asciiWriter{w: w} }

type asciiWriter struct {
	w    io.Writer
	part []byte // the start of an incomplete character
}

// Write writes the text as ASCII, and keeps an incomplete character for later.
func (a *asciiWriter) Write(p []byte) (int, error) {
	text := append(a.part, p...)
	var ascii []byte
	for len(text) > 0 && utf8.FullRune(text) {
		r, n := utf8.DecodeRune(text)
		ascii = appendASCII(ascii, r)
		text = text[n:]
	}
	a.part = text[:len(text):len(text)]
	if _, err := a.w.Write(ascii); err != nil {
		return 0, err
	}
	return len(p), nil
}

// toASCII converts text like an ASCII writer.
func toASCII(text string) string {
	var b []byte
	for _, r := range text {
		b = appendASCII(b, r)
	}
	return string(b)
}

func appendASCII(b []byte, r rune) []byte {
	switch {
	case r < utf8.RuneSelf:
		return append(b, byte(r))
	case r == '│':
		return append(b, '|')
	case r == '×':
		return append(b, 'x')
	case r == '·':
		return append(b, '-')
	case r == '…':
		return append(b, "..."...)
	case r > 0xffff:
		return fmt.Appendf(b, `\U%08x`, r)
	}
	return fmt.Appendf(b, `\u%04x`, r)
}
