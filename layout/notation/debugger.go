package notation

import (
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// The prompts of debuggers.
var prompts = [...]string{"(gdb)", "(lldb)"}

// fitsDebugger reports whether a text starts with the prompt of a debugger.
func fitsDebugger(text string) bool {
	return slices.ContainsFunc(prompts[:], func(p string) bool { return strings.HasPrefix(text, p) })
}

// isSession reports whether a text has the prompts of a debugger, or values as lldb prints them: their types are
// before them in brackets.
func isSession(text string) bool {
	for line := range strings.Lines(text) {
		after, typed := afterType(line)
		if fitsDebugger(line) || typed && strings.HasPrefix(after, "$") {
			return true
		}
	}
	return false
}

// afterType returns what comes after a type in brackets, (const UINT *) $0 = ...
func afterType(text string) (after string, ok bool) {
	if !strings.HasPrefix(text, "(") {
		return text, false
	}
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return strings.TrimLeft(text[i+1:], " "), i+1 < len(text) && text[i+1] == ' '
			}
		case '\n', '{', '=':
			return text, false
		}
	}
	return text, false
}

// session reads the commands of a debugger with what it prints after them. The names of the values are what the
// commands asked for, p *desc.Sizes@4; only those that print values are read.
func (r *reader) session() (all []binding) {
	r.typed = true
	command := ""
	text := r.In
	prompt := prompts[0]
	if !strings.Contains(text, prompt) {
		prompt = prompts[1]
	}
	for at := 0; at < len(text) && r.err == nil; {
		end := len(text)
		if i := strings.Index(text[at+1:], prompt); i >= 0 {
			end = at + 1 + i
		}
		line, _, _ := strings.Cut(text[at:end], "\n")
		if fitsDebugger(line) {
			_, command, _ = strings.Cut(line, ")")
			command = strings.TrimSpace(command)
			at += min(len(line)+1, end-at)
		}
		if what, asked := subject(command); asked || command == "" {
			r.In, r.Pos = text[:end], at
			all = append(all, r.answer(what)...)
			r.In = text
		} else if strings.TrimSpace(text[at:end]) != "" {
			r.skip("what the debugger answers to %s", command)
		}
		at = end
	}
	if e, ok := r.err.(*layout.SyntaxError); ok {
		e.Input = text
	}
	r.Pos = len(text)
	return all
}

// subject returns the expression that a command prints; asked is false for commands that do something else.
func subject(command string) (expression string, asked bool) {
	word := command[:wordLength(command)]
	rest := command[len(word):]
	switch word {
	case "p", "print", "inspect", "output", "call", "v", "vo", "var", "po", "expr", "expression", "e":
	case "frame", "fr", "f", "info":
		second := strings.TrimLeft(rest, " ")
		kind := second[:wordLength(second)]
		if !slices.Contains([]string{"variable", "var", "v", "locals", "args"}, kind) {
			return "", false
		}
		if rest = second[len(kind):]; word == "info" {
			rest = ""
		}
	case "parray":
		_, rest, _ = strings.Cut(strings.TrimLeft(rest, " "), " ")
		if i := strings.LastIndexByte(rest, '`'); i >= 0 { // the count is an expression
			rest = rest[i+1:]
		}
	case "x", "memory":
		rest = strings.TrimPrefix(rest, " read")
	default:
		return "", false
	}
	for rest = strings.TrimSpace(rest); strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, "-"); {
		option, after, _ := strings.Cut(rest, " ")
		rest = strings.TrimSpace(after)
		if first, value, _ := strings.Cut(rest, " "); strings.HasPrefix(option, "--") && option != "--" &&
			!strings.Contains(option, "=") && first != "" { // --format d
			rest = strings.TrimSpace(value)
		}
	}
	return plainName(rest), true
}

// plainName returns the variable or member of an expression without casts, brackets, stars and what comes after @:
// desc.Sizes of *((UINT *) desc.Sizes)@4.
func plainName(expression string) string {
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

// answer reads what a debugger prints of an expression: values, with their types and names before them, and lines of
// memory. Other lines are messages.
func (r *reader) answer(what string) (all []binding) {
	for !r.done() && r.err == nil {
		if after, ok := afterType(r.In[r.Pos:]); ok {
			r.Pos = len(r.In) - len(after)
		}
		line, _, _ := strings.Cut(r.In[r.Pos:], "\n")
		b := binding{name: what, printed: true}
		if address, _, ok := strings.Cut(line, ":"); ok && strings.HasPrefix(address, "0x") {
			r.dumped(&b.value, len(address))
			if last := len(all) - 1; last >= 0 && all[last].value.n > 0 { // the next line of the same memory
				all[last].value.list = append(all[last].value.list, b.value.list...)
				continue
			}
			all = append(all, b)
			continue
		}
		name, _, ok := strings.Cut(line, " = ")
		if ok && scan.IsName(strings.TrimLeft(plainName(name), "$0123456789")+"_") {
			r.Pos += len(name) + len(" = ")
			if what == "" || !strings.HasPrefix(name, "$") {
				b.name = plainName(name)
			}
		}
		rest, _, _ := strings.Cut(r.In[r.Pos:], "\n")
		before, _, inBraces := strings.Cut(rest, "{")
		if inBraces && (strings.HasPrefix(before, "std::") || strings.HasPrefix(before, "size=")) {
			r.Pos += len(before) // std::vector of length 4, capacity 4 = {1, 3, 224, 224}
		}
		if after, ok := afterType(r.In[r.Pos:]); ok && strings.HasPrefix(after, "0x") {
			r.Pos = len(r.In) - len(after) // a pointer after its type
		}
		if c := r.Peek(); scan.IsLetter(c) || c == '<' || c == '"' {
			r.Pos = r.after("\n", r.Pos) // a message
			continue
		}
		r.value(&b.value)
		all = append(all, b)
	}
	return all
}

// dumped reads the words of a line of memory after its address, 0x5010 <sizes>: 1 3 224 224.
func (r *reader) dumped(v *value, address int) {
	start := r.Pos
	*v = value{at: start, kind: list, open: '{', n: r.cNumber()}
	for r.Pos = start + address + len(":"); r.err == nil; {
		r.Span(func(c byte) bool { return c == ' ' || c == '\t' || c == '\r' })
		if c := r.Peek(); c == '\n' || c == 0 {
			return
		}
		e := entry{value: value{at: r.Pos, kind: number}}
		e.n = r.cNumber()
		v.list = append(v.list, e)
	}
}
