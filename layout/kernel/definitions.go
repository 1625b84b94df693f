package kernel

import (
	"slices"
	"strings"

	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation"
)

// A cppScan is the state of a pass over the tokens of C++.
type cppScan struct {
	*Source
	current int // the scope
	parens  int // that are open
	start   int // the first token of the statement

	// What the next brace gives to its scope.
	head    string   // the name
	isClass bool     // it is the name of a struct
	params  []string // of the template
	pending []int    // the definitions of these
}

// cpp finds the definitions of C++: NAME = ..., using NAME = ..., TYPE NAME, #define, and the parameters of templates.
func (s *Source) cpp() {
	scan := cppScan{Source: s}
	var branches []branch
	for i := 0; s.tokens[i].Kind != lexer.End; i++ {
		if s.text(i) == "#" && s.startsLine(i) {
			branches = s.directive(i, scan.current, branches)
			i = s.lineEnd(i) - 1
			scan.start = i + 1
			continue
		}
		if !slices.ContainsFunc(branches, func(b branch) bool { return b.isDead }) {
			i = scan.token(i)
		}
	}
}

// token takes a token, and returns the last one that it has taken.
func (s *cppScan) token(i int) int {
	switch word := s.text(i); word {
	case "template":
		if s.text(i+1) == "<" {
			i = s.templateParams(i+1, &s.params, &s.pending)
			s.start = i + 1
		}
	case "struct", "class", "namespace", "union":
		if s.isWord(i+1) && s.parens == 0 {
			s.head, s.isClass = s.text(i+1), word != "namespace"
		}
	case "public", "private", "protected":
		if s.text(i+1) == ":" {
			s.start = i + 2
		}
	case "=":
		if s.parens == 0 && s.isWord(i-1) && !slices.Contains([]string{".", "->", "::"}, s.text(i-2)) {
			s.define(s.text(i-1), i-1, i+1, s.current)
		}
	case ";":
		if s.parens == 0 {
			s.declare(s.start, i, s.current)
			s.head, s.params, s.pending = "", nil, nil
		}
		s.start = i + 1
	default:
		s.bracket(word, i)
	}
	return i
}

// bracket takes a bracket, which may be the start or the end of a scope.
func (s *cppScan) bracket(text string, i int) {
	switch text {
	case "(":
		if s.parens == 0 && s.head == "" && s.isWord(i-1) {
			s.head = s.text(i - 1)
		}
		s.parens++
	case ")":
		s.parens = max(s.parens-1, 0)
	case "{":
		if s.text(i+1) == "}" && s.text(i+2) == ";" {
			s.declare(s.start, i, s.current)
		}
		s.scopes = append(s.scopes, scope{name: s.head, parent: s.current, isClass: s.isClass, params: s.params})
		s.current = len(s.scopes) - 1
		for _, at := range s.pending {
			s.definitions[at].scope, s.definitions[at].home = s.current, s.current
		}
		s.head, s.isClass, s.params, s.pending, s.parens, s.start = "", false, nil, nil, 0, i+1
	case "}":
		s.current = max(s.scopes[s.current].parent, 0)
		s.head, s.parens, s.start = "", 0, i+1
	}
}

// isQualifier reports whether a word may be before the type of a declaration.
func isQualifier(word string) bool {
	switch word {
	case "static", "constexpr", "const", "inline", "typename":
		return true
	}
	return false
}

// declare finds the declaration TYPE NAME between two tokens, if the source defines the type, or evaluates templates of
// its name.
func (s *Source) declare(at, end, current int) {
	for isQualifier(s.text(at)) {
		at++
	}
	last, i := "", at
	for isPath := true; isPath && s.isWord(i) && i < end; {
		last = s.text(i)
		if i++; s.text(i) == "<" {
			i = max(s.closing(i), i) + 1
		}
		if isPath = s.text(i) == "::"; isPath {
			i++
		}
	}
	isTemplate := isFunction(last) || last == copyAtom || notation.IsSharedTile(last)
	isType := isTemplate && typeNamed(last).kind != typeValue || s.byName[last] != nil
	if i == end-1 && i > at && s.isWord(i) && isType {
		s.define(s.text(i), i, at, current)
		d := s.last()
		d.end, d.isDeclared = i, true
	}
}

// last returns the definition that was found last.
func (s *Source) last() *definition { return &s.definitions[len(s.definitions)-1] }

// templateParams finds the parameters of a template. The opening bracket is token open. It returns the closing bracket,
// or open if the bracket is not closed.
func (s *Source) templateParams(open int, params *[]string, pending *[]int) int {
	end := max(s.closing(open), open)
	for at := open + 1; at < end; {
		stop, value := s.comma(at, end), 0
		name := stop - 1
		for k := at; k < stop; k++ {
			if s.text(k) == "=" && value == 0 {
				name, value = k-1, k+1
			}
		}
		if s.isWord(name) {
			*params = append(*params, s.text(name))
			*pending = append(*pending, len(s.definitions))
			s.define(s.text(name), name, value, 0)
			d := s.last()
			d.end, d.isTemplate = stop, true
		}
		at = stop + 1
	}
	return end
}

// comma returns the first comma between two tokens that is not in brackets, or the second token.
func (s *Source) comma(at, end int) int {
	for ; at < end; at++ {
		switch s.text(at) {
		case "(", "[", "{":
			at = s.closing(at)
		case "<":
			at = max(at, s.closing(at))
		case ",":
			return at
		}
	}
	return end
}

// closing returns the bracket that closes the one at a token, or the last token of the source. Of angle brackets it
// returns 0 if they are signs of a comparison.
func (s *Source) closing(open int) int {
	angles, others := 0, 0
	isAngle := s.text(open) == "<"
	for i := open; s.tokens[i].Kind != lexer.End && s.work < maxWork; i++ {
		s.work++
		switch s.text(i) {
		case "(", "[", "{":
			others++
		case ")", "]", "}":
			others--
		case "<":
			if others == 0 {
				angles++
			}
		case ">":
			if others == 0 {
				angles--
			}
		case ";":
			if isAngle && others == 0 {
				return 0
			}
		}
		if others < 0 && isAngle {
			return 0
		}
		if isAngle && angles == 0 && others == 0 || !isAngle && others == 0 {
			return i
		}
	}
	if isAngle {
		return 0
	}
	return len(s.tokens) - 1
}

// A branch is one of #if.
type branch struct{ isDead, isDecided, wasLive bool }

// directive reads a line of the preprocessor.
func (s *Source) directive(i, current int, branches []branch) []branch {
	end := s.lineEnd(i)
	n := len(branches) - 1
	switch word := s.text(i + 1); {
	case word == "if" || word == "ifdef" || word == "ifndef":
		b := branch{}
		if n >= 0 && branches[n].isDead { // a branch inside a dead branch is dead
			b = branch{isDead: true, isDecided: true, wasLive: true}
		} else {
			b.decide(s.condition(word, i+2, end))
		}
		return append(branches, b)
	case n < 0:
	case word == "elif" && branches[n].isDecided:
		if branches[n].wasLive {
			branches[n].isDead = true
		} else {
			branches[n].decide(s.condition("if", i+2, end))
		}
	case word == "else" && branches[n].isDecided:
		branches[n].isDead = branches[n].wasLive
		branches[n].wasLive = true
	case word == "endif":
		return branches[:n]
	}
	if s.text(i+1) == "define" && s.isWord(i+2) && i+3 < end && s.tokens[i+3].Gap != lexer.None {
		isDead := slices.ContainsFunc(branches, func(b branch) bool { return b.isDead })
		if !isDead {
			s.define(s.text(i+2), i+2, i+3, current)
			s.last().end = end
		}
	}
	return branches
}

// decide notes whether a branch is compiled: v is its condition.
func (b *branch) decide(v value) {
	b.isDecided = v.kind == number
	b.isDead = b.isDecided && v.number == 0
	b.wasLive = b.wasLive || b.isDecided && v.number != 0
}

// condition evaluates the condition of a directive between two tokens. It supports numbers and the architecture.
func (s *Source) condition(word string, at, end int) value {
	isArch := s.text(at) == arch
	switch {
	case word != "if" && !isArch:
		return value{}
	case word != "if":
		return truth(word == "ifdef")
	}
	tokens := append(slices.Clone(s.tokens[at:end]), lexer.Token{At: int32(len(s.in)), End: int32(len(s.in))})
	line := &Source{in: s.in, tokens: tokens, arch: s.arch, scopes: s.scopes[:1]}
	e := &evaluator{Source: line, isCondition: true}
	v := e.expression(0)
	if e.tokens[e.at].Kind != lexer.End {
		return value{}
	}
	return v
}

// lineEnd returns the first token that is not on the line of a token.
func (s *Source) lineEnd(i int) int {
	for i++; s.tokens[i].Kind != lexer.End && s.tokens[i].Gap != lexer.Line; i++ {
	}
	return i
}

// python finds the definitions of Python: NAME = ..., self.NAME = ..., NAME: TYPE = ..., and parameters.
func (s *Source) python() {
	current := 0
	for i := 0; s.tokens[i].Kind != lexer.End; {
		column := s.column(i)
		for current > 0 && column < s.scopes[current].indent {
			current = s.scopes[current].parent
		}
		word := s.text(i)
		end := s.statementEnd(i)
		switch {
		case (word == "def" || word == "class") && s.isWord(i+1):
			s.scopes = append(s.scopes, scope{
				name: s.text(i + 1), parent: current, indent: column + 1, isClass: word == "class",
			})
			current = len(s.scopes) - 1
			if word == "def" && s.text(i+2) == "(" {
				s.parameters(i+2, current)
			}
		default:
			s.assignment(i, end, current)
		}
		i = end
	}
}

// column returns how far from the start of its line a token is.
func (s *Source) column(i int) int {
	at := int(s.tokens[i].At)
	return at - 1 - strings.LastIndexByte(s.in[:at], '\n')
}

// statementEnd returns the first token of the next statement of Python: on the next line that is not in brackets.
func (s *Source) statementEnd(i int) int {
	depth := max(s.tokens[i].Bracket(s.in), 0)
	for i++; s.tokens[i].Kind != lexer.End && (depth > 0 || s.tokens[i].Gap != lexer.Line); i++ {
		depth = max(depth+s.tokens[i].Bracket(s.in), 0)
	}
	return i
}

// assignment finds the names that a statement of Python between two tokens assigns.
func (s *Source) assignment(at, end, current int) {
	var names []int // the tokens of the targets
	i := at
	for ; i < end && s.text(i) != "="; i++ {
		switch text := s.text(i); {
		case text == ":" && len(names) == 1: // an annotation
			for i+1 < end && s.text(i+1) != "=" {
				i++
			}
		case text == "self" && s.text(i+1) == "." && s.isWord(i+2):
			names = append(names, i+2)
			i += 2
		case s.isWord(i):
			names = append(names, i)
		case text == "(" && len(names) > 0, text != "," && text != "(" && text != ")":
			return
		}
	}
	if i >= end-1 || len(names) == 0 {
		return
	}
	for k, at := range names {
		name, scope := s.text(at), current
		if at >= 2 && s.text(at-1) == "." {
			name = "self." + name
			for scope > 0 && !s.scopes[scope].isClass {
				scope = s.scopes[scope].parent
			}
		}
		s.define(name, at, i+1, scope)
		d := s.last()
		if d.home, d.end = current, end; len(names) > 1 {
			d.item = k
		}
	}
}

// parameters finds the parameters of a function. The opening bracket is token open.
func (s *Source) parameters(open, current int) {
	end := s.closing(open)
	for at := open + 1; at < end; {
		stop, value := s.comma(at, end), 0
		for k := at; k < stop; k++ {
			if s.text(k) == "=" {
				value = k + 1
				break
			}
		}
		if s.isWord(at) {
			s.define(s.text(at), at, value, current)
			s.last().end = stop
		}
		at = stop + 1
	}
}
