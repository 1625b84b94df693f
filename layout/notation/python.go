package notation

import (
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/view"
)

// A function is one whose calls are read.
type function struct {
	name      string
	arguments []string // their names
}

// argumentNames returns the names of a function's arguments, nil if it is not in the table.
func argumentNames(table []function, name string) []string {
	for i := range table {
		if table[i].name == name {
			return table[i].arguments
		}
	}
	return nil
}

// A pythonReader reads programs of Python.
type pythonReader struct {
	*reader
	isCall func(path string, inner bool) bool // whether a call says a shape, in another expression or not
	read   func(r arrayReader, name string)   // reads such a call
}

// program reads a Python program: calls that make tensors, and the view operations after them or on their variables.
// It reports false, and reads nothing, where there is none.
func (p pythonReader) program() bool {
	r := p.reader
	all := r.Statements()
	variables := map[string]Descriptor{}
	called, others := false, 0
	for _, s := range all {
		if r.Err != nil {
			break
		}
		first := len(r.found)
		r.Pos = s.At
		variable := r.Text(r.Token())
		d, known := variables[variable]
		path, isCall := r.CallAt(s.At)
		switch {
		case isCall && p.isCall(path, false):
			called = true
			if p.read(arrayReader{r}, s.Name); len(r.found) > first {
				r.chain(s.End, len(all) == 1)
			}
		case known && literal.IsQuestion(r.In[s.At+len(variable):s.End]):
			continue
		case known:
			r.Pos = s.At + len(variable)
			d.Name, d.At, d.Skipped = s.Name, s.At, nil
			r.add(d)
			r.chain(s.End, false)
		default:
			r.InnerCalls(s, func(path string) {
				if p.isCall(path, true) {
					called = true
					p.read(arrayReader{r}, "")
				}
			})
		}
		if len(r.found) == first {
			others++
			continue
		}
		if last := r.found[len(r.found)-1]; s.Name != "" && last.Name == s.Name {
			variables[s.Name] = last
		}
		r.forgetSame(first)
	}
	if !called {
		r.Pos = 0
		return false
	}
	if others > 0 {
		r.skip("%s without sizes and strides", scan.Count(others, "other statement"))
	}
	r.Pos = len(r.In)
	return true
}

// chain applies the view operations up to the end of a statement to the tensor that was found last. Where the
// statement is all there is, faults of theirs are faults of the text; otherwise the tensor is left out.
func (r *reader) chain(end int, only bool) {
	if r.Err != nil || r.Pos >= end {
		return
	}
	steps := literal.WithoutQuestions(r.In[r.Pos:end])
	if steps == "" {
		return
	}
	start := r.Pos
	r.Space()
	at := r.Pos
	last := &r.found[len(r.found)-1]
	var views []view.View
	var parsed []view.Step
	err := error(nil)
	if c := r.Peek(); c != '.' && c != '[' && start == at || c == ',' {
		r.Take(",")
		r.Space()
		err = &layout.SyntaxError{Input: r.In, Offset: r.Pos, Msg: "unexpected text after the call"}
	} else {
		for start < at && r.In[start] != steps[0] {
			start++
		}
		parsed, err = view.ParseSteps(steps)
	}
	if err == nil {
		views, err = view.Apply(last.Tensor, parsed)
	}
	switch {
	case err == nil:
		last.Tensor, last.Plain = views[len(views)-1].Tensor, false
		for i, v := range views {
			if v.Why != "" && !v.Copied {
				last.Skipped = append(last.Skipped, parsed[i].String()+": "+v.Why)
			}
		}
	case only:
		r.stepFault(start, err)
	default:
		r.found = r.found[:len(r.found)-1]
	}
}

// stepFault notes an error of the steps that start at an offset.
func (r *reader) stepFault(start int, err error) {
	if e, ok := err.(*layout.SyntaxError); ok && e.Input == r.In {
		r.Fault(err)
		return
	}
	r.Within(start, err)
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

// A statedTensor is what a log or a message says of a tensor: its fields, where the first of them is, and how many of
// them its line has.
type statedTensor struct {
	name   string
	at     int
	fields []literal.Entry
	line   int
	inLine int
}

// A prose is a log or a message that states fields of tensors: q: shape=(2, 3), x.stride()=(3, 1), sizes [2, 3].
type prose struct {
	*reader
	all    []statedTensor
	line   int
	calls  []string // the words before the brackets that are open
	strays int      // words since the last field of the line
	arrays int      // fields that are arrays of C
	words  int      // outside of fields and declarations of arrays, and since the last semicolon or comma
	since  int

	strides int // words of strides
}

// statedTensors finds the fields that a text states, in the words of a system. One that comes again, or is of another
// variable, is of the next tensor, and so is one on another line than two before it. Words between fields, other than
// those of joining, are of a sentence, and a field in a call whose function makes no tensor is one of that function.
func (r *reader) statedTensors() []statedTensor {
	p := prose{reader: r, strays: -1, strides: r.countStrides()}
	tokens := r.Tokens()
	for i := 0; tokens[i].Kind != scan.End && r.Err == nil; {
		t := tokens[i]
		if t.Gap == scan.Line {
			p.line++
			p.strays = -1
		}
		next := i + 1
		switch word := r.Text(t); {
		case t.Hashed && r.Python || t.Slashed && !r.Python:
		case t.Kind == scan.Word && p.field(i):
			for next < len(tokens)-1 && int(tokens[next].At) < r.Pos {
				next++
			}
			p.strays = 0
		case t.Kind == scan.Word && p.strays >= 0 && word != "and" && word != "with" && !p.isOwner(i):
			p.strays++
			p.since++
		case t.Kind == scan.Word && word != "const":
			p.since++
		case word == "%" && t.Gap != scan.None && tokens[next].Kind == scan.Word && tokens[next].Gap == scan.None:
			r.Fail(int(t.At), "", "%s is a value of a program, not a field of a tensor", word+r.Text(tokens[next]))
		case word == ";" || word == ",":
			p.words, p.since = p.words+p.since, 0
		case word == "(" || word == "[" || word == "{":
			callee := ""
			if i > 0 && t.Gap == scan.None && tokens[i-1].Kind == scan.Word {
				callee = r.Text(tokens[i-1])
			}
			p.calls = append(p.calls, callee)
		case (word == ")" || word == "]" || word == "}") && len(p.calls) > 0:
			p.calls = p.calls[:len(p.calls)-1]
		}
		i = next
	}
	if p.words+p.since > 0 && p.arrays > 0 {
		r.Fail(0, "", "the text has more than the arrays of sizes and strides")
	}
	return p.all
}

// isOwner reports whether a token is part of the name of a tensor: a colon or a dot is after it, or it is what a value
// is of.
func (p *prose) isOwner(i int) bool {
	before, next := "", p.Text(p.Tokens()[i+1])
	if i > 0 {
		before = p.Text(p.Tokens()[i-1])
	}
	return next == "." || next == ":" || next == "=" || next == "(" || before == "=" || before == ":"
}

// makers are the functions, other than those of torchFunctions, whose arguments describe a tensor.
var makers = [...]string{
	"Tensor", "TensorSpec", "TensorType", "ndarray", "array", "Size", "Parameter", "MemRefType", "View", "Layout",
	"ArrayView", "TensorMeta", "SymbolicTensor", "TensorWeakRef",
}

// key returns the field that the word at a token stands for, and moves to its value; empty for other words.
func (p *prose) key(i int) (key string, isField bool) {
	t := p.Tokens()[i]
	p.Pos = int(t.End)
	switch word := p.Text(t); word {
	case "shape", "size", "sizes":
		key = "size"
	case "stride", "strides":
		key = "stride"
	case "dtype", "storage_offset", "itemsize":
		key = word
	case "DataType", "data_type":
		p.Fail(int(t.At), "dtype is PyTorch's and NumPy's field", "%s is a field of another system", word)
	case "storage":
		if p.Is("offset") {
			p.Next()
			key = "storage_offset"
		}
	}
	if p.TakeHere("(") && !p.TakeHere(")") {
		p.Pos = int(t.End)
	}
	if isField = p.Is("="); isField {
		p.Next()
	}
	if p.Is(":") {
		p.Next()
	}
	if p.Space(); isField && p.Text(t) == "offset" {
		key = "offset"
	}
	return key, isField
}

// field reads the field that the word at a token stands for, and its value. It reports false for other words.
func (p *prose) field(i int) bool {
	tokens := p.Tokens()
	t := tokens[i]
	if i > 0 && t.Gap == scan.None && p.Text(tokens[i-1]) == "-" {
		return false
	}
	key, _ := p.key(i)
	list := key == "size" || key == "stride"
	owner := p.owner(i)
	if p.Text(t) == "torch" && (i == 0 || p.Text(tokens[i-1]) != ".") { // its values say themselves what they are
		p.Pos = int(t.At)
		path := p.Path()
		if p.Pos = int(t.At); path == "torch.Size" && (owner != "" || p.strides > 0) {
			key, list = "size", true
		} else if _, err := layout.ParseDType(path); err == nil {
			key = "dtype"
		}
	}
	value := p.Token()
	e := literal.Entry{Key: key}
	isArray := list && p.array(i, &e.Value)
	if isArray && e.Kind == literal.Nothing {
		return false
	}
	if isArray {
		p.arrays++
		p.since = 0
	}
	if !isArray {
		last := len(p.all) - 1
		if key == "" && value.Kind == scan.Number && p.isOffset(t) && last >= 0 && p.all[last].line == p.line {
			p.skip("%s %s is not used: storage_offset is the one that counts elements", p.Text(t), p.Text(value))
		}
		mark := p.Text(value)
		if key == "" || value.Kind == scan.End ||
			list && mark != "(" && mark != "[" && !(mark == "torch" && p.IsAt(2, "Size") && p.IsAt(3, "(")) {
			return false
		}
		if p.stray(i, list) {
			return false
		}
		p.Operand(&e.Value)
	}
	p.state(owner, int(t.At), e)
	return true
}

// stray refuses a field of a sentence or of a function that makes no tensor.
func (p *prose) stray(i int, list bool) bool {
	tokens := p.Tokens()
	word := p.Text(tokens[i])
	if n := len(p.calls); list && n > 0 && p.calls[n-1] != "" {
		if callee := p.calls[n-1]; !isMaker(callee) {
			p.Fail(int(tokens[i].At), "", "%s is an argument of %s, which makes no tensor", word, callee)
			return true
		}
	}
	if i == 0 || !list || tokens[i].Gap == scan.Line {
		return false
	}
	if (word == "size" || word == "stride") && p.Text(tokens[i-1]) == "." && p.Text(tokens[i+1]) == "=" {
		p.Fail(int(tokens[i].At), "", "the %s of a tensor is what it returns: .%s()=", word, word)
		return true
	}
	if p.strays > 0 {
		p.Fail(int(tokens[i].At), "", "the text is a sentence, not a tensor")
		return true
	}
	before := tokens[i-1]
	isCaption := i > 2 && p.Text(before) == ":" && tokens[i-2].Kind == scan.Number && tokens[i-2].Gap == scan.Blank &&
		tokens[i-3].Kind == scan.Word // Table 2: sizes (2, 3)
	if isCaption && p.Is("(") {
		p.Fail(int(before.At), "", "the text is a caption, not a tensor")
		return true
	}
	if p.strays < 0 && before.Kind == scan.Word && tokens[i].Gap == scan.Blank && word != "torch" {
		p.Fail(int(before.At), "", "%s %s are not said of a tensor", p.Text(before), word)
		return true
	}
	return false
}

// isMaker reports whether a function makes or describes a tensor.
func isMaker(name string) bool {
	for _, maker := range makers {
		if maker == name {
			return true
		}
	}
	return argumentNames(torchFunctions[:], name) != nil || argumentNames(numpyFunctions[:], name) != nil
}

// state gives a field to the tensor of a name.
func (p *prose) state(name string, at int, e literal.Entry) {
	last := len(p.all) - 1
	if last >= 0 {
		s := p.all[last]
		_, again := literal.Field(s.fields, e.Key)
		if again || name != s.name && name != "" || p.line > s.line && s.inLine > 1 {
			last = -1
		}
	}
	if last < 0 {
		p.all = append(p.all, statedTensor{name: name, at: at})
		last = len(p.all) - 1
	}
	s := &p.all[last]
	if s.line != p.line {
		s.line, s.inLine = p.line, 0
	}
	s.fields, s.inLine = append(s.fields, e), s.inLine+1
}

// array reports whether what comes after a name declares it as an array of C, or names an element of one, [4] =, and
// reads the list in braces that is assigned into v: nothing where something else is, or fewer numbers than there are
// elements.
func (p *prose) array(i int, v *literal.Value) bool {
	tokens := p.Tokens()
	back := p.Pos
	p.Pos = int(tokens[i].End)
	if !p.Take("[") {
		p.Pos = back
		return false
	}
	extent := literal.Value{Kind: literal.Nothing}
	if t := p.Token(); t.Kind == scan.Word || t.Kind == scan.Number {
		p.Operand(&extent)
	}
	isDeclared := p.Take("]") && (p.Is("=") || p.Is(";") && tokens[i+1].Gap == scan.None)
	if !isDeclared {
		p.Pos = back
		return false
	}
	if p.Take("="); p.Is("{") {
		p.Space()
		p.Bracketed(v)
		if extent.Kind == literal.Number && extent.N != int64(len(v.List)) {
			*v = literal.Value{}
		}
	}
	return true
}

// owner returns the name of the tensor that the field at a token is of: x.shape, or q: shape=.
func (p *prose) owner(i int) string {
	tokens := p.Tokens()
	if i == 0 || tokens[i].Gap == scan.Line {
		return ""
	}
	mark := p.Text(tokens[i-1])
	if mark != ":" && (mark != "." || tokens[i].Gap != scan.None) {
		return ""
	}
	name, start := p.nameBefore(i - 1)
	if name == "setStorage" || tokens[start].Kind != scan.Word {
		return ""
	}
	return name
}

// readStated reads what a text states of tensors in the place of what it could not be read as. Read takes the fields of
// one. The fault stays where the text states none, or not the strides that it speaks of, and where one of several is at
// fault.
func (r *reader) readStated(read func(name string, at int, fields []literal.Entry)) {
	fault := r.Err
	r.Recover(0)
	r.found, r.skipped, r.Filled = nil, nil, 0
	strides := r.countStrides()
	all := r.statedTensors()
	for _, s := range all {
		if _, ok := literal.Field(s.fields, "stride"); ok {
			strides--
		}
	}
	if r.Err != nil {
		all = nil
	}
	for _, s := range all {
		if _, ok := literal.Field(s.fields, "size"); !ok {
			r.skip("%s without sizes", s.fields[0].Key)
			continue
		}
		if _, ok := literal.Field(s.fields, "stride"); !ok {
			if strides > 0 {
				break
			}
			r.noStrides(s.name)
		}
		read(s.name, s.at, s.fields)
		if r.Err != nil && len(all) == 1 {
			fault = r.Err
		}
		if r.Err != nil {
			break
		}
	}
	if r.Err != nil || len(r.found) == 0 {
		r.Err, r.found, r.skipped = fault, nil, nil
	}
	r.Pos = len(r.In)
}

// countStrides returns how many words of the text speak of strides.
func (r *reader) countStrides() (n int) {
	for _, t := range r.Tokens() {
		if t.Kind == scan.Word && strings.Contains(r.Text(t), "strid") {
			n++
		}
	}
	return n
}

// isOffset reports whether a word is a field of offsets that is not known.
func (p *prose) isOffset(t scan.Token) bool {
	return strings.HasSuffix(strings.ToLower(p.Text(t)), "offset")
}
