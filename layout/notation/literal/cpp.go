package literal

import (
	"cmp"
	"slices"
	"strings"

	"layoutcalc/layout/scan"
)

// A Binding is a name of a C++ text and its value.
type Binding struct {
	Kind  string // the type that was written before it, without its arguments
	Name  string
	Value Value

	Index   *Value // the brackets after the name, nil without
	Printed bool   // a debugger was asked for it

	At, End int // the statement
}

// Declarations reads C++: declarations of arrays and structs, and assignments to their members.
// Of a debugger it reads NAME = VALUE, and what commands print, for which [Parser.Session] calls use.
func (p *Parser) Declarations(use func(from, to int)) []Binding {
	if p.IsSession() {
		return p.Session(use)
	}
	s := source{Parser: p, all: make([]Binding, 0, 4), fresh: true}
	for !p.Done() && p.Err == nil {
		switch c := p.Peek(); {
		case c == ';' || c == ',':
			p.Pos++
			s.fresh = c == ';'
			if !s.fresh && s.blocks == 0 && s.Token().Kind == scan.Word && s.After(1).Kind == scan.Word {
				s.Unexpected("unexpected text %s after the comma", s.Rest())
			}
		case c == '}' && s.blocks > 0:
			p.Pos++
			s.blocks--
			s.fresh = true
		case c == '#':
			p.Skip()
		case s.fresh && s.block():
			s.blocks++
			s.inside = true
		default:
			s.statement()
			t := s.Token()
			ends := t.Kind == scan.End || t.Gap == scan.Line || strings.IndexByte(";,}", s.In[t.At]) >= 0
			if !ends && s.blocks == 0 && !s.IsAt(1, "=") {
				s.Unexpected("unexpected text %s after the statement", s.Rest())
			}
		}
	}
	return s.all
}

// A source reads the statements of a C++ text.
type source struct {
	*Parser
	all    []Binding
	fresh  bool // a statement may start here
	blocks int  // the braces of functions, loops and the like that are open
	inside bool // there has been one

	declared map[string]bool
	arrays   map[string]*Value // the last list of each name
}

// statement reads one. In a function it may be any: what cannot be read and does not speak of tensors is left out.
func (s *source) statement() {
	start := s.Pos
	b := s.declaration()
	b.At, b.End = start, s.Pos
	s.fresh = false
	if s.Err == nil || s.blocks == 0 {
		s.check(b)
		s.call(b)
		if s.all = append(s.all, b); b.Value.Kind == List && b.Name != "" {
			if s.arrays == nil {
				s.arrays = map[string]*Value{}
			}
			s.arrays[b.Name] = &s.all[len(s.all)-1].Value
		}
		return
	}
	fault := s.Err
	s.Recover(start)
	s.until(";}")
	if s.Err != nil || s.speaksOfTensors(start, s.Pos) {
		s.Err = fault
	}
}

// telling are parts of words that may say something of a tensor.
var telling = [...]string{"tensor", "type", "sizes", "strides", "shape"}

// speaksOfTensors reports whether there is a word between two offsets that may say something of a tensor.
func (s *source) speaksOfTensors(from, to int) bool {
	end := s.Pos
	defer func() { s.Pos = end }()
	for s.Pos = from; s.Pos < to; {
		t := s.Next()
		word := strings.ToLower(s.Text(t))
		isName := t.Kind == scan.Word || t.Kind == scan.String
		if isName && slices.ContainsFunc(telling[:], func(part string) bool { return strings.Contains(word, part) }) {
			return true
		}
	}
	return false
}

// check refuses a statement that changes an element of an array above it, and a name that two functions have for
// arrays or descriptors of their own.
func (s *source) check(b Binding) {
	if b.Kind == "" {
		if b.Index != nil && len(b.Index.List) > 0 && slices.ContainsFunc(s.all, func(a Binding) bool {
			return a.Name == b.Name && a.Value.Kind == List
		}) {
			s.Fail(b.Value.At, "write the array as it is in the end", "this changes an element of %s", b.Name)
		}
		return
	}
	if b.Value.Kind != List && !strings.HasSuffix(b.Kind, "TENSOR_DESC") {
		return
	}
	if s.declared == nil {
		s.declared = map[string]bool{}
	}
	if s.inside && s.declared[b.Name] {
		s.Fail(b.Value.At, "paste one function at a time", "%s is declared twice", b.Name)
	}
	s.declared[b.Name] = true
}

// watchers are functions that leave the arrays alone which they get.
var watchers = [...]string{
	"printf", "fprintf", "assert", "ASSERT*", "static_assert", "cudnn*", "aoti_*", "*.data", "*.size",
}

// call carries out std::swap of two elements, or refuses a call that may change an array of numbers above it.
func (s *source) call(b Binding) {
	args, ok := b.Value.Arguments('(')
	if !ok || b.Kind != "" || b.Value.Kind != Word || b.Name != b.Value.Word || scan.Like(b.Name, watchers[:]...) {
		return
	}
	var elements []*Entry
	fail := func(at int, name string) {
		s.Fail(at, "write the array as it is in the end", "the text changes %s here, in a way that is not understood",
			name)
	}
	object := Entry{Value: Value{At: b.Value.At, Kind: Word, Word: b.Name}}
	args = append(args[:len(args):len(args)], object)
	for i := range args {
		array := s.arrays[Root(args[i].Word)]
		if array == nil || len(array.List) == 0 || array.List[0].Kind != Number {
			continue
		}
		at, ok := args[i].Arguments('[')
		if !ok || len(at) != 1 || at[0].Kind != Number || at[0].N < 0 || at[0].N >= int64(len(array.List)) ||
			b.Value.Last() != "swap" || len(args) != 3 {
			fail(args[i].At, Root(args[i].Word))
			return
		}
		elements = append(elements, &array.List[at[0].N])
	}
	switch len(elements) {
	case 1:
		fail(b.Value.At, "an array")
	case 2:
		*elements[0], *elements[1] = *elements[1], *elements[0]
	}
}

// block skips the head of a function, a loop or the like and the brace after it; it reports
// false where no block starts.
func (s *source) block() bool {
	start := s.Pos
	first := s.Text(s.Token())
	stop, last := s.until("{};=")
	opens := false
	switch last {
	case ")":
		opens = first != "("
	case "const", "noexcept", "override", "else", "do", "try":
		opens = true
	case "":
		opens = s.blocks > 0
	default:
		opens = first == "namespace"
	}
	if opens = opens && stop == '{' && s.Err == nil; opens {
		s.Pos++
		return true
	}
	s.Err, s.Pos = nil, start // what is wrong is found again
	return false
}

// until steps up to one of the bytes outside brackets and texts. It returns that, 0 at the end,
// and the word or byte before it.
func (p *Parser) until(stops string) (stop byte, last string) {
	for depth := 0; p.Err == nil && !p.Done(); {
		t := p.Token()
		c := p.In[t.At]
		if depth == 0 && strings.IndexByte(stops, c) >= 0 {
			return c, last
		}
		last = p.Text(t)
		switch {
		case t.Kind == scan.String:
			p.quoted()
			last = "text"
			continue
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		}
		p.Pos = int(t.End)
	}
	return 0, last
}

// The words of C++ that may be before the type of a declaration, and the types that go on with a second word.
var (
	qualifiers = [...]string{
		"const", "constexpr", "static", "inline", "struct", "volatile", "extern", "mutable", "typename", "using",
		"typedef", "return",
	}
	modifiers = [...]string{"unsigned", "signed", "long", "short"}
)

// typed makes a word the name of a declaration, and the one before it the type, of which there is one.
func (p *Parser) typed(b *Binding, word Value) {
	isType := b.Name != "" && !slices.Contains(qualifiers[:], b.Name)
	if isType && b.Kind != "" && !slices.Contains(modifiers[:], b.Kind) {
		p.Fail(word.At, "", "unexpected text %s after the type %s", scan.Quote(b.Name), b.Kind)
	}
	if isType && strings.ContainsAny(word.Word, ".>$") {
		p.Fail(word.At, "", "unexpected text %s before %s", scan.Quote(b.Name), word.Word)
	}
	if isType {
		b.Kind = b.Name
	}
	b.Name = word.Word
}

// declaration reads one statement: words, the last of which is the name, and the value.
func (p *Parser) declaration() Binding {
	var b Binding
	for p.Err == nil && !p.Done() && strings.IndexByte(";,=", p.Peek()) < 0 {
		if p.Peek() == '*' || p.Peek() == '&' {
			p.Pos++
			continue
		}
		var v Value
		p.Operand(&v)
		if v.Kind == Word {
			p.typed(&b, v)
		}
		b.Value = v
	}
	if p.Take("=") {
		b.Index = b.Value.brackets('[')
		p.Value(&b.Value)
		return b
	}
	if _, ok := b.Value.Arguments('{'); ok {
		b.Kind, b.Value = cmp.Or(b.Kind, b.Name), b.Value.Inside("{")
	}
	return b
}

// A Scope is the bindings of a text as one of its statements takes them: of those of a name the last before it, or else
// the first after it.
type Scope struct {
	All    []Binding
	At     int              // the statement
	places map[string][]int // where in All the bindings of each name are
}

// ScopeOf returns the bindings of a text, as its first statement takes them.
func ScopeOf(all []Binding) Scope {
	s := Scope{All: all, places: map[string][]int{}}
	for i, b := range all {
		s.places[b.Name] = append(s.places[b.Name], i)
	}
	return s
}

// Before returns the bindings as a statement takes them.
func (s Scope) Before(statement int) Scope {
	s.At = statement
	return s
}

// Find returns which of the bindings has a name, -1 where none has.
func (s Scope) Find(name string) int {
	places := s.places[name]
	if len(places) == 0 {
		return -1
	}
	i, _ := slices.BinarySearch(places, s.At)
	return places[max(i-1, 0)]
}

// Resolve returns the value of a name: an array or a number, also with &, [0] or .data().
func (s Scope) Resolve(v Value) Value {
	index, indexed := v.Arguments('[')
	args, _ := v.Arguments('(')
	if v.Kind != Word || len(args) > 0 || indexed && (len(index) != 1 || index[0].Kind != Number || index[0].N != 0) {
		return v
	}
	if i := s.Find(v.Pointer()); i >= 0 {
		return s.All[i].Value
	}
	return v
}

// Pointer returns the name of the array that a word points to: sizes of sizes.data().
func (v Value) Pointer() string {
	name, _, _ := strings.Cut(v.Word, ".data")
	return name
}
