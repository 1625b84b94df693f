package relayout

import "slices"

const (
	ample    = 64   // positions of a side that strips fill well
	maxFused = 2048 // positions of a side that several loops make
	piece    = 2048 // positions of a side that are moved at once
)

// A side is a row of positions that lie evenly on one side of a move, and anywhere on the other.
type side struct {
	n     int   // positions
	far   []int // where the first of them lie on the other side, in bytes: all if they are few
	chunk int   // how far the positions behind far lie from them
}

// pieces calls f for some positions at a time: from which on, and where they lie.
func (s *side) pieces(f func(first, base int, far []int)) {
	for first, base := 0, 0; first < s.n; first, base = first+len(s.far), base+s.chunk {
		f(first, base, s.far[:min(len(s.far), s.n-first)])
	}
}

// A fusion is a side that is being made of loops, each of which goes on where those before end.
type fusion struct {
	near  func(loop) int // how far a loop moves on the side where all lie evenly
	loops []loop
	n     int
}

// tile returns a kernel for the loops along and across, and with others where these are short, and
// the loops that are left.
func (b *box) tile(along, across int) (kernel, []loop) {
	rows := &fusion{near: func(l loop) int { return l.dst }, n: 1}
	cols := &fusion{near: func(l loop) int { return l.src }, n: 1}
	rest := b.without(along, across)
	rows.add(b.loops[along])
	t := &tile{width: b.width, dstStep: b.loops[along].dst, srcStep: b.width}
	if across >= 0 {
		cols.add(b.loops[across])
		t.srcStep = b.loops[across].src
	}
	for grows := true; grows; {
		short, long := rows, cols
		if cols.n < rows.n {
			short, long = cols, rows
		}
		grows = short.grow(&rest) || long.grow(&rest)
	}
	t.rows, t.cols = rows.side(func(l loop) int { return l.src }), cols.side(func(l loop) int { return l.dst })
	t.aligned = b.dst%line == 0 && alignedAll(cols.loops) && alignedAll(rest) && t.adjacent()
	t.dense = t.adjacent() && len(t.rows.far) == t.rows.n && len(cols.loops) == 1 && cols.loops[0].dst == t.rows.n*t.width
	return t, rest
}

// alignedAll reports whether the loops go from one line of the target to another.
func alignedAll(loops []loop) bool {
	return !slices.ContainsFunc(loops, func(l loop) bool { return l.dst%line != 0 })
}

func (f *fusion) add(l loop) {
	f.loops = append(f.loops, l)
	f.n *= l.n
}

// grow adds the loop that goes on where the side ends, or a part of it, if the side is short.
func (f *fusion) grow(rest *[]loop) bool {
	if f.n >= ample || len(f.loops) == 0 {
		return false
	}
	next := f.near(f.loops[0]) * f.n
	i := slices.IndexFunc(*rest, func(l loop) bool { return f.near(l) == next })
	if i < 0 {
		return false
	}
	l := (*rest)[i]
	q := divisor(l.n, maxFused/f.n)
	if q == 1 {
		return false
	}
	f.add(loop{q, l.src, l.dst})
	*rest = slices.Clone(*rest)
	if (*rest)[i] = (loop{l.n / q, l.src * q, l.dst * q}); q == l.n {
		*rest = slices.Delete(*rest, i, i+1)
	}
	return true
}

// divisor returns n, or where it is too large its largest divisor that is not.
func divisor(n, limit int) int {
	if n <= limit {
		return n
	}
	for q := limit; q > 1; q-- {
		if n%q == 0 {
			return q
		}
	}
	return 1
}

// side lays out where the positions lie on the other side.
func (f *fusion) side(far func(loop) int) side {
	if len(f.loops) == 1 {
		l := f.loops[0]
		n := min(l.n, piece)
		return side{l.n, places(n, far(l)), n * far(l)}
	}
	table := []int{0}
	for _, l := range f.loops {
		inner := table
		table = make([]int, 0, len(inner)*l.n)
		for i := range l.n {
			for _, at := range inner {
				table = append(table, at+i*far(l))
			}
		}
	}
	return side{n: len(table), far: table}
}

// places lists where n steps lead, from 0 on.
func places(n, step int) []int {
	at := make([]int, n)
	for i := range at {
		at[i] = i * step
	}
	return at
}
