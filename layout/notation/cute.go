package notation

import (
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// fitsCuTe recognises a colon after numbers, or brackets within brackets.
func fitsCuTe(text string) bool {
	start := text[0] == '(' || text[0] == '_' || scan.IsDigit(text[0]) || strings.HasPrefix(text, "S<") ||
		strings.HasPrefix(text, "Sw<") || strings.Contains(text, "ptr")
	return start && !strings.ContainsAny(text, `"'={`) &&
		(strings.Contains(text, ":") || strings.ContainsAny(text, "_@<") || strings.Contains(text, "(("))
}

// A mode is a number, or a list of modes in brackets.
type mode struct {
	at     int
	n      int64
	static bool // written _4: known when CuTe compiles
	nested bool
	modes  []mode
}

// readCuTe reads shape:stride, with a pointer before it or not.
func readCuTe(r *reader) {
	r.cutePointer()
	at := r.Pos
	shape := r.mode()
	var stride mode
	if r.take(":") {
		stride = r.mode()
		r.congruent(shape, stride)
	} else {
		next := int64(1)
		stride = r.generated(shape, &next)
	}
	if r.err != nil {
		return
	}
	if !shape.nested {
		shape, stride = mode{modes: []mode{shape}}, mode{modes: []mode{stride}}
	}
	axes := make([]layout.Axis, len(shape.modes))
	for i := range axes {
		axes[i] = r.cuteAxis(shape.modes[i], stride.modes[i])
	}
	r.laidOut(at, Descriptor{}, r.options.DType, 0, axes)
}

// cutePointer skips what comes before a layout: a pointer, and the swizzle that makes it no layout of strides.
func (r *reader) cutePointer() {
	r.space()
	for _, name := range []string{"Sw<", "S<", "SW_"} {
		if i := strings.Index(r.In[r.Pos:], name); i >= 0 {
			r.fail(r.Pos+i, "", "a swizzle xors bits of the offset: no strides say that")
			return
		}
	}
	if i := strings.LastIndex(r.In, " o "); i >= 0 && strings.Contains(r.In[:i], "ptr") {
		r.skip("%s, the pointer", strings.TrimSpace(r.In[r.Pos:i]))
		r.Pos = i + len(" o ")
	}
}

// mode reads a number or a list in brackets.
func (r *reader) mode() mode {
	r.space()
	m := mode{at: r.Pos}
	if r.Peek() != '(' {
		m.static = r.takeHere("_")
		m.n = r.known("this number of the layout")
		if r.Peek() == '@' {
			r.unexpected("a basis stride leads to coordinates, not to an offset")
		}
		if r.Peek() == '{' {
			r.Pos = r.after("}", r.Pos)
		}
		return m
	}
	m.nested = true
	r.each("(", ")", func(i int) {
		if i == 0 || r.Peek() != ')' { // Python has a comma after the last one too
			m.modes = append(m.modes, r.mode())
		}
	})
	return m
}

// congruent refuses strides that are not nested as the shape is.
func (r *reader) congruent(shape, stride mode) {
	if shape.nested != stride.nested || len(shape.modes) != len(stride.modes) {
		r.fail(stride.at, "such as (4,(2,2)):(2,(1,8))", "the strides are not nested as the shape is")
		return
	}
	for i := range shape.modes {
		r.congruent(shape.modes[i], stride.modes[i])
	}
}

// generated returns the strides of a shape without any: packed, the leftmost mode fastest.
// Static modes of size 1 get 0, as in C++.
func (r *reader) generated(shape mode, next *int64) mode {
	stride := mode{at: shape.at, nested: shape.nested, n: *next}
	for _, m := range shape.modes {
		stride.modes = append(stride.modes, r.generated(m, next))
	}
	switch {
	case shape.nested:
	case shape.static && shape.n == 1:
		stride.n = 0
	default:
		*next = r.times(*next, shape.n)
	}
	return stride
}

// cuteAxis makes an axis of a mode: the leaves are its digits, the first one innermost.
func (r *reader) cuteAxis(shape, stride mode) layout.Axis {
	var digits []layout.Digit
	size := int64(1)
	var leaves func(shape, stride mode)
	leaves = func(shape, stride mode) {
		for i := range shape.modes {
			leaves(shape.modes[i], stride.modes[i])
		}
		if !shape.nested {
			digits = append(digits, layout.Digit{Extent: shape.n, Stride: stride.n})
			size = r.times(size, shape.n)
		}
	}
	leaves(shape, stride)
	slices.Reverse(digits)
	if len(digits) == 0 {
		digits = []layout.Digit{{Extent: 1}}
	}
	if size == 0 {
		digits = []layout.Digit{{Extent: 0, Stride: digits[len(digits)-1].Stride}}
	}
	return layout.NewAxis("", size, digits...)
}

// writeCuTe writes shape:stride with the modes in the order of the axes.
func writeCuTe(t layout.Tensor) (string, error) {
	l := t.Layout()
	if l.Base() != 0 {
		return "", lost(t, "the pointer holds the offset of index 0, not the layout, and here it is %d", l.Base())
	}
	shapes, strides := make([]string, l.Rank()), make([]string, l.Rank())
	for i, digits := range fewestDigits(l) {
		block := int64(1)
		for _, d := range digits[1:] {
			block *= d.Extent
		}
		if size := l.Axis(i).Size(); size%block != 0 {
			return "", lost(t, "its modes are full, and axis %s, of size %d, does not fill its last block of %d",
				l.AxisName(i), size, block)
		}
		shapes[i], strides[i] = cuteMode(digits)
	}
	return "(" + strings.Join(shapes, ",") + "):(" + strings.Join(strides, ",") + ")", nil
}

// cuteMode writes the digits of an axis, the innermost first.
func cuteMode(digits []layout.Digit) (shape, stride string) {
	extents, strides := make([]int64, len(digits)), make([]int64, len(digits))
	for i, d := range digits {
		extents[len(digits)-1-i], strides[len(digits)-1-i] = d.Extent, d.Stride
	}
	if len(digits) == 1 {
		return layout.JoinInts(extents, ","), layout.JoinInts(strides, ",")
	}
	return "(" + layout.JoinInts(extents, ",") + ")", "(" + layout.JoinInts(strides, ",") + ")"
}

// cosizes are the sizes of the codomain. C++ adds up magnitudes of strides, pycute asks for the
// offset of the last element.
func cosizes(t layout.Tensor) ([]Size, error) {
	l := t.Layout()
	cosize, last := int64(1), int64(1)
	for i := range l.Rank() {
		for k := range l.Axis(i).Digits() {
			d := l.Axis(i).Digit(k)
			step := (d.Extent - 1) * d.Stride
			cosize += max(step, -step)
			last += step
		}
	}
	if l.Empty() {
		return []Size{{"cosize", 0, 0}}, nil
	}
	sizes := []Size{{"cosize", cosize, t.Bytes(cosize)}}
	if last != cosize {
		sizes = append(sizes, Size{"cosize in pycute", last, t.Bytes(max(last, 0))})
	}
	return sizes, nil
}
