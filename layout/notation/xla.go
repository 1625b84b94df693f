package notation

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
)

// An xlaArray is what the text of one array says.
type xlaArray struct {
	at    int // where it starts
	dtype layout.DType
	sizes []int64
	minor []int64 // the axes from innermost to outermost
	tiles [][]int64
	tail  int64 // the storage is a multiple of it
	bits  int64 // what an element takes; 0 where nothing is said
	notes int   // how many there are of what is before it
}

// fitsXLA knows a type of XLA with brackets right behind it, in a tuple or an instruction too.
func fitsXLA(text string) bool {
	if i := strings.Index(text, "= "); i > 0 && (text[0] == '%' || strings.HasPrefix(text, "ROOT ")) {
		text = text[i+2:]
	}
	text = strings.TrimLeft(text, "( \t\r\nb") // the b of a buffer, and of bf16
	n := 0
	for n < len(text) && isWord(text[n]) {
		n++
	}
	return isXLAType(text[:n]) && strings.HasPrefix(strings.TrimLeft(text[n:], " "), "[") && !strings.Contains(text, "][")
}

// isXLAType reports whether the word, without the b of bf16, could name a type of XLA.
func isXLAType(word string) bool {
	switch word {
	case "pred", "token", "opaque":
		return true
	}
	return len(word) > 1 && strings.IndexByte("fsuc", word[0]) >= 0 && isDigit(word[1])
}

// readXLA reads a shape, with the instruction around it if there is one.
func readXLA(r *reader) {
	r.take("ROOT ")
	r.xlaShape(r.instructionName())
	r.space()
	if c := r.peek(); c == '%' || 'a' <= c && c <= 'z' && strings.Contains(r.text[r.pos:], "(") {
		r.skip("%s, the rest of the instruction", r.rest())
		r.pos = len(r.text)
	}
}

// instructionName steps over the name of an instruction and the = behind it, if they are there.
func (r *reader) instructionName() string {
	r.space()
	start := r.pos
	r.takeHere("%")
	name := r.span(func(c byte) bool { return isWord(c) || c == '.' || c == '-' })
	if name != "" && r.take("=") {
		return name
	}
	r.pos = start
	return ""
}

// xlaShape reads an array, a buffer, or a tuple. The parts of a tuple are named by their places
// in it: 0, 1, 1.0.
func (r *reader) xlaShape(name string) {
	r.space()
	switch {
	case r.peek() == '(':
		r.xlaTuple(name)
	case strings.HasPrefix(r.text[r.pos:], "b("):
		r.pos++
		r.open("(")
		r.xlaShape(name)
		r.close(")")
	default:
		r.xlaArray(name)
	}
}

func (r *reader) xlaTuple(name string) {
	if r.depth == 0 {
		name = "" // that of the instruction
	} else if name != "" {
		name += "."
	}
	r.open("(")
	for i := 0; !r.take(")") && r.err == nil; i++ {
		if i > 0 {
			r.expect(",")
		}
		r.xlaShape(name + strconv.Itoa(i))
	}
	r.depth--
}

// xlaArray reads an array: type, sizes and layout.
func (r *reader) xlaArray(name string) {
	r.space()
	a := xlaArray{at: r.pos, tail: 1, notes: len(r.skipped)}
	start := r.pos
	if word := r.word(); word == "token" || word == "opaque" {
		r.expect("[")
		r.expect("]")
		if note := word + ", which holds no elements"; !slices.Contains(r.skipped, note) {
			r.skip("%s", note)
		}
		return
	}
	r.pos = start
	a.dtype = r.dtype()
	a.sizes = r.xlaSizes()
	if r.take("{") {
		r.xlaLayout(&a)
	} else {
		a.minor = rowMajorOrder(len(a.sizes))
	}
	if r.err == nil && a.dtype.Bits() < 8 && a.bits == 0 {
		r.skip("no E(%d): XLA gives each %s a whole byte then, here it takes %d bits", a.dtype.Bits(), a.dtype.Info().XLA, a.dtype.Bits())
	}
	r.xlaTiled(name, &a)
}

// rowMajorOrder lists the axes from the last, which is innermost, to the first.
func rowMajorOrder(rank int) []int64 {
	minor := make([]int64, rank)
	for i := range minor {
		minor[i] = int64(rank - 1 - i)
	}
	return minor
}

// xlaSizes reads sizes. Memory is laid out for the bound of one that has a bound.
func (r *reader) xlaSizes() []int64 {
	r.open("[")
	sizes := []int64{}
	for !r.take("]") && r.err == nil {
		if len(sizes) > 0 {
			r.expect(",")
		}
		bounded := r.take("<=")
		at := r.pos
		size := r.known("this size")
		switch {
		case size < 0:
			r.fail(at, "", "size %d is negative", size)
		case len(sizes) == layout.MaxRank:
			r.fail(at, "", "more than %d sizes: the limit is rank %d", layout.MaxRank, layout.MaxRank)
		case bounded:
			r.skip("<=%d: the size of axis %d is dynamic, and the layout that of the bound", size, len(sizes))
		}
		sizes = append(sizes, size)
	}
	r.depth--
	return sizes
}

// xlaLayout reads the order of the axes, the innermost first, and the properties behind it.
func (r *reader) xlaLayout(a *xlaArray) {
	at := r.pos
	var seen [layout.MaxRank]bool
	for r.space(); r.err == nil && r.peek() != ':' && r.peek() != '}'; r.space() {
		if len(a.minor) > 0 {
			r.expect(",")
		}
		axis := r.digits()
		switch {
		case r.err != nil:
			return
		case axis >= int64(len(a.sizes)):
			r.fail(at, "", "the layout names axis %d of %d axes, which count from 0", axis, len(a.sizes))
			return
		case seen[axis]:
			r.fail(at, "", "the layout names axis %d twice", axis)
			return
		}
		seen[axis] = true
		a.minor = append(a.minor, axis)
	}
	if len(a.minor) != len(a.sizes) {
		r.fail(at, fmt.Sprintf("row-major is {%s}", layout.JoinInts(rowMajorOrder(len(a.sizes)), ",")), "the layout names %d of %d axes", len(a.minor), len(a.sizes))
	}
	if r.take(":") {
		r.xlaProperties(a)
	}
	r.expect("}")
}

// xlaProperties reads what stands behind the order, always in this sequence.
func (r *reader) xlaProperties(a *xlaArray) {
	r.noSparse()
	if r.call("T") {
		r.xlaTiles(a)
	}
	if r.call("L") {
		a.tail = r.argument()
	}
	r.noSparse()
	if r.call("E") {
		if a.bits = r.argument(); a.bits != a.dtype.Bits() {
			r.skip("E(%d), the bits of an element: here each %s takes %d", a.bits, a.dtype.Info().XLA, a.dtype.Bits())
		}
	}
	if r.call("S") {
		r.skip("S%s, the memory space", r.arguments())
	}
	if r.call("SC") {
		r.skip("SC%s, the split over memories", r.arguments())
	}
	r.noSparse()
	if r.call("M") {
		r.skip("M%s, the bytes of metadata before the elements", r.arguments())
	}
}

// noSparse refuses the properties of sparse arrays, whose elements have no fixed places.
func (r *reader) noSparse() {
	r.space()
	for _, mark := range [...]string{"D(", "#(", "*(", "P("} {
		if strings.HasPrefix(r.text[r.pos:], mark) {
			r.unexpected("%s...) is of a sparse array, whose elements have no fixed places", mark)
		}
	}
}

// call steps over the name if a bracket stands behind it.
func (r *reader) call(name string) bool {
	r.space()
	rest := r.text[r.pos:]
	if len(rest) <= len(name) || rest[len(name)] != '(' {
		return false
	}
	return r.takeHere(name)
}

// argument reads a positive number in brackets.
func (r *reader) argument() int64 {
	r.expect("(")
	r.space()
	at := r.pos
	n := r.digits()
	if n == 0 {
		r.fail(at, "", "the number here is at least 1")
	}
	r.expect(")")
	return n
}

// arguments steps over lists in brackets and returns them as they are written.
func (r *reader) arguments() string {
	start := r.pos
	for r.peek() == '(' && r.err == nil {
		r.span(func(c byte) bool { return c != ')' })
		r.expect(")")
	}
	return r.text[start:max(start, r.pos)]
}

// xlaTiles reads one tile or more.
func (r *reader) xlaTiles(a *xlaArray) {
	for r.space(); r.peek() == '(' && r.err == nil; r.space() {
		at := r.pos
		tile := r.xlaTile()
		if a.tiles = append(a.tiles, tile); len(a.tiles) > layout.MaxRank {
			r.fail(at, "", "more than %d tiles", layout.MaxRank)
		}
	}
}

func (r *reader) xlaTile() []int64 {
	var tile []int64
	at := r.pos
	r.open("(")
	for r.err == nil {
		r.space()
		at = r.pos
		size := int64(combine)
		if !r.take("*") {
			size = r.digits()
		}
		if tile = append(tile, size); size == 0 {
			r.fail(at, "", "a tile has at least one element")
		}
		if !r.take(",") {
			break
		}
	}
	r.close(")")
	switch n := len(tile); {
	case n > 0 && tile[n-1] == combine:
		r.fail(at, "", "there is no dimension behind the * to merge with")
	case n > layout.MaxDigits:
		r.fail(at, "", "a tile of more than %d dimensions", layout.MaxDigits)
	}
	return tile
}

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

// An xlaForm is a layout as XLA says it: an order of the axes from outermost to innermost, and
// tiles, written out. It fills its storage without gaps, whole tiles counted: padded is what
// they hold along each axis.
type xlaForm struct {
	order  []int
	padded []int64
	tiles  []byte
}

// writeXLA writes a shape with its layout: an order of the axes, and tiles where they are in
// blocks.
func writeXLA(t layout.Tensor) (string, error) {
	form, err := xlaFormOf(t)
	if err != nil {
		return "", err
	}
	dtype, err := spelled(t, t.DType().Info().XLA)
	if err != nil {
		return "", err
	}
	elements, storage, err := form.storage(t)
	if err != nil {
		return "", err
	}
	minor := make([]int64, len(form.order))
	for i, axis := range form.order {
		minor[len(minor)-1-i] = int64(axis)
	}
	b := appendXLA(make([]byte, 0, 64), dtype, t.Layout().Sizes(), minor)
	properties := len(b)
	b = append(append(b, ':'), form.tiles...)
	if storage > elements {
		b = append(strconv.AppendInt(append(b, "L("...), storage, 10), ')')
	}
	if bits := t.DType().Bits(); bits < 8 {
		b = append(strconv.AppendInt(append(b, "E("...), bits, 10), ')')
	}
	return endXLA(b, properties, len(minor)), nil
}

// endXLA closes the layout, and leaves out what of it would be empty.
func endXLA(b []byte, properties, rank int) string {
	switch empty := len(b) == properties+len(":"); {
	case empty && rank == 0:
		b = b[:properties-len("{")]
	case empty:
		b = append(b[:properties], '}')
	default:
		b = append(b, '}')
	}
	return string(b)
}

// appendXLA writes type, sizes and order. The brace stays open for properties.
func appendXLA(b []byte, dtype string, sizes, minor []int64) []byte {
	b = append(b, dtype...)
	b = append(appendNumbers(append(b, '['), sizes), "]{"...)
	return appendNumbers(b, minor)
}

// appendNumbers writes numbers with commas between them.
func appendNumbers(b []byte, numbers []int64) []byte {
	for i, n := range numbers {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, n, 10)
	}
	return b
}

// appendTile writes a tile without *.
func appendTile(b []byte, tile []int64) []byte {
	return append(appendNumbers(append(b, '('), tile), ')')
}

// xlaFormOf returns the form of a tensor: that of its tag, or one of tiles that move a digit each.
func xlaFormOf(t layout.Tensor) (xlaForm, error) {
	l := t.Layout()
	g, err := tagOf(t)
	switch {
	case err == nil && len(g.blocks) == 0 && l.Contiguous():
		slices.Sort(g.order) // where axes of size 1 lie does not matter
		return xlaForm{g.order, g.padded, nil}, nil
	case err == nil:
		g.settle()
		return xlaForm{g.order, g.padded, g.tiles()}, nil
	}
	if form, ok := cutForm(l); ok {
		return form, nil
	}
	return xlaForm{}, err
}

// settle puts axes that are a single block each, whose order does not matter, in the order of
// their blocks.
func (g tag) settle() {
	for i := 0; i < len(g.order); i++ {
		n := i
		for n < len(g.order) && g.oneBlock(g.order[n]) {
			n++
		}
		if n > i+1 {
			slices.SortFunc(g.order[i:n], func(a, b int) int { return g.firstBlock(a) - g.firstBlock(b) })
			i = n
		}
	}
}

// firstBlock is the place of the outermost block of an axis, -1 where it has none.
func (g tag) firstBlock(axis int) int {
	return slices.IndexFunc(g.blocks, func(b tagBlock) bool { return b.axis == axis })
}

// oneBlock reports whether the blocks of an axis hold all of it.
func (g tag) oneBlock(axis int) bool {
	left := g.padded[axis]
	for _, b := range g.blocks {
		if b.axis == axis {
			left /= b.size
		}
	}
	return left == 1 && g.firstBlock(axis) >= 0
}

// tiles writes the blocks of the tag as tiles of the axes from the first blocked one on. A
// tile's inside has the order of the axes; a block that breaks the order starts a further tile,
// which divides what the blocks from it on make together.
func (g tag) tiles() []byte {
	if len(g.blocks) == 0 {
		return nil
	}
	place, tile := g.tile()
	b := appendTile([]byte{'T'}, tile)
	last := -1
	for _, block := range g.blocks {
		at := place[block.axis]
		if at <= last {
			b = appendTile(b, withoutOnes(tile))
		}
		last = at
		tile[at] /= block.size
	}
	return b
}

// tile returns the first tile, and the place of each axis in it.
func (g tag) tile() (place []int, tile []int64) {
	whole := make([]int64, len(g.order))
	for i := range whole {
		whole[i] = 1
	}
	for _, block := range g.blocks {
		whole[block.axis] *= block.size
	}
	place = make([]int, len(g.order))
	for _, axis := range g.order {
		if len(tile) > 0 || whole[axis] > 1 {
			place[axis] = len(tile)
			tile = append(tile, whole[axis])
		}
	}
	return place, tile
}

// withoutOnes cuts off the entries of 1 that a tile starts with: they divide nothing.
func withoutOnes(tile []int64) []int64 {
	for len(tile) > 1 && tile[0] == 1 {
		tile = tile[1:]
	}
	return tile
}

// storage counts the elements that the tiles hold, and those of the tensor's storage. The storage
// of a view is that of another tensor.
func (f xlaForm) storage(t layout.Tensor) (elements, storage int64, err error) {
	elements, err = layout.ProductOf(f.padded)
	if t.Viewed() {
		return elements, elements, err
	}
	return elements, max(elements, t.Storage()), err
}

// xlaFigure is what XLA's ShapeUtil counts: whole tiles, and the tail.
func xlaFigure(t layout.Tensor) ([]Size, error) {
	form, err := xlaFormOf(t)
	if err != nil {
		return nil, err
	}
	_, storage, err := form.storage(t)
	if err != nil {
		return nil, err
	}
	return []Size{{"ShapeUtil byte size", storage, t.Bytes(storage)}}, nil
}

// A cutDigit is a digit and the physical dimension that it lies in while tiles move it.
type cutDigit struct {
	tagDigit
	dim int
}

// A cutter finds the tiles that bring digits into any order. A tile takes the low digits of a
// dimension out of it and puts them behind all others; one for each digit, in the order that is
// wanted, brings all of them there. Digits that stand in the order of their dimensions take one
// tile together.
type cutter struct {
	digits []cutDigit // from the greatest stride on
	dims   int
	tile   []int64 // what is cut so far
	first  int     // the dimension of its first entry
	text   []byte
}

// cutForm returns the form of any layout of digits without gaps.
func cutForm(l layout.Layout) (xlaForm, bool) {
	outer, inner := digitsOf(l)
	if l.Empty() || l.Base() != 0 || !withoutGaps(outer, inner) {
		return xlaForm{}, false
	}
	slices.Reverse(outer)
	form := xlaForm{order: make([]int, len(outer)), padded: make([]int64, len(outer))}
	dims := make([]int, len(outer))
	for i, d := range outer {
		form.order[i], dims[d.axis] = d.axis, i
		form.padded[d.axis] = d.Extent * l.Axis(d.axis).Block()
	}
	c := cutter{dims: len(outer), text: []byte{'T'}}
	for _, d := range append(outer, inner...) {
		if d.Extent > 1 {
			c.digits = append(c.digits, cutDigit{d, dims[d.axis]})
		}
	}
	slices.SortStableFunc(c.digits, func(a, b cutDigit) int { return cmp.Compare(b.Stride, a.Stride) })
	form.tiles = c.cut()
	return form, c.dims <= layout.MaxDigits
}

// withoutGaps reports whether the digits that count have the strides of a packed array.
func withoutGaps(outer, inner []tagDigit) bool {
	digits := slices.Concat(outer, inner)
	slices.SortFunc(digits, func(a, b tagDigit) int { return cmp.Compare(a.Stride, b.Stride) })
	next := int64(1)
	for _, d := range digits {
		if d.Extent > 1 {
			if d.Stride != next {
				return false
			}
			next *= d.Extent
		}
	}
	return true
}

// cut writes the tiles. The digits up to the first inner one stay where they are.
func (c *cutter) cut() []byte {
	start := slices.IndexFunc(c.digits, func(d cutDigit) bool { return d.place > 0 })
	if start < 0 {
		return nil
	}
	for i := start; i < len(c.digits) && c.dims <= layout.MaxDigits; i++ {
		if dim := c.digits[i].dim; len(c.tile) > 0 && (dim < c.first+len(c.tile) || dim >= c.dims) {
			c.flush()
		}
		c.take(i)
	}
	c.flush()
	return c.text
}

// take cuts a digit, and the lower ones that are still with it, out of their dimension.
func (c *cutter) take(i int) {
	d := c.digits[i]
	if len(c.tile) == 0 {
		c.first = d.dim
	}
	for c.first+len(c.tile) < d.dim {
		c.tile = append(c.tile, 1)
	}
	size := int64(1)
	for j := range c.digits {
		if q := &c.digits[j]; q.dim == d.dim && q.axis == d.axis && q.place >= d.place {
			size *= q.Extent
			q.dim = c.dims + d.dim - c.first
		}
	}
	c.tile = append(c.tile, size)
}

// flush writes the tile, up to the last dimension.
func (c *cutter) flush() {
	for c.first+len(c.tile) < c.dims {
		c.tile = append(c.tile, 1)
	}
	c.text = appendTile(c.text, c.tile)
	c.dims += len(c.tile)
	c.tile = c.tile[:0]
}
