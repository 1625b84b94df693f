package render

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"layoutcalc/layout"
)

// shown returns the output for a message, as lines.
func shown(m Message, colored bool) []string {
	var b strings.Builder
	m.Print(&b, NewPalette(colorsOf(colored)), 0)
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}

// caret returns the line with the error as it is shown, and the column of the mark beneath.
func caret(t interface{ Fatalf(string, ...any) }, input string, offset int) (line string, column int) {
	lines := shown(Message{Text: "bad", Err: &layout.SyntaxError{Input: input, Offset: offset}}, false)
	if len(lines) != 3 || strings.Trim(lines[2], " ") != "^" || !strings.HasPrefix(lines[1], "  ") {
		t.Fatalf("%q at %d is shown as\n%s", input, offset, strings.Join(lines, "\n"))
	}
	return lines[1][2:], len(lines[2]) - 3
}

func TestCaret(t *testing.T) {
	long := strings.Repeat("1,", 100)
	tests := []struct {
		input  string
		offset int
		line   string
		column int
		reason string
	}{
		{input: "1x3.4", offset: 3, line: "1x3.4", column: 3, reason: "beneath the byte at fault"},
		{input: "1x3", offset: 3, line: "1x3", column: 3, reason: "after the end, where something is missing"},
		{input: "q", line: "q", reason: "at the front"},
		{input: "1\t.", offset: 2, line: `1\x09.`, column: 5, reason: "a tab is shown as four columns"},
		{input: "\x1b[2J.", offset: 4, line: `\x1b[2J.`, column: 7, reason: "an escape sequence is shown, not obeyed"},
		{input: "\u202e.", offset: 3, line: `\u202e.`, column: 6, reason: "so is a mark of direction"},
		{input: "\xff.", offset: 1, line: `\xff.`, column: 4, reason: "and a byte that is not UTF-8"},
		{input: "é.", offset: 2, line: "é.", column: 1, reason: "two bytes, one column"},
		{input: "漢字.", offset: 6, line: "漢字.", column: 4, reason: "six bytes, four columns"},
		{input: "かなー、.", offset: 12, line: "かなー、.", column: 8, reason: "marks that are wide too"},
		{input: "e\u0301.", offset: 3, line: "e\u0301.", column: 1, reason: "an accent takes no column"},
		{input: "🙂.", offset: 4, line: "🙂.", column: 2, reason: "an emoji takes two"},
		{
			input: long + "." + long, offset: 200, line: "…" + long[len(long)-41:] + "." + long[:20] + "…", column: 42,
			reason: "42 columns before, 64 in all",
		},
		{input: long, line: long[:63] + "…", reason: "cut at the end only"},
		{
			input: long, offset: 200, line: "…" + long[len(long)-63:], column: 64,
			reason: "cut at the front only, and as wide as can be",
		},
	}
	for _, tt := range tests {
		line, column := caret(t, tt.input, tt.offset)
		if line != tt.line || column != tt.column {
			t.Errorf("%q at %d is shown as\n  %s\n  %s^ want\n  %s\n  %s^ %s", tt.input, tt.offset,
				line, strings.Repeat(" ", column), tt.line, strings.Repeat(" ", tt.column), tt.reason)
		}
	}
}

// TestCaretInWindow shows errors in long inputs: the shown part has at most 64 columns, and the mark is beneath the
// wrong character.
func TestCaretInWindow(t *testing.T) {
	for _, tt := range []struct {
		letter  string
		columns int
	}{{"1", 1}, {"漢", 2}} {
		t.Run(tt.letter, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				n := rapid.IntRange(0, 300)
				before := strings.Repeat(tt.letter, n.Draw(t, "before"))
				line, column := caret(t, before+"!"+strings.Repeat(tt.letter, n.Draw(t, "after")), len(before))
				left, _, found := strings.Cut(line, "!")
				if width := widths(line, tt.letter, tt.columns); width > 64 {
					t.Fatalf("%d columns: %s", width, line)
				}
				if !found || widths(left, tt.letter, tt.columns) != column {
					t.Fatalf("the mark is at %d of %s", column, line)
				}
			})
		})
	}
}

// widths counts a letter with its columns and the others as one.
func widths(text, letter string, columns int) int {
	return utf8.RuneCountInString(text) + (columns-1)*strings.Count(text, letter)
}

// TestMessageIsSafe shows hostile strings. Every line must be ours, and no output may control a terminal.
func TestMessageIsSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		input := hostiles().Draw(t, "input")
		offset := rapid.IntRange(0, len(input)).Draw(t, "offset")
		lines := shown(Message{
			Text: "bad", Err: &layout.SyntaxError{Input: input, Offset: offset}, Hint: hostiles().Draw(t, "hint"),
		}, false)
		if len(lines) > 4 {
			t.Fatalf("%d lines:\n%s", len(lines), strings.Join(lines, "\n"))
		}
		for _, line := range lines {
			if fault := harm(line); fault != "" {
				t.Fatalf("%s in %q", fault, line)
			}
		}
	})
}

func TestMessage(t *testing.T) {
	place := &layout.SyntaxError{Input: "1x", Offset: 2}
	tests := []struct {
		message Message
		want    string
		reason  string
	}{
		{Message{Text: "bad"}, "layoutcalc: bad", "a text alone"},
		{Message{Text: "bad", Hint: "type x"}, "layoutcalc: bad|hint: type x", "with a hint"},
		{
			Message{Text: "bad", Err: place, Hint: "type x"}, "layoutcalc: bad|  1x|    ^|hint: type x",
			"with a place and a hint",
		},
		{
			Message{Text: "bad", Err: fmt.Errorf("flag: %w", place)}, "layoutcalc: bad|  1x|    ^",
			"an error inside another",
		},
		{
			Message{Text: "bad", Err: &layout.SyntaxError{}, Hint: "general"}, "layoutcalc: bad|hint: general",
			"no text to point at",
		},
	}
	for _, tt := range tests {
		if got := strings.Join(shown(tt.message, false), "|"); got != tt.want {
			t.Errorf("%s, want %s: %s", got, tt.want, tt.reason)
		}
		colored := strings.Join(shown(tt.message, true), "|")
		if uncolored(colored) != tt.want || colored == tt.want {
			t.Errorf("with colours %q, want %s: %s", colored, tt.want, tt.reason)
		}
	}
}

// TestCaretInCommand points into strings that a CI runner would treat as a command. No line may be one, for any
// position of the mark.
func TestCaretInCommand(t *testing.T) {
	for _, input := range []string{"::error::x", " ::error::x", "\u00a0::error::x", "##[error]x", "1##[group]x"} {
		for offset := range len(input) + 1 {
			line, _ := caret(t, input, offset)
			if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") {
				t.Errorf("%q at %d is shown as %q", input, offset, line)
			}
		}
	}
}

// TestMessageWidth wraps words on a terminal, and neither changes them nor breaks a command line.
func TestMessageWidth(t *testing.T) {
	text := strings.TrimSpace(strings.Repeat("one two three ", 20))
	for _, tt := range []struct {
		hint   string
		width  int
		isLong bool // a line is longer than the width
	}{
		{"", 80, false}, {text, 80, false}, {text, 20, false}, {text, 0, true}, {"layoutcalc " + text, 80, true},
	} {
		for _, colors := range []bool{false, true} {
			var b strings.Builder
			Message{Text: text, Hint: tt.hint}.Print(&b, NewPalette(colorsOf(colors)), tt.width)
			said := strings.TrimSuffix(colorless(b.String()), "\n")
			isLong := slices.ContainsFunc(strings.Split(said, "\n"), func(line string) bool {
				return Columns(line) > tt.width
			})
			want := "layoutcalc: " + text
			if tt.hint != "" {
				want += "\nhint: " + tt.hint
			}
			if strings.ReplaceAll(said, "\n  ", " ") != want || isLong != tt.isLong {
				t.Errorf("width %d, hint %q:\n%s", tt.width, tt.hint, said)
			}
		}
	}
}
