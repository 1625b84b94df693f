package doctree

import (
	"bytes"
	"strconv"
)

// MaxYAML is the length, in bytes, of the longest text of YAML, and maxKey that of a key.
const (
	MaxYAML = 16 << 20
	maxKey  = 1024
)

// YAML fills the tree with a text of YAML. The tree keeps the text.
//
// It reads the part of YAML that configurations are made of: one document of objects and lists,
// as lines or in brackets, of keys and values that end on their line, and comments. What it reads
// has the meaning that YAML gives it; all else is refused by name: anchors, aliases, merge keys,
// tags, directives, values over several lines, and a second document.
//
// What a scalar is does not follow YAML, whose versions disagree, but JSON: decimal digits are a
// number; true, false and null are what they are, also as True and TRUE, and ~ and nothing are
// null; all else is a text, and so is what stands in quotes. 012, 0x10, 1_000, 1e3, 1.5 and yes
// are texts, for whoever reads them to complain about.
func (t *Tree) YAML(data []byte) error {
	t.clear(data)
	t.sharp = true
	if fault := checkYAML(data); fault != nil {
		return fault
	}
	p := yamlParser{t: t, data: data}
	p.document()
	if p.fault != nil {
		return p.fault
	}
	return nil
}

// A yamlParser fills a tree. Its first fault sticks, and moves it to the end of the text.
type yamlParser struct {
	t     *Tree
	data  []byte
	pos   int
	start int // where the line starts
	depth int

	margin   int // the column of the lines' innermost list or object
	brackets int // how many are open
	fault    *Fault
}

func (p *yamlParser) fail(at int, msg string) {
	if p.fault == nil {
		p.fault = &Fault{at, msg}
	}
	p.pos = len(p.data)
}

// peek returns the byte that is n bytes ahead, a line feed at the end of the text.
func (p *yamlParser) peek(n int) byte {
	if p.pos+n < len(p.data) {
		return p.data[p.pos+n]
	}
	return '\n'
}

func (p *yamlParser) done() bool { return p.pos >= len(p.data) }

// column counts the blanks before the first thing on a line.
func (p *yamlParser) column() int { return p.pos - p.start }

// document reads the text.
func (p *yamlParser) document() {
	if bytes.HasPrefix(p.data, []byte("\xEF\xBB\xBF")) {
		p.pos, p.start = 3, 3
	}
	p.nextLine()
	if p.peek(0) == '%' && p.column() == 0 && !p.done() {
		p.fail(p.pos, "directives (%YAML, %TAG) are not read")
	}
	p.mark("---")
	if p.fault == nil && (p.done() || p.ended()) {
		p.fail(p.pos, "the text says nothing")
	}
	p.content(0, -1, false)
	p.mark("...")
	switch {
	case p.done():
	case p.marker("---") || p.marker("..."):
		p.fail(p.pos, "a second document starts here: a file holds one")
	default:
		p.fail(p.pos, "this does not belong to what stands above it: is it indented as that is?")
	}
}

// mark steps over the line of a marker if it comes next.
func (p *yamlParser) mark(text string) {
	if !p.marker(text) {
		return
	}
	p.pos += len(text)
	if p.lineRest(); p.fault == nil {
		p.nextLine()
	}
}

// marker reports whether --- or ... stands here alone at the start of a line.
func (p *yamlParser) marker(text string) bool {
	return p.column() == 0 && bytes.HasPrefix(p.data[min(p.pos, len(p.data)):], []byte(text)) && blank(p.peek(len(text)))
}

// ended reports whether the document ends here.
func (p *yamlParser) ended() bool { return p.done() || p.marker("---") || p.marker("...") }

// blank reports whether a byte is a blank or ends a line.
func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// blanks steps over blanks and a comment, up to the end of the line.
func (p *yamlParser) blanks() {
	from := p.pos
	for p.peek(0) == ' ' || p.peek(0) == '\t' {
		p.pos++
	}
	if p.peek(0) != '#' {
		return
	}
	if p.pos == from && p.column() > 0 {
		p.fail(p.pos, "a comment needs a blank before its #")
		return
	}
	end := len(p.data)
	if i := bytes.IndexByte(p.data[p.pos:], '\n'); i >= 0 {
		end = p.pos + i
	}
	p.t.comment(p.data[p.pos+1:end], p.pos, end)
	p.pos = end
}

// lineRest steps over the rest of a line on which nothing may stand any more.
func (p *yamlParser) lineRest() {
	at := p.pos
	p.blanks()
	switch c := p.peek(0); {
	case c == '\n' || c == '\r':
	case c == ':':
		p.fail(p.pos, "a key cannot stand here: is the line indented as those above it?")
	case p.pos == at:
		p.fail(p.pos, "a blank or the end of the line is expected here")
	default:
		p.fail(p.pos, "the end of the line is expected here")
	}
}

// nextLine steps over the end of the line, and all lines on which nothing stands, to the first
// thing on the next one.
func (p *yamlParser) nextLine() {
	for !p.done() {
		at := p.pos
		for at < len(p.data) && p.data[at] == ' ' {
			at++
		}
		tab := p.pos == p.start && at < len(p.data) && p.data[at] == '\t'
		switch p.blanks(); {
		case p.done():
		case p.peek(0) == '\r' || p.peek(0) == '\n':
			p.pos++
			p.start = p.pos
			if p.data[p.pos-1] == '\r' {
				p.pos, p.start = p.pos+1, p.pos+1
			}
		case tab:
			p.fail(at, "a tab cannot indent: use spaces")
		default:
			return
		}
	}
}

// add makes a node of something that stands here.
func (p *yamlParser) add(parent int32) int32 {
	if len(p.t.nodes) >= MaxNodes {
		p.fail(p.pos, tooMany)
	}
	p.t.nodes = append(p.t.nodes, node{parent: parent, start: uint32(p.pos), end: uint32(p.pos)})
	return int32(len(p.t.nodes) - 1)
}

// enter counts one more level.
func (p *yamlParser) enter() {
	if p.depth++; p.depth > MaxDepth {
		p.fail(p.pos, tooDeep)
	}
}

// leave ends a list or an object.
func (p *yamlParser) leave(i int32, kind Kind) {
	p.depth--
	p.t.nodes[i].kind, p.t.nodes[i].end = kind, uint32(p.pos)
}

// checkYAML refuses characters that YAML forbids, or that some readers take for line breaks and
// others do not.
func checkYAML(data []byte) *Fault {
	switch {
	case len(data) > MaxYAML:
		return &Fault{0, "the text is longer than " + strconv.Itoa(MaxYAML) + " bytes"}
	case bytes.HasPrefix(data, []byte("\xFF\xFE")), bytes.HasPrefix(data, []byte("\xFE\xFF")):
		return &Fault{0, "the text is UTF-16: save it as UTF-8"}
	}
	for i := 0; i < len(data); i++ {
		c := data[i]
		if ' ' <= c && c < 0x7F || c == '\n' || c == '\t' {
			continue
		}
		size, msg := strangeByte(data[i:], i)
		if msg != "" {
			return &Fault{i, msg}
		}
		i += size - 1
	}
	return nil
}
