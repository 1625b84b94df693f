package render

import (
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
)

// maxListed is the maximum number of indices listed for an offset.
const maxListed = 1024

// Offsets writes the offset of each index, up to the first error.
func (p *Printer) Offsets(t layout.Tensor, indices iter.Seq2[[]int64, error]) error {
	header := append(t.Layout().AxisNames(), "offset", "byteOffset")
	return p.stream(ofTensor(t), header, func(yield func(Answer, error) bool) {
		r := &offsetResult{t: t}
		for index, err := range indices {
			if r.index = index; !yield(r, err) {
				return
			}
		}
	})
}

// At writes the elements at each offset, up to the first error. It reports whether every offset has one.
func (p *Printer) At(t layout.Tensor, offsets iter.Seq2[int64, error]) (all bool, err error) {
	all = true
	header := append([]string{"offset", "byteOffset", "count"}, t.Layout().AxisNames()...)
	err = p.stream(ofTensor(t), header, func(yield func(Answer, error) bool) {
		r := &lookupResult{t: t, inverse: analysis.NewInverse(t.Layout())}
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

// byteFields returns the first byte of an element and, for types smaller than a byte, the bit in it.
func byteFields(t layout.Tensor, offset int64) Object {
	bytes, bits := t.BitOffset(offset)
	_, beyond := layout.Mul(offset, t.DType().Bits()/8)
	o := Object{{"byteOffset", orNull(bytes, beyond == nil)}}
	if t.DType().Bits() < 8 {
		o = append(o, Field{"bitOffset", bits})
	}
	return o
}

func (r *offsetResult) records(*Printer) grid {
	return grid{rows: [][]string{append(intTexts(r.index), text(r.offset()), ByteText(r.t, r.offset()))}}
}

func intTexts(list []int64) []string {
	texts := make([]string, len(list), len(list)+2)
	for i, n := range list {
		texts[i] = text(n)
	}
	return texts
}

// page writes the dot product of index and strides: {1, 0, 1} · {6, 3, 1} = 1×6 + 0×3 + 1×1 = 7, and the result of a
// swizzle.
func (r *offsetResult) page(p *Printer) {
	l := r.t.Layout()
	line := "{" + strings.Join(p.axisTexts(r.index), ", ") + "}"
	if strides, ok := l.Affine().Strides(); ok && l.Rank() > 0 && l.Base() == 0 {
		times := " · "
		if p.options.ASCII {
			times = " * "
		}
		line += times + "{" + strings.Join(p.axisTexts(strides), ", ") + "}"
	}
	if terms := r.terms(p); len(terms) > 1 {
		line += " = " + strings.Join(terms, " + ")
	}
	if l.IsSwizzled() {
		line += " = " + text(l.Unswizzle(r.offset())) + ", swizzled"
	}
	line += " = " + p.palette.Title(text(r.offset())) + p.palette.Faint(" (byte "+ByteText(r.t, r.offset())+")")
	p.w.Line(p.wrap(line))
}

// terms returns the terms of the offset: the base unless it is 0, and each digit times its stride.
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

// digitsOf returns the digits of an index along an axis.
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
	inverse *analysis.Inverse
	found   analysis.Lookup
}

// none reports how certain it is that the offset has no element, if the search found no element.
func (r *lookupResult) none() analysis.Verdict {
	if r.found.Exact {
		return analysis.Yes
	}
	return analysis.Unknown
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
	where := r.where()
	return append(o, Field{"where", orNull(where, where != "")}, Field{"indices", indices},
		Field{"count", orNull(r.found.Count, r.found.Exact)})
}

// where returns "element" if the offset has an element, "padding" if the storage has it without an element, "outside"
// if the storage ends before it or starts after it, and an empty string if this is unknown.
func (r *lookupResult) where() string {
	low, _ := r.t.Layout().Bounds()
	switch {
	case r.found.Count > 0:
		return "element"
	case !r.found.Exact:
		return ""
	case r.t.Layout().Empty() || r.found.Offset < low || r.found.Offset >= r.t.End():
		return "outside"
	}
	return "padding"
}

// records has a row for each index at the offset.
func (r *lookupResult) records(*Printer) grid {
	count := text(r.found.Count)
	if !r.found.Exact {
		count = "?"
	}
	start := []string{text(r.found.Offset), ByteText(r.t, r.found.Offset), count}
	if r.found.Count == 0 {
		return grid{rows: [][]string{append(start, make([]string, r.t.Layout().Rank())...)}}
	}
	rows := make([][]string, len(r.found.Indices))
	for i, index := range r.found.Indices {
		rows[i] = append(slices.Clone(start), intTexts(index)...)
	}
	return grid{rows: rows}
}

func (r *lookupResult) page(p *Printer) {
	line := "offset " + p.palette.Title(Group(r.found.Offset)) + " "
	switch l, where := r.t.Layout(), r.where(); {
	case where == "":
		line += "is unknown: to find what lives there would take more work than allowed"
	case where == "outside":
		line += outside(l)
	case where == "padding":
		line += r.padding(p)
	case r.found.Count == 1:
		line += "is " + p.position(l, r.found.Indices[0]) +
			p.palette.Faint(" (byte "+groupWords(ByteText(r.t, r.found.Offset))+")") + inBlock(l, r.found.Indices[0])
	default:
		line += r.several(p)
	}
	p.w.Line(p.wrap(line))
}

// inBlock describes the block of an index, and the position in it, for the axes in blocks. It returns an empty string
// if no axis is in blocks.
func inBlock(l layout.Layout, index []int64) string {
	var block, place []string
	for i, n := range index {
		if size := l.Axis(i).Block(); size > 1 {
			name := ""
			if l.Named() {
				name = l.AxisName(i) + "="
			}
			block, place = append(block, name+text(n/size)), append(place, name+text(n%size))
		}
	}
	if block == nil {
		return ""
	}
	return ": block [" + strings.Join(block, ", ") + "], place [" + strings.Join(place, ", ") + "] in it"
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
	words += Counted(r.found.Count, "element") + ": " + strings.Join(positions, "; ")
	if len(r.found.Indices) > most {
		words += " …"
	}
	return words
}

// unoccupied returns the mark for an offset without an element, or an offset that may be without one.
func unoccupied(none analysis.Verdict) string {
	if none == analysis.Unknown {
		return "?"
	}
	return "x"
}

// outside describes an offset outside of the storage.
func outside(l layout.Layout) string {
	if l.Empty() {
		return "is outside: the tensor has no elements"
	}
	low, high := l.Bounds()
	return "is outside: the elements lie at " + Group(low) + " to " + Group(high)
}

// padding describes an offset without an element by its neighbours.
func (r *lookupResult) padding(p *Printer) string {
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
	l := t.Layout()
	if p.options.Format == CSV && p.options.Get == "" && l.Rank() > 0 && !l.Empty() && !l.IsSwizzled() {
		return p.elementsCSV(t)
	}
	return p.Offsets(t, func(yield func([]int64, error) bool) {
		for index := range l.All() {
			if !yield(index, nil) {
				return
			}
		}
	})
}

// elementsCSV writes the same rows as Offsets for a tensor with axes and elements, many times faster. It formats the
// leading numbers of an index only once for each run along the innermost digit. In a run, the other numbers grow by a
// constant step. It collects rows in a buffer.
func (p *Printer) elementsCSV(t layout.Tensor) error {
	l := t.Layout()
	rank, bytes := l.Rank(), t.DType().Bits()/8
	p.w.CSVRow(append(l.AxisNames(), "offset", "byteOffset")...)
	last, axes := l.Axis(rank-1), l.Axes()
	digit := last.Digit(last.Digits() - 1)
	axes[rank-1] = layout.NewAxis(last.Name(), 1, layout.Digit{Extent: 1})
	outer, err := layout.New(l.Base(), axes...)
	if err != nil {
		return err
	}
	rows := csvRows{w: &p.w, tensor: t}
	write := rows.write
	if t.DType().Bits()%8 != 0 || layout.Magnitude(digit.Stride*bytes) >= packed {
		write = rows.writeEach
	}
	rows.columns[0].setStep(1)
	rows.columns[1].setStep(digit.Stride)
	rows.columns[2].setStep(digit.Stride * bytes)
	for index := range outer.All() {
		rows.before = rows.before[:0]
		for _, n := range index[:rank-1] {
			rows.before = append(strconv.AppendInt(rows.before, n, 10), ',')
		}
		for first := int64(0); first < last.Size(); first += digit.Extent {
			index[rank-1] = first
			offset, _ := l.Offset(index)
			rows.columns[0].value = first
			rows.columns[1].value = offset
			rows.columns[2].value = offset * bytes
			if !write(min(digit.Extent, last.Size()-first)) {
				return p.Flush()
			}
		}
		index[rank-1] = 0
	}
	p.w.Write(rows.buf)
	return p.Flush()
}

// csvRows writes rows of elements.
type csvRows struct {
	w       *Writer
	buf     []byte // complete rows to write
	row     []byte
	tensor  layout.Tensor
	before  []byte    // the numbers of an index before the last one
	columns [3]column // the last number of an index, the offset, and the offset in bytes if that is whole
}

// fullRows is the number of bytes of rows that are collected before a write.
const fullRows = 32 << 10

// write writes the next n rows, and reports success.
func (r *csvRows) write(n int64) bool {
	for n > 0 {
		row, same := append(r.row[:0], r.before...), n // same: rows that only differ in the last digits
		for i := range r.columns {
			row, same = r.columns[i].place(row, same)
			row = append(row, ",,\n"[i])
		}
		row = append(row, "12345678"...) // columns read and write eight bytes, even beyond the row
		for i := range r.columns {
			r.columns[i].begin(row)
		}
		row = row[:len(row)-8]
		same = min(same, int64((fullRows-len(r.buf))/len(row)+1))
		end := len(r.buf) + int(same)*len(row)
		r.buf = slices.Grow(r.buf, end-len(r.buf)+8)
		r.fill(r.buf[len(r.buf):end+8], row)
		for i := range r.columns {
			r.columns[i].value += same * r.columns[i].step
		}
		n, r.row, r.buf = n-same, row, r.buf[:end]
		if !r.flush() {
			return false
		}
	}
	return true
}

// fill writes copies of a row, and eight bytes after them.
func (r *csvRows) fill(buf, row []byte) {
	a, b, c := r.columns[0], r.columns[1], r.columns[2]
	for ; len(buf) > 8; buf = buf[len(row):] {
		copy(buf, row)
		a.next(buf)
		b.next(buf)
		c.next(buf)
	}
}

// writeEach is like write, but for steps of more than eight digits, and for elements that may start inside a byte.
func (r *csvRows) writeEach(n int64) bool {
	whole := r.tensor.DType().Bits()%8 == 0
	for ; n > 0; n-- {
		index, offset, bytes := &r.columns[0], &r.columns[1], &r.columns[2]
		buf := append(strconv.AppendInt(append(r.buf, r.before...), index.value, 10), ',')
		buf = append(strconv.AppendInt(buf, offset.value, 10), ',')
		if whole {
			buf = strconv.AppendInt(buf, bytes.value, 10)
		} else {
			buf = appendByteText(buf, r.tensor, offset.value)
		}
		r.buf = append(buf, '\n')
		index.value += index.step
		offset.value += offset.step
		bytes.value += bytes.step
		if !r.flush() {
			return false
		}
	}
	return true
}

// flush writes the rows if the buffer is full.
func (r *csvRows) flush() bool {
	if len(r.buf) < fullRows {
		return true
	}
	_, err := r.w.Write(r.buf)
	r.buf = r.buf[:0]
	return err == nil
}

// ofTensor returns the start of a document about a tensor.
func ofTensor(t layout.Tensor) Object { return Document("offset", Field{"tensor", later(t)}) }

// stream writes results in the format of the options, up to the first error. Head is the part of a document before
// them.
func (p *Printer) stream(head Object, header []string, results iter.Seq2[Answer, error]) error {
	if p.options.Get != "" || p.options.Format == JSON {
		return p.streamTree(head, results)
	}
	if p.options.Format == Table || p.options.Format == Markdown {
		p.paragraph(p.bufferLine()...)
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
			for _, row := range r.records(p).rows {
				writeRow(row...)
			}
		case p.options.Format == Plain:
			r.plain(p)
		default:
			r.page(p)
		}
	}
	return p.Flush()
}

// streamTree writes results as JSON, or the field in --get, and reads no more results than necessary. The document is
// complete even after an error.
func (p *Printer) streamTree(head Object, results iter.Seq2[Answer, error]) error {
	var fault error
	list := iter.Seq[any](func(yield func(any) bool) {
		for r, err := range results {
			if fault = err; err != nil || !yield(r.tree()) {
				return
			}
		}
	})
	err := p.writeTree(append(head, Field{"results", list}))
	if fault != nil {
		return errors.Join(p.Flush(), fault)
	}
	return err
}
