package render

import (
	"errors"
	"iter"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
)

// maxListed is how many of the indices at one offset are listed.
const maxListed = 1024

// A result is one part of an answer that is written as it comes.
type result interface {
	plain(p *Printer)
	human(p *Printer)
	tree() Object
	rows() [][]string // of CSV or Markdown
}

// Offsets writes the offset of each index, up to the first error.
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

// At writes the elements at each offset, up to the first error. It reports whether all offsets have one.
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

// An offsetResult is an index, and its offset.
type offsetResult struct {
	t     layout.Tensor
	index []int64
}

func (r *offsetResult) offset() int64 {
	offset, _ := r.t.Layout().Offset(r.index)
	return offset
}

func (r *offsetResult) plain(p *Printer) {
	p.w.Number(r.offset())
	p.w.Line()
}

func (r *offsetResult) tree() Object {
	o := Object{{"index", slices.Clone(r.index)}, {"offset", r.offset()}}
	return append(o, byteFields(r.t, r.offset())...)
}

// byteFields returns the byte at which an element starts, and its bit there if the type is smaller than a byte.
func byteFields(t layout.Tensor, offset int64) Object {
	bytes, bits := t.BitOffset(offset)
	o := Object{{"byteOffset", bytes}}
	if t.DType().Bits() < 8 {
		o = append(o, Field{"bitOffset", bits})
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
		times := " · "
		if p.options.ASCII {
			times = " * "
		}
		line += times + "{" + strings.Join(p.axisTexts(strides), ", ") + "}"
	}
	if terms := r.terms(p); len(terms) > 1 {
		line += " = " + strings.Join(terms, " + ")
	}
	line += " = " + p.palette.Title(text(r.offset())) + p.palette.Faint(" (byte "+byteText(r.t, r.offset())+")")
	p.w.Line(wrap(line, p.options.Width))
}

// terms returns what the offset is the sum of: the base unless it is 0, and each digit times its stride.
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

// axisTexts returns a number for each axis, in the colour of the axis.
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

// A lookupResult is the elements at an offset.
type lookupResult struct {
	t       layout.Tensor
	inverse *facts.Inverse
	found   facts.Lookup
}

// none reports whether it is certain that the offset has no element, where none was found.
func (r *lookupResult) none() facts.Verdict {
	if r.found.Exact {
		return facts.Yes
	}
	return facts.Unknown
}

func (r *lookupResult) plain(p *Printer) {
	if r.found.Count == 0 {
		p.w.Line(unoccupied(r.none()))
		return
	}
	for i, index := range r.found.Indices {
		if i > 0 {
			p.w.Text(" ")
		}
		p.w.Text(layout.JoinInts(index, ","))
	}
	p.w.Line()
}

func (r *lookupResult) tree() Object {
	o := append(Object{{"offset", r.found.Offset}}, byteFields(r.t, r.found.Offset)...)
	indices := append([][]int64{}, r.found.Indices...)
	return append(o, Field{"indices", indices}, Field{"count", orNull(r.found.Count, r.found.Exact)})
}

// rows returns a row for each index at the offset.
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
	line := "offset " + p.palette.Title(Group(r.found.Offset)) + " "
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
	p.w.Line(wrap(line, p.options.Width))
}

// several lists the first indices at the offset.
func (r *lookupResult) several(p *Printer) string {
	words := "holds "
	if !r.found.Exact {
		words += "at least "
	}
	const most = 8
	positions := make([]string, min(len(r.found.Indices), most))
	for i := range positions {
		positions[i] = p.position(r.t.Layout(), r.found.Indices[i])
	}
	words += counted(r.found.Count, "element") + ": " + strings.Join(positions, "; ")
	if len(r.found.Indices) > most {
		words += " …"
	}
	return words
}

// unoccupied returns what is shown for an offset without an element, or where that is not certain.
func unoccupied(none facts.Verdict) string {
	if none == facts.Unknown {
		return "?"
	}
	return "x"
}

// padding says between which elements an offset lies that no element has.
func (r *lookupResult) padding(p *Printer) string {
	l := r.t.Layout()
	low, high := l.Bounds()
	switch {
	case l.Empty():
		return "is outside: the tensor has no elements"
	case r.found.Offset < low || r.found.Offset >= r.t.End():
		return "is outside: the elements lie at " + Group(low) + " to " + Group(high)
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
		return "offset " + Group(offset)
	}
	return p.position(r.t.Layout(), found.Indices[0]) + p.palette.Faint(" (offset "+Group(offset)+")")
}

// Elements writes the offset of every element in row-major order.
func (p *Printer) Elements(t layout.Tensor) error {
	if p.options.Format == CSV && p.options.Get == "" {
		return p.elementsCSV(t)
	}
	return p.Offsets(t, func(yield func([]int64, error) bool) {
		for index := range t.Layout().All() {
			if !yield(index, nil) {
				return
			}
		}
	})
}

// elementsCSV writes the rows that Offsets would, several times faster: the numbers of an index before the last are
// formatted once for as long as they stay the same, and rows are gathered in a buffer with room for the longest.
func (p *Printer) elementsCSV(t layout.Tensor) error {
	p.w.CSVRow(append(axisNames(t.Layout()), "offset", "byteOffset")...)
	rank, bytes := t.Layout().Rank(), t.DType().Bits()/8
	longest := (rank + 3) * len("-9223372036854775808,")
	buf := make([]byte, 0, 32<<10+longest)
	var outer []byte
	for index, offset := range t.Layout().All() {
		if rank > 0 {
			last := index[rank-1]
			if last == 0 {
				outer = appendInts(outer[:0], index[:rank-1])
			}
			buf = append(appendInt(append(buf, outer...), last), ',')
		}
		buf = append(appendInt(buf, offset), ',')
		if t.DType().Bits()%8 == 0 {
			buf = append(appendInt(buf, offset*bytes), '\n')
		} else {
			buf = append(append(buf, byteText(t, offset)...), '\n')
		}
		if cap(buf)-len(buf) < longest {
			if _, err := p.w.Write(buf); err != nil {
				return p.Flush()
			}
			buf = buf[:0]
		}
	}
	p.w.Write(buf)
	return p.Flush()
}

// appendInts appends numbers, each with a comma after it.
func appendInts(b []byte, list []int64) []byte {
	for _, n := range list {
		b = append(appendInt(b, n), ',')
	}
	return b
}

// pairs are the decimal digits of 0 to 99.
const pairs = "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849" +
	"5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899"

// powers are the powers of ten.
var powers = [...]uint64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
}

// appendInt is strconv.AppendInt, but three times as fast: it writes the digits in their place, in a buffer that has
// room for them.
func appendInt(b []byte, n int64) []byte {
	if n < 10 || cap(b)-len(b) < len(powers)+1 {
		return strconv.AppendInt(b, n, 10)
	}
	left := uint64(n)
	width := (bits.Len64(left) * 1233) >> 12 // log10(2) is 1233/4096; it may be one too few
	if left >= powers[min(width, len(powers)-1)] && width < len(powers) {
		width++
	}
	b = b[:len(b)+width]
	at := len(b)
	for ; left >= 100; left /= 100 {
		at -= 2
		copy(b[at:at+2], pairs[left%100*2:])
	}
	if left >= 10 {
		copy(b[at-2:at], pairs[left*2:])
	} else {
		b[at-1] = byte('0' + left)
	}
	return b
}

// stream writes results in the format of the options, up to the first error.
func (p *Printer) stream(t layout.Tensor, header []string, results iter.Seq2[result, error]) error {
	if p.options.Get != "" || p.options.Format == JSON {
		return p.streamTree(t, results)
	}
	var writeRow func(...string)
	switch p.options.Format {
	case CSV:
		p.w.CSVRow(header...)
		writeRow = p.w.CSVRow
	case Markdown:
		p.w.markdown(grid{header: header})
		writeRow = p.w.markdownRow
	}
	for r, err := range results {
		switch {
		case err != nil:
			return errors.Join(p.Flush(), err)
		case p.w.Failure() != nil:
			return p.Flush()
		case writeRow != nil:
			for _, row := range r.rows() {
				writeRow(row...)
			}
		case p.options.Format == Plain:
			r.plain(p)
		default:
			r.human(p)
		}
	}
	if p.options.Format == Table || p.options.Format == Markdown {
		p.paragraph(p.bufferLine()...)
	}
	return p.Flush()
}

// streamTree writes results as JSON, or the field that --get names, for which it reads no more results than that takes.
// The document is complete even after an error.
func (p *Printer) streamTree(t layout.Tensor, results iter.Seq2[result, error]) error {
	var fault error
	list := iter.Seq[any](func(yield func(any) bool) {
		for r, err := range results {
			if fault = err; err != nil || !yield(r.tree()) {
				return
			}
		}
	})
	err := p.writeTree(Document("offset", Field{"tensor", later(t)}, Field{"results", list}))
	if fault != nil {
		return errors.Join(p.Flush(), fault)
	}
	return err
}
