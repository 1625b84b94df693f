package draw_test

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"layoutcalc/layout/layouttest"
	"layoutcalc/render/draw"
)

// A moving is a group of an SVG in which cells move.
type moving struct {
	Class string `xml:"class,attr"`
	Cells []struct {
		Opacity string `xml:"opacity,attr"`
		Rect    struct {
			Class string  `xml:"class,attr"`
			X     float64 `xml:"x,attr"`
			Y     float64 `xml:"y,attr"`
		} `xml:"rect"`
		Transform struct {
			Values string `xml:"values,attr"`
		} `xml:"animateTransform"`
	} `xml:"g"`
}

// TestMoves checks that each element of the storage before has a moving cell, which has its colour, ends at the same
// element in the storage after, and is hidden if animations are not played.
func TestMoves(t *testing.T) {
	s := pair(conversion, layouttest.Tensor(t, "1x3x4x4 NCHW"), layouttest.Tensor(t, "1x3x4x4 NHWC"), draw.Options{})
	still := s.svg(t)
	s.options.Animate = true
	svg := s.svg(t)
	checkDocument(t, svg)
	d := parse(t, svg)
	s.check(t, d)
	checkRoom(t, d)
	var document struct {
		Groups []moving `xml:"g"`
	}
	if err := xml.Unmarshal(svg, &document); err != nil {
		t.Fatal(err)
	}
	var cells moving
	for _, g := range document.Groups {
		if g.Class == "moving" {
			cells = g
		}
	}
	if len(cells.Cells) != 48 || len(d.cells) != len(parse(t, still).cells) {
		t.Fatalf("%d cells move of 48", len(cells.Cells))
	}
	for i, cell := range cells.Cells {
		from := d.strips[0].cells[i] // the storage before is in this order
		key := layouttest.Commas(from.index)
		for _, to := range d.strips[1].cells {
			if layouttest.Commas(to.index) != key {
				continue
			}
			way := fmt.Sprintf("%g %g", to.x-from.x, to.y-from.y)
			if cell.Opacity != "0" || cell.Rect.X != from.x || cell.Rect.Y != from.y || cell.Rect.Class != from.class ||
				cell.Transform.Values != "0 0;0 0;"+way+";"+way {
				t.Errorf("%s moves as %+v, want %s from %g, %g", key, cell, way, from.x, from.y)
			}
		}
	}
	p, err := s.picture()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(page(t, p, nil)), "animateTransform") {
		t.Error("the page moves cells, whose outlines do not")
	}
	a := s.pixels(t)
	s.options.Animate = false
	if b := s.pixels(t); a.Bounds() != b.Bounds() || a.At(200, 400) != b.At(200, 400) {
		t.Error("the pixels of a picture that moves differ")
	}
}
