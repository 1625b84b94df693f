package render

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean makes text that a user gave safe to print: control characters, among them those that
// steer a terminal, marks that turn the direction of writing, and bytes that are no UTF-8 are
// shown as escapes such as \x1b.
func Clean(text string) string {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !printable(r, n) {
			return clean(text)
		}
		i += n
	}
	return text
}

// printable reports whether a rune of n bytes shows as itself and stands still.
func printable(r rune, n int) bool {
	return r >= ' ' && r < 0x7f || r > 0x9f && (r != utf8.RuneError || n > 1) && !unicode.Is(unicode.Cf, r) && r != 0x2028 && r != 0x2029
}

func clean(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case printable(r, n):
			b.WriteString(text[i : i+n])
		case n == 1:
			b.WriteString(`\x` + hex(rune(text[i]), 2))
		default:
			b.WriteString(`\u` + hex(r, 4))
		}
		i += n
	}
	return b.String()
}

func hex(r rune, width int) string {
	digits := ""
	for ; r > 0 || len(digits) < width; r >>= 4 {
		digits = string("0123456789abcdef"[r&15]) + digits
	}
	return digits
}

// columns is how many columns of a terminal a clean text takes.
func columns(text string) int {
	n := utf8.RuneCountInString(text)
	for _, r := range text {
		if r > 0x10ff && (unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana) || r >= 0xff01 && r <= 0xff60 || r >= 0x1f300) {
			n++
		}
	}
	return n
}
