package notation

import (
	"slices"
	"strconv"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/view"
)

// A function is one whose calls are read, or several of the same arguments.
type function struct {
	names     []string
	arguments []string // their names
}

// argumentNames returns the names of a function's arguments, nil if it is not in the table.
func argumentNames(table []function, name string) []string {
	for i := range table {
		if slices.Contains(table[i].names, name) {
			return table[i].arguments
		}
	}
	return nil
}

// A pythonReader reads programs of Python: calls that make tensors, and what is done with them.
type pythonReader struct {
	*reader
	system layout.System                      // whose steps the program has
	isCall func(path string, inner bool) bool // whether a call says a shape, in another expression or not
	read   func(r arrayReader, name string)   // reads such a call

	variables map[string]variable
	constants map[string]literal.Value // numbers and lists of numbers that are assigned; Nothing where not known
	types     error                    // why the type of calls that say none is not known
	stored    []string                 // variables that statements which are not read name: they may have other names
	made      []madeTensor
	named     map[*Descriptor]bool // those of variables
	blocks    []block              // that the statement is in
	opened    int                  // how many blocks there have been
	only      bool                 // the program is one statement
	called    bool                 // a call that makes a tensor has been read
	asked     []question
}

// A variable is the tensor of a name, and the block in which the name got it.
type variable struct {
	of    *Descriptor
	block int
	at    int // in what is made
	times int // that the name has got a tensor
}

// A madeTensor is a tensor under the last name that it got; a name that gets another tensor loses it.
type madeTensor struct {
	name string
	of   *Descriptor
}

// A block is what a line that ends with a colon starts: it may not be carried out, or more than once.
type block struct{ column, id int }

// A question is what a statement asks of a tensor.
type question struct {
	word string
	of   *Descriptor
}

// program reads a Python program. It reports false, and reads nothing, where no call makes a tensor. A statement that
// changes a tensor in a way that is not understood is the fault of that tensor. Others that are not read are noted.
func (p *pythonReader) program() bool {
	r := p.reader
	all := r.Statements()
	p.variables, p.only, r.Resolve = map[string]variable{}, len(all) == 1, p.resolve
	p.constants, p.named = map[string]literal.Value{}, map[*Descriptor]bool{}
	for _, s := range all {
		p.enter(s)
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
	var fault error
	for _, m := range p.made {
		if m.of == nil {
			continue
		}
		d := *m.of
		if d.Name = m.name; p.variables[m.name].times > 1 {
			d.Also = m.name + "#" + strconv.Itoa(p.variables[m.name].times)
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

// enter finds the block that a statement is in.
func (p *pythonReader) enter(s literal.Statement) {
	for n := len(p.blocks); n > 0 && s.Column <= p.blocks[n-1].column; n-- {
		p.blocks = p.blocks[:n-1]
	}
	if tokens := p.Tokens(); p.Text(tokens[s.Last]) == ":" && p.Text(tokens[s.First]) != "with" {
		p.opened++
		p.blocks = append(p.blocks, block{s.Column, p.opened})
	}
}

// block returns the block of the statement, 0 outside of all.
func (p *pythonReader) block() int {
	if n := len(p.blocks); n > 0 {
		return p.blocks[n-1].id
	}
	return 0
}

// statement reads a statement.
func (p *pythonReader) statement(s literal.Statement) {
	r := p.reader
	r.Pos, p.asked = s.At, nil
	if p.isConstant(s) {
		return
	}
	r.Pos = s.At
	isPrint := r.Is("print") && r.IsAt(1, "(")
	if isPrint {
		r.Pos = int(r.After(1).End)
	}
	values, begun := p.values(s)
	if isPrint {
		r.TakeHere(")")
	}
	isWhole := r.Done() || r.Pos >= s.End
	if begun && !isWhole && (p.only || s.Names == nil) {
		r.Take(",")
		r.Space()
		r.Fail(r.Pos, "", "unexpected text after the call")
	}
	switch fault := r.Err; {
	case p.only && begun && fault != nil:
	case begun && fault == nil && isWhole && (len(values) == len(s.Names) || s.Names == nil || len(p.asked) > 0):
		r.use(int(r.Tokens()[s.First].At), s.End)
		p.bind(s, values)
	default:
		r.Recover(s.At)
		p.unknown(s, fault, begun)
	}
}

// values reads the tensors that an expression is, or is about; begun reports whether it starts as one.
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

// tensor reads the tensor that an expression is: a call that makes one, a variable, or a function of one, and the steps
// after it. It returns nil where the text is none of these. The last step may make several, of which none is taken.
func (p *pythonReader) tensor(s literal.Statement) (d *Descriptor, split *view.Step) {
	p.Space()
	at := p.Pos
	steps := view.Parser{Parser: &p.Parser}
	path, isCall := p.CallAt(at)
	of, name := literal.Member(path)
	v, known := p.variables[p.Text(p.Token())]
	isMaker := isCall && p.isCall(path, false)
	isFunction := isCall && p.isModule(of) && view.IsStep(name)
	if isFunction && isMaker { // np.array(x) is one, and of a list it is not
		p.Pos += len(path) + 1
		_, ofKnown := p.variables[p.Text(p.Token())]
		isFunction = ofKnown || name != "as_strided" && scan.IsLetter(p.PeekToken())
		p.Pos = at
	}
	switch {
	case known && v.of.Fault != nil && (p.IsAt(1, ".") || p.IsAt(1, "[") || int(p.After(1).At) >= s.End):
		p.Fault(v.of.Fault)
		return v.of, nil
	case known:
		d = v.of
		p.Next()
	case p.Is("("):
		p.Open("(")
		if d, split = p.tensor(s); d == nil || split != nil || !p.Is(")") {
			return nil, nil
		}
		p.Close(")")
	case isMaker && !isFunction:
		d = p.call(s)
	case isFunction:
		p.Pos += len(path)
		p.Open("(")
		if d, split = p.tensor(s); d == nil || split != nil {
			return nil, nil
		}
		p.Higher()
		d, split = p.step(d, steps.Call(at+len(of)+1, name))
	}
	for d != nil && split == nil && p.Err == nil && p.Pos < s.End {
		if c := p.Peek(); c != '.' && c != '[' && p.PeekToken() != '.' || p.Pos >= s.End || p.ask(d) {
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

// attributes are the steps that are no methods.
var attributes = [...]string{"T", "mT"}

// call reads a call that makes a tensor.
func (p *pythonReader) call(s literal.Statement) *Descriptor {
	first := len(p.found)
	p.called = true
	p.read(arrayReader{p.reader}, append(s.Names, "")[0])
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

// isModule reports whether a name is that of the system's module.
func (p *pythonReader) isModule(name string) bool { return layout.SystemOf(name) == p.system.String() }

// step applies a step to a tensor, or returns it where it makes several.
func (p *pythonReader) step(d *Descriptor, step view.Step) (made *Descriptor, split *view.Step) {
	if _, isSplit := step.Part(0); isSplit && p.Err == nil {
		return d, &step
	}
	return p.apply(d, step), nil
}

// apply applies a step to a tensor. What a step returns may be the tensor itself.
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
		*d = made
		return d
	case v.Itself:
		return d
	}
	return &made
}

// questions are what programs ask of a tensor, and leave it as it is.
var questions = [...]string{
	"stride", "strides", "size", "shape", "storage_offset", "is_contiguous", "flags", "data_ptr", "dtype",
}

// ask reads what is asked of a tensor.
func (p *pythonReader) ask(d *Descriptor) bool {
	word := p.Text(p.After(1))
	if p.Peek() != '.' || !slices.Contains(questions[:], word) || p.IsAt(2, "=") {
		return false
	}
	p.Pos = int(p.After(1).End)
	if p.Is("(") && p.IsAt(1, ")") {
		p.Pos = int(p.After(1).End)
	}
	p.asked = append(p.asked, question{word, d})
	return true
}

// bind gives the variables that a statement sets their tensors. Without variables, a tensor that has no name is one of
// the text.
func (p *pythonReader) bind(s literal.Statement, values []*Descriptor) {
	if s.Names != nil && len(p.asked) > 0 {
		return
	}
	for i, d := range values {
		if d.At == 0 {
			d.At = s.At
		}
		switch {
		case s.Names != nil:
			p.assign(s, s.Names[i], d)
		case d.Name != "":
			if v, known := p.variables[d.Name]; !known || v.of.Fault != nil {
				p.rename(d.Name, d)
			} else {
				p.made = append(p.made, madeTensor{d.Name, d})
			}
		case !p.named[d]:
			p.made = append(p.made, madeTensor{"", d})
		}
	}
}

// assign gives a variable a tensor. In a block that may not be carried out, a tensor of outside becomes unknown.
func (p *pythonReader) assign(s literal.Statement, name string, d *Descriptor) {
	v, known := p.variables[name]
	if known && v.block != p.block() && p.block() > 0 && d.Fault == nil {
		d = &Descriptor{Fault: p.changed(s, name, nil)}
	}
	p.constants[name] = literal.Value{}
	p.rename(name, d)
}

// rename makes a tensor that of a name, which another one may have had.
func (p *pythonReader) rename(name string, d *Descriptor) {
	v, known := p.variables[name]
	if known {
		p.made[v.at].of = nil
	}
	p.variables[name] = variable{d, p.block(), len(p.made), v.times + 1}
	if d.Name, p.named[d] = "", true; name == "_" || name == "" {
		name, d = "", nil
	}
	p.made = append(p.made, madeTensor{name, d})
}

// changed is the fault of a tensor that a statement changes, because of another fault or because it is not understood.
func (p *pythonReader) changed(s literal.Statement, name string, why error) error {
	verb, at, reason, hint := "makes", s.At, "", ""
	if _, known := p.variables[name]; known {
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

// unknown notes what a statement that is not understood changes. Begun says that its expression is one of a tensor, why
// what is wrong with that.
func (p *pythonReader) unknown(s literal.Statement, why error, begun bool) {
	if p.inner(s); p.Err != nil {
		return
	}
	changes, uses := p.changes(s)
	for _, name := range changes {
		p.variables[name].of.Fault = p.changed(s, name, why)
	}
	for _, name := range s.Names {
		v, known := p.variables[name]
		fault := why
		if !begun || why == nil || known && v.of.Fault != why {
			fault = p.changed(s, name, why)
		}
		if known || uses || begun {
			p.assign(s, name, &Descriptor{Fault: fault, At: s.At})
		}
		p.constants[name] = literal.Value{}
	}
	if begun && s.Names == nil && len(changes) == 0 && !uses {
		p.made = append(p.made, madeTensor{"", &Descriptor{Fault: why, At: s.At}})
	}
}

// inner reads the calls inside a statement that say tensors wherever they are.
func (p *pythonReader) inner(s literal.Statement) {
	p.InnerCalls(s, func(path string) {
		if at := p.Pos; p.isCall(path, true) {
			d := p.call(literal.Statement{})
			p.use(at, p.Pos)
			p.bind(literal.Statement{}, []*Descriptor{d})
		}
	})
}

// harmless are the first words of statements that change no tensor which they name.
var harmless = [...]string{
	"print", "assert", "del", "return", "if", "elif", "while", "for", "with", "def", "class", "len",
	"type", "repr", "extern_kernels", "triton_*", "cpp_*", "logger", "logging",
}

// changes returns the variables whose tensors a statement may change, and whether it names any.
func (p *pythonReader) changes(s literal.Statement) (names []string, uses bool) {
	first := p.textAt(s.First)
	isHarmless := scan.Like(first, harmless[:]...) || s.Names != nil || p.isModule(first)
	isLoop, depth := first == "for" || first == "async", 0
	for i := s.First; i <= s.Last; i++ {
		name, next := p.textAt(i), p.textAt(i+1)
		switch name {
		case "in":
			isLoop = false
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case "set_default_dtype", "set_default_tensor_type":
			p.types = &layout.SyntaxError{Input: p.In, Offset: int(p.Tokens()[i].At), Hint: "dtype= in each call",
				Msg: "the type of the tensors after this is not known"}
		}
		if _, isNumber := p.constants[name]; isNumber && depth == 0 {
			p.constants[name] = literal.Value{}
		}
		_, known := p.variables[name]
		isTarget := int(p.Tokens()[i].At) < s.At
		if !known || isTarget || i > 0 && p.textAt(i-1) == "." || next == "=" && depth > 0 {
			continue
		}
		uses = true
		member := p.textAt(i + 2)
		isOut := i > 1 && p.textAt(i-1) == "=" && p.textAt(i-2) == "out" && first != "extern_kernels"
		isMember := next == "." && (scan.Like(member, "*_") || member == "resize" || p.textAt(i+3) == "=" &&
			slices.Contains([]string{"shape", "strides", "dtype", "data"}, member))
		if isOut || isMember || next == "=" || depth > 0 && next != "." && !isHarmless || isLoop || p.isSet(s, i) {
			names = append(names, name)
		}
		if !slices.Contains(asking[:], first) {
			p.stored = append(p.stored, name)
		}
	}
	return append(names, p.hidden(s)...), uses
}

// textAt returns the text of a token.
func (p *pythonReader) textAt(i int) string { return p.Text(p.Tokens()[min(i, len(p.Tokens())-1)]) }

// asking are the first words of statements that give a tensor no other name.
var asking = [...]string{"print", "assert", "del", "return", "if", "elif", "while"}

// isSet reports whether a statement that is no plain assignment sets the variable that is its token i.
func (p *pythonReader) isSet(s literal.Statement, i int) bool {
	first, next := p.textAt(s.First), p.textAt(i+1)
	isNamed := i > s.First && slices.Contains(setting[:], p.textAt(i-1))
	return first == "import" || first == "from" || isNamed || next == ":" && (i == s.First || p.textAt(i+2) == "=")
}

// setting are the words before a name that gets another value.
var setting = [...]string{"as", "def", "class", "global", "nonlocal"}

// keeping are the methods of names like those of steps in place that change elements only.
var keeping = [...]string{
	"*zero_", "*zeros_", "*ones_", "*eye_", "*fill_", "*normal_", "*uniform_", "constant_", "requires_grad_", "add_",
	"sub_", "mul_", "div_", "copy_", "detach_", "clip_grad_norm_", "clamp_", "relu_", "*__",
}

// naming are the functions that take the names of variables, or programs, as strings.
var naming = [...]string{"exec", "eval", "vars", "globals", "locals", "setattr"}

// hidden returns the variables that a statement may change without naming them, or under another name: a method in
// place of what is no variable of the program may be one of any that is stored, and strings may have programs in them.
func (p *pythonReader) hidden(s literal.Statement) (names []string) {
	named := false
	for i := s.First; i <= s.Last; i++ {
		word := p.textAt(i)
		named = named || slices.Contains(naming[:], word)
		if t := p.Tokens()[i]; t.Kind == scan.String {
			isFormat := t.At > 0 && (p.In[t.At-1]|' ' == 'f' || p.In[t.At-1]|' ' == 'r') || scan.IsLetter(p.In[t.At])
			names = append(names, p.inString(word, named, isFormat)...)
		}
		if !scan.Like(word, "*_") || p.textAt(i+1) != "(" || i < s.First+2 || p.textAt(i-1) != "." ||
			scan.Like(word, keeping[:]...) {
			continue
		}
		v, known := p.variables[p.textAt(i-2)]
		if isPath := i > s.First+2 && p.textAt(i-3) == "."; isPath || !known || v.of.Fault != nil {
			names = append(append(names, p.stored...), p.textAt(i-2))
			p.stored = nil
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { _, known := p.variables[name]; return !known })
}

// inString returns the words of a string if a function takes names, or if it is formatted and has a method in place.
func (p *pythonReader) inString(text string, named, isFormat bool) (words []string) {
	isInPlace, start := false, -1
	for i := range len(text) {
		switch isWord := scan.IsWord(text[i]); {
		case isWord && start < 0:
			start = i
		case !isWord && start >= 0:
			isInPlace = isInPlace || text[i] == '(' && text[i-1] == '_'
			words, start = append(words, text[start:i]), -1
		}
	}
	if named || isFormat && isInPlace {
		return words
	}
	return nil
}

// isConstant reads the assignment of numbers, or of a list of numbers: N = 2, shape = (2, 3), N, C = x.shape.
func (p *pythonReader) isConstant(s literal.Statement) bool {
	t := p.Token()
	_, isVariable := p.variables[p.Text(t)]
	_, isNumber := p.constants[p.Text(t)]
	if s.Names == nil || t.Kind != scan.Number && !isVariable && !isNumber && !p.isOneOf(p.Index(), "(-[") {
		return false
	}
	var v literal.Value
	values := []literal.Entry{}
	for p.Value(&v); p.Err == nil; p.Value(&v) {
		values = append(values, literal.Entry{Value: v})
		if p.Space(); p.Pos >= s.End || !p.Is(",") {
			break
		}
		p.Next()
	}
	isDone := p.Err == nil && p.Pos >= s.End
	if p.Recover(s.At); len(values) == 1 && values[0].Kind == literal.List && len(s.Names) > 1 {
		values = values[0].List
	}
	if !isDone || len(values) != len(s.Names) || slices.ContainsFunc(values, func(e literal.Entry) bool {
		return !isNumbers(e.Value)
	}) {
		return false
	}
	p.use(int(p.Tokens()[s.First].At), s.End)
	for i, name := range s.Names {
		if v, known := p.variables[name]; known {
			p.made[v.at].of = nil
			delete(p.variables, name)
		}
		_, again := p.constants[name]
		if p.constants[name] = values[i].Value; again && p.block() > 0 {
			p.constants[name] = literal.Value{}
		}
	}
	return true
}

// isNumbers reports whether a value is a number or a list of numbers.
func isNumbers(v literal.Value) bool {
	return v.Kind == literal.Number || v.Kind == literal.List && v.Next == nil &&
		!slices.ContainsFunc(v.List, func(e literal.Entry) bool { return e.Kind != literal.Number || e.Key != "" })
}

// resolve gives a word the value that a program has assigned to it, and x.shape and x.size(0) those of their tensor.
func (p *pythonReader) resolve(v *literal.Value) {
	list := p.constants[v.Word]
	known, next := list.Kind != literal.Nothing, v.Next
	if of, name := literal.Member(v.Word); !known && (name == "shape" || name == "size") {
		x := p.variables[of]
		if known = x.of != nil && x.of.Fault == nil && (name == "shape" || next != nil); !known {
			return
		}
		list = literal.Value{Kind: literal.List}
		for _, n := range x.of.Tensor.Layout().Sizes() {
			list.List = append(list.List, literal.Entry{Value: literal.Value{At: v.At, Kind: literal.Number, N: n}})
		}
		if next != nil && next.Open == '(' && len(next.List) == 0 {
			next = next.Next
		}
	}
	if !known {
		return
	}
	list.At = v.At
	isIndex := next != nil && next.Next == nil && next.Kind == literal.List && len(next.List) == 1
	if isIndex && list.Kind == literal.List {
		i, n := next.List[0].N, int64(len(list.List))
		if i < 0 {
			i += n
		}
		if next.List[0].Kind != literal.Number || i < 0 || i >= n {
			return
		}
		list, next = list.List[i].Value, nil
	}
	if next == nil {
		*v = list
	}
}

// isOutput reads what is printed of what the statement before asks, and compares it with the answer.
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
		return v.Kind == literal.Word && !scan.Like(v.Word, "torch.*", "True", "False", "dtype")
	}
	if p.Err != nil || len(got) != len(asked) || slices.ContainsFunc(got, isOther) {
		p.Recover(s.At)
		return false
	}
	for i, q := range asked {
		p.compare(q, got[i])
	}
	p.use(int(p.Tokens()[s.First].At), s.End)
	return true
}

// compare holds a printed answer against the tensor that was asked. Strides of axes of size 1 do not matter.
func (p *pythonReader) compare(q question, v literal.Value) {
	l := q.of.Tensor.Layout()
	var have []int64
	isStride := scan.Like(q.word, "stride*")
	switch {
	case q.of.Fault != nil:
		return
	case isStride:
		have, _ = l.LinearStrides()
		if p.system == layout.NumPy {
			inBytes(have, q.of.Tensor.DType())
		}
	case q.word == "shape" || q.word == "size":
		have = l.Sizes()
	case q.word == "is_contiguous" && (v.Word == "True") != facts.Contiguous(l) && v.Kind == literal.Word:
		p.Fail(v.At, "", "the text says that it is %s that the tensor is contiguous, which is not so", v.Word)
		return
	default:
		return
	}
	printed := p.Ints(v, q.word)
	same := len(printed) == len(have)
	for i := range printed {
		same = same && (printed[i] == have[i] || isStride && l.Axis(i).Size() < 2)
	}
	if !same {
		p.Fail(v.At, "", "the text prints %s here, and what it says makes %s", tuple(printed), tuple(have))
	}
}

// forgetSame leaves out the tensors that were found from the given place on where one of their name before them is the
// same: programs check the sizes and strides of what they have made.
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
