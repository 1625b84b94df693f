package tensorfile

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/rules"
)

// npyKeys are the members of the dictionary; it has these and no others.
var npyKeys = [...]string{"descr", "fortran_order", "shape"}

// An npyParser reads the dictionary of a .npy file: as much of Python's literals as it needs.
type npyParser struct {
	t     *tensorFile
	text  []byte
	pos   int
	base  int64 // where the text starts in the file
	major byte  // the version
	h     npyHeader
}

// fail notes a fault and moves to the end.
func (p *npyParser) fail(at int, format string, args ...any) {
	p.t.fail(p.base+int64(at), format, args...)
	p.pos = len(p.text)
}

// peek returns the next byte, 0 at the end.
func (p *npyParser) peek() byte {
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

// space steps over blanks and comments.
func (p *npyParser) space() {
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; {
		case strings.IndexByte(" \t\n\r\f", c) >= 0:
			p.pos++
		case c == '#':
			length := bytes.IndexByte(p.text[p.pos:], '\n')
			if length < 0 {
				length = len(p.text) - p.pos
			}
			p.pos += length
		default:
			return
		}
	}
}

// take steps over a byte and the blanks before it, if it comes next.
func (p *npyParser) take(c byte) bool {
	p.space()
	if p.peek() != c || p.pos == len(p.text) {
		return false
	}
	p.pos++
	return true
}

// dict reads the dictionary, behind which nothing may stand.
func (p *npyParser) dict() {
	if !p.take('{') {
		p.fail(p.pos, "the header is no dictionary: { is expected here")
		return
	}
	for !p.take('}') {
		p.member()
		if !p.take(',') && p.peek() != '}' {
			p.fail(p.pos, "a comma or } is expected here")
		}
		if p.t.fault != nil {
			return
		}
	}
	if p.space(); p.pos < len(p.text) {
		p.fail(p.pos, "something stands behind the dictionary")
	}
	for i, has := range p.h.has {
		if !has {
			p.fail(0, "the header does not say %s", npyKeys[i])
		}
	}
}

// member reads a key and its value. As in Python, the last of several values counts.
func (p *npyParser) member() {
	p.space()
	at := p.pos
	key := p.str("a key in quotes")
	if !p.take(':') {
		p.fail(p.pos, "a colon is expected behind the key")
		return
	}
	p.space()
	for i, k := range npyKeys {
		if k != key {
			continue
		}
		if p.h.has[i] {
			p.t.findAs(rules.FileHeader, rules.Warning, "", "", "the header says %s twice: the last counts", k)
		}
		p.h.has[i] = true
		p.value(i)
		return
	}
	p.fail(at, "a header has descr, fortran_order and shape, and not %s", quoted(key))
}

// value reads the value of a key.
func (p *npyParser) value(key int) {
	switch npyKeys[key] {
	case "descr":
		p.h.descrAt = p.base + int64(p.pos)
		if c := p.peek(); c == '[' || c == '(' {
			p.fail(p.pos, "structured types are not read: save each field as an array of its own")
			return
		}
		p.h.descr = p.str("a type such as '<f4'")
	case "shape":
		p.shape()
	default:
		p.truth()
	}
}

// str reads a text in quotes. Escapes are not read: no type and no key needs them.
func (p *npyParser) str(what string) string {
	quote, start := p.peek(), p.pos+1
	if quote != '\'' && quote != '"' {
		p.fail(p.pos, "%s is expected here", what)
		return ""
	}
	length := bytes.IndexByte(p.text[start:], quote)
	if length < 0 || bytes.IndexByte(p.text[start:start+length], '\n') >= 0 {
		p.fail(p.pos, "the text does not end")
		return ""
	}
	if i := bytes.IndexByte(p.text[start:start+length], '\\'); i >= 0 {
		p.fail(start+i, "escapes are not read here")
		return ""
	}
	p.pos = start + length + 1
	return string(p.text[start : start+length])
}

// truth reads True or False.
func (p *npyParser) truth() {
	at := p.pos
	switch word := p.word(); word {
	case "True", "False":
		p.h.fortran = word == "True"
	default:
		p.fail(at, "True or False is expected here")
	}
}

// word steps over letters, digits and underscores.
func (p *npyParser) word() string {
	start := p.pos
	for c := p.peek(); '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_'; c = p.peek() {
		p.pos++
	}
	return string(p.text[start:p.pos])
}

// shape reads a tuple of integers. One size alone needs a comma.
func (p *npyParser) shape() {
	at := p.pos
	if !p.take('(') {
		p.fail(p.pos, "the shape is no tuple: ( is expected here")
		return
	}
	p.h.shape = nil
	comma := true
	for !p.take(')') {
		if !comma {
			p.fail(p.pos, "a comma or ) is expected here")
		}
		if len(p.h.shape) == layout.MaxRank {
			p.fail(p.pos, "the shape has more than the limit of %d sizes", layout.MaxRank)
		}
		p.h.shape = append(p.h.shape, p.integer())
		if comma = p.take(','); p.t.fault != nil {
			return
		}
	}
	if len(p.h.shape) == 1 && !comma {
		p.fail(at, "a tuple of one size has a comma: (%d,)", p.h.shape[0])
	}
}

// integer reads an integer as Python writes it: with underscores, in other bases, and as Python 2
// had it, which knew version 3.0 no longer, with an L.
func (p *npyParser) integer() int64 {
	p.space()
	at, sign := p.pos, ""
	if p.peek() == '-' {
		p.pos, sign = p.pos+1, "-"
	}
	word := p.word()
	if p.major < 3 {
		word = strings.TrimSuffix(word, "L")
	}
	n, err := strconv.ParseInt(sign+word, 0, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		p.fail(at, "%s is more than 64 bits hold", clippedNumber(sign+word))
	case err != nil || len(word) > 1 && word[0] == '0' && (word[1] <= '9' || word[1] == '_') && n != 0:
		p.fail(at, "a size is expected here")
	}
	return n
}

// clippedNumber is a number in a message, unless it is absurdly long.
func clippedNumber(text string) string {
	if len(text) > 40 {
		return fmt.Sprintf("a number of %d digits", len(text))
	}
	return text
}
