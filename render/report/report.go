// Package report writes findings: as text for people, plain lines, JSON, JSON Lines, SARIF, JUnit, GitHub's workflow
// commands, GitLab's code quality, Markdown and CSV. A [Writer] is one report in one format.
//
// Findings are written as they are added, in constant memory, except that GitLab's report keeps their fingerprints. Two
// formats have sums before their items, so JSON keeps the text of all findings, and JUnit the text of the findings of
// one file. Neither keeps more than 16 MiB, and SARIF keeps no more results than GitHub accepts: the most severe
// findings are kept, and the report states the number of the others. The text for people has one line for findings in
// many files that only differ in their positions, so it keeps up to 16 MiB, then writes them and starts again. SARIF
// and GitHub's commands have errors first; commands beyond 16 MiB are written as they are added.
//
// Paths, names and messages come from files that are not trusted. In every format they pass through [render.Clean] or
// JSON escapes, only the path is written without a limit, and none can start a line.
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
	known  bool // it includes findings of the baseline
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

// ParseFormat returns the format with a name.
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

// Options set the form of a report.
type Options struct {
	Colors  render.Colors // for Text
	Width   int           // the width of the terminal, in columns, for Text; 0 means 80
	Version string        // of layoutcalc; may be empty
	Home    string        // for SARIF: the URL of the project; may be empty
	Files   string        // for SARIF: the URL that paths of the project's files follow; may be empty
}

// A Writer writes a report.
type Writer struct {
	out   out
	form  form
	known bool
	own   bool // paths have the form of the system, for people; otherwise they have slashes
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

// File starts the findings of a file. It must be called once for every checked file, even without findings, because
// JUnit has a suite for each.
func (r *Writer) File(path string) error {
	r.begin()
	if !r.own {
		path = filepath.ToSlash(path)
	}
	r.form.file(r.out, path)
	return r.out.Failure()
}

// Add writes a finding, unless it is in the baseline and the format omits such findings. Findings of one file must be
// consecutive.
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
