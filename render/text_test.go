package render

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"layoutcalc/layout"
	"layoutcalc/layout/layouttest"
)

func TestClean(t *testing.T) {
	tests := []struct{ in, want, reason string }{
		{"", "", "nothing to do"},
		{"NCHW16c", "NCHW16c", "ASCII stays"},
		{"Größe 漢字 🙂 e\u0301", "Größe 漢字 🙂 e\u0301", "letters of all scripts and their accents stay"},
		{`\x1b`, `\x1b`, "a text that only looks like an escape stays"},
		{"\ufffd", "\ufffd", "U+FFFD itself is a character"},
		{"a\x1b[2Jb", `a\x1b[2Jb`, "CSI: clears the screen"},
		{"\x1b]0;x\a", `\x1b]0;x\x07`, "OSC: sets the title, ends with BEL"},
		{"a\r\nb", `a\x0d\x0ab`, "CR and LF forge lines"},
		{"\x7f", `\x7f`, "DEL"},
		{"\u009b2J", `\u009b2J`, "CSI as a C1 character"},
		{"\x9b2J", `\x9b2J`, "CSI as a raw C1 byte, which is not UTF-8"},
		{"\xc3", `\xc3`, "a character cut short"},
		{"\xed\xa0\x80", `\xed\xa0\x80`, "a surrogate is not UTF-8"},
		{"\xc0\x80", `\xc0\x80`, "an overlong NUL is not UTF-8"},
		{"a\u202eb", `a\u202eb`, "turns the direction of writing"},
		{
			"\u2066\u2067\u2068\u2069\u200e\u200f\u061c", `\u2066\u2067\u2068\u2069\u200e\u200f\u061c`,
			"the other marks of direction",
		},
		{"a\u200bb\u200dc", `a\u200bb\u200dc`, "blanks of no width make two texts look the same"},
		{"\ufeff", `\ufeff`, "a byte order mark is not seen"},
		{"\u2028\u2029", `\u2028\u2029`, "line ends of Unicode"},
		{"\uffff\ufffe\U0010ffff", `\uffff\ufffe\u10ffff`, "no characters, which XML does not allow"},
		{"\U000e0041", `\ue0041`, "a tag character is not seen"},
	}
	for _, tt := range tests {
		if got := Clean(tt.in); got != tt.want {
			t.Errorf("Clean(%q) = %q, want %q: %s", tt.in, got, tt.want, tt.reason)
		}
	}
}

// TestCleanControls goes through all control characters of both sets, alone and between others.
func TestCleanControls(t *testing.T) {
	for r := rune(0); r < 0xa0; r++ {
		if r >= ' ' && r < 0x7f {
			continue
		}
		want := fmt.Sprintf(`\x%02x`, r)
		if r >= 0x80 {
			want = fmt.Sprintf(`\u%04x`, r)
		}
		if got := Clean("a" + string(r) + "b"); got != "a"+want+"b" {
			t.Errorf("%U gives %q", r, got)
		}
	}
	for b := 0x80; b < 0x100; b++ {
		if got, want := Clean("a"+string([]byte{byte(b)})+"b"), fmt.Sprintf(`a\x%02xb`, b); got != want {
			t.Errorf("the byte %#x gives %q, want %q", b, got, want)
		}
	}
}

func TestCleanLong(t *testing.T) {
	long := strings.Repeat("name", 16<<10)
	if Clean(long) != long {
		t.Error("a long name of letters does not stay")
	}
	if got := Clean(strings.Repeat("\x1b", 64<<10)); got != strings.Repeat(`\x1b`, 64<<10) {
		t.Errorf("a long name of escapes gives %d bytes", len(got))
	}
}

// checkClean checks the properties of any cleaned string.
func checkClean(t interface{ Fatalf(string, ...any) }, text string) {
	got := Clean(text)
	if fault := harm(got); fault != "" {
		t.Fatalf("Clean(%q) = %q holds %s", text, got, fault)
	}
	if again := Clean(got); again != got {
		t.Fatalf("Clean(%q) = %q, cleaned again %q", text, got, again)
	}
	workflow := strings.Contains(text, "::") || strings.Contains(text, "##[")
	if !workflow && strings.Trim(text, printableASCII) == "" && got != text {
		t.Fatalf("Clean(%q) = %q changes what is harmless", text, got)
	}
}

const printableASCII = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ" +
	"[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"

func TestCleanIsSafe(t *testing.T) {
	for _, text := range hostile {
		checkClean(t, text)
	}
	rapid.Check(t, func(t *rapid.T) { checkClean(t, hostiles().Draw(t, "text")) })
}

func FuzzClean(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		defer layouttest.Limit(t, len(text))()
		checkClean(t, text)
	})
}

func TestWrap(t *testing.T) {
	tests := []struct {
		in     string
		width  int
		want   string
		reason string
	}{
		{in: "aaa bbb", width: 7, want: "aaa bbb", reason: "fits exactly"},
		{in: "aaa bbb", width: 6, want: "aaa\n  bbb", reason: "one column short"},
		{in: "a b c d e f g", width: 5, want: "a b c\n  d e\n  f g", reason: "what follows is indented by 2"},
		{in: "aaaaaaaaaa", width: 5, want: "aaaaaaaaaa", reason: "a word has no blank to break at"},
		{in: "a × b", width: 5, want: "a × b", reason: "× is two bytes and one column"},
		{in: "\x1b[36maaa\x1b[0m bbb", width: 7, want: "\x1b[36maaa\x1b[0m bbb", reason: "colours take no columns"},
		{in: "\x1b[36maaa\x1b[0m bbb", width: 6, want: "\x1b[36maaa\x1b[0m\n  bbb", reason: "nor do they make room"},
		{in: "漢字 漢字", width: 9, want: "漢字 漢字", reason: "each takes two columns"},
		{in: "漢字 漢字", width: 8, want: "漢字\n  漢字", reason: "so that eight are too few"},
		{width: 5, reason: "nothing"},
	}
	for _, tt := range tests {
		if got := wrap(tt.in, tt.width); got != tt.want {
			t.Errorf("wrap(%q, %d) = %q, want %q: %s", tt.in, tt.width, got, tt.want, tt.reason)
		}
	}
}

// TestWrapProperties wraps lines of words, some with colours. No line is wider than the width unless a word and its
// indent are, the text stays the same except for its whitespace, and colours change nothing.
func TestWrapProperties(t *testing.T) {
	palette := NewPalette(Colors16)
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[a-z×·]{1,12}`), 1, 20).Draw(t, "words")
		width := rapid.IntRange(5, 60).Draw(t, "width")
		painted := make([]string, len(words))
		for i, word := range words {
			painted[i] = palette.Axis(rapid.IntRange(-1, 9).Draw(t, "axis"), word)
		}
		plain := strings.Join(words, " ")
		got := wrap(plain, width)
		for i, line := range strings.Split(got, "\n") {
			n := utf8.RuneCountInString(line)
			if n > width && len(strings.Fields(line)) > 1 {
				t.Fatalf("line %d has %d columns, more than %d, in\n%s", i, n, width, got)
			}
			if i > 0 && !strings.HasPrefix(line, "  ") {
				t.Fatalf("line %d is not indented in\n%s", i, got)
			}
		}
		if strings.Join(strings.Fields(got), " ") != plain {
			t.Fatalf("the text changes: %q", got)
		}
		if colored := wrap(strings.Join(painted, " "), width); uncolored(colored) != got {
			t.Fatalf("with colours\n%s\nwithout\n%s", uncolored(colored), got)
		}
	})
}

func TestColumns(t *testing.T) {
	tests := []struct {
		in     string
		want   int
		reason string
	}{
		{"abc", 3, "ASCII"},
		{"é×·│…", 5, "narrow beyond ASCII"},
		{"漢字", 4, "EastAsianWidth.txt: 4E00..9FFF W"},
		{"한", 2, "AC00..D7A3 W"},
		{"あア", 4, "3041..30FF W"},
		{"ー", 2, "30FC W, though its script is Common"},
		{"、。「", 6, "3001..3003, 300C W: marks of no script"},
		{"　", 2, "3000 F: the ideographic blank"},
		{"！Ａ", 4, "FF01..FF60 F"},
		{"￥", 2, "FFE5 F"},
		{"ｱ", 1, "FF71 H: half-width, though Katakana"},
		{"🙂", 2, "1F642 W"},
		{"✅", 2, "2705 W"},
		{"e\u0301", 1, "UnicodeData.txt: 0301 Mn is written over the letter before it"},
		{"Д₂", 2, "neutral or ambiguous: narrow outside of East Asia"},
	}
	for _, tt := range tests {
		if got := Columns(tt.in); got != tt.want {
			t.Errorf("Columns(%q) = %d, want %d: %s", tt.in, got, tt.want, tt.reason)
		}
	}
}

// trimmed returns a table as it is written.
func trimmed(t interface{ Fatal(...any) }, table string) string {
	var out strings.Builder
	w := NewWriter(&out)
	w.trimmed([]byte(table), frame)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTrimmed(t *testing.T) {
	tests := []struct{ in, want, reason string }{
		{"a │ b \n", "a │ b\n", "a blank at the end"},
		{"a │ b │   │  \n", "a │ b\n", "empty cells at the end"},
		{" │ │ \n", "\n", "nothing but empty cells"},
		{"a │   │ b\n", "a │   │ b\n", "an empty cell inside stays"},
		{" a\n \nb\n", " a\n\nb\n", "each line for itself; blanks in front stay"},
		{"a │ Д \n", "a │ Д\n", "D0 94: ends in a byte that │ (E2 94 82) has too"},
		{"a │ ł\n", "a │ ł\n", "C5 82: the same"},
		{"a │ ₂ \n", "a │ ₂\n", "E2 82 82: all bytes are those of │"},
		{"a │ \x1b[2mx\x1b[22m \n", "a │ \x1b[2mx\x1b[22m\n", "a coloured cell stays"},
	}
	for _, tt := range tests {
		if got := trimmed(t, tt.in); got != tt.want {
			t.Errorf("%q becomes %q, want %q: %s", tt.in, got, tt.want, tt.reason)
		}
	}
}

// TestTrimmedCells compares with lines that are trimmed one by one.
func TestTrimmedCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.SampledFrom([]string{"", " ", "a", "Д", "₂", "│", "漢", "\n", "\x1b[36mA\x1b[0m"})
		text := strings.Join(rapid.SliceOfN(cell, 0, 20).Draw(t, "cells"), " │ ") + "\n"
		var lines []string
		for _, line := range strings.Split(text, "\n") {
			lines = append(lines, strings.TrimRight(line, " │"))
		}
		want := strings.Join(lines, "\n")
		if got := trimmed(t, text); got != want {
			t.Fatalf("%q becomes %q, want %q", text, got, want)
		}
	})
}

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

// room returns the maximum width of a line: the width, or the width of its parts that cannot be broken: one word with
// its indent, the numbers of a table, a single slot of a picture.
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
			for width := 20; width <= 200; width += layouttest.Step() {
				text := written(t, Options{Format: Table, Width: width}, func(p *Printer) error {
					return p.Picture(tensor, whole(tensor))
				})
				checkLines(t, "picture", text, width)
			}
		})
	}
}

func checkWidth(
	t *rapid.T, tb testing.TB, name string, tensor layout.Tensor, write func(*Printer, layout.Tensor) error,
) {
	width := rapid.IntRange(20, 200).Draw(t, "width")
	colored := rapid.Bool().Draw(t, "colored")
	text := written(tb, Options{
		Format: Table, Width: width, Colors: colorsOf(colored),
	}, func(p *Printer) error { return write(p, tensor) })
	checkLines(t, name, uncolored(text), width)
}

// colorsOf returns 16 colours or none.
func colorsOf(colored bool) Colors {
	if colored {
		return Colors16
	}
	return NoColors
}

// checkLines checks that lines fit, and that no line has only the mark of a cut. Large tensors may have such lines
// between their corners: one between two matrices, and one between the rows of a matrix.
func checkLines(t interface{ Fatalf(string, ...any) }, name, text string, width int) {
	lines := strings.Split(text, "\n")
	corners := strings.Contains(text, "corners")
	for i, line := range lines {
		if n := utf8.RuneCountInString(line); n > room(name, line, width) {
			t.Fatalf("line %d has %d columns, more than %d:\n%s", i+1, n, width, line)
		}
		between := corners && i+1 < len(lines) && lines[i+1] != "" // a row of corners has strings on both sides
		if name == "picture" && !between && strings.TrimSpace(line) == "…" {
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

// TestPaletteChangesNothing compares answers with colours, less the colours, with those without.
func TestPaletteChangesNothing(t *testing.T) {
	for _, a := range answers {
		t.Run(a.name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				tensor, width := tensors(4).Draw(rt, "tensor"), rapid.IntRange(20, 120).Draw(rt, "width")
				write := func(colored bool) string {
					return written(t, Options{
						Format: Table, Width: width, Colors: colorsOf(colored),
					}, func(p *Printer) error { return a.write(p, tensor) })
				}
				plain, colored := write(false), write(true)
				if strings.Contains(plain, "\x1b") {
					rt.Fatalf("colours without being asked:\n%q", plain)
				}
				if a.name == "picture" { // its legend explains the colours
					colored, _, _ = strings.Cut(colored, "\ncolors: ")
				}
				if diff := cmp.Diff(strings.Split(plain, "\n"), strings.Split(uncolored(colored), "\n")); diff != "" {
					rt.Fatalf("-without colours +with them:\n%s", diff)
				}
			})
		})
	}
}

// TestPaletteMarks checks the colours of important parts.
func TestPaletteMarks(t *testing.T) {
	overlapping := parsed(t, "3x3", "", strides(t, "2,2"))
	tests := []struct {
		name    string
		write   func(p *Printer) error
		pattern string
		reason  string
	}{
		{
			name: "strides", write: func(p *Printer) error { return p.Strides(parsed(t, "1x2x3x4", "NHWC")) },
			pattern: `\x1b\[94mN\x1b.*\n.*\x1b\[95mC\x1b.*\n.*\x1b\[31mH\x1b.*\n.*\x1b\[4;94mW\x1b`,
			reason:  "each axis has a colour of its own",
		},
		{
			name: "overlap", write: func(p *Printer) error { return p.Strides(overlapping) },
			pattern: `\x1b\[1;91moverlapping\x1b`, reason: "what is wrong is red",
		},
		{
			name: "padding",
			write: func(p *Printer) error {
				tensor := parsed(t, "2x3", "", strides(t, "5,1"))
				return p.Picture(tensor, whole(tensor))
			},
			pattern: `│ x │`, reason: "padding has the colour of texts",
		},
		{
			name: "dot product", write: func(p *Printer) error { return writeOffsets(p, parsed(t, "2x3", "HW")) },
			pattern: `\x1b\[94m1×3\x1b`, reason: "a term has its axis's colour",
		},
	}
	for _, tt := range tests {
		text := written(t, Options{Format: Table, Colors: Colors16}, tt.write)
		if ok, err := regexp.MatchString(tt.pattern, text); !ok || err != nil {
			t.Errorf("%s: no %s (%v) in\n%q: %s", tt.name, tt.pattern, err, text, tt.reason)
		}
	}
}

// TestPaletteElsewhere checks that output for programs has no colours, even if they are requested.
func TestPaletteElsewhere(t *testing.T) {
	tensor := parsed(t, "2x3", "HW", strides(t, "5,1"))
	for _, a := range answers {
		for _, o := range []Options{
			{Format: Plain}, {Format: JSON}, {Format: CSV}, {Format: Markdown}, {Format: Table, Get: "schemaVersion"},
		} {
			if a.name == "picture" && o.Format != Markdown {
				continue // has no other forms
			}
			write := func(p *Printer) error { return a.write(p, tensor) }
			plain := written(t, o, write)
			o.Colors = Colors16
			if colored := written(t, o, write); colored != plain {
				t.Errorf("%s as %s differs with colours:\n%q", a.name, o.Format, colored)
			}
		}
	}
}

// TestPaletteIgnoresEnvironment leaves the environment and the terminal to the caller of NewPalette.
func TestPaletteIgnoresEnvironment(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	t.Setenv("TERM", "dumb")
	if got, want := NewPalette(Colors16).Bad("x"), "\x1b[1;91mx"; !strings.HasPrefix(got, want) {
		t.Errorf("a palette with colours makes %q", got)
	}
	t.Setenv("NO_COLOR", "")
	t.Setenv("FORCE_COLOR", "1")
	if got := NewPalette(NoColors).Bad("x"); got != "x" {
		t.Errorf("a palette without colours makes %q", got)
	}
}

// TestPaletteEmpty checks that empty strings get no colours, because a table would show them as columns.
func TestPaletteEmpty(t *testing.T) {
	p := NewPalette(Colors16)
	for _, got := range []string{p.Axis(0, ""), p.Axis(-1, "x"), p.Faint(""), p.Title(""), p.Bad("")} {
		if strings.Contains(got, "\x1b") {
			t.Errorf("%q has colours", got)
		}
	}
}

// TestWrapColored checks that each line of a wrapped cell starts and ends its own colours.
func TestWrapColored(t *testing.T) {
	tests := []struct {
		text  string
		width int
		want  []string
	}{
		{"", 5, []string{""}},
		{"aa bb cc", 5, []string{"aa bb", "cc"}},
		{"\x1b[31maa\x1b[0m bb", 2, []string{"\x1b[31maa\x1b[0m", "bb"}},
		{"\x1b[31maa bb cc\x1b[0m dd", 2, []string{
			"\x1b[31maa\x1b[0m", "\x1b[31mbb\x1b[0m", "\x1b[31mcc\x1b[0m", "dd"}},
		{"aa \x1b[1;31mbb cc\x1b[0m", 5, []string{"aa \x1b[1;31mbb\x1b[0m", "\x1b[1;31mcc\x1b[0m"}},
	}
	for _, tt := range tests {
		if got := wrapColored(tt.text, tt.width); !slices.Equal(got, tt.want) {
			t.Errorf("%q at %d: %q, want %q", tt.text, tt.width, got, tt.want)
		}
	}
}
