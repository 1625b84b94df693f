package lexer

import (
	"math"
	"strconv"
	"strings"

	"layoutcalc/layout/wording"
)

// An IntKind is a kind of integer: its name in messages, an example, and whether it may be negative or hexadecimal.
type IntKind struct {
	Noun, Example string
	Signed, Hex   bool
}

// Integer reads an integer in decimal, or in hexadecimal after 0x if the kind allows it.
func (s *Scanner) Integer(kind IntKind) (int64, error) {
	start := s.Pos
	negative := s.Take("-")
	if negative && !kind.Signed && (s.Done() || IsDigit(s.Peek())) {
		return 0, s.Fail(start, "", "%s cannot be negative", wording.Article(kind.Noun))
	}
	base := 10
	if s.Hexadecimal() > 0 && kind.Hex {
		base = 0
		s.Pos += s.Hexadecimal()
	} else if s.Span(IsDigit) == "" {
		s.Pos = start
		if rest := s.Rest(); rest != "" {
			return 0, s.Fail(start, "such as "+kind.Example, "%q is not %s", rest, wording.Article(kind.Noun))
		}
		return 0, s.Fail(start, "such as "+kind.Example, "%s is missing here", wording.Article(kind.Noun))
	}
	v, err := parseInt(s.In[start:s.Pos], base)
	if err != nil {
		return 0, s.Fail(start, "", "%s is more than 64 bits hold", wording.BigText(s.In[start:s.Pos]))
	}
	return v, nil
}

// parseInt is like strconv.ParseInt, but text has only digits of the base, after an optional minus sign. It is fast for
// numbers with few digits, which cannot overflow.
func parseInt(text string, base int) (v int64, err error) {
	if base != 10 || len(text) > 18 || text[0] == '-' {
		return strconv.ParseInt(text, base, 64)
	}
	for i := range len(text) {
		v = 10*v + int64(text[i]-'0')
	}
	return v, nil
}

// Hexadecimal returns the length of the next number if it is hexadecimal, such as 0x1F, and 0 otherwise.
func (s *Scanner) Hexadecimal() int {
	rest := s.In[s.Pos:]
	if len(rest) < 3 || rest[0] != '0' || rest[1]|0x20 != 'x' {
		return 0
	}
	n := 2
	for n < len(rest) && IsHex(rest[n]) {
		n++
	}
	if n == 2 {
		return 0
	}
	return n
}

// ParseNumber reads a nonnegative number.
func ParseNumber(text string) (int64, error) { return parseNumber(text, false) }

// ParseOffset reads an offset, which may be negative.
func ParseOffset(text string) (int64, error) { return parseNumber(text, true) }

func parseNumber(text string, signed bool) (int64, error) {
	s, err := New(text)
	if err != nil {
		return 0, err
	}
	s.Blanks()
	n, err := s.Integer(IntKind{Noun: "number", Example: "16", Signed: signed, Hex: true})
	if s.Blanks(); err == nil && !s.Done() {
		return 0, s.Fail(s.Pos, "", "%q does not belong to the number", s.Rest())
	}
	return n, err
}

// byteUnits are the letters of units of bytes, each unit 1000 or 1024 times the one before.
const byteUnits = "KMGT"

// ParseBytes reads a number of bytes, such as 4096, 256M, 1GiB or 4MB. KB, MB, GB and TB are powers of 1000; KiB, MiB,
// GiB and TiB are powers of 1024, and so are the letters K, M, G and T alone.
func ParseBytes(text string) (int64, error) {
	number, unit := byteUnit(strings.ToUpper(strings.TrimSpace(text)))
	n, err := ParseNumber(number)
	digits := number != "" && strings.Trim(number, "0123456789") == ""
	if err != nil && !digits {
		return 0, &SyntaxError{Input: text, Msg: "not a number of bytes",
			Hint: "such as 4096, 256M or 256MiB (of 1048576), or 4MB (of 1000000)"}
	}
	if err != nil || n > math.MaxInt64/unit {
		return 0, &SyntaxError{Input: text, Msg: "the number of bytes is more than 64 bits hold", Hint: "such as 256M"}
	}
	return n * unit, nil
}

// byteUnit splits a number in capital letters from its unit, which it returns in bytes. In a hexadecimal number, B is a
// digit.
func byteUnit(word string) (number string, bytes int64) {
	prefix, isBytes := strings.CutSuffix(word, "B")
	if strings.HasPrefix(word, "0X") {
		prefix, isBytes = word, false
	}
	number, isBinary := strings.CutSuffix(prefix, "I")
	power := 0
	if n := len(number); n > 0 {
		power = strings.IndexByte(byteUnits, number[n-1]) + 1
	}
	if power == 0 {
		return prefix, 1
	}
	factor := int64(1024)
	if isBytes && !isBinary {
		factor = 1000
	}
	bytes = 1
	for range power {
		bytes *= factor
	}
	return number[:len(number)-1], bytes
}

// ParseInt reads an integer as in C++ and Python: in hexadecimal, with separators, with a type suffix.
func ParseInt(text string) (int64, error) {
	text = strings.ReplaceAll(strings.ReplaceAll(strings.TrimRight(text, "uUlLzZ"), "_", ""), "'", "")
	digits, isNegative := strings.CutPrefix(text, "-")
	if len(digits) < 2 || digits[0] != '0' || digits[1]|0x20 != 'x' {
		return strconv.ParseInt(text, 10, 64)
	}
	if digits = "0" + digits[2:]; isNegative {
		digits = "-" + digits
	}
	return strconv.ParseInt(digits, 16, 64)
}
