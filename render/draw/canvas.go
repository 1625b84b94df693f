package draw

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"layoutcalc/render"
)

// A canvas collects the markup and the size of an SVG picture. Coordinates are integers or half integers.
type canvas struct {
	page          bool // it is part of a page, and has the attributes for its script
	buf           []byte
	width, height int
}

// The widths of characters in the three font sizes, in pixels: at least as wide as in monospace fonts.
const (
	charWidth  = 7 // of 11 px
	titleWidth = 8 // of 13 px
	smallWidth = 5 // of 8 px
)

// escape cleans text from a user and escapes it for XML and HTML, in contents and attributes.
func escape(text string) string {
	if text = render.Clean(text); !strings.ContainsAny(text, `&<>"'`) {
		return text
	}
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;").Replace(text)
}

// raw adds markup.
func (c *canvas) raw(parts ...string) {
	for _, part := range parts {
		c.buf = append(c.buf, part...)
	}
}

// attr adds an attribute with a number.
func (c *canvas) attr(name string, n int) { c.half(name, 2*n) }

// half adds an attribute with half of a number.
func (c *canvas) half(name string, twice int) {
	c.buf = append(append(append(c.buf, ' '), name...), `="`...)
	c.halved(twice)
	c.buf = append(c.buf, '"')
}

// A point has twice its distance from the left.
type point struct{ twice, y int }

// arrow adds an arrow through some points.
func (c *canvas) arrow(class string, points ...point) {
	c.raw(`<path class="`, class, `" marker-end="url(#head)" d="`)
	for i, p := range points {
		c.raw("ML"[min(i, 1) : min(i, 1)+1])
		c.halved(p.twice)
		c.buf = strconv.AppendInt(append(c.buf, ' '), int64(p.y), 10)
	}
	c.raw("\"/>\n")
}

// halved adds half of a number.
func (c *canvas) halved(twice int) {
	c.buf = strconv.AppendInt(c.buf, int64(twice>>1), 10)
	if twice&1 != 0 {
		c.buf = append(c.buf, ".5"...)
	}
}

// grow extends the canvas to a point.
func (c *canvas) grow(x, y int) {
	c.width, c.height = max(c.width, x), max(c.height, y)
}

// An anchor is the part of a text element that is at its x.
type anchor uint8

const (
	middle anchor = iota
	start
	end
)

// text adds a text element; twice is twice the x of its anchor. The class may be empty.
func (c *canvas) text(twice, y int, at anchor, class, text string) {
	width := charWidth
	switch class {
	case "t":
		width = titleWidth
	case "x":
		width = smallWidth
	}
	width *= render.Columns(text)
	c.raw("<text")
	switch at {
	case start:
		class = strings.TrimSpace(class + " l")
		c.grow(twice/2+width, y)
	case end:
		class = strings.TrimSpace(class + " r")
		c.grow(twice/2, y)
	default:
		c.grow((twice+width)/2+1, y)
	}
	if class != "" {
		c.raw(` class="`, class, `"`)
	}
	c.half("x", twice)
	c.attr("y", y)
	c.raw(">", escape(text), "</text>\n")
}

// rect adds a rectangle. More has further attributes as markup.
func (c *canvas) rect(class string, x, y, width, height int, more string) {
	c.raw(`<rect class="`, class, `"`)
	c.attr("x", x)
	c.attr("y", y)
	c.attr("width", width)
	c.attr("height", height)
	c.raw(more, "/>\n")
	c.grow(x+width, y+height)
}

// count returns the number of elements that share the offset of a cell, such as x3, or x3+ for at least 3.
func (c *Cell) count() string {
	text := "x" + strconv.FormatInt(c.Count, 10)
	if c.More {
		text += "+"
	}
	return text
}

// lines adds text wrapped at the width, and returns the y below it.
func (c *canvas) lines(x, y, width int, class, text string) int {
	step, char := 16, charWidth
	if class == "t" {
		step, char = 20, titleWidth
	}
	for _, line := range wrapped(text, width/char) {
		y += step
		c.text(2*x, y-4, start, class, line)
	}
	return y
}

// wrapped breaks text into lines of at most width columns, at spaces if possible.
func wrapped(text string, width int) (lines []string) {
	line := ""
	for word := range strings.SplitSeq(render.Clean(text), " ") {
		if line != "" && render.Columns(line)+1+render.Columns(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			word = " " + word
		}
		for line += word; render.Columns(line) > width; {
			cut := len(line)
			for n, used := 0, 0; n < len(line); {
				_, size := utf8.DecodeRuneInString(line[n:])
				if used += render.Columns(line[n : n+size]); used > width && n > 0 {
					cut = n
					break
				}
				n += size
			}
			if cut == len(line) {
				break
			}
			lines, line = append(lines, line[:cut]), line[cut:]
		}
	}
	return slices.DeleteFunc(append(lines, line), func(line string) bool { return line == "" })
}
