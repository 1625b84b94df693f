package render

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fatih/color"
)

// A theme is the colours of a terminal: its 16 colours, black first, and its background.
type theme struct {
	name       string
	colors     [16]uint32
	background uint32
	least      float64 // the contrast that the 16 colours reach, if it is below 3
}

// themes returns themes according to their documentation and sources.
func themes() []theme {
	xterm := [16]uint32{ // XTerm-col.ad, charproc.c
		0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
		0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
	}
	codeDark := [16]uint32{ // terminalColorRegistry.ts
		0x000000, 0xcd3131, 0x0dbc79, 0xe5e510, 0x2472c8, 0xbc3fbc, 0x11a8cd, 0xe5e5e5,
		0x666666, 0xf14c4c, 0x23d18b, 0xf5f543, 0x3b8eea, 0xd670d6, 0x29b8db, 0xe5e5e5,
	}
	codeLight := [16]uint32{
		0x000000, 0xcd3131, 0x107c10, 0x949800, 0x0451a5, 0xbc05bc, 0x0598bc, 0x555555,
		0x666666, 0xcd3131, 0x14ce14, 0xb5ba00, 0x0451a5, 0xbc05bc, 0x0598bc, 0xa5a5a5,
	}
	campbell := [16]uint32{ // defaults.json of Windows Terminal
		0x0c0c0c, 0xc50f1f, 0x13a10e, 0xc19c00, 0x0037da, 0x881798, 0x3a96dd, 0xcccccc,
		0x767676, 0xe74856, 0x16c60c, 0xf9f1a5, 0x3b78ff, 0xb4009e, 0x61d6d6, 0xf2f2f2,
	}
	halfDark := [16]uint32{
		0x282c34, 0xe06c75, 0x98c379, 0xe5c07b, 0x61afef, 0xc678dd, 0x56b6c2, 0xdcdfe4,
		0x5a6374, 0xe06c75, 0x98c379, 0xe5c07b, 0x61afef, 0xc678dd, 0x56b6c2, 0xdcdfe4,
	}
	halfLight := [16]uint32{
		0x383a42, 0xe45649, 0x50a14f, 0xc18301, 0x0184bc, 0xa626a4, 0x0997b3, 0xfafafa,
		0x4f525d, 0xdf6c75, 0x98c379, 0xe4c07a, 0x61afef, 0xc577dd, 0x56b5c1, 0xffffff,
	}
	solarized := [16]uint32{ // ethanschoonover.com/solarized
		0x073642, 0xdc322f, 0x859900, 0xb58900, 0x268bd2, 0xd33682, 0x2aa198, 0xeee8d5,
		0x002b36, 0xcb4b16, 0x586e75, 0x657b83, 0x839496, 0x6c71c4, 0x93a1a1, 0xfdf6e3,
	}
	dracula := [16]uint32{ // spec.draculatheme.com
		0x21222c, 0xff5555, 0x50fa7b, 0xf1fa8c, 0xbd93f9, 0xff79c6, 0x8be9fd, 0xf8f8f2,
		0x6272a4, 0xff6e6e, 0x69ff94, 0xffffa5, 0xd6acff, 0xff92df, 0xa4ffff, 0xffffff,
	}
	return []theme{
		{"xterm", xterm, 0xffffff, 0}, {"xterm, dark", xterm, 0x000000, 0},
		{"VS Code, Dark+", codeDark, 0x1e1e1e, 0}, {"VS Code, Dark Modern", codeDark, 0x181818, 0},
		{"VS Code, Dark Modern's editor", codeDark, 0x1f1f1f, 0}, {"VS Code, Light+", codeLight, 0xffffff, 0},
		{"VS Code, Light Modern", codeLight, 0xf8f8f8, 0},
		{"Windows Terminal", campbell, 0x0c0c0c, 0}, {"Windows console", campbell, 0x000000, 0},
		{"Windows Terminal, PowerShell", campbell, 0x012456, 2.4},
		{"One Half Dark", halfDark, 0x282c34, 0}, {"One Half Light", halfLight, 0xfafafa, 2.2},
		{"Solarized Dark", solarized, 0x002b36, 0}, {"Solarized Light", solarized, 0xfdf6e3, 2.9},
		{"Dracula", dracula, 0x282a36, 0},
	}
}

// TestContrast checks that every style has a contrast of at least 3 on the backgrounds of themes, as WCAG 2 computes
// it. The theme defines the 16 colours, and no set of them has this contrast in all themes.
func TestContrast(t *testing.T) {
	for _, theme := range themes() {
		for _, style := range slices.Concat(sequences(styles16), sequences(styles256)) {
			shade, ok := colorOf(t, style, theme.colors)
			least := 3.0
			if !strings.Contains(style, "38;5;") && theme.least > 0 {
				least = theme.least
			}
			if ratio := contrast(shade, theme.background); ok && ratio < least {
				t.Errorf("%s: %s is %06x on %06x, a contrast of %.2f",
					theme.name, style, shade, theme.background, ratio)
			}
		}
	}
}

// TestPaint checks that text is between the sequence of its style and one that ends it, without anything else.
func TestPaint(t *testing.T) {
	for _, tt := range []struct {
		colors Colors
		style  int
		want   string
	}{
		{NoColors, bad, "x"}, {Colors16, faint, "x"}, {Colors16, title, "\x1b[1mx\x1b[0m"},
		{Colors16, bad, "\x1b[1;91mx\x1b[0m"}, {Colors256, faint, "\x1b[38;5;244mx\x1b[0m"},
		{Colors256, bad, "\x1b[1;38;5;196mx\x1b[0m"},
	} {
		if got := NewPalette(tt.colors).paint(tt.style, "x"); got != tt.want {
			t.Errorf("style %d of palette %d paints %q, want %q", tt.style, tt.colors, got, tt.want)
		}
	}
}

// TestContrastOfKnown computes contrasts that WCAG's documents state.
func TestContrastOfKnown(t *testing.T) {
	for shade, want := range map[uint32]float64{
		0x000000: 21, 0xffffff: 1, 0x767676: 4.54, 0xff0000: 4, 0x949494: 3.03,
	} {
		if got := contrast(shade, 0xffffff); math.Abs(got-want) > 0.005 {
			t.Errorf("%06x on white has %.3f, want %.2f", shade, got, want)
		}
	}
}

// TestAxesDiffer checks that each axis has a different style, which no other part of the palette uses.
func TestAxesDiffer(t *testing.T) {
	for _, styles := range [][]string{sequences(styles16), sequences(styles256)} {
		sorted := slices.Sorted(slices.Values(styles))
		if len(slices.Compact(sorted)) != len(styles) {
			t.Errorf("%q has the same style twice", styles)
		}
	}
}

// sequences returns the parameters of the styles.
func sequences(styles [][]color.Attribute) (list []string) {
	for _, attributes := range styles {
		list = append(list, parameters(attributes))
	}
	return list
}

// colorOf returns the colour of a style; it reports false for one that has none.
func colorOf(t *testing.T, style string, colors [16]uint32) (shade uint32, ok bool) {
	t.Helper()
	if _, index, ok := strings.Cut(style, "38;5;"); ok {
		n, err := strconv.Atoi(index)
		if err != nil || n < 16 {
			t.Fatalf("%q is not one of the 240 colours", style)
		}
		return indexed(n), true
	}
	if style == "" {
		return 0, false
	}
	for part := range strings.SplitSeq(style, ";") {
		switch n, err := strconv.Atoi(part); {
		case err != nil:
			t.Fatal(err)
		case n == 1 || n == 4:
		case 30 <= n && n <= 37:
			return colors[n-30], true
		case 90 <= n && n <= 97:
			return colors[n-82], true
		default:
			t.Fatalf("%q is not a known style", style)
		}
	}
	return 0, false
}

// indexed returns one of the 240 colours: a cube of 6 x 6 x 6, and 24 shades of grey.
func indexed(n int) uint32 {
	if n >= 232 {
		return uint32(8+10*(n-232)) * 0x10101
	}
	levels := [...]uint32{0, 95, 135, 175, 215, 255}
	n -= 16
	return levels[n/36]<<16 | levels[n/6%6]<<8 | levels[n%6]
}

// contrast is WCAG's contrast ratio of two colours.
func contrast(shade, background uint32) float64 {
	a, b := luminance(shade), luminance(background)
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

// luminance is WCAG's relative luminance.
func luminance(shade uint32) float64 {
	sum := 0.0
	for i, weight := range []float64{0.0722, 0.7152, 0.2126} {
		c := float64(shade>>(8*i)&0xff) / 255
		if c <= 0.03928 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}
