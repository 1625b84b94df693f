package render

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// Clean makes text that a user gave safe to print: control characters, among them those that
// steer a terminal, marks that turn the direction of writing, code points that are no characters
// and bytes that are no UTF-8 are shown as escapes such as \x1b. So is one character of what a CI runner would take for a
// command: :: at the start of a line, ##[ anywhere.
func Clean(text string) string {
	if strings.HasPrefix(strings.TrimSpace(text), "::") {
		text = strings.Replace(text, "::", `\x3a:`, 1)
	}
	if strings.Contains(text, "##") {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "##[", `##\x5b`), "##vso[", `##vso\x5b`)
	}
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
	return r >= ' ' && r < 0x7f || r > 0x9f && (r != utf8.RuneError || n > 1) && !unicode.Is(unicode.Cf, r) && r != 0x2028 && r != 0x2029 && r&0xFFFE != 0xFFFE
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

// columns is how many columns of a terminal a clean text takes, by the measure that the tables
// use.
func columns(text string) int { return displaywidth.String(text) }
