package cmd

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"layoutcalc/cmd/files"
	"layoutcalc/cmd/suggest"
	"layoutcalc/render"
)

// Streams are what the program reads and writes, and the environment it asks.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Env      func(key string) string
}

// An app is one run of the program.
type app struct {
	streams Streams
	args    []string // as the user typed them
	command string   // the first of them that is not a flag
	look    look
	helpErr error // of writing the help, which cobra has no way to tell

	notes []string // what is worth knowing though all went well
	said  int      // how many of them have been said

	line         *line // of a batch that is answered; nil outside of batches
	errorsInJSON bool

	files.Guard      // writes files, and knows those that are read
	readInput   bool // standard input has been read, or is being read
	lists       bool // all commands are made: for the help, for man pages and while the shell completes

	// mend returns the hint that says what may have been meant where an error arose, empty for none. It looks at all
	// commands, and these name it.
	mend func(error) string
}

// Note keeps what is worth knowing though all went well, such as an assumption that the answer rests on.
func (a *app) Note(text string) {
	if !slices.Contains(a.notes, text) {
		a.notes = append(a.notes, text)
	}
}

// colors decides which colours what is written to w has: as many as the environment says, if it has any.
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

// colored decides whether what is written to w has colours. The flag comes first, then the
// environment, then whether w is a terminal.
func (a *app) colored(w io.Writer) bool {
	env := a.streams.Env
	switch {
	case a.look.color == "always" || a.look.color == "never":
		return a.look.color == "always"
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

// ascii decides whether what is for people has no characters beyond ASCII: the user wants none, or the environment
// names a locale without UTF-8.
func (a *app) ascii() bool {
	env := a.streams.Env
	locale := strings.ToUpper(cmp.Or(env("LC_ALL"), env("LC_CTYPE"), env("LANG")))
	return a.look.ascii || locale != "" && !strings.Contains(locale, "UTF-8") && !strings.Contains(locale, "UTF8")
}

// columns is the width of what is written to w.
func (a *app) columns(w io.Writer) int {
	if a.look.width > 0 {
		return a.look.width
	}
	if width, ok := terminalWidth(w); ok {
		return width
	}
	return 80
}

// commandLine writes arguments for a shell, after the name of the program or, in a batch, the word write.
func (a *app) commandLine(args []string) string {
	line := []string{"layoutcalc"}
	if a.line != nil {
		line, args = []string{"write"}, args[1:]
	}
	for _, arg := range args {
		line = append(line, suggest.Quote(arg))
	}
	return strings.Join(line, " ")
}
