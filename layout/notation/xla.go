package notation

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// An xlaReader reads XLA's shapes.
type xlaReader struct{ *reader }

// An xlaArray is the parsed form of one array.
type xlaArray struct {
	at    int // its offset
	dtype layout.DType
	sizes []int64
	minor []int64 // the axes from innermost to outermost
	tiles [][]int64
	tail  int64 // the storage is a multiple of it
	bits  int64 // the bits of an element; 0 if the input does not state them
	notes int   // the number of notes before it
}

// startsShape reports whether a shape starts at a token: an XLA type followed by a bracket, which may be in a tuple.
func (r xlaReader) startsShape(i int) bool {
	tokens := r.Tokens()
	for i+1 < len(tokens) && (r.Text(tokens[i]) == "(" || r.Text(tokens[i]) == "b" && r.Text(tokens[i+1]) == "(") {
		i++
	}
	return i+1 < len(tokens) && tokens[i].Kind == lexer.Word && isClass("xla-type", r.Text(tokens[i])) &&
		r.Text(tokens[i+1]) == "["
}

// starts reports whether the shape of an instruction, NAME = SHAPE, follows a token.
func (r xlaReader) starts(i int) bool {
	if r.Text(r.Tokens()[i]) != "=" || !r.startsShape(i+1) {
		return false
	}
	name, start := r.nameBefore(i)
	return name != "" && r.isAfter(start, "%")
}

// readXLA reads a shape, or the shapes of the instructions of a module.
func readXLA(of *reader) {
	r := xlaReader{of}
	switch first, count := r.find(r.starts); count {
	case 0:
		r.xlaShape("")
		r.use(0, r.Pos)
		r.instructionRest()
	case 1:
		r.instruction(first, true)
		r.instructionRest()
	default:
		r.eachTensor(r.starts, func(i int) { r.instruction(i, false) }, nil)
		r.Pos = len(r.In)
	}
}

// instruction reads the shape after a token, or the shapes of a tuple. In the only instruction of an input, their names
// are only their positions.
func (r xlaReader) instruction(i int, alone bool) {
	tokens := r.Tokens()
	name, start := r.nameBefore(i)
	for start > 0 && lexer.Like(r.Text(tokens[start-1]), "%", "ROOT") {
		start--
	}
	if r.Pos = int(tokens[i].End); alone && r.PeekToken() == '(' {
		name = ""
	}
	r.xlaShape(name)
	r.use(int(tokens[start].At), r.Pos)
}

// instructionRest skips the rest of an instruction after its shape.
func (r xlaReader) instructionRest() {
	r.Space()
	if c := r.Peek(); c == '%' || 'a' <= c && c <= 'z' && strings.Contains(r.In[r.Pos:], "(") {
		r.Pos = len(r.In)
	}
}

// xlaShape reads an array, a buffer, or a tuple. The parts of a tuple are named by their positions: 0, 1, 1.0.
func (r xlaReader) xlaShape(name string) {
	r.Space()
	switch {
	case r.Peek() == '(':
		if name != "" {
			name += "."
		}
		r.Each("(", ")", func(i int) { r.xlaShape(name + strconv.Itoa(i)) })
	case r.Ahead("b("):
		r.Pos++
		r.Open("(")
		r.xlaShape(name)
		r.Close(")")
	default:
		r.xlaArray(name)
	}
}

// xlaArray reads an array: type, sizes and layout.
func (r xlaReader) xlaArray(name string) {
	r.Space()
	a := xlaArray{at: r.Pos, tail: 1, notes: len(r.skipped)}
	if word := r.Word(); word == "token" || word == "opaque" {
		r.Expect("[")
		r.Expect("]")
		r.skip("%s, which holds no elements", word)
		return
	}
	r.Pos = a.at
	a.dtype = r.dtype()
	a.sizes = r.xlaSizes()
	if r.Take("{") {
		r.xlaLayout(&a)
	} else {
		a.minor = rowMajorOrder(len(a.sizes))
	}
	if bits := a.dtype.Bits(); r.Err == nil && bits < 8 && a.bits == 0 {
		r.skip("no E(%d): XLA gives each %s a whole byte then, here it takes %s", bits,
			a.dtype.In(layout.XLA), wording.Count(bits, "bit"))
	}
	r.xlaTiled(name, &a)
}

// rowMajorOrder returns the axes from the last, which is innermost, to the first.
func rowMajorOrder(rank int) []int64 {
	minor := make([]int64, rank)
	for i := range minor {
		minor[i] = int64(rank - 1 - i)
	}
	return minor
}

// xlaSizes reads sizes. A dynamic size is represented by its bound, which determines the memory.
func (r xlaReader) xlaSizes() []int64 {
	sizes := []int64{}
	r.Each("[", "]", func(int) {
		bounded, axis := r.Take("<="), len(sizes)
		if sizes = r.size(sizes); bounded {
			r.skip("<=%d: the size of axis %d is dynamic, and the layout that of the bound", sizes[axis], axis)
		}
	})
	return sizes
}

// xlaLayout reads the order of the axes, the innermost first, and the properties after it.
func (r xlaReader) xlaLayout(a *xlaArray) {
	at := r.Pos
	var seen [layout.MaxRank]bool
	for r.Space(); r.Err == nil && r.Peek() != ':' && r.Peek() != '}'; r.Space() {
		if len(a.minor) > 0 {
			r.Expect(",")
		}
		axis := r.Digits()
		switch {
		case r.Err != nil:
			return
		case axis >= int64(len(a.sizes)):
			r.Fail(at, "", "the layout names axis %d, and the shape has %s, numbered from 0", axis,
				wording.Count(len(a.sizes), "axis"))
			return
		case seen[axis]:
			r.Fail(at, "", "the layout names axis %d twice", axis)
			return
		}
		seen[axis] = true
		a.minor = append(a.minor, axis)
	}
	if len(a.minor) != len(a.sizes) {
		hint := fmt.Sprintf("row-major is {%s}", layout.JoinInts(rowMajorOrder(len(a.sizes)), ","))
		r.Fail(at, hint, "the layout names %d of %s", len(a.minor), wording.Count(len(a.sizes), "axis"))
	}
	if r.Take(":") {
		r.xlaProperties(a)
	}
	r.Expect("}")
}

// xlaProperties reads the properties after the order, which are always in the same sequence.
func (r xlaReader) xlaProperties(a *xlaArray) {
	r.noSparse()
	if r.call("T") {
		for r.Space(); r.Peek() == '(' && r.Err == nil; r.Space() {
			at := r.Pos
			if a.tiles = append(a.tiles, r.xlaTile()); len(a.tiles) > layout.MaxRank {
				r.Fail(at, "", "more than %d tiles", layout.MaxRank)
			}
		}
	}
	if r.call("L") {
		a.tail = r.argument()
	}
	r.noSparse()
	if r.call("E") {
		if a.bits = r.argument(); a.bits != a.dtype.Bits() {
			r.skip("E(%d), the bits of an element: here each %s takes %d", a.bits, a.dtype.In(layout.XLA),
				a.dtype.Bits())
		}
	}
	for _, p := range [...]struct{ name, what string }{{"S", "the memory space"}, {"SC", "the split over memories"},
		{"M", "the bytes of metadata before the elements"}} {
		if r.noSparse(); r.call(p.name) {
			r.skip("not read: %s%s, %s", p.name, r.arguments(), p.what)
		}
	}
}

// noSparse rejects the properties of sparse arrays, because their elements have no fixed offsets.
func (r xlaReader) noSparse() {
	r.Space()
	for _, mark := range [...]string{"D(", "#(", "*(", "P("} {
		if r.Ahead(mark) {
			r.Unexpected("%s...) is a sparse array: its elements have no fixed places", mark)
		}
	}
}

// call reads the name if it comes next with a parenthesis after it.
func (r xlaReader) call(name string) bool {
	r.Space()
	rest := r.In[r.Pos:]
	if len(rest) <= len(name) || rest[len(name)] != '(' {
		return false
	}
	return r.TakeHere(name)
}

// argument reads a positive number in parentheses.
func (r xlaReader) argument() int64 {
	r.Expect("(")
	r.Space()
	at := r.Pos
	n := r.Digits()
	if n == 0 {
		r.Fail(at, "", "the number here is at least 1")
	}
	r.Expect(")")
	return n
}

// arguments reads lists in parentheses and returns their text.
func (r xlaReader) arguments() string {
	start := r.Pos
	for r.Peek() == '(' && r.Err == nil {
		r.Span(func(c byte) bool { return c != ')' })
		r.Expect(")")
	}
	return r.In[start:max(start, r.Pos)]
}

// combine is the * of a tile, which merges a dimension into the next one.
const combine = -1

func (r xlaReader) xlaTile() []int64 {
	var tile []int64
	at := r.Pos
	r.Each("(", ")", func(int) {
		at = r.Pos
		size := int64(combine)
		if !r.Take("*") {
			size = r.Digits()
		}
		if tile = append(tile, size); size == 0 {
			r.Fail(at, "", "a tile has at least one element")
		}
	})
	switch n := len(tile); {
	case n == 0:
		r.Fail(at+len("("), "such as T(8,128)", "expected a number")
	case tile[n-1] == combine:
		r.Fail(at, "", "no dimension after the * to merge with")
	case n > layout.MaxDigits:
		r.Fail(at, "", "a tile of more than %d dimensions", layout.MaxDigits)
	}
	return tile
}

// A tileDim is a dimension of the physical shape: its padded size, and the digits of axes in it.
type tileDim struct {
	size  int64
	parts []tilePart
}

// A tilePart is a digit of an axis. Its stride is how far the digit moves the index in its dimension. The digits of an
// axis are sorted by the number inside, the outermost first. It has one bit for each tile, the highest for the first
// tile, which is set if the digit is the inner part of one that this tile cut.
type tilePart struct {
	layout.Digit
	axis   int
	inside uint64
}

// A tiling is the physical shape of an array, from outermost to innermost.
type tiling []tileDim

// xlaTiled adds the tensor of an array. Each tile divides the physical shape that results from the tiles before it.
func (r xlaReader) xlaTiled(name string, a *xlaArray) {
	if r.Err != nil {
		return
	}
	g := make(tiling, len(a.minor))
	for i, axis := range a.minor {
		// An axis without elements counts as one with a single element, so that no stride is 0.
		size := a.sizes[axis]
		g[len(g)-1-i] = tileDim{size, []tilePart{{layout.Digit{Extent: max(size, 1), Stride: 1}, int(axis), 0}}}
	}
	for i := range a.tiles {
		if g = r.tile(g, a, i); r.Err != nil {
			return
		}
	}
	dims := make([]int64, len(g))
	for i, dim := range g {
		dims[i] = dim.size
	}
	storage, err := layout.ProductOf(dims)
	r.Fault(err)
	storage = r.times(layout.CeilDiv(storage, a.tail), a.tail)
	d := Descriptor{Name: name, Typed: true, Skipped: distinct(r.skipped[a.notes:])}
	r.skipped = r.skipped[:a.notes]
	r.laidOut(a.at, d, a.dtype, 0, r.tiledAxes(g, r.rowMajor(dims), a.sizes))
	r.reserve(storage)
}

// tile applies tile number nth to the last dimensions: they become the grid of tiles, and the dimensions inside a tile
// come after them. If a tile has more dimensions than the array, the additional ones have size 1.
func (r xlaReader) tile(g tiling, a *xlaArray, nth int) tiling {
	tile := a.tiles[nth]
	for len(g) < len(tile) {
		g = slices.Insert(g, 0, tileDim{size: 1})
	}
	first := len(g) - len(tile)
	tile = r.merge(&g, first, tile)
	if len(g)+len(tile) > layout.MaxDigits {
		r.Fail(a.at, "", "the tiles make more than %d physical dimensions", layout.MaxDigits)
	}
	uncut, uncutSize := -1, int64(0) // the last axis with digits that the tiles split
	tiled := append(make(tiling, 0, len(g)+len(tile)), g...)[:len(g)+len(tile)]
	for i, size := range slices.Backward(tile) {
		dim := g[first+i]
		outer, inner := tileDim{size: layout.CeilDiv(dim.size, size)}, tileDim{size: size}
		for k, p := range slices.Backward(dim.parts) {
			above, below, ok := g.cut(first+i, k, size)
			if !ok && p.axis > uncut {
				uncut, uncutSize = p.axis, size
			}
			below.inside |= 1 << 63 >> nth
			if above.Extent > 0 {
				outer.parts = append(outer.parts, above)
			}
			if below.Extent > 0 {
				inner.parts = append(inner.parts, below)
			}
		}
		tiled[first+i], tiled[len(g)+i] = outer, inner
	}
	if uncut >= 0 {
		hint := ""
		if slices.Contains(a.tiles[0], combine) {
			hint = "merge the axes in the shape: " +
				"f32[112,110]{1,0:T(2,3)} is f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}"
		}
		const msg = "a tile of %d does not divide axis %d, of size %d, where it lies: no digits of the axis say that"
		r.Fail(a.at, hint, msg, uncutSize, uncut, a.sizes[uncut])
	}
	return tiled
}

// merge merges every dimension with a * in the tile into the next one, and returns the tile without these.
func (r xlaReader) merge(g *tiling, first int, tile []int64) (kept []int64) {
	for _, size := range tile {
		if size != combine {
			kept = append(kept, size)
			continue
		}
		at := first + len(kept)
		dim, next := (*g)[at], &(*g)[at+1]
		for i := range dim.parts {
			dim.parts[i].Stride = r.times(dim.parts[i].Stride, max(next.size, 1))
		}
		next.size, next.parts = r.times(dim.size, next.size), append(dim.parts, next.parts...)
		*g = slices.Delete(*g, at, at+1)
	}
	return kept
}

// cut divides a part of a dimension by the size of the tiles there: outer counts the tiles, and inner the indices in a
// tile. If either is not needed, its extent is 0. It reports false if the boundaries of the tiles are not boundaries of
// digits.
//
// The outermost part of an axis may count further than the axis, so it can be cut anywhere.
func (g tiling) cut(dim, i int, size int64) (outer, inner tilePart, ok bool) {
	p := g[dim].parts[i]
	outer, inner = p, p
	below, top := int64(0), true // range of the smaller strides; no part is outside p
	for at, d := range g {
		for j, q := range d.parts {
			if q.Extent == 1 || at == dim && j == i {
				continue
			}
			top = top && (q.axis != p.axis || q.inside > p.inside) && (at != dim || q.Stride < p.Stride)
			if at == dim && q.Stride < p.Stride {
				below += q.Stride * (q.Extent - 1)
			}
		}
	}
	divides, n := size%p.Stride == 0, size/p.Stride
	within := p.Stride*(p.Extent-1)+below < size
	switch {
	case p.Stride%size == 0:
		outer.Stride, inner.Extent = p.Stride/size, 0
	case p.Extent == 1 && len(g[dim].parts) > 1:
		outer.Stride, inner.Extent = 1, 0
	case divides && (top || !within && p.Extent%n == 0):
		outer.Stride, outer.Extent, inner.Extent = 1, layout.CeilDiv(p.Extent, n), n
	case within:
		outer.Extent = 0
	default:
		return outer, inner, false
	}
	return outer, inner, true
}

// tiledAxes returns the axes with the parts as digits, given the strides of the dimensions.
func (r xlaReader) tiledAxes(g tiling, strides, sizes []int64) []layout.Axis {
	var parts []tilePart
	for i, dim := range g {
		for _, p := range dim.parts {
			p.Stride = r.times(strides[i], p.Stride)
			parts = append(parts, p)
		}
	}
	sort.Slice(parts, func(i, k int) bool { return parts[i].inside < parts[k].inside })
	digits := make([][]layout.Digit, len(sizes))
	for _, p := range parts {
		digits[p.axis] = append(digits[p.axis], p.Digit)
	}
	axes := make([]layout.Axis, len(sizes))
	for i, size := range sizes {
		if size == 0 {
			digits[i][0].Extent = 0
		}
		axes[i] = layout.NewAxis("", size, digits[i]...)
	}
	return axes
}

// reserve sets the storage of the tensor that was added last to n elements.
func (r *reader) reserve(n int64) {
	if r.Err != nil {
		return
	}
	d := &r.found[len(r.found)-1]
	var err error
	d.Tensor, err = d.Tensor.Reserve(n)
	r.Fault(err)
}

// writeXLA writes a shape with its layout: an order of the axes, and tiles if they are in blocks.
func writeXLA(t layout.Tensor) (string, error) {
	g, err := xlaTag(t)
	if err != nil {
		return "", err
	}
	text, err := spelled(t, layout.XLA)
	if err != nil {
		return "", err
	}
	elements, storage, err := g.storage(t)
	if err != nil {
		return "", err
	}
	properties, err := g.tiles(t)
	if err != nil {
		return "", err
	}
	if storage > elements {
		properties += fmt.Sprintf("L(%d)", storage)
	}
	if bits := t.DType().Bits(); bits < 8 {
		properties += fmt.Sprintf("E(%d)", bits)
	}
	text += "[" + layout.JoinInts(t.Layout().Sizes(), ",") + "]"
	minor := make([]int64, len(g.order))
	for i, axis := range g.order {
		minor[len(minor)-1-i] = int64(axis)
	}
	switch order := "{" + layout.JoinInts(minor, ","); {
	case properties != "":
		text += order + ":" + properties + "}"
	case len(minor) > 0:
		text += order + "}"
	}
	return text, nil
}

// xlaTag returns the tag of a tensor. Its blocks need not be nested.
func xlaTag(t layout.Tensor) (tag, error) {
	g, err := tagOf(t, true)
	if err != nil {
		g, err = tagOf(t, false)
	}
	if err == nil && len(g.blocks) == 0 && analysis.Contiguous(t.Layout()) {
		slices.Sort(g.order) // the order of axes of size 1 does not matter
	}
	g.settle()
	return g, err
}

// settle sorts adjacent axes that consist of a single block by the order of their blocks, because the order of such
// axes does not matter.
func (g tag) settle() {
	for i := 0; i < len(g.order); i++ {
		n := i
		for n < len(g.order) && g.counts[g.order[n]] == 1 && g.firstBlock(g.order[n]) >= 0 {
			n++
		}
		slices.SortFunc(g.order[i:n], func(a, b int) int { return g.firstBlock(a) - g.firstBlock(b) })
	}
}

// firstBlock returns the index of the outermost block of an axis, or -1 if it has no blocks.
func (g tag) firstBlock(axis int) int {
	return slices.IndexFunc(g.blocks, func(b part) bool { return b.axis == axis })
}

// tiles returns the tiles that produce the order of the blocks. The inside of a tile keeps the order of the dimensions;
// a block that breaks the order starts another tile.
func (g tag) tiles(t layout.Tensor) (string, error) {
	if len(g.blocks) == 0 {
		return "", nil
	}
	dims, last := len(g.order), len(g.order)-1
	of := make([]int, len(g.blocks)) // the dimension of each block
	for i, block := range g.blocks {
		of[i] = slices.Index(g.order, block.axis)
	}
	text := "T"
	for i := range g.blocks {
		if of[i] <= last {
			tile := g.nextTile(of, i, dims)
			text += "(" + layout.JoinInts(tile, ",") + ")"
			dims += len(tile)
		}
		last = of[i]
	}
	if dims > layout.MaxDigits {
		return "", lost(t, "its tiles would make more than %d physical dimensions", layout.MaxDigits)
	}
	return text, nil
}

// nextTile returns the tile that splits blocks, starting at block i, off their dimensions: the next block of each
// dimension, together with the later blocks of smaller weight.
func (g tag) nextTile(of []int, i, dims int) []int64 {
	first := slices.Min(of[i:])
	tile := slices.Repeat([]int64{1}, dims-first)
	for k := i; k < len(of); k++ {
		from := of[k]
		if from >= dims || tile[from-first] > 1 {
			continue // already split off, or too large for this tile
		}
		for j := i; j < len(of); j++ {
			if of[j] == from && g.blocks[j].weight <= g.blocks[k].weight {
				tile[from-first] *= g.blocks[j].Extent
				of[j] = dims + from - first
			}
		}
	}
	return tile
}

// storage returns the number of elements that the tiles hold, and of the tensor's storage. The storage of a view
// belongs to another tensor.
func (g tag) storage(t layout.Tensor) (elements, storage int64, err error) {
	elements, err = layout.ProductOf(g.padded)
	if t.Viewed() {
		return elements, elements, err
	}
	return elements, max(elements, t.Storage()), err
}

// xlaFigure returns the size that XLA's ShapeUtil counts: whole tiles, and the tail.
func xlaFigure(t layout.Tensor) ([]Size, error) {
	g, err := xlaTag(t)
	if err != nil {
		return nil, err
	}
	_, storage, err := g.storage(t)
	if err != nil {
		return nil, err
	}
	return []Size{{"ShapeUtil byte size", storage, t.Bytes(storage)}}, nil
}
