package input

import (
	"bytes"
	"cmp"
	"slices"

	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/manifest"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/triton"
)

// trees are the JSON or YAML documents of an input, up to the first that cannot be parsed.
type trees struct {
	list   []*doctree.Tree
	err    error                 // the error after them
	found  []notation.Descriptor // the tensors, if they are layoutcalc's own answers and not found in a directory
	faulty error                 // the first error in such answers
}

// maxDocuments limits the number of documents in one input, because each uses memory.
const maxDocuments = 25_000

// treesOf returns the text parsed as JSON or YAML documents.
func (c *candidate) treesOf(isYAML bool) *trees {
	form := &c.documents[0]
	if isYAML {
		form = &c.documents[1]
	}
	if *form != nil {
		return *form
	}
	c.readings++
	d := new(trees)
	*form = d
	d.list, d.err = parseTrees(c.Data, isYAML)
	if d.err != nil && !isYAML && hasDirectMLKeys(c.Data) {
		d.readPart(c)
	}
	if hasAny(c.Data, `"digits"`) && !c.source.Foreign {
		d.found, d.faulty = answers(d.list)
	}
	return d
}

// parseTrees parses the documents in data.
func parseTrees(data []byte, isYAML bool) (list []*doctree.Tree, err error) {
	const tooMany = "a file has at most 25000 documents"
	if isYAML {
		if list, err = doctree.YAML(data, maxDocuments+1); len(list) > maxDocuments {
			return nil, &doctree.Fault{Offset: list[maxDocuments].Start(), Msg: tooMany}
		}
		return list, err
	}
	last := (*doctree.Tree)(nil)
	for start := 0; start == 0 || start < len(data); start = last.End() {
		if len(list) == maxDocuments {
			return list, &doctree.Fault{Offset: start, Msg: tooMany}
		}
		t := new(doctree.Tree)
		err := t.JSONAfter(data, last)
		if fault, ok := err.(*doctree.Fault); ok && start > 0 && fault.Offset == start {
			return list, &doctree.Fault{Offset: start, Msg: "unexpected text after the document"}
		}
		if err != nil {
			return list, err
		}
		list, last = append(list, t), t
	}
	return list, nil
}

// readPart reads a JSON document in quotes, or a part of a document with DirectML tensor descriptors: members of an
// object, or items of a list.
func (d *trees) readPart(c *candidate) {
	var err error
	t := new(doctree.Tree)
	if inner := unquoted(c.Data, c.trimmed()); inner != nil {
		err = t.JSON(inner)
	} else if c.first() == '"' {
		err = t.JSONInside(c.Data, [2]byte{'{', '}'})
	} else {
		err = t.JSONInside(c.Data, [2]byte{'[', ']'})
	}
	switch {
	case err == nil && manifest.IsDxDispatch(t):
		d.list, d.err = []*doctree.Tree{t}, nil
	case c.first() == '"':
		d.list, d.err = nil, err
	}
}

// unquoted returns text with spaces instead of the quotes around an object or a list, as Windows shells leave them. It
// returns nil if there are no quotes. The argument core is the text without the whitespace around it.
func unquoted(text []byte, core string) []byte {
	last := len(core) - 1
	if last < 2 || core[0] != '\'' && core[0] != '"' || core[last] != core[0] || core[1] != '{' && core[1] != '[' {
		return nil
	}
	text = bytes.Clone(text)
	start := len(text) - len(blankless(text))
	text[start], text[start+last] = ' ', ' '
	return text
}

// directML returns the documents with DirectML tensor descriptors. It parses the input as JSON or otherwise as YAML,
// which allows Python's quotes. It returns nil if no document has such a descriptor. If the input starts as JSON, it
// does not try YAML, because the errors would have other positions.
func (c *candidate) directML() *trees {
	for _, isYAML := range [...]bool{false, true} {
		if !hasDirectMLKeys(c.Data) || isYAML && c.isJSON() {
			return nil
		}
		d := c.treesOf(isYAML)
		if d.err == nil && slices.ContainsFunc(d.list, manifest.IsDxDispatch) {
			return d
		}
	}
	return nil
}

// isDirectML reports whether the input is a document with DirectML tensor descriptors, or could be such a document in
// JSON that has errors.
func (c *candidate) isDirectML() bool {
	return c.isJSON() || c.directML() != nil
}

// isJSON reports whether the input starts as JSON and has the key of a tensor's type in double quotes.
func (c *candidate) isJSON() bool {
	return (c.first() == '{' || c.first() == '[') && hasAny(c.Data, `"DataType"`, `"dataType"`)
}

// isAnswer reports whether the documents are layoutcalc's own answers.
func (d *trees) isAnswer() bool { return len(d.found) > 0 || d.faulty != nil }

// states reports whether one of the documents states tensors: as an answer, a configuration or a model.
func (d *trees) states() bool {
	isOne := func(t *doctree.Tree) bool {
		return manifest.IsConfig(t) || manifest.IsDxDispatch(t) || manifest.IsTensorMap(t)
	}
	return d.isAnswer() || slices.ContainsFunc(d.list, isOne)
}

// namedDocument tests whether the name of the input promises JSON or YAML.
func (c *candidate) namedDocument() reader {
	if !c.says.Is(treeName) {
		return nil
	}
	isYAML := c.says.Is(yamlName)
	d := c.treesOf(isYAML)
	_, syntax := d.err.(*doctree.Fault)
	isTree := c.first() == '{' || c.first() == '['
	if c.source.Foreign || c.says.Is(ConfigName) || c.isNothing() || d.states() || d.err == nil && len(d.list) == 0 ||
		syntax && (c.lead == len(c.Data) || isTree && mentionsTensors(c.Data) || isYAML && hasConfigKeys(c.Data)) {
		return d.read
	}
	c.own = d.read
	return nil
}

// likely returns the documents of an input that looks like ours, even if it has errors. Otherwise it returns nil.
func (c *candidate) likely() *trees {
	isYAML := hasAny(c.Data, "\ntensors:") || bytes.HasPrefix(c.start(), []byte("tensors:"))
	isPart := c.first() == '[' && mentionsTensors(c.Data) || c.first() == '"' && hasDirectMLKeys(c.Data)
	if !isYAML && c.first() != '{' && !isPart {
		return nil
	}
	return c.treesOf(isYAML)
}

// document tests whether the content of the input is a document. A document that states no tensors may be a tensor in a
// notation.
func (c *candidate) document() reader {
	if d := c.directML(); d != nil {
		return d.read
	}
	d := c.likely()
	if d == nil || !c.source.Foreign && !d.states() && len(d.list) < 2 && (len(d.list) == 1 || !hasConfigKeys(c.Data)) {
		return nil
	}
	return d.read
}

// read reads the tensors of a candidate's documents.
func (d *trees) read(c *candidate) error {
	c.Kind, c.found = Document, nil
	err, mustBe := d.err, c.says.Is(ConfigName)
	switch {
	case len(d.list) == 0:
		return err
	case d.isAnswer():
		c.Kind, c.found = Notation, numbered(d.found)
		return cmp.Or(err, d.faulty)
	}
	const neither = "it is neither a configuration of layoutcalc nor a DxDispatch model"
	files := &artefacts{source: &c.source}
	for _, t := range d.list {
		if c.source.Foreign && !isOurs(t) {
			continue
		}
		if files.source != &c.source { // another document has changed the root
			files = &artefacts{source: &c.source}
		}
		f := manifest.Read(t, files)
		if f == nil && (mustBe && t.Root().Kind() == doctree.Object || !c.source.Foreign && manifest.IsMisspelt(t)) {
			f = manifest.Config(t, files) // finds the misspelt key
			if len(f.Findings) == 0 {
				f = nil
			}
		}
		if f == nil && !c.source.Foreign && manifest.HasField(t) {
			f = manifest.DxDispatch(t) // finds the missing members
		}
		switch {
		case f != nil:
			c.Files = append(c.Files, f)
		case err == nil && (len(d.list) > 1 || mustBe):
			err = &doctree.Fault{Offset: t.Start(), Msg: neither}
		}
	}
	switch {
	case len(c.Files) > 0 || mustBe:
	case c.source.Foreign:
		err = cmp.Or(err, ErrForeign)
	case len(d.list) > 1 && c.isNotation(): // a notation would read one document and skip the others
		const msg = "a second JSON value after the first: a tensor in a notation is one value"
		err = &doctree.Fault{Offset: d.list[1].Start(), Msg: msg}
	case err == nil:
		const kinds = "a configuration has version and tensors, a model resources, dispatchables and commands, " +
			"a descriptor DataType and Sizes"
		err = lexer.Refuse(kinds, neither)
	}
	return err
}

// namedTriton tests whether the text is a Triton model configuration by its name.
func (c *candidate) namedTriton() reader {
	if c.says.Is(pbtxtName) {
		return (*candidate).readTriton
	}
	return nil
}

// triton tests whether the text is a Triton model configuration by its content.
func (c *candidate) triton() reader {
	if triton.Is(c.Data) && !c.isNotation() {
		return (*candidate).readTriton
	}
	return nil
}

// readTriton reads a Triton model configuration.
func (c *candidate) readTriton() error {
	c.Kind = Document
	config, err := triton.Read(c.Data)
	if err == nil {
		c.Triton, c.Files = config, []*descriptor.File{config.File()}
	}
	return err
}
