package literal

import (
	"slices"

	"layoutcalc/layout/lexer"
)

// A Statement is a statement of a Python program. An assignment to several names, x = y = z, becomes one statement for
// each.
type Statement struct {
	Names       []string // the variables that it sets, with their dots
	At, End     int      // the offsets of its expression
	First, Last int      // the indices of its tokens
	Column      int      // the column of the first character of its line
}

// Statements splits a Python program at the line ends and semicolons outside of brackets.
func (p *Parser) Statements() []Statement {
	var all []Statement
	first, last, depth := -1, 0, 0 // the tokens that a statement starts and ends with
	line, column := 0, 0
	tokens := p.Tokens()
	end := func() {
		if first >= 0 {
			all, column = p.split(all, Statement{First: first, Last: last, Column: column}, line)
		}
		first, depth = -1, 0
	}
	for i, t := range tokens {
		if t.Hashed && p.Python || t.Slashed && !p.Python {
			continue
		}
		if t.Kind == lexer.End || t.Gap == lexer.Line && depth <= 0 {
			end()
			for line = int(t.At); line > 0 && p.In[line-1] != '\n'; line-- {
			}
		}
		if p.Text(t) == ";" && depth <= 0 {
			end()
			line = -1
			continue
		}
		depth += t.Bracket(p.In)
		if first < 0 {
			first = i
		}
		last = i
	}
	return all
}

// split appends a statement, without its prompt. If it assigns to several names, the last name gets the expression, and
// each name before it gets the name after it. The line starts at an offset, or is the line of the previous statement if
// it is -1.
func (p *Parser) split(all []Statement, s Statement, line int) (statements []Statement, column int) {
	tokens := p.Tokens()
	p.Pos = int(tokens[s.First].At)
	for p.TakeHere(">>>") || p.TakeHere("...") {
		p.Space()
	}
	s.First, s.End = p.Index(), int(tokens[s.Last].End)
	if line >= 0 {
		s.Column = p.Pos - line
	}
	var before []Statement
	for {
		at, first := p.Pos, p.Index()
		names := p.targets(s.End)
		if s.At = at; names == nil {
			break
		}
		if s.Names != nil {
			x := s
			x.Last = p.Index() - 2 // the token before the equals sign
			x.End = int(tokens[x.Last].End)
			before = append(before, x)
		}
		s.Names, s.First = names, first
	}
	if s.At < s.End {
		all = append(all, s)
	}
	slices.Reverse(before)
	return append(all, before...), s.Column
}

// targets reads the names before =, and moves to the expression. A single name may have a type. If the input has
// another form, it returns nil and does not move.
func (p *Parser) targets(end int) (names []string) {
	start := p.Pos
	isTuple := p.Is("(") && p.After(1).Kind == lexer.Word
	if isTuple {
		p.Next()
	}
	names = p.names()
	if isTuple {
		p.Take(")")
	} else if len(names) == 1 {
		p.annotation(end)
	}
	if p.Is("=") && names[0] != "" {
		p.Next()
		if p.Space(); p.Pos < end {
			return names
		}
	}
	p.Pos = start
	return nil
}

// names reads names with commas between them. After the last comma, the name may be missing, and is empty.
func (p *Parser) names() (names []string) {
	for comma := true; comma; {
		name := ""
		if p.Token().Kind == lexer.Word {
			p.Space()
			name = p.Path()
		}
		names = append(names, name)
		if comma = p.Is(","); comma {
			p.Next()
		}
	}
	return names
}

// annotation moves past a colon and the type of a variable, if there is one.
func (p *Parser) annotation(end int) {
	if !p.Is(":") {
		return
	}
	for depth := 0; p.Pos < end && (depth > 0 || !p.Is("=")); {
		depth += p.Next().Bracket(p.In)
	}
}

// CallAt returns the dotted path that starts at an offset; ok reports whether a parenthesis directly follows it.
func (p *Parser) CallAt(at int) (path string, ok bool) {
	end := at
	for end < len(p.In) && (lexer.IsWord(p.In[end]) || p.In[end] == '.') {
		end++
	}
	return p.In[at:end], end > at && end < len(p.In) && p.In[end] == '('
}

// InnerCalls calls read at each call inside a statement. If read reads the call, it moves past it.
func (p *Parser) InnerCalls(s Statement, read func(path string)) {
	before := 0 // the end of a word or dot
	for p.Pos = s.At; p.Err == nil; {
		p.Space()
		t := p.Token()
		if int(t.At) >= s.End || t.Kind == lexer.End {
			return
		}
		isPart := t.Kind == lexer.Word || t.Kind == lexer.Number || t.Kind == lexer.Mark && p.In[t.At] == '.'
		if isPart && before != int(t.At) {
			if path, ok := p.CallAt(p.Pos); ok {
				if read(path); p.Pos > int(t.At) {
					continue
				}
			}
		}
		if p.Pos = int(t.End); isPart {
			before = p.Pos
		}
	}
}
