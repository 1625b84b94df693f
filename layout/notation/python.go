package notation

import (
	"slices"
	"strconv"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/view"
)

// A pythonReader reads straight-line Python programs: calls that make tensors, and operations on them.
type pythonReader struct {
	*reader
	variables map[string]*variable
	times     map[string]int // how often each name has got a tensor
	hasPaths  bool           // some names have dots: self.x
	types     error          // why the type of calls without one is unknown
	made      []madeTensor
	scopes    []scope // the functions that the statement is in
	functions int     // the number of functions so far
	only      bool    // the program is one statement
	called    bool    // a call that makes a tensor has been read
	asked     []question
	refused   error // why the program is not read
}

// A variable is the value of a name: a tensor, or a number or a list of numbers.
type variable struct {
	of    *Descriptor   // nil if it is not a tensor
	value literal.Value // Nothing if it is unknown
	fault error         // why the value is unknown
	scope int           // the function that sets the variable; 0 outside of functions
	at    int           // the index of the tensor in made
}

// A madeTensor is a tensor with the last name that it got. A name that gets another tensor no longer belongs to the
// first.
type madeTensor struct {
	name  string
	of    *Descriptor
	times int // how many tensors the name had got by then
}

// A question is a property of a tensor that a statement reads.
type question struct {
	word string
	of   *Descriptor
}

// program reads a Python program. If no call makes a tensor, it reports false and reads nothing. A statement that
// changes a tensor in a way that is not understood is an error of that tensor. Other unread statements are noted.
func (p *pythonReader) program() bool {
	r := p.reader
	all := r.Statements()
	p.variables, p.times, p.only, r.Resolve = map[string]*variable{}, map[string]int{}, len(all) == 1, p.resolve
	for _, s := range all {
		p.enter(s)
		p.straight(s)
		if !p.isOutput(s) {
			p.statement(s)
		}
		if r.Err != nil {
			break
		}
	}
	if r.Resolve = nil; !p.called {
		r.Err, r.found, r.used, r.Pos = nil, nil, nil, 0
		return false
	}
	if p.refused != nil {
		r.Err, r.found = p.refused, nil
		return true
	}
	var fault error
	for _, m := range p.made {
		if m.of == nil {
			continue
		}
		d := *m.of
		if d.Name = m.name; m.times > 1 {
			d.Also = m.name + "#" + strconv.Itoa(m.times)
		}
		r.found = append(r.found, d)
		fault = d.Fault
	}
	if !slices.ContainsFunc(r.found, func(d Descriptor) bool { return d.Fault == nil }) {
		r.Fault(fault)
	}
	r.forgetSame(0)
	r.Pos = len(r.In)
	return true
}

// tensorOf returns the tensor with a name, or nil if the name is not a tensor's.
func (p *pythonReader) tensorOf(name string) *Descriptor {
	if v := p.variables[name]; v != nil {
		return v.of
	}
	return nil
}

// nameAt returns the longest name of a variable that starts at a token, and the token after it. A word after a dot is
// not a name.
func (p *pythonReader) nameAt(i int) (name string, after int) {
	const parts = 4
	if i > 0 && p.textAt(i-1) == "." {
		return "", i + 1
	}
	name, after = p.textAt(i), i+1
	for end := i + 2; p.hasPaths && end < i+2*parts && p.textAt(end-1) == "."; end += 2 {
		path := p.In[p.Tokens()[i].At:p.Tokens()[min(end, len(p.Tokens())-1)].End]
		if p.variables[path] != nil {
			name, after = path, end+1
		}
	}
	return name, after
}

// statement reads a statement.
func (p *pythonReader) statement(s literal.Statement) {
	if len(s.Names) == 1 {
		if of, _ := literal.Member(s.Names[0]); p.tensorOf(of) != nil { // x.shape = (2, 3)
			s.Names, s.At = nil, int(p.Tokens()[s.First].At)
		}
	}
	p.Pos, p.asked = s.At, nil
	if p.isConstant(s) {
		return
	}
	values, begun := p.expression(s)
	fits := len(values) == len(s.Names) || s.Names == nil || len(p.asked) > 0
	switch fault := p.Err; {
	case fault != nil && begun && p.only:
	case fault == nil && begun && fits && p.Pos >= s.End:
		p.use(int(p.Tokens()[s.First].At), s.End)
		p.bind(s, values)
	default:
		p.Recover(s.At)
		p.unknown(s, fault, begun)
	}
}

// expression reads the tensors of the expression of a statement, which may be printed or returned. An expression that
// starts as a tensor must be one to its end.
func (p *pythonReader) expression(s literal.Statement) (all []*Descriptor, begun bool) {
	isPrint := p.follow(p.Index(), "print", "(")
	if isPrint {
		p.Pos = int(p.After(1).End)
	} else if p.Is("return") {
		p.Next()
	}
	all, begun = p.values(s)
	if isPrint {
		p.TakeHere(")")
	}
	p.Space()
	isShort := p.Pos < s.End && begun
	if mustEnd := p.only || s.Names == nil; isShort && mustEnd {
		p.Take(",")
		p.Space()
		p.Fail(p.Pos, "", "unexpected text after the call")
	}
	return all, begun
}

// values reads the tensors in an expression; begun reports whether the expression starts as one.
func (p *pythonReader) values(s literal.Statement) (all []*Descriptor, begun bool) {
	for p.Err == nil {
		d, split := p.tensor(s)
		if begun = begun || d != nil; d == nil {
			break
		}
		if split != nil {
			for i := range s.Names {
				part, _ := split.Part(int64(i))
				all = append(all, p.apply(d, part))
			}
			more, _ := split.Part(int64(len(s.Names)))
			if _, err := more.Apply(d.Tensor, p.system); err == nil && p.Err == nil && s.Names != nil {
				p.Fail(s.At, "", "there are more parts than names")
			}
			break
		}
		all = append(all, d)
		if !p.Is(",") || len(s.Names) < 2 && len(p.asked) == 0 {
			break
		}
		p.Next()
	}
	return all, begun
}

// tensor reads an expression that is a tensor: a call that makes one, a variable, or a function of a tensor, and the
// view steps after it. It returns nil for other expressions. If the last step makes several tensors, it returns that
// step as split.
func (p *pythonReader) tensor(s literal.Statement) (d *Descriptor, split *view.Step) {
	p.Space()
	name, after := p.nameAt(p.Index())
	switch v := p.tensorOf(name); {
	case v != nil:
		d = v
		p.Pos = int(p.Tokens()[after-1].End)
		if isEnd := int(p.Token().At) >= s.End; d.Fault != nil && (isEnd || p.Is(".") || p.Is("[")) {
			p.Fault(d.Fault)
			return d, nil
		}
	case p.Is("("):
		p.Open("(")
		if d, split = p.tensor(s); d == nil || split != nil || !p.Is(")") {
			return nil, nil
		}
		p.Close(")")
	default:
		d, split = p.callOrFunction(s)
	}
	return p.steps(d, split, s)
}

// callOrFunction reads a call that makes a tensor, or a function of one. It returns nil if there is no such call.
func (p *pythonReader) callOrFunction(s literal.Statement) (d *Descriptor, split *view.Step) {
	at := p.Pos
	path, isCall := p.CallAt(at)
	if !isCall {
		return nil, nil
	}
	if _, name := literal.Member(path); name == "Parameter" || name == "Variable" {
		p.Pos += len(path)
		return p.wrapped(s), nil
	}
	isMaker := p.isCall(path, false)
	if d, split = p.function(path, isMaker, s); d == nil && p.Err == nil && isMaker {
		p.Pos = at
		d = p.call(s)
	}
	return d, split
}

// wrapped reads the arguments of a tensor class, nn.Parameter(x), and returns a tensor with the same layout. It returns
// nil if x is not a tensor.
func (p *pythonReader) wrapped(s literal.Statement) *Descriptor {
	p.Open("(")
	of, split := p.tensor(s)
	if of == nil || split != nil {
		return nil
	}
	if p.Take(",") {
		p.Bind(literal.Signatures{"Parameter(requires_grad=)"}, "Parameter", p.Pos, p.Entries(')'))
	}
	p.Close(")")
	other := *of
	return &other
}

// function reads a call of a function of a tensor, such as torch.transpose(x, 0, 1). It returns nil if there is no such
// call.
func (p *pythonReader) function(path string, isMaker bool, s literal.Statement) (d *Descriptor, split *view.Step) {
	at := p.Pos
	of, name := literal.Member(path)
	switch {
	case of != "" && !p.isModule(literal.Root(path)):
		return nil, nil
	case isMaker && name != "as_strided" && name != "array":
		return nil, nil
	case !isMaker && (!p.isModule(of) || !view.IsStep(name)):
		return nil, nil
	}
	p.Pos += len(path)
	p.Open("(")
	if isMaker && !p.startsTensor(name) {
		p.Higher()
		return nil, nil // np.array([1, 2]), as_strided of an unknown tensor
	}
	if d, split = p.tensor(s); d == nil || split != nil {
		return nil, nil
	}
	p.Higher()
	return p.step(d, view.Parser{Parser: &p.Parser}.Call(at+len(path)-len(name), name))
}

// startsTensor reports whether the first argument of a function that also makes tensors may be a tensor.
func (p *pythonReader) startsTensor(function string) bool {
	inner, _ := p.CallAt(p.Pos)
	first, _ := p.nameAt(p.Index())
	isName := function == "array" && lexer.IsLetter(p.PeekToken())
	return isName || p.tensorOf(first) != nil || p.isCall(inner, false)
}

// steps reads the view steps after a tensor.
func (p *pythonReader) steps(d *Descriptor, split *view.Step, s literal.Statement) (*Descriptor, *view.Step) {
	steps := view.Parser{Parser: &p.Parser}
	for d != nil && split == nil && p.Err == nil && p.Pos < s.End {
		if c := p.PeekToken(); c != '.' && c != '[' || p.Pos >= s.End || p.ask(d) {
			break
		}
		if p.IsAt(1, "shape") && p.IsAt(2, "=") {
			p.Pos = int(p.After(2).End)
			p.Space()
			return p.apply(d, steps.Shape()), nil
		}
		if word := p.Text(p.After(1)); p.Peek() == '.' && view.IsStep(word) && !p.IsAt(2, "(") &&
			!slices.Contains(attributes[:], word) {
			p.Fail(p.Pos, word+"() calls it", "the method %s is not called", word)
		}
		d, split = p.step(d, steps.Step())
	}
	return d, split
}

// attributes are the view steps that are attributes, not methods.
var attributes = [...]string{"T", "mT"}

// call reads a call that makes a tensor.
func (p *pythonReader) call(s literal.Statement) *Descriptor {
	first := len(p.found)
	p.called = true
	arrayReader{p.reader}.tensor(append(s.Names, "")[0])
	d := &Descriptor{}
	if len(p.found) > first {
		*d = p.found[first]
		p.found = p.found[:first]
	}
	if !d.Typed {
		p.Fault(p.types)
	}
	return d
}

// step applies a step to a tensor. If the step makes several tensors, it returns the step as split.
func (p *pythonReader) step(d *Descriptor, step view.Step) (made *Descriptor, split *view.Step) {
	if _, isSplit := step.Part(0); isSplit && p.Err == nil {
		return d, &step
	}
	return p.apply(d, step), nil
}

// apply applies a step to a tensor. The result may be the tensor itself.
func (p *pythonReader) apply(d *Descriptor, step view.Step) *Descriptor {
	if p.Err != nil {
		return d
	}
	v, err := step.Apply(d.Tensor, p.system)
	p.Fault(err)
	made := *d
	made.Tensor, made.Plain, made.Skipped = v.Tensor, false, nil
	made.Typed = d.Typed || v.Tensor.DType() != d.Tensor.DType()
	switch {
	case err != nil:
	case step.InPlace():
		if p.isOutside(d) {
			p.Fail(p.Pos, "", "it is not known how often this runs")
		}
		*d = made
		return d
	case v.Itself:
		return d
	}
	return &made
}

// questions are the attributes and methods, besides fields, that read a tensor and leave it unchanged.
var questions = [...]string{
	"flags", "data_ptr", "device", "requires_grad", "is_cuda", "get_device", "item", "tolist", "element_size", "nbytes",
	"numel", "nelement", "dim", "ndimension",
}

// ask reads an attribute or a method that reads a property of a tensor.
func (p *pythonReader) ask(d *Descriptor) bool {
	word := p.Text(p.After(1))
	if isField := fieldOf(word) != "" || slices.Contains(questions[:], word); p.Peek() != '.' || !isField ||
		p.IsAt(2, "=") {
		return false
	}
	p.Pos = int(p.After(1).End)
	if p.Is("(") && p.IsAt(1, ")") {
		p.Pos = int(p.After(1).End)
	}
	p.asked = append(p.asked, question{word, d})
	return true
}

// bind assigns the tensors of a statement to its variables. Without variables, a tensor that has no name becomes a
// result.
func (p *pythonReader) bind(s literal.Statement, values []*Descriptor) {
	if s.Names != nil && len(p.asked) > 0 {
		for _, name := range s.Names {
			p.give(s, name, variable{})
		}
		return
	}
	for i, d := range values {
		switch named := p.tensorOf(d.Name); {
		case s.Names != nil:
			p.assign(s, s.Names[i], d)
		case d.Name != "" && (named == nil || named.Fault != nil):
			p.rename(d.Name, d)
		case d.Name != "" || !slices.ContainsFunc(p.made, func(m madeTensor) bool { return m.of == d }):
			p.made = append(p.made, madeTensor{name: d.Name, of: d})
		}
	}
}

// rename gives a tensor a name that another tensor may have had.
func (p *pythonReader) rename(name string, d *Descriptor) {
	d.Name = ""
	if name == "_" || name == "" {
		return
	}
	p.times[name]++
	p.set(name, variable{of: d, at: len(p.made)})
	p.made = append(p.made, madeTensor{name, d, p.times[name]})
}

// set assigns a new value to a variable.
func (p *pythonReader) set(name string, next variable) {
	next.scope = p.scope()
	if v := p.variables[name]; v != nil && v.of != nil && v.scope == next.scope {
		p.made[v.at].of = nil
	}
	p.hasPaths = p.hasPaths || !lexer.IsName(name)
	p.variables[name] = &next
}

// inner reads the calls inside a statement that are read wherever they are.
func (p *pythonReader) inner(s literal.Statement) {
	p.InnerCalls(s, func(path string) {
		if at := p.Pos; p.isCall(path, true) {
			of, from := p.parameter(path)
			d := p.call(of)
			p.use(min(at, from), p.Pos)
			p.bind(literal.Statement{}, []*Descriptor{d})
		}
	})
}

// parameter returns the name and the offset of a parameter in a TVM script if the next call is the parameter's type: A:
// T.Buffer((2, 3)).
func (p *pythonReader) parameter(path string) (of literal.Statement, at int) {
	i, root := p.Index(), literal.Root(path)
	if i < 2 || len(root) != 1 || root == path || p.textAt(i-1) != ":" || p.Tokens()[i-2].Kind != lexer.Word {
		return of, p.Pos
	}
	return literal.Statement{Names: []string{p.textAt(i - 2)}}, int(p.Tokens()[i-2].At)
}

// textAt returns the text of a token.
func (p *pythonReader) textAt(i int) string {
	return p.Text(p.Tokens()[min(max(i, 0), len(p.Tokens())-1)])
}

// isConstant reads the assignment of numbers, or of a list of numbers: N = 2, shape = (2, 3), N, C = x.shape.
func (p *pythonReader) isConstant(s literal.Statement) bool {
	name, _ := p.nameAt(p.Index())
	isNumber := p.Token().Kind == lexer.Number || p.isOneOf(p.Index(), "(-[")
	if s.Names == nil || !isNumber && p.variables[name] == nil {
		return false
	}
	values := p.constants(s)
	isOther := func(e literal.Entry) bool { return !isNumbers(e.Value) }
	if len(values) != len(s.Names) || slices.ContainsFunc(values, isOther) {
		return false
	}
	p.use(int(p.Tokens()[s.First].At), s.End)
	for i, name := range s.Names {
		p.give(s, name, variable{value: values[i].Value})
	}
	return true
}

// constants returns the values that an expression lists, or the items of its only list if there are several names. It
// returns nil for other expressions.
func (p *pythonReader) constants(s literal.Statement) (values []literal.Entry) {
	for more := true; more; more = p.Pos < s.End && p.Take(",") {
		var v literal.Value
		p.Value(&v)
		values = append(values, literal.Entry{Value: v})
		p.Space()
	}
	isDone := p.Err == nil && p.Pos >= s.End
	if p.Recover(s.At); !isDone {
		return nil
	}
	if len(values) == 1 && len(s.Names) > 1 {
		return values[0].List
	}
	return values
}

// isNumbers reports whether a value is a number or a list of numbers. An empty list has no numbers yet.
func isNumbers(v literal.Value) bool {
	return v.Kind == literal.Number || v.Kind == literal.List && v.Next == nil && len(v.List) > 0 &&
		!slices.ContainsFunc(v.List, func(e literal.Entry) bool { return e.Kind != literal.Number || e.Key != "" })
}

// resolve replaces a word with the value that the program has assigned to it, and x.shape, x.size(0) and x.numel() with
// the values of their tensor.
func (p *pythonReader) resolve(v *literal.Value) {
	value, next := literal.Value{}, v.Next
	of, name := literal.Member(v.Word)
	known := p.variables[v.Word]
	switch x := p.tensorOf(of); {
	case known != nil && known.fault != nil:
		p.Fault(known.fault)
		return
	case known != nil && known.of == nil:
		value = known.value
	case x != nil && x.Fault == nil:
		value, next = property(x.Tensor, *v, name)
	}
	isIndex := next != nil && next.Kind == literal.List && len(next.List) == 1
	if isIndex && value.Kind == literal.List {
		value, _ = value.Index(next.List[0].Value)
		next = next.Next
	}
	if value.At = v.At; value.Kind != literal.Nothing && next == nil {
		*v = value
	}
}

// property returns the value of a tensor's attribute or method without arguments, and the rest of v after it. It
// returns Nothing if the tensor has no property of that name.
func property(t layout.Tensor, v literal.Value, name string) (value literal.Value, next *literal.Value) {
	next = v.Next
	isCalled := next.IsCall()
	switch {
	case name == "shape", name == "size" && next != nil:
		value.Kind = literal.List
		for _, n := range t.Layout().Sizes() {
			value.List = append(value.List, literal.Of("", number(v.At, n)))
		}
	case name == "ndim":
		return countOf(name, t), next
	case isCalled:
		value = countOf(name, t)
	}
	if isCalled && value.Kind != literal.Nothing {
		next = next.Next
	}
	return value, next
}

// countOf returns the number that a method or an attribute of a tensor counts, or Nothing for others.
func countOf(name string, t layout.Tensor) literal.Value {
	f := findFigure(name)
	if f == nil || f.isFlag {
		return literal.Value{}
	}
	return literal.Value{Kind: literal.Number, N: f.of(t)[0]}
}

// isOutput reads the printed answer to the property that the statement before it reads, and compares the two.
func (p *pythonReader) isOutput(s literal.Statement) bool {
	asked := p.asked
	if p.asked = nil; len(asked) == 0 || s.Names != nil {
		return false
	}
	var got []literal.Value
	for p.Pos = s.At; p.Err == nil && p.Pos < s.End; p.Space() {
		var v literal.Value
		p.Operand(&v)
		got = append(got, v)
		p.Take(",")
	}
	if len(got) == 1 && len(asked) > 1 {
		for _, e := range got[0].List {
			got = append(got, e.Value)
		}
		got = got[1:]
	}
	isOther := func(v literal.Value) bool {
		return v.Kind == literal.Word && !lexer.Like(v.Word, "torch.*", "True", "False", "dtype")
	}
	if p.Err != nil || len(got) != len(asked) || slices.ContainsFunc(got, isOther) {
		p.Recover(s.At)
		return false
	}
	for i, q := range asked {
		if q.of.Fault == nil {
			p.verify(literal.Of(q.word, got[i]), q.of.Tensor)
		}
	}
	p.use(int(p.Tokens()[s.First].At), s.End)
	return true
}

// forgetSame drops the tensors, starting at index from, that equal an earlier tensor of the same name, because programs
// check the sizes and strides of the tensors that they make.
func (r *reader) forgetSame(from int) {
	kept := r.found[:from]
	for _, d := range r.found[from:] {
		if d.Name == "" {
			kept = append(kept, d)
			continue
		}
		if r.seen == nil {
			r.seen = map[string]int{}
		}
		key := d.Name + " " + d.Tensor.Layout().String()
		i, again := r.seen[key]
		if again = again && i < len(kept); again && (!kept[i].Typed || !d.Typed ||
			kept[i].Tensor.DType() == d.Tensor.DType()) {
			if !kept[i].Typed {
				kept[i] = d
			}
			continue
		}
		r.seen[key] = len(kept)
		kept = append(kept, d)
	}
	r.found = kept
}
