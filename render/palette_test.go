package render

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fatih/color"
)

// ansi are the 16 colours of terminals by default, black first, as their documents and sources have them.
var ansi = map[string][16]uint32{
	"xterm": { // XTerm-col.ad, charproc.c
		0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
		0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
	},
	"VS Code, dark": { // terminalColorRegistry.ts
		0x000000, 0xcd3131, 0x0dbc79, 0xe5e510, 0x2472c8, 0xbc3fbc, 0x11a8cd, 0xe5e5e5,
		0x666666, 0xf14c4c, 0x23d18b, 0xf5f543, 0x3b8eea, 0xd670d6, 0x29b8db, 0xe5e5e5,
	},
	"VS Code, light": {
		0x000000, 0xcd3131, 0x107c10, 0x949800, 0x0451a5, 0xbc05bc, 0x0598bc, 0x555555,
		0x666666, 0xcd3131, 0x14ce14, 0xb5ba00, 0x0451a5, 0xbc05bc, 0x0598bc, 0xa5a5a5,
	},
	"Windows Terminal": { // Campbell
		0x0c0c0c, 0xc50f1f, 0x13a10e, 0xc19c00, 0x0037da, 0x881798, 0x3a96dd, 0xcccccc,
		0x767676, 0xe74856, 0x16c60c, 0xf9f1a5, 0x3b78ff, 0xb4009e, 0x61d6d6, 0xf2f2f2,
	},
}

// TestContrast wants every style to have a contrast of 3 at least, as WCAG 2 computes it, on the backgrounds on which a
// terminal uses its colours.
func TestContrast(t *testing.T) {
	const black, white = 0x000000, 0xffffff
	backgrounds := map[string][]uint32{
		"xterm": {black, white}, "VS Code, dark": {black}, "VS Code, light": {white},
		"Windows Terminal": {black, 0x0c0c0c, white},
	}
	for name, colors := range ansi {
		for _, style := range slices.Concat(parameters(styles16), parameters(styles256)) {
			shade, ok := colorOf(t, style, colors)
			for _, background := range backgrounds[name] {
				a, b := luminance(shade), luminance(background)
				if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); ok && ratio < 3 {
					t.Errorf("%s: %s is %06x on %06x, a contrast of %.2f", name, style, shade, background, ratio)
				}
			}
		}
	}
}

// TestContrastOfKnown computes contrasts that WCAG's documents state.
func TestContrastOfKnown(t *testing.T) {
	for shade, want := range map[uint32]float64{
		0x000000: 21, 0xffffff: 1, 0x767676: 4.54, 0xff0000: 4, 0x949494: 3.03,
	} {
		if got := 1.05 / (luminance(shade) + 0.05); math.Abs(got-want) > 0.005 {
			t.Errorf("%06x on white has %.3f, want %.2f", shade, got, want)
		}
	}
}

// TestAxesDiffer wants a style for each axis that no other style of the palette is.
func TestAxesDiffer(t *testing.T) {
	for _, styles := range [][]string{parameters(styles16), parameters(styles256)} {
		sorted := slices.Sorted(slices.Values(styles))
		if len(slices.Compact(sorted)) != len(styles) {
			t.Errorf("%q has the same style twice", styles)
		}
	}
}

// parameters returns the styles as the sequences of terminals have them, SGR's.
func parameters(styles [][]color.Attribute) (list []string) {
	for _, attributes := range styles {
		var parts []string
		for _, a := range attributes {
			parts = append(parts, strconv.Itoa(int(a)))
		}
		list = append(list, strings.Join(parts, ";"))
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
