package notation

import (
	"slices"
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
