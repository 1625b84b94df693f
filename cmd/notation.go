package cmd

import (
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/layout"
	"layoutcalc/layout/notation"
	"layoutcalc/render"
)

// A notationFlags says how to read a text that describes a tensor.
type notationFlags struct {
	from   string
	tensor string
	dims   []int64
}

func (n *notationFlags) add(a *app, c *cobra.Command) {
	flags := c.Flags()
	flags.Var(text("NOTATION", &n.from), "from", "read the tensor in this notation, whatever its form looks like")
	flags.Var(text("NAME", &n.tensor), "tensor", "which tensor to take of a text that describes several")
	flags.Var(&parsed[layout.List]{"N,...", layout.ParseDims, func(l layout.List) { n.dims = append(n.dims, l.Values()...) }}, "dim", "what each ? in the text stands for; may be repeated")
	a.completeFlags(c, notationNames, "from")
	a.completeFlags(c, cobra.NoFileCompletions, "tensor", "dim")
}

// isNotation tells a text that describes a whole tensor from a shape.
func (t *tensorFlags) isNotation(arg string) bool {
	return t.notation.from != "" || describes(arg)
}

// describes reports whether the form of the text is that of some notation, and not of a shape
// or of strides. The text may stand on standard input.
func describes(arg string) bool {
	if arg == "-" {
		return true
	}
	_, err := layout.ParseShape(arg)
	return err != nil && notation.Recognises(arg)
}

// described returns the tensor that a text describes. What of the text is no part of a layout
// is said on standard error.
func (t *tensorFlags) described(arg string) (layout.Tensor, error) {
	text, err := t.app.source(arg)
	if err != nil {
		return layout.Tensor{}, err
	}
	d, err := t.read(text)
	if err != nil {
		return layout.Tensor{}, err
	}
	if d.Typed && t.typed && d.Tensor.DType() != t.spec.DType {
		return layout.Tensor{}, &usageError{"the text says that elements are " + d.Tensor.DType().String() + ", -t that they are " + t.spec.DType.String(), "leave out -t"}
	}
	for _, part := range d.Skipped {
		t.app.note(part)
	}
	return d.Tensor, nil
}

// read returns the descriptor that the flags choose out of the text.
func (t *tensorFlags) read(text string) (notation.Descriptor, error) {
	found, err := t.readAll(text)
	if err != nil {
		return notation.Descriptor{}, err
	}
	return notation.Choose(found, t.notation.tensor)
}

// readAll returns all descriptors of the text, read as the flags say.
func (t *tensorFlags) readAll(text string) ([]notation.Descriptor, error) {
	o := notation.Options{DType: t.spec.DType, Dims: t.notation.dims}
	if t.notation.from == "" {
		return notation.Read(text, o)
	}
	n, err := notation.Find(t.notation.from)
	if err != nil {
		return nil, err
	}
	return n.Read(text, o)
}

// source returns the text itself, or that of standard input for -.
func (a *app) source(arg string) (string, error) {
	if arg != "-" {
		return arg, nil
	}
	data, err := io.ReadAll(io.LimitReader(a.streams.In, layout.MaxText+1))
	if err != nil {
		return "", &usageError{"standard input cannot be read", ""}
	}
	return strings.TrimSpace(string(data)), nil
}

// answer writes what the command has to say of the tensor, or the tensor in another notation.
func (a *app) answer(out *output, t layout.Tensor, say func(*render.Printer, layout.Tensor) error) error {
	if out.as != "" {
		return a.spell(out, t)
	}
	return say(a.printer(out), t)
}

// spell writes the tensor in the notation that --as names, or in all that can express it.
func (a *app) spell(out *output, tensors ...layout.Tensor) error {
	lists := make([][]render.Spelling, len(tensors))
	for i, t := range tensors {
		var err error
		if lists[i], err = spellings(out.as, t, out.command == "size"); err != nil {
			return err
		}
	}
	return a.printer(out).Spellings(out.command, tensors, lists)
}

func spellings(as string, t layout.Tensor, sized bool) ([]render.Spelling, error) {
	if !strings.EqualFold(as, "all") {
		n, err := notation.Find(as)
		if err != nil {
			return nil, err
		}
		s, err := spelling(n, t, sized)
		return []render.Spelling{s}, err
	}
	var list []render.Spelling
	for _, n := range notation.All() {
		s, err := spelling(n, t, sized)
		var loss *notation.LossError
		switch {
		case err == nil:
			list = append(list, s)
		case !errors.As(err, &loss):
			return nil, err
		}
	}
	if len(list) == 0 {
		return nil, &usageError{"no notation can express this tensor", ""}
	}
	return list, nil
}

// spelling is the text of the tensor in a notation, with the sizes of its system. Where the answer
// is not about sizes, one that 64 bits do not hold is left out.
func spelling(n *notation.Notation, t layout.Tensor, sized bool) (render.Spelling, error) {
	text, err := n.Write(t)
	if err != nil {
		return render.Spelling{}, err
	}
	s := render.Spelling{Notation: n.Name, Text: text}
	sizes, err := n.Figures(t)
	var overflow *layout.OverflowError
	if errors.As(err, &overflow) && !sized {
		return s, nil
	}
	for _, size := range sizes {
		s.Sizes = append(s.Sizes, render.OwnSize(size))
	}
	return s, err
}

// allNotations is notationNames and the word for all of them.
func allNotations(c *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	names, directive := notationNames(c, args, word)
	return append(names, cobra.CompletionWithDesc("all", "each that can express the tensor")), directive
}

// notationNames lists the notations.
func notationNames(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, n := range notation.All() {
		names = append(names, cobra.CompletionWithDesc(n.Name, n.Title))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
