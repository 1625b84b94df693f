package report

import (
	"strconv"

	"layoutcalc/render"
)

// A table is a row for each finding, for spreadsheets.
type table struct{}

func (table) begin(o out) { o.text("rule,severity,path,line,column,pointer,tensor,message,fix\n") }

func (table) file(out, string) {}

func (table) finding(o out, f *Finding) {
	line, at := "", ""
	if f.Line > 0 {
		line, at = strconv.Itoa(f.Line), strconv.Itoa(f.Column)
	}
	for i, cell := range [...]string{
		f.Rule.String(), f.Severity.String(), f.Path, line, at,
		cut(f.Pointer, maxKey), cut(f.Tensor, maxKey), cut(f.Message, maxMessage), cut(f.Fix, maxMessage),
	} {
		if i > 0 {
			o.text(",")
		}
		o.text(render.CSVCell(cell))
	}
	o.text("\n")
}

func (table) end(out, *Summary) {}
