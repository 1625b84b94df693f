package tensorfile

import "fmt"

// A scanner reads a text from left to right.
type scanner struct {
	In  string
	Pos int
}

// Peek returns the next byte, 0 at the end.
func (s *scanner) Peek() byte {
	if s.Pos < len(s.In) {
		return s.In[s.Pos]
	}
	return 0
}

// Done reports whether all is read.
func (s *scanner) Done() bool { return s.Pos == len(s.In) }

// Span skips the bytes that is accepts and returns them.
func (s *scanner) Span(is func(byte) bool) string {
	start := s.Pos
	for s.Pos < len(s.In) && is(s.In[s.Pos]) {
		s.Pos++
	}
	return s.In[start:s.Pos]
}

// isWord reports whether a byte is a letter, a digit or an underscore.
func isWord(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' }

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

// count returns n with the noun in the number that fits, as in "1 byte" and "2 bytes".
func count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
