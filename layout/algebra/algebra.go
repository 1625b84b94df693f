// Package algebra has the operations of CuTe that make layouts of layouts: composition, coalescing, complement,
// inverses, division, products, and other sizes of elements.
//
// A layout is a function from numbers to offsets here: a number is an index of which the first mode counts fastest, and
// the last mode goes on beyond its extent. Each operation is carried out on digits and then held against its
// definition, element by element, up to a limit. There is no result where an extent does not divide, and the error
// names it.
//
// CuTe nests modes deeper than axes and digits do, and its operations keep that, so a [Layout] adds the brackets to a
// [layout.Layout], which has all else: offsets, limits and swizzles.
package algebra

import (
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// A Mode is a digit, or a list of modes in brackets, of which the first counts fastest.
type Mode struct {
	layout.Digit        // of a mode without brackets
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

// of returns the mode of some digits: without brackets if there is one.
func of(digits []layout.Digit) Mode {
	if len(digits) == 1 {
		return Mode{Digit: digits[0]}
	}
	m := List()
	for _, d := range digits {
		m.Modes = append(m.Modes, Mode{Digit: d})
	}
	return m
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

// cosize returns the offset after the last one of a mode whose strides are not negative.
func (m Mode) cosize() (int64, error) {
	size := int64(1)
	for _, d := range m.digits() {
		reach, err := layout.Mul(d.Extent-1, d.Stride)
		if err == nil {
			size, err = layout.Add(size, reach)
		}
		if err != nil {
			return 0, layout.NameOverflow("the cosize", err)
		}
	}
	return size, nil
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

// String returns the mode as CuTe prints it.
func (m Mode) String() string {
	b := m.write(nil, func(d layout.Digit) int64 { return d.Extent })
	return string(m.write(append(b, ':'), func(d layout.Digit) int64 { return d.Stride }))
}

// A Layout is a layout whose modes may nest. Its axes are the outermost modes, in their order.
type Layout struct {
	mode  Mode
	flat  layout.Layout
	notes []string
	short bool // swizzles are written S<...>
}

// Short returns the layout with its swizzles written as the Python DSL does, S<3,3,3>, and not Sw<3,3,3>.
func (l Layout) Short() Layout {
	l.short = true
	return l
}

// New returns the layout of a mode, with the offset of index 0 and swizzles, the innermost first.
func New(m Mode, base int64, swizzles ...layout.Swizzle) (Layout, error) {
	return Layout{mode: m}.remade(m, base, swizzles)
}

// remade returns the layout of another mode and base with the notes and the spelling of l.
func (l Layout) remade(m Mode, base int64, swizzles []layout.Swizzle) (Layout, error) {
	axes, err := m.Axes()
	if err != nil {
		return Layout{}, err
	}
	flat, err := layout.Adopt(base, axes)
	if err == nil {
		flat, err = flat.Swizzled(swizzles...)
	}
	if err != nil {
		return Layout{}, err
	}
	return Layout{m, flat, l.notes, l.short}, nil
}

// Axes returns the outermost modes as axes.
func (m Mode) Axes() ([]layout.Axis, error) {
	axes := make([]layout.Axis, len(m.list()))
	for i, part := range m.list() {
		var err error
		if axes[i], err = part.axis(); err != nil {
			return nil, err
		}
	}
	return axes, nil
}

// axis returns the mode as an axis: its digits, the fastest innermost.
func (m Mode) axis() (layout.Axis, error) {
	size, err := m.size()
	if err != nil {
		return layout.Axis{}, err
	}
	fastest := m.digits()
	switch {
	case len(fastest) == 0:
		fastest = []layout.Digit{{Extent: 1}}
	case size == 0:
		fastest = []layout.Digit{{Extent: 0, Stride: fastest[0].Stride}}
	}
	digits := make([]layout.Digit, len(fastest))
	for i, d := range fastest {
		digits[len(digits)-1-i] = d
	}
	return layout.NewAxis("", size, digits...), nil
}

// with returns the layout of another mode, with the base and the swizzles of l.
func (l Layout) with(m Mode) (Layout, error) { return l.remade(m, l.flat.Base(), l.flat.Swizzles()) }

// Flat returns the layout without the brackets inside its modes.
func (l Layout) Flat() layout.Layout { return l.flat }

// Mode returns the modes of the layout.
func (l Layout) Mode() Mode { return l.mode }

// Notes returns what a result rests on.
func (l Layout) Notes() []string { return l.notes }

// String returns the layout as CuTe prints it, with its swizzles and, where there is one, its base.
func (l Layout) String() string {
	var b strings.Builder
	swizzles := l.flat.Swizzles()
	for i := len(swizzles) - 1; i >= 0; i-- {
		text := swizzles[i].String()
		if l.short {
			text = "S" + text[len("Sw"):]
		}
		b.WriteString(text + " o ")
	}
	if base := l.flat.Base(); base != 0 || swizzles != nil {
		b.WriteString(strconv.FormatInt(base, 10) + " o ")
	}
	return b.String() + l.mode.String()
}

// At returns the offset of the element of a number, which may be beyond the last one.
func (l Layout) At(number int64) (int64, error) {
	offset, err := at(l.mode.digits(), number)
	if err == nil {
		offset, err = layout.Add(offset, l.flat.Base())
	}
	if err != nil || !l.flat.IsSwizzled() {
		return offset, layout.NameOverflow("the offset", err)
	}
	return l.flat.Swizzle(offset), nil
}

// at returns the offset of a number that digits count, the last one without end.
func at(digits []layout.Digit, number int64) (offset int64, err error) {
	for k, d := range digits {
		value := number
		if k < len(digits)-1 {
			value, number = number%d.Extent, number/d.Extent
		}
		step, err := layout.Mul(value, d.Stride)
		if err == nil {
			offset, err = layout.Add(offset, step)
		}
		if err != nil {
			return 0, layout.NameOverflow("the offset", err)
		}
	}
	return offset, nil
}

// refuse returns the error for operands that have no result.
func refuse(format string, args ...any) error { return scan.Refuse("", format, args...) }

// filled refuses a layout without elements.
func (l Layout) filled(operand string) error {
	if l.flat.Empty() {
		return refuse("%s, %s, has no elements", operand, l)
	}
	return nil
}

// A Tiler is the second operand of an operation: a layout, or what acts on each mode of the first operand.
type Tiler struct {
	Mode Mode
	Each []Tiler // for the first modes, one after another; nil for a layout
	Keep bool    // _: the mode stays as it is
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

// check refuses a tiler with a layout that has no elements, or that leads to negative numbers.
func (t Tiler) check() error {
	for _, part := range t.Each {
		if err := part.check(); err != nil {
			return err
		}
	}
	if t.Each != nil || t.Keep {
		return nil
	}
	l, err := New(t.Mode, 0)
	if err != nil {
		return err
	}
	for _, d := range t.Mode.digits() {
		if d.Stride < 0 && d.Extent > 1 {
			return refuse("B, %s, has the stride %d, and leads to numbers below 0", t, d.Stride)
		}
	}
	return l.filled("B")
}

// takes refuses a tiler for more modes than there are.
func (m Mode) takes(t Tiler) error {
	if n := len(m.list()); len(t.Each) > n {
		return refuse("the tiler %s has %s, and A, %s, has %d", t, scan.Count(len(t.Each), "mode"), m, n)
	}
	return nil
}

// each applies an operation to the first modes, each with its part of a tiler; the others stay.
func (m Mode) each(t Tiler, operation func(Mode, Tiler) (Mode, error)) (Mode, error) {
	if err := m.takes(t); err != nil {
		return Mode{}, err
	}
	made := List(m.list()...)
	for i, part := range t.Each {
		var err error
		if made.Modes[i], err = operation(made.Modes[i], part); err != nil {
			return Mode{}, err
		}
	}
	return made, nil
}

// Layout returns the layout that the tiler is; ok is false if it acts on each mode.
func (t Tiler) Layout() (l Layout, ok bool) {
	if t.Each != nil || t.Keep {
		return Layout{}, false
	}
	l, err := New(t.Mode, 0)
	return l, err == nil
}
