package kernel

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/algebra"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// A value is the meaning of an expression. If the expression cannot be evaluated, the value is unknown, which is an
// error only if the answer depends on it.
type value struct {
	kind    valueKind
	number  int64
	parts   []value // the items of a tuple, or the arguments of a word
	size    int     // for a definition, the number of values that it has; otherwise 0
	layout  algebra.Layout
	swizzle layout.Swizzle
	dtype   layout.DType // a type, or the element type of a layout if bits is not 0
	bits    int64        // the bits of a type
	name    string       // the name of a word, or the result that another package reads
	of      Kind         // the kind of a text value
	where   *environment // for a word, the environment of its arguments
	err     error        // why it is unknown
	isMeant bool         // of is the kind that an unknown value would have
}

// A valueKind is a kind of values.
type valueKind int

// The kinds of values. The zero value is unknown.
const (
	unknown valueKind = iota
	number
	tuple
	layoutValue
	swizzle
	typeValue
	word // a name without a separate meaning: an atom, a struct
	text // a result that another package reads
	keep // _
)

// An environment has the arguments of the template of a scope.
type environment struct {
	scope int
	args  []value
	outer *environment
}

// An evaluator evaluates expressions at token at of the source.
type evaluator struct {
	*Source
	options     Options
	at          int // the next token
	scope       int
	env         *environment
	known       map[int]value // the definitions that are evaluated without an environment
	active      []string      // the names that are under evaluation
	steps       int
	depth       int  // the depth of brackets
	angles      bool // a bracket > ends the expression
	isCondition bool // in a condition of the preprocessor; other names have no definitions there
}

// Limits of an evaluation.
const (
	maxSteps = 1 << 16
	maxNames = 200 // the maximum number of names that depend on each other
	maxSize  = 1 << 12
)

// count returns the number of values in v, with all its parts. For a definition, it uses the stored number, because a
// definition may be used many times.
func (v value) count() int {
	if v.size > 0 {
		return v.size
	}
	n := 1
	for _, part := range v.parts {
		n += part.count()
	}
	return n
}

// failure returns an unknown value.
func failure(hint, format string, args ...any) value {
	return value{err: lexer.Refuse(hint, format, args...)}
}

// numberOf returns the value of a number.
func numberOf(n int64) value { return value{kind: number, number: n} }

// truth returns 1 or 0.
func truth(is bool) value {
	if is {
		return numberOf(1)
	}
	return numberOf(0)
}

// definition evaluates a definition.
func (e *evaluator) definition(i int, env *environment) value {
	if v, ok := e.known[i]; ok && env == nil {
		return v
	}
	d := e.definitions[i]
	v := e.elsewhere(d, e.Source, env)
	if d.item >= 0 {
		v = v.item(int64(d.item))
	}
	if d.isDeclared {
		v.declare(d.name)
	}
	if v.size = v.count(); v.size > maxSize {
		v = failure("", "%s has more than %d values", d.name, maxSize)
	}
	if env == nil && (v.err == nil || len(e.active) < maxNames/2) { // an error far down may be the limit itself
		e.known[i] = v
	}
	return v
}

// declare changes a type into the value of a name that is declared with it: open unless the type determines the value.
func (v *value) declare(name string) {
	if v.kind == typeValue || v.kind == word && v.parts == nil {
		v.kind, v.name, v.err = word, name, openName(name)
	}
}

// elsewhere evaluates the expression of a definition, which may be in another source.
func (e *evaluator) elsewhere(d definition, s *Source, env *environment) value {
	if len(e.active) > maxNames {
		return failure("", "the definition of %s leads to more than %d others", d.name, maxNames)
	}
	inner := evaluator{Source: s, options: e.options, known: e.known, steps: e.steps}
	inner.at, inner.scope, inner.env, inner.active = d.value, d.home, env, append(e.active, d.name)
	inner.angles = d.isTemplate
	v := inner.expression(0)
	if d.item >= 0 && inner.text(inner.at) == "," { // items without brackets
		v = value{kind: tuple, parts: []value{v}}
		for inner.take(",") {
			v.parts = append(v.parts, inner.expression(0))
		}
	}
	e.steps = inner.steps
	if s != e.Source && v.err == nil && inner.tokens[inner.at].Kind != lexer.End { // an option's
		return failure("", "%s=%s: %s is not expected", d.name, s.in, wording.Quote(inner.text(inner.at)))
	}
	return v
}

// next moves past a token and returns it.
func (e *evaluator) next() string {
	text := e.text(e.at)
	if e.tokens[e.at].Kind != lexer.End {
		e.at++
	}
	return text
}

// take moves past the next token if it is text.
func (e *evaluator) take(text string) bool {
	is := e.text(e.at) == text && e.tokens[e.at].Kind != lexer.End
	if is {
		e.at++
	}
	return is
}

// operators are the binary operators, with how tightly they bind. Operators of two characters are first.
var operators = [...]struct {
	text string
	rank int
}{
	{"||", 2}, {"&&", 3}, {"==", 4}, {"!=", 4}, {"<=", 5}, {">=", 5}, {"<<", 6}, {">>", 6}, {"//", 8}, {"**", 10},
	{"or", 2}, {"and", 3}, {"<", 5}, {">", 5}, {"+", 7}, {"-", 7}, {"*", 8}, {"/", 8}, {"%", 8},
}

// ternary binds less tightly than all operators.
const ternary = 1

// operator returns the next operator and its number of tokens, or an empty operator if the next token is not one.
func (e *evaluator) operator() (operator string, rank, tokens int) {
	first := e.text(e.at)
	both := first
	if e.at+1 < len(e.tokens) && e.tokens[e.at+1].Gap == lexer.None && e.tokens[e.at].Kind == lexer.Mark {
		both += e.text(e.at + 1)
	}
	for _, o := range operators {
		isPair := len(o.text) == 2 && o.text == both && first != both
		isOther := e.angles && o.text[0] == '>' || o.text == "//" && !e.isPython
		if !isPair && o.text != first || isOther {
			continue
		}
		if isPair {
			return o.text, o.rank, 2
		}
		return o.text, o.rank, 1
	}
	return "", 0, 0
}

// expression evaluates an expression of operators that bind at least as tightly as a rank.
func (e *evaluator) expression(least int) value {
	if e.steps++; e.steps > maxSteps || e.work >= maxWork {
		return failure("", "the definitions take more than %d steps", maxSteps)
	}
	v := e.unary()
	for {
		o, rank, tokens := e.operator()
		if o == "" || rank < least {
			break
		}
		e.at += tokens
		w := e.expression(rank + 1)
		v = operation(o, v, w)
	}
	if least > ternary {
		return v
	}
	switch {
	case e.take("?"):
		angles := e.angles
		a := e.expression(0)
		e.take(":")
		e.angles = angles
		return choose(v, a, e.expression(0))
	case e.isPython && e.take("if"):
		condition := e.expression(ternary + 1)
		if e.take("else") {
			return choose(condition, v, e.expression(0))
		}
	}
	return v
}

// choose returns a if the condition is true, and otherwise b.
func choose(condition, a, b value) value {
	switch {
	case condition.kind != number:
		return condition.unknown("a condition")
	case condition.number != 0:
		return a
	}
	return b
}

// unknown returns an unknown value, because v is not what.
func (v value) unknown(what string) value {
	if v.kind == typeValue {
		v.err = openName(v.name) // a name such as s2, which could be a type
	}
	if v.err != nil {
		return value{err: v.err}
	}
	return failure("", "%s is not %s", v, what)
}

// unary evaluates an operand with the signs before it.
func (e *evaluator) unary() value {
	switch {
	case e.take("-"):
		return operation("-", numberOf(0), e.unary())
	case e.take("+"):
		return e.unary()
	case e.take("!"), e.isPython && e.take("not"):
		v := e.unary()
		return operation("==", v, numberOf(0))
	case e.take("&"), !e.isPython && e.take("*"):
		return e.unary()
	}
	return e.operand()
}

// operation returns the result of an operator.
func operation(o string, v, w value) value {
	if v.kind == number && (o == "&&" || o == "and") && v.number == 0 ||
		v.kind == number && (o == "||" || o == "or") && v.number != 0 {
		return truth(v.number != 0)
	}
	for _, operand := range []value{v, w} {
		if operand.kind != number {
			return operand.unknown("a number")
		}
	}
	a, b := v.number, w.number
	n, err := int64(0), error(nil)
	switch o {
	case "+":
		n, err = layout.Add(a, b)
	case "-":
		n, err = layout.Add(a, -b)
	case "*":
		n, err = layout.Mul(a, b)
	case "<<", "**":
		return power(o, a, b)
	case ">>":
		n = a >> min(uint64(b), 63)
	case "/", "//", "%":
		if b == 0 {
			return failure("", "%d %s 0 has no value", a, o)
		}
		if n = a / b; o == "%" {
			n = a % b
		}
		if o != "/" && a%b != 0 && (a < 0) != (b < 0) {
			return failure("", "%d %s %d is not evaluated", a, o, b)
		}
	default:
		return compare(o, a, b)
	}
	if err != nil {
		return value{err: layout.NameOverflow("a number of the source", err)}
	}
	return numberOf(n)
}

// power returns a shifted by b, or to the power of b.
func power(o string, a, b int64) value {
	base, n := int64(2), int64(1)
	if o == "**" {
		base = a
	}
	for i := int64(0); i < b && i < 64; i++ {
		var err error
		if n, err = layout.Mul(n, base); err != nil {
			return value{err: layout.NameOverflow("a number of the source", err)}
		}
	}
	if o == "**" {
		a = 1
	}
	return operation("*", numberOf(a), numberOf(n))
}

// compare returns the truth of a comparison.
func compare(o string, a, b int64) value {
	switch o {
	case "==":
		return truth(a == b)
	case "!=":
		return truth(a != b)
	case "<":
		return truth(a < b)
	case ">":
		return truth(a > b)
	case "<=":
		return truth(a <= b)
	case ">=":
		return truth(a >= b)
	case "&&", "and":
		return truth(a != 0 && b != 0)
	}
	return truth(a != 0 || b != 0)
}

// operand evaluates a number, a list, or a name with its arguments and members.
func (e *evaluator) operand() value {
	t := e.tokens[e.at]
	switch spelled := e.text(e.at); {
	case t.Kind == lexer.Number:
		e.at++
		return parseNumber(spelled)
	case t.Kind == lexer.String:
		e.at++
		return value{kind: word, name: strings.Trim(spelled, `"'`)}
	case spelled == "(" || spelled == "[":
		return e.bracketed()
	case t.Kind == lexer.Word:
		return e.name()
	}
	return failure("", "%s is not a value", wording.Quote(e.text(e.at)))
}

// parseNumber reads a number as C++ and Python write it.
func parseNumber(text string) value {
	text = strings.TrimRight(strings.ReplaceAll(strings.ReplaceAll(text, "'", ""), "_", ""), "uUlLzZ")
	n, err := lexer.ParseInt(text)
	if err != nil {
		return failure("", "%s is not a whole number", wording.Quote(text))
	}
	return numberOf(n)
}

// bracketed evaluates an expression in parentheses or brackets: a tuple if there is a comma or a bracket, and a layout
// as CuTe prints it.
func (e *evaluator) bracketed() value {
	isList := e.text(e.at) == "["
	close := e.closing(e.at)
	hasComma := e.comma(e.at+1, close) < close
	args, _ := e.arguments(e.at)
	v := value{kind: tuple, parts: args}
	if !isList && e.text(e.at) == ":" && e.text(e.at+1) == "(" && e.tokens[e.at].Gap == lexer.None {
		e.at++
		strides, _ := e.arguments(e.at)
		return layoutOf(shapeMode(v, &value{kind: tuple, parts: strides}, nil, false))
	}
	if !isList && !hasComma && len(args) == 1 {
		v = args[0]
	}
	return e.members(v)
}

// A named is an argument with a name, order=(1, 0).
type named map[string]value

// arguments evaluates the list that starts at the bracket open, and moves behind it.
func (e *evaluator) arguments(open int) (args []value, byName named) {
	if e.depth++; e.depth > lexer.MaxDepth {
		e.at = len(e.tokens) - 1
		return []value{failure("", "brackets nest deeper than the limit of %d", lexer.MaxDepth)}, nil
	}
	defer func() { e.depth-- }()
	end := e.closing(open)
	angles := e.angles
	e.angles = e.text(open) == "<"
	for e.at = open + 1; e.at < end && e.steps <= maxSteps; {
		for slices.Contains([]string{"typename", "class", "const"}, e.text(e.at)) {
			e.at++
		}
		name := ""
		if e.isWord(e.at) && e.text(e.at+1) == "=" {
			name = e.next()
			e.at++
		}
		start := e.at
		v := e.expression(0)
		for e.text(e.at) == "*" || e.text(e.at) == "&" || e.text(e.at) == "const" { // part of a type
			e.at++
		}
		if stop := e.comma(start, end); e.at != stop {
			if v.err == nil {
				v = failure("", "%s cannot be evaluated", wording.Quote(e.between(start, stop)))
			}
			e.at = stop
		}
		e.at = min(e.at+1, end)
		if name == "" {
			args = append(args, v)
			continue
		}
		if byName == nil {
			byName = named{}
		}
		byName[name] = v
	}
	e.at, e.angles = end+1, angles
	if end == 0 || end == len(e.tokens)-1 {
		e.at = len(e.tokens) - 1
	}
	return args, byName
}

// between returns the source between two tokens, on one line.
func (e *evaluator) between(from, to int) string {
	if to <= from {
		return ""
	}
	return strings.Join(strings.Fields(e.in[e.tokens[from].At:e.tokens[to-1].End]), " ")
}

// path reads the words of a name, joined by :: or dots.
func (e *evaluator) path() (words []string, ends []int) {
	for slices.Contains([]string{"typename", "template"}, e.text(e.at)) {
		e.at++
	}
	e.take("::")
	for e.isWord(e.at) {
		words = append(words, e.next())
		ends = append(ends, e.at)
		if next := e.text(e.at); next != "::" && next != "." {
			break
		}
		if e.at++; e.text(e.at) == "template" {
			e.at++
		}
	}
	return words, ends
}

// name evaluates a name, with its arguments and members.
func (e *evaluator) name() value {
	words, ends := e.path()
	for n := len(words); n > 0; n-- {
		if e.isCondition {
			break
		}
		if v, ok := e.lookup(words[:n]); ok {
			e.at = ends[n-1]
			return e.members(v)
		}
	}
	full := strings.Join(words, ".")
	if !e.isPython {
		full = strings.Join(words, "::")
	}
	if len(words) == 0 {
		return failure("", "%s is not a name", wording.Quote(e.text(e.at)))
	}
	if n := len(words) - 1; n > 0 && words[n] == "width" {
		return value{kind: word, name: words[n-1]}.member(words[n], e)
	}
	return e.members(e.apply(full, words[len(words)-1]))
}

// lookup returns the value of a name, given as its words, in the options or the source.
func (e *evaluator) lookup(words []string) (value, bool) {
	full := strings.Join(words, ".")
	for _, name := range []string{full, strings.Join(words, "::")} {
		if given, ok := e.options.Given[name]; ok && !slices.Contains(e.active, name) {
			return e.given(name, given), true
		}
	}
	if len(words) == 1 || words[0] == "self" && len(words) == 2 {
		return e.defined(full)
	}
	if len(words) > 1 && !e.isPython {
		if of, ok := e.lookup(words[:len(words)-1]); ok && of.kind == word {
			return e.inside(of, words[len(words)-1])
		}
	}
	return value{}, false
}

// given evaluates the expression that an option gives for a name.
func (e *evaluator) given(name, given string) value {
	s := &Source{in: given, isPython: e.isPython, scopes: e.scopes[:1], tokens: lexer.Lex(given)}
	if s.tokens[0].Kind == lexer.End {
		return failure("", "%s has no value", name)
	}
	return e.elsewhere(definition{name: name}, s, nil)
}

// defined returns the value of the latest definition of a name before the current token, in its scope or one around it.
func (e *evaluator) defined(name string) (value, bool) {
	places := e.byName[name]
	isMember := strings.HasPrefix(name, "self.")
	for scope := e.scope; scope >= 0; scope = e.scopes[scope].parent {
		for env := e.env; env != nil; env = env.outer {
			if i := slices.Index(e.scopes[scope].params, name); env.scope == scope && i >= 0 && i < len(env.args) {
				return env.args[i], true
			}
		}
		later := -1
		for _, i := range slices.Backward(places) {
			d := e.definitions[i]
			if e.work++; d.scope != scope {
				continue
			}
			if d.at < e.at && (!d.hasValue() || !e.isInside(d)) {
				return e.definitionOrOpen(i), true
			}
			later = i
		}
		if isMember && later >= 0 {
			return e.definitionOrOpen(later), true
		}
	}
	return value{}, false
}

// isInside reports whether the current token is in the definition. There, the name refers to an earlier definition.
func (e *evaluator) isInside(d definition) bool {
	if d.value > e.at || d.end > 0 {
		return d.end > e.at && d.value <= e.at
	}
	end := d.value
	for depth := 0; e.tokens[end].Kind != lexer.End && e.work < maxWork; end++ {
		e.work++
		depth += e.tokens[end].Bracket(e.in)
		if depth < 0 || depth == 0 && (e.text(end) == ";" || e.isPython && end > d.value && e.startsLine(end)) {
			break
		}
	}
	return e.at <= end
}

// definitionOrOpen evaluates a definition, which may be a parameter that has no value.
func (e *evaluator) definitionOrOpen(i int) value {
	if d := e.definitions[i]; !d.hasValue() {
		return value{kind: word, name: d.name, err: openName(d.name)}
	}
	return e.definition(i, e.env)
}

// openName is the error of a name without a value.
func openName(name string) error {
	err := lexer.Refuse("--dim "+name+"=128", "%s is not known", name)
	err.Change.Flag, err.Change.Value = "--dim", name+"=128"
	return err
}

// inside returns the value of a member of a struct of the source.
func (e *evaluator) inside(of value, name string) (value, bool) {
	scope := slices.IndexFunc(e.scopes, func(s scope) bool { return s.isClass && s.name == lastWord(of.name) })
	if scope < 0 {
		return value{}, false
	}
	if given, ok := e.options.Given[name]; ok {
		return e.given(name, given), true
	}
	env := &environment{scope: scope, args: of.parts, outer: of.where}
	for _, i := range slices.Backward(e.byName[name]) {
		if e.definitions[i].scope == scope {
			return e.definition(i, env), true
		}
	}
	return value{}, false
}

// lastWord returns the last word of a name with :: or dots.
func lastWord(name string) string {
	return name[strings.LastIndexAny(name, ":.")+1:]
}

// isTemplate reports whether the < after a word opens its arguments.
func (e *evaluator) isTemplate(word string) bool {
	if e.text(e.at) != "<" || e.isPython {
		return false
	}
	end := e.closing(e.at)
	return end > 0 && (e.tokens[e.at].Gap == lexer.None || isFunction(word))
}

// apply evaluates a name that is not defined, with its arguments.
func (e *evaluator) apply(full, name string) value {
	c := call{evaluator: e, name: name}
	if e.isTemplate(name) {
		c.types, _ = e.arguments(e.at)
		if c.types == nil {
			c.types = []value{}
		}
		for e.text(e.at) == "::" && (e.text(e.at+1) == "value" || e.text(e.at+1) == "type") {
			e.at += 2
		}
	}
	if e.text(e.at) == "(" {
		c.args, c.named = e.arguments(e.at)
		c.isCalled = true
	}
	if e.text(e.at) == "{" {
		args, _ := e.arguments(e.at)
		if !c.isCalled {
			c.args = args
		}
	}
	v := c.result()
	if v.kind == word && v.name == name {
		v.name, v.err = full, openName(full)
	}
	return v
}

// members evaluates the operators after a value: calls without arguments, members and indices.
func (e *evaluator) members(v value) value {
	for {
		switch next := e.text(e.at); {
		case next == "{" && !e.isPython:
			args, _ := e.arguments(e.at)
			if len(args) > 0 {
				v = failure("", "an initializer in braces is not evaluated")
			}
		case next == "(" && v.kind != number:
			args, _ := e.arguments(e.at)
			if len(args) > 0 {
				v = value{err: cmp.Or(v.err, error(lexer.Refuse("", "the call of %s is not evaluated", v)))}
			}
		case next == "[" && (v.kind == tuple || v.err != nil):
			args, _ := e.arguments(e.at)
			if len(args) == 1 && args[0].kind == number {
				v = v.item(args[0].number)
			} else {
				v = failure("", "an index is not evaluated")
			}
		case (next == "." || next == "::") && e.isWord(e.at+1):
			e.at++
			v = v.member(e.next(), e)
		default:
			return v
		}
	}
}

// item returns an item of a tuple.
func (v value) item(n int64) value {
	if n < 0 {
		n += int64(len(v.parts))
	}
	switch {
	case v.kind != tuple:
		return v.unknown("a tuple")
	case uint64(n) >= uint64(len(v.parts)):
		return failure("", "%s has no item %d", v, n)
	}
	return v.parts[n]
}

// member returns a member of a value.
func (v value) member(name string, e *evaluator) value {
	switch {
	case name == "value", name == "type":
		return v
	case v.kind == layoutValue && name == "shape":
		return modes(v.layout.Mode(), func(d layout.Digit) int64 { return d.Extent })
	case v.kind == layoutValue && name == "stride":
		return modes(v.layout.Mode(), func(d layout.Digit) int64 { return d.Stride })
	case v.kind == layoutValue && name == "outer":
		return v.plain()
	case v.kind == typeValue && name == "width":
		return numberOf(v.bits)
	case (v.kind == word || v.kind == unknown) && name == "width":
		if t := e.typeOf(v); t.kind == typeValue {
			return numberOf(t.bits)
		}
		return e.typeOf(v)
	case v.kind == word:
		return value{kind: word, name: v.name + "." + name, err: v.err}
	}
	return v.unknown("known to have a member " + name)
}

// plain returns a layout without its swizzle.
func (v value) plain() value {
	l, err := algebra.New(v.layout.Mode(), 0)
	v.layout = l
	return v.checked(err)
}

// checked returns the value unless there is an error.
func (v value) checked(err error) value {
	if err == nil {
		return v
	}
	var syntax *lexer.SyntaxError
	if errors.As(err, &syntax) {
		err = lexer.Refuse(syntax.Hint, "%s", syntax.Msg)
	}
	return value{err: err}
}

// modes returns the extents or strides of a mode as a tuple.
func modes(m algebra.Mode, number func(layout.Digit) int64) value {
	if m.Modes == nil {
		return numberOf(number(m.Digit))
	}
	v := value{kind: tuple}
	for _, part := range m.Modes {
		v.parts = append(v.parts, modes(part, number))
	}
	return v
}

// typeOf returns the type that a value is, or the type of the options for a name without a meaning.
func (e *evaluator) typeOf(v value) value {
	if v.kind == typeValue {
		return v
	}
	if v.kind != word && v.kind != unknown {
		return v.unknown("an element type")
	}
	if e.options.Typed {
		return value{kind: typeValue, dtype: e.options.DType, bits: e.options.DType.Bits(), name: v.name}
	}
	if v.kind == unknown {
		return v
	}
	return failure("-t f16", "the element type %s is not known", v.name)
}
