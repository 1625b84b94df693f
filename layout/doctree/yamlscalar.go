package doctree

import "bytes"

// A yamlScalar is where a scalar stands, without its quotes.
type yamlScalar struct {
	start, end uint32
	form       form
	escaped    bool
}

// scalar reads a scalar, or a key in brackets.
func (p *yamlParser) scalar() yamlScalar {
	switch p.peek(0) {
	case '"':
		return p.double()
	case '\'':
		return p.single()
	}
	p.refuse()
	s := yamlScalar{uint32(p.pos), uint32(p.plainEnd()), unquoted, false}
	if s.start >= s.end && p.fault == nil {
		p.fail(p.pos, "a value is expected here")
		return yamlScalar{}
	}
	p.pos = max(p.pos, int(s.end))
	return s
}

// refuse fails where something starts that is more than a plain scalar.
func (p *yamlParser) refuse() {
	c := p.peek(0)
	if c == '-' || c == '?' || c == ':' {
		if !p.indicator() {
			return
		}
	}
	if msg := notRead(c); msg != "" {
		p.fail(p.pos, msg)
	}
}

// notRead says what is wrong with a value that starts with the byte; nothing where that is a text.
func notRead(c byte) string {
	switch c {
	case '&':
		return "anchors (&name) are not read: write the value where it belongs"
	case '*':
		return "aliases (*name) are not read: write the value in full"
	case '!':
		return "tags (!name) are not read: leave it out, or put the text in quotes"
	case '|', '>':
		return "texts over several lines (| and >) are not read: write one line"
	case '%', '@', '`':
		return "no value starts with this character: put it in quotes"
	case '-':
		return noItemHere
	case '?':
		return "keys behind ? are not read: write key: value"
	case ':':
		return "a key is missing before the colon"
	case ',', ']', '}', '[', '{':
		return "a value is expected here"
	}
	return ""
}

// indicator reports whether the byte here does not start a text, from what stands behind it.
func (p *yamlParser) indicator() bool {
	return blank(p.peek(1)) || p.brackets > 0 && bracket(p.peek(1))
}

func bracket(c byte) bool { return bytes.IndexByte([]byte(",[]{}"), c) >= 0 }

// plainEnd returns where a scalar without quotes ends that starts here.
func (p *yamlParser) plainEnd() int {
	end := p.pos
	for i := p.pos; i < len(p.data); i++ {
		c := p.data[i]
		switch {
		case c == ' ' || c == '\t':
			continue
		case c == '\n' || c == '\r':
			return end
		case c == '#' && i > p.pos && blank(p.data[i-1]):
			return end
		case c == ':' && (i+1 == len(p.data) || blank(p.data[i+1]) || p.brackets > 0 && bracket(p.data[i+1])):
			return end
		case p.brackets > 0 && bracket(c):
			return end
		}
		end = i + 1
	}
	return end
}

// double reads a text in double quotes, with the escapes that JSON has.
func (p *yamlParser) double() yamlScalar {
	s := yamlScalar{start: uint32(p.pos + 1)}
	for i := p.pos + 1; i < len(p.data) && p.data[i] != '\n' && p.data[i] != '\r'; i++ {
		switch p.data[i] {
		case '"':
			p.pos, s.end = i+1, uint32(i)
			return s
		case '\\':
			s.escaped = true
			if msg := badEscape(p.data[i+1:]); msg != "" {
				p.fail(i, msg)
				return s
			}
			i++
		}
	}
	p.fail(p.pos, "the text in quotes does not end on its line")
	return s
}

// badEscape says what is wrong with an escape, from what stands behind its backslash.
func badEscape(behind []byte) string {
	if len(behind) == 0 || bytes.IndexByte([]byte(`"\/bfnrtu`), behind[0]) < 0 {
		return `there is no such escape: \" \\ \/ \b \f \n \r \t and \u0000 are all`
	}
	if behind[0] != 'u' {
		return ""
	}
	for i := 1; i < 5; i++ {
		if i >= len(behind) || bytes.IndexByte([]byte("0123456789abcdefABCDEF"), behind[i]) < 0 {
			return "four hexadecimal digits are expected behind \\u"
		}
	}
	if behind[1]|0x20 == 'd' && behind[2] > '7' {
		return "half a character is none: write the character itself"
	}
	return ""
}

// single reads a text in single quotes.
func (p *yamlParser) single() yamlScalar {
	s := yamlScalar{start: uint32(p.pos + 1), form: singleQuoted}
	for i := p.pos + 1; i < len(p.data) && p.data[i] != '\n' && p.data[i] != '\r'; i++ {
		switch {
		case p.data[i] != '\'':
		case i+1 < len(p.data) && p.data[i+1] == '\'':
			s.escaped = true
			i++
		default:
			p.pos, s.end = i+1, uint32(i)
			return s
		}
	}
	p.fail(p.pos, "the text in quotes does not end on its line")
	return s
}

// isKey reports whether a key stands here, with a colon behind it.
func (p *yamlParser) isKey() bool {
	q := *p
	var end int
	switch q.peek(0) {
	case '"':
		q.double()
		end = q.pos
	case '\'':
		q.single()
		end = q.pos
	case '[', '{':
		return false
	default:
		end = q.plainEnd()
	}
	if q.fault != nil || q.done() && end == q.pos {
		return false
	}
	for q.pos = end; q.peek(0) == ' ' || q.peek(0) == '\t'; q.pos++ {
	}
	return q.peek(0) == ':' && blank(q.peek(1))
}

// key reads a key on a line of its own, and the colon behind it.
func (p *yamlParser) key() yamlScalar {
	at := p.pos
	if !p.isKey() {
		p.scalar() // what is wrong with it comes first
		p.fail(at, "a key with a colon and a blank behind it is expected here")
		return yamlScalar{}
	}
	s := p.scalar()
	p.checkKey(s)
	for p.peek(0) == ' ' || p.peek(0) == '\t' {
		p.pos++
	}
	p.pos = min(p.pos+1, len(p.data))
	return s
}

// checkKey refuses keys that are none.
func (p *yamlParser) checkKey(s yamlScalar) {
	switch {
	case p.fault != nil:
	case s.end-s.start > maxKey:
		p.fail(int(s.start), longKey)
	case s.form == unquoted && string(p.data[s.start:s.end]) == "<<":
		p.fail(int(s.start), "merge keys (<<) are not read: write the values in full")
	}
}

// scalarKind tells what a scalar without quotes is.
func scalarKind(text []byte) Kind {
	switch string(text) {
	case "~", "null", "Null", "NULL":
		return Null
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return Bool
	}
	digits := bytes.TrimPrefix(text, []byte("-"))
	for _, c := range digits {
		if c < '0' || c > '9' {
			return String
		}
	}
	if zeroLed(digits) || len(digits) == 0 {
		return String
	}
	return Number
}
