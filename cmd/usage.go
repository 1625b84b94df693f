package cmd

import (
	"errors"
	"io"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"layoutcalc/cmd/suggest"
	"layoutcalc/layout/input"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/shape"
	"layoutcalc/render"
)

// hinted is the error with a hint that says what may have been meant: the first suggestion that has an answer.
func (a *app) hinted(err error) error {
	call := suggest.Call{
		Args: a.args, Command: a.command, InBatch: a.batch != nil, Commands: commandNames(),
		HasFlag: func(name string) bool { return slices.Contains(withFlag(name), a.command) },
	}
	for _, s := range suggest.For(call, err) {
		hint := s.Text
		if s.Args != nil {
			hint = a.commandLine(s.Args)
		}
		const most = 200 // bytes
		if s.Args == nil || len(hint) <= most && render.Clean(hint) == hint && (s.Sure || a.answers(s.Args)) {
			return &hintedError{err, hint}
		}
	}
	return err
}

// answers reports whether a command line has an answer. It runs the line, unless that reads standard input, writes
// files or checks files, or is a line of a batch, which has flags beside it: such lines are taken for ones that have.
func (a *app) answers(args []string) bool {
	computing := []string{"strides", "offset", "size", "convert", "view", "compare"}
	at := slices.IndexFunc(args, isCommand)
	if a.batch != nil || at < 0 || !slices.Contains(computing, args[at]) {
		return true
	}
	for _, arg := range args {
		name, _, _ := strings.Cut(arg, "=")
		_, isSource := input.Path(arg)
		if isSource || slices.Contains([]string{"--in", "--out", "--svg", "--html", "--batch"}, name) {
			return true
		}
	}
	streams := Streams{In: strings.NewReader(""), Out: unread{}, Err: io.Discard, Env: a.streams.Env}
	trial := app{streams: streams, args: args, mend: func(err error) error { return err }}
	code := trial.report(trial.execute(args))
	return code == exitFine || code == exitNo
}

// An unread stream is one that nobody reads any more.
type unread struct{}

func (unread) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// unknownCommand is the error of the name of a command that does not exist.
func unknownCommand(name string) error {
	known := commandNames()
	err := refuse("unknown command "+render.Quote(name), "the commands are "+strings.Join(known, ", "))
	if meant := suggest.CommandFor(name, known); meant != "" {
		err.Hint = "did you mean " + meant + "?"
	} else if _, wrong := shape.ParseShape(name); wrong == nil {
		err.Msg = "a command comes before " + render.Quote(name)
	}
	return suggest.About(err, suggest.Command, name)
}

// flagError words what pflag says of flags.
func (a *app) flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var syntax *pflag.InvalidSyntaxError
	var value *pflag.InvalidValueError
	see := "layoutcalc " + strings.TrimPrefix(c.CommandPath()+" --help", "layoutcalc ") + " lists the flags"
	switch {
	case errors.As(err, &unknown):
		return suggest.About(unknownFlag(c, unknown, see), suggest.Flag, unknown.GetSpecifiedName())
	case errors.As(err, &missing):
		f := missing.GetFlag()
		kind, about := pflag.UnquoteUsage(f)
		return refuse("--"+f.Name+" needs a value", "--"+f.Name+" "+kind+": "+about)
	case errors.As(err, &syntax):
		return refuse("bad flag "+render.Quote(syntax.GetSpecifiedFlag()), see)
	case errors.As(err, &value):
		f := value.GetFlag()
		flag := "--" + f.Name
		if slices.Contains(a.args, "-"+f.Shorthand) {
			flag = "-" + f.Shorthand
		}
		return suggest.About(value, suggest.Value, flag, f.Name, value.GetValue())
	}
	return err
}

// unknownFlag is the error of a flag that the command does not have.
func unknownFlag(c *cobra.Command, err *pflag.NotExistError, see string) error {
	name := err.GetSpecifiedName()
	if shorts := err.GetSpecifiedShortnames(); shorts != "" {
		if '0' <= shorts[0] && shorts[0] <= '9' {
			err := refuse("-"+render.Quote(shorts)+" looks like a flag",
				"strides that start with - are written in brackets: [-3,1]; sizes and indices are not negative")
			return suggest.About(err, suggest.Word, "-"+shorts, "[-"+shorts+"]")
		}
		return refuse("unknown flag -"+render.Quote(name), see)
	}
	if others := withFlag(name); len(others) > 0 {
		return refuse("unknown flag --"+name, "--"+name+" is a flag of "+strings.Join(others, ", "))
	}
	var known []string
	c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
	return refuse("unknown flag --"+render.Quote(name), see).DidYouMean("--"+name, scan.Likely("--"+name, known))
}
