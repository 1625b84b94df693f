package draw_test

import (
	"cmp"
	"slices"

	"layoutcalc/layout/layouttest"
)

// crossed reports whether a point of the line from a to b, of very many, is within.
func (s rectangle) crossed(a, b [2]float64) bool {
	const steps = 1000
	for i := range steps + 1 {
		x, y := a[0]+(b[0]-a[0])*float64(i)/steps, a[1]+(b[1]-a[1])*float64(i)/steps
		if s.x < x && x < s.x+s.width && s.y < y && y < s.y+s.height {
			return true
		}
	}
	return false
}

// checkRoom wants everything within the picture, no two texts over each other, and no arrow over the text of a cell.
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
