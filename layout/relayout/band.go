package relayout

// bandSize is how many bytes of the target are put together before they are written.
const bandSize = 32 << 10

// bands moves columns that follow one another, but do not start at lines of the target: so many of
// them are put together that all lines but the first and the last are whole.
func (t *tile) bands(p place) {
	height, per := t.rows.n*t.width, vector/t.width
	n := min(max(bandSize/height/per*per, per), t.cols.n)
	band, cols := make([]byte, n*height), places(n, height)
	for first := 0; first < t.cols.n; first += n {
		n = min(n, t.cols.n-first)
		t.strips(place{dst: band, src: p.src, s: p.s + first*t.width}, t.rows.far, cols[:n])
		flush(p.at(first*height, 0), band[:n*height])
	}
}

// flush copies a band to the place, its whole lines past the caches.
func flush(p place, band []byte) {
	head := min(-p.d&(line-1), len(band))
	whole := (len(band) - head) &^ (line - 1)
	copy(p.dst[p.d:], band[:head])
	if whole > 0 {
		pastCopy(p.dst[p.d+head:], band[head:head+whole])
	}
	copy(p.dst[p.d+head+whole:], band[head+whole:])
}
