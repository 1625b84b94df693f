package render

import "github.com/fatih/color"

// Colors is the number of colours of a terminal.
type Colors uint8

// None, the 16 colours that users can choose, or also the 240 that are the same everywhere.
const (
	NoColors Colors = iota
	Colors16
	Colors256
)

// A Palette gives texts their colours. A nil Palette leaves them plain.
type Palette struct{ styles []*color.Color }

// The styles of texts. The styles of axes start at the last.
const (
	faint = iota
	title
	bad
	doubt
	firstAxis
)

// All styles can be read on black and on white. Few of the 16 colours can, so axes after the third are underlined.
var (
	styles16 = [][]color.Attribute{
		faint: {color.FgHiBlack}, title: {color.Bold}, bad: {color.Bold, color.FgHiRed},
		doubt:     {color.Bold, color.FgHiMagenta},
		firstAxis: {color.FgHiBlue}, {color.FgHiMagenta}, {color.FgRed},
		{color.Underline, color.FgHiBlue}, {color.Underline, color.FgHiMagenta}, {color.Underline, color.FgRed},
	}
	styles256 = [][]color.Attribute{
		faint: {38, 5, 244}, title: {color.Bold}, bad: {color.Bold, 38, 5, 160}, doubt: {color.Bold, 38, 5, 130},
		firstAxis: {38, 5, 33}, {38, 5, 163}, {38, 5, 28}, {38, 5, 166}, {38, 5, 30}, {38, 5, 129}, {38, 5, 161},
		{38, 5, 100},
	}
)

// NewPalette returns the palette for a number of colours, whatever the environment says.
func NewPalette(colors Colors) *Palette {
	if colors == NoColors {
		return nil
	}
	p := &Palette{}
	for _, attributes := range [...][][]color.Attribute{Colors16: styles16, Colors256: styles256}[colors] {
		c := color.New(attributes...)
		c.EnableColor()
		p.styles = append(p.styles, c)
	}
	return p
}

func (p *Palette) paint(style int, text string) string {
	if p == nil || text == "" {
		return text
	}
	return p.styles[style].Sprint(text)
}

// Axis gives the text the colour of axis i. There is none for an axis below 0.
func (p *Palette) Axis(i int, text string) string {
	if p == nil || i < 0 {
		return text
	}
	return p.paint(firstAxis+i%(len(p.styles)-firstAxis), text)
}

// Faint fades a text that matters less.
func (p *Palette) Faint(text string) string { return p.paint(faint, text) }

// Title marks a heading, and the answer in a table.
func (p *Palette) Title(text string) string { return p.paint(title, text) }

// Bad marks an error.
func (p *Palette) Bad(text string) string { return p.paint(bad, text) }

// Doubt marks a possible error.
func (p *Palette) Doubt(text string) string { return p.paint(doubt, text) }
