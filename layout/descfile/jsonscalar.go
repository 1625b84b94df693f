package descfile

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// str steps over a string and returns where its text starts, and whether it has escapes.
func (p *jsonParser) str() (start int, escaped bool) {
	start = p.pos + 1
	for i := start; i < len(p.data); i++ {
		switch c := p.data[i]; {
		case c == '"':
			p.pos = i + 1
			return start, escaped
		case c == '\\':
			escaped = true
			i++
		case c < ' ':
			p.fail(i, "a string does not hold control characters: write \\n, \\t or \\u00..")
			return start, escaped
		}
	}
	p.fail(start-1, "the string does not end")
	return start, escaped
}

// number reads a number by JSON's grammar.
func (p *jsonParser) number(i int32) {
	start := p.pos
	if p.peek() == '-' {
		p.pos++
	}
	whole := p.digits()
	leading := whole > 1 && p.data[p.pos-whole] == '0'
	if whole > 0 && p.peek() == '.' {
		p.pos++
		whole = p.digits()
	}
	if whole > 0 && p.peek()|0x20 == 'e' {
		p.pos++
		if c := p.peek(); c == '+' || c == '-' {
			p.pos++
		}
		whole = p.digits()
	}
	if whole == 0 || leading {
		p.fail(start, "this is no number")
		return
	}
	p.t.nodes[i].kind, p.t.nodes[i].end = Number, uint32(p.pos)
}

// digits steps over digits and returns how many there are.
func (p *jsonParser) digits() int {
	start := p.pos
	for p.pos < len(p.data) && '0' <= p.data[p.pos] && p.data[p.pos] <= '9' {
		p.pos++
	}
	return p.pos - start
}

// word reads null, true or false.
func (p *jsonParser) word(i int32) {
	for _, w := range [...]struct {
		text string
		kind Kind
	}{{"null", Null}, {"true", Bool}, {"false", Bool}} {
		if bytes.HasPrefix(p.data[p.pos:], []byte(w.text)) {
			p.pos += len(w.text)
			p.t.nodes[i].kind, p.t.nodes[i].end = w.kind, uint32(p.pos)
			return
		}
	}
	if p.pos == len(p.data) {
		p.fail(p.pos, "the text ends where a value is expected")
		return
	}
	p.fail(p.pos, "this is no value")
}

// unescape returns a string without its escapes. What is no UTF-8 becomes U+FFFD.
func unescape(raw []byte) string {
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
			b = append(b, escapedByte(raw[i]))
			continue
		}
		r, n := escapedRune(raw[i+1:])
		b = utf8.AppendRune(b, r)
		i += n
	}
	return string(bytes.ToValidUTF8(b, []byte("\uFFFD")))
}

// escapedByte returns what a letter behind a backslash stands for.
func escapedByte(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r':
		return '\r'
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	}
	return c
}

// escapedRune reads the four digits behind \u, and those of a second half if there is one.
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
