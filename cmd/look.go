package cmd

import (
	"io"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"layoutcalc/layout"
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
	flags.Var(oneOf("WHEN", &l.color, "auto", "always", "never"), "color", "colours: auto, always or never")
	flags.Var(&parsed[int64]{"N", parseWidth, func(n int64) { l.width = int(n) }}, "width", "columns to use; default the terminal's, or 80")
}

// minWidth leaves room for a table of one column.
const minWidth = 20

func parseWidth(text string) (int64, error) {
	n, err := layout.ParseNumber(text)
	if err == nil && (n < minWidth || n > 10_000) {
		err = &layout.SyntaxError{Input: text, Msg: "a width is from 20 to 10000 columns"}
	}
	return n, err
}

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

// terminalWidth returns the width of the terminal that w is; ok is false when it is none.
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
	c.Flags().Var(text("NOTATION", &o.as), "as", "the tensor in another notation, or in all; explain lists them")
	a.completeFlags(c, allNotations, "as")
}

// addForm adds the flags of answers that are not about a tensor.
func (o *output) addForm(a *app, c *cobra.Command) {
	o.command, o.format = c.Name(), string(render.Table)
	var names, described []string
	for _, f := range render.Formats {
		names = append(names, string(f.Format))
		described = append(described, cobra.CompletionWithDesc(string(f.Format), f.About))
	}
	c.Flags().VarP(oneOf("FORMAT", &o.format, names...), "output", "o", strings.Join(names, ", "))
	c.Flags().Var(text("FIELD", &o.get), "get", "one field of the JSON answer, bare: strides, tensor.bytes")
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
