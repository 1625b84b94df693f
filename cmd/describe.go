package cmd

import (
	_ "embed"
	"strings"

	"github.com/spf13/cobra"
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
