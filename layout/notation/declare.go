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
	s := cppSource{reader: r, all: make([]binding, 0, 4), fresh: true}
	for !r.done() && r.err == nil {
		switch c := r.peek(); {
		case c == ';' || c == ',':
			r.pos++
			s.fresh = c == ';'
		case c == '}' && s.blocks > 0:
			r.pos++
			s.blocks--
			s.fresh = true
		case c == '#':
			r.pos = r.after("\n", r.pos)
		case s.fresh && s.block():
			s.blocks++
			s.inside = true
		default:
			s.statement()
		}
	}
	return s.all
}

// A cppSource is C++ that is being read.
type cppSource struct {
	*reader
	all    []binding
	fresh  bool // a statement may start here
	blocks int  // the braces of functions, loops and the like that are open
	inside bool // there has been one

	declared map[string]bool
}

// statement reads one. In a function it may be any: what cannot be read and does not speak of
// tensors is left out.
func (s *cppSource) statement() {
	start := s.pos
	b := s.declaration()
	s.fresh = false
	if s.err == nil || s.blocks == 0 {
		s.unchanged(b, s.all)
		s.once(b)
		s.all = append(s.all, b)
		return
	}
	fault, depth := s.err, s.depth
	s.err, s.depth, s.pos = nil, 0, start
	s.until(";}")
	if s.err != nil || speaksOfTensors(s.text[start:s.pos]) {
		s.err, s.depth = fault, depth
	}
}

func speaksOfTensors(statement string) bool {
	statement = strings.ToLower(statement)
	for _, word := range [...]string{"tensor", "type", "sizes", "strides", "shape"} {
		if strings.Contains(statement, word) {
			return true
		}
	}
	return false
}

// once refuses a name that two functions have for arrays or descriptors of their own.
func (s *cppSource) once(b binding) {
	if b.kind == "" || b.value.kind != list && !strings.HasSuffix(b.kind, "TENSOR_DESC") {
		return
	}
	if s.declared == nil {
		s.declared = map[string]bool{}
	}
	if s.inside && s.declared[b.name] {
		s.fail(b.value.at, "paste one function at a time", "%s is declared twice", b.name)
	}
	s.declared[b.name] = true
}

// block steps over the head of a function, a loop or the like and the brace behind it; it reports
// false where none starts.
func (s *cppSource) block() bool {
	start := s.pos
	stop, last := s.until("{};=")
	opens := false
	switch last {
	case ")":
		opens = s.text[start] != '('
	case "const", "noexcept", "override", "else", "do", "try":
		opens = true
	case "":
		opens = s.blocks > 0
	default:
		opens = strings.HasPrefix(s.text[start:], "namespace ")
	}
	if opens = opens && stop == '{' && s.err == nil; opens {
		s.pos++
		return true
	}
	s.pos, s.err = start, nil // what is wrong is found again
	return false
}

// until steps up to one of the bytes outside brackets and texts. It returns that, 0 at the end,
// and the word or byte before it.
func (r *reader) until(stops string) (stop byte, last string) {
	for depth := 0; r.err == nil && !r.done(); {
		switch c := r.peek(); {
		case depth == 0 && strings.IndexByte(stops, c) >= 0:
			return c, last
		case isWord(c):
			last = r.span(func(c byte) bool { return isWord(c) || c == '\'' })
			continue
		case c == '"' || c == '\'':
			r.quoted()
			last = "text"
			continue
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		}
		last = r.text[r.pos : r.pos+1]
		r.pos++
	}
	return 0, last
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
