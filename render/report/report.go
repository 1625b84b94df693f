// Package report writes findings: as text for people, plain lines, JSON, JSON Lines, SARIF, JUnit, GitHub's workflow
// commands, GitLab's code quality, Markdown and CSV. A [Writer] is one report in one format.
//
// Findings are written as they come, in constant memory; GitLab's report keeps their fingerprints. Two formats have
// sums before what they sum: JSON keeps the text of all findings, JUnit that of the findings of one file. Neither
// keeps more than 16 MiB, and SARIF no more results than GitHub takes: the most severe findings stay, others are
// counted, and the report says how many are missing. The text for people has one line for findings of many files that
// differ only in their places, so it keeps up to 16 MiB, then writes them and starts again. SARIF and GitHub's
// commands have errors first; commands for which 16 MiB have no room are written as they come.
//
// Paths, names and messages come from files that are not trusted. In every format they pass through [render.Clean] or
// the escapes of JSON, only the path is written without a limit, and none can begin a line.
package report

import (
	"cmp"
	"io"
	"path/filepath"

	"layoutcalc/layout/lexer"
	"layoutcalc/render"
)

// A Format is a form of reports.
type Format string

// The formats.
const (
	Text     Format = "text"
	Plain    Format = "plain"
	JSON     Format = "json"
	JSONL    Format = "jsonl"
	SARIF    Format = "sarif"
	JUnit    Format = "junit"
	GitHub   Format = "github"
	GitLab   Format = "gitlab"
	Markdown Format = "markdown"
	CSV      Format = "csv"
)

// Formats lists the formats and the use of each.
var Formats = [...]struct {
	Format Format
	About  string
	form   func(o Options) form
	known  bool // it has findings of the baseline too
}{
	{Text, "for people, with the source", func(o Options) form {
		return &text{palette: render.NewPalette(o.Colors), width: cmp.Or(o.Width, 80)}
	}, false},
	{Plain, "path:line:col: severity: message [rule], one a line", func(Options) form { return plain{} }, false},
	{JSON, "one object, for programs", func(Options) form { return &document{} }, true},
	{JSONL, "one object per line, the summary last", func(Options) form { return jsonLines{} }, true},
	{SARIF, "SARIF 2.1.0, for code scanning", func(o Options) form {
		return &sarif{Options: o, held: keeper{most: maxResults}, repeats: repeats{}}
	}, true},
	{JUnit, "JUnit XML, a suite for each file", func(Options) form { return &junit{} }, true},
	{GitHub, "annotations of GitHub's workflows", func(Options) form { return &github{} }, false},
	{GitLab, "GitLab's code quality", func(Options) form { return &gitlab{repeats: repeats{}} }, false},
	{Markdown, "a table for issues and documents", func(Options) form { return &markdown{} }, false},
	{CSV, "a row for each, for spreadsheets", func(Options) form { return table{} }, false},
}

// ParseFormat returns the format of that name.
func ParseFormat(name string) (Format, error) {
	known := make([]string, len(Formats))
	for i, f := range Formats {
		if string(f.Format) == name {
			return f.Format, nil
		}
		known[i] = string(f.Format)
	}
	return "", lexer.Unknown("format of reports", name, known)
}

// Options choose the form of a report.
type Options struct {
	Colors  render.Colors // of Text
	Width   int           // of the terminal, in columns, of Text; 0 is 80
	Version string        // of layoutcalc; may be empty
	Home    string        // of SARIF: the URL of the project; may be empty
	Files   string        // of SARIF: the URL that paths of the project's files follow; may be empty
}

// A Writer writes a report.
type Writer struct {
	out   out
	form  form
	known bool
	own   bool // paths are those of the system, for people; otherwise they have slashes
	begun bool
}

// NewWriter returns a Writer of a report to w. It writes nothing before the first File, Add or Close.
func NewWriter(w io.Writer, format Format, o Options) *Writer {
	r := &Writer{out: newOut(w), own: format == Text || format == Plain || format == Markdown}
	for _, f := range Formats {
		if f.Format == format {
			r.form, r.known = f.form(o), f.known
		}
	}
	return r
}

func (r *Writer) begin() {
	if !r.begun {
		r.begun = true
		r.form.begin(r.out)
	}
}

// File starts the findings of a file. It must be called once for every checked file, even without findings: JUnit has a
// suite for each.
func (r *Writer) File(path string) error {
	r.begin()
	if !r.own {
		path = filepath.ToSlash(path)
	}
	r.form.file(r.out, path)
	return r.out.Failure()
}

// Add writes a finding, unless it is in the baseline and the format leaves those out. Findings of one file must follow
// each other.
func (r *Writer) Add(f *Finding) error {
	if !f.Known || r.known {
		r.begin()
		if path := filepath.ToSlash(f.Path); path != f.Path && !r.own {
			slashed := *f
			slashed.Path, f = path, &slashed
		}
		r.form.finding(r.out, f)
	}
	return r.out.Failure()
}

// Flush writes buffered bytes.
func (r *Writer) Flush() error { return r.out.Flush() }

// Close ends the report. Like File, Add and Flush it returns the first error of all writes so far.
func (r *Writer) Close(s Summary) error {
	r.begin()
	r.form.end(r.out, &s)
	return r.Flush()
}
