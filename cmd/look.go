package cmd

import (
	"io"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// A look is what the flags of all commands say of appearance.
type look struct {
	color string
	width int
	quiet bool
	ascii bool
}

func (l *look) add(root *cobra.Command) {
	l.color = "auto"
	flags := root.PersistentFlags()
	flags.SortFlags = false
	set := func(i int) { l.color = colorWords[i] }
	wordFlag(flags, "color", "WHEN", colorWords, set, "colours: auto, always or never")
	const limits = "a width is from 20 to 10000 columns"
	numberFlag(flags, "width", minWidth, 10_000, &l.width, limits, "columns to use; default the terminal's, or 80")
	flags.BoolVar(&l.ascii, "ascii", false, "no characters beyond ASCII in tables and messages")
	flags.BoolVarP(&l.quiet, "quiet", "q", false, "no notes and no summary of moved data")
}

var colorWords = []string{"auto", "always", "never"}

// minWidth leaves room for a table of one column.
const minWidth = 20

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
