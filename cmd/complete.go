package cmd

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/shape"
	"layoutcalc/render/draw"
)

// offer completes with a list of words, and no files.
func offer(words func(args []string) []cobra.Completion) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return words(args), cobra.ShellCompDirectiveNoFileComp
	}
}

// fixed completes with a few words.
func fixed(words ...cobra.Completion) cobra.CompletionFunc {
	return offer(func([]string) []cobra.Completion { return words })
}

// onlyFirst completes only the first argument.
func onlyFirst(first cobra.CompletionFunc) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return first(c, args, word)
	}
}

// completeFlags registers the completion of all flags.
func (a *app) completeFlags(root *cobra.Command) {
	register := func(c *cobra.Command, flags *pflag.FlagSet) {
		flags.VisitAll(func(f *pflag.Flag) {
			if complete := a.completion(f); complete != nil {
				_ = c.RegisterFlagCompletionFunc(f.Name, a.orFile(complete))
			}
		})
	}
	register(root, root.PersistentFlags())
	for _, c := range root.Commands() {
		describeFlags(c)
		register(c, c.Flags())
		c.ValidArgsFunction = a.orFile(c.ValidArgsFunction)
	}
}

// completion returns the completion of a flag's value, by its words or by its name. It is nil for files.
func (a *app) completion(f *pflag.Flag) cobra.CompletionFunc {
	if v, ok := f.Value.(interface{ only() []cobra.Completion }); ok && v.only() != nil {
		return fixed(v.only()...)
	}
	every := cobra.CompletionWithDesc("all", "each that can express the tensor")
	for _, row := range [...]struct {
		flags    string
		complete cobra.CompletionFunc
	}{
		{"layout to", offer(layoutNames)},
		{"order", offer(orderNames)},
		{"pad pitch align sweep lanes", a.axes("=")},
		{"broadcast loops", inList(a.axes(""))},
		{"view", offer(a.stepNames)},
		{"tensor", offer(a.tensorNames)},
		{"dtype", completeTopics("type")},
		{"from", completeTopics("notation")},
		{"as", inList(completeTopics("notation", func() []cobra.Completion { return []cobra.Completion{every} }))},
		{"rule ignore", completeTopics("rule")},
		{"target", fixed(descriptor.Targets()...)},
		{"report", completeReport},
		{"get", inList(a.completeFields)},
		{"values", fixed(cobra.CompletionWithDesc("index", "the index of each element"))},
		{"swizzle", fixed(swizzleModes()...)},
		{"color-by", fixed(draw.ColorBys[1:]...)},
		{"dir", cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)},
		{"exclude stdin-filename", nil},
	} {
		if slices.Contains(strings.Fields(row.flags), f.Name) {
			return row.complete
		}
	}
	if f.Value.Type() == "FILE" {
		return nil
	}
	return cobra.NoFileCompletions
}

// swizzleModes returns the names of the hardware modes.
func swizzleModes() (names []cobra.Completion) {
	for _, mode := range shape.SwizzleModes {
		names = append(names, mode.Name)
	}
	return names
}

// completeLayouts offers layout names for the n arguments after the shape, and files if the first argument is a word or
// looks like a path.
func completeLayouts(n int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		switch {
		case len(args) == 0 && (strings.ContainsAny(word, "./") || lexer.IsName(word)):
			return nil, cobra.ShellCompDirectiveDefault
		case len(args) < 1 || len(args) > n:
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		names := layoutNames(args)
		for _, f := range shape.Formats {
			if list, err := shape.ParseShape(args[0]); err == nil && len(args) == 1 && f.Fits(list) {
				names = append(names, cobra.CompletionWithDesc(f.Name, imageTopic(&f).Title))
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// inList completes the last word of a comma-separated list.
func inList(words cobra.CompletionFunc) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, list string) ([]cobra.Completion, cobra.ShellCompDirective) {
		before := list[:strings.LastIndexByte(list, ',')+1]
		names, directive := words(c, args, list[len(before):])
		for i := range names {
			names[i] = before + names[i]
		}
		return names, directive
	}
}

// completeFields offers the fields in the answers of a command.
func (a *app) completeFields(c *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return a.fieldsOf(c), cobra.ShellCompDirectiveNoFileComp
}

// layoutNames lists the names for the rank of the shape in the first argument, or all names without one.
func layoutNames(args []string) (names []cobra.Completion) {
	list, err := shape.ParseShape(append(args, "")[0])
	for name, about := range shape.LayoutNames {
		if err != nil || shape.Fits(name, list.Len()) {
			names = append(names, cobra.CompletionWithDesc(name, about))
		}
	}
	return names
}

// orderNames lists the layout names without blocks.
func orderNames(args []string) []cobra.Completion {
	return slices.DeleteFunc(layoutNames(args), func(c cobra.Completion) bool {
		name, _, _ := strings.Cut(c, "\t")
		return strings.ContainsAny(name, "0123456789-_") || name == "contiguous"
	})
}

// groupNames offers the groups of topics.
func groupNames() (names []cobra.Completion) {
	for _, g := range topicGroups() {
		names = append(names, cobra.CompletionWithDesc(g.Name, g.About))
	}
	return append(names, cobra.CompletionWithDesc(rulesGroup, "the groups of rules"))
}

// completeTopics offers the topics of explain, of one kind or, if that is empty, of all, and more words.
func completeTopics(kind string, more ...func() []cobra.Completion) cobra.CompletionFunc {
	return offer(func([]string) (names []cobra.Completion) {
		for _, t := range topics() {
			if kind == "" || kind == t.Kind {
				names = append(names, cobra.CompletionWithDesc(t.Name, t.Title))
			}
		}
		for _, others := range more {
			names = append(names, others()...)
		}
		return names
	})
}
