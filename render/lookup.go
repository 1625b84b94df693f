package render

import (
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
)

// A lookupResult is what lives at an offset.
type lookupResult struct {
	t       layout.Tensor
	inverse *facts.Inverse
	found   facts.Lookup
}

// none says whether it is certain that no element was found.
func (r *lookupResult) none() facts.Verdict {
	if r.found.Exact {
		return facts.Yes
	}
	return facts.Unknown
}

func (r *lookupResult) plain(p *Printer) {
	if r.found.Count == 0 {
		p.w.line(nobody(r.none()))
		return
	}
	for i, index := range r.found.Indices {
		if i > 0 {
			p.w.text(" ")
		}
		p.w.text(layout.JoinInts(index, ","))
	}
	p.w.line()
}

func (r *lookupResult) tree() object {
	o := append(object{{"offset", r.found.Offset}}, byteFields(r.t, r.found.Offset)...)
	indices := append([][]int64{}, r.found.Indices...)
	return append(o, field{"indices", indices}, field{"count", orNull(r.found.Count, r.found.Exact)})
}

// rows are one for each index at the offset.
func (r *lookupResult) rows() [][]string {
	count := text(r.found.Count)
	if !r.found.Exact {
		count = "?"
	}
	start := []string{text(r.found.Offset), byteText(r.t, r.found.Offset), count}
	if r.found.Count == 0 {
		return [][]string{append(start, make([]string, r.t.Layout().Rank())...)}
	}
	rows := make([][]string, len(r.found.Indices))
	for i, index := range r.found.Indices {
		rows[i] = append(slices.Clone(start), intTexts(index)...)
	}
	return rows
}

func (r *lookupResult) human(p *Printer) {
	line := "offset " + p.palette.Title(text(r.found.Offset)) + " "
	switch l := r.t.Layout(); {
	case !r.found.Exact && r.found.Count == 0:
		line += "is unknown: to find what lives there would take more work than allowed"
	case r.found.Count == 0:
		line += r.padding(p)
	case r.found.Count == 1:
		line += "is " + p.position(l, r.found.Indices[0])
	default:
		line += r.several(p)
	}
	p.w.line(wrap(line, p.options.Width))
}

// several lists the first of many indices.
func (r *lookupResult) several(p *Printer) string {
	var b strings.Builder
	b.WriteString("holds ")
	if !r.found.Exact {
		b.WriteString("at least ")
	}
	b.WriteString(counted(r.found.Count, "element") + ": ")
	for i, index := range r.found.Indices {
		if i == 8 {
			b.WriteString(" …")
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(p.position(r.t.Layout(), index))
	}
	return b.String()
}

// nobody stands for an offset without an element, or where that is not certain.
func nobody(none facts.Verdict) string {
	if none == facts.Unknown {
		return "?"
	}
	return "x"
}

// padding says between which elements an offset lies that belongs to none.
func (r *lookupResult) padding(p *Printer) string {
	l := r.t.Layout()
	low, high := l.Bounds()
	switch {
	case l.Empty():
		return "is outside: the tensor has no elements"
	case r.found.Offset < low || r.found.Offset >= r.t.End():
		return "is outside: the elements lie at " + text(low) + " to " + text(high)
	}
	words := "is padding"
	if before, ok := r.inverse.Before(r.found.Offset); ok {
		words += ": after " + r.neighbour(p, before)
	}
	if after, ok := r.inverse.After(r.found.Offset); ok {
		words += ", before " + r.neighbour(p, after)
	}
	return words
}

func (r *lookupResult) neighbour(p *Printer, offset int64) string {
	found := r.inverse.At(offset, 1)
	if len(found.Indices) == 0 {
		return "offset " + text(offset)
	}
	return p.position(r.t.Layout(), found.Indices[0]) + p.palette.Faint(" (offset "+text(offset)+")")
}
