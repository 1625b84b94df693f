package render

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestPaletteChangesNothing compares answers with colours, less the colours, with those without.
func TestPaletteChangesNothing(t *testing.T) {
	for _, a := range answers {
		t.Run(a.name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				tensor, width := tensors(4).Draw(rt, "tensor"), rapid.IntRange(20, 120).Draw(rt, "width")
				write := func(colored bool) string {
					return written(t, Options{Format: Table, Width: width, Colored: colored}, func(p *Printer) error { return a.write(p, tensor) })
				}
				plain, colored := write(false), write(true)
				if strings.Contains(plain, "\x1b") {
					rt.Fatalf("colours without being asked:\n%q", plain)
				}
				if diff := cmp.Diff(strings.Split(plain, "\n"), strings.Split(uncolored(colored), "\n")); diff != "" {
					rt.Fatalf("-without colours +with them:\n%s", diff)
				}
			})
		})
	}
}

// TestPaletteMarks wants colours where a reader looks for them.
func TestPaletteMarks(t *testing.T) {
	overlapping := parsed(t, "3x3", "", strides(t, "2,2"))
	tests := []struct {
		name    string
		write   func(p *Printer) error
		pattern string
		reason  string
	}{
		{"strides", func(p *Printer) error { return p.Strides(parsed(t, "1x2x3x4", "NHWC")) }, `\x1b\[36mN\x1b.*\n.*\x1b\[35mC\x1b.*\n.*\x1b\[32mH\x1b.*\n.*\x1b\[33mW\x1b`, "each axis has a colour of its own"},
		{"overlap", func(p *Printer) error { return p.Strides(overlapping) }, `\x1b\[31;1moverlapping\x1b`, "what is wrong is red"},
		{"padding", func(p *Printer) error {
			tensor := parsed(t, "2x3", "", strides(t, "5,1"))
			return p.Picture(tensor, whole(tensor))
		}, `\x1b\[2mx\x1b`, "padding is faint"},
		{"dot product", func(p *Printer) error { return writeOffsets(p, parsed(t, "2x3", "HW")) }, `\x1b\[36m1×3\x1b`, "a term has its axis's colour"},
	}
	for _, tt := range tests {
		text := written(t, Options{Format: Table, Colored: true}, tt.write)
		if ok, err := regexp.MatchString(tt.pattern, text); !ok || err != nil {
			t.Errorf("%s: no %s (%v) in\n%q: %s", tt.name, tt.pattern, err, text, tt.reason)
		}
	}
}

// TestPaletteElsewhere wants no colours in what programs read, even if they are asked for.
func TestPaletteElsewhere(t *testing.T) {
	tensor := parsed(t, "2x3", "HW", strides(t, "5,1"))
	for _, a := range answers {
		for _, o := range []Options{{Format: Plain}, {Format: JSON}, {Format: CSV}, {Format: Markdown}, {Format: Table, Get: "schemaVersion"}} {
			if a.name == "picture" && o.Format != Markdown {
				continue // has no other forms
			}
			write := func(p *Printer) error { return a.write(p, tensor) }
			plain := written(t, o, write)
			o.Colored = true
			if colored := written(t, o, write); colored != plain {
				t.Errorf("%s as %s differs with colours:\n%q", a.name, o.Format, colored)
			}
		}
	}
}

// TestPaletteAsksNobody has the environment and the terminal decided by who makes the palette.
func TestPaletteAsksNobody(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	t.Setenv("TERM", "dumb")
	if got, want := NewPalette(true).Bad("x"), "\x1b[31;1mx"; !strings.HasPrefix(got, want) {
		t.Errorf("a palette with colours makes %q", got)
	}
	t.Setenv("NO_COLOR", "")
	t.Setenv("FORCE_COLOR", "1")
	if got := NewPalette(false).Bad("x"); got != "x" {
		t.Errorf("a palette without colours makes %q", got)
	}
}

// TestPaletteEmpty keeps colours off empty texts, which a table would show as columns.
func TestPaletteEmpty(t *testing.T) {
	p := NewPalette(true)
	for _, got := range []string{p.Axis(0, ""), p.Axis(-1, "x"), p.Faint(""), p.Title(""), p.Bad("")} {
		if strings.Contains(got, "\x1b") {
			t.Errorf("%q has colours", got)
		}
	}
}
