// Package cmd is the command line, with one file for each command. A command turns flags and arguments into a request,
// makes one call of the packages below, and passes the result to package render. It does not compute or format.
package cmd

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/cmd/suggest"
	"layoutcalc/render"
)

// Run runs the command line without the program's name and returns the exit code.
func Run(args []string, s Streams) (code int) {
	if s.Windows {
		args = unquoted(args)
		if len(args) > 0 { // not given by Explorer: cobra need not look for it among all processes
			cobra.MousetrapHelpText = ""
		}
	}
	a := newApp(s, args)
	a.hintFor, a.meantBy, a.Guard.Note = a.hint, a.meant, a.Note
	defer func() {
		if fault := recover(); fault != nil {
			text := fmt.Sprintf("internal error: %v; please report it with the command line", fault)
			a.say(render.Message{Text: render.Clean(text)})
			code = exitFault
		}
	}()
	err := a.inWords(a.execute(args), a.execute)
	if !a.errorsInJSON { // an error in JSON has the notes
		a.Flush()
	}
	code = a.report(err)
	a.Flush()
	return code
}

// mostRead is the maximum number of words of a command line that are replaced: a verb and flags of another program.
const mostRead = 3

// inWords runs a command line that means the same as a failed one, in our words, and prints a note about it. It returns
// the last error.
func (a *app) inWords(err error, run func(args []string) error) error {
	for range mostRead {
		if a.meantBy == nil || err == nil {
			break
		}
		meant := a.meantBy(err)
		if meant == nil {
			break
		}
		a.notes, a.args = nil, meant
		a.Note("read as " + (&app{streams: a.streams}).commandLine(meant))
		err = run(meant)
	}
	return err
}

// meant returns a command line that means the same as a failed one, or nil if no suggestion is sure. In a batch it must
// have the command of the batch.
func (a *app) meant(err error) []string {
	for _, s := range suggest.For(a.call(), err) {
		if s.Sure && a.commandLine(s.Args) != "" && (a.line == nil || s.Args[0] == a.args[0]) {
			return s.Args
		}
	}
	return nil
}

// RunLine runs a command line in a single string, which it splits like a shell, and returns the exit code. The line may
// start with a prompt and the program's name. It does not use a shell, so pipes and redirections do not work.
func RunLine(line string, s Streams) (code int) {
	a := &app{streams: s, hintFor: hintOf}
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

// execute runs the command in the arguments. It moves flags before the name of the command to the position after it.
func (a *app) execute(args []string) error {
	root := a.newRoot()
	a.errorsInJSON = wantsJSON(args)
	args = protected(slices.Clone(args))
	at := firstWord(root, args)
	if slices.ContainsFunc(args[:at], isVersion) {
		return a.printer(&output{Options: render.Options{Format: render.Table}}).Print(buildVersion())
	}
	a.isChosen = at == len(args) || !isCommand(args[at]) && !needsAll(args[at])
	if a.isChosen {
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
	root.SetArgs(append([]string{}, leading...)) // not nil, because cobra would then read os.Args
	if len(rest) == 0 {
		root.InitDefaultHelpFlag() // otherwise -h would be a flag with a value
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
// completion. Creating only one saves a tenth of the time of a run.
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

// firstWord returns the index of the command. After flags, it is the first argument that names one, and otherwise the
// first that is neither a flag nor the value of a flag of all commands. Without a command, it is the number of
// arguments.
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

// call returns the command line for suggestions.
func (a *app) call() suggest.Call {
	return suggest.Call{
		Args: a.args, Command: a.command, InBatch: a.line != nil, Commands: commandNames(), Shell: a.shell(),
		Near: a.near,
		HasFlag: func(name string) bool {
			at := commandAt(a.command)
			return at >= 0 && commands[at].make(&app{lists: true}).Flags().Lookup(name) != nil
		},
	}
}
