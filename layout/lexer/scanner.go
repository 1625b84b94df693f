// Package lexer reads the inputs that users type and paste.
//
// A [Scanner] reads a short input, such as a list of sizes, byte by byte; a [Reader] also keeps its first error. [Lex]
// splits a long input into tokens with their offsets and skips comments; a [Cursor] is a Scanner that moves over the
// tokens. [Marks] finds the short patterns of tokens that identify a notation. A [SyntaxError] states the problem, its
// offset, and what to type instead. The package also reads numbers and matches globs.
package lexer

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"layoutcalc/layout/wording"
)

// MaxText is the maximum length, in bytes, of an input that the parsers of this package read.
const MaxText = 64 << 10

// A SyntaxError is an error in an input of the user, with its offset and a hint.
type SyntaxError struct {
	Input  string // the input; empty if the error has no position
	Offset int    // byte offset of the error in Input
	Msg    string // the problem
	Hint   string // what to type; may be empty
	Change Change // the change that the hint describes
}

// A Change is one change of a command line.
type Change struct {
	Typed, Word string // write Word instead of Typed; without Input, Typed is an argument or a flag
	Before      int    // the number of bytes of Typed before the error
	LeaveOut    string // omit this flag and its value
	Flag, Value string // add this flag
}

// Error returns only the message; the caller prints the position and the hint.
func (e *SyntaxError) Error() string { return e.Msg }

// In returns the error at an offset of another input.
func (e *SyntaxError) In(text string, offset int) *SyntaxError {
	moved := *e
	moved.Input, moved.Offset = text, offset
	return &moved
}

// DidYouMean returns the error with a hint that suggests word instead of typed, unless word is empty or equal to typed.
func (e *SyntaxError) DidYouMean(typed, word string) *SyntaxError {
	if word != "" && word != typed {
		e.Hint, e.Change = "did you mean "+word+"?", Change{Typed: typed, Word: word}
	}
	return e
}

// LeaveOut returns the error with the hint to omit a flag.
func (e *SyntaxError) LeaveOut(flag string) *SyntaxError {
	e.Hint, e.Change = "remove "+flag, Change{LeaveOut: flag}
	return e
}

// Refuse returns a SyntaxError without a position.
//
//go:noinline
func Refuse(hint, format string, args ...any) *SyntaxError {
	return &SyntaxError{Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// A Scanner reads an input from left to right.
type Scanner struct {
	In  string
	Pos int
}

// New returns a scanner of text, or an error if text is longer than MaxText.
func New(text string) (*Scanner, error) {
	if len(text) > MaxText {
		return nil, TooLong(text)
	}
	return &Scanner{In: text}, nil
}

// TooLong returns the error for text, which is longer than MaxText.
func TooLong(text string) error {
	return Refuse("", "the input has %d bytes, more than the limit of %d", len(text), MaxText)
}

// Peek returns the next byte, which may be a space, or 0 at the end.
//
//go:noinline
func (s *Scanner) Peek() byte {
	if s.Pos < len(s.In) {
		return s.In[s.Pos]
	}
	return 0
}

// Done reports whether the scanner is at the end.
func (s *Scanner) Done() bool { return s.Pos == len(s.In) }

// Blanks skips spaces, tabs and line ends.
func (s *Scanner) Blanks() {
	for {
		switch s.Peek() {
		case ' ', '\t', '\r', '\n':
			s.Pos++
		default:
			return
		}
	}
}

// Take skips prefix if it comes next, ignoring case, and reports whether it did.
func (s *Scanner) Take(prefix string) bool {
	if len(s.In)-s.Pos < len(prefix) {
		return false
	}
	next := s.In[s.Pos : s.Pos+len(prefix)]
	if !startsLike(next, prefix) || next != prefix && !strings.EqualFold(next, prefix) {
		return false
	}
	s.Pos += len(prefix)
	return true
}

// startsLike reports whether the first bytes of two strings allow them to be equal, ignoring case.
func startsLike(a, b string) bool {
	return a == "" || b == "" || (a[0]^b[0])&^0x20 == 0 || a[0]|b[0] >= utf8.RuneSelf
}

// Span skips bytes while is reports true for them, and returns them.
func (s *Scanner) Span(is func(byte) bool) string {
	start := s.Pos
	for s.Pos < len(s.In) && is(s.In[s.Pos]) {
		s.Pos++
	}
	return s.In[start:s.Pos]
}

// Rest returns the next word, clipped, for messages.
func (s *Scanner) Rest() string {
	rest := s.In[s.Pos:]
	if i := strings.IndexAny(rest, " \t\r\n,"); i > 0 {
		rest = rest[:i]
	}
	return wording.Clip(rest)
}

// Fail returns an error at the given offset.
func (s *Scanner) Fail(at int, hint, format string, args ...any) *SyntaxError {
	return &SyntaxError{Input: s.In, Offset: at, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

func IsDigit(c byte) bool  { return '0' <= c && c <= '9' }
func IsLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func IsHex(c byte) bool    { return IsDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }
func IsWord(c byte) bool   { return IsLetter(c) || IsDigit(c) || c == '_' }

// IsName reports whether text can name an axis: a letter or underscore, then also digits.
func IsName(text string) bool {
	for i := range len(text) {
		if !IsWord(text[i]) {
			return false
		}
	}
	return text != "" && !IsDigit(text[0])
}

// Unknown returns the error for a word that is not one of the known words. Messages call the kind of word what.
func Unknown(what, word string, known []string) *SyntaxError {
	err := &SyntaxError{Input: word, Msg: "unknown " + what, Hint: "one of " + strings.Join(known, ", ")}
	return err.DidYouMean(word, wording.Likely(word, known))
}
