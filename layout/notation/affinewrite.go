package notation

import (
	"strconv"

	"layoutcalc/layout"
)

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
	} else if g, err := tagOf(t); err == nil {
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
		left[block.axis] *= block.size
	}
	for i, axis := range g.order {
		b = appendPart(appendComma(b, i), axis, left[axis], 0)
	}
	for _, block := range g.blocks {
		left[block.axis] /= block.size
		b = appendPart(append(b, ", "...), block.axis, left[block.axis], block.size)
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
