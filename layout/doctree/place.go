package doctree

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Place is a position in an input. Lines and columns count from 1, columns in bytes; a line of 0 stands for the whole
// input.
type Place struct {
	Line, Column int
	Pointer      string // JSON pointer; may be empty
}

// places are the offsets of a YAML value and of its name.
type places struct{ value, name uint32 }

// Place returns the position of the value and its JSON pointer.
func (v Value) Place() Place { return v.placeAt(v.Offset()) }

// KeyPlace is like Place, but for the name of a member.
func (v Value) KeyPlace() Place { return v.placeAt(v.KeyOffset()) }

// KeyOffset is like Offset, but for the name of a member.
func (v Value) KeyOffset() int {
	switch k := &v.node().name; {
	case !k.member:
		return v.Offset()
	case v.tree.at != nil:
		return int(v.tree.at[v.i].name)
	default:
		return int(k.start) - 1
	}
}

func (v Value) placeAt(offset int) Place {
	p := v.tree.PlaceAt(offset)
	p.Pointer = v.Pointer()
	return p
}

// Offset returns the offset of the value in the text; for a string, of its opening quote.
func (v Value) Offset() int {
	t, n := v.tree, v.node()
	switch {
	case t.at != nil:
		return int(t.at[v.i].value)
	case n.kind == String && t.data[n.start-1] == '"':
		return int(n.start) - 1
	}
	return int(n.start)
}

// Span returns the bytes of a number in the input. It reports false for other values, and in a YAML document with
// aliases, because several members may share a value there.
func (v Value) Span() (from, to int, ok bool) {
	word := v.Bytes()
	from = v.Offset()
	to = from + len(word)
	ok = v.Kind() == Number && !v.tree.aliased && to <= len(v.tree.data) && bytes.Equal(v.tree.data[from:to], word)
	return from, to, ok
}

// Start returns the offset of the root in the text.
func (t *Tree) Start() int { return t.Root().Offset() }

// PlaceAt returns the position of an offset in the input.
func (t *Tree) PlaceAt(offset int) Place {
	p := t.seen.Place(t.data, offset)
	p.Line += t.line
	return p
}

// PlaceIn returns the position of an offset in text.
func PlaceIn(text []byte, offset int) Place {
	var m LineMark
	return m.Place(text, offset)
}

// A LineMark is an offset in an input with its line. Callers usually ask for positions in the order of the input, so
// that the next position is near the last.
type LineMark struct {
	offset, lines, start int // start is the offset of the line
}

// Place returns the position of an offset in text, which must be the same for all calls.
func (m *LineMark) Place(text []byte, offset int) Place {
	offset = min(offset, len(text))
	if offset < m.offset {
		if n := bytes.Count(text[offset:m.offset], []byte{'\n'}); n > 0 {
			m.lines -= n
			m.start = bytes.LastIndexByte(text[:offset], '\n') + 1
		}
		m.offset = offset
	}
	between := text[m.offset:offset]
	if n := bytes.Count(between, []byte{'\n'}); n > 0 {
		m.lines += n
		m.start = m.offset + bytes.LastIndexByte(between, '\n') + 1
	}
	m.offset = offset
	return Place{Line: m.lines + 1, Column: offset - m.start + 1}
}

// Pointer returns the JSON pointer of the value.
func (v Value) Pointer() string {
	var b strings.Builder
	for i := int32(0); i != v.i; {
		item, n := v.tree.itemAround(i, v.i)
		if v.tree.nodes[i].kind == Object {
			key := Value{v.tree, item, 0}.Key()
			b.WriteString("/" + PointerTo(key))
		} else {
			b.WriteString("/" + strconv.Itoa(n))
		}
		i = item
	}
	if v.item > 0 {
		b.WriteString("/" + strconv.Itoa(int(v.item)-1))
	}
	return b.String()
}

// PointerTo returns the part of a JSON pointer for the name of a member.
func PointerTo(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// A listMark is an item of a list and the number of items before it. The next lookup usually starts near it.
type listMark struct {
	item int32 // its node; in a list of plain integers the offset after the bracket or the comma before it
	n    int
}

// mark returns the item of the last lookup in a list, or the given one before any lookup.
func (t *Tree) mark(list, first int32) *listMark {
	mark := t.counted[list]
	if mark == nil {
		if t.counted == nil {
			t.counted = map[int32]*listMark{}
		}
		mark = &listMark{first, 0}
		t.counted[list] = mark
	}
	return mark
}

// itemAround returns the item or member of a list or an object that is or contains the value i, and the number of items
// before it.
func (t *Tree) itemAround(list, i int32) (item int32, n int) {
	mark := t.mark(list, list+1)
	if mark.item > i {
		*mark = listMark{list + 1, 0}
	}
	for after := t.after(mark.item); after <= i; after = t.after(mark.item) {
		*mark = listMark{after, mark.n + 1}
	}
	return mark.item, mark.n
}

// integer makes a node of an item of a list of plain integers.
func (t *Tree) integer(v Value) *node {
	first, n := int32(t.nodes[v.i].start)+1, int(v.item)-1
	mark := t.mark(v.i, first)
	if mark.n > n {
		*mark = listMark{first, 0}
	}
	for ; mark.n < n; mark.n++ {
		mark.item += int32(bytes.IndexByte(t.words[mark.item:], ',')) + 1
	}
	text := t.words[mark.item:]
	text = text[:bytes.IndexAny(text, ",]")]
	end := int(mark.item) + len(bytes.TrimRight(text, " \t\r\n"))
	start := end - len(bytes.TrimSpace(text))
	return &node{kind: Number, start: uint32(start), end: uint32(end)}
}

// lineEnd returns the offset of the end of the line around the offset.
func lineEnd(data []byte, at int) int {
	if i := bytes.IndexByte(data[min(at, len(data)):], '\n'); i >= 0 {
		return at + i
	}
	return len(data)
}

// A cursor converts lines and columns in characters, both starting at 1, to offsets. Callers usually ask in the order
// of the input, so that the next offset is near the last.
type cursor struct {
	data                     []byte
	line, start, column, pos int // the last line, its start, and the last column in it, at pos
}

func (c *cursor) offset(line, column int) int {
	if c.line == 0 || line < c.line {
		c.line, c.start = 1, 0
		if bytes.HasPrefix(c.data, []byte(ByteOrderMark)) {
			c.start = 3
		}
		c.column, c.pos = 1, c.start
	}
	for ; c.line < line; c.line++ {
		c.start = min(lineEnd(c.data, c.start)+1, len(c.data))
		c.column, c.pos = 1, c.start
	}
	if column < c.column {
		c.column, c.pos = 1, c.start
	}
	for ; c.column < column && c.pos < len(c.data) && c.data[c.pos] != '\n'; c.column++ {
		_, size := utf8.DecodeRune(c.data[c.pos:])
		c.pos += size
	}
	return c.pos
}

// Conflict returns the offset of the first mark of a git merge conflict in text, or -1 if text has no such mark.
func Conflict(text []byte) int {
	mark := []byte("\n<<<<<<< ")
	at := bytes.Index(text, mark)
	switch {
	case bytes.HasPrefix(text, mark[1:]):
		return 0
	case at >= 0:
		return at + 1
	}
	return -1
}
