// Package cmd is the command line: one file a command, each of which turns arguments and flags
// into a layout, has it judged, and hands the result to package render. It neither computes
// nor formats.
package cmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/cmd/files"
	"layoutcalc/layout/notation"
	"layoutcalc/render"
)

// Streams are what the program reads and writes, and the environment it asks.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Env      func(key string) string
}

// Run runs the command line without the program's name and returns the exit code.
func Run(args []string, s Streams) (code int) {
	a := &app{streams: s, args: args}
	a.mend, a.guard.Note = a.hinted, a.note
	defer func() {
		if fault := recover(); fault != nil {
			text := fmt.Sprintf("internal fault: %v; please report it with the command line", fault)
			a.say(render.Message{Text: render.Clean(text)})
			code = exitFault
		}
	}()
	err := a.execute(args)
	if !a.errorsInJSON { // which have the notes themselves
		a.sayNotes()
	}
	code = a.report(err)
	a.sayNotes()
	return code
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

	batch        *batch // whose line is answered; nil outside of batches
	errorsInJSON bool

	guard      files.Guard                   // writes files, and knows those that are read
	readInput  bool                          // standard input has been read, or is being read
	completing bool                          // the shell asks what could come next
	fields     func(*cobra.Command) []string // of the answers of a command, while the shell completes

	// mend gives an error a hint that says what may have been meant. It looks at all commands, and these name it.
	mend func(error) error
}

// execute runs the command that the arguments name. Flags before its name are put after it, where
// it knows them.
func (a *app) execute(args []string) error {
	root := a.newRoot()
	a.errorsInJSON = wantsJSON(args)
	args = protected(slices.Clone(args))
	at := firstWord(root, args)
	leading, rest := args[:at], args[at:]
	if slices.Contains(leading, "--version") || slices.Contains(leading, "-v") {
		return a.printer(&output{format: render.Table}).Version(buildVersion())
	}
	if err := a.addCommands(root, rest); err != nil {
		return err
	}
	root.SetArgs(leading)
	if len(rest) == 0 {
		root.InitDefaultHelpFlag() // so that -h is not taken for a flag with a value
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

// protected changes arguments that are options of benchdnn, which would be taken for flags.
func protected(args []string) []string {
	for i, arg := range args {
		if notation.IsBenchOptions(arg) {
			args[i] = "benchdnn " + arg
		}
	}
	return args
}

// commands lists the commands.
var commands = [...]struct {
	name string
	make func(*app) *cobra.Command
}{
	{"strides", (*app).newStrides},
	{"offset", (*app).newOffset},
	{"size", (*app).newSize},
	{"convert", (*app).newConvert},
	{"view", (*app).newView},
	{"compare", (*app).newCompare},
	{"check", (*app).newCheck},
	{"explain", (*app).newExplain},
	{"version", (*app).newVersion},
	{"completion", (*app).newCompletion},
	{"man", (*app).newMan},
}

// newRoot returns the root without commands.
func (a *app) newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "layoutcalc",
		Short: "Calculate strides, offsets and sizes of tensor memory layouts",
		Long: "It answers what engineers ask of the descriptor of a tensor: what are its strides, where is this " +
			"element, how many bytes does it take, is it packed, is this reshape a view, are these two layouts the " +
			"same, will DirectML accept it? It reads and writes the notations of DirectML, PyTorch, NumPy, oneDNN, " +
			"XLA, MLIR, CuTe and others, and needs none of these systems.\n\n" +
			"Flags may come before the command. Notes on standard error say what an answer rests on; --quiet leaves " +
			"them out. For scripts, -o plain is the bare answer, -o json all of it, --get one field.",
		Example: `layoutcalc strides 1x3x224x224 NHWC
layoutcalc offset 2x2x3 DHW 1,0,1
layoutcalc size 1x3x224x224 -t float16
layoutcalc view 2x3x4 'permute(0,2,1)' 'view(-1)'
layoutcalc compare 1x8x4x4 NCHW8c NHWC
layoutcalc convert 1x3x2x2 NCHW NHWC`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	a.look.add(root)
	root.PersistentPreRun = func(c *cobra.Command, _ []string) { a.noteRepeated(a.givenFlags(c.Flags())) }
	root.SetHelpFunc(a.help)
	root.SetFlagErrorFunc(a.flagError)
	root.SetHelpCommand(&cobra.Command{
		Use: "help [COMMAND]", Short: "Show the help of a command", Hidden: true, RunE: a.helpCommand,
	})
	return root
}

// helpCommand shows the help of the command that the arguments name.
func (a *app) helpCommand(c *cobra.Command, args []string) error {
	for _, sub := range c.Root().Commands() {
		if len(args) > 0 && sub.Name() == args[0] {
			return sub.Help()
		}
	}
	if len(args) > 0 {
		return unknownCommand(args[0])
	}
	return c.Root().Help()
}

// addCommands adds the command that the first argument names, or all commands where there is
// none: in the help of the root, for man pages and while the shell completes. To make only what is needed
// saves a tenth of the time of a run.
func (a *app) addCommands(root *cobra.Command, args []string) error {
	name := "help"
	if len(args) > 0 {
		name = args[0]
	}
	for _, c := range commands {
		if c.name == name && name != "man" {
			root.AddCommand(c.make(a))
			return nil
		}
	}
	a.completing, a.fields = strings.HasPrefix(name, "__complete"), a.fieldsOf
	a.completeFlags(root, fixed(colorWords...), "color")
	a.completeFlags(root, cobra.NoFileCompletions, "width")
	if !a.completing && name != "help" && name != "man" {
		return unknownCommand(name)
	}
	root.Flags().BoolP("version", "v", false, "show the version of the program")
	for _, c := range commands {
		root.AddCommand(c.make(a))
	}
	return nil
}

// firstWord finds the command: after flags the first argument that is the name of one, or else the first that is
// neither a flag nor the value of one of the root's. It returns the number of arguments when there is none.
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

// withFlag returns the names of the commands that have a flag.
func withFlag(name string) (names []string) {
	for _, c := range commands {
		if c.name != "man" && c.make(&app{}).Flags().Lookup(name) != nil {
			names = append(names, c.name)
		}
	}
	return names
}

// commandNames returns the names of the commands.
func commandNames() (names []string) {
	for _, c := range commands {
		names = append(names, c.name)
	}
	return names
}

func isCommand(word string) bool {
	for _, c := range commands {
		if c.name == word {
			return true
		}
	}
	return false
}
