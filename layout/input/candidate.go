package input

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/tensorfile"
)

// A reader reads a candidate in one format.
type reader func(*candidate) error

// A candidate is an input that is not recognized yet, with the results of the tests so far. Each result is computed
// once, for the first test or reader that needs it.
type candidate struct {
	*Input               // to be filled in by the reader
	left   *bufio.Reader // the rest of the source; nil for an argument
	own    reader        // the format by the name, if a test has found another one

	core      string    // the text without the whitespace around it, set by trimmed
	documents [2]*trees // the text parsed as JSON and as YAML, once needed
	known     *bool     // whether a notation recognizes the text; nil until it is needed
	readings  int       // the number of times that the text was split into tokens
	says      Naming    // the format that the name promises
	form      int8      // the row of its format
	isKernel  bool      // the text is the source of a kernel
	isTrial   bool      // the reason of a failure does not matter
}

// newCandidate returns the candidate for a source.
func newCandidate(s Source, o Options) *candidate {
	const short = 64 << 10
	says := NamingOf(s.Name)
	if s.File != nil && s.Size <= short && !says.Is(HeaderName) { // read at once
		data := make([]byte, s.Size)
		if n, _ := s.File.ReadAt(data, 0); n == len(data) {
			s.File = bytes.NewReader(data)
		}
	}
	s.metadata = o.Metadata
	s.Foreign = s.Foreign && !says.Is(ConfigName|IndexName|pbtxtName)
	in := &Input{Origin: Origin{Name: s.Name}, options: o, source: s}
	return &candidate{Input: in, says: says, left: s.buffered()}
}

// argument returns the candidate for an argument.
func argument(text string, o Options) *candidate {
	both := new(struct { // one allocation, because a batch has very many
		candidate
		of Input
	})
	both.of.options = o
	c := &both.candidate
	c.Input, c.core = &both.of, text
	if len(text) <= lexer.MaxText {
		c.set([]byte(text))
		c.core = trimRight(text[c.lead:])
	}
	return c
}

// decode makes the rest of a source be read as UTF-8.
func (c *candidate) decode() {
	in := Decode(c.left)
	c.Wide, c.left = in != c.left, in
}

// isBare reports whether the text is read even if it is empty.
func (c *candidate) isBare() bool { return c.options.From == nil && c.says.Is(pbtxtName) }

// noText reads a source to its end, and tests whether the input is empty. The reader reports the reason.
func (c *candidate) noText() reader {
	if err := c.load(); err != nil {
		return func(*candidate) error { return err }
	}
	return nil
}

// load reads the rest of a source as text. It fails if there is nothing to recognize.
func (c *candidate) load() error {
	s, most := &c.source, MaxText
	switch {
	case c.left == nil && len(c.core) > lexer.MaxText:
		return lexer.TooLong(c.core)
	case c.left == nil:
		return nil
	case c.says.Is(IndexName):
		most = maxIndex
	}
	if s.Size/2 > int64(most) && s.File != nil && !s.Foreign && c.own == nil && !c.isBare() { // too long
		if other := tensorfile.FindSubstitute(s.File, s.Size, false); other != nil && c.options.From == nil {
			return other
		}
		return tooLong(most)
	}
	data, err := readAll(io.LimitReader(c.left, int64(most)+1), min(s.Size, int64(most)))
	c.set(data)
	switch {
	case err != nil:
		return ErrBroken
	case c.isBare():
		return nil
	case c.options.From == nil && !s.Foreign:
		other := tensorfile.FindSubstitute(bytes.NewReader(data), int64(len(data)), false)
		switch isDecoded := s.File == nil || s.Size != int64(len(data)); {
		case other != nil && isDecoded:
			other.Place = finding.Span{} // the bytes belong to another file
		case isDecoded && s.File != nil:
			other = tensorfile.FindSubstitute(s.File, s.Size, false)
		}
		if other != nil {
			return other
		}
	case s.Foreign && !hasOurKeys(data):
		return ErrForeign
	}
	if len(data) > most {
		return tooLong(most)
	}
	return c.empty()
}

// tooLong returns the error for an input of more than most bytes.
func tooLong(most int) error {
	return lexer.Refuse("", "it is longer than the limit of %d bytes; JSON Lines may be of any length", most)
}

// set makes data the text.
func (c *candidate) set(data []byte) {
	c.Data, c.lead = data, len(data)-len(blankless(data))
}

// start returns the text without the whitespace before it.
func (c *candidate) start() []byte { return c.Data[c.lead:] }

// first returns the first character after whitespace, or 0 if there is only whitespace.
func (c *candidate) first() byte {
	if c.lead == len(c.Data) {
		return 0
	}
	return c.Data[c.lead]
}

// empty returns the error for an input with nothing to recognize.
func (c *candidate) empty() error {
	at, msg, hint := c.lead, "", ""
	zero := bytes.IndexByte(c.Data[:min(len(c.Data), 512)], 0)
	switch {
	case !c.says.Is(treeName) && c.lead == len(c.Data):
		at, msg, hint = 0, "the text is empty", "such as 1x3x224x224"
	case !c.says.Is(treeName) && c.isNothing():
		msg = "the text has no tensor: it is an empty JSON value"
		hint = "such as 1x3x224x224; the shape of a scalar is ()"
	case zero >= 0 && order(c.Data) == nil:
		at, msg = zero, "a byte of 0: this is data, not text"
		hint = ".npy, .safetensors and .gguf are known by their first bytes, raw data is moved by convert --in"
	default:
		return nil
	}
	return &layout.SyntaxError{Input: string(c.Data), Offset: at, Msg: msg, Hint: hint}
}

// isNothing reports whether the input is an empty JSON value. Programs that found nothing write such a value.
func (c *candidate) isNothing() bool {
	nothings := []string{"{}", "[]", "null", `""`, "''", "[{}]", "[[]]"}
	return len(c.Data) <= 256 && slices.Contains(nothings, string(bytes.Join(bytes.Fields(c.start()), nil)))
}

// trimmed returns the text without the whitespace around it, up to the length that notations can read.
func (c *candidate) trimmed() string {
	if c.core == "" {
		text := c.start()
		c.core = trimRight(string(text[:min(len(text), lexer.MaxText+1)]))
	}
	return c.core
}

// trimRight returns text without the whitespace after it.
func trimRight(text string) string {
	end := len(text)
	for end > 0 && isBlank(text[end-1]) {
		end--
	}
	return text[:end]
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// isNotation reports whether a notation recognizes the text, even if it has errors.
func (c *candidate) isNotation() bool {
	if c.known == nil {
		c.readings++
		is := notation.Recognises(c.trimmed())
		c.known = &is
	}
	return *c.known
}

// inWhole converts an error in the trimmed text to an error in the whole text.
func (c *candidate) inWhole(err error) error {
	if e, ok := err.(*layout.SyntaxError); ok && e.Input == c.trimmed() && len(e.Input) != len(c.Data) {
		return e.In(string(c.Data), c.lead+e.Offset)
	}
	return err
}

// header tests whether the source is a file with a header. A file that starts like text and has no readable header
// counts as text, unless it was found in a directory and its name promises a header.
func (c *candidate) header() reader {
	s := &c.source
	if c.left == nil || c.options.From != nil {
		return nil
	}
	file, size := s.File, s.Size
	if file == nil {
		start, _ := c.left.Peek(16)
		file, size = bytes.NewReader(start), math.MaxInt64 // the length of the stream is unknown
	}
	format := headerFormat(s.Name, file, size)
	if format == nil {
		return nil
	}
	if err := s.spool(c.left); err != nil {
		return func(c *candidate) error {
			c.Kind, c.Data = TensorFile, nil
			return err
		}
	}
	f, err := format.readHeader(s)
	read := func(c *candidate) error {
		if c.Kind, c.Data = TensorFile, nil; err == nil {
			c.Files = []*descriptor.File{f}
		}
		return err
	}
	_, isOther := err.(*tensorfile.Substitute)
	if err == nil || isOther || s.Foreign && c.says.Is(HeaderName) || !isText(startOf(s.File, 64)) {
		return read
	}
	c.left, c.own = s.buffered(), read
	return nil
}

// hasOurKeys reports whether text has the keys that isOurs requires, even if it cannot be parsed.
func hasOurKeys(text []byte) bool {
	if order(text) != nil {
		text = bytes.ReplaceAll(text, []byte{0}, nil)
	}
	return hasConfigKeys(text) || hasKey(text, "globalDim", true) ||
		hasDirectMLKeys(text)
}
