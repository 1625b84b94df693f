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

	"layoutcalc/render"
)

// helpText is the text of the help and of the manual pages.
//
//go:embed help.md
var helpText string

// section returns the heading that starts with a word, and the text of its section.
func section(word string) (heading, text string) {
	_, rest, _ := strings.Cut(helpText, "\n## "+word)
	text, _, _ = strings.Cut(rest, "\n## ")
	rest, text, _ = strings.Cut(text, "\n\n")
	return word + rest, text
}

// described returns a command with the text of its section: usage, summary, paragraphs and examples.
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

// describeFlags sets the descriptions of the flags of a command.
func describeFlags(c *cobra.Command) {
	for _, heading := range [...]string{"Flags", "Flags of " + c.Name()} {
		for _, d := range definitions(heading) {
			if f := c.Flag(d.name); f != nil {
				f.Usage = d.meaning
			}
		}
	}
}

// arguments returns the definitions of the words in capitals of a command's usage, in order.
func arguments(c *cobra.Command) (list []definition) {
	known := append(definitions("Arguments of "+c.Name()), definitions("Arguments")...)
	for _, word := range capitals(c.Use) {
		isWord := func(d definition) bool { return d.name == word }
		if i := slices.IndexFunc(known, isWord); i >= 0 {
			list = append(list, known[i])
		}
	}
	return list
}

// capitals returns the words in capitals of a usage.
func capitals(usage string) []string {
	return strings.FieldsFunc(usage, func(c rune) bool { return c < 'A' || c > 'Z' })
}

// help prints the help of a command, examples first: all of it, or for -h the most used flags.
func (a *app) help(c *cobra.Command, _ []string) {
	if c.Name() == "help" {
		c = c.Root()
	}
	width, brief := min(a.columns(a.streams.Out), maxProse), "Pictures TMA"
	write := helpOf
	switch {
	case slices.Contains(a.args, "-h"):
		write = shortHelpOf
	case strings.Count(helpOf(c, 80, brief), "\n") > maxHelp:
		brief += " Tensor Storage Notation"
	}
	_, a.helpErr = io.WriteString(a.streams.Out, a.requotedExamples(write(c, width, brief)))
}

// helpOf returns the help of a command. Brief names groups of flags that a topic describes instead.
func helpOf(c *cobra.Command, width int, brief string) string {
	var b bytes.Buffer
	writeStart(&b, c, strings.Split(c.Example, "\n"))
	writeParagraphs(&b, c.Long, width)
	if list := arguments(c); list != nil {
		b.WriteByte('\n')
		writeDefinitions(&b, list, width)
	}
	writeCommands(&b, c, width)
	for _, g := range groups(c, brief) {
		writeFlags(&b, g, width)
	}
	if !c.HasParent() {
		b.WriteString("\nExit codes:\n")
		writeDefinitions(&b, definitions("Exit codes"), width)
	}
	return b.String()
}

// shortHelpOf returns the help with a few examples and the most used flags.
func shortHelpOf(c *cobra.Command, width int, _ string) string {
	var b bytes.Buffer
	examples := strings.Split(c.Example, "\n")
	writeStart(&b, c, examples[:min(len(examples), 3)])
	writeCommands(&b, c, width)
	common := flagGroup{title: "Flags"}
	for _, d := range definitions("Short help") {
		if d.name == c.Name() {
			common.flags = groupOf(c, d).flags
		}
	}
	all := groups(c, "")
	if common.flags != nil {
		writeFlags(&b, common, width)
	}
	more := c.CommandPath() + " --help says more"
	if topics := topicsBeside(common, all, c); topics != nil {
		more += "; layoutcalc help TOPIC: " + strings.Join(topics, ", ")
	}
	b.WriteByte('\n')
	writeFilled(&b, more, 0, width)
	return b.String()
}

// topicsBeside returns the topics of a command, and those that describe flags in its groups other than the common ones.
func topicsBeside(common flagGroup, groups []flagGroup, c *cobra.Command) (list []string) {
	isOther := func(f *pflag.Flag) bool { return !slices.Contains(common.flags, f) }
	for _, t := range helpTopics {
		isAbout := func(g flagGroup) bool {
			return slices.Contains(strings.Fields(t.groups), g.title) && slices.ContainsFunc(g.flags, isOther)
		}
		if t.of == c.Name() || slices.ContainsFunc(groups, isAbout) {
			list = append(list, t.name)
		}
	}
	return list
}

// writeStart writes the start of each help: summary, examples and usage.
func writeStart(b *bytes.Buffer, c *cobra.Command, examples []string) {
	b.WriteString(c.Short + ".\n\n")
	writeExamples(b, examples)
	b.WriteString("\nUsage: layoutcalc " + useLine(c) + "\n")
}

// writeCommands lists the commands and the topics in the help of the program.
func writeCommands(b *bytes.Buffer, c *cobra.Command, width int) {
	if !c.HasSubCommands() {
		return
	}
	longest := 0
	for _, sub := range listed(c) {
		longest = max(longest, len(sub.Name()))
	}
	for _, group := range definitions("Groups of commands") {
		var list []definition
		for _, sub := range inGroup(c, group) {
			name := fmt.Sprintf("%-*s", longest, sub.Name()) // aligns the groups
			list = append(list, definition{name: name, meaning: sub.Short})
		}
		b.WriteString("\n" + group.name + ":\n")
		writeDefinitions(b, list, width)
	}
	var topics []definition
	for _, t := range helpTopics {
		topic := described("help " + t.name)
		topics = append(topics, definition{name: topic.Use, meaning: topic.Short})
	}
	b.WriteString("\nTopics:\n")
	writeDefinitions(b, topics, width)
}

// maxHelp is the maximum number of lines of a command's help, at 80 columns.
const maxHelp = 60

// maxProse is the maximum number of columns of the help.
const maxProse = 100

// A flagGroup is some flags of a command, under a title. If the help of the command only lists their names, see is the
// command to type for their descriptions.
type flagGroup struct {
	title string
	flags []*pflag.Flag
	see   string
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

// groups returns the flags of a command by subject, its own flags first. Adjacent groups in brief become one group that
// the help only lists, as do the flags of all commands.
func groups(c *cobra.Command, brief string) []flagGroup {
	c.InitDefaultHelpFlag()
	describeFlags(c)
	titles, grouped := definitions("Groups of flags"), "help version"
	for _, title := range titles {
		grouped += " " + title.meaning
	}
	own, general := definition{name: "Flags"}, definition{name: ofAll}
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
		g, last := groupOf(c, title), len(list)-1
		if brief != "" {
			g.see = describedBy(title.name, brief, c)
		}
		switch {
		case g.flags == nil:
		case g.see != "" && last >= 0 && list[last].see == g.see:
			list[last].flags = append(list[last].flags, g.flags...)
		default:
			list = append(list, g)
		}
	}
	return list
}

// writeFlags writes flags under their title. If something else describes them, it only writes their names.
func writeFlags(b *bytes.Buffer, g flagGroup, width int) {
	var list []definition
	names := " "
	for _, f := range g.flags {
		kind, usage := pflag.UnquoteUsage(f)
		letter := "    "
		if f.Shorthand != "" {
			letter = "-" + f.Shorthand + ", "
		}
		list = append(list, definition{name: strings.TrimRight(letter+"--"+f.Name+" "+kind, " "), meaning: usage})
		names += " --" + f.Name
	}
	if g.see == "" {
		b.WriteString("\n" + g.title + ":\n")
		writeDefinitions(b, list, width)
		return
	}
	b.WriteString("\n" + g.title + " (" + g.see + "):\n" + render.Fill(names, 0, 2, width) + "\n")
}

// needArguments rejects a command line without arguments, with two examples.
func (a *app) needArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return nil
	}
	examples := strings.Split(c.Example, "\n")
	switch {
	case a.line != nil:
		return refuse("no arguments", "write "+strings.TrimPrefix(examples[0], "layoutcalc "+c.Name()+" "))
	case a.errorsInJSON:
		return refuse("no arguments", a.requoted(examples[0]))
	}
	var b bytes.Buffer
	b.WriteString("usage: layoutcalc " + useLine(c) + "\n\n")
	writeExamples(&b, examples[:2])
	b.WriteString("\nlayoutcalc " + c.Name() + " --help says more")
	if c.Flag("tensor") != nil {
		b.WriteString("; - reads the tensor from standard input")
	}
	b.WriteString("\n")
	io.WriteString(a.streams.Err, a.requotedExamples(b.String()))
	return errShortHelp
}

func useLine(c *cobra.Command) string {
	if !c.HasParent() {
		return "[COMMAND] ARGUMENT... [FLAG...]"
	}
	return c.Use + " [flags]"
}

func writeExamples(b *bytes.Buffer, examples []string) {
	for _, line := range examples {
		b.WriteString("  $ " + line + "\n")
	}
}

// writeDefinitions writes words, such as the words in capitals of a usage, with their meanings next to them, or below
// them if there is little space.
func writeDefinitions(b *bytes.Buffer, list []definition, width int) {
	column := 0
	for _, d := range list {
		column = max(column, len(d.name)+4)
	}
	if width-column < 24 {
		column = 10
	}
	for _, d := range list {
		if fmt.Fprintf(b, "  %-*s", column-2, d.name); len(d.name)+2 >= column {
			fmt.Fprintf(b, "\n%*s", column, "")
		}
		writeFilled(b, d.meaning, column, width)
	}
}

// writeParagraphs writes paragraphs, each after an empty line.
func writeParagraphs(b *bytes.Buffer, text string, width int) {
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		b.WriteByte('\n')
		writeFilled(b, paragraph, 0, width)
	}
}

// writeFilled writes text in lines of at most width columns, and indents all lines except the first.
func writeFilled(b *bytes.Buffer, text string, indent, width int) {
	b.WriteString(render.Fill(strings.Join(strings.Fields(text), " "), indent, indent, width) + "\n")
}

// noArguments rejects arguments.
func noArguments(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return refuse("unexpected argument "+render.Quote(args[0]), "")
	}
	return nil
}

// atMostOne rejects arguments after the first.
func atMostOne(c *cobra.Command, args []string) error {
	return noArguments(c, args[min(len(args), 1):])
}

// listed returns the commands that the help lists, in its order.
func listed(root *cobra.Command) (list []*cobra.Command) {
	for _, group := range definitions("Groups of commands") {
		list = append(list, inGroup(root, group)...)
	}
	return list
}

// inGroup returns the commands of a group, in its order.
func inGroup(root *cobra.Command, group definition) (list []*cobra.Command) {
	for name := range strings.FieldsSeq(group.meaning) {
		for _, c := range root.Commands() {
			if c.Name() == name {
				list = append(list, c)
			}
		}
	}
	return list
}

// ofAll is the title of the flags of all commands.
const ofAll = "Flags of all commands"

// ofPictures annotates flags that affect pictures in some commands and not in others.
const ofPictures = "picture"
