package literal

import (
	"slices"
	"strings"
	"unicode/utf8"

	"layoutcalc/layout/scan"
)

// prompt reports whether a debugger's prompt comes next, (gdb) or (lldb), and moves past it.
func (p *Parser) prompt() bool {
	return p.TakeHere("(gdb)") || p.TakeHere("(lldb)")
}

// IsSession reports whether the text has the prompts of a debugger, or values as lldb prints them: their types are
// before them in brackets.
func (p *Parser) IsSession() bool {
	start := p.Pos
	defer func() { p.Pos = start }()
	for i, t := range p.Tokens() {
		if i > 0 && t.Gap != scan.Line || t.Kind == scan.End || p.In[t.At] != '(' {
			continue
		}
		if p.Pos = int(t.At); p.prompt() || p.takeType() && p.Peek() == '$' {
			return true
		}
	}
	return false
}

// Session reads the commands of a debugger and its answers. The names of the values are the expressions of the
// commands, p *desc.Sizes@4; only commands that print values are read. Of each part that is read, and of commands
// that nothing is printed after, use is called with its start and end.
func (p *Parser) Session(use func(from, to int)) (all []Binding) {
	p.Typed = true
	var starts []int // of the lines with prompts
	for i, t := range p.Tokens() {
		if p.Pos = int(t.At); i+2 < len(p.Tokens()) && p.prompt() {
			starts = append(starts, int(t.At))
		}
	}
	if len(starts) == 0 || starts[0] > int(p.Tokens()[0].At) {
		starts = slices.Insert(starts, 0, 0)
	}
	for i, at := range starts {
		end := len(p.In)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		if p.Pos = at; p.Err != nil {
			break
		}
		command := ""
		if p.prompt() {
			use(at, p.Pos)
			command = strings.TrimSpace(p.In[p.Pos:min(p.LineEnd(), end)])
			p.Skip()
		}
		after := min(p.Pos, end)
		what, asked := subject(command)
		name, plain := plainName(what)
		if asked || command == "" {
			all = append(all, p.answer(name, end, use)...)
		} else {
			p.Space()
			plain = p.Pos >= end
		}
		if plain {
			use(at, after)
		}
	}
	p.Pos = len(p.In)
	return all
}

// subject returns the expression that a command prints; asked is false for commands that do something else.
func subject(command string) (expression string, asked bool) {
	c := scan.NewCursor(command)
	switch c.Word() {
	case "p", "print", "inspect", "output", "call", "v", "vo", "var", "po", "expr", "expression", "e":
	case "info":
		return "", asksVariables(c.Word())
	case "frame", "fr", "f":
		if !asksVariables(c.Word()) {
			return "", false
		}
	case "parray":
		if t := c.Next(); c.Text(t) == "`" { // the count is an expression
			c.Through("`")
		}
	case "x", "memory":
		c.Take("read")
	default:
		return "", false
	}
	for c.Space(); c.Ahead("/") || c.Ahead("-"); c.Space() {
		option := c.NextWord()
		c.Pos += len(option)
		if len(option) > 2 && option[:2] == "--" && strings.IndexByte(option, '=') < 0 { // --format d
			c.Space()
			c.Pos += len(c.NextWord())
		}
	}
	return command[c.Pos:], true
}

// plainName is [PlainName] of an expression that is no more than a name. Of others, there is none.
func plainName(expression string) (name string, ok bool) {
	name = PlainName(expression)
	q := Parser{Cursor: scan.NewCursor(name)}
	if name != "" {
		q.Operand(new(Value))
	}
	if !apart(expression) || q.Err != nil || !q.Done() {
		return "", false
	}
	return name, true
}

// apart reports whether no word of a type or an expression follows another one, but for the qualifiers of C++.
func apart(text string) bool {
	c := scan.NewCursor(text)
	last := "" // the word that another may not follow
	for mark := false; ; {
		t := c.Next()
		switch word := c.Text(t); {
		case t.Kind == scan.End:
			return true
		case t.Kind == scan.Mark:
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

// asksVariables reports whether a word of a command asks for the variables of a frame.
func asksVariables(word string) bool {
	return slices.Contains([]string{"variable", "var", "v", "locals", "args"}, word)
}

// PlainName returns the variable or member of an expression without casts, brackets, stars and what comes after @:
// desc.Sizes of *((UINT *) desc.Sizes)@4.
func PlainName(expression string) string {
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
		isCast := next != "" && (scan.IsLetter(next[0]) || next[0] == '_') || strings.HasSuffix(inside, "*")
		if isCast {
			inside = ""
		}
		expression = expression[:open] + strings.TrimLeft(inside, "*&") + after
	}
}

// answer reads what a debugger prints of an expression up to an offset: values, with their types and names before
// them, and lines of memory. Other lines are messages, which are not used.
func (p *Parser) answer(what string, end int, use func(from, to int)) (all []Binding) {
	for !p.Done() && p.Pos < end && p.Err == nil {
		from := p.Pos
		p.takeType()
		b := Binding{Name: what, Printed: true}
		if p.dumped(&b.Value) {
			use(from, p.Pos)
			if last := len(all) - 1; last >= 0 && all[last].Value.N > 0 { // the next line of the same memory
				all[last].Value.List = append(all[last].Value.List, b.Value.List...)
				continue
			}
			all = append(all, b)
			continue
		}
		if name, ok := p.printedName(); ok && (what == "" || name[0] != '$') {
			b.Name = name
		}
		if next := p.Text(p.Token()); next == "std" || next == "size" && p.IsAt(1, "=") {
			p.toBrace() // std::vector of length 4, capacity 4 = {1, 3, 224, 224}
		}
		start := p.Pos
		if p.takeType() && !p.Ahead("0x") { // a pointer after its type
			p.Pos = start
		}
		if c := p.Peek(); scan.IsLetter(c) || c == '<' || c == '"' {
			p.Skip() // a message
			continue
		}
		p.Value(&b.Value)
		if t := p.Token(); t.Gap != scan.Line && int(t.At) < end {
			p.Fail(int(t.At), "", "unexpected text %s after a value", p.Text(t))
		}
		use(from, p.Pos)
		all = append(all, b)
	}
	return all
}

// printedName moves past NAME = and returns the name, which may be an expression.
func (p *Parser) printedName() (name string, ok bool) {
	line := p.In[p.Pos:p.LineEnd()]
	before, _, found := strings.Cut(line, " = ")
	if !found {
		return "", false
	}
	name, ok = plainName(before)
	if ok = ok && name != "" && scan.IsName(strings.TrimLeft(name, "$0123456789")+"_"); ok {
		p.Pos += len(before) + len(" = ")
	}
	return name, ok
}

// toBrace moves to the next brace of the line, if it has one and no words before it but those of a container.
func (p *Parser) toBrace() {
	start := p.Pos
	for t := p.Token(); t.Kind != scan.End && (t.Gap != scan.Line || int(t.At) == start); t = p.Token() {
		if p.Pos = int(t.At); p.In[t.At] == '{' {
			return
		}
		if t.Kind == scan.Word && t.Gap == scan.Blank &&
			!slices.Contains([]string{"std", "of", "length", "capacity", "size"}, p.Text(t)) {
			break
		}
		p.Pos = int(t.End)
	}
	p.Pos = start
}

// dumped reads the words of a line of memory and their address, 0x5010 <sizes>: 1 3 224 224.
func (p *Parser) dumped(v *Value) bool {
	start := p.Pos
	if !p.Ahead("0x") {
		return false
	}
	*v = Value{At: start, Kind: List, Open: '{', N: p.Number()}
	number := p.Pos
	for !p.Take(":") {
		if t := p.Next(); t.Gap == scan.Line || t.Kind == scan.End {
			p.Pos = start
			return false
		}
	}
	if symbol := strings.TrimSpace(p.In[number : p.Pos-1]); symbol != "" &&
		(!apart(p.In[start:p.Pos]) || symbol[0] != '<' || symbol[len(symbol)-1] != '>') {
		p.Pos = start
		return false
	}
	for t := p.Token(); p.Err == nil && t.Gap != scan.Line && t.Kind != scan.End; t = p.Token() {
		p.Pos = int(t.At)
		e := Entry{Value: Value{At: p.Pos, Kind: Number}}
		e.N = p.Number()
		v.List = append(v.List, e)
	}
	return true
}

// Watch reads the rows of Visual Studio's watch window: a name, a value and a type, with tabs between them. What is
// shown as an array, desc.Sizes,4, has an index, and a struct that is cut off, {...}, no value.
func (p *Parser) Watch() (all []Binding) {
	for ; !p.Done() && p.Err == nil; p.Skip() {
		p.Span(func(c byte) bool { return strings.IndexByte(" \t+-", c) >= 0 || c >= utf8.RuneSelf }) // of the tree
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
