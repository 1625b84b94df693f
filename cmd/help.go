package cmd

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"layoutcalc/layout/view"
	"layoutcalc/render"
)

// helpText has the words of the help and of the manual pages.
//
//go:embed help.md
var helpText string

// section returns the heading that starts with a word, and its text.
func section(word string) (heading, text string) {
	_, rest, _ := strings.Cut(helpText, "\n## "+word)
	text, _, _ = strings.Cut(rest, "\n## ")
	rest, text, _ = strings.Cut(text, "\n\n")
	return word + rest, text
}

// described returns a command with the words of its section: usage, summary, paragraphs and examples.
func described(name string) *cobra.Command {
	usage, text := section(name)
	short, text, _ := strings.Cut(text, "\n\n")
	long, examples, _ := strings.Cut(strings.TrimSuffix(text, "\n"), "\n\n    ")
	return &cobra.Command{
		Use: usage, Short: short, Long: long, Example: strings.ReplaceAll(examples, "\n    ", "\n"),
	}
}

// definitions returns the items of the list in a section, each a word and its meaning.
func definitions(heading string) (list []definition) {
	_, text := section(heading)
	for item := range strings.SplitSeq("\n"+text, "\n- `") {
		if word, meaning, ok := strings.Cut(item, "`: "); ok {
			list = append(list, definition{name: word, meaning: strings.Join(strings.Fields(meaning), " ")})
		}
	}
	return list
}

// describeFlags gives the flags of a command their words.
func describeFlags(c *cobra.Command) {
	for _, heading := range [...]string{"Flags", "Flags of " + c.Name()} {
		for _, d := range definitions(heading) {
			if f := c.Flag(d.name); f != nil {
				f.Usage = d.meaning
			}
		}
	}
}

// arguments defines the words in capitals of a usage.
func arguments(usage string) (list []definition) {
	switch {
	case strings.Contains(usage, "FILE..."):
		list = definitions("Files")
	case strings.Contains(usage, "TENSOR"):
		list = definitions("Tensors")
	case strings.Contains(usage, "SHAPE"):
		list = definitions("Tensors")[1:]
	}
	for _, d := range definitions("After tensors") {
		if strings.Contains(usage, d.name) {
			list = append(list, d)
		}
	}
	return list
}

// help prints the help of a command, examples first: all of it, or for -h the most used flags.
func (a *app) help(c *cobra.Command, _ []string) {
	var b bytes.Buffer
	examples, short := strings.Split(c.Example, "\n"), slices.Contains(a.args, "-h")
	if short {
		examples = examples[:min(len(examples), 3)]
	}
	b.WriteString(c.Short + ".\n\n")
	writeExamples(&b, examples)
	b.WriteString("\nUsage: layoutcalc " + useLine(c) + "\n")
	width := a.columns(a.streams.Out)
	if !short {
		for paragraph := range strings.SplitSeq(c.Long, "\n\n") {
			b.WriteByte('\n')
			writeFilled(&b, paragraph, 0, min(width, maxProse))
		}
		writeArguments(&b, c.Use, min(width, maxProse))
	}
	if c.HasSubCommands() {
		b.WriteString("\nCommands:\n")
	}
	for _, sub := range listed(c) {
		fmt.Fprintf(&b, "  %-11s %s\n", sub.Name(), sub.Short)
	}
	if short {
		describeFlags(c)
		if common := groupOf(c, definitions("Short help")[0]); common.flags != nil {
			writeFlags(&b, common, width)
		}
		b.WriteString("\n" + c.CommandPath() + " --help says more\n")
	} else {
		for _, g := range groups(c) {
			writeFlags(&b, g, width)
		}
		if !c.HasParent() {
			writeExitCodes(&b, min(width, maxProse))
		}
	}
	_, a.helpErr = io.WriteString(a.streams.Out, b.String())
}

func writeExitCodes(b *bytes.Buffer, width int) {
	b.WriteString("\nExit codes:\n")
	for _, e := range definitions("Exit codes") {
		fmt.Fprintf(b, "  %3s  ", e.name)
		writeFilled(b, e.meaning, 7, width)
	}
}

// maxProse is the most columns of paragraphs in the help.
const maxProse = 100

// A flagGroup is some flags of a command, under a title.
type flagGroup struct {
	title string
	flags []*pflag.Flag
}

// groupOf returns the flags of a command among the names of a definition.
func groupOf(c *cobra.Command, names definition) flagGroup {
	g := flagGroup{title: names.name}
	for name := range strings.FieldsSeq(names.meaning) {
		if f := c.Flag(name); f != nil {
			g.flags = append(g.flags, f)
		}
	}
	return g
}

// groups returns the flags of a command by subject, its own flags first.
func groups(c *cobra.Command) []flagGroup {
	c.InitDefaultHelpFlag()
	describeFlags(c)
	titles, grouped := definitions("Groups of flags"), "help version"
	for _, title := range titles {
		grouped += " " + title.meaning
	}
	own, general := definition{name: "Flags"}, definition{name: "Flags of all commands"}
	pictures := &titles[len(titles)-1].meaning
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		switch {
		case f.Annotations[ofPictures] != nil:
			*pictures += " " + f.Name
		case !slices.Contains(strings.Fields(grouped), f.Name):
			own.meaning += " " + f.Name
		}
	})
	c.Root().PersistentFlags().VisitAll(func(f *pflag.Flag) { general.meaning += f.Name + " " })
	general.meaning += "help version"
	var list []flagGroup
	for _, title := range slices.Concat([]definition{own}, titles, []definition{general}) {
		if g := groupOf(c, title); g.flags != nil {
			list = append(list, g)
		}
	}
	return list
}

// writeFlags writes flags under their title.
func writeFlags(b *bytes.Buffer, g flagGroup, width int) {
	some := pflag.NewFlagSet("", pflag.ContinueOnError)
	some.SortFlags = false
	for _, f := range g.flags {
		some.AddFlag(f)
	}
	b.WriteString("\n" + g.title + ":\n" + some.FlagUsagesWrapped(width))
}

// needArguments refuses a command line without arguments, with two examples.
func (a *app) needArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return nil
	}
	examples := strings.Split(c.Example, "\n")
	switch {
	case a.line != nil:
		return refuse("no arguments", "write "+strings.TrimPrefix(examples[0], "layoutcalc "+c.Name()+" "))
	case a.errorsInJSON:
		return refuse("no arguments", examples[0])
	}
	var b bytes.Buffer
	b.WriteString("usage: layoutcalc " + useLine(c) + "\n\n")
	writeExamples(&b, examples[:2])
	b.WriteString("\nlayoutcalc " + c.Name() + " --help says more\n")
	io.WriteString(a.streams.Err, b.String())
	return errShortHelp
}

func useLine(c *cobra.Command) string {
	if !c.HasParent() {
		return "COMMAND"
	}
	return c.Use + " [flags]"
}

func writeExamples(b *bytes.Buffer, examples []string) {
	for _, line := range examples {
		b.WriteString("  $ " + line + "\n")
	}
}

// writeArguments explains the words in capitals of a usage.
func writeArguments(b *bytes.Buffer, use string, width int) {
	for i, arg := range arguments(use) {
		if i == 0 {
			b.WriteByte('\n')
		}
		if fmt.Fprintf(b, "  %-8s", arg.name); len(arg.name) > 7 {
			b.WriteString("\n          ")
		}
		writeFilled(b, arg.meaning, 10, width)
		if arg.name == "STEP" {
			for usage, about := range view.Operations {
				fmt.Fprintf(b, "    %-26s %s\n", usage, about)
			}
		}
	}
}

// writeFilled writes a text in lines of at most width columns, and indents all but the first.
func writeFilled(b *bytes.Buffer, text string, indent, width int) {
	b.WriteString(render.Fill(strings.Join(strings.Fields(text), " "), indent, indent, width) + "\n")
}

// noArguments refuses arguments.
func noArguments(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return refuse("unexpected argument "+render.Quote(args[0]), "")
	}
	return nil
}

// atMostOne refuses arguments after the first.
func atMostOne(c *cobra.Command, args []string) error {
	return noArguments(c, args[min(len(args), 1):])
}

// listed returns the commands that the help lists.
func listed(root *cobra.Command) (list []*cobra.Command) {
	for _, c := range root.Commands() {
		if !c.Hidden {
			list = append(list, c)
		}
	}
	return list
}

// ofPictures annotates flags that are about pictures in some commands and not in others.
const ofPictures = "picture"
