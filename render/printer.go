package render

import (
	"fmt"
	"io"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// A Format is a form of output.
type Format string

// The formats of every command.
const (
	Table    Format = "table"
	Plain    Format = "plain"
	JSON     Format = "json"
	CSV      Format = "csv"
	Markdown Format = "markdown"
)

// Formats lists the formats and what each is for.
var Formats = [...]struct {
	Format Format
	About  string
}{
	{Table, "for people"},
	{Plain, "the bare answer, one a line"},
	{JSON, "everything, for programs"},
	{CSV, "rows, for spreadsheets"},
	{Markdown, "a table for issues and documents"},
}

// Options say how results are to look.
type Options struct {
	Format  Format
	Get     string // one field of the JSON document, bare; empty for all
	Colored bool
	Width   int // of the terminal, in columns
}

// A Printer writes results in one form.
type Printer struct {
	w       *writer
	options Options
	palette *Palette
}

// NewPrinter returns a Printer that writes to w. What it buffers is written by Flush.
func NewPrinter(w io.Writer, o Options) *Printer {
	return &Printer{newWriter(w), o, NewPalette(o.Colored && o.Format == Table && o.Get == "")}
}

// Flush writes what is buffered, and returns the first error of all writes so far.
func (p *Printer) Flush() error { return p.w.flush() }

// An answer is a result in all its forms. Each is made only when it is asked for.
type answer interface {
	plain(p *Printer)         // the bare answer
	tree() object             // all facts
	records() grid            // the same as rows
	page(p *Printer, s sheet) // what a person wants to see
}

// print writes the answer in the form that was asked for.
func (p *Printer) print(a answer) error {
	switch {
	case p.options.Get != "":
		return p.get(a.tree())
	case p.options.Format == Plain:
		a.plain(p)
	case p.options.Format == JSON:
		p.w.json(a.tree())
	case p.options.Format == CSV:
		p.w.csv(a.records())
	default:
		a.page(p, p.sheet())
	}
	return p.Flush()
}

// get writes the field that --get names.
func (p *Printer) get(tree object) error {
	path := p.options.Get
	value, ok := tree.find(path)
	if !ok {
		hint := "-o json shows all fields"
		if near := scan.Nearest(path, tree.paths()); near != "" {
			hint = "did you mean " + near + "?"
		}
		return &layout.SyntaxError{Input: path, Msg: fmt.Sprintf("the answer has no field %s", Clean(path)), Hint: hint}
	}
	p.w.bare(value)
	return p.Flush()
}

// A sheet takes what a person wants to see and gives it the form of a terminal or of Markdown.
type sheet interface {
	paragraph(lines ...string)
	table(g grid)
	pre(lines []string)   // lines whose columns matter
	verbatim(text string) // a text to copy
}

// sheet returns the sheet for the format.
func (p *Printer) sheet() sheet {
	if p.options.Format == Markdown {
		return markdownSheet{p.w}
	}
	return tableSheet{p.w, p.options.Width}
}

// A tableSheet wraps lines at the width.
type tableSheet struct {
	w     *writer
	width int
}

func (s tableSheet) paragraph(lines ...string) {
	for _, l := range lines {
		s.w.line(wrap(l, s.width))
	}
}

func (s tableSheet) table(g grid) {
	if err := drawTable(&trimmer{w: s.w}, g); err != nil {
		s.w.err = err
	}
}

func (s tableSheet) pre(lines []string) { s.paragraph(lines...) }

func (s tableSheet) verbatim(text string) { s.w.line(text) }

type markdownSheet struct{ w *writer }

func (s markdownSheet) paragraph(lines ...string) {
	for i, l := range lines {
		if i < len(lines)-1 && l != "" && lines[i+1] != "" {
			l += "  "
		}
		s.w.line(l)
	}
}

func (s markdownSheet) table(g grid) { s.w.markdown(g) }

// pre fences the lines, with more ticks than any of them has.
func (s markdownSheet) pre(lines []string) {
	fence := "```"
	for strings.Contains(strings.Join(lines, "\n"), fence) {
		fence += "`"
	}
	s.w.line(fence)
	for _, l := range lines {
		s.w.line(l)
	}
	s.w.line(fence)
}

func (s markdownSheet) verbatim(text string) { s.pre(strings.Split(text, "\n")) }
