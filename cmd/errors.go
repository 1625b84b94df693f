package cmd

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"layoutcalc/cmd/datamove"
	"layoutcalc/cmd/files"
	"layoutcalc/layout"
	"layoutcalc/layout/input"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
)

// The exit codes. help.md explains them.
const (
	exitFine  = 0
	exitNo    = 1
	exitUsage = 2
	exitFault = 3

	exitInterrupted = 130
)

// An exit is the exit code of a call that has already written the reason.
type exit int

func (e exit) Error() string { return "exit " + strconv.Itoa(int(e)) }

const (
	errNo        = exit(exitNo)    // the answer is no
	errShortHelp = exit(exitUsage) // the short help replaced an answer
	errUnread    = exit(exitUsage) // an input could not be read
	errUnwritten = exit(exitFault) // a picture could not be written
)

// verdict returns the error of an answer: the error of writing it, or errNo unless the answer is yes.
func verdict(err error, yes bool) error {
	if err == nil && !yes {
		return errNo
	}
	return err
}

// unwritten returns the error for a file that could not be written, or that the call reads. The argument what describes
// the file.
func unwritten(what, path string, err error) error {
	if err == files.ErrInput {
		return refuse(what+" would take the place of "+render.Quote(path)+", which is read here",
			"write it to another file")
	}
	return render.WriteFailed(render.Quote(path), err)
}

// report prints the error and returns its exit code.
func (a *app) report(err error) int {
	var write *render.WriteError
	var fault *datamove.FaultError
	var silent exit
	switch {
	case err == nil:
		return exitFine
	case errors.Is(err, files.ErrInterrupted):
		return exitInterrupted
	case errors.As(err, &silent):
		return int(silent)
	case errors.As(err, &write):
		if isClosed(write) {
			return exitFine // the reader of the pipe has read enough
		}
		m := render.Message{Text: write.Error(), Hint: a.directoryHint(write)}
		var unsafe *files.OutputError
		if errors.As(write, &unsafe) {
			m.Text, m.Hint = m.Text+": "+render.Clean(unsafe.Msg), unsafe.Hint
		}
		a.say(m)
		return exitFault
	case errors.As(err, &fault):
		a.say(render.Message{Text: render.Clean(err.Error())})
		return exitFault
	}
	a.say(a.message(err, a.hintFor(err)))
	return exitUsage
}

// Flush writes the new notes to standard error, unless --quiet is given.
func (a *app) Flush() {
	for ; a.written < len(a.notes); a.written++ {
		note := a.notes[a.written]
		if !a.display.quiet && (a.line == nil || a.line.isNews(&note)) {
			a.say(render.Message{Note: true, Text: render.Clean(note)})
		}
	}
}

// say writes a message to standard error. In a batch, it writes it after the answers so far, with the number of its
// line.
func (a *app) say(m render.Message) {
	if a.errorsInJSON && !m.Note {
		a.sayJSON(m)
		return
	}
	if a.line != nil {
		a.line.answers.flush()
		m.Text = a.line.place() + m.Text
	}
	w := a.streams.Err
	if a.ascii() {
		w = render.ASCII(w)
	}
	width := 0
	if _, isTerminal := terminalWidth(a.streams.Err); isTerminal {
		width = a.columns(a.streams.Err)
	}
	m.Print(w, render.NewPalette(a.colors(a.streams.Err)), width)
}

// sayJSON writes an error, with the new notes, as a JSON line.
func (a *app) sayJSON(m render.Message) {
	path, line := "", 0
	var inFile *input.Error
	var ofFile *fs.PathError
	switch {
	case errors.As(m.Err, &inFile):
		path, line = inFile.Name, inFile.Line
	case errors.As(m.Err, &ofFile):
		path = ofFile.Path
	}
	if a.line != nil {
		a.line.answers.flush()
		path, line = a.line.source(), a.line.number
	}
	w := render.NewWriter(a.streams.Err)
	w.Object(m.Tree(filepath.ToSlash(path), line, a.notes[a.written:]))
	w.Line()
	w.Flush()
	a.written = len(a.notes)
}

// wantsJSON reports whether flags request JSON, even if they cannot be parsed.
func wantsJSON(args []string) (wants bool) {
	for i, arg := range args {
		value, isOutput := strings.CutPrefix(arg, "--output")
		if letters, isShort := strings.CutPrefix(arg, "-"); !isOutput && isShort && !strings.HasPrefix(letters, "-") {
			_, value, isOutput = strings.Cut(letters, "o")
		}
		switch {
		case arg == "--":
			return wants
		case isOutput && value == "" && i+1 < len(args):
			value = args[i+1]
		}
		if isOutput {
			wants = strings.EqualFold(strings.TrimPrefix(value, "="), "json")
		}
	}
	return wants
}

// message returns the message of an error with a hint. The name of a flag precedes an error in its value.
func (a *app) message(err error, hint string) render.Message {
	m := render.Message{Text: render.Clean(err.Error()), Err: err, Hint: hint}
	var path *fs.PathError
	var write *render.WriteError
	if !errors.As(err, &write) && errors.As(err, &path) {
		m.Text = render.Quote(path.Path) + ": " + wording.Unreadable(path)
	}
	var value *pflag.InvalidValueError
	if errors.As(err, &value) {
		fault := render.Clean(value.Unwrap().Error())
		if value.GetFlag().Value.Type() == "bool" { // pflag reads these
			fault = render.Quote(value.GetValue()) + " is neither true nor false"
		}
		m.Text = "--" + value.GetFlag().Name + ": " + fault
	}
	return m
}

// hintOf returns the hint in an error, or an empty string.
func hintOf(err error) string {
	var loss *notation.LossError
	var syntax *layout.SyntaxError
	var overflow *layout.OverflowError
	switch {
	case errors.As(err, &loss):
		return loss.Hint()
	case errors.As(err, &syntax) && syntax.Hint != "":
		return syntax.Hint
	case errors.As(err, &overflow):
		return overflow.Hint
	}
	return ""
}

// directoryHint suggests to create the directory of an output if it does not exist. It gives no hint for names that are
// cut.
func (a *app) directoryHint(err *render.WriteError) string {
	dir, _ := filepath.Split(err.Name)
	dir = strings.TrimRight(dir, `/\`)
	if dir == "" || strings.Contains(dir, "…") {
		return ""
	}
	if _, wrong := a.Stat(dir); !errors.Is(wrong, fs.ErrNotExist) {
		return ""
	}
	return "make the directory " + dir + " first"
}
