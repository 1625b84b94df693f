package cmd

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/scan"
	"layoutcalc/render"
)

// An output is what the flags of a command say of the form of its answer.
type output struct {
	command string
	format  render.Format
	get     string
	buffer  *int64               // how many bytes the tensor is to be in
	as      []*notation.Notation // to write the tensor in; nil for an answer
	fit     *render.Buffer       // whether it is
	all     bool                 // of them, as far as each can express the tensor
	picture func() error         // writes it, before the answer; nil for none
}

func (o *output) add(c *cobra.Command) {
	o.addForm(c)
	flag(c.Flags(), "as", "NOTATION,...", parseNotations, o.addNotations,
		"the tensor in other notations, or in all; explain lists them")
}

// bufferUsage is the help of the flag --buffer of commands of one tensor.
const bufferUsage = "does a buffer of BYTES, such as 4096 or 1MiB, hold the tensor? Exit code 1 if not"

// addBuffer adds the flag that says how large the buffer of the tensor is, unless it has no usage.
func (o *output) addBuffer(c *cobra.Command, usage string) {
	if usage == "" {
		return
	}
	flag(c.Flags(), "buffer", "BYTES", scan.ParseBytes, into(&o.buffer), usage)
}

// parseNotations returns the notations of the names, nil for the name all.
func parseNotations(names string) (list []*notation.Notation, err error) {
	for name := range strings.SplitSeq(names, ",") {
		var n *notation.Notation
		if name = strings.TrimSpace(name); !strings.EqualFold(name, "all") {
			if n, err = notation.Find(name); err != nil {
				return nil, err
			}
		}
		list = append(list, n)
	}
	return list, nil
}

// addNotations takes the notations of a flag, besides those of flags before it.
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

// addForm adds the flags of answers that are not about a tensor.
func (o *output) addForm(c *cobra.Command) {
	o.command, o.format = c.Name(), render.Table
	var formats []cobra.Completion
	for _, f := range render.Formats {
		formats = append(formats, cobra.CompletionWithDesc(string(f.Format), f.About))
	}
	set := func(i int) { o.format = render.Formats[i].Format }
	wordFlag(c.Flags(), "output,o", "FORMAT", formats, set, "table, plain, json, csv, markdown")
	textFlag(c.Flags(), "get", "FIELD", &o.get, "fields of the JSON answer, bare: strides,bytes or strides[0]")
}

// isPicture reports whether the storage is drawn rather than listed.
func (o *output) isPicture() bool {
	return o.get == "" && o.as == nil && (o.format == render.Table || o.format == render.Markdown)
}

// printer returns the printer of the answer. The notes are part of a JSON document, and are said before other answers.
func (a *app) printer(o *output) *render.Printer {
	if o.format == render.JSON && o.get == "" {
		a.said = len(a.notes)
	}
	a.Flush()
	return render.NewPrinter(a.streams.Out, a.options(o, a.streams.Out))
}

// options returns the form of an answer that is written to w. Nothing is cut where w is no terminal, unless the user
// said how wide it is.
func (a *app) options(o *output, w io.Writer) render.Options {
	p := render.Options{
		Format: o.format, Get: o.get, Notes: a.notes, Buffer: o.fit, Line: a.line != nil,
		Before: o.picture,
	}
	if o.format == render.Table || o.format == render.Markdown { // for people
		_, isTerminal := terminalWidth(w)
		p.Colors, p.Width, p.ASCII = a.colors(w), a.columns(w), a.ascii()
		p.Piped = a.look.width == 0 && !isTerminal
	}
	return p
}

// answer writes what the command has to say of the tensors, or the tensors in other notations.
func (a *app) answer(out *output, say func(*render.Printer) error, tensors ...layout.Tensor) error {
	if out.buffer != nil {
		return a.inBuffer(out, say, tensors)
	}
	if out.as == nil {
		return say(a.printer(out))
	}
	lists := make([][]render.Spelling, len(tensors))
	for i, t := range tensors {
		var err error
		if lists[i], err = spellings(out, t); err != nil {
			return err
		}
	}
	return a.printer(out).Spellings(out.command, tensors, lists)
}

// inBuffer is answer for a buffer that the last of the tensors is to be in; where it is not, the answer is no.
func (a *app) inBuffer(out *output, say func(*render.Printer) error, tensors []layout.Tensor) error {
	t := tensors[len(tensors)-1]
	b := render.Buffer{Buffer: facts.InBuffer(t, *out.buffer), Tensor: t}
	if b.First != nil && !out.isPicture() && out.format != render.JSON {
		needs, has := fmt.Sprintf("%d bytes", b.Need), strconv.FormatInt(b.Bytes, 10)
		if b.Low < 0 {
			needs, has = fmt.Sprintf("%s from offset %d on", needs, b.Low), has+" from offset 0 on"
		}
		a.Note(fmt.Sprintf("the tensor needs %s, and the buffer has %s: the element [%s] at offset %d is outside",
			needs, has, layout.JoinInts(b.First, ", "), b.At))
	}
	answered := *out
	answered.buffer, answered.fit = nil, &b
	if err := a.answer(&answered, say, tensors...); err != nil || b.First == nil {
		return err
	}
	return errNo
}

// spellings returns the texts of the tensor in the notations, of all in those that can express it, with the sizes of
// their systems. Where the answer is not about sizes, one that 64 bits do not hold is left out.
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
