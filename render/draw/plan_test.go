package draw_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/shape"
	"layoutcalc/render/draw"
)

// TestLimit draws tensors of more elements than pictures have room for: never more cells than the limit, the corners of
// each axis, and numbers that add up.
func TestLimit(t *testing.T) {
	t.Parallel()
	for i, line := range []string{
		"64x64", "65x65", "100x100", "1000x1000", "5000", "1x3x224x224 NHWC", "8x64x56x56 NCHW16c",
		"2x2x2x2x2x2x2x2x2x2x2x2x2",
		"300x2", "2x300", "7x11x13x17", "100000x2 --strides 0,1", "3x1000 --strides 1,1", "1x17x100x100 NCHW8c",
		"200x200 --strides -300,1 --storage-offset 59700",
	} {
		for k, cells := range []int{16, 300, draw.DefaultCells, draw.MaxCells} {
			if (i+k)%layouttest.Step() != 0 || cells == draw.MaxCells && i%3 != 0 {
				continue
			}
			s := single(layouttest.Tensor(t, line), draw.Options{Cells: cells})
			d := parse(t, s.svg(t))
			checkRoom(t, d)
			if n := len(d.cells); n > cells || n == 0 {
				t.Errorf("%s has %d cells of %d", line, n, cells)
			}
			if s.tensors[0].Layout().Elements() <= 10_000 {
				s.check(t, d)
			}
		}
	}
}

// TestCorners checks which indices are drawn where not all are.
func TestCorners(t *testing.T) {
	tests := []struct {
		line          string
		cells         int
		rows, columns string
		grids         int
		note          string
	}{
		{"64x32", 4096, "0 63", "0 31", 1, ""}, // 2,048 in the grid, and as many in the storage
		{"65x64", 4096, "0 1 2 3 4 5 6 7 57 58 59 60 61 62 63 64", "0 1 2 3 4 5 6 7 56 57 58 59 60 61 62 63", 1,
			"256 of 4,160 elements drawn, 3,904 not; --slice chooses others"},
		{"100x100", 200, "0 1 98 99", "0 1 98 99", 1, "16 of 10,000 elements drawn, 9,984 not; --slice chooses others"},
		{"100x100x100", 1000, "0 1 98 99", "0 1 98 99", 4, "64 of 1,000,000 elements drawn, 999,936 not; --slice"},
		{"2x2x2x2x2x2x2x2x2x2x2x2x2", 4096, "0 1", "0 1", 1,
			"4 of 8,192 elements drawn, 8,188 not: the first index of"},
	}
	for _, tt := range tests {
		s := single(layouttest.Tensor(t, tt.line), draw.Options{Cells: tt.cells})
		d := parse(t, s.svg(t))
		p := d.panels[0]
		if len(p.grids) != tt.grids {
			t.Errorf("%s has %d grids, want %d", tt.line, len(p.grids), tt.grids)
		}
		g := p.grids[0]
		rows, columns := map[int64]bool{}, map[int64]bool{}
		for _, c := range g.cells {
			rows[c.index[len(c.index)-2]], columns[c.index[len(c.index)-1]] = true, true
		}
		check := func(what string, list map[int64]bool, want string) {
			numbers := strings.Fields(want)
			all := len(numbers) == 2 && numbers[0] == "0" && tt.note == ""
			for _, n := range numbers {
				if !list[integers(t, n)[0]] {
					t.Errorf("%s: %s %s is missing", tt.line, what, n)
				}
			}
			if !all && len(list) != len(numbers) {
				t.Errorf("%s: %s %v, want %s", tt.line, what, list, want)
			}
		}
		check("row", rows, tt.rows)
		check("column", columns, tt.columns)
		if note := strings.Join(p.notes, " "); !strings.HasPrefix(note, tt.note) || tt.note == "" && note != "" {
			t.Errorf("%s says %q, want %q", tt.line, note, tt.note)
		}
	}
}

// TestHuge draws tensors of any size, at once.
func TestHuge(t *testing.T) {
	t.Parallel()
	for i, line := range []string{
		"1000000x1000000", "1000000000000", "10000x10000x100x100", "1x1000000x1000x1000 NCHW16c",
		"1000000x1000000 --strides 1,1",
		"1000000x1000000 --strides 0,0", "1000000x1000000 --strides 3,7", "2000000000x2000000000 -t u8",
		"1000000x1000000 --strides -1000000,1 --storage-offset 999999000000", "100x100x100x100x100x100 -t i4",
		"1000000x1000000 --strides 1000003,999983",
	} {
		for k, o := range []draw.Options{{}, {Line: 1 << 40}, {Cells: draw.MaxCells}, {ColorBy: draw.ByLine}} {
			if (i+k)%layouttest.Step() != 0 {
				continue
			}
			s := single(layouttest.Tensor(t, line), o)
			start := time.Now()
			svg := s.svg(t)
			if took := time.Since(start); took > 2*time.Second { // benchmarks measure the time
				t.Errorf("%s %+v takes %v", line, o, took)
			}
			d := parse(t, svg)
			checkRoom(t, d)
			l := s.tensors[0].Layout()
			for _, p := range d.panels {
				for _, g := range p.grids {
					for _, c := range g.cells {
						if c.offset != offsetOf(l, c.index) {
							t.Fatalf("%s: the cell of %v is at %d", line, c.index, c.offset)
						}
					}
				}
			}
			for _, c := range d.strips[0].cells {
				if c.index != nil && c.offset != offsetOf(l, c.index) {
					t.Fatalf("%s: the cell of %v is at %d in the storage", line, c.index, c.offset)
				}
			}
			total := uint64(0)
			for _, n := range d.strips[0].skipped {
				total += n
			}
			if total == 0 && o.Line == 0 && !strings.Contains(line, "0,0") {
				t.Errorf("%s: no line is said to be left out", line)
			}
			if note := strings.Join(d.panels[0].notes, " "); !strings.Contains(note, "elements drawn") {
				t.Errorf("%s says %q", line, note)
			}
		}
	}
}

// TestSlice checks which of the selected elements are drawn, and the error for a tensor without such elements.
func TestSlice(t *testing.T) {
	slice := func(text string) []shape.AxisRange {
		ranges, err := shape.ParseRanges(text)
		if err != nil {
			t.Fatal(err)
		}
		return ranges
	}
	tests := []struct{ line, slice, want string }{
		{"2x3x4", "0=1", "1,0,0 1,2,3"},
		{"2x3x4", "0=1,2=1:3", "1,0,1 1,2,2"},
		{"2x3x4", "1=2:", "0,2,0 1,2,3"},
		{"2x3x4", "1=:1,2=3", "0,0,3 1,0,3"},
		{"1x3x224x224 NCHW", "C=1,H=10:12,W=100:104", "0,1,10,100 0,1,11,103"},
		{"1000x1000x1000", "0=999,1=998:1000,2=0:2", "999,998,0 999,999,1"},
		{"9", "0=3:5", "3 4"},
	}
	for _, tt := range tests {
		s := single(layouttest.Tensor(t, tt.line), draw.Options{Slice: slice(tt.slice)})
		d := parse(t, s.svg(t))
		if s.tensors[0].Layout().Elements() < 60_000 {
			s.check(t, d)
		}
		p := d.panels[0]
		first, last := p.grids[0], p.grids[len(p.grids)-1]
		got := layouttest.Commas(first.cells[0].index) + " " + layouttest.Commas(last.cells[len(last.cells)-1].index)
		if got != tt.want || len(p.notes) > 0 {
			t.Errorf("%s of %s draws %s, and says %q; want %s", tt.slice, tt.line, got, p.notes, tt.want)
		}
	}
	for _, text := range []string{"0=2", "0=0:3", "3=0", "Q=0"} {
		_, err := single(layouttest.Tensor(t, "2x3x4"), draw.Options{Slice: slice(text)}).picture()
		layouttest.SyntaxError(t, text, err)
	}
}

// TestRange checks which offsets are drawn.
func TestRange(t *testing.T) {
	pointer := func(n int64) *int64 { return &n }
	tests := []struct {
		from, to    *int64
		first, last int64
	}{
		{nil, nil, 0, 23}, {pointer(5), nil, 5, 23}, {nil, pointer(7), 0, 6}, {pointer(6), pointer(9), 6, 8},
		{pointer(-3), pointer(2), -3, 1}, {pointer(30), pointer(33), 30, 32},
		{pointer(1 << 62), pointer(1<<62 + 4), 1 << 62, 1<<62 + 3},
		{pointer(math.MaxInt64 - 3), nil, math.MaxInt64 - 3, math.MaxInt64 - 4},
		{pointer(math.MaxInt64 - 3), pointer(math.MaxInt64), math.MaxInt64 - 3, math.MaxInt64 - 1},
		{pointer(math.MinInt64), pointer(math.MinInt64 + 9), math.MinInt64, math.MinInt64 + 8},
		{pointer(math.MinInt64), pointer(math.MaxInt64), 0, 23}, // the lines of the elements
	}
	for _, tt := range tests {
		s := single(layouttest.Tensor(t, "2x3x4"), draw.Options{From: tt.from, To: tt.to, Line: 16})
		d := parse(t, s.svg(t))
		if tt.first >= 0 || tt.from == nil {
			s.check(t, d)
		}
		cells := d.strips[0].cells
		if len(cells) == 0 {
			if tt.first <= tt.last {
				t.Errorf("no offsets are drawn, want %d to %d", tt.first, tt.last)
			}
			continue
		}
		if first, last := cells[0].offset, cells[len(cells)-1].offset; first != tt.first || last != tt.last {
			t.Errorf("offsets %d to %d are drawn, want %d to %d", first, last, tt.first, tt.last)
		}
	}
	s := single(layouttest.Tensor(t, "2x3x4"), draw.Options{From: pointer(9), To: pointer(9)})
	if d := parse(t, s.svg(t)); len(d.strips[0].cells) != 0 {
		t.Errorf("a range of nothing draws %d cells", len(d.strips[0].cells))
	}
}

// TestLine checks how long lines of memory are, and which lengths do not hold whole elements.
func TestLine(t *testing.T) {
	tests := []struct {
		line  string
		bytes int64
		want  int // elements of the first line; 0 for an error
	}{
		{"100", 0, 16}, {"100", 64, 16}, {"100", 32, 8}, {"100", 4, 1}, {"100", 12, 3}, {"100", 2, 0}, {"100", 6, 0},
		{"100 -t u8", 0, 32}, {"100 -t i4", 1, 2}, {"100 -t i4", 0, 32}, {"100 -t complex128", 0, 4},
		{"100 -t complex128", 8, 0},
		{"100 -t unknown", 0, 16}, {"100 -t unknown", 64, 0}, {"100 -t f16", 3, 0},
		{"10 -t f32", 1 << 61, 0}, {"10 -t f32", 1 << 50, 10},
	}
	for _, tt := range tests {
		s := single(layouttest.Tensor(t, tt.line), draw.Options{Line: tt.bytes})
		_, err := s.picture()
		if tt.want == 0 {
			if err == nil {
				t.Errorf("%s with lines of %d bytes is drawn", tt.line, tt.bytes)
				continue
			}
			if e := layouttest.SyntaxError(t, "", err); !strings.Contains(e.Msg, "--line") || e.Hint == "" {
				t.Errorf("%s with lines of %d bytes: %q, %q", tt.line, tt.bytes, e.Msg, e.Hint)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s with lines of %d bytes: %v", tt.line, tt.bytes, err)
			continue
		}
		d := parse(t, s.svg(t))
		if n := len(d.strips[0].lines[0].cells); n != tt.want {
			t.Errorf("%s with lines of %d bytes has %d in a line, want %d", tt.line, tt.bytes, n, tt.want)
		}
	}
}

// TestProposedLine draws with the line length that a picture proposes if it has no room for the text of cells.
func TestProposedLine(t *testing.T) {
	for _, line := range []string{"64x16 -t u8", "1x3x224x224 NHWC -t f16", "300 -t u8"} {
		s := single(layouttest.Tensor(t, line), draw.Options{Line: 64})
		d := parse(t, s.svg(t))
		if slices.ContainsFunc(d.strips[0].cells, func(c *cell) bool { return c.text != "" }) {
			t.Fatalf("%s has strings in its storage", line)
		}
		proposed := int64(0)
		for _, l := range d.texts {
			if words := strings.Fields(l.text); len(words) > 2 && words[0] == "--line" {
				proposed = integers(t, words[1])[0]
			}
		}
		if s.options.Line = proposed; proposed == 0 {
			t.Errorf("%s proposes nothing", line)
			continue
		}
		if d = parse(t, s.svg(t)); !slices.ContainsFunc(d.strips[0].cells, func(c *cell) bool { return c.text != "" }) {
			t.Errorf("%s has no texts with --line %d either", line, proposed)
		}
	}
}
