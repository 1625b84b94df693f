package input

import (
	"bytes"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/kernel"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/manifest"
	"layoutcalc/layout/notation"
)

// verboseMark marks the lines about primitives in a oneDNN log.
const verboseMark = "_verbose,"

// log tests whether the text has such lines, and is not a document.
func (c *candidate) log() reader {
	if !hasAny(c.Data, verboseMark) || c.likely() != nil && !c.isNotation() {
		return nil
	}
	return func(c *candidate) error {
		c.Kind = Log
		return nil
	}
}

// mapDump tests whether the text has CUTLASS dumps of tensor maps.
func (c *candidate) mapDump() reader {
	if d := c.likely(); !manifest.IsMapDump(c.Data) || d != nil && len(d.list) > 0 {
		return nil
	}
	return func(c *candidate) error {
		f := manifest.MapDumps(c.Data)
		if c.Kind = Document; f.Len()+len(f.Findings) > 0 {
			c.Files = []*descriptor.File{f}
			return nil
		}
		return c.inWhole(shapeFault(c.trimmed()))
	}
}

// asked tests whether the options name the notation of the input. A shape is in every notation that has view steps.
func (c *candidate) asked() reader {
	if c.options.From == nil {
		return nil
	}
	if c.options.From.System() == layout.DirectML && c.isDirectML() {
		return nil // it is read as if --from were omitted
	}
	if c.options.From.IsJSON() {
		return c.treesOf(false).read
	}
	if c.options.From.HasSteps() {
		if read := c.shape(); read != nil {
			return read
		}
	}
	return func(c *candidate) error { return c.inWhole(c.readText(c.options.From.Read)) }
}

// readText reads the input with the function read.
func (c *candidate) readText(read func(string, notation.Options) ([]notation.Descriptor, error)) error {
	c.Kind = Notation
	text := c.trimmed()
	if len(text) > lexer.MaxText {
		return lexer.Refuse("", "input of more than %d bytes that is neither JSON nor YAML", lexer.MaxText)
	}
	c.readings++
	found, err := read(text, c.options.Options)
	c.found = numbered(found)
	return err
}

func (c *candidate) notation() reader { return (*candidate).readNotation }

// readNotation reads the input in any notation. If no notation matches, the error suggests what else the input may be.
func (c *candidate) readNotation() error {
	err := c.readText(notation.Read)
	if err != nil {
		err = c.onlyKernel(err)
	}
	if err == nil || c.isTrial || kernel.IsQuestion(err) {
		return err
	}
	text, d := c.trimmed(), c.likely()
	isShort, isUnknown := len(text) <= lexer.MaxText, notation.Unrecognised(err)
	if d != nil && isUnknown && (len(d.list) > 0 || mentionsTensors(c.Data)) {
		return d.read(c)
	}
	if isShort {
		if unread, _ := notation.Unread(text); unread != nil {
			return c.inWhole(unread)
		}
	}
	switch {
	case d != nil && len(d.list) > 0 && !slices.ContainsFunc(d.list, hasFields):
		return d.read(c) // the apparent field is a word of another program
	case isShort && isUnknown && !isSentence(text):
		err = shapeFault(text)
	}
	return c.openSize(text, c.inWhole(err))
}

// isSentence reports whether text starts with words and one of them is not a size, or has many words.
func isSentence(text string) bool {
	const most = 3 // words of a command line, f16 1x3x4x5 NHWC
	words, count := strings.Fields(text), 0
	for _, word := range words {
		if lexer.IsLetter(word[0]) {
			count++
		}
	}
	text = strings.TrimLeft(text, "([{ ")
	return count > most || len(words) > most && text != "" && !lexer.IsDigit(text[0]) && !strings.Contains(words[0],
		"=")
}

// Target returns the target that the input itself implies.
func (in *Input) Target() descriptor.Target {
	switch {
	case len(in.Files) > 0:
		return in.Files[0].Target
	case in.Kind == Log:
		return descriptor.Target{Family: finding.OneDNN}
	case len(in.found) > 0 && in.found[0].Notation != nil:
		return descriptor.Target{Family: family(in.found[0].Notation.System())}
	}
	return descriptor.Target{}
}

// StepSystem returns the system that defines view steps for tensors of the input. It returns layout.Others if neither
// the input nor the options name a system that has view steps.
func (in *Input) StepSystem() layout.System {
	of := in.options.From
	if len(in.found) > 0 && in.found[0].Notation != nil {
		of = in.found[0].Notation
	}
	if of == nil {
		return layout.Others
	}
	return of.StepSystem()
}

// System returns the system that allocates the tensors of the input, or layout.Others if neither the input nor the
// options name one.
func (in *Input) System() layout.System {
	of := in.options.From
	if len(in.found) > 0 && in.found[0].Notation != nil {
		of = in.found[0].Notation
	}
	switch {
	case of != nil:
		return of.System()
	case in.Kind == Log:
		return layout.OneDNN
	case in.Kind == Index:
		return systemOf("index")
	case len(in.Files) > 0:
		return systemOf(in.Files[0].Kind)
	}
	return layout.Others
}

// each calls do with every tensor of a Notation or a Log, and with the error of every other line of a log, until do
// returns false.
func (in *Input) each(do func(d notation.Descriptor, at textSource, err error) bool) {
	for _, d := range in.found {
		if !do(d, textSource{data: in.Data, lead: in.lead, at: d.At, fields: d.Fields}, d.Fault) {
			return
		}
	}
	if in.Kind != Log {
		return
	}
	verbose, _ := notation.Find("onednn-verbose")
	number := 0
	for line := range bytes.Lines(in.Data) {
		number++
		line = bytes.TrimRight(line, "\r\n")
		var found []notation.Descriptor
		err := ErrForeign
		if hasAny(line, verboseMark) {
			found, err = verbose.Read(string(line), in.options.Options)
		}
		if err != nil && !do(notation.Descriptor{}, textSource{data: line, line: number}, err) {
			return
		}
		for _, d := range numbered(found) {
			if !do(d, textSource{data: line, at: d.At, line: number, fields: d.Fields}, nil) {
				return
			}
		}
	}
}

// family returns the family of the rules for a system's tensors.
func family(s layout.System) finding.Family {
	switch s {
	case layout.DirectML:
		return finding.DirectML
	case layout.OneDNN:
		return finding.OneDNN
	case layout.PyTorch:
		return finding.PyTorch
	case layout.Mdspan:
		return finding.Mdspan
	}
	return finding.None
}

// Describe returns the descriptor of a tensor that is not from an input.
func Describe(t layout.Tensor) descriptor.Descriptor {
	d := notation.Descriptor{Tensor: t, Plain: t.Name() == "row-major"}
	return d.State(textSource{})
}

// A textSource is the position of a tensor in an input.
type textSource struct {
	data   []byte // nil if there is no position
	lead   int    // the offset of the text in data
	at     int    // the offset of the tensor in the text
	line   int    // the number of the line, starting at 1; 0 if data is the whole text
	fields []notation.Field
}

// Place returns the position of a part or of its item, or the position of the descriptor if that is unknown.
func (s textSource) Place(part descriptor.Part, item int) finding.Place {
	if s.data == nil {
		return finding.Place{}
	}
	at := s.at
	for _, f := range s.fields {
		if f.Part == part {
			if at = f.At; 0 <= item && item < len(f.Items) {
				at = f.Items[item]
			}
		}
	}
	p := doctree.PlaceIn(s.data, s.lead+at)
	p.Line += max(s.line-1, 0)
	return p
}
