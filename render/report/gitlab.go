package report

import (
	"layoutcalc/layout/finding"
)

// A gitlab report is an array with one object for each finding. They have different fingerprints, because GitLab shows
// equal ones only once.
type gitlab struct {
	silent
	repeats repeats
	started bool
}

func (g *gitlab) begin(o out) { o.Text("[") }

func (g *gitlab) finding(o out, f *Finding) {
	if g.started {
		o.Text(",")
	}
	g.started = true
	o.Text("\n  ", `{"description": `)
	o.JSONText(advice(f))
	o.Text(`, "check_name": "`, f.Rule.String(), `", "fingerprint": "`)
	fingerprint, n := g.repeats.next(f)
	o.Write(append(o.AvailableBuffer(), fingerprint[:]...))
	if n > 1 {
		o.Text("-")
		o.Number(int64(n))
	}
	severity := [...]string{finding.Note: "info", finding.Warning: "minor", finding.Error: "major"}[f.Severity]
	o.Text(`", "severity": "`, severity, `", "location": {"path": `)
	o.JSONText(f.RootPath)
	o.Text(`, "lines": {"begin": `)
	o.Number(int64(max(f.Line, 1)))
	o.Text("}}}")
}

func (g *gitlab) end(o out, _ *Summary) {
	if g.started {
		o.Text("\n")
	}
	o.Text("]\n")
}
