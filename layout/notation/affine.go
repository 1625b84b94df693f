package notation

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
)

// fitsAffine knows an affine map, in a memref or alone.
func fitsAffine(text string) bool {
	return isMLIRType(text, "memref") && strings.Contains(text, "affine_map") || isMLIRType(text, "affine_map")
}

// readAffine reads a memref with a map. A map alone says no sizes.
func readAffine(r *reader) {
	if r.space(); strings.HasPrefix(r.text[r.pos:], "affine_map") {
		r.unexpectedHint("such as memref<2x3xf32, affine_map<(d0, d1) -> (d0 * 4 + d1)>>", "the map says no sizes")
	}
	readMemref(r)
}

// mapLayout reads <(d0, d1) -> (...)>. The results are indices into a row-major buffer, each as
// long as the range of its result.
func (r *reader) mapLayout(m *memref) {
	m.laid = true
	p := affineReader{reader: r, sizes: m.sizes}
	r.open("<")
	at := r.pos
	p.inputs("(", ")")
	if p.dims = len(p.names); r.err == nil && p.dims != len(m.sizes) {
		r.fail(at, "", "the map has %d inputs, the memref %d sizes", p.dims, len(m.sizes))
	}
	if r.space(); r.peek() == '[' {
		p.inputs("[", "]")
	}
	r.expect("->")
	results := p.results()
	r.close(">")
	if r.err == nil {
		whole, storage := r.flattened(m, results)
		m.base, m.storage = whole.base, storage
		m.axes = r.affineAxes(at, whole.terms, m.sizes)
	}
}

// mapped gives the tensor of a map the storage that its results range over.
func (r *reader) mapped(m *memref) {
	if r.err != nil {
		return
	}
	l := r.found[len(r.found)-1].Tensor.Layout()
	if low, _ := l.Bounds(); low < 0 || l.Base() < 0 {
		r.fail(m.at, "", "the map leads to %d, before the first element of the buffer", min(low, l.Base()))
	}
	if !l.Empty() {
		r.reserve(m.storage)
	}
}

// flattened returns the offset in the buffer as one sum, and how many elements the buffer has.
func (r *reader) flattened(m *memref, results []affineSum) (whole affineSum, storage int64) {
	storage = 1
	for i := len(results) - 1; i >= 0; i-- {
		s := results[i]
		low, high := r.affineRange(s, m.sizes)
		if low < 0 && len(results) > 1 {
			r.fail(m.at, "", "result %d of the map falls to %d, which is no index", i, low)
		}
		whole.base = r.plus(whole.base, s.base, storage)
		for _, t := range s.terms {
			t.coefficient = r.times(t.coefficient, storage)
			whole.terms = append(whole.terms, t)
		}
		storage = r.times(storage, r.plus(high, 1, 1))
	}
	return whole, storage
}

// affineRange returns the least result, and the greatest, where a mod counts in full.
func (r *reader) affineRange(s affineSum, sizes []int64) (low, high int64) {
	low, high = s.base, s.base
	for _, t := range s.terms {
		last := layout.CeilDiv(max(sizes[t.axis], 1), t.div) - 1
		if t.coefficient < 0 {
			if t.mod > 0 {
				last = min(last, t.mod-1)
			}
			low = r.plus(low, t.coefficient, last)
			continue
		}
		if t.mod > 0 {
			last = t.mod - 1
		}
		high = r.plus(high, t.coefficient, last)
	}
	return low, high
}

// plus returns sum + a*b, and notes a result that does not fit.
func (r *reader) plus(sum, a, b int64) int64 {
	n, err := layout.Dot([]int64{sum, a}, []int64{1, b})
	r.fault(err)
	return n
}

// affineAxes turns the terms of each axis into digits.
func (r *reader) affineAxes(at int, terms []affineTerm, sizes []int64) []layout.Axis {
	slices.SortStableFunc(terms, func(a, b affineTerm) int { return a.axis - b.axis })
	axes := make([]layout.Axis, len(sizes))
	for i, size := range sizes {
		n := 0
		for n < len(terms) && terms[n].axis == i {
			n++
		}
		axes[i] = layout.NewAxis("", size, r.affineDigits(at, i, terms[:n], size)...)
		terms = terms[n:]
	}
	return axes
}

// affineDigits returns the digits between the points where floordiv and mod cut an axis. Cuts
// that change nothing, for they lie beyond the axis, do not count if they do not fit in.
func (r *reader) affineDigits(at, axis int, terms []affineTerm, size int64) []layout.Digit {
	var buf [8]int64
	points, ok := cutPoints(buf[:0], terms)
	if !ok {
		terms = slices.DeleteFunc(terms, func(t affineTerm) bool { return t.div >= max(size, 1) })
		for i := range terms {
			if t := &terms[i]; !t.bites(size) {
				t.mod = 0
			}
		}
		points, ok = cutPoints(buf[:0], terms)
	}
	if !ok {
		r.fail(at, "each floordiv and mod must divide the next larger one", "the map cuts axis %d at %s, which are no digits", axis, layout.JoinInts(points[:min(len(points), 8)], ", "))
		return nil
	}
	digits := make([]layout.Digit, len(points))
	for i, p := range points {
		extent := layout.CeilDiv(size, p)
		if i < len(points)-1 {
			extent = points[i+1] / p
		}
		digits[len(points)-1-i] = layout.Digit{Extent: extent, Stride: r.affineStride(terms, p)}
	}
	return digits
}

// affineStride is how far a step of p indices goes, from a cut on to the next.
func (r *reader) affineStride(terms []affineTerm, p int64) (stride int64) {
	for _, t := range terms {
		if t.div <= p && (t.mod == 0 || p/t.div < t.mod) {
			stride = r.plus(stride, t.coefficient, p/t.div)
		}
	}
	return stride
}

// cutPoints appends the points where the terms cut their axis to buf, and reports whether each
// divides the next.
func cutPoints(buf []int64, terms []affineTerm) (points []int64, ok bool) {
	points = append(buf, 1)
	for _, t := range terms {
		points = append(points, t.div)
		if t.mod > 0 {
			points = append(points, t.div*t.mod)
		}
	}
	slices.Sort(points)
	points = slices.Compact(points)
	for i := range points[1:] {
		if points[i+1]%points[i] != 0 {
			return points, false
		}
	}
	return points, true
}

// An affineSum is a result of a map: a constant and terms of the inputs.
type affineSum struct {
	base  int64
	terms []affineTerm
}

// An affineTerm is coefficient * (input floordiv div mod mod); without a mod, mod is 0. The
// product of div and mod fits in int64.
type affineTerm struct {
	axis                  int
	div, mod, coefficient int64
}

// bites reports whether the mod of a term ever changes it, along an axis of that size.
func (t affineTerm) bites(size int64) bool { return t.mod > 0 && t.mod < layout.CeilDiv(size, t.div) }

// An affineReader reads the expressions of a map.
type affineReader struct {
	*reader
	sizes []int64
	names []string // of the inputs, those of symbols behind
	dims  int      // how many are no symbols
}

// inputs reads the names of inputs.
func (p *affineReader) inputs(open, closing string) {
	p.open(open)
	for first := true; !p.take(closing) && p.err == nil; first = false {
		if !first {
			p.expect(",")
		}
		p.space()
		at := p.pos
		name := p.word()
		switch {
		case name == "" || isDigit(name[0]):
			p.fail(at, "such as d0", "the name of an input is expected here")
		case slices.Contains(p.names, name):
			p.fail(at, "", "two inputs are named %s", name)
		case len(p.names) > 2*layout.MaxRank:
			p.fail(at, "", "more than %d inputs", 2*layout.MaxRank)
		}
		p.names = append(p.names, name)
	}
	p.depth--
}

// results reads the results of the map.
func (p *affineReader) results() []affineSum {
	var results []affineSum
	p.open("(")
	for !p.take(")") && p.err == nil {
		if len(results) > 0 {
			p.expect(",")
		}
		if results = append(results, p.sum()); len(results) > layout.MaxDigits {
			p.unexpected("more than %d results", layout.MaxDigits)
		}
	}
	p.depth--
	return results
}

// sum reads products with + and - between them.
func (p *affineReader) sum() affineSum {
	s := p.product()
	for p.err == nil {
		sign := int64(1)
		if !p.take("+") {
			if !p.take("-") {
				break
			}
			sign = -1
		}
		next := p.scaled(p.product(), sign)
		s.base = p.plus(s.base, next.base, 1)
		if s.terms = append(s.terms, next.terms...); len(s.terms) > layout.MaxDigits {
			p.unexpected("more than %d terms in a sum", layout.MaxDigits)
		}
	}
	return s
}

// product reads operands with *, floordiv and mod between them, from left to right.
func (p *affineReader) product() affineSum {
	s := p.operand()
	for p.err == nil {
		p.space()
		at := p.pos
		switch {
		case p.take("*"):
			s = p.multiplied(at, s, p.operand())
		case p.takeWord("floordiv"):
			s = p.divided(at, s, p.divisor(), false)
		case p.takeWord("mod"):
			s = p.divided(at, s, p.divisor(), true)
		case p.takeWord("ceildiv"):
			s = p.ceiling(at, s, p.divisor())
		default:
			return s
		}
	}
	return s
}

// takeWord is take for a word, which may not go on.
func (p *affineReader) takeWord(word string) bool {
	start := p.pos
	if p.word() == word {
		return true
	}
	p.pos = start
	return false
}

// operand reads a number, an input, or a sum in brackets, with a sign or several.
func (p *affineReader) operand() affineSum {
	sign := int64(1)
	for p.take("-") {
		sign = -sign
	}
	p.space()
	var s affineSum
	switch c := p.peek(); {
	case c == '(':
		p.open("(")
		s = p.sum()
		p.close(")")
	case isDigit(c):
		s.base = p.mlirNumber("the number")
	default:
		s = p.input()
	}
	return p.scaled(s, sign)
}

// input reads the name of an input. Symbols have no values here.
func (p *affineReader) input() affineSum {
	at := p.pos
	name := p.word()
	axis := slices.Index(p.names, name)
	switch {
	case name == "":
		p.unexpected("%s is no operand of an affine map", p.rest())
	case axis < 0:
		p.fail(at, "", "%s is no input of the map", name)
	case axis >= p.dims:
		p.fail(at, "write its value in its place", "the value of the symbol %s is not known", name)
	}
	return affineSum{terms: []affineTerm{{axis: axis, div: 1, coefficient: 1}}}
}

// scaled multiplies a sum by a number.
func (p *affineReader) scaled(s affineSum, by int64) affineSum {
	s.base = p.times(s.base, by)
	for i := range s.terms {
		s.terms[i].coefficient = p.times(s.terms[i].coefficient, by)
	}
	if by == 0 {
		s.terms = nil
	}
	return s
}

// multiplied multiplies two sums, one of which is a number.
func (p *affineReader) multiplied(at int, a, b affineSum) affineSum {
	switch {
	case len(b.terms) == 0:
		return p.scaled(a, b.base)
	case len(a.terms) == 0:
		return p.scaled(b, a.base)
	}
	p.fail(at, "", "a product of two inputs is not affine")
	return affineSum{}
}

// divisor reads what stands behind floordiv and mod: a positive number.
func (p *affineReader) divisor() int64 {
	p.space()
	at := p.pos
	s := p.operand()
	if p.err == nil && (len(s.terms) > 0 || s.base < 1) {
		p.fail(at, "", "it takes a positive number to divide by")
	}
	return max(s.base, 1)
}

// ceiling is ceildiv, of a number or where it is as good as a division without rest.
func (p *affineReader) ceiling(at int, s affineSum, by int64) affineSum {
	if len(s.terms) == 0 && p.err == nil {
		return affineSum{base: -floorDiv(-s.base, by)}
	}
	if by > 1 {
		p.fail(at, "floordiv and mod are", "ceildiv is no digit of an index")
	}
	return s
}

// divided divides by a number: floordiv, or mod. Of the terms all but one have to be multiples
// of it, and that one has to divide it, so that a part of an input is left.
func (p *affineReader) divided(at int, s affineSum, by int64, mod bool) affineSum {
	if len(s.terms) == 0 {
		quotient := floorDiv(s.base, by)
		if mod {
			return affineSum{base: s.base - quotient*by}
		}
		return affineSum{base: quotient}
	}
	result := affineSum{base: s.base / by}
	if mod {
		result.base = 0
	}
	others := 0
	for _, t := range s.terms {
		switch multiple := t.coefficient%by == 0; {
		case multiple && mod:
		case multiple:
			t.coefficient /= by
			result.terms = append(result.terms, t)
		default:
			others++
			result.terms = p.part(at, result.terms, t, by, mod)
		}
	}
	if s.base%by != 0 || others > 1 {
		p.fail(at, "divide each input before they are added", "a sum divided by %d is no digit of one input", by)
	}
	return result
}

// part appends a term that is divided by a number which its coefficient divides.
func (p *affineReader) part(at int, terms []affineTerm, t affineTerm, by int64, mod bool) []affineTerm {
	if t.coefficient < 0 || by%t.coefficient != 0 {
		p.fail(at, "", "%d times an input, divided by %d, is no digit of it", t.coefficient, by)
		return terms
	}
	n := by / t.coefficient
	if !mod {
		t.coefficient = 1
	}
	switch bites := t.bites(p.sizes[t.axis]); {
	case mod && (t.mod == 0 || t.mod%n == 0 || !bites && n < t.mod):
		t.mod = n
	case mod && n >= t.mod:
	case mod:
		p.fail(at, "", "mod %d of mod %d is no digit of an input", n, t.mod)
	case t.mod > 0 && t.mod <= n:
		return terms
	case t.mod > 0 && t.mod%n != 0 && bites:
		p.fail(at, "", "mod %d divided by %d is no digit of an input", t.mod, n)
	default:
		t.mod = layout.CeilDiv(t.mod, n)
		t.div = p.times(t.div, n)
	}
	if t.mod > 0 && t.mod > math.MaxInt64/max(t.div, 1) {
		t.mod = 0 // beyond any size
	}
	return append(terms, t)
}

// floorDiv divides by a positive number and rounds down.
func floorDiv(n, by int64) int64 {
	q := n / by
	if n%by < 0 {
		q--
	}
	return q
}

// writeAffine writes a memref with a map: of strides where the axes have one each, of tiles where
// they are in blocks without gaps, and else a sum of digits.
func writeAffine(t layout.Tensor) (string, error) {
	l := t.Layout()
	if low, _ := l.Bounds(); low < 0 || l.Base() < 0 {
		return "", lost(t, "its results are indices into a buffer, and the least offset is %d", min(low, l.Base()))
	}
	dtype, err := spelled(t, t.DType().Info().MLIR)
	if err != nil {
		return "", err
	}
	b := appendDimensions(make([]byte, 0, 160), "memref", l.Sizes(), dtype)
	b = append(b, ", affine_map<("...)
	for i := range l.Rank() {
		b = appendInput(appendComma(b, i), i)
	}
	b = append(b, ") -> ("...)
	if strides, ok := l.LinearStrides(); ok {
		b = appendSum(b, l, strides)
	} else if g, err := tagOf(t, true); err == nil {
		b = g.appendTiled(b)
	} else {
		b = appendDigits(b, l)
	}
	return string(append(b, ")>>"...)), nil
}

// appendComma separates the items of a list.
func appendComma(b []byte, i int) []byte {
	if i > 0 {
		return append(b, ", "...)
	}
	return b
}

// appendInput writes the name of the input of an axis.
func appendInput(b []byte, axis int) []byte {
	return strconv.AppendInt(append(b, 'd'), int64(axis), 10)
}

// appendPart writes floordiv and mod behind an input. A div of 1, or a mod of 0, is none.
func appendPart(b []byte, axis int, div, mod int64) []byte {
	b = appendInput(b, axis)
	if div > 1 {
		b = strconv.AppendInt(append(b, " floordiv "...), div, 10)
	}
	if mod > 0 {
		b = strconv.AppendInt(append(b, " mod "...), mod, 10)
	}
	return b
}

// An affineWriter writes a sum, whose first term has no + before it.
type affineWriter struct {
	b     []byte
	terms int
}

// plus goes on to the next term.
func (w *affineWriter) plus() {
	if w.terms++; w.terms > 1 {
		w.b = append(w.b, " + "...)
	}
}

// term adds a part of an input times a coefficient, if that is not 0.
func (w *affineWriter) term(axis int, div, mod, coefficient int64) {
	if coefficient == 0 {
		return
	}
	w.plus()
	whole := div == 1 && mod == 0 || coefficient == 1
	if !whole {
		w.b = append(w.b, '(')
	}
	w.b = appendPart(w.b, axis, div, mod)
	if !whole {
		w.b = append(w.b, ')')
	}
	if coefficient != 1 {
		w.b = strconv.AppendInt(append(w.b, " * "...), coefficient, 10)
	}
}

// base ends the sum with the constant. A sum of nothing is 0.
func (w *affineWriter) base(base int64) []byte {
	if base != 0 || w.terms == 0 {
		w.plus()
		w.b = strconv.AppendInt(w.b, base, 10)
	}
	return w.b
}

// appendSum writes one result of strides.
func appendSum(b []byte, l layout.Layout, strides []int64) []byte {
	w := affineWriter{b: b}
	for axis, stride := range strides {
		w.term(axis, 1, 0, stride)
	}
	return w.base(l.Base())
}

// appendDigits writes one result of any digits.
func appendDigits(b []byte, l layout.Layout) []byte {
	w := affineWriter{b: b}
	for i := range l.Rank() {
		axis := l.Axis(i)
		div := axis.Block()
		w.term(i, div, 0, axis.Digit(0).Stride)
		for k := 1; k < axis.Digits(); k++ {
			d := axis.Digit(k)
			div /= d.Extent
			w.term(i, div, d.Extent, d.Stride)
		}
	}
	return w.base(l.Base())
}

// appendTiled writes a result for each axis, and for each block.
func (g tag) appendTiled(b []byte) []byte {
	left := make([]int64, len(g.order))
	for i := range left {
		left[i] = 1
	}
	for _, block := range g.blocks {
		left[block.axis] *= block.Extent
	}
	for i, axis := range g.order {
		b = appendPart(appendComma(b, i), axis, left[axis], 0)
	}
	for _, block := range g.blocks {
		left[block.axis] /= block.Extent
		b = appendPart(append(b, ", "...), block.axis, left[block.axis], block.Extent)
	}
	return b
}

// mapSize is the size of the buffer that the results of the written map range over.
func mapSize(t layout.Tensor) ([]Size, error) {
	text, err := writeAffine(t)
	if err != nil {
		return nil, err
	}
	r := &reader{text: text}
	if readMemref(r); r.err != nil {
		return nil, r.err
	}
	n := r.found[0].Tensor.Storage()
	return []Size{{"elements after --normalize-memrefs", n, t.Bytes(n)}}, nil
}
