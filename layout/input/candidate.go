package input

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"slices"
	"unicode"

	"layoutcalc/layout"
	"layoutcalc/layout/desc"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/tensorfile"
)

// A candidate is a source or an argument before it is recognised, with what was read of it so far. Each reading is
// made once, for the first test or reader that needs it.
type candidate struct {
	Origin
	says    Naming // of the name
	source  Source
	options Options
	left    *bufio.Reader // what is not read of the source; nil for an argument
	whole   []byte        // what is read of it as a text, which may be too long

	// own reads the form that the name of the file says, where a test found that the text has another one.
	own func(*candidate) (*Input, error)

	header    *header         // how the header is read; nil for a text
	file      *desc.File      // what the header states
	broken    error           // why it cannot be read
	refused   error           // why there is no text to recognise
	text      once[string]    // without the blanks around it, as far as a notation may read it
	shape     once[*Shaped]   // nil for other texts
	sized     Shaped          // what shape points to
	isKnown   once[bool]      // whether a notation recognises the text
	documents [2]once[*trees] // as JSON and as YAML
	readings  int             // how often the text was split into tokens
	isTrial   bool            // only whether it is read matters, and not why it is not
}

// A once is a value that is computed when it is first needed.
type once[T any] struct {
	value T
	done  bool
}

// get returns the value, which a function computes.
func (o *once[T]) get(compute func() T) T {
	if !o.done {
		o.value, o.done = compute(), true
	}
	return o.value
}

// newCandidate returns the candidate that a source is.
func newCandidate(s Source, o Options) *candidate {
	says := NamingOf(s.Name)
	s.load(says)
	s.Foreign = s.Foreign && !says.Is(ConfigName|IndexName|pbtxtName)
	return &candidate{Origin: Origin{Name: s.Name}, says: says, source: s, options: o, left: s.buffered()}
}

// argument returns the candidate that the text of an argument is.
func argument(text string, o Options) *candidate {
	c := &candidate{options: o}
	if len(text) > scan.MaxText {
		c.refused = scan.TooLong(text)
		return c
	}
	c.set([]byte(text))
	return c
}

// input returns an input of a kind, with the text of the candidate.
func (c *candidate) input(kind Kind) *Input {
	return &Input{Kind: kind, Origin: c.Origin, options: c.options, source: c.source}
}

// open decodes what is left of a source, unless its name says that it is in one encoding.
func (c *candidate) open() {
	size := int64(MaxText) // of a stream
	if c.source.File != nil {
		size = min(size, c.source.Size)
	}
	c.source.Turn.Take(8 * size) // with the tree
	if !c.says.Is(treeName) && !c.isBare() {
		c.left = Decode(c.left)
	}
}

// isBare reports whether the text is read as it is, in no other encoding, even where there is nothing.
func (c *candidate) isBare() bool { return c.options.From == nil && c.says.Is(pbtxtName) }

// isRefused reads the rest of a source, and reports whether there is no text in it to recognise.
func (c *candidate) isRefused() bool {
	if c.left != nil {
		c.refused = c.load()
	}
	return c.refused != nil
}

func (c *candidate) refusal() (*Input, error) { return c.input(Shape), c.refused }

// load reads what is left of a source as a text. The error says why there is none that can be recognised.
func (c *candidate) load() error {
	s, most := &c.source, MaxText
	if c.says.Is(IndexName) {
		most = maxIndex
	}
	if s.Size/2 > int64(most) && s.File != nil && !s.Foreign && c.own == nil && !c.isBare() { // in any encoding
		if other := tensorfile.FindSubstitute(s.File, s.Size, false); other != nil && c.options.From == nil {
			return other
		}
		return tooLong(most)
	}
	data, err := readAll(io.LimitReader(c.left, int64(most)+1), min(s.Size, int64(most)))
	c.whole = data
	switch {
	case err != nil:
		return ErrBroken
	case c.isBare():
		c.set(data)
		return nil
	case c.options.From == nil && !s.Foreign:
		if other := tensorfile.FindSubstitute(bytes.NewReader(data), int64(len(data)), false); other != nil {
			if s.File == nil || s.Size != int64(len(data)) {
				other.Place = finding.Span{} // the bytes are not those of the file
			}
			return other
		}
	case s.Foreign && !hasOurKeys(data):
		return ErrForeign
	}
	if len(data) > most {
		return tooLong(most)
	}
	c.set(data)
	return c.empty()
}

// readAll is io.ReadAll of what probably has that many bytes, so that the memory grows once.
func readAll(r io.Reader, size int64) ([]byte, error) {
	var all bytes.Buffer
	all.Grow(int(max(size, 0)) + bytes.MinRead)
	_, err := all.ReadFrom(r)
	return all.Bytes(), err
}

// tooLong is the error of a text that is longer than that.
func tooLong(most int) error {
	return scan.Refuse("", "it is longer than the limit of %d bytes; JSON Lines may be of any length", most)
}

// set makes data the text.
func (c *candidate) set(data []byte) {
	c.Data, c.lead = data, len(data)-len(blankless(data))
}

// start returns the text from its first character on.
func (c *candidate) start() []byte { return c.Data[c.lead:] }

// first returns the first character, 0 if there is none.
func (c *candidate) first() byte {
	if c.lead == len(c.Data) {
		return 0
	}
	return c.Data[c.lead]
}

// empty is the error of a text in which there is nothing to recognise.
func (c *candidate) empty() error {
	wrong := &layout.SyntaxError{Input: string(c.Data), Offset: c.lead}
	zero := bytes.IndexByte(c.Data[:min(len(c.Data), 512)], 0)
	switch {
	case !c.says.Is(treeName) && c.lead == len(c.Data):
		wrong.Offset, wrong.Msg, wrong.Hint = 0, "the text is empty", "such as 1x3x224x224"
	case !c.says.Is(treeName) && c.isNothing():
		wrong.Msg = "the text has no tensor: it is an empty value of JSON"
		wrong.Hint = "such as 1x3x224x224; the shape of a scalar is ()"
	case zero >= 0 && order(c.Data) == nil:
		wrong.Offset, wrong.Msg = zero, "a byte of 0: this is data, not a text"
		wrong.Hint = ".npy, .safetensors and .gguf are known by their first bytes, raw data is moved by convert --in"
	default:
		return nil
	}
	return wrong
}

// isNothing reports whether a text is an empty value of JSON, as programs write what they have not found.
func (c *candidate) isNothing() bool {
	if len(c.Data) > 256 {
		return false
	}
	value := bytes.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, c.start())
	return slices.Contains([]string{"{}", "[]", "null", `""`, "''", "[{}]", "[[]]"}, string(value))
}

// trimmed returns the text without the blanks around it, as far as a notation may read it.
func (c *candidate) trimmed() string {
	return c.text.get(func() string {
		text := c.start()
		return string(bytes.TrimRight(text[:min(len(text), scan.MaxText+1)], " \t\r\n"))
	})
}

// isNotation reports whether a notation recognises the text, right or wrong.
func (c *candidate) isNotation() bool {
	return c.isKnown.get(func() bool {
		c.readings++
		return notation.Recognises(c.trimmed())
	})
}

// inWhole returns an error about the text without the blanks around it as one about all of the text.
func (c *candidate) inWhole(err error) error {
	if e, ok := err.(*layout.SyntaxError); ok && e.Input == c.trimmed() && len(e.Input) != len(c.Data) {
		return e.In(string(c.Data), c.lead+e.Offset)
	}
	return err
}

// isHeader reports whether only the header of the source is read. A file that starts like a text, and whose header
// cannot be read, is a text.
func (c *candidate) isHeader() bool {
	s := &c.source
	if c.left == nil || c.options.From != nil {
		return false
	}
	if s.File != nil {
		c.header = headerOf(s.Name, s.File, s.Size)
	} else {
		start, _ := c.left.Peek(16)
		c.header = headerOf(s.Name, bytes.NewReader(start), math.MaxInt64) // how long the stream is, is not known
	}
	if c.header == nil {
		return false
	}
	if c.broken = s.spool(c.left); c.broken == nil {
		c.file, c.broken = c.header.read(s)
	}
	_, isOther := c.broken.(*tensorfile.Substitute)
	if c.broken == nil || c.broken == ErrBroken || isOther || !s.startsText() {
		return true
	}
	c.left, c.own = s.buffered(), (*candidate).readHeader
	return false
}

// readHeader returns the header of the source.
func (c *candidate) readHeader() (*Input, error) {
	in := c.input(TensorFile)
	if in.Data = nil; c.broken == nil {
		in.Files = []*desc.File{c.file}
	}
	return in, c.broken
}

// hasOurKeys reports whether a text has the keys that isOurs wants, whether or not it can be read.
func hasOurKeys(text []byte) bool {
	if order(text) != nil {
		text = bytes.ReplaceAll(text, []byte{0}, nil)
	}
	return hasConfigKeys(text) || hasKey(text, "DataType", false) && hasKey(text, "Sizes", true)
}
