package input

import "layoutcalc/layout/lexer"

// forms are the ways in which a source or an argument states tensors. A test returns the reader of its form, nil for a
// candidate of another form. The first reader decides: the last test has one for every text.
var forms = [...]struct {
	name string
	test func(*candidate) reader
}{
	{"header", (*candidate).header},
	{"lines", (*candidate).lines},
	{"no text", (*candidate).noText},
	{"notation that is asked for", (*candidate).asked},
	{"Triton by its name", (*candidate).namedTriton},
	{"index", (*candidate).index},
	{"document by its name", (*candidate).namedDocument},
	{"kernel", (*candidate).kernel},
	{"shape", (*candidate).shape},
	{"document", (*candidate).document},
	{"tensor map", (*candidate).mapDump},
	{"log", (*candidate).log},
	{"Triton", (*candidate).triton},
	{"notation", (*candidate).notation},
}

// read recognises the candidate and reads it. Where that fails, the error is of the form that its name says.
func (c *candidate) read() error {
	var read reader
	for i := 0; read == nil; i++ {
		read, c.form = forms[i].test(c), int8(i)
	}
	err := read(c)
	if err != nil && c.own != nil && err != ErrForeign && err != ErrBroken {
		*c.Input = Input{Origin: c.Origin, options: c.options, source: c.source} // nothing of the form that failed
		err = c.own(c)
	}
	if err == nil && c.options.GivenFault != nil && !c.isKernel {
		err = c.options.GivenFault
	}
	if err != nil || !c.options.isOpen() || c.Kind == Notation || c.Sizes.Filled() {
		return err
	}
	for range c.values {
		return nil
	}
	return unusedDim()
}

// Read reads a source, as its first bytes or its form say; its name says so where they do not. An error about the text
// is a [*layout.SyntaxError] or a [*doctree.Fault]; the Input then has the text.
func Read(s Source, o Options) (*Input, error) {
	c := newCandidate(s, o)
	return c.Input, c.read()
}

// Text reads the text of an argument.
func Text(text string, o Options) (*Input, error) {
	c := argument(text, o)
	return c.Input, c.read()
}

// unusedDim is the error of --dim if no size is open.
func unusedDim() error {
	return lexer.Refuse("", "--dim gives values for open sizes, and no size is open here").LeaveOut("--dim")
}
