package descfile

import "layoutcalc/layout/rules"

// A fastLine reads plain values from left to right. Whatever is not plain is refused.
type fastLine struct {
	b []byte
	i int
}

// next steps over blanks and returns the byte behind them, 0 at the end.
func (p *fastLine) next() byte {
	for ; p.i < len(p.b); p.i++ {
		if c := p.b[p.i]; c != ' ' {
			return c
		}
	}
	return 0
}

// take steps over a byte if it comes next.
func (p *fastLine) take(c byte) bool {
	if p.next() != c {
		return false
	}
	p.i++
	return true
}

// ended reports whether nothing comes any more.
func (p *fastLine) ended() bool {
	return p.next() == 0 && p.i == len(p.b) || p.next() == '\r' && p.i == len(p.b)-1
}

// text reads a text in ASCII without escapes.
func (p *fastLine) text() (text []byte, ok bool) {
	if !p.take('"') {
		return nil, false
	}
	start := p.i
	for ; p.i < len(p.b); p.i++ {
		switch c := p.b[p.i]; {
		case c == '"':
			p.i++
			return p.b[start : p.i-1], true
		case c == '\\' || c < ' ' || c >= 0x80:
			return nil, false
		}
	}
	return nil, false
}

// integer reads a whole number of up to 18 digits.
func (p *fastLine) integer() (n int64, ok bool) {
	negative := p.take('-')
	start := p.i
	for p.i < len(p.b) && p.b[p.i]-'0' <= 9 {
		n = n*10 + int64(p.b[p.i]-'0')
		p.i++
	}
	digits := p.i - start
	if negative {
		n = -n
	}
	return n, digits > 0 && digits <= 18 && (digits == 1 || p.b[start] != '0') && p.plain()
}

// plain reports whether a number ends here, and is not one with a fraction or an exponent.
func (p *fastLine) plain() bool {
	if p.i == len(p.b) {
		return false
	}
	c := p.b[p.i]
	return c == ',' || c == ']' || c == '}' || c == ' '
}

func (p *fastLine) number() (n rules.Number, ok bool) {
	n.Value, ok = p.integer()
	n.Stated = true
	return n, ok
}

// integers reads a list of whole numbers into the room.
func (p *fastLine) integers(room []int64) (list []int64, ok bool) {
	list = room[:0]
	if !p.take('[') {
		return list, false
	}
	if p.take(']') {
		return list, true
	}
	for {
		if p.next() == 0 {
			return list, false
		}
		n, ok := p.integer()
		if !ok {
			return list, false
		}
		list = append(list, n)
		switch p.next() {
		case ',':
			p.i++
		case ']':
			p.i++
			return list, true
		default:
			return list, false
		}
	}
}

// skip steps over a text or a whole number that says nothing about a tensor.
func (p *fastLine) skip() (ok bool) {
	if p.next() == '"' {
		_, ok = p.text()
		return ok
	}
	_, ok = p.integer()
	return ok
}
