package notation

import (
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/scan"
)

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
	all     []statedTensor
	line    int
	calls   []string // the words before the brackets that are open
	strays  int      // words since the last field of the line, -1 before the first
	strides int      // words of strides in the text
}

// readStated reads what a text states of tensors in the place of what it could not be read as. Read takes the fields of
// one. The fault stays where the text states none, or not the strides that it speaks of, and where one of several is at
// fault.
func (r *reader) readStated(read func(name string, at int, fields []literal.Entry)) {
	fault := r.Err
	p := prose{reader: r, strays: -1}
	for _, t := range r.Tokens() {
		if t.Kind == scan.Word && scan.Like(r.Text(t), "*strid*") {
			p.strides++
		}
	}
	if !p.arrays() {
		p.fields()
	}
	strides := p.strides
	for _, s := range p.all {
		if _, ok := literal.Field(s.fields, "stride"); ok {
			strides--
		}
	}
	if r.Err != nil {
		p.all = nil
	}
	for _, s := range p.all {
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
		if r.Err != nil && len(p.all) == 1 {
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

// again starts to read the text once more.
func (p *prose) again() {
	p.Recover(0)
	p.all, p.found, p.skipped, p.Filled = nil, nil, nil, 0
}

// arrays reads a text of nothing but arrays of C: UINT sizes[2] = {2, 3}, strides[2] = {3, 1};
func (p *prose) arrays() bool {
	tokens := p.Tokens()
	_, fields := p.find(func(i int) bool { return fieldOf(p.Text(tokens[i])) != "" && p.Text(tokens[i+1]) == "[" })
	_, values := p.find(func(i int) bool { return p.Text(tokens[i]) == "=" })
	if fields == 0 || values != fields {
		return false
	}
	p.again()
	all := p.declarations()
	isArrays := p.Err == nil && len(all) > 0
	for _, b := range all {
		key := fieldOf(b.Name)
		isArrays = isArrays && b.Index != nil && (key == "size" || key == "stride") && b.Value.Kind == literal.List
		if isArrays && len(b.Index.List) > 0 {
			extent := b.Index.List[0]
			isArrays = extent.Kind != literal.Number || extent.N == int64(len(b.Value.List))
		}
		p.state("", b.Value.At, literal.Of(key, b.Value))
	}
	return isArrays
}

// fields finds the fields that a text states, in the words of a system. One that comes again, or is of another
// variable, is of the next tensor, and so is one on another line than two before it. Words between fields, other than
// those of joining, are of a sentence, and a field in a call whose function makes no tensor is one of that function.
func (p *prose) fields() {
	p.again()
	tokens := p.Tokens()
	for i := 0; tokens[i].Kind != scan.End && p.Err == nil; {
		t := tokens[i]
		if t.Gap == scan.Line {
			p.line++
			p.strays = -1
		}
		next := i + 1
		switch word := p.Text(t); {
		case t.Hashed && p.Python || t.Slashed && !p.Python:
		case t.Kind == scan.Word && p.field(i):
			next = p.Index()
			p.strays = 0
		case t.Kind == scan.Word:
			if p.strays >= 0 && word != "and" && word != "with" && !p.isOwner(i) {
				p.strays++
			}
		case word == "%" && t.Gap != scan.None && tokens[next].Kind == scan.Word && tokens[next].Gap == scan.None:
			p.Fail(int(t.At), "", "%s is a value of a program, not a field of a tensor", word+p.Text(tokens[next]))
		case word == "(" || word == "[" || word == "{":
			callee := ""
			if i > 0 && t.Gap == scan.None && tokens[i-1].Kind == scan.Word {
				callee = p.Text(tokens[i-1])
			}
			p.calls = append(p.calls, callee)
		case (word == ")" || word == "]" || word == "}") && len(p.calls) > 0:
			p.calls = p.calls[:len(p.calls)-1]
		}
		i = next
	}
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

// isMaker reports whether a function makes or describes a tensor.
func isMaker(name string) bool {
	return slices.Contains(makers[:], name) || argumentNames(torchFunctions[:], name) != nil ||
		argumentNames(numpyFunctions[:], name) != nil
}

// fieldOf returns the field that a word stands for, empty for other words.
func fieldOf(word string) string {
	switch word {
	case "shape", "size", "sizes":
		return "size"
	case "stride", "strides":
		return "stride"
	case "dtype", "storage_offset", "itemsize":
		return word
	}
	return ""
}

// key returns the field that the word at a token stands for, and moves to its value; empty for other words.
func (p *prose) key(i int) string {
	t := p.Tokens()[i]
	p.Pos = int(t.End)
	word := p.Text(t)
	key := fieldOf(word)
	switch {
	case word == "DataType" || word == "data_type":
		p.Fail(int(t.At), "dtype is PyTorch's and NumPy's field", "%s is a field of another system", word)
	case word == "storage" && p.Is("offset"):
		p.Next()
		key = "storage_offset"
	case p.TakeHere("(") && !p.TakeHere(")"):
		p.Pos = int(t.End)
	}
	if p.Is("=") {
		p.Next()
		if word == "offset" {
			key = word
		}
	}
	if p.Is(":") {
		p.Next()
	}
	p.Space()
	return key
}

// field reads the field that the word at a token stands for, and its value. It reports false for other words, and for
// elements and declarations of arrays: sizes[0] = 2; UINT sizes[2];
func (p *prose) field(i int) bool {
	tokens := p.Tokens()
	t := tokens[i]
	if i > 0 && t.Gap == scan.None && p.Text(tokens[i-1]) == "-" {
		return false
	}
	key, owner := p.key(i), p.owner(i)
	if p.Text(t) == "torch" && (i == 0 || p.Text(tokens[i-1]) != ".") { // its values say themselves what they are
		p.Pos = int(t.At)
		path := p.Path()
		if p.Pos = int(t.At); path == "torch.Size" && (owner != "" || p.strides > 0) {
			key = "size"
		} else if layout.IsDType(path) {
			key = "dtype"
		}
	}
	value := p.Token()
	if last := len(p.all) - 1; key == "" && value.Kind == scan.Number && last >= 0 && p.all[last].line == p.line &&
		scan.Like(strings.ToLower(p.Text(t)), "*offset") {
		p.skip("%s %s is not used: storage_offset is the one that counts elements", p.Text(t), p.Text(value))
	}
	list, mark := key == "size" || key == "stride", p.Text(value)
	isList := mark == "(" || mark == "[" || mark == "torch" && p.IsAt(2, "Size") && p.IsAt(3, "(")
	if key == "" || value.Kind == scan.End || list && (!isList || p.stray(i)) {
		return false
	}
	e := literal.Entry{Key: key}
	p.Operand(&e.Value)
	if mark == "[" && value.At == tokens[i+1].At && (p.Is("=") || p.Is(";") && value.Gap == scan.None) {
		return false
	}
	p.state(owner, int(t.At), e)
	return true
}

// stray refuses a list of sizes or strides of a sentence, or of a function that makes no tensor.
func (p *prose) stray(i int) bool {
	tokens := p.Tokens()
	t, word := tokens[i], p.Text(tokens[i])
	if n := len(p.calls); n > 0 && p.calls[n-1] != "" && !isMaker(p.calls[n-1]) {
		p.Fail(int(t.At), "", "%s is an argument of %s, which makes no tensor", word, p.calls[n-1])
		return true
	}
	if i == 0 || t.Gap == scan.Line {
		return false
	}
	before := tokens[i-1]
	isCaption := i > 2 && p.Text(before) == ":" && tokens[i-2].Kind == scan.Number && tokens[i-2].Gap == scan.Blank &&
		tokens[i-3].Kind == scan.Word // Table 2: sizes (2, 3)
	switch {
	case (word == "size" || word == "stride") && p.Text(before) == "." && p.Text(tokens[i+1]) == "=":
		p.Fail(int(t.At), "", "the %s of a tensor is what it returns: .%s()=", word, word)
	case p.strays > 0:
		p.Fail(int(t.At), "", "the text is a sentence, not a tensor")
	case isCaption && p.Is("("):
		p.Fail(int(before.At), "", "the text is a caption, not a tensor")
	case p.strays < 0 && before.Kind == scan.Word && t.Gap == scan.Blank && word != "torch":
		p.Fail(int(before.At), "", "%s %s are not said of a tensor", p.Text(before), word)
	default:
		return false
	}
	return true
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
