package algebra

import (
	"cmp"
	"fmt"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// A Form is the order in which divisions and products have the modes of a result.
type Form int

// The forms. Blocked and Raked are of products alone.
const (
	Logical Form = iota // each mode with its tile and its rest
	Zipped              // the tiles, and the rests
	Tiled               // the tiles, and each rest
	Flat                // each tile, and each rest
	Blocked             // each mode of A with the mode of B that repeats it
	Raked               // the same, that of B first
)

// Forms are the names of the forms.
var Forms = [...]string{"logical", "zipped", "tiled", "flat", "blocked", "raked"}

// arrange returns a logical result in another form, which has the same digits.
func (f Form) arrange(m Mode, t Tiler) Mode {
	if f == Logical {
		return m
	}
	tile, rest := m.unzip(t)
	switch f {
	case Tiled:
		return List(append([]Mode{tile}, rest.list()...)...)
	case Flat:
		return List(slices.Concat(tile.list(), rest.list())...)
	}
	return List(tile, rest)
}

// unzip returns the tiles of a logical result, and the rests.
func (m Mode) unzip(t Tiler) (tile, rest Mode) {
	switch {
	case t.Keep:
		return Digit(1, 0), m
	case t.Each == nil:
		return m.Modes[0], m.Modes[1]
	}
	tile, rest = List(), List()
	for i, of := range t.Each {
		first, second := m.Modes[i].unzip(of)
		tile.Modes, rest.Modes = append(tile.Modes, first), append(rest.Modes, second)
	}
	rest.Modes = append(rest.Modes, m.Modes[len(t.Each):]...)
	return tile, rest
}

// Divide returns A composed with a tile and its complement in the size of A: the elements of a tile, and the tiles.
func (l Layout) Divide(t Tiler, f Form) (Layout, error) {
	if err := l.takes(t); err != nil {
		return Layout{}, err
	}
	by, err := l.mode.divisor(t)
	if err != nil {
		return Layout{}, err
	}
	made, err := l.compose(by)
	if err != nil || f == Logical {
		return made, err
	}
	return made.with(f.arrange(made.mode, t))
}

// divisor returns a tile with its complement in the size of a mode.
func (m Mode) divisor(t Tiler) (Tiler, error) {
	switch {
	case t.Keep:
		return t, nil
	case t.Each == nil:
		size, err := m.size()
		if err != nil {
			return Tiler{}, err
		}
		rest, err := t.Mode.complement(size)
		return Tiler{Mode: List(t.Mode, rest)}, err
	}
	if err := m.takes(t); err != nil {
		return Tiler{}, err
	}
	by := Tiler{Each: slices.Clone(t.Each)}
	for i, mode := range m.list() {
		if i < len(by.Each) {
			var err error
			if by.Each[i], err = mode.divisor(by.Each[i]); err != nil {
				return Tiler{}, err
			}
		}
	}
	return by, nil
}

// Product returns A with the complement of A composed with B: a copy of A for each element of B.
func (l Layout) Product(t Tiler, f Form) (Layout, error) {
	if err := l.takes(t); err != nil {
		return Layout{}, err
	}
	if f == Blocked || f == Raked {
		return l.ranked(t, f)
	}
	m, err := l.mode.product(t)
	if err != nil {
		return Layout{}, err
	}
	return l.with(f.arrange(m, t))
}

func (m Mode) product(t Tiler) (Mode, error) {
	switch {
	case t.Keep:
		return m, nil
	case t.Each != nil:
		return m.each(t, Mode.product)
	}
	n, err := m.size()
	if err != nil {
		return Mode{}, err
	}
	most, err := t.Mode.cosize()
	if err == nil {
		n, err = layout.Mul(n, most)
	}
	if err != nil {
		return Mode{}, layout.NameOverflow("the number of elements", err)
	}
	rest, err := m.complement(n)
	if err != nil {
		return Mode{}, err
	}
	of, err := New(rest, 0)
	if err != nil {
		return Mode{}, err
	}
	copies, err := of.compose(t)
	return List(m, copies.mode), err
}

// ranked returns the product in which each mode of A is with the mode of B that repeats it.
func (l Layout) ranked(t Tiler, f Form) (Layout, error) {
	if t.Each != nil || t.Keep {
		return Layout{}, scan.Refuse("such as (2,5):(1,2)", "%s repeats A over a layout, and %s is none", Forms[f], t)
	}
	n := max(len(l.mode.list()), len(t.Mode.list()))
	pair, err := padded(l.mode, n).product(Tiler{Mode: padded(t.Mode, n)})
	if err != nil {
		return Layout{}, err
	}
	made := List()
	for i := range n {
		modes := []Mode{pair.Modes[0].Modes[i], pair.Modes[1].Modes[i]}
		if f == Raked {
			slices.Reverse(modes)
		}
		made.Modes = append(made.Modes, List(modes...))
	}
	return l.with(made)
}

// padded returns a list of at least n modes, the last ones of extent 1.
func padded(m Mode, n int) Mode {
	made := List(m.list()...)
	for len(made.Modes) < n {
		made.Modes = append(made.Modes, Digit(1, 0))
	}
	return made
}

// Tile repeats A up to a shape, along its modes in an order: those of smaller numbers first. Without an order the first
// mode comes first.
func (l Layout) Tile(shape []int64, order []int64) (Layout, error) {
	modes := l.mode.list()
	switch {
	case len(modes) > len(shape):
		return Layout{}, refuse("A, %s, has %s, and the shape %d", l, scan.Count(len(modes), "mode"), len(shape))
	case order != nil && len(order) != len(shape):
		return Layout{}, refuse("--order has %s for a shape of %d", scan.Count(len(order), "number"), len(shape))
	}
	if err := l.filled("A"); err != nil {
		return Layout{}, err
	}
	copies := List()
	for i, m := range padded(l.mode, len(shape)).Modes {
		size, err := m.size()
		if err != nil {
			return Layout{}, err
		}
		if shape[i] < 1 {
			return Layout{}, refuse("the size %d of the shape is not positive", shape[i])
		}
		n := layout.CeilDiv(shape[i], size)
		copies.Modes = append(copies.Modes, Digit(n, 0))
		if n*size != shape[i] {
			l.notes = append(l.notes, fmt.Sprintf("the %d of mode %d of A do not divide %d: the result has %d there",
				size, i, shape[i], n*size))
		}
	}
	places := make([]int, len(shape))
	for i := range places {
		places[i] = i
	}
	if order != nil {
		slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(order[a], order[b]) })
	}
	next := int64(1)
	for _, i := range places {
		if d := &copies.Modes[i].Digit; d.Extent > 1 {
			d.Stride = next
			next *= d.Extent
		}
	}
	return l.ranked(Tiler{Mode: copies}, Blocked)
}
