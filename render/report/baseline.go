package report

import (
	"io"

	"layoutcalc/layout/project"
)

// WriteBaseline writes a baseline as JSON with a line for each fault, so that changes are read and merged line by line.
func WriteBaseline(w io.Writer, b *project.Baseline) error {
	o := newOut(w)
	o.Text(`{"version": 1, "tool": "layoutcalc", "findings": [`)
	separator := "\n"
	for _, k := range b.All() {
		o.Text(separator)
		start := "{"
		for _, field := range [...][2]string{
			{"rule", k.Rule}, {"path", k.Path}, {"tensor", k.Tensor}, {"key", k.Key}, {"id", k.ID},
		} {
			o.Text(start, `"`, field[0], `": `)
			o.JSONText(field[1])
			start = ", "
		}
		o.Text(`, "count": `)
		o.Number(int64(k.Count))
		o.Text("}")
		separator = ",\n"
	}
	o.Text("\n]}\n")
	return o.Flush()
}
