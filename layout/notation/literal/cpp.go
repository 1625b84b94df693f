package literal

import (
	"cmp"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// A Binding is a name in a C++ input and its value.
type Binding struct {
	Kind  string // the type before the name, without its arguments
	Name  string
	Value Value

	Index *Value // the brackets after the name; may be nil

	At, End int // the statement

	Const  bool  // the value cannot be changed through this name
	Shared bool  // there is a star or & before the name
	Set    bool  // it has an =
	Unsure bool  // it is in a branch, which may not run
	Done   bool  // it has been applied
	Fault  error // why it is not understood
}

// Declarations reads C++: declarations of arrays and structs, and assignments to their members.
func (p *Parser) Declarations() []Binding {
	s := source{Parser: p, all: make([]Binding, 0, 4), fresh: true}
	p.Resolve = s.resolve
	for !p.Done() {
		switch c := p.Peek(); {
		case c == ';', c == ',':
			s.separator(c)
		case c == '}' && len(s.blocks) > 0:
			p.Pos++
			s.blocks = s.blocks[:len(s.blocks)-1]
			s.fresh = true
		case p.Ahead("(gdb)"), p.Ahead("(lldb)"):
			p.Unexpected("commands of a debugger are not read: paste the struct and its arrays as C++")
		case c == '#':
			s.directive()
		case !s.fresh || !s.block():
			s.statement()
		}
	}
	p.Resolve = nil
	return s.all
}

// resolve gives a word inside brackets the value of a constant.
func (s *source) resolve(v *Value) {
	n, ok := s.numbers[v.Word]
	if isKey := s.Is("=") || s.Is(":"); ok && v.Next == nil && s.Depth() > 0 && !isKey {
		v.Kind, v.Word, v.N = Number, "", n
	}
}

// separator moves past the separator between two statements, or between two names of a declaration.
func (s *source) separator(c byte) {
	s.Pos++
	s.fresh, s.comma = c == ';', c == ','
	isName := s.Token().Kind == lexer.Word && s.After(1).Kind == lexer.Word
	if s.comma && isName && len(s.blocks) == 0 {
		s.Unexpected("unexpected text %s after the comma", s.Rest())
	}
}

// A source reads the statements of a C++ input.
type source struct {
	*Parser
	all     []Binding
	numbers map[string]int64 // the values of constants
	fresh   bool             // a statement may start here
	comma   bool             // another name of the last declaration may start here
	blocks  []bool           // the open braces of functions, loops and other blocks: whether each may not run
	inside  bool             // there has been a brace, or another branch of the preprocessor
	ifs     int              // the open branches of the preprocessor
	guard   string           // the name of the last #ifndef

	declared map[string]bool // names of arrays and descriptors
}

// statement reads a statement. If it cannot be read, it is skipped or kept with its error; see pass.
func (s *source) statement() {
	start := s.Pos
	b := s.declaration()
	if t := s.Token(); !s.ends(t) && !s.IsAt(1, "=") {
		s.Unexpected("unexpected text %s after the statement", s.Rest())
	}
	if fault := s.Err; fault != nil {
		s.pass(start, fault)
		b.Fault, b.Value = fault, Value{}
	}
	b.At, b.End, b.Unsure = start, s.Pos, s.ifs > 0 || slices.Contains(s.blocks, true)
	if n := len(s.all); s.comma && n > 0 && (b.Kind == "" || b.Kind == b.Name) {
		b.Kind, b.Const = s.all[n-1].Kind, s.all[n-1].Const
	}
	s.fresh, s.comma = false, false
	s.check(&b)
	s.add(b)
}

// ends reports whether a statement ends before a token.
func (s *source) ends(t lexer.Token) bool {
	return t.Kind == lexer.End || t.Gap == lexer.Line || strings.IndexByte(";,}", s.In[t.At]) >= 0
}

// pass moves past a statement that cannot be read, or keeps the error.
func (s *source) pass(start int, fault error) {
	s.Recover(start)
	stop, _ := s.until(";}")
	isPassed := s.Err == nil && s.Pos > start
	isEnded := stop != 0 || len(s.blocks) > 0
	if !isPassed || !isEnded || s.speaksOfTensors(start, s.Pos) {
		s.Err = nil
		s.Fault(fault)
	}
}

// add adds a statement, and the value of a constant.
func (s *source) add(b Binding) {
	if n, ok := s.numbers[b.Value.Word]; ok && b.Set && b.Value.Kind == Word && b.Value.Next == nil {
		b.Value = Value{At: b.Value.At, Kind: Number, N: n}
	}
	s.all = append(s.all, b)
	delete(s.numbers, b.Name)
	if isConstant := b.Value.Kind == Number && b.Index == nil && !b.Unsure; !isConstant {
		return
	}
	if s.numbers == nil {
		s.numbers = map[string]int64{}
	}
	s.numbers[b.Name] = b.Value.N
}

// directive reads a line of the preprocessor: #define with a value makes a constant, and only one branch of an #if is
// compiled.
func (s *source) directive() {
	at, end := s.Pos, s.LineEnd()
	s.Pos++
	switch word := s.Word(); word {
	case "if", "ifdef", "ifndef":
		s.ifs++
		if s.guard = ""; word == "ifndef" {
			s.guard = s.Word()
		}
	case "else", "elif":
		s.inside = true
	case "endif":
		s.ifs = max(s.ifs-1, 0)
	case "undef":
		delete(s.numbers, s.Word())
	case "define":
		b := Binding{Kind: word, Name: s.Word(), At: at, End: end, Set: true, Unsure: s.ifs > 0}
		if s.Pos < end && s.Token().Gap != lexer.Line && s.Peek() != '(' {
			s.Value(&b.Value)
		} else if b.Name == s.guard {
			s.ifs-- // the guard surrounds the whole input
		}
		if s.Err == nil && s.Token().Gap == lexer.Line || s.Done() {
			s.add(b)
		}
		s.Recover(end)
	}
	s.Pos = end
}

// telling are parts of words that may be about tensors.
var telling = [...]string{"tensor", "type", "sizes", "strides", "shape"}

// speaksOfTensors reports whether the tokens between two offsets include a list or a word that may be about tensors,
// but no name that is declared before.
func (s *source) speaksOfTensors(from, to int) (speaks bool) {
	end := s.Pos
	defer func() { s.Pos = end }()
	before := "" // the token before
	for s.Pos = from; s.Pos < to; {
		t := s.Next()
		text := s.Text(t)
		if s.declared[text] {
			return false
		}
		speaks = speaks || before+text == "={" || t.Kind != lexer.Mark && isTelling(text)
		before = text
	}
	return speaks
}

// isTelling reports whether a word has a part that may be about tensors.
func isTelling(word string) bool {
	word = strings.ToLower(word)
	return slices.ContainsFunc(telling[:], func(part string) bool { return strings.Contains(word, part) })
}

// check rejects an array or descriptor that two functions or branches declare. A change of a part of one is not
// understood.
func (s *source) check(b *Binding) {
	isDeclared := s.declared[Root(b.Name)]
	switch {
	case b.Kind == "" && b.Set && (b.Shared || b.Index != nil && isDeclared), slices.Contains(Branches[:], b.Kind):
		b.Fault, b.Value = &layout.SyntaxError{Input: s.In, Offset: b.At, Msg: "this is not understood"}, Value{}
	case b.Value.Kind != List && !strings.HasSuffix(b.Kind, "TENSOR_DESC"):
	case s.inside && b.Kind != "" && isDeclared:
		s.Fail(b.Value.At, "paste one function or branch at a time", "%s is declared twice", b.Name)
	default:
		if s.declared == nil {
			s.declared = map[string]bool{}
		}
		s.declared[b.Name] = true
	}
}

// Branches are the words before conditions and loops.
var Branches = [...]string{"if", "else", "for", "while", "do", "switch", "case", "catch"}

// block moves past the head of a function, a loop or another block, and the brace after it. It reports false if no
// block starts here.
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
		opens = len(s.blocks) > 0
	default:
		opens = first == "namespace"
	}
	if opens = opens && stop == '{' && s.Err == nil; opens {
		s.Pos++
		isBranch := slices.Contains(Branches[:], first)
		if s.inside = true; isBranch {
			s.all = append(s.all, Binding{Kind: first, At: start, End: s.Pos})
		}
		s.blocks = append(s.blocks, isBranch)
		return true
	}
	s.Err, s.Pos = nil, start // statement finds the error again
	return false
}

// until moves to one of the bytes outside brackets and strings. It returns that byte, or 0 at the end, and the word or
// byte before it.
func (p *Parser) until(stops string) (stop byte, last string) {
	for depth := 0; !p.Done(); {
		t := p.Token()
		c := p.In[t.At]
		if depth == 0 && strings.IndexByte(stops, c) >= 0 {
			return c, last
		}
		last = p.Text(t)
		switch {
		case t.Kind == lexer.String:
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

// The C++ words that may precede the type of a declaration, and the types that continue with a second word.
var (
	qualifiers = [...]string{
		"const", "constexpr", "static", "inline", "struct", "volatile", "extern", "mutable", "typename", "using",
		"typedef", "return",
	}
	modifiers = [...]string{"unsigned", "signed", "long", "short"}
	constants = [...]string{"const", "constexpr"}
)

// typed makes a word the name of a declaration, and the previous name its type. A second type is an error.
func (p *Parser) typed(b *Binding, word Value) {
	b.Const = b.Const || slices.Contains(constants[:], b.Name)
	if b.Name != "" && !slices.Contains(qualifiers[:], b.Name) {
		isSecond := b.Kind != "" && !slices.Contains(modifiers[:], b.Kind)
		switch {
		case isSecond:
			p.Fail(word.At, "", "unexpected text %s after the type %s", wording.Quote(b.Name), b.Kind)
		case strings.ContainsAny(word.Word, ".>$"):
			p.Fail(word.At, "", "unexpected text %s before %s", wording.Quote(b.Name), word.Word)
		}
		b.Kind = b.Name
	}
	b.Name = word.Word
}

// declaration reads one statement: a type, a name and a value.
func (p *Parser) declaration() Binding {
	var b Binding
	for !p.Done() && !p.starts(";,=") {
		if p.starts("*&") {
			p.Pos++
			b.Shared = true
			continue
		}
		var v Value
		p.Operand(&v)
		switch {
		case v.Kind == Word:
			p.typed(&b, v)
		case v.Open == '{':
			b.Index = b.Value.brackets('[') // int sizes[2] {2, 3}
		}
		if i := v.brackets('['); i != nil && i.brackets('{') == i.Next && i.Next != nil {
			b.Index, v, i.Next = i, *i.Next, nil
		}
		b.Value = v
	}
	if b.Set = p.Take("="); b.Set {
		b.Index = b.Value.brackets('[')
		p.Value(&b.Value)
		return b
	}
	if _, ok := b.Value.Arguments('{'); ok {
		b.Kind, b.Value = cmp.Or(b.Kind, b.Name), b.Value.Inside("{")
	}
	return b
}

// A Scope is the bindings of an input as one of its statements sees them. If a name has several, the last binding
// before the statement counts, or otherwise the first one after it.
type Scope struct {
	All    []Binding
	At     int              // the offset of the statement
	places map[string][]int // the indices in All of the bindings of each name
}

// ScopeOf returns the bindings of an input, as its first statement sees them.
func ScopeOf(all []Binding) Scope {
	s := Scope{All: all, places: map[string][]int{}}
	for i, b := range all {
		if b.Fault == nil && (b.Set || b.Value.Kind != Word) {
			s.places[b.Name] = append(s.places[b.Name], i)
		}
	}
	return s
}

// Before returns the bindings as a statement sees them.
func (s Scope) Before(statement int) Scope {
	s.At = statement
	return s
}

// Find returns the index of the binding with a name, or -1 if no binding has it.
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
	args, _ := v.Arguments('(')
	if v.Kind != Word || len(args) > 0 || !v.isFirst() {
		return v
	}
	if i := s.Find(v.Pointer()); i >= 0 {
		return s.All[i].Value
	}
	return v
}

// isFirst reports whether a word has no index, or the index [0].
func (v Value) isFirst() bool {
	index, isIndexed := v.Arguments('[')
	if !isIndexed {
		return true
	}
	return len(index) == 1 && index[0].Kind == Number && index[0].N == 0
}

// Pointer returns the name of the array that a word points to: sizes for sizes.data().
func (v Value) Pointer() string {
	name, _, _ := strings.Cut(v.Word, ".data")
	return name
}
