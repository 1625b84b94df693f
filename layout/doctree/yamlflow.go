package doctree

// flow reads a scalar, or a list or an object in brackets.
func (p *yamlParser) flow(parent int32) int32 {
	switch p.peek(0) {
	case '[':
		return p.flowList(parent)
	case '{':
		return p.flowObject(parent)
	}
	i := p.add(parent)
	s := p.scalar()
	n := &p.t.nodes[i]
	n.start, n.end, n.form, n.escaped = s.start, s.end, s.form, s.escaped
	n.kind = String
	if s.form == unquoted {
		n.kind = scalarKind(p.data[s.start:s.end])
	}
	return i
}

// flowSpace steps over blanks, comments and line ends inside brackets.
func (p *yamlParser) flowSpace() {
	p.blanks()
	if c := p.peek(0); c == '\n' || c == '\r' {
		p.nextLine()
	}
	if p.ended() && p.fault == nil {
		p.fail(p.pos, "the brackets do not end")
	}
}

// flowList reads [value, ...].
func (p *yamlParser) flowList(parent int32) int32 {
	return p.collection(parent, Array, ']', (*yamlParser).flow)
}

// flowObject reads {key: value, ...}.
func (p *yamlParser) flowObject(parent int32) int32 {
	return p.collection(parent, Object, '}', (*yamlParser).flowMember)
}

// collection reads what read reads, again and again, up to the closing bracket.
func (p *yamlParser) collection(parent int32, kind Kind, end byte, read func(p *yamlParser, parent int32) int32) int32 {
	i, last := p.add(parent), int32(0)
	p.enter()
	p.brackets++
	p.pos++
	for p.flowSpace(); p.fault == nil && p.peek(0) != end; p.flowSpace() {
		item := read(p, i)
		if item == 0 {
			break
		}
		last = p.t.link(i, last, item)
		if !p.comma(end) {
			break
		}
	}
	p.brackets--
	p.pos = min(p.pos+1, len(p.data))
	p.leave(i, kind)
	return i
}

// flowMember reads a key and its value, and returns 0 where no value follows.
func (p *yamlParser) flowMember(parent int32) int32 {
	if p.column() < p.margin {
		p.fail(p.pos, "the key is indented less than the object that it is in")
	}
	key := p.scalar()
	if p.colon(key); p.fault != nil {
		return 0
	}
	member := p.flow(parent)
	n := &p.t.nodes[member]
	n.keyStart, n.keyEnd, n.keyForm = key.start, key.end, key.form
	return member
}

// colon steps over the colon behind a key in brackets, to its value.
func (p *yamlParser) colon(key yamlScalar) {
	p.checkKey(key)
	for p.peek(0) == ' ' || p.peek(0) == '\t' {
		p.pos++
	}
	if p.peek(0) != ':' {
		p.fail(p.pos, "a colon is expected behind the key")
		return
	}
	if p.pos++; key.form == unquoted && !blank(p.peek(0)) {
		p.fail(p.pos, "a blank is expected behind the colon")
	}
	if p.flowSpace(); p.peek(0) == ',' || p.peek(0) == '}' {
		p.fail(p.pos, "a value is expected here: write null for none")
	}
}

// comma steps over a comma in brackets; it reports false at the closing one.
func (p *yamlParser) comma(closing byte) bool {
	p.flowSpace()
	switch c := p.peek(0); {
	case p.fault != nil || c == closing:
		return false
	case c == ',':
		p.pos++
		return true
	case c == ':' && closing == ']':
		p.fail(p.pos, "a key cannot stand in a list: put it and its value in { }")
	default:
		p.fail(p.pos, "a comma or "+string(closing)+" is expected here")
	}
	return false
}
