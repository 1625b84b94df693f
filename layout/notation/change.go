package notation

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/wording"
)

// A scope is the body of a function. A name that is set there differs from the same name outside.
type scope struct {
	id     int
	column int // the column of the function's head
	outer  map[string]*variable
}

// scope returns the function that the statement is in, 0 outside of all.
func (p *pythonReader) scope() int {
	if n := len(p.scopes); n > 0 {
		return p.scopes[n-1].id
	}
	return 0
}

// enter ends the functions before a statement, and begins the function that the statement defines. Members of objects,
// such as self.x, outlive their function.
func (p *pythonReader) enter(s literal.Statement) {
	for n := len(p.scopes) - 1; n >= 0 && s.Column <= p.scopes[n].column; n-- {
		inner := p.variables
		p.variables = p.scopes[n].outer
		for name, v := range inner {
			if !lexer.IsName(name) {
				p.variables[name] = v
			}
		}
		p.scopes = p.scopes[:n]
	}
	if p.keyword(s) != "def" {
		return
	}
	p.functions++
	p.scopes = append(p.scopes, scope{p.functions, s.Column, p.variables})
	p.variables = maps.Clone(p.variables)
	for i := s.First + 1; i <= s.Last; i++ {
		if p.isOneOf(i-1, "(,*") { // a parameter
			delete(p.variables, p.textAt(i))
		}
	}
}

// keyword returns the first word of a statement, or the one after async.
func (p *pythonReader) keyword(s literal.Statement) string {
	if p.textAt(s.First) == "async" {
		return p.textAt(s.First + 1)
	}
	return p.textAt(s.First)
}

// isOutside reports whether a tensor got one of its names outside the function of the statement.
func (p *pythonReader) isOutside(d *Descriptor) bool {
	for _, v := range p.variables {
		if v.of == d && p.scope() > 0 && v.scope != p.scope() {
			return true
		}
	}
	return false
}

// branching lists the first words of statements that may run never or repeatedly, or that may fail.
var branching = [...]string{
	"for", "while", "if", "elif", "else", "try", "except", "finally", "match", "case", "assert",
}

// naming lists the functions that take names of variables, or programs, as strings.
var naming = [...]string{"exec", "eval", "vars", "globals", "locals", "setattr"}

// straight rejects a program that is not straight-line code, because its variables would depend on unknown conditions.
func (p *pythonReader) straight(s literal.Statement) {
	depth, isHead := 0, p.textAt(s.First) == "assert"
	for i := s.First; i <= s.Last; i++ {
		depth += p.Tokens()[i].Bracket(p.In)
		isHead = isHead || depth == 0 && p.textAt(i) == ":"
		isList := p.follow(i+1, "(", ")") && p.textAt(i+3) != "[" // wait(globals()) does not change the list
		if slices.Contains(naming[:], p.textAt(i)) && p.textAt(i+1) == "(" && p.textAt(i-1) != "." && !isList {
			p.refuse(i, p.textAt(i))
		}
	}
	first := p.keyword(s)
	if isMain := p.textAt(s.First+1) == "__name__"; isHead && slices.Contains(branching[:], first) && !isMain {
		p.refuse(s.First, first)
	}
	if isAll := first == "from" && p.textAt(s.Last) == "*"; isAll && len(p.variables) > 0 {
		p.refuse(s.Last, "import *")
	}
}

// refuse rejects the program because of a word in a token.
func (p *pythonReader) refuse(i int, word string) {
	if p.refused == nil {
		p.refused = &layout.SyntaxError{
			Input: p.In, Offset: int(p.Tokens()[i].At), Msg: "cannot read a program with " + wording.Quote(word),
			Hint: "paste only the statements that make the tensor, in the order in which they run",
		}
	}
}

// changed returns the error for a variable that a statement changes. The cause is another error, or nil if the
// statement is not understood.
func (p *pythonReader) changed(s literal.Statement, name string, why error) error {
	verb, at, reason, hint := "makes", s.At, "", ""
	if p.variables[name] != nil {
		verb = "changes"
	}
	if e, ok := why.(*layout.SyntaxError); ok {
		at, reason, hint = e.Offset, ": "+e.Msg, e.Hint
	}
	return &layout.SyntaxError{
		Input: p.In, Offset: at, Hint: hint,
		Msg: "the text " + verb + " " + name + " here, in a way that is not understood" + reason,
	}
}

// spoil makes a variable unknown. If the variable is a list, all lists become unknown, because they may be the same.
func (p *pythonReader) spoil(s literal.Statement, name string, why error) {
	v, fault := p.variables[name], p.changed(s, name, why)
	switch {
	case v.of != nil:
		v.of.Fault = cmp.Or(v.of.Fault, fault)
		return
	case v.value.Kind == literal.List:
		for _, w := range p.variables {
			if w.value.Kind == literal.List {
				w.value, w.fault = literal.Value{}, fault
			}
		}
	}
	v.value, v.fault = literal.Value{}, fault
}

// assign gives a variable a tensor. A member that got its tensor in another function becomes unknown.
func (p *pythonReader) assign(s literal.Statement, name string, d *Descriptor) {
	if v := p.variables[name]; v != nil && v.scope != p.scope() && !lexer.IsName(name) && d.Fault == nil {
		d = &Descriptor{Fault: p.changed(s, name, nil)}
	}
	p.rename(name, d)
}

// give assigns a value that is not a tensor to a variable.
func (p *pythonReader) give(s literal.Statement, name string, next variable) {
	if v := p.variables[name]; v != nil && v.scope != p.scope() && !lexer.IsName(name) {
		next = variable{fault: p.changed(s, name, nil)}
	}
	p.set(name, next)
}

// unknown handles the changes of a statement that is not understood. The argument begun reports whether its expression
// starts as a tensor, and why is the error in that expression.
func (p *pythonReader) unknown(s literal.Statement, why error, begun bool) {
	changes, uses := p.changes(s)
	p.moves(s)
	if p.inner(s); p.Err != nil {
		return
	}
	for _, name := range changes {
		p.spoil(s, name, why)
	}
	isTensor, isPlain := uses || begun, len(p.asked) > 0 || p.isPlain(s)
	for _, name := range s.Names {
		if isPlain {
			p.give(s, name, variable{})
		} else {
			p.forget(s, name, isTensor, p.faultOf(s, name, why, begun))
		}
	}
	if begun && s.Names == nil && len(changes) == 0 && !uses {
		p.made = append(p.made, madeTensor{of: &Descriptor{Fault: why, At: s.At}})
	}
}

// faultOf returns the error for a name that a statement sets: the error in its expression, or that the statement
// changes the name.
func (p *pythonReader) faultOf(s literal.Statement, name string, why error, begun bool) error {
	if d := p.tensorOf(name); begun && why != nil && (d == nil || d.Fault == why) {
		return why
	}
	return p.changed(s, name, why)
}

// forget makes the tensor, number or list of a name that a statement sets unknown, with the error fault. Other names
// lose their value.
func (p *pythonReader) forget(s literal.Statement, name string, isTensor bool, fault error) {
	switch v := p.variables[name]; {
	case isTensor, v != nil && v.of != nil:
		p.assign(s, name, &Descriptor{Fault: fault, At: s.At})
	case v != nil && (v.fault != nil || v.value.Kind != literal.Nothing):
		p.set(name, variable{fault: fault})
	default:
		p.set(name, variable{})
	}
}

// plain lists the Python functions that do not return a tensor.
var plain = [...]string{"len", "int", "float", "bool", "str", "repr", "type", "isinstance", "id", "hash"}

// isPlain reports whether the value of an assignment is a function, or a call of a function that does not return a
// tensor.
func (p *pythonReader) isPlain(s literal.Statement) bool {
	p.Pos = s.At
	i := p.Index()
	isCall := slices.Contains(plain[:], p.textAt(i)) && p.textAt(i+1) == "("
	return p.textAt(i) == "lambda" || isCall && p.over(i+1) > s.Last
}

// moving lists the methods that change the sizes or strides of a tensor without a copy.
var moving = [...]string{
	"t_", "transpose_", "swapaxes_", "swapdims_", "squeeze_", "unsqueeze_", "resize_", "resize_as_", "as_strided_",
	"set_",
}

// moves rejects a program that calls such a method on anything but a variable, which may be a tensor by another name.
func (p *pythonReader) moves(s literal.Statement) {
	for i := s.First; i <= s.Last; i++ {
		word := p.textAt(i)
		if p.Tokens()[i].Kind == lexer.String {
			isIn := func(method string) bool { return strings.Contains(word, "."+method+"(") }
			if k := slices.IndexFunc(moving[:], isIn); k >= 0 {
				p.refuse(i, moving[k])
			}
			continue
		}
		if !slices.Contains(moving[:], word) || p.textAt(i+1) != "(" || i < 2 || p.textAt(i-1) != "." {
			continue
		}
		if d := p.tensorOf(p.textAt(i - 2)); d == nil || d.Fault != nil || i > 2 && p.textAt(i-3) == "." {
			p.refuse(i, p.textAt(i))
		}
	}
}

// harmless lists the first words of statements that do not change the tensors that they name.
var harmless = [...]string{
	"print", "del", "return", "with", "def", "class", "len", "type", "repr", "extern_kernels", "triton_*", "cpp_*",
	"logger", "logging",
}

// changes returns the variables that a statement may change, and whether it names any tensor.
func (p *pythonReader) changes(s literal.Statement) (names []string, uses bool) {
	depth := 0
	for i, after := s.First, 0; i <= s.Last; i = after {
		var name string
		name, after = p.nameAt(i)
		t := p.Tokens()[i]
		depth += t.Bracket(p.In)
		if lexer.Like(p.textAt(i), "set_default_dtype", "set_default_tensor_type") {
			p.types = &layout.SyntaxError{Input: p.In, Offset: int(t.At), Hint: "dtype= in each call",
				Msg: "the type of the tensors after this is not known"}
		}
		v := p.variables[name]
		isTarget, isKeyword := int(t.At) < s.At, depth > 0 && p.textAt(after) == "="
		switch {
		case v == nil || isTarget:
			continue
		case v.of == nil && !p.changesValue(v, s, p.textAt(after), depth) && !p.isSet(s, i, after):
			continue
		case v.of != nil && isKeyword:
			continue
		case v.of != nil:
			uses = true
			if !p.changesTensor(s, i, after, depth) && !p.isSet(s, i, after) {
				continue
			}
		}
		names = append(names, name)
	}
	return names, uses
}

// changesTensor reports whether a statement may change the tensor. Its name is the tokens from i up to after.
func (p *pythonReader) changesTensor(s literal.Statement, i, after, depth int) bool {
	first, next, member := p.textAt(s.First), p.textAt(after), p.textAt(after+1)
	isHarmless := lexer.Like(first, harmless[:]...) || s.Names != nil || p.isModule(first)
	switch {
	case next == "=", p.textAt(i-1) == "=" && p.textAt(i-2) == "out" && first != "extern_kernels":
		return true
	case next == ".":
		isSet := p.textAt(after+2) == "=" && lexer.Like(member, "shape", "strides", "dtype", "data")
		return isSet || lexer.Like(member, "*_", "resize")
	}
	return depth > 0 && !isHarmless
}

// asking lists the first words of statements that do not change the variables in them.
var asking = [...]string{"print", "del", "return"}

// changesValue reports whether a statement may set the number or change the list that it names, before a token.
func (p *pythonReader) changesValue(v *variable, s literal.Statement, next string, depth int) bool {
	isList := v.value.Kind == literal.List && v.value.Open == '['
	if slices.Contains(asking[:], p.textAt(s.First)) {
		return isList && next == "."
	}
	return depth == 0 && s.Names == nil || isList && next != "["
}

// isSet reports whether a statement sets a variable without being a plain assignment. The name is the tokens from i up
// to after.
func (p *pythonReader) isSet(s literal.Statement, i, after int) bool {
	first, next := p.textAt(s.First), p.textAt(after)
	isNamed := i > s.First && slices.Contains(setting[:], p.textAt(i-1))
	return first == "import" || first == "from" || isNamed || next == ":" && (i == s.First || p.textAt(after+1) == "=")
}

// setting lists the words before a name that gets another value.
var setting = [...]string{"as", "def", "class", "global", "nonlocal"}
