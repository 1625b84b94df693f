package report

import (
	"strconv"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/inspect"
	"layoutcalc/render"
)

// A checkstyle report has an element for each file with findings.
type checkstyle struct {
	silent
	path string
	open bool
}

func (c *checkstyle) begin(o out) {
	o.Text(`<?xml version="1.0" encoding="UTF-8"?>`, "\n", `<checkstyle version="4.3">`, "\n")
}

func (c *checkstyle) finding(o out, f *inspect.Finding) {
	if !c.open || f.RootPath != c.path {
		c.closeFile(o)
		c.path, c.open = f.RootPath, true
		o.element("  <file", "name", render.Clean(f.RootPath))
		o.Text(">\n")
	}
	o.element("    <error", "line", strconv.Itoa(max(f.Line, 0))) // 0 is the whole file
	if column(f) > 0 {
		o.element("", "column", strconv.Itoa(f.Column))
	}
	severity := [...]string{finding.Note: "info", finding.Warning: "warning", finding.Error: "error"}[f.Severity]
	message := messageOf(f)
	if f.Fix != "" {
		message += "; fix: " + short(f.Fix, maxMessage)
	}
	o.element("", "severity", severity, "message", message)
	o.Text(` source="layoutcalc.`, f.Rule.String(), `"/>`, "\n")
}

// closeFile ends the element of a file, if there is one.
func (c *checkstyle) closeFile(o out) {
	if c.open {
		o.Text("  </file>\n")
	}
}

func (c *checkstyle) end(o out, _ *inspect.Summary) {
	c.closeFile(o)
	o.Text("</checkstyle>\n")
}
