package report

import (
	"path/filepath"

	"layoutcalc/layout/rules"
	"layoutcalc/render"
)

// A github report is made of commands that a workflow's runner turns into annotations.
type github struct{ silent }

func (github) finding(o out, f *Finding) {
	o.text("::", command(f.Severity), " ")
	if f.Path != "" {
		o.text("file=")
		o.escaped(render.Clean(filepath.ToSlash(f.Path)), property)
		o.text(",")
	}
	if f.Line > 0 {
		o.text("line=")
		o.number(f.Line)
		o.text(",")
	}
	if column(f) > 0 {
		o.text("col=")
		o.number(f.Column)
		o.text(",")
	}
	o.text("title=layoutcalc ", f.Rule.String(), "::")
	o.escaped(said(f), data)
	if f.Fix != "" {
		o.text("%0Afix: ")
		o.escaped(short(f.Fix, maxMessage), data)
	}
	o.text("\n")
}

func (github) end(o out, s *Summary) {
	o.summary(s)
	o.text("\n")
}

// command returns what the runner calls a severity.
func command(s rules.Severity) string {
	if s == rules.Note {
		return "notice"
	}
	return s.String()
}

// data returns the escape of a byte in the message of a command, or nothing if it needs none.
func data(c byte) string {
	switch c {
	case '%':
		return "%25"
	case '\r':
		return "%0D"
	case '\n':
		return "%0A"
	}
	return ""
}

// property is data for a property of a command.
func property(c byte) string {
	switch c {
	case ':':
		return "%3A"
	case ',':
		return "%2C"
	}
	return data(c)
}
