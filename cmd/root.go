// Package cmd is the command line, one file a command. A command turns flags and arguments into a request, makes one
// call of the packages below, and gives the result to package render. It neither computes nor formats.
package cmd

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"layoutcalc/cmd/suggest"
	"layoutcalc/layout/input"
	"layoutcalc/render"
)

// Run runs the command line without the program's name and returns the exit code.
func Run(args []string, s Streams) (code int) {
	if s.Windows {
		args = unquoted(args)
		if len(args) > 0 { // which Explorer does not give: cobra need not look for it among all processes
			cobra.MousetrapHelpText = ""
		}
	}
	a := newApp(s, args)
	a.hintFor, a.Guard.Note = a.hint, a.Note
	defer func() {
		if fault := recover(); fault != nil {
			text := fmt.Sprintf("internal fault: %v; please report it with the command line", fault)
			a.say(render.Message{Text: render.Clean(text)})
			code = exitFault
		}
	}()
	err := a.execute(args)
	if !a.errorsInJSON { // an error in JSON has the notes
		a.Flush()
	}
	code = a.report(err)
	a.Flush()
	return code
}

// RunLine runs a command line in one text, which it splits as a shell does, and returns the exit code. The line may
// start with a prompt and the program's name. No shell runs it, so it has neither pipes nor files for its output.
func RunLine(line string, s Streams) (code int) {
	a := &app{streams: s, hintFor: func(error) string { return "" }}
	words, err := splitLine(nil, line)
	if err != nil {
		return a.report(err)
	}
	for _, name := range [...]string{"$", "layoutcalc"} {
		if len(words) > 0 && words[0] == name {
			words = words[1:]
		}
	}
	if at := slices.IndexFunc(words, isOperator); at >= 0 {
		return a.report(refuse("no shell runs this line, and "+words[at]+" has no meaning here",
			"type one command, and - for standard input"))
	}
	return Run(words, s)
}

// execute runs the command in the arguments. It moves flags before the name of the command behind it.
func (a *app) execute(args []string) error {
	root := a.newRoot()
	a.errorsInJSON = wantsJSON(args)
	args = protected(slices.Clone(args))
	at := firstWord(root, args)
	if slices.ContainsFunc(args[:at], isVersion) {
		return a.printer(&output{Options: render.Options{Format: render.Table}}).Print(buildVersion())
	}
	if at == len(args) || !isCommand(args[at]) && !needsAll(args[at]) {
		var err error
		if args, err = a.chosen(root, args); err != nil {
			return err
		}
		a.args, at = args, firstWord(root, args)
	}
	leading, rest := args[:at], args[at:]
	if len(rest) == 2 && rest[1] == "help" {
		rest = []string{"help", rest[0]}
	}
	a.addCommands(root, rest)
	root.SetArgs(append([]string{}, leading...)) // not nil, or else cobra reads os.Args
	if len(rest) == 0 {
		root.InitDefaultHelpFlag() // or else -h would be a flag with a value
	} else {
		a.command = rest[0]
		root.SetArgs(slices.Concat(rest[:1], leading, rest[1:]))
	}
	root.SetIn(a.streams.In)
	root.SetOut(a.streams.Out)
	root.SetErr(a.streams.Err)
	if err := root.Execute(); err != nil {
		return err
	}
	return render.WriteFailed("", a.helpErr)
}

func isVersion(arg string) bool { return arg == "--version" || arg == "-v" || arg == "-V" }

// newRoot returns the root command without subcommands.
func (a *app) newRoot() *cobra.Command {
	root := described("layoutcalc")
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.DisableDefaultCmd = true
	a.display.add(root)
	root.PersistentPreRun = func(c *cobra.Command, _ []string) { a.noteRepeated(a.givenFlags(c.Flags())) }
	root.SetHelpFunc(a.help)
	root.SetFlagErrorFunc(a.flagError)
	root.SetHelpCommand(&cobra.Command{
		Use: "help [COMMAND | TOPIC]", Short: "Show the help of a command or on a topic", Hidden: true,
		RunE: a.helpCommand, ValidArgsFunction: onlyFirst(offer(helpNames)),
	})
	return root
}

// addCommands adds the command that the first argument names, or all commands for the help, for manual pages and for
// completion. To make only the one saves a tenth of the time of a run.
func (a *app) addCommands(root *cobra.Command, args []string) {
	if len(args) > 0 && !needsAll(args[0]) {
		root.AddCommand(commands[commandAt(args[0])].make(a))
		return
	}
	a.lists = true
	root.Flags().BoolP("version", "v", false, "show the version of the program")
	for _, c := range commands {
		root.AddCommand(c.make(a))
	}
	if len(args) > 0 && isCompletion(args[0]) {
		a.completeFlags(root)
	}
}

// needsAll reports whether a command needs all others.
func needsAll(name string) bool { return name == "help" || name == "man" || isCompletion(name) }

func isCompletion(name string) bool { return strings.HasPrefix(name, "__complete") }

// firstWord returns the position of the command: after flags the first argument that names one, otherwise the first
// that is neither a flag nor the value of a flag of all commands. Without a command it is the number of arguments.
func firstWord(root *cobra.Command, args []string) int {
	if i := slices.IndexFunc(args, isCommand); i > 0 && strings.HasPrefix(args[0], "-") {
		return i
	}
	for i := 0; i < len(args); i++ {
		name, isFlag := strings.CutPrefix(args[i], "--")
		switch {
		case !strings.HasPrefix(args[i], "-") || args[i] == "--":
			return i
		case isFlag && root.PersistentFlags().Lookup(name) != nil:
			i++
		}
	}
	return len(args)
}

// fieldsOf returns the fields in the answer to the first example of a command.
func (a *app) fieldsOf(c *cobra.Command) []string {
	example, _, _ := strings.Cut(c.Example, "\n")
	words, err := splitLine(nil, example)
	if err != nil {
		return nil
	}
	other := a.trial(nil, io.Discard)
	var unknown *render.FieldError
	if !errors.As(other.execute(append(words[1:], "--get", "?")), &unknown) {
		return nil
	}
	return slices.DeleteFunc(unknown.Fields, func(name string) bool { return strings.HasPrefix(name, "tensor.") })
}

// hint returns the first suggestion for an error that has an answer, and the others that are as likely, each on a line;
// otherwise advice. It is empty for none. A line in which fewer faults have to be mended comes first.
func (a *app) hint(err error) string {
	list := suggest.For(a.call(), err)
	for mends := range mostMends + 1 {
		var hints []string
		for _, s := range list {
			const most = 200 // bytes
			if s.Args == nil || len(hints) > 0 && !s.Also {
				continue
			}
			hint := a.commandLine(a.mended(s.Args, mends))
			if hint != "" && len(hint) <= most && render.Clean(hint) == hint {
				hints = append(hints, hint)
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
	return ""
}

// call returns the command line for suggestions.
func (a *app) call() suggest.Call {
	return suggest.Call{
		Args: a.args, Command: a.command, InBatch: a.line != nil, Commands: commandNames(), Shell: a.shell(),
		HasFlag: func(name string) bool {
			at := commandAt(a.command)
			return at >= 0 && commands[at].make(&app{lists: true}).Flags().Lookup(name) != nil
		},
	}
}

// mostMends is how many faults of a command line a suggestion mends after the first.
const mostMends = 2

// mended returns a suggested command line that has an answer: these arguments, or what is suggested for their own
// fault. It is nil if there is none.
func (a *app) mended(args []string, mends int) []string {
	trial, err := a.try(args)
	if err == nil {
		return args
	}
	for _, s := range suggest.For(trial.call(), err) {
		if s.Args == nil || mends == 0 {
			continue
		}
		if next := a.mended(s.Args, mends-1); next != nil {
			return next
		}
	}
	return nil
}

// trial returns an app that answers to out, in the environment and the directory of the call.
func (a *app) trial(args []string, out io.Writer) *app {
	s := a.streams
	return newApp(Streams{In: strings.NewReader(""), Out: out, Err: io.Discard, Env: s.Env, Dir: s.Dir}, args)
}

// try runs a command line, and returns its error if it has no answer. Lines that read standard input, or read, write or
// check files, and lines of a batch, to which other flags belong, it takes on trust.
func (a *app) try(args []string) (trial *app, err error) {
	computing := []string{"strides", "offset", "size", "convert", "view", "compare", "access", "algebra"}
	at := slices.IndexFunc(args, isCommand)
	if a.line != nil || at < 0 || !slices.Contains(computing, args[at]) {
		return nil, nil
	}
	for _, arg := range args {
		name, _, _ := strings.Cut(arg, "=")
		_, isSource := input.Path(arg)
		if isSource || slices.Contains([]string{"--in", "--out", "--svg", "--html", "--batch"}, name) {
			return nil, nil
		}
	}
	trial = a.trial(args, unread{})
	trial.hintFor = func(error) string { return "" }
	err = trial.execute(args)
	if code := trial.report(err); code == exitFine || code == exitNo {
		return trial, nil
	}
	return trial, err
}

// An unread stream has no reader any more: it ends a trial at the first write.
type unread struct{}

func (unread) Write([]byte) (int, error) { return 0, syscall.EPIPE }
