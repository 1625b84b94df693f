package cmd

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout/shape"
	"layoutcalc/render"
)

// A batchLine is the current line of a batch or the current row of a sweep, and the state that it shares with other
// lines.
type batchLine struct {
	app    *app
	output *output
	path   string // the file of the batch
	files  bool   // lines may read and write files
	number int    // the number of the line, starting at 1; 0 for a row of a sweep

	answers batchOutput
	out     *bufio.Writer              // the output of the command, which goes to answers
	notes   map[string]bool            // the notes that have been written
	names   map[string]*shape.Name     // the names of layouts, by their spelling
	try     func(words []string) error // runs the command and the words of a line dry
	reset   func()                     // resets the flags after a line
	fail    func(error)                // reports the error of a line without an answer

	isNo  bool // an answer was no
	isBad bool // a line had no answer
	lost  bool // a picture could not be written
}

// start makes l the current line, with answers that are written to w.
func (l *batchLine) start(w io.Writer) {
	l.notes, l.names = map[string]bool{}, map[string]*shape.Name{}
	l.answers.w, l.out = w, bufio.NewWriter(&l.answers)
	l.app.streams.Out, l.app.line = l.out, l
}

// answer writes the answer of a call, or calls fail. It returns the error of the writer. In a dry run, it also returns
// the error of the call, so that no hint suggests a batch whose lines have no answers.
func (l *batchLine) answer(call func() error) error {
	err := call()
	switch {
	case l.answers.err != nil:
		return l.answers.err
	case l.app.dry != nil && err != nil && err != errNo:
		return err
	case errors.Is(err, errSecondLine):
		err = refuse("the answer has more than one line", "-o json has all of it in one")
	case errors.Is(err, errLongAnswer):
		err = refuse(fmt.Sprintf("the answer has more than %d bytes", l.answers.limit),
			"add --limit BYTES beside --batch")
	}
	l.isNo = l.isNo || err == errNo
	l.reset()
	if err != nil && err != errNo {
		var write *render.WriteError
		l.isBad, l.lost = true, l.lost || errors.As(err, &write)
		l.out.Reset(&l.answers)
		if !l.app.errorsInJSON {
			l.app.Flush()
		}
		l.fail(err)
		l.answers.drop()
	}
	if !l.answers.begun() && l.output.Format == render.JSON && l.output.Get == "" {
		l.answers.Write([]byte("null"))
	}
	l.answers.end()
	l.app.notes, l.app.written = l.app.notes[:0], 0
	return nil
}

// end writes the remaining answers, and returns the error of the whole batch.
func (l *batchLine) end() error {
	l.answers.flush()
	switch {
	case l.answers.err != nil:
		return render.WriteFailed("", l.answers.err)
	case l.lost:
		return errUnwritten
	case l.isBad:
		return errUnread
	case l.isNo:
		return errNo
	}
	return nil
}

// maxNotes is the maximum number of notes that a batch writes.
const maxNotes = 100

// touches returns an error if a line may not read or write a file, because others may have written the line. l may be
// nil.
func (l *batchLine) touches(path string) error {
	if l == nil || l.files {
		return nil
	}
	return refuse(render.QuotePath(path)+" names a file, and lines of a batch cannot use files",
		"--batch-files beside --batch lets them")
}

// maxNames is the maximum number of layout names that a batch caches.
const maxNames = 64

// layoutName reads the name of a layout. A batch repeats few names, and parses each only once.
func (l *batchLine) layoutName(text string) (*shape.Name, error) {
	if name := l.remembered(text); name != nil {
		return name, nil
	}
	name, err := shape.ParseName(text)
	switch {
	case err != nil:
		err = cmp.Or(notLayout(text), err)
	case l != nil && len(l.names) < maxNames:
		l.names[strings.Clone(text)] = &name
	}
	return &name, err
}

// remembered returns the layout name text if an earlier line has read it, or nil. l may be nil.
func (l *batchLine) remembered(text string) *shape.Name {
	if l == nil {
		return nil
	}
	return l.names[text]
}

// source returns the path of the batch, or an empty string for standard input.
func (l *batchLine) source() string {
	if path := strings.TrimPrefix(l.path, "@"); path != "-" {
		return path
	}
	return ""
}

// place returns the prefix of messages about the line, or an empty string for a row of a sweep.
func (l *batchLine) place() string {
	if l.number == 0 {
		return ""
	}
	if source := l.source(); source != "" {
		return render.Quote(source) + ":" + strconv.Itoa(l.number) + ": "
	}
	return "line " + strconv.Itoa(l.number) + ": "
}

// isNews reports whether a note has not been written yet. After too many notes, it replaces the note with a last one.
func (l *batchLine) isNews(note *string) bool {
	if l.notes[*note] || len(l.notes) > maxNotes {
		return false
	}
	if len(l.notes) == maxNotes {
		*note = "there are more notes, which -o json has with each answer"
	}
	l.notes[*note] = true
	return true
}

// A batchOutput is a buffer of answers to be written to standard output. The last may be incomplete.
type batchOutput struct {
	w     io.Writer
	err   error // from w
	text  []byte
	last  int   // the index in text of the start of the last answer
	limit int64 // the maximum number of bytes of an answer
	many  bool  // an answer may have any number of lines and bytes
}

// maxAnswers is the number of bytes of answers that are collected before a write.
const maxAnswers = 64 << 10

var (
	errSecondLine = errors.New("a second line")
	errLongAnswer = errors.New("a long answer")
)

// Write appends to the last answer. It fails if the answer has a second line or is too long.
func (o *batchOutput) Write(p []byte) (int, error) {
	at := bytes.IndexByte(p, '\n')
	switch {
	case o.err != nil:
		return 0, o.err
	case o.many:
	case at >= 0 && at < len(p)-1, len(p) > 0 && len(o.text) > o.last && o.text[len(o.text)-1] == '\n':
		return 0, errSecondLine
	case int64(len(o.text)-o.last+len(p)) > o.limit:
		return 0, errLongAnswer
	}
	if o.text = append(o.text, p...); len(o.text) > maxAnswers {
		o.flush()
	}
	return len(p), o.err
}

// begun reports whether the last answer has text.
func (o *batchOutput) begun() bool { return len(o.text) > o.last }

// end ends the last answer.
func (o *batchOutput) end() {
	if len(o.text) == o.last || o.text[len(o.text)-1] != '\n' {
		o.text = append(o.text, '\n')
	}
	o.last = len(o.text)
}

// drop removes the unwritten part of the last answer.
func (o *batchOutput) drop() { o.text = o.text[:o.last] }

// flush writes the complete answers.
func (o *batchOutput) flush() {
	if o.err == nil && o.last > 0 {
		_, o.err = o.w.Write(o.text[:o.last])
		o.text = slices.Delete(o.text, 0, o.last)
		o.last = 0
	}
}
