package cmd

import (
	"errors"
	"io"
	"slices"
	"strings"
	"syscall"

	"layoutcalc/cmd/suggest"
	"layoutcalc/render"
)

// A dryRun is the run of a command line that a hint suggests. It ends at the point where the command line would read
// standard input, a pipe or data, or write something. Then its arguments have been parsed, and names and shapes fit. It
// has no side effects.
type dryRun struct {
	reached bool  // it reached that point
	left    int64 // the number of bytes of files that it may still read
}

// maxDry is the maximum number of bytes of files that a dry run reads. If a command line needs more, it is assumed to
// work.
const maxDry = 1 << 20

// errReached ends a dry run.
var errReached = errors.New("the command line runs")

// reach ends a dry run. It does nothing in another run.
func (a *app) reach() error {
	if a.dry == nil {
		return nil
	}
	a.dry.reached = true
	return errReached
}

// A dryFile is a file in a dry run.
type dryFile struct {
	io.ReaderAt
	app *app
}

func (f dryFile) ReadAt(b []byte, at int64) (int, error) {
	if f.app.dry.left -= int64(len(b)); f.app.dry.left < 0 {
		return 0, f.app.reach()
	}
	return f.ReaderAt.ReadAt(b, at)
}

// An unread stream has lost its reader: it ends a dry run at the first write.
type unread struct{}

func (unread) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// trial returns an app that writes answers to out, with the environment and the directory of the call.
func (a *app) trial(args []string, out io.Writer) *app {
	s := a.streams
	s.In, s.Out, s.Err, s.Show = strings.NewReader(""), out, io.Discard, nil
	trial := newApp(s, args)
	trial.hintFor = hintOf
	return trial
}

// try runs a command line dry. If it fails, try returns its error, and the call for suggestions about it.
func (a *app) try(args []string) (call suggest.Call, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = errors.New("internal error")
		}
	}()
	if a.line != nil {
		call = a.call()
		call.Args = args
		return call, a.line.try(args)
	}
	trial := a.trial(args, unread{})
	trial.dry, trial.BeforeWrite = &dryRun{left: maxDry}, trial.reach
	err = trial.execute(args)
	if code := trial.report(err); trial.dry.reached || code == exitFine || code == exitNo {
		err = nil
	}
	return trial.call(), err
}

// maxTries is the maximum number of command lines that are tried for one hint, and mostMends the maximum number of
// further errors of a command line that a suggestion fixes.
const (
	maxTries  = 8
	mostMends = 2
)

// A resolver finds command lines that have an answer.
type resolver struct {
	app   *app
	tried map[string][]suggest.Suggestion // by the failing command line; nil for one that runs
}

// hint returns the first suggestion for an error that has an answer, with other equally likely ones, one per line.
// Otherwise, it returns advice, or the hint in the error itself, which may be empty. Suggestions with fewer errors to
// fix come first.
func (a *app) hint(err error) string {
	list := suggest.For(a.call(), err)
	r := resolver{a, map[string][]suggest.Suggestion{}}
	for repairs := range mostMends + 1 {
		var hints []string
		for _, s := range list {
			if s.Args == nil || len(hints) > 0 && !s.Also {
				continue
			}
			if args := r.repaired(s.Args, repairs); args != nil {
				hints = append(hints, a.commandLine(args))
			}
		}
		if hints != nil {
			return strings.Join(hints, "\n")
		}
	}
	for _, s := range list {
		if s.Args == nil {
			return s.Text
		}
	}
	return a.requoted(a.resolved(hintOf(err)))
}

// repaired returns a suggested command line that has an answer: args, or the arguments that are suggested for the error
// of args. It returns nil if no suggestion has an answer.
func (r *resolver) repaired(args []string, repairs int) []string {
	line := r.app.commandLine(args)
	const most = 200 // bytes
	if line == "" || len(line) > most || render.Clean(line) != line || !r.app.isNew(args) {
		return nil
	}
	next, isKnown := r.tried[line]
	if !isKnown && len(r.tried) == maxTries {
		return nil
	}
	if !isKnown {
		call, err := r.app.try(args)
		if err != nil {
			next = append([]suggest.Suggestion{}, suggest.For(call, err)...)
		}
		r.tried[line] = next
	}
	if next == nil {
		return args
	}
	for _, s := range next {
		if s.Args == nil || repairs == 0 {
			continue
		}
		if meant := r.repaired(s.Args, repairs-1); meant != nil {
			return meant
		}
	}
	return nil
}

// isNew reports whether a command line differs from the call, and replaces no file.
func (a *app) isNew(args []string) bool {
	return !slices.Equal(args, a.args) && !slices.Contains(args, "--force")
}

// maxHints is the maximum number of command lines in hints that an app caches. Errors of a batch repeat few of them.
const maxHints = 64

// resolved returns the hint of an error, or an empty string if a command line in it fails. The command line is quoted
// for a POSIX shell, and ends the hint.
func (a *app) resolved(hint string) string {
	_, line, ok := cutCommand(hint)
	if !ok {
		return hint
	}
	runs, isKnown := a.hints[line]
	if !isKnown {
		words, err := splitLine(nil, line)
		if err == nil {
			_, err = (&app{streams: a.streams}).try(words[1:])
		}
		runs = err == nil
	}
	if len(a.hints) < maxHints {
		if a.hints == nil {
			a.hints = map[string]bool{}
		}
		a.hints[line] = runs
	}
	if !runs {
		return ""
	}
	return hint
}

// cutCommand splits a hint before the command line at its end, if it has one.
func cutCommand(hint string) (before, line string, ok bool) {
	const name = "layoutcalc "
	if strings.HasPrefix(hint, name) {
		return "", hint, true
	}
	before, line, ok = strings.Cut(hint, " "+name)
	return before + " ", name + line, ok
}
