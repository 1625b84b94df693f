package doctree

import "bytes"

const noItemHere = "an item (-) cannot stand here: put it on a line of its own"

// content reads what belongs to a key or an item of the given indentation, from the first thing
// behind it, which may be on a later line. inline says that it is on the line of the item or the
// key. An empty value is null.
func (p *yamlParser) content(parent int32, indent int, inline bool) int32 {
	column := p.column()
	switch {
	case p.ended() || !inline && column <= indent && !(column == indent && p.itemUnder(parent)):
		return p.add(parent)
	case p.item():
		return p.list(parent, column)
	case p.isKey():
		return p.object(parent, column)
	}
	return p.value(parent, indent)
}

// item reports whether an item of a list stands here.
func (p *yamlParser) item() bool { return p.peek(0) == '-' && blank(p.peek(1)) && !p.done() }

// itemUnder reports whether an item stands here that may be indented as the key that it is under.
func (p *yamlParser) itemUnder(parent int32) bool {
	return p.item() && p.t.nodes[parent].kind == Object
}

// list reads items that start in a column.
func (p *yamlParser) list(parent int32, column int) int32 {
	i, last := p.add(parent), int32(0)
	p.t.nodes[i].kind = Array
	outer := p.margin
	p.margin = column
	p.enter()
	for p.fault == nil && !p.ended() && p.column() == column && p.item() {
		p.pos++
		from := p.pos
		p.blanks()
		inline := p.peek(0) != '\n' && p.peek(0) != '\r'
		if tabbed := bytes.IndexByte(p.data[from:p.pos], '\t') >= 0; inline && tabbed && (p.item() || p.isKey()) {
			p.fail(from, "a tab cannot indent: use spaces")
		}
		if !inline {
			p.nextLine()
		}
		if p.fault == nil {
			last = p.t.link(i, last, p.content(i, column, inline))
			p.t.nodes[last].nothingAt(from)
		}
	}
	p.misplaced(column, "this is neither an item of the list above it (- value) nor further out")
	p.leave(i, Array)
	p.margin = outer
	return i
}

// object reads keys that start in a column.
func (p *yamlParser) object(parent int32, column int) int32 {
	i, last := p.add(parent), int32(0)
	p.t.nodes[i].kind = Object
	outer := p.margin
	p.margin = column
	p.enter()
	for p.fault == nil && !p.ended() && p.column() == column && !p.item() {
		last = p.t.link(i, last, p.member(i, column))
	}
	p.misplaced(column, "this stands neither at the keys of the object above it nor further out")
	p.leave(i, Object)
	p.margin = outer
	return i
}

// misplaced refuses what is indented further than the list or object that ends before it.
func (p *yamlParser) misplaced(column int, msg string) {
	if p.fault == nil && !p.ended() && p.column() > column {
		p.fail(p.pos, msg)
	}
}

// member reads a key and its value.
func (p *yamlParser) member(object int32, column int) int32 {
	key := p.key()
	colon := p.pos
	p.blanks()
	var i int32
	switch {
	case p.fault != nil:
		return p.add(object)
	case p.peek(0) == '\n' || p.peek(0) == '\r':
		p.nextLine()
		i = p.content(object, column, false)
	default:
		i = p.value(object, column)
	}
	if p.fault != nil {
		return p.add(object)
	}
	n := &p.t.nodes[i]
	n.keyStart, n.keyEnd, n.keyForm = key.start, key.end, key.form
	n.nothingAt(colon)
	return i
}

// nothingAt gives a value that is not written a place.
func (n *node) nothingAt(offset int) {
	if n.kind == Null && n.start == n.end {
		n.start, n.end = uint32(offset), uint32(offset)
	}
}

// value reads a value that ends on its line, or is in brackets, of a key or an item of the given
// indentation.
func (p *yamlParser) value(parent int32, indent int) int32 {
	i := p.flow(parent)
	if p.lineRest(); p.fault == nil {
		p.nextLine()
	}
	if p.fault == nil && !p.ended() && p.column() > indent {
		p.fail(p.pos, "this is indented as if it belonged to the value above it, which ends on its line")
	}
	return i
}
