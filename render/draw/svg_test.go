package draw_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"layoutcalc/layout"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/view"
	"layoutcalc/render"
	"layoutcalc/render/draw"
)

// svgNames are the elements and attributes that pictures have: none that runs a script or fetches anything.
var svgNames = strings.Fields(`svg title desc style defs pattern path marker rect text g line
	xmlns space width height viewBox role aria-labelledby id class x y x1 y1 x2 y2 d
	data-g data-i data-o data-outer data-strip data-bits data-line
	animateTransform animate attributeName calcMode type values keyTimes dur repeatCount opacity
	patternUnits refX refY markerWidth markerHeight orient marker-end`)

// checkDocument checks that every XML parser accepts the document, that it has only the elements and attributes above,
// and that it loads nothing from outside.
func checkDocument(t layouttest.TB, svg []byte) {
	t.Helper()
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the picture is not XML: %v", err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			if !slices.Contains(svgNames, e.Name.Local) {
				t.Fatalf("the picture has an element %s", e.Name.Local)
			}
			for _, a := range e.Attr {
				if !slices.Contains(svgNames, a.Name.Local) {
					t.Fatalf("the picture has an attribute %s of %s", a.Name.Local, e.Name.Local)
				}
				if strings.Contains(a.Value, ":") && a.Name.Local != "xmlns" {
					t.Fatalf("%s is %q", a.Name.Local, a.Value)
				}
			}
		case xml.CharData:
			for _, r := range string(e) {
				if unicode.IsControl(r) && r != '\n' || unicode.Is(unicode.Bidi_Control, r) {
					t.Fatalf("the picture has %q in %q", r, string(e))
				}
			}
		case xml.Comment, xml.Directive, xml.ProcInst:
			t.Fatalf("the picture has a %T", token)
		}
	}
	outside := bytes.Count(svg, []byte("url(")) - bytes.Count(svg, []byte("url(#"))
	if outside > 0 || !bytes.HasSuffix(svg, []byte("</svg>\n")) {
		t.Fatalf("the picture has %d references, and ends with %q", outside, svg[max(0, len(svg)-20):])
	}
	if long := regexp.MustCompile(`[^\n]{1000}`).Find(svg); long != nil {
		t.Fatalf("the picture has a line of %.100s...", long)
	}
}

// TestDocument checks the elements in the SVG of ordinary pictures.
func TestDocument(t *testing.T) {
	x := layouttest.Tensor(t, "1x17x4x4 NCHW8c")
	for _, s := range []*subject{
		single(x, draw.Options{Command: "layoutcalc strides 1x17x4x4 NCHW8c --svg -"}),
		pair(comparison, layouttest.Tensor(t, "2x3x2x2 NCHW"), layouttest.Tensor(t, "2x3x2x2 NHWC"), draw.Options{}),
		pair(conversion, layouttest.Tensor(t, "2x3"), layouttest.Tensor(t, "2x3 --strides 1,2"), draw.Options{}),
		views(t, layouttest.Tensor(t, "4x6"), "t() [::2] contiguous()", draw.Options{}),
	} {
		svg := s.svg(t)
		checkDocument(t, svg)
		d := parse(t, svg)
		s.check(t, d)
		checkRoom(t, d)
		if d.title == "" || d.desc == "" {
			t.Errorf("%v: title %q, description %q", s, d.title, d.desc)
		}
		c := s.options.Command
		if c != "" && !slices.ContainsFunc(d.texts, func(l *label) bool { return l.text == c }) {
			t.Errorf("the command %q is not in the picture", c)
		}
		for range 2 {
			if !bytes.Equal(svg, s.svg(t)) {
				t.Errorf("%v is drawn in two ways", s)
			}
		}
	}
}

// TestSize checks that pictures of many cells have at most 130 bytes per cell on average, and no picture much more.
func TestSize(t *testing.T) {
	size, cells := 0, 0
	for _, line := range []string{
		"32x64", "1x16x11x11 NHWC", "1x17x10x10 NCHW8c", "8x8x8x4", "100x100", "1x3x224x224 NHWC", "2000",
		"1000000x1000000",
	} {
		for _, show := range []draw.Show{draw.Offsets, draw.Indices} {
			s := single(layouttest.Tensor(t, line), draw.Options{Show: show})
			svg := s.svg(t)
			n := len(parse(t, svg).cells)
			if len(svg) > 150*n+4000 {
				t.Errorf("%s has %d cells of %d bytes", line, n, len(svg)/n)
			}
			size, cells = size+len(svg), cells+n
		}
	}
	if size > 130*cells {
		t.Errorf("%d cells take %d bytes each", cells, size/cells)
	}
}

// FuzzSVG draws strings from hostile users. Each must end up as text, and every picture must be valid.
func FuzzSVG(f *testing.F) {
	f.Add("2x3 HW", "layoutcalc offset 2x3", "a", "0=1", uint8(0), int64(64), int64(0))
	f.Add("1x17x2x2 NCHW8c", "</text><script>alert(1)</script>", "]]>", "C=1:3", uint8(1), int64(32), int64(5))
	f.Add("3x3 --strides 2,2", "\x1b[2J\u202e\xff\x00 &amp; <!-- '\"", "&<>\"'", "0=0", uint8(2), int64(8), int64(-9))
	f.Add("5x1 --strides 0,1", strings.Repeat("wide 文字 é ", 60), "文字", "1=0", uint8(3), int64(1<<40), int64(1)<<62)
	f.Add("4x6 --strides 1,4", "\u0301\u200d👩‍👩‍👧", "\t\n\r", "", uint8(4), int64(7), int64(-1)<<63)
	f.Add("4x6", strings.Repeat("x", 3000), strings.Repeat("v", 500), "", uint8(5), int64(0), int64(3))
	f.Add("LONG_NAME_OF_AN_AXIS=2,b=3", "", "\ufffe\uffff\u2028", "b=1", uint8(6), int64(16), int64(3))
	f.Add("0x3", "-", "", "", uint8(7), int64(16), int64(3))
	f.Fuzz(func(t *testing.T, line, command, value, slice string, pick uint8, bytes, from int64) {
		defer layouttest.Limit(t, len(line)+len(command)+len(value)+len(slice))()
		words := strings.Fields(line)
		if len(words) == 0 || len(line) > 200 || len(command) > 5000 {
			t.Skip()
		}
		x, err := layouttest.Describe(line)
		if err != nil {
			t.Skip()
		}
		o := draw.Options{
			Command: command, Show: draw.Show(pick % 3), ColorBy: draw.ColorBy(pick / 3 % 4),
			Line: bytes & (1<<50 - 1), Cells: 300,
		}
		o.Labels = render.Window{Indices: pick%2 == 0}
		if n := x.Layout().Elements(); n < 1000 && value != "" {
			o.Labels = render.Window{Values: slices.Repeat([]string{value}, int(n))}
		}
		if pick >= 128 {
			o.From = &from
		}
		if ranges, err := shape.ParseRanges(slice); err == nil {
			o.Slice = ranges
		}
		s := single(x, o)
		steps, err := view.ParseSteps(value)
		if _, failed := view.Apply(x, steps, layout.PyTorch); err == nil && failed == nil && len(steps) > 0 {
			s = views(t, x, value, o)
		}
		p, err := s.picture()
		if err != nil {
			layouttest.SyntaxError(t, line, err)
			return
		}
		var b strings.Builder
		if err := p.SVG(&b); err != nil {
			t.Fatal(err)
		}
		checkDocument(t, []byte(b.String()))
		d := parse(t, []byte(b.String()))
		checkRoom(t, d)
		var page strings.Builder
		if err := p.HTML(&page); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(page.String(), "<script"); n != 1 {
			t.Errorf("the page has %d scripts", n)
		}
		if n := len(d.cells); n > 300 {
			t.Errorf("%s: %d cells", line, n)
		}
	})
}

// BenchmarkSVG draws pictures; it reports how many cells a second, and how many bytes each of them takes.
func BenchmarkSVG(b *testing.B) {
	for _, bench := range []struct{ name, line string }{
		{"small", "2x3x4"}, {"blocks", "1x17x10x10 NCHW8c"}, {"full", "32x64"}, {"limit", "1x3x224x224 NHWC"},
		{"huge", "1000000x1000000"}, {"coprime", "1000000x1000000 --strides 1000003,999983"},
		{"overlap", "1000000x1000000 --strides 1,1"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			x, err := layouttest.Describe(bench.line)
			if err != nil {
				b.Fatal(err)
			}
			s, cells, size := single(x, draw.Options{}), 0, 0
			b.ReportAllocs()
			for b.Loop() {
				p, err := s.picture()
				if err != nil {
					b.Fatal(err)
				}
				var buf bytes.Buffer
				if err := p.SVG(&buf); err != nil {
					b.Fatal(err)
				}
				size, cells = buf.Len(), bytes.Count(buf.Bytes(), []byte(" data-o="))
			}
			b.ReportMetric(float64(cells)*float64(b.N)/b.Elapsed().Seconds(), "cells/s")
			b.ReportMetric(float64(size)/float64(cells), "B/cell")
		})
	}
}
