package cmd

import (
	"cmp"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"layoutcalc/cmd/check"
	"layoutcalc/cmd/files"
	"layoutcalc/cmd/suggest"
	"layoutcalc/render"
	"layoutcalc/render/draw"
)

// Streams are the input, the outputs and the environment of the program. An output with a method Columns, which returns
// a width, is treated as a terminal.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Env      func(key string) string
	Dir      string // the directory that relative paths are relative to; empty for the working directory of the process
	Windows  bool   // the shell is a Windows shell, which does not remove single quotes or expand patterns of paths

	// Show receives the picture of each answer, which is then not written to the files that flags name. It is nil for a
	// terminal.
	Show func(*draw.Picture)
}

// An app is one run of the program.
type app struct {
	streams  Streams
	args     []string // as the user typed them
	command  string   // its name, or empty
	isChosen bool     // the arguments chose the command, because the user typed none
	display  display
	helpErr  error // from writing the help, which cobra cannot return

	notes   []string // assumptions behind the answer and omissions
	written int      // the number of notes that have been written

	line         *batchLine      // the current line of a batch or row of a sweep, or nil
	dry          *dryRun         // nil unless the run only tests whether the command line has an answer
	hints        map[string]bool // command lines in hints of errors, and whether they have an answer
	errorsInJSON bool

	files.Guard      // writes files and protects the files that are read
	readInput   bool // standard input has been read, or is being read
	lists       bool // all commands are made: for help, manual pages and completion

	// hintFor returns the hint for an error: the method hint, or hintOf, which runs nothing. It is a field to break a
	// cycle: hint uses the table of commands, and the commands use hint.
	hintFor func(error) string

	// meantBy is the method meant, or nil. It is a field for the same reason.
	meantBy func(error) []string
}

// newApp returns an app for a call with the given arguments.
func newApp(s Streams, args []string) *app {
	a := &app{streams: s, args: args}
	if s.Dir != "" {
		a.Base, _ = filepath.Abs(s.Dir)
	}
	a.Fences = func() []string { return []string{a.checkout()} }
	return a
}

// checkout returns the root of the repository around the working directory, or otherwise the working directory.
func (a *app) checkout() string {
	dir, err := filepath.Abs(a.Path("."))
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return "."
	}
	return check.Repository(dir)
}

// Note keeps notes for standard error, such as an assumption behind the answer. Each is written once.
//
// It is not inlined because it has many callers, and inlining would increase the size of each.
//
//go:noinline
func (a *app) Note(texts ...string) {
	for _, text := range texts {
		if !slices.Contains(a.notes, text) {
			a.notes = append(a.notes, text)
		}
	}
}

// colors returns the number of colours for output to w, according to the environment.
func (a *app) colors(w io.Writer) render.Colors {
	env := a.streams.Env
	switch {
	case !a.colored(w):
		return render.NoColors
	case strings.Contains(env("TERM"), "256color") || env("COLORTERM") != "":
		return render.Colors256
	}
	return render.Colors16
}

// colored reports whether output to w has colours. The flag --color decides, then the environment, then whether w is a
// terminal.
func (a *app) colored(w io.Writer) bool {
	env := a.streams.Env
	switch {
	case a.display.color == "always" || a.display.color == "never":
		return a.display.color == "always"
	case env("NO_COLOR") != "":
		return false
	case isOn(env("CLICOLOR_FORCE")) || isOn(env("FORCE_COLOR")):
		return true
	case env("TERM") == "dumb" || env("CLICOLOR") == "0":
		return false
	}
	_, ok := terminalWidth(w)
	return ok
}

// ascii reports whether tables and messages only use ASCII: with --ascii, or in a locale without UTF-8.
func (a *app) ascii() bool {
	env := a.streams.Env
	locale := strings.ToUpper(cmp.Or(env("LC_ALL"), env("LC_CTYPE"), env("LANG")))
	return a.display.ascii || locale != "" && !strings.Contains(locale, "UTF-8") && !strings.Contains(locale, "UTF8")
}

// columns returns the width of output to w.
func (a *app) columns(w io.Writer) int {
	if a.display.width > 0 {
		return a.display.width
	}
	if width, ok := terminalWidth(w); ok {
		return width
	}
	return 80
}

// shell returns the shell that command lines are quoted for.
func (a *app) shell() suggest.Shell {
	if a.streams.Windows && a.line == nil {
		return suggest.Windows
	}
	return suggest.POSIX
}

// commandLine quotes arguments for the shell, after the name of the program or, in a batch, after the word write. The
// result is empty if there are no arguments, or if one cannot be quoted.
func (a *app) commandLine(args []string) string {
	if args == nil {
		return ""
	}
	line := []string{"layoutcalc"}
	if a.line != nil {
		line, args = []string{"write"}, args[1:]
	}
	for _, arg := range args {
		quoted, ok := a.shell().Quote(arg)
		if !ok {
			return ""
		}
		line = append(line, quoted)
	}
	return strings.Join(line, " ")
}
