package notation

import (
	"slices"
	"strconv"

	"layoutcalc/layout"
)

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
