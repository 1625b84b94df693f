package cmd

import (
	"io"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// A display has the flags of all commands, which affect the appearance.
type display struct {
	color string
	width int
	quiet bool
	ascii bool
}

func (d *display) add(root *cobra.Command) {
	d.color = "auto"
	flags := root.PersistentFlags()
	flags.SortFlags = false
	wordFlag(flags, "color", "WHEN", colorWords, func(i int) { d.color = colorWords[i] })
	const limits = "a width is from 20 to 10000 columns"
	numberFlag(flags, "width", minWidth, 10_000, &d.width, limits)
	boolFlag(flags, "ascii", &d.ascii)
	boolFlag(flags, "quiet,q", &d.quiet)
}

var colorWords = []string{"auto", "always", "never"}

// minWidth is enough for a table of one column.
const minWidth = 20

func isOn(value string) bool {
	return value != "" && value != "0" && !strings.EqualFold(value, "false")
}

// terminalHeight returns the number of lines of a terminal; ok is false for other writers.
func terminalHeight(w io.Writer) (height int, ok bool) {
	f, ok := w.(interface{ Fd() uintptr })
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	_, height, err := term.GetSize(int(f.Fd()))
	return height, err == nil
}

// terminalWidth returns the width of a terminal, or of a writer with a width; ok is false for other writers.
func terminalWidth(w io.Writer) (width int, ok bool) {
	if page, ok := w.(interface{ Columns() int }); ok {
		return max(page.Columns(), minWidth), true
	}
	f, ok := w.(interface{ Fd() uintptr })
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	obeyEscapes(f.Fd())
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width < minWidth {
		width = 80
	}
	return width, true
}
