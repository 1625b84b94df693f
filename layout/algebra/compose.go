package algebra

import (
	"fmt"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// Coalesce returns the layout of the fewest modes that is the same function of numbers. A profile keeps its own modes:
// those of A that stand at its numbers are coalesced each for itself.
func (l Layout) Coalesce(profile Tiler) (Layout, error) {
	if err := l.filled("A"); err != nil {
		return Layout{}, err
	}
	m, err := l.mode.coalesce(profile)
	if err != nil {
		return Layout{}, err
	}
	made, err := l.with(m)
	if err != nil {
		return Layout{}, err
	}
	return made, verify(made.flat.Elements(), made.At, l.At)
}

func (m Mode) coalesce(profile Tiler) (Mode, error) {
	switch {
	case profile.Keep:
		return m, nil
	case profile.Each != nil:
		return m.each(profile, Mode.coalesce)
	}
	digits := coalesced(m.digits(), false)
	if len(digits) == 0 {
		return Digit(1, 0), nil
	}
	return of(digits), nil
}

// coalesced returns the fewest digits that are the same function, without extents of 1. An open list keeps the function
// beyond its last extent too: the last digit stays, whatever its extent, unless it continues the one before.
func coalesced(digits []layout.Digit, open bool) (list []layout.Digit) {
	for i, d := range digits {
		if d.Extent == 1 && !(open && i == len(digits)-1) {
			continue
		}
		if n := len(list); n > 0 {
			if end, err := layout.Mul(list[n-1].Extent, list[n-1].Stride); err == nil && end == d.Stride {
				list[n-1].Extent *= d.Extent
				continue
			}
		}
		list = append(list, d)
	}
	return list
}

// Compose returns R with R(i) = A(B(i)). R has the modes of B, those that reach over an extent of A cut there. A tiler
// of several parts acts on each mode of A.
func (l Layout) Compose(t Tiler) (Layout, error) {
	if err := l.takes(t); err != nil {
		return Layout{}, err
	}
	made, err := l.compose(t)
	if wrong, ok := err.(*scan.SyntaxError); ok {
		if _, _, none := l.Values(t); none != nil {
			return made, err
		}
		wrong.Hint = "--values lists A(B(i)) all the same"
	}
	return made, err
}

// compose is Compose of operands that have been checked.
func (l Layout) compose(t Tiler) (Layout, error) {
	m, err := l.mode.compose(t)
	if err != nil {
		return Layout{}, err
	}
	return l.composed(m, 0, l.flat.Base(), t)
}

// ComposeFrom returns R with R(i) = A(start + B(i)).
func (l Layout) ComposeFrom(start int64, b Mode) (Layout, error) {
	t := Tiler{Mode: b}
	if err := l.takes(t); err != nil {
		return Layout{}, err
	}
	c := newComposition(l.mode)
	base, err := c.start(start, l.flat.Base())
	if err != nil {
		return Layout{}, err
	}
	m, err := c.whole(b)
	if err != nil {
		return Layout{}, err
	}
	return l.composed(m, start, base, t)
}

// composed returns a composition that has been worked out, once it has been checked.
func (l Layout) composed(m Mode, start, base int64, t Tiler) (Layout, error) {
	made, err := l.remade(m, base, l.flat.Swizzles())
	if err != nil {
		return Layout{}, err
	}
	made.notes = append(made.notes, l.mode.beyond(start, t)...)
	return made, verify(made.flat.Elements(), made.At, l.through(start, t))
}

// takes refuses operands without elements, and a tiler that leads to negative numbers.
func (l Layout) takes(t Tiler) error {
	if err := l.filled("A"); err != nil {
		return err
	}
	return t.check()
}

// through returns the function A(start + B(i)).
func (l Layout) through(start int64, t Tiler) func(int64) (int64, error) {
	parts := l.mode.parts(t)
	return func(i int64) (offset int64, err error) {
		offset = l.flat.Base()
		for _, p := range parts {
			n, err := at(p.second, i%p.size)
			if err == nil {
				n, err = layout.Add(start, n)
			}
			if err == nil {
				n, err = at(p.first, n)
			}
			if err == nil {
				offset, err = layout.Add(offset, n)
			}
			if err != nil {
				return 0, err
			}
			i /= p.size
		}
		return l.flat.Swizzle(offset), nil
	}
}

// Values returns how many numbers B has, and the function A(B(i)), which is there even where no layout has its values.
func (l Layout) Values(t Tiler) (n int64, value func(int64) (int64, error), err error) {
	if err = l.takes(t); err == nil {
		err = l.mode.takes(t)
	}
	if err != nil {
		return 0, nil, err
	}
	n = 1
	whole := List() // A as far as B reaches
	for _, p := range l.mode.parts(t) {
		if n, err = layout.Mul(n, p.size); err != nil {
			return 0, nil, layout.NameOverflow("the number of elements", err)
		}
		digits, left, err := slices.Clone(p.first), int64(0), error(nil)
		if left, err = of(p.second).cosize(); err != nil {
			return 0, nil, err
		}
		for i := range digits {
			if i == len(digits)-1 {
				digits[i].Extent = max(digits[i].Extent, left)
			}
			left = layout.CeilDiv(left, digits[i].Extent)
		}
		whole.Modes = append(whole.Modes, of(digits))
	}
	if _, err = New(whole, l.flat.Base()); err != nil {
		return 0, nil, err
	}
	return n, l.through(0, t), nil
}

// A part is a mode of the first operand with the layout that acts on it, and the number of elements of that.
type part struct {
	first, second []layout.Digit
	size          int64
}

// parts returns the modes of the first operand with what acts on each: a mode without a part of the tiler stays.
func (m Mode) parts(t Tiler) (list []part) {
	size, _ := m.size()
	switch {
	case t.Keep:
		return []part{{m.digits(), []layout.Digit{{Extent: size, Stride: 1}}, size}}
	case t.Each == nil:
		size, _ = t.Mode.size()
		return []part{{m.digits(), t.Mode.digits(), size}}
	}
	for i, mode := range m.list() {
		of := Tiler{Keep: true}
		if i < len(t.Each) {
			of = t.Each[i]
		}
		list = append(list, mode.parts(of)...)
	}
	return list
}

// beyond notes that a tiler reaches numbers beyond the last element.
func (m Mode) beyond(start int64, t Tiler) (notes []string) {
	for _, p := range m.parts(t) {
		last, err := of(p.second).cosize()
		if size, _ := of(p.first).size(); err == nil && start+last > size {
			notes = append(notes, fmt.Sprintf("the result reaches number %d of A, and %s has %s: its last mode goes on",
				start+last-1, of(p.first), scan.Count(size, "element")))
		}
	}
	if n := len(m.list()); t.Each != nil && len(t.Each) < n {
		notes = append(notes, fmt.Sprintf("the modes of A from %d on stay as they are; C++'s composition drops them",
			len(t.Each)))
	}
	return notes
}

func (m Mode) compose(t Tiler) (Mode, error) {
	switch {
	case t.Keep:
		return m, nil
	case t.Each != nil:
		return m.each(t, Mode.compose)
	}
	return newComposition(m).whole(t.Mode)
}

// A composition cuts digits of B at the extents of A. It counts how far all of them together reach in each digit of A.
type composition struct {
	of      []layout.Digit // of A, coalesced; the last has no end
	reaches []int64
}

// newComposition returns the composition of a mode of A with what is given next.
func newComposition(m Mode) *composition {
	c := &composition{of: coalesced(m.digits(), true)}
	if len(c.of) == 0 {
		c.of = []layout.Digit{{Extent: 1}}
	}
	c.reaches = make([]int64, len(c.of))
	return c
}

// start returns the offset of a number, from which on B counts.
func (c *composition) start(number, base int64) (int64, error) {
	offset, err := at(c.of, number)
	if err == nil {
		base, err = layout.Add(base, offset)
	}
	for i, d := range c.of {
		if c.reaches[i] = number; i < len(c.of)-1 {
			c.reaches[i], number = number%d.Extent, number/d.Extent
		}
	}
	return base, layout.NameOverflow("the base", err)
}

// whole returns A composed with a mode, and refuses it where digits of B together carry into another digit of A: the
// sum of their offsets is not the offset of their sum there.
func (c *composition) whole(b Mode) (Mode, error) {
	m, err := c.mode(b)
	if err != nil {
		return Mode{}, err
	}
	for i, reach := range c.reaches[:len(c.of)-1] {
		if d := c.of[i]; reach >= d.Extent {
			return Mode{}, noComposition("modes of B, %s, together reach %d of the mode %s of A, beyond its extent",
				b, reach, Mode{Digit: d})
		}
	}
	return m, nil
}

// noComposition refuses a composition.
func noComposition(format string, args ...any) error {
	return refuse("no composition: "+format, args...)
}

func (c *composition) mode(b Mode) (Mode, error) {
	if b.Modes == nil {
		return c.digit(b.Digit)
	}
	made := List()
	for _, part := range b.Modes {
		m, err := c.mode(part)
		if err != nil {
			return Mode{}, err
		}
		made.Modes = append(made.Modes, m)
	}
	return made, nil
}

// digit returns A composed with one digit of B: a digit for each digit of A that it counts through.
func (c *composition) digit(b layout.Digit) (Mode, error) {
	if b.Stride == 0 {
		return Digit(b.Extent, 0), nil
	}
	var made []layout.Digit
	left, step := b.Extent, b.Stride
	put := func(i int, extent int64) error {
		stride, err := layout.Mul(step, c.of[i].Stride)
		made = append(made, layout.Digit{Extent: extent, Stride: stride})
		if reach := (extent - 1) * step; err == nil {
			c.reaches[i], err = layout.Add(c.reaches[i], reach)
		}
		return layout.NameOverflow("a stride", err)
	}
	for i, d := range c.of[:len(c.of)-1] {
		if left == 1 || step%d.Extent == 0 {
			step = layout.CeilDiv(step, d.Extent)
			continue
		}
		extent := min(d.Extent/step, left)
		switch {
		case d.Extent%step != 0:
			return Mode{}, noComposition("the stride %d of B, %s, and the extent %d of A, %s, do not divide each other",
				b.Stride, Mode{Digit: b}, d.Extent, of(c.of))
		case left%extent != 0:
			return Mode{}, noComposition("%d of the extent %d of B, %s, fill the mode %s of A, and do not divide it",
				extent, b.Extent, Mode{Digit: b}, Mode{Digit: d})
		}
		if err := put(i, extent); err != nil {
			return Mode{}, err
		}
		left, step = left/extent, 1
	}
	if left > 1 || made == nil {
		if err := put(len(c.of)-1, left); err != nil {
			return Mode{}, err
		}
	}
	return of(made), nil
}

// maxChecked is the most elements of a result that are held against its definition.
const maxChecked = 4096

// verify holds n values against their definition: all of them, or as many as there may be, evenly spread.
func verify(n int64, have, want func(int64) (int64, error)) error {
	step := max(n/maxChecked, 1)
	for k := range min(n, maxChecked) {
		i := k * step
		a, err := have(i)
		if err != nil {
			return err
		}
		b, err := want(i)
		if err != nil {
			return err
		}
		if a != b {
			return wrong("element %d is at %d, and by definition at %d", i, a, b)
		}
	}
	return nil
}

// identity is the function of which inverses are the solution.
func identity(i int64) (int64, error) { return i, nil }

// wrong reports a result that is not what its definition says.
func wrong(format string, args ...any) error {
	return fmt.Errorf("a result that is wrong, by a fault of this program, is not printed: "+format, args...)
}
