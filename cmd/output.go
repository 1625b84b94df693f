package cmd

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
)

// An output has the flags about the form of an answer.
type output struct {
	command string
	render.Options
	buffer *int64               // the bytes of a buffer for the tensor, or nil
	as     []*notation.Notation // notations to write the tensor in; nil for an answer
	matrix string               // an instruction, to show its matrix descriptor; may be empty
	at     int64                // the address of the descriptor
	all    bool                 // as has all notations: notations that cannot express the tensor are skipped
}

func (o *output) add(c *cobra.Command) {
	o.addForm(c)
	flag(c.Flags(), "as", "NOTATION,...", parseAs, func(w written) {
		o.matrix = cmp.Or(w.matrix, o.matrix)
		o.addNotations(w.as)
	})
}

// addAddress adds the flag --address, which is for matrix descriptors.
func (o *output) addAddress(c *cobra.Command) {
	parse := func(text string) (int64, error) {
		s := lexer.NewReader(text)
		n := s.Integer(lexer.IntKind{Noun: "address", Example: "0x400", Hex: true})
		if s.Blanks(); !s.Done() {
			s.Fail(s.Pos, "such as 0x400", "%q does not belong to the address", s.Rest())
		}
		return n, s.Err
	}
	flag(c.Flags(), "address", "N", parse, func(n int64) { o.at = n })
}

// A written is the value of --as: notations, or the matrix descriptor of an instruction.
type written struct {
	as     []*notation.Notation
	matrix string
}

// parseAs reads a value of --as.
func parseAs(names string) (w written, err error) {
	for _, instruction := range descriptor.MatrixInstructions {
		if strings.EqualFold(names, instruction) {
			return written{matrix: instruction}, nil
		}
	}
	w.as, err = parseNotations(names)
	return w, err
}

// addVerbose adds the flag --verbose.
func (o *output) addVerbose(c *cobra.Command) { boolFlag(c.Flags(), "verbose,v", &o.Verbose) }

// addBuffer adds the flag --buffer.
func (o *output) addBuffer(c *cobra.Command) {
	flag(c.Flags(), "buffer", "BYTES", lexer.ParseBytes, into(&o.buffer))
}

// languages are words for --as and -o that do not name a system: a descriptor in C and C++ is DirectML's.
var languages = [...]struct{ word, notation string }{{"c", "directml"}, {"cpp", "directml"}, {"c++", "directml"}}

// notationFor returns a notation to write, by its name or its language.
func notationFor(name string) (*notation.Notation, error) {
	for _, l := range languages {
		if strings.EqualFold(name, l.word) {
			name = l.notation
		}
	}
	return notation.Find(name)
}

// parseNotations returns the notations in a list of names. It returns nil for the name all.
func parseNotations(names string) (list []*notation.Notation, err error) {
	for name := range strings.SplitSeq(names, ",") {
		var n *notation.Notation
		if name = strings.TrimSpace(name); !strings.EqualFold(name, "all") {
			if n, err = notationFor(name); err != nil {
				return nil, err
			}
		}
		list = append(list, n)
	}
	return list, nil
}

// addNotations adds the notations of one --as to the notations of earlier flags.
func (o *output) addNotations(list []*notation.Notation) {
	for _, n := range list {
		if o.all = o.all || n == nil; !o.all && !slices.Contains(o.as, n) {
			o.as = append(o.as, n)
		}
	}
	if o.all {
		o.as = notation.All()
	}
}

// An outputFormat is the value of -o: a format or, as for --as, a notation.
type outputFormat struct {
	format render.Format
	as     *notation.Notation
}

// addForm adds the flags of all answers.
func (o *output) addForm(c *cobra.Command) {
	o.command, o.Format = c.Name(), render.Table
	var words []cobra.Completion
	for _, f := range render.Formats {
		words = append(words, cobra.CompletionWithDesc(string(f.Format), f.About))
	}
	parse := func(text string) (outputFormat, error) {
		var names []string
		for _, f := range render.Formats {
			if names = append(names, string(f.Format)); strings.EqualFold(string(f.Format), text) {
				return outputFormat{format: f.Format}, nil
			}
		}
		as := c.Flags().Lookup("as")
		if n, err := notationFor(text); err == nil && as != nil && strings.HasPrefix(as.Value.Type(), "NOTATION") {
			return outputFormat{o.Format, n}, nil
		}
		return outputFormat{}, lexer.Unknown("value", text, names)
	}
	set := func(f outputFormat) {
		if o.Format, o.Rows = f.format, f.format == render.Lines; o.Rows {
			o.Format = render.JSON
		}
		if f.as != nil {
			o.addNotations([]*notation.Notation{f.as})
		}
	}
	c.Flags().VarP(&parsed[outputFormat]{"FORMAT", parse, set, words}, "output", "o", "")
	textFlag(c.Flags(), "get", "FIELD", &o.Get)
}

// isForPeople reports whether the answer is a table, on a terminal or in Markdown.
func (o *output) isForPeople() bool { return o.Format == render.Table || o.Format == render.Markdown }

// isPicture reports whether the storage is drawn and not listed.
func (o *output) isPicture() bool {
	return o.Get == "" && o.as == nil && o.isForPeople()
}

// printer returns the printer of the answer. It writes the notes first, unless they are part of a JSON document.
func (a *app) printer(o *output) *render.Printer {
	if o.Format == render.JSON && o.Get == "" {
		a.written = len(a.notes)
	}
	a.Flush()
	return render.NewPrinter(a.streams.Out, a.options(o, a.streams.Out))
}

// options returns the options of an answer on w. Nothing is cut unless w is a terminal or --width is given.
func (a *app) options(o *output, w io.Writer) render.Options {
	p := o.Options
	p.Notes, p.Line = a.notes, p.Line || a.line != nil
	if o.isForPeople() {
		_, isTerminal := terminalWidth(w)
		p.Colors, p.Width, p.ASCII = a.colors(w), a.columns(w), a.ascii()
		p.Piped = a.display.width == 0 && !isTerminal
	}
	return p
}

// answer writes the answer about the tensors, or the tensors in other notations.
func (a *app) answer(out *output, say func(*render.Printer) error, tensors ...layout.Tensor) error {
	if out.buffer != nil {
		b := a.bufferFor(tensors[len(tensors)-1], *out.buffer)
		return a.inBuffer(out, b, func(plain *output) error { return a.answer(plain, say, tensors...) })
	}
	switch {
	case out.matrix != "":
		return a.answerMatrix(out, tensors)
	case out.at != 0:
		return refuse("--address is for matrix descriptors", "--as wgmma or --as tcgen05").LeaveOut("--address")
	case out.as == nil:
		return say(a.printer(out))
	}
	lists := make([][]render.Spelling, len(tensors))
	for i, t := range tensors {
		var err error
		if lists[i], err = spellings(out, t); err != nil {
			return err
		}
	}
	return a.printer(out).Print(render.Spellings{Command: out.command, Tensors: slices.Clone(tensors), Lists: lists})
}

// answerMatrix writes the matrix descriptor of a tensor.
func (a *app) answerMatrix(out *output, tensors []layout.Tensor) error {
	if out.command != "strides" {
		return refuse("matrix descriptors are written by strides", "layoutcalc strides 128x64 -t f16 --as wgmma")
	}
	t := tensors[len(tensors)-1]
	target := descriptor.MatrixTargets[slices.Index(descriptor.MatrixInstructions, out.matrix)]
	m, err := descriptor.MakeMatrix(t, target, out.at)
	if err != nil {
		return err
	}
	return a.printer(out).Print(render.MatrixText{Command: out.command, As: out.matrix, Tensor: t, Matrix: m})
}

// bufferFor checks whether a buffer holds a tensor. If the tensor has a system, the buffer needs the bytes that this
// system allocates. Otherwise, its elements must fit, and a note names the systems that need more.
func (a *app) bufferFor(t layout.Tensor, bytes int64) render.Buffer {
	b := render.Buffer{Buffer: analysis.InBuffer(t, bytes), Tensor: t}
	list := notation.Allocations(t)
	if s := t.System(); s != layout.Others {
		b.Need, b.For = list[0].Bytes, s.Title()
		return b
	}
	var more []string
	for _, need := range list {
		if b.Fits() && need.Bytes > bytes && need.System != layout.Others {
			more = append(more, need.System.Title()+" needs "+wording.Count(need.Bytes, "byte"))
		}
	}
	if more != nil {
		a.Note("the elements fit, but " + strings.Join(more, ", and "))
	}
	return b
}

// inBuffer answers about a buffer. If the buffer is too small, the answer is no.
func (a *app) inBuffer(out *output, b render.Buffer, answer func(*output) error) error {
	if !b.Fits() && !out.isPicture() && out.Format != render.JSON {
		a.Note(b.Short())
	}
	plain := *out
	plain.buffer, plain.Buffer = nil, &b
	return verdict(answer(&plain), b.Fits())
}

// spellings returns the tensor in the notations, with the sizes that their systems allocate. If all notations are
// requested, it skips the ones that cannot express the tensor. Sizes beyond 64 bits are an error for the command size
// only.
func spellings(out *output, t layout.Tensor) (list []render.Spelling, err error) {
	for _, n := range out.as {
		var loss *notation.LossError
		var overflow *layout.OverflowError
		s := render.Spelling{Notation: n.Name}
		if s.Text, err = n.Write(t); err == nil {
			s.Sizes, err = n.Figures(t)
		}
		switch {
		case err == nil, errors.As(err, &overflow) && s.Text != "" && out.command != "size":
			list = append(list, s)
		case !out.all || !errors.As(err, &loss):
			return nil, err
		}
	}
	if len(list) == 0 {
		return nil, refuse("no notation can express this tensor", "")
	}
	return list, nil
}
