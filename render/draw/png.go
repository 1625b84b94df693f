package draw

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"layoutcalc/layout/lexer"
)

// PNGHead is the beginning of each PNG file.
const PNGHead = "\x89PNG\r\n\x1a\n"

// PNG writes the picture as pixels, two for each of the SVG document along both axes: the same on every platform. A
// theme that the viewer of an SVG document chooses is the light one.
func (p *Picture) PNG(w io.Writer) error {
	q := *p
	q.Animate = false
	if q.Theme != Dark {
		q.Theme = Light
	}
	img, err := paint(q.svg(false), q.Theme.style())
	if err != nil {
		return err
	}
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	return encoder.Encode(w, img)
}

const (
	pixels    = 2       // pixels in a PNG for each pixel of an SVG, along an axis
	maxPixels = 1 << 26 // the maximum for a PNG
	levels    = 5       // levels of antialiasing: few, because a PNG has at most 256 colours
)

// A raster paints the elements that a canvas writes. Coordinates are the coordinates of the SVG document.
type raster struct {
	img    *image.Paletted
	rules  []cssRule
	styles map[string]style // by element and classes
	mixes  map[mix]uint8
	glyphs map[glyphKey]*glyph
	faces  map[float64]font.Face // by size
	shape  vector.Rasterizer
	hatch  string // the colour of the lines of padding
}

// A mix is a colour painted over the colour of a pixel.
type mix struct {
	under uint8
	over  color.RGBA
	alpha uint8
}

// paint paints an SVG document of this package with its style sheet.
func paint(svg []byte, sheet string) (*image.Paletted, error) {
	r := raster{rules: parseRules(sheet), styles: map[string]style{}, mixes: map[mix]uint8{}}
	r.hatch = r.style("path", "k").stroke
	_, body, _ := bytes.Cut(svg, []byte("</defs>"))
	for e := range elements(svg) {
		width, height := e.number("width"), e.number("height")
		if width*height*pixels*pixels > maxPixels {
			return nil, lexer.Refuse("--slice and --cells draw less, and --svg has no limit",
				"a PNG of this picture would have %.0f x %.0f pixels", width*pixels, height*pixels)
		}
		r.img = image.NewPaletted(image.Rect(0, 0, pixels*int(width), pixels*int(height)), nil)
		break
	}
	for e := range elements(body) {
		s := r.style(e.name, e.attribute("class"))
		switch e.name {
		case "rect":
			r.rectangle(&e, &s)
		case "path":
			r.path(&e, &s)
		case "text":
			r.text(&e, &s)
		}
	}
	return r.img, nil
}

// An element is one of a document, with its attributes as they are written, and the text behind it.
type element struct{ name, attributes, text string }

// elements yields the elements of a document.
func elements(svg []byte) func(yield func(element) bool) {
	return func(yield func(element) bool) {
		for rest := string(svg); ; {
			_, after, found := strings.Cut(rest, "<")
			if !found {
				return
			}
			tag, behind, _ := strings.Cut(after, ">")
			text, _, _ := strings.Cut(behind, "<")
			rest = behind
			name, attributes, _ := strings.Cut(tag, " ")
			if !strings.HasPrefix(name, "/") && !yield(element{name, attributes, text}) {
				return
			}
		}
	}
}

// attribute returns the value of an attribute, or an empty string if the element does not have it.
func (e *element) attribute(name string) string {
	for rest := e.attributes; rest != ""; {
		key, after, _ := strings.Cut(rest, `="`)
		value, behind, _ := strings.Cut(after, `"`)
		if strings.TrimSpace(key) == name {
			return value
		}
		rest = behind
	}
	return ""
}

// number returns the value of an attribute as a number, or 0 if the element does not have it.
func (e *element) number(name string) float64 {
	n, _ := strconv.ParseFloat(e.attribute(name), 64)
	return n
}

// A cssRule is a rule of a style sheet with one selector.
type cssRule struct {
	element string // may be empty
	classes []string
	set     [][2]string
}

// parseRules parses a style sheet. It returns the rules in the order of application: selectors with more classes come
// later, and among these the ones that name an element.
func parseRules(sheet string) (list []cssRule) {
	for sheet != "" {
		selectors, after, _ := strings.Cut(sheet, "{")
		body, rest, _ := strings.Cut(after, "}")
		sheet = rest
		var set [][2]string
		for entry := range strings.SplitSeq(body, ";") {
			if key, value, ok := strings.Cut(entry, ":"); ok {
				set = append(set, [2]string{strings.TrimSpace(key), strings.TrimSpace(value)})
			}
		}
		for selector := range strings.SplitSeq(selectors, ",") {
			parts := strings.Split(strings.TrimSpace(selector), ".")
			list = append(list, cssRule{parts[0], parts[1:], set})
		}
	}
	weight := func(r cssRule) int { return 2*len(r.classes) + min(len(r.element), 1) }
	sort.SliceStable(list, func(i, k int) bool { return weight(list[i]) < weight(list[k]) })
	return list
}

// A style is the result of the rules for an element.
type style struct {
	fill, stroke string // colours; "" and "none" paint nothing
	opacity      float64
	width        float64
	dashes       []float64
	size         float64
	bold         bool
	anchor       string
}

// style returns the style of an element with classes.
func (r *raster) style(name, classes string) style {
	key := name + " " + classes
	s, known := r.styles[key]
	if known {
		return s
	}
	s = style{opacity: 1, width: 1}
	has := strings.Fields(classes)
	for _, rule := range r.rules {
		missing := func(class string) bool { return !slices.Contains(has, class) }
		if rule.element != "" && rule.element != name || slices.ContainsFunc(rule.classes, missing) {
			continue
		}
		for _, entry := range rule.set {
			s.set(entry[0], entry[1])
		}
	}
	r.styles[key] = s
	return s
}

// set sets a property.
func (s *style) set(property, value string) {
	number, _ := strconv.ParseFloat(strings.TrimSuffix(value, "px"), 64)
	switch property {
	case "fill":
		s.fill = value
	case "stroke":
		s.stroke = value
	case "fill-opacity":
		s.opacity = number
	case "stroke-width":
		s.width = number
	case "stroke-dasharray":
		s.dashes = nil
		for word := range strings.FieldsSeq(value) {
			n, _ := strconv.ParseFloat(word, 64)
			s.dashes = append(s.dashes, n)
		}
	case "font-size":
		s.size = number
	case "font-weight":
		s.bold = value == "bold"
	case "text-anchor":
		s.anchor = value
	}
}

// parseColor parses a colour such as #1f2328. It reports false for other strings.
func parseColor(text string) (color.RGBA, bool) {
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 32)
	return color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255}, err == nil && len(text) == 7
}

// put paints a pixel with a part of a colour, of 255.
func (r *raster) put(at int, over color.RGBA, alpha uint8) {
	m := mix{r.img.Pix[at], over, alpha}
	index, known := r.mixes[m]
	if !known {
		c := over
		if alpha < 255 {
			under, _ := r.img.Palette[m.under].(color.RGBA)
			part := func(a, b uint8) uint8 {
				return uint8((int(a)*int(alpha) + int(b)*(255-int(alpha)) + 127) / 255)
			}
			c = color.RGBA{part(over.R, under.R), part(over.G, under.G), part(over.B, under.B), 255}
		}
		at := slices.Index(r.img.Palette, color.Color(c))
		switch {
		case at >= 0:
		case len(r.img.Palette) < 256:
			at = len(r.img.Palette)
			r.img.Palette = append(r.img.Palette, c)
		default:
			at = r.img.Palette.Index(c)
		}
		index = uint8(at)
		r.mixes[m] = index
	}
	r.img.Pix[at] = index
}

// rectangle paints a rectangle.
func (r *raster) rectangle(e *element, s *style) {
	left, top := e.number("x"), e.number("y")
	right, bottom := left+e.number("width"), top+e.number("height")
	if fill, ok := parseColor(s.fill); ok {
		r.box(left, top, right, bottom, fill, uint8(s.opacity*255+.5))
	} else if strings.HasPrefix(s.fill, "url(") {
		r.hatched(left, top, right, bottom)
	}
	if stroke, ok := parseColor(s.stroke); ok {
		half := s.width / 2
		corners := [][2]float64{{left, top}, {right, top}, {right, bottom}, {left, bottom}, {left, top}}
		if s.dashes != nil {
			r.stroke(corners, s, stroke)
			return
		}
		r.box(left-half, top-half, right+half, top+half, stroke, 255)
		r.box(left-half, bottom-half, right+half, bottom+half, stroke, 255)
		r.box(left-half, top+half, left+half, bottom-half, stroke, 255)
		r.box(right-half, top+half, right+half, bottom-half, stroke, 255)
	}
}

// box paints a rectangle in one colour. Its edges are rounded to pixels.
func (r *raster) box(left, top, right, bottom float64, fill color.RGBA, alpha uint8) {
	at := func(v float64) int { return int(math.Round(v * pixels)) }
	area := image.Rect(at(left), at(top), at(right), at(bottom)).Intersect(r.img.Rect)
	if area.Empty() {
		return
	}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		row := r.img.Pix[r.img.PixOffset(area.Min.X, y):][:area.Dx()]
		if alpha == 255 {
			if r.put(r.img.PixOffset(area.Min.X, y), fill, alpha); len(row) > 1 {
				fillRow(row)
			}
			continue
		}
		for x := range row {
			r.put(r.img.PixOffset(area.Min.X+x, y), fill, alpha)
		}
	}
}

// fillRow copies the first pixel to the others.
func fillRow(row []uint8) {
	for done := 1; done < len(row); done *= 2 {
		copy(row[done:], row[:done])
	}
}

// hatched paints the hatching of padding: lines that rise to the right, 6 apart, like the pattern of the SVG document.
func (r *raster) hatched(left, top, right, bottom float64) {
	line, _ := parseColor(r.hatch)
	area := image.Rect(int(left*pixels), int(top*pixels), int(right*pixels), int(bottom*pixels)).Intersect(r.img.Rect)
	const period = 6 * pixels
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			// On the next line, x + y is 0 modulo the period, so the distance from it is x + y over the square root
			// of 2.
			sum := float64((x+y+1)%period) / pixels
			distance := min(sum, 6-sum) * math.Sqrt2 / 2
			if cover := .5 + pixels*(.5-distance); cover > 0 {
				r.put(r.img.PixOffset(x, y), line, uint8(min(cover, 1)*levels+.5)*(255/levels))
			}
		}
	}
}

// path paints the lines of a path, and the head of an arrow at its end.
func (r *raster) path(e *element, s *style) {
	stroke, ok := parseColor(s.stroke)
	if !ok {
		return
	}
	var points [][2]float64
	for command := range strings.SplitSeq(strings.ReplaceAll(e.attribute("d"), "L", "M"), "M") {
		if x, y, ok := strings.Cut(command, " "); ok {
			a, _ := strconv.ParseFloat(x, 64)
			b, _ := strconv.ParseFloat(y, 64)
			points = append(points, [2]float64{a, b})
		}
	}
	r.stroke(points, s, stroke)
	if n := len(points); n > 1 && e.attribute("marker-end") != "" {
		r.head(points[n-2], points[n-1])
	}
}

// head paints the head of an arrow: the triangle (0,0), (6,3), (0,6) with (5,3) at the end of the line, turned with it.
func (r *raster) head(from, to [2]float64) {
	dx, dy := to[0]-from[0], to[1]-from[1]
	length := math.Hypot(dx, dy)
	if length == 0 {
		return
	}
	dx, dy = dx/length, dy/length
	turned := func(x, y float64) [2]float64 {
		x, y = x-5, y-3
		return [2]float64{to[0] + x*dx - y*dy, to[1] + x*dy + y*dx}
	}
	s := r.style("path", "v")
	if fill, ok := parseColor(s.fill); ok {
		r.polygon([][2]float64{turned(0, 0), turned(6, 3), turned(0, 6)}, fill)
	}
}

// stroke paints the lines between points, with dashes if the style has some.
func (r *raster) stroke(points [][2]float64, s *style, stroke color.RGBA) {
	dash, left, on := 0, math.Inf(1), true
	if len(s.dashes) > 0 {
		left = s.dashes[0]
	}
	for i := 1; i < len(points); i++ {
		from, to := points[i-1], points[i]
		length := math.Hypot(to[0]-from[0], to[1]-from[1])
		along := func(d float64) [2]float64 {
			return [2]float64{from[0] + (to[0]-from[0])*d/length, from[1] + (to[1]-from[1])*d/length}
		}
		for at := 0.; at < length; {
			n := min(left, length-at)
			if on {
				r.line(along(at), along(at+n), s.width, stroke)
			}
			at, left = at+n, left-n
			if left <= 0 {
				dash, on = (dash+1)%len(s.dashes), !on
				left = s.dashes[dash]
			}
		}
	}
}

// line paints a line of a width between two points.
func (r *raster) line(from, to [2]float64, width float64, stroke color.RGBA) {
	dx, dy := to[0]-from[0], to[1]-from[1]
	half := width / 2 / math.Hypot(dx, dy)
	dx, dy = dx*half, dy*half
	if dx == 0 || dy == 0 { // along an axis
		r.box(min(from[0], to[0])-math.Abs(dy), min(from[1], to[1])-math.Abs(dx),
			max(from[0], to[0])+math.Abs(dy), max(from[1], to[1])+math.Abs(dx), stroke, 255)
		return
	}
	r.polygon([][2]float64{{from[0] - dy, from[1] + dx}, {to[0] - dy, to[1] + dx}, {to[0] + dy, to[1] - dx},
		{from[0] + dy, from[1] - dx}}, stroke)
}

// polygon paints a polygon.
func (r *raster) polygon(points [][2]float64, fill color.RGBA) {
	low, high := points[0], points[0]
	for _, p := range points {
		low = [2]float64{min(low[0], p[0]), min(low[1], p[1])}
		high = [2]float64{max(high[0], p[0]), max(high[1], p[1])}
	}
	at := image.Pt(int(math.Floor(low[0]*pixels)), int(math.Floor(low[1]*pixels)))
	size := image.Pt(int(math.Ceil(high[0]*pixels))-at.X, int(math.Ceil(high[1]*pixels))-at.Y)
	r.shape.Reset(size.X, size.Y)
	for i, p := range points {
		x, y := float32(p[0]*pixels)-float32(at.X), float32(p[1]*pixels)-float32(at.Y)
		if i == 0 {
			r.shape.MoveTo(x, y)
		} else {
			r.shape.LineTo(x, y)
		}
	}
	r.shape.ClosePath()
	mask := image.NewAlpha(image.Rectangle{Max: size})
	r.shape.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	r.mask(mask, at, fill)
}

// mask paints a colour through a mask.
func (r *raster) mask(mask *image.Alpha, at image.Point, fill color.RGBA) {
	area := mask.Rect.Add(at).Intersect(r.img.Rect)
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			alpha := int(mask.Pix[mask.PixOffset(x-at.X, y-at.Y)])
			if level := (alpha*levels + 127) / 255; level > 0 {
				r.put(r.img.PixOffset(x, y), fill, uint8(level*255/levels))
			}
		}
	}
}

// A glyphKey names a character in a size.
type glyphKey struct {
	size float64
	char rune
}

// A glyph is a character in pixels, relative to its start on the baseline.
type glyph struct {
	mask    *image.Alpha
	at      image.Point
	advance fixed.Int26_6
}

// text paints a text element.
func (r *raster) text(e *element, s *style) {
	fill, ok := parseColor(s.fill)
	text := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#39;", "'", "&amp;", "&").Replace(e.text)
	if !ok || text == "" {
		return
	}
	width := fixed.Int26_6(utf8.RuneCountInString(text)) * r.glyph(glyphKey{s.size, '0'}).advance
	x, y := fixed.Int26_6(e.number("x")*pixels*64), int(e.number("y")*pixels)
	switch s.anchor {
	case "middle":
		x -= width / 2
	case "end":
		x -= width
	}
	for _, char := range text {
		g := r.glyph(glyphKey{s.size, char})
		r.mask(g.mask, g.at.Add(image.Pt(x.Round(), y)), fill)
		if s.bold { // a pixel wider
			r.mask(g.mask, g.at.Add(image.Pt(x.Round()+1, y)), fill)
		}
		x += g.advance
	}
}

// glyph returns a character.
func (r *raster) glyph(key glyphKey) *glyph {
	if g := r.glyphs[key]; g != nil {
		return g
	}
	face := r.faces[key.size]
	if face == nil {
		mono, _ := opentype.Parse(gomono.TTF) // a valid font
		face, _ = opentype.NewFace(mono, &opentype.FaceOptions{Size: key.size * pixels, DPI: 72})
		if r.faces == nil {
			r.faces, r.glyphs = map[float64]font.Face{}, map[glyphKey]*glyph{}
		}
		r.faces[key.size] = face
	}
	area, mask, from, advance, _ := face.Glyph(fixed.Point26_6{}, key.char)
	g := &glyph{mask: image.NewAlpha(image.Rectangle{Max: area.Size()}), at: area.Min, advance: advance}
	if alpha, ok := mask.(*image.Alpha); ok {
		for y := range area.Dy() {
			copy(g.mask.Pix[g.mask.PixOffset(0, y):][:area.Dx()], alpha.Pix[alpha.PixOffset(from.X, from.Y+y):])
		}
	}
	r.glyphs[key] = g
	return g
}
