package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/wording"
)

// A Step is one operation of a chain of views, such as permute(0,2,3,1) or [:, 1:3].
type Step struct {
	in     string // the input that it was read from
	at     int    // its offset in the input
	text   string
	name   string // the name of the operation, as written
	op     *operation
	args   []argument
	items  []sliceItem // the items of a slice
	isCall bool        // a function of a tensor, np.copy(x), and not a method
	module *module     // the module of the function that the steps start with; nil for any system
}

// A module has functions of tensors.
type module struct {
	name string
	of   layout.System
}

var modules = [...]module{{"torch", layout.PyTorch}, {"np", layout.NumPy}, {"numpy", layout.NumPy}}

// An argument of a step: a number, a word, a string or a list, perhaps with a name, dim=1.
type argument = literal.Entry

// numbered returns an argument that is a number.
func numbered(at int, n int64) argument {
	return argument{Value: literal.Value{At: at, Kind: literal.Number, N: n}}
}

// String returns the step as it was written.
func (s Step) String() string { return s.text }

// InPlace reports whether the step changes its tensor instead of making another, like t_().
func (s Step) InPlace() bool { return lexer.Like(s.name, "*_", "shape") }

// Counts reports whether the step names axes by their indices, like slices and permute(0,2,1).
func (s Step) Counts() bool {
	given := s.given()
	isWord := func(a argument) bool { return a.Kind == literal.Word }
	return s.items != nil || len(given) > 0 && !slices.ContainsFunc(given, isWord)
}

// Part returns the step that takes one of the parts that a step makes, such as chunk(2); ok is false for other steps.
func (s Step) Part(i int64) (part Step, ok bool) {
	if !s.op.isSplit() || s.items != nil {
		return s, false
	}
	s.items = []sliceItem{{at: s.at, start: &i}}
	return s, true
}

// AreSteps reports whether text has the form of steps or of a pattern.
func AreSteps(text string) bool {
	_, err := ParseSteps(text)
	return err == nil || IsPattern(text)
}

// ParseSteps reads one step or several joined by dots, as in permute(0,2,1).reshape(6), optionally after a variable or
// a function of a tensor, np.transpose(x, (0,2,1)). It also reads an einops pattern: b c h w -> b h w c.
func ParseSteps(text string) ([]Step, error) {
	p, err := newParser(text)
	if err != nil {
		return nil, err
	}
	if IsPattern(text) {
		return []Step{p.pattern()}, p.Err
	}
	steps := p.variable()
	for p.Err == nil && (!p.Done() || len(steps) == 0) {
		next := p.numbers(p.Step())
		if len(steps) > 0 {
			next.module = steps[0].module
		}
		steps = append(steps, next)
	}
	if p.Err != nil {
		return nil, p.Err
	}
	return steps, nil
}

// A Parser reads steps.
type Parser struct{ *literal.Parser }

// newParser returns a parser at the start of text.
func newParser(text string) (Parser, error) {
	if _, err := lexer.New(text); err != nil {
		return Parser{}, err
	}
	p := Parser{&literal.Parser{Cursor: lexer.NewCursor(text)}}
	p.Python = true
	return p, nil
}

// variable skips the variable that the steps apply to, and the variable that they are assigned to: y = x. If there is a
// function of a module instead of the first, it returns the function.
func (p Parser) variable() []Step {
	for p.Blanks(); ; {
		if first := p.function(); first != nil {
			return first
		}
		start := p.Pos
		name := p.Span(lexer.IsWord)
		p.Blanks()
		switch next := p.Peek(); {
		case lexer.IsName(name) && next == '=' && !strings.Contains(p.In[:start], "="):
			p.Pos++
			p.Blanks()
		case lexer.IsName(name) && (find(name) == nil || name == "t") && (next == '.' || next == '['):
			p.Take(".")
		default:
			p.Pos = start
			return nil
		}
	}
}

// function reads a function of a module. Its tensor may have any name. If there is no such function, it reads nothing.
func (p Parser) function() []Step {
	start := p.Pos
	name := p.Span(lexer.IsWord)
	i := slices.IndexFunc(modules[:], func(m module) bool { return m.name == name })
	isWindows := name == windowsName
	if i >= 0 && p.Take(".") || isWindows {
		at := start
		if isWindows {
			i = 1
		} else {
			if modules[i].of == layout.NumPy && p.Take("lib.") {
				p.Take("stride_tricks.")
			}
			at = p.Pos
			name = p.Span(lexer.IsWord)
		}
		if IsStep(name) && p.Take("(") && lexer.IsName(p.Span(lexer.IsWord)) {
			step := p.Call(at, name)
			step.module = &modules[i]
			return []Step{step}
		}
	}
	p.Pos = start
	return nil
}

// Step reads a slice or an operation with its arguments, and the dot before it.
func (p Parser) Step() Step {
	p.Take(".")
	p.Space()
	step := Step{in: p.In, at: p.Pos}
	if p.Peek() == '[' {
		step.items = p.slice()
	} else {
		step.name = p.Span(lexer.IsWord)
		step.op = p.operation(step.at, step.name)
		if p.Err == nil && p.PeekToken() == '(' {
			var list literal.Value
			p.Bracketed(&list)
			step.args = list.List
		}
	}
	return p.ended(step)
}

// numbers adds numbers after the name of a step to its arguments: permute 0,2,1.
func (p Parser) numbers(step Step) Step {
	c := p.PeekToken()
	if step.text != step.name || !lexer.IsDigit(c) && c != '-' {
		return step
	}
	for more := true; more && p.Err == nil; more = p.Take(",") {
		p.Space()
		step.args = append(step.args, numbered(p.Pos, p.Number()))
	}
	return p.ended(step)
}

// Call reads the rest of a call of a function, (x, 0, 1), after its tensor.
func (p Parser) Call(at int, name string) Step {
	step := Step{in: p.In, at: at, name: name, op: p.operation(at, name), isCall: true}
	p.Take(",")
	step.args = p.Entries(')')
	p.Expect(")")
	return p.ended(step)
}

// Shape reads the sizes that are assigned to the shape of a tensor.
func (p Parser) Shape() Step {
	step := Step{in: p.In, at: p.Pos, name: "shape", op: find("view"), args: make([]argument, 1)}
	p.Value(&step.args[0].Value)
	return p.ended(step)
}

// ended reads the text after the arguments of a step: the index of one of the parts that it makes.
func (p Parser) ended(step Step) Step {
	if n := len(step.args); n > 3*layout.MaxRank {
		p.Fail(step.args[n-1].At, "", "more arguments than any step has")
	}
	if p.Err == nil && step.op.isSplit() && p.PeekToken() == '[' {
		step.items = p.slice()
	}
	step.text = strings.TrimSpace(p.In[step.at:p.Pos])
	return step
}

// operation returns the operation with a name.
func (p Parser) operation(at int, name string) *operation {
	op := find(name)
	if op != nil {
		return op
	}
	var known []string
	for i := range operations {
		known = append(known, strings.Fields(operations[i].names)...)
	}
	hint := "such as " + operations[0].usage + ", reshape(3,-1), [:, 1:3]"
	err := p.Scanner.Fail(at, hint, "unknown step %q", wording.Clip(name))
	if name == "" {
		err.Msg = "a step is missing here"
	} else if lexer.IsName(name) {
		err = err.DidYouMean(name, wording.Likely(name, known))
	}
	p.Fault(err)
	return nil
}

// bind assigns the arguments to the parameters, and separates the ones that are given by name only.
func (v *viewing) bind(params string) {
	isNamed := func(a argument) bool { return a.Key != "" }
	places := v.args
	if i := slices.IndexFunc(places, isNamed); i >= 0 {
		places = places[:i]
	}
	named := slices.Clone(v.args[len(places):])
	v.args = nil
	for param := range strings.FieldsSeq(params) {
		name, other, _ := strings.Cut(param, ":")
		at := slices.IndexFunc(named, func(a argument) bool { return a.Key == name })
		number, err := strconv.Atoi(other)
		switch a := (argument{Key: name, Value: literal.Value{At: v.at}}); {
		case other == "*" && len(places) > 0:
			v.args, places = places, nil
		case other != "=" && len(places) > 0:
			a.Value, places = places[0].Value, places[1:]
			v.args = append(v.args, a)
		case at >= 0 && other == "=":
			v.options, named = append(v.options, named[at]), slices.Delete(named, at, at+1)
		case at >= 0 && other == "*" && named[at].Word == "None":
			named = slices.Delete(named, at, at+1)
		case at >= 0:
			v.args, named = append(v.args, named[at]), slices.Delete(named, at, at+1)
		case err == nil:
			v.args = append(v.args, numbered(v.at, int64(number)))
		case other == "?":
			v.args = append(v.args, a)
		case other == "":
			v.usage()
		}
		if n := len(v.args); other == "?" && v.args[n-1].Word == "None" {
			v.args[n-1].Kind = literal.Nothing
		}
	}
	for _, a := range named {
		v.failAt(a.At, "in order, without names", "%s has no argument %s, or has it twice", v.name, wording.Clip(a.Key))
	}
	for _, a := range places {
		v.failAt(a.At, v.op.example(), "%s has fewer arguments, or takes this one by name", v.name)
	}
}

// option returns the argument of a parameter.
func (v *viewing) option(name string) literal.Value {
	value, _ := literal.Field(append(v.options, v.args...), name)
	return value
}

// given returns the arguments, written as a list or one by one.
func (s Step) given() []argument { return items(s.args) }

// items returns the arguments that are in the only one if it is a list.
func items(args []argument) []argument {
	if len(args) == 1 && args[0].Kind == literal.List {
		return args[0].List
	}
	return args
}

// failAt returns an error that points at a byte of the step's text.
func (s Step) failAt(at int, hint, format string, args ...any) error {
	return &lexer.SyntaxError{Input: s.in, Offset: at, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// usage records an error about arguments of the wrong number or kind.
func (v *reading) usage() { v.usageAt(v.at) }

// usageAt is like usage, but points at a byte of the step's text.
func (v *reading) usageAt(at int) {
	v.failAt(at, v.op.example(), "the arguments do not fit %s", v.name)
}

// number returns an argument as a number, or 0 if it is not a number.
func (v *reading) number(a argument) int64 { return v.numbers([]argument{a})[0] }

// numbers returns the arguments as numbers, with 0 for an argument that is not a number.
func (v *reading) numbers(args []argument) []int64 {
	numbers := make([]int64, len(args))
	for i, a := range args {
		if a.Kind != literal.Number {
			v.failAt(a.At, "such as "+v.op.usage, "expected a number")
		}
		numbers[i] = a.N
	}
	if len(numbers) > layout.MaxRank {
		v.fail(0, "", "more than %d numbers: the limit is rank %d", layout.MaxRank, layout.MaxRank)
	}
	return numbers
}

// scalar reports whether the tensor has no axes, and accepts the arguments that PyTorch accepts then: 0 and -1, which
// have no effect.
func (v *reading) scalar() bool {
	for i, a := range v.args {
		if len(v.axes) == 0 && (a.Kind != literal.Number || a.N < -1 || a.N > 0) {
			v.fail(i, "", "a scalar has no axes")
		}
	}
	return len(v.axes) == 0
}

// axisList returns the arguments, a list or one by one, as axes, or nil if they are not axes.
func (v *reading) axisList(args []argument) []int {
	var axes []int
	for _, a := range items(args) {
		axis := v.axis(a)
		if slices.Contains(axes, axis) {
			v.failAt(a.At, "", "axis %s is given twice", v.called(axis))
		}
		if v.err != nil {
			return nil
		}
		axes = append(axes, axis)
	}
	return axes
}

// axis finds an axis by name or by position.
func (v *reading) axis(a argument) int { return v.axisAmong(a, len(v.axes)) }

// axisAmong returns the index of an axis among n. The argument is a name, or an index that may count from the end. It
// returns 0 if there is no such axis.
func (v *reading) axisAmong(a argument, n int) int {
	i := a.N
	if i < 0 {
		i += int64(n)
	}
	switch {
	case a.Kind == literal.List:
		v.usage()
	case a.Word != "":
		names := v.names()
		if at := lexer.Positions([]string{a.Word}, names)[0]; at >= 0 && v.axes[at].Name() != "" {
			return at
		}
		v.failAt(a.At, "the axes are "+strings.Join(names, ","), "unknown axis %s", wording.Clip(a.Word))
	case n == 0:
		v.failAt(a.At, "", "a scalar has no axes")
	case i < 0 || i >= int64(n):
		hint := fmt.Sprintf("the axes are 0 to %d, or %d to -1 from the end", n-1, -n)
		v.failAt(a.At, hint, "axis %d is out of range", a.N)
	default:
		return int(i)
	}
	return 0
}
