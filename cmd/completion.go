package cmd

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/layout"
	"layoutcalc/layout/input"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/spec"
	"layoutcalc/layout/view"
	"layoutcalc/render"
)

// shells are those that cobra writes completion scripts for, and how to load one.
var shells = []struct {
	name, load string
	write      func(*cobra.Command, io.Writer) error
}{
	{
		"bash", "source <(layoutcalc completion bash)",
		func(c *cobra.Command, w io.Writer) error { return c.GenBashCompletionV2(w, true) },
	},
	{"zsh", "source <(layoutcalc completion zsh)", (*cobra.Command).GenZshCompletion},
	{
		"fish", "layoutcalc completion fish | source",
		func(c *cobra.Command, w io.Writer) error { return c.GenFishCompletion(w, true) },
	},
	{
		"powershell", "layoutcalc completion powershell | Out-String | Invoke-Expression",
		(*cobra.Command).GenPowerShellCompletionWithDesc,
	},
}

func (a *app) newCompletion() *cobra.Command {
	var names, examples []string
	for _, s := range shells {
		names = append(names, s.name)
		examples = append(examples, s.load)
	}
	return &cobra.Command{
		Use:               "completion SHELL",
		Short:             "Print the script that makes a shell complete words",
		Example:           strings.Join(examples, "\n"),
		ValidArgsFunction: completeShell(names),
		Args:              a.needShell,
		RunE: func(c *cobra.Command, args []string) error {
			for _, s := range shells {
				if s.name == args[0] {
					return render.WriteFailed("", s.write(c.Root(), a.streams.Out))
				}
			}
			return nil
		},
	}
}

// completeShell offers the shells for the one argument.
func completeShell(names []string) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return cobra.NoFileCompletions(c, args, word)
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// needShell refuses all but the name of one shell.
func (a *app) needShell(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		a.shortHelp(c)
		return errShortHelp
	}
	if len(args) > 1 {
		return noArguments(c, args[1:])
	}
	var names []string
	for _, s := range shells {
		if s.name == args[0] {
			return nil
		}
		names = append(names, s.name)
	}
	return &usageError{"no completion for " + render.Quote(args[0]), "the shells are " + strings.Join(names, ", ")}
}

// fixed completes one of a few words, none of which is a file.
func fixed(words ...string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeFlags says what completes the flags, if the shell asks for that at all.
func (a *app) completeFlags(c *cobra.Command, complete cobra.CompletionFunc, flags ...string) {
	if !a.completing {
		return
	}
	for _, flag := range flags {
		if c.Flag(flag) != nil {
			_ = c.RegisterFlagCompletionFunc(flag, complete)
		}
	}
}

// completeLayouts offers layout names for n arguments after the shape.
func completeLayouts(n int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) < 1 || len(args) > n {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return layoutNames(args[0]), cobra.ShellCompDirectiveNoFileComp
	}
}

// complete offers values for the flags.
func (t *tensorFlags) complete(a *app, c *cobra.Command) {
	orders := func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		names := layoutNames(append(args, "")[0])
		isNoOrder := func(c cobra.Completion) bool {
			name, _, _ := strings.Cut(c, "\t")
			return strings.ContainsAny(name, "0123456789-_") || name == "contiguous"
		}
		return slices.DeleteFunc(names, isNoOrder), cobra.ShellCompDirectiveNoFileComp
	}
	a.completeFlags(c, axes("="), "pad", "pitch", "align")
	a.completeFlags(c, axes(""), "broadcast")
	a.completeFlags(c, orders, "order")
	a.completeFlags(c, dtypes, "dtype")
	a.completeFlags(c, stepNames, "view")
	a.completeFlags(c, cobra.NoFileCompletions, "strides", "storage-offset", "rank")
}

// layoutNames lists the names that fit the rank of the shape, or all of them.
func layoutNames(shape string) []cobra.Completion {
	list, err := spec.ParseShape(shape)
	var names []cobra.Completion
	for name, about := range spec.LayoutNames {
		if err != nil || spec.Fits(name, list.Len()) {
			names = append(names, cobra.CompletionWithDesc(name, about))
		}
	}
	return names
}

// stepNames lists the steps of a chain of views.
func stepNames(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var words []cobra.Completion
	for usage, about := range view.Operations {
		words = append(words, cobra.CompletionWithDesc(usage, about))
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

func dtypes(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for d := range layout.DTypes {
		names = append(names, cobra.CompletionWithDesc(d.String(), render.DType(d)))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// axes completes the axes of the tensor that is named so far, with a suffix after each.
func axes(suffix string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		t := tensorFlags{app: &app{streams: Streams{In: strings.NewReader("")}}}
		if len(args) == 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		tensor, _, err := t.tensor(args[:min(len(args), 2)], 0, input.IsLayout)
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

// notationNames lists the notations.
func notationNames(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, n := range notation.All() {
		names = append(names, cobra.CompletionWithDesc(n.Name, n.Title))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
