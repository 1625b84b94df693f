package cmd

import (
	"embed"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/layout/input"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/view"
	"layoutcalc/render"
)

// scripts has a script for each shell. Those of cobra evaluate what is on the line, and the one for bash needs the
// package bash-completion.
//
//go:embed completion.bash completion.zsh completion.fish completion.powershell
var scripts embed.FS

func (a *app) newCompletion() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print the script that makes a shell complete words",
		Long: "The script completes commands, flags, layouts, types, notations, axes and files. Put its line into " +
			"the file that your shell reads when it starts: ~/.bashrc, ~/.zshrc, ~/.config/fish/config.fish, or " +
			"the file that $PROFILE names in PowerShell.\n\n" +
			"bash needs no other package. In zsh the line comes after these two, if ~/.zshrc does not have them: " +
			"autoload -U compinit; compinit",
		Example: `source <(layoutcalc completion bash)
source <(layoutcalc completion zsh)
layoutcalc completion fish | source
layoutcalc completion powershell | Out-String | Invoke-Expression`,
		ValidArgsFunction: onlyFirst(fixed(shells...)),
		Args:              a.needArguments,
		RunE: func(c *cobra.Command, args []string) error {
			err := noArguments(c, args[1:])
			if err != nil {
				return err
			}
			script, err := scripts.ReadFile("completion." + args[0])
			if err != nil {
				hint := "the shells are " + strings.Join(shells, ", ")
				return refuse("no completion for "+render.Quote(args[0]), hint)
			}
			_, err = a.streams.Out.Write(script)
			return render.WriteFailed("", err)
		},
	}
}

// offer completes a word by those of a list, none of which is a file.
func offer(words func(args []string) []cobra.Completion) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return words(args), cobra.ShellCompDirectiveNoFileComp
	}
}

// fixed completes one of a few words.
func fixed(words ...cobra.Completion) cobra.CompletionFunc {
	return offer(func([]string) []cobra.Completion { return words })
}

// onlyFirst completes the first argument and no other.
func onlyFirst(first cobra.CompletionFunc) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return first(c, args, word)
	}
}

// completeFlags says what completes the flags, if the shell asks for that at all.
func (a *app) completeFlags(c *cobra.Command, complete cobra.CompletionFunc, flags ...string) {
	for _, flag := range flags {
		if a.completing && c.Flag(flag) != nil {
			_ = c.RegisterFlagCompletionFunc(flag, complete)
		}
	}
}

// completeLayouts offers layout names for n arguments after the shape, and files in place of a shape that looks like
// a path.
func completeLayouts(n int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		switch {
		case len(args) == 0 && strings.ContainsAny(word, "./"):
			return nil, cobra.ShellCompDirectiveDefault
		case len(args) < 1 || len(args) > n:
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return layoutNames(args), cobra.ShellCompDirectiveNoFileComp
	}
}

// listed completes the last word of a list with commas between the words.
func listed(words cobra.CompletionFunc) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, list string) ([]cobra.Completion, cobra.ShellCompDirective) {
		before := list[:strings.LastIndexByte(list, ',')+1]
		names, directive := words(c, args, list[len(before):])
		for i := range names {
			names[i] = before + names[i]
		}
		return names, directive
	}
}

// completeFields completes the fields of the answers of a command.
func (a *app) completeFields(c *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return a.fields(c), cobra.ShellCompDirectiveNoFileComp
}

// fieldsOf returns the fields of the answer to the first example of a command.
func (a *app) fieldsOf(c *cobra.Command) []string {
	example, _, _ := strings.Cut(c.Example, "\n")
	words, err := splitLine(nil, example)
	if err != nil {
		return nil
	}
	other := &app{streams: Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Env: a.streams.Env}}
	var unknown *render.FieldError
	if !errors.As(other.execute(append(words[1:], "--get", "?")), &unknown) {
		return nil
	}
	return slices.DeleteFunc(unknown.Fields, func(name string) bool { return strings.HasPrefix(name, "tensor.") })
}

// layoutNames lists the names that fit the rank of the shape, which is the first argument, or all of them.
func layoutNames(args []string) (names []cobra.Completion) {
	list, err := shape.ParseShape(append(args, "")[0])
	for name, about := range shape.LayoutNames {
		if err != nil || shape.Fits(name, list.Len()) {
			names = append(names, cobra.CompletionWithDesc(name, about))
		}
	}
	return names
}

// orderNames lists the layout names that only order axes.
func orderNames(args []string) []cobra.Completion {
	return slices.DeleteFunc(layoutNames(args), func(c cobra.Completion) bool {
		name, _, _ := strings.Cut(c, "\t")
		return strings.ContainsAny(name, "0123456789-_") || name == "contiguous"
	})
}

// stepNames lists the steps of a chain of views.
func stepNames([]string) (words []cobra.Completion) {
	for usage, about := range view.Operations {
		words = append(words, cobra.CompletionWithDesc(usage, about))
	}
	return words
}

// completeTopics completes what can be explained, of one kind or, where that is empty, of any, and more words.
func completeTopics(kind string, more ...cobra.Completion) cobra.CompletionFunc {
	return offer(func([]string) (names []cobra.Completion) {
		for _, t := range topics() {
			if kind == "" || kind == t.Kind {
				names = append(names, cobra.CompletionWithDesc(t.Name, t.Title))
			}
		}
		return append(names, more...)
	})
}

// axes completes the axes of the tensor that is named so far, with a suffix after each.
func axes(suffix string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		t := tensorFlags{app: &app{streams: Streams{In: strings.NewReader("")}}}
		args = args[:min(len(args), 2)]
		if len(args) == 0 || slices.ContainsFunc(args, isStream) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		tensor, _, err := t.tensor(args, 0, input.IsLayout)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var names []cobra.Completion
		for name, size := range render.Axes(tensor) {
			names = append(names, cobra.CompletionWithDesc(name+suffix, size))
		}
		return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// isStream reports whether a path is a pipe or a device: to read it takes what others wait for, and may not end.
func isStream(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeSocket|os.ModeDevice) != 0
}
