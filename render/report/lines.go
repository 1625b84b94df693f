package report

import "bytes"

// Lines finds the lines of a text by their numbers. To go on to a later line reads the text from the last one on, to go
// back reads it from its start.
type Lines struct {
	text       []byte
	number     int // of the last line that was found
	start, end int // its place in the text
}

// NewLines returns the lines of a text. The text must not change.
func NewLines(text []byte) *Lines { return &Lines{text: text, end: -1} }

// Line returns line n, counted from 1, without its end, or nil if the text has fewer lines.
func (l *Lines) Line(n int) []byte {
	if n < l.number {
		*l = *NewLines(l.text)
	}
	for l.number < n {
		if l.end >= len(l.text) {
			return nil
		}
		l.number, l.start = l.number+1, l.end+1
		l.end = len(l.text)
		if length := bytes.IndexByte(l.text[l.start:], '\n'); length >= 0 {
			l.end = l.start + length
		}
	}
	if n < 1 {
		return nil
	}
	return bytes.TrimSuffix(l.text[l.start:l.end], []byte{'\r'})
}
