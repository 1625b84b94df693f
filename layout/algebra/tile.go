package algebra

import (
	"cmp"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/wording"
)

// A Form is the order of the modes of a division or a product.
type Form int

// The forms. Blocked and Raked are for products alone.
const (
	Logical Form = iota // each mode with its tile and its rest
	Zipped              // the tiles, and the rests
	Tiled               // the tiles, and each rest
	Flat                // each tile, and each rest
	Blocked             // each mode of A with the mode of B that repeats it
	Raked               // the same, the mode of B first
)

// Forms are the names of the forms.
var Forms = [...]string{"logical", "zipped", "tiled", "flat", "blocked", "raked"}

// arrange returns a logical result in another form, with the same digits.
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

// divided is the operation divide.
func (w *work) divided(c Call) Mode { return w.formed(c, w.divide) }

// formed applies an operation to modes, and arranges its result.
func (w *work) formed(c Call, operation func(m, b Mode) Mode) Mode {
	t := c.second()
	m := w.byMode(c.A.mode, t, operation)
	if w.err != nil {
		return m
	}
	return c.Form.arrange(m, t)
}

// divide returns a mode composed with a tile and its complement in the size of the mode.
func (w *work) divide(m, tile Mode) Mode {
	if w.takes(tile); w.err != nil {
		return m
	}
	rest, gap := w.complement(tile, w.size(m))
	if gap > 0 {
		w.note("the tile %s leaves gaps: element %d of A is in no tile", Tiler{Mode: tile}, gap)
	}
	return w.compose(m, List(tile, rest))
}

// multiplied is the operation product.
func (w *work) multiplied(c Call) Mode {
	if c.Form != Blocked && c.Form != Raked {
		return w.formed(c, w.product)
	}
	t := c.second()
	if t.Each != nil || t.Keep {
		w.fail("%s repeats A over a layout, and %s is none", Forms[c.Form], t)
		return t.Mode
	}
	return w.ranked(c.A.mode, t.Mode, c.Form)
}

// product returns a mode, and its complement composed with a layout.
func (w *work) product(m, b Mode) Mode {
	if w.takes(b); w.err != nil {
		return m
	}
	rest, _ := w.complement(m, w.times("the number of elements", w.size(m), w.cosize(b)))
	return List(m, w.compose(rest, b))
}

// ranked returns the product with each mode of A next to the mode of B that repeats it.
func (w *work) ranked(a, b Mode, f Form) Mode {
	n := max(len(a.list()), len(b.list()))
	pair := w.product(padded(a, n), padded(b, n))
	if w.err != nil {
		return pair
	}
	made := List()
	for i := range n {
		modes := []Mode{pair.Modes[0].Modes[i], pair.Modes[1].Modes[i]}
		if f == Raked {
			slices.Reverse(modes)
		}
		made.Modes = append(made.Modes, List(modes...))
	}
	return made
}

// padded returns a list of at least n modes, the last ones of extent 1.
func padded(m Mode, n int) Mode {
	made := List(m.list()...)
	for len(made.Modes) < n {
		made.Modes = append(made.Modes, Digit(1, 0))
	}
	return made
}

// tiled is the operation tile.
func (w *work) tiled(c Call) Mode {
	a := c.A.mode
	shape, err := c.second().Sizes()
	if w.err == nil {
		w.err = err
	}
	order := c.Order
	switch n := len(shape); {
	case len(a.list()) > n:
		w.fail("A, %s, has %s, and the shape %d", c.A, wording.Count(len(a.list()), "mode"), n)
	case order != nil && len(order) != n:
		w.fail("--order has %s for a shape of %d", wording.Count(len(order), "number"), n)
	}
	copies, places := List(), make([]int, len(shape))
	for i, m := range padded(a, len(shape)).Modes {
		if w.err != nil {
			return a
		}
		size := w.size(m)
		n := layout.CeilDiv(shape[i], size)
		if n < 1 {
			w.fail("the size %d of the shape is not positive", shape[i])
		}
		if n*size != shape[i] {
			w.note("the %d of mode %d of A do not divide %d: the result has %d there", size, i, shape[i], n*size)
		}
		copies.Modes, places[i] = append(copies.Modes, Digit(n, 0)), i
	}
	if order != nil {
		slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(order[a], order[b]) })
	}
	next := int64(1)
	for _, i := range places {
		if d := &copies.Modes[i].Digit; d.Extent > 1 {
			d.Stride, next = next, w.times("the number of copies", next, d.Extent)
		}
	}
	return w.ranked(a, copies, Blocked)
}
