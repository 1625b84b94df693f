package input

import "layoutcalc/layout/lexer"

// forms are the formats that a source or an argument may have. A test returns the reader of its format, or nil if a
// candidate is in another format. The first reader counts. The last test accepts every input.
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

// read recognizes the candidate and reads it. If reading fails, the error is about the format that its name promises.
func (c *candidate) read() error {
	var read reader
	for i := 0; read == nil; i++ {
		read, c.form = forms[i].test(c), int8(i)
	}
	err := read(c)
	if err != nil && c.own != nil && err != ErrForeign && err != ErrBroken {
		*c.Input = Input{Origin: c.Origin, options: c.options, source: c.source} // without results of the failed format
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

// Read reads a source. Its first bytes decide the format, or otherwise its content, or otherwise its name. The error in
// a text file is a [*layout.SyntaxError] or a [*doctree.Fault]; in this case, the Input still has the text.
func Read(s Source, o Options) (*Input, error) {
	c := newCandidate(s, o)
	return c.Input, c.read()
}

// Text reads an argument.
func Text(text string, o Options) (*Input, error) {
	c := argument(text, o)
	return c.Input, c.read()
}

// unusedDim returns the error if --dim is given but no size is open.
func unusedDim() error {
	return lexer.Refuse("", "--dim gives values for open sizes, and no size is open here").LeaveOut("--dim")
}
