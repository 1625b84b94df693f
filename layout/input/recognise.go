package input

import "layoutcalc/layout/scan"

// A form is a way in which a source or an argument states tensors.
type form struct {
	name string
	is   func(*candidate) bool
	read func(*candidate) (*Input, error)
}

// forms are all forms. The first whose test holds decides: the last holds for every text.
var forms = [...]form{
	{"header", (*candidate).isHeader, (*candidate).readHeader},
	{"lines", (*candidate).isLines, (*candidate).readLines},
	{"no text", (*candidate).isRefused, (*candidate).refusal},
	{"notation that is asked for", (*candidate).isAsked, (*candidate).readAsked},
	{"index by its name", (*candidate).isNamedIndex, (*candidate).readIndex},
	{"Triton by its name", (*candidate).isNamedTriton, (*candidate).readTriton},
	{"index", (*candidate).isIndex, (*candidate).readIndex},
	{"document by its name", (*candidate).isNamedDocument, (*candidate).readNamedDocument},
	{"shape", (*candidate).isShape, (*candidate).readShape},
	{"document", (*candidate).isDocument, (*candidate).readDocument},
	{"log", (*candidate).isLog, (*candidate).readLog},
	{"Triton", (*candidate).isTriton, (*candidate).readTriton},
	{"notation", (*candidate).isText, (*candidate).readNotation},
}

// recognise returns the first form whose test holds.
func (c *candidate) recognise() *form {
	i := 0
	for !forms[i].is(c) {
		i++
	}
	return &forms[i]
}

// readAs reads the candidate in the form that it has. Where that fails, the error is of the form that its name says.
func (c *candidate) readAs(f *form) (*Input, error) {
	in, err := f.read(c)
	if err != nil && c.own != nil && err != ErrForeign && err != ErrBroken {
		in, err = c.own(c)
	}
	if err == nil {
		err = in.unused()
	}
	return in, err
}

// Read reads a source, as its first bytes or its form say; its name says so where they do not. An error about the text
// is a [*layout.SyntaxError] or a [*doctree.Fault]; the Input then has the text.
func Read(s Source, o Options) (*Input, error) {
	c := newCandidate(s, o)
	return c.readAs(c.recognise())
}

// Text reads the text of an argument.
func Text(text string, o Options) (*Input, error) {
	c := argument(text, o)
	return c.readAs(c.recognise())
}

// unused is the error of an input that leaves nothing open to which --dim could give a value.
func (in *Input) unused() error {
	if !in.options.isOpen() || in.Kind == Notation {
		return nil
	}
	for range in.values {
		return nil
	}
	return unusedDim()
}

// unusedDim is the error of --dim where nothing is open.
func unusedDim() error {
	return scan.Refuse("", "--dim gives sizes that a text leaves open, and here none is open").LeaveOut("--dim")
}
