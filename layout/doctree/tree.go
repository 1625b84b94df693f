// Package doctree reads texts of JSON and YAML as trees whose nodes know their places.
//
// A [Scanner] reads JSON token by token and keeps nothing. A [Tree] keeps the values of a text in one array, in the
// order of the text; most of them name bytes of it. Nothing is judged here: what a text must say is known by those
// who read it.
//
// It imports the standard library and the YAML library go.yaml.in/yaml/v4.
package doctree

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// A Kind is the kind of a value.
type Kind uint8

// The kinds.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
	key // the name of a member, the node before that of its value
)

// String names the kind with its article, for messages.
func (k Kind) String() string {
	return [...]string{"null", "a truth value", "a number", "a text", "a list", "an object"}[k]
}

// Limits of the texts that are read: MaxText is in bytes, MaxNodes counts values.
const (
	MaxText  = 100 << 20
	MaxNodes = 1 << 20
	maxKey   = 1024

	tooDeep = "values nest deeper than 64 levels"
	tooMany = "the text holds more than 1048576 values"
	longKey = "the key is longer than 1024 bytes"
)

// A Tree is a text of JSON or YAML. Its first node is the root. The zero Tree can be filled, and filled again, by
// [Tree.JSON], [Tree.Line] and [Tree.YAML].
type Tree struct {
	data     []byte // the text
	words    []byte // what the nodes name bytes of: the text of JSON, the words of YAML without quotes and escapes
	nodes    []node
	keys     int      // how many of the nodes are keys
	at       []uint32 // where the nodes of YAML are in the text, nil for JSON
	scanner  Scanner
	comments []comment // those for layoutcalc
	line     int       // the line of the text's first byte, from 0
	seen     lineMark
	counted  map[int32]listMark // by list
}

// A node is a value, or the name of a member, which comes before its value. The values of lists and objects come after
// them. Offsets are into the tree's words.
type node struct {
	kind       Kind
	escaped    bool   // a string or a key has escapes
	whole      bool   // a number is whole, and n its value
	member     bool   // the value of a member, whose name is the node before
	start, end uint32 // of a string or a key, without its quotes
	n          int64  // of a list or an object: the index after its last value
}

// after returns the index of the node after the value i and all that is in it.
func (t *Tree) after(i int32) int32 {
	if n := &t.nodes[i]; n.kind == Array || n.kind == Object {
		return int32(n.n)
	}
	return i + 1
}

// JSON fills the tree with a text of JSON that may have comments, commas before closing brackets, and anything after
// the first value, as DxDispatch's parser has it. The tree keeps the text.
func (t *Tree) JSON(data []byte) error {
	err := t.read(data)
	if err == nil {
		t.scanner.next() // the comments there are read, and nothing else
	}
	return err
}

// read fills the tree with the first value of a text.
func (t *Tree) read(data []byte) error {
	t.clear(data)
	if len(data) > MaxText {
		return &Fault{0, "the text is longer than " + strconv.Itoa(MaxText) + " bytes"}
	}
	t.expect(data)
	s := &t.scanner
	if s.Comment == nil {
		s.Comment = t.comment
	}
	start := 0
	if bytes.HasPrefix(data, []byte("\xEF\xBB\xBF")) {
		start = 3
	}
	s.Reset(data[start:], start)
	t.value(false)
	if fault := s.Fault(); fault != nil {
		return fault
	}
	return nil
}

// clear empties the tree for another text.
func (t *Tree) clear(data []byte) {
	t.data, t.words, t.nodes, t.keys, t.at = data, data, t.nodes[:0], 0, nil
	t.comments, t.line, t.seen = t.comments[:0], 0, lineMark{}
	clear(t.counted)
}

// expect makes room for the nodes of a long text at once: to grow takes twice the room. There is at most one key
// before each colon, and one value before each comma, and before each list or object.
func (t *Tree) expect(data []byte) {
	if len(data) < 1<<16 {
		return
	}
	values := 1
	for _, c := range [...]string{",", "[", "{"} {
		values += bytes.Count(data, []byte(c))
	}
	values = min(values, MaxNodes)
	t.nodes = slices.Grow(t.nodes, values+min(values, bytes.Count(data, []byte(":"))))
}

// add adds a node, of which the other fields are to be set in place: a struct that is made elsewhere and copied takes
// longer than all else.
func (t *Tree) add(kind Kind, start, end int) *node {
	t.nodes = append(t.nodes, node{})
	n := &t.nodes[len(t.nodes)-1]
	n.kind, n.start, n.end = kind, uint32(start), uint32(end)
	return n
}

// value adds a value, and those in it.
func (t *Tree) value(member bool) {
	s, i := &t.scanner, len(t.nodes)
	if i-t.keys >= MaxNodes {
		s.Fail(s.Offset(), tooMany)
	}
	if whole, size := plainInt(s.data[s.pos:]); size > 0 {
		n := t.add(Number, s.Offset(), s.Offset()+size)
		n.whole, n.member, n.n = true, member, whole
		s.pos += size
		return
	}
	kind := s.Next()
	switch kind {
	case Object:
		t.add(kind, s.Offset(), 0)
		for s.Enter(); s.More(); {
			s.Key()
			if s.End-s.Start > maxKey {
				s.Fail(s.Start-1, longKey)
			}
			t.add(key, s.Start, s.End).escaped = s.Escaped
			t.keys++
			t.value(true)
		}
	case Array:
		t.add(kind, s.Offset(), 0)
		for s.Enter(); s.More(); {
			if !t.integers() {
				t.value(false)
			}
		}
	default:
		s.Scalar()
		n := t.add(kind, s.Start, s.End)
		n.escaped, n.member = s.Escaped, member
		if kind == Number {
			n.whole, n.n = s.Whole, s.Int
		}
		return
	}
	n := &t.nodes[i]
	n.member, n.end, n.n = member, uint32(s.Offset()), int64(len(t.nodes))
}

// integers adds the plain integers that come next in a list, and steps over the commas between them. It reports false
// where there are none.
func (t *Tree) integers() bool {
	s := &t.scanner
	text, start, pos := s.data[s.pos:], s.Offset(), 0
	for range MaxNodes - (len(t.nodes) - t.keys) {
		whole, size := plainInt(text[pos:])
		if size == 0 {
			break
		}
		n := t.add(Number, start+pos, start+pos+size)
		n.whole, n.n = true, whole
		if pos += size; text[pos] != ',' {
			s.pos += pos
			return true
		}
		pos++
	}
	s.pos += max(0, pos-1) // the last comma is for More
	return pos > 0
}

// Line is JSON for one of many lines: nothing may come after the value. number counts the lines before it.
func (t *Tree) Line(data []byte, number int) error {
	err := t.read(data)
	t.line = number
	if err != nil {
		return err
	}
	if s := &t.scanner; s.next() != 0 || s.Offset() < len(data) {
		s.Fail(s.Offset(), "unexpected text after the value")
	}
	if fault := t.scanner.Fault(); fault != nil {
		return fault
	}
	return nil
}

// Root returns the value of the whole text.
func (t *Tree) Root() Value { return Value{t, 0} }

// All yields every value of the tree.
func (t *Tree) All(yield func(Value) bool) {
	for i := range t.nodes {
		if t.nodes[i].kind != key && !yield(Value{t, int32(i)}) {
			return
		}
	}
}

// A Value is a value in a tree.
type Value struct {
	tree *Tree
	i    int32
}

// Exists reports whether this is a value of a tree: the zero Value is not.
func (v Value) Exists() bool { return v.tree != nil }

func (v Value) node() *node { return &v.tree.nodes[v.i] }

// Kind returns the kind of the value.
func (v Value) Kind() Kind { return v.node().kind }

// Bytes returns a scalar as the text has it, of a string without its quotes and with its escapes.
func (v Value) Bytes() []byte {
	n := v.node()
	return v.tree.words[n.start:n.end]
}

// Escaped reports whether the value is a string with escapes, so that [Value.Bytes] are not its text.
func (v Value) Escaped() bool { return v.node().escaped }

// Is reports whether the value is the string.
func (v Value) Is(text string) bool {
	return v.Kind() == String && v.tree.is(v.i, text)
}

// is reports whether a string or a key is the text. No escape is shorter than what it means.
func (t *Tree) is(i int32, text string) bool {
	n := &t.nodes[i]
	raw := t.words[n.start:n.end]
	if !n.escaped {
		return string(raw) == text
	}
	return len(raw) > len(text) && Unescape(raw) == text
}

// Text returns a string without its escapes, and other values as they are written.
func (v Value) Text() string { return v.tree.text(v.i) }

func (t *Tree) text(i int32) string {
	n := &t.nodes[i]
	if n.escaped {
		return Unescape(t.words[n.start:n.end])
	}
	return string(t.words[n.start:n.end])
}

// Key returns the name of a member, empty for other values. What is not UTF-8 in it becomes U+FFFD.
func (v Value) Key() string {
	if !v.node().member {
		return ""
	}
	return strings.ToValidUTF8(v.tree.text(v.i-1), "\uFFFD")
}

// KeyBytes returns the name of a member as the text has it, with its escapes.
func (v Value) KeyBytes() (raw []byte, escaped bool) {
	if !v.node().member {
		return nil, false
	}
	n := &v.tree.nodes[v.i-1]
	return v.tree.words[n.start:n.end], n.escaped
}

// IsKey reports whether the value is the member of that name.
func (v Value) IsKey(name string) bool { return v.node().member && v.tree.is(v.i-1, name) }

// Items yields the items of a list, or the members of an object.
func (v Value) Items(yield func(Value) bool) {
	n := v.node()
	if n.kind != Array && n.kind != Object {
		return
	}
	for i := v.i + 1; i < int32(n.n); i = v.tree.after(i) {
		if v.tree.nodes[i].kind == key {
			i++
		}
		if !yield(Value{v.tree, i}) {
			return
		}
	}
}

// Ints appends the items of a list to a slice; ok is false where one of them is not a whole number.
func (v Value) Ints(list []int64) (all []int64, ok bool) {
	n := v.node()
	if n.kind != Array {
		return list, false
	}
	for _, item := range v.tree.nodes[v.i+1 : n.n] {
		if !item.whole {
			return list, false
		}
		list = append(list, item.n)
	}
	return list, true
}

// Len returns the number of items or members.
func (v Value) Len() int {
	n := 0
	for range v.Items {
		n++
	}
	return n
}

// Get returns the first member of the name.
func (v Value) Get(name string) (member Value, ok bool) {
	if v.Kind() != Object {
		return Value{}, false
	}
	for m := range v.Items {
		if m.IsKey(name) {
			return m, true
		}
	}
	return Value{}, false
}

// Int returns the number as an integer; ok is false when it is not one, or not one that 64 bits hold. An integer has no
// fraction, exponent, leading zeros or plus.
func (v Value) Int() (n int64, ok bool) {
	node := v.node()
	return node.n, node.whole
}
