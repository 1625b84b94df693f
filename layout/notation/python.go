package notation

import (
	"slices"

	"layoutcalc/layout"
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
		err = &layout.SyntaxError{Input: r.In, Offset: r.Pos - start, Msg: "unexpected text after the call"}
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
		r.Within(start, err)
	default:
		r.found = r.found[:len(r.found)-1]
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
