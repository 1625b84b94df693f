package draw_test

import (
	"cmp"
	"slices"

	"layoutcalc/layout/layouttest"
)

// checkRoom wants everything within the picture, and no two texts over each other.
func checkRoom(t layouttest.TB, d *document) {
	t.Helper()
	within := func(what string, s shape) {
		if s.x < 0 || s.y < 0 || s.x+s.width > d.width || s.y+s.height > d.height {
			t.Fatalf("%s at %g, %g, %g by %g, is outside of the picture of %g by %g", what, s.x, s.y, s.width, s.height,
				d.width, d.height)
		}
	}
	boxes := make([]shape, len(d.texts))
	for i, l := range d.texts {
		boxes[i] = l.box()
		within("the text "+l.text, boxes[i])
	}
	for _, s := range d.shapes {
		within("a rectangle", s)
	}
	for _, c := range d.cells {
		within("a cell", c.shape)
	}
	for _, a := range d.arrows {
		within("an arrow", shape{"", min(a[0], a[2]), min(a[1], a[3]), 0, 0})
		within("an arrow", shape{"", max(a[0], a[2]), max(a[1], a[3]), 0, 0})
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
