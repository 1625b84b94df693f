package wording

import (
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clip shortens a string that a message quotes to 40 characters.
//
//go:noinline
func Clip(text string) string {
	n := 0
	for i := range text {
		if n++; n > 40 {
			return text[:i] + "…"
		}
	}
	return text
}

// Quote quotes a name or word in a message, clipped.
func Quote(text string) string { return strconv.Quote(Clip(text)) }

// OneLine returns text on one line, shortened to a number of characters, with ? instead of characters that are not
// printable.
func OneLine(text string, most int) string {
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

// BigText returns a number that is too large, without its leading zeros, and shortened if it is very long.
func BigText(digits string) string {
	if len(digits) > 40 {
		return "a number of " + Count(len(digits), "digit")
	}
	if v, ok := new(big.Int).SetString(digits, 10); ok {
		return v.String()
	}
	return digits
}

// ClipAll shortens each string among the arguments of a message to one line of 60 characters.
func ClipAll(args []any) []any {
	for i, a := range args {
		if text, ok := a.(string); ok {
			args[i] = OneLine(text, 60)
		}
	}
	return args
}
