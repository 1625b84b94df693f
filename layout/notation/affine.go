package notation

import (
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// readAffine reads a memref with a map. A map alone has no sizes.
func readAffine(of *reader) {
	r := memrefReader{of}
	_, count := r.find(r.starts)
	if r.Space(); count == 0 && r.Is("affine_map") {
		r.Fail(r.Pos, "such as memref<2x3xf32, affine_map<(d0, d1) -> (d0 * 4 + d1)>>", "the map has no sizes")
	}
	readMLIR(of)
}

// An affineSum is one result of a map: a constant, and the sum of the inputs' digits times their strides. The outermost
// digit of an input has extent 0.
type affineSum struct {
	base  int64
	terms []part
}

// mapLayout reads <(d0, d1) -> (...)>. The results index a row-major buffer with one axis for each result, as long as
// the range of that result.
func (r memrefReader) mapLayout(m *memref) {
	m.laid = true
	p := affineReader{memrefReader: r}
	r.Open("<")
	at := r.Pos
	p.inputs("(", ")")
	if p.dims = len(p.names); r.Err == nil && p.dims != len(m.sizes) {
		r.Fail(at, "", "the map has %s, but the memref has %s", wording.Count(p.dims, "input"),
			wording.Count(len(m.sizes), "size"))
	}
	if r.Space(); r.Peek() == '[' {
		p.inputs("[", "]")
	}
	r.Expect("->")
	results := p.results()
	r.Close(">")
	if r.Err == nil {
		whole, storage := r.flattened(m, results)
		m.base, m.storage = whole.base, storage
		m.axes = make([]layout.Axis, len(m.sizes))
		for i, size := range m.sizes {
			others := func(t part) bool { return t.axis != i }
			terms := slices.DeleteFunc(slices.Clone(whole.terms), others)
			m.axes[i] = layout.NewAxis("", size, r.affineDigits(at, i, terms, size)...)
		}
	}
}

// An affineReader reads the expressions of a map.
type affineReader struct {
	memrefReader
	names []string // the names of the inputs, then of the symbols
	dims  int      // the number of inputs
}

// inputs reads the names of the inputs.
func (p *affineReader) inputs(open, closing string) {
	p.Each(open, closing, func(int) {
		at := p.Pos
		name := p.Word()
		switch {
		case name == "" || lexer.IsDigit(name[0]):
			p.Fail(at, "such as d0", "expected the name of an input")
		case slices.Contains(p.names, name):
			p.Fail(at, "", "two inputs are named %s", name)
		case len(p.names) > 2*layout.MaxRank:
			p.Fail(at, "", "more than %d inputs", 2*layout.MaxRank)
		}
		p.names = append(p.names, name)
	})
}

// results reads the results of the map.
func (p *affineReader) results() []affineSum {
	var results []affineSum
	p.Each("(", ")", func(int) {
		if results = append(results, p.sum()); len(results) > layout.MaxDigits {
			p.Unexpected("more than %d results", layout.MaxDigits)
		}
	})
	return results
}

// sum reads products with + and - between them.
func (p *affineReader) sum() affineSum {
	s := p.product()
	for p.Err == nil {
		sign := int64(1)
		if !p.Take("+") {
			if !p.Take("-") {
				break
			}
			sign = -1
		}
		next := p.scaled(p.product(), sign)
		s.base = p.plus(s.base, next.base, 1)
		if s.terms = append(s.terms, next.terms...); len(s.terms) > layout.MaxDigits {
			p.Unexpected("more than %d terms in a sum", layout.MaxDigits)
		}
	}
	return s
}

// product reads operands with *, floordiv and mod between them, from left to right.
func (p *affineReader) product() affineSum {
	s := p.operand()
	for p.Err == nil {
		p.Space()
		at := p.Pos
		if p.Take("*") {
			switch by := p.operand(); {
			case len(by.terms) == 0:
				s = p.scaled(s, by.base)
			case len(s.terms) == 0:
				s = p.scaled(by, s.base)
			default:
				p.Fail(at, "", "a product of two inputs is not affine")
			}
			continue
		}
		switch p.Word() {
		case "floordiv":
			s = p.divided(at, s, p.divisor(), false)
		case "mod":
			s = p.divided(at, s, p.divisor(), true)
		case "ceildiv":
			p.Fail(at, "floordiv and mod are", "ceildiv is not a digit of an index")
		default:
			p.Pos = at
			return s
		}
	}
	return s
}

// operand reads a number, an input, or a sum in parentheses, after any number of signs.
func (p *affineReader) operand() affineSum {
	sign := int64(1)
	for p.Take("-") {
		sign = -sign
	}
	p.Space()
	var s affineSum
	switch c := p.Peek(); {
	case c == '(':
		p.Open("(")
		s = p.sum()
		p.Close(")")
	case lexer.IsDigit(c):
		s.base = p.mlirNumber("the number")
	default:
		s = p.input()
	}
	return p.scaled(s, sign)
}

// input reads the name of an input, or of a symbol, which must have a value in the options.
func (p *affineReader) input() affineSum {
	at := p.Pos
	name := p.Word()
	axis := slices.Index(p.names, name)
	if axis >= p.dims {
		if n, ok := p.Given(name); ok {
			return affineSum{base: n}
		}
	}
	switch {
	case name == "":
		p.Unexpected("%s is not an operand of an affine map", p.Rest())
	case axis < 0:
		p.Fail(at, "", "%s is not an input of the map", name)
	case axis >= p.dims:
		p.Fail(at, "--dim "+name+"=8 gives it a value", "the value of the symbol %s is not known", name)
	}
	return affineSum{terms: []part{{layout.Digit{Stride: 1}, axis, 1}}}
}

// scaled multiplies a sum by a number.
func (p *affineReader) scaled(s affineSum, by int64) affineSum {
	s.base = p.times(s.base, by)
	for i := range s.terms {
		s.terms[i].Stride = p.times(s.terms[i].Stride, by)
	}
	if by == 0 {
		s.terms = nil
	}
	return s
}

// divisor reads the positive number after floordiv or mod.
func (p *affineReader) divisor() int64 {
	p.Space()
	at := p.Pos
	s := p.operand()
	if p.Err == nil && (len(s.terms) > 0 || s.base < 1) {
		p.Fail(at, "", "the number to divide by has to be positive")
	}
	return max(s.base, 1)
}

// divided applies floordiv or mod by a number to a digit of an input. The result is a digit if the number is a multiple
// of the stride and divides the extent.
func (p *affineReader) divided(at int, s affineSum, by int64, mod bool) affineSum {
	if len(s.terms) != 1 || s.base != 0 {
		p.Fail(at, "divide each input before they are added", "a sum divided by %d is not a digit of one input", by)
		return s
	}
	t := &s.terms[0]
	if t.Stride <= 0 || by%t.Stride != 0 {
		p.Fail(at, "", "%d times an input, divided by %d, is not a digit of it", t.Stride, by)
		return s
	}
	n := by / t.Stride
	if t.Extent%n != 0 {
		p.Fail(at, "", "a digit of %s, divided by %d, is not a digit of an input", wording.Count(t.Extent, "step"), n)
	}
	if mod {
		t.Extent = n
	} else {
		t.Stride, t.Extent, t.weight = 1, t.Extent/n, p.times(t.weight, n)
	}
	if _, err := layout.Mul(t.weight, t.Extent); err != nil {
		t.Extent = 0 // the mod is beyond any size
	}
	return s
}

// flattened returns the offset in the buffer as one sum, and the number of elements in the buffer.
func (r memrefReader) flattened(m *memref, results []affineSum) (whole affineSum, storage int64) {
	storage = 1
	for i, s := range slices.Backward(results) {
		low, high := r.affineRange(s, m.sizes)
		if low < 0 && len(results) > 1 {
			r.Fail(m.at, "", "result %d of the map falls to %d, which is not an index", i, low)
		}
		whole.base = r.plus(whole.base, s.base, storage)
		for _, t := range s.terms {
			t.Stride = r.times(t.Stride, storage)
			whole.terms = append(whole.terms, t)
		}
		storage = r.times(storage, r.plus(high, 1, 1))
	}
	return whole, storage
}

// affineRange returns the least and the greatest result, assuming that each mod takes all its values.
func (r memrefReader) affineRange(s affineSum, sizes []int64) (low, high int64) {
	low, high = s.base, s.base
	for _, t := range s.terms {
		last := layout.CeilDiv(max(sizes[t.axis], 1), t.weight) - 1
		if t.Stride < 0 {
			if t.Extent > 0 {
				last = min(last, t.Extent-1)
			}
			low = r.plus(low, t.Stride, last)
			continue
		}
		if t.Extent > 0 {
			last = t.Extent - 1
		}
		high = r.plus(high, t.Stride, last)
	}
	return low, high
}

// plus returns sum + a*b.
func (r *reader) plus(sum, a, b int64) int64 {
	n, err := layout.Dot([]int64{sum, a}, []int64{1, b})
	r.Fault(err)
	return n
}

// affineDigits returns the digits between the indices where floordiv and mod cut an axis. The stride of a digit is the
// sum of the strides of the terms that change with it.
func (r memrefReader) affineDigits(at, axis int, terms []part, size int64) []layout.Digit {
	cuts := affineCuts(terms)
	if !divide(cuts) { // digits beyond the axis change nothing
		cuts = slices.DeleteFunc(cuts, func(cut int64) bool { return cut > 1 && cut >= size })
	}
	if !divide(cuts) {
		r.Fail(at, "each floordiv and mod must divide the next larger one",
			"the map cuts axis %d at %s, which are not digits",
			axis, layout.JoinInts(cuts[:min(len(cuts), 8)], ", "))
		return nil
	}
	digits := make([]layout.Digit, len(cuts))
	for i, cut := range cuts {
		extent := layout.CeilDiv(size, cut)
		if i+1 < len(cuts) {
			extent = cuts[i+1] / cut
		}
		stride := int64(0)
		for _, t := range terms {
			if steps := cut / t.weight; steps > 0 && (t.Extent == 0 || steps < t.Extent) {
				stride = r.plus(stride, t.Stride, steps)
			}
		}
		digits[len(cuts)-1-i] = layout.Digit{Extent: extent, Stride: stride}
	}
	return digits
}

// affineCuts returns, in increasing order, the first index along an axis with a nonzero value of each digit.
func affineCuts(terms []part) []int64 {
	cuts := append(make([]int64, 0, 8), 1)
	for _, t := range terms {
		cuts = append(cuts, t.weight)
		if t.Extent > 0 {
			cuts = append(cuts, t.weight*t.Extent) // divided has checked this product
		}
	}
	slices.Sort(cuts)
	return slices.Compact(cuts)
}

// divide reports whether each of the numbers divides the next.
func divide(numbers []int64) bool {
	for i := range numbers[1:] {
		if numbers[i+1]%numbers[i] != 0 {
			return false
		}
	}
	return true
}

// writeAffine writes a memref with a map: strides if each axis has one stride, tiles if the axes are in blocks without
// gaps, and otherwise a sum of digits.
func writeAffine(t layout.Tensor) (string, error) {
	l := t.Layout()
	if low, _ := l.Bounds(); low < 0 || l.Base() < 0 {
		return "", lost(t, "its results are indices into a buffer, and the least offset is %d", min(low, l.Base()))
	}
	dtype, err := spelled(t, layout.MLIR)
	if err != nil {
		return "", err
	}
	inputs := make([]string, l.Rank())
	for i := range inputs {
		inputs[i] = "d" + strconv.Itoa(i)
	}
	results := ""
	if strides, ok := l.LinearStrides(); ok {
		digits := make([][]layout.Digit, len(strides))
		for i, stride := range strides {
			digits[i] = []layout.Digit{{Stride: stride}}
		}
		results = digitSum(l.Base(), digits)
	} else if g, err := tagOf(t, true); err == nil {
		results = g.tiledResults()
	} else {
		results = digitSum(l.Base(), ownDigits(l))
	}
	text := mlirType("memref", l.Sizes(), dtype)
	return text + ", affine_map<(" + strings.Join(inputs, ", ") + ") -> (" + results + ")>>", nil
}

// String returns the digit as floordiv and mod of its axis's input.
func (p part) String() string {
	text := "d" + strconv.Itoa(p.axis)
	if p.weight > 1 {
		text += " floordiv " + strconv.FormatInt(p.weight, 10)
	}
	if p.Extent > 0 {
		text += " mod " + strconv.FormatInt(p.Extent, 10)
	}
	return text
}

// digitSum returns a map with one result, the sum of the digits of each axis.
func digitSum(base int64, axes [][]layout.Digit) string {
	s := affineSum{base: base}
	for i, digits := range axes {
		at, weight := len(s.terms), int64(1)
		for k, d := range slices.Backward(digits) {
			t := part{d, i, weight}
			if weight *= d.Extent; k == 0 {
				t.Extent = 0
			}
			s.terms = slices.Insert(s.terms, at, t)
		}
	}
	return s.String()
}

// String returns the sum. It omits digits of stride 0.
func (s affineSum) String() string {
	var terms []string
	for _, t := range s.terms {
		text := t.String()
		if t.Stride != 1 && strings.Contains(text, " ") {
			text = "(" + text + ")"
		}
		if t.Stride != 1 {
			text += " * " + strconv.FormatInt(t.Stride, 10)
		}
		if t.Stride != 0 {
			terms = append(terms, text)
		}
	}
	if s.base != 0 || len(terms) == 0 {
		terms = append(terms, strconv.FormatInt(s.base, 10))
	}
	return strings.Join(terms, " + ")
}

// tiledResults returns a result for each axis and for each block.
func (g tag) tiledResults() string {
	var results []string
	for _, axis := range g.order {
		outer := part{axis: axis, weight: 1}
		for _, block := range g.blocks {
			if block.axis == axis {
				outer.weight *= block.Extent
			}
		}
		results = append(results, outer.String())
	}
	for _, block := range g.blocks {
		results = append(results, block.String())
	}
	return strings.Join(results, ", ")
}

// mapSize returns the size of the buffer that the results of the written map index.
func mapSize(t layout.Tensor) ([]Size, error) {
	text, err := writeAffine(t)
	if err != nil {
		return nil, err
	}
	r := newReader(text, nil, Options{})
	if readMLIR(r); r.Err != nil {
		return nil, overflowOf("the storage", r.Err)
	}
	n := r.found[0].Tensor.Storage()
	return []Size{{"elements after --normalize-memrefs", n, t.Bytes(n)}}, nil
}
