package report

import (
	"layoutcalc/layout/rules"
	"layoutcalc/render"
)

// A junit report has a suite for each file with a case for each finding, or one case that passes. A suite starts with
// its sums, so that its cases are kept until its end.
type junit struct {
	failOn  rules.Severity
	held    *hold
	cases   out
	path    string
	open    bool
	tests   int
	failed  int
	omitted int
}

func newJUnit(failOn rules.Severity) *junit {
	h := &hold{}
	return &junit{failOn: failOn, held: h, cases: newOut(h, 64<<10)}
}

func (j *junit) begin(o out) {
	o.text(`<?xml version="1.0" encoding="UTF-8"?>`, "\n", `<testsuites name="layoutcalc">`, "\n")
}

func (j *junit) file(o out, path string) {
	j.closeSuite(o)
	j.path, j.open = path, true
}

func (j *junit) finding(o out, f *Finding) {
	if !j.open || f.Path != j.path {
		j.file(o, f.Path)
	}
	fails := f.Severity >= j.failOn
	j.tests++
	if fails {
		j.failed++
	}
	if j.held.full() {
		j.omitted++
		return
	}
	j.start(f)
	element := "system-out"
	if fails {
		element = "failure"
		j.cases.attribute("      <failure type=\""+f.Severity.String()+`" message="`, said(f))
		j.cases.text(`">`)
	} else {
		j.cases.text("      <system-out>")
	}
	j.cases.detail(f)
	j.cases.text("</", element, ">\n    </testcase>\n")
}

// start starts the case of a finding.
func (j *junit) start(f *Finding) {
	name := f.Rule.String()
	if f.Tensor != "" {
		name += " " + short(f.Tensor, maxName)
	}
	j.cases.attribute(`    <testcase name="`, name)
	j.cases.attribute(`" classname="`, render.Clean(f.Path))
	j.cases.attribute(`" file="`, render.Clean(f.Path))
	if f.Line > 0 {
		j.cases.text(`" line="`)
		j.cases.number(f.Line)
	}
	j.cases.text("\">\n")
}

// closeSuite writes the suite of a file, if there is one.
func (j *junit) closeSuite(o out) {
	if !j.open {
		return
	}
	if j.tests == 0 {
		j.cases.attribute(`    <testcase name="check" classname="`, render.Clean(j.path))
		j.cases.text("\"/>\n")
		j.tests = 1
	}
	j.cases.Flush()
	o.attribute(`  <testsuite name="`, render.Clean(j.path))
	o.text(`" tests="`)
	o.number(j.tests)
	o.text(`" failures="`)
	o.number(j.failed)
	o.text("\" errors=\"0\">\n")
	j.held.release(o)
	if j.omitted > 0 {
		o.text("    <system-err>", missing(j.omitted, "a suite holds 64 MiB"), "</system-err>\n")
	}
	o.text("  </testsuite>\n")
	j.open, j.tests, j.failed, j.omitted = false, 0, 0, 0
}

func (j *junit) end(o out, _ *Summary) {
	j.closeSuite(o)
	o.text("</testsuites>\n")
}

// detail writes the whole finding.
func (o out) detail(f *Finding) {
	if at := place(f); at != "" {
		o.xml(at)
		o.text(" ")
	}
	o.text(f.Severity.String(), ": ")
	o.xml(said(f))
	o.text(" [", f.Rule.String(), "]")
	if f.Fix != "" {
		o.text("\nfix: ")
		o.xml(short(f.Fix, maxMessage))
	}
}

// attribute writes the start of an attribute, and its value.
func (o out) attribute(start, value string) {
	o.text(start)
	o.xml(value)
}

// xml writes a clean text: all of its characters are allowed in XML, if some are escaped.
func (o out) xml(text string) {
	o.escaped(text, func(c byte) string {
		switch c {
		case '&':
			return "&amp;"
		case '<':
			return "&lt;"
		case '>':
			return "&gt;"
		case '"':
			return "&quot;"
		}
		return ""
	})
}
