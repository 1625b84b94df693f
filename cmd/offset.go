package cmd

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/layout"
	"layoutcalc/layout/input"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/spec"
	"layoutcalc/render"
)

// An offsetFlags says which elements or offsets the command offset is about.
type offsetFlags struct {
	at     string
	span   *offsetRange
	values string
	all    bool
}

func (a *app) newOffset() *cobra.Command {
	var tensor tensorFlags
	var out output
	var flags offsetFlags
	c := &cobra.Command{
		Use:   "offset TENSOR [INDEX...]",
		Short: "Show where an element lives, what lives where, or all of it",
		Example: `layoutcalc offset 2x2x3 DHW 1,0,1
layoutcalc offset 2x3 --pitch H=5
layoutcalc offset 2x3 --pitch H=5 --at 4
layoutcalc offset 1000x1000 --all -o csv
seq 0 99 | layoutcalc offset 10x10 --at -`,
		Args: a.needTensor,
		RunE: func(_ *cobra.Command, args []string) error {
			t, indices, err := tensor.tensor(args, 0, input.IsLayout)
			if err == nil {
				err = flags.check(indices, &out)
			}
			if err != nil {
				return err
			}
			return a.answer(&out, t, func(p *render.Printer, t layout.Tensor) error {
				return a.offset(p, t, indices, &flags, &out)
			})
		},
	}
	tensor.add(a, c)
	out.add(a, c)
	flags.add(a, c)
	return c
}

func (f *offsetFlags) add(a *app, c *cobra.Command) {
	c.Flags().Var(
		text("N", &f.at), "at",
		"what lives at offset N, at several (3,4), or at those on standard input (-) or in a file (@FILE)",
	)
	c.Flags().Var(
		&parsed[offsetRange]{"A:B", parseRange, into(&f.span)}, "range",
		"offsets A to B of the storage, B not included",
	)
	c.Flags().Var(
		text("LIST", &f.values), "values", "values to show in the elements, or the word index; default letters",
	)
	c.Flags().BoolVar(&f.all, "all", false, "show all offsets however many there are")
	a.completeFlags(c, cobra.NoFileCompletions, "at", "range")
	a.completeFlags(c, fixed(cobra.CompletionWithDesc("index", "the index of each element")), "values")
}

// check refuses flags that cannot all hold.
func (f *offsetFlags) check(indices []string, out *output) error {
	switch {
	case out.as != "" && (f.at != "" || f.span != nil || f.all || len(indices) > 0):
		return &usageError{
			"--as writes the tensor, not offsets",
			"leave out the index, --at, --range and --all, or --as",
		}
	case f.at != "" && len(indices) > 0:
		return &usageError{"--at asks for an offset, " + render.Quote(indices[0]) + " for an index", "give one of them"}
	case f.span != nil && (f.at != "" || len(indices) > 0):
		return &usageError{"--range shows a part of the whole storage", "leave out the index and --at, or --range"}
	case f.all && (f.at != "" || len(indices) > 0):
		return &usageError{"--all shows the whole storage", "leave out the index and --at, or --all"}
	case len(indices) > 1 && slices.ContainsFunc(indices, isSource):
		return &usageError{
			"- and @FILE are lists of indices, and cannot be used with others",
			"layoutcalc offset 2x3 - < indices",
		}
	case f.values != "" && (f.at != "" || len(indices) > 0 || !out.isPicture()):
		return &usageError{
			"--values are shown in pictures of the storage only",
			"leave out the index, --at, --get and -o",
		}
	}
	return nil
}

// offset answers what the arguments and flags ask for.
func (a *app) offset(p *render.Printer, t layout.Tensor, indices []string, f *offsetFlags, out *output) error {
	switch {
	case f.at != "":
		return a.lookUp(p, t, f.at)
	case len(indices) > 0:
		return a.locate(p, t, indices)
	}
	window, err := f.window(t)
	switch {
	case err != nil:
		return err
	case out.isPicture():
		return p.Picture(t, window)
	case f.span != nil:
		_, err = p.At(t, count(window.From, window.To))
		return err
	}
	return p.Elements(t)
}

// locate answers with the offset of each index, of the arguments or of standard input.
func (a *app) locate(p *render.Printer, t layout.Tensor, args []string) error {
	parse := func(text string) ([]int64, error) {
		index, err := spec.ParseIndex(text)
		if err != nil {
			return nil, err
		}
		return spec.Index(t.Layout(), index)
	}
	if isSource(args[0]) {
		return p.Offsets(t, parseLines(a.lines(p, args[0]), parse))
	}
	indices := make([][]int64, len(args))
	for i, arg := range args {
		var err error
		if indices[i], err = parse(arg); err != nil {
			return err
		}
	}
	return p.Offsets(t, known(indices))
}

// lookUp answers what lives at the offsets, of the flag or of standard input.
func (a *app) lookUp(p *render.Printer, t layout.Tensor, at string) error {
	offsets := parseLines(a.lines(p, at), scan.ParseOffset)
	if !isSource(at) {
		list, err := spec.ParseOffsets(at)
		if err != nil {
			return err
		}
		offsets = known(list.Values())
	}
	all, err := p.At(t, offsets)
	if err == nil && !all {
		return errNo
	}
	return err
}

// window returns which part of the storage to show.
func (f *offsetFlags) window(t layout.Tensor) (render.Window, error) {
	v, err := valuesWindow(f.values, t)
	v.From, _ = t.Layout().Bounds()
	v.To, v.Whole, v.All = t.End(), f.span == nil, f.all
	if f.span != nil {
		v.From, v.To = f.span.clamp(v.From, v.To)
	}
	return v, err
}

// An offsetRange is A:B as the user wrote it. A bound that is left out is nil.
type offsetRange struct {
	from, to *int64
}

func parseRange(text string) (offsetRange, error) {
	from, to, ok := strings.Cut(text, ":")
	if !ok {
		return offsetRange{}, &layout.SyntaxError{
			Input: text, Offset: len(text), Msg: "a range is two offsets with a colon between them",
			Hint: "such as 0:16",
		}
	}
	var r offsetRange
	for _, bound := range []struct {
		text string
		to   **int64
	}{{from, &r.from}, {to, &r.to}} {
		if strings.TrimSpace(bound.text) == "" {
			continue
		}
		n, err := scan.ParseOffset(bound.text)
		if err != nil {
			return offsetRange{}, err
		}
		*bound.to = &n
	}
	if r.from != nil && r.to != nil && *r.to < *r.from {
		return offsetRange{}, &layout.SyntaxError{
			Input: text, Msg: "the range ends before it starts", Hint: "such as 0:16",
		}
	}
	return r, nil
}

// clamp puts bounds in place of those left out.
func (r *offsetRange) clamp(low, high int64) (from, to int64) {
	from, to = low, high
	if r.from != nil {
		from = *r.from
	}
	if r.to != nil {
		to = *r.to
	}
	return from, max(from, to)
}

// count yields the numbers of a range.
func count(from, to int64) iter.Seq2[int64, error] {
	return func(yield func(int64, error) bool) {
		for n := from; n < to && yield(n, nil); n++ {
		}
	}
}

// A line is a line of a source, without the blanks around it.
type line struct {
	number int
	text   string
}

// lines yields the lines of a source, - or @FILE, that are not blank. Before it waits for more it lets
// the printer write what there is, so that a conversation through pipes is possible.
func (a *app) lines(p *render.Printer, source string) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		s, end, err := a.openSource(strings.TrimPrefix(source, "@"))
		if err != nil {
			yield(line{}, err)
			return
		}
		defer end()
		in := bufio.NewReaderSize(s.Reader(), scan.MaxText)
		for number := 1; ; number++ {
			if !hasLine(in) && p.Flush() != nil {
				return
			}
			bytes, err := in.ReadSlice('\n')
			text := strings.TrimSpace(string(bytes))
			if text != "" && err != bufio.ErrBufferFull && !yield(line{number, text}, nil) {
				return
			}
			if err != nil {
				if err = readError(err, source); err != nil {
					yield(line{}, &lineError{number, err})
				}
				return
			}
		}
	}
}

// hasLine reports whether a line can be read without waiting.
func hasLine(in *bufio.Reader) bool {
	buffered, _ := in.Peek(in.Buffered())
	return bytes.IndexByte(buffered, '\n') >= 0
}

// readError words why a source ended.
func readError(err error, source string) error {
	switch err {
	case io.EOF:
		return nil
	case bufio.ErrBufferFull:
		return &usageError{fmt.Sprintf("longer than %d bytes", scan.MaxText), ""}
	}
	if source == "-" {
		source = "standard input"
	}
	return &usageError{render.Quote(source) + " cannot be read", ""}
}

// A lineError is an error in a line of a source.
type lineError struct {
	line int
	err  error
}

// Error names the line.
func (e *lineError) Error() string { return fmt.Sprintf("line %d: %v", e.line, e.err) }

// Unwrap returns what is wrong with it.
func (e *lineError) Unwrap() error { return e.err }

// parseLines yields what the lines say.
func parseLines[T any](lines iter.Seq2[line, error], parse func(string) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for l, err := range lines {
			var v T
			if err == nil {
				v, err = parse(l.text)
				if err != nil {
					err = &lineError{l.number, err}
				}
			}
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

// known yields values that are read already.
func known[T any](values []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, v := range values {
			if !yield(v, nil) {
				return
			}
		}
	}
}
