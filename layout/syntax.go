package layout

import (
	"fmt"
	"strings"
)

// MaxText is the length, in bytes, of the longest text that the parsers of this package read.
const MaxText = 64 << 10

// A SyntaxError says what is wrong with something that a user wrote, where, and what to write
// instead.
type SyntaxError struct {
	Input  string // the text; empty when there is no single place to point at
	Offset int    // byte offset of the fault in Input
	Msg    string // what is wrong
	Hint   string // what to type; may be empty
}

// Error returns the message alone; whoever prints it adds the place and the hint.
func (e *SyntaxError) Error() string { return e.Msg }

// A scanner reads a text from left to right.
type scanner struct {
	in  string
	pos int
}

// newScanner refuses a text that is longer than MaxText.
func newScanner(text string) (*scanner, error) {
	if len(text) > MaxText {
		return nil, &SyntaxError{Msg: fmt.Sprintf("a text of %d bytes is over the limit of %d", len(text), MaxText)}
	}
	return &scanner{in: text}, nil
}

// peek returns the next byte, 0 at the end.
func (s *scanner) peek() byte {
	if s.pos < len(s.in) {
		return s.in[s.pos]
	}
	return 0
}

// done reports whether all is read.
func (s *scanner) done() bool { return s.pos == len(s.in) }

func (s *scanner) blanks() {
	for s.pos < len(s.in) && strings.IndexByte(" \t\r\n", s.in[s.pos]) >= 0 {
		s.pos++
	}
}

// take steps over prefix if it comes next, in any case.
func (s *scanner) take(prefix string) bool {
	if len(s.in)-s.pos < len(prefix) || !strings.EqualFold(s.in[s.pos:s.pos+len(prefix)], prefix) {
		return false
	}
	s.pos += len(prefix)
	return true
}

// span steps over the bytes that is accepts and returns them.
func (s *scanner) span(is func(byte) bool) string {
	start := s.pos
	for s.pos < len(s.in) && is(s.in[s.pos]) {
		s.pos++
	}
	return s.in[start:s.pos]
}

// rest returns what has not been read, for messages: the next word, cut to a decent length.
func (s *scanner) rest() string {
	rest := s.in[s.pos:]
	if i := strings.IndexAny(rest, " \t\r\n,"); i > 0 {
		rest = rest[:i]
	}
	return clip(rest)
}

// clip cuts a text that a message quotes to 40 characters.
func clip(text string) string {
	n := 0
	for i := range text {
		if n++; n > 40 {
			return text[:i] + "…"
		}
	}
	return text
}

// fail returns an error at the given offset.
func (s *scanner) fail(at int, hint, format string, args ...any) error {
	return &SyntaxError{s.in, at, fmt.Sprintf(format, args...), hint}
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isWord(c byte) bool   { return isLetter(c) || isDigit(c) || c == '_' }

// isName reports whether text can name an axis: a letter or underscore, then also digits.
func isName(text string) bool {
	for i := range len(text) {
		if !isWord(text[i]) {
			return false
		}
	}
	return text != "" && !isDigit(text[0])
}

// count returns n with the noun in the number that fits, as in "1 size" and "2 sizes".
func count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
