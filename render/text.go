package render

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// Clean makes text from a user safe to print. It escapes, as in \x1b, control characters, marks for the writing
// direction, code points that are not characters, and bytes that are not UTF-8. It also escapes one character of a
// command to a CI runner: in :: at the start of a line, and in ##[ anywhere.
func Clean(text string) string {
	if isPlain(text) {
		return text
	}
	if strings.HasPrefix(strings.TrimSpace(text), "::") {
		text = strings.Replace(text, "::", `\x3a:`, 1)
	}
	if strings.Contains(text, "##") {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "##[", `##\x5b`), "##vso[", `##vso\x5b`)
	}
	i := 0
	for i < len(text) && ' ' <= text[i] && text[i] <= '~' {
		i++ // a separate loop, because most strings are ASCII
	}
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !printable(r, n) {
			return clean(text)
		}
		i += n
	}
	return text
}

// isPlain reports whether text has only printable ASCII, without the characters of commands. Most strings do.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == ':' || c == '#' {
			return false
		}
	}
	return true
}

// printable reports whether a rune of n bytes is shown as itself, without effect on the text around it.
func printable(r rune, n int) bool {
	return r >= ' ' && r < 0x7f || r > 0x9f && (r != utf8.RuneError || n > 1) && !unicode.Is(unicode.Cf, r) &&
		r != 0x2028 && r != 0x2029 && r&0xFFFE != 0xFFFE
}

func clean(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case printable(r, n):
			b.WriteString(text[i : i+n])
		case n == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		i += n
	}
	return b.String()
}

// Columns returns the width of a cleaned text on a terminal, as measured by tables.
func Columns(text string) int {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return displaywidth.String(text)
		}
	}
	return len(text) // most strings are ASCII
}

// wrap breaks a line that is longer than the width at spaces, and indents the rest. Colours have no width.
func wrap(line string, width int) string {
	if len(line) <= width || visible(line) <= width {
		return line
	}
	return Fill(line, 0, 2, width)
}

// Fill breaks text into lines of at most width columns, at spaces. The first line already has used columns, and the
// other lines are indented.
func Fill(text string, used, indent, width int) string {
	var b strings.Builder
	for i, word := range strings.Split(text, " ") {
		n := visible(word)
		switch {
		case i == 0:
		case used+1+n > width:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			used = indent
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += n
	}
	return b.String()
}

// wrapColored breaks text, which may have colours, at spaces into lines of at most width columns. A colour ends with
// its line and starts again on the next.
func wrapColored(text string, width int) []string {
	lines := strings.Split(Fill(text, 0, 0, width), "\n")
	style := ""
	for i, line := range lines {
		line, style = style+line, ""
		if start := strings.LastIndex(line, "\x1b["); start >= 0 {
			if code, _, _ := strings.Cut(line[start:], "m"); code != "\x1b[0" {
				style = code + "m"
				line += "\x1b[0m"
			}
		}
		lines[i] = line
	}
	return lines
}

// visible returns the width of text, which may have colours.
func visible(text string) int { return Columns(colorless(text)) }

// cutColored shortens text, which may have colours, to n columns. The mark and the end of the colour follow the cut.
func cutColored(text string, n int, mark string) string {
	if visible(text) <= n {
		return text
	}
	var b strings.Builder
	room, painted := n-Columns(mark), false
	for {
		plain, rest, _ := strings.Cut(text, "\x1b[")
		for _, r := range plain {
			if room -= Columns(string(r)); room < 0 {
				b.WriteString(mark)
				if painted {
					b.WriteString("\x1b[0m")
				}
				return b.String()
			}
			b.WriteRune(r)
		}
		var style string
		style, text, _ = strings.Cut(rest, "m")
		b.WriteString("\x1b[" + style + "m")
		painted = style != "0"
	}
}

// colorless returns text without its colours.
func colorless(text string) string {
	for {
		before, after, ok := strings.Cut(text, "\x1b[")
		if !ok {
			return text
		}
		_, after, _ = strings.Cut(after, "m")
		text = before + after
	}
}
