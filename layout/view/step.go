package view

import (
	"fmt"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// A Step is one operation of a chain of views, such as permute(0,2,3,1) or [:, 1:3].
type Step struct {
	in    string // the text that it was read from
	at    int    // where it starts there
	text  string
	op    *operation
	args  []argument
	items []sliceItem // of a slice
}

// String returns the step as it was written.
func (s Step) String() string { return s.text }

// Counts reports whether the step names axes by their positions, as slices and permute(0,2,1) do.
func (s Step) Counts() bool {
	given := s.given()
	isWord := func(a argument) bool { return a.word != "" }
	return s.items != nil || len(given) > 0 && !slices.ContainsFunc(given, isWord)
}

// An argument of a step: a number, a word or a list of arguments.
type argument struct {
	at     int
	name   string // as in dim=1
	number int64
	word   string
	list   []argument
	isList bool
}

// An operation is a step that has a name.
type operation struct {
	name, params, usage, about string // params are PyTorch's names of the arguments
	apply                      func(*viewing)
}

var operations = [...]operation{
	{"permute", "dims", "permute(0,2,3,1)", "put the axes into another order", (*viewing).permute},
	{"transpose", "dim0 dim1", "transpose(1,2)", "swap two axes", (*viewing).transpose},
	{"swapaxes", "axis0 axis1", "swapaxes(1,2)", "swap two axes", (*viewing).transpose},
	{"swapdims", "dim0 dim1", "swapdims(1,2)", "swap two axes", (*viewing).transpose},
	{"movedim", "source destination", "movedim(1,-1)", "move an axis to another position", (*viewing).movedim},
	{"moveaxis", "source destination", "moveaxis(1,-1)", "move an axis to another position", (*viewing).movedim},
	{"T", "", "T", "reverse the axes", (*viewing).reverse},
	{"t", "", "t()", "swap the axes of a matrix", (*viewing).matrix},
	{"mT", "", "mT", "swap the last two axes", (*viewing).matrixTranspose},
	{"expand", "size", "expand(2,-1,4)", "broadcast axes of size 1", (*viewing).expand},
	{"broadcast_to", "size", "broadcast_to(2,3,4)", "broadcast axes of size 1", (*viewing).expand},
	{"select", "dim index", "select(1,0)", "take one index of an axis", (*viewing).selectIndex},
	{"narrow", "dim start length", "narrow(1,2,3)", "take 3 indices of axis 1 from 2 on", (*viewing).narrow},
	{"chunk", "chunks dim", "chunk(2,1)[0]", "take one of 2 parts along axis 1", (*viewing).chunk},
	{"split", "split_size dim", "split(2,1)[0]", "take one part of 2 indices along axis 1", (*viewing).split},
	{"unbind", "dim", "unbind(1)[0]", "take one index of an axis", (*viewing).unbind},
	{"squeeze", "dim", "squeeze()", "drop axes of size 1, or one of them", (*viewing).squeeze},
	{"unsqueeze", "dim", "unsqueeze(0)", "insert an axis of size 1", (*viewing).unsqueeze},
	{"flip", "dims", "flip(1)", "reverse axes, as NumPy does without a copy", (*viewing).flip},
	{"diagonal", "offset dim1 dim2", "diagonal(0,0,1)", "take a diagonal of two axes", (*viewing).diagonal},
	{"unfold", "dimension size step", "unfold(1,3,1)", "make windows of 3 along axis 1", (*viewing).unfold},
	{"reshape", "shape", "reshape(3,-1)", "other sizes; a copy if need be", (*viewing).reshape},
	{"view", "size", "view(3,-1)", "other sizes; never a copy", (*viewing).view},
	{"flatten", "start_dim end_dim", "flatten(1,2)", "merge axes; a copy if need be", (*viewing).flatten},
	{"unflatten", "dim sizes", "unflatten(1,(2,3))", "split an axis", (*viewing).unflatten},
	{"ravel", "", "ravel()", "one axis; a copy unless contiguous", (*viewing).ravel},
	{"contiguous", "memory_format", "contiguous(channels_last)",
		"a copy unless it is contiguous", (*viewing).makeContiguous},
	{"to", "memory_format", "to(memory_format=channels_last)", "a copy unless it is so already",
		(*viewing).makeContiguous},
	{"repeat", "repeats", "repeat(2,1)", "a copy with the elements several times", (*viewing).repeat},
	{"as_strided", "size stride storage_offset", "as_strided((2,3),(3,1),0)",
		"any sizes and strides", (*viewing).asStrided},
}

// Operations yields the named steps, each with its syntax and a description.
func Operations(yield func(usage, about string) bool) {
	for _, op := range operations {
		if !yield(op.usage, op.about) {
			return
		}
	}
}

// AreSteps reports whether a text has the form of steps or of a pattern.
func AreSteps(text string) bool {
	_, err := ParseSteps(text)
	return err == nil || IsPattern(text)
}

// ParseSteps reads one step or several joined by dots, as in permute(0,2,1).reshape(6), with a variable before them or
// not, or a pattern of einops: b c h w -> b h w c.
func ParseSteps(text string) ([]Step, error) {
	s := scan.NewReader(text)
	p := stepParser{&s}
	if IsPattern(text) {
		return []Step{p.pattern()}, p.Err
	}
	p.variable()
	var steps []Step
	for p.Blanks(); !p.Done() || len(steps) == 0; p.Blanks() {
		p.Take(".")
		p.Blanks()
		step := p.step()
		if p.Err != nil {
			return nil, p.Err
		}
		step.text = strings.TrimSpace(text[step.at:p.Pos])
		steps = append(steps, step)
	}
	return steps, nil
}

// A stepParser reads steps.
type stepParser struct{ *scan.Reader }

// variable steps over the variable that the steps are of, and the one that they are assigned to: y = x.
func (p stepParser) variable() {
	for p.Blanks(); ; {
		start := p.Pos
		name := p.Span(scan.IsWord)
		known := slices.ContainsFunc(operations[:], func(op operation) bool { return op.name == name && name != "t" })
		p.Blanks()
		switch next := p.Peek(); {
		case scan.IsName(name) && next == '=' && !strings.Contains(p.In[:start], "="):
			p.Pos++
			p.Blanks()
		case scan.IsName(name) && !known && (next == '.' || next == '['):
			p.Take(".")
		default:
			p.Pos = start
			return
		}
	}
}

// step reads a slice or an operation with its arguments.
func (p stepParser) step() Step {
	step := Step{in: p.In, at: p.Pos}
	if p.Peek() == '[' {
		step.items = p.slice()
		return step
	}
	name := p.Span(scan.IsWord)
	step.op = p.operation(step.at, name)
	if p.Blanks(); p.Take("(") {
		step.args = p.arguments(')', 0)
	}
	if p.Blanks(); p.Peek() == '[' && slices.Contains(strings.Fields("chunk split unbind"), name) {
		step.items = p.slice()
	}
	if p.Err == nil {
		p.Fault(step.checkNames())
	}
	return step
}

// checkNames refuses names of arguments that differ from those of PyTorch at the same position: arguments
// are read by their position.
func (s Step) checkNames() error {
	params := strings.Fields(s.op.params)
	for i, a := range s.args {
		if a.name != "" && (i >= len(params) || params[i] != a.name) {
			return s.fail(i, "in order, without names: "+s.op.usage, "argument %d of %s is not called %s",
				i+1, s.op.name, scan.Clip(a.name))
		}
	}
	return nil
}

// operation finds the operation of that name.
func (p stepParser) operation(at int, name string) *operation {
	var known []string
	for i := range operations {
		if operations[i].name == name {
			return &operations[i]
		}
		known = append(known, operations[i].name)
	}
	hint := "such as " + operations[0].usage + ", reshape(3,-1), [:, 1:3]"
	err := p.Scanner.Fail(at, hint, "unknown step %q", scan.Clip(name))
	if name == "" {
		err.Msg = "a step is missing here"
	} else if scan.IsName(name) {
		err = err.DidYouMean(name, scan.Likely(name, known))
	}
	p.Fault(err)
	return nil
}

// arguments reads arguments up to the closing bracket.
func (p stepParser) arguments(closing byte, depth int) (args []argument) {
	most := 3 * layout.MaxRank
	if depth > 2 {
		most = 0
	}
	p.each(closing, most, "more arguments than any step has", func() { args = append(args, p.argument(depth)) })
	return args
}

// each reads a list up to the closing bracket: read reads an item, and tooMany says that there are more than the most.
func (p stepParser) each(closing byte, most int, tooMany string, read func()) {
	for n := 0; p.Err == nil; n++ {
		p.Blanks()
		if p.Peek() == closing {
			p.Pos++
			return
		}
		if n >= most {
			p.Fail(p.Pos, "", "%s", tooMany)
			return
		}
		read()
		if p.Blanks(); !p.Take(",") && p.Peek() != closing {
			p.Fail(p.Pos, "", "a comma or %c expected", closing)
		}
	}
}

// argument reads a number, a word, which may have a name before it (memory_format=...), or a
// list in brackets.
func (p stepParser) argument(depth int) argument {
	arg := argument{at: p.Pos}
	switch c := p.Peek(); {
	case c == '(' || c == '[':
		p.Pos++
		arg.isList = true
		arg.list = p.arguments(map[byte]byte{'(': ')', '[': ']'}[c], depth+1)
	case scan.IsLetter(c) || c == '_':
		arg.word = p.Span(func(c byte) bool { return scan.IsWord(c) || c == '.' })
		if p.Blanks(); arg.word != "" && p.Take("=") {
			p.Blanks()
			named := p.argument(depth + 1)
			named.at, named.name = arg.at, arg.word
			return named
		}
	default:
		arg.number = p.Integer(scan.IntKind{Noun: "number", Example: "1", Signed: true, Hex: true})
	}
	return arg
}

// given returns the arguments, written as a list or one by one.
func (s Step) given() []argument { return items(s.args) }

// items returns the arguments that are in the only one if it is a list.
func items(args []argument) []argument {
	if len(args) == 1 && args[0].isList {
		return args[0].list
	}
	return args
}

// fail returns an error that points at an argument, or at the step where there is none.
func (s Step) fail(arg int, hint, format string, args ...any) error {
	at, given := s.at, s.given()
	if arg >= 0 && arg < len(given) {
		at = given[arg].at
	}
	return s.failAt(at, hint, format, args...)
}

// failAt returns an error that points at a byte of the step's text.
func (s Step) failAt(at int, hint, format string, args ...any) error {
	return &scan.SyntaxError{Input: s.in, Offset: at, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// usage is the fault of arguments of the wrong number or kind.
func (v *reading) usage(arg int) {
	v.fail(arg, "such as "+v.op.usage, "the arguments do not fit %s", v.op.name)
}

// numbers returns the arguments as numbers, each 0 that is none.
func (v *reading) numbers(args []argument) []int64 {
	numbers := make([]int64, len(args))
	for i, a := range args {
		if a.isList || a.word != "" {
			v.failAt(a.at, "such as "+v.op.usage, "expected a number")
		}
		numbers[i] = a.number
	}
	if len(numbers) > layout.MaxRank {
		v.fail(0, "", "more than %d numbers: the limit is rank %d", layout.MaxRank, layout.MaxRank)
	}
	return numbers
}

// scalar reports whether the tensor has no axes, and accepts the arguments that PyTorch accepts
// then: 0 and -1, which lead nowhere.
func (v *reading) scalar() bool {
	for i, a := range v.args {
		if len(v.axes) == 0 && (a.isList || a.word != "" || a.number < -1 || a.number > 0) {
			v.fail(i, "", "a scalar has no axes")
		}
	}
	return len(v.axes) == 0
}

// axisThen returns the first argument as an axis and exactly n more as numbers; ok is false for other arguments.
func (v *reading) axisThen(n int) (axis int, numbers []int64, ok bool) {
	if len(v.args) != n+1 {
		v.usage(-1)
		return 0, nil, false
	}
	axis, numbers = v.axis(v.args[0]), v.numbers(v.args[1:])
	return axis, numbers, v.err == nil
}

// axisList returns the arguments, a list or one by one, as axes; nil if they are not axes.
func (v *reading) axisList(args []argument) []int {
	var axes []int
	for _, a := range items(args) {
		axis := v.axis(a)
		if slices.Contains(axes, axis) {
			v.failAt(a.at, "", "axis %s is given twice", v.called(axis))
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

// axisAmong returns the position of an axis among n, given by name or by a position that may count from the end; 0 if
// there is no such axis.
func (v *reading) axisAmong(a argument, n int) int {
	i := a.number
	if i < 0 {
		i += int64(n)
	}
	switch {
	case a.isList:
		v.usage(-1)
	case a.word != "":
		names := v.names()
		if at := scan.Positions([]string{a.word}, names)[0]; at >= 0 && v.axes[at].Name() != "" {
			return at
		}
		v.failAt(a.at, "the axes are "+strings.Join(names, ","), "unknown axis %s", scan.Clip(a.word))
	case n == 0:
		v.failAt(a.at, "", "a scalar has no axes")
	case i < 0 || i >= int64(n):
		hint := fmt.Sprintf("the axes are 0 to %d, or %d to -1 from the end", n-1, -n)
		v.failAt(a.at, hint, "axis %d is out of range", a.number)
	default:
		return int(i)
	}
	return 0
}
