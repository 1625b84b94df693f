package draw

import (
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"

	"layoutcalc/layout"
)

//go:embed page.js
var script string

//go:embed page.css
var pageStyle string

// HTMLHead is the beginning of each page.
const HTMLHead = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
	`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; `

// HTML writes the picture as a self-contained page: the SVG, a script that relates index, offset and byte, sliders for
// the axes outside of grids, and the elements as a table.
func (p *Picture) HTML(w io.Writer) error {
	var c canvas
	c.raw(HTMLHead, "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n",
		"<meta name=\"viewport\" content=\"width=device-width\">\n",
		"<title>", escape(p.Caption.Title), "</title>\n",
		"<style>\n", pageStyle, p.Theme.pageStyle(), "</style>\n</head>\n",
		"<body", flagAttr("data-together", p.Pair), ">\n")
	const idle = "point at a cell or move with the arrow keys: index ↔ offset ↔ byte; a click or Enter pins"
	c.raw("<header>\n<h1>", escape(p.Caption.Title), "</h1>\n",
		`<p id="status" role="status" data-idle="`, idle, `">`, idle, "</p>\n</header>\n<main>\n", tools)
	p.sliders(&c)
	c.raw("<div id=\"view\">\n")
	c.buf = append(c.buf, p.svg(true)...)
	c.raw("</div>\n")
	if p.Command != "" {
		c.raw("<p>Made by <code id=\"command\">", escape(p.Command), "</code>",
			" <button type=\"button\" id=\"copy\">Copy the command</button></p>\n")
	}
	p.tables(&c)
	c.raw("</main>\n<script>\n", script, "</script>\n</body>\n</html>\n")
	_, err := w.Write(c.buf)
	return err
}

// tools are the controls for the whole picture.
const tools = `<form id="find">
<label>index, such as 0,2,1, or offset <input id="where" autocomplete="off" spellcheck="false"></label>
<button>Find</button>
<button type="button" id="svg">Save SVG</button>
<button type="button" id="png">Save PNG</button>
</form>
`

// flagAttr returns an attribute with yes or no.
func flagAttr(name string, yes bool) string {
	if yes {
		return " " + name + `="yes"`
	}
	return " " + name + `="no"`
}

// pageStyle has the colours of the page around the picture.
func (t Theme) pageStyle() string {
	rule := func(p *palette) string {
		return fmt.Sprintf("body,header{background:%s;color:%s}\n", p.back, p.text)
	}
	scheme := [...]string{Auto: "light dark", Light: "light", Dark: "dark"}[t]
	return ":root{color-scheme:" + scheme + "}\n" + t.rules(rule)
}

// sliders adds sliders for the axes outside of the grids of each panel; panels of the same elements share them.
func (p *Picture) sliders(c *canvas) {
	for i := range p.Panels {
		panel := &p.Panels[i]
		if i > 0 && p.Pair || len(panel.Grids) == 0 {
			continue
		}
		numbers := strconv.Itoa(i)
		if p.Pair {
			numbers = "0,1"
		}
		l, g, any := panel.Tensor.Layout(), &panel.Grids[0], false
		for axis := range g.Outer {
			size := l.Axis(axis).Size()
			if axis == g.Row || axis == g.Column || size <= 1 {
				continue
			}
			if !any {
				legend := "the grids"
				if panel.Title != "" && !p.Pair {
					legend = panel.Title
				}
				c.raw(`<fieldset data-panels="`, numbers, "\"><legend>", escape(legend), "</legend>\n")
				any = true
			}
			name := escape(l.AxisName(axis))
			c.raw("<label>", name, ` <input type="range" min="0" value="0" max="`, strconv.FormatInt(size-1, 10),
				`" data-axis="`, strconv.Itoa(axis), "\"><output>all</output></label>\n")
		}
		if any {
			c.raw("<button type=\"button\">all</button>\n</fieldset>\n")
		}
	}
}

// tables adds the drawn elements as tables.
func (p *Picture) tables(c *canvas) {
	c.raw("<details>\n<summary>The elements as a table</summary>\n")
	for i := range p.Boards {
		p.Boards[i].table(c, p.Caption.Title)
	}
	for i := range p.Panels {
		panel := &p.Panels[i]
		strip := &p.Strips[panel.Strip]
		title := panel.Title
		if title == "" {
			title = p.Caption.Title
		}
		c.raw(`<div class="scroll" tabindex="0" role="group" aria-label="`, escape(title), "\">\n")
		c.raw("<table>\n<caption>", escape(title), "</caption>\n<thead><tr>")
		for _, name := range panel.Tensor.Layout().AxisNames() {
			c.raw(`<th scope="col">`, escape(name), "</th>")
		}
		c.raw(`<th scope="col">offset</th><th scope="col">byte</th></tr></thead>`, "\n<tbody>\n")
		for _, g := range panel.Grids {
			for _, cells := range g.Cells {
				for k := range cells {
					if cells[k].Kind == Gap {
						continue
					}
					c.raw("<tr>")
					for _, v := range cells[k].Index {
						c.raw("<td>", strconv.FormatInt(v, 10), "</td>")
					}
					c.raw("<td>", strconv.FormatInt(cells[k].Offset, 10), "</td><td>", strip.bytes(cells[k].Offset),
						"</td></tr>\n")
				}
			}
		}
		c.raw("</tbody>\n</table>\n</div>\n")
		if note := panel.note(); note != "" {
			c.raw("<p>", escape(note), "</p>\n")
		}
	}
	c.raw("</details>\n")
}

// table adds the cells of a board as a table. A board without a title uses the picture's title.
func (b *Board) table(c *canvas, title string) {
	if b.Title != "" {
		title = b.Title
	}
	c.raw(`<div class="scroll" tabindex="0" role="group" aria-label="`, escape(title), "\">\n<table>\n<caption>",
		escape(title), "</caption>\n<thead><tr><th scope=\"col\">index</th><th scope=\"col\">cell</th></tr></thead>\n",
		"<tbody>\n")
	for _, cells := range b.Cells {
		for k := range cells {
			if cells[k].Kind == Element {
				c.raw("<tr><td>", layout.JoinInts(cells[k].Index, ", "), "</td><td>", escape(cells[k].Words),
					"</td></tr>\n")
			}
		}
	}
	c.raw("</tbody>\n</table>\n</div>\n")
}

// data adds the attributes of a panel for the script, which computes other grids from them.
func (p *Panel) data(c *canvas, show Show) {
	l := p.Tensor.Layout()
	axes := make([]string, l.Rank())
	var inner, all []int64
	for i := range axes {
		a := l.Axis(i)
		all = append(all, int64(i))
		for k, d := range a.DigitList() {
			axes[i] += ","[:min(k, 1)] + strconv.FormatInt(d.Extent, 10) + "x" + strconv.FormatInt(d.Stride, 10)
		}
		if len(p.Grids) > 0 && (i == p.Grids[0].Row || i == p.Grids[0].Column) {
			inner = append(inner, int64(i))
		}
	}
	color := ColorBys[p.color.by]
	switch {
	case p.color.one:
		color = "one"
	case p.color.by == ByLine:
		color += " " + strconv.FormatInt(p.color.perLine, 10)
	case p.color.by == ByBlock:
		color += " " + layout.JoinInts(p.color.blocks, " ")
	case p.color.by == ByAxis && p.color.axis < 0:
		color = "none"
	case p.color.by == ByAxis:
		color += " " + strconv.Itoa(p.color.axis)
	}
	swizzles := ""
	for i, s := range l.Swizzles() {
		swizzles += ";"[:min(i, 1)] + fmt.Sprintf("%d,%d,%d", s.Bits, s.Base, s.Shift)
	}
	if swizzles != "" {
		c.raw(` data-swizzle="`, swizzles, `"`)
	}
	c.raw(` data-names="`, escape(strings.Join(l.AxisNames(), ",")), `" data-digits="`, strings.Join(axes, ";"),
		`" data-base="`, strconv.FormatInt(l.Base(), 10), `" data-inner="`, layout.JoinInts(inner, ","),
		`" data-labels="`, indexText(all, labelAxes(l)),
		`" data-sizes="`, layout.JoinInts(l.Sizes(), ","),
		`" data-color="`, color, `" data-show="`, Shows[show], `"`,
		flagAttr("data-named", l.Named()), flagAttr("data-own", p.Own))
}
