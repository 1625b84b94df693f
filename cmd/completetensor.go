package cmd

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/layout/input"
	"layoutcalc/layout/view"
	"layoutcalc/render"
)

// typed returns flags that read the tensor in the arguments typed so far. It reports false if no arguments are typed,
// or the tensor is a stream.
func (a *app) typed(args []string) (t *tensorFlags, ok bool) {
	isStreamAt := func(arg string) bool { return a.isStream(strings.TrimPrefix(arg, "@")) }
	t = &tensorFlags{app: newApp(Streams{In: strings.NewReader(""), Dir: a.streams.Dir}, nil)}
	return t, len(args) > 0 && !slices.ContainsFunc(args, isStreamAt)
}

// isStream reports whether a path is a pipe or a device. Reading one may never end, and takes bytes from other readers.
func (a *app) isStream(path string) bool {
	info, err := os.Stat(a.Path(path))
	return err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeSocket|os.ModeDevice) != 0
}

// axes completes axis names of the tensor typed so far, each followed by suffix.
func (a *app) axes(suffix string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		args = args[:min(len(args), 2)]
		t, ok := a.typed(args)
		if !ok {
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

// tensorNames lists the tensors of the file in the first argument, or the planes of the image in the first two.
func (a *app) tensorNames(args []string) (names []cobra.Completion) {
	const most = 10_000
	args = args[:min(len(args), 2)]
	t, ok := a.typed(args)
	if !ok {
		return nil
	}
	in, _, err := input.Find(args, t.app.Open, t.options())
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(in.Names(most), func(name string) bool { return render.Clean(name) != name })
}

// stepNames lists the view operations that apply to the tensor typed so far. If no tensor is typed, it lists all.
func (a *app) stepNames(args []string) (words []cobra.Completion) {
	operations := view.Operations
	if t, ok := a.typed(args); ok {
		start, steps, err := t.chain(append(slices.Clone(args), "clone()"))
		var views []view.View
		if err == nil {
			views, err = view.Apply(start, steps, t.of)
		}
		if err == nil {
			operations = view.Fitting(views[len(views)-1].Tensor, t.of)
		}
	}
	for usage, about := range operations {
		words = append(words, cobra.CompletionWithDesc(usage, about))
	}
	return words
}

// stepsOrLayouts offers view steps and, directly after the shape, layout names.
func (a *app) stepsOrLayouts(args []string) []cobra.Completion {
	switch len(args) {
	case 0:
		return nil
	case 1:
		return append(layoutNames(args), a.stepNames(args)...)
	}
	return a.stepNames(args)
}

// orFile completes a word after @ with files, and other words with complete. If complete is nil, it completes other
// words with files too.
func (a *app) orFile(complete cobra.CompletionFunc) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		path, isFile := strings.CutPrefix(word, "@")
		switch {
		case !isFile && complete == nil:
			return nil, cobra.ShellCompDirectiveDefault
		case !isFile:
			return complete(c, args, word)
		}
		var names []cobra.Completion
		directive := cobra.ShellCompDirectiveNoFileComp
		dir, start := filepath.Split(path)
		entries, _ := os.ReadDir(a.Path(cmp.Or(dir, ".")))
		for _, e := range entries {
			name := e.Name()
			isHidden := strings.HasPrefix(name, ".") && !strings.HasPrefix(start, ".")
			if !strings.HasPrefix(name, start) || isHidden || render.Clean(name) != name {
				continue
			}
			if e.IsDir() {
				name += "/"
				directive |= cobra.ShellCompDirectiveNoSpace
			}
			names = append(names, "@"+dir+name)
		}
		return names, directive
	}
}
