package cmd

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/cmd/suggest"
	"layoutcalc/layout/view"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
)

// A helpTopic is a subject of several commands. help.md has a section about it.
type helpTopic struct {
	name   string
	lists  []string // the sections with its definitions
	groups string   // the groups of flags that it describes
	of     string   // the command that it is about, or that has its flags; empty for strides
}

// helpTopics lists the topics.
var helpTopics = [...]helpTopic{
	{name: "tensors", lists: []string{"Tensors"}, groups: "Tensor Storage Notation"},
	{name: "steps", of: "view"},
	{name: "pictures", groups: "Pictures"},
	{name: "tma", groups: "TMA", of: "check"},
	{name: "environment", lists: []string{"Environment", "Files"}},
}

// describedBy returns the command line that describes a group of flags, instead of the help of a command: the help of a
// topic for the groups in brief, and the help of the program for the flags of all commands.
func describedBy(group, brief string, c *cobra.Command) string {
	if group == ofAll && c.HasParent() {
		return "layoutcalc --help"
	}
	for _, t := range helpTopics {
		if slices.Contains(strings.Fields(t.groups), group) && slices.Contains(strings.Fields(brief), group) {
			return "layoutcalc help " + t.name
		}
	}
	return ""
}

// helpCommand shows the help of the command or of the topic in the arguments.
func (a *app) helpCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Root().Help()
	}
	known := commandNames()
	for _, sub := range c.Root().Commands() {
		if sub.Name() == args[0] {
			return sub.Help()
		}
	}
	for _, t := range helpTopics {
		if known = append(known, t.name); t.name == args[0] {
			return t.write(a, c.Root())
		}
	}
	err := refuse("there is no help on "+render.Quote(args[0]), "layoutcalc help")
	if near := wording.Likely(args[0], known); near != "" {
		return suggest.About(err, suggest.Word, args[0], near)
	}
	if commands := withFlag(args[0]); len(commands) > 0 {
		err.Hint = "--" + args[0] + " is a flag: layoutcalc " + commands[0] + " --help"
		return err
	}
	if _, wrong := topic(args[0]); wrong == nil || topicsNamed(args[0]) != nil || groupsNamed(args[0]) != nil {
		return suggest.About(err, suggest.Word, "help", "explain")
	}
	return err
}

// helpNames completes the commands and the topics.
func helpNames([]string) (names []cobra.Completion) {
	for _, c := range commands {
		names = append(names, cobra.CompletionWithDesc(c.name, described(c.name).Short))
	}
	for _, t := range helpTopics {
		names = append(names, cobra.CompletionWithDesc(t.name, described("help "+t.name).Short))
	}
	return names
}

// write prints the help of the topic.
func (t *helpTopic) write(a *app, root *cobra.Command) error {
	var b bytes.Buffer
	c, width := described("help "+t.name), min(a.columns(a.streams.Out), maxProse)
	b.WriteString(c.Short + ".\n")
	if c.Example != "" {
		b.WriteByte('\n')
		writeExamples(&b, strings.Split(c.Example, "\n"))
	}
	writeParagraphs(&b, c.Long, width)
	for _, list := range t.lists {
		b.WriteByte('\n')
		writeDefinitions(&b, definitions(list), width)
	}
	if t.name == "steps" {
		var list []definition
		for usage, about := range view.Operations {
			list = append(list, definition{name: usage, meaning: about})
		}
		b.WriteByte('\n')
		writeDefinitions(&b, list, width)
	}
	command, _, err := root.Find([]string{cmp.Or(t.of, "strides")})
	if err != nil {
		return err
	}
	for _, g := range groups(command, "") {
		if slices.Contains(strings.Fields(t.groups), g.title) {
			writeFlags(&b, g, width)
		}
	}
	_, err = io.WriteString(a.streams.Out, a.requotedExamples(b.String()))
	return render.WriteFailed("", err)
}
