// Package input is the one place where arguments, texts and files are recognised: it tells what each is, and reads it.
//
// Whatever describes tensors is an [Input] of some [Kind]: a shape with or without the name of its
// layout, a text in a notation, a log, a document of JSON, YAML or Triton, a tensor file or a model
// of which what describes tensors is read, an index, or JSON Lines. Every command reads every kind,
// by the same functions: [Read] for what is in files and streams, [Text] for the text of an
// argument, and [Find] for arguments that may also be paths. Commands differ only in what they do
// with the tensors.
//
// It may import layout, the packages that read (scan, shape, notation, doctree, descfile, tensorfile, onnx and
// triton), and rules for the descriptors. It does not open files itself: its caller says how.
package input

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/descfile"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/rules"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/tensorfile"
	"layoutcalc/layout/triton"
)

// A Kind says what an input is.
type Kind uint8

// The kinds.
const (
	Shape      Kind = iota // sizes, and perhaps the name of a layout
	Notation               // tensors as another system writes them
	Log                    // a log, some lines of which are of oneDNN's verbose mode
	Document               // a DxDispatch model or a configuration of layoutcalc, in JSON or YAML, or one of Triton
	TensorFile             // the header of a .npy, .safetensors or .gguf file, or an ONNX model
	Lines                  // JSON Lines: one descriptor on each line
	Index                  // of .safetensors files, which says in which of them a tensor is
)

// An Input is what a text or a file was found to be.
type Input struct {
	Kind   Kind
	Name   string        // the path of the file; empty for an argument
	Data   []byte        // the text; nil for tensor files and JSON Lines
	Sizes  shape.List    // of a Shape
	Layout *shape.Name   // of a Shape; nil where the text does not name one
	Type   layout.DType  // of a Shape whose text says it
	Typed  bool          // whether it does
	Files  []*rules.File // of a TensorFile, or of each document of a Document
	Stream io.Reader     // of JSON Lines, which are not read yet

	Triton *triton.Config // of a Document that is one

	arg     string // the text of an argument
	options Options
	source  Source                // what was read
	shards  *tensorfile.Index     // of an Index
	close   func()                // closes the file of the Stream; may be nil
	found   []notation.Descriptor // of a Notation
	notes   []string              // on the descriptors that were yielded
	lead    int                   // blanks before what the notation has read

	others bool // a document has nothing that a tensor is read from
}

// Options says what a text may leave open.
type Options struct {
	notation.Options
	From *notation.Notation // of the text, whatever its form; nil for any
}

// MaxText is how many bytes a text in a file may have: a tree takes several times as much memory.
// JSON Lines may be of any length.
const MaxText = 32 << 20

// ErrBroken is the error of a source that cannot be read to its end.
var ErrBroken = errors.New("it cannot be read to its end")

// ErrForeign is the error of a source that does not describe tensors where that is not a fault.
var ErrForeign = errors.New("it does not describe tensors")

// Read reads a source, as its first bytes or its form say; its name says so where they do not. An error about the text
// is a [*layout.SyntaxError] or a [*doctree.Fault]; the Input then has the text.
func Read(s Source, o Options) (*Input, error) {
	s.load()
	in := &Input{Name: s.Name, options: o, source: s}
	s.Foreign = s.Foreign && !IsConfigName(s.Name) && textFormat(s.Name) == nil
	err := in.open(&s)
	if err == nil {
		err = in.unused()
	}
	return in, err
}

// open reads a source.
func (in *Input) open(s *Source) error {
	r := s.buffered()
	var fault error // of a tensor file, which its name says that it is, though it starts like a text
	if f := s.format(r); f != nil && in.options.From == nil {
		start, err := s.header(r)
		if err == nil {
			in.Kind = TensorFile
			err = f.header(in, s)
		}
		_, isOther := err.(*tensorfile.Substitute)
		if fault = err; err == nil || isOther || !isText(start) {
			return err
		}
		r = s.buffered()
	}
	size := int64(MaxText) // of a stream
	if s.File != nil {
		size = min(size, s.Size)
	}
	s.Turn.Take(8 * size) // with the tree
	own := textFormat(s.Name)
	isBare := in.options.From == nil && own != nil && own.bare
	if !in.isNamed() && !isBare {
		r = Decode(r)
	}
	ofLines := in.options.From == nil && fits(s.Name, linesNames)
	if in.options.From == nil && !IsConfigName(s.Name) && !isBare {
		isLines := false
		if r, isLines = startsLines(r, ofLines); isLines {
			return in.lines(r, s.Foreign)
		}
	}
	most := MaxText
	if own != nil && own.most > 0 {
		most = own.most
	}
	if s.Size/2 > int64(most) && s.File != nil && !s.Foreign && fault == nil && !isBare && !ofLines {
		if other := tensorfile.FindSubstitute(s.File, s.Size, false); other != nil && in.options.From == nil {
			return other
		}
		return tooLong(most) // in any encoding
	}
	data, err := readAll(io.LimitReader(r, int64(most)+1), min(s.Size, int64(most)))
	if err != nil {
		return ErrBroken
	}
	if isBare {
		in.Data = data
		return in.classify(s.Foreign)
	}
	switch err = in.read(data, most, s.Foreign); {
	case err == nil || err == ErrForeign:
	case fault != nil:
		*in = Input{Kind: TensorFile, Name: s.Name, options: in.options}
		return fault
	case ofLines:
		in.Data = nil
		return in.lines(io.MultiReader(bytes.NewReader(data), r), s.Foreign)
	}
	return err
}

// readAll is io.ReadAll of what probably has that many bytes, so that the memory grows once.
func readAll(r io.Reader, size int64) ([]byte, error) {
	var all bytes.Buffer
	all.Grow(int(max(size, 0)) + bytes.MinRead)
	_, err := all.ReadFrom(r)
	return all.Bytes(), err
}

// unused is the error of an input that leaves nothing open to which --dim could give a value.
func (in *Input) unused() error {
	isOpen := func(f *rules.File) bool { return len(f.Values) > 0 }
	if len(in.options.Dims)+len(in.options.Names) == 0 || in.Kind == Notation || slices.ContainsFunc(in.Files, isOpen) {
		return nil
	}
	if in.Triton != nil {
		for range in.Triton.Values {
			return nil
		}
	}
	return unusedDim()
}

// unusedDim is the error of --dim where nothing is open.
func unusedDim() error {
	return scan.Refuse("", "--dim gives sizes that a text leaves open, and here none is open").LeaveOut("--dim")
}

// read reads a text.
func (in *Input) read(data []byte, most int, foreign bool) error {
	if in.options.From == nil && !foreign {
		if s := tensorfile.FindSubstitute(bytes.NewReader(data), int64(len(data)), false); s != nil {
			if in.source.File == nil || in.source.Size != int64(len(data)) {
				s.Place = rules.Span{} // the bytes are not those of the file
			}
			return s
		}
	}
	switch {
	case foreign && !hasOurKeys(data):
		return ErrForeign
	case len(data) > most:
		return tooLong(most)
	}
	in.Data = data
	at := bytes.IndexByte(data[:min(len(data), 512)], 0)
	switch {
	case !in.isNamed() && len(bytes.TrimLeft(data, doctree.ByteOrderMark+" \t\r\n")) == 0:
		return &layout.SyntaxError{Input: string(data), Msg: "the text is empty", Hint: "such as 1x3x224x224"}
	case !in.isNamed() && isNothing(data):
		at := len(data) - len(bytes.TrimLeft(data, doctree.ByteOrderMark+" \t\r\n"))
		return &layout.SyntaxError{Input: string(data), Offset: at,
			Msg:  "the text has no tensor: it is an empty value of JSON",
			Hint: "such as 1x3x224x224; the shape of a scalar is ()"}
	case at >= 0 && order(data) == nil:
		return &layout.SyntaxError{Input: string(data), Offset: at, Msg: "a byte of 0: this is data, not a text",
			Hint: ".npy, .safetensors and .gguf are known by their first bytes, raw data is moved by convert --in"}
	}
	return in.classify(foreign)
}

// tooLong is the error of a text that is longer than that.
func tooLong(most int) error {
	return scan.Refuse("", "it is longer than the limit of %d bytes; JSON Lines may be of any length", most)
}

// isNothing reports whether a text is an empty value of JSON, as programs write what they have not found.
func isNothing(data []byte) bool {
	if len(data) > 256 {
		return false
	}
	text := strings.Join(strings.Fields(strings.Trim(string(data), doctree.ByteOrderMark)), "")
	return slices.Contains([]string{"{}", "[]", "null", `""`, "''", "[{}]", "[[]]"}, text)
}

// Text reads the text of an argument.
func Text(text string, o Options) (*Input, error) {
	in := &Input{options: o, arg: text}
	if len(text) > scan.MaxText {
		return in, scan.TooLong(text)
	}
	in.Data = []byte(text)
	err := error(nil)
	if is, _ := isLines(in.Data, true, false); is && o.From == nil {
		err = in.lines(bytes.NewReader(in.Data), false)
		in.Data = nil
	} else {
		err = in.classify(false)
	}
	if err == nil {
		err = in.unused()
	}
	return in, err
}

// mentionsTensors reports whether a text has one of the words that each document of ours has.
func mentionsTensors(text []byte) bool {
	for _, word := range [...]string{"DataType", "dispatchables", "tensors"} {
		if bytes.Contains(text, []byte(word)) {
			return true
		}
	}
	return false
}

// classify finds what the text is, and reads it. A format may have names of its own. JSON or YAML that is none of our
// documents may be a tensor in a notation; where nothing reads the text, the name of the file says what it is to be.
func (in *Input) classify(foreign bool) error {
	if in.options.From != nil {
		return in.notation()
	}
	if f := textFormat(in.Name); f != nil {
		in.Kind = Document
		return f.text(in)
	}
	if !in.isNamed() {
		return in.anyForm(foreign)
	}
	_, fault := in.document(foreign, true)
	if fault == nil || foreign || IsConfigName(in.Name) || len(in.Files) > 0 || in.isBroken(fault) {
		return fault
	}
	document := *in
	if in.anyForm(false) != nil {
		*in = document
		return fault
	}
	return nil
}

// isBroken reports whether the fault of a document leaves no doubt that it was to be one.
func (in *Input) isBroken(fault error) bool {
	_, syntax := fault.(*doctree.Fault)
	start := bytes.TrimLeft(in.Data, doctree.ByteOrderMark+" \t\r\n")
	isEmpty := string(bytes.TrimSpace(start)) == "{}" || string(bytes.TrimSpace(start)) == "[]"
	isJSON := len(start) == 0 || (start[0] == '{' || start[0] == '[') && mentionsTensors(start)
	return isEmpty || syntax && (isJSON || fits(in.Name, yamlNames) && hasConfigKeys(start))
}

// anyForm reads a text as its form says.
func (in *Input) anyForm(foreign bool) error {
	shape := in.shape()
	if shape == nil {
		in.Kind = Shape
		return nil
	}
	done, of := in.document(foreign, false)
	if done {
		return of
	}
	if bytes.Contains(in.Data, []byte(verboseMark)) {
		in.Kind = Log
		return nil
	}
	if triton.Is(in.Data) && !notation.Recognises(in.text()) {
		return in.triton()
	}
	err := in.notation()
	text := in.text()
	var unread *layout.SyntaxError
	if err != nil && len(text) <= scan.MaxText {
		unread, _ = notation.Unread(text)
	}
	switch {
	case unread != nil:
		return in.whole(unread)
	case err != nil && of != nil && in.others:
		return of // what looks like a field is a word of another program
	case notation.Unrecognised(err):
		return in.whole(shape)
	}
	return err
}

// isNamed reports whether the name of the file says that it is JSON or YAML.
func (in *Input) isNamed() bool { return in.Name != "" && fits(in.Name, jsonNames+" "+yamlNames) }

// text is the text without the blanks around it, as far as a notation may read it.
func (in *Input) text() string {
	const blanks = " \t\r\n"
	if in.arg != "" {
		text := strings.TrimLeft(strings.TrimPrefix(in.arg, doctree.ByteOrderMark), blanks)
		in.lead = len(in.arg) - len(text)
		return strings.TrimRight(text, blanks)
	}
	data := bytes.TrimLeft(bytes.TrimPrefix(in.Data, []byte(doctree.ByteOrderMark)), blanks)
	in.lead = len(in.Data) - len(data)
	return string(bytes.TrimRight(data[:min(len(data), scan.MaxText+1)], blanks))
}

// shape reads a shape, and the name of its layout if there is one after it.
func (in *Input) shape() error {
	text := in.text()
	sizes, err := shape.ParseShape(text)
	if err != nil {
		for _, word := range [...]string{"shape", "sizes", "size"} { // shape=(2, 3), shape: [2, 3]
			rest, ok := strings.CutPrefix(text, word)
			rest = strings.TrimLeft(rest, " \t")
			if ok && len(rest) > 1 && (rest[0] == '=' || rest[0] == ':') {
				rest = strings.TrimLeft(rest[1:], " \t")
				if list, wrong := shape.ParseShape(rest); wrong == nil && list.Labels() == nil {
					sizes, err = list, nil
				}
			}
		}
	}
	if err == nil {
		in.Sizes = sizes
		return nil
	}
	i := strings.LastIndexAny(text, " \t\r\n")
	if i > 0 && layout.IsDType(text[i+1:]) {
		if sizes, err = shape.ParseShape(strings.TrimRight(text[:i], " \t\r\n")); err == nil {
			in.Sizes, in.Typed = sizes, true
			in.Type, err = layout.ParseDType(text[i+1:])
			return err
		}
	} else if i > 0 && IsLayout(text[i+1:]) {
		name, nameErr := shape.ParseName(text[i+1:])
		if sizes, err = shape.ParseShape(strings.TrimRight(text[:i], " \t\r\n")); err == nil {
			err = nameErr
		}
		in.Layout = &name
	}
	if _, late := shape.ParseShape(text[i+1:]); err != nil && i > 0 && late == nil {
		before := strings.TrimRight(text[:i], " \t\r\n")
		if _, wrong := shape.ParseName(before); wrong == nil && IsLayout(before) {
			hint := "write " + scan.Clip(text[i+1:]) + " " + scan.Clip(before)
			err = &layout.SyntaxError{Input: text, Offset: i + 1, Msg: "the shape comes first", Hint: hint}
		}
	}
	if line, rest, more := strings.Cut(text, "\n"); err != nil && more {
		_, first := shape.ParseShape(line)
		rest = strings.TrimLeft(rest, " \t\r\n")
		second, _, _ := strings.Cut(rest, "\n")
		if _, wrong := shape.ParseShape(second); first == nil && wrong == nil {
			const hint = "a text has one shape, and the name of its layout: 2x3 HW"
			err = &layout.SyntaxError{Input: text, Offset: len(text) - len(rest), Msg: "a second shape", Hint: hint}
		}
	}
	in.Sizes = sizes
	return err
}

// IsLayout tells the name of a layout from an index, which may be labelled, and from strides.
func IsLayout(text string) bool {
	text = strings.TrimPrefix(text, "[") // of OpenVINO's [N,C,H,W]
	return text != "" && text[0]|0x20 >= 'a' && text[0]|0x20 <= 'z' && !strings.Contains(text, "=")
}

// document reads a document of JSON or YAML, which the text may be known to be. It reports false where the text may be
// something else.
func (in *Input) document(foreign, known bool) (done bool, err error) {
	start := bytes.TrimLeft(in.Data, doctree.ByteOrderMark+" \t\r\n")
	isYAML := known && fits(in.Name, yamlNames)
	switch {
	case known:
	case bytes.HasPrefix(start, []byte("tensors:")) || bytes.Contains(start, []byte("\ntensors:")):
		isYAML = true
	case len(start) == 0 || start[0] != '{' && (start[0] != '[' || !mentionsTensors(start)):
		return false, nil
	}
	if !foreign && len(start) > 0 && start[0] == '{' && isIndex(start) {
		return true, in.index()
	}
	in.Kind = Document
	trees, err := in.trees(isYAML)
	if len(trees) == 0 {
		return known || foreign || hasConfigKeys(start) ||
			mentionsTensors(start) && !notation.Recognises(in.text()), err
	}
	if done, fault := in.answers(trees); done {
		return true, cmp.Or(err, fault)
	}
	in.Kind = Document
	mustBe := IsConfigName(in.Name)
	const neither = "it is neither a configuration of layoutcalc nor a model of DxDispatch"
	in.others = !slices.ContainsFunc(trees, func(t *doctree.Tree) bool { return hasFields(t.Root()) })
	files := artefacts{source: &in.source}
	for _, t := range trees {
		if foreign && !isOurs(t) {
			continue
		}
		f := descfile.Read(t, files.find)
		if mustBe && f == nil && t.Root().Kind() == doctree.Object {
			f = descfile.Config(t, files.find) // which finds the key that is misspelt
			if len(f.Findings) == 0 {
				f = nil
			}
		}
		switch {
		case f != nil:
			in.Files = append(in.Files, f)
		case err == nil && (len(trees) > 1 || mustBe):
			err = &doctree.Fault{Offset: t.Start(), Msg: neither}
		}
	}
	switch {
	case len(in.Files) > 0 || mustBe:
		return true, err
	case foreign:
		return true, cmp.Or(err, ErrForeign)
	case err == nil:
		const kinds = "a configuration has version and tensors, a model resources, dispatchables and commands, " +
			"a descriptor DataType and Sizes; layoutcalc explain lists the notations"
		err = scan.Refuse(kinds, neither)
	}
	isNotation := notation.Recognises(in.text())
	if isNotation && len(trees) > 1 { // it would read one of them and pass over the others
		const msg = "a second value of JSON after the first: a tensor in a notation is one value"
		return true, &doctree.Fault{Offset: trees[1].Start(), Msg: msg}
	}
	return !isNotation, err
}

// hasFields reports whether a value of JSON has what a tensor is read from anywhere in it: a field of DirectML or the
// sizes of another system.
func hasFields(v doctree.Value) bool {
	if v.Kind() != doctree.Object && v.Kind() != doctree.Array {
		return false
	}
	for m := range v.Items {
		switch {
		case m.IsKey("DataType") && m.Kind() == doctree.String, hasFields(m),
			m.Kind() == doctree.Array && (m.IsKey("Sizes") || m.IsKey("shape") || m.IsKey("ne")):
			return true
		}
	}
	return false
}

// maxDocuments limits the documents of one text, each of which takes memory of its own.
const maxDocuments = 25_000

// trees reads the documents of a text in JSON or YAML, as many as can be read.
func (in *Input) trees(isYAML bool) (trees []*doctree.Tree, err error) {
	const tooMany = "a text has 25000 documents at most"
	if isYAML {
		if trees, err = doctree.YAML(in.Data, maxDocuments+1); len(trees) > maxDocuments {
			return nil, &doctree.Fault{Offset: trees[maxDocuments].Start(), Msg: tooMany}
		}
		return trees, err
	}
	if order(in.Data) != nil {
		return nil, &doctree.Fault{Msg: "the text is UTF-16: save it as UTF-8"}
	}
	last := (*doctree.Tree)(nil)
	for start := 0; start == 0 || start < len(in.Data); start = last.End() {
		if len(trees) == maxDocuments {
			return trees, &doctree.Fault{Offset: start, Msg: tooMany}
		}
		t := new(doctree.Tree)
		err := t.JSONAfter(in.Data, last)
		if fault, ok := err.(*doctree.Fault); ok && start > 0 && fault.Offset == start {
			return trees, &doctree.Fault{Offset: start, Msg: "unexpected text after the document"}
		}
		if err != nil {
			return trees, err
		}
		trees, last = append(trees, t), t
	}
	return trees, nil
}

// isOurs reports whether a document that may be another program's is ours without doubt: a configuration with its
// version, a model, or descriptors with the names of DirectML.
func isOurs(t *doctree.Tree) bool {
	root := t.Root()
	if root.Kind() == doctree.Array {
		for root = range root.Items {
			break
		}
	}
	if desc, ok := root.Get("Desc"); ok {
		root = desc
	}
	has := func(name string, kind doctree.Kind) bool {
		v, ok := root.Get(name)
		return ok && v.Kind() == kind
	}
	_, versioned := root.Get("version")
	return versioned && has("tensors", doctree.Object) ||
		has("dispatchables", doctree.Object) && (has("resources", doctree.Object) || has("commands", doctree.Array)) ||
		has("DataType", doctree.String) && has("Sizes", doctree.Array)
}

// hasOurKeys reports whether a text has the keys that isOurs wants, whether or not it can be read.
func hasOurKeys(text []byte) bool {
	if order(text) != nil {
		text = bytes.ReplaceAll(text, []byte{0}, nil)
	}
	return hasConfigKeys(text) || hasKey(text, "DataType", false) && hasKey(text, "Sizes", true)
}

// hasConfigKeys reports whether a text has the keys of a configuration or of a model, which no notation has.
func hasConfigKeys(text []byte) bool {
	return hasKey(text, "version", false) && hasKey(text, "tensors", true) ||
		hasKey(text, "dispatchables", true) && (hasKey(text, "resources", true) || hasKey(text, "commands", true))
}

// hasKey reports whether a word in a text of JSON or YAML has a colon after it and, if nested, what can begin a list
// or an object after that.
func hasKey(text []byte, word string, nested bool) bool {
	for {
		_, rest, found := bytes.Cut(text, []byte(word))
		if !found {
			return false
		}
		start := len(text) - len(rest) - len(word)
		isWord := start == 0 || strings.IndexByte("\"' \t\r\n{,", text[start-1]) >= 0
		value := bytes.TrimLeft(bytes.TrimLeft(rest, "\"'"), " \t\r\n")
		if isWord && bytes.HasPrefix(value, []byte(":")) {
			value = bytes.TrimLeft(value[1:], " \t")
			if !nested || len(value) > 0 && strings.IndexByte("{[\r\n#&!*/", value[0]) >= 0 {
				return true
			}
		}
		text = rest
	}
}

// notation reads the text in a notation.
func (in *Input) notation() error {
	text := in.text()
	if len(text) > scan.MaxText {
		return scan.Refuse("", "a text of more than %d bytes that is neither JSON nor YAML", scan.MaxText)
	}
	in.Kind = Notation
	var err error
	if o := in.options; o.From != nil {
		in.found, err = o.From.Read(text, o.Options)
	} else {
		in.found, err = notation.Read(text, o.Options)
	}
	in.found = numbered(in.found)
	return in.whole(err)
}

// whole returns an error about the text without the blanks around it as one about all of the input.
func (in *Input) whole(err error) error {
	if e, ok := err.(*layout.SyntaxError); ok && e.Input == in.text() && len(e.Input) != len(in.Data) {
		return e.In(string(in.Data), in.lead+e.Offset)
	}
	return err
}

// tensorFile reads the header of a tensor file.
func (in *Input) tensorFile(s *Source) error {
	f, err := tensorfile.Read(in.Name, taking{s.File, s.Turn}, s.Size)
	if err == nil {
		in.Files = []*rules.File{f}
	}
	return err
}
