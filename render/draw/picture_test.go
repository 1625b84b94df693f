package draw_test

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/view"
	"layoutcalc/render/draw"
)

func TestMain(m *testing.M) { layouttest.Main(m) }

// A subject is the subject of a picture.
type subject struct {
	kind    kind
	tensors []layout.Tensor
	stores  []int // the index of each tensor's storage
	steps   string
	options draw.Options
	screen  bool    // it fits a screen, whatever the options
	lines   []int64 // the elements of a line of each storage, where the options leave that to the picture
}

type kind int

const (
	one kind = iota
	comparison
	conversion
	chain
)

// single is a picture of one tensor.
func single(t layout.Tensor, o draw.Options) *subject {
	return &subject{tensors: []layout.Tensor{t}, stores: []int{0}, options: o}
}

// pair is a comparison or a conversion.
func pair(k kind, a, b layout.Tensor, o draw.Options) *subject {
	return &subject{kind: k, tensors: []layout.Tensor{a, b}, stores: []int{0, 1}, options: o}
}

// views is a chain of views.
func views(t layouttest.TB, start layout.Tensor, steps string, o draw.Options) *subject {
	t.Helper()
	s := &subject{kind: chain, steps: steps, tensors: []layout.Tensor{start}, stores: []int{0}, options: o}
	list, err := view.ParseSteps(steps)
	if err != nil {
		t.Fatalf("%s: %v", steps, err)
	}
	made, err := view.Apply(start, list, layout.PyTorch)
	if err != nil {
		t.Fatalf("%s: %v", steps, err)
	}
	store := 0
	for _, v := range made {
		if v.Copied {
			store++
		}
		s.tensors, s.stores = append(s.tensors, v.Tensor), append(s.stores, store)
	}
	return s
}

// picture makes the picture.
func (s *subject) picture() (*draw.Picture, error) {
	if s.options.Cells == 0 && !s.screen {
		s.options.Cells = draw.DefaultCells
	}
	first := s.tensors[0]
	switch s.kind {
	case comparison:
		d, err := analysis.Compare(first.Layout(), s.tensors[1].Layout())
		if err != nil {
			return nil, err
		}
		return draw.Comparison(first, s.tensors[1], d, s.options)
	case conversion:
		return draw.Conversion(first, s.tensors[1], s.options)
	case chain:
		steps, err := view.ParseSteps(s.steps)
		if err != nil {
			return nil, err
		}
		made, err := view.Apply(first, steps, layout.PyTorch)
		if err != nil {
			return nil, err
		}
		return draw.Chain(first, steps, made, s.options)
	}
	return draw.Tensor(first, s.options)
}

// svg draws the picture.
func (s *subject) svg(t layouttest.TB) []byte {
	t.Helper()
	p, err := s.picture()
	if err != nil {
		t.Fatalf("%v: %v", s, err)
	}
	var b bytes.Buffer
	if err := p.SVG(&b); err != nil {
		t.Fatalf("%v: %v", s, err)
	}
	return b.Bytes()
}

func (s *subject) String() string {
	text := []string{"tensor", "comparison", "conversion", "chain " + s.steps}[s.kind]
	for _, x := range s.tensors {
		text += fmt.Sprintf(" %s of base %d, storage %d;", x.Layout(), x.Layout().Base(), x.Storage())
	}
	o := s.options
	text += fmt.Sprintf(" show %d, colours %d, line %d, cells %d", o.Show, o.ColorBy, o.Line, o.Cells)
	for _, r := range o.Slice {
		text += fmt.Sprintf(", slice from %d", r.From)
	}
	if o.From != nil {
		text += fmt.Sprintf(" from %d", *o.From)
	}
	if o.To != nil {
		text += fmt.Sprintf(" to %d", *o.To)
	}
	return text
}

// owner returns the first tensor that has a storage.
func (s *subject) owner(store int) layout.Tensor { return s.tensors[slices.Index(s.stores, store)] }

// check compares a picture with the digits of the tensors.
func (s *subject) check(t layouttest.TB, d *document) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%v: %s", s, fmt.Sprintf(format, args...))
	}
	if len(d.panels) != len(s.tensors) || len(d.strips) != s.stores[len(s.stores)-1]+1 {
		fail("%d panels and %d strips", len(d.panels), len(d.strips))
	}
	s.lines = nil
	for _, strip := range d.strips {
		s.lines = append(s.lines, strip.perLine)
	}
	inGrids := 0 // at the least the four corners of each panel, whatever the limit
	for _, p := range d.panels {
		for _, g := range p.grids {
			inGrids += len(g.cells)
		}
	}
	if n := len(d.cells); !s.screen && n > s.options.Cells && (inGrids > 4*len(d.panels) || n > inGrids) {
		fail("%d cells, more than %d", n, s.options.Cells)
	}
	c := checker{
		subject: s, document: d, fail: fail, shown: make([]map[int64]*occupant, len(d.strips)),
		blockTints: map[string]byte{}, axes: map[int]int{},
	}
	for i := range d.strips {
		c.stored = append(c.stored, occupants(s.owner(i).Layout(), s.owner(i).Layout().Sizes()))
	}
	if s.kind == comparison {
		c.difference = firstDifference(s.tensors[0].Layout(), s.tensors[1].Layout())
	}
	for i, p := range d.panels {
		c.checkPanel(i, p)
	}
	for i, strip := range d.strips {
		c.checkStrip(i, strip)
	}
	c.checkArrows()
}

type checker struct {
	*subject
	*document
	fail       func(format string, args ...any)
	stored     []map[int64]*occupant // by storage
	shown      []map[int64]*occupant // of the last view of each
	difference []int64
	blockTints map[string]byte
	axes       map[int]int // the axes that determine colours, by storage
}

// asked returns the indices along each axis that the picture of a tensor must show. A slice along an axis that a later
// tensor of a chain does not have applies to the others.
func (s *subject) asked(i int) (from, to []int64) {
	l := s.tensors[i].Layout()
	from, to = make([]int64, l.Rank()), l.Sizes()
	for _, r := range s.options.Slice {
		if axis, a, b, err := r.Of("--slice", l); err == nil {
			from[axis], to[axis] = a, b
		}
	}
	return from, to
}

func (c *checker) checkPanel(i int, p *panel) {
	l, store := c.tensors[i].Layout(), c.stores[i]
	from, to := c.asked(i)
	if p.strip != store {
		c.fail("panel %d is of strip %d, want %d", i, p.strip, store)
	}
	row, column := -1, -1
	for axis := range l.Rank() {
		if l.Axis(axis).Size() > 1 {
			row, column = column, axis
		}
	}
	total := int64(1)
	for axis := range from {
		total *= to[axis] - from[axis]
	}
	drawn, lists := map[string]*cell{}, make([]map[int64]bool, l.Rank())
	for axis := range lists {
		lists[axis] = map[int64]bool{}
	}
	for _, g := range p.grids {
		for _, cell := range g.cells {
			if len(cell.index) != l.Rank() || cell.index == nil {
				c.fail("panel %d: cell of index %v", i, cell.index)
			}
			key := layouttest.Commas(cell.index)
			if drawn[key] != nil {
				c.fail("panel %d: two cells of %s", i, key)
			}
			drawn[key] = cell
			for axis, v := range cell.index {
				lists[axis][v] = true
				if v < from[axis] || v >= to[axis] {
					c.fail("panel %d: cell of %s, outside of what was asked for", i, key)
				}
				if axis != row && axis != column && v != g.outer[axis] {
					c.fail("panel %d: cell of %s in the grid of %v", i, key, g.outer)
				}
			}
			if want := offsetOf(l, cell.index); cell.offset != want {
				c.fail("panel %d: offset %d at %s, want %d", i, cell.offset, key, want)
			}
		}
		c.checkPlaces(g, row, column)
		c.checkSteps(l, g, row, column)
		c.checkGridBoxes(l, g, row, column)
	}
	// What is drawn is all combinations of some indices of each axis, and the rest is counted below the panel.
	product := int64(1)
	for _, list := range lists {
		product *= int64(len(list))
	}
	if l.Empty() {
		product = 0
	}
	if int64(len(drawn)) != product {
		c.fail("panel %d has %d cells, which are not all combinations of %v", i, len(drawn), lists)
	}
	note, want := strings.Join(p.notes, " "), ""
	switch {
	case total == 0 && len(c.tensors) == 1:
		note, want = c.desc, "empty"
	case total == 0:
		want = "empty: no elements"
	case product != total:
		want = fmt.Sprintf("%s of %s elements drawn, %s not", grouped(product), grouped(total), grouped(total-product))
	}
	if !strings.Contains(note, want) || want == "" && strings.Contains(note, "drawn") {
		c.fail("panel %d has %d of %d elements, and says %q", i, product, total, note)
	}
	for axis, list := range lists {
		c.checkEnds(list, from[axis], to[axis])
	}
	c.checkElements(i, drawn)
}

// grouped writes a number with commas between thousands.
func grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// checkEnds checks that list has all indices of an axis, only the first, or the same number from the start and from the
// end.
func (c *checker) checkEnds(list map[int64]bool, from, to int64) {
	n := int64(len(list))
	if n == to-from || n <= 1 {
		return
	}
	if n%2 != 0 {
		c.fail("%d indices of %d", n, to-from)
	}
	for k := range n / 2 {
		if !list[from+k] || !list[to-1-k] {
			c.fail("indices %v from %d to %d", list, from, to)
		}
	}
}

// checkPlaces checks that rows and columns are in order, with labels for their first and last index.
func (c *checker) checkPlaces(g *grid, row, column int) {
	xs, ys := map[int64]float64{}, map[int64]float64{}
	place := func(at map[int64]float64, axis int, index []int64, v float64) {
		n := int64(0)
		if axis >= 0 {
			n = index[axis]
		}
		if was, ok := at[n]; ok && was != v {
			c.fail("index %d of axis %d is both at %g and at %g", n, axis, was, v)
		}
		at[n] = v
	}
	for _, cell := range g.cells {
		place(xs, column, cell.index, cell.x)
		place(ys, row, cell.index, cell.y)
	}
	for axis, at := range map[int]map[int64]float64{row: ys, column: xs} {
		last, first := int64(math.MinInt64), int64(math.MaxInt64)
		for a, x := range at {
			last, first = max(last, a), min(first, a)
			for b, y := range at {
				if a < b && x >= y {
					c.fail("index %d of axis %d is at %g, %d at %g", a, axis, x, b, y)
				}
			}
		}
		if axis < 0 || len(at) == 0 {
			continue
		}
		for _, n := range []int64{first, last} {
			text := strconv.FormatInt(n, 10)
			if !slices.ContainsFunc(g.labels, func(l *label) bool { return l.text == text && l.has("m") }) {
				c.fail("index %d of axis %d is not beside the grid of %v", n, axis, g.outer)
			}
		}
	}
}

// checkElements compares the text, the colours, the outlines and the fading of the cells of a panel with the tensor.
func (c *checker) checkElements(i int, drawn map[string]*cell) {
	l, store := c.tensors[i].Layout(), c.stores[i]
	owner, marks := c.owner(store).Layout(), []*cell{}
	wide, texts, places := 0, 0, 0
	for key, cell := range drawn {
		want := indexLabel(l, cell.index)
		if c.options.Show == draw.Offsets {
			want = strconv.FormatInt(cell.offset, 10)
		}
		own := cell.index
		if i != slices.Index(c.stores, store) {
			own = nil
			if there := c.stored[store][cell.offset]; there != nil {
				own = there.first
			}
		}
		if c.options.Show == draw.Values && own != nil {
			want = c.options.Labels.Label(c.labelled(owner), own)
		}
		wide = max(wide, len([]rune(want)))
		if want != "" {
			places++
		}
		if cell.text != "" {
			texts++
		}
		if cell.text != "" && cell.text != want {
			c.fail("panel %d: %q in the cell of %s, want %q", i, cell.text, key, want)
		}
		c.checkTint(store, cell, own)
		faded := false
		if c.kind == comparison && c.difference != nil {
			faded = offsetOf(c.tensors[0].Layout(), cell.index) == offsetOf(c.tensors[1].Layout(), cell.index)
		}
		if cell.has("fd") != faded {
			c.fail("panel %d: the cell of %s is faded: %v, want %v", i, key, !faded, faded)
		}
		if cell.has("s") != shared(l) {
			c.fail("panel %d: the cell of %s is dotted: %v", i, key, cell.has("s"))
		}
		if cell.marked {
			marks = append(marks, cell)
		}
	}
	for _, cell := range drawn {
		if fits := cell.width >= 14 && cell.width >= float64(7*wide+2); fits && texts != places || !fits && texts > 0 {
			c.fail("panel %d: %d of %d cells of %g px have a text of up to %d characters", i, texts, places,
				cell.width, wide)
		}
		break
	}
	c.checkMarks(i, drawn, marks)
}

// labelled returns the layout that values are of: that of the first tensor, as long as others have the same elements.
func (c *checker) labelled(owner layout.Layout) layout.Layout {
	if first := c.tensors[0].Layout(); slices.Equal(first.Sizes(), owner.Sizes()) {
		return first
	}
	return owner
}

// checkMarks checks the outlines: around the first difference, the selected elements, or two elements that overlap.
func (c *checker) checkMarks(i int, drawn map[string]*cell, marks []*cell) {
	l := c.tensors[i].Layout()
	var want []string
	for _, index := range c.options.Mark {
		want = append(want, layouttest.Commas(index))
	}
	for key, cell := range drawn {
		if slices.Contains(c.options.MarkAt, cell.offset) && !slices.Contains(want, key) {
			want = append(want, key)
		}
	}
	switch {
	case len(c.options.Mark)+len(c.options.MarkAt) > 0:
	case c.difference != nil:
		want = []string{layouttest.Commas(c.difference)}
	case overlaps(l):
		whole := int64(len(drawn)) == l.Elements()
		if whole && len(marks) != 2 || len(marks) == 2 && marks[0].offset != marks[1].offset || len(marks) > 2 {
			c.fail("panel %d overlaps, and has %d outlined cells: %+v", i, len(marks), marks)
		}
		return
	}
	want = slices.DeleteFunc(want, func(key string) bool { return drawn[key] == nil })
	var got []string
	for _, cell := range marks {
		got = append(got, layouttest.Commas(cell.index))
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		c.fail("panel %d: outlined %v, want %v", i, got, want)
	}
}

// checkTint checks that cells with the same index along the axis of the storage's tensor have the same colour.
func (c *checker) checkTint(store int, cell *cell, own []int64) {
	want, known := byte(0), true
	switch by := c.options.ColorBy; {
	case by == draw.ByLine:
		perLine := c.perLine(store)
		want = 'a' + byte(floorMod((cell.offset-floorMod(cell.offset, perLine))/perLine, 8))
	case by == draw.ByBank: // eight groups of four banks of 4 bytes
		bytes := cell.offset * c.owner(store).DType().Bits() / 8
		want = 'a' + byte(floorMod(bytes/4/4, 8))
	case own == nil || by == draw.ByNone:
	case by == draw.ByBlock:
		sizes := c.blocks(store)
		if known = sizes == nil; known {
			break
		}
		if cell.tint() == 0 {
			c.fail("the cell of %v has no colour", own)
		}
		block := strconv.Itoa(store) + " " + blockOf(own, sizes)
		if was := c.blockTints[block]; was != 0 && was != cell.tint() {
			c.fail("the block %s has the colours %q and %q", block, was, cell.tint())
		}
		c.blockTints[block] = cell.tint()
	default:
		axis, ok := c.axes[store]
		if !ok {
			axis = c.axis(store)
			c.axes[store] = axis
		}
		switch {
		case axis >= 0 && broadcast(c.owner(store).Layout(), axis) || axis == oneColor:
			want = 'a'
		case axis >= 0:
			want = 'a' + byte(own[axis]%8)
		}
	}
	if known && cell.tint() != want {
		c.fail("the cell of %v at %d has the colour %q, want %q", own, cell.offset, cell.tint(), want)
	}
}

// blocks returns the sizes of the blocks that colours are of: those of the first tensor with blocks that has as many
// axes as the storage's own; nil for none.
func (c *checker) blocks(store int) []int64 {
	for _, x := range c.tensors {
		if sizes, ok := blockSizes(x.Layout(), 1); ok && len(sizes) == c.owner(store).Layout().Rank() {
			return sizes
		}
	}
	return nil
}

// oneColor replaces an axis for elements that all have one colour.
const oneColor = -2

// axis returns the axis that determines colours: the selected one, or the outermost one that takes storage and has
// several indices in the grids of the storage's own tensor. The elements of a vector have one colour.
func (c *checker) axis(store int) int {
	owner := c.owner(store).Layout()
	if c.options.Axis != nil {
		if axis, err := c.options.Axis.Find("", owner.AxisNames()); err == nil {
			return axis
		}
		return -1
	}
	p := c.panels[slices.Index(c.stores, store)]
	long := 0
	for _, size := range owner.Sizes() {
		if size > 1 {
			long++
		}
	}
	for axis := range owner.Rank() {
		if long < 2 || broadcast(owner, axis) && owner.Axis(axis).Size() > 1 {
			continue
		}
		seen := map[int64]bool{}
		for _, g := range p.grids {
			for _, cell := range g.cells {
				seen[cell.index[axis]] = true
			}
		}
		if len(seen) > 1 {
			return axis
		}
	}
	return oneColor
}

func (s *subject) perLine(store int) int64 {
	bits, line := s.owner(store).DType().Bits(), s.options.Line
	if bits == 0 {
		bits = 32 // lines of 16 elements
	}
	if line == 0 {
		return s.lines[store]
	}
	return max(line*8/bits, 1)
}

// checkGridBoxes checks that every cell is in one box, with exactly its neighbours of the same block.
func (c *checker) checkGridBoxes(l layout.Layout, g *grid, row, column int) {
	for level := 1; level <= 2; level++ {
		sizes, ok := blockSizes(l, level)
		has := ok && (row >= 0 && sizes[row] > 1 || column >= 0 && sizes[column] > 1)
		for _, cell := range g.cells {
			if n := len(cell.boxes[level]); has != (n == 1) {
				c.fail("the cell of %v is in %d boxes of level %d", cell.index, n, level)
			}
		}
		if !has {
			continue
		}
		at := map[string]*cell{}
		for _, cell := range g.cells {
			at[layouttest.Commas(cell.index)] = cell
		}
		blocks := map[int]string{}
		for _, cell := range g.cells {
			block, box := blockOf(cell.index, sizes), cell.boxes[level][0]
			if was, ok := blocks[box]; ok && was != block {
				c.fail("a box has cells of the blocks %s and %s", was, block)
			}
			blocks[box] = block
			for _, axis := range []int{row, column} {
				if axis < 0 {
					continue
				}
				next := slices.Clone(cell.index)
				next[axis]++
				other := at[layouttest.Commas(next)]
				if other != nil && (blockOf(next, sizes) == block) != (other.boxes[level][0] == box) {
					c.fail("%v and %v, of the blocks %s and %s, are in the boxes %d and %d", cell.index, next, block,
						blockOf(next, sizes), box, other.boxes[level][0])
				}
			}
		}
	}
}

// span returns which offsets of a storage must be drawn.
func (s *subject) span(store int) (from, to int64) {
	from, to = math.MaxInt64, math.MinInt64
	for i, x := range s.tensors {
		if s.stores[i] != store {
			continue
		}
		each(make([]int64, x.Layout().Rank()), x.Layout().Sizes(), func(index []int64) {
			offset := offsetOf(x.Layout(), index)
			from, to = min(from, offset), max(to, offset+1)
		})
		if !x.Viewed() {
			to = max(to, x.Storage())
		}
	}
	if from == math.MaxInt64 { // no elements
		from, to = 0, max(to, 0)
	}
	if perLine := s.perLine(store); from > 0 {
		from -= from % perLine
	}
	if s.options.From != nil {
		from = *s.options.From
	}
	if s.options.To != nil {
		to = *s.options.To
	}
	return from, max(from, to)
}

func (c *checker) checkStrip(store int, s *strip) {
	owner, perLine := c.owner(store), c.perLine(store)
	from, to := c.span(store)
	filled := occupants(owner.Layout(), extents(owner.Layout()))
	seen, wide, texts, places := int64(0), 0, 0, 0
	cut := uint64(0)
	var marked []int64
	for k, line := range s.lines {
		first := line.cells[0]
		bits := new(big.Int).Mul(big.NewInt(first.offset), big.NewInt(owner.DType().Bits()))
		exact := new(big.Rat).SetFrac(bits, big.NewInt(8)).FloatString(3)
		wantByte := strings.TrimSuffix(strings.TrimRight(exact, "0"), ".")
		if owner.DType().Bits() == 0 {
			wantByte = "?"
		}
		if line.offset != strconv.FormatInt(first.offset, 10) || line.byte != wantByte {
			c.fail("strip %d: a line is labelled %s, %s, and starts at %d", store, line.offset, line.byte, first.offset)
		}
		if floorMod(first.offset, perLine) != 0 && first.offset != from {
			c.fail("strip %d: a line starts at %d", store, first.offset)
		}
		end := to
		if rest := perLine - floorMod(first.offset, perLine); first.offset <= math.MaxInt64-rest {
			end = min(to, first.offset+rest)
		}
		if k > 0 && s.lines[k-1].cells[0].offset >= first.offset {
			c.fail("strip %d: line %d starts at %d", store, k, first.offset)
		}
		at := first.offset
		for n, cell := range line.cells {
			if cell.offset != at {
				left := line.cells[n-1]
				end := left.x + left.width
				gap := slices.ContainsFunc(line.gaps, func(x float64) bool { return end < x && x < cell.x })
				if cell.offset < at || !gap {
					c.fail("strip %d: a cell of %d where %d is expected", store, cell.offset, at)
				}
				cut += uint64(cell.offset - at)
			} else if n > 0 && line.cells[n-1].x+cell.width != cell.x {
				c.fail("strip %d: the cell of %d is not beside the one before", store, cell.offset)
			}
			at = cell.offset + 1
			if cell.marked {
				marked = append(marked, cell.offset)
			}
			want := c.checkStored(store, cell)
			bits := owner.DType().Bits()
			low := bits > 0 && bits < 8 && 8%bits == 0 && floorMod(cell.offset*bits, 8) == 0
			if cell.low != (low && cell.width >= 28 && cell.count == "") {
				c.fail("strip %d: the cell of %d is named as the low one: %v", store, cell.offset, cell.low)
			}
			wide = max(wide, len([]rune(want)))
			if want != "" {
				places++
			}
			if cell.text != "" {
				texts++
			}
			if cell.text != "" && cell.text != want {
				c.fail("strip %d: %q in the cell of %d, want %q", store, cell.text, cell.offset, want)
			}
		}
		if at != end {
			c.fail("strip %d: the line of %d ends at %d, want %d", store, first.offset, at, end)
		}
		seen++
		c.checkLineBoxes(store, line, filled)
	}
	c.checkPerLine(store, s, texts, places)
	if len(s.cells) > 0 {
		cell := s.cells[0]
		if fits := cell.width >= 14 && cell.width >= float64(7*wide+2); fits && texts != places || !fits && texts > 0 {
			c.fail("strip %d: %d of %d cells have texts, in %g px of up to %d characters", store, texts, places,
				cell.width, wide)
		}
	}
	if s.cut != cut {
		c.fail("strip %d says that %d offsets of lines are not drawn, want %d", store, s.cut, cut)
	}
	total := int64(0)
	if to > from {
		n := new(big.Int).Sub(big.NewInt(to), big.NewInt(from))
		n.Add(n, big.NewInt(floorMod(from, perLine)+perLine-1))
		total = n.Div(n, big.NewInt(perLine)).Int64()
	}
	for _, n := range s.skipped {
		seen += int64(n)
	}
	if seen != total {
		c.fail("strip %d: %d lines are drawn or named, of %d", store, seen, total)
	}
	c.checkStripMarks(store, s, marked)
	c.checkArcs(store, s)
}

// checkPerLine checks that lines have 2^n elements, all with text, if the picture chooses their length.
func (c *checker) checkPerLine(store int, s *strip, texts, places int) {
	n, bits := s.perLine, c.owner(store).DType().Bits()
	if bits == 0 {
		bits = 32
	}
	switch {
	case c.options.Line != 0:
	case n&(n-1) != 0 || n*bits > 512 && n > 1:
		c.fail("strip %d has lines of %d elements", store, n)
	case texts != places && n > 2:
		c.fail("strip %d has lines of %d elements, with %d of %d texts", store, n, texts, places)
	}
}

// checkStored compares a cell of a strip with the storage, and returns its expected text.
func (c *checker) checkStored(store int, cell *cell) string {
	there := c.stored[store][cell.offset]
	if there == nil {
		if cell.index != nil || !cell.has("p") || cell.count != "" {
			c.fail("strip %d: the cell of %d is %q with index %v, want padding", store, cell.offset, cell.class,
				cell.index)
		}
		return ""
	}
	if !slices.Equal(cell.index, there.first) || cell.index == nil || cell.has("p") {
		c.fail("strip %d: the cell of %d is %q with index %v, want %v", store, cell.offset, cell.class, cell.index,
			there.first)
	}
	want := "x" + strconv.FormatInt(there.count, 10)
	if there.count == 1 {
		want = ""
	}
	if cell.count != want && (cell.count != "" || cell.width >= float64(5*len(want)+2)) {
		c.fail("strip %d: the cell of %d says %q, want %q", store, cell.offset, cell.count, want)
	}
	if cell.has("s") != (there.count > 1) {
		c.fail("strip %d: the cell of %d is dotted: %v", store, cell.offset, cell.has("s"))
	}
	c.checkTint(store, cell, there.first)
	faded := false
	switch {
	case c.kind == comparison && c.difference != nil:
		faded = offsetOf(c.tensors[0].Layout(), there.first) == offsetOf(c.tensors[1].Layout(), there.first)
	case c.kind == chain:
		last := len(c.stores) - 1
		for c.stores[last] != store {
			last--
		}
		if c.shown[store] == nil {
			l := c.tensors[last].Layout()
			c.shown[store] = occupants(l, l.Sizes())
		}
		faded = c.shown[store][cell.offset] == nil
	}
	if cell.has("fd") != faded {
		c.fail("strip %d: the cell of %d is faded: %v, want %v", store, cell.offset, !faded, faded)
	}
	if c.options.Labels.Values != nil || c.options.Show == draw.Values {
		return c.options.Labels.Label(c.labelled(c.owner(store).Layout()), there.first)
	}
	return indexLabel(c.owner(store).Layout(), there.first)
}

// indexLabel formats an index like the cells: without axes of size 1, unless there are no others.
func indexLabel(l layout.Layout, index []int64) string {
	var words []string
	for i, v := range index {
		if l.Axis(i).Size() != 1 || l.Elements() == 1 {
			words = append(words, strconv.FormatInt(v, 10))
		}
	}
	return strings.Join(words, ",")
}

// checkStripMarks checks that the offset of each outlined element is outlined.
func (c *checker) checkStripMarks(store int, s *strip, marked []int64) {
	want := map[int64]bool{}
	for _, offset := range c.options.MarkAt {
		want[offset] = true
	}
	asked := len(c.options.Mark)+len(c.options.MarkAt) > 0
	for i, p := range c.panels {
		l := c.tensors[i].Layout()
		if c.stores[i] != store {
			continue
		}
		for _, index := range c.options.Mark {
			want[offsetOf(l, index)] = true
		}
		switch {
		case asked:
		case c.difference != nil:
			want[offsetOf(l, c.difference)] = true
		case overlaps(l):
			found := false
			for _, g := range p.grids {
				for _, cell := range g.cells {
					if cell.marked {
						want[cell.offset], found = true, true
					}
				}
			}
			if !found {
				return // the two elements are not in the grids
			}
		}
	}
	for _, cell := range s.cells {
		if cell.marked != want[cell.offset] {
			c.fail("strip %d: the cell of %d is outlined: %v; outlined are %v", store, cell.offset, cell.marked, marked)
		}
	}
}

// checkLineBoxes checks that runs of cells of one block are in one box, and that boxes have nothing else.
func (c *checker) checkLineBoxes(store int, line *line, filled map[int64]*occupant) {
	l := c.owner(store).Layout()
	for level := 1; level <= 2; level++ {
		sizes, ok := blockSizes(l, level)
		block := func(cell *cell) string {
			switch {
			case cell.index != nil:
				return blockOf(cell.index, sizes)
			case filled[cell.offset] != nil:
				return blockOf(filled[cell.offset].first, sizes)
			}
			return "none of " + strconv.FormatInt(cell.offset, 10)
		}
		for k, cell := range line.cells {
			if n := len(cell.boxes[level]); n > 1 || !ok && n > 0 {
				c.fail("strip %d: the cell of %d is in %d boxes of level %d", store, cell.offset, n, level)
			}
			if k == 0 || !ok {
				continue
			}
			left := line.cells[k-1]
			together := left.offset+1 == cell.offset && block(left) == block(cell)
			a, b := left.boxes[level], cell.boxes[level]
			if boxed := len(b) > 0 && slices.Equal(a, b); boxed != together {
				c.fail("strip %d: %d and %d, of the blocks %s and %s, are in one box of level %d: %v", store,
					left.offset, cell.offset, block(left), block(cell), level, boxed)
			}
		}
	}
}

// checkArrows checks that there is an arrow from each element of the first strip to the same one in the second, in
// conversions of few elements with all lines drawn.
func (c *checker) checkArrows() {
	want := map[string][2]*cell{}
	skips := slices.ContainsFunc(c.strips, func(s *strip) bool { return len(s.skipped) > 0 || s.cut > 0 })
	if c.kind == conversion && !skips && c.tensors[0].Layout().Elements() <= 32 {
		for i, s := range c.strips {
			for _, cell := range s.cells {
				if cell.index != nil {
					both := want[layouttest.Commas(cell.index)]
					both[i] = cell
					want[layouttest.Commas(cell.index)] = both
				}
			}
		}
	}
	n := 0
	for key, both := range want {
		if both[0] == nil || both[1] == nil {
			continue
		}
		n++
		from, to := both[0], both[1]
		if !slices.ContainsFunc(c.arrows, func(points [][2]float64) bool {
			a, b := points[0], points[len(points)-1]
			return a[0] == from.x+from.width/2 && b[0] == to.x+to.width/2 && math.Abs(a[1]-from.y-28) <= 4 &&
				math.Abs(b[1]-to.y) <= 4
		}) {
			c.fail("no arrow from %s to itself", key)
		}
	}
	if len(c.arrows) != n {
		c.fail("%d arrows, want %d", len(c.arrows), n)
	}
}

// drawLayout makes a layout of any kind: blocks that the sizes may leave partly empty, padding, broadcast axes, flips
// and overlaps.
func drawLayout(t *rapid.T, sizes []int64, names []string) layout.Layout {
	axes := make([]layout.Axis, len(sizes))
	places := make([]int, len(sizes))
	for i := range places {
		places[i] = i
	}
	next, odd := int64(1), rapid.IntRange(0, 3).Draw(t, "odd")
	digits := make([][]layout.Digit, len(sizes))
	stride := func(extent int64) int64 {
		s := next
		switch pick := rapid.IntRange(0, 9).Draw(t, "stride"); {
		case odd == 0 || pick > 4:
		case pick == 0:
			return 0
		case pick == 1:
			s = -s
		case pick == 2:
			return rapid.Int64Range(-3, 5).Draw(t, "small")
		case pick == 3:
			s += rapid.Int64Range(0, 4).Draw(t, "padding")
		}
		next = max(next, max(s, -s)) * max(extent, 1)
		return s
	}
	for _, i := range rapid.Permutation(places).Draw(t, "memory") {
		weight := int64(1)
		for range rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(t, "blocks") {
			extent := rapid.Int64Range(1, 4).Draw(t, "block")
			digits[i] = append([]layout.Digit{{Extent: extent, Stride: stride(extent)}}, digits[i]...)
			weight *= extent
		}
		outer := (sizes[i] + weight - 1) / weight
		digits[i] = append([]layout.Digit{{Extent: outer, Stride: stride(outer)}}, digits[i]...)
	}
	for i, n := range sizes {
		name := ""
		if names != nil {
			name = names[i]
		}
		axes[i] = layout.NewAxis(name, n, digits[i]...)
	}
	l, err := layout.New(rapid.SampledFrom([]int64{0, 0, 0, 3, 100, -7}).Draw(t, "base"), axes...)
	if err != nil {
		t.Fatal(err)
	}
	if rapid.IntRange(0, 3).Draw(t, "swizzled") == 0 {
		s := layout.Swizzle{Bits: rapid.IntRange(1, 3).Draw(t, "bits"), Base: rapid.IntRange(0, 3).Draw(t, "bit")}
		if s.Shift = s.Bits + rapid.IntRange(0, 1).Draw(t, "shift"); rapid.Bool().Draw(t, "down") {
			s.Shift = -s.Shift
		}
		if swizzled, err := l.Swizzled(s); err == nil { // no offset is negative
			return swizzled
		}
	}
	return l
}

// drawSizes makes sizes of any rank up to 6, of 150 elements at most.
func drawSizes(t *rapid.T) []int64 {
	some := rapid.SampledFrom([]int64{1, 2, 3, 4, 5, 6, 8, 9, 12, 17, 2, 3})
	sizes, n := rapid.SliceOfN(some, 0, 6).Draw(t, "sizes"), int64(1)
	for i := range sizes {
		if n*sizes[i] > 150 {
			sizes[i] = 1
		}
		n *= sizes[i]
	}
	if rapid.IntRange(0, 40).Draw(t, "empty") == 0 && len(sizes) > 0 {
		sizes[0] = 0
	}
	return sizes
}

func drawTensor(t *rapid.T, sizes []int64, names []string) layout.Tensor {
	types := []string{"f32", "f32", "u8", "f64", "i4", "bool", "complex128", "unknown"}
	dtype := rapid.SampledFrom(types).Draw(t, "type")
	x, err := layout.NewTensor(drawLayout(t, sizes, names), layouttest.Tensor(t, "[] -t "+dtype).DType())
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func drawOptions(t *rapid.T, x layout.Tensor) draw.Options {
	shows := []draw.Show{draw.Offsets, draw.Offsets, draw.Indices, draw.Values}
	colors := []draw.ColorBy{draw.ByAxis, draw.ByAxis, draw.ByLine, draw.ByNone}
	o := draw.Options{
		Show:    rapid.SampledFrom(shows).Draw(t, "show"),
		ColorBy: rapid.SampledFrom(colors).Draw(t, "colours"),
		Line:    rapid.SampledFrom([]int64{0, 0, 16, 32, 48, 256, 4096}).Draw(t, "line"),
		Cells:   rapid.SampledFrom([]int{4096, 4096, 4096, 500, 100, 16}).Draw(t, "cells"),
	}
	if x.DType().Bits() == 0 {
		o.Line = 0
	}
	if _, ok := blockSizes(x.Layout(), 1); ok && rapid.Bool().Draw(t, "by block") {
		o.ColorBy = draw.ByBlock
	}
	low, high := x.Layout().Bounds()
	if rapid.IntRange(0, 4).Draw(t, "range") == 0 {
		from := rapid.Int64Range(low-20, high+5).Draw(t, "from")
		o.From = &from
		if rapid.Bool().Draw(t, "to") {
			to := from + rapid.Int64Range(0, 100).Draw(t, "to")
			o.To = &to
		}
	}
	if rank := x.Layout().Rank(); rank > 0 && rapid.IntRange(0, 4).Draw(t, "slice") == 0 {
		axis := rapid.IntRange(0, rank-1).Draw(t, "axis")
		if n := x.Layout().Axis(axis).Size(); n > 0 {
			from := rapid.Int64Range(0, n-1).Draw(t, "first")
			text := fmt.Sprintf("%s=%d:%d", x.Layout().AxisName(axis), from, rapid.Int64Range(from+1, n).Draw(t, "end"))
			ranges, err := shape.ParseRanges(text)
			if err != nil {
				t.Fatal(err)
			}
			o.Slice = ranges
		}
	}
	return o
}

// TestRandomPictures compares pictures of layouts of every kind with the digits of the layouts.
func TestRandomPictures(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sizes, names := drawSizes(t), rapid.SampledFrom([][]string{
			nil, strings.Split("NCDHWK", ""), {"batch", "sequence_length", "heads", "head_dimension", "x", "y"},
		}).Draw(t, "names")
		x := drawTensor(t, sizes, names)
		s := single(x, drawOptions(t, x))
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0, 1:
			s = pair(comparison, x, drawTensor(t, sizes, names), s.options)
		case 2, 3:
			s = pair(conversion, x, drawTensor(t, sizes, names), s.options)
		}
		if s.tensors[len(s.tensors)-1].DType().Bits() == 0 {
			s.options.Line = 0
		}
		d := parse(t, s.svg(t))
		s.check(t, d)
		checkRoom(t, d)
	})
}

// TestRandomChains does the same for chains of views.
func TestRandomChains(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := drawTensor(t, drawSizes(t), nil)
		steps, made := "", x.Layout()
		for range rapid.IntRange(1, 4).Draw(t, "steps") {
			step := drawStep(t, made)
			list, err := view.ParseSteps(strings.TrimSpace(steps + " " + step))
			if err != nil {
				t.Fatalf("%s: %v", step, err)
			}
			views, err := view.Apply(x, list, layout.PyTorch)
			if err != nil {
				continue
			}
			steps, made = strings.TrimSpace(steps+" "+step), views[len(views)-1].Tensor.Layout()
		}
		if steps == "" {
			t.Skip("no step is possible")
		}
		s := views(t, x, steps, drawOptions(t, x))
		d := parse(t, s.svg(t))
		s.check(t, d)
		checkRoom(t, d)
	})
}

func drawStep(t *rapid.T, l layout.Layout) string {
	step := rapid.SampledFrom([]string{
		"contiguous()", "flip(0)", "reshape(-1)", "transpose(0,-1)", "[0]", "[...,::2]", "[1:]", "unsqueeze(0)",
		"[...,:2]", "[::-1]",
	}).Draw(t, "step")
	if step == "flip(0)" && l.Rank() == 0 {
		return "contiguous()"
	}
	return step
}
