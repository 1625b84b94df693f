package report

import (
	"path/filepath"
	"strings"

	"layoutcalc/layout/rules"
	"layoutcalc/render"
)

// A github report is made of commands that a workflow's runner turns into annotations. A runner takes a few of a run,
// so that errors come first. Warnings and notes are kept until the end, as long as there is room for them.
type github struct {
	silent
	held hold
}

func (g *github) finding(o out, f *Finding) {
	if f.Severity == rules.Error || g.held.size >= maxHeld {
		o.command(f)
		return
	}
	g.held.add(f.Severity, func(o out) { o.command(f) })
}

// command writes the command for a finding.
func (o out) command(f *Finding) {
	o.Text("::", command(f.Severity), " ")
	if f.Path != "" {
		o.Text("file=")
		property.WriteString(o, render.Clean(filepath.ToSlash(f.Path)))
		o.Text(",")
	}
	if f.Line > 0 {
		o.Text("line=")
		o.Number(int64(f.Line))
		o.Text(",")
	}
	if column(f) > 0 {
		o.Text("col=")
		o.Number(int64(f.Column))
		o.Text(",")
	}
	o.Text("title=layoutcalc ", f.Rule.String(), "::")
	data.WriteString(o, said(f))
	if f.Fix != "" {
		o.Text("%0Afix: ")
		data.WriteString(o, short(f.Fix, maxMessage))
	}
	o.Line()
}

func (g *github) end(o out, s *Summary) {
	for text := range g.held.gravest {
		o.Write(text)
	}
	o.summary(s)
}

// command returns what the runner calls a severity.
func command(s rules.Severity) string {
	if s == rules.Note {
		return "notice"
	}
	return s.String()
}

// The escapes in the message of a command, and in one of its properties.
var (
	data     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
