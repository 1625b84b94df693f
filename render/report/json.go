package report

import (
	"layoutcalc/layout/finding"
	"layoutcalc/render"
)

// A document is one object. The counts come before the findings, which are kept until the end.
type document struct {
	silent
	held keeper
}

func (d *document) finding(_ out, f *Finding) {
	d.held.add(f, func(o out) { o.finding(f) })
}

func (d *document) end(o out, s *Summary) {
	fields := []render.Field{{"findings", func() {
		separator := "[\n    "
		for text := range d.held.inOrder {
			o.Text(separator)
			o.Write(text)
			separator = ",\n    "
		}
		if d.held.count == 0 {
			o.Text("[]")
		} else {
			o.Text("\n  ]")
		}
	}}}
	if n := d.held.omitted() + s.Unlisted; n > 0 {
		fields = append(fields, render.Field{"omitted", int64(n)})
	}
	o.JSON(ending(s, fields...))
}

// ending returns the object with the summary, with the given fields before the counts.
func ending(s *Summary, fields ...render.Field) render.Object {
	var counts render.Object
	for severity := len(s.Count) - 1; severity >= 0; severity-- {
		counts = append(counts, render.Field{finding.Severity(severity).String(), int64(s.Count[severity])})
	}
	kinds := render.Object{}
	for _, k := range s.Kinds {
		kinds = append(kinds, render.Field{k.Name, int64(k.Files)})
	}
	var target any
	if s.RulesOf != nil {
		target = s.RulesOf.String()
	}
	tree := render.Document("check",
		render.Field{"files", int64(s.Files)}, render.Field{"descriptors", int64(s.Descriptors)},
		render.Field{"kinds", kinds}, render.Field{"skipped", int64(s.Skipped)},
		render.Field{"skippedBy", render.Object{{"gitignore", int64(s.Ignored)}, {"exclude", int64(s.Excluded)},
			{"link", int64(s.Outside)}}})
	return append(append(tree, fields...), render.Field{"summary", counts}, render.Field{"target", target},
		render.Field{"known", int64(s.Known)}, render.Field{"fixed", int64(s.Fixed)},
		render.Field{"fixable", int64(s.Fixable)},
		render.Field{"notes", s.Notes})
}

// A jsonLines report has an object on each line.
type jsonLines struct{ silent }

func (jsonLines) finding(o out, f *Finding) {
	o.finding(f)
	o.Line()
}

func (jsonLines) end(o out, s *Summary) {
	o.Object(ending(s))
	o.Line()
}

// finding writes a finding as an object on one line. A missing line or column is null.
func (o out) finding(f *Finding) {
	o.Text(`{"rule": "`, f.Rule.String(), `", "severity": "`, f.Severity.String(), `", "path": `)
	o.JSONText(f.Path)
	o.Text(`, "line": `)
	o.ordinal(f.Line)
	o.Text(`, "column": `)
	o.ordinal(column(f))
	for _, field := range [...][2]string{
		{"pointer", cut(f.Pointer, maxKey)}, {"tensor", cut(f.Tensor, maxKey)},
		{"message", cut(f.Message, maxMessage)}, {"fix", cut(f.Fix, maxMessage)},
	} {
		o.Text(`, "`, field[0], `": `)
		o.JSONText(field[1])
	}
	o.Text(`, "fingerprint": "`)
	o.Write(f.AppendFingerprint(o.AvailableBuffer(), f.RootPath))
	o.Text(`"`)
	if f.Known {
		o.Text(`, "baseline": true`)
	}
	if len(f.Edits) > 0 {
		o.Text(`, "fixable": true`)
	}
	o.Text("}")
}

// ordinal writes a number starting at 1, or null.
func (o out) ordinal(n int) {
	if n <= 0 {
		o.Text("null")
		return
	}
	o.Number(int64(n))
}
