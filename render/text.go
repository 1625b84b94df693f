package render

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"github.com/fatih/color"
)

// Clean makes the text of a user safe to print. Control characters, marks that change the direction of writing, code
// points that are not characters, and bytes that are not UTF-8 are shown as escapes such as \x1b. So is one character
// of what a CI runner would take for a command: :: at the start of a line, ##[ anywhere.
func Clean(text string) string {
	if strings.HasPrefix(strings.TrimSpace(text), "::") {
		text = strings.Replace(text, "::", `\x3a:`, 1)
	}
	if strings.Contains(text, "##") {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "##[", `##\x5b`), "##vso[", `##vso\x5b`)
	}
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !printable(r, n) {
			return clean(text)
		}
		i += n
	}
	return text
}

// printable reports whether a rune of n bytes is shown as itself, and has no effect on what is around it.
func printable(r rune, n int) bool {
	return r >= ' ' && r < 0x7f || r > 0x9f && (r != utf8.RuneError || n > 1) && !unicode.Is(unicode.Cf, r) &&
		r != 0x2028 && r != 0x2029 && r&0xFFFE != 0xFFFE
}

func clean(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case printable(r, n):
			b.WriteString(text[i : i+n])
		case n == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		i += n
	}
	return b.String()
}

// columns returns how many columns of a terminal a clean text takes, as the tables measure it.
func columns(text string) int { return displaywidth.String(text) }

// wrap breaks a line that is longer than the width at its blanks, if it has any, and indents what follows. Colours take
// no columns.
func wrap(line string, width int) string {
	if len(line) <= width || visible(line) <= width {
		return line
	}
	var b strings.Builder
	used := 0
	for i, word := range strings.Split(line, " ") {
		n := visible(word)
		switch {
		case i == 0:
		case used+1+n > width:
			b.WriteString("\n  ")
			used = 2
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += n
	}
	return b.String()
}

// visible returns how many columns a text takes that may have colours.
func visible(text string) int { return columns(colorless(text)) }

// colorless returns a text without its colours.
func colorless(text string) string {
	for {
		before, after, ok := strings.Cut(text, "\x1b[")
		if !ok {
			return text
		}
		_, after, _ = strings.Cut(after, "m")
		text = before + after
	}
}

// A Palette gives texts their colours, or leaves them as they are.
type Palette struct{ styles []*color.Color }

// The styles of texts. Those of axes, which begin at the last, can be told apart on a light and on a dark background.
const (
	faint = iota
	title
	bad
	doubt
	firstAxis
)

var styles = [...][]color.Attribute{
	faint: {color.Faint}, title: {color.Bold}, bad: {color.FgRed, color.Bold}, doubt: {color.FgYellow, color.Bold},
	firstAxis: {color.FgCyan}, {color.FgMagenta}, {color.FgGreen}, {color.FgYellow}, {color.FgBlue}, {color.FgHiRed},
	{color.FgHiCyan}, {color.FgHiMagenta},
}

// NewPalette returns a palette with colours, whatever the environment says, or the one without.
func NewPalette(colored bool) *Palette {
	p := &Palette{}
	if colored {
		for _, attributes := range styles {
			c := color.New(attributes...)
			c.EnableColor()
			p.styles = append(p.styles, c)
		}
	}
	return p
}

func (p *Palette) paint(style int, text string) string {
	if len(p.styles) == 0 || text == "" {
		return text
	}
	return p.styles[style].Sprint(text)
}

// Axis gives the text the colour of axis i. There is none for an axis below 0.
func (p *Palette) Axis(i int, text string) string {
	if i < 0 {
		return text
	}
	return p.paint(firstAxis+i%(len(styles)-firstAxis), text)
}

// Faint fades what does not matter.
func (p *Palette) Faint(text string) string { return p.paint(faint, text) }

// Title marks the heading.
func (p *Palette) Title(text string) string { return p.paint(title, text) }

// Bad marks what is wrong.
func (p *Palette) Bad(text string) string { return p.paint(bad, text) }

// Doubt marks what may be wrong.
func (p *Palette) Doubt(text string) string { return p.paint(doubt, text) }
