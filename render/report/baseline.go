package report

import (
	"io"

	"layoutcalc/layout/project"
	"layoutcalc/render"
)

// WriteBaseline writes a baseline as JSON with one line per finding, so that changes can be read and merged line by
// line.
func WriteBaseline(w io.Writer, b *project.Baseline) error {
	o := newOut(w)
	o.Text(`{"version": 1, "tool": "layoutcalc", "findings": [`)
	separator := "\n"
	for _, k := range b.All() {
		o.Text(separator)
		o.Object(render.Object{
			{"rule", k.Rule}, {"path", k.Path}, {"tensor", k.Tensor}, {"key", k.Key}, {"id", k.ID},
			{"count", int64(k.Count)},
		})
		separator = ",\n"
	}
	o.Text("\n]}\n")
	return o.Flush()
}
