package render

// Colors are how many colours a terminal has, as far as they are used.
type Colors uint8

// The colours of terminals: none, the 16 that users can choose, and besides them the 240 that are alike everywhere.
const (
	NoColors Colors = iota
	Colors16
	Colors256
)

// A Palette gives texts their colours, or leaves them as they are.
type Palette struct{ styles []string }

// The styles of texts. Those of axes begin at the last.
const (
	faint = iota
	title
	bad
	doubt
	firstAxis
)

// The styles are parameters of the sequence that terminals know as SGR. All can be read on black and on white: of the
// 16 colours few can, so that axes after the third are underlined.
var (
	styles16 = []string{
		faint: "90", title: "1", bad: "1;91", doubt: "1;95",
		firstAxis: "94", "95", "31", "4;94", "4;95", "4;31",
	}
	styles256 = []string{
		faint: "38;5;244", title: "1", bad: "1;38;5;160", doubt: "1;38;5;130",
		firstAxis: "38;5;33", "38;5;163", "38;5;28", "38;5;166", "38;5;30", "38;5;129", "38;5;161", "38;5;100",
	}
)

// NewPalette returns the palette of a terminal with these colours, whatever the environment says.
func NewPalette(colors Colors) *Palette {
	return &Palette{[...][]string{NoColors: nil, Colors16: styles16, Colors256: styles256}[colors]}
}

func (p *Palette) paint(style int, text string) string {
	if len(p.styles) == 0 || text == "" {
		return text
	}
	return "\x1b[" + p.styles[style] + "m" + text + "\x1b[0m"
}

// Axis gives the text the colour of axis i. There is none for an axis below 0.
func (p *Palette) Axis(i int, text string) string {
	if i < 0 {
		return text
	}
	return p.paint(firstAxis+i%max(len(p.styles)-firstAxis, 1), text)
}

// Faint fades what does not matter.
func (p *Palette) Faint(text string) string { return p.paint(faint, text) }

// Title marks the heading, and in a table what was asked for.
func (p *Palette) Title(text string) string { return p.paint(title, text) }

// Bad marks what is wrong.
func (p *Palette) Bad(text string) string { return p.paint(bad, text) }

// Doubt marks what may be wrong.
func (p *Palette) Doubt(text string) string { return p.paint(doubt, text) }
