package literal

import (
	"slices"
	"strings"

	"layoutcalc/layout/scan"
)

// A Statement is one of a Python program.
type Statement struct {
	Name    string // of the variable that it sets; empty if there is none
	At, End int    // its expression
}

// Statements splits a Python program at the line ends and semicolons outside of brackets.
func (p *Parser) Statements() []Statement {
	var all []Statement
	first, depth := -1, 0 // the token that a statement starts with
	tokens := p.Tokens()
	last := 0
	end := func() {
		if s := (Statement{End: last}); first >= 0 && p.trim(&s, first) {
			all = append(all, s)
		}
		first, depth = -1, 0
	}
	for i, t := range tokens {
		if t.Hashed && p.Python || t.Slashed && !p.Python {
			continue
		}
		if t.Kind == scan.End || t.Gap == scan.Line && depth <= 0 {
			end()
		}
		c := byte(0)
		if t.Kind == scan.Mark {
			c = p.In[t.At]
		}
		switch {
		case c == ';' && depth <= 0:
			end()
			continue
		case strings.IndexByte("([{", c) >= 0 && c != 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0 && c != 0:
			depth--
		}
		if first < 0 {
			first = i
		}
		last = int(t.End)
	}
	return all
}

// trim gives a statement the expression that starts at a token, and reports whether there is one. The prompt before it
// does not count.
func (p *Parser) trim(s *Statement, first int) bool {
	p.Pos = int(p.Tokens()[first].At)
	for p.TakeHere(">>>") || p.TakeHere("...") {
		p.Space()
	}
	s.At = p.Pos
	if t := p.Token(); t.Kind == scan.Word && p.IsAt(1, "=") {
		p.Pos = int(p.After(1).End)
		if p.Space(); p.Pos < s.End {
			s.Name, s.At = p.Text(t), p.Pos
		}
	}
	return s.At < s.End
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

// questions are methods that ask something of a tensor and leave it as it is.
var questions = [...]string{
	".stride()", ".strides", ".size()", ".shape", ".storage_offset()", ".is_contiguous()", ".flags", ".data_ptr()",
}

// IsQuestion reports whether the text after a variable asks something of its tensor.
func IsQuestion(after string) bool { return slices.Contains(questions[:], after) }

// WithoutQuestions returns the steps after a call without what is asked of the result.
func WithoutQuestions(steps string) string {
	for _, q := range questions {
		steps = strings.TrimSuffix(steps, q)
	}
	return strings.TrimSpace(steps)
}
