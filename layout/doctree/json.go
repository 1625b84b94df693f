package doctree

import (
	"bytes"
	"slices"
	"strconv"
)

// MaxText limits how long a text is, and MaxNodes how many values it holds.
const (
	MaxText  = 100 << 20
	MaxNodes = 1 << 20

	tooDeep = "values nest deeper than 64 levels"
	tooMany = "the text holds more than 1048576 values"
	longKey = "the key is longer than 1024 bytes"
)

// JSON fills the tree with a text of JSON in which comments and trailing commas may stand, and
// anything behind the first value, as DxDispatch's parser has it. The tree keeps the text.
func (t *Tree) JSON(data []byte) error {
	p := jsonParser{t: t, data: data}
	t.clear(data)
	if len(data) > MaxText {
		return &Fault{0, "the text is longer than " + strconv.Itoa(MaxText) + " bytes"}
	}
	if bytes.HasPrefix(data, []byte("\xEF\xBB\xBF")) {
		p.pos = 3
	}
	t.expect(data)
	p.value(0)
	if p.fault != nil {
		return p.fault
	}
	p.space() // comments count there too, and what is wrong does not matter
	return nil
}

// clear empties the tree for another text.
func (t *Tree) clear(data []byte) {
	*t = Tree{data: data, nodes: t.nodes[:0], comments: t.comments[:0]}
}

// expect makes room for the values of a long text at once: to grow takes twice the room. There is
// one value before each comma, and one before each list or object.
func (t *Tree) expect(data []byte) {
	if len(data) < 1<<16 {
		return
	}
	n := 1
	for _, c := range [...]string{",", "[", "{"} {
		n += bytes.Count(data, []byte(c))
	}
	t.nodes = slices.Grow(t.nodes, min(n, MaxNodes))
}

// Line is JSON for one of many lines: nothing may stand behind the value. number counts the
// lines before it.
func (t *Tree) Line(data []byte, number int) error {
	err := t.JSON(data)
	t.line = number
	if err != nil {
		return err
	}
	p := jsonParser{t: t, data: data, pos: t.end()}
	if p.space(); p.pos < len(data) {
		return &Fault{p.pos, "something stands behind the value"}
	}
	return nil
}

// end is the offset behind the root.
func (t *Tree) end() int {
	n := &t.nodes[0]
	if n.kind == String {
		return int(n.end) + 1
	}
	return int(n.end)
}

// A jsonParser fills a tree. Its first fault sticks, and moves it to the end of the text.
type jsonParser struct {
	t     *Tree
	data  []byte
	pos   int
	depth int
	fault *Fault
}

func (p *jsonParser) fail(at int, msg string) {
	if p.fault == nil {
		p.fault = &Fault{at, msg}
	}
	p.pos = len(p.data)
}

// peek returns the next byte, 0 at the end.
func (p *jsonParser) peek() byte {
	if p.pos < len(p.data) {
		return p.data[p.pos]
	}
	return 0
}

// space steps over blanks and comments.
func (p *jsonParser) space() {
	for p.pos < len(p.data) {
		switch c := p.data[p.pos]; {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			p.pos++
		case c == '/':
			p.comment()
		default:
			return
		}
	}
}

// comment steps over // to the end of the line, or /* to */.
func (p *jsonParser) comment() {
	start, rest := p.pos, p.data[p.pos:]
	closing, from := []byte("\n"), 2
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
	case bytes.HasPrefix(rest, []byte("/*")):
		closing = []byte("*/")
	default:
		p.fail(start, "a value is expected here")
		return
	}
	length := bytes.Index(rest[from:], closing)
	switch {
	case length >= 0:
		p.pos += from + length
	case len(closing) > 1:
		p.fail(start, "the comment does not end")
		return
	default:
		length, p.pos = len(rest)-from, len(p.data)
	}
	if len(closing) > 1 {
		p.pos += len(closing)
	}
	p.t.comment(rest[from:from+length], start, p.pos)
}

// value reads a value into a new node, whose parent is known, and returns the node.
func (p *jsonParser) value(parent int32) int32 {
	p.space()
	i := int32(len(p.t.nodes))
	if i >= MaxNodes {
		p.fail(p.pos, tooMany)
	}
	p.t.nodes = append(p.t.nodes, node{parent: parent, start: uint32(p.pos)})
	switch c := p.peek(); {
	case c == '{':
		p.object(i)
	case c == '[':
		p.array(i)
	case c == '"':
		start, escaped := p.str()
		n := &p.t.nodes[i]
		n.kind, n.start, n.end, n.escaped = String, uint32(start), uint32(p.pos-1), escaped
	case c == '-' || '0' <= c && c <= '9':
		p.number(i)
	default:
		p.word(i)
	}
	return i
}

// enter counts one more level.
func (p *jsonParser) enter() {
	if p.depth++; p.depth > MaxDepth {
		p.fail(p.pos, tooDeep)
	}
}

// object reads { "key": value, ... }.
func (p *jsonParser) object(i int32) {
	p.enter()
	p.pos++
	last := int32(0)
	for {
		p.space()
		if p.peek() == '}' || p.fault != nil {
			break
		}
		start, end, ok := p.key()
		if !ok {
			return
		}
		member := p.value(i)
		p.t.nodes[member].keyStart, p.t.nodes[member].keyEnd = uint32(start), uint32(max(end, start))
		last = p.t.link(i, last, member)
		if !p.comma('}') {
			break
		}
	}
	p.leave(i, Object)
}

// key reads the name of a member and the colon, and returns where the name stands.
func (p *jsonParser) key() (start, end int, ok bool) {
	if p.peek() != '"' {
		p.fail(p.pos, "a name in quotes is expected here")
		return 0, 0, false
	}
	start, _ = p.str()
	end = p.pos - 1
	if end-start > maxKey {
		p.fail(start-1, longKey)
		return 0, 0, false
	}
	if p.space(); p.peek() != ':' {
		p.fail(p.pos, "a colon is expected behind the name")
		return 0, 0, false
	}
	p.pos++
	return start, end, true
}

// array reads [ value, ... ].
func (p *jsonParser) array(i int32) {
	p.enter()
	p.pos++
	last := int32(0)
	for {
		p.space()
		if p.peek() == ']' || p.fault != nil {
			break
		}
		last = p.t.link(i, last, p.value(i))
		if !p.comma(']') {
			break
		}
	}
	p.leave(i, Array)
}

// link puts an item behind the last one of its list, and returns it.
func (t *Tree) link(list, last, item int32) int32 {
	if last == 0 {
		t.nodes[list].first = item
	} else {
		t.nodes[last].next = item
	}
	return item
}

// comma steps over a comma; it reports false at the closing bracket.
func (p *jsonParser) comma(closing byte) bool {
	p.space()
	switch p.peek() {
	case ',':
		p.pos++
		return true
	case closing:
		return false
	}
	p.fail(p.pos, "a comma or "+string(closing)+" is expected here")
	return false
}

// leave ends a list behind its closing bracket.
func (p *jsonParser) leave(i int32, kind Kind) {
	p.depth--
	if p.fault == nil {
		p.pos++
	}
	p.t.nodes[i].kind, p.t.nodes[i].end = kind, uint32(p.pos)
}

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
