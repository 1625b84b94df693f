package notation

import "strings"

// A binding is a name of a C++ text and what it stands for.
type binding struct {
	kind  string // the type that was written before it, without its arguments
	name  string
	value value

	element bool // there is an index behind the name
}

// declarations reads C++: declarations of arrays and structs, and assignments to their members.
// Of a debugger it reads NAME = VALUE.
func (r *reader) declarations() []binding {
	all := make([]binding, 0, 4)
	for !r.done() && r.err == nil {
		switch r.peek() {
		case ';', ',':
			r.pos++
		case '#':
			r.pos = r.after("\n", r.pos)
		default:
			b := r.declaration()
			r.unchanged(b, all)
			all = append(all, b)
		}
	}
	return all
}

// unchanged refuses a statement that changes an element of an array above it.
func (r *reader) unchanged(b binding, all []binding) {
	if b.kind != "" || !b.element {
		return
	}
	if array := resolve(value{kind: word, word: b.name}, all); array.kind == list {
		r.fail(b.value.at, "write the array as it is in the end", "this changes an element of %s", b.name)
	}
}

// declaration reads one statement: words, the last of which is the name, and the value.
func (r *reader) declaration() binding {
	var b binding
	for r.err == nil && !r.done() && strings.IndexByte(";,=", r.peek()) < 0 {
		if r.peek() == '*' || r.peek() == '&' {
			r.pos++
			continue
		}
		var v value
		r.operand(&v)
		if v.kind == word {
			b.kind, b.name = b.name, v.word
		}
		b.value = v
	}
	if r.take("=") {
		index, _ := b.value.arguments('[')
		b.element = len(index) > 0
		r.value(&b.value)
		return b
	}
	if args, ok := b.value.arguments('{'); ok {
		if b.kind == "" {
			b.kind = b.name
		}
		b.value = value{at: b.value.at, kind: list, list: args}
	}
	return b
}

// resolve returns what a name stands for: an array or a number, also behind &, [0] and .data().
func resolve(v value, all []binding) value {
	index, indexed := v.arguments('[')
	if v.kind != word || indexed && (len(index) != 1 || index[0].kind != number || index[0].n != 0) {
		return v
	}
	name, _, _ := strings.Cut(v.word, ".data")
	for _, b := range all {
		if b.name == name {
			return b.value
		}
	}
	return v
}
