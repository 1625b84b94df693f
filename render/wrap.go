package render

import (
	"bytes"
	"strings"
)

// wrap breaks a line that is longer than the width at its blanks, where it has them. What
// follows is indented. Colours take no columns.
func wrap(line string, width int) string {
	if len(line) <= width || visible(line) <= width {
		return line
	}
	var b strings.Builder
	used := 0
	for i, word := range strings.Split(line, " ") {
		n := visible(word)
		switch {
		case i == 0:
		case used+1+n > width:
			b.WriteString("\n  ")
			used = 2
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += n
	}
	return b.String()
}

// visible is how many columns a text takes that may hold colours.
func visible(text string) int {
	n := 0
	for {
		start := strings.Index(text, "\x1b[")
		if start < 0 {
			return n + columns(text)
		}
		n += columns(text[:start])
		text = text[start+2:]
		text = text[strings.IndexByte(text, 'm')+1:]
	}
}

// A trimmer takes blanks and column lines off the ends of lines, where a table has empty cells.
type trimmer struct {
	w    *writer
	line []byte
}

// Write passes on the lines that b completes and keeps the rest.
func (t *trimmer) Write(b []byte) (int, error) {
	for rest := b; ; {
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			t.line = append(t.line, rest...)
			return len(b), nil
		}
		t.line = append(t.line, rest[:end]...)
		t.w.Write(append(bytes.TrimRight(t.line, " │"), '\n'))
		t.line, rest = t.line[:0], rest[end+1:]
	}
}
