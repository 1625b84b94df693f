package report

import (
	"strconv"
	"strings"

	"layoutcalc/render"
)

// A markdown report is a table, and a line with the summary.
type markdown struct {
	silent
	started bool
}

func (m *markdown) finding(o out, f *Finding) {
	if !m.started {
		o.Text("| severity | place | message | rule |\n| :-- | :-- | :-- | :-- |\n")
		m.started = true
	}
	o.Text("| ", f.Severity.String(), " | ", render.MarkdownCell(strings.TrimSuffix(shownPlace(f), ":")), " | ",
		render.MarkdownCell(messageOf(f)))
	if f.Fix != "" {
		o.Text("<br>fix: ", render.MarkdownCell(fixOf(f)))
	}
	o.Text(" | ", f.Rule.String(), " |\n")
}

func (m *markdown) end(o out, s *Summary) {
	if m.started {
		o.Text("\n")
	}
	o.summary(s)
}

// A table has a row for each finding, for spreadsheets.
type table struct{ silent }

func (table) begin(o out) {
	o.CSVRow("rule", "severity", "path", "line", "column", "pointer", "tensor", "message", "fix", "fixable")
}

func (table) finding(o out, f *Finding) {
	line, at := "", ""
	if f.Line > 0 {
		line, at = strconv.Itoa(f.Line), strconv.Itoa(f.Column)
	}
	o.CSVRow(f.Rule.String(), f.Severity.String(), f.Path, line, at,
		cut(f.Pointer, maxKey), cut(f.Tensor, maxKey), cut(f.Message, maxMessage), cut(f.Fix, maxMessage),
		strconv.FormatBool(len(f.Edits) > 0))
}
