package draw_test

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/notation"
	"layoutcalc/render/draw"
)

// screens returns pictures with default options, by name. Each must fit on a screen.
func screens(t layouttest.TB) map[string]*subject {
	t.Helper()
	none, all := draw.Options{}, map[string]*subject{}
	add := func(name string, s *subject) {
		s.screen = true
		all[name] = s
	}
	for line := range strings.SplitSeq(`4x8;4x8 --strides 1,4;1x3x4x4 NCHW;1x3x4x4 NHWC;4x6 --pitch 0=8
		3x4 --broadcast 0;3x4 --strides 2,1
		2x3 --strides -3,1 --storage-offset 3;16;1x17x4x4 NCHW16c;64x64x3x3 OIhw4i16o4i;2x3x2x2x3x4
		4x7 -t int4;1x8x12x12;1x64x112x112 NHWC;1080x1920x3 HWC -t u8;[];3x0;1x1x1;1000;100x100;2x2x2x2x2x2x2x2x2x2
		1000000x1000000;1x17x100x100 NCHW8c;8x64x56x56 NCHW16c;64x64 -t u8;300 -t u8;5x100 -t int4;64x64 -t int4
		2x3 -t unknown;7x11x13x17 -t f64;200x200 --strides -300,1 --storage-offset 59700;1000x3 --broadcast 0
		batch=32,sequence=512,heads=12,head_dimension=64 -t bf16;1x3x224x224 NCHW -t f16;12x12x12 -t complex128
		1x2048x7x7 NHWC -t int8;128x128 -t f16 --swizzle 128B;1000000000000 -t u8;40x40;2x2;1x1x5x1
		3000000000x3000000000 -t u8;24x24 -t bool`, "\n") {
		for line := range strings.SplitSeq(strings.TrimSpace(line), ";") {
			add(line, single(layouttest.Tensor(t, line), none))
		}
	}
	for name, text := range map[string]string{
		"xla": "f32[8,20]{1,0:T(4,8)}", "cute": "((2,2),(2,4)):((1,4),(2,8))",
	} {
		n, err := notation.Find(name)
		if err != nil {
			t.Fatalf("%v", err)
		}
		found, err := n.Read(text, notation.Options{})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		add(text, single(found[0].Tensor, none))
	}
	for start, steps := range map[string]string{
		"8": "unfold(0,3,1)", "2x3x4": "permute(0,2,1) [:,1:3]", "2x3x5": "permute(0,2,1) [:,1:3] reshape(12)",
		"4x6": "t() [::2] reshape(12) unsqueeze(0)", "4x5": "t() [::2] contiguous() flip(0) [1:]",
		"64x64x64": "permute(2,0,1) [::2]", "300x300": "t() [::3] flip(1) contiguous()",
	} {
		add("view "+start+" "+steps, views(t, layouttest.Tensor(t, start), steps, none))
	}
	for sizes, layouts := range map[string]string{
		"1x3x4x4": "NCHW NHWC", "1x3x2x2": "NCHW NHWC", "1x50x8x8": "NHWC NHWC8c", "1x17x4x4": "NCHW NCHW16c",
		"8x64x56x56": "NCHW NHWC", "1x3x224x224": "NHWC NCHW",
	} {
		from, to, _ := strings.Cut(layouts, " ")
		a, b := layouttest.Tensor(t, sizes+" "+from), layouttest.Tensor(t, sizes+" "+to)
		add("compare "+sizes+" "+layouts, pair(comparison, a, b, none))
		add("convert "+sizes+" "+layouts, pair(conversion, a, b, none))
	}
	return all
}

// TestScreens checks pictures of tensors of all sizes: each fits on a screen, has text in its cells and strips, and
// agrees with the digits of the layouts.
func TestScreens(t *testing.T) {
	t.Parallel()
	all := screens(t)
	if len(all) < 58 {
		t.Fatalf("%d pictures", len(all))
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		s := all[name]
		svg := s.svg(t)
		checkDocument(t, svg)
		d := parse(t, svg)
		if d.width > 1300 || d.height > 1000 {
			t.Errorf("%s: the picture has %g x %g", name, d.width, d.height)
		}
		checkRoom(t, d)
		if len(d.boards) > 0 { // of a swizzle
			continue
		}
		whole := true
		for i, p := range d.panels {
			l := s.tensors[i].Layout()
			cells, shown := slices.Clone(p.structure.cells), int64(0)
			for _, g := range p.grids {
				cells = append(cells, g.cells...)
				shown += int64(len(g.cells))
			}
			for _, c := range cells {
				if c.index != nil && c.offset != offsetOf(l, c.index) || c.text == "" {
					t.Errorf("%s: panel %d has %q at %v of offset %d", name, i, c.text, c.index, c.offset)
				}
			}
			if shown < l.Elements() {
				whole = false
				checkCorner(t, name, s.tensors[i], p, len(d.panels) <= 2)
			}
		}
		for i, strip := range d.strips {
			for _, c := range strip.cells {
				blank := c.text == "" && len(c.index) > 0
				if c.index != nil && (c.offset != offsetOf(s.owner(i).Layout(), c.index) || blank) {
					t.Errorf("%s: strip %d has %q at %d of index %v", name, i, c.text, c.offset, c.index)
				}
			}
			if n := len(strip.lines); !whole && (n == 0 || n > 2) {
				t.Errorf("%s: strip %d has %d lines", name, i, n)
			}
		}
		if whole {
			s.check(t, d)
		}
	}
}

// TestInk draws the pictures of screens with librsvg: the edges of cells with text have no ink, and the area between
// them has some.
func TestInk(t *testing.T) {
	t.Parallel()
	all := screens(t)
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if i%layouttest.Step() != 0 {
			continue
		}
		s := all[name]
		s.options.Theme = draw.Light
		svg := s.svg(t)
		d, picture := parse(t, svg), rendered(t, svg)
		sheet, _ := sheets(t, d.style)
		for _, c := range d.cells {
			if c.text == "" || c.marked || c.has("p") || c.count != "" || c.low {
				continue
			}
			fill, inked := sheet.background(t, c), false
			for y := int(c.y) + 3; y < int(c.y+c.height)-2; y++ {
				for _, x := range []int{int(c.x) + 2, int(c.x+c.width) - 3} {
					if !near(picture.At(x, y), fill) {
						t.Fatalf("%s: %q has ink at the edge of its cell at %g, %g", name, c.text, c.x, c.y)
					}
				}
				for x := int(c.x) + 3; x < int(c.x+c.width)-3; x++ {
					inked = inked || !near(picture.At(x, y), fill)
				}
			}
			if !inked {
				t.Fatalf("%s: %q at %g, %g has no ink", name, c.text, c.x, c.y)
			}
		}
	}
}

// checkCorner checks the structure of a tensor that is not drawn whole: the size, the stride and the bytes of each
// level, and the steps in words.
func checkCorner(t *testing.T, name string, x layout.Tensor, p *panel, structured bool) {
	t.Helper()
	if !structured {
		return
	}
	l, words := x.Layout(), ""
	for _, label := range p.structure.labels {
		words += label.text + "\n"
	}
	for axis, size := range l.Sizes() {
		a := l.Axis(axis)
		if size == 1 || a.Digits() > 1 {
			continue
		}
		want := fmt.Sprintf("%s: %s  %+d", l.AxisName(axis), grouped(size), a.Digit(0).Stride)
		if !l.Named() {
			want = "dim " + want
		}
		if bits := x.DType().Bits(); bits%8 == 0 && bits > 0 && a.Digit(0).Stride != 0 {
			want += fmt.Sprintf("  %d B", max(a.Digit(0).Stride, -a.Digit(0).Stride)*bits/8)
		}
		if !strings.Contains(strings.ReplaceAll(words, ",", ""), strings.ReplaceAll(want, ",", "")) {
			t.Errorf("%s: the structure does not say %q:\n%s", name, want, words)
		}
	}
	if note := strings.Join(p.notes, " "); !strings.Contains(note, "a step in ") || !strings.Contains(note, "drawn") {
		t.Errorf("%s says %q", name, note)
	}
}

// TestLevels compares the structure of blocks with oneDNN's documentation.
func TestLevels(t *testing.T) {
	s := single(layouttest.Tensor(t, "64x64x3x3 OIhw4i16o4i"), draw.Options{})
	s.screen = true
	p := parse(t, s.svg(t)).panels[0]
	var got []string
	for _, l := range p.structure.labels {
		if strings.Contains(l.text, ": ") {
			got = append(got, l.text)
		}
	}
	want := []string{
		"O/16: 4  +9,216  36,864 B", "I/16: 4  +2,304  9,216 B", "H: 3  +768  3,072 B", "W: 3  +256  1,024 B",
		"I/4: 4  +64  256 B", "16o: 16  +4  16 B", "4i: 4  +1  4 B",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the levels are\n%q, want\n%q", got, want)
	}
}

// BenchmarkScreens draws pictures of any size of tensor, as SVG and as pixels.
func BenchmarkScreens(b *testing.B) {
	for _, line := range []string{
		"2x3x4", "24x24", "1x64x112x112 NHWC", "1000000x1000000", "1000000x1000000 --strides 1000003,999983",
		"1000000x1000000 --strides 1,1",
	} {
		s := single(layouttest.Tensor(b, line), draw.Options{})
		s.screen = true
		b.Run("svg/"+line, func(b *testing.B) {
			for b.Loop() {
				s.svg(b)
			}
		})
		b.Run("png/"+line, func(b *testing.B) {
			for b.Loop() {
				p, err := s.picture()
				if err == nil {
					err = p.PNG(io.Discard)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
