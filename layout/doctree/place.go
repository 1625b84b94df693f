package doctree

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Place is where something is in an input. Lines and columns count from 1, columns in bytes; a line of 0 means that
// there is no place, only a whole.
type Place struct {
	Line, Column int
	Pointer      string // JSON pointer; empty where there is none
}

// Place returns where the value is, and its JSON pointer.
func (v Value) Place() Place { return v.placeOf(v.i) }

// KeyPlace is Place of the name of a member.
func (v Value) KeyPlace() Place {
	if v.node().member {
		return v.placeOf(v.i - 1)
	}
	return v.Place()
}

func (v Value) placeOf(i int32) Place {
	p := v.tree.PlaceAt(v.tree.offset(i))
	p.Pointer = v.Pointer()
	return p
}

// offset returns where a node is in the text: of a string and a key that is the quote.
func (t *Tree) offset(i int32) int {
	n := &t.nodes[i]
	switch {
	case t.at != nil:
		return int(t.at[i])
	case (n.kind == String || n.kind == key) && t.data[n.start-1] == '"':
		return int(n.start) - 1
	}
	return int(n.start)
}

// Start returns where the root is in the text.
func (t *Tree) Start() int { return t.offset(0) }

// PlaceAt returns the place of an offset in the text.
func (t *Tree) PlaceAt(offset int) Place {
	p := t.seen.place(t.data, offset)
	p.Line += t.line
	return p
}

// PlaceIn returns the place of an offset in a text.
func PlaceIn(text []byte, offset int) Place {
	var m lineMark
	return m.place(text, offset)
}

// A lineMark is an offset in a text whose line is known. Places are asked for in the order of
// the text, mostly, so that the next is not far from the last.
type lineMark struct {
	offset, lines, start int // start is where the line starts
}

// place returns the place of an offset in the text, always the same one.
func (m *lineMark) place(text []byte, offset int) Place {
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
		if m := (Value{v.tree, item}); v.tree.nodes[i].kind == Object {
			b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(m.Key()))
		} else {
			b.WriteString("/" + strconv.Itoa(n))
		}
		i = item
	}
	return b.String()
}

// itemAround returns the item or member of a list or an object that is the value i or has it in it, and how many there
// are before it. Where it is asked for one after another it goes on from the last one.
func (t *Tree) itemAround(list, i int32) (item int32, n int) {
	mark, ok := t.counted[list]
	if !ok || mark.item > i {
		mark = listMark{list + 1, 0}
	}
	for {
		if t.nodes[mark.item].kind == key {
			mark.item++
		}
		after := t.after(mark.item)
		if i < after {
			break
		}
		mark = listMark{after, mark.n + 1}
	}
	if t.counted == nil {
		t.counted = map[int32]listMark{}
	}
	t.counted[list] = mark
	return mark.item, mark.n
}

// A listMark is an item of a list, and how many there are before it.
type listMark struct {
	item int32
	n    int
}

// lineEnd returns the offset of the end of the line that the offset is in.
func lineEnd(data []byte, at int) int {
	if i := bytes.IndexByte(data[min(at, len(data)):], '\n'); i >= 0 {
		return at + i
	}
	return len(data)
}

// A cursor turns lines and columns in characters, both from 1, into offsets. They are mostly asked for in the order of
// the text, so that the next is not far from the last.
type cursor struct {
	data                     []byte
	line, start, column, pos int // the last line, where it starts, and the last column in it, which is at pos
}

func (c *cursor) offset(line, column int) int {
	if c.line == 0 || line < c.line {
		c.line, c.start = 1, 0
		if bytes.HasPrefix(c.data, []byte("\xEF\xBB\xBF")) {
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
