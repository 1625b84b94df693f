package relayout

import "fmt"

// A tile moves a matrix that lies in columns on one side and in rows on the other: element c of
// row r goes from src[rows[r]+c*srcStep] to dst[cols[c]+r*dstStep].
type tile struct {
	width            int
	rows, cols       side
	dstStep, srcStep int
	aligned          bool // columns start at multiples of a line, if the target does
	next             int  // how far in the source the matrix lies that is moved next
	dense            bool // columns follow one another in the target
}

// adjacent reports whether elements are neighbours in the columns of the target and in the rows of the
// source: only then are there lines and strips.
func (t *tile) adjacent() bool { return t.dstStep == t.width && t.srcStep == t.width }

// A stage holds the beginnings of some columns, which stay in the cache until they are written.
type stage struct {
	buf  [stageSize]byte
	cols [stageCols]int // where they start

	touched byte // of the source, so that the compiler keeps the reads
}

// move moves the matrix, some columns at a time and of these some rows, so that what is written
// stays in the cache until it is whole.
func (t *tile) move(p place) {
	if p.past && t.dense && !t.aligned {
		t.bands(p)
		return
	}
	p.past = p.past && t.aligned
	var st stage
	for i := range st.cols {
		st.cols[i] = i * pitch
	}
	t.cols.pieces(func(firstCol, dstBase int, cols []int) {
		t.rows.pieces(func(firstRow, srcBase int, rows []int) {
			t.part(p.at(dstBase+firstRow*t.dstStep, srcBase+firstCol*t.srcStep), rows, cols, &st)
		})
	})
}

// part moves some rows and columns.
func (t *tile) part(p place, rows, cols []int, st *stage) {
	if !t.adjacent() || len(cols) < vector/t.width {
		scatter(t.width, p, rows, cols, t.dstStep, t.srcStep)
		return
	}
	for _, bytes := range [...]int{pitch, line} {
		for high := bytes / t.width; len(rows) >= high; rows, p = rows[high:], p.at(bytes, 0) {
			t.staged(p, rows, high, cols, st)
		}
	}
	t.strips(p, rows, cols)
}

// staged moves the first rows, as many as make up lines of the target. The lines are put together
// in the stage. Columns that fill no vector are moved with their neighbours.
func (t *tile) staged(p place, rows []int, high int, cols []int, st *stage) {
	per := vector / t.width
	for c := 0; c < len(cols); {
		c = min(c, len(cols)-per)
		n := min(len(cols)-c, stageCols) / per * per
		to := place{dst: st.buf[:], src: p.src, s: p.s + c*t.width}
		if !fetchesAhead {
			st.touched |= touch(to, rows[:high], n*t.width)
		}
		for r := 0; r < high; r += stripRows(t.width) {
			strip(t.width, to.at(r*t.width, 0), rows[r:], st.cols[:n], t.ahead(rows, r, high, c, c+n < len(cols)))
		}
		lines(p, &st.buf, cols[c:c+n], high*t.width)
		c += n
	}
}

// ahead returns how far from row r, read from column c on, those bytes lie that are needed when
// this stage is full: in the next columns, in the next rows, or in the first rows of the next matrix.
func (t *tile) ahead(rows []int, r, high, c int, more bool) int {
	switch {
	case more:
		return stageCols * t.width
	case r+high < len(rows):
		return rows[r+high] - rows[r] - c*t.width
	}
	return t.next + t.rows.far[r] - rows[r] - c*t.width
}

// strips moves rows without a stage. What fills no strip, or no vector, is moved once more with
// its neighbours, unless there are none.
func (t *tile) strips(p place, rows, cols []int) {
	high, per := stripRows(t.width), vector/t.width
	if len(rows) < high || len(cols) < per {
		scatter(t.width, p, rows, cols, t.width, t.width)
		return
	}
	n := len(cols) / per * per
	for r := 0; r < len(rows); r += high {
		r = min(r, len(rows)-high)
		to := p.at(r*t.width, 0)
		strip(t.width, to, rows[r:], cols[:n], stageCols*t.width)
		if last := len(cols) - per; n < len(cols) {
			strip(t.width, to.at(0, last*t.width), rows[r:], cols[last:], 0)
		}
	}
}

// String names the tile in a plan.
func (t *tile) String() string {
	verb := "transpose"
	if !t.adjacent() {
		verb = "scatter"
	}
	return fmt.Sprintf("%s %d rows of %d x %d bytes", verb, t.rows.n, t.cols.n, t.width)
}
