package cmd

import (
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"layoutcalc/layout"
	"layoutcalc/layout/notation"
	"layoutcalc/render"
)

// A look is what the flags of all commands say of appearance.
type look struct {
	color string
	width int
}

func (l *look) add(root *cobra.Command) {
	l.color = "auto"
	flags := root.PersistentFlags()
	flags.SortFlags = false
	wordFlag(flags, "color", "WHEN", &l.color, colorWords, "colours: auto, always or never")
	const limits = "a width is from 20 to 10000 columns"
	numberFlag(flags, "width", minWidth, 10_000, &l.width, limits, "columns to use; default the terminal's, or 80")
}

var colorWords = []string{"auto", "always", "never"}

// minWidth leaves room for a table of one column.
const minWidth = 20

// colored decides whether what is written to w has colours. The flag comes first, then the
// environment, then whether w is a terminal.
func (a *app) colored(w io.Writer) bool {
	env := a.streams.Env
	switch {
	case a.look.color == "always" || a.look.color == "never":
		return a.look.color == "always"
	case env("NO_COLOR") != "":
		return false
	case isOn(env("CLICOLOR_FORCE")) || isOn(env("FORCE_COLOR")):
		return true
	case env("TERM") == "dumb" || env("CLICOLOR") == "0":
		return false
	}
	_, ok := terminalWidth(w)
	return ok
}

func isOn(value string) bool {
	return value != "" && value != "0" && !strings.EqualFold(value, "false")
}

// terminalWidth returns the width of the terminal that w is; ok is false when it is not one.
func terminalWidth(w io.Writer) (width int, ok bool) {
	f, ok := w.(interface{ Fd() uintptr })
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width < minWidth {
		width = 80
	}
	return width, true
}

// An output is what the flags of a command say of the form of its answer.
type output struct {
	command string
	format  string
	get     string
	as      string // a notation, or all
}

func (o *output) add(a *app, c *cobra.Command) {
	o.addForm(a, c)
	textFlag(c.Flags(), "as", "NOTATION", &o.as, "the tensor in another notation, or in all; explain lists them")
	every := cobra.CompletionWithDesc("all", "each that can express the tensor")
	a.completeFlags(c, completeTopics("notation", every), "as")
}

// addForm adds the flags of answers that are not about a tensor.
func (o *output) addForm(a *app, c *cobra.Command) {
	o.command, o.format = c.Name(), string(render.Table)
	var names, described []string
	for _, f := range render.Formats {
		names = append(names, string(f.Format))
		described = append(described, cobra.CompletionWithDesc(string(f.Format), f.About))
	}
	wordFlag(c.Flags(), "output,o", "FORMAT", &o.format, names, strings.Join(names, ", "))
	textFlag(c.Flags(), "get", "FIELD", &o.get, "one field of the JSON answer, bare: strides, tensor.bytes")
	a.completeFlags(c, fixed(described...), "output")
	a.completeFlags(c, cobra.NoFileCompletions, "get")
}

// isPicture reports whether the storage is drawn rather than listed.
func (o *output) isPicture() bool {
	return o.get == "" && o.as == "" && (o.format == string(render.Table) || o.format == string(render.Markdown))
}

// printer returns the printer of the answer.
func (a *app) printer(o *output) *render.Printer {
	return render.NewPrinter(a.streams.Out, render.Options{
		Format: render.Format(o.format), Get: o.get, Colored: a.colored(a.streams.Out), Width: a.columns(),
	})
}

// columns is the width of the answer.
func (a *app) columns() int {
	if a.look.width > 0 {
		return a.look.width
	}
	if width, ok := terminalWidth(a.streams.Out); ok {
		return width
	}
	return 80
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

func spellings(as string, t layout.Tensor, sized bool) (list []render.Spelling, err error) {
	notations := notation.All()
	all := strings.EqualFold(as, "all")
	if !all {
		n, err := notation.Find(as)
		if err != nil {
			return nil, err
		}
		notations = []*notation.Notation{n}
	}
	for _, n := range notations {
		s, err := spelling(n, t, sized)
		var loss *notation.LossError
		switch {
		case err == nil:
			list = append(list, s)
		case !all || !errors.As(err, &loss):
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
