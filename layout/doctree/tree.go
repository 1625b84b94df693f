// Package doctree reads JSON and YAML into trees of nodes with their positions.
//
// A [Scanner] reads JSON token by token and keeps nothing. A [Tree] keeps the values of an input in one array, in the
// order of the input; most of them refer to bytes of the input. For a list of plain integers, it keeps only the
// numbers, and finds their positions again when needed. Reading one JSON line needs no allocation. The package does not
// check contents, which is a task for the readers of a tree.
//
// The nodes of the YAML library become trees, one for each document, with aliases and merge keys resolved and the
// position of every value. A YAML input has at most 4 MB, and is rejected before it is read if it would need too much
// memory.
package doctree

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// A Tree is a JSON or YAML document. Its first node is the root. The zero Tree can be filled, repeatedly, by
// [Tree.JSON], [Tree.Line] and [Tree.YAML].
type Tree struct {
	data     []byte // the input
	words    []byte // the bytes that nodes refer to: the JSON input, or YAML words without quotes and escapes
	nodes    []node
	ints     []int64  // the items of lists that have no nodes
	at       []places // the positions of YAML nodes in the input, nil for JSON
	scanner  Scanner
	comments Comments
	line     int       // the line of the input's first byte, starting at 0
	aliased  bool      // the document has aliases
	labels   [16]label // the first labels of the last input, by the number of labels before them
	members  int       // the number of labels that were read of this input
	seen     LineMark
	before   int                 // values of the documents of the text before this one
	counted  map[int32]*listMark // by list
}

// A node is a value. The values in a list or an object come after it, except that the items of a list of plain integers
// have no nodes. Offsets are into the tree's words.
type node struct {
	name       name
	kind       Kind
	escaped    bool   // a string has escapes
	whole      bool   // a number is an integer with the value n; or a list has plain integers, starting at ints[n]
	start, end uint32 // the bytes of a string, without its quotes
	count      uint32 // the number of plain integers in a list
	n          int64  // for other lists and objects: the index after their last value
}

// A name is the name of a member. For other values, it is empty.
type name struct {
	start   uint32 // without its quotes
	length  uint16
	escaped bool
	member  bool
}

// A label is the text before the value of a member: the comma after the last one, spaces, the name and the colon.
type label struct {
	text  []byte
	first bool // no member is before it
	name  name // its start is relative to the label
}

// after returns the index of the node after the value i and the values inside it.
func (t *Tree) after(i int32) int32 {
	if n := &t.nodes[i]; (n.kind == Array || n.kind == Object) && !n.whole {
		return int32(n.n)
	}
	return i + 1
}

// JSON fills the tree with JSON that may have comments, commas before closing brackets, and any text after the first
// value, as DxDispatch's parser allows. The tree keeps the input.
func (t *Tree) JSON(data []byte) error { return t.JSONAfter(data, nil) }

// JSONAfter is like JSON, but for the value after the value of the tree last, which may be nil.
func (t *Tree) JSONAfter(data []byte, last *Tree) error {
	err := t.read(data, last)
	if err == nil {
		t.scanner.next() // only reads the comments there
	}
	return err
}

// JSONInside is like JSON, but for an input without the brackets around it, which are the braces of an object or the
// brackets of a list: "InputTensor": {}, "OutputTensor": {},
func (t *Tree) JSONInside(data []byte, brackets [2]byte) error {
	t.clear(data)
	s := &t.scanner
	s.Comment = t.comments.Add
	s.Reset(slices.Concat(brackets[:1], data, brackets[1:]), -1)
	t.add()
	t.value()
	t.nodes[0].start, t.nodes[0].end = 0, uint32(len(data))
	fault := s.Fault()
	if fault == nil && s.Offset() <= len(data) {
		fault = &Fault{s.Offset(), "unexpected text after the document"}
	}
	switch {
	case fault == nil:
		return nil
	case fault.Offset < 0: // the last closing bracket closes a bracket of the text
		return unclosed(s.opened[1], data[s.opened[1]])
	}
	return &Fault{min(fault.Offset, len(data)), fault.Msg}
}

// End returns the offset after the value that [Tree.JSON] has read and after the whitespace and comments that follow
// it.
func (t *Tree) End() int { return t.scanner.Offset() }

// read fills the tree with the first value of an input, or with the value after the value of another tree.
func (t *Tree) read(data []byte, last *Tree) error {
	t.clear(data)
	start := 0
	if last != nil {
		start = last.End()
		t.before, t.seen = last.before+len(last.nodes)+len(last.ints), last.seen
		t.seen.Place(data, start)
	}
	if len(data) > MaxText {
		return &Fault{0, "the text is longer than " + strconv.Itoa(MaxText) + " bytes"}
	}
	if start == 0 {
		t.expect(data)
	}
	s := &t.scanner
	if s.Comment == nil {
		s.Comment = t.comments.Add
	}
	if start == 0 && bytes.HasPrefix(data, []byte(ByteOrderMark)) {
		start = len(ByteOrderMark)
	}
	s.Reset(data[start:], start)
	t.add()
	t.value()
	if fault := s.Fault(); fault != nil {
		return fault
	}
	return nil
}

// clear empties the tree for another input.
func (t *Tree) clear(data []byte) {
	t.data, t.words, t.nodes, t.ints, t.at = data, data, t.nodes[:0], t.ints[:0], nil
	t.comments = Comments{Text: data, Slashes: true, all: t.comments.all[:0]}
	t.line, t.seen, t.aliased = 0, LineMark{}, false
	t.members, t.before = 0, 0
	if len(t.counted) > 0 {
		clear(t.counted)
	}
}

// expect allocates memory for the nodes of a long input at once, because growing needs twice the memory. There is at
// most one value before each comma, and before each list or object.
func (t *Tree) expect(data []byte) {
	if len(data) < 1<<16 {
		return
	}
	values := 1
	for _, c := range [...]string{",", "[", "{"} {
		values += bytes.Count(data, []byte(c))
	}
	t.nodes = slices.Grow(t.nodes, min(values, MaxNodes))
}

// add adds a node for [Tree.value] to fill in, because creating the struct elsewhere and copying it would take longer
// than everything else.
func (t *Tree) add() *node {
	if t.before+len(t.nodes)+len(t.ints) >= MaxNodes {
		t.scanner.Fail(t.scanner.Offset(), tooMany)
	}
	t.nodes = append(t.nodes, node{})
	return &t.nodes[len(t.nodes)-1]
}

// value reads a value into the last node, and adds nodes for the values in it.
func (t *Tree) value() {
	s, i := &t.scanner, len(t.nodes)-1
	kind, start := s.Next(), s.Offset()
	switch {
	case kind == Object:
		for s.Enter(); t.member(); {
			t.value()
		}
		t.nodes[i].n = int64(len(t.nodes))
	case kind == Array && !t.integers():
		for s.Enter(); s.More(); {
			t.add()
			t.value()
		}
		t.nodes[i].n = int64(len(t.nodes))
	case kind != Array:
		s.Scalar()
		n := &t.nodes[i]
		n.kind, n.start, n.end, n.escaped = kind, uint32(s.Start), uint32(s.End), s.Escaped
		if kind == Number {
			n.whole, n.n = s.Whole, s.Int
		}
		return
	}
	n := &t.nodes[i]
	n.kind, n.start, n.end = kind, uint32(start), uint32(s.Offset())
}

// member reads the name of the next member into a new node. It reports false at the end of the object. If the input has
// the same label as the last input here, as is usual for lines, it needs no further checks.
func (t *Tree) member() bool {
	s, start := &t.scanner, t.scanner.pos
	last := &t.labels[t.members%len(t.labels)]
	t.members++
	if s.first == last.first && len(last.text) > 0 && bytes.HasPrefix(s.data[start:], last.text) {
		s.pos, s.first = start+len(last.text), false
		n := t.add()
		n.name = last.name
		n.name.start += uint32(s.base + start)
		return true
	}
	first := s.first
	if !s.More() {
		return false
	}
	s.Key()
	if s.End-s.Start > maxKey {
		s.Fail(s.Start-1, longKey)
	}
	n := t.add()
	n.name = name{uint32(s.Start), uint16(s.End - s.Start), s.Escaped, true}
	if s.fault != nil {
		return true
	}
	// Long labels are not worth the memory, and a slash may start a comment.
	if text := s.data[start:s.pos]; len(text) <= maxKey && bytes.IndexByte(text, '/') < 0 {
		*last = label{append(last.text[:0], text...), first, n.name}
		last.name.start -= uint32(s.base + start)
	}
	return true
}

// integers reads the next list into the last node if it only has integers of up to 18 digits. If not, it reads nothing,
// and reports false.
func (t *Tree) integers() bool {
	s, first := &t.scanner, len(t.ints)
	ints, size := plainInts(s.data[s.pos+1:], t.ints)
	if size == 0 || t.before+len(t.nodes)+len(ints) > MaxNodes || s.depth == MaxDepth {
		return false
	}
	t.ints, s.pos = ints, s.pos+1+size
	n := &t.nodes[len(t.nodes)-1]
	n.whole, n.n, n.count = true, int64(first), uint32(len(ints)-first)
	return true
}

// plainInts appends the items of the list at the start of text, after its bracket, and returns its length, or 0 if not
// all of them are integers of up to 18 digits.
func plainInts(text []byte, ints []int64) (all []int64, size int) {
	n, digits, negative := int64(0), 0, false
	ended := 0 // the number of digits at the first space after them
	for i, c := range text {
		digit := c - '0'
		switch {
		case digit <= 9 && (n != 0 || digits == 0):
			n = n*10 + int64(digit)
			digits++
		case c == ',' || c == ']':
			if digits == 0 || digits > 18 || ended > 0 && ended != digits {
				return ints, 0
			}
			if negative {
				n = -n
			}
			ints = append(ints, n)
			if c == ']' {
				return ints, i + 1
			}
			n, digits, negative, ended = 0, 0, false, 0
		case c == '-' && digits == 0 && !negative:
			negative = true
		case blank(c) && (digits > 0 || !negative):
			if ended == 0 {
				ended = digits
			}
		default:
			return ints, 0
		}
	}
	return ints, 0
}

// Line is like JSON, but for one of many lines: nothing may come after the value. The argument number is the number of
// lines before it.
func (t *Tree) Line(data []byte, number int) error {
	err := t.read(data, nil)
	t.line = number
	if err != nil {
		return err
	}
	if s := &t.scanner; s.Offset() < len(data) && (s.next() != 0 || s.Offset() < len(data)) {
		s.Fail(s.Offset(), "unexpected text after the value")
	}
	if fault := t.scanner.Fault(); fault != nil {
		return fault
	}
	return nil
}

// Comments returns the comments that have the [CommentMark], in order.
func (t *Tree) Comments() []Comment { return t.comments.List(t.seen) }

// Root returns the value of the whole input.
func (t *Tree) Root() Value { return Value{t, 0, 0} }

// All yields every value of the tree.
func (t *Tree) All(yield func(Value) bool) {
	for i := range t.nodes {
		v := Value{t, int32(i), 0}
		if !yield(v) {
			return
		}
		if n := &t.nodes[i]; n.kind == Array && n.whole {
			for item := range v.Items {
				if !yield(item) {
					return
				}
			}
		}
	}
}

// A Value is a value in a tree.
type Value struct {
	tree *Tree
	i    int32 // its node, or the node of the list of plain integers that contains it
	item int32 // its number, starting at 1; 0 for values that have nodes
}

// Exists reports whether this is a value of a tree: the zero Value is not.
func (v Value) Exists() bool { return v.tree != nil }

// node returns the node of the value. For an item of a list of plain integers, it creates one.
func (v Value) node() *node {
	if v.item > 0 {
		return v.tree.integer(v)
	}
	return &v.tree.nodes[v.i]
}

// Kind returns the kind of the value.
func (v Value) Kind() Kind {
	if v.item > 0 {
		return Number
	}
	return v.tree.nodes[v.i].kind
}

// Bytes returns a scalar as written. A string has no quotes but keeps its escapes.
func (v Value) Bytes() []byte {
	n := v.node()
	return v.tree.words[n.start:n.end]
}

// Escaped reports whether the value is a string with escapes, so that [Value.Bytes] is not its content.
func (v Value) Escaped() bool { return v.node().escaped }

// Is reports whether the value is the given string.
func (v Value) Is(text string) bool {
	return v.Kind() == String && same(v.Bytes(), v.Escaped(), text)
}

// same reports whether a string or a name is equal to text. An escape is never shorter than the character that it
// stands for.
func same(raw []byte, escaped bool, text string) bool {
	if !escaped {
		return string(raw) == text
	}
	return len(raw) > len(text) && Unescape(raw) == text
}

// Text returns a string with its escapes resolved, and other values as written.
func (v Value) Text() string {
	if v.Escaped() {
		return Unescape(v.Bytes())
	}
	return string(v.Bytes())
}

// Key returns the name of a member, or an empty string for other values. Invalid UTF-8 becomes U+FFFD.
func (v Value) Key() string {
	raw, escaped := v.KeyBytes()
	if escaped {
		return Unescape(raw)
	}
	return strings.ToValidUTF8(string(raw), "\uFFFD")
}

// KeyBytes returns the name of a member as written, with its escapes, or nil for other values.
func (v Value) KeyBytes() (raw []byte, escaped bool) {
	if v.item > 0 {
		return nil, false
	}
	k := &v.tree.nodes[v.i].name
	return v.tree.words[k.start : k.start+uint32(k.length)], k.escaped
}

// IsKey reports whether the value is the member with a name.
func (v Value) IsKey(name string) bool {
	raw, escaped := v.KeyBytes()
	return same(raw, escaped, name) && v.node().name.member
}

// Items yields the items of a list, or the members of an object.
func (v Value) Items(yield func(Value) bool) {
	n := v.node()
	switch {
	case n.kind != Array && n.kind != Object:
	case n.whole:
		for k := range int32(n.count) {
			if !yield(Value{v.tree, v.i, k + 1}) {
				return
			}
		}
	default:
		for i, end := v.i+1, int32(n.n); i < end; i = v.tree.after(i) {
			if !yield(Value{v.tree, i, 0}) {
				return
			}
		}
	}
}

// Member returns the member of an object after another one, or the first after the zero Value. After the last member,
// it returns the zero Value. It is like Items, for loops that must be fast.
func (v Value) Member(after Value) Value {
	i := v.i + 1
	if after.tree != nil {
		i = v.tree.after(after.i)
	}
	if int64(i) >= v.tree.nodes[v.i].n {
		return Value{}
	}
	return Value{v.tree, i, 0}
}

// Ints appends the items of a list to a slice; ok is false if one of them is not a whole number.
func (v Value) Ints(list []int64) (all []int64, ok bool) {
	switch n := v.node(); {
	case n.kind != Array:
		return list, false
	case n.whole:
		return append(list, v.tree.ints[n.n:n.n+int64(n.count)]...), true
	}
	for item := range v.Items {
		n, ok := item.Int()
		if !ok {
			return list, false
		}
		list = append(list, n)
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

// Get returns the first member with a name.
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

// Has reports whether the value has a member of one of the names.
func (v Value) Has(names ...string) bool {
	for _, name := range names {
		if _, ok := v.Get(name); ok {
			return true
		}
	}
	return false
}

// Int returns the number as an integer; ok is false if it is not an integer or does not fit in 64 bits. An integer has
// no fraction, exponent, leading zeros or plus.
func (v Value) Int() (n int64, ok bool) {
	node := &v.tree.nodes[v.i]
	if v.item > 0 {
		return v.tree.ints[node.n+int64(v.item)-1], true
	}
	return node.n, node.whole && node.kind == Number
}
