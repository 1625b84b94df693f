package report

import (
	"strconv"
	"strings"

	"layoutcalc/render"
)

// A junit report has a suite for each file, with a case for each finding or one case that passes. The sums come first,
// so the cases are kept until the end of a suite.
type junit struct {
	held   keeper
	path   string
	open   bool
	tests  int
	failed int
	known  int
}

func (j *junit) begin(o out) {
	o.Text(`<?xml version="1.0" encoding="UTF-8"?>`, "\n", `<testsuites name="layoutcalc">`, "\n")
}

func (j *junit) file(o out, path string) {
	j.closeSuite(o)
	j.path, j.open = path, true
}

func (j *junit) finding(o out, f *Finding) {
	if !j.open || f.Path != j.path {
		j.file(o, f.Path)
	}
	j.tests++
	if f.Fails {
		j.failed++
	}
	if f.Known {
		j.known++
	}
	j.held.add(f, func(o out) { o.testCase(f) })
}

// testCase writes the case of a finding.
func (o out) testCase(f *Finding) {
	name, path := f.Rule.String(), render.Clean(f.Path)
	if f.Tensor != "" {
		name += " " + short(f.Tensor, maxName)
	}
	o.element("    <testcase", "name", name, "classname", path, "file", path)
	if f.Line > 0 {
		o.element("", "line", strconv.Itoa(f.Line))
	}
	o.Text(">\n")
	element := "system-out"
	if f.Known {
		o.Text("      <skipped message=\"the baseline has it\"/>\n")
	}
	if f.Fails {
		element = "failure"
		o.element("      <failure", "type", f.Severity.String(), "message", messageOf(f))
	} else {
		o.Text("      <system-out")
	}
	o.Text(">")
	parts := sentence(f)
	o.xml(parts[:]...)
	if f.Fix != "" {
		o.xml("\nfix: ", short(f.Fix, maxMessage))
	}
	o.Text("</", element, ">\n    </testcase>\n")
}

// closeSuite writes the suite of a file, if there is one.
func (j *junit) closeSuite(o out) {
	if !j.open {
		return
	}
	tests := max(j.tests, 1) // without findings the check itself is a test
	o.element("  <testsuite", "name", render.Clean(j.path), "tests", strconv.Itoa(tests),
		"failures", strconv.Itoa(j.failed), "errors", "0")
	if j.known > 0 {
		o.element("", "skipped", strconv.Itoa(j.known))
	}
	o.Text(">\n")
	if j.tests == 0 {
		o.element("    <testcase", "name", "check", "classname", render.Clean(j.path))
		o.Text("/>\n")
	}
	for text := range j.held.inOrder {
		o.Write(text)
	}
	if n := j.held.omitted(); n > 0 {
		o.Text("    <system-err>", missing(n, "a suite holds 16 MiB"), "</system-err>\n")
	}
	o.Text("  </testsuite>\n")
	*j = junit{}
}

func (j *junit) end(o out, _ *Summary) {
	j.closeSuite(o)
	o.Text("</testsuites>\n")
}

// element writes the start of an element and its attributes, each a name and a value.
func (o out) element(start string, attributes ...string) {
	o.Text(start)
	for i, text := range attributes {
		if i%2 == 0 {
			o.Text(" ", text, `="`)
			continue
		}
		o.xml(text)
		o.Text(`"`)
	}
}

// xml writes clean strings with escapes. XML allows all their characters.
func (o out) xml(texts ...string) {
	for _, t := range texts {
		xmlEscapes.WriteString(o, t)
	}
}

var xmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")
