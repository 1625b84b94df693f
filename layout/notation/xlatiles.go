package notation

import (
	"slices"

	"layoutcalc/layout"
)

// combine stands for the * of a tile, which merges a dimension into the next one.
const combine = -1

// A tiling is the physical shape of an array, and what each of its dimensions counts.
type tiling struct {
	dims  []int64    // from outermost to innermost, padding included
	parts []tilePart // those of one axis side by side, the outermost first
}

// A tilePart is a digit of an axis: one step of it moves the index in a dimension by step.
type tilePart struct {
	axis, dim    int
	extent, step int64
}

// xlaTiled notes the tensor of an array: each tile divides the physical shape that the ones
// before it have made.
func (r *reader) xlaTiled(name string, a *xlaArray) {
	if r.err != nil {
		return
	}
	g := newTiling(a.sizes, a.minor)
	for i := range a.tiles {
		if r.tile(&g, a, i); r.err != nil {
			return
		}
	}
	storage, err := layout.ProductOf(g.dims)
	r.fault(err)
	storage = r.times(layout.CeilDiv(storage, a.tail), a.tail)
	d := Descriptor{Name: name, Typed: true, Skipped: slices.Clone(r.skipped[a.notes:])}
	r.skipped = r.skipped[:a.notes]
	r.laidOut(a.at, d, a.dtype, 0, r.tiledAxes(&g, a.sizes))
	r.reserve(storage)
}

// reserve gives the tensor that was found last a storage of n elements.
func (r *reader) reserve(n int64) {
	if r.err != nil {
		return
	}
	d := &r.found[len(r.found)-1]
	var err error
	d.Tensor, err = d.Tensor.Reserve(n)
	r.fault(err)
}

// newTiling returns the physical shape without tiles. An axis without elements counts as one of
// a single element, lest strides be 0.
func newTiling(sizes, minor []int64) tiling {
	n := len(sizes)
	g := tiling{make([]int64, n, 3*n+1), make([]tilePart, n)}
	for i, axis := range minor {
		dim := n - 1 - i
		g.dims[dim] = sizes[axis]
		g.parts[axis] = tilePart{int(axis), dim, max(sizes[axis], 1), 1}
	}
	return g
}

// tile lays a tile over the last dimensions: they become the grid of tiles, and the inside of a
// tile comes behind. Dimensions that a tile has beyond those of the array are of size 1.
func (r *reader) tile(g *tiling, a *xlaArray, which int) {
	g.lead(len(a.tiles[which]) - len(g.dims))
	first := len(g.dims) - len(a.tiles[which])
	tile := r.merge(g, first, a.tiles[which])
	if len(g.dims)+len(tile) > layout.MaxDigits {
		r.fail(a.at, "", "the tiles make more than %d physical dimensions", layout.MaxDigits)
	}
	parts := make([]tilePart, 0, 2*len(g.parts))
	for i := 0; i < len(g.parts) && r.err == nil; i++ {
		p := g.parts[i]
		if p.dim < first {
			parts = append(parts, p)
			continue
		}
		outer, inner, ok := g.cut(i, tile[p.dim-first])
		if !ok {
			r.uncut(g, a, which, i, tile)
		}
		inner.dim += len(tile)
		if outer.extent > 0 {
			parts = append(parts, outer)
		}
		if inner.extent > 0 {
			parts = append(parts, inner)
		}
	}
	g.parts = parts
	for i, size := range tile {
		g.dims[first+i] = layout.CeilDiv(g.dims[first+i], size)
		g.dims = append(g.dims, size)
	}
}

// lead puts n dimensions of size 1 before all others.
func (g *tiling) lead(n int) {
	for range n {
		g.dims = slices.Insert(g.dims, 0, 1)
	}
	for i := range g.parts {
		g.parts[i].dim += max(n, 0)
	}
}

// merge merges every dimension where the tile has a * into the next one, and returns the tile
// without them.
func (r *reader) merge(g *tiling, first int, tile []int64) []int64 {
	if !slices.Contains(tile, combine) {
		return tile
	}
	var kept []int64
	for _, size := range tile {
		if size != combine {
			kept = append(kept, size)
			continue
		}
		dim := first + len(kept)
		width := g.dims[dim+1]
		for i := range g.parts {
			p := &g.parts[i]
			if p.dim == dim {
				p.step = r.times(p.step, max(width, 1))
			}
			if p.dim > dim {
				p.dim--
			}
		}
		g.dims[dim+1] = r.times(g.dims[dim], width)
		g.dims = slices.Delete(g.dims, dim, dim+1)
	}
	return kept
}

// cut divides a part by the size of the tiles in its dimension: outer counts the tiles and inner
// the places in one. Where either counts nothing its extent is 0. It reports false where the
// boundaries of the tiles are no boundaries of digits.
//
// The outermost part of an axis may count further than the axis, so it can be cut anywhere.
func (g *tiling) cut(i int, size int64) (outer, inner tilePart, ok bool) {
	p := g.parts[i]
	outer, inner = p, p
	below, top, crowded := g.around(i)
	divides, n := size%p.step == 0, size/p.step
	within := p.step*(p.extent-1)+below < size
	switch {
	case p.step%size == 0:
		outer.step, inner.extent = p.step/size, 0
	case p.extent == 1 && crowded:
		outer.step, inner.extent = 1, 0
	case divides && (top && g.outermost(i) || !within && p.extent%n == 0):
		outer.step, outer.extent, inner.extent = 1, layout.CeilDiv(p.extent, n), n
	case within:
		outer.extent = 0
	default:
		return outer, inner, false
	}
	return outer, inner, true
}

// around tells of the other parts of a part's dimension: how far those of lesser steps reach,
// whether there is none of a greater step, and whether there are any.
func (g *tiling) around(i int) (below int64, top, crowded bool) {
	p := g.parts[i]
	top = true
	for j, q := range g.parts {
		if j == i || q.dim != p.dim {
			continue
		}
		crowded = true
		switch {
		case q.extent == 1:
		case q.step >= p.step:
			top = false
		default:
			below += q.step * (q.extent - 1)
		}
	}
	return below, top, crowded
}

// outermost reports whether no part of the axis that counts lies outside the part.
func (g *tiling) outermost(i int) bool {
	for j := i - 1; j >= 0 && g.parts[j].axis == g.parts[i].axis; j-- {
		if g.parts[j].extent > 1 {
			return false
		}
	}
	return true
}

// tiledAxes returns the axes whose digits are the parts, in row-major dimensions.
func (r *reader) tiledAxes(g *tiling, sizes []int64) []layout.Axis {
	strides := r.rowMajor(g.dims)
	digits := make([]layout.Digit, len(g.parts))
	axes := make([]layout.Axis, len(sizes))
	for from, i := 0, 0; i < len(g.parts); i++ {
		p := g.parts[i]
		digits[i] = layout.Digit{Extent: p.extent, Stride: r.times(strides[p.dim], p.step)}
		if i+1 < len(g.parts) && g.parts[i+1].axis == p.axis {
			continue
		}
		if sizes[p.axis] == 0 {
			digits[from].Extent = 0
		}
		axes[p.axis] = layout.NewAxis("", sizes[p.axis], digits[from:i+1:i+1]...)
		from = i + 1
	}
	return axes
}
