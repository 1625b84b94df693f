package cmd

import (
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/pflag"

	"layoutcalc/cmd/datamove"
	"layoutcalc/cmd/files"
	"layoutcalc/layout/input"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/scan"
	"layoutcalc/render"
)

// Exit codes. What they mean is in help.md.
const (
	exitFine  = 0
	exitNo    = 1
	exitUsage = 2
	exitFault = 3

	exitInterrupted = 130 // the user wanted no more
)

// An exit is the error of a call that has said all: the exit code.
type exit int

func (e exit) Error() string { return "exit " + strconv.Itoa(int(e)) }

const (
	errNo        = exit(exitNo)    // the answer, which has been printed, is no
	errShortHelp = exit(exitUsage) // the short help has been printed instead of an answer
	errUnread    = exit(exitUsage) // the reports say which input could not be read, and why
	errUnwritten = exit(exitFault) // a message says which picture could not be written, and why
)

// unwritten returns the error of a file that could not be written, or was not to be; what it is comes first.
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
	case err == files.ErrInterrupted:
		return exitInterrupted
	case errors.As(err, &silent):
		return int(silent)
	case errors.As(err, &write):
		if errors.Is(write, syscall.EPIPE) {
			return exitFine // the reader of the pipe has what it wanted
		}
		a.say(render.Message{Text: write.Error()})
		return exitFault
	case errors.As(err, &fault):
		a.say(render.Message{Text: render.Clean(err.Error())})
		return exitFault
	}
	a.say(message(err, a.mend(err)))
	return exitUsage
}

// Flush says on standard error the notes that have not been said yet, unless the user wants none.
func (a *app) Flush() {
	for ; a.said < len(a.notes); a.said++ {
		note := a.notes[a.said]
		if !a.look.quiet && (a.line == nil || a.line.isNews(&note)) {
			a.say(render.Message{Note: true, Text: render.Clean(note)})
		}
	}
}

// say says something on standard error. In a batch it comes after the answers before it, and with its line.
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

// sayJSON says an error as an object of JSON on a line, with the notes that have not been said.
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
	w.Object(m.Tree(path, line, a.notes[a.said:]))
	w.Line()
	w.Flush()
	a.said = len(a.notes)
}

// wantsJSON reports whether flags ask for JSON, whether or not they can be parsed.
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

// message words an error for the user. What is wrong with the value of a flag comes after the flag's
// name.
func message(err error, hint string) render.Message {
	m := render.Message{Text: render.Clean(err.Error()), Err: err, Hint: hint}
	var path *fs.PathError
	var write *render.WriteError
	if !errors.As(err, &write) && errors.As(err, &path) {
		m.Text = render.Quote(path.Path) + ": " + scan.Unreadable(path)
	}
	var value *pflag.InvalidValueError
	if errors.As(err, &value) {
		fault := render.Clean(value.Unwrap().Error())
		if value.GetFlag().Value.Type() == "bool" { // which pflag reads
			fault = render.Quote(value.GetValue()) + " is neither true nor false"
		}
		m.Text = "--" + value.GetFlag().Name + ": " + fault
	}
	var loss *notation.LossError
	if errors.As(err, &loss) {
		m.Hint = loss.Hint()
	}
	return m
}
