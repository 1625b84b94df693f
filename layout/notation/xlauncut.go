package notation

// uncut refuses a tile whose boundaries no digits of one axis have.
func (r *reader) uncut(g *tiling, a *xlaArray, which, i int, tile []int64) {
	p := g.parts[i]
	first := len(g.dims) - len(tile)
	size := tile[p.dim-first]
	if _, _, crowded := g.around(i); !crowded {
		r.fail(a.at, "", "a tile of %d does not divide the %d neighbours along axis %d that it lies in: no digits of the axis say that", size, p.extent, p.axis)
		return
	}
	if size%p.step != 0 {
		p = g.below(i)
	}
	hint := ""
	if which == 0 {
		hint = "give it as the merged shape " + g.mergedShape(a, tile)
	}
	r.fail(a.at, hint, "tiles of %d run across the ends of axis %d, of size %d, as * merges it with others: no digits of one axis say that", size, p.axis, a.sizes[p.axis])
}

// below returns the part of the same dimension with the next smaller step.
func (g *tiling) below(i int) tilePart {
	p := g.parts[i]
	next := p
	for _, q := range g.parts {
		if q.dim == p.dim && q.step < p.step && (next == p || q.step > next.step) {
			next = q
		}
	}
	return next
}

// mergedShape writes the array with the dimensions that the first tile has merged. The order of
// its axes is that in memory.
func (g *tiling) mergedShape(a *xlaArray, first []int64) string {
	b := appendXLA(nil, a.dtype.Info().XLA, g.dims, rowMajorOrder(len(g.dims)))
	b = appendTile(append(b, ":T"...), first)
	for _, tile := range a.tiles[1:] {
		b = appendTile(b, tile)
	}
	return string(append(b, '}'))
}
