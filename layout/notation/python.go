package notation

import (
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
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

// A statement is one of a Python program.
type statement struct {
	name    string // of the variable that it sets; empty if there is none
	at, end int    // its expression
}

// statements splits a Python program at the line ends and semicolons outside of brackets, strings and comments.
func statements(text string) []statement {
	var all []statement
	start := 0
	for i, depth := 0, 0; i <= len(text); i++ {
		c := byte('\n') // after the last line too
		if i < len(text) {
			c = text[i]
		}
		switch {
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case c == '"' || c == '\'':
			i = pythonEnd(text, i) - 1
		case (c == '\n' || c == ';' || c == '#') && depth <= 0:
			if s := (statement{at: start, end: i}); s.trim(text) {
				all = append(all, s)
			}
			if c == '#' {
				i = pythonEnd(text, i)
			}
			start, depth = i+1, 0
		case c == '#':
			i = pythonEnd(text, i) - 1
		}
	}
	if s := (statement{at: start, end: len(text)}); start < len(text) && s.trim(text) {
		all = append(all, s) // where brackets are open at the end
	}
	return all
}

// pythonEnd returns where the comment or string that starts at the offset ends, which may be after three quotes.
func pythonEnd(text string, at int) int {
	if text[at] == '#' {
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			return at + i
		}
		return len(text)
	}
	quote := text[at : at+1]
	if strings.HasPrefix(text[at:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	for i := at + len(quote); i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case strings.HasPrefix(text[i:], quote):
			return i + len(quote)
		case text[i] == '\n' && len(quote) == 1:
			return i
		}
	}
	return len(text)
}

// trim leaves the expression of a statement, and reports whether there is one. The prompt before it does not count.
func (s *statement) trim(text string) bool {
	blank := func() {
		for s.at < s.end && strings.IndexByte(" \t\r\n", text[s.at]) >= 0 {
			s.at++
		}
	}
	blank()
	for _, prompt := range [...]string{">>>", "..."} {
		if strings.HasPrefix(text[s.at:s.end], prompt) {
			s.at += len(prompt)
			blank()
		}
	}
	for s.end > s.at && strings.IndexByte(" \t\r\n", text[s.end-1]) >= 0 {
		s.end--
	}
	name := s.at
	for s.at < s.end && scan.IsWord(text[s.at]) {
		s.at++
	}
	word := text[name:s.at]
	blank()
	if s.at < s.end && text[s.at] == '=' && scan.IsName(word) && !strings.HasPrefix(text[s.at:], "==") {
		s.at++
		s.name = word
		blank()
	} else {
		s.at = name
	}
	return s.at < s.end
}

// A pythonCall tells whether a call that says a shape starts at an offset of a text, in another expression or not.
type pythonCall func(text string, at int, inner bool) bool

// program reads a Python program: calls that make tensors, and the view operations after them or on their variables.
// It reports false, and reads nothing, where there is none.
func (r *reader) program(isCall pythonCall, read func(r *reader, name string)) bool {
	all := statements(r.In)
	variables := map[string]Descriptor{}
	called, others := false, 0
	for _, s := range all {
		if r.err != nil {
			break
		}
		first := len(r.found)
		variable := r.In[s.at : s.at+wordLength(r.In[s.at:s.end])]
		d, known := variables[variable]
		switch {
		case isCall(r.In, s.at, false):
			called = true
			r.Pos = s.at
			if read(r, s.name); len(r.found) > first {
				r.chain(s.end, len(all) == 1)
			}
		case known && isQuestion(r.In[s.at+len(variable):s.end]):
			continue
		case known:
			r.Pos = s.at + len(variable)
			d.Name, d.At, d.Skipped = s.name, s.at, nil
			r.add(d)
			r.chain(s.end, false)
		default:
			called = r.innerCalls(s, isCall, read) || called
		}
		if len(r.found) == first {
			others++
			continue
		}
		if last := r.found[len(r.found)-1]; s.name != "" && last.Name == s.name {
			variables[s.name] = last
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

// innerCalls reads the calls inside a statement that say sizes, and reports whether there are any.
func (r *reader) innerCalls(s statement, isCall pythonCall, read func(r *reader, name string)) bool {
	called := false
	for i := s.at; i < s.end && r.err == nil; i++ {
		switch c := r.In[i]; {
		case c == '#' || c == '"' || c == '\'':
			i = pythonEnd(r.In, i) - 1
		case !scan.IsWord(c) && c != '.' || i > s.at && (scan.IsWord(r.In[i-1]) || r.In[i-1] == '.'):
		case isCall(r.In, i, true):
			called = true
			r.Pos = i
			read(r, "")
			i = r.Pos - 1
		}
	}
	return called
}

// wordLength returns how many bytes of the text are the word at its start.
func wordLength(text string) int {
	return len(text) - len(strings.TrimLeftFunc(text, func(c rune) bool { return c < 0x80 && scan.IsWord(byte(c)) }))
}

// questions are methods that ask something of a tensor and leave it as it is.
var questions = [...]string{
	".stride()", ".strides", ".size()", ".shape", ".storage_offset()", ".is_contiguous()", ".flags", ".data_ptr()",
}

// isQuestion reports whether the text after a variable asks something of its tensor.
func isQuestion(text string) bool { return slices.Contains(questions[:], text) }

// chain applies the view operations up to the end of a statement to the tensor that was found last. Where the
// statement is all there is, faults of theirs are faults of the text; otherwise the tensor is left out.
func (r *reader) chain(end int, only bool) {
	if r.err != nil {
		return
	}
	text := r.In[r.Pos:end]
	for _, q := range questions {
		text = strings.TrimSuffix(text, q)
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	last := &r.found[len(r.found)-1]
	steps, err := view.ParseSteps(text)
	if rest := strings.TrimLeft(text, " \t\r\n,"); strings.IndexByte(".[ \t\r\n", text[0]) < 0 {
		err = &layout.SyntaxError{Input: text, Offset: len(text) - len(rest), Msg: "unexpected text after the call"}
	}
	var views []view.View
	if err == nil {
		views, err = view.Apply(last.Tensor, steps)
	}
	switch {
	case err == nil:
		last.Tensor, last.Plain = views[len(views)-1].Tensor, false
		for i, v := range views {
			if v.Why != "" && !v.Copied {
				last.Skipped = append(last.Skipped, steps[i].String()+": "+v.Why)
			}
		}
	case only:
		r.within(r.Pos, err)
	default:
		r.found = r.found[:len(r.found)-1]
	}
}

// forgetSame leaves out the tensors that were found from the given place on where one of their name before them is the
// same: programs check the sizes and strides of what they have made.
func (r *reader) forgetSame(from int) {
	if r.seen == nil {
		r.seen = map[string]int{}
	}
	kept := r.found[:from]
	for _, d := range r.found[from:] {
		key := d.Name + " " + d.Tensor.Layout().String()
		i, again := r.seen[key]
		again = again && d.Name != "" && i < len(kept)
		if again && (!kept[i].Typed || !d.Typed || kept[i].Tensor.DType() == d.Tensor.DType()) {
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

// statedField returns the field that a word of logs and messages stands for, empty for words that say nothing of what a
// tensor is like.
func statedField(word string) string {
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

// A statement of what a tensor is like: its fields, where the first of them is, and how many of them its line has.
type statedTensor struct {
	name   string
	at     int
	fields []entry
	line   int
	inLine int
}

// stated finds what a log or a message says of tensors: names of fields with values after them, q: shape=(2, 3),
// x.stride()=(3, 1), sizes [2, 3]. A field that comes again, or is of another variable, is of the next tensor, and so
// is one on another line than two before it.
func (r *reader) stated() (all []statedTensor) {
	line := 0
	for i := 0; i < len(r.In) && r.err == nil; i++ {
		c := r.In[i]
		if c == '\n' {
			line++
		}
		if !scan.IsLetter(c) {
			continue
		}
		start := i
		i += wordLength(r.In[i:])
		key := statedField(r.In[start:i])
		value := strings.TrimLeft(strings.TrimPrefix(r.In[i:], "()"), " \t\r\n")
		value, isField := strings.CutPrefix(value, "=")
		value = strings.TrimLeft(strings.TrimPrefix(value, ":"), " \t")
		switch word := r.In[start:i]; {
		case word == "offset" && isField:
			key = word
		case word == "storage" && strings.HasPrefix(value, "offset "):
			key, value = "storage_offset", value[len("offset "):]
		case word == "torch" && (start == 0 || r.In[start-1] != '.'): // its values say themselves what they are
			value = r.In[start:]
			path := dottedPath(value)
			if _, err := layout.ParseDType(path); err == nil {
				key = "dtype"
			} else if path == "torch.Size" && (strings.Contains(r.In, "stride") || r.owner(start) != "") {
				key = "size"
			}
		}
		list := key == "size" || key == "stride"
		numbers, isArray := arrayOfC(r.In[i:])
		switch word := r.In[start:i]; {
		case list && isArray:
			value = numbers
		case key == "" && strings.HasSuffix(strings.ToLower(word), "offset") && strings.Trim(value, "0") != "" &&
			scan.IsDigit(value[0]) && len(all) > 0 && all[len(all)-1].line == line:
			r.skip("%s %s is not used: storage_offset is the one that counts elements", word, value[:wordLength(value)])
		}
		if i--; key == "" || start > 0 && (scan.IsWord(r.In[start-1]) || r.In[start-1] == '-') || value == "" ||
			list && strings.IndexByte("([", value[0]) < 0 && !isArray && !strings.HasPrefix(value, "torch.Size(") {
			continue
		}
		e := entry{key: key}
		r.Pos = len(r.In) - len(value)
		r.operand(&e.value)
		name := r.owner(start)
		last := len(all) - 1
		if last >= 0 {
			_, again := field(all[last].fields, key)
			if again || name != all[last].name && name != "" || line > all[last].line && all[last].inLine > 1 {
				last = -1
			}
		}
		if last < 0 {
			all = append(all, statedTensor{name: name, at: start})
			last = len(all) - 1
		}
		s := &all[last]
		if s.line != line {
			s.line, s.inLine = line, 0
		}
		s.fields, s.inLine = append(s.fields, e), s.inLine+1
		i = max(i, r.Pos-1)
	}
	return all
}

// arrayOfC reports whether what comes after a name declares it as an array of C, or names an element of one, [4] =, and
// returns the list in braces that is assigned: empty where something else is, or fewer numbers than there are elements.
func arrayOfC(text string) (list string, ok bool) {
	size, after, closed := strings.Cut(strings.TrimLeft(text, " \t"), "]")
	size, opened := strings.CutPrefix(size, "[")
	if !opened || !closed || wordLength(size) < len(size) {
		return "", false
	}
	after = strings.TrimLeft(after, " \t\r\n")
	list, ok = strings.CutPrefix(after, "=")
	list = strings.TrimLeft(list, " \t\r\n")
	if !strings.HasPrefix(list, "{") {
		return "", ok || text[0] == '[' && strings.HasPrefix(after, ";")
	}
	numbers, _, _ := strings.Cut(list, "}")
	if n, err := strconv.Atoi(size); err == nil && n != strings.Count(numbers, ",")+1 {
		return "", true
	}
	return list, true
}

// owner returns the name of the tensor that a field at an offset is of: x.shape, or q: shape=.
func (r *reader) owner(at int) string {
	before := r.In[strings.LastIndexByte(r.In[:at], '\n')+1 : at]
	owner, ok := strings.CutSuffix(before, ".")
	if !ok {
		owner, ok = strings.CutSuffix(strings.TrimRight(before, " \t"), ":")
	}
	start := len(owner)
	for start > 0 && (scan.IsWord(owner[start-1]) || owner[start-1] == '.') {
		start--
	}
	name := owner[start:]
	if !ok || name == "" || name == "setStorage" || !scan.IsName(strings.ReplaceAll(name, ".", "_")) {
		return ""
	}
	return name
}

// retold reads what a text states of tensors in the place of what it could not be read as. Read takes the fields of
// one. The fault stays where the text states none, or not the strides that it speaks of, and where one of several is at
// fault.
func (r *reader) retold(read func(name string, at int, fields []entry)) {
	fault := r.err
	r.err, r.depth, r.Pos, r.found, r.skipped, r.filled = nil, 0, 0, nil, nil, 0
	strides := strings.Count(r.In, "strid")
	all := r.stated()
	for _, s := range all {
		if _, ok := field(s.fields, "stride"); ok {
			strides--
		}
	}
	if r.err != nil {
		all = nil
	}
	for _, s := range all {
		if _, ok := field(s.fields, "size"); !ok {
			r.skip("%s without sizes", s.fields[0].key)
			continue
		}
		if _, ok := field(s.fields, "stride"); !ok {
			if strides > 0 {
				break
			}
			r.noStrides(s.name)
		}
		read(s.name, s.at, s.fields)
		if r.err != nil && len(all) == 1 {
			fault = r.err
		}
		if r.err != nil {
			break
		}
	}
	if r.err != nil || len(r.found) == 0 {
		r.err, r.found, r.skipped = fault, nil, nil
	}
	r.Pos = len(r.In)
}
