package draw_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/shape"
	"layoutcalc/render"
	"layoutcalc/render/draw"
)

// TestKnownOffsets compares the offsets in the cells of grids with tables: those of CuTe as its documents print them,
// or by its rule, in which the first of nested coordinates runs fastest.
func TestKnownOffsets(t *testing.T) {
	byRule := func(f func(i, j int) int) (table [][]string) {
		for i := range 8 {
			var row []string
			for j := range 8 {
				row = append(row, fmt.Sprint(f(i, j)))
			}
			table = append(table, row)
		}
		return table
	}
	tests := []struct {
		text string
		want [][]string
	}{
		{"(8,8):(8,1)", [][]string{
			{"0", "1", "2", "3", "4", "5", "6", "7"},
			{"8", "9", "10", "11", "12", "13", "14", "15"},
			{"16", "17", "18", "19", "20", "21", "22", "23"},
			{"24", "25", "26", "27", "28", "29", "30", "31"},
			{"32", "33", "34", "35", "36", "37", "38", "39"},
			{"40", "41", "42", "43", "44", "45", "46", "47"},
			{"48", "49", "50", "51", "52", "53", "54", "55"},
			{"56", "57", "58", "59", "60", "61", "62", "63"},
		}},
		{"(2,(2,2)):(4,(2,1))", [][]string{{"0", "2", "1", "3"}, {"4", "6", "5", "7"}}},
		{"((2,2),(4,2)):((1,8),(2,16))", [][]string{
			{"0", "2", "4", "6", "16", "18", "20", "22"},
			{"1", "3", "5", "7", "17", "19", "21", "23"},
			{"8", "10", "12", "14", "24", "26", "28", "30"},
			{"9", "11", "13", "15", "25", "27", "29", "31"},
		}},
		{"((4,2),(2,4)):((2,16),(1,8))", byRule(func(i, j int) int { return i%4*2 + i/4*16 + j%2 + j/2*8 })},
		{"((2,4),(4,2)):((1,8),(2,32))", byRule(func(i, j int) int { return i%2 + i/2*8 + j%4*2 + j/4*32 })},
	}
	cute, err := notation.Find("cute")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		found, err := cute.Read(tt.text, notation.Options{DType: layouttest.Tensor(t, "[]").DType()})
		if err != nil || len(found) != 1 {
			t.Fatalf("%s: %v", tt.text, err)
		}
		x := found[0].Tensor
		s := single(x, draw.Options{Show: draw.Offsets})
		d := parse(t, s.svg(t))
		if s.check(t, d); !slices.EqualFunc(rows(d.panels[0].grids[0]), tt.want, slices.Equal) {
			t.Errorf("%s is drawn as\n%v\nwant\n%v", tt.text, rows(d.panels[0].grids[0]), tt.want)
		}
	}
}

// rows returns the cell texts of a grid, by position.
func rows(g *grid) (table [][]string) {
	y := -1.0
	for _, c := range slices.SortedFunc(slices.Values(g.cells), func(a, b *cell) int {
		return int(a.y-b.y)*10_000 + int(a.x-b.x)
	}) {
		if c.y != y {
			table, y = append(table, nil), c.y
		}
		table[len(table)-1] = append(table[len(table)-1], c.text)
	}
	return table
}

// lines returns the text of a strip's cells, with its count, and "~" for padding.
func lines(s *strip) (table []string) {
	for _, line := range s.lines {
		var words []string
		for _, c := range line.cells {
			word := c.text
			if c.has("p") {
				word = "~"
			}
			words = append(words, strings.TrimSpace(word+" "+c.count))
		}
		table = append(table, strings.Join(words, "|"))
	}
	return table
}

// TestKnownStrips compares lines of memory with the documentation of DirectML, oneDNN and NumPy.
func TestKnownStrips(t *testing.T) {
	tests := []struct {
		line   string
		bytes  int64
		want   []string
		reason string
	}{
		{"2x3 HW --pitch H=4", 16, []string{"0,0|0,1|0,2|~", "1,0|1,1|1,2"}, "rows of 3 in 4"},
		{"1x2x2x3 NHWC", 24, []string{
			"0,0,0|1,0,0|0,0,1|1,0,1|0,0,2|1,0,2", "0,1,0|1,1,0|0,1,1|1,1,1|0,1,2|1,1,2",
		}, "channels are together"},
		{"1x3x1x2 NCHW4c", 16, []string{"0,0|1,0|2,0|~", "0,1|1,1|2,1|~"}, "3 of 4"},
		{"3x2 --strides 0,1", 16, []string{"0,0 x3|0,1 x3"}, "rows share their storage"},
		{"2x2 --strides 1,1", 16, []string{"0,0|0,1 x2|1,1"}, "elements of a Hankel matrix"},
		{"4 --strides -1 --storage-offset 3", 16, []string{"3|2|1|0"}, "reversed"},
		{"2 --strides -2 --storage-offset 2", 8, []string{"1|~", "0"}, "every other one, reversed"},
		{"3 --strides 1 --storage-offset 5", 16, []string{"~|0|1|2"}, "the strip starts with the line"},
	}
	for _, tt := range tests {
		s := single(layouttest.Tensor(t, tt.line), draw.Options{Line: tt.bytes})
		d := parse(t, s.svg(t))
		if s.check(t, d); !slices.Equal(lines(d.strips[0]), tt.want) {
			t.Errorf("%s: the storage is %q, want %q: %s", tt.line, lines(d.strips[0]), tt.want, tt.reason)
		}
	}
}

// TestShow checks the content of cells: offsets, indices or values.
func TestShow(t *testing.T) {
	x := layouttest.Tensor(t, "2x2 --strides 1,2")
	values := render.Window{Values: []string{"a", "b", "c", "d"}}
	letters := render.Window{}
	tests := []struct {
		options draw.Options
		grid    string
		strip   string
	}{
		{draw.Options{}, "[[0 2] [1 3]]", "0,0|1,0|0,1|1,1"},
		{draw.Options{Show: draw.Indices}, "[[0,0 0,1] [1,0 1,1]]", "0,0|1,0|0,1|1,1"},
		{draw.Options{Show: draw.Values, Labels: values}, "[[a b] [c d]]", "a|c|b|d"},
		{draw.Options{Show: draw.Values, Labels: letters}, "[[A B] [C D]]", "A|C|B|D"},
		{draw.Options{Labels: values}, "[[0 2] [1 3]]", "a|c|b|d"},
	}
	for _, tt := range tests {
		s := single(x, tt.options)
		d := parse(t, s.svg(t))
		s.check(t, d)
		if got := fmt.Sprint(rows(d.panels[0].grids[0])); got != tt.grid {
			t.Errorf("%v: the grid says %s, want %s", tt.options, got, tt.grid)
		}
		if got := strings.Join(lines(d.strips[0]), "/"); got != tt.strip {
			t.Errorf("%v: the storage says %s, want %s", tt.options, got, tt.strip)
		}
	}
}

// TestColorBy checks the letters of colours in the order of the storage.
func TestColorBy(t *testing.T) {
	axis := func(text string) *shape.AxisRef {
		refs, err := shape.ParseAxes(text)
		if err != nil {
			t.Fatal(err)
		}
		return &refs[0]
	}
	tests := []struct {
		line    string
		options draw.Options
		want    string // "-" for none
	}{
		{"2x3", draw.Options{}, "aaabbb"},
		{"1x2x3", draw.Options{}, "aaabbb"},
		{"2x3", draw.Options{Axis: axis("1")}, "abcabc"},
		{"1x2x1x3 NCHW", draw.Options{Axis: axis("W")}, "abcabc"},
		{"2x3", draw.Options{ColorBy: draw.ByNone}, "------"},
		{"2x3", draw.Options{ColorBy: draw.ByLine, Line: 16}, "aaaabb"},
		{"2x3 HW --pitch H=4", draw.Options{ColorBy: draw.ByLine, Line: 8}, "aab-ccd"},
		{"1x4x1x2 NCHW2c", draw.Options{ColorBy: draw.ByBlock}, "aahhddcc"},
		{"10", draw.Options{Axis: axis("0")}, "abcdefghab"},
		{"10", draw.Options{}, "aaaaaaaaaa"},
		{"1x3x1", draw.Options{}, "aaa"},
		{"3x4 --broadcast 0", draw.Options{}, "abcd"},
		{"3x4 --broadcast 0", draw.Options{Axis: axis("0")}, "aaaa"},
		{"2x3x2 --broadcast 0", draw.Options{}, "aabbcc"},
	}
	for _, tt := range tests {
		s := single(layouttest.Tensor(t, tt.line), tt.options)
		d := parse(t, s.svg(t))
		s.check(t, d)
		got := ""
		for _, c := range d.strips[0].cells {
			if letter := c.tint(); letter != 0 {
				got += string(letter)
			} else {
				got += "-"
			}
		}
		if got != tt.want {
			t.Errorf("%s %+v: colours %s, want %s", tt.line, tt.options, got, tt.want)
		}
	}
	for _, line := range []string{"2x3", "0", "[]"} {
		_, err := single(layouttest.Tensor(t, line), draw.Options{ColorBy: draw.ByBlock}).picture()
		if e := layouttest.SyntaxError(t, "", err); !strings.Contains(e.Msg, "no blocks") || e.Hint == "" {
			t.Errorf("%s: %q, %q", line, e.Msg, e.Hint)
		}
	}
	_, err := single(layouttest.Tensor(t, "2x3"), draw.Options{Axis: axis("Q")}).picture()
	layouttest.SyntaxError(t, "Q", err)
}

// TestViews compares chains of views with the digits of each view.
func TestViews(t *testing.T) {
	tests := []struct {
		line, steps string
		strips      int
	}{
		{"2x3x4", "permute(2,0,1)", 1},
		{"2x3x4", "permute(2,0,1) contiguous()", 2},
		{"4x6", "[::2] [:,1:4] t()", 1},
		{"4x6", "t() reshape(8,3) [1]", 2},
		{"3x1", "expand(3,4)", 1},
		{"3x1", "expand(3,4) contiguous()", 2},
		{"6", "[::2]", 1},
		{"4x6", "[1:1]", 1},
		{"[]", "unsqueeze(0) expand(5)", 1},
		{"8", "as_strided((3,3),(1,2))", 1},
	}
	for _, tt := range tests {
		s := views(t, layouttest.Tensor(t, tt.line), tt.steps, draw.Options{})
		d := parse(t, s.svg(t))
		s.check(t, d)
		checkRoom(t, d)
		if len(d.strips) != tt.strips {
			t.Errorf("%s %s has %d strips, want %d", tt.line, tt.steps, len(d.strips), tt.strips)
		}
	}
}

// TestMarks checks the outlines if a user selects elements or offsets.
func TestMarks(t *testing.T) {
	x := layouttest.Tensor(t, "3x2 --strides 0,1")
	for _, o := range []draw.Options{
		{Mark: [][]int64{{1, 1}}}, {MarkAt: []int64{1}}, {Mark: [][]int64{{0, 0}, {2, 1}}}, {MarkAt: []int64{7}},
	} {
		s := single(x, o)
		s.check(t, parse(t, s.svg(t)))
	}
	overlapping := layouttest.Tensor(t, "3x3 --strides 2,2")
	s := single(overlapping, draw.Options{})
	d := parse(t, s.svg(t))
	s.check(t, d)
	if !strings.Contains(d.desc, "overlapping: ") {
		t.Errorf("the description is %q", d.desc)
	}
}

// TestEmpty draws tensors without elements, and scalars.
func TestEmpty(t *testing.T) {
	for _, line := range []string{"0", "3x0", "0x3", "2x0x3 --storage-offset 5", "[]", "1", "1x1x1x1 NHWC"} {
		x := layouttest.Tensor(t, line)
		for _, s := range []*subject{
			single(x, draw.Options{}), pair(comparison, x, x, draw.Options{}), pair(conversion, x, x, draw.Options{}),
		} {
			d := parse(t, s.svg(t))
			s.check(t, d)
			checkRoom(t, d)
			if said := strings.Contains(fmt.Sprint(d.panels[0].notes, d.desc), "empty"); said != x.Layout().Empty() {
				t.Errorf("%s: said that there are no elements: %v", line, said)
			}
		}
	}
}
