package notation

import (
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/view"
)

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
		r.skip("%s, which say no sizes and strides", scan.Count(others, "other statement"))
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
