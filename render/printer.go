// Package render turns results into text: tables for people, plain answers, JSON, CSV and Markdown for programs. It
// does not compute anything, and no other package uses tablewriter and colours.
//
// Its rules:
//
//   - The answer comes first and units are named. There is no decoration.
//   - Tables have no frame. On a terminal, words are cut or wrapped at the width, but numbers are not, and the least
//     important columns are omitted first. In a pipe, nothing is cut and no sentence is wrapped. Numbers are aligned
//     right, with commas between thousands.
//   - A colour marks an axis, or fades less important parts. The text is complete without colours.
//   - A table has a part of the facts in JSON, and JSON has one order of keys.
//   - Text from users passes through [Clean].
//   - Answers that may be large are written piece by piece, in constant memory.
//   - A failed write is an error, a [WriteError].
package render

import (
	"bufio"
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// A Format is an output format.
type Format string

// The formats of every command.
const (
	Table    Format = "table"
	Plain    Format = "plain"
	JSON     Format = "json"
	Lines    Format = "jsonl"
	CSV      Format = "csv"
	Markdown Format = "markdown"
)

// Formats lists the formats and the use of each.
var Formats = [...]struct {
	Format Format
	About  string
}{
	{Table, "for people"},
	{Plain, "the bare answer, one per line"},
	{JSON, "everything, for programs"},
	{Lines, "the same, an object on each line: a row of a list, or the answer"},
	{CSV, "rows, for spreadsheets"},
	{Markdown, "a table for issues and documents"},
}

// Options set the form of answers.
type Options struct {
	Format Format
	Get    string // fields of the JSON document to write without JSON, with commas between them; empty for the document
	Colors Colors
	Width  int      // the width of the terminal, in columns
	ASCII  bool     // no characters outside of ASCII in tables
	Piped  bool     // not a terminal: no cell is cut, no column omitted and no sentence wrapped
	Buffer *Buffer  // a buffer for the tensor, or nil
	Notes  []string // about the answer; a field in JSON
	Line   bool     // a JSON document is one line, and so are the fields in Get, separated by tabs
	Rows   bool     // a JSON document is one line, and so is each row of its list, which come before it

	Verbose bool // tables have all rows, and sentences all names

	Before func() error // called once before the first write; its error ends the answer; may be nil
}

// A Printer writes answers in one form.
type Printer struct {
	w       Writer
	options Options
	palette *Palette
	first   *preceded // below w; nil without Options.Before
}

// NewPrinter returns a Printer that writes to w, buffered until Flush.
func NewPrinter(w io.Writer, o Options) *Printer {
	if o.Format != Table || o.Get != "" {
		o.Colors = NoColors
	}
	o.ASCII = o.ASCII && o.Get == "" && (o.Format == Table || o.Format == Markdown)
	var first *preceded
	if o.Before != nil {
		first = &preceded{w, o.Before}
		w = first
	}
	if o.ASCII {
		w = ASCII(w)
	}
	return &Printer{*NewWriter(w), o, NewPalette(o.Colors), first}
}

// A preceded stream calls a function before the first write.
type preceded struct {
	io.Writer
	before func() error
}

func (w *preceded) Write(text []byte) (int, error) {
	if before := w.before; before != nil {
		w.before = nil
		if err := before(); err != nil {
			return 0, err
		}
	}
	n, err := w.Writer.Write(text)
	if buffer, ok := w.Writer.(*bufio.Writer); ok && err == nil { // below the buffer of the Printer
		err = buffer.Flush()
	}
	return n, err
}

// clean is like Clean, followed by toASCII if the options request it.
func (p *Printer) clean(text string) string {
	if text = Clean(text); p.options.ASCII {
		return toASCII(text)
	}
	return text
}

// ellipsis returns the mark at a cut.
func (p *Printer) ellipsis() string {
	if p.options.ASCII {
		return "..."
	}
	return "…"
}

// Flush writes the buffered output, and returns the first error of all writes so far.
func (p *Printer) Flush() error {
	if p.first != nil && p.w.err == nil {
		_, p.w.err = p.first.Write(nil) // an answer may be empty
	}
	return p.w.Flush()
}

// An Answer is a result in all its forms, each made on demand.
type Answer interface {
	plain(p *Printer)        // the bare answer
	tree() Object            // all facts
	records(p *Printer) grid // the same as rows
	page(p *Printer)         // the answer for people, on a terminal or in Markdown
}

// Print writes the answer in the form of the options.
func (p *Printer) Print(a Answer) error {
	switch {
	case p.options.Get != "" || p.options.Format == JSON:
		return p.writeTree(a.tree())
	case p.options.Format == Plain:
		a.plain(p)
	case p.options.Format == CSV:
		p.w.csv(a.records(p))
	default:
		p.paragraph(p.bufferLine()...)
		a.page(p)
	}
	return p.Flush()
}

// writeTree writes all facts, or the fields in --get.
func (p *Printer) writeTree(tree Object) error {
	if p.options.Buffer != nil {
		tree = append(tree, Field{"buffer", p.options.Buffer.tree()})
	}
	tree = append(tree, Field{"notes", p.options.Notes})
	switch {
	case p.options.Get != "":
	case p.options.Rows:
		tree = p.rows(tree)
		fallthrough
	case p.options.Line:
		p.w.Object(tree.raised())
		p.w.Line()
		return p.Flush()
	default:
		p.w.JSON(tree.raised())
		return p.Flush()
	}
	var values []any
	for path := range strings.SplitSeq(p.options.Get, ",") {
		path = strings.TrimSpace(path)
		value, ok := tree.find(path)
		if !ok {
			err := &layout.SyntaxError{Input: path, Msg: "the answer has no field " + Clean(path),
				Hint: "-o json shows all fields"}
			known := tree.paths()
			near := cmp.Or(tree.inFirst(path), wording.Likely(path, known))
			if other := otherFields[strings.ToLower(path)]; slices.Contains(known, other) {
				near = other
			}
			if whole, _, _ := strings.Cut(path, "."); near == "" && slices.Contains(known, whole) {
				near = whole
			}
			return &FieldError{err.DidYouMean(path, near), known}
		}
		values = append(values, value)
	}
	separator := "\n"
	if p.options.Line {
		separator = "\t"
	}
	for i, value := range values {
		if i > 0 {
			p.w.Text(separator)
		}
		p.w.bare(value)
	}
	p.w.Line()
	return p.Flush()
}

// rows writes each row of the list in a document, and returns the document without it.
func (p *Printer) rows(tree Object) Object {
	for i, field := range tree {
		if field[0] != "list" {
			continue
		}
		for row := range items(field[1]) {
			p.w.Object(row.(Object))
			p.w.Line()
		}
		return slices.Delete(tree, i, i+1)
	}
	return tree
}

// otherFields maps words of other programs to fields.
var otherFields = map[string]string{
	"shape": "sizes", "dims": "sizes", "dim": "sizes", "size": "sizes", "stride": "strides", "nbytes": "bytes",
	"numel": "elements", "nelement": "elements", "dtype": "tensor.dtype", "type": "tensor.dtype",
}

// A FieldError is the error for an unknown field in --get. It has the fields of the answer.
type FieldError struct {
	error
	Fields []string
}

func (e *FieldError) Unwrap() error { return e.error }

// wrap breaks a line at the width of a terminal.
func (p *Printer) wrap(line string) string {
	if p.options.Piped {
		return line
	}
	return wrap(line, p.options.Width)
}

// paragraph writes lines, wrapped at the width on a terminal.
func (p *Printer) paragraph(lines ...string) {
	for i, l := range lines {
		if p.options.Format != Markdown {
			l = p.wrap(l)
		} else if i < len(lines)-1 && l != "" && lines[i+1] != "" {
			l += "  "
		}
		p.w.Line(l)
	}
}

// pre writes lines with aligned columns. In Markdown, they are in a fence, which has more backticks than any line.
func (p *Printer) pre(lines []string) {
	if p.options.Format != Markdown {
		p.paragraph(lines...)
		return
	}
	fence := ticks(strings.Join(lines, "\n"), 3)
	p.w.Line(fence)
	for _, l := range lines {
		p.w.Line(l)
	}
	p.w.Line(fence)
}

// verbatim writes text to copy.
func (p *Printer) verbatim(text string) {
	if p.options.Format == Markdown {
		p.pre(strings.Split(text, "\n"))
		return
	}
	p.w.Line(text)
}

// A WriteError is the error of a failed write.
type WriteError struct {
	Name string // the file's name, as returned by [Quote]; empty for standard output
	Err  error
}

// WriteFailed returns the WriteError for a failed write to the file with a name, unless err has another name. It
// returns a SyntaxError, which rejects a write, and nil, unchanged.
func WriteFailed(name string, err error) error {
	if err == nil {
		return nil
	}
	switch e := err.(type) {
	case *lexer.SyntaxError:
		return e
	case *WriteError:
		return &WriteError{cmp.Or(e.Name, name), e.Err}
	}
	return &WriteError{name, err}
}

// Error names the output and gives the reason. If it is an error of the system, the reason is in the system's words.
func (e *WriteError) Error() string {
	return "cannot write " + cmp.Or(e.Name, "the output") + wording.Errno(e.Err)
}

// Unwrap returns the underlying error.
func (e *WriteError) Unwrap() error { return e.Err }

// A Writer buffers text and keeps the first error, so that callers need not check every write.
type Writer struct {
	*bufio.Writer
	err error // the error of a part that was not written
}

// NewWriter returns a Writer that writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{Writer: bufio.NewWriterSize(w, 4<<10)} }

// Text writes strings.
//
//go:noinline
func (w *Writer) Text(texts ...string) {
	for _, t := range texts {
		w.WriteString(t)
	}
}

// Line writes strings and ends the line.
func (w *Writer) Line(texts ...string) {
	w.Text(texts...)
	w.WriteByte('\n')
}

// blanks writes n spaces.
func (w *Writer) blanks(n int) {
	const row = "                                                                "
	for ; n > len(row); n -= len(row) {
		w.WriteString(row)
	}
	w.WriteString(row[:max(n, 0)])
}

// Number writes a number.
func (w *Writer) Number(n int64) { w.Write(strconv.AppendInt(w.AvailableBuffer(), n, 10)) }

// Failure returns the first error of all writes so far, which can end long loops.
func (w *Writer) Failure() error {
	err := w.err
	if err == nil {
		_, err = w.Write(nil)
	}
	return WriteFailed("", err)
}

// Flush writes the buffered output and returns the first error of all writes.
func (w *Writer) Flush() error {
	if w.err == nil {
		w.Writer.Flush()
	}
	return w.Failure()
}
