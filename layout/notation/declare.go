package notation

import "strings"

// A binding is a name of a C++ text and what it stands for.
type binding struct {
	kind  string // the type that was written before it, without its arguments
	name  string
	value value
}

// declarations reads C++: declarations of arrays and structs, and assignments to their members.
// Of a debugger it reads NAME = VALUE.
func (r *reader) declarations() []binding {
	var all []binding
	for !r.done() && r.err == nil {
		switch r.peek() {
		case ';', ',':
			r.pos++
		case '#':
			r.pos = r.after("\n", r.pos)
		default:
			all = append(all, r.declaration())
		}
	}
	return all
}

// declaration reads one statement: words, the last of which is the name, and the value.
func (r *reader) declaration() binding {
	var b binding
	for r.err == nil && !r.done() && strings.IndexByte(";,=", r.peek()) < 0 {
		if r.peek() == '*' || r.peek() == '&' {
			r.pos++
			continue
		}
		v := r.operand()
		if v.kind == word {
			b.kind, b.name = b.name, v.word
		}
		b.value = v
	}
	if r.take("=") {
		b.value = r.value()
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
	if v.kind != word {
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
