// Package lexer reads the texts that users type and paste.
//
// A [Scanner] reads a short text, such as a list of sizes, byte by byte; a [Reader] keeps its first fault. [Lex] splits
// a long one into tokens with their places and leaves comments out; a [Cursor] is a Scanner that moves over the tokens,
// and [Marks] finds the short patterns of tokens by which a notation is recognised. A [SyntaxError] says what is wrong,
// where, and what to type. The package also reads numbers and matches globs.
package lexer

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"layoutcalc/layout/wording"
)

// MaxText is the length, in bytes, of the longest text that the parsers of this package read.
const MaxText = 64 << 10

// A SyntaxError is a fault in a text of a user: its place, and what to write instead.
type SyntaxError struct {
	Input  string // the text; empty when there is no single place to point at
	Offset int    // byte offset of the fault in Input
	Msg    string // what is wrong
	Hint   string // what to type; may be empty
	Change Change // what the hint says, in parts
}

// A Change is one change of a command line.
type Change struct {
	Typed, Word string // write Word in place of Typed, which is at the fault or, without a text, an argument or a flag
	Before      int    // how many bytes of Typed are before the fault
	LeaveOut    string // this flag, and its value
	Flag, Value string // give this flag
}

// Error returns the message alone; whoever prints it adds the place and the hint.
func (e *SyntaxError) Error() string { return e.Msg }

// In returns the error at an offset of another text.
func (e *SyntaxError) In(text string, offset int) *SyntaxError {
	moved := *e
	moved.Input, moved.Offset = text, offset
	return &moved
}

// DidYouMean returns the error with a hint that asks whether a word was meant by the one that is typed, unless the word
// is empty or the same.
func (e *SyntaxError) DidYouMean(typed, word string) *SyntaxError {
	if word != "" && word != typed {
		e.Hint, e.Change = "did you mean "+word+"?", Change{Typed: typed, Word: word}
	}
	return e
}

// LeaveOut returns the error with the hint to leave out a flag.
func (e *SyntaxError) LeaveOut(flag string) *SyntaxError {
	e.Hint, e.Change = "leave out "+flag, Change{LeaveOut: flag}
	return e
}

// Refuse returns a SyntaxError that points at no place.
//
//go:noinline
func Refuse(hint, format string, args ...any) *SyntaxError {
	return &SyntaxError{Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// A Scanner reads a text from left to right.
type Scanner struct {
	In  string
	Pos int
}

// New refuses a text that is longer than MaxText.
func New(text string) (*Scanner, error) {
	if len(text) > MaxText {
		return nil, TooLong(text)
	}
	return &Scanner{In: text}, nil
}

// TooLong returns the error of a text that is longer than MaxText.
func TooLong(text string) error {
	return Refuse("", "the input has %d bytes, more than the limit of %d", len(text), MaxText)
}

// Peek returns the next byte, 0 at the end. It may be a blank.
//
//go:noinline
func (s *Scanner) Peek() byte {
	if s.Pos < len(s.In) {
		return s.In[s.Pos]
	}
	return 0
}

// Done reports whether all is read.
func (s *Scanner) Done() bool { return s.Pos == len(s.In) }

// Blanks steps over blanks and line ends.
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

// Take steps over prefix if it comes next, in any case.
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

// startsLike reports whether two texts may be the same in any case, as far as their first bytes say.
func startsLike(a, b string) bool {
	return a == "" || b == "" || (a[0]^b[0])&^0x20 == 0 || a[0]|b[0] >= utf8.RuneSelf
}

// Span steps over the bytes that is accepts and returns them.
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

// Unknown returns the error of a word that is not one of the known words. Messages call the kind of word what.
func Unknown(what, word string, known []string) *SyntaxError {
	err := &SyntaxError{Input: word, Msg: "unknown " + what, Hint: "one of " + strings.Join(known, ", ")}
	return err.DidYouMean(word, wording.Likely(word, known))
}
