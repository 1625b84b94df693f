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

// A line is the line of a batch that is answered, with what the lines before it have left.
type line struct {
	path    string // of the file
	files   bool   // lines may read and write files
	number  int    // of the line, from 1
	answers answers
	told    map[string]bool        // notes that have been said
	names   map[string]*shape.Name // that lines have had
}

// maxTold is how many notes a batch says.
const maxTold = 100

// touches refuses a file that a line of a batch reads or writes: its text may be of others. l may be nil.
func (l *line) touches(path string) error {
	if l == nil || l.files {
		return nil
	}
	return refuse(render.QuotePath(path)+" is a file, and lines of a batch read and write none",
		"--batch-files beside --batch lets them")
}

// maxNames is how many names of layouts a batch remembers.
const maxNames = 64

// layoutName reads the name of a layout. The lines of a batch have few different ones, which are read once.
func (l *line) layoutName(text string) (*shape.Name, error) {
	if name := l.known(text); name != nil {
		return name, nil
	}
	name, err := shape.ParseName(text)
	if err == nil && l != nil && len(l.names) < maxNames {
		l.names[strings.Clone(text)] = &name
	}
	return &name, err
}

// known returns what a text is as the name of a layout, if it is remembered; l may be nil.
func (l *line) known(text string) *shape.Name {
	if l == nil {
		return nil
	}
	return l.names[text]
}

// source returns the path of the file, empty for standard input.
func (l *line) source() string {
	if path := strings.TrimPrefix(l.path, "@"); path != "-" {
		return path
	}
	return ""
}

// place is what messages about the line start with.
func (l *line) place() string {
	if source := l.source(); source != "" {
		return render.Quote(source) + ":" + strconv.Itoa(l.number) + ": "
	}
	return "line " + strconv.Itoa(l.number) + ": "
}

// isNews reports whether a note has not been said yet. When there have been too many it is replaced by a last one.
func (l *line) isNews(note *string) bool {
	if l.told[*note] || len(l.told) > maxTold {
		return false
	}
	if len(l.told) == maxTold {
		*note = "there are more notes, which -o json has with each answer"
	}
	l.told[*note] = true
	return true
}

// Answers are lines on their way to standard output. The last of them may not be complete.
type answers struct {
	w    io.Writer
	err  error // of w
	text []byte
	last int  // where the last one starts in text
	long bool // a part of the last one has been written already
}

// maxAnswers is how many bytes of answers are kept before they are written.
const maxAnswers = 64 << 10

var errSecondLine = errors.New("a second line")

// Write adds to the last answer. That has one line.
func (a *answers) Write(p []byte) (int, error) {
	at := bytes.IndexByte(p, '\n')
	switch {
	case a.err != nil:
		return 0, a.err
	case at >= 0 && at < len(p)-1, len(p) > 0 && len(a.text) > a.last && a.text[len(a.text)-1] == '\n':
		return 0, errSecondLine
	}
	if a.text = append(a.text, p...); len(a.text) > maxAnswers {
		if a.flush(); len(a.text) > 4*maxAnswers {
			a.long, a.last = true, len(a.text)-1 // whose line break may be in it
			a.flush()
		}
	}
	return len(p), a.err
}

// begun reports whether the last answer has some text.
func (a *answers) begun() bool { return a.long || len(a.text) > a.last }

// end ends the last answer.
func (a *answers) end() {
	if len(a.text) == a.last || a.text[len(a.text)-1] != '\n' {
		a.text = append(a.text, '\n')
	}
	a.last, a.long = len(a.text), false
}

// drop leaves out the last answer, but for what has been written of it.
func (a *answers) drop() { a.text = a.text[:a.last] }

// flush writes the answers that are complete.
func (a *answers) flush() {
	if a.err == nil && a.last > 0 {
		_, a.err = a.w.Write(a.text[:a.last])
		a.text = slices.Delete(a.text, 0, a.last)
		a.last = 0
	}
}
