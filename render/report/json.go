package report

import "layoutcalc/layout/rules"

// A document is one object. The counts of all findings come first, so that the findings are kept until the end.
type document struct {
	silent
	held    *hold
	buffer  out
	omitted int
}

func newDocument() *document {
	h := &hold{}
	return &document{held: h, buffer: newOut(h, 64<<10)}
}

func (d *document) finding(_ out, f *Finding) {
	if d.held.full() {
		d.omitted++
		return
	}
	if d.held.size+d.buffer.Buffered() > 0 {
		d.buffer.text(",")
	}
	d.buffer.text("\n    ")
	d.buffer.finding(f)
}

func (d *document) end(o out, s *Summary) {
	d.buffer.Flush()
	o.text("{\n  \"schemaVersion\": 1,\n  \"command\": \"check\",\n  \"files\": ")
	o.number(s.Files)
	o.text(",\n  \"descriptors\": ")
	o.number(s.Descriptors)
	o.text(",\n  \"findings\": [")
	if d.held.size > 0 {
		d.held.release(o)
		o.text("\n  ")
	}
	o.text("],\n  \"summary\": {")
	o.counts(s, "\n    ", ",")
	o.text("\n  }")
	if d.omitted > 0 {
		o.text(",\n  \"omitted\": ")
		o.number(d.omitted)
	}
	o.text("\n}\n")
}

// A jsonLines report has an object on each line.
type jsonLines struct{ silent }

func (jsonLines) finding(o out, f *Finding) {
	o.finding(f)
	o.text("\n")
}

func (jsonLines) end(o out, s *Summary) {
	o.text(`{"schemaVersion": 1, "command": "check", "files": `)
	o.number(s.Files)
	o.text(`, "descriptors": `)
	o.number(s.Descriptors)
	o.text(`, "summary": {`)
	o.counts(s, "", ", ")
	o.text("}}\n")
}

// counts writes the fields of the summary.
func (o out) counts(s *Summary, lineBreak, separator string) {
	for severity := rules.Error; ; severity-- {
		o.text(lineBreak, `"`, severity.String(), `": `)
		o.number(s.Count[severity])
		if severity == 0 {
			return
		}
		o.text(separator)
	}
}

// finding writes a finding as an object on one line. A line or column that it does not have is null.
func (o out) finding(f *Finding) {
	o.text(`{"rule": "`, f.Rule.String(), `", "severity": "`, f.Severity.String(), `", "path": `)
	o.json(f.Path)
	o.text(`, "line": `)
	o.ordinal(f.Line)
	o.text(`, "column": `)
	o.ordinal(column(f))
	o.text(`, "pointer": `)
	o.json(cut(f.Pointer, maxKey))
	o.text(`, "tensor": `)
	o.json(cut(f.Tensor, maxKey))
	o.text(`, "message": `)
	o.json(cut(f.Message, maxMessage))
	o.text(`, "fix": `)
	o.json(cut(f.Fix, maxMessage))
	o.text("}")
}

// ordinal writes a number that counts from 1.
func (o out) ordinal(n int) {
	if n <= 0 {
		o.text("null")
		return
	}
	o.number(n)
}
