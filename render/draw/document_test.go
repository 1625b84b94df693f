package draw_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout/layouttest"
	"layoutcalc/render"
)

// A document is the content of a picture, read back from its SVG.
type document struct {
	width, height      float64
	title, desc, style string
	texts              []*label
	cells              []*cell // of all panels and strips
	shapes             []rectangle
	panels             []*panel
	strips             []*strip
	boards             []*area
	arrows             [][][2]float64 // the points that each goes through
	steps              [][][2]float64 // the arrows of one step along an axis
}

// A rectangle is a shape of the picture.
type rectangle struct {
	class               string
	x, y, width, height float64
}

func (s rectangle) holds(x, y float64) bool {
	return s.x <= x && x <= s.x+s.width && s.y <= y && y <= s.y+s.height
}

// A cell is a rectangle of an offset, and of an element where it has an index.
type cell struct {
	rectangle
	index  []int64 // nil for none
	offset int64
	text   string
	group  string // cells with the same group belong together on a board
	count  string // of elements, such as x3
	marked bool
	low    bool     // it is named as the low half of a byte
	boxes  [3][]int // by level, which boxes are around it
}

// has reports whether the cell has a class.
func (c *cell) has(class string) bool { return slices.Contains(strings.Fields(c.class), class) }

// tint returns the letter of the cell's colour; 0 for none.
func (c *cell) tint() byte {
	if first := c.class[0]; (len(c.class) == 1 || c.class[1] == ' ') && 'a' <= first && first <= 'h' {
		return first
	}
	return 0
}

// A label is a text element.
type label struct {
	class string
	x, y  float64
	text  string
	cell  *cell // the cell around it
}

func (l *label) has(class string) bool { return slices.Contains(strings.Fields(l.class), class) }

// box returns the rectangle of a label, which is as wide as in the widest of common monospace fonts.
func (l *label) box() rectangle {
	size, column := 11.0, 6.7
	switch {
	case l.has("t"):
		size, column = 13, 8
	case l.has("x"):
		size, column = 8, 4.9
	}
	width, x := column*float64(render.Columns(l.text)), l.x
	switch {
	case l.has("l"):
	case l.has("r"):
		x -= width
	default:
		x -= width / 2
	}
	return rectangle{"", x, l.y - size*0.78, width, size}
}

type panel struct {
	strip int
	notes []string // its title, and the text below the grids
	steps []string // from grid to grid
	grids []*grid

	structure area
}

type grid struct {
	outer []int64
	area
}

// An area is cells, and the elements that are drawn around and next to them.
type area struct {
	cells  []*cell
	shapes []rectangle
	labels []*label
	steps  [][][2]float64 // arrows of one step along an axis
}

type strip struct {
	lines   []*line
	perLine int64    // elements
	skipped []uint64 // lines, for each gap between them
	cut     uint64   // offsets that are left out of lines
	area
}

type line struct {
	y            float64
	cells        []*cell
	offset, byte string
	gaps         []float64
}

// parse reads a picture with an ordinary reader of XML.
func parse(t layouttest.TB, svg []byte) *document {
	t.Helper()
	d, decoder := &document{}, xml.NewDecoder(strings.NewReader(string(svg)))
	var last *cell
	var text *label
	var into *string
	var g *grid
	var groups []string
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the picture is not XML: %v\n%.2000s", err, svg)
		}
		if _, ends := token.(xml.EndElement); !ends && slices.Contains(groups, "moving") {
			if e, ok := token.(xml.StartElement); ok && e.Name.Local == "g" {
				groups = append(groups, "")
			}
			continue // moving elements are checked separately
		}
		switch e := token.(type) {
		case xml.StartElement:
			a := attributes{t, e}
			switch e.Name.Local {
			case "svg":
				d.width, d.height = a.number("width"), a.number("height")
			case "title":
				into = &d.title
			case "desc":
				into = &d.desc
			case "style":
				into = &d.style
			case "g":
				class := a.text("class")
				switch groups = append(groups, class); class {
				case "panel":
					d.panels = append(d.panels, &panel{strip: int(a.number("data-strip"))})
				case "grid":
					p := d.panels[len(d.panels)-1]
					g = &grid{outer: integers(t, a.text("data-outer"))}
					p.grids = append(p.grids, g)
				case "board":
					d.boards = append(d.boards, &area{})
				case "strip":
					d.strips = append(d.strips, &strip{perLine: int64(a.number("data-line"))})
				}
			case "rect":
				s := rectangle{a.text("class"), a.number("x"), a.number("y"), a.number("width"), a.number("height")}
				if offset := a.text("data-o"); offset == "" {
					d.addShape(groups, g, s)
				} else {
					last = &cell{rectangle: s, offset: integers(t, offset)[0], group: a.text("data-g")}
					if a.has("data-i") {
						last.index = integers(t, a.text("data-i"))
					}
					d.addCell(groups, g, last)
				}
			case "text":
				text = &label{class: a.text("class"), x: a.number("x"), y: a.number("y")}
				into = &text.text
			case "path":
				switch a.text("class") {
				case "w":
					d.arrows = append(d.arrows, points(t, a.text("d")))
				case "st":
					d.steps = append(d.steps, points(t, a.text("d")))
					if at := d.area(groups, g); at != nil {
						at.steps = append(at.steps, d.steps[len(d.steps)-1])
					}
				}
			}
		case xml.CharData:
			if into != nil {
				*into += string(e)
			}
		case xml.EndElement:
			switch into = nil; e.Name.Local {
			case "g":
				groups = groups[:len(groups)-1]
			case "text":
				if !slices.Contains(groups, "moving") {
					d.addText(groups, g, text, last)
				}
			}
		}
	}
	for _, s := range d.strips {
		s.arrange(t)
	}
	return d
}

// points reads a path of straight lines, M1 2L3 4.
func points(t layouttest.TB, path string) (list [][2]float64) {
	rest, ok := strings.CutPrefix(path, "M")
	for point := range strings.SplitSeq(rest, "L") {
		var p [2]float64
		n, err := fmt.Sscanf(point, "%g %g", &p[0], &p[1])
		if list = append(list, p); !ok || n != 2 || err != nil {
			t.Fatalf("%q is not a path of lines", path)
		}
	}
	return list
}

// attributes are those of an element; one that is missing is empty, or 0.
type attributes struct {
	t       layouttest.TB
	element xml.StartElement
}

func (a attributes) has(name string) bool {
	return slices.ContainsFunc(a.element.Attr, func(attr xml.Attr) bool { return attr.Name.Local == name })
}

func (a attributes) text(name string) string {
	for _, attr := range a.element.Attr {
		if attr.Name.Local == name {
			return attr.Value
		}
	}
	return ""
}

func (a attributes) number(name string) float64 {
	text := a.text(name)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		a.t.Fatalf("%s of %s is %q", name, a.element.Name.Local, text)
	}
	return n
}

// integers reads 0,2,1; an empty text is an empty list.
func integers(t layouttest.TB, text string) []int64 {
	list := []int64{}
	for word := range strings.SplitSeq(text, ",") {
		if text == "" {
			break
		}
		n, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			t.Fatalf("%q is not a list of integers", text)
		}
		list = append(list, n)
	}
	return list
}

// area returns the grid or the strip that elements in groups belong to; nil for none.
func (d *document) area(groups []string, g *grid) *area {
	switch n := len(groups); {
	case n > 0 && groups[n-1] == "grid":
		return &g.area
	case n > 0 && groups[n-1] == "structure":
		return &d.panels[len(d.panels)-1].structure
	case n > 0 && groups[n-1] == "board":
		return d.boards[len(d.boards)-1]
	case n > 0 && groups[n-1] == "strip":
		return &d.strips[len(d.strips)-1].area
	}
	return nil
}

func (d *document) addShape(groups []string, g *grid, s rectangle) {
	d.shapes = append(d.shapes, s)
	a := d.area(groups, g)
	if a == nil {
		return
	}
	a.shapes = append(a.shapes, s)
	for _, c := range a.cells {
		inside := s.holds(c.x, c.y) && s.holds(c.x+c.width, c.y+c.height)
		level := map[string]int{"j": 1, "i": 2}[s.class]
		switch {
		case s.class == "q" && inside:
			c.marked = true
		case level > 0 && inside:
			c.boxes[level] = append(c.boxes[level], len(d.shapes))
		}
	}
}

func (d *document) addCell(groups []string, g *grid, c *cell) {
	d.cells = append(d.cells, c)
	a := d.area(groups, g)
	a.cells = append(a.cells, c)
}

func (d *document) addText(groups []string, g *grid, l *label, last *cell) {
	d.texts = append(d.texts, l)
	a := d.area(groups, g)
	switch {
	case last != nil && last.holds(l.x, l.y):
		l.cell = last
		if l.has("x") && l.text == "low" {
			last.low = true
		} else if l.has("x") {
			last.count += l.text
		} else {
			last.text += l.text
		}
	case a != nil:
		a.labels = append(a.labels, l)
	case l.has("between"):
		p := d.panels[len(d.panels)-1]
		p.steps = append(p.steps, l.text)
	case len(groups) > 0:
		p := d.panels[len(d.panels)-1]
		p.notes = append(p.notes, l.text)
	}
}

// arrange puts the cells and labels of a strip into lines.
func (s *strip) arrange(t layouttest.TB) {
	for _, c := range s.cells {
		if n := len(s.lines); n == 0 || s.lines[n-1].y != c.y {
			s.lines = append(s.lines, &line{y: c.y})
		}
		last := s.lines[len(s.lines)-1]
		last.cells = append(last.cells, c)
	}
	for _, l := range s.labels {
		if words := strings.Fields(l.text); len(words) == 4 && strings.HasPrefix(words[1], "line") {
			n, err := strconv.ParseUint(strings.ReplaceAll(words[0], ",", ""), 10, 64)
			if err != nil || words[2] != "not" {
				t.Fatalf("lines that are not drawn: %q", l.text)
			}
			s.skipped = append(s.skipped, n)
		}
		if rest, ok := strings.CutPrefix(l.text, "… "); ok {
			n, err := strconv.ParseUint(strings.ReplaceAll(strings.Fields(rest)[0], ",", ""), 10, 64)
			if s.cut = n; err != nil {
				t.Fatalf("offsets that are not drawn: %q", l.text)
			}
		}
		for _, line := range s.lines {
			switch at := l.y > line.y && l.y < line.y+28; {
			case at && l.text == "…":
				line.gaps = append(line.gaps, l.x)
			case at && l.has("m") && l.has("r"):
				line.byte = l.text
			case at && l.has("r"):
				line.offset = l.text
			}
		}
	}
}
