package literal

import (
	"slices"
	"strings"
	"unicode/utf8"

	"layoutcalc/layout/lexer"
)

// Watch reads the rows of Visual Studio's watch window: a name, a value and a type, with tabs between them. A row that
// shows a whole array, descriptor.Sizes,4, has an index. A struct that is cut off, {...}, has no value.
func (p *Parser) Watch() (all []Binding) {
	for ; !p.Done() && p.Err == nil; p.Skip() {
		p.Span(func(c byte) bool { return strings.IndexByte(" \t+-", c) >= 0 || c >= utf8.RuneSelf }) // the tree marks
		row := p.Pos
		cell := p.Span(isCell)
		name, count, isArray := strings.Cut(cell, ",")
		plain, ok := plainName(name)
		if !ok || !apart(count) || !p.TakeHere("\t") {
			p.Fail(row, "", "%s is not the name of a row", cell)
			break
		}
		b := Binding{Name: plain}
		if isArray {
			b.Index = new(Value)
		}
		start := p.Pos
		value := p.Span(isCell)
		p.Pos = start
		p.Operand(&b.Value)
		if t := p.Token(); int(t.At) < start+len(value) {
			p.Fail(int(t.At), "", "unexpected text %s after a value", p.Text(t))
		} else if kind := p.In[p.Pos:p.LineEnd()]; !apart(kind) {
			p.Fail(start+len(value), "", "%s is not a type", kind)
		}
		if open := strings.IndexByte(value, '{'); open >= 0 && strings.Contains(value[open:], "...}") {
			b.Value = Value{}
		}
		all = append(all, b)
	}
	return all
}

// isCell reports whether a byte is in a cell of a row.
func isCell(c byte) bool { return c != '\t' && c != '\n' }

// plainName returns the variable of an expression that is only a name. It reports false for other expressions.
func plainName(expression string) (name string, ok bool) {
	name = variable(expression)
	q := Parser{Cursor: lexer.NewCursor(name)}
	if name != "" {
		q.Operand(new(Value))
	}
	if !apart(expression) || q.Err != nil || !q.Done() {
		return "", false
	}
	return name, true
}

// apart reports whether no word of a type or an expression follows another word, except for C++ qualifiers.
func apart(text string) bool {
	c := lexer.NewCursor(text)
	last := "" // the previous word, if another must not follow it
	for mark := false; ; {
		t := c.Next()
		switch word := c.Text(t); {
		case t.Kind == lexer.End:
			return true
		case t.Kind == lexer.Mark:
			if mark = true; strings.IndexByte("*&]>", word[0]) < 0 {
				last = ""
			}
		case mark && word == "const":
		case last != "" && !slices.Contains(qualifiers[:], last) && !slices.Contains(modifiers[:], last):
			return false
		default:
			last, mark = word, false
		}
	}
}

// variable returns the variable or member in an expression, without casts, brackets, stars and a suffix with @:
// descriptor.Sizes for *((UINT *) descriptor.Sizes)@4.
func variable(expression string) string {
	expression, _, _ = strings.Cut(expression, "@")
	expression = strings.ReplaceAll(strings.ReplaceAll(expression, " ", ""), "[0]", "")
	for {
		closed := strings.IndexByte(expression, ')')
		open := strings.LastIndexByte(expression[:max(closed, 0)], '(')
		if closed < 0 || open < 0 {
			return strings.Trim(expression, "*&()")
		}
		inside, after := expression[open+1:closed], expression[closed+1:]
		next := strings.TrimLeft(after, "*&(")
		isCast := next != "" && (lexer.IsLetter(next[0]) || next[0] == '_') || strings.HasSuffix(inside, "*")
		if isCast {
			inside = ""
		}
		expression = expression[:open] + strings.TrimLeft(inside, "*&") + after
	}
}
