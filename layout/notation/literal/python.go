package literal

import (
	"strings"

	"layoutcalc/layout/scan"
)

// A Statement is one of a Python program.
type Statement struct {
	Names       []string // of the variables that it sets
	At, End     int      // its expression
	First, Last int      // its tokens
	Column      int      // in which its line starts
}

// Statements splits a Python program at the line ends and semicolons outside of brackets.
func (p *Parser) Statements() []Statement {
	var all []Statement
	first, last, depth := -1, 0, 0 // the tokens that a statement starts and ends with
	line, column := 0, 0
	tokens := p.Tokens()
	end := func() {
		if s := (Statement{First: first, Last: last, Column: column}); first >= 0 && p.trim(&s, line) {
			all, column = append(all, s), s.Column
		}
		first, depth = -1, 0
	}
	for i, t := range tokens {
		if t.Hashed && p.Python || t.Slashed && !p.Python {
			continue
		}
		if t.Kind == scan.End || t.Gap == scan.Line && depth <= 0 {
			end()
			for line = int(t.At); line > 0 && p.In[line-1] != '\n'; line-- {
			}
		}
		c := byte(0)
		if t.Kind == scan.Mark {
			c = p.In[t.At]
		}
		switch {
		case c == ';' && depth <= 0:
			end()
			line = -1
			continue
		case strings.IndexByte("([{", c) >= 0 && c != 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0 && c != 0:
			depth--
		}
		if first < 0 {
			first = i
		}
		last = i
	}
	return all
}

// trim gives a statement its expression, and reports whether there is one. The prompt before it does not count. The
// line starts at an offset; -1 is the line of the statement before.
func (p *Parser) trim(s *Statement, line int) bool {
	tokens := p.Tokens()
	p.Pos = int(tokens[s.First].At)
	for p.TakeHere(">>>") || p.TakeHere("...") {
		p.Space()
	}
	s.First, s.At, s.End = p.Index(), p.Pos, int(tokens[s.Last].End)
	if line >= 0 {
		s.Column = s.At - line
	}
	if s.Names = p.targets(s.End); s.Names != nil {
		s.At = p.Pos
	}
	return s.At < s.End
}

// targets reads the names before =, and moves to the expression; nil where a statement has another form.
func (p *Parser) targets(end int) (names []string) {
	bracketed := p.Is("(") && p.After(1).Kind == scan.Word
	if bracketed {
		p.Next()
	}
	for comma := true; comma; {
		name := "" // behind the last comma
		if p.Token().Kind == scan.Word {
			name = p.Text(p.Next())
		}
		names = append(names, name)
		if comma = p.Is(","); comma {
			p.Next()
		}
	}
	if bracketed && p.Is(")") {
		p.Next()
	}
	if !p.Is("=") || names[0] == "" {
		return nil
	}
	p.Next()
	if p.Space(); p.Pos >= end {
		return nil
	}
	return names
}

// CallAt returns the dotted path that starts at an offset if a bracket directly follows it, and where it ends.
func (p *Parser) CallAt(at int) (path string, ok bool) {
	end := at
	for end < len(p.In) && (scan.IsWord(p.In[end]) || p.In[end] == '.') {
		end++
	}
	return p.In[at:end], end > at && end < len(p.In) && p.In[end] == '('
}

// InnerCalls calls read at each call inside a statement, which moves past it if it reads it.
func (p *Parser) InnerCalls(s Statement, read func(path string)) {
	before := 0 // the end of a word or dot
	for p.Pos = s.At; p.Err == nil; {
		p.Space()
		t := p.Token()
		if int(t.At) >= s.End || t.Kind == scan.End {
			return
		}
		isPart := t.Kind == scan.Word || t.Kind == scan.Number || t.Kind == scan.Mark && p.In[t.At] == '.'
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
