package render

import (
	"strconv"
	"strings"

	"github.com/fatih/color"
)

// Colors is the number of colours of a terminal.
type Colors uint8

// None, the 16 colours that users can choose, or additionally the 240 that are the same everywhere.
const (
	NoColors Colors = iota
	Colors16
	Colors256
)

// A Palette colours text. A nil Palette leaves it plain.
type Palette struct{ styles []string } // the parameters of the escape sequence of each style

// The styles of text. The styles of axes start at the last one.
const (
	faint = iota
	title
	bad
	doubt
	firstAxis
)

// All styles are readable on the backgrounds of the usual themes, dark and light. Themes define the 16 colours. Only a
// few of these are readable, and no readable one is grey. So faint text has the normal colour, and axes after the third
// are underlined.
var (
	styles16 = [][]color.Attribute{
		faint: {}, title: {color.Bold}, bad: {color.Bold, color.FgHiRed}, doubt: {color.Bold, color.FgHiMagenta},
		firstAxis: {color.FgHiBlue}, {color.FgHiMagenta}, {color.FgRed},
		{color.Underline, color.FgHiBlue}, {color.Underline, color.FgHiMagenta}, {color.Underline, color.FgRed},
	}
	styles256 = [][]color.Attribute{
		faint: {38, 5, 244}, title: {color.Bold}, bad: {color.Bold, 38, 5, 196}, doubt: {color.Bold, 38, 5, 136},
		firstAxis: {38, 5, 33}, {38, 5, 164}, {38, 5, 64}, {38, 5, 166}, {38, 5, 30}, {38, 5, 135}, {38, 5, 168},
		{38, 5, 100},
	}
)

// NewPalette returns the palette for a number of colours, regardless of the environment.
func NewPalette(colors Colors) *Palette {
	if colors == NoColors {
		return nil
	}
	p := &Palette{}
	for _, attributes := range [...][][]color.Attribute{Colors16: styles16, Colors256: styles256}[colors] {
		p.styles = append(p.styles, parameters(attributes))
	}
	return p
}

// parameters returns the parameters of the escape sequence of a style.
func parameters(style []color.Attribute) string {
	list := make([]string, len(style))
	for i, attribute := range style {
		list[i] = strconv.Itoa(int(attribute))
	}
	return strings.Join(list, ";")
}

// paint writes the escape sequences itself, because package color ends the sequence of one of 256 colours as if it
// blinked.
//
// It is not inlined because it has many callers, and inlining would increase the size of each.
//
//go:noinline
func (p *Palette) paint(style int, text string) string {
	if p == nil || text == "" || p.styles[style] == "" {
		return text
	}
	return "\x1b[" + p.styles[style] + "m" + text + "\x1b[0m"
}

// Axis gives the text the colour of axis i. It has no colour if i is negative.
func (p *Palette) Axis(i int, text string) string {
	if p == nil || i < 0 {
		return text
	}
	return p.paint(firstAxis+i%(len(p.styles)-firstAxis), text)
}

// Faint fades a less important text.
func (p *Palette) Faint(text string) string { return p.paint(faint, text) }

// Title marks a heading, and the answer in a table.
func (p *Palette) Title(text string) string { return p.paint(title, text) }

// Bad marks an error.
func (p *Palette) Bad(text string) string { return p.paint(bad, text) }

// Doubt marks a possible error.
func (p *Palette) Doubt(text string) string { return p.paint(doubt, text) }
