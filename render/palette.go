package render

import "github.com/fatih/color"

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
