package relayout

import (
	"fmt"
	"slices"
)

const (
	ample     = 64        // positions of a side that fill strips well
	maxFused  = 2048      // positions of a side that several loops make
	maxPiece  = 2048      // positions of a side that are moved at once
	batchSize = 200 << 10 // bytes of the target that are put together in the second cache before they are written

	streams    = 32        // rows that the processor reads at the same time as well as fewer
	nearRows   = 128       // rows of squares that follow one another in the source
	shortRow   = 1 << 10   // bytes of a row that is read as a whole
	firstCache = 16 << 10  // bytes of a target that stays in the first cache
	ownCache   = 896 << 10 // bytes that stay in the second cache until the next matrix is moved
)

// A tile is a kernel that moves a matrix with its elements in columns on one side and in rows on the other: element c
// of row r is moved from src[rows[r]+c*srcStep] to dst[cols[c]+r*dstStep].
type tile struct {
	width            int
	rows, cols       positions
	dstStep, srcStep int
	aligned          bool // columns start at multiples of a line, if the target does
	near             bool // both sides are in the cache
	next             int  // how far in the source the matrix is that is moved next
	dense            bool // columns follow one another in the target

	// What the squares fetch, while they read a line of each of some rows.
	small bool  // the same bytes of the next matrix
	lead  int   // the distance to bytes fetched ahead in the order of the source; 0 to fetch nothing
	lines []int // then: where lines are that follow one another

	stage  *stage // nil until there is one
	coming int    // the offset in the source of the bytes that are fetched in its order
}

// Positions are the rows or the columns of a tile: they are one step apart on one side of the move,
// and anywhere on the other.
type positions struct {
	n     int   // how many there are
	far   []int // the positions of the first n on the other side, in bytes: all if they are few
	chunk int   // the distance to the next ones
}

// pieces calls f for some positions at a time, with the number of the first, and their positions on the other side: the
// caller must add base to far.
func (s *positions) pieces(f func(first, base int, far []int)) {
	for first, base := 0, 0; first < s.n; first, base = first+len(s.far), base+s.chunk {
		f(first, base, s.far[:min(len(s.far), s.n-first)])
	}
}

// allAligned reports whether each loop moves from the start of one line of the target to the start of another.
func allAligned(loops []loop) bool {
	return !slices.ContainsFunc(loops, func(l loop) bool { return l.dst%line != 0 })
}

// A fusion makes one list of positions from several loops. Each loop continues at the end of the earlier ones. The
// function near returns the distance of a loop's steps on this side.
type fusion struct {
	near  func(loop) int64
	loops []loop
	n     int64
}

func (f *fusion) add(l loop) {
	f.loops = append(f.loops, l)
	f.n *= l.n
}

// grow adds the loop of rest that continues at the end of the positions, or a part of it.
func (f *fusion) grow(rest *[]loop) bool {
	if len(f.loops) == 0 {
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

// divisor returns the largest divisor of n that is not above limit.
func divisor(n, limit int64) int64 {
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

// positions lists the positions on the other side. The function far returns the distance of a loop's steps there.
func (f *fusion) positions(far func(loop) int64) positions {
	if len(f.loops) == 1 {
		l := f.loops[0]
		n, step := int(min(l.n, maxPiece)), int(far(l))
		return positions{int(l.n), multiples(n, step), n * step}
	}
	at := offsets(f.loops, far)
	return positions{n: len(at), far: at}
}

// offsets lists how far the steps of loops move, one step of the first loop after another.
func offsets(loops []loop, far func(loop) int64) []int {
	at := []int{0}
	for _, l := range loops {
		inner := at
		at = make([]int, 0, len(inner)*int(l.n))
		for i := range l.n {
			for _, first := range inner {
				at = append(at, first+int(i*far(l)))
			}
		}
	}
	return at
}

// multiples returns the first n multiples of step, starting at 0.
func multiples(n, step int) []int {
	at := make([]int, n)
	for i := range at {
		at[i] = i * step
	}
	return at
}

// adjacent reports whether elements are adjacent in the columns of the target and in the rows of the
// source: only then are there lines and strips.
func (t *tile) adjacent() bool { return t.dstStep == t.width && t.srcStep == t.width }

// move moves the matrix, some columns at a time and some rows of these, so that written lines stay in the cache until
// they are whole.
func (t *tile) move(p place) {
	if p.past && t.dense && !t.aligned {
		t.batches(p)
		return
	}
	p.past = p.past && t.aligned
	t.coming = p.s + t.lead
	t.cols.pieces(func(firstCol, dstBase int, cols []int) {
		t.rows.pieces(func(firstRow, srcBase int, rows []int) {
			t.part(p.at(dstBase+firstRow*t.dstStep, srcBase+firstCol*t.srcStep), rows, cols)
		})
	})
}

// part moves some rows and columns.
func (t *tile) part(p place, rows, cols []int) {
	if !t.adjacent() || len(cols) < vector/t.width {
		scatter(t.width, p, rows, cols, t.dstStep, t.srcStep)
		return
	}
	near := t.near || len(p.dst) < firstCache
	if side := squareRows(t.width); side > 0 && min(len(rows), len(cols)) >= side && t.direct(p) {
		n := len(rows) / side * side
		switch done := t.squares(p, rows[:n], cols); {
		case done == len(cols):
		case near:
			t.strips(p.at(0, done*t.width), rows[:n], cols[done:])
		default:
			t.stages(p, rows[:n], cols, done)
		}
		rows, p = rows[n:], p.at(n*t.width, 0)
	}
	n := 0
	if !near {
		n = t.stages(p, rows, cols, 0)
	}
	t.strips(p.at(n*t.width, 0), rows[n:], cols)
}

// direct reports whether squares write to the target, which is faster than a stage if they write whole
// lines that are not read first, or that are in the second cache, and if rows are fetched in the
// order of the source.
func (t *tile) direct(p place) bool {
	return p.past || t.lead > 0 || t.aligned && len(p.dst) <= slabSize
}

// squares moves the columns that fill squares, and returns how many there are. It moves some rows at a time, and for
// these all columns of a square before the next square, so that columns are written in pairs of lines.
func (t *tile) squares(p place, rows, cols []int) int {
	side, high := squareRows(t.width), max(streams, pitch/t.width)
	if t.lead > 0 {
		high = nearRows
	}
	n := len(cols) / side * side
	for r := 0; r < len(rows); r += high {
		some, from := rows[r:min(r+high, len(rows))], p.at(r*t.width, 0)
		switch fetched := len(some) * line; {
		case t.lead > 0:
			square(t.width, from, some, cols, n, t.lines, t.coming-from.s, fetched)
			t.coming += n / side * fetched
			continue
		case t.small:
			square(t.width, from, some, cols, n, some, t.next, line)
			continue
		}
		last := n - side
		if last > 0 {
			square(t.width, from, some, cols, last, some, line, line)
		}
		coming, ahead := t.rows.far, t.next
		if r+high+len(some) <= len(rows) {
			coming, ahead = rows[r+high:], 0
		}
		square(t.width, from.at(0, last*t.width), some, cols[last:], side, coming, ahead-last*t.width, line)
	}
	return n
}

// stages moves the rows that fill lines of the target, starting at column from, and returns how many there are.
func (t *tile) stages(p place, rows, cols []int, from int) (done int) {
	for _, bytes := range [...]int{pitch, line} {
		for high := bytes / t.width; len(rows)-done >= high; done += high {
			t.staged(p.at(done*t.width, 0), rows[done:], high, cols, from)
		}
	}
	return done
}

// A stage holds the first bytes of some columns, which stay in the cache until they are written. They are pitch
// bytes apart.
type stage struct {
	buf     [stageSize]byte
	touched byte // a byte of the source, so that the compiler keeps the reads
}

// staged moves the first high rows, which fill lines of the target. The lines are put together in the stage. Columns at
// the end that do not fill a vector are moved together with their neighbours.
func (t *tile) staged(p place, rows []int, high int, cols []int, from int) {
	if t.stage == nil {
		t.stage = new(stage)
	}
	st, per := t.stage, vector/t.width
	for c := from; c < len(cols); {
		c = min(c, len(cols)-per)
		n := min(len(cols)-c, stageCols) / per * per
		to := place{dst: st.buf[:], src: p.src, s: p.s + c*t.width}
		if !fetchesAhead {
			st.touched |= touch(to, rows[:high], n*t.width)
		}
		t.fill(to, rows[:high], n, t.ahead(rows, high, c, c+n < len(cols)))
		lines(p, &st.buf, cols[c:c+n], high*t.width)
		c += n
	}
}

// fill puts n columns of the rows into the stage at p.dst. It fetches the bytes at the distance ahead after the bytes
// that it reads.
func (t *tile) fill(p place, rows []int, n, ahead int) {
	if side := squareRows(t.width); side > 0 && len(rows) >= side && n >= side {
		whole := n / side * side
		square(t.width, p, rows, nil, whole, rows, ahead, line)
		n, p = n-whole, p.at(whole*pitch, whole*t.width)
	}
	if n > 0 {
		stageStrips(t.width, p, rows, n, ahead)
	}
}

// ahead returns the distance from column c of the first rows to the bytes that will be needed when this stage is full:
// in the next columns, in the next rows, or in the first rows of the next matrix.
func (t *tile) ahead(rows []int, high, c int, more bool) int {
	switch {
	case more:
		return stageCols * t.width
	case high < len(rows):
		return rows[high] - rows[0] - c*t.width
	}
	return t.next + t.rows.far[0] - rows[0] - c*t.width
}

// strips moves rows without a stage. Rows and columns at the end that do not fill a strip or a vector are moved
// together with their neighbours, if there are enough of them.
func (t *tile) strips(p place, rows, cols []int) {
	high, per := stripRows(t.width), vector/t.width
	if len(rows) < high || len(cols) < per {
		scatter(t.width, p, rows, cols, t.width, t.width)
		return
	}
	whole, last := len(rows)/high*high, len(rows)-high
	t.wholeStrips(p, rows[:whole], cols, per)
	if whole < len(rows) {
		t.wholeStrips(p.at(last*t.width, 0), rows[last:], cols, per)
	}
}

// wholeStrips moves rows that fill strips.
func (t *tile) wholeStrips(p place, rows, cols []int, per int) {
	n, last := len(cols)/per*per, len(cols)-per
	strip(t.width, p, rows, cols[:n], stageCols*t.width)
	if n < len(cols) {
		strip(t.width, p.at(0, last*t.width), rows, cols[last:], 0)
	}
}

// batches moves columns that follow one another, but do not start at lines of the target. It puts them together in a
// buffer that is large enough for all lines except the first and the last to be whole.
func (t *tile) batches(p place) {
	height, per := t.rows.n*t.width, max(vector/t.width, squareRows(t.width))
	n := min(max(batchSize/height/per*per, per), t.cols.n)
	batch, cols := make([]byte, n*height), multiples(n, height)
	for first := 0; first < t.cols.n; first += n {
		n = min(n, t.cols.n-first)
		t.gather(place{dst: batch, src: p.src, s: p.s + first*t.width}, cols[:n])
		flush(p.at(first*height, 0), batch[:n*height])
	}
}

// gather moves all rows of some columns to a batch: in squares, all columns of the same rows before the next rows,
// because long runs of a few rows are read faster than short ones of many, and the remaining columns in strips. The
// last squares share rows with the previous ones.
func (t *tile) gather(p place, cols []int) {
	n := 0
	if side := squareRows(t.width); side > 0 && min(t.rows.n, len(cols)) >= side {
		n = len(cols) / side * side
		for r := 0; r < t.rows.n; r += side {
			r = min(r, t.rows.n-side)
			square(t.width, p.at(r*t.width, 0), t.rows.far[r:r+side], cols, n, nil, 0, 0)
		}
	}
	if n < len(cols) {
		t.strips(p.at(0, n*t.width), t.rows.far, cols[n:])
	}
}

// flush copies a batch to p, its whole lines past the caches.
func flush(p place, batch []byte) {
	head := min(-p.d&(line-1), len(batch))
	whole := (len(batch) - head) &^ (line - 1)
	copy(p.dst[p.d:], batch[:head])
	if whole > 0 {
		pastCopy(p.dst[p.d+head:], batch[head:head+whole])
	}
	copy(p.dst[p.d+head+whole:], batch[head+whole:])
}

// String names the tile in a plan.
func (t *tile) String() string {
	verb := "transpose"
	if !t.adjacent() {
		verb = "scatter"
	}
	return fmt.Sprintf("%s %d rows of %d x %d bytes", verb, t.rows.n, t.cols.n, t.width)
}
