package cmd

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout/shape"
	"layoutcalc/render"
)

// A line is the current line of a batch, and the memory of the lines before it.
type line struct {
	path    string // of the batch
	files   bool   // lines may read and write files
	number  int    // of the line, from 1
	answers answers
	notes   map[string]bool            // that have been written
	names   map[string]*shape.Name     // of layouts, by their texts
	try     func(words []string) error // runs the command and the words of a line dry
}

// maxNotes is the most notes that a batch writes.
const maxNotes = 100

// touches refuses to let a line read or write a file, as its text may come from others. l may be nil.
func (l *line) touches(path string) error {
	if l == nil || l.files {
		return nil
	}
	return refuse(render.QuotePath(path)+" is a file, and lines of a batch cannot use files",
		"--batch-files beside --batch lets them")
}

// maxNames is the most names of layouts that a batch remembers.
const maxNames = 64

// layoutName reads the name of a layout. A batch repeats few names, and reads each once.
func (l *line) layoutName(text string) (*shape.Name, error) {
	if name := l.remembered(text); name != nil {
		return name, nil
	}
	name, err := shape.ParseName(text)
	if err == nil && l != nil && len(l.names) < maxNames {
		l.names[strings.Clone(text)] = &name
	}
	return &name, err
}

// remembered returns the name of a layout that a line before has read, nil for none. l may be nil.
func (l *line) remembered(text string) *shape.Name {
	if l == nil {
		return nil
	}
	return l.names[text]
}

// source returns the path of the batch, empty for standard input.
func (l *line) source() string {
	if path := strings.TrimPrefix(l.path, "@"); path != "-" {
		return path
	}
	return ""
}

// place returns the start of messages about the line.
func (l *line) place() string {
	if source := l.source(); source != "" {
		return render.Quote(source) + ":" + strconv.Itoa(l.number) + ": "
	}
	return "line " + strconv.Itoa(l.number) + ": "
}

// isNews reports whether a note has not been written yet. After too many notes it makes the note a last one.
func (l *line) isNews(note *string) bool {
	if l.notes[*note] || len(l.notes) > maxNotes {
		return false
	}
	if len(l.notes) == maxNotes {
		*note = "there are more notes, which -o json has with each answer"
	}
	l.notes[*note] = true
	return true
}

// Answers are lines on their way to standard output. The last may be incomplete.
type answers struct {
	w     io.Writer
	err   error // from w
	text  []byte
	last  int   // where the last line starts in text
	limit int64 // the most bytes of an answer
}

// maxAnswers is how many bytes of answers are gathered before a write.
const maxAnswers = 64 << 10

var (
	errSecondLine = errors.New("a second line")
	errLongAnswer = errors.New("a long answer")
)

// Write adds to the last answer, and refuses a second line and an answer that is too long.
func (a *answers) Write(p []byte) (int, error) {
	at := bytes.IndexByte(p, '\n')
	switch {
	case a.err != nil:
		return 0, a.err
	case at >= 0 && at < len(p)-1, len(p) > 0 && len(a.text) > a.last && a.text[len(a.text)-1] == '\n':
		return 0, errSecondLine
	case int64(len(a.text)-a.last+len(p)) > a.limit:
		return 0, errLongAnswer
	}
	if a.text = append(a.text, p...); len(a.text) > maxAnswers {
		a.flush()
	}
	return len(p), a.err
}

// begun reports whether the last answer has text.
func (a *answers) begun() bool { return len(a.text) > a.last }

// end ends the last answer.
func (a *answers) end() {
	if len(a.text) == a.last || a.text[len(a.text)-1] != '\n' {
		a.text = append(a.text, '\n')
	}
	a.last = len(a.text)
}

// drop removes the unwritten part of the last answer.
func (a *answers) drop() { a.text = a.text[:a.last] }

// flush writes the complete answers.
func (a *answers) flush() {
	if a.err == nil && a.last > 0 {
		_, a.err = a.w.Write(a.text[:a.last])
		a.text = slices.Delete(a.text, 0, a.last)
		a.last = 0
	}
}
