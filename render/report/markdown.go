package report

import (
	"strings"

	"layoutcalc/render"
)

// A markdown report is a table, and a line that sums it up.
type markdown struct{ started bool }

func (m *markdown) begin(out) {}

func (m *markdown) file(out, string) {}

func (m *markdown) finding(o out, f *Finding) {
	if !m.started {
		o.text("| severity | place | message | rule |\n| :-- | :-- | :-- | :-- |\n")
		m.started = true
	}
	o.text("| ", f.Severity.String(), " | ", render.MarkdownCell(strings.TrimSuffix(place(f), ":")), " | ", render.MarkdownCell(said(f)))
	if f.Fix != "" {
		o.text("<br>fix: ", render.MarkdownCell(short(f.Fix, maxMessage)))
	}
	o.text(" | ", f.Rule.String(), " |\n")
}

func (m *markdown) end(o out, s *Summary) {
	if m.started {
		o.text("\n")
	}
	o.summary(s)
	o.text("\n")
}
