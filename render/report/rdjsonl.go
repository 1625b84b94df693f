package report

import (
	"layoutcalc/layout/finding"
	"layoutcalc/layout/inspect"
)

// A rdjsonl report has a diagnostic of reviewdog on each line. Paths are relative to the working directory, where
// reviewdog runs too.
type rdjsonl struct{ silent }

func (rdjsonl) finding(o out, f *inspect.Finding) {
	o.Text(`{"message": `)
	o.JSONText(advice(f))
	o.Text(`, "location": {"path": `)
	o.JSONText(f.Path)
	if f.Line > 0 {
		o.Text(`, "range": {"start": `)
		o.position(f.Line, f.Column)
		if t := token(f); t != nil {
			o.Text(`, "end": `)
			o.position(f.Line, f.Column+len(t))
		}
		o.Text("}")
	}
	severity := [...]string{finding.Note: "INFO", finding.Warning: "WARNING", finding.Error: "ERROR"}[f.Severity]
	o.Text(`}, "severity": "`, severity, `", "source": {"name": "layoutcalc"}, "code": {"value": "`, f.Rule.String(),
		`"}}`)
	o.Line()
}

// position writes a line and, if there is one, a column, which counts bytes.
func (o out) position(line, column int) {
	o.Text(`{"line": `)
	o.Number(int64(line))
	if column > 0 {
		o.Text(`, "column": `)
		o.Number(int64(column))
	}
	o.Text("}")
}
