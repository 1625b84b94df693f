package draw_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/shape"
	"layoutcalc/render"
	"layoutcalc/render/draw"
)

// kept returns the subjects of the pictures in the documents and the transcripts, by path.
func kept(t *testing.T) map[string]*subject {
	x := func(line string) layout.Tensor { return layouttest.Tensor(t, line) }
	pointer := func(n int64) *int64 { return &n }
	read := func(name, text, dtype string) layout.Tensor {
		n, err := notation.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		d, err := layout.ParseDType(dtype)
		if err != nil {
			t.Fatal(err)
		}
		list, err := n.Read(text, notation.Options{DType: d})
		if err != nil {
			t.Fatal(err)
		}
		return list[0].Tensor
	}
	slice := func(text string) []shape.AxisRange {
		list, err := shape.ParseRanges(text)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	letters, none := draw.Options{Show: draw.Values}, draw.Options{}
	tens := render.Window{Values: strings.Fields("10 20 30 40 50 60")}
	documents := map[string]*subject{
		"padding": single(x("2x3 HW --pitch H=5"), draw.Options{
			Show: draw.Values, From: pointer(0), To: pointer(10),
		}),
		"padding-3d": single(x("2x2x3 DHW --pitch H=5"), letters),
		"compare":    pair(comparison, x("1x3x4x4 NCHW"), x("1x3x4x4 NHWC"), none),
		"convert":    pair(conversion, x("1x3x2x2 NCHW"), x("1x3x2x2 NHWC"), none),
		"blocks":     single(x("1x7x3x3 NCHW8c"), none),
		"tiles":      single(read("xla", "f32[8,20]{1,0:T(4,8)}", "float32"), none),
		"views":      views(t, x("2x3x4"), "permute(0,2,1) [:,1:3] reshape(12)", none),
		"overlap":    single(x("3x4 --strides 2,1"), none),
		"structure":  single(x("1x64x112x112 NHWC"), none),
	}
	transcripts := map[string]*subject{
		"gaps": single(x("1x3x224x224 NHWC"), draw.Options{Cells: 300}),
		"reversed": single(x("2x3 --strides -3,1 --storage-offset 3"), draw.Options{
			From: pointer(-2), To: pointer(8),
		}),
		"slice": single(x("4x3x8x8 NCHW"), draw.Options{
			Slice: slice("N=0,C=1:3,H=0:4"), Line: 32, From: pointer(64), To: pointer(128),
		}),
		"values": single(x("2x3 HW --pitch H=5"), draw.Options{
			Show: draw.Values, Labels: tens, Theme: draw.Dark,
		}),
		"bits":      single(x("5x5 -t i4"), draw.Options{Line: 4, ColorBy: draw.ByLine, Theme: draw.Light}),
		"broadcast": single(x("3x4 --broadcast 0"), none),
		"copy":      views(t, x("2x3"), "t() reshape(-1) [::2]", none),
		"marked":    single(x("3x4"), draw.Options{Mark: [][]int64{{2, 1}}}),
		"marked-at": single(x("3x4"), draw.Options{MarkAt: []int64{5, 7}, Show: draw.Indices}),
		"scalar":    single(x("[]"), none),
		"empty":     single(x("3x0"), none),
		"unknown":   single(x("2x3 -t unknown"), none),
		"colors":    pair(conversion, x("1x8x2x4 NCHW"), x("1x8x2x4 NCHW4c"), draw.Options{ColorBy: draw.ByBlock}),
		"padded":    pair(comparison, x("4x6 --strides 6,1"), x("4x6 --strides 8,1"), none),
		"rank5":     single(x("2x2x3x3x4"), none),
		"plain":     single(x("8x20"), draw.Options{ColorBy: draw.ByNone, Show: draw.Indices}),
		"both":      single(x("2x3"), none),
		"first":     single(x("2x3"), none),
		"second":    single(x("3x2 WH"), none),
	}
	all := map[string]*subject{}
	for directory, subjects := range map[string]map[string]*subject{
		"docs/pictures": documents, "testdata/pictures": transcripts,
	} {
		files, err := filepath.Glob("../../" + directory + "/*.svg")
		files = slices.DeleteFunc(files, func(path string) bool {
			svg, _ := os.ReadFile(path)
			return bytes.Contains(svg, []byte(`class="board"`)) // board_test.go is about those
		})
		if err != nil || len(files) != len(subjects) {
			t.Errorf("%s has %d pictures, want %d: %v", directory, len(files), len(subjects), err)
		}
		for name, s := range subjects {
			o := s.options
			if s.screen = o.Cells == 0 && o.Line == 0 && o.Slice == nil && o.From == nil; !s.screen && o.Cells == 0 {
				s.options.Cells = draw.DefaultCells
			}
			all["../../"+directory+"/"+name+".svg"] = s
		}
	}
	return all
}

// TestKept holds the pictures that users see first against the digits of their layouts.
func TestKept(t *testing.T) {
	for path, s := range kept(t) {
		svg, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
			continue
		}
		d := parse(t, svg)
		if s.tensors[0].Layout().Elements() < 60_000 {
			s.check(t, d)
		}
		checkDocument(t, svg)
		checkRoom(t, d)
	}
}

// rendered draws a picture with librsvg, without text elements, which do not matter for colours.
func rendered(t *testing.T, svg []byte, flags ...string) image.Image {
	t.Helper()
	layouttest.SkipUnlessAll(t, "librsvg draws")
	renderer, err := exec.LookPath("rsvg-convert")
	if err != nil {
		t.Skip("rsvg-convert is not installed")
	}
	c, stderr := exec.Command(renderer, flags...), bytes.Buffer{}
	c.Stdin, c.Stderr = bytes.NewReader(svg), &stderr
	out, err := c.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("librsvg: %v: %s", err, stderr.String())
	}
	picture, err := png.Decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// near reports whether a pixel has a colour, up to rounding.
func near(c color.Color, want [3]float64) bool {
	r, g, b, _ := c.RGBA()
	for i, v := range []uint32{r, g, b} {
		if math.Abs(float64(v>>8)-want[i]) > 2 {
			return false
		}
	}
	return true
}

// TestRenderer draws every kept picture with librsvg, in one of the themes, and looks at the pixels of all cells: the
// colour is that of the palette, padding is hatched, and outlines are where they should be.
func TestRenderer(t *testing.T) {
	t.Parallel()
	all := kept(t)
	themes := [...]draw.Theme{draw.Auto, draw.Light, draw.Dark} // librsvg prefers none: light
	for i, path := range slices.Sorted(maps.Keys(all)) {
		if i%layouttest.Step() != 0 {
			continue
		}
		s := all[path]
		s.options.Theme = themes[i%len(themes)]
		svg := s.svg(t)
		d := parse(t, svg)
		picture := rendered(t, svg)
		if b := picture.Bounds(); float64(b.Dx()) != d.width || float64(b.Dy()) != d.height {
			t.Fatalf("%s is %v, want %g by %g", path, b, d.width, d.height)
		}
		checkPixels(t, path, d, picture)
	}
}

// checkPixels compares the pixels of a picture with the colours of its style sheet.
func checkPixels(t *testing.T, path string, d *document, picture image.Image) {
	t.Helper()
	sheet, _ := sheets(t, d.style)
	back := rgb(t, sheet.value("rect", "z", "fill"))
	if !near(picture.At(1, 1), back) || !near(picture.At(int(d.width)-2, int(d.height)-2), back) {
		t.Errorf("%s: the background is %v, want %v", path, picture.At(1, 1), back)
	}
	if !slices.ContainsFunc(d.texts, func(l *label) bool { // ink of the title
		b := l.box()
		for x := b.x; x < b.x+b.width; x++ {
			if !near(picture.At(int(x), int(l.y-4)), back) {
				return l.has("t")
			}
		}
		return false
	}) {
		t.Errorf("%s: the title has no ink", path)
	}
	for _, c := range d.cells {
		if c.has("p") {
			checkHatching(t, path, sheet, c, picture)
			continue
		}
		// Near the lower left corner, cells have neither text nor a border.
		got, want := picture.At(int(c.x)+3, int(c.y)+24), sheet.background(t, c)
		if !near(got, want) {
			t.Errorf("%s: the cell of %v at %d is %v, want %v", path, c.index, c.offset, got, want)
			return
		}
		edge, mark := picture.At(int(c.x), int(c.y)+14), rgb(t, sheet.value("rect", "q", "stroke"))
		if c.marked && !near(edge, mark) {
			t.Errorf("%s: the outline of %v is %v, want %v", path, c.index, edge, mark)
		}
	}
}

// checkHatching checks that a cell has lines in the colour of hatches, and the background between them.
func checkHatching(t *testing.T, path string, sheet sheet, c *cell, picture image.Image) {
	t.Helper()
	back, hatch := rgb(t, sheet.value("rect", "z", "fill")), rgb(t, sheet.value("path", "k", "stroke"))
	empty, lines := 0, 0
	for x := int(c.x) + 4; x < int(c.x+c.width)-4; x++ {
		for y := int(c.y) + 4; y < int(c.y)+24; y++ {
			r, _, _, _ := picture.At(x, y).RGBA()
			switch {
			case near(picture.At(x, y), back):
				empty++
			case math.Abs(float64(r>>8)-hatch[0]) < math.Abs(float64(r>>8)-back[0]):
				lines++
			}
		}
	}
	if n := (int(c.width) - 8) * 20; n > 0 && (empty < n/10 || lines < n/20) {
		t.Errorf("%s: of %d pixels of the padding at %d, %d are empty and %d hatched", path, n, c.offset, empty, lines)
	}
}
