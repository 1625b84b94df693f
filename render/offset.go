package render

import (
	"iter"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
)

// maxListed is how many of the indices at one offset are listed.
const maxListed = 1024

// A result is one line of an answer that comes bit by bit.
type result interface {
	plain(p *Printer)
	human(p *Printer)
	tree() object
	rows() [][]string // of CSV or Markdown
}

// Offsets writes the offset of each index, as they come, up to the first error.
func (p *Printer) Offsets(t layout.Tensor, indices iter.Seq2[[]int64, error]) error {
	header := append(axisNames(t.Layout()), "offset", "byteOffset")
	return p.stream(t, header, func(yield func(result, error) bool) {
		r := &offsetResult{t: t}
		for index, err := range indices {
			if r.index = index; !yield(r, err) {
				return
			}
		}
	})
}

// At writes what lives at each offset, as they come, up to the first error. It reports whether
// an element does at all of them.
func (p *Printer) At(t layout.Tensor, offsets iter.Seq2[int64, error]) (all bool, err error) {
	all = true
	header := append([]string{"offset", "byteOffset", "count"}, axisNames(t.Layout())...)
	err = p.stream(t, header, func(yield func(result, error) bool) {
		r := &lookupResult{t: t, inverse: facts.NewInverse(t.Layout())}
		for offset, err := range offsets {
			r.found = r.inverse.At(offset, maxListed)
			all = all && r.found.Count > 0
			if !yield(r, err) {
				return
			}
		}
	})
	return all, err
}

// An offsetResult is an index and where it leads.
type offsetResult struct {
	t     layout.Tensor
	index []int64
}

func (r *offsetResult) offset() int64 {
	offset, _ := r.t.Layout().Offset(r.index)
	return offset
}

func (r *offsetResult) plain(p *Printer) {
	p.w.number(r.offset())
	p.w.line()
}

func (r *offsetResult) tree() object {
	o := object{{"index", slices.Clone(r.index)}, {"offset", r.offset()}}
	return append(o, byteFields(r.t, r.offset())...)
}

// byteFields say at which byte an element starts, and at which bit of it if its type is smaller.
func byteFields(t layout.Tensor, offset int64) object {
	bytes, bits := t.BitOffset(offset)
	o := object{{"byteOffset", bytes}}
	if t.DType().Bits() < 8 {
		o = append(o, field{"bitOffset", bits})
	}
	return o
}

func (r *offsetResult) rows() [][]string {
	return [][]string{append(intTexts(r.index), text(r.offset()), byteText(r.t, r.offset()))}
}

func intTexts(list []int64) []string {
	texts := make([]string, len(list), len(list)+2)
	for i, n := range list {
		texts[i] = text(n)
	}
	return texts
}

// human writes the dot product of index and strides: {1, 0, 1} · {6, 3, 1} = 1×6 + 0×3 + 1×1 = 7.
func (r *offsetResult) human(p *Printer) {
	l := r.t.Layout()
	line := "{" + strings.Join(p.axisTexts(r.index), ", ") + "}"
	if strides, ok := l.Strides(); ok && l.Rank() > 0 && l.Base() == 0 {
		line += " · {" + strings.Join(p.axisTexts(strides), ", ") + "}"
	}
	if terms := r.terms(p); len(terms) > 1 {
		line += " = " + strings.Join(terms, " + ")
	}
	line += " = " + p.palette.Title(text(r.offset())) + p.palette.Faint(" (byte "+byteText(r.t, r.offset())+")")
	p.w.line(wrap(line, p.options.Width))
}

// terms are what the offset is the sum of: the base if it counts, and each digit times its
// stride.
func (r *offsetResult) terms(p *Printer) []string {
	l := r.t.Layout()
	var terms []string
	if l.Base() != 0 {
		terms = append(terms, text(l.Base()))
	}
	for i, v := range r.index {
		for k, digit := range digitsOf(l.Axis(i), v) {
			terms = append(terms, p.palette.Axis(i, text(digit)+"×"+text(l.Axis(i).Digit(k).Stride)))
		}
	}
	return terms
}

// axisTexts writes a number for each axis in the axis's colour.
func (p *Printer) axisTexts(list []int64) []string {
	texts := intTexts(list)
	for i := range texts {
		texts[i] = p.palette.Axis(i, texts[i])
	}
	return texts
}

// digitsOf splits an index of the axis into its digits.
func digitsOf(a layout.Axis, index int64) []int64 {
	digits := make([]int64, a.Digits())
	for k := a.Digits() - 1; k > 0; k-- {
		digits[k] = index % a.Digit(k).Extent
		index /= a.Digit(k).Extent
	}
	digits[0] = index
	return digits
}
