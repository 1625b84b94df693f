package render

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestWrap(t *testing.T) {
	tests := []struct {
		in     string
		width  int
		want   string
		reason string
	}{
		{"aaa bbb", 7, "aaa bbb", "fits exactly"},
		{"aaa bbb", 6, "aaa\n  bbb", "one column short"},
		{"a b c d e f g", 5, "a b c\n  d e\n  f g", "what follows is indented by 2"},
		{"aaaaaaaaaa", 5, "aaaaaaaaaa", "a word has no blank to break at"},
		{"a × b", 5, "a × b", "× is two bytes and one column"},
		{"\x1b[36maaa\x1b[0m bbb", 7, "\x1b[36maaa\x1b[0m bbb", "colours take no columns"},
		{"\x1b[36maaa\x1b[0m bbb", 6, "\x1b[36maaa\x1b[0m\n  bbb", "nor do they make room"},
		{"漢字 漢字", 9, "漢字 漢字", "each takes two columns"},
		{"漢字 漢字", 8, "漢字\n  漢字", "so that eight are too few"},
		{"", 5, "", "nothing"},
	}
	for _, tt := range tests {
		if got := wrap(tt.in, tt.width); got != tt.want {
			t.Errorf("wrap(%q, %d) = %q, want %q: %s", tt.in, tt.width, got, tt.want, tt.reason)
		}
	}
}

// TestWrapProperties draws lines of words, some with colours: no line is wider than the width
// unless a word and its indent are, the text stays but for its blanks, and colours change
// nothing.
func TestWrapProperties(t *testing.T) {
	palette := NewPalette(true)
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
		{"e\u0301", 1, "UnicodeData.txt: 0301 Mn stands over the letter before it"},
		{"Д₂", 2, "neutral or ambiguous: narrow outside of East Asia"},
	}
	for _, tt := range tests {
		if got := columns(tt.in); got != tt.want {
			t.Errorf("columns(%q) = %d, want %d: %s", tt.in, got, tt.want, tt.reason)
		}
	}
}

// trimmed passes the texts through a trimmer, one write each.
func trimmed(t interface{ Fatal(...any) }, writes ...string) string {
	var out strings.Builder
	w := newWriter(&out)
	trim := &trimmer{w: w}
	for _, text := range writes {
		if n, err := trim.Write([]byte(text)); n != len(text) || err != nil {
			t.Fatal(n, err)
		}
	}
	if err := w.flush(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTrimmer(t *testing.T) {
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

// TestTrimmerPieces cuts a table anywhere, also inside a character, and wants the same text.
func TestTrimmerPieces(t *testing.T) {
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
		at := rapid.IntRange(0, len(text)).Draw(t, "at")
		if got := trimmed(t, text[:at], text[at:]); got != want {
			t.Fatalf("%q cut at %d becomes %q, want %q", text, at, got, want)
		}
	})
}
