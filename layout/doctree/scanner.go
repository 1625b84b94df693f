package doctree

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxDepth limits the nesting of values.
const MaxDepth = 64

// A Fault is the reason why an input cannot be read, with the offset of the byte.
type Fault struct {
	Offset int
	Msg    string
}

// Error returns the message.
func (f *Fault) Error() string { return f.Msg }

// A Scanner reads a JSON input from left to right and keeps nothing of it. Its caller goes through the values:
//
//	switch s.Next() {
//	case Object:
//		for s.Enter(); s.More(); {
//			s.Key()
//			... // use s.Token and s.Text, then read the value
//		}
//	case Array:
//		for s.Enter(); s.More(); {
//			... // read the item
//		}
//	default:
//		s.Scalar()
//	}
//
// Comments, as in JavaScript, count as whitespace. The first error ends the input: after it there are no values and no
// more items.
type Scanner struct {
	Token                        // the last key or scalar
	Strict  bool                 // reject commas before a closing bracket, and escapes that JSON does not have
	Comment func(start, end int) // called with the bounds of each comment; may be nil
	Refill  func() []byte        // returns the next piece of the input, in the same memory or other; nil at its end

	data    []byte // the current piece of the input
	base    int    // its offset in the text
	pos     int    // the next byte in it
	depth   int
	opened  [MaxDepth]int // the offsets of the open brackets
	objects uint64        // bit d is set if the open bracket at depth d is an object's
	closing byte          // the bracket that closes the innermost list or object
	first   bool          // the bracket was the last thing read
	fault   *Fault

	joined   []byte // the text of a token in several pieces, or nil
	isJoined bool
}

// A Token is a key or a scalar of JSON.
type Token struct {
	Start, End int   // its offsets in the input; for a string and a key, without the quotes
	Escaped    bool  // a string or a key has escapes
	Whole      bool  // a number is an integer that fits in 64 bits, without a fraction or an exponent
	Int        int64 // its value
}

// maxJoined limits the bytes kept of a string in several pieces.
const maxJoined = 1 << 16

// Reset starts a new input, or a piece of one that starts at the offset.
func (s *Scanner) Reset(data []byte, offset int) {
	s.data, s.base, s.pos, s.depth, s.fault = data, offset, 0, 0, nil
}

// Fault returns the first error, or nil.
func (s *Scanner) Fault() *Fault { return s.fault }

// Fail ends the input with an error at the offset, unless an error has ended it before.
func (s *Scanner) Fail(offset int, msg string) {
	if s.fault == nil {
		s.fault = &Fault{offset, msg}
	}
	s.base, s.data, s.pos = s.Offset(), nil, 0
}

// Offset returns the offset of the next byte in the text.
func (s *Scanner) Offset() int { return s.base + s.pos }

// Text returns the last key or scalar as written, without quotes. It is valid until the next one is read. For a string
// in several pieces, it may be only the start.
func (s *Scanner) Text() []byte {
	switch {
	case s.fault != nil:
		return nil
	case s.isJoined:
		return s.joined
	}
	return s.data[max(0, s.Start-s.base) : s.End-s.base]
}

// peek returns the next byte, or 0 at the end of the input.
func (s *Scanner) peek() byte {
	if s.pos < len(s.data) || s.refill() {
		return s.data[s.pos]
	}
	return 0
}

// refill reads the next piece of the input. It reports false at the end.
func (s *Scanner) refill() bool {
	if s.Refill == nil || s.fault != nil {
		return false
	}
	s.base += len(s.data)
	s.data, s.pos = s.Refill(), 0
	return len(s.data) > 0
}

// spaces are the first bytes of whitespace and comments, and the byte after the end.
var spaces = [256]bool{' ': true, '\n': true, '\t': true, '\r': true, '/': true, 0: true}

// blank reports whether a byte is whitespace.
func blank(c byte) bool { return spaces[c] && c != '/' && c != 0 }

// next skips whitespace and comments and returns the byte after them, or 0 at the end.
func (s *Scanner) next() (c byte) {
	if s.pos < len(s.data) {
		c = s.data[s.pos]
	}
	if spaces[c] {
		c = s.space()
	}
	return
}

// space is like next, after a byte of spaces.
func (s *Scanner) space() byte {
	for {
		switch c := s.peek(); {
		case blank(c):
			s.pos++
		case c == '/':
			s.comment()
		default:
			return c
		}
	}
}

// comment skips // to the end of the line, or /* to */.
func (s *Scanner) comment() {
	start := s.Offset()
	s.pos++
	kind := s.peek()
	if kind != '/' && kind != '*' {
		s.Fail(start, "expected a value")
		return
	}
	s.pos++
	closed := false
	for last := byte(0); !closed && (s.pos < len(s.data) || s.refill()); s.pos++ {
		c := s.data[s.pos]
		if kind == '/' && c == '\n' {
			closed = true
			break
		}
		closed = kind == '*' && last == '*' && c == '/'
		last = c
	}
	if !closed && kind == '*' {
		s.Fail(start, "the comment does not end")
	} else if s.Comment != nil {
		s.Comment(start, s.Offset())
	}
}

// kinds maps the first byte of a value to its kind.
var kinds = [256]Kind{
	'{': Object, '[': Array, '"': String, 't': Bool, 'f': Bool, '-': Number, '0': Number, '1': Number, '2': Number,
	'3': Number, '4': Number, '5': Number, '6': Number, '7': Number, '8': Number, '9': Number,
}

// Next returns the kind of the next value, or Null after an error. A missing value is an error.
func (s *Scanner) Next() Kind {
	c := s.next()
	kind := kinds[c]
	if kind == Null && c != 'n' {
		s.expected("a value")
	}
	return kind
}

// expected ends the input with an error, because it has something else or ends.
func (s *Scanner) expected(what string) {
	switch isEnd := s.pos == len(s.data); {
	case isEnd && s.depth > 0:
		f := unclosed(s.opened[s.depth-1], s.closing-2) // in ASCII, one character is between the brackets
		s.Fail(f.Offset, f.Msg)
	case isEnd:
		s.Fail(s.Offset(), "the text ends where "+what+" is expected")
	default:
		s.Fail(s.Offset(), "expected "+what)
	}
}

// unclosed returns the Fault for an opening bracket at an offset that nothing closes.
func unclosed(offset int, bracket byte) *Fault {
	return &Fault{offset, strconv.Quote(string(bracket)) + " is not closed"}
}

// Enter enters the list or the object that comes next.
func (s *Scanner) Enter() {
	if s.depth == MaxDepth {
		s.Fail(s.Offset(), tooDeep)
		return
	}
	s.objects <<= 1
	if s.closing = ']'; s.peek() == '{' {
		s.objects |= 1
		s.closing = '}'
	}
	s.opened[s.depth] = s.Offset()
	s.depth++
	s.pos++
	s.first = true
}

// More reports whether a list has another item, or an object another member, and skips the comma before it. At the end,
// it skips the closing bracket.
func (s *Scanner) More() bool {
	c := s.next()
	switch {
	case s.first:
		s.first = false
	case c == ',':
		s.pos++
		if c = s.next(); s.Strict {
			return s.fault == nil
		}
	case c != s.closing:
		s.expected("a comma or " + string(s.closing))
		return false
	}
	if c != s.closing {
		return s.fault == nil
	}
	s.pos++
	s.depth--
	s.objects >>= 1
	if s.closing = ']'; s.objects&1 != 0 {
		s.closing = '}'
	}
	return false
}

// Key reads the name of a member, and the colon after it.
func (s *Scanner) Key() {
	if s.next() != '"' {
		s.expected("a name in quotes")
		return
	}
	s.str()
	if s.Refill != nil && (s.pos == len(s.data) || s.data[s.pos] != ':') {
		s.joined = append(s.joined[:0], s.Text()...) // the next piece may replace this one
		s.isJoined = true
	}
	if s.next() != ':' {
		s.expected("a colon after the name")
		return
	}
	s.pos++
}

// Scalar reads a value that is not a list or an object.
func (s *Scanner) Scalar() {
	switch c := s.next(); c {
	case '"':
		s.str()
	case 't', 'f', 'n':
		s.word(c)
	default:
		s.number()
	}
}

// Skip reads any value.
func (s *Scanner) Skip() {
	switch s.Next() {
	case Object:
		for s.Enter(); s.More(); {
			s.Key()
			s.Skip()
		}
	case Array:
		for s.Enter(); s.More(); {
			s.Skip()
		}
	default:
		s.Scalar()
	}
}

// str reads a string.
func (s *Scanner) str() {
	s.pos++
	s.Start, s.Escaped, s.Whole, s.isJoined = s.Offset(), false, false, false
	from := s.pos
	if s.pos += plain(s.data[from:]); s.pos < len(s.data) && s.data[s.pos] == '"' {
		s.End = s.Offset()
		s.pos++
		return
	}
	s.joined = s.joined[:0]
	s.longString(from)
}

// longString continues to read a string that has escapes or is in several pieces.
func (s *Scanner) longString(from int) {
	for {
		s.pos += plain(s.data[s.pos:])
		switch s.inside(&from) {
		case '"':
			s.End = s.Offset()
			if s.isJoined = len(s.joined) > 0; s.isJoined {
				s.join(s.data[from:s.pos])
			}
			s.pos++
			return
		case '\\':
			s.Escaped = true
			if s.escape(&from); s.fault != nil {
				return
			}
		case 0:
			if s.pos == len(s.data) {
				s.Fail(s.Start-1, "the string does not end")
				return
			}
			fallthrough
		default:
			if s.data[s.pos] < ' ' {
				s.Fail(s.Offset(), "a string does not hold control characters: write \\n, \\t or \\u00..")
				return
			}
		}
	}
}

// inside returns the next byte of a string, or 0 at the end of the input; from is the start of its part in this piece.
func (s *Scanner) inside(from *int) byte {
	if s.pos < len(s.data) {
		return s.data[s.pos]
	}
	s.join(s.data[*from:])
	*from = 0
	return s.peek()
}

// join keeps a part of a string that continues in another piece.
func (s *Scanner) join(part []byte) {
	s.joined = append(s.joined, part[:min(len(part), max(0, maxJoined-len(s.joined)))]...)
}

// escape skips a backslash and the byte after it and, if the scanner is strict, the four digits after \u.
func (s *Scanner) escape(from *int) {
	start := s.Offset()
	s.pos++
	c := s.inside(from)
	valid := c != 0 && strings.IndexByte(`"\/bfnrtu`, c) >= 0
	s.pos = min(s.pos+1, len(s.data))
	if !s.Strict {
		return
	}
	for i := 0; i < 4 && valid && c == 'u'; i++ {
		h := s.inside(from)
		valid = h != 0 && strings.IndexByte("0123456789abcdefABCDEF", h) >= 0
		s.pos = min(s.pos+1, len(s.data))
	}
	if !valid {
		s.Fail(start, "this is not an escape of JSON")
	}
}

// plain counts the bytes before a quote, a backslash or a control character. It looks at 8 at once: subtracting a limit
// of up to 128 from a smaller byte sets its highest bit if it was clear. Borrows may set the highest bits of later
// bytes too, but the lowest one that is set is right. With one bit inverted, the quote and the control characters are
// the bytes below one limit.
func plain(text []byte) int {
	const ones = 0x0101010101010101
	i := 0
	for ; i+8 <= len(text); i += 8 {
		x := binary.LittleEndian.Uint64(text[i:])
		quote, back := x^(ones*2), x^(ones*'\\')
		found := ((quote-ones*('"'^2+1))&^quote | (back-ones)&^back) & (ones << 7)
		if found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(text) && text[i] != '"' && text[i] != '\\' && text[i] >= ' ' {
		i++
	}
	return i
}

// number reads a number.
func (s *Scanner) number() {
	s.Start, s.Escaped, s.isJoined = s.Offset(), false, false
	negative := s.peek() == '-'
	if negative {
		s.pos++
	}
	leading := s.peek() == '0'
	count, n, fits := s.digits()
	valid := count == 1 || count > 1 && !leading
	if !negative {
		fits, n = fits && n != math.MinInt64, -n
	}
	c := s.peek()
	if valid && c == '.' {
		s.pos++
		count, _, _ = s.digits()
		valid, fits, c = count > 0, false, s.peek()
	}
	if valid && c|0x20 == 'e' {
		if s.pos++; s.peek() == '+' || s.peek() == '-' {
			s.pos++
		}
		count, _, _ = s.digits()
		valid, fits = count > 0, false
	}
	if !valid {
		s.Fail(s.Start, "this is not a number")
		return
	}
	s.Int, s.Whole, s.End = n, fits, s.Offset()
}

// digits skips digits. It returns their number, and their value as a negative number if it fits in 64 bits.
func (s *Scanner) digits() (count int, n int64, fits bool) {
	fits = true
	for {
		data, i := s.data, s.pos
		for ; i < len(data); i++ {
			digit := data[i] - '0'
			if digit > 9 {
				break
			}
			if count++; count > 18 && (n < math.MinInt64/10 || n*10 < math.MinInt64+int64(digit)) {
				fits = false
			}
			n = n*10 - int64(digit)
		}
		if s.pos = i; i < len(data) || !s.refill() {
			return count, n, fits
		}
	}
}

// word reads null, true or false; c is its first letter.
func (s *Scanner) word(c byte) {
	s.Start, s.Escaped, s.Whole = s.Offset(), false, false
	word := "null"
	switch c {
	case 't':
		word = "true"
	case 'f':
		word = "false"
	}
	for i := range len(word) {
		if s.peek() != word[i] {
			s.Fail(s.Start, "expected a value")
			return
		}
		s.pos++
	}
	s.End = s.Offset()
	s.joined, s.isJoined = append(s.joined[:0], word...), true
}

// Unescape returns a string with its escapes resolved. Invalid UTF-8 becomes U+FFFD.
func Unescape(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(bytes.ToValidUTF8(raw, []byte("\uFFFD")))
	}
	var b []byte
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			b = append(b, raw[i])
			continue
		}
		if i++; raw[i] != 'u' {
			c := raw[i]
			if k := strings.IndexByte("ntrbf", c); k >= 0 {
				c = "\n\t\r\b\f"[k]
			}
			b = append(b, c)
			continue
		}
		r, n := escapedRune(raw[i+1:])
		b = utf8.AppendRune(b, r)
		i += n
	}
	return string(bytes.ToValidUTF8(b, []byte("\uFFFD")))
}

// escapedRune reads the four digits after \u, and a second surrogate if there is one.
func escapedRune(raw []byte) (r rune, n int) {
	high, ok := hexRune(raw)
	if !ok {
		return utf8.RuneError, 0
	}
	if utf16.IsSurrogate(high) && len(raw) >= 10 && raw[4] == '\\' && raw[5] == 'u' {
		if low, ok := hexRune(raw[6:]); ok {
			return utf16.DecodeRune(high, low), 10
		}
	}
	return high, 4
}

func hexRune(raw []byte) (rune, bool) {
	if len(raw) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(raw[:4]), 16, 16)
	return rune(n), err == nil
}
