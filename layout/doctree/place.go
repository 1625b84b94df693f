package doctree

import (
	"bytes"
	"strconv"
	"strings"
)

// A Place is where something is in an input. Lines and columns count from 1, columns in bytes; a line of 0 means that
// there is no place, only a whole.
type Place struct {
	Line, Column int
	Pointer      string // JSON pointer; empty where there is none
}

// Place returns where the value stands, and its JSON pointer.
func (v Value) Place() Place {
	p := v.tree.PlaceAt(int(v.node().at()))
	p.Pointer = v.Pointer()
	return p
}

// KeyPlace is Place of the name of a member.
func (v Value) KeyPlace() Place {
	n := v.node()
	if n.keyEnd == 0 {
		return v.Place()
	}
	p := v.tree.PlaceAt(int(n.keyForm.at(n.keyStart)))
	p.Pointer = v.Pointer()
	return p
}

// at is the offset of the value's first byte: of a string that is its quote.
func (n *node) at() uint32 {
	if n.kind == String {
		return n.form.at(n.start)
	}
	return n.start
}

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
		m.back(text, offset)
	}
	between := text[m.offset:offset]
	if n := bytes.Count(between, []byte{'\n'}); n > 0 {
		m.lines += n
		m.start = m.offset + bytes.LastIndexByte(between, '\n') + 1
	}
	m.offset = offset
	return Place{Line: m.lines + 1, Column: offset - m.start + 1}
}

// back goes back to an offset. Findings jump about, but not far.
func (m *lineMark) back(text []byte, offset int) {
	if n := bytes.Count(text[offset:m.offset], []byte{'\n'}); n > 0 {
		m.lines -= n
		m.start = bytes.LastIndexByte(text[:offset], '\n') + 1
	}
	m.offset = offset
}

// Pointer returns the JSON pointer of the value.
func (v Value) Pointer() string {
	var parts []string
	for i := v.i; i != 0; i = v.tree.nodes[i].parent {
		n := &v.tree.nodes[i]
		if v.tree.nodes[n.parent].kind == Object {
			parts = append(parts, pointerPart(Value{v.tree, i}.Key()))
			continue
		}
		parts = append(parts, strconv.Itoa(v.tree.position(i)))
	}
	var b strings.Builder
	for i := len(parts) - 1; i >= 0; i-- {
		b.WriteString("/" + parts[i])
	}
	return b.String()
}

// pointerPart writes a name as a part of a pointer.
func pointerPart(name string) string {
	if !strings.ContainsAny(name, "~/") {
		return name
	}
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// position counts the items of a list before one. Where it is asked for one item after another
// it goes on from the last one.
func (t *Tree) position(item int32) int {
	list := t.nodes[item].parent
	mark, ok := t.counted[list]
	if !ok || mark.item > item {
		mark = listMark{t.nodes[list].first, 0}
	}
	for ; mark.item != item; mark.item = t.nodes[mark.item].next {
		mark.n++
	}
	if t.counted == nil {
		t.counted = map[int32]listMark{}
	}
	t.counted[list] = mark
	return mark.n
}

// A listMark is an item of a list, and how many there are before it.
type listMark struct {
	item int32
	n    int
}
