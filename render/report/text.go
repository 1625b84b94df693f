package report

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/tensorfile"
	"layoutcalc/render"
)

// A text is a report for people. Lines of findings are not wrapped, so that they can be searched and clicked.
type text struct {
	silent
	palette  *render.Palette
	width    int
	pointers []Finding // the first files that are pointers of Git LFS
	unnamed  int       // how many more there are
}

// mostPointers is how many pointers of Git LFS are listed. A checkout without its files may have thousands.
const mostPointers = 3

func (t *text) finding(o out, f *Finding) {
	switch {
	case f.Rule != tensorfile.LFSPointer || f.Tensor != "":
		t.list(o, f)
	case len(t.pointers) < mostPointers:
		t.pointers = append(t.pointers, *f)
	default:
		t.unnamed++
	}
}

// list writes a finding.
func (t *text) list(o out, f *Finding) {
	if at := shownPlace(f); at != "" {
		o.Text(t.palette.Title(at), " ")
	}
	o.Text(t.severity(f.Severity), " ", messageOf(f), " ", t.palette.Faint("["+f.Rule.String()+"]"), "\n")
	t.source(o, f)
	if f.Fix != "" {
		o.Text("  ", t.palette.Title("fix:"), " ", fixOf(f), "\n")
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

// nearby is how many bytes of a line are read on each side of a column: more than the width.
const nearby = 1 << 10

// around returns the line near a column, without leading blanks and with spaces for tabs, and the offset of the column
// in it.
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

// end writes the pointers of Git LFS, several in one line, and the summary.
func (t *text) end(o out, s *Summary) {
	if t.unnamed > 0 {
		f := t.pointers[0]
		f.Message = strconv.Itoa(len(t.pointers)+t.unnamed) + " files are pointers, not checked out: "
		for _, p := range t.pointers {
			f.Message += cut(p.Path, maxName) + ", "
		}
		f.Message += "and " + strconv.Itoa(t.unnamed) + " more"
		f.Path = ""
		t.pointers = []Finding{f}
	}
	for i := range t.pointers {
		t.list(o, &t.pointers[i])
	}
	o.summary(s)
}

// A plain report has one line for each finding, and no other.
type plain struct{ silent }

func (plain) finding(o out, f *Finding) { o.logLine(f) }
