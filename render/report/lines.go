package report

import (
	"bytes"
	"sort"
)

// Lines finds the lines of a text by their numbers without going through all of it each time. It
// gets ready when it is asked first.
type Lines struct {
	text  []byte
	marks []mark
}

// A mark is where a line starts. The last is one behind the text.
type mark struct{ number, start int }

// stretch is how far marks are apart at least, in bytes, so that they take little room.
const stretch = 256

// NewLines returns the lines of a text, of which it keeps no copy.
func NewLines(text []byte) *Lines { return &Lines{text: text} }

// Line returns line n, which counts from 1, without its end, or nil if there is none.
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

// mark goes through the text once. A line that is longer than the stretch ends at a mark, so that
// nobody need look for its end.
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
