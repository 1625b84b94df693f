// Package algebra has CuTe's operations on layouts: composition, coalescing, complement, inverses, division, products,
// other sizes of elements.
//
// A layout is a function from numbers to offsets here: a number is an index with the first mode fastest, and the last
// mode of an extent above 1 goes on beyond it. A [Call] works with digits, and then compares its result with the
// definition of the operation, up to a limit of elements. There is no result where an extent does not divide; the error
// names the extent.
//
// CuTe nests modes deeper than axes and digits do, and its operations keep the nesting. So a [Layout] adds brackets to
// a [layout.Layout], which has all else: offsets, limits and swizzles.
package algebra

import (
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
)

// A Mode is a digit, or a list of modes in brackets with the fastest first.
type Mode struct {
	layout.Digit        // if Modes is nil
	Modes        []Mode // in brackets; nil for a digit
}

// Digit returns the mode of one digit.
func Digit(extent, stride int64) Mode {
	return Mode{Digit: layout.Digit{Extent: extent, Stride: stride}}
}

// List returns the mode of some modes in brackets.
func List(modes ...Mode) Mode { return Mode{Modes: append([]Mode{}, modes...)} }

// list returns the modes in the brackets, or the digit as the only one.
func (m Mode) list() []Mode {
	if m.Modes == nil {
		return []Mode{m}
	}
	return m.Modes
}

// digits returns the digits without the brackets, the fastest first.
func (m Mode) digits() (list []layout.Digit) {
	if m.Modes == nil {
		return []layout.Digit{m.Digit}
	}
	for _, part := range m.Modes {
		list = append(list, part.digits()...)
	}
	return list
}

// Digits returns the mode of some digits, the fastest first: without brackets if there is one.
func Digits(digits []layout.Digit) Mode {
	m := List()
	for _, d := range digits {
		m.Modes = append(m.Modes, Mode{Digit: d})
	}
	if len(digits) == 1 {
		return m.Modes[0]
	}
	return m
}

// mapped returns the mode with each digit changed.
func (m Mode) mapped(change func(layout.Digit) layout.Digit) Mode {
	if m.Modes == nil {
		return Mode{Digit: change(m.Digit)}
	}
	made := List(m.Modes...)
	for i, part := range m.Modes {
		made.Modes[i] = part.mapped(change)
	}
	return made
}

// size returns the number of elements.
func (m Mode) size() (int64, error) {
	var extents []int64
	for _, d := range m.digits() {
		extents = append(extents, d.Extent)
	}
	size, err := layout.ProductOf(extents)
	return size, layout.NameOverflow("the number of elements", err)
}

// Axes returns the outermost modes as axes: the digits of each, the fastest innermost.
func (m Mode) Axes() ([]layout.Axis, error) {
	axes := make([]layout.Axis, len(m.list()))
	for i, part := range m.list() {
		size, err := part.size()
		if err != nil {
			return nil, err
		}
		digits := part.digits()
		switch {
		case len(digits) == 0:
			digits = []layout.Digit{{Extent: 1}}
		case size == 0:
			digits = []layout.Digit{{Extent: 0, Stride: digits[0].Stride}}
		}
		slices.Reverse(digits)
		axes[i] = layout.NewAxis("", size, digits...)
	}
	return axes, nil
}

// String returns the mode as CuTe prints it.
func (m Mode) String() string {
	b := m.write(nil, func(d layout.Digit) int64 { return d.Extent })
	return string(m.write(append(b, ':'), func(d layout.Digit) int64 { return d.Stride }))
}

// write appends the extents or the strides, with the brackets.
func (m Mode) write(b []byte, number func(layout.Digit) int64) []byte {
	if m.Modes == nil {
		return strconv.AppendInt(b, number(m.Digit), 10)
	}
	b = append(b, '(')
	for i, part := range m.Modes {
		if i > 0 {
			b = append(b, ',')
		}
		b = part.write(b, number)
	}
	return append(b, ')')
}

// at returns the offset of a number that digits count, the last one without end. The offset has to fit.
func at(digits []layout.Digit, number int64) (offset int64) {
	for k, d := range digits {
		value := number
		if k < len(digits)-1 {
			value, number = number%d.Extent, number/d.Extent
		}
		offset += value * d.Stride
	}
	return offset
}

// A Layout is a layout with nested modes. Its axes are the outermost ones, in their order.
type Layout struct {
	mode  Mode
	flat  layout.Layout
	notes []string
	short bool // swizzles are written S<...>
}

// New returns the layout of a mode, with the offset of index 0 and swizzles, the innermost first.
func New(m Mode, base int64, swizzles ...layout.Swizzle) (Layout, error) {
	axes, err := m.Axes()
	if err != nil {
		return Layout{}, err
	}
	flat, err := layout.Adopt(base, axes)
	if err == nil {
		flat, err = flat.Swizzled(swizzles...)
	}
	return Layout{mode: m, flat: flat}, err
}

// Short returns the layout with its swizzles written as the Python DSL does, S<3,3,3>, and not Sw<3,3,3>.
func (l Layout) Short() Layout {
	l.short = true
	return l
}

// Flat returns the layout without the brackets inside its modes.
func (l Layout) Flat() layout.Layout { return l.flat }

// Mode returns the modes of the layout.
func (l Layout) Mode() Mode { return l.mode }

// Notes returns the assumptions of a result.
func (l Layout) Notes() []string { return l.notes }

// At returns the offset of the element of a number.
func (l Layout) At(number int64) int64 {
	return l.flat.Swizzle(l.flat.Base() + at(l.mode.digits(), number))
}

// String returns the layout as CuTe prints it, with its swizzles. If the layout has a base but no swizzle, the base
// follows a swizzle of no bits, which CUTLASS uses for tiles without a swizzle, because CuTe has no notation for a
// number alone before a layout.
func (l Layout) String() string {
	text, swizzles, base := "", l.flat.Swizzles(), l.flat.Base()
	if base != 0 && swizzles == nil {
		swizzles = []layout.Swizzle{{Base: 4, Shift: 3}}
	}
	for _, s := range slices.Backward(swizzles) {
		name := s.String()
		if l.short {
			name = "S" + strings.TrimPrefix(name, "Sw")
		}
		text += name + " o "
	}
	if swizzles != nil {
		text += strconv.FormatInt(base, 10) + " o "
	}
	return text + l.mode.String()
}

// A Tiler is the second operand of an operation: a layout, or a list of tilers for the modes of the first operand.
type Tiler struct {
	Mode Mode
	Each []Tiler // for the first modes, in order; nil for a layout
	Keep bool    // _: the mode stays as it is
}

// Layout returns the layout that the tiler is; ok is false for a list.
func (t Tiler) Layout() (l Layout, ok bool) {
	if t.Each != nil || t.Keep {
		return Layout{}, false
	}
	l, err := New(t.Mode, 0)
	return l, err == nil
}

// String returns the tiler as CuTe prints it.
func (t Tiler) String() string {
	switch {
	case t.Keep:
		return "_"
	case t.Each == nil && t.Mode.Modes == nil && t.Mode.Stride == 1:
		return strconv.FormatInt(t.Mode.Extent, 10)
	case t.Each == nil:
		return t.Mode.String()
	}
	parts, brackets := make([]string, len(t.Each)), "()"
	for i, part := range t.Each {
		if parts[i] = part.String(); strings.ContainsAny(parts[i], ":<") {
			brackets = "<>"
		}
	}
	return brackets[:1] + strings.Join(parts, ",") + brackets[1:]
}

// Sizes returns the sizes of a shape.
func (t Tiler) Sizes() (sizes []int64, err error) {
	parts := t.Each
	if parts == nil {
		parts = []Tiler{t}
	}
	for _, part := range parts {
		size := part.Mode.Extent
		if part.Each != nil {
			var inner []int64
			if inner, err = part.Sizes(); err == nil {
				size, err = layout.ProductOf(inner)
			}
		} else if part.Keep || part.Mode.Modes != nil || part.Mode.Stride != 1 {
			err = lexer.Refuse("such as (6,8)", "%s is not a shape", t)
		}
		if err != nil {
			return nil, err
		}
		sizes = append(sizes, size)
	}
	return sizes, nil
}
