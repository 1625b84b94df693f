package render

import "github.com/fatih/color"

// A Palette gives texts their colours, or leaves them as they are.
type Palette struct {
	axes         []*color.Color
	faint, title *color.Color
	bad, doubt   *color.Color
}

// axisColors are told apart on light and on dark ground.
var axisColors = [...]color.Attribute{color.FgCyan, color.FgMagenta, color.FgGreen, color.FgYellow, color.FgBlue, color.FgHiRed, color.FgHiCyan, color.FgHiMagenta}

// NewPalette returns a palette with colours, or the one without.
func NewPalette(colored bool) *Palette {
	if !colored {
		return &Palette{}
	}
	p := &Palette{faint: colorOf(color.Faint), title: colorOf(color.Bold), bad: colorOf(color.FgRed, color.Bold), doubt: colorOf(color.FgYellow, color.Bold)}
	for _, a := range axisColors {
		p.axes = append(p.axes, colorOf(a))
	}
	return p
}

// colorOf returns a colour that is on whatever the environment says: who made the palette has
// asked it already.
func colorOf(attributes ...color.Attribute) *color.Color {
	c := color.New(attributes...)
	c.EnableColor()
	return c
}

func paint(c *color.Color, text string) string {
	if c == nil || text == "" {
		return text
	}
	return c.Sprint(text)
}

// Axis gives the text the colour of axis i. There is none for an axis below 0.
func (p *Palette) Axis(i int, text string) string {
	if len(p.axes) == 0 || i < 0 {
		return text
	}
	return paint(p.axes[i%len(p.axes)], text)
}

// Faint fades what does not matter.
func (p *Palette) Faint(text string) string { return paint(p.faint, text) }

// Title marks the heading.
func (p *Palette) Title(text string) string { return paint(p.title, text) }

// Bad marks what is wrong.
func (p *Palette) Bad(text string) string { return paint(p.bad, text) }

// Doubt marks what may be wrong.
func (p *Palette) Doubt(text string) string { return paint(p.doubt, text) }
