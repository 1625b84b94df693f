package render

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"layoutcalc/layout"
)

// fixed is the width of a row up to its last column: numbers and names that cannot be broken.
// The last column of the strides cannot be narrower than its title, "comes from"; that of
// other tables cannot be broken either.
func fixed(name, line string) int {
	if name == "strides" {
		at := strings.LastIndex(line, "│")
		return utf8.RuneCountInString(line[:at]) + len("│ comes from") - len("│") + 1
	}
	return utf8.RuneCountInString(line)
}

// bandWidth is the width of a picture that has one slot a band.
func bandWidth(line string) int {
	if strings.Count(line, "│") == 1 {
		return utf8.RuneCountInString(line)
	}
	return 0
}

// room is how wide a line may be: the width, or what cannot be broken if that is wider: one
// word with its indent, the numbers of a table, a single slot of a picture.
func room(name, line string, width int) int {
	switch {
	case !strings.Contains(line, "│") && len(strings.Fields(line)) <= 1:
		return max(width, utf8.RuneCountInString(line))
	case !strings.Contains(line, "│"):
		return width
	case name == "picture":
		return max(width, bandWidth(line))
	}
	return max(width, fixed(name, line))
}

// TestWidth draws random tensors at widths from 20 to 200, with colours and without.
func TestWidth(t *testing.T) {
	for _, a := range answers {
		t.Run(a.name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				checkWidth(rt, t, a.name, tensors(5).Draw(rt, "tensor"), a.write)
			})
		})
	}
	for _, shape := range []string{"1x30", "7x30", "30", "3x4x25"} {
		tensor := parsed(t, shape, "")
		t.Run(shape, func(t *testing.T) {
			for width := 20; width <= 200; width++ {
				text := written(t, Options{Format: Table, Width: width}, func(p *Printer) error { return p.Picture(tensor, whole(tensor)) })
				checkLines(t, "picture", text, width)
			}
		})
	}
}

func checkWidth(t *rapid.T, tb testing.TB, name string, tensor layout.Tensor, write func(*Printer, layout.Tensor) error) {
	width := rapid.IntRange(20, 200).Draw(t, "width")
	colored := rapid.Bool().Draw(t, "colored")
	text := written(tb, Options{Format: Table, Width: width, Colored: colored}, func(p *Printer) error { return write(p, tensor) })
	checkLines(t, name, uncolored(text), width)
}

func checkLines(t interface{ Fatalf(string, ...any) }, name, text string, width int) {
	for i, line := range strings.Split(text, "\n") {
		if n := utf8.RuneCountInString(line); n > room(name, line, width) {
			t.Fatalf("line %d has %d columns, more than %d:\n%s", i+1, n, width, line)
		}
		if name == "picture" && strings.TrimSpace(line) == "…" {
			t.Fatalf("line %d holds nothing but the mark of what is cut off, at width %d:\n%.200s", i+1, width, text)
		}
	}
}

// TestOriginFillsItsColumn cuts how a stride comes about no shorter than the title above it.
func TestOriginFillsItsColumn(t *testing.T) {
	tensor := parsed(t, "1x3x224x224", "NHWC")
	for width := 20; width <= 80; width++ {
		text := written(t, Options{Format: Table, Width: width}, func(p *Printer) error { return p.Strides(tensor) })
		title := 0
		for line := range strings.Lines(text) {
			line = strings.TrimRight(line, "\n")
			if strings.HasSuffix(line, "comes from") {
				title = utf8.RuneCountInString(line)
			} else if strings.HasSuffix(line, "…") && utf8.RuneCountInString(line) < title {
				t.Fatalf("at width %d the column has room for more:\n%s", width, text)
			}
		}
	}
}
