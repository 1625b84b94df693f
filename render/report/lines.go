package report

import (
	"bytes"
	"sort"
)

// Lines finds the lines of a text by their numbers. The first call reads the whole text, later ones only a part.
type Lines struct {
	text  []byte
	marks []mark
}

// A mark is where a line starts. The last one is after the text.
type mark struct{ number, start int }

// stretch is the least distance of marks, in bytes, so that they take little memory.
const stretch = 256

// NewLines returns the lines of a text, which must not change.
func NewLines(text []byte) *Lines { return &Lines{text: text} }

// Line returns line n, counted from 1, without its end, or nil if the text has fewer lines.
func (l *Lines) Line(n int) []byte {
	if l.marks == nil {
		l.mark()
	}
	next := sort.Search(len(l.marks), func(i int) bool { return l.marks[i].number > n })
	if next == 0 || next == len(l.marks) {
		return nil
	}
	from, to := l.marks[next-1], l.marks[next]
	line := l.text[from.start : to.start-1]
	for ; from.number < n; from.number++ {
		line = line[bytes.IndexByte(line, '\n')+1:]
	}
	if n < to.number-1 {
		line = line[:bytes.IndexByte(line, '\n')]
	}
	return bytes.TrimSuffix(line, []byte{'\r'})
}

// mark sets the marks. A line that is longer than the stretch ends at a mark, so that its end is found at once.
func (l *Lines) mark() {
	last, number, start := mark{1, 0}, 1, 0
	l.marks = []mark{last}
	for {
		end := bytes.IndexByte(l.text[start:], '\n')
		if end < 0 {
			break
		}
		number, start = number+1, start+end+1
		if start >= last.start+stretch {
			last = mark{number, start}
			l.marks = append(l.marks, last)
		}
	}
	l.marks = append(l.marks, mark{number + 1, len(l.text) + 1})
}
