package doctree

import (
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
)

// String names the kind with its article, for messages.
func (k Kind) String() string {
	return [...]string{"null", "a truth value", "a number", "a text", "a list", "an object"}[k]
}

// A Tree is a text of JSON or YAML. Its first node is the root. The zero Tree can be filled, and
// filled again, by [Tree.JSON] and [Tree.YAML].
type Tree struct {
	data     []byte
	nodes    []node
	comments []comment // those for layoutcalc
	sharp    bool      // comments start with #
	line     int       // the line of the text's first byte, from 0
	seen     lineMark
	counted  map[int32]listMark // by list
}

// A node is a value in a tree. Offsets are into the data.
type node struct {
	kind             Kind
	escaped          bool // the string has escapes
	form, keyForm    form
	start, end       uint32 // of a string without its quotes
	keyStart, keyEnd uint32 // of the name of a member, without its quotes
	parent           int32
	first, next      int32 // the first item and the next sibling; 0 is none
}

// A form is how a text is written.
type form uint8

const (
	doubleQuoted form = iota // as JSON has it
	singleQuoted             // two quotes are one
	unquoted
)

// text returns what is written in the form.
func (f form) text(raw []byte) string {
	switch f {
	case doubleQuoted:
		return Unescape(raw)
	case singleQuoted:
		return strings.ReplaceAll(string(raw), "''", "'")
	}
	return string(raw)
}

// at is the offset of the first byte of a text, its quote if it has one.
func (f form) at(start uint32) uint32 {
	if f == unquoted {
		return start
	}
	return start - 1
}

// Root returns the value of the whole text.
func (t *Tree) Root() Value { return Value{t, 0} }

// A Value is a value in a tree.
type Value struct {
	tree *Tree
	i    int32
}

// Exists reports whether this is a value of a tree: the zero Value is none.
func (v Value) Exists() bool { return v.tree != nil }

func (v Value) node() *node { return &v.tree.nodes[v.i] }

// Kind returns the kind of the value.
func (v Value) Kind() Kind { return v.node().kind }

// bytes are the value as the text has it, of a string without its quotes.
func (v Value) bytes() []byte {
	n := v.node()
	return v.tree.data[n.start:n.end]
}

// Is reports whether the value is the string.
func (v Value) Is(text string) bool {
	n := v.node()
	return n.kind == String && (string(v.bytes()) == text || n.escaped && v.Text() == text)
}

// Text returns a string without its escapes, and other values as they are written.
func (v Value) Text() string {
	if n := v.node(); n.escaped {
		return n.form.text(v.bytes())
	}
	return string(v.bytes())
}

// Key returns the name of a member, empty for what is none.
func (v Value) Key() string {
	n := v.node()
	return n.keyForm.text(v.tree.data[n.keyStart:n.keyEnd])
}

// IsKey reports whether the value is the member of that name.
func (v Value) IsKey(name string) bool {
	n := v.node()
	key := v.tree.data[n.keyStart:n.keyEnd]
	return string(key) == name || len(key) > len(name) && n.keyForm.text(key) == name
}

// Items yields the items of a list, or the members of an object.
func (v Value) Items(yield func(Value) bool) {
	for i := v.node().first; i != 0; i = v.tree.nodes[i].next {
		if !yield(Value{v.tree, i}) {
			return
		}
	}
}

// Len returns the number of items.
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

// All yields every value of the tree.
func (t *Tree) All(yield func(Value) bool) {
	for i := range t.nodes {
		if !yield(Value{t, int32(i)}) {
			return
		}
	}
}

// Int returns the number as an integer; ok is false when it is none, or none that 64 bits hold.
// A fraction, an exponent, leading zeros and a plus are none.
func (v Value) Int() (n int64, ok bool) {
	if v.Kind() != Number {
		return 0, false
	}
	text := v.bytes()
	if len(text) > 19 {
		n, err := strconv.ParseInt(string(text), 10, 64)
		return n, err == nil && !zeroLed(text)
	}
	negative := text[0] == '-'
	digits := text
	if negative {
		digits = text[1:]
	}
	for _, c := range digits {
		if c < '0' || c > '9' || n > (1<<63-1-int64(c-'0'))/10 {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if negative {
		n = -n
	}
	return n, len(digits) > 0 && !zeroLed(digits)
}

// zeroLed reports whether digits start with a zero that does not count.
func zeroLed(digits []byte) bool {
	if len(digits) > 0 && digits[0] == '-' {
		digits = digits[1:]
	}
	return len(digits) > 1 && digits[0] == '0'
}
