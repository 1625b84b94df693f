package lexer

import (
	"strings"
	"unicode/utf8"
)

// Glob reports whether a pattern matches a name. In the pattern, * matches any number of characters, ? matches one,
// [a-z] matches one of several, and [!a-z] matches one of the others. A character after a backslash matches itself.
func Glob(pattern, name string) bool {
	matches, _ := GlobSteps(pattern, name)
	return matches
}

// IsGlob reports whether text is a pattern that can match names other than itself.
func IsGlob(text string) bool { return strings.ContainsAny(text, "*?[") }

// skipped is the number of bytes of a name that can be searched in the time of one step.
const skipped = 32

// GlobSteps is like Glob, but also returns the number of steps of the comparison: one for each character that is
// compared, and one for each 32 bytes that are searched for the text after a star.
func GlobSteps(pattern, name string) (matches bool, steps int) {
	rest, from := "", "" // the pattern after the last *, and the name from where it may match
	text := ""           // the literal text at the start of rest
	starred := false
	for {
		steps++
		if after, isStar := strings.CutPrefix(pattern, "*"); isStar {
			pattern, rest, from, starred = after, after, name, true
			text = after
			if i := strings.IndexAny(after, `*?[\`); i >= 0 {
				text = after[:i]
			}
		} else if name == "" && pattern == "" {
			return true, steps
		} else if n, size := globOne(pattern, name); n > 0 {
			pattern, name = pattern[n:], name[size:]
			continue
		} else if !starred || from == "" {
			return false, steps
		} else {
			_, size := utf8.DecodeRuneInString(from)
			from = from[size:]
		}
		at := strings.Index(from, text)
		if text == rest && len(from) > len(text) && rest != "" { // only the end can match
			at = len(from) - len(text)
		}
		if at < 0 {
			return false, steps + len(from)/skipped
		}
		steps += at / skipped
		from = from[at:]
		pattern, name = rest, from
	}
}

// globOne returns the number of bytes of a pattern that match the first character of a name, and the number of bytes of
// that character; 0 if it does not match.
func globOne(pattern, name string) (n, size int) {
	if pattern == "" || name == "" {
		return 0, 0
	}
	c, size := utf8.DecodeRuneInString(name)
	switch pattern[0] {
	case '?':
		return 1, size
	case '\\':
		pattern = pattern[1:]
		n = 1
	case '[':
		if n = globClass(pattern, c); n != 0 { // an unclosed bracket matches itself
			return max(n, 0), size
		}
	}
	if strings.HasPrefix(pattern, name[:size]) {
		return n + size, size
	}
	return 0, 0
}

// globClass returns the number of bytes of the class at the start of a pattern if the character is in it, -1 if it is
// not, and 0 if the class is not closed.
func globClass(pattern string, c rune) int {
	at := 1
	next := func() rune {
		r, size := utf8.DecodeRuneInString(pattern[at:])
		at += size
		return r
	}
	other := strings.HasPrefix(pattern[at:], "!") || strings.HasPrefix(pattern[at:], "^")
	if other {
		at++
	}
	found := false
	for first := at; ; {
		if at == len(pattern) {
			return 0
		}
		if pattern[at] == ']' && at > first {
			break
		}
		low := next()
		high := low
		if rest := pattern[at:]; len(rest) > 1 && rest[0] == '-' && rest[1] != ']' {
			at++
			high = next()
		}
		found = found || low <= c && c <= high
	}
	if found == other {
		return -1
	}
	return at + 1
}
