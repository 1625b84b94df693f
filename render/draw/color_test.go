package draw_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"layoutcalc/layout/layouttest"
	"layoutcalc/render/draw"
)

// A sheet has the declarations of a style sheet, by selector.
type sheet map[string]map[string]string

// sheets reads the style of a picture: that of the light theme, and that of the dark one.
func sheets(t layouttest.TB, style string) (light, dark sheet) {
	t.Helper()
	before, inDark, twice := strings.Cut(style, "@media (prefers-color-scheme:dark){")
	light, dark = sheet{}, sheet{}
	light.add(t, before)
	dark.add(t, before)
	if twice {
		dark.add(t, strings.TrimSuffix(strings.TrimSpace(inDark), "}"))
	}
	return light, dark
}

func (s sheet) add(t layouttest.TB, rules string) {
	t.Helper()
	for rule := range strings.SplitSeq(rules, "}") {
		selectors, declarations, ok := strings.Cut(rule, "{")
		if !ok && strings.TrimSpace(rule) != "" {
			t.Fatalf("not a rule: %q", rule)
		}
		for selector := range strings.SplitSeq(selectors, ",") {
			selector = strings.TrimSpace(selector)
			if s[selector] == nil {
				s[selector] = map[string]string{}
			}
			for declaration := range strings.SplitSeq(declarations, ";") {
				if name, value, ok := strings.Cut(declaration, ":"); ok {
					s[selector][strings.TrimSpace(name)] = value
				}
			}
		}
	}
}

// value returns the property of an element with classes: from a selector with element and class, from a class, or from
// the element.
func (s sheet) value(element, classes, property string) string {
	value := s[element][property]
	for _, prefix := range []string{".", element + "."} {
		for class := range strings.FieldsSeq(classes) {
			if v, ok := s[prefix+class][property]; ok {
				value = v
			}
		}
	}
	return value
}

// rgb reads #rrggbb.
func rgb(t layouttest.TB, text string) (c [3]float64) {
	t.Helper()
	for i := range c {
		n, err := strconv.ParseUint(strings.TrimPrefix(text, "#")[2*i:2*i+2], 16, 8)
		if err != nil || len(text) != 7 {
			t.Fatalf("%q is not a colour", text)
		}
		c[i] = float64(n)
	}
	return c
}

// luminance is the relative luminance of WCAG 2.
func luminance(c [3]float64) float64 {
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		v := c[i] / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}

func contrast(a, b [3]float64) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// background returns the colour behind the text of a cell: the cell's colour over the picture's.
func (s sheet) background(t layouttest.TB, c *cell) [3]float64 {
	back := rgb(t, s.value("rect", "z", "fill"))
	if c == nil {
		return back
	}
	fill, opacity := rgb(t, s.value("rect", c.class, "fill")), 1.0
	if text := s.value("rect", c.class, "fill-opacity"); text != "" {
		opacity, _ = strconv.ParseFloat(text, 64)
	}
	for i := range fill {
		fill[i] = fill[i]*opacity + back[i]*(1-opacity)
	}
	return fill
}

// TestContrast computes the contrast of all text with its background, in all colours, faded or not, in both themes.
func TestContrast(t *testing.T) {
	if got := contrast([3]float64{}, [3]float64{255, 255, 255}); got != 21 {
		t.Fatalf("black on white has the contrast %g, want 21", got)
	}
	seen := map[string]bool{}
	for _, s := range []*subject{
		single(layouttest.Tensor(t, "9x9"), draw.Options{}),
		single(layouttest.Tensor(t, "9x9"), draw.Options{ColorBy: draw.ByNone}),
		single(layouttest.Tensor(t, "3x20 --strides 0,2"), draw.Options{}),
		single(layouttest.Tensor(t, "100x100"), draw.Options{}),
		pair(comparison, layouttest.Tensor(t, "10x3 --strides 1,10"), layouttest.Tensor(t, "10x3 --strides 1,11"),
			draw.Options{}),
		pair(conversion, layouttest.Tensor(t, "10x3"), layouttest.Tensor(t, "10x3 --strides 1,11"), draw.Options{}),
		views(t, layouttest.Tensor(t, "9x9"), "[:,1:4] flip(0)", draw.Options{}),
	} {
		for _, theme := range []draw.Theme{draw.Auto, draw.Light, draw.Dark} {
			s.options.Theme = theme
			d := parse(t, s.svg(t))
			light, dark := sheets(t, d.style)
			for name, sheet := range map[string]sheet{"light": light, "dark": dark} {
				for _, l := range d.texts {
					back := sheet.background(t, l.cell)
					color := rgb(t, sheet.value("text", l.class, "fill"))
					class := "-"
					if l.cell != nil {
						class = l.cell.class
					}
					seen[class] = true
					if got := contrast(color, back); got < 4.5 {
						t.Errorf("%s: the contrast of %q, class %q, on %q is %.2f", name, l.text, l.class, class, got)
					}
				}
			}
		}
	}
	for _, class := range strings.Fields("a b c d e f g h n - a/fd h/fd a/s") {
		if !seen[strings.ReplaceAll(class, "/", " ")] {
			t.Errorf("no text of a cell %q: %v", class, seen)
		}
	}
}

// lab converts linear sRGB to CIE L*a*b* of the white point D65.
func lab(c [3]float64) [3]float64 {
	x := (0.4124564*c[0] + 0.3575761*c[1] + 0.1804375*c[2]) / 0.95047
	y := 0.2126729*c[0] + 0.7151522*c[1] + 0.0721750*c[2]
	z := (0.0193339*c[0] + 0.1191920*c[1] + 0.9503041*c[2]) / 1.08883
	f := func(v float64) float64 {
		if v > 216./24389 {
			return math.Cbrt(v)
		}
		return (24389./27*v + 16) / 116
	}
	return [3]float64{116*f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))}
}

// visions convert linear sRGB to the colours that people see: Machado, Oliveira and Fernandes 2009, severity 1.0.
var visions = map[string][3][3]float64{
	"all colours":  {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
}

// TestColorDistances checks that any two fills are at least 12 apart (CIE76), as seen by people with and without a
// colour vision deficiency.
func TestColorDistances(t *testing.T) {
	if red := lab([3]float64{1, 0, 0}); math.Abs(red[0]-53.24) > .01 || math.Abs(red[1]-80.09) > .01 ||
		math.Abs(red[2]-67.20) > .01 {
		t.Fatalf("red is %v in CIE Lab, want 53.24, 80.09, 67.20", red)
	}
	light, dark := sheets(t, parse(t, single(layouttest.Tensor(t, "9x9"), draw.Options{}).svg(t)).style)
	for theme, sheet := range map[string]sheet{"light": light, "dark": dark} {
		for vision, matrix := range visions {
			var seen [8][3]float64
			for i := range seen {
				var linear, changed [3]float64
				for k, v := range rgb(t, sheet.value("rect", string(rune('a'+i)), "fill")) {
					if linear[k] = v / 255 / 12.92; v/255 > 0.04045 {
						linear[k] = math.Pow((v/255+0.055)/1.055, 2.4)
					}
				}
				for k, row := range matrix {
					changed[k] = min(max(row[0]*linear[0]+row[1]*linear[1]+row[2]*linear[2], 0), 1)
				}
				seen[i] = lab(changed)
				for k := range i {
					a, b := seen[i], seen[k]
					d := math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
					if d < 12 {
						t.Errorf("%s, %s: fills %d and %d are %.1f apart", theme, vision, k, i, d)
					}
				}
			}
		}
	}
}

// TestThemes checks which colours the themes have: those of one, or of both.
func TestThemes(t *testing.T) {
	const lightBack, darkBack = "#ffffff", "#0d1117"
	tests := []struct {
		theme       draw.Theme
		light, dark string // the backgrounds where the viewer prefers one
	}{
		{draw.Auto, lightBack, darkBack}, {draw.Light, lightBack, lightBack}, {draw.Dark, darkBack, darkBack},
	}
	for _, tt := range tests {
		s := single(layouttest.Tensor(t, "2x3"), draw.Options{Theme: tt.theme})
		svg := string(s.svg(t))
		d := parse(t, []byte(svg))
		light, dark := sheets(t, d.style)
		got := fmt.Sprint(light.value("rect", "z", "fill"), dark.value("rect", "z", "fill"))
		if want := fmt.Sprint(tt.light, tt.dark); got != want {
			t.Errorf("theme %d has the backgrounds %s, want %s", tt.theme, got, want)
		}
		if strings.Contains(svg, "var(") || strings.Contains(svg, "@media") != (tt.theme == draw.Auto) {
			t.Errorf("theme %d has the style\n%s", tt.theme, d.style)
		}
		if back := d.shapes[0]; back.class != "z" || back.width != d.width || back.height != d.height {
			t.Errorf("the background is %+v of a picture of %g by %g", back, d.width, d.height)
		}
	}
}
