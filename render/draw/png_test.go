package draw_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"maps"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/layouttest"
	"layoutcalc/render/draw"
)

// pixels returns the PNG of a subject.
func (s *subject) pixels(t layouttest.TB) image.Image {
	t.Helper()
	p, err := s.picture()
	if err != nil {
		t.Fatalf("%v: %v", s, err)
	}
	var b bytes.Buffer
	if err := p.PNG(&b); err != nil || !strings.HasPrefix(b.String(), draw.PNGHead) {
		t.Fatalf("%v: %v", s, err)
	}
	picture, err := png.Decode(&b)
	if err != nil {
		t.Fatalf("%v: %v", s, err)
	}
	return picture
}

// halved is a picture of half as many pixels along both axes.
type halved struct{ image.Image }

func (h halved) At(x, y int) color.Color { return h.Image.At(2*x, 2*y) }

// TestPixels checks the pixels of the PNG of every kept picture like TestRenderer checks those of librsvg. If librsvg
// is installed, the two are compared: text has another font, and edges that fall between pixels are rounded, but
// everything else is the same. Every text element must have ink in its box.
func TestPixels(t *testing.T) {
	t.Parallel()
	all := kept(t)
	themes := [...]draw.Theme{draw.Light, draw.Dark}
	for i, path := range slices.Sorted(maps.Keys(all)) {
		t.Run(path[strings.LastIndexByte(path, '/')+1:], func(t *testing.T) {
			if i%layouttest.Step() != 0 {
				t.Skip("one of several")
			}
			s := all[path]
			s.options.Theme = themes[i%len(themes)]
			svg, picture := s.svg(t), s.pixels(t)
			d := parse(t, svg)
			if b := picture.Bounds(); float64(b.Dx()) != 2*d.width || float64(b.Dy()) != 2*d.height {
				t.Fatalf("is %v, want %g by %g", b, 2*d.width, 2*d.height)
			}
			checkPixels(t, path, d, halved{picture})
			isText := image.NewAlpha(picture.Bounds())
			for _, l := range d.texts {
				box, ink := l.box(), map[color.Color]bool{}
				for x := int(2*box.x) - 8; x < int(2*(box.x+box.width))+8; x++ {
					for y := int(2*box.y) - 4; y < int(2*(box.y+box.height))+4; y++ {
						isText.SetAlpha(x, y, color.Alpha{255})
						ink[picture.At(x, y)] = true
					}
				}
				if len(ink) < 2 && strings.TrimSpace(l.text) != "" {
					t.Errorf("%q has no ink", l.text)
				}
			}
			reference := rendered(t, svg, "-z", "2")
			differing, b := 0, picture.Bounds()
			for x := b.Min.X; x < b.Max.X; x++ {
				for y := b.Min.Y; y < b.Max.Y; y++ {
					if isText.AlphaAt(x, y).A == 0 && !alike(picture.At(x, y), reference.At(x, y)) {
						differing++
					}
				}
			}
			if part := float64(differing) / float64(b.Dx()*b.Dy()); part > .005 {
				t.Errorf("%.2f%% of all pixels outside of texts are not those of librsvg", 100*part)
			}
		})
	}
}

// alike reports whether no channel of two colours differs by a quarter of its range.
func alike(a, b color.Color) bool {
	ra, ga, ba, _ := a.RGBA()
	rb, gb, bb, _ := b.RGBA()
	near := func(a, b uint32) bool { return max(a, b)-min(a, b) < 0x4000 }
	return near(ra, rb) && near(ga, gb) && near(ba, bb)
}

// TestPixelsTooMany checks the error for a PNG with more pixels than 8192 x 8192.
func TestPixelsTooMany(t *testing.T) {
	s := single(layouttest.Tensor(t, "4000x4"), draw.Options{Cells: draw.MaxCells})
	p, err := s.picture()
	if err != nil {
		t.Fatal(err)
	}
	d := parse(t, s.svg(t))
	if 4*d.width*d.height < 8192*8192 {
		t.Fatalf("%g by %g is not large", d.width, d.height)
	}
	if err := p.PNG(new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "would have") {
		t.Errorf("%v", err)
	}
}

// BenchmarkPNG draws a picture as BenchmarkSVG does, as pixels.
func BenchmarkPNG(b *testing.B) {
	for name, cells := range map[string]int{"default": draw.DefaultCells, "page": 300} {
		s := single(layouttest.Tensor(b, "1x64x112x112 NHWC"), draw.Options{Cells: cells})
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				p, err := s.picture()
				if err == nil {
					err = p.PNG(new(bytes.Buffer))
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
