package draw_test

import (
	"cmp"
	"slices"
	"testing"

	"layoutcalc/layout/layouttest"
)

// crossed reports whether a part of the line from a to b is within.
func (s rectangle) crossed(a, b [2]float64) bool {
	enters, leaves := 0.0, 1.0 // parts of the way
	for i, side := range [...]struct{ from, length float64 }{{s.x, s.width}, {s.y, s.height}} {
		before, way := side.from-a[i], b[i]-a[i]
		if way == 0 {
			if before >= 0 || before+side.length <= 0 {
				return false
			}
			continue
		}
		one, other := before/way, (before+side.length)/way
		enters, leaves = max(enters, min(one, other)), min(leaves, max(one, other))
	}
	return enters < leaves
}

// TestCrossed has lines through the square from 2 to 4, and past it.
func TestCrossed(t *testing.T) {
	square := rectangle{"", 2, 2, 2, 2}
	for _, tt := range []struct {
		a, b [2]float64
		want bool
	}{
		{[2]float64{0, 3}, [2]float64{9, 3}, true},
		{[2]float64{3, 9}, [2]float64{3, 0}, true},
		{[2]float64{0, 0}, [2]float64{9, 9}, true},
		{[2]float64{3, 3}, [2]float64{3, 3}, true},
		{[2]float64{3, 4.9}, [2]float64{4.9, 3}, true}, // through a corner
		{[2]float64{3, 5.1}, [2]float64{5.1, 3}, false},
		{[2]float64{0, 2}, [2]float64{9, 2}, false}, // along a side
		{[2]float64{4, 0}, [2]float64{4, 9}, false},
		{[2]float64{0, 3}, [2]float64{2, 3}, false}, // up to it
		{[2]float64{5, 3}, [2]float64{9, 3}, false},
	} {
		if got := square.crossed(tt.a, tt.b); got != tt.want {
			t.Errorf("%v to %v: %v", tt.a, tt.b, got)
		}
	}
}

// checkRoom checks that everything is inside the picture, that no two text elements overlap, and that no arrow crosses
// the text of a cell.
func checkRoom(t layouttest.TB, d *document) {
	t.Helper()
	within := func(what string, s rectangle) {
		if s.x < 0 || s.y < 0 || s.x+s.width > d.width || s.y+s.height > d.height {
			t.Fatalf("%s at %g, %g, %g by %g, is outside of the picture of %g by %g", what, s.x, s.y, s.width, s.height,
				d.width, d.height)
		}
	}
	boxes := make([]rectangle, len(d.texts))
	for i, l := range d.texts {
		boxes[i] = l.box()
		within("the text "+l.text, boxes[i])
	}
	for _, s := range d.shapes {
		within("a rectangle", s)
	}
	for _, c := range d.cells {
		within("a cell", c.rectangle)
	}
	for _, arrow := range slices.Concat(d.arrows, d.steps) {
		for i, p := range arrow {
			within("an arrow", rectangle{"", p[0], p[1], 0, 0})
			for k, l := range d.texts {
				if i > 0 && (l.cell != nil || l.has("m")) && boxes[k].crossed(arrow[i-1], p) {
					t.Fatalf("the arrow through %v crosses the text %q at %v", arrow, l.text, boxes[k])
				}
			}
		}
	}
	order := make([]int, len(boxes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(boxes[a].y, boxes[b].y) })
	for k, i := range order {
		for _, j := range order[k+1:] {
			a, b := boxes[i], boxes[j]
			if b.y >= a.y+a.height {
				break
			}
			if a.x < b.x+b.width && b.x < a.x+a.width {
				t.Fatalf("the texts %q at %g, %g and %q at %g, %g overlap", d.texts[i].text, a.x, a.y,
					d.texts[j].text, b.x, b.y)
			}
		}
	}
	cells := slices.SortedFunc(slices.Values(d.cells), func(a, b *cell) int { return cmp.Compare(a.y, b.y) })
	tallest := 0.0
	for _, c := range cells {
		tallest = max(tallest, c.height)
	}
	for i, l := range d.texts {
		b := boxes[i]
		if c := l.cell; c != nil {
			if b.x < c.x || b.x+b.width > c.x+c.width || b.y < c.y || b.y+b.height > c.y+c.height {
				t.Fatalf("the text %q is wider than its cell of %g px", l.text, c.width)
			}
			continue
		}
		top := b.y - tallest
		first, _ := slices.BinarySearchFunc(cells, top, func(c *cell, y float64) int { return cmp.Compare(c.y, y) })
		for _, c := range cells[first:] {
			if c.y >= b.y+b.height {
				break
			}
			if c.x < b.x+b.width && b.x < c.x+c.width && b.y < c.y+c.height {
				t.Fatalf("the text %q at %g, %g is over the cell of %v at %g, %g", l.text, l.x, l.y, c.index, c.x, c.y)
			}
		}
	}
}
