package report

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
)

// A text is the report for people. Lines of findings are not wrapped, so that they can be searched and clicked.
// Findings that only differ in their positions have one cause. If a cause is in more than mostFiles files, it is
// printed as one line. Therefore, findings are kept until the end, as long as there is room.
type text struct {
	silent
	palette *render.Palette
	width   int
	held    []heldFinding // in the order of arrival
	size    int           // the bytes of held
	causes  map[cause]*causeFiles
	buffer  bytes.Buffer
	out     out // to the buffer
}

// mostFiles is the largest number of files for listing the findings of a cause separately.
const mostFiles = 3

// A heldFinding is the text of a finding. It is empty if the cause is in too many files.
type heldFinding struct {
	text  []byte
	files *causeFiles
}

// A cause is the common part of several findings.
type cause struct {
	rule         *finding.Rule
	severity     finding.Severity
	message, fix string
}

// causeFiles has the files of a cause.
type causeFiles struct {
	cause
	count  int
	last   string   // the path of the last file
	places []string // the position of the first finding in each of the first files
}

func (t *text) finding(o out, f *Finding) {
	if t.size >= maxHeld {
		t.release(o)
	}
	c := cause{f.Rule, f.Severity, messageOf(f), fixOf(f)}
	files := t.causes[c]
	if files == nil {
		files = &causeFiles{cause: c}
		if t.causes == nil {
			t.causes = map[cause]*causeFiles{}
		}
		t.causes[c] = files
	}
	if files.count == 0 || files.last != f.Path {
		files.count++
		files.last = f.Path
		if files.count <= mostFiles {
			files.places = append(files.places, cut(strings.TrimSuffix(shownPlace(f), ":"), maxName))
		}
	}
	held := heldFinding{files: files}
	if files.count <= mostFiles {
		if t.out.Writer == nil {
			t.out = newOut(&t.buffer)
		}
		t.buffer.Reset()
		t.list(t.out, &c, shownPlace(f), f)
		t.out.Flush()
		held.text = bytes.Clone(t.buffer.Bytes())
	}
	t.size += len(held.text)
	t.held = append(t.held, held)
}

// release writes the findings that are held.
func (t *text) release(o out) {
	for _, h := range t.held {
		switch files := h.files; {
		case files.count <= mostFiles:
			o.Write(h.text)
		case files.places != nil:
			t.list(o, &files.cause, wording.Some(files.places, files.count)+":", nil)
			files.places = nil
		}
	}
	t.held, t.size, t.causes = nil, 0, nil
}

// list writes a cause with its position. The source is taken from the finding f, if it is not nil.
func (t *text) list(o out, c *cause, at string, f *Finding) {
	if at != "" {
		o.Text(t.palette.Title(at), " ")
	}
	o.Text(t.severity(c.severity), " ", c.message, " ", t.palette.Faint("["+c.rule.String()+"]"), "\n")
	if f != nil {
		t.source(o, f)
	}
	if c.fix != "" {
		o.Text("  ", t.palette.Title("fix:"), " ", c.fix, "\n")
	}
}

// severity returns the name of a severity in its colour.
func (t *text) severity(s finding.Severity) string {
	name := s.String() + ":"
	switch s {
	case finding.Error:
		return t.palette.Bad(name)
	case finding.Warning:
		return t.palette.Doubt(name)
	}
	return t.palette.Faint(name)
}

// source writes the line, cut to the width, and a caret under the column.
func (t *text) source(o out, f *Finding) {
	line, at := around(f.Source, f.Column)
	if f.Line <= 0 || strings.TrimSpace(line) == "" {
		return
	}
	shown, column := render.Excerpt(line, at, max(t.width-2, 20))
	o.Text("  ", shown, "\n")
	if f.Column > 0 {
		o.Text("  ", strings.Repeat(" ", column), t.palette.Bad("^"), "\n")
	}
}

// nearby is the number of bytes of a line that are read on each side of a column: more than the width.
const nearby = 1 << 10

// around returns the line near a column, without leading spaces and with spaces instead of tabs, and the offset of the
// column in it.
func around(line []byte, column int) (text string, at int) {
	at = boundary(line, min(max(column-1, 0), len(line)))
	start, end := boundary(line, max(0, at-nearby)), boundary(line, min(len(line), at+nearby))
	for start < at && (line[start] == ' ' || line[start] == '\t') {
		start++
	}
	text = strings.TrimRight(string(line[start:end]), "\r\n")
	return strings.ReplaceAll(text, "\t", " "), min(at-start, len(text))
}

// boundary returns the start of the character at an offset.
func boundary(line []byte, offset int) int {
	for back := 0; back < utf8.UTFMax-1 && offset-back > 0 && offset < len(line); back++ {
		if utf8.RuneStart(line[offset-back]) {
			return offset - back
		}
	}
	return offset
}

// end writes the findings and the summary.
func (t *text) end(o out, s *Summary) {
	t.release(o)
	o.summary(s)
}

// A plain report only has one line for each finding.
type plain struct{ silent }

func (plain) finding(o out, f *Finding) { o.logLine(f) }
