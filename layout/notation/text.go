package notation

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"layoutcalc/layout"
)

// The most characters of a message or hint, and of a part of the text that one quotes.
const (
	maxMessage = 250
	maxQuote   = 60
)

// clip returns a text as a message can show it: cut to a length, and in one line.
func clip(text string, most int) string {
	if len(text) <= most && isPlain(text) {
		return text
	}
	var b strings.Builder
	for _, c := range text {
		switch {
		case most == 0:
			return b.String() + "…"
		case unicode.IsSpace(c):
			c = ' '
		case c == utf8.RuneError || !unicode.IsPrint(c):
			c = '?'
		}
		b.WriteRune(c)
		most--
	}
	return b.String()
}

// isPlain reports whether all bytes are printable ASCII.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// clipAll clips the texts among the arguments of a message.
func clipAll(args []any) []any {
	for i, a := range args {
		if text, ok := a.(string); ok {
			args[i] = clip(text, maxQuote)
		}
	}
	return args
}

// tuple writes numbers as Python does: (2, 3), (2,), ().
func tuple(numbers []int64) string {
	if len(numbers) == 1 {
		return "(" + strconv.FormatInt(numbers[0], 10) + ",)"
	}
	return "(" + layout.JoinInts(numbers, ", ") + ")"
}

// isPair reports whether the text is two lists and nothing else, whose brackets could be
// anybody's.
func isPair(text string) bool {
	lists := 0
	for i := range len(text) {
		switch c := text[i]; c {
		case '(', '[', '{':
			lists++
		case ')', ']', '}', ',', ' ', '-', '\n', '\t':
		default:
			if !isDigit(c) {
				return false
			}
		}
	}
	return lists == 2
}
