package render

import (
	"errors"
	"iter"
	"strconv"
	"strings"

	"layoutcalc/layout"
)

// stream writes results in the form that was asked for.
func (p *Printer) stream(t layout.Tensor, header []string, results iter.Seq2[result, error]) error {
	if p.options.Get != "" {
		return p.getResult(t, results)
	}
	write := func(r result) { r.human(p) }
	switch p.options.Format {
	case Plain:
		write = func(r result) { r.plain(p) }
	case JSON:
		return p.streamJSON(t, results)
	case CSV:
		p.w.csvRow(header)
		write = func(r result) { eachRow(r, p.w.csvRow) }
	case Markdown:
		p.w.markdown(grid{header: header})
		write = func(r result) { eachRow(r, p.w.markdownRow) }
	}
	return p.each(results, write)
}

func eachRow(r result, write func([]string)) {
	for _, row := range r.rows() {
		write(row)
	}
}

// each writes the results until one is an error or cannot be written.
func (p *Printer) each(results iter.Seq2[result, error], write func(result)) error {
	for r, err := range results {
		if err != nil {
			return errors.Join(p.Flush(), err)
		}
		if write(r); p.w.failed() {
			break
		}
	}
	return p.Flush()
}

// getResult writes the field that --get names. It reads no more results than that takes.
func (p *Printer) getResult(t layout.Tensor, results iter.Seq2[result, error]) error {
	if p.options.Get == "results" {
		return p.streamList(results)
	}
	if n, rest, ok := resultPath(p.options.Get); ok {
		return p.getNth(results, n, rest)
	}
	return p.get(document("offset", field{"tensor", later(t)}, field{"results", []object{}}))
}

// resultPath splits results.N or results.N.FIELD.
func resultPath(path string) (n int, rest string, ok bool) {
	path, ok = strings.CutPrefix(path, "results.")
	position, rest, _ := strings.Cut(path, ".")
	n, err := strconv.Atoi(position)
	return n, rest, ok && err == nil && n >= 0
}

// getNth writes a field of the n-th result, or all of it. It keeps no other.
func (p *Printer) getNth(results iter.Seq2[result, error], n int, rest string) error {
	for r, err := range results {
		switch {
		case err != nil:
			return err
		case n > 0:
			n--
			continue
		case rest == "":
			p.w.bare(r.tree())
		default:
			v, ok := follow(r.tree(), rest)
			if !ok {
				return p.get(nil)
			}
			p.w.bare(v)
		}
		return p.Flush()
	}
	return p.get(nil)
}

// streamList writes the results as a JSON list on one line.
func (p *Printer) streamList(results iter.Seq2[result, error]) error {
	separator := "["
	err := p.each(results, func(r result) {
		p.w.text(separator)
		p.w.jsonObject(r.tree(), "")
		separator = ", "
	})
	if separator == "[" {
		p.w.text(separator)
	}
	p.w.line("]")
	return errors.Join(p.Flush(), err)
}

// streamJSON writes one document, its results a line each. It is complete even if an error
// ends it.
func (p *Printer) streamJSON(t layout.Tensor, results iter.Seq2[result, error]) error {
	var err error
	p.w.json(document("offset", field{"tensor", later(t)}, field{"results", func() { err = p.resultLines(results) }}))
	return errors.Join(p.Flush(), err)
}

// resultLines writes the results as a JSON list, a line each.
func (p *Printer) resultLines(results iter.Seq2[result, error]) error {
	separator, end := "[\n    ", "[]"
	err := p.each(results, func(r result) {
		p.w.text(separator)
		p.w.jsonObject(r.tree(), "")
		separator, end = ",\n    ", "\n  ]"
	})
	p.w.text(end)
	return err
}
