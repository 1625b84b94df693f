package draw_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/layouttest"
	"layoutcalc/render/draw"
)

// stepOf returns the distance of the element at index 1 of an axis from the first one.
func stepOf(l layout.Layout, axis int) int64 {
	index := make([]int64, l.Rank())
	first := offsetOf(l, index)
	index[axis] = 1
	return offsetOf(l, index) - first
}

// checkSteps checks the distance to the next row and column in words next to a grid, and the arrow from the first cell
// to each that is drawn.
func (c *checker) checkSteps(l layout.Layout, g *grid, row, column int) {
	arrows := 0
	for axis, sign := range map[int]string{row: "↓", column: "→"} {
		if axis < 0 || len(g.cells) == 0 {
			continue
		}
		want := l.AxisName(axis) + sign
		if !l.Named() {
			want = "dim " + l.AxisName(axis) + " " + sign
		}
		if !l.IsSwizzled() { // others have no constant step
			want += fmt.Sprintf(" %+d", stepOf(l, axis))
		}
		if !slices.ContainsFunc(g.labels, func(l *label) bool { return strings.Contains(l.text+" ", want+" ") }) {
			c.fail("the grid of %v does not say %q", g.outer, want)
		}
		first, next := g.cells[0], slices.Clone(g.cells[0].index)
		next[axis]++
		if i := slices.IndexFunc(g.cells, func(c *cell) bool { return slices.Equal(c.index, next) }); i >= 0 {
			arrows += c.stepsBeside(g, first, g.cells[i])
		}
	}
	if len(g.steps) != arrows {
		c.fail("the grid of %v has %d arrows of steps, %d of them to the second row or column", g.outer, len(g.steps),
			arrows)
	}
}

// stepsBeside counts the arrows outside of a grid that go from beside one cell to beside another one.
func (c *checker) stepsBeside(g *grid, from, to *cell) (n int) {
	for _, points := range g.steps {
		a, b := points[0], points[len(points)-1]
		down := from.x == to.x && a[0] == b[0] && a[0] < from.x &&
			from.y < a[1] && a[1] < from.y+from.height && to.y-6 <= b[1] && b[1] < to.y+to.height
		across := from.y == to.y && a[1] == b[1] && a[1] < from.y &&
			from.x < a[0] && a[0] < from.x+from.width && to.x < b[0] && b[0] < to.x+to.width
		if down || across {
			n++
		}
	}
	if vertical := from.x == to.x; n > 1 || n == 0 && vertical {
		c.fail("%d arrows from %v to %v", n, from.index, to.index)
	}
	return n
}

// checkArcs checks that there is an arrow from the first element to the next one along each axis, if both are in the
// first line of the strip. There must be no such arrow if arrows show how elements move.
func (c *checker) checkArcs(store int, s *strip) {
	owner, want := c.owner(store).Layout(), 0
	from, _ := c.span(store)
	if len(s.lines) == 0 || len(c.arrows) > 0 || owner.Empty() || s.lines[0].cells[0].offset != from {
		return
	}
	at := func(offset int64) *cell {
		for _, cell := range s.lines[0].cells {
			if cell.offset == offset && cell.index != nil {
				return cell
			}
		}
		return nil
	}
	base := offsetOf(owner, make([]int64, owner.Rank()))
	for axis, size := range owner.Sizes() {
		if size == 1 || owner.IsSwizzled() {
			continue
		}
		from, to := at(base), at(base+stepOf(owner, axis))
		if from == nil || to == nil || from == to {
			continue
		}
		want++
		if !slices.ContainsFunc(s.steps, func(points [][2]float64) bool {
			a, b := points[0], points[len(points)-1]
			return a[0] == from.x+from.width/2 && b[0] == to.x+to.width/2 && a[1] == from.y-2 && b[1] == from.y-2
		}) {
			c.fail("strip %d: no arrow of a step along axis %d", store, axis)
		}
	}
	if len(s.steps) != want {
		c.fail("strip %d: %d arrows of steps, want %d", store, len(s.steps), want)
	}
}

// TestSteps compares the words of pictures with strides in the documentation of DirectML, NumPy and oneDNN.
func TestSteps(t *testing.T) {
	for _, tt := range []struct{ line, title, steps string }{
		{"1x3x4x4 NHWC", "Strides = { 48, 1, 12, 3 }", "H↓ +12  W→ +3  C +1"},
		{"1x3x4x4 NCHW", "Strides = { 48, 16, 4, 1 }", "H↓ +4  W→ +1  C +16"},
		{"2x3x4", "Strides = { 12, 4, 1 }", "dim 1 ↓ +4  dim 2 → +1  dim 0 +12"},
		{"1x17x4x4 NCHW16c", "Strides = { 512, (256, 1), 64, 16 }", "H↓ +64  W→ +16  C +1  16C +256"},
		{"2x3 --strides -3,1 --storage-offset 3", "Strides = { -3, 1 }", "dim 0 ↓ -3  dim 1 → +1"},
		{"3x4 --broadcast 0", "Strides = { 0, 1 }", "dim 0 ↓ +0  dim 1 → +1"},
		{"16", "Strides = { 1 }", "dim 0 → +1"},
		{"batch=2,time=5", "Strides = { 5, 1 }", "batch↓ +5  time→ +1"},
	} {
		d := parse(t, single(layouttest.Tensor(t, tt.line), draw.Options{}).svg(t))
		if !strings.HasSuffix(d.title, " · "+tt.title) {
			t.Errorf("%s: the title is %q, want %q", tt.line, d.title, tt.title)
		}
		if !slices.ContainsFunc(d.panels[0].grids[0].labels, func(l *label) bool { return l.text == tt.steps }) {
			t.Errorf("%s: the grid does not say %q", tt.line, tt.steps)
		}
	}
}

// TestNextGrid checks that an arrow goes from the first grid to the second if they are side by side.
func TestNextGrid(t *testing.T) {
	for line, want := range map[string]int{"1x3x4x4 NHWC": 1, "2x3": 0, "2x3x4x5": 1, "2x2x2": 1} {
		d := parse(t, single(layouttest.Tensor(t, line), draw.Options{}).svg(t))
		outside := len(d.steps) - len(d.strips[0].steps)
		for _, g := range d.panels[0].grids {
			outside -= len(g.steps)
		}
		if outside != want {
			t.Errorf("%s has %d arrows between grids, want %d", line, outside, want)
			continue
		}
		if want == 1 {
			a, b := d.panels[0].grids[0].cells[0], d.panels[0].grids[1].cells[0]
			i := slices.IndexFunc(d.steps, func(s [][2]float64) bool {
				return s[0][1] < a.y && s[1][1] == s[0][1] &&
					a.x < s[0][0] && s[1][0] > a.x+2*a.width && s[1][0] < b.x
			})
			if i < 0 {
				t.Errorf("%s: the arrow does not go from grid to grid: %v", line, d.steps)
			}
		}
	}
}

// TestPaddingCount compares the padding in words with the hatched cells.
func TestPaddingCount(t *testing.T) {
	for _, tt := range []struct {
		line, words string
		hatched     int
	}{
		{"2x3 --pitch 0=5", "padding: 2 of 8 offsets, 25.0 %", 2},
		{"1x17x4x4 NCHW16c", "padding: 240 of 512 offsets, 46.9 %: 225 between elements, 15 behind the last one", 240},
		{"1x3x1x1 NCHW8c", "padding: 5 of 8 offsets, 62.5 %, all behind the last element", 5},
		{"2x3", "", 0},
	} {
		d := parse(t, single(layouttest.Tensor(t, tt.line), draw.Options{}).svg(t))
		said, hatched := "", 0
		for _, l := range d.texts {
			if strings.HasPrefix(l.text, "padding: ") {
				said += l.text
			}
		}
		for _, c := range d.strips[0].cells {
			if c.has("p") {
				hatched++
			}
		}
		if said != tt.words || hatched != tt.hatched {
			t.Errorf("%s says %q beside %d hatched cells, want %q and %d", tt.line, said, hatched, tt.words, tt.hatched)
		}
	}
}
