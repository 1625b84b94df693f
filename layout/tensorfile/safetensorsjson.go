package tensorfile

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/rules"
)

// maxDigits limits how many digits of a number are kept: more than any that counts.
const maxDigits = 32

// members reads an object; member reads a name and its value.
func (s *safetensorsReader) members(member func()) {
	s.list('{', '}', func() {
		if s.peek() != '"' {
			s.fail(s.pos(), "a name in quotes is expected here")
			return
		}
		member()
	})
}

// list reads items between brackets.
func (s *safetensorsReader) list(opening, closing byte, item func()) {
	if s.depth++; s.depth > doctree.MaxDepth {
		s.fail(s.pos(), "values nest deeper than %d levels", doctree.MaxDepth)
	}
	s.take(opening)
	s.space()
	for first := true; s.fault == nil && (!first || s.peek() != closing); first = false {
		if !first {
			s.take(',')
			s.space()
		}
		item()
		if s.space(); s.peek() == closing {
			break
		}
	}
	s.take(closing)
	s.depth--
}

// take steps over a byte that has to come next.
func (s *safetensorsReader) take(c byte) {
	if s.peek() == c {
		s.at++
		return
	}
	s.fail(s.pos(), "%q is expected here", c)
}

// colon steps over the colon behind a name, and reports whether all is well.
func (s *safetensorsReader) colon() bool {
	s.space()
	s.take(':')
	s.space()
	return s.fault == nil
}

// value steps over a value.
func (s *safetensorsReader) value() {
	switch c := s.peek(); {
	case c == '{':
		s.members(func() {
			if s.str(); s.colon() {
				s.value()
			}
		})
	case c == '[':
		s.list('[', ']', s.value)
	case c == '"':
		s.str()
	case c == '-' || '0' <= c && c <= '9':
		s.number()
	default:
		s.literal()
	}
}

// literal steps over null, true or false.
func (s *safetensorsReader) literal() {
	at := s.pos()
	s.text = s.text[:0]
	for c := s.peek(); 'a' <= c && c <= 'z' && len(s.text) < 6; c = s.peek() {
		s.text = append(s.text, c)
		s.at++
	}
	if w := string(s.text); w != "null" && w != "true" && w != "false" {
		s.fail(at, "a value is expected here")
	}
}

// number steps over a number by JSON's grammar and returns it, unless it is absurdly long.
func (s *safetensorsReader) number() []byte {
	at := s.pos()
	s.text = s.text[:0]
	s.sign("-")
	whole := s.digits()
	if len(s.text) > 1 && whole > 1 && s.text[len(s.text)-whole] == '0' {
		whole = 0
	}
	if whole > 0 && s.sign(".") {
		whole = s.digits()
	}
	if whole > 0 && s.sign("eE") {
		s.sign("+-")
		whole = s.digits()
	}
	if whole == 0 {
		s.fail(at, "this is no number")
	}
	return s.text
}

// sign steps over one of the characters, and reports whether there was one.
func (s *safetensorsReader) sign(of string) bool {
	c := s.peek()
	if c == 0 || strings.IndexByte(of, c) < 0 {
		return false
	}
	s.keep([]byte{c})
	s.at++
	return true
}

// digits steps over digits and counts them.
func (s *safetensorsReader) digits() int {
	n := 0
	for c := s.peek(); '0' <= c && c <= '9'; c = s.peek() {
		if n++; n <= maxDigits {
			s.text = append(s.text, c)
		}
		s.at++
	}
	return min(n, maxDigits)
}

// space steps over blanks. A comment is none, but what stands behind it is read all the same.
func (s *safetensorsReader) space() {
	for {
		switch c := s.peek(); c {
		case ' ', '\n', '\t', '\r':
			s.at++
		case '/':
			s.comment()
		default:
			return
		}
	}
}

// comment steps over // to the end of the line, or /* to */.
func (s *safetensorsReader) comment() {
	at := s.pos()
	s.at++
	c := s.peek()
	if c != '/' && c != '*' {
		s.fail(at, "a value is expected here")
		return
	}
	s.at++
	if !s.commented {
		s.find(rules.FileHeader, "", "", "a comment stands at byte %d: the JSON of a header has none", at)
	}
	s.commented = true
	for last := byte(0); s.more(); last = s.piece[s.at-1] {
		end := s.piece[s.at] == '\n' && c == '/' || s.piece[s.at] == '/' && c == '*' && last == '*'
		if s.at++; end {
			return
		}
	}
	if c == '*' {
		s.fail(at, "the comment does not end")
	}
}

// str reads a string into s.text, without its escapes, and returns how long it is in the file.
func (s *safetensorsReader) str() int64 {
	start, escaped := s.pos()+1, false
	s.take('"')
	s.text = s.text[:0]
	for s.more() {
		rest := s.piece[s.at:]
		n := plainBytes(rest)
		s.keep(rest[:n])
		if s.at += n; n == len(rest) {
			continue
		}
		switch rest[n] {
		case '"':
			s.at++
			s.decode(start, escaped)
			return s.pos() - 1 - start
		case '\\':
			escaped = true
			s.escape()
		default:
			s.fail(s.pos(), "a string does not hold control characters")
		}
	}
	s.fail(start-1, "the string does not end")
	return 0
}

// decode replaces escapes, and what is no UTF-8.
func (s *safetensorsReader) decode(start int64, escaped bool) {
	if !escaped && utf8.Valid(s.text) {
		return
	}
	text := doctree.Unescape(s.text)
	if len(s.text) < maxNameKept && strings.Contains(text, "\uFFFD") && !bytes.Contains(s.text, []byte("\uFFFD")) {
		s.find(rules.FileHeader, "", "", "the text at byte %d is no valid UTF-8", start)
	}
	s.text = append(s.text[:0], text...)
}

// plainBytes counts the bytes before a quote, a backslash or a control character.
func plainBytes(text []byte) int {
	for i, c := range text {
		if c == '"' || c == '\\' || c < ' ' {
			return i
		}
	}
	return len(text)
}

// keep adds to the text, as long as names are kept.
func (s *safetensorsReader) keep(b []byte) {
	s.text = append(s.text, b[:min(len(b), max(0, maxNameKept-len(s.text)))]...)
}

// escape reads a backslash and what it stands before.
func (s *safetensorsReader) escape() {
	at, digits := s.pos(), 0
	s.at++
	c := s.peek()
	if c == 'u' {
		digits = 4
	} else if c == 0 || strings.IndexByte(`"\/bfnrt`, c) < 0 {
		s.fail(at, "this is no escape of JSON")
		return
	}
	var e [6]byte
	e[0], e[1] = '\\', c
	s.at++
	for i := range digits {
		c := s.peek()
		if c == 0 || strings.IndexByte("0123456789abcdefABCDEF", c) < 0 {
			s.fail(at, "this is no escape of JSON")
			return
		}
		e[2+i] = c
		s.at++
	}
	s.keep(e[:2+digits])
}
